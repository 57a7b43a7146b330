//===- Model.c - model mode: runs a model on the runtime ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Frontend/Load/Load.h"
#include "Interpreter/Data.h"
#include "Samples/PixelRange.h"
#include "Samples/Pixels.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Names.h"
#include "Support/Text.h"
#include "Support/Time.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void model_make_tensors(model_run *run) {
  run->num_inputs = xcModelGetNumInputs(run->model);
  run->num_outputs = xcModelGetNumOutputs(run->model);
  run->inputs = xc_alloc_array(run->num_inputs, sizeof(*run->inputs));
  run->outputs = xc_alloc_array(run->num_outputs, sizeof(*run->outputs));
  for (size_t i = 0; i < run->num_inputs; ++i) {
    model_tensor *tensor = &run->inputs[i];
    tensor->info = xcModelGetInput(run->model, i);
    tensor->shape = xc_tensor_shape(tensor->info);
  }
  for (size_t i = 0; i < run->num_outputs; ++i) {
    run->outputs[i].info = xcModelGetOutput(run->model, i);
    run->outputs[i].shape = xc_tensor_shape(run->outputs[i].info);
  }
}

/// Memory for a tensor of each image; the first dimension counts them, too.
static void make_room(const model_run *run, model_tensor *tensor) {
  free(tensor->data);
  tensor->data = xc_alloc(tensor->info->size * run->images);
  tensor->shape = xc_tensor_shape(tensor->info);
  if (run->images > 1 && tensor->shape.rank == 0)
    tensor->shape.dims[tensor->shape.rank++] = 1;
  if (tensor->shape.rank > 0)
    tensor->shape.dims[0] *= (int64_t)run->images;
}

static void *data_of(const model_tensor *tensor, size_t image) {
  return (char *)tensor->data + image * tensor->info->size;
}

bool model_has_one_image(const model_run *run) {
  return run->images == 1 ||
         xc_tool_error("xc-run",
                       "--compare and --dump-tensors are for one image, but "
                       "the inputs hold %zu",
                       run->images);
}

// Returns the tensor that a name or a number means; reports when there is none.
// `what` is "input" or "output".
static model_tensor *find_tensor(model_tensor *tensors, size_t count,
                                 const char *what, const char *name,
                                 size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(tensors[i].info->name) == length &&
        memcmp(tensors[i].info->name, name, length) == 0)
      return &tensors[i];
  char *end;
  unsigned long index = strtoul(name, &end, 10);
  if (end == name + length && length && name[0] >= '0' && name[0] <= '9' &&
      index < count)
    return &tensors[index];
  xc_tool_error("xc-run", "the model has no %s '%.*s'; --list shows them", what,
                (int)length, name);
  return NULL;
}

// Splits `[name=]file`. A single tensor needs no name, and a file without one
// goes to the tensor of its position.
static model_tensor *split_option(model_tensor *tensors, size_t count,
                                  const char *what, size_t position,
                                  const char *text, const char **path) {
  const char *equals = strrchr(text, '=');
  *path = equals ? equals + 1 : text;
  if (equals)
    return find_tensor(tensors, count, what, text, (size_t)(equals - text));
  if (position < count)
    return &tensors[position];
  xc_tool_error("xc-run", "'%s' is one %s more than the model's %zu", text,
                what, count);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// An input as the readers of pictures know it, and what becomes of pixels.
static bool describe_input(model_run *run, const model_tensor *tensor,
                           xc_sample_input *input, xc_preprocess *how) {
  *input = (xc_sample_input){.name = tensor->info->name,
                             .shape = xc_tensor_shape(tensor->info),
                             .has_fix_point = tensor->info->hasFixPoint,
                             .fix_point = tensor->info->fixPoint};
  const char *text = xcModelGetPreprocess(run->model);
  if (!xc_preprocess_parse(&run->diag, run->path, text, strlen(text), how))
    return false;
  if (how->layout == XC_LAYOUT_OPEN)
    how->layout =
        tensor->info->layout == XcLayoutNCHW ? XC_LAYOUT_NCHW : XC_LAYOUT_NHWC;
  return true;
}

/// Prints the range of an input that was a picture.
static void tell_range(model_run *run, const xc_sample_input *input,
                       const xc_preprocess *how) {
  xc_text text = {0}, oddity = {0};
  xc_pixel_range_print(input, how, &text);
  if (!run->options->quiet)
    xc_print(stdout, "%s\n", xc_text_str(&text));
  if (xc_pixel_range_judge(input, how, &oddity))
    xcDiagReport(&run->diag, XcSeverityWarning, (XcPlace){run->path, 0, 0},
                 "%s", xc_text_str(&oddity));
  xc_text_free(&text);
  xc_text_free(&oddity);
}

static bool read_picture(model_run *run, const char *path,
                         const model_tensor *tensor) {
  xc_sample_input input;
  xc_preprocess how;
  if (!describe_input(run, tensor, &input, &how) ||
      !xc_picture_read(&run->diag, path, &input, &how, tensor->data))
    return false;
  tell_range(run, &input, &how);
  return true;
}

/// The first input says how many images there are.
static bool count_images(model_run *run, const char *path, size_t count) {
  if (run->images == 0)
    run->images = count;
  return run->images == count ||
         xc_file_error(&run->diag, path,
                       "the number of images is %zu, expected %zu as in the "
                       "inputs before",
                       count, run->images);
}

static bool read_pixels(model_run *run, const char *path, const xc_npy *npy,
                        model_tensor *tensor) {
  xc_sample_input input;
  xc_preprocess how;
  xc_pixels pixels;
  if (!describe_input(run, tensor, &input, &how) ||
      !xc_pixels_of(&run->diag, path, npy, &input, &how, &pixels) ||
      !count_images(run, path, pixels.count))
    return false;
  make_room(run, tensor);
  for (size_t i = 0; i < pixels.count; ++i)
    if (!xc_pixels_fill(&run->diag, path, &pixels, npy->data + i * pixels.bytes,
                        &input, &how, data_of(tensor, i)))
      return false;
  tell_range(run, &input, &how);
  return true;
}

/// Returns the shape of tensors one after the other: along their first
/// dimension, or along one of their own where the array has that.
static xc_shape shape_in(const xc_npy *npy, const xc_shape *one,
                         const model_tensor *tensor, size_t images) {
  xc_shape listed = *one;
  if (!npy || npy->rank != one->rank + 1 || one->rank == XC_MAX_RANK ||
      npy->shape[0] != images)
    return tensor->shape;
  listed.rank = npy->rank;
  listed.dims[0] = (int64_t)images;
  memcpy(listed.dims + 1, one->dims, one->rank * sizeof(*one->dims));
  return listed;
}

static bool read_tensors(model_run *run, const char *path,
                         const xc_buffer *file, const xc_npy *npy,
                         model_tensor *tensor) {
  xc_shape one = xc_tensor_shape(tensor->info);
  if (run->images == 0)
    run->images = (size_t)xc_tensor_count_in(file, npy, &one);
  make_room(run, tensor);
  xc_shape shape = shape_in(npy, &one, tensor, run->images);
  return xc_tensor_take(&run->diag, path, file, npy, &shape, tensor->data);
}

/// An array of pixels holds pictures, any other file tensors one after the
/// other.
static bool read_data(model_run *run, const char *path, model_tensor *tensor) {
  const xc_sample_input input = {.shape = xc_tensor_shape(tensor->info)};
  xc_buffer file;
  xc_npy npy;
  if (!xc_read_file(&run->diag, path, &file))
    return false;
  bool ok;
  if (!xc_npy_is(file.data, file.size))
    ok = read_tensors(run, path, &file, NULL, tensor);
  else if (!xc_npy_parse_buffer(&run->diag, path, &file, &npy))
    ok = false;
  else if (xc_pixels_are_in(&npy, &input))
    ok = read_pixels(run, path, &npy, tensor);
  else
    ok = read_tensors(run, path, &file, &npy, tensor);
  xc_buffer_free(&file);
  return ok;
}

static bool read_input(model_run *run, const char *path, model_tensor *tensor) {
  if (!xc_image_has_name(path))
    return read_data(run, path, tensor);
  if (!count_images(run, path, 1))
    return false;
  make_room(run, tensor);
  return read_picture(run, path, tensor);
}

bool model_read_inputs(model_run *run) {
  const run_model_options *o = run->options;
  bool *given = xc_alloc_array(run->num_inputs, sizeof(*given));
  bool ok = true;
  for (size_t i = 0; ok && i < o->inputs->count; ++i) {
    const char *path;
    model_tensor *tensor = split_option(run->inputs, run->num_inputs, "input",
                                        i, o->inputs->items[i], &path);
    ok = tensor && read_input(run, path, tensor);
    if (ok)
      given[tensor - run->inputs] = true;
  }
  run->images = run->images ? run->images : 1;
  for (size_t i = 0; ok && i < run->num_inputs; ++i) {
    model_tensor *tensor = &run->inputs[i];
    if (given[i])
      continue;
    make_room(run, tensor);
    if (o->random_inputs >= 0)
      xc_tensor_randomize((uint64_t)o->random_inputs + i, &tensor->shape,
                          tensor->data);
    else
      ok = xc_tool_error("xc-run",
                         "input %zu '%s' has no data: give --input=%zu=file "
                         "or --random-inputs=seed",
                         i, tensor->info->name, i);
  }
  free(given);
  return ok;
}

static bool read_expected(model_run *run) {
  const xc_string_list *list = &run->options->expected;
  for (size_t i = 0; i < list->count; ++i) {
    const char *path;
    model_tensor *tensor = split_option(run->outputs, run->num_outputs,
                                        "output", i, list->items[i], &path);
    if (!tensor)
      return false;
    free(tensor->expected);
    tensor->expected = xc_alloc(tensor->info->size * run->images);
    tensor->expected_path = path;
    if (!xc_tensor_read(&run->diag, path, &tensor->shape, tensor->expected))
      return false;
  }
  return true;
}

static bool write_outputs(model_run *run) {
  const xc_string_list *list = run->options->outputs;
  for (size_t i = 0; i < list->count; ++i) {
    const char *path;
    model_tensor *tensor = split_option(run->outputs, run->num_outputs,
                                        "output", i, list->items[i], &path);
    if (!tensor ||
        !xc_tensor_write(&run->diag, path, &tensor->shape, tensor->data))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void bind(const model_run *run, XcSession *session, size_t image) {
  for (size_t i = 0; i < run->num_inputs; ++i)
    xcSessionBindInput(session, i, data_of(&run->inputs[i], image));
  for (size_t i = 0; i < run->num_outputs; ++i)
    xcSessionBindOutput(session, i, data_of(&run->outputs[i], image));
}

/// The engines of a card take an image each.
static bool run_all(model_run *run) {
  bool ok = true;
  for (size_t i = 0; ok && i < run->images; i += run->num_sessions) {
    size_t left = run->images - i;
    size_t count = left < run->num_sessions ? left : run->num_sessions;
    for (size_t s = 0; s < count; ++s)
      bind(run, run->sessions[s], i + s);
    ok = xcSessionRunLockstep(run->sessions, count, &run->diag);
  }
  return ok;
}

/// One, or one for each engine that has an image.
static bool create_sessions(model_run *run) {
  size_t count = xcModelGetNumEngines(run->model);
  count = count < run->images ? count : run->images;
  run->sessions = xc_alloc_array(count, sizeof(XcSession *));
  for (; run->num_sessions < count; ++run->num_sessions) {
    XcSession *session = xcSessionCreate(&run->diag, run->model);
    if (!session)
      return false;
    run->sessions[run->num_sessions] = session;
  }
  run->session = run->sessions[0];
  return true;
}

// The first run, which warms up, is not timed.
static bool repeat(model_run *run) {
  int64_t count = run->options->repeat;
  run->seconds = xc_alloc_array((size_t)count, sizeof(*run->seconds));
  for (int64_t i = 0; i < count; ++i) {
    double start = xc_seconds();
    if (!run_all(run))
      return false;
    run->seconds[i] = xc_seconds() - start;
  }
  return true;
}

static bool execute(model_run *run) {
  if (!create_sessions(run))
    return false;
  if (!run->options->dump_tensors)
    return run_all(run) && repeat(run);
  bind(run, run->session, 0);
  return model_has_one_image(run) && model_dump_run(run) && repeat(run);
}

static bool run_loaded(model_run *run) {
  model_make_tensors(run);
  if (run->options->list) {
    model_list(run);
    return true;
  }
  if (!model_read_inputs(run))
    return false;
  for (size_t i = 0; i < run->num_outputs; ++i)
    make_room(run, &run->outputs[i]);
  if (!read_expected(run) || !execute(run) || !write_outputs(run) ||
      !model_print_outputs(run))
    return false;
  model_print_latency(run);
  bool same = model_compare(run);
  return (!run->options->report || model_write_report(run)) && same;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

XcModelOptions model_load_options(const run_model_options *o,
                                  XcBackend backend) {
  size_t num_kernels = 0, num_functions = 0;
  const XcCustomKernel *kernels =
      o->plugin ? xcKernelPluginGetKernels(o->plugin, &num_kernels) : NULL;
  const XcKernelFunction *functions =
      o->plugin ? xcKernelPluginGetFunctions(o->plugin, &num_functions) : NULL;
  return (XcModelOptions){
      .backend = backend,
      .kernels = kernels,
      .numKernels = num_kernels,
      .kernelLibrary = o->description,
      .functions = functions,
      .numFunctions = num_functions,
      .import = xc_import_options(&o->import),
      .function = o->function,
      .subgraph = o->subgraph,
      .rounding = o->rounding,
      .cpu = o->cpu,
      .target = o->target,
      .threads = (unsigned)o->threads,
      .skipVerification = o->trusting,
      .ignoredFindings = o->ignored,
      .portable = o->portable,
  };
}

static bool choose_backend(model_run *run) {
  const char *name = run->options->backend;
  // The interpreter calls no functions of a description.
  run->backend = run->options->compiled      ? XcBackendSim
                 : run->options->description ? XcBackendCpu
                                             : XcBackendReference;
  if (!name || xcBackendFind(name, &run->backend))
    return true;
  xc_text known = {0};
  for (int i = 0; i < XC_NUM_BACKENDS; ++i)
    xc_text_printf(&known, "%s%s", i ? ", " : "",
                   xcBackendGetName((XcBackend)i));
  xc_tool_error("xc-run",
                "for the --backend option: '%s' is not known, expected one of "
                "%s",
                name, xc_text_str(&known));
  xc_text_free(&known);
  return false;
}

void model_release(model_run *run) {
  for (size_t i = 0; i < run->num_inputs; ++i)
    free(run->inputs[i].data);
  for (size_t i = 0; i < run->num_outputs; ++i) {
    free(run->outputs[i].data);
    free(run->outputs[i].expected);
  }
  free(run->inputs);
  free(run->outputs);
  free(run->seconds);
  for (size_t i = 0; i < run->num_sessions; ++i)
    xcSessionDestroy(run->sessions[i]);
  free(run->sessions);
  xcModelDestroy(run->model);
}

static bool run_with_kernels(const char *input,
                             const run_model_options *options) {
  model_run run = {.path = input, .options = options};
  if (options->compare)
    return model_compare_backends(&run);
  if (!choose_backend(&run))
    return false;
  XcModelOptions load = model_load_options(options, run.backend);
  run.model = xcModelLoad(&run.diag, input, &load);
  bool ok = run.model && run_loaded(&run);
  model_release(&run);
  return ok;
}

bool run_model(const char *input, const run_model_options *options) {
  if (!options->kernels)
    return run_with_kernels(input, options);
  XcDiag diag = {0};
  run_model_options loaded = *options;
  const char *comma = strrchr(options->kernels, ',');
  xc_text description = {0};
  XcKernelPlugin *plugin;
  if (comma) {
    xc_text_append(&description, options->kernels,
                   (size_t)(comma - options->kernels));
    loaded.description = xc_text_str(&description);
    plugin = xcKernelPluginLoadFunctions(&diag, comma + 1, loaded.description);
  } else {
    plugin = xcKernelPluginLoad(&diag, options->kernels);
  }
  loaded.plugin = plugin;
  bool ok = plugin && run_with_kernels(input, &loaded);
  xcKernelPluginDestroy(plugin);
  xc_text_free(&description);
  return ok;
}
