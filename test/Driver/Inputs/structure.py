"""structure.py ORIGINAL.xmodel COMPILED.xmodel: every operator of the original
is in the compiled file: as an operator of a DPU subgraph, of its type, or in
the list of a CPU subgraph. Prints how many there are on each side.

A convolution NAME whose output channels have several fix points is NAME/0, NAME/1,
... in the original, and what joins them.
"""

import re
import subprocess
import sys

OPERATOR = re.compile(rb'^op "((?:[^"\\]|\\.)*)" : (\S+)', re.MULTILINE)
LISTS = re.compile(rb'^    xc_operators : string_vec = \[(.*)\]$', re.MULTILINE)
# What the format has besides.
OTHERS = {b"data", b"data-fix", b"const", b"const-fix", b"upload", b"download",
          b"xc-cpu"}


def text_of(path):
    text = subprocess.run(["xc-translate", "--xmodel-to-text", path],
                          stdout=subprocess.PIPE, check=True).stdout
    # The code is of no interest.
    return text.split(b"\ndpu 0 ", 1)[0]


def operators(text):
    return [(name, kind) for name, kind in OPERATOR.findall(text)
            if kind not in OTHERS]


def plain(name):
    """Without the number that makes a name unique."""
    return re.sub(rb"\.\d+$", b"", name)


CONVOLUTIONS = (b"conv2d-fix", b"depthwise-conv2d-fix",
                b"transposed-conv2d-fix", b"transposed-depthwise-conv2d-fix")
JOINS = (b"concat-fix", b"eltwise-fix")


def whole(name, kind):
    """What a part, or what joins parts, may belong to."""
    base = re.sub(rb"/\d+$", b"", plain(name))
    return [(base, k) for k in (CONVOLUTIONS if kind in JOINS else [kind])]


def main():
    original, compiled = sys.argv[1:]
    wanted = operators(text_of(original))
    text = text_of(compiled)
    on_dpu = {(plain(n), k) for n, k in operators(text)}
    on_cpu = set()
    for entries in LISTS.findall(text):
        for entry in re.findall(rb'"((?:[^"\\]|\\.)*)"', entries):
            name, kind = entry.rsplit(b"@", 1)
            on_cpu.add((plain(name), kind))
    found = [0, 0]
    for name, kind in wanted:
        keys = [(plain(name), kind), *whole(name, kind)]
        if any(key in on_dpu for key in keys):
            found[0] += 1
        elif any(key in on_cpu for key in keys):
            found[1] += 1
        else:
            sys.exit(f"{compiled}: no operator {name.decode()!r} "
                     f"({kind.decode()})")
    print(f"{found[0]} operators on the DPU, {found[1]} on the CPU")


if __name__ == "__main__":
    main()
