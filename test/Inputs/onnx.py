"""Writes small ONNX models from text, so that tests show what they import.

usage: onnx.py TEXT MODEL
One statement per line; `#` and `//` begin a comment:

  ir 8 | opset 13 [domain] | graph NAME | external FILE
  input NAME TYPE DIMS      DIMS: 1x3xN, `-` for a scalar, `?` for no shape
  output NAME TYPE DIMS
  value NAME TYPE DIMS      what a value between is declared as
  untyped NAME              an input that is no tensor
  init NAME TYPE DIMS VALUES          raw bytes
  typed NAME TYPE DIMS VALUES         the typed list of the element type
  extern NAME TYPE DIMS FILE OFFSET   bytes in another file
  node Op[@domain[:overload]] in,in -> out,out [name=NAME] [attribute=VALUE ...]

  subgraph NAME                       statements up to `end` are a graph
  function Op@domain[:overload] in,in -> out,out [attribute[=DEFAULT] ...]
                                      nodes and opsets up to `end` are a function

VALUES: numbers, `splat N` or `iota`. An attribute is an integer, a float (has
a point or an e), a list in brackets, of words too, a word in quotes,
tensor(TYPE DIMS VALUES), graph(NAME), a subgraph that comes before, or in a
function ref(KIND,NAME), the function's attribute of that name, which is a float,
int, string, tensor, floats, ints or strings. `_` is an absent input or output.
"""

import re
import struct
import sys

TYPES = {
    "f32": (1, "f", 4), "u8": (2, "B", 5), "i8": (3, "b", 5),
    "u16": (4, "H", 5), "i16": (5, "h", 5), "i32": (6, "i", 5),
    "i64": (7, "q", 7), "str": (8, None, 6), "bool": (9, "?", 5),
    "f16": (10, "e", 5), "f64": (11, "d", 10), "u32": (12, "I", 11),
    "u64": (13, "Q", 11),
}

ATTRIBUTE_TYPES = {"float": 1, "int": 2, "string": 3, "tensor": 4, "floats": 6,
                   "ints": 7, "strings": 8}

VALUE_INFOS = {"input": 11, "output": 12, "value": 13}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, data):
    if isinstance(data, str):
        data = data.encode()
    return varint(field << 3 | 2) + varint(len(data)) + data


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def dims_of(text):
    return [] if text == "-" else [int(d) for d in text.split("x")]


def values_of(kind, dims, words):
    count = 1
    for d in dims:
        count *= d
    if words[:1] == ["iota"]:
        words = list(range(count))
    elif words[:1] == ["splat"]:
        words = words[1:] * count
    # Large integers are no floats.
    convert = float if kind[0] == "f" else lambda v: (
        int(v) if re.fullmatch(r"-?\d+", str(v)) else int(float(v)))
    return [convert(v) for v in words]


def tensor(name, kind, dims, words, typed=False):
    code, form, field = TYPES[kind]
    dims = dims_of(dims)
    values = values_of(kind, dims, words)
    out = b"".join(number(1, d) for d in dims) + number(2, code)
    if name:
        out += block(8, name)
    if not typed:
        return out + block(9, b"".join(struct.pack("<" + form, v) for v in values))
    if kind == "f16":
        values = [struct.unpack("<H", struct.pack("<e", v))[0] for v in values]
    if kind in ("f32", "f64"):
        data = b"".join(struct.pack("<" + form, v) for v in values)
        field = 4 if kind == "f32" else 10
    else:
        data = b"".join(varint(v) for v in values)
    return out + block(field, data)


def extern(name, kind, dims, path, offset):
    count = struct.calcsize(TYPES[kind][1])
    for d in dims_of(dims):
        count *= d
    out = b"".join(number(1, d) for d in dims_of(dims))
    out += number(2, TYPES[kind][0]) + block(8, name)
    for key, value in (("location", path), ("offset", offset), ("length", str(count))):
        out += block(13, block(1, key) + block(2, value))
    return out + number(14, 1)


def value_info(name, kind, dims):
    shape = b""
    if dims != "?":
        entries = [] if dims == "-" else dims.split("x")
        shape = block(2, b"".join(
            block(1, number(1, int(d)) if re.fullmatch(r"-?\d+", d) else
                  block(2, d) if d != "*" else b"") for d in entries))
    tensor_type = number(1, TYPES[kind][0]) + shape
    return block(1, name) + block(2, block(1, tensor_type))


def attribute(name, text, graphs):
    out = block(1, name)
    if text.startswith("graph("):
        return out + block(6, graphs[text[6:-1]]) + number(20, 5)
    if text.startswith("ref("):
        kind, referred = text[4:-1].split(",")
        return out + block(21, referred) + number(20, ATTRIBUTE_TYPES[kind])
    if text.startswith("tensor("):
        words = text[7:-1].split()
        return out + block(5, tensor("", words[0], words[1], words[2:])) + number(20, 4)
    if text.startswith('"'):
        return out + block(4, text[1:-1]) + number(20, 3)
    if text.startswith("["):
        items = [t for t in text[1:-1].split(",") if t]
        if text.startswith('["'):
            return out + b"".join(block(9, t[1:-1]) for t in items) + number(20, 8)
        if any("." in t or "e" in t for t in items):
            return out + b"".join(real(7, float(t)) for t in items) + number(20, 6)
        return out + b"".join(number(8, int(t)) for t in items) + number(20, 7)
    if "." in text or "e" in text:
        return out + real(2, float(text)) + number(20, 1)
    return out + number(3, int(text)) + number(20, 2)


def signature(rest):
    """Operator, domain, overload, inputs, and what comes after the arrow."""
    head, tail = rest.split("->", 1)
    op, inputs = (head.split(None, 1) + [""])[:2]
    words = re.findall(r'\w+=tensor\([^)]*\)|\w+="[^"]*"|\S+', tail)
    op, _, domain = op.partition("@")
    domain, _, overload = domain.partition(":")
    return op, domain, overload, inputs, words


def node(rest, graphs):
    op, domain, overload, inputs, words = signature(rest)
    out = block(8, overload) if overload else b""
    for field, names in ((1, inputs.strip()), (2, words[0])):
        for name in names.split(",") if names else []:
            out += block(field, "" if name == "_" else name)
    for word in words[1:]:
        key, value = word.split("=", 1)
        out += block(3, value) if key == "name" else block(
            5, attribute(key, value, graphs))
    return out + block(4, op) + (block(7, domain) if domain else b"")


def opsets(field, sets):
    return b"".join(block(field, (block(1, domain) if domain else b"") +
                          number(2, version)) for domain, version in sets)


def function(rest, body, sets):
    """A function of that signature; `body` has its nodes as a graph's."""
    op, domain, overload, inputs, words = signature(rest)
    out = block(1, op) + block(10, domain)
    out += block(13, overload) if overload else b""
    for field, names in ((4, inputs.strip()), (5, words[0])):
        out += b"".join(block(field, n) for n in names.split(",") if n)
    for word in words[1:]:
        key, equals, value = word.partition("=")
        out += block(11, attribute(key, value, {})) if equals else block(6, key)
    # Nodes have number 1 in a graph and 7 in a function.
    return out + body + opsets(9, sets or [("", 13)])


def model(text):
    ir, name, sets, graph = 8, "g", [], b""
    graphs, around, functions, own = {}, [], b"", None
    nodes = 1 # the number of their field
    for line in text.splitlines():
        line = re.split("#|//", line)[0].strip()
        if not line:
            continue
        key, rest = (line.split(None, 1) + [""])[:2]
        words = rest.split()
        if key == "ir":
            ir = int(rest)
        elif key == "opset":
            (sets if own is None else own).append(
                (words[1] if len(words) > 1 else "", int(words[0])))
        elif key == "graph":
            name = rest
        elif key in VALUE_INFOS:
            graph += block(VALUE_INFOS[key], value_info(*words))
        elif key == "untyped":
            graph += block(11, block(1, rest))
        elif key in ("init", "typed"):
            graph += block(5, tensor(words[0], words[1], words[2], words[3:],
                                     key == "typed"))
        elif key == "extern":
            graph += block(5, extern(*words))
        elif key == "node":
            graph += block(nodes, node(rest, graphs))
        elif key == "subgraph":
            around.append((graph, rest, nodes))
            graph, nodes = b"", 1
        elif key == "function":
            around.append((graph, rest, nodes))
            graph, nodes, own = b"", 7, []
        elif key == "end":
            inner, is_function = graph, nodes == 7
            graph, inner_name, nodes = around.pop()
            if is_function:
                functions += block(25, function(inner_name, inner, own))
                own = None
            else:
                graphs[inner_name] = block(2, inner_name) + inner
        else:
            sys.exit("unknown statement: " + line)
    out = number(1, ir) + block(7, block(2, name) + graph)
    return out + opsets(8, sets or [("", 13)]) + functions


if __name__ == "__main__":
    with open(sys.argv[1]) as source:
        content = model(source.read())
    with open(sys.argv[2], "wb") as target:
        target.write(content)
