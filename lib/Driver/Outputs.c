//===- Outputs.c - files that appear together or not at all ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Outputs.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
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

/// Why nothing can be made at `path`, or 0: the directory that it is in is
/// missing, or not for us to write.
static int parent_error(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    --length;
  while (length > 0 && path[length - 1] != '/')
    --length;
  char *parent = xc_alloc(length + 2);
  memcpy(parent, length ? path : ".", length ? length : 1);
  parent[length ? length : 1] = '\0';
  struct stat status;
  int error = 0;
  if (stat(parent, &status) != 0 || access(parent, W_OK | X_OK) != 0)
    error = errno;
  else if (!S_ISDIR(status.st_mode))
    error = ENOTDIR;
  free(parent);
  return error;
}

bool xc_driver_check_directory(XcDiag *diag, const char *path) {
  struct stat status;
  int error = stat(path, &status) == 0 ? 0 : errno;
  if (error == 0 && !S_ISDIR(status.st_mode))
    error = ENOTDIR;
  else if (error == ENOENT)
    error = parent_error(path);
  else if (error == 0 && access(path, W_OK | X_OK) != 0)
    return xc_file_error(diag, NULL, "cannot write to directory '%s': %s", path,
                         strerror(errno));
  return error == 0 ||
         xc_file_error(diag, NULL, "cannot make directory '%s': %s", path,
                       strerror(error));
}

bool xc_driver_check_file(XcDiag *diag, const char *path) {
  int error = parent_error(path);
  return error == 0 ||
         xc_file_error(diag, NULL, "cannot open output file '%s': %s", path,
                       strerror(error));
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
static bool write_files(XcDiag *diag, const xc_driver_outputs *outputs,
                        xc_output *open) {
  bool ok = true;
  for (size_t i = 0; ok && i < outputs->count; ++i) {
    const xc_driver_output *file = &outputs->files[i];
    ok = xc_output_open(diag, file->path, &open[i]);
    if (ok && file->size)
      fwrite(file->data, 1, file->size, open[i].stream);
    ok = ok && xc_output_finish(diag, &open[i]);
  }
  return ok;
}

// Checks for conditions that would make renaming fail, as far as they can be
// known.
static bool check_targets(XcDiag *diag, const xc_driver_outputs *outputs) {
  for (size_t i = 0; i < outputs->count; ++i) {
    struct stat status;
    if (stat(outputs->files[i].path, &status) == 0 && S_ISDIR(status.st_mode))
      return xc_file_error(diag, NULL, "cannot write output file '%s': %s",
                           outputs->files[i].path, strerror(EISDIR));
  }
  return true;
}

// Compilations into one directory wait for each other, so that the files of one
// are not mixed with those of another. File systems without locks do without.
static bool lock_directory(XcDiag *diag, const char *directory, int *lock) {
  enum { SECONDS = 30, PER_SECOND = 50 };
  const struct timespec pause = {0, 1000000000 / PER_SECOND};
  *lock = open(directory, O_RDONLY | O_CLOEXEC);
  for (int i = 0; *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return true;
    if (i == SECONDS * PER_SECOND) {
      close(*lock);
      *lock = -1;
      return xc_file_error(diag, NULL,
                           "directory '%s' has been locked for %d seconds",
                           directory, SECONDS);
    }
    nanosleep(&pause, NULL);
  }
  return true;
}

static bool keep_files(XcDiag *diag, const xc_driver_outputs *outputs,
                       xc_output *open, const char *directory) {
  int lock;
  if (!lock_directory(diag, directory, &lock))
    return false;
  bool ok = check_targets(diag, outputs);
  size_t kept = 0;
  for (; ok && kept < outputs->count; kept += ok)
    ok = xc_output_keep(diag, &open[kept]);
  for (size_t i = 0; !ok && i < kept; ++i)
    unlink(outputs->files[i].path);
  if (lock >= 0)
    close(lock);
  return ok;
}

bool xc_driver_outputs_write(XcDiag *diag, const xc_driver_outputs *outputs,
                             const char *directory) {
  bool made;
  if (!check_paths(diag, outputs) ||
      !xc_driver_make_directory(diag, directory, &made))
    return false;
  xc_output *open = xc_alloc_array(outputs->count, sizeof *open);
  bool ok = write_files(diag, outputs, open) &&
            keep_files(diag, outputs, open, directory);
  for (size_t i = 0; i < outputs->count; ++i)
    xc_output_discard(&open[i]);
  free(open);
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
