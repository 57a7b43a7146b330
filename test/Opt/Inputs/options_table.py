"""Compares the options of `xc-opt --help` with the table of a page."""

import re
import subprocess
import sys

text = subprocess.run(["xc-opt", "--help"], capture_output=True, text=True).stdout
shown = set(re.findall(r"^  --([a-z0-9-]+)", text, re.M))
passes = subprocess.run(["xc-opt", "--list-passes"], capture_output=True, text=True)
shown -= set(re.findall(r"^([a-z0-9-]+)", passes.stdout, re.M))
with open(sys.argv[1], encoding="utf-8") as page:
    written = set(re.findall(r"^\| `--([a-z0-9-]+)", page.read(), re.M))
for name in sorted(shown ^ written):
    print("only in", "--help:" if name in shown else "the page:", name)
sys.exit(shown != written)
