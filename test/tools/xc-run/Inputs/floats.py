"""floats.py FILE: 1 x 2 x 3 x 20 float32 numbers in NumPy's format."""

import struct
import sys

values = [0.0, 1.0, -1.0, 0.03125, -0.03125, 100.0, -100.0, float("nan")]
values += [0.0] * (120 - len(values))
header = "{'shape': (1, 2, 3, 20), 'fortran_order': False, 'descr': '<f4'}"
header += " " * (-(10 + len(header) + 1) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode() + struct.pack("<120f", *values))
