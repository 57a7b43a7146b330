"""Runs graphs of one operator on what is computed, and compares with definitions.

usage: operator_numbers.py XC-RUN DIRECTORY
"""

import math
import struct
import subprocess
import sys

import tensorflow

FORMS = {"f32": "f", "i32": "i", "bool": "B"}
X = [3.0, -4.0, 0.0, 2.5, -1.0, 7.0]
Y = [1.0, -4.0, 2.0, 0.5, -3.0, 9.0]


def const(name, kind, dims, *values):
    return "%s = Const() dtype=%s value=tensor(%s %s bytes %s)" % (
        name, kind, kind, dims, " ".join(map(str, values)))


def cases():
    """Nodes, inputs (name, type, dims, values), and what comes out."""
    x, b = ("x", "f32", "2x3", X), ("b", "f32", "2x3", Y)
    for op, truth in (
            ("Equal", lambda p, q: p == q), ("NotEqual", lambda p, q: p != q),
            ("Less", lambda p, q: p < q), ("LessEqual", lambda p, q: p <= q),
            ("Greater", lambda p, q: p > q),
            ("GreaterEqual", lambda p, q: p >= q)):
        yield (["c = %s(x, b)" % op, "y = Cast(c) DstT=f32"], [x, b], "f32",
               [float(truth(p, q)) for p, q in zip(X, Y)])
    yield (["c = Less(x, b)", "d = Greater(x, k)", const("k", "f32", "-", 0.0),
            "e = LogicalAnd(c, d)", "f = LogicalNot(e)", "g = LogicalOr(f, d)",
            "y = SelectV2(e, x, b)"], [x, b], "f32",
           [p if p < q and p > 0 else q for p, q in zip(X, Y)])
    # Of the first form a vector chooses rows.
    yield (["z = Sub(r, r)", "c = Greater(r, z)", "y = Select(c, x, b)"],
           [("r", "f32", "2", [1.0, -1.0]), x, b], "f32", X[:3] + Y[3:])
    rows = (X[:3], X[3:])
    for op, combine in (("Min", min), ("Max", max), ("Prod", math.prod),
                        ("Sum", sum)):
        yield ([const("a", "i32", "1", 1), "y = %s(x, a)" % op], [x], "f32",
               [float(combine(row)) for row in rows])
    yield ([const("a", "i32", "-", 1), "y = ArgMin(x, a) output_type=i32"], [x],
           "i32", [row.index(min(row)) for row in rows])
    for op, f in (("Sin", math.sin), ("Cos", math.cos), ("Atan", math.atan),
                  ("Erf", math.erf), ("Sign", lambda v: (v > 0) - (v < 0))):
        yield ["y = %s(x)" % op], [x], "f32", [float(f(v)) for v in X]
    for op in ("Reciprocal", "Inv"):
        yield ["y = %s(b)" % op], [b], "f32", [1 / v for v in Y]
    yield ["y = Atan2(x, b)"], [x, b], "f32", [
        math.atan2(p, q) for p, q in zip(X, Y)]
    p, q = [7, -7, 7, -7, 6, -6, 0], [3, 3, -3, -3, 3, 3, -3]
    for op, results in (("FloorMod", [1, 2, -2, -1, 0, 0, 0]),
                        ("FloorDiv", [2, -3, -3, 2, 2, -2, 0]),
                        ("TruncateMod", [1, -1, 1, -1, 0, 0, 0]),
                        ("Mod", [1, -1, 1, -1, 0, 0, 0]),
                        ("TruncateDiv", [2, -2, -2, 2, 2, -2, 0])):
        yield (["y = %s(p, q)" % op],
               [("p", "i32", "7", p), ("q", "i32", "7", q)], "i32", results)
        # Of constants it is computed here.
        yield ([const("c", "i32", "7", *p), const("d", "i32", "7", *q),
                "e = %s(c, d)" % op, "y = Mul(e, k)"],
               [("k", "i32", "1", [1])], "i32", results)
    yield ([const("l", "f32", "-", -2.0), const("h", "f32", "-", 2.0),
            "y = ClipByValue(x, l, h)"], [x], "f32",
           [min(max(v, -2.0), 2.0) for v in X])
    yield ([const("a", "i32", "1", -1), "y = ReverseV2(x, a)"], [x], "f32",
           X[2::-1] + X[:2:-1])
    yield ([const("a", "i32", "-", 1), "y = Cumsum(x, a) exclusive=true"], [x],
           "f32", [0.0, 3.0, -1.0, 0.0, 2.5, 1.5])
    yield ([const("k", "i32", "-", 2), "t = TopKV2(x, k)",
            "c = Cast(t:1) DstT=f32", "y = Add(t, c)"], [x], "f32",
           [3.0 + 0, 0.0 + 2, 7.0 + 2, 2.5 + 0])
    # x[:, :, newaxis, newaxis] * [1, 10]
    yield ([const("o", "i32", "4", 0, 0, 0, 0), const("n", "i32", "4", 1, 1, 1, 1),
            "s = StridedSlice(x, o, n, n) begin_mask=3 end_mask=3 "
            "new_axis_mask=12", const("k", "f32", "2", 1.0, 10.0),
            "y = Mul(s, k)"], [x], "f32",
           [v * k for v in X for k in (1.0, 10.0)])
    yield (["y = GatherNd(x, i)"], [("i", "i32", "2x2", [1, 0, 0, 2]), x], "f32",
           [X[3], X[2]])
    yield ([const("s", "i32", "2", 2, 3), "y = ScatterNd(i, u, s)"],
           [("i", "i32", "3x2", [1, 2, 0, 0, 1, 2]), ("u", "f32", "3", X[:3])],
           "f32", [-4.0, 0.0, 0.0, 0.0, 0.0, 3.0])
    # Of constants, as a shape, and at run time; positions and places.
    yield ([const("i", "i32", "2x1", 1, 0), const("n", "i32", "1", 2),
            const("v", "i32", "2", 3, 2), const("z", "i32", "-", 0),
            "s = SparseToDense(i, n, v, z)", "y = Reshape(f, s)"],
           [("f", "f32", "6", X)], "f32", X)
    dense = [-1.0, X[1], -1.0, -1.0, -1.0, X[0]]
    yield ([const("s", "i32", "2", 2, 3), const("z", "f32", "-", -1.0),
            "y = SparseToDense(i, s, v, z)"],
           [("i", "i32", "2x2", [1, 2, 0, 1]), ("v", "f32", "2", X[:2])], "f32",
           dense)
    yield ([const("s", "i32", "2", 2, 3), const("z", "f32", "-", -1.0),
            const("i", "i32", "2x2", 1, 2, 0, 1), const("v", "f32", "-", 5.0),
            "d = SparseToDense(i, s, v, z)", "y = Mul(d, x)"], [x], "f32",
           [p * q for p, q in zip((-1.0, 5.0, -1.0, -1.0, -1.0, 5.0), X)])
    yield ([const("s", "i32", "3", 2, 2, 3), "y = BroadcastTo(x, s)"], [x],
           "f32", X + X)
    yield ([const("s", "i32", "2", 2, 3), const("k", "f32", "-", 2.0),
            "b = BroadcastTo(k, s)", "y = Mul(x, b)"], [x], "f32",
           [2 * v for v in X])
    yield ([const("d", "i32", "-", 3), const("o", "f32", "-", 2.0),
            const("z", "f32", "-", -1.0), "y = OneHot(i, d, o, z) axis=0"],
           [("i", "i32", "2", [2, 0])], "f32",
           [-1.0, 2.0, -1.0, -1.0, 2.0, -1.0])


def run(tool, base, nodes, inputs, kind, y):
    lines = ["%s = Placeholder() dtype=%s shape=shape(%s)" % i[:3]
             for i in inputs]
    with open(base + ".pb", "wb") as file:
        file.write(tensorflow.graph("\n".join(lines + nodes)))
    command = [tool, base + ".pb", "--outputs=y", "--quiet", "--tolerance=1e-6"]
    for i, (form, values) in enumerate([(v[1], v[3]) for v in inputs] +
                                       [(kind, y)]):
        path = "%s.%d" % (base, i)
        with open(path, "wb") as file:
            file.write(struct.pack("<%d%s" % (len(values), FORMS[form]),
                                   *values))
        command.append("--input=%s=%s" % (inputs[i][0], path)
                       if i < len(inputs) else "--expected=0=" + path)
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print("%s: %s\n%s%s" % (base, nodes, result.stdout, result.stderr))
    return result.returncode == 0


def main(tool, directory, cases=cases):
    good = count = 0
    for nodes, inputs, kind, y in cases():
        good += run(tool, "%s/%d" % (directory, count), nodes, inputs, kind, y)
        count += 1
    print("%d of %d are right" % (good, count))


if __name__ == "__main__":
    main(*sys.argv[1:])
