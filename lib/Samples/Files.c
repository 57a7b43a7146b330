//===- Files.c - the files of a folder ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Files.h"

#include "Support/Diag.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// A folder that is being read, and the one that it is in.
typedef struct folder {
  const char *path;
  dev_t device;
  ino_t inode;
  const struct folder *outer;
} folder;

static char *join(xc_arena *arena, const char *path, const char *name) {
  size_t length = strlen(path), size = length + strlen(name) + 2;
  char *joined = xc_arena_alloc(arena, size, 1);
  bool ends = length && path[length - 1] == '/';
  snprintf(joined, size, "%s%s%s", path, ends ? "" : "/", name);
  return joined;
}

static bool is_outer(const folder *at, const struct stat *status) {
  for (; at; at = at->outer)
    if (at->device == status->st_dev && at->inode == status->st_ino)
      return true;
  return false;
}

static bool read_folder(XcDiag *diag, const char *path, const folder *outer,
                        xc_file_list *list);

static bool add_entry(XcDiag *diag, const char *path, const folder *in,
                      xc_file_list *list) {
  struct stat status;
  if (stat(path, &status) != 0)
    return xc_file_error(diag, path, "cannot open: %s", strerror(errno));
  if (S_ISDIR(status.st_mode))
    return read_folder(diag, path, in, list);
  // A pipe would wait for ever, a device may never end.
  if (!S_ISREG(status.st_mode))
    return xc_file_error(diag, path, "neither a file nor a folder");
  xc_grow((void **)&list->paths, &list->capacity, list->count + 1,
          sizeof(*list->paths));
  list->paths[list->count++] = path;
  return true;
}

static bool read_entries(XcDiag *diag, DIR *directory, const folder *in,
                         xc_file_list *list) {
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] == '.')
      continue;
    if (!add_entry(diag, join(&list->arena, in->path, entry->d_name), in, list))
      return false;
  }
  return true;
}

static bool read_folder(XcDiag *diag, const char *path, const folder *outer,
                        xc_file_list *list) {
  struct stat status;
  DIR *directory = opendir(path);
  if (!directory || fstat(dirfd(directory), &status) != 0) {
    int error = errno;
    if (directory)
      closedir(directory);
    return xc_file_error(diag, NULL, "cannot open folder '%s': %s", path,
                         strerror(error));
  }
  const folder in = {path, status.st_dev, status.st_ino, outer};
  bool ok = is_outer(outer, &status)
                ? xc_file_error(diag, path, "the folder contains itself")
                : read_entries(diag, directory, &in, list);
  closedir(directory);
  return ok;
}

// A slash comes before all other bytes, so that folders are in the order of
// their names.
static int compare_paths(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  for (; *x && *x == *y; ++x)
    ++y;
  int left = *x == '/' ? 1 : (unsigned char)*x + (*x != '\0');
  int right = *y == '/' ? 1 : (unsigned char)*y + (*y != '\0');
  return left - right;
}

bool xc_file_list_read(XcDiag *diag, const char *path, xc_file_list *list) {
  bool ok = read_folder(diag, path, NULL, list);
  if (list->count)
    qsort(list->paths, list->count, sizeof(*list->paths), compare_paths);
  return ok;
}

void xc_file_list_free(xc_file_list *list) {
  free(list->paths);
  xc_arena_free(&list->arena);
  *list = (xc_file_list){.paths = NULL};
}
