//===- Threads.c - a loop shared by threads -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of the simulator are short (some ten microseconds of work), so
// that all spin for a while before they sleep.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Threads.h"

#include "Memory.h"
#include "xc-c/Support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 20000 };

struct xc_threads {
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  unsigned num_workers;
  pthread_t workers[XC_MAX_THREADS];

  /// Grows with every loop; workers wait for it to change. The job's fields
  /// are written before it and read after it.
  atomic_uint generation;
  atomic_uint finished; // workers done with the current loop
  atomic_bool stop;
  atomic_uint next;
  uint32_t count;
  xc_thread_body body;
  void *context;
};

static void run_share(xc_threads *threads) {
  for (;;) {
    uint32_t index = atomic_fetch_add(&threads->next, 1);
    if (index >= threads->count)
      return;
    threads->body(threads->context, index);
  }
}

/// Returns the new generation.
static unsigned wait_for_loop(xc_threads *threads, unsigned seen) {
  for (int i = 0; i < SPINS; ++i) {
    unsigned now =
        atomic_load_explicit(&threads->generation, memory_order_acquire);
    if (now != seen)
      return now;
  }
  pthread_mutex_lock(&threads->mutex);
  while (atomic_load(&threads->generation) == seen)
    pthread_cond_wait(&threads->wake, &threads->mutex);
  pthread_mutex_unlock(&threads->mutex);
  return atomic_load(&threads->generation);
}

static void *worker_main(void *argument) {
  xc_threads *threads = argument;
  unsigned seen = 0;
  for (;;) {
    seen = wait_for_loop(threads, seen);
    if (atomic_load(&threads->stop))
      return NULL;
    run_share(threads);
    atomic_fetch_add(&threads->finished, 1);
  }
}

static void start_loop(xc_threads *threads) {
  pthread_mutex_lock(&threads->mutex);
  atomic_fetch_add(&threads->generation, 1);
  pthread_cond_broadcast(&threads->wake);
  pthread_mutex_unlock(&threads->mutex);
}

xc_threads *xc_threads_create(unsigned count) {
  xc_threads *threads = xc_alloc(sizeof *threads);
  pthread_mutex_init(&threads->mutex, NULL);
  pthread_cond_init(&threads->wake, NULL);
  if (count == 0) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    count = processors > 0 ? (unsigned)processors : 1;
  }
  if (count > XC_MAX_THREADS)
    count = XC_MAX_THREADS;
  while (threads->num_workers + 1 < count &&
         pthread_create(&threads->workers[threads->num_workers], NULL,
                        worker_main, threads) == 0)
    ++threads->num_workers;
  if (threads->num_workers > 0)
    return threads;
  xc_threads_destroy(threads);
  return NULL;
}

void xc_threads_destroy(xc_threads *threads) {
  if (!threads)
    return;
  atomic_store(&threads->stop, true);
  start_loop(threads);
  for (unsigned i = 0; i < threads->num_workers; ++i)
    pthread_join(threads->workers[i], NULL);
  pthread_cond_destroy(&threads->wake);
  pthread_mutex_destroy(&threads->mutex);
  free(threads);
}

void xc_threads_for(xc_threads *threads, uint32_t count, xc_thread_body body,
                    void *context) {
  if (!threads || count < 2) {
    for (uint32_t i = 0; i < count; ++i)
      body(context, i);
    return;
  }
  threads->count = count;
  threads->body = body;
  threads->context = context;
  atomic_store(&threads->next, 0);
  atomic_store(&threads->finished, 0);
  start_loop(threads);
  run_share(threads);
  for (int i = 0;
       atomic_load_explicit(&threads->finished, memory_order_acquire) !=
       threads->num_workers;
       ++i)
    if (i >= SPINS)
      nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}
