"""Writes small TensorFlow graphs from text.

usage: tensorflow.py TEXT GRAPH

One node per line; `#` and `//` begin a comment:

  NAME = Op(INPUT, INPUT:1, ^CONTROL) key=value ...

A value is an integer, a float (has a point or an e), true, false, a word in
quotes, a type (f32, i32, ...), a list [1,2] or ["a","b"], shape(1x?x3),
@FUNCTION, or tensor(TYPE DIMS VALUES) with numbers, `splat N` or `bytes N N`;
DIMS is `-` for a scalar. The nodes between `function NAME(ARG, ARG) ->
RESULT=VALUE` and `end` are those of a function.
"""

import re
import struct
import sys

from onnx import block, number, varint

TYPES = {"f32": (1, "f", 5), "f64": (2, "d", 6), "i32": (3, "i", 7),
         "u8": (4, "B", 7), "i8": (6, "b", 7), "str": (7, None, 8),
         "i64": (9, "q", 10), "bool": (10, "?", 11), "f16": (19, "e", 13)}


def shape(text):
    dims = [] if text in ("-", "") else text.split("x")
    return b"".join(block(2, number(1, -1 if d == "?" else int(d)))
                    for d in dims)


def tensor(text):
    kind, dims, *values = text.split()
    code, letter, field = TYPES[kind]
    out = number(1, code) + block(2, shape(dims))
    if values and values[0] == "bytes":
        items = [float(v) if letter in "fde" else int(v) for v in values[1:]]
        return out + block(4, struct.pack("<%d%s" % (len(items), letter),
                                          *items))
    if values and values[0] == "splat":
        values = values[1:2]
    if not letter:
        return out + b"".join(block(field, v) for v in values)
    if letter in "fd":
        data = b"".join(struct.pack("<" + letter, float(v)) for v in values)
    elif letter == "e":
        data = b"".join(varint(struct.unpack(
            "<H", struct.pack("<e", float(v)))[0]) for v in values)
    else:
        data = b"".join(varint(int(v)) for v in values)
    return out + (block(field, data) if values else b"")


def attribute(text):
    if text.startswith("tensor("):
        return block(8, tensor(text[7:-1]))
    if text.startswith("shape("):
        return block(7, shape(text[6:-1]))
    if text.startswith('"'):
        return block(2, text[1:-1])
    if text.startswith("@"):
        return block(10, block(1, text[1:]))
    if text.startswith('["'):
        return block(1, b"".join(block(2, v.strip('"'))
                                 for v in text[1:-1].split(",")))
    if text.startswith("["):
        items = [int(v) for v in text[1:-1].split(",") if v]
        return block(1, block(3, b"".join(varint(v) for v in items)))
    if text in TYPES:
        return number(6, TYPES[text][0])
    if text in ("true", "false"):
        return number(5, text == "true")
    if re.search(r"[.e]", text):
        return varint(4 << 3 | 5) + struct.pack("<f", float(text))
    return number(3, int(text))


def node(line):
    name, op, inputs, rest = re.match(
        r"(\S+) *= *(\S*?)\((.*?)\)(.*)$", line).groups()
    out = block(1, name) + block(2, op)
    out += b"".join(block(3, i.strip()) for i in inputs.split(",") if i.strip())
    pattern = r'(\w+)=((?:tensor|shape)\([^)]*\)|"[^"]*"|\[[^]]*\]|\S+)'
    for key, value in re.findall(pattern, rest):
        out += block(5, block(1, key) + block(2, attribute(value)))
    return out


def graph(text):
    nodes, functions, inside = b"", b"", None
    for line in text.splitlines():
        line = re.sub(r"(^|\s)(#|//).*", "", line).strip()
        start = re.match(r"function (\w+)\((.*)\) -> (.*)$", line)
        if start:
            name, args, results = start.groups()
            pairs = [r.strip().split("=") for r in results.split(",")]
            signature = block(1, name)
            signature += b"".join(block(2, block(1, a.strip()))
                                  for a in args.split(",") if a.strip())
            signature += b"".join(block(3, block(1, k)) for k, _ in pairs)
            inside = block(1, signature) + b"".join(
                block(4, block(1, k) + block(2, v)) for k, v in pairs)
        elif line == "end":
            functions += block(1, inside)
            inside = None
        elif line and inside is not None:
            inside += block(3, node(line))
        elif line:
            nodes += block(1, node(line))
    return nodes + (block(2, functions) if functions else b"")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        content = graph(file.read())
    with open(sys.argv[2], "wb") as file:
        file.write(content)
