//===- TirStorage.td - constants, placeholders, the tensor/buffer boundary ===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

def Tir_ConstOp : Tir_Op<"const", [ConstantLike, Pure]> {
  let summary = "A constant tensor";
  let description = [{
    Takes its content from `value`, or from `path`: a raw little-endian file of
    exactly the tensor's size, found relative to the input file. One of the two
    must be given.
  }];
  let arguments = (ins OptionalAttr<ElementsAttr>:$value,
                       OptionalAttr<StrAttr>:$path);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "const";
}

// Two of them are two inputs, so it is not pure: the effect keeps them apart.
def Tir_DataOp : Tir_ComputeOp<"data", [], [MemoryEffects<[MemAlloc]>]> {
  let summary = "A tensor of zeros that stands for a parameter or input";
  let description = [{
    Allocates a tensor filled with zeros. `shape` and `data_type` repeat the
    result type the way the field's graphs do and must agree with it.
  }];
  let arguments = (ins OptionalAttr<XcDims>:$shape,
                       OptionalAttr<StrAttr>:$data_type);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "data";
}

def Tir_UploadOp : Tir_Op<"upload"> {
  let summary = "The tensor that a buffer holds";
  let arguments = (ins Arg<Mtir_AnyTensor, "", [MemRead]>:$mem);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "same";
  let sameElement = 1;
}

def Tir_DownloadOp : Tir_Op<"download"> {
  let summary = "Writes a tensor into a buffer";
  let arguments = (ins Tir_AnyTensor:$tensor,
                       Arg<Mtir_AnyTensor, "", [MemWrite]>:$mem);
  let shapeRule = "transfer";
}

// The host's kernel may look at what only the host knows.
def Tir_CustomOp : Tir_ComputeOp<"custom", [AttrSizedOperandSegments],
                                 [MemoryEffects<[MemRead]>]> {
  let summary = "An operator that only the host knows";
  let description = [{
    Stands for an operator of the source model that xc has no meaning for. The
    host registers a kernel under `op_type` with the runtime; `payload` is
    handed to it unchanged.
  }];
  let arguments = (ins
    Optional<Tir_AnyTensor>:$input0, Optional<Tir_AnyTensor>:$input1,
    Optional<Tir_AnyTensor>:$input2, Optional<Tir_AnyTensor>:$input3,
    Optional<Tir_AnyTensor>:$input4, Optional<Tir_AnyTensor>:$input5,
    Optional<Tir_AnyTensor>:$input6, Optional<Tir_AnyTensor>:$input7,
    StrAttr:$op_type, OptionalAttr<DictionaryAttr>:$payload);
  let results = (outs Tir_AnyTensor:$output);
}
