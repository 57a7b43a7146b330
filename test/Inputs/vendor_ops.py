"""Operators of CPU subgraphs as the board's runtime computes them, of those that
it computes exactly. A value is (dims, numbers); floats are those of 32 bits."""

import array
import itertools
import math
import struct


def rounded(numbers):
    """To 32 bits. Sums, products and quotients of floats that are rounded twice,
    first to 64 bits, are right."""
    return array.array("f", numbers).tolist()


def count(dims):
    return math.prod(dims)


def broadcast(value, dims):
    own = [1] * (len(dims) - len(value[0])) + list(value[0])
    if own == list(dims):
        return value[1]
    if count(own) == 1:
        return value[1] * count(dims)
    steps, step = [], 1
    for dim in reversed(own):
        steps.insert(0, 0 if dim == 1 else step)
        step *= dim
    return [value[1][sum(i * s for i, s in zip(index, steps))]
            for index in itertools.product(*map(range, dims))]


def elementwise(function):
    def compute(op, inputs):
        assert len(inputs) == 2, op
        rank = max(len(dims) for dims, _ in inputs)
        padded = [[1] * (rank - len(dims)) + list(dims) for dims, _ in inputs]
        dims = [max(pair) for pair in zip(*padded)]
        left, right = (broadcast(value, dims) for value in inputs)
        return dims, rounded(map(function, left, right))
    return compute


def divide(a, b):
    if b:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else \
        math.copysign(math.inf, a) * math.copysign(1, b)


def const(op, inputs):
    data, kind = op.attrs["data"], op.attrs["data_type"]
    dims = op.attrs["shape"]
    assert kind == "FLOAT32" and len(data) == 4 * count(dims), op
    return dims, list(struct.unpack(f"<{len(data) // 4}f", data))


def fix2float(op, inputs):
    assert op.attrs["bit_width"] == 8
    scale = 2.0 ** -op.attrs["fix_point"]
    return inputs[0][0], rounded(x * scale for x in inputs[0][1])


def float2fix(op, inputs):
    """Half up with a sign, whatever the attribute says; else half away."""
    assert op.attrs["bit_width"] == 8 and "round_mode" in op.attrs
    low, high = (-128, 127) if op.attrs["if_signed"] else (0, 255)
    scale = 2.0 ** op.attrs["fix_point"]

    def fix(x):
        x *= scale
        x = min(max(x, low - 1.0), high + 1.0)
        return min(max(math.floor(x + 0.5), low), high)
    return inputs[0][0], [fix(x) for x in inputs[0][1]]


def same_bytes(op, inputs):
    dims = op.tensor.dims
    assert count(dims) == count(inputs[0][0]), op
    return dims, inputs[0][1]


def transpose(op, inputs):
    (dims, numbers), order = inputs[0], op.attrs["order"]
    steps = [count(dims[i + 1:]) for i in range(len(dims))]
    to = [dims[i] for i in order]
    return to, [numbers[sum(i * steps[k] for i, k in zip(index, order))]
                for index in itertools.product(*map(range, to))]


def concat(op, inputs):
    axis = op.attrs["axis"]
    to = list(inputs[0][0])
    to[axis] = sum(dims[axis] for dims, _ in inputs)
    numbers = []
    for i in range(count(to[:axis])):
        for dims, values in inputs:
            size = count(dims[axis:])
            numbers += values[i * size:(i + 1) * size]
    return to, numbers


OPERATORS = {
    "sub": elementwise(lambda a, b: a - b),
    "mul": elementwise(lambda a, b: a * b),
    "div": elementwise(divide),
    "min": elementwise(lambda a, b: b if b < a else a),
    "max": elementwise(lambda a, b: b if a < b else a),
    "const": const, "fix2float": fix2float, "float2fix": float2fix,
    "reshape": same_bytes, "reshape-fix": same_bytes, "transpose": transpose,
    "concat": concat, "concat-fix": concat,
}


def compute(op, inputs):
    dims, numbers = OPERATORS[op.type](op, inputs)
    assert list(dims) == list(op.tensor.dims), (op, dims)
    return dims, numbers


CODES = {(0, 8): "b", (1, 8): "B", (2, 8): "b", (3, 8): "B", (4, 32): "f",
         (0, 32): "i", (0, 64): "q", (0, 16): "h"}


def unpack(tensor, data):
    code = CODES[tensor.type, tensor.width]
    return tensor.dims, array.array(code, data).tolist()


def pack(tensor, value):
    code = CODES[tensor.type, tensor.width]
    return array.array(code, value[1]).tobytes()
