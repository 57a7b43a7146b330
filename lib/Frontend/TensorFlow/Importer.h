//===- Importer.h - what the TensorFlow importer shares ------------*- C
//-*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes of a frozen graph, with those of the functions that it calls in
// their place (Nodes.c), are walked in an order in which values come before
// their uses. One row of Operators.def stands for an operator; its handler
// reads the current node and emits tir. Nodes whose inputs are constants are
// computed here. What cannot be imported is reported node by node: the import
// goes on without what depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TENSORFLOW_IMPORTER_H
#define XC_FRONTEND_TENSORFLOW_IMPORTER_H

#include "tensorflow.pb-c.h"

#include "Frontend/Graph/Graph.h"

/// Bytes that constants made of others may take: a base and a multiple of the
/// file.
enum { TF_FOLD_BASE = 1 << 24, TF_FOLD_FACTOR = 16 };

/// Entries at most of a list that must be constant.
enum { TF_MAX_LIST = 1 << 16 };

typedef struct tf_importer tf_importer;
typedef struct tf_volume_conv tf_volume_conv; // (OpsVolume.c)

typedef bool (*tf_handler)(tf_importer *im);

/// A row of Operators.def.
typedef struct tf_operator {
  const char *name;
  tf_handler handler;
  int detail; // an xc_op_kind, an xc_graph_scalar or what the handler says
} tf_operator;

typedef struct tf_node {
  const char *name;
  const Tensorflow__NodeDef *def;
  const tf_operator *row; // null: unknown
  /// Names of values: `node`, or `node:1` for further results.
  const char **inputs;
  size_t num_inputs;
  const char **outputs; // as many as something reads, and one more
  size_t num_outputs;
} tf_node;

struct tf_importer {
  xc_graph graph;
  const Tensorflow__GraphDef *def;
  tf_node *nodes;
  size_t num_nodes;
  tf_node **order;        // values before their uses
  xc_graph_node *cut;     // in that order
  xc_graph_value *failed; // of nodes that were reported
  xc_graph_value *dead;   // of branches that are not taken
  tf_node *node;
  const char **missing; // operators that xc does not have, one for each node
  size_t num_missing;
  /// Switches whose way is computed at run time, and the first of them.
  size_t num_open;
  const tf_node *first_open;
  tf_volume_conv *volumes; // convolutions of volumes, the latest first
};

/// Parts at most of a node that stands for several.
enum { TF_MAX_PARTS = 8 };

/// One of them.
typedef struct tf_part {
  const tf_operator *row;
  size_t num_inputs; // of the node; the part before gives one more
} tf_part;

/// A constant that a FixNeuron rounded: the `note` of a value.
typedef struct tf_grid {
  int64_t bit_width, fix_point;
} tf_grid;

/// Reports an error of the node and gives false.
#define tf_error(im, ...) xc_graph_error(&(im)->graph, __VA_ARGS__)

// The nodes of the graph (Nodes.c).

/// Fills `nodes`, functions inlined. False after an error.
bool tf_collect_nodes(tf_importer *im);
/// Fills `order`. False after an error: there is a loop.
bool tf_order_nodes(tf_importer *im);
/// The node that computes a value, or null.
tf_node *tf_node_of(const tf_importer *im, const char *value);

/// After a walk with errors: operators that are missing, and where the graph
/// could end (Missing.c).
void tf_report_missing(tf_importer *im);
/// Before the walk: a list for --outputs with which no node of that handler is
/// left, or null.
const char *tf_ends_before(tf_importer *im, tf_handler handler);

// The current node (Node.c).

/// An attribute, or null.
const Tensorflow__AttrValue *tf_attribute_of(const Tensorflow__NodeDef *def,
                                             const char *name);
const Tensorflow__AttrValue *tf_attribute(const tf_importer *im,
                                          const char *name);
int64_t tf_int(const tf_importer *im, const char *name, int64_t absent);
double tf_real(const tf_importer *im, const char *name, double absent);
bool tf_bool(const tf_importer *im, const char *name, bool absent);
/// Whether a string attribute is this word; `absent` where there is none.
bool tf_is(const tf_importer *im, const char *name, const char *word,
           bool absent);
/// A list of exactly `count` integers; as it was where the attribute is absent.
bool tf_ints(tf_importer *im, const char *name, int64_t *values, size_t count);
/// The element type that an attribute says, or `absent`.
xc_element tf_type(const tf_importer *im, const char *name, xc_element absent);

/// An input, or null after an error.
xc_graph_value *tf_input(tf_importer *im, size_t index);
xc_graph_value *tf_input_of_rank(tf_importer *im, size_t index, size_t low,
                                 size_t high);
/// The content of a constant input.
bool tf_input_ints(tf_importer *im, size_t index, int64_t *values,
                   size_t capacity, size_t *count);
bool tf_input_axis(tf_importer *im, size_t index, size_t rank, size_t *axis);
/// A value in an order, on its grid where it has one.
MlirValue tf_get(tf_importer *im, xc_graph_value *value,
                 const xc_graph_order *order);
MlirValue tf_get_plain(tf_importer *im, xc_graph_value *value);
/// Inputs in one order for an operator that broadcasts.
bool tf_broadcast(tf_importer *im, xc_graph_value *const *values, size_t count,
                  MlirValue *operands, xc_graph_order *order);
/// Defines a result; false after an error or when the value is null.
bool tf_result(tf_importer *im, size_t index, xc_graph_value *value);
bool tf_result_computed(tf_importer *im, size_t index, MlirValue mlir,
                        const xc_graph_order *order);
/// The order in which an image in the node's data_format, or a volume (rank 5),
/// is computed with.
xc_graph_order tf_image_order(const tf_importer *im, size_t rank);
/// Where channels (0), height (1) and width (2) stand in the shape of an image.
size_t tf_image_dim(const tf_importer *im, size_t which);
/// Where the channels stand in that of an image or volume.
size_t tf_channel_dim(const tf_importer *im, size_t rank);

// Tensors (Tensor.c).

/// The element type of a DataType, or XC_ELEMENT_NONE.
xc_element tf_element(int32_t type);
/// A constant, or null after an error.
xc_graph_value *tf_read_tensor(tf_importer *im,
                               const Tensorflow__TensorProto *tensor);
/// A constant of a vector of integers.
xc_graph_value *tf_int_vector(tf_importer *im, const int64_t *values,
                              size_t count, xc_element element);

// What handlers share (OpsConv.c).

/// Adds a bias to what a convolution or product computed. Null when the value
/// is none of them, or has one.
MlirValue tf_add_bias(tf_importer *im, xc_graph_value *product,
                      xc_graph_value *bias);

/// The same of a convolution of volumes, [N, H, W, D, C] (OpsVolume.c).
MlirValue tf_add_volume_bias(tf_importer *im, const xc_graph_value *product,
                             xc_graph_value *bias);

/// A vector in a shape that broadcasts along the channels of an image, volume
/// or matrix.
xc_graph_value *tf_along_channels(tf_importer *im, xc_graph_value *vector,
                                  const xc_graph_value *image);

/// The parts of a node that stands for several, in the order of computation. 0
/// if it is none, or is wrong: then its handler says why (OpsFused.c).
size_t tf_fused_parts(const Tensorflow__NodeDef *def, tf_part *parts);

// Tables.

const tf_operator *tf_operator_find(const char *name);

#define XC_TENSORFLOW(name, handler, detail) bool handler(tf_importer *im);
#include "Operators.def"

#endif // XC_FRONTEND_TENSORFLOW_IMPORTER_H
