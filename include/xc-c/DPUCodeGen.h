//===- DPUCodeGen.h - layers to DPU machine code ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back end without MLIR. Layers go in one after the other, machine code
// comes out:
//
//   XcDpuCodeGen *gen = xcDpuCodeGenCreate(target);
//   XcDpuRefusal refusal = xcDpuCodeGenAddLayer(gen, &layer);
//   if (refusal.reason != XcDpuRefusalReasonNone) ...
//   XcDpuProgram *program = xcDpuCodeGenFinish(gen, diag);
//
// A layer reads images from DDR and writes one image to DDR. Layers have the
// effect of running one after the other, in the order in which they were added.
// They overlap as far as their data allows: tokens are derived from the bank
// words and DDR bytes that instructions touch, also across layers. Images that
// one layer hands to the next may stay in the banks (docs/scheduling.md).
//
// Values are int8 at the fix points that the shifts express; the arithmetic is
// that of xc-c/FixedPoint.h. A layer that cannot be scheduled is refused and
// leaves no instructions behind; nothing is ever approximated.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUCODEGEN_H
#define XC_C_DPUCODEGEN_H

#include "xc-c/DPUEffort.h"
#include "xc-c/DPUSim.h"
#include "xc-c/DPUTarget.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An image in DDR: pixel (y, x) has `channels` consecutive bytes at `address`
/// + y * rowPitch + x * pixelPitch from the base register. Pitches are in bytes
/// and at least as large as what they step over, so that an image can be a part
/// of a larger one.
///
/// Images with the same nonzero `buffer` are parts of one piece of memory. No
/// image with another number may overlap it while it is in use. Layers may then
/// hand it on in the banks, without passing through DDR. If it lies in the
/// workspace register, it then has no defined contents after the run. In other
/// registers it is written nevertheless.
typedef struct XcDpuImage {
  uint32_t reg;
  uint32_t address;
  int32_t height, width, channels;
  uint32_t rowPitch, pixelPitch;
  uint32_t buffer; // or 0
} XcDpuImage;

/// Returns an image without gaps.
XC_EXPORTED XcDpuImage xcDpuImageDense(uint32_t reg, uint32_t address,
                                       int32_t height, int32_t width,
                                       int32_t channels);

typedef enum XcDpuLayerKind {
  /// out[o] = act(sum in * w[o] + bias[o] * 2^shiftBias) / 2^shiftCut. A second
  /// input, of the size of the output, is added to this result, as by an Add of
  /// both with `addActivation`. The sum is formed in the banks.
  XcDpuLayerKindConv,
  /// The same per channel, with one kernel for each.
  XcDpuLayerKindDepthwise,
  /// Largest element of the window / 2^shiftCut; padding counts as -128.
  XcDpuLayerKindMaxPool,
  /// Sum of the window * factor / 2^shiftCut; padding counts as 0.
  XcDpuLayerKindAveragePool,
  /// The same with a factor of 16 bits. The factor stands in the parameters: at
  /// `weights`, its two bytes, lowest first, are repeated to fill
  /// xcDpuFactorBytes bytes.
  XcDpuLayerKindAveragePool16,
  /// xcHSigmoid with shiftBias as fix point of the input and shiftCut.
  XcDpuLayerKindHardSigmoid,
  /// x < 0 ? x * factor : x, / 2^shiftPositive or, of a negative product,
  /// / 2^shiftNegative.
  XcDpuLayerKindLeakyRelu,
  /// The same with a factor for each channel: the weights.
  XcDpuLayerKindPrelu,
  /// act(sum floor(4 * in / 2^shiftRead)) / 2^(shiftWrite + 2). Here and in Mul
  /// an input of one row, or of one pixel a row, is broadcast to the size of
  /// the output.
  XcDpuLayerKindAdd,
  /// act(in0 * in1) / 2^shiftWrite
  XcDpuLayerKindMul,
  /// One input, repeated scaleH times down and scaleW times across; with a
  /// shiftWrite of 0 and no activation the bytes stay as they are.
  XcDpuLayerKindCopy,
  /// Stores `value` everywhere; no input.
  XcDpuLayerKindFill,
  /// One channel: the index of the first largest channel of the input.
  XcDpuLayerKindArgmax,
  /// The same as Depthwise, by the convolution engine. Its weights are those of
  /// a Conv whose input channels are the channels of one word, with zeros where
  /// input and output channel differ (XcDpuPlaceWeights).
  XcDpuLayerKindDiagonal,
} XcDpuLayerKind;

enum {
  XC_DPU_MAX_INPUTS = 4,
};

/// Returns the number of bytes of the factors of an AveragePool16 layer.
XC_EXPORTED size_t xcDpuFactorBytes(const XcDpuTarget *target,
                                    int32_t channels);

/// The shifts of a sum and of its bias.
typedef struct XcDpuShifts {
  int32_t cut, bias;
} XcDpuShifts;

/// The layout of weights that lie among those of other layers, so that one LOAD
/// for each bank can bring all of them.
///
/// Conv and Diagonal: the weights of an output channel are runs of `run` bytes,
/// which begin `step` bytes apart. The parts for neighbouring banks begin
/// `pitch` bytes apart. Beyond the first `wide` banks, if these are not all,
/// they begin `narrowPitch` bytes apart. The last output channels may not fill
/// all banks. They begin `tail` bytes after the first run, or, if `tail` is 0,
/// directly follow the others.
///
/// Depthwise: the elements of the kernel begin `step` bytes apart.
///
/// A `step` of 0 means that the weights lie by themselves, without gaps.
typedef struct XcDpuJointLayout {
  uint32_t run, step, pitch, wide, narrowPitch, tail;
} XcDpuJointLayout;

/// Returns the number of bytes from the first bank's part to that of another
/// one.
static inline size_t xcDpuJointOffset(const XcDpuJointLayout *layout,
                                      uint32_t bank) {
  uint32_t wide = bank < layout->wide ? bank : layout->wide;
  return (size_t)wide * layout->pitch +
         (size_t)(bank - wide) * layout->narrowPitch;
}

/// A grouped convolution. A group has `inputs` input channels and `outputs`
/// output channels, and an output channel has weights for its own group only. A
/// word of the output is computed from at most `words` words of an input pixel.
/// There are weights for as many, with zeros for channels of other groups. If
/// `words` is 0, the convolution has one group.
typedef struct XcDpuChannelGroups {
  int32_t inputs, outputs, words;
} XcDpuChannelGroups;

/// Returns the first of these words, of a pixel of `channels` channels, for the
/// word of the output that begins with channel `first`.
XC_EXPORTED int32_t xcDpuGroupFirstWord(const XcDpuTarget *target,
                                        const XcDpuChannelGroups *groups,
                                        int32_t channels, int32_t first);

typedef struct XcDpuLayer {
  XcDpuLayerKind kind;
  /// For listings and reports; copied. `location` is the place in the source,
  /// or null.
  const char *name, *location;
  /// The caller's number of the operator that the layer is a part of. If tags
  /// never decrease, operators may run in another order than they were added
  /// in, as far as their dependences allow.
  size_t tag;
  XcDpuImage inputs[XC_DPU_MAX_INPUTS];
  size_t numInputs;
  XcDpuImage output;
  /// Bytes before and after the first input that may be read, whatever their
  /// contents. They make a convolution of few channels faster.
  int32_t marginBefore, marginAfter;

  /// Window of Conv, Depthwise and the pools. Padding at the bottom and on the
  /// right follows from the size of the output.
  int32_t kernelH, kernelW, strideH, strideW, padTop, padLeft;
  XcActivation activation, addActivation;
  int32_t shiftCut, shiftBias;
  /// Conv, Depthwise and Diagonal: shifts for each word of the output, that is,
  /// for channelParallel channels. They replace shiftCut and shiftBias. May be
  /// null. Copied.
  const XcDpuShifts *wordShifts;
  int32_t shiftPositive, shiftNegative;
  int32_t factor;
  int32_t shiftRead[XC_DPU_MAX_INPUTS], shiftWrite;
  int32_t scaleH, scaleW;
  int8_t value;

  /// Addresses from the base of the parameter register; `weights` of Conv in
  /// each of the weight registers, laid out by xcDpuLayoutConvWeights. Weights
  /// of Depthwise lie as [KH][KW][C], those of Prelu as [C]; the bias is one
  /// byte for each output channel. Conv always has one.
  uint32_t weights, bias;
  bool hasBias;
  /// Depthwise: the convolution engine may compute some channels or all of
  /// them, as Diagonal. `weights` of such a layer, and of Diagonal, is no
  /// address but a number of the caller's, which XcDpuPlaceWeights gets.
  bool canBeDiagonal;
  /// Conv: what is loaded of the input as one pixel may serve several columns
  /// of the output. `weights` is a number of the caller's then, too.
  bool canServeColumns;
  /// Conv: the number of output columns that are computed at each position of
  /// the window, one after the other, each with weights of its own. `strideW`
  /// is the distance from one position to the next. Weights are those of the
  /// columns one after the other; the output channels of each column but the
  /// last one are padded to whole words. 0 means one column.
  int32_t columns;
  XcDpuChannelGroups groups; // Conv
  /// Conv and Depthwise: a LOAD that brings the weights, or the bias, may bring
  /// those of other layers as well. `weights`, or `bias`, is then a number of
  /// the caller's, too.
  bool canJoinWeights, canJoinBias;
  /// How the weights lie among those of other layers.
  XcDpuJointLayout weightsLayout;

  /// True work, two operations per multiply-accumulate.
  uint64_t operations;
} XcDpuLayer;

/// Returns the number of bytes of the weights of Conv in each of the target's
/// weight registers.
XC_EXPORTED size_t xcDpuConvWeightBytes(const XcDpuTarget *target, int32_t oc,
                                        int32_t kh, int32_t kw, int32_t ic);

/// Reorders weights from [OC][KH][KW][IC] to the order in which Conv loads
/// them. `results` are arrays of xcDpuConvWeightBytes bytes, all zero, one for
/// each of the target's weight registers.
XC_EXPORTED void xcDpuLayoutConvWeights(const XcDpuTarget *target,
                                        const int8_t *ohwi, int32_t oc,
                                        int32_t kh, int32_t kw, int32_t ic,
                                        int8_t *const *results);

/// The same for Diagonal, from [KH][KW][C].
typedef struct XcDpuDiagonalWeights {
  int32_t channels, kh, kw;
  XcDpuJointLayout layout;
} XcDpuDiagonalWeights;

XC_EXPORTED size_t xcDpuDiagonalWeightBytes(
    const XcDpuTarget *target, const XcDpuDiagonalWeights *weights);
XC_EXPORTED void xcDpuLayoutDiagonalWeights(const XcDpuTarget *target,
                                            const int8_t *hwc,
                                            const XcDpuDiagonalWeights *weights,
                                            int8_t *const *results);

/// Weights of Conv where what is loaded as one pixel serves several columns of
/// the output, which are `stride` columns of the input apart. The weights are
/// there once for each of these columns.
typedef struct XcDpuColumnWeights {
  int32_t oc, kh, kw, ic;
  int32_t columns, stride;
  XcDpuJointLayout layout;
} XcDpuColumnWeights;

/// Returns the bytes of such weights in each weight register, and lays them
/// out, as the functions for Conv do.
XC_EXPORTED size_t xcDpuColumnWeightBytes(const XcDpuTarget *target,
                                          const XcDpuColumnWeights *weights);
XC_EXPORTED void xcDpuLayoutColumnWeights(const XcDpuTarget *target,
                                          const int8_t *ohwi,
                                          const XcDpuColumnWeights *weights,
                                          int8_t *const *results);

/// How a constant of the model is read back from the parameters. A recipe is a
/// list of numbers; the first one is an XcDpuRecipe and says what the others
/// are.
typedef enum XcDpuRecipe {
  /// The address. One byte is stored for each element, whatever its width.
  XcDpuRecipeBytes,
  /// The kernel: its layout (XcDpuKernelLayout), its output and input channels,
  /// and, for width and height, its elements and its dilation. Then for each
  /// part of it: the address, and, for width and height, the first element of
  /// the dilated kernel, the step to the next one, and their number.
  XcDpuRecipeKernel,
  /// A kernel that is placed channel by channel: its output channels, the input
  /// channels of each of them, and, for width and height, its elements and its
  /// dilation. Then for each part: its layout, its first channel and its number
  /// of channels, the columns that a pixel serves and their distance
  /// (xcDpuLayoutColumnWeights), the numbers of the XcDpuJointLayout, and what
  /// a part has in XcDpuRecipeKernel.
  XcDpuRecipeChannels,
  /// The numbers of the XcDpuChannelGroups of a grouped convolution; with this
  /// one they are four (XC_DPU_GROUPS_HEAD). Then one of the two recipes above,
  /// for the weights that are stored; all other weights are zero.
  XcDpuRecipeGroups,
} XcDpuRecipe;

enum { XC_DPU_GROUPS_HEAD = 4 };

typedef enum XcDpuKernelLayout {
  XcDpuKernelLayoutConv,      // by xcDpuLayoutConvWeights
  XcDpuKernelLayoutDepthwise, // [KH][KW][C] among the parameters
  XcDpuKernelLayoutDiagonal,  // by xcDpuLayoutDiagonalWeights
} XcDpuKernelLayout;

/// The contents of a register.
typedef struct XcDpuContents {
  const void *data; // or null
  size_t size;
} XcDpuContents;

/// Fills the `size` bytes of a constant with elements of `width` bytes, least
/// significant first, from the contents of the target's parameter and weight
/// registers. Returns false when the recipe does not fit them.
XC_EXPORTED bool
xcDpuReadParameters(const XcDpuTarget *target,
                    const XcDpuContents contents[XC_DPU_NUM_REGISTERS],
                    const int32_t *recipe, size_t count, size_t width,
                    void *bytes, size_t size);

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// X(Name, message): the message takes `found` as text, the name of activations
/// and layers, else the number. The expected range, if there is one, is
/// appended.
// clang-format off
#define XC_DPU_REFUSALS(X)                                                     \
  X(None, "nothing is wrong (%s)")                                             \
  X(Isa, "there is no code generator for the target's instruction set (%s)")   \
  X(Kernel, "a kernel side is %s")                                             \
  X(Stride, "a stride is %s")                                                  \
  X(Padding, "a padding is %s")                                                \
  X(ShiftCut, "the result is shifted by %s bits")                              \
  X(ShiftBias, "the bias is shifted by %s bits")                               \
  X(ShiftRead, "an operand is shifted by %s bits")                             \
  X(ShiftWrite, "the result is shifted by %s bits")                            \
  X(Activation, "the engine lacks activation %s")                              \
  X(Engine, "the target has no engine for %s layers")                          \
  X(Inputs, "there are %s inputs")                                             \
  X(Shape, "the sizes of inputs and output do not agree: %s")                  \
  X(Channels, "there are %s groups of channels")                               \
  X(BiasWords, "the biases take %s words")                                     \
  X(WeightWords, "the weights of one channel take %s words")                   \
  X(WindowRows, "a window spans %s bands of rows")                             \
  X(RowStep, "the rows of a window are %s words apart")                        \
  X(BankWords, "the narrowest tile takes %s words of a bank")                  \
  X(Pitch, "a distance in memory is %s bytes")                                 \
  X(Address, "a register needs %s MiB")                                        \
  X(Field, "an instruction field would be %s")
// clang-format on

typedef enum XcDpuRefusalReason {
#define XC_DPU_REFUSAL(Name, message) XcDpuRefusalReason##Name,
  XC_DPU_REFUSALS(XC_DPU_REFUSAL)
#undef XC_DPU_REFUSAL
} XcDpuRefusalReason;

/// Why a layer cannot be scheduled. An empty range means that there is none.
typedef struct XcDpuRefusal {
  XcDpuRefusalReason reason;
  int32_t found, minimum, maximum;
} XcDpuRefusal;

/// Writes the reason as snprintf would.
XC_EXPORTED int xcDpuRefusalDescribe(XcDpuRefusal refusal, char *buffer,
                                     size_t size);

//===----------------------------------------------------------------------===//
// Generating
//===----------------------------------------------------------------------===//

typedef struct XcDpuCodeGen XcDpuCodeGen;

/// Whether there is a code generator for a target that supports all that the
/// target asks for. If not, one diagnostic says what is missing, or which key
/// of the target's file is refused.
XC_EXPORTED bool xcDpuCodeGenSupports(XcDiag *diag, const XcDpuTarget *target);

/// Borrows the target. The caller destroys.
XC_EXPORTED XcDpuCodeGen *xcDpuCodeGenCreate(const XcDpuTarget *target);
/// Null is fine.
XC_EXPORTED void xcDpuCodeGenDestroy(XcDpuCodeGen *gen);

/// A place among the parameters of other layers, which LOADs bring together:
/// `offset` bytes after the start of block number `block`, which has `size`
/// bytes, all zero at first. Block 0 means that the parameters lie by
/// themselves.
typedef struct XcDpuJointPlace {
  size_t block, size, offset;
  XcDpuJointLayout layout;
} XcDpuJointPlace;

/// A request for addresses of parameters; the devices of operators are an
/// XcPlacement of Partition.h. They are those of the output channels of
/// `part`, the first of which is channel `first` of `layer`. `columns` is how
/// many columns a pixel of Conv serves (xcDpuLayoutColumnWeights).
typedef struct XcDpuPlacement {
  const XcDpuLayer *layer;
  int32_t first, columns;
  XcDpuJointPlace weights, bias;
  XcDpuLayer *part;
} XcDpuPlacement;

/// Whether the weights of a layer are placed: it is or can be Diagonal, its
/// pixels can serve several columns, or its weights can be joined.
static inline bool xcDpuPlacesWeights(const XcDpuLayer *layer) {
  return layer->kind == XcDpuLayerKindDiagonal || layer->canBeDiagonal ||
         layer->canServeColumns || layer->canJoinWeights;
}

/// Places parameters and stores their addresses. Sets `part->weights`, in the
/// form that `part->kind` needs, and their layout if xcDpuPlacesWeights, and
/// `part->bias` if that can be joined. Diagonal gets zeros as its bias if the
/// layer has none.
typedef void (*XcDpuPlaceWeights)(void *context,
                                  const XcDpuPlacement *placement);

/// Must be set before the first layer whose parameters are placed.
/// xcDpuCodeGenFinish calls `place` when it is known which engine computes
/// what.
XC_EXPORTED void xcDpuCodeGenSetPlacement(XcDpuCodeGen *gen,
                                          XcDpuPlaceWeights place,
                                          void *context);

/// An image that the code of a layer loads or saves in a step of the schedule.
/// Layers and steps are counted from 0. Layers in one step run at the same
/// time.
typedef struct XcDpuMemoryUse {
  const XcDpuImage *image;
  size_t layer, step;
} XcDpuMemoryUse;

/// Gives the buffers of a register their addresses, once the schedule is known:
/// which of them are in DDR, and in which order they are used. Until then, no
/// two of them should share memory. If they do, schedules that would change the
/// order in which layers use this memory are refused.
typedef struct XcDpuMemoryPlacement {
  uint32_t reg;
  /// Gets everything that is loaded and saved, in any register.
  void (*place)(void *context, const XcDpuMemoryUse *uses, size_t count);
  /// The new address of the byte that layers had at `address`.
  uint32_t (*move)(void *context, uint32_t address);
  void *context;
} XcDpuMemoryPlacement;

/// xcDpuCodeGenFinish calls its functions. Without it, all buffers stay where
/// they are.
XC_EXPORTED void xcDpuCodeGenSetMemory(XcDpuCodeGen *gen,
                                       const XcDpuMemoryPlacement *placement);

/// Which engine computes layers that can be Diagonal. All but the first, which
/// is the default, force forms for tests.
typedef enum XcDpuEngineChoice {
  XcDpuEngineChoiceFastest,
  /// One engine for all of them.
  XcDpuEngineChoiceDepthwise,
  XcDpuEngineChoiceDiagonal,
  /// Half of the channels on each.
  XcDpuEngineChoiceBoth,
  /// The convolution before and the layer are interleaved, some channels of
  /// both at a time.
  XcDpuEngineChoiceInTurn,
  /// Half of the channels on each, and two tiles of columns for all chains of
  /// layers that can run in such tiles.
  XcDpuEngineChoiceInTiles,
  /// Wherever possible: the last rows of convolutions in strips of columns,
  /// elementwise layers with fuller pixels, the phases of transposed
  /// convolutions row by row, inputs of few channels as they are, and columns
  /// folded into channels (docs/special-layers.md).
  XcDpuEngineChoiceInStrips,
  /// Operators as far from the order in which they were added as possible.
  XcDpuEngineChoiceReordered,
} XcDpuEngineChoice;

enum { XC_DPU_NUM_ENGINE_CHOICES = XcDpuEngineChoiceReordered + 1 };

XC_EXPORTED void xcDpuCodeGenSetEngines(XcDpuCodeGen *gen,
                                        XcDpuEngineChoice engines);

/// XcDpuEffortDefault unless it is set.
XC_EXPORTED void xcDpuCodeGenSetEffort(XcDpuCodeGen *gen, XcDpuEffort effort);

/// Cycles that each byte a schedule loads or saves counts for when schedules
/// are compared, beside the time that it takes; 0 unless it is set. Schedules
/// then move fewer bytes and are slower where one core has the memory to itself
/// (docs/scheduling.md#the-price-of-bytes).
XC_EXPORTED void xcDpuCodeGenSetBytePrice(XcDpuCodeGen *gen, double cycles);

/// Sets the handler that xcDpuCodeGenFinish tells how many schedules it has
/// priced. `progress` is copied.
XC_EXPORTED void xcDpuCodeGenSetProgress(XcDpuCodeGen *gen,
                                         const XcProgress *progress);

/// The effort of a search for a schedule. `priced` counts the schedules, and
/// parts of schedules, whose cycles were estimated. `kept` counts decisions
/// that were kept: cascades, and schedules that were faster than all before
/// them. No new schedule is tried once `budget` of them are priced. `bytePrice`
/// is that of xcDpuCodeGenSetBytePrice.
typedef struct XcDpuSearchReport {
  XcDpuEffort effort;
  size_t priced, kept, budget;
  double bytePrice;
} XcDpuSearchReport;

/// After xcDpuCodeGenFinish.
XC_EXPORTED XcDpuSearchReport xcDpuCodeGenGetSearch(const XcDpuCodeGen *gen);

/// Returns the number of layers for which there was a choice of engines.
XC_EXPORTED size_t xcDpuCodeGenGetNumChoices(const XcDpuCodeGen *gen);

/// Plans and emits a layer. A refused layer leaves no instructions behind.
XC_EXPORTED XcDpuRefusal xcDpuCodeGenAddLayer(XcDpuCodeGen *gen,
                                              const XcDpuLayer *layer);

/// Cycles of a layer by itself, with all its images in DDR, by the cost model:
/// in total, for loading its weights, and for the engines.
typedef struct XcDpuLayerPrice {
  int64_t cycles, weights, compute;
} XcDpuLayerPrice;

/// The price of a layer that is not added. Returns false if it would be
/// refused.
XC_EXPORTED bool xcDpuCodeGenPriceLayer(XcDpuCodeGen *gen,
                                        const XcDpuLayer *layer,
                                        XcDpuLayerPrice *price);

/// Derives the tokens, appends END and returns the program with its layers
/// named; at most once. Returns null after a diagnostic. The caller destroys
/// the program; the target must outlive it.
XC_EXPORTED XcDpuProgram *xcDpuCodeGenFinish(XcDpuCodeGen *gen, XcDiag *diag);

/// Returns the static estimate, after xcDpuCodeGenFinish. A row stands for
/// layers that are reported together; rows are the layers of the program. The
/// estimate of a row is the cycle in which it and all rows before it have
/// ended. The code generator finds it from its tiles, without tokens and ports
/// of single instructions. Layers overlap, so the difference of two estimates
/// says what a row adds. The timing model needs the finished code and is exact.
/// The estimate is within 10 % of it for every group of layers that overlap
/// (xcDpuTimelineGetGroup).
XC_EXPORTED size_t xcDpuCodeGenGetNumRows(const XcDpuCodeGen *gen);
XC_EXPORTED int64_t xcDpuCodeGenGetEstimate(const XcDpuCodeGen *gen,
                                            size_t row);

/// Returns the machine code after xcDpuCodeGenFinish, in bytes. Borrowed.
XC_EXPORTED const void *xcDpuCodeGenGetCode(const XcDpuCodeGen *gen,
                                            size_t *size);

/// The layers in the order in which they were added; after xcDpuCodeGenFinish,
/// in the order in which they run. Borrowed.
XC_EXPORTED size_t xcDpuCodeGenGetNumLayers(const XcDpuCodeGen *gen);
XC_EXPORTED const XcDpuLayer *xcDpuCodeGenGetLayer(const XcDpuCodeGen *gen,
                                                   size_t layer);
/// The layers of a row, after xcDpuCodeGenFinish. The layers of a cascade have
/// one row in the program and its times, so layer `row` of
/// xcDpuProgramGetLayerName may stand for several layers.
XC_EXPORTED void xcDpuCodeGenGetRow(const XcDpuCodeGen *gen, size_t row,
                                    size_t *first, size_t *last);
/// Returns the layer of an instruction of the finished code, SIZE_MAX for END.
XC_EXPORTED size_t xcDpuCodeGenGetLayerOf(const XcDpuCodeGen *gen,
                                          size_t instruction);

/// Returns the code of rows first..last as a program of its own, after
/// xcDpuCodeGenFinish. The rows before it must have run to their end. It then
/// does what these rows do in the whole program, and leaves the banks as the
/// rows after it need them. It has the INIT instructions that are in force
/// where it begins, tokens of its own, and END. The caller frees it with
/// free().
XC_EXPORTED void *xcDpuCodeGenExtractRows(const XcDpuCodeGen *gen, size_t first,
                                          size_t last, size_t *size);
/// Returns the instructions of the layers with a tag, as they are in the code
/// of rows first..last. They cannot run by themselves.
XC_EXPORTED void *xcDpuCodeGenExtractTag(const XcDpuCodeGen *gen, size_t first,
                                         size_t last, size_t tag, size_t *size);

/// Prints the code with a comment where a layer or a tile begins.
XC_EXPORTED bool xcDpuCodeGenPrint(const XcDpuCodeGen *gen, XcDiag *diag,
                                   XcDpuTextCallback callback, void *userData);

/// Returns the schedule as text or JSON, after xcDpuCodeGenFinish;
/// docs/scheduling.md shows an example. For each row of the reports, it has the
/// cycles by the static estimate, bytes and multiply-accumulates, and the units
/// with their tiles, loop order, bank reservations, cascades and price. The
/// caller frees the string.
XC_EXPORTED char *xcDpuCodeGenScheduleToText(const XcDpuCodeGen *gen);
XC_EXPORTED char *xcDpuCodeGenScheduleToJson(const XcDpuCodeGen *gen);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DPUCODEGEN_H
