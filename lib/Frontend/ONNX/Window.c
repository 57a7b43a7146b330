//===- Window.c - kernels, strides and pads of a node ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 3 }; // spatial dimensions

// Reads a list with one entry per spatial dimension, width first.
static bool read_list(xc_onnx_importer *im, const char *name, size_t spatial,
                      int64_t lowest, int64_t result[MOST]) {
  int64_t list[MOST];
  size_t count;
  if (!xc_onnx_ints(im, name, list, MOST, &count))
    return false;
  if (count != 0 && count != spatial)
    return xc_onnx_error(im, "attribute '%s' has %zu entries, expected %zu",
                         name, count, spatial);
  for (size_t i = 0; i < count; ++i) {
    if (list[i] < lowest || list[i] > 65535)
      return xc_onnx_error(im,
                           "attribute '%s' has entry %" PRId64
                           ", expected %" PRId64 " to 65535",
                           name, list[i], lowest);
    result[i] = list[count - 1 - i];
  }
  return true;
}

static bool read_pads(xc_onnx_importer *im, size_t spatial,
                      int64_t pad[2 * MOST]) {
  int64_t list[2 * MOST];
  size_t count;
  if (!xc_onnx_ints(im, "pads", list, 2 * MOST, &count))
    return false;
  if (count != 0 && count != 2 * spatial)
    return xc_onnx_error(im, "attribute 'pads' has %zu entries, expected %zu",
                         count, 2 * spatial);
  for (size_t a = 0; a < spatial && count; ++a) {
    pad[2 * a] = list[spatial - 1 - a];
    pad[2 * a + 1] = list[2 * spatial - 1 - a];
  }
  for (size_t i = 0; i < 2 * MOST; ++i)
    if (pad[i] < 0 || pad[i] > 65535)
      return xc_onnx_error(
          im, "attribute 'pads' has entry %" PRId64 ", expected 0 to 65535",
          pad[i]);
  return true;
}

static bool read_auto_pad(xc_onnx_importer *im, xc_onnx_auto_pad *auto_pad) {
  static const char *const words[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER",
                                      "VALID"};
  const char *word = xc_onnx_string(im, "auto_pad", "NOTSET");
  for (int i = 0; i < 4; ++i) {
    *auto_pad = (xc_onnx_auto_pad)i;
    if (strcmp(words[i], word) == 0)
      return true;
  }
  return xc_onnx_error(im,
                       "attribute 'auto_pad' is '%s', expected 'NOTSET', "
                       "'SAME_UPPER', 'SAME_LOWER' or 'VALID'",
                       word);
}

bool xc_onnx_read_window(xc_onnx_importer *im, const xc_shape *weight,
                         size_t rank, xc_onnx_window *window) {
  *window = (xc_onnx_window){
      .kernel = {1, 1, 1}, .stride = {1, 1, 1}, .dilation = {1, 1, 1}};
  for (size_t a = 0; weight && a + 2 < weight->rank; ++a)
    window->kernel[a] = weight->dims[weight->rank - 1 - a];
  size_t spatial = rank - 2;
  if (!weight && !xc_onnx_attribute(im, "kernel_shape"))
    return xc_onnx_error(im, "has no attribute 'kernel_shape'");
  int64_t from_weight[MOST];
  memcpy(from_weight, window->kernel, sizeof(from_weight));
  if (!read_list(im, "kernel_shape", spatial, 1, window->kernel))
    return false;
  if (weight && memcmp(from_weight, window->kernel, sizeof(from_weight)) != 0)
    return xc_onnx_error(im,
                         "attribute 'kernel_shape' is not that of the weight");
  return read_list(im, "strides", spatial, 1, window->stride) &&
         read_list(im, "dilations", spatial, 1, window->dilation) &&
         read_pads(im, spatial, window->pad) &&
         read_auto_pad(im, &window->auto_pad);
}

void xc_onnx_pad_window(const xc_shape *input, xc_onnx_window *window) {
  switch (window->auto_pad) {
  case ONNX_NOTSET:
    return;
  case ONNX_VALID:
    memset(window->pad, 0, sizeof(window->pad));
    return;
  case ONNX_SAME_UPPER:
  case ONNX_SAME_LOWER:
    break;
  }
  for (size_t a = 0; a + 2 < input->rank; ++a) {
    int64_t size = input->dims[input->rank - 1 - a], stride = window->stride[a];
    int64_t outputs = (size + stride - 1) / stride;
    int64_t reach = (window->kernel[a] - 1) * window->dilation[a] + 1;
    int64_t total = (outputs - 1) * stride + reach - size;
    total = total > 0 ? total : 0;
    bool is_upper = window->auto_pad == ONNX_SAME_UPPER;
    window->pad[2 * a] = is_upper ? total / 2 : total - total / 2;
    window->pad[2 * a + 1] = total - window->pad[2 * a];
  }
}
