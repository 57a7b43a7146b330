//===- Random.c - seeded numbers for weights that are not there -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element i of the constant NAME is low + (high - low) * u, where u in [0, 1)
// is the top 24 bits of mix(seed + fnv1a(NAME) + (i + 1) * 0x9E3779B97F4A7C15)
// divided by 2^24, mix is the finaliser of SplitMix64 and everything is modulo
// 2^64. The front end chooses low and high by what reads the constant.
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include <math.h>

static uint64_t hash_name(const char *name) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return h;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

bool xc_graph_fill_random(xc_graph *graph, xc_graph_value *value, double low,
                          double high) {
  enum { BITS = 24 };
  int64_t total = xc_shape_num_elements(&value->shape);
  size_t size = xc_element_size(value->shape.element);
  const int64_t most = INT64_C(1) << 32;
  if (total > most)
    return xc_graph_error(graph, "weight '%s' is too large to be made up",
                          value->name);
  uint8_t *data = xc_arena_alloc(&graph->arena, (size_t)total + 1, size);
  xc_graph_add_budget(graph, (size_t)total * size);
  uint64_t state = graph->options.seed + hash_name(value->name);
  for (int64_t i = 0; i < total; ++i) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    double u = ldexp((double)(mix(state) >> (64 - BITS)), -BITS);
    xc_graph_store(
        value->shape.element, data, i,
        (xc_graph_number){.is_float = true, .real = low + (high - low) * u});
  }
  value->data = data;
  value->splat = false;
  return true;
}
