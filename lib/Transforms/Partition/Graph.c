//===- Graph.c - operators, data flow, judgement --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "IR/FloatReason.h"
#include "IR/IR.h"
#include "Support/PointerMap.h"
#include "dialects/Emit.h"
#include "dialects/Macs.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Words for a node
//===----------------------------------------------------------------------===//

static void append_ref(MlirStringRef ref, xc_text *text) {
  xc_text_append(text, ref.data, ref.length);
}

static void print_type(const xc_node *node, xc_text *type) {
  if (node->info && node->info->dialect == XC_DIALECT_TIR)
    xc_text_puts(type, node->info->mnemonic);
  else
    append_ref(mlirIdentifierStr(mlirOperationGetName(node->operation)), type);
}

void xc_node_shape(const xc_node *node, xc_text *text) {
  xc_shape shape;
  if (mlirOperationGetNumResults(node->operation) > 0 &&
      xc_shape_of_type(mlirValueGetType(xc_op_result(node->operation)), &shape))
    xc_shape_print(&shape, text);
}

static MlirLocation innermost_named(MlirLocation location) {
  while (mlirLocationIsAFused(location)) {
    unsigned count = mlirLocationFusedGetNumLocations(location);
    if (count == 0)
      break;
    MlirLocation *all = xc_alloc_array(count, sizeof(MlirLocation));
    mlirLocationFusedGetLocations(location, all);
    location = all[0];
    free(all);
  }
  return location;
}

static void print_name(const xc_node *node, uint32_t n, xc_text *name) {
  MlirAttribute attribute = xc_op_attribute(node->operation, "op_name");
  if (!mlirAttributeIsNull(attribute) && mlirAttributeIsAString(attribute)) {
    append_ref(mlirStringAttrGetValue(attribute), name);
    return;
  }
  MlirLocation location =
      innermost_named(mlirOperationGetLocation(node->operation));
  if (mlirLocationIsAName(location)) {
    append_ref(mlirIdentifierStr(mlirLocationNameGetName(location)), name);
    return;
  }
  print_type(node, name);
  xc_text_printf(name, ".%" PRIu32, n);
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static int64_t bytes_of(MlirType type, int64_t *elements) {
  xc_shape shape;
  if (!xc_shape_of_type(type, &shape) || shape.element == XC_ELEMENT_NONE)
    return 0;
  *elements = xc_shape_num_elements(&shape);
  return *elements * (int64_t)xc_element_size(shape.element);
}

static bool fill_node(xc_placement *p, MlirOperation operation, xc_node *node) {
  *node = (xc_node){.operation = operation, .info = xc_op_info_of(operation)};
  if (mlirOperationGetNumRegions(operation) > 0)
    return xc_op_error(operation, "has a region; a function to partition "
                                  "holds operators without regions");
  for (intptr_t i = 0; i < mlirOperationGetNumResults(operation); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, i));
    node->result_bytes += bytes_of(type, &node->elements);
  }
  node->group = UINT32_MAX; // where storage stays
  node->is_ordered =
      !node->info || (node->info->effects & (XC_EFFECT_READ | XC_EFFECT_WRITE));
  if (!node->info || node->info->dialect != XC_DIALECT_TIR)
    return true;
  node->is_storage = xc_fit_class_of(node->info->kind) == XC_FIT_STORAGE;
  if (node->is_storage)
    return true;
  xc_adaptor adaptor;
  if (!xc_adaptor_of(operation, &adaptor))
    return xc_op_error(operation, "has operands that do not fit its table row");
  node->macs = xc_count_macs(&adaptor);
  node->facts = xc_arena_alloc(&p->arena, 1, sizeof(xc_facts));
  xc_facts_read(&adaptor, node->facts);
  return true;
}

static xc_node *add_node(xc_placement *p) {
  xc_grow((void **)&p->nodes, &p->node_capacity, p->num_nodes + 1,
          sizeof(xc_node));
  return &p->nodes[p->num_nodes++];
}

static void add_edge(xc_placement *p, uint32_t producer) {
  xc_grow((void **)&p->edges, &p->edge_capacity, p->num_edges + 1,
          sizeof(uint32_t));
  p->edges[p->num_edges++] = producer;
}

static uint32_t producer_of(const xc_placement *p, const xc_pointer_map *map,
                            MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return XC_NO_NODE;
  const xc_node *node =
      xc_pointer_map_get(map, mlirOpResultGetOwner(value).ptr);
  return node ? (uint32_t)(node - p->nodes) : XC_NO_NODE;
}

static void connect(xc_placement *p, xc_function *function) {
  xc_pointer_map map = {0};
  uint32_t end = function->first_node + function->num_nodes;
  for (uint32_t n = function->first_node; n < end; ++n)
    xc_pointer_map_set(&map, p->nodes[n].operation.ptr, &p->nodes[n]);
  for (uint32_t n = function->first_node; n < end; ++n) {
    xc_node *node = &p->nodes[n];
    node->first_edge = (uint32_t)p->num_edges;
    intptr_t count = mlirOperationGetNumOperands(node->operation);
    node->num_edges = (uint32_t)count;
    for (intptr_t i = 0; i < count; ++i)
      add_edge(
          p, producer_of(p, &map, mlirOperationGetOperand(node->operation, i)));
  }
  MlirOperation last = mlirBlockGetTerminator(function->block);
  function->first_edge = (uint32_t)p->num_edges;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i) {
    uint32_t producer = producer_of(p, &map, mlirOperationGetOperand(last, i));
    add_edge(p, producer);
    if (producer != XC_NO_NODE)
      p->nodes[producer].is_returned = true;
  }
  xc_pointer_map_free(&map);
}

static bool collect_function(xc_placement *p, MlirOperation operation) {
  MlirRegion body = mlirOperationGetRegion(operation, 0);
  MlirBlock block = mlirRegionGetFirstBlock(body);
  if (mlirBlockIsNull(block) ||
      !mlirAttributeIsNull(xc_operation_attr(operation, XC_ATTR_DEVICE)))
    return true; // a declaration, or the work of an earlier run
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return xc_op_error(operation, "has several blocks, expected one");
  MlirOperation last = mlirBlockGetTerminator(block);
  xc_function function = {.operation = operation,
                          .block = block,
                          .first_node = (uint32_t)p->num_nodes};
  bool has_tir = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op)) {
    xc_node *node = add_node(p);
    if (!fill_node(p, op, node))
      return false;
    has_tir |= node->facts != NULL;
  }
  function.num_nodes = (uint32_t)p->num_nodes - function.first_node;
  if (!has_tir) {
    p->num_nodes = function.first_node;
    return true;
  }
  connect(p, &function);
  xc_grow((void **)&p->functions, &p->function_capacity, p->num_functions + 1,
          sizeof(xc_function));
  p->functions[p->num_functions++] = function;
  return true;
}

static char *keep_text(xc_placement *p, xc_text *text) {
  char *kept = xc_arena_string(&p->arena, xc_text_str(text), text->length);
  text->length = 0;
  return kept;
}

// Names come from model files. Reports and placement files are JSON, which is
// UTF-8, so a name that is not loses what is not ASCII.
static void make_printable(xc_text *text) {
  json_t *probe = json_string(xc_text_str(text));
  if (!probe)
    for (size_t i = 0; i < text->length; ++i)
      if ((unsigned char)text->data[i] >= 0x80)
        text->data[i] = '?';
  json_decref(probe);
}

static void list_operators(xc_placement *p) {
  p->operators = xc_arena_alloc(&p->arena, p->num_nodes, sizeof(uint32_t));
  p->order = xc_arena_alloc(&p->arena, p->num_nodes, sizeof(uint32_t));
  xc_text text = {0};
  for (uint32_t n = 0; n < p->num_nodes; ++n) {
    if (p->nodes[n].is_storage)
      continue;
    p->operators[p->num_operators++] = n;
    print_name(&p->nodes[n], n, &text);
    make_printable(&text);
    p->nodes[n].name = keep_text(p, &text);
    print_type(&p->nodes[n], &text);
    p->nodes[n].type = keep_text(p, &text);
  }
  xc_text_free(&text);
}

bool xc_placement_collect(xc_placement *p) {
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(p->module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xc_op_is(op, "func.func") && !collect_function(p, op))
      return false;
  list_operators(p);
  return true;
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

// Whether whoever makes the model can follow the advice.
static bool are_choices(const xc_change *changes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (changes[i].fact != XC_CHANGE_KIND &&
        xc_fact_get_info((xc_fact)changes[i].fact)->choice !=
            XC_FACT_CHOICE_USER)
      return false;
  return true;
}

static void keep_changes(xc_placement *p, const xc_change *changes,
                         size_t count, xc_reason *reason) {
  if (count == 0 || !are_choices(changes, count))
    return;
  xc_change *kept = xc_arena_alloc(&p->arena, count, sizeof(xc_change));
  memcpy(kept, changes, count * sizeof(xc_change));
  xc_text text = {0};
  for (size_t i = 0; i < count; ++i) {
    xc_text_puts(&text, i ? ", " : "");
    xc_fit_print_change(&changes[i], &text);
  }
  reason->changes = kept;
  reason->num_changes = count;
  reason->change = keep_text(p, &text);
  xc_text_free(&text);
}

static xc_reason broken_row(xc_placement *p, const xc_facts *facts,
                            const xc_constraint *row, const xc_bounds *bounds) {
  xc_reason reason = {.predicate = row->id,
                      .is_border = facts->class_ == XC_FIT_BOUNDARY,
                      .key = row->key,
                      .bounds = *bounds};
  xc_text text = {0};
  xc_fit_print_reason(row, bounds, facts, &text);
  reason.text = keep_text(p, &text);
  if (row->form != XC_CONSTRAINT_NEED) {
    xc_fit_print_limit(row, bounds, &text);
    reason.limit = keep_text(p, &text);
  }
  if (row->key) {
    xc_fit_print_key(row, facts, p->target, &text);
    reason.key = keep_text(p, &text);
  }
  xc_text_free(&text);
  xc_change changes[XC_MAX_CHANGES];
  size_t count = xc_fit_suggest(facts, p->target, changes);
  keep_changes(p, changes, count, &reason);
  return reason;
}

static const xc_facts foreign = {.class_ = XC_FIT_UNKNOWN};

static const xc_facts *facts_of(const xc_node *node) {
  return node->facts ? node->facts : &foreign;
}

// Returns the number of operands that data comes in by and that are not on the
// DPU. Parameters of an operator are constant; constant data counts only where
// it is all there is.
static int64_t count_cpu_inputs(const xc_placement *p, const xc_node *node) {
  int64_t count = 0, constants = 0;
  for (uint32_t i = 0; i < node->num_edges; ++i) {
    uint32_t producer = p->edges[node->first_edge + i];
    bool constant = producer != XC_NO_NODE && p->nodes[producer].is_storage;
    constants += constant;
    count += !constant && (producer == XC_NO_NODE ||
                           p->nodes[producer].device == XcDeviceCPU);
  }
  return constants == node->num_edges ? constants : count;
}

static bool contradicts(const xc_placement *p, const xc_node *node,
                        const char *why) {
  return xc_op_error(
      node->operation, "'%s' is to run on the %s by %s, but cannot: %s",
      node->name, xc_placement_device(p, XcDeviceDPU), why, node->reason.text);
}

static bool asks_for_fixed_point(const xc_constraint *row) {
  return strcmp(row->id, "fixed-point") == 0 ||
         strcmp(row->id, "int8-tensors") == 0;
}

// Returns the reason of an operator that tir-quantize has left in floating
// point, in place of that it is not in fixed point.
static xc_reason kept_float(xc_placement *p, const xc_float_reason_info *why,
                            const xc_reason *row) {
  xc_text text = {0};
  xc_text_printf(&text, "kept in floating point: %s", why->words);
  xc_reason reason = {.predicate = why->id, .text = keep_text(p, &text)};
  if (row->change)
    reason.change = why->change;
  xc_text_free(&text);
  return reason;
}

static bool judge_by_target(xc_placement *p, xc_node *node) {
  xc_bounds bounds;
  const xc_constraint *row = xc_fit_check(facts_of(node), p->target, &bounds);
  if (!row)
    return true;
  node->reason = broken_row(p, facts_of(node), row, &bounds);
  if (xc_placement_explain_layout(node, &node->reason))
    return false;
  const xc_float_reason_info *why =
      asks_for_fixed_point(row) ? xc_float_reason_of(node->operation) : NULL;
  if (why)
    node->reason = kept_float(p, why, &node->reason);
  return false;
}

static bool judge_node(xc_placement *p, size_t index, const xc_rules *rules) {
  xc_node *node = &p->nodes[p->operators[index]];
  if (node->is_dropped)
    return true;
  if (node->facts)
    node->facts->value[XC_FACT_CPU_INPUTS] = count_cpu_inputs(p, node);
  node->reason = (xc_reason){0};
  bool fits = p->library ? xc_placement_judge_kernel(p, node)
                         : judge_by_target(p, node);
  node->device = fits ? XcDeviceDPU : XcDeviceCPU;
  const char *why = NULL;
  xc_ruling ruling =
      rules ? xc_rules_find(rules, p, index, &why) : XC_RULING_NONE;
  node->is_forced = ruling == XC_RULING_DPU;
  if (ruling == XC_RULING_DPU && !fits)
    return contradicts(p, node, why);
  if (ruling == XC_RULING_CPU && fits) {
    node->device = XcDeviceCPU;
    node->kernel = NULL;
    node->reason = (xc_reason){
        .predicate = "placement-file", .text = why, .change = "no such rule"};
  }
  return true;
}

bool xc_placement_judge(xc_placement *p, const xc_rules *rules) {
  for (size_t i = 0; i < p->num_operators; ++i)
    if (!judge_node(p, i, rules))
      return false;
  return true;
}
