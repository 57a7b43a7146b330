//===- Buffers.c - the tensors in the workspace, for reports --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// For each operator, counted from 1: the first row of the program with a layer
/// of this or a later operator, and the last row with a layer of this or an
/// earlier one.
typedef struct layer_spans {
  size_t *first, *last; // SIZE_MAX: none
} layer_spans;

static void note_row(const xc_lowering *lowering, size_t row,
                     layer_spans *spans) {
  size_t first, last;
  xcDpuCodeGenGetRow(lowering->gen, row, &first, &last);
  for (size_t l = first; l <= last; ++l) {
    size_t tag = xcDpuCodeGenGetLayer(lowering->gen, l)->tag;
    if (spans->first[tag] == SIZE_MAX)
      spans->first[tag] = row;
    spans->last[tag] = row;
  }
}

/// Returns the row of the program that has a layer.
static size_t row_of(const xc_lowering *lowering, size_t layer) {
  size_t low = 0, high = xcDpuCodeGenGetNumRows(lowering->gen);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2, first, last;
    xcDpuCodeGenGetRow(lowering->gen, middle, &first, &last);
    if (first <= layer)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static layer_spans find_spans(const xc_lowering *lowering, size_t num_rows) {
  size_t size = lowering->num_ops + 2;
  layer_spans spans = {xc_alloc_array(size, sizeof(size_t)),
                       xc_alloc_array(size, sizeof(size_t))};
  memset(spans.first, 0xff, size * sizeof(size_t));
  memset(spans.last, 0xff, size * sizeof(size_t));
  for (size_t row = 0; row < num_rows; ++row)
    note_row(lowering, row, &spans);
  for (size_t op = size - 1; op-- > 0;)
    if (spans.first[op + 1] < spans.first[op])
      spans.first[op] = spans.first[op + 1];
  for (size_t op = 1; op < size; ++op)
    if (spans.last[op - 1] != SIZE_MAX &&
        (spans.last[op] == SIZE_MAX || spans.last[op - 1] > spans.last[op]))
      spans.last[op] = spans.last[op - 1];
  return spans;
}

static bool is_in_workspace(const xc_allocation *allocation) {
  return allocation->kind == XC_ALLOCATION_ALLOC && !allocation->parent &&
         allocation->first && allocation->is_touched;
}

static const char *writer_name(xc_lowering *lowering,
                               const xc_allocation *allocation) {
  size_t writer = allocation->writer ? allocation->writer : allocation->first;
  return xc_operator_name(lowering, &lowering->ops[writer - 1].adaptor);
}

void xc_list_buffers(xc_lowering *lowering, xc_dpu_function *result) {
  layer_spans spans =
      find_spans(lowering, xcDpuProgramGetNumLayers(result->program));
  result->buffers = xc_arena_alloc(&result->arena, lowering->num_allocations,
                                   sizeof *result->buffers);
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *allocation = lowering->list[i];
    if (!is_in_workspace(allocation))
      continue;
    bool is_placed = lowering->num_apart > 0;
    size_t first = is_placed ? row_of(lowering, allocation->first_layer)
                             : spans.first[allocation->first],
           last = is_placed ? row_of(lowering, allocation->last_layer)
                            : spans.last[allocation->last];
    if (first == SIZE_MAX || last == SIZE_MAX || first > last)
      continue;
    const char *name = writer_name(lowering, allocation);
    result->buffers[result->num_buffers++] = (xc_dpu_buffer){
        .name = xc_arena_string(&result->arena, name, strlen(name)),
        .address = allocation->image.address,
        .size = xc_allocation_size(allocation),
        .first_layer = first,
        .last_layer = last};
  }
  free(spans.first);
  free(spans.last);
}
