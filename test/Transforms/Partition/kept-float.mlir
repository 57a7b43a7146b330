// What tir-quantize has left in floating point says why, in place of that it is
// not in fixed point. What a user may do is said, and counted as the work that
// would come to the DPU.
// RUN: xc-opt %s --tir-partition='outline=false show=operators' 2>&1 >/dev/null | FileCheck %s
// RUN: xc-opt %s --tir-partition='report=%t.json' -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

// CHECK: named keep-float: kept in floating point: keep-float names it; fits with no such name in keep-float{{$}}
// CHECK: gate float-island: kept in floating point: between functions on the CPU (an island){{$}}
// CHECK: flat float-input: kept in floating point: nothing that it reads is in fixed point{{$}}
// CHECK: half float-sigmoid: kept in floating point: the DPU has hard sigmoids only; fits with approximation (--approximate){{$}}
// JSON:      "predicate": "float-island",
// JSON-NEXT: "text": "kept in floating point: between functions on the CPU (an island)",
// JSON-NEXT: "changes": [],
// JSON-NEXT: "fits_with": null

// Other reasons come first: a name that is taken back would not help.
// CHECK: computed constant-factor: a factor or parameter is not constant{{$}}
// CHECK: soft dpu-form: no DPU computes this operator{{$}}

// A reason that is not known is none.
// CHECK: other fixed-point: the operator is not in fixed point; fits with relu -> relu-fix{{$}}
// CHECK: with the changes above: 50.00% of the MACs on the DPU
func.func @main(%x: tensor<1x4x4x16xf32>, %v: tensor<16x1x1x16xf32>) -> (tensor<1x256xf32>, tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>) {
  %w = "tir.const"() {value = dense<1.0> : tensor<16x1x1x16xf32>} : () -> tensor<16x1x1x16xf32>
  %0 = "tir.conv2d"(%x, %w) {op_name = "named", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], xc.kept_float = "keep-float"} : (tensor<1x4x4x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x4x4x16xf32>
  %1 = "tir.mul"(%0, %x) {op_name = "gate", xc.kept_float = "float-island"} : (tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %2 = "tir.reshape"(%1) {op_name = "flat", shape = [1 : i32, 256 : i32], xc.kept_float = "float-input"} : (tensor<1x4x4x16xf32>) -> tensor<1x256xf32>
  %3 = "tir.sigmoid"(%1) {op_name = "half", xc.kept_float = "float-sigmoid"} : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %4 = "tir.conv2d"(%x, %v) {op_name = "computed", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], xc.kept_float = "keep-float"} : (tensor<1x4x4x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x4x4x16xf32>
  %5 = "tir.softmax"(%4) {op_name = "soft", axis = 3 : i32, xc.kept_float = "float-function"} : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %6 = "tir.relu"(%5) {op_name = "other", xc.kept_float = "unheard of"} : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %7 = "tir.exp"(%2) : (tensor<1x256xf32>) -> tensor<1x256xf32>
  return %7, %3, %5, %6 : tensor<1x256xf32>, tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>
}
