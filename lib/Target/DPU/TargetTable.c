//===- TargetTable.c - keys, words and derived quantities of a target -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include <stddef.h>
#include <string.h>

const xc_target_key xc_target_keys[] = {
#define KEY(path, kind, member, minimum, maximum, need, meaning)               \
  {path,    XC_TARGET_##kind, offsetof(XcDpuTarget, member),                   \
   minimum, maximum,          XC_TARGET_##need,                                \
   meaning},
    XC_DPU_TARGET_KEYS(KEY)
#undef KEY
};
const size_t xc_num_target_keys =
    sizeof(xc_target_keys) / sizeof(xc_target_keys[0]);

size_t xc_target_section_length(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? (size_t)(dot - path) : 0;
}

static const char *const activation_words[] = {
    [XcActivationNone] = "none",
    [XcActivationRelu] = "relu",
    [XcActivationPrelu] = "prelu",
    [XcActivationLeakyRelu] = "leaky-relu",
    [XcActivationRelu6] = "relu6",
    [XcActivationHSigmoid] = "hard-sigmoid",
    [XcActivationHSwish] = "hard-swish",
    NULL,
};
static const char *const alu_mode_words[] = {
    [XcDpuAluModeDepthwise] = "depthwise",
    [XcDpuAluModePrelu] = "prelu",
    [XcDpuAluModeAveragePool] = "average-pool",
    [XcDpuAluModeMaxPool] = "max-pool",
    [XcDpuAluModeLeakyRelu] = "leaky-relu",
    [XcDpuAluModeMaxReduce] = "max-reduce",
    [XcDpuAluModeDepthwiseNoBias] = "depthwise-no-bias",
    [XcDpuAluModeHardSigmoid] = "hard-sigmoid",
    [XcDpuAluModeDepthwise16] = "depthwise-16",
    NULL,
};
static const char *const elementwise_words[] = {
    [XcDpuElementwiseKindAdd] = "add",
    [XcDpuElementwiseKindMul] = "mul",
    NULL,
};
static const char *const pool_words[] = {
    [XcDpuPoolKindMax] = "max",
    [XcDpuPoolKindAverage] = "average",
    [XcDpuPoolKindMaxReduce] = "max-reduce",
    NULL,
};

const char *const *xc_target_words(xc_target_kind kind) {
  switch (kind) {
  case XC_TARGET_Activations:
    return activation_words;
  case XC_TARGET_AluModes:
    return alu_mode_words;
  case XC_TARGET_ElementwiseKinds:
    return elementwise_words;
  case XC_TARGET_PoolKinds:
    return pool_words;
  case XC_TARGET_String:
  case XC_TARGET_Int:
  case XC_TARGET_Int64:
  case XC_TARGET_Flag:
  case XC_TARGET_Hex64:
  case XC_TARGET_Range:
  case XC_TARGET_Pad:
  case XC_TARGET_Sizes:
  case XC_TARGET_Registers:
  case XC_TARGET_Engines:
  case XC_TARGET_Fingerprints:
    return NULL;
  }
  return NULL;
}

static const char *word_at(const char *const *words, unsigned value) {
  for (unsigned i = 0; words[i]; ++i)
    if (i == value)
      return words[i];
  return NULL;
}

const char *xcDpuActivationGetName(XcActivation activation) {
  return word_at(activation_words, (unsigned)activation);
}

const char *xcDpuAluModeGetName(XcDpuAluMode mode) {
  return word_at(alu_mode_words, (unsigned)mode);
}

const char *xcDpuElementwiseKindGetName(XcDpuElementwiseKind kind) {
  return word_at(elementwise_words, (unsigned)kind);
}

const char *xcDpuPoolKindGetName(XcDpuPoolKind kind) {
  return word_at(pool_words, (unsigned)kind);
}

const char *xcDpuTargetGetSegment(const XcDpuTarget *target, uint32_t reg) {
  static const char *const weights[] = {"W0", "W1", "W2", "W3"};
  for (int32_t i = 0; i < target->numWeightsRegisters; ++i)
    if ((int32_t)reg == target->weightsRegister[i])
      return weights[i];
  return (int32_t)reg == target->parametersRegister ? "W0" : "D0";
}

bool xcDpuTargetHasFingerprint(const XcDpuTarget *target,
                               uint64_t fingerprint) {
  if (target->dpuName || fingerprint == 0)
    return false;
  bool found = target->fingerprint == fingerprint;
  for (int32_t i = 0; i < target->numOlderFingerprints; ++i)
    found |= target->olderFingerprints[i] == fingerprint;
  return found;
}

const XcDpuEngine *xcDpuTargetGetPoolEngine(const XcDpuTarget *target) {
  if (target->pool.rows)
    return &target->pool;
  bool alu_pools = xcDpuSetHas(target->aluModes, XcDpuAluModeMaxPool) ||
                   xcDpuSetHas(target->aluModes, XcDpuAluModeAveragePool);
  return alu_pools ? &target->alu : NULL;
}

const XcDpuEngine *xcDpuTargetGetDepthwiseEngine(const XcDpuTarget *target) {
  if (target->convDiagonal)
    return &target->conv;
  if (target->depthwise.rows)
    return &target->depthwise;
  return xcDpuSetHas(target->aluModes, XcDpuAluModeDepthwise) ? &target->alu
                                                              : NULL;
}

static int64_t banks_bytes(const XcDpuBanks *banks) {
  return (int64_t)banks->numGroups * banks->numBanks * banks->width *
         banks->depth;
}

static int32_t banks_end(const XcDpuBanks *banks) {
  if (banks->firstBank < 0 || banks->numBanks == 0)
    return 0;
  return banks->firstBank + banks->numGroups * banks->numBanks;
}

static int32_t least(int64_t a, int64_t b) { return (int32_t)(a < b ? a : b); }

static void derive_channels(XcDpuTarget *target) {
  XcDpuDerived *derived = &target->derived;
  const XcDpuEngine *pool = xcDpuTargetGetPoolEngine(target);
  const XcDpuEngine *depthwise = xcDpuTargetGetDepthwiseEngine(target);
  int32_t channels = target->channelParallel;
  derived->maxConvInputChannels =
      target->conv.maxInputGroups * target->inputChannelParallel;
  derived->maxConvOutputChannels =
      target->conv.maxOutputGroups * target->outputChannelParallel;
  derived->maxAluChannels = target->alu.maxInputGroups * channels;
  derived->maxPoolChannels = pool ? pool->maxInputGroups * channels : 0;
  derived->maxDepthwiseChannels =
      depthwise ? depthwise->maxInputGroups * channels : 0;
  derived->maxElementwiseChannels = target->elementwiseMaxGroups * channels;
}

void xc_target_derive(XcDpuTarget *target) {
  XcDpuBanks *all[] = {&target->image, &target->weights,
                       &target->depthwiseWeights, &target->bias,
                       &target->depthwiseBias};
  XcDpuDerived *derived = &target->derived;
  *derived = (XcDpuDerived){0};
  for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i) {
    if (all[i]->numGroups == 0)
      all[i]->numGroups = 1;
    if (banks_end(all[i]) > derived->numBanks)
      derived->numBanks = banks_end(all[i]);
  }
  if (target->batch == 0)
    target->batch = 1;
  target->alu.maxOutputGroups = target->alu.maxInputGroups;
  target->pool.maxOutputGroups = target->pool.maxInputGroups;
  target->depthwise.maxOutputGroups = target->depthwise.maxInputGroups;

  derived->peakMacsPerCycle = (int64_t)target->pixelParallel *
                              target->inputChannelParallel *
                              target->outputChannelParallel * target->batch;
  derived->peakOpsPerCycle = 2 * derived->peakMacsPerCycle;
  derived->peakOpsPerSecond = derived->peakOpsPerCycle * target->clockHz;
  derived->imageBytes = banks_bytes(&target->image);
  derived->imageGroupBytes = derived->imageBytes / target->image.numGroups;
  derived->weightsBytes = banks_bytes(&target->weights);
  derived->depthwiseWeightsBytes = banks_bytes(&target->depthwiseWeights);
  derived->biasBytes =
      banks_bytes(&target->bias) + banks_bytes(&target->depthwiseBias);
  derive_channels(target);
  derived->portBytesPerCycle = target->dataPorts * target->portBytes;
  derived->ddrBytesPerCycle = least(
      derived->portBytesPerCycle, target->ddrBytesPerSecond / target->clockHz);
  derived->engines = target->numCores ? 0 : 1;
  for (int32_t i = 0; i < target->numCores; ++i)
    derived->engines += target->coreEngines[i];
  derived->addressableBytes = (int64_t)1 << target->addressBits;
}
