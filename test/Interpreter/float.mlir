// REQUIRES: mlir
// RUN: xc-test-pairs %s | FileCheck %s
// RUN: xc-test-pairs --cpu %s | FileCheck %s
// CHECK: functions are right

func.func @unary() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi64>) {
  %c0 = "tir.const"() {value = dense<[-2., 0.5, 8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r0 = "tir.relu"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c1 = "tir.const"() {value = dense<[0., 0.5, 8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r1 = "tir.leaky-relu"(%c0) {alpha = 0.25 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %c2 = "tir.const"() {value = dense<[-0.5, 0.5, 8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r2 = "tir.relu6"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c3 = "tir.const"() {value = dense<[0., 0.5, 6.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r3 = "tir.clip"(%c0) {min = -1.0 : f32, max = 2.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %c4 = "tir.const"() {value = dense<[-1., 0.5, 2.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r4 = "tir.hard-sigmoid"(%c0) {alpha = 0.5 : f32, beta = 0.5 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %c5 = "tir.const"() {value = dense<[0., 0.75, 1.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c6 = "tir.const"() {value = dense<[-4., 3., 0.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r5 = "tir.hard-swish"(%c6) : (tensor<3xf32>) -> tensor<3xf32>
  %c7 = "tir.const"() {value = dense<[-0., 3., 0.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r6 = "tir.neg"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c8 = "tir.const"() {value = dense<[2., -0.5, -8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r7 = "tir.abs"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c9 = "tir.const"() {value = dense<[2., 0.5, 8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c10 = "tir.const"() {value = dense<[-1.5, 2.5, 3.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r8 = "tir.floor"(%c10) : (tensor<3xf32>) -> tensor<3xf32>
  %c11 = "tir.const"() {value = dense<[-2., 2., 3.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r9 = "tir.ceil"(%c10) : (tensor<3xf32>) -> tensor<3xf32>
  %c12 = "tir.const"() {value = dense<[-1., 3., 3.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r10 = "tir.round"(%c10) : (tensor<3xf32>) -> tensor<3xf32>
  %c13 = "tir.const"() {value = dense<[4., 0.25, 9.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r11 = "tir.sqrt"(%c13) : (tensor<3xf32>) -> tensor<3xf32>
  %c14 = "tir.const"() {value = dense<[2., 0.5, 3.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c15 = "tir.const"() {value = dense<[4., 0.25, 1.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r12 = "tir.rsqrt"(%c15) : (tensor<3xf32>) -> tensor<3xf32>
  %c16 = "tir.const"() {value = dense<[0.5, 2., 1.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c17 = "tir.const"() {value = dense<[-128, 1]> : tensor<2xi8>} : () -> tensor<2xi8>
  %r13 = "tir.neg"(%c17) : (tensor<2xi8>) -> tensor<2xi8>
  %c18 = "tir.const"() {value = dense<[-128, -1]> : tensor<2xi8>} : () -> tensor<2xi8>
  %c19 = "tir.const"() {value = dense<[-5, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r14 = "tir.relu"(%c19) : (tensor<2xi32>) -> tensor<2xi32>
  %c20 = "tir.const"() {value = dense<[0, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %c21 = "tir.const"() {value = dense<[-9223372036854775807, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r15 = "tir.clip"(%c21) {min = -3.0 : f32, max = 9.0 : f32} : (tensor<2xi64>) -> tensor<2xi64>
  %c22 = "tir.const"() {value = dense<[-3, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  return %r0, %c1, %r1, %c2, %r2, %c3, %r3, %c4, %r4, %c5, %r5, %c7, %r6, %c8, %r7, %c9, %r8, %c11, %r9, %c12, %r10, %c11, %r11, %c14, %r12, %c16, %r13, %c18, %r14, %c20, %r15, %c22 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi64>
}

// Computed in double, rounded once; compiled code is near.
func.func @near_functions() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1xf16>, tensor<1xf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xf64>, tensor<1xf64>) {
  %c0 = "tir.const"() {value = dense<[0., 1., -1.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r0 = "tir.sigmoid"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c1 = "tir.const"() {value = dense<[0.5, 0.7310585786300049, 0.2689414213699951]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r1 = "tir.tanh"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c2 = "tir.const"() {value = dense<[0., 0.7615941559557649, -0.7615941559557649]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r2 = "tir.elu"(%c0) {alpha = 2.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %c3 = "tir.const"() {value = dense<[0., 1., -1.2642411176571153]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r3 = "tir.softplus"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c4 = "tir.const"() {value = dense<[0.6931471805599453, 1.3132616875182228, 0.31326168751822286]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r4 = "tir.exp"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  %c5 = "tir.const"() {value = dense<[1., 2.718281828459045, 0.36787944117144233]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c6 = "tir.const"() {value = dense<[1., 2., 0.5]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r5 = "tir.log"(%c6) : (tensor<3xf32>) -> tensor<3xf32>
  %c7 = "tir.const"() {value = dense<[0., 0.6931471805599453, -0.6931471805599453]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c8 = "tir.const"() {value = dense<[0., 0., 0.6931471805599453]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r6 = "tir.softmax"(%c8) : (tensor<3xf32>) -> tensor<3xf32>
  %c9 = "tir.const"() {value = dense<[0.25, 0.25, 0.5]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c10 = "tir.const"() {value = dense<[[0., 5.], [0., 5.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r7 = "tir.softmax"(%c10) {axis = 0 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c11 = "tir.const"() {value = dense<0.5> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %c12 = "tir.const"() {value = dense<[1., 1.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %r8 = "tir.log-softmax"(%c12) : (tensor<2xf32>) -> tensor<2xf32>
  %c13 = "tir.const"() {value = dense<-0.6931471805599453> : tensor<2xf32>} : () -> tensor<2xf32>
  %c14 = "tir.const"() {value = dense<[[[[1., 1., 1.]]]]> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %r9 = "tir.lrn"(%c14) {size = 3 : i32, alpha = 3.0 : f32, beta = 1.0 : f32, bias = 1.0 : f32} : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
  %c15 = "tir.const"() {value = dense<[[[[0.3333333333333333, 0.25, 0.3333333333333333]]]]> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %c16 = "tir.const"() {value = dense<0.> : tensor<1xf16>} : () -> tensor<1xf16>
  %r10 = "tir.sigmoid"(%c16) : (tensor<1xf16>) -> tensor<1xf16>
  %c17 = "tir.const"() {value = dense<0.5> : tensor<1xf16>} : () -> tensor<1xf16>
  %c18 = "tir.const"() {value = dense<1.> : tensor<1xbf16>} : () -> tensor<1xbf16>
  %r11 = "tir.exp"(%c18) : (tensor<1xbf16>) -> tensor<1xbf16>
  %c19 = "tir.const"() {value = dense<2.71875> : tensor<1xbf16>} : () -> tensor<1xbf16>
  %c20 = "tir.const"() {value = dense<0.> : tensor<1xf64>} : () -> tensor<1xf64>
  %r12 = "tir.exp"(%c20) : (tensor<1xf64>) -> tensor<1xf64>
  %c21 = "tir.const"() {value = dense<1.> : tensor<1xf64>} : () -> tensor<1xf64>
  return %r0, %c1, %r1, %c2, %r2, %c3, %r3, %c4, %r4, %c5, %r5, %c7, %r6, %c9, %r7, %c11, %r8, %c13, %r9, %c15, %r10, %c17, %r11, %c19, %r12, %c21 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1xf16>, tensor<1xf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xf64>, tensor<1xf64>
}

// Operands broadcast; integers wrap and truncate.
func.func @binary() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xui8>, tensor<3xi32>, tensor<3xi32>, tensor<2xui64>, tensor<2xui64>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %c0 = "tir.const"() {value = dense<[[6., -2.]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %c1 = "tir.const"() {value = dense<[[2.], [3.]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %r0 = "tir.add"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c2 = "tir.const"() {value = dense<[[8., 0.], [9., 1.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r1 = "tir.sub"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c3 = "tir.const"() {value = dense<[[4., -4.], [3., -5.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r2 = "tir.mul"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c4 = "tir.const"() {value = dense<[[12., -4.], [18., -6.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r3 = "tir.div"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c5 = "tir.const"() {value = dense<[[3., -1.], [2., -0.6666666666666666]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r4 = "tir.pow"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c6 = "tir.const"() {value = dense<[[36., 4.], [216., -8.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r5 = "tir.min"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c7 = "tir.const"() {value = dense<[[2., -2.], [3., -2.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r6 = "tir.max"(%c0, %c1) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %c8 = "tir.const"() {value = dense<[[6., 2.], [6., 3.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %c9 = "tir.const"() {value = dense<[-7, -128]> : tensor<2xi8>} : () -> tensor<2xi8>
  %c10 = "tir.const"() {value = dense<[2, -1]> : tensor<2xi8>} : () -> tensor<2xi8>
  %r7 = "tir.div"(%c9, %c10) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %c11 = "tir.const"() {value = dense<[-3, -128]> : tensor<2xi8>} : () -> tensor<2xi8>
  %c12 = "tir.const"() {value = dense<[200, 1]> : tensor<2xui8>} : () -> tensor<2xui8>
  %c13 = "tir.const"() {value = dense<[100, 1]> : tensor<2xui8>} : () -> tensor<2xui8>
  %r8 = "tir.add"(%c12, %c13) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %c14 = "tir.const"() {value = dense<[44, 2]> : tensor<2xui8>} : () -> tensor<2xui8>
  %c15 = "tir.const"() {value = dense<[2, -1, 3]> : tensor<3xi32>} : () -> tensor<3xi32>
  %c16 = "tir.const"() {value = dense<[10, -3, -1]> : tensor<3xi32>} : () -> tensor<3xi32>
  %r9 = "tir.pow"(%c15, %c16) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %c17 = "tir.const"() {value = dense<[1024, -1, 0]> : tensor<3xi32>} : () -> tensor<3xi32>
  %c18 = "tir.const"() {value = dense<[18446744073709551615, 1]> : tensor<2xui64>} : () -> tensor<2xui64>
  %c19 = "tir.const"() {value = dense<[1, 2]> : tensor<2xui64>} : () -> tensor<2xui64>
  %r10 = "tir.max"(%c18, %c19) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  %c20 = "tir.const"() {value = dense<[18446744073709551615, 2]> : tensor<2xui64>} : () -> tensor<2xui64>
  %c21 = "tir.const"() {value = dense<[[0.5, 0.25]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %r11 = "tir.prelu"(%c0, %c21) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %c22 = "tir.const"() {value = dense<[[6., -0.5]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  return %r0, %c2, %r1, %c3, %r2, %c4, %r3, %c5, %r4, %c6, %r5, %c7, %r6, %c8, %r7, %c11, %r8, %c14, %r9, %c17, %r10, %c20, %r11, %c22 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xui8>, tensor<3xi32>, tensor<3xi32>, tensor<2xui64>, tensor<2xui64>, tensor<1x2xf32>, tensor<1x2xf32>
}

func.func @truth() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<3xf16>, tensor<3xf16>) {
  %c0 = "tir.const"() {value = dense<[1, 2, 3]> : tensor<3xi32>} : () -> tensor<3xi32>
  %c1 = "tir.const"() {value = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %r0 = "tir.compare"(%c0, %c1) {predicate = "LT"} : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xi1>
  %c2 = "tir.const"() {value = dense<[true, false, false]> : tensor<3xi1>} : () -> tensor<3xi1>
  %c3 = "tir.const"() {value = dense<[1., 2., 0x7fc00000]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c4 = "tir.const"() {value = dense<2.> : tensor<1xf32>} : () -> tensor<1xf32>
  %r1 = "tir.compare"(%c3, %c4) {predicate = "GE"} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xi1>
  %c5 = "tir.const"() {value = dense<[false, true, false]> : tensor<3xi1>} : () -> tensor<3xi1>
  %r2 = "tir.compare"(%c3, %c4) {predicate = "NE"} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xi1>
  %c6 = "tir.const"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %c7 = "tir.const"() {value = dense<[true, true, false]> : tensor<3xi1>} : () -> tensor<3xi1>
  %r3 = "tir.logical"(%c7, %c2) {type = "XOR"} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %r4 = "tir.logical"(%c2) {type = "NOT"} : (tensor<3xi1>) -> tensor<3xi1>
  %c8 = "tir.const"() {value = dense<[false, true, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %c9 = "tir.const"() {value = dense<[-2., 0.5, 8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c10 = "tir.const"() {value = dense<9.> : tensor<1xf32>} : () -> tensor<1xf32>
  %r5 = "tir.select"(%c6, %c9, %c10) : (tensor<3xi1>, tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  %c11 = "tir.const"() {value = dense<[-2., 9., 8.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c12 = "tir.const"() {value = dense<[-1.9, 2.9, 300.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r6 = "tir.cast"(%c12) : (tensor<3xf32>) -> tensor<3xi8>
  %c13 = "tir.const"() {value = dense<[-1, 2, 44]> : tensor<3xi8>} : () -> tensor<3xi8>
  %r7 = "tir.cast"(%c12) {saturate = true} : (tensor<3xf32>) -> tensor<3xi8>
  %c14 = "tir.const"() {value = dense<[-1, 2, 127]> : tensor<3xi8>} : () -> tensor<3xi8>
  %c15 = "tir.const"() {value = dense<[-1, 2, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %r8 = "tir.cast"(%c15) : (tensor<3xi8>) -> tensor<3xui8>
  %c16 = "tir.const"() {value = dense<[255, 2, 3]> : tensor<3xui8>} : () -> tensor<3xui8>
  %c17 = "tir.const"() {value = dense<[-1, 0, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %r9 = "tir.cast"(%c17) : (tensor<3xi8>) -> tensor<3xi1>
  %r10 = "tir.cast"(%c6) : (tensor<3xi1>) -> tensor<3xf32>
  %c18 = "tir.const"() {value = dense<[1., 0., 1.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c19 = "tir.const"() {value = dense<[2049., 1., 65520.]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r11 = "tir.cast"(%c19) : (tensor<3xf32>) -> tensor<3xf16>
  %c20 = "tir.const"() {value = dense<[2048., 1., 0x7C00]> : tensor<3xf16>} : () -> tensor<3xf16>
  return %r0, %c2, %r1, %c5, %r2, %c6, %r3, %c5, %r4, %c8, %r5, %c11, %r6, %c13, %r7, %c14, %r8, %c16, %r9, %c6, %r10, %c18, %r11, %c20 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<3xf16>, tensor<3xf16>
}

func.func @normalisation() -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %c0 = "tir.const"() {value = dense<[[1., 2.]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %c1 = "tir.const"() {value = dense<[1., 1.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c2 = "tir.const"() {value = dense<[4., 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c3 = "tir.const"() {value = dense<[2., 3.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c4 = "tir.const"() {value = dense<[10., 20.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %r0 = "tir.batchnorm"(%c0, %c1, %c2, %c3, %c4) {epsilon = 0.0 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %c5 = "tir.const"() {value = dense<[[10., 26.]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %c6 = "tir.const"() {value = dense<[[1., 2.], [3., 4.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %c7 = "tir.const"() {value = dense<[0., 1.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %r1 = "tir.scale"(%c6, %c3, %c7) {axis = 0 : i32} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %c8 = "tir.const"() {value = dense<[[2., 4.], [10., 13.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  return %r0, %c5, %r1, %c8 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

func.func @reductions() -> (tensor<2xf32>, tensor<2xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<f32>, tensor<f32>, tensor<i8>, tensor<i8>, tensor<2xi64>, tensor<2xi64>, tensor<1xi32>, tensor<1xi32>) {
  %c0 = "tir.const"() {value = dense<[[1., 2., 3.], [4., 9., 6.]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %r0 = "tir.reduction_sum"(%c0) {axis = [1 : i32]} : (tensor<2x3xf32>) -> tensor<2xf32>
  %c1 = "tir.const"() {value = dense<[6., 19.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %r1 = "tir.reduction_mean"(%c0) {axis = [0 : i32], keep_dims = true} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %c2 = "tir.const"() {value = dense<[[2.5, 5.5, 4.5]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %r2 = "tir.reduction_max"(%c0) {axis = [0 : i32, -1 : i32]} : (tensor<2x3xf32>) -> tensor<f32>
  %c3 = "tir.const"() {value = dense<9.> : tensor<f32>} : () -> tensor<f32>
  %c4 = "tir.const"() {value = dense<[100, 100]> : tensor<2xi8>} : () -> tensor<2xi8>
  %r3 = "tir.reduction_sum"(%c4) {axis = [0 : i32]} : (tensor<2xi8>) -> tensor<i8>
  %c5 = "tir.const"() {value = dense<-56> : tensor<i8>} : () -> tensor<i8>
  %r4 = "tir.argmax"(%c0) {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2xi64>
  %c6 = "tir.const"() {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %c7 = "tir.const"() {value = dense<[7, 7, 1]> : tensor<3xui8>} : () -> tensor<3xui8>
  %r5 = "tir.argmax"(%c7) {axis = 0 : i32, select_last = true, keep_dims = true} : (tensor<3xui8>) -> tensor<1xi32>
  %c8 = "tir.const"() {value = dense<[1]> : tensor<1xi32>} : () -> tensor<1xi32>
  return %r0, %c1, %r1, %c2, %r2, %c3, %r3, %c5, %r4, %c6, %r5, %c8 : tensor<2xf32>, tensor<2xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<f32>, tensor<f32>, tensor<i8>, tensor<i8>, tensor<2xi64>, tensor<2xi64>, tensor<1xi32>, tensor<1xi32>
}

func.func @moves() -> (tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<4xi8>, tensor<4xi8>, tensor<2x2xi16>, tensor<2x2xi16>, tensor<3x1xi64>, tensor<3x1xi64>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2xi8>, tensor<2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x1x1x8xi8>, tensor<1x1x1x8xi8>, tensor<1x1x1x8xi8>, tensor<1x1x1x8xi8>, tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>, tensor<2x1x2x1xi8>, tensor<2x1x2x1xi8>, tensor<1x1x2x1xi8>, tensor<1x1x2x1xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = "tir.const"() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %r0 = "tir.pad"(%c0) {paddings = [2 : i32, 1 : i32], constant_value = 9.0 : f32} : (tensor<3xi8>) -> tensor<6xi8>
  %c1 = "tir.const"() {value = dense<[9, 9, 1, 2, 3, 9]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r1 = "tir.pad"(%c0) {paddings = [2 : i32, 1 : i32], mode = "REFLECT"} : (tensor<3xi8>) -> tensor<6xi8>
  %c2 = "tir.const"() {value = dense<[3, 2, 1, 2, 3, 2]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r2 = "tir.pad"(%c0) {paddings = [2 : i32, 1 : i32], mode = "SYMMETRIC"} : (tensor<3xi8>) -> tensor<6xi8>
  %c3 = "tir.const"() {value = dense<[2, 1, 1, 2, 3, 3]> : tensor<6xi8>} : () -> tensor<6xi8>
  %r3 = "tir.pad"(%c0) {paddings = [2 : i32, -1 : i32], mode = "EDGE"} : (tensor<3xi8>) -> tensor<4xi8>
  %c4 = "tir.const"() {value = dense<[1, 1, 1, 2]> : tensor<4xi8>} : () -> tensor<4xi8>
  %c5 = "tir.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>} : () -> tensor<2x2xi16>
  %r4 = "tir.transpose"(%c5) {order = [1 : i32, 0 : i32]} : (tensor<2x2xi16>) -> tensor<2x2xi16>
  %c6 = "tir.const"() {value = dense<[[1, 3], [2, 4]]> : tensor<2x2xi16>} : () -> tensor<2x2xi16>
  %c7 = "tir.const"() {value = dense<[1, 2, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %r5 = "tir.reshape"(%c7) {shape = [-1 : i32, 1 : i32]} : (tensor<3xi64>) -> tensor<3x1xi64>
  %c8 = "tir.const"() {value = dense<[[1], [2], [3]]> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
  %c9 = "tir.const"() {value = dense<[[[[1.], [2.]], [[3.], [4.]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %r6 = "tir.flatten"(%c9) : (tensor<1x2x2x1xf32>) -> tensor<1x4xf32>
  %c10 = "tir.const"() {value = dense<[[1., 2., 3., 4.]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %r7 = "tir.squeeze"(%c9) {axis = [0 : i32, 3 : i32]} : (tensor<1x2x2x1xf32>) -> tensor<2x2xf32>
  %c11 = "tir.const"() {value = dense<[[1., 2.], [3., 4.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r8 = "tir.expand"(%c0) {shape = [2 : i32, 3 : i32]} : (tensor<3xi8>) -> tensor<2x3xi8>
  %c12 = "tir.const"() {value = dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %r9 = "tir.strided_slice"(%c0) {begin = [2 : i32], end = [-2147483648 : i32], strides = [-2 : i32]} : (tensor<3xi8>) -> tensor<2xi8>
  %c13 = "tir.const"() {value = dense<[3, 1]> : tensor<2xi8>} : () -> tensor<2xi8>
  %c14 = "tir.const"() {value = dense<[[[[1, 2, 3, 4, 5, 6, 7, 8]]]]> : tensor<1x1x1x8xi8>} : () -> tensor<1x1x1x8xi8>
  %r10 = "tir.pixel-shuffle"(%c14) {scale = 2 : i32} : (tensor<1x1x1x8xi8>) -> tensor<1x2x2x2xi8>
  %c15 = "tir.const"() {value = dense<[[[[1, 5], [2, 6]], [[3, 7], [4, 8]]]]> : tensor<1x2x2x2xi8>} : () -> tensor<1x2x2x2xi8>
  %r11 = "tir.pixel-shuffle"(%c14) {scale = 2 : i32, mode = "DCR"} : (tensor<1x1x1x8xi8>) -> tensor<1x2x2x2xi8>
  %c16 = "tir.const"() {value = dense<[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]> : tensor<1x2x2x2xi8>} : () -> tensor<1x2x2x2xi8>
  %r12 = "tir.pixel-shuffle"(%c15) {scale = 2 : i32, upscale = false} : (tensor<1x2x2x2xi8>) -> tensor<1x1x1x8xi8>
  %r13 = "tir.reorg"(%c16) {scale = 2 : i32} : (tensor<1x2x2x2xi8>) -> tensor<1x1x1x8xi8>
  %c17 = "tir.const"() {value = dense<[[[[1, 2, 3, 4]]]]> : tensor<1x1x1x4xi8>} : () -> tensor<1x1x1x4xi8>
  %r14 = "tir.gstiling"(%c17) {stride = 2 : i32, reverse = true} : (tensor<1x1x1x4xi8>) -> tensor<1x2x2x1xi8>
  %c18 = "tir.const"() {value = dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %c19 = "tir.const"() {value = dense<[[[[1], [2]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %r15 = "tir.space-to-batch"(%c19) {block_shape = [2 : i32, 1 : i32], paddings = [1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x2x1xi8>) -> tensor<2x1x2x1xi8>
  %c20 = "tir.const"() {value = dense<[[[[0], [2]]], [[[1], [0]]]]> : tensor<2x1x2x1xi8>} : () -> tensor<2x1x2x1xi8>
  %r16 = "tir.batch-to-space"(%c20) {block_shape = [2 : i32, 1 : i32], crops = [1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<2x1x2x1xi8>) -> tensor<1x1x2x1xi8>
  %c21 = "tir.const"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %c22 = "tir.const"() {value = dense<[-1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r17 = "tir.gather"(%c21, %c22) {axis = 1 : i32} : (tensor<2x3xi8>, tensor<2xi32>) -> tensor<2x2xi8>
  %c23 = "tir.const"() {value = dense<[[3, 1], [6, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %c24 = "tir.const"() {value = dense<[[1], [2]]> : tensor<2x1xi8>} : () -> tensor<2x1xi8>
  %c25 = "tir.const"() {value = dense<[[3, 4], [5, 6]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %r18 = "tir.concat"(%c24, %c25) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x1xi8>, tensor<2x2xi8>) -> tensor<2x3xi8>
  %c26 = "tir.const"() {value = dense<[[1, 3, 4], [2, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %c27 = "tir.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
  %c28 = "tir.const"() {value = dense<[3, 4]> : tensor<2xi8>} : () -> tensor<2xi8>
  %r19 = "tir.stack"(%c27, %c28) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  %c29 = "tir.const"() {value = dense<[[1, 3], [2, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %r20 = "tir.data"() : () -> tensor<2xf32>
  %c30 = "tir.const"() {value = dense<0.> : tensor<2xf32>} : () -> tensor<2xf32>
  return %r0, %c1, %r1, %c2, %r2, %c3, %r3, %c4, %r4, %c6, %r5, %c8, %r6, %c10, %r7, %c11, %r8, %c12, %r9, %c13, %r10, %c15, %r11, %c16, %r12, %c14, %r13, %c14, %r14, %c18, %r15, %c20, %r16, %c19, %r17, %c23, %r18, %c26, %r19, %c29, %r20, %c30 : tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<4xi8>, tensor<4xi8>, tensor<2x2xi16>, tensor<2x2xi16>, tensor<3x1xi64>, tensor<3x1xi64>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2xi8>, tensor<2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x1x1x8xi8>, tensor<1x1x1x8xi8>, tensor<1x1x1x8xi8>, tensor<1x1x1x8xi8>, tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>, tensor<2x1x2x1xi8>, tensor<2x1x2x1xi8>, tensor<1x1x2x1xi8>, tensor<1x1x2x1xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xf32>, tensor<2xf32>
}

func.func @resize() -> (tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>, tensor<1x1x1x1xi64>) {
  %c0 = "tir.const"() {value = dense<[[[[0.], [4.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %r0 = "tir.resize"(%c0) {size = [4 : i32, 1 : i32]} : (tensor<1x1x2x1xf32>) -> tensor<1x1x4x1xf32>
  %c1 = "tir.const"() {value = dense<[[[[0.], [0.], [4.], [4.]]]]> : tensor<1x1x4x1xf32>} : () -> tensor<1x1x4x1xf32>
  %r1 = "tir.resize"(%c0) {size = [4 : i32, 1 : i32], mode = "BILINEAR"} : (tensor<1x1x2x1xf32>) -> tensor<1x1x4x1xf32>
  %c2 = "tir.const"() {value = dense<[[[[0.], [2.], [4.], [4.]]]]> : tensor<1x1x4x1xf32>} : () -> tensor<1x1x4x1xf32>
  %r2 = "tir.resize"(%c0) {size = [4 : i32, 1 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x1x2x1xf32>) -> tensor<1x1x4x1xf32>
  %c3 = "tir.const"() {value = dense<[[[[0.], [1.], [3.], [4.]]]]> : tensor<1x1x4x1xf32>} : () -> tensor<1x1x4x1xf32>
  %r3 = "tir.resize"(%c0) {size = [3 : i32, 1 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  %c4 = "tir.const"() {value = dense<[[[[0.], [2.], [4.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  %r4 = "tir.resize"(%c0) {size = [2 : i32, 1 : i32], mode = "BICUBIC", align_corners = true} : (tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  %r5 = "tir.resize"(%c0) {size = [3 : i32, 1 : i32], coordinate_mode = "TF_CROP_AND_RESIZE", mode = "BILINEAR", roi = [0.0 : f32, 2.0 : f32, 0.0 : f32, 1.0 : f32], extrapolation_value = 7.0 : f32} : (tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  %c5 = "tir.const"() {value = dense<[[[[0.], [4.], [7.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  %c6 = "tir.const"() {value = dense<[[[[5.], [5.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %r6 = "tir.resize"(%c6) {size = [1 : i32, 1 : i32], mode = "BILINEAR", antialias = true, half_pixel_centers = true, scale = [0.0 : f32, 1.0 : f32]} : (tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  %c7 = "tir.const"() {value = dense<[[[[0.]]]]> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %c8 = "tir.const"() {value = dense<[[[[5], [6]]]]> : tensor<1x1x2x1xi64>} : () -> tensor<1x1x2x1xi64>
  %r7 = "tir.resize"(%c8) {size = [1 : i32, 1 : i32]} : (tensor<1x1x2x1xi64>) -> tensor<1x1x1x1xi64>
  %c9 = "tir.const"() {value = dense<[[[[5]]]]> : tensor<1x1x1x1xi64>} : () -> tensor<1x1x1x1xi64>
  return %r0, %c1, %r1, %c2, %r2, %c3, %r3, %c4, %r4, %c0, %r5, %c5, %r6, %c7, %r7, %c9 : tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>, tensor<1x1x1x1xi64>
}

// Position 14 of 29 is that of element 3 of 7, and not just above it.
func.func @resize_symmetric() -> (tensor<1x1x29x1xf32>, tensor<1x1x29x1xf32>) {
  %c0 = "tir.const"() {value = dense<[[[[0.], [1.], [2.], [3.], [4.], [5.], [6.]]]]> : tensor<1x1x7x1xf32>} : () -> tensor<1x1x7x1xf32>
  %r0 = "tir.resize"(%c0) {size = [29 : i32, 1 : i32], coordinate_mode = "HALF_PIXEL_SYMMETRIC", nearest_mode = "CEIL"} : (tensor<1x1x7x1xf32>) -> tensor<1x1x29x1xf32>
  %c1 = "tir.const"() {value = dense<[[[[0.], [0.], [1.], [1.], [1.], [1.], [2.], [2.], [2.], [2.], [3.], [3.], [3.], [3.], [3.], [4.], [4.], [4.], [4.], [5.], [5.], [5.], [5.], [6.], [6.], [6.], [6.], [6.], [6.]]]]> : tensor<1x1x29x1xf32>} : () -> tensor<1x1x29x1xf32>
  return %r0, %c1 : tensor<1x1x29x1xf32>, tensor<1x1x29x1xf32>
}

// A square of 2, one of sqrt(2 * 8) = 4, then 4:1 and 1:4, around the centre of 8x8.
func.func @priorbox() -> (tensor<1x2x16xf32>, tensor<1x2x16xf32>) {
  %c0 = "tir.const"() {value = dense<0.> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %c1 = "tir.const"() {value = dense<0.> : tensor<1x8x8x3xf32>} : () -> tensor<1x8x8x3xf32>
  %r0 = "tir.priorbox"(%c0, %c1) {min_sizes = [2.0 : f32], max_sizes = [8.0 : f32], aspect_ratio = [4.0 : f32], variance = [0.25 : f32]} : (tensor<1x1x1x1xf32>, tensor<1x8x8x3xf32>) -> tensor<1x2x16xf32>
  %c2 = "tir.const"() {value = dense<[[[0.375, 0.375, 0.625, 0.625, 0.25, 0.25, 0.75, 0.75, 0.25, 0.4375, 0.75, 0.5625, 0.4375, 0.25, 0.5625, 0.75], [0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25]]]> : tensor<1x2x16xf32>} : () -> tensor<1x2x16xf32>
  return %r0, %c2 : tensor<1x2x16xf32>, tensor<1x2x16xf32>
}

// What only the data can break.
func.func @fails_gather() -> tensor<1xi8> {
  %x = "tir.const"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2xi8>
  %i = "tir.const"() {value = dense<-3> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "tir.gather"(%x, %i) : (tensor<2xi8>, tensor<1xi64>) -> tensor<1xi8>
  return %0 : tensor<1xi8>
}
func.func @fails_scatter() -> tensor<2xi8> {
  %x = "tir.const"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2xi8>
  %u = "tir.const"() {value = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
  %i = "tir.const"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "tir.scatter"(%x, %i, %u) : (tensor<2xi8>, tensor<1xi64>, tensor<1xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
func.func @fails_division() -> tensor<1xi8> {
  %x = "tir.const"() {value = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.div"(%x, %x) : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  return %0 : tensor<1xi8>
}
func.func @fails_custom() -> tensor<1xi8> {
  %x = "tir.const"() {value = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.custom"(%x) {op_type = "mine", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1xi8>) -> tensor<1xi8>
  return %0 : tensor<1xi8>
}

// Zeros of the small formats keep their sign; the smallest numbers do not
// vanish.
func.func @small_zeros() -> (tensor<4xf16>, tensor<4xf16>, tensor<2xbf16>, tensor<2xbf16>) {
  %c0 = "tir.const"() {value = dense<[0., -0., 5.9604644775390625e-08, 1.]> : tensor<4xf16>} : () -> tensor<4xf16>
  %r0 = "tir.neg"(%c0) : (tensor<4xf16>) -> tensor<4xf16>
  %c1 = "tir.const"() {value = dense<[-0., 0., -5.9604644775390625e-08, -1.]> : tensor<4xf16>} : () -> tensor<4xf16>
  %c2 = "tir.const"() {value = dense<[1.5, 2.]> : tensor<2xbf16>} : () -> tensor<2xbf16>
  %r1 = "tir.sub"(%c2, %c2) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  %c3 = "tir.const"() {value = dense<0.> : tensor<2xbf16>} : () -> tensor<2xbf16>
  return %r0, %c1, %r1, %c3 : tensor<4xf16>, tensor<4xf16>, tensor<2xbf16>, tensor<2xbf16>
}

// What is no number passes activations, fused ones too.
func.func @no_number() -> (tensor<1x1x1x16xi1>, tensor<1x1x1x16xi1>, tensor<1x1x1x16xi1>, tensor<1x1x1x16xi1>) {
  %x = "tir.const"() {value = dense<0x7FC00000> : tensor<1x1x1x16xf32>} : () -> tensor<1x1x1x16xf32>
  %w = "tir.const"() {value = dense<1.0> : tensor<16x1x1x16xf32>} : () -> tensor<16x1x1x16xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %1 = "tir.relu6"(%0) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %2 = "tir.compare"(%1, %1) {predicate = "NE"} : (tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xi1>
  %3 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %4 = "tir.relu"(%3) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %5 = "tir.compare"(%4, %4) {predicate = "NE"} : (tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xi1>
  %e = "tir.const"() {value = dense<true> : tensor<1x1x1x16xi1>} : () -> tensor<1x1x1x16xi1>
  return %2, %e, %5, %e : tensor<1x1x1x16xi1>, tensor<1x1x1x16xi1>, tensor<1x1x1x16xi1>, tensor<1x1x1x16xi1>
}

// The entry is the byte without its sign; rows of two channels, of which the
// second has the entries negated.
func.func @table() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xi16>, tensor<3x2xi16>) {
  %x = "tir.const"() {value = dense<[[0, 5], [127, -128], [-1, -1]]> : tensor<3x2xi8>} : () -> tensor<3x2xi8>
  %u = "tir.const"() {value = dense<[[0, 5], [127, 128], [255, 255]]> : tensor<3x2xui8>} : () -> tensor<3x2xui8>
  %e0 = "tir.const"() {value = dense<10.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %e1 = "tir.const"() {value = dense<20.0> : tensor<126xf32>} : () -> tensor<126xf32>
  %e127 = "tir.const"() {value = dense<30.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %e128 = "tir.const"() {value = dense<40.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %e129 = "tir.const"() {value = dense<50.0> : tensor<126xf32>} : () -> tensor<126xf32>
  %e255 = "tir.const"() {value = dense<60.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %one = "tir.concat"(%e0, %e1, %e127, %e128, %e129, %e255) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1xf32>, tensor<126xf32>, tensor<1xf32>, tensor<1xf32>, tensor<126xf32>, tensor<1xf32>) -> tensor<256xf32>
  %sign = "tir.const"() {value = dense<[[1.0], [-1.0]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %two = "tir.mul"(%one, %sign) : (tensor<256xf32>, tensor<2x1xf32>) -> tensor<2x256xf32>
  %0 = "tir.table"(%x, %one) : (tensor<3x2xi8>, tensor<256xf32>) -> tensor<3x2xf32>
  %a = "tir.const"() {value = dense<[[10., 20.], [30., 40.], [60., 60.]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %1 = "tir.table"(%u, %two) : (tensor<3x2xui8>, tensor<2x256xf32>) -> tensor<3x2xf32>
  %b = "tir.const"() {value = dense<[[10., -20.], [30., -40.], [60., -60.]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %words = "tir.cast"(%two) : (tensor<2x256xf32>) -> tensor<2x256xi16>
  %2 = "tir.table"(%x, %words) : (tensor<3x2xi8>, tensor<2x256xi16>) -> tensor<3x2xi16>
  %c = "tir.const"() {value = dense<[[10, -20], [30, -40], [60, -60]]> : tensor<3x2xi16>} : () -> tensor<3x2xi16>
  return %0, %a, %1, %b, %2, %c : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xi16>, tensor<3x2xi16>
}
