//===- Importer.h - what the files of the Caffe importer share ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers, their parameters and how they are connected come from the prototxt
// (Text.h), weights and fix points from the caffemodel (Weights.c), by the name
// of the layer. One row of Operators.def stands for a type of layers; its
// handler reads the current layer and emits tir. What cannot be imported is
// reported layer by layer: the import goes on without what depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_CAFFE_IMPORTER_H
#define XC_FRONTEND_CAFFE_IMPORTER_H

#include "caffe.pb-c.h"

#include "Frontend/Graph/Compose.h"
#include "Frontend/Graph/Cut.h"
#include "Frontend/Graph/Fold.h"
#include "Text.h"

typedef struct xc_caffe_importer xc_caffe_importer;

/// Imports a layer. Handlers return false after an error.
typedef bool (*xc_caffe_handler)(xc_caffe_importer *im);

/// How a layer treats fix points.
typedef enum xc_caffe_fixing {
  CAFFE_FLOAT,     // its results are not fixed without a FixedNeuron
  CAFFE_COMPUTES,  // its results have a fix point of their own
  CAFFE_CONTINUES, // they have that of the layer before, which leaves it to it
  CAFFE_MOVES,     // they are fixed because the inputs are
} xc_caffe_fixing;

/// A row of Operators.def.
typedef struct xc_caffe_operator {
  const char *type;
  const char *v1; // its enumerator in nets of 2013, or null
  int v1_number;
  const char *param; // the message with its parameters
  xc_caffe_handler handler;
  int detail;   // an xc_op_kind or what the handler says
  size_t blobs; // with weights: in the caffemodel
  xc_caffe_fixing fixing;
} xc_caffe_operator;

/// The entry of a layer in the caffemodel.
typedef struct xc_caffe_trained {
  const char *name;
  Caffe__BlobProto **blobs;
  size_t num_blobs;
  const int32_t *info; // pairs of bit width and fix point
  size_t num_info;
} xc_caffe_trained;

typedef struct xc_caffe_layer {
  xc_text_field *text;
  const char *name, *type;
  const xc_caffe_operator *row; // null: unknown
  /// Names of values: that of the blob for what it holds at the end, others for
  /// what layers that work in place replace.
  const char **bottoms, **tops;
  const char **blobs; // the names of the tops in the file
  size_t num_bottoms, num_tops;
  const xc_caffe_trained *trained; // null: the caffemodel has none
} xc_caffe_layer;

/// A layer reads or writes a value.
typedef struct xc_caffe_use {
  const char *name;
  size_t layer, slot; // which bottom or top
  bool writes;
} xc_caffe_use;

struct xc_caffe_importer {
  xc_graph graph;
  xc_text_field root;
  xc_caffe_layer *layers; // those of the phase TEST, in the order of the file
  size_t num_layers;
  xc_graph_node *nodes; // as many
  xc_caffe_use *uses;   // by name, then by layer, reads first
  size_t num_uses;
  xc_caffe_trained *trained; // by name
  size_t num_trained;
  /// Fix points come from FixedNeuron layers; if not, from the caffemodel.
  bool has_fixed_neurons;
  xc_graph_value *failed; // stands for blobs of layers that were reported
  const xc_caffe_layer *layer;
};

/// Reports an error of the layer and gives false.
#define xc_caffe_error(im, ...) xc_graph_error(&(im)->graph, __VA_ARGS__)

// The current layer (Layer.c).

/// Returns the field that counts of several, of the layer's parameters; null
/// when it is absent.
xc_text_field *xc_caffe_field(xc_caffe_importer *im, const char *name);
/// Fields of the parameters; what is none of the kind is an error.
int64_t xc_caffe_int(xc_caffe_importer *im, const char *name, int64_t absent);
double xc_caffe_real(xc_caffe_importer *im, const char *name, double absent);
bool xc_caffe_bool(xc_caffe_importer *im, const char *name, bool absent);
/// Returns the number of one of the words; it may be given by number as well.
size_t xc_caffe_enum(xc_caffe_importer *im, const char *name,
                     const char *const *words, size_t count, size_t absent);
/// Entries of a repeated field; more than `capacity` are an error.
size_t xc_caffe_ints(xc_caffe_importer *im, const char *name, int64_t *values,
                     size_t capacity);
size_t xc_caffe_reals(xc_caffe_importer *im, const char *name, float *values,
                      size_t capacity);
/// Reads the dimensions of a BlobShape message. Returns false after an error.
bool xc_caffe_read_shape(xc_caffe_importer *im, const xc_text_field *message,
                         int64_t *dims, size_t *rank);

/// Returns a bottom, or null after an error.
xc_graph_value *xc_caffe_bottom(xc_caffe_importer *im, size_t index);
/// Returns a bottom of `low` to `high` dimensions, or null after an error.
xc_graph_value *xc_caffe_bottom_of_rank(xc_caffe_importer *im, size_t index,
                                        size_t low, size_t high);
/// Defines a top, on its grid where it has one; false after an error or when
/// the value is null.
bool xc_caffe_top(xc_caffe_importer *im, size_t index, xc_graph_value *value);
bool xc_caffe_top_computed(xc_caffe_importer *im, size_t index, MlirValue mlir,
                           const xc_graph_order *order);
/// Emits the layer's operator with the bottom's order and binds the first top.
bool xc_caffe_unary(xc_caffe_importer *im, xc_op_kind kind,
                    const xc_attributes *attributes);

/// Returns the fields of a message as a dictionary for the host: numbers, words
/// and dictionaries, of repeated fields as a list (Payload.c).
MlirAttribute xc_caffe_payload(xc_caffe_importer *im,
                               const xc_text_field *message);

// Weights (Weights.c).

/// Reads what the layers have in the caffemodel.
bool xc_caffe_read_model(xc_caffe_importer *im, const char *path,
                         const Caffe__NetParameter *model);
const xc_caffe_trained *xc_caffe_find_trained(const xc_caffe_importer *im,
                                              const char *name);

/// The role of a blob, which decides the range of its random numbers.
typedef enum xc_caffe_role {
  CAFFE_WEIGHT, // of a product, by its fan-in
  CAFFE_BIAS,
  CAFFE_GAIN,
  CAFFE_VARIANCE,
  CAFFE_SLOPE,
} xc_caffe_role;

size_t xc_caffe_num_blobs(const xc_caffe_importer *im);
/// Blob `index` as a constant of floats in this shape; null after an error.
/// `fan_in` is for a weight.
xc_graph_value *xc_caffe_blob(xc_caffe_importer *im, size_t index,
                              xc_caffe_role role, const int64_t *dims,
                              size_t rank, int64_t fan_in);
/// Returns the floats of such a constant, of which there are as many as its
/// shape says.
const float *xc_caffe_floats(xc_caffe_importer *im,
                             const xc_graph_value *value);
/// Returns a constant that the importer computed.
xc_graph_value *xc_caffe_new_constant(xc_caffe_importer *im, const char *part,
                                      const int64_t *dims, size_t rank,
                                      float **data);

// Fixed point (Fixed.c).

/// A fix point.
typedef struct xc_caffe_position {
  int64_t bit_width, fix_point;
} xc_caffe_position;

/// Pair `index` of the layer's fix points: bottom, top, weight, bias of a layer
/// with weights. Returns false when it is not known.
bool xc_caffe_find_position(const xc_caffe_importer *im, size_t index,
                            xc_caffe_position *position);
/// Returns a weight or bias (pair `index`) on its grid; the value itself where
/// there is none.
MlirValue xc_caffe_fix_weight(xc_caffe_importer *im, const char *part,
                              MlirValue value, size_t index);
/// Whether the results of the layer go to a fix directly.
bool xc_caffe_is_fixed(const xc_caffe_importer *im);
/// Returns the value of a top on its grid where fix points come from the
/// caffemodel.
xc_graph_value *xc_caffe_fix_top(xc_caffe_importer *im, size_t index,
                                 xc_graph_value *value);

// Uses of blobs (Uses.c).

/// Gives every value that a blob holds in turn a name of its own.
void xc_caffe_name_values(xc_caffe_importer *im);
/// The uses of a value, [*first, result), where it is read.
size_t xc_caffe_reads(const xc_caffe_importer *im, const char *name,
                      size_t *first);
/// Unused values, in the order of the layers that compute them.
size_t xc_caffe_find_outputs(xc_caffe_importer *im, const char ***names);

// Tables.

/// Returns the row of a type, by its name or by its enumerator or number in
/// nets of 2013; null when there is none.
const xc_caffe_operator *xc_caffe_operator_find(const char *type, bool is_v1);

#define XC_CAFFE(type, v1, number, param, handler, detail, blobs, fixing)      \
  bool handler(xc_caffe_importer *im);
#include "Operators.def"

#endif // XC_FRONTEND_CAFFE_IMPORTER_H
