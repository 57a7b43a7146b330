//===- Rebuild.c - a graph with one change --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rebuild.h"

#include "Support/Memory.h"
#include "dialects/Build.h"
#include "xc-c/Dialects.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1024 };

typedef struct rebuild {
  const fuzz_change *change;
  xc_builder at;
  MlirLocation location;
  // Old values and what they are now; null where an operator could not be made.
  MlirValue from[MAX_VALUES], to[MAX_VALUES];
  size_t num_values;
  MlirValue more_results[XC_MAX_OPERANDS];
  size_t num_more;
} rebuild;

static void map(rebuild *b, MlirValue from, MlirValue to) {
  if (b->num_values == MAX_VALUES)
    return;
  b->from[b->num_values] = from;
  b->to[b->num_values++] = to;
}

static MlirValue mapped(const rebuild *b, MlirValue value) {
  for (size_t i = b->num_values; i-- > 0;)
    if (mlirValueEqual(b->from[i], value))
      return b->to[i];
  return (MlirValue){NULL};
}

static bool is_change(const rebuild *b, fuzz_change_kind kind, size_t index) {
  return b->change->kind == kind && b->change->index == index;
}

static xc_shape shape_of(MlirValue value) {
  xc_shape shape = {0};
  xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape;
}

static MlirValue new_argument(rebuild *b, const xc_shape *shape) {
  return mlirBlockAddArgument(
      b->at.block, xc_type_of_shape(b->at.context, shape), b->location);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// A part of a constant, from the beginning of every dimension; what lies
// beyond repeats.
static MlirValue cut_constant(rebuild *b, MlirOperation constant,
                              const xc_shape *wanted, bool splat) {
  xc_shape old = shape_of(mlirOperationGetResult(constant, 0));
  size_t size;
  unsigned char *bytes = xc_const_bytes(constant, &size);
  if (!bytes)
    return (MlirValue){NULL};
  size_t unit = xc_element_size(old.element);
  size_t count = (size_t)xc_shape_num_elements(wanted);
  unsigned char *cut = xc_alloc(count * unit);
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i, at = 0, step = 1;
    for (size_t dim = wanted->rank; dim-- > 0;) {
      size_t index = rest % (size_t)wanted->dims[dim];
      rest /= (size_t)wanted->dims[dim];
      at += index % (size_t)old.dims[dim] * step;
      step *= (size_t)old.dims[dim];
    }
    memcpy(cut + i * unit, bytes + (splat ? 0 : at) * unit, unit);
  }
  MlirValue value = xc_build_const_bytes(&b->at, cut, wanted);
  free(cut);
  free(bytes);
  return value;
}

static bool copy_constant(rebuild *b, MlirOperation op, size_t index) {
  xc_shape shape = shape_of(mlirOperationGetResult(op, 0));
  if (is_change(b, FUZZ_SET_CONST_DIM, index))
    shape.dims[0] = b->change->value;
  MlirValue value =
      cut_constant(b, op, &shape, is_change(b, FUZZ_SPLAT, index));
  map(b, mlirOperationGetResult(op, 0), value);
  return !mlirValueIsNull(value);
}

// What the dimensions of a parameter have to be, given the operands in front.
static void fit_parameter(const xc_op_info *info, const MlirValue *operands,
                          size_t slot, const int64_t *kernel, int64_t group,
                          xc_shape *shape) {
  xc_shape input = shape_of(operands[0]);
  int64_t channels = input.rank ? input.dims[input.rank - 1] : 1;
  bool depthwise = info->rule == XC_RULE_DEPTHWISE_CONV2D ||
                   info->rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D;
  bool conv = depthwise || info->rule == XC_RULE_CONV2D ||
              info->rule == XC_RULE_TRANSPOSED_CONV2D;
  if (conv && slot == 1 && shape->rank == 4) {
    shape->dims[1] = kernel[1];
    shape->dims[2] = kernel[0];
    shape->dims[3] = depthwise ? channels : channels / group;
  } else if (conv && slot == 2 && shape->rank == 1 &&
             !mlirValueIsNull(operands[1])) {
    int64_t first = shape_of(operands[1]).dims[0];
    shape->dims[0] = depthwise ? first * channels : first;
  } else if (info->rule == XC_RULE_BROADCAST_TO_FIRST) {
    for (size_t i = 0; i < shape->rank && i < input.rank; ++i) {
      int64_t *dim = &shape->dims[shape->rank - 1 - i];
      int64_t most = input.dims[input.rank - 1 - i];
      *dim = *dim == 1 ? 1 : most;
    }
  }
}

static void read_window(MlirOperation op, const fuzz_change *change,
                        size_t index, int64_t kernel[2], int64_t *group) {
  xc_adaptor adaptor;
  int64_t ints[XC_MAX_INTS] = {0};
  bool changes = change->kind == FUZZ_SET_INT && change->index == index;
  if (!xc_adaptor_of(op, &adaptor))
    return;
  if (xc_attribute_info_find(adaptor.info, "kernel", strlen("kernel")))
    xc_attr_ints(&adaptor, XC_ATTR_KERNEL, ints);
  kernel[0] = ints[0];
  kernel[1] = ints[1];
  if (xc_attribute_info_find(adaptor.info, "group", strlen("group")))
    *group = xc_attr_int(&adaptor, XC_ATTR_GROUP);
  if (changes && strcmp(change->name, "kernel") == 0)
    kernel[change->entry] = change->value;
  if (changes && strcmp(change->name, "group") == 0)
    *group = change->value;
  if (*group < 1)
    *group = 1;
}

// A constant of another size where the operator needs one.
static MlirValue fit_operand(rebuild *b, const xc_op_info *info,
                             MlirOperation op, size_t index, size_t slot,
                             const MlirValue *operands, MlirValue value) {
  if (slot == 0 || !mlirValueIsAOpResult(value) || mlirValueIsNull(operands[0]))
    return value;
  MlirOperation constant = mlirOpResultGetOwner(value);
  const xc_op_info *owner = xc_op_info_of(constant);
  if (!owner || owner->rule != XC_RULE_CONST)
    return value;
  int64_t kernel[2] = {1, 1}, group = 1;
  read_window(op, b->change, index, kernel, &group);
  xc_shape shape = shape_of(value), wanted = shape;
  fit_parameter(info, operands, slot, kernel, group, &wanted);
  if (memcmp(shape.dims, wanted.dims, sizeof(shape.dims)) == 0)
    return value;
  for (size_t i = 0; i < wanted.rank; ++i)
    if (wanted.dims[i] < 1)
      return value;
  return cut_constant(b, constant, &wanted, false);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// A list with an entry for each operand, without that of the dropped one.
static MlirAttribute without_entry(MlirContext context, MlirAttribute old,
                                   size_t dropped) {
  MlirAttribute entries[XC_MAX_INTS];
  intptr_t count = 0;
  for (intptr_t i = 0;
       i < mlirArrayAttrGetNumElements(old) && count < XC_MAX_INTS; ++i)
    if ((size_t)i != dropped)
      entries[count++] = mlirArrayAttrGetElement(old, i);
  return mlirArrayAttrGet(context, count, entries);
}

static MlirAttribute with_int(MlirContext context, MlirAttribute old,
                              const fuzz_change *change) {
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirAttribute number = mlirIntegerAttrGet(i32, change->value);
  if (!mlirAttributeIsAArray(old))
    return number;
  MlirAttribute entries[XC_MAX_INTS];
  intptr_t count = mlirArrayAttrGetNumElements(old);
  for (intptr_t i = 0; i < count && i < XC_MAX_INTS; ++i)
    entries[i] =
        (size_t)i == change->entry ? number : mlirArrayAttrGetElement(old, i);
  return mlirArrayAttrGet(context, count, entries);
}

static size_t copy_attributes(const rebuild *b, const xc_op_info *info,
                              MlirOperation op, size_t index,
                              xc_attribute *attributes) {
  size_t count = 0;
  const fuzz_change *change = b->change;
  for (size_t i = 0; i < info->num_attributes; ++i) {
    const char *name = info->attributes[i].name;
    MlirAttribute value = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString(name));
    bool is_changed = change->name && strcmp(change->name, name) == 0;
    if (mlirAttributeIsNull(value) ||
        (is_changed && is_change(b, FUZZ_DROP_ATTRIBUTE, index)))
      continue;
    if (is_changed && is_change(b, FUZZ_SET_INT, index))
      value = with_int(b->at.context, value, change);
    if (is_change(b, FUZZ_DROP_OPERAND, index) &&
        strncmp(name, "input_", strlen("input_")) == 0 &&
        mlirAttributeIsAArray(value))
      value = without_entry(b->at.context, value, (size_t)change->value);
    attributes[count++] = xc_given(name, value);
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// True when the change takes the operator out.
static bool replace_operator(rebuild *b, MlirOperation op, size_t index) {
  MlirValue result = mlirOperationGetResult(op, 0);
  xc_shape shape = shape_of(result);
  if (is_change(b, FUZZ_MAKE_ARGUMENT, index)) {
    map(b, result, new_argument(b, &shape));
    return true;
  }
  bool bypasses = is_change(b, FUZZ_BYPASS, index);
  if (bypasses && b->change->value < mlirOperationGetNumOperands(op)) {
    map(b, result, mapped(b, mlirOperationGetOperand(op, b->change->value)));
    return true;
  }
  if (!is_change(b, FUZZ_RETURN_OPERANDS, index))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mapped(b, mlirOperationGetOperand(op, i));
    bool is_constant =
        !mlirValueIsAOpResult(value) ||
        xc_op_info_of(mlirOpResultGetOwner(value))->rule == XC_RULE_CONST;
    if (!is_constant && b->num_more < XC_MAX_OPERANDS)
      b->more_results[b->num_more++] = value;
  }
  map(b, result, (MlirValue){NULL});
  return true;
}

// False when an operand is missing, so that the operator goes, too.
static bool copy_operands(rebuild *b, const xc_adaptor *adaptor,
                          MlirOperation op, size_t index, MlirValue *operands) {
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    operands[slot] = (MlirValue){NULL};
    if (!xc_has_operand(adaptor, slot) ||
        (adaptor->info->operands[slot].optional &&
         is_change(b, FUZZ_DROP_OPERAND, index) &&
         b->change->value == (int64_t)slot))
      continue;
    MlirValue value = mapped(b, xc_operand(adaptor, slot));
    if (mlirValueIsNull(value))
      return false;
    operands[slot] =
        fit_operand(b, adaptor->info, op, index, slot, operands, value);
    if (mlirValueIsNull(operands[slot]))
      return false;
  }
  return true;
}

static bool copy_operator(rebuild *b, MlirOperation op, size_t index) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(op, &adaptor))
    return false;
  if (adaptor.info->rule == XC_RULE_CONST)
    return copy_constant(b, op, index);
  if (replace_operator(b, op, index))
    return true;
  MlirValue operands[XC_MAX_OPERANDS], result = mlirOperationGetResult(op, 0);
  xc_attribute attributes[64];
  if (!copy_operands(b, &adaptor, op, index, operands) ||
      mlirValueIsNull(operands[0])) {
    map(b, result, (MlirValue){NULL});
    return true;
  }
  size_t count = copy_attributes(b, adaptor.info, op, index, attributes);
  MlirValue value =
      xc_build(&b->at, adaptor.info->kind, operands, adaptor.info->num_operands,
               attributes, count, shape_of(result).element);
  map(b, result, value);
  return !mlirValueIsNull(value);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static void copy_arguments(rebuild *b, MlirBlock body) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue old = mlirBlockGetArgument(body, i);
    xc_shape shape = shape_of(old);
    if (is_change(b, FUZZ_SET_DIM, (size_t)i))
      shape.dims[b->change->entry] = b->change->value;
    map(b, old, new_argument(b, &shape));
  }
}

static bool copy_return(rebuild *b, MlirOperation op) {
  MlirValue results[MAX_VALUES];
  size_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mapped(b, mlirOperationGetOperand(op, i));
    if (!is_change(b, FUZZ_DROP_RESULT, (size_t)i) && !mlirValueIsNull(value) &&
        mlirValueIsAOpResult(value) && count < MAX_VALUES - XC_MAX_OPERANDS)
      results[count++] = value;
  }
  for (size_t i = 0; i < b->num_more; ++i)
    results[count++] = b->more_results[i];
  xc_build_return(&b->at, results, count);
  return count > 0;
}

// What no longer leads to a result.
static void drop_unused(MlirBlock body) {
  MlirOperation ops[MAX_VALUES];
  size_t count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op) && count < MAX_VALUES;
       op = mlirOperationGetNextInBlock(op))
    ops[count++] = op;
  while (count-- > 0)
    if (mlirOperationGetNumResults(ops[count]) == 1 &&
        mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(ops[count], 0))))
      mlirOperationDestroy(ops[count]);
  for (intptr_t i = mlirBlockGetNumArguments(body); i-- > 0;)
    if (mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirBlockGetArgument(body, i))))
      mlirBlockEraseArgument(body, (unsigned)i);
}

static bool copy_body(rebuild *b, MlirBlock body) {
  copy_arguments(b, body);
  MlirOperation op = mlirBlockGetFirstOperation(body), next;
  size_t index = 0;
  while (!mlirOperationIsNull(next = mlirOperationGetNextInBlock(op))) {
    if (!copy_operator(b, op, index++))
      return false;
    op = next;
  }
  return copy_return(b, op);
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user_data) {
  (void)diagnostic;
  (void)user_data;
  return mlirLogicalResultSuccess();
}

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static bool differ(MlirOperation a, MlirOperation b) {
  xc_text texts[2] = {{0}};
  mlirOperationPrint(a, append, &texts[0]);
  mlirOperationPrint(b, append, &texts[1]);
  bool result = strcmp(xc_text_str(&texts[0]), xc_text_str(&texts[1])) != 0;
  xc_text_free(&texts[0]);
  xc_text_free(&texts[1]);
  return result;
}

MlirModule fuzz_rebuild(MlirModule module, const fuzz_change *change) {
  MlirContext context = mlirModuleGetContext(module);
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, body);
  rebuild *b = xc_alloc(sizeof(rebuild));
  b->change = change;
  b->location = mlirLocationUnknownGet(context);
  b->at = xc_builder_in(body, b->location);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  bool ok = copy_body(b, fuzz_body(fuzz_main_function(module)));
  free(b);
  MlirModule result = {NULL};
  if (ok) {
    drop_unused(body);
    result = fuzz_wrap(context, region);
    MlirOperation op = mlirModuleGetOperation(result);
    ok = mlirOperationVerify(op) && mlirLogicalResultIsSuccess(xcVerify(op)) &&
         differ(op, mlirModuleGetOperation(module));
    if (!ok)
      mlirModuleDestroy(result);
  } else {
    mlirRegionDestroy(region);
  }
  mlirContextDetachDiagnosticHandler(context, handler);
  return ok ? result : (MlirModule){NULL};
}
