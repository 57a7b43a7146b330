//===- UserKernelCall.c - calls of functions of the user ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that becomes C has buffers and numbers as operands, and says in
// `xc.types` and `xc.names` what they are there; the structures that they are
// members of are entries without an operand. A call that is linked has 64-bit
// integers only, pointers too: machines of 64 bits pass these and narrower
// integers alike. Structures lie in memory of the caller, byte by byte.
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"

#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

//===----------------------------------------------------------------------===//
// For C
//===----------------------------------------------------------------------===//

static const char *argument_name(const xc_kernel_argument *a) {
  return a->what < XC_KERNEL_NUM_SIZES
             ? xc_kernel_size_name((xc_kernel_size)a->what)
             : "";
}

static int64_t number_of(const xc_kernel_argument *a,
                         const xc_kernel_call *call) {
  return a->what == XC_KERNEL_LITERAL    ? a->literal
         : a->what < XC_KERNEL_NUM_SIZES ? call->sizes[a->what]
                                         : 0;
}

// Returns null for a pointer to nothing, which is the number 0.
static MlirValue buffer_of(const xc_kernel_argument *a,
                           const xc_kernel_call *call) {
  return a->what >= XC_KERNEL_INPUT && a->what < XC_KERNEL_LITERAL
             ? call->buffers[a->what - XC_KERNEL_INPUT]
             : (MlirValue){NULL};
}

static void source_call(xc_lowering *l, const xc_kernel_call *call) {
  const xc_kernel_row *row = l->outliner->kernel->row;
  xc_ir *ir = &l->ir;
  MlirValue operands[XC_KERNEL_MAX_ARGUMENTS];
  MlirAttribute types[XC_KERNEL_MAX_ARGUMENTS], names[XC_KERNEL_MAX_ARGUMENTS];
  MlirType operand_types[XC_KERNEL_MAX_ARGUMENTS];
  size_t count = 0, output = 0;
  for (size_t i = 0; i < row->num_arguments; ++i) {
    const xc_kernel_argument *a = &row->arguments[i];
    const char *bracket = a->what == XC_KERNEL_OPEN    ? "{"
                          : a->what == XC_KERNEL_CLOSE ? "}"
                                                       : argument_name(a);
    types[i] = mlirStringAttrGet(ir->context, xc_ref(a->type ? a->type : ""));
    names[i] = mlirStringAttrGet(ir->context, xc_ref(bracket));
    if (a->what >= XC_KERNEL_OPEN)
      continue;
    output = a->what == XC_KERNEL_OUTPUT ? count : output;
    MlirValue buffer = buffer_of(a, call);
    operands[count] = mlirValueIsNull(buffer)
                          ? xc_ir_int(ir, ir->i32, number_of(a, call))
                          : buffer;
    operand_types[count] = mlirValueGetType(operands[count]);
    ++count;
  }
  const char *declared = xc_outline_declare(
      l->outliner, ir->location, row->function, operand_types, count);
  intptr_t entries = (intptr_t)row->num_arguments;
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "callee",
               mlirFlatSymbolRefAttrGet(ir->context, xc_ref(declared))),
      xc_named(ir->context, XC_NAME_FUNCTION,
               mlirStringAttrGet(ir->context, xc_ref(row->function))),
      xc_named(ir->context, XC_NAME_OUTPUT,
               mlirIntegerAttrGet(ir->i64, (int64_t)output)),
      xc_named(ir->context, XC_NAME_TYPES,
               mlirArrayAttrGet(ir->context, entries, types)),
      xc_named(ir->context, XC_NAME_NAMES,
               mlirArrayAttrGet(ir->context, entries, names))};
  xc_ir_operation(ir, "func.call", operands, count, attributes,
                  sizeof(attributes) / sizeof(*attributes));
}

//===----------------------------------------------------------------------===//
// To be linked
//===----------------------------------------------------------------------===//

static MlirValue address_of(xc_ir *ir, MlirValue buffer) {
  MlirValue index =
      xc_ir_op(ir, "memref.extract_aligned_pointer_as_index", &buffer, 1,
               mlirIndexTypeGet(ir->context), NULL, 0);
  return xc_ir_index_cast(ir, index, ir->i64);
}

static MlirValue value_of(xc_ir *ir, const xc_kernel_argument *a,
                          const xc_kernel_call *call) {
  MlirValue buffer = buffer_of(a, call);
  if (!mlirValueIsNull(buffer))
    return address_of(ir, buffer);
  int64_t number = number_of(a, call);
  if (a->scalar == XC_KERNEL_FLOAT)
    return xc_ir_float(ir, a->bytes == 4 ? ir->f32 : ir->f64, (double)number);
  return xc_ir_int(ir, ir->i64, number);
}

static size_t align_to(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Where the members of a structure lie, from the entry after its beginning;
// returns the entry of its end.
typedef struct structure {
  size_t size, alignment;
  size_t offsets[XC_KERNEL_MAX_ARGUMENTS]; // by entry
} structure;

static size_t alignment_of(const xc_kernel_row *row, size_t *entry) {
  size_t alignment = 1, depth = 1;
  for (; depth > 0; ++*entry) {
    const xc_kernel_argument *a = &row->arguments[*entry];
    depth += a->what == XC_KERNEL_OPEN;
    depth -= a->what == XC_KERNEL_CLOSE;
    if (a->what < XC_KERNEL_OPEN && a->bytes > alignment)
      alignment = a->bytes;
  }
  return alignment;
}

// A structure begins and ends at a multiple of its alignment; inner structures
// are at most XC_KERNEL_MAX_DEPTH deep.
static size_t lay_out(const xc_kernel_row *row, size_t entry, structure *s) {
  size_t alignments[XC_KERNEL_MAX_DEPTH + 1], depth = 0, end = entry;
  s->size = 0;
  s->alignment = alignments[0] = alignment_of(row, &end);
  for (; entry < end; ++entry) {
    const xc_kernel_argument *a = &row->arguments[entry];
    size_t alignment = a->bytes;
    if (a->what == XC_KERNEL_OPEN) {
      size_t inner = entry + 1;
      alignment = alignments[++depth] = alignment_of(row, &inner);
    } else if (a->what == XC_KERNEL_CLOSE) {
      alignment = alignments[depth--];
    }
    s->size = align_to(s->size, alignment);
    s->offsets[entry] = s->size;
    s->size += a->what < XC_KERNEL_OPEN ? a->bytes : 0;
  }
  return end;
}

static void store_bytes(xc_ir *ir, MlirValue value, size_t bytes,
                        MlirValue memory, size_t offset) {
  MlirType i8 = mlirIntegerTypeGet(ir->context, 8);
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAF32(type))
    value = xc_ir_int_cast(ir, xc_ir_bitcast(ir, value, ir->i32), ir->i64);
  else if (mlirTypeIsAF64(type))
    value = xc_ir_bitcast(ir, value, ir->i64);
  for (size_t i = 0; i < bytes; ++i) {
    MlirValue at = xc_ir_index(ir, (int64_t)(offset + i));
    xc_ir_store(ir, xc_ir_int_cast(ir, xc_ir_shri(ir, value, 8 * (int)i), i8),
                memory, &at, 1);
  }
}

// Writes a structure; `entry` goes past its end.
static MlirValue make_structure(xc_lowering *l, const xc_kernel_call *call,
                                size_t *entry) {
  const xc_kernel_row *row = l->outliner->kernel->row;
  xc_ir *ir = &l->ir;
  structure s;
  size_t end = lay_out(row, *entry + 1, &s);
  int64_t size = (int64_t)s.size;
  MlirValue memory = xc_lowering_scratch(l, XC_ELEMENT_I8, 1, &size);
  for (size_t i = *entry + 1; i < end; ++i)
    if (row->arguments[i].what < XC_KERNEL_OPEN)
      store_bytes(ir, value_of(ir, &row->arguments[i], call),
                  row->arguments[i].bytes, memory, s.offsets[i]);
  *entry = end;
  return address_of(ir, memory);
}

static void linked_call(xc_lowering *l, const xc_kernel_call *call) {
  const xc_kernel_row *row = l->outliner->kernel->row;
  xc_ir *ir = &l->ir;
  MlirValue operands[XC_KERNEL_MAX_ARGUMENTS];
  MlirType types[XC_KERNEL_MAX_ARGUMENTS];
  size_t count = 0, entry = 0;
  while (entry < row->num_arguments) {
    const xc_kernel_argument *a = &row->arguments[entry];
    operands[count] = a->what == XC_KERNEL_OPEN
                          ? make_structure(l, call, &entry)
                          : value_of(ir, &row->arguments[entry++], call);
    types[count] = mlirValueGetType(operands[count]);
    ++count;
  }
  xc_outline_declare_external(l->outliner, ir->location, row->function, types,
                              count);
  MlirNamedAttribute callee =
      xc_named(ir->context, "callee",
               mlirFlatSymbolRefAttrGet(ir->context, xc_ref(row->function)));
  xc_ir_operation(ir, "func.call", operands, count, &callee, 1);
}

void xc_user_kernel_call(xc_lowering *l, const xc_kernel_call *call) {
  if (l->outliner->for_source)
    source_call(l, call);
  else
    linked_call(l, call);
}
