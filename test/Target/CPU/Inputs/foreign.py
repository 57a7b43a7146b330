"""foreign.py WORK CPU MODEL [CASE...]: compiles a model for this machine and for an
AArch64 processor, runs both on the same bytes, the latter in an emulator, and
compares what comes out, bit for bit.

Inputs are the files in0_CASE.bin ... of a folder, given as FOLDER/CASE, or made
up. Says of how many cases the outputs are those that TensorFlow Lite gave
(out0_CASE.bin ...), or its version for microcontrollers (tflm_out0_CASE.bin ...).
"""

import pathlib
import random
import re
import subprocess
import sys

HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include "net.h"
static void *make(size_t size) {
  return aligned_alloc(64, (size + 64) / 64 * 64);
}
int main(int argc, char **argv) {
  const size_t in[] = {@IN@}, out[] = {@OUT@};
  enum { INS = sizeof in / sizeof *in, OUTS = sizeof out / sizeof *out };
  const void *inputs[INS];
  void *outputs[OUTS];
  if (argc != 1 + INS)
    return 100;
  for (size_t i = 0; i < INS; ++i) {
    void *data = make(in[i]);
    FILE *file = fopen(argv[1 + i], "rb");
    if (!file || fread(data, 1, in[i], file) != in[i])
      return 101;
    fclose(file);
    inputs[i] = data;
  }
  for (size_t i = 0; i < OUTS; ++i)
    outputs[i] = make(out[i]);
  int status = @NAME@(inputs, outputs, make(@NAME@_arena_bytes), @PARAMS@);
  for (size_t i = 0; i < OUTS; ++i)
    fwrite(outputs[i], 1, out[i], stdout);
  return status;
}
"""


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True,
                          stdout=subprocess.PIPE, **options).stdout


def program(work, model, cpu, compiler):
    """Path of the program, and the sizes of the inputs."""
    run("xc-translate", "--mtir-to-object", f"--mcpu={cpu}", model, "-o",
        work / "net.o")
    header = run("xc-translate", "--mtir-to-c-header", f"--mcpu={cpu}",
                 model).decode()
    (work / "net.h").write_text(header)
    name = re.search(r"^int32_t (\w+)\(", header, re.M)[1]
    sizes = {way: [int(s) for s in re.findall(
        rf"{name}_{way}_\d+_bytes = (\d+)", header)]
        for way in ("input", "output")}
    params = re.search(r"extern const unsigned char (\w+)", header)
    text = HARNESS.replace("@NAME@", name)
    text = text.replace("@PARAMS@", params[1] if params else "0")
    text = text.replace("@IN@", ", ".join(map(str, sizes["input"])))
    text = text.replace("@OUT@", ", ".join(map(str, sizes["output"])))
    (work / "main.c").write_text(text)
    path = work / f"net-{cpu}"
    run(compiler, "-std=c11", "-static", "-I", work, work / "main.c",
        work / "net.o", "-lm", "-o", path)
    return path, sizes["input"]


def own_processor():
    """One that rounds products as AArch64 does: not before they are added."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    except OSError:
        flags = []
    return "x86-64-v3" if {"avx2", "fma"} <= set(flags) else "native"


def made_up(work, sizes):
    files = []
    for i, size in enumerate(sizes):
        # Bytes of small floats are fine as integers, too.
        bytes_ = b"".join(random.Random(i * 1000003 + k).randbytes(2) + b"\x80\x3e"
                          for k in range(size // 4 + 1))
        files.append(work / f"in{i}")
        files[-1].write_bytes(bytes_[:size])
    return files


def files_of(case, way):
    return sorted(case.parent.glob(f"{way}[0-9]_{case.name}.bin"))


def main():
    work, cpu, model = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    work.mkdir(parents=True, exist_ok=True)
    if model.endswith(".tflite"):
        imported = work / "net.mlir"
        run("xc-translate", "--import-tflite", model, "-o", imported)
        model = imported
    own, sizes = program(work, model, own_processor(), "cc")
    other, _ = program(work, model, cpu, "aarch64-linux-gnu-gcc")
    cases = list(map(pathlib.Path, sys.argv[4:]))
    golden = 0
    for case in cases or [None]:
        files = files_of(case, "in") if case else made_up(work, sizes)
        result = run("qemu-aarch64-static", other, *files)
        if run(own, *files) != result:
            sys.exit(f"{sys.argv[3]}: {cpu} computes something else for {case}")
        golden += case is not None and any(
            result == b"".join(f.read_bytes() for f in files_of(case, way))
            for way in ("out", "tflm_out"))
    print(f"{cpu}: the same bytes"
          + (f" in {len(cases)} cases, {golden} as TensorFlow Lite has them" if cases else ""))


if __name__ == "__main__":
    main()
