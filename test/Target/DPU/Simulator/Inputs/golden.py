#!/usr/bin/env python3
"""Runs xc-run on golden programs and compares every register and bank.

usage: golden.py [--xc-run-option=OPTION]... DIRECTORY...
       golden.py --unpack=OUTPUT DIRECTORY

A directory holds meta.json and the files it names; golden/README.txt beside
the data says what they mean.  Prints one line per program and a last line
with the number of programs that agree; fails unless all do.  --unpack only
writes code.bin, the registers as reg0, reg1, ... and their sizes as `memory`
into a new directory.
"""

import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile


def read(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rb") as stream:
        return stream.read()


def write_initial(directory, register, path):
    """Writes the initial content of a register and returns it."""
    size = register["size"]
    if register["initial"] == "lcg":
        arguments = (register["lcg_seed"], register["lcg_shift"], size, path)
        subprocess.run(["xc-test-lcg"] + [str(a) for a in arguments], check=True)
        return read(path)
    data = b""
    if register["initial"] == "file":
        data = read(os.path.join(directory, register["file"]))
    with open(path, "wb") as stream:
        stream.write(data.ljust(size, b"\0"))
    return data.ljust(size, b"\0")


def sha(data):
    return hashlib.sha256(data).hexdigest()


def first_difference(a, b):
    for i in range(0, len(a), 4096):
        if a[i : i + 4096] != b[i : i + 4096]:
            return next(j for j in range(i, len(a)) if a[j] != b[j])
    return None


def compare_banks(meta, banks, problems):
    depths = meta.get("bank_depths") or [meta["bank_depth"]] * meta["banks"]
    sizes = [depth * meta["cp"] for depth in depths]
    if len(banks) != sum(sizes):
        problems.append("%d bytes of banks" % len(banks))
    start = 0
    for i, (size, expected) in enumerate(zip(sizes, meta["sha256_bank"])):
        found = sha(banks[start : start + size])
        start += size
        if not found.startswith(expected):
            problems.append("bank %d differs" % i)
    if sha(banks) != meta["sha256_all_banks"]:
        problems.append("banks differ")


def compare_expected(meta, path, before, after, banks, problems):
    """Where a random program differs, by its XOR image."""
    expected = read(path)
    found = bytearray()
    for new, old in (
        (after["0"], before["0"]),
        (after["1"], before["1"]),
        (banks, before["2"]),
    ):
        n = len(new)
        value = int.from_bytes(new, "big") ^ int.from_bytes(old, "big")
        found += value.to_bytes(n, "big")
    where = first_difference(bytes(found), expected)
    if where is not None:
        problems.append("byte %d of the expected image" % where)


def unpack(directory, meta, work):
    """Writes the code and the registers; returns the registers' bytes."""
    code = meta.get("files", {}).get("code", "code.bin")
    with open(os.path.join(work, "code.bin"), "wb") as stream:
        stream.write(read(os.path.join(directory, code)))
    with open(os.path.join(work, "memory"), "w") as stream:
        for name, register in meta["registers"].items():
            kind = "empty" if register["initial"] == "zero" else "data"
            stream.write("%s %d %s\n" % (name, register["size"], kind))
    return {
        name: write_initial(directory, register, os.path.join(work, "reg" + name))
        for name, register in meta["registers"].items()
    }


def read_meta(directory):
    with open(os.path.join(directory, "meta.json")) as stream:
        return json.load(stream)


def compare_files(meta, directory, after, problems):
    """Whole registers, or their first bytes, that are stored."""
    for name, path in meta.get("files", {}).items():
        if name.startswith("expected_reg"):
            register = name[len("expected_reg") :].removesuffix("_first")
            expected = read(os.path.join(directory, path))
            if not after[register].startswith(expected):
                problems.append("register %s is not the expected file" % register)


def run(directory, options):
    meta = read_meta(directory)
    problems = []
    with tempfile.TemporaryDirectory() as work:
        before = unpack(directory, meta, work)
        command = ["xc-run", os.path.join(work, "code.bin")]
        command += ["--target=" + meta["target"]]
        command += ["--dump-banks=" + os.path.join(work, "banks")] + options
        for name in before:
            path = os.path.join(work, "reg" + name)
            # What starts as zeros holds no data for strict mode.
            if meta["registers"][name]["initial"] == "zero":
                command += ["--reg-size", "%s=%d" % (name, len(before[name]))]
            else:
                command += ["--reg", "%s=%s" % (name, path)]
            command += ["--dump-reg", "%s=%s.out" % (name, path)]
        process = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if process.returncode:
            return ["exit code %d: %s" % (process.returncode, process.stderr)]
        banks = read(os.path.join(work, "banks"))
        after = {}
        for name, register in meta["registers"].items():
            after[name] = read(os.path.join(work, "reg%s.out" % name))
            if sha(before[name]) != register["sha256_initial"]:
                problems.append("initial register %s is wrong" % name)
            if sha(after[name]) != register["sha256_final"]:
                problems.append("register %s differs" % name)
        compare_banks(meta, banks, problems)
        image = os.path.join(directory, "expected.bin.xz")
        if problems and os.path.exists(image):
            compare_expected(meta, image, before, after, banks, problems)
        compare_files(meta, directory, after, problems)
    return problems


def main():
    options = []
    directories = []
    for argument in sys.argv[1:]:
        if argument.startswith("--xc-run-option="):
            options.append(argument.split("=", 1)[1])
        elif argument.startswith("--unpack="):
            output = argument.split("=", 1)[1]
            os.makedirs(output, exist_ok=True)
            unpack(sys.argv[-1], read_meta(sys.argv[-1]), output)
            return 0
        else:
            directories.append(argument)
    good = 0
    for directory in directories:
        problems = run(directory, options)
        good += not problems
        name = os.path.basename(os.path.normpath(directory))
        print("%s: %s" % (name, "; ".join(problems) or "equal"))
    print("%d of %d programs equal" % (good, len(directories)))
    return 0 if good == len(directories) and good else 1


if __name__ == "__main__":
    sys.exit(main())
