//===- Export.c - xmodels from tir ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk gives every operation its name, a second one writes them. Names
// decide everything in the format: operators refer to their producers by name.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "IR/IR.h"

#include "Support/Memory.h"
#include "Support/Preprocess.h"
#include "Support/Text.h"
#include "TirXModel.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"
#include "xc-c/XModelExport.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

// A value that has a name: the result of an operation, or an argument.
typedef struct named_value {
  const void *key; // of the operation, or of the argument
  size_t position; // order of definition
  const char *name;
  bool is_own; // the name is its own, not that of a location or a makeshift
} named_value;

typedef struct exporter {
  MlirOperation function;
  MlirBlock block;
  XcXModel *model;
  xc_arena arena;
  named_value *values; // sorted by key after the first walk
  size_t count, capacity;
} exporter;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static const void *key_of(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value).ptr
                                     : value.ptr;
}

static int compare_keys(const void *a, const void *b) {
  const named_value *left = a, *right = b;
  uintptr_t l = (uintptr_t)left->key, r = (uintptr_t)right->key;
  return (l > r) - (l < r);
}

static int compare_names(const void *a, const void *b) {
  const named_value *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  if (order)
    return order;
  if (left->is_own != right->is_own)
    return left->is_own ? -1 : 1;
  return (left->position > right->position) -
         (left->position < right->position);
}

static const char *name_of(const exporter *e, MlirValue value) {
  named_value wanted = {.key = key_of(value)};
  const named_value *found =
      bsearch(&wanted, e->values, e->count, sizeof(*e->values), compare_keys);
  return found ? found->name : NULL;
}

static void add_value(exporter *e, const void *key, const char *name,
                      bool is_own) {
  void *values = e->values;
  xc_grow(&values, &e->capacity, e->count + 1, sizeof(*e->values));
  e->values = values;
  e->values[e->count] = (named_value){key, e->count, name, is_own};
  ++e->count;
}

static const char *keep(exporter *e, MlirStringRef text) {
  return xc_arena_string(&e->arena, text.data, text.length);
}

static const char *string_attribute(exporter *e, MlirOperation operation,
                                    const char *name) {
  MlirAttribute value =
      mlirOperationGetAttributeByName(operation, xc_ref(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value))
    return NULL;
  return keep(e, mlirStringAttrGetValue(value));
}

static void add_result(exporter *e, MlirOperation operation) {
  const char *name = string_attribute(e, operation, "op_name");
  if (name && *name) {
    add_value(e, operation.ptr, name, true);
    return;
  }
  MlirLocation location = mlirOperationGetLocation(operation);
  name = mlirLocationIsAName(location)
             ? keep(e, mlirIdentifierStr(mlirLocationNameGetName(location)))
             : "op";
  add_value(e, operation.ptr, name, false);
}

// Returns the name of an argument or result, or null.
static const char *boundary_name(exporter *e, const char *attribute,
                                 size_t index) {
  MlirAttribute names =
      mlirOperationGetAttributeByName(e->function, xc_ref(attribute));
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) ||
      index >= (size_t)mlirArrayAttrGetNumElements(names))
    return NULL;
  MlirAttribute name = mlirArrayAttrGetElement(names, (intptr_t)index);
  return mlirAttributeIsAString(name) ? keep(e, mlirStringAttrGetValue(name))
                                      : NULL;
}

static bool has_name(const named_value *sorted, size_t count,
                     const char *name) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(sorted[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && !strcmp(sorted[low].name, name);
}

// The second of equal names becomes "name.1", the third "name.2", unless the
// module has that name already.
static void make_unique(exporter *e) {
  named_value *sorted = xc_alloc_array(e->count, sizeof(*sorted));
  const char **unique = xc_alloc_array(e->count, sizeof(*unique));
  memcpy(sorted, e->values, e->count * sizeof(*sorted));
  qsort(sorted, e->count, sizeof(*sorted), compare_names);
  size_t number = 0;
  for (size_t i = 0; i < e->count; ++i) {
    unique[sorted[i].position] = sorted[i].name;
    if (i == 0 || strcmp(sorted[i].name, sorted[i - 1].name) != 0) {
      number = 0;
      continue;
    }
    xc_text text = {0};
    do {
      xc_text_free(&text);
      xc_text_printf(&text, "%s.%zu", sorted[i].name, ++number);
    } while (has_name(sorted, e->count, xc_text_str(&text)));
    unique[sorted[i].position] =
        xc_arena_string(&e->arena, text.data, text.length);
    xc_text_free(&text);
  }
  for (size_t i = 0; i < e->count; ++i)
    e->values[i].name = unique[i];
  free(unique);
  free(sorted);
}

static void collect_names(exporter *e) {
  intptr_t num_arguments = mlirBlockGetNumArguments(e->block);
  for (intptr_t i = 0; i < num_arguments; ++i) {
    const char *name = boundary_name(e, "input_names", (size_t)i);
    add_value(e, mlirBlockGetArgument(e->block, i).ptr, name ? name : "input",
              name);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(e->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumResults(op) == 1)
      add_result(e, op);
  if (e->count == 0)
    return;
  make_unique(e);
  qsort(e->values, e->count, sizeof(*e->values), compare_keys);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool set_tensor(exporter *e, MlirOperation at, XcXModelOp *op,
                       const char *name, MlirType type) {
  (void)e;
  xc_shape shape;
  XcXModelDataType data_type;
  int32_t bit_width;
  if (!xc_shape_of_type(type, &shape) || shape.memref ||
      !xc_xmodel_data_type(shape.element, &data_type, &bit_width))
    return xc_op_error(at, "'%s' is of a type that an xmodel cannot hold",
                       name);
  uint32_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < shape.rank; ++i) {
    if (shape.dims[i] > INT32_MAX)
      return xc_op_error(at, "'%s' is too large for an xmodel", name);
    dims[i] = (uint32_t)shape.dims[i];
  }
  xcXModelOpSetTensor(op, name, data_type, bit_width, dims, shape.rank);
  return true;
}

static const char *producer_name(const xc_adaptor *adaptor, size_t slot,
                                 void *user_data) {
  return name_of(user_data, xc_operand(adaptor, slot));
}

static bool export_constant(exporter *e, MlirOperation operation,
                            const char *name, MlirType type) {
  size_t size;
  void *bytes = xc_const_bytes(operation, &size);
  if (!bytes)
    return xc_op_error(operation, "the contents of '%s' are not there", name);
  XcXModelOp *op = xcXModelAddOp(e->model, name, "const");
  bool ok = set_tensor(e, operation, op, name, type);
  if (ok) {
    xcXModelOpSetShape(op);
    xcXModelAttrsSetBytes(xcXModelOpGetAttrs(op), "data", bytes, size);
  }
  free(bytes);
  return ok;
}

static const char *custom_arg(exporter *e, MlirAttribute args, size_t index) {
  if (!mlirAttributeIsNull(args) && mlirAttributeIsAArray(args) &&
      index < (size_t)mlirArrayAttrGetNumElements(args)) {
    MlirAttribute name = mlirArrayAttrGetElement(args, (intptr_t)index);
    if (mlirAttributeIsAString(name))
      return keep(e, mlirStringAttrGetValue(name));
  }
  return "input";
}

// Neighbouring operands of one argument name are one argument.
static void set_custom_args(exporter *e, const xc_adaptor *adaptor,
                            XcXModelOp *op, MlirAttribute args) {
  const char *producers[XC_MAX_OPERANDS];
  const char *current = NULL;
  size_t count = 0, index = 0;
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    if (!xc_has_operand(adaptor, slot))
      continue;
    const char *arg = custom_arg(e, args, index++);
    if (current && strcmp(arg, current) != 0) {
      xcXModelOpAddArg(op, current, producers, count);
      count = 0;
    }
    current = arg;
    producers[count++] = name_of(e, xc_operand(adaptor, slot));
  }
  if (current)
    xcXModelOpAddArg(op, current, producers, count);
}

static bool export_custom(exporter *e, const xc_adaptor *adaptor,
                          const char *name, MlirType type) {
  XcXModelOp *op = xcXModelAddOp(
      e->model, name, string_attribute(e, adaptor->operation, "op_type"));
  MlirAttribute payload = xc_attr_get(adaptor, XC_ATTR_PAYLOAD), args = {NULL};
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  intptr_t count = mlirAttributeIsNull(payload)
                       ? 0
                       : mlirDictionaryAttrGetNumElements(payload);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(payload, i);
    const char *key = keep(e, mlirIdentifierStr(entry.name));
    if (!strcmp(key, XC_XMODEL_ARGS_KEY))
      args = entry.attribute;
    else if (!xc_xmodel_payload_set(attrs, key, entry.attribute))
      return xc_op_error(adaptor->operation,
                         "entry '%s' of the payload has no kind in an xmodel",
                         key);
  }
  set_custom_args(e, adaptor, op, args);
  return set_tensor(e, adaptor->operation, op, name, type);
}

static bool export_known(exporter *e, const xc_adaptor *adaptor,
                         const char *name, MlirType type) {
  XcXModelOp *op = xcXModelAddOp(e->model, name, adaptor->info->mnemonic);
  xc_xmodel_write_args(adaptor, op, producer_name, e);
  if (!set_tensor(e, adaptor->operation, op, name, type))
    return false;
  xc_xmodel_write_attributes(adaptor, op);
  if (adaptor->info->kind == XC_TIR_DATA)
    xcXModelOpSetShape(op);
  return true;
}

static bool export_operation(exporter *e, MlirOperation operation) {
  xc_adaptor adaptor;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_TIR || !info->has_result ||
      info->kind == XC_TIR_UPLOAD || !xc_adaptor_of(operation, &adaptor))
    return xc_op_error(operation, "has no place in an uncompiled xmodel");
  MlirValue result = mlirOperationGetResult(operation, 0);
  const char *name = name_of(e, result);
  MlirType type = mlirValueGetType(result);
  if (info->kind == XC_TIR_CONST)
    return export_constant(e, operation, name, type);
  if (info->kind == XC_TIR_CUSTOM)
    return export_custom(e, &adaptor, name, type);
  return export_known(e, &adaptor, name, type);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool export_arguments(exporter *e) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(e->block); ++i) {
    MlirValue argument = mlirBlockGetArgument(e->block, i);
    const char *name = name_of(e, argument);
    XcXModelOp *op = xcXModelAddOp(e->model, name, "data");
    if (!set_tensor(e, e->function, op, name, mlirValueGetType(argument)))
      return false;
    xcXModelOpSetShape(op);
  }
  return true;
}

static void export_results(exporter *e, MlirOperation terminator) {
  XcXModelAttrs attrs = xcXModelGetAttrs(e->model);
  XcXModelAttr ops =
      xcXModelAttrsSet(attrs, "return_ops", XcXModelKindStringVec);
  XcXModelAttr names =
      xcXModelAttrsSet(attrs, "output_names", XcXModelKindStringVec);
  bool differ = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); ++i) {
    const char *op = name_of(e, mlirOperationGetOperand(terminator, i));
    const char *name = boundary_name(e, "output_names", (size_t)i);
    name = name ? name : op;
    differ = differ || strcmp(op, name) != 0;
    xcXModelAttrAppend(ops, NULL, xcXModelValueString(op));
    xcXModelAttrAppend(names, NULL, xcXModelValueString(name));
  }
  if (!differ)
    xcXModelAttrsRemove(attrs, "output_names");
}

// How pictures become inputs goes with the model.
static void export_preprocess(exporter *e) {
  MlirAttribute found = xc_op_attribute(e->function, XC_PREPROCESS);
  if (mlirAttributeIsNull(found) || !mlirAttributeIsAString(found))
    return;
  MlirStringRef text = mlirStringAttrGetValue(found);
  xc_text copy = {0};
  xc_text_append(&copy, text.data, text.length);
  xcXModelAttrsSetString(xcXModelGetAttrs(e->model), XC_PREPROCESS,
                         xc_text_str(&copy));
  xc_text_free(&copy);
}

static bool export_block(exporter *e) {
  collect_names(e);
  if (!export_arguments(e))
    return false;
  MlirOperation terminator = mlirBlockGetTerminator(e->block);
  for (MlirOperation op = mlirBlockGetFirstOperation(e->block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    if (!export_operation(e, op))
      return false;
  export_results(e, terminator);
  export_preprocess(e);
  return true;
}

static bool find_function(MlirModule module, MlirOperation *function) {
  *function = (MlirOperation){NULL};
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!xc_op_is(op, "func.func") || !mlirOperationIsNull(*function))
      return xc_op_error(op, "stands beside the one function that an xmodel "
                             "can hold");
    *function = op;
  }
  if (mlirOperationIsNull(*function))
    return xc_op_error(mlirModuleGetOperation(module), "has no function");
  if (mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(*function, 0))))
    return xc_op_error(*function, "has no body");
  return true;
}

XcXModel *xcExportXModel(MlirModule module) {
  exporter e = {0};
  if (!find_function(module, &e.function))
    return NULL;
  e.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(e.function, 0));
  const char *name = string_attribute(&e, e.function, "sym_name");
  e.model = xcXModelCreate(name ? name : "main");
  bool ok = export_block(&e);
  free(e.values);
  xc_arena_free(&e.arena);
  if (ok)
    return e.model;
  xcXModelDestroy(e.model);
  return NULL;
}
