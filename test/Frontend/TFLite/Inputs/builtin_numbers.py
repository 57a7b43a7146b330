"""Runs operators that write by index or are formulas, and compares with their
definitions.

usage: builtin_numbers.py XC-RUN DIRECTORY
"""

import math
import struct
import subprocess
import sys

import tflite

FORMS = {"float32": "f", "int32": "i", "int8": "b"}


def run(tool, base, lines, inputs, kind, y):
    model = tflite.Model()
    for line in lines:
        model.line(line.split())
    with open(base + ".tflite", "wb") as file:
        file.write(bytes(model.bytes()))
    command = [tool, base + ".tflite", "--quiet", "--tolerance=1e-6"]
    for i, (form, values) in enumerate(inputs + [(kind, y)]):
        path = "%s.%d" % (base, i)
        with open(path, "wb") as file:
            file.write(struct.pack("<%d%s" % (len(values), FORMS[form]),
                                   *values))
        command.append("--input=%d=%s" % (i, path) if i < len(inputs) else
                       "--expected=0=" + path)
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print("%s: %s%s" % (base, result.stdout, result.stderr))
    return result.returncode == 0


def case(shape_of_y, op, inputs, constants=(), kind="float32"):
    """Lines of a model; inputs are (name, type, dims, values)."""
    lines = ["tensor %s %s %s" % (name, form, dims)
             for name, form, dims, _ in inputs] + list(constants)
    lines += ["tensor y %s %s" % (kind, shape_of_y), "op " + op,
              "in " + " ".join(i[0] for i in inputs), "out y"]
    return lines, [(i[1], i[3]) for i in inputs], kind


def segments(kind, x, ids, count, width):
    empty = {"SUM": 0, "PROD": 1, "MAX": -3.4028234663852886e38,
             "MIN": 3.4028234663852886e38}[kind]
    combine = {"SUM": lambda a, b: a + b, "PROD": lambda a, b: a * b,
               "MAX": max, "MIN": min}[kind]
    y = [empty] * (count * width)
    for row, number in enumerate(ids):
        for k in range(width if number >= 0 else 0):
            y[number * width + k] = combine(y[number * width + k],
                                            x[row * width + k])
    return y


def cases():
    x = [3.0, -4.0, 5.0, 2.0, -1.0, 7.0, 2.0, 9.0]
    ids = [2, 0, -1, 2]
    for kind in ("SUM", "PROD", "MAX", "MIN"):
        for known in (False, True):
            # Numbers that are known, or computed; some are of no segment.
            inputs = [("x", "float32", "4x2", x)]
            constants = ["tensor n int32 scalar data=4"]
            if known:
                constants.append("tensor i int32 4 data=" +
                                 ",".join(map(str, ids)))
            else:
                inputs.append(("i", "int32", "4", ids))
            yield case("4x2", "UNSORTED_SEGMENT_%s x i n -> y" % kind, inputs,
                       constants) + (segments(kind, x, ids, 4, 2),)
    yield case("3x2", "SEGMENT_SUM x i -> y", [("x", "float32", "4x2", x)],
               ["tensor i int32 4 data=0,0,2,2"]) + (
                   [8.0, -2.0, 0.0, 0.0, 1.0, 16.0],)
    # Two updates of one position add up.
    yield case("2x3", "SCATTER_ND i x s -> y", [
        ("i", "int32", "3x2", [1, 2, 0, 0, 1, 2]), ("x", "float32", "3", x[:3])],
        ["tensor s int32 2 data=2,3"]) + ([-4.0, 0.0, 0.0, 0.0, 0.0, 8.0],)
    # An update beyond the end is moved inside.
    yield case("3x4", "DYNAMIC_UPDATE_SLICE x u i -> y", [
        ("x", "int32", "3x4", list(range(12))), ("u", "int32", "2x3", [-1] * 6),
        ("i", "int32", "2", [7, -2])], (), "int32") + (
            [0, 1, 2, 3, -1, -1, -1, 7, -1, -1, -1, 11],)
    yield case("2x3", "SPARSE_TO_DENSE i s x d -> y", [
        ("x", "float32", "2", x[:2])], [
            "tensor i int32 2x2 data=0,1,1,2", "tensor s int32 2 data=2,3",
            "tensor d float32 scalar data=0.5"]) + (
                [0.5, 3.0, 0.5, 0.5, 0.5, -4.0],)
    yield case("2x2x3", "GATHER x i -> y axis=1 batch_dims=1", [
        ("x", "int32", "2x2x3", list(range(12))),
        ("i", "int32", "2x2", [1, 0, 1, 1])], (), "int32") + (
            [3, 4, 5, 0, 1, 2, 9, 10, 11, 9, 10, 11],)
    yield case("2x2", "EMBEDDING_LOOKUP i w -> y", [("i", "int32", "2", [2, 0])],
               ["tensor w int8 3x2 q=0.5:0 data=1,2,3,4,5,6"]) + (
                   [2.5, 3.0, 0.5, 1.0],)
    a, b = [0.0, 1.0, -2.0, 0.0, 3.0, -1.0, 0.0], [1.0, 1.0, 3.0, 0.0, -3.0,
                                                   -4.0, -1.0]
    yield case("7", "ATAN2 a b -> y", [("a", "float32", "7", a),
                                       ("b", "float32", "7", b)]) + (
        [math.atan2(p, q) for p, q in zip(a, b)],)
    p, q = [-128, -1, 127, 5, 100], [1, 7, 3, 0, 5]
    for op, y in (("BITWISE_XOR", [i ^ k for i, k in zip(p, q)]),
                  ("RIGHT_SHIFT", [i >> k for i, k in zip(p, q)])):
        yield case("5", op + " p q -> y", [("p", "int8", "5", p),
                                           ("q", "int8", "5", q)], (),
                   "int8") + (y,)
    yield case("6", "BUCKETIZE x -> y boundaries=-1.0,2.0,5.0", [
        ("x", "float32", "6", [-2.0, -1.0, 0.0, 2.0, 4.5, 9.0])], (),
        "int32") + ([0, 1, 1, 2, 2, 3],)
    # 15 numbers from 0.1 - 0.1 to 1.5: the range is moved so that 0 is in it.
    yield case("4", "FAKE_QUANT x -> y min=0.04 max=1.54 num_bits=4 "
               "narrow_range=0", [("x", "float32", "4", [-1.0, 0.04, 0.76, 2.0])
                                  ]) + ([0.0, 0.0, 0.8, 1.5],)
    yield case("2x2x2", "MATRIX_DIAG x -> y", [("x", "float32", "2x2", x[:4])]
               ) + ([3.0, 0.0, 0.0, -4.0, 5.0, 0.0, 0.0, 2.0],)
    for dims, y in (("2x3", [7.0, 1.0, 2.0, 3.0, 8.0, 5.0]),
                    ("3x2", [7.0, 1.0, 2.0, 8.0, 4.0, 5.0])):
        yield case(dims, "MATRIX_SET_DIAG x d -> y", [
            ("x", "float32", dims, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            ("d", "float32", "2", [7.0, 8.0])]) + (y,)
    # Shapes that are broadcast while the model is imported.
    lines, inputs, kind = case("2x3", "BROADCAST_TO x s -> y", [
        ("x", "float32", "3", x[:3])], [
            "tensor a int32 2 data=2,1", "tensor b int32 1 data=3",
            "tensor s int32 2", "op BROADCAST_ARGS a b -> s"])
    yield lines, inputs, kind, x[:3] * 2


def main(tool, directory):
    good = count = 0
    for lines, inputs, kind, y in cases():
        good += run(tool, "%s/%d" % (directory, count), lines, inputs, kind, y)
        count += 1
    print("%d of %d are right" % (good, count))


if __name__ == "__main__":
    main(*sys.argv[1:])
