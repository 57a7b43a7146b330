"""Random ONNX models of transformers, and what ONNX Runtime's optimiser joins."""

MICROSOFT = "@com.microsoft"


def fused_conv(m):
    """A convolution, a sum maybe, and an activation maybe."""
    m.opset = max(m.opset, 11)
    group = m.pick(1, 1, 2)
    inner, outer = group * m.r.randint(1, 2), group * m.r.randint(1, 3)
    spatial = m.pick(1, 2, 2)
    kernel = [m.pick(1, 2, 3) for _ in range(spatial)]
    sizes = [k + m.r.randint(0, 3) for k in kernel]
    batch = m.r.randint(1, 2)
    x = m.transpose(m.input("f32", [batch, inner] + sizes), 0)
    w = m.operand("f32", [outer, inner // group] + kernel, None, 0.9)
    bias = m.operand("f32", [outer], None, 0.9) if m.often(0.6) else None
    added = m.input("f32", [batch, outer] + [
        s - k + 1 for s, k in zip(sizes, kernel)]) if m.often() else None
    attributes = {"kernel_shape": kernel}
    if group > 1 or m.often(0.2):
        attributes["group"] = group
    if m.often(0.85):
        kind = m.pick("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid",
                      "Clip")
        attributes["activation"] = kind
        numbers = {"LeakyRelu": [m.pick(0.1, 0.25)],
                   "HardSigmoid": [m.pick(0.2, 0.5), m.pick(0.5, 0.25)],
                   "Clip": m.pick([0.0, 6.0], [-1.5, 2.0], [0.0, 1.0])}.get(kind)
        if numbers:
            attributes["activation_params"] = numbers
    inputs = [x, w, bias, added]
    while inputs[-1] is None:
        inputs.pop()
    return [m.result(m.node("FusedConv" + MICROSOFT, inputs, **attributes),
                     "f32", [])]


def fused_gemm(m):
    n, k, p = (m.r.randint(1, 4) for _ in range(3))
    ta, tb = m.pick(0, 1), m.pick(0, 1)
    inputs = [m.input("f32", [k, n] if ta else [n, k]),
              m.operand("f32", [p, k] if tb else [k, p], None, 0.8)]
    if m.often(0.8):
        inputs.append(m.operand("f32", m.pick([n, p], [p], [1, p], [n, 1], []),
                                None, 0.8))
    kind = m.pick("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Elu",
                  "Softplus")
    attributes = {"activation": kind, "transA": ta, "transB": tb,
                  "alpha": m.pick(1.0, 0.5), "beta": m.pick(1.0, -2.0)}
    if kind in ("LeakyRelu", "HardSigmoid", "Elu"):
        attributes["activation_alpha"] = m.pick(0.1, 0.5)
    if kind == "HardSigmoid":
        attributes["activation_beta"] = 0.25
    return [m.result(m.node("FusedGemm" + MICROSOFT, inputs, **attributes),
                     "f32", [n, p])]


def fused_matmul(m):
    n, k, p = (m.r.randint(1, 4) for _ in range(3))
    ta, tb = m.pick(0, 1), m.pick(0, 1)
    ba, bb = m.pick(0, 0, 1), m.pick(0, 0, 1)
    batch = m.dims(m.r.randint(1 if ba or bb else 0, 2))
    def side(rows, columns, turned, apart):
        last = [columns, rows] if turned else [rows, columns]
        if not ba and not bb:
            return m.broadcast(batch) + last
        return [last[0]] + batch + [last[1]] if apart else batch + last
    attributes = {"transA": ta, "transB": tb, "transBatchA": ba,
                  "transBatchB": bb, "alpha": m.pick(1.0, 0.125, -2.0)}
    inputs = [m.operand("f32", side(n, k, ta, ba), None, 0.2),
              m.operand("f32", side(k, p, tb, bb), None, 0.5)]
    return [m.result(m.node("FusedMatMul" + MICROSOFT, inputs, **attributes),
                     "f32", [])]


def skip_normalization(m):
    by_root = m.often()
    dims = [m.r.randint(1, 3), m.r.randint(1, 3), m.r.randint(2, 6)]
    size = [dims[-1]]
    inputs = [m.input("f32", dims),
              m.input("f32", m.pick(dims, dims, [1] + dims[1:], dims[1:])),
              m.operand("f32", size, None, 0.9)]
    if not by_root:
        inputs.append(m.operand("f32", size, None, 0.9) if m.often() else None)
    inputs.append(m.operand("f32", size, None, 0.9) if m.often() else None)
    while inputs[-1] is None:
        inputs.pop()
    op = "SkipSimplifiedLayerNormalization" if by_root else (
        "SkipLayerNormalization")
    outputs = [m.fresh() for _ in range(4)]
    m.lines.append("node %s@com.microsoft %s -> %s,_,_,%s epsilon=%r" % (
        op, ",".join(i.name if i else "_" for i in inputs), outputs[0],
        outputs[3], m.pick(1e-5, 1e-3)))
    m.domains.add("com.microsoft")
    return [m.result(outputs[0], "f32", dims), m.result(outputs[3], "f32", dims)]


def root_normalization(m):
    m.opset = 23
    kind = m.pick("f32", "f32", "f64", "f16")
    x = m.transpose(m.input(kind, m.dims(m.r.randint(1, 4))))
    axis = m.axis(len(x.dims))
    attributes = {"axis": axis} if m.often(0.8) else {}
    scale = m.operand(kind, x.dims[axis if attributes else -1:], None, 0.8)
    if m.often():
        attributes["epsilon"] = m.pick(1e-3, 0.1)
    return [m.result(m.node("RMSNormalization", [x, scale], **attributes), kind,
                     x.dims)]


def swish(m):
    m.opset = 24
    x = m.transpose(m.input("f32", m.dims(m.r.randint(0, 4))))
    attributes = {"alpha": m.pick(1.0, 0.5, 1.7)} if m.often(0.7) else {}
    return [m.result(m.node("Swish", [x], **attributes), "f32", x.dims)]


def rotary(m):
    """Both forms of RotaryEmbedding."""
    ours = m.often()
    batch, steps, heads, half = (m.r.randint(1, 3) for _ in range(4))
    partial = m.often(0.3)
    size = 2 * half + (2 * m.r.randint(1, 2) if partial else 0)
    flat = m.often()
    x = m.input("f32", [batch, steps, heads * size] if flat else
                [batch, heads, steps, size])
    attributes = {"interleaved": m.pick(0, 1)}
    if flat or partial:
        attributes["num_heads"] = heads
    if partial:
        attributes["rotary_embedding_dim"] = 2 * half
    if ours:
        m.opset = 23
        if m.often():
            rows = steps + 2
            at = m.constant("i64", [batch, steps], values=[
                m.r.randrange(rows) for _ in range(batch * steps)])
            inputs = [x] + [m.operand("f32", [rows, half]) for _ in range(2)]
            inputs.append(at)
        else:
            inputs = [x] + [m.operand("f32", [batch, steps, half])
                            for _ in range(2)]
        return [m.result(m.node("RotaryEmbedding", inputs, **attributes), "f32",
                         x.dims)]
    rows = steps + 3
    at = m.constant("i64", [1], values=[m.r.randint(0, 3)]) if m.often() else (
        m.constant("i64", [batch, steps], values=[
            m.r.randrange(rows) for _ in range(batch * steps)]))
    inputs = [x, at] + [m.operand("f32", [rows, half]) for _ in range(2)]
    return [m.result(m.node("RotaryEmbedding" + MICROSOFT, inputs,
                            **attributes), "f32", x.dims)]


def attention(m):
    """Heads side by side or apart, grouped queries, masks, lengths, a past."""
    m.opset = m.pick(23, 24)
    batch, shared, group = m.r.randint(1, 2), m.r.randint(1, 2), m.pick(1, 1, 2, 3)
    queries, keys, size, width = (m.r.randint(1, 4) for _ in range(4))
    heads = shared * group
    past = m.r.randint(1, 3) if m.often(0.25) else 0
    if past and m.often():
        keys = queries
    every = past + keys
    if m.often(0.4):
        def heap(n, steps, columns):
            return m.input("f32", [batch, steps, n * columns], "small")
        attributes = {"q_num_heads": heads, "kv_num_heads": shared}
    else:
        def heap(n, steps, columns):
            return m.transpose(m.input("f32", [batch, n, steps, columns]), 0)
        attributes = {}
    inputs = [heap(heads, queries, size), heap(shared, keys, size),
              heap(shared, keys, width)]
    mask = None
    if m.often():
        dims = m.pick([queries, every], [1, 1, queries, every],
                      [batch, 1, queries, every], [batch, heads, queries, every])
        mask = m.operand(m.pick("f32", "f32", "bool"), dims)
    inputs.append(mask)
    if past:
        inputs += [m.input("f32", [batch, shared, past, size]),
                   m.input("f32", [batch, shared, past, width])]
    elif m.opset >= 24 and m.often(0.3):
        inputs += [None, None, m.constant("i64", [batch], values=[
            m.r.randint(1, every) for _ in range(batch)])]
    while inputs[-1] is None:
        inputs.pop()
    # Of another number of new keys than queries ONNX Runtime lets the last
    # query see all of them, ONNX as many as there are queries.
    if m.often(0.4) and (not past or queries == keys):
        attributes["is_causal"] = 1
    if m.often(0.4):
        attributes["scale"] = m.pick(0.5, 1.0, 0.125)
    if m.often(0.3):
        attributes["softcap"] = m.pick(2.0, 30.0)
    outputs = m.node("Attention", inputs, 3, **attributes)
    count = 3 if past else 1
    return [m.result(o, "f32", []) for o in outputs[:count]]


def fused(m):
    return m.r.choice([fused_conv, fused_gemm, fused_matmul,
                       skip_normalization])(m)


def transformer(m):
    return m.r.choice([root_normalization, swish, rotary, attention])(m)
