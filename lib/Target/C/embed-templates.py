"""embed-templates.py OUTPUT.c FILES...: text files as strings of C.

templates/main.c.in becomes xc_c_template_main_c_in.
"""

import pathlib
import re
import sys

parts = ['#include "Target/C/Templates.h"\n']
for path in map(pathlib.Path, sys.argv[2:]):
    name = re.sub(r"\W", "_", path.name)
    numbers = [str(byte) for byte in path.read_bytes()] + ["0"]
    lines = [", ".join(numbers[i : i + 20]) for i in range(0, len(numbers), 20)]
    parts.append(f"const char xc_c_template_{name}[] = {{\n  "
                 + ",\n  ".join(lines) + "};\n")
pathlib.Path(sys.argv[1]).write_text("\n".join(parts))
