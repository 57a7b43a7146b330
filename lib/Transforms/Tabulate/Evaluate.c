//===- Evaluate.c - the entries of a table --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators are computed once on a tensor that has every byte in every
// channel, [1, ..., 256, channels], or [1, ..., 256] where all channels are
// alike. The kernels are those of the reference interpreter, so that a table
// has the bits that the operators have there.
//
//===----------------------------------------------------------------------===//

#include "Tabulate.h"

#include "Interpreter/Kernel.h"

#include <stdlib.h>
#include <string.h>

typedef struct evaluation {
  const xc_byte_function *function;
  int64_t channels; // 1: all are alike
  xc_arena *arena;
  void *results[XC_TABLE_MOST_STEPS];
} evaluation;

// Returns the shape of a value of the function among all bytes.
static xc_shape shape_of(const evaluation *e, MlirValue value) {
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  for (size_t i = 0; i < shape.rank; ++i)
    shape.dims[i] = 1;
  if (e->function->is_per_channel)
    shape.dims[shape.rank - 2] = XC_TABLE_ENTRIES;
  shape.dims[shape.rank - 1] =
      e->function->is_per_channel ? e->channels : XC_TABLE_ENTRIES;
  return shape;
}

static void *all_bytes(const evaluation *e) {
  size_t channels = (size_t)e->channels;
  unsigned char *bytes =
      xc_arena_alloc(e->arena, XC_TABLE_ENTRIES * channels, sizeof(*bytes));
  for (size_t i = 0; i < XC_TABLE_ENTRIES; ++i)
    memset(bytes + i * channels, (int)i, channels);
  return bytes;
}

static void *constant_bytes(const evaluation *e, MlirOperation constant) {
  size_t size;
  void *contents = xc_const_bytes(constant, &size);
  if (!contents)
    return NULL;
  void *bytes = xc_arena_alloc(e->arena, size, 1);
  memcpy(bytes, contents, size);
  free(contents);
  return bytes;
}

static bool read_operand(const evaluation *e, MlirValue value,
                         xc_tensor *operand) {
  MlirOperation constant = xc_constant_of(value);
  if (!mlirOperationIsNull(constant)) {
    xc_shape_of_type(mlirValueGetType(value), &operand->shape);
    operand->data = constant_bytes(e, constant);
    return operand->data != NULL;
  }
  operand->shape = shape_of(e, value);
  if (mlirValueEqual(value, e->function->input)) {
    operand->data = all_bytes(e);
    return true;
  }
  size_t step = 0;
  while (!mlirOperationEqual(mlirOpResultGetOwner(value),
                             e->function->steps[step]))
    ++step;
  operand->data = e->results[step];
  return true;
}

static bool run_step(evaluation *e, size_t step) {
  xc_adaptor op;
  xc_adaptor_of(e->function->steps[step], &op);
  xc_kernel_call call = {.op = &op, .arena = e->arena};
  for (size_t slot = 0; slot < op.info->num_operands; ++slot)
    if (xc_has_operand(&op, slot) &&
        !read_operand(e, xc_operand(&op, slot), &call.operands[slot]))
      return false;
  xc_shape shape =
      shape_of(e, mlirOperationGetResult(e->function->steps[step], 0));
  call.output = xc_call_tensor(&call, &shape);
  e->results[step] = call.output.data;
  return xc_interpret_find(op.info->kind)(&call);
}

// From a row for each byte to one for each channel.
static void *transpose(const evaluation *e, const char *from, size_t size) {
  size_t channels = (size_t)e->channels;
  char *to = xc_arena_alloc(e->arena, XC_TABLE_ENTRIES * channels, size);
  for (size_t c = 0; c < channels; ++c)
    for (size_t i = 0; i < XC_TABLE_ENTRIES; ++i)
      memcpy(to + (c * XC_TABLE_ENTRIES + i) * size,
             from + (i * channels + c) * size, size);
  return to;
}

void *xc_evaluate_bytes(const xc_byte_function *function, int64_t channels,
                        xc_arena *arena) {
  evaluation e = {.function = function,
                  .channels = function->is_per_channel ? channels : 1,
                  .arena = arena};
  for (size_t step = 0; step < function->num_steps; ++step)
    if (!run_step(&e, step))
      return NULL;
  size_t last = function->num_steps - 1;
  xc_shape shape;
  xc_shape_of_type(
      mlirValueGetType(mlirOperationGetResult(function->steps[last], 0)),
      &shape);
  return transpose(&e, e.results[last], xc_element_size(shape.element));
}
