//===- Operators.c - the table of the types of layers ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <stdlib.h>
#include <string.h>

static const xc_caffe_operator rows[] = {
#define XC_CAFFE(type, v1, number, param, handler, detail, blobs, fixing)      \
  {type, v1, number, param, handler, detail, blobs, fixing},
#include "Operators.def"
};
enum { NUM_ROWS = sizeof(rows) / sizeof(*rows) };

static int compare(const void *key, const void *row) {
  return strcmp(key, ((const xc_caffe_operator *)row)->type);
}

const xc_caffe_operator *xc_caffe_operator_find(const char *type, bool is_v1) {
  if (!is_v1)
    return bsearch(type, rows, NUM_ROWS, sizeof(*rows), compare);
  for (size_t i = 0; i < NUM_ROWS; ++i)
    if (rows[i].v1 && (strcmp(rows[i].v1, type) == 0 ||
                       (*type >= '0' && *type <= '9' &&
                        strtol(type, NULL, 10) == rows[i].v1_number)))
      return &rows[i];
  return NULL;
}
