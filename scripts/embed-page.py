"""embed-page.py INPUT OUTPUT.c: a text file as the C string xc_report_page.

The page is split at @REPORT@: xc_report_page_begin, xc_report_page_end.
"""

import pathlib
import sys

MARK = "@REPORT@"


def array(name, text):
    numbers = [str(byte) for byte in text.encode()] + ["0"]
    lines = [", ".join(numbers[i : i + 20]) for i in range(0, len(numbers), 20)]
    return f"const unsigned char {name}[] = {{\n  " + ",\n  ".join(lines) + "};\n"


begin, mark, end = pathlib.Path(sys.argv[1]).read_text().partition(MARK)
if not mark:
    sys.exit(f"{sys.argv[1]}: no {MARK}")
pathlib.Path(sys.argv[2]).write_text(
    '#include "Driver/Report/Page.h"\n\n'
    + array("xc_report_page_begin", begin)
    + array("xc_report_page_end", end)
)
