"""compare_spec.py SPECIFICATION REFERENCE: compares the field tables of the
specification of an instruction set with the reference generated from ours."""

import re
import sys


def specified(path):
    name = None
    for line in open(path):
        head = re.match(r"\*\*(\w+)\*\*: opcode (0x\w), (\d) words?, queue (\w+)", line)
        row = re.match(r"\| (\d) \| (\w+) \| (\d+) \| (\d+) \| (value(?:-1)?) \|", line)
        if head:
            name = head[1]
            yield name, int(head[2], 16), int(head[3]), head[4]
        elif row:
            word, field, lsb, width, stored = row.groups()
            yield name, field, int(word), int(lsb), int(width), stored == "value-1"


def generated(path):
    name = None
    for line in open(path):
        head = re.match(r"Opcode (0x\w), (\d) words?, queue (\w+):", line)
        row = re.match(
            r"\| (\d) \| (?:(\d+)\.\.)?(\d+) \| `(\w+)` \| (\d+)\.\.(\d+) \| (.*?) \|", line
        )
        if line.startswith("## "):
            name = line.split()[1]
        elif head:
            yield name, int(head[1], 16), int(head[2]), head[3]
        elif row and name:
            word, high, low, field, least, most, stored = row.groups()
            low, high = int(low), int(high or low)
            width = high - low + 1
            bias = int(stored == "value - 1")
            assert (int(least), int(most)) == (bias, bias + 2**width - 1), line
            yield name, field, int(word), low, width, bool(bias)


expected, found = list(specified(sys.argv[1])), list(generated(sys.argv[2]))
for row in expected:
    if row not in found:
        print("missing", row)
for row in found:
    if row not in expected:
        print("additional", row)
fields = sum(len(row) == 6 for row in expected)
print(f"{len(expected) - fields} instructions, {fields} fields")
