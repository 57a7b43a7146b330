//===- Dpu.c - a DPU subgraph of an xmodel, ready to run ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "xc-c/FixedPoint.h"
#include "xc-c/XModelDpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool xc_xmodel_is_dpu(const XcXModelSubgraph *subgraph) {
  const char *device =
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(subgraph), "device");
  return device && !strcmp(device, "DPU");
}

static const XcXModelSubgraph *nth_dpu(const XcXModel *model, size_t index,
                                       size_t *count) {
  const XcXModelSubgraph *root = xcXModelGetRoot(model), *found = NULL;
  *count = 0;
  for (size_t i = 0; root && i < xcXModelSubgraphGetNumChildren(root); ++i) {
    const XcXModelSubgraph *child = xcXModelSubgraphGetChild(root, i);
    if (xc_xmodel_is_dpu(child) && (*count)++ == index)
      found = child;
  }
  return found;
}

size_t xcXModelGetNumDpuSubgraphs(const XcXModel *model) {
  size_t count;
  nth_dpu(model, 0, &count);
  return count;
}

const XcXModelSubgraph *xcXModelGetDpuSubgraph(const XcXModel *model,
                                               size_t index) {
  size_t count;
  return nth_dpu(model, index, &count);
}

const XcXModelSubgraph *xcXModelSelectDpuSubgraph(XcDiag *diag,
                                                  const XcXModel *model,
                                                  const char *name) {
  size_t count = xcXModelGetNumDpuSubgraphs(model);
  if (count == 0)
    xc_file_error(diag, model->file, "the model has no DPU subgraph");
  else if (!name && count == 1)
    return xcXModelGetDpuSubgraph(model, 0);
  else if (!name)
    xc_file_error(diag, model->file,
                  "the model has %zu DPU subgraphs, choose one by its number "
                  "from 0 to %zu or by its name",
                  count, count - 1);
  if (count == 0 || !name)
    return NULL;
  for (size_t i = 0; i < count; ++i) {
    const XcXModelSubgraph *subgraph = xcXModelGetDpuSubgraph(model, i);
    if (!strcmp(xcXModelSubgraphGetName(subgraph), name))
      return subgraph;
  }
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  if (name[0] >= '0' && name[0] <= '9' && *end == '\0' && number < count)
    return xcXModelGetDpuSubgraph(model, number);
  xc_file_error(diag, model->file,
                "no DPU subgraph is named '%s', and the numbers are 0 to %zu",
                name, count - 1);
  return NULL;
}

// The storage of xcXModelDpuCreate; the public part comes first.
typedef struct dpu_storage {
  XcXModelDpu dpu;
  XcXModelRegister registers[XC_XMODEL_MAX_REGISTERS];
  xc_arena arena;
} dpu_storage;

typedef struct dpu_reader {
  XcDiag *diag;
  const XcXModel *model;
  dpu_storage *storage;
  XcXModelAttrs attrs;
} dpu_reader;

static bool dpu_error(dpu_reader *r, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

static bool dpu_error(dpu_reader *r, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xc_text text = {0};
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_file_error(r->diag, r->model->file, "DPU subgraph '%s': %s",
                r->storage->dpu.name, xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static bool parse_register(dpu_reader *r, const char *key, uint32_t *id) {
  static const char prefix[] = "REG_";
  char *end = NULL;
  unsigned long number = XC_XMODEL_MAX_REGISTERS;
  const char *digits = key + sizeof(prefix) - 1;
  if (!strncmp(key, prefix, sizeof(prefix) - 1) && *digits >= '0' &&
      *digits <= '9')
    number = strtoul(digits, &end, 10);
  if (end && *end == '\0' && number < XC_XMODEL_MAX_REGISTERS) {
    *id = (uint32_t)number;
    return true;
  }
  return dpu_error(r, "'%s' is not a register, expected 'REG_0' to 'REG_%d'",
                   key, XC_XMODEL_MAX_REGISTERS - 1);
}

static XcXModelContext parse_context(const char *word) {
  static const XcXModelContext contexts[] = {
      XcXModelContextConst, XcXModelContextWorkspace, XcXModelContextInterface};
  for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); ++i)
    if (!strcmp(word, xc_xmodel_context_word(contexts[i])))
      return contexts[i];
  return XcXModelContextUnknown;
}

// Calls `each` for every row of a map attribute; an absent one has none.
typedef bool (*row_handler)(dpu_reader *r, XcXModelRegister *target,
                            XcXModelValue value);

static bool for_each_register(dpu_reader *r, const char *name,
                              XcXModelKind kind, row_handler each) {
  XcXModelAttr attr = xcXModelAttrsFind(r->attrs, name);
  if (!attr.value)
    return true;
  if (xcXModelAttrGetKind(attr) != kind) {
    const char *found = xcXModelKindGetName(xcXModelAttrGetKind(attr));
    return dpu_error(r, "'%s' is of kind %s, expected %s", name,
                     found ? found : "unknown", xcXModelKindGetName(kind));
  }
  for (size_t row = 0; row < xcXModelAttrGetNumRows(attr); ++row) {
    uint32_t id = 0;
    if (!parse_register(r, xcXModelAttrGetKey(attr, row), &id) ||
        !each(r, &r->storage->registers[id],
              xcXModelAttrGetValue(attr, row, 0)))
      return false;
  }
  return true;
}

static bool set_size(dpu_reader *r, XcXModelRegister *target,
                     XcXModelValue value) {
  if (value.integer < 0)
    return dpu_error(r, "register %td has the size %" PRId64,
                     target - r->storage->registers, value.integer);
  target->size = (uint64_t)value.integer;
  return true;
}

static bool set_context(dpu_reader *r, XcXModelRegister *target,
                        XcXModelValue value) {
  (void)r;
  XcXModelContext context = parse_context(value.data);
  if (context != XcXModelContextUnknown)
    target->context = context;
  return true;
}

static bool set_initial(dpu_reader *r, XcXModelRegister *target,
                        XcXModelValue value) {
  if (value.size > target->size)
    return dpu_error(
        r, "register %td has %" PRIu64 " bytes, but %zu bytes of contents",
        target - r->storage->registers, target->size, value.size);
  target->initial = value.data;
  target->initialSize = value.size;
  return true;
}

static bool set_segment(dpu_reader *r, XcXModelRegister *target,
                        XcXModelValue value) {
  (void)r;
  target->segment = value.data;
  return true;
}

// "_v2" tells workspace and interface apart; the older attribute does not.
static bool read_registers(dpu_reader *r) {
  if (!for_each_register(r, "reg_id_to_size", XcXModelKindMapStringToInt32,
                         set_size) ||
      !for_each_register(r, "reg_id_to_context_type",
                         XcXModelKindMapStringToString, set_context) ||
      !for_each_register(r, "reg_id_to_context_type_v2",
                         XcXModelKindMapStringToString, set_context) ||
      !for_each_register(r, "reg_id_to_parameter_value",
                         XcXModelKindMapStringToBytes, set_initial) ||
      !for_each_register(r, "reg_id_to_hw_segment",
                         XcXModelKindMapStringToString, set_segment))
    return false;
  size_t count = 0;
  for (uint32_t id = 0; id < XC_XMODEL_MAX_REGISTERS; ++id) {
    XcXModelRegister reg = r->storage->registers[id];
    reg.id = id;
    if (reg.size)
      r->storage->registers[count++] = reg;
  }
  r->storage->dpu.registers = r->storage->registers;
  r->storage->dpu.numRegisters = count;
  return true;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// Whether all bytes of the tensor, and as many as it has elements, are within
// `size` bytes. Sums and products stay far from overflow.
static bool lies_within(const XcXModelDpuTensor *tensor, uint64_t size) {
  const uint64_t most = UINT64_C(1) << 60;
  uint64_t last = tensor->address, elements = 1;
  for (size_t i = 0; i < tensor->rank; ++i) {
    if (tensor->dims[i] == 0 || tensor->strides[i] < 0)
      return false;
    uint64_t steps = tensor->dims[i] - 1;
    uint64_t stride = (uint64_t)tensor->strides[i];
    if (last > most || (steps && stride > most / steps) ||
        elements > most / tensor->dims[i])
      return false;
    last += steps * stride;
    elements *= tensor->dims[i];
  }
  return last < size && elements <= size;
}

static bool read_strides(XcXModelAttrs attrs, XcXModelDpuTensor *tensor) {
  size_t count = 0;
  if (xcXModelAttrsFind(attrs, "stride").value)
    return xcXModelAttrsGetInts(attrs, "stride", tensor->strides,
                                XC_XMODEL_MAX_RANK, &count) &&
           count == tensor->rank;
  // Without strides there are no gaps.
  uint64_t stride = 1;
  for (size_t i = tensor->rank; i-- > 0;) {
    tensor->strides[i] = (int64_t)stride;
    if (tensor->dims[i] && stride > (UINT64_C(1) << 40) / tensor->dims[i])
      return false;
    stride *= tensor->dims[i];
  }
  return true;
}

static bool read_tensor(dpu_reader *r, const XcXModelOp *op,
                        XcXModelDpuTensor *result) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  const char *name = result->name = xcXModelOpGetName(op);
  if (!tensor)
    return dpu_error(r, "operator '%s' has no tensor", name);
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  result->rank = xcXModelTensorGetRank(tensor);
  if (result->rank > XC_XMODEL_MAX_RANK)
    return dpu_error(r,
                     "tensor of '%s' has %zu dimensions, expected at most "
                     "%d",
                     name, result->rank, XC_XMODEL_MAX_RANK);
  if (result->rank)
    memcpy(result->dims, xcXModelTensorGetDims(tensor),
           result->rank * sizeof(*result->dims));
  if (xcXModelTensorGetBitWidth(tensor) != 8)
    return dpu_error(r,
                     "tensor of '%s' has %" PRId32 "-bit elements, expected 8",
                     name, xcXModelTensorGetBitWidth(tensor));
  int64_t location = 0, reg = -1, address = 0, fix_point = 0, is_signed = 1;
  xcXModelAttrsGetInt(attrs, "location", &location);
  xcXModelAttrsGetInt(attrs, "reg_id", &reg);
  xcXModelAttrsGetInt(attrs, "ddr_addr", &address);
  xcXModelAttrsGetInt(attrs, "fix_point", &fix_point);
  xcXModelAttrsGetInt(attrs, "if_signed", &is_signed);
  const XcXModelRegister *target =
      reg >= 0 ? xcXModelDpuGetRegister(&r->storage->dpu, (uint32_t)reg) : NULL;
  if (location != 1 || !target || address < 0)
    return dpu_error(r, "tensor of '%s' is not in the memory of a register",
                     name);
  if (fix_point < XC_FIX_POINT_MIN || fix_point > XC_FIX_POINT_MAX)
    return dpu_error(r, "tensor of '%s' has the fix point %" PRId64, name,
                     fix_point);
  result->registerId = target->id;
  result->address = (uint64_t)address;
  result->fixPoint = (int32_t)fix_point;
  result->isSigned = is_signed != 0;
  if (!read_strides(attrs, result) || !lies_within(result, target->size))
    return dpu_error(r,
                     "tensor of '%s' does not lie within the %" PRIu64
                     " bytes of register %" PRIu32,
                     name, target->size, target->id);
  return true;
}

static const char *first_producer(const XcXModelOp *op) {
  if (xcXModelOpGetNumArgs(op) == 0 || xcXModelOpGetNumArgOps(op, 0) == 0)
    return "";
  return xcXModelOpGetArgOp(op, 0, 0);
}

// A subgraph and the ones within it, down to the leaves.
typedef struct tensor_list {
  XcXModelDpuTensor *items;
  size_t count, capacity;
} tensor_list;

static XcXModelDpuTensor *add_tensor(tensor_list *list) {
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(*list->items));
  list->items = items;
  list->items[list->count] = (XcXModelDpuTensor){0};
  return &list->items[list->count++];
}

static bool read_border_op(dpu_reader *r, const char *name, tensor_list *inputs,
                           tensor_list *outputs) {
  const XcXModelOp *op = xcXModelFindOp(r->model, name);
  if (!op)
    return dpu_error(r, "operator '%s' does not exist", name);
  const char *type = xcXModelOpGetType(op);
  const char *producer = first_producer(op);
  if (!strcmp(type, "upload")) {
    XcXModelDpuTensor *tensor = add_tensor(inputs);
    tensor->otherName = producer;
    return read_tensor(r, op, tensor);
  }
  if (strcmp(type, "download") != 0)
    return true;
  const XcXModelOp *source = xcXModelFindOp(r->model, producer);
  if (!source)
    return dpu_error(r, "operator '%s' downloads '%s', which does not exist",
                     name, producer);
  XcXModelDpuTensor *tensor = add_tensor(outputs);
  tensor->otherName = name;
  return read_tensor(r, source, tensor);
}

static bool read_border(dpu_reader *r, const XcXModelSubgraph *subgraph,
                        tensor_list *inputs, tensor_list *outputs) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i)
    if (!read_border_op(r, xcXModelSubgraphGetOp(subgraph, i), inputs, outputs))
      return false;
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    if (!read_border(r, xcXModelSubgraphGetChild(subgraph, i), inputs, outputs))
      return false;
  return true;
}

static const XcXModelDpuTensor *keep_list(dpu_reader *r, tensor_list *list) {
  XcXModelDpuTensor *items =
      xc_arena_alloc(&r->storage->arena, list->count, sizeof(*items));
  if (list->count)
    memcpy(items, list->items, list->count * sizeof(*items));
  free(list->items);
  return items;
}

static bool read_tensors(dpu_reader *r, const XcXModelSubgraph *subgraph) {
  tensor_list inputs = {0}, outputs = {0};
  bool ok = read_border(r, subgraph, &inputs, &outputs);
  r->storage->dpu.numInputs = inputs.count;
  r->storage->dpu.numOutputs = outputs.count;
  r->storage->dpu.inputs = keep_list(r, &inputs);
  r->storage->dpu.outputs = keep_list(r, &outputs);
  return ok;
}

//===----------------------------------------------------------------------===//
// The subgraph
//===----------------------------------------------------------------------===//

static uint64_t read_uint64(dpu_reader *r, const char *name) {
  XcXModelAttr attr = xcXModelAttrsFind(r->attrs, name);
  if (xcXModelAttrGetKind(attr) != XcXModelKindUint64)
    return 0;
  return xcXModelAttrGetValue(attr, 0, 0).natural;
}

static bool read_code(dpu_reader *r) {
  XcXModelDpu *dpu = &r->storage->dpu;
  dpu->code = xcXModelAttrsGetBytes(r->attrs, "mc_code", &dpu->codeSize);
  if (!dpu->code || dpu->codeSize == 0)
    return dpu_error(r, "there is no machine code ('mc_code')");
  dpu->target = xcXModelAttrsGetString(r->attrs, "dpu_name");
  dpu->compiler = xcXModelAttrsGetString(r->attrs, "compiler");
  dpu->fingerprint = read_uint64(r, "dpu_fingerprint");
  dpu->workload = read_uint64(r, "workload");
  dpu->workloadOnArch = read_uint64(r, "workload_on_arch");
  if (!dpu->target)
    return dpu_error(r, "the target is not named ('dpu_name')");
  return true;
}

// Code for a DPU that is not known is no error of the file.
const XcDpuIsa *xcXModelDpuGetIsa(const XcXModelDpu *dpu) {
  XcDiag diag = {xc_ignore_error, NULL, 0};
  const XcDpuTarget *target = xcXModelDpuCreateTarget(&diag, dpu);
  const XcDpuIsa *isa = target ? xcDpuIsaGet(target->isa) : NULL;
  xcDpuTargetDestroy(target);
  return isa;
}

static XcXModelAttr layer_list(dpu_reader *r, const char *name,
                               XcXModelKind kind, size_t *count) {
  XcXModelAttr attr = xcXModelAttrsFind(r->attrs, name);
  bool fits = attr.value && xcXModelAttrGetKind(attr) == kind;
  *count = fits ? xcXModelAttrGetNumRows(attr) : 0;
  return attr;
}

// Reads the layers from the attributes that xc writes. Returns false if they
// are missing or inconsistent.
static bool read_layers(dpu_reader *r) {
  XcXModelDpu *dpu = &r->storage->dpu;
  size_t count, num_firsts, num_operations;
  XcXModelAttr names =
      layer_list(r, XC_XMODEL_LAYER_NAMES, XcXModelKindStringVec, &count);
  XcXModelAttr firsts = layer_list(r, XC_XMODEL_LAYER_INSTRUCTIONS,
                                   XcXModelKindUint64Vec, &num_firsts);
  XcXModelAttr operations = layer_list(r, XC_XMODEL_LAYER_OPERATIONS,
                                       XcXModelKindUint64Vec, &num_operations);
  if (count == 0 || num_firsts != count || num_operations != count)
    return false;
  XcXModelDpuLayer *layers =
      xc_arena_alloc(&r->storage->arena, count, sizeof(*layers));
  for (size_t i = 0; i < count; ++i) {
    uint64_t first = xcXModelAttrGetValue(firsts, i, 0).natural;
    if (first > dpu->codeSize / 4 || (i && first < layers[i - 1].instruction))
      return false;
    layers[i] = (XcXModelDpuLayer){
        xcXModelAttrGetValue(names, i, 0).data, (size_t)first,
        xcXModelAttrGetValue(operations, i, 0).natural};
  }
  dpu->layers = layers;
  dpu->numLayers = count;
  return true;
}

static void find_layers(dpu_reader *r, const XcXModelSubgraph *subgraph) {
  XcXModelDpu *dpu = &r->storage->dpu;
  if (read_layers(r))
    return;
  const XcDpuIsa *isa = xcXModelDpuGetIsa(dpu);
  if (!isa)
    return;
  XcXModelDpuLayer *layers =
      xc_arena_alloc(&r->storage->arena,
                     xcXModelSubgraphGetNumChildren(subgraph), sizeof(*layers));
  dpu->numLayers = xc_xmodel_find_layers(r->model, subgraph, isa, dpu->code,
                                         dpu->codeSize, layers);
  dpu->layers = layers;
}

const XcXModelDpu *xcXModelDpuCreate(XcDiag *diag, const XcXModel *model,
                                     const XcXModelSubgraph *subgraph) {
  dpu_storage *storage = xc_alloc(sizeof(*storage));
  storage->dpu.name = xcXModelSubgraphGetName(subgraph);
  dpu_reader r = {diag, model, storage, xcXModelSubgraphGetAttrs(subgraph)};
  if (read_code(&r) && read_registers(&r) && read_tensors(&r, subgraph)) {
    find_layers(&r, subgraph);
    return &storage->dpu;
  }
  xcXModelDpuDestroy(&storage->dpu);
  return NULL;
}

void xcXModelDpuDestroy(const XcXModelDpu *dpu) {
  if (!dpu)
    return;
  dpu_storage *storage = (dpu_storage *)(uintptr_t)dpu;
  xc_arena_free(&storage->arena);
  free(storage);
}

const XcDpuTarget *xcXModelDpuCreateTarget(XcDiag *diag,
                                           const XcXModelDpu *dpu) {
  for (size_t i = 0; i < xcDpuTargetGetNumBuiltin(); ++i)
    if (!strcmp(xcDpuTargetGetBuiltinName(i), dpu->target))
      return xcDpuTargetCreate(diag, dpu->target);
  for (size_t i = 0; dpu->fingerprint && i < xcDpuTargetGetNumBuiltin(); ++i) {
    const XcDpuTarget *target =
        xcDpuTargetCreate(diag, xcDpuTargetGetBuiltinName(i));
    if (!target || xcDpuTargetHasFingerprint(target, dpu->fingerprint))
      return target;
    xcDpuTargetDestroy(target);
  }
  if (xcDpuTargetIsIsa0(dpu->target)) {
    xc_file_error(diag, NULL,
                  "DPU subgraph '%s' is for target '%s' with the instruction "
                  "set ISA0 of older DPUs, which xc does not know",
                  dpu->name, dpu->target);
    return NULL;
  }
  xc_file_error(diag, NULL,
                "DPU subgraph '%s' is for target '%s', which is not built in: "
                "name the target's file",
                dpu->name, dpu->target);
  return NULL;
}

const XcXModelRegister *xcXModelDpuGetRegister(const XcXModelDpu *dpu,
                                               uint32_t id) {
  for (size_t i = 0; i < dpu->numRegisters; ++i)
    if (dpu->registers[i].id == id)
      return &dpu->registers[i];
  return NULL;
}

uint64_t xcXModelDpuTensorGetSize(const XcXModelDpuTensor *tensor) {
  uint64_t size = 1;
  for (size_t i = 0; i < tensor->rank; ++i)
    size *= tensor->dims[i];
  return size;
}

// Offsets of the rows (runs along the last dimension), one after another.
typedef struct row_walk {
  const XcXModelDpuTensor *tensor;
  uint32_t position[XC_XMODEL_MAX_RANK];
  uint64_t offset;
} row_walk;

static bool next_row(row_walk *walk) {
  const XcXModelDpuTensor *tensor = walk->tensor;
  for (size_t i = tensor->rank ? tensor->rank - 1 : 0; i-- > 0;) {
    uint64_t stride = (uint64_t)tensor->strides[i];
    walk->offset += stride;
    if (++walk->position[i] < tensor->dims[i])
      return true;
    walk->offset -= stride * walk->position[i];
    walk->position[i] = 0;
  }
  return false;
}

static void copy(const XcXModelDpuTensor *tensor, unsigned char *dense,
                 unsigned char *memory, bool store) {
  row_walk walk = {.tensor = tensor, .offset = tensor->address};
  size_t last = tensor->rank ? tensor->rank - 1 : 0;
  uint32_t count = tensor->rank ? tensor->dims[last] : 1;
  uint64_t stride = tensor->rank ? (uint64_t)tensor->strides[last] : 1;
  do {
    for (uint32_t i = 0; i < count; ++i) {
      unsigned char *element = &memory[walk.offset + i * stride];
      if (store)
        *element = dense[i];
      else
        dense[i] = *element;
    }
    dense += count;
  } while (next_row(&walk));
}

void xcXModelDpuTensorStore(const XcXModelDpuTensor *tensor, const void *dense,
                            void *memory) {
  copy(tensor, (unsigned char *)(uintptr_t)dense, memory, true);
}

void xcXModelDpuTensorLoad(const XcXModelDpuTensor *tensor, void *dense,
                           const void *memory) {
  copy(tensor, dense, (unsigned char *)(uintptr_t)memory, false);
}
