"""The operators of the field's tables, in the words of Caffe and TensorFlow:
where they run inside the limits of a DPU and where beyond, and why.

usage: rows.py DIRECTORY PAGE

Every row is a small quantised net that xcc compiles. Prints a line for each
that is not placed as it should be; writes the table to PAGE.
"""

import os
import sys

import caffe
import placement
import tensorflow


def xc_caffe_net(dims, text, blobs=(), pairs=2):
    """A layer `layer` after a convolution `p`, on grids."""
    channels, height, width = dims[1:]
    info = [8, 4] * pairs
    net = ('layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 '
           "dim: 16 dim: %d dim: %d } } }\n"
           'layer { name: "p" type: "Convolution" bottom: "x" top: "p" '
           "convolution_param { num_output: %d kernel_size: 1 bias_term: false } "
           "}\n%s\n" % (height, width, channels, text))
    model = caffe.layer("x", "Input", [], [8, 4])
    before = (channels, 16, 1, 1)
    model += caffe.layer("p", "Convolution", [
        caffe.blob(before, [0.25] * size(before))], [8, 4, 8, 4, 8, 4])
    model += caffe.layer("layer", "Layer", [
        caffe.blob(d, [0.25] * size(d)) for d in blobs], info)
    return net, model


def size(dims):
    count = 1
    for d in dims:
        count *= d
    return count


def layer(kind, text="", bottoms=("p",)):
    return 'layer { name: "layer" type: "%s" %s top: "layer" %s }' % (
        kind, " ".join('bottom: "%s"' % b for b in bottoms), text)


def xc_tf_net(dims, text):
    """Nodes after a convolution that read p/aquant and end with `y`."""
    flat = len(dims) == 2
    shape = (1, 1, 1, dims[1]) if flat else dims
    return ("x = Placeholder() dtype=f32 shape=shape(1x%dx%dx16)\n"
            "x/aquant = FixNeuron(x) quantize_pos=4 mode=1\n%s"
            "%s = Conv2D(x/aquant, before/wquant) strides=[1,1,1,1] "
            'padding="SAME"\n%s'
            "p/aquant = FixNeuron(p) quantize_pos=4 mode=1\n%s\n"
            "y/aquant = FixNeuron(y) quantize_pos=4 mode=1\n"
            % (shape[1], shape[2], weight("before", (1, 1, 16, shape[3])),
               "c" if flat else "p", FLAT % dims[1] if flat else "", text))


FLAT = ("c/aquant = FixNeuron(c) quantize_pos=4 mode=1\n"
        "flat = Const() value=tensor(i32 2 bytes 1 %d)\n"
        "p = Reshape(c/aquant, flat)\n")


def weight(name, dims):
    return ("%s = Const() value=tensor(f32 %s splat 0.25)\n"
            "%s/wquant = FixNeuron(%s) quantize_pos=4\n"
            % (name, "x".join(map(str, dims)), name, name))


def conv(kernel=3, stride=1, channels=16, outputs=16, pad=0, dilation=1,
         kind="Convolution"):
    flat = (channels, outputs) if kind == "Deconvolution" else (outputs,
                                                                 channels)
    return xc_caffe_net(
        (1, channels, 40, 40), layer(kind, (
            "convolution_param { num_output: %d kernel_size: %d stride: %d pad: "
            "%d dilation: %d bias_term: false }"
            % (outputs, kernel, stride, pad, dilation))),
        [flat + (kernel, kernel)], 3)


def xc_tf_conv(kernel=3, stride=1, channels=16, outputs=16, padding="SAME",
            dilation=1):
    return xc_tf_net((1, 40, 40, channels), weight(
        "w", (kernel, kernel, channels, outputs)) + (
            "y = Conv2D(p/aquant, w/wquant) strides=[1,%d,%d,1] "
            'dilations=[1,%d,%d,1] padding="%s"'
            % (stride, stride, dilation, dilation, padding)))


def xc_tf_deconv(kernel, stride):
    return xc_tf_net((1, 8, 8, 16), weight("w", (kernel, kernel, 16, 16)) + (
        "s = Const() value=tensor(i32 4 bytes 1 %d %d 16)\n"
        "y = Conv2DBackpropInput(s, w/wquant, p/aquant) strides=[1,%d,%d,1] "
        'padding="SAME"' % (8 * stride, 8 * stride, stride, stride)))


def pool(word, kernel, stride=1):
    return xc_caffe_net((1, 16, 40, 40), layer("Pooling", (
        "pooling_param { pool: %s kernel_size: %d stride: %d }"
        % (word, kernel, stride))))


def xc_tf_pool(word, kernel, stride=1):
    return xc_tf_net((1, 40, 40, 16), (
        "y = %s(p/aquant) ksize=[1,%d,%d,1] strides=[1,%d,%d,1] "
        'padding="VALID"' % (word, kernel, kernel, stride, stride)))


def tf(dims, text):
    return xc_tf_net(dims, text)


AXES = "a = Const() value=tensor(i32 2 bytes 1 2)\n"
IMAGE = (1, 8, 8, 16)

# table, row, parameter, Caffe inside and beyond, TensorFlow inside and beyond;
# None: the framework has no such operator or no limit.
ROWS = [
    ("002/1", "Convolution", "kernel 8, 17", conv(8), conv(17), xc_tf_conv(8),
     xc_tf_conv(17)),
    ("002/1", "Convolution", "stride 4", conv(10, 4), None, xc_tf_conv(10, 4),
     None),
    ("002/1", "Convolution", "stride 9", conv(10, 9), None, xc_tf_conv(10, 9),
     None),
    ("002/1", "Convolution", "padding kernel", conv(3, pad=3), None,
     xc_tf_conv(3), None),
    ("002/1", "Convolution", "channels 16, 4112", conv(1), conv(1, 1, 4112),
     xc_tf_conv(1), xc_tf_conv(1, 1, 4112)),
    ("002/1", "Convolution", "dilation 2", conv(3, dilation=2), None,
     xc_tf_conv(3, dilation=2), None),
    ("002/1", "Deconvolution", "kernel 4, 17", conv(4, 2, kind="Deconvolution"),
     None, xc_tf_deconv(4, 2), None),
    ("002/1", "Max Pooling", "kernel 8", pool("MAX", 8), None,
     xc_tf_pool("MaxPool", 8), None),
    ("002/1", "Max Pooling", "stride 4", pool("MAX", 4, 4), None,
     xc_tf_pool("MaxPool", 4, 4), None),
    ("002/1", "Average Pooling", "kernel 8", pool("AVE", 8), None,
     xc_tf_pool("AvgPool", 8), None),
    ("002/1", "Average Pooling", "stride 4", pool("AVE", 4, 4), None,
     xc_tf_pool("AvgPool", 4, 4), None),
    ("002/1", "Element-wise Sum", "any size",
     xc_caffe_net((1, 16, 8, 8), layer("Eltwise", "", ("p", "p")), (), 3), None,
     tf(IMAGE, "y = AddV2(p/aquant, p/aquant)"), None),
    ("002/1", "Element-wise Sum", "three inputs",
     xc_caffe_net((1, 16, 8, 8), layer("Eltwise", "", ("p", "p", "p")), (), 4),
     None, tf(IMAGE, "s = AddV2(p/aquant, p/aquant)\n"
              "y = AddV2(s, p/aquant)"), None),
    ("002/1", "Concat", "channels",
     xc_caffe_net((1, 16, 8, 8), layer("Concat", "", ("p", "p")), (), 3), None,
     tf(IMAGE, "i = Const() value=tensor(i32 - bytes 3)\n"
        "y = ConcatV2(p/aquant, p/aquant, i)"), None),
    ("002/1", "Fully Connection", "any size",
     xc_caffe_net((1, 64, 1, 1), layer(
         "InnerProduct",
         "inner_product_param { num_output: 10 bias_term: false }"),
         [(10, 64)], 3), None,
     tf((1, 64), weight("w", (64, 10)) + "y = MatMul(p/aquant, w/wquant)"),
     None),
    ("002/2", "Flatten", "", xc_caffe_net((1, 16, 1, 1), layer("Flatten")), None,
     tf(IMAGE, "s = Const() value=tensor(i32 2 bytes 1 -1)\n"
        "y = Reshape(p/aquant, s)"), None),
    ("002/2", "Const, Shape, Strided_Slice, Stack", "computed at import", None,
     None, tf(IMAGE, "s = Shape(p/aquant)\n"
              "a = Const() value=tensor(i32 1 bytes 0)\n"
              "b = Const() value=tensor(i32 1 bytes 1)\n"
              "m = Const() value=tensor(i32 - bytes -1)\n"
              "n = StridedSlice(s, a, b, b) shrink_axis_mask=1\n"
              "d = Pack(n, m)\ny = Reshape(p/aquant, d)"), None),
    ("002/2", "Identity, Squeeze", "", None, None,
     tf((1, 1, 1, 16), "i = Identity(p/aquant)\n"
        "y = Squeeze(i) squeeze_dims=[1,2]"), None),
    ("002/2", "Batchnorm", "quantised",
     xc_caffe_net(IMAGE[:1] + (16, 8, 8), layer("BatchNorm"), [(16,)] * 5, 4),
     None, None, None),
    ("002/2", "Neg", "", None, None,
     tf(IMAGE, "y = Neg(p/aquant)"), None),
    ("002/2", "Mul", "of two tensors", None, None,
     tf(IMAGE, "y = Mul(p/aquant, p/aquant)"), None),
    ("002/2", "Sub", "", None, None, None,
     tf(IMAGE, "y = Sub(p/aquant, x/aquant)")),
    ("002/2", "Gstiling", "after a convolution",
     xc_caffe_net((1, 16, 8, 8), layer(
         "GSTiling", "gs_tiling_param { stride: 2 reverse: true }")), None,
     None, None),
    ("002/2", "Permute", "channels last",
     xc_caffe_net((1, 16, 8, 8), layer("Permute", (
         "permute_param { order: 0 order: 2 order: 3 order: 1 }"))), None, None,
     None),
    ("002/1", "Reorg", "stride 2",
     xc_caffe_net((1, 16, 8, 8), layer("Reorg", "reorg_param { stride: 2 }")),
     None, None, None),
    ("002/2", "Resize_bilinear", "twice", None, None,
     tf(IMAGE, "s = Const() value=tensor(i32 2 bytes 16 16)\n"
        "y = ResizeBilinear(p/aquant, s)"),
     tf(IMAGE, "s = Const() value=tensor(i32 2 bytes 24 24)\n"
        "y = ResizeBilinear(p/aquant, s)")),
    ("002/2", "Space_to_batch, Batch_to_space", "around a convolution", None,
     None, tf(IMAGE, "b = Const() value=tensor(i32 2 bytes 2 2)\n"
              "z = Const() value=tensor(i32 2x2 bytes 2 2 2 2)\n"
              "o = Const() value=tensor(i32 2x2 bytes 0 0 0 0)\n" +
              weight("w", (3, 3, 16, 16)) +
              "t = SpaceToBatchND(p/aquant, b, z)\n"
              "c = Conv2D(t, w/wquant) strides=[1,1,1,1] padding=\"VALID\"\n"
              "y = BatchToSpaceND(c, b, o)"), None),
    ("002/2", "Mean", "over the image", None, None,
     tf(IMAGE, AXES + "y = Mean(p/aquant, a) keep_dims=true"), None),
    ("002/2", "Pad", "zeros", None, None,
     tf(IMAGE, "around = Const() value=tensor(i32 4x2 bytes 0 0 1 1 1 1 0 0)\n"
        "y = Pad(p/aquant, around)"), None),
    ("002/2", "Resize, DeephiResize", "nearest",
     xc_caffe_net((1, 16, 8, 8), layer(
         "DeephiResize", "deephi_resize_param { scale_h: 2 scale_w: 2 }")),
     xc_caffe_net((1, 16, 8, 8), layer(
         "DeephiResize", "deephi_resize_param { scale_h: 1.5 scale_w: 2 }")),
     tf(IMAGE, "s = Const() value=tensor(i32 2 bytes 16 16)\n"
        "y = ResizeNearestNeighbor(p/aquant, s)"),
     tf(IMAGE, "s = Const() value=tensor(i32 2 bytes 12 16)\n"
        "y = ResizeNearestNeighbor(p/aquant, s)")),
    ("002/2", "Softmax", "", None,
     xc_caffe_net((1, 16, 8, 8), layer("Softmax"), (), 1), None,
     tf((1, 16), "y = Softmax(p/aquant)")),
]


def write(net, base):
    """The model's files; what of xcc's command line names them."""
    if isinstance(net, tuple):
        with open(base + ".prototxt", "w") as file:
            file.write(net[0])
        with open(base + ".caffemodel", "wb") as file:
            file.write(net[1])
        return ["-p", base + ".prototxt", "-c", base + ".caffemodel"]
    with open(base + ".pb", "wb") as file:
        file.write(tensorflow.graph(net))
    return ["-f", base + ".pb"]


def main(folder, page):
    os.makedirs(folder, exist_ok=True)
    table = placement.Table()
    for number, parameter, framework, beyond, net in nets():
        base = os.path.join(folder, "row%d" % len(table.lines))
        table.add([*number, parameter, framework], beyond,
                  placement.placed(write(net, base), base + ".out"))
    return table.write(page, HEAD)


def nets():
    for table, row, parameter, *each in ROWS:
        for i, net in enumerate(each):
            if net is not None:
                framework = ("Caffe", "TensorFlow")[i // 2]
                yield (table, row), parameter, framework, i % 2 == 1, net


HEAD = """# Operators of Caffe and TensorFlow

<!-- Generated by test/Frontend/Inputs/rows.py; do not edit. -->

Rows of the tables of supported operators in the guide of the field's compiler
for DPUs (Tables 1 and 2), as small quantised nets that `xcc` compiled for
DPUCZDX8G_ISA1_B4096: inside a limit of the DPU, and beyond it.

| table | row | parameter | framework | limit | runs on |
|---|---|---|---|---|---|
"""

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
