//===- LayerCode.c - runs DPU subgraphs layer by layer --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-test-layer-code FILE.xmodel
//
// Runs each DPU subgraph at once, and as the board's runtime does in its debug
// mode: the code of one child after the other, in the order of
// children_topological_sort. All registers must hold the same bytes. The code
// of a child must be right by itself, and its own children's the same
// instructions.
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUSim.h"
#include "xc-c/XModelDpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static XcDiag diag;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "%s: %s\n", name, what);
  exit(1);
}

typedef struct subgraph_run {
  const XcXModelSubgraph *subgraph;
  const XcXModelDpu *dpu;
  const XcDpuTarget *target;
  size_t num_layers, num_members; // with code
} subgraph_run;

static const XcXModelSubgraph *find_child(const XcXModelSubgraph *parent,
                                          const char *name) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(parent); ++i) {
    const XcXModelSubgraph *child = xcXModelSubgraphGetChild(parent, i);
    if (strcmp(xcXModelSubgraphGetName(child), name) == 0)
      return child;
  }
  return NULL;
}

static const unsigned char *code_of(const XcXModelSubgraph *subgraph,
                                    size_t *size) {
  *size = 0;
  return xcXModelAttrsGetBytes(xcXModelSubgraphGetAttrs(subgraph), "mc_code",
                               size);
}

//===----------------------------------------------------------------------===//
// Members of cascades
//===----------------------------------------------------------------------===//

typedef struct code_reader {
  const unsigned char *code;
  size_t size, at;
} code_reader;

/// The next instruction without its tokens, which are in bits 20 to 27 of its
/// first word; 0 words at the end.
static size_t peek(const subgraph_run *run, const code_reader *reader,
                   uint32_t *words) {
  size_t count = (reader->size - reader->at) / 4;
  count = count < XC_DPU_MAX_WORDS ? count : XC_DPU_MAX_WORDS;
  for (size_t i = 0; i < count; ++i)
    words[i] = xcDpuReadWord(reader->code + reader->at + 4 * i);
  if (count == 0)
    return 0;
  XcDpuInstruction insn;
  XcDpuResult result =
      xcDpuDecode(xcXModelDpuGetIsa(run->dpu), words, count, &insn);
  if (result.status != XcDpuStatusOk)
    fail("no instruction", xcXModelSubgraphGetName(run->subgraph));
  words[0] &= ~(0xffu << 20);
  return result.numWords;
}

/// Moves on in the member whose next instruction it is.
static bool take(const subgraph_run *run, code_reader *members, size_t count,
                 const uint32_t *words, size_t num_words) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t own[XC_DPU_MAX_WORDS];
    if (peek(run, &members[i], own) != num_words ||
        memcmp(own, words, num_words * sizeof *words) != 0)
      continue;
    members[i].at += 4 * num_words;
    return true;
  }
  return false;
}

/// All instructions of the child are some member's, but those that only set
/// what was set before, and END.
static void check_members(subgraph_run *run, const XcXModelSubgraph *child) {
  enum { MAX_MEMBERS = 256 };
  code_reader members[MAX_MEMBERS];
  size_t count = 0, taken = 0;
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(child); ++i) {
    code_reader member = {0};
    member.code = code_of(xcXModelSubgraphGetChild(child, i), &member.size);
    if (member.code && count < MAX_MEMBERS)
      members[count++] = member;
  }
  if (count == 0)
    return;
  run->num_members += count;
  code_reader whole = {0};
  whole.code = code_of(child, &whole.size);
  uint32_t words[XC_DPU_MAX_WORDS];
  for (size_t n; (n = peek(run, &whole, words)); whole.at += 4 * n) {
    bool is_end = whole.at + 4 * n == whole.size;
    if (take(run, members, count, words, n))
      ++taken;
    else if (taken && !is_end)
      fail("an instruction is of no layer", xcXModelSubgraphGetName(child));
  }
  for (size_t i = 0; i < count; ++i)
    if (members[i].at < members[i].size)
      fail("instructions of a layer are not there",
           xcXModelSubgraphGetName(child));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

typedef struct memory {
  unsigned char *bytes[XC_DPU_NUM_REGISTERS];
} memory;

static XcDpuSim *make_sim(const subgraph_run *run, memory *m) {
  XcDpuSim *sim = xcDpuSimCreate(&diag, run->target, NULL);
  if (!sim)
    exit(1);
  uint32_t state = 7;
  for (size_t i = 0; i < run->dpu->numRegisters; ++i) {
    const XcXModelRegister *reg = &run->dpu->registers[i];
    unsigned char *bytes = malloc((size_t)reg->size + 1);
    if (!bytes)
      fail("no memory", run->dpu->name);
    for (size_t k = 0; k < reg->size; ++k) {
      state = state * 1664525 + 1013904223;
      bytes[k] = (unsigned char)(state >> 24);
    }
    if (reg->initialSize)
      memcpy(bytes, reg->initial, reg->initialSize);
    m->bytes[reg->id] = bytes;
    xcDpuSimSetRegister(sim, reg->id, bytes, (size_t)reg->size);
  }
  return sim;
}

static void run_code(const subgraph_run *run, XcDpuSim *sim,
                     const XcXModelSubgraph *subgraph, bool is_whole) {
  size_t size;
  const unsigned char *code = code_of(subgraph, &size);
  const char *name = xcXModelSubgraphGetName(subgraph);
  XcDpuProgram *program =
      xcDpuProgramCreate(&diag, run->target, name, code, size);
  if (!program || !xcDpuSimRun(sim, program, &diag))
    fail("does not run", name);
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, run->target);
  options.fullRegisters = UINT32_MAX;
  // What other layers have left in the banks and in memory.
  options.ignored = 1u << XcDpuFindingKindUnwritten |
                    1u << XcDpuFindingKindTorn | 1u << XcDpuFindingKindUnused;
  if (!is_whole && !xcDpuVerify(&diag, program, &options, NULL))
    fail("is not right by itself", name);
  xcDpuProgramDestroy(program);
}

static void run_children(subgraph_run *run, XcDpuSim *sim) {
  XcXModelAttr order = xcXModelAttrsFind(
      xcXModelSubgraphGetAttrs(run->subgraph), "children_topological_sort");
  for (size_t i = 0; i < xcXModelAttrGetNumRows(order); ++i) {
    XcXModelValue name = xcXModelAttrGetValue(order, i, 0);
    const XcXModelSubgraph *child = find_child(run->subgraph, name.data);
    size_t size;
    if (!child || !code_of(child, &size))
      fail("has no code", name.data);
    run_code(run, sim, child, false);
    check_members(run, child);
    ++run->num_layers;
  }
}

static void check_subgraph(const XcXModel *model, size_t index) {
  subgraph_run run = {.subgraph = xcXModelGetDpuSubgraph(model, index)};
  run.dpu = xcXModelDpuCreate(&diag, model, run.subgraph);
  run.target = run.dpu ? xcXModelDpuCreateTarget(&diag, run.dpu) : NULL;
  if (!run.target)
    exit(1);
  memory whole = {0}, parts = {0};
  XcDpuSim *sim = make_sim(&run, &whole), *other = make_sim(&run, &parts);
  run_code(&run, sim, run.subgraph, true);
  run_children(&run, other);
  for (size_t i = 0; i < run.dpu->numRegisters; ++i) {
    const XcXModelRegister *reg = &run.dpu->registers[i];
    if (memcmp(whole.bytes[reg->id], parts.bytes[reg->id], (size_t)reg->size) !=
        0)
      fail("layers compute something else", run.dpu->name);
    free(whole.bytes[reg->id]);
    free(parts.bytes[reg->id]);
  }
  printf("%s: %zu layers, %zu in cascades: the same bytes\n", run.dpu->name,
         run.num_layers, run.num_members);
  xcDpuSimDestroy(sim);
  xcDpuSimDestroy(other);
  xcXModelDpuDestroy(run.dpu);
  xcDpuTargetDestroy(run.target);
}

int main(int argc, char **argv) {
  XcXModel *model = argc == 2 ? xcXModelRead(&diag, argv[1]) : NULL;
  if (!model) {
    fprintf(stderr, "usage: xc-test-layer-code FILE.xmodel\n");
    return 1;
  }
  for (size_t i = 0; i < xcXModelGetNumDpuSubgraphs(model); ++i)
    check_subgraph(model, i);
  xcXModelDestroy(model);
  return 0;
}
