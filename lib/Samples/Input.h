//===- Input.h - the files with samples of one input --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_INPUT_H
#define XC_SAMPLES_INPUT_H

#include "Files.h"
#include "Pixels.h"

#include "Support/File.h"
#include "Support/Npy.h"

typedef enum xc_source_kind {
  XC_SOURCE_IMAGE,  // an image file
  XC_SOURCE_BYTES,  // samples as they are
  XC_SOURCE_PIXELS, // pictures without a format
} xc_source_kind;

/// A file with samples.
typedef struct xc_sample_source {
  const char *path;
  xc_source_kind kind;
  size_t first, count; // samples
  uint64_t offset;     // of the first one
  size_t bytes;        // of each one
  xc_npy_type type;    // of an array's elements; size 0: as the input has them
  bool fortran_order;
  xc_pixels pixels; // of XC_SOURCE_PIXELS
  xc_buffer held;   // the whole file, where it can be read only once
} xc_sample_source;

/// The files of one input, in the order of its samples.
typedef struct xc_input_files {
  xc_sample_input input;
  size_t bytes; // of a sample
  const char *folder;
  xc_file_list files;
  xc_sample_source *sources;
  size_t num_sources, capacity;
  size_t count;     // samples
  double low, high; // of made-up samples
} xc_input_files;

/// Adds a file, or all files of a folder. `path` is borrowed. Returns false
/// after a diagnostic.
bool xc_input_add(XcDiag *diag, const xc_preprocess *how, xc_input_files *in,
                  const char *path);
void xc_input_free(xc_input_files *in);

/// Returns the file that has the sample at that place.
const xc_sample_source *xc_input_find(const xc_input_files *in, size_t place);
/// Reads the sample at that place as elements of the input.
bool xc_input_read(XcDiag *diag, const xc_preprocess *how,
                   const xc_input_files *in, size_t place, void *data);

#endif // XC_SAMPLES_INPUT_H
