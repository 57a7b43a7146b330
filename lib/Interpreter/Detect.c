//===- Detect.c - choosing by rank: topk, nms -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// The k largest
//===----------------------------------------------------------------------===//

// Whether element `b` comes before element `a`.
static bool comes_before(const xc_tensor *input, int64_t b, int64_t a,
                         bool largest) {
  xc_element element = input->shape.element;
  if (xc_element_is_float(element)) {
    double x = xc_get_real(input, a), y = xc_get_real(input, b);
    return largest ? y > x : y < x;
  }
  int64_t x = xc_get_int(input, a), y = xc_get_int(input, b);
  if (!largest) {
    int64_t other = x;
    x = y;
    y = other;
  }
  return element == XC_ELEMENT_UI64 ? (uint64_t)y > (uint64_t)x : y > x;
}

static bool is_nan(const xc_tensor *input, int64_t at) {
  return xc_element_is_float(input->shape.element) &&
         isnan(xc_get_real(input, at));
}

// An insertion into the list of those that come first keeps equal ones in their
// order.
bool xc_interpret_topk(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_TOPK_INPUT];
  size_t axis = xc_axis_of(call->op);
  bool largest = xc_attr_bool(call->op, XC_ATTR_LARGEST);
  int64_t k = xc_attr_int(call->op, XC_ATTR_K);
  int64_t length = input->shape.dims[axis];
  int64_t inner = xc_shape_inner(&input->shape, axis);
  int64_t lanes = xc_shape_outer(&input->shape, axis) * inner;
  int64_t *first = xc_call_alloc(call, k + 1, sizeof(*first));
  for (int64_t lane = 0; k > 0 && lane < lanes; ++lane) {
    int64_t start = lane / inner * length * inner + lane % inner, count = 0;
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = start + i * inner, place = count;
      while (
          place > 0 &&
          (comes_before(input, at, start + first[place - 1] * inner, largest) ||
           (!is_nan(input, at) &&
            is_nan(input, start + first[place - 1] * inner))))
        --place;
      if (place == k)
        continue;
      count += count < k;
      for (int64_t j = count - 1; j > place; --j)
        first[j] = first[j - 1];
      first[place] = i;
    }
    for (int64_t j = 0; j < k; ++j)
      xc_set_int(&call->output, (lane / inner * k + j) * inner + lane % inner,
                 first[j]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Non-maximum suppression
//===----------------------------------------------------------------------===//

typedef struct box {
  double top, left, bottom, right;
} box;

static box read_box(const xc_kernel_call *call, int64_t row) {
  enum { NUMBERS = 4 };
  double n[NUMBERS];
  xc_get_reals(&call->operands[XC_NMS_BOXES], row * NUMBERS, NUMBERS, n);
  if (xc_attr_bool(call->op, XC_ATTR_CENTER_POINT_BOX))
    return (box){n[1] - n[3] / 2, n[0] - n[2] / 2, n[1] + n[3] / 2,
                 n[0] + n[2] / 2};
  return (box){n[0] < n[2] ? n[0] : n[2], n[1] < n[3] ? n[1] : n[3],
               n[0] < n[2] ? n[2] : n[0], n[1] < n[3] ? n[3] : n[1]};
}

static double area_of(const box *b) {
  return (b->bottom - b->top) * (b->right - b->left);
}

static bool overlaps(const box *a, const box *b, double threshold) {
  double height = (a->bottom < b->bottom ? a->bottom : b->bottom) -
                  (a->top > b->top ? a->top : b->top);
  double width = (a->right < b->right ? a->right : b->right) -
                 (a->left > b->left ? a->left : b->left);
  double area_a = area_of(a), area_b = area_of(b);
  double common = (height > 0 ? height : 0) * (width > 0 ? width : 0);
  return area_a > 0 && area_b > 0 &&
         common > threshold * (area_a + area_b - common);
}

/// The boxes of one class of one batch.
typedef struct nms_class {
  xc_kernel_call *call;
  int64_t boxes, first_box, first_score;
  double threshold, least;
  box *taken;
  int64_t num_taken;
} nms_class;

static bool is_suppressed(const nms_class *c, int64_t candidate) {
  box b = read_box(c->call, c->first_box + candidate);
  for (int64_t i = 0; i < c->num_taken; ++i)
    if (overlaps(&c->taken[i], &b, c->threshold))
      return true;
  return false;
}

// Returns the best box that comes after the last one in the order of scores, or
// -1.
static int64_t next_box(const nms_class *c, int64_t last) {
  const xc_tensor *scores = &c->call->operands[XC_NMS_SCORES];
  double before = last < 0 ? 0 : xc_get_real(scores, c->first_score + last);
  double best_score = c->least;
  int64_t best = -1;
  for (int64_t i = 0; i < c->boxes; ++i) {
    double score = xc_get_real(scores, c->first_score + i);
    bool is_later = last < 0 || score < before || (score == before && i > last);
    if (is_later && score > best_score && !is_suppressed(c, i)) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

bool xc_interpret_nms(xc_kernel_call *call) {
  enum { COLUMNS = 3 };
  const xc_shape *scores = &call->operands[XC_NMS_SCORES].shape;
  int64_t boxes = scores->dims[2], row = 0;
  int64_t most = xc_attr_int(call->op, XC_ATTR_MAX_BOXES);
  nms_class c = {.call = call,
                 .boxes = boxes,
                 .threshold = xc_attr_float(call->op, XC_ATTR_IOU_THRESHOLD),
                 .least = xc_attr_float(call->op, XC_ATTR_SCORE_THRESHOLD)};
  c.taken = xc_call_alloc(call, boxes + 1, sizeof(*c.taken));
  for (int64_t i = 0; i < scores->dims[0] * scores->dims[1]; ++i) {
    int64_t batch = i / scores->dims[1];
    c.first_box = batch * boxes;
    c.first_score = i * boxes;
    c.num_taken = 0;
    for (int64_t last = -1;
         c.num_taken < most && (last = next_box(&c, last)) >= 0;) {
      c.taken[c.num_taken++] = read_box(call, c.first_box + last);
      const int64_t columns[] = {batch, i % scores->dims[1], last};
      for (int64_t k = 0; k < COLUMNS; ++k)
        xc_set_int(&call->output, row * COLUMNS + k, columns[k]);
      ++row;
    }
  }
  for (int64_t i = row * COLUMNS; i < xc_tensor_count(&call->output); ++i)
    xc_set_int(&call->output, i, -1);
  return true;
}
