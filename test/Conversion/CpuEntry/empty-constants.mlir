// Constants without elements take no room among the parameters: the first one
// has none to point into. (The build with UBSan looks at that.)
// RUN: xc-opt --global-bufferize --convert-tir-to-mtir --xc-cpu-pipeline %s | FileCheck %s
// RUN: printf '\001\002\003\004' > %t.in
// RUN: xc-run --backend=cpu %s --input=%t.in --output=%t.out
// RUN: printf '\002\003\004\005' | cmp - %t.out

// CHECK: xc.params_bytes = 4 : i64
func.func @f(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<0xi8>) {
  %none = "tir.const"() {value = dense<> : tensor<0xi8>} : () -> tensor<0xi8>
  %one = "tir.const"() {value = dense<[1, 1, 1, 1]> : tensor<4xi8>} : () -> tensor<4xi8>
  %0 = "tir.add"(%x, %one) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %1 = "tir.add"(%none, %none) : (tensor<0xi8>, tensor<0xi8>) -> tensor<0xi8>
  return %0, %1 : tensor<4xi8>, tensor<0xi8>
}
