//===- Threads.h - a loop shared by threads -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_THREADS_H
#define XC_SUPPORT_THREADS_H

#include "xc-c/Support.h"

typedef struct xc_threads xc_threads;

/// `count` threads in all, the caller's included; at least 2. 0: as many as
/// there are processors. Returns null if that is one, or the system gives none.
xc_threads *xc_threads_create(unsigned count);
void xc_threads_destroy(xc_threads *threads);

typedef void (*xc_thread_body)(void *context, uint32_t index);

/// Calls body(context, i) once for each i < count, in any order and on any
/// thread, and waits for all. Null `threads`: in a plain loop.
void xc_threads_for(xc_threads *threads, uint32_t count, xc_thread_body body,
                    void *context);

#endif // XC_SUPPORT_THREADS_H
