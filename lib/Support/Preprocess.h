//===- Preprocess.h - how pictures become tensors -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Preprocessing of pictures for the inputs of models: a picture is resized, a
// part of it is cut out, and each number becomes (pixel - mean) * scale. A
// model carries this as text, the attribute `preprocess` of its function or
// graph:
//
//   text ::= (key "=" value (" " key "=" value)*)?
//   key  ::= resize | crop | mean | scale | channels | layout
//
// with the values of the options of the same names, each key at most once. The
// options --std and --pixels are other ways to say mean and scale, and are kept
// as these.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_PREPROCESS_H
#define XC_SUPPORT_PREPROCESS_H

#include "Text.h"
#include "xc-c/ImportOptions.h"

/// The attribute of functions and graphs.
#define XC_PREPROCESS "preprocess"

/// A file of a few bytes can ask for a picture of gigabytes.
enum { XC_MAX_SIDE = 1 << 15, XC_MAX_PIXELS = 1 << 27, XC_MAX_CHANNELS = 3 };

/// A size in pixels.
typedef struct xc_size {
  int64_t height, width;
} xc_size;

typedef enum xc_resize_kind {
  XC_RESIZE_NONE,
  XC_RESIZE_SHORTER,   // the shorter side becomes size.height
  XC_RESIZE_EXACT,     // both sides
  XC_RESIZE_LETTERBOX, // as large as fits the input, the rest is grey
} xc_resize_kind;

/// One number for all channels or one for each; none when not given.
typedef struct xc_channel_numbers {
  size_t count;
  double values[XC_MAX_CHANNELS];
} xc_channel_numbers;

/// Zero: nothing is given.
typedef struct xc_preprocess {
  xc_resize_kind resize;
  xc_size resize_to;
  xc_size crop; // height 0: none
  xc_channel_numbers mean, scale;
  enum { XC_CHANNELS_OPEN, XC_CHANNELS_RGB, XC_CHANNELS_BGR } channels;
  enum { XC_LAYOUT_OPEN, XC_LAYOUT_NHWC, XC_LAYOUT_NCHW } layout;
} xc_preprocess;

/// Replaces the parts of `preprocess` that the options give. The others stay,
/// but for a mean and a scale that were given for other pixels. Returns false
/// after a diagnostic that names the option.
bool xc_preprocess_apply(XcDiag *diag, const XcPictureOptions *options,
                         xc_preprocess *preprocess);

/// Reads the text that a model carries; `file` is for messages, or null.
bool xc_preprocess_parse(XcDiag *diag, const char *file, const char *text,
                         size_t length, xc_preprocess *preprocess);

/// Appends the text: the same for the same options, however they were written.
void xc_preprocess_print(const xc_preprocess *preprocess, xc_text *text);

/// Calls `visit` with each key that is given and its value.
void xc_preprocess_for_each(const xc_preprocess *preprocess,
                            void (*visit)(void *user, const char *key,
                                          const char *value),
                            void *user);

/// Appends an option as it is given on a command line, or nothing where no
/// number is: " --mean=123.675,116.28,103.53".
void xc_preprocess_print_option(const char *name,
                                const xc_channel_numbers *numbers,
                                xc_text *text);

bool xc_preprocess_is_empty(const xc_preprocess *preprocess);

/// Returns the number of a channel, or `otherwise` where none is given.
double xc_channel_number(const xc_channel_numbers *numbers, size_t channel,
                         double otherwise);

#endif // XC_SUPPORT_PREPROCESS_H
