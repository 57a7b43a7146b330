//===- MixedObject.c - machine code of CPU parts in xmodels ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mixed.h"

#include <stdio.h>
#include <string.h>

void xc_mixed_object_key(xc_mixed_key *key, size_t index, const char *suffix) {
  if (index)
    snprintf(key->text, sizeof(key->text), "xc_object%zu%s", index, suffix);
  else
    snprintf(key->text, sizeof(key->text), "xc_object%s", suffix);
}

static const char *get_text(XcXModelAttrs attrs, size_t index,
                            const char *suffix) {
  xc_mixed_key key;
  xc_mixed_object_key(&key, index, suffix);
  return xcXModelAttrsGetString(attrs, key.text);
}

bool xc_mixed_has_object(const XcXModelSubgraph *subgraph, size_t index) {
  xc_mixed_key key;
  size_t size;
  xc_mixed_object_key(&key, index, "");
  return xcXModelAttrsGetBytes(xcXModelSubgraphGetAttrs(subgraph), key.text,
                               &size);
}

bool xc_mixed_read_object(const XcXModelSubgraph *subgraph, size_t index,
                          XcXModelObject *object) {
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  xc_mixed_key key;
  *object = (XcXModelObject){0};
  xc_mixed_object_key(&key, index, "");
  object->code = xcXModelAttrsGetBytes(attrs, key.text, &object->codeSize);
  xc_mixed_object_key(&key, index, "_params");
  object->params = xcXModelAttrsGetBytes(attrs, key.text, &object->paramsSize);
  object->symbol = get_text(attrs, index, "_symbol");
  object->triple = get_text(attrs, index, "_triple");
  object->cpu = get_text(attrs, index, "_cpu");
  object->features = get_text(attrs, index, "_features");
  int64_t arena;
  xc_mixed_object_key(&key, index, "_arena");
  bool fits = xcXModelAttrsGetInt(attrs, key.text, &arena) && arena >= 0 &&
              arena <= XC_MIXED_MAX_ARENA;
  object->arenaSize = fits ? (uint64_t)arena : 0;
  return fits && object->code && object->symbol && object->triple &&
         object->cpu && object->features;
}

bool xc_mixed_said_checksum(const XcXModelSubgraph *subgraph, size_t index,
                            int64_t *checksum) {
  xc_mixed_key key;
  xc_mixed_object_key(&key, index, "_checksum");
  return xcXModelAttrsGetInt(xcXModelSubgraphGetAttrs(subgraph), key.text,
                             checksum);
}

static void set_text(XcXModelAttrs attrs, size_t index, const char *suffix,
                     const char *text) {
  xc_mixed_key key;
  xc_mixed_object_key(&key, index, suffix);
  xcXModelAttrsSetString(attrs, key.text, text);
}

static void set_bytes(XcXModelAttrs attrs, size_t index, const char *suffix,
                      const void *data, size_t size) {
  xc_mixed_key key;
  xc_mixed_object_key(&key, index, suffix);
  xcXModelAttrsSetBytes(attrs, key.text, data, size);
}

void xcXModelSubgraphAddObject(XcXModelSubgraph *subgraph,
                               const XcXModelObject *object) {
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  size_t index = 0;
  while (xc_mixed_has_object(subgraph, index))
    ++index;
  set_bytes(attrs, index, "", object->code, object->codeSize);
  set_bytes(attrs, index, "_params", object->params, object->paramsSize);
  set_text(attrs, index, "_symbol", object->symbol);
  set_text(attrs, index, "_triple", object->triple);
  set_text(attrs, index, "_cpu", object->cpu);
  set_text(attrs, index, "_features", object->features);
  xc_mixed_key key;
  xc_mixed_object_key(&key, index, "_arena");
  xcXModelAttrsSetUint64(attrs, key.text, object->arenaSize);
}
