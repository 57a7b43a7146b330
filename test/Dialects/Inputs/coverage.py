"""Checks that every operator of the reference is used and misused in tests.

Usage: coverage.py OPERATORS.md VALID.mlir INVALID.mlir INVALID-MTIR.mlir
"""

import re
import sys


def words(path):
    with open(path, encoding="utf-8") as stream:
        return set(re.findall(r'^ *(?:%\w+ = )?"([a-z]+\.[a-z0-9_-]+)"\(',
                              stream.read(), re.M))


with open(sys.argv[1], encoding="utf-8") as stream:
    ops = re.findall(r"^### `([^`]+)`", stream.read(), re.M)
valid, invalid, invalid_mtir = (words(path) for path in sys.argv[2:5])
missing = []
for op in ops:
    dialect, name = op.split(".")
    # Boundary and storage operators have tests of their own and no twin.
    if dialect != "tir" or name in ("upload", "download"):
        continue
    missing += [(op, "valid")] if op not in valid else []
    missing += [(op, "invalid")] if op not in invalid else []
    if name != "const" and "mtir." + name not in invalid_mtir:
        missing.append(("mtir." + name, "invalid"))
for op, kind in missing:
    print("no test with", kind, op)
print(len(ops), "operators")
sys.exit(bool(missing) or len(ops) < 100)
