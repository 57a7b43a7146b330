//===- Tabulate.c - tir-tabulate ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two subgraphs of a DPU the CPU mostly computes what no DPU has, as
// SiLU: from fixed point to real numbers, some operators on single elements,
// and back. Whatever they are, the result is a function of one byte, or of one
// byte and the channel where constants differ between channels, and a table of
// its 256 values takes one load for each element.
//
// Functions are taken from their ends backwards, as far as they go; operators
// that nothing else reads are dead then.
//
//===----------------------------------------------------------------------===//

#include "Tabulate.h"

#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "OpParams/Quant.h"
#include "Pass/Pass.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operators that can be tabulated
//===----------------------------------------------------------------------===//

// Whether an operator computes or converts each element by itself.
static bool is_elementwise(xc_op_kind kind) {
  xc_kernel kernel = xc_interpret_find(kind);
  return xc_interpret_is_elementwise(kind) || kernel == xc_interpret_fix ||
         kernel == xc_interpret_fix2float || kernel == xc_interpret_float2fix ||
         kernel == xc_interpret_quantize_linear ||
         kernel == xc_interpret_dequantize_linear;
}

// Arithmetic of integers is left alone: it may divide by zero, and that of
// bytes is faster in vectors.
static bool is_step(MlirOperation operation, xc_arena *arena, xc_adaptor *op) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_shape result;
  if (!info || info->dialect != XC_DIALECT_TIR || !is_elementwise(info->kind) ||
      !xc_adaptor_of(operation, op) ||
      !xc_shape_of_type(mlirValueGetType(xc_op_result(operation)), &result))
    return false;
  switch (info->kind) {
  case XC_TIR_QUANTIZE_LINEAR:
  case XC_TIR_DEQUANTIZE_LINEAR:
    return xc_qlinear_of(op, arena).count == 1;
  case XC_TIR_FLOAT2FIX:
    return true;
  default:
    return xc_element_is_float(result.element);
  }
}

//===----------------------------------------------------------------------===//
// Finding functions
//===----------------------------------------------------------------------===//

typedef struct search {
  xc_byte_function function;
  xc_shape shape;      // of its value; that of all others, but for the element
  bool takes_channels; // constants that differ between channels
  size_t depth;
  xc_arena *arena;
} search;

static bool has_shape(const search *s, const xc_shape *shape) {
  return shape->rank == s->shape.rank &&
         memcmp(shape->dims, s->shape.dims,
                shape->rank * sizeof(*shape->dims)) == 0;
}

static bool is_computed(const xc_byte_function *f, MlirOperation operation) {
  for (size_t i = 0; i < f->num_steps; ++i)
    if (mlirOperationEqual(f->steps[i], operation))
      return true;
  return false;
}

// One number, or one for each channel.
static bool take_constant(search *s, const xc_shape *shape) {
  for (size_t i = 0; i + 1 < shape->rank; ++i)
    if (shape->dims[i] != 1)
      return false;
  bool is_one = xc_shape_num_elements(shape) == 1;
  if (!is_one && (!s->takes_channels || s->shape.rank < 2))
    return false;
  s->function.is_per_channel |= !is_one;
  return true;
}

static bool take_input(search *s, MlirValue value, const xc_shape *shape) {
  if (mlirValueIsNull(s->function.input) &&
      (shape->element == XC_ELEMENT_I8 || shape->element == XC_ELEMENT_UI8))
    s->function.input = value;
  return mlirValueEqual(value, s->function.input);
}

static bool take(search *s, MlirValue value);

// Takes an operator after all that it reads.
static bool take_step(search *s, const xc_adaptor *op) {
  xc_byte_function *f = &s->function;
  if (is_computed(f, op->operation))
    return true;
  if (++s->depth > XC_TABLE_MOST_STEPS)
    return false;
  for (size_t slot = 0; slot < op->info->num_operands; ++slot)
    if (xc_has_operand(op, slot) && !take(s, xc_operand(op, slot)))
      return false;
  --s->depth;
  if (f->num_steps == XC_TABLE_MOST_STEPS)
    return false;
  f->steps[f->num_steps++] = op->operation;
  return true;
}

// Takes a value and all that it is computed from.
static bool take(search *s, MlirValue value) {
  xc_shape shape;
  if (!xc_shape_of_type(mlirValueGetType(value), &shape))
    return false;
  if (!mlirOperationIsNull(xc_constant_of(value)))
    return take_constant(s, &shape);
  if (!has_shape(s, &shape))
    return false;
  xc_adaptor op;
  return mlirValueIsAOpResult(value) &&
                 is_step(mlirOpResultGetOwner(value), s->arena, &op)
             ? take_step(s, &op)
             : take_input(s, value, &shape);
}

// A lookup takes as long as two passes of vectors over the tensor. A table that
// is larger than its tensor is not worth its memory.
static bool is_worth_it(const search *s, int64_t channels) {
  enum { FEWEST_STEPS = 2 };
  int64_t rows = s->function.is_per_channel ? channels : 1;
  return s->function.num_steps >= FEWEST_STEPS &&
         rows * XC_TABLE_ENTRIES <= xc_shape_num_elements(&s->shape);
}

//===----------------------------------------------------------------------===//
// Replacing operators
//===----------------------------------------------------------------------===//

// Returns false when there is no function, or it stays as it is.
static bool replace(MlirOperation operation, bool takes_channels,
                    xc_arena *arena) {
  MlirValue value = xc_op_result(operation);
  search s = {.takes_channels = takes_channels, .arena = arena};
  xc_adaptor op;
  if (!is_step(operation, arena, &op) ||
      !xc_shape_of_type(mlirValueGetType(value), &s.shape) ||
      s.shape.rank == 0 || !take_step(&s, &op) ||
      mlirValueIsNull(s.function.input))
    return false;
  int64_t channels = s.shape.dims[s.shape.rank - 1];
  if (!is_worth_it(&s, channels))
    return false;
  void *entries = xc_evaluate_bytes(&s.function, channels, arena);
  if (!entries)
    return false;
  xc_shape shape = {
      .element = s.shape.element, .rank = 1, .dims = {XC_TABLE_ENTRIES}};
  if (s.function.is_per_channel) {
    shape.rank = 2;
    shape.dims[0] = channels;
    shape.dims[1] = XC_TABLE_ENTRIES;
  }
  xc_builder builder = xc_builder_before(operation);
  const MlirValue operands[] = {
      s.function.input, xc_build_const_bytes(&builder, entries, &shape)};
  const xc_attribute name =
      xc_given("op_name", xc_op_attribute(operation, "op_name"));
  MlirValue result = xc_build(&builder, XC_TIR_TABLE, operands, 2, &name,
                              !mlirAttributeIsNull(name.given), shape.element);
  mlirValueReplaceAllUsesOfWith(value, result);
  mlirOperationDestroy(operation);
  return true;
}

static bool is_dead(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->dialect == XC_DIALECT_TIR && info->has_result &&
         xc_op_may_erase(info) &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(xc_op_result(operation)));
}

// Users stand behind what they use, so that the last operator of a function is
// met first.
static void tabulate_block(MlirBlock block, xc_pass_run *run) {
  xc_op_list list = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    xc_op_list_add(&list, op);
  for (size_t i = list.count; i-- > 0;) {
    xc_arena arena = {0};
    if (is_dead(list.items[i]))
      mlirOperationDestroy(list.items[i]);
    else if (replace(list.items[i], xc_pass_bool(run, "channels"), &arena))
      xc_pass_count(run, "num-tables", 1);
    xc_arena_free(&arena);
  }
  free(list.items);
}

static bool run(xc_pass_run *run) {
  MlirRegion body = mlirOperationGetRegion(run->root, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    tabulate_block(block, run);
  return true;
}

static const xc_pass_option options[] = {
    {"channels", XC_PASS_OPTION_BOOL, "true",
     "Also functions whose constants differ between channels"},
};

static const xc_pass_statistic statistics[] = {
    {"num-tables", "Functions of one byte that became tables"},
};

const xc_pass_info xc_pass_tir_tabulate = {
    .argument = "tir-tabulate",
    .name = "TirTabulate",
    .summary = "Turn functions of one 8-bit integer into lookup tables",
    .description =
        "Operators on single elements that compute a tensor from one tensor of "
        "8-bit integers and constants - `fix2float`, SiLU and `float2fix`, for "
        "instance - become one `tir.table`, whose entries the kernels of the "
        "reference interpreter compute: the bits stay those of the "
        "interpreter. Where constants differ between channels, each channel "
        "has a row of its own. Taken are functions of two operators and more "
        "whose table is no larger than the tensor. Code for CPUs is made after "
        "this pass, C without tables "
        "of channels, which would fill the memory of a small processor.",
    .anchor = "func.func",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
