//===- Runtime.h - runs models on the memory of the host ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is loaded once and run any number of times:
//
//   XcModelOptions options = {.backend = XcBackendReference};
//   XcModel *model = xcModelLoad(&diag, "net.onnx", &options);
//   XcSession *session = model ? xcSessionCreate(&diag, model) : NULL;
//   if (session) {
//     xcSessionBindInput(session, 0, image);
//     xcSessionBindOutput(session, 0, scores);
//     if (xcSessionRun(session, &diag)) ...
//   }
//   xcSessionDestroy(session);
//   xcModelDestroy(model);
//
// Tensors are dense and row-major, in host byte order; i1 is a byte of 0 or 1.
// They have the model's own order, layout and element types.
//
// Threads. There is no state outside models and sessions but the two settings
// of Support.h. A model does not change once it is loaded: any number of
// sessions, in any number of threads, may share it. A session is used by one
// thread at a time.
//
// Errors are reported to the XcDiag of the call, which then returns false or
// null. docs/runtime.md is the manual.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_RUNTIME_H
#define XC_C_RUNTIME_H

#include "xc-c/ImportOptions.h"
#include "xc-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

enum { XC_TENSOR_MAX_RANK = 8 };

typedef enum XcElementType {
  XcElementTypeF16,
  XcElementTypeBF16,
  XcElementTypeF32,
  XcElementTypeF64,
  XcElementTypeI1,
  XcElementTypeI8,
  XcElementTypeI16,
  XcElementTypeI32,
  XcElementTypeI64,
  XcElementTypeUI8,
  XcElementTypeUI16,
  XcElementTypeUI32,
  XcElementTypeUI64,
} XcElementType;

/// "f32"
XC_EXPORTED const char *xcElementTypeGetName(XcElementType element);
/// Returns the number of bytes of one element.
XC_EXPORTED size_t xcElementTypeGetSize(XcElementType element);

typedef enum XcLayout {
  XcLayoutNone, // no batch of images
  XcLayoutNHWC,
  XcLayoutNCHW,
} XcLayout;

/// Strings are never null and live as long as the model.
typedef struct XcTensorInfo {
  const char *name; // empty when the model has none
  XcElementType element;
  size_t rank;
  int64_t dims[XC_TENSOR_MAX_RANK];
  size_t size; // bytes
  /// For tensors with four dimensions: the layout of the model's format, or
  /// else the one in which the channels would be 1, 3 or 4. An input has the
  /// other layout than its format's if they would be that in the other one
  /// only.
  XcLayout layout;
  /// The number that an element stands for is element / 2^fixPoint.
  bool hasFixPoint;
  int32_t fixPoint;
  /// The operator that computes the tensor, empty for an input: "tir.conv2d",
  /// the operator's name, "file:line:column" or else the operator's place in
  /// the model.
  const char *opType, *opName, *location;
  /// Its part of the model, and its place among the operators of that part.
  size_t part, operation;
  /// Of a sum of floats with known factors, as a convolution or a mean: the
  /// largest sum of their magnitudes, and which operator of the part computes
  /// what they multiply. Terms may be much larger than their sum. 0: none.
  double factors;
  size_t factorsOf;
} XcTensorInfo;

//===----------------------------------------------------------------------===//
// Operators of the host
//===----------------------------------------------------------------------===//

/// One execution of a tir.custom operator.
typedef struct XcCustomCall {
  const char *opType, *opName;
  size_t numInputs;
  const XcTensorInfo *inputs; // shape, element and size only
  const void *const *inputData;
  XcTensorInfo output;
  void *outputData;
  const void *payload; // for xcCustomCallGetInt and its sisters
} XcCustomCall;

/// Attributes of the operator. Returns false (null) when there is none of that
/// name and kind; integers are also found as booleans, numbers also as
/// integers.
XC_EXPORTED bool xcCustomCallGetInt(const XcCustomCall *call, const char *name,
                                    int64_t *result);
XC_EXPORTED bool xcCustomCallGetReal(const XcCustomCall *call, const char *name,
                                     double *result);
/// Not terminated; lives during the call.
XC_EXPORTED const char *xcCustomCallGetString(const XcCustomCall *call,
                                              const char *name, size_t *length);
/// Entries of an array of integers, `capacity` at most; SIZE_MAX when there is
/// no such array.
XC_EXPORTED size_t xcCustomCallGetInts(const XcCustomCall *call,
                                       const char *name, int64_t *result,
                                       size_t capacity);

/// Computes the output. Null when that went well, else why it did not; the text
/// is borrowed. Called from the threads that run sessions.
typedef const char *(*XcCustomFunction)(void *userData,
                                        const XcCustomCall *call);

/// A kernel of the host for one type of tir.custom.
typedef struct XcCustomKernel {
  const char *opType; // of tir.custom
  XcCustomFunction function;
  void *userData;
} XcCustomKernel;

/// A shared library of kernels has a function of this name and type, which
/// returns them and how many they are. They live as long as the library.
#define XC_KERNEL_PLUGIN_ENTRY "xc_kernel_plugin"
typedef const XcCustomKernel *(*XcKernelPluginEntry)(size_t *count);

/// A function of a kernel library (docs/own-kernels.md): machine code calls it
/// with the arguments that the description says.
typedef struct XcKernelFunction {
  const char *name;
  void (*function)(void);
} XcKernelFunction;

/// A library that was loaded. It runs code of its own in this process.
typedef struct XcKernelPlugin XcKernelPlugin;

/// Returns null after a diagnostic. The caller destroys the result, after the
/// models that use its kernels.
XC_EXPORTED XcKernelPlugin *xcKernelPluginLoad(XcDiag *diag, const char *path);
/// Loads a library that has the functions of a description, under their names;
/// XC_KERNEL_PLUGIN_ENTRY may be there, too.
XC_EXPORTED XcKernelPlugin *
xcKernelPluginLoadFunctions(XcDiag *diag, const char *path,
                            const char *description);
XC_EXPORTED const XcKernelFunction *
xcKernelPluginGetFunctions(const XcKernelPlugin *plugin, size_t *count);
XC_EXPORTED const XcCustomKernel *
xcKernelPluginGetKernels(const XcKernelPlugin *plugin, size_t *count);
/// Closes the library. Models that use it must be gone. Null is fine.
XC_EXPORTED void xcKernelPluginDestroy(XcKernelPlugin *plugin);

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

typedef enum XcBackend {
  /// The interpreter of docs/running.md for everything.
  XcBackendReference,
  /// Machine code of this machine, compiled when the model is loaded. Parts
  /// with operators of the host run on the interpreter.
  XcBackendCpu,
  /// DPU subgraphs of a compiled xmodel run on the simulator. CPU subgraphs run
  /// as machine code, or on the interpreter if they cannot be compiled.
  XcBackendSim,
} XcBackend;

enum { XC_NUM_BACKENDS = XcBackendSim + 1 };

/// "reference"
XC_EXPORTED const char *xcBackendGetName(XcBackend backend);
/// Returns false when there is none of that name.
XC_EXPORTED bool xcBackendFind(const char *name, XcBackend *backend);

/// Zero-initialise. Strings and arrays are borrowed during the load only,
/// except the user data of kernels.
typedef struct XcModelOptions {
  XcBackend backend;
  XcImportOptions import;
  /// The function of a module to run; null: the first that is not private.
  const char *function;
  /// Loads a single DPU subgraph of a compiled xmodel, by name or number.
  const char *subgraph;
  /// "dpu", "std" or "py3": the rounding of every fixed-point operator; null:
  /// what the model says. Parts that are compiled already ignore it.
  const char *rounding;
  /// The DPU that machine code was made for: the name or file of a target;
  /// null: the built-in target that the xmodel names.
  const char *target;
  /// The processor that XcBackendCpu compiles for, as XcCpuOptions says it;
  /// null: this machine's.
  const char *cpu;
  /// Threads that one run may use, at most XC_MAX_THREADS; 0 counts as 1.
  unsigned threads;
  /// Makes every tensor that an operator computes an output, in the order of
  /// the model: for comparing backends.
  bool everyTensor;
  /// Splits the model at each float2fix operator. Its operand and its result
  /// become outputs, and a new input, after the model's own, takes the place of
  /// the result for its users. So what comes after the rounding gets the same
  /// integers on every backend, though floats differ. xcModelGetCut says which
  /// is which.
  bool cutAtRounding;
  /// Compile the portable form of a compiled xmodel, and do not use the machine
  /// code for CPUs that it has. That code would run in this process as it is,
  /// so set this option for files that are not trusted.
  bool portable;
  /// Do not verify machine code of a DPU that xc compiled. Bytecode of MLIR has
  /// a setting of its own, xcSetTrustBytecode.
  bool skipVerification;
  /// Findings that the verification leaves out: bits 1 << XcDpuFindingKind.
  uint32_t ignoredFindings;
  const XcCustomKernel *kernels;
  size_t numKernels;
  /// A kernel library, or null. Parts that are compiled call its functions, and
  /// CPU code of a compiled xmodel is compiled again for it.
  const char *kernelLibrary;
  /// Those functions, and all others that machine code calls by name.
  const XcKernelFunction *functions;
  size_t numFunctions;
} XcModelOptions;

typedef struct XcModel XcModel;

/// Loads a model of any format of docs/xcc.md, or an xmodel that xcc compiled
/// or that has a single DPU subgraph. Returns null after at least one error.
/// `options` may be null.
XC_EXPORTED XcModel *xcModelLoad(XcDiag *diag, const char *path,
                                 const XcModelOptions *options);
/// Loads a model from memory, which is not needed afterwards. `name` stands for
/// the file in messages, and its ending tells the format.
XC_EXPORTED XcModel *xcModelLoadFromMemory(XcDiag *diag, const char *name,
                                           const void *data, size_t size,
                                           const XcModelOptions *options);
/// Its sessions must be gone. Null is fine.
XC_EXPORTED void xcModelDestroy(XcModel *model);

XC_EXPORTED size_t xcModelGetNumInputs(const XcModel *model);
XC_EXPORTED size_t xcModelGetNumOutputs(const XcModel *model);
XC_EXPORTED const XcTensorInfo *xcModelGetInput(const XcModel *model,
                                                size_t index);
XC_EXPORTED const XcTensorInfo *xcModelGetOutput(const XcModel *model,
                                                 size_t index);
/// Returns the index of the tensor of that name, or SIZE_MAX.
XC_EXPORTED size_t xcModelFindInput(const XcModel *model, const char *name);
XC_EXPORTED size_t xcModelFindOutput(const XcModel *model, const char *name);

/// How pictures become the model's inputs, from the options of the load or else
/// from the model: "resize=256 crop=224x224 mean=127.5". Empty if neither says
/// it.
XC_EXPORTED const char *xcModelGetPreprocess(const XcModel *model);

/// How many images the simulated DPU computes at the same time: the engines of
/// a card, or 1.
XC_EXPORTED size_t xcModelGetNumEngines(const XcModel *model);

/// A part of the model that runs as one: a subgraph of a compiled xmodel, or
/// the whole model.
typedef struct XcModelPart {
  const char *name;
  const char *device; // "CPU", "DPU"
  const char *how;    // "reference", "simulator", ...
} XcModelPart;

XC_EXPORTED size_t xcModelGetNumParts(const XcModel *model);
XC_EXPORTED XcModelPart xcModelGetPart(const XcModel *model, size_t index);

/// A float2fix operator of a model that was loaded with cutAtRounding.
typedef struct XcModelCut {
  size_t source;  // the output that it rounds
  size_t rounded; // the output that it computes
  size_t input;   // what is read instead
} XcModelCut;

/// Operators that round inputs of the model or constants are not cut: all
/// backends round the same floats there.
XC_EXPORTED size_t xcModelGetNumCuts(const XcModel *model);
XC_EXPORTED XcModelCut xcModelGetCut(const XcModel *model, size_t index);

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// One place where a model runs: memory between its operators.
typedef struct XcSession XcSession;

/// Returns null after one diagnostic. The model must outlive the session.
XC_EXPORTED XcSession *xcSessionCreate(XcDiag *diag, const XcModel *model);
/// Null is fine.
XC_EXPORTED void xcSessionDestroy(XcSession *session);

/// Where an input is read from: as many bytes as its XcTensorInfo says, aligned
/// for its elements. The memory stays the caller's. Every run reads it in
/// place, except that inputs of a simulated DPU are copied into its memory.
XC_EXPORTED void xcSessionBindInput(XcSession *session, size_t index,
                                    const void *data);
/// Where an output is written to. An output that is not bound, or bound to
/// null, goes to memory of the session.
XC_EXPORTED void xcSessionBindOutput(XcSession *session, size_t index,
                                     void *data);
/// Where the output is or will be. Borrowed.
XC_EXPORTED const void *xcSessionGetOutput(const XcSession *session,
                                           size_t index);

/// Called with every tensor that the interpreter computes, and every tensor
/// that a compiled part gives to the outside, in the order of execution.
/// Returning false ends the run, which then fails without a diagnostic.
typedef bool (*XcTensorObserver)(void *userData, const XcTensorInfo *tensor,
                                 const void *data);
/// A null observer ends the observation.
XC_EXPORTED void xcSessionSetObserver(XcSession *session,
                                      XcTensorObserver observer,
                                      void *userData);

/// Runs the model once. All inputs must be bound.
XC_EXPORTED bool xcSessionRun(XcSession *session, XcDiag *diag);

/// Runs a model once in each of the sessions, part by part, as a card runs one
/// image on each of its engines. In a DPU part, all sessions execute every
/// instruction in lockstep, with the same parameters.
XC_EXPORTED bool xcSessionRunLockstep(XcSession *const *sessions, size_t count,
                                      XcDiag *diag);

/// Returns the time of a part in the last run; in lockstep, of all sessions
/// together.
XC_EXPORTED double xcSessionGetPartSeconds(const XcSession *session,
                                           size_t part);

#ifdef __cplusplus
}
#endif

#endif // XC_C_RUNTIME_H
