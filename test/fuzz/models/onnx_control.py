"""Random branches, computed shapes and constants in ONNX models."""

from onnx_graph import Value, joined
from onnx_images import image


def branch(m):
    """If, whose condition follows from a shape or a constant, or is an input;
    branches read what is outside, have constants of their own and may nest."""
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
        if m.often(0.3): # Both branches are computed, and one is selected.
            flag = m.input("bool", m.pick([], [1]))
        elif m.often():
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


def sequence(m):
    """Tensors into a sequence, moves within it, and out again."""
    m.opset = max(m.opset, 11)
    rank = m.r.randint(1, 3)
    x = m.transpose(m.input("f32", [m.r.randint(1, 4) for _ in range(rank)]))

    def number(value):
        return m.constant("i64", [], values=[value])

    def take(s, kind="f32"):
        return Value(m.node("SequenceAt", [s, number(m.r.randint(-count, count - 1))]),
                     kind, [])

    if m.often():
        axis = m.r.randrange(rank)
        size, split, attributes = x.dims[axis], None, {"axis": axis}
        count = size
        if m.often():
            each = m.r.randint(1, size)
            split, count = number(each), -(-size // each)
        elif m.often():
            first = m.r.randint(0, size)
            split, count = m.constant("i64", [2], values=[first, size - first]), 2
        elif m.often():
            attributes["keepdims"] = m.pick(0, 1)
        s = Value(m.node("SplitToSequence", [x, split] if split else [x],
                         **attributes), "seq", [])
        joins = split is not None and m.often()
        attributes = {"axis": axis}
    else:
        count = m.r.randint(1, 4)
        s = Value(m.node("SequenceConstruct", [
            x if m.often() else m.operand("f32", x.dims) for _ in range(count)]),
            "seq", [])
        joins, axis = m.often(), m.r.randrange(rank)
        attributes = {"axis": axis, "new_axis": m.pick(0, 1)}
        if m.often():
            inputs = [s, x] + ([number(m.r.randint(-count, count))]
                               if m.often() else [])
            s, count = Value(m.node("SequenceInsert", inputs), "seq", []), count + 1
        if m.often() and count > 1:
            inputs = [s] + ([number(m.r.randint(-count, count - 1))]
                            if m.often() else [])
            s, count = Value(m.node("SequenceErase", inputs), "seq", []), count - 1
    if m.often(0.2):
        return [m.result(m.node("SequenceLength", [s]), "i64", []), take(s)]
    if joins:
        return [m.result(m.node("ConcatFromSequence", [s], **attributes), "f32",
                         [])]
    return [take(s)]


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
