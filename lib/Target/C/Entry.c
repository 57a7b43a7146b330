//===- Entry.c - a function of the model as C -----------------------------===//
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
#include "Support/Memory.h"
#include "dialects/Emit.h"
#include "dialects/OpInfo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A function of the model while it is written.
typedef struct writer {
  xc_c_module *m;
  const xc_c_entry *entry;
  xc_pointer_map text_of; // buffer -> expression of C
  xc_text declarations, calls;
  bool fails; // has a status
} writer;

static void set_text(writer *w, MlirValue value, const xc_text *text) {
  xc_pointer_map_set(&w->text_of, value.ptr,
                     xc_arena_string(&w->m->arena, text->data, text->length));
}

static const char *text_of(const writer *w, MlirValue value) {
  return xc_pointer_map_get(&w->text_of, value.ptr);
}

static const char *element_of(MlirValue buffer) {
  return xc_c_element_type(
      mlirShapedTypeGetElementType(mlirValueGetType(buffer)));
}

//===----------------------------------------------------------------------===//
// Names of buffers
//===----------------------------------------------------------------------===//

static MlirStringRef string_of(MlirOperation operation, const char *name) {
  MlirAttribute attribute = xc_op_attribute(operation, name);
  return mlirAttributeIsNull(attribute) ? xc_ref("")
                                        : mlirStringAttrGetValue(attribute);
}

// Returns the buffer itself, before casts of its element type.
static MlirValue root_of(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation owner = mlirOpResultGetOwner(value);
    if (!xc_op_is(owner, "builtin.unrealized_conversion_cast") &&
        !xc_op_is(owner, "memref.reinterpret_cast") &&
        !xc_op_is(owner, "memref.cast"))
      break;
    value = mlirOperationGetOperand(owner, 0);
  }
  return value;
}

// Finds the role of an argument of a function: "input", "output", "table".
static void role_at(const writer *w, MlirOperation call, intptr_t position,
                    xc_text *role) {
  xc_text_free(role);
  MlirAttribute key = xc_c_symbol(call, "callee");
  MlirAttribute roles =
      xc_pointer_map_has(&w->m->roles_of, key.ptr)
          ? (MlirAttribute){xc_pointer_map_get(&w->m->roles_of, key.ptr)}
          : mlirAttributeGetNull();
  if (mlirAttributeIsNull(roles) ||
      position >= mlirArrayAttrGetNumElements(roles)) {
    xc_text_puts(role, "buffer");
    return;
  }
  MlirStringRef name =
      mlirStringAttrGetValue(mlirArrayAttrGetElement(roles, position));
  xc_text_append(role, name.data, name.length);
}

// The call that fills a buffer names it; without one, any that reads it.
// Views, whose uses come in place of theirs, may be of views in turn.
static MlirOperation user_of(const writer *w, MlirValue buffer, xc_text *role) {
  MlirOperation found = {NULL};
  MlirOpOperand *next = NULL; // for each view around
  size_t depth = 0, capacity = 0;
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (bool fills = false; !fills;) {
    if (mlirOpOperandIsNull(use)) {
      if (depth == 0)
        break;
      use = next[--depth];
      continue;
    }
    MlirOperation owner = mlirOpOperandGetOwner(use);
    intptr_t at = (intptr_t)mlirOpOperandGetOperandNumber(use);
    use = mlirOpOperandGetNextUse(use);
    if (xc_op_is(owner, "func.call")) {
      role_at(w, owner, at, role);
      found = owner;
      fills = strcmp(xc_text_str(role), "output") == 0 ||
              strcmp(xc_text_str(role), "scratch") == 0;
    } else if (mlirOperationGetNumResults(owner) == 1) {
      xc_grow((void **)&next, &capacity, depth + 1, sizeof(*next));
      next[depth++] = use;
      use = mlirValueGetFirstUse(xc_op_result(owner));
    }
  }
  free(next);
  return found;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool add_constant(writer *w, MlirOperation operation) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  xc_text role = {0}, text = {0};
  MlirOperation call = user_of(w, value, &role);
  if (mlirOperationIsNull(call))
    return true;
  size_t index = xc_c_add_constant(w->m, operation, string_of(call, "op_name"),
                                   xc_text_str(&role));
  const xc_c_constant *constant = &w->m->constants[index];
  if (w->m->options->paramsFile)
    xc_text_printf(&text,
                   "(const %s *)((const unsigned char *)params + %" PRId64 ")",
                   element_of(value), constant->offset);
  else
    xc_text_puts(&text, constant->name);
  set_text(w, value, &text);
  xc_text_free(&text);
  xc_text_free(&role);
  return true;
}

static void add_alloc(writer *w, MlirOperation operation, int64_t *offset) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  xc_text text = {0};
  if (!mlirAttributeIsNull(xc_op_attribute(operation, XC_NAME_STATUS))) {
    w->fails = true;
    xc_text_puts(&text, "&status");
  } else {
    xc_text_puts(&text, "(unsigned char *)arena");
    if (*offset)
      xc_text_printf(&text, " + %" PRId64, *offset);
    *offset += xc_c_buffer_bytes(mlirValueGetType(value));
    // Views cast; a buffer that is used as it stands needs one, too.
    if (strcmp(element_of(value), "int8_t") != 0) {
      xc_text cast = {0};
      xc_text_printf(&cast, "(%s *)(%s)", element_of(value),
                     xc_text_str(&text));
      xc_text_free(&text);
      text = cast;
    }
  }
  set_text(w, value, &text);
  xc_text_free(&text);
}

static void add_view(writer *w, MlirOperation operation) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  int64_t offset = 0;
  xc_c_int_constant(mlirOperationGetOperand(operation, 1), &offset);
  xc_text role = {0}, text = {0};
  MlirOperation call = user_of(w, value, &role);
  if (mlirOperationIsNull(call))
    return;
  const char *name =
      xc_c_unique_name(w->m, string_of(call, "op_name"), xc_text_str(&role));
  const char *base = text_of(w, mlirOperationGetOperand(operation, 0));
  xc_text_printf(&w->declarations,
                 offset ? "  %s *const %s = (%s *)(%s + %" PRId64 ");\n"
                        : "  %s *const %s = (%s *)(%s);\n",
                 element_of(value), name, element_of(value), base, offset);
  xc_text_puts(&text, name);
  set_text(w, value, &text);
  xc_text_free(&text);
  xc_text_free(&role);
}

// Writes a cast: the text of its operand, converted to another element type.
static void add_cast(writer *w, MlirOperation operation) {
  MlirValue from = mlirOperationGetOperand(operation, 0);
  MlirValue to = mlirOperationGetResult(operation, 0);
  const char *type = element_of(to), *base = text_of(w, from);
  if (!base)
    return; // of a constant that nothing reads
  xc_text text = {0};
  int64_t offset = xc_c_offset_of(mlirValueGetType(to)) -
                   xc_c_offset_of(mlirValueGetType(from));
  if (strcmp(type, element_of(from)) == 0) {
    xc_text_printf(&text, offset ? "(%s + %" PRId64 ")" : "%s", base, offset);
  } else {
    MlirValue root = root_of(from);
    bool is_const =
        mlirValueIsAOpResult(root)
            ? xc_op_is(mlirOpResultGetOwner(root), "memtx.const")
            : !w->entry->arguments[mlirBlockArgumentGetArgNumber(root)]
                   .is_output;
    xc_text_printf(&text, "(%s%s *)%s", is_const ? "const " : "", type, base);
  }
  set_text(w, to, &text);
  xc_text_free(&text);
}

static void add_call(writer *w, MlirOperation call) {
  xc_c_module *m = w->m;
  MlirAttribute callee = xc_c_symbol(call, "callee");
  uintptr_t entry = (uintptr_t)xc_pointer_map_get(&m->entry_of, callee.ptr);
  MlirStringRef name = string_of(call, "op_name");
  xc_text line = {0};
  if (name.length) {
    xc_text_puts(&w->calls, "  // ");
    xc_c_print_comment(&w->calls, name);
    xc_text_puts(&w->calls, "\n");
  }
  if (entry) {
    w->fails = true;
    xc_text_printf(&line, "status |= %s(", m->entries[entry - 1].symbol);
  } else {
    xc_text_printf(&line, "%s(",
                   (const char *)xc_pointer_map_get(&m->kernel_of, callee.ptr));
  }
  intptr_t count = mlirOperationGetNumOperands(call);
  for (intptr_t i = 0; i < count; ++i)
    xc_text_printf(&line, "%s%s", i ? ", " : "",
                   text_of(w, mlirOperationGetOperand(call, i)));
  if (entry)
    xc_text_printf(&line, "%s(unsigned char *)arena + %" PRId64 "%s",
                   count ? ", " : "", w->entry->own_bytes,
                   m->options->paramsFile ? ", params" : "");
  xc_c_function f = {.out = &w->calls, .indent = 1};
  xc_c_line(&f, "%s);", xc_text_str(&line));
  xc_text_free(&line);
}

static bool emit(writer *w, MlirOperation op, int64_t *offset) {
  if (xc_op_is(op, "memtx.const"))
    return add_constant(w, op);
  if (xc_op_is(op, "memref.alloc"))
    add_alloc(w, op, offset);
  else if (xc_op_is(op, "memref.view"))
    add_view(w, op);
  else if (xc_op_is(op, "builtin.unrealized_conversion_cast") ||
           xc_op_is(op, "memref.cast") ||
           xc_op_is(op, "memref.reinterpret_cast"))
    add_cast(w, op);
  else if (xc_op_is(op, "func.call"))
    add_call(w, op);
  else if (!xc_op_is(op, "memref.dealloc") && !xc_op_is(op, "func.return") &&
           !xc_op_is(op, "arith.constant") && !xc_op_is(op, "tir.const"))
    return xc_op_error(op, "cannot be written as C");
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void xc_c_print_prototype(const xc_c_module *m, const xc_c_entry *entry,
                          xc_text *out) {
  xc_text line = {0};
  xc_text_printf(&line, "%sint32_t %s(", entry->is_public ? "" : "static ",
                 entry->symbol);
  for (size_t i = 0; i < entry->num_arguments; ++i) {
    const xc_c_argument *a = &entry->arguments[i];
    xc_text_printf(&line, "%s%s *%s, ", a->is_output ? "" : "const ",
                   xc_c_element_type(mlirShapedTypeGetElementType(a->type)),
                   a->name);
  }
  xc_text_printf(&line, "void *arena%s)",
                 m->options->paramsFile ? ", const void *params" : "");
  xc_c_function f = {.out = out};
  xc_c_line(&f, "%s", xc_text_str(&line));
  xc_text_free(&line);
  --out->length; // the newline
}

static void finish(writer *w, int64_t own) {
  xc_text *out = &w->m->code;
  xc_c_print_prototype(w->m, w->entry, out);
  xc_text_append(out, " {\n", 3);
  xc_text_append(out, xc_text_str(&w->declarations), w->declarations.length);
  MlirBlock body =
      mlirRegionGetFirstBlock(xc_function_body(w->entry->operation));
  for (size_t i = 0; i < w->entry->num_arguments; ++i)
    if (!xc_value_is_used(mlirBlockGetArgument(body, (intptr_t)i)))
      xc_text_printf(out, "  (void)%s;\n", w->entry->arguments[i].name);
  if (own == 0 && w->entry->arena_bytes == 0)
    xc_text_puts(out, "  (void)arena;\n");
  if (w->m->options->paramsFile)
    xc_text_puts(out, "  (void)params;\n");
  if (w->fails)
    xc_text_puts(out, "  int32_t status = 0;\n");
  xc_text_append(out, xc_text_str(&w->calls), w->calls.length);
  xc_text_puts(out,
               w->fails ? "  return status;\n}\n\n" : "  return 0;\n}\n\n");
}

bool xc_c_write_entry(xc_c_module *m, const xc_c_entry *entry) {
  writer w = {.m = m, .entry = entry};
  MlirBlock body = mlirRegionGetFirstBlock(xc_function_body(entry->operation));
  for (size_t i = 0; i < entry->num_arguments; ++i) {
    xc_text text = {0};
    xc_text_puts(&text, entry->arguments[i].name);
    set_text(&w, mlirBlockGetArgument(body, (intptr_t)i), &text);
    xc_text_free(&text);
  }
  bool ok = true;
  int64_t offset = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ok = emit(&w, op, &offset);
  if (ok)
    finish(&w, offset);
  xc_pointer_map_free(&w.text_of);
  xc_text_free(&w.declarations);
  xc_text_free(&w.calls);
  return ok;
}
