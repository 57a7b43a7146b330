"""models.py DIRECTORY FILE...: imports models and runs the tensor-level passes.

Every model must import, verify, canonicalise, legalise and partition for two
targets without a message, and the passes must leave nothing to do when they run
again.
"""

import pathlib
import subprocess
import sys
import time

TARGETS = ("DPUCZDX8G_ISA1_B4096", "DPUCAHX8H_ISA2")
IMPORTS = {".tflite": "tflite", ".onnx": "onnx", ".xmodel": "xmodel"}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 or done.stdout:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout.decode()}")


def optimise(source, target, result, more=""):
    passes = f"tir-canonicalize,tir-legalize{{target={target}}},tir-canonicalize"
    run("xc-opt", f"--pass-pipeline=builtin.module(xc-verify,{passes}{more},xc-verify)",
        source, "-o", result)


directory = pathlib.Path(sys.argv[1])
directory.mkdir(parents=True, exist_ok=True)
files = sorted(pathlib.Path(name) for name in sys.argv[2:])
for file in files:
    start = time.monotonic()
    source = directory / f"{file.stem}.mlirbc"
    run("xc-translate", f"--import-{IMPORTS[file.suffix]}", file, "-o", source)
    for target in TARGETS:
        result, again = directory / "result.mlir", directory / "again.mlir"
        optimise(source, target, result)
        optimise(result, target, again)
        if result.read_bytes() != again.read_bytes():
            sys.exit(f"{file.name}: a second run changes something for {target}")
        optimise(source, target, again, f",tir-partition{{target={target} show=none}}")
    print(f"{file.name}: {time.monotonic() - start:.1f} s")
print(f"{len(files)} models")
