#!/usr/bin/env python3
"""Prints how fast C source of int8 networks is beside our LLVM code.

Usage: csource.py BUILD-DIRECTORY MODELS...

All run in the same minute on one thread: the C source as $CC (cc) makes it with
two levels of -march=native, timed around the call of the model, and xc-run
--backend=cpu. The best of many runs counts.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

RUNS = 200
LEVELS = ("-O3", "-O2")
PROGRAM = """#define _POSIX_C_SOURCE 199309L
#include "net.h"

#include <stdio.h>
#include <time.h>

static _Alignas(64) unsigned char arena[NET_ARENA_BYTES + 64], data[@bytes@];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(void) {
  double best = 1e9;
  for (int i = 0; i < @runs@; ++i) {
    double start = now();
    @entry@(@arguments@, arena);
    double time = now() - start;
    best = time < best ? time : best;
  }
  printf("%.6f\\n", best);
  return 0;
}
"""


def run(*command):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          check=True, text=True).stdout


def write_program(directory):
    """A main that times; returns the bytes of each input."""
    text = (directory / "main.c").read_text()
    rows = re.findall(r'{"\w+", "[^"]+", "[^"]*", (\d+)}', text)
    count = int(re.search(r"NUM_INPUTS = (\d+)", text).group(1))
    entry = re.search(r"int32_t (\w+)\(", (directory / "net.h").read_text())
    offsets, total = [], 0
    for size in rows:
        offsets.append(f"(void *)(data + {total})")
        total += -(-int(size) // 64) * 64
    for key, value in (("bytes", total), ("runs", RUNS), ("entry", entry.group(1)),
                       ("arguments", ", ".join(offsets))):
        text = (PROGRAM if key == "bytes" else text).replace(f"@{key}@", str(value))
    (directory / "main.c").write_text(text)
    return list(map(int, rows[:count]))


def measure(build, model, directory):
    bin_directory = build / "bin"
    run(bin_directory / "xcc", model, "--emit=c", "-o", directory, "-n", "net")
    sizes = write_program(directory)
    program = directory / "bench"
    times = []
    for level in LEVELS:
        run(os.environ.get("CC", "cc"), level, "-march=native", "-o", program,
            *sorted(directory.glob("*.c")), "-lm")
        times.append(float(run(program)))
    inputs = []
    for index, size in enumerate(sizes):
        path = directory / f"{index}.raw"
        path.write_bytes(bytes(size))
        inputs += ["--input", path]
    ours = run(bin_directory / "xc-run", model, "--backend=cpu",
               f"--repeat={RUNS}", *inputs)
    best = re.search(r"best ms.*\n\s*\d+\s+\d+\s+([\d.]+)", ours)
    return times, float(best.group(1))


def main():
    build = pathlib.Path(sys.argv[1])
    print(f"{'network':24} {'LLVM code ms':>12}"
          + "".join(f" {'C ' + level + ' ms':>10} {'ratio':>6}" for level in LEVELS))
    for name in sys.argv[2:]:
        model = pathlib.Path(name)
        if not model.exists():
            print(f"{model.stem:24} (not there)")
            continue
        with tempfile.TemporaryDirectory() as directory:
            times, code = measure(build, model, pathlib.Path(directory))
        print(f"{model.stem:24} {code:12.3f}"
              + "".join(f" {time:10.3f} {time / code:6.1f}" for time in times))


main()
