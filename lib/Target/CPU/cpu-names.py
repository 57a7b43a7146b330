#!/usr/bin/env python3
"""Writes the processors that LLVM knows for this machine as C strings.

LLVM's C API ignores an unknown name with a message of its own; nothing but llc
lists the names. Usage: cpu-names.py LLC OUTPUT
"""

import re
import subprocess
import sys


def run(llc, *options):
    """Compiles an empty function; the result has what was printed."""
    return subprocess.run(
        [llc, *options, "-filetype=null", "-"],
        input="define void @f() { ret void }",
        capture_output=True,
        text=True,
        check=False,
    )


def works(llc, triple, name):
    """LLVM ends the process for processors without 64 bits."""
    return run(llc, triple, "-mcpu=" + name).returncode == 0


def main():
    llc, output = sys.argv[1:]
    version = run(llc, "--version").stdout
    triple = "-mtriple=" + re.search(r"Default target: (\S+)", version).group(1)
    listing = run(llc, triple, "-mcpu=help")
    text = listing.stdout + listing.stderr
    start = text.find("Available CPUs")
    end = text.find("Available features")
    names = re.findall(r"^  (\S+) +- Select", text[start:end], re.MULTILINE)
    names = [name for name in sorted(set(names)) if works(llc, triple, name)]
    if not names:
        sys.exit("%s -mcpu=help lists no processors" % llc)
    with open(output, "w", encoding="ascii") as file:
        file.writelines('"%s",\n' % name for name in names)


main()
