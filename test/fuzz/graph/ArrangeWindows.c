//===- ArrangeWindows.c - convolutions, pools, matrix products ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include <string.h>

enum { MAX_WEIGHTS = 300000 };

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static const char *const pad_modes[] = {"FLOOR", "CEIL", "SAME", "VALID"};

static int64_t some_kernel(fuzz_gen *gen, int64_t input) {
  fuzz_random *r = &gen->random;
  switch (fuzz_range(r, 0, 11)) {
  case 0:
    return input; // covers the input
  case 1:
    return fuzz_range(r, 1, 17);
  case 2:
    return FUZZ_PICK(r, 4, 5, 6, 7);
  case 3:
  case 4:
  case 5:
    return 1;
  case 6:
    return 2;
  default:
    return 3;
  }
}

static int64_t long_kernel(fuzz_gen *gen) {
  fuzz_random *r = &gen->random;
  return fuzz_chance(r, 30)   ? 1
         : fuzz_chance(r, 60) ? FUZZ_PICK(r, 2, 3, 3, 3, 5, 7)
                              : fuzz_range(r, 8, 50);
}

static int64_t some_stride(fuzz_gen *gen) {
  fuzz_random *r = &gen->random;
  return fuzz_chance(r, 50)   ? 1
         : fuzz_chance(r, 60) ? 2
                              : FUZZ_PICK(r, 3, 4, 5, 7, 8, 9);
}

// A window along one axis, which keeps the length or is causal.
static void draw_along(fuzz_gen *gen, int axis, int64_t *kernel,
                       int64_t *stride, int64_t *dilation, int64_t *pad) {
  enum { LEAST_LONG = 8 };
  fuzz_random *r = &gen->random;
  int across = 1 - axis;
  const xc_fact pads = (xc_fact)(XC_FACT_PAD_LEFT + 2 * axis);
  kernel[axis] =
      fuzz_want(gen, (xc_fact)(XC_FACT_KERNEL_W + axis), long_kernel(gen));
  kernel[across] = fuzz_want(gen, (xc_fact)(XC_FACT_KERNEL_W + across), 1);
  if (kernel[axis] < LEAST_LONG)
    dilation[axis] = fuzz_want(gen, (xc_fact)(XC_FACT_DILATION_W + axis),
                               FUZZ_PICK(r, 1, 1, 1, 1, 2, 3, 4, 8, 16));
  stride[axis] = fuzz_chance(r, 80) ? 1 : stride[axis];
  int64_t whole = (kernel[axis] - 1) * dilation[axis];
  int64_t before = FUZZ_PICK(r, whole / 2, whole / 2, whole, 0);
  pad[2 * axis] = fuzz_want(gen, pads, before);
  pad[2 * axis + 1] =
      fuzz_want(gen, (xc_fact)(pads + 1), whole - pad[2 * axis]);
  pad[2 * across] = pad[2 * across + 1] = 0;
}

// kernel, stride, dilation and pad, width first.
static void add_window(fuzz_draft *draft, const xc_shape *input) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  const char *mode =
      fuzz_chance(r, 60) ? pad_modes[0] : pad_modes[fuzz_range(r, 0, 3)];
  bool dilates = fuzz_chance(r, 12), pads = fuzz_chance(r, 60);
  bool keeps_size = fuzz_joins(gen) && fuzz_chance(r, 80);
  if (keeps_size)
    mode = "SAME";
  int64_t kernel[2], stride[2], dilation[2], pad[4] = {0};
  for (int axis = 0; axis < 2; ++axis) {
    int64_t size = input->dims[2 - axis];
    kernel[axis] = fuzz_want(gen, (xc_fact)(XC_FACT_KERNEL_W + axis),
                             some_kernel(gen, size));
    stride[axis] = fuzz_want(gen, (xc_fact)(XC_FACT_STRIDE_W + axis),
                             keeps_size ? 1 : some_stride(gen));
    dilation[axis] = fuzz_want(gen, (xc_fact)(XC_FACT_DILATION_W + axis),
                               dilates ? fuzz_range(r, 1, 3) : 1);
    int64_t window = (kernel[axis] - 1) * dilation[axis];
    for (int side = 0; side < 2; ++side) {
      int64_t most = fuzz_chance(r, 96) ? window : window + 2;
      pad[2 * axis + side] =
          fuzz_want(gen, (xc_fact)(XC_FACT_PAD_LEFT + 2 * axis + side),
                    pads ? fuzz_range(r, 0, most) : 0);
    }
  }
  if (fuzz_is_signal(gen)) {
    draw_along(gen, input->dims[1] == 1 ? 0 : 1, kernel, stride, dilation, pad);
  } else if (fuzz_chance(r, 70)) { // as most networks have them
    kernel[1] = fuzz_want(gen, XC_FACT_KERNEL_H, kernel[0]);
    stride[1] = fuzz_want(gen, XC_FACT_STRIDE_H, stride[0]);
  }
  bool is_wanted = false;
  for (int i = 0; i < 4; ++i)
    is_wanted |= gen->wanted[XC_FACT_PAD_LEFT + i] != FUZZ_FREE;
  if (is_wanted)
    mode = pad_modes[0];
  fuzz_add_ints(draft, "kernel", kernel, 2);
  fuzz_add_ints(draft, "stride", stride, 2);
  fuzz_add_ints(draft, "dilation", dilation, 2);
  fuzz_add_word(draft, "pad_mode", mode);
  if (strcmp(mode, "SAME") != 0)
    fuzz_add_ints(draft, "pad", pad, 4);
}

static const int64_t *ints_of(const fuzz_draft *draft, const char *name) {
  for (size_t i = 0; i < draft->num_attributes; ++i)
    if (strcmp(draft->attributes[i].name, name) == 0)
      return draft->attributes[i].ints;
  return NULL;
}

// An image that may have to be of a wanted size.
static bool request_image(fuzz_draft *draft, fuzz_value *input) {
  fuzz_gen *gen = draft->gen;
  fuzz_request request = fuzz_image_request(draft->info->operands[0].elements);
  request.dims[0] = fuzz_want(gen, XC_FACT_BATCH, -1);
  request.dims[1] = fuzz_want(gen, XC_FACT_INPUT_H, -1);
  request.dims[2] = fuzz_want(gen, XC_FACT_INPUT_W, -1);
  request.dims[3] = fuzz_want(gen, XC_FACT_INPUT_C, -1);
  if (request.dims[3] > 300) // few pixels keep the work small
    for (int i = 1; i <= 2; ++i)
      request.dims[i] = fuzz_range(&gen->random, 1, 5);
  // The wanted window has to fit.
  static const xc_fact kernels[] = {XC_FACT_KERNEL_H, XC_FACT_KERNEL_W};
  for (int i = 0; i < 2; ++i) {
    int64_t kernel = gen->wanted[kernels[i]];
    if (kernel != FUZZ_FREE && kernel < 200)
      request.dims[1 + i] = kernel + fuzz_range(&gen->random, -1, 4);
  }
  if (request.dims[1] == 0 || request.dims[2] == 0)
    return false;
  return fuzz_request_value(gen, &request, input);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static bool is_depthwise(const fuzz_draft *draft) {
  return draft->info->rule == XC_RULE_DEPTHWISE_CONV2D ||
         draft->info->rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D;
}

static xc_element parameter_element(fuzz_draft *draft, size_t slot,
                                    xc_element input) {
  uint32_t set = draft->info->operands[slot].elements;
  return set >> input & 1 && xc_element_is_float(input)
             ? input
             : fuzz_element(draft->gen, set);
}

static void add_parameter(fuzz_draft *draft, const xc_shape *shape) {
  fuzz_gen *gen = draft->gen;
  bool is_constant =
      fuzz_want(gen, XC_FACT_CONSTANT, fuzz_chance(&gen->random, 98)) != 0;
  fuzz_add_operand(draft, is_constant ? fuzz_any_constant(gen, shape)
                                      : fuzz_new_argument(gen, shape).value);
}

static void add_bias(fuzz_draft *draft, size_t slot, int64_t channels,
                     xc_element input) {
  fuzz_gen *gen = draft->gen;
  if (!fuzz_want(gen, XC_FACT_HAS_BIAS, fuzz_chance(&gen->random, 65)))
    return;
  xc_element element = parameter_element(draft, slot, input);
  int64_t bits = gen->wanted[XC_FACT_BIAS_BITS];
  if (bits != FUZZ_FREE && !xc_element_is_float(input))
    element = bits == 8 ? XC_ELEMENT_I8 : XC_ELEMENT_I32;
  xc_shape shape = fuzz_shape(element, 1, &channels);
  add_parameter(draft, &shape);
}

// Weight dimensions [O or M, KH, KW, C / group or C].
static bool add_weight(fuzz_draft *draft, const fuzz_value *input,
                       int64_t *outputs) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  const int64_t *kernel = ints_of(draft, "kernel");
  int64_t channels = input->shape.dims[3], group = 1, first;
  if (is_depthwise(draft)) {
    first = fuzz_want(gen, XC_FACT_MULTIPLIER,
                      fuzz_chance(r, 88) ? 1 : fuzz_range(r, 2, 3));
    *outputs = first * channels;
  } else {
    group = fuzz_want(gen, XC_FACT_GROUP,
                      fuzz_chance(r, 88) ? 1 : fuzz_divisor(gen, channels));
    first = fuzz_want(gen, XC_FACT_OUTPUT_C, fuzz_channels(gen));
    first = (first + group - 1) / group * group;
    *outputs = first;
    fuzz_add_int(draft, "group", group);
    if (channels % group != 0)
      return false;
  }
  const int64_t dims[] = {first, kernel[1], kernel[0], channels / group};
  if (dims[0] * dims[1] * dims[2] * dims[3] > MAX_WEIGHTS)
    return false;
  xc_shape shape =
      fuzz_shape(parameter_element(draft, 1, input->shape.element), 4, dims);
  add_parameter(draft, &shape);
  return true;
}

bool fuzz_arrange_conv(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_value input;
  int64_t outputs;
  if (!request_image(draft, &input))
    return false;
  fuzz_add_input(draft, &input);
  add_window(draft, &input.shape);
  if (!add_weight(draft, &input, &outputs))
    return false;
  add_bias(draft, 2, outputs, input.shape.element);
  const int64_t extra[] = {
      fuzz_want(gen, XC_FACT_EXTRA_W, fuzz_chance(&gen->random, 6)),
      fuzz_want(gen, XC_FACT_EXTRA_H, fuzz_chance(&gen->random, 6))};
  fuzz_add_ints(draft, "output_padding", extra, 2);
  draft->result_channels = (size_t)outputs;
  return true;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

bool fuzz_arrange_pool(fuzz_draft *draft) {
  fuzz_value input;
  if (!request_image(draft, &input))
    return false;
  fuzz_add_input(draft, &input);
  if (fuzz_chance(&draft->gen->random, 12)) {
    fuzz_add_bool(draft, "global", true);
    return true;
  }
  fuzz_add_bool(draft, "global", false);
  add_window(draft, &input.shape);
  return true;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

bool fuzz_arrange_matmul(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  const xc_op_info *info = draft->info;
  fuzz_request request = fuzz_any_request(info->operands[0].elements);
  request.low_rank = 2;
  request.high_rank = 4;
  fuzz_value a;
  if (!fuzz_request_value(gen, &request, &a))
    return false;
  bool transpose_a = fuzz_chance(r, 20), transpose_b = fuzz_chance(r, 40);
  size_t rank = a.shape.rank;
  int64_t inner = a.shape.dims[rank - 1 - transpose_a];
  int64_t columns = fuzz_channels(gen);
  xc_element element = info->operands[1].elements >> a.shape.element & 1
                           ? a.shape.element
                           : fuzz_element(gen, info->operands[1].elements);
  xc_shape b = {.element = element, .rank = fuzz_chance(r, 60) ? 2 : rank};
  for (size_t i = 0; i + 2 < b.rank; ++i)
    b.dims[i] = fuzz_chance(r, 60) ? a.shape.dims[i] : 1;
  b.dims[b.rank - 2] = transpose_b ? columns : inner;
  b.dims[b.rank - 1] = transpose_b ? inner : columns;
  if (!fuzz_can_have(gen, xc_shape_num_elements(&b)))
    return false;
  fuzz_add_input(draft, &a);
  add_parameter(draft, &b);
  fuzz_add_bool(draft, "transpose_a", transpose_a);
  fuzz_add_bool(draft, "transpose_b", transpose_b);
  add_bias(draft, 2, columns, a.shape.element);
  draft->result_channels = (size_t)columns;
  return true;
}

bool fuzz_arrange_inner_product(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_request request = fuzz_any_request(draft->info->operands[0].elements);
  fuzz_value input;
  if (!fuzz_request_value(gen, &request, &input))
    return false;
  int64_t rank = (int64_t)input.shape.rank;
  int64_t axis = fuzz_range(&gen->random, 0, rank - 1), inner = 1;
  for (int64_t i = axis; i < rank; ++i)
    inner *= input.shape.dims[i];
  const int64_t dims[] = {fuzz_channels(gen), inner};
  if (dims[0] * dims[1] > MAX_WEIGHTS)
    return false;
  xc_shape weight = fuzz_shape(input.shape.element, 2, dims);
  fuzz_add_input(draft, &input);
  add_parameter(draft, &weight);
  fuzz_add_int(draft, "axis",
               fuzz_chance(&gen->random, 50) ? axis : axis - rank);
  add_bias(draft, 2, dims[0], input.shape.element);
  return true;
}

//===----------------------------------------------------------------------===//
// Recurrent layers
//===----------------------------------------------------------------------===//

// A parameter of the input's type, or now and then none.
static void add_optional(fuzz_draft *draft, bool can_have, size_t rank,
                         const int64_t *dims) {
  xc_shape shape = fuzz_shape(draft->inputs[0].shape.element, rank, dims);
  if (can_have && fuzz_chance(&draft->gen->random, 60))
    add_parameter(draft, &shape);
  else
    fuzz_skip_operand(draft);
}

// How many of the steps each image of the batch has.
static void add_lengths(fuzz_draft *draft, int64_t steps, int64_t batch) {
  fuzz_gen *gen = draft->gen;
  if (fuzz_chance(&gen->random, 60))
    return;
  xc_shape shape = fuzz_shape(
      fuzz_element(gen, draft->info->operands[draft->num_operands].elements), 1,
      &batch);
  fuzz_add_operand(draft, fuzz_constant(gen, &shape, 0, steps + 1));
}

bool fuzz_arrange_recurrent(fuzz_draft *draft) {
  enum { RNN, LSTM, GRU, MOST_UNITS = 8, PEEPHOLES = 3 };
  static const char *const cells[] = {"RNN", "LSTM", "GRU"};
  static const int64_t gates[] = {1, 4, 3};
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  int64_t cell = fuzz_range(r, RNN, GRU), units = fuzz_range(r, 1, MOST_UNITS);
  int64_t width = gates[cell] * units, peepholes = PEEPHOLES * units;
  bool resets_after = cell == GRU && fuzz_chance(r, 50);
  // Few steps: each makes more of rounding errors.
  xc_shape shape = fuzz_shape(
      fuzz_element(gen, draft->info->operands[0].elements), 3,
      (const int64_t[]){fuzz_range(r, 1, 4), fuzz_range(r, 1, 3), width});
  fuzz_value input = fuzz_new_argument(gen, &shape);
  fuzz_add_input(draft, &input);
  int64_t steps = shape.dims[0], batch = shape.dims[1];
  xc_shape weight =
      fuzz_shape(shape.element, 2, (const int64_t[]){units, width});
  add_parameter(draft, &weight);
  add_optional(draft, true, 2,
               (const int64_t[]){batch, cell == LSTM ? 2 * units : units});
  add_optional(draft, resets_after, 1, &units);
  add_optional(draft, cell == LSTM, 1, &peepholes);
  add_lengths(draft, steps, batch);
  fuzz_add_word(draft, "cell", cells[cell]);
  fuzz_add_bool(draft, "reset_after", resets_after);
  return true;
}
