"""check-c.py MODEL DIRECTORY [--cc=COMMAND] [--run=COMMAND] [--with=FOLDER]
[xcc options]

Writes a model as C into DIRECTORY, compiles it, runs it on seeded random
inputs, and compares every byte of the outputs with the reference interpreter.
Sources of FOLDER are compiled, too; what the program prints is shown.
"""

import pathlib
import random
import re
import shlex
import struct
import subprocess
import sys

WARNINGS = "-Wall -Wextra -Wpedantic -Werror"
CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I",
         "i8": "q", "u8": "Q", "f4": "f", "f8": "d", "b1": "B",
         "f2": "e"}


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[:2000]}")
    return done.stdout


def make_input(path, kind, shape, generator):
    """A .npy file: reals around 0, bytes of all values, other integers below 100."""
    count = 1
    for size in re.findall(r"\d+", shape):
        count *= int(size)
    code = kind[1:]
    if code[0] == "f":
        values = [generator.gauss(0, 1) for _ in range(count)]
    elif code in ("i1", "u1"):
        low = -128 if code == "i1" else 0
        values = [generator.randrange(low, low + 256) for _ in range(count)]
    else:
        limit = 2 if code == "b1" else 100
        values = [generator.randrange(limit) for _ in range(count)]
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}"
    header += " " * (64 - (len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                     + header.encode()
                     + struct.pack(f"<{count}{CODES[code]}", *values))


def elements(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def compare(model, got, wanted, kind):
    """Integers byte by byte; reals up to 1e-5 of the largest one."""
    if got == wanted:
        return
    if kind[1] != "f":
        wrong = sum(x != y for x, y in zip(got, wanted))
        sys.exit(f"{model}: {wrong} of {len(wanted)} bytes differ")
    code = f"<{len(wanted) // int(kind[2])}{CODES[kind[1:]]}"
    a, b = struct.unpack(code, got), struct.unpack(code, wanted)
    worst = max(abs(x - y) for x, y in zip(a, b))
    largest = max(map(abs, b))
    if not worst <= 1e-5 * largest:
        sys.exit(f"{model}: differs by {worst} of {largest}")


def option(arguments, name, default):
    for argument in arguments:
        if argument.startswith(f"--{name}="):
            arguments.remove(argument)
            return shlex.split(argument.partition("=")[2])
    return default


def main():
    model, directory, *arguments = sys.argv[1:]
    compiler = option(arguments, "cc", ["cc", "-O1"])
    runner = option(arguments, "run", [])
    more = option(arguments, "with", [])
    directory = pathlib.Path(directory)
    run("xcc", model, "--emit=c", "-o", directory, "-n", "net", *arguments)
    program = directory / "net-run"
    run(*compiler, *WARNINGS.split(), "-std=c99", "-o", program,
        *sorted(directory.glob("*.c")),
        *(path for name in more for path in sorted(pathlib.Path(name).glob("*.c"))),
        *(f"-I{name}" for name in more), "-lm")
    text = (directory / "main.c").read_text()
    rows = re.findall(r'{"(\w+)", "([^"]+)", "([^"]*)", (\d+)}', text)
    num_inputs = int(re.search(r"NUM_INPUTS = (\d+)", text).group(1))
    generator = random.Random(1)
    files = []
    for index, (_, kind, shape, _) in enumerate(rows):
        files.append((directory / f"{index}.npy").resolve())
        if index < num_inputs:
            make_input(files[-1], kind, shape, generator)
    print(run(*runner, program.resolve(), *files, cwd=directory), end="")
    expected = [directory / f"{index}.ref.npy"
                for index in range(num_inputs, len(rows))]
    options = [a for a in arguments if not a.startswith(("--params-file", "--kernels"))]
    run("xc-run", model, "--backend=reference", *options,
        *(word for path in files[:num_inputs] for word in ("--input", path)),
        *(word for path in expected for word in ("--output", path)))
    for got, wanted, (_, kind, _, _) in zip(files[num_inputs:], expected,
                                            rows[num_inputs:]):
        compare(model, elements(got), elements(wanted), kind)
    print("equal")


main()
