//===- Target.h - inside of the target library --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_TARGET_H
#define XC_TARGET_DPU_TARGET_H

#include "Support/Text.h"
#include "TargetKeys.h"
#include "xc-c/DPUTarget.h"

/// A target file of targets/ that is part of the library. `is_family` tells
/// the files that only others extend.
typedef struct xc_builtin_target {
  const char *name; // without directory and ".json"
  bool is_family;
  const char *text;
  size_t size;
} xc_builtin_target;

/// Generated from targets/; sorted by name, families last.
extern const xc_builtin_target xc_builtin_targets[];
extern const size_t xc_num_builtin_targets;

typedef enum xc_target_kind {
  XC_TARGET_String,
  XC_TARGET_Int,
  XC_TARGET_Int64,
  XC_TARGET_Flag,
  XC_TARGET_Hex64,
  XC_TARGET_Range,
  XC_TARGET_Pad,
  XC_TARGET_Activations,
  XC_TARGET_AluModes,
  XC_TARGET_ElementwiseKinds,
  XC_TARGET_PoolKinds,
  XC_TARGET_Sizes,
  XC_TARGET_Registers,
  XC_TARGET_Engines,
  XC_TARGET_Fingerprints,
} xc_target_kind;

typedef enum xc_target_need {
  XC_TARGET_Always,
  XC_TARGET_Section,
  XC_TARGET_Optional,
  XC_TARGET_Derived,
} xc_target_need;

/// A row of XC_DPU_TARGET_KEYS. `offset` is into XcDpuTarget.
typedef struct xc_target_key {
  const char *path;
  xc_target_kind kind;
  size_t offset;
  int64_t minimum, maximum;
  xc_target_need need;
  const char *meaning;
} xc_target_key;

extern const xc_target_key xc_target_keys[];
extern const size_t xc_num_target_keys;

/// Length of the path without its last component; 0 for a top-level key.
size_t xc_target_section_length(const char *path);

/// The words of a kind that holds a set, ended by null; null for other kinds.
/// The index of a word is its bit.
const char *const *xc_target_words(xc_target_kind kind);

/// Returns the row of a path, which is one of the table.
const xc_target_key *xc_target_key_of(const char *path);

/// Returns where the value that a target has for a key was read.
XcPlace xc_target_place(const XcDpuTarget *target, const xc_target_key *key);

/// Fills `target->derived` and what is given once and used in two places.
void xc_target_derive(XcDpuTarget *target);

/// Writes the table of docs/targets.md.
void xc_target_reference(xc_text *text);

#endif // XC_TARGET_DPU_TARGET_H
