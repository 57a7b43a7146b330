//===- Attr.c - attributes of an xmodel -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format has 29 kinds of values. They are walked by the field descriptors
// of protobuf-c instead of by 29 cases: a value is a scalar, a message around
// one scalar (Bytes), around a list of elements, or around a list of map
// entries whose value is again a scalar, Bytes or a list.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef ProtobufCFieldDescriptor descriptor;

// Where a value or a list of them is stored.
typedef struct slot {
  void *message; // that holds the field; null: absent
  const descriptor *field;
} slot;

static void *slot_data(slot s) { return (char *)s.message + s.field->offset; }

static size_t *slot_count(slot s) {
  return (size_t *)((char *)s.message + s.field->quantifier_offset);
}

static slot slot_of(void *message, unsigned index) {
  const ProtobufCMessageDescriptor *type =
      ((ProtobufCMessage *)message)->descriptor;
  assert(index < type->n_fields && "the schema has fewer fields");
  return (slot){message, &type->fields[index]};
}

static bool is_list(slot s) {
  return s.field->label == PROTOBUF_C_LABEL_REPEATED;
}

static bool is_message(const descriptor *field) {
  return field->type == PROTOBUF_C_TYPE_MESSAGE;
}

// Map entries are the messages with a key and a value.
static bool is_map(slot s) {
  if (!is_list(s) || !is_message(s.field))
    return false;
  const ProtobufCMessageDescriptor *type = s.field->descriptor;
  return type->n_fields == 2;
}

// Returns the message in a list at `index`.
static void *message_at(slot list, size_t index) {
  assert(index < *slot_count(list) && "index out of range");
  return (*(void ***)slot_data(list))[index];
}

// Returns the oneof member that is set; a null message when none is.
static slot active(XcXModelAttr attr) {
  const SerialV2__AttrValue *value = attr.value;
  if (!value || value->value_case == SERIAL_V2__ATTR_VALUE__VALUE__NOT_SET)
    return (slot){0};
  return (slot){attr.value, protobuf_c_message_descriptor_get_field(
                                &serial_v2__attr_value__descriptor,
                                (unsigned)value->value_case)};
}

// Returns the list or the single scalar in which the rows of an attribute are.
static slot rows_of(XcXModelAttr attr) {
  slot s = active(attr);
  if (s.message && is_message(s.field))
    return slot_of(*(void **)slot_data(s), 0);
  return s;
}

// Returns the value of a map's entry; for other attributes, the list itself.
static slot row_of(slot rows, size_t row) {
  if (!is_map(rows))
    return rows;
  slot value = slot_of(message_at(rows, row), 1);
  if (!is_message(value.field))
    return value;
  void *message = *(void **)slot_data(value);
  return message ? slot_of(message, 0) : (slot){0};
}

XcXModelKind xcXModelAttrGetKind(XcXModelAttr attr) {
  const SerialV2__AttrValue *value = attr.value;
  return value ? (XcXModelKind)value->value_case : XcXModelKindNone;
}

const char *xcXModelKindGetName(XcXModelKind kind) {
  switch (kind) {
#define XC_XMODEL_KIND(name, number, word)                                     \
  case XcXModelKind##name:                                                     \
    return word;
    XC_XMODEL_KINDS(XC_XMODEL_KIND)
#undef XC_XMODEL_KIND
  }
  return NULL;
}

size_t xcXModelAttrGetNumRows(XcXModelAttr attr) {
  slot rows = rows_of(attr);
  if (!rows.message)
    return 0;
  return is_list(rows) ? *slot_count(rows) : 1;
}

static const char *entry_key(void *entry) {
  return xc_xmodel_text(*(char **)slot_data(slot_of(entry, 0)));
}

const char *xcXModelAttrGetKey(XcXModelAttr attr, size_t row) {
  slot rows = rows_of(attr);
  return rows.message && is_map(rows) ? entry_key(message_at(rows, row)) : "";
}

size_t xcXModelAttrGetWidth(XcXModelAttr attr, size_t row) {
  slot rows = rows_of(attr);
  if (!rows.message || !is_map(rows))
    return rows.message ? 1 : 0;
  slot value = slot_of(message_at(rows, row), 1);
  if (!is_message(value.field))
    return 1;
  const ProtobufCMessageDescriptor *type = value.field->descriptor;
  if (type->fields[0].label != PROTOBUF_C_LABEL_REPEATED)
    return 1;
  slot elements = row_of(rows, row);
  return elements.message ? *slot_count(elements) : 0;
}

static XcXModelValue read_string(const char *text) {
  text = xc_xmodel_text(text);
  return (XcXModelValue){
      .type = XcXModelValueTypeString, .data = text, .size = strlen(text)};
}

static XcXModelValue read_bytes(const ProtobufCBinaryData *bytes) {
  return xcXModelValueBytes(bytes->data, bytes->len);
}

static XcXModelValue read_message(const SerialV2__Bytes *message) {
  return message ? read_bytes(&message->value) : xcXModelValueBytes(NULL, 0);
}

static XcXModelValue read_element(ProtobufCType type, const void *data,
                                  size_t index) {
  switch (type) {
  case PROTOBUF_C_TYPE_BOOL:
    return xcXModelValueInt(((const protobuf_c_boolean *)data)[index]);
  case PROTOBUF_C_TYPE_ENUM:
  case PROTOBUF_C_TYPE_INT32:
  case PROTOBUF_C_TYPE_SINT32:
  case PROTOBUF_C_TYPE_SFIXED32:
    return xcXModelValueInt(((const int32_t *)data)[index]);
  case PROTOBUF_C_TYPE_INT64:
  case PROTOBUF_C_TYPE_SINT64:
  case PROTOBUF_C_TYPE_SFIXED64:
    return xcXModelValueInt(((const int64_t *)data)[index]);
  case PROTOBUF_C_TYPE_UINT32:
  case PROTOBUF_C_TYPE_FIXED32:
    return xcXModelValueUint(((const uint32_t *)data)[index]);
  case PROTOBUF_C_TYPE_UINT64:
  case PROTOBUF_C_TYPE_FIXED64:
    return xcXModelValueUint(((const uint64_t *)data)[index]);
  case PROTOBUF_C_TYPE_FLOAT:
    return xcXModelValueReal((double)((const float *)data)[index]);
  case PROTOBUF_C_TYPE_DOUBLE:
    return xcXModelValueReal(((const double *)data)[index]);
  case PROTOBUF_C_TYPE_STRING:
    return read_string(((char *const *)data)[index]);
  case PROTOBUF_C_TYPE_BYTES:
    return read_bytes((const ProtobufCBinaryData *)data + index);
  case PROTOBUF_C_TYPE_MESSAGE:
    return read_message(((SerialV2__Bytes *const *)data)[index]);
  }
  return (XcXModelValue){0};
}

XcXModelValue xcXModelAttrGetValue(XcXModelAttr attr, size_t row,
                                   size_t column) {
  assert(row < xcXModelAttrGetNumRows(attr) && "row out of range");
  assert(column < xcXModelAttrGetWidth(attr, row) && "column out of range");
  slot rows = rows_of(attr);
  slot elements = row_of(rows, row);
  if (!elements.message) // a map entry without its Bytes
    return xcXModelValueBytes(NULL, 0);
  const void *data = slot_data(elements);
  if (!is_list(elements))
    return read_element(elements.field->type, data, 0);
  return read_element(elements.field->type, *(void *const *)data,
                      is_map(rows) ? column : row);
}

//===----------------------------------------------------------------------===//
// Attribute maps
//===----------------------------------------------------------------------===//

static slot attrs_slot(XcXModelAttrs attrs) {
  return (slot){attrs.message, attrs.field};
}

size_t xcXModelAttrsGetCount(XcXModelAttrs attrs) {
  return *slot_count(attrs_slot(attrs));
}

XcXModelAttr xcXModelAttrsGet(XcXModelAttrs attrs, size_t index) {
  void *entry = message_at(attrs_slot(attrs), index);
  return (XcXModelAttr){entry_key(entry),
                        *(void **)slot_data(slot_of(entry, 1))};
}

XcXModelAttr xcXModelAttrsFind(XcXModelAttrs attrs, const char *name) {
  // The last one of equal names counts, as in every reader of the format.
  for (size_t i = xcXModelAttrsGetCount(attrs); i-- > 0;) {
    XcXModelAttr attr = xcXModelAttrsGet(attrs, i);
    if (!strcmp(attr.name, name))
      return attr;
  }
  return (XcXModelAttr){0};
}

static bool is_scalar(XcXModelAttr attr) {
  slot s = active(attr);
  return s.message && !is_message(s.field);
}

static bool as_int(XcXModelValue value, int64_t *result) {
  if (value.type == XcXModelValueTypeUint && value.natural <= INT64_MAX)
    *result = (int64_t)value.natural;
  else if (value.type == XcXModelValueTypeInt)
    *result = value.integer;
  else
    return false;
  return true;
}

bool xcXModelAttrsGetInt(XcXModelAttrs attrs, const char *name,
                         int64_t *result) {
  XcXModelAttr attr = xcXModelAttrsFind(attrs, name);
  return is_scalar(attr) && as_int(xcXModelAttrGetValue(attr, 0, 0), result);
}

bool xcXModelAttrsGetReal(XcXModelAttrs attrs, const char *name,
                          double *result) {
  XcXModelAttr attr = xcXModelAttrsFind(attrs, name);
  if (!is_scalar(attr))
    return false;
  XcXModelValue value = xcXModelAttrGetValue(attr, 0, 0);
  if (value.type != XcXModelValueTypeReal)
    return false;
  *result = value.real;
  return true;
}

const char *xcXModelAttrsGetString(XcXModelAttrs attrs, const char *name) {
  XcXModelAttr attr = xcXModelAttrsFind(attrs, name);
  if (xcXModelAttrGetKind(attr) != XcXModelKindString)
    return NULL;
  return xcXModelAttrGetValue(attr, 0, 0).data;
}

const void *xcXModelAttrsGetBytes(XcXModelAttrs attrs, const char *name,
                                  size_t *size) {
  XcXModelAttr attr = xcXModelAttrsFind(attrs, name);
  if (xcXModelAttrGetKind(attr) != XcXModelKindBytes)
    return NULL;
  XcXModelValue value = xcXModelAttrGetValue(attr, 0, 0);
  *size = value.size;
  return value.data;
}

bool xcXModelAttrsGetInts(XcXModelAttrs attrs, const char *name,
                          int64_t *result, size_t capacity, size_t *count) {
  XcXModelAttr attr = xcXModelAttrsFind(attrs, name);
  slot rows = rows_of(attr);
  if (!rows.message || !is_list(rows) || is_map(rows) ||
      *slot_count(rows) > capacity)
    return false;
  for (size_t i = 0; i < *slot_count(rows); ++i)
    if (!as_int(xcXModelAttrGetValue(attr, i, 0), &result[i]))
      return false;
  *count = *slot_count(rows);
  return true;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

// Returns the entry for `key`, added in its sorted place when there is none.
static void *entry_for(slot map, const char *key) {
  size_t count = *slot_count(map), position = count;
  for (size_t i = count; i-- > 0;) {
    int order = strcmp(entry_key(message_at(map, i)), key);
    if (order == 0)
      return message_at(map, i);
    if (order > 0)
      position = i;
  }
  void *entry = xc_xmodel_message(map.field->descriptor);
  *(char **)slot_data(slot_of(entry, 0)) = xc_xmodel_copy(key);
  *(void **)xc_xmodel_insert(map.message, map.field, position) = entry;
  return entry;
}

XcXModelAttr xcXModelAttrsSet(XcXModelAttrs attrs, const char *name,
                              XcXModelKind kind) {
  void *entry = entry_for(attrs_slot(attrs), name);
  SerialV2__AttrValue **value = slot_data(slot_of(entry, 1));
  if (*value)
    serial_v2__attr_value__free_unpacked(*value, NULL);
  *value = xc_xmodel_message(&serial_v2__attr_value__descriptor);
  (*value)->value_case = (SerialV2__AttrValue__ValueCase)kind;
  XcXModelAttr attr = {entry_key(entry), *value};
  slot s = active(attr);
  if (s.message && is_message(s.field))
    *(void **)slot_data(s) = xc_xmodel_message(s.field->descriptor);
  return attr;
}

void xcXModelAttrsRemove(XcXModelAttrs attrs, const char *name) {
  slot map = attrs_slot(attrs);
  void **entries = *(void ***)slot_data(map);
  size_t kept = 0;
  for (size_t i = 0; i < *slot_count(map); ++i) {
    if (strcmp(entry_key(entries[i]), name) != 0)
      entries[kept++] = entries[i];
    else
      protobuf_c_message_free_unpacked(entries[i], NULL);
  }
  *slot_count(map) = kept;
}

static void check_type(const XcXModelValue *value, XcXModelValueType type) {
  assert(value->type == type && "the value does not have the attribute's type");
  (void)value;
  (void)type;
}

static ProtobufCBinaryData copy_bytes(const XcXModelValue *value) {
  check_type(value, XcXModelValueTypeBytes);
  if (value->size == 0)
    return (ProtobufCBinaryData){0};
  ProtobufCBinaryData bytes = {value->size,
                               xc_alloc_uninitialized(value->size, 1)};
  memcpy(bytes.data, value->data, value->size);
  return bytes;
}

static void write_bytes(SerialV2__Bytes *message, const XcXModelValue *value) {
  free(message->value.data);
  message->value = copy_bytes(value);
  message->has_value = value->size != 0;
}

static void write_string(char **string, const XcXModelValue *value) {
  check_type(value, XcXModelValueTypeString);
  free(*string);
  *string = xc_xmodel_copy(value->data);
}

// Writes over an element; what it owned is freed.
static void write_element(const descriptor *field, void *data,
                          const XcXModelValue *value) {
  switch (field->type) {
  case PROTOBUF_C_TYPE_BOOL:
    check_type(value, XcXModelValueTypeInt);
    *(protobuf_c_boolean *)data = value->integer != 0;
    return;
  case PROTOBUF_C_TYPE_ENUM:
  case PROTOBUF_C_TYPE_INT32:
  case PROTOBUF_C_TYPE_SINT32:
  case PROTOBUF_C_TYPE_SFIXED32:
    check_type(value, XcXModelValueTypeInt);
    *(int32_t *)data = (int32_t)value->integer;
    return;
  case PROTOBUF_C_TYPE_INT64:
  case PROTOBUF_C_TYPE_SINT64:
  case PROTOBUF_C_TYPE_SFIXED64:
    check_type(value, XcXModelValueTypeInt);
    *(int64_t *)data = value->integer;
    return;
  case PROTOBUF_C_TYPE_UINT32:
  case PROTOBUF_C_TYPE_FIXED32:
    check_type(value, XcXModelValueTypeUint);
    *(uint32_t *)data = (uint32_t)value->natural;
    return;
  case PROTOBUF_C_TYPE_UINT64:
  case PROTOBUF_C_TYPE_FIXED64:
    check_type(value, XcXModelValueTypeUint);
    *(uint64_t *)data = value->natural;
    return;
  case PROTOBUF_C_TYPE_FLOAT:
    check_type(value, XcXModelValueTypeReal);
    *(float *)data = (float)value->real;
    return;
  case PROTOBUF_C_TYPE_DOUBLE:
    check_type(value, XcXModelValueTypeReal);
    *(double *)data = value->real;
    return;
  case PROTOBUF_C_TYPE_STRING:
    write_string(data, value);
    return;
  case PROTOBUF_C_TYPE_BYTES:
    *(ProtobufCBinaryData *)data = copy_bytes(value);
    return;
  case PROTOBUF_C_TYPE_MESSAGE:
    if (!*(void **)data)
      *(void **)data = xc_xmodel_message(field->descriptor);
    write_bytes(*(void **)data, value);
    return;
  }
}

// Sets a field that is no list. Map entries write zeros, too.
static void write_single(slot s, const XcXModelValue *value) {
  write_element(s.field, slot_data(s), value);
  bool has_flag = s.field->type != PROTOBUF_C_TYPE_STRING &&
                  s.field->type != PROTOBUF_C_TYPE_MESSAGE &&
                  !(s.field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF);
  if (has_flag)
    *(protobuf_c_boolean *)((char *)s.message + s.field->quantifier_offset) = 1;
}

static void append_element(slot list, const XcXModelValue *value) {
  write_element(list.field,
                xc_xmodel_insert(list.message, list.field, SIZE_MAX), value);
}

void xcXModelAttrAppend(XcXModelAttr attr, const char *key,
                        XcXModelValue value) {
  slot top = active(attr);
  assert(top.message && "the attribute has a kind");
  if (!is_message(top.field)) {
    write_single(top, &value);
    return;
  }
  slot rows = rows_of(attr);
  if (!is_list(rows)) {
    write_bytes(rows.message, &value);
    return;
  }
  if (!is_map(rows)) {
    append_element(rows, &value);
    return;
  }
  slot entry = slot_of(entry_for(rows, key), 1);
  if (!is_message(entry.field)) {
    write_single(entry, &value);
    return;
  }
  void **message = slot_data(entry);
  if (!*message)
    *message = xc_xmodel_message(entry.field->descriptor);
  slot elements = slot_of(*message, 0);
  if (is_list(elements))
    append_element(elements, &value);
  else
    write_bytes(*message, &value);
}

XcXModelValue xcXModelValueInt(int64_t integer) {
  return (XcXModelValue){.type = XcXModelValueTypeInt, .integer = integer};
}

XcXModelValue xcXModelValueUint(uint64_t natural) {
  return (XcXModelValue){.type = XcXModelValueTypeUint, .natural = natural};
}

XcXModelValue xcXModelValueReal(double real) {
  return (XcXModelValue){.type = XcXModelValueTypeReal, .real = real};
}

XcXModelValue xcXModelValueString(const char *string) {
  return read_string(string);
}

XcXModelValue xcXModelValueBytes(const void *data, size_t size) {
  return (XcXModelValue){
      .type = XcXModelValueTypeBytes, .data = data, .size = size};
}

static void set_scalar(XcXModelAttrs attrs, const char *name, XcXModelKind kind,
                       XcXModelValue value) {
  xcXModelAttrAppend(xcXModelAttrsSet(attrs, name, kind), NULL, value);
}

void xcXModelAttrsSetBool(XcXModelAttrs attrs, const char *name, bool value) {
  set_scalar(attrs, name, XcXModelKindBool, xcXModelValueInt(value));
}

void xcXModelAttrsSetInt32(XcXModelAttrs attrs, const char *name,
                           int32_t value) {
  set_scalar(attrs, name, XcXModelKindInt32, xcXModelValueInt(value));
}

void xcXModelAttrsSetUint64(XcXModelAttrs attrs, const char *name,
                            uint64_t value) {
  set_scalar(attrs, name, XcXModelKindUint64, xcXModelValueUint(value));
}

void xcXModelAttrsSetFloat(XcXModelAttrs attrs, const char *name, float value) {
  set_scalar(attrs, name, XcXModelKindFloat, xcXModelValueReal((double)value));
}

void xcXModelAttrsSetString(XcXModelAttrs attrs, const char *name,
                            const char *value) {
  set_scalar(attrs, name, XcXModelKindString, xcXModelValueString(value));
}

void xcXModelAttrsSetBytes(XcXModelAttrs attrs, const char *name,
                           const void *data, size_t size) {
  set_scalar(attrs, name, XcXModelKindBytes, xcXModelValueBytes(data, size));
}

void xcXModelAttrsSetInt32Vec(XcXModelAttrs attrs, const char *name,
                              const int32_t *values, size_t count) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, XcXModelKindInt32Vec);
  for (size_t i = 0; i < count; ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueInt(values[i]));
}

void xcXModelAttrsSetStringVec(XcXModelAttrs attrs, const char *name,
                               const char *const *values, size_t count) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, XcXModelKindStringVec);
  for (size_t i = 0; i < count; ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueString(values[i]));
}
