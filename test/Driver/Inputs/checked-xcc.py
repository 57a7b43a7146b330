"""checked-xcc.py ARGUMENT...: xcc, whose xmodel must then be one that the
board's runtime takes (xc-translate --check-xmodel), with all operators
(structure.py), and whose JSON reports must
agree with themselves, with the graph and with the compiled file (numbers.py).

Stands for `xcc` in all tests (lit.cfg.py).
"""

import json
import os
import pathlib
import re
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


arguments = [os.fsencode(a) for a in sys.argv[1:]]
code = subprocess.run([b"xcc", *arguments]).returncode
reports = [a[len("--report="):] for a in sys.argv[1:]
           if a.startswith("--report=") and not a.endswith(".html")]
if code == 0:
    directory = value(sys.argv, "o", "output_dir")
    name = value(sys.argv, "n", "net_name")
    if directory:
        meta = pathlib.Path(directory, "meta.json")
        compiled = meta.exists() and not any(
            re.match("--?compile-to", a) for a in sys.argv)
        if compiled:
            stem = name or json.loads(meta.read_text())["filename"][:-7]
            stem = os.path.join(directory, stem)
            code = subprocess.run(["xc-translate", "--check-xmodel",
                                   f"{stem}.xmodel"]).returncode
            if code == 0 and os.path.exists(f"{stem}_org.xmodel"):
                code = subprocess.run(
                    [sys.executable,
                     pathlib.Path(__file__).with_name("structure.py"),
                     f"{stem}_org.xmodel", f"{stem}.xmodel"],
                    stdout=subprocess.DEVNULL).returncode
    for report in reports:
        command = [sys.executable,
                   pathlib.Path(__file__).with_name("numbers.py"), report]
        if directory:
            # Without -n the name is the model's, as the report says.
            own = json.loads(pathlib.Path(report).read_text())["filename"]
            stem = os.path.join(directory, name or own[:-len(".xmodel")])
            if os.path.exists(f"{stem}_org.xmodel"):
                command += [f"{stem}_org.xmodel", f"{stem}.xmodel"]
        if subprocess.run(command).returncode:
            code = 1
sys.exit(code)
