"""Writes a network whose sums lie next to the middle between two integers, which
are rounded and go through a convolution, and its input. Argument: folder."""

import pathlib
import random
import struct
import sys

TERMS, SUMS = 1024, 64


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


folder = pathlib.Path(sys.argv[1])
rng = random.Random(1)
columns = []
for j in range(SUMS):
    terms = [single(rng.uniform(-1, 1)) for _ in range(TERMS - 1)]
    columns.append(terms + [single(j - SUMS // 2 + 0.5 - sum(terms))])
weights = [columns[j][i] for i in range(TERMS) for j in range(SUMS)]
content = struct.pack(f"<{len(weights)}f", *weights).hex().upper()
# Results of one sign and of the other.
kernel = ", ".join(f"[[{[1 - 2 * (c % 2)] * SUMS}]]" for c in range(16))
(folder / "ones.bin").write_bytes(struct.pack("<f", 1) * TERMS)
(folder / "roundings.mlir").write_text(
    f"""func.func @net(%x: tensor<1x{TERMS}xf32>) -> tensor<1x1x1x16xf32> {{
  %w = "tir.const"() {{value = dense<"0x{content}"> : tensor<{TERMS}x{SUMS}xf32>}} : () -> tensor<{TERMS}x{SUMS}xf32>
  %0 = "tir.matmul"(%x, %w) {{op_name = "sums"}} : (tensor<1x{TERMS}xf32>, tensor<{TERMS}x{SUMS}xf32>) -> tensor<1x{SUMS}xf32>
  %1 = "tir.reshape"(%0) {{op_name = "image", shape = [1 : i32, 1 : i32, 1 : i32, {SUMS} : i32]}} : (tensor<1x{SUMS}xf32>) -> tensor<1x1x1x{SUMS}xf32>
  %2 = "tir.float2fix"(%1) {{op_name = "round", fix_point = 0 : i32}} : (tensor<1x1x1x{SUMS}xf32>) -> tensor<1x1x1x{SUMS}xi8>
  %k = "tir.const"() {{value = dense<[{kernel}]> : tensor<16x1x1x{SUMS}xi8>}} : () -> tensor<16x1x1x{SUMS}xi8>
  %3 = "tir.conv2d-fix"(%2, %k) {{op_name = "conv", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 0 : i32, weight_fix_point = 0 : i32, output_fix_point = 0 : i32}} : (tensor<1x1x1x{SUMS}xi8>, tensor<16x1x1x{SUMS}xi8>) -> tensor<1x1x1x16xi8>
  %4 = "tir.fix2float"(%3) {{op_name = "float", fix_point = 0 : i32}} : (tensor<1x1x1x16xi8>) -> tensor<1x1x1x16xf32>
  return %4 : tensor<1x1x1x16xf32>
}}
"""
)
