"""Random ONNX operators that move, pick and arrange elements."""

import struct

from onnx_graph import CODES, FLOATS, FORMS, Value, joined
from onnx_products import einsum


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
            # ONNX Runtime does not wrap more than once.
            most = {"reflect": x.dims[a] - 1, "wrap": x.dims[a]}.get(mode, 3)
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


def indices_of(m, kind, dims, values):
    """Known or computed."""
    if m.often(0.7):
        return m.constant(kind, dims, values=values)
    value = Value(m.fresh("x"), kind, dims)
    m.inputs.append((value, struct.pack("<%d%s" % (len(values), FORMS[kind]),
                                        *values)))
    return value


def scatter(m, op):
    """Updates of rows or elements at indices that differ, or that combine."""
    m.opset = max(m.opset, 11)
    attributes = {}
    if m.often(0.4):
        m.opset = max(m.opset, 18)
        attributes["reduction"] = m.pick("add", "mul", "min", "max")
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
        if attributes:
            places += m.r.choices(places, k=m.r.randint(0, 3))
        values = [i if m.often(0.7) else i - x.dims[at]
                  for p in places for at, i in enumerate(p)]
        indices = indices_of(m, "i64", [len(places), depth], values)
        updates = m.operand(kind, [len(places)] + x.dims[depth:])
        return [m.result(m.node(op, [x, indices, updates], **attributes), kind,
                         x.dims)]
    axis = m.axis(rank)
    dims = [m.r.randint(1, d) for d in x.dims]
    inner = 1
    for d in dims[axis % rank + 1:]:
        inner *= d
    outer = 1
    for d in dims[:axis % rank]:
        outer *= d
    # Along the axis each column has indices of its own.
    if attributes:
        dims[axis] = m.r.randint(1, 6)
    columns = [m.r.choices(range(x.dims[axis]), k=dims[axis]) if attributes else
               m.r.sample(range(x.dims[axis]), dims[axis])
               for _ in range(outer * inner)]
    values = [columns[o * inner + i][k] for o in range(outer)
              for k in range(dims[axis]) for i in range(inner)]
    values = [v if m.often(0.7) else v - x.dims[axis] for v in values]
    indices = indices_of(m, m.pick("i32", "i64"), dims, values)
    updates = m.operand(kind, dims)
    return [m.result(m.node(op, [x, indices, updates], axis=axis, **attributes),
                     kind, x.dims)]


def ordering(m):
    op = m.pick("TopK", "CumSum", "OneHot", "Trilu", "NonZero", "ScatterND",
                "ScatterElements", "EyeLike", "ReverseSequence", "Einsum",
                "CenterCropPad")
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
    if op == "EyeLike":
        m.opset = max(m.opset, 9)
        attributes = {"k": m.r.randint(-3, 3)} if m.often() else {}
        kind = m.pick("f32", "i32", "i64", "f64")
        if kind != "f32" or m.often():
            attributes["dtype"] = CODES[kind]
        return [m.result(m.node(op, [m.input("f32", m.dims(2))], **attributes),
                         kind, [])]
    if op == "CenterCropPad":
        m.opset = max(m.opset, 18)
        axes = m.axes(len(x.dims))
        whole = m.often(0.3)
        sizes = m.constant("i64", [len(x.dims) if whole else len(axes)], values=[
            m.r.randint(1, 6) for _ in (x.dims if whole else axes)])
        attributes = {} if whole else {"axes": axes}
        return [m.result(m.node(op, [x, sizes], **attributes), "f32", [])]
    m.opset = max(m.opset, 10) # ReverseSequence
    batch = m.pick(0, 1)
    lengths = m.constant("i64", x.dims[batch:batch + 1], values=[
        m.r.randint(1, max(1, x.dims[1 - batch])) for _ in range(x.dims[batch])])
    return [m.result(m.node(op, [x, lengths], batch_axis=batch,
                            time_axis=1 - batch), "f32", x.dims)]
