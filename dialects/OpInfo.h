//===- OpInfo.h - what the tables say about an operator -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables are generated from the .td files (ods-to-c.py); this header gives
// them their types. A tir operator and its mtir twin share one kind.
//
// Every name of a .td file has an identifier here, so that a misspelling does
// not compile: an operator's kind (XC_TIR_CONV2D), its operand slots
// (XC_CONV2D_WEIGHT), attributes (XC_ATTR_STRIDE) and the cases of string enums
// (XC_ENUM_SAME).
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_OPINFO_H
#define XC_DIALECTS_OPINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XC_OPS_ENUMS
#include "XcOps.inc"
#undef XC_OPS_ENUMS

enum {
  /// Dimensions of a tensor at most.
  XC_MAX_RANK = 8,
  /// Operand slots of an operator at most: 16 inputs and the mtir output.
  XC_MAX_OPERANDS = 17,
  /// Entries of an integer array attribute that are read at once.
  XC_MAX_INTS = 64,
};

#define XC_ELEMENT_BIT(name) (1u << XC_ELEMENT_##name)

typedef enum xc_rule {
#define XC_RULE_ENUMERATOR(upper, lower) XC_RULE_##upper,
  XC_SHAPE_RULES(XC_RULE_ENUMERATOR)
#undef XC_RULE_ENUMERATOR
} xc_rule;

typedef enum xc_dialect {
  XC_DIALECT_TIR,
  XC_DIALECT_MTIR,
  XC_DIALECT_MEMTX,
} xc_dialect;

typedef enum xc_attribute_type {
  XC_ATTRIBUTE_INT,
  XC_ATTRIBUTE_INTS,
  XC_ATTRIBUTE_BOOL,
  XC_ATTRIBUTE_FLOAT,
  XC_ATTRIBUTE_FLOATS,
  XC_ATTRIBUTE_STRING,
  XC_ATTRIBUTE_ELEMENTS,
  XC_ATTRIBUTE_DICTIONARY,
} xc_attribute_type;

typedef struct xc_attribute_info {
  const char *name;
  xc_attr id;
  xc_attribute_type type;
  bool required;
  bool has_default;
  int32_t minimum, maximum; // INT and the entries of INTS
  size_t count;             // entries of INTS; 0: any number
  const xc_enum *cases;     // STRING: what it may be; null: any text
  size_t num_cases;
  int32_t default_int; // INT, BOOL
  const int32_t *default_ints;
  size_t default_count;
  float default_float;
  xc_enum default_case; // STRING; XC_ENUM_ABSENT: no default
} xc_attribute_info;

/// Effects of an operator on memory, as in MLIR's MemoryEffects.
typedef enum xc_effect {
  XC_EFFECT_READ = 1,
  XC_EFFECT_WRITE = 2,
  XC_EFFECT_ALLOCATE = 4,
} xc_effect;

typedef struct xc_operand_info {
  const char *name;
  uint32_t elements; // XC_ELEMENT_BIT of each allowed element type
  bool optional;
  bool memref;      // a buffer, else a tensor
  unsigned effects; // XC_EFFECT_* on the buffer
} xc_operand_info;

typedef struct xc_op_info {
  const char *name;     // "tir.conv2d-fix"
  const char *mnemonic; // "conv2d-fix"
  xc_op_kind kind;
  /// The same operator in floating and in fixed point, if there is one: it has
  /// the same operands and attributes but for fix points. Else the kind itself.
  xc_op_kind float_kind, fix_kind;
  xc_dialect dialect;
  const xc_operand_info *operands; // mtir: the output is the last
  size_t num_operands;
  const xc_attribute_info *attributes;
  size_t num_attributes;
  bool has_result;
  xc_operand_info result;
  bool segmented;    // needs operandSegmentSizes
  unsigned effects;  // XC_EFFECT_* on anything; 0: pure
  bool same_element; // the result has the element type of the first operand
  bool only_moves;   // elements of the one input, in fixed point rescaled
  xc_rule rule;
  const char *summary;
} xc_op_info;

/// Returns all rows, ordered by name.
const xc_op_info *xc_op_table(size_t *count);

/// Returns the row of "tir.conv2d", or null. `name` need not be terminated.
const xc_op_info *xc_op_info_find(const char *name, size_t length);

/// Returns the row of a kind in a dialect, or null when it has none there.
const xc_op_info *xc_op_info_get(xc_dialect dialect, xc_op_kind kind);

/// Returns the row of an attribute, common ones (op_name, id, ...) included, or
/// null.
const xc_attribute_info *
xc_attribute_info_find(const xc_op_info *op, const char *name, size_t length);
const xc_attribute_info *xc_attribute_info_get(const xc_op_info *op,
                                               xc_attr id);
/// Returns the attributes that every operator may carry.
const xc_attribute_info *xc_common_attributes(size_t *count);

/// "stride"; "RELU6".
const char *xc_attr_name(xc_attr id);
const char *xc_enum_name(xc_enum value);
/// Returns the case of a string enum that a text names, or XC_ENUM_ABSENT.
xc_enum xc_enum_find(const xc_attribute_info *row, const char *text,
                     size_t length);

/// Transformations that the effects allow. An operator may be erased when
/// nothing uses its result: it writes nothing. Two with equal operands and
/// attributes may be merged, and one on constants folded, when it depends on
/// nothing else.
bool xc_op_may_erase(const xc_op_info *op);
bool xc_op_may_merge(const xc_op_info *op);

/// "f32"; the size in bytes (i1 counts as 1).
const char *xc_element_name(xc_element element);
size_t xc_element_size(xc_element element);
bool xc_element_is_float(xc_element element);
/// Limits of an integer element type; ui64 ends at INT64_MAX.
int64_t xc_element_min(xc_element element);
int64_t xc_element_max(xc_element element);
/// Returns the element type of a name, or XC_ELEMENT_NONE.
xc_element xc_element_find(const char *name, size_t length);

#endif // XC_DIALECTS_OPINFO_H
