func.func @loops(%a: memref<4x8xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%x = %c0) -> index {
    %y = arith.addi %x, %k overflow<nsw> : index
    scf.yield %y : index
  }
  %v = memref.load %a[%c0, %s] : memref<4x8xf32>
  %w = arith.mulf %v, %v fastmath<fast> : f32
  cf.cond_br %c, ^bb1(%w : f32), ^bb1(%v : f32)
^bb1(%r: f32):
  return %r : f32
}
func.func @quantized(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32> {
  %0 = quant.dcast %a : tensor<4x!quant.uniform<i8:f32, 0.5:3>> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
llvm.func @pointers(%p: !llvm.ptr, %i: i64) -> i32 {
  %0 = llvm.getelementptr inbounds %p[%i, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %1 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return %1 : i32
}
