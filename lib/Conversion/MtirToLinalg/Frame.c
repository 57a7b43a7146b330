//===- Frame.c - linalg.generic over broadcast operands -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

// The iteration space, with dimensions joined where all operands allow it, and
// the operands in it.
typedef struct frame {
  size_t rank;
  int64_t dims[XC_MAX_RANK];
  size_t count; // operands and the output, which is the last
  MlirValue buffers[XC_MAX_OPERANDS];
  size_t ranks[XC_MAX_OPERANDS]; // of the buffers
  bool varies[XC_MAX_OPERANDS][XC_MAX_RANK];
} frame;

static void add_buffer(frame *f, MlirValue buffer, const xc_shape *shape) {
  size_t shift = f->rank - shape->rank;
  for (size_t i = 0; i < shape->rank; ++i)
    f->varies[f->count][i + shift] = shape->dims[i] != 1;
  f->ranks[f->count] = shape->rank;
  f->buffers[f->count++] = buffer;
}

static bool is_contiguous(const frame *f) {
  for (size_t i = 0; i < f->count; ++i)
    if (!xc_ir_is_contiguous(mlirValueGetType(f->buffers[i])))
      return false;
  return true;
}

// Whether dimension `dim` can join the one before it, `last`.
static bool can_join(const frame *f, size_t last, size_t dim) {
  for (size_t i = 0; i < f->count; ++i)
    if (f->varies[i][last] != f->varies[i][dim])
      return false;
  return true;
}

// Joins dimensions, so that inner loops are long and broadcasts are few.
static void join_dimensions(xc_lowering *l, frame *f) {
  size_t rank = 0;
  for (size_t dim = 0; dim < f->rank; ++dim) {
    if (f->dims[dim] == 1)
      continue;
    if (rank > 0 && can_join(f, rank - 1, dim)) {
      f->dims[rank - 1] *= f->dims[dim];
      continue;
    }
    f->dims[rank] = f->dims[dim];
    for (size_t i = 0; i < f->count; ++i)
      f->varies[i][rank] = f->varies[i][dim];
    ++rank;
  }
  f->rank = rank;
  for (size_t i = 0; i < f->count; ++i) {
    int64_t dims[XC_MAX_RANK];
    for (size_t dim = 0; dim < rank; ++dim)
      dims[dim] = f->varies[i][dim] ? f->dims[dim] : 1;
    f->buffers[i] = xc_ir_reshape(&l->ir, f->buffers[i], rank, dims);
    f->ranks[i] = rank;
  }
}

static MlirAffineMap map_of(const xc_lowering *l, const frame *f, size_t i) {
  MlirAffineExpr exprs[XC_MAX_RANK];
  size_t shift = f->rank - f->ranks[i];
  for (size_t dim = shift; dim < f->rank; ++dim)
    exprs[dim - shift] =
        f->varies[i][dim] ? mlirAffineDimExprGet(l->ir.context, (intptr_t)dim)
                          : mlirAffineConstantExprGet(l->ir.context, 0);
  return mlirAffineMapGet(l->ir.context, (intptr_t)f->rank, 0,
                          (intptr_t)f->ranks[i], exprs);
}

void xc_linalg_elementwise(xc_lowering *l, const size_t *slots, size_t count,
                           xc_cell cell, const void *state) {
  const xc_shape *output = &l->result;
  frame f = {.rank = output->rank};
  memcpy(f.dims, output->dims, sizeof(f.dims));
  for (size_t i = 0; i < count; ++i)
    add_buffer(&f, l->buffers[slots[i]], &l->shapes[slots[i]]);
  add_buffer(&f, l->output, output);
  // The output varies along all dimensions, even those of size 1: linalg takes
  // the sizes of the loops from its map.
  bool joined = is_contiguous(&f);
  if (joined)
    join_dimensions(l, &f);
  for (size_t dim = 0; dim < f.rank; ++dim)
    f.varies[count][dim] = true;
  MlirAffineMap maps[XC_MAX_OPERANDS];
  for (size_t i = 0; i < f.count; ++i)
    maps[i] = map_of(l, &f, i);
  xc_ir_generic generic = xc_ir_generic_begin(&l->ir, f.buffers, count,
                                              f.buffers[count], maps, f.rank);
  MlirValue raw[XC_MAX_OPERANDS];
  for (size_t i = 0; i < count; ++i)
    raw[i] = mlirBlockGetArgument(generic.body, (intptr_t)i);
  xc_ir_generic_end(&l->ir, &generic, cell(l, raw, state));
}
