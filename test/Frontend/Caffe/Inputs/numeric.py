"""Runs one layer at a time and compares it with the same layer in plain loops.

usage: numeric.py DIRECTORY [NAME]
"""

import itertools
import math
import os
import random
import struct
import subprocess
import sys

import caffe


class Array:
    """Floats in row-major order."""

    def __init__(self, dims, values=None, fill=None):
        self.dims = tuple(dims)
        size = math.prod(self.dims)
        self.data = list(values) if values is not None else [0.0] * size
        if fill:
            self.data = [fill(*i) for i in self.indices()]

    def indices(self):
        return itertools.product(*[range(d) for d in self.dims])

    def at(self, *index):
        offset = 0
        for i, d in zip(index, self.dims):
            assert 0 <= i < d
            offset = offset * d + i
        return offset

    def __getitem__(self, index):
        return self.data[self.at(*index)]

    def __setitem__(self, index, value):
        self.data[self.at(*index)] = value

    def get(self, n, c, y, x):
        inside = 0 <= y < self.dims[2] and 0 <= x < self.dims[3]
        return self[n, c, y, x] if inside else 0.0


def noise(dims, seed=0):
    source = random.Random(seed)
    return Array(dims, [struct.unpack("<f", struct.pack("<f", source.uniform(
        -1, 1)))[0] for _ in range(math.prod(dims))])


def each(x, f):
    return Array(x.dims, [f(v) for v in x.data])


def conv(x, w, b, s=1, p=0, d=1, g=1):
    n, c, h, v = x.dims
    o, depth, kh, kw = w.dims
    oh = (h + 2 * p - (d * (kh - 1) + 1)) // s + 1
    ow = (v + 2 * p - (d * (kw - 1) + 1)) // s + 1

    def one(n, m, y, q):
        first = m // (o // g) * depth
        return b.data[m] + sum(
            w[m, i, ky, kx] * x.get(n, first + i, y * s - p + ky * d,
                                    q * s - p + kx * d)
            for i in range(depth) for ky in range(kh) for kx in range(kw))
    return Array((n, o, oh, ow), fill=one)


def deconv(x, w, b, s, p, g=1):
    n, c, h, v = x.dims
    depth, width, kh, kw = w.dims
    out = Array((n, width * g, s * (h - 1) + kh - 2 * p,
                 s * (v - 1) + kw - 2 * p), fill=lambda n, c, y, x: b.data[c])
    for k, i, y, q in x.indices():
        for o, ky, kx in itertools.product(range(width), range(kh), range(kw)):
            at = (k, i // (c // g) * width + o, y * s - p + ky, q * s - p + kx)
            if 0 <= at[2] < out.dims[2] and 0 <= at[3] < out.dims[3]:
                out[at] += x[k, i, y, q] * w[i, o, ky, kx]
    return out


def pool(x, k, s, p, average, down=False):
    n, c, h, w = x.dims
    ph, pw = p if isinstance(p, tuple) else (p, p)

    def count(size, pad):
        free = size + 2 * pad - k
        o = (free // s if down else -(-free // s)) + 1
        return o - 1 if (ph or pw) and (o - 1) * s >= size + pad else o

    def one(n, c, y, q):
        y0, x0 = y * s - ph, q * s - pw
        y1, x1 = min(y0 + k, h + ph), min(x0 + k, w + pw)
        inside = [x[n, c, i, j] for i in range(max(y0, 0), min(y1, h))
                  for j in range(max(x0, 0), min(x1, w))]
        return sum(inside) / ((y1 - y0) * (x1 - x0)) if average else max(inside)
    return Array((n, c, count(h, ph), count(w, pw)), fill=one)


def lrn(x, size, alpha, beta, k, within):
    half = size // 2

    def one(n, c, y, q):
        if within:
            total = sum(x.get(n, c, y + i, q + j) ** 2
                        for i in range(-half, half + 1)
                        for j in range(-half, half + 1))
            return x[n, c, y, q] / (1 + alpha * total / size ** 2) ** beta
        total = sum(x[n, i, y, q] ** 2 for i in range(
            max(c - half, 0), min(c + half + 1, x.dims[1])))
        return x[n, c, y, q] / (k + alpha / size * total) ** beta
    return Array(x.dims, fill=one)


def permuted(x, order):
    def one(*index):
        source = [0] * len(order)
        for i, d in zip(index, order):
            source[d] = i
        return x[tuple(source)]
    return Array([x.dims[d] for d in order], fill=one)


def shaped(x, dims):
    return Array(dims, x.data)


def reorg(x, s, reverse):
    n, c, h, w = x.dims
    t = c // (s * s)
    if reverse:
        out = Array((n, t, h * s, w * s))
        for k, i, y, q in x.indices():
            out[k, i % t, y * s + i // t // s, q * s + i // t % s] = x[k, i, y, q]
        return out
    flat = []
    for i, y, q in itertools.product(range(c), range(h), range(w)):
        o = i // t
        flat.append(x.data[q * s + o % s + w * s * (y * s + o // s + h * s * (
            i % t))])
    return Array((n, c * s * s, h // s, w // s), flat)


def tiled(x, s, reverse):
    n, c, h, w = x.dims
    if reverse:
        small = c // (s * s)
        return Array((n, small, h * s, w * s), fill=lambda n, i, y, q: x[
            n, (y % s * s + q % s) * small + i, y // s, q // s])
    out = Array((n, c * s * s, h // s, w // s))
    for k, i, y, q in x.indices():
        out[k, (y % s * s + q % s) * c + i, y // s, q // s] = x[k, i, y, q]
    return out


def resized(x, h, w, mode):
    n, c, ih, iw = x.dims

    def taps(o, size, out):
        if mode == "corners":
            at = o * (size - 1) / (out - 1)
        else:
            at = min(max((o + 0.5) * size / out - 0.5, 0), size - 1)
        low = min(int(at), size - 1)
        return low, min(low + 1, size - 1), at - low

    def one(n, c, y, q):
        if mode == "nearest":
            return x[n, c, y * ih // h, q * iw // w]
        (a, b, f), (d, e, g) = taps(y, ih, h), taps(q, iw, w)
        return ((x[n, c, a, d] * (1 - g) + x[n, c, a, e] * g) * (1 - f) +
                (x[n, c, b, d] * (1 - g) + x[n, c, b, e] * g) * f)
    return Array((n, c, h, w), fill=one)


def normalized(x, gain, across):
    def one(n, c, y, q):
        if across:
            total = sum(v * v for v in x.data)
        else:
            total = sum(x[n, i, y, q] ** 2 for i in range(x.dims[1]))
        return x[n, c, y, q] / math.sqrt(total + 1e-10) * gain.data[
            c % len(gain.data)]
    return Array(x.dims, fill=one)


def boxes(h, w, image, min_size, max_size, ratios, clip):
    out = []
    for y, x in itertools.product(range(h), range(w)):
        cx, cy = (x + 0.5) * image[1] / w, (y + 0.5) * image[0] / h
        sizes = [(min_size, min_size), (math.sqrt(min_size * max_size),) * 2]
        for r in ratios:
            for q in (r, 1 / r):
                sizes.append((min_size * math.sqrt(q), min_size / math.sqrt(q)))
        for bw, bh in sizes:
            out += [(cx - bw / 2) / image[1], (cy - bh / 2) / image[0],
                    (cx + bw / 2) / image[1], (cy + bh / 2) / image[0]]
    if clip:
        out = [min(max(v, 0.0), 1.0) for v in out]
    return Array((1, 2, len(out)), out + [0.1, 0.1, 0.2, 0.2] * (len(out) // 4))


def softmax(x, axis):
    def one(*index):
        row = [x[tuple(index[:axis]) + (k,) + tuple(index[axis + 1:])]
               for k in range(x.dims[axis])]
        return math.exp(x[index]) / sum(math.exp(v) for v in row)
    return Array(x.dims, fill=one)


def joined(parts, axis):
    dims = list(parts[0].dims)
    dims[axis] = sum(p.dims[axis] for p in parts)

    def one(*index):
        k = index[axis]
        for part in parts:
            if k < part.dims[axis]:
                return part[tuple(index[:axis]) + (k,) + tuple(
                    index[axis + 1:])]
            k -= part.dims[axis]
    return Array(dims, fill=one)


def cut(x, begin, end):
    return Array([e - b for b, e in zip(begin, end)],
                 fill=lambda *i: x[tuple(k + b for k, b in zip(i, begin))])


X = noise((1, 4, 6, 7), 1)
Y = noise((1, 4, 6, 7), 2)
B4, B6 = noise((4,), 3), noise((6,), 4)
POSITIVE = each(B4, lambda v: abs(v) + 0.1)


def scaled(x, a, b):
    return Array(x.dims, fill=lambda n, c, y, q: a(c) * x[n, c, y, q] + b(c))


# name: (type, parameters, blobs, inputs, results)
CASES = {}


def case(name, kind, text, blobs, inputs, *results):
    CASES[name] = (kind, text, blobs, inputs, results)


W = noise((6, 4, 3, 3), 5)
case("conv", "Convolution",
     "convolution_param { num_output: 6 kernel_size: 3 stride: 2 pad: 1 }",
     [W, B6], [X], conv(X, W, B6, 2, 1))
case("conv-dilated", "Convolution",
     "convolution_param { num_output: 6 kernel_size: 3 dilation: 2 pad: 2 "
     "bias_term: false }", [W], [X], conv(X, W, Array((6,)), 1, 2, 2))
W = noise((6, 2, 3, 3), 6)
case("conv-groups", "Convolution",
     "convolution_param { num_output: 6 kernel_size: 3 group: 2 }", [W, B6],
     [X], conv(X, W, B6, g=2))
W = noise((8, 1, 3, 3), 7)
B8 = noise((8,), 8)
case("conv-depthwise", "ConvolutionDepthwise",
     "convolution_param { num_output: 8 kernel_size: 3 pad: 1 group: 4 }",
     [W, B8], [X], conv(X, W, B8, 1, 1, g=4))
W = noise((4, 6, 4, 4), 9)
case("deconv", "Deconvolution",
     "convolution_param { num_output: 6 kernel_size: 4 stride: 2 pad: 1 }",
     [W, B6], [X], deconv(X, W, B6, 2, 1))
W = noise((4, 3, 3, 3), 10)
case("deconv-groups", "Deconvolution",
     "convolution_param { num_output: 6 kernel_size: 3 stride: 2 group: 2 }",
     [W, B6], [X], deconv(X, W, B6, 2, 0, 2))
W = noise((4, 1, 4, 4), 11)
case("deconv-depthwise", "Deconvolution",
     "convolution_param { num_output: 4 kernel_size: 4 stride: 2 pad: 1 group: "
     "4 bias_term: false }", [W], [X], deconv(X, W, Array((4,)), 2, 1, 4))
W = noise((5, 168), 12)
B5 = noise((5,), 13)


def product(x, w, b):
    return Array((1, 5), [b.data[o] + sum(
        w[o, i] * v for i, v in enumerate(x.data)) for o in range(5)])


case("inner-product", "InnerProduct", "inner_product_param { num_output: 5 }",
     [W, B5], [X], product(X, W, B5))
case("inner-product-transposed", "InnerProduct",
     "inner_product_param { num_output: 5 transpose: true }",
     [permuted(W, (1, 0)), B5], [X], product(X, W, B5))
for k, s, p, down in ((3, 2, 0, 0), (3, 2, 1, 0), (2, 2, 1, 0), (3, 3, 1, 1)):
    for word in ("MAX", "AVE"):
        case("pool-%s-%d%d%d" % (word, k, s, p), "Pooling",
             "pooling_param { pool: %s kernel_size: %d stride: %d pad: %d %s }"
             % (word, k, s, p, "round_mode: FLOOR" if down else ""), [], [X],
             pool(X, k, s, p, word == "AVE", down))
for word in ("MAX", "AVE"):
    for name, pads in (("rows", (1, 0)), ("columns", (0, 1))):
        case("pool-%s-%s" % (word, name), "Pooling",
             "pooling_param { pool: %s kernel_size: 2 stride: 3 pad_h: %d "
             "pad_w: %d }" % ((word,) + pads), [], [X],
             pool(X, 2, 3, pads, word == "AVE"))
case("pool-global", "Pooling",
     "pooling_param { pool: AVE global_pooling: true }", [], [X],
     Array((1, 4, 1, 1), [sum(X.data[c * 42:c * 42 + 42]) / 42
                          for c in range(4)]))
case("relu", "ReLU", "relu_param { negative_slope: 0.25 }", [], [X],
     each(X, lambda v: v if v > 0 else v / 4))
case("prelu", "PReLU", "", [B4], [X], Array(
    X.dims, fill=lambda n, c, y, q: X[n, c, y, q] * (
        1 if X[n, c, y, q] > 0 else B4.data[c])))
case("prelu-shared", "PReLU", "prelu_param { channel_shared: true }",
     [Array((1,), [0.5])], [X], each(X, lambda v: v if v > 0 else v / 2))
case("elu", "ELU", "elu_param { alpha: 0.5 }", [], [X],
     each(X, lambda v: v if v > 0 else 0.5 * (math.exp(v) - 1)))
case("power", "Power", "power_param { power: 2 scale: 0.5 shift: 1 }", [], [X],
     each(X, lambda v: (1 + v / 2) ** 2))
case("power-3", "Power", "power_param { power: 3 shift: 2 }", [], [X],
     each(X, lambda v: (v + 2) ** 3))
case("exp", "Exp", "exp_param { base: 2 scale: 3 shift: 1 }", [], [X],
     each(X, lambda v: 2 ** (1 + 3 * v)))
case("log", "Log", "log_param { base: 10 shift: 3 }", [], [X],
     each(X, lambda v: math.log10(v + 3)))
case("bnll", "BNLL", "", [], [X], each(X, lambda v: math.log(1 + math.exp(v))))
case("absval", "AbsVal", "", [], [X], each(X, abs))
case("sigmoid", "Sigmoid", "", [], [X],
     each(X, lambda v: 1 / (1 + math.exp(-v))))
case("tanh", "TanH", "", [], [X], each(X, math.tanh))
case("clip", "Clip", "clip_param { min: -0.5 max: 0.25 }", [], [X],
     each(X, lambda v: min(max(v, -0.5), 0.25)))
case("swish", "Swish", "swish_param { beta: 2 }", [], [X],
     each(X, lambda v: v / (1 + math.exp(-2 * v))))
case("softmax", "Softmax", "", [], [X], softmax(X, 1))
case("softmax-width", "Softmax", "softmax_param { axis: -1 }", [], [X],
     softmax(X, 3))
case("eltwise-sum", "Eltwise", "eltwise_param { coeff: 0.5 coeff: -1 }", [],
     [X, Y], Array(X.dims, [a / 2 - b for a, b in zip(X.data, Y.data)]))
case("eltwise-prod", "Eltwise", "eltwise_param { operation: PROD }", [],
     [X, Y, X], Array(X.dims, [a * b * a for a, b in zip(X.data, Y.data)]))
case("eltwise-max", "Eltwise", "eltwise_param { operation: 2 }", [], [X, Y],
     Array(X.dims, [max(a, b) for a, b in zip(X.data, Y.data)]))
FACTOR = Array((1,), [2.0])
case("batch-norm", "BatchNorm", "batch_norm_param { eps: 0.01 }",
     [B4, POSITIVE, FACTOR], [X], scaled(
         X, lambda c: 1 / math.sqrt(POSITIVE.data[c] / 2 + 0.01),
         lambda c: -B4.data[c] / 2 / math.sqrt(POSITIVE.data[c] / 2 + 0.01)))
GAMMA, BETA = noise((1, 4, 1, 1), 14), noise((1, 4, 1, 1), 15)
case("batch-norm-affine", "BatchNorm", "batch_norm_param { eps: 0.01 }",
     [GAMMA, BETA, B4, POSITIVE, FACTOR], [X], scaled(
         X, lambda c: GAMMA.data[c] / math.sqrt(POSITIVE.data[c] + 0.01),
         lambda c: BETA.data[c] - GAMMA.data[c] * B4.data[c] / math.sqrt(
             POSITIVE.data[c] + 0.01)))
case("scale", "Scale", "scale_param { bias_term: true }", [B4, POSITIVE], [X],
     scaled(X, lambda c: B4.data[c], lambda c: POSITIVE.data[c]))
ROWS = noise((4, 6), 16)
case("scale-axes", "Scale", "scale_param { num_axes: 2 }", [ROWS], [X], Array(
    X.dims, fill=lambda n, c, y, q: X[n, c, y, q] * ROWS[c, y]))
GATE = noise((1, 4), 17)
case("scale-bottoms", "Scale", "scale_param { axis: 0 }", [], [X, GATE],
     scaled(X, lambda c: GATE.data[c], lambda c: 0))
for name, dims in (("axpy", (1, 4, 1, 1)), ("axpy-flat", (1, 4))):
    case(name, "Axpy", "", [], [Array(dims, GATE.data), X, Y], Array(
        X.dims, fill=lambda n, c, y, q:
        GATE.data[c] * X[n, c, y, q] + Y[n, c, y, q]))
case("bias", "Bias", "", [B4], [X],
     scaled(X, lambda c: 1, lambda c: B4.data[c]))
case("lrn", "LRN", "lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 k: 2 }", [],
     [X], lrn(X, 3, 0.5, 0.75, 2, False))
case("lrn-within", "LRN", "lrn_param { local_size: 3 alpha: 0.5 norm_region: "
     "WITHIN_CHANNEL }", [], [X], lrn(X, 3, 0.5, 0.75, 1, True))
case("normalize", "Normalize",
     "norm_param { across_spatial: false channel_shared: false }", [B4], [X],
     normalized(X, B4, False))
case("normalize-across", "Normalize", "", [FACTOR], [X],
     normalized(X, FACTOR, True))
case("reduction", "Reduction",
     "reduction_param { operation: SUMSQ axis: 2 coeff: 0.5 }", [], [X],
     Array((1, 4), [sum(v * v for v in X.data[c * 42:c * 42 + 42]) / 2
                    for c in range(4)]))
case("argmax", "ArgMax", "argmax_param { axis: 1 }", [], [X], Array(
    (1, 1, 6, 7), fill=lambda n, c, y, q: float(max(
        range(4), key=lambda k: X[n, k, y, q]))))
case("concat", "Concat", "concat_param { axis: 1 }", [], [X, Y, X],
     joined([X, Y, X], 1))
case("concat-many", "Concat", "concat_param { axis: -2 }", [], [X] * 18,
     joined([X] * 18, 2))
case("slice", "Slice", "slice_param { slice_point: 1 slice_point: 3 }", [],
     [X], cut(X, (0, 0, 0, 0), (1, 1, 6, 7)), cut(X, (0, 1, 0, 0), (1, 3, 6, 7)),
     cut(X, (0, 3, 0, 0), (1, 4, 6, 7)))
case("slice-equal", "Slice", "slice_param { axis: 2 }", [], [X],
     cut(X, (0, 0, 0, 0), (1, 4, 3, 7)), cut(X, (0, 0, 3, 0), (1, 4, 6, 7)))
SMALL = noise((1, 9, 4, 5), 18)
case("crop", "Crop", "crop_param { offset: 1 offset: 2 }", [], [X, SMALL],
     cut(X, (0, 0, 1, 2), (1, 4, 5, 7)))
case("flatten", "Flatten", "flatten_param { axis: 2 }", [], [X],
     shaped(X, (1, 4, 42)))
case("reshape", "Reshape", "reshape_param { shape { dim: 0 dim: 2 dim: -1 } "
     "axis: 0 num_axes: 3 }", [], [X], shaped(X, (1, 2, 12, 7)))
case("permute", "Permute", "permute_param { order: 0 order: 3 order: 1 }", [],
     [X], permuted(X, (0, 3, 1, 2)))
case("tile", "Tile", "tile_param { tiles: 3 }", [], [X], joined([X] * 3, 1))
case("shuffle", "ShuffleChannel", "shuffle_channel_param { group: 2 }", [],
     [X], Array(X.dims, fill=lambda n, c, y, q: X[n, c % 2 * 2 + c // 2, y, q]))
Z = noise((1, 8, 4, 6), 19)
case("reorg", "Reorg", "reorg_param { stride: 2 }", [], [Z],
     reorg(Z, 2, False))
case("reorg-reverse", "Reorg", "reorg_param { stride: 2 reverse: true }", [],
     [Z], reorg(Z, 2, True))
case("gs-tiling", "GSTiling", "gs_tiling_param { stride: 2 }", [], [Z],
     tiled(Z, 2, False))
case("gs-tiling-reverse", "GSTiling",
     "gs_tiling_param { stride: 2 reverse: true }", [], [Z], tiled(Z, 2, True))
case("tiling", "Tiling", "tiling_param { tile_dim: 2 }", [], [Z], Array(
    (1, 2, 8, 12), fill=lambda n, c, y, q: Z[
        n, c * 4 + y % 2 * 2 + q % 2, y // 2, q // 2]))
case("deephi-resize", "DeephiResize",
     "deephi_resize_param { scale_h: 2 scale_w: 1.5 }", [], [X],
     resized(X, 12, 10, "nearest"))
case("deephi-bilinear", "DeephiResize",
     "deephi_resize_param { resize_type: BILINEAR new_height: 9 new_width: 14 "
     "}", [], [X], resized(X, 9, 14, "half"))
case("upsample", "Upsample", "upsample_param { scale: 2 }", [], [X],
     resized(X, 12, 14, "nearest"))
case("interp", "Interp", "interp_param { zoom_factor: 2 }", [], [X],
     resized(X, 11, 13, "corners"))
IMAGE = noise((1, 3, 30, 40), 20)
case("prior-box", "PriorBox",
     "prior_box_param { min_size: 8 max_size: 12 aspect_ratio: 2 clip: true "
     "variance: 0.1 variance: 0.1 variance: 0.2 variance: 0.2 }", [],
     [X, IMAGE], boxes(6, 7, (30, 40), 8.0, 12.0, [2.0], True))
case("dropout", "Dropout", "dropout_param { dropout_ratio: 0.5 }", [], [X], X)
case("split", "Split", "", [], [X], X, X)


def write(path, array):
    with open(path, "wb") as file:
        file.write(struct.pack("<%df" % len(array.data), *array.data))


def run(name, folder):
    kind, text, blobs, inputs, results = CASES[name]
    base = os.path.join(folder, name)
    with open(base + ".prototxt", "w") as file:
        for i, x in enumerate(inputs):
            dims = " ".join("dim: %d" % d for d in x.dims)
            file.write('layer { name: "x%d" type: "Input" top: "x%d" input_param '
                       "{ shape { %s } } }\n" % (i, i, dims))
            write("%s.x%d.bin" % (base, i), x)
        bottoms = " ".join('bottom: "x%d"' % i for i in range(len(inputs)))
        tops = " ".join('top: "y%d"' % i for i in range(len(results)))
        file.write('layer { name: "layer" type: "%s" %s %s %s }\n' %
                   (kind, bottoms, tops, text))
    with open(base + ".caffemodel", "wb") as file:
        file.write(caffe.layer("layer", kind, [
            caffe.blob(b.dims, b.data) for b in blobs], []))
    command = ["xc-run", "-p", base + ".prototxt", "-c", base + ".caffemodel",
               "--quiet"]
    for i in range(len(inputs)):
        command += ["--input", "x%d=%s.x%d.bin" % (i, base, i)]
    for i in range(len(results)):
        command += ["--output", "y%d=%s.y%d.bin" % (i, base, i)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    for i, expected in enumerate(results):
        with open("%s.y%d.bin" % (base, i), "rb") as file:
            data = file.read()
        found = struct.unpack("<%df" % (len(data) // 4), data)
        if len(found) != len(expected.data):
            return "%d elements, expected %d" % (len(found), len(expected.data))
        worst = max(abs(a - b) for a, b in zip(found, expected.data))
        largest = max(abs(b) for b in expected.data)
        if not worst <= 1e-5 * max(largest, 1):
            return "differs by %g at values up to %g" % (worst, largest)
    return None


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    names = sys.argv[2:] or list(CASES)
    failed = 0
    for name in names:
        why = run(name, sys.argv[1])
        if why:
            failed += 1
            print("%s: %s" % (name, why))
    print("%d of %d layers as expected" % (len(names) - failed, len(names)))
    sys.exit(failed != 0)
