#!/usr/bin/env python3
"""Writes what xc imported from TensorFlow Lite as TOSA.

usage: lower.py TIR.mlir > TOSA.mlir

The rules are those by which TensorFlow lowers its dialect of TensorFlow Lite:
sums of a convolution are rescaled by multipliers of 32 bits and rounded twice,
additions have 20 guard bits, an average pool has no zero points, a softmax of
floats is written out. A quantised softmax ends the module before it, for TOSA
writes it with tables that are not TensorFlow Lite's arithmetic.
"""

import math
import re
import struct
import sys

LINE = re.compile(
    r'\s*(%\w+) = "tir\.([\w-]+)"\(([^)]*)\) \{(.*)\} : \(([^)]*)\) -> (\S+)$')


def as_float(text):
    return struct.unpack("f", struct.pack("f", float(text)))[0]


class Shape(list):
    """Dimensions and the element type of tensor<1x2xi8>."""

    def __init__(self, text):
        *dims, self.element = text[len("tensor<"):-1].split("x")
        super().__init__(map(int, dims))


def write_type(dims, element):
    return "tensor<%s>" % "x".join([str(d) for d in dims] + [element])


def read_attributes(text):
    result = {}
    for name, value in re.findall(r'(\w+) = (\[[^]]*\]|"[^"]*"|[^,]+)', text):
        if value.startswith("["):
            result[name] = [v.split(" :")[0].strip()
                            for v in value[1:-1].split(",") if v.strip()]
        else:
            result[name] = value.split(" :")[0].strip('"')
    return result


def multiplier_of(scale):
    """The multiplier and shift of a positive scale."""
    mantissa, exponent = math.frexp(scale)
    value = math.floor(mantissa * (1 << 31) + 0.5)
    if value == 1 << 31:
        value //= 2
        exponent += 1
    shift = 31 - exponent
    if shift > 62:
        value >>= min(31, shift - 62)
        shift = 62
    return value, shift


class Writer:
    def __init__(self):
        self.lines = []
        self.count = 0
        self.values = {}  # of tir: name and type in TOSA
        self.constants = {}

    def emit(self, op, operands, attributes, result):
        name = "%%t%d" % self.count
        self.count += 1
        self.lines.append('    %s = "tosa.%s"(%s)%s : (%s) -> %s' % (
            name, op, ", ".join(o[0] for o in operands),
            " <{%s}>" % attributes if attributes else "",
            ", ".join(o[1] for o in operands), result))
        return name, result

    def constant(self, text, type):
        key = text, type
        if key not in self.constants:
            self.constants[key] = self.emit(
                "const", [], "values = dense<%s> : %s" % (text, type), type)
        return self.constants[key]

    def zero(self, element, number=0):
        return self.constant("0.0" if element == "f32" else str(number),
                             "tensor<1x%s>" % element)

    def shape(self, dims):
        name = "%%t%d" % self.count
        self.count += 1
        self.lines.append(
            "    %s = tosa.const_shape {values = dense<%s> : tensor<%dxindex>}"
            " : () -> !tosa.shape<%d>" % (name, list(dims), len(dims),
                                         len(dims)))
        return name, "!tosa.shape<%d>" % len(dims)

    def reshape(self, value, dims):
        element = Shape(value[1]).element
        return self.emit("reshape", [value, self.shape(dims)], "",
                         write_type(dims, element))

    def rescale(self, value, scales, in_zero, out_zero, element):
        pairs = [multiplier_of(s) for s in scales]
        source = Shape(value[1])
        count = len(pairs)
        multipliers = self.constant(str([p[0] for p in pairs]),
                                    "tensor<%dxi32>" % count)
        shifts = self.constant(str([p[1] for p in pairs]),
                               "tensor<%dxi8>" % count)
        return self.emit(
            "rescale", [value, multipliers, shifts,
                        self.zero(source.element, in_zero),
                        self.zero(element, out_zero)],
            "input_unsigned = false, output_unsigned = false, per_channel = %s,"
            " rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, scale32 = true" %
            ("true" if count > 1 else "false"), write_type(source, element))

    def clamp(self, value, low, high):
        element = Shape(value[1]).element
        return self.emit("clamp", [value], "min_val = %s : %s, max_val = %s : %s,"
                         " nan_mode = #tosa.nan_mode<PROPAGATE>" % (low, element, high, element),
                         value[1])

    def activate(self, value, a):
        zero, kind = int(a["output_zero_point"]), a.get("nonlinear", "NONE")
        if kind == "NONE":
            return value
        high = 127
        if kind == "RELU6":
            steps = math.floor(6 / as_float(a["output_scale"]) + 0.5)
            high = min(127, zero + steps)
        return self.clamp(value, zero, high)


def read_window(a, image, kernel):
    """Strides, top, bottom, left and right, and the image that is read."""
    stride = [int(v) for v in a["stride"]][::-1]
    pads, used = [], []
    for i in range(2):
        size, step = image[1 + i], stride[i]
        if a.get("pad_mode") == "SAME":
            out = -(-size // step)
            total = max((out - 1) * step + kernel[i] - size, 0)
            before, after = total // 2, total - total // 2
        elif a.get("pad_mode") == "VALID":
            before = after = 0
        else:
            left, right, top, bottom = (int(v) for v in a["pad"])
            before, after = ((top, bottom), (left, right))[i]
        # The last rows that no window covers must go.
        rest = (size + before + after - kernel[i]) % step
        cut = max(0, rest - after)
        pads += [before, after - (rest - cut)]
        used.append(size - cut)
    return stride, pads, used


def cut_to(w, value, used):
    shape = Shape(value[1])
    if list(shape[1:3]) == used:
        return value
    size = [shape[0], *used, shape[3]]
    return w.emit("slice", [value, w.shape([0] * 4), w.shape(size)], "",
                  write_type(size, shape.element))


def int64s(numbers):
    return "array<i64: %s>" % ", ".join(map(str, numbers))


def scales_of(a, as_product_of_floats=False):
    x, y = as_float(a["input_scale"]), as_float(a["output_scale"])
    weights = [as_float(v) for v in a["weight_scale"]]
    if as_product_of_floats:
        return [as_float(x * v) / y for v in weights]
    return [x * v / y for v in weights]


def convolve(w, kind, operands, a, result):
    x, weight, bias = operands
    shape, quantised = Shape(weight[1]), "qlinear" in kind
    stride, pads, used = read_window(a, Shape(x[1]), shape[1:3])
    if "depthwise" in kind:  # [1, KH, KW, C] to [KH, KW, C, 1]
        assert shape[0] == 1
        weight = w.reshape(weight, [*shape[1:], 1])
    x = cut_to(w, x, used)
    element = "i32" if quantised else "f32"
    dims = Shape(result)
    zero = int(a.get("input_zero_point", 0))
    y = w.emit(
        "depthwise_conv2d" if "depthwise" in kind else "conv2d",
        [x, weight, bias, w.zero(Shape(x[1]).element, zero),
         w.zero(shape.element)],
        "acc_type = %s, dilation = array<i64: 1, 1>, pad = %s, stride = %s" %
        (element, int64s(pads), int64s(stride)), write_type(dims, element))
    if not quantised:
        return y
    y = w.rescale(y, scales_of(a), 0, int(a["output_zero_point"]), "i8")
    return w.activate(y, a)


def connect(w, kind, operands, a, result):
    """As a convolution of one pixel."""
    x, weight, bias = operands
    shape, out, quantised = Shape(weight[1]), Shape(result), "qlinear" in kind
    image = w.reshape(x, [out[0], 1, 1, shape[1]])
    weight = w.reshape(weight, [shape[0], 1, 1, shape[1]])
    element = "i32" if quantised else "f32"
    y = w.emit("conv2d",
               [image, weight, bias,
                w.zero(shape.element, int(a.get("input_zero_point", 0))),
                w.zero(shape.element)],
               "acc_type = %s, dilation = array<i64: 1, 1>, pad = %s,"
               " stride = array<i64: 1, 1>" % (element, int64s([0] * 4)),
               write_type([out[0], 1, 1, out[1]], element))
    if quantised:
        y = w.rescale(y, scales_of(a, True), 0, int(a["output_zero_point"]), "i8")
        y = w.activate(y, a)
    return w.reshape(y, out)


def add(w, kind, operands, a, result):
    if kind == "add":
        return w.emit("add", operands, "", result)
    assert a["type"] == "ADD"
    guard = 1 << 20
    scales = [as_float(a["a_scale"]), as_float(a["b_scale"])]
    twice, out = 2 * max(scales), as_float(a["output_scale"])
    sides = []
    for value, scale, zero in zip(operands, scales,
                                  (a["a_zero_point"], a["b_zero_point"])):
        if scale == max(scales):
            side = w.rescale(value, [guard / 2], int(zero), 0, "i32")
        else:
            side = w.rescale(value, [guard], int(zero), 0, "i32")
            side = w.rescale(side, [scale / twice], 0, 0, "i32")
        sides.append(side)
    total = w.emit("add", sides, "", write_type(Shape(result), "i32"))
    total = w.rescale(total, [twice / (guard * out)], 0,
                      int(a["output_zero_point"]), "i8")
    return w.activate(total, a)


def pool(w, kind, operands, a, result):
    x = operands[0]
    element = Shape(x[1]).element
    kernel = [int(v) for v in a["kernel"]][::-1]
    stride, pads, used = read_window(a, Shape(x[1]), kernel)
    x = cut_to(w, x, used)
    window = "kernel = %s, pad = %s, stride = %s" % (
        int64s(kernel), int64s(pads), int64s(stride))
    if kind == "maxpool2d" or a.get("type") == "MAX":
        y = w.emit("max_pool2d", [x], window + ", nan_mode = #tosa.nan_mode<PROPAGATE>", result)
    else:
        zero = w.zero(element)
        y = w.emit("avg_pool2d", [x, zero, zero], window + ", acc_type = %s" %
                   ("f32" if element == "f32" else "i32"), result)
    return w.activate(y, a) if element == "i8" else y


def softmax(w, kind, operands, a, result):
    x = operands[0]
    dims = Shape(result)
    axis = "axis = %d : i32" % (len(dims) - 1)
    one = write_type([*dims[:-1], 1], "f32")
    largest = w.emit("reduce_max", [x], axis + ", nan_mode = #tosa.nan_mode<PROPAGATE>", one)
    e = w.emit("exp", [w.emit("sub", [x, largest], "", result)], "", result)
    total = w.emit("reduce_sum", [e], axis, one)
    inverse = w.emit("reciprocal", [total], "", one)
    return w.emit("mul", [e, inverse, w.constant("0", "tensor<1xi8>")], "",
                  result)


def relu(w, kind, operands, a, result):
    return w.clamp(operands[0], "0.0", "6.0" if kind == "relu6" else
                   "3.40282347E+38")


def reshape(w, kind, operands, a, result):
    return w.reshape(operands[0], Shape(result))


OPERATORS = {
    "conv2d": convolve, "qlinear-conv2d": convolve,
    "depthwise-conv2d": convolve, "qlinear-depthwise-conv2d": convolve,
    "inner-product": connect, "qlinear-matmul": connect,
    "add": add, "qlinear-eltwise": add,
    "avgpool2d": pool, "maxpool2d": pool, "qlinear-pool": pool,
    "relu": relu, "relu6": relu, "reshape": reshape, "softmax": softmax,
}


def main(path):
    w = Writer()
    result = None
    for line in open(path):
        if (head := re.search(r"func\.func @main\(%arg0: ([^)]*)\)", line)):
            w.values["%arg0"] = "%arg0", head[1]
        constant = re.match(r'\s*(%\w+) = "tir\.const"\(\) \{.*?value = '
                            r'(dense<.*>) : (tensor<[^>]*>)\}', line)
        if constant:
            w.values[constant[1]] = w.constant(constant[2][6:-1], constant[3])
            continue
        match = LINE.match(line)
        if not match:
            continue
        name, kind, inputs, attributes, _, type = match.groups()
        if kind == "qlinear-softmax":
            break
        operands = [w.values[v] for v in inputs.split(", ")]
        result = OPERATORS[kind](w, kind, operands, read_attributes(attributes),
                                 type)
        w.values[name] = result
    print("func.func @main(%%arg0: %s) -> %s {" % (w.values["%arg0"][1],
                                                   result[1]))
    print("\n".join(w.lines))
    print("    return %s : %s\n}" % result)


main(sys.argv[1])
