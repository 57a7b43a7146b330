//===- Value.c - types, names and places of values ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

enum { MAX_NODES = 8 }; // of an expression, so that people can read it

//===----------------------------------------------------------------------===//
// Types and names
//===----------------------------------------------------------------------===//

const char *xc_c_element_type(MlirType element) {
  static const char *const names[2][4] = {
      {"int8_t", "int16_t", "int32_t", "int64_t"},
      {"uint8_t", "uint16_t", "uint32_t", "uint64_t"}};
  if (mlirTypeIsAF32(element))
    return "float";
  if (mlirTypeIsAF64(element))
    return "double";
  // C has no 16-bit floats everywhere: they are their bits.
  if (mlirTypeIsAF16(element) || mlirTypeIsABF16(element))
    return "uint16_t";
  bool is_unsigned =
      mlirTypeIsAInteger(element) && mlirIntegerTypeIsUnsigned(element);
  switch (xc_c_int_width(element)) {
  case 1:
    return "uint8_t";
  case 8:
    return names[is_unsigned][0];
  case 16:
    return names[is_unsigned][1];
  case 32:
    return names[is_unsigned][2];
  case 64:
    return names[is_unsigned][3];
  default:
    return NULL;
  }
}

const char *xc_c_value_type(xc_c_function *f, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (xc_c_int_width(type) == 0)
    return xc_c_element_type(type);
  return xc_c_is_narrow(xc_c_range_of(&f->ranges, value)) ? "int32_t"
                                                          : "int64_t";
}

void xc_c_set_name(xc_c_function *f, MlirValue value, const char *name) {
  xc_pointer_map_set(&f->names, value.ptr,
                     xc_arena_string(&f->arena, name, strlen(name)));
}

const char *xc_c_get_name(const xc_c_function *f, MlirValue value) {
  return xc_pointer_map_get(&f->names, value.ptr);
}

const char *xc_c_new_name(xc_c_function *f, const char *stem,
                          unsigned *counter) {
  xc_text text = {0};
  xc_text_puts(&text, stem);
  if (++*counter > 1)
    xc_text_printf(&text, "%u", *counter);
  char *name = xc_arena_string(&f->arena, text.data, text.length);
  xc_text_free(&text);
  return name;
}

//===----------------------------------------------------------------------===//
// Casts that C makes by itself
//===----------------------------------------------------------------------===//

static bool is_int_cast(MlirOperation operation) {
  static const char *const casts[] = {"arith.extsi", "arith.extui",
                                      "arith.trunci", "arith.index_cast",
                                      "arith.index_castui"};
  for (size_t i = 0; i < sizeof(casts) / sizeof(*casts); ++i)
    if (xc_op_is(operation, casts[i]))
      return true;
  return false;
}

// Whether a cast leaves the number as it is.
bool xc_c_keeps_number(xc_c_function *f, MlirOperation operation) {
  if (!is_int_cast(operation))
    return false;
  MlirValue from = mlirOperationGetOperand(operation, 0);
  MlirType to = mlirValueGetType(mlirOperationGetResult(operation, 0));
  xc_c_range range = xc_c_range_of(&f->ranges, from);
  bool is_truth = xc_c_int_width(mlirValueGetType(from)) == 1;
  if (is_truth && xc_op_is(operation, "arith.extsi"))
    return false; // 1 becomes -1
  if (range.low < 0 && (xc_op_is(operation, "arith.extui") ||
                        xc_op_is(operation, "arith.index_castui")))
    return false;
  return xc_c_range_within(range, xc_c_range_of_type(to));
}

MlirValue xc_c_source(xc_c_function *f, MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation owner = mlirOpResultGetOwner(value);
    if (!xc_c_keeps_number(f, owner))
      break;
    value = mlirOperationGetOperand(owner, 0);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Values that are written into expressions
//===----------------------------------------------------------------------===//

static bool is_from(MlirOperation operation, const char *dialect) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  size_t length = strlen(dialect);
  return name.length > length && memcmp(name.data, dialect, length) == 0 &&
         name.data[length] == '.';
}

bool xc_c_is_pure(MlirOperation operation) {
  return is_from(operation, "arith") || is_from(operation, "math") ||
         xc_op_is(operation, "llvm.intr.fmuladd");
}

// The only operation that uses a value, casts left out; null with several.
typedef struct use_search {
  MlirOperation user;
  int count;
} use_search;

static void search_uses(xc_c_function *f, MlirValue value, use_search *search) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && search->count < 2;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (xc_c_keeps_number(f, user)) {
      search_uses(f, mlirOperationGetResult(user, 0), search);
      continue;
    }
    search->user = user;
    ++search->count;
  }
}

static int count_nodes(xc_c_function *f, MlirOperation operation) {
  int count = 1;
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands && count <= MAX_NODES; ++i) {
    MlirValue value = xc_c_source(f, mlirOperationGetOperand(operation, i));
    int64_t constant;
    if (mlirValueIsAOpResult(value) && !xc_c_int_constant(value, &constant) &&
        !xc_c_get_name(f, value) && xc_c_is_inline(f, value))
      count += count_nodes(f, mlirOpResultGetOwner(value));
  }
  return count;
}

// A comparison whose operands C names twice wants variables for them.
static bool is_named_twice(MlirOperation user) {
  if (!xc_op_is(user, "arith.cmpf"))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(xc_op_attribute(user, "predicate"));
  return predicate == XC_C_ORDERED_NE || predicate == XC_C_ORDERED ||
         predicate == XC_C_UNORDERED_EQ || predicate == XC_C_UNORDERED;
}

static bool decide(xc_c_function *f, MlirValue value) {
  MlirOperation owner = mlirOpResultGetOwner(value);
  bool is_load = xc_op_is(owner, "memref.load");
  use_search search = {0};
  search_uses(f, value, &search);
  if ((!xc_c_is_pure(owner) && !is_load) || search.count != 1 ||
      !mlirBlockEqual(mlirOperationGetBlock(owner),
                      mlirOperationGetBlock(search.user)) ||
      is_named_twice(search.user))
    return false;
  return count_nodes(f, owner) <= MAX_NODES;
}

bool xc_c_reads_memory(xc_c_function *f, MlirValue value) {
  value = xc_c_source(f, value);
  if (xc_c_get_name(f, value) || !mlirValueIsAOpResult(value))
    return false;
  MlirOperation owner = mlirOpResultGetOwner(value);
  if (xc_op_is(owner, "memref.load"))
    return true;
  intptr_t operands = mlirOperationGetNumOperands(owner);
  for (intptr_t i = 0; i < operands; ++i)
    if (xc_c_is_inline(f, value) &&
        xc_c_reads_memory(f, mlirOperationGetOperand(owner, i)))
      return true;
  return false;
}

static const char is_inlined[] = "inline", is_variable[] = "variable";

bool xc_c_is_inline(xc_c_function *f, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  if (xc_op_is(mlirOpResultGetOwner(value), "arith.constant"))
    return true;
  const void *known = xc_pointer_map_get(&f->decisions, value.ptr);
  if (!known) {
    known = decide(f, value) ? is_inlined : is_variable;
    xc_pointer_map_set(&f->decisions, value.ptr, (void *)(uintptr_t)known);
  }
  return known == is_inlined;
}
