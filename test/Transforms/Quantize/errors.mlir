// REQUIRES: mlir
// RUN: rm -rf %t && mkdir -p %t/empty %t/folder
// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(bytes(10))" %t/short.bin
// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(bytes(32))" %t/folder/two.bin
// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(bytes(16))" %t/folder/one.bin

// RUN: %python -c "import struct, sys; open(sys.argv[1], 'wb').write(struct.pack('<4f', *[2.0] * 4))" %t/large.bin

// A folder of raw files with three samples, and the report in both forms.
// RUN: xc-opt %s --tir-quantize='calibration=%t/folder report=%t/r.json' -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON --input-file %t/r.json
// RUN: xc-opt %s --tir-quantize='calibration=%t/folder samples=2 report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE
// JSON: "samples": 3
// JSON: "tensor": "x"
// JSON: "sqnr_db": null
// JSON: "operator": "float2fix"
// JSON: "fix_point": 7
// JSON: "outputs": [
// JSON: "same_largest": 3
// TABLE: operator point SQNR dB max error tensor
// TABLE-NEXT: float2fix 7 exact 0 x
// TABLE-NEXT: conv2d-fix 7 exact 0 c
// TABLE-NEXT: end to end exact 0

// RUN: not xc-opt %s --tir-quantize 2>&1 | FileCheck %s --check-prefix=E0
// RUN: not xc-opt %s --tir-quantize='calibration=%t/short.bin' 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not xc-opt %s --tir-quantize='calibration=%t/none.npy' 2>&1 | FileCheck %s --check-prefix=E2
// RUN: not xc-opt %s --tir-quantize='calibration=%t/empty' 2>&1 | FileCheck %s --check-prefix=E3
// RUN: not xc-opt %s --tir-quantize='calibration=random requantize=int4' 2>&1 | FileCheck %s --check-prefix=E4
// RUN: not xc-opt %s --tir-quantize='calibration=random samples=-1' 2>&1 | FileCheck %s --check-prefix=E5
// RUN: not xc-opt %s --tir-quantize='calibration=random report=%t/no/such.json' 2>&1 | FileCheck %s --check-prefix=E6
// RUN: sed 's/dense<0.5>/dense<0x7FC00000>/' %s | not xc-opt --tir-quantize='calibration=random' 2>&1 | FileCheck %s --check-prefix=E7
// RUN: sed 's/dense<0.5>/dense<3.0e38>/' %s | not xc-opt --tir-quantize='calibration=%t/large.bin' 2>&1 | FileCheck %s --check-prefix=E8
// RUN: sed 's/f32/f64/g' %s | not xc-opt --tir-quantize='calibration=random' 2>&1 | FileCheck %s --check-prefix=E9
// E9: error: {{.*}}computes in double precision, which calibration does not take; export the model in single precision
// E0: error: option 'calibration' of tir-quantize is missing, expected a file, a folder or random
// E1: {{^.*}}short.bin: error: calibration: 10 bytes, expected a multiple of the input's 16
// E2: {{^}}error: calibration: cannot open input file '{{.*}}none.npy': No such file or directory
// E3: {{^.*}}empty: error: calibration: no samples in it
// E4: error: option 'requantize' of tir-quantize is 'int4', expected pof2
// E5: 'tir-quantize': option 'samples' needs an integer from 0 to 2147483647
// E6: cannot open output file '{{.*}}such.json': No such file or directory
// E7: error: 'tir.conv2d' op a result is not finite on sample '0': a weight or a bias, of this or an earlier operator, is not a number or too large
// E7-NOT: error
// E8: error: 'tir.conv2d' op a result is not finite on sample 'large.bin': a weight or a bias

func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> attributes {input_names = ["x"]} {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c"} : (tensor<1x1x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %0 : tensor<1x1x1x4xf32>
}
