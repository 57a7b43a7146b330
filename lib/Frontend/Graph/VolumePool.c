//===- VolumePool.c - pools over depth, height and width ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over the height and width, and over the depth of that: maxima and sums are
// the same, and so are averages, whose counts are products of one for each
// dimension.
//
//===----------------------------------------------------------------------===//

#include "Volume.h"

enum { DEPTH = 2, FRONT = 4, BACK = 5 }; // of windows
enum { D = 3 };                          // of volumes

static bool pools_nothing(const xc_graph_window3d *w, size_t axis) {
  return w->kernel[axis] == 1 && w->stride[axis] == 1 &&
         w->pad[2 * axis] == 0 && w->pad[2 * axis + 1] == 0;
}

// Returns the window over the depth as one over the columns of an image.
static xc_graph_window3d depth_window(const xc_graph_window3d *w) {
  return (xc_graph_window3d){.kernel = {w->kernel[DEPTH], 1, 1},
                             .stride = {w->stride[DEPTH], 1, 1},
                             .dilation = {w->dilation[DEPTH], 1, 1},
                             .pad = {w->pad[FRONT], w->pad[BACK]}};
}

// Windows side by side that fill the depth stay within it.
static MlirValue pool_depth(xc_graph *graph, MlirValue volume,
                            const xc_graph_window3d *window,
                            xc_graph_pool2d pool, void *context) {
  if (mlirValueIsNull(volume))
    return volume;
  xc_shape shape = xc_value_shape(volume);
  xc_graph_window3d depth = depth_window(window);
  bool fills = depth.kernel[0] == depth.stride[0] && depth.dilation[0] == 1 &&
               depth.pad[0] == 0 && depth.pad[1] == 0 &&
               shape.dims[D] % depth.kernel[0] == 0;
  xc_graph_view view = fills ? XC_GRAPH_ROWS : XC_GRAPH_COLUMNS;
  MlirValue image = xc_graph_emit_image(graph, volume, view);
  image = pool(context, NULL, image, &depth);
  return xc_graph_emit_volume(graph, image, view, shape.dims[view]);
}

MlirValue xc_graph_emit_pool3d(xc_graph *graph, MlirValue volume,
                               const xc_graph_window3d *window,
                               xc_graph_pool2d pool, void *context) {
  bool has_depth = !pools_nothing(window, DEPTH);
  if (mlirValueIsNull(volume))
    return volume;
  if (!has_depth || !pools_nothing(window, 0) || !pools_nothing(window, 1)) {
    int64_t depth = xc_value_shape(volume).dims[D];
    MlirValue planes = xc_graph_emit_image(graph, volume, XC_GRAPH_PLANES);
    planes = pool(context, has_depth ? "planes" : NULL, planes, window);
    volume = xc_graph_emit_volume(graph, planes, XC_GRAPH_PLANES, depth);
  }
  return has_depth ? pool_depth(graph, volume, window, pool, context) : volume;
}
