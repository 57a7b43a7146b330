"""Random quantised ONNX operators."""

from onnx_graph import Value
from onnx_images import image, window


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
                "ReduceMax", "DepthToSpace", "Unsqueeze", "Where", "PRelu",
                "HardSigmoid")
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
    elif op == "HardSigmoid":
        alpha = m.pick(1 / 6, 0.1667, 0.2)
        y = Value(m.node(op, [a], alpha=alpha, beta=0.5), "f32", [])
        if m.often(0.3): # the sixth of a DPU
            y = Value(m.node("Mul", [y, m.constant("f32", [], values=[
                2731 * 6 / 2 ** 14])]), "f32", [])
    elif op == "LeakyRelu":
        y = Value(m.node(op, [a], alpha=m.pick(0.1015625, 0.1, 0.25, 0.3)), "f32",
                  [])
    elif op == "HardSwish":
        m.opset = max(m.opset, 14)
        y = Value(m.node(op, [a]), "f32", [])
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
