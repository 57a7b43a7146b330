"""The operators of PyTorch as ONNX spells them: where they run inside the limits
of a DPU and where beyond, and why.

usage: pytorch.py DIRECTORY PAGE|--torch [NTH]

Every row is a small net in floating point that xcc quantises and compiles.
Prints a line for each that is not placed as it should be; writes the table to
PAGE. With --torch PyTorch's own exporter writes the models. NTH: of each so many
rows only the first one.
"""

import os
import sys

import placement

CHANNELS = 16
EXPORTED_OPSET = 13


def size(dims):
    count = 1
    for d in dims:
        count *= d
    return count


def constant(name, dims, low=-0.5, high=0.5):
    """Numbers between low and high, the same ones each time."""
    state, numbers = size(dims) + len(name), []
    for _ in range(size(dims)):
        state = (state * 1103515245 + 12345) % (1 << 31)
        numbers.append("%.3g" % (low + (high - low) * state / (1 << 31)))
    return "init %s f32 %s %s\n" % (name, "x".join(map(str, dims)) or "-",
                                    " ".join(numbers))


def integers(name, *values):
    return "init %s i64 %d %s\n" % (name, len(values),
                                    " ".join(map(str, values)))


def number(name, value):
    return "init %s f32 - %s\n" % (name, value)


def net(body, channels=CHANNELS, image=(8, 8)):
    """Nodes that read `p`, a convolution of `x`, and end with `y`."""
    shape = (1, 16) + image
    return ("opset %d\ninput x f32 %s\n%snode Conv x,before -> p "
            "kernel_shape=[1,1]\n%soutput y f32 ?\n"
            % (EXPORTED_OPSET, "x".join(map(str, shape)),
               constant("before", (channels, 16, 1, 1)), body))


def conv(kernel=3, stride=1, outputs=16, pad=0, dilation=1, groups=1,
         channels=16, image=(40, 40)):
    return net(constant("w", (outputs, channels // groups, kernel, kernel)) +
               "node Conv p,w -> y kernel_shape=[%d,%d] strides=[%d,%d] "
               "pads=[%d,%d,%d,%d] dilations=[%d,%d] group=%d\n"
               % (kernel, kernel, stride, stride, pad, pad, pad, pad, dilation,
                  dilation, groups), channels, image)


def deconv(kernel, stride, groups=1, image=(8, 8)):
    return net(constant("w", (16, 16 // groups, kernel, kernel)) +
               "node ConvTranspose p,w -> y kernel_shape=[%d,%d] "
               "strides=[%d,%d] group=%d\n"
               % (kernel, kernel, stride, stride, groups), image=image)


def pool(word, kernel, stride=1, pad=0, more="", image=(40, 40)):
    return net("node %sPool p -> y kernel_shape=[%d,%d] strides=[%d,%d] "
               "pads=[%d,%d,%d,%d] %s\n"
               % (word, kernel, kernel, stride, stride, pad, pad, pad, pad,
                  more), image=image)


def dense(inputs, outputs, channels=16):
    side = inputs // channels
    return net(integers("flat", 1, inputs) + "node Reshape p,flat -> v\n" +
               constant("w", (outputs, inputs)) + constant("b", (outputs,)) +
               "node Gemm v,w,b -> y transB=1\n", channels, (1, side))


def resize(scale, mode, transform, nearest="", layer=False):
    """`layer`: a convolution reads it."""
    rounding = ' nearest_mode="%s"' % nearest if nearest else ""
    after = (constant("after", (16, 16, 1, 1)) +
             "node Conv r,after -> y kernel_shape=[1,1]\n" if layer else "")
    return net("init s f32 4 1.0 1.0 %s %s\n" % (scale, scale) +
               'node Resize p,_,s -> %s mode="%s" '
               'coordinate_transformation_mode="%s"%s\n%s'
               % ("r" if layer else "y", mode, transform, rounding, after))


def simple(words, body="", **more):
    """One node that reads p."""
    op, _, attributes = words.partition(" ")
    op, _, inputs = op.partition(",")
    return net(body + "node %s p%s -> y %s\n"
               % (op, "," + inputs if inputs else "", attributes), **more)


def batchnorm(before=""):
    vectors = "".join(constant(n, (16,), low, high) for n, low, high in (
        ("scale", 0.5, 1.5), ("shift", -0.5, 0.5), ("mean", -0.2, 0.2),
        ("var", 0.5, 1.0)))
    return net(before + vectors + "node BatchNormalization %s,scale,shift,mean,"
               "var -> y\n" % ("q" if before else "p"))


FORMULA = ("node Add p,three -> a\nnode Clip a,zero,six -> b\n" +
           "node %s -> y\n")
NUMBERS = number("zero", 0) + number("six", 6) + number("three", 3)
UNSHUFFLE = (integers("split", 1, 16, 4, 2, 4, 2) +
             "node Reshape p,split -> a\n"
             "node Transpose a -> b perm=[0,1,3,5,2,4]\n" +
             integers("join", 1, 64, 4, 4) + "node Reshape b,join -> y\n")

# row, parameter, ONNX inside and beyond, PyTorch inside and beyond; None: there
# is no limit, or nothing inside (a form of the operator that xc does not have on
# the DPU is beyond). In PyTorch's words `p` is the convolution's
# result, `x` the input, and P(...) makes a parameter.
ROWS = [
    ("Conv2d", "kernel 8, 17", conv(8), conv(17), "nn.Conv2d(16, 16, 8)(p)",
     "nn.Conv2d(16, 16, 17)(p)"),
    ("Conv2d", "stride 4", conv(10, 4), None, "nn.Conv2d(16, 16, 10, 4)(p)",
     None),
    ("Conv2d", "stride 9", conv(10, 9), None, "nn.Conv2d(16, 16, 10, 9)(p)",
     None),
    ("Conv2d", "kernel and stride 16", conv(16, 16), None,
     "nn.Conv2d(16, 16, 16, 16)(p)", None),
    ("Conv2d", "padding kernel", conv(3, pad=3), None,
     "nn.Conv2d(16, 16, 3, padding=3)(p)", None),
    ("Conv2d", "channels 4096, 4112", conv(1, outputs=4096, image=(2, 2)),
     conv(1, outputs=4112, image=(2, 2)), None, None),
    ("Conv2d", "dilation 2", conv(3, dilation=2), None,
     "nn.Conv2d(16, 16, 3, dilation=2)(p)", None),
    ("Conv2d", "groups = channels, kernel 3", conv(3, groups=16), None,
     "nn.Conv2d(16, 16, 3, groups=16)(p)", None),
    ("Conv2d", "groups 4", conv(3, groups=4), None,
     "nn.Conv2d(16, 16, 3, groups=4)(p)", None),
    ("ConvTranspose2d", "kernel 4, stride 2", deconv(4, 2), None,
     "nn.ConvTranspose2d(16, 16, 4, 2)(p)", None),
    ("ConvTranspose2d", "kernel / stride 16, 17", deconv(16, 1),
     deconv(17, 1), None, None),
    ("ConvTranspose2d", "groups = channels", deconv(4, 2, 16), None,
     "nn.ConvTranspose2d(16, 16, 4, 2, groups=16)(p)", None),
    ("matmul", "by a constant, of two tensors",
     net(constant("w", (8, 12)) + "node MatMul p,w -> y\n"),
     net("node Transpose p -> t perm=[0,1,3,2]\nnode MatMul p,t -> y\n"),
     None, "p @ p.transpose(2, 3)"),
    ("Linear", "outputs 10", dense(1024, 10), None,
     "nn.Linear(1024, 10)(p.flatten(1))", None),
    ("Linear", "outputs 1000", dense(1024, 1000), None,
     "nn.Linear(1024, 1000)(p.flatten(1))", None),
    ("Linear", "outputs 5000", dense(64, 5000), None,
     "nn.Linear(64, 5000)(p[:, :, :2, :2].flatten(1))", None),
    ("Linear", "inputs 10007, 32771 (primes)", dense(10007, 8, 1),
     dense(32771, 1, 1), None, None),
    ("Linear", "transposed rows (transA)", net(
        integers("flat", 16, 64) + "node Reshape p,flat -> v\n" +
        constant("w", (16, 10)) + "node Gemm v,w -> g transA=1\n" +
        integers("rows", 1, 64, 10) + "node Reshape g,rows -> y\n"), None,
     None, None),
    ("MaxPool2d", "kernel 8, stride 4", pool("Max", 8, 4), None,
     "F.max_pool2d(p, 8, 4)", None),
    ("MaxPool2d", "padding, ceil_mode", pool("Max", 3, 2, 1, "ceil_mode=1"),
     None, "F.max_pool2d(p, 3, 2, 1, ceil_mode=True)", None),
    ("AdaptiveMaxPool2d", "output 1", simple("GlobalMaxPool"), None,
     "F.adaptive_max_pool2d(p, 1)", None),
    ("AvgPool2d", "kernel 8, stride 4", pool("Average", 8, 4), None,
     "F.avg_pool2d(p, 8, 4)", None),
    ("AvgPool2d", "count_include_pad",
     pool("Average", 3, 2, 1, "count_include_pad=1"), None,
     "F.avg_pool2d(p, 3, 2, 1)", None),
    ("AvgPool2d", "padding, ceil_mode, count_include_pad",
     pool("Average", 3, 2, 1, "ceil_mode=1 count_include_pad=1"), None,
     "F.avg_pool2d(p, 3, 2, 1, ceil_mode=True)", None),
    ("AvgPool2d", "without the padding", pool("Average", 3, 2, 1), None,
     "F.avg_pool2d(p, 3, 2, 1, count_include_pad=False)", None),
    ("AdaptiveAvgPool2d", "output 1", simple("GlobalAveragePool"), None,
     "F.adaptive_avg_pool2d(p, 1)", None),
    ("ReLU", "", simple("Relu"), None, "F.relu(p)", None),
    ("LeakyReLU", "slope 26/256", simple("LeakyRelu alpha=0.1015625"),
     None, "F.leaky_relu(p, 0.1015625)", None),
    ("LeakyReLU", "slope 0.3", simple("LeakyRelu alpha=0.3"), None,
     "F.leaky_relu(p, 0.3)", None),
    ("PReLU", "a slope a channel", simple(
        "PRelu,slope", constant("slope", (16, 1, 1), 0.1, 0.4)), None,
     "nn.PReLU(16)(p)", None),
    ("PReLU", "after a Linear", net(
        integers("flat", 1, 256) + "node Reshape p,flat -> v\n" +
        constant("w", (24, 256)) + "node Gemm v,w -> a transB=1\n" +
        constant("slope", (24,), 0.1, 0.4) + "node PRelu a,slope -> y\n",
        image=(1, 16)), None, None, None),
    ("ReLU6", "", simple("Clip,zero,six", NUMBERS), None, "F.relu6(p)", None),
    ("ReLU6", "as a ReLU and a Clip", net(
        NUMBERS + "node Relu p -> r\nnode Clip r,zero,six -> y\n"), None,
     "F.relu(p).clamp(0., 6.)", None),
    ("Hardtanh", "0 to 6, -1 to 1", simple("Clip,zero,six", NUMBERS), None,
     "F.hardtanh(p, 0., 6.)", None),
    ("Hardsigmoid", "", simple("HardSigmoid alpha=0.1666667 beta=0.5"), None,
     "F.hardsigmoid(p)", None),
    ("Hardsigmoid", "as its formula", net(
        NUMBERS + FORMULA % "Div b,six"), None,
     "F.relu6(p + 3) / 6", None),
    ("Hardswish", "", net("node HardSigmoid p -> g alpha=0.1666667 beta=0.5\n"
                          "node Mul p,g -> y\n"), None, "F.hardswish(p)", None),
    ("Hardswish", "as its formula", net(
        NUMBERS + FORMULA % "Mul p,b -> c\nnode Div c,six"), None,
     "p * F.relu6(p + 3) / 6", None),
    ("ConstantPad2d / ZeroPad2d", "value 0", simple(
        "Pad,around", integers("around", 0, 0, 1, 1, 0, 0, 1, 1)), None,
     "F.pad(p, (1, 1, 1, 1))", None),
    ("ConstantPad2d / ZeroPad2d", "value 5", simple(
        "Pad,around,five", integers("around", 0, 0, 1, 1, 0, 0, 1, 1) +
        number("five", 5)), None, "F.pad(p, (1, 1, 1, 1), value=5.)", None),
    ("add", "of two tensors", simple("Add,x"), None, "p + x", None),
    ("add", "one number a channel", simple("Add,c", constant("c", (16, 1, 1))),
     None, "p + P(16, 1, 1)", None),
    ("sub", "of two tensors", simple("Sub,x"), None, "p - x", None),
    ("sub", "one number a channel", simple("Sub,c", constant("c", (16, 1, 1))),
     None, "p - P(16, 1, 1)", None),
    ("rsub", "1 - p", net(number("one", 1) + "node Sub one,p -> y\n"), None,
     "1 - p", None),
    ("mul", "of two tensors", simple("Mul,x"), None, "p * x", None),
    ("mul", "one number a channel", simple("Mul,c", constant("c", (16, 1, 1))),
     None, "p * P(16, 1, 1)", None),
    ("neg", "", simple("Neg"), None, "-p", None),
    ("sum", "of the columns", None, simple(
        "ReduceSum,axes keepdims=1", integers("axes", 3)), None, None),
    ("max", "over the image", simple("ReduceMax axes=[2,3] keepdims=1"), None,
     "p.amax((2, 3), True)", None),
    ("mean", "over the image", simple("ReduceMean axes=[2,3] keepdims=1"),
     None, "p.mean((2, 3), True)", None),
    ("sum", "of the channels", simple("ReduceSum,one keepdims=1", integers("one", 1)),
     None, "p.sum(1, True)", None),
    ("max", "of the channels", simple("ReduceMax axes=[1] keepdims=1"), None,
     "p.amax(1, True)", None),
    ("mean", "of the channels", simple("ReduceMean axes=[1] keepdims=1"), None,
     "p.mean(1, True)", None),
    ("interpolate", "bilinear by 3", resize("3.0", "linear", "half_pixel"),
     None, 'F.interpolate(p, scale_factor=3, mode="bilinear")', None),
    ("interpolate", "bilinear by 16, 17", resize("16.0", "linear", "half_pixel"),
     resize("17.0", "linear", "half_pixel"),
     'F.interpolate(p, scale_factor=16, mode="bilinear")',
     'F.interpolate(p, scale_factor=17, mode="bilinear")'),
    ("interpolate", "bilinear by 4", resize("4.0", "linear", "half_pixel"),
     None, 'F.interpolate(p, scale_factor=4, mode="bilinear")', None),
    ("interpolate", "bilinear by 8, asymmetric",
     resize("8.0", "linear", "asymmetric"), None, None, None),
    ("interpolate", "bilinear by 8, 9, align_corners, before a layer",
     resize("8.0", "linear", "align_corners", layer=True),
     resize("9.0", "linear", "align_corners", layer=True),
     'nn.Conv2d(16, 16, 1)(F.interpolate(p, scale_factor=8, mode="bilinear", '
     'align_corners=True))',
     'nn.Conv2d(16, 16, 1)(F.interpolate(p, scale_factor=9, mode="bilinear", '
     'align_corners=True))'),
    ("interpolate", "nearest by 2, 1.5",
     resize("2.0", "nearest", "asymmetric", "floor"),
     resize("1.5", "nearest", "asymmetric", "floor"),
     "F.interpolate(p, scale_factor=2)", "F.interpolate(p, scale_factor=1.5)"),
    ("interpolate", "nearest by 2, round_prefer_floor, round_prefer_ceil",
     resize("2.0", "nearest", "asymmetric", "round_prefer_floor"),
     resize("2.0", "nearest", "asymmetric", "round_prefer_ceil"), None, None),
    ("interpolate", "bicubic by 2", None,
     resize("2.0", "cubic", "half_pixel"), None,
     'F.interpolate(p, scale_factor=2, mode="bicubic")'),
    ("permute", "before a Linear", None, None,
     "nn.Linear(16, 8)(p.permute(0, 2, 3, 1))", None),
    ("transpose", "of rows and columns", simple("Transpose perm=[0,1,3,2]"),
     None, "p.transpose(2, 3)", None),
    ("view / reshape", "rows into one", simple(
        "Reshape,s", integers("s", 1, 16, 64)), None, "p.view(1, 16, 64)",
     None),
    ("flatten", "before a Linear", net(
        "node Flatten p -> v axis=1\n" + constant("w", (10, 1024)) +
        constant("b", (10,)) + "node Gemm v,w,b -> y transB=1\n"), None,
     "nn.Linear(1024, 10)(p.flatten(1))", None),
    ("squeeze", "after a pool", net(
        "node GlobalAveragePool p -> a\n" + integers("axes", 2, 3) +
        "node Squeeze a,axes -> y\n"), None,
     "F.adaptive_avg_pool2d(p, 1).squeeze(3).squeeze(2)", None),
    ("cat", "of channels", net("node Concat p,x -> y axis=1\n"), None,
     "torch.cat((p, x), 1)", None),
    ("cat", "of rows", net("node Relu p -> q\nnode Concat p,q -> y axis=2\n"),
     None, "torch.cat((p, F.relu(p)), 2)", None),
    ("slice", "of rows", simple("Slice,b,e,a", integers("b", 2) + integers(
        "e", 6) + integers("a", 2)), None, "p[:, :, 2:6]", None),
    ("slice", "of rows, backwards", None, simple(
        "Slice,b,e,a,s", integers("b", -1) + integers("e", -100) +
        integers("a", 2) + integers("s", -2)), None, None),
    ("slice", "of channels, from 16", net(
        integers("b", 16) + integers("e", 32) + integers("a", 1) +
        "node Slice p,b,e,a -> y\n", 32), None, None, None),
    ("BatchNorm2d", "after a convolution", batchnorm(), None,
     "nn.BatchNorm2d(16)(p)", None),
    ("BatchNorm2d", "by itself", batchnorm("node Relu p -> q\n"), None,
     "nn.BatchNorm2d(16)(F.relu(p))", None),
    ("softmax", "", None, simple("Softmax axis=1"), None, "F.softmax(p, 1)"),
    ("Tanh", "", None, simple("Tanh"), None, "torch.tanh(p)"),
    ("Sigmoid", "", None, simple("Sigmoid"), None, "torch.sigmoid(p)"),
    ("PixelShuffle", "by 2", simple('DepthToSpace blocksize=2 mode="CRD"'),
     None, "F.pixel_shuffle(p, 2)", None),
    ("Reorg (SpaceToDepth)", "by 2", simple("SpaceToDepth blocksize=2"), None,
     None, None),
    ("PixelUnshuffle", "by 2", net(UNSHUFFLE), None,
     "F.pixel_unshuffle(p, 2)", None),
]


def write_onnx(text, path):
    import onnx
    with open(path, "wb") as file:
        file.write(onnx.model(text))


def write_torch(expression, path):
    """The expression as PyTorch exports it."""
    import torch
    from torch import nn
    from torch.nn import functional
    torch.manual_seed(1)
    made = []

    class Names:
        """nn, whose modules are made once."""

        def __getattr__(self, kind):
            def make(*arguments, **more):
                made.append(getattr(nn, kind)(*arguments, **more).eval())
                return made[-1]
            return make

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.before = nn.Conv2d(16, 16, 1)
            self.kept = nn.ModuleList()

        def forward(self, x):
            p, at = self.before(x), iter(list(self.kept))
            words = Names() if not self.kept else None

            class Again:
                def __getattr__(self, kind):
                    return lambda *arguments, **more: next(at)

            return eval(expression, {
                "p": p, "x": x, "torch": torch, "F": functional,
                "nn": words or Again(),
                "P": lambda *dims: torch.linspace(-1, 1, size(dims)).view(
                    *dims)})

    side = 40 if "Conv2d(16" in expression or "_pool2d(p," in expression else 8
    module, x = Net().eval(), torch.rand(1, 16, side, side)
    module(x)
    module.kept.extend(made)
    torch.onnx.export(module, x, path, opset_version=EXPORTED_OPSET,
                      input_names=["x"], output_names=["y"])


def main(folder, page, nth="1"):
    os.makedirs(folder, exist_ok=True)
    from_torch = page == "--torch"
    table = placement.Table()
    for row, parameter, *nets in ROWS[::int(nth)]:
        for i, what in enumerate(nets[2:] if from_torch else nets[:2]):
            if what is None:
                continue
            base = os.path.join(folder, "row%d" % len(table.lines))
            (write_torch if from_torch else write_onnx)(what, base + ".onnx")
            source = [base + ".onnx", "--calibration=random"]
            table.add((row, parameter), i == 1,
                      placement.placed(source, base + ".out"))
    return table.finish() if from_torch else table.write(page, HEAD)


HEAD = """# Operators of PyTorch

<!-- Generated by test/Frontend/Inputs/pytorch.py; do not edit. -->

Operators of PyTorch as its exporter writes them into ONNX, each after a 1x1
convolution of 16 channels, in floating point. `xcc --calibration=random`
quantised and compiled the small nets for DPUCZDX8G_ISA1_B4096: inside a limit
of the DPU, and beyond it.

| row | parameter | limit | runs on |
|---|---|---|---|
"""

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
