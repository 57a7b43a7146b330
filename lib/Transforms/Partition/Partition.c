//===- Partition.c - the pass tir-partition, and placements ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Partition.h"

#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Placement.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "dialects/Emit.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *xcDeviceGetName(XcDevice device) {
  switch (device) {
  case XcDeviceCPU:
    return "CPU";
  case XcDeviceDPU:
    return "DPU";
  }
  return "";
}

const char *xc_placement_device(const xc_placement *p, XcDevice device) {
  return p->library && device == XcDeviceDPU ? p->library->name
                                             : xcDeviceGetName(device);
}

const char *xc_placement_target(const xc_placement *p) {
  return p->library ? p->library->name : p->target->name;
}

const char *xcPlacementGetDeviceName(XcPlacement placement, XcDevice device) {
  return xc_placement_device(placement.ptr, device);
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

/// One core of the boards' processor (Zynq UltraScale+: Cortex-A53, 1.2 GHz).
/// Its vector unit does four multiply-adds of f32 in a cycle, 4,800 in a
/// microsecond; a sixth of that goes to loads. A start is a call of the driver,
/// an interrupt and the wake-up of a thread: the order of magnitude is known,
/// not measured.
#define CPU_MACS_PER_US 4000
#define LAUNCH_US 50
#define TEXT_OF(number) #number
#define DEFAULT_TEXT(number) TEXT_OF(number)

XcPlacementOptions xcPlacementOptionsDefault(void) {
  return (XcPlacementOptions){.cpuMacsPerMicrosecond = CPU_MACS_PER_US,
                              .launchMicroseconds = LAUNCH_US};
}

static bool open_library(xc_placement *p) {
  XcDiag diag = xc_context_diag(&p->module);
  p->library = xc_kernel_library_create(&diag, p->options.kernels);
  return p->library != NULL;
}

static bool place(xc_placement *p) {
  if ((p->options.kernels && !open_library(p)) || !xc_placement_collect(p))
    return false;
  const xc_rules *rules = NULL;
  if (p->options.placementFile) {
    rules = xc_rules_load(p, p->options.placementFile);
    if (!rules)
      return false;
  }
  if (!xc_placement_judge(p, rules))
    return false;
  xc_placement_group(p);
  // Each round leaves fewer operators on the DPU. What follows a dropped
  // subgraph is judged anew, and may be an island then.
  while (!p->library &&
         (xc_placement_drop_unreachable(p) ||
          (p->options.dropIslands && xc_placement_drop_islands(p)))) {
    if (!xc_placement_judge(p, rules))
      return false;
    xc_placement_group(p);
  }
  return true;
}

XcPlacement xcPlacementCreate(MlirOperation module, const XcDpuTarget *target,
                              const XcPlacementOptions *options) {
  xc_placement *p = xc_alloc(sizeof(xc_placement));
  p->module = module;
  p->target = target;
  p->options = options ? *options : xcPlacementOptionsDefault();
  XcPlacement placement = {p};
  if (place(p))
    return placement;
  xcPlacementDestroy(placement);
  return (XcPlacement){NULL};
}

void xcPlacementDestroy(XcPlacement placement) {
  xc_placement *p = placement.ptr;
  if (!p)
    return;
  xc_arena_free(&p->arena);
  xc_kernel_library_destroy(p->library);
  free(p->nodes);
  free(p->edges);
  free(p->functions);
  free(p->groups);
  free(p);
}

size_t xcPlacementGetNumOperators(XcPlacement placement) {
  return placement.ptr->num_operators;
}

XcPlacedOperator xcPlacementGetOperator(XcPlacement placement, size_t index) {
  const xc_placement *p = placement.ptr;
  const xc_node *node = &p->nodes[p->operators[index]];
  return (XcPlacedOperator){.name = node->name,
                            .type = node->type,
                            .device = node->device,
                            .subgraph = node->group,
                            .macs = node->macs,
                            .isBorder = node->reason.is_border,
                            .predicate = node->reason.predicate,
                            .reason = node->reason.text,
                            .change = node->reason.change,
                            .kernel = node->kernel};
}

size_t xcPlacementGetNumUnusedRules(XcPlacement placement) {
  return placement.ptr->num_unused;
}

XcUnusedRule xcPlacementGetUnusedRule(XcPlacement placement, size_t index) {
  return placement.ptr->unused[index];
}

size_t xcPlacementGetNumSubgraphs(XcPlacement placement) {
  return placement.ptr->num_groups;
}

XcSubgraph xcPlacementGetSubgraph(XcPlacement placement, size_t index) {
  return placement.ptr->groups[index].info;
}

size_t xcPlacementCountSubgraphsWith(XcPlacement placement,
                                     bool (*isOnDpu)(MlirOperation operation,
                                                     const void *userData),
                                     const void *userData) {
  return xc_placement_count_with(placement.ptr, isOnDpu, userData);
}

XcPlacementSummary xcPlacementGetSummary(XcPlacement placement) {
  const xc_placement *p = placement.ptr;
  XcPlacementSummary s = {0};
  for (size_t i = 0; i < p->num_groups; ++i) {
    const XcSubgraph *g = &p->groups[i].info;
    s.numOperators[g->device] += g->numOperators;
    s.macs[g->device] += g->macs;
    ++s.numSubgraphs[g->device];
    s.boundaryBytes += p->groups[i].crossing_bytes;
  }
  for (size_t i = 0; i < p->num_operators; ++i) {
    const xc_node *node = &p->nodes[p->operators[i]];
    if (node->reason.change)
      s.repairableMacs += node->macs;
  }
  return s;
}

//===----------------------------------------------------------------------===//
// The requirement
//===----------------------------------------------------------------------===//

enum { MAX_CULPRITS = 3 };

// Fills the operators of the CPU with the most MACs; ties keep their order.
static size_t find_culprits(const xc_placement *p,
                            const xc_node *culprits[MAX_CULPRITS]) {
  size_t count = 0;
  for (size_t i = 0; i < p->num_operators; ++i) {
    const xc_node *node = &p->nodes[p->operators[i]];
    if (node->device == XcDeviceDPU || node->macs == 0)
      continue;
    size_t at = count;
    while (at > 0 && culprits[at - 1]->macs < node->macs) {
      if (at < MAX_CULPRITS)
        culprits[at] = culprits[at - 1];
      --at;
    }
    if (at < MAX_CULPRITS)
      culprits[at] = node;
    count += count < MAX_CULPRITS;
  }
  return count;
}

static void print_culprit(const xc_node *node, double all, xc_text *text) {
  xc_text_printf(text, " '%s' (%s, %.2f%%) by %s: %s", node->name, node->type,
                 100.0 * (double)node->macs / all, node->reason.predicate,
                 node->reason.text);
  if (node->reason.change)
    xc_text_printf(text, ", fits with %s", node->reason.change);
}

MlirLogicalResult xcPlacementRequireOffload(XcPlacement placement,
                                            double percent) {
  XcPlacementSummary s = xcPlacementGetSummary(placement);
  double all = (double)(s.macs[XcDeviceCPU] + s.macs[XcDeviceDPU]);
  double reached = all > 0 ? 100.0 * (double)s.macs[XcDeviceDPU] / all : 100.0;
  if (reached >= percent)
    return mlirLogicalResultSuccess();
  const xc_node *culprits[MAX_CULPRITS];
  size_t count = find_culprits(placement.ptr, culprits);
  assert(count > 0 && "what is not on the DPU is on the CPU");
  xc_text text = {0};
  xc_text_printf(&text,
                 "%.2f%% of the model's multiply-accumulates run on the %s, "
                 "required are %g%%; most of the others are on the CPU for",
                 reached, xc_placement_device(placement.ptr, XcDeviceDPU),
                 percent);
  for (size_t i = 0; i < count; ++i) {
    xc_text_puts(&text, i ? ";" : "");
    print_culprit(culprits[i], all, &text);
  }
  xc_emit_error(culprits[0]->operation,
                mlirOperationGetLocation(culprits[0]->operation),
                xc_text_str(&text));
  xc_text_free(&text);
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool parse_percent(const char *text, double *percent) {
  char *end = NULL;
  errno = 0;
  *percent = strtod(text, &end);
  if (*end == '%')
    ++end;
  return errno == 0 && end != text && *end == '\0' && *percent >= 0.0 &&
         *percent <= 100.0;
}

static bool write_text(XcDiag *diag, const char *file, char *text) {
  bool ok = xc_write_file(diag, file, text, strlen(text));
  free(text);
  return ok;
}

static bool write_files(const xc_pass_run *run, XcDiag *diag,
                        XcPlacement placement) {
  const char *report = xc_pass_string(run, "report");
  const char *save = xc_pass_string(run, "save-placement");
  return (!*report || write_text(diag, report, xcPlacementToJson(placement))) &&
         (!*save || write_text(diag, save, xcPlacementToFile(placement)));
}

/// Diagnostics of MLIR's C API are errors.
static void warn_of_unused(XcPlacement placement) {
  XcDiag diag = {0};
  for (size_t i = 0; i < xcPlacementGetNumUnusedRules(placement); ++i) {
    XcUnusedRule rule = xcPlacementGetUnusedRule(placement, i);
    xcDiagReport(&diag, XcSeverityWarning, rule.place, "%s", rule.text);
  }
}

static void show(const char *what, XcPlacement placement) {
  if (strcmp(what, "none") == 0)
    return;
  char *table = xcPlacementToTable(placement, strcmp(what, "kinds") == 0
                                                  ? XcPlacementTableKinds
                                                  : XcPlacementTableOperators);
  fputs(table, stderr);
  free(table);
}

// Reports what is wrong with an option. Returns false.
static bool option_error(const xc_pass_run *run, const char *option,
                         const char *value, const char *expected) {
  return xc_option_error(run->root, run->info->argument, option,
                         "is '%s', expected %s", value, expected);
}

// Whether the value is one of the words of a list that ends with null.
static bool check_word(const xc_pass_run *run, const char *option,
                       const char *const *words) {
  const char *value = xc_pass_string(run, option);
  xc_text expected = {0};
  bool found = false;
  for (size_t i = 0; words[i]; ++i) {
    found |= strcmp(words[i], value) == 0;
    xc_text_printf(&expected, "%s'%s'", i ? ", " : "one of ", words[i]);
  }
  if (!found)
    option_error(run, option, value, xc_text_str(&expected));
  xc_text_free(&expected);
  return found;
}

static bool finish_run(xc_pass_run *run, XcDiag *diag, XcPlacement placement,
                       double percent) {
  if (mlirLogicalResultIsFailure(
          xcPlacementRequireOffload(placement, percent)) ||
      !write_files(run, diag, placement))
    return false;
  warn_of_unused(placement);
  show(xc_pass_string(run, "show"), placement);
  if (xc_pass_bool(run, "outline"))
    xcPlacementOutline(placement);
  else
    xcPlacementAnnotate(placement);
  XcPlacementSummary s = xcPlacementGetSummary(placement);
  xc_pass_count(run, "num-dpu", (int64_t)s.numOperators[XcDeviceDPU]);
  xc_pass_count(run, "num-cpu", (int64_t)s.numOperators[XcDeviceCPU]);
  xc_pass_count(
      run, "num-subgraphs",
      (int64_t)(s.numSubgraphs[XcDeviceDPU] + s.numSubgraphs[XcDeviceCPU]));
  return true;
}

// The target is null for a kernel library, which the option `target` names.
static bool run_on_target(xc_pass_run *run, XcDiag *diag,
                          const XcDpuTarget *target, double percent) {
  XcPlacementOptions options = xcPlacementOptionsDefault();
  options.kernels = target ? NULL : xc_pass_string(run, "target");
  const char *file = xc_pass_string(run, "placement");
  options.placementFile = *file ? file : NULL;
  options.dropIslands = strcmp(xc_pass_string(run, "islands"), "drop") == 0;
  options.cpuMacsPerMicrosecond = (double)xc_pass_int(run, "cpu-macs-per-us");
  options.launchMicroseconds = (double)xc_pass_int(run, "launch-us");
  XcPlacement placement = xcPlacementCreate(run->root, target, &options);
  if (xcPlacementIsNull(placement))
    return false;
  bool ok = finish_run(run, diag, placement, percent);
  xcPlacementDestroy(placement);
  return ok;
}

static bool run_pass(xc_pass_run *run) {
  static const char *const tables[] = {"none", "kinds", "operators", NULL};
  static const char *const islands[] = {"keep", "drop", NULL};
  if (!check_word(run, "show", tables) || !check_word(run, "islands", islands))
    return false;
  double percent;
  if (!parse_percent(xc_pass_string(run, "require-offload"), &percent))
    return option_error(run, "require-offload",
                        xc_pass_string(run, "require-offload"), "0 to 100");
  XcDiag diag = xc_context_diag(&run->root);
  if (xc_kernel_library_is(xc_pass_string(run, "target")))
    return run_on_target(run, &diag, NULL, percent);
  const XcDpuTarget *target =
      xcDpuTargetCreate(&diag, xc_pass_string(run, "target"));
  if (!target)
    return false;
  bool ok = run_on_target(run, &diag, target, percent);
  xcDpuTargetDestroy(target);
  return ok;
}

static const xc_pass_option options[] = {
    {"target", XC_PASS_OPTION_STRING, XC_DPU_DEFAULT_TARGET,
     "Name or file of the target, or the file of a kernel library"},
    {"placement", XC_PASS_OPTION_STRING, "",
     "File with rules that force operators to a device, or a saved placement"},
    {"save-placement", XC_PASS_OPTION_STRING, "",
     "File to write the placement to"},
    {"report", XC_PASS_OPTION_STRING, "",
     "File to write the report to, as JSON"},
    {"require-offload", XC_PASS_OPTION_STRING, "0",
     "Fail unless this percentage of the multiply-accumulates is on the DPU, "
     "or "
     "computed by the kernel library"},
    {"outline", XC_PASS_OPTION_BOOL, "true",
     "Move subgraphs into functions; else only annotate"},
    {"show", XC_PASS_OPTION_STRING, "none",
     "Print a table to stderr: none, kinds or operators"},
    {"islands", XC_PASS_OPTION_STRING, "keep",
     "DPU subgraphs that the model sees no gain in: keep or drop"},
    {"cpu-macs-per-us", XC_PASS_OPTION_POSITIVE, DEFAULT_TEXT(CPU_MACS_PER_US),
     "What the CPU does in a microsecond, for islands=drop"},
    {"launch-us", XC_PASS_OPTION_POSITIVE, DEFAULT_TEXT(LAUNCH_US),
     "Microseconds to start a DPU subgraph, for islands=drop"},
};

static const xc_pass_statistic statistics[] = {
    {"num-dpu", "Operators on the DPU"},
    {"num-cpu", "Operators on the CPU"},
    {"num-subgraphs", "Subgraphs"},
};

extern const xc_pass_info xc_pass_tir_partition;
const xc_pass_info xc_pass_tir_partition = {
    .argument = "tir-partition",
    .name = "TirPartition",
    .summary = "Place operators on DPU and CPU, with reasons",
    .description =
        "Judges every operator by the constraints of the target, groups the "
        "operators of each function into as few subgraphs as the data flow "
        "allows, and moves each subgraph into a private function with the "
        "attribute `device`. The function keeps calls in the order of "
        "execution. Operators get the attributes `device` and, on the CPU, "
        "`xc.reason`. Functions that have `device` already are left alone. A "
        "kernel library in place of the target is a device of its own name, "
        "`USER` for operators, which get `xc.kernel`, too. See "
        "docs/partition.md and "
        "docs/own-kernels.md.",
    .anchor = "builtin.module",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run_pass,
};
