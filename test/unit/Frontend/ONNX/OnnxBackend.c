//===- OnnxBackend.c - runs the backend tests of the ONNX project ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: OnnxBackend [--cpu] DIRECTORY
//
// DIRECTORY holds folders of tests (node, simple, pytorch-*), each with
// model.onnx and test_data_set_0/{input,output}_N.pb. Every model whose
// operators all have a row in Operators.def is imported, run on the reference
// interpreter and compared with the tolerances of the ONNX project (relative
// 1e-3, absolute 1e-7). Prints docs/generated/onnx-backend-tests.md. --cpu
// compiles the models for the CPU instead; the page must be the same.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Frontend/ONNX/Operators.h"

#include "Support/CommandLine.h"
#include "Support/Diag.h"
#include "Support/Text.h"
#include "xc-c/CPU.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONNX_MAX_ROWS = 256 };

typedef enum outcome {
  SKIPPED, // has operators that xc does not import
  REFUSED, // the importer says why not
  IMPORTED,
  DIFFERS,
  EQUAL,
} outcome;

typedef struct test_result {
  char *name; // "node/test_abs"
  outcome outcome;
  char *why; // the message, the operators or the difference
} test_result;

/// Of each row of the table: tests that use it, and those that are equal.
static size_t uses[ONNX_MAX_ROWS], equals[ONNX_MAX_ROWS];

static char *copy(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(xc_alloc(size), text, size);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static void keep_first(void *text, XcSeverity severity, XcPlace place,
                       const char *message) {
  xc_text *kept = text;
  (void)severity;
  (void)place;
  if (kept->length == 0)
    xc_text_puts(kept, message);
}

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static MlirLogicalResult keep_mlir(MlirDiagnostic diagnostic, void *text) {
  xc_text *kept = text;
  if (kept->length == 0)
    mlirDiagnosticPrint(diagnostic, append, kept);
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// One test while it runs.
typedef struct run {
  const char *directory;
  XcDiag diag;
  xc_text message;
  xc_onnx_importer reader; // reads TensorProtos
  bool compile;
  Onnx__ModelProto *model;
} run;

static xc_graph_value *read_tensor(run *r, const char *kind, size_t index) {
  xc_text path = {0};
  xc_graph_value *value = NULL;
  xc_text_printf(&path, "%s/test_data_set_0/%s_%zu.pb", r->directory, kind,
                 index);
  if (!xc_onnx_read_binding(&r->reader, xc_text_str(&path), "tensor", &value))
    value = NULL;
  xc_text_free(&path);
  return value;
}

static bool is_initializer(const Onnx__GraphProto *graph, const char *name) {
  for (size_t i = 0; i < graph->n_initializer; ++i)
    if (strcmp(graph->initializer[i]->name, name) == 0)
      return true;
  return false;
}

/// Number of the file that feeds a graph input.
static bool find_feed(const Onnx__GraphProto *graph, MlirStringRef name,
                      size_t *feed) {
  *feed = 0;
  for (size_t i = 0; i < graph->n_input; ++i) {
    const char *input = graph->input[i]->name;
    if (strlen(input) == name.length &&
        memcmp(input, name.data, name.length) == 0)
      return true;
    *feed += !is_initializer(graph, input);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

static bool all_known(const Onnx__GraphProto *graph, xc_text *unknown) {
  for (size_t i = 0; i < graph->n_node; ++i) {
    const Onnx__NodeProto *node = graph->node[i];
    if (!xc_onnx_operator_find(node->domain, node->op_type))
      xc_text_printf(unknown, "%s%s", unknown->length ? ", " : "",
                     node->op_type);
  }
  return unknown->length == 0;
}

// The input that a message asks to bind: `input 1, 'shape', ... bind it`.
static bool asks_for(const char *message, char *name, size_t capacity) {
  const char *begin = strstr(message, "input ");
  const char *quote = begin ? strstr(begin, ", '") : NULL;
  const char *end = quote ? strstr(quote + 3, "', ") : NULL;
  if (!end || !strstr(message, "bind it") ||
      (size_t)(end - quote - 3) >= capacity)
    return false;
  memcpy(name, quote + 3, (size_t)(end - quote - 3));
  name[end - quote - 3] = '\0';
  return true;
}

static MlirModule import_once(run *r, MlirContext context,
                              const xc_buffer *file,
                              const xc_string_list *binds) {
  XcImportOptions options = {.binds = binds->items, .numBinds = binds->count};
  r->message.length = 0;
  r->diag.numErrors = 0;
  return xcImportOnnx(&r->diag, context, "model.onnx", file->data, file->size,
                      &options);
}

// Imports, and binds what the importer asks for from the test's own data.
static MlirModule import(run *r, MlirContext context, const xc_buffer *file) {
  enum { MAX_BINDS = 8, NAME_SIZE = 256 };
  static char options[MAX_BINDS][4096];
  xc_string_list binds = {0};
  MlirModule module = import_once(r, context, file, &binds);
  char name[NAME_SIZE];
  size_t feed;
  while (
      mlirModuleIsNull(module) && binds.count < MAX_BINDS &&
      asks_for(xc_text_str(&r->message), name, sizeof(name)) &&
      find_feed(r->model->graph, mlirStringRefCreateFromCString(name), &feed)) {
    snprintf(options[binds.count], sizeof(options[0]),
             "%s=%s/test_data_set_0/input_%zu.pb", name, r->directory, feed);
    xc_string_list_add(&binds, options[binds.count]);
    module = import_once(r, context, file, &binds);
  }
  xc_string_list_free(&binds);
  return module;
}

// The data has no bfloat16: such tensors are stored as their bits.
static void name_bits(xc_graph_value *value, const xc_shape *shape) {
  if (value && shape->element == XC_ELEMENT_BF16 &&
      value->shape.element == XC_ELEMENT_UI16)
    value->shape.element = XC_ELEMENT_BF16;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool is_near(xc_graph_number a, xc_graph_number b) {
  const double relative = 1e-3, absolute = 1e-7;
  if (!a.is_float)
    return a.integer == b.integer;
  if (isnan(a.real) || isnan(b.real))
    return isnan(a.real) && isnan(b.real);
  if (isinf(a.real) || isinf(b.real))
    return a.real == b.real;
  return fabs(a.real - b.real) <= absolute + relative * fabs(b.real);
}

static bool compare(run *r, size_t index, const void *data, MlirType type) {
  xc_graph_value *expected = read_tensor(r, "output", index);
  xc_shape shape;
  if (!expected || !xc_shape_of_type(type, &shape))
    return false;
  name_bits(expected, &shape);
  xc_graph_value found = {.shape = shape, .data = data};
  if (shape.rank != expected->shape.rank ||
      memcmp(shape.dims, expected->shape.dims, shape.rank * sizeof(int64_t)) !=
          0 ||
      shape.element != expected->shape.element) {
    xc_text a = {0}, b = {0};
    xc_shape_print(&shape, &a);
    xc_shape_print(&expected->shape, &b);
    xc_text_printf(&r->message, "result %zu is %s, expected %s", index,
                   xc_text_str(&a), xc_text_str(&b));
    xc_text_free(&a);
    xc_text_free(&b);
    return false;
  }
  for (int64_t i = 0; i < xc_shape_num_elements(&shape); ++i) {
    xc_graph_number a = xc_graph_load(&found, i),
                    b = xc_graph_load(expected, i);
    if (is_near(a, b))
      continue;
    xc_text_printf(&r->message,
                   "element %" PRId64 " of result %zu is %g, expected %g", i,
                   index, xc_graph_to_real(a), xc_graph_to_real(b));
    return false;
  }
  return true;
}

static MlirOperation find_function(MlirModule module) {
  return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
}

static MlirType type_at(MlirOperation function, bool is_input, size_t index) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type")));
  return is_input ? mlirFunctionTypeGetInput(type, (intptr_t)index)
                  : mlirFunctionTypeGetResult(type, (intptr_t)index);
}

static bool is_used(MlirOperation function, size_t argument) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirValue value = mlirBlockGetArgument(block, (intptr_t)argument);
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

static bool feed_arguments(run *r, MlirOperation function,
                           XcInterpreter *interpreter, void **arguments) {
  MlirAttribute names = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("input_names"));
  for (size_t i = 0; i < xcInterpreterGetNumArguments(interpreter); ++i) {
    size_t feed;
    MlirStringRef name =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, (intptr_t)i));
    xc_shape shape;
    xc_shape_of_type(type_at(function, true, i), &shape);
    xc_graph_value *value = find_feed(r->model->graph, name, &feed)
                                ? read_tensor(r, "input", feed)
                                : NULL;
    name_bits(value, &shape);
    // What CastLike takes the type of may come in any shape.
    if (!is_used(function, i) && value) {
      arguments[i] = &arguments[i];
      continue;
    }
    if (!value || value->shape.element != shape.element ||
        xc_shape_num_elements(&value->shape) != xc_shape_num_elements(&shape)) {
      xc_text_printf(&r->message, "no data for '%.*s'", (int)name.length,
                     name.data);
      return false;
    }
    union {
      const uint8_t *data;
      void *argument;
    } borrowed = {.data = value->data};
    arguments[i] = borrowed.argument; // tensor arguments are only read
  }
  return true;
}

static bool call_entry(run *r, const XcCpuCode *code, XcCpuProgram *program,
                       void **arguments, void **results) {
  const XcCpuFunction *f = xcCpuCodeGetFunction(code, 0);
  XcCpuEntry entry = xcCpuProgramGetEntry(&r->diag, program, f->symbol);
  if (!entry)
    return false;
  size_t size = (size_t)f->arenaBytes / XC_CPU_ALIGNMENT + 1, params;
  void *arena = aligned_alloc(XC_CPU_ALIGNMENT, size * XC_CPU_ALIGNMENT);
  int32_t status = entry((const void *const *)arguments, results, arena,
                         xcCpuCodeGetParams(code, &params));
  free(arena);
  if (status != XcCpuStatusOk)
    xc_text_printf(&r->message, "status %d", (int)status);
  return status == XcCpuStatusOk;
}

static bool run_compiled(run *r, MlirModule module, void **arguments,
                         void **results) {
  XcCpuCode *code = xcCpuCompile(&r->diag, module, NULL);
  if (!code)
    return false;
  size_t size;
  const void *object = xcCpuCodeGetObject(code, &size);
  XcCpuProgram *program = xcCpuProgramCreate(&r->diag, object, size);
  bool ok = program && call_entry(r, code, program, arguments, results);
  xcCpuProgramDestroy(program);
  xcCpuCodeDestroy(code);
  return ok;
}

static bool run_module(run *r, MlirModule module) {
  MlirOperation function = find_function(module);
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  if (!interpreter)
    return false;
  size_t num_results = xcInterpreterGetNumResults(interpreter);
  void **arguments = xc_alloc_array(
      xcInterpreterGetNumArguments(interpreter) + 1, sizeof(*arguments));
  void **results = xc_alloc_array(num_results + 1, sizeof(*results));
  for (size_t i = 0; i < num_results; ++i)
    results[i] = xc_alloc(xcInterpreterGetResultSize(interpreter, i) + 8);
  bool ok = feed_arguments(r, function, interpreter, arguments) &&
            (r->compile ? run_compiled(r, module, arguments, results)
                        : xcInterpreterRun(interpreter, arguments, results));
  for (size_t i = 0; ok && i < num_results; ++i)
    ok = compare(r, i, results[i], type_at(function, false, i));
  for (size_t i = 0; i < num_results; ++i)
    free(results[i]);
  free(results);
  free(arguments);
  xcInterpreterDestroy(interpreter);
  return ok;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static outcome run_model(run *r, const xc_buffer *file) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirModule module = import(r, context, file);
  outcome what = REFUSED;
  if (!mlirModuleIsNull(module)) {
    MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
        context, keep_mlir, &r->message, NULL);
    what = IMPORTED;
    r->message.length = 0;
    if (mlirLogicalResultIsFailure(xcVerify(mlirModuleGetOperation(module))))
      what = REFUSED;
    else
      what = run_module(r, module) ? EQUAL : DIFFERS;
    mlirContextDetachDiagnosticHandler(context, handler);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return what;
}

static void free_reader(xc_onnx_importer *reader) {
  for (xc_onnx_file *file = reader->files; file; file = file->next)
    xc_buffer_free(&file->buffer);
  xc_arena_free(&reader->graph.arena);
}

static void count_operators(const Onnx__GraphProto *graph, bool is_equal) {
  bool seen[ONNX_MAX_ROWS] = {false};
  size_t count;
  const xc_onnx_operator *table = xc_onnx_operator_table(&count);
  for (size_t i = 0; i < graph->n_node; ++i) {
    size_t row = (size_t)(xc_onnx_operator_find(graph->node[i]->domain,
                                                graph->node[i]->op_type) -
                          table);
    uses[row] += !seen[row];
    equals[row] += !seen[row] && is_equal;
    seen[row] = true;
  }
}

static bool run_test(const char *directory, bool compile, test_result *result) {
  run r = {.directory = directory, .compile = compile};
  r.diag = (XcDiag){keep_first, &r.message, 0};
  r.reader.graph.diag = &r.diag;
  xc_text path = {0};
  xc_buffer file;
  xc_text_printf(&path, "%s/model.onnx", directory);
  bool ok = xc_read_file(&r.diag, xc_text_str(&path), &file);
  xc_text_free(&path);
  if (!ok) {
    xc_text_free(&r.message);
    return false;
  }
  r.model = onnx__model_proto__unpack(NULL, file.size, file.data);
  if (r.model && r.model->graph) {
    result->outcome =
        all_known(r.model->graph, &r.message) ? run_model(&r, &file) : SKIPPED;
    if (result->outcome != SKIPPED)
      count_operators(r.model->graph, result->outcome == EQUAL);
    onnx__model_proto__free_unpacked(r.model, NULL);
  }
  result->why = copy(xc_text_str(&r.message));
  free_reader(&r.reader);
  xc_buffer_free(&file);
  xc_text_free(&r.message);
  return true;
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

static int by_name(const void *a, const void *b) {
  const test_result *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static size_t count_of(const test_result *results, size_t count, outcome what) {
  size_t number = 0;
  for (size_t i = 0; i < count; ++i)
    number += results[i].outcome == what;
  return number;
}

static void print_operators(void) {
  size_t count;
  const xc_onnx_operator *table = xc_onnx_operator_table(&count);
  printf("\n## Operators that xc imports\n\n"
         "| operator | tests | equal |\n|---|---|---|\n");
  for (size_t i = 0; i < count && i < ONNX_MAX_ROWS; ++i)
    printf("| %s%s%s | %zu | %zu |\n", table[i].domain,
           *table[i].domain ? "." : "", table[i].name, uses[i], equals[i]);
}

/// Why xc does not do what a test asks for: what its message holds, and what
/// that means. Tests of no row are mistakes of xc.
static const struct reason {
  const char *message, *meaning;
} reasons[] = {
    {"string (8)", "text"},
    {"is not a tensor", "a sequence or an optional value"},
    {"'Optional'", "an optional value"},
    {"element 5 of result 0 is 5, expected 0",
     "places in an output of a given size, in which ONNX's text counts them, "
     "its test in a smaller one"},
    {"at random", "training with random numbers"},
    {"x3xi64, expected ",
     "as many boxes as data asks for; xc has rows for all, the rest hold -1"},
    {"is not a constant number",
     "a size that the data says; shapes are static"},
    {"leaves dimension 0 ('n') open", "a size that the file leaves open"},
    {"has as many results as", "results as many as the data says"},
    {"the condition ", "a branch that the data chooses"},
    {"result 0 is 0.480469, expected 0.478516",
     "the data cuts off when it casts to bfloat16; ONNX and xc round to the "
     "nearest"},
};
enum { NUM_REASONS = sizeof(reasons) / sizeof(*reasons) };

static size_t reason_of(const test_result *result) {
  size_t i = 0;
  while (i < NUM_REASONS && !strstr(result->why, reasons[i].message))
    ++i;
  return i;
}

static bool is_open(const test_result *result) {
  return result->outcome != SKIPPED && result->outcome != EQUAL;
}

static void print_reasons(const test_result *results, size_t count) {
  size_t numbers[NUM_REASONS + 1] = {0};
  for (size_t i = 0; i < count; ++i)
    if (is_open(&results[i]))
      ++numbers[reason_of(&results[i])];
  printf("\n## Not imported or not equal\n\n"
         "None of these is about an operator on images, numbers and inference, "
         "which\n[operators.md](operators.md) lists.\n\n"
         "| why | tests |\n|---|---|\n");
  for (size_t i = 0; i < NUM_REASONS; ++i)
    if (numbers[i])
      printf("| %s | %zu |\n", reasons[i].meaning, numbers[i]);
  printf("| a mistake of xc | %zu |\n", numbers[NUM_REASONS]);
}

static void print_page(const test_result *results, size_t count) {
  static const char *const words[] = {"", "no", "yes", "yes", "yes"};
  size_t skipped = count_of(results, count, SKIPPED);
  size_t refused = count_of(results, count, REFUSED);
  size_t equal = count_of(results, count, EQUAL);
  printf("# Backend tests of the ONNX project\n\n"
         "Generated by `OnnxBackend` from the test data of the ONNX project "
         "(Debian's\n`libonnx-testdata`); `test/Frontend/ONNX/backend.test` "
         "checks it. Imported\nmodels are run on the reference interpreter "
         "and compared with the expected\noutputs (relative 1e-3, absolute "
         "1e-7; integers exactly).\n\n"
         "| tests | |\n|---|---|\n"
         "| in the data | %zu |\n"
         "| with operators that xc does not import | %zu |\n"
         "| with operators that xc imports | %zu |\n"
         "| ... imported | %zu |\n"
         "| ... and numerically equal | %zu |\n",
         count, skipped, count - skipped, count - skipped - refused, equal);
  print_reasons(results, count);
  printf("\n| test | imported | message |\n|---|---|---|\n");
  for (size_t i = 0; i < count; ++i)
    if (is_open(&results[i]))
      printf("| %s | %s | %s |\n", results[i].name, words[results[i].outcome],
             results[i].why);
  print_operators();
  printf("\n## Imported and numerically equal\n\n");
  for (size_t i = 0; i < count; ++i)
    if (results[i].outcome == EQUAL)
      printf("* %s\n", results[i].name);
}

static void collect_folder(const char *root, const char *folder, bool compile,
                           test_result **results, size_t *count,
                           size_t *capacity) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/%s", root, folder);
  DIR *directory = opendir(xc_text_str(&path));
  xc_text_free(&path);
  if (!directory)
    return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (*entry->d_name == '.')
      continue;
    xc_text name = {0}, full = {0};
    xc_text_printf(&name, "%s/%s", folder, entry->d_name);
    xc_text_printf(&full, "%s/%s", root, xc_text_str(&name));
    test_result one = {.name = copy(xc_text_str(&name))};
    if (run_test(xc_text_str(&full), compile, &one)) {
      xc_grow((void **)results, capacity, *count + 1, sizeof(**results));
      (*results)[(*count)++] = one;
    } else {
      free(one.name);
    }
    xc_text_free(&name);
    xc_text_free(&full);
  }
  closedir(directory);
}

int main(int argc, char **argv) {
  static const char *const folders[] = {"node", "pytorch-converted",
                                        "pytorch-operator", "simple"};
  test_result *results = NULL;
  size_t count = 0, capacity = 0;
  bool compile = argc == 3 && strcmp(argv[1], "--cpu") == 0;
  if (argc != 2 + compile) {
    fputs("usage: OnnxBackend [--cpu] DIRECTORY\n", stderr);
    return EXIT_FAILURE;
  }
  for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); ++i)
    collect_folder(argv[argc - 1], folders[i], compile, &results, &count,
                   &capacity);
  qsort(results, count, sizeof(*results), by_name);
  print_page(results, count);
  for (size_t i = 0; i < count; ++i) {
    free(results[i].name);
    free(results[i].why);
  }
  free(results);
  return EXIT_SUCCESS;
}
