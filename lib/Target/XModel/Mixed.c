//===- Mixed.c - reads xmodels with parts for CPU and DPU -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Mixed.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"

#include <stdlib.h>
#include <string.h>

typedef struct mixed {
  XcXModelMixed result; // first, so that it stands for the whole
  xc_arena arena;
} mixed;

typedef struct mixed_reader {
  XcDiag *diag;
  const XcXModel *model;
  xc_arena *arena;
  xc_pointer_map numbers; // of operators: the port's number + 1
  XcXModelPort *ports;
  size_t num_ports, port_capacity;
  XcXModelPart *parts;
  size_t num_parts, part_capacity;
  size_t num_inputs;
} mixed_reader;

/// The numbers of the ports of a part.
typedef struct number_list {
  size_t *items, count, capacity;
} number_list;

static void push(number_list *list, size_t number) {
  xc_grow((void **)&list->items, &list->capacity, list->count + 1,
          sizeof(*list->items));
  list->items[list->count++] = number;
}

static const size_t *keep(mixed_reader *r, number_list *list) {
  size_t *kept = xc_arena_alloc(r->arena, list->count + 1, sizeof(*kept));
  if (list->count)
    memcpy(kept, list->items, list->count * sizeof(*kept));
  free(list->items);
  return kept;
}

#define mixed_error(r, ...)                                                    \
  xc_file_error((r)->diag, (r)->model->file, __VA_ARGS__)

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

static const XcXModelOp *find_op(mixed_reader *r, const char *name) {
  const XcXModelOp *op = xcXModelFindOp(r->model, name);
  if (!op)
    mixed_error(r, "operator '%s' does not exist", name);
  return op;
}

// The port of an operator that was computed by now.
static bool use_port(mixed_reader *r, const char *name, number_list *list) {
  const XcXModelOp *op = find_op(r, name);
  size_t number =
      op ? (size_t)(uintptr_t)xc_pointer_map_get(&r->numbers, op) : 0;
  if (op && !number)
    mixed_error(r, "operator '%s' is used before any part computes it", name);
  if (!number)
    return false;
  push(list, number - 1);
  return true;
}

static bool add_port(mixed_reader *r, const XcXModelOp *op,
                     const XcXModelPort *port, number_list *list) {
  if (xc_pointer_map_has(&r->numbers, op))
    return mixed_error(r, "two parts compute operator '%s'", port->name);
  xc_grow((void **)&r->ports, &r->port_capacity, r->num_ports + 1,
          sizeof(*r->ports));
  r->ports[r->num_ports++] = *port;
  xc_pointer_map_set(&r->numbers, op, (void *)(uintptr_t)r->num_ports);
  if (list)
    push(list, r->num_ports - 1);
  return true;
}

static bool read_port(mixed_reader *r, const char *name, number_list *list) {
  const XcXModelOp *op = find_op(r, name);
  if (!op)
    return false;
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  if (!tensor)
    return mixed_error(r, "operator '%s' has no tensor", name);
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  int64_t batched = 0;
  xcXModelAttrsGetInt(attrs, XC_MIXED_BATCHED, &batched);
  size_t rank = xcXModelTensorGetRank(tensor), skipped = batched && rank > 0;
  XcXModelPort port = {.name = name, .rank = rank - skipped};
  port.element = xcXModelAttrsGetString(attrs, XC_MIXED_ELEMENT);
  if (!port.element)
    return mixed_error(r, "the tensor of operator '%s' has no '%s'", name,
                       XC_MIXED_ELEMENT);
  if (port.rank > XC_XMODEL_MAX_RANK)
    return mixed_error(r,
                       "operator '%s' has %zu dimensions, expected at most "
                       "%d",
                       name, port.rank, XC_XMODEL_MAX_RANK);
  if (port.rank)
    memcpy(port.dims, xcXModelTensorGetDims(tensor) + skipped,
           port.rank * sizeof(*port.dims));
  int64_t point;
  port.hasFixPoint = xcXModelAttrsGetInt(attrs, "fix_point", &point) &&
                     point >= INT32_MIN && point <= INT32_MAX;
  port.fixPoint = port.hasFixPoint ? (int32_t)point : 0;
  return add_port(r, op, &port, list);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static bool read_user(mixed_reader *r, const XcXModelSubgraph *subgraph) {
  if (r->num_parts)
    return mixed_error(r, "the inputs of the model come after its parts");
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i)
    if (!read_port(r, xcXModelSubgraphGetOp(subgraph, i), NULL))
      return false;
  r->num_inputs = r->num_ports;
  return true;
}

static bool is_string_list(XcXModelAttr attr) {
  return attr.value && xcXModelAttrGetKind(attr) == XcXModelKindStringVec;
}

static const char *string_at(XcXModelAttr attr, size_t i) {
  return xcXModelAttrGetValue(attr, i, 0).data;
}

// A part of operators of the board's runtime lists its inputs and outputs.
static bool read_standard(mixed_reader *r, XcXModelAttr from, XcXModelAttr to,
                          number_list *inputs, number_list *outputs) {
  for (size_t i = 0; i < xcXModelAttrGetNumRows(from); ++i)
    if (!use_port(r, string_at(from, i), inputs))
      return false;
  for (size_t i = 0; i < xcXModelAttrGetNumRows(to); ++i)
    if (!read_port(r, string_at(to, i), outputs))
      return false;
  return true;
}

// Operators of other parts have the same arguments; the first one's count.
static bool read_cpu(mixed_reader *r, const XcXModelSubgraph *subgraph,
                     number_list *inputs, number_list *outputs) {
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  XcXModelAttr from = xcXModelAttrsFind(attrs, XC_MIXED_PART_INPUTS),
               to = xcXModelAttrsFind(attrs, XC_MIXED_PART_OUTPUTS);
  if (is_string_list(from) && is_string_list(to))
    return read_standard(r, from, to, inputs, outputs);
  size_t count = xcXModelSubgraphGetNumOps(subgraph);
  const XcXModelOp *first =
      count ? find_op(r, xcXModelSubgraphGetOp(subgraph, 0)) : NULL;
  if (count && !first)
    return false;
  for (size_t a = 0; first && a < xcXModelOpGetNumArgs(first); ++a)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(first, a); ++i)
      if (!use_port(r, xcXModelOpGetArgOp(first, a, i), inputs))
        return false;
  for (size_t i = 0; i < count; ++i)
    if (!read_port(r, xcXModelSubgraphGetOp(subgraph, i), outputs))
      return false;
  return true;
}

// The operator that computes an output has its name; in files of xc 0.1.0 one
// stood for all, and the download had the name.
static XcXModelPort port_of(const XcXModel *model,
                            const XcXModelDpuTensor *tensor) {
  const XcXModelOp *op = xcXModelFindOp(model, tensor->name);
  bool is_old = strcmp(xcXModelOpGetType(op), XC_MIXED_OLD_KERNEL) == 0;
  XcXModelPort port = {.name = is_old ? tensor->otherName : tensor->name,
                       .element = tensor->isSigned ? "i8" : "ui8",
                       .rank = tensor->rank,
                       .hasFixPoint = true,
                       .fixPoint = tensor->fixPoint};
  memcpy(port.dims, tensor->dims, sizeof(port.dims));
  return port;
}

static uint64_t count_elements(const XcXModelPort *port) {
  uint64_t count = 1;
  for (size_t i = 0; i < port->rank; ++i)
    if (__builtin_mul_overflow(count, (uint64_t)port->dims[i], &count))
      return UINT64_MAX;
  return count;
}

static bool read_dpu_input(mixed_reader *r, const XcXModelDpuTensor *tensor,
                           number_list *inputs) {
  if (!use_port(r, tensor->otherName, inputs))
    return false;
  const XcXModelPort *port = &r->ports[inputs->items[inputs->count - 1]];
  if (strcmp(port->element, tensor->isSigned ? "i8" : "ui8") != 0 ||
      count_elements(port) != xcXModelDpuTensorGetSize(tensor))
    return mixed_error(r,
                       "operator '%s' is not a tensor of the size and type of "
                       "'%s'",
                       port->name, tensor->name);
  return true;
}

static bool read_dpu(mixed_reader *r, const XcXModelSubgraph *subgraph,
                     number_list *inputs, number_list *outputs) {
  const XcXModelDpu *dpu = xcXModelDpuCreate(r->diag, r->model, subgraph);
  bool ok = dpu;
  for (size_t i = 0; ok && i < dpu->numInputs; ++i)
    ok = read_dpu_input(r, &dpu->inputs[i], inputs);
  for (size_t i = 0; ok && i < dpu->numOutputs; ++i) {
    const XcXModelOp *op = find_op(r, dpu->outputs[i].otherName);
    XcXModelPort port = port_of(r->model, &dpu->outputs[i]);
    ok = op && add_port(r, op, &port, outputs);
  }
  xcXModelDpuDestroy(dpu);
  return ok;
}

static bool read_objects(mixed_reader *r, XcXModelPart *part) {
  size_t count = 0;
  while (xc_mixed_has_object(part->subgraph, count))
    ++count;
  XcXModelObject *objects =
      xc_arena_alloc(r->arena, count + 1, sizeof(*objects));
  part->objects = objects;
  part->numObjects = count;
  for (size_t i = 0; i < count; ++i)
    if (!xc_mixed_read_object(part->subgraph, i, &objects[i]))
      return mixed_error(r, "the machine code of part '%s' is not described",
                         part->name);
  return true;
}

static bool read_part(mixed_reader *r, const XcXModelSubgraph *subgraph,
                      bool is_dpu) {
  XcXModelPart part = {.name = xcXModelSubgraphGetName(subgraph),
                       .isDpu = is_dpu,
                       .subgraph = subgraph};
  part.portable = xcXModelAttrsGetBytes(xcXModelSubgraphGetAttrs(subgraph),
                                        XC_MIXED_PORTABLE, &part.portableSize);
  number_list inputs = {0}, outputs = {0};
  bool ok = (is_dpu ? read_dpu : read_cpu)(r, subgraph, &inputs, &outputs) &&
            (is_dpu || read_objects(r, &part));
  part.numInputs = inputs.count;
  part.numOutputs = outputs.count;
  part.inputs = keep(r, &inputs);
  part.outputs = keep(r, &outputs);
  xc_grow((void **)&r->parts, &r->part_capacity, r->num_parts + 1,
          sizeof(*r->parts));
  r->parts[r->num_parts++] = part;
  return ok;
}

static bool read_child(mixed_reader *r, const XcXModelSubgraph *subgraph) {
  const char *device =
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(subgraph), "device");
  if (device && strcmp(device, "USER") == 0)
    return read_user(r, subgraph);
  if (device && strcmp(device, "CPU") == 0)
    return read_part(r, subgraph, false);
  if (device && strcmp(device, "DPU") == 0)
    return read_part(r, subgraph, true);
  return mixed_error(r,
                     "the device of subgraph '%s' is none of USER, CPU and "
                     "DPU",
                     xcXModelSubgraphGetName(subgraph));
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static XcXModelAttr find_outputs(const XcXModel *model) {
  return xcXModelAttrsFind(xcXModelGetAttrs(model), XC_MIXED_OUTPUTS);
}

bool xcXModelIsMixed(const XcXModel *model) {
  return is_string_list(find_outputs(model));
}

static bool read_outputs(mixed_reader *r, XcXModelMixed *result) {
  XcXModelAttr ops = find_outputs(r->model);
  XcXModelAttr names =
      xcXModelAttrsFind(xcXModelGetAttrs(r->model), XC_MIXED_OUTPUT_NAMES);
  if (!is_string_list(ops) || !is_string_list(names) ||
      xcXModelAttrGetNumRows(ops) != xcXModelAttrGetNumRows(names))
    return mixed_error(r, "'%s' and '%s' are not lists of the same length",
                       XC_MIXED_OUTPUTS, XC_MIXED_OUTPUT_NAMES);
  size_t count = xcXModelAttrGetNumRows(ops);
  const char **texts = xc_arena_alloc(r->arena, count + 1, sizeof(*texts));
  number_list numbers = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i) {
    texts[i] = string_at(names, i);
    ok = use_port(r, string_at(ops, i), &numbers);
  }
  result->numOutputs = numbers.count;
  result->outputs = keep(r, &numbers);
  result->outputNames = texts;
  return ok;
}

static bool read_model(mixed_reader *r, XcXModelMixed *result) {
  const XcXModelSubgraph *root = xcXModelGetRoot(r->model);
  if (!root)
    return mixed_error(r, "the model has no subgraphs");
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(root); ++i)
    if (!read_child(r, xcXModelSubgraphGetChild(root, i)))
      return false;
  return read_outputs(r, result);
}

static void check_objects(const XcXModelMixed *mixed_model,
                          const XcXModelPart *part) {
  for (size_t i = 0; i < part->numObjects; ++i) {
    XcXModelObject *object = (XcXModelObject *)&part->objects[i];
    int64_t said;
    object->isIntact = xc_mixed_said_checksum(part->subgraph, i, &said) &&
                       said == xc_mixed_checksum(mixed_model, part, object);
  }
}

const XcXModelMixed *xcXModelMixedCreate(XcDiag *diag, const XcXModel *model) {
  mixed *m = xc_alloc(sizeof(*m));
  mixed_reader r = {.diag = diag, .model = model, .arena = &m->arena};
  bool ok = xcXModelVerify(diag, model) && read_model(&r, &m->result);
  m->result.ports = r.ports;
  m->result.numPorts = r.num_ports;
  m->result.numInputs = r.num_inputs;
  m->result.parts = r.parts;
  m->result.numParts = r.num_parts;
  xc_pointer_map_free(&r.numbers);
  for (size_t i = 0; ok && i < r.num_parts; ++i)
    check_objects(&m->result, &r.parts[i]);
  if (ok)
    return &m->result;
  xcXModelMixedDestroy(&m->result);
  return NULL;
}

void xcXModelMixedDestroy(const XcXModelMixed *mixed_model) {
  if (!mixed_model)
    return;
  mixed *m = (mixed *)mixed_model;
  free((void *)m->result.ports);
  free((void *)m->result.parts);
  xc_arena_free(&m->arena);
  free(m);
}
