"""words.py FILE WORD...: writes hexadecimal words little-endian; N*WORD repeats."""

import struct
import sys

with open(sys.argv[1], "wb") as file:
    for argument in sys.argv[2:]:
        count, _, word = argument.rpartition("*")
        file.write(struct.pack("<I", int(word, 16)) * int(count or 1))
