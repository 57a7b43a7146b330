//===- OpsLogic.c - comparisons, truth and what it chooses ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <string.h>

static const MlirValue none = {NULL};

// Emits a comparison, or a logical operator, by tir's name for it.
static MlirValue emit_truth(xc_tf_importer *im, xc_graph_scalar scalar,
                            bool is_negated, const MlirValue *operands) {
  static const struct {
    xc_graph_scalar scalar;
    bool is_logical;
    const char *word;
  } rows[] = {{XC_GRAPH_EQUAL, false, "EQ"},
              {XC_GRAPH_LESS, false, "LT"},
              {XC_GRAPH_LESS_EQUAL, false, "LE"},
              {XC_GRAPH_GREATER, false, "GT"},
              {XC_GRAPH_GREATER_EQUAL, false, "GE"},
              {XC_GRAPH_AND, true, "AND"},
              {XC_GRAPH_OR, true, "OR"},
              {XC_GRAPH_NOT, true, "NOT"}};
  size_t i = 0;
  while (rows[i].scalar != scalar)
    ++i;
  bool is_logical = rows[i].is_logical;
  const xc_attribute attributes[] = {xc_string(
      is_logical ? "type" : "predicate", is_negated ? "NE" : rows[i].word)};
  return xc_graph_emit(
      &im->graph, NULL, is_logical ? XC_TIR_LOGICAL : XC_TIR_COMPARE, operands,
      xc_graph_scalar_arity(scalar), XC_ATTRIBUTES(attributes), XC_ELEMENT_I1);
}

static bool compare(xc_tf_importer *im, xc_graph_scalar scalar,
                    bool is_negated) {
  size_t count = xc_graph_scalar_arity(scalar);
  xc_graph_value *in[2] = {NULL, NULL}, *folded = NULL;
  MlirValue operands[2] = {none, none};
  xc_graph_order order;
  bool is_known = true;
  for (size_t i = 0; i < count; ++i) {
    if (!(in[i] = xc_tf_input(im, i)))
      return false;
    is_known &= in[i]->data != NULL;
  }
  if (is_known &&
      (!xc_graph_fold_elementwise(&im->graph, scalar, in, XC_ELEMENT_I1,
                                  &folded) ||
       (folded && is_negated &&
        !xc_graph_fold_elementwise(&im->graph, XC_GRAPH_NOT, &folded,
                                   XC_ELEMENT_I1, &folded))))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  return xc_tf_broadcast(im, in, count, operands, &order) &&
         xc_tf_result_computed(
             im, 0, emit_truth(im, scalar, is_negated, operands), &order);
}

bool xc_tf_compare(xc_tf_importer *im) {
  return compare(im, (xc_graph_scalar)im->node->row->detail, false);
}

bool xc_tf_not_equal(xc_tf_importer *im) {
  return compare(im, XC_GRAPH_EQUAL, true);
}

// A condition of rank 1 of the first form chooses rows.
static xc_graph_value *row_condition(xc_tf_importer *im,
                                     xc_graph_value *condition,
                                     const xc_shape *shape) {
  int64_t dims[XC_MAX_RANK];
  if (strcmp(im->node->row->name, "Select") != 0 ||
      condition->shape.rank != 1 || shape->rank < 2)
    return condition;
  for (size_t i = 0; i < shape->rank; ++i)
    dims[i] = i == 0 ? condition->shape.dims[0] : 1;
  return xc_graph_reshape(&im->graph, condition, dims, shape->rank);
}

bool xc_tf_select(xc_tf_importer *im) {
  xc_graph_value *in[3], *folded = NULL;
  for (size_t i = 0; i < 3; ++i)
    if (!(in[i] = xc_tf_input(im, i)))
      return false;
  if (in[0]->data && xc_shape_num_elements(&in[0]->shape) == 1) {
    if (in[1]->data && in[2]->data &&
        !xc_graph_fold_elementwise(&im->graph, XC_GRAPH_SELECT, in,
                                   in[1]->shape.element, &folded))
      return false;
    bool yes = xc_graph_to_real(xc_graph_load(in[0], 0)) != 0;
    return xc_tf_result(im, 0, folded ? folded : in[yes ? 1 : 2]);
  }
  MlirValue operands[3];
  xc_graph_order order;
  in[0] = row_condition(im, in[0], &in[1]->shape);
  return in[0] && xc_tf_broadcast(im, in, 3, operands, &order) &&
         xc_tf_result_computed(im, 0,
                               xc_graph_emit_select(&im->graph, operands[0],
                                                    operands[1], operands[2]),
                               &order);
}
