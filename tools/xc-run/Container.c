//===- Container.c - container mode: runs a DPU subgraph of an xmodel -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Npy.h"
#include "Support/Text.h"
#include "xc-c/FixedPoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct container_run {
  XcDiag diag;
  XcXModel *model;
  xc_dpu_kernel kernel;
  xc_dpu_memory memory;
} container_run;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool has_name(const XcXModelDpuTensor *tensor, const char *name,
                     size_t length) {
  return (strlen(tensor->name) == length &&
          memcmp(tensor->name, name, length) == 0) ||
         (strlen(tensor->otherName) == length &&
          memcmp(tensor->otherName, name, length) == 0);
}

// Splits "NAME=FILE" at the first '=' in front of which stands the name of a
// tensor: names may contain '=' themselves. "FILE" alone means the only tensor.
static const XcXModelDpuTensor *find_tensor(const char *option,
                                            const char *text,
                                            const XcXModelDpuTensor *tensors,
                                            size_t count, const char **path) {
  for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '='))
    for (size_t i = 0; i < count; ++i)
      if (has_name(&tensors[i], text, (size_t)(at - text))) {
        *path = at + 1;
        return &tensors[i];
      }
  *path = text;
  if (count == 1 && !strchr(text, '='))
    return tensors;
  xc_text names = {0};
  for (size_t i = 0; i < count; ++i)
    xc_text_printf(&names, "%s'%s'", i ? ", " : "", tensors[i].name);
  xc_tool_error("xc-run", "--%s=%s: expected NAME=FILE with NAME one of %s",
                option, text, xc_text_str(&names));
  xc_text_free(&names);
  return NULL;
}

static bool is_npy(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static void *memory_of(container_run *run, const XcXModelDpuTensor *tensor) {
  return run->memory.registers[tensor->registerId].data;
}

static void quantise(const XcXModelDpuTensor *tensor, const xc_npy *npy,
                     unsigned char *dense) {
  XcFixType type = {8, tensor->isSigned};
  for (uint64_t i = 0; i < npy->count; ++i) {
    float value;
    memcpy(&value, npy->data + i * sizeof(value), sizeof(value));
    dense[i] = (unsigned char)xcFloatToFix((double)value, tensor->fixPoint,
                                           type, XcRoundModeDpu);
  }
}

static bool store_npy(container_run *run, const XcXModelDpuTensor *tensor,
                      const char *path, const xc_buffer *file) {
  xc_npy npy;
  if (!xc_npy_parse(&run->diag, path, file->data, file->size, &npy))
    return false;
  uint64_t size = xcXModelDpuTensorGetSize(tensor);
  if (npy.count != size)
    return xc_file_error(&run->diag, path,
                         "the array has %" PRIu64 " elements, but '%s' has "
                         "%" PRIu64,
                         npy.count, tensor->name, size);
  bool is_float = npy.type.kind == 'f' && npy.type.size == sizeof(float);
  char kind = tensor->isSigned ? 'i' : 'u';
  if (!is_float && (npy.type.kind != kind || npy.type.size != 1))
    return xc_file_error(&run->diag, path,
                         "the elements are '%c%u', expected '%c1' or 'f4' for "
                         "'%s'",
                         npy.type.kind, npy.type.size, kind, tensor->name);
  if (!is_float) {
    xcXModelDpuTensorStore(tensor, npy.data, memory_of(run, tensor));
    return true;
  }
  unsigned char *dense = xc_alloc(size);
  quantise(tensor, &npy, dense);
  xcXModelDpuTensorStore(tensor, dense, memory_of(run, tensor));
  free(dense);
  return true;
}

static bool store_bytes(container_run *run, const XcXModelDpuTensor *tensor,
                        const char *path, const xc_buffer *file) {
  uint64_t size = xcXModelDpuTensorGetSize(tensor);
  if (file->size != size)
    return xc_file_error(&run->diag, path,
                         "the file has %zu bytes, but '%s' has %" PRIu64,
                         file->size, tensor->name, size);
  xcXModelDpuTensorStore(tensor, file->data, memory_of(run, tensor));
  return true;
}

static bool read_input(container_run *run, const XcXModelDpuTensor *tensor,
                       const char *path) {
  xc_buffer file;
  if (!xc_read_file(&run->diag, path, &file))
    return false;
  bool ok = is_npy(path) ? store_npy(run, tensor, path, &file)
                         : store_bytes(run, tensor, path, &file);
  xc_buffer_free(&file);
  return ok;
}

static bool read_inputs(container_run *run,
                        const run_container_options *options) {
  const XcXModelDpu *dpu = run->kernel.dpu;
  bool *given = xc_alloc_array(dpu->numInputs, sizeof(*given));
  bool ok = true;
  for (size_t i = 0; ok && i < options->inputs.count; ++i) {
    const char *path;
    const XcXModelDpuTensor *tensor = find_tensor(
        "input", options->inputs.items[i], dpu->inputs, dpu->numInputs, &path);
    ok = tensor && read_input(run, tensor, path);
    if (ok)
      given[tensor - dpu->inputs] = true;
  }
  for (size_t i = 0; ok && i < dpu->numInputs; ++i)
    if (!given[i])
      ok = xc_tool_error("xc-run", "input '%s' is not given (--input)",
                         dpu->inputs[i].name);
  free(given);
  return ok;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static bool write_output(container_run *run, const XcXModelDpuTensor *tensor,
                         const char *path) {
  uint64_t size = xcXModelDpuTensorGetSize(tensor);
  unsigned char *dense = xc_alloc(size);
  xcXModelDpuTensorLoad(tensor, dense, memory_of(run, tensor));
  xc_npy npy = {.type = {tensor->isSigned ? 'i' : 'u', 1},
                .rank = tensor->rank,
                .count = size,
                .data = dense};
  for (size_t i = 0; i < tensor->rank; ++i)
    npy.shape[i] = tensor->dims[i];
  bool ok = is_npy(path) ? xc_npy_write(&run->diag, path, &npy)
                         : xc_write_file(&run->diag, path, dense, size);
  free(dense);
  return ok;
}

static bool write_outputs(container_run *run,
                          const run_container_options *options) {
  for (size_t i = 0; i < options->outputs.count; ++i) {
    const char *path;
    const XcXModelDpuTensor *tensor = find_tensor(
        "output", options->outputs.items[i], run->kernel.dpu->outputs,
        run->kernel.dpu->numOutputs, &path);
    if (!tensor || !write_output(run, tensor, path))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

static bool load(container_run *run, const char *input,
                 const run_container_options *options, const char *target) {
  run->model = xcXModelRead(&run->diag, input);
  const XcXModelSubgraph *subgraph =
      run->model
          ? xcXModelSelectDpuSubgraph(&run->diag, run->model, options->subgraph)
          : NULL;
  if (!subgraph || !xc_dpu_kernel_load(&run->diag, run->model, subgraph, target,
                                       &run->kernel))
    return false;
  xc_dpu_memory_create(&run->kernel, &run->memory);
  return true;
}

bool run_container(const char *input, const run_container_options *options,
                   const run_code_options *code) {
  container_run run = {0};
  if (code->registers.count || code->register_sizes.count)
    return xc_tool_error("xc-run", "--reg and --reg-size are for machine code; "
                                   "an xmodel has --input");
  bool ok = load(&run, input, options, code->target) &&
            (code->no_run || read_inputs(&run, options)) &&
            run_kernel(&run.kernel, &run.memory, code) &&
            (code->no_run || write_outputs(&run, options));
  xc_dpu_memory_free(&run.memory);
  xc_dpu_kernel_free(&run.kernel);
  xcXModelDestroy(run.model);
  return ok;
}
