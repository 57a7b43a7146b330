// The outputs among the arguments of a bufferized function are told from its
// inputs, by those who read it and by the code of calls.
// RUN: xc-opt --global-bufferize %s | FileCheck %s
// RUN: xc-opt --global-bufferize --convert-tir-to-mtir %s -o %t.mtir.mlir
// RUN: sed 's/attributes {input_num = 1 : i64}//' %t.mtir.mlir > %t.plain.mlir
// RUN: printf '\001\002\003\004' > %t.in
// RUN: xc-run %s --function=main --input=%t.in --output=%t.tir
// RUN: xc-run --backend=cpu %s --function=main --input=%t.in --output=%t.cpu
// RUN: xc-run %t.mtir.mlir --function=main --input=%t.in --output=%t.mtir
// RUN: xc-run --backend=cpu %t.mtir.mlir --function=main --input=%t.in --output=%t.mtir-cpu
// RUN: xc-run %t.plain.mlir --function=twice --input=%t.in --output=%t.plain
// RUN: printf '\002\004\006\010' > %t.twice && cmp %t.twice %t.plain
// RUN: printf '\004\010\014\020' > %t.expected
// RUN: cmp %t.expected %t.tir && cmp %t.expected %t.cpu
// RUN: cmp %t.expected %t.mtir && cmp %t.expected %t.mtir-cpu

// CHECK: func.func @twice(%{{.*}}: memref<4xi8>, %{{.*}}: memref<4xi8>) attributes {input_num = 1 : i64} {
func.func @twice(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = "tir.add"(%x, %x) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// A wrong number that was there before does not stay.
// CHECK: func.func @main(%{{.*}}: memref<4xi8>, %{{.*}}: memref<4xi8>) attributes {input_num = 1 : i64} {
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> attributes {input_num = 7 : i64} {
  %0 = call @twice(%x) : (tensor<4xi8>) -> tensor<4xi8>
  %1 = call @twice(%0) : (tensor<4xi8>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
