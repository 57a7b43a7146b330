//===- Progress.h - how far long work has come --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_PROGRESS_H
#define XC_SUPPORT_PROGRESS_H

#include "xc-c/Support.h"

/// Tells the handler, if there is one.
static inline void xc_report_progress(const XcProgress *progress,
                                      const char *work, size_t done,
                                      size_t total) {
  if (progress->handler)
    progress->handler(progress->userData, work, done, total);
}

#endif // XC_SUPPORT_PROGRESS_H
