"""Resizes by graphs and by the formulas of the operators, in exact fractions.

usage: resize_numbers.py XC-RUN DIRECTORY
"""

import math
import struct
import subprocess
import sys
from fractions import Fraction

import tensorflow

HALF = Fraction(1, 2)
WIDTHS = {4: (8, 7, 3, 2, 1, 12, 16), 5: (10, 15, 7, 3, 2), 1: (1, 3), 2: (5,),
          3: (3, 4, 9), 7: (14, 5, 20)}


def scale(size, result, corners):
    if corners and result > 1:
        return Fraction(size - 1, result - 1)
    return Fraction(size, result)


def nearest(row, result, corners, half):
    step = scale(len(row), result, corners)
    at = [(i + (HALF if half else 0)) * step for i in range(result)]
    at = [math.floor(v + HALF) if corners else math.floor(v) for v in at]
    return [row[min(v, len(row) - 1)] for v in at]


def bilinear(row, result, corners, half):
    step, out = scale(len(row), result, corners), []
    for i in range(result):
        at = (i + HALF) * step - HALF if half else i * step
        low = math.floor(at)
        pair = [row[min(max(k, 0), len(row) - 1)] for k in (low, low + 1)]
        out.append(pair[0] + (pair[1] - pair[0]) * float(at - low))
    return out


def write(path, values):
    with open(path, "wb") as file:
        file.write(struct.pack("<%df" % len(values), *values))


def run(tool, base, op, formula, corners, half, size):
    """All widths of a result in one graph; the height is as it was."""
    row = [float(k * k % 11 - 3 * k) for k in range(size)]
    nodes = ["x = Placeholder() dtype=f32 shape=shape(1x1x%dx1)" % size]
    command = [tool, base + ".pb", "--input=%s.x" % base, "--quiet",
               "--tolerance=1e-5"]
    write(base + ".x", row)
    for i, width in enumerate(WIDTHS[size]):
        nodes += ["s%d = Const() value=tensor(i32 2 bytes 1 %d)" % (i, width),
                  "y%d = %s(x, s%d) align_corners=%s half_pixel_centers=%s" % (
                      i, op, i, str(corners).lower(), str(half).lower())]
        write("%s.%d" % (base, i), formula(row, width, corners, half))
        command.append("--expected=%d=%s.%d" % (i, base, i))
    with open(base + ".pb", "wb") as file:
        file.write(tensorflow.graph("\n".join(nodes)))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print("%s: %s %s %s\n%s%s" % (base, op, corners, half, done.stdout,
                                      done.stderr))
    return done.returncode == 0


def main(tool, directory):
    good = count = 0
    for op, formula in (("ResizeNearestNeighbor", nearest),
                        ("ResizeBilinear", bilinear)):
        for corners, half in ((False, False), (False, True), (True, False)):
            for size in WIDTHS:
                good += run(tool, "%s/%d" % (directory, count), op, formula,
                            corners, half, size)
                count += 1
    print("%d of %d are right" % (good, count))


if __name__ == "__main__":
    main(*sys.argv[1:])
