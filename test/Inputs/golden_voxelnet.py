"""golden_voxelnet.py DIRECTORY INPUT GOLDEN: input and output of a golden run."""

import json
import lzma
import pathlib
import sys

directory = pathlib.Path(sys.argv[1])
meta = json.loads((directory / "meta.json").read_text())
register = meta["registers"]["2"]
x = register["lcg_seed"]
shift = register["lcg_shift"]
data = bytearray(register["size"])
for i in range(len(data)):
    x = (x * 1664525 + 1013904223) & 0xFFFFFFFF
    byte = x >> 24
    data[i] = ((byte - 256 if byte > 127 else byte) >> shift) & 0xFF
pathlib.Path(sys.argv[2]).write_bytes(data)
golden = (directory / meta["files"]["expected_reg3"]).read_bytes()
pathlib.Path(sys.argv[3]).write_bytes(lzma.decompress(golden))
