//===- AttributeNames.h - names of xc's own attributes ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discardable attributes that one pass leaves and another one, a back end or
// the driver reads. A name that is misspelt on one side would be silent.
//
//===----------------------------------------------------------------------===//

#ifndef XC_IR_ATTRIBUTENAMES_H
#define XC_IR_ATTRIBUTENAMES_H

// Functions and calls of compiled code, from convert-mtir-to-linalg on.
/// On a function: one operator, not one of the model. On an operator, a string:
/// the function of the user that computes it.
#define XC_NAME_KERNEL "xc.kernel"
/// The mnemonic of what a call of such a function computes.
#define XC_NAME_OPERATOR "xc.operator"
/// Strings: what its arguments are, "input", "output", "table".
#define XC_NAME_ARGUMENTS "xc.arguments"
/// On an allocation: where what fails at run time is noted.
#define XC_NAME_STATUS "xc.status"
/// How many arguments of a function of the model are inputs.
#define XC_NAME_NUM_INPUTS "xc.num_inputs"

// Functions of a kernel library.
/// On a call: what it is called in the library. On a function of the model: its
/// name there.
#define XC_NAME_FUNCTION "xc.function"
/// Strings: the arguments of a call by name.
#define XC_NAME_NAMES "xc.names"
/// Strings: their types in C.
#define XC_NAME_TYPES "xc.types"
/// Which argument of a call is written.
#define XC_NAME_OUTPUT "xc.output"
/// On the module: the header that declares them.
#define XC_NAME_KERNEL_HEADER "xc.kernel_header"
/// On the module: what they compute, and why not the rest.
#define XC_NAME_KERNEL_REPORT "xc.kernel_report"

// Results of cpu-bind-memory, for the code and its header.

/// The symbol of a function.
#define XC_NAME_ENTRY "xc.entry"
#define XC_NAME_INPUT_BYTES "xc.input_bytes"
#define XC_NAME_OUTPUT_BYTES "xc.output_bytes"
#define XC_NAME_INPUT_NOTES "xc.input_notes"
#define XC_NAME_OUTPUT_NOTES "xc.output_notes"
#define XC_NAME_ARENA_BYTES "xc.arena_bytes"
/// A bound that no plan of the arena gets below.
#define XC_NAME_ARENA_LOWER_BOUND "xc.arena_lower_bound"
#define XC_NAME_PARAMS_BYTES "xc.params_bytes"
/// On the module: the constants.
#define XC_NAME_PARAMS "xc.params"

// Decisions of tir-partition.

/// Why an operator is on the CPU.
#define XC_NAME_REASON "xc.reason"

// Messages of importers to the driver.

/// How many tensors of unsigned bytes have lost a bit.
#define XC_NAME_HALVED "xc.halved"

// Messages of tir-round-bias to the driver.

/// The loss of layers whose bias was rounded.
#define XC_NAME_ROUNDED_BIASES "xc.rounded_biases"

// Messages of tir-quantize and tir-approximate to the driver.

/// Strings, one for each sample that was left out.
#define XC_NAME_OUTLIERS "xc.outliers"
/// Strings about samples that are empty or absurd.
#define XC_NAME_SUSPECTS "xc.suspects"
/// About normalisations that stay in floating point.
#define XC_NAME_STATISTICS "xc.statistics"
/// About filters that stay in floating point.
#define XC_NAME_SPECTRA "xc.spectra"
/// The loss at the outputs, and the layers that cause it.
#define XC_NAME_LOSS "xc.loss"
/// On an operator: why it stays in floating point (FloatReasons.def).
#define XC_NAME_KEPT_FLOAT "xc.kept_float"
/// On a tir.clip: it stands for the range of a quantised type.
#define XC_NAME_IMPLIED "xc.implied"
/// The report of tir-approximate.
#define XC_NAME_APPROXIMATIONS "xc.approximations"

// Data of the driver in modules.

/// On the module: the data that a compilation which goes on from it needs.
#define XC_NAME_SAVED "xc.saved"

#endif // XC_IR_ATTRIBUTENAMES_H
