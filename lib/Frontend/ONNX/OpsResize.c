//===- OpsResize.c - Resize and Upsample ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Frontend/Graph/Volume.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/// The request of a Resize, per dimension of the model.
typedef struct resize_request {
  int64_t sizes[XC_MAX_RANK];
  double scales[XC_MAX_RANK];
  float roi_begin[XC_MAX_RANK], roi_end[XC_MAX_RANK];
  bool has_scales, has_roi;
} resize_request;

static bool read_axes(xc_onnx_importer *im, size_t rank, size_t *axes,
                      size_t *count) {
  int64_t list[XC_MAX_RANK];
  if (!xc_onnx_ints(im, "axes", list, XC_MAX_RANK, count))
    return false;
  if (*count == 0) {
    for (size_t i = 0; i < rank; ++i)
      axes[i] = i;
    *count = rank;
    return true;
  }
  for (size_t i = 0; i < *count; ++i)
    if (!xc_graph_axis(&im->graph, list[i], rank, &axes[i]))
      return false;
  return true;
}

static bool apply_scales(xc_onnx_importer *im, const float *scales,
                         size_t count, const size_t *axes, size_t num_axes,
                         const xc_shape *shape, resize_request *request) {
  if (count != num_axes)
    return xc_onnx_error(im, "has %zu scales, expected %zu", count, num_axes);
  request->has_scales = true;
  for (size_t i = 0; i < count; ++i) {
    int64_t size = shape->dims[axes[i]];
    double result = floor((double)size * (double)scales[i]);
    if (!(scales[i] > 0) || !(result <= INT32_MAX))
      return xc_onnx_error(im, "has scale %g for size %" PRId64,
                           (double)scales[i], size);
    request->scales[axes[i]] = (double)scales[i];
    request->sizes[axes[i]] = (int64_t)result;
  }
  return true;
}

// The largest (smallest) common factor for which no dimension is larger
// (smaller) than asked for.
static void keep_ratio(const char *policy, const size_t *axes, size_t count,
                       const xc_shape *shape, resize_request *request) {
  bool is_smallest = strcmp(policy, "not_larger") == 0;
  double factor = 0;
  if (strcmp(policy, "stretch") == 0)
    return;
  for (size_t i = 0; i < count; ++i) {
    double ratio =
        (double)request->sizes[axes[i]] / (double)shape->dims[axes[i]];
    if (i == 0 || (is_smallest ? ratio < factor : ratio > factor))
      factor = ratio;
  }
  for (size_t i = 0; i < count; ++i) {
    request->sizes[axes[i]] =
        (int64_t)floor(factor * (double)shape->dims[axes[i]] + 0.5);
    request->scales[axes[i]] = factor;
  }
  request->has_scales = true;
}

static bool apply_sizes(xc_onnx_importer *im, size_t input, const size_t *axes,
                        size_t num_axes, const xc_shape *shape,
                        resize_request *request) {
  const int64_t *sizes;
  size_t count;
  if (!xc_onnx_input_ints(im, input, &sizes, &count))
    return false;
  if (count != num_axes)
    return xc_onnx_error(im, "has %zu sizes, expected %zu", count, num_axes);
  for (size_t i = 0; i < count; ++i) {
    if (sizes[i] < 1 || sizes[i] > INT32_MAX)
      return xc_onnx_error(im, "has size %" PRId64 " in dimension %zu",
                           sizes[i], axes[i]);
    // Images are not resized into another number of them.
    bool is_batch = axes[i] == 0 && shape->rank > 2 && im->old_batch > 0 &&
                    sizes[i] == im->old_batch;
    request->sizes[axes[i]] = is_batch ? shape->dims[0] : sizes[i];
  }
  keep_ratio(xc_onnx_string(im, "keep_aspect_ratio_policy", "stretch"), axes,
             count, shape, request);
  return true;
}

static bool apply_roi(xc_onnx_importer *im, const size_t *axes, size_t num_axes,
                      resize_request *request) {
  const float *roi;
  size_t count;
  if (!xc_onnx_input_floats(im, 1, &roi, &count))
    return false;
  if (count != 2 * num_axes)
    return xc_onnx_error(im, "has %zu entries of 'roi', expected %zu", count,
                         2 * num_axes);
  request->has_roi = true;
  for (size_t i = 0; i < num_axes; ++i) {
    request->roi_begin[axes[i]] = roi[i];
    request->roi_end[axes[i]] = roi[num_axes + i];
  }
  return true;
}

static bool not_empty(const xc_onnx_importer *im, size_t index) {
  const xc_graph_value *value = xc_onnx_input(im, index);
  return value && (!value->data || xc_shape_num_elements(&value->shape) != 0);
}

static bool read_request(xc_onnx_importer *im, const xc_shape *shape,
                         bool needs_roi, resize_request *request) {
  enum { WITH_ROI = 11 };
  bool is_old =
      im->opset < WITH_ROI || strcmp(im->node->op_type, "Upsample") == 0;
  size_t axes[XC_MAX_RANK], count, num_axes, scales_input = is_old ? 1 : 2;
  const float *scales;
  *request = (resize_request){0};
  for (size_t i = 0; i < shape->rank; ++i) {
    request->sizes[i] = shape->dims[i];
    request->scales[i] = 1;
    request->roi_end[i] = 1;
  }
  if (!read_axes(im, shape->rank, axes, &num_axes) ||
      (needs_roi && !apply_roi(im, axes, num_axes, request)))
    return false;
  const Onnx__AttributeProto *attribute = xc_onnx_attribute(im, "scales");
  if (attribute) // Upsample up to operator set 8
    return apply_scales(im, attribute->floats, attribute->n_floats, axes,
                        num_axes, shape, request);
  if (!is_old && not_empty(im, 3))
    return apply_sizes(im, 3, axes, num_axes, shape, request);
  return xc_onnx_input_floats(im, scales_input, &scales, &count) &&
         apply_scales(im, scales, count, axes, num_axes, shape, request);
}

/// How ONNX's coordinate modes are written in tir.resize.
typedef struct coordinate_row {
  const char *name;
  bool align_corners, half_pixel;
  const char *mode;
} coordinate_row;

static const coordinate_row *find_coordinates(xc_onnx_importer *im) {
  static const coordinate_row rows[] = {
      {"half_pixel", false, true, "DEFAULT"},
      {"asymmetric", false, false, "DEFAULT"},
      {"align_corners", true, false, "DEFAULT"},
      {"pytorch_half_pixel", false, false, "PYTORCH_HALF_PIXEL"},
      {"half_pixel_symmetric", false, false, "HALF_PIXEL_SYMMETRIC"},
      {"tf_crop_and_resize", false, false, "TF_CROP_AND_RESIZE"},
      {"tf_half_pixel_for_nn", false, true, "DEFAULT"}};
  bool is_old = im->opset < 11 || strcmp(im->node->op_type, "Upsample") == 0;
  const char *name = xc_onnx_string(im, "coordinate_transformation_mode",
                                    is_old ? "asymmetric" : "half_pixel");
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  xc_onnx_error(im,
                "attribute 'coordinate_transformation_mode' is '%s', which xc "
                "does not know",
                name);
  return NULL;
}

static const char *find_word(xc_onnx_importer *im, const char *attribute,
                             const char *absent, const char *const *rows) {
  const char *word = xc_onnx_string(im, attribute, absent);
  for (; *rows; rows += 2)
    if (strcmp(rows[0], word) == 0)
      return rows[1];
  xc_onnx_error(im, "attribute '%s' is '%s', which xc does not know", attribute,
                word);
  return NULL;
}

// tf_half_pixel_for_nn is half a pixel above half_pixel: what rounds x + 1/2
// down rounds x to the nearest.
static const char *raise_nearest(xc_onnx_importer *im, const char *mode,
                                 const char *rounding) {
  static const char *const rows[][2] = {{"FLOOR", "ROUND_PREFER_CEIL"},
                                        {"ROUND_PREFER_FLOOR", "CEIL"}};
  for (size_t i = 0; i < 2; ++i)
    if (strcmp(mode, "NEAREST") == 0 && strcmp(rows[i][0], rounding) == 0)
      return rows[i][1];
  xc_onnx_error(im, "has 'tf_half_pixel_for_nn' with another mode than "
                    "'nearest' and 'floor' or 'round_prefer_floor'");
  return NULL;
}

static bool is_old_nearest(const xc_onnx_importer *im) {
  return im->opset < 11 || strcmp(im->node->op_type, "Upsample") == 0;
}

// tir.resize works on H and W of NHWC; other ranks are reshaped to it.
static bool as_image(xc_onnx_importer *im, xc_graph_value **value,
                     const resize_request *request, size_t *first) {
  const xc_shape *shape = &(*value)->shape;
  size_t rank = shape->rank, spatial = rank < 2 ? rank : 2;
  if (rank > 4 || rank == 0)
    return xc_onnx_error(im, "resizes %zu dimensions, expected 1 to 5", rank);
  *first = rank == 3 ? 2 : rank - spatial;
  for (size_t i = 0; i < *first; ++i)
    if (request->sizes[i] != shape->dims[i])
      return xc_onnx_error(
          im,
          "resizes dimension %zu, expected only the last two of "
          "four",
          i);
  if (rank == 4)
    return true;
  int64_t dims[4] = {1, 1, 1, 1};
  for (size_t i = 0; i < rank; ++i)
    dims[i < *first ? i : 4 - rank + i] = shape->dims[i];
  *value = xc_graph_reshape(&im->graph, *value, dims, 4);
  return *value != NULL;
}

static bool finish(xc_onnx_importer *im, MlirValue mlir, size_t rank,
                   const resize_request *request) {
  xc_graph_order order = xc_graph_channels_last(4);
  if (rank == 4)
    return xc_onnx_result(im, 0, mlir, &order);
  if (mlirValueIsNull(mlir))
    return false;
  xc_shape form;
  xc_shape_of_type(mlirValueGetType(mlir), &form);
  xc_shape shape = form;
  for (size_t i = 0; i < 4; ++i)
    shape.dims[order.dim[i]] = form.dims[i];
  xc_graph_value *value =
      xc_graph_new_value(&im->graph, im->graph.node, &shape);
  xc_graph_add_form(&im->graph, value, mlir, &order);
  return xc_onnx_result_alias(
      im, 0, xc_graph_reshape(&im->graph, value, request->sizes, rank));
}

/// A resize to be emitted; sizes and scales, width first, stand in attributes.
typedef struct resize_step {
  const xc_attribute *attributes;
  size_t count;
  int64_t height; // of the input
  bool is_old;    // nearest of operator set 10, with scales
} resize_step;

// Operator set 10 takes the pixel above where a size shrinks and the one below
// where it grows. Where one does each, W comes first.
static MlirValue emit_resize(xc_onnx_importer *im, MlirValue input,
                             const resize_step *step) {
  enum { SIZE = 0, ROUNDING = 5, SCALE = 10, MOST = 13 };
  xc_attribute attributes[MOST];
  memcpy(attributes, step->attributes, step->count * sizeof(*attributes));
  const int64_t *size = attributes[SIZE].ints;
  const float *scale = attributes[SCALE].floats;
  const int64_t first_size[] = {size[0], step->height};
  const float first_scale[] = {step->is_old ? scale[0] : 1, 1};
  const float second_scale[] = {1, step->is_old ? scale[1] : 1};
  bool is_mixed = step->is_old && (scale[0] < 1) != (scale[1] < 1) &&
                  scale[0] != 1 && scale[1] != 1;
  const xc_attributes list = {attributes, step->count};
  if (is_mixed) {
    attributes[SIZE].ints = first_size;
    attributes[SCALE].floats = first_scale;
    attributes[ROUNDING].string = scale[0] < 1 ? "CEIL" : "FLOOR";
    input = xc_graph_emit(&im->graph, "width", XC_TIR_RESIZE, &input, 1, &list,
                          XC_ELEMENT_NONE);
    attributes[SIZE].ints = size;
    attributes[SCALE].floats = second_scale;
    attributes[ROUNDING].string = scale[1] < 1 ? "CEIL" : "FLOOR";
  } else if (step->is_old && (scale[0] < 1 || scale[1] < 1)) {
    attributes[ROUNDING].string = "CEIL";
  }
  return xc_graph_emit(&im->graph, NULL, XC_TIR_RESIZE, &input, 1, &list,
                       XC_ELEMENT_NONE);
}

/// How values between the elements are made.
typedef struct resize_words {
  const coordinate_row *coordinates;
  const char *mode, *rounding; // as tir has them
} resize_words;

static bool read_words(xc_onnx_importer *im, resize_words *words) {
  static const char *const modes[] = {"nearest",  "NEAREST",  "linear",
                                      "BILINEAR", "cubic",    "BICUBIC",
                                      "bilinear", "BILINEAR", NULL};
  static const char *const nearest[] = {"round_prefer_floor",
                                        "ROUND_PREFER_FLOOR",
                                        "floor",
                                        "FLOOR",
                                        "round_prefer_ceil",
                                        "ROUND_PREFER_CEIL",
                                        "ceil",
                                        "CEIL",
                                        NULL};
  words->coordinates = find_coordinates(im);
  if (!words->coordinates)
    return false;
  words->mode = find_word(im, "mode", "nearest", modes);
  words->rounding =
      find_word(im, "nearest_mode",
                is_old_nearest(im) ? "floor" : "round_prefer_floor", nearest);
  if (words->mode && words->rounding &&
      strcmp(words->coordinates->name, "tf_half_pixel_for_nn") == 0)
    words->rounding = raise_nearest(im, words->mode, words->rounding);
  return words->mode && words->rounding;
}

enum { NO_DIM = XC_MAX_RANK };

// Resizes the W and H of an NHWC value as these dimensions of the request; the
// second may be NO_DIM.
static MlirValue emit_dims(xc_onnx_importer *im, const resize_words *words,
                           const resize_request *request, size_t w, size_t h,
                           MlirValue input) {
  bool has_h = h != NO_DIM;
  if (mlirValueIsNull(input))
    return input;
  const int64_t size[] = {request->sizes[w], has_h ? request->sizes[h] : 1};
  const float scale[] = {(float)request->scales[w],
                         has_h ? (float)request->scales[h] : 1};
  const float roi[] = {request->roi_begin[w], request->roi_end[w],
                       has_h ? request->roi_begin[h] : 0,
                       has_h ? request->roi_end[h] : 1};
  xc_attribute attributes[12] = {
      xc_ints("size", size, 2),
      xc_string("mode", words->mode),
      xc_bool("align_corners", words->coordinates->align_corners),
      xc_bool("half_pixel_centers", words->coordinates->half_pixel),
      xc_string("coordinate_mode", words->coordinates->mode),
      xc_string("nearest_mode", words->rounding),
      xc_float("cubic_coeff_a",
               (double)xc_onnx_float(im, "cubic_coeff_a", -0.75f)),
      xc_bool("exclude_outside", xc_onnx_int(im, "exclude_outside", 0) != 0),
      xc_bool("antialias", xc_onnx_int(im, "antialias", 0) != 0),
      xc_float("extrapolation_value",
               (double)xc_onnx_float(im, "extrapolation_value", 0))};
  size_t count = 10;
  if (request->has_scales)
    attributes[count++] = xc_floats("scale", scale, 2);
  if (request->has_roi)
    attributes[count++] = xc_floats("roi", roi, 4);
  const resize_step step = {attributes, count, xc_value_shape(input).dims[1],
                            request->has_scales && is_old_nearest(im) &&
                                strcmp(words->mode, "NEAREST") == 0};
  return emit_resize(im, input, &step);
}

// Whether each element of a dimension stands in the result as often as others,
// side by side.
static bool repeats_elements(const resize_words *words,
                             const resize_request *request, int64_t size,
                             size_t dim) {
  int64_t result = request->sizes[dim];
  const coordinate_row *c = words->coordinates;
  bool is_down = strcmp(words->rounding, "FLOOR") == 0;
  bool is_up = strcmp(words->rounding, "CEIL") == 0;
  return strcmp(words->mode, "NEAREST") == 0 &&
         strcmp(c->mode, "DEFAULT") == 0 && !c->align_corners &&
         (c->half_pixel ? !is_down && !is_up : is_down) && result % size == 0 &&
         (!request->has_scales ||
          request->scales[dim] == (double)(result / size));
}

// Rows and columns first, then the depth, as a width.
static bool resize_volume(xc_onnx_importer *im, const resize_words *words,
                          resize_request *request, xc_graph_value *value) {
  enum { DEPTH = 2, HEIGHT, WIDTH, ROWS = 0 };
  const int64_t *dims = value->shape.dims;
  for (size_t i = 0; i < DEPTH; ++i)
    if (request->sizes[i] != dims[i])
      return xc_onnx_error(
          im, "resizes dimension %zu, expected only the last three of five", i);
  xc_graph_order order = xc_graph_volume_order();
  MlirValue volume = xc_graph_get(&im->graph, value, &order);
  MlirValue planes =
      emit_dims(im, words, request, WIDTH, HEIGHT,
                xc_graph_emit_image(&im->graph, volume, XC_GRAPH_PLANES));
  volume =
      xc_graph_emit_volume(&im->graph, planes, XC_GRAPH_PLANES, dims[DEPTH]);
  // The rows stay as they are: of the columns of all planes, or, where every
  // depth is repeated, of the pixels of all depths.
  int64_t height = request->sizes[HEIGHT], width = request->sizes[WIDTH];
  bool repeats = repeats_elements(words, request, dims[DEPTH], DEPTH);
  request->sizes[ROWS] = repeats ? height : height * width;
  request->scales[ROWS] = 1;
  request->roi_begin[ROWS] = 0;
  request->roi_end[ROWS] = 1;
  if (repeats)
    request->sizes[DEPTH] *= width;
  xc_graph_view view = repeats ? XC_GRAPH_ROWS : XC_GRAPH_COLUMNS;
  MlirValue image = xc_graph_emit_image(&im->graph, volume, view);
  image = emit_dims(im, words, request, DEPTH, ROWS, image);
  volume =
      xc_graph_emit_volume(&im->graph, image, view, repeats ? width : height);
  return xc_onnx_result(im, 0, volume, &order);
}

bool xc_onnx_resize(xc_onnx_importer *im) {
  xc_graph_value *value;
  resize_request request;
  resize_words words;
  size_t first;
  if (!read_words(im, &words) || !xc_onnx_need_input(im, 0, &value))
    return false;
  bool needs_roi = strcmp(words.coordinates->mode, "TF_CROP_AND_RESIZE") == 0;
  size_t rank = value->shape.rank;
  if (!read_request(im, &value->shape, needs_roi, &request))
    return false;
  if (rank == 5)
    return resize_volume(im, &words, &request, value);
  if (!as_image(im, &value, &request, &first))
    return false;
  bool has_height = rank != 3 && rank != 1;
  MlirValue input = xc_graph_get_channels_last(&im->graph, value);
  input = emit_dims(im, &words, &request, rank - 1,
                    has_height ? rank - 2 : NO_DIM, input);
  return finish(im, input, rank, &request);
}
