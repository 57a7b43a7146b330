//===- BytecodeGuard.c - bytecode that kills its reader -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "IRReader.h"

#include "Support/Diag.h"
#include "Support/Text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  CHILD_ACCEPTS = 0,
  CHILD_REJECTS = 1,
  SECONDS = 20,
  SECONDS_PER_MEGABYTE = 2,
};

static void discard(MlirStringRef text, void *user_data) {
  (void)text;
  (void)user_data;
}

static void set_limits(size_t size) {
  rlim_t seconds =
      SECONDS + (rlim_t)(size >> 20) * (rlim_t)SECONDS_PER_MEGABYTE;
  setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef __SANITIZE_ADDRESS__ // whose shadow memory is address space too
  rlim_t bytes = ((rlim_t)2 << 30) + 64 * (rlim_t)size;
  setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
#endif
}

static void first_error(void *user_data, XcSeverity severity, XcPlace place,
                        const char *message) {
  (void)place;
  if (severity == XcSeverityError) {
    size_t length = strlen(message);
    // Too much for the pipe only shortens the message.
    ssize_t written = write(*(int *)user_data, message, length);
    (void)written;
  }
}

static _Noreturn void run_child(const xc_source *input,
                                const xc_read_options *options, int out) {
  // Sanitizers and the runtime report crashes of their own: not for our user.
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0)
    dup2(null, STDERR_FILENO);
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); ++i)
    signal(fatal[i], SIG_DFL);
  set_limits(input->size);
  MlirContext context = xc_context_create(false);
  mlirContextSetAllowUnregisteredDialects(context, options->allow_unregistered);
  XcDiag diag = {first_error, &out, 0};
  xc_diagnostic_bridge bridge = {.hide_notes = true};
  xc_bridge_attach(&bridge, context, &diag);
  MlirStringRef text =
      mlirStringRefCreate((const char *)input->data, input->size);
  MlirOperation operation = mlirOperationCreateParse(
      context, text, mlirStringRefCreateFromCString(input->name));
  if (mlirOperationIsNull(operation))
    _exit(CHILD_REJECTS);
  mlirOperationPrint(operation, discard, NULL);
  _exit(CHILD_ACCEPTS);
}

static void read_message(int in, xc_text *message) {
  char piece[512];
  for (;;) {
    ssize_t count = read(in, piece, sizeof(piece));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    if (message->length < 4096)
      xc_text_append(message, piece, (size_t)count);
  }
}

static bool report_child(XcDiag *diag, const xc_source *input, int status,
                         const xc_text *message) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_ACCEPTS)
    return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_REJECTS)
    return xc_file_error(diag, input->name, "malformed bytecode: %s",
                         message->length ? xc_text_str(message)
                                         : "it could not be read");
  bool too_slow = WIFSIGNALED(status) &&
                  (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  return xc_file_error(diag, input->name,
                       too_slow ? "malformed bytecode: reading it takes too "
                                  "long"
                                : "malformed bytecode: its reader crashed");
}

bool xc_check_bytecode(XcDiag *diag, const xc_source *input,
                       const xc_read_options *options) {
  int ends[2];
  if (pipe(ends) != 0)
    return xc_file_error(diag, input->name, "cannot start a reader: %s",
                         strerror(errno));
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(input, options, ends[1]);
  }
  close(ends[1]);
  xc_text message = {0};
  int status = 0;
  bool ok = child > 0;
  if (ok) {
    read_message(ends[0], &message);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    ok = report_child(diag, input, status, &message);
  } else {
    xc_file_error(diag, input->name, "cannot start a reader: %s",
                  strerror(errno));
  }
  close(ends[0]);
  xc_text_free(&message);
  return ok;
}
