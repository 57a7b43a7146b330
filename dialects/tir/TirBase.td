//===- TirBase.td - the tir dialect and its operator classes --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TIR_BASE_TD
#define XC_TIR_BASE_TD

include "XcBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tir_Dialect : Dialect {
  let name = "tir";
  let cppNamespace = "::xc::tir";
  let summary = "CNN operators on tensors";
  let description = [{
    The tensor level: one operator per layer of a CNN, in floating point, in
    fixed point with powers of two as scales (names that end in `-fix`), or
    with arbitrary scales and zero points (`qlinear-*`). Tensors are NHWC,
    weights OHWI; spatial attributes are width first.
  }];
}

class Tir_Op<string mnemonic, list<Trait> traits = []>
    : XcOp<Tir_Dialect, mnemonic, traits>;

/// An operator that computes one tensor; mtir derives a twin from it.
class Tir_ComputeOp<string mnemonic, list<Trait> traits = [],
                    list<Trait> effects = [Pure]>
    : Tir_Op<mnemonic, !listconcat(effects, traits)>;

/// Up to 16 inputs of different shapes. IRDL gives one type to all values of a
/// variadic operand, hence one optional operand per input; operandSegmentSizes
/// says which are there.
class Tir_NaryOp<string mnemonic, Type type, dag attributes>
    : Tir_ComputeOp<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = !con(
    (ins type:$input0, Optional<type>:$input1, Optional<type>:$input2,
         Optional<type>:$input3, Optional<type>:$input4, Optional<type>:$input5,
         Optional<type>:$input6, Optional<type>:$input7, Optional<type>:$input8,
         Optional<type>:$input9, Optional<type>:$input10,
         Optional<type>:$input11, Optional<type>:$input12,
         Optional<type>:$input13, Optional<type>:$input14,
         Optional<type>:$input15),
    attributes);
  let results = (outs type:$output);
  let sameElement = 1;
}

//===----------------------------------------------------------------------===//
// Attribute types with a meaning
//===----------------------------------------------------------------------===//

def XcPadMode : XcWord<["FLOOR", "CEIL", "SAME", "VALID"]>;
def XcRoundMode : XcWord<["DPU_ROUND", "XPU_ROUND", "STD_ROUND", "PY3_ROUND"]>;
def XcNonlinear : XcWord<["NONE", "RELU", "RELU6", "LEAKYRELU", "PRELU",
                          "HSIGMOID", "HSWISH"]>;
def XcFixPoint : XcInt<-64, 64>;
def XcFixPoints : XcInts<0, -64, 64>;
/// -128 means "not set", as in the field's own graphs.
def XcHardShift : XcInt<-128, 63>;
def XcKernel : XcInts<2, 1, 65535>;
def XcStride : XcInts<2, 1, 65535>;
def XcDilation : XcInts<2, 1, 65535>;
def XcPad : XcInts<4, 0, 65535>;
def XcGroup : XcInt<1, 2147483647>;
def XcAxis : XcInt<-8, 7>;
def XcAxes : XcInts<0, -8, 7>;
def XcDims : XcInts<0, 0, 2147483647>;

#endif // XC_TIR_BASE_TD
