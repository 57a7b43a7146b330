//===- FlatBuffer.c - bounds-checked reading of FlatBuffers ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlatBuffer.h"

#include "Support/Diag.h"
#include "Support/Text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
  /// Vectors may add up to this many times the file: a few are read twice.
  BUDGET_FACTOR = 4,
  /// The cost of a table of a vector: entries can point to one table.
  TABLE_COST = 64,
  VTABLE_HEADER = 4,
};

bool xc_fb_error(xc_flatbuffer *buffer, const char *format, ...) {
  if (buffer->failed)
    return false;
  buffer->failed = true;
  xc_text text = {0};
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_file_error(buffer->diag, buffer->file, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static bool inside(const xc_flatbuffer *buffer, size_t at, size_t size) {
  return at <= buffer->size && size <= buffer->size - at;
}

static uint64_t load(const xc_flatbuffer *buffer, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= (uint64_t)buffer->data[at + i] << (8 * i);
  return value;
}

static size_t type_size(xc_fb_type type) {
  switch (type) {
  case XC_FB_BOOL:
  case XC_FB_I8:
  case XC_FB_U8:
    return 1;
  case XC_FB_U16:
    return 2;
  case XC_FB_I32:
  case XC_FB_U32:
  case XC_FB_F32:
  case XC_FB_TABLE:
    return 4;
  case XC_FB_I64:
  case XC_FB_U64:
    return 8;
  }
  return 0;
}

static bool read_table(xc_flatbuffer *buffer, size_t at, const char *what,
                       const char *name, xc_fb_table *table) {
  if (!inside(buffer, at, sizeof(int32_t)))
    return xc_fb_error(buffer,
                       "%s%s%s: table at offset %zu lies outside the file of "
                       "%zu bytes",
                       what, *name ? "." : "", name, at, buffer->size);
  int64_t back = (int32_t)(uint32_t)load(buffer, at, sizeof(int32_t));
  int64_t vtable = (int64_t)at - back;
  if (vtable < 0 || !inside(buffer, (size_t)vtable, VTABLE_HEADER))
    return xc_fb_error(buffer,
                       "%s%s%s: vtable at offset %" PRId64
                       " lies outside the file of %zu bytes",
                       what, *name ? "." : "", name, vtable, buffer->size);
  size_t vtable_size = (size_t)load(buffer, (size_t)vtable, 2);
  size_t size = (size_t)load(buffer, (size_t)vtable + 2, 2);
  if (vtable_size < VTABLE_HEADER ||
      !inside(buffer, (size_t)vtable, vtable_size))
    return xc_fb_error(buffer,
                       "%s%s%s: vtable of %zu bytes at offset %" PRId64
                       " does not fit into the file of %zu bytes",
                       what, *name ? "." : "", name, vtable_size, vtable,
                       buffer->size);
  if (size < sizeof(int32_t) || !inside(buffer, at, size))
    return xc_fb_error(buffer,
                       "%s%s%s: table of %zu bytes at offset %zu does not fit "
                       "into the file of %zu bytes",
                       what, *name ? "." : "", name, size, at, buffer->size);
  *table = (xc_fb_table){at, (size_t)vtable, vtable_size, size};
  return true;
}

bool xc_fb_open(xc_flatbuffer *buffer, XcDiag *diag, const char *file,
                const void *data, size_t size, const char *identifier,
                xc_fb_table *root) {
  enum { IDENTIFIER = 4, HEADER = 8 };
  *buffer =
      (xc_flatbuffer){.diag = diag, .file = file, .data = data, .size = size};
  buffer->budget =
      size < SIZE_MAX / BUDGET_FACTOR ? BUDGET_FACTOR * size : SIZE_MAX;
  buffer->budget += 16 * TABLE_COST; // tiny files are all tables
  if (size < HEADER)
    return xc_fb_error(buffer,
                       "file has %zu bytes, expected at least the %d bytes of "
                       "a FlatBuffer's header",
                       size, HEADER);
  if (memcmp(buffer->data + IDENTIFIER, identifier, IDENTIFIER) != 0)
    return xc_fb_error(buffer, "file identifier '%s' not found at offset %d",
                       identifier, IDENTIFIER);
  return read_table(buffer, (size_t)load(buffer, 0, 4), "root", "", root);
}

// Where a field lies, 0 when it is absent. The size is that of a scalar or of
// the offset of a vector or table.
static size_t place(xc_flatbuffer *buffer, const xc_fb_table *table,
                    const xc_fb_field *field, size_t size) {
  size_t entry = VTABLE_HEADER + 2 * (size_t)field->index;
  if (buffer->failed || entry + 2 > table->vtable_size)
    return 0;
  size_t offset = (size_t)load(buffer, table->vtable + entry, 2);
  if (offset == 0)
    return 0;
  if (offset >= sizeof(int32_t) && offset <= table->size &&
      size <= table->size - offset)
    return table->at + offset;
  xc_fb_error(buffer,
              "%s.%s: field at %zu of a table of %zu bytes lies outside it",
              field->table, field->name, offset, table->size);
  return 0;
}

bool xc_fb_has(const xc_flatbuffer *buffer, const xc_fb_table *table,
               const xc_fb_field *field) {
  size_t entry = VTABLE_HEADER + 2 * (size_t)field->index;
  return !buffer->failed && entry + 2 <= table->vtable_size &&
         load(buffer, table->vtable + entry, 2) != 0;
}

static int64_t load_int(xc_flatbuffer *buffer, size_t at,
                        const xc_fb_field *field) {
  uint64_t raw = load(buffer, at, type_size(field->type));
  switch (field->type) {
  case XC_FB_BOOL:
    return raw != 0;
  case XC_FB_I8:
    return (int8_t)(uint8_t)raw;
  case XC_FB_I32:
    return (int32_t)(uint32_t)raw;
  case XC_FB_U8:
  case XC_FB_U16:
  case XC_FB_U32:
  case XC_FB_I64:
    return (int64_t)raw;
  case XC_FB_U64:
    if (raw > INT64_MAX)
      xc_fb_error(buffer, "%s.%s: %" PRIu64 " is out of range", field->table,
                  field->name, raw);
    return raw > INT64_MAX ? 0 : (int64_t)raw;
  case XC_FB_F32:
  case XC_FB_TABLE:
    break;
  }
  assert(false && "the schema says that the field is an integer");
  return 0;
}

static float load_float(const xc_flatbuffer *buffer, size_t at) {
  uint32_t raw = (uint32_t)load(buffer, at, sizeof(float));
  float value;
  memcpy(&value, &raw, sizeof(value));
  return value;
}

int64_t xc_fb_int(xc_flatbuffer *buffer, const xc_fb_table *table,
                  const xc_fb_field *field) {
  assert(!field->is_vector && "a scalar field");
  size_t at = place(buffer, table, field, type_size(field->type));
  return at ? load_int(buffer, at, field) : field->default_value;
}

double xc_fb_float(xc_flatbuffer *buffer, const xc_fb_table *table,
                   const xc_fb_field *field) {
  assert(!field->is_vector && field->type == XC_FB_F32 && "a float field");
  size_t at = place(buffer, table, field, sizeof(float));
  return at ? (double)load_float(buffer, at) : (double)field->default_value;
}

// Pays for what can be there only once in an honest file.
static bool charge(xc_flatbuffer *buffer, const xc_fb_field *field,
                   size_t bytes) {
  if (bytes > buffer->budget)
    return xc_fb_error(buffer,
                       "%s.%s: the parts of the file overlap: together they "
                       "have more than %d times its %zu bytes",
                       field->table, field->name, BUDGET_FACTOR, buffer->size);
  buffer->budget -= bytes;
  return true;
}

// Follows the offset at `at`, which is inside the file.
static size_t follow(const xc_flatbuffer *buffer, size_t at) {
  return at + (size_t)load(buffer, at, sizeof(uint32_t));
}

xc_fb_table xc_fb_table_of(xc_flatbuffer *buffer, const xc_fb_table *table,
                           const xc_fb_field *field) {
  assert(!field->is_vector && field->type == XC_FB_TABLE && "a table field");
  xc_fb_table result = {0};
  size_t at = place(buffer, table, field, sizeof(uint32_t));
  if (at)
    read_table(buffer, follow(buffer, at), field->table, field->name, &result);
  return result;
}

xc_fb_vector xc_fb_vector_of(xc_flatbuffer *buffer, const xc_fb_table *table,
                             const xc_fb_field *field) {
  assert(field->is_vector && "a vector field");
  const xc_fb_vector empty = {field, 0, 0};
  size_t at = place(buffer, table, field, sizeof(uint32_t));
  if (!at)
    return empty;
  size_t vector = follow(buffer, at);
  if (!inside(buffer, vector, sizeof(uint32_t))) {
    xc_fb_error(buffer,
                "%s.%s: vector at offset %zu lies outside the file of %zu "
                "bytes",
                field->table, field->name, vector, buffer->size);
    return empty;
  }
  size_t count = (size_t)load(buffer, vector, sizeof(uint32_t));
  size_t first = vector + sizeof(uint32_t), each = type_size(field->type);
  if (count > (buffer->size - first) / each) {
    xc_fb_error(buffer,
                "%s.%s: vector of %zu entries at offset %zu does not fit into "
                "the file of %zu bytes",
                field->table, field->name, count, vector, buffer->size);
    return empty;
  }
  if (!charge(buffer, field, count * each))
    return empty;
  return (xc_fb_vector){field, first, count};
}

int64_t xc_fb_vector_int(xc_flatbuffer *buffer, const xc_fb_vector *vector,
                         size_t index) {
  assert(index < vector->count && "an entry of the vector");
  return load_int(buffer, vector->at + index * type_size(vector->field->type),
                  vector->field);
}

float xc_fb_vector_float(xc_flatbuffer *buffer, const xc_fb_vector *vector,
                         size_t index) {
  assert(index < vector->count && vector->field->type == XC_FB_F32 &&
         "an entry of a float vector");
  return load_float(buffer, vector->at + index * sizeof(float));
}

xc_fb_table xc_fb_vector_table(xc_flatbuffer *buffer,
                               const xc_fb_vector *vector, size_t index) {
  assert(index < vector->count && vector->field->type == XC_FB_TABLE &&
         "an entry of a vector of tables");
  xc_fb_table result = {0};
  if (!buffer->failed && charge(buffer, vector->field, TABLE_COST))
    read_table(buffer, follow(buffer, vector->at + index * sizeof(uint32_t)),
               vector->field->table, vector->field->name, &result);
  return result;
}

const unsigned char *xc_fb_vector_bytes(const xc_flatbuffer *buffer,
                                        const xc_fb_vector *vector) {
  assert(type_size(vector->field->type) == 1 && "a vector of bytes");
  return buffer->data + vector->at;
}
