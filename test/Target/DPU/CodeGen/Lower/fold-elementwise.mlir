// REQUIRES: mlir
// Sums and activations of folded buffers have as many columns. What is padded, and
// what a transposed convolution writes, goes through DDR, where the bytes are the
// same.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --split-input-file --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B1152 B4096

// The end of a segmentation network.
// CHECK: conv depth, kernel
// CHECK: output     128x64x16,
// CHECK: conv point, kernel 1x1, stride 1x1
// CHECK: input      128x64x16,
// CHECK: operand    128x64x16,
// CHECK: output     128x64x16,
// CHECK: depthwise relu6
// CHECK: input      128x64x16,
// CHECK: output     128x64x16,
// CHECK: copy padded
// CHECK: input      128x128x8, DDR
// CHECK: conv mask, kernel
// CHECK: output     128x16x8,

// An operand that is repeated has no such columns.
// CHECK: add sum
// CHECK: output     128x128x8,

//--- net.mlir
func.func @residual(%x: tensor<1x64x64x8xi8>) -> (tensor<1x128x128x1xi8>, tensor<1x130x130x8xi8>) attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C256E7D85056791A384320C434956872D72C886BCB"> : tensor<1x2x2x8xi8>} : () -> tensor<1x2x2x8xi8>
  %0 = "tir.transposed-depthwise-conv2d-fix"(%x, %w1) {op_name = "up", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x64x64x8xi8>, tensor<1x2x2x8xi8>) -> tensor<1x128x128x8xi8>
  %w2 = "tir.const"() {value = dense<"0x8FAE166602D21CC1FB470C79D939013E6567A9042A44082BFE65D723CB622F4A58151B8A4C89113ECE795216BB2CB138BBE76BCD6509C2A800DD396D71E38AA62D9D91341C0DC3DB"> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %w2) {op_name = "depth", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32, nonlinear = "NONE"} : (tensor<1x128x128x8xi8>, tensor<1x3x3x8xi8>) -> tensor<1x128x128x8xi8>
  %w3 = "tir.const"() {value = dense<"0xFEB17F21D97631CDBEBD479457840F195886543D4B06181FE66AC79607B59148F68E462C973C21D7E748C4568CFDB232188D41582B537106675AF2E9C62A58F6"> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %2 = "tir.conv2d-fix"(%1, %w3) {op_name = "point", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x128x128x8xi8>
  %3 = "tir.eltwise-fix"(%0, %2) {op_name = "sum", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 3 : i32], output_fix_point = 4 : i32} : (tensor<1x128x128x8xi8>, tensor<1x128x128x8xi8>) -> tensor<1x128x128x8xi8>
  %4 = "tir.relu6-fix"(%3) {op_name = "relu6", input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x128x128x8xi8>) -> tensor<1x128x128x8xi8>
  %p = "tir.pad-fix"(%4) {op_name = "padded", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x128x128x8xi8>) -> tensor<1x130x130x8xi8>
  %w4 = "tir.const"() {value = dense<"0x86220EDF9E21992072463433FBE81EFA1B0EBF7CEA76BEFD7C122B18D1D0232960115C2B210FB5F0F30D26AA2BA404EDE54CC5F44636B276E742627137381A3D262ABE350CEF66BD"> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %5 = "tir.depthwise-conv2d-fix"(%4, %w4) {op_name = "depth2", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (tensor<1x128x128x8xi8>, tensor<1x3x3x8xi8>) -> tensor<1x128x128x8xi8>
  %w5 = "tir.const"() {value = dense<"0x297802836507E0810B34D51D80F3A1701E8C4399135FB4CE039A300FA2E07ED5A4FBB1CCDC6A288D9AECEEE9E1C55FA8CD1EA62F57A20D606CBA462BACE4C56C"> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %6 = "tir.conv2d-fix"(%5, %w5) {op_name = "point2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x128x128x8xi8>
  %7 = "tir.eltwise-fix"(%4, %6) {op_name = "sum2", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 3 : i32], output_fix_point = 4 : i32} : (tensor<1x128x128x8xi8>, tensor<1x128x128x8xi8>) -> tensor<1x128x128x8xi8>
  %w6 = "tir.const"() {value = dense<"0xAB2609D7F074A532ED019169247205A1152E4CA85331CECAC745B6B78A67A4C55D5B57049C0A8EF5DA2F8B9149E7F5765BA94BB11A8EB00D5F31E844AE6B44D86E67D80519B5FEBE"> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %8 = "tir.conv2d-fix"(%7, %w6) {op_name = "mask", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x8xi8>, tensor<1x3x3x8xi8>) -> tensor<1x128x128x1xi8>
  return %8, %p : tensor<1x128x128x1xi8>, tensor<1x130x130x8xi8>
}

// -----
func.func @repeated(%x: tensor<1x128x128x8xi8>, %z: tensor<1x1x1x8xi8>) -> tensor<1x128x128x1xi8> attributes {device = "DPU"} {
  %w7 = "tir.const"() {value = dense<"0x1FBECCEDDF6132552BB5857EF05F06AB72580E1C66AD9142A998CA1227CF7DE8ED15A0584966C34DC210CB4792D5F65C30FF8581BFB107651EED9F34690765ED3F829E9773055BD4"> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w7) {op_name = "repeated", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32, nonlinear = "NONE"} : (tensor<1x128x128x8xi8>, tensor<1x3x3x8xi8>) -> tensor<1x128x128x8xi8>
  %1 = "tir.eltwise-fix"(%0, %z) {op_name = "sum", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 3 : i32], output_fix_point = 4 : i32} : (tensor<1x128x128x8xi8>, tensor<1x1x1x8xi8>) -> tensor<1x128x128x8xi8>
  %w8 = "tir.const"() {value = dense<"0x8BBDB2A5520E446B2D186B0984E0B7B42630D1DA5A1E7C4FD7BA62B2D11152A08DEA9493DFD8351DB772D384BAE7BF21D05D203CA5D8FD099EDE28C78463F1560F7B95043C0266E1"> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %2 = "tir.conv2d-fix"(%1, %w8) {op_name = "mask", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x8xi8>, tensor<1x3x3x8xi8>) -> tensor<1x128x128x1xi8>
  return %2 : tensor<1x128x128x1xi8>
}
