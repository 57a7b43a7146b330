"""deep.py KIND COUNT: a module with a chain of COUNT operators or functions."""

import sys

kind, count = sys.argv[1], int(sys.argv[2])
ONE = "kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]"


def chain(step):
    return [step.format(x=f"%v{i}", y=f"%v{i + 1}") for i in range(count)]


def views():
    return [
        "func.func @main(%x: !M, %y: !M) attributes {xc.num_inputs = 1 : i64} {",
        "%v0 = memref.alloc() : !M",
        "memref.copy %x, %v0 : !M to !M",
        *chain("{y} = memref.cast {x} : !M to !M"),
        f"memref.copy %v{count}, %y : !M to !M",
        "return",
        "}",
    ]


def aliases():
    """The same behind a call, as when C is written."""
    kernel = 'attributes {xc.kernel, xc.arguments = ["input", "output"]}'
    return [
        f"func.func private @k(%x: !M, %y: !M) {kernel} {{",
        "return",
        "}",
        "func.func @main(%x: !M, %y: !M) attributes {xc.num_inputs = 1 : i64} {",
        "%v0 = memref.alloc() : !M",
        *chain("{y} = memref.cast {x} : !M to !M"),
        f"call @k(%x, %v{count}) : (!M, !M) -> ()",
        "call @k(%v0, %y) : (!M, !M) -> ()",
        "return",
        "}",
    ]


def pools():
    """Between a convolution whose second channel is always zero and its reader."""
    return [
        "func.func @main(%x: !I) -> !I {",
        '%w = "tir.const"() {value = dense<[[[[0.5, 0.25]]], [[[0.0, 0.0]]]]> : !W} : () -> !W',
        f'%c = "tir.conv2d"(%x, %w) {{{ONE}, op_name = "c"}} : (!I, !W) -> !I',
        '%v0 = "tir.relu"(%c) {op_name = "r"} : (!I) -> !I',
        *chain(f'{{y}} = "tir.maxpool2d"({{x}}) {{{{{ONE}}}}} : (!I) -> !I'),
        f'%d = "tir.conv2d"(%v{count}, %w) {{{ONE}, op_name = "d"}} : (!I, !W) -> !I',
        "return %d : !I",
        "}",
    ]


def sigmoids():
    """Behind a resize that is rewritten for what a DPU reads, not for a result."""
    return [
        "func.func @main(%x: !I) -> !J {",
        '%v0 = "tir.resize"(%x) {mode = "BILINEAR", align_corners = true, size = [8 : i32, 8 : i32]} : (!I) -> !J',
        *chain('{y} = "tir.sigmoid"({x}) : (!J) -> !J'),
        f"return %v{count} : !J",
        "}",
    ]


def calls():
    """Each function calls the next one."""
    lines = []
    for i in range(count + 1):
        last = i == count
        lines += [
            f"func.func {'private ' if i else ''}@f{i}(%x: !T) -> !T {{",
            '%y = "tir.relu"(%x) : (!T) -> !T'
            if last
            else f"%y = call @f{i + 1}(%x) : (!T) -> !T",
            "return %y : !T",
            "}",
        ]
    return lines


def functions():
    """Each by itself."""
    relu = '%y = "tir.relu"(%x) : (!T) -> !T'
    lines = []
    for i in range(count):
        lines += [f"func.func @f{i}(%x: !T) -> !T {{", relu, "return %y : !T", "}"]
    return lines


def callees():
    """The same from the last to the first, all public."""
    lines = []
    for i in range(count + 1):
        lines += [
            f"func.func @f{i}(%x: !T) -> !T {{",
            f"%y = call @f{i - 1}(%x) : (!T) -> !T"
            if i
            else '%y = "tir.relu"(%x) : (!T) -> !T',
            "return %y : !T",
            "}",
        ]
    return lines


KINDS = {f.__name__: f for f in (views, aliases, pools, sigmoids, calls, functions, callees)}
print("!M = memref<4xf32>")
print("!T = tensor<4xf32>")
print("!I = tensor<1x4x4x2xf32>")
print("!J = tensor<1x8x8x2xf32>")
print("!W = tensor<2x1x1x2xf32>")
print("\n".join(KINDS[kind]()))
