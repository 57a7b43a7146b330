//===- ChannelRoutes.c - channels from their writers to their readers -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The units of ShuffleNetV2 join channels, shuffle them, and pass half of them
// on to the next unit. Within a word only a convolution moves a channel, so
// each shuffle would be one. But every channel has a way, from the convolution
// that computes it to the layers that read it, and a convolution does not care
// in which order its inputs come. Where all readers are such layers, the
// convolutions at the beginning are divided by the readers of their channels,
// each reader has a concatenation of its own, and nothing is shuffled.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Operators that move channels, convolutions before them and tensors that
  /// others read. A stage of eight units has 31, 9 and 9.
  MOST_OPS = 128,
  MOST_SOURCES = 48,
  MOST_EXITS = 48,
  /// The cost of one convolution more, in the steps of `steps_of`.
  STEPS_OF_PART = 512,
  /// The part of all steps that must be saved: small convolutions do not fill
  /// the engine.
  LEAST_GAIN = 4,
};

//===----------------------------------------------------------------------===//
// Operators that move channels
//===----------------------------------------------------------------------===//

/// A concatenation, a slice of channels or a channel shuffle.
typedef struct channel_move {
  xc_adaptor op;
  MlirValue input;       // of slices and shuffles
  int64_t first, stride; // of slices
  int64_t parts[2];      // of shuffles; else 0
} channel_move;

static bool read_slice(const xc_adaptor *op, channel_move *move) {
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_shape from = xc_operand_shape(op, 0), to = xc_result_shape(op);
  xc_attr_ints(op, XC_ATTR_BEGIN, begin);
  xc_attr_ints(op, XC_ATTR_STRIDES, strides);
  if (memcmp(from.dims, to.dims, 3 * sizeof(*from.dims)) != 0 || begin[3] < 0 ||
      strides[0] != 1 || strides[1] != 1 || strides[2] != 1 || strides[3] < 1)
    return false;
  move->input = xc_operand(op, XC_STRIDED_SLICE_INPUT);
  move->first = begin[3];
  move->stride = strides[3];
  return true;
}

static bool read_move(const xc_adaptor *op, channel_move *move) {
  xc_shape shape = xc_result_shape(op);
  *move = (channel_move){.op = *op};
  if (shape.rank != 4 || shape.element != XC_ELEMENT_F32)
    return false;
  switch (op->info->kind) {
  case XC_TIR_CONCAT: {
    int64_t axis = xc_attr_int(op, XC_ATTR_AXIS);
    return axis == 3 || axis == -1;
  }
  case XC_TIR_STRIDED_SLICE:
    return read_slice(op, move);
  case XC_TIR_RESHAPE:
    return xc_read_channel_shuffle(op, &move->input, move->parts);
  default:
    return false;
  }
}

/// Whether channels change their places in words.
static bool is_permutation(const channel_move *move) {
  return move->parts[0] > 0 ||
         (move->op.info->kind == XC_TIR_STRIDED_SLICE && move->stride > 1);
}

/// The move that an operator is, or of which it is the first reshape.
static bool read_user(MlirOperation user, channel_move *move) {
  xc_adaptor op;
  if (!xc_adaptor_of_tir(user, &op))
    return false;
  for (int i = 0; i < 3; ++i) {
    if (read_move(&op, move))
      return i == 0 || move->parts[0] > 0;
    xc_adaptor next;
    if ((op.info->kind != XC_TIR_RESHAPE &&
         op.info->kind != XC_TIR_TRANSPOSE) ||
        !xc_single_user(&op, &next))
      return false;
    op = next;
  }
  return false;
}

/// Goes one step back from a channel of what a move computes.
static void step_back(const channel_move *move, MlirValue *value,
                      int64_t *channel) {
  if (move->op.info->kind != XC_TIR_CONCAT) {
    *value = move->input;
    *channel = move->parts[0] > 0
                   ? xc_channel_before_shuffle(move->parts, *channel)
                   : move->first + *channel * move->stride;
    return;
  }
  for (size_t slot = 0; slot < move->op.info->num_operands; ++slot) {
    if (!xc_has_operand(&move->op, slot))
      continue;
    int64_t count = xc_operand_shape(&move->op, slot).dims[3];
    *value = xc_operand(&move->op, slot);
    if (*channel < count)
      return;
    *channel -= count;
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// A convolution before the moves, and the exit that each channel is for.
typedef struct route_source {
  MlirValue value;
  xc_activated_conv conv;
  int64_t channels;
  int *exits; // -1: none
} route_source;

/// A channel, by its source.
typedef struct route_channel {
  int source;
  int64_t channel; // of the source
  int64_t place;   // of the exit
} route_channel;

/// A value that other operators than moves read.
typedef struct route_exit {
  channel_move move;
  MlirValue value;
  int64_t channels;
  route_channel *from; // by source and channel
  bool needs_order;    // somebody reads the channels in their order
  MlirValue joined;    // the channels in the order of `from`
} route_exit;

/// Moves that are connected, with all that is around them.
typedef struct route_region {
  channel_move moves[MOST_OPS];
  size_t num_moves;
  route_source sources[MOST_SOURCES];
  size_t num_sources;
  route_exit exits[MOST_EXITS];
  size_t num_exits;
} route_region;

static bool add_move(route_region *region, const channel_move *move) {
  for (size_t i = 0; i < region->num_moves; ++i)
    if (mlirOperationEqual(region->moves[i].op.operation, move->op.operation))
      return true;
  if (region->num_moves == MOST_OPS)
    return false;
  region->moves[region->num_moves++] = *move;
  return true;
}

static int find_source(const route_region *region, MlirValue value) {
  for (size_t i = 0; i < region->num_sources; ++i)
    if (xc_same_value(region->sources[i].value, value))
      return (int)i;
  return -1;
}

static bool is_known(xc_rewriter *rewriter, const xc_adaptor *conv) {
  return xc_constant_bytes(rewriter, xc_operand(conv, XC_CONV2D_WEIGHT)) &&
         (!xc_has_operand(conv, XC_CONV2D_BIAS) ||
          xc_constant_bytes(rewriter, xc_operand(conv, XC_CONV2D_BIAS)));
}

// Whether an operator is about to be erased.
static bool is_dead(MlirOperation operation) {
  xc_adaptor op;
  return xc_adaptor_of_tir(operation, &op) &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(xc_result_of(&op)));
}

// Adds the moves that read a value. `others` is whether others do.
static bool add_users(route_region *region, MlirValue value, bool *others) {
  *others = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    channel_move move;
    if (is_dead(mlirOpOperandGetOwner(use)))
      continue;
    if (!read_user(mlirOpOperandGetOwner(use), &move))
      *others = true;
    else if (!add_move(region, &move))
      return false;
  }
  return true;
}

static bool add_source(xc_rewriter *rewriter, route_region *region,
                       MlirValue value) {
  if (find_source(region, value) >= 0)
    return true;
  route_source source = {.value = value,
                         .channels = xc_value_shape(value).dims[3]};
  bool others;
  if (region->num_sources == MOST_SOURCES ||
      !xc_find_activated_conv(value, &source.conv) ||
      source.conv.conv.info->kind != XC_TIR_CONV2D ||
      !is_known(rewriter, &source.conv.conv) ||
      xc_rewrite_keeps(rewriter, &source.conv.conv) ||
      (source.conv.has_activation &&
       xc_rewrite_keeps(rewriter, &source.conv.activation)) ||
      !add_users(region, value, &others) || others)
    return false;
  source.exits = xc_rewrite_alloc(rewriter, (size_t)source.channels + 1,
                                  sizeof(*source.exits));
  for (int64_t c = 0; c < source.channels; ++c)
    source.exits[c] = -1;
  region->sources[region->num_sources++] = source;
  return true;
}

static bool add_exit(route_region *region, const channel_move *move) {
  if (region->num_exits == MOST_EXITS)
    return false;
  MlirValue value = xc_result_of(&move->op);
  region->exits[region->num_exits++] = (route_exit){
      .move = *move, .value = value, .channels = xc_value_shape(value).dims[3]};
  return true;
}

// Visits the operands and the users of a move.
static bool visit_move(xc_rewriter *rewriter, route_region *region,
                       const channel_move *move) {
  for (size_t slot = 0; slot < move->op.info->num_operands; ++slot) {
    if (!xc_has_operand(&move->op, slot))
      continue;
    MlirValue input =
        move->parts[0] > 0 ? move->input : xc_operand(&move->op, slot);
    xc_adaptor writer;
    channel_move before;
    if (xc_defining_adaptor(input, &writer) && read_move(&writer, &before)
            ? !add_move(region, &before)
            : !add_source(rewriter, region, input))
      return false;
  }
  bool others;
  return add_users(region, xc_result_of(&move->op), &others) &&
         (!others || add_exit(region, move));
}

static int by_source(const void *a, const void *b) {
  const route_channel *left = a, *right = b;
  if (left->source != right->source)
    return left->source < right->source ? -1 : 1;
  return left->channel < right->channel ? -1 : left->channel > right->channel;
}

// Where the channels of an exit come from. Returns false where another exit has
// one of them: it would be computed twice.
static bool trace_exit(xc_rewriter *rewriter, route_region *region,
                       size_t index) {
  route_exit *exit = &region->exits[index];
  exit->from = xc_rewrite_alloc(rewriter, (size_t)exit->channels + 1,
                                sizeof(*exit->from));
  for (int64_t c = 0; c < exit->channels; ++c) {
    MlirValue value = exit->value;
    int64_t channel = c;
    xc_adaptor writer;
    channel_move move;
    while (xc_defining_adaptor(value, &writer) && read_move(&writer, &move))
      step_back(&move, &value, &channel);
    int source = find_source(region, value);
    if (source < 0 || region->sources[source].exits[channel] >= 0)
      return false;
    region->sources[source].exits[channel] = (int)index;
    exit->from[c] = (route_channel){source, channel, c};
  }
  qsort(exit->from, (size_t)exit->channels, sizeof(*exit->from), by_source);
  return true;
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

static bool is_dense_conv(xc_rewriter *rewriter, const xc_adaptor *op,
                          MlirValue image) {
  return op->info->kind == XC_TIR_CONV2D &&
         xc_attr_int(op, XC_ATTR_GROUP) == 1 &&
         xc_same_value(xc_operand(op, XC_CONV2D_INPUT), image) &&
         is_known(rewriter, op) && !xc_rewrite_keeps(rewriter, op);
}

static bool only_dense_convs_read(xc_rewriter *rewriter, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor reader;
    if (!xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &reader) ||
        !is_dense_conv(rewriter, &reader, value))
      return false;
  }
  return true;
}

/// A depthwise convolution of the image that only convolutions read: they take
/// its channels in any order.
static bool is_depthwise(xc_rewriter *rewriter, const xc_adaptor *op,
                         MlirValue image) {
  if (op->info->kind != XC_TIR_DEPTHWISE_CONV2D ||
      !xc_same_value(xc_operand(op, XC_DEPTHWISE_CONV2D_INPUT), image))
    return false;
  xc_shape weight = xc_operand_shape(op, XC_DEPTHWISE_CONV2D_WEIGHT);
  return weight.dims[0] == 1 &&
         weight.dims[3] == xc_value_shape(image).dims[3] &&
         is_known(rewriter, op) && !xc_rewrite_keeps(rewriter, op) &&
         only_dense_convs_read(rewriter, xc_result_of(op));
}

static int64_t num_words(const XcDpuTarget *target, int64_t channels) {
  return xc_ceil_div64(channels, target->channelParallel);
}

/// Returns where the channels of the source of channel `first` of an exit end.
static int64_t part_end(const route_exit *exit, int64_t first) {
  int64_t end = first;
  while (end < exit->channels &&
         exit->from[end].source == exit->from[first].source)
    ++end;
  return end;
}

/// Returns the number of parts that an exit is joined from, and their channels
/// with what fills their words.
static int64_t parts_of(const XcDpuTarget *target, const route_exit *exit,
                        int64_t *channels) {
  int64_t parts = 0, words = 0;
  for (int64_t c = 0, end; c < exit->channels; c = end) {
    end = part_end(exit, c);
    words += num_words(target, end - c);
    ++parts;
  }
  *channels = words * target->channelParallel;
  return parts;
}

// Whether convolutions that read `channels` channels can take all of them.
static bool target_takes(const XcDpuTarget *target, const xc_adaptor *conv,
                         int64_t channels) {
  xc_shape weight = xc_operand_shape(conv, XC_CONV2D_WEIGHT);
  return xc_target_takes_conv(target, weight.dims[2], weight.dims[1], channels,
                              weight.dims[0]);
}

// Whether the channels of an exit can be joined, and what its readers need.
static bool check_exit(xc_rewriter *rewriter, route_exit *exit) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t channels;
  if (parts_of(target, exit, &channels) > XC_MAX_OPERANDS)
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(exit->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor reader;
    channel_move move;
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (read_user(user, &move))
      continue;
    if (!xc_adaptor_of_tir(user, &reader) ||
        !(is_dense_conv(rewriter, &reader, exit->value)
              ? target_takes(target, &reader, channels)
              : is_depthwise(rewriter, &reader, exit->value)))
      exit->needs_order = true;
  }
  return !exit->needs_order ||
         xc_target_takes_conv(target, 1, 1, channels, exit->channels);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Returns the number of positions of a window and pixels of a result.
static int64_t area_of(const xc_adaptor *conv) {
  xc_shape weight = xc_operand_shape(conv, XC_CONV2D_WEIGHT);
  xc_shape out = xc_result_shape(conv);
  return weight.dims[1] * weight.dims[2] * out.dims[1] * out.dims[2];
}

static int64_t pixels_of(MlirValue value) {
  xc_shape shape = xc_value_shape(value);
  return shape.dims[1] * shape.dims[2];
}

/// Returns the number of steps of a convolution that reads so many words.
static int64_t steps_of(const XcDpuTarget *target, const xc_adaptor *conv,
                        int64_t words) {
  return words * area_of(conv) *
         num_words(target, xc_operand_shape(conv, XC_CONV2D_WEIGHT).dims[0]);
}

// Returns the number of steps of what reads a value as so many words.
static int64_t steps_of_readers(xc_rewriter *rewriter, MlirValue value,
                                int64_t words) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t steps = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor reader;
    if (!xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &reader))
      continue;
    if (is_dense_conv(rewriter, &reader, value))
      steps += steps_of(target, &reader, words);
    else if (is_depthwise(rewriter, &reader, value))
      steps += words * area_of(&reader);
  }
  return steps;
}

static int64_t selection_steps(const XcDpuTarget *target, MlirValue result,
                               int64_t inputs) {
  return num_words(target, inputs) *
         num_words(target, xc_value_shape(result).dims[3]) * pixels_of(result);
}

// With a convolution for each permutation, unless those that read it do it.
static int64_t steps_before(xc_rewriter *rewriter, const route_region *region) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t steps = 0;
  for (size_t i = 0; i < region->num_sources; ++i) {
    const xc_adaptor *conv = &region->sources[i].conv.conv;
    steps += steps_of(
        target, conv,
        num_words(target, xc_operand_shape(conv, XC_CONV2D_INPUT).dims[3]));
  }
  for (size_t i = 0; i < region->num_moves; ++i) {
    const channel_move *move = &region->moves[i];
    MlirValue value = xc_result_of(&move->op);
    int64_t read = xc_value_shape(value).dims[3];
    if (is_permutation(move)) {
      int64_t inputs = xc_value_shape(move->input).dims[3];
      if (only_dense_convs_read(rewriter, value))
        read = inputs;
      else
        steps += selection_steps(target, value, inputs);
    }
    steps += steps_of_readers(rewriter, value, num_words(target, read));
  }
  return steps;
}

static int64_t steps_after(xc_rewriter *rewriter, const route_region *region) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t steps = 0;
  for (size_t i = 0; i < region->num_exits; ++i) {
    const route_exit *exit = &region->exits[i];
    int64_t channels, parts = parts_of(target, exit, &channels);
    int64_t read = exit->needs_order ? exit->channels : channels;
    steps += parts * STEPS_OF_PART;
    steps += steps_of_readers(rewriter, exit->value, num_words(target, read));
    if (exit->needs_order)
      steps += selection_steps(target, exit->value, channels);
    for (int64_t c = 0, end; c < exit->channels; c = end) {
      end = part_end(exit, c);
      const xc_adaptor *conv = &region->sources[exit->from[c].source].conv.conv;
      steps +=
          num_words(target, end - c) * area_of(conv) *
          num_words(target, xc_operand_shape(conv, XC_CONV2D_INPUT).dims[3]);
    }
  }
  return steps;
}

static bool saves_enough(xc_rewriter *rewriter, const route_region *region) {
  int64_t before = steps_before(rewriter, region);
  return steps_after(rewriter, region) <= before - before / LEAST_GAIN;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Returns the channels that an exit has of one source: from[0] to from[count -
// 1].
static MlirValue build_part(xc_rewriter *rewriter, const route_source *source,
                            const route_channel *from, int64_t count) {
  if (count == source->channels)
    return source->value;
  int64_t *channels =
      xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*channels));
  for (int64_t c = 0; c < count; ++c)
    channels[c] = from[c].channel;
  xc_rewrite_before(rewriter, &source->conv.conv);
  return xc_select_outputs(rewriter, &source->conv, channels, count);
}

static MlirValue build_joined(xc_rewriter *rewriter, const route_region *region,
                              const route_exit *exit) {
  MlirValue parts[XC_MAX_OPERANDS];
  size_t num_parts = 0;
  for (int64_t c = 0, end; c < exit->channels; c = end) {
    end = part_end(exit, c);
    parts[num_parts++] =
        build_part(rewriter, &region->sources[exit->from[c].source],
                   &exit->from[c], end - c);
  }
  xc_rewrite_before(rewriter, &exit->move.op);
  return num_parts == 1 ? parts[0]
                        : xc_rewrite_join(rewriter, parts, num_parts, 3, 0);
}

// Returns a constant whose last dimension is in the order of the joined
// channels.
static MlirValue permute(xc_rewriter *rewriter, MlirValue constant,
                         const route_exit *exit) {
  xc_shape shape = xc_value_shape(constant);
  int64_t count = xc_shape_num_elements(&shape);
  int64_t *from = xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*from));
  for (int64_t i = 0; i < count; ++i)
    from[i] = i / exit->channels * exit->channels +
              exit->from[i % exit->channels].place;
  return xc_rewrite_gather(rewriter, constant, from, &shape);
}

// Returns the reader with weights for `input`, which has the channels of the
// exit.
static MlirValue build_reader(xc_rewriter *rewriter, const xc_adaptor *reader,
                              MlirValue input, const route_exit *exit) {
  bool is_depthwise = reader->info->kind == XC_TIR_DEPTHWISE_CONV2D;
  xc_rewrite_before(rewriter, reader);
  MlirValue bias = xc_operand_or_null(reader, XC_CONV2D_BIAS);
  const MlirValue operands[] = {
      input, permute(rewriter, xc_operand(reader, XC_CONV2D_WEIGHT), exit),
      is_depthwise && !mlirValueIsNull(bias) ? permute(rewriter, bias, exit)
                                             : bias};
  return xc_rewrite_like(rewriter, reader, reader->info->kind, operands, 3,
                         NULL, 0);
}

// Replaces all who read a value, but for moves, by those that read `input`.
static bool replace_readers(xc_rewriter *rewriter, MlirValue value,
                            MlirValue input, const route_exit *exit) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use)) {
    xc_adaptor reader;
    channel_move move;
    MlirOperation user = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (read_user(user, &move) || !xc_adaptor_of_tir(user, &reader))
      continue;
    MlirValue result = build_reader(rewriter, &reader, input, exit);
    if (reader.info->kind == XC_TIR_DEPTHWISE_CONV2D
            ? !replace_readers(rewriter, xc_result_of(&reader), result, exit)
            : !xc_rewrite_replace(rewriter, &reader, result))
      return false;
  }
  return true;
}

static bool replace_exit(xc_rewriter *rewriter, const route_exit *exit) {
  if (!exit->needs_order)
    return replace_readers(rewriter, exit->value, exit->joined, exit);
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)exit->channels + 1, sizeof(*from));
  for (int64_t c = 0; c < exit->channels; ++c)
    from[exit->from[c].place] = c;
  xc_rewrite_before(rewriter, &exit->move.op);
  return xc_rewrite_replace(
      rewriter, &exit->move.op,
      xc_rewrite_float_selection(rewriter, exit->joined, from, exit->channels));
}

static bool find_region(xc_rewriter *rewriter, const channel_move *move,
                        route_region *region) {
  if (!add_move(region, move))
    return false;
  for (size_t i = 0; i < region->num_moves; ++i)
    if (!visit_move(rewriter, region, &region->moves[i]))
      return false;
  for (size_t i = 0; i < region->num_exits; ++i)
    if (!trace_exit(rewriter, region, i) ||
        !check_exit(rewriter, &region->exits[i]))
      return false;
  return true;
}

bool xc_legalize_channel_routes(xc_rewriter *rewriter, const xc_adaptor *root) {
  channel_move move;
  if (!read_move(root, &move) || !is_permutation(&move))
    return false;
  route_region *region = xc_rewrite_alloc(rewriter, 1, sizeof(*region));
  if (!find_region(rewriter, &move, region) || region->num_exits == 0 ||
      !saves_enough(rewriter, region))
    return false;
  // A reader may compute channels of another exit.
  for (size_t i = 0; i < region->num_exits; ++i)
    region->exits[i].joined = build_joined(rewriter, region, &region->exits[i]);
  for (size_t i = 0; i < region->num_exits; ++i)
    if (!replace_exit(rewriter, &region->exits[i]))
      return false;
  return true;
}
