//===- SharedBuffers.c - buffers that are parts of others -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each buffer is written by one operator. A buffer that is only an operand of a
// concat can therefore be the part of the result that it becomes, and the two
// sides of a reshape can be one buffer.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

bool xc_image_is_dense(const XcDpuImage *image) {
  return (image->width == 1 ||
          image->pixelPitch == (uint32_t)image->channels) &&
         (image->height == 1 || image->rowPitch == (uint32_t)image->channels *
                                                       (uint32_t)image->width);
}

static bool is_free(const xc_allocation *allocation) {
  return allocation->kind == XC_ALLOCATION_ALLOC && !allocation->parent;
}

static bool has_root(const xc_allocation *allocation,
                     const xc_allocation *root) {
  while (allocation->parent)
    allocation = allocation->parent;
  return allocation == root;
}

static void share(xc_allocation *allocation, xc_allocation *parent,
                  const XcDpuImage *part) {
  allocation->parent = parent;
  allocation->offset = part->address - parent->image.address;
  allocation->image.rowPitch = part->rowPitch;
  allocation->image.pixelPitch = part->pixelPitch;
}

/// Lets two buffers share bytes. Both are without gaps, whatever their shapes.
static void share_bytes(xc_allocation *allocation, xc_allocation *parent) {
  XcDpuImage part = allocation->image;
  part.address = parent->image.address;
  share(allocation, parent, &part);
}

/// Gives a buffer an image of its own again, without gaps. Nothing may be a
/// part of it yet.
static void unshare(xc_allocation *allocation) {
  allocation->parent = NULL;
  allocation->offset = 0;
  allocation->image = xc_image_of_shape(&allocation->shape);
}

static void share_concat(xc_lowering *lowering, const xc_adaptor *adaptor) {
  xc_allocation *out = xc_output_allocation(lowering, adaptor);
  size_t axis = xc_axis_of(adaptor);
  xc_image_axis image_axis;
  int fix_point = xc_fix_point(adaptor, XC_ATTR_OUTPUT_FIX_POINT);
  if (!xc_shape_image_axis(&out->shape, axis, &image_axis))
    return;
  int64_t first = 0;
  size_t inputs = xc_num_inputs(adaptor);
  for (size_t k = 0; k < inputs; ++k) {
    xc_allocation *in = xc_operand_allocation(lowering, adaptor, k);
    int64_t elements = image_axis == XC_AXIS_C   ? in->image.channels
                       : image_axis == XC_AXIS_W ? in->image.width
                                                 : in->image.height;
    if (is_free(in) && !has_root(out, in) &&
        xc_input_fix_point(adaptor, k) == fix_point) {
      XcDpuImage part = xc_image_part(out->image, image_axis, first, elements);
      share(in, out, &part);
    }
    first += elements;
  }
}

/// Whether the result has the elements of the input in their order.
static bool is_reshape(const xc_function_op *op) {
  if (op->is_copy)
    return true;
  switch (op->adaptor.info->kind) {
  case XC_TIR_RESHAPE:
  case XC_TIR_FLATTEN:
  case XC_TIR_SQUEEZE:
  case XC_TIR_RESHAPE_FIX:
    return true;
  default:
    return false;
  }
}

static bool keeps_bytes(const xc_function_op *op) {
  return is_reshape(op) &&
         (op->is_copy || op->adaptor.info->kind != XC_TIR_RESHAPE_FIX ||
          xc_fix_rescale_shift(&op->adaptor) == 0);
}

static xc_allocation *reshaped_allocation(const xc_lowering *lowering,
                                          const xc_function_op *op) {
  return op->is_copy ? xc_operand_allocation(lowering, &op->adaptor, 1)
                     : xc_output_allocation(lowering, &op->adaptor);
}

/// Makes the input a part of the output, or the other way round.
static void share_reshape(xc_lowering *lowering, const xc_function_op *op) {
  xc_allocation *in = xc_operand_allocation(lowering, &op->adaptor, 0);
  xc_allocation *out = reshaped_allocation(lowering, op);
  if (!xc_image_is_dense(&in->image) || !xc_image_is_dense(&out->image))
    return;
  if (is_free(in) && !has_root(out, in))
    share_bytes(in, out);
}

static bool same_sizes(const XcDpuImage *a, const XcDpuImage *b) {
  return a->height == b->height && a->width == b->width &&
         a->channels == b->channels;
}

/// Images with gaps on both sides cannot be copied in another shape. A part of
/// a concatenation gets an image of its own then, and is copied into the whole.
static void separate_reshape(xc_lowering *lowering, const xc_function_op *op) {
  xc_allocation *in = xc_operand_allocation(lowering, &op->adaptor, 0);
  xc_allocation *out = reshaped_allocation(lowering, op);
  if (out->parent && !xc_image_is_dense(&in->image) &&
      !xc_image_is_dense(&out->image) && !same_sizes(&in->image, &out->image))
    unshare(out);
}

static void share_reshape_forward(xc_lowering *lowering,
                                  const xc_function_op *op) {
  xc_allocation *in = xc_operand_allocation(lowering, &op->adaptor, 0);
  xc_allocation *out = reshaped_allocation(lowering, op);
  if (in->kind != XC_ALLOCATION_CONST && in->parent != out &&
      xc_image_is_dense(&in->image) && xc_image_is_dense(&out->image) &&
      is_free(out) && !has_root(in, out))
    share_bytes(out, in);
}

/// Lets a slice share the bytes of its input: a part of the rows, columns or
/// channels of an image needs no copy.
static void share_slice(xc_lowering *lowering, const xc_adaptor *adaptor) {
  xc_allocation *in = xc_operand_allocation(lowering, adaptor, 0);
  xc_allocation *out = xc_output_allocation(lowering, adaptor);
  XcDpuImage part;
  if (in->kind == XC_ALLOCATION_CONST || !is_free(out) || has_root(in, out) ||
      in->shape.dims[0] != 1 || xc_fix_rescale_shift(adaptor) != 0 ||
      !xc_slice_image(adaptor, in->image, &out->image, &part))
    return;
  share(out, in, &part);
}

void xc_allocations_share(xc_lowering *lowering) {
  // Backwards, so that what a buffer becomes a part of has its final pitches.
  for (size_t i = lowering->num_ops; i-- > 0;) {
    const xc_function_op *op = &lowering->ops[i];
    if (keeps_bytes(op))
      share_reshape(lowering, op);
    else if (op->adaptor.info->kind == XC_TIR_CONCAT_FIX)
      share_concat(lowering, &op->adaptor);
  }
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (is_reshape(op))
      separate_reshape(lowering, op);
    if (keeps_bytes(op))
      share_reshape_forward(lowering, op);
    else if (op->adaptor.info->kind == XC_TIR_STRIDED_SLICE_FIX)
      share_slice(lowering, &op->adaptor);
  }
}
