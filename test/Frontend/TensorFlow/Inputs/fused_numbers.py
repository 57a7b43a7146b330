"""Nodes that stand for several, by graphs and by definition.

usage: fused_numbers.py XC-RUN DIRECTORY
"""

import math
import sys

from operator_numbers import const, main

X = [3.0, -4.0, 0.5, 2.5, -1.0, 7.0]
W = [1.0, -2.0, 0.5, 1.5, -1.0, 0.25]  # from 3 channels to 2
B = [-0.5, 0.75]
PIXELS = (X[:3], X[3:])
SUMS = [[sum(p[k] * W[2 * k + c] for k in range(3)) for c in range(2)]
        for p in PIXELS]
IMAGE = ("x", "f32", "1x1x2x3", X)
CONV = ' strides=[1,1,1,1] padding="VALID" fused_ops=%s'
ACTIVATIONS = {
    "Relu": lambda v: max(v, 0), "Relu6": lambda v: min(max(v, 0), 6),
    "Elu": lambda v: v if v > 0 else math.expm1(v), "Tanh": math.tanh,
    "Sigmoid": lambda v: 1 / (1 + math.exp(-v)),
    "LeakyRelu": lambda v: v if v > 0 else 0.5 * v}


def each(sums, f):
    return [f(v, c) for row in sums for c, v in enumerate(row)]


def words(*names):
    return "[%s]" % ",".join('"%s"' % n for n in names)


def cases():
    w = const("w", "f32", "1x1x3x2", *W)
    b = const("b", "f32", "2", *B)
    for name, f in ACTIVATIONS.items():
        y = each(SUMS, lambda v, c: f(v + B[c]))
        yield ([w, b, "y = _FusedConv2D(x, w, b, ^b) leakyrelu_alpha=0.5" +
                CONV % words("BiasAdd", name)], [IMAGE], "f32", y)
        m = const("m", "f32", "2x3", *(W[::2] + W[1::2]))
        yield ([m, b, "y = _FusedMatMul(x, m, b) transpose_b=true "
                "leakyrelu_alpha=0.5 fused_ops=" + words("BiasAdd", name)],
               [("x", "f32", "2x3", X)], "f32", y)
        d = const("d", "f32", "1x1x3x1", 2.0, -1.0, 3.0)
        e = const("e", "f32", "3", 0.5, 1.0, -2.0)
        for op in ("FusedDepthwiseConv2dNative", "_FusedDepthwiseConv2dNative"):
            yield ([d, e, "y = %s(x, d, e) leakyrelu_alpha=0.5" % op +
                    CONV % words("BiasAdd", name)], [IMAGE], "f32",
                   each(PIXELS, lambda v, c: f(v * (2.0, -1.0, 3.0)[c] +
                                               (0.5, 1.0, -2.0)[c])))
    yield [w, "y = _FusedConv2D(x, w)" + CONV % "[]"], [IMAGE], "f32", each(
        SUMS, lambda v, c: v)
    norm = [const(n, "f32", "2", *v) for n, v in (
        ("g", (2.0, 0.5)), ("o", (1.0, -1.0)), ("m", (0.5, 0.25)),
        ("v", (3.0, 0.75)))]
    yield ([w] + norm + ["y = _FusedConv2D(x, w, g, o, m, v) epsilon=0.25" +
                         CONV % words("FusedBatchNorm", "Relu")], [IMAGE],
           "f32", each(SUMS, lambda v, c: max(
               (v - (0.5, 0.25)[c]) / math.sqrt((3.25, 1.0)[c]) *
               (2.0, 0.5)[c] + (1.0, -1.0)[c], 0)))
    yield ([w, b, "y = _FusedConv2D(x, w, b, z)" +
            CONV % words("BiasAdd", "Add", "Relu")],
           [IMAGE, ("z", "f32", "1x1x2x2", [1.0, -2.0, 3.0, -4.0])], "f32",
           [max(v, 0) for v in each(
               [[p + q for p, q in zip(s, z)]
                for s, z in zip(SUMS, ((1.0, -2.0), (3.0, -4.0)))],
               lambda v, c: v + B[c])])
    slope = lambda v, c: v if v > 0 else v * (0.25, -3.0)[c]
    for dims in ("2", "1x1x2"):
        yield ([w, b, const("s", "f32", dims, 0.25, -3.0),
                "y = _FusedConv2D(x, w, b, s)" +
                CONV % words("BiasAdd", "Prelu")], [IMAGE], "f32",
               each(SUMS, lambda v, c: slope(v + B[c], c)))
    yield ([const("s", "f32", "2", 0.25, -3.0), "y = Prelu(x, s)"],
           [("x", "f32", "3x2", X)], "f32",
           each((X[:2], X[2:4], X[4:]), slope))
    # Of channels that come first.
    yield ([const("w", "f32", "1x1x2x2", 1.0, 0.0, 0.0, 1.0), b,
            const("s", "f32", "2", 0.25, -3.0),
            'y = _FusedConv2D(x, w, b, s) data_format="NCHW"' +
            CONV % words("BiasAdd", "Prelu")],
           [("x", "f32", "1x2x2x1", [1.0, -2.0, 3.0, -4.0])], "f32",
           [slope(v + B[c], c) for c, v in
            ((0, 1.0), (0, -2.0), (1, 3.0), (1, -4.0))])


if __name__ == "__main__":
    main(*sys.argv[1:], cases)
