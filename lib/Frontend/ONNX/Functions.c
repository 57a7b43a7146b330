//===- Functions.c - the table of a model's functions ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *plain_domain(const char *domain) {
  return xc_onnx_is_default_domain(domain) ? "" : domain;
}

static int compare(const Onnx__FunctionProto *a, const Onnx__FunctionProto *b) {
  int domains = strcmp(plain_domain(a->domain), plain_domain(b->domain));
  int names = domains ? domains : strcmp(a->name, b->name);
  return names ? names : strcmp(a->overload, b->overload);
}

static int compare_items(const void *a, const void *b) {
  return compare(*(const Onnx__FunctionProto *const *)a,
                 *(const Onnx__FunctionProto *const *)b);
}

bool xc_onnx_collect_functions(xc_onnx_importer *im,
                               xc_onnx_functions *functions) {
  const Onnx__ModelProto *model = im->model;
  size_t count = model->n_functions;
  const Onnx__FunctionProto **items =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*items));
  for (size_t i = 0; i < count; ++i)
    items[i] = model->functions[i];
  qsort(items, count, sizeof(*items), compare_items);
  *functions = (xc_onnx_functions){items, count};
  for (size_t i = 1; i < count; ++i)
    if (compare(items[i - 1], items[i]) == 0)
      return xc_onnx_error(im, "function %s is defined twice",
                           xc_onnx_function_name(im, items[i]));
  return true;
}

const Onnx__FunctionProto *
xc_onnx_called_function(const xc_onnx_functions *functions,
                        const Onnx__NodeProto *node) {
  if (functions->count == 0 ||
      xc_onnx_operator_find(node->domain, node->op_type))
    return NULL;
  const Onnx__FunctionProto key = {.domain = node->domain,
                                   .name = node->op_type,
                                   .overload = node->overload};
  const Onnx__FunctionProto *wanted = &key;
  const Onnx__FunctionProto *const *found =
      bsearch(&wanted, functions->items, functions->count,
              sizeof(*functions->items), compare_items);
  return found ? *found : NULL;
}

const char *xc_onnx_function_name(xc_onnx_importer *im,
                                  const Onnx__FunctionProto *function) {
  const char *overload = function->overload;
  size_t length = strlen(function->domain) + strlen(function->name) +
                  strlen(overload) + sizeof("'.:'");
  char *name = xc_arena_alloc(&im->graph.arena, length, 1);
  snprintf(name, length, "'%s%s%s%s%s'", function->domain,
           *function->domain ? "." : "", function->name, *overload ? ":" : "",
           overload);
  return name;
}

static const Onnx__AttributeProto *
find_attribute(Onnx__AttributeProto *const *list, size_t count,
               const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(list[i]->name, name) == 0)
      return list[i];
  return NULL;
}

const Onnx__AttributeProto *
xc_onnx_function_attribute(const Onnx__FunctionProto *function,
                           const Onnx__NodeProto *call, const char *name) {
  const Onnx__AttributeProto *given =
      find_attribute(call->attribute, call->n_attribute, name);
  return given ? given
               : find_attribute(function->attribute_proto,
                                function->n_attribute_proto, name);
}
