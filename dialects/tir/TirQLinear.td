//===- TirQLinear.td - int8 operators with scales and zero points ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// real = scale * (integer - zero_point). These run on the CPU only. `flavor`
// says whose integer arithmetic is reproduced bit for bit: TFLITE (32-bit
// fixed-point multipliers of the reference kernels) or ONNX (float scale, half
// to even).
//

def XcFlavor : XcWord<["TFLITE", "ONNX"]>;
def XcQNonlinear : XcWord<["NONE", "RELU", "RELU6", "RELU_N1_TO_1"]>;
def XcZeroPoint : XcInt<-32768, 65535>;

/// What takes the place of a factor that scales give: `multiplier * 2^-shift`,
/// both given or none.
def XcMultipliers : XcInts<0, 0, 2147483647>;
def XcShifts : XcInts<0, 2, 62>;
class XcMultiplied {
  dag arguments = (ins OptionalAttr<XcMultipliers>:$multiplier,
    OptionalAttr<XcShifts>:$shift, XcBoolOr<"false">:$single_round);
  string text = [{
    `multiplier` and `shift`, one each or one per output channel, take the place
    of the factor that the scales give, as tosa.rescale has them: the product of
    64 bits is rounded twice where a shift is above 31, unless `single_round`.
  }];
}
def XcMultiplied_ : XcMultiplied;

def Tir_QuantizeLinearOp : Tir_ComputeOp<"quantize-linear"> {
  let summary = "saturate(round(x / scale) + zero_point)";
  let description = [{
    One scale, or one per entry of `axis`. TFLITE rounds half away from zero,
    ONNX half to even.
  }];
  let arguments = (ins Tir_NumberTensor:$input, F32ArrayAttr:$scale,
    XcInts<0, -32768, 65535>:$zero_point, XcIntOr<XcAxis, "-1">:$axis,
    XcWordOr<XcFlavor, "ONNX">:$flavor);
  let results = (outs Tir_IntegerTensor:$output);
  let shapeRule = "quantize";
}
def Tir_DequantizeLinearOp : Tir_ComputeOp<"dequantize-linear"> {
  let summary = "(x - zero_point) * scale";
  let arguments = (ins Tir_IntegerTensor:$input, F32ArrayAttr:$scale,
    XcAnyInts<0>:$zero_point, XcIntOr<XcAxis, "-1">:$axis);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "quantize";
}
def Tir_QLinearRequantizeOp : Tir_ComputeOp<"qlinear-requantize"> {
  let summary = "Another scale, zero point or integer type";
  let description = XcMultiplied_.text;
  let arguments = !con((ins Tir_RequantTensor:$input,
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor), XcMultiplied_.arguments);
  let results = (outs Tir_RequantTensor:$output);
  let shapeRule = "same";
}

/// Weight scales are one, or one per output channel.
class Tir_QLinearConvOp<string mnemonic, string text, string rule,
                        dag more = (ins)> : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let description = XcMultiplied_.text;
  let arguments = !con((ins Tir_QuantTensor:$input,
    Tir_QuantWeightTensor:$weight, Optional<Tir_QuantBiasTensor>:$bias,
    XcKernel:$kernel, XcStride:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcIntOr<XcGroup, "1">:$group,
    XcWordOr<XcQNonlinear, "NONE">:$nonlinear,
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32ArrayAttr:$weight_scale,
    XcIntOr<XcInts<0, -32768, 65535>, "{}">:$weight_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor), XcMultiplied_.arguments, more);
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = rule;
}
def Tir_QLinearConv2dOp : Tir_QLinearConvOp<"qlinear-conv2d",
    "conv2d on quantised tensors", "conv2d">;
def Tir_QLinearDepthwiseConv2dOp : Tir_QLinearConvOp<
    "qlinear-depthwise-conv2d", "depthwise-conv2d on quantised tensors",
    "depthwise_conv2d">;
def Tir_QLinearTransposedConv2dOp : Tir_QLinearConvOp<
    "qlinear-transposed-conv2d", "transposed-conv2d on quantised tensors",
    "transposed_conv2d",
    (ins XcIntOr<XcInts<2, 0, 65535>, "{0, 0}">:$output_padding)>;

def Tir_QLinearMatmulOp : Tir_ComputeOp<"qlinear-matmul"> {
  let summary = "matmul on quantised tensors";
  let description = [{
    `weight_scale` and `weight_zero_point` belong to b: one value, or one per
    column of the (transposed) b. `multiplier` and `shift` are those of
    `qlinear-conv2d`.
  }];
  let arguments = !con((ins Tir_QuantTensor:$a, Tir_QuantTensor:$b,
    Optional<Tir_QuantBiasTensor>:$bias,
    XcBoolOr<"false">:$transpose_a, XcBoolOr<"false">:$transpose_b,
    XcWordOr<XcQNonlinear, "NONE">:$nonlinear,
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32ArrayAttr:$weight_scale,
    XcIntOr<XcInts<0, -32768, 65535>, "{}">:$weight_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor), XcMultiplied_.arguments);
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = "matmul";
}
def Tir_QLinearEltwiseOp : Tir_ComputeOp<"qlinear-eltwise"> {
  let summary = "a op b on quantised tensors; operands broadcast";
  let description = [{
    `multiplier` and `shift` hold three numbers each, for a, b and the result,
    which take the place of the factors that the scales give.
  }];
  let arguments = !con((ins Tir_QuantTensor:$a, Tir_QuantTensor:$b,
    XcWord<["ADD", "SUB", "MUL", "DIV", "MIN", "MAX"]>:$type,
    XcWordOr<XcQNonlinear, "NONE">:$nonlinear,
    F32Attr:$a_scale, XcZeroPoint:$a_zero_point,
    F32Attr:$b_scale, XcZeroPoint:$b_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor), XcMultiplied_.arguments);
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = "broadcast";
}
def Tir_QLinearPoolOp : Tir_ComputeOp<"qlinear-pool"> {
  let summary = "maxpool2d or avgpool2d on quantised tensors";
  let arguments = (ins Tir_QuantTensor:$input, XcWord<["MAX", "AVG"]>:$type,
    OptionalAttr<XcKernel>:$kernel, OptionalAttr<XcStride>:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcBoolOr<"false">:$global,
    XcBoolOr<"false">:$count_include_pad,
    XcBoolOr<"false">:$count_include_invalid,
    XcWordOr<XcQNonlinear, "NONE">:$nonlinear,
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor);
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = "pool2d";
  let sameElement = 1;
}
def Tir_QLinearReductionOp : Tir_ComputeOp<"qlinear-reduction"> {
  let summary = "Sum, mean or largest over axes on quantised tensors";
  let arguments = (ins Tir_QuantTensor:$input,
    XcWord<["SUM", "MEAN", "MAX"]>:$type,
    XcAxes:$axis, XcBoolOr<"false">:$keep_dims,
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor);
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = "reduction";
  let sameElement = 1;
}
def Tir_QLinearConcatOp : Tir_NaryOp<"qlinear-concat", Tir_QuantTensor, (ins
    XcAxis:$axis, F32ArrayAttr:$input_scale,
    XcInts<0, -32768, 65535>:$input_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor)> {
  let summary = "concat on quantised tensors; each input is rescaled";
  let shapeRule = "concat";
}

/// One input, one output, each with its scale.
class Tir_QLinearUnaryOp<string mnemonic, string text, dag attributes,
                         string rule> : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = !con((ins Tir_QuantTensor:$input), attributes, (ins
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor));
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = rule;
}
def Tir_QLinearSoftmaxOp : Tir_QLinearUnaryOp<"qlinear-softmax",
    "softmax on quantised tensors",
    (ins XcIntOr<XcAxis, "-1">:$axis, XcFloatOr<"1.0f">:$beta), "same_axis">;
def Tir_QLinearActivationOp : Tir_QLinearUnaryOp<"qlinear-activation",
    "An activation function on quantised tensors",
    (ins XcWord<["RELU", "RELU6", "RELU_N1_TO_1", "LEAKYRELU", "SIGMOID",
                 "TANH", "HARDSWISH", "ELU", "EXP", "NEG", "ABS",
                 "RSQRT"]>:$type,
         XcFloatOr<"0.01f">:$alpha), "same">;
def Tir_QLinearResizeOp : Tir_QLinearUnaryOp<"qlinear-resize",
    "resize on quantised tensors",
    (ins XcInts<2, 1, 2147483647>:$size,
         XcWordOr<XcWord<["NEAREST", "BILINEAR"]>, "NEAREST">:$mode,
         XcBoolOr<"false">:$align_corners,
         XcBoolOr<"false">:$half_pixel_centers), "resize">;
def Tir_QLinearPreluOp : Tir_ComputeOp<"qlinear-prelu"> {
  let summary = "prelu on quantised tensors";
  let arguments = (ins Tir_QuantTensor:$input, Tir_QuantTensor:$slope,
    F32Attr:$input_scale, XcZeroPoint:$input_zero_point,
    F32Attr:$slope_scale, XcZeroPoint:$slope_zero_point,
    F32Attr:$output_scale, XcZeroPoint:$output_zero_point,
    XcWordOr<XcFlavor, "TFLITE">:$flavor);
  let results = (outs Tir_QuantTensor:$output);
  let shapeRule = "broadcast_to_first";
}
