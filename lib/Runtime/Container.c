//===- Container.c - subgraphs of an xmodel as parts of a model -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Support/Diag.h"
#include "Support/Limits.h"
#include "Support/Text.h"
#include "xc-c/XModelMixed.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

bool xc_rt_is_compiled(const XcXModel *container, const char *subgraph) {
  return subgraph || xcXModelIsMixed(container) ||
         xcXModelGetNumDpuSubgraphs(container) > 0;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static const XcTensorInfo no_tensor = {
    .name = "", .opType = "", .opName = "", .location = ""};

static bool add_size(uint64_t factor, uint64_t *size) {
  return !__builtin_mul_overflow(*size, factor, size) && xc_fits_memory(*size);
}

// Fills shape and size; false when they are no ones.
static bool set_shape(XcTensorInfo *info, const char *element,
                      const uint32_t *dims, size_t rank) {
  xc_element found = xc_element_find(element, strlen(element));
  if (found == XC_ELEMENT_NONE || rank > XC_TENSOR_MAX_RANK)
    return false;
  info->element = (XcElementType)found;
  info->rank = rank;
  uint64_t size = xc_element_size(found);
  for (size_t i = 0; i < rank; ++i) {
    info->dims[i] = dims[i];
    if (!add_size(dims[i], &size))
      return false;
  }
  info->size = (size_t)size;
  return true;
}

static bool add_port(XcDiag *diag, XcModel *model, const XcXModelPort *port) {
  XcTensorInfo info = no_tensor;
  info.name = port->name;
  if (!set_shape(&info, port->element, port->dims, port->rank))
    return xc_file_error(diag, model->name,
                         "operator '%s' has no tensor that can be: elements "
                         "'%s', %zu dimensions",
                         port->name, port->element, port->rank);
  // Whatever the source was, an xmodel holds it.
  info.layout = xc_rt_layout_of(XC_MODEL_LAYOUT_OPEN, &info);
  info.hasFixPoint = port->hasFixPoint;
  info.fixPoint = port->fixPoint;
  xc_rt_add_value(model, &info);
  return true;
}

//===----------------------------------------------------------------------===//
// Portable forms
//===----------------------------------------------------------------------===//

static bool check_signature(XcDiag *diag, const XcModel *model,
                            const xc_rt_part *part) {
  xc_rt_signature signature = xc_rt_signature_of(part->function);
  bool fits = signature.num_inputs == part->num_inputs &&
              signature.num_outputs == part->num_outputs;
  for (size_t i = 0; fits && i < part->num_inputs + part->num_outputs; ++i) {
    const XcTensorInfo *value =
        &model->values[i < part->num_inputs
                           ? part->inputs[i]
                           : part->outputs[i - part->num_inputs]];
    XcTensorInfo type = xc_rt_tensor_info(signature.types[i]);
    fits = type.element == value->element && type.size == value->size;
  }
  free(signature.types);
  return fits || xc_file_error(diag, model->name,
                               "the portable form of part '%s' does not have "
                               "the inputs and outputs of the part",
                               part->name);
}

static bool read_portable(XcDiag *diag, XcModel *model, xc_rt_part *part,
                          const XcXModelPart *from) {
  if (!from->portable)
    return xc_file_error(diag, model->name, "part '%s' has no portable form",
                         part->name);
  xc_text name = {0};
  xc_text_printf(&name, "%s, part '%s'", model->name, part->name);
  xc_source input = {xc_text_str(&name), from->portable, from->portableSize, 1};
  xc_read_options options = {.only_models = true};
  MlirOperation operation = xc_read_ir(model->context, diag, &input, &options);
  xc_text_free(&name);
  if (mlirOperationIsNull(operation))
    return false;
  part->module = mlirModuleFromOperation(operation);
  if (part->is_dpu &&
      !xc_rt_fill_constants(diag, model, operation, part->subgraph))
    return false;
  part->function = xc_rt_find_function(diag, model->name, part->module, NULL);
  return !mlirOperationIsNull(part->function) &&
         check_signature(diag, model, part);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static const size_t *copy_numbers(XcModel *model, const size_t *numbers,
                                  size_t count) {
  size_t *copy = xc_arena_alloc(&model->arena, count + 1, sizeof(*copy));
  memcpy(copy, numbers, count * sizeof(*copy));
  return copy;
}

// Machine code computes no more than the outputs, by one thread, for the
// processors that its maker chose. Null: none runs here.
static const XcXModelObject *find_object(const XcModel *model,
                                         const XcXModelPart *from) {
  const XcModelOptions *options = &model->options;
  if (options->backend == XcBackendReference || options->portable ||
      options->kernelLibrary || xc_rt_exposes(model) || options->cpu ||
      options->threads != 1)
    return NULL;
  for (size_t i = 0; i < from->numObjects; ++i)
    if (xc_rt_runs_here(&from->objects[i]))
      return &from->objects[i];
  return NULL;
}

static bool add_part(XcDiag *diag, XcModel *model, const XcXModelPart *from) {
  xc_rt_part *part = xc_rt_add_part(model);
  part->name = from->name;
  part->is_dpu = from->isDpu;
  part->subgraph = from->subgraph;
  part->inputs = (size_t *)copy_numbers(model, from->inputs, from->numInputs);
  part->num_inputs = from->numInputs;
  part->outputs =
      (size_t *)copy_numbers(model, from->outputs, from->numOutputs);
  part->num_outputs = from->numOutputs;
  for (size_t i = 0; i < part->num_outputs; ++i)
    model->values[part->outputs[i]].part = model->num_parts - 1;
  const XcXModelObject *object = find_object(model, from);
  if (object) {
    part->object = *object;
    return object->isIntact ||
           xc_file_error(diag, model->name,
                         "the machine code of part '%s' is damaged: it does "
                         "not have the checksum that the file says",
                         from->name);
  }
  bool simulated = part->is_dpu && model->options.backend == XcBackendSim;
  if (simulated && (!xc_rt_exposes(model) || !from->portable))
    return true;
  if (!read_portable(diag, model, part, from))
    return false;
  // The simulator computes no more than the outputs of the part.
  size_t *outputs = part->outputs, num_outputs = part->num_outputs;
  if (xc_rt_exposes(model))
    xc_rt_expose(model, part);
  if (simulated) {
    part->outputs = outputs;
    part->num_outputs = num_outputs;
  }
  return true;
}

static void name_outputs(XcModel *model, const XcXModelMixed *mixed) {
  model->output_infos = xc_arena_alloc(&model->arena, mixed->numOutputs + 1,
                                       sizeof(*model->output_infos));
  for (size_t i = 0; i < mixed->numOutputs; ++i) {
    xc_rt_add_output(model, mixed->outputs[i]);
    model->output_infos[i].name = xc_arena_string(
        &model->arena, mixed->outputNames[i], strlen(mixed->outputNames[i]));
  }
}

static bool load_mixed(XcDiag *diag, XcModel *model) {
  const XcXModelMixed *mixed = xcXModelMixedCreate(diag, model->container);
  bool ok = mixed;
  for (size_t i = 0; ok && i < mixed->numPorts; ++i)
    ok = add_port(diag, model, &mixed->ports[i]);
  for (size_t i = 0; ok && i < mixed->numInputs; ++i)
    xc_rt_add_input(model, i);
  for (size_t i = 0; ok && i < mixed->numParts; ++i)
    ok = add_part(diag, model, &mixed->parts[i]);
  if (ok)
    name_outputs(model, mixed);
  xcXModelMixedDestroy(mixed);
  return ok;
}

//===----------------------------------------------------------------------===//
// One DPU subgraph
//===----------------------------------------------------------------------===//

static bool add_tensor(XcDiag *diag, XcModel *model, const char *name,
                       const XcXModelDpuTensor *tensor) {
  XcXModelPort port = {.name =
                           xc_arena_string(&model->arena, name, strlen(name)),
                       .element = tensor->isSigned ? "i8" : "ui8",
                       .rank = tensor->rank,
                       .hasFixPoint = true,
                       .fixPoint = tensor->fixPoint};
  memcpy(port.dims, tensor->dims, sizeof(port.dims));
  return add_port(diag, model, &port);
}

static bool add_dpu(XcDiag *diag, XcModel *model,
                    const XcXModelSubgraph *subgraph, const XcXModelDpu *dpu) {
  xc_rt_part *part = xc_rt_add_part(model);
  part->name = xcXModelSubgraphGetName(subgraph);
  part->is_dpu = true;
  part->subgraph = subgraph;
  part->num_inputs = dpu->numInputs;
  part->num_outputs = dpu->numOutputs;
  part->inputs =
      xc_arena_alloc(&model->arena, dpu->numInputs + 1, sizeof(*part->inputs));
  part->outputs = xc_arena_alloc(&model->arena, dpu->numOutputs + 1,
                                 sizeof(*part->outputs));
  for (size_t i = 0; i < dpu->numInputs; ++i) {
    if (!add_tensor(diag, model, dpu->inputs[i].name, &dpu->inputs[i]))
      return false;
    part->inputs[i] = model->num_values - 1;
    xc_rt_add_input(model, model->num_values - 1);
  }
  for (size_t i = 0; i < dpu->numOutputs; ++i) {
    if (!add_tensor(diag, model, dpu->outputs[i].name, &dpu->outputs[i]))
      return false;
    part->outputs[i] = model->num_values - 1;
    xc_rt_add_output(model, model->num_values - 1);
  }
  return true;
}

static bool load_subgraph(XcDiag *diag, XcModel *model, const char *name) {
  if (model->options.backend != XcBackendSim)
    return xc_file_error(diag, model->name,
                         "a DPU subgraph runs on the backend 'sim' only");
  const XcXModelSubgraph *subgraph =
      xcXModelSelectDpuSubgraph(diag, model->container, name);
  const XcXModelDpu *dpu =
      subgraph ? xcXModelDpuCreate(diag, model->container, subgraph) : NULL;
  bool ok = dpu && add_dpu(diag, model, subgraph, dpu);
  xcXModelDpuDestroy(dpu);
  return ok;
}

bool xc_rt_load_container(XcDiag *diag, XcModel *model, const char *subgraph) {
  if (subgraph || !xcXModelIsMixed(model->container))
    return load_subgraph(diag, model, subgraph);
  return load_mixed(diag, model);
}
