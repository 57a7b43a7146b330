#!/usr/bin/env python3
"""Counts what convert-tosa-to-tir converts of a folder of TOSA modules.

usage: tosa-census.py XC-OPT FOLDER [VERSION]

FOLDER holds .mlir files whose modules may be split by `// -----`, such as
mlir/test of a checkout of LLVM; those of the same release that xc is built with
parse. A function is of a CNN unless the reasons it is refused for are all in
OUTSIDE. The page goes to standard output.
"""

import bisect
import collections
import pathlib
import re
import subprocess
import sys

FUNCTION = re.compile(r"^\s*func\.func\s+(?:private\s+)?@([\w.$-]+)")
ERROR = re.compile(r"^\S+?:(\d+):\d+: error: (.*)$")
OPERATOR = re.compile(r"^'(tosa\.\w+|tir\.[\w-]+|[\w.]+)' op ")

# Why a function is not one of a CNN that is compiled as it is: what its errors
# say, and the row of the table.
OUTSIDE = [
    (r"no control flow|inside of another|several blocks",
     "control flow (`cond_if`, `while_loop`)"),
    (r"no variables", "variables"),
    (r"shapes must be constants|no 'tosa.const_shape'|shape as its value",
     "arithmetic on shapes that no pass has folded"),
    (r"block-scaled|no Fourier|of volumes",
     "block-scaled products, Fourier transforms, three-dimensional convolutions"),
    (r"on bits|belongs inside",
     "`bitwise_and`, `bitwise_or` and `bitwise_xor`; `apply_scale`, which stands "
     "inside loops"),
    (r"no constant", "zero points, scales, borders or tables that are not "
     "constants (TOSA's dynamic extension)"),
    (r"another result type|goes beyond|no table of|tensor<\S*i1>, expected|"
     r"limits of another type|has integers, for which|no single result|"
     r"65 operands",
     "not allowed by TOSA: sizes that contradict each other, functions of reals "
     "on integers, arithmetic on truth values; `custom` of several results"),
    (r"f8E|i48|xi4[>,]|elements that tir does not have|!tosa|mxint|f4E|f6E",
     "element types that tir does not have: 4 and 48 bits, floats of 8 and "
     "fewer bits"),
    (r"static shape", "shapes that are not static beyond the batch"),
]


def run(tool, file, *options):
    """The errors by line."""
    result = subprocess.run(
        [tool, "--split-input-file", "--mlir-disable-threading",
         *options, str(file)], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        sys.exit(f"{file}: {result.stderr}")
    return [(int(m[1]), m[2]) for m in map(ERROR.match,
                                           result.stderr.splitlines()) if m]


def functions_of(lines):
    """First lines of functions, their names and modules."""
    result, module = [], 0
    for number, line in enumerate(lines, 1):
        if line.startswith("// -----"):
            module += 1
        if m := FUNCTION.match(line):
            result.append((number, m[1], module))
    return result


def modules_of(lines, errors):
    marks = [n for n, line in enumerate(lines, 1) if line.startswith("// -----")]
    return {bisect.bisect(marks, line) for line, _ in errors}


def why_outside(reasons):
    for pattern, row in OUTSIDE:
        if any(re.search(pattern, reason) for reason in reasons):
            return row
    return None


class Census:
    def __init__(self):
        self.files, self.rows = [], collections.defaultdict(list)
        self.left = []

    def add(self, tool, root, file):
        lines = file.read_text().splitlines()
        if not any("tosa." in line for line in lines):
            return
        functions = functions_of(lines)
        broken = modules_of(lines, run(tool, file))
        starts = [f[0] for f in functions]
        reasons = collections.defaultdict(list)
        for line, text in run(tool, file, "--convert-tosa-to-tir=batch=1"):
            reasons[bisect.bisect(starts, line) - 1].append(text)
        name = file.relative_to(root).as_posix()
        parsed = converted = refused = 0
        for i, (line, function, module) in enumerate(functions):
            if module in broken:
                continue
            parsed += 1
            if i not in reasons:
                converted += 1
                continue
            row = why_outside(reasons[i])
            where = f"{name}:{line}"
            if row:
                self.rows[row].append(where)
                refused += 1
            else:
                self.left.append((where, function, reasons[i]))
        self.files.append((name, len(functions), parsed, converted, refused))


def plain(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def page(census, version):
    total = [sum(f[i] for f in census.files) for i in range(1, 5)]
    yield "# MLIR's own TOSA tests"
    yield ""
    yield ("What `convert-tosa-to-tir` does with the test files of "
           f"{version} that use TOSA. The page is written by "
           "`scripts/tosa-census.py XC-OPT FOLDER`, where FOLDER is `mlir/test` "
           "of a checkout; see [tosa.md](../tosa.md).")
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| files | {len(census.files)} |"
    yield f"| functions | {total[0]} |"
    yield (f"| in modules that parse (the rest are tests of errors of the "
           f"dialect) | {total[1]} |")
    yield f"| converted | {total[2]} |"
    yield f"| not of a CNN, or not complete: table below | {total[3]} |"
    yield f"| others that are refused: last table | {len(census.left)} |"
    yield ""
    yield "## Not of a CNN, or not complete"
    yield ""
    yield "The first reason that fits counts."
    yield ""
    yield "| reason | functions |"
    yield "|---|---|"
    for _, row in OUTSIDE:
        if census.rows[row]:
            yield f"| {row} | {len(census.rows[row])} |"
    yield ""
    yield "## Other functions that are refused"
    yield ""
    yield "| where | function | reasons |"
    yield "|---|---|---|"
    for where, function, reasons in census.left:
        texts = dict.fromkeys(plain(r) for r in reasons)
        yield f"| {where} | `{function}` | {'; '.join(texts)} |"
    yield ""
    yield "## Files"
    yield ""
    yield "| file | functions | parse | converted | not of a CNN | others |"
    yield "|---|---|---|---|---|---|"
    for name, *counts in census.files:
        others = counts[1] - counts[2] - counts[3]
        yield f"| {name} | {' | '.join(map(str, counts))} | {others} |"


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[2])
    census = Census()
    for file in sorted(root.rglob("*.mlir")):
        census.add(sys.argv[1], root, file)
    version = sys.argv[3] if len(sys.argv) == 4 else "LLVM"
    print("\n".join(page(census, version)))


main()
