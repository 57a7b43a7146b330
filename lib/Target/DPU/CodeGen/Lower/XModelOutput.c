//===- XModelOutput.c - compiled functions as an xmodel -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XModelOutput.h"

#include "IR/IR.h"
#include "OpParams/Window.h"
#include "Support/Text.h"
#include "Target/XModel/Tir/TirXModel.h"
#include "xc-c/XModelDpu.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  XcXModel *model;
  const XcDpuTarget *target;
  const xc_dpu_function *function;
  const xc_dpu_xmodel_options *options;
  xc_arena arena;
  xc_pointer_map names;   // of operators, by the value they compute
  json_t *taken, *leaves; // names of operators and of children
  size_t *members;        // by row: operators with layers in it
  XcXModelSubgraph *root, *user, *dpu; // user: or null
  XcXModelSubgraph *row, *leaf;        // the current ones
  size_t first_row, next_row;          // of the program: those of `row`
  const char **children;               // that have code
  size_t num_children;
} writer;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static const char *keep(writer *w, xc_text *text) {
  const char *kept =
      xc_arena_string(&w->arena, xc_text_str(text), text->length);
  xc_text_free(text);
  return kept;
}

static const char *full_name(writer *w, const char *name, const char *suffix) {
  xc_text text = {0};
  if (w->options->prefix)
    xc_text_printf(&text, "%s/", w->options->prefix);
  xc_text_printf(&text, "%s%s", name, suffix);
  return keep(w, &text);
}

/// Returns a name that is not in the set, which has it then: with a number
/// where it was. The set says the next number to try.
static const char *make_unique(writer *w, json_t *set, const char *name) {
  json_t *number = json_object_get(set, name);
  const char *found = name;
  while (json_object_get(set, found) ||
         (set == w->taken && w->options->is_kept &&
          w->options->is_kept(w->options->user_data, found))) {
    json_int_t next = number ? json_integer_value(number) : 1;
    xc_text text = {0};
    xc_text_printf(&text, "%s.%" JSON_INTEGER_FORMAT, name, next);
    found = keep(w, &text);
    number = json_integer(next + 1);
    json_object_set_new_nocheck(set, name, number);
  }
  json_object_set_new_nocheck(set, found, json_integer(1));
  return found;
}

static const char *free_name(writer *w, const char *name, const char *suffix) {
  return make_unique(w, w->taken, full_name(w, name, suffix));
}

/// Tensors at the border have their names for certain.
static void take_names(writer *w) {
  w->taken = json_object();
  w->leaves = json_object();
  for (size_t i = 0; i < xcXModelGetNumOps(w->model); ++i)
    json_object_set_new_nocheck(w->taken,
                                xcXModelOpGetName(xcXModelGetOp(w->model, i)),
                                json_integer(1));
  for (size_t i = 0; i < w->function->num_tensors; ++i)
    json_object_set_new_nocheck(w->taken,
                                full_name(w, w->function->tensors[i].name, ""),
                                json_integer(1));
}

static void set_name(writer *w, MlirValue value, const char *name) {
  xc_pointer_map_set(&w->names, value.ptr, (void *)(uintptr_t)name);
}

static const char *name_of(const writer *w, MlirValue value) {
  const char *name = xc_pointer_map_get(&w->names, value.ptr);
  assert(name && "values are computed before they are used");
  return name;
}

static const xc_dpu_value *value_of(const writer *w, MlirValue value) {
  return xc_pointer_map_get(&w->function->value_map, value.ptr);
}

static const xc_dpu_tensor *output_of(const writer *w, MlirValue value) {
  for (size_t i = 0; i < w->function->num_tensors; ++i) {
    const xc_dpu_tensor *tensor = &w->function->tensors[i];
    if (tensor->is_output && mlirValueEqual(tensor->value, value))
      return tensor;
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Subgraphs
//===----------------------------------------------------------------------===//

/// Traces separate names by commas.
static XcXModelSubgraph *add_leaf(writer *w, XcXModelSubgraph *parent,
                                  const char *name) {
  xc_text text = {0};
  xc_text_printf(&text, "subgraph_%s", name);
  for (size_t i = 0; i < text.length; ++i)
    if (text.data[i] == ',')
      text.data[i] = ';';
  XcXModelSubgraph *leaf = xcXModelSubgraphAddChild(
      parent, make_unique(w, w->leaves, keep(w, &text)));
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(leaf);
  xcXModelAttrsSetUint64(attrs, "workload", 0);
  xcXModelAttrsSetUint64(attrs, "workload_on_arch", 0);
  return leaf;
}

/// Returns a leaf for an operator at the border, for which there is no code.
static XcXModelSubgraph *add_border_leaf(writer *w, const char *name) {
  XcXModelSubgraph *leaf = add_leaf(w, w->dpu, name);
  xcXModelAttrsSetBool(xcXModelSubgraphGetAttrs(leaf), "skip_code_gen", true);
  return leaf;
}

static void add_work(XcXModelAttrs attrs, uint64_t operations) {
  static const char *const names[] = {"workload", "workload_on_arch"};
  for (size_t i = 0; i < 2; ++i) {
    XcXModelAttr attr = xcXModelAttrsFind(attrs, names[i]);
    uint64_t before = attr.value ? xcXModelAttrGetValue(attr, 0, 0).natural : 0;
    xcXModelAttrsSetUint64(attrs, names[i], before + operations);
  }
}

static void count_members(writer *w) {
  const xc_dpu_function *f = w->function;
  w->members = xc_arena_alloc(&w->arena, xcDpuCodeGenGetNumRows(f->gen) + 1,
                              sizeof *w->members);
  for (size_t i = 0; i < f->num_operators; ++i)
    w->members[f->operators[i].row] += f->operators[i].has_layers;
}

static void set_code(XcXModelSubgraph *subgraph, void *code, size_t size) {
  if (size)
    xcXModelAttrsSetBytes(xcXModelSubgraphGetAttrs(subgraph), "mc_code", code,
                          size);
  free(code);
}

/// Rows without an operator, which is in a later one, belong to the next child.
static void begin_row(writer *w, const xc_dpu_operator *op) {
  const XcDpuCodeGen *gen = w->function->gen;
  w->row = add_leaf(w, w->dpu,
                    xcDpuProgramGetLayerName(w->function->program, op->row));
  w->children[w->num_children++] = xcXModelSubgraphGetName(w->row);
  w->leaf = w->row;
  w->first_row = w->next_row;
  w->next_row = op->row + 1;
  if (w->options->no_layer_code)
    return;
  size_t size;
  void *code = xcDpuCodeGenExtractRows(gen, w->first_row, op->row, &size);
  set_code(w->row, code, size);
}

/// The code of a layer of a cascade does not run alone: it is interleaved with
/// the others.
static void begin_member(writer *w, size_t index) {
  const xc_dpu_operator *op = &w->function->operators[index];
  w->leaf = add_leaf(w, w->row, op->name);
  if (w->options->no_layer_code)
    return;
  size_t size;
  void *code = xcDpuCodeGenExtractTag(w->function->gen, w->first_row, op->row,
                                      op->tag, &size);
  set_code(w->leaf, code, size);
}

/// The operators of a row of the program belong to a child of the subgraph, and
/// those of each layer of a cascade to a child of that.
static void enter_operator(writer *w, size_t index) {
  const xc_dpu_operator *op = &w->function->operators[index];
  bool is_new = index == 0 || op[-1].row != op->row;
  bool is_cascade = w->members[op->row] > 1;
  if (is_new)
    begin_row(w, op);
  if (is_cascade && (is_new || op->has_layers))
    begin_member(w, index);
  add_work(xcXModelSubgraphGetAttrs(w->row), op->operations);
  if (w->leaf != w->row)
    add_work(xcXModelSubgraphGetAttrs(w->leaf), op->operations);
}

_Static_assert((int)XC_XMODEL_MAX_RANK == (int)XC_MAX_RANK,
               "tensors of xmodels have the ranks of tir");

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// At a border the first dimension is 1: the board's runtime takes it for the
/// batch.
static XcXModelTensor *add_tensor(XcXModelOp *op, const xc_shape *shape,
                                  int32_t fix_point, bool is_border) {
  uint32_t dims[XC_XMODEL_MAX_RANK + 1];
  size_t rank = 0;
  if (is_border && (shape->rank == 0 || shape->dims[0] != 1))
    dims[rank++] = 1;
  for (size_t i = 0; i < shape->rank; ++i)
    dims[rank++] = (uint32_t)shape->dims[i];
  XcXModelDataType type = XcXModelDataTypeXint;
  int32_t width = 8;
  bool is_known = xc_xmodel_data_type(shape->element, &type, &width);
  assert(is_known && "the DPU has integers");
  (void)is_known;
  XcXModelTensor *tensor =
      xcXModelOpSetTensor(op, xcXModelOpGetName(op), type, width, dims, rank);
  xcXModelTensorSetFixPoint(tensor, fix_point, true);
  return tensor;
}

/// Images have three dimensions; what is before the last two is rows.
static int64_t stride_of(const xc_dpu_value *value, size_t axis) {
  const xc_shape *shape = &value->shape;
  size_t back = shape->rank - 1 - axis;
  if (back == 0)
    return 1;
  if (back == 1)
    return value->image.pixelPitch;
  int64_t stride = value->image.rowPitch;
  for (size_t i = axis + 1; i + 2 < shape->rank; ++i)
    stride *= shape->dims[i];
  return stride;
}

static void set_place(const writer *w, XcXModelTensor *to,
                      const xc_dpu_value *value, int32_t fix_point) {
  XcXModelDpuTensor place = {.registerId = value->image.reg,
                             .address = value->image.address,
                             .rank = value->shape.rank,
                             .fixPoint = fix_point,
                             .isSigned = true};
  for (size_t i = 0; i < place.rank; ++i)
    place.strides[i] = stride_of(value, i);
  // A register that there is none of would get memory of the runtime.
  if (value->is_on_chip) {
    place.address = 0;
    while (!w->function->register_sizes[place.registerId])
      place.registerId = (place.registerId + 1) % XC_DPU_NUM_REGISTERS;
  }
  xcXModelTensorSetPlace(to, &place);
  if (value->is_on_chip)
    xcXModelAttrsSetInt32(xcXModelTensorGetAttrs(to), "location", 0);
}

static XcXModelOp *add_op(const writer *w, XcXModelSubgraph *subgraph,
                          const char *name, const char *type,
                          const char *device) {
  XcXModelOp *op = xcXModelAddOp(w->model, name, type);
  xcXModelSubgraphAddOp(subgraph, name);
  xcXModelAttrsSetString(xcXModelOpGetAttrs(op), "device", device);
  return op;
}

//===----------------------------------------------------------------------===//
// The border
//===----------------------------------------------------------------------===//

static void add_input(writer *w, const xc_dpu_tensor *tensor) {
  const char *name = full_name(w, tensor->name, "");
  const char *upload = free_name(w, tensor->name, "_upload");
  if (w->user) {
    XcXModelOp *source = add_op(w, w->user, name, "data-fix", "USER");
    add_tensor(source, &tensor->shape, tensor->fix_point, true);
    xcXModelOpSetShape(source);
  } else {
    name = xcXModelGetOutside(w->model, name);
    xcXModelTensorSetFixPoint(
        xcXModelOpGetTensor(xcXModelFindOp(w->model, name)), tensor->fix_point,
        true);
  }
  XcXModelOp *op =
      add_op(w, add_border_leaf(w, upload), upload, "upload", "DPU");
  xcXModelOpAddArg(op, "input", &name, 1);
  set_place(w, add_tensor(op, &tensor->shape, tensor->fix_point, false),
            value_of(w, tensor->value), tensor->fix_point);
  set_name(w, tensor->value, upload);
}

static void add_output(writer *w, const xc_dpu_tensor *tensor) {
  const char *source = full_name(w, tensor->name, "");
  const char *name = free_name(w, tensor->name, "_download");
  XcXModelOp *op = add_op(w, add_border_leaf(w, name), name, "download", "DPU");
  xcXModelOpAddArg(op, "input", &source, 1);
  add_tensor(op, &tensor->shape, tensor->fix_point, true);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static const char *constant_name(writer *w, const xc_dpu_operator *op,
                                 size_t slot) {
  MlirValue value = xc_operand(&op->adaptor, slot);
  MlirAttribute name = xc_op_attribute(mlirOpResultGetOwner(value), "op_name");
  xc_text text = {0};
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name)) {
    MlirStringRef own = mlirStringAttrGetValue(name);
    xc_text_append(&text, own.data, own.length);
  } else {
    xc_text_printf(&text, "%s_%s", op->name,
                   op->adaptor.info->operands[slot].name);
  }
  return free_name(w, keep(w, &text), "");
}

/// Returns the fix point of a constant, which an attribute of its consumer
/// names, such as "weight_fix_point".
static int32_t constant_fix_point(const xc_dpu_operator *op, size_t slot) {
  const xc_op_info *info = op->adaptor.info;
  xc_text name = {0};
  xc_text_printf(&name, "%s_fix_point", info->operands[slot].name);
  const xc_attribute_info *row =
      xc_attribute_info_find(info, xc_text_str(&name), name.length);
  xc_text_free(&name);
  return row && row->type == XC_ATTRIBUTE_INT
             ? (int32_t)xc_attr_int(&op->adaptor, row->id)
             : 0;
}

static void add_constant(writer *w, const xc_dpu_operator *op, size_t slot) {
  MlirValue value = xc_operand(&op->adaptor, slot);
  const xc_dpu_value *constant = value_of(w, value);
  if (!constant->is_constant || xc_pointer_map_has(&w->names, value.ptr))
    return;
  const char *name = constant_name(w, op, slot);
  set_name(w, value, name);
  XcXModelOp *to = add_op(w, w->leaf, name, "const-fix", "DPU");
  int32_t fix_point = constant_fix_point(op, slot);
  XcXModelTensor *tensor = add_tensor(to, &constant->shape, fix_point, false);
  xcXModelOpSetShape(to);
  bool is_read = constant->recipe_size > 0;
  XcXModelAttrs attrs = xcXModelOpGetAttrs(to);
  xcXModelAttrsSetBytes(attrs, "data", is_read ? NULL : constant->bytes,
                        is_read ? 0 : constant->num_bytes);
  if (is_read)
    xcXModelAttrsSetInt32Vec(attrs, "xc_recipe", constant->recipe,
                             constant->recipe_size);
  xc_dpu_value where = *constant;
  where.image.reg = (uint32_t)w->target->parametersRegister;
  if (is_read && constant->layout != XcDpuKernelLayoutDepthwise)
    where.image.reg = (uint32_t)w->target->weightsRegister[0];
  uint64_t size = w->function->register_sizes[where.image.reg];
  // Channels that two engines share lie in several places, and what copies the
  // tensor from the first of them must not leave the register. Of a grouped
  // kernel the register may have less than the tensor.
  where.is_on_chip = !size || constant->num_bytes > size;
  if (!where.is_on_chip && where.image.address > size - constant->num_bytes)
    where.image.address = (uint32_t)(size - constant->num_bytes);
  int32_t width = xcXModelTensorGetBitWidth(tensor);
  set_place(w, tensor, &where, fix_point);
  xcXModelAttrsSetInt32(xcXModelTensorGetAttrs(tensor), "bit_width", width);
}

static const char *producer_name(const xc_adaptor *adaptor, size_t slot,
                                 void *user_data) {
  return name_of(user_data, xc_operand(adaptor, slot));
}

static MlirValue output_value(const xc_dpu_operator *op) {
  size_t slot = op->is_copy ? 1 : op->adaptor.info->num_operands - 1;
  return xc_operand(&op->adaptor, slot);
}

/// The format has no global windows.
static void set_window(const xc_adaptor *op, XcXModelAttrs attrs) {
  if (!xc_has_attr(op, XC_ATTR_KERNEL) ||
      !mlirAttributeIsNull(xc_attr_get(op, XC_ATTR_KERNEL)))
    return;
  xc_window window = xc_window_of(op);
  const int32_t kernel[] = {(int32_t)window.w.kernel, (int32_t)window.h.kernel};
  const int32_t stride[] = {(int32_t)window.w.stride, (int32_t)window.h.stride};
  xcXModelAttrsSetInt32Vec(attrs, "kernel", kernel, 2);
  xcXModelAttrsSetInt32Vec(attrs, "stride", stride, 2);
}

static void add_operator(writer *w, const xc_dpu_operator *op) {
  MlirValue value = output_value(op);
  const xc_dpu_tensor *output = output_of(w, value);
  const char *name =
      output ? full_name(w, output->name, "") : free_name(w, op->name, "");
  size_t num_inputs = op->is_copy ? 1 : op->adaptor.info->num_operands - 1;
  for (size_t slot = 0; slot < num_inputs; ++slot)
    if (xc_has_operand(&op->adaptor, slot))
      add_constant(w, op, slot);
  const xc_dpu_value *result = value_of(w, value);
  XcXModelOp *to =
      add_op(w, w->leaf, name,
             op->is_copy ? "identity" : op->adaptor.info->mnemonic, "DPU");
  XcXModelTensor *tensor =
      add_tensor(to, &result->shape, result->fix_point, false);
  if (op->is_copy) {
    const char *source = name_of(w, xc_operand(&op->adaptor, 0));
    xcXModelOpAddArg(to, "input", &source, 1);
  } else {
    xc_xmodel_write_args(&op->adaptor, to, producer_name, w);
    xc_xmodel_write_attributes(&op->adaptor, to);
    set_window(&op->adaptor, xcXModelOpGetAttrs(to));
  }
  xcXModelOpSetShape(to);
  add_work(xcXModelOpGetAttrs(to), op->operations);
  set_place(w, tensor, result, result->fix_point);
  set_name(w, value, name);
}

//===----------------------------------------------------------------------===//
// The subgraph
//===----------------------------------------------------------------------===//

static size_t list_registers(const XcDpuTarget *target,
                             const xc_dpu_function *function,
                             XcXModelRegister *registers) {
  size_t count = 0;
  for (uint32_t reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg) {
    uint64_t size = function->register_sizes[reg];
    if (size == 0)
      continue;
    XcXModelRegister row = {.id = reg,
                            .context = XcXModelContextInterface,
                            .size = size,
                            .segment = xcDpuTargetGetSegment(target, reg)};
    if ((int32_t)reg == target->workspaceRegister)
      row.context = XcXModelContextWorkspace;
    if (function->parameters[reg]) {
      row.context = XcXModelContextConst;
      row.initial = function->parameters[reg];
      row.initialSize = (size_t)size;
    }
    registers[count++] = row;
  }
  return count;
}

/// Writes the layers by which profilers tell times, in the order of the code.
static void set_layers(const writer *w) {
  const xc_dpu_function *f = w->function;
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(w->dpu);
  XcXModelAttr names =
      xcXModelAttrsSet(attrs, XC_XMODEL_LAYER_NAMES, XcXModelKindStringVec);
  XcXModelAttr firsts = xcXModelAttrsSet(attrs, XC_XMODEL_LAYER_INSTRUCTIONS,
                                         XcXModelKindUint64Vec);
  XcXModelAttr work = xcXModelAttrsSet(attrs, XC_XMODEL_LAYER_OPERATIONS,
                                       XcXModelKindUint64Vec);
  size_t row = 0, count = xcDpuProgramGetNumInstructions(f->program);
  for (size_t i = 0; i < count; ++i) {
    size_t layer = xcDpuProgramGetLayerOf(f->program, i);
    for (; row < xcDpuCodeGenGetNumRows(f->gen) && row <= layer; ++row) {
      size_t first, last;
      uint64_t operations = 0;
      xcDpuCodeGenGetRow(f->gen, row, &first, &last);
      for (size_t l = first; l <= last; ++l)
        operations += xcDpuCodeGenGetLayer(f->gen, l)->operations;
      xcXModelAttrAppend(
          names, NULL,
          xcXModelValueString(xcDpuProgramGetLayerName(f->program, row)));
      xcXModelAttrAppend(firsts, NULL, xcXModelValueUint(i));
      xcXModelAttrAppend(work, NULL, xcXModelValueUint(operations));
    }
  }
}

static void set_dpu(const writer *w) {
  XcXModelRegister registers[XC_DPU_NUM_REGISTERS];
  XcXModelDpu dpu = {.name = w->function->name,
                     .compiler = "xc",
                     .target = w->target->dpuName ? w->target->dpuName
                                                  : w->target->name,
                     .fingerprint = w->target->fingerprint,
                     .workload = w->function->operations,
                     .workloadOnArch = w->function->operations,
                     .registers = registers};
  dpu.code = xcDpuCodeGenGetCode(w->function->gen, &dpu.codeSize);
  dpu.numRegisters = list_registers(w->target, w->function, registers);
  xcXModelSubgraphSetDpu(w->dpu, &dpu);
  xcXModelAttrsSetStringVec(xcXModelSubgraphGetAttrs(w->dpu),
                            "children_topological_sort", w->children,
                            w->num_children);
  set_layers(w);
}

static XcXModelSubgraph *add_subgraph(XcXModelSubgraph *parent,
                                      const char *name, const char *device) {
  XcXModelSubgraph *subgraph = xcXModelSubgraphAddChild(parent, name);
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(subgraph), "device", device);
  return subgraph;
}

/// Whether what the inputs come from is in the model.
static bool find_sources(writer *w) {
  for (size_t i = 0; i < w->function->num_tensors; ++i) {
    const xc_dpu_tensor *tensor = &w->function->tensors[i];
    if (!tensor->is_output &&
        !xcXModelFindOp(w->model, full_name(w, tensor->name, "")))
      return false;
  }
  return true;
}

static void add_borders(writer *w, bool outputs) {
  for (size_t i = 0; i < w->function->num_tensors; ++i) {
    const xc_dpu_tensor *tensor = &w->function->tensors[i];
    if (tensor->is_output == outputs)
      (outputs ? add_output : add_input)(w, tensor);
  }
}

void xc_dpu_add_to_xmodel(XcXModel *model, const XcDpuTarget *target,
                          const xc_dpu_function *function,
                          const xc_dpu_xmodel_options *options) {
  writer w = {.model = model,
              .target = target,
              .function = function,
              .options = options};
  bool has_sources = find_sources(&w);
  take_names(&w);
  count_members(&w);
  w.root = xcXModelGetRoot(model);
  if (!w.root)
    w.root = xcXModelAddRoot(model, "root");
  if (!has_sources)
    w.user =
        add_subgraph(w.root, full_name(&w, function->name, "_inputs"), "USER");
  w.dpu = add_subgraph(w.root, function->name, "DPU");
  w.children =
      xc_arena_alloc(&w.arena, function->num_operators + 1, sizeof *w.children);
  add_borders(&w, false);
  for (size_t i = 0; i < function->num_operators; ++i) {
    enter_operator(&w, i);
    add_operator(&w, &function->operators[i]);
  }
  add_borders(&w, true);
  set_dpu(&w);
  json_decref(w.taken);
  json_decref(w.leaves);
  xc_pointer_map_free(&w.names);
  xc_arena_free(&w.arena);
}
