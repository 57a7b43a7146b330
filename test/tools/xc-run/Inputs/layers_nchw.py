"""layers_nchw.py LAYERS DUMP: every NCHW tensor of a layers.json, among the
tensors that xc-run --dump-tensors wrote in NHWC, in the order of execution."""

import json
import pathlib
import struct
import sys

layers, dump = map(pathlib.Path, sys.argv[1:3])


def npy(path):
    data = path.read_bytes()
    length = struct.unpack_from("<H", data, 8)[0]
    return data[10 + length :]


def to_nchw(data, n, c, h, w):
    plane = h * w
    out = bytearray(len(data))
    for image in range(n):
        base = image * plane * c
        for channel in range(c):
            start = base + channel * plane
            out[start : start + plane] = data[base + channel : base + plane * c : c]
    return bytes(out)


index = json.loads((dump / "index.json").read_text())
found = []
for entry in index:
    dims = entry["type"].split("x")
    if dims[-1] != "i8":
        continue
    data = npy(dump / entry["file"])
    found.append(data)
    if len(dims) == 5:
        n, h, w, c = map(int, dims[:4])
        found.append(to_nchw(data, n, c, h, w))

equal = 0
for layer in json.loads((layers / "layers.json").read_text()):
    if (layers / layer["file"]).read_bytes() in found:
        equal += 1
    else:
        print("not found:", layer["tensor"], layer["producer"], layer["shape"])
print(equal, "layers equal")
