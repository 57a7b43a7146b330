//===- BytecodeProcess.c - bytecode that another process reads ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialects of MLIR read their properties, attributes and types by code of their
// own, which believes the file: nothing but that code knows what it survives.
// It runs in an xc-opt of its own, which prints the module; its text is parsed
// here. What crashes, or takes more time or memory than the file deserves,
// crashes there.
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "BytecodeProcess.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

//===----------------------------------------------------------------------===//
// The process that reads
//===----------------------------------------------------------------------===//

static void limit(int resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0 || now.rlim_max <= most)
    return;
  now.rlim_cur = now.rlim_max = most;
  setrlimit(resource, &now);
}

// Address space that is in use: libraries and the shadow of a sanitizer take
// terabytes that are not touched.
static rlim_t mapped_bytes(void) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file)
    return 0;
  if (fscanf(file, "%llu", &pages) != 1)
    pages = 0;
  fclose(file);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

void xc_bytecode_limit_process(size_t size) {
  enum { SECONDS = 20, BYTES_PER_SECOND = 1 << 20, MEMORY_PER_BYTE = 256 };
  const rlim_t least = (rlim_t)1 << 30;
  rlim_t mapped = mapped_bytes();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, SECONDS + size / BYTES_PER_SECOND);
  if (mapped)
    limit(RLIMIT_AS, mapped + least + MEMORY_PER_BYTE * (rlim_t)size);
}

//===----------------------------------------------------------------------===//
// The process that asks
//===----------------------------------------------------------------------===//

// xc-opt beside the program that runs; null where there is none.
static char *find_xc_opt(void) {
  enum { MAX_PATH = 4096 };
  char own[MAX_PATH];
  ssize_t length = readlink("/proc/self/exe", own, sizeof(own));
  if (length <= 0 || length == sizeof(own))
    return NULL;
  own[length] = '\0';
  const char *slash = strrchr(own, '/');
  xc_text path = {0};
  xc_text_append(&path, own, slash ? (size_t)(slash + 1 - own) : 0);
  xc_text_puts(&path, "xc-opt");
  if (access(xc_text_str(&path), X_OK) == 0)
    return path.data;
  xc_text_free(&path);
  return NULL;
}

// No pipes: either side may write as much as it likes before the other reads.
typedef struct streams {
  FILE *in, *out, *errors;
} streams;

static void close_stream(FILE *stream) {
  if (stream)
    fclose(stream);
}

static void close_streams(streams *s) {
  close_stream(s->in);
  close_stream(s->out);
  close_stream(s->errors);
}

static bool open_streams(streams *s, const xc_source *input) {
  *s = (streams){tmpfile(), tmpfile(), tmpfile()};
  if (!s->in || !s->out || !s->errors)
    return false;
  bool ok = fwrite(input->data, 1, input->size, s->in) == input->size;
  return fflush(s->in) == 0 && ok && fseek(s->in, 0, SEEK_SET) == 0;
}

static bool read_back(FILE *stream, xc_text *text) {
  char piece[1 << 14];
  size_t size;
  if (fseek(stream, 0, SEEK_SET) != 0)
    return false;
  while ((size = fread(piece, 1, sizeof(piece), stream)) > 0)
    xc_text_append(text, piece, size);
  return !ferror(stream);
}

static int spawn(pid_t *child, const streams *s, char *const *arguments) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return error;
  const FILE *const files[] = {s->in, s->out, s->errors};
  for (int i = 0; !error && i < 3; ++i)
    error =
        posix_spawn_file_actions_adddup2(&actions, fileno((FILE *)files[i]), i);
  if (!error)
    error =
        posix_spawn(child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static bool run(const streams *s, char *const *arguments, int *status,
                xc_text *error) {
  pid_t child;
  int number = spawn(&child, s, arguments);
  while (number == 0 && waitpid(child, status, 0) < 0)
    if (errno != EINTR)
      number = errno;
  if (number)
    xc_text_printf(error, "'%s' cannot be run: %s", arguments[0],
                   strerror(number));
  return number == 0;
}

// Takes the first diagnostic of the other process.
static void take_reason(const xc_text *errors, xc_text *error) {
  static const char *const marks[] = {"malformed bytecode: ", "error: "};
  const char *text = errors->length ? xc_text_str(errors) : "";
  for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); ++i) {
    const char *at = strstr(text, marks[i]);
    if (!at)
      continue;
    at += strlen(marks[i]);
    xc_text_append(error, at, strcspn(at, "\n"));
    return;
  }
  // Sanitizers end a process that crashes without a signal.
  xc_text_puts(error, "MLIR's reader does not survive it");
}

static bool ask(const streams *s, char *const *arguments, xc_text *text,
                xc_text *error) {
  int status;
  if (!run(s, arguments, &status, error))
    return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
    return read_back(s->out, text) ||
           (xc_text_puts(error, "its text cannot be read back"), false);
  xc_text errors = {0};
  if (WIFSIGNALED(status))
    xc_text_printf(error, "MLIR's reader does not survive it (signal %d)",
                   WTERMSIG(status));
  else if (read_back(s->errors, &errors))
    take_reason(&errors, error);
  xc_text_free(&errors);
  return false;
}

bool xc_bytecode_to_text(const xc_source *input, const xc_read_options *options,
                         xc_text *text, xc_text *error) {
  char *program = find_xc_opt();
  if (!program) {
    xc_text_puts(error, "only xc-opt reads dialects that models have nothing "
                        "of, and it is not beside this program");
    return false;
  }
  xc_string_list arguments = {0};
  xc_string_list_add(&arguments, program);
  xc_string_list_add(&arguments, "--bytecode-to-text");
  if (options->allow_unregistered)
    xc_string_list_add(&arguments, "--allow-unregistered-dialect");
  if (options->no_implicit_module)
    xc_string_list_add(&arguments, "--no-implicit-module");
  for (size_t i = 0; options->irdl_files && i < options->irdl_files->count;
       ++i) {
    xc_string_list_add(&arguments, "--irdl-file");
    xc_string_list_add(&arguments, options->irdl_files->items[i]);
  }
  xc_string_list_add(&arguments, NULL);
  streams s;
  bool ok =
      open_streams(&s, input) ||
      (xc_text_printf(error, "no temporary file: %s", strerror(errno)), false);
  ok = ok && ask(&s, (char *const *)arguments.items, text, error);
  close_streams(&s);
  xc_string_list_free(&arguments);
  free(program);
  return ok;
}
