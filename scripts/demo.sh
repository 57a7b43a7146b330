#!/bin/sh
# Shows what xc does on a small quantised model, step by step.
# Usage: demo.sh BUILD
set -eu
build=$1
here=$(cd "$(dirname "$0")/.." && pwd)
PATH=$(cd "$build" && pwd)/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

title() {
  printf '\n== %s\n' "$1"
}
run() {
  printf '$ %s\n' "$*"
  "$@"
}

cd "$here/examples/demo"
title "a quantised convolution on tensors"
cat conv.mlir
title "its arguments, results and constants become buffers"
run xc-opt --global-bufferize conv.mlir
title "its operators become operators on buffers"
run xc-opt --global-bufferize --convert-tir-to-mtir conv.mlir
title "without the copies that nobody needs, in one arena"
run xc-opt --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies \
  --mtir-plan-memory conv.mlir
title "which operators a DPU takes, and why not the others"
run xc-opt "--tir-partition=target=DPUCZDX8G_ISA1_B4096 show=operators" conv.mlir \
  -o "$work/partitioned.mlir"
