#!/usr/bin/env python3
"""Writes a TensorFlow Lite file from a few lines of text.

usage: tflite.py FILE MODEL [--truncate N] [--poke OFFSET=HEX]...  > model.tflite

FILE holds models between `MODEL name` and `END`:

  version 3
  tensor NAME TYPE DIMS [q=SCALE[:ZERO],...[@AXIS]] [data=...] [sig=DIMS]
                        [buffer=N] [sparse] [csr=SEGMENTS/INDICES] [variable]
                        [outside=...[:SIZE]] [sparsity=ORDER/BLOCKS/LEVELS]
  op NAME INPUT... -> OUTPUT... [option=value]...
  in TENSOR...
  out TENSOR...
  name SUBGRAPH

DIMS is like 1x4x4x2, or `scalar`. `data` is a list of numbers, `ramp` (1, 2, 3
... modulo 100) or `fill:N`; `outside` is data that lies outside the tables, as
in files above 2 GB, and says that it has SIZE bytes. An input `-` is absent; `#7` is tensor number 7,
there or not. Options are those of OPERATORS below, `options_type=N` gives
another type of options and `none` leaves them out. A custom operator is
`CUSTOM:name`, whose options can be any (a FlexBuffer map) or hex=BYTES, any other number `CODE:number`.
"""

import re
import struct
import sys

TYPES = {
    "float32": (0, "f"), "float16": (1, "e"), "int32": (2, "i"),
    "uint8": (3, "B"), "int64": (4, "q"), "string": (5, "B"), "bool": (6, "B"),
    "int16": (7, "h"), "int8": (9, "b"), "float64": (10, "d"),
    "int4": (17, "b"), "type99": (99, "b"),
}

# name: (builtin code, type of its options, {option: (field, format)})
WINDOW = {"padding": (0, "b"), "stride_w": (1, "i"), "stride_h": (2, "i")}
FUSED = {"activation": (0, "b")}
VOLUME = {"padding": (0, "b"), "stride_d": (1, "i"), "stride_w": (2, "i"),
          "stride_h": (3, "i"), "activation": (4, "b"), "dilation_d": (5, "i"),
          "dilation_w": (6, "i"), "dilation_h": (7, "i")}
OPERATORS = {
    "ADD": (0, 11, FUSED),
    "AVERAGE_POOL_2D": (1, 5, dict(WINDOW, filter_w=(3, "i"), filter_h=(4, "i"),
                                   activation=(5, "b"))),
    "CONCATENATION": (2, 10, {"axis": (0, "i"), "activation": (1, "b")}),
    "CONV_2D": (3, 1, dict(WINDOW, activation=(3, "b"), dilation_w=(4, "i"),
                           dilation_h=(5, "i"))),
    "DEPTHWISE_CONV_2D": (4, 2, dict(WINDOW, multiplier=(3, "i"),
                                     activation=(4, "b"), dilation_w=(5, "i"),
                                     dilation_h=(6, "i"))),
    "DEPTH_TO_SPACE": (5, 94, {"block_size": (0, "i")}),
    "DEQUANTIZE": (6, 38, {}),
    "FLOOR": (8, 0, {}),
    "FULLY_CONNECTED": (9, 8, {"activation": (0, "b"), "format": (1, "b"),
                               "keep_num_dims": (2, "b"),
                               "asymmetric": (3, "b")}),
    "L2_NORMALIZATION": (11, 12, FUSED),
    "LOCAL_RESPONSE_NORMALIZATION": (13, 13, {
        "radius": (0, "i"), "bias": (1, "f"), "alpha": (2, "f"),
        "beta": (3, "f")}),
    "LOGISTIC": (14, 0, {}),
    "LSTM": (16, 0, {}),
    "MAX_POOL_2D": (17, 5, dict(WINDOW, filter_w=(3, "i"), filter_h=(4, "i"),
                                activation=(5, "b"))),
    "MUL": (18, 21, FUSED),
    "RELU": (19, 0, {}),
    "RELU_N1_TO_1": (20, 0, {}),
    "RELU6": (21, 0, {}),
    "RESHAPE": (22, 17, {"new_shape": (0, "vi")}),
    "RESIZE_BILINEAR": (23, 15, {"align_corners": (2, "b"),
                                 "half_pixel_centers": (3, "b")}),
    "SOFTMAX": (25, 9, {"beta": (0, "f")}),
    "SPACE_TO_DEPTH": (26, 19, {"block_size": (0, "i")}),
    "TANH": (28, 0, {}),
    "PAD": (34, 22, {}),
    "UNIDIRECTIONAL_SEQUENCE_RNN": (35, 31, {"time_major": (0, "b"),
                                             "activation": (1, "b")}),
    "GATHER": (36, 23, {"axis": (0, "i"), "batch_dims": (1, "i")}),
    "BATCH_TO_SPACE_ND": (37, 24, {}),
    "SPACE_TO_BATCH_ND": (38, 25, {}),
    "TRANSPOSE": (39, 26, {}),
    "MEAN": (40, 27, {"keep_dims": (0, "b")}),
    "SUB": (41, 28, FUSED),
    "DIV": (42, 29, FUSED),
    "SQUEEZE": (43, 30, {"squeeze_dims": (0, "vi")}),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": (44, 71, {
        "activation": (0, "b"), "cell_clip": (1, "f"), "time_major": (3, "b")}),
    "STRIDED_SLICE": (45, 32, {
        "begin_mask": (0, "i"), "end_mask": (1, "i"), "ellipsis_mask": (2, "i"),
        "new_axis_mask": (3, "i"), "shrink_axis_mask": (4, "i"),
        "offset": (5, "b")}),
    "EXP": (47, 33, {}),
    "SPLIT": (49, 35, {"num_splits": (0, "i")}),
    "LOG_SOFTMAX": (50, 36, {}),
    "TOPK_V2": (48, 0, {}),
    "CAST": (53, 37, {}),
    "PRELU": (54, 0, {}),
    "MAXIMUM": (55, 39, {}),
    "ARG_MAX": (56, 40, {}),
    "MINIMUM": (57, 39, {}),
    "LESS": (58, 41, {}),
    "NEG": (59, 42, {}),
    "PADV2": (60, 43, {}),
    "SELECT": (64, 47, {}),
    "SLICE": (65, 48, {}),
    "SIN": (66, 0, {}),
    "TRANSPOSE_CONV": (67, 49, dict(WINDOW, activation=(3, "b"))),
    "TILE": (69, 0, {}),
    "EXPAND_DIMS": (70, 52, {}),
    "LOG": (73, 0, {}),
    "SUM": (74, 27, {"keep_dims": (0, "b")}),
    "SQRT": (75, 0, {}),
    "RSQRT": (76, 0, {}),
    "SHAPE": (77, 55, {}),
    "POW": (78, 56, {}),
    "REDUCE_PROD": (81, 27, {"keep_dims": (0, "b")}),
    "REDUCE_MAX": (82, 27, {"keep_dims": (0, "b")}),
    "PACK": (83, 59, {"count": (0, "i"), "axis": (1, "i")}),
    "LOGICAL_AND": (86, 62, {}),
    "LOGICAL_NOT": (87, 63, {}),
    "REDUCE_MIN": (89, 27, {"keep_dims": (0, "b")}),
    "UNPACK": (88, 64, {"num": (0, "i"), "axis": (1, "i")}),
    "FLOOR_DIV": (90, 65, {}),
    "SQUARE": (92, 66, {}),
    "RESIZE_NEAREST_NEIGHBOR": (97, 74, {"align_corners": (0, "b"),
                                         "half_pixel_centers": (1, "b")}),
    "LEAKY_RELU": (98, 75, {"alpha": (0, "f")}),
    "SQUARED_DIFFERENCE": (99, 76, {}),
    "MIRROR_PAD": (100, 77, {"mode": (0, "b")}),
    "ABS": (101, 78, {}),
    "SPLIT_V": (102, 79, {"num_splits": (0, "i")}),
    "CEIL": (104, 0, {}),
    "ADD_N": (106, 0, {}),
    "ARG_MIN": (79, 57, {}),
    "FLOOR_MOD": (95, 0, {}),
    "GATHER_ND": (107, 0, {}),
    "NON_MAX_SUPPRESSION_V4": (120, 0, {}),
    "NON_MAX_SUPPRESSION_V5": (121, 0, {}),
    "DENSIFY": (124, 0, {}),
    "GELU": (150, 116, {"approximate": (0, "b")}),
    "RANK": (110, 86, {}),
    "ELU": (111, 0, {}),
    "QUANTIZE": (114, 89, {}),
    "ROUND": (116, 0, {}),
    "HARD_SWISH": (117, 91, {}),
    "SELECT_V2": (123, 98, {}),
    "BATCH_MATMUL": (126, 101, {"adj_x": (0, "b"), "adj_y": (1, "b"),
                                "asymmetric": (2, "b")}),
    "BROADCAST_TO": (130, 104, {}),
    "RELU_0_TO_1": (152, 0, {}),
    "L2_POOL_2D": (12, 5, dict(WINDOW, filter_w=(3, "i"), filter_h=(4, "i"),
                               activation=(5, "b"))),
    "BITWISE_XOR": (160, 0, {}),
    "BROADCAST_ARGS": (145, 0, {}),
    "BUCKETIZE": (147, 115, {"boundaries": (0, "vf")}),
    "CONV_3D": (132, 106, VOLUME),
    "CONV_3D_TRANSPOSE": (141, 106, VOLUME),
    "ATAN2": (156, 0, {}),
    "COS": (108, 0, {}),
    "DYNAMIC_UPDATE_SLICE": (151, 0, {}),
    "EMBEDDING_LOOKUP": (7, 0, {}),
    "EQUAL": (71, 0, {}),
    "FAKE_QUANT": (80, 58, {"min": (0, "f"), "max": (1, "f"),
                            "num_bits": (2, "i"), "narrow_range": (3, "b")}),
    "GREATER_EQUAL": (62, 0, {}),
    "LESS_EQUAL": (63, 0, {}),
    "MATRIX_DIAG": (113, 0, {}),
    "MATRIX_SET_DIAG": (115, 0, {}),
    "NOT_EQUAL": (72, 0, {}),
    "RIGHT_SHIFT": (161, 0, {}),
    "SCATTER_ND": (122, 0, {}),
    "SEGMENT_SUM": (125, 0, {}),
    "SPARSE_TO_DENSE": (68, 0, {}),
    "UNSORTED_SEGMENT_MAX": (154, 0, {}),
    "UNSORTED_SEGMENT_MIN": (157, 0, {}),
    "UNSORTED_SEGMENT_PROD": (153, 0, {}),
    "UNSORTED_SEGMENT_SUM": (155, 0, {}),
    "CUMSUM": (128, 102, {"exclusive": (0, "b"), "reverse": (1, "b")}),
    "FILL": (94, 0, {}),
    "GREATER": (61, 0, {}),
    "ONE_HOT": (85, 61, {"axis": (0, "i")}),
    "RANGE": (96, 0, {}),
    "REDUCE_ALL": (140, 27, {"keep_dims": (0, "b")}),
    "REDUCE_ANY": (91, 27, {"keep_dims": (0, "b")}),
    "REVERSE_SEQUENCE": (112, 87, {"seq_dim": (0, "i"), "batch_dim": (1, "i")}),
    "REVERSE_V2": (105, 0, {}),
    "SIGN": (158, 0, {}),
    "ZEROS_LIKE": (93, 0, {}),
}


class Writer:
    """Tables are lists of (field, format, value). Formats: those of struct,
    T a table, vT a vector of tables, vF a vector of F, s a string."""

    def __init__(self):
        self.out = bytearray(b"\0\0\0\0TFL3")

    def align(self, size):
        while len(self.out) % size:
            self.out.append(0)

    def patch(self, at, target):
        struct.pack_into("<I", self.out, at, target - at)

    def table(self, fields):
        sizes = {f: 4 if f[0] in "Tvs" else struct.calcsize("<" + f)
                 for _, f, _ in fields}
        places, size = {}, 4
        for index, form, _ in sorted(fields, key=lambda x: -sizes[x[1]]):
            size += -size % sizes[form]
            places[index] = size
            size += sizes[form]
        entries = max(places, default=-1) + 1
        vtable = struct.pack("<HH", 4 + 2 * entries, size) + b"".join(
            struct.pack("<H", places.get(i, 0)) for i in range(entries))
        # The table starts at a multiple of 8 right after its vtable.
        while (len(self.out) + len(vtable)) % 8:
            self.out.append(0)
        start = len(self.out)
        self.out += vtable
        at = len(self.out)
        self.out += struct.pack("<i", at - start) + bytes(size - 4)
        for index, form, value in fields:
            place = at + places[index]
            if form == "T":
                self.patch(place, self.table(value))
            elif form == "s":
                self.patch(place, self.vector("B", value.encode(), 1))
            elif form == "vT":
                self.patch(place, self.tables(value))
            elif form[0] == "v":
                self.patch(place, self.vector(form[1], value, 8))
            else:
                struct.pack_into("<" + form, self.out, place, value)
        return at

    def vector(self, form, values, align):
        data = values if isinstance(values, bytes) else struct.pack(
            "<%d%s" % (len(values), form), *values)
        while (len(self.out) + 4) % max(align, struct.calcsize(form), 4):
            self.out.append(0)
        at = len(self.out)
        count = len(data) // struct.calcsize("<" + form)
        self.out += struct.pack("<I", count) + data
        return at

    def tables(self, tables):
        self.align(4)
        at = len(self.out)
        self.out += struct.pack("<I", len(tables)) + bytes(4 * len(tables))
        for i, fields in enumerate(tables):
            self.patch(at + 4 + 4 * i, self.table(fields))
        return at


def flexbuffer(options):
    """A map: true and false, integers, floats (with a point) and texts."""
    out, keys, values, kinds = bytearray(), {}, {}, {}
    for key in sorted(options):
        keys[key] = len(out)
        out += key.encode() + b"\0"
    for key, value in options.items():
        if not re.fullmatch(r"-?[\d.]+|true|false", value):
            out += bytes([len(value)])
            values[key] = len(out)
            out += value.encode() + b"\0"
    out += bytes(-len(out) % 4) + struct.pack("<I", len(keys))
    vector = len(out)
    for key in sorted(options):
        out += struct.pack("<I", len(out) - keys[key])
    out += struct.pack("<III", len(out) - vector, 4, len(keys))
    first = len(out)
    for key in sorted(options):
        value = options[key]
        if key in values:
            out += struct.pack("<I", len(out) - values[key])
        elif value in ("true", "false"):
            out += struct.pack("<I", value == "true")
        else:
            out += struct.pack("<f", float(value)) if "." in value else (
                struct.pack("<i", int(value)))
        kinds[key] = (5 << 2 if key in values else 26 << 2 | 2
                      if value in ("true", "false") else
                      3 << 2 | 2 if "." in value else 1 << 2 | 2)
    out += bytes(kinds[key] for key in sorted(options))
    return bytes(out + bytes([len(out) - first, 9 << 2 | 2, 1]))


class Model:
    def __init__(self):
        self.version, self.name = 3, None
        self.tensors, self.index, self.buffers = [], {}, [[]]
        self.codes, self.operators, self.inputs, self.outputs = [], [], [], []
        self.outside = b""

    def number(self, word):
        if word == "-":
            return -1
        return int(word[1:]) if word[0] == "#" else self.index[word]

    def tensor(self, name, kind, dims, *rest):
        code, form = TYPES[kind]
        shape = [] if dims == "scalar" else [int(x) for x in dims.split("x")]
        fields = [(0, "vi", shape), (1, "b", code), (3, "s", name)]
        buffer = 0
        for word in rest:
            key, _, value = word.partition("=")
            if key == "q":
                fields.append((4, "T", self.quantization(value)))
            elif key == "data":
                count = 1
                for size in shape:
                    count *= size
                data = self.content(value, count)
                data = struct.pack("<%d%s" % (len(data), form), *data)
                self.buffers.append([(0, "vB", data)])
                buffer = len(self.buffers) - 1
            elif key == "outside":
                values, _, size = value.partition(":")
                data = self.content(values, 0)
                data = struct.pack("<%d%s" % (len(data), form), *data)
                # Behind the header, before all tables.
                self.buffers.append([(1, "Q", 8 + len(self.outside)),
                                     (2, "Q", int(size or len(data)))])
                self.outside += data
                buffer = len(self.buffers) - 1
            elif key == "sig":
                fields.append((7, "vi", [int(x) for x in value.split("x")]))
            elif key == "buffer":
                buffer = int(value)
            elif key == "variable":
                fields.append((5, "b", 1))
            elif key == "sparse":
                fields.append((6, "T", []))
            elif key == "csr":
                fields.append((6, "T", self.rows_of(value, shape[0])))
            elif key == "sparsity":
                fields.append((6, "T", self.sparsity_of(value)))
        fields.append((2, "I", buffer))
        self.index[name] = len(self.tensors)
        self.tensors.append(fields)

    @staticmethod
    def content(text, count):
        if text == "ramp":
            return [(i + 1) % 100 for i in range(count)]
        if text.startswith("fill:"):
            return [int(text[5:])] * count
        if text == "empty":
            return []
        return [float(x) if "." in x else int(x) for x in text.split(",")]

    @staticmethod
    def rows_of(text, rows):
        segments, indices = ([int(x) for x in part.split(",")]
                             for part in text.split("/"))
        dense = [(0, "b", 0), (1, "i", rows)]
        sparse = [(0, "b", 1), (2, "B", 1), (3, "T", [(0, "vi", segments)]),
                  (4, "B", 3), (5, "T", [(0, "vB", indices)])]
        return [(0, "vi", [0, 1]), (2, "vT", [dense, sparse])]

    @staticmethod
    def sparsity_of(text):
        def numbers(part):
            return [int(x) for x in part.split(",") if x]

        order, blocks, levels = text.split("/")
        rows = []
        for level in levels.split(";"):
            if level[0] == "d":
                rows.append([(0, "b", 0), (1, "i", int(level[1:]))])
            else:
                segments, indices = level[1:].split(":")
                rows.append([(0, "b", 1), (2, "B", 1),
                             (3, "T", [(0, "vi", numbers(segments))]),
                             (4, "B", 1), (5, "T", [(0, "vi", numbers(indices))])])
        return [(0, "vi", numbers(order)), (1, "vi", numbers(blocks)),
                (2, "vT", rows)]

    @staticmethod
    def quantization(text):
        scales, _, axis = text.partition("@")
        pairs = [(x + ":0").split(":")[:2] for x in scales.split(",")]
        return [(2, "vf", [float(s) for s, _ in pairs]),
                (3, "vq", [int(z) for _, z in pairs]),
                (6, "i", int(axis or 0))]

    def operator(self, name, words):
        arrow = words.index("->")
        plain = [w for w in words[arrow + 1:] if "=" not in w and w != "none"]
        options = dict(w.split("=") for w in words if "=" in w)
        custom = None
        if name.startswith("CUSTOM:"):
            code, kind, known, custom = 32, 0, {}, name[7:]
        elif name.startswith("CODE:"):
            code, kind, known = int(name[5:]), 0, {}
        else:
            code, kind, known = OPERATORS[name]
        kind = int(options.pop("options_type", kind))
        row = [(0, "b", min(code, 127)), (3, "i", code)]
        if custom is not None:
            row.append((1, "s", custom))
        if row not in self.codes:
            self.codes.append(row)
        fields = [(0, "I", self.codes.index(row)),
                  (1, "vi", [self.number(w) for w in words[:arrow]]),
                  (2, "vi", [self.number(w) for w in plain])]
        if "hex" in options:
            fields.append((5, "vB", bytes.fromhex(options.pop("hex"))))
        elif custom is not None and options:
            fields.append((5, "vB", flexbuffer(options)))
        if kind and "none" not in words:
            table = []
            for key, value in options.items():
                index, form = known[key]
                table.append((index, form,
                              [float(x) if form == "vf" else int(x)
                               for x in value.split(",")]
                              if form[0] == "v" else
                              float(value) if form == "f" else int(value)))
            fields += [(3, "B", kind), (4, "T", table)]
        self.operators.append(fields)

    def line(self, words):
        word = words[0]
        if word == "tensor":
            self.tensor(*words[1:])
        elif word == "op":
            self.operator(words[1], words[2:])
        elif word == "in":
            self.inputs = [self.number(w) for w in words[1:]]
        elif word == "out":
            self.outputs = [self.number(w) for w in words[1:]]
        elif word == "name":
            self.name = words[1]
        elif word == "version":
            self.version = int(words[1])
        else:
            sys.exit("tflite.py: unknown line: " + " ".join(words))

    def bytes(self):
        writer = Writer()
        writer.out += self.outside
        subgraph = [(0, "vT", self.tensors), (1, "vi", self.inputs),
                    (2, "vi", self.outputs), (3, "vT", self.operators)]
        if self.name:
            subgraph.append((4, "s", self.name))
        root = writer.table([(0, "I", self.version), (1, "vT", self.codes),
                             (2, "vT", [subgraph]), (4, "vT", self.buffers)])
        struct.pack_into("<I", writer.out, 0, root)
        writer.align(4)
        return writer.out


def read_model(path, name):
    model, inside = Model(), False
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:2] == ["MODEL", name]:
                inside = True
            elif inside and words == ["END"]:
                return model
            elif inside and words:
                model.line(words)
    sys.exit("tflite.py: %s has no model '%s'" % (path, name))


def main(path, name, *options):
    data = read_model(path, name).bytes()
    for key, value in zip(options[::2], options[1::2]):
        if key == "--truncate":
            del data[int(value):]
        elif key == "--poke":
            offset, _, patch = value.partition("=")
            patch = bytes.fromhex(patch)
            data[int(offset):int(offset) + len(patch)] = patch
    sys.stdout.buffer.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
