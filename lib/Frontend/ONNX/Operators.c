//===- Operators.c - the table of the ONNX operators ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <stdlib.h>
#include <string.h>

static const onnx_operator rows[] = {
#define XC_ONNX(domain, name, handler, detail) {name, domain, handler, detail},
#include "Operators.def"
};

static int compare(const void *key, const void *row) {
  const onnx_operator *a = key, *b = row;
  int domains = strcmp(a->domain, b->domain);
  return domains ? domains : strcmp(a->name, b->name);
}

const onnx_operator *onnx_operator_find(const char *domain, const char *name) {
  bool is_default = strcmp(domain, "ai.onnx") == 0;
  onnx_operator key = {.name = name, .domain = is_default ? "" : domain};
  return bsearch(&key, rows, sizeof(rows) / sizeof(*rows), sizeof(*rows),
                 compare);
}

const onnx_operator *onnx_operator_table(size_t *count) {
  *count = sizeof(rows) / sizeof(*rows);
  return rows;
}
