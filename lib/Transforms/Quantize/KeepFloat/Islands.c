//===- Islands.c - arithmetic between functions on the CPU ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums, products and moves take the CPU no longer than the conversions of what
// they read and write. Where operators of this kind that read each other, an
// island, exchange more numbers with functions on the CPU than with layers on
// the DPU, as between the gates of a recurrent cell that is written step by
// step, they stay in floating point: fewer numbers are rounded and cross. So do
// products of one row, as that of a state, which the CPU has computed by the
// time that a DPU starts. Slices that only the CPU reads are none of the DPU's
// work either. Arguments and results are converted in any case and do not
// count, nor do those of a model that was quantised, which are integers.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Macs.h"

/// A set of values that are connected; one of them stands for all, and has the
/// sums.
typedef struct island {
  size_t parent;    // itself, of the one that stands for all
  bool is_part;     // of an island
  int64_t cpu, dpu; // numbers that cross
  /// The island that last counted the value as read by it, plus one.
  size_t counted;
  bool of_arguments; // and of nothing that is computed elsewhere
  size_t argument;   // one of them, plus one
  bool of_several;
  bool is_state; // or becomes one by such operators
} island;

/// Whether a value is an argument, or a part of one.
static bool moves_argument(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation writer = mlirOpResultGetOwner(value);
    const xc_op_info *info = xc_op_info_of(writer);
    if (!info || !xc_quantize_is_move(info->kind))
      return false;
    value = mlirOperationGetOperand(writer, 0);
  }
  return true;
}

/// Which products may be parts of islands.
typedef enum products {
  NO_PRODUCTS,
  REPEATED_PRODUCTS, // of weights that several operators read
  SMALL_PRODUCTS,
} products;

/// Whether the weights are those of a loop that is written step by step.
static bool is_repeated(MlirOperation product) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetOperand(product, 1));
  return !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/// Of one row that is computed, and of no more multiply-accumulates than a core
/// of 1.2 GHz does in the 50 us that a board takes to start a DPU: one in a
/// cycle, not the four of the partition's cost model, as every weight is read
/// for one product only. Products of
/// arguments wait for nothing, and can all be computed in one go.
static bool is_small_product(MlirOperation operation) {
  enum { MOST = 60000 };
  xc_adaptor op;
  xc_shape shape;
  if (!xc_adaptor_of(operation, &op) ||
      !xc_shape_of_type(mlirValueGetType(xc_op_result(operation)), &shape) ||
      shape.rank == 0)
    return false;
  int64_t macs = xc_count_macs(&op);
  return macs > 0 && macs <= MOST &&
         xc_shape_num_elements(&shape) == shape.dims[shape.rank - 1] &&
         !moves_argument(mlirOperationGetOperand(operation, 0));
}

static bool is_light(MlirOperation operation, products with) {
  xc_adaptor op;
  xc_op_kind kind = xc_op_info_of(operation)->kind;
  if (xc_quantize_is_arithmetic(kind))
    return true;
  switch (kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_MATMUL:
  case XC_TIR_INNER_PRODUCT:
    return with != NO_PRODUCTS && is_small_product(operation) &&
           (with == SMALL_PRODUCTS || is_repeated(operation));
  case XC_TIR_RELU:
  case XC_TIR_RELU6:
  case XC_TIR_LEAKY_RELU:
  case XC_TIR_PRELU:
  case XC_TIR_CLIP:
  case XC_TIR_EXPAND:
    return true;
  default:
    return (kind != XC_TIR_CONCAT && xc_quantize_is_move(kind)) ||
           (xc_adaptor_of(operation, &op) && xc_float_is_scale(&op));
  }
}

static MlirOperation writer_of(const xc_quantize_value *value) {
  return mlirValueIsAOpResult(value->original)
             ? mlirOpResultGetOwner(value->original)
             : (MlirOperation){NULL};
}

// Returns the record of the result of an operator; null of others.
static const xc_quantize_value *result_of(const xc_quantizer *q,
                                          MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->has_result
             ? xc_quantize_value_of(q, xc_op_result(operation))
             : NULL;
}

static bool stays_float(const xc_quantizer *q, MlirOperation operation) {
  const xc_quantize_value *result = result_of(q, operation);
  return !result || result->stays_float ||
         (!xc_convert_has_form(xc_op_info_of(operation)->kind) &&
          !xc_nonlinear_of(operation)) ||
         xc_quantize_is_kept(q, operation);
}

// Whether the CPU computes an operator that is no part of an island.
static bool is_on_cpu(const xc_quantizer *q, MlirOperation operation) {
  return stays_float(q, operation) && !xc_quantize_is_gate(q, operation);
}

static size_t root_of(island *islands, size_t i) {
  while (islands[i].parent != i)
    i = islands[i].parent = islands[islands[i].parent].parent;
  return i;
}

static size_t place_of(const xc_quantizer *q, const xc_quantize_value *value) {
  return (size_t)(value - q->values);
}

// Joins an operator with those that it reads.
static void join_operands(const xc_quantizer *q, island *islands, size_t i) {
  MlirOperation writer = writer_of(&q->values[i]);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(writer); ++k) {
    const xc_quantize_value *value =
        xc_quantize_value_of(q, mlirOperationGetOperand(writer, k));
    if (value && islands[place_of(q, value)].is_part)
      islands[root_of(islands, place_of(q, value))].parent =
          root_of(islands, i);
  }
}

static void find_islands(const xc_quantizer *q, products with,
                         island *islands) {
  for (size_t i = 0; i < q->num_values; ++i) {
    MlirOperation writer = writer_of(&q->values[i]);
    const xc_op_info *info = writer.ptr ? xc_op_info_of(writer) : NULL;
    islands[i] = (island){.parent = i};
    islands[i].is_part = info && q->values[i].is_float &&
                         is_light(writer, with) && !stays_float(q, writer);
    if (islands[i].is_part)
      join_operands(q, islands, i);
  }
}

// An argument, or what it stands for where it has integers.
static bool is_argument(const xc_quantize_value *value) {
  MlirOperation writer = writer_of(value);
  return !writer.ptr ||
         (xc_op_is(writer, "tir.dequantize-linear") &&
          !mlirValueIsAOpResult(mlirOperationGetOperand(writer, 0)));
}

// Whether an operator makes the integers of a result.
static bool makes_result(MlirOperation reader) {
  if (!xc_op_is(reader, "tir.quantize-linear"))
    return false;
  MlirOperation user = xc_only_user(xc_op_result(reader));
  return !mlirOperationIsNull(user) && xc_op_is(user, "func.return");
}

static void add_crossing(island *of, bool on_cpu, int64_t numbers) {
  *(on_cpu ? &of->cpu : &of->dpu) += numbers;
}

// Counts the elements that an operator of an island reads from outside of it,
// each value once; of a sliced value only the slice.
static void count_operands(const xc_quantizer *q, island *islands, size_t i) {
  size_t root = root_of(islands, i);
  MlirOperation writer = writer_of(&q->values[i]);
  bool is_slice = xc_op_info_of(writer)->kind == XC_TIR_STRIDED_SLICE;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(writer); ++k) {
    const xc_quantize_value *value =
        xc_quantize_value_of(q, mlirOperationGetOperand(writer, k));
    size_t place = value ? place_of(q, value) : 0;
    if (!value || islands[place].is_part || is_argument(value) ||
        (!is_slice && islands[place].counted == root + 1))
      continue;
    islands[place].counted = root + 1;
    add_crossing(
        &islands[root], is_on_cpu(q, writer_of(value)),
        xc_shape_num_elements(is_slice ? &q->values[i].shape : &value->shape));
  }
}

// Adds the numbers that readers outside of the island take, once for each
// device.
static void count_readers(const xc_quantizer *q, island *islands, size_t i) {
  bool is_read[2] = {false, false}; // by the DPU, by the CPU
  for (MlirOpOperand use = mlirValueGetFirstUse(q->values[i].original);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_quantize_value *result = result_of(q, reader);
    if (result && !islands[place_of(q, result)].is_part &&
        !makes_result(reader))
      is_read[is_on_cpu(q, reader)] = true;
  }
  for (int device = 0; device < 2; ++device)
    if (is_read[device])
      add_crossing(&islands[root_of(islands, i)], device,
                   xc_shape_num_elements(&q->values[i].shape));
}

// Which arguments come in by an operand; false for what is computed otherwise.
static bool add_arguments(const xc_quantizer *q, const island *islands,
                          MlirValue operand, island *to) {
  const xc_quantize_value *value = xc_quantize_value_of(q, operand);
  if (!value) // a constant
    return true;
  const island *from = &islands[place_of(q, value)];
  bool is_argument = !writer_of(value).ptr;
  size_t argument = is_argument ? place_of(q, value) + 1 : from->argument;
  if (!is_argument && !from->of_arguments)
    return false;
  to->of_several |= (to->argument && argument != to->argument) ||
                    (!is_argument && from->of_several);
  to->argument = argument;
  return true;
}

static void find_arguments(const xc_quantizer *q, island *islands, size_t i) {
  MlirOperation writer = writer_of(&q->values[i]);
  bool is_known = islands[i].is_part && !is_small_product(writer);
  for (intptr_t k = 0; is_known && k < mlirOperationGetNumOperands(writer); ++k)
    is_known = add_arguments(q, islands, mlirOperationGetOperand(writer, k),
                             &islands[i]);
  islands[i].of_arguments = is_known;
}

// Whether a value of arguments is a result of several, or one comes of it.
static bool becomes_state(const xc_quantizer *q, const island *islands,
                          size_t i) {
  for (MlirOpOperand use = mlirValueGetFirstUse(q->values[i].original);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_quantize_value *result = result_of(q, reader);
    if ((xc_op_is(reader, "func.return") && islands[i].of_several) ||
        (result && islands[place_of(q, result)].is_state))
      return true;
  }
  return false;
}

static void find_states(const xc_quantizer *q, island *islands) {
  for (size_t i = 0; i < q->num_values; ++i)
    find_arguments(q, islands, i);
  for (size_t i = q->num_values; i-- > 0;)
    islands[i].is_state =
        islands[i].of_arguments && becomes_state(q, islands, i);
}

// Whether its island exchanges more with the CPU.
static bool is_between(island *islands, size_t i) {
  const island *all = &islands[root_of(islands, i)];
  return all->cpu > all->dpu;
}

static bool stays_with(const xc_quantizer *q, island *islands, size_t i) {
  return q->values[i].stays_float ||
         (islands[i].is_part &&
          (is_between(islands, i) || islands[i].is_state));
}

/// Multiply-accumulates of products that stay in floating point, and of what is
/// left for the DPU.
typedef struct work {
  int64_t kept, left;
} work;

static work judge_islands(const xc_quantizer *q, products with,
                          island *islands) {
  work sum = {0, 0};
  find_islands(q, with, islands);
  find_states(q, islands);
  for (size_t i = 0; i < q->num_values; ++i)
    if (islands[i].is_part) {
      count_operands(q, islands, i);
      count_readers(q, islands, i);
    }
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_adaptor op;
    MlirOperation writer = writer_of(&q->values[i]);
    if (writer.ptr && !stays_float(q, writer) && xc_adaptor_of(writer, &op))
      *(stays_with(q, islands, i) ? &sum.kept : &sum.left) +=
          xc_count_macs(&op);
  }
  return sum;
}

void xc_quantize_keep_islands(xc_quantizer *q) {
  enum { SHARE = 10 };
  if (!xc_pass_bool(q->run, "float-statistics"))
    return;
  island *islands =
      xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(*islands));
  // A network of small products alone is for the DPU, unless they are steps.
  work sum = judge_islands(q, SMALL_PRODUCTS, islands);
  if (sum.kept > (sum.kept + sum.left) / SHARE)
    sum = judge_islands(q, REPEATED_PRODUCTS, islands);
  if (sum.left == 0)
    judge_islands(q, NO_PRODUCTS, islands);
  for (size_t i = 0; i < q->num_values; ++i)
    if (!q->values[i].stays_float && stays_with(q, islands, i))
      q->values[i].stays_float =
          is_between(islands, i) ? XC_FLOAT_ISLAND : XC_FLOAT_STATE;
}
