"""sessions.py ROOT DIRECTORY: runs the sessions of README.md and of the pages of
docs/. A page that needs more has a test of its own with its name."""

import pathlib
import re
import subprocess
import sys

root, directory = map(pathlib.Path, sys.argv[1:])
tests = root / "test" / "docs"
block = re.compile(r"^```(console|sh|shell)$", re.M)
pages, failed = 0, []
for page in [root / "README.md", *sorted(root.glob("docs/*.md"))]:
    own = tests / f"{page.stem}.test"
    if own.exists() and f"/docs/{page.name} " in own.read_text():
        continue
    if not block.search(page.read_text()):
        continue
    pages += 1
    done = subprocess.run(
        [sys.executable, tests / "console.py", page, directory],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        failed.append(f"{page.relative_to(root)}:\n{done.stdout}")
if failed:
    sys.exit("\n".join(failed))
print(f"{pages} pages")
