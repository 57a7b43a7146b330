#!/usr/bin/env python3
"""Runs layers with 8-bit weights and float inputs against their definition.

usage: hybrid.py XC-RUN DIRECTORY

Every image, or row of a product, gets a scale, and in the asymmetric form a
zero point, from its smallest and largest element; integers are summed up. All
in the precision of TensorFlow Lite: float, double where a zero point is found.
"""

import itertools
import math
import sys

import arithmetic
import numeric
from arithmetic import Array, dims, data, f32, floats, ramp


def away(value):
    """The nearest integer, half away from zero."""
    whole = math.trunc(value)
    return whole + math.trunc(2 * (value - whole))


def symmetric(values):
    """Integers, zero point, scale."""
    largest = max(map(abs, values))
    if largest == 0:
        return [0] * len(values), 0, 1.0
    factor = f32(127 / largest)
    return ([max(-127, min(127, away(f32(v * factor)))) for v in values], 0,
            f32(largest / 127))


def asymmetric(values):
    low, high = min(0.0, *values), max(0.0, *values)
    if low == high:
        return [0] * len(values), 0, 1.0
    scale = (high - low) / 255
    from_low, from_high = -128 - low / scale, 127 - high / scale
    nearer = 128 + abs(low / scale) < 127 + abs(high / scale)
    point = max(-128, min(127, away(from_low if nearer else from_high)))
    scale = f32(scale)
    factor = f32(1 / scale)
    return ([max(-128, min(127, away(f32(point + f32(v * factor)))))
             for v in values], point, scale)


def quantize(x, parts, how):
    """Integers less their zero point of `parts` equal parts; their scales."""
    each = len(x.values) // parts
    steps, scales = [], []
    for i in range(parts):
        part, point, scale = how(x.values[i * each:(i + 1) * each])
        steps += [v - point for v in part]
        scales.append(scale)
    return Array(x.shape, steps), scales


def real(total, scale, weight_scale, bias):
    return f32(f32(total * f32(scale * f32(weight_scale))) + bias)


def conv(x, w, how, weight_scales, bias, stride):
    """SAME padding, then RELU."""
    steps, scales = quantize(x, x.shape[0], how)
    count, h, width, channels = x.shape
    o, kh, kw, _ = w.shape
    result = Array((count, -(-h // stride), -(-width // stride), o))
    top = arithmetic.same_before(h, kh, stride)
    left = arithmetic.same_before(width, kw, stride)
    for n, y, z, k in result.indices():
        total = 0
        for ky, kx, c in itertools.product(range(kh), range(kw),
                                           range(channels)):
            iy, ix = y * stride - top + ky, z * stride - left + kx
            if 0 <= iy < h and 0 <= ix < width:
                total += steps[n, iy, ix, c] * w[k, ky, kx, c]
        scale = weight_scales[k % len(weight_scales)]
        result[n, y, z, k] = max(0.0, real(total, scales[n], scale, bias[k]))
    return result


def images():
    """Ties of the rounding, ends of equal size, all negative, nothing."""
    ties = [127, 0.5, -1.5, 2.5, 0.25, -0.5, 3, 126.5]
    parts = [ties * 6, [v / 64 for v in range(-64, -16)], [0.0] * 48,
             [-1, 1] + [v / 50 for v in range(-23, 23)],
             [v * v / 1000 - 0.3 for v in range(48)]]
    return Array((len(parts), 4, 4, 3), [f32(v) for part in parts for v in part])


def conv_cases(suite):
    x, bias = images(), [0.5, -0.25]
    w = ramp((2, 3, 2, 3), -120, 37, 247)
    for name, scales, how in (("one", [0.01], symmetric),
                              ("same", [0.02, 0.02], symmetric),
                              ("each", [0.01, 0.003], asymmetric)):
        expected = conv(x, w, how, scales, bias, 2)
        lines = ["tensor b float32 2 data=0.5,-0.25",
                 "op CONV_2D x w b -> y stride_w=2 stride_h=2 activation=1"]
        quant = "q=" + ",".join("%.9g" % s for s in scales) + "@0 "
        suite.run("conv-" + name, ["tensor w int8 2x3x2x3 " + quant + data(w)] +
                  lines, x, expected, tolerance=2e-5)
        if name == "one":
            bytes_of = Array(w.shape, [v % 256 for v in w.values])
            suite.run("conv-uint8",
                      ["tensor w uint8 2x3x2x3 " + quant + data(bytes_of)] +
                      lines, x, expected, tolerance=2e-5)


def depthwise_case(suite):
    x, bias = images(), [0.5, -0.25, 0, 1, 2, 3]
    w = ramp((1, 2, 2, 6), -120, 37, 247)
    scales = [0.01, 0.003, 0.02, 0.01, 0.005, 0.1]
    steps, parts = quantize(x, x.shape[0], asymmetric)
    expected = arithmetic.depthwise(steps, w, 2)
    for index in expected.indices():
        n, k = index[0], index[3]
        expected[index] = real(expected[index], parts[n], scales[k], bias[k])
    suite.run("depthwise",
              ["tensor w int8 1x2x2x6 q=%s@3 %s" % (
                  ",".join(map(str, scales)), data(w)),
               "tensor b float32 6 data=0.5,-0.25,0,1,2,3",
               "op DEPTHWISE_CONV_2D x w b -> y padding=1 stride_w=1 "
               "stride_h=1 multiplier=2"], x, expected, tolerance=2e-5)


def product_cases(suite):
    rows = images()
    x = Array((5, 2, 24), rows.values)
    w = ramp((3, 24), -120, 37, 247)
    for name, how in (("symmetric", symmetric), ("asymmetric", asymmetric)):
        steps, scales = quantize(x, 10, how)
        options = " asymmetric=%d" % (how is asymmetric)
        for scale in ([0.01], [0.01, 0.003, 0.02]):
            expected = Array((10, 3))
            for r, o in expected.indices():
                total = sum(steps[r // 2, r % 2, i] * w[o, i]
                            for i in range(24))
                expected[r, o] = real(total, scales[r],
                                      scale[o % len(scale)], o - 1)
            quant = ",".join(map(str, scale)) + "@0 "
            lines = ["tensor w int8 3x24 q=" + quant + data(w),
                     "tensor b float32 3 data=-1,0,1"]
            base = "product-%s-%d" % (name, len(scale))
            call = "op FULLY_CONNECTED x w b -> y" + options
            suite.run(base, lines + [call], x, expected, tolerance=2e-5)
            kept = Array((5, 2, 3), expected.values)
            suite.run(base + "-kept", lines + [call + " keep_num_dims=1"], x,
                      kept, tolerance=2e-5)
        expected = Array((5, 2, 3))
        for n, r, o in expected.indices():
            total = sum(steps[n, r, i] * w[o, i] for i in range(24))
            expected[n, r, o] = real(total, scales[2 * n + r], 0.01, 0)
        turned = Array((5, 24, 2))
        for n, i, r in turned.indices():
            turned[n, i, r] = x[n, r, i]
        weight = "tensor w int8 3x24 q=0.01 " + data(w)
        call = "op BATCH_MATMUL x w -> y adj_y=1" + options
        suite.run("matmul-" + name, [weight, call], x, expected,
                  tolerance=2e-5)
        suite.run("matmul-turned-" + name, [weight, call + " adj_x=1"], turned,
                  expected, tolerance=2e-5)


def main(tool, directory):
    suite = numeric.Suite(tool, directory)
    conv_cases(suite)
    depthwise_case(suite)
    product_cases(suite)
    print("%d cases, %d failures" % (suite.count, suite.failures))
    return suite.failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
