//===- Codec.c - how fields store their values ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"

#include "xc-c/DPUTarget.h"

typedef enum codec_kind {
  CODEC_OFFSET, // value + parameter
  CODEC_SIGNED, // two's complement
  CODEC_RIGHT,  // parameter + value, or -value where it is negative
  CODEC_LEFT,   // value, or parameter - value where it is negative
} codec_kind;

typedef struct codec_rule {
  codec_kind kind;
  int32_t parameter;
  XcDpuSet modes; // of ALUINIT in which it holds; elsewhere, plain. 0: all
  const char *text;
} codec_rule;

enum {
  BIAS_MODES = 1 << XcDpuAluModeDepthwise,
  POOL_MODES = 1 << XcDpuAluModeAveragePool | 1 << XcDpuAluModeMaxPool |
               1 << XcDpuAluModeMaxReduce,
  PRELU_MODES = 1 << XcDpuAluModePrelu | 1 << XcDpuAluModeLeakyRelu,
};

/// CODEC(name, kind, parameter, modes, text)
// clang-format off
#define CODECS(CODEC)                                                          \
  CODEC(Plain, CODEC_OFFSET, 0, 0, "value")                                    \
  CODEC(MinusOne, CODEC_OFFSET, -1, 0, "value - 1")                            \
  CODEC(PlusOne, CODEC_OFFSET, 1, 0, "value + 1")                              \
  CODEC(Signed, CODEC_SIGNED, 0, 0, "two's complement")                        \
  CODEC(Right8, CODEC_RIGHT, 8, 0, "8 + value, or -value")                     \
  CODEC(Right16, CODEC_RIGHT, 16, 0, "16 + value, or -value")                  \
  CODEC(Left32, CODEC_LEFT, 32, 0, "value, or 32 - value")                     \
  CODEC(AluBias, CODEC_OFFSET, 1, BIAS_MODES,                                  \
        "value + 1 in mode 0, else value")                                     \
  CODEC(AluCut, CODEC_RIGHT, 8, POOL_MODES,                                    \
        "8 + value, or -value, in modes 2, 3 and 5, else value")               \
  CODEC(AluPrelu, CODEC_RIGHT, 32, PRELU_MODES, "32 + value, or -value")
// clang-format on

static const codec_rule rules[] = {
#define CODEC(name, kind, parameter, modes, text)                              \
  [XcDpuCodec##name] = {kind, parameter, modes, text},
    CODECS(CODEC)
#undef CODEC
};

const int64_t xc_dpu_codec_addends[] = {
#define CODEC(name, kind, parameter, modes, text)                              \
  [XcDpuCodec##name] =                                                         \
      (kind) == CODEC_OFFSET && !(modes) ? (parameter) : INT64_MIN,
    CODECS(CODEC)
#undef CODEC
};

static const codec_rule *rule_of(XcDpuCodec codec, uint32_t mode) {
  const codec_rule *rule = &rules[codec];
  bool holds = rule->modes == 0 || xcDpuSetHas(rule->modes, mode);
  return holds ? rule : &rules[XcDpuCodecPlain];
}

int32_t xc_dpu_codec_decode(XcDpuCodec codec, uint32_t mode, unsigned width,
                            uint32_t bits) {
  const codec_rule *rule = rule_of(codec, mode);
  int32_t stored = (int32_t)bits, parameter = rule->parameter;
  switch (rule->kind) {
  case CODEC_OFFSET:
    return stored - parameter;
  case CODEC_SIGNED:
    return bits >> (width - 1) ? stored - (INT32_C(1) << width) : stored;
  case CODEC_RIGHT:
    return stored >= parameter ? stored - parameter : -stored;
  case CODEC_LEFT:
    return stored >= parameter ? parameter - stored : stored;
  }
  return 0;
}

void xc_dpu_codec_range(XcDpuCodec codec, uint32_t mode, unsigned width,
                        int64_t *minimum, int64_t *maximum) {
  const codec_rule *rule = rule_of(codec, mode);
  int64_t most = (INT64_C(1) << width) - 1, parameter = rule->parameter;
  *minimum = -parameter;
  *maximum = most - parameter;
  switch (rule->kind) {
  case CODEC_OFFSET:
    break;
  case CODEC_SIGNED:
    *minimum = -(most / 2) - 1;
    *maximum = most / 2;
    break;
  case CODEC_RIGHT:
    *minimum = 1 - parameter;
    break;
  case CODEC_LEFT:
    *minimum = parameter - most;
    *maximum = parameter - 1;
    break;
  }
}

uint32_t xc_dpu_codec_encode(XcDpuCodec codec, uint32_t mode, int32_t value) {
  const codec_rule *rule = rule_of(codec, mode);
  int32_t parameter = rule->parameter;
  switch (rule->kind) {
  case CODEC_OFFSET:
    return (uint32_t)(value + parameter);
  case CODEC_SIGNED:
    return (uint32_t)value;
  case CODEC_RIGHT:
    return (uint32_t)(value >= 0 ? parameter + value : -value);
  case CODEC_LEFT:
    return (uint32_t)(value >= 0 ? value : parameter - value);
  }
  return 0;
}

const char *xc_dpu_codec_describe(XcDpuCodec codec) {
  return rules[codec].text;
}
