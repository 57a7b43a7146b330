//===- EntryNames.c - what model functions are called in C ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryNames.h"

#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <ctype.h>
#include <string.h>

// Words of C and C++ that could be names: the header is for both.
static const char *const words[] = {"alignas",
                                    "alignof",
                                    "and",
                                    "and_eq",
                                    "asm",
                                    "auto",
                                    "bitand",
                                    "bitor",
                                    "bool",
                                    "break",
                                    "case",
                                    "catch",
                                    "char",
                                    "class",
                                    "compl",
                                    "concept",
                                    "const",
                                    "constexpr",
                                    "const_cast",
                                    "continue",
                                    "decltype",
                                    "default",
                                    "delete",
                                    "do",
                                    "double",
                                    "dynamic_cast",
                                    "else",
                                    "enum",
                                    "explicit",
                                    "export",
                                    "extern",
                                    "false",
                                    "float",
                                    "for",
                                    "friend",
                                    "goto",
                                    "if",
                                    "inline",
                                    "int",
                                    "long",
                                    "mutable",
                                    "namespace",
                                    "new",
                                    "noexcept",
                                    "not",
                                    "not_eq",
                                    "nullptr",
                                    "operator",
                                    "or",
                                    "or_eq",
                                    "private",
                                    "protected",
                                    "public",
                                    "register",
                                    "reinterpret_cast",
                                    "requires",
                                    "restrict",
                                    "return",
                                    "short",
                                    "signed",
                                    "sizeof",
                                    "static",
                                    "static_assert",
                                    "static_cast",
                                    "struct",
                                    "switch",
                                    "template",
                                    "this",
                                    "thread_local",
                                    "throw",
                                    "true",
                                    "try",
                                    "typedef",
                                    "typeid",
                                    "typename",
                                    "typeof",
                                    "union",
                                    "unsigned",
                                    "using",
                                    "virtual",
                                    "void",
                                    "volatile",
                                    "wchar_t",
                                    "while",
                                    "xor",
                                    "xor_eq"};

// Functions that LLVM calls, or may put in the place of loops and other calls.
static const char *const memory_functions[] = {
    "bcmp", "memchr", "memcmp", "memcpy", "memmove", "memset", "strlen"};

// <math.h>; each is there with "f" and "l" after it, too.
static const char *const math_functions[] = {
    "acos",      "acosh",      "asin",    "asinh",     "atan",   "atan2",
    "atanh",     "cbrt",       "ceil",    "copysign",  "cos",    "cosh",
    "erf",       "erfc",       "exp",     "exp10",     "exp2",   "expm1",
    "fabs",      "fdim",       "floor",   "fma",       "fmax",   "fmin",
    "fmod",      "frexp",      "hypot",   "ilogb",     "ldexp",  "lgamma",
    "llrint",    "llround",    "log",     "log10",     "log1p",  "log2",
    "logb",      "lrint",      "lround",  "modf",      "nan",    "nearbyint",
    "nextafter", "nexttoward", "pow",     "remainder", "remquo", "rint",
    "round",     "roundeven",  "scalbln", "scalbn",    "sin",    "sincos",
    "sinh",      "sqrt",       "tan",     "tanh",      "tgamma", "trunc"};

static bool is_among(MlirStringRef name, const char *const *names,
                     size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (mlirStringRefEqual(name, xc_ref(names[i])))
      return true;
  return false;
}

#define IS_AMONG(name, names)                                                  \
  is_among(name, names, sizeof(names) / sizeof(*(names)))

static bool is_library_function(MlirStringRef name) {
  static const char openmp[] = "__kmpc_";
  if (name.length >= strlen(openmp) &&
      memcmp(name.data, openmp, strlen(openmp)) == 0)
    return true;
  if (IS_AMONG(name, memory_functions) || IS_AMONG(name, math_functions))
    return true;
  char last = name.length ? name.data[name.length - 1] : '\0';
  MlirStringRef stem = {name.data, name.length - 1};
  return (last == 'f' || last == 'l') && IS_AMONG(stem, math_functions);
}

bool xc_is_c_word(MlirStringRef name) {
  return IS_AMONG(name, words) || is_library_function(name);
}

bool xc_function_is_private(MlirOperation function) {
  MlirAttribute visibility =
      mlirOperationGetAttributeByName(function, xc_ref("sym_visibility"));
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            xc_ref("private"));
}

MlirAttribute xc_entry_name(MlirOperation function) {
  MlirStringRef name = xc_function_name(function);
  xc_text text = {0};
  // "main" is the program's own.
  if (mlirStringRefEqual(name, xc_ref("main")) || name.length == 0 ||
      isdigit((unsigned char)name.data[0]))
    xc_text_puts(&text, "xc_");
  for (size_t i = 0; i < name.length; ++i) {
    char c = isalnum((unsigned char)name.data[i]) ? name.data[i] : '_';
    xc_text_append(&text, &c, 1);
  }
  MlirAttribute attribute = mlirStringAttrGet(mlirOperationGetContext(function),
                                              xc_ref(xc_text_str(&text)));
  xc_text_free(&text);
  return attribute;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

typedef struct check {
  xc_pointer_map taken; // name as an attribute -> who has it, as text
} check;

static bool name_error(MlirOperation function, MlirStringRef name,
                       const char *what) {
  return xc_op_error(function, "would be called '%.*s' in C, %s",
                     (int)name.length, name.data, what);
}

// The parameters are named after the first function.
static void take_params_name(check *c, MlirAttribute first) {
  MlirStringRef name = mlirStringAttrGetValue(first);
  xc_text text = {0};
  xc_text_printf(&text, "%.*s_params", (int)name.length, name.data);
  MlirAttribute params = mlirStringAttrGet(mlirAttributeGetContext(first),
                                           xc_ref(xc_text_str(&text)));
  xc_pointer_map_set(&c->taken, params.ptr,
                     (void *)(uintptr_t)"as the parameters are");
  xc_text_free(&text);
}

static bool check_function(void *user_data, MlirOperation function) {
  check *c = user_data;
  if (mlirRegionIsNull(xc_function_body(function)) ||
      !mlirAttributeIsNull(
          mlirOperationGetAttributeByName(function, xc_ref(XC_NAME_KERNEL))))
    return true;
  MlirAttribute entry = xc_entry_name(function);
  MlirStringRef name = mlirStringAttrGetValue(entry);
  if (is_library_function(name))
    return name_error(function, name, "as a function that compiled code calls");
  if (xc_function_is_private(function))
    return true;
  if (IS_AMONG(name, words))
    return name_error(function, name, "which is a word of C or C++");
  const char *who = xc_pointer_map_get(&c->taken, entry.ptr);
  if (who)
    return name_error(function, name, who);
  if (c->taken.count == 0)
    take_params_name(c, entry);
  xc_pointer_map_set(&c->taken, entry.ptr,
                     (void *)(uintptr_t)"as another function is");
  return true;
}

bool xc_check_entry_names(MlirOperation module) {
  check c = {0};
  bool ok = xc_for_each_function(module, check_function, &c);
  xc_pointer_map_free(&c.taken);
  return ok;
}
