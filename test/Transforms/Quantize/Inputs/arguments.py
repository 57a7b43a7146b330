"""Samples for arguments.mlir. Usage: arguments.py FOLDER"""

import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
SAMPLES, PIXELS = 4, 16


def number(pixel, low, high):
    return low + (high - low) * (pixel * 37 % 101) / 100


def write(name, ranges, by_channel=False):
    """Two channels beside each other in each pixel, or one after the other."""
    numbers = []
    for sample in range(SAMPLES):
        pixels = range(sample * PIXELS, (sample + 1) * PIXELS)
        rows = [[number(pixel, *limits) for limits in ranges] for pixel in pixels]
        rows = zip(*rows) if by_channel else rows
        numbers += [each for row in rows for each in row]
    (folder / name).write_bytes(struct.pack(f"{len(numbers)}f", *numbers))


write("sensors", [(-2, 2), (-100, 100)])
write("planes", [(-2, 2), (-100, 100)], by_channel=True)
write("offset", [(-2, 2), (1000, 1064)])
write("alike", [(-2, 2), (-12, 12)])
