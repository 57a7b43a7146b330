//===- UnitForms.h - alternative forms of units -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unit computes the same bytes in several forms: with its pixels in other
// rows, or with its input loaded in another way. Which form is fastest depends
// on what the banks hold, so a strategy schedules the units in each of them.
// Each function here plans all units anew that have the form, leaves the others
// as they are, and returns whether there are any that have it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_UNITFORMS_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_UNITFORMS_H

#include "Target/DPU/CodeGen/Plan/Unit.h"

/// Gives units another form. Returns false if none of them has it.
typedef bool (*xc_unit_form)(const XcDpuTarget *target, xc_units *units);

/// Shortens rows that the banks do not hold.
bool xc_form_short_rows(const XcDpuTarget *target, xc_units *units);

/// Gives units of signals rows for all lanes.
bool xc_form_signals(const XcDpuTarget *target, xc_units *units);

/// Gives units of signals whose windows do not overlap as many rows as are
/// fastest, even if these leave lanes idle.
bool xc_form_blocks(const XcDpuTarget *target, xc_units *units);

/// Gives elementwise units fuller pixels where that makes them more than twice
/// as fast. A unit that gains less by itself may gain more by being held with
/// the units around it.
bool xc_form_flat_lists(const XcDpuTarget *target, xc_units *units);

/// Gives elementwise units fuller pixels where that makes them any faster.
bool xc_form_flat(const XcDpuTarget *target, xc_units *units);

/// Lets units compute their last rows in strips.
bool xc_form_strips(const XcDpuTarget *target, xc_units *units);

/// Lets units load their input as it is in DDR, without augmentation, where
/// that is faster for the unit by itself. This loads fewer bytes, but the
/// engine computes more. All units of a layer do as the first one.
bool xc_form_plain_input(const XcDpuTarget *target, xc_units *units);

/// Does the same wherever it can be planned.
bool xc_form_all_plain_inputs(const XcDpuTarget *target, xc_units *units);

/// Lets convolutions of the network's inputs load their input with one LOAD and
/// copy its rows.
bool xc_form_spread_rows(const XcDpuTarget *target, xc_units *units);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_UNITFORMS_H
