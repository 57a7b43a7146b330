//===- SplitFixPoints.c - the pass tir-split-fix-points -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "IR/IR.h"
#include "OpParams/Fix.h"
#include "Support/Text.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Output channels with the same fix points: neighbours, or where the parts
/// are added, all of them.
typedef struct part {
  int64_t first, count;
  int weight, bias; // fix points
} part;

/// A convolution that is divided.
typedef struct division {
  const xc_adaptor *root;
  /// Depthwise: each part has all channels, with zeros for those of others.
  bool is_sum;
  int64_t channels;
  xc_fix_groups groups;
  const char *weights; // unless it is a sum
  part *parts;
  size_t count;
  const part **part_of; // each group
} division;

static part *find_part(const division *d, int weight, int bias) {
  size_t first = d->is_sum || d->count == 0 ? 0 : d->count - 1;
  for (size_t i = first; i < d->count; ++i)
    if (d->parts[i].weight == weight && d->parts[i].bias == bias)
      return &d->parts[i];
  return NULL;
}

static void find_parts(xc_rewriter *rewriter, division *d) {
  d->parts = xc_rewrite_alloc(rewriter, (size_t)d->groups.count + 1,
                              sizeof(*d->parts));
  d->part_of = xc_rewrite_alloc(rewriter, (size_t)d->groups.count + 1,
                                sizeof(*d->part_of));
  for (int64_t i = 0; i < d->groups.count; ++i) {
    int64_t first = i * d->groups.channels;
    int64_t left = d->channels - first;
    int64_t own = left < d->groups.channels ? left : d->groups.channels;
    int weight = xc_fix_weight_point(d->root, i);
    int bias = xc_fix_bias_point(d->root, i);
    part *last = find_part(d, weight, bias);
    if (last)
      last->count += own;
    else
      d->parts[d->count++] = (part){first, own, weight, bias};
    d->part_of[i] = last ? last : &d->parts[d->count - 1];
  }
}

// Output channel `channel` of a sum's part in the whole, or -1 for zero; else
// where the part begins.
static int64_t source_of(const division *d, const part *p, int64_t channel) {
  if (!d->is_sum)
    return p->first + channel;
  return d->part_of[channel / d->groups.channels] == p ? channel : -1;
}

// Returns the weights of a part: [O, H, W, I], or [M, H, W, C] with output c *
// M + m.
static MlirValue cut_weights(xc_rewriter *rewriter, const division *d,
                             const part *p) {
  MlirValue weights = xc_operand(d->root, XC_CONV2D_FIX_WEIGHT);
  xc_shape shape = xc_value_shape(weights);
  int64_t multiplier = shape.dims[0];
  int64_t count = xc_shape_num_elements(&shape);
  int64_t each = shape.dims[0] ? count / shape.dims[0] : 1;
  if (!d->is_sum) {
    shape.dims[0] = p->count;
    int64_t before = p->first * each * (int64_t)xc_element_size(shape.element);
    return xc_rewrite_const(rewriter, d->weights + before, &shape);
  }
  int64_t *from = xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*from));
  for (int64_t i = 0; i < count; ++i) {
    int64_t output = i % shape.dims[3] * multiplier + i / each;
    from[i] = source_of(d, p, output) < 0 ? -1 : i;
  }
  return xc_rewrite_gather(rewriter, weights, from, &shape);
}

static MlirValue cut_bias(xc_rewriter *rewriter, const division *d,
                          const part *p) {
  MlirValue bias = xc_operand_or_null(d->root, XC_CONV2D_FIX_BIAS);
  if (mlirValueIsNull(bias))
    return bias;
  xc_shape shape = xc_value_shape(bias);
  if (!d->is_sum)
    shape.dims[0] = p->count;
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)shape.dims[0] + 1, sizeof(*from));
  for (int64_t i = 0; i < shape.dims[0]; ++i)
    from[i] = source_of(d, p, i);
  return xc_rewrite_gather(rewriter, bias, from, &shape);
}

// NAME/0, NAME/1, ...
static xc_attribute name_part(xc_rewriter *rewriter, const division *d,
                              size_t number) {
  MlirAttribute own = xc_op_attribute(d->root->operation, "op_name");
  if (mlirAttributeIsNull(own) || !mlirAttributeIsAString(own))
    return xc_given("op_name", mlirAttributeGetNull());
  MlirStringRef name = mlirStringAttrGetValue(own);
  xc_text text = {0};
  xc_text_printf(&text, "%.*s/%zu", (int)name.length, name.data, number);
  char *copy = xc_rewrite_alloc(rewriter, text.length + 1, 1);
  memcpy(copy, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return xc_string("op_name", copy);
}

static MlirValue build_part(xc_rewriter *rewriter, const division *d,
                            size_t number) {
  const part *p = &d->parts[number];
  const MlirValue operands[] = {xc_operand(d->root, XC_CONV2D_FIX_INPUT),
                                cut_weights(rewriter, d, p),
                                cut_bias(rewriter, d, p)};
  const xc_attribute changes[] = {
      xc_given("weight_fix_points", mlirAttributeGetNull()),
      xc_given("bias_fix_points", mlirAttributeGetNull()),
      xc_given("fix_point_channels", mlirAttributeGetNull()),
      xc_int("weight_fix_point", p->weight),
      xc_int("bias_fix_point", p->bias),
      name_part(rewriter, d, number)};
  return xc_rewrite_like(rewriter, d->root, d->root->info->kind, operands, 3,
                         changes, 6);
}

// Of parts that are zero where others are not.
static MlirValue add(xc_rewriter *rewriter, const MlirValue *parts,
                     size_t count, int64_t point) {
  int64_t points[XC_MAX_OPERANDS];
  for (size_t i = 0; i < count; ++i)
    points[i] = point;
  const xc_attribute attributes[] = {xc_string("type", "ADD"),
                                     xc_ints("input_fix_point", points, count),
                                     xc_int("output_fix_point", point)};
  return xc_rewrite_build(rewriter, XC_TIR_ELTWISE_FIX, parts, count,
                          attributes, 3, xc_value_shape(parts[0]).element);
}

// As many at a time as an operator takes, again and again.
static MlirValue join(xc_rewriter *rewriter, const division *d,
                      MlirValue *parts) {
  enum { MOST = XC_MAX_OPERANDS - 1 };
  int64_t point = xc_attr_int(d->root, XC_ATTR_OUTPUT_FIX_POINT);
  size_t count = d->count;
  while (count > 1) {
    size_t joined = 0;
    for (size_t i = 0; i < count; i += MOST) {
      size_t own = count - i < MOST ? count - i : MOST;
      parts[joined++] =
          own == 1    ? parts[i]
          : d->is_sum ? add(rewriter, parts + i, own, point)
                      : xc_rewrite_join(rewriter, parts + i, own, 3, point);
    }
    count = joined;
  }
  return parts[0];
}

static bool is_constant_or_absent(const xc_adaptor *root, size_t slot) {
  MlirValue value = xc_operand_or_null(root, slot);
  return mlirValueIsNull(value) || xc_is_constant(value);
}

static bool split(xc_rewriter *rewriter, const xc_adaptor *root) {
  xc_op_kind kind = root->info->kind;
  int64_t channels = xc_value_shape(xc_result_of(root)).dims[3];
  division d = {.root = root,
                .is_sum = kind == XC_TIR_DEPTHWISE_CONV2D_FIX ||
                          kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX,
                .channels = channels,
                .groups = xc_fix_groups_of(root, channels)};
  // The hard sigmoid of zero is no zero.
  if (!xc_has_fix_groups(root) || xc_attr_int(root, XC_ATTR_GROUP) != 1 ||
      (d.is_sum && xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_HSIGMOID)) ||
      !is_constant_or_absent(root, XC_CONV2D_FIX_WEIGHT) ||
      !is_constant_or_absent(root, XC_CONV2D_FIX_BIAS))
    return false;
  if (!d.is_sum) {
    d.weights =
        xc_constant_bytes(rewriter, xc_operand(root, XC_CONV2D_FIX_WEIGHT));
    if (!d.weights)
      return false;
  }
  find_parts(rewriter, &d);
  MlirValue *parts = xc_rewrite_alloc(rewriter, d.count + 1, sizeof(*parts));
  for (size_t i = 0; i < d.count; ++i) {
    parts[i] = build_part(rewriter, &d, i);
    if (mlirValueIsNull(parts[i]))
      return false;
  }
  return xc_rewrite_replace(rewriter, root, join(rewriter, &d, parts));
}

static const xc_op_kind roots[] = {
    XC_TIR_CONV2D_FIX, XC_TIR_DEPTHWISE_CONV2D_FIX,
    XC_TIR_TRANSPOSED_CONV2D_FIX, XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX};
static const xc_pattern pattern = {
    .name = "split",
    .statement = "a convolution with lists of fix points is one for each",
    .roots = roots,
    .num_roots = sizeof(roots) / sizeof(*roots),
    .apply = split};

// Nothing else is rewritten: no folding, no merging.
static bool run(xc_pass_run *pass) {
  return xc_apply_patterns(pass, &pattern, 1, pattern.name, "", NULL);
}

static const xc_pass_statistic statistics[] = {XC_PATTERN_STATISTICS};

const xc_pass_info xc_pass_tir_split_fix_points = {
    .argument = "tir-split-fix-points",
    .name = "TirSplitFixPoints",
    .summary = "Divide convolutions whose output channels have several fix "
               "points",
    .description =
        "Replaces convolutions with lists of fix points by one for each run of "
        "output channels that share them, and concat-fix: operators that every "
        "tool knows. Depthwise convolutions become sums of one for each fix "
        "point, with zeros for the channels of the others. Convolutions in "
        "groups and depthwise ones with a hard sigmoid stay as they are. "
        "Results are the same.",
    .anchor = "func.func",
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
