"""Compiles chains of convolutions of two lengths and compares the times.

usage: chain.py xc-translate DIRECTORY HEIGHT
"""

import os
import resource
import subprocess
import sys

SHORT, LONG = 250, 1000
CHANNELS = 32


def chain(layers, size):
    shape = f"memref<1x{size}x{size}x{CHANNELS}xi8>"
    weights = f"{CHANNELS}x3x3x{CHANNELS}xi8"
    yield f"func.func @chain(%x: {shape}, %y: {shape}) {{"
    yield (f'  %w = "memtx.const"() {{value = dense<1> : tensor<{weights}>}}'
           f" : () -> memref<{weights}>")
    before = "%x"
    for i in range(layers):
        after = "%y" if i == layers - 1 else f"%b{i}"
        if after != "%y":
            yield f"  {after} = memref.alloc() : {shape}"
        yield (f'  "mtir.conv2d-fix"({before}, %w, {after}) {{'
               "kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], "
               "pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], "
               "input_fix_point = 5 : i32, weight_fix_point = 6 : i32, "
               f"output_fix_point = 3 : i32}} : ({shape}, memref<{weights}>, "
               f"{shape}) -> ()")
        before = after
    yield "  return\n}"


def compile_chain(tool, directory, layers, size):
    """Seconds of processor time, and cycles of the code."""
    path = os.path.join(directory, f"chain{layers}.mlir")
    with open(path, "w") as file:
        file.write("\n".join(chain(layers, size)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    times = subprocess.run([tool, "--mtir-to-dpu-times", path], check=True,
                           capture_output=True, text=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    cycles = [line.split()[1] for line in times.splitlines()
              if line.startswith("cycles")]
    return seconds, int(cycles[0])


def main(tool, directory, size):
    short, short_cycles = compile_chain(tool, directory, SHORT, size)
    long, long_cycles = compile_chain(tool, directory, LONG, size)
    times = LONG // SHORT
    print(f"{SHORT} layers {short:.2f} s, {LONG} layers {long:.2f} s")
    # A cost that grows with the square would give the square of `times`.
    print("time is linear" if long < 2 * times * short + 0.2 else "too slow")
    print("code is linear" if abs(long_cycles - times * short_cycles) <
          long_cycles / 20 else "cycles are not")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
