//===- Uses.c - who reads and writes the blobs of a net -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers may work in place: a blob then holds several values, one after the
// other. Each of them gets a name of its own; the last one that of the blob.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_uses(const void *a, const void *b) {
  const xc_caffe_use *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  if (order)
    return order;
  if (left->layer != right->layer)
    return left->layer < right->layer ? -1 : 1;
  if (left->writes != right->writes)
    return left->writes ? 1 : -1;
  return (left->slot > right->slot) - (left->slot < right->slot);
}

static void collect_uses(xc_caffe_importer *im) {
  im->num_uses = 0;
  for (size_t i = 0; i < im->num_layers; ++i) {
    const xc_caffe_layer *layer = &im->layers[i];
    for (size_t k = 0; k < layer->num_bottoms; ++k)
      im->uses[im->num_uses++] = (xc_caffe_use){layer->bottoms[k], i, k, false};
    for (size_t k = 0; k < layer->num_tops; ++k)
      im->uses[im->num_uses++] = (xc_caffe_use){layer->tops[k], i, k, true};
  }
  qsort(im->uses, im->num_uses, sizeof(*im->uses), compare_uses);
}

static const char *name_version(xc_caffe_importer *im, const char *blob,
                                size_t version) {
  size_t length = strlen(blob) + 24;
  char *name = xc_arena_alloc(&im->graph.arena, length, 1);
  snprintf(name, length, "%s@%zu", blob, version);
  return name;
}

// Uses [begin, end) are those of one blob.
static void name_blob(xc_caffe_importer *im, size_t begin, size_t end) {
  const char *blob = im->uses[begin].name, *name = blob;
  size_t writes = 0, version = 0;
  for (size_t i = begin; i < end; ++i)
    writes += im->uses[i].writes;
  for (size_t i = begin; i < end; ++i) {
    const xc_caffe_use *use = &im->uses[i];
    xc_caffe_layer *layer = &im->layers[use->layer];
    if (use->writes)
      name = ++version == writes ? blob : name_version(im, blob, version);
    else if (version == 0 && writes)
      name = name_version(im, blob, 0); // read before it is written
    (use->writes ? layer->tops : layer->bottoms)[use->slot] = name;
  }
}

void xc_caffe_name_values(xc_caffe_importer *im) {
  size_t count = 0;
  for (size_t i = 0; i < im->num_layers; ++i)
    count += im->layers[i].num_bottoms + im->layers[i].num_tops;
  im->uses = xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*im->uses));
  collect_uses(im);
  for (size_t begin = 0, end; begin < im->num_uses; begin = end) {
    end = begin + 1;
    while (end < im->num_uses &&
           strcmp(im->uses[end].name, im->uses[begin].name) == 0)
      ++end;
    name_blob(im, begin, end);
  }
  collect_uses(im);
}

size_t xc_caffe_reads(const xc_caffe_importer *im, const char *name,
                      size_t *first) {
  size_t low = 0, high = im->num_uses;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(im->uses[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  // The value is written first.
  *first = low + 1;
  size_t end = low + 1;
  while (end < im->num_uses && strcmp(im->uses[end].name, name) == 0)
    ++end;
  return end;
}

static int compare_writers(const void *a, const void *b) {
  const xc_caffe_use *left = a, *right = b;
  if (left->layer != right->layer)
    return left->layer < right->layer ? -1 : 1;
  return (left->slot > right->slot) - (left->slot < right->slot);
}

size_t xc_caffe_find_outputs(xc_caffe_importer *im, const char ***names) {
  size_t count = 0;
  xc_caffe_use *outputs =
      xc_arena_alloc(&im->graph.arena, im->num_uses + 1, sizeof(*outputs));
  for (size_t i = 0; i < im->num_uses; ++i) {
    bool is_last = i + 1 == im->num_uses ||
                   strcmp(im->uses[i].name, im->uses[i + 1].name) != 0;
    if (is_last && im->uses[i].writes)
      outputs[count++] = im->uses[i];
  }
  qsort(outputs, count, sizeof(*outputs), compare_writers);
  *names = xc_arena_alloc(&im->graph.arena, count + 1, sizeof(**names));
  for (size_t i = 0; i < count; ++i)
    (*names)[i] = outputs[i].name;
  return count;
}
