//===- Code.c - machine code mode: runs code on the simulator -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Run.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "Support/Time.h"
#include "Target/DPU/Layers.h"
#include "xc-c/DPUSim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Memory of one run.
typedef struct code_run {
  XcDiag diag;
  const XcDpuTarget *target;
  XcDpuProgram *program;
  /// The engine at hand, which is one of the target's.
  XcDpuSim *sim;
  XcDpuSim **engines;
  size_t num_engines;
  const run_images *images; // null: the memory is filled
  xc_dpu_memory memory;
  /// The contents of memory before the run.
  const XcDpuByteRange *written;
  size_t num_written;
  bool ours; // compiled by xc: verified unless the user says otherwise
} code_run;

/// More than any DDR; keeps a typing error from taking all memory.
#define MAX_REGISTER_BYTES (INT64_C(1) << 36)

/// Splits `N=rest`. Returns the register, or -1 after an error.
static int parse_register(const char *option, const char *text,
                          const char **rest) {
  if (text[0] >= '0' && text[0] < '0' + XC_DPU_NUM_REGISTERS &&
      text[1] == '=' && text[2] != '\0') {
    *rest = text + 2;
    return text[0] - '0';
  }
  xc_tool_error("xc-run", "--%s=%s: expected N=... with N from 0 to %d", option,
                text, XC_DPU_NUM_REGISTERS - 1);
  return -1;
}

static bool grow_register(xc_buffer *buffer, size_t size) {
  if (size <= buffer->size)
    return true;
  buffer->data = xc_realloc_array(buffer->data, size, 1);
  memset(buffer->data + buffer->size, 0, size - buffer->size);
  buffer->size = size;
  return true;
}

/// The files of --reg hold data, the memory that they reach does not.
static bool read_registers(code_run *run, const run_code_options *options,
                           XcDpuByteRange *files) {
  for (size_t i = 0; i < options->registers.count; ++i) {
    const char *path;
    int reg = parse_register("reg", options->registers.items[i], &path);
    if (reg < 0)
      return false;
    xc_buffer_free(&run->memory.registers[reg]);
    if (!xc_read_file(&run->diag, path, &run->memory.registers[reg]))
      return false;
    files[reg] =
        (XcDpuByteRange){(unsigned)reg, 0, run->memory.registers[reg].size};
  }
  for (size_t i = 0; i < options->register_sizes.count; ++i) {
    const char *text = options->register_sizes.items[i], *rest;
    int reg = parse_register("reg-size", text, &rest);
    if (reg < 0)
      return false;
    char *end;
    errno = 0;
    long long size = strtoll(rest, &end, 10);
    if (errno || *end || end == rest || size < 0 || size > MAX_REGISTER_BYTES)
      return xc_tool_error("xc-run", "--reg-size=%s: expected N=bytes", text);
    grow_register(&run->memory.registers[reg], (size_t)size);
  }
  return true;
}

void list_findings(void) {
  for (int k = 0; k < XC_DPU_NUM_FINDING_KINDS; ++k)
    printf("%-18s %s\n", xcDpuFindingKindGetName((XcDpuFindingKind)k),
           xcDpuFindingKindGetMeaning((XcDpuFindingKind)k));
}

static bool parse_finding(const char *name, uint32_t *set) {
  xc_near_miss miss = xc_near_miss_begin(name, strlen(name));
  for (int k = 0; k < XC_DPU_NUM_FINDING_KINDS; ++k) {
    const char *word = xcDpuFindingKindGetName((XcDpuFindingKind)k);
    if (strcmp(word, name) == 0) {
      *set |= 1u << k;
      return true;
    }
    xc_near_miss_offer(&miss, word);
  }
  const char *near = xc_near_miss_get(&miss);
  return xc_tool_error("xc-run", "no finding is called '%s'%s%s%s", name,
                       near ? ", did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

bool parse_findings(const xc_string_list *names, uint32_t *set) {
  for (size_t i = 0; i < names->count; ++i)
    if (!parse_finding(names->items[i], set))
      return false;
  return true;
}

static bool verify(code_run *run, const run_code_options *options) {
  XcDpuVerifyOptions verify_options;
  xcDpuVerifyOptionsInit(&verify_options, run->target);
  verify_options.fullRegisters = 0;
  verify_options.written = run->written;
  verify_options.numWritten = run->num_written;
  if (!parse_findings(&options->ignored, &verify_options.ignored))
    return false;
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    verify_options.registerSizes[reg] = run->memory.registers[reg].size;
  XcDpuVerifyReport report;
  if (xcDpuVerify(&run->diag, run->program, &verify_options, &report))
    return true;
  if (report.total > verify_options.maxReported)
    fprintf(stderr, "xc-run: %llu findings in all\n",
            (unsigned long long)report.total);
  return false;
}

/// Redraws one line on a terminal, ten times a second.
static void show_progress(void *context, const char *work, size_t done,
                          size_t total) {
  double *last = context;
  double seconds = xc_seconds();
  if (done < total && seconds - *last < 0.1)
    return;
  *last = seconds;
  // A diagnostic that follows overwrites the line.
  if (done == total)
    fprintf(stderr, "\x1b[K");
  else
    fprintf(stderr, "%3.0f %% of %zu %s\r",
            100.0 * (double)done / (double)total, total, work);
  fflush(stderr);
}

/// Makes an engine the one at hand.
static bool choose_engine(code_run *run, size_t number,
                          const run_code_options *options) {
  if (!run->engines) {
    run->num_engines = options->cores ? (size_t)options->cores
                                      : (size_t)run->target->derived.engines;
    run->engines = xc_alloc_array(run->num_engines, sizeof(*run->engines));
  }
  size_t count = run->num_engines;
  XcDpuSim **engine = &run->engines[number % count];
  if (!*engine) {
    *engine = xcDpuSimCreate(&run->diag, run->target, options->kernel);
    if (!*engine)
      return false;
    xc_dpu_memory_bind(&run->memory, *engine);
    xcDpuSimSetThreads(*engine, (unsigned)options->threads);
  }
  run->sim = *engine;
  return true;
}

static void free_engines(code_run *run) {
  for (size_t i = 0; i < run->num_engines; ++i)
    xcDpuSimDestroy(run->engines[i]);
  free(run->engines);
}

static bool execute_once(code_run *run, const run_code_options *options) {
  if (options->debug)
    return xcDpuDebug(run->sim, run->program, &run->diag, stdin, stdout,
                      isatty(STDIN_FILENO) ? "(xc-run) " : NULL);
  double last_shown = 0;
  if (isatty(STDERR_FILENO))
    xcDpuSimSetProgress(run->sim, &(XcProgress){show_progress, &last_shown});
  bool ok = xcDpuSimRun(run->sim, run->program, &run->diag);
  xcDpuSimSetProgress(run->sim, NULL);
  return ok;
}

static bool execute(code_run *run, const run_code_options *options) {
  const run_images *images = run->images;
  if (!images)
    return choose_engine(run, 0, options) && execute_once(run, options);
  if (images->count > 1 &&
      (options->debug || options->dump_banks || options->dump_registers.count))
    return xc_tool_error("xc-run",
                         "--debug, --dump-reg and --dump-banks are for one "
                         "image, but the inputs hold %zu",
                         images->count);
  for (size_t i = 0; i < images->count; ++i) {
    images->begin(images->context, i);
    if (!choose_engine(run, i, options) || !execute_once(run, options))
      return false;
    images->end(images->context, i);
  }
  return true;
}

static bool dump_banks(code_run *run, const char *path) {
  xc_output output;
  if (!xc_output_open(&run->diag, path, &output))
    return false;
  size_t size;
  const int8_t *bank;
  for (unsigned i = 0; (bank = xcDpuSimGetBank(run->sim, i, &size)); ++i)
    fwrite(bank, 1, size, output.stream);
  return xc_output_keep(&run->diag, &output);
}

static bool dump(code_run *run, const run_code_options *options) {
  for (size_t i = 0; i < options->dump_registers.count; ++i) {
    const char *path;
    int reg =
        parse_register("dump-reg", options->dump_registers.items[i], &path);
    if (reg < 0 ||
        !xc_write_file(&run->diag, path, run->memory.registers[reg].data,
                       run->memory.registers[reg].size))
      return false;
  }
  return !options->dump_banks || dump_banks(run, options->dump_banks);
}

static bool read_layers(code_run *run, const char *path) {
  xc_dpu_layers layers;
  if (!xc_dpu_layers_read(&run->diag, path, &layers))
    return false;
  bool ok = true;
  for (size_t i = 0; ok && i < layers.count; ++i) {
    const xc_dpu_layer *row = &layers.rows[i];
    if (!xcDpuProgramAddLayer(run->program, (size_t)row->first, row->name,
                              row->operations ? row->operations
                                              : XC_DPU_WORK_UNKNOWN))
      ok = xc_place_error(&run->diag, (XcPlace){path, row->line, 1},
                          "instruction %llu is not in the program",
                          (unsigned long long)row->first);
  }
  xc_dpu_layers_free(&layers);
  return ok;
}

static bool write_string(code_run *run, const char *path, char *string) {
  bool ok = xc_write_file(&run->diag, path, string, strlen(string));
  free(string);
  return ok;
}

static bool report_time(code_run *run, const run_code_options *options) {
  if (!options->timing && !options->report && !options->trace)
    return true;
  XcDpuTimeline *timeline = xcDpuTimelineCreate(&run->diag, run->program);
  if (!timeline)
    return false;
  bool ok = options->cores == 0 ||
            xcDpuTimelineAddCores(timeline, &run->diag, (size_t)options->cores);
  if (ok && options->timing)
    ok = write_string(run, "-", xcDpuTimelineToTable(timeline));
  if (ok && options->report)
    ok = write_string(run, options->report, xcDpuTimelineToJson(timeline));
  if (ok && options->trace)
    ok = xcDpuTimelineWriteTrace(timeline, &run->diag, options->trace);
  xcDpuTimelineDestroy(timeline);
  return ok;
}

/// Target, program and registers are there.
static bool run_program(code_run *run, const run_code_options *options) {
  if (options->layers && !read_layers(run, options->layers))
    return false;
  bool strict = options->strict || (run->ours && !options->trusting);
  if (strict && !verify(run, options))
    return false;
  if (!options->no_run && (!execute(run, options) || !dump(run, options)))
    return false;
  return report_time(run, options);
}

static bool run_all(code_run *run, const char *input,
                    const run_code_options *options) {
  if (!options->target)
    return xc_tool_error("xc-run", "machine code needs --target=name");
  run->target = xcDpuTargetCreate(&run->diag, options->target);
  xc_buffer code = {0};
  if (!run->target || !xc_read_file(&run->diag, input, &code))
    return false;
  run->program =
      xcDpuProgramCreate(&run->diag, run->target, input, code.data, code.size);
  xc_buffer_free(&code);
  XcDpuByteRange files[XC_DPU_NUM_REGISTERS] = {{0, 0, 0}};
  run->written = files;
  run->num_written = XC_DPU_NUM_REGISTERS;
  bool ok = run->program && read_registers(run, options, files) &&
            run_program(run, options);
  run->written = NULL;
  return ok;
}

bool run_code(const char *input, const run_code_options *options) {
  code_run run = {0};
  bool ok = run_all(&run, input, options);
  free_engines(&run);
  xcDpuProgramDestroy(run.program);
  xcDpuTargetDestroy(run.target);
  xc_dpu_memory_free(&run.memory);
  return ok;
}

bool run_kernel(const xc_dpu_kernel *kernel, const xc_dpu_memory *memory,
                const run_images *images, const run_code_options *options) {
  code_run run = {.target = kernel->target,
                  .program = kernel->program,
                  .images = images,
                  .memory = *memory,
                  .ours = kernel->compiled_by_xc};
  XcDpuByteRange *contents = xc_dpu_kernel_contents(kernel, &run.num_written);
  run.written = contents;
  if (!options->layers)
    xc_dpu_kernel_add_layers(kernel);
  bool ok = run_program(&run, options);
  free_engines(&run);
  free(contents);
  return ok;
}
