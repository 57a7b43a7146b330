"""Checks the relative links of every Markdown page. Usage: links.py ROOT"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("docs/generated/*.md")]
broken = 0
for page in pages:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        if not (page.parent / target).exists():
            print(f"{page.relative_to(root)}: no {target}")
            broken += 1
sys.exit(broken != 0 or len(pages) < 10)
