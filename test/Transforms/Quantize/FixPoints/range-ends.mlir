// REQUIRES: mlir
// RUN: %python -c "import struct, sys; open(sys.argv[1], 'wb').write(struct.pack('<16f', *[i / 15 for i in range(16)]))" %t.pixels.bin
// RUN: %python -c "import struct, sys; open(sys.argv[1], 'wb').write(struct.pack('<16f', *[17 * i for i in range(16)]))" %t.bytes.bin
// RUN: %python -c "import struct, sys; open(sys.argv[1], 'wb').write(struct.pack('<16f', *[i %% 2 for i in range(16)]))" %t.mask.bin
// RUN: %python -c "import struct, sys; open(sys.argv[1], 'wb').write(struct.pack('<16f', *[1.02 * i / 15 for i in range(16)]))" %t.more.bin
// RUN: xc-opt %s --tir-quantize='calibration=%t.pixels.bin report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIXELS
// RUN: xc-opt %s --tir-quantize='calibration=%t.bytes.bin report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: xc-opt %s --tir-quantize='calibration=%t.mask.bin report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: xc-opt %s --tir-quantize='calibration=%t.more.bin report=-' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MORE

// The largest pixel is one step beyond what fits: half of the integers would
// stay empty without it.
// PIXELS: float2fix 7
// BYTES: float2fix -1
// Where nothing else is there, the coarser fix point is exact.
// MASK: float2fix {{[0-6]}} exact
// Cutting off several steps has to pay.
// MORE: float2fix 6

func.func @main(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}
