"""Runs the small network of DPUCAHX8H on every build, with and without tokens of
a queue to itself, and with every kernel.

usage: check_smallnet_ahx8h.py DIRECTORY

DIRECTORY is filled.  Prints one line per program; the kernels gave the expected
bytes, in strict mode, and the code comes back from its disassembly.
"""

import os
import subprocess
import sys

TARGETS = {
    "ISA2": "DPUCAHX8H_ISA2",
    "DWC": "DPUCAHX8H_ISA2_DWC",
    "ELP2": "DPUCAHX8H_ISA2_ELP2",
}
KERNELS = ("plain", "avx2", "avx512vnni")


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def run(build, kernel, directory):
    """Returns None when the processor does not have the kernel."""
    path = lambda name: os.path.join(directory, name)
    command = ["xc-run", path("code.bin"), "--target=" + TARGETS[build]]
    command += ["--strict", "--kernel=" + kernel]
    for line in read(path("memory")).decode().splitlines():
        register, size, content = line.split()
        if content == "data":
            command += ["--reg", register + "=" + path("reg" + register)]
        else:
            command += ["--reg-size", register + "=" + size]
    command += ["--dump-reg", "5=" + path("found5")]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if "no inner loops" in done.stderr:
        return None
    if done.returncode:
        sys.exit("%s: %s" % (build, done.stderr))
    return read(path("found5")) == read(path("expected5"))


def translate(option, source, target):
    subprocess.run(
        ["xc-translate", "--target=DPUCAHX8H", option, source, "-o", target],
        check=True,
    )


for build in TARGETS:
    for tokens in ("plain", "self"):
        directory = os.path.join(sys.argv[1], build + "-" + tokens)
        generator = os.path.join(os.path.dirname(__file__), "smallnet_ahx8h.py")
        subprocess.run(
            [sys.executable, generator, directory, build, tokens], check=True
        )
        code = os.path.join(directory, "code.bin")
        translate("--dpu-asm-to-bin", os.path.join(directory, "net.asm"), code)
        translate("--dpu-bin-to-asm", code, code + ".asm")
        translate("--dpu-asm-to-bin", code + ".asm", code + ".again")
        results = {kernel: run(build, kernel, directory) for kernel in KERNELS}
        wrong = [kernel for kernel, equal in results.items() if equal is False]
        if read(code) != read(code + ".again"):
            wrong.append("the assembler")
        print("%s %s: %s" % (build, tokens, "wrong with " + ", ".join(wrong)
                             if wrong else "equal with every kernel"))
