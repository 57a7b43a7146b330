"""Random ONNX spectra, and what goes with them."""


def dft(m):
    m.opset = m.pick(17, 18, 20)
    rank = m.r.randint(2, 4)
    dims = [m.r.randint(1, 5) for _ in range(rank - 1)]
    inverse = m.often(0.4)
    parts = m.pick(1, 2)
    x = m.transpose(m.input("f32", dims + [parts]), 0)
    axis = m.r.randrange(rank - 1)
    if m.often():
        axis -= rank
    attributes = {}
    if inverse or m.often(0.2):
        attributes["inverse"] = int(inverse)
    if parts == 1 and not inverse and m.often():
        attributes["onesided"] = 1
    inputs = [x, m.constant("i64", [], values=[m.r.randint(1, 7)])
              if m.often() else None]
    if m.opset >= 20:
        inputs.append(m.constant("i64", [], values=[axis]))
    else:
        attributes["axis"] = axis
        if not inputs[-1]:
            inputs.pop()
    return [m.result(m.node("DFT", inputs, **attributes), "f32", [])]


def stft(m):
    m.opset = 17
    length, step = m.r.randint(2, 9), m.r.randint(1, 4)
    parts = m.pick(1, 1, 2)
    x = m.input("f32", [m.r.randint(1, 2), length + m.r.randint(0, 12), parts])
    if parts == 2:
        attributes = {"onesided": 0}
    else:
        attributes = {"onesided": m.pick(0, 1)} if m.often(0.7) else {}
    # Of a window of complex numbers ONNX Runtime reads more than there is.
    window = m.operand("f32", [length]) if parts == 1 and m.often(0.7) else None
    inputs = [x, m.constant("i64", [], values=[step]), window]
    if not window or m.often():
        inputs.append(m.constant("i64", [], values=[length]))
    return [m.result(m.node("STFT", inputs, **attributes), "f32", [])]


def window(m):
    m.opset = 17
    op = m.pick("HannWindow", "HammingWindow", "BlackmanWindow")
    size = m.constant(m.pick("i32", "i64"), [], values=[m.r.randint(2, 12)])
    attributes = {"periodic": m.pick(0, 1)} if m.often(0.7) else {}
    if m.often(0.3):
        attributes["output_datatype"] = m.pick(1, 11)
    kind = "f64" if attributes.get("output_datatype") == 11 else "f32"
    x = m.input(kind, [1])
    y = m.result(m.node(op, [size], **attributes), kind, [])
    return [m.result(m.node("Mul", [x, y]), kind, [])]


def mel(m):
    m.opset = 17
    rate = m.pick(8000, 16000)
    low = m.pick(0.0, 20.0, 125.0)
    values = [("i64", m.r.randint(1, 12)), ("i64", m.pick(8, 16, 64, 100)),
              ("i64", rate), ("f32", low), ("f32", m.pick(1000.0, rate / 2.0))]
    inputs = [m.constant(kind, [], values=[v]) for kind, v in values]
    x = m.input("f32", [1])
    y = m.result(m.node("MelWeightMatrix", inputs), "f32", [])
    return [m.result(m.node("Mul", [x, y]), "f32", [])]


def spectrum(m):
    return m.pick(dft, dft, stft, stft, window, mel)(m)
