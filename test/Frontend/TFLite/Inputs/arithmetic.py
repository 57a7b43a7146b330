"""What operators of TFLite compute, from their definitions: for numeric.py."""

import itertools
import math
import struct


class Array:
    """Values with a shape; reads as a[i, j, ...]."""

    def __init__(self, shape, values=None):
        self.shape = tuple(shape)
        self.values = values or [0] * math.prod(shape)

    def at(self, index):
        offset = 0
        for i, size in zip(index, self.shape):
            assert 0 <= i < size
            offset = offset * size + i
        return offset

    def __getitem__(self, index):
        return self.values[self.at(index)]

    def __setitem__(self, index, value):
        self.values[self.at(index)] = value

    def indices(self):
        return itertools.product(*map(range, self.shape))


def ramp(shape, low=-9, step=7, modulus=23):
    return Array(shape, [(i * step) % modulus + low
                         for i in range(math.prod(shape))])


def dims(shape):
    return "x".join(map(str, shape)) if shape else "scalar"


def data(array):
    return "data=" + ",".join(map(str, array.values))


def floats(array):
    return "data=" + ",".join("%.1f" % v for v in array.values)


#===----------------------------------------------------------------------===#
# Definitions
#===----------------------------------------------------------------------===#

def same_before(size, kernel, stride):
    needed = (-(-size // stride) - 1) * stride + kernel
    return max(needed - size, 0) // 2


def transpose_conv(x, w, out_shape, stride, same, offset=0):
    """Accumulators: x[b, y, x, i] spreads over w[o, ky, kx, i]."""
    result = Array(out_shape)
    _, kh, kw, _ = w.shape
    sh, sw = stride
    top = same_before(out_shape[1], kh, sh) if same else 0
    left = same_before(out_shape[2], kw, sw) if same else 0
    for b, iy, ix, i in x.indices():
        for o, ky, kx in itertools.product(range(w.shape[0]), range(kh),
                                           range(kw)):
            y, z = iy * sh - top + ky, ix * sw - left + kx
            if 0 <= y < out_shape[1] and 0 <= z < out_shape[2]:
                result[b, y, z, o] += (x[b, iy, ix, i] + offset) * \
                    w[o, ky, kx, i]
    return result


def depthwise(x, w, multiplier):
    b, h, width, c = x.shape
    _, kh, kw, _ = w.shape
    result = Array((b, h - kh + 1, width - kw + 1, c * multiplier))
    for n, y, z, oc in result.indices():
        result[n, y, z, oc] = sum(
            x[n, y + ky, z + kx, oc // multiplier] * w[0, ky, kx, oc]
            for ky in range(kh) for kx in range(kw))
    return result


def space_to_depth(x, block):
    b, h, w, c = x.shape
    result = Array((b, h // block, w // block, c * block * block))
    for n, y, z, k in x.indices():
        result[n, y // block, z // block,
               ((y % block) * block + z % block) * c + k] = x[n, y, z, k]
    return result


def depth_to_space(x, block):
    b, h, w, c = x.shape
    c //= block * block
    result = Array((b, h * block, w * block, c))
    for n, y, z, k in result.indices():
        result[n, y, z, k] = x[n, y // block, z // block,
                               ((y % block) * block + z % block) * c + k]
    return result


def space_to_batch(x, block, pads, fill):
    b, h, w, c = x.shape
    (top, bottom), (left, right) = pads
    bh, bw = block
    result = Array((b * bh * bw, (h + top + bottom) // bh,
                    (w + left + right) // bw, c))
    for n, y, z, k in result.indices():
        group, image = divmod(n, b)
        iy, ix = y * bh + group // bw - top, z * bw + group % bw - left
        inside = 0 <= iy < h and 0 <= ix < w
        result[n, y, z, k] = x[image, iy, ix, k] if inside else fill
    return result


def batch_to_space(x, block, crops):
    n, h, w, c = x.shape
    bh, bw = block
    (top, bottom), (left, right) = crops
    b = n // (bh * bw)
    result = Array((b, h * bh - top - bottom, w * bw - left - right, c))
    for i, y, z, k in result.indices():
        y0, x0 = y + top, z + left
        result[i, y, z, k] = x[((y0 % bh) * bw + x0 % bw) * b + i, y0 // bh,
                               x0 // bw, k]
    return result


def nearest(x, size, corners, half):
    b, h, w, c = x.shape

    def source(i, count, out):
        scale = (count - 1) / (out - 1) if corners and out > 1 else count / out
        value = (i + (0.5 if half else 0.0)) * scale
        index = math.floor(value + 0.5) if corners else math.floor(value)
        return min(index, count - 1)

    result = Array((b, size[0], size[1], c))
    for n, y, z, k in result.indices():
        result[n, y, z, k] = x[n, source(y, h, size[0]),
                               source(z, w, size[1]), k]
    return result


def bilinear(x, size, corners, half):
    b, h, w, c = x.shape

    def taps(i, count, out):
        scale = (count - 1) / (out - 1) if corners and out > 1 else count / out
        v = (i + 0.5) * scale - 0.5 if half else i * scale
        low = max(math.floor(v), 0)
        high = min(math.ceil(v), count - 1)
        return v, low, high

    result = Array((b, size[0], size[1], c))
    for n, y, z, k in result.indices():
        v, y0, y1 = taps(y, h, size[0])
        u, x0, x1 = taps(z, w, size[1])
        result[n, y, z, k] = (
            x[n, y0, x0, k] * (1 - (v - y0)) * (1 - (u - x0)) +
            x[n, y1, x0, k] * (v - y0) * (1 - (u - x0)) +
            x[n, y0, x1, k] * (1 - (v - y0)) * (u - x0) +
            x[n, y1, x1, k] * (v - y0) * (u - x0))
    return result


def truncate(a, b):
    return int(math.copysign(abs(a) // b, a))


def integer_bilinear(x, size, corners, half):
    """Positions with ten fraction bits, one rounding at the end."""
    b, h, w, c = x.shape

    def taps(i, count, out):
        scale = ((count << 10) + out // 2) // out
        if corners and out > 1:
            scale = (((count - 1) << 10) + (out - 1) // 2) // (out - 1)
        v = i * scale + (scale // 2 - 512 if half else 0)
        low = max(truncate(v, 1024), 0)
        high = min(truncate(v + 1023, 1024), count - 1)
        return v, low, high

    result = Array((b, size[0], size[1], c))
    for n, y, z, k in result.indices():
        v, y0, y1 = taps(y, h, size[0])
        u, x0, x1 = taps(z, w, size[1])
        fy, fx = v - 1024 * y0, u - 1024 * x0
        total = (x[n, y0, x0, k] * (1024 - fy) * (1024 - fx) +
                 x[n, y1, x0, k] * fy * (1024 - fx) +
                 x[n, y0, x1, k] * (1024 - fy) * fx +
                 x[n, y1, x1, k] * fy * fx)
        half_unit = 1 << 19 if total > 0 else -(1 << 19)
        result[n, y, z, k] = truncate(total + half_unit, 1 << 20)
    return result


def byte_bilinear(x, size, corners, half):
    """Floats, each operation rounded; half a unit more, without its fraction."""
    b, h, w, c = x.shape

    def taps(i, count, out):
        scale = f32((count - 1) / (out - 1) if corners and out > 1
                    else count / out)
        v = f32(f32((i + 0.5) * scale) - 0.5) if half else f32(i * scale)
        low = max(math.floor(v), 0)
        return f32(v - low), low, min(math.ceil(v), count - 1)

    result = Array((b, size[0], size[1], c))
    for n, y, z, k in result.indices():
        v, y0, y1 = taps(y, h, size[0])
        u, x0, x1 = taps(z, w, size[1])
        total = 0.0
        for row, fy in ((y0, f32(1 - v)), (y1, v)):
            for column, fx in ((x0, f32(1 - u)), (x1, u)):
                total = f32(total + f32(x[n, row, column, k] * f32(fy * fx)))
        result[n, y, z, k] = math.floor(f32(total + 0.5))
    return result


def scaled(accumulator, real):
    """The format's 32-bit multiplier: round half away from zero, twice."""
    fraction, exponent = math.frexp(real)
    multiplier = math.floor(fraction * (1 << 31) + 0.5)
    if multiplier == 1 << 31:
        multiplier, exponent = multiplier // 2, exponent + 1
    value = accumulator << max(exponent, 0)
    product = value * multiplier
    nudge = 1 << 30 if product >= 0 else 1 - (1 << 30)
    high = truncate(product + nudge, 1 << 31)
    right = max(-exponent, 0)
    mask = (1 << right) - 1
    threshold = (mask >> 1) + (high < 0)
    return (high >> right) + ((high & mask) > threshold)


def saturate(value):
    return max(-128, min(127, value))


def requantize(accumulator, real, zero_point):
    return saturate(scaled(accumulator, real) + zero_point)


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def quantized_sum(sign, a, b, out):
    """Pairs are scale and zero point; twenty more bits before the sum."""
    twice = 2 * max(a[0], b[0])

    def compute(x, y):
        total = (scaled((x - a[1]) << 20, a[0] / twice) +
                 sign * scaled((y - b[1]) << 20, b[0] / twice))
        return requantize(total, twice / ((1 << 20) * out[0]), out[1])
    return compute


def quantized_product(a, b, out):
    real = a[0] * b[0] / out[0]
    return lambda x, y: requantize((x - a[1]) * (y - b[1]), real, out[1])


def quantized_prelu(a, b, out):
    def compute(x, y):
        if x >= a[1]:
            return requantize(x - a[1], a[0] / out[0], out[1])
        return requantize((x - a[1]) * (y - b[1]), a[0] * b[0] / out[0], out[1])
    return compute


#===----------------------------------------------------------------------===#
# Running
#===----------------------------------------------------------------------===#
