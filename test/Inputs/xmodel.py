"""Reads xmodels by the field numbers of protobuf, with no code of xc.

read(path) gives a Graph: operators by name, in the order of the file, and the
tree of subgraphs. Attributes are Python values: numbers, strings, bytes, lists
and dictionaries.
"""

import collections
import pathlib
import struct

Graph = collections.namedtuple("Graph", "attrs ops root")
Op = collections.namedtuple("Op", "name type attrs args tensor")
Tensor = collections.namedtuple("Tensor", "name dims type width attrs")
Subgraph = collections.namedtuple("Subgraph", "name ops attrs children")

NODES, ROOT, ATTRS = 5, 10, 11  # fields of the graph


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Lists of what each field number holds."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        found[key >> 3].append(value)
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def numbers(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(signed(value))
    return values


def packed(code):
    size = struct.calcsize(code)
    return lambda data: [v for (v,) in struct.iter_unpack("<" + code, data)] \
        if len(data) % size == 0 else None


def first(message, number, default=b""):
    return message[number][0] if message[number] else default


def text(message, number):
    return first(message, number).decode()


def mapped(value):
    return lambda data: {text(e, 1): value(e)
                         for e in map(fields, fields(data)[1])}


SCALARS = {4: bool, 5: signed, 6: int, 7: signed, 8: int,
           9: lambda v: struct.unpack("<f", v)[0],
           10: lambda v: struct.unpack("<d", v)[0],
           11: bytes.decode, 12: lambda v: first(fields(v), 1)}
LISTS = {13: numbers, 14: numbers, 15: numbers, 16: numbers, 17: numbers,
         18: packed("f"), 19: packed("d")}


def attribute(data):
    [(number, [value])] = fields(data).items()
    if number in SCALARS:
        return SCALARS[number](value)
    if number in LISTS:
        return LISTS[number](first(fields(value), 1))
    if number == 20:
        return [v.decode() for v in fields(value)[1]]
    if 22 <= number <= 25:
        return mapped(lambda e: signed(first(e, 2, 0)))(value)
    if number == 26:
        return mapped(lambda e: text(e, 2))(value)
    if number == 27:
        return mapped(lambda e: first(fields(first(e, 2)), 1))(value)
    return value  # nothing here reads it


def attributes(message, number):
    return {text(e, 1): attribute(first(e, 2))
            for e in map(fields, message[number])}


def tensor(data):
    m = fields(data)
    dims = [d for value in m[2]
            for d in ([value] if isinstance(value, int) else numbers(value))]
    return Tensor(text(m, 1), dims, first(m, 5, 0), first(m, 6, 0),
                  attributes(m, 10))


def operator(data):
    m = fields(data)
    args = {text(a, 1): [o.decode() for o in a[2]] for a in map(fields, m[4])}
    return Op(text(m, 1), text(m, 2), attributes(m, 3), args,
              tensor(m[5][0]) if m[5] else None)


def subgraph(data):
    m = fields(data)
    return Subgraph(text(m, 1), [o.decode() for o in m[3]], attributes(m, 5),
                    [subgraph(c) for c in m[10]])


def read(path):
    m = fields(pathlib.Path(path).read_bytes())
    ops = [operator(o) for o in m[NODES]]
    return Graph(attributes(m, ATTRS), {o.name: o for o in ops},
                 subgraph(m[ROOT][0]) if m[ROOT] else None)


def names(tree):
    """Of the operators of a subgraph and of all below it."""
    return list(dict.fromkeys(tree.ops + sum(map(names, tree.children), [])))
