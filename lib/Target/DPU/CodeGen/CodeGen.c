//===- CodeGen.c - layers to DPU machine code -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "Target/DPU/CodeGen/Order/TileTasks.h"
#include "Target/DPU/CodeGen/Order/Tokens.h"
#include "Target/DPU/CodeGen/Schedule/Residency.h"
#include "Target/DPU/CodeGen/Schedule/Schedule.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

XcDpuCodeGen *xcDpuCodeGenCreate(const XcDpuTarget *target) {
  XcDpuCodeGen *gen = xc_alloc(sizeof *gen);
  gen->target = target;
  gen->code.target = target;
  gen->code.isa = xcDpuIsaGet(target->isa);
  gen->weights.depth = (uint32_t)target->weights.depth;
  gen->depthwise_weights.depth = (uint32_t)target->depthwiseWeights.depth;
  gen->bias.depth = (uint32_t)target->bias.depth;
  return gen;
}

void xcDpuCodeGenDestroy(XcDpuCodeGen *gen) {
  if (!gen)
    return;
  for (size_t i = 0; i < gen->num_layers; ++i) {
    free((char *)gen->layers[i].layer.name);
    free((char *)gen->layers[i].layer.location);
  }
  free(gen->layers);
  free(gen->spans);
  free(gen->units.items);
  xc_arena_free(&gen->arena);
  free(gen->bytes);
  xc_code_free(&gen->code);
  free(gen);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

enum { MEBIBYTE = 1 << 20 };

static void check_image(const XcDpuTarget *target, const XcDpuImage *image,
                        XcDpuRefusal *refusal) {
  xc_require(refusal, XcDpuRefusalReasonShape, image->height, 1, INT32_MAX);
  xc_require(refusal, XcDpuRefusalReasonShape, image->width, 1, INT32_MAX);
  xc_require(refusal, XcDpuRefusalReasonShape, image->channels, 1, INT32_MAX);
  if (refusal->reason != XcDpuRefusalReasonNone)
    return;
  uint64_t end = xc_image_end(image);
  uint64_t limit = (uint64_t)target->derived.addressableBytes;
  if (end > limit)
    xc_require(refusal, XcDpuRefusalReasonAddress, (int64_t)(end / MEBIBYTE), 0,
               (int64_t)(limit / MEBIBYTE) - 1);
}

/// How many inputs a kind takes.
static XcDpuRange inputs_of(XcDpuLayerKind kind) {
  switch (kind) {
  case XcDpuLayerKindConv:
    return (XcDpuRange){1, 2};
  case XcDpuLayerKindDepthwise:
  case XcDpuLayerKindMaxPool:
  case XcDpuLayerKindAveragePool:
  case XcDpuLayerKindAveragePool16:
  case XcDpuLayerKindHardSigmoid:
  case XcDpuLayerKindLeakyRelu:
  case XcDpuLayerKindPrelu:
  case XcDpuLayerKindCopy:
  case XcDpuLayerKindArgmax:
    return (XcDpuRange){1, 1};
  case XcDpuLayerKindAdd:
    return (XcDpuRange){1, XC_DPU_MAX_INPUTS};
  case XcDpuLayerKindMul:
    return (XcDpuRange){2, 2};
  case XcDpuLayerKindFill:
    return (XcDpuRange){0, 0};
  }
  return (XcDpuRange){0, 0};
}

static XcDpuRefusal check_layer(const XcDpuTarget *target,
                                const XcDpuLayer *layer) {
  XcDpuRefusal refusal = xc_accepted;
  XcDpuRange inputs = inputs_of(layer->kind);
  xc_require_range(&refusal, XcDpuRefusalReasonInputs,
                   (int64_t)layer->numInputs, inputs);
  check_image(target, &layer->output, &refusal);
  // Other layers move far pixels one by one.
  if (layer->kind == XcDpuLayerKindArgmax || layer->kind == XcDpuLayerKindFill)
    xc_require(&refusal, XcDpuRefusalReasonPitch, layer->output.pixelPitch, 1,
               XC_MAX_PITCH);
  for (size_t i = 0;
       i < layer->numInputs && refusal.reason == XcDpuRefusalReasonNone; ++i)
    check_image(target, &layer->inputs[i], &refusal);
  return refusal;
}

static char *copy_string(const char *string) {
  size_t size = strlen(string) + 1;
  return memcpy(xc_alloc(size), string, size);
}

static void add_name(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  void *layers = gen->layers;
  xc_grow(&layers, &gen->layers_capacity, gen->num_layers + 1,
          sizeof *gen->layers);
  gen->layers = layers;
  xc_layer_name *row = &gen->layers[gen->num_layers++];
  *row = (xc_layer_name){.layer = *layer};
  row->layer.name = copy_string(layer->name ? layer->name : "");
  row->layer.location = layer->location ? copy_string(layer->location) : NULL;
}

XcDpuRefusal xcDpuCodeGenAddLayer(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  if (!gen->code.isa || gen->code.isa != xcDpuIsaDPUCZDX8G())
    return (XcDpuRefusal){XcDpuRefusalReasonIsa, 0, 0, -1};
  XcDpuRefusal refusal = check_layer(gen->target, layer);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  size_t count = gen->units.count;
  refusal = xc_units_add_layer(gen, layer);
  if (refusal.reason != XcDpuRefusalReasonNone)
    gen->units.count = count;
  else
    add_name(gen, layer);
  return refusal;
}

//===----------------------------------------------------------------------===//
// Finishing
//===----------------------------------------------------------------------===//

static void write_bytes(XcDpuCodeGen *gen) {
  gen->num_bytes = gen->code.num_words * sizeof(uint32_t);
  gen->bytes = xc_realloc_array(gen->bytes, gen->num_bytes, 1);
  for (size_t i = 0; i < gen->code.num_words; ++i)
    xcDpuWriteWord(gen->bytes + i * sizeof(uint32_t), gen->code.words[i]);
}

static void name_layers(const XcDpuCodeGen *gen, XcDpuProgram *program) {
  for (size_t i = 0; i < gen->num_spans; ++i) {
    const xc_span *span = &gen->spans[i];
    xc_text name = {0};
    uint64_t operations = 0;
    for (size_t k = span->first_layer; k <= span->last_layer; ++k) {
      xc_text_printf(&name, "%s%s", k > span->first_layer ? " + " : "",
                     gen->layers[k].layer.name);
      operations += gen->layers[k].layer.operations;
    }
    xcDpuProgramAddLayer(program, span->first, xc_text_str(&name), operations);
    xc_text_free(&name);
  }
}

/// END is of the last row.
static void estimate_rows(XcDpuCodeGen *gen, const xc_steps *steps) {
  size_t count = gen->num_spans;
  size_t *limits = xc_alloc_array(count, sizeof *limits);
  int64_t *ends = xc_alloc_array(count, sizeof *ends);
  for (size_t row = 0; row < count; ++row)
    limits[row] = row + 1 < count ? gen->spans[row + 1].first : gen->code.count;
  xc_steps_replay(steps, limits, count, ends);
  for (size_t row = 0; row < count; ++row)
    gen->spans[row].estimate = ends[row];
  free(limits);
  free(ends);
}

XcDpuProgram *xcDpuCodeGenFinish(XcDpuCodeGen *gen, XcDiag *diag) {
  assert(!gen->bytes && "code is finished once");
  if (!gen->code.isa) {
    xc_file_error(diag, NULL,
                  "target '%s' has the instruction set '%s', for which there "
                  "is no code generator",
                  gen->target->name, gen->target->isa);
    return NULL;
  }
  xc_plan_residency(gen);
  xc_steps steps;
  xc_begin_steps(gen, &steps);
  xc_emit_units(gen);
  assert(gen->code.misfit.status == XcDpuStatusOk &&
         "units were tried when they were added");
  gen->code.now = (xc_provenance){.layer = (uint32_t)gen->num_layers};
  xc_code_end(&gen->code);
  gen->code.steps = NULL;
  estimate_rows(gen, &steps);
  xc_assign_tokens(&gen->code, steps.shadow.needs);
  xc_steps_end(&steps);
  write_bytes(gen);
  XcDpuProgram *program =
      xcDpuProgramCreate(diag, gen->target, NULL, gen->bytes, gen->num_bytes);
  if (program)
    name_layers(gen, program);
  return program;
}

size_t xcDpuCodeGenGetNumRows(const XcDpuCodeGen *gen) {
  return gen->num_spans;
}

int64_t xcDpuCodeGenGetEstimate(const XcDpuCodeGen *gen, size_t row) {
  return gen->spans[row].estimate;
}

const void *xcDpuCodeGenGetCode(const XcDpuCodeGen *gen, size_t *size) {
  *size = gen->num_bytes;
  return gen->bytes;
}

size_t xcDpuCodeGenGetNumLayers(const XcDpuCodeGen *gen) {
  return gen->num_layers;
}

void xcDpuCodeGenGetRow(const XcDpuCodeGen *gen, size_t row, size_t *first,
                        size_t *last) {
  *first = gen->spans[row].first_layer;
  *last = gen->spans[row].last_layer;
}

size_t xcDpuCodeGenGetLayerOf(const XcDpuCodeGen *gen, size_t instruction) {
  size_t layer = gen->code.provenances[instruction].layer;
  return layer < gen->num_layers ? layer : SIZE_MAX;
}

const XcDpuLayer *xcDpuCodeGenGetLayer(const XcDpuCodeGen *gen, size_t layer) {
  return &gen->layers[layer].layer;
}

//===----------------------------------------------------------------------===//
// The listing
//===----------------------------------------------------------------------===//

static void print_layer(const XcDpuLayer *layer, xc_text *text) {
  xc_text_printf(text, "layer %s", layer->name);
  if (layer->location)
    xc_text_printf(text, ", from %s", layer->location);
}

static void print_tile(const XcDpuLayer *layer, const xc_provenance *now,
                       xc_text *text) {
  xc_text_printf(text, "%s: tile %u, rows %u to %u", layer->name, now->tile,
                 now->row, now->row + now->rows - 1);
}

bool xcDpuCodeGenPrint(const XcDpuCodeGen *gen, XcDiag *diag,
                       XcDpuTextCallback callback, void *userData) {
  const xc_code *code = &gen->code;
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
    const XcDpuLayer *layer = &gen->layers[now->layer].layer;
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
  bool ok = xcDpuDisassemble(diag, code->isa, "code", gen->bytes,
                             gen->num_bytes, labels, count, callback, userData);
  xc_arena_free(&arena);
  free(is_named);
  free(labels);
  return ok;
}
