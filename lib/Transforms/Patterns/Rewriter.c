//===- Rewriter.c - how patterns change the IR ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <string.h>

void xc_rewrite_at(xc_rewriter *rewriter, const xc_adaptor *adaptor) {
  rewriter->location = adaptor->location;
}

void xc_rewrite_before(xc_rewriter *rewriter, const xc_adaptor *adaptor) {
  rewriter->root = adaptor->operation;
  rewriter->location = adaptor->location;
}

bool xc_rewrite_keeps(const xc_rewriter *rewriter, const xc_adaptor *adaptor) {
  MlirStringRef name = xc_op_given_name(adaptor->operation);
  return name.length > 0 &&
         xc_element_is_float(xc_result_shape(adaptor).element) &&
         xc_list_has(rewriter->kept, name.data, name.length);
}

// Puts a new operator on the worklist; a null value means that an error has
// been reported.
static MlirValue accept(xc_rewriter *rewriter, MlirValue value) {
  if (mlirValueIsNull(value))
    rewriter->failed = true;
  else
    xc_worklist_push(&rewriter->worklist, mlirOpResultGetOwner(value));
  return value;
}

static xc_builder builder_of(const xc_rewriter *rewriter) {
  xc_builder builder = xc_builder_before(rewriter->root);
  builder.location = rewriter->location;
  return builder;
}

static const MlirValue nothing = {NULL};

// Another form of what stays in floating point does so for the same reason.
static void keep_reason(MlirOperation from, MlirValue to) {
  MlirAttribute reason = xc_op_attribute(from, XC_NAME_KEPT_FLOAT);
  if (!mlirValueIsNull(to) && !mlirAttributeIsNull(reason))
    mlirOperationSetAttributeByName(mlirOpResultGetOwner(to),
                                    xc_ref(XC_NAME_KEPT_FLOAT), reason);
}

MlirValue xc_rewrite_build(xc_rewriter *rewriter, xc_op_kind kind,
                           const MlirValue *operands, size_t num_operands,
                           const xc_attribute *attributes,
                           size_t num_attributes, xc_element element) {
  if (rewriter->failed)
    return nothing;
  xc_builder builder = builder_of(rewriter);
  MlirValue result =
      accept(rewriter, xc_build(&builder, kind, operands, num_operands,
                                attributes, num_attributes, element));
  keep_reason(rewriter->root, result);
  return result;
}

MlirValue xc_rewrite_const(xc_rewriter *rewriter, const void *bytes,
                           const xc_shape *shape) {
  if (rewriter->failed)
    return nothing;
  xc_builder builder = builder_of(rewriter);
  return accept(rewriter, xc_build_const_bytes(&builder, bytes, shape));
}

MlirValue xc_rewrite_floats(xc_rewriter *rewriter, const double *numbers,
                            const xc_shape *shape) {
  if (shape->element == XC_ELEMENT_F64)
    return xc_rewrite_const(rewriter, numbers, shape);
  assert(shape->element == XC_ELEMENT_F32 && "numbers become f32 or f64");
  size_t count = (size_t)xc_shape_num_elements(shape);
  float *floats = xc_rewrite_alloc(rewriter, count + 1, sizeof(float));
  for (size_t i = 0; i < count; ++i)
    floats[i] = (float)numbers[i];
  return xc_rewrite_const(rewriter, floats, shape);
}

static bool is_changed(const xc_attribute *changes, size_t num_changes,
                       MlirStringRef name) {
  for (size_t i = 0; i < num_changes; ++i)
    if (xc_ref_is(name, changes[i].name))
      return true;
  return false;
}

static bool is_left_out(const xc_attribute *change) {
  return change->type == XC_ATTRIBUTE_ELEMENTS &&
         mlirAttributeIsNull(change->given);
}

MlirValue xc_rewrite_like(xc_rewriter *rewriter, const xc_adaptor *like,
                          xc_op_kind kind, const MlirValue *operands,
                          size_t num_operands, const xc_attribute *changes,
                          size_t num_changes) {
  if (rewriter->failed)
    return nothing;
  const xc_op_info *info = xc_op_info_get(XC_DIALECT_TIR, kind);
  intptr_t old = mlirOperationGetNumAttributes(like->operation);
  size_t count = 0;
  xc_attribute *all =
      xc_rewrite_alloc(rewriter, (size_t)old + num_changes + 1, sizeof(*all));
  for (size_t i = 0; i < num_changes; ++i)
    if (!is_left_out(&changes[i]))
      all[count++] = changes[i];
  for (intptr_t i = 0; i < old; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(like->operation, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    const xc_attribute_info *row =
        xc_attribute_info_find(info, name.data, name.length);
    if (row && !is_changed(changes, num_changes, name))
      all[count++] = xc_given(row->name, named.attribute);
  }
  MlirValue result =
      xc_rewrite_build(rewriter, kind, operands, num_operands, all, count,
                       xc_value_shape(xc_result_of(like)).element);
  keep_reason(like->operation, result);
  return result;
}

// Whether integers of this type are the business of the -fix operators.
static bool is_fixed(xc_element element) {
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8;
}

MlirValue xc_rewrite_reshape(xc_rewriter *rewriter, MlirValue input,
                             const xc_shape *like) {
  xc_shape shape = xc_value_shape(input);
  if (rewriter->failed || xc_same_dims(&shape, like))
    return input;
  xc_attribute attribute = xc_ints("shape", like->dims, like->rank);
  bool fix = is_fixed(shape.element) && !xc_is_scaled(input);
  return xc_rewrite_build(rewriter, fix ? XC_TIR_RESHAPE_FIX : XC_TIR_RESHAPE,
                          &input, 1, &attribute, 1, XC_ELEMENT_NONE);
}

// Gives the name of an operator to the new one that takes its place.
static void hand_over(MlirOperation from, MlirOperation to) {
  size_t count;
  const xc_attribute_info *common = xc_common_attributes(&count);
  for (size_t i = 0; i < count; ++i) {
    MlirStringRef name = xc_ref(common[i].name);
    MlirAttribute value = mlirOperationGetAttributeByName(from, name);
    if (!mlirAttributeIsNull(value) &&
        mlirAttributeIsNull(mlirOperationGetAttributeByName(to, name)))
      mlirOperationSetAttributeByName(to, name, value);
  }
}

bool xc_rewrite_replace(xc_rewriter *rewriter, const xc_adaptor *root,
                        MlirValue with) {
  if (rewriter->failed)
    return false;
  MlirValue old = xc_result_of(root);
  assert(xc_same_type(old, with) && "a pattern keeps the type of its root");
  bool is_new = !xc_value_is_used(with);
  if (is_new && mlirValueIsAOpResult(with))
    hand_over(root->operation, mlirOpResultGetOwner(with));
  xc_revisit_users(rewriter, old);
  mlirValueReplaceAllUsesOfWith(old, with);
  xc_erase(rewriter, root->operation);
  return true;
}
