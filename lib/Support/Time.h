//===- Time.h - seconds of a steady clock -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_TIME_H
#define XC_SUPPORT_TIME_H

/// Seconds of a clock that never goes back, from any beginning.
double xc_seconds(void);

#endif // XC_SUPPORT_TIME_H
