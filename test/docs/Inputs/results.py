"""results.py ROOT: the cycles of the table of results in README.md are
those of the pages that a benchmark writes, or that compare with the vendor's code."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = ["generated/networks.md", "generated/bounds.md", "codegen.md"]
known = " ".join((root / "docs" / page).read_text() for page in pages)
table = re.search(r"^## Results$(.*?)^## ", (root / "README.md").read_text(), re.M | re.S)
rows = [row for row in table[1].splitlines() if re.search(r"\| [\d,]{5,} \|", row)]
for row in rows:
    cycles = re.search(r"\| ([\d,]{5,}) \|", row)[1]
    if f" {cycles} " not in known:
        sys.exit(f"README.md: {row}\nno page of {', '.join(pages)} has {cycles} cycles")
print(f"{len(rows)} rows")
