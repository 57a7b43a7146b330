//===- MixedWrite.c - writes xmodels with parts for CPU and DPU -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mixed.h"
#include "Model.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

// "ui8": the letters say what the digits count. Other tools look at this type;
// xc_element says it exactly.
static XcXModelDataType data_type(const char *element, int32_t *width) {
  *width = atoi(element + strcspn(element, "0123456789"));
  if (*width < 8)
    *width = 8; // as they lie in memory
  // Only such bytes can go to a DPU on a board.
  bool is_byte = *width == 8;
  if (element[0] == 'u')
    return is_byte ? XcXModelDataTypeXuint : XcXModelDataTypeUint;
  if (element[0] == 'i')
    return is_byte ? XcXModelDataTypeXint : XcXModelDataTypeInt;
  return XcXModelDataTypeFloat;
}

// The board's runtime takes the first dimension for the batch, which is 1.
static size_t shape_for_board(const XcXModelPort *port, uint32_t *dims) {
  size_t skipped = 0;
  if (port->rank == 0 || port->dims[0] != 1) {
    dims[0] = 1;
    skipped = 1;
  }
  for (size_t i = 0; i < port->rank; ++i)
    dims[i + skipped] = port->dims[i];
  return port->rank + skipped;
}

void xcXModelOpSetPort(XcXModelOp *op, const XcXModelPort *port) {
  int32_t width;
  XcXModelDataType kind = data_type(port->element, &width);
  uint32_t dims[XC_XMODEL_MAX_RANK + 1];
  size_t rank = shape_for_board(port, dims);
  XcXModelTensor *tensor =
      xcXModelOpSetTensor(op, port->name, kind, width, dims, rank);
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  xcXModelAttrsSetString(attrs, XC_MIXED_ELEMENT, port->element);
  if (rank != port->rank)
    xcXModelAttrsSetBool(attrs, XC_MIXED_BATCHED, true);
  if (port->hasFixPoint)
    xcXModelTensorSetFixPoint(tensor, port->fixPoint,
                              kind != XcXModelDataTypeXuint);
  xcXModelOpSetShape(op);
}

static XcXModelOp *add_port(XcXModel *model, XcXModelSubgraph *subgraph,
                            const char *type, const char *const *inputs,
                            size_t num_inputs, const XcXModelPort *port) {
  XcXModelOp *op = xcXModelAddOp(model, port->name, type);
  if (num_inputs)
    xcXModelOpAddArg(op, "input", inputs, num_inputs);
  xcXModelOpSetPort(op, port);
  xcXModelAttrsSetString(
      xcXModelOpGetAttrs(op), "device",
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(subgraph), "device"));
  xcXModelSubgraphAddOp(subgraph, port->name);
  return op;
}

// Which result of the part's code an operator stands for, and its bytes.
static void set_result(XcXModelOp *op, size_t index,
                       const XcXModelPort *output) {
  int32_t width;
  data_type(output->element, &width);
  uint64_t bytes = (uint64_t)width / 8;
  for (size_t i = 0; i < output->rank; ++i)
    bytes *= output->dims[i];
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  xcXModelAttrsSetInt32(attrs, XC_MIXED_RESULT, (int32_t)index);
  xcXModelAttrsSetUint64(attrs, XC_MIXED_BYTES, bytes);
}

static XcXModelSubgraph *add_child(XcXModel *model, const char *name,
                                   const char *device) {
  XcXModelSubgraph *root = xcXModelGetRoot(model);
  if (!root)
    root = xcXModelAddRoot(model, "root");
  XcXModelSubgraph *subgraph = xcXModelSubgraphAddChild(root, name);
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(subgraph), "device", device);
  if (strcmp(device, "CPU") == 0)
    xc_xmodel_set_runner(subgraph, device);
  return subgraph;
}

void xcXModelAddInputs(XcXModel *model, const char *name,
                       const XcXModelPort *ports, size_t count) {
  XcXModelSubgraph *subgraph = add_child(model, name, "USER");
  for (size_t i = 0; i < count; ++i)
    add_port(model, subgraph, "data", NULL, 0, &ports[i]);
}

// The caller frees the list.
static const char **find_outside(const XcXModel *model,
                                 const char *const *names, size_t count) {
  const char **found = xc_alloc_array(count, sizeof(*found));
  for (size_t i = 0; i < count; ++i)
    found[i] = xcXModelGetOutside(model, names[i]);
  return found;
}

XcXModelSubgraph *xcXModelAddCpu(XcXModel *model, const char *name,
                                 const char *const *inputs, size_t num_inputs,
                                 const XcXModelPort *outputs,
                                 size_t num_outputs) {
  XcXModelSubgraph *subgraph = add_child(model, name, "CPU");
  const char **sources = find_outside(model, inputs, num_inputs);
  for (size_t i = 0; i < num_outputs; ++i)
    set_result(add_port(model, subgraph, XC_MIXED_CPU_TYPE, sources, num_inputs,
                        &outputs[i]),
               i, &outputs[i]);
  free(sources);
  return subgraph;
}

XcXModelSubgraph *xcXModelAddStandardCpu(XcXModel *model, const char *name,
                                         const char *const *inputs,
                                         size_t num_inputs,
                                         const XcXModelPort *outputs,
                                         size_t num_outputs) {
  XcXModelSubgraph *subgraph = add_child(model, name, "CPU");
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  const char **names = xc_alloc_array(num_outputs, sizeof(*names));
  for (size_t i = 0; i < num_outputs; ++i)
    names[i] = outputs[i].name;
  xcXModelAttrsSetStringVec(attrs, XC_MIXED_PART_INPUTS, inputs, num_inputs);
  xcXModelAttrsSetStringVec(attrs, XC_MIXED_PART_OUTPUTS, names, num_outputs);
  free(names);
  return subgraph;
}

void xcXModelSubgraphSetPortable(XcXModelSubgraph *subgraph, const void *data,
                                 size_t size) {
  xcXModelAttrsSetBytes(xcXModelSubgraphGetAttrs(subgraph), XC_MIXED_PORTABLE,
                        data, size);
}

void xcXModelSetOutputs(XcXModel *model, const char *const *ops,
                        const char *const *names, size_t count) {
  XcXModelAttrs attrs = xcXModelGetAttrs(model);
  const char **outside = find_outside(model, ops, count);
  xcXModelAttrsSetStringVec(attrs, XC_MIXED_OUTPUTS, outside, count);
  xcXModelAttrsSetStringVec(attrs, XC_MIXED_OUTPUT_NAMES, names, count);
  xcXModelAttrsSetStringVec(attrs, "return_ops", outside, count);
  free(outside);
}
