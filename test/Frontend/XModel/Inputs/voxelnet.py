"""voxelnet.py cut MODULE DIRECTORY | input GOLDEN FILE | compare GOLDEN FILE...

cut      splits the imported VoxelNet at its custom operator: pfn.mlir before it,
         rpn.mlir behind it.
input    makes the input of a golden run as float32 numbers in the layout that
         the part has.
compare  compares outputs of the part with the golden run of the compiled code.
"""

import json
import lzma
import pathlib
import re
import struct
import sys

# By golden run: fix point of the input, and the outputs in the order of their
# addresses: fix point, elements.
RUNS = {
    "pp_sg0": (6, [(5, 12000 * 64)]),
    "pp_sg1": (5, [(4, 248 * 216 * 12), (3, 248 * 216 * 18), (6, 248 * 216 * 42)]),
}


def cut(module, directory):
    lines = pathlib.Path(module).read_text().split("\n")
    operation = re.compile(r'    (%\d+) = "tir\.([\w-]+)"\(([^)]*)\)')
    before, behind, from_input = [], [], {"%arg0"}
    custom = None
    for line in lines[2:]:
        match = operation.match(line)
        if not match:
            continue
        result, name, operands = match.groups()
        if name == "custom":
            custom, custom_input = result, operands.split(",")[0]
        elif custom is None and from_input & set(re.findall(r"%\w+", operands)):
            from_input.add(result)
            before.append(line)
        elif custom is None:
            before.append(line)
            behind.append(line)
        else:
            behind.append(re.sub(re.escape(custom) + r"\b", "%arg0", line))
    # The custom operator reads a transposed tensor: the part ends before that.
    pooled = operation.match(before[-1]).group(3)
    pfn = [
        "func.func @pfn(%arg0: tensor<1x12000x100x4xf32>) -> tensor<1x12000x1x64xf32>"
        ' attributes {input_names = ["x"], output_names = ["o0"]} {',
        *before[:-1],
        f"  return {pooled} : tensor<1x12000x1x64xf32>",
        "}",
    ]
    assert operation.match(before[-1]).group(1) == custom_input
    results = re.search(r"return (%\w+), (%\w+), (%\w+)", "\n".join(lines)).groups()
    types = ["tensor<1x248x216x12xf32>", "tensor<1x248x216x18xf32>", "tensor<1x248x216x42xf32>"]
    rpn = [
        f"func.func @rpn(%arg0: tensor<1x64x496x432xf32>) -> ({', '.join(types)})"
        ' attributes {input_names = ["x"], output_names = ["o0", "o1", "o2"]} {',
        *behind,
        f"  return {', '.join(reversed(results))} : {', '.join(types)}",
        "}",
    ]
    for name, text in (("pfn", pfn), ("rpn", rpn)):
        (pathlib.Path(directory) / f"{name}.mlir").write_text("\n".join(text) + "\n")


def golden_of(directory):
    directory = pathlib.Path(directory)
    return directory, json.loads((directory / "meta.json").read_text())


def make_input(golden, path):
    directory, meta = golden_of(golden)
    register = meta["registers"]["2"]
    x, shift = register["lcg_seed"], register["lcg_shift"]
    scale = 2.0 ** -RUNS[directory.name][0]
    table = []
    for byte in range(256):
        value = (byte - 256 if byte > 127 else byte) >> shift
        table.append(struct.pack("<f", value * scale))
    data = bytearray(register["size"])
    for i in range(len(data)):
        x = (x * 1664525 + 1013904223) & 0xFFFFFFFF
        data[i] = x >> 24
    channels_first = directory.name == "pp_sg1"
    shape = (1, 64, 496, 432) if channels_first else (1, 12000, 100, 4)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        for part in range(64) if channels_first else [0]:
            step = data[part::64] if channels_first else data
            file.write(b"".join(table[byte] for byte in step))


def compare(golden, paths):
    directory, meta = golden_of(golden)
    expected = lzma.decompress((directory / meta["files"]["expected_reg3"]).read_bytes())
    offset = total = different = 0
    for path, (fix_point, count) in zip(paths, RUNS[directory.name][1]):
        data = pathlib.Path(path).read_bytes()
        start = 10 + struct.unpack_from("<H", data, 8)[0]
        values = struct.unpack_from(f"<{count}f", data, start)
        scale = 2.0 ** -fix_point
        table = [(byte - 256 if byte > 127 else byte) * scale for byte in range(256)]
        golden_values = map(table.__getitem__, expected[offset : offset + count])
        different += sum(a != b for a, b in zip(values, golden_values))
        offset += count
        total += count
    assert offset == len(expected)
    print(f"{total} values, {different} different")


if sys.argv[1] == "cut":
    cut(*sys.argv[2:])
elif sys.argv[1] == "input":
    make_input(*sys.argv[2:])
else:
    compare(sys.argv[2], sys.argv[3:])
