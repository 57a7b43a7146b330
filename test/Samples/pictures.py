"""pictures.py DIR: pictures of many kinds, and what they are as inputs.

The pictures are 7 x 5 pixels (width x height) and not alike in any two of their
pixels. What resizing gives is computed here in plain steps: triangles, weights
in 1/2^22, bytes after each of the two passes.
"""

import math
import pathlib
import struct
import sys
import zlib

WIDTH, HEIGHT = 7, 5
directory = pathlib.Path(sys.argv[1])


def value(x, y, c):
    return (37 * x + 91 * y + 53 * c + x * y * 11) % 256


picture = [[[value(x, y, c) for c in range(3)] for x in range(WIDTH)] for y in range(HEIGHT)]


def chunk(kind, data):
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def png(name, color, depth, rows, extra=b"", size=(WIDTH, HEIGHT)):
    head = struct.pack(">IIBBBBB", *size, depth, color, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    (directory / name).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


def flat(rows):
    return [[v for pixel in row for v in pixel] for row in rows]


grey = [[[pixel[0]] for pixel in row] for row in picture]
png("rgb.png", 2, 8, flat(picture))
png("gamma.png", 2, 8, flat(picture), chunk(b"gAMA", struct.pack(">I", 100000)))
png("rgba.png", 6, 8, [[v for p in row for v in (*p, p[1])] for row in picture])
png("rgb16.png", 2, 16, [[v for p in row for c in p for v in (c, c)] for row in picture])
png("grey.png", 0, 8, flat(grey))
png("greyalpha.png", 4, 8, [[v for p in row for v in (p[0], 9)] for row in picture])
colors = [c for row in picture for c in row]
palette = chunk(b"PLTE", bytes(v for c in colors for v in c)) + chunk(b"tRNS", bytes(len(colors)))
png("palette.png", 3, 8, [[y * WIDTH + x for x in range(WIDTH)] for y in range(HEIGHT)], palette)
png("bits.png", 0, 1, [[0b10101010]] * HEIGHT)


def resize_line(line, size):
    step = len(line) / size
    wide = max(step, 1.0)
    result = []
    for place in range(size):
        centre = (place + 0.5) * step
        first = max(0, int(centre - wide + 0.5))
        last = min(len(line), int(centre + wide + 0.5))
        reals = [max(0.0, 1 - abs((i - centre + 0.5) / wide)) for i in range(first, last)]
        weights = [int(r / sum(reals) * (1 << 22) + 0.5) for r in reals]
        total = (1 << 21) + sum(w * line[i + first] for i, w in enumerate(weights))
        result.append(min(255, total >> 22))
    return result


def resize(rows, height, width):
    channels = len(rows[0][0])
    planes = [[[p[c] for p in row] for row in rows] for c in range(channels)]
    planes = [[resize_line(row, width) for row in plane] for plane in planes]
    columns = [[resize_line([row[x] for row in plane], height) for x in range(width)] for plane in planes]
    return [[[columns[c][x][y] for c in range(channels)] for x in range(width)] for y in range(height)]


def crop(rows, height, width):
    top, left = round((len(rows) - height) / 2), round((len(rows[0]) - width) / 2)
    return [row[left : left + width] for row in rows[top : top + height]]


def write(name, rows, order=(0, 1, 2)):
    data = bytes(p[c] for row in rows for p in row for c in order[: len(rows[0][0])])
    (directory / name).write_bytes(data)


def npy(name, shape, kind, data, fortran_order=False):
    head = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (kind, fortran_order, shape)
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    (directory / name).write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + data)


write("rgb.bin", picture)
write("bgr.bin", picture, (2, 1, 0))
write("grey.bin", [[p * 3 for p in row] for row in grey])
write("bits.bin", [[[255 - 255 * (x % 2)] * 3 for x in range(WIDTH)] for _ in range(HEIGHT)])
write("small.bin", resize(picture, 2, 3))
write("large.bin", resize(picture, 8, 9))
# The shorter side is 5: 3/5 of 7 is 4.
write("shorter.bin", crop(resize(picture, 3, 4), 2, 3))
write("crop.bin", crop(picture, 2, 3))
# 9 wide: 5 * 9 / 7 = 6 high.
boxed = resize(picture, 6, 9)
write("letterbox.bin", [[[114] * 3] * 9] + boxed + [[[114] * 3] * 9])
planes = [(p[c] - m) * s for c, m, s in zip((2, 1, 0), (1.5, 2, 3), (0.5, 0.25, 2)) for row in picture for p in row]
(directory / "planes.bin").write_bytes(struct.pack("<%df" % len(planes), *planes))
npy("two.npy", (2, HEIGHT, WIDTH, 3), "|u1", bytes(v for row in picture for p in row for v in p) * 2)
npy("flat.npy", (HEIGHT, WIDTH), "|u1", bytes(p[0] for row in picture for p in row))

# Two samples of the input 2x3x3 in floats: in the order of the channels, in one
# dimension each, and with a number that is none.
floats = [(i - 20) / 16 for i in range(36)]
npy("flat-floats.npy", (2, 18), "<f4", struct.pack("<36f", *floats))
npy("nchw.npy", (2, 3, 2, 3), "<f4", struct.pack("<36f", *floats))
npy("nhwc.npy", (2, 1, 2, 3, 3), "<f4", struct.pack("<36f", *floats))
for name, number in (("nan", math.nan), ("inf", -math.inf)):
    npy(name + ".npy", (2, 2, 3, 3), "<f4",
        struct.pack("<36f", *floats[:23], number, *floats[24:]))

# The same numbers of other types and in other orders; too large ones.
npy("double.npy", (2, 2, 3, 3), "<f8", struct.pack("<36d", *floats))
npy("half.npy", (2, 2, 3, 3), "<f2", struct.pack("<36e", *floats))
npy("huge.npy", (2, 2, 3, 3), "<f8", struct.pack("<36d", *floats[:23], 1e300, *floats[24:]))
npy("nothing.npy", (0, 2, 3, 3), "<f4", b"")
npy("other.npy", (2, 3, 3, 3), "<f4", bytes(4 * 54))
for name, kind, code in (("columns", "<f4", "f"), ("double-columns", "<f8", "d")):
    order = [
        ((n * 2 + y) * 3 + x) * 3 + c for c in range(3) for x in range(3) for y in range(2) for n in range(2)
    ]
    npy(name + ".npy", (2, 2, 3, 3), kind, struct.pack("<36" + code, *(floats[i] for i in order)), True)
columns = [picture[y][x][c] for c in range(3) for x in range(WIDTH) for y in range(HEIGHT) for _ in range(2)]
npy("two-columns.npy", (2, HEIGHT, WIDTH, 3), "|u1", bytes(columns), True)
