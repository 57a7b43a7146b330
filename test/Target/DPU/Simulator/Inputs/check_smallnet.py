"""Runs the small network on every size of DPU and with every kernel.

usage: check_smallnet.py DIRECTORY

DIRECTORY is filled.  Prints one line per size with the kernels that gave the
expected bytes, in strict mode.
"""

import os
import subprocess
import sys

SIZES = {
    "B512": (4, 8),
    "B800": (4, 10),
    "B1024": (8, 8),
    "B1152": (4, 12),
    "B1600": (8, 10),
    "B2304": (8, 12),
    "B3136": (8, 14),
    "B4096": (8, 16),
}
KERNELS = ("plain", "avx2", "avx512vnni")


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def run(size, kernel, directory):
    """Returns None when the processor does not have the kernel."""
    path = lambda name: os.path.join(directory, name)
    command = ["xc-run", path("net.bin"), "--target=DPUCZDX8G_ISA1_" + size]
    command += ["--strict", "--kernel=" + kernel, "--threads=2"]
    command += ["--reg", "0=" + path("reg0"), "--reg", "2=" + path("reg2")]
    command += read(path("sizes")).decode().split()
    command += ["--dump-reg", "3=" + path("found3")]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if "no inner loops" in done.stderr:
        return None
    if done.returncode:
        sys.exit("%s: %s" % (size, done.stderr))
    return read(path("found3")) == read(path("expected3"))


for size, (pp, cp) in SIZES.items():
    directory = os.path.join(sys.argv[1], size)
    generator = os.path.join(os.path.dirname(__file__), "smallnet.py")
    subprocess.run([sys.executable, generator, str(pp), str(cp), directory],
                   check=True)
    code = os.path.join(directory, "net")
    subprocess.run(["xc-translate", "--dpu-asm-to-bin", code + ".asm", "-o",
                    code + ".bin"], check=True)
    results = {kernel: run(size, kernel, directory) for kernel in KERNELS}
    wrong = [kernel for kernel, equal in results.items() if equal is False]
    print("%s: %s" % (size, "wrong with " + ", ".join(wrong) if wrong else
                      "equal with every kernel"))
