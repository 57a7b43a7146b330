#!/bin/sh
# Compares random graphs with the reference interpreter, on the CPU and on random
# targets; the table below says how many of which kind. Findings, made small,
# stay in BUILD/fuzz/graphs.
# Usage: fuzz-graphs.sh BUILD JOBS SECONDS [FIRST SEED]
set -eu
build=$1
jobs=$2
seconds=$3
seed=${4:-1}
findings=$build/fuzz/graphs
rm -rf "$findings"
mkdir -p "$findings"
failed=0
run() {
  echo "== random graphs, $*"
  mode=$1
  count=$2
  shift 2
  "$build/test/bin/GraphFuzz" --mode="$mode" --count="$count" --seed="$seed" \
    --jobs="$jobs" --seconds="$seconds" --directory="$findings" "$@" || failed=1
}
run cpu 10000
run cpu 1000 --with=shuffles
run cpu 1000 --operator=scatter
run cpu 1000 --operator=recurrent
run dpu 5000 --family=DPUCZDX8G
run dpu 5000 --family=DPUCAHX8H
run dpu 2000 --family=DPUCZDX8G --with=lists
run dpu 2000 --family=DPUCAHX8H --with=lists
run dpu 2000 --family=DPUCZDX8G --with=depthwise --engines=each
run dpu 2000 --family=DPUCZDX8G --engines=in-tiles
run dpu 2000 --family=DPUCZDX8G --engines=in-tiles --with=concats
run dpu 2000 --family=DPUCZDX8G --engines=in-tiles --with=inner
run dpu 2000 --family=DPUCZDX8G --with=signals
run dpu 1000 --family=DPUCAHX8H --with=signals
run dpu 2000 --family=DPUCZDX8G --with=shuffles
run dpu 1000 --family=DPUCAHX8H --with=shuffles
run dpu 1000 --family=DPUCZDX8G --with=large
exit $failed
