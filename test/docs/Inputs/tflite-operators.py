"""tflite-operators.py SOURCE: compares docs/tflite.md with Operators.def."""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
table = (source / "lib/Frontend/TFLite/Operators.def").read_text()
page = (source / "docs/tflite.md").read_text()
known = set(re.findall(r"^XC_TFLITE_OPERATOR\((\w+)", table, re.M))
section = page.split("## Operators\n")[1].strip().split("\n\n")[0]
listed = section.split()
if listed != sorted(known):
    sys.exit(f"differs: {sorted(known.symmetric_difference(listed))}")
