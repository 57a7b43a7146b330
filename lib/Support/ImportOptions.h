//===- ImportOptions.h - what a user says about a model -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every tool that reads model files has the same options for importing them:
//
//   static xc_import_arguments import = XC_IMPORT_ARGUMENTS;
//   static const xc_option import_rows[] = {XC_IMPORT_ROWS(&import)};
//   ...
//   XcImportOptions options = xc_import_options(&import); // Frontend/Load
//   xc_import_arguments_free(&import);
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_IMPORTOPTIONS_H
#define XC_SUPPORT_IMPORTOPTIONS_H

#include "CommandLine.h"
#include "xc-c/ImportOptions.h"

/// The members stand for those of XcImportOptions.
typedef struct xc_import_arguments {
  xc_string_list input_shapes, inputs, outputs, binds;
  const char *caffemodel;
  int64_t random_weights; // the seed; -1: none
  bool keep_qdq, dequantize_weights, sign_bytes, allow_custom;
  XcPictureOptions pictures;
} xc_import_arguments;

/// Nothing is given.
#define XC_IMPORT_ARGUMENTS {.random_weights = -1}

/// The rows of the options, where `a` points to an xc_import_arguments.
// clang-format off
#define XC_IMPORT_ROWS(a)                                                      \
  XC_LIST_ROW("input-shape", "name=1x3x224x224", &(a)->input_shapes,           \
              "Shape of an input, in place of the one in the file"),           \
  XC_LIST_ROW("inputs", "name[=1x490],...", &(a)->inputs,                    \
              "Values that become inputs; what computes them is left out"),    \
  XC_LIST_ROW("outputs", "name,name...", &(a)->outputs,                        \
              "Values that become the outputs; what they do not need is left " \
              "out"),                                                          \
  XC_LIST_ROW("bind", "name=file", &(a)->binds,                                \
              "Make an input of an ONNX model the constant of an .npy or .pb " \
              "file"),                                                         \
  XC_INT_ROW("random-weights", "seed", &(a)->random_weights, 0, INT64_MAX,     \
             "Make up the weights of an ONNX model or Caffe net that comes "   \
             "without"),                                                       \
  XC_STRING_ROW("caffemodel", "file", &(a)->caffemodel,                        \
                "Weights of a Caffe net (also -c)"),                           \
  XC_STRING_ROW("c", NULL, &(a)->caffemodel, NULL),                            \
  XC_FLAG_ROW("keep-qdq", &(a)->keep_qdq,                                      \
              "Keep quantise/dequantise pairs of an ONNX model"),              \
  XC_FLAG_ROW("dequantize-weights", &(a)->dequantize_weights,                  \
              "Import layers with 8-bit weights and float inputs, of TFLite "  \
              "or after DynamicQuantizeLinear, as float layers"),              \
  XC_FLAG_ROW("sign-bytes", &(a)->sign_bytes,                                  \
              "Import unsigned bytes with powers of two as scales as signed "  \
              "ones, without their last bit"),                                 \
  XC_FLAG_ROW("allow-custom", &(a)->allow_custom,                              \
              "Import operators that xc does not know as tir.custom")

/// The same for how pictures become inputs.
#define XC_PICTURE_ROWS(a)                                                     \
  XC_STRING_ROW("resize", "size", &(a)->pictures.resize,                       \
                "Resize pictures: the shorter side to N, to HEIGHTxWIDTH, or " \
                "letterbox: to fit the input, on grey"),                       \
  XC_STRING_ROW("crop", "size", &(a)->pictures.crop,                           \
                "Then cut N x N or HEIGHTxWIDTH pixels out of the middle"),    \
  XC_STRING_ROW("pixels", "0..255 or 0..1", &(a)->pictures.pixels,             \
                "What pixels count as for mean, std and scale (0..255)"),      \
  XC_STRING_ROW("mean", "numbers", &(a)->pictures.mean,                        \
                "Subtract from the channels, in their order in the input, "    \
                "with commas"),                                                \
  XC_STRING_ROW("std", "numbers", &(a)->pictures.std,                          \
                "Divide the channels by these afterwards, with commas"),       \
  XC_STRING_ROW("scale", "numbers", &(a)->pictures.scale,                      \
                "Multiply them by these instead"),                             \
  XC_STRING_ROW("channels", "rgb or bgr", &(a)->pictures.channels,             \
                "The order of the input's channels (rgb)"),                    \
  XC_STRING_ROW("layout", "nhwc or nchw", &(a)->pictures.layout,               \
                "The order of the input's dimensions, where the format does "  \
                "not tell")
// clang-format on

static inline void xc_import_arguments_free(xc_import_arguments *arguments) {
  xc_string_list_free(&arguments->input_shapes);
  xc_string_list_free(&arguments->inputs);
  xc_string_list_free(&arguments->outputs);
  xc_string_list_free(&arguments->binds);
}

#endif // XC_SUPPORT_IMPORTOPTIONS_H
