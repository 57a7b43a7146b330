//===- Processor.h - what runs on this machine --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_VART_PLUGIN_PROCESSOR_H
#define XC_VART_PLUGIN_PROCESSOR_H

#include <stdbool.h>

/// Whether this machine runs code of a triple that was made for a processor, as
/// LLVM names them. Of processors that are not known here it says no.
bool xc_runs_here(const char *triple, const char *cpu);

#endif // XC_VART_PLUGIN_PROCESSOR_H
