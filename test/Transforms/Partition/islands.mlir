// RUN: xc-opt %s --tir-partition='outline=false' | FileCheck %s --check-prefix=KEEP
// RUN: xc-opt %s --tir-partition='outline=false islands=drop' | FileCheck %s --check-prefix=DROP
// RUN: xc-opt %s --tir-partition='outline=false islands=drop launch-us=1 cpu-macs-per-us=1' | FileCheck %s --check-prefix=KEEP
// RUN: echo '{"rules": [{"name": "small", "device": "DPU"}]}' > %t.json
// RUN: xc-opt %s --tir-partition='outline=false islands=drop placement=%t.json' | FileCheck %s --check-prefix=FORCED

// A large convolution, then a small one after an operator of the CPU with
// what follows it.
// KEEP: device = "DPU"{{.*}}op_name = "large"
// KEEP: device = "DPU"{{.*}}op_name = "small"
// KEEP: device = "DPU"{{.*}}op_name = "follower"
// DROP: device = "DPU"{{.*}}op_name = "large"
// DROP: device = "CPU"{{.*}}op_name = "small"{{.*}}xc.reason = "island: its subgraph of 2 operators takes 51.8 us on the DPU, transfers included, and 1.3 us on the CPU; fits with islands=keep"
// DROP: device = "CPU"{{.*}}op_name = "follower"
// FORCED: device = "DPU"{{.*}}op_name = "large"
// FORCED: device = "DPU"{{.*}}op_name = "small"

func.func @net(%a: tensor<1x64x64x64xi8>) -> tensor<1x1024xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64xi8>
  %v = "tir.const"() {value = dense<1> : tensor<1x1x1x64xi8>} : () -> tensor<1x1x1x64xi8>
  %0 = "tir.conv2d-fix"(%a, %w) {op_name = "large", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x64x64x64xi8>, tensor<64x3x3x64xi8>) -> tensor<1x64x64x64xi8>
  %1 = "tir.strided_slice-fix"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 64 : i32, 64 : i32, 64 : i32], strides = [1 : i32, 4 : i32, 4 : i32, 1 : i32]} : (tensor<1x64x64x64xi8>) -> tensor<1x16x16x64xi8>
  %2 = "tir.conv2d-fix"(%1, %v) {op_name = "small", kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x16x16x64xi8>, tensor<1x1x1x64xi8>) -> tensor<1x8x8x1xi8>
  %3 = "tir.upsample-fix"(%2) {op_name = "follower", scale = [4 : i32, 4 : i32]} : (tensor<1x8x8x1xi8>) -> tensor<1x32x32x1xi8>
  %4 = "tir.transpose-fix"(%3) {order = [3 : i32, 2 : i32, 1 : i32, 0 : i32]} : (tensor<1x32x32x1xi8>) -> tensor<1x32x32x1xi8>
  %5 = "tir.reshape-fix"(%4) {shape = [1 : i32, 1024 : i32]} : (tensor<1x32x32x1xi8>) -> tensor<1x1024xi8>
  return %5 : tensor<1x1024xi8>
}
