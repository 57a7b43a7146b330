//===- Print.h - an xmodel as text and as pictures ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_PRINT_H
#define XC_TARGET_XMODEL_PRINT_H

#include "xc-c/XModel.h"

#include <stdio.h>

/// Graph, subgraphs and attributes; for each DPU subgraph its registers, its
/// inputs and outputs, how many instructions of each kind it has, and its
/// disassembly. A DPU subgraph that cannot be read is a failure.
bool xc_xmodel_print(XcDiag *diag, const XcXModel *model, FILE *output);

/// The operators and what feeds them as a graph in the language of Graphviz;
/// device subgraphs become boxes. Parameters (const operators and the fix
/// operators after them) are left out.
bool xc_xmodel_print_dot(XcDiag *diag, const XcXModel *model, FILE *output);

/// The same picture as SVG: one layer of operators below the other.
bool xc_xmodel_print_svg(XcDiag *diag, const XcXModel *model, FILE *output);

#endif // XC_TARGET_XMODEL_PRINT_H
