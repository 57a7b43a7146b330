//===- Temporary.c - files that do not outlive their writer ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _XOPEN_SOURCE 700

#include "Temporary.h"

#include "Memory.h"
#include "Text.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// Entries are never freed but used again: a handler may walk the list at any
// time.
struct xc_temporary {
  char *_Atomic path; // null: free
  xc_temporary *next;
};

static xc_temporary *_Atomic all;

static xc_temporary *note(char *path) {
  for (xc_temporary *t = all; t; t = t->next) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&t->path, &none, path))
      return t;
  }
  xc_temporary *t = xc_alloc(sizeof(*t));
  t->path = path;
  t->next = all;
  while (!atomic_compare_exchange_weak(&all, &t->next, t))
    ;
  return t;
}

static void end_of(xc_temporary *temporary, bool removes) {
  if (!temporary)
    return;
  if (removes)
    unlink(temporary->path);
  free(atomic_exchange(&temporary->path, NULL));
}

// A signal between the file and its note would leave it behind.
static xc_temporary *make_noted(char *path, int *descriptor) {
  sigset_t all_signals, before;
  sigfillset(&all_signals);
  pthread_sigmask(SIG_SETMASK, &all_signals, &before);
  *descriptor = mkstemp(path);
  int error = errno;
  xc_temporary *temporary = *descriptor >= 0 ? note(path) : NULL;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return temporary;
}

xc_temporary *xc_temporary_create(const char *prefix, int *descriptor) {
  xc_text path = {0};
  xc_text_printf(&path, "%s.tmp-XXXXXX", prefix);
  xc_temporary *temporary = make_noted(path.data, descriptor);
  if (!temporary) {
    int error = errno;
    xc_text_free(&path);
    errno = error;
  }
  return temporary;
}

const char *xc_temporary_path(const xc_temporary *temporary) {
  return temporary->path;
}

void xc_temporary_remove(xc_temporary *temporary) { end_of(temporary, true); }

void xc_temporary_keep(xc_temporary *temporary) { end_of(temporary, false); }

static void remove_all(int number) {
  for (xc_temporary *t = all; t; t = t->next) {
    const char *path = t->path;
    if (path)
      unlink(path);
  }
  // Whoever waits for the tool learns of the signal.
  signal(number, SIG_DFL);
  raise(number);
}

void xc_temporary_catch_signals(void) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); ++i) {
    struct sigaction old, action = {.sa_handler = remove_all};
    sigemptyset(&action.sa_mask);
    // Signals that the caller ignores (nohup) stay ignored.
    if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(ends[i], &action, NULL);
  }
  signal(SIGXFSZ, SIG_IGN);
}
