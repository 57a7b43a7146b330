//===- Model.c - model mode: runs a model on the interpreter --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "IRReader/IRReader.h"
#include "Interpreter/Data.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "xc-c/Import.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static MlirAttribute attribute_of(MlirOperation operation, const char *name) {
  return mlirOperationGetAttributeByName(operation,
                                         mlirStringRefCreateFromCString(name));
}

//===----------------------------------------------------------------------===//
// Reading the model
//===----------------------------------------------------------------------===//

static bool has_suffix(const char *path, const char *suffix) {
  size_t length = strlen(path), tail = strlen(suffix);
  return length > tail && strcmp(path + length - tail, suffix) == 0;
}

bool is_model(const char *path) {
  static const char *const suffixes[] = {".onnx", ".tflite", ".mlir",
                                         ".mlirbc"};
  for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); ++i)
    if (has_suffix(path, suffixes[i]))
      return true;
  return false;
}

typedef MlirModule (*importer)(XcDiag *diag, MlirContext context,
                               const char *path, const void *data, size_t size,
                               const XcImportOptions *options);

static importer find_importer(const char *path) {
  static const struct {
    const char *suffix;
    importer import;
  } rows[] = {{".onnx", xcImportOnnx},
              {".tflite", xcImportTflite},
              {".xmodel", xcImportXModel}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (has_suffix(path, rows[i].suffix))
      return rows[i].import;
  return NULL;
}

static MlirOperation read_module(model_run *run, const xc_buffer *file) {
  importer import = find_importer(run->path);
  if (import) {
    const run_model_options *o = run->options;
    XcImportOptions options = {.inputShapes = o->input_shapes.items,
                               .numInputShapes = o->input_shapes.count,
                               .binds = o->binds.items,
                               .numBinds = o->binds.count,
                               .randomWeights = o->random_weights >= 0,
                               .seed = (uint64_t)o->random_weights};
    MlirModule module = import(&run->diag, run->context, run->path, file->data,
                               file->size, &options);
    return mlirModuleIsNull(module) ? (MlirOperation){NULL}
                                    : mlirModuleGetOperation(module);
  }
  xc_translate_input input = {run->path, file->data, file->size, 1};
  xc_read_options options = {false, false};
  return xc_read_ir(run->context, &run->diag, &input, &options);
}

static bool is_function(MlirOperation operation) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(operation)),
                            mlirStringRefCreateFromCString("func.func"));
}

// --function, else the first function that has a body and is not private.
static bool find_function(model_run *run) {
  const char *wanted = run->options->function;
  MlirRegion region = mlirOperationGetNumRegions(run->module)
                          ? mlirOperationGetRegion(run->module, 0)
                          : (MlirRegion){NULL};
  MlirBlock body = mlirRegionIsNull(region) ? (MlirBlock){NULL}
                                            : mlirRegionGetFirstBlock(region);
  MlirOperation op = mlirBlockIsNull(body) ? (MlirOperation){NULL}
                                           : mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_function(op) ||
        mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))))
      continue;
    MlirStringRef name = mlirStringAttrGetValue(attribute_of(op, "sym_name"));
    bool is_private = !mlirAttributeIsNull(attribute_of(op, "sym_visibility"));
    if (wanted
            ? mlirStringRefEqual(name, mlirStringRefCreateFromCString(wanted))
            : !is_private) {
      run->function = op;
      return true;
    }
  }
  return xc_tool_error("xc-run",
                       wanted ? "'%s' has no function '%s'"
                              : "'%s' has no function to run",
                       run->path, wanted);
}

//===----------------------------------------------------------------------===//
// --rounding
//===----------------------------------------------------------------------===//

static const char *rounding_word(const char *option) {
  static const char *const words[][2] = {
      {"dpu", "DPU_ROUND"}, {"std", "STD_ROUND"}, {"py3", "PY3_ROUND"}};
  for (size_t i = 0; i < 3; ++i)
    if (strcmp(words[i][0], option) == 0)
      return words[i][1];
  return NULL;
}

static MlirWalkResult set_rounding(MlirOperation operation, void *word) {
  static const char name[] = "round_mode";
  const xc_op_info *info = xc_op_info_of(operation);
  if (info && xc_attribute_info_find(info, name, strlen(name)))
    mlirOperationSetAttributeByName(
        operation, mlirStringRefCreateFromCString(name),
        mlirStringAttrGet(mlirOperationGetContext(operation),
                          mlirStringRefCreateFromCString(word)));
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static MlirStringRef name_at(const model_run *run, const char *list, size_t i) {
  MlirAttribute names = attribute_of(run->function, list);
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) ||
      (intptr_t)i >= mlirArrayAttrGetNumElements(names))
    return mlirStringRefCreate(NULL, 0);
  MlirAttribute name = mlirArrayAttrGetElement(names, (intptr_t)i);
  return mlirAttributeIsAString(name) ? mlirStringAttrGetValue(name)
                                      : mlirStringRefCreate(NULL, 0);
}

static model_tensor make_tensor(MlirType type, MlirStringRef name) {
  model_tensor tensor = {.name = name};
  // The interpreter has refused other types.
  xc_shape_of_type(type, &tensor.shape);
  tensor.size = (size_t)xc_shape_num_elements(&tensor.shape) *
                xc_element_size(tensor.shape.element);
  tensor.data = xc_alloc(tensor.size);
  return tensor;
}

// A bufferised function has its outputs behind its inputs; input_num says how
// many of those there are.
static size_t count_inputs(const model_run *run, MlirType type) {
  size_t arguments = (size_t)mlirFunctionTypeGetNumInputs(type);
  MlirAttribute number = attribute_of(run->function, "input_num");
  if (mlirFunctionTypeGetNumResults(type) != 0 || mlirAttributeIsNull(number) ||
      !mlirAttributeIsAInteger(number))
    return arguments;
  int64_t inputs = mlirIntegerAttrGetValueInt(number);
  return inputs >= 0 && (uint64_t)inputs < arguments ? (size_t)inputs
                                                     : arguments;
}

static void make_tensors(model_run *run) {
  MlirType type =
      mlirTypeAttrGetValue(attribute_of(run->function, "function_type"));
  size_t results = (size_t)mlirFunctionTypeGetNumResults(type);
  run->num_inputs = count_inputs(run, type);
  run->num_outputs =
      results ? results
              : (size_t)mlirFunctionTypeGetNumInputs(type) - run->num_inputs;
  run->inputs = xc_alloc_array(run->num_inputs, sizeof(*run->inputs));
  run->outputs = xc_alloc_array(run->num_outputs, sizeof(*run->outputs));
  for (size_t i = 0; i < run->num_inputs; ++i)
    run->inputs[i] = make_tensor(mlirFunctionTypeGetInput(type, (intptr_t)i),
                                 name_at(run, "input_names", i));
  for (size_t i = 0; i < run->num_outputs; ++i) {
    MlirType output =
        results
            ? mlirFunctionTypeGetResult(type, (intptr_t)i)
            : mlirFunctionTypeGetInput(type, (intptr_t)(run->num_inputs + i));
    run->outputs[i] = make_tensor(output, name_at(run, "output_names", i));
  }
}

model_tensor *model_find(model_tensor *tensors, size_t count, const char *what,
                         const char *name, size_t length) {
  MlirStringRef wanted = mlirStringRefCreate(name, length);
  for (size_t i = 0; i < count; ++i)
    if (mlirStringRefEqual(tensors[i].name, wanted))
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
    return model_find(tensors, count, what, text, (size_t)(equals - text));
  if (position < count)
    return &tensors[position];
  xc_tool_error("xc-run", "'%s' is one %s more than the model's %zu", text,
                what, count);
  return NULL;
}

static bool read_inputs(model_run *run) {
  const run_model_options *o = run->options;
  bool *given = xc_alloc_array(run->num_inputs, sizeof(*given));
  bool ok = true;
  for (size_t i = 0; ok && i < o->inputs->count; ++i) {
    const char *path;
    model_tensor *tensor = split_option(run->inputs, run->num_inputs, "input",
                                        i, o->inputs->items[i], &path);
    ok = tensor &&
         xc_tensor_read(&run->diag, path, &tensor->shape, tensor->data);
    if (ok)
      given[tensor - run->inputs] = true;
  }
  for (size_t i = 0; ok && i < run->num_inputs; ++i) {
    model_tensor *tensor = &run->inputs[i];
    if (given[i])
      continue;
    if (o->random_inputs >= 0)
      xc_tensor_randomize((uint64_t)o->random_inputs + i, &tensor->shape,
                          tensor->data);
    else
      ok = xc_tool_error("xc-run",
                         "input %zu '%.*s' has no data: give --input=%zu=file "
                         "or --random-inputs=seed",
                         i, (int)tensor->name.length,
                         tensor->name.data ? tensor->name.data : "", i);
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
    tensor->expected = xc_alloc(tensor->size);
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
// --dump-tensors
//===----------------------------------------------------------------------===//

typedef struct dump_state {
  model_run *run;
  json_t *list;
  size_t count;
} dump_state;

static MlirStringRef op_name_of(MlirOperation operation) {
  MlirAttribute name = attribute_of(operation, "op_name");
  return mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)
             ? mlirStringRefCreate(NULL, 0)
             : mlirStringAttrGetValue(name);
}

// A number and the op_name with what file names do not like replaced.
static void dump_file_name(const dump_state *state, MlirStringRef name,
                           xc_text *text) {
  enum { LONGEST = 80 };
  xc_text_printf(text, "%04zu", state->count);
  if (name.length)
    xc_text_puts(text, "_");
  for (size_t i = 0; i < name.length && i < LONGEST; ++i) {
    char c = name.data[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || c == '-' || c == '.';
    xc_text_append(text, plain ? &c : "_", 1);
  }
  xc_text_puts(text, ".npy");
}

static bool dump_tensor(void *user, MlirOperation operation, MlirValue value,
                        const void *data, size_t size) {
  dump_state *state = user;
  (void)size;
  xc_shape shape;
  if (!xc_shape_of_type(mlirValueGetType(value), &shape))
    return false;
  MlirStringRef name = op_name_of(operation);
  xc_text file = {0}, path = {0}, type = {0};
  dump_file_name(state, name, &file);
  xc_text_printf(&path, "%s/%s", state->run->options->dump_tensors,
                 xc_text_str(&file));
  xc_shape_print(&shape, &type);
  bool ok =
      xc_tensor_write(&state->run->diag, xc_text_str(&path), &shape, data);
  MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(operation));
  json_array_append_new(state->list,
                        json_pack("{ss ss% ss% ss}", "file", xc_text_str(&file),
                                  "op", kind.data, kind.length, "op_name",
                                  name.length ? name.data : "", name.length,
                                  "type", xc_text_str(&type)));
  ++state->count;
  xc_text_free(&file);
  xc_text_free(&path);
  xc_text_free(&type);
  return ok;
}

static bool write_dump_index(dump_state *state) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/index.json", state->run->options->dump_tensors);
  char *text = json_dumps(state->list, JSON_INDENT(1));
  bool ok =
      xc_write_file(&state->run->diag, xc_text_str(&path), text, strlen(text));
  free(text);
  xc_text_free(&path);
  return ok;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool execute(model_run *run, XcInterpreter *interpreter) {
  // Outputs follow the inputs: as results, or as arguments of a bufferised
  // function.
  void **inputs =
      xc_alloc_array(run->num_inputs + run->num_outputs, sizeof(*inputs));
  void **outputs = inputs + run->num_inputs;
  for (size_t i = 0; i < run->num_inputs; ++i)
    inputs[i] = run->inputs[i].data;
  for (size_t i = 0; i < run->num_outputs; ++i)
    outputs[i] = run->outputs[i].data;
  dump_state dump = {.run = run};
  const char *directory = run->options->dump_tensors;
  bool ok = true;
  if (directory) {
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
      ok = xc_tool_error("xc-run", "cannot make directory '%s': %s", directory,
                         strerror(errno));
    dump.list = json_array();
    xcInterpreterSetObserver(interpreter, dump_tensor, &dump);
  }
  ok = ok && xcInterpreterRun(interpreter, inputs, outputs) &&
       (!directory || write_dump_index(&dump));
  json_decref(dump.list);
  free(inputs);
  return ok;
}

static bool run_prepared(model_run *run, XcInterpreter *interpreter) {
  make_tensors(run);
  if (run->options->list) {
    model_list(run);
    return true;
  }
  if (!read_inputs(run) || !read_expected(run) || !execute(run, interpreter) ||
      !write_outputs(run) || !model_print_outputs(run))
    return false;
  bool same = model_compare(run);
  return (!run->options->report || model_write_report(run)) && same;
}

static bool run_module(model_run *run) {
  const char *rounding = run->options->rounding;
  const char *word = rounding ? rounding_word(rounding) : NULL;
  if (rounding && !word)
    return xc_tool_error("xc-run",
                         "for the --rounding option: '%s' is none of dpu, std "
                         "and py3",
                         rounding);
  if (strcmp(run->options->backend, "reference") != 0)
    return xc_tool_error("xc-run",
                         "for the --backend option: '%s' is not known, "
                         "expected reference",
                         run->options->backend);
  if (!find_function(run))
    return false;
  if (word)
    mlirOperationWalk(run->module, set_rounding, (void *)word,
                      MlirWalkPreOrder);
  XcInterpreter *interpreter = xcInterpreterCreate(run->function);
  bool ok = interpreter && run_prepared(run, interpreter);
  xcInterpreterDestroy(interpreter);
  return ok;
}

static void free_tensors(model_tensor *tensors, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    free(tensors[i].data);
    free(tensors[i].expected);
  }
  free(tensors);
}

bool run_model(const char *input, const run_model_options *options) {
  model_run run = {.path = input, .options = options};
  xc_buffer file;
  if (!xc_read_file(&run.diag, input, &file))
    return false;
  run.context = xc_context_create(false);
  xc_translate_input source = {input, file.data, file.size, 1};
  xc_diagnostic_bridge bridge = {.input = &source, .hide_notes = true};
  xc_bridge_attach(&bridge, run.context, &run.diag);
  run.module = read_module(&run, &file);
  bool ok = !mlirOperationIsNull(run.module) && run_module(&run);
  free_tensors(run.inputs, run.num_inputs);
  free_tensors(run.outputs, run.num_outputs);
  if (!mlirOperationIsNull(run.module))
    mlirOperationDestroy(run.module);
  xc_bridge_detach(&bridge);
  mlirContextDestroy(run.context);
  xc_buffer_free(&file);
  return ok;
}
