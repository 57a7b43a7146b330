"""checked-xcc.py ARGUMENT...: xcc, whose xmodel must then be one that the
board's runtime takes (xc-translate --check-xmodel), with all operators
(structure.py), and whose JSON reports must
agree with themselves, with the graph and with the compiled file (numbers.py).

Stands for `xcc` in all tests of a build without sanitizers (lit.cfg.py).
"""

import contextlib
import io
import json
import os
import pathlib
import re
import runpy
import subprocess
import sys


def value(arguments, *names):
    """Of `-o X`, `-o=X` and `--o=X`; None where the option is not given."""
    for i, argument in enumerate(arguments):
        for name in names:
            if re.fullmatch(f"--?{name}", argument):
                return arguments[i + 1] if i + 1 < len(arguments) else None
            if found := re.match(f"--?{name}=", argument):
                return argument[found.end():]
    return None


def run_script(name, *arguments):
    """A script beside this one, in this process: its exit code."""
    path = pathlib.Path(__file__).with_name(name)
    sys.argv = [str(path), *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 0 if end.code is None else 1 if isinstance(end.code, str) else end.code
    return 0


given = sys.argv[:]
arguments = [os.fsencode(a) for a in sys.argv[1:]]
code = subprocess.run([b"xcc", *arguments]).returncode
reports = [a[len("--report="):] for a in given[1:]
           if a.startswith("--report=") and not a.endswith(".html")]
if code == 0:
    directory = value(given, "o", "output_dir")
    name = value(given, "n", "net_name")
    if directory:
        meta = pathlib.Path(directory, "meta.json")
        compiled = meta.exists() and not any(
            re.match("--?compile-to", a) for a in given)
        if compiled:
            stem = name or json.loads(meta.read_text())["filename"][:-7]
            stem = os.path.join(directory, stem)
            code = subprocess.run(["xc-translate", "--check-xmodel",
                                   f"{stem}.xmodel"]).returncode
            if code == 0 and os.path.exists(f"{stem}_org.xmodel"):
                code = run_script("structure.py", f"{stem}_org.xmodel",
                                  f"{stem}.xmodel")
    for report in reports:
        files = [report]
        if directory:
            # Without -n the name is the model's, as the report says.
            own = json.loads(pathlib.Path(report).read_text())["filename"]
            stem = os.path.join(directory, name or own[:-len(".xmodel")])
            if os.path.exists(f"{stem}_org.xmodel"):
                files += [f"{stem}_org.xmodel", f"{stem}.xmodel"]
        if run_script("numbers.py", *files):
            code = 1
sys.exit(code)
