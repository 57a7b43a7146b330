#!/usr/bin/env python3
"""Writes MLIR modules of many operators for the benchmarks.

Usage: generate.py tir-chain|tir-wide|linalg-chain COUNT > module.mlir
"""

import sys

TENSOR = "tensor<1x8x8x16xi8>"


def tir_conv(result, operand):
    return (
        f'    {result} = "tir.conv2d-fix"({operand}, %w, %b) {{'
        'kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], '
        'pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", '
        f'nonlinear = "RELU", op_name = "conv{result[1:]}"}} : '
        f"({TENSOR}, tensor<16x1x1x16xi8>, tensor<16xi8>) -> {TENSOR}"
    )


def tir_add(result, left, right):
    ones = ", ".join(["1", "1"] + ["0"] * 14)
    return (
        f'    {result} = "tir.eltwise-fix"({left}, {right}) {{type = "ADD", '
        f"operandSegmentSizes = array<i32: {ones}>}} : "
        f"({TENSOR}, {TENSOR}) -> {TENSOR}"
    )


def tir_module(body, result):
    print(f"func.func @main(%x: {TENSOR}) -> {TENSOR} {{")
    for name, shape in (("w", "16x1x1x16"), ("b", "16")):
        print(
            f'    %{name} = "tir.const"() {{value = dense<1> : '
            f"tensor<{shape}xi8>}} : () -> tensor<{shape}xi8>"
        )
    print("\n".join(body))
    print(f"    return {result} : {TENSOR}\n}}")


def tir_chain(count):
    body, last = [], "%x"
    for i in range(count):
        body.append(tir_conv(f"%{i}", last))
        last = f"%{i}"
    tir_module(body, last)


def tir_wide(count):
    """Half of the operators read the argument; the others add them up."""
    half = count // 2
    body = [tir_conv(f"%{i}", "%x") for i in range(half)]
    last = "%0"
    for i in range(1, half):
        body.append(tir_add(f"%s{i}", last, f"%{i}"))
        last = f"%s{i}"
    tir_module(body, last)


def linalg_chain(count):
    """Matrix products with one weight, as the convolutions of tir-chain."""
    tensor = "tensor<8x8xf32>"
    print(f"func.func @main(%x: {tensor}, %w: {tensor}) -> {tensor} {{")
    print("    %zero = arith.constant 0.0 : f32")
    last = "%x"
    for i in range(count):
        print(
            f"    %e{i} = tensor.empty() : {tensor}\n"
            f"    %f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {tensor}) "
            f"-> {tensor}\n"
            f"    %{i} = linalg.matmul ins({last}, %w : {tensor}, {tensor}) "
            f"outs(%f{i} : {tensor}) -> {tensor}"
        )
        last = f"%{i}"
    print(f"    return {last} : {tensor}\n}}")


def main():
    shapes = {"tir-chain": tir_chain, "tir-wide": tir_wide,
              "linalg-chain": linalg_chain}
    if len(sys.argv) != 3 or sys.argv[1] not in shapes:
        sys.exit(__doc__)
    shapes[sys.argv[1]](int(sys.argv[2]))


if __name__ == "__main__":
    main()
