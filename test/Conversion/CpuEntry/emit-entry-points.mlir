// REQUIRES: mlir
// RUN: xc-opt %s --cpu-emit-entry-points --split-input-file | FileCheck %s --implicit-check-not=llvm.func

// What nothing calls becomes its own entry point: LLVM takes quadratic time to
// inline and drop many internal functions. Each return gives the status, and
// allocas stay in the first block.
// CHECK:      llvm.func @alone(%[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr) -> i32
// CHECK-SAME: xc.arena_bytes = 0 : i64, xc.function = "alone name"
// CHECK-NOT:  ^bb
// CHECK-DAG:  %[[STATUS:.*]] = llvm.alloca %{{.*}} x i32
// CHECK-DAG:  %[[LOCAL:.*]] = llvm.alloca %{{.*}} x i8
// CHECK-DAG:  %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK:      llvm.load %[[PARAMS]] : !llvm.ptr -> i1
// CHECK:      llvm.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK:      ^bb1:
// CHECK:      llvm.store %{{.*}}, %[[STATUS]] : i32, !llvm.ptr
// CHECK-NEXT: %[[ONE:.*]] = llvm.load %[[STATUS]]
// CHECK-NEXT: llvm.return %[[ONE]] : i32
// CHECK:      ^bb2:
// CHECK:      llvm.store %{{.*}}, %[[LOCAL]] : i8, !llvm.ptr
// CHECK-NEXT: %[[OTHER:.*]] = llvm.load %[[STATUS]]
// CHECK-NEXT: llvm.return %[[OTHER]] : i32
llvm.func internal @xc.body.alone(%x: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr, %params: !llvm.ptr, %status: !llvm.ptr) attributes {
    xc.entry = "alone", xc.function = "alone name",
    xc.input_bytes = array<i64: 1>, xc.output_bytes = array<i64: 1>,
    xc.input_notes = ["1xi8"], xc.output_notes = ["1xi8"],
    xc.arena_bytes = 0 : i64, xc.params_bytes = 1 : i64} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %byte = llvm.load %x : !llvm.ptr -> i8
  %flag = llvm.load %params : !llvm.ptr -> i1
  llvm.cond_br %flag, ^fault, ^fine
^fault:
  llvm.store %one, %status : i32, !llvm.ptr
  llvm.return
^fine:
  llvm.store %byte, %local : i8, !llvm.ptr
  llvm.return
}

// -----

// What another function calls stays, and has an entry point that calls it.
// CHECK: llvm.func internal @xc.body.part(
// CHECK: llvm.func @part(
// CHECK: llvm.call @xc.body.part(%{{.*}}, %{{.*}}, %{{.*}}, %[[PART:.*]]) :
// CHECK: llvm.load %[[PART]] : !llvm.ptr -> i32
// CHECK: llvm.func @whole(
// CHECK: llvm.call @xc.body.part(
llvm.func internal @xc.body.part(%x: !llvm.ptr, %arena: !llvm.ptr, %params: !llvm.ptr, %status: !llvm.ptr) attributes {
    xc.entry = "part", xc.function = "part",
    xc.input_bytes = array<i64: 1>, xc.output_bytes = array<i64>,
    xc.input_notes = ["1xi8"], xc.output_notes = [],
    xc.arena_bytes = 0 : i64, xc.params_bytes = 0 : i64} {
  llvm.return
}
llvm.func internal @xc.body.whole(%x: !llvm.ptr, %arena: !llvm.ptr, %params: !llvm.ptr, %status: !llvm.ptr) attributes {
    xc.entry = "whole", xc.function = "whole",
    xc.input_bytes = array<i64: 1>, xc.output_bytes = array<i64>,
    xc.input_notes = ["1xi8"], xc.output_notes = [],
    xc.arena_bytes = 0 : i64, xc.params_bytes = 0 : i64} {
  llvm.call @xc.body.part(%x, %arena, %params, %status) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
