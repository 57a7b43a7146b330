//===- BytecodeOperations.c - operations of bytecode ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks regions, blocks and operations with a stack of its own. Values are
// numbered within a scope, which regions that are isolated from above begin.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"

#include "Support/Memory.h"

#include <stdlib.h>

enum {
  SECTION_IR = 4,
  VERSION_ISOLATED_SECTIONS = 2,
  VERSION_USE_LISTS = 3,
  VERSION_OPTIONAL_LOCATIONS = 4,

  HAS_ATTRIBUTES = 1 << 0,
  HAS_RESULTS = 1 << 1,
  HAS_OPERANDS = 1 << 2,
  HAS_SUCCESSORS = 1 << 3,
  HAS_REGIONS = 1 << 4,
  HAS_USE_LISTS = 1 << 5,
  HAS_PROPERTIES = 1 << 6,
};

typedef struct value {
  uint64_t uses;
  uint64_t order_end; // after the largest index of its use-list order
} value;

/// The regions of one operation.
typedef struct frame {
  xc_cursor own;                  // when they have a section of their own
  size_t reader;                  // index of the frame whose cursor is read
  size_t scope;                   // first value that is visible
  uint64_t regions;               // still to be read, with the current one
  bool in_region;                 // has the current one been begun
  uint64_t num_blocks;            // of the current region
  uint64_t blocks;                // still to be read after the current one
  uint64_t ops;                   // still to be read of the current block
  size_t first_value, next_value; // of the current region
} frame;

typedef struct walk {
  xc_bytecode *b;
  frame *frames;
  size_t num_frames, frames_capacity;
  value *values;
  size_t num_values, values_capacity;
} walk;

static xc_cursor *cursor_of(walk *w, const frame *f) {
  return &w->frames[f->reader].own;
}

static bool wrong(walk *w) {
  return xc_bytecode_error(w->b, "an operation is wrong");
}

// Reads an attribute (`first` 0) or type that an operation uses.
static bool read_entry(walk *w, xc_cursor *at, uint64_t first, uint64_t count) {
  uint64_t index;
  return (xc_cursor_index(at, count, &index) || wrong(w)) &&
         xc_bytecode_weigh(w->b, &w->b->entries[first + index]);
}

static bool read_attribute(walk *w, xc_cursor *at) {
  return read_entry(w, at, 0, w->b->num_attributes);
}

static bool read_type(walk *w, xc_cursor *at) {
  return read_entry(w, at, w->b->num_attributes, w->b->num_types);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool define_values(walk *w, frame *f, uint64_t count) {
  if (count > w->num_values - f->next_value)
    return wrong(w);
  f->next_value += count;
  return true;
}

// The orders of the uses of `count` values, the next ones to be defined.
static bool read_use_lists(walk *w, frame *f, uint64_t count) {
  xc_cursor *at = cursor_of(w, f);
  uint64_t lists = 1;
  if (count > 1 && !xc_cursor_count(at, &lists))
    return wrong(w);
  for (; lists > 0; --lists) {
    uint64_t which = 0, length, index;
    bool is_pairs;
    if ((count > 1 && !xc_cursor_index(at, count, &which)) ||
        !xc_cursor_flagged(at, &length, &is_pairs))
      return wrong(w);
    // Results of operations at the top are not numbered.
    bool known = which < count && which < w->num_values - f->next_value;
    for (; length > 0; --length) {
      if (!xc_cursor_index(at, UINT32_MAX - 1, &index))
        return wrong(w);
      value *v = known ? &w->values[f->next_value + which] : NULL;
      if (v && index >= v->order_end)
        v->order_end = index + 1;
    }
  }
  return true;
}

// At the end of a region all uses of its values are known. The order of one use
// is not looked at.
static bool drop_values(walk *w, frame *f) {
  for (size_t i = f->first_value; i < w->num_values; ++i)
    if (w->values[i].uses > 1 && w->values[i].order_end > w->values[i].uses)
      return xc_bytecode_error(w->b, "the order of uses is wrong");
  w->num_values = f->first_value;
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks and regions
//===----------------------------------------------------------------------===//

static bool read_arguments(walk *w, frame *f) {
  xc_cursor *at = cursor_of(w, f);
  uint64_t count;
  unsigned has_orders = 0;
  // The reader has no scope yet that arguments at the top could go to.
  if (f == w->frames || !xc_cursor_count(at, &count))
    return wrong(w);
  for (uint64_t i = 0; i < count; ++i) {
    bool has_location = true;
    if (w->b->version < VERSION_OPTIONAL_LOCATIONS) {
      if (!read_type(w, at))
        return false;
    } else {
      uint64_t type;
      if (!xc_cursor_flagged(at, &type, &has_location) ||
          type >= w->b->num_types)
        return wrong(w);
      if (!xc_bytecode_weigh(w->b, &w->b->entries[w->b->num_attributes + type]))
        return false;
    }
    if (has_location && !read_attribute(w, at))
      return false;
  }
  if (w->b->version >= VERSION_USE_LISTS && !xc_cursor_byte(at, &has_orders))
    return wrong(w);
  return (!has_orders || read_use_lists(w, f, count)) &&
         define_values(w, f, count);
}

static bool read_block(walk *w, frame *f) {
  bool has_arguments;
  if (!xc_cursor_flagged(cursor_of(w, f), &f->ops, &has_arguments))
    return wrong(w);
  return !has_arguments || read_arguments(w, f);
}

static bool read_region(walk *w, frame *f) {
  xc_cursor *at = cursor_of(w, f);
  uint64_t count;
  if (!xc_cursor_count(at, &f->num_blocks))
    return wrong(w);
  if (f->num_blocks == 0) {
    --f->regions;
    return true;
  }
  if (!xc_cursor_count(at, &count))
    return wrong(w);
  f->in_region = true;
  f->first_value = f->next_value = w->num_values;
  xc_grow((void **)&w->values, &w->values_capacity, w->num_values + count,
          sizeof(*w->values));
  for (; count > 0; --count)
    w->values[w->num_values++] = (value){0};
  f->blocks = f->num_blocks - 1;
  return read_block(w, f);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// How the bytes of properties are read depends on the operation. All of it is
// harmless; integers in them may be attributes, which are weighed.
static bool read_properties(walk *w, xc_cursor *at) {
  xc_bytecode *b = w->b;
  uint64_t index, number;
  if (!xc_cursor_index(at, b->num_properties, &index))
    return wrong(w);
  for (xc_cursor all = b->properties[index]; xc_cursor_varint(&all, &number);)
    if ((number < b->num_attributes &&
         !xc_bytecode_weigh(b, &b->entries[number])) ||
        (number & 1 && number >> 1 < b->num_attributes &&
         !xc_bytecode_weigh(b, &b->entries[number >> 1])))
      return false;
  return true;
}

static bool read_results(walk *w, xc_cursor *at, uint64_t *count) {
  if (!xc_cursor_count(at, count))
    return wrong(w);
  for (uint64_t i = 0; i < *count; ++i)
    if (!read_type(w, at))
      return false;
  return true;
}

static bool read_operands(walk *w, const frame *f, xc_cursor *at) {
  uint64_t count, index;
  if (!xc_cursor_count(at, &count))
    return wrong(w);
  for (; count > 0; --count) {
    if (!xc_cursor_index(at, w->num_values - f->scope, &index))
      return wrong(w);
    ++w->values[f->scope + index].uses;
  }
  return true;
}

static bool read_successors(walk *w, const frame *f, xc_cursor *at) {
  uint64_t count, index;
  if (!xc_cursor_count(at, &count))
    return wrong(w);
  for (; count > 0; --count)
    if (!xc_cursor_index(at, f->num_blocks, &index))
      return wrong(w);
  return true;
}

// Puts a frame for the regions of an operation on the stack.
static bool enter(walk *w, const frame *parent, uint64_t regions,
                  bool is_isolated) {
  enum { MAX_DEPTH = XC_MAX_NESTING / 2 };
  frame child = {.reader = parent->reader,
                 .scope = is_isolated ? w->num_values : parent->scope,
                 .regions = regions};
  if (w->num_frames > MAX_DEPTH)
    return xc_bytecode_error(w->b, "regions nest deeper than %d levels",
                             MAX_DEPTH);
  if (is_isolated && w->b->version >= VERSION_ISOLATED_SECTIONS) {
    unsigned id;
    if (!xc_bytecode_section(w->b, cursor_of(w, parent), &id, &child.own))
      return false;
    if (id != SECTION_IR)
      return wrong(w);
    child.reader = w->num_frames;
  }
  xc_grow((void **)&w->frames, &w->frames_capacity, w->num_frames + 1,
          sizeof(*w->frames));
  w->frames[w->num_frames++] = child;
  return true;
}

static bool read_operation(walk *w, frame *f) {
  xc_cursor *at = cursor_of(w, f);
  uint64_t name, results = 0, regions = 0;
  unsigned parts;
  bool is_isolated = false;
  if (!xc_cursor_index(at, w->b->num_op_names, &name) ||
      !xc_cursor_byte(at, &parts))
    return wrong(w);
  if (!read_attribute(w, at) || // its location
      (parts & HAS_ATTRIBUTES && !read_attribute(w, at)) ||
      (parts & HAS_PROPERTIES && !read_properties(w, at)) ||
      (parts & HAS_RESULTS && !read_results(w, at, &results)) ||
      (parts & HAS_OPERANDS && !read_operands(w, f, at)) ||
      (parts & HAS_SUCCESSORS && !read_successors(w, f, at)) ||
      (parts & HAS_USE_LISTS && w->b->version >= VERSION_USE_LISTS &&
       !read_use_lists(w, f, results)))
    return false;
  bool has_values = w->num_values > f->first_value;
  if (has_values && !define_values(w, f, results))
    return false;
  if (parts & HAS_REGIONS && (!xc_cursor_flagged(at, &regions, &is_isolated) ||
                              regions > xc_cursor_left(at)))
    return wrong(w);
  return regions == 0 || enter(w, f, regions, is_isolated);
}

// One operation, or the begin or end of a block or region.
static bool advance(walk *w) {
  frame *f = &w->frames[w->num_frames - 1];
  if (f->in_region && f->ops > 0) {
    --f->ops;
    return read_operation(w, f);
  }
  if (f->in_region && f->blocks > 0) {
    --f->blocks;
    return read_block(w, f);
  }
  if (f->in_region) {
    f->in_region = false;
    --f->regions;
    return drop_values(w, f);
  }
  if (f->regions > 0)
    return read_region(w, f);
  --w->num_frames;
  return true;
}

bool xc_bytecode_check_operations(xc_bytecode *b) {
  walk w = {.b = b};
  const frame top = {.own = b->sections[SECTION_IR],
                     .regions = 1,
                     .in_region = true,
                     .num_blocks = 1};
  xc_grow((void **)&w.frames, &w.frames_capacity, 1, sizeof(*w.frames));
  w.frames[w.num_frames++] = top;
  bool ok = read_block(&w, &w.frames[0]);
  while (ok && w.num_frames)
    ok = advance(&w);
  free(w.frames);
  free(w.values);
  return ok;
}
