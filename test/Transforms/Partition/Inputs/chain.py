"""chain.py N: a function of N operators that alternate between the devices."""

import sys

count = int(sys.argv[1])
i8, f32 = "tensor<1x4x4x16xi8>", "tensor<1x4x4x16xf32>"
steps = (("relu-fix", i8, i8), ("fix2float", i8, f32), ("tanh", f32, f32), ("float2fix", f32, i8))
count -= count % len(steps)
print(f"func.func @net(%v0: {i8}) -> {i8} {{")
for n in range(count):
    name, source, result = steps[n % len(steps)]
    print(f'  %v{n + 1} = "tir.{name}"(%v{n}) : ({source}) -> {result}')
print(f"  return %v{count} : {i8}\n}}")
