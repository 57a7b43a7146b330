//===- LowerTransposed.c - transposed convolutions become layers ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution becomes one convolution for each phase. A phase is
// the position of an output pixel modulo the stride; its convolution has the
// elements of the kernel that meet input pixels there.
//
// The phases of a row can also be one layer of the convolution engine, whose
// pixels have the columns of all of them. The input is then loaded once for
// these phases, and what is saved has no gaps.
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include "Target/DPU/CodeGen/Plan/Images.h"

#include <stdlib.h>
#include <string.h>

/// The elements of the kernel that a phase has along an axis.
typedef struct phase_elements {
  int64_t first, count; // of those that are as far apart as the stride
  int64_t used;         // of them, those that are no zeros between elements
  int64_t lead;         // the pixel of the input that the first one meets
} phase_elements;

/// Output pixels phase + stride * q read input pixels q + lead, q + lead + 1,
/// ... there. Without any it is a zero for pixel q.
static phase_elements elements_of(const xc_conv_axis *axis, int64_t phase) {
  int64_t stride = axis->stride, span = xc_conv_span(axis);
  int64_t before = span - 1 - axis->before;
  phase_elements e = {.first = ((before - phase) % stride + stride) % stride};
  int64_t count = (span - e.first + stride - 1) / stride;
  e.count = count > 0 ? count : 1;
  for (int64_t k = 0; k < axis->kernel; ++k)
    e.used += (k * axis->dilation) % stride == e.first;
  e.lead = count > 0 ? (phase - before + e.first) / stride : 0;
  return e;
}

static void set_taps(xc_conv_taps *taps, int axis, const xc_conv *c,
                     const phase_elements *e) {
  taps->first[axis] = e->first;
  taps->step[axis] = c->axes[axis].stride;
  taps->count[axis] = e->count;
}

/// Lets the input begin at the pixel that the first window meets.
static void begin_input(XcDpuLayer *layer, int axis, int64_t lead) {
  XcDpuImage *in = &layer->inputs[0];
  int32_t skip = (int32_t)(lead > 0 ? lead : 0);
  int32_t padding = (int32_t)(lead < 0 ? -lead : 0);
  if (axis == WIDTH) {
    layer->padLeft = padding;
    *in = xc_image_part(*in, XC_AXIS_W, skip, in->width - skip);
  } else {
    layer->padTop = padding;
    *in = xc_image_part(*in, XC_AXIS_H, skip, in->height - skip);
  }
}

static void take_phase(XcDpuImage *out, int axis, int64_t phase,
                       int64_t stride) {
  if (axis == WIDTH) {
    out->address += (uint32_t)phase * out->pixelPitch;
    out->width = (int32_t)((out->width - phase + stride - 1) / stride);
    out->pixelPitch *= (uint32_t)stride;
  } else {
    out->address += (uint32_t)phase * out->rowPitch;
    out->height = (int32_t)((out->height - phase + stride - 1) / stride);
    out->rowPitch *= (uint32_t)stride;
  }
}

static bool add_phase(xc_lowering *lowering, const xc_adaptor *op,
                      const xc_conv *c, const int64_t phase[2]) {
  xc_conv_taps taps;
  phase_elements e[2];
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    e[axis] = elements_of(&c->axes[axis], phase[axis]);
    set_taps(&taps, axis, c, &e[axis]);
  }
  XcDpuLayer layer = xc_begin_conv(lowering, op, c, &taps,
                                   xc_add_conv_weights(lowering, c, &taps));
  layer.strideH = layer.strideW = 1;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    begin_input(&layer, axis, e[axis].lead);
    take_phase(&layer.output, axis, phase[axis], c->axes[axis].stride);
  }
  layer.operations =
      xc_conv_operations(c, &layer.output, e[WIDTH].used * e[HEIGHT].used);
  return xc_layer_add(lowering, op, &layer);
}

//===----------------------------------------------------------------------===//
// Phases of a row together
//===----------------------------------------------------------------------===//

/// Returns the elements of the input that all phases along an axis meet
/// together.
static phase_elements joint_elements(const xc_conv_axis *axis) {
  phase_elements all = elements_of(axis, 0);
  int64_t end = all.lead + all.count;
  for (int64_t phase = 1; phase < axis->stride; ++phase) {
    phase_elements e = elements_of(axis, phase);
    all.lead = e.lead < all.lead ? e.lead : all.lead;
    end = e.lead + e.count > end ? e.lead + e.count : end;
    all.used += e.used;
  }
  all.count = end - all.lead;
  return all;
}

/// Returns the number of channels of the input that each output channel has
/// weights for.
static int32_t joint_inputs(const xc_conv *c) {
  return c->is_depthwise ? c->out_channels : c->in_channels;
}

/// Writes the weights of a phase to those of all, [phase][OC][KH][KW][IC].
static void add_phase_weights(const xc_conv *c, const xc_conv_taps *taps,
                              int64_t phase, int64_t column, int64_t width,
                              int8_t *ohwi) {
  size_t oc = (size_t)c->out_channels, ic = (size_t)joint_inputs(c);
  size_t kh = (size_t)taps->count[HEIGHT], kw = (size_t)taps->count[WIDTH];
  int8_t *part = xc_alloc(oc * (size_t)c->in_channels * kh * kw);
  xc_pick_conv_weights(c, taps, part);
  for (size_t o = 0; o < oc; ++o)
    for (size_t i = 0; i < kh; ++i)
      for (size_t j = 0; j < kw; ++j) {
        size_t row = ((size_t)phase * oc + o) * kh + i;
        int8_t *to = ohwi + (row * (size_t)width + (size_t)column + j) * ic;
        if (c->is_depthwise)
          to[o] = part[(i * kw + j) * oc + o];
        else
          memcpy(to, part + ((o * kh + i) * kw + j) * ic, ic);
      }
  free(part);
}

/// The phases of a row of output pixels, all in one layer.
static bool add_row_phases(xc_lowering *lowering, const xc_adaptor *op,
                           const xc_conv *c, int64_t phase) {
  const xc_conv_axis *across = &c->axes[WIDTH];
  phase_elements down = elements_of(&c->axes[HEIGHT], phase);
  phase_elements all = joint_elements(across);
  xc_conv_taps taps = {.count = {[WIDTH] = all.count}};
  set_taps(&taps, HEIGHT, c, &down);
  XcDpuLayer layer = xc_begin_conv(lowering, op, c, &taps, 0);
  layer.strideH = layer.strideW = 1;
  begin_input(&layer, WIDTH, all.lead);
  begin_input(&layer, HEIGHT, down.lead);
  take_phase(&layer.output, HEIGHT, phase, c->axes[HEIGHT].stride);
  XcDpuImage apart = layer.output;
  apart.width /= c->columns;
  layer.operations = xc_conv_operations(c, &apart, all.used * down.used);
  layer.output = xc_fold_image(layer.output, c->columns);
  int32_t channels = layer.output.channels;
  int8_t *ohwi =
      xc_alloc_array((size_t)channels * (size_t)(down.count * all.count),
                     (size_t)joint_inputs(c));
  for (int64_t x = 0; x < c->columns; ++x) {
    phase_elements e = elements_of(across, x);
    set_taps(&taps, WIDTH, c, &e);
    add_phase_weights(c, &taps, x, e.lead - all.lead, all.count, ohwi);
  }
  xc_set_folded_kernel(lowering, &layer, ohwi, channels);
  free(ohwi);
  return xc_layer_add(lowering, op, &layer);
}

//===----------------------------------------------------------------------===//
// Choice of the form
//===----------------------------------------------------------------------===//

/// Whether the convolution engine takes the window of a phase, and the banks
/// its weights.
static bool has_window(const XcDpuTarget *target, const xc_conv *c,
                       const phase_elements *down, const phase_elements *all) {
  const xc_window window = {
      .h = {.kernel = down->count, .stride = 1, .before = -down->lead},
      .w = {.kernel = all->count, .stride = 1, .before = -all->lead}};
  return xc_takes_window(&target->conv, &window) &&
         down->count * all->count * xc_words_of(target, joint_inputs(c)) <=
             target->weights.depth;
}

/// Returns the cycles in which rows of so many bytes come or go, with pauses
/// between what does not follow each other.
static int64_t transfer_cycles(const XcDpuTarget *target, int64_t rows,
                               int64_t runs, int64_t bytes, int64_t start,
                               int64_t rate) {
  int64_t burst = target->timing.burstBytes;
  return rows * (start + runs * ((bytes + burst - 1) / burst * burst) / rate);
}

/// Whether one layer writes the input, which may then be in the banks.
static bool may_be_held(const xc_lowering *lowering, const xc_allocation *in) {
  return in->kind == XC_ALLOCATION_ALLOC && in->writers == 1 &&
         lowering->ops[in->writer - 1].adaptor.info->kind != XC_TIR_PAD_FIX;
}

/// The work that decides how long a layer takes.
typedef struct layer_work {
  int64_t conv;                  // cycles for each pixel of a block
  int64_t runs;                  // of a row that is saved
  int64_t weights, weight_loads; // bytes, and LOADs that bring them
} layer_work;

static int64_t load_cycles(const xc_lowering *lowering, const xc_adaptor *op,
                           const xc_conv *c, const layer_work *work) {
  const XcDpuTarget *target = lowering->target;
  const XcDpuTiming *timing = &target->timing;
  const xc_allocation *in =
      xc_operand_allocation(lowering, op, XC_CONV2D_FIX_INPUT);
  int64_t weights = work->weight_loads * timing->loadStart +
                    work->weights / timing->loadBytesPerCycle;
  if (may_be_held(lowering, in))
    return weights;
  return weights + transfer_cycles(target, c->axes[HEIGHT].inputs, 1,
                                   c->axes[WIDTH].inputs * c->pixel_channels,
                                   timing->loadStart,
                                   timing->loadBytesPerCycle);
}

/// Returns the cycles of the busiest queue of a layer: CONV, LOAD or SAVE.
static int64_t layer_cycles(const xc_lowering *lowering, const xc_adaptor *op,
                            const xc_conv *c, const layer_work *work) {
  const XcDpuTarget *target = lowering->target;
  const xc_conv_axis *w = &c->axes[WIDTH], *h = &c->axes[HEIGHT];
  int64_t rows = h->outputs / h->stride, pixels = w->outputs / w->stride;
  int64_t run = work->runs > 1 ? c->out_channels : w->outputs * c->out_channels;
  int64_t save =
      transfer_cycles(target, rows, work->runs, run, target->timing.saveStart,
                      target->timing.saveBytesPerCycle) /
      target->savePorts;
  int64_t load = load_cycles(lowering, op, c, work);
  int64_t blocks = (rows + target->conv.rows - 1) / target->conv.rows;
  int64_t most = blocks * pixels * work->conv;
  most = load > most ? load : most;
  return save > most ? save : most;
}

/// Phases of a row, of which `down` are the rows of the kernel, in one layer.
static layer_work joint_work(const XcDpuTarget *target, const xc_conv *c,
                             int64_t down) {
  const xc_conv_axis *w = &c->axes[WIDTH];
  int64_t columns = joint_elements(w).count, inputs = joint_inputs(c);
  int64_t channels = w->stride * c->out_channels;
  return (layer_work){.conv = down *
                              xc_window_words_of_row(target, columns, inputs) *
                              xc_words_of(target, (int32_t)channels),
                      .runs = 1,
                      .weights = down * columns * inputs * channels,
                      .weight_loads = xc_weight_loads(target, channels)};
}

static layer_work phase_work(const XcDpuTarget *target, const xc_conv *c,
                             int64_t down, int64_t columns) {
  const xc_conv_axis *w = &c->axes[WIDTH];
  int64_t words = xc_words_of(target, c->out_channels);
  int64_t channels = c->out_channels;
  layer_work work = {.runs = w->outputs / w->stride,
                     .weights = down * columns * c->in_channels * channels};
  // Both engines at once compute depthwise layers in two thirds of the cycles.
  work.conv = c->is_depthwise
                  ? 2 * down * columns * words / 3
                  : down * words *
                        xc_window_words_of_row(target, columns, c->in_channels);
  work.weight_loads = c->is_depthwise ? 1 : xc_weight_loads(target, channels);
  return work;
}

/// Returns the cycles of the layers, with the phases of a row apart or
/// together.
static int64_t phases_cycles(const xc_lowering *lowering, const xc_adaptor *op,
                             const xc_conv *c, bool is_joint) {
  const xc_conv_axis *w = &c->axes[WIDTH], *h = &c->axes[HEIGHT];
  int64_t sum = 0;
  for (int64_t y = 0; y < h->stride; ++y) {
    int64_t down = elements_of(h, y).count;
    for (int64_t x = 0; x < (is_joint ? 1 : w->stride); ++x) {
      layer_work work = is_joint ? joint_work(lowering->target, c, down)
                                 : phase_work(lowering->target, c, down,
                                              elements_of(w, x).count);
      sum += layer_cycles(lowering, op, c, &work);
    }
  }
  return sum;
}

int32_t xc_joint_phases(const xc_lowering *lowering, const xc_adaptor *op,
                        const xc_conv *c) {
  const XcDpuTarget *target = lowering->target;
  const xc_conv_axis *w = &c->axes[WIDTH], *h = &c->axes[HEIGHT];
  const XcDpuImage *out = &xc_output_allocation(lowering, op)->image;
  int64_t channels = w->stride * c->out_channels;
  bool has_words = xc_fix_groups_of(op, c->out_channels).count == 1 ||
                   c->out_channels % target->channelParallel == 0;
  bool is_forced = lowering->engines == XcDpuEngineChoiceInStrips;
  if ((lowering->engines != XcDpuEngineChoiceFastest && !is_forced) ||
      w->stride == 1 || w->outputs % w->stride != 0 || h->outputs < h->stride ||
      out->pixelPitch != (uint32_t)c->out_channels || !has_words ||
      lowering->current->addition || lowering->current->folds_frames ||
      channels > XC_DPU_FIELD_MAX(target, Save, channel) ||
      channels > target->derived.maxConvOutputChannels ||
      xc_words_of(target, (int32_t)channels) > xc_max_pixel_words(target) ||
      (c->is_depthwise && !xc_has_conv_arithmetic(&target->conv, op)))
    return 1;
  phase_elements all = joint_elements(w);
  for (int64_t y = 0; y < h->stride; ++y) {
    phase_elements down = elements_of(h, y);
    if (!has_window(target, c, &down, &all))
      return 1;
  }
  return is_forced || phases_cycles(lowering, op, c, true) <
                          phases_cycles(lowering, op, c, false)
             ? (int32_t)w->stride
             : 1;
}

/// The phases of every stride-th row of the output.
static bool add_rows(xc_lowering *lowering, const xc_adaptor *op,
                     const xc_conv *c, int64_t y, int64_t width) {
  if (c->is_folded)
    return add_row_phases(lowering, op, c, y);
  for (int64_t x = 0; x < c->axes[WIDTH].stride && x < width; ++x)
    if (!add_phase(lowering, op, c, (const int64_t[]){x, y}))
      return false;
  return true;
}

static bool backward(xc_lowering *lowering, const xc_adaptor *op,
                     const xc_conv *c) {
  XcDpuImage out = xc_output_image(lowering, op);
  for (int64_t y = 0; y < c->axes[HEIGHT].stride && y < out.height; ++y)
    if (!add_rows(lowering, op, c, y, out.width))
      return false;
  return true;
}

/// Whether each pixel is repeated, and nothing else.
static bool repeats_pixels(const xc_adaptor *op) {
  xc_window window = xc_window_of(op);
  const xc_window_axis *axes[] = {&window.w, &window.h};
  if (op->info->kind != XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX ||
      xc_has_operand(op, XC_CONV2D_FIX_BIAS) ||
      xc_activation_of(op) != XcActivationNone ||
      xc_fix_groups_of(op, 1).count != 1 || xc_fix_weight_point(op, 0) != 0 ||
      xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT) !=
          xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT))
    return false;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    if (axes[axis]->kernel != axes[axis]->stride || axes[axis]->before != 0 ||
        axes[axis]->outputs != axes[axis]->inputs * axes[axis]->stride)
      return false;
  size_t size, i = 0;
  int8_t *weights = xc_constant_operand(op, XC_CONV2D_FIX_WEIGHT, &size);
  while (weights && i < size && weights[i] == 1)
    ++i;
  free(weights);
  return weights && i == size;
}

bool xc_lower_transposed(xc_lowering *lowering, const xc_adaptor *op) {
  bool repeats = repeats_pixels(op);
  lowering->has_repeats |= repeats;
  if (repeats && lowering->moves_repeats)
    return xc_lower_upsample(lowering, op);
  xc_conv c = {0};
  bool is_depthwise = op->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX;
  bool ok = xc_read_conv(lowering, op, &c, is_depthwise) &&
            backward(lowering, op, &c) && xc_add_conv_sigmoid(lowering, op, &c);
  free(c.weights);
  return ok;
}
