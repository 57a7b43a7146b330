//===- Module.c - functions, constants and names of a module --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include "Conversion/Support/EntryNames.h"
#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/Names.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; // of the plan of the arena

static int64_t align(int64_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

MlirAttribute xc_c_symbol(MlirOperation operation, const char *attribute) {
  MlirAttribute name = xc_op_attribute(operation, attribute);
  MlirStringRef string = mlirAttributeIsAFlatSymbolRef(name)
                             ? mlirFlatSymbolRefAttrGetValue(name)
                             : mlirStringAttrGetValue(name);
  return mlirStringAttrGet(mlirOperationGetContext(operation), string);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// The last two words of the first of the joined names, as a name of C.
static void short_name(MlirStringRef name, xc_text *text) {
  size_t end = 0, begin = 0, parts = 0;
  while (end < name.length && name.data[end] != ';')
    ++end;
  for (begin = end; begin > 0; --begin)
    if (strchr("/.:", name.data[begin - 1]) && ++parts == 2)
      break;
  for (size_t i = begin; i < end && text->length < 40; ++i) {
    unsigned char c = (unsigned char)name.data[i];
    char word = isalnum(c) && c < 128 ? (char)tolower(c) : '_';
    bool twice =
        word == '_' && (!text->length || text->data[text->length - 1] == '_');
    if (!twice)
      xc_text_append(text, &word, 1);
  }
  while (text->length && text->data[text->length - 1] == '_')
    text->data[--text->length] = '\0';
}

// Returns the stem, or the stem with the first number behind it that is free.
// Numbers go on after the last one of that stem: many layers may have one name.
static const char *take(xc_c_module *m, const char *stem) {
  MlirContext context = mlirOperationGetContext(m->operation);
  const void *stem_key = mlirStringAttrGet(context, xc_ref(stem)).ptr;
  const void *key = stem_key;
  uintptr_t number = (uintptr_t)xc_pointer_map_get(&m->taken, stem_key);
  xc_text text = {0};
  xc_text_puts(&text, stem);
  bool is_free = number == 0 && !xc_is_c_word(xc_ref(stem));
  number = number ? number : 1;
  while (!is_free) {
    xc_text_free(&text);
    xc_text_printf(&text, "%s_%" PRIuPTR, stem, ++number);
    key = mlirStringAttrGet(context, xc_ref(text.data)).ptr;
    is_free =
        !xc_pointer_map_has(&m->taken, key) && !xc_is_c_word(xc_ref(text.data));
  }
  xc_pointer_map_set(&m->taken, key, (void *)(uintptr_t)1);
  xc_pointer_map_set(&m->taken, stem_key, (void *)number);
  const char *name = xc_arena_string(&m->arena, text.data, text.length);
  xc_text_free(&text);
  return name;
}

const char *xc_c_unique_name(xc_c_module *m, MlirStringRef hint,
                             const char *role) {
  xc_text words = {0}, stem = {0};
  short_name(hint, &words);
  const char *known = xc_text_str(&words);
  xc_text_printf(&stem, "%s%s%s%s", isdigit((unsigned char)*known) ? "t" : "",
                 known, *known && *role ? "_" : "", role);
  const char *name = take(m, xc_text_str(&stem));
  xc_text_free(&stem);
  xc_text_free(&words);
  return name;
}

void xc_c_print_comment(xc_text *out, MlirStringRef name) {
  for (size_t i = 0; i < name.length && i < 70; ++i) {
    char c = isprint((unsigned char)name.data[i]) ? name.data[i] : '?';
    xc_text_append(out, c == '\\' ? "/" : &c, 1);
  }
  xc_text_puts(out, name.length > 70 ? "..." : "");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

int64_t xc_c_buffer_bytes(MlirType memref) {
  xc_shape shape;
  if (!xc_shape_of_type(memref, &shape))
    return 0;
  return align(xc_shape_num_elements(&shape) *
               (int64_t)xc_element_size(shape.element));
}

size_t xc_c_add_constant(xc_c_module *m, MlirOperation operation,
                         MlirStringRef layer, const char *role) {
  MlirAttribute value = xc_op_attribute(operation, "value");
  uintptr_t known =
      mlirAttributeIsNull(value)
          ? 0
          : (uintptr_t)xc_pointer_map_get(&m->constant_of, value.ptr);
  if (known)
    return known - 1;
  void *constants = m->constants;
  xc_grow(&constants, &m->constant_capacity, m->num_constants + 1,
          sizeof(*m->constants));
  m->constants = constants;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  xc_text stem = {0};
  xc_text_printf(&stem, "%s_%s", m->options->name,
                 xc_c_unique_name(m, layer, role));
  m->constants[m->num_constants++] = (xc_c_constant){
      .name = xc_arena_string(&m->arena, stem.data, stem.length),
      .operation = operation,
      .type = type,
      .offset = m->params_bytes};
  xc_text_free(&stem);
  m->params_bytes += xc_c_buffer_bytes(type);
  if (!mlirAttributeIsNull(value))
    xc_pointer_map_set(&m->constant_of, value.ptr,
                       (void *)(uintptr_t)m->num_constants);
  return m->num_constants - 1;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirStringRef listed_name(MlirOperation function, const char *list,
                                 intptr_t index) {
  MlirAttribute names = xc_op_attribute(function, list);
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) ||
      index >= mlirArrayAttrGetNumElements(names) ||
      !mlirAttributeIsAString(mlirArrayAttrGetElement(names, index)))
    return xc_ref("");
  return mlirStringAttrGetValue(mlirArrayAttrGetElement(names, index));
}

static void add_arguments(xc_c_module *m, xc_c_entry *entry) {
  MlirOperation function = entry->operation;
  MlirType type = xc_function_type(function);
  MlirAttribute inputs = xc_op_attribute(function, XC_NAME_NUM_INPUTS);
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  intptr_t num_inputs =
      mlirAttributeIsNull(inputs) ? 0 : mlirIntegerAttrGetValueInt(inputs);
  entry->num_arguments = (size_t)count;
  entry->arguments =
      xc_arena_alloc(&m->arena, (size_t)count + 1, sizeof(*entry->arguments));
  for (intptr_t i = 0; i < count; ++i) {
    bool is_output = i >= num_inputs;
    intptr_t index = is_output ? i - num_inputs : i;
    MlirStringRef name = listed_name(
        function, is_output ? "output_names" : "input_names", index);
    MlirType memref = mlirFunctionTypeGetInput(type, i);
    xc_text note = {0};
    xc_shape shape;
    if (xc_shape_of_type(memref, &shape))
      xc_shape_print(&shape, &note);
    entry->arguments[i] = (xc_c_argument){
        .name = xc_c_unique_name(m, name,
                                 name.length ? ""
                                 : is_output ? "output"
                                             : "input"),
        .type = memref,
        .note = xc_arena_string(&m->arena, xc_text_str(&note), note.length),
        .is_output = is_output};
    xc_text_free(&note);
  }
}

// The function that the program calls is named like the files.
static const char *entry_symbol(xc_c_module *m, MlirOperation function) {
  MlirStringRef own = xc_function_name(function);
  if (xc_ref_is(own, "main"))
    return m->options->name;
  MlirStringRef entry = mlirStringAttrGetValue(xc_entry_name(function));
  xc_text text = {0};
  xc_text_printf(&text, "%s_%.*s", m->options->name, (int)entry.length,
                 entry.data);
  const char *name = take(m, xc_text_str(&text));
  xc_text_free(&text);
  return name;
}

static bool add_entry(xc_c_module *m, MlirOperation function) {
  xc_c_entry *entry = &m->entries[m->num_entries++];
  *entry = (xc_c_entry){.operation = function,
                        .symbol = entry_symbol(m, function),
                        .is_public = !xc_function_is_private(function)};
  if (mlirFunctionTypeGetNumResults(xc_function_type(function)) != 0)
    return xc_op_error(function, "returns values: run global-bufferize first");
  add_arguments(m, entry);
  xc_pointer_map_set(&m->entry_of, xc_c_symbol(function, "sym_name").ptr,
                     (void *)(uintptr_t)m->num_entries);
  return true;
}

// "xc.qlinear-conv2d.0" as qlinear_conv2d_0.
static void add_kernel(xc_c_module *m, MlirOperation function) {
  MlirStringRef name = xc_function_name(function);
  xc_text text = {0};
  size_t skip = name.length > 3 && memcmp(name.data, "xc.", 3) == 0 ? 3 : 0;
  for (size_t i = skip; i < name.length; ++i) {
    char c = isalnum((unsigned char)name.data[i]) ? name.data[i] : '_';
    xc_text_append(&text, &c, 1);
  }
  MlirAttribute key = xc_c_symbol(function, "sym_name");
  xc_pointer_map_set(&m->kernel_of, key.ptr,
                     (void *)(uintptr_t)take(m, xc_text_str(&text)));
  MlirAttribute roles = xc_op_attribute(function, XC_NAME_ARGUMENTS);
  if (!mlirAttributeIsNull(roles))
    xc_pointer_map_set(&m->roles_of, key.ptr, (void *)(uintptr_t)roles.ptr);
  xc_text_free(&text);
}

// Bytes of the arena: own buffers, then those of one callee at a time.
static bool measure(xc_c_module *m, xc_c_entry *entry, size_t depth) {
  if (entry->state == XC_C_KNOWN)
    return true;
  if (entry->state == XC_C_BUSY)
    return xc_op_error(entry->operation, "calls itself");
  entry->state = XC_C_BUSY;
  int64_t callees = 0;
  MlirBlock body = mlirRegionGetFirstBlock(xc_function_body(entry->operation));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (xc_op_is(op, "memref.alloc") &&
        mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_STATUS)))
      entry->own_bytes +=
          xc_c_buffer_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!xc_op_is(op, "func.call"))
      continue;
    uintptr_t callee = (uintptr_t)xc_pointer_map_get(
        &m->entry_of, xc_c_symbol(op, "callee").ptr);
    if (!callee)
      continue;
    xc_c_entry *other = &m->entries[callee - 1];
    if (!xc_check_call_depth(op, depth + 1 + other->height) ||
        !measure(m, other, depth + 1))
      return false;
    if (entry->height <= other->height)
      entry->height = other->height + 1;
    callees = other->arena_bytes > callees ? other->arena_bytes : callees;
  }
  entry->arena_bytes = entry->own_bytes + callees;
  entry->state = XC_C_KNOWN;
  return true;
}

bool xc_c_collect(xc_c_module *m) {
  static const char *const own[] = {"arena", "params", "status"};
  for (size_t i = 0; i < sizeof(own) / sizeof(*own); ++i)
    take(m, own[i]);
  take(m, m->options->name);
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(m->operation, 0));
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  m->entries = xc_arena_alloc(&m->arena, count + 1, sizeof(*m->entries));
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!xc_op_is(op, "func.func"))
      continue;
    if (!mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_KERNEL)))
      add_kernel(m, op);
    else if (!mlirRegionIsNull(xc_function_body(op)))
      ok = add_entry(m, op);
  }
  if (ok && m->num_entries == 0)
    ok = xc_op_error(m->operation, "has no function that could be called");
  for (size_t i = 0; ok && i < m->num_entries; ++i)
    ok = measure(m, &m->entries[i], 0);
  return ok;
}
