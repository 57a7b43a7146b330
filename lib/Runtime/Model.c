//===- Model.c - loads models ---------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Limits.h"
#include "Support/Preprocess.h"
#include "Target/CPU/CPU.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// The runtime's element types are those of the dialects, in their order.
#define SAME(name)                                                             \
  _Static_assert((int)XcElementType##name == (int)XC_ELEMENT_##name, #name)
SAME(F16);
SAME(BF16);
SAME(F32);
SAME(F64);
SAME(I1);
SAME(I8);
SAME(I16);
SAME(I32);
SAME(I64);
SAME(UI8);
SAME(UI16);
SAME(UI32);
SAME(UI64);
#undef SAME
_Static_assert((int)XcElementTypeUI64 + 1 == (int)XC_ELEMENT_NONE, "all");

const char *xcElementTypeGetName(XcElementType element) {
  return xc_element_name((xc_element)element);
}

size_t xcElementTypeGetSize(XcElementType element) {
  return xc_element_size((xc_element)element);
}

static const char *const backend_names[XC_NUM_BACKENDS] = {
    [XcBackendReference] = "reference",
    [XcBackendCpu] = "cpu",
    [XcBackendSim] = "sim",
};

const char *xcBackendGetName(XcBackend backend) {
  return backend_names[backend];
}

bool xcBackendFind(const char *name, XcBackend *backend) {
  for (int i = 0; i < XC_NUM_BACKENDS; ++i)
    if (strcmp(backend_names[i], name) == 0) {
      *backend = (XcBackend)i;
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void xc_rt_enter(const XcModel *model, xc_rt_caller *caller, XcDiag *diag) {
  XcModel *m = (XcModel *)model;
  caller->thread = pthread_self();
  caller->diag = diag;
  pthread_mutex_lock(&m->lock);
  caller->next = m->callers;
  m->callers = caller;
  pthread_mutex_unlock(&m->lock);
}

void xc_rt_leave(const XcModel *model, xc_rt_caller *caller) {
  XcModel *m = (XcModel *)model;
  pthread_mutex_lock(&m->lock);
  xc_rt_caller **at = &m->callers;
  while (*at != caller)
    at = &(*at)->next;
  *at = caller->next;
  pthread_mutex_unlock(&m->lock);
}

// A context reports in the thread that found the error; a pass may do so in a
// thread of its own, but then only one call is under way: the load.
static void route(void *user_data, XcSeverity severity, XcPlace place,
                  const char *message) {
  XcModel *model = user_data;
  pthread_mutex_lock(&model->lock);
  xc_rt_caller *caller = model->callers;
  for (xc_rt_caller *c = caller; c; c = c->next)
    if (pthread_equal(c->thread, pthread_self())) {
      caller = c;
      break;
    }
  XcDiag *diag = caller ? caller->diag : NULL;
  pthread_mutex_unlock(&model->lock);
  if (diag)
    xcDiagReport(diag, severity, place, "%s", message);
}

//===----------------------------------------------------------------------===//
// Making the lists
//===----------------------------------------------------------------------===//

size_t xc_rt_add_value(XcModel *model, const XcTensorInfo *info) {
  xc_grow((void **)&model->values, &model->value_capacity,
          model->num_values + 1, sizeof(*model->values));
  model->values[model->num_values] = *info;
  return model->num_values++;
}

xc_rt_part *xc_rt_add_part(XcModel *model) {
  xc_grow((void **)&model->parts, &model->part_capacity, model->num_parts + 1,
          sizeof(*model->parts));
  xc_rt_part *part = &model->parts[model->num_parts++];
  *part = (xc_rt_part){.name = ""};
  return part;
}

void xc_rt_add_input(XcModel *model, size_t value) {
  xc_grow((void **)&model->inputs, &model->input_capacity,
          model->num_inputs + 1, sizeof(*model->inputs));
  model->inputs[model->num_inputs++] = value;
}

void xc_rt_add_output(XcModel *model, size_t value) {
  xc_grow((void **)&model->outputs, &model->output_capacity,
          model->num_outputs + 1, sizeof(*model->outputs));
  model->outputs[model->num_outputs++] = value;
}

const char *xc_rt_string(XcModel *model, MlirStringRef string) {
  return xc_arena_string(&model->arena, string.data ? string.data : "",
                         string.length);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static bool load_module(XcDiag *diag, XcModel *model, const xc_buffer *file,
                        const XcModelOptions *options) {
  if (options->backend == XcBackendSim)
    return xc_file_error(diag, model->name,
                         "the model is not compiled, so backend 'sim' has "
                         "nothing to simulate (xcc compiles)");
  MlirModule module =
      xc_model_load(diag, model->context, model->name, file, &options->import);
  if (mlirModuleIsNull(module))
    return false;
  MlirOperation function =
      xc_rt_find_function(diag, model->name, module, options->function);
  if (mlirOperationIsNull(function) ||
      (options->rounding &&
       !xc_model_set_rounding(diag, module, options->rounding))) {
    mlirModuleDestroy(module);
    return false;
  }
  xc_rt_add_function(model, module, function);
  MlirAttribute how = xc_op_attribute(function, XC_PREPROCESS);
  if (!mlirAttributeIsNull(how) && mlirAttributeIsAString(how))
    model->preprocess = xc_rt_string(model, mlirStringAttrGetValue(how));
  return true;
}

static bool load_file(XcDiag *diag, XcModel *model, const xc_buffer *file,
                      const XcModelOptions *options) {
  model->layout = xc_model_layout_of(model->name, file);
  if (!xc_model_is_container(model->name, file))
    return load_module(diag, model, file, options);
  model->container =
      xcXModelReadFromMemory(diag, model->name, file->data, file->size);
  if (!model->container)
    return false;
  if (!xc_rt_is_compiled(model->container, options->subgraph))
    return load_module(diag, model, file, options);
  if (options->rounding)
    return xc_file_error(diag, model->name,
                         "the model is compiled, its rounding cannot change");
  model->preprocess =
      xcXModelAttrsGetString(xcXModelGetAttrs(model->container), XC_PREPROCESS);
  return xc_rt_load_container(diag, model, options->subgraph);
}

// Options of pictures: the caller's override the model's.
static bool set_preprocess(XcDiag *diag, XcModel *model,
                           const XcModelOptions *options) {
  xc_preprocess how;
  const char *text = model->preprocess ? model->preprocess : "";
  if (!xc_preprocess_parse(diag, model->name, text, strlen(text), &how) ||
      !xc_preprocess_apply(diag, &options->import.pictures, &how))
    return false;
  xc_text all = {0};
  xc_preprocess_print(&how, &all);
  model->preprocess =
      xc_arena_string(&model->arena, xc_text_str(&all), all.length);
  xc_text_free(&all);
  for (size_t i = 0; i < model->num_inputs; ++i) {
    XcTensorInfo *info = &model->values[model->inputs[i]];
    if (info->layout != XcLayoutNone && how.layout != XC_LAYOUT_OPEN)
      info->layout = how.layout == XC_LAYOUT_NCHW ? XcLayoutNCHW : XcLayoutNHWC;
  }
  return true;
}

static bool prepare_with(XcDiag *diag, XcModel *model, xc_rt_part *part,
                         const xc_rt_executor *executor) {
  part->executor = executor;
  return !executor->prepare || executor->prepare(diag, model, part);
}

// Beside a DPU the interpreter does what cannot be compiled.
static bool prepare_beside(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  XcDiag silent = {xc_ignore_error, NULL, 0};
  xc_rt_caller caller;
  xc_rt_enter(model, &caller, &silent);
  bool ok = prepare_with(&silent, model, part, &xc_rt_cpu);
  xc_rt_leave(model, &caller);
  if (ok)
    return true;
  part->executor->release(part);
  part->prepared = NULL;
  return prepare_with(diag, model, part, &xc_rt_reference);
}

// Compiled code calls nothing, so the host's operators need the interpreter.
static bool prepare_part(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  XcBackend backend = model->options.backend;
  if (backend == XcBackendSim && part->is_dpu)
    return prepare_with(diag, model, part, &xc_rt_simulator);
  if (part->object.code)
    return prepare_with(diag, model, part, &xc_rt_cpu);
  if (backend == XcBackendReference || xc_rt_has_custom(part))
    return prepare_with(diag, model, part, &xc_rt_reference);
  if (backend == XcBackendSim)
    return prepare_beside(diag, model, part);
  return prepare_with(diag, model, part, &xc_rt_cpu);
}

static bool prepare(XcDiag *diag, XcModel *model) {
  for (size_t i = 0; i < model->num_parts; ++i)
    if (!prepare_part(diag, model, &model->parts[i]))
      return false;
  return true;
}

// Outputs have names of their own beside those of the values.
static void finish_outputs(XcModel *model) {
  XcTensorInfo *infos =
      xc_arena_alloc(&model->arena, model->num_outputs + 1, sizeof(*infos));
  for (size_t i = 0; i < model->num_outputs; ++i) {
    infos[i] = model->values[model->outputs[i]];
    if (model->output_infos && !xc_rt_exposes(model))
      infos[i].name = model->output_infos[i].name;
  }
  model->output_infos = infos;
}

// Checks the memory of a session; parts see to their own memory.
static bool check_memory(XcDiag *diag, const XcModel *model) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < model->num_values && xc_fits_memory(bytes); ++i)
    bytes += model->values[i].size;
  return xc_check_memory(diag, model->name, "holding the tensors", bytes);
}

static bool load(XcDiag *diag, XcModel *model, const xc_buffer *file,
                 const XcModelOptions *options) {
  if (!xc_cpu_check(diag, model->options.cpu, true) ||
      !load_file(diag, model, file, options) ||
      !set_preprocess(diag, model, options))
    return false;
  xc_rt_cut_parts(model);
  if (xc_rt_exposes(model))
    xc_rt_output_everything(model);
  finish_outputs(model);
  xc_rt_finish_cuts(model);
  if (model->num_outputs == 0)
    return xc_file_error(diag, model->name, "the model has no outputs");
  return check_memory(diag, model) && prepare(diag, model);
}

static const char *copy_text(XcModel *model, const char *text) {
  return text ? xc_arena_string(&model->arena, text, strlen(text)) : NULL;
}

static void copy_options(XcModel *model, const XcModelOptions *options) {
  XcCustomKernel *kernels =
      xc_arena_alloc(&model->arena, options->numKernels + 1, sizeof(*kernels));
  for (size_t i = 0; i < options->numKernels; ++i) {
    kernels[i] = options->kernels[i];
    kernels[i].opType = copy_text(model, options->kernels[i].opType);
  }
  XcKernelFunction *functions = xc_arena_alloc(
      &model->arena, options->numFunctions + 1, sizeof(*functions));
  for (size_t i = 0; i < options->numFunctions; ++i) {
    functions[i] = options->functions[i];
    functions[i].name = copy_text(model, functions[i].name);
  }
  model->options = (XcModelOptions){
      .backend = options->backend,
      .cpu = copy_text(model, options->cpu),
      .target = copy_text(model, options->target),
      .portable = options->portable,
      .threads = options->threads ? options->threads : 1,
      .everyTensor = options->everyTensor,
      .cutAtRounding = options->cutAtRounding,
      .skipVerification = options->skipVerification,
      .ignoredFindings = options->ignoredFindings,
      .kernels = kernels,
      .numKernels = options->numKernels,
      .kernelLibrary = copy_text(model, options->kernelLibrary),
      .functions = functions,
      .numFunctions = options->numFunctions,
  };
}

XcModel *xcModelLoadFromMemory(XcDiag *diag, const char *name, const void *data,
                               size_t size, const XcModelOptions *options) {
  static const XcModelOptions defaults;
  XcModel *model = xc_alloc(sizeof(*model));
  copy_options(model, options ? options : &defaults);
  model->num_engines = 1;
  model->name = xc_arena_string(&model->arena, name, strlen(name));
  pthread_mutex_init(&model->lock, NULL);
  model->router = (XcDiag){route, model, 0};
  // Sessions of several threads look at it at the same time.
  model->context = xc_context_create(true);
  const xc_buffer file = {(unsigned char *)data, size};
  xc_source source = {model->name, file.data, size, 1};
  model->bridge = (xc_diagnostic_bridge){.input = &source, .hide_notes = true};
  xc_bridge_attach(&model->bridge, model->context, &model->router);
  xc_rt_caller caller;
  xc_rt_enter(model, &caller, diag);
  bool ok = load(diag, model, &file, options ? options : &defaults);
  xc_rt_leave(model, &caller);
  model->bridge.input = NULL;
  if (ok)
    return model;
  xcModelDestroy(model);
  return NULL;
}

XcModel *xcModelLoad(XcDiag *diag, const char *path,
                     const XcModelOptions *options) {
  xc_buffer file;
  if (!xc_read_file(diag, path, &file))
    return NULL;
  XcModel *model =
      xcModelLoadFromMemory(diag, path, file.data, file.size, options);
  xc_buffer_free(&file);
  return model;
}

void xcModelDestroy(XcModel *model) {
  if (!model)
    return;
  for (size_t i = 0; i < model->num_parts; ++i) {
    xc_rt_part *part = &model->parts[i];
    if (part->prepared)
      part->executor->release(part);
    if (!mlirModuleIsNull(part->module))
      mlirModuleDestroy(part->module);
  }
  xc_bridge_detach(&model->bridge);
  mlirContextDestroy(model->context);
  xcXModelDestroy(model->container);
  pthread_mutex_destroy(&model->lock);
  free(model->values);
  free(model->parts);
  free(model->inputs);
  free(model->outputs);
  free(model->cuts);
  xc_arena_free(&model->arena);
  free(model);
}

//===----------------------------------------------------------------------===//
// Looking at a model
//===----------------------------------------------------------------------===//

size_t xcModelGetNumInputs(const XcModel *model) { return model->num_inputs; }

size_t xcModelGetNumOutputs(const XcModel *model) { return model->num_outputs; }

const XcTensorInfo *xcModelGetInput(const XcModel *model, size_t index) {
  assert(index < model->num_inputs && "there is this input");
  return &model->values[model->inputs[index]];
}

const XcTensorInfo *xcModelGetOutput(const XcModel *model, size_t index) {
  assert(index < model->num_outputs && "there is this output");
  return &model->output_infos[index];
}

size_t xcModelFindInput(const XcModel *model, const char *name) {
  for (size_t i = 0; i < model->num_inputs; ++i)
    if (strcmp(xcModelGetInput(model, i)->name, name) == 0)
      return i;
  return SIZE_MAX;
}

size_t xcModelFindOutput(const XcModel *model, const char *name) {
  for (size_t i = 0; i < model->num_outputs; ++i)
    if (strcmp(xcModelGetOutput(model, i)->name, name) == 0)
      return i;
  return SIZE_MAX;
}

const char *xcModelGetPreprocess(const XcModel *model) {
  return model->preprocess;
}

size_t xcModelGetNumEngines(const XcModel *model) { return model->num_engines; }

size_t xcModelGetNumCuts(const XcModel *model) { return model->num_cuts; }

XcModelCut xcModelGetCut(const XcModel *model, size_t index) {
  assert(index < model->num_cuts && "there is this cut");
  return model->cut_infos[index];
}

size_t xcModelGetNumParts(const XcModel *model) { return model->num_parts; }

XcModelPart xcModelGetPart(const XcModel *model, size_t index) {
  assert(index < model->num_parts && "there is this part");
  const xc_rt_part *part = &model->parts[index];
  return (XcModelPart){part->name, part->is_dpu ? "DPU" : "CPU",
                       part->executor->name};
}
