"""roundtrip.py DIRECTORY: disassembles and reassembles every code.bin
and code.bin.xz below DIRECTORY with the instruction set of the target in the
meta.json beside it and compares the bytes."""

import json
import lzma
import pathlib
import subprocess
import sys


def translate(flag, isa, data):
    command = ["xc-translate", flag, f"--target={isa}"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    if done.stderr:
        sys.exit(done.stderr.decode())
    return done.stdout


programs = size = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("code.bin*")):
    code = path.read_bytes()
    if path.suffix == ".xz":
        code = lzma.decompress(code)
    meta = json.loads((path.parent / "meta.json").read_text())
    isa = meta["target"].split("_")[0]
    text = translate("--dpu-bin-to-asm", isa, code)
    if b".word" in text:
        sys.exit(f"{path}: not every word is an instruction")
    if translate("--dpu-asm-to-bin", isa, text) != code:
        sys.exit(f"{path}: differs")
    programs += 1
    size += len(code)
print(f"{programs} programs, {size} bytes: the same")
