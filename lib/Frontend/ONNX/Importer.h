//===- Importer.h - what the files of the ONNX importer share -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The importer walks the nodes once, in the model's order. Every ONNX value
// has an entry with its shape in the model's dimension order and any number of
// forms: MLIR values that hold it with the dimensions permuted. An operator
// asks for the form it wants (a convolution for NHWC) or takes what is there
// (an addition), and ONNX Transpose only relabels, so that data moves no more
// often than it must.
//
//   handler     one row of Operators.def; reads the current node, emits tir
//   constant    an entry with bytes; folding and forms work on the bytes
//   linear      (de)quantised values are emitted when used, so that their
//               transposes land on the quantised side or in the constant
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_IMPORTER_H
#define XC_FRONTEND_ONNX_IMPORTER_H

#include "onnx.pb-c.h"

#include "Frontend/Import.h"
#include "Support/File.h"
#include "Support/Memory.h"

/// Dimension j of the form is dimension order[j] of the model's value.
typedef struct onnx_order {
  uint8_t dim[XC_MAX_RANK];
} onnx_order;

typedef struct onnx_form {
  MlirValue value;
  onnx_order order;
  struct onnx_form *next;
} onnx_form;

/// Scales and zero points of QuantizeLinear and DequantizeLinear.
typedef struct onnx_linear {
  bool quantizes;
  size_t axis; // in the model's order; only with count > 1
  size_t count;
  const float *scales;
  const int64_t *zero_points; // as many
} onnx_linear;

typedef struct onnx_value {
  const char *name; // of the ONNX value, for messages and locations
  xc_shape shape;   // in the model's order
  /// A constant: bytes in row-major order, one element when `splat`.
  const uint8_t *data;
  bool splat;
  /// A value computed from another when it is used.
  const onnx_linear *linear;
  struct onnx_value *source;
  unsigned depth; // of the chain of sources
  const char *op_name;
  onnx_form *forms; // the oldest first
  /// An argument that is better taken channels last, though it comes plain.
  bool wants_channels_last;
} onnx_value;

/// Bytes that folded constants may take: a base and a multiple of the file.
enum { ONNX_FOLD_BASE = 1 << 24, ONNX_FOLD_FACTOR = 16 };

/// Entries at most of a list that must be constant: axes, sizes, scales.
enum { ONNX_MAX_LIST = 1 << 20 };

typedef struct onnx_entry {
  const char *key;
  onnx_value *value;
} onnx_entry;

/// A file beside the model, kept until the import ends.
typedef struct onnx_file {
  const char *location;
  xc_buffer buffer;
  struct onnx_file *next;
} onnx_file;

typedef struct onnx_importer onnx_importer;

typedef bool (*onnx_handler)(onnx_importer *importer);

/// A row of Operators.def.
typedef struct onnx_operator {
  const char *name;
  const char *domain;
  onnx_handler handler;
  int detail; // an xc_op_kind or an enumerator of the handler's file
} onnx_operator;

struct onnx_importer {
  xc_import base;
  xc_arena arena;
  const Onnx__ModelProto *model;
  int64_t opset;
  bool has_image_operators;
  /// Bytes that folding may still allocate.
  size_t fold_budget;
  /// Open hash table of named values.
  onnx_entry **table;
  size_t table_size;
  onnx_file *files;
  // The current node.
  const Onnx__NodeProto *node;
  const onnx_operator *row;
  const char *op_name;
  MlirLocation location;
};

/// Reports an error, `node 'conv1' (Conv): ...` while there is a node, and
/// gives false.
#define onnx_error(importer, ...)                                              \
  xc_import_error(&(importer)->base, __VA_ARGS__)

// Values (Value.c).

onnx_value *onnx_find(const onnx_importer *importer, const char *name);
/// Enters a value under its name; an error when it is defined already.
bool onnx_define(onnx_importer *importer, const char *name, onnx_value *value);
onnx_value *onnx_new_value(onnx_importer *importer, const char *name,
                           const xc_shape *shape);
/// A constant of borrowed bytes, which must live as long as the importer.
onnx_value *onnx_new_constant(onnx_importer *importer, const char *name,
                              const xc_shape *shape, const void *data,
                              bool splat);
void onnx_add_form(onnx_importer *importer, onnx_value *value, MlirValue mlir,
                   const onnx_order *order);
onnx_order onnx_identity(size_t rank);
/// The order of channels last: 0, 2, ..., rank - 1, 1.
onnx_order onnx_channels_last(size_t rank);
bool onnx_order_equal(const onnx_order *a, const onnx_order *b, size_t rank);
/// Where the model's dimension `dim` stands in a form.
size_t onnx_position(const onnx_order *order, size_t dim);
/// The order in which the value is best taken, for nothing but the first time
/// for an argument.
onnx_order onnx_cheapest(const onnx_value *value);
/// The value with its dimensions in this order; a null value after an error.
MlirValue onnx_get(onnx_importer *importer, onnx_value *value,
                   const onnx_order *order);
MlirValue onnx_get_plain(onnx_importer *importer, onnx_value *value);
MlirValue onnx_get_channels_last(onnx_importer *importer, onnx_value *value);
/// The same elements in another shape (of as many elements), or with
/// dimension i taken from dimension order[i]. Null after an error.
onnx_value *onnx_reshaped(onnx_importer *importer, onnx_value *value,
                          const int64_t *dims, size_t rank);
onnx_value *onnx_transposed(onnx_importer *importer, onnx_value *value,
                            const onnx_order *order);
/// The value of QuantizeLinear or DequantizeLinear, not emitted yet.
onnx_value *onnx_linear_value(onnx_importer *importer, onnx_value *source,
                              const onnx_linear *linear, xc_element element);

// The current node (Node.c).

size_t onnx_num_inputs(const onnx_importer *importer);
bool onnx_has_input(const onnx_importer *importer, size_t index);
/// An input; null when it is absent.
onnx_value *onnx_input(const onnx_importer *importer, size_t index);
/// An input that must be there.
bool onnx_need_input(onnx_importer *importer, size_t index, onnx_value **value);
/// Whether output `index` has a name; used where it costs to make.
bool onnx_has_output(const onnx_importer *importer, size_t index);
/// The content of a constant input as integers or floats, in the arena. Errors
/// name the input and how to bind it.
bool onnx_input_ints(onnx_importer *importer, size_t index,
                     const int64_t **values, size_t *count);
bool onnx_input_floats(onnx_importer *importer, size_t index,
                       const float **values, size_t *count);

const Onnx__AttributeProto *onnx_attribute(const onnx_importer *importer,
                                           const char *name);
int64_t onnx_int(const onnx_importer *importer, const char *name,
                 int64_t absent);
float onnx_float(const onnx_importer *importer, const char *name, float absent);
/// A terminated copy of a string attribute.
const char *onnx_string(onnx_importer *importer, const char *name,
                        const char *absent);
/// Fills `values` with an integer list of at most `capacity` entries; count 0
/// when it is absent.
bool onnx_ints(onnx_importer *importer, const char *name, int64_t *values,
               size_t capacity, size_t *count);
/// An axis of -rank..rank-1 as 0..rank-1.
bool onnx_axis(onnx_importer *importer, int64_t axis, size_t rank,
               size_t *result);
bool onnx_check_rank(onnx_importer *importer, const onnx_value *value,
                     size_t low, size_t high);
/// The axes of a reduction, squeeze and the like: an attribute or, from
/// `since` on, input 1. Sorted and distinct; count 0 when absent.
bool onnx_axes(onnx_importer *importer, int64_t since, size_t rank,
               size_t axes[XC_MAX_RANK], size_t *count);

bool onnx_check_attributes(onnx_importer *importer,
                           const xc_attribute *attributes, size_t count);
/// Emits an operator of the current node. Null after a diagnostic.
MlirValue onnx_emit(onnx_importer *importer, xc_op_kind kind,
                    const MlirValue *operands, size_t num_operands,
                    const xc_attribute *attributes, size_t num_attributes,
                    xc_element element);
/// The same for operators that stand beside the node's main one: op_name is
/// "<node>/<suffix>".
MlirValue onnx_emit_helper(onnx_importer *importer, const char *suffix,
                           xc_op_kind kind, const MlirValue *operands,
                           size_t num_operands, const xc_attribute *attributes,
                           size_t num_attributes, xc_element element);
/// The same without attributes; `b` may be null.
MlirValue onnx_emit_step(onnx_importer *importer, const char *suffix,
                         xc_op_kind kind, MlirValue a, MlirValue b);
/// A step with a number of a's element type as second operand.
MlirValue onnx_emit_step_number(onnx_importer *importer, const char *suffix,
                                xc_op_kind kind, MlirValue a, double number);
/// A constant of rank 0.
MlirValue onnx_emit_number(onnx_importer *importer, double number,
                           xc_element element);
/// Binds the node's output to an MLIR value in an order; false when null.
bool onnx_result(onnx_importer *importer, size_t index, MlirValue value,
                 const onnx_order *order);
bool onnx_result_plain(onnx_importer *importer, size_t index, MlirValue value);
/// Binds the node's output to the content of another value.
bool onnx_result_alias(onnx_importer *importer, size_t index,
                       const onnx_value *value);
/// The operands in one common order and rank, chosen so that little moves.
/// Operands of lower rank get leading ones.
bool onnx_broadcast(onnx_importer *importer, onnx_value *const *values,
                    size_t count, MlirValue *operands, onnx_order *order);

// Tensors (Tensor.c).

/// The element type of an ONNX data type number, or XC_ELEMENT_NONE.
xc_element onnx_element(int32_t data_type);
/// "float16" and the like for messages, types that xc lacks included.
const char *onnx_element_name(int32_t data_type);
/// Reads the content; errors name the tensor. External data files are looked
/// up beside the model.
bool onnx_read_tensor(onnx_importer *importer, const Onnx__TensorProto *tensor,
                      const char *name, onnx_value **value);
/// The constant in a .npy file or a file with one TensorProto.
bool onnx_read_binding(onnx_importer *importer, const char *path,
                       const char *name, onnx_value **value);
/// Checks the dimensions of a shape to come: no tensor is larger than what its
/// type can say.
bool onnx_check_dims(onnx_importer *importer, const char *name,
                     const int64_t *dims, size_t rank, xc_element element,
                     xc_shape *shape);

// Numbers (Number.c).

/// An element of a constant: integers and i1 in `integer`, floats in `real`.
typedef struct onnx_number {
  bool is_float;
  int64_t integer;
  double real;
} onnx_number;

onnx_number onnx_load(const onnx_value *constant, int64_t index);
/// Stores a number as an element of another type: floats truncate towards zero
/// and saturate, integers wrap, i1 is "not zero".
void onnx_store(xc_element element, void *data, int64_t index,
                onnx_number number);
double onnx_to_double(onnx_number number);
int64_t onnx_to_int(onnx_number number);

// Folding (Fold.c).

/// Evaluates the current node when all its inputs are constants and its
/// operator is one that can be. `done` says whether it did.
bool onnx_fold(onnx_importer *importer, bool *done);
/// Begin, end and step of Slice for each dimension, clamped so that they can be
/// walked; input 0 has this shape (OpsShape.c).
bool onnx_slice_bounds(onnx_importer *importer, const xc_shape *shape,
                       int64_t *begin, int64_t *end, int64_t *step);
/// Takes bytes from the folding budget; null when it is exhausted.
void *onnx_fold_alloc(onnx_importer *importer, int64_t count, size_t size);

// Random weights (RandomWeights.c).

/// Replaces the constants that feed convolutions, matrix products and
/// normalisations by seeded numbers (docs/onnx.md has the formula).
bool onnx_random_weights(onnx_importer *importer);

// Tables.

/// The row of an operator, or null.
const onnx_operator *onnx_operator_find(const char *domain, const char *name);
/// All rows, ordered by domain and name.
const onnx_operator *onnx_operator_table(size_t *count);

#endif // XC_FRONTEND_ONNX_IMPORTER_H
