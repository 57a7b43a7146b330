"""Checks the messages of the TensorFlow importer.

usage: errors.py FILE DIRECTORY

FILE holds graphs in the text form of tensorflow.py between `# -----` lines. Each
has `# error: TEXT` and `# note: TEXT` lines, what is said in order without the
file's name, and may have `# options: OPTIONS`, or `# bytes: HEX` in place of a graph. The import must
fail with exit code 1, say exactly this and write nothing.
"""

import os
import re
import subprocess
import sys

import tensorflow


def check(number, text, folder):
    expected = re.findall(r"^# ((?:error|note): .*)$", text, re.M)
    options = " ".join(re.findall(r"^# options: (.*)$", text, re.M)).split()
    data = re.findall(r"^# bytes: ?(.*)$", text, re.M)
    source = os.path.join(folder, "graph%d.pb" % number)
    target = os.path.join(folder, "graph%d.mlir" % number)
    with open(source, "wb") as file:
        file.write(bytes.fromhex(data[0]) if data else tensorflow.graph(text))
    if os.path.exists(target):
        os.remove(target)
    done = subprocess.run(
        ["xc-translate", "--import-tensorflow", source, "-o", target] + options,
        capture_output=True, text=True)
    found = [line.replace(source + ": ", "", 1)
             for line in done.stderr.splitlines()]
    if done.returncode == 1 and found == expected and not os.path.exists(target):
        return True
    print("net %d:\n%s" % (number, text.strip()))
    print("exit code %d, found:" % done.returncode)
    print("\n".join("# " + line for line in found) + "\n")
    return False


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        graphs = re.split(r"^# -----.*\n", file.read(), flags=re.M)
    os.makedirs(sys.argv[2], exist_ok=True)
    good = [check(i, g, sys.argv[2]) for i, g in enumerate(graphs)]
    print("%d of %d as expected" % (sum(good), len(good)))
    sys.exit(0 if all(good) else 1)
