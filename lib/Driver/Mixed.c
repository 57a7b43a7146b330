//===- Mixed.c - the parts of a partitioned model in an xmodel ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mixed.h"

#include "IR/IR.h"

#include "BoardReport.h"
#include "Portable.h"
#include "Standard.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/// A call of the model's function, or its constants.
typedef struct part {
  const char *name;
  bool is_dpu;
  /// Of a DPU part, until its constants are in the parameters: a module is not
  /// written for being read again.
  MlirModule module;
  xc_buffer portable;
  const char **operators; // "name@type"
  size_t num_operators;
  const char **inputs;
  size_t num_inputs;
  XcXModelPort *outputs;
  size_t num_outputs;
  xc_standard standard; // of a CPU part
  json_t *ways;         // of its operators, on a board
} part;

struct xc_mixed {
  xc_arena arena;
  const char *name; // of the function
  XcXModelPort *inputs;
  size_t num_inputs;
  part *parts;
  size_t num_parts, part_capacity;
  const char **outputs, **output_names;
  size_t num_outputs;
  size_t written; // parts
  /// Names: true for those that operators have, false for those that only the
  /// operator which says so in its `op_name` may have.
  json_t *taken;
  // While it is made:
  xc_pointer_map operators; // from values to names
};

static MlirBlock body_of(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool has_name(MlirOperation op) {
  return !mlirAttributeIsNull(xc_op_attribute(op, "op_name"));
}

// Notes the names of operators as taken. Operators in front of a convolution
// that has been quantised again have its location, and come first.
static void keep_names(xc_mixed *mixed, MlirOperation function) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body_of(function));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!has_name(op))
      continue;
    MlirStringRef name = xc_op_given_name(op);
    json_object_setn_new_nocheck(mixed->taken, name.data, name.length,
                                 json_false());
  }
}

static bool is_free(const xc_mixed *mixed, const char *name, bool is_given) {
  json_t *taken = json_object_get(mixed->taken, name);
  return !taken || (is_given && json_is_false(taken));
}

// Returns a name that no operator has, by a name that one may have, and that it
// is given or only a place. Frees the text.
static const char *take_text(xc_mixed *mixed, xc_text *text, bool is_given) {
  while (!is_free(mixed, xc_text_str(text), is_given))
    xc_text_puts(text, "_");
  const char *name =
      xc_arena_string(&mixed->arena, xc_text_str(text), text->length);
  xc_text_free(text);
  json_object_set_new_nocheck(mixed->taken, name, json_true());
  return name;
}

// Returns a name of its own for the operator that stands for a value.
static const char *take_name(xc_mixed *mixed, MlirValue value,
                             MlirStringRef wanted, bool is_given,
                             const char *otherwise, size_t number) {
  xc_text text = {0};
  if (wanted.length)
    xc_text_append(&text, wanted.data, wanted.length);
  else
    xc_text_printf(&text, "%s%zu", otherwise, number);
  const char *name = take_text(mixed, &text, is_given);
  xc_pointer_map_set(&mixed->operators, value.ptr, (void *)name);
  return name;
}

static MlirStringRef name_at(MlirOperation function, const char *list,
                             size_t i) {
  MlirAttribute names = xc_op_attribute(function, list);
  if (!mlirAttributeIsNull(names) && mlirAttributeIsAArray(names) &&
      (intptr_t)i < mlirArrayAttrGetNumElements(names)) {
    MlirAttribute name = mlirArrayAttrGetElement(names, (intptr_t)i);
    if (mlirAttributeIsAString(name))
      return mlirStringAttrGetValue(name);
  }
  return mlirStringRefCreate(NULL, 0);
}

static void set_names(MlirOperation function, const char *list,
                      const char *const *names, size_t count) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute *strings = xc_alloc_array(count, sizeof(*strings));
  for (size_t i = 0; i < count; ++i)
    strings[i] = mlirStringAttrGet(context, xc_ref(names[i]));
  mlirOperationSetAttributeByName(
      function, xc_ref(list),
      mlirArrayAttrGet(context, (intptr_t)count, strings));
  free(strings);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static bool find_fix_point(MlirOperation operation, int32_t *result) {
  static const xc_attr ids[] = {XC_ATTR_OUTPUT_FIX_POINT, XC_ATTR_FIX_POINT};
  xc_adaptor adaptor;
  if (!xc_op_info_of(operation) || !xc_adaptor_of(operation, &adaptor))
    return false;
  for (size_t i = 0; i < 2; ++i) {
    const xc_attribute_info *row = xc_attribute_info_get(adaptor.info, ids[i]);
    if (row && row->type == XC_ATTRIBUTE_INT) {
      *result = (int32_t)xc_attr_int(&adaptor, ids[i]);
      return true;
    }
  }
  return false;
}

static XcXModelPort make_port(const char *name, MlirValue value) {
  xc_shape shape;
  bool fits = xc_shape_of_type(mlirValueGetType(value), &shape);
  assert(fits && "the module was verified");
  (void)fits;
  XcXModelPort port = {.name = name,
                       .element = xc_element_name(shape.element),
                       .rank = shape.rank};
  for (size_t i = 0; i < shape.rank; ++i)
    port.dims[i] = (uint32_t)shape.dims[i];
  bool is_fixed =
      shape.element == XC_ELEMENT_I8 || shape.element == XC_ELEMENT_UI8;
  port.hasFixPoint =
      is_fixed && mlirValueIsAOpResult(value) &&
      find_fix_point(mlirOpResultGetOwner(value), &port.fixPoint);
  return port;
}

static const char *name_of(const xc_mixed *mixed, MlirValue value) {
  const char *name = xc_pointer_map_get(&mixed->operators, value.ptr);
  assert(name && "values are named where they are computed");
  return name;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static part *add_part(xc_mixed *mixed, size_t num_inputs, size_t num_outputs) {
  xc_grow((void **)&mixed->parts, &mixed->part_capacity, mixed->num_parts + 1,
          sizeof(*mixed->parts));
  part *p = &mixed->parts[mixed->num_parts++];
  *p = (part){.num_inputs = num_inputs, .num_outputs = num_outputs};
  p->inputs = xc_arena_alloc(&mixed->arena, num_inputs + 1, sizeof(*p->inputs));
  p->outputs =
      xc_arena_alloc(&mixed->arena, num_outputs + 1, sizeof(*p->outputs));
  return p;
}

// The attributes of the copies tell the names, too.
static void name_function(const part *p, MlirOperation function) {
  const char **outputs = xc_alloc_array(p->num_outputs, sizeof(*outputs));
  for (size_t i = 0; i < p->num_outputs; ++i)
    outputs[i] = p->outputs[i].name;
  set_names(function, "input_names", p->inputs, p->num_inputs);
  set_names(function, "output_names", outputs, p->num_outputs);
  free(outputs);
}

static MlirStringRef type_of(MlirOperation operation, const xc_op_info *info) {
  MlirAttribute own = xc_op_attribute(operation, "op_type");
  return info->kind == XC_TIR_CUSTOM && mlirAttributeIsAString(own)
             ? mlirStringAttrGetValue(own)
             : xc_ref(info->mnemonic);
}

// As the board's tools write them.
static void list_operators(xc_mixed *mixed, part *p, MlirOperation function) {
  size_t count = 0;
  MlirBlock body = body_of(function);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  p->operators = xc_arena_alloc(&mixed->arena, count, sizeof(*p->operators));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (!info || info->kind == XC_TIR_CONST)
      continue;
    MlirStringRef name = xc_op_given_name(op), type = type_of(op, info);
    xc_text text = {0};
    // As in the uncompiled xmodel.
    xc_text_append(&text, name.length ? name.data : "op",
                   name.length ? name.length : 2);
    xc_text_puts(&text, "@");
    xc_text_append(&text, type.data, type.length);
    p->operators[p->num_operators++] =
        xc_arena_string(&mixed->arena, xc_text_str(&text), text.length);
    xc_text_free(&text);
  }
}

// Who computes each operator on a board.
static void list_ways(part *p, MlirOperation function) {
  MlirBlock body = body_of(function);
  p->ways = json_array();
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (info && info->kind != XC_TIR_CONST)
      json_array_append_new(p->ways, xc_board_way(&p->standard, op, p->name,
                                                  xc_op_given_name(op),
                                                  type_of(op, info)));
  }
}

static void find_standard(xc_mixed *mixed, part *p, MlirOperation function) {
  p->standard = xc_standard_create(function, p->outputs, &mixed->arena);
  list_ways(p, function);
  for (size_t i = 0; p->standard.is_exact && i < p->standard.num_ops; ++i) {
    xc_standard_op *op = &p->standard.ops[i];
    if (op->name)
      continue;
    xc_text name = {0};
    MlirStringRef source = mlirOperationIsNull(op->source)
                               ? mlirStringRefCreate(NULL, 0)
                               : xc_op_given_name(op->source);
    if (source.length)
      xc_text_append(&name, source.data, source.length);
    else
      xc_text_printf(&name, "%s_%s%zu", p->name, op->type, i);
    op->name = take_text(mixed, &name, source.length && has_name(op->source));
  }
}

static void write_portable(part *p) {
  p->portable = xc_portable_write(p->module);
  p->module = (MlirModule){NULL};
}

static void add_call(xc_mixed *mixed, MlirOperation call,
                     MlirOperation function) {
  MlirOperation last = mlirBlockGetTerminator(body_of(function));
  part *p = add_part(mixed, (size_t)mlirOperationGetNumOperands(call),
                     (size_t)mlirOperationGetNumResults(call));
  MlirStringRef name =
      mlirStringAttrGetValue(xc_op_attribute(function, "sym_name"));
  p->name = xc_arena_string(&mixed->arena, name.data, name.length);
  p->is_dpu = mlirStringRefEqual(
      mlirStringAttrGetValue(xc_op_attribute(function, "device")),
      xc_ref("DPU"));
  for (size_t i = 0; i < p->num_inputs; ++i)
    p->inputs[i] = name_of(mixed, mlirOperationGetOperand(call, (intptr_t)i));
  for (size_t i = 0; i < p->num_outputs; ++i) {
    MlirValue inside = mlirOperationGetOperand(last, (intptr_t)i);
    MlirOperation owner = mlirOpResultGetOwner(inside);
    const char *output =
        take_name(mixed, mlirOperationGetResult(call, (intptr_t)i),
                  xc_op_given_name(owner), has_name(owner), p->name, i);
    p->outputs[i] = make_port(output, inside);
  }
  if (!p->is_dpu) {
    list_operators(mixed, p, function);
    find_standard(mixed, p, function);
  }
  name_function(p, function);
  p->module = xc_portable_create(function);
  if (!p->is_dpu)
    write_portable(p);
}

// Constants that the model gives out are a part without inputs.
static void add_constants(xc_mixed *mixed, MlirOperation function) {
  MlirOperation last = mlirBlockGetTerminator(body_of(function));
  size_t most = (size_t)mlirOperationGetNumOperands(last), count = 0;
  MlirOperation *constants = xc_alloc_array(most, sizeof(*constants));
  const char **names = xc_alloc_array(most, sizeof(*names));
  for (size_t i = 0; i < most; ++i) {
    MlirValue value = mlirOperationGetOperand(last, (intptr_t)i);
    if (xc_pointer_map_has(&mixed->operators, value.ptr))
      continue;
    constants[count] = mlirOpResultGetOwner(value);
    names[count] = take_name(mixed, value, xc_op_given_name(constants[count]),
                             has_name(constants[count]), "constant", count);
    ++count;
  }
  if (count) {
    part *p = add_part(mixed, 0, count);
    xc_text name = {0};
    xc_text_printf(&name, "%s_constants", mixed->name);
    p->name = xc_arena_string(&mixed->arena, xc_text_str(&name), name.length);
    xc_text_free(&name);
    for (size_t i = 0; i < count; ++i)
      p->outputs[i] =
          make_port(names[i], mlirOperationGetResult(constants[i], 0));
    p->portable = xc_portable_write_constants(constants, count, p->name);
  }
  free(constants);
  free(names);
}

static void add_inputs(xc_mixed *mixed, MlirOperation function) {
  MlirBlock block = body_of(function);
  mixed->num_inputs = (size_t)mlirBlockGetNumArguments(block);
  mixed->inputs = xc_arena_alloc(&mixed->arena, mixed->num_inputs + 1,
                                 sizeof(*mixed->inputs));
  for (size_t i = 0; i < mixed->num_inputs; ++i) {
    MlirValue value = mlirBlockGetArgument(block, (intptr_t)i);
    const char *name = take_name(
        mixed, value, name_at(function, "input_names", i), true, "input", i);
    mixed->inputs[i] = make_port(name, value);
  }
}

static void add_outputs(xc_mixed *mixed, MlirOperation function) {
  MlirOperation last = mlirBlockGetTerminator(body_of(function));
  size_t count = (size_t)mlirOperationGetNumOperands(last);
  mixed->num_outputs = count;
  mixed->outputs =
      xc_arena_alloc(&mixed->arena, count + 1, sizeof(*mixed->outputs));
  mixed->output_names =
      xc_arena_alloc(&mixed->arena, count + 1, sizeof(*mixed->output_names));
  for (size_t i = 0; i < count; ++i) {
    mixed->outputs[i] =
        name_of(mixed, mlirOperationGetOperand(last, (intptr_t)i));
    MlirStringRef name = name_at(function, "output_names", i);
    mixed->output_names[i] =
        name.length ? xc_arena_string(&mixed->arena, name.data, name.length)
                    : mixed->outputs[i];
  }
}

static void add_function(xc_mixed *mixed, MlirModule module,
                         MlirOperation function) {
  MlirStringRef name =
      mlirStringAttrGetValue(xc_op_attribute(function, "sym_name"));
  mixed->name = xc_arena_string(&mixed->arena, name.data, name.length);
  add_inputs(mixed, function);
  MlirSymbolTable table = mlirSymbolTableCreate(mlirModuleGetOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body_of(function));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xc_op_is(op, "func.call"))
      add_call(
          mixed, op,
          mlirSymbolTableLookup(table, mlirFlatSymbolRefAttrGetValue(
                                           xc_op_attribute(op, "callee"))));
  mlirSymbolTableDestroy(table);
  add_constants(mixed, function);
  add_outputs(mixed, function);
}

xc_mixed *xc_mixed_create(MlirModule module) {
  xc_mixed *mixed = xc_alloc(sizeof(*mixed));
  mixed->taken = json_object();
  MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (MlirOperation op = first; !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (xc_op_is(op, "func.func"))
      keep_names(mixed, op);
  MlirOperation op = first;
  while (!mlirOperationIsNull(op) &&
         (!xc_op_is(op, "func.func") ||
          !mlirAttributeIsNull(xc_op_attribute(op, "sym_visibility"))))
    op = mlirOperationGetNextInBlock(op);
  assert(!mlirOperationIsNull(op) && "what was outlined has a caller");
  add_function(mixed, module, op);
  xc_pointer_map_free(&mixed->operators);
  return mixed;
}

void xc_mixed_destroy(xc_mixed *mixed) {
  if (!mixed)
    return;
  for (size_t i = 0; i < mixed->num_parts; ++i) {
    if (!mlirModuleIsNull(mixed->parts[i].module))
      mlirModuleDestroy(mixed->parts[i].module);
    free(mixed->parts[i].portable.data);
    xc_standard_free(&mixed->parts[i].standard);
    json_decref(mixed->parts[i].ways);
  }
  free(mixed->parts);
  json_decref(mixed->taken);
  xc_arena_free(&mixed->arena);
  free(mixed);
}

int64_t xc_mixed_batch(const xc_mixed *mixed) {
  int64_t batch = 1;
  for (size_t i = 0; i < mixed->num_inputs; ++i) {
    const XcXModelPort *input = &mixed->inputs[i];
    int64_t leading = input->rank > 0 ? (int64_t)input->dims[0] : 1;
    if (i > 0 && leading != batch)
      return 1;
    batch = leading;
  }
  return batch;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void xc_mixed_begin(const xc_mixed *mixed, XcXModel *model) {
  xc_text name = {0};
  xc_text_printf(&name, "%s_inputs", mixed->name);
  xcXModelAddInputs(model, xc_text_str(&name), mixed->inputs,
                    mixed->num_inputs);
  xc_text_free(&name);
}

static XcXModelSubgraph *write_standard(const part *p, XcXModel *model) {
  const char **inputs = xc_alloc_array(p->num_inputs, sizeof(*inputs));
  for (size_t i = 0; i < p->num_inputs; ++i)
    inputs[i] = xcXModelGetOutside(model, p->inputs[i]);
  XcXModelSubgraph *subgraph = xcXModelAddStandardCpu(
      model, p->name, inputs, p->num_inputs, p->outputs, p->num_outputs);
  xc_standard_write(&p->standard, model, subgraph, inputs, p->outputs,
                    p->num_outputs);
  free(inputs);
  return subgraph;
}

static void write_cpu(const part *p, XcXModel *model) {
  XcXModelSubgraph *subgraph =
      p->standard.is_exact
          ? write_standard(p, model)
          : xcXModelAddCpu(model, p->name, p->inputs, p->num_inputs, p->outputs,
                           p->num_outputs);
  xcXModelSubgraphSetPortable(subgraph, p->portable.data, p->portable.size);
  xcXModelAttrsSetStringVec(xcXModelSubgraphGetAttrs(subgraph), "xc_operators",
                            p->operators, p->num_operators);
}

bool xc_mixed_expects(const xc_mixed *mixed, const char *name) {
  size_t next = mixed->written;
  while (next < mixed->num_parts && !mixed->parts[next].is_dpu)
    ++next;
  return next < mixed->num_parts && strcmp(mixed->parts[next].name, name) == 0;
}

void xc_mixed_before(xc_mixed *mixed, XcXModel *model, const char *name) {
  while (!mixed->parts[mixed->written].is_dpu)
    write_cpu(&mixed->parts[mixed->written++], model);
  assert(strcmp(mixed->parts[mixed->written].name, name) == 0 &&
         "functions are in the order of their calls");
  (void)name;
}

bool xc_mixed_is_kept(void *mixed, const char *name) {
  const xc_mixed *m = mixed;
  return json_is_true(json_object_get(m->taken, name));
}

void xc_mixed_behind(xc_mixed *mixed, XcXModel *model,
                     const xc_dpu_function *function) {
  part *p = &mixed->parts[mixed->written++];
  xc_portable_strip(function, p->module);
  write_portable(p);
  XcXModelSubgraph *root = xcXModelGetRoot(model);
  XcXModelSubgraph *last =
      xcXModelSubgraphGetChild(root, xcXModelSubgraphGetNumChildren(root) - 1);
  xcXModelSubgraphSetPortable(last, p->portable.data, p->portable.size);
}

void xc_mixed_end(xc_mixed *mixed, XcXModel *model) {
  while (mixed->written < mixed->num_parts)
    write_cpu(&mixed->parts[mixed->written++], model);
  xcXModelSetOutputs(model, mixed->outputs, mixed->output_names,
                     mixed->num_outputs);
}

json_t *xc_mixed_ways(const xc_mixed *mixed) {
  json_t *all = json_array();
  for (size_t i = 0; i < mixed->num_parts; ++i)
    if (mixed->parts[i].ways)
      json_array_extend(all, mixed->parts[i].ways);
  return all;
}

void xc_mixed_print_ways(const xc_mixed *mixed, xc_text *text) {
  for (size_t i = 0; i < mixed->num_parts; ++i)
    if (mixed->parts[i].ways)
      xc_board_print(mixed->parts[i].name, mixed->parts[i].ways, text);
}
