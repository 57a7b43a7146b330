//===- Outline.h - private functions that operators share ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU path outlines every operator into a private function on buffers.
// Everything that the code depends on is in a key (a uniqued attribute);
// operators with equal keys call one function. Functions keep LLVM's work
// linear and may state that buffers do not overlap.
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_OUTLINE_H
#define XC_CONVERSION_SUPPORT_OUTLINE_H

#include "IR/Builder.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"

#include <stdbool.h>

enum { XC_OUTLINE_MAX_ARGUMENTS = 33 };

/// The functions of a module made so far.
typedef struct xc_outliner {
  MlirContext context;
  MlirBlock module;         // body of the module
  MlirOperation first;      // functions go before it
  xc_pointer_map functions; // key -> what the user of this keeps of one
  xc_pointer_map numbers;   // identifier -> functions of that name so far
  xc_pointer_map external;  // identifier of a function outside that is declared
  xc_arena arena;           // lives as long
  // For a back end that writes source code: loops of scalars only, and names of
  // operands and operators as attributes.
  bool for_source;
  // The function of the user that computes the operator at hand, or null; calls
  // of it are declared once for each type.
  const struct xc_kernel_use *kernel;
  const char *kernel_key;  // what tells its uses apart
  const char *kernel_name; // of what calls it, or null
} xc_outliner;

xc_outliner xc_outliner_begin(MlirOperation module);
void xc_outliner_end(xc_outliner *outliner);

/// Ends a body, makes a private function of it that LLVM does not inline, and
/// returns its name, "xc.NAME.0"; the dot keeps it apart from names of models.
/// `alone` says of each argument whether the function reaches its bytes by no
/// other.
const char *xc_outline(xc_outliner *outliner, MlirLocation location,
                       const char *name, MlirBlock body, const bool *alone);

/// Declares a function that is somewhere else, with these arguments, and
/// returns the symbol of the declaration.
const char *xc_outline_declare(xc_outliner *outliner, MlirLocation location,
                               const char *name, const MlirType *types,
                               size_t count);

/// Declares a function under its own name, unless that was done before.
void xc_outline_declare_external(xc_outliner *outliner, MlirLocation location,
                                 const char *name, const MlirType *types,
                                 size_t count);

/// Returns the element as functions see it in memory: without a sign, a truth
/// value as a byte. Floats of 16 bits are their bits: where a machine does not
/// have them, LLVM calls functions that not every system has, even to move
/// them.
MlirType xc_outline_signless(MlirType memref);

#endif // XC_CONVERSION_SUPPORT_OUTLINE_H
