//===- ProtoScan.h - checks a protobuf message --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_PROTOSCAN_H
#define XC_SUPPORT_PROTOSCAN_H

#include "xc-c/Support.h"

#include <protobuf-c/protobuf-c.h>

/// Checks that `data` is a message of the given type which protobuf-c can
/// unpack with bounded stack and memory: lengths within their message, wire
/// types that fit, nesting of at most XC_PROTO_DEPTH, no zero bytes in strings,
/// and no field twice that may occur once (protobuf would merge the two, which
/// costs time and loses what was written). Unknown fields are fine.
/// `format` names what the file should be: "not a valid <format>: ...".
bool xc_proto_scan(XcDiag *diag, const char *file, const char *format,
                   const ProtobufCMessageDescriptor *type, const uint8_t *data,
                   size_t size);

enum { XC_PROTO_DEPTH = 64 };

#endif // XC_SUPPORT_PROTOSCAN_H
