"""Compiles modules with more and more functions that one function calls.

Usage: many-functions.py XC-TRANSLATE FILE

Counts processor time, the least of several runs, so that a busy machine
matters little.
"""

import resource
import subprocess
import sys

RUNS = 2


def module(count):
    lines = []
    for i in range(count):
        lines += [f"func.func @f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {{",
                  '  %y = "tir.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>',
                  "  return %y : tensor<4xf32>", "}"]
    lines.append("func.func @all(%x0: tensor<4xf32>) -> tensor<4xf32> {")
    for i in range(count):
        lines.append(f"  %x{i + 1} = call @f{i}(%x{i}) : "
                     "(tensor<4xf32>) -> tensor<4xf32>")
    lines += [f"  return %x{count} : tensor<4xf32>", "}"]
    return "\n".join(lines)


def seconds(tool, path, count):
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(module(count))
    best = None
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([tool, "--mtir-to-object", path + ".mlir", "-o",
                        path + ".o"], check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        best = used if best is None else min(best, used)
    return best


def main():
    tool, path = sys.argv[1:]
    few, many = 250, 1000
    start = seconds(tool, path, 1)
    ratio = ((seconds(tool, path, many) - start) /
             (seconds(tool, path, few) - start))
    # Quadratic would be 16.
    print("linear" if ratio < 8 else f"{many / few} times as many functions "
          f"take {ratio:.1f} times as long")


if __name__ == "__main__":
    main()
