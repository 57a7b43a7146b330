"""npy.py MODEL DIRECTORY: what is said of arrays with wrong headers."""

import pathlib
import struct
import subprocess
import sys

model, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)


def header(kind="'<f4'", order="False", shape="(4,)"):
    return f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}"


CASES = [
    (header(kind="'>f4'"), "the elements are not little-endian numbers"),
    (header(kind="'<x4'"), "the elements are of an unknown type"),
    (header(shape="(" + "9" * 20 + ",)"), "a dimension is too large"),
    (header(shape="(" + "1, " * 40 + ")"), "there are too many dimensions"),
    (header(shape=f"({2**56 - 1}, 1000)"), "the array is too large"),
    (header(shape="4"), "the shape is not a list of numbers"),
    (header(order="True"), "the elements are cut off"),
    ("[]", "the header is not a dictionary"),
    ("{'descr': '<f4'}", "the header misses an entry"),
    ("{'other': 3}", "the header has an unknown entry"),
]

path = folder / "x.npy"
for text, expected in CASES:
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) +
                     text.encode())
    done = subprocess.run(["xc-run", model, "--input", path],
                          stderr=subprocess.PIPE, text=True)
    message = f"{path}: error: not a NumPy array: {expected}\n"
    if done.returncode != 1 or done.stderr != message:
        sys.exit(f"{text}\nexit code {done.returncode}: {done.stderr}")
print(f"{len(CASES)} headers")
