//===- BytecodeEntries.c - attributes and types of bytecode ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries refer to each other. They are checked in the order of a depth-first
// search with a stack of its own: what an entry refers to is known when it is
// checked. Types are built with MLIR's checked builders, which the reader does
// not use.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Binary encodings of the builtin dialect
//===----------------------------------------------------------------------===//
//
//   a t   reference to an attribute, to a type
//   s r   reference to a string, to a resource
//   v z   integer, signed integer       b   truth value in a byte
//   B     length and bytes              [x] number of x, and so many
//   I F   integer or float as wide as the type referred to first
//   S     strings, as many as that type has elements or one

static const char *const attribute_formats[] = {
    "[a]", "[aa]", "s",  "st",  "a",   "a[a]", "t",    "",
    "tI",  "tF",   "aa", "avv", "[a]", "[a]a", "aa",   "",
    "tr",  "tvB",  "tB", "tvS", "taa", "a",    "a[v]",
};
enum {
  ATTRIBUTE_DENSE_ARRAY = 17,
  ATTRIBUTE_DENSE = 18,
  ATTRIBUTE_DENSE_STRINGS = 19,
  ATTRIBUTE_SPARSE = 20,
  ATTRIBUTE_FILE_RANGE = 22,
  NUM_ATTRIBUTES = sizeof(attribute_formats) / sizeof(*attribute_formats)
};

/// Null for the types without parameters.
static const char *const type_formats[] = {
    [0] = "v",       [2] = "[t][t]", [9] = "t",      [10] = "[z]ta",
    [11] = "a[z]ta", [13] = "[z]t",  [14] = "a[z]t", [15] = "[t]",
    [16] = "t",      [17] = "at",    [18] = "t",     [19] = "[z]t",
    [20] = "[b][z]t"};
enum {
  TYPE_INTEGER,
  TYPE_FUNCTION = 2,
  TYPE_COMPLEX = 9,
  TYPE_MEMREF,
  TYPE_MEMREF_IN_SPACE,
  TYPE_TENSOR = 13,
  TYPE_TENSOR_ENCODED,
  TYPE_TUPLE,
  TYPE_UNRANKED_MEMREF,
  TYPE_UNRANKED_MEMREF_IN_SPACE,
  TYPE_UNRANKED_TENSOR,
  TYPE_VECTOR,
  TYPE_VECTOR_SCALABLE,
  NUM_TYPES = sizeof(type_formats) / sizeof(*type_formats)
};

/// Names of the types without parameters.
static const char *const plain_types[NUM_TYPES] = {
    [1] = "index", [3] = "bf16", [4] = "f16",  [5] = "f32",
    [6] = "f64",   [7] = "f80",  [8] = "f128", [12] = "none"};

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

enum { MAX_LISTS = 2, MAX_WIDTH = (1 << 24) - 1 };

/// The fields of one entry.
typedef struct fields {
  size_t *refs; // indices of entries
  size_t num_refs, refs_capacity;
  int64_t *numbers;
  size_t num_numbers, numbers_capacity;
  uint64_t lists[MAX_LISTS]; // lengths
  size_t num_lists;
  xc_cursor blob;
} fields;

typedef struct decoder {
  xc_bytecode *b;
  xc_bytecode_entry *entry;
  xc_cursor at;
  fields *fields;
  bool only_refs; // leave out what needs types
} decoder;

static void add_ref(fields *f, uint64_t index) {
  xc_grow((void **)&f->refs, &f->refs_capacity, f->num_refs + 1,
          sizeof(*f->refs));
  f->refs[f->num_refs++] = (size_t)index;
}

static void add_number(fields *f, int64_t number) {
  xc_grow((void **)&f->numbers, &f->numbers_capacity, f->num_numbers + 1,
          sizeof(*f->numbers));
  f->numbers[f->num_numbers++] = number;
}

static MlirType type_of_first(const decoder *d) {
  return d->b->entries[d->fields->refs[0]].built;
}

static bool is_number_type(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type);
}

static unsigned width_of(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  return mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type) : 64;
}

// Whether the type has a number of elements, which is given.
static bool count_elements(MlirType type, uint64_t *count) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasStaticShape(type))
    return false;
  *count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(
            *count, (uint64_t)mlirShapedTypeGetDimSize(type, i), count))
      return false;
  return *count < (uint64_t)1 << 56;
}

static bool read_number(decoder *d, bool is_float) {
  MlirType type = type_of_first(d);
  if (is_float ? !mlirTypeIsAFloat(type)
               : !mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
    return false;
  unsigned width = width_of(type), byte;
  uint64_t words, word;
  if (width <= 8)
    return xc_cursor_byte(&d->at, &byte);
  if (width <= 64)
    return xc_cursor_varint(&d->at, &word);
  if (!xc_cursor_count(&d->at, &words))
    return false;
  while (words-- > 0)
    if (!xc_cursor_varint(&d->at, &word))
      return false;
  return true;
}

static bool read_strings(decoder *d) {
  bool is_splat = d->fields->numbers[0] != 0;
  uint64_t count, string;
  if (!count_elements(type_of_first(d), &count))
    return false;
  for (count = is_splat ? 1 : count; count > 0; --count)
    if (!xc_cursor_index(&d->at, d->b->num_strings, &string))
      return false;
  return true;
}

static bool read_field(decoder *d, char code) {
  const xc_bytecode *b = d->b;
  uint64_t value;
  int64_t number;
  unsigned byte;
  switch (code) {
  case 'a':
    if (!xc_cursor_index(&d->at, b->num_attributes, &value))
      return false;
    add_ref(d->fields, value);
    return true;
  case 't':
    if (!xc_cursor_index(&d->at, b->num_types, &value))
      return false;
    add_ref(d->fields, b->num_attributes + value);
    return true;
  case 's':
    return xc_cursor_index(&d->at, b->num_strings, &value);
  case 'r':
    return xc_cursor_index(&d->at, b->num_resources, &value);
  case 'v':
    if (!xc_cursor_varint(&d->at, &value))
      return false;
    add_number(d->fields, (int64_t)value);
    return true;
  case 'z':
    if (!xc_cursor_signed(&d->at, &number))
      return false;
    add_number(d->fields, number);
    return true;
  case 'b':
    if (!xc_cursor_byte(&d->at, &byte) || byte > 1)
      return false;
    add_number(d->fields, byte);
    return true;
  case 'B':
    return xc_cursor_blob(&d->at, &d->fields->blob);
  case 'S':
    return d->only_refs || read_strings(d);
  default:
    return d->only_refs || read_number(d, code == 'F');
  }
}

static bool read_list(decoder *d, const char *format, const char *close) {
  uint64_t count;
  if (!xc_cursor_count(&d->at, &count))
    return false;
  d->fields->lists[d->fields->num_lists++] = count;
  for (uint64_t i = 0; i < count; ++i)
    for (const char *code = format; code < close; ++code)
      if (!read_field(d, *code))
        return false;
  return true;
}

static bool is_type(const xc_bytecode *b, const xc_bytecode_entry *entry) {
  return (uint64_t)(entry - b->entries) >= b->num_attributes;
}

/// Reads the fields of an entry in binary encoding.
static bool decode(xc_bytecode *b, xc_bytecode_entry *entry, fields *f,
                   bool only_refs) {
  bool type = is_type(b, entry);
  decoder d = {b, entry, entry->data, f, only_refs};
  uint64_t kind;
  f->num_refs = f->num_numbers = f->num_lists = 0;
  if (!entry->is_builtin)
    return xc_bytecode_error(b, "an attribute or type of a dialect has a "
                                "binary encoding that xc does not know");
  if (!xc_cursor_index(&d.at, type ? NUM_TYPES : NUM_ATTRIBUTES, &kind))
    return xc_bytecode_error(b, "there is no such attribute or type");
  entry->kind = (unsigned)kind;
  const char *format = type ? type_formats[kind] : attribute_formats[kind];
  for (bool ok = true; format && *format; ++format) {
    if (*format == '[') {
      const char *close = strchr(format, ']');
      ok = read_list(&d, format + 1, close);
      format = close;
    } else {
      ok = read_field(&d, *format);
    }
    if (!ok)
      return xc_bytecode_error(b, "an attribute or type is wrong");
  }
  return only_refs || d.at.at == d.at.end ||
         xc_bytecode_error(b, "an attribute or type ends too late");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static MlirType build_integer(const xc_bytecode *b, uint64_t code) {
  enum { SIGNLESS, SIGNED, UNSIGNED };
  if (code >> 2 > MAX_WIDTH)
    return (MlirType){NULL};
  unsigned width = (unsigned)(code >> 2);
  switch (code & 3) {
  case SIGNLESS:
    return mlirIntegerTypeGet(b->context, width);
  case SIGNED:
    return mlirIntegerTypeSignedGet(b->context, width);
  case UNSIGNED:
    return mlirIntegerTypeUnsignedGet(b->context, width);
  default:
    return (MlirType){NULL};
  }
}

// Parses a parameter of a type. The builder of the type depends on it only as
// far as a dialect or an interface of layouts checks it; MLIR writes these as
// text.
static bool parse_parameter(const xc_bytecode *b, size_t index,
                            MlirAttribute *attribute) {
  const xc_bytecode_entry *entry = &b->entries[index];
  *attribute = mlirAttributeGetNull();
  if (!entry->is_text)
    return true;
  *attribute = mlirAttributeParseGet(
      b->context, mlirStringRefCreate((const char *)entry->data.at,
                                      xc_cursor_left(&entry->data) - 1));
  return !mlirAttributeIsNull(*attribute);
}

static MlirType build_memref(const xc_bytecode *b, const fields *f,
                             bool in_space) {
  MlirAttribute layout, space = mlirAttributeGetNull();
  const size_t *refs = f->refs + in_space;
  if (!parse_parameter(b, refs[1], &layout) || mlirAttributeIsNull(layout) ||
      (!mlirAttributeIsAAffineMap(layout) &&
       !mlirAttributeIsAStridedLayout(layout)) ||
      (in_space && !parse_parameter(b, f->refs[0], &space)))
    return (MlirType){NULL};
  return mlirMemRefTypeGetChecked(b->location, b->entries[refs[0]].built,
                                  (intptr_t)f->num_numbers, f->numbers, layout,
                                  space);
}

static MlirType build_tensor(const xc_bytecode *b, const fields *f,
                             bool is_encoded) {
  MlirAttribute encoding = mlirAttributeGetNull();
  if (is_encoded && !parse_parameter(b, f->refs[0], &encoding))
    return (MlirType){NULL};
  return mlirRankedTensorTypeGetChecked(
      b->location, (intptr_t)f->num_numbers, f->numbers,
      b->entries[f->refs[is_encoded]].built, encoding);
}

static MlirType build_vector(const xc_bytecode *b, const fields *f,
                             bool is_scalable) {
  MlirType element = b->entries[f->refs[0]].built;
  if (!is_scalable)
    return mlirVectorTypeGetChecked(b->location, (intptr_t)f->num_numbers,
                                    f->numbers, element);
  size_t rank = (size_t)f->lists[1];
  if (f->lists[0] != rank)
    return (MlirType){NULL};
  bool *scalable = xc_alloc_array(rank, sizeof(*scalable));
  for (size_t i = 0; i < rank; ++i)
    scalable[i] = f->numbers[i];
  MlirType type = mlirVectorTypeGetScalableChecked(
      b->location, (intptr_t)rank, f->numbers + rank, scalable, element);
  free(scalable);
  return type;
}

static MlirType build_from_types(const xc_bytecode *b, const fields *f,
                                 bool is_function) {
  MlirType *types = xc_alloc_array(f->num_refs, sizeof(*types));
  for (size_t i = 0; i < f->num_refs; ++i)
    types[i] = b->entries[f->refs[i]].built;
  MlirType type =
      is_function
          ? mlirFunctionTypeGet(b->context, (intptr_t)f->lists[0], types,
                                (intptr_t)f->lists[1], types + f->lists[0])
          : mlirTupleTypeGet(b->context, (intptr_t)f->num_refs, types);
  free(types);
  return type;
}

static MlirType build_unranked_memref(const xc_bytecode *b, const fields *f) {
  MlirAttribute space = mlirAttributeGetNull();
  if (f->num_refs > 1 && !parse_parameter(b, f->refs[0], &space))
    return (MlirType){NULL};
  return mlirUnrankedMemRefTypeGetChecked(
      b->location, b->entries[f->refs[f->num_refs - 1]].built, space);
}

static MlirType build_type(const xc_bytecode *b, unsigned kind,
                           const fields *f) {
  if (plain_types[kind])
    return mlirTypeParseGet(b->context,
                            mlirStringRefCreateFromCString(plain_types[kind]));
  switch (kind) {
  case TYPE_INTEGER:
    return build_integer(b, (uint64_t)f->numbers[0]);
  case TYPE_FUNCTION:
  case TYPE_TUPLE:
    return build_from_types(b, f, kind == TYPE_FUNCTION);
  case TYPE_COMPLEX:
    return is_number_type(b->entries[f->refs[0]].built)
               ? mlirComplexTypeGet(b->entries[f->refs[0]].built)
               : (MlirType){NULL};
  case TYPE_MEMREF:
  case TYPE_MEMREF_IN_SPACE:
    return build_memref(b, f, kind == TYPE_MEMREF_IN_SPACE);
  case TYPE_TENSOR:
  case TYPE_TENSOR_ENCODED:
    return build_tensor(b, f, kind == TYPE_TENSOR_ENCODED);
  case TYPE_UNRANKED_TENSOR:
    return mlirUnrankedTensorTypeGetChecked(b->location,
                                            b->entries[f->refs[0]].built);
  case TYPE_VECTOR:
  case TYPE_VECTOR_SCALABLE:
    return build_vector(b, f, kind == TYPE_VECTOR_SCALABLE);
  default:
    return build_unranked_memref(b, f);
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool check_dense_array(MlirType element, const fields *f) {
  if (!is_number_type(element) || width_of(element) == 0)
    return false;
  size_t each = (width_of(element) + 7) / 8, size = xc_cursor_left(&f->blob);
  return size % each == 0 && (uint64_t)f->numbers[0] == size / each;
}

static bool check_dense(MlirType type, const fields *f) {
  uint64_t count;
  if ((!mlirTypeIsARankedTensor(type) && !mlirTypeIsAVector(type)) ||
      !count_elements(type, &count))
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAComplex(element))
    element = mlirComplexTypeGetElementType(element);
  if (!is_number_type(element) && !mlirTypeIsAIndex(element))
    return false;
  return width_of(element) != 0 &&
         !mlirAttributeIsNull(mlirDenseElementsAttrRawBufferGet(
             type, xc_cursor_left(&f->blob), f->blob.at));
}

static const xc_bytecode_entry *dense_of(const xc_bytecode *b, size_t index) {
  const xc_bytecode_entry *entry = &b->entries[index];
  return !entry->is_text && entry->kind == ATTRIBUTE_DENSE ? entry : NULL;
}

// Indices are a matrix of numbers inside the shape, with one row for each
// value; the values are dense.
static bool check_sparse(const xc_bytecode *b, const fields *f) {
  const xc_bytecode_entry *indices = dense_of(b, f->refs[1]);
  const xc_bytecode_entry *values = dense_of(b, f->refs[2]);
  MlirType type = b->entries[f->refs[0]].built;
  uint64_t count, num_indices, num_values;
  if (!indices || !values || !count_elements(type, &count))
    return false;
  MlirType rows = b->entries[indices->type].built;
  MlirType data = b->entries[values->type].built;
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (!count_elements(rows, &num_indices) || !count_elements(data, &num_values))
    return false;
  MlirType index = mlirShapedTypeGetElementType(rows);
  size_t size = xc_cursor_left(&indices->blob);
  if (rank == 0 || mlirShapedTypeGetRank(rows) != 2 ||
      mlirShapedTypeGetRank(data) != 1 ||
      mlirShapedTypeGetDimSize(rows, 1) != rank ||
      mlirShapedTypeGetDimSize(rows, 0) != mlirShapedTypeGetDimSize(data, 0) ||
      !mlirTypeIsAInteger(index) || width_of(index) != 64 ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(data),
                     mlirShapedTypeGetElementType(type)) ||
      (size != 8 && size / 8 != num_indices))
    return false;
  // A splat says one number for all.
  size_t different = size == 8 ? (size_t)rank : (size_t)num_indices;
  for (size_t i = 0; i < different; ++i) {
    int64_t at;
    memcpy(&at, indices->blob.at + (size == 8 ? 0 : 8 * i), 8);
    if (at < 0 ||
        at >= mlirShapedTypeGetDimSize(type, (intptr_t)(i % (size_t)rank)))
      return false;
  }
  return true;
}

static bool check_attribute(const xc_bytecode *b, xc_bytecode_entry *entry,
                            const fields *f) {
  enum { MAX_PLACES = 4 };
  if (f->num_refs) {
    entry->type = f->refs[0];
    entry->blob = f->blob;
  }
  switch (entry->kind) {
  case ATTRIBUTE_DENSE_ARRAY:
    return check_dense_array(b->entries[f->refs[0]].built, f);
  case ATTRIBUTE_DENSE:
    return check_dense(b->entries[f->refs[0]].built, f);
  case ATTRIBUTE_SPARSE:
    return check_sparse(b, f);
  case ATTRIBUTE_FILE_RANGE:
    return f->lists[0] <= MAX_PLACES;
  default:
    return true;
  }
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static bool check_text(xc_bytecode *b, xc_bytecode_entry *entry) {
  size_t size = xc_cursor_left(&entry->data);
  if (size == 0 || memchr(entry->data.at, 0, size) != entry->data.end - 1)
    return xc_bytecode_error(b, "the text of an attribute or type is wrong");
  const xc_source text = {NULL, entry->data.at, size - 1, 1};
  XcDiag silent = {xc_ignore_error, NULL, 0};
  if (!xc_check_nesting(&silent, &text))
    return xc_bytecode_error(b, "nesting is deeper than %d levels",
                             XC_MAX_NESTING);
  if (is_type(b, entry))
    entry->built = mlirTypeParseGet(
        b->context,
        mlirStringRefCreate((const char *)entry->data.at, size - 1));
  return !is_type(b, entry) || !mlirTypeIsNull(entry->built) ||
         xc_bytecode_error(b, "the text of a type is wrong");
}

static bool check_entry(xc_bytecode *b, xc_bytecode_entry *entry, fields *f) {
  enum { CHARACTERS_PER_NODE = 16 };
  if (entry->is_text) {
    entry->weight = 1 + xc_cursor_left(&entry->data) / CHARACTERS_PER_NODE;
    return check_text(b, entry);
  }
  if (!decode(b, entry, f, false))
    return false;
  entry->weight = 1;
  for (size_t i = 0; i < f->num_refs; ++i) {
    const xc_bytecode_entry *used = &b->entries[f->refs[i]];
    entry->weight += used->weight;
    if (used->height >= entry->height)
      entry->height = used->height + 1;
    if (entry->height > XC_MAX_NESTING)
      return xc_bytecode_error(b, "nesting is deeper than %d levels",
                               XC_MAX_NESTING);
    if (entry->weight > b->max_weight)
      return xc_bytecode_error(b, "an attribute or type unfolds to too much");
  }
  if (is_type(b, entry)) {
    entry->built = build_type(b, entry->kind, f);
    return !mlirTypeIsNull(entry->built) ||
           xc_bytecode_error(b, "there is no such type");
  }
  return check_attribute(b, entry, f) ||
         xc_bytecode_error(b, "a constant does not fit its type");
}

/// Entries on the way from the root, and those that are to be visited next.
typedef struct search {
  size_t *items;
  size_t count, capacity;
} search;

static void push(search *s, size_t index) {
  xc_grow((void **)&s->items, &s->capacity, s->count + 1, sizeof(*s->items));
  s->items[s->count++] = index;
}

// The entry on top of the stack is looked at twice: before and after all that
// it refers to.
static bool visit(xc_bytecode *b, search *s, fields *f) {
  xc_bytecode_entry *entry = &b->entries[s->items[s->count - 1]];
  if (entry->state != XC_ENTRY_NEW) {
    bool is_open = entry->state == XC_ENTRY_OPEN;
    entry->state = XC_ENTRY_DONE;
    --s->count;
    return !is_open || check_entry(b, entry, f);
  }
  entry->state = XC_ENTRY_OPEN;
  if (entry->is_text)
    return true;
  if (!decode(b, entry, f, true))
    return false;
  for (size_t i = 0; i < f->num_refs; ++i) {
    if (b->entries[f->refs[i]].state == XC_ENTRY_OPEN)
      return xc_bytecode_error(b, "an attribute or type contains itself");
    if (b->entries[f->refs[i]].state == XC_ENTRY_NEW)
      push(s, f->refs[i]);
  }
  return true;
}

bool xc_bytecode_check_entries(xc_bytecode *b) {
  search s = {0};
  fields f = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < b->num_attributes + b->num_types; ++i) {
    if (b->entries[i].state == XC_ENTRY_NEW)
      push(&s, i);
    while (ok && s.count)
      ok = visit(b, &s, &f);
  }
  free(s.items);
  free(f.refs);
  free(f.numbers);
  return ok;
}
