//===- File.c - whole-file input, all-or-nothing output -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "File.h"

#include "Diag.h"
#include "Memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_stream(FILE *stream, xc_buffer *buffer) {
  size_t capacity = 0;
  struct stat status;
  // A regular file's size makes the first read the only one.
  if (fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > 0)
    capacity = (size_t)status.st_size + 1;
  if (capacity < 4096)
    capacity = 4096;
  *buffer = (xc_buffer){xc_realloc_array(NULL, capacity, 1), 0};
  for (;;) {
    size_t count = fread(buffer->data + buffer->size, 1,
                         capacity - 1 - buffer->size, stream);
    buffer->size += count;
    if (count == 0)
      break;
    if (buffer->size == capacity - 1) {
      void *data = buffer->data;
      xc_grow(&data, &capacity, capacity + 1, 1);
      buffer->data = data;
    }
  }
  buffer->data[buffer->size] = 0;
  return !ferror(stream);
}

bool xc_read_file(XcDiag *diag, const char *path, xc_buffer *buffer) {
  *buffer = (xc_buffer){0};
  bool is_stdin = strcmp(path, "-") == 0;
  FILE *stream = is_stdin ? stdin : fopen(path, "rb");
  bool ok = stream && read_stream(stream, buffer);
  int error = errno;
  if (stream && !is_stdin)
    fclose(stream);
  if (ok)
    return true;
  xc_buffer_free(buffer);
  return xc_file_error(diag, NULL, "cannot open input file '%s': %s", path,
                       strerror(error));
}

void xc_buffer_free(xc_buffer *buffer) {
  free(buffer->data);
  *buffer = (xc_buffer){0};
}

static bool output_error(XcDiag *diag, const char *path, int error) {
  return xc_file_error(diag, NULL, "cannot open output file '%s': %s", path,
                       strerror(error));
}

// Devices and pipes (/dev/null, a FIFO) are written in place: renaming a
// temporary over them would replace the device.
static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool xc_output_open(XcDiag *diag, const char *path, xc_output *output) {
  *output = (xc_output){0};
  if (strcmp(path, "-") == 0) {
    output->stream = stdout;
    return true;
  }
  size_t length = strlen(path);
  output->path = xc_alloc(length + 1);
  memcpy(output->path, path, length);
  if (is_special(path)) {
    output->stream = fopen(path, "wb");
  } else {
    static const char suffix[] = ".tmp-XXXXXX";
    output->temporary = xc_alloc(length + sizeof(suffix));
    memcpy(output->temporary, path, length);
    memcpy(output->temporary + length, suffix, sizeof(suffix));
    int descriptor = mkstemp(output->temporary);
    if (descriptor >= 0) {
      mode_t mask = umask(0);
      umask(mask);
      fchmod(descriptor, 0666 & ~mask);
      output->stream = fdopen(descriptor, "wb");
    }
  }
  if (output->stream)
    return true;
  int error = errno;
  free(output->path);
  free(output->temporary);
  *output = (xc_output){0};
  return output_error(diag, path, error);
}

static void output_release(xc_output *output) {
  free(output->path);
  free(output->temporary);
  *output = (xc_output){0};
}

bool xc_output_keep(XcDiag *diag, xc_output *output) {
  const char *path = output->path ? output->path : "-";
  bool ok = fflush(output->stream) == 0 && !ferror(output->stream);
  if (output->path)
    ok = fclose(output->stream) == 0 && ok;
  if (ok && output->temporary)
    ok = rename(output->temporary, output->path) == 0;
  if (!ok) {
    xc_file_error(diag, NULL, "cannot write output file '%s': %s", path,
                  strerror(errno));
    if (output->temporary)
      unlink(output->temporary);
  }
  output_release(output);
  return ok;
}

void xc_output_discard(xc_output *output) {
  if (!output->stream)
    return;
  if (output->path)
    fclose(output->stream);
  if (output->temporary)
    unlink(output->temporary);
  output_release(output);
}

bool xc_write_file(XcDiag *diag, const char *path, const void *data,
                   size_t size) {
  xc_output output;
  if (!xc_output_open(diag, path, &output))
    return false;
  if (size)
    fwrite(data, 1, size, output.stream);
  return xc_output_keep(diag, &output);
}
