//===- Md5.h - MD5 ------------------------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_MD5_H
#define XC_SUPPORT_MD5_H

#include <stddef.h>

enum { XC_MD5_DIGITS = 32 };

/// Computes the MD5 sum of `size` bytes in hexadecimal digits, terminated (RFC
/// 1321). To tell files apart, not to protect them.
void xc_md5(const void *data, size_t size, char digits[XC_MD5_DIGITS + 1]);

#endif // XC_SUPPORT_MD5_H
