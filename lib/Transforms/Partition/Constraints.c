//===- Constraints.c - the constraint table -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constraints.h"

#include "Support/Math.h"
#include "Target/DPU/Dilation.h"
#include "Target/DPU/Window.h"
#include "xc-c/FixedPoint.h"

//===----------------------------------------------------------------------===//
// Functions that rows of the table name
//===----------------------------------------------------------------------===//

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

// Returns the engine that slides the window of an operator, or computes it as a
// 1x1 window. One that the target does not have is all zero.
static const XcDpuEngine *engine(const xc_facts *f, const XcDpuTarget *t) {
  static const XcDpuEngine none = {0};
  const XcDpuEngine *found = NULL;
  if (f->class_ == XC_FIT_CONV || f->class_ == XC_FIT_TRANSPOSED)
    found = &t->conv;
  else if (f->class_ == XC_FIT_POOL || f->class_ == XC_FIT_DOWNSAMPLE)
    found = xcDpuTargetGetPoolEngine(t);
  else
    found = xcDpuTargetGetDepthwiseEngine(t);
  return found ? found : &none;
}

const char *xc_fit_engine_name(const xc_facts *facts, const XcDpuTarget *t) {
  const XcDpuEngine *found = engine(facts, t);
  if (found == &t->conv)
    return "conv";
  if (found == &t->pool)
    return "pool";
  return found == &t->depthwise ? "depthwise" : "alu";
}

static bool is_channel_sum(const xc_facts *f) {
  return f->class_ == XC_FIT_CHANNELWISE &&
         f->value[XC_FACT_ELTWISE_TYPE] == XcDpuElementwiseKindAdd;
}

static bool has_mode(const XcDpuTarget *t, XcDpuAluMode mode) {
  return t->alu.rows > 0 && xcDpuSetHas(t->aluModes, mode);
}

static bool has_engine(const xc_facts *f, const XcDpuTarget *t) {
  switch (f->class_) {
  case XC_FIT_CONV:
  case XC_FIT_TRANSPOSED:
  case XC_FIT_POOL:
  case XC_FIT_DOWNSAMPLE:
  case XC_FIT_DEPTHWISE:
  case XC_FIT_TRANSPOSED_DEPTHWISE:
  case XC_FIT_RELU6:
    return engine(f, t)->rows > 0;
  case XC_FIT_CHANNELWISE:
    return is_channel_sum(f) ? t->elementwiseRows > 0 && t->elementwiseBroadcast
                             : engine(f, t)->rows > 0;
  case XC_FIT_ELTWISE:
  case XC_FIT_UPSAMPLE:
  case XC_FIT_RELU:
    return t->elementwiseRows > 0;
  case XC_FIT_LEAKY_RELU:
    return has_mode(t, XcDpuAluModeLeakyRelu) ||
           xcDpuSetHas(t->elementwiseActivations, XcActivationLeakyRelu);
  case XC_FIT_PRELU:
    return has_mode(t, XcDpuAluModePrelu);
  case XC_FIT_HARD_SIGMOID:
    return has_mode(t, XcDpuAluModeHardSigmoid);
  case XC_FIT_HARD_SWISH:
    return has_mode(t, XcDpuAluModeHardSigmoid) &&
           xcDpuSetHas(t->elementwiseKinds, XcDpuElementwiseKindMul);
  case XC_FIT_MAX_REDUCE:
    return has_mode(t, XcDpuAluModeMaxReduce) ||
           xcDpuSetHas(t->poolKinds, XcDpuPoolKindMaxReduce);
  case XC_FIT_ARGMAX:
    return t->argmax;
  case XC_FIT_CONCAT:
  case XC_FIT_RESHAPE:
  case XC_FIT_TRANSPOSE:
  case XC_FIT_SLICE:
  case XC_FIT_PAD:
  case XC_FIT_REORG:
  case XC_FIT_TILE:
    return true; // LOAD and SAVE
  case XC_FIT_REWRITTEN:
  case XC_FIT_FLOATING:
  case XC_FIT_SCALED:
  case XC_FIT_BOUNDARY:
  case XC_FIT_HOST:
  case XC_FIT_STORAGE:
  case XC_FIT_UNKNOWN:
  case XC_FIT_NUM_CLASSES:
    break;
  }
  return false;
}

static uint32_t pool_kinds(const XcDpuTarget *t) {
  if (t->pool.rows > 0)
    return t->poolKinds;
  uint32_t set = 0;
  if (has_mode(t, XcDpuAluModeMaxPool))
    set |= 1u << XcDpuPoolKindMax;
  if (has_mode(t, XcDpuAluModeAveragePool))
    set |= 1u << XcDpuPoolKindAverage;
  return set;
}

static XcDpuRange pool_shift(const XcDpuTarget *t) {
  return t->pool.rows > 0 ? t->pool.shiftCut : t->aluShiftPool;
}

static bool covers_input(const xc_facts *f) {
  const int64_t *v = f->value;
  return v[XC_FACT_KERNEL_W] == v[XC_FACT_INPUT_W] &&
         v[XC_FACT_KERNEL_H] == v[XC_FACT_INPUT_H];
}

// A transposed convolution is one convolution per phase of its stride, each
// with every stride-th element of the kernel, or with a zero where there is
// none.
static int64_t phase(const XcDpuTarget *t, int64_t kernel, int64_t stride) {
  if (t->transposedWholeKernel)
    return kernel;
  return xc_ceil_div64(kernel, stride);
}

// Returns the padding before the first phase, whose elements of the kernel are
// `stride` apart.
static int64_t phase_padding(const xc_facts *f, int axis) {
  const int64_t *v = f->value;
  int64_t before =
      v[XC_FACT_KERNEL_W + axis] - 1 - v[XC_FACT_PAD_LEFT + 2 * axis];
  return before > 0 ? before / v[XC_FACT_STRIDE_W + axis] : 0;
}

static int64_t max_dilated_channels(const XcDpuTarget *t) {
  return t->maxDilatedGroups == 0
             ? XC_NO_LIMIT
             : (int64_t)t->maxDilatedGroups * t->channelParallel;
}

static bool is_dilated(const xc_facts *f) {
  return f->value[XC_FACT_DILATION_W] > 1 || f->value[XC_FACT_DILATION_H] > 1;
}

// Along one axis of an operator with a window; results that the sizes make.
static xc_conv_axis conv_axis(const xc_facts *f, int axis) {
  const int64_t *v = f->value;
  xc_conv_axis result = {
      .kernel = v[XC_FACT_KERNEL_W + axis],
      .stride = v[XC_FACT_STRIDE_W + axis],
      .dilation = v[XC_FACT_DILATION_W + axis],
      .before = v[XC_FACT_PAD_LEFT + 2 * axis],
      .inputs = v[axis ? XC_FACT_INPUT_H : XC_FACT_INPUT_W],
  };
  int64_t room = result.inputs + result.before +
                 v[XC_FACT_PAD_RIGHT + 2 * axis] - xc_conv_span(&result);
  result.outputs = room < 0 ? 1 : room / result.stride + 1;
  return result;
}

// Where a kernel covers the input there may still be several windows, in the
// padding.
static bool has_free_stride(const xc_facts *f, int axis) {
  return covers_input(f) && conv_axis(f, axis).outputs == 1;
}

// A dilated convolution is one without dilation for each pixel modulo the
// dilation, of the input's pixels that its kernel meets; there must be some.
static bool has_dilation_phases(const xc_facts *f, const XcDpuTarget *t) {
  const xc_conv_axis axes[XC_CONV_AXES] = {
      [XC_CONV_WIDTH] = conv_axis(f, 0),
      [XC_CONV_HEIGHT] = conv_axis(f, 1),
  };
  return xc_dilation_fits_expanded(t, f->class_ == XC_FIT_DEPTHWISE,
                                   f->value[XC_FACT_INPUT_C], axes) ||
         !(xc_dilation_has_empty_phase(&axes[XC_CONV_WIDTH]) ||
           xc_dilation_has_empty_phase(&axes[XC_CONV_HEIGHT]));
}

static bool is_transposed(const xc_facts *f) {
  return f->class_ == XC_FIT_TRANSPOSED ||
         f->class_ == XC_FIT_TRANSPOSED_DEPTHWISE;
}

// Returns the kernel of one instruction: that of a phase, where there are
// phases.
static int64_t kernel_of_layer(const xc_facts *f, const XcDpuTarget *t,
                               int axis) {
  int64_t kernel = f->value[XC_FACT_KERNEL_W + axis];
  return is_transposed(f) ? phase(t, kernel, f->value[XC_FACT_STRIDE_W + axis])
                          : kernel;
}

static int64_t phase_pad_limit(const xc_facts *f, XcDpuRange range, int axis) {
  return xcDpuRangeMaxPadding(range, f->value[XC_FACT_KERNEL_W + axis]);
}

// Phases of a dilated convolution take padding in steps of the dilation. Those
// of a transposed one have their own, of which the whole kernel says nothing.
static int64_t pad_limit(const xc_facts *f, const XcDpuTarget *t,
                         XcDpuRange range, int axis) {
  int64_t steps = phase_pad_limit(f, range, axis);
  int64_t rest = f->value[XC_FACT_KERNEL_W + axis] - 1;
  if (is_transposed(f) && !t->transposedWholeKernel && rest > steps)
    steps = rest;
  return steps * f->value[XC_FACT_DILATION_W + axis];
}

static bool is_fully_connected(const xc_facts *f) {
  const int64_t *v = f->value;
  return f->class_ == XC_FIT_CONV && v[XC_FACT_INPUT_W] == 1 &&
         v[XC_FACT_INPUT_H] == 1 && covers_input(f);
}

static int64_t max_input_channels(const xc_facts *f, const XcDpuTarget *t) {
  if (f->class_ == XC_FIT_CONV && is_fully_connected(f) &&
      t->maxFullyConnectedGroups > 0)
    return (int64_t)t->maxFullyConnectedGroups * t->inputChannelParallel;
  if (f->class_ == XC_FIT_PAD)
    return (int64_t)t->conv.maxInputGroups * t->channelParallel;
  int64_t unit = f->class_ == XC_FIT_CONV || f->class_ == XC_FIT_TRANSPOSED
                     ? t->inputChannelParallel
                     : t->channelParallel;
  return engine(f, t)->maxInputGroups * unit;
}

// All weights of a group of output channels lie in the banks at once.
static int64_t weight_words(const xc_facts *f, const XcDpuTarget *t) {
  const int64_t *v = f->value;
  return v[XC_FACT_KERNEL_W] * v[XC_FACT_KERNEL_H] *
         xc_ceil_div64(v[XC_FACT_INPUT_C], t->weights.width) *
         xc_ceil_div64(t->outputChannelParallel, t->weights.numBanks);
}

static int64_t product_inputs(const xc_facts *f) {
  bool is_product = f->kind == XC_TIR_MATMUL || f->kind == XC_TIR_MATMUL_FIX ||
                    f->kind == XC_TIR_INNER_PRODUCT;
  return is_product ? f->value[XC_FACT_INPUT_C] : 1;
}

// A row of the first factor is an image that one kernel covers.
static int64_t max_product_inputs(const XcDpuTarget *t) {
  int64_t most = 0;
  int64_t words = xc_ceil_div64(t->outputChannelParallel,
                                t->weights.numBanks ? t->weights.numBanks : 1);
  for (int64_t h = t->conv.kernelH.minimum; h <= t->conv.kernelH.maximum; ++h)
    for (int64_t w = t->conv.kernelW.minimum; w <= t->conv.kernelW.maximum;
         ++w) {
      int64_t channels =
          lesser(t->weights.depth / (words * h * w) * t->inputChannelParallel,
                 t->derived.maxConvInputChannels);
      if (h * w * channels > most)
        most = h * w * channels;
    }
  return most;
}

static int64_t depthwise_words(const xc_facts *f, const XcDpuTarget *t) {
  int64_t area = f->value[XC_FACT_KERNEL_W] * f->value[XC_FACT_KERNEL_H];
  if (t->depthwiseWeights.numBanks == 0)
    return area;
  return area * xc_ceil_div64(t->channelParallel, t->depthwiseWeights.width);
}

static int64_t depthwise_depth(const XcDpuTarget *t) {
  if (t->convDiagonal)
    return t->weights.depth;
  return t->depthwiseWeights.numBanks ? t->depthwiseWeights.depth : XC_NO_LIMIT;
}

// Returns the number of rows of a bank in a band: between those that one phase
// of a dilated kernel reads.
static int64_t band_stride(const xc_facts *f, const XcDpuTarget *t) {
  if (is_transposed(f))
    return 1;
  xc_conv_axis axis = conv_axis(f, 1);
  return xc_window_band_stride(t, axis.kernel, xc_dilation_stride(&axis),
                               axis.outputs);
}

static int64_t window_bands(const xc_facts *f, const XcDpuTarget *t) {
  return xc_window_bands(t, kernel_of_layer(f, t, 1), band_stride(f, t));
}

// Where the last window begins, counted from the first row or column of the
// input.
static int64_t last_window(const xc_facts *f, int axis) {
  xc_conv_axis at = conv_axis(f, axis);
  return (at.outputs - 1) * at.stride - at.before;
}

// Returns the number of words from row to row of the window of one result;
// columns between windows need no room. The CONV engine sums over all channels
// at once, the others go channel by channel.
static int64_t row_words(const xc_facts *f, const XcDpuTarget *t) {
  int64_t groups =
      f->class_ == XC_FIT_CONV || f->class_ == XC_FIT_TRANSPOSED
          ? xc_ceil_div64(f->value[XC_FACT_INPUT_C], t->channelParallel)
          : 1;
  return xc_window_row_words(kernel_of_layer(f, t, 0),
                             f->value[XC_FACT_INPUT_W], groups);
}

// Only rows that share a bank have a distance.
static int64_t row_step(const xc_facts *f, const XcDpuTarget *t) {
  return band_stride(f, t) > 1 ? row_words(f, t) : 1;
}

static int64_t max_row_step(const XcDpuTarget *t) {
  int32_t most = xc_window_max_row_step(t);
  return most == INT32_MAX ? XC_NO_LIMIT : most;
}

static int64_t window_words(const xc_facts *f, const XcDpuTarget *t) {
  return xc_window_words(t, kernel_of_layer(f, t, 1), band_stride(f, t),
                         row_words(f, t));
}

// Six does not fit int8 from fix point 5 on: saturation clamps, RELU is exact.
static int64_t effective_activation(const xc_facts *f) {
  int64_t activation = f->value[XC_FACT_ACTIVATION];
  return activation == XcActivationRelu6 && f->value[XC_FACT_OUTPUT_POINT] >= 5
             ? XcActivationRelu
             : activation;
}

static uint32_t activations(const xc_facts *f, const XcDpuTarget *t) {
  return f->class_ == XC_FIT_ELTWISE || f->class_ == XC_FIT_RELU ||
                 is_channel_sum(f)
             ? t->elementwiseActivations
             : engine(f, t)->activations;
}

// Between the operands of a sum, and of the result of a sum or product.
static int64_t shift_read(const xc_facts *f) {
  const int64_t *v = f->value;
  if (is_channel_sum(f)) {
    int64_t apart = v[XC_FACT_INPUT_POINT] - v[XC_FACT_WEIGHT_POINT];
    return apart < 0 ? -apart : apart;
  }
  return f->class_ == XC_FIT_ELTWISE &&
                 v[XC_FACT_ELTWISE_TYPE] == XcDpuElementwiseKindAdd
             ? v[XC_FACT_LARGEST_POINT] - v[XC_FACT_INPUT_POINT]
             : 0;
}

static int64_t shift_write(const xc_facts *f) {
  const int64_t *v = f->value;
  int64_t from = v[XC_FACT_ELTWISE_TYPE] == XcDpuElementwiseKindAdd
                     ? v[XC_FACT_INPUT_POINT]
                     : v[XC_FACT_POINT_SUM];
  if (f->class_ == XC_FIT_CHANNELWISE) {
    if (!is_channel_sum(f))
      return 0;
    from = lesser(v[XC_FACT_INPUT_POINT], v[XC_FACT_WEIGHT_POINT]);
  }
  return from - v[XC_FACT_OUTPUT_POINT];
}

// Of shifts from `least` to `spread` above it, one that does not fit if there
// is any.
static int64_t outermost(int64_t least, int64_t spread, XcDpuRange range) {
  return least < range.minimum ? least : least + spread;
}

static int64_t shift_bias(const xc_facts *f, const XcDpuTarget *t) {
  const int64_t *v = f->value;
  if (!v[XC_FACT_HAS_BIAS])
    return 0;
  return outermost(v[XC_FACT_INPUT_POINT] + v[XC_FACT_WEIGHT_POINT] -
                       v[XC_FACT_BIAS_POINT],
                   v[XC_FACT_BIAS_SPREAD], engine(f, t)->shiftBias);
}

static int64_t shift_cut(const xc_facts *f, const XcDpuTarget *t) {
  const int64_t *v = f->value;
  int64_t sum = v[XC_FACT_INPUT_POINT] + v[XC_FACT_WEIGHT_POINT];
  // The elementwise engine adds.
  if (is_channel_sum(f))
    return 0;
  // A product with a power of two comes before a shift to the left.
  enum { LARGEST_POWER = 6 };
  int64_t cut = sum - v[XC_FACT_OUTPUT_POINT];
  if (f->class_ == XC_FIT_RELU6 && cut < 0 && cut >= -LARGEST_POWER)
    return 0;
  return outermost(cut, v[XC_FACT_WEIGHT_SPREAD], engine(f, t)->shiftCut);
}

// Returns the shift that is farthest out among those of the inputs.
static int64_t rescale(const xc_facts *f, const XcDpuTarget *t) {
  int64_t low = f->value[XC_FACT_INPUT_POINT] - f->value[XC_FACT_OUTPUT_POINT];
  int64_t high =
      f->value[XC_FACT_LARGEST_POINT] - f->value[XC_FACT_OUTPUT_POINT];
  return low < t->elementwiseShiftWrite.minimum ? low : high;
}

// Returns the scales of a resize that repeated pixels and the phases of a
// transposed convolution can compute.
static uint32_t resize_scales(const xc_facts *f) {
  enum { NONE = 1u << XC_NO_INTEGER };
  if (f->value[XC_FACT_INTERPOLATION] == XC_NEAREST)
    return ~(uint32_t)NONE;
  return (1u << XC_LARGEST_SCALE) - (1u << 1);
}

// How positions are rounded where pixels are repeated (xc_resize_repeats).
static uint32_t nearest_modes(const xc_facts *f) {
  const int64_t *v = f->value;
  if (v[XC_FACT_INTERPOLATION] != XC_NEAREST)
    return UINT32_MAX;
  if (v[XC_FACT_HALF_PIXEL])
    return 1u << XC_PREFER_FLOOR | 1u << XC_PREFER_CEIL;
  bool twice = v[XC_FACT_SCALE_W] <= 2 && v[XC_FACT_SCALE_H] <= 2;
  return twice ? 1u << XC_FLOOR | 1u << XC_PREFER_FLOOR : 1u << XC_FLOOR;
}

static bool square_needed(const xc_facts *f, const XcDpuTarget *t) {
  return t->averagePoolSquareOnly &&
         f->value[XC_FACT_POOL_TYPE] == XcDpuPoolKindAverage;
}

// Whether windows of an average touch padding.
static bool is_padded_average(const xc_facts *f) {
  const int64_t *v = f->value;
  return v[XC_FACT_POOL_TYPE] == XcDpuPoolKindAverage &&
         v[XC_FACT_PAD_LEFT] + v[XC_FACT_PAD_RIGHT] + v[XC_FACT_PAD_TOP] +
                 v[XC_FACT_PAD_BOTTOM] >
             0;
}

static bool has_exact_factor(const xc_facts *f, const XcDpuTarget *t) {
  const int64_t *v = f->value;
  int64_t area = v[XC_FACT_KERNEL_W] * v[XC_FACT_KERNEL_H];
  if ((area & (area - 1)) == 0)
    return true;
  XcAvgFactor factor;
  int gain = (int)(v[XC_FACT_OUTPUT_POINT] - v[XC_FACT_INPUT_POINT]);
  return has_mode(t, XcDpuAluModeDepthwise16) &&
         xcExactAvgPoolFactor(area, gain, &factor) && factor.shift >= gain;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define XC_NEED(NAME, id, classes, condition, change, looks, key, what)        \
  static xc_bounds measure_##NAME(const xc_facts *f, const XcDpuTarget *t) {   \
    (void)f, (void)t;                                                          \
    return (xc_bounds){.actual = (condition) != 0, .low = 1, .high = 1};       \
  }
#define XC_RANGE(NAME, id, classes, expression, lowest, highest, change,       \
                 looks, key, what)                                             \
  static xc_bounds measure_##NAME(const xc_facts *f, const XcDpuTarget *t) {   \
    (void)f, (void)t;                                                          \
    return (xc_bounds){                                                        \
        .actual = (expression), .low = (lowest), .high = (highest)};           \
  }
#define XC_ONE_OF(NAME, id, classes, fact, expression, allowed, key)           \
  static xc_bounds measure_##NAME(const xc_facts *f, const XcDpuTarget *t) {   \
    (void)f, (void)t;                                                          \
    return (xc_bounds){.actual = (expression), .set = (allowed)};              \
  }
#include "Constraints.def"

enum { XC_FACT_KIND = XC_CHANGE_KIND, XC_FACT_NOTHING = XC_CHANGE_NOTHING };

static const xc_constraint table[] = {
#define XC_NEED(NAME, id, classes, condition, change, looks, key, what)        \
  {id,  classes, XC_CONSTRAINT_NEED, measure_##NAME, XC_FACT_##change, looks,  \
   key, what},
#define XC_RANGE(NAME, id, classes, expression, lowest, highest, change,       \
                 looks, key, what)                                             \
  {id,  classes, XC_CONSTRAINT_RANGE, measure_##NAME, XC_FACT_##change, looks, \
   key, what},
#define XC_ONE_OF(NAME, id, classes, fact, expression, allowed, key)           \
  {id,  classes, XC_CONSTRAINT_ONE_OF, measure_##NAME, XC_FACT_##fact, NULL,   \
   key, NULL},
#include "Constraints.def"
};

const xc_constraint *xc_constraint_table(size_t *count) {
  *count = sizeof(table) / sizeof(*table);
  return table;
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

bool xc_bounds_hold(const xc_constraint *row, const xc_bounds *bounds) {
  if (row->form == XC_CONSTRAINT_ONE_OF)
    return bounds->actual >= 0 && bounds->actual < 32 &&
           (bounds->set >> bounds->actual & 1) != 0;
  return bounds->actual >= bounds->low && bounds->actual <= bounds->high;
}

const xc_constraint *xc_fit_check(const xc_facts *facts,
                                  const XcDpuTarget *target,
                                  xc_bounds *bounds) {
  uint32_t bit = UINT32_C(1) << facts->class_;
  for (size_t i = 0; i < sizeof(table) / sizeof(*table); ++i) {
    if (!(table[i].classes & bit))
      continue;
    *bounds = table[i].measure(facts, target);
    if (!xc_bounds_hold(&table[i], bounds))
      return &table[i];
  }
  return NULL;
}
