//===- XModel.h - the xmodel container ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An xmodel is a protobuf file (package serial_v2): a graph of operators, each
// with one output tensor, and a tree of subgraphs over them. Everything has
// attributes: a map from names to typed values. A compiled model keeps machine
// code, parameters and register sizes as attributes of its DPU subgraphs.
//
// Reading and writing a file gives the same bytes back, with fields that are
// unknown to us and with maps in the order of the file. Maps of a model that
// was built here are written sorted, so that the bytes are deterministic.
//
// Ownership. A model owns all that is in it; pointers and strings that come
// out of it live until the model is destroyed or the thing itself is changed.
// Strings that go in are copied. No string is null: an absent one is empty.
//
// An index, row, column or position out of range is an error of the caller and
// caught by an assert. So is a value whose type is not that of the attribute.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_XMODEL_H
#define XC_C_XMODEL_H

#include "xc-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XcXModel XcXModel;
typedef struct XcXModelOp XcXModelOp;
typedef struct XcXModelTensor XcXModelTensor;
typedef struct XcXModelSubgraph XcXModelSubgraph;

/// The attributes of a model, operator, tensor or subgraph. Copy freely.
typedef struct XcXModelAttrs {
  void *message;
  const void *field;
} XcXModelAttrs;

/// One attribute; `value` is null when there is no such attribute.
typedef struct XcXModelAttr {
  const char *name;
  void *value;
} XcXModelAttr;

// clang-format off
/// X(Enumerator, number in the format, "word")
#define XC_XMODEL_KINDS(X)                                                     \
  X(None,                  0, "none")                                          \
  X(Bool,                  4, "bool")                                          \
  X(Int32,                 5, "int32")                                         \
  X(Uint32,                6, "uint32")                                        \
  X(Int64,                 7, "int64")                                         \
  X(Uint64,                8, "uint64")                                        \
  X(Float,                 9, "float")                                         \
  X(Double,               10, "double")                                        \
  X(String,               11, "string")                                        \
  X(Bytes,                12, "bytes")                                         \
  X(BoolVec,              13, "bool_vec")                                      \
  X(Int32Vec,             14, "int32_vec")                                     \
  X(Uint32Vec,            15, "uint32_vec")                                    \
  X(Int64Vec,             16, "int64_vec")                                     \
  X(Uint64Vec,            17, "uint64_vec")                                    \
  X(FloatVec,             18, "float_vec")                                     \
  X(DoubleVec,            19, "double_vec")                                    \
  X(StringVec,            20, "string_vec")                                    \
  X(BytesVec,             21, "bytes_vec")                                     \
  X(MapStringToInt32,     22, "map_string_2_int32")                            \
  X(MapStringToUint32,    23, "map_string_2_uint32")                           \
  X(MapStringToInt64,     24, "map_string_2_int64")                            \
  X(MapStringToUint64,    25, "map_string_2_uint64")                           \
  X(MapStringToString,    26, "map_string_2_string")                           \
  X(MapStringToBytes,     27, "map_string_2_bytes")                            \
  X(MapStringToInt32Vec,  28, "map_string_2_int32_vec")                        \
  X(MapStringToUint32Vec, 29, "map_string_2_uint32_vec")                       \
  X(MapStringToInt64Vec,  30, "map_string_2_int64_vec")                        \
  X(MapStringToUint64Vec, 31, "map_string_2_uint64_vec")                       \
  X(MapStringToStringVec, 32, "map_string_2_string_vec")
// clang-format on

typedef enum XcXModelKind {
#define XC_XMODEL_KIND(name, number, word) XcXModelKind##name = number,
  XC_XMODEL_KINDS(XC_XMODEL_KIND)
#undef XC_XMODEL_KIND
} XcXModelKind;

/// The type of a single element of an attribute.
typedef enum XcXModelValueType {
  XcXModelValueTypeInt,    // bool, int32, int64: `integer`
  XcXModelValueTypeUint,   // uint32, uint64: `natural`
  XcXModelValueTypeReal,   // float, double: `real`
  XcXModelValueTypeString, // `data`, terminated, `size` without the end
  XcXModelValueTypeBytes,  // `data`, `size`
} XcXModelValueType;

typedef struct XcXModelValue {
  XcXModelValueType type;
  int64_t integer;
  uint64_t natural;
  double real;
  const void *data;
  size_t size;
} XcXModelValue;

/// Element types of tensors; the width is apart.
typedef enum XcXModelDataType {
  XcXModelDataTypeInt = 0,
  XcXModelDataTypeUint = 1,
  XcXModelDataTypeXint = 2, // fixed point, signed
  XcXModelDataTypeXuint = 3,
  XcXModelDataTypeFloat = 4,
} XcXModelDataType;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Reads a file. Returns null after one error: the file cannot be read, or is
/// not an xmodel. The caller destroys the model. Memory is bounded by the size
/// of the input times a constant.
XC_EXPORTED XcXModel *xcXModelRead(XcDiag *diag, const char *path);
/// Reads an xmodel from `size` bytes, which are not needed afterwards. `file`
/// names the input in diagnostics.
XC_EXPORTED XcXModel *xcXModelReadFromMemory(XcDiag *diag, const char *file,
                                             const void *data, size_t size);
/// Writes the file, replacing an older one. Returns false after one error: the
/// file cannot be written. The model is not verified.
XC_EXPORTED bool xcXModelWrite(XcDiag *diag, const XcXModel *model,
                               const char *path);
/// Returns the bytes of the file, never null; the caller frees them with
/// free().
XC_EXPORTED void *xcXModelWriteToMemory(const XcXModel *model, size_t *size);
/// Null is fine.
XC_EXPORTED void xcXModelDestroy(XcXModel *model);

/// Checks that names of operators are unique, that arguments and subgraphs name
/// operators that exist, and that no operator feeds itself. Returns false after
/// one error, the first violation.
XC_EXPORTED bool xcXModelVerify(XcDiag *diag, const XcXModel *model);

//===----------------------------------------------------------------------===//
// Looking into a model
//===----------------------------------------------------------------------===//

typedef enum XcXModelFormat {
  /// Everything, with the disassembly of each DPU subgraph.
  XcXModelFormatText,
  /// The operators that carry data and what feeds them, for Graphviz.
  XcXModelFormatDot,
  /// The same as a picture.
  XcXModelFormatSvg,
} XcXModelFormat;

/// The caller frees the text, which is terminated, with free(). Returns null
/// after one diagnostic: a DPU subgraph cannot be read, or the graph is not
/// well-formed.
XC_EXPORTED char *xcXModelToString(XcDiag *diag, const XcXModel *model,
                                   XcXModelFormat format, size_t *length);

/// Returns the name of the graph.
XC_EXPORTED const char *xcXModelGetName(const XcXModel *model);
/// Returns the file that was read, for diagnostics; empty for a built model.
XC_EXPORTED const char *xcXModelGetFile(const XcXModel *model);
/// Returns the attributes of the graph.
XC_EXPORTED XcXModelAttrs xcXModelGetAttrs(const XcXModel *model);
/// Operators, in the order of the file or in which they were added.
XC_EXPORTED size_t xcXModelGetNumOps(const XcXModel *model);
XC_EXPORTED XcXModelOp *xcXModelGetOp(const XcXModel *model, size_t index);
/// Returns the first operator of that name, or null. Logarithmic in the number
/// of operators, but for the first call after one was added.
XC_EXPORTED XcXModelOp *xcXModelFindOp(const XcXModel *model, const char *name);
/// Returns the root of the tree of subgraphs, or null when there are none.
XC_EXPORTED XcXModelSubgraph *xcXModelGetRoot(const XcXModel *model);
/// Definitions of operator types that the file carries along.
XC_EXPORTED size_t xcXModelGetNumOpDefs(const XcXModel *model);
XC_EXPORTED const char *xcXModelGetOpDefName(const XcXModel *model,
                                             size_t index);

/// Returns the name of an operator, by which arguments and subgraphs refer to
/// it.
XC_EXPORTED const char *xcXModelOpGetName(const XcXModelOp *op);
/// Returns the type of an operator: "conv2d-fix".
XC_EXPORTED const char *xcXModelOpGetType(const XcXModelOp *op);
/// Returns the attributes of an operator.
XC_EXPORTED XcXModelAttrs xcXModelOpGetAttrs(const XcXModelOp *op);
/// An argument has a name ("input") and a list of names of producers.
XC_EXPORTED size_t xcXModelOpGetNumArgs(const XcXModelOp *op);
XC_EXPORTED const char *xcXModelOpGetArgName(const XcXModelOp *op,
                                             size_t index);
XC_EXPORTED size_t xcXModelOpGetNumArgOps(const XcXModelOp *op, size_t index);
XC_EXPORTED const char *xcXModelOpGetArgOp(const XcXModelOp *op, size_t index,
                                           size_t position);
/// Returns the output of an operator, or null when it has none.
XC_EXPORTED XcXModelTensor *xcXModelOpGetTensor(const XcXModelOp *op);

/// Returns the name of a tensor, which only the board's runtime reads.
XC_EXPORTED const char *xcXModelTensorGetName(const XcXModelTensor *tensor);
/// Returns the number of dimensions, and as many dimensions, outermost first,
/// in elements. Returns null for a tensor without dimensions.
XC_EXPORTED size_t xcXModelTensorGetRank(const XcXModelTensor *tensor);
XC_EXPORTED const uint32_t *xcXModelTensorGetDims(const XcXModelTensor *tensor);
/// Returns an XcXModelDataType; a foreign file may have other values.
XC_EXPORTED int32_t xcXModelTensorGetDataType(const XcXModelTensor *tensor);
/// Returns the number of bits of an element.
XC_EXPORTED int32_t xcXModelTensorGetBitWidth(const XcXModelTensor *tensor);
/// Returns the attributes of a tensor.
XC_EXPORTED XcXModelAttrs xcXModelTensorGetAttrs(const XcXModelTensor *tensor);

/// Returns the name of a subgraph.
XC_EXPORTED const char *
xcXModelSubgraphGetName(const XcXModelSubgraph *subgraph);
/// The names of the operators of a subgraph, those of its children included.
XC_EXPORTED size_t xcXModelSubgraphGetNumOps(const XcXModelSubgraph *subgraph);
XC_EXPORTED const char *xcXModelSubgraphGetOp(const XcXModelSubgraph *subgraph,
                                              size_t index);
/// Returns the attributes of a subgraph.
XC_EXPORTED XcXModelAttrs
xcXModelSubgraphGetAttrs(const XcXModelSubgraph *subgraph);
/// Returns the children of a subgraph, in the order in which they run.
XC_EXPORTED size_t
xcXModelSubgraphGetNumChildren(const XcXModelSubgraph *subgraph);
XC_EXPORTED XcXModelSubgraph *
xcXModelSubgraphGetChild(const XcXModelSubgraph *subgraph, size_t index);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The attributes in the order of the file, of a built model by name. Find
/// gives the one of that name; its value is null when there is none.
XC_EXPORTED size_t xcXModelAttrsGetCount(XcXModelAttrs attrs);
XC_EXPORTED XcXModelAttr xcXModelAttrsGet(XcXModelAttrs attrs, size_t index);
XC_EXPORTED XcXModelAttr xcXModelAttrsFind(XcXModelAttrs attrs,
                                           const char *name);

/// None for an attribute without a value.
XC_EXPORTED XcXModelKind xcXModelAttrGetKind(XcXModelAttr attr);
/// "int32_vec"; null for a number outside the enumeration.
XC_EXPORTED const char *xcXModelKindGetName(XcXModelKind kind);

/// Every attribute is a list of rows, and a row a list of elements: a scalar
/// has one row, a vector one row per element, a map one row per key; only a
/// map of vectors has rows of other widths than 1.
XC_EXPORTED size_t xcXModelAttrGetNumRows(XcXModelAttr attr);
/// Empty unless the attribute is a map.
XC_EXPORTED const char *xcXModelAttrGetKey(XcXModelAttr attr, size_t row);
/// Returns the number of elements of a row.
XC_EXPORTED size_t xcXModelAttrGetWidth(XcXModelAttr attr, size_t row);
/// Returns an element. Its data belongs to the model.
XC_EXPORTED XcXModelValue xcXModelAttrGetValue(XcXModelAttr attr, size_t row,
                                               size_t column);

/// Shortcuts for the common cases, the next five. They return false or null,
/// and leave the result alone, when the attribute is absent or of another kind.
/// Integers are found as bool, int32, uint32, int64 or uint64 that fit.
XC_EXPORTED bool xcXModelAttrsGetInt(XcXModelAttrs attrs, const char *name,
                                     int64_t *result);
XC_EXPORTED bool xcXModelAttrsGetReal(XcXModelAttrs attrs, const char *name,
                                      double *result);
XC_EXPORTED const char *xcXModelAttrsGetString(XcXModelAttrs attrs,
                                               const char *name);
/// Returns the bytes of a Bytes attribute.
XC_EXPORTED const void *xcXModelAttrsGetBytes(XcXModelAttrs attrs,
                                              const char *name, size_t *size);
/// An integer vector of at most `capacity` elements.
XC_EXPORTED bool xcXModelAttrsGetInts(XcXModelAttrs attrs, const char *name,
                                      int64_t *result, size_t capacity,
                                      size_t *count);

//===----------------------------------------------------------------------===//
// Building a model
//===----------------------------------------------------------------------===//

/// Returns an empty model, which the caller destroys.
XC_EXPORTED XcXModel *xcXModelCreate(const char *name);

/// Notes the file that a compiled model was made of, by name and contents, and
/// the version of xc.
XC_EXPORTED void xcXModelSetSource(XcXModel *model, const char *name,
                                   const void *data, size_t size);

/// Appends an operator without arguments, attributes and tensor, which belongs
/// to the model. Names are not checked here: xcXModelVerify reports duplicates.
XC_EXPORTED XcXModelOp *xcXModelAddOp(XcXModel *model, const char *name,
                                      const char *type);
/// Appends an argument: the names of the `count` operators that feed it. They
/// may be added later; xcXModelVerify reports those that do not exist.
XC_EXPORTED void xcXModelOpAddArg(XcXModelOp *op, const char *name,
                                  const char *const *ops, size_t count);
/// Sets the operator's output, in place of an older one: its element type with
/// the bits of an element, and `rank` dimensions, outermost first. The tensor
/// belongs to the operator.
XC_EXPORTED XcXModelTensor *
xcXModelOpSetTensor(XcXModelOp *op, const char *name, XcXModelDataType dataType,
                    int32_t bitWidth, const uint32_t *dims, size_t rank);

/// Renames a tensor.
XC_EXPORTED void xcXModelTensorSetName(XcXModelTensor *tensor,
                                       const char *name);
/// Repeats dimensions and element type of the operator's tensor as its `shape`
/// and `data_type`: operators without inputs, and of types of one's own, have
/// them.
XC_EXPORTED void xcXModelOpSetShape(XcXModelOp *op);

/// Returns the root of the tree of subgraphs, which the first call makes and
/// names.
XC_EXPORTED XcXModelSubgraph *xcXModelAddRoot(XcXModel *model,
                                              const char *name);
/// Appends a child, which belongs to the model.
XC_EXPORTED XcXModelSubgraph *xcXModelSubgraphAddChild(XcXModelSubgraph *parent,
                                                       const char *name);
/// Adds an operator by its name, which xcXModelVerify checks. Ancestors must be
/// given it, too.
XC_EXPORTED void xcXModelSubgraphAddOp(XcXModelSubgraph *subgraph,
                                       const char *op);

/// Replaces or adds an attribute without rows (a scalar: zero or empty) and
/// returns it.
XC_EXPORTED XcXModelAttr xcXModelAttrsSet(XcXModelAttrs attrs, const char *name,
                                          XcXModelKind kind);
/// Nothing happens when there is no such attribute.
XC_EXPORTED void xcXModelAttrsRemove(XcXModelAttrs attrs, const char *name);
/// Sets a scalar, or appends to a vector or map. `key` is for maps; a second
/// value for the same key replaces the first one, or in a map of vectors is
/// appended to its row. The value's type must be that of the kind.
XC_EXPORTED void xcXModelAttrAppend(XcXModelAttr attr, const char *key,
                                    XcXModelValue value);

/// Values of the five types; strings and bytes are borrowed.
XC_EXPORTED XcXModelValue xcXModelValueInt(int64_t integer);
XC_EXPORTED XcXModelValue xcXModelValueUint(uint64_t natural);
XC_EXPORTED XcXModelValue xcXModelValueReal(double real);
XC_EXPORTED XcXModelValue xcXModelValueString(const char *string);
XC_EXPORTED XcXModelValue xcXModelValueBytes(const void *data, size_t size);

/// Replace or add an attribute of that kind with its value, which is copied.
XC_EXPORTED void xcXModelAttrsSetBool(XcXModelAttrs attrs, const char *name,
                                      bool value);
XC_EXPORTED void xcXModelAttrsSetInt32(XcXModelAttrs attrs, const char *name,
                                       int32_t value);
XC_EXPORTED void xcXModelAttrsSetUint64(XcXModelAttrs attrs, const char *name,
                                        uint64_t value);
XC_EXPORTED void xcXModelAttrsSetFloat(XcXModelAttrs attrs, const char *name,
                                       float value);
XC_EXPORTED void xcXModelAttrsSetString(XcXModelAttrs attrs, const char *name,
                                        const char *value);
XC_EXPORTED void xcXModelAttrsSetBytes(XcXModelAttrs attrs, const char *name,
                                       const void *data, size_t size);
XC_EXPORTED void xcXModelAttrsSetInt32Vec(XcXModelAttrs attrs, const char *name,
                                          const int32_t *values, size_t count);
XC_EXPORTED void xcXModelAttrsSetStringVec(XcXModelAttrs attrs,
                                           const char *name,
                                           const char *const *values,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif // XC_C_XMODEL_H
