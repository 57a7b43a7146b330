//===- Runtime.h - what the files of the runtime share ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is a list of values and a list of parts that compute some of them
// from others, in order. A part has an executor: how it runs.
//
//===----------------------------------------------------------------------===//

#ifndef XC_RUNTIME_RUNTIME_H
#define XC_RUNTIME_RUNTIME_H

#include "Frontend/Load/Load.h"
#include "IRReader/IRReader.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "xc-c/Runtime.h"
#include "xc-c/XModelMixed.h"

#include <pthread.h>

typedef struct xc_rt_part xc_rt_part;

/// A way to run a part. `prepare` makes `part->prepared`, which all sessions
/// share; `open` what one session needs. Null functions do nothing.
typedef struct xc_rt_executor {
  const char *name;
  bool (*prepare)(XcDiag *diag, XcModel *model, xc_rt_part *part);
  void (*release)(xc_rt_part *part);
  void *(*open)(XcDiag *diag, const XcModel *model, const xc_rt_part *part);
  void (*close)(void *state);
  /// `arguments` are the inputs, then the outputs.
  bool (*run)(XcDiag *diag, XcSession *session, const xc_rt_part *part,
              void *state, void **arguments);
  /// The same with several states at once; null: one after the other.
  bool (*run_lockstep)(XcDiag *diag, const xc_rt_part *part,
                       void *const *states, void **const *arguments,
                       size_t count);
} xc_rt_executor;

extern const xc_rt_executor xc_rt_reference, xc_rt_cpu, xc_rt_simulator;

/// A float2fix operator whose result is an input, too; numbers of values.
typedef struct xc_rt_cut {
  size_t part, source, rounded, input;
} xc_rt_cut;

/// Inputs and outputs are numbers of values.
struct xc_rt_part {
  const char *name;
  bool is_dpu;
  const xc_rt_executor *executor;
  void *prepared;
  MlirModule module; // of the function, owned; null: not read
  MlirOperation function;
  const XcXModelSubgraph *subgraph; // or null
  XcXModelObject object;            // code is null: none that runs here
  size_t *inputs, num_inputs;
  size_t *outputs, num_outputs;
};

/// A thread that is in a call, and where its errors go.
typedef struct xc_rt_caller {
  pthread_t thread;
  XcDiag *diag;
  struct xc_rt_caller *next;
} xc_rt_caller;

struct XcModel {
  XcModelOptions options; // without strings of the caller
  xc_arena arena;
  MlirContext context;
  XcDiag router; // hands errors of the context to the caller
  xc_diagnostic_bridge bridge;
  pthread_mutex_t lock; // of `callers`
  xc_rt_caller *callers;
  const char *name; // of the file
  xc_model_layout layout;
  const char *preprocess; // how pictures become inputs
  size_t num_engines;     // of the card that runs parts; 1: it is none
  XcXModel *container;    // or null
  XcTensorInfo *values;
  size_t num_values, value_capacity;
  xc_rt_part *parts;
  size_t num_parts, part_capacity;
  /// Numbers of values. Outputs may repeat, and may be inputs.
  size_t *inputs, num_inputs, input_capacity;
  size_t *outputs, num_outputs, output_capacity;
  XcTensorInfo *output_infos; // the same values under the outputs' names
  xc_rt_cut *cuts;
  size_t num_cuts, cut_capacity;
  XcModelCut *cut_infos; // the same with numbers of outputs and inputs
};

struct XcSession {
  const XcModel *model;
  void **states;   // by part
  double *seconds; // by part
  void **data;     // by value, in a run
  void **owned;    // by value: memory of the session
  const void **inputs;
  void **outputs;       // bound by the caller
  void **owned_outputs; // where none is bound
  XcTensorObserver observer;
  void *observer_data;
};

//===----------------------------------------------------------------------===//
// Model.c
//===----------------------------------------------------------------------===//

/// Around everything that may report through the model's context.
void xc_rt_enter(const XcModel *model, xc_rt_caller *caller, XcDiag *diag);
void xc_rt_leave(const XcModel *model, xc_rt_caller *caller);

size_t xc_rt_add_value(XcModel *model, const XcTensorInfo *info);
xc_rt_part *xc_rt_add_part(XcModel *model);
void xc_rt_add_input(XcModel *model, size_t value);
void xc_rt_add_output(XcModel *model, size_t value);
/// Returns a terminated copy that lives as long as the model.
const char *xc_rt_string(XcModel *model, MlirStringRef string);

//===----------------------------------------------------------------------===//
// Function.c
//===----------------------------------------------------------------------===//

/// Returns the function to run: of that name, or the first that is not private.
/// Returns null after a diagnostic.
MlirOperation xc_rt_find_function(XcDiag *diag, const char *file,
                                  MlirModule module, const char *name);

/// Types of what goes in and out of a function: its arguments and results, or
/// arguments only when it is bufferised. Free `types`.
typedef struct xc_rt_signature {
  size_t num_inputs, num_outputs;
  MlirType *types; // inputs, then outputs
} xc_rt_signature;

xc_rt_signature xc_rt_signature_of(MlirOperation function);

/// Makes the whole function a part, with values and outputs of its own.
void xc_rt_add_function(XcModel *model, MlirModule module,
                        MlirOperation function);

/// Whether the options ask for more outputs than the model's own.
bool xc_rt_exposes(const XcModel *model);

/// Appends what the options ask for to the outputs of a part - every tensor
/// that its function computes, or those at roundings - but those that are there
/// already, and says of all of them what computes them. Nothing happens to a
/// bufferised function.
void xc_rt_expose(XcModel *model, xc_rt_part *part);

/// Makes every tensor that leaves a part an output of the model.
void xc_rt_output_everything(XcModel *model);

/// Returns the layout of a tensor of a model whose format has that one.
XcLayout xc_rt_layout_of(xc_model_layout layout, const XcTensorInfo *info);
/// Describes the result of an operation, without its place.
XcTensorInfo xc_rt_tensor_info(MlirType type);
/// Fills opType, opName and location.
void xc_rt_describe(XcModel *model, MlirOperation operation,
                    XcTensorInfo *info);

//===----------------------------------------------------------------------===//
// Cut.c
//===----------------------------------------------------------------------===//

/// Whether a float2fix operator computes the tensor or reads it.
bool xc_rt_is_at_rounding(MlirValue value);

/// Returns the operator whose numbers an operator only moves; itself if it
/// computes.
MlirOperation xc_rt_source(MlirOperation operation);
/// Returns the largest sum of the magnitudes of the factors of an operator that
/// sums products of its first operand with known ones; 0 for all others.
double xc_rt_factors(MlirOperation operation);

/// Cuts the function of a part after each float2fix operator. `values` are
/// the results of the function, `part->outputs` their counterparts in the
/// model.
void xc_rt_cut_function(XcModel *model, xc_rt_part *part,
                        const MlirValue *values);

/// Makes other parts read the inputs, too, once all parts are there.
void xc_rt_cut_parts(XcModel *model);

/// Finds the outputs, once they are there.
void xc_rt_finish_cuts(XcModel *model);

//===----------------------------------------------------------------------===//
// Container.c
//===----------------------------------------------------------------------===//

/// Whether a compiled model is in the container.
bool xc_rt_is_compiled(const XcXModel *container, const char *subgraph);

/// Parameters.c: gives constants of a DPU part's portable form, which only say
/// how they are found in the subgraph's registers, their contents.
bool xc_rt_fill_constants(XcDiag *diag, const XcModel *model,
                          MlirOperation operation,
                          const XcXModelSubgraph *subgraph);

/// Makes parts of the subgraphs of `model->container`.
bool xc_rt_load_container(XcDiag *diag, XcModel *model, const char *subgraph);

//===----------------------------------------------------------------------===//
// Cpu.c
//===----------------------------------------------------------------------===//

/// Whether this machine runs code that was compiled so.
bool xc_rt_runs_here(const XcXModelObject *object);

//===----------------------------------------------------------------------===//
// Session.c
//===----------------------------------------------------------------------===//

/// Zeroed memory, aligned for vectors.
void *xc_rt_allocate(size_t size);
/// Null is fine.
void xc_rt_free(void *memory);

//===----------------------------------------------------------------------===//
// Custom.c
//===----------------------------------------------------------------------===//

/// Whether a part has operators that only the host knows.
bool xc_rt_has_custom(const xc_rt_part *part);

/// Calls the host's kernel for an operator: an XcInterpreterCustom whose user
/// data is the model.
bool xc_rt_run_custom(void *model, MlirOperation operation,
                      const void *const *inputs, size_t num_inputs,
                      void *output);

#endif // XC_RUNTIME_RUNTIME_H
