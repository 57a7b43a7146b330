//===- Isolate.c - a check in a process of its own ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Graph.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  SECONDS = 60, // of a check; most take a thousandth
  FIRST_CODE = 64,
};

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *text) {
  if (((xc_text *)text)->length)
    xc_text_puts(text, "; ");
  mlirDiagnosticPrint(diagnostic, append, text);
  return mlirLogicalResultSuccess();
}

fuzz_verdict fuzz_check_here(MlirModule module, const fuzz_setting *setting,
                             xc_text *why) {
  MlirContext context = mlirModuleGetContext(module);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, collect, why, NULL);
  fuzz_verdict verdict = fuzz_check(module, setting, why);
  mlirContextDetachDiagnosticHandler(context, handler);
  return verdict;
}

static void write_all(int file, const char *data, size_t size) {
  while (size > 0) {
    ssize_t done = write(file, data, size);
    if (done <= 0)
      return;
    data += done;
    size -= (size_t)done;
  }
}

// What is wrong goes through the pipe, and the verdict is the exit code.
static _Noreturn void check_and_exit(MlirModule module,
                                     const fuzz_setting *setting, int file) {
  xc_text why = {0};
  alarm(SECONDS);
  fuzz_verdict verdict = fuzz_check_here(module, setting, &why);
  write_all(file, xc_text_str(&why), why.length);
  _exit(FIRST_CODE + (int)verdict);
}

static fuzz_verdict verdict_of(int status, xc_text *why) {
  if (WIFEXITED(status)) {
    int code = WEXITSTATUS(status) - FIRST_CODE;
    if (code >= 0 && code < FUZZ_NUM_VERDICTS)
      return (fuzz_verdict)code;
    xc_text_printf(why, "exit code %d", WEXITSTATUS(status));
    return FUZZ_CRASH;
  }
  if (WTERMSIG(status) == SIGALRM)
    return FUZZ_TIMEOUT;
  xc_text_printf(why, "signal %d", WTERMSIG(status));
  return FUZZ_CRASH;
}

fuzz_verdict fuzz_check_isolated(MlirModule module, const fuzz_setting *setting,
                                 xc_text *why) {
  int ends[2], status = 0;
  if (pipe(ends) != 0)
    return FUZZ_CRASH;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    check_and_exit(module, setting, ends[1]);
  }
  close(ends[1]);
  char buffer[1024];
  ssize_t length;
  while ((length = read(ends[0], buffer, sizeof(buffer))) > 0)
    xc_text_append(why, buffer, (size_t)length);
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child)
    return FUZZ_CRASH;
  return verdict_of(status, why);
}
