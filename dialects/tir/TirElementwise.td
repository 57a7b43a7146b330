//===- TirElementwise.td - operators on single elements, normalisation ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

class Tir_UnaryOp<string mnemonic, string text, TypeConstraint type,
                  dag attributes = (ins)> : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = !con((ins type:$input), attributes);
  let results = (outs type:$output);
  let shapeRule = "same";
  let sameElement = 1;
}

def Tir_ReluOp : Tir_UnaryOp<"relu", "max(x, 0)", Tir_NumberTensor>;
def Tir_LeakyReluOp : Tir_UnaryOp<"leaky-relu", "x < 0 ? alpha * x : x",
    Tir_FloatTensor, (ins XcFloatOr<"0.01f">:$alpha)>;
def Tir_Relu6Op : Tir_UnaryOp<"relu6", "min(max(x, 0), 6)", Tir_FloatTensor>;
def Tir_ClipOp : Tir_UnaryOp<"clip", "min(max(x, min), max)", Tir_NumberTensor,
    (ins XcFloatOr<"-3.402823466e+38f">:$min,
         XcFloatOr<"3.402823466e+38f">:$max)>;
def Tir_HardSigmoidOp : Tir_UnaryOp<"hard-sigmoid",
    "min(max(alpha * x + beta, 0), 1)", Tir_FloatTensor,
    (ins XcFloatOr<"0.166666672f">:$alpha, XcFloatOr<"0.5f">:$beta)>;
def Tir_HardSwishOp : Tir_UnaryOp<"hard-swish", "x * min(max(x + 3, 0), 6) / 6",
    Tir_FloatTensor>;
def Tir_SigmoidOp : Tir_UnaryOp<"sigmoid", "1 / (1 + exp(-x))",
    Tir_FloatTensor>;
def Tir_TanhOp : Tir_UnaryOp<"tanh", "Hyperbolic tangent", Tir_FloatTensor>;
def Tir_EluOp : Tir_UnaryOp<"elu", "x < 0 ? alpha * (exp(x) - 1) : x",
    Tir_FloatTensor, (ins XcFloatOr<"1.0f">:$alpha)>;
def Tir_SoftplusOp : Tir_UnaryOp<"softplus", "log(1 + exp(x))",
    Tir_FloatTensor>;
def Tir_NegOp : Tir_UnaryOp<"neg", "-x", Tir_NumberTensor>;
def Tir_AbsOp : Tir_UnaryOp<"abs", "|x|", Tir_NumberTensor>;
def Tir_ExpOp : Tir_UnaryOp<"exp", "e to the power of x", Tir_FloatTensor>;
def Tir_LogOp : Tir_UnaryOp<"log", "Natural logarithm", Tir_FloatTensor>;
def Tir_SqrtOp : Tir_UnaryOp<"sqrt", "Square root", Tir_FloatTensor>;
def Tir_RsqrtOp : Tir_UnaryOp<"rsqrt", "1 / sqrt(x)", Tir_FloatTensor>;
def Tir_ErfOp : Tir_UnaryOp<"erf", "Error function", Tir_FloatTensor>;
def Tir_SinOp : Tir_UnaryOp<"sin", "Sine of x radians", Tir_FloatTensor>;
def Tir_CosOp : Tir_UnaryOp<"cos", "Cosine of x radians", Tir_FloatTensor>;
def Tir_AtanOp : Tir_UnaryOp<"atan", "Arc tangent of x in radians",
    Tir_FloatTensor>;
def Tir_FloorOp : Tir_UnaryOp<"floor", "Largest integer not above x",
    Tir_FloatTensor>;
def Tir_CeilOp : Tir_UnaryOp<"ceil", "Smallest integer not below x",
    Tir_FloatTensor>;
def Tir_RoundOp : Tir_UnaryOp<"round", "Nearest integer, half to even",
    Tir_FloatTensor>;

def Tir_PreluOp : Tir_ComputeOp<"prelu"> {
  let summary = "x < 0 ? slope * x : x";
  let description = [{ The slope broadcasts to the input's shape. }];
  let arguments = (ins Tir_FloatTensor:$input, Tir_FloatTensor:$slope);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "broadcast_to_first";
  let sameElement = 1;
}

def Tir_TableOp : Tir_ComputeOp<"table"> {
  let summary = "Looks up each element in a table";
  let description = [{
    The bits of an element, taken as a number without sign, say which entry. The
    table has shape `[256]`, or `[channels, 256]` with a row for each channel of
    the input, which is its last dimension. The result has the element type of
    the table.
  }];
  let arguments = (ins Tir_FixTensor:$input, Tir_AnyTensor:$table);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "table";
}

/// Two operands of one element type that broadcast as in NumPy.
class Tir_BinaryOp<string mnemonic, string text> : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = (ins Tir_NumberTensor:$a, Tir_NumberTensor:$b);
  let results = (outs Tir_NumberTensor:$output);
  let shapeRule = "broadcast";
  let sameElement = 1;
}

def Tir_AddOp : Tir_BinaryOp<"add", "a + b">;
def Tir_SubOp : Tir_BinaryOp<"sub", "a - b">;
def Tir_MulOp : Tir_BinaryOp<"mul", "a * b">;
def Tir_DivOp : Tir_BinaryOp<"div", "a / b; integers truncate towards zero">;
def Tir_PowOp : Tir_BinaryOp<"pow", "a to the power of b">;
def Tir_MinOp : Tir_BinaryOp<"min", "The smaller of a and b">;
def Tir_MaxOp : Tir_BinaryOp<"max", "The larger of a and b">;

def Tir_CompareOp : Tir_ComputeOp<"compare"> {
  let summary = "Compares two tensors element by element";
  let arguments = (ins Tir_AnyTensor:$a, Tir_AnyTensor:$b,
      XcWord<["EQ", "NE", "LT", "LE", "GT", "GE"]>:$predicate);
  let results = (outs Tir_BoolTensor:$output);
  let shapeRule = "broadcast";
}
def Tir_LogicalOp : Tir_ComputeOp<"logical"> {
  let summary = "Combines truth values; NOT has one operand";
  let arguments = (ins Tir_BoolTensor:$a, Optional<Tir_BoolTensor>:$b,
      XcWord<["AND", "OR", "XOR", "NOT"]>:$type);
  let results = (outs Tir_BoolTensor:$output);
  let shapeRule = "logical";
}
def Tir_BitwiseOp : Tir_ComputeOp<"bitwise"> {
  let summary = "Combines the bits of integers";
  let arguments = (ins Tir_IntegerTensor:$a, Tir_IntegerTensor:$b,
      XcWord<["AND", "OR", "XOR"]>:$type);
  let results = (outs Tir_IntegerTensor:$output);
  let shapeRule = "broadcast";
  let sameElement = 1;
}
def Tir_SelectOp : Tir_ComputeOp<"select"> {
  let summary = "condition ? a : b, element by element";
  let arguments = (ins Tir_BoolTensor:$condition, Tir_AnyTensor:$a,
                       Tir_AnyTensor:$b);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "select";
}
def Tir_CastOp : Tir_ComputeOp<"cast"> {
  let summary = "Converts the element type";
  let description = [{
    Float to integer truncates towards zero and, with `saturate`, clamps to the
    range of the result; to i1 is "not zero"; integers wrap.
  }];
  let arguments = (ins Tir_AnyTensor:$input, XcBoolOr<"false">:$saturate);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "same";
}

def Tir_BatchnormOp : Tir_ComputeOp<"batchnorm", [AttrSizedOperandSegments]> {
  let summary = "Batch normalisation with fixed statistics";
  let description = [{
    `gamma * (x - mean) / sqrt(var + epsilon) + beta` along `axis`.
  }];
  let arguments = (ins Tir_FloatTensor:$input, Tir_FloatTensor:$mean,
    Tir_FloatTensor:$var, Optional<Tir_FloatTensor>:$gamma,
    Optional<Tir_FloatTensor>:$beta, XcFloatOr<"1.0e-5f">:$epsilon,
    XcIntOr<XcAxis, "-1">:$axis);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "per_channel";
  let sameElement = 1;
}
def Tir_ScaleOp : Tir_ComputeOp<"scale"> {
  let summary = "scale * x + bias along one axis";
  let arguments = (ins Tir_FloatTensor:$input, Tir_FloatTensor:$scale,
    Optional<Tir_FloatTensor>:$bias, XcIntOr<XcAxis, "-1">:$axis);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "per_channel";
  let sameElement = 1;
}
def Tir_SoftmaxOp : Tir_UnaryOp<"softmax", "exp(x) / sum of exp(x) along an axis",
    Tir_FloatTensor, (ins XcIntOr<XcAxis, "-1">:$axis)> {
  let shapeRule = "same_axis";
}
def Tir_LogSoftmaxOp : Tir_UnaryOp<"log-softmax",
    "x - log(sum of exp(x)) along an axis", Tir_FloatTensor,
    (ins XcIntOr<XcAxis, "-1">:$axis)> {
  let shapeRule = "same_axis";
}
def Tir_LrnOp : Tir_UnaryOp<"lrn", "Local response normalisation over channels",
    Tir_FloatTensor, (ins XcInt<1, 65535>:$size, XcFloatOr<"1.0e-4f">:$alpha,
                          XcFloatOr<"0.75f">:$beta, XcFloatOr<"1.0f">:$bias)> {
  let description = [{
    `x / (bias + alpha / size * sum of squares)^beta` over the channels from
    `c - (size - 1) / 2` rounded down to `c + (size - 1) / 2` rounded up.
  }];
  let shapeRule = "same_axis";
}
