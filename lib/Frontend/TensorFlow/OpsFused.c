//===- OpsFused.c - nodes that stand for several --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorFlow's and TensorFlow.js' optimizers join a convolution or product with
// what follows it:
//
//   _FusedConv2D(x, filter, arguments...) fused_ops=["BiasAdd", "Relu"]
//
// Nodes.c puts the parts in place of such a node, so that each of them has the
// handler that it has alone. All of them read the attributes of the one node;
// only an epsilon and the slope of a LeakyRelu are for what follows.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <string.h>

/// An operator that may be fused behind another one, and how many arguments it
/// takes.
typedef struct follower {
  const char *name;
  size_t num_inputs;
} follower;

static const follower *find_follower(const ProtobufCBinaryData *name) {
  static const follower rows[] = {
      {"Add", 1},       {"BiasAdd", 1}, {"Elu", 0},  {"FusedBatchNorm", 4},
      {"LeakyRelu", 0}, {"Prelu", 1},   {"Relu", 0}, {"Relu6", 0},
      {"Sigmoid", 0},   {"Tanh", 0}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (strlen(rows[i].name) == name->len &&
        memcmp(rows[i].name, name->data, name->len) == 0)
      return &rows[i];
  return NULL;
}

// Returns the operator that the others follow.
static const char *base_of(const Tensorflow__NodeDef *def) {
  static const char *const rows[][2] = {
      {"_FusedConv2D", "Conv2D"},
      {"_FusedDepthwiseConv2dNative", "DepthwiseConv2dNative"},
      {"FusedDepthwiseConv2dNative", "DepthwiseConv2dNative"},
      {"_FusedMatMul", "MatMul"}};
  for (size_t i = 0; def->op && i < sizeof(rows) / sizeof(*rows); ++i)
    if (strcmp(rows[i][0], def->op) == 0)
      return rows[i][1];
  return NULL;
}

static const Tensorflow__ListValue *
followers_of(const Tensorflow__NodeDef *def) {
  static const Tensorflow__ListValue nothing = TENSORFLOW__LIST_VALUE__INIT;
  const Tensorflow__AttrValue *fused = xc_tf_attribute_of(def, "fused_ops");
  return fused && fused->list ? fused->list : &nothing;
}

// Inputs but for control.
static size_t count_inputs(const Tensorflow__NodeDef *def) {
  size_t count = 0;
  for (size_t i = 0; i < def->n_input; ++i)
    count += *def->input[i] != '^';
  return count;
}

size_t xc_tf_fused_parts(const Tensorflow__NodeDef *def, xc_tf_part *parts) {
  const char *base = base_of(def);
  const Tensorflow__ListValue *list = followers_of(def);
  size_t needed = 2;
  if (!base || list->n_s >= TF_MAX_PARTS)
    return 0;
  parts[0] = (xc_tf_part){xc_tf_operator_find(base), needed};
  for (size_t i = 0; i < list->n_s; ++i) {
    const follower *next = find_follower(&list->s[i]);
    if (!next)
      return 0;
    parts[i + 1] =
        (xc_tf_part){xc_tf_operator_find(next->name), next->num_inputs};
    needed += next->num_inputs;
  }
  return count_inputs(def) == needed ? list->n_s + 1 : 0;
}

// Of a node whose parts could not stand in its place.
bool xc_tf_fused(xc_tf_importer *im) {
  const Tensorflow__NodeDef *def = im->node->def;
  const Tensorflow__ListValue *list = followers_of(def);
  size_t needed = 2;
  if (list->n_s >= TF_MAX_PARTS)
    return xc_tf_error(im, "it fuses %zu operators, expected at most %d",
                       list->n_s, TF_MAX_PARTS - 1);
  for (size_t i = 0; i < list->n_s; ++i) {
    const follower *next = find_follower(&list->s[i]);
    if (!next)
      return xc_tf_error(im, "it fuses '%.*s', which xc does not know",
                         (int)list->s[i].len, (const char *)list->s[i].data);
    needed += next->num_inputs;
  }
  return xc_tf_error(im, "it has %zu inputs, expected %zu for what it fuses",
                     im->node->num_inputs, needed);
}

// A slope for each channel, or one that broadcasts.
bool xc_tf_prelu(xc_tf_importer *im) {
  xc_graph_value *in[2] = {xc_tf_input(im, 0), NULL};
  MlirValue operands[2];
  xc_graph_order order;
  if (!in[0] || !(in[1] = xc_tf_input(im, 1)))
    return false;
  if (in[0]->shape.rank == 4 && in[1]->shape.rank == 1 &&
      !(in[1] = xc_tf_along_channels(im, in[1], in[0])))
    return false;
  return xc_tf_broadcast(im, in, 2, operands, &order) &&
         xc_tf_result_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_PRELU,
                                             operands, 2, NULL,
                                             XC_ELEMENT_NONE),
                               &order);
}
