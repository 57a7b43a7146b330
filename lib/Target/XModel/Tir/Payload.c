//===- Payload.c - attributes of custom operators -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An attribute of any kind of the format becomes an MLIR attribute and comes
// back as the same kind:
//
//   bool, int32, uint32, int64, uint64   i1, i32, ui32, i64, ui64
//   float, double, string                f32, f64, string
//   bytes                                array<i8>
//   bool_vec, int32_vec, int64_vec,      array<i1>, array<i32>, array<i64>,
//   float_vec, double_vec                array<f32>, array<f64>
//   other vectors                        list of the element's attribute
//   maps                                 dictionary of the element's attribute
//
// An empty list is a string_vec, an empty dictionary a map_string_2_string.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "Support/Memory.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// To MLIR
//===----------------------------------------------------------------------===//

// The type of a row of an attribute.
typedef enum element_kind {
  ELEMENT_BOOL,
  ELEMENT_INT32,
  ELEMENT_UINT32,
  ELEMENT_INT64,
  ELEMENT_UINT64,
  ELEMENT_FLOAT,
  ELEMENT_DOUBLE,
  ELEMENT_STRING,
  ELEMENT_BYTES,
} element_kind;

typedef enum container_kind { SCALAR, VECTOR, MAP, MAP_OF_VECTORS } container;

typedef struct kind_info {
  XcXModelKind kind;
  container container;
  element_kind element;
} kind_info;

static const kind_info kinds[] = {
    // clang-format off
    {XcXModelKindBool,                 SCALAR,         ELEMENT_BOOL},
    {XcXModelKindInt32,                SCALAR,         ELEMENT_INT32},
    {XcXModelKindUint32,               SCALAR,         ELEMENT_UINT32},
    {XcXModelKindInt64,                SCALAR,         ELEMENT_INT64},
    {XcXModelKindUint64,               SCALAR,         ELEMENT_UINT64},
    {XcXModelKindFloat,                SCALAR,         ELEMENT_FLOAT},
    {XcXModelKindDouble,               SCALAR,         ELEMENT_DOUBLE},
    {XcXModelKindString,               SCALAR,         ELEMENT_STRING},
    {XcXModelKindBytes,                SCALAR,         ELEMENT_BYTES},
    {XcXModelKindBoolVec,              VECTOR,         ELEMENT_BOOL},
    {XcXModelKindInt32Vec,             VECTOR,         ELEMENT_INT32},
    {XcXModelKindUint32Vec,            VECTOR,         ELEMENT_UINT32},
    {XcXModelKindInt64Vec,             VECTOR,         ELEMENT_INT64},
    {XcXModelKindUint64Vec,            VECTOR,         ELEMENT_UINT64},
    {XcXModelKindFloatVec,             VECTOR,         ELEMENT_FLOAT},
    {XcXModelKindDoubleVec,            VECTOR,         ELEMENT_DOUBLE},
    {XcXModelKindStringVec,            VECTOR,         ELEMENT_STRING},
    {XcXModelKindBytesVec,             VECTOR,         ELEMENT_BYTES},
    {XcXModelKindMapStringToString,    MAP,            ELEMENT_STRING},
    {XcXModelKindMapStringToInt32,     MAP,            ELEMENT_INT32},
    {XcXModelKindMapStringToUint32,    MAP,            ELEMENT_UINT32},
    {XcXModelKindMapStringToInt64,     MAP,            ELEMENT_INT64},
    {XcXModelKindMapStringToUint64,    MAP,            ELEMENT_UINT64},
    {XcXModelKindMapStringToBytes,     MAP,            ELEMENT_BYTES},
    {XcXModelKindMapStringToInt32Vec,  MAP_OF_VECTORS, ELEMENT_INT32},
    {XcXModelKindMapStringToUint32Vec, MAP_OF_VECTORS, ELEMENT_UINT32},
    {XcXModelKindMapStringToInt64Vec,  MAP_OF_VECTORS, ELEMENT_INT64},
    {XcXModelKindMapStringToUint64Vec, MAP_OF_VECTORS, ELEMENT_UINT64},
    {XcXModelKindMapStringToStringVec, MAP_OF_VECTORS, ELEMENT_STRING},
    // clang-format on
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(*kinds) };

static const kind_info *find_kind(XcXModelKind kind) {
  for (size_t i = 0; i < NUM_KINDS; ++i)
    if (kinds[i].kind == kind)
      return &kinds[i];
  return NULL;
}

static const kind_info *find_form(container form, element_kind element) {
  for (size_t i = 0; i < NUM_KINDS; ++i)
    if (kinds[i].container == form && kinds[i].element == element)
      return &kinds[i];
  return NULL;
}

static MlirAttribute get_element(MlirContext context, element_kind kind,
                                 const XcXModelValue *value) {
  switch (kind) {
  case ELEMENT_BOOL:
    return mlirBoolAttrGet(context, value->integer != 0);
  case ELEMENT_INT32:
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value->integer);
  case ELEMENT_INT64:
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value->integer);
  case ELEMENT_UINT32:
    return mlirIntegerAttrGet(mlirIntegerTypeUnsignedGet(context, 32),
                              (int64_t)value->natural);
  case ELEMENT_UINT64:
    return mlirIntegerAttrGet(mlirIntegerTypeUnsignedGet(context, 64),
                              (int64_t)value->natural);
  case ELEMENT_FLOAT:
    return mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context),
                                  value->real);
  case ELEMENT_DOUBLE:
    return mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context),
                                  value->real);
  case ELEMENT_STRING:
    return mlirStringAttrGet(context,
                             mlirStringRefCreate(value->data, value->size));
  case ELEMENT_BYTES:
    return mlirDenseI8ArrayGet(context, (intptr_t)value->size, value->data);
  }
  return (MlirAttribute){NULL};
}

// The values of a vector, or of one row of a map of vectors.
typedef struct values {
  XcXModelAttr attr;
  size_t row; // of a map of vectors
  bool in_row;
  size_t count;
} values;

static XcXModelValue value_at(const values *v, size_t index) {
  return v->in_row ? xcXModelAttrGetValue(v->attr, v->row, index)
                   : xcXModelAttrGetValue(v->attr, index, 0);
}

static MlirAttribute get_list(MlirContext context, element_kind kind,
                              const values *v) {
  MlirAttribute *elements = xc_alloc_array(v->count, sizeof(*elements));
  for (size_t i = 0; i < v->count; ++i) {
    XcXModelValue value = value_at(v, i);
    elements[i] = get_element(context, kind, &value);
  }
  MlirAttribute list = mlirArrayAttrGet(context, (intptr_t)v->count, elements);
  free(elements);
  return list;
}

// Dense arrays: `get` copies `count` elements of C type `type`.
#define DENSE_ARRAY(name, type, member, get)                                   \
  static MlirAttribute name(MlirContext context, const values *v) {            \
    type *elements = xc_alloc_array(v->count, sizeof(*elements));              \
    for (size_t i = 0; i < v->count; ++i)                                      \
      elements[i] = (type)value_at(v, i).member;                               \
    MlirAttribute array = get(context, (intptr_t)v->count, elements);          \
    free(elements);                                                            \
    return array;                                                              \
  }
DENSE_ARRAY(get_bools, int, integer, mlirDenseBoolArrayGet)
DENSE_ARRAY(get_int32s, int32_t, integer, mlirDenseI32ArrayGet)
DENSE_ARRAY(get_int64s, int64_t, integer, mlirDenseI64ArrayGet)
DENSE_ARRAY(get_floats, float, real, mlirDenseF32ArrayGet)
DENSE_ARRAY(get_doubles, double, real, mlirDenseF64ArrayGet)
#undef DENSE_ARRAY

static MlirAttribute get_vector(MlirContext context, element_kind kind,
                                const values *v) {
  switch (kind) {
  case ELEMENT_BOOL:
    return get_bools(context, v);
  case ELEMENT_INT32:
    return get_int32s(context, v);
  case ELEMENT_INT64:
    return get_int64s(context, v);
  case ELEMENT_FLOAT:
    return get_floats(context, v);
  case ELEMENT_DOUBLE:
    return get_doubles(context, v);
  case ELEMENT_UINT32:
  case ELEMENT_UINT64:
  case ELEMENT_STRING:
  case ELEMENT_BYTES:
    return get_list(context, kind, v);
  }
  return (MlirAttribute){NULL};
}

static MlirAttribute get_row(MlirContext context, const kind_info *info,
                             XcXModelAttr attr, size_t row) {
  if (info->container == MAP_OF_VECTORS) {
    values v = {attr, row, true, xcXModelAttrGetWidth(attr, row)};
    return get_vector(context, info->element, &v);
  }
  XcXModelValue value = xcXModelAttrGetValue(attr, row, 0);
  return get_element(context, info->element, &value);
}

typedef struct keyed_row {
  const char *key;
  size_t row;
} keyed_row;

static int compare_rows(const void *a, const void *b) {
  const keyed_row *left = a, *right = b;
  int order = strcmp(left->key, right->key);
  return order ? order : (left->row > right->row) - (left->row < right->row);
}

// Keys of a dictionary are unique: of equal ones the last counts.
static MlirAttribute get_map(MlirContext context, const kind_info *info,
                             XcXModelAttr attr) {
  size_t rows = xcXModelAttrGetNumRows(attr), count = 0;
  keyed_row *sorted = xc_alloc_array(rows, sizeof(*sorted));
  MlirNamedAttribute *entries = xc_alloc_array(rows, sizeof(*entries));
  for (size_t row = 0; row < rows; ++row)
    sorted[row] = (keyed_row){xcXModelAttrGetKey(attr, row), row};
  qsort(sorted, rows, sizeof(*sorted), compare_rows);
  for (size_t i = 0; i < rows; ++i) {
    if (i + 1 < rows && !strcmp(sorted[i].key, sorted[i + 1].key))
      continue;
    MlirStringRef key = mlirStringRefCreateFromCString(sorted[i].key);
    entries[count++] =
        mlirNamedAttributeGet(mlirIdentifierGet(context, key),
                              get_row(context, info, attr, sorted[i].row));
  }
  MlirAttribute map = mlirDictionaryAttrGet(context, (intptr_t)count, entries);
  free(sorted);
  free(entries);
  return map;
}

MlirAttribute xc_xmodel_payload_get(MlirContext context, XcXModelAttr attr) {
  const kind_info *info = find_kind(xcXModelAttrGetKind(attr));
  if (!info)
    return mlirUnitAttrGet(context);
  values v = {attr, 0, false, xcXModelAttrGetNumRows(attr)};
  switch (info->container) {
  case SCALAR:
    return get_row(context, info, attr, 0);
  case VECTOR:
    return get_vector(context, info->element, &v);
  case MAP:
  case MAP_OF_VECTORS:
    return get_map(context, info, attr);
  }
  return mlirUnitAttrGet(context);
}

//===----------------------------------------------------------------------===//
// From MLIR
//===----------------------------------------------------------------------===//

static bool integer_kind(MlirAttribute value, element_kind *kind) {
  MlirType type = mlirAttributeGetType(value);
  if (!mlirTypeIsAInteger(type))
    return false;
  unsigned width = mlirIntegerTypeGetWidth(type);
  bool is_unsigned = mlirIntegerTypeIsUnsigned(type);
  if (width == 1)
    *kind = ELEMENT_BOOL;
  else if (width == 32)
    *kind = is_unsigned ? ELEMENT_UINT32 : ELEMENT_INT32;
  else if (width == 64)
    *kind = is_unsigned ? ELEMENT_UINT64 : ELEMENT_INT64;
  else
    return false;
  return true;
}

// The element that a single attribute is.
static bool element_of(MlirAttribute value, element_kind *kind) {
  if (mlirAttributeIsAInteger(value) || mlirAttributeIsABool(value))
    return integer_kind(value, kind);
  if (mlirAttributeIsAFloat(value)) {
    MlirType type = mlirAttributeGetType(value);
    *kind = mlirTypeIsAF32(type) ? ELEMENT_FLOAT : ELEMENT_DOUBLE;
    return mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
  }
  *kind = mlirAttributeIsAString(value) ? ELEMENT_STRING : ELEMENT_BYTES;
  return mlirAttributeIsAString(value) || mlirAttributeIsADenseI8Array(value);
}

static XcXModelValue string_value(MlirStringRef text, xc_arena *arena) {
  return xcXModelValueString(xc_arena_string(arena, text.data, text.length));
}

static XcXModelValue bytes_value(MlirAttribute value, xc_arena *arena) {
  size_t count = (size_t)mlirDenseArrayGetNumElements(value);
  unsigned char *bytes = xc_arena_alloc(arena, count, 1);
  for (size_t i = 0; i < count; ++i)
    bytes[i] = (unsigned char)mlirDenseI8ArrayGetElement(value, (intptr_t)i);
  return xcXModelValueBytes(bytes, count);
}

static XcXModelValue element_value(MlirAttribute value, element_kind kind,
                                   xc_arena *arena) {
  switch (kind) {
  case ELEMENT_BOOL:
    return xcXModelValueInt(mlirBoolAttrGetValue(value));
  case ELEMENT_INT32:
  case ELEMENT_INT64:
    return xcXModelValueInt(mlirIntegerAttrGetValueInt(value));
  case ELEMENT_UINT32:
  case ELEMENT_UINT64:
    return xcXModelValueUint(mlirIntegerAttrGetValueUInt(value));
  case ELEMENT_FLOAT:
  case ELEMENT_DOUBLE:
    return xcXModelValueReal(mlirFloatAttrGetValueDouble(value));
  case ELEMENT_STRING:
    return string_value(mlirStringAttrGetValue(value), arena);
  case ELEMENT_BYTES:
    return bytes_value(value, arena);
  }
  return xcXModelValueInt(0);
}

// A list of elements in any of its forms.
typedef struct list {
  MlirAttribute value;
  element_kind element;
  size_t count;
  bool is_array; // of attributes, else a dense array
} list;

static bool open_list(MlirAttribute value, list *l) {
  *l = (list){.value = value, .element = ELEMENT_STRING};
  if (mlirAttributeIsAArray(value)) {
    l->is_array = true;
    l->count = (size_t)mlirArrayAttrGetNumElements(value);
    for (size_t i = 0; i < l->count; ++i) {
      element_kind kind;
      if (!element_of(mlirArrayAttrGetElement(value, (intptr_t)i), &kind) ||
          (i && kind != l->element))
        return false;
      l->element = kind;
    }
    return true;
  }
  if (mlirAttributeIsADenseBoolArray(value))
    l->element = ELEMENT_BOOL;
  else if (mlirAttributeIsADenseI32Array(value))
    l->element = ELEMENT_INT32;
  else if (mlirAttributeIsADenseI64Array(value))
    l->element = ELEMENT_INT64;
  else if (mlirAttributeIsADenseF32Array(value))
    l->element = ELEMENT_FLOAT;
  else if (mlirAttributeIsADenseF64Array(value))
    l->element = ELEMENT_DOUBLE;
  else
    return false;
  l->count = (size_t)mlirDenseArrayGetNumElements(value);
  return true;
}

static XcXModelValue list_value(const list *l, size_t index, xc_arena *arena) {
  intptr_t i = (intptr_t)index;
  if (l->is_array)
    return element_value(mlirArrayAttrGetElement(l->value, i), l->element,
                         arena);
  switch (l->element) {
  case ELEMENT_BOOL:
    return xcXModelValueInt(mlirDenseBoolArrayGetElement(l->value, i));
  case ELEMENT_INT32:
    return xcXModelValueInt(mlirDenseI32ArrayGetElement(l->value, i));
  case ELEMENT_INT64:
    return xcXModelValueInt(mlirDenseI64ArrayGetElement(l->value, i));
  case ELEMENT_FLOAT:
    return xcXModelValueReal((double)mlirDenseF32ArrayGetElement(l->value, i));
  case ELEMENT_DOUBLE:
    return xcXModelValueReal(mlirDenseF64ArrayGetElement(l->value, i));
  case ELEMENT_UINT32:
  case ELEMENT_UINT64:
  case ELEMENT_STRING:
  case ELEMENT_BYTES:
    break;
  }
  return xcXModelValueInt(0);
}

// Returns the kind of a map by its first value; all have to agree.
static const kind_info *map_kind(MlirAttribute value) {
  const kind_info *found = NULL;
  size_t count = (size_t)mlirDictionaryAttrGetNumElements(value);
  for (size_t i = 0; i < count; ++i) {
    MlirAttribute entry =
        mlirDictionaryAttrGetElement(value, (intptr_t)i).attribute;
    const kind_info *info = NULL;
    element_kind element;
    list l;
    if (element_of(entry, &element))
      info = find_form(MAP, element);
    else if (open_list(entry, &l))
      info = find_form(MAP_OF_VECTORS, l.element);
    if (!info || (found && info != found))
      return NULL;
    found = info;
  }
  return found ? found : find_kind(XcXModelKindMapStringToString);
}

static bool set_map(XcXModelAttrs attrs, const char *name, MlirAttribute value,
                    xc_arena *arena) {
  const kind_info *info = map_kind(value);
  if (!info)
    return false;
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, info->kind);
  size_t count = (size_t)mlirDictionaryAttrGetNumElements(value);
  for (size_t i = 0; i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(value, (intptr_t)i);
    MlirStringRef name_ref = mlirIdentifierStr(entry.name);
    const char *key = xc_arena_string(arena, name_ref.data, name_ref.length);
    list l;
    if (info->container == MAP) {
      xcXModelAttrAppend(attr, key,
                         element_value(entry.attribute, info->element, arena));
    } else if (open_list(entry.attribute, &l)) {
      for (size_t j = 0; j < l.count; ++j)
        xcXModelAttrAppend(attr, key, list_value(&l, j, arena));
    }
  }
  return true;
}

static bool set_value(XcXModelAttrs attrs, const char *name,
                      MlirAttribute value, xc_arena *arena) {
  element_kind element;
  list l;
  if (mlirAttributeIsADictionary(value))
    return set_map(attrs, name, value, arena);
  if (mlirAttributeIsAUnit(value)) {
    xcXModelAttrsSet(attrs, name, XcXModelKindNone);
    return true;
  }
  if (element_of(value, &element)) {
    XcXModelAttr attr =
        xcXModelAttrsSet(attrs, name, find_form(SCALAR, element)->kind);
    xcXModelAttrAppend(attr, NULL, element_value(value, element, arena));
    return true;
  }
  if (!open_list(value, &l))
    return false;
  XcXModelAttr attr =
      xcXModelAttrsSet(attrs, name, find_form(VECTOR, l.element)->kind);
  for (size_t i = 0; i < l.count; ++i)
    xcXModelAttrAppend(attr, NULL, list_value(&l, i, arena));
  return true;
}

bool xc_xmodel_payload_set(XcXModelAttrs attrs, const char *name,
                           MlirAttribute value) {
  xc_arena arena = {0};
  bool ok = set_value(attrs, name, value, &arena);
  xc_arena_free(&arena);
  return ok;
}
