//===- SharedLibrary.c - object code as a shared library ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no linker for C programs to call; the system's compiler driver has.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "CPU.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Temporary.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool run(XcDiag *diag, char *const *arguments) {
  pid_t child;
  int error =
      posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
  if (error)
    return xc_file_error(diag, NULL,
                         "the linker '%s' cannot be run: %s (set CC to a C "
                         "compiler)",
                         arguments[0], strerror(error));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return xc_file_error(diag, NULL, "the linker '%s' got lost: %s",
                           arguments[0], strerror(errno));
  return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
         xc_file_error(diag, NULL, "the linker '%s' failed", arguments[0]);
}

// A file beside the output, empty.
static xc_temporary *make_temporary(XcDiag *diag, const char *path) {
  int file;
  xc_temporary *temporary = xc_temporary_create(path, &file);
  if (!temporary)
    xc_file_error(diag, path, "cannot write beside it: %s", strerror(errno));
  else
    close(file);
  return temporary;
}

static bool link_object(XcDiag *diag, const XcCpuCode *code, const char *object,
                        const char *library) {
  size_t size;
  const void *bytes = xcCpuCodeGetObject(code, &size);
  const char *compiler = getenv("CC");
  char *const arguments[] = {
      (char *)(uintptr_t)(compiler && *compiler ? compiler : "cc"),
      (char[]){"-shared"},
      (char[]){"-o"},
      (char *)(uintptr_t)library,
      (char *)(uintptr_t)object,
      (char[]){"-lm"},
      xc_cpu_uses_openmp(bytes, size) ? (char[]){"-l:" XC_CPU_OPENMP_LIBRARY}
                                      : NULL,
      NULL};
  return xc_write_file(diag, object, bytes, size) && run(diag, arguments);
}

bool xcCpuCodeWriteSharedLibrary(XcDiag *diag, const XcCpuCode *code,
                                 const char *path) {
  xc_temporary *object = make_temporary(diag, path);
  xc_temporary *library = object ? make_temporary(diag, path) : NULL;
  bool ok = library && link_object(diag, code, xc_temporary_path(object),
                                   xc_temporary_path(library));
  if (ok && rename(xc_temporary_path(library), path) != 0)
    ok = xc_file_error(diag, NULL, "cannot write output file '%s': %s", path,
                       strerror(errno));
  xc_temporary_remove(object);
  if (ok)
    xc_temporary_keep(library);
  else
    xc_temporary_remove(library);
  return ok;
}
