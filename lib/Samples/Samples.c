//===- Samples.c - the inputs of many runs --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Samples.h"

#include "Files.h"
#include "Pixels.h"

#include "Interpreter/Data.h"
#include "Interpreter/Kernel.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Npy.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum source_kind {
  SOURCE_IMAGE,  // an image file
  SOURCE_BYTES,  // samples as they are
  SOURCE_PIXELS, // pictures without a format
} source_kind;

/// A file with samples.
typedef struct source {
  const char *path;
  source_kind kind;
  size_t first, count; // samples
  uint64_t offset;     // of the first one
  size_t bytes;        // of each one
  xc_npy_type type;    // of an array's elements; size 0: as the input has them
  bool fortran_order;
  xc_pixels pixels; // of SOURCE_PIXELS
  xc_buffer held;   // the whole file, where it can be read only once
} source;

typedef struct input_files {
  xc_sample_input input;
  size_t bytes; // of a sample
  const char *folder;
  xc_file_list files;
  source *sources;
  size_t num_sources, capacity;
  size_t count; // samples
  double low, high;
} input_files;

struct xc_samples {
  xc_arena arena;
  xc_preprocess how;
  input_files *inputs;
  size_t num_inputs;
  bool made_up;
  size_t count; // what the files have
  size_t most;  // what is used of it
  unsigned char **kept;
  size_t kept_bytes, keep_limit;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static size_t bytes_of(const xc_shape *shape) {
  return (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
}

static source *add_source(input_files *in, const char *path, source_kind kind) {
  xc_grow((void **)&in->sources, &in->capacity, in->num_sources + 1,
          sizeof(*in->sources));
  source *added = &in->sources[in->num_sources++];
  *added = (source){.path = path, .kind = kind, .first = in->count, .count = 1};
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
                       const input_files *in, source *to, const xc_npy *npy) {
  to->kind = SOURCE_PIXELS;
  if (!xc_pixels_of(diag, to->path, npy, &in->input, how, &to->pixels))
    return false;
  to->bytes = to->pixels.bytes;
  to->count = to->pixels.count;
  return true;
}

static bool set_npy(XcDiag *diag, const xc_preprocess *how,
                    const input_files *in, source *to,
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
                          input_files *in, source *to,
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
static bool hold_file(XcDiag *diag, const xc_preprocess *how, input_files *in,
                      source *to) {
  xc_npy npy;
  return xc_read_file(diag, to->path, &to->held) &&
         describe_file(diag, how, in, to, to->held.data, to->held.size,
                       to->held.size) &&
         (!to->fortran_order ||
          xc_npy_parse_buffer(diag, to->path, &to->held, &npy));
}

static bool add_bytes(XcDiag *diag, const xc_preprocess *how, input_files *in,
                      const char *path) {
  enum { START = 1 << 14 }; // more than the header of an array has
  source *to = add_source(in, path, SOURCE_BYTES);
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

static bool add_file(XcDiag *diag, xc_samples *s, input_files *in,
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
    ok = xc_picture_check(diag, path, &in->input, &s->how, &picture);
    add_source(in, path, SOURCE_IMAGE);
  } else {
    ok = add_bytes(diag, &s->how, in, path);
  }
  in->count += in->sources[in->num_sources - 1].count;
  return ok;
}

static bool add_path(XcDiag *diag, xc_samples *s, input_files *in,
                     const char *path) {
  if (!xc_is_folder(path))
    return add_file(diag, s, in, path);
  in->folder = path;
  if (!xc_file_list_read(diag, path, &in->files))
    return false;
  for (size_t i = 0; i < in->files.count; ++i)
    if (!add_file(diag, s, in, in->files.paths[i]))
      return false;
  return in->count > 0 || xc_file_error(diag, path, "no samples in it");
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// "image (or 0) and mask (or 1)".
static void print_entries(const xc_samples *s, xc_text *text) {
  for (size_t i = 0; i < s->num_inputs; ++i) {
    const char *name = s->inputs[i].input.name;
    xc_text_puts(text, i == 0 ? "" : i + 1 < s->num_inputs ? ", " : " and ");
    if (*name)
      xc_text_printf(text, "%s (or %zu)", name, i);
    else
      xc_text_printf(text, "%zu", i);
  }
}

static void entry_error(XcDiag *diag, const xc_samples *s, const char *path,
                        size_t index) {
  xc_text entries = {0};
  print_entries(s, &entries);
  if (xc_is_folder(path))
    xc_file_error(diag, path,
                  "no entry for input %zu '%s': expected a folder with %s, "
                  "each a folder of samples, or a file with .npy or .bin",
                  index, s->inputs[index].input.name, xc_text_str(&entries));
  else
    xc_file_error(diag, path,
                  "the model has %zu inputs, expected a folder with %s, each a "
                  "folder of samples, or a file with .npy or .bin",
                  s->num_inputs, xc_text_str(&entries));
  xc_text_free(&entries);
}

// Several inputs: an entry of the folder for each, by name or number.
static const char *find_entry(XcDiag *diag, xc_samples *s, const char *path,
                              size_t index) {
  static const char *const suffixes[] = {"", ".npy", ".bin"};
  const char *name = s->inputs[index].input.name;
  xc_text entry = {0};
  const char *found = NULL;
  for (int by_name = *name != '\0'; !found && by_name >= 0; --by_name)
    for (size_t i = 0; !found && i < sizeof(suffixes) / sizeof(*suffixes);
         ++i) {
      entry.length = 0;
      if (by_name)
        xc_text_printf(&entry, "%s/%s%s", path, name, suffixes[i]);
      else
        xc_text_printf(&entry, "%s/%zu%s", path, index, suffixes[i]);
      if (access(xc_text_str(&entry), R_OK) == 0)
        found = xc_arena_string(&s->arena, entry.data, entry.length);
    }
  xc_text_free(&entry);
  if (!found)
    entry_error(diag, s, path, index);
  return found;
}

static xc_samples *create(const xc_sample_input *inputs, size_t num_inputs,
                          const xc_preprocess *how) {
  xc_samples *s = xc_alloc(sizeof(*s));
  s->how = *how;
  s->inputs = xc_arena_alloc(&s->arena, num_inputs + 1, sizeof(*s->inputs));
  s->num_inputs = num_inputs;
  for (size_t i = 0; i < num_inputs; ++i) {
    const char *name = inputs[i].name;
    s->inputs[i].input = inputs[i];
    s->inputs[i].input.name = xc_arena_string(&s->arena, name, strlen(name));
    s->inputs[i].bytes = bytes_of(&inputs[i].shape);
  }
  return s;
}

static bool open_input(XcDiag *diag, xc_samples *s, const char *path,
                       size_t index) {
  const char *entry = s->num_inputs > 1
                          ? find_entry(diag, s, path, index)
                          : xc_arena_string(&s->arena, path, strlen(path));
  input_files *in = &s->inputs[index];
  if (!entry || !add_path(diag, s, in, entry))
    return false;
  if (index > 0 && in->count != s->count)
    return xc_file_error(diag, path,
                         "input %zu has %zu samples, expected %zu as input 0",
                         index, in->count, s->count);
  s->count = s->most = in->count;
  return true;
}

xc_samples *xc_samples_open(XcDiag *diag, const char *path,
                            const xc_sample_input *inputs, size_t num_inputs,
                            const xc_preprocess *how) {
  xc_samples *s = create(inputs, num_inputs, how);
  for (size_t i = 0; i < num_inputs; ++i)
    if (!open_input(diag, s, path, i)) {
      xc_samples_close(s);
      return NULL;
    }
  if (num_inputs == 0)
    s->count = s->most = 1;
  return s;
}

void xc_samples_close(xc_samples *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->num_inputs; ++i) {
    for (size_t k = 0; k < s->inputs[i].num_sources; ++k)
      xc_buffer_free(&s->inputs[i].sources[k].held);
    free(s->inputs[i].sources);
    xc_file_list_free(&s->inputs[i].files);
  }
  for (size_t i = 0; s->kept && i < s->count * s->num_inputs; ++i)
    free(s->kept[i]);
  free(s->kept);
  xc_arena_free(&s->arena);
  free(s);
}

//===----------------------------------------------------------------------===//
// Made-up samples
//===----------------------------------------------------------------------===//

xc_samples *xc_samples_make_up(const xc_sample_input *inputs, size_t num_inputs,
                               const xc_preprocess *how, const double *ranges,
                               size_t count) {
  xc_samples *s = create(inputs, num_inputs, how);
  s->made_up = true;
  s->count = s->most = count;
  for (size_t i = 0; i < num_inputs; ++i) {
    s->inputs[i].low = ranges[2 * i];
    s->inputs[i].high = ranges[2 * i + 1];
  }
  return s;
}

/// Noise as a picture would bring it.
static void make_up_picture(const xc_samples *s, const input_files *in,
                            const xc_picture *picture, uint64_t seed,
                            void *data) {
  xc_shape shape = {.element = XC_ELEMENT_UI8, .rank = 3};
  shape.dims[0] = picture->size.height;
  shape.dims[1] = picture->size.width;
  shape.dims[2] = picture->channels;
  xc_image image = {.size = picture->size,
                    .channels = picture->channels,
                    .pixels = xc_alloc(bytes_of(&shape))};
  xc_tensor_randomize(seed, &shape, image.pixels);
  xc_preprocess how = s->how;
  how.resize = XC_RESIZE_NONE;
  how.crop.height = 0;
  XcDiag silent = {xc_ignore_error, NULL, 0};
  xc_picture_fill(&silent, NULL, &in->input, &how, &image, data);
}

static void make_up(const xc_samples *s, const input_files *in, uint64_t seed,
                    void *data) {
  xc_picture picture;
  bool is_float = xc_element_is_float(in->input.shape.element);
  bool has_pixels = s->how.mean.count > 0 || s->how.scale.count > 0;
  if (is_float && has_pixels && xc_picture_of(&in->input, &s->how, &picture)) {
    make_up_picture(s, in, &picture, seed, data);
    return;
  }
  xc_tensor_randomize(seed, &in->input.shape, data);
  if (!is_float || !(in->low < in->high))
    return;
  xc_tensor tensor = {in->input.shape, data};
  int64_t count = xc_shape_num_elements(&in->input.shape);
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(&tensor, i,
                in->low +
                    (xc_get_real(&tensor, i) + 1) / 2 * (in->high - in->low));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

size_t xc_samples_count(const xc_samples *s) { return s->most; }

void xc_samples_limit(xc_samples *s, size_t most) {
  if (most && most < s->count)
    s->most = most;
}

size_t xc_samples_place(const xc_samples *s, size_t sample) {
  assert(sample < s->most && "there is this sample");
  size_t whole = s->count / s->most, rest = s->count % s->most;
  // A limit is a number of 32 bits; without one there is no rest.
  return sample * whole + sample * rest / s->most;
}

static const source *find_source(const input_files *in, size_t place) {
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

void xc_samples_name(const xc_samples *s, size_t sample, xc_text *name) {
  size_t place = xc_samples_place(s, sample);
  if (s->made_up || s->num_inputs == 0) {
    xc_text_printf(name, "%zu", place);
    return;
  }
  const input_files *in = &s->inputs[0];
  const source *from = find_source(in, place);
  const char *path = from->path;
  if (in->folder) {
    path += strlen(in->folder);
    path += *path == '/';
  } else if (strrchr(path, '/')) {
    path = strrchr(path, '/') + 1;
  }
  xc_text_puts(name, path);
  if (from->count > 1)
    xc_text_printf(name, "#%zu", place - from->first);
}

const xc_sample_input *xc_samples_picture_input(const xc_samples *s,
                                                size_t input,
                                                const xc_preprocess **how) {
  const input_files *in = &s->inputs[input];
  *how = &s->how;
  for (size_t i = 0; i < in->num_sources; ++i)
    if (in->sources[i].kind != SOURCE_BYTES)
      return &in->input;
  return NULL;
}

/// The bytes of one sample of a file.
static bool read_bytes(XcDiag *diag, const source *from, size_t index,
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
static bool read_elements(XcDiag *diag, const input_files *in,
                          const source *from, size_t index, void *data) {
  uint64_t count = (uint64_t)xc_shape_num_elements(&in->input.shape);
  unsigned char *bytes = xc_alloc(from->bytes);
  const xc_npy npy = {.type = from->type, .count = count, .data = bytes};
  bool ok = read_bytes(diag, from, index, bytes) &&
            xc_npy_convert(diag, from->path, &npy, index * count,
                           in->input.shape.element, data);
  free(bytes);
  return ok;
}

static bool read_pixels(XcDiag *diag, const xc_samples *s,
                        const input_files *in, const source *from, size_t index,
                        void *data) {
  unsigned char *bytes = xc_alloc(from->bytes);
  bool ok = read_bytes(diag, from, index, bytes) &&
            xc_pixels_fill(diag, from->path, &from->pixels, bytes, &in->input,
                           &s->how, data);
  free(bytes);
  return ok;
}

static bool read_input(XcDiag *diag, const xc_samples *s, size_t input,
                       size_t place, void *data) {
  const input_files *in = &s->inputs[input];
  if (s->made_up) {
    make_up(s, in, place * s->num_inputs + input, data);
    return true;
  }
  const source *from = find_source(in, place);
  switch (from->kind) {
  case SOURCE_IMAGE:
    return xc_picture_read(diag, from->path, &in->input, &s->how, data);
  case SOURCE_BYTES:
    return from->type.size
               ? read_elements(diag, in, from, place - from->first, data)
               : read_bytes(diag, from, place - from->first, data);
  case SOURCE_PIXELS:
    return read_pixels(diag, s, in, from, place - from->first, data);
  }
  return false;
}

static bool number_error(XcDiag *diag, const source *from, size_t place,
                         int64_t element, double number) {
  return xc_file_error(
      diag, from->path, "element %" PRId64 " of sample %zu is %s", element,
      place - from->first, isnan(number) ? "not a number" : "infinite");
}

/// A number that is not finite would decide the ranges of all that follows.
static bool check_numbers(XcDiag *diag, const xc_samples *s, size_t input,
                          size_t place, void *data) {
  enum { AT_ONCE = 256 };
  const input_files *in = &s->inputs[input];
  if (s->made_up || !xc_element_is_float(in->input.shape.element))
    return true;
  const xc_tensor tensor = {.shape = in->input.shape, .data = data};
  int64_t count = xc_shape_num_elements(&in->input.shape);
  double numbers[AT_ONCE];
  for (int64_t first = 0; first < count; first += AT_ONCE) {
    int64_t now = count - first < AT_ONCE ? count - first : AT_ONCE;
    xc_get_reals(&tensor, first, now, numbers);
    for (int64_t i = 0; i < now; ++i)
      if (!isfinite(numbers[i]))
        return number_error(diag, find_source(in, place), place, first + i,
                            numbers[i]);
  }
  return true;
}

void xc_samples_keep(xc_samples *s, size_t bytes) {
  // Of more samples the list alone would take the memory.
  if (s->count > bytes / (sizeof(*s->kept) * (s->num_inputs + 1)))
    return;
  s->keep_limit = bytes;
  if (!s->kept)
    s->kept = xc_alloc_array(s->count * s->num_inputs + 1, sizeof(*s->kept));
}

static void keep(xc_samples *s, unsigned char **slot, const void *data,
                 size_t bytes) {
  if (s->kept_bytes + bytes > s->keep_limit)
    return;
  *slot = xc_alloc(bytes);
  memcpy(*slot, data, bytes);
  s->kept_bytes += bytes;
}

bool xc_samples_read(XcDiag *diag, xc_samples *s, size_t sample,
                     void *const *data) {
  size_t place = xc_samples_place(s, sample);
  for (size_t i = 0; i < s->num_inputs; ++i) {
    unsigned char **slot = s->kept ? &s->kept[place * s->num_inputs + i] : NULL;
    size_t bytes = s->inputs[i].bytes;
    if (slot && *slot) {
      memcpy(data[i], *slot, bytes);
      continue;
    }
    if (!read_input(diag, s, i, place, data[i]) ||
        !check_numbers(diag, s, i, place, data[i]))
      return false;
    if (slot)
      keep(s, slot, data[i], bytes);
  }
  return true;
}
