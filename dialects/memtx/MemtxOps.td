//===- MemtxOps.td - constants and transfers of buffers -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_MEMTX_OPS_TD
#define XC_MEMTX_OPS_TD

include "XcBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Memtx_Dialect : Dialect {
  let name = "memtx";
  let cppNamespace = "::xc::memtx";
  let summary = "Constants in memory and transfers between buffers";
}

class Memtx_Op<string mnemonic, list<Trait> traits = []>
    : XcOp<Memtx_Dialect, mnemonic, traits>;

def Memtx_ConstOp : Memtx_Op<"const", [Pure]> {
  let summary = "A buffer that holds a constant; nothing may write it";
  let description = [{ `value` and `path` as in tir.const. }];
  let arguments = (ins OptionalAttr<ElementsAttr>:$value,
                       OptionalAttr<StrAttr>:$path);
  let results = (outs Mtir_AnyTensor:$output);
  let shapeRule = "const";
}

def Memtx_CopyOp : Memtx_Op<"copy"> {
  let summary = "Copies a buffer into another of the same shape";
  let arguments = (ins Arg<Mtir_AnyTensor, "", [MemRead]>:$source,
                       Arg<Mtir_AnyTensor, "", [MemWrite]>:$target);
  let shapeRule = "transfer";
}

#endif // XC_MEMTX_OPS_TD
