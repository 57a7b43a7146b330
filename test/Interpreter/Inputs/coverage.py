"""coverage.py TABLE TESTS...: every tir operator of the generated table stands
in one of the tests."""

import pathlib
import re
import sys

operators = set(re.findall(r'"(tir\.[\w-]+)"', pathlib.Path(sys.argv[1]).read_text()))
tested = set()
for path in sys.argv[2:]:
    tested |= set(re.findall(r'"(tir\.[\w-]+)"', pathlib.Path(path).read_text()))
# A download has no result; buffers are written by mtir operators.
missing = sorted(operators - tested - {"tir.download"})
for name in missing:
    print("not tested:", name)
print(len(operators), "operators")
sys.exit(bool(missing))
