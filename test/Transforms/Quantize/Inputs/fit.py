"""Writes a float network of convolutions whose inputs depend on each other, with
samples: fit.py FOLDER MODULE. One folder of samples is not like the other; in a
third one sample is like no other, in a fourth every second one."""

import math
import os
import struct
import sys


class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 40) / 2**23 - 1


def literal(random, shape, spread):
    """Channels of very different sizes."""
    if not shape:
        return "%.6f" % (random.next() * spread)
    return "[" + ", ".join(
        literal(random, shape[1:], spread * (1 + k % 5) / 3) for k in range(shape[0])) + "]"


def constant(name, random, shape, spread):
    size = "x".join(map(str, shape))
    return (f'  {name} = "tir.const"() {{value = dense<{literal(random, shape, spread)}>'
            f' : tensor<{size}xf32>}} : () -> tensor<{size}xf32>\n')


def network():
    random, text = Random(1), ""
    text += "func.func @main(%x: tensor<1x12x12x3xf32>) -> tensor<1x12x12x20xf32> {\n"
    layers = [("conv2d", (16, 3, 3, 3), "1x12x12x3", "1x12x12x16"),
              ("depthwise-conv2d", (1, 3, 3, 16), "1x12x12x16", "1x12x12x16"),
              ("conv2d", (24, 1, 1, 16), "1x12x12x16", "1x12x12x24"),
              ("conv2d", (20, 3, 3, 12), "1x12x12x24", "1x12x12x20")]
    value = "%x"
    for i, (kind, shape, source, result) in enumerate(layers):
        outputs = shape[0] if kind == "conv2d" else shape[3]
        group = int(source.split("x")[3]) // shape[3] if kind == "conv2d" else 1
        text += constant(f"%w{i}", random, shape, 0.2)
        text += constant(f"%b{i}", random, (outputs,), 0.1)
        pad = "1 : i32" if shape[1] == 3 else "0 : i32"
        text += (f'  %c{i} = "tir.{kind}"({value}, %w{i}, %b{i}) {{kernel = [{shape[1]} : i32, '
                 f'{shape[2]} : i32], stride = [1 : i32, 1 : i32], pad = [{pad}, {pad}, {pad}, '
                 f'{pad}], group = {group} : i32, op_name = "c{i}"}} : (tensor<{source}xf32>, tensor<'
                 f'{"x".join(map(str, shape))}xf32>, tensor<{outputs}xf32>) -> '
                 f'tensor<{result}xf32>\n')
        text += (f'  %r{i} = "tir.relu"(%c{i}) {{op_name = "r{i}"}} : (tensor<{result}xf32>) -> '
                 f'tensor<{result}xf32>\n')
        value = f"%r{i}"
    return text + f"  return {value} : tensor<{result}xf32>\n}}\n"


def samples(seed, count, outliers):
    random, data = Random(seed), b""
    for sample in range(count):
        size = 1000 if sample in outliers else 1
        a, b, c = (3 * random.next() for _ in range(3))
        for y in range(12):
            for x in range(12):
                data += struct.pack("<3f", *(
                    size * (math.sin(a + (0.3 + 0.1 * k) * (x + b * y / 3))
                            + 0.1 * c * random.next()) for k in range(3)))
    return data


folder, module = sys.argv[1:]
with open(module, "w") as file:
    file.write(network())
for name, seed, outliers in (("seen", 2, ()), ("unseen", 3, ()), ("outlier", 2, (5,)),
                             ("halves", 2, range(1, 12, 2))):
    os.makedirs(f"{folder}/{name}")
    with open(f"{folder}/{name}/samples.bin", "wb") as file:
        file.write(samples(seed, 12, outliers))
