"""roundtrip.py DIRECTORY: disassembles and reassembles every code.bin
and code.bin.xz below DIRECTORY and compares the bytes."""

import lzma
import pathlib
import subprocess
import sys


def translate(flag, data):
    command = ["xc-translate", flag]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    if done.stderr:
        sys.exit(done.stderr.decode())
    return done.stdout


programs = size = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("code.bin*")):
    code = path.read_bytes()
    if path.suffix == ".xz":
        code = lzma.decompress(code)
    text = translate("--dpu-bin-to-asm", code)
    if b".word" in text:
        sys.exit(f"{path}: not every word is an instruction")
    if translate("--dpu-asm-to-bin", text) != code:
        sys.exit(f"{path}: differs")
    programs += 1
    size += len(code)
print(f"{programs} programs, {size} bytes: the same")
