"""Random ONNX operators on single elements, and reductions."""

from onnx_graph import (ALL, BITS, CODES, FLOATS, NUMBERS, SIGNED, Value,
                        joined)


def unary(m):
    op, kinds, since = m.pick(
        ("Abs", SIGNED + ("u8",), 1), ("Ceil", FLOATS, 1), ("Exp", FLOATS, 1),
        ("Floor", FLOATS, 1), ("HardSwish", ("f32",), 14),
        ("Identity", ALL, 1), ("Log", FLOATS, 1), ("Neg", SIGNED, 1),
        ("Reciprocal", FLOATS, 1), ("Relu", ("f32", "f64", "i32", "i8"), 1),
        ("Round", FLOATS, 11), ("Sigmoid", FLOATS, 1), ("Softplus", ("f32",), 1),
        ("Softsign", ("f32",), 1), ("Sqrt", FLOATS, 1), ("Tanh", FLOATS, 1),
        ("Not", ("bool",), 1), ("Erf", ("f32",), 9), ("Sign", NUMBERS, 9),
        ("Gelu", ("f32",), 20), ("Mish", ("f32",), 18),
        ("Sin", ("f32", "f64"), 7), ("Cos", ("f32",), 7), ("Tan", ("f32",), 7),
        ("IsNaN", ("f32",), 9), ("IsInf", ("f32",), 10),
        ("BitwiseNot", tuple(BITS), 18),
        ("FastGelu@com.microsoft", ("f32",), 1),
        ("QuickGelu@com.microsoft", ("f32",), 1))
    m.opset = max(m.opset, since)
    kind = m.pick(*kinds)
    x = m.transpose(m.input(kind, m.dims()))
    attributes = {}
    if op == "Gelu" and m.often():
        attributes["approximate"] = m.pick("none", "tanh")
    if op == "IsInf":
        x = Value(m.node("Exp", [Value(m.node("Mul", [x, x]), kind, x.dims)]),
                  kind, x.dims) # e^(20^2) is
        attributes = {n: m.pick(0, 1) for n in ("detect_positive",
                                                "detect_negative") if m.often()}
    if op == "IsNaN":
        x = Value(m.node("Sqrt", [x]), kind, x.dims)
    inputs = [x]
    if op.startswith("FastGelu") and x.dims and m.often():
        inputs.append(m.constant("f32", x.dims[-1:]))
    if op.startswith("QuickGelu") and m.often():
        attributes["alpha"] = m.pick(1.0, 1.702)
    return [m.result(m.node(op, inputs, **attributes),
                     "bool" if op in ("IsInf", "IsNaN") else kind, x.dims)]


def circular(m):
    """Inverses of circular functions, hyperbolic ones and theirs, also where
    they end and beyond."""
    op, since, most = m.pick(
        ("Asin", 7, 1), ("Acos", 7, 1), ("Atan", 7, 9), ("Sinh", 9, 20),
        ("Cosh", 9, 20), ("Asinh", 9, 30), ("Acosh", 9, 30), ("Atanh", 9, 1))
    m.opset = max(m.opset, since)
    x = m.input("f32", m.dims(), "near")
    factor = m.constant("f32", [], values=[m.pick(1.0, 1e-3, most / 1.6)])
    x = m.result(m.node("Mul", [x, factor]), "f32", x.dims)
    if op == "Acosh" and m.often(0.8):
        x = m.result(m.node("Add", [m.result(m.node("Abs", [x]), "f32", x.dims),
                                    m.constant("f32", [], values=[1.0])]),
                     "f32", x.dims)
    return [m.result(m.node(op, [m.transpose(x)]), "f32", x.dims)]


def unary_alpha(m):
    op, names = m.pick(
        ("Elu", ("alpha",)), ("LeakyRelu", ("alpha",)),
        ("HardSigmoid", ("alpha", "beta")), ("Selu", ("alpha", "gamma")),
        ("ThresholdedRelu", ("alpha",)), ("Celu", ("alpha",)),
        ("Shrink", ("bias", "lambd")))
    if op == "ThresholdedRelu":
        m.opset = max(m.opset, 10)
    if op == "Celu":
        m.opset = max(m.opset, 12)
    if op == "Shrink":
        m.opset = max(m.opset, 9)
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
        ("GreaterOrEqual", NUMBERS), ("BitShift", ("u8", "u32", "u64")),
        ("BitwiseAnd", tuple(BITS)), ("BitwiseOr", tuple(BITS)),
        ("BitwiseXor", tuple(BITS)))
    kind = m.pick(*kinds)
    if op in ("LessOrEqual", "GreaterOrEqual", "Mod"):
        m.opset = max(m.opset, 12)
    if op in ("Less", "Greater", "Equal"):
        m.opset = max(m.opset, 9 if kind != "f64" else 11)
    if op == "BitShift":
        m.opset = max(m.opset, 11)
    if op.startswith("Bitwise"):
        m.opset = max(m.opset, 18)
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
        # ONNX Runtime shifts by the lower bits of more than there are.
        b = m.constant(kind, b.dims, values=[
            abs(v) % BITS[kind] for v in m.values(kind, b.dims, "small")])
    if op in ("Div", "Mod") and kind not in FLOATS:
        b = m.constant(kind, b.dims, values=[
            v or 3 for v in m.values(kind, b.dims, "small")])
    inputs = [a, b] if op == "PRelu" or m.often(0.7) else [b, a]
    if op in ("Div", "Mod", "Pow", "BitShift"):
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
    m.opset = max(m.opset, 9)
    # What is out of range of an integer is nobody's business.
    style = "small" if a in BITS else "positive"
    x = m.transpose(m.input(a, m.dims(), style))
    return [m.result(m.node("Cast", [x], to=CODES[b]), b, x.dims)]


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
