// What generated C looks like: a function of loops for each operator, calls in
// the function of the model, buffers in the arena.

// RUN: xc-translate --mtir-to-c %s -o %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: rm -rf %t && split-file %t.txt %t
// RUN: clang-22 --target=thumbv7em-none-eabi -std=c99 -Wall -Wextra -Wpedantic -Werror -ffreestanding -nostdinc -I %S/Inputs/freestanding -c %t/model.c -o %t/model.o
// RUN: not xc-translate --mtir-to-c %S/Inputs/custom.mlir 2>&1 | FileCheck %s --check-prefix=CUSTOM
// CUSTOM: error: 'mtir.custom' op 'scatter' is known to the host only

// CHECK: //--- model.c
// CHECK-NOT: math.h
// CHECK-NOT: string.h
// CHECK: extern const int8_t model_net_conv1_weight[];
// CHECK: static inline int32_t min_i32(int32_t a, int32_t b) {
// CHECK-LABEL: static void conv2d_fix_0(const int8_t *input, const int8_t *weight,
// CHECK-NEXT:    const int8_t *bias, int8_t *output, const int32_t *table,
// CHECK-NEXT:    const int32_t *table2) {
// CHECK-NEXT: for (int32_t i = 0; i < 8; ++i) {
// CHECK:        int32_t acc = 0;
// CHECK-NEXT:   for (int32_t l = 0; l < 3; ++l) {
// CHECK-NEXT:     const int32_t v = table[i * 3 + l];
// CHECK-NEXT:     if (v >= 0) {
// CHECK:            acc += input[(v * 8 + v2) * 3 + n] * weight[
// CHECK-NOT:    else
// CHECK:        output[(i * 8 + j) * 4 + k] = (int8_t)max_i32(min_i32(max_i32((acc +
// CHECK-NEXT:       bias[k] * 16 + 32) >> 6, -128), 127), 0);

// CHECK-LABEL: static void neg_0(
// CHECK: output[i] = (int8_t)(0 - input[i]);
// Sums that leave 32 bits wrap as the operator does, without signed overflow.
// CHECK-LABEL: static void add_0(const int32_t *a,
// CHECK: output[i] = (int32_t)((int64_t)a[i] + b[i]);
// One name for one constant, and none of C's words.
// CHECK-LABEL: int32_t model(const int8_t *image, const int32_t *int_2, int8_t *output,
// CHECK-NEXT: int32_t *output_2, void *arena) {
// CHECK-NEXT: int8_t *const net_conv1_output = (int8_t *)((unsigned char *)arena);
// CHECK-NEXT: // net/conv1
// CHECK-NEXT: conv2d_fix_0(image, model_net_conv1_weight, model_net_conv1_bias,
// CHECK-NEXT:   net_conv1_output, model_net_conv1_table, model_net_conv1_table);
// CHECK: return 0;

// CHECK: //--- model.h
// CHECK: #define MODEL_ARENA_BYTES 256
// CHECK: // image: 1x8x8x3xi8, input
// CHECK: //--- model_params.c
// CHECK: const int8_t model_net_conv1_weight[108] = {
// CHECK: const int32_t model_net_conv1_table[24] = {
// CHECK-NEXT: -1, 0, 1, 0, 1, 2,
func.func @main(%0: tensor<1x8x8x3xi8>, %x: tensor<9xi32>) -> (tensor<1x8x8x4xi8>, tensor<9xi32>) attributes {input_names = ["image", "int"]} {
  %w = "tir.const"() {value = dense<1> : tensor<4x3x3x3xi8>} : () -> tensor<4x3x3x3xi8>
  %b = "tir.const"() {value = dense<7> : tensor<4xi8>} : () -> tensor<4xi8>
  %1 = "tir.conv2d-fix"(%0, %w, %b) {op_name = "net/conv1", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 5 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x3xi8>, tensor<4x3x3x3xi8>, tensor<4xi8>) -> tensor<1x8x8x4xi8>
  %2 = "tir.neg"(%1) {op_name = "net/neg"} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xi8>
  %3 = "tir.add"(%x, %x) {op_name = "net/twice"} : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
  return %2, %3 : tensor<1x8x8x4xi8>, tensor<9xi32>
}
