"""Checks the messages of the ONNX importer.

usage: errors.py FILE DIRECTORY

FILE holds models in the text form of onnx.py between `# -----` lines. Each has
`# error: TEXT` lines, the diagnostics in order without the file's name, and
may have `# options: OPTIONS`. The importer must fail with exit code 1, say
exactly this and write nothing.
"""

import os
import re
import subprocess
import sys

import onnx


def check(number, text, folder):
    expected = re.findall(r"^# error: (.*)$", text, re.M)
    options = " ".join(re.findall(r"^# options: (.*)$", text, re.M)).split()
    source = os.path.join(folder, "model%d.onnx" % number)
    target = os.path.join(folder, "model%d.mlir" % number)
    with open(source, "wb") as file:
        file.write(onnx.model(text))
    if os.path.exists(target):
        os.remove(target)
    options = [o.replace("%t", folder) for o in options]
    done = subprocess.run(
        ["xc-translate", "--import-onnx", source, "-o", target] + options,
        capture_output=True, text=True)
    found = [line.replace(source + ": ", "").replace(folder, "%t")
             for line in done.stderr.splitlines()]
    found = [line[len("error: "):] if line.startswith("error: ") else line
             for line in found]
    if done.returncode == 1 and found == expected and not os.path.exists(target):
        return True
    print("model %d:\n%s" % (number, text.strip()))
    print("exit code %d, found:" % done.returncode)
    print("\n".join("# error: " + line for line in found) + "\n")
    return False


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        models = re.split(r"^# -----.*$", file.read(), flags=re.M)
    os.makedirs(sys.argv[2], exist_ok=True)
    good = [check(i, m, sys.argv[2]) for i, m in enumerate(models)]
    print("%d of %d as expected" % (sum(good), len(good)))
    sys.exit(0 if all(good) else 1)
