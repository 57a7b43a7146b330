//===- Dpu.c - registers and tensors of a DPU subgraph on a board ---------===//
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

/// The runtime parses one digit.
enum { MAX_REGISTERS = 8 };

typedef struct dpu_register {
  int64_t size;
  bool is_const, is_interface, has_contents, is_used;
} dpu_register;

typedef struct name_list {
  const char **items;
  size_t count, capacity;
} name_list;

typedef struct dpu_check {
  xc_checker *c;
  const XcXModelSubgraph *subgraph;
  const char *name;
  dpu_register registers[MAX_REGISTERS];
  name_list uploads; // tensors outside
  name_list downloads;
} dpu_check;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static XcXModelAttr map_of(const dpu_check *d, const char *name,
                           XcXModelKind kind) {
  XcXModelAttr attr =
      xcXModelAttrsFind(xcXModelSubgraphGetAttrs(d->subgraph), name);
  if (attr.value && xcXModelAttrGetKind(attr) == kind)
    return attr;
  return (XcXModelAttr){name, NULL};
}

static dpu_register *register_at(dpu_check *d, const char *key) {
  bool fits = strlen(key) == 5 && strncmp(key, "REG_", 4) == 0 &&
              key[4] >= '0' && key[4] < '0' + MAX_REGISTERS;
  if (fits)
    return &d->registers[key[4] - '0'];
  xc_finding(d->c, XC_RULE_Registers, "subgraph '%s' has a register '%s'",
             d->name, key);
  return NULL;
}

static void read_contexts(dpu_check *d, const char *map, bool is_v2) {
  XcXModelAttr attr = map_of(d, map, XcXModelKindMapStringToString);
  for (size_t i = 0; attr.value && i < xcXModelAttrGetNumRows(attr); ++i) {
    dpu_register *reg = register_at(d, xcXModelAttrGetKey(attr, i));
    const char *word = xcXModelAttrGetValue(attr, i, 0).data;
    if (reg && is_v2)
      reg->is_interface = strcmp(word, "INTERFACE") == 0;
    else if (reg)
      reg->is_const = strcmp(word, "CONST") == 0;
  }
}

static void read_contents(dpu_check *d) {
  XcXModelAttr attr =
      map_of(d, "reg_id_to_parameter_value", XcXModelKindMapStringToBytes);
  for (size_t i = 0; attr.value && i < xcXModelAttrGetNumRows(attr); ++i) {
    dpu_register *reg = register_at(d, xcXModelAttrGetKey(attr, i));
    size_t size = xcXModelAttrGetValue(attr, i, 0).size;
    if (!reg)
      continue;
    reg->has_contents = true;
    if (reg->size < 0 || size > (uint64_t)reg->size)
      xc_finding(d->c, XC_RULE_Registers,
                 "register '%s' of subgraph '%s' has %" PRId64
                 " bytes, but %zu bytes of contents",
                 xcXModelAttrGetKey(attr, i), d->name, reg->size, size);
  }
}

static void read_registers(dpu_check *d) {
  XcXModelAttr sizes =
      map_of(d, "reg_id_to_size", XcXModelKindMapStringToInt32);
  for (size_t i = 0; sizes.value && i < xcXModelAttrGetNumRows(sizes); ++i) {
    dpu_register *reg = register_at(d, xcXModelAttrGetKey(sizes, i));
    int64_t size = xcXModelAttrGetValue(sizes, i, 0).integer;
    if (reg)
      reg->size = size;
    if (size <= 0)
      xc_finding(d->c, XC_RULE_Registers,
                 "register '%s' of subgraph '%s' has %" PRId64 " bytes",
                 xcXModelAttrGetKey(sizes, i), d->name, size);
  }
  read_contexts(d, "reg_id_to_context_type", false);
  read_contexts(d, "reg_id_to_context_type_v2", true);
  read_contents(d);
}

/// Once the tensors are known.
static void check_registers(dpu_check *d) {
  bool has_data = false;
  for (int i = 0; i < MAX_REGISTERS; ++i) {
    const dpu_register *reg = &d->registers[i];
    has_data = has_data || (reg->size > 0 && !reg->is_const);
    if (reg->is_const && !reg->has_contents)
      xc_finding(d->c, XC_RULE_Code,
                 "register %d of subgraph '%s' is CONST, but has no contents",
                 i, d->name);
    if (reg->is_interface && !reg->is_used)
      xc_finding(d->c, XC_RULE_Registers,
                 "no input or output of subgraph '%s' lies in its INTERFACE "
                 "register %d",
                 d->name, i);
  }
  if (!has_data)
    xc_finding(d->c, XC_RULE_Registers,
               "no register of subgraph '%s' holds data", d->name);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static uint64_t bytes_of(const XcXModelTensor *tensor) {
  uint64_t bytes = 1;
  for (size_t i = 0; i < xcXModelTensorGetRank(tensor); ++i)
    if (__builtin_mul_overflow(
            bytes, (uint64_t)xcXModelTensorGetDims(tensor)[i], &bytes))
      return UINT64_MAX;
  return bytes;
}

/// Returns the number of bytes that a tensor in a register may take. Parameters
/// may continue in the next register: a machine with two weight ports has a
/// part in each.
static uint64_t memory_of(const dpu_check *d, int64_t reg) {
  uint64_t size = (uint64_t)d->registers[reg].size;
  for (; d->registers[reg].is_const && reg + 1 < MAX_REGISTERS &&
         d->registers[reg + 1].is_const;
       ++reg)
    size += (uint64_t)d->registers[reg + 1].size;
  return size;
}

/// `is_border`: it is an input or an output.
static void check_place(dpu_check *d, const XcXModelOp *op, bool is_border) {
  const char *name = xcXModelOpGetName(op);
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  if (!tensor)
    return;
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  int64_t reg = -1, address = -1, location = -1;
  if (!xcXModelAttrsGetInt(attrs, "reg_id", &reg) ||
      !xcXModelAttrsGetInt(attrs, "ddr_addr", &address) ||
      !xcXModelAttrsGetInt(attrs, "location", &location)) {
    xc_finding(d->c, XC_RULE_Place,
               "the tensor of operator '%s' in subgraph '%s' has no place",
               name, d->name);
    return;
  }
  // The vendor's own compiler leaves registers without memory to the chip.
  bool exists = reg >= 0 && reg < MAX_REGISTERS && d->registers[reg].size > 0;
  if (!exists && location == 0 && !is_border)
    return;
  if (!exists) {
    xc_finding(d->c, XC_RULE_Register,
               "the tensor of operator '%s' is in register %" PRId64
               ", which subgraph '%s' does not have",
               name, reg, d->name);
    return;
  }
  d->registers[reg].is_used = d->registers[reg].is_used || is_border;
  uint64_t size = (memory_of(d, reg) + 1023) / 1024 * 1024;
  uint64_t bytes = bytes_of(tensor);
  if (location == 1 &&
      (address < 0 || bytes > size || (uint64_t)address > size - bytes))
    xc_finding(d->c, XC_RULE_Fit,
               "the tensor of operator '%s', %" PRIu64 " bytes at %" PRId64
               ", does not fit into register %" PRId64 " of subgraph '%s'",
               name, bytes, address, reg, d->name);
}

static bool is_dense(const XcXModelTensor *tensor) {
  int64_t strides[XC_XMODEL_MAX_RANK], expected = 1;
  size_t count;
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  if (!xcXModelAttrsFind(attrs, "stride").value)
    return true;
  if (!xcXModelAttrsGetInts(attrs, "stride", strides, XC_XMODEL_MAX_RANK,
                            &count) ||
      count != xcXModelTensorGetRank(tensor))
    return false;
  for (size_t i = count; i-- > 0;) {
    uint32_t size = xcXModelTensorGetDims(tensor)[i];
    if (size > 1 && strides[i] != expected)
      return false;
    expected *= size;
  }
  return true;
}

/// A tensor as users and other subgraphs see it: the producer of an input's
/// upload, or an output's download.
static void check_border(dpu_check *d, const XcXModelOp *op) {
  const char *name = xcXModelOpGetName(op);
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  if (!tensor)
    return;
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  static const char *const needed[] = {"fix_point", "bit_width", "if_signed",
                                       "round_mode"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!xcXModelAttrsFind(attrs, needed[i]).value)
      xc_finding(d->c, XC_RULE_Quantised,
                 "the tensor of operator '%s' at the border of subgraph '%s' "
                 "does not say '%s'",
                 name, d->name, needed[i]);
  if (xcXModelTensorGetDataType(tensor) != XcXModelDataTypeXint ||
      xcXModelTensorGetBitWidth(tensor) != 8)
    xc_finding(d->c, XC_RULE_Xint,
               "the tensor of operator '%s' at the border of subgraph '%s' is "
               "no XINT8",
               name, d->name);
  if (!is_dense(tensor))
    xc_finding(d->c, XC_RULE_Dense,
               "the tensor of operator '%s' at the border of subgraph '%s' has "
               "gaps",
               name, d->name);
  if (xcXModelTensorGetRank(tensor) == 0 ||
      xcXModelTensorGetDims(tensor)[0] != 1)
    xc_finding(d->c, XC_RULE_Batch,
               "the first dimension of the tensor of operator '%s' at the "
               "border of subgraph '%s' is not 1",
               name, d->name);
}

static void add_name(name_list *list, const XcXModelOp *op) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  if (!tensor)
    return;
  xc_grow((void **)&list->items, &list->capacity, list->count + 1,
          sizeof *list->items);
  list->items[list->count++] = xcXModelTensorGetName(tensor);
}

static const XcXModelOp *only_producer(const dpu_check *d,
                                       const XcXModelOp *op) {
  if (xcXModelOpGetNumArgs(op) != 1 || xcXModelOpGetNumArgOps(op, 0) != 1)
    return NULL; // the operator's definition has been checked
  return xcXModelFindOp(d->c->model, xcXModelOpGetArgOp(op, 0, 0));
}

/// Whether an operator does no more than feed an upload.
static bool feeds_upload(const dpu_check *d, const XcXModelOp *op) {
  for (size_t i = 0; i < xcXModelGetNumOps(d->c->model); ++i) {
    const XcXModelOp *consumer = xcXModelGetOp(d->c->model, i);
    if (xc_op_is_type(consumer, "upload") && only_producer(d, consumer) == op)
      return xc_checked_find(d->c, xcXModelOpGetName(op))->inner_consumers == 1;
  }
  return false;
}

static bool feeds_download(const dpu_check *d, const XcXModelOp *op) {
  for (size_t i = 0; i < xcXModelGetNumOps(d->c->model); ++i) {
    const XcXModelOp *consumer = xcXModelGetOp(d->c->model, i);
    if (xc_op_is_type(consumer, "download") &&
        d->c->ops[i].child == d->subgraph && only_producer(d, consumer) == op)
      return true;
  }
  return false;
}

static void check_op(dpu_check *d, const XcXModelOp *op,
                     const xc_checked_op *row) {
  const char *name = xcXModelOpGetName(op);
  bool is_upload = xc_op_is_type(op, "upload");
  bool is_download = xc_op_is_type(op, "download");
  if (is_upload || is_download) {
    const XcXModelOp *producer = only_producer(d, op);
    const XcXModelOp *outside = is_upload ? producer : op;
    if (outside) {
      check_border(d, outside);
      add_name(is_upload ? &d->uploads : &d->downloads, outside);
    }
  }
  if (is_download)
    return;
  if (row->inner_consumers == 0)
    xc_finding(d->c, XC_RULE_Unused,
               "operator '%s' of subgraph '%s' feeds no operator of it", name,
               d->name);
  if (is_upload || !feeds_upload(d, op))
    check_place(d, op, is_upload || feeds_download(d, op));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_names(dpu_check *d, name_list *list) {
  if (list->count)
    qsort(list->items, list->count, sizeof *list->items, compare_names);
  for (size_t i = 0; i < list->count; ++i) {
    if (strncmp(list->items[i], "__reg__", strlen("__reg__")) == 0)
      xc_finding(d->c, XC_RULE_BoundaryName,
                 "a tensor at the border of subgraph '%s' has the name '%s'",
                 d->name, list->items[i]);
    for (size_t j = i + 1; j < list->count; ++j)
      if (strcmp(list->items[i], list->items[j]) != 0 &&
          strstr(list->items[i], list->items[j]))
        xc_finding(d->c, XC_RULE_BoundaryName,
                   "the tensor's name '%s' at the border of subgraph '%s' "
                   "contains '%s'",
                   list->items[i], d->name, list->items[j]);
  }
}

static void check_uploads(dpu_check *d) {
  for (size_t i = 1; i < d->uploads.count; ++i)
    if (strcmp(d->uploads.items[i - 1], d->uploads.items[i]) == 0)
      xc_finding(d->c, XC_RULE_OneUpload,
                 "subgraph '%s' uploads tensor '%s' twice", d->name,
                 d->uploads.items[i]);
}

void xc_check_dpu(xc_checker *c, const XcXModelSubgraph *subgraph) {
  dpu_check d = {
      .c = c, .subgraph = subgraph, .name = xcXModelSubgraphGetName(subgraph)};
  read_registers(&d);
  for (size_t i = 0; i < xcXModelGetNumOps(c->model); ++i)
    if (c->ops[i].child == subgraph)
      check_op(&d, xcXModelGetOp(c->model, i), &c->ops[i]);
  check_registers(&d);
  check_names(&d, &d.uploads);
  check_names(&d, &d.downloads);
  check_uploads(&d);
  free(d.uploads.items);
  free(d.downloads.items);
}
