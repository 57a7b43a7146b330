"""places.py ROOT PAGE: files below ROOT that a page names are there, and
functions that stand after one in its line, `file`: `function`, are in it."""

import pathlib
import re
import sys

FILE = re.compile(r"`((?:lib|dialects|tools|include|scripts|test)/[\w./-]+\.\w+)`")
PLACE = re.compile(FILE.pattern + r": `(\w+)`")

root, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
text = (root / page).read_text(encoding="utf-8")
files, functions, errors = set(), 0, []
for number, line in enumerate(text.splitlines(), 1):
    for name in FILE.findall(line):
        files.add(name)
        if not (root / name).is_file():
            errors.append(f"{page}:{number}: there is no {name}")
    for name, function in PLACE.findall(line):
        functions += 1
        if (root / name).is_file() and not re.search(
                rf"\b{function}\(", (root / name).read_text(encoding="utf-8")):
            errors.append(f"{page}:{number}: no '{function}' in {name}")
if errors:
    sys.exit("\n".join(errors))
print(f"{len(files)} files, {functions} functions")
