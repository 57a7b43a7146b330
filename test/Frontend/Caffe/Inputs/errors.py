"""Checks the messages of the Caffe importer.

usage: errors.py FILE DIRECTORY

FILE holds prototxts between `# -----` lines, with blobs in comments (caffe.py).
Each has `# error: LINE:COLUMN: TEXT` lines, the errors in order without the
file's name; warnings do not count. `# options: OPTIONS` are for xc-translate,
`# model: HEX` is the caffemodel; without it and without blobs there is none. The
import must fail with exit code 1, say exactly this and write nothing.
"""

import os
import re
import subprocess
import sys

import caffe


def check(number, text, folder):
    expected = re.findall(r"^# error: (.*)$", text, re.M)
    options = " ".join(re.findall(r"^# options: (.*)$", text, re.M)).split()
    data = re.findall(r"^# model: (.*)$", text, re.M)
    source = os.path.join(folder, "net%d.prototxt" % number)
    model = os.path.join(folder, "net%d.caffemodel" % number)
    target = os.path.join(folder, "net%d.mlir" % number)
    with open(source, "w", encoding="latin-1") as file:
        file.write(text)
    with open(model, "wb") as file:
        file.write(bytes.fromhex(data[0]) if data else caffe.model(text))
    if os.path.exists(target):
        os.remove(target)
    if data or "# blob" in text:
        options.append("--caffemodel=" + model)
    done = subprocess.run(
        ["xc-translate", "--import-caffe", source, "-o", target] + options,
        capture_output=True, text=True)
    found = []
    for line in done.stderr.splitlines():
        match = re.match(r"(.*?): ?error: (.*)$", line)
        if match:
            place = match[1].replace(source, "").replace(model, "MODEL")
            found.append((place.lstrip(":") + ": " + match[2]).replace(
                model, "MODEL").removeprefix(": "))
    if done.returncode == 1 and found == expected and not os.path.exists(target):
        return True
    print("net %d:\n%s" % (number, text.strip()))
    print("exit code %d, found:" % done.returncode)
    print("\n".join("# error: " + line for line in found) + "\n")
    return False


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        nets = re.split(r"^# -----.*\n", file.read(), flags=re.M)
    os.makedirs(sys.argv[2], exist_ok=True)
    good = [check(i, n, sys.argv[2]) for i, n in enumerate(nets)]
    print("%d of %d as expected" % (sum(good), len(good)))
    sys.exit(0 if all(good) else 1)
