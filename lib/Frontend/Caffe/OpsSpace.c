//===- OpsSpace.c - sizes of images, and prior boxes ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "OpParams/Priorbox.h"
#include "dialects/Adaptor.h"

#include <inttypes.h>
#include <math.h>

/// Positions in a shape of NCHW.
enum { N, C, H, W };

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

static bool emit_resize(xc_caffe_importer *im, xc_graph_value *value,
                        const char *mode, const char *flag, double height,
                        double width) {
  const double most = 65535;
  if (xc_graph_failed(&im->graph))
    return false;
  if (!(height >= 1 && height <= most && width >= 1 && width <= most))
    return xc_caffe_error(im, "the new size is %gx%g", height, width);
  int64_t size[] = {(int64_t)width, (int64_t)height};
  const xc_attribute attributes[] = {xc_ints("size", size, 2),
                                     xc_string("mode", mode),
                                     xc_bool(flag ? flag : "", true)};
  MlirValue x = xc_graph_get_channels_last(&im->graph, value);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_RESIZE, &x, 1,
                    &(xc_attributes){attributes, flag ? 3 : 2},
                    XC_ELEMENT_NONE),
      &order);
}

// Of the size that is given, or of a multiple of the bottom's.
bool xc_caffe_deephi_resize(xc_caffe_importer *im) {
  static const char *const types[] = {"BILINEAR", "NEAREST"};
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  size_t type = xc_caffe_enum(im, "resize_type", types, 2, 1);
  if (!value)
    return false;
  double h = (double)value->shape.dims[H], w = (double)value->shape.dims[W];
  double height = xc_caffe_real(im, "new_height",
                                floor(h * xc_caffe_real(im, "scale_h", 1)));
  double width = xc_caffe_real(im, "new_width",
                               floor(w * xc_caffe_real(im, "scale_w", 1)));
  return emit_resize(im, value, types[type],
                     type == 0 ? "half_pixel_centers" : NULL, height, width);
}

// Repeats pixels. Several trees have a layer of this name.
bool xc_caffe_upsample(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  if (!value)
    return false;
  if (im->layer->num_bottoms > 1)
    return xc_caffe_error(im,
                          "it puts values back to where a pool found them "
                          "('%s'), which is not supported",
                          im->layer->bottoms[1]);
  double scale = xc_caffe_real(im, "scale", 1);
  double h = (double)value->shape.dims[H], w = (double)value->shape.dims[W];
  double height = xc_caffe_real(im, "upsample_h",
                                floor(h * xc_caffe_real(im, "scale_h", scale)));
  double width = xc_caffe_real(im, "upsample_w",
                               floor(w * xc_caffe_real(im, "scale_w", scale)));
  return emit_resize(im, value, "NEAREST", NULL, height, width);
}

// Bilinear with the corners on the corners.
bool xc_caffe_interp(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  int64_t zoom = xc_caffe_int(im, "zoom_factor", 1);
  int64_t shrink = xc_caffe_int(im, "shrink_factor", 1);
  if (!value || xc_graph_failed(&im->graph))
    return false;
  if (xc_caffe_int(im, "pad_beg", 0) || xc_caffe_int(im, "pad_end", 0))
    return xc_caffe_error(im, "its padding is not supported");
  if (zoom < 1 || zoom > UINT16_MAX || shrink < 1 || shrink > UINT16_MAX)
    return xc_caffe_error(im, "its factors are %" PRId64 " and %" PRId64, zoom,
                          shrink);
  int64_t size[2];
  for (size_t i = 0; i < 2; ++i) {
    int64_t shrunk = (value->shape.dims[H + i] - 1) / shrink + 1;
    size[i] = shrunk + (shrunk - 1) * (zoom - 1);
  }
  return emit_resize(im, value, "BILINEAR", "align_corners",
                     (double)xc_caffe_int(im, "height", size[0]),
                     (double)xc_caffe_int(im, "width", size[1]));
}

//===----------------------------------------------------------------------===//
// Prior boxes
//===----------------------------------------------------------------------===//

/// Lists of the layer.
typedef struct box_lists {
  float min_sizes[XC_MAX_INTS], max_sizes[XC_MAX_INTS], ratios[XC_MAX_INTS];
  float variance[4], step[2];
} box_lists;

static MlirValue emit_boxes(xc_caffe_importer *im, xc_graph_value *feature,
                            xc_graph_value *image, box_lists *l) {
  size_t sizes = xc_caffe_reals(im, "min_size", l->min_sizes, XC_MAX_INTS);
  size_t largest = xc_caffe_reals(im, "max_size", l->max_sizes, XC_MAX_INTS);
  size_t ratios = xc_caffe_reals(im, "aspect_ratio", l->ratios, XC_MAX_INTS);
  size_t variances = xc_caffe_reals(im, "variance", l->variance, 4);
  double step = xc_caffe_real(im, "step", 0);
  l->step[0] = (float)xc_caffe_real(im, "step_w", step);
  l->step[1] = (float)xc_caffe_real(im, "step_h", step);
  xc_attribute attributes[8] = {
      xc_floats("min_sizes", l->min_sizes, sizes),
      xc_bool("flip", xc_caffe_bool(im, "flip", true)),
      xc_bool("clip", xc_caffe_bool(im, "clip", false)),
      xc_float("offset", xc_caffe_real(im, "offset", 0.5))};
  size_t count = 4;
  if (largest)
    attributes[count++] = xc_floats("max_sizes", l->max_sizes, largest);
  if (ratios)
    attributes[count++] = xc_floats("aspect_ratio", l->ratios, ratios);
  if (variances)
    attributes[count++] = xc_floats("variance", l->variance, variances);
  if (l->step[0] > 0 && l->step[1] > 0)
    attributes[count++] = xc_floats("step", l->step, 2);
  if (sizes == 0)
    xc_caffe_error(im, "it has no min_size");
  MlirValue operands[] = {xc_graph_get_channels_last(&im->graph, feature),
                          xc_graph_get_channels_last(&im->graph, image)};
  return xc_graph_emit(&im->graph, NULL, XC_TIR_PRIORBOX, operands, 2,
                       &(xc_attributes){attributes, count}, XC_ELEMENT_F32);
}

// The boxes depend on the sizes of the bottoms only: a constant.
bool xc_caffe_prior_box(xc_caffe_importer *im) {
  xc_graph_value *feature = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  xc_graph_value *image = feature ? xc_caffe_bottom_of_rank(im, 1, 4, 4) : NULL;
  box_lists lists;
  xc_adaptor op;
  float *data;
  if (!image)
    return false;
  int64_t height = xc_caffe_int(im, "img_h", xc_caffe_int(im, "img_size", 0));
  int64_t width = xc_caffe_int(im, "img_w", xc_caffe_int(im, "img_size", 0));
  if ((height && height != image->shape.dims[H]) ||
      (width && width != image->shape.dims[W]))
    return xc_caffe_error(im, "its image has another size than bottom '%s'",
                          im->layer->bottoms[1]);
  MlirValue boxes = emit_boxes(im, feature, image, &lists);
  if (mlirValueIsNull(boxes) ||
      !xc_adaptor_of(mlirOpResultGetOwner(boxes), &op))
    return false;
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(boxes), &shape);
  xc_graph_value *result =
      xc_caffe_new_constant(im, "boxes", shape.dims, shape.rank, &data);
  double *values = result ? xc_priorbox_values(&op, &im->graph.arena) : NULL;
  if (!values)
    return false;
  for (int64_t i = 0; i < xc_shape_num_elements(&shape); ++i)
    data[i] = (float)values[i];
  return xc_caffe_top(im, 0, result);
}
