// REQUIRES: mlir
// RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/images.py %t

// Files of pictures as inputs, in the layout of the input.
// RUN: xc-run %s --quiet --input=%t/x.png --expected=%t/nhwc.bin
// RUN: xc-run %s --quiet --input=%t/x.ppm --expected=%t/nhwc.bin
// RUN: xc-run %s --quiet --input=%t/x.JPG --expected=%t/flat.bin
// RUN: xc-run %s --quiet --input=%t/x.pgm --expected=%t/copies.bin
// RUN: xc-run %s --quiet --function=planes --input=%t/x.png --expected=%t/nchw.bin
// RUN: xc-run %s --quiet --function=grey --input=%t/x.ppm --expected=%t/luma.bin
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --mean=1,2,3 --scale=0.5 --expected=%t/centred.bin

// In fixed point a number x is stored as x * 2^fix_point, held at the limits.
// RUN: xc-run %s --quiet --function=fixed --input=%t/x.JPG --mean=127 --scale=0.5 --output=%t/fixed.npy
// RUN: xc-run %s --function=fixed --input=%t/fixed.npy | FileCheck %s --check-prefix=FIXED
// FIXED: 0 1x2x2x3xi8 4 4 4

// RUN: not xc-run %s --input=%t/short.ppm 2>&1 | FileCheck %s --check-prefix=E0
// RUN: not xc-run %s --input=%t/bad.png 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not xc-run %s --input=%t/bad.jpg 2>&1 | FileCheck %s --check-prefix=E2
// RUN: not xc-run %s --input=%t/huge.pgm 2>&1 | FileCheck %s --check-prefix=E3
// RUN: not xc-run %s --function=wide --input=%t/x.png 2>&1 | FileCheck %s --check-prefix=E4
// RUN: not xc-run %s --function=flat --input=%t/x.png 2>&1 | FileCheck %s --check-prefix=E5
// RUN: not xc-run %s --input=%t/x.png --mean=1,2 2>&1 | FileCheck %s --check-prefix=E6
// RUN: not xc-run %s --input=%t/x.png --scale=big 2>&1 | FileCheck %s --check-prefix=E7
// RUN: not xc-run %s --input=%t/cmyk.jpg 2>&1 | FileCheck %s --check-prefix=E8
// RUN: not xc-run %s --function=grey --input=%t/ycck.jpg 2>&1 | FileCheck %s --check-prefix=E9
// E0: short.ppm: error: malformed PPM file: it ends early
// E1: bad.png: error: malformed PNG file:
// E2: bad.jpg: error: malformed JPEG file:
// E3: huge.pgm: error: the sides of an image are 1 to 32768 pixels
// E4: x.png: error: the image has 2 x 2 pixels (width x height), input '' has 5 x 2
// E5: x.png: error: input '' is not a single image of 1 or 3 channels
// E6: error: --mean=1,2: expected a number, or one for each channel with commas
// E7: error: --scale=big: expected a number, or one for each channel with commas
// E8: cmyk.jpg: error: the JPEG file is in CMYK, expected grey, YCbCr or RGB; convert it to RGB with its colour profile{{$}}
// E9: ycck.jpg: error: the JPEG file is in CMYK, expected grey, YCbCr or RGB; convert it to RGB with its colour profile{{$}}

func.func @main(%x: tensor<1x2x2x3xui8>) -> tensor<1x2x2x3xui8> {
  return %x : tensor<1x2x2x3xui8>
}
func.func @planes(%x: tensor<1x3x2x2xui8>) -> tensor<1x3x2x2xui8> {
  return %x : tensor<1x3x2x2xui8>
}
func.func @grey(%x: tensor<1x2x2x1xui8>) -> tensor<1x2x2x1xui8> {
  return %x : tensor<1x2x2x1xui8>
}
func.func @reals(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  return %x : tensor<1x2x2x3xf32>
}
func.func @wide(%x: tensor<1x2x5x3xui8>) -> tensor<1x2x5x3xui8> {
  return %x : tensor<1x2x5x3xui8>
}
func.func @flat(%x: tensor<12xui8>) -> tensor<12xui8> {
  return %x : tensor<12xui8>
}
func.func @fixed(%x: tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8> {
  %0 = "tir.relu-fix"(%x) {op_name = "r", input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %0 : tensor<1x2x2x3xi8>
}
