//===- XModelOutput.c - compiled functions as an xmodel -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XModelOutput.h"

#include "Support/Text.h"
#include "xc-c/XModelDpu.h"

typedef struct writer {
  XcXModel *model;
  const char *prefix;
  XcXModelSubgraph *root, *user, *dpu, *body; // user: or null
} writer;

/// The text is freed by the caller.
static xc_text full_name(const writer *w, const char *name,
                         const char *suffix) {
  xc_text text = {0};
  if (w->prefix)
    xc_text_printf(&text, "%s/", w->prefix);
  xc_text_printf(&text, "%s%s", name, suffix);
  return text;
}

/// The same, with underscores until no operator is called so.
static xc_text free_name(const writer *w, const char *name,
                         const char *suffix) {
  xc_text text = full_name(w, name, suffix);
  while (xcXModelFindOp(w->model, xc_text_str(&text)))
    xc_text_puts(&text, "_");
  return text;
}

/// The last operator that was added is `name`; its tensor is 8 bits wide. At
/// a border the first dimension is 1: the board's runtime takes it for the
/// batch.
static XcXModelTensor *add_tensor(XcXModelOp *op, const xc_dpu_tensor *tensor,
                                  bool is_border) {
  uint32_t dims[XC_XMODEL_MAX_RANK + 1];
  const xc_shape *shape = &tensor->shape;
  size_t rank = 0;
  if (is_border && (shape->rank == 0 || shape->dims[0] != 1))
    dims[rank++] = 1;
  for (size_t i = 0; i < shape->rank; ++i)
    dims[rank++] = (uint32_t)shape->dims[i];
  XcXModelTensor *result = xcXModelOpSetTensor(
      op, xcXModelOpGetName(op), XcXModelDataTypeXint, 8, dims, rank);
  xcXModelTensorSetFixPoint(result, tensor->fix_point, true);
  return result;
}

static XcXModelOp *add_op(const writer *w, XcXModelSubgraph *subgraph,
                          const char *name, const char *type,
                          const char *const *inputs, size_t num_inputs) {
  XcXModelOp *op = xcXModelAddOp(w->model, name, type);
  if (num_inputs)
    xcXModelOpAddArg(op, "input", inputs, num_inputs);
  xcXModelSubgraphAddOp(subgraph, name);
  return op;
}

static void set_place(XcXModelTensor *to, const xc_dpu_tensor *tensor) {
  XcXModelDpuTensor place = {.registerId = tensor->image.reg,
                             .address = tensor->image.address,
                             .rank = tensor->shape.rank,
                             .fixPoint = tensor->fix_point,
                             .isSigned = true};
  int64_t stride = 1;
  for (size_t i = tensor->shape.rank; i-- > 0;) {
    place.dims[i] = (uint32_t)tensor->shape.dims[i];
    place.strides[i] = stride;
    stride *= tensor->shape.dims[i];
  }
  xcXModelTensorSetPlace(to, &place);
}

static void add_input(const writer *w, const xc_dpu_tensor *tensor,
                      const char **uploads, size_t *num_uploads,
                      xc_arena *arena) {
  xc_text name = full_name(w, tensor->name, "");
  xc_text upload = free_name(w, tensor->name, "_upload");
  const char *source = xc_text_str(&name);
  if (w->user) {
    XcXModelOp *op = add_op(w, w->user, source, "data-fix", NULL, 0);
    add_tensor(op, tensor, true);
    xcXModelOpSetShape(op);
  } else {
    xcXModelTensorSetFixPoint(
        xcXModelOpGetTensor(xcXModelFindOp(w->model, source)),
        tensor->fix_point, true);
  }
  set_place(
      add_tensor(add_op(w, w->body, xc_text_str(&upload), "upload", &source, 1),
                 tensor, false),
      tensor);
  uploads[(*num_uploads)++] =
      xc_arena_string(arena, xc_text_str(&upload), upload.length);
  xc_text_free(&name);
  xc_text_free(&upload);
}

static void add_output(const writer *w, const xc_dpu_tensor *tensor,
                       const char *const *uploads, size_t num_uploads) {
  xc_text name = full_name(w, tensor->name, "");
  xc_text inner = free_name(w, tensor->name, "_dpu");
  const char *source = xc_text_str(&inner);
  XcXModelOp *op =
      add_op(w, w->body, source, "dpu-kernel", uploads, num_uploads);
  set_place(add_tensor(op, tensor, false), tensor);
  xcXModelOpSetShape(op);
  add_tensor(add_op(w, w->body, xc_text_str(&name), "download", &source, 1),
             tensor, true);
  xc_text_free(&name);
  xc_text_free(&inner);
}

static size_t list_registers(const XcDpuTarget *target,
                             const xc_dpu_function *function,
                             XcXModelRegister *registers) {
  size_t count = 0;
  for (uint32_t reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg) {
    uint64_t size = function->register_sizes[reg];
    if (size == 0)
      continue;
    XcXModelRegister row = {.id = reg,
                            .context = XcXModelContextInterface,
                            .size = size,
                            .segment = xcDpuTargetGetSegment(target, reg)};
    if ((int32_t)reg == target->workspaceRegister)
      row.context = XcXModelContextWorkspace;
    if (function->parameters[reg]) {
      row.context = XcXModelContextConst;
      row.initial = function->parameters[reg];
      row.initialSize = (size_t)size;
    }
    registers[count++] = row;
  }
  return count;
}

static void set_dpu(const writer *w, const XcDpuTarget *target,
                    const xc_dpu_function *function) {
  XcXModelRegister registers[XC_DPU_NUM_REGISTERS];
  XcXModelDpu dpu = {.name = function->name,
                     .compiler = "xc",
                     .target = target->dpuName ? target->dpuName : target->name,
                     .fingerprint = target->fingerprint,
                     .workload = function->operations,
                     .workloadOnArch = function->operations,
                     .registers = registers};
  dpu.code = xcDpuCodeGenGetCode(function->gen, &dpu.codeSize);
  dpu.numRegisters = list_registers(target, function, registers);
  xcXModelSubgraphSetDpu(w->dpu, &dpu);
  const char *body = xcXModelSubgraphGetName(w->body);
  xcXModelAttrsSetUint64(xcXModelSubgraphGetAttrs(w->body), "workload",
                         function->operations);
  xcXModelAttrsSetStringVec(xcXModelSubgraphGetAttrs(w->dpu),
                            "children_topological_sort", &body, 1);
}

static XcXModelSubgraph *add_subgraph(XcXModelSubgraph *parent,
                                      const char *name, const char *device) {
  XcXModelSubgraph *subgraph = xcXModelSubgraphAddChild(parent, name);
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(subgraph), "device", device);
  return subgraph;
}

/// Whether what the inputs come from is in the model.
static bool has_sources(const writer *w, const xc_dpu_function *function) {
  for (size_t i = 0; i < function->num_tensors; ++i) {
    xc_text name = full_name(w, function->tensors[i].name, "");
    bool is_missing = !function->tensors[i].is_output &&
                      !xcXModelFindOp(w->model, xc_text_str(&name));
    xc_text_free(&name);
    if (is_missing)
      return false;
  }
  return true;
}

void xc_dpu_add_to_xmodel(XcXModel *model, const XcDpuTarget *target,
                          const xc_dpu_function *function, const char *prefix) {
  writer w = {.model = model, .prefix = prefix};
  w.root = xcXModelGetRoot(model);
  if (!w.root)
    w.root = xcXModelAddRoot(model, "root");
  if (!has_sources(&w, function)) {
    xc_text user = full_name(&w, function->name, "_inputs");
    w.user = add_subgraph(w.root, xc_text_str(&user), "USER");
    xc_text_free(&user);
  }
  w.dpu = add_subgraph(w.root, function->name, "DPU");
  xc_text body = full_name(&w, function->name, "_body");
  w.body = xcXModelSubgraphAddChild(w.dpu, xc_text_str(&body));
  xc_text_free(&body);
  xc_arena arena = {0};
  const char **uploads =
      xc_arena_alloc(&arena, function->num_tensors, sizeof *uploads);
  size_t num_uploads = 0;
  for (size_t i = 0; i < function->num_tensors; ++i)
    if (!function->tensors[i].is_output)
      add_input(&w, &function->tensors[i], uploads, &num_uploads, &arena);
  for (size_t i = 0; i < function->num_tensors; ++i)
    if (function->tensors[i].is_output)
      add_output(&w, &function->tensors[i], uploads, num_uploads);
  set_dpu(&w, target, function);
  xc_arena_free(&arena);
}
