//===- Subgraphs.c - subgraphs as the board's runtime wants them ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Support/Memory.h"
#include "Target/XModel/Model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *device_of(const XcXModelSubgraph *subgraph) {
  const char *device =
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(subgraph), "device");
  return device ? device : "";
}

//===----------------------------------------------------------------------===//
// Attributes of one subgraph
//===----------------------------------------------------------------------===//

static void check_runner(xc_checker *c, const XcXModelSubgraph *subgraph) {
  const char *name = xcXModelSubgraphGetName(subgraph);
  XcXModelAttr runner =
      xcXModelAttrsFind(xcXModelSubgraphGetAttrs(subgraph), "runner");
  bool found = false;
  if (runner.value &&
      xcXModelAttrGetKind(runner) == XcXModelKindMapStringToString)
    for (size_t i = 0; i < xcXModelAttrGetNumRows(runner); ++i)
      found = found || (strcmp(xcXModelAttrGetKey(runner, i), "run") == 0 &&
                        xcXModelAttrGetValue(runner, i, 0).size);
  if (!found)
    xc_finding(c, XC_RULE_Runner,
               "subgraph '%s' names no library for 'run' in 'runner'", name);
}

static void check_workload(xc_checker *c, const XcXModelSubgraph *subgraph) {
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  const char *name = xcXModelSubgraphGetName(subgraph);
  if (!xc_check_attr(c, name, attrs, "workload", XcXModelKindUint64))
    xc_finding(c, XC_RULE_Workload, "subgraph '%s' has no 'workload'", name);
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    check_workload(c, xcXModelSubgraphGetChild(subgraph, i));
}

static void check_code(xc_checker *c, const XcXModelSubgraph *subgraph) {
  static const struct {
    const char *name;
    XcXModelKind kind;
    bool is_optional;
  } rows[] = {
      {"mc_code", XcXModelKindBytes, false},
      {"dpu_name", XcXModelKindString, false},
      {"reg_id_to_size", XcXModelKindMapStringToInt32, false},
      {"reg_id_to_context_type", XcXModelKindMapStringToString, false},
      {"reg_id_to_context_type_v2", XcXModelKindMapStringToString, true},
      {"reg_id_to_parameter_value", XcXModelKindMapStringToBytes, true},
      {"reg_id_to_hw_segment", XcXModelKindMapStringToString, true},
      {"dpu_fingerprint", XcXModelKindUint64, true},
      {"workload_on_arch", XcXModelKindUint64, true},
      {"mc_code_preload", XcXModelKindBytes, true},
      {"children_topological_sort", XcXModelKindStringVec, true},
  };
  const char *name = xcXModelSubgraphGetName(subgraph);
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!xc_check_attr(c, name, attrs, rows[i].name, rows[i].kind) &&
        !rows[i].is_optional)
      xc_finding(c, XC_RULE_Code, "subgraph '%s' has no '%s'", name,
                 rows[i].name);
  size_t size = 0;
  if (xcXModelAttrsGetBytes(attrs, "mc_code", &size) && size == 0)
    xc_finding(c, XC_RULE_Code, "the code of subgraph '%s' is empty", name);
}

//===----------------------------------------------------------------------===//
// Children in order
//===----------------------------------------------------------------------===//

static size_t find_child(const XcXModelSubgraph *subgraph, const char *name) {
  size_t count = xcXModelSubgraphGetNumChildren(subgraph);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(xcXModelSubgraphGetName(xcXModelSubgraphGetChild(subgraph, i)),
               name) == 0)
      return i;
  return count;
}

/// Returns the child of `subgraph` that a leaf is or lies in; their number if
/// none.
static size_t child_of(const XcXModelSubgraph *subgraph,
                       const XcXModelSubgraph *leaf);

static bool lies_in(const XcXModelSubgraph *subgraph,
                    const XcXModelSubgraph *leaf) {
  return subgraph == leaf ||
         child_of(subgraph, leaf) < xcXModelSubgraphGetNumChildren(subgraph);
}

static size_t child_of(const XcXModelSubgraph *subgraph,
                       const XcXModelSubgraph *leaf) {
  size_t i = 0, count = xcXModelSubgraphGetNumChildren(subgraph);
  while (i < count && !lies_in(xcXModelSubgraphGetChild(subgraph, i), leaf))
    ++i;
  return i;
}

/// `order`: for each child its place in the list, from 1; 0: not in it.
static void check_dependences(xc_checker *c, const XcXModelSubgraph *subgraph,
                              const size_t *order) {
  size_t count = xcXModelSubgraphGetNumChildren(subgraph);
  for (size_t p = 0; p < xcXModelGetNumOps(c->model); ++p) {
    const XcXModelOp *op = xcXModelGetOp(c->model, p);
    size_t own = c->ops[p].child == subgraph
                     ? child_of(subgraph, c->ops[p].leaf)
                     : count;
    if (own == count || !order[own])
      continue;
    for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
      for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i) {
        const char *name = xcXModelOpGetArgOp(op, a, i);
        const xc_checked_op *producer = xc_checked_find(c, name);
        size_t other = producer->child == subgraph
                           ? child_of(subgraph, producer->leaf)
                           : count;
        if (other < count && order[other] > order[own])
          xc_finding(
              c, XC_RULE_Children,
              "child '%s' of subgraph '%s' is listed before '%s', "
              "whose '%s' it reads",
              xcXModelSubgraphGetName(xcXModelSubgraphGetChild(subgraph, own)),
              xcXModelSubgraphGetName(subgraph),
              xcXModelSubgraphGetName(
                  xcXModelSubgraphGetChild(subgraph, other)),
              name);
      }
  }
}

/// Of an instruction set that xc does not know anything is taken.
static bool has_end(const XcDpuIsa *isa, const unsigned char *code,
                    size_t size) {
  for (size_t at = 0; isa && at < size / 4;) {
    XcDpuInstruction insn;
    XcDpuResult result = xcDpuDecodeAt(isa, code, size, at, &insn);
    if (result.status != XcDpuStatusOk)
      return false;
    if (insn.opcode == XcDpuOpcodeEnd)
      return true;
    at += result.numWords;
  }
  return !isa;
}

static void check_layer_code(xc_checker *c, const XcXModelSubgraph *subgraph,
                             const size_t *order) {
  const XcXModelDpu dpu = {.target = xcXModelAttrsGetString(
                               xcXModelSubgraphGetAttrs(subgraph), "dpu_name")};
  const XcDpuIsa *isa = dpu.target ? xcXModelDpuGetIsa(&dpu) : NULL;
  const XcXModelSubgraph *with = NULL, *without = NULL;
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i) {
    const XcXModelSubgraph *child = xcXModelSubgraphGetChild(subgraph, i);
    const char *name = xcXModelSubgraphGetName(child);
    XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(child);
    size_t size;
    const void *code = xcXModelAttrsGetBytes(attrs, "mc_code", &size);
    (void)xc_check_attr(c, name, attrs, "mc_code", XcXModelKindBytes);
    if (order[i])
      *(code ? &with : &without) = child;
    if (order[i] && code && !has_end(isa, code, size))
      xc_finding(c, XC_RULE_LayerCode,
                 "the code of child '%s' of subgraph '%s' has no END", name,
                 xcXModelSubgraphGetName(subgraph));
  }
  if (with && without)
    xc_finding(c, XC_RULE_LayerCode,
               "child '%s' of subgraph '%s' has code, and child '%s' has none",
               xcXModelSubgraphGetName(with), xcXModelSubgraphGetName(subgraph),
               xcXModelSubgraphGetName(without));
}

static void check_children(xc_checker *c, const XcXModelSubgraph *subgraph) {
  XcXModelAttr list = xcXModelAttrsFind(xcXModelSubgraphGetAttrs(subgraph),
                                        "children_topological_sort");
  size_t count = xcXModelSubgraphGetNumChildren(subgraph);
  if (count == 0)
    return;
  if (xcXModelAttrGetKind(list) != XcXModelKindStringVec) {
    xc_finding(c, XC_RULE_Children,
               "subgraph '%s' has children, but no "
               "'children_topological_sort'",
               xcXModelSubgraphGetName(subgraph));
    return;
  }
  size_t *order = xc_alloc_array(count, sizeof *order);
  for (size_t i = 0; i < xcXModelAttrGetNumRows(list); ++i) {
    const char *name = xcXModelAttrGetValue(list, i, 0).data;
    size_t child = find_child(subgraph, name);
    if (child == count || order[child])
      xc_finding(c, XC_RULE_Children,
                 "'children_topological_sort' of subgraph '%s' names '%s', "
                 "which is %s",
                 xcXModelSubgraphGetName(subgraph), name,
                 child == count ? "no child" : "there twice");
    else
      order[child] = i + 1;
  }
  check_dependences(c, subgraph, order);
  check_layer_code(c, subgraph, order);
  free(order);
}

//===----------------------------------------------------------------------===//
// All subgraphs
//===----------------------------------------------------------------------===//

static void check_batch(xc_checker *c, size_t position) {
  const XcXModelTensor *tensor =
      xcXModelOpGetTensor(xcXModelGetOp(c->model, position));
  if (!tensor || !c->ops[position].is_consumed_outside)
    return;
  if (xcXModelTensorGetRank(tensor) == 0 ||
      xcXModelTensorGetDims(tensor)[0] != 1)
    xc_finding(c, XC_RULE_Batch,
               "the tensor of operator '%s', which another subgraph reads, has "
               "%s",
               xcXModelOpGetName(xcXModelGetOp(c->model, position)),
               xcXModelTensorGetRank(tensor) == 0
                   ? "no dimensions"
                   : "another first dimension than 1");
}

static void check_child(xc_checker *c, const XcXModelSubgraph *child) {
  const char *device = device_of(child), *name = xcXModelSubgraphGetName(child);
  bool is_dpu = strcmp(device, "DPU") == 0, is_cpu = strcmp(device, "CPU") == 0;
  if (!is_dpu && !is_cpu && strcmp(device, "USER") != 0)
    xc_finding(c, XC_RULE_Device,
               "the device of subgraph '%s' is none of USER, CPU and DPU",
               name);
  if (is_dpu || is_cpu)
    check_runner(c, child);
  if (is_dpu) {
    check_code(c, child);
    check_workload(c, child);
    check_children(c, child);
    xc_check_dpu(c, child);
  }
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_names(xc_checker *c, const XcXModelSubgraph *subgraph) {
  size_t count = xcXModelSubgraphGetNumChildren(subgraph);
  const char **names = xc_alloc_array(count, sizeof *names);
  for (size_t i = 0; i < count; ++i) {
    const XcXModelSubgraph *child = xcXModelSubgraphGetChild(subgraph, i);
    names[i] = xcXModelSubgraphGetName(child);
    if (strchr(names[i], ','))
      xc_finding(c, XC_RULE_SubgraphName,
                 "the name of subgraph '%s' has a comma", names[i]);
    check_names(c, child);
  }
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 1; i < count; ++i)
    if (strcmp(names[i - 1], names[i]) == 0)
      xc_finding(c, XC_RULE_SubgraphName,
                 "two children of '%s' have the name '%s'",
                 xcXModelSubgraphGetName(subgraph), names[i]);
  free(names);
}

static void check_model_attributes(xc_checker *c) {
  XcXModelAttrs attrs = xcXModelGetAttrs(c->model);
  if (!xc_check_attr(c, "the model", attrs, "files_md5sum",
                     XcXModelKindMapStringToString))
    xc_finding(c, XC_RULE_Md5, "the model has no 'files_md5sum'");
  (void)xc_check_attr(c, "the model", attrs, "return_ops",
                      XcXModelKindStringVec);
}

void xc_check_subgraphs(xc_checker *c) {
  const XcXModelSubgraph *root = xcXModelGetRoot(c->model);
  if (!root)
    return;
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(root); ++i)
    check_child(c, xcXModelSubgraphGetChild(root, i));
  for (size_t i = 0; i < xcXModelGetNumOps(c->model); ++i) {
    check_batch(c, i);
    if (!c->ops[i].leaf)
      xc_finding(c, XC_RULE_Leaf, "operator '%s' belongs to no subgraph",
                 xcXModelOpGetName(xcXModelGetOp(c->model, i)));
  }
  check_names(c, root);
  check_model_attributes(c);
}
