//===- Outputs.c - files that appear together or not at all ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Driver.h"

#include "Support/Diag.h"
#include "Support/Memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void xc_driver_outputs_add(xc_driver_outputs *outputs, const char *path,
                           void *data, size_t size) {
  xc_grow((void **)&outputs->files, &outputs->capacity, outputs->count + 1,
          sizeof *outputs->files);
  size_t length = strlen(path) + 1;
  char *copy = xc_alloc(length);
  memcpy(copy, path, length);
  outputs->files[outputs->count].path = copy;
  outputs->files[outputs->count].data = data;
  outputs->files[outputs->count++].size = size;
}

bool xc_driver_make_directory(XcDiag *diag, const char *path, bool *made) {
  bool is_new = mkdir(path, 0777) == 0;
  if (made)
    *made = is_new;
  if (is_new || errno == EEXIST)
    return true;
  return xc_file_error(diag, NULL, "cannot make directory '%s': %s", path,
                       strerror(errno));
}

static bool check_paths(XcDiag *diag, const xc_driver_outputs *outputs) {
  for (size_t i = 0; i < outputs->count; ++i)
    for (size_t j = 0; j < i; ++j)
      if (strcmp(outputs->files[i].path, outputs->files[j].path) == 0)
        return xc_file_error(diag, NULL, "two outputs go to the file '%s'",
                             outputs->files[i].path);
  return true;
}

// All bytes go to temporaries first; only renaming can fail after that.
static bool write_files(XcDiag *diag, const xc_driver_outputs *outputs) {
  xc_output *open = xc_alloc_array(outputs->count, sizeof *open);
  bool ok = true;
  for (size_t i = 0; ok && i < outputs->count; ++i) {
    ok = xc_output_open(diag, outputs->files[i].path, &open[i]);
    if (ok && outputs->files[i].size)
      fwrite(outputs->files[i].data, 1, outputs->files[i].size, open[i].stream);
    if (ok && fflush(open[i].stream) != 0)
      ok = xc_file_error(diag, NULL, "cannot write output file '%s': %s",
                         outputs->files[i].path, strerror(errno));
  }
  size_t kept = 0;
  while (ok && kept < outputs->count) {
    ok = xc_output_keep(diag, &open[kept]);
    kept += ok;
  }
  for (size_t i = 0; !ok && i < outputs->count; ++i)
    if (i < kept)
      unlink(outputs->files[i].path);
    else
      xc_output_discard(&open[i]);
  free(open);
  return ok;
}

bool xc_driver_outputs_write(XcDiag *diag, const xc_driver_outputs *outputs,
                             const char *directory) {
  bool made;
  if (!check_paths(diag, outputs) ||
      !xc_driver_make_directory(diag, directory, &made))
    return false;
  bool ok = write_files(diag, outputs);
  if (!ok && made)
    rmdir(directory);
  return ok;
}

void xc_driver_outputs_free(xc_driver_outputs *outputs) {
  for (size_t i = 0; i < outputs->count; ++i) {
    free(outputs->files[i].path);
    free(outputs->files[i].data);
  }
  free(outputs->files);
  *outputs = (xc_driver_outputs){0};
}
