//===- Samples.h - the inputs of many runs ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples are in files: pictures, .npy, or raw bytes. A set knows where each
// one is and reads it when it is asked for, so that memory does not grow with
// their number.
//
//   set = xc_samples_open(&diag, "photos", inputs, 1, &preprocess);
//   for (size_t i = 0; i < xc_samples_count(set); ++i)
//     xc_samples_read(&diag, set, i, data);
//   xc_samples_close(set);
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_SAMPLES_H
#define XC_SAMPLES_SAMPLES_H

#include "Picture.h"

typedef struct xc_samples xc_samples;

/// `path` is a file or a folder, which is read with all folders in it, ordered
/// by name. A model of several inputs takes a folder with an entry for each,
/// named like the input or numbered. What a file holds:
///
///   .png, .jpg, .jpeg, .ppm, .pgm   one picture
///   .npy of the input's type        samples, one after the other
///   .npy of bytes                   pictures, where the input is not of bytes
///                                   (Pixels.h)
///   others                          samples, their raw bytes
///
/// Names and shapes of `inputs` and the diagnostics' handler are copied.
/// Returns null after a diagnostic.
xc_samples *xc_samples_open(XcDiag *diag, const char *path,
                            const xc_sample_input *inputs, size_t num_inputs,
                            const xc_preprocess *how);

/// Made-up samples. Real numbers are those of random pictures where `how` says
/// what becomes of pixels, else within the range of the input in `ranges` (low
/// and high, two for each input) or, where that is empty, in [-1, 1).
xc_samples *xc_samples_make_up(const xc_sample_input *inputs, size_t num_inputs,
                               const xc_preprocess *how, const double *ranges,
                               size_t count);

size_t xc_samples_count(const xc_samples *samples);

/// Leaves `most` of them, spread evenly; 0 leaves all.
void xc_samples_limit(xc_samples *samples, size_t most);

/// Returns the place of a sample among all that the files have.
size_t xc_samples_place(const xc_samples *samples, size_t sample);

/// Appends the name of a sample: its file, as it stands in the folder, and its
/// number in the file where there are several.
void xc_samples_name(const xc_samples *samples, size_t sample, xc_text *name);

/// Returns an input, and what becomes of the pixels of its pictures; null where
/// there is no picture among its files. Borrowed.
const xc_sample_input *xc_samples_picture_input(const xc_samples *samples,
                                                size_t input,
                                                const xc_preprocess **how);

/// Keeps what has been read while it is no more than `bytes` in all. Reading is
/// then for one thread at a time.
void xc_samples_keep(xc_samples *samples, size_t bytes);

/// Fills the memory of all inputs; any number of threads may do so. Returns
/// false after a diagnostic.
bool xc_samples_read(XcDiag *diag, xc_samples *samples, size_t sample,
                     void *const *data);

/// Null is fine.
void xc_samples_close(xc_samples *samples);

#endif // XC_SAMPLES_SAMPLES_H
