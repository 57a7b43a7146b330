// REQUIRES: mlir
// The schedule of a network as text and as JSON. It says what is held in the banks, a
// cascade with its rolling buffer, tiles, loop order and cost; and its numbers
// are those of the simulator.
// RUN: rm -rf %t && split-file %s %t
// RUN: xc-opt %t/held.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t/held.mtir.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t/held.mtir.mlir -o %t/held.txt
// RUN: FileCheck %s --check-prefix=HELD --input-file=%t/held.txt
// RUN: xc-translate --mtir-to-dpu-schedule-json %t/held.mtir.mlir -o %t/held.json
// RUN: xc-translate --mtir-to-dpu-json %t/held.mtir.mlir -o %t/held.times
// RUN: %python %S/Inputs/agreement.py %t/held.json %t/held.times %t/held.txt | FileCheck %s
// RUN: xc-opt %t/cascade.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t/cascade.mtir.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t/cascade.mtir.mlir -o %t/cascade.txt
// RUN: FileCheck %s --check-prefix=CASCADE --input-file=%t/cascade.txt
// RUN: xc-translate --mtir-to-dpu-schedule-json %t/cascade.mtir.mlir -o %t/cascade.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/cascade.json
// RUN: xc-translate --mtir-to-dpu-json %t/cascade.mtir.mlir -o %t/cascade.times
// RUN: %python %S/Inputs/agreement.py %t/cascade.json %t/cascade.times %t/cascade.txt | FileCheck %s
// CHECK: the schedule agrees with the times

// A text that disagrees is found.
// RUN: sed 's/until [0-9]*/until 9/' %t/held.txt > %t/wrong.txt
// RUN: not %python %S/Inputs/agreement.py %t/held.json %t/held.times %t/wrong.txt

// The target is that of the option.
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B512 %t/held.mtir.mlir | FileCheck %s --check-prefix=SMALL
// SMALL: schedule for DPUCZDX8G_ISA1_B512: 

// HELD: schedule for DPUCZDX8G_ISA1_B4096: 4 layers, 4 units
// HELD-NEXT: 2083 cycles, 8352 bytes loaded, 9408 saved, 1003520 MACs
// HELD: layer 3: last
// HELD-NEXT: 450 cycles until 2083, 48 bytes loaded, 9408 saved, 451584 MACs
// HELD-NEXT: unit 3: conv last, kernel 1x1, stride 1x1
// HELD-NEXT: tiles      1 of 14 columns, 2 of 8 rows, 1 of 48 channels; loops: tiles, blocks, chunks
// HELD-NEXT: input      14x14x48, held in banks 0 to 7 words 28 to 111 (2 of 42 words)
// HELD-NEXT: operand    14x14x48, held in banks 0 to 7 words 28 to 111 (2 of 42 words)
// HELD-NEXT: output     14x14x48, DDR register 3 at 0, through banks 8 to 15 words 0 to 2015 (48 of 42 words)
// HELD-NEXT: parameters 9 words of weights, 0 of depthwise weights, 3 of biases
// HELD-NEXT: cost       LOAD 712, SAVE 350, CONV 276, MISC 384, serial 192, start 175

// CASCADE: layer 0: conv + pool
// CASCADE-NEXT: 82354 cycles until 82354, 320320 bytes loaded, 51200 saved, 20480000 MACs
// CASCADE-NEXT: cascade of units 0 to 1, prefetch distance 1 blocks
// CASCADE-NEXT: unit 0: conv conv, kernel 1x1, stride 1x1
// CASCADE-NEXT: tiles      1 of 100 columns, 100 of 8 rows, 1 of 64 channels; loops: tiles, blocks, chunks
// CASCADE-NEXT: input      800x100x4, DDR register 2 at 0, through banks 8 to 15 words 0 to 199 (2 of 100 words)
// CASCADE-NEXT: output     800x100x64, rolling buffer in banks 0 to 7 words 0 to 1199 (3 of 400 words)
// CASCADE-NEXT: parameters 4 words of weights, 0 of depthwise weights, 4 of biases
// CASCADE-NEXT: cost       LOAD 42648, SAVE 0, CONV 41600, MISC 0, serial 0, start 420
// CASCADE-NEXT: unit 1: max-pool pool, kernel 1x100, stride 1x100
// CASCADE-NEXT: tiles      1 of 1 columns, 100 of 8 rows, 1 of 64 channels; loops: tiles, blocks, chunks
// CASCADE-NEXT: input      800x100x64, rolling buffer in banks 0 to 7 words 0 to 1199 (3 of 400 words)
// CASCADE-NEXT: output     800x1x64, DDR register 3 at 0, through banks 8 to 15 words 200 to 207 (2 of 4 words)
// CASCADE-NEXT: parameters 0 words of weights, 8 of depthwise weights, 4 of biases
// CASCADE-NEXT: cost       LOAD 0, SAVE 4800, CONV 0, MISC 80800, serial 0, start 48

// JSON: "target": "DPUCZDX8G_ISA1_B4096"
// JSON: "name": "conv + pool"
// JSON: "cascades": [
// JSON: "first": 0
// JSON-NEXT: "last": 1
// JSON-NEXT: "prefetch_distance": 1,
// JSON-NEXT: "late_parameters": false
// JSON: "kind": "conv"
// JSON: "rolls": true
// JSON: "order": "tiles, blocks, chunks"
// JSON: "kind": "max-pool"

//--- held.mlir
func.func @net(%x: tensor<1x14x14x16xi8>) -> tensor<1x14x14x48xi8> {
  %w = "tir.const"() {value = dense<3> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %v = "tir.const"() {value = dense<-2> : tensor<32x1x1x16xi8>} : () -> tensor<32x1x1x16xi8>
  %u = "tir.const"() {value = dense<1> : tensor<48x1x1x48xi8>} : () -> tensor<48x1x1x48xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "trunk", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>, tensor<16x3x3x16xi8>) -> tensor<1x14x14x16xi8>
  %1 = "tir.pool-fix"(%0) {op_name = "pool", type = "MAX", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>) -> tensor<1x14x14x16xi8>
  %2 = "tir.conv2d-fix"(%0, %v) {op_name = "branch", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>, tensor<32x1x1x16xi8>) -> tensor<1x14x14x32xi8>
  %3 = "tir.concat-fix"(%1, %2) {op_name = "join", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>, tensor<1x14x14x32xi8>) -> tensor<1x14x14x48xi8>
  %4 = "tir.conv2d-fix"(%3, %u) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x14x14x48xi8>, tensor<48x1x1x48xi8>) -> tensor<1x14x14x48xi8>
  %5 = "tir.eltwise-fix"(%4, %3) {op_name = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, type = "ADD", nonlinear = "RELU", input_fix_point = [2 : i32, 3 : i32], output_fix_point = 2 : i32} : (tensor<1x14x14x48xi8>, tensor<1x14x14x48xi8>) -> tensor<1x14x14x48xi8>
  return %5 : tensor<1x14x14x48xi8>
}
//--- cascade.mlir
func.func @net(%x: tensor<1x800x100x4xi8>) -> tensor<1x800x1x64xi8> {
  %w = "tir.const"() {value = dense<5> : tensor<64x1x1x4xi8>} : () -> tensor<64x1x1x4xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "conv", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x800x100x4xi8>, tensor<64x1x1x4xi8>) -> tensor<1x800x100x64xi8>
  %1 = "tir.pool-fix"(%0) {op_name = "pool", type = "MAX", kernel = [100 : i32, 1 : i32], stride = [100 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x800x100x64xi8>) -> tensor<1x800x1x64xi8>
  return %1 : tensor<1x800x1x64xi8>
}
