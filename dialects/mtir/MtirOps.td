//===- MtirOps.td - the mtir twin of every tir operator -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Derived: an operator's inputs as buffers that are read, then $output, which
// is written, then its attributes.
//
//===----------------------------------------------------------------------===//

#ifndef XC_MTIR_OPS_TD
#define XC_MTIR_OPS_TD

include "tir/TirOps.td"

def Mtir_Dialect : Dialect {
  let name = "mtir";
  let cppNamespace = "::xc::mtir";
  let summary = "CNN operators on buffers";
  let description = [{
    The buffer level: every operator reads its input buffers and writes
    `$output`, which must not overlap an input.
  }];
}

class Mtir_Op<string mnemonic, list<Trait> traits = []>
    : XcOp<Mtir_Dialect, mnemonic, traits>;

/// The buffer type that goes with a tensor type.
class Mtir_Twin<TypeConstraint tensor> {
  Type type = !cast<Type>(!subst("Tir_", "Mtir_", !cast<string>(tensor)));
}

foreach op = !instances<Tir_ComputeOp>() in {
  // Positions of the inputs and of the attributes among the arguments.
  defvar positions = !range(!size(op.arguments));
  defvar inputs = !filter(i, positions,
      !isa<TypeConstraint>(!getdagarg<Constraint>(op.arguments, i)));
  defvar attributes = !filter(i, positions,
      !not(!isa<TypeConstraint>(!getdagarg<Constraint>(op.arguments, i))));
  defvar output = !getdagarg<TypeConstraint>(op.results, 0);

  def !subst("Tir_", "Mtir_", !cast<string>(op))
      : Mtir_Op<op.opName, !filter(trait, op.traits,
          !eq(!cast<string>(trait), "AttrSizedOperandSegments"))> {
    let summary = op.summary;
    let description = op.description;
    let arguments = !con(
      !dag(ins,
        !foreach(i, inputs,
          Arg<!if(!isa<Optional>(!getdagarg<Constraint>(op.arguments, i)),
            !cast<TypeConstraint>(Optional<Mtir_Twin<!cast<Optional>(
              !getdagarg<Constraint>(op.arguments, i)).baseType>.type>),
            !cast<TypeConstraint>(Mtir_Twin<!cast<TypeConstraint>(
              !getdagarg<Constraint>(op.arguments, i))>.type)),
            "", [MemRead]>),
        !foreach(i, inputs, !getdagname(op.arguments, i))),
      (ins Arg<Mtir_Twin<output>.type, "", [MemWrite]>:$output),
      !dag(ins,
        !foreach(i, attributes, !getdagarg<Constraint>(op.arguments, i)),
        !foreach(i, attributes, !getdagname(op.arguments, i))));
    let shapeRule = op.shapeRule;
    let sameElement = op.sameElement;
    let floatForm = op.floatForm;
    let onlyMoves = op.onlyMoves;
  }
}

#endif // XC_MTIR_OPS_TD
