//===- Layers.c - which instructions belong to which layer ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A container does not say where a layer's code begins, but each child of a
// DPU subgraph is a layer and holds its parameters, whose addresses it tells:
// a layer begins with the first LOAD of one of them. Layers without parameters
// stay part of the one before.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Memory.h"
#include "xc-c/DPUIsa.h"
#include "xc-c/XModelDpu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Where a parameter of a layer is.
typedef struct parameter {
  uint64_t reg, address;
  size_t layer; // index of the child
} parameter;

typedef struct parameter_list {
  parameter *items;
  size_t count, capacity;
} parameter_list;

static void add_parameter(const XcXModel *model, const char *name, size_t layer,
                          parameter_list *list) {
  const XcXModelOp *op = xcXModelFindOp(model, name);
  const XcXModelTensor *tensor = op ? xcXModelOpGetTensor(op) : NULL;
  int64_t reg, address;
  if (!tensor || strcmp(xcXModelOpGetType(op), "const-fix") != 0)
    return;
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  if (!xcXModelAttrsGetInt(attrs, "reg_id", &reg) ||
      !xcXModelAttrsGetInt(attrs, "ddr_addr", &address))
    return;
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(*list->items));
  list->items = items;
  list->items[list->count++] =
      (parameter){(uint64_t)reg, (uint64_t)address, layer};
}

static int compare_parameters(const void *a, const void *b) {
  const parameter *left = a, *right = b;
  if (left->reg != right->reg)
    return left->reg < right->reg ? -1 : 1;
  if (left->address != right->address)
    return left->address < right->address ? -1 : 1;
  return (left->layer > right->layer) - (left->layer < right->layer);
}

static parameter_list find_parameters(const XcXModel *model,
                                      const XcXModelSubgraph *subgraph) {
  parameter_list list = {0};
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i) {
    const XcXModelSubgraph *child = xcXModelSubgraphGetChild(subgraph, i);
    for (size_t j = 0; j < xcXModelSubgraphGetNumOps(child); ++j)
      add_parameter(model, xcXModelSubgraphGetOp(child, j), i, &list);
  }
  if (list.count)
    qsort(list.items, list.count, sizeof(*list.items), compare_parameters);
  return list;
}

// Returns the first parameter at an address, or null.
static const parameter *parameter_at(const parameter_list *list, uint64_t reg,
                                     uint64_t address) {
  parameter wanted = {reg, address, 0};
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_parameters(&list->items[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < list->count && list->items[low].reg == reg &&
               list->items[low].address == address;
  return found ? &list->items[low] : NULL;
}

static const char *layer_name(const XcXModelSubgraph *child) {
  static const char prefix[] = "subgraph_";
  const char *name = xcXModelSubgraphGetName(child);
  size_t length = sizeof(prefix) - 1;
  return strncmp(name, prefix, length) == 0 ? name + length : name;
}

static uint64_t layer_operations(const XcXModelSubgraph *child) {
  XcXModelAttr attr =
      xcXModelAttrsFind(xcXModelSubgraphGetAttrs(child), "workload");
  if (xcXModelAttrGetKind(attr) != XcXModelKindUint64)
    return 0;
  return xcXModelAttrGetValue(attr, 0, 0).natural;
}

typedef struct layer_walk {
  const XcXModelSubgraph *subgraph;
  const parameter_list *parameters;
  bool *begun; // by layer
  XcXModelDpuLayer *layers;
  size_t count;
} layer_walk;

static void visit_load(layer_walk *walk, uint64_t reg, uint64_t address,
                       size_t instruction) {
  const parameter *found = parameter_at(walk->parameters, reg, address);
  if (!found || walk->begun[found->layer])
    return;
  walk->begun[found->layer] = true;
  const XcXModelSubgraph *child =
      xcXModelSubgraphGetChild(walk->subgraph, found->layer);
  walk->layers[walk->count++] = (XcXModelDpuLayer){
      layer_name(child), instruction, layer_operations(child)};
}

// The work of layers that no LOAD marks goes to the last one: the sum over all
// layers stays that of the subgraph.
static void add_other_work(layer_walk *walk, size_t num_children) {
  uint64_t others = 0;
  for (size_t i = 0; i < num_children; ++i)
    if (!walk->begun[i])
      others += layer_operations(xcXModelSubgraphGetChild(walk->subgraph, i));
  if (walk->count)
    walk->layers[walk->count - 1].operations += others;
}

size_t xc_xmodel_find_layers(const XcXModel *model,
                             const XcXModelSubgraph *subgraph,
                             const XcDpuIsa *isa, const unsigned char *code,
                             size_t size, XcXModelDpuLayer *layers) {
  size_t num_children = xcXModelSubgraphGetNumChildren(subgraph);
  parameter_list parameters = find_parameters(model, subgraph);
  layer_walk walk = {subgraph, &parameters,
                     xc_alloc_array(num_children, sizeof(bool)), layers, 0};
  size_t num_words = size / 4, instruction = 0;
  for (size_t at = 0; parameters.count && at < num_words;) {
    XcDpuInstruction insn;
    XcDpuResult result = xcDpuDecodeAt(isa, code, size, at, &insn);
    if (result.status != XcDpuStatusOk)
      break; // what follows cannot be told apart from data
    if (insn.opcode == XcDpuOpcodeLoad)
      visit_load(&walk, insn.load.reg_id, insn.load.ddr_addr, instruction);
    at += result.numWords;
    ++instruction;
  }
  add_other_work(&walk, num_children);
  free(parameters.items);
  free(walk.begun);
  return walk.count;
}
