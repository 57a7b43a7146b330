//===- XModelDpu.h - a DPU subgraph of an xmodel, ready to run ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled DPU subgraph says in its attributes all that is needed to run it:
// machine code, target, what each base register points to, and, on the tensors
// of its upload and download operators, where inputs and outputs are.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_XMODELDPU_H
#define XC_C_XMODELDPU_H

#include "xc-c/DPUAssembly.h"
#include "xc-c/DPUTarget.h"
#include "xc-c/XModel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  XC_XMODEL_MAX_RANK = 8,
  XC_XMODEL_MAX_REGISTERS = 64,
};

typedef enum XcXModelContext {
  XcXModelContextUnknown,
  XcXModelContextConst,     // parameters, with initial contents
  XcXModelContextWorkspace, // intermediate tensors
  XcXModelContextInterface, // inputs and outputs
} XcXModelContext;

/// A base register, and the memory that it points to.
typedef struct XcXModelRegister {
  uint32_t id;
  XcXModelContext context;
  uint64_t size;       // bytes
  const void *initial; // the first bytes; null: none are given
  size_t initialSize;  // at most `size`
  /// The hardware's name of the ports that reach it: "W0"; null: not said.
  const char *segment;
} XcXModelRegister;

/// A tensor that crosses the border of the subgraph: 8-bit elements.
typedef struct XcXModelDpuTensor {
  /// The operator inside (an input's upload, or what computes an output), and
  /// the one outside or its download. The tensor can be found by both names.
  const char *name;
  const char *otherName;
  uint32_t registerId;
  uint64_t address; // bytes from the register on
  size_t rank;
  uint32_t dims[XC_XMODEL_MAX_RANK];
  int64_t strides[XC_XMODEL_MAX_RANK]; // elements
  int32_t fixPoint;
  bool isSigned;
} XcXModelDpuTensor;

/// A layer, and where its code begins. Files of other compilers do not say it:
/// there a layer begins at its first LOAD of a parameter, and layers without
/// parameters count as part of the one before.
typedef struct XcXModelDpuLayer {
  const char *name;
  size_t instruction;  // index in the code
  uint64_t operations; // two per multiply-accumulate; 0: not known
} XcXModelDpuLayer;

typedef struct XcXModelDpu {
  const char *compiler;    // "xc" for code of xc; null: the file says nothing
  const char *name;        // of the subgraph
  const char *target;      // "DPUCZDX8G_ISA1_B4096"
  uint64_t fingerprint;    // 0: not given
  uint64_t workload;       // operations, two per multiply-accumulate
  uint64_t workloadOnArch; // the same, with what the hardware rounds up
  const unsigned char *code;
  size_t codeSize;
  const XcXModelRegister *registers; // by ascending id
  size_t numRegisters;
  const XcXModelDpuTensor *inputs;
  size_t numInputs;
  const XcXModelDpuTensor *outputs;
  size_t numOutputs;
  /// In the order of the code; none when the instruction set is not known.
  const XcXModelDpuLayer *layers;
  size_t numLayers;
} XcXModelDpu;

/// The subgraphs of the root whose device is "DPU", in the file's order.
XC_EXPORTED size_t xcXModelGetNumDpuSubgraphs(const XcXModel *model);
XC_EXPORTED const XcXModelSubgraph *
xcXModelGetDpuSubgraph(const XcXModel *model, size_t index);

/// Returns the DPU subgraph that a user means: its name, its number among the
/// DPU subgraphs, or null for the only one. Returns null after one diagnostic.
XC_EXPORTED const XcXModelSubgraph *
xcXModelSelectDpuSubgraph(XcDiag *diag, const XcXModel *model,
                          const char *name);

/// Reads a DPU subgraph. Everything is checked: the code is there, register
/// contents fit their size, tensors lie within their register. The result
/// borrows from the model. Returns null after one diagnostic; destroy it.
XC_EXPORTED const XcXModelDpu *
xcXModelDpuCreate(XcDiag *diag, const XcXModel *model,
                  const XcXModelSubgraph *subgraph);
/// Null is fine.
XC_EXPORTED void xcXModelDpuDestroy(const XcXModelDpu *dpu);

/// Makes `subgraph` a DPU subgraph: writes target, code, work and registers the
/// way xcXModelDpuCreate reads them. Name, tensors and layers of `dpu` are
/// ignored: tensors carry their own places, and the layers are the children of
/// the subgraph (each with its parameters and its "workload").
XC_EXPORTED void xcXModelSubgraphSetDpu(XcXModelSubgraph *subgraph,
                                        const XcXModelDpu *dpu);
/// Attributes of a subgraph that xc compiled: its layers in the order of the
/// code, as in XcXModelDpuLayer (string_vec, uint64_vec, uint64_vec).
#define XC_XMODEL_LAYER_NAMES "xc_layer_names"
#define XC_XMODEL_LAYER_INSTRUCTIONS "xc_layer_instructions"
#define XC_XMODEL_LAYER_OPERATIONS "xc_layer_operations"

/// Returns the operator outside of DPU subgraphs that stands for what operator
/// `name` computes: its download, or else itself.
XC_EXPORTED const char *xcXModelGetOutside(const XcXModel *model,
                                           const char *name);

/// The library of the board's runtime that runs a DPU subgraph.
#define XC_XMODEL_DPU_RUNNER "libvart-dpu-runner.so"

/// Renames tensors at the borders of DPU subgraphs that the board's runtime,
/// which looks for parts of names, would not find. Operators keep their names.
XC_EXPORTED void xcXModelNameBorders(XcXModel *model);
/// Says that a tensor's elements are fixed-point numbers.
XC_EXPORTED void xcXModelTensorSetFixPoint(XcXModelTensor *tensor,
                                           int32_t fixPoint, bool isSigned);
/// Puts a tensor of 8-bit elements in the memory of a register: address,
/// strides and fix point of `place`, whose rank is that of the tensor.
XC_EXPORTED void xcXModelTensorSetPlace(XcXModelTensor *tensor,
                                        const XcXModelDpuTensor *place);

/// Returns the built-in target of that name, or else with that fingerprint. A
/// file never names another file here. Returns null after one diagnostic; the
/// caller destroys.
XC_EXPORTED const XcDpuTarget *xcXModelDpuCreateTarget(XcDiag *diag,
                                                       const XcXModelDpu *dpu);

/// Returns the instruction set of the target, or null when xc has no table of
/// it.
XC_EXPORTED const XcDpuIsa *xcXModelDpuGetIsa(const XcXModelDpu *dpu);

/// Prints the code with its layers as comments, as xcDpuDisassemble does. Fails
/// after one diagnostic when the instruction set is not known.
XC_EXPORTED bool xcXModelDpuDisassemble(XcDiag *diag, const XcXModelDpu *dpu,
                                        XcDpuTextCallback callback,
                                        void *userData);

/// Returns null when no register has the number.
XC_EXPORTED const XcXModelRegister *
xcXModelDpuGetRegister(const XcXModelDpu *dpu, uint32_t id);

/// Returns the number of bytes of the tensor without gaps.
XC_EXPORTED uint64_t xcXModelDpuTensorGetSize(const XcXModelDpuTensor *tensor);
/// Copy between the tensor without gaps, last dimension innermost, and the
/// memory of its register.
XC_EXPORTED void xcXModelDpuTensorStore(const XcXModelDpuTensor *tensor,
                                        const void *dense, void *memory);
XC_EXPORTED void xcXModelDpuTensorLoad(const XcXModelDpuTensor *tensor,
                                       void *dense, const void *memory);

#ifdef __cplusplus
}
#endif

#endif // XC_C_XMODELDPU_H
