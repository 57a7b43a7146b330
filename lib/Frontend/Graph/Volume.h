//===- Volume.h - windows over depth, height and width ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tir has windows over two dimensions, as DPUs have. A volume is an image
// whose channels are those of all its depths, [N, H, W, D, C] with the last two
// as one: a depth is then a range of channels, which costs nothing to take or
// to put beside others. Where a window spans the depth alone, the volume is an
// image of H * W rows and D columns. Neither moves any data.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_VOLUME_H
#define XC_FRONTEND_GRAPH_VOLUME_H

#include "Value.h"

/// Width first, then height and depth.
typedef struct xc_graph_window3d {
  int64_t kernel[3], stride[3], dilation[3];
  int64_t pad[6]; // left, right, top, bottom, front, back
} xc_graph_window3d;

/// Returns the order [N, H, W, D, C] of a value [N, C, D, H, W].
xc_graph_order xc_graph_volume_order(void);
/// The order [N, H, W, D, C] of a value [N, D, H, W, C].
xc_graph_order xc_graph_volume_order_last(void);

/// A convolution of volumes, or a transposed one.
typedef struct xc_graph_conv3d {
  MlirValue input; // [N, H, W, D, C]
  /// [O, C / group, KD, KH, KW]; transposed: [C, O / group, KD, KH, KW].
  xc_graph_value *weight;
  MlirValue bias; // [O], or null
  xc_graph_window3d window;
  int64_t group;
  bool transposed;
  int64_t output_padding[3]; // transposed
} xc_graph_conv3d;
/// Returns [N, H', W', D', O].
MlirValue xc_graph_emit_conv3d(xc_graph *graph, const xc_graph_conv3d *conv);

/// The ways to take a volume as an image, by the dimension that is merged with
/// the next one.
typedef enum xc_graph_view {
  XC_GRAPH_COLUMNS = 1, // [N, H * W, D, C]
  XC_GRAPH_ROWS = 2,    // [N, H, W * D, C]: the depth of one pixel follows that
                        // of another, which no window must reach
  XC_GRAPH_PLANES = 3,  // [N, H, W, D * C]
} xc_graph_view;
/// Takes a volume as an image.
MlirValue xc_graph_emit_image(xc_graph *graph, MlirValue volume,
                              xc_graph_view view);
/// Takes an image as the volume again. `size` is the height, width or depth.
MlirValue xc_graph_emit_volume(xc_graph *graph, MlirValue image,
                               xc_graph_view view, int64_t size);

/// Pools the width and height of an image with that part of the window.
typedef MlirValue (*xc_graph_pool2d)(void *context, const char *part,
                                     MlirValue image,
                                     const xc_graph_window3d *window);
/// Pools a volume [N, H, W, D, C], one image after the other (VolumePool.c):
/// right where pooling over two dimensions, then over the third, is pooling
/// over all three.
MlirValue xc_graph_emit_pool3d(xc_graph *graph, MlirValue volume,
                               const xc_graph_window3d *window,
                               xc_graph_pool2d pool, void *context);

#endif // XC_FRONTEND_GRAPH_VOLUME_H
