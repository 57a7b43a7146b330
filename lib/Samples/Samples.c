//===- Samples.c - the inputs of many runs --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Samples.h"

#include "Input.h"

#include "Interpreter/Data.h"
#include "Interpreter/Kernel.h"
#include "Support/Diag.h"
#include "Support/Memory.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct xc_samples {
  xc_arena arena;
  xc_preprocess how;
  xc_input_files *inputs;
  size_t num_inputs;
  bool made_up;
  size_t count; // what the files have
  size_t most;  // what is used of it
  unsigned char **kept;
  size_t kept_bytes, keep_limit;
};

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static size_t bytes_of(const xc_shape *shape) {
  return (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
}

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
  xc_input_files *in = &s->inputs[index];
  if (!entry || !xc_input_add(diag, &s->how, in, entry))
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
  for (size_t i = 0; i < s->num_inputs; ++i)
    xc_input_free(&s->inputs[i]);
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
static void make_up_picture(const xc_samples *s, const xc_input_files *in,
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

static void make_up(const xc_samples *s, const xc_input_files *in,
                    uint64_t seed, void *data) {
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

void xc_samples_name(const xc_samples *s, size_t sample, xc_text *name) {
  size_t place = xc_samples_place(s, sample);
  if (s->made_up || s->num_inputs == 0) {
    xc_text_printf(name, "%zu", place);
    return;
  }
  const xc_input_files *in = &s->inputs[0];
  const xc_sample_source *from = xc_input_find(in, place);
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
  const xc_input_files *in = &s->inputs[input];
  *how = &s->how;
  for (size_t i = 0; i < in->num_sources; ++i)
    if (in->sources[i].kind != XC_SOURCE_BYTES)
      return &in->input;
  return NULL;
}

static bool read_input(XcDiag *diag, const xc_samples *s, size_t input,
                       size_t place, void *data) {
  const xc_input_files *in = &s->inputs[input];
  if (s->made_up) {
    make_up(s, in, place * s->num_inputs + input, data);
    return true;
  }
  return xc_input_read(diag, &s->how, in, place, data);
}

static bool number_error(XcDiag *diag, const xc_sample_source *from,
                         size_t place, int64_t element, double number) {
  return xc_file_error(
      diag, from->path, "element %" PRId64 " of sample %zu is %s", element,
      place - from->first, isnan(number) ? "not a number" : "infinite");
}

/// A number that is not finite would decide the ranges of all that follows.
static bool check_numbers(XcDiag *diag, const xc_samples *s, size_t input,
                          size_t place, void *data) {
  enum { AT_ONCE = 256 };
  const xc_input_files *in = &s->inputs[input];
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
        return number_error(diag, xc_input_find(in, place), place, first + i,
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
