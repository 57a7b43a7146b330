//===- Trial.c - layers in floating point, on samples ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "IR/IR.h"
#include "Interpreter/Frame.h"
#include "Interpreter/Kernel.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Macs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t slot_of(const xc_plan *plan, MlirValue value) {
  for (size_t i = 0; i < plan->num_slots; ++i)
    if (plan->slots[i].value.ptr == value.ptr)
      return (int64_t)i;
  return XC_NO_SLOT;
}

//===----------------------------------------------------------------------===//
// Steps of the layers
//===----------------------------------------------------------------------===//

static int64_t step_of(const xc_plan *plan, int64_t slot) {
  for (size_t i = 0; i < plan->num_steps; ++i)
    if (plan->steps[i].num_results == 1 && plan->steps[i].results[0] == slot)
      return (int64_t)i;
  return -1;
}

static bool is_member(const xc_trial *t, const xc_quantize_value *value) {
  for (size_t i = 0; i < t->num_members; ++i)
    if (t->members[i].value == value)
      return true;
  return false;
}

static void add_source(xc_trial_part *part, const xc_trial_source *source) {
  for (size_t i = 0; i < part->num_sources; ++i)
    if (part->sources[i].real == source->real)
      return;
  part->sources[part->num_sources++] = *source;
}

/// Whether nothing but members reads the fixed form of a value.
static bool only_members_read(const xc_trial *t,
                              const xc_quantize_value *value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value->fixed);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    bool is_read = false;
    for (size_t i = 0; i < t->num_members; ++i)
      is_read |=
          mlirOperationEqual(mlirOpResultGetOwner(t->members[i].value->fixed),
                             mlirOpOperandGetOwner(use));
    if (!is_read)
      return false;
  }
  return true;
}

/// Whether a value is moved or padded in fixed point for members alone: without
/// them floats would be.
static bool becomes_float(const xc_trial *t, const xc_quantize_value *value) {
  MlirOperation op = mlirOpResultGetOwner(value->reference);
  const xc_op_info *info = xc_op_info_of(op);
  if (!info || (info->kind != XC_TIR_PAD && !xc_quantize_is_move(info->kind)) ||
      !only_members_read(t, value))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const xc_quantize_value *read = xc_pointer_map_get(
        &t->r->q->references, mlirOperationGetOperand(op, i).ptr);
    if (read && read->replaced)
      return false;
  }
  return true;
}

static bool need(xc_trial *t, xc_trial_part *part, int64_t slot);

/// A value that a layer reads. Returns false where neither function has it.
static bool need_operand(xc_trial *t, xc_trial_part *part, int64_t slot) {
  bool is_kept = part == &t->kept;
  if (slot == XC_NO_SLOT || t->exact->slots[slot].constant ||
      (size_t)slot < t->exact->num_arguments)
    return true;
  MlirValue value = t->exact->slots[slot].value;
  const xc_quantizer *q = t->r->q;
  const xc_quantize_value *row = xc_pointer_map_get(&q->references, value.ptr);
  if (!row)
    return false;
  if (is_kept && is_member(t, row))
    return true;
  bool is_fixed = row->replaced && !mlirValueIsNull(row->fixed);
  if (row->is_fused || (row->replaced && !is_fixed) ||
      (is_kept && is_fixed && becomes_float(t, row)))
    return need(t, part, slot);
  xc_trial_source source = {
      .real = slot, .point = row->point, .is_fixed = is_fixed};
  source.fixed = slot_of(t->found, is_fixed ? row->fixed : row->original);
  if (source.fixed == XC_NO_SLOT)
    return false;
  add_source(part, &source);
  return true;
}

/// That the member which was added last computes a value.
static bool need(xc_trial *t, xc_trial_part *part, int64_t slot) {
  int64_t step = step_of(t->exact, slot);
  if (step < 0)
    return false;
  part->owners[step] = t->num_members;
  const xc_step *row = &t->exact->steps[step];
  for (size_t i = 0; i < row->num_operands; ++i)
    if (!need_operand(t, part, row->operands[i]))
      return false;
  return true;
}

static bool add_member(xc_trial *t, xc_trial_part *part,
                       const xc_quantize_value *value) {
  xc_trial_member *m = &t->members[t->num_members++];
  *m = (xc_trial_member){.value = value,
                         .fixed = slot_of(t->found, value->fixed),
                         .real = slot_of(t->exact, value->reference)};
  return m->fixed != XC_NO_SLOT && m->real != XC_NO_SLOT &&
         need(t, part, m->real);
}

/// Whether a value is computed by an operator of that name.
static bool has_name_of(const xc_quantizer *q, size_t value, size_t named) {
  return value == named || (value >= q->num_arguments &&
                            mlirStringRefEqual(xc_quantize_name(q, value),
                                               xc_quantize_name(q, named)));
}

/// Whether a value is a move of values in floating point, which stays there as
/// well.
static bool moves_members(const xc_trial *t, const xc_quantize_value *value) {
  MlirOperation op = mlirOpResultGetOwner(value->reference);
  const xc_op_info *info = xc_op_info_of(op);
  if (!info || !xc_quantize_is_move(info->kind))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const xc_quantize_value *row = xc_pointer_map_get(
        &t->r->q->references, mlirOperationGetOperand(op, i).ptr);
    if (!row || !is_member(t, row))
      return false;
  }
  return true;
}

static void open_part(const xc_trial *t, xc_trial_part *part) {
  part->owners = xc_alloc_array(t->exact->num_steps + 1, sizeof(*part->owners));
  part->sources =
      xc_alloc_array(t->exact->num_slots + 1, sizeof(*part->sources));
}

static void close_part(xc_trial_part *part) {
  free(part->owners);
  free(part->sources);
}

bool xc_trial_open(const xc_quantize_comparison *r,
                   const xc_quantize_offer *offers, size_t count,
                   const bool *chosen, xc_trial *t) {
  const xc_quantizer *q = r->q;
  *t = (xc_trial){.r = r,
                  .found = xc_interpreter_plan(r->found),
                  .exact = xc_interpreter_plan(r->exact)};
  t->members = xc_alloc_array(q->num_values + 1, sizeof(*t->members));
  open_part(t, &t->kept);
  for (size_t i = q->num_arguments; i < q->num_values; ++i) {
    const xc_quantize_value *value = &q->values[i];
    if (!value->replaced || mlirValueIsNull(value->fixed))
      continue;
    bool kept = false;
    for (size_t k = 0; k < count; ++k)
      kept |= chosen[k] && has_name_of(q, i, offers[k].value);
    if ((kept || moves_members(t, value)) && !add_member(t, &t->kept, value))
      return false;
    t->num_kept = t->num_members;
  }
  return true;
}

static bool reads_any(const xc_step *step, const bool *slots) {
  for (size_t i = 0; i < step->num_operands; ++i)
    if (step->operands[i] != XC_NO_SLOT && slots[step->operands[i]])
      return true;
  return false;
}

/// Adds the convolutions that read what differs by the members.
static bool add_following(xc_trial *t, bool *changed) {
  for (size_t i = 0; i < t->num_kept; ++i)
    changed[t->members[i].fixed] = true;
  for (size_t i = 0; i < t->found->num_steps; ++i) {
    const xc_step *step = &t->found->steps[i];
    if (step->num_results != 1 || changed[step->results[0]] ||
        !reads_any(step, changed))
      continue;
    changed[step->results[0]] = true;
    const xc_quantize_value *value = xc_pointer_map_get(
        &t->r->fixed, t->found->slots[step->results[0]].value.ptr);
    if (value && value->product && !add_member(t, &t->following, value))
      return false;
  }
  return t->num_members > t->num_kept;
}

bool xc_trial_follow(xc_trial *t) {
  bool *changed = xc_alloc_array(t->found->num_slots + 1, sizeof(*changed));
  open_part(t, &t->following);
  bool ok = add_following(t, changed);
  free(changed);
  return ok;
}

void xc_trial_close(xc_trial *t) {
  free(t->members);
  close_part(&t->kept);
  close_part(&t->following);
}

//===----------------------------------------------------------------------===//
// Running the layers
//===----------------------------------------------------------------------===//

/// One run of both functions, of the float one only the layers: those in
/// floating point, and those that read rounded numbers.
typedef struct run {
  const xc_trial *t;
  xc_frame found, exact, following;
  void **results; // by member, once it is computed
} run;

static void take_source(const run *r, const xc_frame *frame,
                        const xc_trial_source *source) {
  const xc_slot *to = &r->t->exact->slots[source->real];
  xc_tensor reals = {to->shape, xc_alloc(to->bytes + 1)};
  free(frame->data[source->real]);
  frame->data[source->real] = reals.data;
  if (!source->is_fixed) {
    memcpy(reals.data, r->found.data[source->fixed], to->bytes);
    return;
  }
  xc_tensor fixed = {r->t->found->slots[source->fixed].shape,
                     r->found.data[source->fixed]};
  double unit = ldexp(1, -source->point);
  int64_t count = xc_tensor_count(&fixed);
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(&reals, i, xc_get_real(&fixed, i) * unit);
}

static void take_sources(const run *r, const xc_frame *frame,
                         const xc_trial_part *part, int64_t fixed) {
  for (size_t i = 0; i < part->num_sources; ++i)
    if (part->sources[i].fixed == fixed)
      take_source(r, frame, &part->sources[i]);
}

/// A step of the float function. Returns false also where the converted one has
/// not come to what it reads.
static bool run_exact(xc_frame *frame, size_t number) {
  const xc_step *step = &frame->plan->steps[number];
  for (size_t i = 0; i < step->num_operands; ++i)
    if (step->operands[i] != XC_NO_SLOT && !frame->data[step->operands[i]])
      return false;
  return xc_frame_step(frame, number);
}

/// The operators in the float function, and a copy of what they give.
static bool compute_member(run *r, size_t number) {
  const xc_plan *plan = r->t->exact;
  const xc_trial_member *m = &r->t->members[number];
  bool is_kept = number < r->t->num_kept;
  const xc_trial_part *part = is_kept ? &r->t->kept : &r->t->following;
  xc_frame *frame = is_kept ? &r->exact : &r->following;
  for (size_t i = 0; i < plan->num_steps; ++i)
    if (part->owners[i] == number + 1 && !run_exact(frame, i))
      return false;
  const void *data = frame->data[m->real];
  if (!data)
    return false;
  size_t bytes = plan->slots[m->real].bytes;
  r->results[number] = xc_alloc(bytes + 1);
  memcpy(r->results[number], data, bytes);
  return true;
}

static void store_fixed(const run *r, size_t number) {
  const xc_trial_member *m = &r->t->members[number];
  xc_tensor reals = {r->t->exact->slots[m->real].shape, r->results[number]};
  xc_tensor fixed = {r->t->found->slots[m->fixed].shape,
                     r->found.data[m->fixed]};
  if (!fixed.data)
    return;
  int64_t count = xc_tensor_count(&fixed);
  XcFixType type = {XC_QUANTIZE_BITS, true};
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(&fixed, i,
                (double)xcFloatToFix(xc_get_real(&reals, i), m->value->point,
                                     type, XcRoundModeDpu));
}

/// Who reads a member in floating point reads what was computed.
static void store_real(const run *r, const xc_step *step) {
  const xc_op_info *info = xc_op_info_of(step->operation);
  if (!info || info->kind != XC_TIR_FIX2FLOAT)
    return;
  for (size_t i = 0; i < r->t->num_kept; ++i) {
    const xc_trial_member *m = &r->t->members[i];
    const xc_slot *to = &r->t->found->slots[step->results[0]];
    if (r->results[i] && step->operands[0] == m->fixed &&
        to->bytes == r->t->exact->slots[m->real].bytes &&
        r->found.data[step->results[0]])
      memcpy(r->found.data[step->results[0]], r->results[i], to->bytes);
  }
}

static bool run_step(run *r, size_t number) {
  const xc_trial *t = r->t;
  const xc_step *step = &t->found->steps[number];
  if (!xc_frame_step(&r->found, number))
    return false;
  if (step->num_results != 1)
    return true;
  store_real(r, step);
  for (size_t i = 0; i < t->num_members; ++i) {
    if (t->members[i].fixed != step->results[0])
      continue;
    if (!compute_member(r, i))
      return false;
    store_fixed(r, i);
  }
  take_sources(r, &r->exact, &t->kept, step->results[0]);
  take_sources(r, &r->following, &t->following, step->results[0]);
  return true;
}

/// Adds what the results lose beside the exact ones.
static void add_results(const run *r, void *const *exact,
                        xc_quantize_result *rows) {
  size_t count = r->t->found->num_results;
  void **found = xc_alloc_array(count + 1, sizeof(*found));
  for (size_t i = 0; i < count; ++i)
    found[i] = r->found.data[r->t->found->results[i]];
  xc_quantize_compare(rows, count, exact, found);
  free(found);
}

bool xc_trial_run(const xc_trial *t, void *const *exact,
                  xc_quantize_result *rows) {
  const xc_quantizer *q = t->r->q;
  run r = {.t = t,
           .found = xc_frame_open(t->r->found, q->sample),
           .exact = xc_frame_open(t->r->exact, q->sample),
           .following = xc_frame_open(t->r->exact, q->sample)};
  r.results = xc_alloc_array(t->num_members + 1, sizeof(*r.results));
  bool ok = true;
  for (size_t i = 0; ok && i < t->found->num_steps; ++i)
    ok = run_step(&r, i);
  if (ok)
    add_results(&r, exact, rows);
  xc_frame_close(&r.found);
  xc_frame_close(&r.exact);
  xc_frame_close(&r.following);
  for (size_t i = 0; i < t->num_members; ++i)
    free(r.results[i]);
  free(r.results);
  return ok;
}

//===----------------------------------------------------------------------===//
// The price
//===----------------------------------------------------------------------===//

/// Whether what is no member goes on with it in fixed point, or at all.
static void find_readers(const xc_trial *t, const xc_trial_member *m,
                         bool *is_read, bool *is_read_fixed) {
  for (MlirOpOperand use = mlirValueGetFirstUse(m->value->fixed);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    bool inside = false;
    for (size_t i = 0; i < t->num_kept; ++i)
      inside |= mlirOperationEqual(
          mlirOpResultGetOwner(t->members[i].value->fixed), reader);
    const xc_op_info *info = xc_op_info_of(reader);
    *is_read |= !inside;
    *is_read_fixed |= !inside && info && info->kind != XC_TIR_FIX2FLOAT;
  }
}

void xc_trial_price(const xc_trial *t, xc_quantize_offer *offer) {
  bool has_source = false, is_read_fixed = false;
  offer->macs = offer->elements = 0;
  for (size_t i = 0; i < t->exact->num_steps; ++i) {
    xc_adaptor op;
    if (t->kept.owners[i] > 0 &&
        xc_adaptor_of(t->exact->steps[i].operation, &op))
      offer->macs += xc_count_macs(&op);
  }
  for (size_t i = 0; i < t->kept.num_sources; ++i) {
    const xc_trial_source *source = &t->kept.sources[i];
    if (!source->is_fixed)
      continue;
    offer->elements +=
        xc_shape_num_elements(&t->exact->slots[source->real].shape);
    has_source = true;
  }
  for (size_t i = 0; i < t->num_kept; ++i) {
    bool is_read = false;
    find_readers(t, &t->members[i], &is_read, &is_read_fixed);
    if (is_read)
      offer->elements +=
          xc_shape_num_elements(&t->exact->slots[t->members[i].real].shape);
  }
  offer->divides = has_source && is_read_fixed;
}
