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

#include "Frontend/Graph/Graph.h"
#include "Text.h"

/// Bytes that constants made of others may take: a base and a multiple of the
/// files.
enum { CAFFE_FOLD_BASE = 1 << 24, CAFFE_FOLD_FACTOR = 8 };

typedef struct caffe_importer caffe_importer;

/// What becomes of a layer. Handlers give false after an error.
typedef bool (*caffe_handler)(caffe_importer *im);

/// How a layer treats fix points.
typedef enum caffe_fixing {
  CAFFE_FLOAT,     // its results are not fixed without a FixedNeuron
  CAFFE_COMPUTES,  // its results have a fix point of their own
  CAFFE_CONTINUES, // they have that of the layer before, which leaves it to it
  CAFFE_MOVES,     // they are fixed because the inputs are
} caffe_fixing;

/// A row of Operators.def.
typedef struct caffe_operator {
  const char *type;
  const char *v1; // its enumerator in nets of 2013, or null
  int v1_number;
  const char *param; // the message with its parameters
  caffe_handler handler;
  int detail;   // an xc_op_kind or what the handler says
  size_t blobs; // with weights: in the caffemodel
  caffe_fixing fixing;
} caffe_operator;

/// What the caffemodel has for a layer.
typedef struct caffe_trained {
  const char *name;
  Caffe__BlobProto **blobs;
  size_t num_blobs;
  const int32_t *info; // pairs of bit width and fix point
  size_t num_info;
} caffe_trained;

typedef struct caffe_layer {
  xc_text_field *text;
  const char *name, *type;
  const caffe_operator *row; // null: unknown
  /// Names of values: that of the blob for what it holds at the end, others for
  /// what layers that work in place replace.
  const char **bottoms, **tops;
  const char **blobs; // the names of the tops in the file
  size_t num_bottoms, num_tops;
  const caffe_trained *trained; // null: the caffemodel has none
} caffe_layer;

/// A layer reads or writes a value.
typedef struct caffe_use {
  const char *name;
  size_t layer, slot; // which bottom or top
  bool writes;
} caffe_use;

struct caffe_importer {
  xc_graph graph;
  xc_text_field root;
  caffe_layer *layers; // those of the phase TEST, in the order of the file
  size_t num_layers;
  xc_graph_node *nodes; // as many
  caffe_use *uses;      // by name, then by layer, reads first
  size_t num_uses;
  caffe_trained *trained; // by name
  size_t num_trained;
  /// Fix points come from FixedNeuron layers; if not, from the caffemodel.
  bool has_fixed_neurons;
  xc_graph_value *failed; // stands for blobs of layers that were reported
  const caffe_layer *layer;
};

/// Reports an error of the layer and gives false.
#define caffe_error(im, ...) xc_graph_error(&(im)->graph, __VA_ARGS__)

// The current layer (Layer.c).

/// The field that counts of several, of the layer's parameters; null when it
/// is absent.
xc_text_field *caffe_field(caffe_importer *im, const char *name);
/// Fields of the parameters; what is none of the kind is an error.
int64_t caffe_int(caffe_importer *im, const char *name, int64_t absent);
double caffe_real(caffe_importer *im, const char *name, double absent);
bool caffe_bool(caffe_importer *im, const char *name, bool absent);
/// The number of one of the words; it may be given by number as well.
size_t caffe_enum(caffe_importer *im, const char *name,
                  const char *const *words, size_t count, size_t absent);
/// Entries of a repeated field; more than `capacity` are an error.
size_t caffe_ints(caffe_importer *im, const char *name, int64_t *values,
                  size_t capacity);
size_t caffe_reals(caffe_importer *im, const char *name, float *values,
                   size_t capacity);
/// The dimensions of a BlobShape message; false after an error.
bool caffe_read_shape(caffe_importer *im, const xc_text_field *message,
                      int64_t *dims, size_t *rank);

/// A bottom, or null after an error.
xc_graph_value *caffe_bottom(caffe_importer *im, size_t index);
/// A bottom of `low` to `high` dimensions, or null after an error.
xc_graph_value *caffe_bottom_of_rank(caffe_importer *im, size_t index,
                                     size_t low, size_t high);
/// Defines a top, on its grid where it has one; false after an error or when
/// the value is null.
bool caffe_top(caffe_importer *im, size_t index, xc_graph_value *value);
bool caffe_top_computed(caffe_importer *im, size_t index, MlirValue mlir,
                        const xc_graph_order *order);
/// Emits the layer's operator with the bottom's order and binds the first top.
bool caffe_unary(caffe_importer *im, xc_op_kind kind,
                 const xc_attributes *attributes);

/// What the fields of a message say, as a dictionary for the host: numbers,
/// words and dictionaries, of repeated fields as a list (Payload.c).
MlirAttribute caffe_payload(caffe_importer *im, const xc_text_field *message);

// Weights (Weights.c).

/// Reads what the layers have in the caffemodel.
bool caffe_read_model(caffe_importer *im, const char *path,
                      const Caffe__NetParameter *model);
const caffe_trained *caffe_find_trained(const caffe_importer *im,
                                        const char *name);

/// What a blob is for: the range of its random numbers.
typedef enum caffe_role {
  CAFFE_WEIGHT, // of a product, by its fan-in
  CAFFE_BIAS,
  CAFFE_GAIN,
  CAFFE_VARIANCE,
  CAFFE_SLOPE,
} caffe_role;

size_t caffe_num_blobs(const caffe_importer *im);
/// Blob `index` as a constant of floats in this shape; null after an error.
/// `fan_in` is for a weight.
xc_graph_value *caffe_blob(caffe_importer *im, size_t index, caffe_role role,
                           const int64_t *dims, size_t rank, int64_t fan_in);
/// The floats of such a constant, of which there are as many as its shape says.
const float *caffe_floats(caffe_importer *im, const xc_graph_value *value);
/// A constant that the importer computed.
xc_graph_value *caffe_new_constant(caffe_importer *im, const char *part,
                                   const int64_t *dims, size_t rank,
                                   float **data);

// Fixed point (Fixed.c).

/// A fix point.
typedef struct caffe_position {
  int64_t bit_width, fix_point;
} caffe_position;

/// Pair `index` of the layer's fix points: bottom, top, weight, bias of a layer
/// with weights. False when it is not known.
bool caffe_find_position(const caffe_importer *im, size_t index,
                         caffe_position *position);
/// A weight or bias (pair `index`) on its grid; the value itself where there is
/// none.
MlirValue caffe_fix_weight(caffe_importer *im, const char *part,
                           MlirValue value, size_t index);
/// Whether the results of the layer go to a fix directly.
bool caffe_is_fixed(const caffe_importer *im);
/// The value of a top on its grid where fix points come from the caffemodel.
xc_graph_value *caffe_fix_top(caffe_importer *im, size_t index,
                              xc_graph_value *value);

// Uses of blobs (Uses.c).

/// Gives every value that a blob holds in turn a name of its own.
void caffe_name_values(caffe_importer *im);
/// The uses of a value, [*first, result), where it is read.
size_t caffe_reads(const caffe_importer *im, const char *name, size_t *first);
/// Unused values, in the order of the layers that compute them.
size_t caffe_find_outputs(caffe_importer *im, const char ***names);

// Tables.

/// The row of a type, by its name or by its enumerator or number in nets of
/// 2013; null when there is none.
const caffe_operator *caffe_operator_find(const char *type, bool is_v1);

#define XC_CAFFE(type, v1, number, param, handler, detail, blobs, fixing)      \
  bool handler(caffe_importer *im);
#include "Operators.def"

#endif // XC_FRONTEND_CAFFE_IMPORTER_H
