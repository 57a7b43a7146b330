//===- Listing.c - parts of the finished code, as bytes and as text -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"

#include "Target/DPU/CodeGen/Order/Extract.h"

#include "Support/Text.h"

#include <stdlib.h>
#include <string.h>

static size_t end_of_rows(const XcDpuCodeGen *gen, size_t last_row) {
  return last_row + 1 < gen->num_entries ? gen->entries[last_row + 1].first
                                         : gen->emission.code.count - 1; // END
}

void *xcDpuCodeGenExtractRows(const XcDpuCodeGen *gen, size_t first,
                              size_t last, size_t *size) {
  const xc_report_entry *entry = &gen->entries[first];
  xc_code rows = {0};
  xc_extract_code(&gen->emission.code, gen->dependences, entry->inits,
                  entry->first, end_of_rows(gen, last), &rows);
  void *bytes = xc_code_bytes(&rows, size);
  xc_code_free(&rows);
  return bytes;
}

void *xcDpuCodeGenExtractTag(const XcDpuCodeGen *gen, size_t first, size_t last,
                             size_t tag, size_t *size) {
  const xc_code *code = &gen->emission.code;
  xc_code part = {.target = code->target, .machine = code->machine};
  for (size_t i = gen->entries[first].first; i < end_of_rows(gen, last); ++i)
    if (gen->layers[code->provenances[i].layer].tag == tag)
      xc_code_copy(&part, code, i);
  void *bytes = xc_code_bytes(&part, size);
  xc_code_free(&part);
  return bytes;
}

static void print_layer(const XcDpuLayer *layer, xc_text *text) {
  xc_text_printf(text, "layer %s", layer->name);
  if (layer->location)
    xc_text_printf(text, ", from %s", layer->location);
}

static void print_tile(const XcDpuLayer *layer, const xc_provenance *now,
                       xc_text *text) {
  xc_text_printf(text, "%s: tile %u", layer->name, now->tile);
  if (now->rows > 0)
    xc_text_printf(text, ", rows %u to %u", now->row, now->row + now->rows - 1);
}

bool xcDpuCodeGenPrint(const XcDpuCodeGen *gen, XcDiag *diag,
                       XcDpuTextCallback callback, void *userData) {
  const xc_code *code = &gen->emission.code;
  XcDpuLabel *labels = xc_alloc_array(code->count, sizeof *labels);
  bool *is_named = xc_alloc_array(gen->num_layers, sizeof *is_named);
  xc_arena arena = {0};
  size_t count = 0;
  for (size_t i = 0; i < code->count; ++i) {
    const xc_provenance *now = &code->provenances[i];
    const xc_provenance *before = i ? &code->provenances[i - 1] : NULL;
    if ((before && memcmp(now, before, sizeof *now) == 0) ||
        now->layer == gen->num_layers)
      continue;
    xc_text text = {0};
    const XcDpuLayer *layer = &gen->layers[now->layer];
    if (!is_named[now->layer])
      print_layer(layer, &text);
    else
      print_tile(layer, now, &text);
    is_named[now->layer] = true;
    labels[count++] = (XcDpuLabel){
        .instruction = i,
        .text = xc_arena_string(&arena, xc_text_str(&text), text.length)};
    xc_text_free(&text);
  }
  bool ok = xcDpuDisassemble(
      diag, code->machine->isa,
      &(XcDpuListing){"code", gen->bytes, gen->num_bytes, labels, count},
      callback, userData);
  xc_arena_free(&arena);
  free(is_named);
  free(labels);
  return ok;
}
