"""Random ONNX matrix products."""


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
        if m.often(0.2): # a diagonal
            own.insert(m.r.randint(0, len(own)), m.r.choice(own))
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


def determinant(m):
    m.opset = max(m.opset, 11)
    size = m.r.randint(1, 5)
    dims = [m.r.randint(1, 3) for _ in range(m.r.randint(0, 2))]
    x = m.transpose(m.input("f32", dims + [size, size]), 0)
    return [m.result(m.node("Det", [x]), "f32", dims)]


def recurrent(m):
    """RNN, LSTM or GRU. Whole bytes of units, or some over, and few steps."""
    op = m.pick("RNN", "LSTM", "LSTM", "GRU")
    gates = {"RNN": 1, "LSTM": 4, "GRU": 3}[op]
    m.opset = max(m.opset, 7)
    x = m.transpose(m.input("f32", [m.r.randint(1, 4) for _ in range(3)]))
    steps, batch, channels = x.dims
    units = m.pick(1, 2, 3, 8, 16, 17, 33)
    direction = m.pick("forward", "reverse", "bidirectional")
    d = 2 if direction == "bidirectional" else 1

    def weight(dims):
        return m.operand("f32", dims, None, 0.9)

    inputs = [x, weight([d, gates * units, channels]),
              weight([d, gates * units, units])]
    optional = [weight([d, 2 * gates * units]) if m.often(0.7) else None,
                m.constant("i32", [batch], values=[
                    m.r.randint(1, steps) for _ in range(batch)])
                if m.often(0.3) else None,
                m.operand("f32", [d, batch, units], None, 0.3)
                if m.often(0.4) else None]
    if op == "LSTM":
        optional += [m.operand("f32", [d, batch, units], None, 0.3)
                     if m.often(0.4) else None,
                     weight([d, 3 * units]) if m.often(0.3) else None]
    while optional and optional[-1] is None:
        optional.pop()
    attributes = {"hidden_size": units}
    if direction != "forward" or m.often(0.2):
        attributes["direction"] = direction
    if op == "GRU" and m.often(0.6):
        attributes["linear_before_reset"] = m.pick(0, 1)
    if m.often(0.3):
        # Gates without a bound would soon multiply infinities.
        gate, other = ["Sigmoid", "HardSigmoid"], ["Tanh", "Relu"]
        choices = {"RNN": [other], "LSTM": [gate, other, other],
                   "GRU": [gate, other]}[op]
        attributes["activations"] = [m.r.choice(names)
                                     for names in choices * d]
    outputs = m.node(op, inputs + optional, 3 if op == "LSTM" else 2, **attributes)
    return [m.result(o, "f32", []) for o in outputs]
