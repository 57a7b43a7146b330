"""Samples for offsets.mlir. Usage: offsets.py FOLDER"""

import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)


def write(name, low, high):
    numbers = [low + (high - low) * (i * 37 % 101) / 100 for i in range(4 * 64)]
    (folder / name).write_bytes(struct.pack(f"{len(numbers)}f", *numbers))


write("kelvin", 285, 297)
write("pixels", 0, 255)
# Most of them in few of 64 steps.
PEAKS = [100, 355] + [227 + i * 37 % 13 - 6 for i in range(62)]
(folder / "peaks").write_bytes(struct.pack("256f", *PEAKS * 4))
