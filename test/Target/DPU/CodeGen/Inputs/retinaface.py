#===- retinaface.py - one DPU part between two CPU parts ------------------===#
#
# Part of xc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# retinaface.py STEM GOLDENS TARGET...
#
# STEM.parts.mlir has the functions that the partition made, STEM.mtir.mlir the
# same on buffers. The CPU parts run on the reference interpreter.

import pathlib
import re
import subprocess
import sys


def run(*command):
    result = subprocess.run([str(c) for c in command], capture_output=True,
                            text=True)
    if result.returncode:
        sys.exit(f"{command[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    stem, goldens = sys.argv[1], pathlib.Path(sys.argv[2])
    parts = stem + ".parts.mlir"
    with open(parts, encoding="utf-8") as file:
        cpu = re.findall(r'func\.func private @"?([^"(]*_cpu_\d+)', file.read())
    assert len(cpu) == 2, "one CPU part before the DPU and one after it"
    for target in sys.argv[3:]:
        run("xc-translate", "--mtir-to-xmodel", stem + ".mtir.mlir",
            f"--target=DPUCZDX8G_ISA1_{target}", "-o", stem + ".xmodel")
        for case in ("faces1", "faces2"):
            run("xc-run", "--backend=reference", parts, f"--function={cpu[0]}",
                f"--input={goldens}/in0_{case}.bin", f"--output={stem}.q.bin")
            outputs = [f"{stem}.out{i}.bin" for i in range(3)]
            run("xc-run", "--strict", stem + ".xmodel",
                f"--input={stem}.q.bin",
                *(f"--output=output{i}={o}" for i, o in enumerate(outputs)))
            found = run(
                "xc-run", "--backend=reference", parts, f"--function={cpu[1]}",
                *(f"--input={i}={o}" for i, o in enumerate(outputs)),
                *(f"--expected={i}={goldens}/out{i}_{case}_dpuround.bin"
                  for i in range(3)))
            equal = found.count("is equal to")
            print(f"{target} {case}:", "equal" if equal == 3 else found)


main()
