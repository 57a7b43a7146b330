"""shuffle_units.py KIND: units of ShuffleNetV2 in floating point, in functions.

KIND is `units`, or `split` if the halves are the even and the odd channels in place
of those of a shuffle; or what keeps the convolutions from computing each channel for
its reader: `small` for few pixels, `image` for a channel that no convolution
computes, `sum` for a sum that reads them, too, `twice` for two readers of some,
`order` for a reader that needs their order.
"""

import random
import sys

kind = sys.argv[1]
SIDE = 7 if kind == "small" else 28
HALF, UNITS = {"order": (64, 4), "split": (96, 4)}.get(kind, (48, 3))
chance = random.Random(1)
lines, number = [], 0


def kind_of(channels, side=SIDE):
    return f"tensor<1x{side}x{side}x{channels}xf32>"


def emit(operator, operands, attributes, types, result):
    global number
    number += 1
    text = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    lines.append(f'  %{number} = "tir.{operator}"({", ".join(operands)}) {{{text}}} : ({", ".join(types)}) -> {result}')
    return f"%{number}"


def ints(*values):
    return "[" + ", ".join(f"{value} : i32" for value in values) + "]"


def const(*dims):
    def nested(dims):
        if not dims:
            return f"{chance.randint(-8, 8) / 8:.3f}"
        return "[" + ", ".join(nested(dims[1:]) for _ in range(dims[0])) + "]"

    result = f"tensor<{'x'.join(map(str, dims))}xf32>"
    return emit("const", [], {"value": f"dense<{nested(dims)}> : {result}"}, [], result), result


def conv(x, inputs, outputs, relu=True):
    (w, w_type), (b, b_type) = const(outputs, 1, 1, inputs), const(outputs)
    y = emit("conv2d", [x, w, b], {"kernel": ints(1, 1), "stride": ints(1, 1), "op_name": f'"conv{number}"'},
             [kind_of(inputs), w_type, b_type], kind_of(outputs))
    return emit("relu", [y], {}, [kind_of(outputs)], kind_of(outputs)) if relu else y


def depthwise(x, channels):
    (w, w_type), (b, b_type) = const(1, 3, 3, channels), const(channels)
    return emit("depthwise-conv2d", [x, w, b], {"kernel": ints(3, 3), "stride": ints(1, 1), "pad": ints(1, 1, 1, 1)},
                [kind_of(channels), w_type, b_type], kind_of(channels))


def concat(parts, channels):
    segments = ", ".join(["1"] * len(parts) + ["0"] * (16 - len(parts)))
    return emit("concat", parts, {"axis": "3 : i32", "operandSegmentSizes": f"array<i32: {segments}>"},
                [kind_of(channel) for channel in channels], kind_of(sum(channels)))


def cut(x, channels, first, end, stride=1):
    return emit("strided_slice", [x], {"begin": ints(0, 0, 0, first), "end": ints(1, SIDE, SIDE, end),
                                       "strides": ints(1, 1, 1, stride)},
                [kind_of(channels)], kind_of((end - first + stride - 1) // stride))


def shuffle(x, channels):
    middle, turned = (f"tensor<1x{SIDE}x{SIDE}x{a}x{b}xf32>" for a, b in ((2, channels // 2), (channels // 2, 2)))
    y = emit("reshape", [x], {"shape": ints(1, SIDE, SIDE, 2, channels // 2)}, [kind_of(channels)], middle)
    y = emit("transpose", [y], {"order": ints(0, 1, 2, 4, 3)}, [middle], turned)
    return emit("reshape", [y], {"shape": ints(1, SIDE, SIDE, channels)}, [turned], kind_of(channels))


def main():
    results = []
    left = conv("%x", HALF, HALF) if kind != "image" else "%x"
    right = conv("%x", HALF, HALF)
    if kind == "sum":
        results.append(emit("add", [left, right], {}, [kind_of(HALF)] * 2, kind_of(HALF)))
    for unit in range(UNITS):
        whole = concat([left, right], [HALF, HALF])
        if kind != "split":
            whole = shuffle(whole, 2 * HALF)
        if unit == UNITS - 1:
            break
        if kind == "split":
            left, right = (cut(whole, 2 * HALF, first, 2 * HALF, 2) for first in (0, 1))
        else:
            left = cut(whole, 2 * HALF, 0, HALF)
            right = cut(whole, 2 * HALF, HALF, 2 * HALF)
        if kind == "twice" and unit == 0:
            results.append(conv(cut(whole, 2 * HALF, HALF, HALF + 16), 16, HALF))
        right = conv(depthwise(conv(right, HALF, HALF), HALF), HALF, HALF)
    results.append(conv(depthwise(whole, 2 * HALF), 2 * HALF, HALF))
    results.append(conv(whole, 2 * HALF, HALF, relu=False))
    types = [kind_of(HALF)] * len(results)
    if kind == "order":
        results.append(whole)
        types.append(kind_of(2 * HALF))
    print(f"func.func @main(%x: {kind_of(HALF)}) -> ({', '.join(types)}) {{")
    print("\n".join(lines))
    print(f"  return {', '.join(results)} : {', '.join(types)}\n}}")


main()
