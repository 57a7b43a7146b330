//===- OpsDetect.c - operators on indices and ranks -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlexBuffer.h"
#include "Importer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const MlirValue none = {NULL};

bool xc_tflite_gather_nd(xc_tflite_context *c) {
  return xc_tflite_set(c, 0,
                       xc_graph_emit_gather_nd(&c->importer->graph,
                                               xc_tflite_value(c, 0),
                                               xc_tflite_value(c, 1), 0));
}

bool xc_tflite_tile(xc_tflite_context *c) {
  int64_t repeats[XC_MAX_RANK];
  size_t count;
  MlirValue input = xc_tflite_value(c, 0);
  if (mlirValueIsNull(input) ||
      !xc_tflite_ints(c, 1, repeats, XC_MAX_RANK, &count))
    return false;
  if (count != xc_value_shape(input).rank)
    return xc_tflite_error(c, "has %zu repeats, expected %zu", count,
                           xc_value_shape(input).rank);
  return xc_tflite_set(c, 0,
                       xc_graph_emit_tile(&c->importer->graph, input, repeats));
}

bool xc_tflite_topk(xc_tflite_context *c) {
  int64_t k;
  MlirValue input = xc_tflite_value(c, 0);
  if (mlirValueIsNull(input) || !xc_tflite_scalar(c, 1, &k))
    return false;
  size_t rank = xc_value_shape(input).rank;
  if (rank == 0)
    return xc_tflite_error(c, "has an input without dimensions");
  const xc_attribute attributes[] = {xc_int("k", k), xc_int("axis", -1)};
  xc_graph *graph = &c->importer->graph;
  xc_tflite_select_output(c, 1);
  MlirValue indices =
      xc_graph_emit(graph, NULL, XC_TIR_TOPK, &input, 1,
                    XC_ATTRIBUTES(attributes), xc_tflite_output(c, 1)->element);
  if (!xc_tflite_set(c, 1, indices))
    return false;
  xc_tflite_select_output(c, 0);
  return xc_tflite_set(
      c, 0, xc_graph_emit_gather_elements(graph, input, indices, rank - 1));
}

//===----------------------------------------------------------------------===//
// Non-maximum suppression
//===----------------------------------------------------------------------===//

// "Not below" as "above" the next number.
static double just_below(float threshold) {
  return (double)nextafterf(threshold, -INFINITY);
}

static bool known_float(xc_tflite_context *c, size_t index, float *number) {
  const xc_graph_value *value = xc_tflite_known(c, index);
  if (!value || value->shape.element != XC_ELEMENT_F32 ||
      xc_shape_num_elements(&value->shape) != 1)
    return xc_tflite_error(c, "input %zu '%s' must be a constant number", index,
                           xc_tflite_input(c, index)->name);
  *number = (float)xc_graph_load(value, 0).real;
  return true;
}

// Column 2 of the rows of a tir.nms: the boxes, -1 for none.
static MlirValue emit_boxes(xc_graph *graph, MlirValue rows) {
  if (mlirValueIsNull(rows))
    return rows;
  int64_t count = xc_value_shape(rows).dims[0];
  const int64_t begin[] = {0, 2}, end[] = {count, 3}, step[] = {1, 1};
  const xc_attribute attributes[] = {xc_ints("begin", begin, 2),
                                     xc_ints("end", end, 2),
                                     xc_ints("strides", step, 2)};
  MlirValue column =
      xc_graph_emit(graph, "boxes", XC_TIR_STRIDED_SLICE, &rows, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_emit_reshape(graph, column, &count, 1);
}

// Zeros after the entries of dimension 0, up to `size`.
static MlirValue emit_padded(xc_graph *graph, MlirValue value, int64_t size) {
  int64_t paddings[2 * XC_MAX_RANK] = {0};
  if (mlirValueIsNull(value))
    return value;
  xc_shape shape = xc_value_shape(value);
  if (shape.dims[0] >= size)
    return value;
  paddings[1] = size - shape.dims[0];
  const xc_attribute attributes[] = {
      xc_ints("paddings", paddings, 2 * shape.rank)};
  return xc_graph_emit(graph, "pad", XC_TIR_PAD, &value, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Returns the number of entries that are there, as that type.
static MlirValue emit_count(xc_graph *graph, MlirValue is_there,
                            xc_element element) {
  const int64_t axis = 0;
  MlirValue ones = xc_graph_emit_cast(graph, "ones", is_there, element);
  return xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_SUM, ones, &axis, 1,
                                 false);
}

/// The inputs of NON_MAX_SUPPRESSION_V4 and _V5.
typedef struct nms_inputs {
  MlirValue boxes, scores; // [1, n, 4] and [1, 1, n]
  MlirValue list;          // the scores as they came
  int64_t most;
  xc_graph_nms nms;
} nms_inputs;

static bool read_nms(xc_tflite_context *c, nms_inputs *in) {
  enum { SIGMA = 5 };
  xc_graph *graph = &c->importer->graph;
  MlirValue boxes = xc_tflite_value(c, 0);
  in->list = xc_tflite_value(c, 1);
  float overlap = 0, score = 0, sigma = 0;
  if (mlirValueIsNull(boxes) || mlirValueIsNull(in->list) ||
      !xc_tflite_scalar(c, 2, &in->most) || !known_float(c, 3, &overlap) ||
      !known_float(c, 4, &score) ||
      (c->operator->num_inputs > SIGMA && !known_float(c, SIGMA, &sigma)))
    return false;
  if (sigma > 0)
    return xc_tflite_error(c,
                           "has a sigma of %g: xc suppresses boxes and does "
                           "not lower their scores",
                           (double)sigma);
  xc_shape shape = xc_value_shape(boxes);
  if (shape.rank != 2 || shape.dims[1] != 4 || in->most < 0 ||
      in->most > INT32_MAX || xc_value_shape(in->list).rank != 1)
    return xc_tflite_error(c, "has boxes or scores of another shape");
  const int64_t box_dims[] = {1, shape.dims[0], 4};
  const int64_t score_dims[] = {1, 1, shape.dims[0]};
  in->boxes = xc_graph_emit_reshape(graph, boxes, box_dims, 3);
  in->scores = xc_graph_emit_reshape(graph, in->list, score_dims, 3);
  in->nms = (xc_graph_nms){.max_boxes = in->most,
                           .iou_threshold = just_below(overlap),
                           .score_threshold = (double)score};
  return true;
}

// The last output is the number of boxes; V5 has the scores before it. What
// lies beyond is 0.
bool xc_tflite_nms(xc_tflite_context *c) {
  enum { WITH_SCORES = 3 };
  nms_inputs in = {.most = 0};
  xc_graph *graph = &c->importer->graph;
  if (!read_nms(c, &in))
    return false;
  MlirValue boxes =
      emit_boxes(graph, xc_graph_emit_nms(graph, in.boxes, in.scores, &in.nms,
                                          XC_ELEMENT_I32));
  MlirValue is_there = xc_graph_emit_compare_with(graph, "GE", boxes, 0);
  MlirValue safe = xc_graph_emit_with(graph, "safe", XC_TIR_MAX, boxes, 0);
  if (!xc_tflite_set(c, 0, emit_padded(graph, safe, in.most)))
    return false;
  size_t last = c->operator->num_outputs - 1;
  if (c->operator->num_outputs == WITH_SCORES) {
    const xc_attribute attributes[] = {xc_int("axis", 0)};
    const MlirValue operands[] = {in.list, safe};
    xc_tflite_select_output(c, 1);
    MlirValue scores =
        xc_graph_emit(graph, "gather", XC_TIR_GATHER, operands, 2,
                      XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
    scores =
        xc_graph_emit_select(graph, is_there, scores,
                             xc_graph_emit_number(graph, 0, XC_ELEMENT_F32));
    if (!xc_tflite_set(c, 1, emit_padded(graph, scores, in.most)))
      return false;
  }
  xc_tflite_select_output(c, last);
  return xc_tflite_set(
      c, last, emit_count(graph, is_there, xc_tflite_output(c, last)->element));
}

//===----------------------------------------------------------------------===//
// TFLite_Detection_PostProcess
//===----------------------------------------------------------------------===//

/// Its options, and what it computes on the way.
typedef struct detection {
  int64_t most, per_box, per_class, classes;
  bool is_regular;
  double overlap, score;
  double scale[4];                  // of y, x, h and w
  int64_t anchors, columns;         // rows; classes and background
  MlirValue boxes, scores;          // [n, 4] corners and [n, classes]
  MlirValue index, class, is_there; // of the results, [rows]
} detection;

static bool read_number(xc_tflite_context *c, const xc_flex_map *map,
                        const char *name, bool is_optional, double *number) {
  xc_flex_value value = xc_flex_find(map, name);
  bool is_number = value.kind == XC_FLEX_INT || value.kind == XC_FLEX_BOOL ||
                   value.kind == XC_FLEX_REAL;
  if (is_number)
    *number = value.real;
  return is_number || is_optional ||
         xc_tflite_error(c, "has no option '%s'", name);
}

static bool read_detection(xc_tflite_context *c, detection *d) {
  enum { NUMBERS = 12, NEEDED = 9, MOST = 1 << 20 };
  static const char *const names[NUMBERS] = {
      "max_detections",    "max_classes_per_detection",
      "num_classes",       "nms_score_threshold",
      "nms_iou_threshold", "y_scale",
      "x_scale",           "h_scale",
      "w_scale",           "detections_per_class",
      "use_regular_nms",   "unused"};
  double n[NUMBERS] = {[9] = 100};
  xc_flex_map map;
  (void)xc_flex_open(c->operator->custom_options, c->operator->custom_size,
                     &map);
  for (size_t i = 0; i + 1 < NUMBERS; ++i)
    if (!read_number(c, &map, names[i], i >= NEEDED, &n[i]))
      return false;
  for (size_t i = 0; i < 3; ++i)
    if (!(n[i] >= 1 && n[i] <= MOST))
      return xc_tflite_error(c, "has option '%s' of %g, expected 1 to %d",
                             names[i], n[i], MOST);
  if (!(n[9] >= 1 && n[9] <= MOST))
    return xc_tflite_error(c, "has option '%s' of %g, expected 1 to %d",
                           names[9], n[9], MOST);
  d->most = (int64_t)n[0];
  d->per_box = (int64_t)n[1];
  d->classes = (int64_t)n[2];
  d->score = just_below((float)n[3]);
  d->overlap = n[4];
  memcpy(d->scale, n + 5, sizeof(d->scale));
  d->per_class = (int64_t)n[9];
  d->is_regular = n[10] != 0;
  return true;
}

// Columns [begin, end) of a matrix.
static MlirValue emit_columns(xc_graph *graph, MlirValue matrix, int64_t begin,
                              int64_t end) {
  if (mlirValueIsNull(matrix))
    return matrix;
  int64_t rows = xc_value_shape(matrix).dims[0];
  const int64_t from[] = {0, begin}, to[] = {rows, end}, step[] = {1, 1};
  const xc_attribute attributes[] = {xc_ints("begin", from, 2),
                                     xc_ints("end", to, 2),
                                     xc_ints("strides", step, 2)};
  return xc_graph_emit(graph, "columns", XC_TIR_STRIDED_SLICE, &matrix, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Returns an input as floats, with `columns` columns.
static MlirValue emit_matrix(xc_tflite_context *c, size_t index, int64_t rows,
                             int64_t columns) {
  xc_graph *graph = &c->importer->graph;
  const int64_t dims[] = {rows, columns};
  const xc_tflite_tensor *tensor = xc_tflite_input(c, index);
  if (tensor->data)
    return xc_graph_emit_reshape(graph, xc_tflite_float_value(c, index), dims,
                                 2);
  MlirValue value = xc_tflite_value(c, index);
  if (xc_tflite_is_quantized(tensor)) {
    xc_tflite_quant quant = {1.0f, 0};
    if (!xc_tflite_quant_of(c, tensor, &quant))
      return none;
    const xc_attribute attributes[] = {
        xc_floats("scale", &quant.scale, 1),
        xc_ints("zero_point", &quant.zero_point, 1)};
    value = xc_graph_emit(graph, "real", XC_TIR_DEQUANTIZE_LINEAR, &value, 1,
                          XC_ATTRIBUTES(attributes), XC_ELEMENT_F32);
  }
  return xc_graph_emit_reshape(graph, value, dims, 2);
}

static bool check_detection(xc_tflite_context *c, detection *d) {
  xc_shape shapes[3];
  for (size_t i = 0; i < 3; ++i) {
    MlirValue value = xc_tflite_value(c, i);
    if (mlirValueIsNull(value))
      return false;
    shapes[i] = xc_value_shape(value);
  }
  if (shapes[0].rank != 3 || shapes[1].rank != 3 || shapes[2].rank != 2 ||
      shapes[0].dims[0] != 1 || shapes[1].dims[0] != 1 ||
      shapes[0].dims[2] != 4 || shapes[2].dims[1] != 4 ||
      shapes[1].dims[1] != shapes[0].dims[1] ||
      shapes[2].dims[0] != shapes[0].dims[1])
    return xc_tflite_error(c, "has boxes, scores or anchors of another shape, "
                              "expected [1, n, 4], [1, n, classes] and [n, 4]");
  d->anchors = shapes[0].dims[1];
  d->columns = shapes[1].dims[2];
  if (d->classes > d->columns || d->per_box > d->classes)
    return xc_tflite_error(c,
                           "has %" PRId64 " scores for each box of %" PRId64
                           " classes, of which it wants %" PRId64,
                           d->columns, d->classes, d->per_box);
  return true;
}

// Encodings are centre (y, x) and size (h, w) relative to the anchor's.
static bool emit_corners(xc_tflite_context *c, detection *d) {
  enum { SIDES = 2 };
  xc_graph *graph = &c->importer->graph;
  MlirValue code = emit_matrix(c, 0, d->anchors, 4);
  MlirValue anchor = emit_matrix(c, 2, d->anchors, 4);
  MlirValue corners[2 * SIDES];
  for (int i = 0; i < SIDES; ++i) {
    MlirValue size = emit_columns(graph, anchor, 2 + i, 3 + i);
    MlirValue centre = emit_columns(graph, code, i, i + 1);
    centre =
        xc_graph_emit_with(graph, "scaled", XC_TIR_DIV, centre, d->scale[i]);
    centre = xc_graph_emit_binary(graph, "scaled", XC_TIR_MUL, centre, size);
    centre = xc_graph_emit_binary(graph, "centre", XC_TIR_ADD, centre,
                                  emit_columns(graph, anchor, i, i + 1));
    MlirValue half = emit_columns(graph, code, 2 + i, 3 + i);
    half =
        xc_graph_emit_with(graph, "scaled", XC_TIR_DIV, half, d->scale[2 + i]);
    half = xc_graph_emit_binary(graph, "exp", XC_TIR_EXP, half, none);
    half = xc_graph_emit_with(graph, "half", XC_TIR_MUL, half, 0.5);
    half = xc_graph_emit_binary(graph, "half", XC_TIR_MUL, half, size);
    corners[i] = xc_graph_emit_binary(graph, "begin", XC_TIR_SUB, centre, half);
    corners[SIDES + i] =
        xc_graph_emit_binary(graph, "end", XC_TIR_ADD, centre, half);
  }
  const xc_attribute attributes[] = {xc_int("axis", 1)};
  d->boxes = xc_graph_emit(graph, "corners", XC_TIR_CONCAT, corners, 4,
                           XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  // The first columns are the background's.
  d->scores = emit_columns(graph, emit_matrix(c, 1, d->anchors, d->columns),
                           d->columns - d->classes, d->columns);
  return !mlirValueIsNull(d->boxes) && !mlirValueIsNull(d->scores);
}

static MlirValue emit_picked(xc_graph *graph, MlirValue rows,
                             MlirValue indices) {
  const xc_attribute attributes[] = {xc_int("axis", 0)};
  const MlirValue operands[] = {rows, indices};
  return xc_graph_emit(graph, "pick", XC_TIR_GATHER, operands, 2,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

static MlirValue emit_topk(xc_graph *graph, MlirValue input, int64_t k) {
  const xc_attribute attributes[] = {xc_int("k", k), xc_int("axis", -1)};
  return xc_graph_emit(graph, "best", XC_TIR_TOPK, &input, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_I32);
}

static MlirValue emit_detection_nms(xc_graph *graph, const detection *d,
                                    MlirValue scores, int64_t classes,
                                    int64_t most) {
  const int64_t box_dims[] = {1, d->anchors, 4};
  const int64_t score_dims[] = {1, classes, d->anchors};
  const xc_graph_nms nms = {.max_boxes = most,
                            .iou_threshold = d->overlap,
                            .score_threshold = d->score};
  return xc_graph_emit_nms(graph,
                           xc_graph_emit_reshape(graph, d->boxes, box_dims, 3),
                           xc_graph_emit_reshape(graph, scores, score_dims, 3),
                           &nms, XC_ELEMENT_I32);
}

// By the best class of each box; a box that is taken is there once for each of
// its best classes.
static void choose_fast(xc_graph *graph, detection *d) {
  const int64_t axis = 1;
  MlirValue best = xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_MAX,
                                           d->scores, &axis, 1, false);
  MlirValue rows = emit_detection_nms(graph, d, best, 1, d->most);
  MlirValue boxes = emit_boxes(graph, rows);
  if (mlirValueIsNull(boxes))
    return;
  int64_t count = xc_value_shape(boxes).dims[0], all = count * d->per_box;
  MlirValue safe = xc_graph_emit_with(graph, "safe", XC_TIR_MAX, boxes, 0);
  MlirValue classes =
      emit_picked(graph, emit_topk(graph, d->scores, d->per_box), safe);
  const int64_t column[] = {count, 1}, repeats[] = {1, d->per_box};
  boxes = xc_graph_emit_tile(
      graph, xc_graph_emit_reshape(graph, boxes, column, 2), repeats);
  boxes = xc_graph_emit_reshape(graph, boxes, &all, 1);
  d->is_there = xc_graph_emit_compare_with(graph, "GE", boxes, 0);
  d->index = xc_graph_emit_with(graph, "safe", XC_TIR_MAX, boxes, 0);
  d->class = xc_graph_emit_reshape(graph, classes, &all, 1);
}

// Class by class; then the best of all.
static void choose_regular(xc_graph *graph, detection *d) {
  static const int64_t swapped[] = {1, 0};
  const xc_attribute order[] = {xc_ints("order", swapped, 2)};
  MlirValue by_class =
      xc_graph_emit(graph, "classes", XC_TIR_TRANSPOSE, &d->scores, 1,
                    XC_ATTRIBUTES(order), XC_ELEMENT_NONE);
  MlirValue rows =
      emit_detection_nms(graph, d, by_class, d->classes, d->per_class);
  if (mlirValueIsNull(rows))
    return;
  MlirValue is_there =
      xc_graph_emit_compare_with(graph, "GE", emit_boxes(graph, rows), 0);
  MlirValue safe = xc_graph_emit_with(graph, "safe", XC_TIR_MAX, rows, 0);
  MlirValue scores = xc_graph_emit_gather_nd(
      graph, by_class, emit_columns(graph, safe, 1, 3), 0);
  scores = xc_graph_emit_select(
      graph, is_there, scores,
      xc_graph_emit_number(graph, (double)-INFINITY, XC_ELEMENT_F32));
  int64_t count = xc_value_shape(rows).dims[0];
  MlirValue best = emit_topk(graph, scores, count < d->most ? count : d->most);
  rows = emit_picked(graph, rows, best);
  MlirValue boxes = emit_boxes(graph, rows);
  if (mlirValueIsNull(boxes))
    return;
  count = xc_value_shape(boxes).dims[0];
  d->is_there = xc_graph_emit_compare_with(graph, "GE", boxes, 0);
  d->index = xc_graph_emit_with(graph, "safe", XC_TIR_MAX, boxes, 0);
  d->class = xc_graph_emit_with(
      graph, "safe", XC_TIR_MAX,
      xc_graph_emit_reshape(graph, emit_columns(graph, rows, 1, 2), &count, 1),
      0);
}

// Entries that are there, and zeros, as output `index` of [1, rows, ...].
static bool set_detections(xc_tflite_context *c, const detection *d,
                           size_t index, MlirValue value) {
  xc_graph *graph = &c->importer->graph;
  if (mlirValueIsNull(value))
    return false;
  xc_shape shape = xc_value_shape(value);
  int64_t rows = d->is_regular ? d->most : d->most * d->per_box;
  const int64_t column[] = {shape.dims[0], 1};
  xc_tflite_select_output(c, index);
  MlirValue is_there =
      shape.rank == 1 ? d->is_there
                      : xc_graph_emit_reshape(graph, d->is_there, column, 2);
  value = xc_graph_emit_select(graph, is_there, value,
                               xc_graph_emit_number(graph, 0, XC_ELEMENT_F32));
  value = emit_padded(graph, value, rows);
  const int64_t dims[] = {1, rows, 4};
  return xc_tflite_set(
      c, index,
      xc_graph_emit_reshape(graph, value, dims, shape.rank == 1 ? 2 : 3));
}

bool xc_tflite_detection(xc_tflite_context *c) {
  detection d = {.most = 0};
  xc_graph *graph = &c->importer->graph;
  if (!read_detection(c, &d) || !check_detection(c, &d) || !emit_corners(c, &d))
    return false;
  if (d.is_regular)
    choose_regular(graph, &d);
  else
    choose_fast(graph, &d);
  if (mlirValueIsNull(d.class))
    return false;
  int64_t count = xc_value_shape(d.class).dims[0];
  const int64_t column[] = {count, 1}, one = 1;
  MlirValue parts[] = {xc_graph_emit_reshape(graph, d.index, column, 2),
                       xc_graph_emit_reshape(graph, d.class, column, 2)};
  const xc_attribute attributes[] = {xc_int("axis", 1)};
  MlirValue place = xc_graph_emit(graph, "place", XC_TIR_CONCAT, parts, 2,
                                  XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  if (!set_detections(c, &d, 0, emit_picked(graph, d.boxes, d.index)) ||
      !set_detections(
          c, &d, 1,
          xc_graph_emit_cast(graph, "class", d.class, XC_ELEMENT_F32)) ||
      !set_detections(c, &d, 2,
                      xc_graph_emit_gather_nd(graph, d.scores, place, 0)))
    return false;
  xc_tflite_select_output(c, 3);
  return xc_tflite_set(
      c, 3,
      xc_graph_emit_reshape(
          graph, emit_count(graph, d.is_there, XC_ELEMENT_F32), &one, 1));
}
