//===- XModelExport.c - writes tir as an xmodel ---------------------------===//
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

#include "TirXModel.h"

#include "IR/IR.h"

#include "Support/Memory.h"
#include "Support/Preprocess.h"
#include "Support/Text.h"
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

// The name of an argument or result, or null.
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

static void set_ints(XcXModelAttrs attrs, const char *name,
                     MlirAttribute value) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, XcXModelKindInt32Vec);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    xcXModelAttrAppend(attr, NULL,
                       xcXModelValueInt(mlirIntegerAttrGetValueInt(
                           mlirArrayAttrGetElement(value, i))));
}

static void set_floats(XcXModelAttrs attrs, const char *name,
                       MlirAttribute value) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, XcXModelKindFloatVec);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    xcXModelAttrAppend(attr, NULL,
                       xcXModelValueReal(mlirFloatAttrGetValueDouble(
                           mlirArrayAttrGetElement(value, i))));
}

static void set_default_ints(XcXModelAttrs attrs,
                             const xc_attribute_info *info) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, info->name, XcXModelKindInt32Vec);
  for (size_t i = 0; i < info->default_count; ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueInt(info->default_ints[i]));
}

static void set_default(XcXModelAttrs attrs, const xc_attribute_info *info) {
  switch (info->type) {
  case XC_ATTRIBUTE_INT:
    xcXModelAttrsSetInt32(attrs, info->name, info->default_int);
    return;
  case XC_ATTRIBUTE_BOOL:
    xcXModelAttrsSetBool(attrs, info->name, info->default_int != 0);
    return;
  case XC_ATTRIBUTE_FLOAT:
    xcXModelAttrsSetFloat(attrs, info->name, info->default_float);
    return;
  case XC_ATTRIBUTE_STRING:
    xcXModelAttrsSetString(attrs, info->name, xc_enum_name(info->default_case));
    return;
  case XC_ATTRIBUTE_INTS:
    set_default_ints(attrs, info);
    return;
  case XC_ATTRIBUTE_FLOATS:
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return;
  }
}

// XPU_ROUND is the article's word for DPU_ROUND; the format has the latter.
static const char *word_of(exporter *e, MlirAttribute value) {
  const char *word = keep(e, mlirStringAttrGetValue(value));
  return strcmp(word, "XPU_ROUND") != 0 ? word : "DPU_ROUND";
}

static void set_attribute(exporter *e, XcXModelAttrs attrs,
                          const xc_attribute_info *info, MlirAttribute value) {
  switch (info->type) {
  case XC_ATTRIBUTE_INT:
    xcXModelAttrsSetInt32(attrs, info->name,
                          (int32_t)mlirIntegerAttrGetValueInt(value));
    return;
  case XC_ATTRIBUTE_BOOL:
    xcXModelAttrsSetBool(attrs, info->name, mlirBoolAttrGetValue(value));
    return;
  case XC_ATTRIBUTE_FLOAT:
    xcXModelAttrsSetFloat(attrs, info->name,
                          (float)mlirFloatAttrGetValueDouble(value));
    return;
  case XC_ATTRIBUTE_STRING:
    xcXModelAttrsSetString(attrs, info->name, word_of(e, value));
    return;
  case XC_ATTRIBUTE_INTS:
    set_ints(attrs, info->name, value);
    return;
  case XC_ATTRIBUTE_FLOATS:
    set_floats(attrs, info->name, value);
    return;
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return; // of constants and custom operators, which have their own ways
  }
}

// tir has one value for the border, the format a list.
static void rename_pad_value(XcXModelAttrs attrs, const xc_op_info *info) {
  double value;
  if (info->kind == XC_TIR_PAD &&
      xcXModelAttrsGetReal(attrs, "constant_value", &value)) {
    XcXModelAttr attr =
        xcXModelAttrsSet(attrs, "constant_values", XcXModelKindFloatVec);
    xcXModelAttrAppend(attr, NULL, xcXModelValueReal(value));
    xcXModelAttrsRemove(attrs, "constant_value");
  }
}

static bool is_fix_point(const char *name) {
  static const char suffix[] = "_fix_point";
  size_t length = strlen(name), tail = sizeof(suffix) - 1;
  return length > tail && !strcmp(name + length - tail, suffix);
}

// Stated always: an importer would take an absent one from the tensors, where
// tir means 0.
static void set_default_fix_point(const xc_adaptor *adaptor,
                                  XcXModelAttrs attrs,
                                  const xc_attribute_info *info) {
  if (info->type != XC_ATTRIBUTE_INTS || info->default_count) {
    set_default(attrs, info);
    return;
  }
  XcXModelAttr attr = xcXModelAttrsSet(attrs, info->name, XcXModelKindInt32Vec);
  for (size_t i = 0; i < xc_num_inputs(adaptor); ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueInt(0));
}

static void set_attributes(exporter *e, const xc_adaptor *adaptor,
                           XcXModelOp *op) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  for (size_t i = 0; i < adaptor->info->num_attributes; ++i) {
    const xc_attribute_info *info = &adaptor->info->attributes[i];
    MlirAttribute value = xc_attr_get(adaptor, info->id);
    if (!mlirAttributeIsNull(value))
      set_attribute(e, attrs, info, value);
    else if (is_fix_point(info->name))
      set_default_fix_point(adaptor, attrs, info);
    else if (info->has_default && xc_xmodel_attr_is_expected(info->name))
      set_default(attrs, info);
  }
  rename_pad_value(attrs, adaptor->info);
}

static int64_t dim_from_end(const xc_adaptor *adaptor, size_t slot,
                            size_t index) {
  xc_shape shape = xc_operand_shape(adaptor, slot);
  return index < shape.rank ? shape.dims[shape.rank - 1 - index] : 0;
}

// Convolutions repeat what their operands say.
static void set_conv_attributes(const xc_adaptor *adaptor, XcXModelOp *op) {
  if (!strstr(adaptor->info->mnemonic, "conv2d") ||
      !strncmp(adaptor->info->mnemonic, "qlinear", 7))
    return;
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  bool has_bias = xc_has_operand(adaptor, XC_CONV2D_BIAS);
  xc_shape result;
  (void)xc_shape_of_type(
      mlirValueGetType(mlirOperationGetResult(adaptor->operation, 0)), &result);
  xcXModelAttrsSetBool(attrs, "bias_term", has_bias);
  xcXModelAttrsSetInt32(attrs, "in_dim", (int32_t)dim_from_end(adaptor, 0, 0));
  xcXModelAttrsSetInt32(attrs, "out_dim",
                        (int32_t)result.dims[result.rank - 1]);
}

// Fix points stand on tensors in the format.
static void set_fix_point(const xc_adaptor *adaptor, XcXModelOp *op) {
  xc_attr id = adaptor->info->kind == XC_TIR_FLOAT2FIX
                   ? XC_ATTR_FIX_POINT
                   : XC_ATTR_OUTPUT_FIX_POINT;
  if (!xc_has_attr(adaptor, id))
    return;
  XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  xcXModelAttrsSetInt32(attrs, "fix_point", (int32_t)xc_attr_int(adaptor, id));
  xcXModelAttrsSetInt32(attrs, "bit_width", xcXModelTensorGetBitWidth(tensor));
  xcXModelAttrsSetBool(attrs, "if_signed",
                       xcXModelTensorGetDataType(tensor) !=
                           XcXModelDataTypeXuint);
  xcXModelAttrsSetString(attrs, "round_mode", "DPU_ROUND");
}

// One argument per name, with its producers in the order of the slots.
static void set_args(exporter *e, const xc_adaptor *adaptor, XcXModelOp *op) {
  bool done[XC_MAX_OPERANDS] = {false};
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    if (done[slot] || !xc_has_operand(adaptor, slot))
      continue;
    const char *arg = xc_xmodel_arg_of_slot(adaptor->info, slot);
    const char *producers[XC_MAX_OPERANDS];
    size_t count = 0;
    for (size_t other = slot; other < adaptor->info->num_operands; ++other) {
      if (!xc_has_operand(adaptor, other) ||
          strcmp(xc_xmodel_arg_of_slot(adaptor->info, other), arg) != 0)
        continue;
      done[other] = true;
      producers[count++] = name_of(e, xc_operand(adaptor, other));
    }
    xcXModelOpAddArg(op, arg, producers, count);
  }
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
  set_args(e, adaptor, op);
  if (!set_tensor(e, adaptor->operation, op, name, type))
    return false;
  set_attributes(e, adaptor, op);
  if (adaptor->info->kind == XC_TIR_DATA)
    xcXModelOpSetShape(op);
  set_conv_attributes(adaptor, op);
  set_fix_point(adaptor, op);
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
