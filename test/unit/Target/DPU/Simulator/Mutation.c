//===- Mutation.c - mutants of valid programs -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: DpuMutation COUNT TARGET DIRECTORY [TARGET DIRECTORY]...
//
// Makes COUNT mutants of each kind of the programs in the directories
// (code.bin, the registers reg0..reg7, and `memory` with a line `REGISTER SIZE
// data|empty` for each) and sees what strict mode says about them. The
// generator is seeded: the same command makes the same mutants.
//
//   token   one bit removed from dpdon or dpdby
//   pair    a post and the wait that it serves removed, so that every channel
//           still balances
//   load    a LOAD removed
//   address an address field changed
//   length  a length field changed
//
// A token, or a pair, is needed if without it two instructions in conflict are
// not ordered any more, in the judgement of BruteForce.c. The tokens of LOAD,
// CONV and MISC to themselves are never needed, their queues being in order,
// and are left alone. A LOAD is needed if the output is another one without it.
// What is needed must be reported: the test fails below 99 %. Of the rest it is
// said whether strict mode reports it, or else whether the output changes.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
  const char *directory;
  const XcDpuTarget *target;
  const XcDpuIsa *isa;
  xc_buffer code;
  XcDpuProgram *program;
  XcDpuInstruction *instructions;
  size_t count;
  xc_buffer registers[XC_DPU_NUM_REGISTERS];
  bool has_data[XC_DPU_NUM_REGISTERS];
  xc_buffer result[XC_DPU_NUM_REGISTERS]; // of the program itself
  brute_force brute;
} subject;

typedef struct tally {
  const char *kind;
  size_t mutants, reported, wrong, harmless, redundant;
  size_t redundant_reported;
  uint64_t findings[XC_DPU_NUM_FINDING_KINDS];
} tally;

static uint32_t random_state = 1;

static uint32_t random_below(size_t bound) {
  random_state = random_state * 1664525u + 1013904223u;
  uint64_t high = random_state >> 8;
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)((high << 24 | random_state >> 8) % bound);
}

static _Noreturn void fail(const char *what, const char *where) {
  fprintf(stderr, "DpuMutation: %s: %s\n", where, what);
  exit(EXIT_FAILURE);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Encodes instructions; `skip` is left out.
static XcDpuProgram *encode(const subject *s, const XcDpuInstruction *insns,
                            size_t skip) {
  unsigned char *code = xc_alloc_array(s->count, XC_DPU_MAX_WORDS * 4);
  size_t size = 0;
  XcDpuProgram *program = NULL;
  XcDiag diag = {.handler = xc_ignore_error};
  for (size_t i = 0; i < s->count; ++i) {
    uint32_t words[XC_DPU_MAX_WORDS];
    if (i == skip)
      continue;
    XcDpuResult result = xcDpuEncode(s->isa, &insns[i], words);
    if (result.status != XcDpuStatusOk)
      fail("a mutant does not encode", s->directory);
    for (unsigned w = 0; w < result.numWords; ++w, size += 4)
      xcDpuWriteWord(code + size, words[w]);
  }
  program = xcDpuProgramCreate(&diag, s->target, "mutant", code, size);
  free(code);
  return program;
}

static uint64_t verify(const subject *s, const XcDpuProgram *program,
                       XcDpuVerifyReport *report, XcDiagHandler handler) {
  XcDpuVerifyOptions options;
  XcDpuByteRange written[XC_DPU_NUM_REGISTERS];
  XcDiag diag = {.handler = handler};
  xcDpuVerifyOptionsInit(&options, s->target);
  options.fullRegisters = 0;
  options.written = written;
  for (unsigned r = 0; r < XC_DPU_NUM_REGISTERS; ++r) {
    options.registerSizes[r] = s->registers[r].size;
    if (s->has_data[r])
      written[options.numWritten++] =
          (XcDpuByteRange){r, 0, s->registers[r].size};
  }
  xcDpuVerify(&diag, program, &options, report);
  return report->total;
}

/// Runs a program; false if it stops with a diagnostic.
static bool run(const subject *s, const XcDpuProgram *program,
                xc_buffer *registers) {
  XcDiag diag = {.handler = xc_ignore_error};
  XcDpuSim *sim = xcDpuSimCreate(&diag, s->target, NULL);
  for (unsigned r = 0; r < XC_DPU_NUM_REGISTERS; ++r) {
    size_t size = s->registers[r].size;
    registers[r].data = xc_realloc_array(registers[r].data, size + 1, 1);
    registers[r].size = size;
    if (size)
      memcpy(registers[r].data, s->registers[r].data, size);
    xcDpuSimSetRegister(sim, r, registers[r].data, size);
  }
  bool ok = xcDpuSimRun(sim, program, &diag);
  xcDpuSimDestroy(sim);
  return ok;
}

/// The output is what is saved anywhere but in the workspace.
static bool has_same_output(const subject *s, const XcDpuProgram *program,
                            xc_buffer *scratch) {
  if (!run(s, program, scratch))
    return false;
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    if (r != s->target->workspaceRegister && scratch[r].size &&
        memcmp(scratch[r].data, s->result[r].data, scratch[r].size) != 0)
      return false;
  return true;
}

static void read_memory(subject *s) {
  char path[1024], word[16];
  snprintf(path, sizeof path, "%s/memory", s->directory);
  FILE *stream = fopen(path, "r");
  unsigned reg;
  size_t size;
  if (!stream)
    fail("cannot open", path);
  while (fscanf(stream, "%u %zu %15s", &reg, &size, word) == 3) {
    XcDiag diag = {0};
    if (reg >= XC_DPU_NUM_REGISTERS)
      fail("no such register", path);
    s->has_data[reg] = strcmp(word, "data") == 0;
    s->registers[reg].data = xc_alloc(size + 1);
    s->registers[reg].size = size;
    if (!s->has_data[reg])
      continue;
    snprintf(path, sizeof path, "%s/reg%u", s->directory, reg);
    xc_buffer file;
    if (!xc_read_file(&diag, path, &file) || file.size > size)
      fail("does not fit", path);
    memcpy(s->registers[reg].data, file.data, file.size);
    xc_buffer_free(&file);
  }
  fclose(stream);
}

static void open_subject(subject *s, const char *target,
                         const char *directory) {
  char path[1024];
  XcDiag diag = {0};
  *s = (subject){.directory = directory};
  s->target = xcDpuTargetCreate(&diag, target);
  snprintf(path, sizeof path, "%s/code.bin", directory);
  if (!s->target || !xc_read_file(&diag, path, &s->code))
    exit(EXIT_FAILURE);
  s->isa = xcDpuIsaGet(s->target->isa);
  s->program =
      xcDpuProgramCreate(&diag, s->target, path, s->code.data, s->code.size);
  if (!s->program)
    exit(EXIT_FAILURE);
  s->count = xcDpuProgramGetNumInstructions(s->program);
  s->instructions = xc_alloc_array(s->count, sizeof *s->instructions);
  for (size_t i = 0; i < s->count; ++i)
    xcDpuProgramGetInstruction(s->program, i, &s->instructions[i]);
  read_memory(s);
  if (!run(s, s->program, s->result))
    fail("does not run", directory);
  XcDpuVerifyReport report;
  if (verify(s, s->program, &report, NULL) != 0)
    fail("strict mode has findings in the program itself", directory);
  brute_force_init(&s->brute, s->target, s->program);
  size_t unordered = brute_force_count_unordered(&s->brute);
  if (unordered)
    fail("the brute-force check finds conflicts that nothing orders",
         directory);
  printf("%-24s %6zu instructions, %7zu conflicts, all ordered\n",
         strrchr(directory, '/') ? strrchr(directory, '/') + 1 : directory,
         s->count, s->brute.num_conflicts);
}

static void close_subject(subject *s) {
  brute_force_free(&s->brute);
  free(s->instructions);
  xcDpuProgramDestroy(s->program);
  xcDpuTargetDestroy(s->target);
  xc_buffer_free(&s->code);
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r) {
    xc_buffer_free(&s->registers[r]);
    xc_buffer_free(&s->result[r]);
  }
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

static unsigned queue_of(const subject *s, const XcDpuInstruction *insn) {
  return (unsigned)xcDpuIsaGetInfo(s->isa, insn->opcode)->queue;
}

/// Removes one random token bit.
static void remove_token(const subject *s, XcDpuInstruction *insns) {
  for (;;) {
    XcDpuInstruction *insn = &insns[random_below(s->count)];
    unsigned queue = random_below(XC_DPU_NUM_QUEUES);
    unsigned bit = 1u << queue;
    if (queue == queue_of(s, insn) && queue != XcDpuQueueSave)
      continue;
    uint8_t *mask = random_below(2) ? &insn->dpdon : &insn->dpdby;
    if (*mask & bit) {
      *mask &= (uint8_t)~bit;
      return;
    }
  }
}

/// Removes a random post between two queues and the wait that it serves.
static void remove_pair(const subject *s, XcDpuInstruction *insns) {
  for (;;) {
    size_t poster = random_below(s->count);
    unsigned from = queue_of(s, &insns[poster]);
    unsigned to = random_below(XC_DPU_NUM_QUEUES);
    if (from == to || !(insns[poster].dpdby >> to & 1))
      continue;
    size_t number = 0, taken = 0;
    for (size_t i = 0; i < poster; ++i)
      number += queue_of(s, &insns[i]) == from && (insns[i].dpdby >> to & 1);
    for (size_t i = 0; i < s->count; ++i) {
      if (queue_of(s, &insns[i]) != to || !(insns[i].dpdon >> from & 1) ||
          taken++ != number)
        continue;
      insns[poster].dpdby &= (uint8_t)~(1u << to);
      insns[i].dpdon &= (uint8_t)~(1u << from);
      return;
    }
  }
}

/// Changes a random field whose name contains `part`.
static void change_field(const subject *s, XcDpuInstruction *insns,
                         const char *part) {
  static const int32_t steps[] = {1, 2, 3, 8, 16, 64, 100, 512};
  for (;;) {
    XcDpuInstruction *insn = &insns[random_below(s->count)];
    const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(s->isa, insn->opcode);
    if (info->numFields == 0)
      continue;
    unsigned f = random_below(info->numFields);
    const XcDpuField *field = &info->fields[f];
    if (!strstr(field->name, part))
      continue;
    int64_t step = steps[random_below(sizeof steps / sizeof *steps)];
    int64_t value = (int64_t)(int32_t)insn->fields[field->member] +
                    (random_below(2) ? step : -step);
    int64_t minimum, maximum;
    xcDpuFieldGetRange(field, insn, &minimum, &maximum);
    if (value < minimum || value > maximum)
      continue;
    insn->fields[field->member] = (uint32_t)value;
    return;
  }
}

static size_t random_load(const subject *s) {
  for (;;) {
    size_t index = random_below(s->count);
    if (s->instructions[index].opcode == XcDpuOpcodeLoad)
      return index;
  }
}

static void classify(subject *s, tally *t, const XcDpuInstruction *insns,
                     size_t skip, xc_buffer *scratch) {
  XcDpuProgram *program = encode(s, insns, skip);
  ++t->mutants;
  if (!program) { // for example a CONV before its CONVINIT
    ++t->reported;
    return;
  }
  XcDpuVerifyReport report;
  if (verify(s, program, &report, xc_ignore_error) != 0) {
    ++t->reported;
    for (int k = 0; k < XC_DPU_NUM_FINDING_KINDS; ++k)
      t->findings[k] += report.counts[k] != 0;
  } else if (has_same_output(s, program, scratch)) {
    ++t->harmless;
  } else {
    ++t->wrong;
  }
  xcDpuProgramDestroy(program);
}

/// False if the tokens that were removed order nothing that is in conflict.
static bool is_needed(subject *s, const XcDpuInstruction *insns) {
  for (size_t i = 0; i < s->count; ++i) {
    s->brute.instructions[i].dpdon = insns[i].dpdon;
    s->brute.instructions[i].dpdby = insns[i].dpdby;
  }
  return brute_force_count_unordered(&s->brute) != 0;
}

static void note_redundant(subject *s, tally *t,
                           const XcDpuInstruction *insns) {
  XcDpuProgram *program = encode(s, insns, SIZE_MAX);
  XcDpuVerifyReport report;
  ++t->redundant;
  t->redundant_reported += verify(s, program, &report, xc_ignore_error) != 0;
  xcDpuProgramDestroy(program);
}

static void make_mutants(subject *subjects, size_t num_subjects, tally *t,
                         size_t count) {
  xc_buffer scratch[XC_DPU_NUM_REGISTERS] = {{0}};
  while (t->mutants < count) {
    subject *s = &subjects[random_below(num_subjects)];
    XcDpuInstruction *insns = xc_alloc_array(s->count, sizeof *s->instructions);
    memcpy(insns, s->instructions, s->count * sizeof *insns);
    size_t skip = SIZE_MAX;
    bool needed = true;
    if (strcmp(t->kind, "token") == 0) {
      remove_token(s, insns);
      needed = is_needed(s, insns);
    } else if (strcmp(t->kind, "pair") == 0) {
      remove_pair(s, insns);
      needed = is_needed(s, insns);
    } else if (strcmp(t->kind, "load") == 0) {
      skip = random_load(s);
    } else {
      change_field(s, insns,
                   strcmp(t->kind, "address") == 0 ? "_addr" : "length");
    }
    if (needed)
      classify(s, t, insns, skip, scratch);
    else
      note_redundant(s, t, insns);
    free(insns);
  }
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    xc_buffer_free(&scratch[r]);
}

static void print_tally(const tally *t) {
  printf("%-8s %5zu mutants: %5zu reported, %4zu wrong result only (%.1f %% "
         "reported), %4zu harmless",
         t->kind, t->mutants, t->reported, t->wrong,
         100.0 * (double)t->reported / (double)(t->reported + t->wrong),
         t->harmless);
  if (t->redundant)
    printf("; besides %zu not needed, %zu of them reported", t->redundant,
           t->redundant_reported);
  printf("\n         ");
  for (int k = 0; k < XC_DPU_NUM_FINDING_KINDS; ++k)
    if (t->findings[k])
      printf(" %s %" PRIu64, xcDpuFindingKindGetName((XcDpuFindingKind)k),
             t->findings[k]);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 4 || argc % 2 != 0)
    fail("expected COUNT TARGET DIRECTORY ...", "arguments");
  size_t count = (size_t)strtoul(argv[1], NULL, 10);
  size_t num_subjects = (size_t)(argc - 2) / 2;
  subject *subjects = xc_alloc_array(num_subjects, sizeof *subjects);
  for (size_t i = 0; i < num_subjects; ++i)
    open_subject(&subjects[i], argv[2 + 2 * i], argv[3 + 2 * i]);
  tally tallies[] = {{.kind = "token"},
                     {.kind = "pair"},
                     {.kind = "load"},
                     {.kind = "address"},
                     {.kind = "length"}};
  bool ok = true;
  for (size_t k = 0; k < sizeof tallies / sizeof *tallies; ++k) {
    make_mutants(subjects, num_subjects, &tallies[k], count);
    print_tally(&tallies[k]);
    // The first three must be found by strict mode alone.
    if (k < 3)
      ok &= tallies[k].reported * 100 >=
            (tallies[k].reported + tallies[k].wrong) * 99;
  }
  for (size_t i = 0; i < num_subjects; ++i)
    close_subject(&subjects[i]);
  free(subjects);
  printf("%s\n", ok ? "strict mode reports at least 99 % of what is needed"
                    : "strict mode misses more than 1 % of what is needed");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
