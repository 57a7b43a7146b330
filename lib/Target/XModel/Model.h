//===- Model.h - inside of the xmodel library ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_MODEL_H
#define XC_TARGET_XMODEL_MODEL_H

#include "Order.h"
#include "Support/Text.h"
#include "xc-c/DPUIsa.h"
#include "xc-c/XModelDpu.h"
#include "xmodel.pb-c.h"

/// Operators by name, built when it is first asked for.
typedef struct xc_op_index {
  XcXModelOp **ops; // sorted by name, then by position in the file
  size_t count;     // 0: not built
} xc_op_index;

struct XcXModel {
  SerialV2__Graph *graph;
  char *file;
  // Apart, so that looking something up does not change the model.
  xc_op_index *index;
};

// The public handles are the messages of protobuf-c.
static inline SerialV2__OPNode *xc_op_node(const XcXModelOp *op) {
  return (SerialV2__OPNode *)(uintptr_t)op;
}
static inline SerialV2__Tensor *xc_tensor_node(const XcXModelTensor *tensor) {
  return (SerialV2__Tensor *)(uintptr_t)tensor;
}
static inline SerialV2__SubGraph *
xc_subgraph_node(const XcXModelSubgraph *subgraph) {
  return (SerialV2__SubGraph *)(uintptr_t)subgraph;
}

/// The string, or "" for null.
const char *xc_xmodel_text(const char *string);
/// Returns a copy that the message owns.
char *xc_xmodel_copy(const char *string);
/// Returns a new message as protobuf-c unpacks one.
void *xc_xmodel_message(const ProtobufCMessageDescriptor *type);
/// Makes room for one more element of a repeated field at `position`, or at
/// the end for SIZE_MAX; gives the zeroed element.
void *xc_xmodel_insert(void *message, const ProtobufCFieldDescriptor *field,
                       size_t position);

/// The names of the operators in the order of the index. Borrowed.
const xc_op_index *xc_xmodel_op_index(const XcXModel *model);

/// Appends the format's word for the elements of a tensor: "XINT8".
void xc_xmodel_type_word(const XcXModelTensor *tensor, xc_text *text);

/// "CONST", "WORKSPACE" or "INTERFACE"; "DATA" for XcXModelContextUnknown.
const char *xc_xmodel_context_word(XcXModelContext context);

/// Sets the libraries of the board's runtime that run a subgraph of a device.
void xc_xmodel_set_runner(XcXModelSubgraph *subgraph, const char *device);

/// A subgraph whose device is "DPU".
bool xc_xmodel_is_dpu(const XcXModelSubgraph *subgraph);

/// Finds where the layers of a DPU subgraph begin in its code, in that order.
/// `layers` has room for one per child of the subgraph. Returns their number.
size_t xc_xmodel_find_layers(const XcXModel *model,
                             const XcXModelSubgraph *subgraph,
                             const XcDpuIsa *isa, const unsigned char *code,
                             size_t size, XcXModelDpuLayer *layers);

#endif // XC_TARGET_XMODEL_MODEL_H
