"""images.py DIR: the same picture of 2 x 2 pixels in several formats."""

import base64
import pathlib
import struct
import sys
import zlib

directory = pathlib.Path(sys.argv[1])
red, green, blue, grey = (255, 0, 0), (0, 255, 0), (0, 0, 255), (10, 20, 30)
rows = [[red, green], [blue, grey]]
pixels = bytes(v for row in rows for pixel in row for v in pixel)


def chunk(kind, data):
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


lines = b"".join(b"\0" + pixels[6 * y : 6 * y + 6] for y in range(2))
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
# 2 x 2 pixels of 128, as libjpeg writes them.
jpeg = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/2wBDAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAARCAACAAIDASIA"
    "AhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEA"
    "AAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q=="
)
# The same in four inks; the last byte of Adobe's segment makes YCCK of CMYK.
cmyk = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB/8AAFAgAAgACBEMRAE0RAFkRAEsRAP/E"
    "ABQAAQAAAAAAAAAAAAAAAAAAAAD/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oADgRDAE0AWQBLAAA/"
    "AAD/2Q=="
)
transform = cmyk.index(b"Adobe") + 11
ppm = b"P6 # made by hand\n2 2\n255\n" + pixels
pgm = b"P5\n2 2 255\n" + bytes([0, 1, 2, 200])
(directory / "x.png").write_bytes(png)
(directory / "x.JPG").write_bytes(jpeg)
(directory / "cmyk.jpg").write_bytes(cmyk)
(directory / "ycck.jpg").write_bytes(cmyk[:transform] + b"\2" + cmyk[transform + 1 :])
(directory / "x.ppm").write_bytes(ppm)
(directory / "x.pgm").write_bytes(pgm)
(directory / "short.ppm").write_bytes(ppm[:-1])
(directory / "bad.png").write_bytes(png[:60])
(directory / "bad.jpg").write_bytes(jpeg[:100])
(directory / "huge.pgm").write_bytes(b"P5\n99999 2 255\n")
(directory / "nhwc.bin").write_bytes(pixels)
(directory / "nchw.bin").write_bytes(bytes(pixels[i::3][j] for i in range(3) for j in range(4)))
centred = [(v - m) * 0.5 for p in range(4) for v, m in zip(pixels[3 * p :], (1, 2, 3))]
(directory / "centred.bin").write_bytes(struct.pack("<12f", *centred))
(directory / "flat.bin").write_bytes(bytes([128] * 12))
(directory / "copies.bin").write_bytes(bytes(v for g in (0, 1, 2, 200) for v in (g, g, g)))
(directory / "luma.bin").write_bytes(bytes([76, 150, 29, 18]))
