//===- Graph.h - random graphs and what is checked of them --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph is a module with one function `main` of tir operators on tensors. A
// seed says all: operators, shapes, attributes, constants, inputs and target.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_FUZZ_GRAPH_GRAPH_H
#define XC_TEST_FUZZ_GRAPH_GRAPH_H

#include "Support/Text.h"
#include "dialects/Adaptor.h"
#include "xc-c/DPUCodeGen.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

typedef enum fuzz_mode {
  FUZZ_DPU, // partition and code of the DPU, on the simulator
  FUZZ_CPU, // code of the host
} fuzz_mode;

/// How a graph can fail; FUZZ_OK is none.
///
///   X(enumerator, "word", "what it means")
// clang-format off
#define FUZZ_VERDICTS(X)                                                       \
  X(OK,        "ok",        "all results agree")                               \
  X(INVALID,   "invalid",   "the generator made a graph that does not verify") \
  X(REFERENCE, "reference", "the interpreter cannot run the graph")            \
  X(PASS,      "pass",      "a pass failed")                                   \
  X(REASON,    "reason",    "an operator is on the CPU without a reason")      \
  X(REFUSED,   "refused",   "no code for an operator placed on the DPU")       \
  X(BOARD,     "board",     "a board would not load the xmodel")               \
  X(STRICT,    "strict",    "strict mode found something")                     \
  X(LAYERS,    "layers",    "layers one by one compute something else")        \
  X(RUN,       "run",       "the compiled code could not be run")              \
  X(DIFFERS,   "differs",   "the results differ")                              \
  X(CRASH,     "crash",     "the process died")                                \
  X(TIMEOUT,   "timeout",   "it took too long")
// clang-format on

typedef enum fuzz_verdict {
#define FUZZ_VERDICT(NAME, word, meaning) FUZZ_##NAME,
  FUZZ_VERDICTS(FUZZ_VERDICT)
#undef FUZZ_VERDICT
      FUZZ_NUM_VERDICTS
} fuzz_verdict;

const char *fuzz_verdict_word(fuzz_verdict verdict);

enum { FUZZ_MAX_CONSTRAINTS = 128 };

/// Several processes count in the same memory.
typedef _Atomic uint64_t fuzz_count;

/// Counted over a run.
typedef struct fuzz_counts {
  fuzz_count graphs, operators;
  fuzz_count on_dpu, on_cpu; // operators
  fuzz_count subgraphs;      // of the DPU
  fuzz_count instructions;   // that the simulator ran
  fuzz_count lists;          // operators on the DPU with lists of fix points
  fuzz_count graphs_of_lists;
  fuzz_count choices; // layers that several engines of the DPU can compute
  fuzz_count graphs_of_choices;
  fuzz_count skipped; // graphs without anything to compare
  fuzz_count values;  // compared elements
  fuzz_count verdicts[FUZZ_NUM_VERDICTS];
  fuzz_count made[XC_NUM_OP_KINDS];         // by operator
  fuzz_count by_dpu[XC_NUM_OP_KINDS];       // by operator, those on the DPU
  fuzz_count reasons[FUZZ_MAX_CONSTRAINTS]; // by constraint, those on the CPU
  fuzz_count unsupported[XC_NUM_OP_KINDS];  // graphs that it made be skipped
} fuzz_counts;

/// What every graph has.
typedef enum fuzz_subject {
  FUZZ_ANYTHING,
  FUZZ_LISTS,      // a convolution with a fix point for each group of channels
  FUZZ_DEPTHWISE,  // a depthwise convolution
  FUZZ_TRANSPOSED, // a transposed one
  FUZZ_NARROW,     // buffers whose columns may share words
  FUZZ_CONCATS,    // concatenations of what an operator reads and its result
  FUZZ_INNER,      // the same, between convolutions at inputs and results
  FUZZ_LARGE,      // the same, of images that the banks do not hold
  FUZZ_SIGNALS,    // images of one row, or column
  FUZZ_SHUFFLES,   // channel shuffles
} fuzz_subject;

/// What a check is made with.
typedef struct fuzz_setting {
  fuzz_mode mode;
  uint64_t seed;             // of the inputs
  const XcDpuTarget *target; // FUZZ_DPU
  const char *target_name;   // name or file of the target
  fuzz_subject subject;
  const xc_op_info *required; // every graph has one, or null: any
  XcDpuEngineChoice engines;  // FUZZ_DPU: of depthwise layers
  bool each_engines;          // FUZZ_DPU: forces every choice, one by one
  bool lowered;               // FUZZ_CPU: only operators that have host code
  /// For the test of the reducer: graphs with this operator count as different.
  const char *fault;
  fuzz_counts *counts;
} fuzz_setting;

/// Generate.c: the operator of that name, if graphs can have it; else null.
const xc_op_info *fuzz_find_operator(const char *mnemonic);
/// The graph of a seed. Null when the result does not verify, after
/// a diagnostic: a mistake of the generator.
MlirModule fuzz_generate(MlirContext context, const fuzz_setting *setting);

/// Target.c: a family of DPUs, null if there is none of the name.
typedef struct fuzz_family fuzz_family;
const fuzz_family *fuzz_find_family(const char *name);

/// Target.c: the JSON text of a target of the family.
void fuzz_write_target(const fuzz_family *family, uint64_t seed, xc_text *text);

/// Check.c: runs a graph both ways. `why` gets a line for people. The module
/// stays as it is.
fuzz_verdict fuzz_check(MlirModule module, const fuzz_setting *setting,
                        xc_text *why);
/// CheckDpu.c, CheckCpu.c: the part after the reference run.
typedef struct fuzz_tensors {
  size_t count;
  void **data;
  xc_shape *shapes;
  /// Of outputs: the largest floating-point number of the reference run, and
  /// whether it had infinities or NaNs.
  double largest;
  bool has_no_number;
} fuzz_tensors;
fuzz_verdict fuzz_check_dpu(MlirModule module, const fuzz_setting *setting,
                            const fuzz_tensors *inputs,
                            const fuzz_tensors *expected, xc_text *why);
bool fuzz_is_lowered(xc_op_kind kind);
fuzz_verdict fuzz_check_cpu(MlirModule module, const fuzz_setting *setting,
                            const fuzz_tensors *inputs,
                            const fuzz_tensors *expected, xc_text *why);

/// A module with a function `main` of the region, which ends in a return.
MlirModule fuzz_wrap(MlirContext context, MlirRegion region);
void fuzz_tensors_of_types(fuzz_tensors *tensors, const MlirType *types,
                           size_t count);
void fuzz_tensors_free(fuzz_tensors *tensors);
size_t fuzz_tensor_size(const xc_shape *shape);
/// Fills a tensor from a seed: all bytes for integers, numbers around 0 for
/// floating point.
void fuzz_fill(uint64_t seed, const xc_shape *shape, void *data);
/// Compare.c. The largest absolute value; 0 for integers. Infinities and NaNs
/// are none, and are noted.
double fuzz_largest(const xc_shape *shape, const void *data,
                    bool *has_no_number);
/// Whether integers are equal, and floats as near as rounding errors of numbers
/// up to `largest` explain; else `why` names the first element.
bool fuzz_compare(const char *what, size_t index, const xc_shape *shape,
                  const void *expected, const void *actual, double largest,
                  xc_text *why);
/// Whether bits are equal; else `why` names the first element.
bool fuzz_compare_bits(const char *what, size_t index, const xc_shape *shape,
                       const void *expected, const void *actual, xc_text *why);

/// The only function of a graph, and an element of a block.
MlirOperation fuzz_main_function(MlirModule module);
MlirBlock fuzz_body(MlirOperation function);
MlirOperation fuzz_find_function(MlirModule module, MlirStringRef name);
/// A module of its own.
MlirModule fuzz_clone(MlirModule module);
/// Runs a pipeline on the module.
bool fuzz_run_passes(MlirModule module, const char *pipeline);

/// Isolate.c: fuzz_check in a process of its own, so that a crash and a hang
/// are verdicts, too.
/// fuzz_check_here: the same in this process.
fuzz_verdict fuzz_check_here(MlirModule module, const fuzz_setting *setting,
                             xc_text *why);
fuzz_verdict fuzz_check_isolated(MlirModule module, const fuzz_setting *setting,
                                 xc_text *why);

/// Reduce.c: a smaller graph that fails with the same verdict. Takes the module
/// and returns one. A trial may end the process.
MlirModule fuzz_reduce(MlirModule module, const fuzz_setting *setting,
                       fuzz_verdict verdict);

#endif // XC_TEST_FUZZ_GRAPH_GRAPH_H
