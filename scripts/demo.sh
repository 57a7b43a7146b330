#!/bin/sh
# A network in floating point becomes machine code of a DPU and runs on the
# simulator over its test images. Usage: demo.sh BUILD
# Everything made stays in BUILD/demo.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)/examples/digits
PATH=$build/bin:$PATH
target=DPUCZDX8G_ISA1_B4096

title() {
  printf '\n== %s\n' "$1"
}
run() {
  printf '$ %s\n' "$*"
  "$@"
}

rm -rf "$build/demo"
mkdir -p "$build/demo"
cp "$here"/*.onnx "$here"/*.npy "$build/demo"
cd "$build/demo"
title "a network in floating point, trained on scikit-learn's digits"
run xc-run digits.onnx --list
title "quantised with 64 images, divided between DPU and CPU, compiled"
run xcc digits.onnx -a $target -o out -n digits --calibration=calibration.npy \
  --save-temps=steps --report=digits.html | cut -c-110
title "what rounding costs, tensor by tensor"
run xc-opt steps/02-legalize.mlir -o /dev/null \
  "--tir-quantize=calibration=calibration.npy report=-" 2>&1
title "machine code, from the first instruction on"
run xc-translate --xmodel-to-text out/digits.xmodel -o digits.txt
grep -m 6 -A 5 'instructions' digits.txt | cut -c1-110
title "360 test images: floating point, fixed point, simulated machine code"
run digits digits.onnx out/digits_org.xmodel out/digits.xmodel test.npy \
  labels.npy
printf '\nthe report as a page: %s\n' "$build/demo/digits.html"
