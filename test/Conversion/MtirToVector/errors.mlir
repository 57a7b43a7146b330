// REQUIRES: mlir
// RUN: not xc-opt %s --pass-pipeline="builtin.module(convert-mtir-to-vector{threads=0})" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}option 'threads' needs an integer from 1 to 1024
// NONE-NOT: note:
// RUN: not xc-opt %s --pass-pipeline="builtin.module(convert-mtir-to-vector{threads=4294967297})" 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: {{.*}}option 'threads' needs an integer from 1 to 1024
// RUN: not xc-opt %s --pass-pipeline="builtin.module(convert-mtir-to-vector{mcpu=})" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: option 'mcpu' of convert-mtir-to-vector is empty, expected the name of a processor
// CPU-NOT: note:
// RUN: not xc-opt %s --pass-pipeline="builtin.module(xc-cpu-pipeline{threads=1025})" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: {{.*}}'xc-cpu-pipeline': option 'threads' needs an integer from 1 to 1024
// RUN: not xc-opt %s --pass-pipeline="builtin.module(xc-cpu-pipeline{threads=some})" 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: {{.*}}'threads' needs an integer from 1 to 1024
func.func @main(%x: memref<4xf32>) {
  return
}
