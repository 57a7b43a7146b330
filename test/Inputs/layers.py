"""Compares what a quantised net computes behind each of its fixes with the
integers of an .npz file, whose arrays have the names of values.

usage: layers.py BASE WORK IMPORT-OPTIONS...

BASE.layers.npz holds the integers, with `_` for `/` in the names, BASE.in.npy
the input. The net is imported with all these values as outputs, becomes one in
fixed point, and runs on the reference interpreter.
"""

import ast
import os
import re
import struct
import subprocess
import sys
import zipfile


def read_npy(data):
    """Shape and numbers of an array."""
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    code = {"|i1": "b", "<f4": "f"}[header["descr"]]
    body = data[10 + length:]
    count = len(body) // struct.calcsize(code)
    return header["shape"], struct.unpack("<%d%s" % (count, code), body)


def fix_point(integers, reals):
    """Where integer = real * 2^fix_point for all of them; None where not."""
    for point in range(-16, 33):
        if all(i == r * 2.0 ** point for i, r in zip(integers, reals)):
            return point
    return None


def real_names(options, names):
    """What the net calls them."""
    text = subprocess.run(["xc-translate", *options], check=True,
                          capture_output=True, text=True).stdout
    found = re.findall(r'op_name = "([^"]*)"', text)
    known = {name.replace("/", "_"): name for name in found}
    return [known.get(name, name) for name in names]


def main(base, work, options):
    os.makedirs(work, exist_ok=True)
    module = os.path.join(work, "net.mlir")
    with zipfile.ZipFile(base + ".layers.npz") as archive:
        arrays = [(n[:-4], read_npy(archive.read(n)))
                  for n in archive.namelist()]
    names = real_names(options, [name for name, _ in arrays])
    subprocess.run(["xc-translate", *options, "-o", module,
                    *["--outputs=" + name for name in names]], check=True)
    subprocess.run(["xc-opt", "--tir-absorb-fix", module, "-o", module],
                   check=True)
    command = ["xc-run", module, "--quiet", "--input", base + ".in.npy"]
    paths = [os.path.join(work, "%d.npy" % i) for i in range(len(arrays))]
    for i, path in enumerate(paths):
        command += ["--output", "%d=%s" % (i, path)]
    subprocess.run(command, check=True)
    equal = 0
    for (name, (shape, integers)), path in zip(arrays, paths):
        with open(path, "rb") as file:
            found, reals = read_npy(file.read())
        if found != shape or fix_point(integers, reals) is None:
            print("%s differs" % name)
        else:
            equal += 1
    print("%d of %d layers equal" % (equal, len(arrays)))
    return equal != len(arrays)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
