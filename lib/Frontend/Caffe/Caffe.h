//===- Caffe.h - imports a Caffe net from memory ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_CAFFE_CAFFE_H
#define XC_FRONTEND_CAFFE_CAFFE_H

#include "xc-c/Import.h"

/// The two files of a net, with their names for messages.
typedef struct xc_caffe_files {
  const char *net_path;
  const void *net;
  size_t net_size;
  const char *model_path;
  const void *model; // null: there is none
  size_t model_size;
} xc_caffe_files;

/// xcImportCaffe on files that have been read.
MlirModule xc_caffe_import(XcDiag *diag, MlirContext context,
                           const xc_caffe_files *files,
                           const XcImportOptions *options);

#endif // XC_FRONTEND_CAFFE_CAFFE_H
