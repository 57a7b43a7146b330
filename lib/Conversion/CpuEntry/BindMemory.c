//===- BindMemory.c - constants and buffers become arguments --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function allocates nothing and has no data of its own: it gets
// one arena, one block of parameters and a place for its status. The functions
// that a model function calls get the rest of its arena.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Support/EntryNames.h"
#include "Conversion/Support/Kernel.h"
#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; // a cache line, and the widest vector load

// One function of the model.
typedef struct body {
  MlirOperation operation;
  MlirBlock block;
  xc_op_list constants, buffers, frees, calls, dead;
  int64_t own;   // bytes of its buffers
  int64_t total; // with those of the functions it calls
  size_t height; // how deep calls nest below it
  enum { NOT_YET, BUSY, KNOWN } state;
  MlirValue arena, params, status;
} body;

typedef struct bind_state {
  MlirContext context;
  body *bodies;
  size_t count, capacity;
  xc_pointer_map by_name; // identifier of a name -> index, from 1
  xc_pointer_map offsets; // elements attribute -> offset in params, from 1
  char *params;
  size_t params_size, params_capacity;
} bind_state;

static int64_t align(int64_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool has(MlirOperation operation, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetAttributeByName(operation, xc_ref(name)));
}

static const void *key_of(MlirContext context, MlirStringRef name) {
  return mlirStringAttrGet(context, name).ptr;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

// Whether a constant is dead and takes no room, as one that packed weights have
// replaced.
static bool is_dead_const(MlirOperation operation, const xc_op_info *info) {
  return (info->kind == XC_TIR_CONST || info->kind == XC_MEMTX_CONST) &&
         mlirOpOperandIsNull(
             mlirValueGetFirstUse(mlirOperationGetResult(operation, 0)));
}

typedef struct visit_state {
  body *body;
  bool ok;
} visit_state;

static MlirWalkResult visit(MlirOperation operation, void *user_data) {
  visit_state *state = user_data;
  body *b = state->body;
  const xc_op_info *info = xc_op_info_of(operation);
  if (info && is_dead_const(operation, info)) {
    xc_op_list_add(&b->dead, operation);
  } else if (info && info->kind == XC_MEMTX_CONST) {
    xc_op_list_add(&b->constants, operation);
  } else if (info) {
    state->ok = xc_op_error(operation, "has not been lowered: run "
                                       "convert-mtir-to-linalg first");
    return MlirWalkResultInterrupt;
  } else if (xc_op_is(operation, "memref.alloc")) {
    xc_op_list_add(&b->buffers, operation);
  } else if (xc_op_is(operation, "memref.dealloc")) {
    xc_op_list_add(&b->frees, operation);
  } else if (xc_op_is(operation, "func.call")) {
    xc_op_list_add(&b->calls, operation);
  }
  return MlirWalkResultAdvance;
}

// The strides of an empty buffer say nothing.
static bool is_buffer(MlirType type, xc_shape *shape) {
  return mlirTypeIsAMemRef(type) && xc_shape_of_type(type, shape) &&
         shape->element != XC_ELEMENT_NONE &&
         (xc_kernel_is_empty(type) || xc_ir_is_contiguous(type));
}

// C hands over pointers to dense elements.
static bool check_arguments(MlirOperation function) {
  MlirType type = xc_function_type(function);
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < count; ++i) {
    xc_shape shape;
    if (!is_buffer(mlirFunctionTypeGetInput(type, i), &shape))
      return xc_op_error(
          function,
          "has an argument (%d) that is not a static, contiguous "
          "buffer of known elements",
          (int)i);
  }
  return true;
}

static bool add_function(void *user_data, MlirOperation function) {
  bind_state *binding = user_data;
  MlirRegion region = xc_function_body(function);
  if (mlirRegionIsNull(region) || has(function, XC_NAME_KERNEL))
    return true;
  if (mlirFunctionTypeGetNumResults(xc_function_type(function)) != 0)
    return xc_op_error(function, "returns values: run global-bufferize first");
  if (!xc_function_is_private(function) && !check_arguments(function))
    return false;
  void *bodies = binding->bodies;
  xc_grow(&bodies, &binding->capacity, binding->count + 1,
          sizeof(*binding->bodies));
  binding->bodies = bodies;
  body *b = &binding->bodies[binding->count++];
  *b = (body){.operation = function, .block = mlirRegionGetFirstBlock(region)};
  xc_pointer_map_set(&binding->by_name,
                     key_of(binding->context, xc_function_name(function)),
                     (void *)(uintptr_t)binding->count);
  visit_state state = {b, true};
  mlirOperationWalk(function, visit, &state, MlirWalkPreOrder);
  return state.ok;
}

static body *callee_of(const bind_state *binding, MlirOperation call) {
  MlirAttribute callee =
      mlirOperationGetAttributeByName(call, xc_ref("callee"));
  uintptr_t index = (uintptr_t)xc_pointer_map_get(
      &binding->by_name,
      key_of(binding->context, mlirFlatSymbolRefAttrGetValue(callee)));
  return index ? &binding->bodies[index - 1] : NULL;
}

static bool buffer_size(MlirOperation alloc, int64_t *size) {
  xc_shape shape;
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  if (!is_buffer(type, &shape))
    return xc_op_error(alloc, "allocates no static, contiguous buffer of known "
                              "elements");
  *size = align(xc_shape_num_elements(&shape) *
                (int64_t)xc_element_size(shape.element));
  return true;
}

// Bytes of the arena; calls are followed, one after the other in its end.
static bool measure(const bind_state *binding, body *b, size_t depth) {
  if (b->state == KNOWN)
    return true;
  if (b->state == BUSY)
    return xc_op_error(b->operation, "calls itself");
  b->state = BUSY;
  for (size_t i = 0; i < b->buffers.count; ++i) {
    int64_t size = 0;
    if (!buffer_size(b->buffers.items[i], &size))
      return false;
    b->own += has(b->buffers.items[i], XC_NAME_STATUS) ? 0 : size;
  }
  b->total = b->own;
  for (size_t i = 0; i < b->calls.count; ++i) {
    body *callee = callee_of(binding, b->calls.items[i]);
    if (!callee)
      continue;
    if (!xc_check_call_depth(b->calls.items[i], depth + 1 + callee->height) ||
        !measure(binding, callee, depth + 1))
      return false;
    if (b->own + callee->total > b->total)
      b->total = b->own + callee->total;
    if (b->height <= callee->height)
      b->height = callee->height + 1;
  }
  b->state = KNOWN;
  return true;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static size_t append_params(bind_state *binding, const void *bytes,
                            size_t size) {
  size_t offset = (size_t)align((int64_t)binding->params_size);
  if (size == 0) // nothing may be there yet that it could point into
    return binding->params_size;
  void *params = binding->params;
  xc_grow(&params, &binding->params_capacity, offset + size, 1);
  binding->params = params;
  memset(binding->params + binding->params_size, 0,
         offset - binding->params_size);
  memcpy(binding->params + offset, bytes, size);
  binding->params_size = offset + size;
  return offset;
}

// Offset of a constant; equal attributes share their bytes.
static bool place_constant(bind_state *binding, MlirOperation constant,
                           size_t *offset) {
  MlirAttribute value =
      mlirOperationGetAttributeByName(constant, xc_ref("value"));
  uintptr_t known =
      mlirAttributeIsNull(value)
          ? 0
          : (uintptr_t)xc_pointer_map_get(&binding->offsets, value.ptr);
  if (known) {
    *offset = known - 1;
    return true;
  }
  size_t size;
  void *bytes = xc_const_bytes(constant, &size);
  if (!bytes) // a file that cannot be read has been reported
    return mlirAttributeIsNull(value)
               ? false
               : xc_op_error(constant, "has no content: its 'value' was left "
                                       "out when it was printed");
  *offset = append_params(binding, bytes, size);
  free(bytes);
  if (!mlirAttributeIsNull(value))
    xc_pointer_map_set(&binding->offsets, value.ptr,
                       (void *)(uintptr_t)(*offset + 1));
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirType bytes_type(MlirContext context, int64_t size) {
  xc_shape shape = {XC_ELEMENT_I8, 1, {size}, true};
  return xc_type_of_shape(context, &shape);
}

static MlirValue view(MlirOperation before, MlirValue buffer, int64_t offset,
                      MlirType type) {
  xc_builder builder = xc_builder_before(before);
  const MlirValue operands[] = {buffer, xc_build_index(&builder, offset)};
  return xc_build_value(&builder, "memref.view", type, operands, 2, NULL, 0);
}

static void replace(MlirOperation operation, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(operation, 0), value);
  mlirOperationDestroy(operation);
}

static bool bind_constants(bind_state *binding, body *b) {
  for (size_t i = 0; i < b->constants.count; ++i) {
    MlirOperation constant = b->constants.items[i];
    size_t offset = 0;
    if (!place_constant(binding, constant, &offset))
      return false;
    replace(constant,
            view(constant, b->params, (int64_t)offset,
                 mlirValueGetType(mlirOperationGetResult(constant, 0))));
  }
  return true;
}

static void bind_buffers(body *b) {
  for (size_t i = 0; i < b->frees.count; ++i)
    mlirOperationDestroy(b->frees.items[i]);
  int64_t offset = 0, size = 0;
  for (size_t i = 0; i < b->buffers.count; ++i) {
    MlirOperation alloc = b->buffers.items[i];
    if (has(alloc, XC_NAME_STATUS)) {
      replace(alloc, b->status);
      continue;
    }
    buffer_size(alloc, &size);
    replace(alloc, view(alloc, b->arena, offset,
                        mlirValueGetType(mlirOperationGetResult(alloc, 0))));
    offset += size;
  }
  for (size_t i = 0; i < b->dead.count; ++i)
    mlirOperationDestroy(b->dead.items[i]);
}

static const char *body_name(const body *b, xc_text *text) {
  MlirStringRef name = xc_function_name(b->operation);
  xc_text_printf(text, "xc.body.%.*s", (int)name.length, name.data);
  return xc_text_str(text);
}

static void bind_calls(const bind_state *binding, body *b) {
  for (size_t i = 0; i < b->calls.count; ++i) {
    MlirOperation call = b->calls.items[i];
    const body *callee = callee_of(binding, call);
    if (!callee)
      continue;
    intptr_t count = mlirOperationGetNumOperands(call);
    MlirValue *operands = xc_alloc_array((size_t)count + 3, sizeof(*operands));
    for (intptr_t k = 0; k < count; ++k)
      operands[k] = mlirOperationGetOperand(call, k);
    operands[count] = view(call, b->arena, b->own,
                           bytes_type(binding->context, callee->total));
    operands[count + 1] = b->params;
    operands[count + 2] = b->status;
    mlirOperationSetOperands(call, count + 3, operands);
    free(operands);
    xc_text text = {0};
    mlirOperationSetInherentAttributeByName(
        call, xc_ref("callee"),
        mlirFlatSymbolRefAttrGet(binding->context,
                                 xc_ref(body_name(callee, &text))));
    xc_text_free(&text);
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void add_arguments(bind_state *binding, body *b, int64_t params) {
  MlirContext context = binding->context;
  xc_shape status = {.element = XC_ELEMENT_I32, .memref = true};
  MlirLocation location = mlirOperationGetLocation(b->operation);
  b->arena =
      mlirBlockAddArgument(b->block, bytes_type(context, b->total), location);
  b->params =
      mlirBlockAddArgument(b->block, bytes_type(context, params), location);
  b->status = mlirBlockAddArgument(b->block, xc_type_of_shape(context, &status),
                                   location);
}

static MlirAttribute sizes_of(MlirContext context, MlirType type, size_t first,
                              size_t end) {
  int64_t *sizes = xc_alloc_array(end - first, sizeof(*sizes));
  for (size_t i = first; i < end; ++i) {
    xc_shape shape = {0};
    xc_shape_of_type(mlirFunctionTypeGetInput(type, (intptr_t)i), &shape);
    sizes[i - first] =
        xc_shape_num_elements(&shape) * (int64_t)xc_element_size(shape.element);
  }
  MlirAttribute array =
      mlirDenseI64ArrayGet(context, (intptr_t)(end - first), sizes);
  free(sizes);
  return array;
}

// "'data' 1x224x224x3xf32", for people.
static MlirAttribute note_of(MlirType type, MlirAttribute names, size_t index) {
  MlirContext context = mlirTypeGetContext(type);
  xc_text text = {0};
  if (!mlirAttributeIsNull(names) && mlirAttributeIsAArray(names) &&
      (intptr_t)index < mlirArrayAttrGetNumElements(names)) {
    MlirAttribute name = mlirArrayAttrGetElement(names, (intptr_t)index);
    if (mlirAttributeIsAString(name)) {
      MlirStringRef string = mlirStringAttrGetValue(name);
      xc_text_puts(&text, "'");
      for (size_t i = 0; i < string.length; ++i) {
        char c = isprint((unsigned char)string.data[i]) ? string.data[i] : '?';
        xc_text_append(&text, &c, 1);
      }
      xc_text_puts(&text, "' ");
    }
  }
  xc_shape shape;
  if (xc_shape_of_type(type, &shape))
    xc_shape_print(&shape, &text);
  MlirAttribute note = mlirStringAttrGet(context, xc_ref(xc_text_str(&text)));
  xc_text_free(&text);
  return note;
}

static MlirAttribute notes_of(MlirOperation function, const char *names,
                              size_t first, size_t end) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute given =
      mlirOperationGetAttributeByName(function, xc_ref(names));
  MlirType type = xc_function_type(function);
  MlirAttribute *notes = xc_alloc_array(end - first, sizeof(*notes));
  for (size_t i = first; i < end; ++i)
    notes[i - first] =
        note_of(mlirFunctionTypeGetInput(type, (intptr_t)i), given, i - first);
  MlirAttribute array =
      mlirArrayAttrGet(context, (intptr_t)(end - first), notes);
  free(notes);
  return array;
}

static void set(MlirOperation function, const char *name,
                MlirAttribute attribute) {
  mlirOperationSetAttributeByName(function, xc_ref(name), attribute);
}

// Describes a function for callers in C. xc.num_inputs was noted while there
// were operators, which say what is written.
static void describe(const bind_state *binding, const body *b) {
  MlirContext context = binding->context;
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  MlirType type = xc_function_type(b->operation);
  size_t arguments = (size_t)mlirFunctionTypeGetNumInputs(type);
  MlirAttribute noted =
      mlirOperationGetAttributeByName(b->operation, xc_ref(XC_NAME_NUM_INPUTS));
  size_t inputs = mlirAttributeIsNull(noted)
                      ? arguments
                      : (size_t)mlirIntegerAttrGetValueInt(noted);
  MlirStringRef name = xc_function_name(b->operation);
  set(b->operation, XC_NAME_FUNCTION, mlirStringAttrGet(context, name));
  set(b->operation, XC_NAME_ENTRY, xc_entry_name(b->operation));
  set(b->operation, XC_NAME_INPUT_BYTES, sizes_of(context, type, 0, inputs));
  set(b->operation, XC_NAME_OUTPUT_BYTES,
      sizes_of(context, type, inputs, arguments));
  set(b->operation, XC_NAME_INPUT_NOTES,
      notes_of(b->operation, "input_names", 0, inputs));
  set(b->operation, XC_NAME_OUTPUT_NOTES,
      notes_of(b->operation, "output_names", inputs, arguments));
  set(b->operation, XC_NAME_ARENA_BYTES, mlirIntegerAttrGet(i64, b->total));
  set(b->operation, XC_NAME_PARAMS_BYTES,
      mlirIntegerAttrGet(i64, (int64_t)binding->params_size));
}

// Empty arguments are taken as one element.
static void bind_empty(body *b) {
  intptr_t count = mlirBlockGetNumArguments(b->block);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(b->block, i);
    MlirType type = mlirValueGetType(argument);
    if (!xc_kernel_is_empty(type) || mlirValueEqual(argument, b->arena) ||
        mlirValueEqual(argument, b->params))
      continue;
    mlirValueSetType(argument, xc_kernel_one_element(type));
    xc_builder builder =
        xc_builder_before(mlirBlockGetFirstOperation(b->block));
    MlirValue empty = xc_kernel_cast_empty(&builder, argument, type);
    MlirOperation cast = mlirOpResultGetOwner(empty);
    mlirValueReplaceAllUsesExcept(argument, empty, 1, &cast);
  }
}

static void update_function(const bind_state *binding, body *b) {
  MlirContext context = binding->context;
  if (!xc_function_is_private(b->operation))
    describe(binding, b);
  bind_empty(b);
  xc_text name = {0};
  body_name(b, &name);
  intptr_t count = mlirBlockGetNumArguments(b->block);
  MlirType *types = xc_alloc_array((size_t)count, sizeof(*types));
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(b->block, i));
  mlirOperationSetInherentAttributeByName(
      b->operation, xc_ref("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, count, types, 0, NULL)));
  mlirOperationRemoveAttributeByName(b->operation, xc_ref("arg_attrs"));
  mlirOperationSetInherentAttributeByName(
      b->operation, xc_ref("sym_name"),
      mlirStringAttrGet(context, xc_ref(xc_text_str(&name))));
  mlirOperationSetInherentAttributeByName(
      b->operation, xc_ref("sym_visibility"),
      mlirStringAttrGet(context, xc_ref("private")));
  set(b->operation, "llvm.linkage",
      mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal));
  xc_text_free(&name);
  free(types);
}

// The parameters stay with the module until the code is made.
static void attach_params(const bind_state *binding, MlirOperation module) {
  if (binding->params_size == 0)
    return;
  const xc_shape shape = {
      XC_ELEMENT_I8, 1, {(int64_t)binding->params_size}, false};
  set(module, XC_NAME_PARAMS,
      xc_dense_attribute(binding->context, binding->params, &shape));
}

static bool bind_all(bind_state *binding) {
  for (size_t i = 0; i < binding->count; ++i)
    if (!measure(binding, &binding->bodies[i], 0))
      return false;
  // The type of the parameters is known when all of them are.
  const int64_t unknown = INT64_C(1) << 40;
  for (size_t i = 0; i < binding->count; ++i)
    add_arguments(binding, &binding->bodies[i], unknown);
  for (size_t i = 0; i < binding->count; ++i) {
    body *b = &binding->bodies[i];
    if (!bind_constants(binding, b))
      return false;
    bind_buffers(b);
    bind_calls(binding, b);
  }
  MlirType params = bytes_type(binding->context, (int64_t)binding->params_size);
  for (size_t i = 0; i < binding->count; ++i) {
    mlirValueSetType(binding->bodies[i].params, params);
    update_function(binding, &binding->bodies[i]);
  }
  return true;
}

static bool run(xc_pass_run *run) {
  bind_state binding = {.context = mlirOperationGetContext(run->root)};
  bool ok = xc_for_each_function(run->root, add_function, &binding) &&
            bind_all(&binding);
  if (ok) {
    xc_pass_count(run, "params-bytes", (int64_t)binding.params_size);
    attach_params(&binding, run->root);
  }
  for (size_t i = 0; i < binding.count; ++i) {
    body *b = &binding.bodies[i];
    free(b->constants.items);
    free(b->buffers.items);
    free(b->frees.items);
    free(b->calls.items);
    free(b->dead.items);
  }
  free(binding.bodies);
  free(binding.params);
  xc_pointer_map_free(&binding.by_name);
  xc_pointer_map_free(&binding.offsets);
  return ok;
}

static const xc_pass_statistic statistics[] = {
    {"params-bytes", "Bytes of parameters"},
};

const xc_pass_info xc_pass_cpu_bind_memory = {
    .argument = "cpu-bind-memory",
    .name = "CpuBindMemory",
    .summary = "Give functions their arena and parameters as arguments",
    .description =
        "Model functions get three more arguments: an arena that holds their "
        "buffers, one block of bytes with all constants, and a status. The "
        "block is kept as the module's attribute `xc.params`. Public functions "
        "note what a caller has to provide (`xc.entry`, `xc.input_bytes`, "
        "`xc.output_bytes`, `xc.arena_bytes`, `xc.params_bytes`) for "
        "`cpu-emit-entry-points`, and become private. Expects "
        "`convert-mtir-to-linalg` to have run.",
    .anchor = "builtin.module",
    .builds_upstream = true,
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
