//===- Outline.c - a function for each subgraph ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "IR/AttributeNames.h"
#include "IR/Builder.h"
#include "IR/Function.h"
#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void annotate_node(const xc_placement *p, const xc_node *node) {
  // The attribute of an operator has no names of libraries.
  bool is_user = p->library && node->device == XcDeviceDPU;
  // Operations of other dialects have no attribute `device` of xc.
  if (node->info)
    xc_op_set_string(node->operation, "device",
                     is_user ? "USER" : xcDeviceGetName(node->device));
  if (node->kernel)
    xc_op_set_string(node->operation, XC_NAME_KERNEL, node->kernel);
  (void)mlirOperationRemoveAttributeByName(node->operation,
                                           xc_ref(XC_NAME_REASON));
  if (!node->reason.predicate)
    return;
  xc_text text = {0};
  xc_text_printf(&text, "%s: %s", node->reason.predicate, node->reason.text);
  if (node->reason.change)
    xc_text_printf(&text, "; fits with %s", node->reason.change);
  xc_op_set_string(node->operation, XC_NAME_REASON, xc_text_str(&text));
  xc_text_free(&text);
}

void xcPlacementAnnotate(XcPlacement placement) {
  const xc_placement *p = placement.ptr;
  for (size_t i = 0; i < p->num_operators; ++i)
    annotate_node(p, &p->nodes[p->operators[i]]);
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

typedef struct value_list {
  MlirValue *items;
  size_t count, capacity;
} value_list;

static void push(value_list *list, MlirValue value) {
  xc_grow((void **)&list->items, &list->capacity, list->count + 1,
          sizeof(MlirValue));
  list->items[list->count++] = value;
}

/// One value that crosses borders: which group saw it last and as what. A
/// value of a constant is copied, others become arguments.
typedef struct crossing {
  uint32_t group;
  MlirValue inside;
  /// The value in the calling function, once its group has been outlined.
  MlirValue outside;
} crossing;

typedef struct outliner {
  xc_placement *p;
  xc_function *f;
  MlirContext context;
  crossing *arguments;    // by number
  uint32_t *first_result; // by node of the function
  crossing *results;      // by first_result + number of the result
  xc_text prefix;         // of the new functions' names
  // Of the group at hand:
  uint32_t group;
  MlirBlock body;
  value_list inputs;   // in the calling function
  value_list outputs;  // inside
  uint32_t *output_of; // crossing of each output
  size_t output_capacity;
} outliner;

static MlirValue copy_constant(outliner *o, MlirValue value) {
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
  mlirBlockAppendOwnedOperation(o->body, copy);
  return xc_op_result(copy);
}

static MlirValue add_argument(outliner *o, MlirValue value, MlirValue outside) {
  push(&o->inputs, outside);
  MlirLocation location =
      mlirValueIsAOpResult(value)
          ? mlirOperationGetLocation(mlirOpResultGetOwner(value))
          : mlirOperationGetLocation(o->f->operation);
  return mlirBlockAddArgument(o->body, mlirValueGetType(value), location);
}

// Returns the value within the group at hand for an operand of the calling
// function.
static MlirValue import(outliner *o, uint32_t producer, MlirValue value) {
  const xc_placement *p = o->p;
  crossing *c;
  if (producer == XC_NO_NODE) {
    c = &o->arguments[mlirBlockArgumentGetArgNumber(value)];
    c->outside = value;
  } else {
    if (p->nodes[producer].group == o->group)
      return value;
    c = &o->results[o->first_result[producer - o->f->first_node] +
                    (uint32_t)mlirOpResultGetResultNumber(value)];
  }
  if (c->group == o->group)
    return c->inside;
  c->group = o->group;
  c->inside = producer != XC_NO_NODE && p->nodes[producer].is_storage
                  ? copy_constant(o, value)
                  : add_argument(o, value, c->outside);
  return c->inside;
}

static void move_node(outliner *o, const xc_node *node) {
  for (uint32_t i = 0; i < node->num_edges; ++i) {
    MlirValue value = mlirOperationGetOperand(node->operation, i);
    MlirValue inside = import(o, o->p->edges[node->first_edge + i], value);
    if (!mlirValueEqual(value, inside))
      mlirOperationSetOperand(node->operation, i, inside);
  }
  mlirOperationRemoveFromParent(node->operation);
  mlirBlockAppendOwnedOperation(o->body, node->operation);
}

// Whether a value is used by an operation that is in another block by now or
// will be.
static bool is_used_outside(const outliner *o, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), o->body))
      return true;
  }
  return false;
}

static void collect_outputs(outliner *o, const xc_group *group) {
  for (uint32_t i = 0; i < group->num_nodes; ++i) {
    uint32_t n = o->p->order[group->first + i];
    MlirOperation operation = o->p->nodes[n].operation;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(operation); ++r) {
      MlirValue value = mlirOperationGetResult(operation, r);
      if (!is_used_outside(o, value))
        continue;
      xc_grow((void **)&o->output_of, &o->output_capacity, o->outputs.count + 1,
              sizeof(uint32_t));
      o->output_of[o->outputs.count] =
          o->first_result[n - o->f->first_node] + (uint32_t)r;
      push(&o->outputs, value);
    }
  }
}

static bool starts_with(MlirStringRef name, const xc_text *prefix,
                        const char *rest) {
  return name.length > prefix->length + strlen(rest) &&
         memcmp(name.data, prefix->data, prefix->length) == 0 &&
         memcmp(name.data + prefix->length, rest, strlen(rest)) == 0;
}

static const char *group_word(const xc_placement *p, XcDevice device) {
  return device == XcDeviceCPU ? "cpu" : p->library ? p->library->name : "dpu";
}

// Whether a name is that of a subgraph: "prefix_dpu_1".
static bool is_group_name(const xc_placement *p, MlirStringRef name,
                          const xc_text *prefix) {
  bool found = false;
  for (int d = 0; d < XC_NUM_DEVICES; ++d) {
    xc_text word = {0};
    xc_text_printf(&word, "_%s_", group_word(p, (XcDevice)d));
    found = found || starts_with(name, prefix, xc_text_str(&word));
    xc_text_free(&word);
  }
  return found;
}

// Functions are called "prefix_dpu_1". The prefix is the name of the function
// they come from, with underscores until nothing else is called so.
static void choose_prefix(const xc_placement *p, MlirOperation function,
                          MlirBlock module_body, xc_text *prefix) {
  MlirStringRef base = xc_function_name(function);
  xc_text_append(prefix, base.data, base.length);
  bool taken = true;
  while (taken) {
    taken = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(module_body);
         !mlirOperationIsNull(op) && !taken;
         op = mlirOperationGetNextInBlock(op)) {
      MlirAttribute name = xc_op_attribute(op, "sym_name");
      if (mlirAttributeIsNull(name))
        continue;
      MlirStringRef other = mlirStringAttrGetValue(name);
      taken = is_group_name(p, other, prefix);
    }
    if (taken)
      xc_text_puts(prefix, "_");
  }
}

static MlirType *types_of(const value_list *values) {
  MlirType *types = xc_alloc_array(values->count, sizeof(MlirType));
  for (size_t i = 0; i < values->count; ++i)
    types[i] = mlirValueGetType(values->items[i]);
  return types;
}

// Builds the function around the block, before the one it was taken from.
static void build_function(outliner *o, const char *name) {
  MlirLocation location = mlirOperationGetLocation(o->f->operation);
  const xc_builder builder = xc_builder_in(o->body, location);
  xc_build_return(&builder, o->outputs.items, o->outputs.count);
  MlirType *inputs = types_of(&o->inputs), *outputs = types_of(&o->outputs);
  MlirType type =
      mlirFunctionTypeGet(o->context, (intptr_t)o->inputs.count, inputs,
                          (intptr_t)o->outputs.count, outputs);
  const char *device =
      xc_placement_device(o->p, o->p->groups[o->group].info.device);
  const MlirNamedAttribute attribute = xc_named(
      o->context, "device", mlirStringAttrGet(o->context, xc_ref(device)));
  mlirBlockInsertOwnedOperationBefore(
      mlirOperationGetBlock(o->f->operation), o->f->operation,
      xc_function_create(location, name, "private", type, o->body, &attribute,
                         1));
  free(inputs);
  free(outputs);
}

static void build_call(outliner *o, const char *name) {
  MlirType *types = types_of(&o->outputs);
  xc_builder builder = xc_builder_before(mlirBlockGetTerminator(o->f->block));
  builder.location = mlirOperationGetLocation(o->f->operation);
  MlirOperation call = xc_build_call(&builder, name, o->inputs.items,
                                     o->inputs.count, types, o->outputs.count);
  for (size_t i = 0; i < o->outputs.count; ++i)
    o->results[o->output_of[i]].outside =
        mlirOperationGetResult(call, (intptr_t)i);
  free(types);
}

// Subgraphs take values through their arguments; what is left to redirect is
// the return of the calling function.
static void redirect_return(const outliner *o) {
  MlirOperation last = mlirBlockGetTerminator(o->f->block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i) {
    uint32_t producer = o->p->edges[o->f->first_edge + (uint32_t)i];
    if (producer == XC_NO_NODE || o->p->nodes[producer].is_storage)
      continue;
    MlirValue value = mlirOperationGetOperand(last, i);
    uint32_t index = o->first_result[producer - o->f->first_node] +
                     (uint32_t)mlirOpResultGetResultNumber(value);
    mlirOperationSetOperand(last, i, o->results[index].outside);
  }
}

static void outline_group(outliner *o) {
  const xc_group *group = &o->p->groups[o->group];
  o->body = mlirBlockCreate(0, NULL, NULL);
  o->inputs.count = o->outputs.count = 0;
  for (uint32_t i = 0; i < group->num_nodes; ++i)
    move_node(o, &o->p->nodes[o->p->order[group->first + i]]);
  collect_outputs(o, group);
  xc_text name = {0};
  xc_text_printf(&name, "%s_%s_%" PRIu32, xc_text_str(&o->prefix),
                 group_word(o->p, group->info.device),
                 o->group - o->f->first_group);
  build_function(o, xc_text_str(&name));
  build_call(o, xc_text_str(&name));
  xc_text_free(&name);
}

// Constants that nothing in the calling function uses any more.
static void erase_constants(const xc_placement *p, const xc_function *f) {
  for (uint32_t i = f->num_nodes; i-- > 0;) {
    MlirOperation operation = p->nodes[f->first_node + i].operation;
    if (!p->nodes[f->first_node + i].is_storage ||
        xc_value_is_used(xc_op_result(operation)))
      continue;
    mlirOperationDestroy(operation);
  }
}

static void outline_function(xc_placement *p, xc_function *f,
                             MlirBlock module_body) {
  outliner o = {
      .p = p, .f = f, .context = mlirOperationGetContext(f->operation)};
  intptr_t arguments = mlirBlockGetNumArguments(f->block);
  o.arguments = xc_alloc_array((size_t)arguments, sizeof(crossing));
  for (intptr_t i = 0; i < arguments; ++i)
    o.arguments[i].group = UINT32_MAX;
  o.first_result = xc_alloc_array(f->num_nodes, sizeof(uint32_t));
  uint32_t results = 0;
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    o.first_result[i] = results;
    results += (uint32_t)mlirOperationGetNumResults(
        p->nodes[f->first_node + i].operation);
  }
  choose_prefix(p, f->operation, module_body, &o.prefix);
  o.results = xc_alloc_array(results, sizeof(crossing));
  for (uint32_t i = 0; i < results; ++i)
    o.results[i].group = UINT32_MAX;
  for (uint32_t g = 0; g < f->num_groups; ++g) {
    o.group = f->first_group + g;
    outline_group(&o);
  }
  redirect_return(&o);
  erase_constants(p, f);
  free(o.arguments);
  free(o.first_result);
  free(o.results);
  free(o.inputs.items);
  free(o.outputs.items);
  free(o.output_of);
  xc_text_free(&o.prefix);
}

void xcPlacementOutline(XcPlacement placement) {
  xc_placement *p = placement.ptr;
  xcPlacementAnnotate(placement);
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(p->module, 0));
  for (size_t i = 0; i < p->num_functions; ++i)
    outline_function(p, &p->functions[i], body);
}
