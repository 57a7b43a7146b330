//===- Source.c - a module as files of C ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "dialects/Adaptor.h"
#include "dialects/Emit.h"
#include "xc-c/Dialects.h"
#include "xc-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { MAX_FILES = 6 };

struct XcCSource {
  struct {
    xc_text name, text;
  } files[MAX_FILES];
  size_t num_files;
  xc_text report;
};

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static once_flag passes_registered = ONCE_FLAG_INIT;

static MlirWalkResult find_tensors(MlirOperation operation, void *user_data) {
  bool *found = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  *found =
      (info && info->dialect == XC_DIALECT_TIR && info->kind != XC_TIR_CONST) ||
      xc_op_has_tensors(operation);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void report(MlirStringRef message, void *diag) {
  xc_file_error(diag, NULL, "%.*s", (int)message.length, message.data);
}

static bool lower(XcDiag *diag, MlirOperation module, const char *kernels) {
  MlirContext context = mlirOperationGetContext(module);
  call_once(&passes_registered, mlirRegisterAllPasses);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  xcRegisterDialects(context);
  bool has_tensors = false;
  mlirOperationWalk(module, find_tensors, &has_tensors, MlirWalkPreOrder);
  xc_text pipeline = {0};
  // A table would take what the user has a kernel for.
  if (has_tensors && !kernels)
    xc_text_puts(&pipeline, "tir-tabulate{channels=false},");
  if (has_tensors)
    xc_text_puts(&pipeline, "global-bufferize,convert-tir-to-mtir,"
                            "mtir-eliminate-copies,");
  xc_text_puts(&pipeline, "xc-source-pipeline");
  if (kernels)
    xc_text_printf(&pipeline, "{kernels=%s}", kernels);
  MlirStringRef anchor = xc_ref("builtin.module");
  MlirPassManager manager = mlirPassManagerCreateOnOperation(context, anchor);
  bool ok = mlirLogicalResultIsSuccess(xcPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(manager), anchor,
                xc_ref(xc_text_str(&pipeline)), report, diag)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, module));
  mlirPassManagerDestroy(manager);
  xc_text_free(&pipeline);
  return ok;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static xc_text *add_file(XcCSource *source, const char *stem,
                         const char *suffix) {
  xc_text *name = &source->files[source->num_files].name;
  xc_text_printf(name, "%s%s", stem, suffix);
  return &source->files[source->num_files++].text;
}

static void declare_constants(const xc_c_module *m, xc_text *out) {
  for (size_t i = 0; i < m->num_constants; ++i)
    xc_text_printf(
        out, "extern const %s %s[];\n",
        xc_c_element_type(mlirShapedTypeGetElementType(m->constants[i].type)),
        m->constants[i].name);
  xc_text_puts(out, m->num_constants ? "\n" : "");
}

static bool write_params(xc_c_module *m, XcCSource *source) {
  const char *name = m->options->name;
  if (m->options->paramsFile)
    return xc_c_write_bytes(m, add_file(source, name, "_params.bin"));
  xc_text *text = add_file(source, name, "_params.c");
  xc_text_printf(text, "// Constants of %s.\n\n%s#include <stdint.h>\n\n", name,
                 m->uses_math ? "#include <math.h>\n" : "");
  declare_constants(m, text);
  return xc_c_write_arrays(m, text);
}

static bool write_functions(xc_c_module *m) {
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(m->operation, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_KERNEL)) &&
        !xc_c_write_kernel(m, op))
      return false;
  // Functions that others call come first.
  for (int round = 0; round < 2; ++round)
    for (size_t i = 0; i < m->num_entries; ++i)
      if (m->entries[i].is_public == (round == 1) &&
          !xc_c_write_entry(m, &m->entries[i]))
        return false;
  return true;
}

static MlirStringRef module_string(const xc_c_module *m, const char *name) {
  MlirAttribute attribute = xc_op_attribute(m->operation, name);
  return mlirAttributeIsNull(attribute) ? xc_ref("")
                                        : mlirStringAttrGetValue(attribute);
}

static void append(xc_text *out, MlirStringRef string) {
  xc_text_append(out, string.data, string.length);
}

// Prototypes of functions of the user, for libraries without a header.
typedef struct declarations {
  xc_text *out;
  xc_pointer_map known;
} declarations;

static MlirWalkResult declare_kernel(MlirOperation call, void *user_data) {
  declarations *d = user_data;
  MlirAttribute function = xc_op_attribute(call, XC_NAME_FUNCTION);
  if (mlirAttributeIsNull(function) || !xc_op_is(call, "func.call") ||
      xc_pointer_map_has(&d->known, function.ptr))
    return MlirWalkResultAdvance;
  xc_pointer_map_set(&d->known, function.ptr, d);
  MlirAttribute types = xc_op_attribute(call, XC_NAME_TYPES);
  xc_text line = {0};
  xc_text_puts(&line, "void ");
  append(&line, mlirStringAttrGetValue(function));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(types); ++i) {
    xc_text_puts(&line, i ? ", " : "(");
    append(&line, mlirStringAttrGetValue(mlirArrayAttrGetElement(types, i)));
  }
  xc_c_function f = {.out = d->out};
  xc_c_line(&f, "%s);", xc_text_str(&line));
  xc_text_free(&line);
  return MlirWalkResultAdvance;
}

static void declare_kernels(const xc_c_module *m, xc_text *out) {
  MlirStringRef header = module_string(m, XC_NAME_KERNEL_HEADER);
  if (header.length) {
    xc_text_puts(out, "#include \"");
    append(out, header);
    xc_text_puts(out, "\"\n\n");
    return;
  }
  declarations d = {.out = out};
  mlirOperationWalk(m->operation, declare_kernel, &d, MlirWalkPreOrder);
  xc_text_puts(out, d.known.count ? "\n" : "");
  xc_pointer_map_free(&d.known);
}

static void assemble(xc_c_module *m, xc_text *out) {
  xc_text_printf(
      out,
      "// Written by xc %s.\n\n#include \"%s.h\"\n\n"
      "%s#include <stdint.h>\n%s\n",
      xcVersion(), m->options->name, m->uses_math ? "#include <math.h>\n" : "",
      xc_c_uses_memory_functions(m->helpers) ? "#include <string.h>\n" : "");
  declare_kernels(m, out);
  if (!m->options->paramsFile)
    declare_constants(m, out);
  xc_c_print_helpers(out, m->helpers);
  xc_text_append(out, xc_text_str(&m->code), m->code.length);
  --out->length; // the last empty line
}

// Code for integers alone does without <math.h>, which a freestanding compiler
// may not have.
static MlirWalkResult find_floats(MlirOperation operation, void *user_data) {
  bool *found = user_data;
  if (mlirOperationGetNumResults(operation) > 0) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
    if (mlirTypeIsAMemRef(type))
      type = mlirShapedTypeGetElementType(type);
    *found = mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
  }
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool write_files(xc_c_module *m, XcCSource *source) {
  const char *name = m->options->name;
  mlirOperationWalk(m->operation, find_floats, &m->uses_math, MlirWalkPreOrder);
  if (!xc_c_collect(m) || !write_functions(m))
    return false;
  assemble(m, add_file(source, name, ".c"));
  xc_c_print_header(m, add_file(source, name, ".h"));
  append(&source->report, module_string(m, XC_NAME_KERNEL_REPORT));
  if (!write_params(m, source))
    return false;
  if (m->options->program) {
    xc_c_print_program(m, add_file(source, "main", ".c"));
    xc_c_print_cmake(m, add_file(source, "CMakeLists", ".txt"));
    xc_c_print_makefile(m, add_file(source, "Makefile", ""));
  }
  return true;
}

static void module_free(xc_c_module *m) {
  xc_pointer_map_free(&m->constant_of);
  xc_pointer_map_free(&m->entry_of);
  xc_pointer_map_free(&m->kernel_of);
  xc_pointer_map_free(&m->roles_of);
  xc_pointer_map_free(&m->taken);
  xc_text_free(&m->code);
  xc_arena_free(&m->arena);
  free(m->constants);
}

XcCSource *xcCSourceCreate(XcDiag *diag, MlirModule module,
                           const XcCSourceOptions *options) {
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(module));
  XcCSource *source = xc_alloc(sizeof(*source));
  memset(source, 0, sizeof(*source));
  xc_c_module m = {.diag = diag, .options = options, .operation = copy};
  bool ok = lower(diag, copy, options->kernels) && write_files(&m, source);
  module_free(&m);
  mlirOperationDestroy(copy);
  if (ok)
    return source;
  xcCSourceDestroy(source);
  return NULL;
}

void xcCSourceDestroy(XcCSource *source) {
  for (size_t i = 0; source && i < source->num_files; ++i) {
    xc_text_free(&source->files[i].name);
    xc_text_free(&source->files[i].text);
  }
  if (source)
    xc_text_free(&source->report);
  free(source);
}

const char *xcCSourceGetReport(const XcCSource *source) {
  return xc_text_str(&source->report);
}

size_t xcCSourceGetNumFiles(const XcCSource *source) {
  return source->num_files;
}

XcCSourceFile xcCSourceGetFile(const XcCSource *source, size_t index) {
  return (XcCSourceFile){.name = xc_text_str(&source->files[index].name),
                         .data = xc_text_str(&source->files[index].text),
                         .size = source->files[index].text.length};
}
