//===- Plugin.c - runs CPU parts of xc under the board's runtime ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime opens libvart_op_imp_xc-cpu.so for operators of type xc-cpu and
// takes from it how these run.
//
//===----------------------------------------------------------------------===//

#include "Part.h"

#include <stdlib.h>

/// An operator: one result of a part.
typedef struct implementation {
  const xc_vart *vart;
  xc_part *part; // null: there was a message
  uint64_t result;
} implementation;

static void *init(void *op, void *attrs) {
  implementation *self = calloc(1, sizeof(*self));
  (void)attrs; // of the runner
  if (!self)
    return NULL;
  self->vart = xc_vart_find();
  if (self->vart && xc_vart_int(self->vart, self->vart->xir_op_get_attrs(op),
                                "xc_result", &self->result))
    self->part = xc_part_acquire(self->vart, op);
  return self;
}

static void cleanup(void *data) {
  implementation *self = data;
  if (self)
    xc_part_release(self->part);
  free(self);
}

// Buffers are dense; the address is that of the first element.
static xc_vart_memory memory_of(const xc_vart *vart, void *buffer) {
  enum { MAX_RANK = 64 };
  int32_t zeros[MAX_RANK] = {0};
  void *tensor = vart->vart_tensor_buffer_get_tensor(buffer);
  int32_t rank = vart->xir_tensor_get_dim_num(tensor);
  if (rank < 0 || rank > MAX_RANK)
    return (xc_vart_memory){0};
  xc_vart_memory memory =
      vart->vart_tensor_buffer_data(buffer, zeros, (size_t)rank);
  uint64_t size = vart->xir_tensor_get_data_size(tensor);
  if (memory.size > size) // a larger buffer: its tensor's bytes
    memory.size = (size_t)size;
  return memory;
}

static int calculate(void *data, xc_vart_input *inputs, size_t count,
                     void *output) {
  const implementation *self = data;
  size_t total = 0, at = 0;
  for (size_t i = 0; i < count; ++i)
    total += inputs[i].count;
  xc_vart_memory *memory = calloc(total + 1, sizeof(*memory));
  if (!self || !self->part || !memory) {
    free(memory);
    return -1;
  }
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < inputs[i].count; ++k)
      memory[at++] = memory_of(self->vart, inputs[i].buffers[k]);
  bool ok = xc_part_run(self->part, (size_t)self->result, memory, total,
                        memory_of(self->vart, output));
  free(memory);
  return ok ? 0 : -1;
}

__attribute__((visibility("default"))) xc_vart_implementation
vart_init_op_imp(void *op);

xc_vart_implementation vart_init_op_imp(void *op) {
  (void)op;
  return (xc_vart_implementation){init, cleanup, calculate};
}
