"""functions.py COUNT valid|invalid: a module of functions that are alike."""

import sys

for i in range(int(sys.argv[1])):
    if sys.argv[2] == "valid":
        print(f"""func.func @f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = "tir.exp"(%x) {{op_name = "e{i}"}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "tir.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %dead = "tir.sigmoid"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %dead2 = "tir.tanh"(%dead) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "tir.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}}""")
    else:
        print(f"""func.func @f{i}(%x: tensor<4xf32>, %m: memref<4xf32>) {{
  "tir.download"(%x, %m) : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}}""")
