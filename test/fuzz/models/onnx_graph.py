"""What random ONNX models are made with: values, random choices, statements.

Statements are those of test/Inputs/onnx.py.
"""

import random
import struct

FORMS = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "u8": "B", "i16": "h",
         "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q",
         "bool": "B"}
BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32,
        "i64": 64, "u64": 64}
FLOATS = ("f32", "f16", "f64")
NUMBERS = ("f32", "f64", "i32", "i64")
SIGNED = ("f32", "f64", "i8", "i16", "i32", "i64")
ALL = tuple(FORMS)
# Numbers of the types in files.
CODES = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7,
         "bool": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13}


def limits(kind):
    bits = BITS[kind]
    return (0, 2 ** bits - 1) if kind[0] == "u" else (
        -2 ** (bits - 1), 2 ** (bits - 1) - 1)


class Value:
    def __init__(self, name, kind, dims):
        self.name, self.kind, self.dims = name, kind, list(dims)


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.inputs, self.count = [], [], 0
        self.opset = self.r.randint(7, 21)
        self.domains = set()

    # Choices

    def pick(self, *items):
        return self.r.choice(items)

    def often(self, chance=0.5):
        return self.r.random() < chance

    def dims(self, rank=None, most=5):
        rank = self.r.randint(0, 5) if rank is None else rank
        dims = [self.r.choice([1, 1, 2, 3, 4, most]) for _ in range(rank)]
        if rank and self.often(0.02):
            dims[self.r.randrange(rank)] = 0
        return dims

    def axis(self, rank):
        axis = self.r.randrange(rank)
        return axis if self.often() else axis - rank

    def axes(self, rank, least=1):
        count = self.r.randint(least, rank)
        return [a if self.often(0.7) else a - rank
                for a in self.r.sample(range(rank), count)]

    def number(self, kind, style=None):
        r = self.r
        if kind == "bool":
            return r.randint(0, 1)
        if kind in BITS:
            low, high = limits(kind)
            if style == "small" or r.random() < 0.7:
                return r.randint(max(low, -9), min(high, 9))
            if style == "whole" and r.random() < 0.3:
                return r.choice([low, high])
            return r.randint(low, high) if BITS[kind] <= 16 else r.randint(
                max(low, -30000), 30000)
        if style == "near": # positions in an image and a little outside
            return round(r.uniform(-1.6, 1.6), 3)
        if style == "positive":
            return round(r.uniform(0.05, 4), 3)
        if style == "between": # steps of powers of two
            return round(r.gauss(0, 1) * r.choice([1, 1, 5]), 3) + 0.0003
        return r.choice([
            round(r.gauss(0, 1), 3), round(r.gauss(0, 1), 3),
            float(r.randint(-6, 6)), r.randint(-9, 9) / 2, round(
                r.uniform(-20, 20), 2)])

    # Statements

    def fresh(self, what="v"):
        self.count += 1
        return what + str(self.count)

    def values(self, kind, dims, style):
        count = 1
        for d in dims:
            count *= d
        return [self.number(kind, style) for _ in range(count)]

    def input(self, kind, dims, style=None):
        value = Value(self.fresh("x"), kind, dims)
        data = self.values(kind, dims, style)
        self.inputs.append((value, struct.pack("<%d%s" % (len(data), FORMS[kind]),
                                               *data)))
        return value

    def constant(self, kind, dims, style=None, values=None):
        value = Value(self.fresh("c"), kind, dims)
        data = self.values(kind, dims, style) if values is None else values
        keyword = "typed" if self.often(0.1) and kind in (
            "f32", "i32", "i64", "f64", "u64") else "init"
        self.lines.append("%s %s %s %s %s" % (
            keyword, value.name, kind, "x".join(map(str, dims)) or "-",
            " ".join(map(repr, data))))
        return value

    def operand(self, kind, dims, style=None, constant=0.3):
        if self.often(constant):
            return self.constant(kind, dims, style)
        return self.input(kind, dims, style)

    def node(self, op, inputs, outputs=1, **attributes):
        outs = [self.fresh() for _ in range(outputs)]
        words = []
        for key, value in attributes.items():
            if value is None:
                continue
            if isinstance(value, (list, tuple)):
                value = "[%s]" % ",".join('"%s"' % v if isinstance(v, str)
                                          else repr(v) for v in value)
            elif isinstance(value, str) and not value.startswith(
                    ("tensor(", "graph(")):
                value = '"%s"' % value
            elif not isinstance(value, str):
                value = repr(value)
            words.append("%s=%s" % (key, value))
        self.lines.append("node %s %s -> %s %s" % (
            op, ",".join(i.name if i else "_" for i in inputs) or "",
            ",".join(outs), " ".join(words)))
        if "@" in op:
            self.domains.add(op.split("@")[1])
        return outs[0] if outputs == 1 else outs

    def result(self, name, kind, dims):
        return Value(name, kind, dims)

    def broadcast(self, dims):
        """Dimensions that broadcast with these."""
        other = [1 if self.often(0.3) else d for d in dims]
        if self.often(0.3):
            other = other[self.r.randint(0, len(other)):]
        return other

    def transpose(self, x, chance=0.5):
        """Moves dimensions, and back, so that forms differ from the model's."""
        if len(x.dims) < 2 or not self.often(chance):
            return x
        perm = list(range(len(x.dims)))
        self.r.shuffle(perm)
        name = self.node("Transpose", [x], perm=perm)
        return Value(name, x.kind, [x.dims[p] for p in perm])


def joined(a, b):
    rank = max(len(a), len(b))
    a, b = [1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b
    return [y if x == 1 else x for x, y in zip(a, b)]
