//===- Input.c - the files with samples of one input ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Input.h"

#include "Interpreter/Data.h"
#include "Interpreter/Kernel.h"
#include "Support/Diag.h"
#include "Support/Memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static xc_sample_source *add_source(xc_input_files *in, const char *path,
                                    xc_source_kind kind) {
  xc_grow((void **)&in->sources, &in->capacity, in->num_sources + 1,
          sizeof(*in->sources));
  xc_sample_source *added = &in->sources[in->num_sources++];
  *added = (xc_sample_source){
      .path = path, .kind = kind, .first = in->count, .count = 1};
  return added;
}

static bool holds_inputs(const xc_npy *npy, const xc_shape *shape) {
  uint64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < shape->rank; ++i)
    dims[i] = (uint64_t)shape->dims[i];
  return xc_npy_holds(npy, dims, shape->rank);
}

static bool shape_error(XcDiag *diag, const char *path, const xc_npy *npy,
                        const xc_shape *shape) {
  xc_text found = {0}, expected = {0};
  xc_npy_print(npy, &found);
  xc_shape_print(shape, &expected);
  xc_file_error(diag, path,
                "the array is %s%s, expected %s, or several of these along the "
                "first dimension",
                xc_text_str(&found), npy->count ? "" : ", which is empty",
                xc_text_str(&expected));
  xc_text_free(&found);
  xc_text_free(&expected);
  return false;
}

static bool set_pixels(XcDiag *diag, const xc_preprocess *how,
                       const xc_input_files *in, xc_sample_source *to,
                       const xc_npy *npy) {
  to->kind = XC_SOURCE_PIXELS;
  if (!xc_pixels_of(diag, to->path, npy, &in->input, how, &to->pixels))
    return false;
  to->bytes = to->pixels.bytes;
  to->count = to->pixels.count;
  return true;
}

static bool set_npy(XcDiag *diag, const xc_preprocess *how,
                    const xc_input_files *in, xc_sample_source *to,
                    const unsigned char *data, size_t size, uint64_t total) {
  xc_npy npy;
  if (!xc_npy_parse_start(diag, to->path, data, size, total, &npy))
    return false;
  to->offset = (uint64_t)(npy.data - data);
  to->fortran_order = npy.fortran_order;
  if (xc_pixels_are_in(&npy, &in->input))
    return set_pixels(diag, how, in, to, &npy);
  const xc_shape *shape = &in->input.shape;
  if (!xc_npy_fits(npy.type, shape->element))
    return xc_file_error(diag, to->path, "the elements are %c%u, expected %s",
                         npy.type.kind, 8 * npy.type.size,
                         xc_element_name(shape->element));
  uint64_t each = (uint64_t)xc_shape_num_elements(shape);
  if (npy.count == 0 || each == 0 || npy.count % each != 0 ||
      !holds_inputs(&npy, shape))
    return shape_error(diag, to->path, &npy, shape);
  to->type = npy.type;
  to->bytes = (size_t)each * npy.type.size;
  to->count = (size_t)(npy.count / each);
  return true;
}

/// Finds the contents of a file that is no image, from its first bytes.
static bool describe_file(XcDiag *diag, const xc_preprocess *how,
                          xc_input_files *in, xc_sample_source *to,
                          const unsigned char *data, size_t size,
                          uint64_t total) {
  if (xc_npy_is(data, size))
    return set_npy(diag, how, in, to, data, size, total);
  to->bytes = in->bytes;
  if (total == 0 || in->bytes == 0 || total % in->bytes != 0)
    return xc_file_error(diag, to->path,
                         "%" PRIu64 " bytes, expected a multiple of the "
                         "input's %zu; pictures are .png, .jpg, .ppm and .pgm, "
                         "arrays .npy",
                         total, in->bytes);
  to->count = (size_t)(total / in->bytes);
  return true;
}

static bool open_error(XcDiag *diag, const char *path, FILE *stream) {
  int error = errno;
  if (stream)
    fclose(stream);
  return xc_file_error(diag, NULL, "cannot open input file '%s': %s", path,
                       strerror(error));
}

/// A pipe cannot be read a second time, and a sample of an array in Fortran's
/// order is all over the file.
static bool hold_file(XcDiag *diag, const xc_preprocess *how,
                      xc_input_files *in, xc_sample_source *to) {
  xc_npy npy;
  return xc_read_file(diag, to->path, &to->held) &&
         describe_file(diag, how, in, to, to->held.data, to->held.size,
                       to->held.size) &&
         (!to->fortran_order ||
          xc_npy_parse_buffer(diag, to->path, &to->held, &npy));
}

static bool add_bytes(XcDiag *diag, const xc_preprocess *how,
                      xc_input_files *in, const char *path) {
  enum { START = 1 << 14 }; // more than the header of an array has
  xc_sample_source *to = add_source(in, path, XC_SOURCE_BYTES);
  struct stat status;
  if (strcmp(path, "-") == 0 ||
      (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
    return hold_file(diag, how, in, to);
  FILE *stream = fopen(path, "rb");
  if (!stream || fstat(fileno(stream), &status) != 0)
    return open_error(diag, path, stream);
  unsigned char *start = xc_alloc(START);
  size_t size = fread(start, 1, START, stream);
  fclose(stream);
  uint64_t total = (uint64_t)status.st_size;
  bool ok = describe_file(diag, how, in, to, start,
                          size < total ? size : (size_t)total, total);
  free(start);
  return ok && to->fortran_order ? hold_file(diag, how, in, to) : ok;
}

/// Whether a name is that of something else than samples, whose bytes would be
/// taken for raw ones where they happen to be as many.
static bool is_foreign(const char *path) {
  static const char *const suffixes[] = {
      ".avif", ".bmp", ".csv", ".db",   ".gif", ".heic", ".json", ".md", ".mp4",
      ".npz",  ".tif", ".txt", ".tiff", ".xml", ".webp", ".yaml", ".zip"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(*suffixes); ++i)
    if (strcasecmp(dot, suffixes[i]) == 0)
      return true;
  return false;
}

static bool add_file(XcDiag *diag, const xc_preprocess *how, xc_input_files *in,
                     const char *path) {
  bool ok = true;
  if (is_foreign(path))
    return xc_file_error(diag, path,
                         "no sample: '%s' is not read. Pictures are .png, "
                         ".jpg, .ppm and .pgm, arrays .npy, and raw bytes "
                         "have any other name, such as .bin",
                         strrchr(path, '.'));
  if (xc_image_has_name(path)) {
    xc_picture picture;
    ok = xc_picture_check(diag, path, &in->input, how, &picture);
    add_source(in, path, XC_SOURCE_IMAGE);
  } else {
    ok = add_bytes(diag, how, in, path);
  }
  in->count += in->sources[in->num_sources - 1].count;
  return ok;
}

bool xc_input_add(XcDiag *diag, const xc_preprocess *how, xc_input_files *in,
                  const char *path) {
  if (!xc_is_folder(path))
    return add_file(diag, how, in, path);
  in->folder = path;
  if (!xc_file_list_read(diag, path, &in->files))
    return false;
  for (size_t i = 0; i < in->files.count; ++i)
    if (!add_file(diag, how, in, in->files.paths[i]))
      return false;
  return in->count > 0 || xc_file_error(diag, path, "no samples in it");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

const xc_sample_source *xc_input_find(const xc_input_files *in, size_t place) {
  size_t low = 0, high = in->num_sources;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (in->sources[middle].first <= place)
      low = middle;
    else
      high = middle;
  }
  return &in->sources[low];
}

/// Reads the bytes of one sample of a file.
static bool read_bytes(XcDiag *diag, const xc_sample_source *from, size_t index,
                       void *data) {
  uint64_t at = from->offset + (uint64_t)index * from->bytes;
  if (from->held.data) {
    memcpy(data, from->held.data + at, from->bytes);
    return true;
  }
  FILE *stream = fopen(from->path, "rb");
  if (!stream)
    return open_error(diag, from->path, NULL);
  bool ok = fseeko(stream, (off_t)at, SEEK_SET) == 0 &&
            fread(data, 1, from->bytes, stream) == from->bytes;
  fclose(stream);
  return ok || xc_file_error(diag, from->path,
                             "the file has changed while it was read");
}

/// Elements of an array in another type.
static bool read_elements(XcDiag *diag, const xc_input_files *in,
                          const xc_sample_source *from, size_t index,
                          void *data) {
  uint64_t count = (uint64_t)xc_shape_num_elements(&in->input.shape);
  unsigned char *bytes = xc_alloc(from->bytes);
  const xc_npy npy = {.type = from->type, .count = count, .data = bytes};
  bool ok = read_bytes(diag, from, index, bytes) &&
            xc_npy_convert(diag, from->path, &npy, index * count,
                           in->input.shape.element, data);
  free(bytes);
  return ok;
}

static bool read_pixels(XcDiag *diag, const xc_preprocess *how,
                        const xc_input_files *in, const xc_sample_source *from,
                        size_t index, void *data) {
  unsigned char *bytes = xc_alloc(from->bytes);
  bool ok = read_bytes(diag, from, index, bytes) &&
            xc_pixels_fill(diag, from->path, &from->pixels, bytes, &in->input,
                           how, data);
  free(bytes);
  return ok;
}

bool xc_input_read(XcDiag *diag, const xc_preprocess *how,
                   const xc_input_files *in, size_t place, void *data) {
  const xc_sample_source *from = xc_input_find(in, place);
  switch (from->kind) {
  case XC_SOURCE_IMAGE:
    return xc_picture_read(diag, from->path, &in->input, how, data);
  case XC_SOURCE_BYTES:
    return from->type.size
               ? read_elements(diag, in, from, place - from->first, data)
               : read_bytes(diag, from, place - from->first, data);
  case XC_SOURCE_PIXELS:
    return read_pixels(diag, how, in, from, place - from->first, data);
  }
  return false;
}

void xc_input_free(xc_input_files *in) {
  for (size_t k = 0; k < in->num_sources; ++k)
    xc_buffer_free(&in->sources[k].held);
  free(in->sources);
  xc_file_list_free(&in->files);
}
