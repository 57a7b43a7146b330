//===- DPUTarget.h - what a DPU is: limits, memories, clock -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is data. Partitioning, tiling, bank allocation, encoding,
// simulation and timing all read this one description, which comes from a JSON
// file (targets/*.json are built in; docs/targets.md lists every key).
//
// Units. Sizes are bytes unless the name says otherwise; a bank word is the
// channels of one pixel that a bank delivers per cycle. Cycles are cycles of
// the DPU clock. "w" and "h" are the horizontal and vertical direction. An
// XcDpuRange holds its end points; an engine, a memory or a feature that the
// target does not have is all zero.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUTARGET_H
#define XC_C_DPUTARGET_H

#include "xc-c/FixedPoint.h"
#include "xc-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The target of tools and passes that are given none.
#define XC_DPU_DEFAULT_TARGET "DPUCZDX8G_ISA1_B4096"

/// Inclusive.
typedef struct XcDpuRange {
  int32_t minimum;
  int32_t maximum;
} XcDpuRange;

/// Returns the largest padding that an engine's range allows for a kernel of
/// `kernel` elements. A maximum of -1 stands for the size of the kernel less
/// one.
static inline int64_t xcDpuRangeMaxPadding(XcDpuRange padding, int64_t kernel) {
  return padding.maximum < 0 ? kernel - 1 : padding.maximum;
}

/// Operations of the ALU engine, numbered as in the exec_mode field.
typedef enum XcDpuAluMode {
  XcDpuAluModeDepthwise = 0,
  XcDpuAluModePrelu = 1,
  XcDpuAluModeAveragePool = 2,
  XcDpuAluModeMaxPool = 3,
  XcDpuAluModeLeakyRelu = 4,
  XcDpuAluModeMaxReduce = 5,
  XcDpuAluModeDepthwiseNoBias = 6,
  XcDpuAluModeHardSigmoid = 7,
  XcDpuAluModeDepthwise16 = 8, // 16-bit weights, no bias
} XcDpuAluMode;

/// Operations of the element-wise engine, numbered as in elew_type.
typedef enum XcDpuElementwiseKind {
  XcDpuElementwiseKindAdd = 0,
  XcDpuElementwiseKindMul = 1,
} XcDpuElementwiseKind;

/// Operations of a separate pooling engine, numbered as in pool_type.
typedef enum XcDpuPoolKind {
  XcDpuPoolKindMax = 0,
  XcDpuPoolKindAverage = 1,
  XcDpuPoolKindMaxReduce = 2,
} XcDpuPoolKind;

/// A set of the enumerators above: bit 1 << value.
typedef uint32_t XcDpuSet;

static inline bool xcDpuSetHas(XcDpuSet set, unsigned value) {
  return value < 32 && (set >> value & 1u) != 0;
}

/// Equal banks with consecutive ids, in `numGroups` groups of `numBanks`.
typedef struct XcDpuBanks {
  int32_t firstBank; // -1: the id is not published
  int32_t numGroups; // image: 2 groups; all others: 1
  int32_t numBanks;  // per group
  int32_t width;     // bytes per word
  int32_t depth;     // words
} XcDpuBanks;

/// An engine that slides a window over an image.
typedef struct XcDpuEngine {
  /// Output rows of one instruction at most; 0: the engine does not exist.
  int32_t rows;
  XcDpuRange kernelW, kernelH, strideW, strideH;
  /// Vertical stride of the consumer by which output rows can be arranged.
  XcDpuRange strideOut;
  /// Padding that an instruction can express. A maximum of -1 stands for the
  /// (dilated) kernel size less one.
  XcDpuRange padLeft, padTop, padRight, padBottom;
  XcDpuSet activations; // of XcActivation
  /// Channels, in units of the channel parallelism.
  int32_t maxInputGroups, maxOutputGroups;
  /// Bits that the result, and the bias relative to it, can be shifted by.
  XcDpuRange shiftCut, shiftBias;
} XcDpuEngine;

/// Parameters of the timing model (docs/timing.md), in cycles.
typedef struct XcDpuTiming {
  /// Added to the work of a CONV, ALU (or POOL, DPTWISE) and ELEW instruction.
  int32_t convStart, aluStart, elementwiseStart;
  /// Whole duration of *INIT and of END.
  int32_t initCycles, endCycles;
  /// Before the first byte of a LOAD or SAVE moves.
  int32_t loadStart, saveStart;
  /// Every contiguous run of bytes is rounded up to this many bytes.
  int32_t burstBytes;
  /// The most that one LOAD or one SAVE moves in a cycle.
  int32_t loadBytesPerCycle, saveBytesPerCycle;
  /// Parameters have ports of their own: one for each register of weights, the
  /// first one for the other parameters, too. This many bytes move through each
  /// of them in a LOAD of all weight banks. 0: parameters share the data ports.
  int32_t weightsBytesPerCycle;
  /// Kernel positions that a DPTWISE computes in a cycle; 0 counts as 1.
  int32_t depthwisePositionsPerCycle;
} XcDpuTiming;

/// Computed from the rest when a target is loaded, and nowhere else.
typedef struct XcDpuDerived {
  int64_t peakMacsPerCycle; // multiply-accumulates of the CONV engine
  int64_t peakOpsPerCycle;  // two per multiply-accumulate
  int64_t peakOpsPerSecond;
  int32_t numBanks;        // one more than the largest bank id
  int64_t imageBytes;      // both groups
  int64_t imageGroupBytes; // one group
  int64_t weightsBytes;
  int64_t depthwiseWeightsBytes;
  int64_t biasBytes;
  int32_t maxConvInputChannels, maxConvOutputChannels;
  int32_t maxAluChannels, maxPoolChannels, maxDepthwiseChannels;
  int32_t maxElementwiseChannels;
  /// All data ports together; DDR may limit further.
  int32_t portBytesPerCycle;
  /// min(ports, DDR), rounded down.
  int32_t ddrBytesPerCycle;
  int64_t addressableBytes; // from one base register on
  int32_t engines;          // of all cores; 1 if the target is not a card
} XcDpuDerived;

/// Read-only once loaded.
enum {
  XC_DPU_MAX_OLDER_FINGERPRINTS = 4,
  XC_DPU_MAX_WEIGHTS_REGISTERS = 4,
  XC_DPU_MAX_CORES = 8,
};

typedef struct XcDpuTarget {
  const char *name;        // "DPUCZDX8G_ISA1_B4096"
  const char *isa;         // instruction table: "DPUCZDX8G", "DPUCAHX8H", ...
  const char *description; // one line
  const char *dpuName;     // in compiled models; null: `name`
  uint64_t fingerprint;    // 0: not published
  /// The fingerprints that earlier compilers gave the target.
  uint64_t olderFingerprints[XC_DPU_MAX_OLDER_FINGERPRINTS];
  int32_t numOlderFingerprints;

  int32_t pixelParallel;         // rows that CONV computes together (PP)
  int32_t inputChannelParallel;  // (ICP)
  int32_t outputChannelParallel; // (OCP)
  int32_t channelParallel;       // channels of one bank word (CP)
  int32_t batch;                 // images that one core computes together
  int32_t augmentationMax;       // kernel_w * channels of a first layer

  XcDpuBanks image;            // group g begins at firstBank + g * numBanks
  XcDpuBanks weights;          // one bank per output channel of a group
  XcDpuBanks depthwiseWeights; // of the misc engine
  XcDpuBanks bias;
  XcDpuBanks depthwiseBias;     // numBanks 0: shares `bias`
  int32_t weightsBroadcastBank; // bank_id that means all weight banks, or -1

  XcDpuEngine conv;
  XcDpuEngine alu;       // misc engine with modes: pools, depthwise, prelu, ...
  XcDpuEngine pool;      // separate pooling engine
  XcDpuEngine depthwise; // separate depthwise engine
  /// Largest value of dilation * input channel groups, both directions; 0: no
  /// limit.
  int32_t maxDilatedGroups;
  bool dilationNeedsUnitStride;
  /// Channel groups at the input of a fully connected layer that becomes a
  /// convolution; 0: the convolution's own limits decide.
  int32_t maxFullyConnectedGroups;
  /// The convolution engine computes depthwise convolutions, word by word.
  bool convDiagonal;
  /// Kernel and stride limits of a transposed convolution hold for the whole
  /// kernel; else for the convolutions it is made of, one per phase.
  bool transposedWholeKernel;
  XcDpuSet aluModes;  // of XcDpuAluMode
  XcDpuSet poolKinds; // of XcDpuPoolKind, of the separate engine
  bool averagePoolSquareOnly;
  /// Kernel widths and heights of the separate depthwise engine: bit 1 << size.
  /// 0: all of its ranges.
  XcDpuSet depthwiseKernelSizes;
  /// Bits that the ALU can shift the result of a pool by (a separate pooling
  /// engine: pool.shiftCut): input fix point - output fix point.
  XcDpuRange aluShiftPool;
  /// Kernel limits of a max-reduce in the ALU.
  XcDpuRange maxReduceKernelW, maxReduceKernelH;

  int32_t elementwiseRows;
  XcDpuSet elementwiseKinds;       // of XcDpuElementwiseKind
  XcDpuSet elementwiseActivations; // of XcActivation
  int32_t elementwiseOperands;     // largest number of inputs
  bool elementwiseBroadcast;       // repeats a row, and a pixel
  int32_t elementwiseMaxGroups;
  XcDpuRange elementwiseShiftRead, elementwiseShiftWrite;

  bool argmax;       // SAVE can reduce to the index of the largest channel
  bool constantLoad; // LOAD can fill a bank with a constant

  int64_t clockHz;
  const char *hostCpu; // of its boards; null: not known
  int32_t dataPorts;   // AXI data ports of a core
  int32_t portBytes;   // bytes that one port moves in a cycle
  int32_t savePorts;   // SAVEs that run at the same time (hp_id)
  int64_t ddrBytesPerSecond;
  int32_t addressBits;        // of the ddr_addr field
  int32_t codeAlignment;      // bytes, of the machine code in memory
  int32_t parameterAlignment; // bytes, of a parameter block

  /// Base-address registers: how many, and what each one points at by
  /// convention. Weights are split over `numWeightsRegisters` registers:
  /// the output channels of each group of OCP in equal, consecutive parts.
  int32_t numRegisters;
  int32_t parametersRegister, workspaceRegister;
  int32_t inputRegister, outputRegister;
  int32_t numWeightsRegisters;
  int32_t weightsRegister[XC_DPU_MAX_WEIGHTS_REGISTERS];

  /// Engines of each core of a card. They run one program in step, each on an
  /// image of its own, and read the parameters once. `numCores` is 0 if the
  /// target is not a card.
  int32_t coreEngines[XC_DPU_MAX_CORES];
  int32_t numCores;

  /// Tokens that each channel from a queue to itself holds at the start.
  int32_t selfTokens;

  XcDpuTiming timing;
  XcDpuDerived derived;
} XcDpuTarget;

/// Whether a target's name says that it is of the first instruction set (ISA0),
/// which xc does not support.
XC_EXPORTED bool xcDpuTargetIsIsa0(const char *name);

/// Loads a target. `name` is the name of a built-in target, the path of a JSON
/// file (it ends in ".json" or contains a '/'), or a fingerprint such as
/// 0x101000056010407. Returns null after one diagnostic. The caller destroys.
XC_EXPORTED const XcDpuTarget *xcDpuTargetCreate(XcDiag *diag,
                                                 const char *name);

/// Creates a target from text in memory. `file` names it in diagnostics; files
/// that it extends are looked up beside `file`.
XC_EXPORTED const XcDpuTarget *xcDpuTargetCreateFromText(XcDiag *diag,
                                                         const char *file,
                                                         const char *text,
                                                         size_t size);

/// Returns the ports that reach the memory of a base register, as compiled
/// models name them: "W0" for the first register of weights and for the other
/// parameters, "W1" and so on for the next ones, "D0" for all others.
XC_EXPORTED const char *xcDpuTargetGetSegment(const XcDpuTarget *target,
                                              uint32_t reg);

/// Whether compilers of any release give the target that fingerprint. Cards
/// have none of their own: theirs is that of their DPU.
XC_EXPORTED bool xcDpuTargetHasFingerprint(const XcDpuTarget *target,
                                           uint64_t fingerprint);

/// Null is fine.
XC_EXPORTED void xcDpuTargetDestroy(const XcDpuTarget *target);

/// Returns the built-in targets, in order of their names.
XC_EXPORTED size_t xcDpuTargetGetNumBuiltin(void);
/// Borrowed for ever.
XC_EXPORTED const char *xcDpuTargetGetBuiltinName(size_t index);

/// Returns a JSON text with every key of the target, derived quantities
/// included (as "derived", which the loader ignores). The caller frees it with
/// free().
XC_EXPORTED char *xcDpuTargetToJson(const XcDpuTarget *target);

/// Returns the engine that pools, and the one that sets the limits of depthwise
/// convolutions. Either is a separate engine or the ALU. Where the convolution
/// engine computes depthwise convolutions, its limits count, as it takes all
/// that another engine takes. Returns null when the target has none. Borrowed
/// from `target`.
XC_EXPORTED const XcDpuEngine *
xcDpuTargetGetPoolEngine(const XcDpuTarget *target);
XC_EXPORTED const XcDpuEngine *
xcDpuTargetGetDepthwiseEngine(const XcDpuTarget *target);

/// Returns the words that JSON files and messages use; null for a value outside
/// the enumeration.
XC_EXPORTED const char *xcDpuActivationGetName(XcActivation activation);
XC_EXPORTED const char *xcDpuAluModeGetName(XcDpuAluMode mode);
XC_EXPORTED const char *xcDpuElementwiseKindGetName(XcDpuElementwiseKind kind);
XC_EXPORTED const char *xcDpuPoolKindGetName(XcDpuPoolKind kind);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DPUTARGET_H
