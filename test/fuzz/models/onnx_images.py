"""Random ONNX operators on images: windows, normalisations, resizing."""


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
    sizes = [m.r.randint(3, 9 if spatial < 3 else 5) for _ in range(spatial)]
    return m.input(kind, [m.pick(1, 1, 2), channels] + sizes, style)


def conv(m):
    spatial = m.pick(1, 2, 2, 2, 3)
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
    spatial = m.pick(1, 2, 2, 2, 3)
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
                "LpPool", "GlobalLpPool")
    spatial = m.pick(1, 2, 2, 2, 3)
    kind = "f32"
    if op == "MaxPool" and m.often(0.25):
        m.opset, kind = max(m.opset, 12), m.pick("i8", "u8")
    x = image(m, spatial, m.pick(1, 2, 3, 5), kind)
    if op.startswith("Global"):
        attributes = {"p": m.pick(1, 2, 3)} if "Lp" in op else {}
        return [m.result(m.node(op, [x], **attributes), kind,
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
        if m.opset < 18:
            attributes.pop("ceil_mode", None)
        attributes.pop("dilations", None)
        attributes["p"] = m.pick(1, 2, 3)
    if op == "MaxPool" and m.opset >= 8 and m.often(0.3):
        if m.often(0.3):
            attributes["storage_order"] = m.pick(0, 1)
        outs = m.node(op, [x], 2, **attributes)
        return [m.result(outs[0], kind, []), m.result(outs[1], "i64", [])]
    return [m.result(m.node(op, [x], **attributes), kind, [])]


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


def resize(m):
    spatial = m.pick(2, 2, 2, 3)
    rank = spatial + 2
    x = m.input(m.pick("f32", "f32", "f32", "u8", "i8"),
                [1, m.pick(1, 2, 3)] + [m.r.randint(1, 6)
                                        for _ in range(spatial)])
    scales = [1.0, 1.0] + [m.pick(0.5, 1.0, 1.5, 2.0, 2.0, 3.0, 0.7, 4.0)
                           for _ in range(spatial)]
    if m.opset < 10:
        m.opset = max(m.opset, 7)
        mode = m.pick("nearest", "linear")
        scales = [max(1.0, s) for s in scales]
        if m.opset < 9:
            name = m.node("Upsample", [x], scales=scales, mode=mode)
        else:
            name = m.node("Upsample", [x, m.constant("f32", [rank], values=scales)],
                          mode=mode)
        return [m.result(name, x.kind, [])]
    mode = m.pick("nearest", "nearest", "linear", "linear",
                  "cubic" if spatial == 2 else "linear")
    attributes = {"mode": mode}
    if m.opset == 10:
        if mode == "cubic":
            attributes["mode"] = "linear"
        return [m.result(m.node("Resize", [x, m.constant(
            "f32", [rank], values=scales)], **attributes), x.kind, [])]
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
    if m.opset >= 18 and mode != "nearest" and spatial == 2 and m.often(0.2):
        attributes["antialias"] = 1
    roi = m.constant("f32", [0]) if m.opset < 13 or m.often(0.3) else None
    if m.often():
        sizes = [x.dims[0], x.dims[1]] + [m.r.randint(1, 9)
                                         for _ in range(spatial)]
        none = m.constant("f32", [0]) if m.opset < 13 else None
        inputs = [x, roi, none, m.constant("i64", [rank], values=sizes)]
    else:
        inputs = [x, roi, m.constant("f32", [rank], values=scales)]
    if m.opset >= 18 and m.often(0.2):
        attributes["axes"] = list(range(2, rank))
        last = inputs[-1]
        line = m.lines.pop()
        words = line.split()
        m.lines.append(" ".join(words[:3] + [str(spatial)] + words[-spatial:]))
    return [m.result(m.node("Resize", inputs, **attributes), x.kind, [])]


def grid_sample(m):
    m.opset = max(m.opset, 16)
    x = image(m, 2, m.pick(1, 2, 3))
    new = m.opset >= 20
    grid = m.input("f32", [x.dims[0], m.r.randint(1, 4), m.r.randint(1, 4), 2],
                   "near")
    attributes = {}
    if m.often(0.9):
        attributes["mode"] = m.pick(*(("linear", "nearest", "cubic") if new else
                                      ("bilinear", "nearest", "bicubic")))
    if m.often(0.7):
        attributes["padding_mode"] = m.pick("zeros", "border", "reflection")
    if m.often():
        attributes["align_corners"] = m.pick(0, 1)
    return [m.result(m.node("GridSample", [x, grid], **attributes), "f32",
                     x.dims[:2] + grid.dims[1:3])]


def roi_align(m):
    m.opset = max(m.opset, 10)
    x = image(m, 2, m.pick(1, 2, 3))
    count = m.r.randint(1, 3)
    corners = []
    for _ in range(count):
        left, top = round(m.r.uniform(-2, 5), 2), round(m.r.uniform(-2, 5), 2)
        corners += [left, top, left + round(m.r.uniform(0, 8), 2),
                    top + round(m.r.uniform(0, 8), 2)]
    regions = m.constant("f32", [count, 4], values=corners)
    batch = m.constant("i64", [count], values=[
        m.r.randrange(x.dims[0]) for _ in range(count)])
    attributes = {"sampling_ratio": m.pick(1, 2, 3)}
    for side in ("output_height", "output_width"):
        if m.often(0.8):
            attributes[side] = m.r.randint(1, 4)
    if m.often():
        attributes["spatial_scale"] = m.pick(0.5, 0.25, 1.0, 2.0)
    if m.opset >= 16 and m.often():
        attributes["coordinate_transformation_mode"] = m.pick(
            "half_pixel", "output_half_pixel")
    return [m.result(m.node("RoiAlign", [x, regions, batch], **attributes),
                     "f32", [count, x.dims[1]])]


def deform_conv(m):
    m.opset = max(m.opset, 19)
    groups, apart = m.pick(1, 1, 2), m.pick(1, 1, 2)
    channels = m.pick(2, 4) if groups * apart > 1 else m.r.randint(1, 3)
    outer = groups * m.r.randint(1, 2)
    kernel = [m.pick(1, 2, 3) for _ in range(2)]
    strides, dilations = ([m.pick(1, 1, 2) for _ in range(2)] for _ in range(2))
    pads = [m.pick(0, 1) for _ in range(4)]
    sizes, out = [], []
    for i in range(2):
        reach = (kernel[i] - 1) * dilations[i] + 1
        sizes.append(max(1, reach - pads[i] - pads[i + 2]) + m.r.randint(0, 3))
        out.append((sizes[i] + pads[i] + pads[i + 2] - reach) // strides[i] + 1)
    batch, taps = m.pick(1, 1, 2), kernel[0] * kernel[1]
    x = m.transpose(m.input("f32", [batch, channels] + sizes), 0)
    w = m.operand("f32", [outer, channels // groups] + kernel, None, 0.9)
    offset = m.input("f32", [batch, apart * taps * 2] + out, "near")
    bias = m.constant("f32", [outer]) if m.often() else None
    mask = m.input("f32", [batch, apart * taps] + out) if m.often() else None
    inputs = [x, w, offset, bias, mask]
    while inputs[-1] is None:
        inputs.pop()
    attributes = {"strides": strides, "dilations": dilations, "pads": pads}
    if m.often(0.7):
        attributes["kernel_shape"] = kernel
    if groups > 1 or m.often(0.2):
        attributes["group"] = groups
    if apart > 1 or m.often(0.2):
        attributes["offset_group"] = apart
    return [m.result(m.node("DeformConv", inputs, **attributes), "f32",
                     [batch, outer] + out)]


def affine_grid(m):
    m.opset = max(m.opset, 20)
    spatial = m.pick(2, 2, 3)
    batch = m.r.randint(1, 2)
    theta = m.input("f32", [batch, spatial, spatial + 1])
    sizes = [batch, m.r.randint(1, 3)] + [m.r.randint(2, 4) for _ in range(spatial)]
    size = m.constant("i64", [len(sizes)], values=sizes)
    attributes = {"align_corners": m.pick(0, 1)} if m.often(0.7) else {}
    return [m.result(m.node("AffineGrid", [theta, size], **attributes), "f32",
                     [batch] + sizes[2:] + [spatial])]


def fold(m):
    """Col2Im."""
    m.opset = max(m.opset, 18)
    spatial = m.pick(1, 2, 2)
    block, strides, dilations = ([m.r.randint(1, most) for _ in range(spatial)]
                                 for most in (3, 3, 2))
    pads = [m.pick(0, 0, 1) for _ in range(2 * spatial)]
    if spatial == 1: # ONNX Runtime mixes channels of dilated lines.
        dilations = [1]
    image, columns, taps = [], 1, 1
    for i in range(spatial):
        reach = (block[i] - 1) * dilations[i] + 1
        image.append(max(1, reach - pads[i] - pads[i + spatial]) + m.r.randint(0, 4))
        columns *= (image[i] + pads[i] + pads[i + spatial] - reach) // strides[i] + 1
        taps *= block[i]
    x = m.input("f32", [m.r.randint(1, 2), taps * m.r.randint(1, 2), columns])
    sizes = [m.constant("i64", [spatial], values=v) for v in (image, block)]
    return [m.result(m.node("Col2Im", [x] + sizes, strides=strides,
                            dilations=dilations, pads=pads), "f32", [])]


def unpool(m):
    """MaxPool, what keeps the shape, and MaxUnpool to the size before."""
    m.opset = max(m.opset, 11)
    x = image(m, m.pick(1, 2, 2), m.pick(1, 2, 3))
    spatial = len(x.dims) - 2
    kernel, strides = [m.pick(1, 2, 3) for _ in range(spatial)], [
        m.pick(1, 2, 3) for _ in range(spatial)]
    attributes = {"kernel_shape": kernel, "strides": strides}
    if m.often(0.3):
        attributes["pads"] = [min(m.pick(0, 1), k - 1) for k in kernel * 2]
    x = m.transpose(x, 0)
    y, at = m.node("MaxPool", [x], 2, **attributes)
    y = m.result(m.node(m.pick("Identity", "Neg"), [m.result(y, "f32", [])]), "f32", [])
    inputs = [y, m.result(at, "i64", []), m.constant(
        "i64", [len(x.dims)], values=x.dims)]
    return [m.result(m.node("MaxUnpool", inputs, **attributes), "f32", x.dims)]


def sampling(m):
    return m.pick(grid_sample, grid_sample, roi_align, deform_conv, affine_grid,
                  fold, unpool)(m)
