//===- Function.c - a function of mtir operators becomes machine code -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlignChannels.h"
#include "FoldColumns.h"

#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Text.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Shared by the lowerings
//===----------------------------------------------------------------------===//

bool xc_refuse(const xc_adaptor *adaptor, const char *format, ...) {
  xc_text why = {0};
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&why, format, arguments);
  va_end(arguments);
  xc_adaptor_error(adaptor, "cannot run on the DPU: %s", xc_text_str(&why));
  xc_text_free(&why);
  return false;
}

bool xc_lower_activation(const xc_adaptor *adaptor, XcActivation activation,
                         int64_t output_fix_point, XcActivation *result) {
  // 6 * 2^4 is the limit of the engine; above fix point 4 the limit lies
  // beyond what int8 holds.
  enum { RELU6_FIX_POINT = 4 };
  *result = activation;
  switch (activation) {
  case XcActivationNone:
  case XcActivationRelu:
  case XcActivationLeakyRelu:
    return true;
  case XcActivationRelu6:
    break;
  case XcActivationPrelu:
  case XcActivationHSigmoid:
  case XcActivationHSwish:
    return xc_refuse(adaptor, "the engine has no %s",
                     xcActivationGetName(activation));
  }
  if (output_fix_point < RELU6_FIX_POINT)
    return xc_refuse(adaptor,
                     "RELU6 needs an output fix point of %d or more, found "
                     "%" PRId64,
                     RELU6_FIX_POINT, output_fix_point);
  if (output_fix_point > RELU6_FIX_POINT)
    *result = XcActivationRelu;
  return true;
}

const char *xc_operator_name(xc_lowering *lowering, const xc_adaptor *adaptor) {
  MlirStringRef name = xc_op_given_name(adaptor->operation);
  return name.length ? xc_arena_string(&lowering->arena, name.data, name.length)
                     : adaptor->info->mnemonic;
}

XcDpuLayer xc_layer_begin(xc_lowering *lowering, const xc_adaptor *adaptor,
                          XcDpuLayerKind kind) {
  XcDpuLayer layer = {.kind = kind,
                      .name = xc_operator_name(lowering, adaptor),
                      .tag = (size_t)(lowering->current - lowering->ops) + 1,
                      .numInputs = 1,
                      .scaleH = 1,
                      .scaleW = 1};
  layer.location = xc_location_text(
      &lowering->arena, mlirOperationGetLocation(adaptor->operation),
      layer.name);
  xc_allocation *input = xc_operand_allocation(lowering, adaptor, 0);
  layer.inputs[0] = xc_allocation_image(lowering, input);
  if (input->kind == XC_ALLOCATION_INPUT) {
    layer.marginBefore = (int32_t)lowering->margin_before;
    layer.marginAfter = (int32_t)lowering->margin_after;
  }
  MlirValue output = mlirOperationGetOperand(
      adaptor->operation, mlirOperationGetNumOperands(adaptor->operation) - 1);
  layer.output =
      xc_allocation_image(lowering, xc_allocation_of(lowering, output));
  return layer;
}

/// Adds the layer, together with the addition that is fused into it. If both do
/// not fit at once, the addition follows in place.
static XcDpuRefusal add_layer(xc_lowering *lowering, const XcDpuLayer *layer) {
  const xc_function_op *op = lowering->current;
  if (!op->addition)
    return xcDpuCodeGenAddLayer(lowering->gen, layer);
  XcDpuLayer fused = *layer;
  xc_fuse_layer(lowering, op, &fused);
  XcDpuRefusal refusal = xcDpuCodeGenAddLayer(lowering->gen, &fused);
  if (refusal.reason == XcDpuRefusalReasonNone)
    return refusal;
  XcDpuLayer conv = *layer;
  conv.output = fused.output;
  refusal = xcDpuCodeGenAddLayer(lowering->gen, &conv);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  XcDpuLayer addition = fused;
  addition.kind = XcDpuLayerKindAdd;
  addition.inputs[0] = fused.output;
  addition.activation = fused.addActivation;
  addition.operations = 0;
  addition.hasBias = false;
  addition.canBeDiagonal = addition.canServeColumns = false;
  addition.canJoinWeights = addition.canJoinBias = false;
  return xcDpuCodeGenAddLayer(lowering->gen, &addition);
}

bool xc_layer_add(xc_lowering *lowering, const xc_adaptor *adaptor,
                  const XcDpuLayer *layer) {
  XcDpuRefusal refusal = add_layer(lowering, layer);
  lowering->operations += layer->operations;
  if (refusal.reason == XcDpuRefusalReasonNone)
    return true;
  char why[256];
  xcDpuRefusalDescribe(refusal, why, sizeof why);
  return xc_refuse(adaptor, "%s", why);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

typedef bool (*lower_function)(xc_lowering *lowering,
                               const xc_adaptor *adaptor);

/// Whether the frames of a batch can be taken as more rows of one image.
typedef enum frames {
  AS_ROWS,
  ONE_BY_ONE,
  EITHER,
} frames;

typedef struct lower_row {
  xc_op_kind kind;
  lower_function lower;
  frames frames;
} lower_row;

static const lower_row rows[] = {
    {XC_TIR_CONV2D_FIX, xc_lower_conv, ONE_BY_ONE},
    {XC_TIR_DEPTHWISE_CONV2D_FIX, xc_lower_conv, ONE_BY_ONE},
    {XC_TIR_TRANSPOSED_CONV2D_FIX, xc_lower_transposed, ONE_BY_ONE},
    {XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX, xc_lower_transposed, ONE_BY_ONE},
    {XC_TIR_POOL_FIX, xc_lower_pool, ONE_BY_ONE},
    {XC_TIR_REDUCTION_MAX_FIX, xc_lower_reduction_max, ONE_BY_ONE},
    {XC_TIR_ELTWISE_FIX, xc_lower_eltwise, ONE_BY_ONE},
    {XC_TIR_DEPTHWISE_FIX, xc_lower_depthwise_fix, EITHER},
    {XC_TIR_RELU_FIX, xc_lower_relu, EITHER},
    {XC_TIR_RELU6_FIX, xc_lower_relu6, EITHER},
    {XC_TIR_LEAKY_RELU_FIX, xc_lower_leaky, EITHER},
    {XC_TIR_PRELU_FIX, xc_lower_prelu, EITHER},
    {XC_TIR_HARD_SIGMOID_FIX, xc_lower_hard_sigmoid, EITHER},
    {XC_TIR_HARD_SWISH_FIX, xc_lower_hard_swish, EITHER},
    {XC_TIR_CONCAT_FIX, xc_lower_concat, ONE_BY_ONE},
    {XC_TIR_RESHAPE_FIX, xc_lower_reshape, AS_ROWS},
    {XC_TIR_RESHAPE, xc_lower_reshape, AS_ROWS},
    {XC_TIR_FLATTEN, xc_lower_reshape, AS_ROWS},
    {XC_TIR_SQUEEZE, xc_lower_reshape, AS_ROWS},
    {XC_TIR_TRANSPOSE_FIX, xc_lower_transpose, AS_ROWS},
    {XC_TIR_PAD_FIX, xc_lower_pad, ONE_BY_ONE},
    {XC_TIR_STRIDED_SLICE_FIX, xc_lower_slice, ONE_BY_ONE},
    {XC_TIR_UPSAMPLE_FIX, xc_lower_upsample, EITHER},
    {XC_TIR_DOWNSAMPLE_FIX, xc_lower_downsample, ONE_BY_ONE},
    {XC_TIR_TILE_FIX, xc_lower_tile, EITHER},
    {XC_TIR_REORG_FIX, xc_lower_tile, EITHER},
    {XC_TIR_PIXEL_SHUFFLE_FIX, xc_lower_tile, EITHER},
    {XC_TIR_ARGMAX_FIX, xc_lower_argmax, ONE_BY_ONE},
};

static const lower_row *find_row(xc_op_kind kind) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].kind == kind)
      return &rows[i];
  return NULL;
}

/// Checks what the engines take for granted.
static bool check_op(const xc_adaptor *adaptor) {
  if (xc_has_attr(adaptor, XC_ATTR_ROUND_MODE) &&
      xc_round_mode_of(adaptor) != XcRoundModeDpu)
    return xc_refuse(adaptor, "'round_mode' is %s, expected DPU_ROUND",
                     xc_enum_name(xc_attr_enum(adaptor, XC_ATTR_ROUND_MODE)));
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    if (!xc_has_operand(adaptor, slot) ||
        strcmp(adaptor->info->operands[slot].name, "bias") == 0)
      continue;
    xc_shape shape = xc_operand_shape(adaptor, slot);
    if (shape.element != XC_ELEMENT_I8)
      return xc_refuse(adaptor,
                       "operand '%s' has elements of type %s, expected "
                       "i8",
                       adaptor->info->operands[slot].name,
                       xc_element_name(shape.element));
    if (xc_shape_num_elements(&shape) == 0)
      return xc_refuse(adaptor, "operand '%s' is empty",
                       adaptor->info->operands[slot].name);
  }
  return true;
}

static void note_fix_points(xc_lowering *lowering, const xc_adaptor *adaptor) {
  const xc_attribute_info *in =
      xc_attribute_info_get(adaptor->info, XC_ATTR_INPUT_FIX_POINT);
  size_t count = !in                            ? 0
                 : in->type == XC_ATTRIBUTE_INT ? 1
                                                : xc_num_inputs(adaptor);
  for (size_t k = 0; k < count; ++k)
    xc_operand_allocation(lowering, adaptor, k)->fix_point =
        xc_input_fix_point(adaptor, k);
  if (xc_has_attr(adaptor, XC_ATTR_OUTPUT_FIX_POINT))
    xc_output_allocation(lowering, adaptor)->fix_point =
        xc_fix_point(adaptor, XC_ATTR_OUTPUT_FIX_POINT);
}

/// Whether every input is as large as the result, so that rows are rows.
static bool is_broadcast(const xc_adaptor *adaptor, const xc_shape *out) {
  for (size_t slot = 0; slot + 1 < adaptor->info->num_operands; ++slot) {
    xc_shape shape;
    if (!xc_has_operand(adaptor, slot))
      continue;
    shape = xc_operand_shape(adaptor, slot);
    if (xc_shape_num_elements(&shape) != xc_shape_num_elements(out))
      return true;
  }
  return false;
}

xc_frame_counts xc_count_frames(const xc_lowering *lowering,
                                const xc_function_op *op) {
  static const xc_frame_counts one = {1, 1};
  const xc_adaptor *adaptor = &op->adaptor;
  const lower_row *row = op->is_copy ? NULL : find_row(adaptor->info->kind);
  if (!row)
    return one;
  const xc_shape *out = &xc_output_allocation(lowering, adaptor)->shape;
  xc_shape in = xc_operand_shape(adaptor, 0);
  if (row->frames == AS_ROWS || in.rank < 3 || out->rank == 0)
    return one;
  bool is_batch = in.rank == 4 && in.dims[0] == out->dims[0] && in.dims[0] > 1;
  int64_t batch = is_batch ? in.dims[0] : 1;
  if (row->kind == XC_TIR_CONCAT_FIX) {
    int64_t axis = xc_attr_int(adaptor, XC_ATTR_AXIS);
    axis += axis < 0 ? (int64_t)out->rank : 0;
    // Of three dimensions the first is rows; columns and channels of all
    // frames join as those of one.
    if (axis == 0 || axis + 2 >= (int64_t)out->rank)
      return (xc_frame_counts){1, axis == 0 ? 1 : batch};
    return (xc_frame_counts){out->dims[0], out->dims[0]};
  }
  if (row->kind == XC_TIR_ELTWISE_FIX) {
    bool by_frames = is_broadcast(adaptor, out) && out->rank >= 4;
    return (xc_frame_counts){by_frames ? out->dims[0] : 1,
                             by_frames ? out->dims[0] : batch};
  }
  return (xc_frame_counts){row->frames == EITHER ? 1 : batch, batch};
}

/// The first frame decides where the parameters of all are.
static bool lower_frame(xc_lowering *lowering, xc_function_op *op) {
  const xc_adaptor *adaptor = &op->adaptor;
  lowering->current = op;
  if (lowering->frame == 0 && !check_op(adaptor))
    return false;
  if (op->is_done)
    return true;
  if (op->is_copy)
    return xc_lower_copy(lowering, adaptor);
  if (lowering->frame == 0) {
    note_fix_points(lowering, adaptor);
    op->first_parameter = lowering->num_frame_parameters;
  }
  lowering->next_frame_parameter = op->first_parameter;
  // An operand of fewer dimensions is the same for all frames.
  lowering->frame_rank =
      adaptor->info->kind == XC_TIR_ELTWISE_FIX
          ? xc_output_allocation(lowering, adaptor)->shape.rank
          : 0;
  const lower_row *row = find_row(adaptor->info->kind);
  return row ? row->lower(lowering, adaptor)
             : xc_refuse(adaptor, "there is no engine for it");
}

/// Each frame goes through all operators of the run before the next one.
static bool lower_run(xc_lowering *lowering, xc_function_op *ops,
                      size_t count) {
  bool ok = true;
  lowering->num_frames = ops->num_frames;
  lowering->num_frame_parameters = 0;
  for (int64_t frame = 0; ok && frame < ops->num_frames; ++frame) {
    lowering->frame = frame;
    for (size_t i = 0; ok && i < count; ++i)
      ok = lower_frame(lowering, &ops[i]);
  }
  lowering->num_frames = 1;
  lowering->frame = 0;
  return ok;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static const char *argument_name(xc_dpu_function *result, MlirOperation func,
                                 bool is_output, size_t index) {
  MlirAttribute names = mlirOperationGetAttributeByName(
      func, xc_ref(is_output ? "output_names" : "input_names"));
  if (!mlirAttributeIsNull(names) && mlirAttributeIsAArray(names) &&
      (intptr_t)index < mlirArrayAttrGetNumElements(names)) {
    MlirAttribute name = mlirArrayAttrGetElement(names, (intptr_t)index);
    if (mlirAttributeIsAString(name)) {
      MlirStringRef string = mlirStringAttrGetValue(name);
      return xc_arena_string(&result->arena, string.data, string.length);
    }
  }
  xc_text text = {0};
  xc_text_printf(&text, "%s%zu", is_output ? "output" : "input", index);
  char *name = xc_arena_string(&result->arena, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return name;
}

void xc_list_tensors(const xc_lowering *lowering, MlirOperation func,
                     xc_dpu_function *result) {
  size_t counts[2] = {0};
  result->tensors = xc_arena_alloc(&result->arena, lowering->num_allocations,
                                   sizeof *result->tensors);
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *allocation = lowering->list[i];
    if (allocation->kind != XC_ALLOCATION_INPUT &&
        allocation->kind != XC_ALLOCATION_OUTPUT)
      continue;
    bool is_output = allocation->kind == XC_ALLOCATION_OUTPUT;
    result->tensors[result->num_tensors++] = (xc_dpu_tensor){
        .name = argument_name(result, func, is_output, counts[is_output]++),
        .value = allocation->value,
        .image = allocation->image,
        .shape = allocation->shape,
        .fix_point = allocation->fix_point,
        .is_output = is_output};
  }
}

bool xc_lower_function(xc_lowering *lowering, MlirOperation func, bool aligns) {
  if (!xc_allocations_collect(lowering, func) ||
      (aligns && !xc_align_channels(lowering)))
    return false;
  xc_fuse_additions(lowering);
  xc_allocations_share(lowering);
  xc_allocations_assign(lowering);
  xc_fold_columns(lowering);
  for (size_t i = 0; i < lowering->num_ops;) {
    xc_function_op *op = &lowering->ops[i];
    if (!lower_run(lowering, op, op->run_size))
      return false;
    i += op->run_size;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

typedef struct function_list {
  MlirOperation *items;
  size_t count, capacity, num_dpu;
  bool only_dpu;
} function_list;

static bool is_dpu_function(MlirOperation func) {
  MlirAttribute device =
      mlirOperationGetAttributeByName(func, xc_ref("device"));
  return !mlirAttributeIsNull(device) && mlirAttributeIsAString(device) &&
         mlirStringRefEqual(mlirStringAttrGetValue(device), xc_ref("DPU"));
}

static bool collect_function(void *user_data, MlirOperation func) {
  function_list *list = user_data;
  if (mlirRegionIsNull(xc_function_body(func)))
    return true;
  list->num_dpu += is_dpu_function(func);
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items = items;
  list->items[list->count++] = func;
  return true;
}

bool xc_dpu_for_each_function(MlirOperation module,
                              bool (*visit)(void *user_data,
                                            MlirOperation func),
                              void *user_data) {
  function_list list = {0};
  xc_for_each_function(module, collect_function, &list);
  bool ok = list.num_dpu > 0 || list.count == 1;
  if (!ok)
    mlirEmitError(mlirOperationGetLocation(module),
                  "no function has 'device' DPU");
  for (size_t i = 0; ok && i < list.count; ++i)
    if (list.num_dpu == 0 || is_dpu_function(list.items[i]))
      ok = visit(user_data, list.items[i]);
  free(list.items);
  return ok;
}
