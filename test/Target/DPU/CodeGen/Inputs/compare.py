#===- compare.py - machine code against the reference interpreter ---------===#
#
# Part of xc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# compare.py DIRECTORY FILE.mlir TARGET...
#
# Runs the reference for each function of the file (one per chunk between "// -----"
# lines, int8 tensors in and out) on random inputs. Compiles it for each target,
# checks that a board loads the xmodel, and compares what it gives in the simulator
# with --strict.

import pathlib
import random
import re
import subprocess
import sys

PASSES = ["--global-bufferize", "--convert-tir-to-mtir",
          "--mtir-eliminate-copies"]


def run(*command):
    result = subprocess.run([str(c) for c in command], capture_output=True,
                            text=True)
    if result.returncode:
        sys.exit(f"{command[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def sizes(types):
    """Bytes of each int8 tensor in a list of types."""
    result = []
    for dims in re.findall(r"tensor<([0-9x]+)xi8>", types):
        size = 1
        for dim in dims.split("x"):
            size *= int(dim)
        result.append(size)
    return result


def compare(directory, index, text, targets):
    name, arguments, results = re.search(
        r"func\.func @(\w+)\((.*?)\) *-> *(.*?) *\{", text, re.S).groups()
    source = directory / f"{index}.mlir"
    source.write_text(text)
    mtir = directory / f"{index}.mtir.mlir"
    run("xc-opt", *PASSES, source, f"--o={mtir}")
    chance = random.Random(index)
    inputs = []
    for i, size in enumerate(sizes(arguments)):
        path = directory / f"{index}.in{i}.bin"
        path.write_bytes(bytes(chance.randrange(256) for _ in range(size)))
        inputs.append(path)
    count = len(sizes(results))
    expected = [directory / f"{index}.ref{i}.bin" for i in range(count)]
    outputs = [directory / f"{index}.out{i}.bin" for i in range(count)]
    run("xc-run", "--backend=reference", source,
        *(f"--input={i}={path}" for i, path in enumerate(inputs)),
        *(f"--output={i}={path}" for i, path in enumerate(expected)))
    for target in targets:
        xmodel = directory / f"{index}.xmodel"
        run("xc-translate", "--mtir-to-xmodel",
            f"--target=DPUCZDX8G_ISA1_{target}", mtir, "-o", xmodel)
        run("xc-translate", "--check-xmodel", xmodel)
        run("xc-run", "--strict", xmodel,
            *(f"--input=input{i}={path}" for i, path in enumerate(inputs)),
            *(f"--output=output{i}={path}" for i, path in enumerate(outputs)))
        for i, (found, right) in enumerate(zip(outputs, expected)):
            if found.read_bytes() != right.read_bytes():
                sys.exit(f"{target} {name}: output {i} differs")
        print(f"{target} {name}: equal")


def main():
    arguments = sys.argv[1:]
    directory = pathlib.Path(arguments[0])
    directory.mkdir(parents=True, exist_ok=True)
    chunks = pathlib.Path(arguments[1]).read_text().split("// -----\n")
    for index, chunk in enumerate(c for c in chunks if "func.func" in c):
        compare(directory, index, chunk, arguments[2:])


main()
