//===- BytecodeGuard.c - bytecode that MLIR's reader would not survive ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file, its sections and its tables. BytecodeEntries.c checks attributes
// and types, BytecodeOperations.c operations.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  SECTION_STRING,
  SECTION_DIALECT,
  SECTION_ENTRIES,
  SECTION_ENTRY_OFFSETS,
  SECTION_IR,
  SECTION_RESOURCE,
  SECTION_RESOURCE_OFFSET,
  SECTION_DIALECT_VERSIONS,
  SECTION_PROPERTIES,

  NEWEST_VERSION = 6,
  VERSION_DIALECT_VERSIONS = 1,
  VERSION_NUMBER_OF_OPS = 4,
  VERSION_PROPERTIES = 5,

  PADDING = 0xcb,
  RESOURCE_KINDS = 3,
};

bool xc_bytecode_error(xc_bytecode *b, const char *format, ...) {
  if (b->error->length)
    return false;
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(b->error, format, arguments);
  va_end(arguments);
  return false;
}

//===----------------------------------------------------------------------===//
// Primitives
//===----------------------------------------------------------------------===//

size_t xc_cursor_left(const xc_cursor *cursor) {
  return (size_t)(cursor->end - cursor->at);
}

bool xc_cursor_byte(xc_cursor *cursor, unsigned *value) {
  if (cursor->at == cursor->end)
    return false;
  *value = *cursor->at++;
  return true;
}

// The zeros below the lowest one of the first byte count the bytes after it;
// the bits above that one and these bytes are the value.
bool xc_cursor_varint(xc_cursor *cursor, uint64_t *value) {
  unsigned first, extra = 0;
  if (!xc_cursor_byte(cursor, &first))
    return false;
  while (extra < 8 && !(first >> extra & 1))
    ++extra;
  if (xc_cursor_left(cursor) < extra)
    return false;
  uint64_t rest = 0;
  for (unsigned i = 0; i < extra; ++i)
    rest |= (uint64_t)cursor->at[i] << (8 * i);
  cursor->at += extra;
  *value = extra == 8 ? rest : first >> (extra + 1) | rest << (7 - extra);
  return true;
}

bool xc_cursor_signed(xc_cursor *cursor, int64_t *value) {
  uint64_t zigzag;
  if (!xc_cursor_varint(cursor, &zigzag))
    return false;
  *value = (int64_t)(zigzag >> 1 ^ (0 - (zigzag & 1)));
  return true;
}

bool xc_cursor_flagged(xc_cursor *cursor, uint64_t *value, bool *flag) {
  if (!xc_cursor_varint(cursor, value))
    return false;
  *flag = *value & 1;
  *value >>= 1;
  return true;
}

bool xc_cursor_count(xc_cursor *cursor, uint64_t *count) {
  return xc_cursor_varint(cursor, count) && *count <= xc_cursor_left(cursor);
}

bool xc_cursor_index(xc_cursor *cursor, uint64_t end, uint64_t *index) {
  return xc_cursor_varint(cursor, index) && *index < end;
}

static bool take(xc_cursor *cursor, uint64_t size, xc_cursor *taken) {
  if (size > xc_cursor_left(cursor))
    return false;
  *taken = (xc_cursor){cursor->at, cursor->at + size};
  cursor->at += size;
  return true;
}

bool xc_cursor_blob(xc_cursor *cursor, xc_cursor *blob) {
  uint64_t size;
  return xc_cursor_varint(cursor, &size) && take(cursor, size, blob);
}

// Padding goes by the address: the buffer is aligned as strictly as any part
// of it may be.
static bool align(xc_cursor *cursor, uint64_t alignment) {
  if (alignment == 0 || alignment > XC_BYTECODE_ALIGNMENT ||
      (alignment & (alignment - 1)))
    return false;
  unsigned padding = PADDING;
  while (padding == PADDING && (uintptr_t)cursor->at & (alignment - 1))
    if (!xc_cursor_byte(cursor, &padding))
      return false;
  return padding == PADDING;
}

bool xc_bytecode_section(xc_bytecode *b, xc_cursor *cursor, unsigned *id,
                         xc_cursor *content) {
  enum { HAS_ALIGNMENT = 0x80 };
  unsigned byte;
  uint64_t length, alignment = 1;
  if (!xc_cursor_byte(cursor, &byte) || !xc_cursor_varint(cursor, &length) ||
      (byte & HAS_ALIGNMENT && !xc_cursor_varint(cursor, &alignment)) ||
      !align(cursor, alignment) || !take(cursor, length, content))
    return xc_bytecode_error(b, "a section does not fit into the file");
  *id = byte & ~(unsigned)HAS_ALIGNMENT;
  return *id < XC_BYTECODE_SECTIONS ||
         xc_bytecode_error(b, "there is no section %u", *id);
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

static bool read_sections(xc_bytecode *b, xc_cursor file) {
  xc_cursor magic;
  if (!take(&file, 4, &magic) || !xc_cursor_varint(&file, &b->version))
    return xc_bytecode_error(b, "the file ends in its header");
  if (b->version > NEWEST_VERSION)
    return xc_bytecode_error(b, "version %llu is newer than the newest, %d",
                             (unsigned long long)b->version, NEWEST_VERSION);
  const unsigned char *zero = memchr(file.at, 0, xc_cursor_left(&file));
  if (!zero)
    return xc_bytecode_error(b, "the file ends in its header");
  file.at = zero + 1;
  while (file.at != file.end) {
    unsigned id;
    xc_cursor content;
    if (!xc_bytecode_section(b, &file, &id, &content))
      return false;
    if (b->has_section[id])
      return xc_bytecode_error(b, "section %u is there twice", id);
    b->has_section[id] = true;
    b->sections[id] = content;
  }
  for (unsigned id = 0; id < XC_BYTECODE_SECTIONS; ++id) {
    bool required = id <= SECTION_IR || (id == SECTION_PROPERTIES &&
                                         b->version >= VERSION_PROPERTIES);
    if (required && !b->has_section[id])
      return xc_bytecode_error(b, "section %u is missing", id);
  }
  return true;
}

// Sizes are in front of the strings, in reverse; a size counts the zero.
static bool read_strings(xc_bytecode *b) {
  xc_cursor all = b->sections[SECTION_STRING];
  const unsigned char *end = all.end;
  if (!xc_cursor_count(&all, &b->num_strings))
    return xc_bytecode_error(b, "the strings do not fit into the file");
  b->strings = xc_alloc_array(b->num_strings, sizeof(*b->strings));
  for (uint64_t i = b->num_strings; i-- > 0;) {
    uint64_t size;
    if (!xc_cursor_varint(&all, &size) || size == 0 || all.at > end ||
        size > (size_t)(end - all.at) || end[-1] != 0)
      return xc_bytecode_error(b, "a string does not fit into its section");
    b->strings[i] = (xc_cursor){end - size, end - 1};
    end -= size;
  }
  return all.at == end ||
         xc_bytecode_error(b, "the sizes of the strings are wrong");
}

static bool is_named(const xc_cursor *string, const char *name) {
  return xc_cursor_left(string) == strlen(name) &&
         memcmp(string->at, name, strlen(name)) == 0;
}

static bool is_of_models(const xc_cursor *dialect) {
  static const char *const names[] = {"builtin", "func", "memref",
                                      "tir",     "mtir", "memtx"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (is_named(dialect, names[i]))
      return true;
  return false;
}

static bool read_dialect(xc_bytecode *b, xc_cursor *all, bool *is_builtin) {
  uint64_t name;
  bool versioned = false;
  bool ok = b->version < VERSION_DIALECT_VERSIONS
                ? xc_cursor_varint(all, &name)
                : xc_cursor_flagged(all, &name, &versioned);
  if (!ok || name >= b->num_strings)
    return xc_bytecode_error(b, "a dialect has no name");
  unsigned id = SECTION_DIALECT_VERSIONS;
  xc_cursor content;
  if (versioned && !xc_bytecode_section(b, all, &id, &content))
    return false;
  *is_builtin = is_named(&b->strings[name], "builtin");
  bool foreign = !is_of_models(&b->strings[name]);
  b->is_foreign |= foreign;
  if (b->options->only_models && foreign &&
      !(b->options->with_tosa && is_named(&b->strings[name], "tosa")))
    return xc_bytecode_error(b, "models have nothing of the dialect '%s'",
                             (const char *)b->strings[name].at);
  return id == SECTION_DIALECT_VERSIONS ||
         xc_bytecode_error(b, "a dialect has no version");
}

// Names of operations, grouped by dialect.
static bool read_op_names(xc_bytecode *b, xc_cursor *all) {
  uint64_t expected, dialect, count, name;
  bool registered;
  if (b->version >= VERSION_NUMBER_OF_OPS && !xc_cursor_count(all, &expected))
    return false;
  while (all->at != all->end) {
    if (!xc_cursor_index(all, b->num_dialects, &dialect) ||
        !xc_cursor_count(all, &count))
      return false;
    b->num_op_names += count;
    for (; count > 0; --count) {
      bool ok = b->version < VERSION_PROPERTIES
                    ? xc_cursor_varint(all, &name)
                    : xc_cursor_flagged(all, &name, &registered);
      if (!ok || name >= b->num_strings)
        return false;
    }
  }
  return true;
}

static bool read_dialects(xc_bytecode *b) {
  xc_cursor all = b->sections[SECTION_DIALECT];
  if (!xc_cursor_count(&all, &b->num_dialects))
    return xc_bytecode_error(b, "the dialects do not fit into the file");
  b->builtin_dialects = xc_alloc_array(b->num_dialects, sizeof(bool));
  for (uint64_t i = 0; i < b->num_dialects; ++i)
    if (!read_dialect(b, &all, &b->builtin_dialects[i]))
      return false;
  return read_op_names(b, &all) ||
         xc_bytecode_error(b, "the names of operations are wrong");
}

static bool read_properties(xc_bytecode *b) {
  xc_cursor all = b->sections[SECTION_PROPERTIES];
  if (!b->has_section[SECTION_PROPERTIES] || all.at == all.end)
    return true;
  if (!xc_cursor_count(&all, &b->num_properties))
    return xc_bytecode_error(b, "the properties do not fit into the file");
  b->properties = xc_alloc_array(b->num_properties, sizeof(*b->properties));
  for (uint64_t i = 0; i < b->num_properties; ++i)
    if (!xc_cursor_blob(&all, &b->properties[i]))
      return xc_bytecode_error(b, "properties do not fit into their section");
  return all.at == all.end ||
         xc_bytecode_error(b, "the sizes of the properties are wrong");
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

static bool check_resource(const xc_bytecode *b, xc_cursor content,
                           unsigned kind) {
  enum { BLOB };
  uint64_t alignment, size;
  (void)b;
  if (kind != BLOB || content.at == content.end)
    return true;
  return xc_cursor_varint(&content, &alignment) &&
         xc_cursor_varint(&content, &size) && align(&content, alignment) &&
         size == xc_cursor_left(&content);
}

static bool read_resource_group(xc_bytecode *b, xc_cursor *offsets,
                                xc_cursor *contents, uint64_t *count) {
  if (!xc_cursor_count(offsets, count))
    return false;
  for (uint64_t i = 0; i < *count; ++i) {
    uint64_t key, size;
    unsigned kind;
    xc_cursor content;
    if (!xc_cursor_index(offsets, b->num_strings, &key) ||
        !xc_cursor_varint(offsets, &size) || !xc_cursor_byte(offsets, &kind) ||
        kind >= RESOURCE_KINDS || !take(contents, size, &content) ||
        !check_resource(b, content, kind))
      return false;
  }
  return true;
}

static bool read_resource_groups(xc_bytecode *b) {
  xc_cursor offsets = b->sections[SECTION_RESOURCE_OFFSET];
  xc_cursor contents = b->sections[SECTION_RESOURCE];
  uint64_t external, owner, count;
  if (!xc_cursor_count(&offsets, &external))
    return false;
  for (; external > 0; --external)
    if (!xc_cursor_index(&offsets, b->num_strings, &owner) ||
        !read_resource_group(b, &offsets, &contents, &count))
      return false;
  for (; offsets.at != offsets.end; b->num_resources += count)
    if (!xc_cursor_index(&offsets, b->num_dialects, &owner) ||
        !read_resource_group(b, &offsets, &contents, &count))
      return false;
  return true;
}

static bool read_resources(xc_bytecode *b) {
  bool has = b->has_section[SECTION_RESOURCE];
  if (has != b->has_section[SECTION_RESOURCE_OFFSET])
    return xc_bytecode_error(b, "one of the sections of resources is missing");
  return !has || read_resource_groups(b) ||
         xc_bytecode_error(b, "a resource is wrong");
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

static bool read_entry_range(xc_bytecode *b, xc_cursor *offsets,
                             xc_cursor *contents, xc_bytecode_entry *entries,
                             uint64_t count) {
  for (uint64_t done = 0; done < count;) {
    uint64_t dialect, in_group;
    if (!xc_cursor_index(offsets, b->num_dialects, &dialect) ||
        !xc_cursor_count(offsets, &in_group) || in_group > count - done)
      return false;
    for (; in_group > 0; --in_group, ++done) {
      uint64_t size;
      bool is_binary;
      if (!xc_cursor_flagged(offsets, &size, &is_binary) ||
          !take(contents, size, &entries[done].data))
        return false;
      entries[done].is_text = !is_binary;
      entries[done].is_builtin = b->builtin_dialects[dialect];
      b->is_opaque |= is_binary && !entries[done].is_builtin;
    }
  }
  return true;
}

static bool read_entries(xc_bytecode *b) {
  xc_cursor offsets = b->sections[SECTION_ENTRY_OFFSETS];
  xc_cursor contents = b->sections[SECTION_ENTRIES];
  bool ok = xc_cursor_count(&offsets, &b->num_attributes) &&
            xc_cursor_count(&offsets, &b->num_types);
  if (ok) {
    b->entries =
        xc_alloc_array(b->num_attributes + b->num_types, sizeof(*b->entries));
    ok = read_entry_range(b, &offsets, &contents, b->entries,
                          b->num_attributes) &&
         read_entry_range(b, &offsets, &contents,
                          b->entries + b->num_attributes, b->num_types);
  }
  return (ok && offsets.at == offsets.end) ||
         xc_bytecode_error(b, "the table of attributes and types is wrong");
}

bool xc_bytecode_weigh(xc_bytecode *b, const xc_bytecode_entry *entry) {
  b->weight += entry->weight;
  return b->weight <= b->max_weight ||
         xc_bytecode_error(b, "its attributes and types unfold to too much");
}

bool xc_check_bytecode(MlirContext context, const xc_source *input,
                       const xc_read_options *options, bool *is_foreign,
                       xc_text *error) {
  enum { LEAST_MAX_WEIGHT = 1 << 26, WEIGHT_PER_BYTE = 64 };
  xc_bytecode b = {.context = context,
                   .location = mlirLocationUnknownGet(context),
                   .options = options,
                   .max_weight = LEAST_MAX_WEIGHT +
                                 WEIGHT_PER_BYTE * (uint64_t)input->size,
                   .error = error};
  bool ok =
      read_sections(&b, (xc_cursor){input->data, input->data + input->size}) &&
      read_strings(&b) && read_properties(&b) && read_dialects(&b) &&
      read_resources(&b) && read_entries(&b);
  // References to an opaque entry cannot be checked without it.
  if (ok && !(b.is_foreign && b.is_opaque))
    ok = xc_bytecode_check_entries(&b) && xc_bytecode_check_operations(&b);
  *is_foreign = b.is_foreign;
  free(b.strings);
  free(b.builtin_dialects);
  free(b.properties);
  free(b.entries);
  return ok;
}
