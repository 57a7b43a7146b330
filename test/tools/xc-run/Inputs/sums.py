"""Writes a network of sums that are equal but for rounding, behind them a softmax
that multiplies their errors, and its input. Argument: folder."""

import pathlib
import random
import struct
import sys

TERMS, SUMS = 4096, 16

folder = pathlib.Path(sys.argv[1])
rng = random.Random(1)
terms = [rng.uniform(-1, 1) for _ in range(TERMS)]
# Each column has the same terms in another order.
weights = [terms[(i + 97 * j) % TERMS] for i in range(TERMS) for j in range(SUMS)]
content = struct.pack(f"<{len(weights)}f", *weights).hex().upper()
(folder / "ones.bin").write_bytes(struct.pack("<f", 1) * TERMS)
(folder / "sums.mlir").write_text(
    f"""func.func @net(%x: tensor<1x{TERMS}xf32>) -> tensor<1x{SUMS}xf32> {{
  %w = "tir.const"() {{value = dense<"0x{content}"> : tensor<{TERMS}x{SUMS}xf32>}} : () -> tensor<{TERMS}x{SUMS}xf32>
  %0 = "tir.matmul"(%x, %w) : (tensor<1x{TERMS}xf32>, tensor<{TERMS}x{SUMS}xf32>) -> tensor<1x{SUMS}xf32>
  %1 = "tir.softmax"(%0) {{axis = 1 : i32}} : (tensor<1x{SUMS}xf32>) -> tensor<1x{SUMS}xf32>
  return %1 : tensor<1x{SUMS}xf32>
}}
"""
)
