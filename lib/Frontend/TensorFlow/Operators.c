//===- Operators.c - the table of the TensorFlow operators ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <stdlib.h>
#include <string.h>

static const xc_tf_operator rows[] = {
#define XC_TENSORFLOW(name, handler, detail) {name, handler, detail},
#include "Operators.def"
};

static int compare(const void *key, const void *row) {
  return strcmp(key, ((const xc_tf_operator *)row)->name);
}

const xc_tf_operator *xc_tf_operator_find(const char *name) {
  return bsearch(name, rows, sizeof(rows) / sizeof(*rows), sizeof(*rows),
                 compare);
}
