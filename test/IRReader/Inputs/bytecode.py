"""Writes bytecode that no tool of MLIR would write.

Usage: bytecode.py KIND

The file has one operation, "x.y", with an attribute dictionary, and what KIND
says is wrong with it.
"""

import sys

STRINGS = [b"builtin", b"x", b"y", b"z"]
ARRAY, DICTIONARY, STRING, INTEGER, UNKNOWN_LOCATION = 0, 1, 2, 8, 15
DENSE_ARRAY, DENSE, DENSE_STRINGS = 17, 18, 19


def varint(value):
    for extra in range(8):
        if value < 1 << 7 * (extra + 1):
            coded = (value << extra + 1 | 1 << extra)
            return coded.to_bytes(extra + 1, "little")
    return b"\0" + value.to_bytes(8, "little")


def varints(*values):
    return b"".join(varint(value) for value in values)


def signed(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def section(kind, data, length=None):
    return bytes([kind]) + varint(len(data) if length is None else length) + data


def strings(count=None, size=None):
    sizes = [len(string) + 1 for string in reversed(STRINGS)]
    if size is not None:
        sizes[0] = size
    head = varints(len(STRINGS) if count is None else count, *sizes)
    return section(0, head + b"".join(s + b"\0" for s in STRINGS))


# Attributes 0 to 2 are a location, a name and the dictionary {z = #3}.
BASE = [varint(UNKNOWN_LOCATION), varints(STRING, 3),
        varints(DICTIONARY, 1, 1, 3)]


def table(attributes, types, group=None, opaque=False):
    offsets = varints(len(attributes), len(types) + opaque)
    for entries in (attributes, types):
        if entries:
            offsets += varints(0, len(entries) if group is None else group)
        for entry in entries:
            offsets += varint(len(entry) << 1 | 1)
    if opaque:  # a type that only the dialect "x" could decode
        offsets += varints(1, 1, 3 << 1 | 1)
    return (section(2, b"".join(attributes + types) + b"abc" * opaque) +
            section(3, offsets))


OPERATION = varints(0) + b"\x01" + varints(0, 2)


DIALECTS = varints(2, 0 << 1, 1 << 1)
OPERATION_NAMES = varints(1, 1, 1, 2 << 1)


def file(attributes, types=(), ir=None, text=None, group=None, opaque=False,
         version=6, producer=b"test\0", dialects=DIALECTS + OPERATION_NAMES,
         resources=b""):
    if ir is None:
        ir = varint(1 << 1) + OPERATION
    return (b"ML\xefR" + varint(version) + producer + (text or strings()) +
            section(1, dialects) +
            table(BASE + attributes, list(types), group, opaque) +
            section(4, ir) + resources + section(8, b""))


UNIT = [varint(7)]
I32 = varints(0, 32 << 2)


def values(*entries):
    """An IR section with an operation whose one region has one i32 argument
    and then `entries`."""
    head = varint(1 << 1) + varints(0) + b"\x11" + varints(0, 2)
    return head + varints(1 << 1, 1) + b"".join(entries)


def uses(order):
    """The argument is used three times; its uses have the order."""
    use = varints(0) + b"\x04" + varints(0, 1, 0)
    arguments = varints(1, 0) + b"\x01"
    return values(varints(1, 3 << 1 | 1), arguments, order, use * 3)


KINDS = {
    "good": lambda: file(UNIT),
    "good-values": lambda: file(UNIT, [I32], uses(varints(3 << 1, 2, 1, 0))),
    "good-opaque": lambda: file(UNIT, opaque=True),
    "opaque-cut": lambda: file(UNIT, [I32], values(varints(1, 1 << 1)),
                               opaque=True),
    "opaque-values": lambda: file(UNIT, [I32], values(varints((1 << 32) - 1, 0)),
                                  opaque=True),
    "opaque-regions": lambda: file(UNIT, [I32], varint(1 << 1) + varints(0) +
                                   b"\x10" + varints(0, 1 << 30), opaque=True),
    "opaque-arguments": lambda: file(UNIT, [I32], varint(1 << 1 | 1) +
                                     varints(1, 0, 0) + OPERATION, opaque=True),
    "newer": lambda: file(UNIT, version=99),
    "header": lambda: file(UNIT)[:7],
    "no-section": lambda: file(UNIT, resources=section(20, b"")),
    "sizes": lambda: file(UNIT, text=section(0, varints(1, 2) + b"a\0b\0")),
    "dialect-name": lambda: file(UNIT, dialects=varints(1, 99 << 1)),
    "dialect-version": lambda: file(
        UNIT, dialects=varints(1, 0 << 1 | 1) + section(0, b"")),
    "names": lambda: file(UNIT, dialects=DIALECTS + varints(1, 9, 1, 2 << 1)),
    "half-resources": lambda: file(UNIT, resources=section(5, b"")),
    "resource": lambda: file(
        UNIT, resources=section(5, b"") + section(6, varints(0, 0, 1, 99))),
    "itself": lambda: file([varints(ARRAY, 1, 3)]),
    "ring": lambda: file([varints(ARRAY, 1, 4), varints(ARRAY, 1, 3)]),
    "deep": lambda: file([varints(ARRAY, 1, 4 + i) for i in range(100000)] +
                         UNIT),
    "bomb": lambda: file([varints(ARRAY, 2, 4 + i, 4 + i) for i in range(60)] +
                         UNIT),
    # Three operations with a list of 2^25 units each.
    "bombs": lambda: file([varints(ARRAY, 2, 4 + i, 4 + i) for i in range(25)] +
                          UNIT, ir=varint(3 << 1) + OPERATION * 3),
    "strings": lambda: file(UNIT, text=strings(count=1 << 60)),
    "empty-string": lambda: file(UNIT, text=strings(size=0)),
    "group": lambda: file(UNIT, group=1 << 20),
    "list": lambda: file([varints(ARRAY, 1 << 60)]),
    "blob": lambda: file([varints(DENSE, 1, 1 << 62)],
                         [I32, varint(13) + varint(1) + signed(4) + varint(0)]),
    "short": lambda: file([varints(DENSE, 1, 5) + b"abcde"],
                          [I32, varint(13) + varint(2) + signed(4) + signed(4) +
                           varint(0)]),
    "no-shape": lambda: file([varints(DENSE, 0, 4) + b"abcd"], [I32]),
    "dynamic": lambda: file([varints(DENSE, 1, 4) + b"abcd"],
                            [I32, varint(13) + varint(1) +
                             varint((1 << 64) - 1) + varint(0)]),
    "array": lambda: file([varints(DENSE_ARRAY, 0, 1 << 40, 4) + b"abcd"],
                          [I32]),
    "texts": lambda: file([varints(DENSE_STRINGS, 1, 0, 0)],
                          [I32, varint(13) + varint(1) + signed(1 << 50) +
                           varint(0)]),
    "width": lambda: file(UNIT, [varints(0, 1 << 60)]),
    "element": lambda: file(UNIT, [varints(2, 0, 0),
                                   varint(13) + varint(1) + signed(4) +
                                   varint(0)]),
    "not-number": lambda: file([varints(INTEGER, 0, 1)], [varints(2, 0, 0)]),
    "values": lambda: file(UNIT, [I32], values(varints((1 << 32) - 1, 0))),
    "order": lambda: file(UNIT, [I32],
                          uses(varints(2 << 1 | 1, 1 << 20, 0))),
    "order-end": lambda: file(UNIT, [I32],
                              uses(varints(3 << 1, (1 << 32) - 1, 1, 0))),
    "operand": lambda: file(UNIT, [I32],
                            varint(1 << 1) + varints(0) + b"\x04" +
                            varints(0, 1, 1 << 40)),
    "regions": lambda: file(UNIT, [I32], varint(1 << 1) + varints(0) + b"\x10" +
                            varints(0, 1 << 40)),
    "arguments": lambda: file(UNIT, [I32], varint(1 << 1 | 1) +
                              varints(1, 0, 0) + OPERATION),
    "nesting": lambda: file(UNIT, [I32], varint(1 << 1) +
                            (varints(0) + b"\x10" +
                             varints(0, 1 << 1, 1, 0, 1 << 1)) * 20000 +
                            varints(0) + b"\0" + varints(0)),
}

if __name__ == "__main__":
    sys.stdout.buffer.write(KINDS[sys.argv[1]]())
