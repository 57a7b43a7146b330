//===- Layout.c - transposes at the borders of a model --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images are NHWC for a DPU and NCHW in most ONNX files. Importers leave one
// transpose at each input and output that is an image (docs/onnx.md). It is no
// operator that a DPU should compute, but the layout of the model's own data,
// which an export may choose.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "IR/IR.h"

#include <string.h>

static bool is_conversion(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && (xc_fit_class_of(info->kind) == XC_FIT_BOUNDARY ||
                  info->kind == XC_TIR_CAST);
}

static bool is_slice(MlirOperation operation) {
  return xc_op_is(operation, "tir.strided_slice") ||
         xc_op_is(operation, "tir.strided_slice-fix");
}

// Or a part of one.
static bool is_argument(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation writer = mlirOpResultGetOwner(value);
    if (!is_conversion(writer) && !is_slice(writer))
      return false;
    value = mlirOperationGetOperand(writer, 0);
  }
  return true;
}

// Whether all that reads the value, over so many conversions, returns it.
static bool is_returned(MlirValue value, int conversions) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool all = !mlirOpOperandIsNull(use);
  for (; all && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    all = xc_op_is(reader, "func.return") ||
          (conversions > 0 && is_conversion(reader) &&
           is_returned(xc_op_result(reader), conversions - 1));
  }
  return all;
}

static bool has_order(const xc_adaptor *op, const int64_t order[4]) {
  int64_t own[XC_MAX_INTS];
  return xc_operand_shape(op, 0).rank == 4 &&
         xc_attr_ints(op, XC_ATTR_ORDER, own) == 4 &&
         memcmp(own, order, 4 * sizeof(*own)) == 0;
}

static bool is_transpose(xc_op_kind kind) {
  return kind == XC_TIR_TRANSPOSE || kind == XC_TIR_TRANSPOSE_FIX;
}

// In floating point: one in fixed point may be on the DPU beside others.
static bool is_real_reshape(const xc_node *node) {
  return node->facts->class_ == XC_FIT_RESHAPE &&
         node->info->kind != XC_TIR_RESHAPE_FIX &&
         node->facts->value[XC_FACT_NUM_FOREIGN] > 0;
}

// Whether the layout replaces the reason of an operator: one that tells nothing
// but where the operator is, or which way it goes.
static bool is_layout(const xc_node *node, const char *predicate) {
  return is_real_reshape(node) || node->info->kind == XC_TIR_TRANSPOSE ||
         (node->info->kind == XC_TIR_TRANSPOSE_FIX &&
          (strcmp(predicate, "follows-dpu") == 0 ||
           strcmp(predicate, "moves-channels") == 0));
}

static const char *describe_input(const xc_adaptor *op) {
  static const int64_t to_nhwc[] = {0, 2, 3, 1};
  if (!is_transpose(op->info->kind))
    return "the model's input has other dimensions than its layers read; no "
           "data moves";
  if (has_order(op, to_nhwc))
    return "the model's input is NCHW, its layers read NHWC; an export with an "
           "NHWC input does without";
  return "the model's input has its dimensions in another order than its "
         "layers read";
}

static const char *describe_output(const xc_adaptor *op) {
  static const int64_t to_nchw[] = {0, 3, 1, 2};
  if (!is_transpose(op->info->kind))
    return "the model's output has other dimensions than its layers write; no "
           "data moves";
  if (has_order(op, to_nchw))
    return "the model's output is NCHW, its layers write NHWC; an export with "
           "an NHWC output does without";
  return "the model's output has its dimensions in another order than its "
         "layers write";
}

bool xc_placement_explain_layout(const xc_node *node, xc_reason *reason) {
  enum { MOST_CONVERSIONS = 2 };
  xc_adaptor op;
  if (!node->facts || !is_layout(node, reason->predicate) ||
      !xc_adaptor_of(node->operation, &op))
    return false;
  if (is_argument(xc_operand(&op, 0)))
    *reason = (xc_reason){.predicate = "input-layout",
                          .is_border = true,
                          .text = describe_input(&op)};
  else if (is_returned(xc_op_result(node->operation), MOST_CONVERSIONS))
    *reason = (xc_reason){.predicate = "output-layout",
                          .is_border = true,
                          .text = describe_output(&op)};
  else
    return false;
  return true;
}
