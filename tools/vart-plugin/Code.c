//===- Code.c - machine code of a subgraph --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"

#include "Processor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *xc_aligned_alloc(size_t size) {
  enum { ALIGNMENT = 64 };
  if (size > SIZE_MAX - ALIGNMENT)
    return NULL;
  size = (size / ALIGNMENT + 1) * ALIGNMENT;
  void *memory = aligned_alloc(ALIGNMENT, size);
  return memory ? memset(memory, 0, size) : NULL;
}

typedef struct subgraph {
  const xc_vart *vart;
  void *attrs;
  xc_vart_text name;
} subgraph;

static bool get(const subgraph *s, size_t index, const char *suffix,
                xc_vart_text *result) {
  char key[48];
  if (index)
    snprintf(key, sizeof(key), "xc_object%zu%s", index, suffix);
  else
    snprintf(key, sizeof(key), "xc_object%s", suffix);
  return xc_vart_bytes(s->vart, s->attrs, key, result);
}

// A terminated copy of a short text; an empty one if there is none.
static void get_text(const subgraph *s, size_t index, const char *suffix,
                     char *text, size_t capacity) {
  xc_vart_text found = {0};
  bool fits = get(s, index, suffix, &found) && found.size < capacity;
  if (fits && found.size)
    memcpy(text, found.data, found.size);
  text[fits ? found.size : 0] = 0;
}

static bool find_object(const subgraph *s, size_t *index) {
  xc_vart_text code;
  char triple[64], cpu[64];
  for (*index = 0; get(s, *index, "", &code); ++*index) {
    get_text(s, *index, "_triple", triple, sizeof(triple));
    get_text(s, *index, "_cpu", cpu, sizeof(cpu));
    if (xc_runs_here(triple, cpu))
      return true;
  }
  fprintf(stderr, "xc-cpu: part '%.*s' has no code for this machine%s",
          (int)s->name.size, s->name.data, *index ? ", but for" : "");
  for (size_t i = 0; i < *index; ++i) {
    get_text(s, i, "_cpu", cpu, sizeof(cpu));
    fprintf(stderr, "%s %s", i ? "," : "", cpu);
  }
  fprintf(stderr, "; xcc compiles it with --cpu\n");
  return false;
}

static bool copy_params(const subgraph *s, size_t index, xc_code *code) {
  xc_vart_text params = {0};
  get(s, index, "_params", &params); // there may be none
  code->params = xc_aligned_alloc(params.size);
  if (code->params && params.size)
    memcpy(code->params, params.data, params.size);
  return code->params;
}

static bool load(const subgraph *s, size_t index, xc_code *code,
                 const char **error) {
  xc_vart_text bytes = {0};
  char symbol[512];
  get(s, index, "", &bytes);
  get_text(s, index, "_symbol", symbol, sizeof(symbol));
  code->object = xc_object_load(bytes.data, bytes.size, error);
  if (!code->object)
    return false;
  *error = "is not described";
  uint64_t arena = 0;
  char key[48] = "xc_object_arena";
  if (index)
    snprintf(key, sizeof(key), "xc_object%zu_arena", index);
  if (!xc_vart_int(s->vart, s->attrs, key, &arena))
    return false;
  code->arena_size = (size_t)arena;
  void *entry = xc_object_find(code->object, symbol);
  memcpy(&code->entry, &entry, sizeof(entry));
  return entry && copy_params(s, index, code);
}

bool xc_code_load(const xc_vart *vart, void *handle, xc_code *code) {
  const subgraph s = {vart, vart->xir_subgraph_get_attrs(handle),
                      vart->xir_subgraph_get_name(handle)};
  size_t index;
  const char *error;
  *code = (xc_code){0};
  if (!find_object(&s, &index))
    return false;
  if (load(&s, index, code, &error))
    return true;
  fprintf(stderr, "xc-cpu: the code of part '%.*s' %s\n", (int)s.name.size,
          s.name.data, error);
  xc_code_free(code);
  return false;
}

void xc_code_free(xc_code *code) {
  xc_object_free(code->object);
  free(code->params);
  *code = (xc_code){0};
}
