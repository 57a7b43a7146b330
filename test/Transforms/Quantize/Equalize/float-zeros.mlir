// REQUIRES: mlir
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/samples.py %t
// DEFINE: %{quantize} = xc-opt --tir-quantize='calibration=%t/four.bin report=-'

// -3 to 9 goes into SiLU, whose middle is 3: the bias of the convolution takes it
// along, and it is added again in front of the activation. What comes out, some
// -0.2 to 9, has its zero point taken off behind it, and the reader's bias adds
// what stands for it.
// RUN: %{quantize} %t/moved.mlir 2>%t/report.txt | FileCheck %s --check-prefixes=IN,OUT
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t/report.txt
// IN: [[BACK:%.*]] = "tir.const"() {value = dense<[0.75{{[0-9]*}}, 0.37{{[0-9]*}}]> : tensor<2xf32>}
// IN: [[ZERO:%.*]] = "tir.const"() {value = dense<[3.000000e+00, 1.500000e+00]> : tensor<2xf32>}
// IN: [[X:%.*]] = "tir.scale"({{.*}}, [[BACK]], [[ZERO]]) {op_name = "gate/unscaled"
// IN: "tir.sigmoid"([[X]])
// OUT: [[SILU:%.*]] = "tir.scale"({{.*}}) {op_name = "silu"
// OUT: "tir.float2fix"([[SILU]]) {{{.*}}op_name = "silu/fix"
// REPORT: end to end {{ *4[0-9]\.}}

// Nothing is taken off where a reader pads, which it would do with another number,
// or has no bias, or where something else reads the result.
// RUN: %{quantize} %t/padded.mlir 2>/dev/null | FileCheck %s --check-prefixes=IN,KEPT
// RUN: sed 's/(%%2, %%v, %%c)/(%%2, %%v)/; s/2x2x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>)/2x2x2xf32>, tensor<1x1x1x2xf32>)/' %t/moved.mlir > %t/no-bias.mlir
// RUN: %{quantize} %t/no-bias.mlir 2>/dev/null | FileCheck %s --check-prefixes=IN,KEPT
// RUN: %{quantize} %t/summed.mlir 2>/dev/null | FileCheck %s --check-prefixes=IN,KEPT
// KEPT: "tir.mul"({{.*}}) {op_name = "silu"
// KEPT-NOT: "tir.scale"

// RUN: xc-opt %t/moved.mlir --tir-quantize='calibration=%t/four.bin zero-points=false' | FileCheck %s --check-prefix=OFF
// RUN: xc-opt %t/moved.mlir --tir-quantize='calibration=%t/four.bin fit=false' | FileCheck %s --check-prefix=OFF
// OFF-NOT: "tir.scale"

// Zero points and limits follow where channels get another order: every other one
// goes down to -100, of which what lies below some -6 does not count.
// RUN: %python %t/channels.py > %t/sorted.mlir
// RUN: xc-opt %t/sorted.mlir --tir-quantize='calibration=%t/far.bin group-channels=2 sort-channels=true zero-points=false report=-' 2>&1 >/dev/null | FileCheck %s --check-prefix=ORDER
// RUN: xc-opt %t/sorted.mlir --tir-quantize='calibration=%t/far.bin group-channels=2 sort-channels=true report=-' 2>&1 >/dev/null | FileCheck %s --check-prefix=SORTED
// ORDER: conv2d-fix {{ *}}3 {{.*}} far
// SORTED: conv2d-fix {{ *}}4 {{ *4[0-9]\.}}{{.*}} far
// SORTED: end to end {{ *4[0-9]\.}}

// Scores of -15 to -3 in the samples may be up to where a sigmoid ends in others, some
// 5.5; those that scale something have the middle of what counts of the samples.
// RUN: %{quantize} %t/scores.mlir 2>/dev/null | FileCheck %s --check-prefix=SCORES
// RUN: %{quantize} %t/gates.mlir 2>/dev/null | FileCheck %s --check-prefix=GATES
// SCORES: "tir.const"() {value = dense<-4.{{[67].*}}> : tensor<2xf32>}
// GATES: "tir.const"() {value = dense<-7.5{{.*}}> : tensor<2xf32>}

//--- samples.py
import struct, sys

def write(name, *numbers):
    with open(sys.argv[1] + "/" + name, "wb") as file:
        file.write(struct.pack("<%df" % len(numbers), *numbers))

write("four.bin", 1, -1, 0.5, 0.25)
write("far.bin", -100, -50, -3, 2)

//--- channels.py
count = 8
weights = ", ".join("[[[%s]]]" % ("1.0" if i % 2 else "0.01") for i in range(count))
many, one = "1x2x2x%dxf32" % count, "1x2x2x1xf32"
print(f'''func.func @main(%x: tensor<{one}>) -> tensor<{one}> {{
  %w = "tir.const"() {{value = dense<[{weights}]> : tensor<{count}x1x1x1xf32>}} : () -> tensor<{count}x1x1x1xf32>
  %b = "tir.const"() {{value = dense<0.0> : tensor<{count}xf32>}} : () -> tensor<{count}xf32>
  %v = "tir.const"() {{value = dense<1.0> : tensor<1x1x1x{count}xf32>}} : () -> tensor<1x1x1x{count}xf32>
  %c = "tir.const"() {{value = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {{op_name = "far", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]}} : (tensor<{one}>, tensor<{count}x1x1x1xf32>, tensor<{count}xf32>) -> tensor<{many}>
  %1 = "tir.sigmoid"(%0) {{op_name = "gate"}} : (tensor<{many}>) -> tensor<{many}>
  %2 = "tir.mul"(%0, %1) {{op_name = "silu"}} : (tensor<{many}>, tensor<{many}>) -> tensor<{many}>
  %3 = "tir.conv2d"(%2, %v, %c) {{kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]}} : (tensor<{many}>, tensor<1x1x1x{count}xf32>, tensor<1xf32>) -> tensor<{one}>
  return %3 : tensor<{one}>
}}''')

//--- moved.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[6.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[3.0, 1.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[0.5, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %c = "tir.const"() {value = dense<0.25> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}

//--- padded.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[6.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[3.0, 1.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<1x3x3x2xf32>} : () -> tensor<1x3x3x2xf32>
  %c = "tir.const"() {value = dense<0.25> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v, %c) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x3x3x2xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}

//--- summed.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[6.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[3.0, 1.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[0.5, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %c = "tir.const"() {value = dense<0.25> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "gate"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%0, %1) {op_name = "silu"} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.maxpool2d"(%2) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = "tir.conv2d"(%3, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return %4 : tensor<1x2x2x1xf32>
}

//--- scores.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<6.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<-9.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %1 : tensor<1x2x2x2xf32>
}

//--- gates.mlir
func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<6.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<-9.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.mul"(%1, %x) : (tensor<1x2x2x2xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x2xf32>
  return %2 : tensor<1x2x2x2xf32>
}
