//===- Plan.c - prepares functions for interpretation ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "Support/Limits.h"
#include "Support/PointerMap.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// From values to slots
//===----------------------------------------------------------------------===//

// Slots are kept as pointers, counted from 1: null is "not there".
static void map_set(xc_pointer_map *map, MlirValue value, int64_t slot) {
  xc_pointer_map_set(map, value.ptr, (void *)(uintptr_t)(slot + 1));
}

static int64_t map_get(const xc_pointer_map *map, MlirValue value) {
  return (int64_t)(uintptr_t)xc_pointer_map_get(map, value.ptr) - 1;
}

//===----------------------------------------------------------------------===//
// Slots and steps
//===----------------------------------------------------------------------===//

typedef struct planner {
  xc_plans *plans;
  xc_plan *plan;
  xc_pointer_map map;
} planner;

static bool is_dense(MlirType type, const xc_shape *shape) {
  if (!shape->memref)
    return true;
  int64_t strides[XC_MAX_RANK], own[XC_MAX_RANK], offset;
  if (mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) ||
      offset != 0)
    return false;
  xc_shape_strides(shape, own);
  for (size_t i = 0; i < shape->rank; ++i)
    if (shape->dims[i] != 1 && strides[i] != own[i])
      return false;
  return true;
}

// Gives a value its slot; false after a diagnostic.
static bool add_slot(planner *p, MlirOperation operation, MlirValue value,
                     int64_t *number) {
  xc_slot slot = {.value = value, .next_dead = XC_NO_SLOT};
  MlirType type = mlirValueGetType(value);
  if (!xc_shape_of_type(type, &slot.shape) ||
      slot.shape.element == XC_ELEMENT_NONE)
    return xc_op_error(operation, "has a value that is not a static tensor or "
                                  "memref of known elements");
  if (!is_dense(type, &slot.shape))
    return xc_op_error(operation, "has a memref that is not contiguous, which "
                                  "the reference interpreter does not know");
  slot.bytes = (size_t)xc_shape_num_elements(&slot.shape) *
               xc_element_size(slot.shape.element);
  slot.last_use = (int64_t)p->plan->num_steps;
  void *slots = p->plan->slots;
  xc_grow(&slots, &p->plan->slot_capacity, p->plan->num_slots + 1,
          sizeof(slot));
  p->plan->slots = slots;
  *number = (int64_t)p->plan->num_slots++;
  p->plan->slots[*number] = slot;
  map_set(&p->map, value, *number);
  return true;
}

static bool use_value(planner *p, MlirOperation operation, MlirValue value,
                      int64_t *number) {
  *number = map_get(&p->map, value);
  if (*number == XC_NO_SLOT)
    return xc_op_error(operation, "uses a value from outside the function");
  p->plan->slots[*number].last_use = (int64_t)p->plan->num_steps;
  return true;
}

// Starts a step with the operation's operands in order.
static bool begin_step(planner *p, MlirOperation operation, xc_step_kind kind,
                       xc_step *step) {
  *step =
      (xc_step){.kind = kind,
                .operation = operation,
                .first_dead = XC_NO_SLOT,
                .num_operands = (size_t)mlirOperationGetNumOperands(operation)};
  step->operands = xc_arena_alloc(&p->plan->arena, step->num_operands + 1,
                                  sizeof(*step->operands));
  for (size_t i = 0; i < step->num_operands; ++i)
    if (!use_value(p, operation,
                   mlirOperationGetOperand(operation, (intptr_t)i),
                   &step->operands[i]))
      return false;
  return true;
}

static bool end_step(planner *p, xc_step *step) {
  xc_plan *plan = p->plan;
  step->num_results = (size_t)mlirOperationGetNumResults(step->operation);
  step->results = xc_arena_alloc(&plan->arena, step->num_results + 1,
                                 sizeof(*step->results));
  for (size_t i = 0; i < step->num_results; ++i)
    if (!add_slot(p, step->operation,
                  mlirOperationGetResult(step->operation, (intptr_t)i),
                  &step->results[i]))
      return false;
  void *steps = plan->steps;
  xc_grow(&steps, &plan->step_capacity, plan->num_steps + 1, sizeof(*step));
  plan->steps = steps;
  plan->steps[plan->num_steps++] = *step;
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool too_large(MlirOperation operation, const char *how,
                      uint64_t bytes) {
  return xc_op_error(operation,
                     "needs %" PRIu64 " bytes of memory %s, more than the "
                     "limit of %" PRIu64 " (--max-memory)",
                     bytes, how, xcGetMaxMemory());
}

static bool add_constant(planner *p, MlirOperation operation) {
  int64_t slot;
  size_t size = 0;
  if (!add_slot(p, operation, mlirOperationGetResult(operation, 0), &slot))
    return false;
  p->plans->constant_bytes += p->plan->slots[slot].bytes;
  if (!xc_fits_memory(p->plans->constant_bytes))
    return too_large(operation, "with the constants before it",
                     p->plans->constant_bytes);
  void *copy;
  const void *bytes = xc_const_contents(operation, &size, &copy);
  if (!bytes) {
    // A file that cannot be read has been reported.
    MlirAttribute path = mlirOperationGetAttributeByName(
        operation, mlirStringRefCreateFromCString("path"));
    return mlirAttributeIsNull(path) &&
           xc_op_error(operation, "has no content: its 'value' was left out "
                                  "when it was printed");
  }
  assert(size == p->plan->slots[slot].bytes && "constants fill their type");
  p->plan->slots[slot].constant = bytes;
  p->plan->slots[slot].copy = copy;
  return true;
}

static bool add_kernel(planner *p, MlirOperation operation,
                       const xc_op_info *info) {
  xc_step step;
  xc_adaptor adaptor;
  if (!xc_adaptor_of(operation, &adaptor))
    return xc_op_error(operation, "has operands that do not fit; it was not "
                                  "verified");
  if (!begin_step(p, operation, XC_STEP_KERNEL, &step))
    return false;
  step.kernel = xc_interpret_find(info->kind);
  if (!step.kernel)
    return xc_op_error(operation, "has no kernel in the reference interpreter");
  int64_t *by_slot =
      xc_arena_alloc(&p->plan->arena, info->num_operands + 1, sizeof(*by_slot));
  for (size_t slot = 0; slot < info->num_operands; ++slot)
    by_slot[slot] = adaptor.positions[slot] < 0
                        ? XC_NO_SLOT
                        : step.operands[adaptor.positions[slot]];
  step.operands = by_slot;
  step.num_operands = info->num_operands;
  return end_step(p, &step);
}

static MlirOperation find_callee(planner *p, MlirOperation call) {
  MlirAttribute callee = mlirOperationGetAttributeByName(
      call, mlirStringRefCreateFromCString("callee"));
  MlirOperation module = mlirOperationGetParentOperation(p->plan->function);
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee) ||
      mlirOperationIsNull(module))
    return (MlirOperation){NULL};
  MlirSymbolTable table = mlirSymbolTableCreate(module);
  if (mlirSymbolTableIsNull(table))
    return (MlirOperation){NULL};
  MlirOperation found =
      mlirSymbolTableLookup(table, mlirFlatSymbolRefAttrGetValue(callee));
  mlirSymbolTableDestroy(table);
  return found;
}

static const xc_plan *get_plan(xc_plans *plans, MlirOperation function,
                               MlirOperation caller, size_t depth);

static bool add_call(planner *p, MlirOperation operation) {
  xc_step step;
  if (!begin_step(p, operation, XC_STEP_CALL, &step))
    return false;
  MlirOperation callee = find_callee(p, operation);
  if (mlirOperationIsNull(callee))
    return xc_op_error(operation, "calls a function that is not there");
  step.callee = get_plan(p->plans, callee, operation, p->plan->depth + 1);
  if (!step.callee)
    return false;
  if (p->plan->height <= step.callee->height)
    p->plan->height = step.callee->height + 1;
  return end_step(p, &step);
}

static bool add_simple(planner *p, MlirOperation operation, xc_step_kind kind) {
  xc_step step;
  return begin_step(p, operation, kind, &step) && end_step(p, &step);
}

static bool add_return(planner *p, MlirOperation operation) {
  xc_step step;
  if (!begin_step(p, operation, XC_STEP_COPY, &step))
    return false;
  p->plan->results = step.operands;
  p->plan->num_results = step.num_operands;
  return true;
}

static bool add_ours(planner *p, MlirOperation operation,
                     const xc_op_info *info) {
  xc_op_kind kind = info->kind;
  if (kind == XC_TIR_CONST || kind == XC_MEMTX_CONST)
    return add_constant(p, operation);
  if (kind == XC_TIR_UPLOAD || kind == XC_TIR_DOWNLOAD || kind == XC_MEMTX_COPY)
    return add_simple(p, operation, XC_STEP_COPY);
  return add_kernel(p, operation, info);
}

static bool add_operation(planner *p, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (info)
    return add_ours(p, operation, info);
  static const struct {
    const char *name;
    bool (*add)(planner *p, MlirOperation operation);
  } rows[] = {{"func.call", add_call}, {"func.return", add_return}};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(rows[i].name)))
      return rows[i].add(p, operation);
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("memref.alloc")))
    return add_simple(p, operation, XC_STEP_ALLOC);
  if (mlirStringRefEqual(name,
                         mlirStringRefCreateFromCString("memref.dealloc")))
    return true;
  return xc_op_error(operation, "has no meaning in the reference interpreter");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirBlock single_block(MlirOperation function) {
  MlirRegion region = mlirOperationGetNumRegions(function) == 1
                          ? mlirOperationGetRegion(function, 0)
                          : (MlirRegion){NULL};
  MlirBlock block = mlirRegionIsNull(region) ? (MlirBlock){NULL}
                                             : mlirRegionGetFirstBlock(region);
  if (!mlirBlockIsNull(block) &&
      mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return block;
  xc_op_error(function, "is not a function of one block, which the reference "
                        "interpreter needs");
  return (MlirBlock){NULL};
}

static bool add_arguments(planner *p, MlirBlock block) {
  xc_plan *plan = p->plan;
  plan->num_arguments = (size_t)mlirBlockGetNumArguments(block);
  for (size_t i = 0; i < plan->num_arguments; ++i) {
    int64_t slot;
    if (!add_slot(p, plan->function, mlirBlockGetArgument(block, (intptr_t)i),
                  &slot))
      return false;
  }
  return true;
}

// Results outlive all steps; every other slot dies at its last use.
static void link_dead_slots(xc_plan *plan) {
  for (size_t i = 0; i < plan->num_results; ++i)
    plan->slots[plan->results[i]].last_use = (int64_t)plan->num_steps;
  for (size_t i = plan->num_arguments; i < plan->num_slots; ++i) {
    xc_slot *slot = &plan->slots[i];
    if (slot->constant || slot->last_use >= (int64_t)plan->num_steps)
      continue;
    xc_step *step = &plan->steps[slot->last_use];
    slot->next_dead = step->first_dead;
    step->first_dead = (int64_t)i;
  }
}

// Plays the steps through: values come with them and go at their last use.
static bool check_memory(const xc_plans *plans, xc_plan *plan) {
  uint64_t live = 0;
  for (size_t i = 0; i < plan->num_steps; ++i) {
    const xc_step *step = &plan->steps[i];
    for (size_t r = 0; r < step->num_results; ++r)
      live += plan->slots[step->results[r]].bytes;
    uint64_t now = live + (step->callee ? step->callee->peak_bytes : 0);
    if (!xc_fits_memory(now + plans->constant_bytes))
      return too_large(step->operation, "with the values that are alive then",
                       now + plans->constant_bytes);
    if (now > plan->peak_bytes)
      plan->peak_bytes = now;
    for (int64_t dead = step->first_dead; dead != XC_NO_SLOT;
         dead = plan->slots[dead].next_dead)
      live -= plan->slots[dead].bytes;
  }
  return true;
}

static bool make_plan(xc_plans *plans, xc_plan *plan) {
  planner p = {.plans = plans, .plan = plan};
  MlirBlock block = single_block(plan->function);
  bool ok = !mlirBlockIsNull(block) && add_arguments(&p, block);
  for (MlirOperation op = ok ? mlirBlockGetFirstOperation(block)
                             : (MlirOperation){NULL};
       ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ok = add_operation(&p, op);
  xc_pointer_map_free(&p.map);
  if (!ok)
    return false;
  link_dead_slots(plan);
  return check_memory(plans, plan);
}

static const xc_plan *get_plan(xc_plans *plans, MlirOperation function,
                               MlirOperation caller, size_t depth) {
  for (size_t i = 0; i < plans->count; ++i) {
    xc_plan *plan = plans->items[i];
    if (!mlirOperationEqual(plan->function, function))
      continue;
    if (!plan->complete)
      xc_op_error(caller, "calls its own function again");
    bool ok =
        plan->complete && xc_check_call_depth(caller, depth + plan->height);
    return ok ? plan : NULL;
  }
  if (!xc_check_call_depth(caller, depth))
    return NULL;
  void *items = plans->items;
  xc_grow(&items, &plans->capacity, plans->count + 1, sizeof(*plans->items));
  plans->items = items;
  xc_plan *plan = xc_alloc(sizeof(*plan));
  plans->items[plans->count++] = plan;
  plan->function = function;
  plan->depth = depth;
  plan->complete = make_plan(plans, plan);
  return plan->complete ? plan : NULL;
}

void xc_slot_copy_constant(xc_slot *slot) {
  if (slot->copy)
    return;
  slot->copy = xc_alloc_uninitialized(slot->bytes + 1, 1);
  memcpy(slot->copy, slot->constant, slot->bytes);
  slot->constant = slot->copy;
}

const xc_plan *xc_plans_get(xc_plans *plans, MlirOperation function) {
  return get_plan(plans, function, function, 0);
}

void xc_plans_free(xc_plans *plans) {
  for (size_t i = 0; i < plans->count; ++i) {
    xc_plan *plan = plans->items[i];
    for (size_t s = 0; s < plan->num_slots; ++s)
      free(plan->slots[s].copy);
    free(plan->slots);
    free(plan->steps);
    xc_arena_free(&plan->arena);
    free(plan);
  }
  free(plans->items);
  *plans = (xc_plans){0};
}
