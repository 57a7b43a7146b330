// REQUIRES: mlir
// RUN: xc-test-pairs %s | FileCheck %s
// RUN: xc-test-pairs --cpu %s | FileCheck %s
// CHECK: functions are right

// What is expected comes from the formulas in NumPy. Gates without activation,
// and numbers of few bits, leave no rounding.

// Two entries of a batch that know nothing of each other.
func.func @rnn() -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[-0.5, -1.0], [-0.75, -0.25]], [[-1.0, -1.0], [-1.0, 0.5]], [[0.5, -0.25], [-0.5, -0.25]]]> : tensor<3x2x2xf32>} : () -> tensor<3x2x2xf32>
  %1 = "tir.const"() {value = dense<[[-0.75, -0.75], [-0.5, 0.5]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "RNN", activation = "NONE"} : (tensor<3x2x2xf32>, tensor<2x2xf32>) -> tensor<3x2x2xf32>
  %e = "tir.const"() {value = dense<[[[-0.5, -1.0], [-0.75, -0.25]], [[-0.125, -1.125], [-0.3125, 0.9375]], [[1.15625, -0.71875], [-0.734375, 0.453125]]]> : tensor<3x2x2xf32>} : () -> tensor<3x2x2xf32>
  return %r, %e : tensor<3x2x2xf32>, tensor<3x2x2xf32>
}

// The last step comes first.
func.func @rnn_reverse() -> (tensor<3x1x2xf32>, tensor<3x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, 0.75]], [[1.0, 0.25]], [[0.25, 0.5]]]> : tensor<3x1x2xf32>} : () -> tensor<3x1x2xf32>
  %1 = "tir.const"() {value = dense<[[1.0, 0.75], [-1.0, -0.5]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %2 = "tir.const"() {value = dense<[[0.75, 0.5]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, cell = "RNN", activation = "RELU", reverse = true} : (tensor<3x1x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x1x2xf32>
  %e = "tir.const"() {value = dense<[[[1.46875, 1.15625]], [[0.6875, 0.21875]], [[0.5, 0.8125]]]> : tensor<3x1x2xf32>} : () -> tensor<3x1x2xf32>
  return %r, %e : tensor<3x1x2xf32>, tensor<3x1x2xf32>
}

// Below, within and above.
func.func @rnn_hard() -> (tensor<3x1x1xf32>, tensor<3x1x1xf32>) {
  %0 = "tir.const"() {value = dense<[[[-2.0]], [[0.5]], [[8.0]]]> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %1 = "tir.const"() {value = dense<[[2.0]]> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "RNN", activation = "HARD_SIGMOID", alpha = 0.5 : f32, beta = 0.25 : f32} : (tensor<3x1x1xf32>, tensor<1x1xf32>) -> tensor<3x1x1xf32>
  %e = "tir.const"() {value = dense<[[[0.0]], [[0.5]], [[1.0]]]> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  return %r, %e : tensor<3x1x1xf32>, tensor<3x1x1xf32>
}

// Each gate in its place.
func.func @lstm_order() -> (tensor<2x1x4xf32>, tensor<2x1x4xf32>) {
  %0 = "tir.const"() {value = dense<[[[0.75, -0.5, -0.5, 1.0, 0.25, -0.75, -0.25, -0.5]], [[0.5, -1.0, 0.75, -0.75, 0.5, -0.5, -1.0, -0.25]]]> : tensor<2x1x8xf32>} : () -> tensor<2x1x8xf32>
  %1 = "tir.const"() {value = dense<[[0.75, 1.0, -1.0, -0.25, -0.75, -0.25, 1.0, -1.0], [0.5, 0.25, 0.75, -0.75, 0.5, 1.0, 0.75, 0.25]]> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "LSTM", gate_activation = "NONE", activation = "NONE", output_activation = "NONE"} : (tensor<2x1x8xf32>, tensor<2x8xf32>) -> tensor<2x1x4xf32>
  %e = "tir.const"() {value = dense<[[[0.09375, 0.25, -0.1875, 0.25]], [[-0.5094223022460938, -0.16234588623046875, -0.603759765625, 0.1689453125]]]> : tensor<2x1x4xf32>} : () -> tensor<2x1x4xf32>
  return %r, %e : tensor<2x1x4xf32>, tensor<2x1x4xf32>
}

// With cells that the gates see; initial units come before initial cells.
func.func @lstm_peephole() -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %0 = "tir.const"() {value = dense<[[[0.25, 1.0, 0.75, -1.0, -1.0, -0.75, -0.5, 0.25], [1.0, 0.5, -1.0, -1.0, 1.0, 0.5, 0.5, 0.75]]]> : tensor<1x2x8xf32>} : () -> tensor<1x2x8xf32>
  %1 = "tir.const"() {value = dense<[[-0.75, -0.75, -0.75, 0.5, 0.5, 1.0, -0.5, -0.25], [0.25, 0.25, -0.25, -0.25, -1.0, 1.0, -1.0, -1.0]]> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
  %2 = "tir.const"() {value = dense<[[-1.0, -0.5, -0.5, -0.25], [1.0, -1.0, 1.0, 0.5]]> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %4 = "tir.const"() {value = dense<[0.5, 0.75, -1.0, 0.5, -0.75, 0.25]> : tensor<6xf32>} : () -> tensor<6xf32>
  %r = "tir.recurrent"(%0, %1, %2, %4) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, cell = "LSTM", gate_activation = "NONE", activation = "NONE", output_activation = "NONE"} : (tensor<1x2x8xf32>, tensor<2x8xf32>, tensor<2x4xf32>, tensor<6xf32>) -> tensor<1x2x4xf32>
  %e = "tir.const"() {value = dense<[[[0.625, -0.7401123046875, 0.625, 2.015625], [-8.4375, -0.0234375, 2.25, 0.125]]]> : tensor<1x2x4xf32>} : () -> tensor<1x2x4xf32>
  return %r, %e : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

func.func @near_lstm() -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[-0.75, 0.25, -0.5, -0.5]]]> : tensor<1x1x4xf32>} : () -> tensor<1x1x4xf32>
  %1 = "tir.const"() {value = dense<[[0.25, 0.25, -0.5, -1.0]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %2 = "tir.const"() {value = dense<[[0.25, -1.0]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, cell = "LSTM"} : (tensor<1x1x4xf32>, tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x1x2xf32>
  %e = "tir.const"() {value = dense<[[[-0.29385104139059826, -0.5611592684257547]]]> : tensor<1x1x2xf32>} : () -> tensor<1x1x2xf32>
  return %r, %e : tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

func.func @near_lstm_other() -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[-0.75, 0.25, -0.5, -0.5]]]> : tensor<1x1x4xf32>} : () -> tensor<1x1x4xf32>
  %1 = "tir.const"() {value = dense<[[0.25, 0.25, -0.5, -1.0]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %2 = "tir.const"() {value = dense<[[0.25, -1.0]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, cell = "LSTM", gate_activation = "HARD_SIGMOID", activation = "RELU", output_activation = "SIGMOID"} : (tensor<1x1x4xf32>, tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x1x2xf32>
  %e = "tir.const"() {value = dense<[[[0.2291250375258357, -0.375]]]> : tensor<1x1x2xf32>} : () -> tensor<1x1x2xf32>
  return %r, %e : tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

func.func @lstm_reverse() -> (tensor<2x1x4xf32>, tensor<2x1x4xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, 0.5, 0.5, -1.0, -1.0, 1.0, -0.5, -0.5]], [[-0.5, -1.0, -1.0, 1.0, -0.5, -1.0, -1.0, -0.5]]]> : tensor<2x1x8xf32>} : () -> tensor<2x1x8xf32>
  %1 = "tir.const"() {value = dense<[[-0.5, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0], [0.5, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 1.0]]> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "LSTM", reverse = true, gate_activation = "NONE", activation = "NONE", output_activation = "NONE"} : (tensor<2x1x8xf32>, tensor<2x8xf32>) -> tensor<2x1x4xf32>
  %e = "tir.const"() {value = dense<[[[1.375, 0.25, -2.75, -0.25]], [[-0.5, 0.5, 0.5, 0.5]]]> : tensor<2x1x4xf32>} : () -> tensor<2x1x4xf32>
  return %r, %e : tensor<2x1x4xf32>, tensor<2x1x4xf32>
}

// The candidate takes all units after the reset, not only its own.
func.func @gru() -> (tensor<2x1x2xf32>, tensor<2x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, -1.0, -1.0, 0.5, 1.0, 0.5]], [[-0.5, 1.0, -0.5, 0.5, -1.0, -0.5]]]> : tensor<2x1x6xf32>} : () -> tensor<2x1x6xf32>
  %1 = "tir.const"() {value = dense<[[0.5, 1.0, 0.5, 1.0, 1.0, -1.0], [0.5, -0.5, 0.5, -1.0, 1.0, 1.0]]> : tensor<2x6xf32>} : () -> tensor<2x6xf32>
  %2 = "tir.const"() {value = dense<[[-0.5, -0.5]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, cell = "GRU", gate_activation = "NONE", activation = "NONE"} : (tensor<2x1x6xf32>, tensor<2x6xf32>, tensor<1x2xf32>) -> tensor<2x1x2xf32>
  %e = "tir.const"() {value = dense<[[[0.5, -0.5]], [[-3.25, -0.125]]]> : tensor<2x1x2xf32>} : () -> tensor<2x1x2xf32>
  return %r, %e : tensor<2x1x2xf32>, tensor<2x1x2xf32>
}

// The reset multiplies the product and its bias.
func.func @gru_reset_after() -> (tensor<2x1x2xf32>, tensor<2x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, -1.0, -1.0, 0.5, 1.0, 0.5]], [[-0.5, 1.0, -0.5, 0.5, -1.0, -0.5]]]> : tensor<2x1x6xf32>} : () -> tensor<2x1x6xf32>
  %1 = "tir.const"() {value = dense<[[0.5, 1.0, 0.5, 1.0, 1.0, -1.0], [0.5, -0.5, 0.5, -1.0, 1.0, 1.0]]> : tensor<2x6xf32>} : () -> tensor<2x6xf32>
  %2 = "tir.const"() {value = dense<[[-0.5, -0.5]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %3 = "tir.const"() {value = dense<[1.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %r = "tir.recurrent"(%0, %1, %2, %3) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, cell = "GRU", gate_activation = "NONE", activation = "NONE", reset_after = true} : (tensor<2x1x6xf32>, tensor<2x6xf32>, tensor<1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  %e = "tir.const"() {value = dense<[[[0.25, 0.625]], [[-1.20263671875, 0.5498046875]]]> : tensor<2x1x2xf32>} : () -> tensor<2x1x2xf32>
  return %r, %e : tensor<2x1x2xf32>, tensor<2x1x2xf32>
}

// Without a step before, the bias is still there.
func.func @gru_reset_after_zero() -> (tensor<2x1x2xf32>, tensor<2x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, -1.0, -1.0, 0.5, 1.0, 0.5]], [[-0.5, 1.0, -0.5, 0.5, -1.0, -0.5]]]> : tensor<2x1x6xf32>} : () -> tensor<2x1x6xf32>
  %1 = "tir.const"() {value = dense<[[0.5, 1.0, 0.5, 1.0, 1.0, -1.0], [0.5, -0.5, 0.5, -1.0, 1.0, 1.0]]> : tensor<2x6xf32>} : () -> tensor<2x6xf32>
  %3 = "tir.const"() {value = dense<[1.0, -1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %r = "tir.recurrent"(%0, %1, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0>, cell = "GRU", gate_activation = "NONE", activation = "NONE", reset_after = true} : (tensor<2x1x6xf32>, tensor<2x6xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  %e = "tir.const"() {value = dense<[[[0.0, 0.0]], [[-2.25, 0.0]]]> : tensor<2x1x2xf32>} : () -> tensor<2x1x2xf32>
  return %r, %e : tensor<2x1x2xf32>, tensor<2x1x2xf32>
}

func.func @near_gru_zero() -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, -1.0, -1.0, 0.5, 1.0, 0.5]]]> : tensor<1x1x6xf32>} : () -> tensor<1x1x6xf32>
  %1 = "tir.const"() {value = dense<[[0.5, 1.0, 0.5, 1.0, 1.0, -1.0], [0.5, -0.5, 0.5, -1.0, 1.0, 1.0]]> : tensor<2x6xf32>} : () -> tensor<2x6xf32>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "GRU", reverse = true} : (tensor<1x1x6xf32>, tensor<2x6xf32>) -> tensor<1x1x2xf32>
  %e = "tir.const"() {value = dense<[[[0.20482420921325684, 0.3378347158432007]]]> : tensor<1x1x2xf32>} : () -> tensor<1x1x2xf32>
  return %r, %e : tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

// Other element types; states are rounded between steps.
func.func @lstm_f64() -> (tensor<2x1x2xf64>, tensor<2x1x2xf64>) {
  %0 = "tir.const"() {value = dense<[[[0.25, 0.25, 0.25, -1.0]], [[-0.25, 0.5, -0.25, -1.0]]]> : tensor<2x1x4xf64>} : () -> tensor<2x1x4xf64>
  %1 = "tir.const"() {value = dense<[[0.25, -1.0, -1.0, 0.75]]> : tensor<1x4xf64>} : () -> tensor<1x4xf64>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "LSTM", gate_activation = "NONE", activation = "NONE", output_activation = "NONE"} : (tensor<2x1x4xf64>, tensor<1x4xf64>) -> tensor<2x1x2xf64>
  %e = "tir.const"() {value = dense<[[[-0.0625, -0.25]], [[0.1827850341796875, 0.324951171875]]]> : tensor<2x1x2xf64>} : () -> tensor<2x1x2xf64>
  return %r, %e : tensor<2x1x2xf64>, tensor<2x1x2xf64>
}

func.func @gru_f16() -> (tensor<2x1x1xf16>, tensor<2x1x1xf16>) {
  %0 = "tir.const"() {value = dense<[[[0.25, -0.25, 0.25]], [[-0.75, -0.5, -0.5]]]> : tensor<2x1x3xf16>} : () -> tensor<2x1x3xf16>
  %1 = "tir.const"() {value = dense<[[0.25, 0.5, 0.25]]> : tensor<1x3xf16>} : () -> tensor<1x3xf16>
  %r = "tir.recurrent"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "GRU"} : (tensor<2x1x3xf16>, tensor<1x3xf16>) -> tensor<2x1x1xf16>
  %e = "tir.const"() {value = dense<[[[0.10723876953125]], [[-0.27054736018180847]]]> : tensor<2x1x1xf16>} : () -> tensor<2x1x1xf16>
  return %r, %e : tensor<2x1x1xf16>, tensor<2x1x1xf16>
}

// The first entry has one step: the others leave its state as it is.
func.func @rnn_lengths() -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, 1.0], [-0.5, 0.5]], [[-0.5, -0.5], [-1.0, -0.5]], [[0.5, -1.0], [1.0, -1.0]]]> : tensor<3x2x2xf32>} : () -> tensor<3x2x2xf32>
  %1 = "tir.const"() {value = dense<[[-1.0, -0.5], [0.5, -1.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %2 = "tir.const"() {value = dense<[[-1.0, 0.5], [-1.0, -1.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %5 = "tir.const"() {value = dense<[1, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r = "tir.recurrent"(%0, %1, %2, %5) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, cell = "RNN", activation = "NONE"} : (tensor<3x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi64>) -> tensor<3x2x2xf32>
  %e = "tir.const"() {value = dense<[[[2.25, 1.0], [0.0, 2.0]], [[2.25, 1.0], [0.0, -2.5]], [[2.25, 1.0], [-0.25, 1.5]]]> : tensor<3x2x2xf32>} : () -> tensor<3x2x2xf32>
  return %r, %e : tensor<3x2x2xf32>, tensor<3x2x2xf32>
}

// From the end: what comes before the only step is the initial state.
func.func @rnn_lengths_reverse() -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[1.0, 1.0], [-0.5, 0.5]], [[-0.5, -0.5], [-1.0, -0.5]], [[0.5, -1.0], [1.0, -1.0]]]> : tensor<3x2x2xf32>} : () -> tensor<3x2x2xf32>
  %1 = "tir.const"() {value = dense<[[-1.0, -0.5], [0.5, -1.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %2 = "tir.const"() {value = dense<[[-1.0, 0.5], [-1.0, -1.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %5 = "tir.const"() {value = dense<[1, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r = "tir.recurrent"(%0, %1, %2, %5) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, cell = "RNN", activation = "NONE", reverse = true} : (tensor<3x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi64>) -> tensor<3x2x2xf32>
  %e = "tir.const"() {value = dense<[[[2.25, 1.0], [0.875, 3.375]], [[-1.0, 0.5], [-2.25, -1.75]], [[-1.0, 0.5], [1.5, 0.5]]]> : tensor<3x2x2xf32>} : () -> tensor<3x2x2xf32>
  return %r, %e : tensor<3x2x2xf32>, tensor<3x2x2xf32>
}

// Cells too, and no step at all.
func.func @lstm_lengths() -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>) {
  %0 = "tir.const"() {value = dense<[[[0.5, -1.0, 0.5, -0.5], [-1.0, -1.0, -0.5, 0.5]], [[1.0, -1.0, 1.0, -1.0], [1.0, -1.0, -0.5, -1.0]]]> : tensor<2x2x4xf32>} : () -> tensor<2x2x4xf32>
  %1 = "tir.const"() {value = dense<[[-0.5, 1.0, 0.5, 1.0]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %2 = "tir.const"() {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r = "tir.recurrent"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>, cell = "LSTM", gate_activation = "NONE", activation = "NONE", output_activation = "NONE"} : (tensor<2x2x4xf32>, tensor<1x4xf32>, tensor<2xi32>) -> tensor<2x2x2xf32>
  %e = "tir.const"() {value = dense<[[[0.0, 0.0], [0.5, -0.5]], [[0.0, 0.0], [0.5, -0.5]]]> : tensor<2x2x2xf32>} : () -> tensor<2x2x2xf32>
  return %r, %e : tensor<2x2x2xf32>, tensor<2x2x2xf32>
}

func.func @no_steps() -> (tensor<0x2x3xf32>, tensor<0x2x3xf32>) {
  %x = "tir.const"() {value = dense<0.0> : tensor<0x2x3xf32>} : () -> tensor<0x2x3xf32>
  %w = "tir.const"() {value = dense<1.0> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
  %r = "tir.recurrent"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, cell = "RNN"} : (tensor<0x2x3xf32>, tensor<3x3xf32>) -> tensor<0x2x3xf32>
  return %r, %x : tensor<0x2x3xf32>, tensor<0x2x3xf32>
}
