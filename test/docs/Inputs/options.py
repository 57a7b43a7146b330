"""options.py --tool=TOOL PAGE[#HEADING]...: the options of `TOOL --help` are those
in the first cells of the tables of the pages, or of what is below a heading."""

import pathlib
import re
import subprocess
import sys


def section(place):
    """The text of a page, or of the section that begins with a heading."""
    page, _, heading = place.partition("#")
    text = pathlib.Path(page).read_text(encoding="utf-8")
    if not heading:
        return text
    found = re.search(rf"^(#+) {re.escape(heading)}$", text, re.M)
    if not found:
        sys.exit(f"{page}: no heading '{heading}'")
    return re.split(rf"^#{{1,{len(found[1])}}} ", text[found.end():], maxsplit=1, flags=re.M)[0]


tool = sys.argv[1].removeprefix("--tool=")
text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
shown = set(re.findall(r"^  --([a-z0-9-]+)", text, re.M))
aliases = {name for also in re.findall(r"\(.*?also ([-\w, ]+)\)", text)
           for name in re.findall(r"-([\w-]+)", also)}
cells = [row.split(" | ")[0] for place in sys.argv[2:]
         for row in re.findall(r"^\| .*", section(place), re.M)]
written = {name for cell in cells for name in re.findall(r"`--([a-z0-9-]+)", cell)}
short = {name for cell in cells for name in re.findall(r"`-([a-z])\b", cell)}
missing = shown - written - short
unknown = {name for name in written - shown if "-" + name not in aliases and name not in aliases}
for name in sorted(missing):
    print(f"only in {tool} --help: --{name}")
for name in sorted(unknown):
    print(f"only in {sys.argv[2]}: --{name}")
sys.exit(bool(missing or unknown))
