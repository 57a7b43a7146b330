//===- ProtoScan.c - checks a protobuf message before it is unpacked ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   message := { field }
//   field   := tag payload          tag = varint (number << 3 | wire type)
//   payload := varint               wire type 0
//            | 8 bytes              wire type 1
//            | varint n, n bytes    wire type 2
//            | 4 bytes              wire type 5
//   varint  := 1 to 10 bytes, 7 bits each, lowest first; all but the last
//              have the top bit set
//
//===----------------------------------------------------------------------===//

#include "Support/ProtoScan.h"

#include "Support/Diag.h"

#include <inttypes.h>
#include <string.h>

typedef struct scanner {
  XcDiag *diag;
  const char *file;
  const char *format;
  const uint8_t *begin, *end; // of the file
  const uint8_t *at;
} scanner;

static bool scan_error(const scanner *s, const ProtobufCMessageDescriptor *type,
                       const char *what) {
  return xc_file_error(s->diag, s->file,
                       "not a valid %s: byte %zu, in '%s': %s", s->format,
                       (size_t)(s->at - s->begin), type->short_name, what);
}

// Reports a file that is cut off as such: transfers that stopped, and disks
// that were full.
static bool end_error(const scanner *s, const ProtobufCMessageDescriptor *type,
                      const char *what) {
  return scan_error(s, type,
                    s->at == s->end ? "the file ends too early" : what);
}

static bool field_error(const scanner *s,
                        const ProtobufCMessageDescriptor *type,
                        const ProtobufCFieldDescriptor *field,
                        const char *what) {
  return xc_file_error(s->diag, s->file,
                       "not a valid %s: byte %zu, field '%s' of '%s' %s",
                       s->format, (size_t)(s->at - s->begin), field->name,
                       type->short_name, what);
}

// Leaves `*at` after the varint; false at a truncated or too long one.
static bool read_varint(const uint8_t **at, const uint8_t *end,
                        uint64_t *value) {
  enum { MAX_BYTES = 10 };
  *value = 0;
  for (unsigned i = 0; i < MAX_BYTES && *at < end; ++i) {
    uint8_t byte = *(*at)++;
    *value |= (uint64_t)(byte & 0x7f) << (7 * i);
    if (byte < 0x80)
      return true;
  }
  return false;
}

static ProtobufCWireType wire_type_of(ProtobufCType type) {
  switch (type) {
  case PROTOBUF_C_TYPE_INT32:
  case PROTOBUF_C_TYPE_SINT32:
  case PROTOBUF_C_TYPE_INT64:
  case PROTOBUF_C_TYPE_SINT64:
  case PROTOBUF_C_TYPE_UINT32:
  case PROTOBUF_C_TYPE_UINT64:
  case PROTOBUF_C_TYPE_BOOL:
  case PROTOBUF_C_TYPE_ENUM:
    return PROTOBUF_C_WIRE_TYPE_VARINT;
  case PROTOBUF_C_TYPE_SFIXED32:
  case PROTOBUF_C_TYPE_FIXED32:
  case PROTOBUF_C_TYPE_FLOAT:
    return PROTOBUF_C_WIRE_TYPE_32BIT;
  case PROTOBUF_C_TYPE_SFIXED64:
  case PROTOBUF_C_TYPE_FIXED64:
  case PROTOBUF_C_TYPE_DOUBLE:
    return PROTOBUF_C_WIRE_TYPE_64BIT;
  case PROTOBUF_C_TYPE_STRING:
  case PROTOBUF_C_TYPE_BYTES:
  case PROTOBUF_C_TYPE_MESSAGE:
    return PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
  }
  return PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
}

static bool check_packed(scanner *s, const ProtobufCMessageDescriptor *type,
                         const ProtobufCFieldDescriptor *field,
                         const uint8_t *end) {
  size_t size = (size_t)(end - s->at);
  switch (wire_type_of(field->type)) {
  case PROTOBUF_C_WIRE_TYPE_32BIT:
    s->at = end;
    return size % 4 == 0 ||
           field_error(s, type, field, "has no whole number of elements");
  case PROTOBUF_C_WIRE_TYPE_64BIT:
    s->at = end;
    return size % 8 == 0 ||
           field_error(s, type, field, "has no whole number of elements");
  case PROTOBUF_C_WIRE_TYPE_VARINT:
  case PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED:
    break;
  }
  uint64_t ignored;
  while (s->at < end)
    if (!read_varint(&s->at, end, &ignored))
      return field_error(s, type, field, "has a broken element");
  return true;
}

// A payload that goes on after what holds it. Fields of the file itself are cut
// off; lengths of others were within theirs.
static bool length_error(const scanner *s,
                         const ProtobufCMessageDescriptor *type,
                         const ProtobufCFieldDescriptor *field,
                         const uint8_t *end, uint64_t length) {
  if (end != s->end)
    return scan_error(s, type, "a field ends after its message");
  return xc_file_error(
      s->diag, s->file,
      "not a valid %s: the file ends too early, within field '%s' of '%s', "
      "which has %" PRIu64 " bytes from byte %zu on",
      s->format, field ? field->name : "(unknown)", type->short_name, length,
      (size_t)(s->at - s->begin));
}

static bool scan_message(scanner *s, const ProtobufCMessageDescriptor *type,
                         const uint8_t *end, unsigned depth);

// The payload of a length-prefixed field ends at `end`.
static bool scan_bytes(scanner *s, const ProtobufCMessageDescriptor *type,
                       const ProtobufCFieldDescriptor *field,
                       const uint8_t *end, unsigned depth) {
  bool is_packed =
      wire_type_of(field->type) != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
  if (is_packed && field->label != PROTOBUF_C_LABEL_REPEATED)
    return field_error(s, type, field, "has the wrong wire type");
  if (is_packed)
    return check_packed(s, type, field, end);
  if (field->type == PROTOBUF_C_TYPE_MESSAGE)
    return scan_message(s, field->descriptor, end, depth + 1);
  if (field->type == PROTOBUF_C_TYPE_STRING &&
      memchr(s->at, 0, (size_t)(end - s->at)))
    return field_error(s, type, field, "has a zero byte in its text");
  s->at = end;
  return true;
}

// Fields that occur once, or whose oneof has a member, so far.
typedef struct seen_fields {
  uint64_t singular;
  bool oneof;
} seen_fields;

static bool check_once(scanner *s, const ProtobufCMessageDescriptor *type,
                       const ProtobufCFieldDescriptor *field,
                       seen_fields *seen) {
  if (field->label == PROTOBUF_C_LABEL_REPEATED)
    return true;
  uint64_t bit = UINT64_C(1) << (size_t)(field - type->fields);
  bool in_oneof = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
  if ((seen->singular & bit) || (in_oneof && seen->oneof))
    return field_error(s, type, field, "is there twice");
  seen->singular |= bit;
  seen->oneof = seen->oneof || in_oneof;
  return true;
}

static bool scan_field(scanner *s, const ProtobufCMessageDescriptor *type,
                       const uint8_t *end, unsigned depth, seen_fields *seen) {
  uint64_t tag, length;
  if (!read_varint(&s->at, end, &tag) || tag >> 3 == 0 || tag > UINT32_MAX)
    return end_error(s, type, "broken field tag");
  unsigned wire = (unsigned)(tag & 7);
  const ProtobufCFieldDescriptor *field =
      protobuf_c_message_descriptor_get_field(type, (unsigned)(tag >> 3));
  if (field && wire != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED &&
      wire != (unsigned)wire_type_of(field->type))
    return field_error(s, type, field, "has the wrong wire type");
  if (field && !check_once(s, type, field, seen))
    return false;
  switch (wire) {
  case PROTOBUF_C_WIRE_TYPE_VARINT:
    return read_varint(&s->at, end, &length) ||
           end_error(s, type, "broken number");
  case PROTOBUF_C_WIRE_TYPE_32BIT:
    length = 4;
    break;
  case PROTOBUF_C_WIRE_TYPE_64BIT:
    length = 8;
    break;
  case PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED:
    if (!read_varint(&s->at, end, &length))
      return end_error(s, type, "broken length");
    break;
  default:
    return scan_error(s, type, "unknown wire type");
  }
  if (length > (uint64_t)(end - s->at))
    return length_error(s, type, field, end, length);
  const uint8_t *field_end = s->at + length;
  if (field && wire == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
    return scan_bytes(s, type, field, field_end, depth);
  s->at = field_end;
  return true;
}

static bool scan_message(scanner *s, const ProtobufCMessageDescriptor *type,
                         const uint8_t *end, unsigned depth) {
  if (depth > XC_PROTO_DEPTH)
    return scan_error(s, type, "messages are nested too deeply");
  seen_fields seen = {0};
  while (s->at < end)
    if (!scan_field(s, type, end, depth, &seen))
      return false;
  return true;
}

bool xc_proto_scan(XcDiag *diag, const char *file, const char *format,
                   const ProtobufCMessageDescriptor *type, const uint8_t *data,
                   size_t size) {
  scanner s = {diag, file, format, data, data + size, data};
  return scan_message(&s, type, data + size, 0);
}
