// REQUIRES: mlir
// What a target's engines lack is said by its name.
// RUN: xc-translate --mtir-to-dpu-asm --target=DPUCAHX8H_ISA2 --split-input-file --verify-diagnostics %s

func.func @engine(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{'mtir.hard-sigmoid-fix' op cannot run on the DPU: the target has no engine for hard-sigmoid layers}}
  "mtir.hard-sigmoid-fix"(%x, %y) {input_fix_point = 4 : i32, output_fix_point = 7 : i32} : (memref<1x4x4x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}
