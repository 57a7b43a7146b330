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
#include "Support/Limits.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool segments_error(const xc_adaptor *op, intptr_t given) {
  xc_text text = {0};
  for (size_t slot = 0; slot < op->info->num_operands; ++slot)
    xc_text_printf(&text, "%s%d", slot ? ", " : "",
                   (intptr_t)slot < given ? 1 : 0);
  xc_adaptor_error(
      op,
      "attribute 'operandSegmentSizes' must have one entry of 0 or 1 "
      "for each of the %zu operand slots and as many ones as there "
      "are operands, for example array<i32: %s>",
      op->info->num_operands, xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static bool operand_count_error(const xc_adaptor *op, intptr_t given) {
  size_t required = 0;
  for (size_t slot = 0; slot < op->info->num_operands; ++slot)
    required += !op->info->operands[slot].optional;
  if (required == op->info->num_operands)
    return xc_adaptor_error(op, "has %" PRIdPTR " operands, expected %zu",
                            given, required);
  return xc_adaptor_error(op, "has %" PRIdPTR " operands, expected %zu to %zu",
                          given, required, op->info->num_operands);
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

static bool type_error(const xc_adaptor *op, const char *what,
                       const xc_operand_info *info, MlirType type) {
  xc_text found = {0}, expected = {0};
  mlirTypePrint(type, append_string, &found);
  describe_type(info, &expected);
  xc_adaptor_error(op, "%s '%s' is %s, expected %s", what, info->name,
                   xc_text_str(&found), xc_text_str(&expected));
  xc_text_free(&found);
  xc_text_free(&expected);
  return false;
}

// An mtir operator may read the rank-0 tensor of a constant in place.
static bool is_scalar_constant(const xc_adaptor *op, size_t slot,
                               const xc_shape *shape) {
  return op->info->dialect == XC_DIALECT_MTIR &&
         slot + 1 < op->info->num_operands && !shape->memref &&
         shape->rank == 0 && !mlirOperationIsNull(op->operation) &&
         !mlirOperationIsNull(xc_constant_of(xc_operand(op, slot)));
}

bool xc_verify_shape(const xc_adaptor *op, const char *what,
                     const xc_operand_info *info, MlirType type,
                     xc_shape *shape) {
  if (xc_shape_of_type(type, shape))
    return shape->element != XC_ELEMENT_NONE ||
           type_error(op, what, info, type);
  bool ranked = mlirTypeIsARankedTensor(type) || mlirTypeIsAMemRef(type);
  if (!ranked)
    return type_error(op, what, info, type);
  if (!mlirShapedTypeHasStaticShape(type))
    return xc_adaptor_error(op, "%s '%s' has a dynamic shape", what,
                            info->name);
  if (mlirShapedTypeGetRank(type) > XC_MAX_RANK)
    return xc_adaptor_error(
        op, "%s '%s' has rank %" PRId64 ", expected at most %d", what,
        info->name, mlirShapedTypeGetRank(type), XC_MAX_RANK);
  return xc_adaptor_error(op,
                          "%s '%s' is too large for the limit of %" PRIu64
                          " bytes of memory (--max-memory)",
                          what, info->name, xcGetMaxMemory());
}

static bool check_type(const xc_adaptor *op, const char *what,
                       const xc_operand_info *info, MlirType type,
                       bool any_kind, xc_shape *shape) {
  if (!xc_verify_shape(op, what, info, type, shape))
    return false;
  bool element_fits = (info->elements & (1u << shape->element)) != 0;
  if (!element_fits || (shape->memref != info->memref && !any_kind))
    return type_error(op, what, info, type);
  return true;
}

static bool check_operand_types(const xc_adaptor *op) {
  for (size_t slot = 0; slot < op->info->num_operands; ++slot) {
    if (!xc_has_operand(op, slot))
      continue;
    xc_shape shape;
    bool scalar = xc_shape_of_type(op->operand_types[slot], &shape) &&
                  is_scalar_constant(op, slot, &shape);
    if (!check_type(op, "operand", &op->info->operands[slot],
                    op->operand_types[slot], scalar, &shape))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static bool wrong_type(const xc_adaptor *op, const xc_attribute_info *row,
                       const char *expected) {
  return xc_adaptor_error(op, "attribute '%s' has the wrong type, expected %s",
                          row->name, expected);
}

static bool is_i32(MlirAttribute attribute) {
  return mlirAttributeIsAInteger(attribute) &&
         mlirTypeIsAInteger(mlirAttributeGetType(attribute)) &&
         mlirIntegerTypeIsSignless(mlirAttributeGetType(attribute)) &&
         mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) == 32;
}

static bool check_range(const xc_adaptor *op, const xc_attribute_info *row,
                        const char *what, int64_t value) {
  if (value >= row->minimum && value <= row->maximum)
    return true;
  return xc_adaptor_error(
      op, "attribute '%s' %s %" PRId64 ", expected %" PRId32 " to %" PRId32,
      row->name, what, value, row->minimum, row->maximum);
}

static bool check_ints(const xc_adaptor *op, const xc_attribute_info *row,
                       MlirAttribute attribute) {
  if (!mlirAttributeIsAArray(attribute))
    return wrong_type(op, row, "array of i32");
  intptr_t count = mlirArrayAttrGetNumElements(attribute);
  if (row->count && (size_t)count != row->count)
    return xc_adaptor_error(
        op, "attribute '%s' has %" PRIdPTR " entries, expected %zu", row->name,
        count, row->count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(attribute, i);
    if (!is_i32(entry))
      return wrong_type(op, row, "array of i32");
    if (!check_range(op, row, "has entry", mlirIntegerAttrGetValueInt(entry)))
      return false;
  }
  return true;
}

static bool is_f32(MlirAttribute attribute) {
  return mlirAttributeIsAFloat(attribute) &&
         mlirTypeIsAF32(mlirAttributeGetType(attribute));
}

static bool check_floats(const xc_adaptor *op, const xc_attribute_info *row,
                         MlirAttribute attribute) {
  if (!mlirAttributeIsAArray(attribute))
    return wrong_type(op, row, "array of f32");
  intptr_t count = mlirArrayAttrGetNumElements(attribute);
  for (intptr_t i = 0; i < count; ++i)
    if (!is_f32(mlirArrayAttrGetElement(attribute, i)))
      return wrong_type(op, row, "array of f32");
  return true;
}

static bool check_word(const xc_adaptor *op, const xc_attribute_info *row,
                       MlirAttribute attribute) {
  if (!mlirAttributeIsAString(attribute))
    return wrong_type(op, row, "string");
  if (!row->cases)
    return true;
  MlirStringRef word = mlirStringAttrGetValue(attribute);
  if (xc_enum_find(row, word.data, word.length) != XC_ENUM_ABSENT)
    return true;
  xc_text list = {0};
  for (size_t i = 0; i < row->num_cases; ++i)
    xc_text_printf(&list, "%s%s", i ? ", " : "", xc_enum_name(row->cases[i]));
  xc_adaptor_error(op, "attribute '%s' is \"%.*s\", expected one of %s",
                   row->name, (int)word.length, word.data, xc_text_str(&list));
  xc_text_free(&list);
  return false;
}

static bool check_attribute(const xc_adaptor *op, const xc_attribute_info *row,
                            MlirAttribute attribute) {
  switch (row->type) {
  case XC_ATTRIBUTE_INT:
    return is_i32(attribute)
               ? check_range(op, row, "is",
                             mlirIntegerAttrGetValueInt(attribute))
               : wrong_type(op, row, "i32");
  case XC_ATTRIBUTE_INTS:
    return check_ints(op, row, attribute);
  case XC_ATTRIBUTE_BOOL:
    return mlirAttributeIsABool(attribute) || wrong_type(op, row, "bool");
  case XC_ATTRIBUTE_FLOAT:
    return is_f32(attribute) || wrong_type(op, row, "f32");
  case XC_ATTRIBUTE_FLOATS:
    return check_floats(op, row, attribute);
  case XC_ATTRIBUTE_STRING:
    return check_word(op, row, attribute);
  case XC_ATTRIBUTE_ELEMENTS:
    return mlirAttributeIsAElements(attribute) ||
           wrong_type(op, row, "elements attribute");
  case XC_ATTRIBUTE_DICTIONARY:
    return mlirAttributeIsADictionary(attribute) ||
           wrong_type(op, row, "dictionary");
  }
  return false;
}

static bool unknown_attribute(const xc_adaptor *op, MlirStringRef name) {
  xc_near_miss miss = xc_near_miss_begin(name.data, name.length);
  for (size_t i = 0; i < op->info->num_attributes; ++i)
    xc_near_miss_offer(&miss, op->info->attributes[i].name);
  size_t count;
  const xc_attribute_info *common = xc_common_attributes(&count);
  for (size_t i = 0; i < count; ++i)
    xc_near_miss_offer(&miss, common[i].name);
  const char *near = xc_near_miss_get(&miss);
  if (near)
    return xc_adaptor_error(op,
                            "has unknown attribute '%.*s'; did you mean '%s'?",
                            (int)name.length, name.data, near);
  return xc_adaptor_error(op, "has unknown attribute '%.*s'", (int)name.length,
                          name.data);
}

static bool check_named(const xc_adaptor *op, MlirNamedAttribute named) {
  MlirStringRef name = mlirIdentifierStr(named.name);
  const xc_attribute_info *row =
      xc_attribute_info_find(op->info, name.data, name.length);
  if (row)
    return check_attribute(op, row, named.attribute);
  if (op->info->segmented &&
      mlirStringRefEqual(name,
                         mlirStringRefCreateFromCString("operandSegmentSizes")))
    return true;
  // Attributes with a dialect prefix are anybody's.
  if (memchr(name.data, '.', name.length))
    return true;
  return unknown_attribute(op, name);
}

static intptr_t count_attributes(const xc_adaptor *op) {
  return mlirOperationIsNull(op->operation)
             ? mlirDictionaryAttrGetNumElements(op->dictionary)
             : mlirOperationGetNumAttributes(op->operation);
}

bool xc_verify_attributes(const xc_adaptor *op) {
  intptr_t count = count_attributes(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named =
        mlirOperationIsNull(op->operation)
            ? mlirDictionaryAttrGetElement(op->dictionary, i)
            : mlirOperationGetAttribute(op->operation, i);
    if (!check_named(op, named))
      return false;
  }
  for (size_t i = 0; i < op->info->num_attributes; ++i) {
    const xc_attribute_info *row = &op->info->attributes[i];
    if (row->required && mlirAttributeIsNull(xc_attr_get(op, row->id)))
      return xc_adaptor_error(op, "requires attribute '%s'", row->name);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static bool shape_mismatch(const xc_adaptor *op, const xc_shape *found,
                           const xc_shape *expected) {
  xc_text a = {0}, b = {0};
  xc_shape_print(found, &a);
  xc_shape_print(expected, &b);
  xc_adaptor_error(op, "result '%s' is %s, expected %s",
                   op->info->dialect == XC_DIALECT_MTIR ? "output"
                                                        : op->info->result.name,
                   xc_text_str(&a), xc_text_str(&b));
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}

// Compares the result (the output buffer of an mtir operator) with the rule's.
static bool check_result_shape(const xc_adaptor *op, const xc_shape *found,
                               xc_shape *expected) {
  expected->element = found->element;
  if (op->info->same_element)
    expected->element = xc_operand_shape(op, 0).element;
  if (expected->rank == XC_RANK_ANY)
    expected->rank = found->rank,
    memcpy(expected->dims, found->dims, sizeof(found->dims));
  if (found->element == expected->element && found->rank == expected->rank &&
      memcmp(found->dims, expected->dims, found->rank * sizeof(int64_t)) == 0)
    return true;
  return shape_mismatch(op, found, expected);
}

static bool check_result(const xc_adaptor *op, xc_shape *expected) {
  intptr_t results = mlirOperationGetNumResults(op->operation);
  if (results != op->info->has_result)
    return xc_adaptor_error(op, "has %" PRIdPTR " results, expected %d",
                            results, op->info->has_result ? 1 : 0);
  if (op->info->dialect == XC_DIALECT_MTIR) {
    xc_shape output = xc_operand_shape(op, op->info->num_operands - 1);
    return check_result_shape(op, &output, expected);
  }
  if (!op->info->has_result)
    return true;
  xc_shape found;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op->operation, 0));
  return check_type(op, "result", &op->info->result, type, false, &found) &&
         check_result_shape(op, &found, expected);
}

static bool verify(MlirOperation operation, bool quiet) {
  xc_adaptor op;
  bool fits = xc_adaptor_of(operation, &op);
  op.quiet = quiet;
  if (!fits) {
    intptr_t given = mlirOperationGetNumOperands(operation);
    return op.info->segmented ? segments_error(&op, given)
                              : operand_count_error(&op, given);
  }
  if (mlirOperationGetNumRegions(operation) != 0 ||
      mlirOperationGetNumSuccessors(operation) != 0)
    return xc_adaptor_error(&op, "has regions or successors, expected none");
  xc_shape result = {0};
  return check_operand_types(&op) && xc_verify_attributes(&op) &&
         xc_shape_rule_get(op.info->rule)(&op, &result) &&
         check_result(&op, &result) && xc_verify_kind(&op);
}

bool xc_verify_operation(MlirOperation operation) {
  return verify(operation, false);
}

bool xc_is_valid_operation(MlirOperation operation) {
  return verify(operation, true);
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
