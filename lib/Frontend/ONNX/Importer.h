//===- Importer.h - what the files of the ONNX importer share -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The importer walks the nodes once, in the model's order, on the graph layer
// (Frontend/Graph/Graph.h). One row of Operators.def stands for an operator of
// ONNX; its handler reads the current node and emits tir. Nodes whose inputs
// are constants are folded before. Before anything else looks at the graph,
// nodes are put after what they read (Sort.c), and calls of the model's
// functions are replaced by their nodes (Inline.c).
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_IMPORTER_H
#define XC_FRONTEND_ONNX_IMPORTER_H

#include "onnx.pb-c.h"

#include "Frontend/Graph/Compose.h"
#include "Frontend/Graph/Cut.h"
#include "Frontend/Graph/Fold.h"
#include "Support/File.h"
#include "Support/PointerMap.h"

/// Entries at most of a list that must be constant: axes, sizes, scales.
enum { ONNX_MAX_LIST = 1 << 20 };

/// A file beside the model, kept until the import ends.
typedef struct xc_onnx_file {
  const char *location;
  xc_buffer buffer;
  struct xc_onnx_file *next;
} xc_onnx_file;

/// The indices that a MaxPool gave (Window.h).
typedef struct xc_onnx_pool_indices xc_onnx_pool_indices;

typedef struct xc_onnx_importer xc_onnx_importer;

typedef bool (*xc_onnx_handler)(xc_onnx_importer *im);

/// A row of Operators.def.
typedef struct xc_onnx_operator {
  const char *name;
  const char *domain;
  xc_onnx_handler handler;
  int detail; // an xc_op_kind or an enumerator of the handler's file
} xc_onnx_operator;

struct xc_onnx_importer {
  xc_graph graph;
  const Onnx__ModelProto *model;
  const void *file_data;
  size_t file_size;
  /// The model's graph without calls of functions.
  const Onnx__GraphProto *body;
  /// The operator sets of nodes that come from functions; others have the
  /// model's.
  xc_pointer_map opsets;
  int64_t model_opset;
  /// The batch that the file was made for, where --input-shape gives another
  /// one; constant shapes have it, too. Or 0.
  int64_t old_batch;
  bool has_image_operators;
  xc_graph_node *nodes; // as many as the graph has
  /// The body, or the branch at hand.
  const Onnx__GraphProto *scope;
  xc_onnx_file *files;
  xc_onnx_pool_indices *pools;
  size_t num_training; // normalisations by the statistics of the batch
  // The current node.
  const Onnx__NodeProto *node;
  const xc_onnx_operator *row;
  int64_t opset;
};

/// Reports an error, `node 'conv1' (Conv): ...` while there is a node, and
/// gives false.
#define xc_onnx_error(im, ...) xc_graph_error(&(im)->graph, __VA_ARGS__)

// The current node (Node.c).

size_t xc_onnx_num_inputs(const xc_onnx_importer *im);
bool xc_onnx_has_input(const xc_onnx_importer *im, size_t index);
/// Returns an input; null when it is absent.
xc_graph_value *xc_onnx_input(const xc_onnx_importer *im, size_t index);
/// An input that must be there.
bool xc_onnx_need_input(xc_onnx_importer *im, size_t index,
                        xc_graph_value **value);
/// Whether output `index` has a name; used where it costs to make.
bool xc_onnx_has_output(const xc_onnx_importer *im, size_t index);
/// The content of a constant input as integers or floats, in the arena. Errors
/// name the input and how to bind it.
bool xc_onnx_input_ints(xc_onnx_importer *im, size_t index,
                        const int64_t **values, size_t *count);
bool xc_onnx_input_floats(xc_onnx_importer *im, size_t index,
                          const float **values, size_t *count);
/// The only element of such an input.
bool xc_onnx_input_int(xc_onnx_importer *im, size_t index, int64_t *number);

const Onnx__AttributeProto *xc_onnx_attribute(const xc_onnx_importer *im,
                                              const char *name);
int64_t xc_onnx_int(const xc_onnx_importer *im, const char *name,
                    int64_t absent);
float xc_onnx_float(const xc_onnx_importer *im, const char *name, float absent);
/// Returns a terminated copy of a string attribute.
const char *xc_onnx_string(xc_onnx_importer *im, const char *name,
                           const char *absent);
/// Fills `values` with an integer list of at most `capacity` entries; count 0
/// when it is absent.
bool xc_onnx_ints(xc_onnx_importer *im, const char *name, int64_t *values,
                  size_t capacity, size_t *count);
bool xc_onnx_check_rank(xc_onnx_importer *im, const xc_graph_value *value,
                        size_t low, size_t high);
/// The axes of a reduction, squeeze and the like: an attribute or, from
/// `since` on, input 1. Sorted and distinct; count 0 when absent.
bool xc_onnx_axes(xc_onnx_importer *im, int64_t since, size_t rank,
                  size_t axes[XC_MAX_RANK], size_t *count);

/// Binds the node's output to an MLIR value in an order; false when null.
bool xc_onnx_result(xc_onnx_importer *im, size_t index, MlirValue value,
                    const xc_graph_order *order);
bool xc_onnx_result_plain(xc_onnx_importer *im, size_t index, MlirValue value);
/// Emits the node's main operator as output 0, in that order.
bool xc_onnx_emit_result(xc_onnx_importer *im, xc_op_kind kind,
                         const MlirValue *operands, size_t num_operands,
                         const xc_attributes *attributes, xc_element element,
                         const xc_graph_order *order);
/// Binds the node's output to the content of another value.
bool xc_onnx_result_alias(xc_onnx_importer *im, size_t index,
                          const xc_graph_value *value);
// The order of nodes (Sort.c).

/// Puts nodes after those whose results they read, in the model's graph, the
/// graphs in it, and functions. An error where they depend on each other.
bool xc_onnx_sort_nodes(xc_onnx_importer *im);

// Functions of the model (Inline.c).

/// Sets im->body: the nodes of functions in place of their calls.
bool xc_onnx_inline_functions(xc_onnx_importer *im);

// Nodes and constants of im->scope (Body.c).

/// Defines the constants.
bool xc_onnx_add_initializers(xc_onnx_importer *im);
/// Reports the operators of no row. `marks`, which may be null, says what is
/// left out.
bool xc_onnx_check_operators(xc_onnx_importer *im, const xc_graph_node *marks);
bool xc_onnx_import_nodes(xc_onnx_importer *im, const xc_graph_node *marks);
/// Returns the name of a node for messages: its own, or that of its first
/// output.
const char *xc_onnx_node_name(const Onnx__NodeProto *node);
/// Makes a node the current one.
void xc_onnx_enter(xc_onnx_importer *im, const Onnx__NodeProto *node);

// Tensors (Tensor.c).

/// Returns the element type of an ONNX data type number, or XC_ELEMENT_NONE.
xc_element xc_onnx_element(int32_t data_type);
/// "float16" and the like for messages, types that xc lacks included.
const char *xc_onnx_element_name(int32_t data_type);
/// Reads the content; errors name the tensor. External data files are looked
/// up beside the model.
bool xc_onnx_read_tensor(xc_onnx_importer *im, const Onnx__TensorProto *tensor,
                         const char *name, xc_graph_value **value);
/// Reads the constant in a .npy file or a file with one TensorProto.
bool xc_onnx_read_binding(xc_onnx_importer *im, const char *path,
                          const char *name, xc_graph_value **value);
// Folding (Fold.c).

/// Evaluates the current node when all its inputs are constants and its
/// operator is one that can be. `done` says whether it did.
bool xc_onnx_fold(xc_onnx_importer *im, bool *done);
/// The bounds of Slice for each dimension, clamped so that they can be walked;
/// input 0 has this shape (OpsSlice.c).
bool xc_onnx_slice_bounds(xc_onnx_importer *im, const xc_shape *shape,
                          xc_graph_slice *slice);

/// The declared shape, or that of --input-shape, of a value whose shape xc
/// cannot infer (Import.c).
bool xc_onnx_declared_output(xc_onnx_importer *im, const char *name,
                             xc_shape *shape);

/// An operator of no row: a tir.custom for each of its outputs (OpsCustom.c).
bool xc_onnx_custom(xc_onnx_importer *im);

// Sequences (OpsSequence.c).

/// Whether the value is a sequence of tensors, which has no content.
bool xc_onnx_is_sequence(const xc_graph_value *value);
/// Whether the operator of this row, which may be null, takes a sequence as
/// that input.
bool xc_onnx_takes_sequence(const xc_onnx_operator *row, size_t index);

// Random weights (RandomWeights.c).

/// Replaces the constants that feed convolutions, matrix products and
/// normalisations by seeded numbers (docs/onnx.md has the formula).
bool xc_onnx_random_weights(xc_onnx_importer *im);

// Tables.

/// Whether the domain is that of the operators of ONNX.
bool xc_onnx_is_default_domain(const char *domain);
/// Returns the version of the operators of ONNX among these sets, or null.
const int64_t *xc_onnx_opset_of(Onnx__OperatorSetIdProto *const *sets,
                                size_t count);
/// Returns the row of an operator, or null.
const xc_onnx_operator *xc_onnx_operator_find(const char *domain,
                                              const char *name);
/// Returns all rows, ordered by domain and name.
const xc_onnx_operator *xc_onnx_operator_table(size_t *count);

#endif // XC_FRONTEND_ONNX_IMPORTER_H
