// REQUIRES: mlir
// RUN: xc-opt %s --tir-tabulate --mlir-print-local-scope --mlir-pass-statistics > %t.txt 2> %t.statistics
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=COUNT < %t.statistics
// RUN: xc-opt %s --tir-tabulate=channels=false --mlir-print-local-scope | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/chain.py 32 | xc-opt --tir-tabulate - | FileCheck %s --check-prefix=WHOLE
// RUN: %python %S/Inputs/chain.py 33 | xc-opt --tir-tabulate - | FileCheck %s --check-prefix=LONG

// Of a longer chain the first 32 operators.
// WHOLE: %[[T:.*]] = "tir.table"(%arg0
// WHOLE-NEXT: return %[[T]]
// LONG: %[[T:.*]] = "tir.table"(%arg0
// LONG-NEXT: %[[N:.*]] = "tir.neg"(%[[T]])
// LONG-NEXT: return %[[N]]

// COUNT: (S) 8 num-tables

// The entry of 0 is sigmoid(0) * 128 = 64, that of 1 sigmoid(1/4) * 128 = 72;
// those of 127 and -128 are 127 and 0, that of -1 is 56.
// CHECK-LABEL: @scores
// CHECK-NEXT: dense<"0x4048{{.*}}7F00{{.*}}38"> : tensor<256xi8>
// CHECK-NEXT: "tir.table"({{.*}}) {op_name = "scores"} : (tensor<1x8x8x4xi8>, tensor<256xi8>) -> tensor<1x8x8x4xi8>
// CHECK-NEXT: return
func.func @scores(%x: tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xi8> {
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.float2fix"(%1) {fix_point = 7 : i32, op_name = "scores"} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xi8>
  return %2 : tensor<1x8x8x4xi8>
}

// The second channel is negated: where the first one has 0, 1, 2, ..., 127 and
// zeros, it has zeros and then 127 of -128, 127, 126, ..., 1 of -1.
// CHECK-LABEL: @silu_of_channels
// CHECK-NEXT: dense<"0x000102{{[^"]*}}7D7E7F000000{{0*}}7F7F7E7D{{[^"]*}}0201"> : tensor<2x256xi8>
// CHECK-NEXT: "tir.table"(%arg0, {{.*}}) : (tensor<1x16x16x2xi8>, tensor<2x256xi8>) -> tensor<1x16x16x2xi8>
// CHECK-NEXT: return
// ONE-LABEL: @silu_of_channels
// ONE-NOT: tir.table
// ONE-LABEL: @real
func.func @silu_of_channels(%x: tensor<1x16x16x2xi8>) -> tensor<1x16x16x2xi8> {
  %c = "tir.const"() {value = dense<[1.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.fix2float"(%x) {fix_point = 0 : i32} : (tensor<1x16x16x2xi8>) -> tensor<1x16x16x2xf32>
  %1 = "tir.mul"(%0, %c) : (tensor<1x16x16x2xf32>, tensor<2xf32>) -> tensor<1x16x16x2xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xf32>
  %3 = "tir.mul"(%1, %2) : (tensor<1x16x16x2xf32>, tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xf32>
  %4 = "tir.float2fix"(%3) {fix_point = 0 : i32} : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xi8>
  return %4 : tensor<1x16x16x2xi8>
}

// Entries may be real numbers; exp(0) is 1.
// CHECK-LABEL: @real
// CHECK-NEXT: dense<"0x0000803F{{.*}}"> : tensor<256xf32>
// CHECK-NEXT: "tir.table"
// CHECK-NEXT: return
// ONE: tensor<256xf32>
func.func @real(%x: tensor<32x16xi8>) -> tensor<32x16xf32> {
  %0 = "tir.fix2float"(%x) {fix_point = 5 : i32} : (tensor<32x16xi8>) -> tensor<32x16xf32>
  %1 = "tir.exp"(%0) : (tensor<32x16xf32>) -> tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}

// The entries of bytes 127, 128 and 129 are 124, 128 and 132: tanh(1/32) * 128.
// CHECK-LABEL: @unsigned
// CHECK-NEXT: dense<"0x00{{[^"]*}}787C8084{{[^"]*}}FF"> : tensor<256xui8>
// CHECK-NEXT: "tir.table"(%arg0, {{.*}}) : (tensor<1x8x8x4xui8>, tensor<256xui8>) -> tensor<1x8x8x4xui8>
// CHECK-NEXT: return
func.func @unsigned(%x: tensor<1x8x8x4xui8>) -> tensor<1x8x8x4xui8> {
  %0 = "tir.dequantize-linear"(%x) {scale = [0.03125 : f32], zero_point = [128 : i32]} : (tensor<1x8x8x4xui8>) -> tensor<1x8x8x4xf32>
  %1 = "tir.tanh"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.quantize-linear"(%1) {scale = [0.0078125 : f32], zero_point = [128 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xui8>
  return %2 : tensor<1x8x8x4xui8>
}

// Two operators are worth a table, one is not.
// CHECK-LABEL: @two
// CHECK: tir.table
// CHECK-LABEL: @one
// CHECK-NOT: tir.table
func.func @two(%x: tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32> {
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32>
  %1 = "tir.hard-swish"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %1 : tensor<1x8x8x4xf32>
}
func.func @one(%x: tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32> {
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// Factors and numbers of channels, which canonicalisation makes of products and sums.
// CHECK-LABEL: @scale
// CHECK: "tir.table"{{.*}}tensor<4x256xf32>
func.func @scale(%x: tensor<1x16x16x4xi8>) -> tensor<1x16x16x4xf32> {
  %s = "tir.const"() {value = dense<[1.0, 0.5, 0.25, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "tir.const"() {value = dense<[0.5, 0.0, -1.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x16x16x4xi8>) -> tensor<1x16x16x4xf32>
  %1 = "tir.scale"(%0, %s, %b) : (tensor<1x16x16x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// What others read stays for them.
// CHECK-LABEL: @shared
// CHECK: %[[REAL:.*]] = "tir.fix2float"
// CHECK-NOT: tir.sigmoid
// CHECK: %[[TABLE:.*]] = "tir.table"
// CHECK: "tir.softmax"(%[[REAL]])
func.func @shared(%x: tensor<1x8x8x4xi8>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) {
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.softmax"(%0) {axis = 3 : i32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %1, %2 : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>
}

// As far as it is a function of one byte: the sum is not.
// CHECK-LABEL: @two_inputs
// CHECK: %[[TABLE:.*]] = "tir.table"(%arg0
// CHECK: %[[REAL:.*]] = "tir.fix2float"(%arg1)
// CHECK: "tir.add"(%[[TABLE]], %[[REAL]])
func.func @two_inputs(%x: tensor<1x8x8x4xi8>, %y: tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32> {
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.fix2float"(%y) {fix_point = 2 : i32} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xf32>
  %3 = "tir.add"(%1, %2) : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %3 : tensor<1x8x8x4xf32>
}

// A table of 256 entries for 255 elements.
// CHECK-LABEL: @small
// CHECK-NOT: tir.table
func.func @small(%x: tensor<1x1x255x1xi8>) -> tensor<1x1x255x1xf32> {
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x1x255x1xi8>) -> tensor<1x1x255x1xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x1x255x1xf32>) -> tensor<1x1x255x1xf32>
  return %1 : tensor<1x1x255x1xf32>
}

// Constants differ between rows, broadcasts, integers of 32 bits: none of them.
// CHECK-LABEL: @others
// CHECK-NOT: tir.table
func.func @others(%x: tensor<1x16x16x2xi8>, %y: tensor<1x16x1x2xi8>) -> (tensor<1x16x16x2xf32>, tensor<1x16x16x2xf32>, tensor<1x16x16x2xf32>) {
  %r = "tir.const"() {value = dense<3.0> : tensor<16x1x2xf32>} : () -> tensor<16x1x2xf32>
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x16x16x2xi8>) -> tensor<1x16x16x2xf32>
  %1 = "tir.div"(%0, %r) : (tensor<1x16x16x2xf32>, tensor<16x1x2xf32>) -> tensor<1x16x16x2xf32>
  %2 = "tir.fix2float"(%y) {fix_point = 2 : i32} : (tensor<1x16x1x2xi8>) -> tensor<1x16x1x2xf32>
  %3 = "tir.pow"(%0, %2) : (tensor<1x16x16x2xf32>, tensor<1x16x1x2xf32>) -> tensor<1x16x16x2xf32>
  %4 = "tir.cast"(%x) : (tensor<1x16x16x2xi8>) -> tensor<1x16x16x2xi32>
  %5 = "tir.mul"(%4, %4) : (tensor<1x16x16x2xi32>, tensor<1x16x16x2xi32>) -> tensor<1x16x16x2xi32>
  %6 = "tir.cast"(%5) : (tensor<1x16x16x2xi32>) -> tensor<1x16x16x2xf32>
  %7 = "tir.sqrt"(%6) : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xf32>
  return %1, %3, %7 : tensor<1x16x16x2xf32>, tensor<1x16x16x2xf32>, tensor<1x16x16x2xf32>
}
