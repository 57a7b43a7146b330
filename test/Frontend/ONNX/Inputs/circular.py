"""Compares functions that are formulas of others with those of Python.

usage: circular.py model DIRECTORY
       circular.py check DIRECTORY BACKEND...

Writes DIRECTORY/model.onnx and then compares DIRECTORY/BACKEND.NAME, the output
of each function, element by element: floats within 1e-6, doubles within 1e-12
of themselves, infinities and NaN as they are.
"""

import math
import os
import struct
import sys

import onnx

SMALL = [s * m * 10.0 ** e for e in range(-9, 0) for m in (1, 3.3) for s in (1, -1)]
BELOW = [s * (1 - 2.0 ** -e) for e in range(1, 23) for s in (1, -1)]
STEPS = [i / 16 for i in range(-16, 17)]
LARGE = [s * m * 10.0 ** e for e in (0, 1, 4, 9, 18) for m in (1.5, 8)
         for s in (1, -1)]
ABOVE = [1 + 2.0 ** -e for e in range(0, 23)] + [x for x in LARGE if x > 1]
INFINITE = [math.inf, -math.inf, math.nan]
EXPONENTS = SMALL + STEPS + [s * x for x in (2.5, 10, 40, 80, 88.5, 89.2)
                             for s in (1, -1)]

FUNCTIONS = {
    "Asin": (math.asin, SMALL + BELOW + STEPS + [1.5, -2.0] + INFINITE),
    "Acos": (math.acos, SMALL + BELOW + STEPS + [1.5, -2.0] + INFINITE),
    "Atan": (math.atan, SMALL + BELOW + STEPS + LARGE + INFINITE),
    "Sinh": (math.sinh, EXPONENTS + INFINITE),
    "Cosh": (math.cosh, EXPONENTS + INFINITE),
    "Asinh": (math.asinh, SMALL + STEPS + LARGE + INFINITE),
    "Acosh": (math.acosh, ABOVE + [1.0, 0.5, -3.0] + INFINITE),
    "Atanh": (math.atanh, SMALL + BELOW + STEPS + [1.5, -2.0] + INFINITE),
}
KINDS = {"f32": ("f", 1e-6), "f64": ("d", 1e-12)}


def rounded(kind, x):
    form = KINDS[kind][0]
    return struct.unpack(form, struct.pack(form, x))[0]


def write(folder):
    lines = ["opset 9"]
    for name, (_, points) in FUNCTIONS.items():
        for kind in KINDS:
            value = "%s_%s" % (name, kind)
            lines += ["init x_%s %s %d %s" % (value, kind, len(points), " ".join(
                          repr(float(x)) for x in points)),
                      "node %s x_%s -> %s" % (name, value, value),
                      "output %s %s ?" % (value, kind)]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(onnx.model("\n".join(lines) + "\n"))


def exact(function, x):
    try:
        return function(x)
    except ValueError: # 1 and -1 have infinities, what is beyond has nothing
        return math.copysign(math.inf, x) if (
            function is math.atanh and abs(x) == 1) else math.nan
    except OverflowError:
        return math.copysign(math.inf, x)


def check(path, function, points, kind):
    form, bound = KINDS[kind]
    with open(path, "rb") as file:
        found = struct.unpack("<%d%s" % (len(points), form), file.read())
    wrong = 0
    for point, y in zip(points, found):
        x = rounded(kind, point)
        wanted = exact(function, x)
        same = wanted == y or (math.isnan(wanted) and math.isnan(y))
        if not same and not abs(y - wanted) <= bound * abs(wanted):
            print("%s at %r is %r, expected %r" % (path, x, y, wanted))
            wrong += 1
    return wrong


def main(what, folder, *backends):
    if what == "model":
        write(folder)
        return
    wrong, count = 0, 0
    for backend in backends:
        for name, (function, points) in FUNCTIONS.items():
            for kind in KINDS:
                path = os.path.join(folder, "%s.%s_%s" % (backend, name, kind))
                wrong += check(path, function, points, kind)
                count += 1
    print("%d functions, %d wrong" % (count, wrong))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
