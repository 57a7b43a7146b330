"""Compares the options of `xc-opt --help` with the table of a page, and looks for
each option in the test that the table names."""

import pathlib
import re
import subprocess
import sys

text = subprocess.run(["xc-opt", "--help"], capture_output=True, text=True).stdout
shown = set(re.findall(r"^  --([a-z0-9-]+)", text, re.M))
passes = subprocess.run(["xc-opt", "--list-passes"], capture_output=True, text=True)
shown -= set(re.findall(r"^([a-z0-9-]+)", passes.stdout, re.M))
with open(sys.argv[1], encoding="utf-8") as page:
    rows = re.findall(r"^\| `--([a-z0-9-]+)`.*\| ([^|]*) \|$", page.read(), re.M)
written = {name for name, _ in rows}
for name in sorted(shown ^ written):
    print("only in", "--help:" if name in shown else "the page:", name)
folder = pathlib.Path(__file__).parent.parent
untested = []
for name, test in rows:
    path = folder / test
    if not path.is_file() or not re.search(rf"--?{name}\b", path.read_text()):
        untested.append(name)
        print(f"{test} does not use --{name}")
sys.exit(shown != written or len(untested) > 0)
