// Chunks are processed apart, keep their line numbers and their places.
// RUN: not xc-opt --split-input-file %s 2> %t.err | FileCheck %s --match-full-lines
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// RUN: not xc-opt --split-input-file --output-split-marker="// next" %s 2> %t.err | FileCheck %s --check-prefix=NEXT
// RUN: not xc-opt --split-input-file="// other" --output-split-marker="// next" %s 2> %t.err | count 0
// CHECK:      module {
// CHECK:        func.func @one() {
// CHECK:      // -----
// CHECK-NEXT: // -----
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @three() {
// NEXT: {{^}}// next
// ERR: split.mlir:[[#@LINE+7]]:1: error: custom op 'oops' is unknown
// ERR-NOT: error:

func.func @one() { return }

// -----

oops

// -----

func.func @three() { return }
