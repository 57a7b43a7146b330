//===- Importer.h - state of the TensorFlow importer --------------*- C -*-===//
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

#include "Frontend/Graph/Compose.h"
#include "Frontend/Graph/Cut.h"
#include "Frontend/Graph/Fold.h"

/// Entries at most of a list that must be constant.
enum { TF_MAX_LIST = 1 << 16 };

typedef struct xc_tf_importer xc_tf_importer;
typedef struct xc_tf_volume_conv xc_tf_volume_conv; // (OpsVolume.c)

typedef bool (*xc_tf_handler)(xc_tf_importer *im);

/// A row of Operators.def.
typedef struct xc_tf_operator {
  const char *name;
  xc_tf_handler handler;
  int detail; // an xc_op_kind, an xc_graph_scalar or what the handler says
} xc_tf_operator;

typedef struct xc_tf_node {
  const char *name;
  const Tensorflow__NodeDef *def;
  const xc_tf_operator *row; // null: unknown
  /// Names of values: `node`, or `node:1` for further results.
  const char **inputs;
  size_t num_inputs;
  const char **outputs; // as many as something reads, and one more
  size_t num_outputs;
} xc_tf_node;

struct xc_tf_importer {
  xc_graph graph;
  const Tensorflow__GraphDef *def;
  xc_tf_node *nodes;
  size_t num_nodes;
  xc_tf_node **order;     // values before their uses
  xc_graph_node *cut;     // in that order
  xc_graph_value *failed; // of nodes that were reported
  xc_graph_value *dead;   // of branches that are not taken
  xc_tf_node *node;
  const char **missing; // operators that xc does not have, one for each node
  size_t num_missing;
  /// Switches whose way is computed at run time, and the first of them.
  size_t num_open;
  const xc_tf_node *first_open;
  xc_tf_volume_conv *volumes; // convolutions of volumes, the latest first
};

/// Parts at most of a node that stands for several.
enum { TF_MAX_PARTS = 8 };

/// One of them.
typedef struct xc_tf_part {
  const xc_tf_operator *row;
  size_t num_inputs; // of the node; the part before gives one more
} xc_tf_part;

/// A constant that a FixNeuron rounded: the `note` of a value.
typedef struct xc_tf_grid {
  int64_t bit_width, fix_point;
} xc_tf_grid;

/// Reports an error of the node and gives false.
#define xc_tf_error(im, ...) xc_graph_error(&(im)->graph, __VA_ARGS__)

// The nodes of the graph (Nodes.c).

/// Fills `nodes`, functions inlined. Returns false after an error.
bool xc_tf_collect_nodes(xc_tf_importer *im);
/// Fills `order`. Returns false after an error: there is a loop.
bool xc_tf_order_nodes(xc_tf_importer *im);
/// Returns the node that computes a value, or null.
xc_tf_node *xc_tf_node_of(const xc_tf_importer *im, const char *value);

/// After a walk with errors: operators that are missing, and where the graph
/// could end (Missing.c).
void xc_tf_report_missing(xc_tf_importer *im);
/// Before the walk: a list for --outputs with which no node of that handler is
/// left, or null.
const char *xc_tf_ends_before(xc_tf_importer *im, xc_tf_handler handler);

// The current node (Node.c).

/// Returns an attribute, or null.
const Tensorflow__AttrValue *xc_tf_attribute_of(const Tensorflow__NodeDef *def,
                                                const char *name);
const Tensorflow__AttrValue *xc_tf_attribute(const xc_tf_importer *im,
                                             const char *name);
int64_t xc_tf_int(const xc_tf_importer *im, const char *name, int64_t absent);
double xc_tf_real(const xc_tf_importer *im, const char *name, double absent);
bool xc_tf_bool(const xc_tf_importer *im, const char *name, bool absent);
/// Whether a string attribute is this word; `absent` where there is none.
bool xc_tf_is(const xc_tf_importer *im, const char *name, const char *word,
              bool absent);
/// A list of exactly `count` integers; as it was where the attribute is absent.
bool xc_tf_ints(xc_tf_importer *im, const char *name, int64_t *values,
                size_t count);
/// Returns the element type that an attribute says, or `absent`.
xc_element xc_tf_type(const xc_tf_importer *im, const char *name,
                      xc_element absent);

/// Returns an input, or null after an error.
xc_graph_value *xc_tf_input(xc_tf_importer *im, size_t index);
xc_graph_value *xc_tf_input_of_rank(xc_tf_importer *im, size_t index,
                                    size_t low, size_t high);
/// The content of a constant input.
bool xc_tf_input_ints(xc_tf_importer *im, size_t index, int64_t *values,
                      size_t capacity, size_t *count);
bool xc_tf_input_axis(xc_tf_importer *im, size_t index, size_t rank,
                      size_t *axis);
/// Returns a value in an order, on its grid where it has one.
MlirValue xc_tf_get(xc_tf_importer *im, xc_graph_value *value,
                    const xc_graph_order *order);
MlirValue xc_tf_get_plain(xc_tf_importer *im, xc_graph_value *value);
/// Inputs in one order for an operator that broadcasts.
bool xc_tf_broadcast(xc_tf_importer *im, xc_graph_value *const *values,
                     size_t count, MlirValue *operands, xc_graph_order *order);
/// Defines a result; false after an error or when the value is null.
bool xc_tf_result(xc_tf_importer *im, size_t index, xc_graph_value *value);
bool xc_tf_result_computed(xc_tf_importer *im, size_t index, MlirValue mlir,
                           const xc_graph_order *order);
/// Returns the order in which an image in the node's data_format, or a volume
/// (rank 5), is computed with.
xc_graph_order xc_tf_image_order(const xc_tf_importer *im, size_t rank);
/// Returns where channels (0), height (1) and width (2) stand in the shape of
/// an image.
size_t xc_tf_image_dim(const xc_tf_importer *im, size_t which);
/// Returns where the channels stand in that of an image or volume.
size_t xc_tf_channel_dim(const xc_tf_importer *im, size_t rank);

// Tensors (Tensor.c).

/// Returns the element type of a DataType, or XC_ELEMENT_NONE.
xc_element xc_tf_element(int32_t type);
/// Returns a constant, or null after an error.
xc_graph_value *xc_tf_read_tensor(xc_tf_importer *im,
                                  const Tensorflow__TensorProto *tensor);
/// Returns a constant of a vector of integers.
xc_graph_value *xc_tf_int_vector(xc_tf_importer *im, const int64_t *values,
                                 size_t count, xc_element element);

// Helpers of several handlers (OpsConv.c).

/// Adds a bias to what a convolution or product computed. Returns null when the
/// value is none of them, or has one.
MlirValue xc_tf_add_bias(xc_tf_importer *im, xc_graph_value *product,
                         xc_graph_value *bias);

/// Adds a bias to a convolution of volumes, [N, H, W, D, C] (OpsVolume.c).
MlirValue xc_tf_add_volume_bias(xc_tf_importer *im,
                                const xc_graph_value *product,
                                xc_graph_value *bias);

/// Returns a vector in a shape that broadcasts along the channels of an image,
/// volume or matrix.
xc_graph_value *xc_tf_along_channels(xc_tf_importer *im, xc_graph_value *vector,
                                     const xc_graph_value *image);

/// Finds the parts of a node that stands for several, in the order of
/// computation. 0 if it is none, or is wrong: then its handler says why
/// (OpsFused.c).
size_t xc_tf_fused_parts(const Tensorflow__NodeDef *def, xc_tf_part *parts);

// Tables.

const xc_tf_operator *xc_tf_operator_find(const char *name);

#define XC_TENSORFLOW(name, handler, detail) bool handler(xc_tf_importer *im);
#include "Operators.def"

#endif // XC_FRONTEND_TENSORFLOW_IMPORTER_H
