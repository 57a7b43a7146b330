"""keys.py VENDOR.xmodel OURS.xmodel: attributes, with their kinds, that the
vendor's compiled file has and ours of the same network does not (-), and the other
way round (+), by what has them: types of operators, tensors, subgraphs by depth, the
model."""

import re
import subprocess
import sys

ATTRIBUTE = re.compile(rb"^ +(\w+) : (\w+) = ")


def keys(path):
    text = subprocess.run(["xc-translate", "--xmodel-to-text", path],
                          stdout=subprocess.PIPE, check=True).stdout
    found, owner, lines = {}, "model", []
    for line in text.split(b"\ndpu 0 ", 1)[0].splitlines():
        if operator := re.match(rb'op ".*" : (\S+) ->', line):
            owner = operator[1].decode()
        elif line.startswith(b'  tensor "'):
            owner = "tensor"
        elif subgraph := re.match(rb'( *)subgraph "', line):
            owner = f"subgraph at depth {len(subgraph[1]) // 2}"
        if attribute := ATTRIBUTE.match(line):
            found.setdefault(owner, set()).add(
                f"{attribute[1].decode()} ({attribute[2].decode()})")
    return found


def main():
    vendor, ours = map(keys, sys.argv[1:])
    for owner in sorted(vendor.keys() & ours.keys()):
        for sign, one, other in ("-", vendor, ours), ("+", ours, vendor):
            if missing := sorted(one[owner] - other[owner]):
                print(f"{sign} {owner}: {', '.join(missing)}")
    print("compared", len(vendor.keys() & ours.keys()))


if __name__ == "__main__":
    main()
