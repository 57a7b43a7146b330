//===- Generate.c - a graph of tir operators from a seed ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "IR/Builder.h"
#include "Support/Memory.h"
#include "Transforms/Partition/Constraints.h"
#include "dialects/Macs.h"
#include "xc-c/Dialects.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Which operators
//===----------------------------------------------------------------------===//

// Operators that a graph on tensors cannot have, or only as operands.
static bool is_drawn(const xc_op_info *info) {
  return info->dialect == XC_DIALECT_TIR && info->has_result &&
         info->rule != XC_RULE_CONST && info->rule != XC_RULE_DATA &&
         info->rule != XC_RULE_GIVEN && info->rule != XC_RULE_TRANSFER &&
         info->kind != XC_TIR_CUSTOM && info->kind != XC_TIR_UPLOAD;
}

// The rows that numbers are drawn for: seeds stay the graphs that they were,
// which tests name. Recurrent layers make much of small differences: graphs
// have them where they are asked for.
static bool is_counted(const xc_op_info *info) {
  return info->kind != XC_TIR_RECURRENT;
}

static const xc_op_info *nth_row(const xc_op_info *rows, size_t count,
                                 int64_t n) {
  size_t i = 0;
  for (; i < count; ++i)
    if (is_counted(&rows[i]) && n-- == 0)
      break;
  return &rows[i];
}

static bool is_fixed_point(const xc_op_info *info) {
  xc_fit_class class_ = xc_fit_class_of(info->kind);
  return class_ != XC_FIT_FLOATING && class_ != XC_FIT_SCALED &&
         class_ != XC_FIT_HOST && class_ != XC_FIT_BOUNDARY &&
         class_ != XC_FIT_REWRITTEN;
}

// Operators that are on the DPU only because of those beside them.
static bool needs_neighbours(const xc_op_info *info) {
  xc_fit_class class_ = xc_fit_class_of(info->kind);
  return class_ == XC_FIT_RESHAPE || class_ == XC_FIT_TRANSPOSE ||
         class_ == XC_FIT_TILE;
}

const xc_op_info *fuzz_find_operator(const char *mnemonic) {
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i)
    if (is_drawn(&rows[i]) && strcmp(rows[i].mnemonic, mnemonic) == 0)
      return &rows[i];
  return NULL;
}

// What may touch buffers whose columns share words.
static const xc_op_info *draw_narrow(fuzz_gen *gen) {
  return xc_op_info_get(
      XC_DIALECT_TIR,
      FUZZ_PICK(&gen->random, XC_TIR_CONV2D_FIX, XC_TIR_CONV2D_FIX,
                XC_TIR_DEPTHWISE_CONV2D_FIX, XC_TIR_ELTWISE_FIX,
                XC_TIR_ELTWISE_FIX, XC_TIR_RELU_FIX, XC_TIR_RELU6_FIX,
                XC_TIR_PAD_FIX, XC_TIR_TILE_FIX, XC_TIR_TRANSPOSED_CONV2D_FIX,
                XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX));
}

// What keeps the sizes of images, so that they can be concatenated.
static const xc_op_info *draw_for_concats(fuzz_gen *gen) {
  return xc_op_info_get(
      XC_DIALECT_TIR,
      FUZZ_PICK(&gen->random, XC_TIR_CONCAT_FIX, XC_TIR_CONCAT_FIX,
                XC_TIR_CONV2D_FIX, XC_TIR_CONV2D_FIX,
                XC_TIR_DEPTHWISE_CONV2D_FIX, XC_TIR_DEPTHWISE_CONV2D_FIX,
                XC_TIR_ELTWISE_FIX, XC_TIR_RELU_FIX));
}

// What speech and audio networks have.
static const xc_op_info *draw_for_signals(fuzz_gen *gen) {
  return xc_op_info_get(
      XC_DIALECT_TIR,
      FUZZ_PICK(&gen->random, XC_TIR_CONV2D_FIX, XC_TIR_CONV2D_FIX,
                XC_TIR_CONV2D_FIX, XC_TIR_DEPTHWISE_CONV2D_FIX,
                XC_TIR_DEPTHWISE_CONV2D_FIX, XC_TIR_ELTWISE_FIX,
                XC_TIR_RELU_FIX, XC_TIR_PRELU_FIX, XC_TIR_CONCAT_FIX,
                XC_TIR_TRANSPOSED_CONV2D_FIX));
}

// What networks with channel shuffles have: branches of slices that are
// concatenated, and convolutions of groups. The host has them in floating
// point, too.
static const xc_op_info *draw_for_shuffles(fuzz_gen *gen) {
  fuzz_random *r = &gen->random;
  bool is_fixed = gen->setting->mode == FUZZ_DPU || fuzz_chance(r, 40);
  int64_t kind =
      is_fixed
          ? FUZZ_PICK(r, XC_TIR_CONV2D_FIX, XC_TIR_CONV2D_FIX,
                      XC_TIR_CONV2D_FIX, XC_TIR_DEPTHWISE_CONV2D_FIX,
                      XC_TIR_STRIDED_SLICE_FIX, XC_TIR_CONCAT_FIX,
                      XC_TIR_RELU_FIX, XC_TIR_ELTWISE_FIX, XC_TIR_POOL_FIX)
          : FUZZ_PICK(r, XC_TIR_CONV2D, XC_TIR_CONV2D, XC_TIR_CONV2D,
                      XC_TIR_DEPTHWISE_CONV2D, XC_TIR_STRIDED_SLICE,
                      XC_TIR_CONCAT, XC_TIR_RELU, XC_TIR_ADD, XC_TIR_MAXPOOL2D);
  return xc_op_info_get(XC_DIALECT_TIR, (xc_op_kind)kind);
}

// On the DPU a few operators of the host stand between those in fixed point,
// and convolutions are as frequent as in networks.
static const xc_op_info *draw_operator(fuzz_gen *gen) {
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  size_t num_counted = 0;
  for (size_t i = 0; i < count; ++i)
    num_counted += is_counted(&rows[i]);
  bool for_dpu = gen->setting->mode == FUZZ_DPU;
  bool any = !for_dpu || fuzz_chance(&gen->random, 6);
  if (gen->setting->subject == FUZZ_NARROW && fuzz_chance(&gen->random, 80))
    return draw_narrow(gen);
  if (fuzz_joins(gen) && fuzz_chance(&gen->random, 85))
    return fuzz_is_shuffled(gen) ? draw_for_shuffles(gen)
                                 : draw_for_concats(gen);
  if (fuzz_is_signal(gen) && fuzz_chance(&gen->random, 85))
    return draw_for_signals(gen);
  if (for_dpu && fuzz_chance(&gen->random, 30))
    return xc_op_info_get(XC_DIALECT_TIR, XC_TIR_CONV2D_FIX);
  if (for_dpu && fuzz_chance(&gen->random, 10))
    return xc_op_info_get(XC_DIALECT_TIR, XC_TIR_ELTWISE_FIX);
  for (;;) {
    const xc_op_info *row = nth_row(
        rows, count, fuzz_range(&gen->random, 0, (int64_t)num_counted - 1));
    if (is_drawn(row) && (any || is_fixed_point(row)) &&
        (!gen->setting->lowered || fuzz_is_lowered(row->kind)) &&
        (!for_dpu || !needs_neighbours(row) || fuzz_chance(&gen->random, 30)))
      return row;
  }
}

//===----------------------------------------------------------------------===//
// One operator
//===----------------------------------------------------------------------===//

// Only moves its operands, or picks from them: exact where they are.
static bool keeps_exact(const xc_op_info *info) {
  switch (info->rule) {
  case XC_RULE_CONCAT:
  case XC_RULE_STACK:
  case XC_RULE_RESHAPE:
  case XC_RULE_FLATTEN:
  case XC_RULE_SQUEEZE:
  case XC_RULE_TRANSPOSE:
  case XC_RULE_EXPAND:
  case XC_RULE_STRIDED_SLICE:
  case XC_RULE_PAD:
  case XC_RULE_PIXEL_SHUFFLE:
  case XC_RULE_REORG:
  case XC_RULE_GSTILING:
  case XC_RULE_SPACE_TO_BATCH:
  case XC_RULE_BATCH_TO_SPACE:
  case XC_RULE_GATHER:
  case XC_RULE_TABLE:
  case XC_RULE_SELECT:
    return true;
  default:
    return info->kind == XC_TIR_RELU || info->kind == XC_TIR_NEG ||
           info->kind == XC_TIR_ABS || info->kind == XC_TIR_MAXPOOL2D ||
           info->kind == XC_TIR_REDUCTION_MAX || info->kind == XC_TIR_FIX2FLOAT;
  }
}

static bool result_is_exact(const fuzz_draft *draft, xc_element element) {
  if (!xc_element_is_float(element))
    return true;
  if (!keeps_exact(draft->info))
    return false;
  for (size_t i = 0; i < draft->num_operands; ++i)
    if (!mlirValueIsNull(draft->inputs[i].value) && !draft->inputs[i].is_exact)
      return false;
  return true;
}

static bool is_affordable(const fuzz_gen *gen, MlirOperation operation) {
  xc_adaptor adaptor;
  xc_shape shape;
  if (!xc_adaptor_of(operation, &adaptor) ||
      !xc_shape_of_type(mlirValueGetType(mlirOperationGetResult(operation, 0)),
                        &shape))
    return false;
  int64_t elements = xc_shape_num_elements(&shape);
  int64_t work = FUZZ_MAX_WORK;
  if (fuzz_is_large(gen))
    work *= FUZZ_LARGE_SCALE;
  return elements > 0 && fuzz_can_have(gen, elements) &&
         xc_count_macs(&adaptor) <= work;
}

// Makes an operator, or none when the parts do not fit together.
static MlirValue try_operator(fuzz_gen *gen, const xc_op_info *info,
                              fuzz_draft *draft) {
  *draft = (fuzz_draft){.gen = gen, .info = info, .element = XC_ELEMENT_NONE};
  if (!fuzz_arrange(draft))
    return (MlirValue){NULL};
  fuzz_add_attributes(draft);
  MlirValue value =
      xc_build(&gen->at, info->kind, draft->operands, draft->num_operands,
               draft->attributes, draft->num_attributes, draft->element);
  if (mlirValueIsNull(value) || is_affordable(gen, mlirOpResultGetOwner(value)))
    return value;
  mlirOperationDestroy(mlirOpResultGetOwner(value));
  return (MlirValue){NULL};
}

static void free_wishes(fuzz_gen *gen) {
  for (int i = 0; i < XC_NUM_FACTS; ++i)
    gen->wanted[i] = FUZZ_FREE;
}

static void add_value(fuzz_gen *gen, const fuzz_draft *draft, MlirValue value) {
  if (gen->num_values == FUZZ_MAX_VALUES)
    return;
  fuzz_value *v = &gen->values[gen->num_values++];
  *v = (fuzz_value){.value = value};
  xc_shape_of_type(mlirValueGetType(value), &v->shape);
  v->is_exact = result_is_exact(draft, v->shape.element);
  v->point = draft->num_operands ? draft->inputs[0].point : 0;
  for (size_t i = 0; i < draft->num_attributes; ++i)
    if (strcmp(draft->attributes[i].name, "output_fix_point") == 0)
      v->point = (int32_t)draft->attributes[i].number;
}

// The same operator again, but for one fact, which is at a limit of the target.
static MlirValue try_limit(fuzz_gen *gen, const fuzz_gen *before,
                           MlirValue value, fuzz_draft *draft) {
  xc_adaptor adaptor;
  xc_facts facts;
  if (!xc_adaptor_of(mlirOpResultGetOwner(value), &adaptor))
    return (MlirValue){NULL};
  const xc_op_info *info = adaptor.info;
  xc_facts_read(&adaptor, &facts);
  fuzz_random after = gen->random;
  fuzz_gen *again = xc_alloc(sizeof(fuzz_gen));
  *again = *before;
  again->random = after;
  fuzz_want_limit(again, &facts);
  again->random = before->random;
  MlirValue other = try_operator(again, info, draft);
  if (!mlirValueIsNull(other)) {
    mlirOperationDestroy(mlirOpResultGetOwner(value));
    *gen = *again;
    gen->random = after;
  }
  free(again);
  return other;
}

static void add_operator(fuzz_gen *gen) {
  fuzz_draft *draft = xc_alloc(2 * sizeof(fuzz_draft));
  fuzz_gen *before = xc_alloc(sizeof(fuzz_gen));
  const xc_op_info *info = draw_operator(gen);
  free_wishes(gen);
  *before = *gen;
  MlirValue value = try_operator(gen, info, draft), other = {NULL};
  bool at_limit =
      gen->setting->mode == FUZZ_DPU && fuzz_chance(&gen->random, 30);
  if (!mlirValueIsNull(value) && at_limit)
    other = try_limit(gen, before, value, draft + 1);
  if (!mlirValueIsNull(other))
    add_value(gen, draft + 1, other);
  else if (!mlirValueIsNull(value))
    add_value(gen, draft, value);
  else
    memcpy(gen->values, before->values, sizeof(gen->values));
  if (mlirValueIsNull(value))
    gen->num_values = before->num_values;
  free(before);
  free(draft);
}

//===----------------------------------------------------------------------===//
// What every graph has
//===----------------------------------------------------------------------===//

static const xc_op_info *draw_subject(fuzz_gen *gen) {
  static const xc_op_kind kinds[2][2] = {
      {XC_TIR_CONV2D_FIX, XC_TIR_TRANSPOSED_CONV2D_FIX},
      {XC_TIR_DEPTHWISE_CONV2D_FIX, XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX},
  };
  bool is_transposed =
      gen->setting->subject == FUZZ_TRANSPOSED || fuzz_chance(&gen->random, 10);
  bool is_depthwise =
      gen->setting->subject == FUZZ_DEPTHWISE || fuzz_chance(&gen->random, 25);
  if (gen->setting->required)
    return gen->setting->required;
  return xc_op_info_get(XC_DIALECT_TIR, kinds[is_depthwise][is_transposed]);
}

static bool has_list(const fuzz_draft *draft, const char *name) {
  for (size_t i = 0; i < draft->num_attributes; ++i)
    if (strcmp(draft->attributes[i].name, name) == 0)
      return draft->attributes[i].count > 1;
  return false;
}

static bool fits_target(const fuzz_gen *gen, MlirOperation operation) {
  xc_adaptor adaptor;
  xc_facts facts;
  xc_bounds bounds;
  if (gen->setting->mode != FUZZ_DPU)
    return true;
  if (!xc_adaptor_of(operation, &adaptor))
    return false;
  xc_facts_read(&adaptor, &facts);
  return !xc_fit_check(&facts, gen->setting->target, &bounds);
}

static bool is_subject(const fuzz_draft *draft, MlirValue value) {
  bool has_lists = has_list(draft, "weight_fix_points") ||
                   has_list(draft, "bias_fix_points");
  return (draft->gen->setting->subject != FUZZ_LISTS || has_lists) &&
         (!is_fixed_point(draft->info) ||
          fits_target(draft->gen, mlirOpResultGetOwner(value)));
}

// What does not come out as it should is thrown away.
static void add_operator_of_subject(fuzz_gen *gen) {
  enum { TRIES = 200 };
  fuzz_draft *draft = xc_alloc(sizeof(fuzz_draft));
  fuzz_gen *before = xc_alloc(sizeof(fuzz_gen));
  bool done = false;
  for (int tries = 0; !done && tries < TRIES; ++tries) {
    free_wishes(gen);
    *before = *gen;
    MlirValue value = try_operator(gen, draw_subject(gen), draft);
    done = !mlirValueIsNull(value) && is_subject(draft, value);
    if (done) {
      add_value(gen, draft, value);
      continue;
    }
    if (!mlirValueIsNull(value))
      mlirOperationDestroy(mlirOpResultGetOwner(value));
    fuzz_random after = gen->random;
    *gen = *before;
    gen->random = after;
  }
  free(before);
  free(draft);
}

static void add_subject(fuzz_gen *gen) {
  if (fuzz_is_shuffled(gen) && !gen->setting->required)
    fuzz_add_shuffle(gen);
  else
    add_operator_of_subject(gen);
}

// Networks with channel shuffles have several.
static void add_any(fuzz_gen *gen) {
  if (!fuzz_is_shuffled(gen) || !fuzz_chance(&gen->random, 20) ||
      !fuzz_add_shuffle(gen))
    add_operator(gen);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool is_unused(MlirValue value) {
  return mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

// Whether there were any.
static bool drop_unused_operators(MlirBlock body) {
  bool has_dropped = false;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    const xc_op_info *info = xc_op_info_of(op);
    if (info && is_unused(mlirOperationGetResult(op, 0))) {
      mlirOperationDestroy(op);
      has_dropped = true;
    }
    op = next;
  }
  return has_dropped;
}

// What was made for operators that did not come about.
static void drop_unused(MlirBlock body) {
  while (drop_unused_operators(body))
    ;
  for (intptr_t i = mlirBlockGetNumArguments(body); i-- > 0;)
    if (is_unused(mlirBlockGetArgument(body, i)))
      mlirBlockEraseArgument(body, (unsigned)i);
}

// Everything unused, and now and then something that is used as well.
static void add_return(fuzz_gen *gen) {
  MlirValue results[FUZZ_MAX_VALUES];
  size_t count = 0;
  for (size_t i = 0; i < gen->num_values; ++i) {
    fuzz_value *v = &gen->values[i];
    bool is_open = is_unused(v->value);
    if (!mlirValueIsAOpResult(v->value) ||
        !(is_open || (!fuzz_is_inner(gen) && fuzz_chance(&gen->random, 8))))
      continue;
    if (fuzz_is_inner(gen) && v->shape.rank == 4 &&
        v->shape.element == XC_ELEMENT_I8)
      fuzz_add_conv(gen, v);
    results[count++] = v->value;
  }
  xc_build_return(&gen->at, results, count);
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)), value);
}

static MlirType type_of_body(MlirContext context, MlirBlock body) {
  intptr_t num_inputs = mlirBlockGetNumArguments(body);
  MlirOperation end = mlirBlockGetTerminator(body);
  intptr_t num_results = mlirOperationGetNumOperands(end);
  MlirType *types =
      xc_alloc_array((size_t)(num_inputs + num_results), sizeof(MlirType));
  for (intptr_t i = 0; i < num_inputs; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
  for (intptr_t i = 0; i < num_results; ++i)
    types[num_inputs + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  MlirType type = mlirFunctionTypeGet(context, num_inputs, types, num_results,
                                      types + num_inputs);
  free(types);
  return type;
}

MlirModule fuzz_wrap(MlirContext context, MlirRegion region) {
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirNamedAttribute attributes[] = {
      named(context, "sym_name",
            mlirStringAttrGet(context, mlirStringRefCreateFromCString("main"))),
      named(context, "function_type",
            mlirTypeAttrGet(type_of_body(context, body)))};
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("func.func"),
                            mlirLocationUnknownGet(context));
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&state));
  return module;
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user_data) {
  (void)diagnostic;
  (void)user_data;
  return mlirLogicalResultSuccess();
}

static int64_t draw_length(fuzz_gen *gen) {
  fuzz_random *r = &gen->random;
  return fuzz_chance(r, 35)   ? fuzz_range(r, 1, 2)
         : fuzz_chance(r, 90) ? fuzz_range(r, 3, 9)
                              : fuzz_range(r, 10, 25);
}

MlirModule fuzz_generate(MlirContext context, const fuzz_setting *setting) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, body);
  fuzz_gen *gen = xc_alloc(sizeof(fuzz_gen));
  gen->random.state = setting->seed;
  gen->setting = setting;
  gen->location = mlirLocationUnknownGet(context);
  gen->at = xc_builder_in(body, gen->location);
  // Parts that do not fit together are thrown away: no news.
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  int64_t length = draw_length(gen), made = 0;
  bool has_subject = setting->subject == FUZZ_ANYTHING && !setting->required;
  int64_t place = has_subject ? 0 : fuzz_range(&gen->random, 0, length - 1);
  for (int tries = 0; made < length && tries < 400; ++tries) {
    size_t before = gen->num_values;
    if (!has_subject && made >= place) {
      add_subject(gen);
      has_subject = true;
    } else {
      add_any(gen);
    }
    for (size_t i = before; i < gen->num_values; ++i)
      made += mlirValueIsAOpResult(gen->values[i].value);
  }
  mlirContextDetachDiagnosticHandler(context, handler);
  add_return(gen);
  drop_unused(body);
  free(gen);
  return fuzz_wrap(context, region);
}
