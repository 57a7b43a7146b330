#!/bin/sh
# usage: fetch-peers.sh FOLDER
# Gets the runtimes that CpuBench compares with: npm packages that carry
# libtensorflowlite_c and libonnxruntime. Without npm or network the benchmark
# runs without them.
folder=$1
mkdir -p "$folder" && cd "$folder" || exit 1
if [ -d node_modules/tfjs-tflite-node ] && [ -d node_modules/onnxruntime-node ]
then
  exit 0
fi
if ! command -v npm > /dev/null; then
  echo "CpuBench: no npm, so there is nothing to compare with"
  exit 0
fi
npm install --silent --no-save --ignore-scripts \
  tfjs-tflite-node@0.0.2 onnxruntime-node@1.30.0 > /dev/null ||
  echo "CpuBench: npm could not get the other runtimes"
exit 0
