//===- Debugger.c - running a program under commands ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim.h"
#include "Target/DPU/Machine/Program.h"

#include "Support/Memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 8, MAX_LINE = 1024, MAX_PRINTED = 1 << 20 };

/// A place whose writes stop the program.
typedef struct watch {
  bool is_ddr;
  uint32_t place; // bank or register
  uint64_t first, last;
} watch;

typedef struct debugger {
  XcDpuSim *sim;
  const XcDpuProgram *program;
  XcDiag *diag;
  FILE *output;
  size_t next; // instruction
  bool failed, quit;
  watch *watches;
  size_t num_watches, capacity;
  const watch *hit; // while an instruction is looked at
  uint64_t hit_at;
} debugger;

typedef struct arguments {
  size_t count;
  char *words[MAX_ARGUMENTS];
  char *rest; // after the command, as it was written
} arguments;

/// Says that a command is wrong. Returns false.
static bool complain(debugger *d, const char *why) {
  fprintf(d->output, "%s\n", why);
  d->failed = true;
  return false;
}

static bool take_number(debugger *d, const arguments *a, size_t index,
                        uint64_t *number) {
  if (index >= a->count)
    return complain(d, "a number is missing");
  char *end;
  errno = 0;
  const char *word = a->words[index];
  unsigned long long value = strtoull(word, &end, 0);
  if (errno || *end || *word < '0' || *word > '9') {
    fprintf(d->output, "'%s' is not a number\n", word);
    d->failed = true;
    return false;
  }
  *number = value;
  return true;
}

static bool take_bank(debugger *d, const arguments *a, size_t index,
                      uint32_t *bank) {
  uint64_t number;
  if (!take_number(d, a, index, &number))
    return false;
  if (number >= (uint64_t)d->sim->target->derived.numBanks) {
    fprintf(d->output, "bank %" PRIu64 " does not exist, the last one is %d\n",
            number, (int)d->sim->target->derived.numBanks - 1);
    d->failed = true;
    return false;
  }
  *bank = (uint32_t)number;
  return true;
}

//===----------------------------------------------------------------------===//
// Going on
//===----------------------------------------------------------------------===//

static void show_next(const debugger *d) {
  if (d->next == d->program->count) {
    fprintf(d->output, "the program has ended\n");
    return;
  }
  char assembly[XC_DPU_MAX_LINE];
  xcDpuProgramPrintInstruction(d->program, d->next, assembly);
  size_t layer = xcDpuProgramGetLayerOf(d->program, d->next);
  fprintf(d->output, "%zu%s%s: %s\n", d->next, layer == SIZE_MAX ? "" : " ",
          layer == SIZE_MAX ? "" : d->program->layers[layer].name, assembly);
}

/// Finds a watched word among those that a run writes.
static void look_for_bank(void *context, const xc_run *run) {
  debugger *d = context;
  for (size_t i = 0; i < d->num_watches; ++i) {
    const watch *w = &d->watches[i];
    if (w->is_ddr || w->place != run->bank)
      continue;
    for (uint32_t x = 0; x < run->count && !d->hit; ++x)
      for (uint32_t k = 0; k < run->words && !d->hit; ++k) {
        uint64_t word = (run->address + (uint64_t)x * run->step + k) %
                        d->sim->layout.depth[run->bank];
        if (word < w->first || word > w->last)
          continue;
        d->hit = w;
        d->hit_at = word;
      }
  }
}

static void look_for_ddr(debugger *d, const xc_op *op) {
  xc_ddr_range range;
  if (op->kind->class != XC_OP_SAVE ||
      !xc_op_ddr(d->sim->target, op, 0, &range))
    return;
  for (size_t i = 0; i < d->num_watches && !d->hit; ++i) {
    const watch *w = &d->watches[i];
    if (!w->is_ddr || w->place != range.reg)
      continue;
    for (uint32_t x = 0; x < range.length && !d->hit; ++x) {
      uint64_t begin = range.begin + (uint64_t)x * range.step;
      uint64_t first = begin > w->first ? begin : w->first;
      if (first > w->last || first >= begin + range.channel)
        continue;
      d->hit = w;
      d->hit_at = first;
    }
  }
}

/// Whether the next instruction writes a watched place.
static void look_for_watches(debugger *d) {
  xc_op op = {0};
  xc_text why = {0};
  d->hit = NULL;
  xc_program_get_op(d->program, d->next, &op);
  if (d->num_watches > 0 && xc_op_check(d->sim->target, &op, &why)) {
    xc_op_writes(d->sim->target, &op, look_for_bank, d);
    look_for_ddr(d, &op);
  }
  xc_text_free(&why);
}

/// Executes one instruction. Returns false if it failed or wrote a watched
/// place.
static bool step(debugger *d) {
  look_for_watches(d);
  if (!xcDpuSimStep(d->sim, d->program, d->next, d->diag)) {
    d->failed = true;
    return false;
  }
  if (d->hit)
    fprintf(d->output, "instruction %zu wrote %s %" PRIu32 " %s %" PRIu64 "\n",
            d->next, d->hit->is_ddr ? "register" : "bank", d->hit->place,
            d->hit->is_ddr ? "byte" : "word", d->hit_at);
  ++d->next;
  return !d->hit;
}

static void run_until(debugger *d, size_t stop) {
  while (d->next < stop && step(d))
    continue;
  show_next(d);
}

static void do_step(debugger *d, const arguments *a) {
  uint64_t count = 1;
  if (a->count > 0 && !take_number(d, a, 0, &count))
    return;
  size_t left = d->program->count - d->next;
  run_until(d, d->next + (count < left ? (size_t)count : left));
}

static void do_run(debugger *d, const arguments *a) {
  (void)a;
  run_until(d, d->program->count);
}

static void do_until(debugger *d, const arguments *a) {
  uint64_t index;
  for (size_t l = 0; l < d->program->num_layers; ++l)
    if (strcmp(d->program->layers[l].name, a->rest) == 0) {
      run_until(d, d->program->layers[l].first);
      return;
    }
  if (a->count > 0 && (*a->words[0] < '0' || *a->words[0] > '9')) {
    fprintf(d->output, "no layer is called '%s'\n", a->rest);
    d->failed = true;
  } else if (take_number(d, a, 0, &index)) {
    run_until(d, index < d->program->count ? (size_t)index : d->program->count);
  }
}

static void do_where(debugger *d, const arguments *a) {
  (void)a;
  show_next(d);
}

static void do_list(debugger *d, const arguments *a) {
  uint64_t count = 10;
  if (a->count > 0 && !take_number(d, a, 0, &count))
    return;
  size_t next = d->next, end = d->program->count;
  if (count < end - next)
    end = next + (size_t)count;
  for (; d->next < end; ++d->next)
    show_next(d);
  d->next = next;
}

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

static void add_watch(debugger *d, const arguments *a, watch w) {
  if (!take_number(d, a, 1, &w.first))
    return;
  w.last = w.first;
  if (a->count > 2 && !take_number(d, a, 2, &w.last))
    return;
  void *watches = d->watches;
  xc_grow(&watches, &d->capacity, d->num_watches + 1, sizeof w);
  d->watches = watches;
  d->watches[d->num_watches++] = w;
}

static void do_watch_bank(debugger *d, const arguments *a) {
  watch w = {.is_ddr = false};
  if (take_bank(d, a, 0, &w.place))
    add_watch(d, a, w);
}

static void do_watch_reg(debugger *d, const arguments *a) {
  uint64_t reg;
  if (!take_number(d, a, 0, &reg))
    return;
  if (reg >= XC_DPU_NUM_REGISTERS)
    complain(d, "registers are 0 to 7");
  else
    add_watch(d, a, (watch){.is_ddr = true, .place = (uint32_t)reg});
}

static void do_unwatch(debugger *d, const arguments *a) {
  (void)a;
  d->num_watches = 0;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static void print_bytes(const debugger *d, const int8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    fprintf(d->output, " %d", bytes[i]);
  fprintf(d->output, "\n");
}

static void do_bank(debugger *d, const arguments *a) {
  uint32_t bank;
  uint64_t first, count = 1;
  if (!take_bank(d, a, 0, &bank) || !take_number(d, a, 1, &first) ||
      (a->count > 2 && !take_number(d, a, 2, &count)))
    return;
  uint32_t depth = d->sim->layout.depth[bank];
  for (uint64_t w = 0; w < count && w < depth; ++w) {
    uint64_t word = (first + w) % depth;
    fprintf(d->output, "%" PRIu64 ":", word);
    print_bytes(d,
                xc_sim_bank(d->sim, bank) + xc_sim_offset(d->sim, bank, word),
                d->sim->word_bytes);
  }
}

static void do_reg(debugger *d, const arguments *a) {
  uint64_t reg, first, count = 16;
  if (!take_number(d, a, 0, &reg) || !take_number(d, a, 1, &first) ||
      (a->count > 2 && !take_number(d, a, 2, &count)))
    return;
  if (reg >= XC_DPU_NUM_REGISTERS) {
    complain(d, "registers are 0 to 7");
    return;
  }
  size_t size = d->sim->registers[reg].size;
  if (first > size || count > size - first) {
    fprintf(d->output, "register %" PRIu64 " has %zu bytes\n", reg, size);
    d->failed = true;
    return;
  }
  fprintf(d->output, "%" PRIu64 ":", first);
  print_bytes(d, d->sim->registers[reg].data + first, (size_t)count);
}

/// An image as CONV and ALU lay it out for a consumer of stride 1: rows over
/// the banks of a group in turn, pixels one after the other.
static void do_tensor(debugger *d, const arguments *a) {
  uint32_t bank;
  uint64_t address, height, width, channels;
  if (!take_bank(d, a, 0, &bank) || !take_number(d, a, 1, &address) ||
      !take_number(d, a, 2, &height) || !take_number(d, a, 3, &width) ||
      !take_number(d, a, 4, &channels))
    return;
  uint32_t parallel = (uint32_t)d->sim->target->pixelParallel;
  uint32_t group = bank / parallel * parallel;
  if (bank >= 2 * parallel || height > MAX_PRINTED || width > MAX_PRINTED ||
      channels > MAX_PRINTED || height * width > MAX_PRINTED ||
      height * width * channels > MAX_PRINTED) {
    complain(d, "an image lies in the image banks and has at most 1048576 "
                "elements");
    return;
  }
  uint64_t words = (channels + d->sim->word_bytes - 1) / d->sim->word_bytes;
  int8_t *pixel = xc_alloc((size_t)channels);
  for (uint64_t y = 0; y < height; ++y) {
    uint64_t position = bank - group + y;
    uint64_t row = address + position / parallel * width * words;
    for (uint64_t x = 0; x < width; ++x) {
      xc_sim_read(d->sim, group + (uint32_t)(position % parallel),
                  row + x * words, pixel, (size_t)channels);
      fprintf(d->output, "[%" PRIu64 ", %" PRIu64 "]", y, x);
      print_bytes(d, pixel, (size_t)channels);
    }
  }
  free(pixel);
}

static void do_quit(debugger *d, const arguments *a) {
  (void)a;
  d->quit = true;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

static void do_help(debugger *d, const arguments *a);

typedef struct command {
  const char *name;
  const char *arguments;
  void (*run)(debugger *d, const arguments *a);
  const char *help;
} command;

// clang-format off
static const command commands[] = {
    {"step",       "[COUNT]",            do_step,
     "execute one instruction, or COUNT"},
    {"run",        "",                   do_run,
     "execute to the end, or to a watched write"},
    {"until",      "INDEX | LAYER",      do_until,
     "execute up to an instruction or the first one of a layer"},
    {"where",      "",                   do_where, "show the next instruction"},
    {"list",       "[COUNT]",            do_list,  "show the next instructions"},
    {"watch-bank", "BANK FIRST [LAST]",  do_watch_bank,
     "stop after an instruction that writes these words"},
    {"watch-reg",  "REG FIRST [LAST]",   do_watch_reg,
     "stop after an instruction that writes these bytes"},
    {"unwatch",    "",                   do_unwatch, "forget all watches"},
    {"bank",       "BANK FIRST [COUNT]", do_bank,    "print words of a bank"},
    {"reg",        "REG FIRST [COUNT]",  do_reg,
     "print bytes of a base register"},
    {"tensor",     "BANK ADDR H W C",    do_tensor,
     "print an image whose first row begins there, pixel by pixel"},
    {"help",       "",                   do_help,    "print this list"},
    {"quit",       "",                   do_quit,    "leave"},
};
// clang-format on

static void do_help(debugger *d, const arguments *a) {
  (void)a;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    fprintf(d->output, "%-10s %-19s %s\n", commands[i].name,
            commands[i].arguments, commands[i].help);
}

static void execute(debugger *d, const char *name, const arguments *a) {
  xc_near_miss miss = xc_near_miss_begin(name, strlen(name));
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    if (strcmp(commands[i].name, name) == 0) {
      commands[i].run(d, a);
      return;
    }
    xc_near_miss_offer(&miss, commands[i].name);
  }
  const char *near = xc_near_miss_get(&miss);
  fprintf(d->output, "no command is called '%s'%s%s%s\n", name,
          near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
  d->failed = true;
}

/// Cuts a line into words; "#" begins a comment.
static void execute_line(debugger *d, char *line) {
  line[strcspn(line, "#\r\n")] = '\0';
  char rest[MAX_LINE];
  char *name = line + strspn(line, " \t");
  size_t length = strcspn(name, " \t");
  if (length == 0)
    return;
  char *at = name + length;
  at += strspn(at, " \t");
  memcpy(rest, at, strlen(at) + 1);
  for (size_t end = strlen(rest); end > 0 && strchr(" \t", rest[end - 1]);)
    rest[--end] = '\0';
  arguments a = {.rest = rest};
  name[length] = '\0';
  while (*at && a.count < MAX_ARGUMENTS) {
    a.words[a.count++] = at;
    at += strcspn(at, " \t");
    if (*at)
      *at++ = '\0';
    at += strspn(at, " \t");
  }
  execute(d, name, &a);
}

bool xcDpuDebug(XcDpuSim *sim, const XcDpuProgram *program, XcDiag *diag,
                FILE *input, FILE *output, const char *prompt) {
  debugger d = {.sim = sim, .program = program, .diag = diag, .output = output};
  char line[MAX_LINE];
  while (!d.quit) {
    if (prompt)
      fprintf(output, "%s", prompt);
    fflush(output);
    if (!fgets(line, sizeof line, input))
      break;
    execute_line(&d, line);
  }
  free(d.watches);
  return !d.failed;
}
