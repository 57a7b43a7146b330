"""Runs graphs of volumes and compares with their definitions.

usage: volume_numbers.py XC-RUN DIRECTORY
"""

import math
import struct
import subprocess
import sys

import tensorflow
import volumes


def ramp(count, low=-9, step=7, modulus=23):
    return [float((i * step) % modulus + low) for i in range(count)]


def dims(shape):
    return "x".join(map(str, shape))


def moved(values, shape):
    """[N, D, H, W, C] as [N, C, D, H, W]."""
    n, c = shape[0], shape[4]
    inner = math.prod(shape[1:4])
    return [values[(i * inner + p) * c + k] for i in range(n) for k in range(c)
            for p in range(inner)]


def pb(values):
    return " ".join("%.1f" % v for v in values)


class Suite:
    def __init__(self, tool, directory):
        self.tool, self.directory = tool, directory
        self.good = self.count = 0

    def run(self, first, lines, x, shape, y, out):
        """In both formats; `$s` and the like are lists of sizes in its order."""
        for form in ("NDHWC", "NCDHW"):
            last = form == "NDHWC"
            base = "%s/%d" % (self.directory, self.count)
            text = ["x = Placeholder() dtype=f32 shape=shape(%s)" % dims(
                shape if last else shape[:1] + shape[4:] + shape[1:4])]
            for line in lines:
                for name, sizes in first.items():
                    sizes = [1] + sizes + [1] if last else [1, 1] + sizes
                    line = line.replace("$" + name, "[%s]" % ",".join(
                        map(str, sizes)))
                line = line.replace("$out", " ".join(map(
                    str, out if last else out[:1] + out[4:] + out[1:4])))
                text.append(line.replace("$form", '"%s"' % form))
            data = [x if last else moved(x, shape), y if last else moved(y, out)]
            with open(base + ".pb", "wb") as file:
                file.write(tensorflow.graph("\n".join(text)))
            for suffix, values in zip((".in", ".out"), data):
                with open(base + suffix, "wb") as file:
                    file.write(struct.pack("<%df" % len(values), *values))
            result = subprocess.run(
                [self.tool, base + ".pb", "--quiet", "--tolerance=1e-6",
                 "--input=0=" + base + ".in", "--expected=0=" + base + ".out"],
                capture_output=True, text=True)
            if result.returncode:
                print("%s: %s%s" % (base, result.stdout, result.stderr))
            self.good += result.returncode == 0
            self.count += 1


def main(tool, directory):
    suite, ones = Suite(tool, directory), [1, 1, 1]
    for size, kernel, stride, dilation, same in (
            ([4, 5, 3], [3, 3, 2], ones, ones, True),
            ([5, 6, 4], [3, 2, 2], [1, 2, 3], ones, True),
            ([5, 6, 7], [2, 3, 3], ones, [1, 2, 2], False)):
        shape, filters = [2] + size + [2], kernel + [2, 3]
        x, w = ramp(math.prod(shape)), ramp(math.prod(filters), -5, 5, 11)
        y, out = volumes.conv3d(x, shape, w, filters, stride, dilation, same)
        y = [max(v + (1, -2, 3)[k % 3], 0) for k, v in enumerate(y)]
        suite.run({"s": stride, "d": dilation}, [
            "w = Const() dtype=f32 value=tensor(f32 %s bytes %s)" % (
                dims(filters), pb(w)),
            "b = Const() dtype=f32 value=tensor(f32 3 bytes 1 -2 3)",
            'c = Conv3D(x, w) strides=$s dilations=$d padding="%s" '
            "data_format=$form" % ("SAME" if same else "VALID"),
            "a = BiasAdd(c, b) data_format=$form", "y = Relu(a)"],
            x, shape, y, out)
    for size, kernel, stride, output, same in (
            ([2, 3, 2], [3, 3, 3], [2, 2, 2], [4, 6, 4], True),
            ([2, 2, 3], [2, 3, 1], [3, 1, 2], [5, 4, 5], False)):
        shape, filters = [1] + size + [2], kernel + [3, 2]
        out = [1] + output + [3]
        x, w = ramp(math.prod(shape)), ramp(math.prod(filters), -5, 5, 11)
        y = volumes.transposed3d(x, shape, w, filters, stride, out, same)
        suite.run({"s": stride}, [
            "w = Const() dtype=f32 value=tensor(f32 %s bytes %s)" % (
                dims(filters), pb(w)),
            "n = Const() value=tensor(i32 5 bytes $out)",
            'y = Conv3DBackpropInputV2(n, w, x) strides=$s padding="%s" '
            "data_format=$form" % ("SAME" if same else "VALID")],
            x, shape, y, out)
    for size, kernel, stride, same, is_max in (
            ([4, 6, 4], [2, 2, 2], [2, 2, 2], False, True),
            ([5, 5, 3], [3, 2, 3], [2, 1, 2], True, True),
            ([5, 5, 3], [3, 2, 3], [2, 1, 2], True, False),
            ([4, 3, 3], [2, 1, 1], [2, 1, 1], False, False)):
        shape = [2] + size + [3]
        x = ramp(math.prod(shape))
        y, out = volumes.pool3d(x, shape, kernel, stride, same, is_max)
        suite.run({"k": kernel, "s": stride}, [
            "y = %s(x) ksize=$k strides=$s padding=\"%s\" data_format=$form" % (
                "MaxPool3D" if is_max else "AvgPool3D",
                "SAME" if same else "VALID")], x, shape, y, out)
    print("%d of %d are right" % (suite.good, suite.count))


if __name__ == "__main__":
    main(*sys.argv[1:])
