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
#include "Limits.h"
#include "Memory.h"
#include "Temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool xc_is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// A stream whose length is not known may never end.
static bool read_stream(FILE *stream, uint64_t limit, xc_buffer *buffer) {
  size_t capacity = 4096;
  struct stat status;
  // A regular file's size makes the first read the only one, with a byte to
  // spare, so that the end is seen.
  if (fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size >= 4096) {
    if ((uint64_t)status.st_size > limit) {
      errno = EFBIG;
      return false;
    }
    capacity = (size_t)status.st_size + 2;
  }
  *buffer = (xc_buffer){xc_alloc_uninitialized(capacity, 1), 0};
  for (;;) {
    size_t count = fread(buffer->data + buffer->size, 1,
                         capacity - 1 - buffer->size, stream);
    buffer->size += count;
    if (count == 0)
      break;
    if (buffer->size > limit) {
      errno = EFBIG;
      return false;
    }
    if (buffer->size == capacity - 1) {
      void *data = buffer->data;
      xc_grow(&data, &capacity, capacity + 1, 1);
      buffer->data = data;
    }
  }
  buffer->data[buffer->size] = 0;
  return !ferror(stream);
}

static uint64_t limit_of(FILE *stream) {
  struct stat status;
  bool has_end = fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
  return has_end ? xcGetMaxMemory() : xc_max_stream();
}

bool xc_read_file(XcDiag *diag, const char *path, xc_buffer *buffer) {
  *buffer = (xc_buffer){0};
  bool is_stdin = strcmp(path, "-") == 0;
  FILE *stream = is_stdin ? stdin : fopen(path, "rb");
  uint64_t limit = stream ? limit_of(stream) : 0;
  bool ok = stream && read_stream(stream, limit, buffer);
  int error = errno;
  if (stream && !is_stdin)
    fclose(stream);
  if (ok)
    return true;
  xc_buffer_free(buffer);
  if (error == EFBIG)
    return xc_file_error(diag, NULL,
                         "input file '%s' is larger than the limit of %" PRIu64
                         " bytes (--max-memory)",
                         path, limit);
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

// As a file that is not temporary would be made.
static void set_mode(int descriptor) {
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
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
    int descriptor;
    output->temporary = xc_temporary_create(path, &descriptor);
    if (output->temporary) {
      set_mode(descriptor);
      output->stream = fdopen(descriptor, "wb");
    }
  }
  if (output->stream)
    return true;
  int error = errno;
  xc_output_discard(output);
  return output_error(diag, path, error);
}

bool xc_output_finish(XcDiag *diag, xc_output *output) {
  bool is_stdout = !output->path;
  bool ok = fflush(output->stream) == 0 && !ferror(output->stream);
  int error = errno;
  if (is_stdout)
    clearerr(output->stream); // reported once
  else if (fclose(output->stream) != 0 && ok) {
    ok = false;
    error = errno;
  }
  output->stream = NULL;
  return ok || xc_file_error(diag, NULL, "cannot write output file '%s': %s",
                             is_stdout ? "-" : output->path, strerror(error));
}

bool xc_output_keep(XcDiag *diag, xc_output *output) {
  bool ok = !output->stream || xc_output_finish(diag, output);
  if (ok && output->temporary) {
    ok = rename(xc_temporary_path(output->temporary), output->path) == 0;
    if (ok) {
      xc_temporary_keep(output->temporary);
      output->temporary = NULL;
    } else {
      xc_file_error(diag, NULL, "cannot write output file '%s': %s",
                    output->path, strerror(errno));
    }
  }
  xc_output_discard(output);
  return ok;
}

void xc_output_discard(xc_output *output) {
  if (output->path && output->stream)
    fclose(output->stream);
  xc_temporary_remove(output->temporary);
  free(output->path);
  *output = (xc_output){0};
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
