//===- XModelMixed.h - xmodels with parts for CPU and DPU ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xcc writes a whole model: the children of the root run one after the
// other, each on its device, and hand tensors to each other. An operator stands
// for every tensor that crosses a border:
//
//   USER  "data" operators, one for each input of the model
//   CPU   operators of types that the board's runtime computes exactly, or else
//         an "xc-cpu" operator for each result; all have the same arguments
//   DPU   as in XModelDpu.h: uploads, then downloads
//
// A part carries its portable form, MLIR bytecode of a module with one function
// whose arguments and results are the part's inputs and outputs.
//
// Attributes:
//
//   xc_outputs       model, string_vec: operators of the model's outputs
//   xc_output_names  model, string_vec: their names in the source model
//   xc_portable      subgraph, bytes: the bytecode
//   xc_part_inputs, xc_part_outputs
//                    CPU subgraph of the runtime's operators, string_vec
//   xc_operators     CPU subgraph, string_vec: "name@type" of its operators
//   xc_object ...    CPU subgraph: machine code, see XcXModelObject
//   xc_result        "xc-cpu" operator, int32: which result of the code it is
//   xc_bytes         "xc-cpu" operator, uint64: the bytes of that result
//   xc_object_checksum
//                    CPU subgraph, uint64: see xcXModelSeal
//   xc_element       tensor, string: "f32", "i8" ...
//   xc_batched       tensor, bool: its first dimension is not the model's, but
//                    there for the board's runtime
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_XMODELMIXED_H
#define XC_C_XMODELMIXED_H

#include "xc-c/XModelDpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// In the portable form of a DPU subgraph: an attribute of constants, as
/// xcDpuReadParameters takes it, in place of what the subgraph's registers
/// hold.
#define XC_MIXED_RECIPE "xc.recipe"

/// A tensor that crosses a border.
typedef struct XcXModelPort {
  const char *name;    // of its operator
  const char *element; // "f32"
  size_t rank;
  uint32_t dims[XC_XMODEL_MAX_RANK];
  bool hasFixPoint;
  int32_t fixPoint;
} XcXModelPort;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The machine code of a CPU part: a relocatable object file with one function,
/// called as XcCpuEntry (xc-c/CPU.h).
///
/// Attributes: xc_object, xc_object_params (bytes), xc_object_symbol,
/// xc_object_triple, xc_object_cpu, xc_object_features (strings),
/// xc_object_arena (uint64); of further objects xc_object1, xc_object1_params
/// and so on.
typedef struct XcXModelObject {
  const void *code;
  size_t codeSize;
  const char *symbol;
  const char *triple, *cpu, *features; // what it was compiled for
  uint64_t arenaSize;                  // bytes
  const void *params;                  // not aligned
  size_t paramsSize;
  bool isIntact; // when read: its checksum is right
} XcXModelObject;

typedef struct XcXModelPart {
  const char *name;
  bool isDpu;
  const XcXModelSubgraph *subgraph;
  const void *portable; // null: the part has no portable form
  size_t portableSize;
  /// For one processor each; whoever runs the part takes the first that fits.
  const XcXModelObject *objects;
  size_t numObjects;
  /// Numbers of ports, in the order of the portable form.
  const size_t *inputs;
  size_t numInputs;
  const size_t *outputs;
  size_t numOutputs;
} XcXModelPart;

typedef struct XcXModelMixed {
  const XcXModelPort *ports; // first the inputs of the model
  size_t numPorts;
  size_t numInputs;
  const XcXModelPart *parts; // in the order of execution
  size_t numParts;
  const size_t *outputs; // numbers of ports
  const char *const *outputNames;
  size_t numOutputs;
} XcXModelMixed;

/// Whether xc compiled it as a whole model: it has the attribute `xc_outputs`.
XC_EXPORTED bool xcXModelIsMixed(const XcXModel *model);

/// Checks everything: operators exist, every tensor is computed once and before
/// it is used, and numbers are in range. Borrows from the model. Returns null
/// after one diagnostic; destroy it.
XC_EXPORTED const XcXModelMixed *xcXModelMixedCreate(XcDiag *diag,
                                                     const XcXModel *model);
/// Null is fine.
XC_EXPORTED void xcXModelMixedDestroy(const XcXModelMixed *mixed);

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Adds the subgraph of the model's inputs. Names must not be taken.
XC_EXPORTED void xcXModelAddInputs(XcXModel *model, const char *subgraph,
                                   const XcXModelPort *ports, size_t count);

/// Adds a part of the CPU. `inputs` names operators that exist.
XC_EXPORTED XcXModelSubgraph *xcXModelAddCpu(XcXModel *model, const char *name,
                                             const char *const *inputs,
                                             size_t numInputs,
                                             const XcXModelPort *outputs,
                                             size_t numOutputs);

/// Adds a part of the CPU whose operators are all of types that the board's
/// runtime has. The caller adds them to the model and to the subgraph. `inputs`
/// names operators that exist, and each output will be one.
XC_EXPORTED XcXModelSubgraph *
xcXModelAddStandardCpu(XcXModel *model, const char *name,
                       const char *const *inputs, size_t numInputs,
                       const XcXModelPort *outputs, size_t numOutputs);

/// Gives an operator the tensor of a port, whose name it has.
XC_EXPORTED void xcXModelOpSetPort(XcXModelOp *op, const XcXModelPort *port);

/// Gives a part its portable form.
XC_EXPORTED void xcXModelSubgraphSetPortable(XcXModelSubgraph *subgraph,
                                             const void *data, size_t size);

/// Gives a CPU part machine code for one more processor.
XC_EXPORTED void xcXModelSubgraphAddObject(XcXModelSubgraph *subgraph,
                                           const XcXModelObject *object);

/// Sets the outputs of the model, which makes it a whole model.
XC_EXPORTED void xcXModelSetOutputs(XcXModel *model, const char *const *ops,
                                    const char *const *names, size_t count);

/// Notes checksums of the machine code of CPU parts (CRC-32 as in zlib, of the
/// code, its parameters, what it was compiled for and the types of the part's
/// ports), so that readers see what is damaged. Call it last. It is no
/// protection against a file that was made to do harm. Returns false after one
/// diagnostic, when the model is not complete.
XC_EXPORTED bool xcXModelSeal(XcDiag *diag, XcXModel *model);

#ifdef __cplusplus
}
#endif

#endif // XC_C_XMODELMIXED_H
