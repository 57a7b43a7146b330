//===- OpsShape.c - operators that move, join and cut ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "dialects/Shape.h"

#include <inttypes.h>
#include <string.h>

static bool input_shape(xc_tflite_context *c, size_t index, MlirValue *value,
                        xc_shape *shape) {
  *value = xc_tflite_value(c, index);
  if (mlirValueIsNull(*value))
    return false;
  *shape = xc_value_shape(*value);
  return true;
}

static bool check_count(xc_tflite_context *c, size_t index, size_t count,
                        size_t expected) {
  if (count == expected)
    return true;
  return xc_tflite_error(c, "input %zu '%s' has %zu entries, expected %zu",
                         index, xc_tflite_input(c, index)->name, count,
                         expected);
}

static bool check_axis(xc_tflite_context *c, int64_t value, size_t rank,
                       size_t *axis) {
  int64_t size = (int64_t)rank;
  *axis = 0;
  if (value < -size || value >= size)
    return xc_tflite_error(
        c, "has axis %" PRId64 ", expected %" PRId64 " to %" PRId64, value,
        -size, size - 1);
  *axis = (size_t)(value < 0 ? value + size : value);
  return true;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

// Reads the shape that the file gives the result, for a target shape that is
// computed in a way that Fold.c does not follow.
static bool read_result_shape(const xc_tflite_context *c,
                              int64_t dims[XC_MAX_RANK], size_t *rank) {
  const xc_tflite_tensor *output = xc_tflite_output(c, 0);
  *rank = output->rank;
  for (size_t i = 0; i < output->rank; ++i) {
    dims[i] = output->dims[i];
    if (dims[i] < 1 ||
        (i < output->signature_rank && output->signature[i] == -1))
      return false;
  }
  return !c->importer->reshaped && output->rank > 0;
}

// Reads the target shape: the second input, or the options of old files.
static bool read_new_shape(xc_tflite_context *c, int64_t dims[XC_MAX_RANK],
                           size_t *rank) {
  if (xc_tflite_has_input(c, 1)) {
    bool computed = !xc_tflite_input(c, 1)->data;
    return (computed && read_result_shape(c, dims, rank)) ||
           xc_tflite_ints(c, 1, dims, XC_MAX_RANK, rank);
  }
  xc_flatbuffer *buffer = &c->importer->buffer;
  xc_fb_vector shape =
      xc_fb_vector_of(buffer, &c->operator->options,
                      xc_tflite_field(XC_TFL_ReshapeOptions_new_shape));
  if (shape.count > XC_MAX_RANK)
    return xc_tflite_error(c, "asks for rank %zu, expected at most %d",
                           shape.count, XC_MAX_RANK);
  *rank = shape.count;
  for (size_t i = 0; i < shape.count; ++i)
    dims[i] = xc_fb_vector_int(buffer, &shape, i);
  return !buffer->failed;
}

// A file with a fixed batch says so in its reshapes too; under another batch
// their first dimension follows.
static void follow_batch(const xc_tflite_context *c, const xc_shape *input,
                         int64_t *dims, size_t rank) {
  int64_t total = 1;
  for (size_t i = 1; i < rank; ++i) {
    if (dims[i] < 1 || dims[i] > INT32_MAX || total > INT32_MAX)
      return;
    total *= dims[i];
  }
  int64_t elements = xc_shape_num_elements(input);
  if (c->importer->reshaped && rank > 0 && dims[0] > 0 && elements % total == 0)
    dims[0] = elements / total;
}

bool xc_tflite_import_reshape(xc_tflite_context *c) {
  int64_t dims[XC_MAX_RANK];
  size_t rank;
  MlirValue input;
  xc_shape shape;
  if (!input_shape(c, 0, &input, &shape) || !read_new_shape(c, dims, &rank))
    return false;
  follow_batch(c, &shape, dims, rank);
  return xc_tflite_set(c, 0, xc_tflite_reshape(c, NULL, input, dims, rank));
}

bool xc_tflite_squeeze(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input;
  xc_shape shape;
  if (!input_shape(c, 0, &input, &shape))
    return false;
  xc_flatbuffer *buffer = &c->importer->buffer;
  xc_fb_vector axes =
      xc_fb_vector_of(buffer, &c->operator->options,
                      xc_tflite_field(XC_TFL_SqueezeOptions_squeeze_dims));
  int64_t dims[XC_MAX_RANK];
  size_t count = 0;
  if (axes.count > XC_MAX_RANK)
    return xc_tflite_error(c, "squeezes %zu dimensions, expected at most %d",
                           axes.count, XC_MAX_RANK);
  for (; count < axes.count; ++count)
    dims[count] = xc_fb_vector_int(buffer, &axes, count);
  // None given: all that have size 1.
  for (size_t i = 0; axes.count == 0 && i < shape.rank; ++i)
    if (shape.dims[i] == 1)
      dims[count++] = (int64_t)i;
  xc_tflite_add(&attributes, xc_ints("axis", dims, count));
  return !buffer->failed &&
         xc_tflite_finish(c, XC_TIR_SQUEEZE, &input, 1, &attributes);
}

bool xc_tflite_expand_dims(xc_tflite_context *c) {
  MlirValue input;
  xc_shape shape;
  int64_t value, dims[XC_MAX_RANK];
  size_t axis;
  if (!input_shape(c, 0, &input, &shape) || !xc_tflite_scalar(c, 1, &value) ||
      !check_axis(c, value, shape.rank + 1, &axis))
    return false;
  if (shape.rank == XC_MAX_RANK)
    return xc_tflite_error(c, "result has rank %d, expected at most %d",
                           XC_MAX_RANK + 1, XC_MAX_RANK);
  for (size_t i = 0; i <= shape.rank; ++i)
    dims[i] = i == axis ? 1 : shape.dims[i - (i > axis)];
  return xc_tflite_set(c, 0,
                       xc_tflite_reshape(c, NULL, input, dims, shape.rank + 1));
}

bool xc_tflite_transpose(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input;
  xc_shape shape;
  int64_t order[XC_MAX_RANK];
  size_t count;
  if (!input_shape(c, 0, &input, &shape) ||
      !xc_tflite_ints(c, 1, order, XC_MAX_RANK, &count) ||
      !check_count(c, 1, count, shape.rank))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (order[i] < 0)
      order[i] += (int64_t)count;
  xc_tflite_add(&attributes, xc_ints("order", order, count));
  return xc_tflite_finish(c, XC_TIR_TRANSPOSE, &input, 1, &attributes);
}

bool xc_tflite_broadcast(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input;
  xc_shape shape;
  int64_t dims[XC_MAX_RANK];
  size_t count;
  if (!input_shape(c, 0, &input, &shape) ||
      !xc_tflite_ints(c, 1, dims, XC_MAX_RANK, &count))
    return false;
  xc_tflite_add(&attributes, xc_ints("shape", dims, count));
  return xc_tflite_finish(c, XC_TIR_EXPAND, &input, 1, &attributes);
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

enum { MOST_JOINED = 16 };

/// Properties that all operands of a concat share.
typedef struct joined {
  bool quantized;
  int64_t axis;
  xc_tflite_quant output;
} joined;

// Joins up to 16 values with the scales of the same positions.
static MlirValue join(xc_tflite_context *c, const joined *j, const char *part,
                      const MlirValue *values, const xc_tflite_quant *quants,
                      size_t count) {
  xc_tflite_attributes attributes = {.count = 0};
  float scales[MOST_JOINED];
  int64_t points[MOST_JOINED];
  xc_tflite_add(&attributes, xc_int("axis", j->axis));
  if (!j->quantized)
    return xc_tflite_build(c, part, XC_TIR_CONCAT, values, count, &attributes,
                           XC_ELEMENT_NONE);
  for (size_t i = 0; i < count; ++i) {
    scales[i] = quants[i].scale;
    points[i] = quants[i].zero_point;
  }
  xc_tflite_add(&attributes, xc_floats("input_scale", scales, count));
  xc_tflite_add(&attributes, xc_ints("input_zero_point", points, count));
  xc_tflite_add(&attributes, xc_float("output_scale", (double)j->output.scale));
  xc_tflite_add(&attributes, xc_int("output_zero_point", j->output.zero_point));
  xc_tflite_add_flavor(&attributes);
  return xc_tflite_build(c, part, XC_TIR_QLINEAR_CONCAT, values, count,
                         &attributes, XC_ELEMENT_NONE);
}

// An operator takes 16 values; more are joined in rounds. A group in between
// already has the output's scale.
static MlirValue join_all(xc_tflite_context *c, const joined *j,
                          MlirValue *values, xc_tflite_quant *quants,
                          size_t count) {
  for (size_t round = 0; count > MOST_JOINED; ++round) {
    size_t groups = 0;
    for (size_t i = 0; i < count; i += MOST_JOINED, ++groups) {
      size_t size = count - i < MOST_JOINED ? count - i : MOST_JOINED;
      xc_text part = {0};
      xc_text_printf(&part, "concat%zu_%zu", round, groups);
      values[groups] =
          join(c, j, xc_text_str(&part), values + i, quants + i, size);
      xc_text_free(&part);
      if (mlirValueIsNull(values[groups]))
        return values[groups];
      quants[groups] = j->output;
    }
    count = groups;
  }
  return join(c, j, NULL, values, quants, count);
}

bool xc_tflite_concat(xc_tflite_context *c) {
  size_t count = c->operator->num_inputs;
  xc_arena *arena = &c->importer->graph.arena;
  MlirValue *values = xc_arena_alloc(arena, count, sizeof(*values));
  xc_tflite_quant *quants = xc_arena_alloc(arena, count, sizeof(*quants));
  joined j = {.axis = xc_tflite_option(c, XC_TFL_ConcatenationOptions_axis)};
  xc_tflite_activation activation;
  for (size_t i = 0; i < count; ++i) {
    if (!xc_tflite_has_input(c, i))
      return xc_tflite_error(c, "input %zu is absent", i);
    values[i] = xc_tflite_value(c, i);
    if (mlirValueIsNull(values[i]))
      return false;
  }
  j.quantized = xc_tflite_is_quantized(xc_tflite_input(c, 0));
  if (!xc_tflite_activation_option(c, XC_TFL_ConcatenationOptions_activation,
                                   !j.quantized, &activation))
    return false;
  if (j.quantized && activation != XC_TFL_ACTIVATION_NONE)
    return xc_tflite_error(c, "has a fused activation on quantized tensors, "
                              "which xc cannot import");
  for (size_t i = 0; j.quantized && i < count; ++i)
    if (!xc_tflite_quant_of(c, xc_tflite_input(c, i), &quants[i]))
      return false;
  if (j.quantized && !xc_tflite_quant_of(c, xc_tflite_output(c, 0), &j.output))
    return false;
  MlirValue value = join_all(c, &j, values, quants, count);
  return !mlirValueIsNull(value) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, value, activation));
}

bool xc_tflite_pack(xc_tflite_context *c) {
  size_t count = c->operator->num_inputs;
  MlirValue values[MOST_JOINED];
  xc_tflite_attributes attributes = {.count = 0};
  if (count > MOST_JOINED)
    return xc_tflite_error(c, "has %zu inputs, expected at most %d", count,
                           MOST_JOINED);
  for (size_t i = 0; i < count; ++i) {
    if (!xc_tflite_has_input(c, i))
      return xc_tflite_error(c, "input %zu is absent", i);
    values[i] = xc_tflite_value(c, i);
    if (mlirValueIsNull(values[i]))
      return false;
  }
  xc_tflite_add(&attributes,
                xc_int("axis", xc_tflite_option(c, XC_TFL_PackOptions_axis)));
  return xc_tflite_finish(c, XC_TIR_STACK, values, count, &attributes);
}

// Each index picks from the batch that it stands in.
static bool gather_batches(xc_tflite_context *c, const MlirValue values[2],
                           int64_t given) {
  xc_graph *graph = &c->importer->graph;
  size_t batch, axis;
  xc_shape input = xc_value_shape(values[0]), at = xc_value_shape(values[1]);
  if (at.rank == XC_MAX_RANK ||
      !xc_graph_axis(graph, given, at.rank + (given >= 0), &batch) ||
      !xc_graph_axis(graph, xc_tflite_option(c, XC_TFL_GatherOptions_axis),
                     input.rank, &axis))
    return false;
  if (axis != batch)
    return xc_tflite_error(c,
                           "picks along dimension %zu in batches of %zu "
                           "dimensions, expected the one after them",
                           axis, batch);
  at.dims[at.rank] = 1;
  MlirValue indices =
      xc_graph_emit_reshape(graph, values[1], at.dims, at.rank + 1);
  return xc_tflite_set(
      c, 0, xc_graph_emit_gather_nd(graph, values[0], indices, batch));
}

bool xc_tflite_gather(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  const MlirValue values[] = {xc_tflite_value(c, 0), xc_tflite_value(c, 1)};
  int64_t batch_dims = xc_tflite_option(c, XC_TFL_GatherOptions_batch_dims);
  if (mlirValueIsNull(values[0]) || mlirValueIsNull(values[1]))
    return false;
  if (batch_dims != 0)
    return gather_batches(c, values, batch_dims);
  xc_tflite_add(&attributes,
                xc_int("axis", xc_tflite_option(c, XC_TFL_GatherOptions_axis)));
  return xc_tflite_finish(c, XC_TIR_GATHER, values, 2, &attributes);
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

static MlirValue build_slice(xc_tflite_context *c, const char *part,
                             MlirValue input, size_t rank, const int64_t *begin,
                             const int64_t *end, const int64_t *strides) {
  const xc_attribute attributes[] = {xc_ints("begin", begin, rank),
                                     xc_ints("end", end, rank),
                                     xc_ints("strides", strides, rank)};
  return xc_graph_emit(&c->importer->graph, part, XC_TIR_STRIDED_SLICE, &input,
                       1, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Returns the entries from `from` to `to` along one axis.
static MlirValue cut(xc_tflite_context *c, const char *part, MlirValue input,
                     size_t axis, int64_t from, int64_t to) {
  xc_shape shape = xc_value_shape(input);
  int64_t begin[XC_MAX_RANK] = {0}, strides[XC_MAX_RANK];
  begin[axis] = from;
  shape.dims[axis] = to;
  for (size_t i = 0; i < shape.rank; ++i)
    strides[i] = 1;
  return build_slice(c, part, input, shape.rank, begin, shape.dims, strides);
}

// Sizes of the parts: equal ones, or the second input with at most one -1.
static bool read_parts(xc_tflite_context *c, int64_t size, int64_t *parts) {
  size_t outputs = c->operator->num_outputs, count;
  if (c->operator->code == XC_TFL_SPLIT) {
    if (size % (int64_t)outputs != 0)
      return xc_tflite_error(c,
                             "splits %" PRId64 " entries into %zu parts, "
                             "expected a divisor",
                             size, outputs);
    for (size_t i = 0; i < outputs; ++i)
      parts[i] = size / (int64_t)outputs;
    return true;
  }
  if (!xc_tflite_ints(c, 1, parts, outputs, &count) ||
      !check_count(c, 1, count, outputs))
    return false;
  int64_t known = 0;
  size_t open = outputs;
  for (size_t i = 0; i < outputs; ++i) {
    if (parts[i] == -1 && open == outputs)
      open = i;
    else if (parts[i] < 1 || parts[i] > size - known)
      return xc_tflite_error(
          c, "has part %zu of size %" PRId64 " of %" PRId64 " entries", i,
          parts[i], size);
    else
      known += parts[i];
  }
  if (open < outputs)
    parts[open] = size - known;
  else if (known != size)
    return xc_tflite_error(
        c, "has parts of %" PRId64 " entries, expected %" PRId64, known, size);
  return true;
}

bool xc_tflite_split(xc_tflite_context *c) {
  bool even = c->operator->code == XC_TFL_SPLIT;
  size_t outputs = c->operator->num_outputs, axis;
  MlirValue input;
  xc_shape shape;
  int64_t value, from = 0;
  if (!input_shape(c, even ? 1 : 0, &input, &shape) ||
      !xc_tflite_scalar(c, even ? 0 : 2, &value) ||
      !check_axis(c, value, shape.rank, &axis))
    return false;
  int64_t *parts =
      xc_arena_alloc(&c->importer->graph.arena, outputs, sizeof(*parts));
  if (!read_parts(c, shape.dims[axis], parts))
    return false;
  for (size_t i = 0; i < outputs; ++i) {
    int64_t to = from + parts[i];
    xc_tflite_select_output(c, i);
    if (!xc_tflite_set(c, i, cut(c, NULL, input, axis, from, to)))
      return false;
    from = to;
  }
  return true;
}

bool xc_tflite_unpack(xc_tflite_context *c) {
  size_t outputs = c->operator->num_outputs, axis;
  MlirValue input;
  xc_shape shape;
  if (!input_shape(c, 0, &input, &shape) ||
      !check_axis(c, xc_tflite_option(c, XC_TFL_PackOptions_axis), shape.rank,
                  &axis))
    return false;
  if (shape.dims[axis] != (int64_t)outputs)
    return xc_tflite_error(c, "has %zu outputs, expected %" PRId64, outputs,
                           shape.dims[axis]);
  const int64_t axes[] = {(int64_t)axis};
  for (size_t i = 0; i < outputs; ++i) {
    xc_tflite_select_output(c, i);
    MlirValue one = cut(c, "slice", input, axis, (int64_t)i, (int64_t)i + 1);
    if (mlirValueIsNull(one))
      return false;
    xc_tflite_attributes attributes = {.count = 0};
    xc_tflite_add(&attributes, xc_ints("axis", axes, 1));
    if (!xc_tflite_set(c, i,
                       xc_tflite_build(c, NULL, XC_TIR_SQUEEZE, &one, 1,
                                       &attributes, XC_ELEMENT_NONE)))
      return false;
  }
  return true;
}

bool xc_tflite_import_slice(xc_tflite_context *c) {
  MlirValue input;
  xc_shape shape;
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], strides[XC_MAX_RANK];
  size_t num_begins, num_sizes;
  if (!input_shape(c, 0, &input, &shape) ||
      !xc_tflite_ints(c, 1, begin, XC_MAX_RANK, &num_begins) ||
      !xc_tflite_ints(c, 2, end, XC_MAX_RANK, &num_sizes) ||
      !check_count(c, 1, num_begins, shape.rank) ||
      !check_count(c, 2, num_sizes, shape.rank))
    return false;
  for (size_t i = 0; i < shape.rank; ++i) {
    int64_t size = shape.dims[i];
    if (begin[i] < 0 || begin[i] > size || end[i] < -1 ||
        end[i] > size - begin[i])
      return xc_tflite_error(c,
                             "takes %" PRId64 " entries from %" PRId64
                             " on in dimension %zu of size %" PRId64,
                             end[i], begin[i], i, size);
    end[i] = end[i] == -1 ? size : begin[i] + end[i];
    strides[i] = 1;
  }
  return xc_tflite_set(
      c, 0, build_slice(c, NULL, input, shape.rank, begin, end, strides));
}

//===----------------------------------------------------------------------===//
// STRIDED_SLICE
//===----------------------------------------------------------------------===//

/// Operands and masks as the file has them.
typedef struct slice_spec {
  int64_t begin[2 * XC_MAX_RANK], end[2 * XC_MAX_RANK];
  int64_t strides[2 * XC_MAX_RANK];
  size_t count;
  int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask;
  bool offset;
} slice_spec;

static bool bit(int64_t mask, size_t index) { return mask >> index & 1; }

static bool read_spec(xc_tflite_context *c, slice_spec *s) {
  enum { MOST = 2 * XC_MAX_RANK };
  size_t ends, strides;
  if (!xc_tflite_ints(c, 1, s->begin, MOST, &s->count) ||
      !xc_tflite_ints(c, 2, s->end, MOST, &ends) ||
      !xc_tflite_ints(c, 3, s->strides, MOST, &strides) ||
      !check_count(c, 2, ends, s->count) ||
      !check_count(c, 3, strides, s->count))
    return false;
  s->begin_mask = xc_tflite_option(c, XC_TFL_StridedSliceOptions_begin_mask);
  s->end_mask = xc_tflite_option(c, XC_TFL_StridedSliceOptions_end_mask);
  s->ellipsis_mask =
      xc_tflite_option(c, XC_TFL_StridedSliceOptions_ellipsis_mask);
  s->new_axis_mask =
      xc_tflite_option(c, XC_TFL_StridedSliceOptions_new_axis_mask);
  s->shrink_mask =
      xc_tflite_option(c, XC_TFL_StridedSliceOptions_shrink_axis_mask);
  s->offset = xc_tflite_option(c, XC_TFL_StridedSliceOptions_offset) != 0;
  return true;
}

static bool push_dim(xc_tflite_context *c, xc_tflite_slice *slice,
                     int64_t size) {
  if (slice->rank == XC_MAX_RANK)
    return xc_tflite_error(c, "result has more than %d dimensions",
                           XC_MAX_RANK);
  slice->shape[slice->rank++] = size;
  return true;
}

static int64_t clamp_index(int64_t value) {
  return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value;
}

// Entry `i` of the spec for dimension `dim` of `size` elements.
static bool read_entry(xc_tflite_context *c, const slice_spec *s, size_t i,
                       size_t dim, int64_t size, xc_tflite_slice *slice) {
  int64_t begin = clamp_index(s->begin[i]), stride = clamp_index(s->strides[i]);
  int64_t end = clamp_index(s->end[i]);
  if (s->offset)
    end = clamp_index(begin + end);
  if (stride == 0)
    return xc_tflite_error(c, "has stride 0 in entry %zu", i);
  if (bit(s->shrink_mask, i)) {
    int64_t at = begin < 0 ? begin + size : begin;
    if (bit(s->begin_mask, i))
      at = stride > 0 ? 0 : size - 1;
    if (at < 0 || at >= size)
      return xc_tflite_error(c,
                             "has index %" PRId64 " in entry %zu, but the "
                             "dimension has size %" PRId64,
                             begin, i, size);
    slice->begin[dim] = at;
    slice->end[dim] = at + 1;
    slice->strides[dim] = 1;
    slice->reshape = true;
    return true;
  }
  int64_t first = bit(s->begin_mask, i) ? (stride > 0 ? 0 : size - 1)
                                        : xc_slice_begin(begin, stride, size);
  int64_t last = bit(s->end_mask, i) ? (stride > 0 ? size : -1)
                                     : xc_slice_end(end, stride, size);
  int64_t distance = stride > 0 ? last - first : first - last;
  int64_t step = stride > 0 ? stride : -stride;
  if (distance < 1)
    return xc_tflite_error(c, "takes nothing of dimension %zu", dim);
  slice->begin[dim] = first;
  slice->end[dim] = last == -1 ? INT32_MIN : last;
  slice->strides[dim] = stride;
  return push_dim(c, slice, (distance + step - 1) / step);
}

static bool whole_dim(xc_tflite_context *c, size_t dim, int64_t size,
                      xc_tflite_slice *slice) {
  slice->begin[dim] = 0;
  slice->end[dim] = size;
  slice->strides[dim] = 1;
  return push_dim(c, slice, size);
}

bool xc_tflite_read_slice(xc_tflite_context *c, const int64_t *dims,
                          size_t rank, xc_tflite_slice *slice) {
  slice_spec s;
  if (!read_spec(c, &s))
    return false;
  *slice = (xc_tflite_slice){.rank = 0};
  size_t used = 0, dim = 0;
  for (size_t i = 0; i < s.count; ++i)
    used += !bit(s.new_axis_mask, i) && !bit(s.ellipsis_mask, i);
  if (used > rank)
    return xc_tflite_error(c, "slices %zu dimensions, but the input has %zu",
                           used, rank);
  size_t spare = rank - used; // what the ellipsis, or the end, stands for
  for (size_t i = 0; i < s.count; ++i) {
    if (bit(s.ellipsis_mask, i)) {
      for (; spare > 0; --spare, ++dim)
        if (!whole_dim(c, dim, dims[dim], slice))
          return false;
    } else if (bit(s.new_axis_mask, i)) {
      slice->reshape = true;
      if (!push_dim(c, slice, 1))
        return false;
    } else if (read_entry(c, &s, i, dim, dims[dim], slice)) {
      ++dim;
    } else {
      return false;
    }
  }
  for (; dim < rank; ++dim)
    if (!whole_dim(c, dim, dims[dim], slice))
      return false;
  return true;
}

bool xc_tflite_strided_slice(xc_tflite_context *c) {
  MlirValue input;
  xc_shape shape;
  xc_tflite_slice slice;
  if (!input_shape(c, 0, &input, &shape) ||
      !xc_tflite_read_slice(c, shape.dims, shape.rank, &slice))
    return false;
  MlirValue value =
      build_slice(c, slice.reshape ? "slice" : NULL, input, shape.rank,
                  slice.begin, slice.end, slice.strides);
  if (slice.reshape && !mlirValueIsNull(value))
    value = xc_tflite_reshape(c, NULL, value, slice.shape, slice.rank);
  return xc_tflite_set(c, 0, value);
}
