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

static const xc_onnx_operator rows[] = {
#define XC_ONNX(domain, name, handler, detail) {name, domain, handler, detail},
#include "Operators.def"
};

static int compare(const void *key, const void *row) {
  const xc_onnx_operator *a = key, *b = row;
  int domains = strcmp(a->domain, b->domain);
  return domains ? domains : strcmp(a->name, b->name);
}

bool xc_onnx_is_default_domain(const char *domain) {
  return !*domain || strcmp(domain, "ai.onnx") == 0;
}

const int64_t *xc_onnx_opset_of(Onnx__OperatorSetIdProto *const *sets,
                                size_t count) {
  const int64_t *opset = NULL;
  for (size_t i = 0; i < count; ++i)
    if (xc_onnx_is_default_domain(sets[i]->domain))
      opset = &sets[i]->version;
  return opset;
}

const xc_onnx_operator *xc_onnx_operator_find(const char *domain,
                                              const char *name) {
  xc_onnx_operator key = {
      .name = name, .domain = xc_onnx_is_default_domain(domain) ? "" : domain};
  return bsearch(&key, rows, sizeof(rows) / sizeof(*rows), sizeof(*rows),
                 compare);
}

const xc_onnx_operator *xc_onnx_operator_table(size_t *count) {
  *count = sizeof(rows) / sizeof(*rows);
  return rows;
}
