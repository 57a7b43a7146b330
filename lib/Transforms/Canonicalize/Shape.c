//===- Shape.c - reshapes, transposes, slices, pads -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "View.h"

#include "dialects/Shape.h"

//===----------------------------------------------------------------------===//
// Two movements in one
//===----------------------------------------------------------------------===//

// One of two consecutive movements may round to another fix point; that one
// carries the fix points of the merged movement.
static const xc_adaptor *pick_carrier(const xc_adaptor *first,
                                      const xc_adaptor *second) {
  if (xc_keeps_numbers(second))
    return first;
  return xc_keeps_numbers(first) ? second : NULL;
}

// Replaces root, which moves the result of inner, by one movement with new
// attributes. `kind` is the float form.
static bool merge(xc_rewriter *rewriter, const xc_adaptor *root,
                  const xc_adaptor *inner, xc_op_kind real, xc_op_kind fix,
                  const xc_attribute *changes, size_t num_changes) {
  const xc_adaptor *carrier = pick_carrier(inner, root);
  MlirValue input = xc_operand(inner, 0);
  xc_op_kind kind = carrier->info->kind == fix ? fix : real;
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, carrier, kind, &input, 1,
                                            changes, num_changes));
}

static bool is_reshape(xc_op_kind kind) {
  return kind == XC_TIR_RESHAPE || kind == XC_TIR_FLATTEN ||
         kind == XC_TIR_SQUEEZE || kind == XC_TIR_RESHAPE_FIX;
}

bool xc_canonicalize_reshape_of_reshape(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  xc_adaptor inner;
  if (!xc_defining_adaptor(xc_operand(root, XC_RESHAPE_INPUT), &inner) ||
      !is_reshape(inner.info->kind) || !pick_carrier(&inner, root))
    return false;
  xc_shape result = xc_value_shape(xc_result_of(root));
  xc_attribute shape = xc_ints("shape", result.dims, result.rank);
  return merge(rewriter, root, &inner, XC_TIR_RESHAPE, XC_TIR_RESHAPE_FIX,
               &shape, 1);
}

// The movement of the same float form before root, if the two can be merged.
static bool same_movement_before(const xc_adaptor *root, xc_adaptor *inner) {
  return xc_defining_adaptor(xc_operand(root, 0), inner) &&
         inner->info->float_kind == root->info->float_kind &&
         pick_carrier(inner, root);
}

bool xc_canonicalize_transpose_of_transpose(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  xc_adaptor inner;
  if (!same_movement_before(root, &inner))
    return false;
  int64_t first[XC_MAX_INTS], second[XC_MAX_INTS], both[XC_MAX_RANK];
  size_t rank = xc_attr_ints(&inner, XC_ATTR_ORDER, first);
  xc_attr_ints(root, XC_ATTR_ORDER, second);
  for (size_t i = 0; i < rank; ++i)
    both[i] = first[second[i]];
  xc_attribute order = xc_ints("order", both, rank);
  return merge(rewriter, root, &inner, XC_TIR_TRANSPOSE, XC_TIR_TRANSPOSE_FIX,
               &order, 1);
}

bool xc_canonicalize_transpose_as_reshape(xc_rewriter *rewriter,
                                          const xc_adaptor *root) {
  int64_t order[XC_MAX_INTS], last = -1;
  xc_shape input = xc_operand_shape(root, XC_TRANSPOSE_INPUT);
  size_t rank = xc_attr_ints(root, XC_ATTR_ORDER, order);
  for (size_t i = 0; i < rank; ++i) {
    if (input.dims[order[i]] == 1)
      continue;
    if (order[i] < last)
      return false;
    last = order[i];
  }
  xc_shape result = xc_value_shape(xc_result_of(root));
  xc_attribute shape = xc_ints("shape", result.dims, result.rank);
  MlirValue value = xc_operand(root, XC_TRANSPOSE_INPUT);
  bool fix = root->info->kind == XC_TIR_TRANSPOSE_FIX;
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, fix ? XC_TIR_RESHAPE_FIX : XC_TIR_RESHAPE,
                      &value, 1, &shape, 1));
}

bool xc_canonicalize_pad_of_pad(xc_rewriter *rewriter, const xc_adaptor *root) {
  xc_adaptor inner;
  if (!same_movement_before(root, &inner) || !xc_keeps_numbers(root) ||
      !xc_keeps_numbers(&inner) || inner.info != root->info ||
      !xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_CONSTANT) ||
      !xc_attr_is(&inner, XC_ATTR_MODE, XC_ENUM_CONSTANT))
    return false;
  bool fix = root->info->kind == XC_TIR_PAD_FIX;
  if (fix ? xc_attr_int(root, XC_ATTR_CONSTANT_VALUE) !=
                xc_attr_int(&inner, XC_ATTR_CONSTANT_VALUE)
          : xc_attr_float(root, XC_ATTR_CONSTANT_VALUE) !=
                xc_attr_float(&inner, XC_ATTR_CONSTANT_VALUE))
    return false;
  int64_t first[XC_MAX_INTS], second[XC_MAX_INTS], both[2 * XC_MAX_RANK];
  size_t count = xc_attr_ints(&inner, XC_ATTR_PADDINGS, first);
  xc_attr_ints(root, XC_ATTR_PADDINGS, second);
  for (size_t i = 0; i < count; ++i) {
    both[i] = first[i] + second[i];
    if (first[i] < 0 || second[i] < 0 ||
        !xc_attr_takes(root, XC_ATTR_PADDINGS, both[i]))
      return false;
  }
  xc_attribute paddings = xc_ints("paddings", both, count);
  return merge(rewriter, root, &inner, XC_TIR_PAD, XC_TIR_PAD_FIX, &paddings,
               1);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

bool xc_slice_read(const xc_adaptor *adaptor, xc_slice *slice) {
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_shape input = xc_operand_shape(adaptor, 0);
  xc_shape result = xc_value_shape(xc_result_of(adaptor));
  slice->rank = input.rank;
  xc_attr_ints(adaptor, XC_ATTR_BEGIN, begin);
  xc_attr_ints(adaptor, XC_ATTR_STRIDES, strides);
  for (size_t i = 0; i < input.rank; ++i) {
    if (strides[i] <= 0 || result.dims[i] == 0)
      return false;
    slice->begin[i] = xc_slice_begin(begin[i], strides[i], input.dims[i]);
    slice->size[i] = result.dims[i];
    // A stride over one element says nothing.
    slice->stride[i] = result.dims[i] == 1 ? 1 : strides[i];
  }
  return true;
}

enum { SLICE_ATTRIBUTES = 3 };

static void slice_attributes(const xc_slice *slice, int64_t end[XC_MAX_RANK],
                             xc_attribute attributes[SLICE_ATTRIBUTES]) {
  for (size_t i = 0; i < slice->rank; ++i)
    end[i] = slice->begin[i] + (slice->size[i] - 1) * slice->stride[i] + 1;
  attributes[0] = xc_ints("begin", slice->begin, slice->rank);
  attributes[1] = xc_ints("end", end, slice->rank);
  attributes[2] = xc_ints("strides", slice->stride, slice->rank);
}

MlirValue xc_slice_build_as(xc_rewriter *rewriter, const xc_adaptor *like,
                            xc_op_kind kind, MlirValue input,
                            const xc_slice *slice) {
  int64_t end[XC_MAX_RANK];
  xc_attribute changes[SLICE_ATTRIBUTES];
  slice_attributes(slice, end, changes);
  return xc_rewrite_like(rewriter, like, kind, &input, 1, changes,
                         SLICE_ATTRIBUTES);
}

MlirValue xc_slice_build(xc_rewriter *rewriter, const xc_adaptor *like,
                         MlirValue input, const xc_slice *slice) {
  return xc_slice_build_as(rewriter, like, like->info->kind, input, slice);
}

MlirValue xc_slice_new(xc_rewriter *rewriter, xc_op_kind kind, MlirValue input,
                       const xc_slice *slice) {
  int64_t end[XC_MAX_RANK];
  xc_attribute attributes[SLICE_ATTRIBUTES];
  slice_attributes(slice, end, attributes);
  return xc_rewrite_build(rewriter, kind, &input, 1, attributes,
                          SLICE_ATTRIBUTES, XC_ELEMENT_NONE);
}

bool xc_canonicalize_slice_of_slice(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  xc_adaptor inner;
  xc_slice first, second;
  if (!same_movement_before(root, &inner) || !xc_slice_read(&inner, &first) ||
      !xc_slice_read(root, &second))
    return false;
  for (size_t i = 0; i < second.rank; ++i) {
    second.begin[i] = first.begin[i] + second.begin[i] * first.stride[i];
    second.stride[i] *= first.stride[i];
    if (second.stride[i] > INT32_MAX || second.begin[i] > INT32_MAX)
      return false;
  }
  return xc_rewrite_replace(rewriter, root,
                            xc_slice_build(rewriter, pick_carrier(&inner, root),
                                           xc_operand(&inner, 0), &second));
}

bool xc_canonicalize_slice_of_concat(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  xc_adaptor concat;
  xc_slice slice;
  if (!xc_defining_adaptor(xc_operand(root, XC_STRIDED_SLICE_INPUT), &concat) ||
      concat.info->float_kind != XC_TIR_CONCAT || !xc_keeps_numbers(&concat) ||
      !xc_slice_read(root, &slice))
    return false;
  int64_t value = xc_attr_int(&concat, XC_ATTR_AXIS);
  size_t axis = (size_t)(value < 0 ? value + (int64_t)slice.rank : value);
  int64_t last =
      slice.begin[axis] + (slice.size[axis] - 1) * slice.stride[axis];
  int64_t start = 0;
  for (size_t slot = 0; slot < xc_num_inputs(&concat); ++slot) {
    int64_t size = xc_operand_shape(&concat, slot).dims[axis];
    if (slice.begin[axis] >= start && last < start + size) {
      slice.begin[axis] -= start;
      return xc_rewrite_replace(
          rewriter, root,
          xc_slice_build(rewriter, root, xc_operand(&concat, slot), &slice));
    }
    start += size;
  }
  return false;
}

/// Returns the image that an operand has in another shape, which is that of the
/// result, or null.
static MlirValue image_of_reshape(const xc_adaptor *root, MlirValue operand) {
  enum { IMAGE = 4 };
  xc_adaptor reshape;
  if (!xc_same_type(operand, xc_result_of(root)) ||
      !xc_defining_adaptor(operand, &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE ||
      !xc_keeps_numbers(&reshape) ||
      xc_operand_shape(&reshape, 0).rank != IMAGE ||
      xc_result_shape(&reshape).rank >= IMAGE)
    return (MlirValue){NULL};
  return xc_operand(&reshape, 0);
}

static bool is_number(MlirValue value) {
  xc_shape shape = xc_value_shape(value);
  return xc_is_constant(value) && xc_shape_num_elements(&shape) == 1;
}

bool xc_canonicalize_elementwise_of_reshapes(xc_rewriter *rewriter,
                                             const xc_adaptor *root) {
  MlirValue images[XC_MAX_OPERANDS] = {{NULL}}, rows[XC_MAX_OPERANDS];
  MlirValue first = {NULL}; // of the images
  bool are_alike = true, are_signals = true, has_row = false;
  size_t count = 0;
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    MlirValue operand = xc_operand_or_null(root, slot);
    if (mlirValueIsNull(operand))
      continue;
    bool is_any = is_number(operand);
    // A signal may have one pixel that is repeated.
    rows[count] = is_any ? operand : xc_image_of_signal(operand);
    images[count] = is_any ? operand : image_of_reshape(root, operand);
    has_row |= !is_any;
    if (mlirValueIsNull(first) && !is_any)
      first = images[count];
    are_signals &= !mlirValueIsNull(rows[count]);
    are_alike &= !mlirValueIsNull(images[count]) && !mlirValueIsNull(first) &&
                 (is_any || xc_same_type(images[count], first));
    ++count;
  }
  if (!has_row || (!are_alike && !are_signals))
    return false;
  MlirValue result = xc_rewrite_like(rewriter, root, root->info->kind,
                                     are_alike ? images : rows, count, NULL, 0);
  const xc_shape shape = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, result, &shape));
}
