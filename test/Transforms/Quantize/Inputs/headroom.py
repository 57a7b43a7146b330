"""Samples for headroom*.mlir. Usage: headroom.py FOLDER"""

import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)


def write(name, numbers):
    (folder / name).write_bytes(struct.pack(f"{len(numbers)}f", *numbers))


SPREAD = [0.1 + 0.0377 * i for i in range(24)]
# The largest numbers of samples, steady and spread, by themselves and in a map.
write("steady", [0.93 + 0.0023 * i for i in range(24)])
write("spread", SPREAD)
write("map", [peak if i == 0 else 0.1 for peak in SPREAD for i in range(128 * 128)])
write("few", [peak if i == 0 else 0.1 for peak in SPREAD for i in range(9 * 9)])
(folder / "bytes").write_bytes(bytes(round(127 * peak) for peak in SPREAD))
# A channel that a ReLU has cut off in nearly all samples, and one that it has not.
write("cut", [number for i in range(24) for number in (0.1 + 0.03 * i, -0.45 + 0.02 * i)])
write("beyond", [0.5, 0.2])
# The same number in 4 x 4 pixels.
write("means", [0.73 + 0.01 * i for i in range(24) for _ in range(16)])
