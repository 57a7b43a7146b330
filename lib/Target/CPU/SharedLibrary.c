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
#include "Support/Text.h"

#include <errno.h>
#include <spawn.h>
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

// A name beside the output for the object, which is removed again.
static char *temporary_name(XcDiag *diag, const char *path) {
  xc_text text = {0};
  xc_text_printf(&text, "%s.XXXXXX", path);
  int file = mkstemp(text.data);
  if (file < 0) {
    xc_file_error(diag, path, "cannot write beside it: %s", strerror(errno));
    xc_text_free(&text);
    return NULL;
  }
  close(file);
  return text.data;
}

bool xcCpuCodeWriteSharedLibrary(XcDiag *diag, const XcCpuCode *code,
                                 const char *path) {
  char *object = temporary_name(diag, path);
  if (!object)
    return false;
  size_t size;
  const void *bytes = xcCpuCodeGetObject(code, &size);
  const char *compiler = getenv("CC");
  char *library = strdup(path);
  char *const arguments[] = {
      (char *)(uintptr_t)(compiler && *compiler ? compiler : "cc"),
      (char[]){"-shared"},
      (char[]){"-o"},
      library,
      object,
      (char[]){"-lm"},
      xc_cpu_uses_openmp(bytes, size) ? (char[]){"-l:" XC_CPU_OPENMP_LIBRARY}
                                      : NULL,
      NULL};
  bool ok = library && xc_write_file(diag, object, bytes, size) &&
            run(diag, arguments);
  unlink(object);
  if (!ok)
    unlink(path);
  free(library);
  free(object);
  return ok;
}
