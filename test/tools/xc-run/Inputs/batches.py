"""The same numbers as arrays of several shapes. usage: batches.py DIRECTORY"""

import os
import struct
import sys

NUMBERS = struct.pack("<24f", *[i / 8 - 1 for i in range(24)])
SHAPES = {"own": (3, 2, 2, 2, 1), "along": (6, 2, 2, 1), "wrong": (3, 4, 2)}

for name, shape in SHAPES.items():
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" %
              str(shape)).ljust(117) + "\n"
    with open(os.path.join(sys.argv[1], name + ".npy"), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + NUMBERS)
