"""Compares Quant and BipolarQuant with their definition.

usage: qonnx.py FOLDER

One model with a node for each way to quantise, of an input and of a constant;
xc-run gives what the formula of QONNX gives. Prints how many agree.
"""

import itertools
import math
import os
import struct
import subprocess
import sys

import onnx

DIMS = (2, 3, 20)
COUNT = DIMS[0] * DIMS[1] * DIMS[2]
MODES = {
    "ROUND": round, "FLOOR": math.floor, "CEIL": math.ceil,
    "ROUND_TO_ZERO": math.trunc, "DOWN": math.trunc,
    "UP": lambda v: math.copysign(math.ceil(abs(v)), v),
    "HALF_UP": lambda v: math.copysign(math.floor(abs(v) + 0.5), v),
    "HALF_DOWN": lambda v: math.copysign(math.ceil(abs(v) - 0.5), v),
    "half_even": round,
}


def f32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def quantised(x, scale, zero, bits, signed, narrow, mode):
    y = f32(f32(x / scale) + zero)
    if bits == 1 and signed:
        whole = 1 if y >= 0 else -1
    else:
        high = 2 ** (bits - signed) - 1
        low = -2 ** (bits - 1) if signed else 0
        low, high = low + (narrow and signed), high - (narrow and not signed)
        whole = MODES[mode](min(max(y, low), high))
    return f32(f32(whole - zero) * scale)


def write_npy(path, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': %r, }" % (DIMS,)
    header += " " * (117 - len(header)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        file.write(struct.pack("<%df" % len(values), *values))


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    data = data[10 + struct.unpack("<H", data[8:10])[0]:]
    return struct.unpack("<%df" % (len(data) // 4), data)


def cases():
    for bits, signed, narrow, zero in itertools.product(
            (1, 2, 4, 7, 8, 9, 16), (0, 1), (0, 1), (0, 2, 3)):
        if not (signed and narrow and bits == 1):
            yield bits, signed, narrow, zero, "ROUND", "scalar"
    for mode in MODES:
        yield 4, 1, 0, 0, mode, "scalar"
        yield 8, 0, 1, 1, mode, "channels"
    for scales in ("channels", "both"):
        for bits in (3, 8):
            yield bits, 1, 0, 0, "ROUND", scales
    yield 8, 1, 0, 0.5, "ROUND", "scalar"


def main(folder):
    os.makedirs(folder, exist_ok=True)
    # Steps of an eighth, beyond what 8 bits of a quarter hold.
    values = [(i * 37 % 601 - 300) / 8 for i in range(COUNT)]
    scales = {"scalar": ("-", [0.25]), "channels": ("1x3x1", [0.25, 0.1, 2.0]),
              "both": ("2x3x1", [0.25, 0.1, 2.0, 0.5, 0.3, 1.0])}
    text = ["opset 13", "opset 1 qonnx.custom_op.general", "input x f32 2x3x20",
            "init w f32 2x3x20 " + " ".join(map(repr, values))]
    text += ["init %s f32 %s %s" % (name, dims, " ".join(map(repr, numbers)))
             for name, (dims, numbers) in scales.items()]
    expected = []

    def add(op, name, inputs, attributes, scale, rest):
        for source in "xw":
            output = "y%d" % len(expected)
            text.append("node %s@qonnx.custom_op.general %s,%s -> %s %s" % (
                op, source, ",".join([scale] + inputs), output, attributes))
            numbers = scales[scale][1]
            expected.append((output, "%s of %s" % (name, source), [
                quantised(v, f32(numbers[i // 20 % len(numbers)]), *rest)
                for i, v in enumerate(values)]))

    for number, case in enumerate(cases()):
        bits, signed, narrow, zero, mode, scale = case
        text.append("init b%d f32 - %d" % (number, bits))
        text.append("init z%d f32 - %r" % (number, zero))
        add("Quant", repr(case), ["z%d" % number, "b%d" % number],
            'signed=%d narrow=%d rounding_mode="%s"' % (signed, narrow, mode),
            scale, (zero, bits, signed, narrow, mode))
    for scale in scales:
        add("BipolarQuant", "bipolar " + scale, [], "", scale,
            (0, 1, 1, 0, "ROUND"))
    text += ["node Concat %s -> all axis=0" % ",".join(n for n, _, _ in expected),
             "output all f32 %dx3x20" % (2 * len(expected))]
    model, given = os.path.join(folder, "m.onnx"), os.path.join(folder, "x.npy")
    with open(model, "wb") as file:
        file.write(onnx.model("\n".join(text)))
    write_npy(given, values)
    for backend in ("reference", "cpu"):
        result = os.path.join(folder, backend + ".npy")
        done = subprocess.run(
            ["xc-run", model, "--keep-qdq", "--backend=" + backend, "--quiet",
             "--input=" + given, "--output=all=" + result],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        numbers, good = read_npy(result), 0
        for index, (_, what, wanted) in enumerate(expected):
            found = list(numbers[index * COUNT:(index + 1) * COUNT])
            if found == wanted:
                good += 1
                continue
            at = [i for i in range(COUNT) if found[i] != wanted[i]][0]
            print("%s: %s: %r gives %r, expected %r" % (
                backend, what, values[at], found[at], wanted[at]))
        print("%s: %d of %d as defined" % (backend, good, len(expected)))


main(sys.argv[1])
