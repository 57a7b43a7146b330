"""Writes networks that compute means over channels of numbers whose sum is nearly
zero, and their input. Argument: folder."""

import pathlib
import random
import struct
import sys

CHANNELS, PIXELS = 255, 8

folder = pathlib.Path(sys.argv[1])
rng = random.Random(1)
numbers = []
for _ in range(PIXELS):
    pixel = [rng.uniform(-1, 1) for _ in range(CHANNELS - 1)]
    middle = sum(pixel) / len(pixel)
    pixel = [x - middle for x in pixel]
    numbers += pixel + [-sum(pixel) + 1e-6]
(folder / "x.bin").write_bytes(struct.pack(f"<{len(numbers)}f", *numbers))
before = f"""func.func @net(%x: tensor<1x1x{PIXELS}x{CHANNELS}xf32>) -> tensor<1x{PIXELS}xf32> {{
  %n = "tir.neg"(%x) {{op_name = "terms"}} : (tensor<1x1x{PIXELS}x{CHANNELS}xf32>) -> tensor<1x1x{PIXELS}x{CHANNELS}xf32>
"""
after = f"""
  %r = "tir.reshape"(%m) {{shape = [1 : i32, {PIXELS} : i32], op_name = "moved"}} : (tensor<1x1x{PIXELS}x1xf32>) -> tensor<1x{PIXELS}xf32>
  return %r : tensor<1x{PIXELS}xf32>
}}
"""
(folder / "mean.mlir").write_text(
    before
    + f"""  %w = "tir.const"() {{value = dense<{1 / CHANNELS}> : tensor<1x1x1x{CHANNELS}xf32>}} : () -> tensor<1x1x1x{CHANNELS}xf32>
  %m = "tir.conv2d"(%n, %w) {{kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "mean"}} : (tensor<1x1x{PIXELS}x{CHANNELS}xf32>, tensor<1x1x1x{CHANNELS}xf32>) -> tensor<1x1x{PIXELS}x1xf32>"""
    + after
)
(folder / "reduction.mlir").write_text(
    before
    + f"""  %m = "tir.reduction_mean"(%n) {{axis = [3 : i32], keep_dims = true, op_name = "mean"}} : (tensor<1x1x{PIXELS}x{CHANNELS}xf32>) -> tensor<1x1x{PIXELS}x1xf32>"""
    + after
)
