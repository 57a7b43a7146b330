"""Convolutions and pools over depth, height and width, from their definitions.

Tensors are lists in row-major order beside their shapes, [N, D, H, W, C].
"""

import itertools
import math


def strides(shape):
    result = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        result[i - 1] = result[i] * shape[i]
    return result


def place(shape, index):
    return sum(i * s for i, s in zip(index, strides(shape)))


def out_size(size, kernel, stride, dilation, same):
    reach = (kernel - 1) * dilation + 1
    return -(-size // stride) if same else (size - reach) // stride + 1


def before(size, kernel, stride, dilation, same):
    """The padding before the first element."""
    if not same:
        return 0
    reach = (kernel - 1) * dilation + 1
    return max((-(-size // stride) - 1) * stride + reach - size, 0) // 2


def taps(image, result, kernel, stride, dilation, same):
    """Pairs of a position of the result of a convolution with the position of
    the image and of the kernel that meet there."""
    pads = [before(image[i], kernel[i], stride[i], dilation[i], same)
            for i in range(3)]
    for at in itertools.product(*map(range, result)):
        for k in itertools.product(*map(range, kernel)):
            x = [at[i] * stride[i] - pads[i] + k[i] * dilation[i]
                 for i in range(3)]
            if all(0 <= x[i] < image[i] for i in range(3)):
                yield at, tuple(x), k


def conv3d(x, shape, w, kernel, stride, dilation, same):
    """kernel is [D, H, W, C, O]; gives the result and its shape."""
    size = [out_size(shape[1 + i], kernel[i], stride[i], dilation[i], same)
            for i in range(3)]
    out = [shape[0]] + size + [kernel[4]]
    y = [0] * math.prod(out)
    for at, pixel, k in taps(shape[1:4], size, kernel[:3], stride, dilation,
                             same):
        for n, c, o in itertools.product(range(shape[0]), *map(range,
                                                               kernel[3:])):
            y[place(out, (n,) + at + (o,))] += (
                x[place(shape, (n,) + pixel + (c,))] *
                w[place(kernel, k + (c, o))])
    return y, out


def transposed3d(x, shape, w, kernel, stride, out, same):
    """kernel is [D, H, W, O, C]: each element spreads over it."""
    y = [0] * math.prod(out)
    for at, pixel, k in taps(out[1:4], shape[1:4], kernel[:3], stride,
                             (1, 1, 1), same):
        for n, o, c in itertools.product(range(shape[0]), *map(range,
                                                               kernel[3:])):
            y[place(out, (n,) + pixel + (o,))] += (
                x[place(shape, (n,) + at + (c,))] * w[place(kernel, k + (o, c))])
    return y


def pool3d(x, shape, kernel, stride, same, is_max):
    """Averages leave the padding out."""
    size = [out_size(shape[1 + i], kernel[i], stride[i], 1, same)
            for i in range(3)]
    out = [shape[0]] + size + [shape[4]]
    seen = [[] for _ in range(math.prod(out))]
    for at, pixel, _ in taps(shape[1:4], size, kernel, stride, (1, 1, 1), same):
        for n, c in itertools.product(range(shape[0]), range(shape[4])):
            seen[place(out, (n,) + at + (c,))].append(
                x[place(shape, (n,) + pixel + (c,))])
    return [max(s) if is_max else sum(s) / len(s) for s in seen], out
