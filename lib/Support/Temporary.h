//===- Temporary.h - files that do not outlive their writer -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Temporary files are noted while they exist, so that a tool that is ended by
// a signal can remove them. Handlers of signals are the business of tools: a
// host has its own.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_TEMPORARY_H
#define XC_SUPPORT_TEMPORARY_H

/// A temporary file.
typedef struct xc_temporary xc_temporary;

/// Makes a new file `PREFIX.tmp-XXXXXX`, with other characters for the last
/// six, that only this user may read. Gives its descriptor; null with errno set
/// on failure.
xc_temporary *xc_temporary_create(const char *prefix, int *descriptor);
const char *xc_temporary_path(const xc_temporary *temporary);
/// Removes the file unless it has been renamed away. Null is allowed.
void xc_temporary_remove(xc_temporary *temporary);
/// Forgets the file, which stays.
void xc_temporary_keep(xc_temporary *temporary);

/// For the start of a tool: signals that end it (SIGINT, SIGTERM, SIGHUP,
/// SIGPIPE) remove its temporary files first, and a file that grows beyond what
/// is allowed (SIGXFSZ) is a failed write.
void xc_temporary_catch_signals(void);

#endif // XC_SUPPORT_TEMPORARY_H
