//===- Statement.c - loops, branches and stores as statements of C --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Memory.h"
#include "dialects/Emit.h"
#include "dialects/OpInfo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

enum { COLUMNS = 80 };

// Returns where to break text that does not fit into a line: after the last
// comma that does, unless that leaves half of the line empty, else at the last
// space, else at the first one.
static size_t break_at(const char *text, size_t room) {
  size_t length = strlen(text), space = 0, comma = 0;
  if (length <= room)
    return length;
  for (size_t i = 1; i < length && (i <= room || space == 0); ++i)
    if (text[i] == ' ') {
      space = i;
      comma = text[i - 1] == ',' ? i : comma;
    }
  return comma > room / 2 ? comma : space ? space : length;
}

void xc_c_line(xc_c_function *f, const char *format, ...) {
  xc_text text = {0};
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  unsigned indent = 2 * f->indent;
  const char *rest = xc_text_str(&text);
  while (*rest) {
    size_t length = break_at(rest, COLUMNS > indent ? COLUMNS - indent : 1);
    xc_text_printf(f->out, "%*s%.*s\n", (int)indent, "", (int)length, rest);
    rest += length;
    while (*rest == ' ')
      ++rest;
    indent = 2 * f->indent + 4;
  }
  xc_text_free(&text);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// Prints an index into a dense buffer, by Horner's rule.
static void dense_index(xc_c_function *f, xc_text *text,
                        MlirOperation operation, intptr_t first,
                        MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  bool is_sum = false;
  for (intptr_t i = 0; i < rank; ++i) {
    int64_t size = mlirShapedTypeGetDimSize(type, i), constant;
    MlirValue index = mlirOperationGetOperand(operation, first + i);
    if (text->length && size != 1) {
      xc_text product = {0};
      xc_text_printf(&product, is_sum ? "(%s) * %" PRId64 : "%s * %" PRId64,
                     xc_text_str(text), size);
      xc_text_free(text);
      *text = product;
      is_sum = false;
    }
    if (xc_c_int_constant(index, &constant) && constant == 0)
      continue;
    is_sum = text->length > 0;
    xc_text_puts(text, is_sum ? " + " : "");
    xc_c_expression(f, text, index, is_sum ? XC_C_SUM : XC_C_PRODUCT);
  }
}

static void strided_index(xc_c_function *f, xc_text *text,
                          MlirOperation operation, intptr_t first,
                          intptr_t rank, const int64_t *strides) {
  for (intptr_t i = 0; i < rank; ++i) {
    MlirValue index = mlirOperationGetOperand(operation, first + i);
    int64_t constant;
    if (strides[i] == 0 ||
        (xc_c_int_constant(index, &constant) && constant == 0))
      continue;
    xc_text_puts(text, text->length ? " + " : "");
    xc_c_expression(f, text, index, XC_C_PRODUCT);
    if (strides[i] != 1)
      xc_text_printf(text, " * %" PRId64, strides[i]);
  }
}

void xc_c_element(xc_c_function *f, xc_text *text, MlirOperation operation,
                  intptr_t buffer) {
  MlirValue memref = mlirOperationGetOperand(operation, buffer);
  MlirType type = mlirValueGetType(memref);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t strides[XC_MAX_RANK], offset = 0, dense = 1;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  bool is_dense = true;
  for (intptr_t i = rank; i-- > 0;) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    is_dense = is_dense && (size == 1 || strides[i] == dense);
    dense *= size;
  }
  xc_text index = {0};
  if (is_dense)
    dense_index(f, &index, operation, buffer + 1, type);
  else
    strided_index(f, &index, operation, buffer + 1, rank, strides);
  xc_text_printf(text, "%s[%s]", xc_c_get_name(f, memref),
                 index.length ? xc_text_str(&index) : "0");
  xc_text_free(&index);
}

int64_t xc_c_offset_of(MlirType type) {
  int64_t strides[XC_MAX_RANK], offset = 0;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  return offset;
}

// Another shape of a buffer: its name, and where it begins.
static void alias(xc_c_function *f, MlirOperation operation) {
  MlirValue from = mlirOperationGetOperand(operation, 0);
  MlirValue to = mlirOperationGetResult(operation, 0);
  int64_t offset = xc_c_offset_of(mlirValueGetType(to)) -
                   xc_c_offset_of(mlirValueGetType(from));
  xc_text text = {0};
  xc_text_printf(&text, offset ? "(%s + %" PRId64 ")" : "%s",
                 xc_c_get_name(f, from), offset);
  xc_c_set_name(f, to, xc_text_str(&text));
  xc_text_free(&text);
}

static void declare_array(xc_c_function *f, MlirOperation operation) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  MlirType type = mlirValueGetType(value);
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count *= mlirShapedTypeGetDimSize(type, i);
  const char *name = xc_c_new_name(f, "buffer", &f->num_buffers);
  xc_c_line(f, "%s %s[%" PRId64 "];",
            xc_c_element_type(mlirShapedTypeGetElementType(type)), name, count);
  xc_c_set_name(f, value, name);
}

//===----------------------------------------------------------------------===//
// Values that wait for the expression that uses them
//===----------------------------------------------------------------------===//

typedef struct pending_values {
  MlirValue *items;
  size_t count, capacity;
} pending_values;

static void wait(pending_values *pending, MlirValue value) {
  void *items = pending->items;
  xc_grow(&items, &pending->capacity, pending->count + 1, sizeof(value));
  pending->items = items;
  pending->items[pending->count++] = value;
}

static void declare_value(xc_c_function *f, MlirValue value) {
  xc_text text = {0};
  xc_c_expression(f, &text, value, XC_C_ANY);
  const char *name = xc_c_new_name(f, "v", &f->num_values);
  xc_c_line(f, "const %s %s = %s;", xc_c_value_type(f, value), name,
            xc_text_str(&text));
  xc_c_set_name(f, value, name);
  xc_text_free(&text);
}

// Before a statement that writes memory: what has read it and is not part of
// the statement becomes a variable, larger expressions first.
static void settle(xc_c_function *f, pending_values *pending) {
  for (size_t i = pending->count; i-- > 0;)
    if (!xc_pointer_map_has(&f->printed, pending->items[i].ptr) &&
        xc_c_reads_memory(f, pending->items[i]))
      declare_value(f, pending->items[i]);
  pending->count = 0;
}

//===----------------------------------------------------------------------===//
// Variables that loops and branches write
//===----------------------------------------------------------------------===//

static MlirBlock body_of(MlirOperation operation, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, region));
}

static MlirValue yielded(MlirBlock block, intptr_t slot) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), slot);
}

// Returns the loop or branch of a block that makes the value of a slot, and
// nothing else of it; null if it is something else.
static MlirOperation writer_of(MlirBlock block, intptr_t slot) {
  MlirValue value = yielded(block, slot);
  const MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value) || !xc_value_has_one_use(value))
    return none;
  MlirOperation owner = mlirOpResultGetOwner(value);
  bool writes = xc_op_is(owner, "scf.for") || xc_op_is(owner, "scf.if");
  return writes && mlirBlockEqual(mlirOperationGetBlock(owner), block) ? owner
                                                                       : none;
}

static MlirOperation ancestor_in(MlirBlock block, MlirOperation operation) {
  while (!mlirBlockEqual(mlirOperationGetBlock(operation), block))
    operation = mlirOperationGetParentOperation(operation);
  return operation;
}

static bool is_inside(MlirBlock block, MlirOperation operation) {
  for (; !mlirOperationIsNull(operation);
       operation = mlirOperationGetParentOperation(operation))
    if (mlirBlockEqual(mlirOperationGetBlock(operation), block))
      return true;
  return false;
}

// Whether a slot of a block may be written while it is computed: its old value
// is not read later. `value` is what the slot held before.
static bool may_share(MlirValue value, MlirBlock block, intptr_t slot) {
  MlirOperation writer = writer_of(block, slot);
  if (mlirOperationIsNull(writer))
    return true;
  intptr_t number = mlirOpResultGetResultNumber(yielded(block, slot));
  bool is_loop = xc_op_is(writer, "scf.for");
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (!is_inside(block, owner))
      continue;
    if (!mlirOperationEqual(ancestor_in(block, owner), writer))
      return false;
    bool is_init = mlirOperationEqual(owner, writer) &&
                   (intptr_t)mlirOpOperandGetOperandNumber(use) == 3 + number;
    if (is_loop && !is_init)
      return false;
  }
  return is_loop || (may_share(value, body_of(writer, 0), number) &&
                     may_share(value, body_of(writer, 1), number));
}

// The loop or branch that makes the value of a slot writes its variable.
static void set_target(xc_c_function *f, MlirBlock block, intptr_t slot,
                       const char *name) {
  if (!mlirOperationIsNull(writer_of(block, slot)))
    xc_pointer_map_set(&f->targets, yielded(block, slot).ptr,
                       (void *)(uintptr_t)name);
}

static const char *target_of(xc_c_function *f, MlirValue result,
                             bool *declared) {
  const char *name = xc_pointer_map_get(&f->targets, result.ptr);
  *declared = name != NULL;
  return name ? name : xc_c_new_name(f, "acc", &f->num_sums);
}

// Whether an expression reads a variable.
static bool mentions(xc_c_function *f, MlirValue value, const char *name) {
  value = xc_c_source(f, value);
  const char *own = xc_c_get_name(f, value);
  if (own || !mlirValueIsAOpResult(value))
    return own && strcmp(own, name) == 0;
  MlirOperation owner = mlirOpResultGetOwner(value);
  intptr_t operands = mlirOperationGetNumOperands(owner);
  for (intptr_t i = 0; i < operands; ++i)
    if (mentions(f, mlirOperationGetOperand(owner, i), name))
      return true;
  return false;
}

// The variables of a block's slots get their new values, as if at once.
static void assign(xc_c_function *f, MlirBlock block, const char **names) {
  MlirOperation yield = mlirBlockGetTerminator(block);
  intptr_t count = mlirOperationGetNumOperands(yield);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t k = 0; k < i; ++k)
      if (mentions(f, mlirOperationGetOperand(yield, i), names[k]))
        declare_value(f, xc_c_source(f, mlirOperationGetOperand(yield, i)));
  xc_text text = {0};
  for (intptr_t i = 0; i < count; ++i) {
    xc_c_expression(f, &text, mlirOperationGetOperand(yield, i), XC_C_ANY);
    size_t length = strlen(names[i]);
    if (strncmp(xc_text_str(&text), names[i], length) == 0 &&
        strncmp(xc_text_str(&text) + length, " + ", 3) == 0)
      xc_c_line(f, "%s += %s;", names[i], xc_text_str(&text) + length + 3);
    else if (strcmp(xc_text_str(&text), names[i]) != 0)
      xc_c_line(f, "%s = %s;", names[i], xc_text_str(&text));
    xc_text_free(&text);
  }
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

static const char *loop_name(xc_c_function *f) {
  static const char letters[] = "ijklmnpqrstu";
  xc_text text = {0};
  if (f->depth < sizeof(letters) - 1)
    xc_text_printf(&text, "%c", letters[f->depth]);
  else
    xc_text_printf(&text, "i%u", f->depth);
  char *name = xc_arena_string(&f->arena, text.data, text.length);
  xc_text_free(&text);
  return name;
}

static void open_loop(xc_c_function *f, MlirOperation loop) {
  xc_text bounds[3] = {{0}, {0}, {0}};
  for (intptr_t i = 0; i < 3; ++i)
    xc_c_expression(f, &bounds[i], mlirOperationGetOperand(loop, i), XC_C_SUM);
  MlirValue index = mlirBlockGetArgument(body_of(loop, 0), 0);
  const char *name = loop_name(f), *step = xc_text_str(&bounds[2]);
  xc_text round = {0};
  xc_text_printf(&round, strcmp(step, "1") == 0 ? "++%s" : "%s += %s", name,
                 step);
  xc_c_line(f, "for (%s %s = %s; %s < %s; %s) {", xc_c_value_type(f, index),
            name, xc_text_str(&bounds[0]), name, xc_text_str(&bounds[1]),
            xc_text_str(&round));
  xc_c_set_name(f, index, name);
  xc_text_free(&round);
  for (int i = 0; i < 3; ++i)
    xc_text_free(&bounds[i]);
}

static bool enter(xc_c_function *f, MlirBlock block, const char **names) {
  ++f->indent;
  bool ok = xc_c_block(f, block);
  assign(f, block, names);
  --f->indent;
  return ok;
}

static bool emit_loop(xc_c_function *f, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirBlock body = body_of(loop, 0);
  const char **names =
      xc_arena_alloc(&f->arena, (size_t)count + 1, sizeof(*names));
  xc_text init = {0};
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(loop, i);
    MlirValue carried = mlirBlockGetArgument(body, i + 1);
    bool declared;
    names[i] = target_of(f, result, &declared);
    xc_c_expression(f, &init, mlirOperationGetOperand(loop, 3 + i), XC_C_ANY);
    if (!declared)
      xc_c_line(f, "%s %s = %s;", xc_c_value_type(f, carried), names[i],
                xc_text_str(&init));
    else if (strcmp(names[i], xc_text_str(&init)) != 0)
      xc_c_line(f, "%s = %s;", names[i], xc_text_str(&init));
    xc_text_free(&init);
    xc_c_set_name(f, carried, names[i]);
    if (may_share(carried, body, i))
      set_target(f, body, i, names[i]);
  }
  open_loop(f, loop);
  ++f->depth;
  bool ok = enter(f, body, names);
  --f->depth;
  xc_c_line(f, "}");
  for (intptr_t i = 0; i < count; ++i)
    xc_c_set_name(f, mlirOperationGetResult(loop, i), names[i]);
  return ok;
}

static bool is_empty(MlirOperation operation, intptr_t region) {
  MlirBlock block = body_of(operation, region);
  return mlirBlockIsNull(block) ||
         mlirOperationEqual(mlirBlockGetFirstOperation(block),
                            mlirBlockGetTerminator(block));
}

// Whether all that a branch would do is assign variables to themselves.
static bool does_nothing(xc_c_function *f, MlirOperation branch,
                         intptr_t region, const char **names) {
  if (!is_empty(branch, region))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i) {
    MlirValue value = yielded(body_of(branch, region), i);
    const char *own = xc_c_get_name(f, xc_c_source(f, value));
    if (!own || strcmp(own, names[i]) != 0)
      return false;
  }
  return true;
}

static bool emit_branch(xc_c_function *f, MlirOperation branch) {
  intptr_t count = mlirOperationGetNumResults(branch);
  const char **names =
      xc_arena_alloc(&f->arena, (size_t)count + 1, sizeof(*names));
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(branch, i);
    bool declared;
    names[i] = target_of(f, result, &declared);
    if (!declared)
      xc_c_line(f, "%s %s;", xc_c_value_type(f, result), names[i]);
    for (intptr_t region = 0; region < 2; ++region)
      set_target(f, body_of(branch, region), i, names[i]);
  }
  xc_text condition = {0};
  xc_c_expression(f, &condition, mlirOperationGetOperand(branch, 0), XC_C_ANY);
  xc_c_line(f, "if (%s) {", xc_text_str(&condition));
  xc_text_free(&condition);
  bool ok = enter(f, body_of(branch, 0), names);
  bool has_else = !mlirBlockIsNull(body_of(branch, 1)) &&
                  !does_nothing(f, branch, 1, names);
  if (has_else) {
    xc_c_line(f, "} else {");
    ok = enter(f, body_of(branch, 1), names) && ok;
  }
  xc_c_line(f, "}");
  for (intptr_t i = 0; i < count; ++i)
    xc_c_set_name(f, mlirOperationGetResult(branch, i), names[i]);
  return ok;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// Whether a value that is stored needs a cast: C computes in 32 or 64 bits. A
// truncation is one already.
static bool needs_cast(xc_c_function *f, MlirValue value) {
  unsigned width = xc_c_int_width(mlirValueGetType(value));
  MlirValue source = xc_c_source(f, value);
  if (width == 0 || (mlirValueEqual(source, value) &&
                     !xc_c_get_name(f, value) && mlirValueIsAOpResult(value) &&
                     xc_op_is(mlirOpResultGetOwner(value), "arith.trunci")))
    return false;
  return width < 32 || strcmp(xc_c_element_type(mlirValueGetType(value)),
                              xc_c_value_type(f, source)) != 0;
}

static bool emit_store(xc_c_function *f, MlirOperation store,
                       pending_values *pending) {
  MlirValue value = mlirOperationGetOperand(store, 0);
  xc_text to = {0}, from = {0};
  xc_c_element(f, &to, store, 1);
  bool cuts = needs_cast(f, value);
  if (cuts)
    xc_text_printf(&from, "(%s)", xc_c_element_type(mlirValueGetType(value)));
  xc_c_expression(f, &from, value, cuts ? XC_C_UNARY : XC_C_ANY);
  settle(f, pending);
  xc_c_line(f, "%s = %s;", xc_text_str(&to), xc_text_str(&from));
  xc_text_free(&to);
  xc_text_free(&from);
  return true;
}

static bool emit_value(xc_c_function *f, MlirOperation operation,
                       pending_values *pending) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  if (xc_op_is(operation, "arith.constant") ||
      mlirOpOperandIsNull(mlirValueGetFirstUse(value)) ||
      xc_c_keeps_number(f, operation))
    return true;
  if (xc_c_is_inline(f, value))
    wait(pending, value);
  else
    declare_value(f, value);
  return true;
}

static MlirStringRef entry(MlirAttribute list, intptr_t index) {
  return mlirStringAttrGetValue(mlirArrayAttrGetElement(list, index));
}

static bool is_bracket(MlirStringRef name, char bracket) {
  return name.length == 1 && *name.data == bracket;
}

// Prints the type that a pointer points to.
static void print_pointee(xc_text *line, MlirStringRef type) {
  while (type.length > 0 && strchr(" *", type.data[type.length - 1]))
    --type.length;
  const size_t qualifier = strlen("const ");
  if (type.length > qualifier && memcmp(type.data, "const ", qualifier) == 0) {
    type.data += qualifier;
    type.length -= qualifier;
  }
  xc_text_printf(line, "&(%.*s)", (int)type.length, type.data);
}

static void print_argument(xc_c_function *f, xc_text *line, MlirValue value,
                           MlirStringRef type, MlirStringRef name) {
  if (name.length)
    xc_text_printf(line, "/*%.*s=*/", (int)name.length, name.data);
  if (mlirTypeIsAMemRef(mlirValueGetType(value)))
    xc_text_printf(line, "(%.*s)%s", (int)type.length, type.data,
                   xc_c_get_name(f, value));
  else if (type.length && type.data[type.length - 1] == '*')
    xc_text_printf(line, "(%.*s)0", (int)type.length, type.data);
  else
    xc_c_expression(f, line, value, XC_C_ANY);
}

// A function of the user, with the types that it declares. Structures have a
// bracket for a name and no operand.
static bool emit_call(xc_c_function *f, MlirOperation call,
                      pending_values *pending) {
  MlirAttribute types = xc_op_attribute(call, XC_NAME_TYPES);
  MlirAttribute names = xc_op_attribute(call, XC_NAME_NAMES);
  MlirAttribute function = xc_op_attribute(call, XC_NAME_FUNCTION);
  if (mlirAttributeIsNull(types) || mlirAttributeIsNull(names) ||
      mlirAttributeIsNull(function))
    return xc_op_error(call, "cannot be written as C");
  xc_text line = {0};
  MlirStringRef callee = mlirStringAttrGetValue(function);
  xc_text_printf(&line, "%.*s(", (int)callee.length, callee.data);
  intptr_t operand = 0;
  bool begins = true;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(types); ++i) {
    MlirStringRef type = entry(types, i), name = entry(names, i);
    bool opens = is_bracket(name, '{'), closes = is_bracket(name, '}');
    xc_text_puts(&line, begins || closes ? "" : ", ");
    if (opens && type.length)
      print_pointee(&line, type);
    if (opens || closes)
      xc_text_append(&line, name.data, name.length);
    else
      print_argument(f, &line, mlirOperationGetOperand(call, operand++), type,
                     name);
    begins = opens;
  }
  settle(f, pending);
  xc_c_line(f, "%s);", xc_text_str(&line));
  xc_text_free(&line);
  return true;
}

static bool emit(xc_c_function *f, MlirOperation operation,
                 pending_values *pending) {
  if (xc_c_is_pure(operation) || xc_op_is(operation, "memref.load"))
    return emit_value(f, operation, pending);
  if (xc_op_is(operation, "memref.store"))
    return emit_store(f, operation, pending);
  if (xc_op_is(operation, "memref.reinterpret_cast") ||
      xc_op_is(operation, "memref.cast")) {
    alias(f, operation);
    return true;
  }
  if (xc_op_is(operation, "memref.alloca")) {
    declare_array(f, operation);
    return true;
  }
  if (xc_op_is(operation, "func.call"))
    return emit_call(f, operation, pending);
  bool is_loop = xc_op_is(operation, "scf.for");
  if (is_loop || xc_op_is(operation, "scf.if")) {
    settle(f, pending);
    return is_loop ? emit_loop(f, operation) : emit_branch(f, operation);
  }
  return xc_op_error(operation, "cannot be written as C");
}

bool xc_c_block(xc_c_function *f, MlirBlock block) {
  pending_values pending = {0};
  MlirOperation end = mlirBlockGetTerminator(block);
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       ok && !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    ok = emit(f, op, &pending);
  free(pending.items);
  return ok && !f->failed;
}
