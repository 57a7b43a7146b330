//===- GraphFuzz.c - compares random graphs with the reference ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without a file: generates graphs from consecutive seeds and checks them. What
// fails is made small and written, with its target, into a directory; the first
// line of the file is the command that runs it again. With a file: runs it.
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Graph.h"

#include "IRReader/IRReader.h"
#include "Support/CommandLine.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Time.h"
#include "Transforms/Partition/Constraints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  GRAPHS_OF_A_CONTEXT = 100, // it keeps all constants that it has seen
  MAX_SIGNATURES = 512,
};

typedef struct shared_state {
  fuzz_counts counts;
  /// Failures that were reported, by their text without numbers.
  uint64_t signatures[MAX_SIGNATURES];
  size_t num_signatures;
} shared_state;

typedef struct fuzz_options {
  const char *mode, *target, *family, *directory, *fault, *engines, *with,
      *operator_;
  int64_t seed, count, seconds, jobs;
  bool print, keep, list, lowered;
  fuzz_mode parsed_mode;
  const fuzz_family *parsed_family;
  XcDpuEngineChoice parsed_engines;
  bool each_engines;
  fuzz_subject parsed_with;
  const xc_op_info *parsed_operator; // or null
  shared_state *state;
  double end; // of the time, or 0
} fuzz_options;

//===----------------------------------------------------------------------===//
// Files of a finding
//===----------------------------------------------------------------------===//

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static const char *name_of(fuzz_mode mode) {
  return mode == FUZZ_DPU ? "dpu" : "cpu";
}

static bool write_text(const fuzz_options *options, const xc_text *path,
                       const xc_text *text) {
  XcDiag diag = {0};
  (void)mkdir(options->directory, 0777);
  return xc_write_file(&diag, xc_text_str(path), xc_text_str(text),
                       text->length);
}

// The target of a seed lies in a file, since passes take targets by name.
static bool choose_target(const fuzz_options *options, fuzz_setting *setting,
                          xc_text *path) {
  XcDiag diag = {0};
  if (options->target) {
    xc_text_puts(path, options->target);
  } else {
    xc_text text = {0};
    fuzz_write_target(options->parsed_family, setting->seed, &text);
    xc_text_printf(path, "%s/target-%" PRIu64 ".json", options->directory,
                   setting->seed);
    bool ok = write_text(options, path, &text);
    xc_text_free(&text);
    if (!ok)
      return false;
  }
  setting->target_name = xc_text_str(path);
  setting->target = xcDpuTargetCreate(&diag, setting->target_name);
  return setting->target != NULL;
}

static void write_finding(const fuzz_options *options,
                          const fuzz_setting *setting, MlirModule module,
                          fuzz_verdict verdict, const xc_text *why) {
  xc_text path = {0}, text = {0};
  xc_text_printf(&path, "%s/%s-%" PRIu64 ".mlir", options->directory,
                 name_of(setting->mode), setting->seed);
  xc_text_printf(&text, "// GraphFuzz --mode=%s --seed=%" PRIu64,
                 name_of(setting->mode), setting->seed);
  if (setting->target)
    xc_text_printf(&text, " --target=%s --engines=%s", setting->target_name,
                   options->engines);
  xc_text_printf(&text, " %s\n// %s: ", xc_text_str(&path),
                 fuzz_verdict_word(verdict));
  for (size_t i = 0; i < why->length; ++i)
    xc_text_printf(&text, "%c", why->data[i] == '\n' ? ' ' : why->data[i]);
  xc_text_puts(&text, "\n");
  mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
  write_text(options, &path, &text);
  printf("  %s\n", xc_text_str(&path));
  xc_text_free(&path);
  xc_text_free(&text);
}

//===----------------------------------------------------------------------===//
// One graph
//===----------------------------------------------------------------------===//

// Whether a failure like this one was seen before.
static bool is_known(shared_state *state, fuzz_verdict verdict,
                     const xc_text *why) {
  uint64_t hash = UINT64_C(1469598103934665603) + (uint64_t)verdict;
  for (size_t i = 0; i < why->length; ++i)
    if (why->data[i] > '9' && why->data[i] != 'x')
      hash = (hash ^ (unsigned char)why->data[i]) * UINT64_C(1099511628211);
  for (size_t i = 0; i < state->num_signatures; ++i)
    if (state->signatures[i] == hash)
      return true;
  if (state->num_signatures < MAX_SIGNATURES)
    state->signatures[state->num_signatures++] = hash;
  return false;
}

// In a process of its own: a smaller graph may fail in another way.
static bool reduce(const fuzz_options *options, const fuzz_setting *setting,
                   MlirModule module, fuzz_verdict verdict) {
  enum { SECONDS = 120 };
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS);
    fuzz_counts ignored = {0};
    fuzz_setting again = *setting;
    again.counts = &ignored;
    xc_text why = {0};
    MlirModule smaller = fuzz_reduce(fuzz_clone(module), &again, verdict);
    (void)fuzz_check_isolated(smaller, &again, &why);
    write_finding(options, setting, smaller, verdict, &why);
    fflush(stdout);
    _exit(EXIT_SUCCESS);
  }
  int status;
  return child > 0 && waitpid(child, &status, 0) == child &&
         WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static void report(const fuzz_options *options, const fuzz_setting *setting,
                   MlirModule module, fuzz_verdict verdict, xc_text *why) {
  if (is_known(options->state, verdict, why) && !options->list)
    return;
  printf("seed %" PRIu64 ": %s: %.400s\n", setting->seed,
         fuzz_verdict_word(verdict), xc_text_str(why));
  fflush(stdout);
  if (options->list)
    return;
  if (options->keep || !reduce(options, setting, module, verdict))
    write_finding(options, setting, module, verdict, why);
  fflush(stdout);
}

static bool check_module(const fuzz_options *options,
                         const fuzz_setting *setting, MlirModule module) {
  xc_text why = {0};
  fuzz_verdict verdict = fuzz_check_isolated(module, setting, &why);
  ++setting->counts->verdicts[verdict];
  if (verdict != FUZZ_OK)
    report(options, setting, module, verdict, &why);
  xc_text_free(&why);
  return verdict == FUZZ_OK;
}

static fuzz_setting make_setting(const fuzz_options *options, uint64_t seed) {
  return (fuzz_setting){.mode = options->parsed_mode,
                        .seed = seed,
                        .subject = options->parsed_with,
                        .required = options->parsed_operator,
                        .lowered = options->lowered,
                        .engines = options->parsed_engines,
                        .each_engines = options->each_engines,
                        .fault = options->fault,
                        .counts = &options->state->counts};
}

static bool check_seed(const fuzz_options *options, MlirContext context,
                       uint64_t seed) {
  fuzz_setting setting = make_setting(options, seed);
  xc_text path = {0};
  bool ok = true;
  if (setting.mode == FUZZ_DPU && !choose_target(options, &setting, &path)) {
    fprintf(stderr, "GraphFuzz: seed %" PRIu64 " has no target\n", seed);
    xc_text_free(&path);
    return false;
  }
  MlirModule module = fuzz_generate(context, &setting);
  if (options->print) {
    xc_text text = {0};
    mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
    printf("%s", xc_text_str(&text));
    xc_text_free(&text);
  } else {
    ok = check_module(options, &setting, module);
  }
  mlirModuleDestroy(module);
  xcDpuTargetDestroy(setting.target);
  if (ok && setting.mode == FUZZ_DPU && !options->target && !options->print)
    (void)unlink(xc_text_str(&path));
  xc_text_free(&path);
  return ok;
}

//===----------------------------------------------------------------------===//
// Many graphs
//===----------------------------------------------------------------------===//

static bool work(const fuzz_options *options, int64_t first) {
  bool ok = true;
  MlirContext context = {NULL};
  int64_t done = 0;
  for (int64_t i = first; i < options->count; i += options->jobs) {
    if (options->end > 0 && xc_seconds() > options->end)
      break;
    if (done++ % GRAPHS_OF_A_CONTEXT == 0) {
      if (context.ptr)
        mlirContextDestroy(context);
      context = xc_context_create(false);
    }
    ok &= check_seed(options, context, (uint64_t)(options->seed + i));
  }
  if (context.ptr)
    mlirContextDestroy(context);
  return ok;
}

static bool run_jobs(const fuzz_options *options) {
  if (options->jobs == 1)
    return work(options, 0);
  bool ok = true;
  for (int64_t job = 0; job < options->jobs; ++job) {
    pid_t child = fork();
    if (child == 0) {
      bool good = work(options, job);
      fflush(stdout);
      _exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    ok &= child > 0;
  }
  int status;
  while (wait(&status) > 0)
    ok &= WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
  return ok;
}

static void print_kinds(const char *title, const fuzz_count *counts) {
  size_t num_rows;
  const xc_op_info *rows = xc_op_table(&num_rows);
  printf("%s:", title);
  for (size_t i = 0; i < num_rows; ++i)
    if (rows[i].dialect == XC_DIALECT_TIR && counts[rows[i].kind] > 0)
      printf(" %s %" PRIu64, rows[i].mnemonic, counts[rows[i].kind]);
  printf("\n");
}

static void print_reasons(const fuzz_count *counts) {
  size_t num_rows;
  const xc_constraint *rows = xc_constraint_table(&num_rows);
  printf("on the CPU for:");
  for (size_t i = 0; i < num_rows && i < FUZZ_MAX_CONSTRAINTS; ++i)
    if (counts[i] > 0)
      printf(" %s %" PRIu64, rows[i].id, counts[i]);
  printf("\n");
}

static void print_summary(const fuzz_options *options) {
  const fuzz_counts *c = &options->state->counts;
  printf("%" PRIu64 " graphs of %" PRIu64 " operators, %" PRIu64
         " values compared\n",
         c->graphs, c->operators, c->values);
  if (options->parsed_mode == FUZZ_DPU)
    printf("%" PRIu64 " operators on the DPU in %" PRIu64 " subgraphs, %" PRIu64
           " on the CPU; %" PRIu64 " instructions\n",
           c->on_dpu, c->subgraphs, c->on_cpu, c->instructions);
  if (options->parsed_mode == FUZZ_DPU)
    printf("%" PRIu64 " operators with lists of fix points on the DPU in "
           "%" PRIu64 " graphs, %" PRIu64
           " layers for several engines in %" PRIu64 "\n",
           c->lists, c->graphs_of_lists, c->choices, c->graphs_of_choices);
  if (options->parsed_mode == FUZZ_CPU)
    printf("%" PRIu64 " graphs skipped\n", c->skipped);
  if (options->list) {
    print_kinds("made", c->made);
    print_kinds("on the DPU", c->by_dpu);
    print_reasons(c->reasons);
  }
  if (c->skipped)
    print_kinds("skipped for", c->unsupported);
  for (int v = 0; v < FUZZ_NUM_VERDICTS; ++v)
    if (c->verdicts[v] || v == FUZZ_OK)
      printf("%-10s %" PRIu64 "\n", fuzz_verdict_word((fuzz_verdict)v),
             c->verdicts[v]);
}

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

static bool check_text(const fuzz_options *options, const char *file,
                       const xc_buffer *buffer) {
  XcDiag diag = {0};
  fuzz_setting setting = make_setting(options, (uint64_t)options->seed);
  xc_text path = {0}, why = {0};
  if (setting.mode == FUZZ_DPU && !choose_target(options, &setting, &path))
    return false;
  MlirContext context = xc_context_create(false);
  xc_source input = {file, buffer->data, buffer->size, 1};
  MlirOperation op = xc_read_ir(context, &diag, &input, &(xc_read_options){0});
  fuzz_verdict verdict = FUZZ_INVALID;
  if (!mlirOperationIsNull(op)) {
    MlirModule module = mlirModuleFromOperation(op);
    if (options->keep)
      verdict = fuzz_check(module, &setting, &why);
    else
      verdict = fuzz_check_isolated(module, &setting, &why);
    mlirModuleDestroy(module);
  }
  printf("%s%s%s\n", fuzz_verdict_word(verdict), why.length ? ": " : "",
         xc_text_str(&why));
  mlirContextDestroy(context);
  xcDpuTargetDestroy(setting.target);
  xc_text_free(&path);
  xc_text_free(&why);
  return verdict == FUZZ_OK;
}

static bool check_file(const fuzz_options *options, const char *file) {
  XcDiag diag = {0};
  xc_buffer buffer;
  if (!xc_read_file(&diag, file, &buffer))
    return false;
  bool ok = check_text(options, file, &buffer);
  xc_buffer_free(&buffer);
  return ok;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// The words that an option takes, of which `last` comes after the table.
static bool word_error(const char *option, const char *given,
                       const char *const *names, size_t count,
                       const char *last) {
  xc_text known = {0};
  for (size_t i = 0; i < count; ++i)
    xc_text_printf(&known, "%s%s", i ? ", " : "", names[i]);
  xc_tool_error("GraphFuzz", "--%s=%s: expected %s or %s", option, given,
                xc_text_str(&known), last);
  xc_text_free(&known);
  return false;
}

static bool parse_engines(fuzz_options *options) {
  static const char *const names[XC_DPU_NUM_ENGINE_CHOICES] = {
      [XcDpuEngineChoiceFastest] = "fastest",
      [XcDpuEngineChoiceDepthwise] = "depthwise",
      [XcDpuEngineChoiceDiagonal] = "diagonal",
      [XcDpuEngineChoiceBoth] = "both",
      [XcDpuEngineChoiceInTurn] = "in-turn",
      [XcDpuEngineChoiceInTiles] = "in-tiles",
      [XcDpuEngineChoiceInStrips] = "in-strips",
      [XcDpuEngineChoiceReordered] = "reordered",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(options->engines, names[i]) == 0) {
      options->parsed_engines = (XcDpuEngineChoice)i;
      return true;
    }
  options->each_engines = strcmp(options->engines, "each") == 0;
  return options->each_engines ||
         word_error("engines", options->engines, names,
                    sizeof names / sizeof *names, "each");
}

static bool parse_with(fuzz_options *options) {
  static const char *const names[] = {
      [FUZZ_ANYTHING] = "anything",   [FUZZ_LISTS] = "lists",
      [FUZZ_DEPTHWISE] = "depthwise", [FUZZ_TRANSPOSED] = "transposed",
      [FUZZ_NARROW] = "narrow",       [FUZZ_CONCATS] = "concats",
      [FUZZ_INNER] = "inner",         [FUZZ_LARGE] = "large",
      [FUZZ_SIGNALS] = "signals",     [FUZZ_SHUFFLES] = "shuffles",
  };
  size_t count = sizeof names / sizeof *names;
  for (size_t i = 0; i < count; ++i)
    if (strcmp(options->with, names[i]) == 0) {
      options->parsed_with = (fuzz_subject)i;
      return true;
    }
  return word_error("with", options->with, names, count - 1, names[count - 1]);
}

static bool parse_operator(fuzz_options *options) {
  if (!options->operator_)
    return true;
  options->parsed_operator = fuzz_find_operator(options->operator_);
  return options->parsed_operator ||
         xc_tool_error("GraphFuzz",
                       "--operator=%s: graphs have no such operator",
                       options->operator_);
}

static bool run(fuzz_options *options, const xc_string_list *files) {
  static const char *const modes[] = {[FUZZ_DPU] = "dpu", [FUZZ_CPU] = "cpu"};
  if (strcmp(options->mode, modes[FUZZ_CPU]) == 0)
    options->parsed_mode = FUZZ_CPU;
  else if (strcmp(options->mode, modes[FUZZ_DPU]) != 0)
    return xc_tool_error("GraphFuzz", "--mode=%s: expected dpu or cpu",
                         options->mode);
  options->parsed_family = fuzz_find_family(options->family);
  if (!options->parsed_family)
    return xc_tool_error("GraphFuzz", "--family=%s: there is no such family",
                         options->family);
  if (!parse_engines(options) || !parse_with(options) ||
      !parse_operator(options))
    return false;
  options->state = mmap(NULL, sizeof(shared_state), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (options->state == MAP_FAILED)
    return xc_tool_error("GraphFuzz", "no shared memory");
  if (options->seconds > 0)
    options->end = xc_seconds() + (double)options->seconds;
  if (files->count > 0)
    return check_file(options, files->items[0]);
  bool ok = run_jobs(options);
  if (!options->print)
    print_summary(options);
  return ok;
}

int main(int argc, char **argv) {
  fuzz_options o = {.mode = "dpu",
                    .family = "DPUCZDX8G",
                    .directory = ".",
                    .engines = "fastest",
                    .with = "anything",
                    .seed = 1,
                    .count = 1,
                    .jobs = 1};
  const xc_option rows[] = {
      XC_STRING_ROW("mode", "dpu or cpu", &o.mode,
                    "What is compared with the reference"),
      XC_INT_ROW("seed", "number", &o.seed, 0, INT64_C(1) << 60,
                 "Seed of the first graph, or of the inputs of the file"),
      XC_INT_ROW("count", "number", &o.count, 1, INT64_C(1) << 40, "Graphs"),
      XC_INT_ROW("seconds", "number", &o.seconds, 0, 1000000,
                 "Stop after this time"),
      XC_INT_ROW("jobs", "number", &o.jobs, 1, 256, "Processes"),
      XC_STRING_ROW("directory", "directory", &o.directory,
                    "Where findings and targets are written"),
      XC_STRING_ROW("target", "name or file", &o.target,
                    "One target for all graphs"),
      XC_STRING_ROW("family", "name", &o.family,
                    "The family of random targets"),
      XC_STRING_ROW("engines", "choice", &o.engines,
                    "What computes depthwise layers, or in-tiles: chains of "
                    "layers in tiles of columns, or in-strips: last rows in "
                    "strips of columns, and other forms of layers, or "
                    "reordered: operators in another order; each: all but "
                    "fastest, one by one"),
      XC_STRING_ROW("with",
                    "anything, lists, depthwise, transposed, narrow, concats, "
                    "inner, large, signals or shuffles",
                    &o.with,
                    "What every graph has: a convolution with lists of fix "
                    "points, a depthwise or a transposed one, buffers of few "
                    "channels, concatenations, these between convolutions, "
                    "large images, images of one row, or channel shuffles"),
      XC_STRING_ROW("operator", "operator", &o.operator_,
                    "An operator that every graph has"),
      XC_STRING_ROW("fault", "operator", &o.fault,
                    "Pretend that graphs with this operator go wrong, to try "
                    "the reducer"),
      XC_FLAG_ROW("print", &o.print, "Print the graphs"),
      XC_FLAG_ROW("keep", &o.keep,
                  "Leave findings as large as they are; run a file in this "
                  "process"),
      XC_FLAG_ROW("lowered", &o.lowered, "Only operators that have host code"),
      XC_FLAG_ROW("list", &o.list,
                  "One line for every finding, and counts by operator"),
  };
  const xc_option_group groups[] = {
      {"Options", rows, sizeof(rows) / sizeof(*rows)}};
  const xc_command_line spec = {
      .tool = "GraphFuzz",
      .overview = "compares random graphs with the reference interpreter",
      .usage = "[options] [file.mlir]",
      .groups = groups,
      .num_groups = 1};
  xc_string_list files = {0};
  xc_command_line_result parsed =
      xc_command_line_parse(&spec, argc, argv, &files);
  bool ok = parsed == XC_COMMAND_LINE_DONE ||
            (parsed == XC_COMMAND_LINE_RUN && run(&o, &files));
  xc_string_list_free(&files);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
