//===- Data.h - tensors in files ----------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_DATA_H
#define XC_INTERPRETER_DATA_H

#include "Support/File.h"
#include "Support/Npy.h"
#include "Support/Text.h"
#include "dialects/Adaptor.h"

/// "2x3xf32": shape and type of an array.
void xc_npy_print(const xc_npy *npy, xc_text *text);

/// Whether arrays of the type fill tensors: it is their own, or both are
/// floating point.
bool xc_npy_fits(xc_npy_type type, xc_element element);

/// Makes an array's elements, in C order, those of a tensor; other floating
/// point is rounded once, half to even. `first` is the number of the first one
/// in the diagnostic of a number that the tensor's type lacks.
bool xc_npy_convert(XcDiag *diag, const char *path, const xc_npy *npy,
                    uint64_t first, xc_element element, void *data);

/// Fills `data`, which has room for the shape, from a file: .npy by its magic
/// (the element type must fit, the shape agree but for dimensions of 1), else
/// raw little-endian bytes of exactly the tensor's size.
bool xc_tensor_read(XcDiag *diag, const char *path, const xc_shape *shape,
                    void *data);

/// The same from a file that has been read; `npy` is null for raw bytes.
bool xc_tensor_take(XcDiag *diag, const char *path, const xc_buffer *file,
                    const xc_npy *npy, const xc_shape *shape, void *data);

/// Returns how many tensors of the shape, one after the other, the file holds
/// by its size; 1 if that is none or no whole number. `npy` is null for raw
/// bytes.
uint64_t xc_tensor_count_in(const xc_buffer *file, const xc_npy *npy,
                            const xc_shape *shape);

/// Writes .npy when the path ends so, else the raw bytes.
bool xc_tensor_write(XcDiag *diag, const char *path, const xc_shape *shape,
                     const void *data);

/// Fills `data` with numbers that depend on `seed` and the position only:
/// floats in [-1, 1), integers over the whole range of their type, but those of
/// 64 bits from 0 to 7: they are indices.
void xc_tensor_randomize(uint64_t seed, const xc_shape *shape, void *data);

#endif // XC_INTERPRETER_DATA_H
