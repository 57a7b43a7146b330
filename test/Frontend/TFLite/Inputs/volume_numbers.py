"""Runs convolutions of volumes and compares with their definitions.

usage: volume_numbers.py XC-RUN DIRECTORY
"""

import math
import struct
import subprocess
import sys

import tflite
import volumes


def ramp(count, low=-9, step=7, modulus=23):
    return [float((i * step) % modulus + low) for i in range(count)]


def text(shape):
    return "x".join(map(str, shape))


def numbers(values):
    return ",".join("%.1f" % v for v in values)


def run(tool, base, lines, x, shape, y):
    model = tflite.Model()
    for line in ["tensor x float32 " + text(shape)] + lines + ["in x", "out y"]:
        model.line(line.split())
    for suffix, data in ((".tflite", bytes(model.bytes())),
                         (".in", struct.pack("<%df" % len(x), *x)),
                         (".out", struct.pack("<%df" % len(y), *y))):
        with open(base + suffix, "wb") as file:
            file.write(data)
    result = subprocess.run(
        [tool, base + ".tflite", "--quiet", "--input=0=" + base + ".in",
         "--expected=0=" + base + ".out"], capture_output=True, text=True)
    if result.returncode:
        print("%s: %s%s" % (base, result.stdout, result.stderr))
    return result.returncode == 0


def options(stride, dilation, same, activation=0):
    return "padding=%d activation=%d %s %s" % (
        0 if same else 1, activation,
        " ".join("stride_%s=%d" % p for p in zip("dhw", stride)),
        " ".join("dilation_%s=%d" % p for p in zip("dhw", dilation)))


def main(tool, directory):
    ones, good, count = (1, 1, 1), 0, 0
    # input, kernel, stride, dilation, same
    for i, (size, kernel, stride, dilation, same) in enumerate((
            ((4, 5, 3), (3, 3, 2), ones, ones, True),
            ((4, 5, 3), (2, 1, 3), (2, 1, 1), ones, False),
            ((5, 4, 4), (1, 1, 1), ones, ones, False),
            ((5, 6, 4), (3, 2, 2), (1, 2, 3), ones, True),
            ((2, 6, 7), (2, 3, 3), ones, (1, 2, 2), True),
            ((7, 3, 3), (3, 1, 1), (2, 1, 1), ones, True),
            ((3, 5, 5), (4, 2, 1), ones, (2, 2, 1), True))):
        shape, filters = [2, *size, 2], [*kernel, 2, 3]
        x, w = ramp(math.prod(shape)), ramp(math.prod(filters), -5, 5, 11)
        y, out = volumes.conv3d(x, shape, w, filters, stride, dilation, same)
        y = [max(v + (1, -2, 3)[k % 3], 0) for k, v in enumerate(y)]
        count += 1
        good += run(tool, "%s/conv%d" % (directory, i), [
            "tensor w float32 %s data=%s" % (text(filters), numbers(w)),
            "tensor b float32 3 data=1.0,-2.0,3.0",
            "tensor y float32 " + text(out),
            "op CONV_3D x w b -> y " + options(stride, dilation, same, 1)],
            x, shape, y)
    # input, kernel, stride, output, same
    for i, (size, kernel, stride, output, same) in enumerate((
            ((2, 3, 2), (3, 3, 3), (2, 2, 2), (4, 6, 4), True),
            ((2, 3, 2), (3, 2, 3), (2, 3, 2), (3, 7, 4), True),
            ((3, 4, 1), (5, 1, 3), ones, (3, 4, 1), True),
            ((2, 2, 3), (2, 3, 1), (3, 1, 2), (5, 4, 5), False))):
        shape, filters = [1, *size, 2], [*kernel, 3, 2]
        out = [1, *output, 3]
        x, w = ramp(math.prod(shape)), ramp(math.prod(filters), -5, 5, 11)
        y = volumes.transposed3d(x, shape, w, filters, stride, out, same)
        y = [v + (1, -2, 3)[k % 3] for k, v in enumerate(y)]
        count += 1
        good += run(tool, "%s/transposed%d" % (directory, i), [
            "tensor s int32 5 data=" + ",".join(map(str, out)),
            "tensor w float32 %s data=%s" % (text(filters), numbers(w)),
            "tensor b float32 3 data=1.0,-2.0,3.0",
            "tensor y float32 " + text(out),
            "op CONV_3D_TRANSPOSE s w x b -> y " + options(stride, ones, same)],
            x, shape, y)
    print("%d of %d are right" % (good, count))


if __name__ == "__main__":
    main(*sys.argv[1:])
