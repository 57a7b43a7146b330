//===- Limits.c - what the engines of a target can execute ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <assert.h>
#include <inttypes.h>

enum {
  /// Left shifts of the bias that the hardware has, as stored in the field.
  MAX_SHIFT_BIAS = 20,
  /// Blocks of window rows that have an address field.
  MAX_BLOCKS = 4,
};

static bool check_range(xc_text *why, const char *field, uint64_t value,
                        int64_t minimum, int64_t maximum) {
  if ((int64_t)value >= minimum && (int64_t)value <= maximum)
    return true;
  xc_text_printf(why, "'%s' is %" PRIu64 ", expected %" PRId64 " to %" PRId64,
                 field, value, minimum, maximum);
  return false;
}

static bool check_limit(xc_text *why, const char *field, uint64_t value,
                        XcDpuRange range) {
  return check_range(why, field, value, range.minimum, range.maximum);
}

static bool check_image_bank(const XcDpuTarget *target, xc_text *why,
                             const char *field, uint32_t bank) {
  const XcDpuBanks *image = &target->image;
  return check_range(why, field, bank, image->firstBank,
                     image->firstBank + image->numGroups * image->numBanks - 1);
}

static bool check_load(const XcDpuTarget *target, const XcDpuLoad *load,
                       xc_text *why) {
  if (xc_load_is_constant(load) && !target->constantLoad) {
    xc_text_printf(why, "target '%s' cannot load constants", target->name);
    return false;
  }
  return check_range(why, "bank_id", load->bank_id, 0,
                     target->derived.numBanks - 1) &&
         check_range(why, "mode_avg", load->mode_avg, 0, 0);
}

static bool check_save(const XcDpuTarget *target, const XcDpuSave *save,
                       xc_text *why) {
  if ((save->argmax & 2) != 0 && !target->argmax) {
    xc_text_printf(why, "target '%s' has no argmax", target->name);
    return false;
  }
  return check_image_bank(target, why, "bank_id", save->bank_id) &&
         check_range(why, "hp_id", save->hp_id, 0, target->savePorts - 1);
}

/// Every row of the window must lie in a block that has an address.
static bool check_blocks(const XcDpuTarget *target, const xc_window *window,
                         xc_text *why) {
  const xc_walk *walk = &window->walk;
  uint32_t last =
      walk->position + (walk->offset + window->rows - 1) / walk->stride;
  uint32_t blocks = last / (uint32_t)target->pixelParallel + 1;
  if (blocks <= MAX_BLOCKS)
    return true;
  xc_text_printf(why,
                 "the input window of %" PRIu32 " rows lies in %" PRIu32
                 " blocks of banks, expected at most %d",
                 window->rows, blocks, MAX_BLOCKS);
  return false;
}

static bool check_engine(const XcDpuTarget *target, const XcDpuEngine *engine,
                         const xc_op *op, xc_text *why) {
  const xc_window *window = &op->window;
  return check_range(why, "valid_pixel_parallel", op->output.rows, 1,
                     engine->rows) &&
         check_limit(why, "kernel_h", window->kernel_h, engine->kernelH) &&
         check_limit(why, "kernel_w", window->kernel_w, engine->kernelW) &&
         check_limit(why, "stride_h", window->stride_h, engine->strideH) &&
         check_limit(why, "stride_w", window->stride_w, engine->strideW) &&
         check_range(why, "stride_offset_in", window->walk.offset, 0,
                     (int64_t)window->stride_h - 1) &&
         check_blocks(target, window, why);
}

static bool check_activation(XcDpuSet allowed, uint32_t act_type,
                             xc_text *why) {
  if (xcDpuSetHas(allowed, act_type))
    return true;
  const char *name = xcDpuActivationGetName((XcActivation)act_type);
  xc_text_printf(why, "'act_type' is %" PRIu32 " (%s), which the engine lacks",
                 act_type, name ? name : "unknown");
  return false;
}

static bool check_conv(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuConv *conv = &op->insn.conv;
  const XcDpuConvInit *init = &op->conv_init;
  if (!check_image_bank(target, why, "bank_id_in", conv->bank_id_in) ||
      !check_image_bank(target, why, "bank_id_out", conv->bank_id_out) ||
      !check_engine(target, &target->conv, op, why) ||
      !check_activation(target->conv.activations, init->act_type, why) ||
      !check_range(why, "shift_bias", init->shift_bias, 0, MAX_SHIFT_BIAS))
    return false;
  uint32_t words = init->kernel_h * init->kernel_w * conv->channel_group;
  if (words <= (uint32_t)target->weights.depth)
    return true;
  xc_text_printf(why,
                 "the weights of one output channel take %" PRIu32
                 " words, a bank has %" PRId32,
                 words, target->weights.depth);
  return false;
}

/// What an ALU mode needs besides the limits of the engine.
typedef struct mode_rule {
  bool has_activation;
  bool is_pointwise; // kernel and stride 1
  bool is_flat;      // kernel_d 1
} mode_rule;

static mode_rule get_mode_rule(XcDpuAluMode mode) {
  switch (mode) {
  case XcDpuAluModeDepthwise:
  case XcDpuAluModeDepthwiseNoBias:
  case XcDpuAluModeDepthwise16:
    return (mode_rule){.has_activation = true};
  case XcDpuAluModeAveragePool:
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeMaxReduce:
    return (mode_rule){.is_flat = true};
  case XcDpuAluModePrelu:
  case XcDpuAluModeLeakyRelu:
  case XcDpuAluModeHardSigmoid:
    return (mode_rule){.is_pointwise = true, .is_flat = true};
  }
  assert(false && "the mode is in the set of the target");
  return (mode_rule){0};
}

static bool check_alu(const XcDpuTarget *target, const xc_op *op,
                      xc_text *why) {
  const XcDpuAlu *alu = &op->insn.alu;
  const XcDpuAluInit *init = &op->alu_init;
  if (!xcDpuSetHas(target->aluModes, init->exec_mode) ||
      !xcDpuAluModeGetName((XcDpuAluMode)init->exec_mode)) {
    xc_text_printf(why, "'exec_mode' is %" PRIu32 ", which the engine lacks",
                   init->exec_mode);
    return false;
  }
  mode_rule rule = get_mode_rule((XcDpuAluMode)init->exec_mode);
  if (!check_image_bank(target, why, "bank_id_in", alu->bank_id_in) ||
      !check_image_bank(target, why, "bank_id_out", alu->bank_id_out) ||
      !check_engine(target, &target->alu, op, why) ||
      !check_range(why, "shift_bias", init->shift_bias, 0, MAX_SHIFT_BIAS))
    return false;
  if (rule.has_activation &&
      !check_activation(target->alu.activations, init->act_type, why))
    return false;
  if (rule.is_flat && !check_range(why, "kernel_d", alu->kernel_d, 1, 1))
    return false;
  return !rule.is_pointwise ||
         (check_range(why, "kernel_h", init->kernel_h, 1, 1) &&
          check_range(why, "kernel_w", init->kernel_w, 1, 1) &&
          check_range(why, "stride_h", init->stride_h, 1, 1) &&
          check_range(why, "stride_w", init->stride_w, 1, 1));
}

static bool check_elew(const XcDpuTarget *target, const xc_op *op,
                       xc_text *why) {
  const XcDpuElew *elew = &op->insn.elew;
  if (!xcDpuSetHas(target->elementwiseKinds, elew->elew_type)) {
    xc_text_printf(why, "'elew_type' is %" PRIu32 ", which the engine lacks",
                   elew->elew_type);
    return false;
  }
  if (!check_image_bank(target, why, "bank_id_out", elew->bank_id_out) ||
      !check_range(why, "valid_pixel_parallel", elew->valid_pixel_parallel, 1,
                   target->elementwiseRows) ||
      !check_activation(target->elementwiseActivations, elew->act_type, why))
    return false;
  bool is_product = elew->elew_type == XcDpuElementwiseKindMul;
  if (!check_range(why, "num", elew->num, is_product ? 2 : 1,
                   is_product ? 2 : target->elementwiseOperands))
    return false;
  for (uint32_t k = 0; k < elew->num; ++k) {
    const XcDpuElewInit *init = &op->elew_init[k];
    if (!check_image_bank(target, why, "bank_id_in", init->bank_id_in))
      return false;
    if (!init->share_pp &&
        !check_range(why, "jump_bank * valid_pixel_parallel",
                     init->jump_bank * elew->valid_pixel_parallel, 1,
                     target->pixelParallel))
      return false;
  }
  return true;
}

bool xc_op_check(const XcDpuTarget *target, const xc_op *op, xc_text *why) {
  switch ((XcDpuOpcode)op->insn.opcode) {
  case XcDpuOpcodeLoad:
    return check_load(target, &op->insn.load, why);
  case XcDpuOpcodeSave:
    return check_save(target, &op->insn.save, why);
  case XcDpuOpcodeConv:
    return check_conv(target, op, why);
  case XcDpuOpcodeAlu:
    return check_alu(target, op, why);
  case XcDpuOpcodeElew:
    return check_elew(target, op, why);
  case XcDpuOpcodeConvInit:
  case XcDpuOpcodeAluInit:
  case XcDpuOpcodeElewInit:
  case XcDpuOpcodeEnd:
    // Registers are checked with the instructions that use them.
    return true;
  }
  return true;
}
