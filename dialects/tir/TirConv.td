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

class Tir_Activation<string value>
    : XcWordOr<XcWord<["NONE", "SIGMOID", "TANH", "RELU", "HARD_SIGMOID"]>,
               value>;

def Tir_RecurrentOp : Tir_ComputeOp<"recurrent", [AttrSizedOperandSegments]> {
  let summary = "The steps of a recurrent layer: RNN, LSTM or GRU";
  let description = [{
    `input`, `[steps, batch, gates * units]`, holds what the gates take from the
    layer's own input, biases included. `weight`, `[units, gates * units]`, is
    multiplied with the units of the step before, which is the next one with
    `reverse`; those before the first step are `initial`, or 0. The result holds
    the state after each step, `[steps, batch, states * units]`. Steps at or
    beyond `lengths`, `[batch]`, leave the state as it is.

    In the formulas x and u are a gate's part of `input` and `weight`, s the
    units of the step before, and f, g and h stand for `gate_activation`,
    `activation` and `output_activation`. HARD_SIGMOID is `min(max(alpha * x +
    beta, 0), 1)`.

    RNN has one gate and one state: `y = g(x + s u)`.

    LSTM has gates i, o, f and c, and as states units y, then cells. With
    d the cells of the step before, and optionally `peephole`, `[3 * units]`,
    for p_i, p_o and p_f: `cell = f(x_f + s u_f + p_f d) d + f(x_i + s u_i + p_i
    d) g(x_c + s u_c)`, and `y = f(x_o + s u_o + p_o cell) h(cell)`.

    GRU has gates z, r and c, and one state: `y = (1 - z) c + z s` with `z =
    f(x_z + s u_z)`, `r = f(x_r + s u_r)` and `c = g(x_c + (r s) u_c)`, or with
    `reset_after` `c = g(x_c + r (s u_c + bias))`, where `bias`, `[units]`, is
    optional.
  }];
  let arguments = (ins Tir_FloatTensor:$input, Tir_FloatTensor:$weight,
    Optional<Tir_FloatTensor>:$initial, Optional<Tir_FloatTensor>:$bias,
    Optional<Tir_FloatTensor>:$peephole, Optional<Tir_IndexTensor>:$lengths,
    XcWord<["RNN", "LSTM", "GRU"]>:$cell,
    XcBoolOr<"false">:$reverse, XcBoolOr<"false">:$reset_after,
    Tir_Activation<"SIGMOID">:$gate_activation,
    Tir_Activation<"TANH">:$activation,
    Tir_Activation<"TANH">:$output_activation,
    XcFloatOr<"0.200000003f">:$alpha, XcFloatOr<"0.5f">:$beta);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "recurrent";
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
