#!/usr/bin/env python3
"""Runs small models and compares with plain definitions of their operators.

usage: numeric.py XC-RUN DIRECTORY

The definitions are those of the format (what a row and column of the result
is), not of tir: the filter of TRANSPOSE_CONV scatters, blocks are indexed by
dy * width + dx, and so on. Inputs are small integers, so that float results
are exact where nothing is divided.
"""

import itertools
import math
import struct
import subprocess
import sys

import tflite
from arithmetic import (
    Array, batch_to_space, bilinear, byte_bilinear, data, depth_to_space,
    depthwise, dims, f32, floats, integer_bilinear, nearest, quantized_prelu,
    quantized_product, quantized_sum, ramp, requantize, saturate,
    space_to_batch, space_to_depth, transpose_conv, truncate)


class Suite:
    def __init__(self, tool, directory):
        self.tool, self.directory = tool, directory
        self.count = self.failures = 0

    def run(self, name, lines, x, expected, form="f", tolerance=None):
        """`lines` without x and y, which get the type of `form`."""
        kind = {"f": "float32", "b": "int8", "B": "uint8"}[form]
        model = tflite.Model()
        quant = {"f": "", "b": "q=0.5:3", "B": "q=0.5:3"}[form]
        text = ["tensor x %s %s %s" % (kind, dims(x.shape), quant)]
        if not any(line.startswith("tensor y ") for line in lines):
            text.append("tensor y %s %s %s" % (kind, dims(expected.shape),
                                               quant))
        for line in text + lines + ["in x", "out y"]:
            model.line(line.split())
        base = "%s/%s" % (self.directory, name)
        for suffix, content in ((".tflite", bytes(model.bytes())),
                                (".in", self.pack(form, x)),
                                (".out", self.pack(form, expected))):
            with open(base + suffix, "wb") as file:
                file.write(content)
        command = [self.tool, base + ".tflite", "--quiet",
                   "--input=0=" + base + ".in", "--expected=0=" + base + ".out"]
        if tolerance:
            command.append("--tolerance=%g" % tolerance)
        run = subprocess.run(command, capture_output=True, text=True)
        self.count += 1
        if run.returncode:
            self.failures += 1
            print("%s: %s%s" % (name, run.stdout, run.stderr))

    @staticmethod
    def pack(form, array):
        return struct.pack("<%d%s" % (len(array.values), form), *array.values)


def transposed_cases(suite):
    # name, input, kernel (h, w), stride (h, w), output (h, w), same
    cases = [("even", (3, 4), (3, 3), (2, 2), (6, 8), True),
             ("odd", (3, 4), (3, 3), (2, 2), (5, 7), True),
             ("mixed", (3, 4), (3, 2), (2, 3), (5, 10), True),
             ("gap", (3, 2), (1, 2), (2, 3), (6, 6), True),
             ("valid", (3, 2), (3, 4), (2, 1), (7, 5), False),
             ("more", (3, 2), (2, 2), (3, 3), (9, 6), False)]
    for name, size, kernel, stride, out, same in cases:
        x = ramp((2,) + size + (2,))
        w = ramp((3,) + kernel + (2,), -5, 5, 11)
        shape = (2,) + out + (3,)
        options = "padding=%d stride_h=%d stride_w=%d" % (
            0 if same else 1, stride[0], stride[1])
        target = "tensor s int32 4 data=%d,%d,%d,%d" % shape
        total = transpose_conv(x, w, shape, stride, same)
        suite.run("transposed-" + name,
                  [target, "tensor w float32 %s %s" % (dims(w.shape), floats(w)),
                   "op TRANSPOSE_CONV s w x -> y " + options], x, total)
        scales = [0.5, 0.25, 0.013]
        bias = [100, -7, 0]
        total = transpose_conv(x, w, shape, stride, same, offset=-3)
        for index in total.indices():
            o = index[3]
            total[index] = requantize(total[index] + bias[o],
                                      0.5 * scales[o] / 4.0, -2)
        suite.run("transposed-int8-" + name,
                  [target, "tensor w int8 %s q=%s@0 %s" % (
                      dims(w.shape), ",".join(map(str, scales)), data(w)),
                   "tensor b int32 3 data=100,-7,0",
                   "tensor y int8 %s q=4:-2" % dims(shape),
                   "op TRANSPOSE_CONV s w x b -> y " + options],
                  x, total, "b")


def block_cases(suite):
    for form in "fb":
        x = ramp((2, 4, 6, 3))
        suite.run("space-to-depth-" + form,
                  ["op SPACE_TO_DEPTH x -> y block_size=2"], x,
                  space_to_depth(x, 2), form)
        x = ramp((2, 2, 3, 12))
        suite.run("depth-to-space-" + form,
                  ["op DEPTH_TO_SPACE x -> y block_size=2"], x,
                  depth_to_space(x, 2), form)
        x = ramp((2, 3, 5, 2))
        pads = ((1, 2), (0, 4))
        suite.run("space-to-batch-" + form,
                  ["tensor k int32 2 data=2,3", "tensor p int32 2x2 data=1,2,0,4",
                   "op SPACE_TO_BATCH_ND x k p -> y"], x,
                  space_to_batch(x, (2, 3), pads, 0 if form == "f" else 3),
                  form)
        x = ramp((12, 3, 3, 2))
        suite.run("batch-to-space-" + form,
                  ["tensor k int32 2 data=2,3", "tensor p int32 2x2 data=1,2,0,4",
                   "op BATCH_TO_SPACE_ND x k p -> y"], x,
                  batch_to_space(x, (2, 3), pads), form)


def resize_cases(suite):
    x = ramp((1, 3, 4, 2), -100, 37, 211)
    bytes_ = ramp((1, 3, 4, 2), 0, 97, 251)
    for size in ((6, 8), (7, 5), (2, 3), (1, 1)):
        for corners, half in ((0, 0), (1, 0), (0, 1)):
            name = "%dx%d-%d%d" % (size[0], size[1], corners, half)
            lines = ["tensor s int32 2 data=%d,%d" % size]
            option = " align_corners=%d half_pixel_centers=%d" % (corners, half)
            for form in "fb":
                suite.run("nearest-%s-%s" % (form, name), lines +
                          ["op RESIZE_NEAREST_NEIGHBOR x s -> y" + option], x,
                          nearest(x, size, corners, half), form)
            line = ["op RESIZE_BILINEAR x s -> y" + option]
            suite.run("bilinear-f-" + name, lines + line, x,
                      bilinear(x, size, corners, half), "f", 1e-4)
            suite.run("bilinear-b-" + name, lines + line, x,
                      integer_bilinear(x, size, corners, half), "b")
            suite.run("bilinear-B-" + name, lines + line, bytes_,
                      byte_bilinear(bytes_, size, corners, half), "B")


def quantized_cases(suite):
    everything = Array((1, 1, 256, 1), list(range(-128, 128)))
    other = Array(everything.shape, [(i * 37) % 256 - 128 for i in range(256)])
    for number, scales in enumerate((((0.5, 3), (0.75, -20), (0.6, 7)),
                                     ((0.031, -128), (0.007, 127), (0.02, -1)),
                                     ((0.1, 0), (0.1, 0), (0.05, 0)))):
        a, b, out = [(f32(scale), point) for scale, point in scales]
        words = ["q=%.9g:%d" % pair for pair in (a, b, out)]
        x = "tensor a int8 1x1x256x1 %s" % words[0]
        y = "tensor y int8 1x1x256x1 %s" % words[2]
        second = "tensor b int8 1x1x256x1 %s %s" % (words[1], data(other))
        first = ["op QUANTIZE x -> a"]  # to the scale of this round
        quant = [requantize(v - 3, 0.5 / a[0], a[1]) for v in everything.values]
        shape = everything.shape
        suite.run("requantize-%d" % number,
                  ["tensor y int8 1x1x256x1 " + words[0], "op QUANTIZE x -> y"],
                  everything, Array(shape, quant), "b")
        for name, compute in (("ADD", quantized_sum(1, a, b, out)),
                              ("SUB", quantized_sum(-1, a, b, out)),
                              ("MUL", quantized_product(a, b, out)),
                              ("PRELU", quantized_prelu(a, b, out))):
            suite.run("%s-%d" % (name.lower(), number),
                      [x, second, y] + first + ["op %s a b -> y" % name],
                      everything, Array(shape, [
                          compute(v, w) for v, w in zip(quant, other.values)]),
                      "b")
        low = {"RELU": out[1], "LEAKY_RELU": -128}
        for name in low:
            option = " alpha=0.3" if name == "LEAKY_RELU" else ""
            alpha = f32(0.3) if option else 1.0
            values = [requantize(v - a[1], a[0] * (alpha if v < a[1] else 1.0) /
                                 out[0], out[1]) for v in quant]
            suite.run("%s-%d" % (name.lower(), number),
                      [x, y] + first + ["op %s a -> y%s" % (name, option)],
                      everything,
                      Array(shape, [max(v, low[name]) for v in values]), "b")


def real_cases(suite):
    """What is computed in floats between the integers, which q=0.5:3 makes."""
    def whole(real, step=0.5, zero=3):
        return saturate(truncate(real / step + math.copysign(0.5, real), 1) +
                        zero)

    x = ramp((1, 1, 64, 4), -128, 1, 256)
    reals = [(v - 3) * 0.5 for v in x.values]
    suite.run("gelu-int8", ["op GELU x -> y"], x, Array(x.shape, [
        whole(0.5 * v * (1 + math.erf(v / math.sqrt(2)))) for v in reals]), "b")
    other = "tensor b int8 4 q=0.25:-1 data=-128,0,5,127"
    values = [(v + 1) * 0.25 for v in (-128, 0, 5, 127)]
    suite.run("squared-difference-int8",
              [other, "op SQUARED_DIFFERENCE x b -> y"], x, Array(x.shape, [
                  whole((v - values[i % 4]) ** 2)
                  for i, v in enumerate(reals)]), "b")
    norms = [math.hypot(*reals[i - i % 4:i - i % 4 + 4]) for i in range(256)]
    suite.run("l2-normalization-int8",
              ["tensor y int8 1x1x64x4 q=0.0078125:0",
               "op L2_NORMALIZATION x -> y"], x, Array(x.shape, [
                   whole(v / n, 1 / 128, 0) for v, n in zip(reals, norms)]),
              "b")


def other_cases(suite):
    x, w = ramp((2, 4, 5, 3)), ramp((1, 2, 3, 6), -4, 5, 9)
    suite.run("multiplier",
              ["tensor w float32 %s %s" % (dims(w.shape), floats(w)),
               "op DEPTHWISE_CONV_2D x w -> y padding=1 stride_w=1 stride_h=1 "
               "multiplier=2"], x, depthwise(x, w, 2))

    x = ramp((4, 7))
    rows, columns = range(4)[3:0:-1], range(7)[1::3]
    y = Array((len(rows), len(columns)),
              [x[r, c] for r in rows for c in columns])
    suite.run("strided-slice",
              ["tensor b int32 2 data=3,1", "tensor e int32 2 data=0,0",
               "tensor s int32 2 data=-1,3",
               "op STRIDED_SLICE x b e s -> y end_mask=2"], x, y, "b")

    x = ramp((1, 1, 1, 6))
    y = Array(x.shape)
    for c in range(6):
        squares = sum(x[0, 0, 0, k] ** 2 for k in range(max(c - 2, 0),
                                                        min(c + 3, 6)))
        y[0, 0, 0, c] = x[0, 0, 0, c] * (1 + 0.5 * squares) ** -0.75
    suite.run("lrn", ["op LOCAL_RESPONSE_NORMALIZATION x -> y radius=2 bias=1 "
                      "alpha=0.5 beta=0.75"], x, y, "f", 1e-5)

    x = ramp((5,))
    for mode, order in ((0, (2, 1, 0, 1, 2, 3, 4, 3, 2)),
                        (1, (1, 0, 0, 1, 2, 3, 4, 4, 3))):
        suite.run("mirror-%d" % mode,
                  ["tensor p int32 1x2 data=2,2",
                   "op MIRROR_PAD x p -> y mode=%d" % mode], x,
                  Array((9,), [x[i,] for i in order]), "b")

    suite.run("softmax-beta", ["op SOFTMAX x -> y beta=0.5"], x,
              Array((5,), [math.exp(v / 2) / sum(math.exp(u / 2)
                                                for u in x.values)
                           for v in x.values]), "f", 1e-6)


def index_cases(suite):
    x = ramp((2, 3, 4))
    suite.run("gather-nd", ["tensor i int32 2x2 data=1,2,0,-1",
                            "op GATHER_ND x i -> y"], x,
              Array((2, 4), [x[1, 2, i] for i in range(4)] +
                    [x[0, 2, i] for i in range(4)]))
    suite.run("tile", ["tensor n int32 3 data=1,2,3", "op TILE x n -> y"], x,
              Array((2, 6, 12), [x[a, b % 3, c % 4] for a in range(2)
                                 for b in range(6) for c in range(12)]))
    top = [sorted(range(4), key=lambda c: (-x[a, b, c], c))[:2]
           for a in range(2) for b in range(3)]
    suite.run("topk", ["tensor k int32 scalar data=2",
                       "tensor i int32 2x3x2", "op TOPK_V2 x k -> y i"], x,
              Array((2, 3, 2), [x[r // 3, r % 3, c] for r, row in
                                enumerate(top) for c in row]), "b")
    suite.run("mod", ["tensor b float32 4 data=3.0,-4.0,2.5,-0.5",
                      "op FLOOR_MOD x b -> y"], x,
              Array(x.shape, [v % (3.0, -4.0, 2.5, -0.5)[i % 4] + 0.0
                              for i, v in enumerate(x.values)]))
    for name, way in (("erf", lambda v: v * (1 + math.erf(v / 2 ** 0.5)) / 2),
                      ("tanh", lambda v: v * (1 + math.tanh(
                          (2 / math.pi) ** 0.5 * (v + 0.044715 * v ** 3))) / 2)):
        suite.run("gelu-" + name, ["op GELU x -> y approximate=%d" %
                                   (name == "tanh")], x,
                  Array(x.shape, [way(v) for v in x.values]), "f", 1e-5)
    suite.run("reduce-min", ["tensor a int32 1 data=1",
                             "op REDUCE_MIN x a -> y"], x,
              Array((2, 4), [min(x[a, b, c] for b in range(3))
                             for a in range(2) for c in range(4)]), "b")
    # Rows 0 and 2 of a weight have elements.
    dense = [0, 5, 0, 0, 0, 0, -3, 0, 2]
    v = ramp((2, 3))
    suite.run("densify", ["tensor w float32 3x3 data=5.0,-3.0,2.0 csr=0,1,1,3/1,0,2",
                          "tensor d float32 3x3", "op DENSIFY w -> d",
                          "op FULLY_CONNECTED x d - -> y"], v,
              Array((2, 3), [sum(v[r, k] * dense[3 * o + k] for k in range(3))
                             for r in range(2) for o in range(3)]))


def along_cases(suite):
    x = ramp((2, 3, 4))
    rows = [[x[a, b, c] for b in range(3)] for a in range(2) for c in range(4)]
    for name, options, way in (
            ("plain", "", lambda v, i: sum(v[:i + 1])),
            ("exclusive", " exclusive=1", lambda v, i: sum(v[:i])),
            ("reverse", " reverse=1", lambda v, i: sum(v[i:])),
            ("both", " exclusive=1 reverse=1", lambda v, i: sum(v[i + 1:]))):
        suite.run("cumsum-" + name, ["tensor a int32 scalar data=1",
                                     "op CUMSUM x a -> y" + options], x,
                  Array(x.shape, [float(way(rows[a * 4 + c], b))
                                  for a, b, c in x.indices()]))
    suite.run("reverse", ["tensor a int32 2 data=0,-1", "op REVERSE_V2 x a -> y"],
              x, Array(x.shape, [x[1 - a, b, 3 - c] for a, b, c in x.indices()]),
              "b")
    suite.run("reverse-sequence",
              ["tensor n int32 2 data=2,3",
               "op REVERSE_SEQUENCE x n -> y seq_dim=1 batch_dim=0"], x,
              Array(x.shape, [x[a, n - 1 - b if b < n else b, c]
                              for a, b, c in x.indices() for n in (2 + a,)]))
    for name, way in (("SIN", math.sin), ("COS", math.cos)):
        suite.run(name.lower(), ["op %s x -> y" % name], x,
                  Array(x.shape, [way(v) for v in x.values]), "f", 1e-6)
    suite.run("sign", ["op SIGN x -> y"], x,
              Array(x.shape, [float((v > 0) - (v < 0)) for v in x.values]))
    suite.run("zeros", ["tensor z float32 2x3x4", "op ZEROS_LIKE x -> z",
                        "op SUB z x -> y"], x,
              Array(x.shape, [0.0 - v for v in x.values]))
    suite.run("fill", ["tensor d int32 2 data=3,4",
                       "tensor v float32 scalar data=0.5", "tensor f float32 3x4",
                       "op FILL d v -> f", "op ADD x f -> y"], x,
              Array(x.shape, [v + 0.5 for v in x.values]))
    suite.run("floor-div", ["tensor b float32 4 data=3.0,-4.0,2.5,-0.5",
                            "op FLOOR_DIV x b -> y"], x,
              Array(x.shape, [float(v // (3.0, -4.0, 2.5, -0.5)[i % 4])
                              for i, v in enumerate(x.values)]))
    # The quotient is a float before it is rounded down: 3 / 0.3 is 10.
    suite.run("floor-div-floats", ["tensor b float32 4 data=0.3,0.1,41.0,0.7",
                                   "op FLOOR_DIV x b -> y"], x,
              Array(x.shape, [float(math.floor(f32(v / f32(
                  (0.3, 0.1, 41.0, 0.7)[i % 4]))))
                              for i, v in enumerate(x.values)]))
    suite.run("floor-div-integers",
              ["tensor i int32 2x3x4", "tensor q int32 2x3x4",
               "tensor b int32 4 data=3,-4,2,-5", "op CAST x -> i",
               "op FLOOR_DIV i b -> q", "op CAST q -> y"], x,
              Array(x.shape, [float(v // (3, -4, 2, -5)[i % 4])
                              for i, v in enumerate(x.values)]))
    suite.run("range", ["tensor b int32 scalar data=7", "tensor e int32 scalar data=0",
                        "tensor s int32 scalar data=-2", "tensor i int32 4",
                        "tensor f float32 4", "op RANGE b e s -> i",
                        "op CAST i -> f", "op ADD x f -> y"], x,
              Array(x.shape, [x[a, b, c] + 7.0 - 2 * c
                              for a, b, c in x.indices()]))
    suite.run("product", ["tensor a int32 1 data=1", "op REDUCE_PROD x a -> y"],
              x, Array((2, 4), [math.prod(map(float, row)) for row in rows]))
    hot = ["tensor i int32 2x3x4", "op CAST x -> i",
           "tensor n int32 scalar data=5", "tensor t float32 scalar data=2.0",
           "tensor f float32 scalar data=-1.0"]
    suite.run("one-hot", hot + ["op ONE_HOT i n t f -> y axis=-1"], x,
              Array((2, 3, 4, 5), [2.0 if v == k else -1.0 for v in x.values
                                   for k in range(5)]))
    for name, way in (("ANY", any), ("ALL", all)):
        suite.run("reduce-" + name.lower(),
                  ["tensor z float32 scalar data=-5.0", "tensor g bool 2x3x4",
                   "op GREATER x z -> g", "tensor a int32 1 data=1",
                   "tensor r bool 2x4", "op REDUCE_%s g a -> r" % name,
                   "op CAST r -> y"], x,
                  Array((2, 4), [float(way(v > -5 for v in row))
                                 for row in rows]))
    image = ramp((1, 2, 4, 1))
    suite.run("l2-pool", ["op L2_POOL_2D x -> y padding=1 stride_w=2 stride_h=2 "
                          "filter_w=2 filter_h=2"], image,
              Array((1, 1, 2, 1), [(sum(image[0, a, 2 * k + b, 0] ** 2
                                        for a in range(2) for b in range(2)) /
                                    4) ** 0.5 for k in range(2)]), "f", 1e-6)


def overlap(a, b):
    height = min(a[2], b[2]) - max(a[0], b[0])
    width = min(a[3], b[3]) - max(a[1], b[1])
    common = max(height, 0) * max(width, 0)
    area = sum((c[2] - c[0]) * (c[3] - c[1]) for c in (a, b))
    return common / (area - common)


def suppress(boxes, scores, most, threshold):
    taken = []
    for i in sorted(range(len(boxes)), key=lambda i: (-scores[i], i)):
        if len(taken) < most and all(
                overlap(boxes[i], boxes[k]) < threshold for k in taken):
            taken.append(i)
    return taken


def detection_cases(suite):
    boxes = [(i % 4 * 3, i // 4 * 3, i % 4 * 3 + 4, i // 4 * 3 + 4 + i % 3)
             for i in range(12)]
    flat = Array((12, 4), [float(v) for b in boxes for v in b])
    scores = [((7 * i) % 11 + 1) / 16 for i in range(12)]
    taken = [i for i in suppress(boxes, scores, 5, 0.125) if scores[i] > 0.25]
    lines = ["tensor s float32 12 data=" + ",".join(map(str, scores)),
             "tensor m int32 scalar data=5", "tensor t float32 scalar data=0.125",
             "tensor l float32 scalar data=0.25", "tensor g float32 scalar data=0.0",
             "tensor i int32 5", "tensor n int32 scalar"]
    suite.run("nms", lines + ["tensor y float32 5",
                              "op NON_MAX_SUPPRESSION_V5 x s m t l g -> i y n"],
              flat, Array((5,), ([scores[i] for i in taken] + [0] * 5)[:5]))
    suite.run("nms-index", lines + [
        "tensor y float32 5", "op NON_MAX_SUPPRESSION_V4 x s m t l -> i n",
        "op CAST i -> y"], flat, Array((5,), (taken + [0] * 5)[:5]))

    # Anchors are unit boxes on a grid; scores of a background and two classes.
    anchors = [(i % 4, i // 4, 1, 1) for i in range(12)]
    codes = ramp((1, 12, 4), -3, 5, 7)
    corners, best = [], []
    for i, (y, x, h, w) in enumerate(anchors):
        cy, cx = codes[0, i, 0] / 10 + y, codes[0, i, 1] / 10 + x
        hh = 0.5 * math.exp(codes[0, i, 2] / 5)
        hw = 0.5 * math.exp(codes[0, i, 3] / 5)
        corners.append((cy - hh, cx - hw, cy + hh, cx + hw))
    classes = [[0.9, ((5 * i) % 13) / 16, ((3 * i) % 11) / 16] for i in range(12)]
    common = ["tensor c float32 1x12x3 data=" + ",".join(
        str(v) for row in classes for v in row),
        "tensor a float32 12x4 data=" + ",".join(
            "%.1f" % v for a in anchors for v in a),
        "tensor k float32 scalar", "tensor s float32 scalar",
        "tensor n float32 scalar"]
    options = ("max_detections=6 max_classes_per_detection=1 num_classes=2 "
               "nms_score_threshold=0.25 nms_iou_threshold=0.3 y_scale=10.0 "
               "x_scale=10.0 h_scale=5.0 w_scale=5.0 detections_per_class=3 ")
    best = [max(row[1:]) for row in classes]
    fast = [i for i in suppress(corners, best, 6, 0.3) if best[i] >= 0.25]
    by_class = sorted(
        ((-classes[i][1 + k], k, i) for k in range(2) for i in suppress(
            corners, [row[1 + k] for row in classes], 3, 0.3)
         if classes[i][1 + k] >= 0.25), key=lambda t: t[:2])
    for name, chosen in (("false", fast), ("true", [i for _, _, i in by_class])):
        rows = [v for i in chosen for v in corners[i]]
        suite.run("detection-" + name, common + [
            "tensor y float32 1x6x4", "op CUSTOM:TFLite_Detection_PostProcess "
            "x c a -> y k s n use_regular_nms=" + name + " " + options], codes,
            Array((1, 6, 4), (rows + [0.0] * 24)[:24]), "f", 1e-5)
        score = [max(classes[i][1:]) for i in fast] if name == "false" else [
            -t[0] for t in by_class]
        suite.run("scores-" + name, common[:-2] + [
            "tensor b float32 scalar", "tensor n float32 scalar",
            "tensor y float32 1x6", "op CUSTOM:TFLite_Detection_PostProcess "
            "x c a -> b k y n use_regular_nms=" + name + " " + options], codes,
            Array((1, 6), (score + [0.0] * 6)[:6]))


def unpool_cases(suite):
    x = ramp((1, 4, 6, 2))
    top = {}
    for y, v, c in itertools.product(range(2), range(3), range(2)):
        top[y, v, c] = max(range(4), key=lambda k: (
            x[0, 2 * y + k // 2, 2 * v + k % 2, c], -k))
    # SAME, stride 2 by 2, window 2 by 2, no activation.
    raw = "hex=" + struct.pack("<6i", 1, 2, 2, 2, 2, 0).hex()
    index = Array((1, 2, 3, 2), [top[i[1:]] + 0.1 for i in
                                 Array((1, 2, 3, 2)).indices()])
    suite.run("argmax-pool", ["tensor p float32 1x2x3x2",
                              "op CUSTOM:MaxPoolingWithArgmax2D x -> p y " + raw],
              x, index, "f", 1e-6)
    back = Array(x.shape)
    for (y, v, c), k in top.items():
        at = (0, 2 * y + k // 2, 2 * v + k % 2, c)
        back[at] = x[at]
    suite.run("unpool", ["tensor p float32 1x2x3x2", "tensor i float32 1x2x3x2",
                         "op CUSTOM:MaxPoolingWithArgmax2D x -> p i " + raw,
                         "op CUSTOM:MaxUnpooling2D p i -> y " + raw], x, back)
    x, w = ramp((1, 3, 2, 2)), ramp((3, 2, 3, 2), -2, 3, 5)
    y = transpose_conv(x, w, (1, 6, 4, 3), (2, 2), True)
    for i in y.indices():
        y[i] += (1, -2, 3)[i[3]]
    suite.run("transpose-bias", [
        "tensor w float32 3x2x3x2 " + floats(w),
        "tensor b float32 3 data=1.0,-2.0,3.0",
        "op CUSTOM:Convolution2DTransposeBias x w b -> y hex=" +
        struct.pack("<3i", 1, 2, 2).hex()], x, y)


def recurrent_cases(suite):
    """Gates i, f, c and o; states are variables, and 0 at first."""
    batch, steps, channels, units = 2, 3, 2, 3

    def matrix(rows, columns, low):
        a = ramp((rows, columns), low, 5, 9)
        return Array(a.shape, [v / 8 for v in a.values])

    def dot(matrix, row, vector):
        return sum(matrix[row, k] * v for k, v in enumerate(vector))

    def sigmoid(v):
        return 1 / (1 + math.exp(-v))

    def constant(name, array):
        return "tensor %s float32 %s data=%s" % (
            name, dims(array.shape), ",".join(map(repr, array.values)))

    x = ramp((batch, steps, channels), -2, 3, 5)
    state = "tensor %s float32 %dx%d variable"
    gates = {g: (matrix(units, channels, -i), matrix(units, units, i - 4),
                 Array((units,), [i / 4, 0.5, -i / 8]))
             for i, g in enumerate("ifco")}
    peepholes = {g: Array((units,), [i / 2, -0.25, 0.5])
                 for i, g in enumerate("ifo")}
    y = Array((batch, steps, units))
    for n in range(batch):
        h, c = [0.0] * units, [0.0] * units
        for t in range(steps):
            own = [x[n, t, k] for k in range(channels)]
            sums = {g: [dot(w, u, own) + dot(r, u, h) + b[u,]
                        for u in range(units)]
                    for g, (w, r, b) in gates.items()}
            peep = {g: [v[u,] for u in range(units)]
                    for g, v in peepholes.items()}
            for u in range(units):
                forget = sigmoid(sums["f"][u] + peep["f"][u] * c[u])
                take = sigmoid(sums["i"][u] + peep["i"][u] * c[u])
                c[u] = forget * c[u] + take * math.tanh(sums["c"][u])
                h[u] = (sigmoid(sums["o"][u] + peep["o"][u] * c[u]) *
                        math.tanh(c[u]))
                y[n, t, u] = h[u]
    lines = [constant(kind + g, gates[g][k])
             for k, kind in enumerate("wrb") for g in gates]
    lines += [constant("p" + g, v) for g, v in peepholes.items()]
    lines += [state % (name, batch, units) for name in "hc"]
    suite.run("lstm", lines + [
        "op UNIDIRECTIONAL_SEQUENCE_LSTM x wi wf wc wo ri rf rc ro pi pf po "
        "bi bf bc bo - - h c -> y activation=4"], x, y, tolerance=1e-6)

    w, r, b = gates["c"]
    x = Array((steps, batch, channels), x.values)
    y = Array((steps, batch, units))
    for n in range(batch):
        h = [0.0] * units
        for t in range(steps):
            own = [x[t, n, k] for k in range(channels)]
            h = [max(0, dot(w, u, own) + dot(r, u, h) + b[u,])
                 for u in range(units)]
            for u in range(units):
                y[t, n, u] = h[u]
    suite.run("rnn", [constant("w", w), constant("r", r), constant("b", b),
                      state % ("h", batch, units),
                      "op UNIDIRECTIONAL_SEQUENCE_RNN x w r b h -> y "
                      "time_major=1 activation=1"], x, y, tolerance=1e-6)


def main(tool, directory):
    suite = Suite(tool, directory)
    transposed_cases(suite)
    block_cases(suite)
    resize_cases(suite)
    quantized_cases(suite)
    real_cases(suite)
    other_cases(suite)
    index_cases(suite)
    along_cases(suite)
    detection_cases(suite)
    unpool_cases(suite)
    recurrent_cases(suite)
    print("%d cases, %d failures" % (suite.count, suite.failures))
    return suite.failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
