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
#include "Support/Names.h"
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
  size_t images; // 0: not known yet
  /// By number, without gaps, one image after the other; null: not there.
  unsigned char **inputs, **outputs;
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
    double value = xc_npy_real(npy->type, npy->data + i * npy->type.size);
    dense[i] = (unsigned char)xcFloatToFix(value, tensor->fixPoint, type,
                                           XcRoundModeDpu);
  }
}

/// Every input holds as many images, at least one.
static bool count_images(container_run *run, const XcXModelDpuTensor *tensor,
                         const char *path, const char *what, uint64_t count) {
  uint64_t size = xcXModelDpuTensorGetSize(tensor);
  if (count == 0 || count % size != 0)
    return xc_file_error(&run->diag, path,
                         "%s %" PRIu64 " elements, but '%s' has %" PRIu64
                         " for each image",
                         what, count, tensor->name, size);
  if (run->images && count / size != run->images)
    return xc_file_error(&run->diag, path,
                         "%s %" PRIu64
                         " images of '%s', the inputs before it have %zu",
                         what, count / size, tensor->name, run->images);
  run->images = (size_t)(count / size);
  return true;
}

static bool check_shape(container_run *run, const XcXModelDpuTensor *tensor,
                        const char *path, const xc_npy *npy) {
  uint64_t dims[XC_XMODEL_MAX_RANK];
  for (size_t i = 0; i < tensor->rank; ++i)
    dims[i] = tensor->dims[i];
  if (xc_npy_holds(npy, dims, tensor->rank))
    return true;
  xc_text found = {0}, expected = {0};
  for (size_t i = 0; i < npy->rank; ++i)
    xc_text_printf(&found, "%s%" PRIu64, i ? "x" : "", npy->shape[i]);
  for (size_t i = 0; i < tensor->rank; ++i)
    xc_text_printf(&expected, "%s%" PRIu64, i ? "x" : "", dims[i]);
  xc_file_error(&run->diag, path,
                "the array is %s, expected %s for '%s', or several of these "
                "along the first dimension",
                xc_text_str(&found), xc_text_str(&expected), tensor->name);
  xc_text_free(&found);
  xc_text_free(&expected);
  return false;
}

static bool take_npy(container_run *run, const XcXModelDpuTensor *tensor,
                     const char *path, xc_buffer *file, unsigned char **dense) {
  xc_npy npy;
  if (!xc_npy_parse_buffer(&run->diag, path, file, &npy) ||
      !count_images(run, tensor, path, "the array has", npy.count) ||
      !check_shape(run, tensor, path, &npy))
    return false;
  bool is_float = npy.type.kind == 'f';
  char kind = tensor->isSigned ? 'i' : 'u';
  if (!is_float && (npy.type.kind != kind || npy.type.size != 1))
    return xc_file_error(&run->diag, path,
                         "the elements are '%c%u', expected '%c1' or floating "
                         "point for '%s'",
                         npy.type.kind, npy.type.size, kind, tensor->name);
  *dense = xc_alloc(npy.count);
  if (is_float)
    quantise(tensor, &npy, *dense);
  else
    memcpy(*dense, npy.data, npy.count);
  return true;
}

static bool take_bytes(container_run *run, const XcXModelDpuTensor *tensor,
                       const char *path, const xc_buffer *file,
                       unsigned char **dense) {
  if (!count_images(run, tensor, path, "the file has", file->size))
    return false;
  *dense = xc_alloc(file->size);
  memcpy(*dense, file->data, file->size);
  return true;
}

static bool read_input(container_run *run, const XcXModelDpuTensor *tensor,
                       const char *path) {
  unsigned char **dense = &run->inputs[tensor - run->kernel.dpu->inputs];
  xc_buffer file;
  if (!xc_read_file(&run->diag, path, &file))
    return false;
  free(*dense);
  *dense = NULL;
  bool ok = is_npy(path) ? take_npy(run, tensor, path, &file, dense)
                         : take_bytes(run, tensor, path, &file, dense);
  xc_buffer_free(&file);
  return ok;
}

static bool read_inputs(container_run *run,
                        const run_container_options *options) {
  const XcXModelDpu *dpu = run->kernel.dpu;
  for (size_t i = 0; i < options->inputs.count; ++i) {
    const char *path;
    const XcXModelDpuTensor *tensor = find_tensor(
        "input", options->inputs.items[i], dpu->inputs, dpu->numInputs, &path);
    if (!tensor || !read_input(run, tensor, path))
      return false;
  }
  for (size_t i = 0; i < dpu->numInputs; ++i)
    if (!run->inputs[i])
      return xc_tool_error("xc-run", "input '%s' is not given (--input)",
                           dpu->inputs[i].name);
  return true;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// Each image has memory of its own but for the parameters; what was there
/// before is gone.
static void begin_image(void *context, size_t image) {
  container_run *run = context;
  const XcXModelDpu *dpu = run->kernel.dpu;
  xc_dpu_memory_reset(&run->kernel, &run->memory);
  for (size_t i = 0; i < dpu->numInputs; ++i) {
    const XcXModelDpuTensor *tensor = &dpu->inputs[i];
    xcXModelDpuTensorStore(
        tensor, run->inputs[i] + image * xcXModelDpuTensorGetSize(tensor),
        memory_of(run, tensor));
  }
}

static void end_image(void *context, size_t image) {
  container_run *run = context;
  const XcXModelDpu *dpu = run->kernel.dpu;
  for (size_t i = 0; i < dpu->numOutputs; ++i) {
    const XcXModelDpuTensor *tensor = &dpu->outputs[i];
    uint64_t size = xcXModelDpuTensorGetSize(tensor);
    if (!run->outputs[i])
      run->outputs[i] = xc_alloc_array(run->images, size);
    xcXModelDpuTensorLoad(tensor, run->outputs[i] + image * size,
                          memory_of(run, tensor));
  }
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static bool write_output(container_run *run, const XcXModelDpuTensor *tensor,
                         const char *path) {
  unsigned char *dense = run->outputs[tensor - run->kernel.dpu->outputs];
  uint64_t size = run->images * xcXModelDpuTensorGetSize(tensor);
  if (!is_npy(path))
    return xc_write_file(&run->diag, path, dense, size);
  xc_npy npy = {.type = {tensor->isSigned ? 'i' : 'u', 1},
                .rank = tensor->rank,
                .count = size,
                .data = dense};
  for (size_t i = 0; i < tensor->rank; ++i)
    npy.shape[i] = tensor->dims[i] * (i ? 1 : run->images);
  return xc_npy_write(&run->diag, path, &npy);
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
  const XcXModelDpu *dpu = run->kernel.dpu;
  run->inputs = xc_alloc_array(dpu->numInputs, sizeof(*run->inputs));
  run->outputs = xc_alloc_array(dpu->numOutputs, sizeof(*run->outputs));
  // Without inputs, there is one image.
  run->images = dpu->numInputs == 0;
  return true;
}

static void free_tensors(container_run *run) {
  const XcXModelDpu *dpu = run->kernel.dpu;
  for (size_t i = 0; run->inputs && i < dpu->numInputs; ++i)
    free(run->inputs[i]);
  for (size_t i = 0; run->outputs && i < dpu->numOutputs; ++i)
    free(run->outputs[i]);
  free(run->inputs);
  free(run->outputs);
}

//===----------------------------------------------------------------------===//
// A list
//===----------------------------------------------------------------------===//

static void list_dpu_tensors(const char *title,
                             const XcXModelDpuTensor *tensors, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const XcXModelDpuTensor *t = &tensors[i];
    xc_text type = {0};
    for (size_t d = 0; d < t->rank; ++d)
      xc_text_printf(&type, "%" PRIu32 "x", t->dims[d]);
    xc_print(stdout,
             "  %-6s  %s  %s%s, fix point %" PRId32 ", register %" PRIu32
             " + %" PRIu64 "\n",
             title, t->name, xc_text_str(&type), t->isSigned ? "i8" : "ui8",
             t->fixPoint, t->registerId, t->address);
    xc_text_free(&type);
  }
}

static bool list_part(XcDiag *diag, const XcXModel *model,
                      const XcXModelSubgraph *part, size_t number) {
  const char *device =
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(part), "device");
  xc_print(stdout, "%6zu  %-6s  %s\n", number, device ? device : "",
           xcXModelSubgraphGetName(part));
  if (!device || strcmp(device, "DPU") != 0)
    return true;
  const XcXModelDpu *dpu = xcXModelDpuCreate(diag, model, part);
  if (!dpu)
    return false;
  list_dpu_tensors("input", dpu->inputs, dpu->numInputs);
  list_dpu_tensors("output", dpu->outputs, dpu->numOutputs);
  xcXModelDpuDestroy(dpu);
  return true;
}

bool list_container(const char *input) {
  XcDiag diag = {0};
  XcXModel *model = xcXModelRead(&diag, input);
  const XcXModelSubgraph *root = model ? xcXModelGetRoot(model) : NULL;
  bool ok = root;
  if (ok)
    printf("%6s  %-6s  %s\n", "part", "device", "name");
  for (size_t i = 0; ok && i < xcXModelSubgraphGetNumChildren(root); ++i)
    ok = list_part(&diag, model, xcXModelSubgraphGetChild(root, i), i);
  xcXModelDestroy(model);
  return ok;
}

bool run_container(const char *input, const run_container_options *options,
                   const run_code_options *code) {
  container_run run = {0};
  if (code->registers.count || code->register_sizes.count)
    return xc_tool_error("xc-run", "--reg and --reg-size are for machine code; "
                                   "an xmodel has --input");
  bool ok = load(&run, input, options, code->target) &&
            (code->no_run || read_inputs(&run, options));
  const run_images images = {run.images, begin_image, end_image, &run};
  ok = ok && run_kernel(&run.kernel, &run.memory, &images, code) &&
       (code->no_run || write_outputs(&run, options));
  free_tensors(&run);
  xc_dpu_memory_free(&run.memory);
  xc_dpu_kernel_free(&run.kernel);
  xcXModelDestroy(run.model);
  return ok;
}
