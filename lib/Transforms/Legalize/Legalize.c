//===- Legalize.c - the pass tir-legalize ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"
#include "Transforms/Canonicalize/Canonicalize.h"
#include "dialects/Emit.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Questions of patterns about the target
//===----------------------------------------------------------------------===//

bool xc_range_has(XcDpuRange range, int64_t value) {
  return value >= range.minimum && value <= range.maximum;
}

bool xc_target_takes_conv(const XcDpuTarget *target, int64_t kernel_w,
                          int64_t kernel_h, int64_t inputs, int64_t outputs) {
  int64_t words =
      kernel_w * kernel_h *
      xc_ceil_div64(inputs, target->inputChannelParallel) *
      xc_ceil_div64(target->outputChannelParallel,
                    target->weights.numBanks ? target->weights.numBanks : 1);
  return xc_range_has(target->conv.kernelW, kernel_w) &&
         xc_range_has(target->conv.kernelH, kernel_h) &&
         inputs <= target->derived.maxConvInputChannels &&
         outputs <= target->derived.maxConvOutputChannels &&
         words <= target->weights.depth;
}

bool xc_target_takes_channels(const XcDpuTarget *target,
                              const xc_shape *shape) {
  return shape->rank == 4 && shape->element == XC_ELEMENT_I8 &&
         xcDpuTargetGetDepthwiseEngine(target) &&
         shape->dims[3] <= target->derived.maxDepthwiseChannels;
}

bool xc_engine_takes_window(const XcDpuEngine *engine, int64_t kernel_w,
                            int64_t kernel_h, int64_t stride_w,
                            int64_t stride_h) {
  return engine && xc_range_has(engine->kernelW, kernel_w) &&
         xc_range_has(engine->kernelH, kernel_h) &&
         xc_range_has(engine->strideW, stride_w) &&
         xc_range_has(engine->strideH, stride_h);
}

bool xc_target_takes_dilation(const XcDpuTarget *target, int64_t inputs,
                              int64_t largest, bool has_unit_stride) {
  int64_t groups = xc_ceil_div64(inputs, target->channelParallel);
  int32_t most = target->maxDilatedGroups;
  return largest == 1 ||
         ((most == 0 || largest * groups <= most) &&
          (!target->dilationNeedsUnitStride || has_unit_stride));
}

const XcDpuEngine *xc_engine_of_conv(const XcDpuTarget *target,
                                     const xc_adaptor *conv) {
  return conv->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX
             ? xcDpuTargetGetDepthwiseEngine(target)
             : &target->conv;
}

xc_conv_axis xc_conv_axis_of(const xc_window_axis *axis) {
  return (xc_conv_axis){.kernel = axis->kernel,
                        .stride = axis->stride,
                        .dilation = axis->dilation,
                        .before = axis->before,
                        .inputs = axis->inputs,
                        .outputs = axis->outputs};
}

bool xc_has_plain_activation(const xc_adaptor *adaptor) {
  static const xc_enum plain[] = {XC_ENUM_NONE, XC_ENUM_RELU, XC_ENUM_RELU6,
                                  XC_ENUM_LEAKYRELU};
  for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); ++i)
    if (xc_attr_is(adaptor, XC_ATTR_NONLINEAR, plain[i]))
      return true;
  return false;
}

MlirValue xc_rewrite_gather(xc_rewriter *rewriter, MlirValue constant,
                            const int64_t *from, const xc_shape *shape) {
  const char *bytes = xc_constant_bytes(rewriter, constant);
  if (!bytes)
    return (MlirValue){NULL};
  size_t each = xc_element_size(shape->element);
  size_t count = (size_t)xc_shape_num_elements(shape);
  char *moved = xc_rewrite_alloc(rewriter, count + 1, each);
  for (size_t i = 0; i < count; ++i)
    if (from[i] >= 0)
      memcpy(moved + i * each, bytes + (size_t)from[i] * each, each);
  return xc_rewrite_const(rewriter, moved, shape);
}

bool xc_replace_conv(xc_rewriter *rewriter, const xc_adaptor *root,
                     xc_op_kind kind, const int64_t *from,
                     const xc_shape *shape, const xc_attribute *changes,
                     size_t num_changes) {
  const MlirValue operands[] = {
      xc_operand(root, 0),
      xc_rewrite_gather(rewriter, xc_operand(root, 1), from, shape),
      xc_operand_or_null(root, 2)};
  return !mlirValueIsNull(operands[1]) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, kind, operands, 3,
                                            changes, num_changes));
}

const int64_t *xc_kernel_part_elements(xc_rewriter *rewriter,
                                       const xc_kernel_part *part,
                                       xc_shape *shape) {
  const xc_shape from = *shape;
  shape->dims[1] = part->count_h;
  shape->dims[2] = part->count_w;
  int64_t *elements = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(shape) + 1, sizeof(*elements));
  size_t at = 0;
  for (int64_t o = 0; o < from.dims[0]; ++o)
    for (int64_t y = 0; y < part->count_h; ++y)
      for (int64_t x = 0; x < part->count_w; ++x)
        for (int64_t c = 0; c < from.dims[3]; ++c)
          elements[at++] =
              ((o * from.dims[1] + part->first_h + y) * from.dims[2] +
               part->first_w + x) *
                  from.dims[3] +
              c;
  return elements;
}

bool xc_replace_window(xc_rewriter *rewriter, const xc_adaptor *root,
                       const MlirValue operands[3], const int64_t kernel[2],
                       const int64_t stride[2], const int64_t pad[4]) {
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("stride", stride, 2),
                                  xc_ints("pad", pad, 4)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, 3));
}

bool xc_is_of_layer(MlirValue value) {
  static const xc_op_kind layers[] = {XC_TIR_CONV2D,
                                      XC_TIR_DEPTHWISE_CONV2D,
                                      XC_TIR_TRANSPOSED_CONV2D,
                                      XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D,
                                      XC_TIR_MAXPOOL2D,
                                      XC_TIR_AVGPOOL2D};
  static const xc_op_kind after[] = {
      XC_TIR_STRIDED_SLICE, XC_TIR_RESHAPE,    XC_TIR_RELU,  XC_TIR_RELU6,
      XC_TIR_CLIP,          XC_TIR_LEAKY_RELU, XC_TIR_PRELU, XC_TIR_HARD_SWISH,
      XC_TIR_ADD,           XC_TIR_NEG,        XC_TIR_MUL,   XC_TIR_RESIZE,
      XC_TIR_PIXEL_SHUFFLE, XC_TIR_PAD,        XC_TIR_CONCAT};
  xc_adaptor op;
  for (int i = 0; i < XC_PATTERN_CHAIN && xc_defining_adaptor(value, &op);
       ++i) {
    if (XC_IS_ONE_OF(op.info->kind, layers))
      return true;
    if (!XC_IS_ONE_OF(op.info->kind, after))
      return false;
    value = xc_operand(&op, 0);
  }
  return false;
}

bool xc_is_of_dpu(MlirValue value) {
  xc_adaptor writer;
  return xc_defining_adaptor(value, &writer) &&
         writer.info->kind != XC_TIR_FLOAT2FIX;
}

bool xc_is_bytes(MlirValue value) {
  xc_element element = xc_value_shape(value).element;
  return element == XC_ELEMENT_I8 || element == XC_ELEMENT_UI8;
}

MlirValue xc_rewrite_cut(xc_rewriter *rewriter, MlirValue value,
                         const int64_t *begin, const int64_t *size) {
  int64_t end[XC_MAX_RANK], unit[XC_MAX_RANK];
  size_t rank = xc_value_shape(value).rank;
  for (size_t i = 0; i < rank; ++i) {
    end[i] = begin[i] + size[i];
    unit[i] = 1;
  }
  const xc_attribute window[] = {xc_ints("begin", begin, rank),
                                 xc_ints("end", end, rank),
                                 xc_ints("strides", unit, rank)};
  return xc_rewrite_build(rewriter,
                          xc_is_bytes(value) ? XC_TIR_STRIDED_SLICE_FIX
                                             : XC_TIR_STRIDED_SLICE,
                          &value, 1, window, 3, XC_ELEMENT_NONE);
}

MlirValue xc_rewrite_span(xc_rewriter *rewriter, MlirValue input, size_t axis,
                          int64_t first, int64_t count) {
  xc_shape part = xc_value_shape(input);
  int64_t inputs = part.dims[axis], last = first + count;
  int64_t from = first < 0 ? 0 : first, to = last < inputs ? last : inputs;
  if (to - from < inputs) {
    int64_t begin[XC_MAX_RANK] = {0};
    begin[axis] = from;
    part.dims[axis] = to - from;
    input = xc_rewrite_cut(rewriter, input, begin, part.dims);
  }
  if (to - from == count)
    return input;
  int64_t paddings[2 * XC_MAX_RANK] = {0};
  paddings[2 * axis] = from - first;
  paddings[2 * axis + 1] = last - to;
  xc_attribute zeros = xc_ints("paddings", paddings, 2 * part.rank);
  return xc_rewrite_build(rewriter, XC_TIR_PAD_FIX, &input, 1, &zeros, 1,
                          XC_ELEMENT_NONE);
}

MlirValue xc_rewrite_join(xc_rewriter *rewriter, const MlirValue *parts,
                          size_t count, int64_t axis, int64_t fix_point) {
  int64_t points[XC_MAX_OPERANDS];
  for (size_t i = 0; i < count; ++i)
    points[i] = fix_point;
  const xc_attribute attributes[] = {xc_int("axis", axis),
                                     xc_int("output_fix_point", fix_point),
                                     xc_ints("input_fix_point", points, count)};
  bool fix = xc_is_bytes(parts[0]);
  return xc_rewrite_build(rewriter, fix ? XC_TIR_CONCAT_FIX : XC_TIR_CONCAT,
                          parts, count, attributes, fix ? 3 : 1,
                          XC_ELEMENT_NONE);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

#define KINDS(...) {__VA_ARGS__}
#define NUM_KINDS(...)                                                         \
  (sizeof((const xc_op_kind[]){__VA_ARGS__}) / sizeof(xc_op_kind))

#define ROW(function, name, roots, statement)                                  \
  {name, statement, (const xc_op_kind[])KINDS roots, NUM_KINDS roots,          \
   xc_legalize_##function},

static const xc_pattern patterns[] = {
#define PATTERN ROW
#include "Patterns.def"
#undef PATTERN
};

static const xc_pattern float_patterns[] = {
#define PATTERN(function, name, roots, statement)
#define FLOAT_PATTERN ROW
#include "Patterns.def"
#undef PATTERN
};

static bool apply(xc_pass_run *pass, const xc_pattern *rows, size_t count) {
  XcDiag diag = xc_context_diag(&pass->root);
  const XcDpuTarget *target =
      xcDpuTargetCreate(&diag, xc_pass_string(pass, "target"));
  if (!target)
    return false;
  bool ok = xc_apply_patterns(pass, rows, count, xc_pass_string(pass, "only"),
                              xc_pass_string(pass, "keep-float"), target);
  xcDpuTargetDestroy(target);
  return ok;
}

static bool run(xc_pass_run *pass) {
  return apply(pass, patterns, sizeof(patterns) / sizeof(*patterns));
}

static const xc_pass_option options[] = {
    {"target", XC_PASS_OPTION_STRING, XC_DPU_DEFAULT_TARGET,
     "Name or file of the DPU to rewrite for"},
    {"only", XC_PASS_OPTION_STRING, "",
     "Apply this pattern alone; no folding, no merging"},
    {"keep-float", XC_PASS_OPTION_STRING, "",
     "Names of operators, with commas, that stay in floating point: they need "
     "no form of the DPU"},
};
static const xc_pass_statistic statistics[] = {XC_PATTERN_STATISTICS};

#define PATTERN(function, name, roots, statement)                              \
  "| `" name "` | " statement " |\n"
const xc_pass_info xc_pass_tir_legalize = {
    .argument = "tir-legalize",
    .name = "TirLegalize",
    .summary = "Rewrite operators into those that a DPU has",
    .description =
        "Writes operators that the target's engines do not have as others that "
        "they have. Every rewriting keeps the result: bit for bit in fixed "
        "point; in floating point where data is only moved, else up to "
        "rounding. What fits no engine either way is left alone. Like "
        "`tir-canonicalize`, the pass also folds constants, merges equal "
        "operators and erases unused ones.\n\n"
        "| pattern | what it does |\n|---|---|\n"
#include "Patterns.def"
    ,
    .anchor = "builtin.module",
    .on_function = true,
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
#undef PATTERN

bool xc_legalize_floats(MlirOperation function, const char *target) {
  xc_pass_run run = {.info = &xc_pass_tir_legalize, .root = function};
  for (size_t i = 0; i < run.info->num_options; ++i)
    if (strcmp(run.info->options[i].name, "target") == 0)
      run.values[i] = target;
  return xc_canonicalize(function) &&
         apply(&run, float_patterns,
               sizeof(float_patterns) / sizeof(*float_patterns));
}
