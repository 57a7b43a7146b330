//===- Portable.h - a function as bytecode of its own -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_PORTABLE_H
#define XC_DRIVER_PORTABLE_H

#include "Support/File.h"
#include "Target/DPU/CodeGen/Lower/Function.h"

#include "mlir-c/IR.h"

/// Returns a module that holds a public copy of the function. It depends on the
/// function only: of files that locations name the last part is kept, and
/// constants that lie in files are taken in.
MlirModule xc_portable_create(MlirOperation function);

/// Its bytecode. Destroys the module; the caller frees the buffer.
xc_buffer xc_portable_write(MlirModule module);

/// The same of a function that returns the results of constants. `constants`
/// are operations with one result.
xc_buffer xc_portable_write_constants(const MlirOperation *constants,
                                      size_t count, const char *name);

/// Replaces constants of a portable form that are in the parameters of the
/// compiled function by how they are read back from there (XC_MIXED_RECIPE).
void xc_portable_strip(const xc_dpu_function *function, MlirModule module);

#endif // XC_DRIVER_PORTABLE_H
