//===- FlexBuffer.c - options of custom operators -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlexBuffer.h"

#include <string.h>

/// Kinds of the format that are read.
typedef enum format_kind {
  FORMAT_INT = 1,
  FORMAT_UINT = 2,
  FORMAT_FLOAT = 3,
  FORMAT_STRING = 5,
  FORMAT_INDIRECT_INT = 6,
  FORMAT_INDIRECT_UINT = 7,
  FORMAT_INDIRECT_FLOAT = 8,
  FORMAT_MAP = 9,
  FORMAT_BOOL = 26,
} format_kind;

static bool lies_inside(const xc_flex_map *map, size_t at, size_t size) {
  return at <= map->size && size <= map->size - at;
}

// Returns a little-endian integer; 0 outside.
static uint64_t read_uint(const xc_flex_map *map, size_t at, size_t width) {
  uint64_t value = 0;
  if (!lies_inside(map, at, width))
    return 0;
  for (size_t i = width; i-- > 0;)
    value = value << 8 | map->data[at + i];
  return value;
}

static int64_t read_int(const xc_flex_map *map, size_t at, size_t width) {
  uint64_t value = read_uint(map, at, width);
  uint64_t sign = UINT64_C(1) << (8 * width - 1);
  return (int64_t)((value ^ sign) - sign);
}

static double read_real(const xc_flex_map *map, size_t at, size_t width) {
  uint64_t bits = read_uint(map, at, width);
  uint32_t low = (uint32_t)bits;
  double real = 0.0;
  float single = 0.0f;
  if (width == sizeof(real))
    memcpy(&real, &bits, sizeof(real));
  else if (width == sizeof(single))
    memcpy(&single, &low, sizeof(single));
  return width == sizeof(single) ? (double)single : real;
}

// Where an offset leads; false when that is outside.
static bool follow(const xc_flex_map *map, size_t at, size_t width,
                   size_t *target) {
  uint64_t offset = read_uint(map, at, width);
  if (offset == 0 || offset > at)
    return false;
  *target = at - (size_t)offset;
  return true;
}

static bool open_map(xc_flex_map *map, size_t width) {
  enum { FIELDS = 3 };
  if (map->values < FIELDS * width)
    return false;
  size_t first = map->values - FIELDS * width;
  uint64_t key_width = read_uint(map, first + width, width);
  uint64_t count = read_uint(map, first + 2 * width, width);
  if (!follow(map, first, width, &map->keys) ||
      (key_width != 1 && key_width != 2 && key_width != 4 && key_width != 8) ||
      count > (map->size - map->values) / (width + 1) ||
      count > (map->size - map->keys) / key_width)
    return false;
  map->width = width;
  map->key_width = (size_t)key_width;
  map->count = (size_t)count;
  return true;
}

bool xc_flex_open(const void *data, size_t size, xc_flex_map *map) {
  enum { TAIL = 2 };
  xc_flex_map empty = {.data = data, .size = size};
  *map = empty;
  if (size < TAIL)
    return false;
  size_t width = map->data[size - 1];
  unsigned type = map->data[size - 2];
  size_t inner = (size_t)1 << (type & 3);
  if ((width != 1 && width != 2 && width != 4 && width != 8) ||
      size - TAIL < width || type >> 2 != FORMAT_MAP ||
      !follow(map, size - TAIL - width, width, &map->values) ||
      !open_map(map, inner)) {
    *map = empty;
    return false;
  }
  return true;
}

const char *xc_flex_key(const xc_flex_map *map, size_t index) {
  size_t at;
  if (index >= map->count ||
      !follow(map, map->keys + index * map->key_width, map->key_width, &at))
    return NULL;
  return memchr(map->data + at, 0, map->size - at)
             ? (const char *)map->data + at
             : NULL;
}

static xc_flex_value of_int(xc_flex_kind kind, int64_t value) {
  return (xc_flex_value){.kind = kind, .integer = value, .real = (double)value};
}

xc_flex_value xc_flex_get(const xc_flex_map *map, size_t index) {
  const xc_flex_value other = {.kind = XC_FLEX_OTHER};
  if (index >= map->count)
    return other;
  size_t at = map->values + index * map->width, width = map->width;
  unsigned type = map->data[map->values + map->count * width + index];
  size_t inner = (size_t)1 << (type & 3), target = 0;
  bool is_there = follow(map, at, width, &target);
  switch ((format_kind)(type >> 2)) {
  case FORMAT_INT:
    return of_int(XC_FLEX_INT, read_int(map, at, width));
  case FORMAT_UINT:
    return of_int(XC_FLEX_INT, (int64_t)read_uint(map, at, width));
  case FORMAT_BOOL:
    return of_int(XC_FLEX_BOOL, read_uint(map, at, width) != 0);
  case FORMAT_FLOAT:
    return (xc_flex_value){.kind = XC_FLEX_REAL,
                           .real = read_real(map, at, width)};
  case FORMAT_INDIRECT_INT:
    return is_there ? of_int(XC_FLEX_INT, read_int(map, target, inner)) : other;
  case FORMAT_INDIRECT_UINT:
    return is_there
               ? of_int(XC_FLEX_INT, (int64_t)read_uint(map, target, inner))
               : other;
  case FORMAT_INDIRECT_FLOAT:
    return is_there ? (xc_flex_value){.kind = XC_FLEX_REAL,
                                      .real = read_real(map, target, inner)}
                    : other;
  case FORMAT_STRING: {
    if (!is_there || target < inner)
      return other;
    uint64_t length = read_uint(map, target - inner, inner);
    if (length > map->size - target)
      return other;
    return (xc_flex_value){.kind = XC_FLEX_STRING,
                           .string = (const char *)map->data + target,
                           .length = (size_t)length};
  }
  case FORMAT_MAP:
    break;
  }
  return other;
}

xc_flex_value xc_flex_find(const xc_flex_map *map, const char *key) {
  for (size_t i = 0; i < map->count; ++i) {
    const char *name = xc_flex_key(map, i);
    if (name && strcmp(name, key) == 0)
      return xc_flex_get(map, i);
  }
  return (xc_flex_value){.kind = XC_FLEX_OTHER};
}
