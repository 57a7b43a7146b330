"""page-width.py PAGE.html WIDTH...: opens a report page in Chromium, in a window
of each width, and prints how many cells, headings and paragraphs stand outside
of it, and at how many places the bars of a column of one table begin.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

MEASURE = """<script>
const wide = document.documentElement.clientWidth;
const boxes = [...document.querySelectorAll("td, th, h1, h2, h3, p")]
  .map(e => e.getBoundingClientRect()).filter(b => b.width > 0);
const outside = boxes.filter(b => b.right > wide + 1 || b.left < -1).length;
const bars = [...document.querySelectorAll("table")].map(t =>
  new Set([...t.querySelectorAll(".meter")].map(m =>
    Math.round(m.getBoundingClientRect().left))).size);
parent.postMessage(`${boxes.length > 20 ? "boxes" : "nothing"}, ` +
  `${outside} outside; bars at ${Math.max(...bars)} place`, "*");
</script>"""
FRAME = """<!DOCTYPE html><iframe src="page.html" style="width: %dpx; height: 900px;
border: 0"></iframe><script>
onmessage = e => { document.body.textContent = "found: " + e.data + "."; };
</script>"""

text = pathlib.Path(sys.argv[1]).read_text()
with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    (directory / "page.html").write_text(text + MEASURE)
    for width in map(int, sys.argv[2:]):
        (directory / "frame.html").write_text(FRAME % width)
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update",
             "--disable-sync", f"--user-data-dir={name}/profile",
             f"--window-size={max(width + 40, 600)},1000",
             "--virtual-time-budget=4000", "--dump-dom",
             f"file://{name}/frame.html"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            timeout=120)
        found = re.search(r"found: (.*?)\.", done.stdout)
        print(f"{width}: {found.group(1) if found else done.stdout[:200]}")
