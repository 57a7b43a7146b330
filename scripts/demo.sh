#!/bin/sh
# Shows what xc does on a small quantised model, step by step, and ends with the
# comparison of the simulated DPU and the reference. Usage: demo.sh BUILD
set -eu
build=$1
here=$(cd "$(dirname "$0")/.." && pwd)
PATH=$(cd "$build" && pwd)/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target=DPUCZDX8G_ISA1_B4096

title() {
  printf '\n== %s\n' "$1"
}
run() {
  printf '$ %s\n' "$*"
  "$@" | cut -c1-150
}

cp "$here"/examples/demo/* "$work"
cd "$work"
title "a quantised model: convolution, pool, softmax"
cut -c1-150 conv.mlir
title "which operators a DPU takes, and why not the others"
run xc-opt "--tir-partition=target=$target show=operators" conv.mlir \
  -o placed.mlir 2>&1
title "from tensors to buffers"
run xc-opt --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies \
  placed.mlir -o buffers.mlir
grep -o '^ *"mt[a-z]*\.[a-z0-9-]*"([^)]*)' buffers.mlir
title "machine code, and what it will take"
run xc-translate --mtir-to-xmodel --target=$target buffers.mlir \
  -o conv.xmodel
run xc-translate --mtir-to-dpu-times --target=$target buffers.mlir
title "the model in the reference interpreter"
mkdir tensors
run xc-run conv.mlir --backend=reference --input=image.npy \
  --dump-tensors=tensors
title "the machine code in the simulator, on the same data"
run xc-run conv.xmodel --strict --input=tensors/0000_image_fix.npy \
  --output=simulated.npy
tail -c 16 simulated.npy | od -An -td1 | sed 's/^/simulated:/'
tail -c 16 tensors/0003_flat.npy | od -An -td1 | sed 's/^/reference:/'
if [ "$(tail -c 16 simulated.npy | od -An -td1)" = \
  "$(tail -c 16 tensors/0003_flat.npy | od -An -td1)" ]; then
  echo "bit for bit the same"
else
  echo "they differ"
  exit 1
fi
