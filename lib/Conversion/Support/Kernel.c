//===- Kernel.c - operators as functions of loops -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Bufferize/NumInputs.h"
#include "Bufferize/Tensors.h"
#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/Text.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { MAX_TABLES = XC_OUTLINE_MAX_ARGUMENTS - XC_MAX_OPERANDS };

// An argument of a function beside its operands: a constant; with a null value
// a scratch buffer, or the status.
typedef struct kernel_table {
  MlirAttribute value;
  MlirType type;
  bool is_scratch;
} kernel_table;

typedef struct xc_kernel_function {
  const char *name;
  MlirBlock body;
  kernel_table tables[MAX_TABLES];
  size_t num_tables;
  MlirValue status; // null: cannot fail
} xc_kernel_function;

//===----------------------------------------------------------------------===//
// Outputs among the arguments
//===----------------------------------------------------------------------===//

static bool note_num_inputs(void *user_data, MlirOperation function) {
  (void)user_data;
  MlirStringRef name = xc_ref(XC_NAME_NUM_INPUTS);
  if (mlirRegionIsNull(xc_function_body(function)) ||
      !mlirAttributeIsNull(mlirOperationGetAttributeByName(function, name)))
    return true;
  MlirContext context = mlirOperationGetContext(function);
  mlirOperationSetAttributeByName(
      function, name,
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64),
                         xc_function_num_inputs(function)));
  return true;
}

void xc_note_num_inputs(MlirOperation module) {
  xc_for_each_function(module, note_num_inputs, NULL);
}

//===----------------------------------------------------------------------===//
// Keys of functions
//===----------------------------------------------------------------------===//

// Returns the attributes that say what is computed; names and ids do not.
static MlirAttribute computing_attributes(MlirOperation operation,
                                          const xc_op_info *info) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirNamedAttribute kept[64];
  intptr_t count = mlirOperationGetNumAttributes(operation), num_kept = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(operation, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    bool computes = mlirStringRefEqual(name, xc_ref("operandSegmentSizes"));
    for (size_t k = 0; k < info->num_attributes && !computes; ++k)
      computes = mlirStringRefEqual(name, xc_ref(info->attributes[k].name));
    if (computes && num_kept < 64)
      kept[num_kept++] = attribute;
  }
  return mlirDictionaryAttrGet(context, num_kept, kept);
}

static bool output_is_apart(MlirOperation operation) {
  intptr_t last = mlirOperationGetNumOperands(operation) - 1;
  MlirValue output = xc_output_root(operation);
  for (intptr_t i = 0; i < last; ++i)
    if (mlirValueEqual(xc_whole_buffer(mlirOperationGetOperand(operation, i)),
                       output))
      return false;
  return true;
}

static MlirAttribute key_of(MlirOperation operation, const xc_op_info *info,
                            bool apart, const char *kernel) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirAttribute parts[4 + XC_MAX_OPERANDS] = {
      mlirStringAttrGet(context,
                        mlirIdentifierStr(mlirOperationGetName(operation))),
      computing_attributes(operation, info), mlirBoolAttrGet(context, apart),
      mlirStringAttrGet(context, xc_ref(kernel ? kernel : ""))};
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i)
    parts[4 + i] = mlirTypeAttrGet(
        mlirValueGetType(mlirOperationGetOperand(operation, i)));
  return mlirArrayAttrGet(context, 4 + operands, parts);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool xc_kernel_is_empty(MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    if (mlirShapedTypeGetDimSize(type, i) == 0)
      return true;
  return false;
}

MlirType xc_kernel_one_element(MlirType type) {
  const int64_t one = 1;
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 1,
                                     &one, mlirAttributeGetNull());
}

static MlirType argument_type(MlirType type) {
  MlirType plain = xc_outline_signless(type);
  return xc_kernel_is_empty(plain) ? xc_kernel_one_element(plain) : plain;
}

MlirValue xc_kernel_cast_empty(const xc_builder *builder, MlirValue value,
                               MlirType type) {
  MlirContext context = builder->context;
  int64_t sizes[XC_MAX_RANK], strides[XC_MAX_RANK];
  const int64_t offset = 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = rank, stride = 1; i-- > 0; stride *= sizes[i]) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
    strides[i] = stride;
  }
  const int32_t segments[] = {1, 0, 0, 0};
  const MlirNamedAttribute attributes[] = {
      xc_named(context, "static_offsets",
               mlirDenseI64ArrayGet(context, 1, &offset)),
      xc_named(context, "static_sizes",
               mlirDenseI64ArrayGet(context, rank, sizes)),
      xc_named(context, "static_strides",
               mlirDenseI64ArrayGet(context, rank, strides)),
      xc_named(context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(context, 4, segments))};
  return xc_build_value(builder, "memref.reinterpret_cast", type, &value, 1,
                        attributes, 4);
}

static MlirValue cast_argument(const xc_builder *builder, MlirValue value) {
  MlirType from = mlirValueGetType(value), to = xc_outline_signless(from);
  if (xc_kernel_is_empty(from)) {
    value = xc_kernel_cast_empty(builder, value, xc_kernel_one_element(from));
    to = argument_type(from);
  }
  return xc_build_cast(builder, value, to);
}

// Operators read constants of rank 0 in place.
static MlirValue buffer_of(const xc_builder *builder, MlirValue value) {
  if (!mlirTypeIsATensor(mlirValueGetType(value)))
    return value;
  MlirOperation constant = mlirOpResultGetOwner(value);
  MlirNamedAttribute attribute = xc_named(
      builder->context, "value", xc_operation_attr(constant, XC_ATTR_VALUE));
  const xc_builder at =
      xc_builder_at(builder, mlirOperationGetLocation(constant));
  return xc_build_value(&at, "memtx.const",
                        xc_memref_of_tensor(mlirValueGetType(value)), NULL, 0,
                        &attribute, 1);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirValue add_table(xc_lowering *lowering, MlirAttribute value,
                           MlirType type) {
  xc_kernel_function *function = lowering->function;
  assert(function->num_tables < MAX_TABLES && "functions have few tables");
  function->tables[function->num_tables++] = (kernel_table){value, type, false};
  return mlirBlockAddArgument(function->body, argument_type(type),
                              lowering->ir.location);
}

void *xc_lowering_alloc(xc_lowering *lowering, int64_t count, size_t size) {
  return xc_arena_alloc(lowering->arena, (size_t)count, size);
}

MlirValue xc_lowering_table(xc_lowering *lowering, const void *bytes,
                            xc_element element, size_t rank,
                            const int64_t *dims) {
  MlirContext context = lowering->ir.context;
  xc_shape shape = {.element = element, .rank = rank, .memref = true};
  memcpy(shape.dims, dims, rank * sizeof(*dims));
  MlirValue table =
      add_table(lowering, xc_dense_attribute(context, bytes, &shape),
                xc_type_of_shape(context, &shape));
  const xc_builder builder =
      xc_builder_in(lowering->ir.block, lowering->ir.location);
  MlirType type = xc_type_of_shape(context, &shape);
  return xc_kernel_is_empty(type)
             ? xc_kernel_cast_empty(&builder, table, xc_outline_signless(type))
             : table;
}

MlirValue xc_lowering_scratch(xc_lowering *lowering, xc_element element,
                              size_t rank, const int64_t *dims) {
  xc_shape shape = {.element = element, .rank = rank, .memref = true};
  memcpy(shape.dims, dims, rank * sizeof(*dims));
  xc_kernel_function *function = lowering->function;
  MlirValue buffer = add_table(lowering, mlirAttributeGetNull(),
                               xc_type_of_shape(lowering->ir.context, &shape));
  function->tables[function->num_tables - 1].is_scratch = true;
  return buffer;
}

void xc_lowering_fail_if(xc_lowering *lowering, MlirValue condition,
                         xc_status status) {
  xc_ir *ir = &lowering->ir;
  xc_kernel_function *function = lowering->function;
  xc_shape one = {.element = XC_ELEMENT_I32, .memref = true};
  if (!function->status.ptr)
    function->status = add_table(lowering, mlirAttributeGetNull(),
                                 xc_type_of_shape(ir->context, &one));
  xc_ir_branch branch = xc_ir_if(ir, condition, NULL, 0);
  xc_ir_store(ir, xc_ir_int(ir, ir->i32, status), function->status, NULL, 0);
  xc_ir_end_if(ir, &branch, NULL);
}

// The arguments of the function as the lowering sees them.
static void add_arguments(xc_lowering *l, const MlirValue *arguments,
                          size_t count) {
  const xc_adaptor *op = l->op;
  MlirBlock body = l->function->body;
  const xc_builder builder = xc_builder_in(body, op->location);
  for (size_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(arguments[i]);
    MlirValue argument =
        mlirBlockAddArgument(body, argument_type(type), op->location);
    if (xc_kernel_is_empty(type))
      argument =
          xc_kernel_cast_empty(&builder, argument, xc_outline_signless(type));
    for (size_t slot = 0; slot < op->info->num_operands; ++slot)
      if (op->positions[slot] == (int)i)
        l->buffers[slot] = argument;
  }
}

static bool read_shapes(xc_lowering *l) {
  const xc_adaptor *op = l->op;
  size_t last = op->info->num_operands - 1;
  for (size_t slot = 0; slot <= last; ++slot)
    if (xc_has_operand(op, slot) &&
        (!xc_shape_of_type(op->operand_types[slot], &l->shapes[slot]) ||
         l->shapes[slot].element == XC_ELEMENT_NONE))
      return xc_adaptor_error(op,
                              "has an operand that is not a static buffer of "
                              "known elements");
  l->output = l->buffers[last];
  l->result = l->shapes[last];
  return true;
}

// Names the roles of arguments for readers of source code: `xc.arguments`.
static void name_arguments(const xc_adaptor *op, size_t count,
                           const xc_kernel_function *function,
                           MlirOperation made) {
  MlirContext context = mlirOperationGetContext(made);
  MlirAttribute names[XC_OUTLINE_MAX_ARGUMENTS];
  size_t total = count + function->num_tables;
  for (size_t i = 0; i < total; ++i)
    names[i] = mlirStringAttrGet(context, xc_ref("table"));
  for (size_t slot = 0; slot < op->info->num_operands; ++slot)
    if (op->positions[slot] >= 0)
      names[op->positions[slot]] =
          mlirStringAttrGet(context, xc_ref(op->info->operands[slot].name));
  for (size_t i = 0; i < function->num_tables; ++i)
    if (mlirAttributeIsNull(function->tables[i].value))
      names[count + i] = mlirStringAttrGet(
          context,
          xc_ref(function->tables[i].is_scratch ? "scratch" : "status"));
  mlirOperationSetAttributeByName(
      made, xc_ref(XC_NAME_ARGUMENTS),
      mlirArrayAttrGet(context, (intptr_t)total, names));
}

// Writes the function; null after a diagnostic.
static xc_kernel_function *make_function(xc_outliner *outliner,
                                         const xc_adaptor *op,
                                         const MlirValue *arguments,
                                         size_t count, bool apart,
                                         bool (*lower)(xc_lowering *lowering)) {
  xc_kernel_function *function =
      xc_arena_alloc(&outliner->arena, 1, sizeof(*function));
  function->body = mlirBlockCreate(0, NULL, NULL);
  xc_arena scratch = {0};
  xc_lowering lowering = {.ir =
                              xc_ir_create(mlirLocationGetContext(op->location),
                                           op->location, function->body),
                          .op = op,
                          .arena = &scratch,
                          .outliner = outliner,
                          .function = function};
  add_arguments(&lowering, arguments, count);
  bool ok = read_shapes(&lowering) && lower(&lowering);
  xc_arena_free(&scratch);
  if (!ok) {
    mlirBlockDestroy(function->body);
    return NULL;
  }
  bool alone[XC_OUTLINE_MAX_ARGUMENTS] = {false};
  alone[count - 1] = apart;
  const char *name =
      outliner->kernel_name ? outliner->kernel_name : op->info->mnemonic;
  function->name =
      xc_outline(outliner, op->location, name, function->body, alone);
  if (outliner->for_source)
    name_arguments(op, count, function,
                   mlirBlockGetParentOperation(function->body));
  return function;
}

static MlirValue build_table(const xc_builder *builder,
                             const kernel_table *table) {
  MlirContext context = builder->context;
  if (table->is_scratch)
    return xc_build_alloc(builder, table->type, NULL);
  if (mlirAttributeIsNull(table->value)) {
    MlirNamedAttribute status =
        xc_named(context, XC_NAME_STATUS, mlirUnitAttrGet(context));
    return xc_build_alloc(builder, table->type, &status);
  }
  MlirNamedAttribute value = xc_named(context, "value", table->value);
  return xc_build_value(builder, "memtx.const", table->type, NULL, 0, &value,
                        1);
}

static void name_operator(MlirOperation operation, const xc_op_info *info,
                          MlirOperation call) {
  MlirAttribute name = xc_op_attribute(operation, "op_name");
  if (!mlirAttributeIsNull(name))
    mlirOperationSetAttributeByName(call, xc_ref("op_name"), name);
  xc_op_set_string(call, XC_NAME_OPERATOR, info->mnemonic);
}

static MlirOperation build_call(MlirOperation operation,
                                const xc_kernel_function *function,
                                MlirValue *arguments, size_t count) {
  xc_builder builder = xc_builder_before(operation);
  for (size_t i = 0; i < count; ++i)
    arguments[i] = cast_argument(&builder, arguments[i]);
  for (size_t i = 0; i < function->num_tables; ++i)
    arguments[count++] =
        cast_argument(&builder, build_table(&builder, &function->tables[i]));
  return xc_build_call(&builder, function->name, arguments, count, NULL, 0);
}

bool xc_kernel_lower(xc_outliner *outliner, MlirOperation operation,
                     bool (*lower)(xc_lowering *lowering)) {
  xc_adaptor op;
  if (!xc_adaptor_of(operation, &op))
    return xc_op_error(operation,
                       "has operands that do not fit; it was not verified");
  MlirValue arguments[XC_OUTLINE_MAX_ARGUMENTS];
  size_t count = (size_t)mlirOperationGetNumOperands(operation);
  xc_builder builder = xc_builder_before(operation);
  for (size_t i = 0; i < count; ++i)
    arguments[i] =
        buffer_of(&builder, mlirOperationGetOperand(operation, (intptr_t)i));
  bool apart = output_is_apart(operation);
  MlirAttribute key = key_of(operation, op.info, apart, outliner->kernel_key);
  xc_kernel_function *function =
      xc_pointer_map_get(&outliner->functions, key.ptr);
  if (!function) {
    function = make_function(outliner, &op, arguments, count, apart, lower);
    if (!function)
      return false;
    xc_pointer_map_set(&outliner->functions, key.ptr, function);
  }
  MlirOperation call = build_call(operation, function, arguments, count);
  if (outliner->for_source)
    name_operator(operation, op.info, call);
  mlirOperationDestroy(operation);
  return true;
}
