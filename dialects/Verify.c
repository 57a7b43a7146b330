//===- Verify.c - what IRDL cannot check ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "Emit.h"
#include "Shape.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool segments_error(const xc_view *view, intptr_t given) {
  xc_text text = {0};
  for (size_t slot = 0; slot < view->info->num_operands; ++slot)
    xc_text_printf(&text, "%s%d", slot ? ", " : "",
                   (intptr_t)slot < given ? 1 : 0);
  xc_view_error(view,
                "attribute 'operandSegmentSizes' must have one entry of 0 or 1 "
                "for each of the %zu operand slots and as many ones as there "
                "are operands, for example array<i32: %s>",
                view->info->num_operands, xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static bool operand_count_error(const xc_view *view, intptr_t given) {
  size_t required = 0;
  for (size_t slot = 0; slot < view->info->num_operands; ++slot)
    required += !view->info->operands[slot].optional;
  if (required == view->info->num_operands)
    return xc_view_error(view, "has %" PRIdPTR " operands, expected %zu", given,
                         required);
  return xc_view_error(view, "has %" PRIdPTR " operands, expected %zu to %zu",
                       given, required, view->info->num_operands);
}

static void describe_type(const xc_operand_info *info, xc_text *text) {
  xc_text_printf(text, "%s of ", info->memref ? "memref" : "tensor");
  bool first = true;
  for (unsigned i = 0; i < XC_ELEMENT_NONE; ++i)
    if (info->elements & (1u << i)) {
      xc_text_printf(text, "%s%s", first ? "" : ", ",
                     xc_element_name((xc_element)i));
      first = false;
    }
}

static void append_string(MlirStringRef string, void *text) {
  xc_text_append(text, string.data, string.length);
}

static bool type_error(const xc_view *view, const char *what,
                       const xc_operand_info *info, MlirType type) {
  xc_text found = {0}, expected = {0};
  mlirTypePrint(type, append_string, &found);
  describe_type(info, &expected);
  xc_view_error(view, "%s '%s' is %s, expected %s", what, info->name,
                xc_text_str(&found), xc_text_str(&expected));
  xc_text_free(&found);
  xc_text_free(&expected);
  return false;
}

// An mtir operator may read the rank-0 tensor of a constant in place.
static bool is_scalar_constant(const xc_view *view, size_t slot,
                               const xc_shape *shape) {
  return view->info->dialect == XC_DIALECT_MTIR &&
         slot + 1 < view->info->num_operands && !shape->memref &&
         shape->rank == 0 && !mlirOperationIsNull(view->operation) &&
         !mlirOperationIsNull(xc_constant_of(xc_view_operand(view, slot)));
}

static bool check_type(const xc_view *view, const char *what,
                       const xc_operand_info *info, MlirType type,
                       bool any_kind, xc_shape *shape) {
  if (!xc_shape_of_type(type, shape)) {
    bool ranked = mlirTypeIsARankedTensor(type) || mlirTypeIsAMemRef(type);
    bool dynamic = ranked && !mlirShapedTypeHasStaticShape(type);
    if (dynamic)
      return xc_view_error(view, "%s '%s' has a dynamic shape", what,
                           info->name);
    if (ranked && mlirShapedTypeGetRank(type) > XC_MAX_RANK)
      return xc_view_error(
          view, "%s '%s' has rank %" PRId64 ", expected at most %d", what,
          info->name, mlirShapedTypeGetRank(type), XC_MAX_RANK);
    if (ranked)
      return xc_view_error(view, "%s '%s' is too large", what, info->name);
    return type_error(view, what, info, type);
  }
  bool element_fits = shape->element != XC_ELEMENT_NONE &&
                      (info->elements & (1u << shape->element)) != 0;
  if (!element_fits || (shape->memref != info->memref && !any_kind))
    return type_error(view, what, info, type);
  return true;
}

static bool check_operand_types(const xc_view *view) {
  for (size_t slot = 0; slot < view->info->num_operands; ++slot) {
    if (!xc_view_has_operand(view, slot))
      continue;
    xc_shape shape;
    bool scalar = xc_shape_of_type(view->operand_types[slot], &shape) &&
                  is_scalar_constant(view, slot, &shape);
    if (!check_type(view, "operand", &view->info->operands[slot],
                    view->operand_types[slot], scalar, &shape))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static bool wrong_type(const xc_view *view, const xc_attribute_info *row,
                       const char *expected) {
  return xc_view_error(view, "attribute '%s' is no %s", row->name, expected);
}

static bool is_i32(MlirAttribute attribute) {
  return mlirAttributeIsAInteger(attribute) &&
         mlirTypeIsAInteger(mlirAttributeGetType(attribute)) &&
         mlirIntegerTypeIsSignless(mlirAttributeGetType(attribute)) &&
         mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) == 32;
}

static bool check_range(const xc_view *view, const xc_attribute_info *row,
                        const char *what, int64_t value) {
  if (value >= row->minimum && value <= row->maximum)
    return true;
  return xc_view_error(
      view, "attribute '%s' %s %" PRId64 ", expected %" PRId32 " to %" PRId32,
      row->name, what, value, row->minimum, row->maximum);
}

static bool check_ints(const xc_view *view, const xc_attribute_info *row,
                       MlirAttribute attribute) {
  if (!mlirAttributeIsAArray(attribute))
    return wrong_type(view, row, "array of i32");
  intptr_t count = mlirArrayAttrGetNumElements(attribute);
  if (row->count && (size_t)count != row->count)
    return xc_view_error(
        view, "attribute '%s' has %" PRIdPTR " entries, expected %zu",
        row->name, count, row->count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(attribute, i);
    if (!is_i32(entry))
      return wrong_type(view, row, "array of i32");
    if (!check_range(view, row, "has entry", mlirIntegerAttrGetValueInt(entry)))
      return false;
  }
  return true;
}

static bool is_f32(MlirAttribute attribute) {
  return mlirAttributeIsAFloat(attribute) &&
         mlirTypeIsAF32(mlirAttributeGetType(attribute));
}

static bool check_floats(const xc_view *view, const xc_attribute_info *row,
                         MlirAttribute attribute) {
  if (!mlirAttributeIsAArray(attribute))
    return wrong_type(view, row, "array of f32");
  intptr_t count = mlirArrayAttrGetNumElements(attribute);
  for (intptr_t i = 0; i < count; ++i)
    if (!is_f32(mlirArrayAttrGetElement(attribute, i)))
      return wrong_type(view, row, "array of f32");
  return true;
}

static bool check_word(const xc_view *view, const xc_attribute_info *row,
                       MlirAttribute attribute) {
  if (!mlirAttributeIsAString(attribute))
    return wrong_type(view, row, "string");
  if (!row->cases)
    return true;
  MlirStringRef word = mlirStringAttrGetValue(attribute);
  xc_text list = {0};
  for (const char *const *each = row->cases; *each; ++each) {
    if (strlen(*each) == word.length &&
        memcmp(*each, word.data, word.length) == 0) {
      xc_text_free(&list);
      return true;
    }
    xc_text_printf(&list, "%s%s", each == row->cases ? "" : ", ", *each);
  }
  xc_view_error(view, "attribute '%s' is \"%.*s\", expected one of %s",
                row->name, (int)word.length, word.data, xc_text_str(&list));
  xc_text_free(&list);
  return false;
}

static bool check_attribute(const xc_view *view, const xc_attribute_info *row,
                            MlirAttribute attribute) {
  switch (row->type) {
  case XC_ATTRIBUTE_INT:
    return is_i32(attribute)
               ? check_range(view, row, "is",
                             mlirIntegerAttrGetValueInt(attribute))
               : wrong_type(view, row, "i32");
  case XC_ATTRIBUTE_INTS:
    return check_ints(view, row, attribute);
  case XC_ATTRIBUTE_BOOL:
    return mlirAttributeIsABool(attribute) || wrong_type(view, row, "bool");
  case XC_ATTRIBUTE_FLOAT:
    return is_f32(attribute) || wrong_type(view, row, "f32");
  case XC_ATTRIBUTE_FLOATS:
    return check_floats(view, row, attribute);
  case XC_ATTRIBUTE_STRING:
    return check_word(view, row, attribute);
  case XC_ATTRIBUTE_ELEMENTS:
    return mlirAttributeIsAElements(attribute) ||
           wrong_type(view, row, "elements attribute");
  case XC_ATTRIBUTE_DICTIONARY:
    return mlirAttributeIsADictionary(attribute) ||
           wrong_type(view, row, "dictionary");
  }
  return false;
}

static bool unknown_attribute(const xc_view *view, MlirStringRef name) {
  xc_near_miss miss = xc_near_miss_begin(name.data, name.length);
  for (size_t i = 0; i < view->info->num_attributes; ++i)
    xc_near_miss_offer(&miss, view->info->attributes[i].name);
  size_t count;
  const xc_attribute_info *common = xc_common_attributes(&count);
  for (size_t i = 0; i < count; ++i)
    xc_near_miss_offer(&miss, common[i].name);
  const char *near = xc_near_miss_get(&miss);
  if (near)
    return xc_view_error(view,
                         "has unknown attribute '%.*s'; did you mean '%s'?",
                         (int)name.length, name.data, near);
  return xc_view_error(view, "has unknown attribute '%.*s'", (int)name.length,
                       name.data);
}

static bool check_named(const xc_view *view, MlirNamedAttribute named) {
  MlirStringRef name = mlirIdentifierStr(named.name);
  const xc_attribute_info *row =
      xc_attribute_info_find(view->info, name.data, name.length);
  if (row)
    return check_attribute(view, row, named.attribute);
  if (view->info->segmented &&
      mlirStringRefEqual(name,
                         mlirStringRefCreateFromCString("operandSegmentSizes")))
    return true;
  // Attributes with a dialect prefix are anybody's.
  if (memchr(name.data, '.', name.length))
    return true;
  return unknown_attribute(view, name);
}

static intptr_t count_attributes(const xc_view *view) {
  return mlirOperationIsNull(view->operation)
             ? mlirDictionaryAttrGetNumElements(view->dictionary)
             : mlirOperationGetNumAttributes(view->operation);
}

bool xc_verify_attributes(const xc_view *view) {
  intptr_t count = count_attributes(view);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named =
        mlirOperationIsNull(view->operation)
            ? mlirDictionaryAttrGetElement(view->dictionary, i)
            : mlirOperationGetAttribute(view->operation, i);
    if (!check_named(view, named))
      return false;
  }
  for (size_t i = 0; i < view->info->num_attributes; ++i) {
    const xc_attribute_info *row = &view->info->attributes[i];
    if (row->required &&
        mlirAttributeIsNull(xc_view_attribute(view, row->name)))
      return xc_view_error(view, "requires attribute '%s'", row->name);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static bool shape_mismatch(const xc_view *view, const xc_shape *found,
                           const xc_shape *expected) {
  xc_text a = {0}, b = {0};
  xc_shape_print(found, &a);
  xc_shape_print(expected, &b);
  xc_view_error(view, "result '%s' is %s, expected %s",
                view->info->dialect == XC_DIALECT_MTIR
                    ? "output"
                    : view->info->result.name,
                xc_text_str(&a), xc_text_str(&b));
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}

// Compares the result (the output buffer of an mtir operator) with the rule's.
static bool check_result_shape(const xc_view *view, const xc_shape *found,
                               xc_shape *expected) {
  expected->element = found->element;
  if (view->info->same_element)
    expected->element = xc_view_shape(view, 0).element;
  if (expected->rank == XC_RANK_ANY)
    expected->rank = found->rank,
    memcpy(expected->dims, found->dims, sizeof(found->dims));
  if (found->element == expected->element && found->rank == expected->rank &&
      memcmp(found->dims, expected->dims, found->rank * sizeof(int64_t)) == 0)
    return true;
  return shape_mismatch(view, found, expected);
}

static bool check_result(const xc_view *view, xc_shape *expected) {
  intptr_t results = mlirOperationGetNumResults(view->operation);
  if (results != view->info->has_result)
    return xc_view_error(view, "has %" PRIdPTR " results, expected %d", results,
                         view->info->has_result ? 1 : 0);
  if (view->info->dialect == XC_DIALECT_MTIR) {
    xc_shape output = xc_view_shape(view, view->info->num_operands - 1);
    return check_result_shape(view, &output, expected);
  }
  if (!view->info->has_result)
    return true;
  xc_shape found;
  MlirType type = mlirValueGetType(mlirOperationGetResult(view->operation, 0));
  return check_type(view, "result", &view->info->result, type, false, &found) &&
         check_result_shape(view, &found, expected);
}

bool xc_verify_operation(MlirOperation operation) {
  xc_view view;
  if (!xc_view_operation(operation, &view)) {
    intptr_t given = mlirOperationGetNumOperands(operation);
    return view.info->segmented ? segments_error(&view, given)
                                : operand_count_error(&view, given);
  }
  if (mlirOperationGetNumRegions(operation) != 0 ||
      mlirOperationGetNumSuccessors(operation) != 0)
    return xc_view_error(&view, "has regions or successors, expected none");
  xc_shape result = {0};
  return check_operand_types(&view) && xc_verify_attributes(&view) &&
         xc_shape_rule_get(view.info->rule)(&view, &result) &&
         check_result(&view, &result) && xc_verify_kind(&view);
}

static MlirWalkResult verify_one(MlirOperation operation, void *ok) {
  if (xc_op_info_of(operation) && !xc_verify_operation(operation))
    *(bool *)ok = false;
  return MlirWalkResultAdvance;
}

bool xc_verify_nested(MlirOperation root) {
  bool ok = true;
  mlirOperationWalk(root, verify_one, &ok, MlirWalkPreOrder);
  return ok;
}
