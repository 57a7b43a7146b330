//===- TirConv.td - convolution, matrix product, pooling ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// Attributes of a window that moves over H and W, width first.
class Tir_FloatConvOp<string mnemonic> : Tir_ComputeOp<mnemonic> {
  let arguments = (ins
    Tir_FloatTensor:$input, Tir_FloatTensor:$weight,
    Optional<Tir_FloatTensor>:$bias,
    XcKernel:$kernel, XcStride:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcIntOr<XcGroup, "1">:$group);
  let results = (outs Tir_FloatTensor:$output);
  let sameElement = 1;
}

def Tir_Conv2dOp : Tir_FloatConvOp<"conv2d"> {
  let summary = "2-D convolution";
  let description = [{
    Input NHWC, weight `[O, KH, KW, I / group]`, bias `[O]`, zero padding.
  }];
  let shapeRule = "conv2d";
}
def Tir_DepthwiseConv2dOp : Tir_FloatConvOp<"depthwise-conv2d"> {
  let summary = "2-D convolution of each channel by itself";
  let description = [{
    Weight `[M, KH, KW, C]` with channel multiplier M; output channel
    `c * M + m`; bias `[C * M]`. `group` is not used.
  }];
  let shapeRule = "depthwise_conv2d";
}
def Tir_TransposedConv2dOp : Tir_FloatConvOp<"transposed-conv2d"> {
  let summary = "Transposed 2-D convolution";
  let description = [{
    Puts stride - 1 zeros between the input's elements, then correlates with
    the weight `[O, KH, KW, I / group]` at stride 1. `output_padding` adds rows
    and columns at the bottom and right (width first).
  }];
  let arguments = (ins
    Tir_FloatTensor:$input, Tir_FloatTensor:$weight,
    Optional<Tir_FloatTensor>:$bias,
    XcKernel:$kernel, XcStride:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcIntOr<XcGroup, "1">:$group,
    XcIntOr<XcInts<2, 0, 65535>, "{0, 0}">:$output_padding);
  let shapeRule = "transposed_conv2d";
}
def Tir_TransposedDepthwiseConv2dOp
    : Tir_FloatConvOp<"transposed-depthwise-conv2d"> {
  let summary = "Transposed 2-D convolution of each channel by itself";
  let description = [{
    As `transposed-conv2d` with a weight `[M, KH, KW, C]`.
  }];
  let arguments = (ins
    Tir_FloatTensor:$input, Tir_FloatTensor:$weight,
    Optional<Tir_FloatTensor>:$bias,
    XcKernel:$kernel, XcStride:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcIntOr<XcGroup, "1">:$group,
    XcIntOr<XcInts<2, 0, 65535>, "{0, 0}">:$output_padding);
  let shapeRule = "transposed_depthwise_conv2d";
}

def Tir_MatmulOp : Tir_ComputeOp<"matmul"> {
  let summary = "Matrix product of the last two dimensions";
  let description = [{
    Leading dimensions broadcast. `transpose_a` and `transpose_b` swap the last
    two dimensions of an operand first. The bias is added to the last dimension.
  }];
  let arguments = (ins Tir_NumberTensor:$a, Tir_NumberTensor:$b,
                       Optional<Tir_NumberTensor>:$bias,
                       XcBoolOr<"false">:$transpose_a,
                       XcBoolOr<"false">:$transpose_b);
  let results = (outs Tir_NumberTensor:$output);
  let shapeRule = "matmul";
  let sameElement = 1;
}
def Tir_InnerProductOp : Tir_ComputeOp<"inner-product"> {
  let summary = "Fully connected layer";
  let description = [{
    Flattens the input from `axis` on to K values; weight `[O, K]`, bias `[O]`.
  }];
  let arguments = (ins Tir_FloatTensor:$input, Tir_FloatTensor:$weight,
                       Optional<Tir_FloatTensor>:$bias,
                       XcIntOr<XcAxis, "1">:$axis);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "inner_product";
  let sameElement = 1;
}

def Tir_Maxpool2dOp : Tir_ComputeOp<"maxpool2d"> {
  let summary = "Largest element of each window";
  let description = [{
    With `global` the window is the whole input and `kernel`, `stride` and `pad`
    must be left out or say so. Padding never wins.
  }];
  let arguments = (ins
    Tir_NumberTensor:$input,
    OptionalAttr<XcKernel>:$kernel, OptionalAttr<XcStride>:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcBoolOr<"false">:$global);
  let results = (outs Tir_NumberTensor:$output);
  let shapeRule = "pool2d";
  let sameElement = 1;
}
def Tir_Avgpool2dOp : Tir_ComputeOp<"avgpool2d"> {
  let summary = "Mean of each window";
  let description = [{
    `count_include_pad` divides by the window's elements inside the padded
    input, else by those inside the input. `count_include_invalid` also counts
    positions beyond the padding, which a CEIL window can reach.
  }];
  let arguments = (ins
    Tir_FloatTensor:$input,
    OptionalAttr<XcKernel>:$kernel, OptionalAttr<XcStride>:$stride,
    XcIntOr<XcDilation, "{1, 1}">:$dilation,
    XcWordOr<XcPadMode, "FLOOR">:$pad_mode,
    XcIntOr<XcPad, "{0, 0, 0, 0}">:$pad,
    XcBoolOr<"false">:$global,
    XcBoolOr<"false">:$count_include_pad,
    XcBoolOr<"false">:$count_include_invalid);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "pool2d";
  let sameElement = 1;
}
