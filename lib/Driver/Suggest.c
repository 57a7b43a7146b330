//===- Suggest.c - estimates the gain of --approximate --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function on the CPU between two parts of the DPU costs two borders. Nothing
// is approximated to estimate the gain: operators between a fix2float and a
// float2fix count as on the DPU if they are such functions, arithmetic or
// layers of a gate, and subgraphs are counted anew.
//
//===----------------------------------------------------------------------===//

#include "Approximations.h"

#include "IR/IR.h"
#include "OpParams/Gates.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "dialects/Adaptor.h"

#include <stdlib.h>
#include <string.h>

/// The operators around a function, from fix2float to float2fix.
typedef struct region {
  MlirOperation *items;
  size_t count, capacity;
  size_t num_inputs;
  bool has_softplus;
  xc_pointer_map seen;
} region;

typedef struct suggestion {
  xc_pointer_map moved;   // operators that would be on the DPU
  xc_pointer_map refused; // those that are connected to something else
  const char *given;      // functions that the option names, or null
  bool gates[XC_NUM_GATES];
} suggestion;

static xc_op_kind kind_of(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->dialect == XC_DIALECT_TIR ? info->kind : XC_NUM_OP_KINDS;
}

static bool is_function(xc_op_kind kind) { return xc_gates_of(kind) != 0; }

static bool is_constant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         kind_of(mlirOpResultGetOwner(value)) == XC_TIR_CONST;
}

static bool is_arithmetic(xc_op_kind kind) {
  return kind == XC_TIR_ADD || kind == XC_TIR_SUB || kind == XC_TIR_MUL ||
         kind == XC_TIR_DIV || kind == XC_TIR_SCALE || kind == XC_TIR_CLIP;
}

// Whether an operator stands between the functions of a branch of squeeze and
// excitation. It is in floating point as long as these are.
static bool is_layer(xc_op_kind kind) {
  return kind == XC_TIR_AVGPOOL2D || kind == XC_TIR_CONV2D ||
         kind == XC_TIR_RELU || kind == XC_TIR_RELU6 || kind == XC_TIR_RESHAPE;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void push(region *r, MlirOperation operation) {
  if (xc_pointer_map_has(&r->seen, operation.ptr))
    return;
  xc_pointer_map_set(&r->seen, operation.ptr, operation.ptr);
  void *items = r->items;
  xc_grow(&items, &r->capacity, r->count + 1, sizeof(*r->items));
  r->items = items;
  r->items[r->count++] = operation;
}

// Returns false for a result that leaves the function, or arguments in floating
// point.
static bool push_neighbours(region *r, MlirOperation operation,
                            xc_op_kind kind) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; kind != XC_TIR_FIX2FLOAT && i < operands; ++i) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    if (!mlirValueIsAOpResult(value))
      return false;
    if (!is_constant(value))
      push(r, mlirOpResultGetOwner(value));
  }
  for (MlirOpOperand use = mlirValueGetFirstUse(xc_op_result(operation));
       kind != XC_TIR_FLOAT2FIX && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    push(r, mlirOpOperandGetOwner(use));
  return true;
}

// Whether the operator may be approximated, with what it is connected to.
static bool read_region(region *r, MlirOperation function) {
  push(r, function);
  for (size_t i = 0; i < r->count; ++i) {
    xc_op_kind kind = kind_of(r->items[i]);
    bool is_border = kind == XC_TIR_FIX2FLOAT || kind == XC_TIR_FLOAT2FIX;
    if ((!is_border && !is_function(kind) && !is_arithmetic(kind) &&
         !is_layer(kind)) ||
        !push_neighbours(r, r->items[i], kind))
      return false;
    r->num_inputs += kind == XC_TIR_FIX2FLOAT;
    r->has_softplus |= kind == XC_TIR_SOFTPLUS;
  }
  return r->num_inputs == 1;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Whether all who read `gate` multiply it with `input`.
static bool multiplies(MlirValue gate, MlirValue input) {
  MlirOpOperand use = mlirValueGetFirstUse(gate);
  bool all = !mlirOpOperandIsNull(use);
  for (; all && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    bool found = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(reader); ++i)
      found |= mlirValueEqual(mlirOperationGetOperand(reader, i), input);
    xc_op_kind kind = kind_of(reader);
    all = found && (kind == XC_TIR_MUL || kind == XC_TIR_ELTWISE_FIX);
  }
  return all;
}

// Whether a sigmoid is multiplied with what it reads: in floating point, or in
// fixed point before and after it.
static bool is_silu(MlirOperation sigmoid) {
  MlirValue gate = xc_op_result(sigmoid);
  MlirValue input = mlirOperationGetOperand(sigmoid, 0);
  if (multiplies(gate, input))
    return true;
  MlirOpOperand use = mlirValueGetFirstUse(gate);
  if (mlirOpOperandIsNull(use))
    return false;
  MlirOperation reader = mlirOpOperandGetOwner(use);
  MlirOperation writer = mlirOpResultGetOwner(input);
  return kind_of(reader) == XC_TIR_FLOAT2FIX &&
         kind_of(writer) == XC_TIR_FIX2FLOAT &&
         multiplies(xc_op_result(reader), mlirOperationGetOperand(writer, 0));
}

static xc_gate gate_of(const region *r, MlirOperation function) {
  xc_op_kind kind = kind_of(function);
  if (kind == XC_TIR_ERF)
    return XC_GATE_GELU;
  if (kind == XC_TIR_TANH)
    return r->has_softplus ? XC_GATE_MISH : XC_GATE_TANH;
  if (kind == XC_TIR_SIGMOID)
    return is_silu(function) ? XC_GATE_SILU : XC_GATE_SIGMOID;
  return XC_NUM_GATES;
}

static bool is_given(const suggestion *s, xc_gate gate) {
  const char *name = xc_gate_name(gate);
  return s->given && xc_list_has(s->given, name, strlen(name));
}

// Notes the functions of a region, unless one of them is given.
static bool note_gates(suggestion *s, const region *r) {
  bool found[XC_NUM_GATES + 1] = {false};
  for (size_t i = 0; i < r->count; ++i)
    found[gate_of(r, r->items[i])] = true;
  for (size_t i = 0; i < XC_NUM_GATES; ++i)
    if (found[i] && is_given(s, (xc_gate)i))
      return false;
  for (size_t i = 0; i < XC_NUM_GATES; ++i)
    s->gates[i] |= found[i];
  return true;
}

static MlirWalkResult look_at(MlirOperation operation, void *user_data) {
  suggestion *s = user_data;
  if (!is_function(kind_of(operation)) ||
      xc_pointer_map_has(&s->moved, operation.ptr) ||
      xc_pointer_map_has(&s->refused, operation.ptr))
    return MlirWalkResultAdvance;
  region r = {0};
  bool fits = read_region(&r, operation) && note_gates(s, &r);
  for (size_t i = 0; i < r.count; ++i)
    xc_pointer_map_set(fits ? &s->moved : &s->refused, r.items[i].ptr,
                       r.items[i].ptr);
  free(r.items);
  xc_pointer_map_free(&r.seen);
  return MlirWalkResultAdvance;
}

static bool is_moved(MlirOperation operation, const void *user_data) {
  return xc_pointer_map_has(user_data, operation.ptr);
}

static void print_suggestion(const suggestion *s, size_t now, size_t then,
                             xc_text *log) {
  xc_text names = {0};
  for (size_t i = 0; i < XC_NUM_GATES; ++i)
    if (s->gates[i])
      xc_text_printf(&names, "%s%s", names.length ? "," : "",
                     xc_gate_name((xc_gate)i));
  xc_text_printf(log,
                 "%s on the CPU between %zu subgraphs of the DPU: "
                 "with --approximate=%s%s%s there may be %zu\n",
                 xc_text_str(&names), now, s->given ? s->given : "",
                 s->given ? "," : "", xc_text_str(&names), then);
  xc_text_free(&names);
}

void xc_driver_suggest_approximations(xc_compilation *c,
                                      XcPlacement placement) {
  suggestion s = {.given = c->options->approximate};
  mlirOperationWalk(mlirModuleGetOperation(c->module), look_at, &s,
                    MlirWalkPreOrder);
  size_t now = xcPlacementGetSummary(placement).numSubgraphs[XcDeviceDPU];
  size_t then = xcPlacementCountSubgraphsWith(placement, is_moved, &s.moved);
  if (then < now)
    print_suggestion(&s, now, then, &c->log);
  xc_pointer_map_free(&s.moved);
  xc_pointer_map_free(&s.refused);
}
