"""Differences from other runtimes that are meant, with their reasons.

A row has a format, a pattern of the model's text, a pattern of what differs or
of xc's message, and the reason. Where more than a pattern says it, a function
of text and difference comes last.
"""

import re


def steps_off(most, share=0):
    """At most so many steps of the last dequantisation, and a share of the
    largest step of any."""
    def check(text, what):
        match = re.search(r"is (\S+), expected (\S+)$", what)
        names = re.findall(r"node DequantizeLinear [vc]\d+,(c\d+)", text)
        if not match or not names:
            return False
        steps = [float(re.search(r"%s f32 \S+ (\S+)" % name, text).group(1))
                 for name in names]
        difference = abs(float(match.group(1)) - float(match.group(2)))
        return difference <= (most + 0.01) * steps[-1] + share * max(steps)
    return check


def has_empty(text, what):
    """A dimension of size 0 is in play."""
    return any("0" in dims.split("x") for dims in
               re.findall(r"input x\d+ \S+ (\S+)", text))


def fractional_size(text, what):
    """A scale whose result has no whole size."""
    sizes = re.search(r"input x1 \S+ (\S+)", text).group(1).split("x")
    scales = re.search(r"c\d+ f32 [2345] (.*)", text)
    if not scales:
        return False
    scales = list(map(float, scales.group(1).split()))
    return any((int(d) * s) % 1 for d, s in zip(sizes[-len(scales):], scales))


def softmax_of_one(text, what):
    """A quantised softmax over an axis, or the axes from it on, of size 1."""
    dims = re.search(r"input x1 \S+ (\S+)", text).group(1).split("x")
    axis = re.search(r"QLinearSoftmax.*axis=(-?\d+)", text)
    return bool(axis) and dims[int(axis.group(1))] == "1"


ROWS = (
    ("onnx", "NonZero", "as many results as",
     "operators whose results have as many elements as the data says: NonZero"),
    ("onnx", "Pool", "window does not fit",
     "a window larger than its input: ONNX Runtime gives an empty result"),
    ("onnx", r"Resize|Upsample", "'size' has entry 0|has size 0",
     "Resize to an empty size"),
    ("onnx", "Slice", "integers differ|expected",
     "Slice: ONNX Runtime takes the largest integer as the end of a negative "
     "step for 'to the beginning'; ONNX clamps it to the last element",
     lambda text, what: bool(re.search(r"(init|typed) c\d+ \S+ \d+ .*-[12]\b", text) and
                             re.search(r"2147483647|9223372036854775807",
                                       text))),
    ("onnx", "(Max|Average)Pool.*SAME", "",
     "SAME padding of a dilated pool: ONNX Runtime leaves the dilation out, "
     "ONNX's formula has ceil(input / stride) results",
     lambda text, what: bool(re.search(r"dilations=\[.*[23]", text))),
    ("onnx", "(Max|Average|Lp)Pool.*SAME", "",
     "SAME padding of a pool whose stride is larger than its kernel: ONNX "
     "Runtime's padding is negative, xc's is none",
     lambda text, what: bool(re.search(r"strides=\[.*[23]", text))),
    ("onnx", "ConvTranspose.*SAME", "",
     "ConvTranspose with SAME: as ONNX's formula says, input * stride results"),
    ("onnx", "Resize.*align_corners", "expected|integers differ",
     "Resize with align_corners: ONNX's tests take the size before it is "
     "rounded, ONNX Runtime the rounded one", fractional_size),
    ("onnx", "Resize|Upsample", "integers differ by 1$",
     "Resize of integers: a number is cut off, and its last digit decides"),
    ("onnx", 'Resize.*"nearest".*"half_pixel_symmetric"', "",
     "Resize of half_pixel_symmetric to the nearest: a position that lies on "
     "the border of two pixels, up to the last digit of a float"),
    ("onnx", "Resize.*antialias=1", "integers differ",
     "Resize of integers with antialias: ONNX Runtime rounds and saturates to "
     "0 and 255 between the axes, xc once at the end"),
    ("onnx", "MeanVarianceNormalization", "expected nan$",
     "MeanVarianceNormalization: ONNX Runtime leaves out the epsilon of the "
     "definition"),
    ("onnx", "ReduceProd", "integers differ",
     "products of integers beyond their type: ONNX Runtime takes the largest "
     "one, xc wraps as all other arithmetic does"),
    ("onnx", "QLinearSoftmax", "integers differ",
     "QLinearSoftmax of one element: ONNX Runtime wraps, xc saturates at 255",
     softmax_of_one),
    ("onnx", "node Attention", "is nan, expected",
     "Attention: a query that sees no key is the quotient 0 / 0 in ONNX, and 0 "
     "in ONNX Runtime"),
    ("onnx", "Reduce|Arg(Max|Min)", "",
     "reductions over a dimension of size 0", has_empty),
    ("onnx", "@com.microsoft", "integers differ by 1$",
     "QLinear operators: one unit where a float is near the middle of two"),
    ("onnx", "DequantizeLinear.*(.|\n)*node (Add|Sub) ", "expected",
     "sums of unlike fix points: the DPU keeps two bits below the coarser step",
     steps_off(2, 0.25)),
    ("onnx", "DequantizeLinear", "expected",
     "products, means and activations of powers of two: two steps (rounding of "
     "the DPU)",
     lambda text, what: bool(re.search(
         "node (Mul|Max|ReduceMean|AveragePool|GlobalAveragePool|Resize|"
         "LeakyRelu|PRelu|HardSigmoid|HardSwish) ", text)) and
     steps_off(2)(text, what)),
    ("onnx", "DequantizeLinear", "expected",
     "a step of a quantised result: the DPU rounds halves up, and a float can "
     "be near the middle of two", steps_off(1)),
    ("tflite", "CONV_2D|FULLY_CONNECTED|ADD|SUB|MUL|POOL|SOFTMAX|LOGISTIC|TANH|"
     "HARD_SWISH|LEAKY_RELU|RELU|PRELU|CONCATENATION",
     "integers differ by 1$",
     "one unit of a quantised result: xc rounds once, as TensorFlow Lite Micro, "
     "the optimised kernels of TensorFlow Lite twice"),
    ("tflite", r"CONV_3D .*dilation_.=2|CONV_3D_TRANSPOSE .*padding=0", "expected",
     "dilated CONV_3D and CONV_3D_TRANSPOSE of padding SAME: TensorFlow Lite "
     "reads what it has not written; volume_numbers.py has the definition"),
    ("tflite", "L2_NORMALIZATION|SQUARED_DIFFERENCE", "integers differ by 1$",
     "one unit of a result that xc computes in floats, TensorFlow Lite in fixed "
     "point"),
)


def without_functions(text):
    """The model as it was before its nodes went into functions: comments."""
    lines = text.splitlines()
    nodes = [line[2:] for line in lines if line.startswith("# ")]
    ends = [line for line in lines if line.startswith(("input ", "output "))]
    return "\n".join(ends + nodes) if nodes else text


def find(form, text, what):
    text = without_functions(text)
    for row_form, model, difference, reason, *check in ROWS:
        if (row_form == form and re.search(model, text) and
                re.search(difference, what) and
                all(c(text, what) for c in check)):
            return reason
    return None
