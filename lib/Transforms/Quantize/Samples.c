//===- Samples.c - what tir-quantize calibrates with ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Quantize.h"

#include "IR/IR.h"
#include "Interpreter/Data.h"
#include "Interpreter/Kernel.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Npy.h"
#include "Support/Text.h"
#include "dialects/Emit.h"

#include "mlir-c/Diagnostics.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct sample_reader {
  xc_quantizer *q;
  XcDiag diag;
  const xc_quantize_value *argument;
  size_t bytes; // of one sample
  unsigned char *data;
  size_t count, capacity, most;
} sample_reader;

// No operator is at fault: the place is the file, or in the message.
static void report_samples(void *user, XcSeverity severity, XcPlace place,
                           const char *message) {
  const xc_quantizer *q = user;
  (void)severity;
  MlirContext context = mlirOperationGetContext(q->function);
  xc_text text = {0};
  xc_text_printf(&text, "calibration: %s", message);
  mlirEmitError(place.file
                    ? mlirLocationFileLineColGet(context, xc_ref(place.file),
                                                 place.line, place.column)
                    : mlirLocationUnknownGet(context),
                xc_text_str(&text));
  xc_text_free(&text);
}

static XcDiag sample_diag(xc_quantizer *q) {
  return (XcDiag){report_samples, q, 0};
}

static void add_samples(sample_reader *reader, const unsigned char *data,
                        size_t count) {
  if (reader->most && count > reader->most - reader->count)
    count = reader->most - reader->count;
  if (!count)
    return;
  void *all = reader->data;
  xc_grow(&all, &reader->capacity, (reader->count + count) * reader->bytes, 1);
  reader->data = all;
  memcpy(reader->data + reader->count * reader->bytes, data,
         count * reader->bytes);
  reader->count += count;
}

// A file holds one sample or several, one after the other.
static bool read_sample_file(sample_reader *reader, const char *path) {
  xc_buffer file;
  if (!xc_read_file(&reader->diag, path, &file))
    return false;
  const unsigned char *data = file.data;
  size_t size = file.size;
  bool ok = true;
  static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0) {
    xc_npy npy;
    ok = xc_npy_parse(&reader->diag, path, file.data, file.size, &npy);
    if (ok &&
        (npy.type.kind !=
             (xc_element_is_float(reader->argument->shape.element)  ? 'f'
              : xc_element_min(reader->argument->shape.element) < 0 ? 'i'
                                                                    : 'u') ||
         npy.type.size != xc_element_size(reader->argument->shape.element)))
      ok = xc_file_error(&reader->diag, path,
                         "the elements are %c%u, expected %s", npy.type.kind,
                         8 * npy.type.size,
                         xc_element_name(reader->argument->shape.element));
    if (ok) {
      data = npy.data;
      size = (size_t)npy.count * npy.type.size;
    }
  }
  if (ok && (size == 0 || reader->bytes == 0 || size % reader->bytes != 0))
    ok = xc_file_error(&reader->diag, path,
                       "%zu bytes, expected a multiple of the input's %zu",
                       size, reader->bytes);
  if (ok)
    add_samples(reader, data, size / reader->bytes);
  xc_buffer_free(&file);
  return ok;
}

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// The plain files of a folder, ordered by name.
static bool read_sample_folder(sample_reader *reader, const char *path) {
  DIR *directory = opendir(path);
  if (!directory)
    return xc_file_error(&reader->diag, NULL, "cannot open folder '%s': %s",
                         path, strerror(errno));
  char **names = NULL;
  size_t count = 0, capacity = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] == '.')
      continue;
    void *all = names;
    xc_grow(&all, &capacity, count + 1, sizeof(*names));
    names = all;
    xc_text text = {0};
    xc_text_printf(&text, "%s/%s", path, entry->d_name);
    names[count++] = text.data;
  }
  closedir(directory);
  if (count)
    qsort(names, count, sizeof(*names), compare_names);
  bool ok = true;
  for (size_t i = 0; i < count; ++i) {
    bool full = reader->most && reader->count >= reader->most;
    if (ok && !full && !is_directory(names[i]))
      ok = read_sample_file(reader, names[i]);
    free(names[i]);
  }
  free(names);
  return ok;
}

// Several inputs: an entry of the folder for each, by name or number.
static bool find_entry(sample_reader *reader, const char *path, size_t index,
                       xc_text *entry) {
  MlirStringRef name =
      xc_quantize_list_entry(reader->q->function, "input_names", index);
  static const char *const suffixes[] = {"", ".npy", ".bin"};
  for (int by_name = 1; by_name >= 0; --by_name)
    for (size_t s = 0; s < 3; ++s) {
      entry->length = 0;
      if (by_name && name.length)
        xc_text_printf(entry, "%s/%.*s%s", path, (int)name.length, name.data,
                       suffixes[s]);
      else
        xc_text_printf(entry, "%s/%zu%s", path, index, suffixes[s]);
      if (access(xc_text_str(entry), R_OK) == 0)
        return true;
    }
  return xc_file_error(&reader->diag, path, "no entry for input %zu '%.*s'",
                       index, (int)name.length, name.data ? name.data : "");
}

static bool read_argument(sample_reader *reader, const char *path,
                          size_t index) {
  xc_text entry = {0};
  bool ok = true;
  if (reader->q->num_arguments > 1)
    ok = find_entry(reader, path, index, &entry);
  else
    xc_text_puts(&entry, path);
  const char *place = xc_text_str(&entry);
  ok = ok && (is_directory(place) ? read_sample_folder(reader, place)
                                  : read_sample_file(reader, place));
  if (ok && reader->count == 0)
    ok = xc_file_error(&reader->diag, place, "no samples in it");
  xc_text_free(&entry);
  return ok;
}

size_t xc_quantize_bytes(const xc_shape *shape) {
  return (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
}

static void randomize(xc_quantizer *q, int64_t count) {
  q->num_samples = (size_t)count;
  for (size_t i = 0; i < q->num_arguments; ++i) {
    const xc_shape *shape = &q->values[i].shape;
    size_t bytes = xc_quantize_bytes(shape);
    q->samples[i] = xc_alloc_array(q->num_samples, bytes);
    for (size_t s = 0; s < q->num_samples; ++s)
      xc_tensor_randomize(s * q->num_arguments + i, shape,
                          q->samples[i] + s * bytes);
  }
}

bool xc_quantize_read_samples(xc_quantizer *q, const char *path, int64_t most) {
  enum { RANDOM_SAMPLES = 4 };
  q->samples =
      xc_arena_alloc(&q->arena, q->num_arguments + 1, sizeof(*q->samples));
  if (strcmp(path, "random") == 0) {
    randomize(q, most ? most : RANDOM_SAMPLES);
    return true;
  }
  for (size_t i = 0; i < q->num_arguments; ++i) {
    sample_reader reader = {.q = q,
                            .diag = sample_diag(q),
                            .argument = &q->values[i],
                            .bytes = xc_quantize_bytes(&q->values[i].shape),
                            .most = (size_t)most};
    bool ok = read_argument(&reader, path, i);
    q->samples[i] = reader.data;
    if (!ok)
      return false;
    if (i > 0 && reader.count != q->num_samples)
      return xc_file_error(&reader.diag, path,
                           "input %zu has %zu samples, expected %zu as input 0",
                           i, reader.count, q->num_samples);
    q->num_samples = reader.count;
  }
  return true;
}
