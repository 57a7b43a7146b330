//===- Supports.c - keys of targets that back ends restrict ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Supports.h"

#include "Support/Diag.h"
#include "Target/DPU/Target.h"

#include <assert.h>
#include <inttypes.h>

static int32_t value_of(const XcDpuTarget *target, const xc_target_key *key) {
  assert((key->kind == XC_TARGET_Int || key->kind == XC_TARGET_Registers) &&
         "rows are about numbers");
  return *(const int32_t *)(const void *)((const char *)target + key->offset);
}

static bool refuse(XcDiag *diag, const XcDpuTarget *target,
                   const xc_support *row, int32_t minimum, int32_t maximum,
                   bool simulates) {
  const xc_target_key *key = xc_target_key_of(row->path);
  xc_text expected = {0};
  xc_text_printf(&expected, "%" PRId32, minimum);
  if (maximum > minimum)
    xc_text_printf(&expected, " to %" PRId32, maximum);
  if (row->like)
    xc_text_printf(&expected, ", as '%s'", row->like);
  xc_place_error(diag, xc_target_place(target, key),
                 "'%s' is %" PRId32 ", the %s for '%s' expects %s", row->path,
                 value_of(target, key),
                 simulates ? "simulator" : "code generator", target->isa,
                 xc_text_str(&expected));
  xc_text_free(&expected);
  return false;
}

static bool check_row(XcDiag *diag, const XcDpuTarget *target,
                      const xc_support *row, bool generates) {
  if (row->part == (generates ? XC_SIMULATOR : XC_CODE_GENERATOR))
    return true;
  int32_t minimum = row->minimum, maximum = row->maximum;
  if (row->like)
    minimum = maximum = value_of(target, xc_target_key_of(row->like));
  int32_t value = value_of(target, xc_target_key_of(row->path));
  return (value >= minimum && value <= maximum) ||
         refuse(diag, target, row, minimum, maximum, !generates);
}

/// Each group of output channels is loaded from one register.
static bool check_weights_registers(XcDiag *diag, const XcDpuTarget *target,
                                    int32_t most) {
  if (target->numWeightsRegisters <= most)
    return true;
  const xc_target_key *key = xc_target_key_of("registers.weights");
  return xc_place_error(
      diag, xc_target_place(target, key),
      "'%s' has %" PRId32
      " entries, the code generator for '%s' expects %" PRId32,
      key->path, target->numWeightsRegisters, target->isa, most);
}

/// A bank of an engine of its own, which may lack or share it.
static bool check_bank(XcDiag *diag, const XcDpuTarget *target,
                       const XcDpuBanks *banks, const char *path,
                       bool is_needed) {
  if (banks->numBanks > 0 ? banks->firstBank >= 0 : !is_needed)
    return true;
  return xc_place_error(diag, xc_target_place(target, xc_target_key_of(path)),
                        "'%s' is %" PRId32
                        ", the simulator for '%s' needs the bank",
                        path, banks->firstBank, target->isa);
}

/// The memory of each register is loaded and saved apart.
static bool check_distinct_registers(XcDiag *diag, const XcDpuTarget *target) {
  static const char *const paths[] = {"registers.parameters",
                                      "registers.workspace", "registers.input",
                                      "registers.output"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i)
    for (size_t k = 0; k < i; ++k) {
      const xc_target_key *key = xc_target_key_of(paths[i]);
      int32_t value = value_of(target, key);
      if (value == value_of(target, xc_target_key_of(paths[k])))
        return xc_place_error(diag, xc_target_place(target, key),
                              "'%s' and '%s' are both %" PRId32, paths[k],
                              paths[i], value);
    }
  return true;
}

bool xc_machine_supports(const xc_machine *machine, const XcDpuTarget *target,
                         bool generates, XcDiag *diag) {
  for (size_t i = 0; i < machine->num_supports; ++i)
    if (!check_row(diag, target, &machine->supports[i], generates))
      return false;
  bool computes = target->depthwise.rows > 0;
  if (!check_bank(diag, target, &target->depthwiseWeights,
                  "banks.depthwise_weights.first", computes) ||
      !check_bank(diag, target, &target->depthwiseBias,
                  "banks.depthwise_bias.first", false))
    return false;
  return !generates ||
         (check_weights_registers(diag, target, machine->weights_registers) &&
          check_distinct_registers(diag, target));
}

const xc_machine *xc_machine_require(const XcDpuTarget *target,
                                     const char *file, XcDiag *diag) {
  const xc_machine *machine = xc_machine_of(target);
  if (machine)
    return machine;
  xc_text known = {0};
  xc_machine_list(&known);
  xc_file_error(diag, file,
                "target '%s' has instruction set '%s', the simulator executes "
                "%s",
                target->name, target->isa, xc_text_str(&known));
  xc_text_free(&known);
  return NULL;
}
