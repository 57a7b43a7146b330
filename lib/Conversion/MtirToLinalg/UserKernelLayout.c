//===- UserKernelLayout.c - buffers between kernels of one layout ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that elementwise operators connect have one layout. Such a component
// is NCHW when some kernel asks for it and nothing else sees the order of its
// elements.
//
//===----------------------------------------------------------------------===//

#include "UserKernelPlan.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct component {
  struct component *parent; // of a root itself
  bool is_wanted, is_fixed; // of a root
} component;

typedef struct layouts {
  xc_kernel_plan *plan;
  xc_pointer_map of; // buffer -> its component
  xc_arena arena;
} layouts;

static component *root_of(component *c) {
  while (c->parent != c) {
    c->parent = c->parent->parent;
    c = c->parent;
  }
  return c;
}

// Elementwise operators: what they compute does not depend on where an element
// is, as long as their operands have one shape.
static bool is_elementwise(const xc_op_info *info) {
  static const xc_op_kind kinds[] = {XC_TIR_RELU,
                                     XC_TIR_RELU6,
                                     XC_TIR_LEAKY_RELU,
                                     XC_TIR_SIGMOID,
                                     XC_TIR_TANH,
                                     XC_TIR_ELTWISE_FIX,
                                     XC_TIR_RELU_FIX,
                                     XC_TIR_LEAKY_RELU_FIX,
                                     XC_TIR_RELU6_FIX,
                                     XC_TIR_ADD,
                                     XC_TIR_SUB,
                                     XC_TIR_MUL,
                                     XC_TIR_QLINEAR_ELTWISE};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i)
    if (info->kind == kinds[i])
      return true;
  return false;
}

static bool is_image(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) == 4;
}

static bool same_dims(MlirValue a, MlirValue b) {
  for (intptr_t i = 0; i < 4; ++i)
    if (mlirShapedTypeGetDimSize(mlirValueGetType(a), i) !=
        mlirShapedTypeGetDimSize(mlirValueGetType(b), i))
      return false;
  return true;
}

static bool is_alike(MlirOperation operation) {
  MlirValue first = mlirOperationGetOperand(operation, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    if (!is_image(operand) || !same_dims(first, operand))
      return false;
  }
  return true;
}

static bool is_known(const layouts *l, MlirOperation owner) {
  const xc_op_info *info = xc_op_info_of(owner);
  return xc_op_is(owner, "memref.dealloc") ||
         (info && info->dialect == XC_DIALECT_MTIR &&
          ((is_elementwise(info) && is_alike(owner)) ||
           xc_pointer_map_has(&l->plan->uses, owner.ptr)));
}

// Only an allocation with known users may hold anything else than NHWC.
static bool is_free(const layouts *l, MlirValue buffer) {
  if (!is_image(buffer) || !mlirValueIsAOpResult(buffer) ||
      !xc_op_is(mlirOpResultGetOwner(buffer), "memref.alloc"))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!is_known(l, mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

static component *component_of(layouts *l, MlirValue buffer) {
  component *c = xc_pointer_map_get(&l->of, buffer.ptr);
  if (c)
    return root_of(c);
  c = xc_arena_alloc(&l->arena, 1, sizeof(*c));
  *c = (component){.parent = c, .is_fixed = !is_free(l, buffer)};
  xc_pointer_map_set(&l->of, buffer.ptr, c);
  return c;
}

static void join(layouts *l, MlirValue a, MlirValue b) {
  component *x = component_of(l, a), *y = component_of(l, b);
  if (x == y)
    return;
  y->parent = x;
  x->is_wanted |= y->is_wanted;
  x->is_fixed |= y->is_fixed;
}

static MlirValue output_of(MlirOperation operation) {
  return mlirOperationGetOperand(operation,
                                 mlirOperationGetNumOperands(operation) - 1);
}

static bool wants_first(const xc_kernel_use *use) {
  return use && use->row->channels_first &&
         use->row->operation != XC_KERNEL_DENSE;
}

static void read_operator(layouts *l, MlirOperation operation) {
  const xc_kernel_use *use = xc_pointer_map_get(&l->plan->uses, operation.ptr);
  const MlirValue ends[] = {mlirOperationGetOperand(operation, 0),
                            output_of(operation)};
  if (use) {
    for (int i = 0; i < 2; ++i)
      if (wants_first(use))
        component_of(l, ends[i])->is_wanted = true;
      else
        component_of(l, ends[i])->is_fixed = true;
  } else if (is_elementwise(xc_op_info_of(operation)) && is_alike(operation)) {
    for (intptr_t i = 1; i < mlirOperationGetNumOperands(operation); ++i)
      join(l, ends[0], mlirOperationGetOperand(operation, i));
  }
}

static bool is_first(layouts *l, MlirValue buffer) {
  const component *c = component_of(l, buffer);
  return c->is_wanted && !c->is_fixed;
}

void xc_kernel_plan_layouts(xc_kernel_plan *plan, const xc_op_list *operators) {
  layouts l = {.plan = plan};
  for (size_t i = 0; i < operators->count; ++i)
    if (mlirOperationGetNumOperands(operators->items[i]) > 1)
      read_operator(&l, operators->items[i]);
  for (size_t i = 0; i < operators->count; ++i) {
    xc_kernel_use *use =
        xc_pointer_map_get(&plan->uses, operators->items[i].ptr);
    if (!wants_first(use))
      continue;
    use->input_first =
        is_first(&l, mlirOperationGetOperand(operators->items[i], 0));
    use->output_first = is_first(&l, output_of(operators->items[i]));
  }
  xc_pointer_map_free(&l.of);
  xc_arena_free(&l.arena);
}
