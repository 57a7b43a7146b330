#!/usr/bin/env python3
"""Operators of TOSA on integers beside the formulas of its specification.

usage: numbers.py XC-RUN DIRECTORY GROUP...

Every case is a function of one input. What xc computes, by the reference
interpreter and as code for the CPU, must be what Python computes.
"""

import os
import random
import struct
import subprocess
import sys

FORMATS = {"i8": "b", "i16": "h", "i32": "i"}
LIMITS = {"i8": (-128, 127), "i16": (-32768, 32767),
          "i32": (-2**31, 2**31 - 1)}
rng = random.Random(7)


def hold(value, element):
    low, high = LIMITS[element]
    return max(low, min(high, value))


def wrap(value, element):
    low, high = LIMITS[element]
    return (value - low) % (high - low + 1) + low


def scaled(value, multiplier, shift, double):
    """apply_scale_32 of the specification."""
    nudge = 1 << (shift - 1)
    if double and shift > 31:
        nudge += 1 << 30 if value >= 0 else -(1 << 30)
    return (value * multiplier + nudge) >> shift


def const(name, values, type):
    return '  %%%s = "tosa.const"() <{values = dense<%s> : %s}> : () -> %s\n' % (
        name, values, type, type)


def rescale(result, operand, source, target, m, shift, zeros, double,
            flags=(False, False)):
    """One tosa.rescale with its constants; types are (dims, element)."""
    count = len(m)
    types = ["tensor<%sx%s>" % t for t in (source, target)]
    text = const(result + "m", m, "tensor<%dxi32>" % count)
    text += const(result + "s", shift, "tensor<%dxi8>" % count)
    text += const(result + "i", zeros[0], "tensor<1x%s>" % source[1])
    text += const(result + "o", zeros[1], "tensor<1x%s>" % target[1])
    return text + (
        "  %%%s = tosa.rescale %%%s, %%%sm, %%%ss, %%%si, %%%so {scale32 = true,"
        " rounding_mode = %s, per_channel = %s, input_unsigned = %s,"
        " output_unsigned = %s} : (%s, tensor<%dxi32>, tensor<%dxi8>,"
        " tensor<1x%s>, tensor<1x%s>) -> %s\n" % (
            result, operand, result, result, result, result,
            "DOUBLE_ROUND" if double else "SINGLE_ROUND",
            str(count > 1).lower(), str(flags[0]).lower(),
            str(flags[1]).lower(), types[0], count, count, source[1],
            target[1], types[1]))


class Case:
    def __init__(self, name, source, body, target, data, expected):
        self.name, self.source, self.body = name, source, body
        self.target, self.data, self.expected = target, data, expected

    def run(self, tool, directory):
        path = os.path.join(directory, self.name)
        with open(path + ".mlir", "w") as file:
            file.write("func.func @main(%%x: tensor<%sx%s>) -> tensor<%sx%s> {\n"
                       "%s  return %%y : tensor<%sx%s>\n}\n" % (
                           *self.source, *self.target, self.body, *self.target))
        with open(path + ".in", "wb") as file:
            file.write(struct.pack("<%d%s" % (len(self.data),
                                              FORMATS[self.source[1]]),
                                   *self.data))
        for backend in ("reference", "cpu"):
            result = subprocess.run(
                [tool, path + ".mlir", "--backend=" + backend,
                 "--input=" + path + ".in", "--output=" + path + ".out"],
                capture_output=True, text=True)
            if result.returncode:
                sys.exit("%s: %s" % (self.name, result.stderr))
            raw = open(path + ".out", "rb").read()
            got = list(struct.unpack(
                "<%d%s" % (len(self.expected), FORMATS[self.target[1]]), raw))
            if got != self.expected:
                at = next(i for i in range(len(got))
                          if got[i] != self.expected[i])
                sys.exit("%s, %s: element %d is %d, expected %d" % (
                    self.name, backend, at, got[at], self.expected[at]))


def rescales():
    everything = list(range(-128, 128))
    wide = [rng.randint(-2**24, 2**24) for _ in range(256)]
    wide[:4] = [0, -1, 1, -2**24]
    for name, source, target, m, shift, zeros, double in (
            ("narrow", "i32", "i8", 1518500250, 48, (0, -128), True),
            ("narrow_once", "i32", "i8", 1518500250, 48, (0, 3), False),
            ("tie", "i32", "i8", 1 << 30, 47, (0, 0), True),
            ("tie_once", "i32", "i8", 1 << 30, 47, (0, 0), False),
            ("grow", "i32", "i16", 1073741825, 29, (0, 0), True),
            ("widen", "i8", "i32", 1 << 30, 10, (-128, 0), True),
            ("same", "i8", "i8", 1140768826, 31, (-3, 5), True),
            ("small", "i8", "i8", 2147483647, 32, (100, -100), False),
            ("to_i16", "i8", "i16", 1234567890, 30, (7, 0), True)):
        data = everything if source == "i8" else wide
        expected = [hold(scaled(x - zeros[0], m, shift, double) + zeros[1],
                         target) for x in data]
        yield Case("rescale_" + name, ("256", source),
                   rescale("y", "x", ("256", source), ("256", target), [m],
                           [shift], zeros, double), ("256", target), data,
                   expected)
    # Bytes of 0 to 255, whose zero point 128 is written as -128.
    expected = [hold(scaled(x % 256 - 128, 1 << 30, 30, True), "i8")
                for x in everything]
    yield Case("rescale_from_unsigned", ("256", "i8"),
               rescale("y", "x", ("256", "i8"), ("256", "i8"), [1 << 30], [30],
                       (-128, 0), True, (True, False)), ("256", "i8"),
               everything, expected)
    expected = [wrap(max(0, min(255, scaled(x, 1 << 30, 30, True) + 128)), "i8")
                for x in everything]
    yield Case("rescale_to_unsigned", ("256", "i8"),
               rescale("y", "x", ("256", "i8"), ("256", "i8"), [1 << 30], [30],
                       (0, -128), True, (False, True)), ("256", "i8"),
               everything, expected)


CONV = ('  %%%s = tosa.%s %%x, %%w, %%b, %%iz, %%wz {acc_type = i32, pad = '
        'array<i64: 1, 0, 1, 0>, stride = array<i64: 1, 1>, dilation = '
        'array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<%s>, tensor<4xi32>, '
        'tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x4xi32>\n')


def products_of(depthwise, zero, result):
    """A convolution, its input and its sums."""
    data = [rng.randint(-128, 127) for _ in range(144)]
    dims = "2x2x4x1xi8" if depthwise else "4x2x2x4xi8"
    weights = [rng.randint(-127, 127) for _ in range(16 if depthwise else 64)]
    bias = [rng.randint(-5000, 5000) for _ in range(4)]
    totals = []
    for y in range(6):
        for x in range(6):
            for o in range(4):
                total = bias[o]
                for ky in range(2):
                    for kx in range(2):
                        for c in [o] if depthwise else range(4):
                            if y + ky < 1 or x + kx < 1:
                                continue
                            at = ((y + ky - 1) * 6 + x + kx - 1) * 4 + c
                            w = weights[(ky * 2 + kx) * 4 + c if depthwise else
                                        ((o * 2 + ky) * 2 + kx) * 4 + c]
                            total += (data[at] - zero) * w
                totals.append(total)
    text = const("w", '"0x%s"' % struct.pack("%db" % len(weights),
                                            *weights).hex().upper(),
                 "tensor<%s>" % dims)
    text += const("b", bias, "tensor<4xi32>")
    text += const("iz", zero, "tensor<1xi8>") + const("wz", 0, "tensor<1xi8>")
    text += CONV % (result, "depthwise_conv2d" if depthwise else "conv2d", dims)
    return text, data, totals


def convolve(depthwise, per_channel, double, shifts, zero, clamp):
    text, data, totals = products_of(depthwise, zero, "s")
    m = [rng.randint(1 << 30, (1 << 31) - 1) for _ in range(4)]
    if not per_channel:
        m, shifts = m[:1], shifts[:1]
    expected = []
    for i, total in enumerate(totals):
        k = i % 4 if per_channel else 0
        value = hold(scaled(total, m[k], shifts[k], double) - 20, "i8")
        expected.append(max(value, -20) if clamp else value)
    text += rescale("r" if clamp else "y", "s", ("1x6x6x4", "i32"),
                    ("1x6x6x4", "i8"), m, shifts, (0, -20), double)
    if clamp:
        text += ("  %y = tosa.clamp %r {min_val = -20 : i8, max_val = 127 : i8}"
                 " : (tensor<1x6x6x4xi8>) -> tensor<1x6x6x4xi8>\n")
    return text, data, expected


def convolutions():
    for depthwise in (False, True):
        for i, (per_channel, double, shifts, zero, clamp) in enumerate((
                (True, True, [38, 39, 40, 41], -128, False),
                (True, False, [38, 39, 40, 41], 5, True),
                (False, True, [39], 0, True),
                (False, False, [38], -7, False),
                (True, True, [30, 29, 31, 45], -128, False))):
            text, data, expected = convolve(depthwise, per_channel, double,
                                            shifts, zero, clamp)
            yield Case("%s_%d" % ("depthwise" if depthwise else "conv", i),
                       ("1x6x6x4", "i8"), text, ("1x6x6x4", "i8"), data,
                       expected)


def sums():
    """Products in 32 bits, which nothing brings back to bytes."""
    for depthwise in (False, True):
        text, data, totals = products_of(depthwise, -7, "y")
        yield Case("sums_%d" % depthwise, ("1x6x6x4", "i8"), text,
                   ("1x6x6x4", "i32"), data, totals)


def averages():
    for i, (zeros, kernel, pad) in enumerate((
            ((0, 0), 2, 0), ((-128, -128), 2, 0), ((5, -3), 2, 0),
            ((7, 9), 3, 0), ((0, 4), 2, 1))):
        size = 6 + 2 * pad
        data = [rng.randint(-128, 127) for _ in range(36)]
        out = size - kernel + 1
        expected = []
        for y in range(out):
            for x in range(out):
                inside = [data[(y + ky - pad) * 6 + x + kx - pad] - zeros[0]
                          for ky in range(kernel) for kx in range(kernel)
                          if 0 <= y + ky - pad < 6 and 0 <= x + kx - pad < 6]
                # The reciprocal of the specification.
                count = len(inside)
                k = (count - 1).bit_length()
                m = (((1 << 30) + 1) << k) // count
                expected.append(hold(
                    scaled(sum(inside), m, 30 + k, False) + zeros[1], "i8"))
        target = "1x%dx%dx1" % (out, out)
        text = const("a", zeros[0], "tensor<1xi8>")
        text += const("b", zeros[1], "tensor<1xi8>")
        text += ("  %%y = tosa.avg_pool2d %%x, %%a, %%b {acc_type = i32, kernel ="
                 " array<i64: %d, %d>, stride = array<i64: 1, 1>, pad = "
                 "array<i64: %d, %d, %d, %d>} : (tensor<1x6x6x1xi8>, "
                 "tensor<1xi8>, tensor<1xi8>) -> tensor<%sxi8>\n" % (
                     kernel, kernel, pad, pad, pad, pad, target))
        yield Case("average_%d" % i, ("1x6x6x1", "i8"), text, (target, "i8"),
                   data, expected)


def eltwise():
    """Every byte with a number: sums as TensorFlow Lite's, others, products."""
    everything = list(range(-128, 128))
    other = [rng.randint(-128, 127) for _ in range(256)]
    raw = struct.pack("256b", *other).hex().upper()
    for name, op, left, right, out, double in (
            ("add", "add", [(1 << 30, 10), (1623821475, 33)], [(1 << 30, 11)],
             (1098017566, 48), True),
            ("sub_once", "sub", [(1 << 30, 11)], [(1500000000, 12)],
             (1098017566, 48), False),
            ("add_by_itself", "add", [(1500000001, 25)], [(1 << 30, 20)],
             (1098017566, 42), True),
            ("mul", "mul", [(1 << 30, 30)], [(1 << 30, 30)],
             (1340768826, 37), True),
            ("mul_by_itself", "mul", [(1 << 30, 29)], [(1 << 30, 30)],
             (1340768826, 38), False)):
        zeros = (-5, 17)
        text = const("c", '"0x%s"' % raw, "tensor<256xi8>")
        sides = []
        for side, (operand, stages) in enumerate((("x", left), ("c", right))):
            element, zero = "i8", zeros[side]
            values = everything if side == 0 else other
            for i, (m, shift) in enumerate(stages):
                label = "%s%d" % ("ab"[side], i)
                text += rescale(label, operand, ("256", element),
                                ("256", "i32"), [m], [shift], (zero, 0), double)
                values = [scaled(v - zero, m, shift, double) for v in values]
                operand, element, zero = label, "i32", 0
            sides.append((operand, values))
        values = [{"add": a + b, "sub": a - b, "mul": a * b}[op]
                  for a, b in zip(sides[0][1], sides[1][1])]
        if op == "mul":
            text += const("z", 0, "tensor<1xi8>")
        text += "  %%t = tosa.%s %%%s, %%%s%s : (%s) -> tensor<256xi32>\n" % (
            op, sides[0][0], sides[1][0], ", %z" if op == "mul" else "",
            "tensor<256xi32>, tensor<256xi32>" +
            (", tensor<1xi8>" if op == "mul" else ""))
        text += rescale("y", "t", ("256", "i32"), ("256", "i8"), [out[0]],
                        [out[1]], (0, -9), double)
        expected = [hold(scaled(v, *out, double) - 9, "i8") for v in values]
        yield Case(name, ("256", "i8"), text, ("256", "i8"), everything,
                   expected)


def tables():
    table = [rng.randint(-128, 127) for _ in range(256)]
    everything = list(range(-128, 128))
    body = const("t", table, "tensor<256xi8>")
    body += ("  %y = tosa.table %x, %t : (tensor<256xi8>, tensor<256xi8>) -> "
             "tensor<256xi8>\n")
    yield Case("table", ("256", "i8"), body, ("256", "i8"), everything,
               [table[x + 128] for x in everything])
    points = [rng.randint(-32768, 32767) for _ in range(513)]
    data = [-32768, 32767, 0, -1] + [rng.randint(-32768, 32767)
                                     for _ in range(60)]
    body = const("t", points, "tensor<513xi16>")
    body += ("  %y = tosa.table %x, %t : (tensor<64xi16>, tensor<513xi16>) -> "
             "tensor<64xi32>\n")
    expected = []
    for x in data:
        at, part = (x >> 7) + 256, x & 127
        expected.append((points[at] << 7) + (points[at + 1] - points[at]) * part)
    yield Case("table_of_words", ("64", "i16"), body, ("64", "i32"), data,
               expected)


def others():
    everything = list(range(-128, 128))
    body = const("a", 3, "tensor<1xi8>") + const("b", -7, "tensor<1xi8>")
    body += ("  %y = tosa.negate %x, %a, %b : (tensor<256xi8>, tensor<1xi8>, "
             "tensor<1xi8>) -> tensor<256xi8>\n")
    yield Case("negate", ("256", "i8"), body, ("256", "i8"), everything,
               [hold(-(x - 3) - 7, "i8") for x in everything])
    data = [rng.randint(-128, 127) for _ in range(24)]
    body = ("  %y = tosa.reduce_min %x {axis = 1 : i32} : (tensor<4x6xi8>) -> "
            "tensor<4x1xi8>\n")
    yield Case("reduce_min", ("4x6", "i8"), body, ("4x1", "i8"), data,
               [min(data[6 * i:6 * i + 6]) for i in range(4)])
    body = ("  %y = tosa.reverse %x {axis = 1 : i32} : (tensor<4x6xi8>) -> "
            "tensor<4x6xi8>\n")
    yield Case("reverse", ("4x6", "i8"), body, ("4x6", "i8"), data,
               [v for i in range(4) for v in data[6 * i:6 * i + 6][::-1]])
    # Two numbers times eight columns, less both zero points.
    b = [rng.randint(-128, 127) for _ in range(48)]
    body = const("b", '"0x%s"' % struct.pack("48b", *b).hex().upper(),
                 "tensor<1x6x8xi8>")
    body += const("i", -4, "tensor<1xi8>") + const("j", 11, "tensor<1xi8>")
    body += ("  %s = tosa.matmul %x, %b, %i, %j : (tensor<1x4x6xi8>, "
             "tensor<1x6x8xi8>, tensor<1xi8>, tensor<1xi8>) -> "
             "tensor<1x4x8xi32>\n")
    body += rescale("y", "s", ("1x4x8", "i32"), ("1x4x8", "i8"), [1518500250],
                    [39], (0, 2), True)
    expected = []
    for row in range(4):
        for column in range(8):
            total = sum((data[row * 6 + k] + 4) * (b[k * 8 + column] - 11)
                        for k in range(6))
            expected.append(hold(scaled(total, 1518500250, 39, True) + 2, "i8"))
    yield Case("matmul", ("1x4x6", "i8"), body, ("1x4x8", "i8"), data, expected)


def typed(op, operands, target, attributes=""):
    """One operator; operands are names with their types."""
    return '  %%%s = "tosa.%s"(%s)%s : (%s) -> tensor<%s>\n' % (
        target[0], op, ", ".join("%" + name for name, _ in operands),
        " <{%s}>" % attributes if attributes else "",
        ", ".join("tensor<%s>" % type for _, type in operands), target[1])


def shift_right(x, shift, rounds):
    return (x + ((1 << shift) >> 1 if rounds else 0)) >> shift


def leading_zeros(x):
    return 32 - (x & 0xFFFFFFFF).bit_length()


def bits():
    data = [0, 1, -1, 2**31 - 1, -2**31, 6, -6, 7, -7] + [
        rng.randint(-2**31, 2**31 - 1) >> rng.randint(0, 30)
        for _ in range(55)]
    shifts = [rng.randint(0, 31) for _ in data]
    for name, op, attributes, one in (
            ("arithmetic", "arithmetic_right_shift", "round = false",
             lambda x, s: shift_right(x, s, False)),
            ("rounded", "arithmetic_right_shift", "round = true",
             lambda x, s: shift_right(x, s, True)),
            ("logical", "logical_right_shift", "",
             lambda x, s: (x & 0xFFFFFFFF) >> s),
            ("left", "logical_left_shift", "", lambda x, s: x << s)):
        body = const("s", shifts, "tensor<64xi32>") + typed(
            op, [("x", "64xi32"), ("s", "64xi32")], ("y", "64xi32"), attributes)
        yield Case("shift_" + name, ("64", "i32"), body, ("64", "i32"), data,
                   [wrap(one(x, s), "i32") for x, s in zip(data, shifts)])
    body = typed("clz", [("x", "64xi32")], ("y", "64xi32"))
    yield Case("clz", ("64", "i32"), body, ("64", "i32"), data,
               [leading_zeros(x) for x in data])
    other = [rng.randint(-2**31, 2**31 - 1) for _ in data]
    for shift in (1, 31, 40):
        body = const("o", other, "tensor<64xi32>")
        body += const("s", shift, "tensor<1xi8>")
        body += typed("mul", [("x", "64xi32"), ("o", "64xi32"), ("s", "1xi8")],
                      ("y", "64xi32"))
        yield Case("mul_%d" % shift, ("64", "i32"), body, ("64", "i32"), data,
                   [wrap(shift_right(x * o, shift, True), "i32")
                    for x, o in zip(data, other)])


def normalised():
    """Bytes by their sum, in the steps in which a softmax is written out."""
    data = [rng.randint(-128, 127) for _ in range(40)]
    points = [min(32767, round(32767 * 2.0 ** ((i - 512) / 64)))
              for i in range(513)]
    row, one = "4x10xi32", "4x1xi32"
    body = rescale("w", "x", ("4x10", "i8"), ("4x10", "i32"), [1 << 30], [30],
                   (0, 0), False)
    body += typed("reduce_max", [("w", row)], ("m", one), "axis = 1 : i32")
    body += typed("sub", [("w", row), ("m", one)], ("d", row))
    body += rescale("n", "d", ("4x10", "i32"), ("4x10", "i16"), [1 << 30], [23],
                    (0, 0), False)
    body += const("t", points, "tensor<513xi16>")
    body += typed("table", [("n", "4x10xi16"), ("t", "513xi16")], ("e", row))
    body += const("twelve", 12, "tensor<1x1xi32>")
    body += typed("arithmetic_right_shift", [("e", row), ("twelve", "1x1xi32")],
                  ("h", row), "round = true")
    body += typed("reduce_sum", [("h", row)], ("u", one), "axis = 1 : i32")
    body += typed("clz", [("u", one)], ("z", one))
    body += const("uno", 1, "tensor<1x1xi32>")
    body += typed("sub", [("z", one), ("uno", "1x1xi32")], ("r", one))
    body += typed("logical_left_shift", [("u", one), ("r", one)], ("k", one))
    body += const("s", 31, "tensor<1xi8>")
    body += typed("mul", [("e", row), ("k", one), ("s", "1xi8")], ("y", row))
    expected = []
    for i in range(4):
        values = data[10 * i:10 * i + 10]
        powers = []
        for x in values:
            word = hold(scaled(x - max(values), 1 << 30, 23, False), "i16")
            at, part = (word >> 7) + 256, word & 127
            powers.append((points[at] << 7) +
                          (points[at + 1] - points[at]) * part)
        total = sum(shift_right(p, 12, True) for p in powers)
        factor = total << (leading_zeros(total) - 1)
        expected += [shift_right(p * factor, 31, True) for p in powers]
    yield Case("normalised", ("4x10", "i8"), body, ("4x10", "i32"), data,
               expected)


def channels():
    """Multipliers per channel that follow no convolution."""
    data = [rng.randint(-2**24, 2**24) for _ in range(60)]
    for i, double in enumerate((False, True)):
        m = [rng.randint(1 << 30, (1 << 31) - 1) for _ in range(6)]
        shifts = [30, 31, 47, 48, 50, 62]
        body = rescale("y", "x", ("10x6", "i32"), ("10x6", "i8"), m, shifts,
                       (0, -11), double)
        yield Case("channels_%d" % i, ("10x6", "i32"), body, ("10x6", "i8"),
                   data, [hold(scaled(x, m[k % 6], shifts[k % 6], double) - 11,
                               "i8") for k, x in enumerate(data)])


def resizes():
    """Bilinear, at any places: numerators, denominators and offsets."""
    data = [rng.randint(-128, 127) for _ in range(2 * 4 * 5 * 3)]
    for i, (scale, offset, border, out) in enumerate((
            ((4, 2, 4, 2), (0, 0), (0, 0), (7, 9)),
            ((6, 5, 3, 2), (-1, 1), (1, 1), (5, 7)),
            ((1, 1, 1, 2), (0, 1), (0, 1), (4, 3)))):
        expected = []
        for n in range(2):
            for oy in range(out[0]):
                for ox in range(out[1]):
                    places = []
                    for k, o, size in ((0, oy, 4), (1, ox, 5)):
                        at = o * scale[2 * k + 1] + offset[k]
                        low = at // scale[2 * k]
                        share = at - low * scale[2 * k]
                        places.append([
                            (min(max(low, 0), size - 1), scale[2 * k] - share),
                            (min(max(low + 1, 0), size - 1), share)])
                    for c in range(3):
                        expected.append(sum(
                            data[((n * 4 + y) * 5 + x) * 3 + c] * wy * wx
                            for y, wy in places[0] for x, wx in places[1]))
        target = "2x%dx%dx3" % out
        body = ""
        for label, values in (("a", scale), ("b", offset), ("c", border)):
            body += ("  %%%s = tosa.const_shape {values = dense<%s> : "
                     "tensor<%dxindex>} : () -> !tosa.shape<%d>\n" % (
                         label, list(values), len(values), len(values)))
        body += ("  %%y = tosa.resize %%x, %%a, %%b, %%c {mode = BILINEAR} : "
                 "(tensor<2x4x5x3xi8>, !tosa.shape<4>, !tosa.shape<2>, "
                 "!tosa.shape<2>) -> tensor<%sxi32>\n" % target)
        yield Case("resize_%d" % i, ("2x4x5x3", "i8"), body, (target, "i32"),
                   data, expected)


def products():
    data = [rng.randint(-2**31, 2**31 - 1) for _ in range(42)]
    for axis, target in ((0, "1x7x3"), (1, "2x1x3")):
        expected = []
        for i in range(3 * (7 if axis == 0 else 2)):
            total = 1
            for k in range(2 if axis == 0 else 7):
                at = 21 * k + i if axis == 0 else 21 * (i // 3) + 3 * k + i % 3
                total = wrap(total * data[at], "i32")
            expected.append(total)
        body = typed("reduce_product", [("x", "2x7x3xi32")],
                     ("y", target + "xi32"), "axis = %d : i32" % axis)
        yield Case("product_%d" % axis, ("2x7x3", "i32"), body, (target, "i32"),
                   data, expected)


GROUPS = {"averages": averages, "bits": bits, "channels": channels,
          "normalised": normalised, "products": products, "resizes": resizes,
          "convolutions": convolutions, "eltwise": eltwise,
          "others": others, "rescales": rescales, "sums": sums,
          "tables": tables}


def main(tool, directory, *groups):
    os.makedirs(directory, exist_ok=True)
    count = 0
    for group in groups:
        for case in GROUPS[group]():
            case.run(tool, directory)
            count += 1
    print(count, "cases agree")


main(*sys.argv[1:])
