// Operators of all shapes of arguments and attributes: written, imported, and
// written again to the same bytes. Names, fix points, payloads and results stay.

// REQUIRES: mlir
// RUN: xc-translate --tir-to-xmodel %s -o %t.xmodel
// RUN: xc-translate --import-xmodel %t.xmodel -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: xc-translate --tir-to-xmodel %t.mlir | cmp - %t.xmodel
// RUN: xc-translate --xmodel-to-text %t.xmodel | FileCheck %s --check-prefix=TEXT
// RUN: xc-translate --import-xmodel --mlir-print-debuginfo %t.xmodel | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @net(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<1x2xi32>)
// CHECK-SAME: input_names = ["image", "index"], input_num = 2 : i64, output_names = ["first", "image", "custom"]

// TEXT: xmodel "net"
// TEXT: output_names : string_vec = ["first", "image", "custom"]
// TEXT: return_ops : string_vec = ["upsampled", "image", "custom"]
// LOC: loc("conv0")

func.func @net(%image: tensor<1x8x8x4xf32>, %index: tensor<1x2xi32>) -> (tensor<1x16x16x4xi8>, tensor<1x8x8x4xf32>, tensor<1x3xf32>) attributes {input_names = ["image", "index"], output_names = ["first", "image", "custom"]} {
  // CHECK: [[W:%.+]] = "tir.const"() {op_name = "w", value = dense<{{.*}}> : tensor<4x1x1x4xi8>}
  %w = "tir.const"() {op_name = "w", value = dense<3> : tensor<4x1x1x4xi8>} : () -> tensor<4x1x1x4xi8>
  // TEXT: op "data_fix" : float2fix -> xint8
  // TEXT: fix_point : int32 = 5
  // CHECK: [[X:%.+]] = "tir.float2fix"(%arg0) {bit_width = 8 : i32, fix_point = 5 : i32
  %x = "tir.float2fix"(%image) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, op_name = "data_fix", round_mode = "DPU_ROUND"} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xi8>
  // TEXT: op "conv0" : conv2d-fix -> xint8 [1, 8, 8, 4]
  // TEXT-NEXT: arg input ("data_fix")
  // TEXT-NEXT: arg weights ("w")
  // TEXT: bias_term : bool = false
  // TEXT: out_dim : int32 = 4
  // CHECK: [[C:%.+]] = "tir.conv2d-fix"([[X]], [[W]]) {
  // CHECK-SAME: input_fix_point = 5 : i32
  // CHECK-SAME: op_name = "conv0", output_fix_point = 3 : i32
  // CHECK-SAME: weight_fix_point = 7 : i32
  %c = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "conv0", input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x4xi8>, tensor<4x1x1x4xi8>) -> tensor<1x8x8x4xi8>
  // Two operators of one name: the second gets a number.
  // CHECK: [[S:%.+]] = "tir.eltwise-fix"([[X]], [[C]]) {input_fix_point = [5 : i32, 3 : i32]
  // CHECK-SAME: op_name = "conv0.1"
  %s = "tir.eltwise-fix"(%x, %c) {input_fix_point = [5 : i32, 3 : i32], op_name = "conv0", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 4 : i32, type = "ADD"} : (tensor<1x8x8x4xi8>, tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xi8>
  // TEXT: op "upsampled" : upsample-fix -> xint8 [1, 16, 16, 4]
  // TEXT-NEXT: arg input ("conv0.1")
  // CHECK: [[U:%.+]] = "tir.upsample-fix"([[S]]) {
  // CHECK-SAME: scale = [2 : i32, 2 : i32]
  %u = "tir.upsample-fix"(%s) {op_name = "upsampled", scale = [2 : i32, 2 : i32]} : (tensor<1x8x8x4xi8>) -> tensor<1x16x16x4xi8>
  // CHECK: "tir.pad"(%arg0) {
  // CHECK-SAME: constant_value = 1.500000e+00 : f32
  // TEXT: constant_values : float_vec = [1.5]
  %p = "tir.pad"(%image) {constant_value = 1.500000e+00 : f32, op_name = "padded", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 2 : i32, 2 : i32, 0 : i32, 0 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x10x12x4xf32>
  // CHECK: "tir.avgpool2d"(%{{.+}}) {count_include_invalid = false, count_include_pad = false, {{.*}}global = true
  %a = "tir.avgpool2d"(%p) {global = true, op_name = "mean"} : (tensor<1x10x12x4xf32>) -> tensor<1x1x1x4xf32>
  // CHECK: "tir.sub"(%{{.+}}, %{{.+}}) {op_name = "difference"}
  %d = "tir.sub"(%a, %a) {op_name = "difference"} : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  // CHECK: "tir.leaky-relu"(%{{.+}}) {alpha = 0.1015625 : f32
  %l = "tir.leaky-relu"(%d) {alpha = 0.1015625 : f32, op_name = "leaky"} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  // CHECK: "tir.reshape"(%{{.+}}) {op_name = "flat", shape = [1 : i32, 4 : i32]}
  %f = "tir.reshape"(%l) {op_name = "flat", shape = [1 : i32, 4 : i32]} : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
  // CHECK: "tir.custom"(%{{.+}}, %arg1) {op_name = "custom", op_type = "Mine"
  // CHECK-SAME: payload = {a = 1 : i32, b = true, bytes = array<i8: 1, -1>, c = array<i32: 1, 2>, d = 2.500000e+00 : f64, e = ["x", "y"], f = array<f32: 5.000000e-01>, g = {one = 1 : i32, two = 2 : i32}, h = {one = array<i32: 1>, two = array<i32: 2, 3>}, s = "text", u = 3 : ui64, v = [1 : ui32], w = -1 : i64, xmodel.args = ["input", "indices"]}
  // TEXT: op "custom" : Mine -> float32 [1, 3]
  // TEXT-NEXT: arg input ("flat")
  // TEXT-NEXT: arg indices ("index")
  // TEXT-NEXT: a : int32 = 1
  // TEXT-NEXT: b : bool = true
  // TEXT-NEXT: bytes : bytes = bytes(2: 01 ff)
  // TEXT-NEXT: c : int32_vec = [1, 2]
  // TEXT-NEXT: d : double = 2.5
  // TEXT-NEXT: e : string_vec = ["x", "y"]
  // TEXT-NEXT: f : float_vec = [0.5]
  // TEXT-NEXT: g : map_string_2_int32 = {"one": 1, "two": 2}
  // TEXT-NEXT: h : map_string_2_int32_vec = {"one": [1], "two": [2, 3]}
  // TEXT-NEXT: s : string = "text"
  // TEXT-NEXT: u : uint64 = 3
  // TEXT-NEXT: v : uint32_vec = [1]
  // TEXT-NEXT: w : int64 = -1
  // TEXT-NEXT: tensor "custom"
  %custom = "tir.custom"(%f, %index) {op_name = "custom", op_type = "Mine", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, payload = {a = 1 : i32, b = true, bytes = array<i8: 1, -1>, c = array<i32: 1, 2>, d = 2.5 : f64, e = ["x", "y"], f = array<f32: 0.5>, g = {one = 1 : i32, two = 2 : i32}, h = {one = array<i32: 1>, two = array<i32: 2, 3>}, s = "text", u = 3 : ui64, v = [1 : ui32], w = -1 : i64, xmodel.args = ["input", "indices"]}} : (tensor<1x4xf32>, tensor<1x2xi32>) -> tensor<1x3xf32>
  return %u, %image, %custom : tensor<1x16x16x4xi8>, tensor<1x8x8x4xf32>, tensor<1x3xf32>
}
