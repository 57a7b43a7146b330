//===- Graph.h - common layer of the front ends -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A front end walks the nodes of a model in an order in which values come
// before their uses, and builds a function of tir operators:
//
//   xc_graph graph;
//   xc_graph_begin(&graph, diag, context, file, options);
//   xc_graph_set_budget(&graph, file_size);        // for folded constants
//   xc_graph_define(&graph, "w", xc_graph_constant(&graph, "w", &shape, ...));
//   xc_graph_enter(&graph, "conv1", "node 'conv1' (Conv)");
//   MlirValue y = xc_graph_emit(&graph, NULL, XC_TIR_CONV2D, ...);
//   xc_graph_define(&graph, "y", xc_graph_computed(&graph, "y", y, &order));
//   ...
//   ok = xc_graph_return(&graph, "main", results, names, count);
//   return xc_graph_end(&graph, ok);
//
// A front end reads its format, decides what an operator means and reports its
// faults. All else is here:
//
//   names       a table of the model's names and their values
//   values      a shape in the model's order of dimensions, and any number of
//               forms: MLIR values that hold it with the dimensions permuted.
//               An operator asks for the form it wants (a convolution for
//               NHWC) or takes what is there (an addition); a transpose only
//               relabels, so that data moves no more often than it must
//   constants   values with bytes; folding and forms work on the bytes
//   quantised   (de)quantised values are emitted when they are used, so that
//               their transposes land on the quantised side or in the constant
//   folding     shape arithmetic and small constants never reach the module
//   diagnostics name the file and the node; only the first error gets through,
//               of the graph or, where the front end goes on after it, of each
//               node
//   creation    operators get op_name and a name location
//
// Ownership: a graph owns its module until xc_graph_end gives it away, and its
// arena, from which values, forms and folded bytes come; all of them end with
// the graph. Names and the bytes of constants are borrowed and must live as
// long. Functions that return a value or an MlirValue give null after an error
// that has been reported, and take null operands for one.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_GRAPH_H
#define XC_FRONTEND_GRAPH_GRAPH_H

#include "Support/Memory.h"
#include "Support/Text.h"
#include "dialects/Build.h"
#include "xc-c/Import.h"

#include "mlir-c/Diagnostics.h"

typedef struct xc_graph_entry xc_graph_entry;
typedef struct xc_graph_hidden xc_graph_hidden;

typedef struct xc_graph {
  XcDiag *diag;
  const char *file;
  XcImportOptions options;
  MlirContext context;
  MlirModule module;
  MlirOperation function;
  MlirBlock block;
  xc_builder builder; // at the end of the function
  xc_arena arena;
  /// Bytes of constants that may still be made (xc_graph_set_budget).
  size_t budget;
  /// The node at hand: the op_name of its operators, and what stands before
  /// its messages.
  const char *node;
  /// The node's whole name where `node` is a short form of it, or null: it goes
  /// into locations.
  const char *whole;
  xc_text what;
  /// Where the node stands in a text; line 0: the input is none.
  unsigned line, column;
  /// The front end goes on to the next node after an error.
  bool goes_on;
  bool node_failed; // with goes_on
  /// Open hash table of named values; the size is a power of two.
  xc_graph_entry *names;
  size_t num_names, names_size;
  /// Scopes that are open, and what they define or hide, the latest first.
  unsigned depth;
  xc_graph_hidden *hidden;
  /// What --inputs and --outputs leave (Cut.c).
  bool is_cut;
  const char **cut_inputs; // in the order of the options
  size_t num_cut_inputs;
  const char *const *outputs; // given, or the model's
  size_t num_outputs;
  MlirAttribute *input_names;
  size_t num_inputs, input_capacity;
  MlirDiagnosticHandlerID handler;
  unsigned errors_before; // of `diag`
} xc_graph;

//===----------------------------------------------------------------------===//
// The module (Module.c)
//===----------------------------------------------------------------------===//

/// Registers the dialects, makes an empty function and sends what MLIR reports
/// in `context` to `diag`. Only the first error gets through.
void xc_graph_begin(xc_graph *graph, XcDiag *diag, MlirContext context,
                    const char *file, const XcImportOptions *options);

/// Goes on to a node: operators are named after `name`, which is borrowed, and
/// messages begin with the text.
void xc_graph_enter(xc_graph *graph, const char *name, const char *format, ...)
    XC_PRINTF_FORMAT(3, 4);
/// Short forms of names that exporters made of several (a;b;c) or of long
/// paths: as many of the last components of the first one as tell it from the
/// others. Other names stay. `names` are replaced.
void xc_graph_display_names(xc_graph *graph, const char **names, size_t count);
/// After the last node.
void xc_graph_leave(xc_graph *graph);

/// Reports `file: error: [node: ]message` unless an error was reported before.
/// Returns false.
bool xc_graph_error(xc_graph *graph, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Reports a warning or note in the same form.
void xc_graph_report(xc_graph *graph, XcSeverity severity, const char *format,
                     ...) XC_PRINTF_FORMAT(3, 4);

/// Whether an error was reported, of this node where the front end goes on
/// after errors.
bool xc_graph_failed(const xc_graph *graph);

/// Reports the operators that the front end does not have, each once with its
/// count, and why where there is more to say than that (Missing.c); sorts them.
/// `before` is the xc_graph_values_before of the first of them, or null. True
/// when there are none.
bool xc_graph_report_missing(xc_graph *graph, const char **names, size_t count,
                             const char *before);

/// Reads "1x2x3" into rank and dims of `shape`; no dimension is 0.
bool xc_graph_parse_dims(const char *text, xc_shape *shape);
/// Reads the --input-shape of an input, or of any value whose shape cannot be
/// inferred, into rank and dims of `shape` and sets
/// `given`. False after an error.
bool xc_graph_input_shape(xc_graph *graph, const char *name, xc_shape *shape,
                          bool *given);

/// Adds an argument to the function.
MlirValue xc_graph_argument(xc_graph *graph, const char *name,
                            const xc_shape *shape);

/// Ends the function: its name, results and their names. Reports options that
/// name no input.
bool xc_graph_return(xc_graph *graph, const char *function,
                     const MlirValue *results, const char *const *names,
                     size_t count);

/// Gives the module, or destroys it and gives null when `ok` is false or an
/// error was reported. Frees everything else.
MlirModule xc_graph_end(xc_graph *graph, bool ok);

//===----------------------------------------------------------------------===//
// The part that --inputs and --outputs leave (Cut.c)
//===----------------------------------------------------------------------===//

/// A node of the model by the names of its values. All is borrowed; empty names
/// and null stand for absent values. The node's own name, which may be null,
/// stands for its first result.
typedef struct xc_graph_node {
  const char *name;
  const char *const *inputs, *const *outputs;
  size_t num_inputs, num_outputs;
  bool reads_shape; // and no elements: what it computes is constant
  bool is_skipped;  // set by xc_graph_cut
} xc_graph_node;

/// Finds out which nodes are left, before any value is defined: `nodes` are in
/// the order of computation, `inputs` and `outputs` those of the model. Then
/// graph->outputs are the outputs to be, and graph->cut_inputs values of nodes
/// that become arguments; without such options nothing is skipped. False after
/// an error.
bool xc_graph_cut(xc_graph *graph, xc_graph_node *nodes, size_t count,
                  const xc_graph_node *ends);
/// The values that a node reads and those before it compute from the inputs of
/// the model, with commas; null if there are none.
const char *xc_graph_values_before(xc_graph *graph, const xc_graph_node *nodes,
                                   size_t reader);
/// Whether an input or constant of the model is read by what is left.
bool xc_graph_is_needed(const xc_graph *graph, const char *name);
/// Whether the value is an argument although a node computes it: its node, left
/// for another result, does not define it.
bool xc_graph_is_cut_input(const xc_graph *graph, const char *name);

//===----------------------------------------------------------------------===//
// Creation of operators (Emit.c)
//===----------------------------------------------------------------------===//

/// Attributes for an operator to be created.
typedef struct xc_attributes {
  const xc_attribute *items;
  size_t count;
} xc_attributes;

/// The attributes of an array.
#define XC_ATTRIBUTES(array)                                                   \
  (&(const xc_attributes){array, sizeof(array) / sizeof(*(array))})

/// `graph->builder` at the location of what computes the tensor `name`.
xc_builder xc_graph_builder(const xc_graph *graph, const char *name);

/// Creates the operator of that name. `attributes` may be null, and their
/// integers must fit the 32 bits that tir has for them; `element` is that of
/// xc_build.
MlirValue xc_graph_build(xc_graph *graph, const char *name, xc_op_kind kind,
                         const MlirValue *operands, size_t num_operands,
                         const xc_attributes *attributes, xc_element element);

/// Creates the main operator of the node, or, with a part, one beside it with
/// the op_name "<node>/<part>".
MlirValue xc_graph_emit(xc_graph *graph, const char *part, xc_op_kind kind,
                        const MlirValue *operands, size_t num_operands,
                        const xc_attributes *attributes, xc_element element);
/// The same without attributes; `b` may be null.
MlirValue xc_graph_emit_binary(xc_graph *graph, const char *part,
                               xc_op_kind kind, MlirValue a, MlirValue b);
/// The same with a number of a's element type as second operand.
MlirValue xc_graph_emit_with(xc_graph *graph, const char *part, xc_op_kind kind,
                             MlirValue a, double number);
/// A tir.custom of that type and shape; the payload, which the host's kernel
/// gets, is a dictionary.
MlirValue xc_graph_emit_custom(xc_graph *graph, const char *type,
                               const MlirValue *operands, size_t num_operands,
                               MlirAttribute payload, const xc_shape *shape);
/// The same elements as another type.
MlirValue xc_graph_emit_cast(xc_graph *graph, const char *part, MlirValue value,
                             xc_element element);
/// A constant of rank 0.
MlirValue xc_graph_emit_number(xc_graph *graph, double number,
                               xc_element element);
/// The elements in the opposite order: -x of floats; of integers, whose
/// smallest has no negative, -1 - x, or the largest less x where there is no
/// sign.
MlirValue xc_graph_emit_reverse(xc_graph *graph, const char *part, MlirValue x);

//===----------------------------------------------------------------------===//
// Operators of several formats, composed of tir's (Compose.c)
//===----------------------------------------------------------------------===//

/// Whether a is in that relation ("EQ", "LT", ...) to b; a number is one of a's
/// elements.
MlirValue xc_graph_emit_compare(xc_graph *graph, const char *predicate,
                                MlirValue a, MlirValue b);
MlirValue xc_graph_emit_compare_with(xc_graph *graph, const char *predicate,
                                     MlirValue a, double number);
MlirValue xc_graph_emit_select(xc_graph *graph, MlirValue condition,
                               MlirValue yes, MlirValue no);
MlirValue xc_graph_emit_reshape(xc_graph *graph, MlirValue value,
                                const int64_t *dims, size_t rank);
/// A constant of i64 elements, which are the graph's (xc_graph_alloc).
MlirValue xc_graph_emit_ints(xc_graph *graph, const int64_t *ints,
                             const int64_t *dims, size_t rank);
/// 0, 1, 2, ... along one dimension of a tensor whose others have size 1.
MlirValue xc_graph_emit_iota(xc_graph *graph, size_t rank, size_t axis,
                             int64_t size);
MlirValue xc_graph_emit_reduction(xc_graph *graph, xc_op_kind kind,
                                  MlirValue input, const int64_t *axes,
                                  size_t count, bool keep_dims);
/// Joins any number of values, by several operators if it has to; `operands` is
/// written to.
MlirValue xc_graph_emit_concat(xc_graph *graph, MlirValue *operands,
                               size_t count, size_t axis);
/// As often side by side along each dimension.
MlirValue xc_graph_emit_tile(xc_graph *graph, MlirValue value,
                             const int64_t *repeats);
/// x * erf's share of it, or the formula with tanh that comes near.
MlirValue xc_graph_emit_gelu(xc_graph *graph, MlirValue x, bool by_tanh);
/// -1, 0 or 1.
MlirValue xc_graph_emit_sign(xc_graph *graph, MlirValue x);
/// The angle of (x, y), from minus half a turn to half a turn.
MlirValue xc_graph_emit_atan2(xc_graph *graph, MlirValue y, MlirValue x);
/// Numbers that stand for floats in training.
typedef struct xc_graph_fake_quant {
  double min, max; // min < max
  int64_t bits;    // 2 to 16
  bool is_narrow;  // without the lowest number
} xc_graph_fake_quant;
/// The nearest of 2^bits numbers from min to max, which are moved so that 0 is
/// one of them.
MlirValue xc_graph_emit_fake_quant(xc_graph *graph, MlirValue x,
                                   const xc_graph_fake_quant *quant);
/// The remainder of a / b with the sign of b (floors) or of a.
MlirValue xc_graph_emit_modulo(xc_graph *graph, MlirValue a, MlirValue b,
                               bool floors);
/// The quotient of floats rounded down; of integers that of what the remainder
/// leaves. The main operator of the node.
MlirValue xc_graph_emit_floor_div(xc_graph *graph, MlirValue a, MlirValue b);
/// How TensorFlow and TensorFlow Lite pick the nearest element of a resize, as
/// tir's enumerator.
const char *xc_graph_nearest_mode(bool align_corners, bool half_pixel);
// By index (Index.c).

/// Entries of `input` whose leading indices, after `batch_dims` common
/// dimensions, stand in the last dimension of `indices`. Negative ones count
/// from the end.
MlirValue xc_graph_emit_gather_nd(xc_graph *graph, MlirValue input,
                                  MlirValue indices, size_t batch_dims);
/// The element of `input` at each position of `indices`, with the index in
/// place of the position along an axis.
MlirValue xc_graph_emit_gather_elements(xc_graph *graph, MlirValue input,
                                        MlirValue indices, size_t axis);
/// `data` with each of `rows`, a vector, replaced by its update, or combined
/// with it ("NONE", "ADD", ... as tir.scatter has them), one after the other.
/// Rows are as large as updates.
MlirValue xc_graph_emit_scatter(xc_graph *graph, MlirValue data, MlirValue rows,
                                MlirValue updates, const char *reduction);
/// The same with rows by their leading indices, as xc_graph_emit_gather_nd, and
/// for elements along an axis, as xc_graph_emit_gather_elements. The caller has
/// checked the shapes.
MlirValue xc_graph_emit_scatter_nd(xc_graph *graph, MlirValue data,
                                   MlirValue indices, MlirValue updates,
                                   const char *reduction);
MlirValue xc_graph_emit_scatter_elements(xc_graph *graph, MlirValue data,
                                         MlirValue indices, MlirValue updates,
                                         size_t axis, const char *reduction);
/// Whether indices (a position, a list of places in a vector, or of positions)
/// and as many values, or one, fit a tensor of that rank.
bool xc_graph_sparse_fits(const xc_shape *indices, const xc_shape *values,
                          size_t rank);
/// A tensor with the values there and `absent` elsewhere.
MlirValue xc_graph_emit_sparse(xc_graph *graph, MlirValue indices,
                               MlirValue values, MlirValue absent,
                               const int64_t *dims, size_t rank);

// Along a dimension (Along.c).

/// Entries begin..end of one dimension.
MlirValue xc_graph_emit_part(xc_graph *graph, MlirValue x, size_t axis,
                             int64_t begin, int64_t end);
/// The entries of one dimension that the list names; it is the graph's.
MlirValue xc_graph_emit_entries(xc_graph *graph, MlirValue x, size_t axis,
                                const int64_t *entries, int64_t count);
/// The entries of one dimension from the last to the first.
MlirValue xc_graph_emit_flip(xc_graph *graph, MlirValue x, size_t axis);
/// The sum of an entry and all before (backwards: after) it; without the entry
/// itself if it `excludes`.
MlirValue xc_graph_emit_cumulative_sum(xc_graph *graph, MlirValue x,
                                       size_t axis, bool excludes,
                                       bool backwards);
MlirValue xc_graph_emit_product(xc_graph *graph, MlirValue x,
                                const int64_t *axes, size_t count,
                                bool keep_dims);
/// The first entries along `time_axis` turned around, as many as `lengths` has
/// for each entry of `batch_axis`.
MlirValue xc_graph_emit_reverse_sequence(xc_graph *graph, MlirValue x,
                                         MlirValue lengths, size_t batch_axis,
                                         size_t time_axis);
/// side[1] where the index along a new dimension of that size is the input,
/// side[0] elsewhere.
MlirValue xc_graph_emit_one_hot(xc_graph *graph, MlirValue indices, size_t axis,
                                int64_t depth, const MlirValue sides[2]);

/// What is beyond an image.
typedef enum xc_graph_edge {
  XC_GRAPH_EDGE_ZEROS,
  XC_GRAPH_EDGE_BORDER,     // the nearest pixel
  XC_GRAPH_EDGE_REFLECTION, // the image turned around
} xc_graph_edge;

typedef struct xc_graph_sampling {
  size_t taps; // along each dimension: 1 nearest, 2 linear, 4 cubic
  xc_graph_edge edge;
  bool align_corners; // it turns in the middle of the last pixel
} xc_graph_sampling;
/// The channels of an NHWC image at rows y and columns x, which are floats, of
/// the image of that number (i64) in the batch. The three broadcast; channels
/// come after their dimensions (Sample.c).
MlirValue xc_graph_emit_samples(xc_graph *graph, MlirValue image,
                                MlirValue batch, MlirValue y, MlirValue x,
                                const xc_graph_sampling *sampling);

/// What non-maximum suppression takes besides boxes and scores.
typedef struct xc_graph_nms {
  int64_t max_boxes;
  double iou_threshold, score_threshold;
  bool center_point_box;
} xc_graph_nms;
MlirValue xc_graph_emit_nms(xc_graph *graph, MlirValue boxes, MlirValue scores,
                            const xc_graph_nms *nms, xc_element element);

/// A recurrent layer in one direction. Weights have a row for each unit of each
/// gate, in the order of tir.recurrent; what is null is left out.
typedef struct xc_graph_recurrent {
  const char *part;                   // of the operators' names
  const char *cell;                   // "RNN", "LSTM", "GRU"
  MlirValue input;                    // [steps, batch, channels]
  MlirValue weight, recurrent_weight; // [gates * units, channels or units]
  MlirValue bias;                     // [gates * units]
  MlirValue initial, candidate_bias, peephole, lengths; // as the operator's
  bool reverse, reset_after;
  const char *gate_activation, *activation, *output_activation;
  double alpha, beta; // of HARD_SIGMOID
} xc_graph_recurrent;
/// The states after each step, [steps, batch, states * units] (Recurrent.c).
MlirValue xc_graph_emit_recurrent(xc_graph *graph,
                                  const xc_graph_recurrent *layer);

//===----------------------------------------------------------------------===//
// Values (Value.c)
//===----------------------------------------------------------------------===//

/// Dimension j of the form is dimension order[j] of the model's value.
typedef struct xc_graph_order {
  uint8_t dim[XC_MAX_RANK];
} xc_graph_order;

typedef struct xc_graph_form {
  MlirValue value;
  xc_graph_order order;
  struct xc_graph_form *next;
} xc_graph_form;

/// Scales and zero points that quantise or dequantise another value.
typedef struct xc_graph_linear {
  bool quantizes;
  size_t axis; // in the model's order; only with count > 1
  size_t count;
  const float *scales;
  const int64_t *zero_points; // as many
} xc_graph_linear;

typedef struct xc_graph_value {
  const char *name; // in the model, for messages and locations
  xc_shape shape;   // in the model's order
  /// A constant: bytes in row-major order, one element when `splat`.
  const uint8_t *data;
  bool splat;
  /// A value computed from another when it is used.
  const xc_graph_linear *linear;
  struct xc_graph_value *source;
  unsigned depth; // of the chain of sources
  /// What it was reshaped from, or null: who takes the elements in another
  /// order anyhow need not have them moved first.
  struct xc_graph_value *origin;
  /// Of the front end; another name, order or shape keeps it.
  const void *note;
  const char *op_name;
  xc_graph_form *forms; // the oldest first
  /// An argument that is better taken channels last, though it comes plain.
  bool wants_channels_last;
} xc_graph_value;

/// The value of that name, or null.
xc_graph_value *xc_graph_find(const xc_graph *graph, const char *name);
/// Enters a value under its name; an error when it is defined already.
bool xc_graph_define(xc_graph *graph, const char *name, xc_graph_value *value);

/// A graph within the graph: names defined until it is closed are its own and
/// may hide others. Scopes nest; values stay.
void xc_graph_open_scope(xc_graph *graph);
void xc_graph_close_scope(xc_graph *graph);

/// What is known of a name besides its value.
typedef struct xc_graph_marks {
  bool is_computed, is_input; // in the file
  bool is_needed, is_cut;     // by Cut.c
  bool is_shaped;             // by --input-shape
  bool varies;                // computed from inputs (xc_graph_values_before)
  bool is_taken;              // a name that no new value may get
  unsigned displays;          // names that end with it (xc_graph_display_names)
} xc_graph_marks;
/// The marks of a name, entered if it is new; valid until the next one is.
xc_graph_marks *xc_graph_mark(xc_graph *graph, const char *name);
/// One copy of a name for all that are equal, entered if it is new: a key for
/// maps of pointers.
const char *xc_graph_intern(xc_graph *graph, const char *name);
/// The marks of a name; none of an unknown one.
xc_graph_marks xc_graph_marks_of(const xc_graph *graph, const char *name);

xc_graph_value *xc_graph_new_value(xc_graph *graph, const char *name,
                                   const xc_shape *shape);
xc_graph_value *xc_graph_constant(xc_graph *graph, const char *name,
                                  const xc_shape *shape, const void *data,
                                  bool splat);
/// What an operator computed, whose dimensions stand in that order.
xc_graph_value *xc_graph_computed(xc_graph *graph, const char *name,
                                  MlirValue mlir, const xc_graph_order *order);
/// The value of a quantising or dequantising operator, not emitted yet.
xc_graph_value *xc_graph_quantised(xc_graph *graph, xc_graph_value *source,
                                   const xc_graph_linear *linear,
                                   xc_element element);
/// Another name for the same content.
xc_graph_value *xc_graph_alias(xc_graph *graph, const char *name,
                               const xc_graph_value *value);
void xc_graph_add_form(xc_graph *graph, xc_graph_value *value, MlirValue mlir,
                       const xc_graph_order *order);

xc_graph_order xc_graph_identity(size_t rank);
/// The order of channels last: 0, 2, ..., rank - 1, 1.
xc_graph_order xc_graph_channels_last(size_t rank);
bool xc_graph_order_equal(const xc_graph_order *a, const xc_graph_order *b,
                          size_t rank);
/// Where the model's dimension `dim` stands in a form.
size_t xc_graph_position(const xc_graph_order *order, size_t dim);
/// The order in which the value is best taken, for nothing but the first time
/// for an argument.
xc_graph_order xc_graph_cheapest(const xc_graph_value *value);
xc_shape xc_graph_permuted(const xc_shape *shape, const xc_graph_order *order);
/// Whether going from one order to the other leaves the elements where they
/// are: the dimensions other than 1 come in the same sequence.
bool xc_graph_keeps_data(const xc_shape *shape, const xc_graph_order *from,
                         const xc_graph_order *to);

/// Whether a value consists of constants: its elements move at compile time.
bool xc_graph_is_constant(MlirValue value);

/// The value with its dimensions in this order.
MlirValue xc_graph_get(xc_graph *graph, xc_graph_value *value,
                       const xc_graph_order *order);
MlirValue xc_graph_get_plain(xc_graph *graph, xc_graph_value *value);
MlirValue xc_graph_get_channels_last(xc_graph *graph, xc_graph_value *value);

/// Dimension i is taken from dimension order[i].
xc_graph_value *xc_graph_transpose(xc_graph *graph, xc_graph_value *value,
                                   const xc_graph_order *order);
/// The same elements in another shape of as many elements (Reshape.c).
xc_graph_value *xc_graph_reshape(xc_graph *graph, xc_graph_value *value,
                                 const int64_t *dims, size_t rank);
/// The operands in one common order and rank, chosen so that little moves.
/// Operands of lower rank get leading ones (Reshape.c).
bool xc_graph_broadcast(xc_graph *graph, xc_graph_value *const *values,
                        size_t count, MlirValue *operands,
                        xc_graph_order *order);

//===----------------------------------------------------------------------===//
// Numbers (Number.c)
//===----------------------------------------------------------------------===//

/// An element of a constant: integers and i1 in `integer`, floats in `real`.
typedef struct xc_graph_number {
  bool is_float;
  int64_t integer;
  double real;
} xc_graph_number;

xc_graph_number xc_graph_load(const xc_graph_value *constant, int64_t index);
/// Stores a number as an element of another type: floats truncate towards zero
/// and saturate, integers wrap, i1 is "not zero".
void xc_graph_store(xc_element element, void *data, int64_t index,
                    xc_graph_number number);
double xc_graph_to_real(xc_graph_number number);
int64_t xc_graph_to_int(xc_graph_number number);

/// Gives a constant numbers from `low` to `high` that are made from the user's
/// seed and its name (Random.c).
bool xc_graph_fill_random(xc_graph *graph, xc_graph_value *value, double low,
                          double high);

//===----------------------------------------------------------------------===//
// Folding (Fold.c)
//===----------------------------------------------------------------------===//
//
// All inputs are constants. Each function sets `result` to a constant with the
// name of the node, or to null where an operator has to do the work: the
// budget is exhausted, or the inputs are not what the operator can take. False
// after an error.

/// What is computed of one, two or three elements. Integers wrap.
// clang-format off
#define XC_GRAPH_SCALARS(X)                                                    \
  X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) X(FLOOR_DIV, 2) X(REM, 2)            \
  X(FLOOR_MOD, 2) X(MIN, 2) X(MAX, 2)                                          \
  X(EQUAL, 2) X(LESS, 2) X(GREATER, 2) X(LESS_EQUAL, 2) X(GREATER_EQUAL, 2)    \
  X(AND, 2) X(OR, 2) X(XOR, 2)                                                 \
  X(COPY, 1) X(NEG, 1) X(ABS, 1) X(FLOOR, 1) X(CEIL, 1) X(SQRT, 1) X(NOT, 1)   \
  X(SELECT, 3)
// clang-format on

typedef enum xc_graph_scalar {
#define XC_GRAPH_SCALAR(name, arity) XC_GRAPH_##name,
  XC_GRAPH_SCALARS(XC_GRAPH_SCALAR)
#undef XC_GRAPH_SCALAR
} xc_graph_scalar;

/// How many inputs it has.
size_t xc_graph_scalar_arity(xc_graph_scalar scalar);

/// Bounds the constants that are made of others by a multiple of the size of
/// the files: hostile ones must not fill the memory. Small files may take some
/// MiB, as tables of indices follow from the shapes of a graph.
void xc_graph_set_budget(xc_graph *graph, size_t file_size);
/// More of it, for weights that are made up: as if they were in the file.
void xc_graph_add_budget(xc_graph *graph, size_t file_size);
/// Takes bytes from the budget; null when it is exhausted.
void *xc_graph_alloc(xc_graph *graph, int64_t count, size_t size);
/// The same for what must be made; null after an error.
void *xc_graph_table(xc_graph *graph, int64_t count, size_t size);

/// Checks the dimensions of a shape to come: no tensor is larger than what its
/// type can say. `dims` may be those of `shape`.
bool xc_graph_check_dims(xc_graph *graph, const char *name, const int64_t *dims,
                         size_t rank, xc_element element, xc_shape *shape);
/// An axis of -rank..rank-1 as 0..rank-1.
bool xc_graph_axis(xc_graph *graph, int64_t axis, size_t rank, size_t *result);
/// The product of the dimensions [begin, end).
int64_t xc_graph_product(const xc_shape *shape, size_t begin, size_t end);

/// Element by element, with broadcasting, as elements of that type. Dividing
/// an integer by zero is an error.
bool xc_graph_fold_elementwise(xc_graph *graph, xc_graph_scalar scalar,
                               xc_graph_value *const *inputs,
                               xc_element element, xc_graph_value **result);
/// All elements as one, in a shape of one element.
bool xc_graph_fold_reduction(xc_graph *graph, xc_graph_scalar scalar,
                             const xc_graph_value *input, const xc_shape *shape,
                             xc_graph_value **result);
/// Negative indices count from the end.
bool xc_graph_fold_gather(xc_graph *graph, const xc_graph_value *input,
                          const xc_graph_value *indices, size_t axis,
                          xc_graph_value **result);
bool xc_graph_fold_concat(xc_graph *graph, xc_graph_value *const *inputs,
                          size_t count, size_t axis, xc_graph_value **result);
/// Where a slice begins, before which element it ends (-1: before the first),
/// and its step, for each dimension.
typedef struct xc_graph_slice {
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], step[XC_MAX_RANK];
} xc_graph_slice;
/// All of a tensor.
xc_graph_slice xc_graph_whole(const xc_shape *shape);
bool xc_graph_fold_slice(xc_graph *graph, const xc_graph_value *input,
                         const xc_graph_slice *slice, xc_graph_value **result);
/// A constant of one element in a shape that it is broadcast to.
bool xc_graph_fold_expand(xc_graph *graph, xc_graph_value *input,
                          const xc_shape *wanted, xc_graph_value **result);

#endif // XC_FRONTEND_GRAPH_GRAPH_H
