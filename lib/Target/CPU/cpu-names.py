#!/usr/bin/env python3
"""Writes the processors that LLVM knows as rows of C: name and triple.

LLVM's C API ignores an unknown name with a message of its own; nothing but llc
lists the names. First come those of this machine, whose triple is null, then
those of AArch64, for models that are compiled here and run on a board.
Usage: cpu-names.py LLC OUTPUT
"""

import re
import subprocess
import sys


# Floating point of both widths is what Linux on RISC-V has.
GENERIC = [
    ("aarch64", "aarch64-unknown-linux-gnu", "generic", ""),
    ("riscv64", "riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c"),
]


def run(llc, *options, source=""):
    """What llc makes of the source; the result has what was printed."""
    return subprocess.run(
        [llc, *options, "-filetype=null", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )


def working(llc, triple, names):
    """The names that llc compiles an empty function for. LLVM ends the process for
    processors without 64 bits, which stand close together in the list: a half in
    which all work takes one process."""
    source = "".join(
        'define void @f%d() "target-cpu"="%s" { ret void }\n' % function
        for function in enumerate(names)
    )
    if run(llc, triple, source=source).returncode == 0:
        return names
    if len(names) == 1:
        return []
    half = len(names) // 2
    return working(llc, triple, names[:half]) + working(llc, triple, names[half:])


def names_for(llc, triple):
    """The processors of a triple."""
    triple = "-mtriple=" + triple
    listing = run(llc, triple, "-mcpu=help")
    text = listing.stdout + listing.stderr
    start = text.find("Available CPUs")
    end = text.find("Available features")
    names = re.findall(r"^  (\S+) +- Select", text[start:end], re.MULTILINE)
    return working(llc, triple, sorted(set(names)))


def main():
    llc, output = sys.argv[1:]
    version = run(llc, "--version").stdout
    own = re.search(r"Default target: (\S+)", version).group(1)
    rows = ['{"%s", NULL, NULL, NULL},\n' % name for name in names_for(llc, own)]
    if not rows:
        sys.exit("%s -mcpu=help lists no processors" % llc)
    other = "aarch64-unknown-linux-gnu"
    if not own.startswith("aarch64") and re.search(r"^ +aarch64 ", version, re.M):
        rows += ['{"%s", "%s", NULL, NULL},\n' % (name, other) for name in names_for(llc, other)]
    # Any machine of an architecture, by its name.
    for name, triple, cpu, features in GENERIC:
        if not own.startswith(name) and re.search(r"^ +%s " % name, version, re.M):
            rows.append('{"%s", "%s", "%s", "%s"},\n' % (name, triple, cpu, features))
    with open(output, "w", encoding="ascii") as file:
        file.writelines(rows)


main()
