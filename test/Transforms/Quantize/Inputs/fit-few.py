"""Writes a float product of many inputs that follow four numbers, with a few
samples to calibrate and others: fit-few.py FOLDER. One large weight of each sum,
of an input that hardly differs from zero, leaves the others three bits or so."""

import pathlib
import random
import struct
import sys

INPUTS, OUTPUTS, FACTORS = 256, 8, 4


def literal(rows):
    return "[" + ", ".join("[[[" + ", ".join("%.6f" % w for w in row) + "]]]" for row in rows) + "]"


chance = random.Random(1)
folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
weights = [[8 if i == 0 else chance.gauss(0, 0.2) for i in range(INPUTS)] for _ in range(OUTPUTS)]
shares = [[chance.gauss(0, 0.2) for _ in range(FACTORS)] for _ in range(INPUTS)]
for name, count in (("seen", 12), ("unseen", 24)):
    data = b""
    for _ in range(count):
        factors = [chance.gauss(0, 1) for _ in range(FACTORS)]
        row = [1 + sum(s * f for s, f in zip(share, factors)) for share in shares]
        data += struct.pack(f"{INPUTS}f", 0.01 * row[0], *row[1:])
    (folder / name).write_bytes(data)
i, w, o = f"1x1x1x{INPUTS}xf32", f"{OUTPUTS}x1x1x{INPUTS}xf32", f"1x1x1x{OUTPUTS}xf32"
(folder / "net.mlir").write_text(f"""\
func.func @main(%x: tensor<{i}>) -> tensor<{o}> {{
  %w = "tir.const"() {{value = dense<{literal(weights)}> : tensor<{w}>}} : () -> tensor<{w}>
  %0 = "tir.conv2d"(%x, %w) {{kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "sums"}} : (tensor<{i}>, tensor<{w}>) -> tensor<{o}>
  return %0 : tensor<{o}>
}}
""")
