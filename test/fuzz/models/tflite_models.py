"""Random TensorFlow Lite models: one operator with attributes at their corners.

make(seed) gives the lines of a model, as test/Inputs/tflite.py reads them, and
its inputs. What TensorFlow Lite refuses does not count.
"""

import random
import struct

FORMS = {"float32": "f", "int8": "b", "uint8": "B", "int16": "h", "int32": "i",
         "int64": "q", "bool": "B"}
NAMES = {"float32": "f32", "int8": "i8", "uint8": "u8", "int16": "i16",
         "int32": "i32", "int64": "i64", "bool": "bool"}


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.inputs, self.outputs = [], [], []

    def pick(self, *items):
        return self.r.choice(items)

    def often(self, chance=0.5):
        return self.r.random() < chance

    def dims(self, rank=None):
        rank = self.r.randint(1, 4) if rank is None else rank
        return [self.r.choice([1, 1, 2, 3, 4, 5]) for _ in range(rank)]

    def quant(self, kind):
        """A scale and zero point as the writer has them."""
        if kind not in ("int8", "uint8"):
            return ""
        zero = self.r.randint(-30, 30) + (128 if kind == "uint8" else 0)
        return " q=%r:%d" % (round(self.r.uniform(0.01, 0.2), 5), zero)

    def values(self, kind, count):
        r = self.r
        if kind == "float32":
            return [r.choice([round(r.gauss(0, 2), 3), float(r.randint(-5, 5))])
                    for _ in range(count)]
        if kind == "bool":
            return [r.randint(0, 1) for _ in range(count)]
        low, high = {"int8": (-128, 127), "uint8": (0, 255)}.get(kind, (-20, 20))
        return [r.randint(low, high) for _ in range(count)]

    def tensor(self, name, kind, dims, quant=None, data=None):
        shape = "x".join(map(str, dims)) or "scalar"
        quant = self.quant(kind) if quant is None else quant
        self.lines.append("tensor %s %s %s%s%s" % (
            name, kind, shape, quant,
            "" if data is None else " data=" + ",".join(map(repr, data))))
        return quant

    def input(self, name, kind, dims, quant=None):
        count = 1
        for d in dims:
            count *= d
        data = self.values(kind, count)
        self.inputs.append((name, NAMES[kind], dims, struct.pack(
            "<%d%s" % (count, FORMS[kind]), *data)))
        return self.tensor(name, kind, dims, quant)

    def constant(self, name, kind, dims, values, quant=""):
        return self.tensor(name, kind, dims, quant, values)

    def op(self, text, outputs="y"):
        self.lines.append("op " + text)
        self.outputs = outputs.split()


def broadcast(m, dims):
    other = [1 if m.often(0.3) else d for d in dims]
    return other[m.r.randint(0, len(other) - 1):] if m.often(0.3) else other


def joined(a, b):
    rank = max(len(a), len(b))
    a, b = [1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b
    return [y if x == 1 else x for x, y in zip(a, b)]


def unary(m):
    op, kinds = m.pick(
        ("ABS", ("float32",)), ("CEIL", ("float32",)), ("ELU", ("float32",)),
        ("EXP", ("float32",)), ("FLOOR", ("float32",)), ("NEG", ("float32",)),
        ("HARD_SWISH", ("float32", "int8", "uint8")),
        ("LEAKY_RELU", ("float32", "int8", "uint8")),
        ("LOGISTIC", ("float32", "int8", "uint8")),
        ("RELU", ("float32", "int8")), ("RELU6", ("float32", "int8")),
        ("RELU_N1_TO_1", ("float32",)), ("ROUND", ("float32",)),
        ("SQUARE", ("float32",)), ("TANH", ("float32", "int8", "uint8")),
        ("GELU", ("float32", "int8", "uint8")),
        ("SOFTMAX", ("float32", "int8")),
        ("LOG_SOFTMAX", ("float32",)), ("SQRT", ("float32",)),
        ("RSQRT", ("float32",)),
        ("L2_NORMALIZATION", ("float32", "int8", "uint8")),
        ("SIN", ("float32",)), ("COS", ("float32",)),
        ("SIGN", ("float32", "int32")), ("ZEROS_LIKE", ("float32", "int32")))
    kind, dims = m.pick(*kinds), m.dims(m.r.randint(1, 4))
    m.input("x", kind, dims)
    quant = None
    if kind != "float32" and op in ("LOGISTIC", "SOFTMAX"):
        quant = " q=0.00390625:%d" % (-128 if kind == "int8" else 0)
    if kind != "float32" and op in ("TANH", "L2_NORMALIZATION"):
        quant = " q=0.0078125:%d" % (0 if kind == "int8" else 128)
    m.tensor("y", kind, dims, quant)
    extra = {"LEAKY_RELU": " alpha=%r" % m.pick(0.1, 0.3, 0.01),
             "SOFTMAX": " beta=%r" % m.pick(1.0, 0.5),
             "GELU": " approximate=%d" % m.pick(0, 1)}.get(op, "")
    m.op("%s x -> y%s" % (op, extra))


def binary(m):
    op, kinds = m.pick(
        ("ADD", ("float32", "int8", "uint8", "int32")),
        ("SUB", ("float32", "int8", "uint8", "int32")),
        ("MUL", ("float32", "int8", "uint8", "int32")), ("DIV", ("float32",)),
        ("MAXIMUM", ("float32", "int32")), ("MINIMUM", ("float32", "int32")),
        ("SQUARED_DIFFERENCE", ("float32", "int8")), ("FLOOR_MOD", ("int32",)),
        ("FLOOR_DIV", ("int32", "float32")),
        ("LESS", ("float32", "int32")), ("PRELU", ("float32",)))
    kind, dims = m.pick(*kinds), m.dims(m.r.randint(1, 4))
    m.input("x", kind, dims)
    other = broadcast(m, dims)
    divides = op in ("DIV", "FLOOR_MOD", "FLOOR_DIV")
    if divides or op == "PRELU" or m.often(0.4):
        count = 1
        for d in other:
            count *= d
        values = m.values(kind, count)
        if divides:
            values = [v or 3 for v in values]
        m.constant("b", kind, other, values, m.quant(kind))
    else:
        m.input("b", kind, other)
    m.tensor("y", "bool" if op == "LESS" else kind, joined(dims, other))
    extra = ""
    if op in ("ADD", "SUB", "MUL", "DIV") and m.often(0.4):
        extra = " activation=%d" % m.pick(1, 2, 3)
    m.op("%s x b -> y%s" % (op, extra))


def out_size(size, kernel, stride, dilation, same):
    span = (kernel - 1) * dilation + 1
    return -(-size // stride) if same else (size - span) // stride + 1


def convolution(m):
    depthwise = m.often(0.4)
    kind = m.pick("float32", "int8")
    h, w, c, o = m.r.randint(3, 8), m.r.randint(3, 8), m.r.randint(1, 4), (
        m.r.randint(1, 4))
    kh, kw = m.r.randint(1, 3), m.r.randint(1, 3)
    sh, dh = m.pick((1, 1), (2, 1), (1, 2), (3, 1))
    same = m.often()
    oh, ow = (out_size(s, k, sh, dh, same) for s, k in ((h, kh), (w, kw)))
    if oh < 1 or ow < 1:
        same, oh, ow = True, -(-h // sh), -(-w // sh)
    multiplier = m.r.randint(1, 2)
    o = c * multiplier if depthwise else o
    dims = [1, kh, kw, o] if depthwise else [o, kh, kw, c]
    m.input("x", kind, [1, h, w, c])
    scales = [round(m.r.uniform(0.01, 0.1), 5) for _ in range(o)]
    count = dims[0] * kh * kw * dims[3]
    values = m.values(kind, count)
    if kind == "int8":
        values = [max(v, -127) for v in values]
    m.constant("w", kind, dims, values, "" if kind == "float32" else
               " q=%s@%d" % (",".join(map(repr, scales)), 3 if depthwise else 0))
    if m.often(0.7):
        bias = "float32" if kind == "float32" else "int32"
        xq = m.lines[0].split("q=")[-1].split(":")[0] if kind == "int8" else "1"
        m.constant("b", bias, [o], m.values(bias, o), "" if bias == "float32"
                   else " q=" + ",".join("%r:0" % (float(xq) * s)
                                         for s in scales) + "@0")
        names = "x w b"
    else:
        names = "x w -" if kind == "float32" or True else ""
    m.tensor("y", kind, [1, oh, ow, o])
    m.op("%s %s -> y padding=%d stride_w=%d stride_h=%d dilation_w=%d "
         "dilation_h=%d activation=%d%s" % (
             "DEPTHWISE_CONV_2D" if depthwise else "CONV_2D", names,
             0 if same else 1, sh, sh, dh, dh, m.pick(0, 0, 1, 3),
             " multiplier=%d" % multiplier if depthwise else ""))


def transposed(m):
    h, w, c, o = (m.r.randint(1, 4) for _ in range(4))
    k, s, same = m.r.randint(1, 4), m.r.randint(1, 3), m.often()
    size = [x * s if same else (x - 1) * s + k for x in (h, w)]
    if same:
        size = [max(1, x - m.r.randint(0, s - 1)) for x in size]
    m.constant("s", "int32", [4], [1] + size + [o])
    m.constant("w", "float32", [o, k, k, c], m.values("float32", o * k * k * c))
    m.input("x", "float32", [1, h, w, c])
    m.tensor("y", "float32", [1] + size + [o])
    m.op("TRANSPOSE_CONV s w x -> y padding=%d stride_w=%d stride_h=%d" % (
        0 if same else 1, s, s))


def volume(m):
    """A convolution over three dimensions, perhaps after another."""
    transposed = m.often(0.4)
    size, kernel = ([m.r.randint(1, 5) for _ in range(3)] for _ in range(2))
    stride, same = [m.pick(1, 1, 2, 3) for _ in range(3)], m.often()
    dilation = [1 if s > 1 else m.pick(1, 1, 2) for s in stride]
    c, o = m.r.randint(1, 3), m.r.randint(1, 3)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    m.input("x", "float32", [m.pick(1, 2)] + size + [c])
    batch = m.inputs[0][2][0]
    if transposed:
        dilation, reach = [1, 1, 1], kernel
        out = [x * s if same else (x - 1) * s + k
               for x, s, k in zip(size, stride, kernel)]
        if same:
            out = [max(1, x - m.r.randint(0, s - 1)) for x, s in zip(out, stride)]
        m.constant("s", "int32", [5], [batch] + out + [o])
        kernel = kernel + [o, c]
    else:
        same = same or any(x < r for x, r in zip(size, reach))
        out = [out_size(x, k, s, d, same) for x, k, s, d in zip(
            size, kernel, stride, dilation)]
        kernel = kernel + [c, o]
    count = 1
    for k in kernel:
        count *= k
    m.constant("w", "float32", kernel, m.values("float32", count))
    bias = m.often()
    if bias:
        m.constant("b", "float32", [o], m.values("float32", o))
    names = ("s w x" if transposed else "x w") + (" b" if bias else " -")
    then = m.often(0.4)
    m.tensor("v" if then else "y", "float32", [batch] + out + [o])
    m.op("%s %s -> %s padding=%d %s %s activation=%d" % (
        "CONV_3D_TRANSPOSE" if transposed else "CONV_3D", names,
        "v" if then else "y", 0 if same else 1,
        " ".join("stride_%s=%d" % pair for pair in zip("dhw", stride)),
        " ".join("dilation_%s=%d" % pair for pair in zip("dhw", dilation)),
        0 if transposed else m.pick(0, 0, 1, 3)))
    if not then:
        return
    m.tensor("y", "float32", [batch] + out + [o])
    if m.often():
        m.op("%s v -> y" % m.pick("RELU", "TANH", "ABS"))
    else:
        m.constant("k", "float32", [o], m.values("float32", o))
        m.op("%s -> y" % m.pick("ADD v v", "ADD v k", "MUL k v", "SUB k v"))


def pool(m):
    kind, average = m.pick("float32", "int8", "uint8"), m.often()
    h, w, c = m.r.randint(2, 8), m.r.randint(2, 8), m.r.randint(1, 4)
    kh, kw, s = m.r.randint(1, min(3, h)), m.r.randint(1, min(3, w)), m.pick(
        1, 2, 3)
    same = m.often()
    quant = m.input("x", kind, [1, h, w, c])
    m.tensor("y", kind, [1] + [out_size(a, k, s, 1, same) for a, k in (
        (h, kh), (w, kw))] + [c], quant)
    op = "L2_POOL_2D" if kind == "float32" and m.often(0.2) else (
        "AVERAGE_POOL_2D" if average else "MAX_POOL_2D")
    m.op("%s x -> y padding=%d stride_w=%d stride_h=%d filter_w=%d filter_h=%d"
         " activation=%d" % (op, 0 if same else 1, s, s, kw, kh, m.pick(0, 0, 1, 3)))


def dense(m):
    n, k, o = (m.r.randint(1, 5) for _ in range(3))
    kind = m.pick("float32", "int8")
    m.input("x", kind, [n, k])
    values = [max(v, -127) for v in m.values(kind, o * k)] if (
        kind == "int8") else m.values(kind, o * k)
    m.constant("w", kind, [o, k], values, "" if kind == "float32" else
               " q=%r:0" % round(m.r.uniform(0.01, 0.1), 5))
    m.tensor("y", kind, [n, o])
    m.op("FULLY_CONNECTED x w - -> y activation=%d" % m.pick(0, 1, 3))


def reduction(m):
    op = m.pick("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "ARG_MAX", "ARG_MIN",
                "REDUCE_PROD", "REDUCE_ANY", "REDUCE_ALL")
    kind = m.pick("float32", "float32", "int32")
    kind = "bool" if op in ("REDUCE_ANY", "REDUCE_ALL") else kind
    rank = m.r.randint(1, 4)
    dims = m.dims(rank)
    m.input("x", kind, dims)
    if op.startswith("ARG"):
        axis = m.r.randint(-rank, rank - 1)
        m.constant("a", "int32", [], [axis])
        m.tensor("y", "int32", [d for i, d in enumerate(dims)
                                if i != axis % rank])
        m.op("%s x a -> y" % op)
        return
    axes = m.r.sample(range(rank), m.r.randint(1, rank))
    keep = m.pick(0, 1)
    m.constant("a", "int32", [len(axes)], [a if m.often() else a - rank
                                           for a in axes])
    m.tensor("y", kind, [1 if i in axes else d for i, d in enumerate(dims)
                         if keep or i not in axes])
    m.op("%s x a -> y keep_dims=%d" % (op, keep))


def move(m):
    op = m.pick("TRANSPOSE", "PAD", "MIRROR_PAD", "SLICE", "STRIDED_SLICE",
                "TILE", "GATHER", "GATHER_ND", "TOPK_V2", "CONCATENATION",
                "DEPTH_TO_SPACE", "SPACE_TO_DEPTH", "RESIZE_BILINEAR",
                "RESIZE_NEAREST_NEIGHBOR", "SELECT_V2", "SPLIT")
    kind = m.pick("float32", "float32", "int8", "int32")
    rank = m.r.randint(1, 4)
    dims = m.dims(rank)
    if op in ("DEPTH_TO_SPACE", "SPACE_TO_DEPTH") or op.startswith("RESIZE"):
        kind, block = m.pick("float32", "int8", "uint8"), m.pick(1, 2, 3)
        h, w, c = (m.r.randint(1, 4) for _ in range(3))
        if op == "DEPTH_TO_SPACE":
            dims, out = [1, h, w, c * block * block], [1, h * block, w * block, c]
        else:
            dims, out = [1, h * block, w * block, c], [1, h, w, c * block * block]
        if op.startswith("RESIZE"):
            out = [1, m.r.randint(1, 8), m.r.randint(1, 8), dims[3]]
        quant = m.input("x", kind, dims)
        m.tensor("y", kind, out, quant)
        if op.startswith("RESIZE"):
            m.constant("s", "int32", [2], out[1:3])
            flags = m.pick((0, 0), (1, 0), (0, 1))
            m.op("%s x s -> y align_corners=%d half_pixel_centers=%d" % (
                (op,) + flags))
        else:
            m.op("%s x -> y block_size=%d" % (op, block))
        return
    quant = m.input("x", kind, dims)
    if op == "TRANSPOSE":
        order = m.r.sample(range(rank), rank)
        m.constant("p", "int32", [rank], order)
        m.tensor("y", kind, [dims[p] for p in order], quant)
        m.op("TRANSPOSE x p -> y")
    elif op in ("PAD", "MIRROR_PAD"):
        mode = m.pick(0, 1)
        pads = []
        for d in dims:
            most = 2 if op == "PAD" else min(2, d - 1 + mode)
            pads += [m.r.randint(0, most), m.r.randint(0, most)]
        m.constant("p", "int32", [rank, 2], pads)
        m.tensor("y", kind, [d + pads[2 * i] + pads[2 * i + 1]
                             for i, d in enumerate(dims)], quant)
        m.op("%s x p -> y%s" % (op, "" if op == "PAD" else " mode=%d" % mode))
    elif op in ("SLICE", "STRIDED_SLICE"):
        begin = [m.r.randint(0, d - 1) for d in dims]
        size = [m.r.randint(1, d - b) for d, b in zip(dims, begin)]
        m.constant("b", "int32", [rank], begin)
        if op == "SLICE":
            m.constant("s", "int32", [rank], size)
            m.tensor("y", kind, size, quant)
            m.op("SLICE x b s -> y")
            return
        step = [m.pick(1, 1, 2) for _ in dims]
        m.constant("e", "int32", [rank], [b + s for b, s in zip(begin, size)])
        m.constant("t", "int32", [rank], step)
        m.tensor("y", kind, [-(-s // t) for s, t in zip(size, step)], quant)
        m.op("STRIDED_SLICE x b e t -> y")
    elif op == "TILE":
        times = [m.pick(1, 2, 3) for _ in dims]
        m.constant("n", "int32", [rank], times)
        m.tensor("y", kind, [d * t for d, t in zip(dims, times)], quant)
        m.op("TILE x n -> y")
    elif op == "GATHER":
        axis = m.r.randrange(rank)
        count = m.r.randint(1, 4)
        m.constant("i", "int32", [count], [m.r.randrange(dims[axis])
                                           for _ in range(count)])
        m.tensor("y", kind, dims[:axis] + [count] + dims[axis + 1:], quant)
        m.op("GATHER x i -> y axis=%d" % axis)
    elif op == "GATHER_ND":
        depth, count = m.r.randint(1, rank), m.r.randint(1, 4)
        m.constant("i", "int32", [count, depth], [
            m.r.randrange(dims[k]) for _ in range(count) for k in range(depth)])
        m.tensor("y", kind, [count] + dims[depth:], quant)
        m.op("GATHER_ND x i -> y")
    elif op == "TOPK_V2":
        k = m.r.randint(1, dims[-1])
        m.constant("k", "int32", [], [k])
        m.tensor("y", kind, dims[:-1] + [k], quant)
        m.tensor("i", "int32", dims[:-1] + [k])
        m.op("TOPK_V2 x k -> y i", "y i")
    elif op == "CONCATENATION":
        axis = m.r.randrange(rank)
        other = list(dims)
        other[axis] = m.r.randint(1, 3)
        m.input("b", kind, other, quant)
        out = list(dims)
        out[axis] += other[axis]
        m.tensor("y", kind, out, quant)
        m.op("CONCATENATION x b -> y axis=%d" % (axis - m.pick(0, rank)))
    elif op == "SELECT_V2":
        m.input("c", "bool", dims)
        m.input("b", kind, dims, quant)
        m.tensor("y", kind, dims, quant)
        m.op("SELECT_V2 c x b -> y")
    else:
        axis = m.r.randrange(rank)
        parts = m.pick(*[p for p in (1, 2, 3, 4, 5) if dims[axis] % p == 0])
        m.constant("a", "int32", [], [axis])
        out = list(dims)
        out[axis] //= parts
        names = ["y%d" % i for i in range(parts)]
        for name in names:
            m.tensor(name, kind, out, quant)
        m.op("SPLIT a x -> %s num_splits=%d" % (" ".join(names), parts),
             " ".join(names))


def along(m):
    op = m.pick("CUMSUM", "REVERSE_V2", "REVERSE_SEQUENCE", "ONE_HOT", "FILL")
    kind = m.pick("float32", "int32")
    rank = m.r.randint(2, 4)
    dims = m.dims(rank)
    axis = m.r.randint(-rank, rank - 1)
    if op == "ONE_HOT":
        m.input("x", "int32", dims)
        depth = m.r.randint(1, 6)
        m.constant("d", "int32", [], [depth])
        for side in ("t", "f"):
            m.constant(side, kind, [], m.values(kind, 1))
        at = m.r.randint(-1, rank)
        where = rank if at < 0 else at
        m.tensor("y", kind, dims[:where] + [depth] + dims[where:])
        m.op("ONE_HOT x d t f -> y axis=%d" % at)
        return
    if op == "FILL":
        m.input("x", kind, [])
        m.constant("d", "int32", [rank], dims)
        m.tensor("y", kind, dims)
        m.op("FILL d x -> y")
        return
    m.input("x", kind, dims)
    if op == "REVERSE_SEQUENCE":
        time, batch = m.r.sample(range(rank), 2)
        m.constant("n", "int32", [dims[batch]], [
            m.r.randint(1, dims[time]) for _ in range(dims[batch])])
        text = "x n -> y seq_dim=%d batch_dim=%d" % (time, batch)
    elif op == "CUMSUM":
        m.constant("a", "int32", [], [axis])
        text = "x a -> y exclusive=%d reverse=%d" % (m.pick(0, 1), m.pick(0, 1))
    else:
        m.constant("a", "int32", [1], [axis])
        text = "x a -> y"
    m.tensor("y", kind, dims)
    m.op(op + " " + text)


def product(dims):
    count = 1
    for d in dims:
        count *= d
    return count


def indices(m, name, dims, most, kind="int32"):
    """Numbers below `most`, known or not; rows of several numbers by column."""
    values = [m.r.randrange(most[i % len(most)]) for i in range(product(dims))]
    if m.often():
        m.constant(name, kind, dims, values)
        return
    m.inputs.append((name, NAMES[kind], dims, struct.pack(
        "<%d%s" % (len(values), FORMS[kind]), *values)))
    m.tensor(name, kind, dims, "")


def scatter(m):
    op = m.pick("SCATTER_ND", "SCATTER_ND", "SEGMENT_SUM", "SPARSE_TO_DENSE",
                "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN",
                "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_SUM",
                "DYNAMIC_UPDATE_SLICE", "EMBEDDING_LOOKUP", "GATHER")
    kind, dims = m.pick("float32", "int32"), m.dims()
    rank = len(dims)
    if op == "SCATTER_ND":
        depth, lead = m.r.randint(1, rank), m.dims(m.r.randint(1, 2))
        indices(m, "i", lead + [depth], dims[:depth])
        m.input("x", kind, lead + dims[depth:])
        m.constant("s", "int32", [rank], dims)
        m.tensor("y", kind, dims)
        m.op("SCATTER_ND i x s -> y")
    elif op == "SPARSE_TO_DENSE":
        count = m.r.randint(1, 4)
        places = sorted(m.r.sample(range(product(dims)),
                                   min(count, product(dims))))
        rows = []
        for place in places:
            row = []
            for d in reversed(dims):
                row.insert(0, place % d)
                place //= d
            rows += row
        m.constant("i", "int32", [len(places), rank], rows)
        m.constant("s", "int32", [rank], dims)
        m.input("x", kind, [len(places)])
        m.constant("d", kind, [], m.values(kind, 1))
        m.tensor("y", kind, dims)
        m.op("SPARSE_TO_DENSE i s x d -> y")
    elif op == "SEGMENT_SUM":
        m.input("x", kind, dims)
        numbers = sorted(m.r.randint(0, 3) for _ in range(dims[0]))
        m.constant("i", "int32", [dims[0]], numbers)
        m.tensor("y", kind, [numbers[-1] + 1] + dims[1:])
        m.op("SEGMENT_SUM x i -> y")
    elif op.startswith("UNSORTED"):
        m.input("x", kind, dims)
        count, lead = m.r.randint(1, 4), m.r.randint(1, rank)
        indices(m, "i", dims[:lead], [count])
        m.constant("n", "int32", [], [count])
        m.tensor("y", kind, [count] + dims[lead:])
        m.op(op + " x i n -> y")
    elif op == "DYNAMIC_UPDATE_SLICE":
        m.input("x", kind, dims)
        part = [m.r.randint(1, d) for d in dims]
        m.input("u", kind, part)
        indices(m, "i", [rank], [d + 1 for d in dims])
        m.tensor("y", kind, dims)
        m.op("DYNAMIC_UPDATE_SLICE x u i -> y")
    elif op == "EMBEDDING_LOOKUP":
        dims = dims + [3] if rank == 1 else dims
        count = m.r.randint(1, 4)
        indices(m, "i", [count], [dims[0]])
        m.constant("x", "float32", dims, m.values("float32", product(dims)))
        m.tensor("y", "float32", [count] + dims[1:])
        m.op("EMBEDDING_LOOKUP i x -> y")
    else:
        batch = m.r.randint(1, max(1, rank - 1))
        dims = dims + [3] if rank == 1 else dims
        m.input("x", kind, dims)
        places = m.dims(m.r.randint(0, 1))
        indices(m, "i", dims[:batch] + places, [dims[batch]])
        m.tensor("y", kind, dims[:batch] + places + dims[batch + 1:])
        m.op("GATHER x i -> y axis=%d batch_dims=%d" % (batch, batch))


def formula(m):
    op = m.pick("ATAN2", "FAKE_QUANT", "BUCKETIZE", "BITWISE_XOR",
                "RIGHT_SHIFT", "MATRIX_DIAG", "MATRIX_SET_DIAG")
    dims = m.dims(m.r.randint(1, 3))
    if op == "ATAN2":
        m.input("x", "float32", dims)
        m.input("b", "float32", dims)
        m.tensor("y", "float32", dims)
        m.op("ATAN2 x b -> y")
    elif op == "FAKE_QUANT":
        m.input("x", "float32", dims)
        m.tensor("y", "float32", dims)
        low = round(m.r.uniform(-4, 1), 2)
        m.op("FAKE_QUANT x -> y min=%r max=%r num_bits=%d narrow_range=%d" % (
            low, low + round(m.r.uniform(0.5, 6), 2), m.pick(2, 4, 8, 8, 16),
            m.pick(0, 1)))
    elif op == "BUCKETIZE":
        m.input("x", m.pick("float32", "int32"), dims)
        m.tensor("y", "int32", dims)
        m.op("BUCKETIZE x -> y boundaries=" + ",".join(
            str(b) for b in sorted(m.values("float32", m.r.randint(1, 5)))))
    elif op in ("BITWISE_XOR", "RIGHT_SHIFT"):
        kind = m.pick("int8", "int32")
        m.input("x", kind, dims, "")
        m.constant("b", kind, dims, [m.r.randint(0, 7)
                                     for _ in range(product(dims))])
        m.tensor("y", kind, dims, "")
        m.op(op + " x b -> y")
    else:
        kind = m.pick("float32", "int32")
        size = [m.r.randint(1, 4), m.r.randint(1, 4)]
        if op == "MATRIX_DIAG":
            m.input("x", kind, dims)
            m.tensor("y", kind, dims + dims[-1:])
            m.op("MATRIX_DIAG x -> y")
            return
        m.input("x", kind, dims + size)
        m.input("b", kind, dims + [min(size)])
        m.tensor("y", kind, dims + size)
        m.op("MATRIX_SET_DIAG x b -> y")


def recurrent(m):
    """Layers whose states are variables of the model, and so 0 at first."""
    first, second, channels = m.dims(3)
    units, major = m.pick(1, 3, 8, 17), m.pick(0, 1)
    batch = second if major else first
    m.input("x", "float32", [first, second, channels])

    def weight(name, dims):
        count = 1
        for d in dims:
            count *= d
        # Sums that do not saturate all gates.
        m.constant(name, "float32", dims,
                   [v / 8 for v in m.values("float32", count)])
        return name

    def state(name):
        m.lines.append("tensor %s float32 %dx%d variable" % (name, batch, units))
        return name

    m.tensor("y", "float32", [first, second, units])
    options = " time_major=%d activation=%d" % (major, m.pick(4, 4, 1))
    if m.often(0.3):
        m.op("UNIDIRECTIONAL_SEQUENCE_RNN x %s %s %s %s -> y" % (
            weight("w", [units, channels]), weight("r", [units, units]),
            weight("b", [units]), state("h")) + options)
        return
    names = ["x"]
    for kind, dims in (("w", [units, channels]), ("r", [units, units]),
                       ("p", [units]), ("b", [units])):
        gates = "ifo" if kind == "p" else "ifco"
        absent = kind == "p" and m.often(0.6)
        names += ["-" if absent else weight(kind + gate, dims)
                  for gate in gates]
    names += ["-", "-", state("h"), state("c")]
    m.op("UNIDIRECTIONAL_SEQUENCE_LSTM %s -> y" % " ".join(names) + options)


FAMILIES = (unary, binary, binary, convolution, convolution, transposed, volume,
            pool, dense, reduction, along, scatter, formula, move, move, move,
            recurrent)


def make(seed):
    m = Maker(seed)
    m.r.choice(FAMILIES)(m)
    m.lines.append("in " + " ".join(i[0] for i in m.inputs))
    m.lines.append("out " + " ".join(m.outputs))
    return m.lines, m.inputs
