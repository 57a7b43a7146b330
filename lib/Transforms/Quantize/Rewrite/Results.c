//===- Results.c - channels of results of different size ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A last layer may compute coordinates of 0 to 640 and probabilities as
// channels of one tensor, whose fix point leaves nothing of the small ones.
// Where nothing but results comes of it, it is split into layers for channels
// of similar size, which have fix points of their own for weights and result;
// the CPU joins what they give in floating point (FixPoints/Join.c). Where
// slices tell what belongs together, they read the layers instead.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "IR/IR.h"
#include "Support/Memory.h"
#include "Transforms/Quantize/Function/Attributes.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"
#include "dialects/Emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 4, MOST_SLICES = 32 };

/// By how much the largest numbers of a part are smaller than any of the next
/// larger one: three bits. Scores of many classes are of any size, without such
/// gaps.
static const double gap = 8;
/// The same of channels that slices keep apart: two bits.
static const double gap_of_slices = 4;

/// A channel is small where that is so in every sample: its largest number is
/// no more than this times the root mean square of the largest ones of all
/// samples. What a ReLU has cut off in most of them may be large in others.
static const double most_of_mean = 4;

/// So many numbers of a part have to be small for it not to be by chance.
static const double least_numbers = 8;

/// Adjoining channels that are read by themselves.
typedef struct slice {
  xc_adaptor op;
  int64_t first, end;
  double size; // of the largest number
  size_t part;
} slice;

/// A layer and the parts that its channels are of.
typedef struct split {
  const xc_quantize_value *value;
  xc_adaptor op;
  int64_t *order;                // channels from the largest to the smallest
  int64_t first[MOST_PARTS + 1]; // of each part in `order`
  size_t num_parts;
  slice slices[MOST_SLICES]; // if nothing else reads it
  size_t num_slices;
} split;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

typedef struct reach {
  double size;
  int64_t channel;
} reach;

static int compare_sizes(const void *a, const void *b) {
  const reach *x = a, *y = b;
  if (x->size != y->size)
    return x->size < y->size ? 1 : -1;
  return x->channel < y->channel ? -1 : 1;
}

static int compare_channels(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void end_part(split *s, int64_t at) {
  int64_t first = s->first[s->num_parts];
  qsort(s->order + first, (size_t)(at - first), sizeof(*s->order),
        compare_channels);
  s->first[++s->num_parts] = at;
}

static double mean_square(const xc_quantize_extreme *extreme, double count) {
  return extreme->mean * extreme->mean + extreme->squares / count;
}

// Returns the largest number of a channel in other samples, for all that is
// known.
static double size_of(const xc_quantizer *q, const xc_quantize_value *value,
                      int64_t c) {
  double count = (double)q->num_samples;
  double largest = fmax(value->high, -value->low);
  double own = fmax(value->highs[c], -value->lows[c]);
  double mean = sqrt(fmax(mean_square(&value->top[c], count),
                          mean_square(&value->bottom[c], count)));
  return own > 0 && own <= most_of_mean * mean ? own : largest;
}

// Whether so many channels are small for a reason.
static bool are_enough(const xc_quantizer *q, const xc_quantize_value *value,
                       int64_t channels) {
  double numbers =
      (double)q->num_samples *
      (double)(xc_shape_num_elements(&value->shape) / value->channels);
  return (double)channels * numbers >= least_numbers;
}

static void find_parts(const xc_quantizer *q, split *s) {
  const xc_quantize_value *value = s->value;
  int64_t channels = value->channels;
  reach *reaches = xc_alloc_array((size_t)channels, sizeof(*reaches));
  for (int64_t c = 0; c < channels; ++c)
    reaches[c] = (reach){size_of(q, value, c), c};
  qsort(reaches, (size_t)channels, sizeof(*reaches), compare_sizes);
  for (int64_t i = 0; i < channels; ++i) {
    s->order[i] = reaches[i].channel;
    if (i > 0 && reaches[i].size * gap < reaches[i - 1].size &&
        are_enough(q, value, channels - i) && s->num_parts + 1 < MOST_PARTS)
      end_part(s, i);
  }
  end_part(s, channels);
  free(reaches);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static bool read_slice(const xc_quantizer *q, const xc_quantize_value *value,
                       MlirOperation reader, slice *cut) {
  int64_t begin[XC_MAX_INTS];
  if (!xc_op_info_of(reader) || !xc_adaptor_of(reader, &cut->op) ||
      cut->op.info->kind != XC_TIR_STRIDED_SLICE ||
      !xc_attr_all(&cut->op, XC_ATTR_STRIDES, 1))
    return false;
  xc_shape result = xc_result_shape(&cut->op);
  for (int i = 0; i < 3; ++i)
    if (result.dims[i] != value->shape.dims[i])
      return false;
  xc_attr_ints(&cut->op, XC_ATTR_BEGIN, begin);
  cut->first = begin[3] < 0 ? begin[3] + value->channels : begin[3];
  cut->end = cut->first + result.dims[3];
  cut->size = 0;
  for (int64_t c = cut->first; c < cut->end; ++c)
    cut->size = fmax(cut->size, size_of(q, value, c));
  return cut->first >= 0 && cut->end <= value->channels;
}

// By size, from the largest to the smallest. Returns whether slices, which have
// no channel in common, are all that reads the layer.
static bool find_slices(const xc_quantizer *q, split *s) {
  s->num_slices = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(s->value->original);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    slice cut;
    if (s->num_slices == MOST_SLICES ||
        !read_slice(q, s->value, mlirOpOperandGetOwner(use), &cut))
      return false;
    size_t at = s->num_slices++;
    for (size_t i = 0; i < at; ++i)
      if (cut.first < s->slices[i].end && s->slices[i].first < cut.end)
        return false;
    for (; at > 0 && s->slices[at - 1].size < cut.size; --at)
      s->slices[at] = s->slices[at - 1];
    s->slices[at] = cut;
  }
  return s->num_slices > 1;
}

static void add_channels(split *s, int64_t *count, const slice *cut) {
  for (int64_t c = cut->first; c < cut->end; ++c)
    s->order[(*count)++] = c;
}

// Channels that nothing reads are left out.
static void find_slice_parts(const xc_quantizer *q, split *s) {
  int64_t count = 0, read = 0;
  double largest = s->slices[0].size; // of the part
  for (size_t i = 0; i < s->num_slices; ++i)
    read += s->slices[i].end - s->slices[i].first;
  for (size_t i = 0; i < s->num_slices; ++i) {
    slice *cut = &s->slices[i];
    if (cut->size * gap_of_slices < largest &&
        are_enough(q, s->value, read - count) &&
        s->num_parts + 1 < MOST_PARTS) {
      end_part(s, count);
      largest = cut->size;
    }
    cut->part = s->num_parts;
    add_channels(s, &count, cut);
  }
  end_part(s, count);
}

// Whether one of a small part goes to the CPU, where its numbers count as they
// are. Layers on the DPU have factors for channels.
static bool gains(const xc_quantizer *q, const split *s) {
  for (size_t i = 0; i < s->num_slices; ++i) {
    const xc_quantize_value *value =
        xc_quantize_value_of(q, xc_op_result(s->slices[i].op.operation));
    if (s->slices[i].part > 0 && value && value->is_moved_out)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

// Returns the entries of a constant, whose first dimension is that of the
// channels, for those of a part.
static MlirValue pick(const split *s, const xc_builder *builder, size_t slot,
                      size_t part) {
  int64_t first = s->first[part], count = s->first[part + 1] - first;
  xc_shape shape = xc_operand_shape(&s->op, slot);
  size_t size =
      (size_t)(xc_shape_num_elements(&shape) / shape.dims[0]) * sizeof(float);
  float *all = xc_filter_read(&s->op, slot);
  if (!all) {
    xc_op_error(xc_constant_of(xc_operand(&s->op, slot)),
                "has no content to quantise");
    return (MlirValue){NULL};
  }
  char *own = xc_alloc((size_t)count * size);
  for (int64_t i = 0; i < count; ++i)
    memcpy(own + (size_t)i * size,
           (const char *)all + (size_t)s->order[first + i] * size, size);
  shape.dims[0] = count;
  MlirValue made = xc_build_const_bytes(builder, own, &shape);
  free(own);
  free(all);
  return made;
}

static MlirValue build_part(const split *s, const xc_builder *builder,
                            size_t part) {
  MlirValue operands[3] = {xc_operand(&s->op, XC_FILTER_INPUT),
                           pick(s, builder, XC_FILTER_WEIGHTS, part)};
  size_t num_operands = 2;
  if (xc_has_operand(&s->op, XC_FILTER_BIAS))
    operands[num_operands++] = pick(s, builder, XC_FILTER_BIAS, part);
  for (size_t i = 1; i < num_operands; ++i)
    if (mlirValueIsNull(operands[i]))
      return (MlirValue){NULL};
  xc_attribute_list like = {.count = 0};
  xc_attributes_take(&like, s->op.operation, XC_TIR_CONV2D);
  return xc_build(builder, XC_TIR_CONV2D, operands, num_operands, like.items,
                  like.count, XC_ELEMENT_F32);
}

// Where channels have the places that they had.
static MlirValue put_back(const split *s, const xc_builder *builder,
                          MlirValue joined) {
  const int64_t channels = s->value->channels;
  const xc_shape shape = {XC_ELEMENT_I32, 1, {channels}, false};
  int32_t *places = xc_alloc_array((size_t)channels, sizeof(*places));
  bool moved = false;
  for (int64_t i = 0; i < channels; ++i) {
    places[s->order[i]] = (int32_t)i;
    moved |= s->order[i] != i;
  }
  const xc_attribute axis = xc_int("axis", 3);
  MlirValue operands[] = {joined, joined};
  if (moved)
    operands[1] = xc_build_const_bytes(builder, places, &shape);
  free(places);
  if (!moved || mlirValueIsNull(operands[1]))
    return operands[1];
  return xc_build(builder, XC_TIR_GATHER, operands, 2, &axis, 1,
                  XC_ELEMENT_F32);
}

static MlirValue build_joined(const split *s, const xc_builder *builder,
                              const MlirValue *parts) {
  const xc_attribute axis = xc_int("axis", 3);
  MlirValue joined = xc_build(builder, XC_TIR_CONCAT, parts, s->num_parts,
                              &axis, 1, XC_ELEMENT_F32);
  return mlirValueIsNull(joined) ? joined : put_back(s, builder, joined);
}

// The channels of a slice follow each other in its part as well.
static bool move_slice(const split *s, const slice *cut,
                       const MlirValue *parts) {
  int64_t begin[XC_MAX_INTS] = {0}, end[XC_MAX_INTS] = {0};
  int64_t place = s->first[cut->part];
  while (s->order[place] != cut->first)
    ++place;
  xc_shape result = xc_result_shape(&cut->op);
  for (int i = 0; i < 4; ++i)
    end[i] = result.dims[i];
  begin[3] = place - s->first[cut->part];
  end[3] += begin[3];
  xc_attribute_list like = {.count = 0};
  xc_attributes_take(&like, cut->op.operation, XC_TIR_STRIDED_SLICE);
  xc_attributes_drop(&like, "begin");
  xc_attributes_drop(&like, "end");
  xc_attributes_add(&like, xc_ints("begin", begin, 4));
  xc_attributes_add(&like, xc_ints("end", end, 4));
  const xc_builder builder = xc_builder_before(cut->op.operation);
  MlirValue made = xc_build(&builder, XC_TIR_STRIDED_SLICE, &parts[cut->part],
                            1, like.items, like.count, XC_ELEMENT_F32);
  if (mlirValueIsNull(made))
    return false;
  mlirValueReplaceAllUsesOfWith(xc_op_result(cut->op.operation), made);
  mlirOperationDestroy(cut->op.operation);
  return true;
}

static bool replace(const split *s) {
  const xc_builder builder = xc_builder_before(s->op.operation);
  MlirValue parts[MOST_PARTS];
  for (size_t i = 0; i < s->num_parts; ++i) {
    parts[i] = build_part(s, &builder, i);
    if (mlirValueIsNull(parts[i]))
      return false;
  }
  if (s->num_slices == 0) {
    MlirValue result = build_joined(s, &builder, parts);
    if (mlirValueIsNull(result))
      return false;
    mlirValueReplaceAllUsesOfWith(s->value->original, result);
  }
  for (size_t i = 0; i < s->num_slices; ++i)
    if (!move_slice(s, &s->slices[i], parts))
      return false;
  mlirOperationDestroy(s->op.operation);
  return true;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// Reads a convolution whose filters are known and may be told from each other.
static bool read_layer(const xc_quantizer *q, const xc_quantize_value *value,
                       xc_adaptor *op) {
  if (!value->is_float || value->channels == 0 ||
      !mlirValueIsAOpResult(value->original))
    return false;
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  return value->shape.element == XC_ELEMENT_F32 && xc_adaptor_of(writer, op) &&
         op->info->kind == XC_TIR_CONV2D &&
         xc_attr_int(op, XC_ATTR_GROUP) == 1 &&
         !mlirOperationIsNull(
             xc_constant_of(xc_operand(op, XC_FILTER_WEIGHTS))) &&
         (!xc_has_operand(op, XC_FILTER_BIAS) ||
          !mlirOperationIsNull(
              xc_constant_of(xc_operand(op, XC_FILTER_BIAS)))) &&
         !xc_quantize_is_kept(q, writer);
}

// Whether channels are of parts that are worth a layer of their own.
static bool divide(const xc_quantizer *q, split *s) {
  if (find_slices(q, s)) {
    find_slice_parts(q, s);
    return s->num_parts > 1 && gains(q, s);
  }
  s->num_slices = 0;
  if (!s->value->is_result)
    return false;
  find_parts(q, s);
  return s->num_parts > 1;
}

bool xc_quantize_split_results(xc_quantizer *q, bool *changed) {
  bool ok = true;
  xc_quantize_find_moved_out(q);
  // Slices are replaced, which come after what they read.
  for (size_t i = q->num_values; ok && i-- > 0;) {
    split s = {.value = &q->values[i]};
    if (!read_layer(q, s.value, &s.op))
      continue;
    s.order = xc_alloc_array((size_t)s.value->channels, sizeof(*s.order));
    if (divide(q, &s)) {
      *changed = true;
      ok = replace(&s);
    }
    free(s.order);
  }
  return ok;
}
