// REQUIRES: mlir
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(bytes([5, 254]))" %t/x.bin
// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(bytes([3, 4]))" %t/f.bin
// RUN: printf 'cat\ndog\n' > %t/labels.txt

// RUN: xc-run %s --list | FileCheck %s --check-prefix=LIST
// LIST:      input   name  type
// LIST-NEXT:      0  left   1x2xi8
// LIST-NEXT:      1  right  1x2xi8
// LIST-NEXT: output  name  type
// LIST-NEXT:      0  sum   1x2xi8

// Named, numbered and positional inputs; outputs come back as inputs.
// RUN: xc-run %s --input left=%t/x.bin --input 1=%t/x.bin --output %t/y.npy --labels %t/labels.txt | FileCheck %s --check-prefix=OUT
// RUN: xc-run %s --input %t/y.npy --input %t/y.npy --rounding=py3 --expected sum=%t/x.bin --quiet --report %t/r.json
// RUN: FileCheck %s --check-prefix=JSON --input-file %t/r.json
// OUT-LABEL: output  name
// OUT:            0  sum   1x2xi8 -2 5 1.5
// OUT:       largest of output 0
// OUT-NEXT:       0  5  cat
// OUT-NEXT:       1  -2  dog
// JSON: "different": 0

// The first difference is named, and a tolerance forgives it.
// RUN: not xc-run %s --input %t/x.bin --input %t/y.npy --expected %t/f.bin 2>&1 | FileCheck %s --check-prefix=DIFF
// RUN: xc-run %s --input %t/x.bin --input %t/y.npy --expected %t/f.bin --tolerance=6 | FileCheck %s --check-prefix=NEAR
// DIFF: xc-run: output 0 'sum': element [0, 0] is 5, expected 3 by '{{.*}}f.bin'; 2 of 2 elements differ, by at most 6
// NEAR: output 0 is within the tolerance of '{{.*}}f.bin': at most 6 of 4

// RUN: xc-run %s --input %t/x.bin --random-inputs=7 --dump-tensors %t/dump --quiet
// RUN: FileCheck %s --check-prefix=INDEX --input-file %t/dump/index.json
// INDEX: "file": "0000_a_b-{{[0-9a-f]+}}.npy"
// INDEX: "op": "tir.eltwise-fix"
// INDEX: "op_name": "a/b"
// INDEX: "type": "1x2xi8"

// Names need not be UTF-8, which JSON is.
// RUN: xc-run %s --function=bytes --random-inputs=1 --dump-tensors %t/bytes --report=%t/bytes.json --quiet
// RUN: FileCheck %s --check-prefix=BYTES --input-file %t/bytes/index.json
// RUN: FileCheck %s --check-prefix=NAMES --input-file %t/bytes.json
// BYTES: "op_name": "n?"
// NAMES: "name": "x?"
// NAMES: "name": "y?"

// Errors name what is wrong and leave no output.
// RUN: not xc-run %s --input %t/x.bin 2>&1 | FileCheck %s --check-prefix=E0
// RUN: not xc-run %s --input up=%t/x.bin 2>&1 | FileCheck %s --check-prefix=E1
// RUN: printf abc > %t/odd.bin
// RUN: not xc-run %s --input %t/odd.bin 2>&1 | FileCheck %s --check-prefix=E2
// RUN: not xc-run %s --rounding=up 2>&1 | FileCheck %s --check-prefix=E3
// RUN: not xc-run %s --backend=gpu 2>&1 | FileCheck %s --check-prefix=E4
// RUN: not xc-run %s --function=other 2>&1 | FileCheck %s --check-prefix=E5
// RUN: not xc-run %s --tolerance=-1 2>&1 | FileCheck %s --check-prefix=E6
// RUN: not xc-run %s --input %t/x.bin --input %t/x.bin --input %t/x.bin 2>&1 | FileCheck %s --check-prefix=E7
// RUN: not xc-run %s --function=elided 2>&1 | FileCheck %s --check-prefix=E8
// RUN: not xc-run %s --function=bad_gather --output %t/none.npy 2>&1 | FileCheck %s --check-prefix=E9
// RUN: not ls %t/none.npy
// RUN: not xc-run %s --function=recursive 2>&1 | FileCheck %s --check-prefix=E10
// RUN: not xc-run %s --backend=sim --random-inputs=1 2>&1 | FileCheck %s --check-prefix=E11
// E11: model.mlir: error: the model is not compiled, so backend 'sim' has nothing to simulate (xcc compiles)
// RUN: not xc-run %s --random-inputs=1 --strict 2>&1 | FileCheck %s --check-prefix=E12
// RUN: not xc-run %s --random-inputs=1 --timing 2>&1 | FileCheck %s --check-prefix=E13
// E12: xc-run: --strict is for machine code, but '{{.*}}model.mlir' runs as a model
// E13: xc-run: --timing is for machine code, but '{{.*}}model.mlir' runs as a model
// E0: xc-run: input 1 'right' has no data: give --input=1=file or --random-inputs=seed
// E1: xc-run: the model has no input 'up'; --list shows them
// E2: odd.bin: error: the file has 3 bytes, expected 2
// E3: error: rounding 'up' is none of dpu, std and py3
// E4: xc-run: for the --backend option: 'gpu' is not known, expected one of reference
// E5: model.mlir: error: there is no function 'other'
// E6: xc-run: for the --tolerance option: expected a number of 0 or more
// E7: is one input more than the model's 2
// E8: model.mlir:[[#@LINE+15]]:{{[0-9]+}}: error: 'tir.const' op has no content: its 'value' was left out when it was printed
// E9: model.mlir:[[#@LINE+20]]:{{[0-9]+}}: error: 'tir.gather' op index 2 is outside dimension 0 of size 2
// E10: error: 'func.call' op calls its own function again

// The first function that is not private is the one that runs.
func.func private @helper(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %0 = "tir.relu-fix"(%x) {op_name = "r"} : (tensor<1x2xi8>) -> tensor<1x2xi8>
  return %0 : tensor<1x2xi8>
}
func.func @main(%x: tensor<1x2xi8>, %y: tensor<1x2xi8>) -> tensor<1x2xi8> attributes {input_names = ["left", "right"], output_names = ["sum"]} {
  %0 = "tir.eltwise-fix"(%x, %y) {type = "ADD", input_fix_point = [1 : i32, 1 : i32], op_name = "a/b", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2xi8>, tensor<1x2xi8>) -> tensor<1x2xi8>
  return %0 : tensor<1x2xi8>
}

func.func @elided() -> tensor<2xi8> {
  %0 = "tir.const"() {value = dense_resource<__elided__> : tensor<2xi8>} : () -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
func.func @bad_gather() -> tensor<1xi8> {
  %0 = "tir.const"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2xi8>
  %1 = "tir.const"() {value = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %2 = "tir.gather"(%0, %1) : (tensor<2xi8>, tensor<1xi32>) -> tensor<1xi8>
  return %2 : tensor<1xi8>
}
func.func @bytes(%x: tensor<2xf32>) -> tensor<2xf32> attributes {input_names = ["x\FF"], output_names = ["y\FF"]} {
  %0 = "tir.neg"(%x) {op_name = "n\FF"} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @recursive(%x: tensor<2xi8>) -> tensor<2xi8> {
  %0 = func.call @recursive(%x) : (tensor<2xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
