"""Random ONNX models: one operator with attributes at their corners, others
before and after it that move and combine what it takes and gives.

make(seed) gives the text of a model, as test/Inputs/onnx.py reads it, and its
inputs. A model may be wrong: what ONNX Runtime refuses does not count.
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
                value = "[" + ",".join(map(repr, value)) + "]"
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


# Each makes the main operator and gives its results.

def unary(m):
    op, kinds, since = m.pick(
        ("Abs", SIGNED + ("u8",), 1), ("Ceil", FLOATS, 1), ("Exp", FLOATS, 1),
        ("Floor", FLOATS, 1), ("HardSwish", ("f32",), 14),
        ("Identity", ALL, 1), ("Log", FLOATS, 1), ("Neg", SIGNED, 1),
        ("Reciprocal", FLOATS, 1), ("Relu", ("f32", "f64", "i32", "i8"), 1),
        ("Round", FLOATS, 11), ("Sigmoid", FLOATS, 1), ("Softplus", ("f32",), 1),
        ("Softsign", ("f32",), 1), ("Sqrt", FLOATS, 1), ("Tanh", FLOATS, 1),
        ("Not", ("bool",), 1), ("Erf", ("f32",), 9), ("Sign", NUMBERS, 9),
        ("Gelu", ("f32",), 20), ("Mish", ("f32",), 18), ("Sin", ("f32",), 7),
        ("Cos", ("f32",), 7))
    m.opset = max(m.opset, since)
    kind = m.pick(*kinds)
    x = m.transpose(m.input(kind, m.dims()))
    attributes = {}
    if op == "Gelu" and m.often():
        attributes["approximate"] = m.pick("none", "tanh")
    return [m.result(m.node(op, [x], **attributes), kind, x.dims)]


def unary_alpha(m):
    op, names = m.pick(
        ("Elu", ("alpha",)), ("LeakyRelu", ("alpha",)),
        ("HardSigmoid", ("alpha", "beta")), ("Selu", ("alpha", "gamma")),
        ("ThresholdedRelu", ("alpha",)), ("Celu", ("alpha",)))
    if op == "ThresholdedRelu":
        m.opset = max(m.opset, 10)
    if op == "Celu":
        m.opset = max(m.opset, 12)
    x = m.transpose(m.input("f32", m.dims()))
    attributes = {n: m.pick(0.0, 0.1, 0.5, 1.0, 2.0, -0.5, 0.2) for n in names
                  if m.often(0.7)}
    if op == "Celu":
        attributes = {n: abs(a) for n, a in attributes.items() if a}
    return [m.result(m.node(op, [x], **attributes), "f32", x.dims)]


def clip(m):
    kind = m.pick("f32", "f32", "i32", "i8", "u8", "f64", "i64", "u32")
    x = m.transpose(m.input(kind, m.dims()))
    low, high = sorted([m.number(kind, "small"), m.number(kind, "small")])
    if m.often(0.1):
        low, high = high, low
    if m.opset < 11:
        attributes = {}
        if m.often(0.7):
            attributes["min"] = float(low)
        if m.often(0.7):
            attributes["max"] = float(high)
        return [m.result(m.node("Clip", [x], **attributes), kind, x.dims)]
    inputs = [x]
    for bound in (low, high):
        inputs.append(m.constant(kind, [], values=[bound]) if m.often(0.7) else
                      None)
    while inputs[-1] is None:
        inputs.pop()
    return [m.result(m.node("Clip", inputs), kind, x.dims)]


def binary(m):
    op, kinds = m.pick(
        ("Add", NUMBERS + ("f16",)), ("Sub", NUMBERS), ("Mul", NUMBERS),
        ("Div", NUMBERS), ("Pow", ("f32", "f64", "i32", "i64")),
        ("PRelu", ("f32",)), ("Mod", NUMBERS + ("i8", "u8", "u32")),
        ("And", ("bool",)), ("Or", ("bool",)), ("Xor", ("bool",)),
        ("Equal", NUMBERS + ("bool",)), ("Less", NUMBERS),
        ("Greater", NUMBERS), ("LessOrEqual", NUMBERS),
        ("GreaterOrEqual", NUMBERS), ("BitShift", ("u8", "u32", "u64")))
    kind = m.pick(*kinds)
    if op in ("LessOrEqual", "GreaterOrEqual", "Mod"):
        m.opset = max(m.opset, 12)
    if op in ("Less", "Greater", "Equal"):
        m.opset = max(m.opset, 9 if kind != "f64" else 11)
    if op == "BitShift":
        m.opset = max(m.opset, 11)
    dims = m.dims()
    style = "small" if op == "Pow" and kind[0] == "i" else (
        "positive" if op == "Pow" else None)
    a = m.operand(kind, m.broadcast(dims) if op != "PRelu" else dims, style)
    a = m.transpose(a, 0.3)
    b = m.operand(kind, m.broadcast(a.dims) if m.often(0.8) else a.dims, style)
    attributes = {}
    if op == "Pow" and kind[0] == "i": # 0 has no negative powers
        b = m.constant(kind, b.dims, values=[
            abs(v) for v in m.values(kind, b.dims, "small")])
    if op == "Mod":
        attributes["fmod"] = 1 if kind in FLOATS else m.pick(0, 1)
    if op == "BitShift":
        attributes["direction"] = m.pick("LEFT", "RIGHT")
    if op in ("Div", "Mod") and kind not in FLOATS:
        b = m.constant(kind, b.dims, values=[
            v or 3 for v in m.values(kind, b.dims, "small")])
    inputs = [a, b] if op == "PRelu" or m.often(0.7) else [b, a]
    if op in ("Div", "Mod", "Pow"):
        inputs = [a, b]
    kind = "bool" if op in ("Equal", "Less", "Greater", "LessOrEqual",
                            "GreaterOrEqual") else kind
    return [m.result(m.node(op, inputs, **attributes), kind,
                     joined(a.dims, b.dims))]


def nary(m):
    op = m.pick("Max", "Min", "Sum", "Mean")
    m.opset = max(m.opset, 8)
    kind = m.pick(*(NUMBERS + ("u32", "u64", "f16") if op in ("Max", "Min") and
                    m.opset >= 12 else ("f32",)))
    dims = m.dims()
    inputs = [m.operand(kind, m.broadcast(dims)) for _ in
              range(m.r.randint(1, 4))]
    out = []
    for x in inputs:
        out = joined(out, x.dims)
    return [m.result(m.node(op, inputs), kind, out)]


def where(m):
    m.opset = max(m.opset, 9)
    kind = m.pick("f32", "i32", "i64", "u8", "f64")
    dims = m.dims()
    inputs = [m.operand("bool", m.broadcast(dims)),
              m.operand(kind, m.broadcast(dims)),
              m.operand(kind, m.broadcast(dims))]
    out = []
    for x in inputs:
        out = joined(out, x.dims)
    return [m.result(m.node("Where", inputs), kind, out)]


def cast(m):
    a, b = m.pick(*ALL), m.pick(*ALL)
    codes = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7,
             "bool": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13}
    m.opset = max(m.opset, 9)
    # What is out of range of an integer is nobody's business.
    style = "small" if a in BITS else "positive"
    x = m.transpose(m.input(a, m.dims(), style))
    return [m.result(m.node("Cast", [x], to=codes[b]), b, x.dims)]


REDUCTIONS = ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
              "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
              "ReduceSum", "ReduceSumSquare")


def reduction(m):
    op = m.pick(*REDUCTIONS)
    kind = m.pick("f32", "f32", "f32", "i32", "f64", "i64")
    if op in ("ReduceMax", "ReduceMin") and m.often():
        m.opset = max(m.opset, 12)
        kind = m.pick("i8", "u8", "i32", "i64", "f32")
    if op in ("ReduceLogSum", "ReduceLogSumExp", "ReduceL2", "ReduceMean"):
        kind = m.pick("f32", "f64")
    rank = m.r.randint(1, 5)
    style = "positive" if op == "ReduceLogSum" else None if kind in (
        "i8", "u8") else "small"
    x = m.transpose(m.input(kind, m.dims(rank), style))
    attributes, inputs = {}, [x]
    axes = None
    if m.often(0.85):
        axes = m.axes(rank)
    since = 13 if op == "ReduceSum" else 18
    if axes is not None and m.opset >= since:
        inputs.append(m.constant("i64", [len(axes)], values=axes))
    elif axes is not None:
        if m.opset < 11:
            axes = [a % rank for a in axes]
        attributes["axes"] = axes
    if axes is None and m.opset >= since and m.often():
        attributes["noop_with_empty_axes"] = m.pick(0, 1)
    if m.often(0.7):
        attributes["keepdims"] = m.pick(0, 1)
    keep = attributes.get("keepdims", 1)
    if attributes.get("noop_with_empty_axes") and axes is None:
        axes, keep = [], 1
    gone = {a % rank for a in axes} if axes is not None else set(range(rank))
    dims = [1 if i in gone else d for i, d in enumerate(x.dims)
            if keep or i not in gone]
    return [m.result(m.node(op, inputs, **attributes), kind, dims)]


def arg(m):
    op = m.pick("ArgMax", "ArgMin")
    kind = m.pick("f32", "f32", "i32", "i8", "u8", "f64")
    m.opset = max(m.opset, 13 if kind in ("i8", "u8") else 7)
    rank = m.r.randint(1, 5)
    x = m.transpose(m.input(kind, m.dims(rank), "whole"))
    attributes = {}
    if m.often(0.8):
        attributes["axis"] = m.axis(rank) if m.opset >= 11 else m.r.randrange(
            rank)
    if m.often(0.7):
        attributes["keepdims"] = m.pick(0, 1)
    if m.opset >= 12 and m.often():
        attributes["select_last_index"] = m.pick(0, 1)
    axis = attributes.get("axis", 0) % rank
    dims = [1 if i == axis else d for i, d in enumerate(x.dims)
            if i != axis or attributes.get("keepdims", 1)]
    return [m.result(m.node(op, [x], **attributes), "i64", dims)]


def softmax(m):
    op = m.pick("Softmax", "LogSoftmax", "Hardmax")
    rank = m.r.randint(1, 5)
    x = m.transpose(m.input(m.pick("f32", "f32", "f64"), m.dims(rank)))
    attributes = {}
    if m.often(0.8):
        attributes["axis"] = m.axis(rank) if m.opset >= 11 else m.r.randrange(
            rank)
    elif rank == 1 and m.opset < 13:
        attributes["axis"] = 0
    return [m.result(m.node(op, [x], **attributes), x.kind, x.dims)]


def window(m, spatial, kernel, sizes, pool):
    """Attributes of a window; pads stay below the kernel in pools."""
    attributes = {"kernel_shape": kernel}
    dilations = [1] * spatial
    if m.often(0.3) and (not pool or m.opset >= 10):
        dilations = [m.pick(1, 1, 2, 3) for _ in range(spatial)]
        attributes["dilations"] = dilations
    if m.often(0.6):
        attributes["strides"] = [m.pick(1, 1, 2, 3) for _ in range(spatial)]
    mode = m.pick("none", "none", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
    if mode != "none":
        attributes["auto_pad"] = mode
    if mode in ("none", "NOTSET") and m.often(0.6):
        most = [min(2, k - 1) if pool else 2 for k in kernel]
        attributes["pads"] = [m.r.randint(0, p) for p in most + most]
    return attributes


def image(m, spatial, channels, kind="f32", style=None):
    sizes = [m.r.randint(3, 9) for _ in range(spatial)]
    return m.input(kind, [m.pick(1, 1, 2), channels] + sizes, style)


def conv(m):
    spatial = m.pick(1, 2, 2, 2)
    group = m.pick(1, 1, 2, 3)
    channels = group * m.pick(1, 2, 3)
    outs = group * m.pick(1, 2, 3)
    if m.often(0.25):
        group, outs = channels, channels * m.pick(1, 1, 2)
    x = image(m, spatial, channels)
    kernel = [m.pick(1, 2, 3, 3, 4) for _ in range(spatial)]
    w = m.operand("f32", [outs, channels // group] + kernel, None, 0.9)
    attributes = window(m, spatial, kernel, x.dims[2:], False)
    if m.often(0.3):
        del attributes["kernel_shape"]
    if group > 1 or m.often(0.3):
        attributes["group"] = group
    inputs = [x, w]
    if m.often():
        inputs.append(m.operand("f32", [outs], None, 0.9))
    return [m.result(m.node("Conv", inputs, **attributes), "f32", None or [])]


def conv_transpose(m):
    spatial = m.pick(1, 2, 2, 2)
    group = m.pick(1, 1, 1, 2)
    channels, each = group * m.pick(1, 2, 3), m.pick(1, 2, 3)
    if m.often(0.2):
        group, each = channels, 1
    x = image(m, spatial, channels)
    kernel = [m.pick(1, 2, 3, 4) for _ in range(spatial)]
    w = m.constant("f32", [channels, each] + kernel)
    attributes = {}
    if m.often(0.7):
        attributes["kernel_shape"] = kernel
    strides = [m.pick(1, 2, 3) for _ in range(spatial)]
    if m.often(0.7):
        attributes["strides"] = strides
    else:
        strides = [1] * spatial
    if m.often(0.2):
        attributes["dilations"] = [m.pick(1, 2) for _ in range(spatial)]
    if m.often(0.3):
        attributes["output_padding"] = [m.r.randint(0, s - 1) for s in strides]
    mode = m.pick("none", "none", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
    if mode != "none":
        attributes["auto_pad"] = mode
    if mode in ("none", "NOTSET") and m.often():
        attributes["pads"] = [m.r.randint(0, k - 1) for k in kernel + kernel]
    if m.often(0.15):
        attributes["output_shape"] = [
            s * d + m.r.randint(0, s - 1) for s, d in zip(strides, x.dims[2:])]
    if group > 1:
        attributes["group"] = group
    inputs = [x, w]
    if m.often():
        inputs.append(m.constant("f32", [each * group]))
    return [m.result(m.node("ConvTranspose", inputs, **attributes), "f32", [])]


def pool(m):
    op = m.pick("MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool",
                "LpPool")
    spatial = m.pick(1, 2, 2, 2)
    kind = "f32"
    if op == "MaxPool" and m.often(0.25):
        m.opset, kind = max(m.opset, 12), m.pick("i8", "u8")
    x = image(m, spatial, m.pick(1, 2, 3, 5), kind)
    if op.startswith("Global"):
        return [m.result(m.node(op, [x]), kind,
                         x.dims[:2] + [1] * spatial)]
    kernel = [m.pick(1, 2, 2, 3, 3, 4) for _ in range(spatial)]
    attributes = window(m, spatial, kernel, x.dims[2:], True)
    if op == "AveragePool":
        if m.opset < 19:
            attributes.pop("dilations", None)
        if m.often():
            attributes["count_include_pad"] = m.pick(0, 1)
    if m.opset >= 10 and m.often() and "auto_pad" not in attributes:
        attributes["ceil_mode"] = m.pick(0, 1)
    if op == "LpPool":
        attributes.pop("ceil_mode", None)
        attributes.pop("dilations", None)
        attributes["p"] = m.pick(1, 2, 3)
    if op == "MaxPool" and m.opset >= 8 and m.often(0.3):
        if m.often(0.3):
            attributes["storage_order"] = m.pick(0, 1)
        outs = m.node(op, [x], 2, **attributes)
        return [m.result(outs[0], kind, []), m.result(outs[1], "i64", [])]
    return [m.result(m.node(op, [x], **attributes), kind, [])]


def matmul(m):
    kind = m.pick("f32", "f32", "f64", "i32")
    m.opset = max(m.opset, 9)
    n, k, p = (m.pick(1, 2, 3, 5) for _ in range(3))
    batch = m.dims(m.r.randint(0, 2))
    a, b = m.broadcast(batch) + [n, k], m.broadcast(batch) + [k, p]
    if m.often(0.15):
        a = [k]
    if m.often(0.15):
        b = [k]
    x = m.operand(kind, a, None, 0.2)
    y = m.operand(kind, b, None, 0.6)
    return [m.result(m.node("MatMul", [x, y]), kind, [])]


def gemm(m):
    kind = m.pick("f32", "f32", "f64")
    n, k, p = (m.pick(1, 2, 3, 5) for _ in range(3))
    ta, tb = m.pick(0, 0, 1), m.pick(0, 1)
    a = m.operand(kind, [k, n] if ta else [n, k], None, 0.1)
    b = m.operand(kind, [p, k] if tb else [k, p], None, 0.8)
    attributes = {}
    if ta or m.often(0.2):
        attributes["transA"] = ta
    if tb or m.often(0.2):
        attributes["transB"] = tb
    for name in ("alpha", "beta"):
        if m.often(0.4):
            attributes[name] = m.pick(0.0, 0.5, 1.0, 2.0, -1.0)
    inputs = [a, b]
    if m.opset < 11 or m.often(0.8):
        inputs.append(m.operand(kind, m.pick([n, p], [p], [1, p], [n, 1], [1],
                                             []), None, 0.8))
    return [m.result(m.node("Gemm", inputs, **attributes), kind, [n, p])]


def normalization(m):
    op = m.pick("BatchNormalization", "InstanceNormalization", "LRN",
                "LpNormalization", "LayerNormalization",
                "MeanVarianceNormalization", "GroupNormalization")
    channels = m.pick(1, 2, 3, 4, 6)
    rank = 4 if op == "MeanVarianceNormalization" else m.r.randint(
        2 if op == "BatchNormalization" else 3, 5)
    x = m.input("f32", [m.pick(1, 2), channels] + [
        m.r.randint(1, 4) for _ in range(rank - 2)])
    attributes = {}
    if op in ("BatchNormalization", "InstanceNormalization") and m.often():
        attributes["epsilon"] = m.pick(1e-5, 1e-3, 0.1)
    if op == "BatchNormalization":
        inputs = [x] + [m.constant("f32", [channels]) for _ in range(3)] + [
            m.constant("f32", [channels], "positive")]
        if m.opset >= 14 and m.often(0.1):
            attributes["training_mode"] = 1
            outs = m.node(op, inputs, 3, **attributes)
            return [m.result(o, "f32", []) for o in outs]
    elif op == "InstanceNormalization":
        inputs = [x] + [m.constant("f32", [channels]) for _ in range(2)]
    elif op == "LRN":
        inputs = [x]
        attributes = {"size": m.pick(1, 2, 3, 4, 5)}
        for name, values in (("alpha", (1e-4, 0.1, 1.0)), ("beta", (0.75, 0.5)),
                             ("bias", (1.0, 2.0))):
            if m.often():
                attributes[name] = m.pick(*values)
    elif op == "LpNormalization":
        inputs = [x]
        if m.often(0.8):
            attributes["axis"] = m.axis(rank)
        if m.often(0.8):
            attributes["p"] = m.pick(1, 2)
    elif op == "LayerNormalization":
        m.opset = max(m.opset, 17)
        axis = m.r.randrange(rank)
        inputs = [x, m.constant("f32", x.dims[axis:])]
        if m.often(0.7):
            inputs.append(m.constant("f32", x.dims[axis:]))
        attributes["axis"] = axis if m.often() else axis - rank
        if m.often(0.3):
            attributes["epsilon"] = 0.01
    elif op == "GroupNormalization":
        m.opset = 21
        groups = m.pick(*[g for g in (1, 2, 3) if channels % g == 0])
        attributes["num_groups"] = groups
        inputs = [x, m.constant("f32", [channels]), m.constant("f32", [channels])]
    else:
        m.opset = max(m.opset, 9)
        inputs = [x]
        if m.often():
            attributes["axes"] = [0, 2, 3]
    return [m.result(m.node(op, inputs, **attributes), "f32", x.dims)]


def pad(m):
    kind = m.pick("f32", "f32", "f32", "i32", "i64", "u8", "i8", "f64", "bool")
    mode = m.pick(None, "constant", "reflect", "edge", "wrap")
    if mode == "wrap":
        m.opset = max(m.opset, 19)
    if kind not in FLOATS:
        m.opset = max(m.opset, 13)
    rank = m.r.randint(1, 4)
    x = m.transpose(m.input(kind, [m.r.randint(1, 5) for _ in range(rank)]))
    axes = list(range(rank))
    inputs = [x]
    if m.opset >= 18 and m.often(0.3):
        axes = m.axes(rank)
    low = -1 if mode in (None, "constant") and m.often(0.2) else 0
    pads = []
    for half in range(2):
        for a in axes:
            most = x.dims[a] - 1 if mode == "reflect" else 3
            pads.append(m.r.randint(max(low, 1 - x.dims[a]) if low else 0,
                                    max(0, min(3, most))))
    attributes = {"mode": mode}
    if m.opset < 11:
        if mode == "constant" and m.often():
            attributes["value"] = m.pick(0.0, 1.5)
        return [m.result(m.node("Pad", inputs, pads=pads, **attributes), kind,
                         [])]
    inputs.append(m.constant("i64", [len(pads)], values=pads))
    if mode in (None, "constant") and m.often() or len(axes) != rank:
        inputs.append(m.constant(kind, [], "small"))
    if axes != list(range(rank)):
        if len(inputs) == 2:
            inputs.append(None)
        inputs.append(m.constant("i64", [len(axes)], values=axes))
    return [m.result(m.node("Pad", inputs, **attributes), kind, [])]


def slices(m):
    kind = m.pick("f32", "f32", "i32", "i64", "u8", "bool", "f64")
    rank = m.r.randint(1, 5)
    x = m.transpose(m.input(kind, m.dims(rank)))
    axes = m.axes(rank)
    starts, ends, steps = [], [], []
    for a in axes:
        d = x.dims[a]
        step = m.pick(1, 1, 1, 2, 3, -1, -2)
        starts.append(m.pick(m.r.randint(-d - 1, d + 1), 0, -1, 2 ** 31 - 1)
                      if m.often() else (0 if step > 0 else -1))
        ends.append(m.pick(m.r.randint(-d - 1, d + 1), 2 ** 31 - 1,
                           2 ** 63 - 1, -2 ** 31, -1))
        steps.append(step)
    if m.opset < 10:
        return [m.result(m.node("Slice", [x], starts=starts, ends=ends,
                                axes=[a % rank for a in axes]), kind, [])]
    index = m.pick("i32", "i64")
    clamp = (lambda v: max(-2 ** 31, min(2 ** 31 - 1, v))) if (
        index == "i32") else (lambda v: v)
    inputs = [x] + [m.constant(index, [len(axes)], values=list(map(clamp, v)))
                    for v in (starts, ends, axes)]
    if any(s != 1 for s in steps) or m.often():
        inputs.append(m.constant(index, [len(axes)], values=steps))
    return [m.result(m.node("Slice", inputs), kind, [])]


def gather(m):
    op = m.pick("Gather", "Gather", "GatherND", "GatherElements")
    kind = m.pick("f32", "f32", "i32", "i64", "u8", "bool")
    index = m.pick("i64", "i64", "i32")
    constant = 0.6
    rank = m.r.randint(1, 4)
    x = m.transpose(m.operand(kind, [m.r.randint(1, 5) for _ in range(rank)],
                              None, 0.2))

    def indices(dims, sizes):
        values = []
        count = 1
        for d in dims:
            count *= d
        for i in range(count):
            d = sizes[i % len(sizes)]
            low = -d if op == "Gather" and m.opset >= 11 or (
                op != "Gather") else 0
            values.append(m.r.randint(low, d - 1))
        if m.often(constant):
            return m.constant(index, dims, values=values)
        value = Value(m.fresh("x"), index, dims)
        m.inputs.append((value, struct.pack("<%d%s" % (
            len(values), FORMS[index]), *values)))
        return value

    if op == "Gather":
        axis = m.axis(rank)
        if m.opset < 11:
            axis %= rank
        dims = m.dims(m.r.randint(0, 2), 4)
        i = indices(dims, [x.dims[axis]])
        attributes = {"axis": axis} if m.often(0.9) or axis else {}
        axis %= rank
        return [m.result(m.node(op, [x, i], **attributes), kind,
                         x.dims[:axis] + dims + x.dims[axis + 1:])]
    if op == "GatherElements":
        m.opset = max(m.opset, 11)
        axis = m.axis(rank)
        dims = [m.r.randint(1, d) for d in x.dims]
        dims[axis] = m.r.randint(1, 5)
        return [m.result(m.node(op, [x, indices(dims, [x.dims[axis]])],
                                axis=axis), kind, dims)]
    index = "i64"
    m.opset = max(m.opset, 12)
    batch = m.r.randint(0, min(1, rank - 1))
    depth = m.r.randint(1, rank - batch)
    lead = x.dims[:batch] + m.dims(m.r.randint(0, 2), 4)
    if 0 in lead:
        lead = x.dims[:batch] + [2]
    i = indices(lead + [depth], x.dims[batch:batch + depth])
    attributes = {"batch_dims": batch} if batch or m.often(0.3) else {}
    return [m.result(m.node(op, [x, i], **attributes), kind,
                     lead + x.dims[batch + depth:])]


def join(m):
    kind = m.pick("f32", "f32", "i32", "i64", "u8", "bool", "f64")
    rank = m.r.randint(1, 4)
    dims = m.dims(rank)
    axis = m.axis(rank)
    if m.opset < 11:
        axis %= rank
    inputs = []
    for _ in range(m.r.randint(1, 4)):
        other = list(dims)
        other[axis] = m.r.randint(1, 3)
        inputs.append(m.operand(kind, other))
    if m.often(0.3):
        order = list(range(rank))
        m.r.shuffle(order)
        back = [order.index(i) for i in range(rank)]
        x = inputs[0]
        t = Value(m.node("Transpose", [x], perm=order), kind, [])
        inputs[0] = Value(m.node("Transpose", [t], perm=back), kind, x.dims)
    out = list(dims)
    out[axis] = sum(x.dims[axis] for x in inputs)
    return [m.result(m.node("Concat", inputs, axis=axis), kind, out)]


def split(m):
    kind = m.pick("f32", "f32", "i32", "u8")
    rank = m.r.randint(1, 4)
    dims = m.dims(rank)
    axis = m.axis(rank)
    if m.opset < 11:
        axis %= rank
    count = m.r.randint(1, 4)
    sizes = [m.r.randint(1, 3) for _ in range(count)]
    even = m.often(0.4)
    if even:
        sizes = [sizes[0]] * count
    dims[axis] = sum(sizes)
    x = m.transpose(m.input(kind, dims), 0)
    attributes, inputs = {"axis": axis}, [x]
    if even and m.opset >= 18:
        attributes["num_outputs"] = count
        if count > 1 and sizes[0] > 1 and m.often(0.3):
            pass
    elif even and m.often():
        pass
    elif m.opset >= 13:
        inputs.append(m.constant("i64", [count], values=sizes))
    else:
        attributes["split"] = sizes
    outs = m.node("Split", inputs, count, **attributes)
    results = []
    for name, size in zip([outs] if count == 1 else outs, sizes):
        d = list(dims)
        d[axis] = size
        results.append(m.result(name, kind, d))
    return results


def reshape(m):
    op = m.pick("Reshape", "Reshape", "Flatten", "Squeeze", "Unsqueeze",
                "Transpose", "Expand", "Tile", "DepthToSpace", "SpaceToDepth")
    kind = m.pick("f32", "f32", "f32", "i32", "u8", "bool")
    if op in ("Reshape",):
        x = m.transpose(m.input(kind, m.dims()))
        total = 1
        for d in x.dims:
            total *= d
        dims, rest = [], total
        for _ in range(m.r.randint(0, 3)):
            factors = [f for f in (1, 2, 3, 4, 5) if rest and rest % f == 0]
            dims.append(m.pick(*(factors or [1])))
            rest = rest // dims[-1]
        dims.append(rest)
        m.r.shuffle(dims)
        out = list(dims)
        if m.often() and total:
            dims[m.r.randrange(len(dims))] = -1
        attributes = {}
        if total == 0 and m.opset >= 14 and m.often():
            attributes["allowzero"] = 1
        for i, d in enumerate(out):
            if i < len(x.dims) and x.dims[i] == d and m.often(0.2) and (
                    "allowzero" not in attributes) and dims[i] != -1:
                dims[i] = 0
        s = m.constant("i64", [len(dims)], values=dims)
        return [m.result(m.node(op, [x, s], **attributes), kind, out)]
    if op == "Flatten":
        m.opset = max(m.opset, 9)
        x = m.transpose(m.input(kind, m.dims(m.r.randint(1, 5))))
        attributes = {}
        if m.often(0.8):
            attributes["axis"] = m.r.randint(
                -len(x.dims) if m.opset >= 11 else 0, len(x.dims))
        return [m.result(m.node(op, [x], **attributes), kind, [])]
    if op == "Transpose":
        x = m.input(kind, m.dims())
        perm = list(range(len(x.dims)))
        m.r.shuffle(perm)
        attributes = {"perm": perm} if m.often(0.8) and perm else {}
        return [m.result(m.node(op, [x], **attributes), kind, [])]
    if op == "Squeeze":
        dims = m.dims(m.r.randint(0, 5))
        ones = [i for i, d in enumerate(dims) if d == 1]
        x = m.transpose(m.input(kind, dims), 0)
        if m.often(0.3) or not ones:
            gone = ones
            name = m.node(op, [x])
        else:
            gone = m.r.sample(ones, m.r.randint(1, len(ones)))
            axes = [a if m.opset < 11 or m.often() else a - len(dims)
                    for a in gone]
            name = m.node(op, [x, m.constant("i64", [len(axes)], values=axes)]
                          ) if m.opset >= 13 else m.node(op, [x], axes=axes)
        return [m.result(name, kind, [d for i, d in enumerate(dims)
                                      if i not in gone])]
    if op == "Unsqueeze":
        x = m.transpose(m.input(kind, m.dims(m.r.randint(0, 4))))
        count = m.r.randint(1, 2)
        rank = len(x.dims) + count
        axes = m.r.sample(range(rank), count)
        out, left = [], list(x.dims)
        for i in range(rank):
            out.append(1 if i in axes else left.pop(0))
        if m.opset >= 11:
            axes = [a if m.often() else a - rank for a in axes]
        name = m.node(op, [x, m.constant("i64", [count], values=axes)]
                      ) if m.opset >= 13 else m.node(op, [x], axes=axes)
        return [m.result(name, kind, out)]
    if op == "Expand":
        m.opset = max(m.opset, 8)
        dims = m.dims()
        x = m.transpose(m.operand(kind, m.broadcast(dims)))
        target = m.broadcast(joined(x.dims, [1] * len(dims)))
        target = [d if d != 1 else m.pick(1, 2, 3) for d in target]
        for i in range(1, min(len(target), len(x.dims)) + 1):
            if x.dims[-i] != 1:
                target[-i] = m.pick(1, x.dims[-i])
        s = m.constant("i64", [len(target)], values=target)
        return [m.result(m.node(op, [x, s]), kind, joined(x.dims, target))]
    if op == "Tile":
        x = m.transpose(m.operand(kind, m.dims(m.r.randint(1, 4))))
        repeats = [m.pick(1, 1, 2, 3) for _ in x.dims]
        s = m.constant("i64", [len(repeats)], values=repeats)
        return [m.result(m.node(op, [x, s]), kind,
                         [d * k for d, k in zip(x.dims, repeats)])]
    block = m.pick(1, 2, 3)
    h, w, c = m.r.randint(1, 3), m.r.randint(1, 3), m.r.randint(1, 3)
    if op == "DepthToSpace":
        x = m.input("f32", [m.pick(1, 2), c * block * block, h, w])
        attributes = {"blocksize": block}
        if m.opset >= 11 and m.often(0.7):
            attributes["mode"] = m.pick("DCR", "CRD")
        return [m.result(m.node(op, [x], **attributes), "f32",
                         [x.dims[0], c, h * block, w * block])]
    x = m.input("f32", [m.pick(1, 2), c, h * block, w * block])
    return [m.result(m.node(op, [x], blocksize=block), "f32",
                     [x.dims[0], c * block * block, h, w])]


def resize(m):
    x = m.input(m.pick("f32", "f32", "f32", "u8", "i8"),
                [1, m.pick(1, 2, 3), m.r.randint(1, 6), m.r.randint(1, 6)])
    scales = [1.0, 1.0] + [m.pick(0.5, 1.0, 1.5, 2.0, 2.0, 3.0, 0.7, 4.0)
                           for _ in range(2)]
    if m.opset < 10:
        m.opset = max(m.opset, 7)
        mode = m.pick("nearest", "linear")
        scales = [max(1.0, s) for s in scales]
        if m.opset < 9:
            name = m.node("Upsample", [x], scales=scales, mode=mode)
        else:
            name = m.node("Upsample", [x, m.constant("f32", [4], values=scales)],
                          mode=mode)
        return [m.result(name, x.kind, [])]
    mode = m.pick("nearest", "nearest", "linear", "linear", "cubic")
    attributes = {"mode": mode}
    if m.opset == 10:
        if mode == "cubic":
            attributes["mode"] = "linear"
        return [m.result(m.node("Resize", [x, m.constant(
            "f32", [4], values=scales)], **attributes), x.kind, [])]
    if m.often(0.8):
        choice = ["half_pixel", "pytorch_half_pixel", "align_corners",
                  "asymmetric"]
        if m.opset >= 19:
            choice.append("half_pixel_symmetric")
        attributes["coordinate_transformation_mode"] = m.pick(*choice)
    if mode == "nearest" and m.often(0.8):
        attributes["nearest_mode"] = m.pick(
            "round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    if mode == "cubic":
        if m.often():
            attributes["cubic_coeff_a"] = m.pick(-0.5, -0.75)
        if m.often(0.3):
            attributes["exclude_outside"] = 1
    if m.opset >= 18 and mode != "nearest" and m.often(0.2):
        attributes["antialias"] = 1
    roi = m.constant("f32", [0]) if m.opset < 13 or m.often(0.3) else None
    if m.often():
        sizes = [x.dims[0], x.dims[1]] + [m.r.randint(1, 9) for _ in range(2)]
        none = m.constant("f32", [0]) if m.opset < 13 else None
        inputs = [x, roi, none, m.constant("i64", [4], values=sizes)]
    else:
        inputs = [x, roi, m.constant("f32", [4], values=scales)]
    if m.opset >= 18 and m.often(0.2):
        attributes["axes"] = [2, 3]
        last = inputs[-1]
        line = m.lines.pop()
        words = line.split()
        m.lines.append(" ".join(words[:3] + ["2"] + words[-2:]))
    return [m.result(m.node("Resize", inputs, **attributes), x.kind, [])]


def einsum(m):
    """Terms of some letters each; sizes belong to letters."""
    m.opset = max(m.opset, 12)
    letters = "ijkbAZ"
    sizes = {letter: m.r.randint(1, 4) for letter in letters}
    spread = [m.r.randint(1, 3) for _ in range(m.r.randint(1, 2))]
    dots = m.often(0.25)
    terms, inputs = [], []
    for _ in range(m.pick(1, 2, 2, 2, 3)):
        own = m.r.sample(letters, m.r.randint(1, 3))
        dims = [sizes[label] for label in own]
        text = "".join(own)
        if dots:
            at = m.r.randint(0, len(own))
            text = text[:at] + "..." + text[at:]
            dims = dims[:at] + spread + dims[at:]
        terms.append(text)
        inputs.append(m.transpose(m.operand("f32", dims, None, 0.3), 0))
    used = sorted(set("".join(terms)) - {"."})
    equation = (", " if m.often() else ",").join(terms)
    if m.often(0.8):
        out = m.r.sample(used, m.r.randint(0, len(used)))
        equation += "->" + "".join(out) + ("..." if dots else "")
    return [m.result(m.node("Einsum", inputs, equation=equation), "f32", [])]


def scatter(m, op):
    """Updates of rows or elements at indices that differ."""
    m.opset = max(m.opset, 11)
    kind = m.pick("f32", "f32", "i64", "i32")
    rank = m.r.randint(1, 4)
    x = m.transpose(m.operand(kind, [m.r.randint(1, 4) for _ in range(rank)]))
    if op == "ScatterND":
        depth = m.r.randint(1, rank)
        places = [[]]
        for d in x.dims[:depth]:
            places = [p + [i] for p in places for i in range(d)]
        m.r.shuffle(places)
        places = places[:m.r.randint(1, len(places))]
        values = [i if m.often(0.7) else i - x.dims[at]
                  for p in places for at, i in enumerate(p)]
        indices = m.constant("i64", [len(places), depth], values=values)
        updates = m.operand(kind, [len(places)] + x.dims[depth:])
        return [m.result(m.node(op, [x, indices, updates]), kind, x.dims)]
    axis = m.axis(rank)
    dims = [m.r.randint(1, d) for d in x.dims]
    inner = 1
    for d in dims[axis % rank + 1:]:
        inner *= d
    outer = 1
    for d in dims[:axis % rank]:
        outer *= d
    # Along the axis each column has indices of its own.
    columns = [m.r.sample(range(x.dims[axis]), dims[axis])
               for _ in range(outer * inner)]
    values = [columns[o * inner + i][k] for o in range(outer)
              for k in range(dims[axis]) for i in range(inner)]
    values = [v if m.often(0.7) else v - x.dims[axis] for v in values]
    indices = m.constant(m.pick("i32", "i64"), dims, values=values)
    updates = m.operand(kind, dims)
    return [m.result(m.node(op, [x, indices, updates], axis=axis), kind, x.dims)]


def ordering(m):
    op = m.pick("TopK", "CumSum", "OneHot", "Trilu", "NonZero", "ScatterND",
                "ScatterElements", "EyeLike", "ReverseSequence", "Einsum")
    rank = m.r.randint(1, 4)
    if op == "TopK":
        kind = m.pick("f32", "f32", "i32", "i64")
        m.opset = max(m.opset, 11 if kind != "f32" else 10)
        x = m.transpose(m.input(kind, [m.r.randint(1, 6) for _ in range(rank)]))
        axis = m.axis(rank)
        if m.opset < 11:
            axis %= rank
        attributes = {"axis": axis}
        if m.opset >= 11 and m.often():
            attributes["largest"] = m.pick(0, 1)
        k = m.constant("i64", [1], values=[m.r.randint(1, x.dims[axis])])
        outs = m.node(op, [x, k], 2, **attributes)
        return [m.result(outs[0], kind, []), m.result(outs[1], "i64", [])]
    if op == "CumSum":
        m.opset = max(m.opset, 11)
        kind = m.pick("f32", "i32", "i64", "f64")
        x = m.transpose(m.input(kind, m.dims(rank)))
        axis = m.constant(m.pick("i32", "i64"), [], values=[m.axis(rank)])
        return [m.result(m.node(op, [x, axis], exclusive=m.pick(0, 1),
                                reverse=m.pick(0, 1)), kind, x.dims)]
    x = m.input("f32", m.dims(max(rank, 2)))
    if op == "Trilu":
        m.opset = max(m.opset, 14)
        inputs = [x]
        if m.often():
            inputs.append(m.constant("i64", [], values=[m.r.randint(-3, 3)]))
        return [m.result(m.node(op, inputs, upper=m.pick(0, 1)), "f32", x.dims)]
    if op == "OneHot":
        m.opset = max(m.opset, 11)
        x = m.input("i64", m.dims(rank), "small")
        depth = m.constant("i64", [], values=[m.r.randint(1, 6)])
        values = m.constant("f32", [2])
        return [m.result(m.node(op, [x, depth, values],
                                axis=m.r.randint(-rank - 1, rank)), "f32", [])]
    if op == "NonZero":
        m.opset = max(m.opset, 9)
        return [m.result(m.node(op, [x]), "i64", [])]
    if op == "Einsum":
        return einsum(m)
    if op in ("ScatterND", "ScatterElements"):
        return scatter(m, op)
    m.opset = max(m.opset, 11)
    return [m.result(m.node("Identity", [x]), "f32", x.dims)]


def power(m):
    """A power of two."""
    return 2.0 ** -m.r.randint(0, 8)


def scale(m, kind="any"):
    return power(m) if kind == "pow2" else m.pick(
        power(m), round(m.r.uniform(0.002, 0.2), 6))


def quant(m, x, style, kind):
    """QuantizeLinear and DequantizeLinear of a float value."""
    s = m.constant("f32", [], values=[scale(m, style)])
    zero = 0 if style == "pow2" else m.pick(0, m.number(kind))
    z = m.constant(kind, [], values=[zero])
    q = Value(m.node("QuantizeLinear", [x, s, z]), kind, x.dims)
    return Value(m.node("DequantizeLinear", [q, s, z]), "f32", x.dims)


def weight_quant(m, dims, style, axis=0):
    """A constant weight between 8-bit integers and floats."""
    m.opset = max(m.opset, 13)
    per_channel = style != "pow2" and m.often(0.4)
    count = dims[axis] if per_channel else 1
    s = m.constant("f32", [count] if per_channel else [],
                   values=[scale(m, style) for _ in range(count)])
    z = m.constant("i8", [count] if per_channel else [], values=[0] * count)
    w = m.constant("i8", dims, values=[m.r.randint(-127, 127) for _ in
                                       m.values("i8", dims, None)])
    attributes = {"axis": axis} if per_channel else {}
    return Value(m.node("DequantizeLinear", [w, s, z], **attributes), "f32",
                 dims), s


def qdq(m):
    """A float operator between its conversions."""
    m.opset = max(m.opset, 13)
    style = m.pick("pow2", "any")
    kind = m.pick("i8", "u8") if style != "pow2" else "i8"
    op = m.pick("Conv", "MatMul", "Gemm", "Add", "Mul", "Concat", "MaxPool",
                "AveragePool", "GlobalAveragePool", "Relu", "LeakyRelu",
                "Sigmoid", "Softmax", "Resize", "Reshape", "Transpose",
                "ReduceMean", "ConvTranspose", "HardSwish", "Clip", "Sub",
                "Pad", "Slice", "Max", "Min", "Div", "Tanh", "Flatten", "Split",
                "ReduceMax", "DepthToSpace", "Unsqueeze", "Where", "PRelu")
    x = image(m, 2, m.pick(1, 2, 3, 4), "f32", "between")
    a = quant(m, x, style, kind)
    attributes = {}
    if op in ("Conv", "ConvTranspose"):
        k = m.pick(1, 2, 3)
        outs = m.pick(1, 2, 4)
        dims = [outs, x.dims[1], k, k] if op == "Conv" else [
            x.dims[1], outs, k, k]
        w, s = weight_quant(m, dims, style, 0 if op == "Conv" else 1)
        inputs = [a, w]
        if m.often():
            attributes["pads"] = [m.r.randint(0, k - 1) for _ in range(4)]
        if m.often(0.3):
            attributes["strides"] = [2, 2]
        y = Value(m.node(op, inputs, **attributes), "f32", [])
        if m.often(0.4):
            y = Value(m.node(m.pick("Relu", "Clip"), [y]) if m.often() else
                      m.node("LeakyRelu", [y], alpha=0.1015625), "f32", [])
    elif op in ("MatMul", "Gemm"):
        flat = Value(m.node("Flatten", [a]), "f32", [])
        n = x.dims[1] * x.dims[2] * x.dims[3]
        w, s = weight_quant(m, [n, m.pick(1, 3)], style, 1)
        y = Value(m.node(op, [flat, w]), "f32", [])
    elif op == "Div": # not by what quantises to 0
        y = Value(m.node(op, [a, m.constant("f32", m.broadcast(x.dims),
                                            "positive")]), "f32", [])
    elif op in ("Add", "Mul", "Sub", "Max", "Min"):
        other = m.input("f32", m.broadcast(x.dims), "between")
        y = Value(m.node(op, [a, quant(m, other, style, kind)]), "f32", [])
    elif op == "Concat":
        other = m.input("f32", x.dims, "between")
        y = Value(m.node(op, [a, quant(m, other, style, kind)], axis=m.axis(4)),
                  "f32", [])
    elif op in ("MaxPool", "AveragePool"):
        y = Value(m.node(op, [a], **window(m, 2, [2, m.pick(2, 3)], None, True)
                         if op == "MaxPool" else {"kernel_shape": [2, 2]}),
                  "f32", [])
    elif op == "Resize":
        s = m.constant("f32", [4], values=[1.0, 1.0, 2.0, 2.0])
        y = Value(m.node(op, [a, None, s], mode=m.pick("nearest", "linear"),
                         coordinate_transformation_mode="asymmetric",
                         nearest_mode="floor"), "f32", [])
    elif op == "Reshape":
        s = m.constant("i64", [2], values=[x.dims[0], -1])
        y = Value(m.node(op, [a, s]), "f32", [])
    elif op == "Transpose":
        y = Value(m.node(op, [a], perm=m.r.sample(range(4), 4)), "f32", [])
    elif op == "Split":
        x = image(m, 2, 4, "f32", "between")
        a = quant(m, x, style, kind)
        sizes = m.constant("i64", [2], values=[1, 3])
        y = Value(m.node(op, [a, sizes], 2, axis=1)[m.pick(0, 1)], "f32", [])
    elif op == "ReduceMax":
        if m.opset >= 18:
            y = Value(m.node(op, [a, m.constant("i64", [2], values=[2, 3])],
                             keepdims=m.pick(0, 1)), "f32", [])
        else:
            y = Value(m.node(op, [a], axes=[2, 3], keepdims=m.pick(0, 1)), "f32",
                      [])
    elif op == "DepthToSpace":
        x = image(m, 2, 4, "f32", "between")
        a = quant(m, x, style, kind)
        y = Value(m.node(op, [a], blocksize=2, mode=m.pick("DCR", "CRD")), "f32",
                  [])
    elif op == "Unsqueeze":
        y = Value(m.node(op, [a, m.constant("i64", [1], values=[m.axis(5)])]),
                  "f32", [])
    elif op == "Where":
        other = quant(m, m.input("f32", m.broadcast(x.dims), "between"), style,
                      kind)
        y = Value(m.node(op, [m.operand("bool", m.broadcast(x.dims)), a, other]),
                  "f32", [])
    elif op == "PRelu":
        y = Value(m.node(op, [a, m.constant("f32", [x.dims[1], 1, 1],
                                            "positive")]), "f32", [])
    elif op == "ReduceMean":
        if m.opset >= 18:
            y = Value(m.node(op, [a, m.constant("i64", [2], values=[2, 3])]),
                      "f32", [])
        else:
            y = Value(m.node(op, [a], axes=[2, 3]), "f32", [])
    elif op == "Clip":
        y = Value(m.node(op, [a, m.constant("f32", [], values=[0.0]),
                              m.constant("f32", [], values=[6.0])]), "f32", [])
    elif op == "Pad":
        p = m.constant("i64", [8], values=[0, 0, 1, 1, 0, 0, m.pick(0, 2), 1])
        y = Value(m.node(op, [a, p]), "f32", [])
    elif op == "Slice":
        y = Value(m.node(op, [a] + [m.constant("i64", [1], values=[v])
                                    for v in (1, 3, 2)]), "f32", [])
    else:
        y = Value(m.node(op, [a]), "f32", [])
    return [quant(m, y, style, kind)]


def qlinear(m):
    """Operators on integers with scales as inputs."""
    m.opset = max(m.opset, 10)
    op = m.pick("QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger",
                "DynamicQuantizeLinear", "QuantizeLinear", "DequantizeLinear",
                "QLinearAdd", "QLinearMul", "QLinearConcat", "QLinearSigmoid",
                "QLinearLeakyRelu", "QLinearAveragePool",
                "QLinearGlobalAveragePool", "QLinearSoftmax", "QGemm")
    kind = m.pick("u8", "i8")

    def pair(zero_kind=None):
        k = zero_kind or kind
        return [m.constant("f32", [], values=[scale(m)]),
                m.constant(k, [], values=[m.number(k)])]

    if op in ("QLinearConv", "ConvInteger"):
        channels, outs, k = m.pick(1, 2, 4), m.pick(1, 2, 3), m.pick(1, 2, 3)
        x = image(m, 2, channels, kind)
        wk = m.pick("u8", "i8") if kind == "u8" else "i8"
        w = m.constant(wk, [outs, channels, k, k])
        attributes = window(m, 2, [k, k], None, False)
        if op == "ConvInteger":
            inputs = [x, w]
            if m.often(0.7):
                inputs.append(m.constant(kind, [], values=[m.number(kind)]))
                if m.often(0.7):
                    inputs.append(m.constant(wk, [], values=[m.number(wk)]))
            return [m.result(m.node(op, inputs, **attributes), "i32", [])]
        per = m.often(0.4)
        ws = m.constant("f32", [outs] if per else [],
                        values=[scale(m) for _ in range(outs if per else 1)])
        wz = m.constant(wk, [outs] if per else [],
                        values=[0 if per else m.number(wk)] * (
                            outs if per else 1))
        inputs = [x] + pair() + [w, ws, wz] + pair()
        if m.often():
            inputs.append(m.constant("i32", [outs], "small"))
        return [m.result(m.node(op, inputs, **attributes), kind, [])]
    if op in ("QLinearMatMul", "MatMulInteger", "QGemm"):
        n, k, p = (m.pick(1, 2, 3, 5) for _ in range(3))
        a = m.input(kind, [n, k])
        bk = m.pick("u8", "i8") if kind == "u8" else "i8"
        if op == "QGemm":
            tb = m.pick(0, 1)
            b = m.constant(bk, [p, k] if tb else [k, p])
            per = m.often(0.3)
            bs = m.constant("f32", [p] if per else [], values=[
                scale(m) for _ in range(p if per else 1)])
            bz = m.constant(bk, [p] if per else [], values=[
                m.number(bk) for _ in range(p if per else 1)])
            inputs = [a] + pair() + [b, bs, bz]
            inputs += [m.constant("i32", [p], "small") if m.often() else None]
            if m.often(0.8):
                inputs += pair()
            attributes = {"transB": tb}
            if m.often(0.2):
                attributes["alpha"] = m.pick(0.5, 2.0)
            while inputs[-1] is None:
                inputs.pop()
            return [m.result(m.node("QGemm@com.microsoft", inputs,
                                    **attributes), kind, [n, p])]
        batch = m.dims(m.r.randint(0, 1))
        b = m.operand(bk, batch + [k, p], None, 0.8)
        if op == "MatMulInteger":
            inputs = [a, b]
            if m.often(0.7):
                inputs.append(m.constant(kind, [], values=[m.number(kind)]))
                if m.often(0.7):
                    inputs.append(m.constant(bk, [], values=[m.number(bk)]))
            return [m.result(m.node(op, inputs), "i32", [])]
        return [m.result(m.node(op, [a] + pair() + [b] + pair(bk) + pair()),
                         kind, [])]
    if op == "DynamicQuantizeLinear":
        m.opset = max(m.opset, 11)
        x = m.input("f32", m.dims(m.r.randint(0, 4)))
        outs = m.node(op, [x], 3)
        return [m.result(o, k, []) for o, k in zip(outs, ("u8", "f32", "u8"))]
    if op in ("QuantizeLinear", "DequantizeLinear"):
        kind = m.pick("u8", "i8", "i32") if op[0] == "D" else kind
        rank = m.r.randint(1, 4)
        dims = [m.r.randint(1, 4) for _ in range(rank)]
        x = m.transpose(m.input("f32" if op[0] == "Q" else kind, dims))
        attributes, count = {}, 0
        if m.opset >= 13 and m.often(0.4):
            axis = m.axis(rank)
            attributes["axis"], count = axis, x.dims[axis]
        s = m.constant("f32", [count] if count else [],
                       values=[scale(m) for _ in range(count or 1)])
        inputs = [x, s]
        if m.often(0.8) or kind == "i8" and op[0] == "Q":
            inputs.append(m.constant(kind, [count] if count else [], values=[
                0 if kind == "i32" else m.number(kind)
                for _ in range(count or 1)]))
        elif op[0] == "Q":
            kind = "u8"
        return [m.result(m.node(op, inputs, **attributes),
                         kind if op[0] == "Q" else "f32", x.dims)]
    op += "@com.microsoft"
    if op.startswith(("QLinearAdd", "QLinearMul")):
        dims = m.dims(m.r.randint(1, 4))
        a, b = m.input(kind, dims), m.operand(kind, m.broadcast(dims))
        return [m.result(m.node(op, [a] + pair() + [b] + pair() + pair()),
                         kind, [])]
    if op.startswith("QLinearConcat"):
        rank = m.r.randint(1, 4)
        dims = [m.r.randint(1, 3) for _ in range(rank)]
        inputs = pair()
        for _ in range(m.r.randint(1, 3)):
            inputs += [m.operand(kind, dims)] + pair()
        return [m.result(m.node(op, inputs, axis=m.axis(rank)), kind, [])]
    if op.startswith(("QLinearAverage", "QLinearGlobal")):
        x = image(m, 2, m.pick(1, 2, 3), kind)
        if m.often(0.4):
            attributes = {"channels_last": 1}
            x = Value(x.name, kind, x.dims)
        else:
            attributes = {"channels_last": 0} if m.often() else {}
        if op.startswith("QLinearAverage"):
            attributes.update(window(m, 2, [m.pick(1, 2, 3), 2], None, True))
            attributes.pop("dilations", None)
            if m.often():
                attributes["count_include_pad"] = m.pick(0, 1)
            if m.often(0.3) and "auto_pad" not in attributes:
                attributes["ceil_mode"] = m.pick(0, 1)
        return [m.result(m.node(op, [x] + pair() + pair(), **attributes), kind,
                         [])]
    rank = m.r.randint(1, 4)
    x = m.input(kind, m.dims(rank))
    attributes = {}
    if op.startswith("QLinearLeaky"):
        attributes["alpha"] = m.pick(0.1, 0.01, 0.5)
    if op.startswith("QLinearSoftmax"):
        attributes = {"axis": m.axis(rank), "opset": m.pick(12, 13)}
    return [m.result(m.node(op, [x] + pair() + pair(), **attributes), kind,
                     x.dims)]


def branch(m):
    """If, whose condition follows from a shape or a constant; branches read
    what is outside, have constants of their own and may nest."""
    x = m.transpose(m.input("f32", m.dims(m.r.randint(1, 4))))

    def graph(depth):
        name = m.fresh("g")
        outer, m.lines = m.lines, []
        y = Value(m.node(m.pick("Relu", "Neg", "Abs", "Exp"), [x]), "f32", x.dims)
        if m.often():
            y = Value(m.node("Add", [y, m.constant("f32", m.broadcast(x.dims))]),
                      "f32", x.dims)
        if depth and m.often():
            y = choose(depth - 1, y)
        # A graph has no names of others as its results.
        y = Value(m.node("Identity", [y]), "f32", x.dims)
        inner, m.lines = m.lines, outer
        declared = []
        while inner and inner[0].startswith("subgraph"):
            end = inner.index("end") + 1
            declared, inner = declared + inner[:end], inner[end:]
        m.lines += declared + ["subgraph " + name] + inner + [
            "output %s f32 ?" % y.name, "end"]
        return "graph(%s)" % name

    def choose(depth, value):
        graphs = [graph(depth), graph(depth)]
        if m.often():
            flag = m.constant("bool", m.pick([], [1]))
        else:
            size = Value(m.node("Size", [x]), "i64", [])
            flag = Value(m.node(m.pick("Less", "Equal"), [
                size, m.constant("i64", [], values=[m.r.randint(0, 12)])]),
                "bool", [])
            if m.often():
                flag = Value(m.node("Not", [flag]), "bool", [])
        y = m.node("If", [flag], then_branch=graphs[0], else_branch=graphs[1])
        return Value(m.node("Sub", [value, Value(y, "f32", x.dims)]), "f32",
                     x.dims)

    m.opset = max(m.opset, 11)
    return [choose(1, x)]


def shaping(m):
    """Shapes that are computed, as exporters leave them."""
    m.opset = max(m.opset, 13)
    x = m.transpose(m.input("f32", [m.r.randint(1, 4) for _ in
                                    range(m.r.randint(1, 4))]))
    rank = len(x.dims)
    op = m.pick("Reshape", "Expand", "ConstantOfShape", "Range", "Slice", "Resize",
                "Shape", "Size", "CastLike", "Dropout", "Tile", "Pad")
    attributes = {}
    if m.opset >= 15 and op == "Shape":
        if m.often():
            attributes["start"] = m.r.randint(-rank - 1, rank + 1)
        if m.often():
            attributes["end"] = m.r.randint(-rank - 1, rank + 1)
    shape = Value(m.node("Shape", [x], **attributes), "i64", [rank])
    if op == "Shape":
        return [shape]
    if op == "Size":
        return [m.result(m.node(op, [x]), "i64", [])]
    if op == "Dropout":
        return [m.result(m.node(op, [x, m.constant("f32", [])] if m.often() else
                                [x]), "f32", x.dims)]
    if op == "CastLike":
        m.opset = max(m.opset, 15)
        kind = m.pick("f32", "i32", "i64", "f64")
        return [m.result(m.node(op, [m.input("i32", x.dims, "small"), m.constant(
            kind, [1])]), kind, x.dims)]
    at = m.constant("i64", m.pick([], [1]), values=[m.axis(rank)])
    one = Value(m.node("Gather", [shape, at], axis=0), "i64", at.dims)
    scalar = one if not at.dims else Value(
        m.node("Squeeze", [one, m.constant("i64", [1], values=[0])]), "i64", [])
    if op == "Range":
        start = m.constant("i64", [], values=[m.r.randint(-2, 2)])
        step = m.constant("i64", [], values=[m.pick(1, 2, 3, -1)])
        return [m.result(m.node(op, [start, scalar, step]), "i64", [])]
    listed = one if at.dims else Value(
        m.node("Unsqueeze", [one, m.constant("i64", [1], values=[0])]), "i64", [1])
    if op == "Reshape":
        rest = m.constant("i64", [1], values=[-1])
        parts = [listed, rest] if m.often() else [rest, listed]
        s = Value(m.node("Concat", parts, axis=0), "i64", [2])
        return [m.result(m.node(op, [x, s]), "f32", [])]
    if op == "Expand":
        s = Value(m.node("Concat", [listed, shape], axis=0), "i64", [])
        return [m.result(m.node(op, [x, s]), "f32", [])]
    if op == "ConstantOfShape":
        kind = m.pick("f32", "i64", "i32", "u8", "bool", None)
        if kind:
            number = m.number(kind, "small")
            return [m.result(m.node(op, [shape], value="tensor(%s 1 %r)" % (
                kind, number)), kind, [])]
        return [m.result(m.node(op, [shape]), "f32", [])]
    if op == "Slice":
        half = Value(m.node("Div", [listed, m.constant("i64", [1], values=[2])]),
                     "i64", [1])
        axis = m.constant("i64", [1], values=[m.axis(rank)])
        zero = m.constant("i64", [1], values=[0])
        inputs = [x, zero, half, axis] if m.often() else [x, half, listed, axis]
        return [m.result(m.node(op, inputs), "f32", [])]
    if op == "Tile":
        twos = Value(m.node("Mul", [Value(m.node("Div", [shape, shape]), "i64",
                                          [rank]),
                                    m.constant("i64", [1], values=[2])]), "i64",
                     [rank])
        return [m.result(m.node(op, [x, twos]), "f32", [])]
    if op == "Pad":
        zeros = Value(m.node("Sub", [shape, shape]), "i64", [rank])
        pads = Value(m.node("Concat", [zeros, Value(m.node("Add", [
            zeros, m.constant("i64", [1], values=[m.pick(0, 1, 2)])]), "i64",
            [rank])], axis=0), "i64", [2 * rank])
        return [m.result(m.node(op, [x, pads]), "f32", [])]
    # Resize to twice the size that it has.
    image_value = image(m, 2, 2)
    s = Value(m.node("Shape", [image_value]), "i64", [4])
    first = Value(m.node("Slice", [s] + [m.constant("i64", [1], values=[v])
                                         for v in (0, 2, 0)]), "i64", [2])
    last = Value(m.node("Slice", [s] + [m.constant("i64", [1], values=[v])
                                        for v in (2, 4, 0)]), "i64", [2])
    last = Value(m.node("Mul", [last, m.constant("i64", [1], values=[2])]), "i64",
                 [2])
    sizes = Value(m.node("Concat", [first, last], axis=0), "i64", [4])
    return [m.result(m.node(
        "Resize", [image_value, None, None, sizes], mode=m.pick("nearest", "linear"),
        coordinate_transformation_mode=m.pick("asymmetric", "half_pixel")), "f32",
        [])]


def literal(m):
    """Constant in each of its spellings, on both sides of an operator."""
    m.opset = max(m.opset, 13)
    form = m.pick("value", "value_float", "value_int", "value_floats",
                  "value_ints")
    kind = "i64" if "int" in form else "f32"
    dims = [] if form in ("value_float", "value_int") else [m.r.randint(1, 4)]
    numbers = m.values(kind, dims, "small")
    numbers = [float(n) for n in numbers] if kind == "f32" else numbers
    if form == "value":
        dims = m.dims(m.r.randint(0, 3))
        numbers = m.values(kind, dims, "small")
        given = "tensor(f32 %s %s)" % ("x".join(map(str, dims)) or "-",
                                       " ".join(map(repr, numbers)))
    else:
        given = numbers if dims else numbers[0]
    c = Value(m.node("Constant", [], **{form: given}), kind, dims)
    x = m.transpose(m.operand(kind, m.broadcast(dims) if m.often() else
                              m.dims(m.r.randint(0, 2)) + dims, None, 0.1))
    op = m.pick("Add", "Sub", "Mul", "Max", "Concat")
    if op == "Concat" and dims and len(x.dims) == len(dims):
        return [m.result(m.node(op, [x, c], axis=m.axis(len(dims))), kind, [])]
    op = "Add" if op == "Concat" else op
    inputs = [x, c] if m.often() else [c, x]
    return [m.result(m.node(op, inputs), kind, joined(x.dims, dims))]


FAMILIES = ((unary, 2), (unary_alpha, 1), (clip, 1), (binary, 4), (nary, 1),
            (where, 1), (cast, 1), (reduction, 3), (arg, 1), (softmax, 1),
            (conv, 4), (conv_transpose, 3), (pool, 4), (matmul, 2), (gemm, 2),
            (normalization, 2), (pad, 2), (slices, 2), (gather, 2), (join, 2),
            (split, 1), (reshape, 3), (resize, 3), (ordering, 1), (qdq, 4),
            (qlinear, 4), (branch, 1), (shaping, 2), (literal, 1))


def follow(m, x):
    """Another operator after the main one; its shape need not be known."""
    if x.kind == "f32":
        op = m.pick("Relu", "Neg", "Add", "Sigmoid", "Abs", "Identity", "Shape")
        if op == "Add":
            return Value(m.node(op, [x, x]), "f32", [])
        if op == "Shape":
            return Value(m.node(op, [x]), "i64", [])
        return Value(m.node(op, [x]), "f32", [])
    if x.kind in ("i32", "i64"):
        return Value(m.node("Add", [x, x]), x.kind, [])
    return Value(m.node("Identity", [x]), x.kind, [])


def make(seed):
    m = Maker(seed)
    families = [f for f, weight in FAMILIES for _ in range(weight)]
    family = m.r.choice(families)
    results = family(m)
    # A step of a quantised result must stay what it is.
    for _ in range(0 if family is qdq else m.r.choice([0, 0, 1, 2])):
        results[0] = follow(m, results[0])
    head = ["ir 8", "opset %d" % m.opset]
    head += ["opset 1 " + d for d in sorted(m.domains)]
    head += ["input %s %s %s" % (v.name, v.kind, "x".join(map(str, v.dims)) or
                                 "-") for v, _ in m.inputs]
    tail = ["output %s %s ?" % (v.name, v.kind) for v in results]
    return "\n".join(head + m.lines + tail) + "\n", m.inputs
