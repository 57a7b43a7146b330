// RUN: xc-opt %s --convert-tosa-to-tir | FileCheck %s

// CHECK-NOT: tosa.

// CHECK-LABEL: func.func @unary
// CHECK: tir.abs
// CHECK: tir.ceil
// CHECK: tir.cos
// CHECK: tir.erf
// CHECK: tir.exp
// CHECK: tir.floor
// CHECK: tir.log"
// CHECK: tir.rsqrt
// CHECK: tir.sigmoid
// CHECK: tir.sin
// CHECK: tir.tanh
func.func @unary(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = tosa.ceil %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.cos %c : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = tosa.erf %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = tosa.exp %2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.floor %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.log %4 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = tosa.rsqrt %5 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = tosa.sigmoid %6 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = tosa.sin %s : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = tosa.tanh %7 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = tosa.identity %8 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @binary
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<1x3xf32>
// CHECK: %[[ADD:.*]] = "tir.add"(%[[A]], %[[B]])
// CHECK: "tir.sub"(%[[ADD]], %[[B]])
// CHECK: tir.mul
// CHECK: tir.max
// CHECK: tir.min
// CHECK: tir.pow
func.func @binary(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.sub %0, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %2 = tosa.mul %1, %b, %s : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
  %3 = tosa.maximum %2, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.minimum %3, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.pow %4, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}

// Products of bytes have 32 bits.
// CHECK-LABEL: func.func @integers
// CHECK: "tir.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xi32>
// CHECK: "tir.mul"({{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK: tir.div
// CHECK: %[[ONES:.*]] = "tir.const"() {value = dense<-1> : tensor<i32>}
// CHECK: "tir.sub"(%[[ONES]],
func.func @integers(%a: tensor<4xi8>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %a, %s : (tensor<4xi8>, tensor<4xi8>, tensor<1xi8>) -> tensor<4xi32>
  %1 = tosa.intdiv %0, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = tosa.bitwise_not %1 : (tensor<4xi32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}

// CHECK-LABEL: func.func @reciprocal
// CHECK: %[[ONE:.*]] = "tir.const"() {value = dense<1.000000e+00> : tensor<f32>}
// CHECK: "tir.div"(%[[ONE]],
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.reciprocal %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @clamp
// CHECK: "tir.relu"(
// CHECK: "tir.relu6"(
// CHECK: "tir.clip"({{.*}}) {max = 3.000000e+00 : f32, min = -1.000000e+00 : f32}
func.func @clamp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.4028234663852886e38 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.clamp %1 {min_val = -1.0 : f32, max_val = 3.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// The limits of tir.clip have 24 bits: 32-bit integers are compared with
// constants, where the limit is not that of the type.
// CHECK-LABEL: func.func @clamp_integers
// CHECK: "tir.clip"({{.*}}) {max = 1.200000e+01 : f32, min = -3.000000e+00 : f32} : (tensor<4xi8>)
// CHECK-NEXT: "tir.relu"
// CHECK-NEXT: dense<16777217>
// CHECK-NEXT: tir.max
// CHECK-NOT: tir.min
func.func @clamp_integers(%x: tensor<4xi8>, %y: tensor<4xi32>) -> (tensor<4xi8>, tensor<4xi32>) {
  %0 = tosa.clamp %x {min_val = -3 : i8, max_val = 12 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %1 = tosa.clamp %0 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %2 = tosa.clamp %1 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %3 = tosa.clamp %y {min_val = 16777217 : i32, max_val = 2147483647 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  return %2, %3 : tensor<4xi8>, tensor<4xi32>
}

// CHECK-LABEL: func.func @negate
// CHECK: "tir.neg"(%{{.*}}) : (tensor<4xf32>)
// CHECK: dense<5> : tensor<i32>
// CHECK: tir.sub
// CHECK: "tir.clip"({{.*}}) {max = 1.270000e+02 : f32, min = -1.280000e+02 : f32}
// CHECK: "tir.cast"({{.*}}) : (tensor<4xi32>) -> tensor<4xi8>
func.func @negate(%x: tensor<4xf32>, %y: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
  %zf = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z2 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.negate %x, %zf, %zf : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = tosa.negate %y, %z2, %z3 : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0, %1 : tensor<4xf32>, tensor<4xi8>
}

// CHECK-LABEL: func.func @truth
// CHECK: "tir.compare"({{.*}}) {predicate = "EQ"}
// CHECK: "tir.compare"({{.*}}) {predicate = "GT"}
// CHECK: "tir.compare"({{.*}}) {predicate = "GE"}
// CHECK: type = "AND"
// CHECK: type = "OR"
// CHECK: type = "XOR"
// CHECK: type = "NOT"
// CHECK: tir.select
func.func @truth(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.equal %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = tosa.greater %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = tosa.greater_equal %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = tosa.logical_and %0, %1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = tosa.logical_or %3, %2 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = tosa.logical_xor %4, %2 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %6 = tosa.logical_not %5 : (tensor<4xi1>) -> tensor<4xi1>
  %7 = tosa.select %6, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// Floats are rounded before they become integers.
// CHECK-LABEL: func.func @cast
// CHECK: tir.round
// CHECK: "tir.cast"({{.*}}) {saturate = true} : (tensor<4xf32>) -> tensor<4xi8>
// CHECK: "tir.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xf32>
func.func @cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  %1 = tosa.cast %0 : (tensor<4xi8>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @table
// CHECK: "tir.cast"({{.*}}) : (tensor<4xi8>) -> tensor<4xi32>
// CHECK: dense<128>
// CHECK: "tir.gather"({{.*}}) {axis = 0 : i32} : (tensor<256xi8>, tensor<4xi32>) -> tensor<4xi8>
func.func @table(%x: tensor<4xi8>) -> tensor<4xi8> {
  %t = "tosa.const"() <{values = dense<7> : tensor<256xi8>}> : () -> tensor<256xi8>
  %0 = tosa.table %x, %t : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// CHECK-LABEL: func.func @custom
// CHECK: "tir.custom"(%{{.*}}) {op_type = "shuffle", {{.*}}payload = {domain_name = "mine", implementation_attrs = "x=1"}
func.func @custom(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = tosa.custom %x {operator_name = "shuffle", domain_name = "mine", implementation_attrs = "x=1"} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
