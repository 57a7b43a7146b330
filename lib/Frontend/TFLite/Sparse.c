//===- Sparse.c - tensors that are stored sparse --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of a sparse tensor stand in the order of a walk over levels: the
// dimensions, in blocks, and then the dimensions of a block, in
// traversal_order. A dense level visits all its positions, a sparse one those
// that `indices` names between two entries of `segments`.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_LEVELS = 2 * XC_MAX_RANK };

typedef struct sparse_level {
  bool is_sparse;
  int64_t size; // of a dense one
  xc_fb_vector segments, indices;
  size_t dim;     // of the tensor
  int64_t stride; // what one position is along it
} sparse_level;

typedef struct sparse_walk {
  xc_flatbuffer *buffer;
  xc_tflite_tensor *tensor;
  sparse_level levels[MAX_LEVELS];
  size_t num_levels;
  int64_t at[XC_MAX_RANK];
  unsigned char *dense;
  size_t element, used; // bytes of one, elements read
  uint64_t steps;       // that the walk may still take
} sparse_walk;

static bool fail(const sparse_walk *w, const char *what) {
  return xc_fb_error(w->buffer, "sparse tensor '%s': %s", w->tensor->name,
                     what);
}

static bool store(sparse_walk *w) {
  size_t offset = 0;
  const xc_tflite_tensor *tensor = w->tensor;
  for (size_t i = 0; i < tensor->rank; ++i) {
    if (w->at[i] < 0 || w->at[i] >= tensor->dims[i])
      return fail(w, "a position lies outside");
    offset = offset * (size_t)tensor->dims[i] + (size_t)w->at[i];
  }
  if ((w->used + 1) * w->element > tensor->size)
    return fail(w, "there are fewer elements than positions");
  memcpy(w->dense + offset * w->element, tensor->data + w->used * w->element,
         w->element);
  ++w->used;
  return true;
}

static bool visit(sparse_walk *w, size_t number, int64_t before) {
  if (number == w->num_levels)
    return store(w);
  const sparse_level *level = &w->levels[number];
  int64_t begin = 0, end = level->size;
  if (level->is_sparse) {
    if (before < 0 || (size_t)before + 1 >= level->segments.count)
      return fail(w, "a segment is missing");
    begin = xc_fb_vector_int(w->buffer, &level->segments, (size_t)before);
    end = xc_fb_vector_int(w->buffer, &level->segments, (size_t)before + 1);
    if (begin < 0 || end < begin || (size_t)end > level->indices.count)
      return fail(w, "a segment lies outside of the indices");
  }
  int64_t start = w->at[level->dim];
  for (int64_t i = begin; i < end; ++i) {
    if (w->steps-- == 0)
      return fail(w, "the walk over it is longer than it has elements");
    int64_t index =
        level->is_sparse
            ? xc_fb_vector_int(w->buffer, &level->indices, (size_t)i)
            : i;
    if (index < 0 || index > INT32_MAX)
      return fail(w, "an index lies outside");
    w->at[level->dim] = start + index * level->stride;
    if (!visit(w, number + 1, level->is_sparse ? i : before * level->size + i))
      return false;
  }
  w->at[level->dim] = start;
  return true;
}

// Returns a vector of one of three widths.
static xc_fb_vector read_vector(xc_flatbuffer *buffer, const xc_fb_table *table,
                                xc_tflite_field_id type,
                                xc_tflite_field_id values) {
  static const xc_tflite_field_id fields[] = {XC_TFL_Int32Vector_values,
                                              XC_TFL_Uint16Vector_values,
                                              XC_TFL_Uint8Vector_values};
  int64_t kind = xc_fb_int(buffer, table, xc_tflite_field(type));
  xc_fb_table inner = xc_fb_table_of(buffer, table, xc_tflite_field(values));
  if (kind < 1 || kind > 3)
    return (xc_fb_vector){.field = xc_tflite_field(fields[0])};
  return xc_fb_vector_of(buffer, &inner, xc_tflite_field(fields[kind - 1]));
}

static bool read_level(sparse_walk *w, const xc_fb_vector *metadata,
                       size_t number) {
  sparse_level *level = &w->levels[number];
  xc_fb_table row = xc_fb_vector_table(w->buffer, metadata, number);
  level->is_sparse =
      xc_fb_int(w->buffer, &row,
                xc_tflite_field(XC_TFL_DimensionMetadata_format)) != 0;
  level->size = xc_fb_int(w->buffer, &row,
                          xc_tflite_field(XC_TFL_DimensionMetadata_dense_size));
  if (level->is_sparse) {
    level->segments =
        read_vector(w->buffer, &row, XC_TFL_DimensionMetadata_segments_type,
                    XC_TFL_DimensionMetadata_segments);
    level->indices =
        read_vector(w->buffer, &row, XC_TFL_DimensionMetadata_indices_type,
                    XC_TFL_DimensionMetadata_indices);
  } else if (level->size < 1) {
    return fail(w, "a dense level has no size");
  }
  return !w->buffer->failed;
}

// Which dimension a level is of, and how far one position goes along it: a
// block, or an element of one.
static bool place_levels(sparse_walk *w, const xc_fb_vector *order,
                         const xc_fb_vector *blocks) {
  size_t rank = w->tensor->rank;
  int64_t block_of[XC_MAX_RANK];
  bool seen[MAX_LEVELS] = {false};
  for (size_t i = 0; i < rank; ++i)
    block_of[i] = 1;
  for (size_t pass = 0; pass < 2; ++pass) // sizes of blocks come first
    for (size_t i = 0; i < w->num_levels; ++i) {
      sparse_level *level = &w->levels[i];
      int64_t number = xc_fb_vector_int(w->buffer, order, i);
      if (number < 0 || (size_t)number >= w->num_levels)
        return fail(w, "the order names no level");
      bool is_block = (size_t)number >= rank;
      int64_t dim =
          is_block ? xc_fb_vector_int(w->buffer, blocks, (size_t)number - rank)
                   : number;
      if (dim < 0 || (size_t)dim >= rank || (pass == 0 && seen[number]))
        return fail(w, "the order names a level twice, or a block of no "
                       "dimension");
      seen[number] = true;
      level->dim = (size_t)dim;
      level->stride = is_block ? 1 : block_of[dim];
      if (pass == 0 && is_block) {
        if (level->is_sparse)
          return fail(w, "a block is sparse");
        block_of[dim] = level->size;
      }
    }
  return true;
}

bool xc_tflite_read_sparse(xc_flatbuffer *buffer, const xc_fb_table *sparsity,
                           xc_arena *arena, xc_tflite_tensor *tensor) {
  enum { LARGEST_FACTOR = 64, STEPS = 4 };
  sparse_walk w = {.buffer = buffer,
                   .tensor = tensor,
                   .element = xc_element_size(tensor->element)};
  xc_fb_vector order = xc_fb_vector_of(
      buffer, sparsity, xc_tflite_field(XC_TFL_Sparsity_traversal_order));
  xc_fb_vector blocks = xc_fb_vector_of(
      buffer, sparsity, xc_tflite_field(XC_TFL_Sparsity_block_map));
  xc_fb_vector metadata = xc_fb_vector_of(
      buffer, sparsity, xc_tflite_field(XC_TFL_Sparsity_dim_metadata));
  w.num_levels = metadata.count;
  uint64_t total = 1, most = LARGEST_FACTOR * (uint64_t)buffer->size;
  for (size_t i = 0; i < tensor->rank; ++i) {
    uint64_t dim = tensor->dims[i] < 0 ? 0 : (uint64_t)tensor->dims[i];
    total = dim && total > most / dim ? most + 1 : total * dim;
  }
  if (total == 0 || total > most / w.element)
    return fail(&w, "it has no elements, or too many for this file");
  if (order.count != metadata.count ||
      metadata.count != tensor->rank + blocks.count ||
      metadata.count > MAX_LEVELS)
    return fail(&w, "order, blocks and levels do not fit");
  for (size_t i = 0; i < w.num_levels; ++i)
    if (!read_level(&w, &metadata, i))
      return false;
  if (!place_levels(&w, &order, &blocks))
    return false;
  w.steps = STEPS * total + MAX_LEVELS;
  w.dense = xc_arena_alloc(arena, (size_t)total, w.element);
  if (!visit(&w, 0, 0))
    return false;
  tensor->data = w.dense;
  tensor->size = (size_t)total * w.element;
  return !buffer->failed;
}
