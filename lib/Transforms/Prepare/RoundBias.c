//===- RoundBias.c - tir-round-bias ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantisers write the bias of a layer as what is added to the sum: 32 bits
// with the product of the scales of input and weights. A DPU has eight bits and
// shifts them to the left. The bias gets the largest fix point at which all
// channels fit. Bits below are lost: mostly a small part of a step of the
// result, as a bias is hardly larger than that.
//
// One channel that is far from zero, such as one whose ReLU gives zeros only,
// takes the bits of all others. A DPU computes groups of channels at a time:
// where more than half a step would be lost, each group has its own fix point.
//
//===----------------------------------------------------------------------===//

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "OpParams/Fix.h"
#include "Pass/Pass.h"
#include "Support/Json.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "dialects/Build.h"
#include "xc-c/FixedPoint.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BIAS = 2, // the slot, of convolutions and products
  /// To the left, of what the verifier takes.
  LARGEST_SHIFT = 24
};

// A layer and its bias.
typedef struct layer {
  xc_adaptor op;
  int64_t *numbers; // of the bias, at the fix point `point`
  int8_t *rounded;
  int64_t *points; // of the rounded numbers, for each group
  size_t count, num_groups;
  size_t group; // channels that share a fix point
  int64_t product, point;
  double error; // in steps of the result
} layer;

static const double half_a_step = 0.5;

// The loss of the layers of a function.
typedef struct round_losses {
  size_t group_channels; // of the target, 0 for all
  json_int_t num_layers, num_exact;
  double largest;
  json_t *largest_name;
  json_t *above_half; // layers that lose more than half a step
} round_losses;

static bool is_layer(const xc_op_info *info) {
  if (!info || info->dialect != XC_DIALECT_TIR)
    return false;
  switch ((int)info->kind) {
  case XC_TIR_CONV2D_FIX:
  case XC_TIR_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_TRANSPOSED_CONV2D_FIX:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_MATMUL_FIX:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// Returns the constant that a vector is, or is a reshape of.
static MlirOperation constant_behind(MlirValue value) {
  MlirOperation constant = xc_constant_of(value);
  if (!mlirOperationIsNull(constant) || !mlirValueIsAOpResult(value))
    return constant;
  MlirOperation owner = mlirOpResultGetOwner(value);
  return xc_op_is(owner, "tir.reshape")
             ? xc_constant_of(mlirOperationGetOperand(owner, 0))
             : constant;
}

// Returns the numbers of 16 or 32 bits; null where there are none.
static int64_t *read_numbers(MlirOperation constant, bool is_wide,
                             size_t *count) {
  size_t size;
  void *bytes = xc_const_bytes(constant, &size);
  if (!bytes)
    return NULL;
  *count = size / (is_wide ? sizeof(int32_t) : sizeof(int16_t));
  int64_t *numbers = xc_alloc_array(*count + 1, sizeof(*numbers));
  for (size_t i = 0; i < *count; ++i)
    numbers[i] =
        is_wide ? ((const int32_t *)bytes)[i] : ((const int16_t *)bytes)[i];
  free(bytes);
  return numbers;
}

static bool has_lists(const xc_adaptor *op) {
  int64_t points[XC_MAX_INTS];
  return op->info->kind != XC_TIR_MATMUL_FIX &&
         (xc_attr_ints(op, XC_ATTR_WEIGHT_FIX_POINTS, points) ||
          xc_attr_ints(op, XC_ATTR_BIAS_FIX_POINTS, points));
}

// Returns false for layers whose bias stays.
static bool read_layer(MlirOperation operation, layer *l) {
  *l = (layer){.count = 0};
  xc_adaptor *op = &l->op;
  if (!xc_adaptor_of(operation, op) || !xc_has_operand(op, BIAS) ||
      has_lists(op))
    return false;
  xc_element element = xc_operand_shape(op, BIAS).element;
  MlirOperation constant = constant_behind(xc_operand(op, BIAS));
  if ((element != XC_ELEMENT_I16 && element != XC_ELEMENT_I32) ||
      mlirOperationIsNull(constant))
    return false;
  l->numbers = read_numbers(constant, element == XC_ELEMENT_I32, &l->count);
  if (!l->numbers || l->count == 0)
    return false;
  bool is_matmul = op->info->kind == XC_TIR_MATMUL_FIX;
  l->point = xc_fix_point(op, XC_ATTR_BIAS_FIX_POINT);
  l->product =
      xc_input_fix_point(op, 0) +
      (is_matmul ? xc_input_fix_point(op, 1) : xc_fix_weight_point(op, 0));
  return true;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static bool fits(const int64_t *numbers, size_t count, int shift) {
  for (size_t i = 0; i < count; ++i) {
    int64_t rounded = xcRoundShift(numbers[i], shift);
    if (rounded != xcSaturate8(rounded))
      return false;
  }
  return true;
}

// The largest fix point at which a group fits, and at which the DPU does not
// shift its bias to the right. Returns false where the operator cannot have it.
static bool round_group(layer *l, size_t g) {
  size_t begin = g * l->group;
  size_t count = l->count - begin < l->group ? l->count - begin : l->group;
  const int64_t *numbers = &l->numbers[begin];
  int64_t highest = l->point < l->product ? l->point : l->product;
  while (!fits(numbers, count, (int)(l->point - highest)))
    --highest;
  if (l->product - highest > LARGEST_SHIFT)
    return false;
  l->points[g] = highest;
  int shift = (int)(l->point - highest);
  double unit = ldexp(1.0, xc_fix_point(&l->op, XC_ATTR_OUTPUT_FIX_POINT) -
                               (int)l->point);
  for (size_t i = 0; i < count; ++i) {
    int64_t rounded = xcRoundShift(numbers[i], shift);
    double lost = ldexp((double)rounded, shift) - (double)numbers[i];
    l->rounded[begin + i] = (int8_t)rounded;
    l->error = fmax(l->error, fabs(lost) * unit);
  }
  return true;
}

// Returns false where a group cannot have eight bits.
static bool round_groups(layer *l, size_t group) {
  l->group = group;
  l->num_groups = (l->count + group - 1) / group;
  l->error = 0.0;
  for (size_t g = 0; g < l->num_groups; ++g)
    if (!round_group(l, g))
      return false;
  return true;
}

// Products have one fix point for all channels.
static bool round_layer(layer *l, size_t group_channels) {
  l->rounded = xc_alloc(l->count);
  l->points = xc_alloc_array(l->count, sizeof(*l->points));
  bool has_groups = group_channels > 0 && group_channels < l->count &&
                    l->op.info->kind != XC_TIR_MATMUL_FIX;
  return (round_groups(l, l->count) &&
          (!has_groups || l->error <= half_a_step)) ||
         (has_groups && round_groups(l, group_channels));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void set_attribute(MlirOperation operation, xc_attribute attribute) {
  mlirOperationSetAttributeByName(
      operation, xc_ref(attribute.name),
      xc_attribute_get(mlirOperationGetContext(operation), &attribute));
}

static bool is_one_point(const layer *l) {
  for (size_t g = 1; g < l->num_groups; ++g)
    if (l->points[g] != l->points[0])
      return false;
  return true;
}

static void set_points(const layer *l) {
  MlirOperation operation = l->op.operation;
  if (is_one_point(l)) {
    set_attribute(operation, xc_int("bias_fix_point", l->points[0]));
    return;
  }
  mlirOperationRemoveAttributeByName(operation, xc_ref("bias_fix_point"));
  set_attribute(operation,
                xc_ints("bias_fix_points", l->points, l->num_groups));
  set_attribute(operation, xc_int("fix_point_channels", (int64_t)l->group));
}

// Returns false after a diagnostic.
static bool write_layer(const layer *l) {
  MlirOperation operation = l->op.operation;
  xc_builder builder = xc_builder_before(operation);
  xc_shape shape = xc_operand_shape(&l->op, BIAS);
  shape.element = XC_ELEMENT_I8;
  MlirValue bias = xc_build_const_bytes(&builder, l->rounded, &shape);
  if (mlirValueIsNull(bias))
    return false;
  mlirOperationSetOperand(operation, l->op.positions[BIAS], bias);
  set_points(l);
  return true;
}

static void note_loss(const layer *l, round_losses *losses) {
  MlirStringRef given = xc_op_given_name(l->op.operation);
  json_t *name = xc_json_bytes(given.data, given.length);
  ++losses->num_layers;
  losses->num_exact += l->error == 0.0;
  if (l->error > half_a_step)
    json_array_append_new(losses->above_half, json_pack("{sO sf}", "name", name,
                                                        "error", l->error));
  if (l->error > losses->largest) {
    losses->largest = l->error;
    json_decref(losses->largest_name);
    losses->largest_name = json_incref(name);
  }
  json_decref(name);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool visit(MlirOperation operation, round_losses *losses) {
  layer l;
  bool ok = true;
  if (read_layer(operation, &l) && round_layer(&l, losses->group_channels)) {
    ok = write_layer(&l);
    note_loss(&l, losses);
  }
  free(l.numbers);
  free(l.rounded);
  free(l.points);
  return ok;
}

static MlirWalkResult collect(MlirOperation operation, void *list) {
  if (is_layer(xc_op_info_of(operation)))
    xc_op_list_add(list, operation);
  return MlirWalkResultAdvance;
}

// For whoever runs the pass, where anything was rounded.
static void describe(MlirOperation function, const round_losses *losses) {
  if (losses->num_layers == 0)
    return;
  json_t *root =
      json_pack("{sI sI sf sO* sO}", "layers", losses->num_layers, "exact",
                losses->num_exact, "largest_error", losses->largest, "layer",
                losses->largest_name, "above_half", losses->above_half);
  char *text = json_dumps(root, JSON_REAL_PRECISION(4) | JSON_SORT_KEYS);
  xc_op_set_string(function, XC_NAME_ROUNDED_BIASES, text);
  free(text);
  json_decref(root);
}

static bool round_all(MlirOperation function, round_losses *losses) {
  xc_op_list list = {0};
  bool ok = true;
  mlirOperationWalk(function, collect, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count && ok; ++i)
    ok = visit(list.items[i], losses);
  free(list.items);
  return ok;
}

typedef struct rounding {
  xc_pass_run *run;
  bool ok;
} rounding;

static MlirWalkResult round_in(MlirOperation operation, void *user_data) {
  rounding *r = user_data;
  if (!xc_op_is(operation, "func.func"))
    return MlirWalkResultAdvance;
  round_losses losses = {.above_half = json_array(),
                         .group_channels =
                             (size_t)xc_pass_int(r->run, "group-channels")};
  r->ok = round_all(operation, &losses);
  describe(operation, &losses);
  xc_pass_count(r->run, "num-rounded", losses.num_layers - losses.num_exact);
  json_decref(losses.largest_name);
  json_decref(losses.above_half);
  return r->ok ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

static bool run(xc_pass_run *run) {
  rounding r = {.run = run, .ok = true};
  mlirOperationWalk(run->root, round_in, &r, MlirWalkPreOrder);
  return r.ok;
}

static const xc_pass_option options[] = {
    {"group-channels", XC_PASS_OPTION_COUNT, "0",
     "Output channels of a convolution that share a fix point at least; 0 for "
     "all"}};

static const xc_pass_statistic statistics[] = {
    {"num-rounded", "Number of layers whose bias has other numbers"}};

const xc_pass_info xc_pass_tir_round_bias = {
    .argument = "tir-round-bias",
    .name = "TirRoundBias",
    .summary = "Round biases in fixed point to 8 bits",
    .description =
        "The constant bias of a convolution or product in fixed point that has "
        "16 or 32 bits, as exporters of quantised models write it, gets 8, and "
        "the largest fix point at which all its channels fit; where that loses "
        "more than half a step of the result, groups of channels have their "
        "own. The attribute `xc.rounded_biases` of the function says, as JSON, "
        "how many `layers` were rounded, which of them `exact`, the "
        "`largest_error` in steps of the result and its `layer`, and which "
        "layers lose more than half a step (`above_half`). A bias beyond what "
        "shifts reach stays.",
    .anchor = "func.func",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
