//===- Saved.c - modules between two phases -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A saved module has the attribute xc.saved: a dictionary with the phase after
// which it was saved, the name of the model, and, once the model is divided,
// the target, the placement report and the names of two files beside it: the
// xmodel that holds the model as it was before, and the module as it was right
// after, from which the parts of the CPU come. The attribute is there in files
// only.
//
//===----------------------------------------------------------------------===//

#include "Phases.h"

#include "Frontend/Load/Load.h"
#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 6 };

typedef struct entry_list {
  MlirNamedAttribute items[MAX_ENTRIES];
  intptr_t count;
} entry_list;

static void add_entry(const xc_compilation *c, entry_list *list,
                      const char *name, const char *value) {
  list->items[list->count++] = mlirNamedAttributeGet(
      mlirIdentifierGet(c->context, mlirStringRefCreateFromCString(name)),
      mlirStringAttrGet(c->context, mlirStringRefCreateFromCString(value)));
}

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

/// With locations, so that reports are the same after resuming.
static void print_module(const xc_compilation *c, xc_text *text) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(c->module), flags,
                              append_text, text);
  mlirOpPrintingFlagsDestroy(flags);
}

static bool is_divided(const xc_compilation *c) { return c->placement; }

/// Whether the module at hand is the one that was just divided.
static bool is_just_divided(const xc_compilation *c) {
  return is_divided(c) && !c->divided.length;
}

/// The names of the files beside a saved module.
typedef struct beside {
  const char *original, *divided;
} beside;

static void print_saved(const xc_compilation *c, const beside *files,
                        xc_text *text) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  MlirStringRef name = mlirStringRefCreateFromCString(XC_NAME_SAVED);
  char *placement = NULL;
  entry_list list = {0};
  add_entry(c, &list, "phase", xcCompilePhaseGetName(c->phase));
  add_entry(c, &list, "model", c->model);
  if (is_divided(c)) {
    placement = json_dumps(c->placement, JSON_COMPACT);
    add_entry(c, &list, "target", c->target->name);
    add_entry(c, &list, "original", files->original);
    add_entry(c, &list, "placement", placement);
    if (!is_just_divided(c))
      add_entry(c, &list, "divided", files->divided);
  }
  mlirOperationSetAttributeByName(
      module, name, mlirDictionaryAttrGet(c->context, list.count, list.items));
  print_module(c, text);
  mlirOperationRemoveAttributeByName(module, name);
  free(placement);
}

void xc_driver_keep_divided(xc_compilation *c) {
  if (is_just_divided(c) && (c->options->saveTemps || c->options->compileTo))
    print_module(c, &c->divided);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static bool write_beside(xc_compilation *c, const char *directory,
                         const char *name, const void *data, size_t size) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/%s", directory, name);
  bool ok = xc_write_file(c->diag, xc_text_str(&path), data, size);
  xc_text_free(&path);
  return ok;
}

bool xc_driver_save(xc_compilation *c, const char *directory,
                    const char *stem) {
  static const beside files = {"original.xmodel", "divided.mlir"};
  xc_text name = {0}, text = {0};
  xc_text_printf(&name, "%s.mlir", stem);
  print_saved(c, &files, &text);
  bool ok = xc_driver_make_directory(c->diag, directory, NULL) &&
            write_beside(c, directory, xc_text_str(&name), xc_text_str(&text),
                         text.length);
  if (ok && is_just_divided(c))
    ok = write_beside(c, directory, files.original, c->original.data,
                      c->original.size);
  else if (ok && is_divided(c))
    ok = write_beside(c, directory, files.divided, xc_text_str(&c->divided),
                      c->divided.length);
  xc_text_free(&name);
  xc_text_free(&text);
  return ok;
}

static void add_bytes(xc_compilation *c, const char *suffix, const void *data,
                      size_t size) {
  void *copy = xc_alloc(size);
  memcpy(copy, data, size);
  xc_text path = xc_driver_output_path(c, suffix);
  xc_driver_outputs_add(&c->outputs, xc_text_str(&path), copy, size);
  xc_text_free(&path);
}

void xc_driver_add_saved(xc_compilation *c) {
  static const beside suffixes = {"_org.xmodel", "_divided.mlir"};
  xc_text text = {0}, original = {0}, divided = {0};
  xc_text_printf(&original, "%s%s", c->options->name, suffixes.original);
  xc_text_printf(&divided, "%s%s", c->options->name, suffixes.divided);
  const beside files = {xc_text_str(&original), xc_text_str(&divided)};
  print_saved(c, &files, &text);
  add_bytes(c, ".mlir", xc_text_str(&text), text.length);
  if (is_divided(c))
    add_bytes(c, suffixes.original, c->original.data, c->original.size);
  if (is_divided(c) && !is_just_divided(c))
    add_bytes(c, suffixes.divided, xc_text_str(&c->divided), c->divided.length);
  xc_text_free(&original);
  xc_text_free(&divided);
  xc_text_free(&text);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns a copy, or null when the entry is missing or is no string.
static char *get_entry(MlirAttribute saved, const char *name) {
  MlirAttribute value = mlirDictionaryAttrGetElementByName(
      saved, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value))
    return NULL;
  MlirStringRef string = mlirStringAttrGetValue(value);
  char *copy = xc_alloc(string.length + 1);
  memcpy(copy, string.data, string.length);
  return copy;
}

static bool read_beside(xc_compilation *c, const char *name, xc_text *path,
                        xc_buffer *file) {
  const char *model = c->options->model, *slash = strrchr(model, '/');
  xc_text_append(path, model, slash ? (size_t)(slash + 1 - model) : 0);
  xc_text_puts(path, name);
  return xc_read_file(c->diag, xc_text_str(path), file);
}

//===----------------------------------------------------------------------===//
// Form of a divided module
//===----------------------------------------------------------------------===//

static MlirBlock body_of(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

/// A function that is called: it has a device, and returns what it computes.
static bool is_part(MlirOperation function) {
  if (mlirOperationIsNull(function))
    return false;
  MlirAttribute device = xc_op_attribute(function, "device");
  if (mlirAttributeIsNull(device) || !mlirAttributeIsAString(device) ||
      mlirBlockIsNull(body_of(function)))
    return false;
  MlirOperation last = mlirBlockGetTerminator(body_of(function));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    if (!mlirValueIsAOpResult(mlirOperationGetOperand(last, i)))
      return false;
  return true;
}

/// An argument, the result of a call, or a constant.
static bool is_known(MlirValue value, bool may_be_constant) {
  if (!mlirValueIsAOpResult(value))
    return true;
  MlirOperation owner = mlirOpResultGetOwner(value);
  return xc_op_is(owner, "func.call") ||
         (may_be_constant && xc_op_is(owner, "tir.const"));
}

static bool is_caller(MlirOperation function, MlirSymbolTable table) {
  MlirBlock block = body_of(function);
  if (mlirBlockIsNull(block))
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool is_call = xc_op_is(op, "func.call");
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!is_known(mlirOperationGetOperand(op, i), !is_call))
        return false;
    if (is_call && !is_part(mlirSymbolTableLookup(
                       table, mlirFlatSymbolRefAttrGetValue(
                                  xc_op_attribute(op, "callee")))))
      return false;
  }
  return true;
}

/// Whether the module is one that a partition leaves: xc_mixed_create relies on
/// it, and files can hold anything.
static bool check_divided(xc_compilation *c, const char *path,
                          MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) &&
         (!xc_op_is(op, "func.func") ||
          !mlirAttributeIsNull(xc_op_attribute(op, "sym_visibility"))))
    op = mlirOperationGetNextInBlock(op);
  bool ok = false;
  if (!mlirOperationIsNull(op)) {
    MlirSymbolTable table =
        mlirSymbolTableCreate(mlirModuleGetOperation(module));
    ok = is_caller(op, table);
    mlirSymbolTableDestroy(table);
  }
  return ok || xc_file_error(c->diag, path, "the module is not divided");
}

/// The parts come from the module as it was when it was divided; `name` is that
/// of its file, or null when it is the one at hand.
static bool resume_parts(xc_compilation *c, const char *name) {
  if (!name) {
    if (!check_divided(c, c->options->model, c->module))
      return false;
    c->mixed = xc_mixed_create(c->module);
    return true;
  }
  xc_text path = {0};
  xc_buffer file = {0};
  MlirModule divided = {NULL};
  if (read_beside(c, name, &path, &file))
    divided = xc_model_load(c->diag, c->context, xc_text_str(&path), &file,
                            &c->options->import);
  bool ok = !mlirModuleIsNull(divided) &&
            check_divided(c, xc_text_str(&path), divided);
  if (ok) {
    c->mixed = xc_mixed_create(divided);
    xc_text_append(&c->divided, (const char *)file.data, file.size);
  }
  if (!mlirModuleIsNull(divided))
    mlirModuleDestroy(divided);
  xc_buffer_free(&file);
  xc_text_free(&path);
  return ok;
}

static bool is_file_name(const char *name) {
  return name && *name && !strchr(name, '/');
}

/// Reads the data that a compilation has once the model is divided.
static bool resume_divided(xc_compilation *c, MlirAttribute saved) {
  char *target = get_entry(saved, "target");
  char *original = get_entry(saved, "original");
  char *divided = get_entry(saved, "divided");
  char *placement = get_entry(saved, "placement");
  bool ok = false;
  c->placement = placement ? json_loads(placement, 0, NULL) : NULL;
  if (!target || !is_file_name(original) ||
      (divided && !is_file_name(divided)) || !c->placement) {
    xc_file_error(c->diag, c->options->model,
                  "the attribute " XC_NAME_SAVED " is not what xcc writes");
  } else if (strcmp(target, c->target->name) != 0) {
    xc_file_error(c->diag, c->options->model,
                  "the module was divided for target '%s', not for '%s'",
                  target, c->target->name);
  } else {
    xc_text path = {0};
    ok = read_beside(c, original, &path, &c->original) &&
         resume_parts(c, divided);
    xc_text_free(&path);
  }
  free(target);
  free(original);
  free(divided);
  free(placement);
  return ok;
}

bool xc_driver_resume(xc_compilation *c, const char *phase) {
  if (!xc_phase_import(c))
    return false;
  MlirOperation module = mlirModuleGetOperation(c->module);
  MlirStringRef name = mlirStringRefCreateFromCString(XC_NAME_SAVED);
  MlirAttribute saved = mlirOperationGetAttributeByName(module, name);
  char *at = NULL, *model = NULL;
  if (!mlirAttributeIsNull(saved) && mlirAttributeIsADictionary(saved)) {
    at = get_entry(saved, "phase");
    model = get_entry(saved, "model");
  }
  bool ok = false;
  if (!at || !model) {
    xc_file_error(
        c->diag, c->options->model,
        "the module was not saved by xcc: it has no attribute " XC_NAME_SAVED);
  } else if (strcmp(at, phase) != 0) {
    xc_file_error(c->diag, c->options->model,
                  "the module was saved after phase '%s', not '%s'", at, phase);
  } else {
    free(c->model);
    c->model = model;
    model = NULL;
    bool has_target = !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
        saved, mlirStringRefCreateFromCString("target")));
    ok = !has_target || resume_divided(c, saved);
    mlirOperationRemoveAttributeByName(module, name);
  }
  free(at);
  free(model);
  return ok;
}
