"""chain.py N: a function of so many operators on one tensor of bytes."""

import sys

REAL = "tensor<1x16x16x1xf32>"
BYTES = REAL.replace("f32", "i8")
count = int(sys.argv[1])
print(f"func.func @chain(%x: {BYTES}) -> {REAL} {{")
print(f'  %0 = "tir.fix2float"(%x) {{fix_point = 2 : i32}} : ({BYTES}) -> {REAL}')
for i in range(1, count):
    print(f'  %{i} = "tir.neg"(%{i - 1}) : ({REAL}) -> {REAL}')
print(f"  return %{count - 1} : {REAL}")
print("}")
