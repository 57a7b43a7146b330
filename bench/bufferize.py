#!/usr/bin/env python3
"""Prints how the bufferization passes scale, beside mlir-opt's.

Usage: bufferize.py BUILD-DIRECTORY [MLIR-OPT]

The peer's pass is quadratic on chains; it is run at a length that takes a few
seconds, and ours at the same length in the same run.
"""

import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PEER_LENGTHS = (1000, 2500, 5000)


def generate(kind, count, directory):
    path = os.path.join(directory, f"{kind}-{count}.mlir")
    with open(path, "w", encoding="utf-8") as stream:
        subprocess.run([sys.executable, os.path.join(HERE, "generate.py"),
                        kind, str(count)], stdout=stream, check=True)
    return path


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    build = sys.argv[1]
    peer = sys.argv[2] if len(sys.argv) > 2 else "/usr/lib/llvm-22/bin/mlir-opt"
    xc_opt = os.path.join(build, "bin", "xc-opt")
    with tempfile.TemporaryDirectory() as directory:
        for kind in ("tir-chain", "tir-wide"):
            print(kind, flush=True)
            files = [generate(kind, count, directory)
                     for count in (1000, 10000, 100000)]
            subprocess.run([os.path.join(build, "bench", "BufferizeBench"),
                            *files], check=True)
        print("whole process on a chain, processor seconds")
        print("operators  mlir-opt --one-shot-bufferize   xc-opt   ratio")
        for count in PEER_LENGTHS:
            linalg = generate("linalg-chain", count, directory)
            tir = generate("tir-chain", count, directory)
            theirs = processor_seconds(
                [peer, "--one-shot-bufferize=bufferize-function-boundaries",
                 linalg, "-o", os.devnull])
            ours = processor_seconds(
                [xc_opt, "--global-bufferize", "--convert-tir-to-mtir", tir,
                 "-o", os.devnull])
            print(f"{count:9}  {theirs:29.2f}  {ours:7.2f}  {theirs / ours:6.1f}",
                  flush=True)


if __name__ == "__main__":
    main()
