// REQUIRES: mlir
// RUN: not xc-opt %s --pass-pipeline="builtin.module(convert-mtir-to-vector{threads=0})" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'builtin.module' op is for 0 threads, expected 1 to 1024
// RUN: not xc-opt %s --pass-pipeline="builtin.module(convert-mtir-to-vector{threads=4294967297})" 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: 'builtin.module' op is for 4294967297 threads, expected 1 to 1024
// RUN: not xc-opt %s --pass-pipeline="builtin.module(convert-mtir-to-vector{mcpu=})" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: 'builtin.module' op needs the name of a processor
// RUN: not xc-opt %s --pass-pipeline="builtin.module(xc-cpu-pipeline{threads=1025})" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: 'builtin.module' op is for 1025 threads, expected 1 to 1024
// RUN: not xc-opt %s --pass-pipeline="builtin.module(xc-cpu-pipeline{threads=some})" 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: {{.*}}'threads' needs an integer
func.func @main(%x: memref<4xf32>) {
  return
}
