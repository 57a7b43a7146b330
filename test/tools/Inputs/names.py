"""Takes models through every tool and looks for control characters and files.

Usage: names.py DIRECTORY NAME...   for DIRECTORY/NAME.mlir
"""

import os
import re
import subprocess
import sys

TARGET = "DPUCZDX8G_ISA1_B4096"
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


def run(command):
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        sys.exit("%s: %s" % (command, done.stderr.decode()))
    found = CONTROL.search(done.stdout + done.stderr)
    if found:
        sys.exit("%s: control character %r" % (command, found.group()))


def check_files(directory):
    for name in os.listdir(directory):
        if len(name) > 160 or not re.fullmatch(r"[\w.+-]+", name):
            sys.exit("%s: a file is called %r" % (directory, name))


def main():
    top, names = sys.argv[1], sys.argv[2:]
    for name in names:
        model = os.path.join(top, name + ".mlir")
        out, temps, dump, tree = (os.path.join(top, name + suffix)
                                  for suffix in (".out", ".temps", ".dump", ".tree"))
        xmodel = os.path.join(out, "net.xmodel")
        run(["xcc", model, "-a", TARGET, "-o", out, "-n", "net",
             "--save-temps=" + temps])
        run(["xc-run", model, "--random-inputs=1", "--dump-tensors=" + dump])
        run(["xc-run", model, "--list"])
        run(["xc-run", xmodel, "--list"])
        run(["xc-run", xmodel, "--random-inputs=1", "--repeat=2"])
        run(["xc-run", xmodel, "--random-inputs=1", "--backend=sim"])
        run(["xc-translate", "--xmodel-to-text", xmodel])
        run(["xc-opt", model, "--canonicalize", "--mlir-print-ir-after-all",
             "--mlir-print-ir-tree-dir=" + tree, "-o", os.devnull])
        for directory in (out, temps, dump):
            check_files(directory)
        print("fine")


if __name__ == "__main__":
    main()
