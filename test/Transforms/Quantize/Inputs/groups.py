"""Writes a grouped convolution twice, as one and with zeros between its groups, and
samples. Usage: groups.py DIRECTORY"""

import pathlib
import random
import struct
import sys

INPUTS, OUTPUTS, GROUPS = 16, 16, 4
SIDE, SAMPLES = 12, 4


def constant(name, values, shape):
    data = struct.pack(f"<{len(values)}f", *values).hex().upper()
    kind = f"tensor<{'x'.join(map(str, shape))}xf32>"
    return (f'  {name} = "tir.const"() {{value = dense<"0x{data}"> : {kind}}}'
            f" : () -> {kind}\n", kind)


def write(path, weights, group):
    per_group = INPUTS // group
    first, first_kind = constant("%v", mixing, (INPUTS, 1, 1, INPUTS))
    second, second_kind = constant("%w", weights, (OUTPUTS, 3, 3, per_group))
    image = f"tensor<1x{SIDE}x{SIDE}x{INPUTS}xf32>"
    result = f"tensor<1x{SIDE}x{SIDE}x{OUTPUTS}xf32>"
    window = "stride = [1 : i32, 1 : i32]"
    path.write_text(f"""func.func @net(%x: {image}) -> {result} {{
{first}{second}  %0 = "tir.conv2d"(%x, %v) {{kernel = [1 : i32, 1 : i32], {window}}} : ({image}, {first_kind}) -> {image}
  %1 = "tir.conv2d"(%0, %w) {{group = {group} : i32, kernel = [3 : i32, 3 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], {window}}} : ({image}, {second_kind}) -> {result}
  return %1 : {result}
}}
""")


directory = pathlib.Path(sys.argv[1])
numbers = random.Random(1)
mixing = [numbers.gauss(0, 1) for _ in range(INPUTS * INPUTS)]
inner, outer = INPUTS // GROUPS, OUTPUTS // GROUPS
grouped = [numbers.gauss(0, 1) for _ in range(OUTPUTS * 9 * inner)]
dense = [grouped[(o * 9 + i) * inner + c % inner]
         if c // inner == o // outer else 0.0
         for o in range(OUTPUTS) for i in range(9) for c in range(INPUTS)]
write(directory / "grouped.mlir", grouped, GROUPS)
write(directory / "dense.mlir", dense, 1)
count = SAMPLES * SIDE * SIDE * INPUTS
(directory / "samples.bin").write_bytes(
    struct.pack(f"<{count}f", *(numbers.gauss(0, 1) for _ in range(count))))
