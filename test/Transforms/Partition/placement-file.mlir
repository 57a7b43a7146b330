// RUN: split-file %s %t
// RUN: xc-opt %t/net.mlir --tir-partition='placement=%t/rules.json save-placement=%t/saved.json outline=false' | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAVED < %t/saved.json
// RUN: xc-opt %t/net.mlir --tir-partition='placement=%t/saved.json save-placement=%t/again.json outline=false' | FileCheck %s --check-prefix=REPLAY
// RUN: diff %t/saved.json %t/again.json

// RUN: not xc-opt %t/other.mlir --tir-partition=placement=%t/saved.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not xc-opt %t/short.mlir --tir-partition=placement=%t/saved.json 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not xc-opt %t/pool.mlir --tir-partition=placement=%t/impossible.json 2>&1 | FileCheck %s --check-prefix=IMPOSSIBLE
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/device.json 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/key.json 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/both.json 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/empty.json 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/syntax.json 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/object.json 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/no-device.json 2>&1 | FileCheck %s --check-prefix=NO-DEVICE
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/no-string.json 2>&1 | FileCheck %s --check-prefix=NO-STRING
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/no-list.json 2>&1 | FileCheck %s --check-prefix=NO-LIST
// RUN: not xc-opt %t/net.mlir --tir-partition=placement=%t/missing.json 2>&1 | FileCheck %s --check-prefix=MISSING

// A rule for nothing is a warning at its place; one behind another is fine.
// RUN: xc-opt %t/net.mlir --tir-partition='placement=%t/unused.json' -o /dev/null 2> %t/unused.txt
// RUN: FileCheck %s --check-prefix=UNUSED < %t/unused.txt
// UNUSED-NOT: warning
// UNUSED: unused.json:3:3: warning: the rule matches no operator of the model: name 'nosuch', shape '1x*'{{$}}
// UNUSED-NEXT: unused.json:4:3: warning: the rule matches no operator of the model: type 'conv2d-fix'{{$}}
// UNUSED-NOT: warning

// A name that is no UTF-8 loses its foreign bytes in both directions.
// RUN: xc-opt %t/bytes.mlir --tir-partition='save-placement=%t/bytes.json' -o /dev/null
// RUN: FileCheck %s --check-prefix=BYTES < %t/bytes.json
// RUN: xc-opt %t/bytes.mlir --tir-partition='placement=%t/bytes.json' -o /dev/null
// BYTES: "name": "a?b",

// By name, by type and by shape; the first rule that fits decides.
// CHECK: device = "CPU", op_name = "block1/a"{{.*}}xc.reason = "placement-file: the rule at {{.*}}rules.json:3:3; fits with no such rule"
// CHECK: device = "DPU", op_name = "block1/keep"
// CHECK: device = "CPU", {{.*}}op_name = "pool"
// CHECK: device = "CPU", op_name = "wide"
// CHECK: device = "DPU", op_name = "rest"

// SAVED:      "target": "DPUCZDX8G_ISA1_B4096",
// SAVED-NEXT: "operators": [
// SAVED-NEXT:  {
// SAVED-NEXT:   "name": "block1/a",
// SAVED-NEXT:   "type": "relu-fix",
// SAVED-NEXT:   "shape": "1x4x4x16xi8",
// SAVED-NEXT:   "device": "CPU"

// REPLAY: device = "CPU", op_name = "block1/a"{{.*}}xc.reason = "placement-file: the saved placement;
// REPLAY: device = "DPU", op_name = "block1/keep"

// OTHER: saved.json:4:{{[0-9]+}}: error: operator 0 of the model has the name 'block2/a', the saved placement has 'block1/a'
// SHORT: saved.json:3:{{[0-9]+}}: error: the saved placement has 5 operators, the model has 1
// IMPOSSIBLE: error: 'tir.pool-fix' op 'pool' is to run on the DPU by the rule at {{.*}}impossible.json:1:12, but cannot: rounding is STD_ROUND, expected DPU_ROUND
// DEVICE: device.json:1:{{[0-9]+}}: error: 'device' is neither "CPU" nor "DPU"
// KEY: key.json:1:{{[0-9]+}}: error: unknown key 'op', expected 'name', 'type', 'shape' or 'device'
// BOTH: both.json:1:{{[0-9]+}}: error: 'rules' and 'operators' exclude each other
// EMPTY: empty.json: error: the file has neither 'rules' nor 'operators'
// SYNTAX: syntax.json:1:{{[0-9]+}}: error: not valid JSON
// OBJECT: object.json:1:{{[0-9]+}}: error: a rule is an object
// NO-DEVICE: no-device.json:1:{{[0-9]+}}: error: a rule needs a 'device'
// NO-STRING: no-string.json:1:{{[0-9]+}}: error: 'name' is not a string
// NO-LIST: no-list.json:1:{{[0-9]+}}: error: 'rules' is not a list
// MISSING: error: cannot open input file '{{.*}}missing.json'

//--- net.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x8x8x16xi8> {
  %0 = "tir.relu-fix"(%a) {op_name = "block1/a"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.relu-fix"(%0) {op_name = "block1/keep"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %2 = "tir.pool-fix"(%1) {op_name = "pool", type = "MAX", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %3 = "tir.upsample-fix"(%2) {op_name = "wide", scale = [2 : i32, 2 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x8x8x16xi8>
  %4 = "tir.relu-fix"(%3) {op_name = "rest"} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %4 : tensor<1x8x8x16xi8>
}
//--- other.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x8x8x16xi8> {
  %0 = "tir.relu-fix"(%a) {op_name = "block2/a"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.relu-fix"(%0) {op_name = "block1/keep"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %2 = "tir.pool-fix"(%1) {op_name = "pool", type = "MAX", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %3 = "tir.upsample-fix"(%2) {op_name = "wide", scale = [2 : i32, 2 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x8x8x16xi8>
  %4 = "tir.relu-fix"(%3) {op_name = "rest"} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %4 : tensor<1x8x8x16xi8>
}
//--- short.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %0 = "tir.relu-fix"(%a) {op_name = "block1/a"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %0 : tensor<1x4x4x16xi8>
}
//--- pool.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %0 = "tir.pool-fix"(%a) {op_name = "pool", type = "MAX", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], round_mode = "STD_ROUND"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %0 : tensor<1x4x4x16xi8>
}
//--- bytes.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %0 = "tir.relu-fix"(%a) {op_name = "a\FFb"} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %0 : tensor<1x4x4x16xi8>
}
//--- rules.json
{"rules": [
  {"name": "*/keep", "device": "DPU"},
  {"name": "block?/*", "device": "CPU"},
  {"type": "pool-*", "device": "CPU"},
  {"shape": "1x8x8x*", "type": "upsample-fix", "device": "CPU"}]}
//--- unused.json
{"rules": [
  {"name": "pool", "device": "CPU"},
  {"name": "nosuch", "shape": "1x*", "device": "CPU"},
  {"type": "conv2d-fix", "device": "DPU"},
  {"type": "pool-fix", "device": "DPU"}]}
//--- impossible.json
{"rules": [{"type": "pool-fix", "device": "DPU"}]}
//--- device.json
{"rules": [{"type": "pool-fix", "device": "GPU"}]}
//--- key.json
{"rules": [{"op": "pool-fix", "device": "DPU"}]}
//--- both.json
{"rules": [], "operators": []}
//--- empty.json
{"target": "DPUCZDX8G_ISA1_B4096"}
//--- syntax.json
{"rules": [}
//--- object.json
{"rules": [3]}
//--- no-device.json
{"rules": [{"name": "a"}]}
//--- no-string.json
{"rules": [{"name": 3, "device": "CPU"}]}
//--- no-list.json
{"rules": 3}
