// REQUIRES: mlir
// RUN: rm -rf %t && mkdir -p %t && %python %S/pictures.py %t

// Every kind of PNG is the bytes of the file: no gamma is applied, alpha is left
// out, 16 bits become 8, grey is three times the same.
// RUN: xc-run %s --quiet --input=%t/rgb.png --expected=%t/rgb.bin
// RUN: xc-run %s --quiet --input=%t/gamma.png --expected=%t/rgb.bin
// RUN: xc-run %s --quiet --input=%t/rgba.png --expected=%t/rgb.bin
// RUN: xc-run %s --quiet --input=%t/rgb16.png --expected=%t/rgb.bin
// RUN: xc-run %s --quiet --input=%t/palette.png --expected=%t/rgb.bin
// RUN: xc-run %s --quiet --input=%t/grey.png --expected=%t/grey.bin
// RUN: xc-run %s --quiet --input=%t/greyalpha.png --expected=%t/grey.bin
// RUN: xc-run %s --quiet --input=%t/bits.png --expected=%t/bits.bin
// The contents decide, not the name.
// RUN: cp %t/rgb.png %t/rgb.jpeg
// RUN: xc-run %s --quiet --input=%t/rgb.jpeg --expected=%t/rgb.bin

// Order of the channels, size, part.
// RUN: xc-run %s --quiet --input=%t/rgb.png --channels=bgr --expected=%t/bgr.bin
// RUN: xc-run %s --quiet --input=%t/rgb.png --channels=rgb --layout=nhwc --expected=%t/rgb.bin
// RUN: xc-run %s --quiet --function=small --input=%t/rgb.png --resize=2x3 --expected=%t/small.bin
// RUN: xc-run %s --quiet --function=large --input=%t/rgb.png --resize=8x9 --expected=%t/large.bin
// RUN: xc-run %s --quiet --function=small --input=%t/rgb.png --crop=2x3 --expected=%t/crop.bin
// RUN: xc-run %s --quiet --function=small --input=%t/rgb.png --resize=3 --crop=2x3 --expected=%t/shorter.bin
// RUN: xc-run %s --quiet --function=large --input=%t/rgb.png --resize=letterbox --expected=%t/letterbox.bin
// RUN: xc-run %s --quiet --function=planes --input=%t/rgb.png --channels=bgr --mean=1.5,2,3 --scale=0.5,0.25,2 --expected=%t/planes.bin
// The layout of an input that the dimensions do not tell.
// RUN: xc-run %s --quiet --function=cube --input=%t/rgb.png --resize=3x3 --layout=nchw --output=%t/nchw.npy
// RUN: xc-run %s --quiet --function=cube --input=%t/rgb.png --resize=3x3 --layout=nhwc --output=%t/nhwc.npy
// RUN: not cmp -s %t/nchw.npy %t/nhwc.npy

// What the model says holds, and each option replaces one of its values.
// RUN: xc-run %s --quiet --function=told --input=%t/rgb.png --expected=%t/shorter.bin
// RUN: xc-run %s --quiet --function=told --input=%t/rgb.png --resize=5x7 --expected=%t/crop.bin

// RUN: not xc-run %s --input=%t/rgb.png --resize=0 2>&1 | FileCheck %s --check-prefix=E0
// RUN: not xc-run %s --input=%t/rgb.png --resize=40000x2 2>&1 | FileCheck %s --check-prefix=E0
// RUN: not xc-run %s --input=%t/rgb.png --crop=3x 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not xc-run %s --input=%t/rgb.png --crop=3x9 2>&1 | FileCheck %s --check-prefix=E2
// RUN: not xc-run %s --input=%t/rgb.png --resize=4 2>&1 | FileCheck %s --check-prefix=E3
// RUN: not xc-run %s --function=small --input=%t/rgb.png 2>&1 | FileCheck %s --check-prefix=E4
// RUN: not xc-run %s --input=%t/rgb.png --channels=bgra 2>&1 | FileCheck %s --check-prefix=E5
// RUN: not xc-run %s --input=%t/rgb.png --layout=chw 2>&1 | FileCheck %s --check-prefix=E6
// RUN: not xc-run %s --input=%t/rgb.png --mean=nan 2>&1 | FileCheck %s --check-prefix=E7
// RUN: sed 's/resize=3 crop=2x3/rotate=90/' %s > %t/bad.mlir
// RUN: not xc-run %t/bad.mlir --function=told --input=%t/rgb.png 2>&1 | FileCheck %s --check-prefix=E8
// RUN: sed 's/resize=3 crop=2x3/crop=2 crop=2/' %s > %t/bad.mlir
// RUN: not xc-run %t/bad.mlir --function=told --input=%t/rgb.png 2>&1 | FileCheck %s --check-prefix=E9
// RUN: not xc-run %s --function=grey --input=%t/rgb.png --mean=1,2,3 2>&1 | FileCheck %s --check-prefix=E10
// RUN: cp %t/rgb.bin %t/no.png && not xc-run %s --input=%t/no.png 2>&1 | FileCheck %s --check-prefix=E11
// RUN: not xc-run %s --input=%t/rgb.png --resize=32768x32768 2>&1 | FileCheck %s --check-prefix=E12
// RUN: not xc-run %s --input=%t/rgb.png --resize=32768 2>&1 | FileCheck %s --check-prefix=E13
// E12: rgb.png: error: resized the image would have 32768 x 32768 pixels (width x height)
// E13: rgb.png: error: resized the image would have 45875 x 32768 pixels (width x height)
// E0: error: --resize={{.*}}: expected the shorter side (256), height and width (256x320), or letterbox
// E1: error: --crop=3x: expected one side (224) or height and width (224x288)
// E2: rgb.png: error: the image has 7 x 5 pixels (width x height) when it is cut, --crop takes 9 x 3 out
// E3: rgb.png: error: the image has 5 x 4 pixels (width x height), input '' has 7 x 5 after --resize and --crop
// E4: rgb.png: error: the image has 7 x 5 pixels (width x height), input '' has 3 x 2; --resize and --crop change it
// E5: error: --channels=bgra: expected rgb or bgr
// E6: error: --layout=chw: expected nhwc or nchw
// E7: error: --mean=nan: expected a number, or one for each channel with commas
// E8: error: attribute 'preprocess' is 'rotate=90': the key is not known
// E9: error: attribute 'preprocess' is 'crop=2 crop=2': the key is there twice
// E10: rgb.png: error: --mean has 3 numbers, the input has 1 channel
// E11: no.png: error: the file is not a picture: its first bytes are none of PNG, JPEG, PGM (P5) and PPM (P6)

func.func @main(%x: tensor<1x5x7x3xui8>) -> tensor<1x5x7x3xui8> {
  return %x : tensor<1x5x7x3xui8>
}
func.func @small(%x: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xui8> {
  return %x : tensor<1x2x3x3xui8>
}
func.func @told(%x: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xui8> attributes {preprocess = "resize=3 crop=2x3"} {
  return %x : tensor<1x2x3x3xui8>
}
func.func @large(%x: tensor<1x8x9x3xui8>) -> tensor<1x8x9x3xui8> {
  return %x : tensor<1x8x9x3xui8>
}
func.func @planes(%x: tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32> {
  return %x : tensor<1x3x5x7xf32>
}
func.func @cube(%x: tensor<1x3x3x3xui8>) -> tensor<1x3x3x3xui8> {
  return %x : tensor<1x3x3x3xui8>
}
func.func @grey(%x: tensor<1x5x7x1xui8>) -> tensor<1x5x7x1xui8> {
  return %x : tensor<1x5x7x1xui8>
}
