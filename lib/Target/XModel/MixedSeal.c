//===- MixedSeal.c - checksums of the machine code for CPUs ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mixed.h"

#include <string.h>

#include <zlib.h>

static uLong add_number(uLong sum, uint64_t number) {
  Bytef bytes[8];
  for (size_t i = 0; i < sizeof(bytes); ++i)
    bytes[i] = (Bytef)(number >> 8 * i);
  return crc32_z(sum, bytes, sizeof(bytes));
}

// The size first, so that nothing moves from one to the next unseen.
static uLong add_bytes(uLong sum, const void *data, size_t size) {
  sum = add_number(sum, size);
  return size ? crc32_z(sum, data, size) : sum;
}

static uLong add_ports(uLong sum, const XcXModelMixed *mixed,
                       const size_t *numbers, size_t count) {
  sum = add_number(sum, count);
  for (size_t i = 0; i < count; ++i) {
    const XcXModelPort *port = &mixed->ports[numbers[i]];
    sum = add_bytes(sum, port->element, strlen(port->element));
    sum = add_number(sum, port->rank);
    for (size_t dim = 0; dim < port->rank; ++dim)
      sum = add_number(sum, port->dims[dim]);
  }
  return sum;
}

uint32_t xc_mixed_checksum(const XcXModelMixed *mixed, const XcXModelPart *part,
                           const XcXModelObject *object) {
  const char *texts[] = {object->symbol, object->triple, object->cpu,
                         object->features};
  uLong sum = crc32_z(0, NULL, 0);
  sum = add_bytes(sum, object->code, object->codeSize);
  sum = add_bytes(sum, object->params, object->paramsSize);
  for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); ++i)
    sum = add_bytes(sum, texts[i], strlen(texts[i]));
  sum = add_number(sum, object->arenaSize);
  sum = add_ports(sum, mixed, part->inputs, part->numInputs);
  sum = add_ports(sum, mixed, part->outputs, part->numOutputs);
  return (uint32_t)sum;
}

static void seal_part(const XcXModelMixed *mixed, const XcXModelPart *part) {
  for (size_t i = 0; i < part->numObjects; ++i) {
    xc_mixed_key key;
    xc_mixed_object_key(&key, i, "_checksum");
    xcXModelAttrsSetUint64(xcXModelSubgraphGetAttrs(part->subgraph), key.text,
                           xc_mixed_checksum(mixed, part, &part->objects[i]));
  }
}

bool xcXModelSeal(XcDiag *diag, XcXModel *model) {
  const XcXModelMixed *mixed = xcXModelMixedCreate(diag, model);
  for (size_t i = 0; mixed && i < mixed->numParts; ++i)
    seal_part(mixed, &mixed->parts[i]);
  xcXModelMixedDestroy(mixed);
  if (mixed)
    xcXModelNameBorders(model);
  return mixed;
}
