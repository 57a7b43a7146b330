//===- Kernel.c - a function of one operator as C -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Helper functions
//===----------------------------------------------------------------------===//

static const struct {
  const char *result, *name, *parameters, *body;
} helpers[] = {
#define HELPER(result, name, parameters, body) {result, name, parameters, body},
#include "Helpers.def"
};

enum { NUM_HELPERS = sizeof(helpers) / sizeof(*helpers) };
_Static_assert((int)NUM_HELPERS <= (int)XC_C_MAX_HELPERS,
               "each helper has its bit");

const char *xc_c_helper(xc_c_function *f, const char *name) {
  for (size_t i = 0; i < NUM_HELPERS; ++i)
    if (strcmp(helpers[i].name, name) == 0) {
      f->helpers[i] = true;
      return helpers[i].name;
    }
  f->failed = true; // a row is missing
  return name;
}

bool xc_c_uses_memory_functions(const bool *used) {
  for (size_t i = 0; i < NUM_HELPERS; ++i)
    if (used[i] && strstr(helpers[i].body, "memcpy"))
      return true;
  return false;
}

// One statement a line.
static void print_body(xc_text *out, const char *body) {
  for (const char *end; *body; body = end) {
    int open = 0;
    for (end = body; *end && (*end != ';' || open > 0); ++end)
      open += (*end == '(') - (*end == ')');
    end += *end == ';';
    xc_text_printf(out, "  %.*s\n", (int)(end - body), body);
    while (*end == ' ')
      ++end;
  }
}

void xc_c_print_helpers(xc_text *out, const bool *used) {
  for (size_t i = 0; i < NUM_HELPERS; ++i) {
    if (!used[i])
      continue;
    xc_text_printf(out, "static inline %s %s(%s) {\n", helpers[i].result,
                   helpers[i].name, helpers[i].parameters);
    print_body(out, helpers[i].body);
    xc_text_puts(out, "}\n\n");
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static bool writes(MlirOpOperand use) {
  MlirOperation owner = mlirOpOperandGetOwner(use);
  MlirAttribute written = xc_op_attribute(owner, XC_NAME_OUTPUT);
  return xc_op_is(owner, "memref.store") ||
         (!mlirAttributeIsNull(written) &&
          mlirIntegerAttrGetValueInt(written) ==
              (int64_t)mlirOpOperandGetOperandNumber(use));
}

// Whether a function writes a buffer, under this name or another.
static bool is_written(MlirValue buffer) {
  xc_op_list views = {0}; // whose uses have not been looked at
  bool found = false;
  for (;;) {
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
         !found && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation owner = mlirOpOperandGetOwner(use);
      found = writes(use);
      if (mlirOperationGetNumResults(owner) == 1 &&
          mlirTypeIsAMemRef(mlirValueGetType(xc_op_result(owner))))
        xc_op_list_add(&views, owner);
    }
    if (found || views.count == 0)
      break;
    buffer = xc_op_result(views.items[--views.count]);
  }
  free(views.items);
  return found;
}

static const char *argument_name(xc_c_function *f, MlirAttribute names,
                                 intptr_t index) {
  const char *stem = "buffer";
  xc_text text = {0};
  if (!mlirAttributeIsNull(names) &&
      index < mlirArrayAttrGetNumElements(names)) {
    MlirStringRef name =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, index));
    xc_text_append(&text, name.data, name.length);
    stem = xc_text_str(&text);
  }
  unsigned same = 0;
  for (intptr_t i = 0; i < index && !mlirAttributeIsNull(names); ++i)
    same += mlirAttributeEqual(mlirArrayAttrGetElement(names, i),
                               mlirArrayAttrGetElement(names, index));
  const char *name = xc_c_new_name(f, stem, &same);
  xc_text_free(&text);
  return name;
}

static void print_parameters(xc_c_function *f, MlirOperation function,
                             MlirBlock body, xc_text *line) {
  MlirAttribute names = xc_op_attribute(function, XC_NAME_ARGUMENTS);
  intptr_t count = mlirBlockGetNumArguments(body);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    MlirType type = mlirValueGetType(argument);
    const char *name = argument_name(f, names, i);
    xc_c_set_name(f, argument, name);
    xc_text_printf(line, "%s%s%s *%s", i ? ", " : "",
                   is_written(argument) ? "" : "const ",
                   xc_c_element_type(mlirShapedTypeGetElementType(type)), name);
  }
  if (count == 0)
    xc_text_puts(line, "void");
}

// Tables that canonicalization has found no use for.
static void mention_unused(xc_c_function *f, MlirBlock body) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(argument)))
      xc_c_line(f, "(void)%s;", xc_c_get_name(f, argument));
  }
}

static void function_free(xc_c_function *f) {
  xc_c_ranges_free(&f->ranges);
  xc_pointer_map_free(&f->names);
  xc_pointer_map_free(&f->decisions);
  xc_pointer_map_free(&f->printed);
  xc_pointer_map_free(&f->targets);
  xc_arena_free(&f->arena);
}

bool xc_c_write_kernel(xc_c_module *m, MlirOperation function) {
  xc_c_function f = {.out = &m->code, .helpers = m->helpers};
  MlirBlock body = mlirRegionGetFirstBlock(xc_function_body(function));
  MlirAttribute key = xc_c_symbol(function, "sym_name");
  const char *name = xc_pointer_map_get(&m->kernel_of, key.ptr);
  xc_text line = {0};
  xc_text_printf(&line, "static void %s(", name);
  print_parameters(&f, function, body, &line);
  xc_c_line(&f, "%s) {", xc_text_str(&line));
  xc_text_free(&line);
  f.indent = 1;
  mention_unused(&f, body);
  bool ok = xc_c_block(&f, body);
  f.indent = 0;
  xc_c_line(&f, "}");
  xc_text_puts(&m->code, "\n");
  function_free(&f);
  return ok;
}
