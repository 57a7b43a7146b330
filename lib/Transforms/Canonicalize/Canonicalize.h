//===- Canonicalize.h - the patterns of tir-canonicalize ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_CANONICALIZE_CANONICALIZE_H
#define XC_TRANSFORMS_CANONICALIZE_CANONICALIZE_H

#include "Transforms/Patterns/Pattern.h"

#define PATTERN(function, name, roots, statement)                              \
  bool xc_canonicalize_##function(xc_rewriter *rewriter,                       \
                                  const xc_adaptor *root);
#include "Patterns.def"
#undef PATTERN

/// Applies all of the patterns, as the pass does.
bool xc_canonicalize(MlirOperation function);

/// A strided_slice with positive strides, every entry resolved: elements
/// begin, begin + stride, ... of each dimension.
typedef struct xc_slice {
  size_t rank;
  int64_t begin[XC_MAX_RANK], size[XC_MAX_RANK], stride[XC_MAX_RANK];
} xc_slice;

/// Returns false for slices that run backwards or are empty.
bool xc_slice_read(const xc_adaptor *adaptor, xc_slice *slice);
/// Returns a slice of `input` with the other attributes of `like`.
MlirValue xc_slice_build(xc_rewriter *rewriter, const xc_adaptor *like,
                         MlirValue input, const xc_slice *slice);
/// Returns a slice of `input` of another kind with the attributes of `like`.
MlirValue xc_slice_build_as(xc_rewriter *rewriter, const xc_adaptor *like,
                            xc_op_kind kind, MlirValue input,
                            const xc_slice *slice);

/// Returns a slice of `input` with no other attributes.
MlirValue xc_slice_new(xc_rewriter *rewriter, xc_op_kind kind, MlirValue input,
                       const xc_slice *slice);

/// Marks the dimensions that a reduction leaves out.
void xc_read_reduced(const xc_adaptor *root, bool reduced[XC_MAX_RANK]);

/// Whether no element of the result can be negative.
bool xc_never_negative(const xc_adaptor *adaptor);

/// Whether a convolution reads each pixel once, and nothing around it.
bool xc_is_pixelwise(const xc_adaptor *conv);

/// Reads batchnorm, scale, or an add or mul with one number per channel (of the
/// last dimension) as scale * x + shift; null where all are ones or zeros.
/// Returns false for everything else.
bool xc_affine_read(xc_rewriter *rewriter, const xc_adaptor *adaptor,
                    const double **scale, const double **shift);
/// Returns the result channel that element `i` of the weight of a convolution
/// or product counts for.
int64_t xc_weight_channel(const xc_adaptor *conv, const xc_shape *weight,
                          int64_t i);
/// Returns the convolution or product with its result times `scale` plus
/// `shift`, by channel; null where it has other uses or weights that are not
/// constant.
MlirValue xc_affine_into_conv(xc_rewriter *rewriter, const xc_adaptor *conv,
                              const double *scale, const double *shift);

#endif // XC_TRANSFORMS_CANONICALIZE_CANONICALIZE_H
