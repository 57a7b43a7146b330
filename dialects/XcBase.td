//===- XcBase.td - attribute and type classes shared by the dialects ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Standard ODS with the limits kept as fields: dialects/ods-to-c.py reads the
// fields, mlir-tblgen reads the predicates built from them. A limit is written
// once, as a template argument.
//
//===----------------------------------------------------------------------===//

#ifndef XC_BASE_TD
#define XC_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A 32-bit integer from `lo` to `hi`.
class XcInt<int lo, int hi> : ConfinedAttr<I32Attr, [AttrConstraint<
    CPred<"::llvm::cast<::mlir::IntegerAttr>($_self).getInt() >= " # lo #
          " && ::llvm::cast<::mlir::IntegerAttr>($_self).getInt() <= " # hi>,
    "from " # lo # " to " # hi>]> {
  int minimum = lo;
  int maximum = hi;
}
def XcAnyInt : XcInt<!sub(-2147483647, 1), 2147483647>;

/// An array of `n` 32-bit integers (any number when `n` is 0) from `lo` to
/// `hi`.
class XcInts<int n, int lo, int hi> : ConfinedAttr<I32ArrayAttr, [AttrConstraint<
    CPred<"(" # n # " == 0 || ::llvm::cast<::mlir::ArrayAttr>($_self).size() == "
          # n # ") && ::llvm::all_of(::llvm::cast<::mlir::ArrayAttr>($_self), "
          "[](::mlir::Attribute a) { int64_t v = "
          "::llvm::cast<::mlir::IntegerAttr>(a).getInt(); return v >= "
          # lo # " && v <= " # hi # "; })">,
    "with " # n # " entries from " # lo # " to " # hi>]> {
  int count = n;
  int minimum = lo;
  int maximum = hi;
}
class XcAnyInts<int n> : XcInts<n, !sub(-2147483647, 1), 2147483647>;

/// One of the given words.
class XcWord<list<string> words> : ConfinedAttr<StrAttr, [AttrConstraint<
    Or<!foreach(word, words,
       CPred<"::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"" # word
             # "\"">)>,
    "one of " # !interleave(words, ", ")>]> {
  list<string> cases = words;
}

class XcIntOr<Attr attr, string value> : DefaultValuedOptionalAttr<attr, value>;
class XcWordOr<Attr attr, string value>
    : DefaultValuedOptionalStrAttr<attr, value>;
class XcBoolOr<string value> : DefaultValuedOptionalAttr<BoolAttr, value>;
class XcFloatOr<string value> : DefaultValuedOptionalAttr<F32Attr, value>;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// A set of element types; `names` is what ods-to-c.py turns into a bit set.
class XcElements<list<Type> members, list<string> words> {
  list<Type> types = members;
  list<string> names = words;
}

def XcAnyElement : XcElements<
    [F16, BF16, F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64],
    ["f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "ui8",
     "ui16", "ui32", "ui64"]>;
def XcFloatElement : XcElements<[F16, BF16, F32, F64],
    ["f16", "bf16", "f32", "f64"]>;
def XcNumberElement : XcElements<
    [F16, BF16, F32, F64, I8, I16, I32, I64, UI8, UI16, UI32, UI64],
    ["f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "ui8", "ui16",
     "ui32", "ui64"]>;
def XcFixElement : XcElements<[I8, UI8], ["i8", "ui8"]>;
def XcSignedFixElement : XcElements<[I8], ["i8"]>;
def XcFixBiasElement : XcElements<[I8, I16, I32], ["i8", "i16", "i32"]>;
def XcQuantElement : XcElements<[I8, UI8, I16, UI16],
    ["i8", "ui8", "i16", "ui16"]>;
def XcRequantElement : XcElements<[I8, UI8, I16, UI16, I32],
    ["i8", "ui8", "i16", "ui16", "i32"]>;
def XcQuantWeightElement : XcElements<[I8, UI8], ["i8", "ui8"]>;
def XcQuantBiasElement : XcElements<[I32, I64], ["i32", "i64"]>;
def XcIntegerElement : XcElements<[I8, I16, I32, I64, UI8, UI16, UI32, UI64],
    ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"]>;
def XcIndexElement : XcElements<[I32, I64], ["i32", "i64"]>;
def XcBoolElement : XcElements<[I1], ["i1"]>;

/// Tensors of the tir dialect and buffers of the mtir dialect. The two names
/// differ in their prefix only, which is how mtir finds the twin of a type.
class XcTensor<XcElements set> : RankedTensorOf<set.types> {
  XcElements elements = set;
}
class XcMemRef<XcElements set> : StridedMemRefOf<set.types> {
  XcElements elements = set;
}

foreach kind = ["Any", "Float", "Number", "Fix", "SignedFix", "FixBias",
                "Quant", "Requant", "QuantWeight", "QuantBias", "Integer", "Index",
                "Bool"] in {
  def Tir_ # kind # Tensor : XcTensor<!cast<XcElements>("Xc" # kind # "Element")>;
  def Mtir_ # kind # Tensor : XcMemRef<!cast<XcElements>("Xc" # kind # "Element")>;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// What every operator of the three dialects says besides its arguments.
class XcOp<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, traits> {
  /// Names the C function that computes the result shape from the operands and
  /// attributes (dialects/Shape*.c); "given" means that the type is free.
  string shapeRule = "given";
  /// Whether the result has the element type of the first operand.
  bit sameElement = 0;
  /// Of an operator in fixed point: the one with the same operands and
  /// attributes but for fix points. Empty: that without `-fix` in its name.
  string floatForm = "";
  /// Whether the operator only gives elements of its one input other places,
  /// and perhaps leaves some out. Its form in fixed point does so, too, but for
  /// a change of fix points.
  bit onlyMoves = 0;
}

/// Attributes that any operator may carry.
def XcCommonAttributes {
  dag arguments = (ins
    OptionalAttr<StrAttr>:$op_name,
    OptionalAttr<I32Attr>:$id,
    OptionalAttr<XcWord<["CPU", "DPU", "USER"]>>:$device
  );
}

#endif // XC_BASE_TD
