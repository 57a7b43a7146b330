//===- BlockPool.c - reductions of blocks of pixels -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pools are also written with views: x.view(n, c, h / 2, 2, w / 2, 2) splits
// rows and columns, and the mean or maximum over the last part of each is that
// of the pixels of a block.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "View.h"

enum { BATCH, HEIGHT, WIDTH, CHANNELS, IMAGE };

// Reads the part of each dimension of `from` that is reduced in `to`, the last
// one of those that it is split into. Returns false where there is another one,
// or none is split.
static bool read_blocks(const xc_shape *from, const xc_shape *to,
                        const bool *reduced, int64_t sizes[IMAGE]) {
  xc_dim_group group = {0};
  bool splits = false;
  for (size_t i = 0; i < IMAGE; ++i)
    sizes[i] = 1;
  while (xc_next_dim_group(from, to, &group)) {
    int64_t size = 1;
    bool keeps = false;
    for (size_t i = group.to; i < group.to_end; ++i) {
      bool is_kept = to->dims[i] != 1 && !reduced[i];
      if (is_kept && size > 1)
        return false;
      keeps |= is_kept;
      size *= is_kept ? 1 : to->dims[i];
    }
    int64_t only = xc_only_dimension(from, group.from, group.from_end);
    if (size > 1 && only < 0)
      return false;
    if (size > 1)
      sizes[only] = size;
    splits |= size > 1 && keeps;
  }
  // Ones at the end are in no group.
  return splits && group.from_end == from->rank && group.to_end == to->rank;
}

bool xc_canonicalize_reduction_of_blocks(xc_rewriter *rewriter,
                                         const xc_adaptor *root) {
  xc_adaptor reshape, transpose;
  bool reduced[XC_MAX_RANK];
  int64_t sizes[IMAGE], order[XC_MAX_INTS] = {BATCH, HEIGHT, WIDTH, CHANNELS};
  if (!xc_defined_by(xc_operand(root, 0), XC_TIR_RESHAPE, &reshape))
    return false;
  MlirValue image = xc_operand(&reshape, XC_RESHAPE_INPUT);
  xc_shape from = xc_value_shape(image), to = xc_operand_shape(root, 0);
  xc_read_reduced(root, reduced);
  if (from.rank != IMAGE || from.element != XC_ELEMENT_F32 ||
      !read_blocks(&from, &to, reduced, sizes))
    return false;
  bool is_moved = xc_defined_by(image, XC_TIR_TRANSPOSE, &transpose);
  if (is_moved) {
    image = xc_operand(&transpose, XC_TRANSPOSE_INPUT);
    xc_attr_ints(&transpose, XC_ATTR_ORDER, order);
  }
  int64_t block[IMAGE];
  for (size_t i = 0; i < IMAGE; ++i)
    block[order[i]] = sizes[i];
  if (block[BATCH] > 1 || block[CHANNELS] > 1)
    return false;
  const int64_t kernel[] = {block[WIDTH], block[HEIGHT]};
  const xc_attribute window[] = {xc_ints("kernel", kernel, 2),
                                 xc_ints("stride", kernel, 2)};
  xc_op_kind kind = root->info->kind == XC_TIR_REDUCTION_MAX ? XC_TIR_MAXPOOL2D
                                                             : XC_TIR_AVGPOOL2D;
  MlirValue value =
      xc_rewrite_build(rewriter, kind, &image, 1, window, 2, XC_ELEMENT_NONE);
  if (is_moved)
    value = xc_rewrite_like(rewriter, &transpose, XC_TIR_TRANSPOSE, &value, 1,
                            NULL, 0);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}
