//===- Border.c - what the board's runtime wants to know of an xmodel -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are in Check/Rules.def.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Md5.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "xc-c/XModelDpu.h"

#include <stdlib.h>
#include <string.h>

void xc_xmodel_set_runner(XcXModelSubgraph *subgraph, const char *device) {
  // The graph runner replaces the library of CPU parts by its own; without one
  // it leaves them out.
  static const char cpu[] = "libvart-cpu-runner.so";
  bool is_dpu = strcmp(device, "DPU") == 0;
  XcXModelAttr map = xcXModelAttrsSet(xcXModelSubgraphGetAttrs(subgraph),
                                      "runner", XcXModelKindMapStringToString);
  xcXModelAttrAppend(map, "ref", xcXModelValueString(cpu));
  xcXModelAttrAppend(map, "run",
                     xcXModelValueString(is_dpu ? XC_XMODEL_DPU_RUNNER : cpu));
  xcXModelAttrAppend(
      map, "sim", xcXModelValueString(is_dpu ? "libvart-sim-runner.so" : cpu));
}

void xcXModelTensorSetFixPoint(XcXModelTensor *tensor, int32_t fix_point,
                               bool is_signed) {
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  xcXModelAttrsSetInt32(attrs, "bit_width", xcXModelTensorGetBitWidth(tensor));
  xcXModelAttrsSetInt32(attrs, "fix_point", fix_point);
  xcXModelAttrsSetBool(attrs, "if_signed", is_signed);
  xcXModelAttrsSetString(attrs, "round_mode", "DPU_ROUND");
}

void xcXModelSetSource(XcXModel *model, const char *name, const void *data,
                       size_t size) {
  char digits[XC_MD5_DIGITS + 1];
  xc_md5(data, size, digits);
  XcXModelAttrs attrs = xcXModelGetAttrs(model);
  xcXModelAttrAppend(
      xcXModelAttrsSet(attrs, "files_md5sum", XcXModelKindMapStringToString),
      name, xcXModelValueString(digits));
  xcXModelAttrAppend(
      xcXModelAttrsSet(attrs, "libs_info", XcXModelKindMapStringToString), "xc",
      xcXModelValueString(xcVersion()));
}

const char *xcXModelGetOutside(const XcXModel *model, const char *name) {
  for (size_t i = 0; i < xcXModelGetNumOps(model); ++i) {
    const XcXModelOp *op = xcXModelGetOp(model, i);
    if (strcmp(xcXModelOpGetType(op), "download") == 0 &&
        strcmp(xcXModelOpGetArgOp(op, 0, 0), name) == 0)
      return xcXModelOpGetName(op);
  }
  return name;
}

//===----------------------------------------------------------------------===//
// Names of tensors at borders
//===----------------------------------------------------------------------===//

/// The tensors outside of the uploads, or the downloads, of one subgraph.
typedef struct border {
  XcXModelTensor **tensors;
  size_t count, capacity;
} border;

static void collect(const XcXModel *model, const XcXModelSubgraph *subgraph,
                    const char *type, border *list) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i) {
    const XcXModelOp *op =
        xcXModelFindOp(model, xcXModelSubgraphGetOp(subgraph, i));
    if (strcmp(xcXModelOpGetType(op), type) != 0)
      continue;
    if (strcmp(type, "upload") == 0)
      op = xcXModelFindOp(model, xcXModelOpGetArgOp(op, 0, 0));
    xc_grow((void **)&list->tensors, &list->capacity, list->count + 1,
            sizeof *list->tensors);
    list->tensors[list->count++] = xcXModelOpGetTensor(op);
  }
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    collect(model, xcXModelSubgraphGetChild(subgraph, i), type, list);
}

/// Whether a search for `name` that begins at the first tensor by name would
/// find `other`.
static bool hides(const char *other, const char *name) {
  return strcmp(other, name) < 0 && strstr(other, name);
}

static bool is_hidden(const border *list, const char *name) {
  for (size_t i = 0; i < list->count; ++i)
    if (hides(xcXModelTensorGetName(list->tensors[i]), name))
      return true;
  return false;
}

/// A suffix makes a name one that no other contains.
static bool rename_hidden(const XcXModel *model, border *list, size_t *number) {
  bool changed = false;
  for (size_t i = 0; i < list->count; ++i) {
    const char *name = xcXModelTensorGetName(list->tensors[i]);
    if (!is_hidden(list, name))
      continue;
    xc_text unique = {0};
    do {
      unique.length = 0;
      xc_text_printf(&unique, "%s__xc%zu", name, (*number)++);
    } while (xcXModelFindOp(model, xc_text_str(&unique)) ||
             is_hidden(list, xc_text_str(&unique)));
    xcXModelTensorSetName(list->tensors[i], xc_text_str(&unique));
    xc_text_free(&unique);
    changed = true;
  }
  return changed;
}

void xcXModelNameBorders(XcXModel *model) {
  static const char *const types[] = {"upload", "download"};
  size_t number = 0;
  bool changed = true;
  // A tensor may be at the border of several subgraphs.
  while (changed) {
    changed = false;
    for (size_t i = 0; i < xcXModelGetNumDpuSubgraphs(model); ++i)
      for (size_t t = 0; t < 2; ++t) {
        border list = {0};
        collect(model, xcXModelGetDpuSubgraph(model, i), types[t], &list);
        changed = rename_hidden(model, &list, &number) || changed;
        free(list.tensors);
      }
  }
}
