"""Writes small caffemodels from comments in a prototxt.

usage: caffe.py NET.prototxt NET.caffemodel

  # blob LAYER DIMS VALUES [half | double | old]
  # fix LAYER NUMBERS           fix_info: pairs of bit width and fix point
  # format LAYER N              the format of the blobs that follow
  # v1                          the layers are written as in 2013

VALUES: numbers with commas, `splat:N` or `iota`; `old` has num, channels,
height and width in place of a shape, `half` and `double` raw or wide elements.
"""

import re
import struct
import sys

from onnx import block, number, varint


def floats(text, count):
    if text == "iota":
        return [float(i) for i in range(count)]
    if text.startswith("splat:"):
        return [float(text[6:])] * count
    return [float(v) for v in text.split(",")]


def blob(dims, values, kind="", form=None):
    """A BlobProto."""
    if kind == "old":
        four = [1] * (4 - len(dims)) + list(dims)
        out = b"".join(number(i + 1, d) for i, d in enumerate(four))
    else:
        out = block(7, block(1, b"".join(varint(d) for d in dims)))
    if kind == "half":
        out += number(10, 2)
        out += block(12, struct.pack("<%de" % len(values), *values))
    elif kind == "double":
        out += block(8, struct.pack("<%dd" % len(values), *values))
    else:
        out += block(5, struct.pack("<%df" % len(values), *values))
    return out if form is None else out + number(12, form)


def layer(name, kind, blobs, info, is_v1=False):
    """A layer as a field of NetParameter."""
    if is_v1:
        body = block(4, name) + b"".join(block(6, b) for b in blobs)
        return block(2, body)
    body = block(1, name) + block(2, kind)
    body += b"".join(block(7, b) for b in blobs)
    if info:
        body += block(1100, number(3, 8) + b"".join(number(5, n) for n in info))
    return block(100, body)


def model(text):
    layers, forms, is_v1 = {}, {}, False
    for line in re.findall(r"^# (blob|fix|format|v1)\b(.*)$", text, re.M):
        word, rest = line[0], line[1].split()
        if word == "v1":
            is_v1 = True
            continue
        blobs, info = layers.setdefault(rest[0], ([], []))
        if word == "fix":
            info += [int(n) for n in rest[1:]]
        elif word == "format":
            forms[rest[0]] = int(rest[1])
        else:
            dims = [int(d) for d in rest[1].split("x")] if rest[1] != "-" else []
            count = 1
            for d in dims:
                count *= d
            blobs.append(blob(dims, floats(rest[2], count),
                              rest[3] if len(rest) > 3 else "",
                              forms.get(rest[0])))
    return block(1, "net") + b"".join(
        layer(name, "Layer", *row, is_v1) for name, row in layers.items())


if __name__ == "__main__":
    with open(sys.argv[1], encoding="latin-1") as file:
        content = model(file.read())
    with open(sys.argv[2], "wb") as file:
        file.write(content)
