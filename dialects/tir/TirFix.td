//===- TirFix.td - operators in power-of-two fixed point ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// real = integer * 2^-fix_point. Every operator computes exactly and rounds
// once by its round_mode, then saturates; docs/fixed-point.md has the formulas.
//

class Tir_ToFixOp<string mnemonic, string text, TypeConstraint from,
                  TypeConstraint to> : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = (ins from:$input, XcIntOr<XcInt<1, 16>, "8">:$bit_width,
                       XcIntOr<XcFixPoint, "0">:$fix_point,
                       XcBoolOr<"true">:$if_signed,
                       XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode);
  let results = (outs to:$output);
  let shapeRule = "same";
}
def Tir_FixOp : Tir_ToFixOp<"fix", "Rounds to fixed point, stays in float",
    Tir_FloatTensor, Tir_FloatTensor> {
  let sameElement = 1;
}
def Tir_Float2fixOp : Tir_ToFixOp<"float2fix", "saturate(round(x * 2^fix_point))",
    Tir_FloatTensor, Tir_FixTensor>;
def Tir_Fix2floatOp : Tir_ToFixOp<"fix2float", "x * 2^-fix_point",
    Tir_FixTensor, Tir_FloatTensor>;

/// The arguments that the four convolutions share. `kernel` to `group` stand
/// in the order in which graphs of the field print them.
///
/// Weights and bias have one fix point each, or lists of them with an entry for
/// each `fix_point_channels` output channels (the last entry may have fewer),
/// which take the place of the number. A DPU computes so many channels at a
/// time and shifts their sums alike.
class Tir_FixConvOp<string mnemonic, string text, string rule,
                    dag more = (ins)> : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = !con((ins
    Tir_FixTensor:$input, Tir_SignedFixTensor:$weight,
    Optional<Tir_FixBiasTensor>:$bias,
    XcKernel:$kernel, XcStride:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcWordOr<XcNonlinear, "NONE">:$nonlinear,
    XcIntOr<XcHardShift, "-128">:$hsigmoid_in,
    XcIntOr<XcHardShift, "-128">:$shift_hsigmoid,
    XcIntOr<XcHardShift, "-128">:$shift_hswish,
    XcIntOr<XcGroup, "1">:$group,
    XcIntOr<XcAnyInt, "0">:$prelu_in,
    XcIntOr<XcInt<0, 31>, "0">:$prelu_shift,
    XcIntOr<XcFixPoint, "0">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$weight_fix_point,
    XcIntOr<XcFixPoint, "0">:$bias_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcIntOr<XcFixPoints, "{}">:$weight_fix_points,
    XcIntOr<XcFixPoints, "{}">:$bias_fix_points,
    XcIntOr<XcGroup, "1">:$fix_point_channels,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode), more);
  let results = (outs Tir_FixTensor:$output);
  let shapeRule = rule;
}
def Tir_Conv2dFixOp : Tir_FixConvOp<"conv2d-fix", "conv2d in fixed point",
    "conv2d">;
def Tir_DepthwiseConv2dFixOp : Tir_FixConvOp<"depthwise-conv2d-fix",
    "depthwise-conv2d in fixed point", "depthwise_conv2d">;
def Tir_TransposedConv2dFixOp : Tir_FixConvOp<"transposed-conv2d-fix",
    "transposed-conv2d in fixed point", "transposed_conv2d",
    (ins XcIntOr<XcInts<2, 0, 65535>, "{0, 0}">:$output_padding)>;
def Tir_TransposedDepthwiseConv2dFixOp : Tir_FixConvOp<
    "transposed-depthwise-conv2d-fix",
    "transposed-depthwise-conv2d in fixed point", "transposed_depthwise_conv2d",
    (ins XcIntOr<XcInts<2, 0, 65535>, "{0, 0}">:$output_padding)>;

def Tir_MatmulFixOp : Tir_ComputeOp<"matmul-fix"> {
  let summary = "matmul in fixed point";
  let arguments = (ins Tir_FixTensor:$a, Tir_FixTensor:$b,
    Optional<Tir_FixBiasTensor>:$bias,
    XcBoolOr<"false">:$transpose_a, XcBoolOr<"false">:$transpose_b,
    XcWordOr<XcNonlinear, "NONE">:$nonlinear,
    XcIntOr<XcInts<2, -64, 64>, "{0, 0}">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$bias_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode);
  let results = (outs Tir_FixTensor:$output);
  let shapeRule = "matmul";
}

def Tir_PoolFixOp : Tir_ComputeOp<"pool-fix"> {
  let summary = "maxpool2d or avgpool2d in fixed point";
  let description = [{
    AVG multiplies the window's sum by the DPU's factor N / 2^M (docs/
    fixed-point.md) unless `exact` asks for the exact quotient.
  }];
  let arguments = (ins Tir_FixTensor:$input,
    XcWord<["MAX", "AVG"]>:$type,
    OptionalAttr<XcKernel>:$kernel, OptionalAttr<XcStride>:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcBoolOr<"false">:$global,
    XcBoolOr<"true">:$count_include_pad,
    XcBoolOr<"true">:$count_include_invalid,
    XcBoolOr<"false">:$exact,
    XcIntOr<XcFixPoint, "0">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode);
  let results = (outs Tir_FixTensor:$output);
  let shapeRule = "pool2d";
}

def Tir_EltwiseFixOp : Tir_NaryOp<"eltwise-fix", Tir_FixTensor, (ins
    XcWord<["ADD", "MUL"]>:$type,
    XcWordOr<XcWord<["NONE", "RELU", "RELU6", "LEAKYRELU"]>,
             "NONE">:$nonlinear,
    XcIntOr<XcFixPoints, "{}">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode)> {
  let summary = "Sum or product in fixed point; inputs broadcast";
  let description = [{
    `input_fix_point` has one entry per input, or none when all are 0. ADD
    aligns the inputs to the smallest fix point with two guard bits.
  }];
  let sameElement = 0;
  let shapeRule = "broadcast";
}
def Tir_DepthwiseFixOp : Tir_ComputeOp<"depthwise-fix"> {
  let summary = "Sum or product with one value per channel, in fixed point";
  let arguments = (ins Tir_FixTensor:$input, Tir_FixTensor:$weight,
    XcWord<["ADD", "MUL"]>:$type,
    XcWordOr<XcNonlinear, "NONE">:$nonlinear,
    XcIntOr<XcFixPoint, "0">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$weight_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode);
  let results = (outs Tir_FixTensor:$output);
  let shapeRule = "broadcast_to_first";
}

def Tir_ConcatFixOp : Tir_NaryOp<"concat-fix", Tir_FixTensor, (ins
    XcAxis:$axis,
    XcIntOr<XcFixPoints, "{}">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode)> {
  let summary = "concat in fixed point; each input is rescaled";
  let description = [{
    `input_fix_point` has one entry per input, or none when all are 0.
  }];
  let sameElement = 0;
  let shapeRule = "concat";
}

/// A one-input operator that may change the fix point on the way.
class Tir_FixMoveOp<string mnemonic, string text, dag attributes, string rule>
    : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = !con((ins Tir_FixTensor:$input), attributes,
    (ins XcIntOr<XcFixPoint, "0">:$input_fix_point,
         XcIntOr<XcFixPoint, "0">:$output_fix_point,
         XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode));
  let results = (outs Tir_FixTensor:$output);
  let shapeRule = rule;
}
def Tir_ReshapeFixOp : Tir_FixMoveOp<"reshape-fix", "reshape in fixed point",
    (ins XcInts<0, -1, 2147483647>:$shape), "reshape">;
def Tir_TransposeFixOp : Tir_FixMoveOp<"transpose-fix",
    "transpose in fixed point", (ins XcInts<0, 0, 7>:$order), "transpose">;
def Tir_StridedSliceFixOp : Tir_FixMoveOp<"strided_slice-fix",
    "strided_slice in fixed point",
    (ins XcAnyInts<0>:$begin, XcAnyInts<0>:$end, XcAnyInts<0>:$strides),
    "strided_slice">;
def Tir_PadFixOp : Tir_FixMoveOp<"pad-fix", "pad in fixed point",
    (ins XcInts<0, -65535, 65535>:$paddings,
      XcWordOr<XcWord<["CONSTANT", "REFLECT", "SYMMETRIC", "EDGE"]>,
               "CONSTANT">:$mode,
      XcIntOr<XcInt<-32768, 32767>, "0">:$constant_value), "pad"> {
  let description = [{
    `constant_value` is an integer at the output's fix point.
  }];
}
def Tir_UpsampleFixOp : Tir_FixMoveOp<"upsample-fix",
    "Enlarges H and W by integers (width first)",
    (ins XcInts<2, 1, 65535>:$scale,
         XcWordOr<XcWord<["NEAREST"]>, "NEAREST">:$mode), "upsample">;
def Tir_DownsampleFixOp : Tir_FixMoveOp<"downsample-fix",
    "Keeps every scale-th row and column (width first)",
    (ins XcInts<2, 1, 65535>:$scale,
         XcWordOr<XcWord<["NEAREST"]>, "NEAREST">:$mode), "downsample">;
def Tir_ReorgFixOp : Tir_FixMoveOp<"reorg-fix", "reorg in fixed point",
    (ins XcInt<1, 65535>:$scale, XcBoolOr<"false">:$reverse), "reorg">;
def Tir_TileFixOp : Tir_FixMoveOp<"tile-fix", "gstiling in fixed point",
    (ins XcInt<1, 65535>:$stride, XcBoolOr<"false">:$reverse), "gstiling"> {
  let floatForm = "gstiling";
}
def Tir_PixelShuffleFixOp : Tir_FixMoveOp<"pixel-shuffle-fix",
    "pixel-shuffle in fixed point",
    (ins XcInt<1, 65535>:$scale, XcBoolOr<"true">:$upscale,
         XcWordOr<XcWord<["CRD", "DCR"]>, "CRD">:$mode), "pixel_shuffle">;
def Tir_ReductionMaxFixOp : Tir_FixMoveOp<"reduction_max-fix",
    "reduction_max in fixed point",
    (ins XcAxes:$axis, XcBoolOr<"false">:$keep_dims), "reduction">;
def Tir_ReductionMeanFixOp : Tir_FixMoveOp<"reduction_mean-fix",
    "reduction_mean in fixed point, the exact quotient rounded once",
    (ins XcAxes:$axis, XcBoolOr<"false">:$keep_dims), "reduction">;
def Tir_ReductionSumFixOp : Tir_FixMoveOp<"reduction_sum-fix",
    "reduction_sum in fixed point, rounded once",
    (ins XcAxes:$axis, XcBoolOr<"false">:$keep_dims), "reduction">;
def Tir_ReluFixOp : Tir_FixMoveOp<"relu-fix", "relu in fixed point", (ins),
    "same">;
def Tir_Relu6FixOp : Tir_FixMoveOp<"relu6-fix", "relu6 in fixed point", (ins),
    "same">;
def Tir_LeakyReluFixOp : Tir_FixMoveOp<"leaky-relu-fix",
    "x < 0 ? x * 26 / 256 : x in fixed point", (ins), "same">;
def Tir_HardSigmoidFixOp : Tir_FixMoveOp<"hard-sigmoid-fix",
    "hard-sigmoid in fixed point (docs/fixed-point.md, HSIGMOID)", (ins),
    "same">;
def Tir_HardSwishFixOp : Tir_FixMoveOp<"hard-swish-fix",
    "hard-swish in fixed point (docs/fixed-point.md, HSWISH)", (ins), "same">;
def Tir_PreluFixOp : Tir_ComputeOp<"prelu-fix"> {
  let summary = "prelu in fixed point";
  let arguments = (ins Tir_FixTensor:$input, Tir_SignedFixTensor:$slope,
    XcIntOr<XcFixPoint, "0">:$input_fix_point,
    XcIntOr<XcFixPoint, "0">:$slope_fix_point,
    XcIntOr<XcFixPoint, "0">:$output_fix_point,
    XcWordOr<XcRoundMode, "DPU_ROUND">:$round_mode);
  let results = (outs Tir_FixTensor:$output);
  let shapeRule = "broadcast_to_first";
}
def Tir_ArgmaxFixOp : Tir_ComputeOp<"argmax-fix"> {
  let summary = "Index of the first largest element along an axis";
  let arguments = (ins Tir_FixTensor:$input, XcAxis:$axis,
                       XcBoolOr<"false">:$keep_dims);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "argmax";
}
