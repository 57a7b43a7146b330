"""Random ONNX models: one operator with attributes at their corners, others
before and after it that move and combine what it takes and gives.

make(seed) gives the text of a model, as test/Inputs/onnx.py reads it, and its
inputs. A model may be wrong: what ONNX Runtime refuses does not count. Some of
the nodes may stand in functions.
"""

import random

from onnx_control import branch, literal, sequence, shaping
from onnx_elementwise import (arg, binary, cast, circular, clip, nary,
                              reduction, softmax, unary, unary_alpha, where)
from onnx_functions import outline
from onnx_graph import Maker, Value
from onnx_images import (conv, conv_transpose, normalization, pool, resize,
                         sampling)
from onnx_movement import (gather, join, ordering, pad, reshape, slices, split)
from onnx_products import determinant, gemm, matmul, recurrent
from onnx_quantised import qdq, qlinear
from onnx_spectra import spectrum
from onnx_transformers import fused, transformer

# Each makes the main operator and gives its results, as often as it weighs.
FAMILIES = ((unary, 2), (unary_alpha, 1), (clip, 1), (binary, 4), (nary, 1),
            (where, 1), (cast, 1), (reduction, 3), (arg, 1), (softmax, 1),
            (conv, 4), (conv_transpose, 3), (pool, 4), (matmul, 2), (gemm, 2), (recurrent, 2),
            (normalization, 2), (pad, 2), (slices, 2), (gather, 2), (join, 2),
            (split, 1), (reshape, 3), (resize, 3), (ordering, 1), (qdq, 4),
            (qlinear, 4), (branch, 1), (shaping, 2), (literal, 1),
            (sampling, 2), (fused, 2), (transformer, 2), (circular, 1),
            (spectrum, 2), (sequence, 1), (determinant, 1))


def follow(m, x):
    """Another operator after the main one; its shape need not be known."""
    if x.kind == "f32":
        op = m.pick("Relu", "Neg", "Add", "Sigmoid", "Abs", "Identity", "Shape")
        if op == "Add":
            return Value(m.node(op, [x, x]), "f32", [])
        if op == "Shape":
            return Value(m.node(op, [x]), "i64", [])
        return Value(m.node(op, [x]), "f32", [])
    if x.kind in ("i32", "i64"):
        return Value(m.node("Add", [x, x]), x.kind, [])
    return Value(m.node("Identity", [x]), x.kind, [])


def make(seed):
    m = Maker(seed)
    families = [f for f, weight in FAMILIES for _ in range(weight)]
    family = m.r.choice(families)
    results = family(m)
    # A step of a quantised result must stay what it is.
    for _ in range(0 if family is qdq else m.r.choice([0, 0, 1, 2])):
        results[0] = follow(m, results[0])
    sets = ["opset %d" % m.opset]
    sets += ["opset 1 " + d for d in sorted(m.domains)]
    lines = m.lines
    # Choices of its own: models without functions stay what they were.
    r = random.Random("functions %d" % seed)
    if r.random() < 0.15:
        sets.append("opset 1 pkg")
        # known.py looks for the nodes as they were.
        lines = outline(r, lines, [v.name for v in results], sets) + [
            "# " + line for line in lines]
    head = ["ir 8"] + sets
    head += ["input %s %s %s" % (v.name, v.kind, "x".join(map(str, v.dims)) or
                                 "-") for v, _ in m.inputs]
    tail = ["output %s %s ?" % (v.name, v.kind) for v in results]
    return "\n".join(head + lines + tail) + "\n", m.inputs
