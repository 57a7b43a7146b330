//===- Maximum.c - maxima over more than a pool engine takes --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest of many elements is the largest of the largest of parts of them:
// pools one after the other. Padding is less than everything.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "IR/IR.h"
#include "Support/Math.h"

#include <string.h>

// Whether H (1) or W (2) of an image, or both, are reduced.
static bool read_reduction(const xc_adaptor *root, bool axes[2]) {
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(root, XC_ATTR_AXIS, ints);
  axes[0] = axes[1] = false;
  if (xc_operand_shape(root, XC_REDUCTION_MAX_FIX_INPUT).rank != 4)
    return false;
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = ints[i] < 0 ? ints[i] + 4 : ints[i];
    if (axis != 1 && axis != 2)
      return false;
    axes[axis - 1] = true;
  }
  return count > 0;
}

// Returns an engine of its own that takes so many elements of a row or column
// at once; 0: maxima need no stages.
static int64_t elements_at_once(const XcDpuTarget *target) {
  const XcDpuEngine *pool = &target->pool;
  if (pool->rows == 0 || !xcDpuSetHas(target->poolKinds, XcDpuPoolKindMax) ||
      xcDpuSetHas(target->poolKinds, XcDpuPoolKindMaxReduce))
    return 0;
  int64_t most = pool->kernelW.maximum;
  const int32_t limits[] = {pool->kernelH.maximum, pool->strideW.maximum,
                            pool->strideH.maximum};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
    most = limits[i] < most ? limits[i] : most;
  return most;
}

// Returns the smallest kernel with which so many elements take no more stages
// than with the largest one.
static int64_t kernel_of(int64_t elements, int64_t most) {
  int64_t stages = 1;
  for (int64_t reach = most; reach < elements; reach *= most)
    ++stages;
  for (int64_t kernel = 2; kernel < most; ++kernel) {
    int64_t reach = 1;
    for (int64_t i = 0; i < stages; ++i)
      reach *= kernel;
    if (reach >= elements)
      return kernel;
  }
  return most;
}

// Returns the number of elements that the stages read.
static int64_t elements_read(int64_t elements, int64_t most) {
  int64_t sum = 0;
  while (elements > 1) {
    int64_t kernel = kernel_of(elements, most);
    elements = xc_ceil_div64(elements, kernel);
    sum += elements * kernel;
  }
  return sum;
}

// Pools along an axis (0: H, 1: W) until one element is left. All keep the fix
// point.
static MlirValue reduce_axis(xc_rewriter *rewriter, const xc_adaptor *root,
                             MlirValue value, int axis, int64_t most) {
  int64_t point = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT);
  for (int64_t size;
       (size = xc_value_shape(value).dims[1 + axis]) > 1 && most > 1;) {
    int64_t k = kernel_of(size, most), rest = xc_ceil_div64(size, k) * k - size;
    const int64_t kernel[] = {axis ? k : 1, axis ? 1 : k};
    const int64_t pad[] = {0, axis ? rest : 0, 0, axis ? 0 : rest};
    const xc_attribute changes[] = {
        xc_ints("kernel", kernel, 2), xc_ints("stride", kernel, 2),
        xc_ints("pad", pad, 4), xc_string("type", "MAX"),
        xc_int("output_fix_point", point)};
    value =
        xc_rewrite_like(rewriter, root, XC_TIR_POOL_FIX, &value, 1, changes, 5);
    if (mlirValueIsNull(value))
      return value;
  }
  return value;
}

// The result has its own fix point: the pool of one element that shifts.
static bool replace_by_maximum(xc_rewriter *rewriter, const xc_adaptor *root,
                               MlirValue value) {
  static const int64_t unit[] = {1, 1};
  const xc_attribute changes[] = {xc_ints("kernel", unit, 2),
                                  xc_ints("stride", unit, 2),
                                  xc_string("type", "MAX")};
  if (xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) !=
      xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT))
    value =
        xc_rewrite_like(rewriter, root, XC_TIR_POOL_FIX, &value, 1, changes, 3);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

bool xc_legalize_max_in_stages(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t most = elements_at_once(target);
  xc_shape input = xc_operand_shape(root, XC_REDUCTION_MAX_FIX_INPUT);
  bool axes[2];
  // A stage saturates before the fix point is that of the result.
  if (most < 2 || !read_reduction(root, axes) ||
      input.element != XC_ELEMENT_I8 ||
      input.dims[3] > target->derived.maxPoolChannels ||
      xc_shape_num_elements(&input) == 0 ||
      xc_shape_num_elements(&input) > target->derived.imageBytes)
    return false;
  MlirValue value = xc_operand(root, XC_REDUCTION_MAX_FIX_INPUT);
  for (int axis = 1; axis >= 0; --axis)
    if (axes[axis])
      value = reduce_axis(rewriter, root, value, axis, most);
  return replace_by_maximum(rewriter, root, value);
}

//===----------------------------------------------------------------------===//
// Some of the elements
//===----------------------------------------------------------------------===//

// Reads a convolution of pixels by themselves, whose only use is the maximum.
static bool read_pixels(const xc_adaptor *root, xc_adaptor *conv) {
  static const xc_attr pairs[] = {XC_ATTR_KERNEL, XC_ATTR_STRIDE};
  if (!xc_defined_by(xc_operand(root, XC_REDUCTION_MAX_FIX_INPUT),
                     XC_TIR_CONV2D_FIX, conv) ||
      !xc_used_once(conv))
    return false;
  int64_t ints[XC_MAX_INTS];
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    xc_attr_ints(conv, pairs[i], ints);
    if (ints[0] != 1 || ints[1] != 1)
      return false;
  }
  xc_shape in = xc_operand_shape(conv, XC_CONV2D_FIX_INPUT);
  xc_shape out = xc_value_shape(xc_result_of(conv));
  return in.dims[1] == out.dims[1] && in.dims[2] == out.dims[2];
}

// Returns the number of columns of which the engine finds the maximum while the
// others are saved: as long takes each.
static int64_t columns_of_engine(int64_t columns, int64_t most) {
  int64_t best = 0, least = columns;
  for (int64_t n = 2; n < columns; ++n) {
    int64_t read = elements_read(n, most), saved = columns - n + 1;
    int64_t longest = read > saved ? read : saved;
    if (longest < least) {
      least = longest;
      best = n;
    }
  }
  return best;
}

static MlirValue part_of(xc_rewriter *rewriter, const xc_adaptor *conv,
                         int64_t first, int64_t count) {
  xc_shape shape = xc_operand_shape(conv, XC_CONV2D_FIX_INPUT);
  const int64_t begin[] = {0, 0, first, 0};
  const int64_t size[] = {shape.dims[0], shape.dims[1], count, shape.dims[3]};
  const MlirValue operands[] = {
      xc_rewrite_cut(rewriter, xc_operand(conv, XC_CONV2D_FIX_INPUT), begin,
                     size),
      xc_operand(conv, XC_CONV2D_FIX_WEIGHT),
      xc_operand_or_null(conv, XC_CONV2D_FIX_BIAS)};
  return xc_rewrite_like(rewriter, conv, XC_TIR_CONV2D_FIX, operands, 3, NULL,
                         0);
}

bool xc_legalize_max_in_parts(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t most = elements_at_once(target);
  xc_adaptor conv;
  bool axes[2];
  if (most < 2 || !read_reduction(root, axes) || axes[0] ||
      !read_pixels(root, &conv))
    return false;
  xc_shape shape = xc_operand_shape(root, XC_REDUCTION_MAX_FIX_INPUT);
  int64_t columns = columns_of_engine(shape.dims[2], most);
  if (columns == 0)
    return false;
  // The rest shall still be too large for all of it to be in stages.
  int64_t left = xc_shape_num_elements(&shape) / shape.dims[2] *
                 (shape.dims[2] - columns + 1);
  if (shape.dims[3] > target->derived.maxPoolChannels ||
      left <= target->derived.imageBytes)
    return false;
  MlirValue parts[] = {
      reduce_axis(rewriter, root, part_of(rewriter, &conv, 0, columns), 1,
                  most),
      part_of(rewriter, &conv, columns, shape.dims[2] - columns)};
  MlirValue joined = xc_rewrite_join(
      rewriter, parts, 2, 2, xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root,
                                            XC_TIR_REDUCTION_MAX_FIX, &joined,
                                            1, NULL, 0));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// Returns the number of elements that one pool reads for `width` columns of
// windows in `height` rows.
static int64_t elements_of(int64_t kernel, int64_t width, int64_t height) {
  return kernel * width * height;
}

// Returns the maximum of each row of a window, or of each column (axis 1), with
// the fix point of the input; or of what the other axis has left, with its own.
static MlirValue pool_axis(xc_rewriter *rewriter, const xc_adaptor *root,
                           MlirValue value, int axis, bool is_last) {
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], pad[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_STRIDE, stride);
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  kernel[!axis] = stride[!axis] = 1;
  pad[2 * !axis] = pad[2 * !axis + 1] = 0;
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4),
      xc_int("output_fix_point",
             xc_attr_int(root, is_last ? XC_ATTR_OUTPUT_FIX_POINT
                                       : XC_ATTR_INPUT_FIX_POINT))};
  return xc_rewrite_like(rewriter, root, XC_TIR_POOL_FIX, &value, 1, changes,
                         4);
}

bool xc_legalize_max_by_axes(xc_rewriter *rewriter, const xc_adaptor *root) {
  int64_t kernel[XC_MAX_INTS];
  xc_shape in = xc_operand_shape(root, XC_POOL_FIX_INPUT);
  xc_shape out = xc_value_shape(xc_result_of(root));
  // An engine of its own takes as long for both.
  if (xc_rewrite_target(rewriter)->pool.rows != 0 ||
      !xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_MAX) ||
      xc_attr_bool(root, XC_ATTR_GLOBAL) ||
      xc_attr_ints(root, XC_ATTR_KERNEL, kernel) != 2 || kernel[0] < 2 ||
      kernel[1] < 2)
    return false;
  int64_t height = out.dims[1], width = out.dims[2];
  int64_t rows_first = elements_of(kernel[0], width, in.dims[1]) +
                       elements_of(kernel[1], width, height);
  int64_t columns_first = elements_of(kernel[1], in.dims[2], height) +
                          elements_of(kernel[0], width, height);
  int first = columns_first < rows_first;
  // A layer more takes its time, too.
  if (3 * (first ? columns_first : rows_first) >=
      2 * elements_of(kernel[0] * kernel[1], width, height))
    return false;
  MlirValue value = xc_operand(root, XC_POOL_FIX_INPUT);
  value = pool_axis(rewriter, root, value, first, false);
  value = pool_axis(rewriter, root, value, !first, true);
  return xc_rewrite_replace(rewriter, root, value);
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

// Whether a pool takes so many columns as one window.
static bool takes_columns(const XcDpuTarget *target, int64_t count) {
  return xc_engine_takes_window(xcDpuTargetGetPoolEngine(target), count, 1,
                                count, 1);
}

// Returns the number of pixels of a row: as many as leave the banks room for
// the next rows, since each row is a LOAD, and all lanes of the engine a row.
static int64_t pixels_of_row(const XcDpuTarget *target, int64_t pixels,
                             int64_t columns) {
  int64_t lanes = xcDpuTargetGetPoolEngine(target)->rows;
  int64_t most = target->image.depth / 2 / columns;
  for (int64_t n = most < pixels ? most : pixels; n > 1; --n)
    if (pixels % n == 0 && pixels / n >= lanes)
      return n;
  return 1;
}

// Returns the maximum of `columns` words of each pixel. A pool saturates at its
// fix point, so that the first of two keeps that of its input.
static MlirValue pool_words(xc_rewriter *rewriter, const xc_adaptor *root,
                            MlirValue value, int64_t pixels, int64_t columns,
                            int64_t word) {
  int64_t n = pixels_of_row(xc_rewrite_target(rewriter), pixels, columns);
  xc_shape image = xc_value_shape(value);
  image = (xc_shape){
      image.element, 4, {image.dims[0], pixels / n, n * columns, word}, false};
  value = xc_rewrite_reshape(rewriter, value, &image);
  bool is_fix = root->info->kind == XC_TIR_REDUCTION_MAX_FIX;
  bool keeps_point = is_fix && word > 1;
  const int64_t window[] = {columns, 1};
  const xc_attribute changes[] = {
      xc_ints("kernel", window, 2), xc_ints("stride", window, 2),
      xc_string("type", "MAX"),
      xc_int("output_fix_point",
             keeps_point ? xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) : 0)};
  return is_fix ? xc_rewrite_like(rewriter, root, XC_TIR_POOL_FIX, &value, 1,
                                  changes, keeps_point ? 4 : 3)
                : xc_rewrite_like(rewriter, root, XC_TIR_MAXPOOL2D, &value, 1,
                                  changes, 2);
}

bool xc_legalize_max_of_channels(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t axes[XC_MAX_INTS];
  MlirValue value = xc_operand(root, XC_REDUCTION_MAX_INPUT);
  xc_shape shape = xc_value_shape(value);
  int64_t last = (int64_t)shape.rank - 1;
  if (last < 1 || xc_attr_ints(root, XC_ATTR_AXIS, axes) != 1 ||
      (axes[0] != last && axes[0] != -1) || shape.element == XC_ELEMENT_UI8 ||
      xc_shape_num_elements(&shape) == 0)
    return false;
  int64_t pixels = 1, channels = shape.dims[last];
  for (int64_t i = 1; i < last; ++i)
    pixels *= shape.dims[i];
  int64_t word = target->channelParallel, words = channels / word;
  bool has_words = words > 1 && channels % word == 0;
  if (!takes_columns(target, has_words ? word : channels) ||
      (has_words && !takes_columns(target, words)))
    return false;
  if (has_words)
    value = pool_words(rewriter, root, value, pixels, words, word);
  value =
      pool_words(rewriter, root, value, pixels, has_words ? word : channels, 1);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

//===----------------------------------------------------------------------===//
// Two tensors
//===----------------------------------------------------------------------===//

enum { N, H, W, C, IMAGE };

// Returns the dimensions of a tensor as those of an image, without those of one
// element and with the first ones as rows.
static xc_shape as_image(const xc_shape *shape) {
  xc_shape image = {.element = shape->element, .rank = IMAGE};
  size_t last = shape->rank - 1, width = last;
  for (size_t i = 1; i < last; ++i)
    width = shape->dims[i] > 1 ? i : width;
  image.dims[N] = shape->dims[0];
  image.dims[H] = 1;
  image.dims[W] = width < last ? shape->dims[width] : 1;
  image.dims[C] = shape->dims[last];
  for (size_t i = 1; i < width && i < last; ++i)
    image.dims[H] *= shape->dims[i];
  return image;
}

bool xc_legalize_abs_as_max(xc_rewriter *rewriter, const xc_adaptor *root) {
  MlirValue both[] = {xc_operand(root, XC_ABS_INPUT), {NULL}};
  xc_shape shape = xc_value_shape(both[0]);
  if (shape.rank != 4 || shape.element != XC_ELEMENT_F32 ||
      !xc_is_of_layer(both[0]) ||
      !takes_columns(xc_rewrite_target(rewriter), 2))
    return false;
  both[1] =
      xc_rewrite_build(rewriter, XC_TIR_NEG, both, 1, NULL, 0, XC_ELEMENT_NONE);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_MAX, both, 2, NULL, 0));
}

bool xc_legalize_max_of_two(xc_rewriter *rewriter, const xc_adaptor *root) {
  MlirValue both[] = {xc_operand(root, 0), xc_operand(root, 1)};
  xc_shape result = xc_value_shape(xc_result_of(root));
  for (size_t i = 0; i < 2; ++i) {
    xc_shape shape = xc_value_shape(both[i]);
    if (shape.rank < 2 || shape.element != XC_ELEMENT_F32 ||
        !xc_same_dims(&shape, &result) || !xc_is_of_layer(both[i]))
      return false;
  }
  if (!takes_columns(xc_rewrite_target(rewriter), 2))
    return false;
  xc_shape image = as_image(&result), pairs = image;
  for (size_t i = 0; i < 2; ++i)
    both[i] = xc_rewrite_reshape(rewriter, both[i], &image);
  MlirValue value = xc_rewrite_join(rewriter, both, 2, C, 0);
  pairs.dims[W] *= 2;
  value = xc_rewrite_reshape(rewriter, value, &pairs);
  const int64_t window[] = {2, 1};
  const xc_attribute attributes[] = {xc_ints("kernel", window, 2),
                                     xc_ints("stride", window, 2)};
  value = xc_rewrite_build(rewriter, XC_TIR_MAXPOOL2D, &value, 1, attributes, 2,
                           XC_ELEMENT_NONE);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

/// NAME/fix of an operator called NAME, in scratch memory; null without a name.
static const char *fixed_name(xc_rewriter *rewriter, const xc_adaptor *root) {
  static const char suffix[] = "/fix";
  MlirStringRef name = xc_op_given_name(root->operation);
  if (name.length == 0)
    return NULL;
  char *copy = xc_rewrite_alloc(rewriter, name.length + sizeof(suffix), 1);
  memcpy(copy, name.data, name.length);
  memcpy(copy + name.length, suffix, sizeof(suffix));
  return copy;
}

bool xc_legalize_argmax_of_fixed(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  enum { MOST = 128 }; // an index is an int8
  xc_adaptor real;
  xc_shape input = xc_operand_shape(root, XC_ARGMAX_INPUT);
  xc_element index = xc_value_shape(xc_result_of(root)).element;
  int64_t axis = xc_attr_int(root, XC_ATTR_AXIS);
  // The real numbers have the order of their integers.
  if (input.rank != 4 || (axis != 3 && axis != -1) || input.dims[3] > MOST ||
      xc_attr_bool(root, XC_ATTR_SELECT_LAST) ||
      !xc_rewrite_target(rewriter)->argmax ||
      !xc_defined_by(xc_operand(root, XC_ARGMAX_INPUT), XC_TIR_FIX2FLOAT,
                     &real) ||
      xc_operand_shape(&real, XC_FIX2FLOAT_INPUT).element != XC_ELEMENT_I8)
    return false;
  MlirValue value = xc_operand(&real, XC_FIX2FLOAT_INPUT);
  // The cast has the name of the operator, if there is one.
  const char *name = index != XC_ELEMENT_I8 ? fixed_name(rewriter, root) : NULL;
  const xc_attribute attributes[] = {
      xc_int("axis", 3),
      xc_bool("keep_dims", xc_attr_bool(root, XC_ATTR_KEEP_DIMS)),
      xc_string("op_name", name)};
  value = xc_rewrite_build(rewriter, XC_TIR_ARGMAX_FIX, &value, 1, attributes,
                           name ? 3 : 2, XC_ELEMENT_I8);
  if (index != XC_ELEMENT_I8)
    value = xc_rewrite_build(rewriter, XC_TIR_CAST, &value, 1, NULL, 0, index);
  return xc_rewrite_replace(rewriter, root, value);
}
