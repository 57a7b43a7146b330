"""floats.py FILE [f2|f4|f8] [SHAPE]: 120 numbers in NumPy's format."""

import struct
import sys

values = [0.0, 1.0, -1.0, 0.03125, -0.03125, 100.0, -100.0, float("nan")]
values += [0.0] * (120 - len(values))
kind = sys.argv[2] if len(sys.argv) > 2 else "f4"
shape = sys.argv[3] if len(sys.argv) > 3 else "(1, 2, 3, 20)"
header = "{'shape': %s, 'fortran_order': False, 'descr': '<%s'}" % (shape, kind)
header += " " * (-(10 + len(header) + 1) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode() + struct.pack("<120" + {"f2": "e", "f4": "f", "f8": "d"}[kind], *values))
