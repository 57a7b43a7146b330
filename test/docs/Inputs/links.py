"""Checks the relative links of every Markdown page, and the headings that they
name. Usage: links.py ROOT"""

import pathlib
import re
import sys


def anchors(page):
    """The names that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


root = pathlib.Path(sys.argv[1])
pages = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("docs/generated/*.md")]
broken = 0
for page in pages:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
        file = page.parent / target if target else page
        if not file.exists():
            print(f"{page.relative_to(root)}: no {target}")
            broken += 1
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            print(f"{page.relative_to(root)}: no #{anchor} in {file.name}")
            broken += 1
sys.exit(broken != 0 or len(pages) < 10)
