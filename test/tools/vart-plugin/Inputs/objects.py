"""objects.py WORK [--emulated]: the plug-in loads object files of a C compiler,
and computes what the same code computes when it is linked into a program; and
refuses what is none."""

import pathlib
import random
import struct
import subprocess
import sys

import op_imp
import xmodel

HERE = pathlib.Path(__file__).parent
FLOATS = xmodel.Tensor("x", [1, 64], 4, 32, {})
MAIN = """#include <stdio.h>
#include <stdint.h>
int32_t part_code(const void *const *, void *const *, void *, const void *);
int main(void) {
  static float in[64], out[64], arena[64], params[1] = {0.75f};
  const void *inputs[] = {in};
  void *outputs[] = {out};
  fread(in, sizeof(in), 1, stdin);
  part_code(inputs, outputs, arena, params);
  fwrite(out, sizeof(out), 1, stdout);
}
"""


def make(attrs):
    op = xmodel.Op("y", "xc-cpu", {"xc_result": 0, "xc_bytes": 256},
                   {"input": ["x"]}, FLOATS)
    source = xmodel.Op("x", "data", {}, {}, FLOATS)
    subgraph = xmodel.Subgraph("part", ["y"], attrs, [])
    return xmodel.Graph({}, {"x": source, "y": op}, subgraph), subgraph


def refused(driver, attrs, inputs):
    graph, subgraph = make(attrs)
    try:
        driver.run(graph, subgraph, [[inputs]], stderr=subprocess.PIPE)
    except subprocess.CalledProcessError as error:
        assert error.returncode == 1, error
        return error.stderr.decode().splitlines()[0]
    sys.exit("what is broken was run")


def main():
    work, emulated = pathlib.Path(sys.argv[1]), "--emulated" in sys.argv
    compiler = "aarch64-linux-gnu-gcc" if emulated else "cc"
    emulator = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"] \
        if emulated else []
    driver = op_imp.Driver(work, compiler, emulator)
    rng = random.Random(7)
    inputs = struct.pack("<64f", *(rng.uniform(-9, 9) for _ in range(64)))
    (work / "main.c").write_text(MAIN)
    described = {
        "xc_object_triple": ("aarch64" if emulated else "x86_64") + "-linux",
        "xc_object_cpu": "generic", "xc_object_symbol": "part_code",
        "xc_object_arena": 256, "xc_object_params": struct.pack("<f", 0.75)}
    for options in (["-O0"], ["-O2"], ["-O2", "-fno-plt"],
                    ["-O3", "-ffunction-sections", "-g"]):
        op_imp.run(compiler, *options, "-fPIC", "-c", HERE / "relocations.c",
                   "-o", work / "code.o")
        op_imp.run(compiler, work / "main.c", work / "code.o", "-lm", "-o",
                   work / "linked")
        expected = op_imp.run(*emulator, work / "linked", input=inputs)
        code = (work / "code.o").read_bytes()
        graph, subgraph = make({**described, "xc_object": code})
        [[found]] = driver.run(graph, subgraph, [[inputs]])
        assert found == expected, options
    print("the same bytes")

    print(refused(driver, {}, inputs))
    other = {**described, "xc_object": code, "xc_object_cpu": "a64fx"}
    print(refused(driver, {**other, "xc_object1": code,
                           "xc_object1_cpu": "rocket"}, inputs))
    print(refused(driver, {**described, "xc_object": code,
                           "xc_object_symbol": "other"}, inputs))
    for size in [0, 1, 63, *rng.sample(range(64, len(code)), 30)]:
        line = refused(driver, {**described, "xc_object": code[:size]}, inputs)
        assert line == "xc-cpu: the code of part 'part' is not an object file " \
            "for this machine", line
    (work / "outside.c").write_text(
        "int nobody_has_this(void);\n"
        "int part_code(void) { return nobody_has_this(); }\n")
    op_imp.run(compiler, "-fPIC", "-c", work / "outside.c", "-o",
               work / "outside.o")
    code = (work / "outside.o").read_bytes()
    print(refused(driver, {**described, "xc_object": code}, inputs))


main()
