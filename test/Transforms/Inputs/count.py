"""count.py FILE: how many operators of each name a file of MLIR has."""

import collections
import re
import sys

with open(sys.argv[1]) as file:
    names = re.findall(r'"(tir\.[a-z0-9_-]+)"\(', file.read())
for name, count in sorted(collections.Counter(names).items()):
    print(count, name)
