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

// A divisor, and pixels that count from 0 to 1: the same numbers. --pixels
// replaces what a model says of the mean and the scale.
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --mean=1,2,3 --std=2 --expected=%t/centred.bin
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --pixels=0..255 --mean=1,2,3 --std=2,2,2 --expected=%t/centred.bin
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --mean=127.5 --std=51 --output=%t/unit.npy
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --pixels=0..1 --mean=0.5 --std=0.2 --expected=%t/unit.npy --tolerance=1e-6
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --pixels=0..1 --mean=0.5 --scale=5 --expected=%t/unit.npy --tolerance=1e-6
// RUN: xc-run %s --quiet --function=said --input=%t/x.png --output=%t/said.npy
// RUN: xc-run %s --quiet --function=said --input=%t/x.png --std=2 --expected=%t/said.npy
// RUN: xc-run %s --quiet --function=said --input=%t/x.png --pixels=0..1 --mean=0.5 --std=0.2 --expected=%t/unit.npy --tolerance=1e-6
// RUN: xc-run %s --quiet --function=reals --input=%t/x.png --output=%t/raw.npy
// RUN: xc-run %s --quiet --function=said --input=%t/x.png --pixels=0..255 --expected=%t/raw.npy

// What pixels become is said.
// RUN: xc-run %s --function=reals --input=%t/x.png --pixels=0..1 --mean=0.485,0.456,0.406 --std=0.229,0.224,0.225 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: {{^}}input 'image': pictures of 0 to 255 as -2.12 to 2.64 (--mean=123.675,116.28,103.53 --scale=0.0171248,0.017507,0.0174292){{$}}
// RANGE-NOT: warning
// RUN: xc-run %s --function=reals --input=%t/x.png 2>&1 | FileCheck %s --check-prefix=RAW
// RAW: {{^}}input 'image': pictures of 0 to 255 as they are (no --mean, --std or --scale){{$}}
// RAW-NOT: warning
// RUN: xc-run %s --function=reals --input=%t/centred.bin 2>&1 | FileCheck %s --check-prefix=NOPICTURE
// NOPICTURE-NOT: pictures

// And what is odd about it.
// DEFINE: %{odd} = xc-run %s --quiet --function=reals --input=%t/x.png
// RUN: %{odd} --mean=0.485,0.456,0.406 --scale=0.229,0.224,0.225 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: images.mlir: warning: input 'image': pictures of 0 to 255 as -0.111 to 58.3 (--mean=0.485,0.456,0.406 --scale=0.229,0.224,0.225): the mean is one of pixels from 0 to 1; did you mean --mean=123.675,116.28,103.53 --scale=0.0171248,0.017507,0.0174292, that is --pixels=0..1 --mean=0.485,0.456,0.406 --std=0.229,0.224,0.225?
// RUN: %{odd} --mean=0.485,0.456,0.406 --std=0.229,0.224,0.225 2>&1 | FileCheck %s --check-prefix=MEANT
// RUN: %{odd} --mean=123.675,116.28,103.53 --scale=58.395,57.12,57.375 2>&1 | FileCheck %s --check-prefixes=STD,MEANT
// RUN: %{odd} --mean=123.675,116.28,103.53 --std=0.229,0.224,0.225 2>&1 | FileCheck %s --check-prefixes=STD,MEANT
// STD: warning: {{.*}}: --scale multiplies, and makes pixels larger than they are
// MEANT: did you mean --mean=123.675,116.28,103.53 --scale=0.0171248,0.017507,0.0174292, that is --pixels=0..1 --mean=0.485,0.456,0.406 --std=0.229,0.224,0.225?
// RUN: %{odd} --mean=0.5 2>&1 | FileCheck %s --check-prefix=MEAN
// MEAN: did you mean --mean=127.5 --scale=0.00392157, that is --pixels=0..1 --mean=0.5 --std=1?
// RUN: %{odd} --mean=1,0.5,0.5 --scale=0.0078125 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: did you mean --mean=255,127.5,127.5 --scale=0.0078125, that is
// RUN: %{odd} --pixels=0..1 --mean=123.675 --std=58.395 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: warning: {{.*}}: the mean is larger than any pixel{{$}}
// RUN: %{odd} --pixels=0..1 --std=58.395 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: warning: {{.*}} as 0 to 0.0171 (--scale=6.71559e-05): all pictures are nearly one number{{$}}
// RUN: xc-run %s --quiet --function=signed --input=%t/x.png 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: xc-run %s --quiet --function=signed --input=%t/x.png --mean=128 2>&1 | FileCheck %s --check-prefix=FITS --allow-empty
// CUT: warning: {{.*}}: the input's integers do not reach that far{{$}}
// FITS-NOT: warning

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
// RUN: not xc-run %s --input=%t/x.png --std=1,0,1 2>&1 | FileCheck %s --check-prefix=E10
// RUN: not xc-run %s --input=%t/x.png --std=2 --scale=0.5 2>&1 | FileCheck %s --check-prefix=E11
// RUN: not xc-run %s --input=%t/x.png --pixels=1 2>&1 | FileCheck %s --check-prefix=E12
// RUN: not xc-run %s --input=%t/x.png --std=big 2>&1 | FileCheck %s --check-prefix=E13
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
// E10: error: --std=1,0,1: expected divisors larger than 0
// E11: error: --std=2 divides and --scale=0.5 multiplies, expected one of them
// E12: error: --pixels=1: expected 0..255 or 0..1
// E13: error: --std=big: expected a number, or one for each channel with commas

func.func @main(%x: tensor<1x2x2x3xui8>) -> tensor<1x2x2x3xui8> {
  return %x : tensor<1x2x2x3xui8>
}
func.func @planes(%x: tensor<1x3x2x2xui8>) -> tensor<1x3x2x2xui8> {
  return %x : tensor<1x3x2x2xui8>
}
func.func @grey(%x: tensor<1x2x2x1xui8>) -> tensor<1x2x2x1xui8> {
  return %x : tensor<1x2x2x1xui8>
}
func.func @said(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> attributes {preprocess = "mean=7 scale=0.5"} {
  return %x : tensor<1x2x2x3xf32>
}
func.func @signed(%x: tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8> {
  return %x : tensor<1x2x2x3xi8>
}
func.func @reals(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> attributes {input_names = ["image"]} {
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
