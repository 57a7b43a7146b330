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
// faults. All else is here. This header is for the module and its messages;
// Value.h, Fold.h, Emit.h, Compose.h, Volume.h and Cut.h beside it have the
// rest:
//
//   names       a table of the model's names and their values (Value.h)
//   values      a shape in the model's order of dimensions, and any number of
//               forms: MLIR values that hold it with the dimensions permuted.
//               An operator asks for the form it wants (a convolution for
//               NHWC) or takes what is there (an addition); a transpose only
//               relabels, so that data moves no more often than it must
//   constants   values with bytes; folding and forms work on the bytes
//   quantised   (de)quantised values are emitted when they are used, so that
//               their transposes land on the quantised side or in the constant
//   folding     shape arithmetic and small constants never reach the module
//               (Fold.h)
//   diagnostics name the file and the node; only the first error gets through,
//               of the graph or, where the front end goes on after it, of each
//               node
//   creation    operators get op_name and a name location (Emit.h); what
//   several
//               formats have and tir does not is composed of tir's operators
//               (Compose.h, Volume.h)
//   parts       --inputs and --outputs leave a part of the model (Cut.h)
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
  /// The part of the model that --inputs and --outputs select (Cut.c).
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
/// Replaces names that exporters made of several (a;b;c) or of long paths by
/// short forms: as many of the last components of the first one as tell it from
/// the others. Other names stay.
void xc_graph_display_names(xc_graph *graph, const char **names, size_t count);
/// To be called after the last node: later messages name the file alone.
void xc_graph_leave(xc_graph *graph);

/// Reports `file: error: [node: ]message` unless an error was reported before.
/// Returns false.
bool xc_graph_error(xc_graph *graph, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Reports a warning or note in the same form.
void xc_graph_report(xc_graph *graph, XcSeverity severity, const char *format,
                     ...) XC_PRINTF_FORMAT(3, 4);

/// Whether an error was reported; where the front end goes on after errors,
/// whether one of this node was.
bool xc_graph_failed(const xc_graph *graph);

/// Reports the operators that the front end does not have, each once with its
/// count, and why where there is more to say than that (Missing.c); sorts them.
/// `before` is the xc_graph_values_before of the first of them, or null.
/// Returns true when there are none.
bool xc_graph_report_missing(xc_graph *graph, const char **names, size_t count,
                             const char *before);

/// Parses dimensions like "1x2x3" into rank and dims of `shape`. None may be 0.
bool xc_graph_parse_dims(const char *text, xc_shape *shape);
/// Reads the --input-shape of an input, or of any value whose shape cannot be
/// inferred, into rank and dims of `shape`. Sets `given` if there is one.
/// Returns false after an error.
bool xc_graph_input_shape(xc_graph *graph, const char *name, xc_shape *shape,
                          bool *given);

/// Adds an argument to the function.
MlirValue xc_graph_argument(xc_graph *graph, const char *name,
                            const xc_shape *shape);

/// Ends the function with its name, its results and their names. Reports
/// options that name no input.
bool xc_graph_return(xc_graph *graph, const char *function,
                     const MlirValue *results, const char *const *names,
                     size_t count);

/// Returns the module, or destroys it and returns null when `ok` is false or an
/// error was reported. Frees everything else.
MlirModule xc_graph_end(xc_graph *graph, bool ok);

//===----------------------------------------------------------------------===//
// Dimensions and memory (Sizes.c)
//===----------------------------------------------------------------------===//

/// Bounds the constants that are made of others by a multiple of the size of
/// the files: hostile ones must not fill the memory. Small files may take some
/// MiB, as tables of indices follow from the shapes of a graph.
void xc_graph_set_budget(xc_graph *graph, size_t file_size);
/// Raises the budget for weights that are made up, as if they were in the file.
void xc_graph_add_budget(xc_graph *graph, size_t file_size);
/// Allocates memory from the budget. Returns null when it is exhausted.
void *xc_graph_alloc(xc_graph *graph, int64_t count, size_t size);
/// Does the same for a table that cannot be done without: an exhausted budget
/// is an error.
void *xc_graph_table(xc_graph *graph, int64_t count, size_t size);

/// Makes a shape of dimensions of the model, after it has checked that a tensor
/// type can have them. `dims` may be those of `shape`.
bool xc_graph_check_dims(xc_graph *graph, const char *name, const int64_t *dims,
                         size_t rank, xc_element element, xc_shape *shape);
/// Normalises an axis of -rank..rank-1 to 0..rank-1.
bool xc_graph_axis(xc_graph *graph, int64_t axis, size_t rank, size_t *result);
/// Returns the product of the dimensions [begin, end).
int64_t xc_graph_product(const xc_shape *shape, size_t begin, size_t end);

#endif // XC_FRONTEND_GRAPH_GRAPH_H
