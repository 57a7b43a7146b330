//===- Objects.h - machine code for the CPU parts of an xmodel ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_OBJECTS_H
#define XC_DRIVER_OBJECTS_H

#include "Support/Text.h"
#include "xc-c/DPUTarget.h"
#include "xc-c/XModelMixed.h"

/// Whether CPU parts can be compiled for those processors, which commas
/// separate; false after a diagnostic.
bool xc_driver_check_cpu(XcDiag *diag, const char *cpu);

/// Compiles the portable form of every CPU part for each processor of a list as
/// XcCpuOptions names them, or none for "none"; null stands for one that
/// depends on the architecture only, so that the bytes do, too, and for that of
/// the target's boards where they run the part by the plug-in. Notes in `log`
/// which parts were compiled: parts with operators of the host have no
/// code. The code calls the functions of a kernel library, or null.
void xc_driver_add_objects(XcXModel *model, const char *cpu,
                           const XcDpuTarget *target, const char *kernels,
                           xc_text *log);

#endif // XC_DRIVER_OBJECTS_H
