"""bare.py MODEL DIRECTORY MACHINE: a model on a machine without an OS.

Writes a model as C, compiles and links it with nothing but a start-up file,
and, where QEMU has the machine, compares its outputs on seeded random inputs
with those of the reference interpreter byte by byte.
"""

import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent / "bare"
FLAGS = ("-Os -std=c99 -ffreestanding -nostdlib -Wall -Wextra -Werror "
         "-ffunction-sections -fdata-sections -Wl,--gc-sections").split()
MACHINES = {
    "cortex-m": (["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
                 ["qemu-system-arm", "-machine", "mps2-an386", "-nographic",
                  "-semihosting", "-kernel"]),
    "riscv": (["riscv64-unknown-elf-gcc", "-march=rv32imac",
               "-mabi=ilp32", "-mcmodel=medany"], None),
}


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[:2000]}")
    return done.stdout


def array(name, data, const="const "):
    return (f"static {const}unsigned char {name}[] "
            f"__attribute__((aligned(8))) = {{{','.join(map(str, data))}}};\n")


def elements(path):
    data = path.read_bytes()
    return data[10 + int.from_bytes(data[8:10], "little"):]


def check_program(directory, rows, num_inputs, inputs, outputs):
    """A main that compares."""
    text = '#include "net.h"\n\n#include <string.h>\n\nvoid put_text(const char *text);\n\n'
    text = text.replace("#include <string.h>\n\n", "")
    arguments = []
    for index, (name, kind, _, _) in enumerate(rows):
        if index < num_inputs:
            text += array(f"in{index}", inputs[index])
            arguments.append(f"(const void *)in{index}")
        else:
            data = outputs[index - num_inputs]
            text += array(f"want{index}", data)
            text += array(f"out{index}", bytes(len(data)), "")
            arguments.append(f"(void *)out{index}")
    text += ("static unsigned char arena[NET_ARENA_BYTES + 8] "
             "__attribute__((aligned(8)));\n\nint main(void) {\n"
             f"  int wrong = (int)ENTRY({', '.join(arguments)}, arena);\n")
    for index in range(num_inputs, len(rows)):
        text += (f"  for (unsigned i = 0; i < sizeof out{index}; ++i)\n"
                 f"    wrong += out{index}[i] != want{index}[i];\n")
    text += '  put_text(wrong ? "different\\n" : "equal\\n");\n  return wrong != 0;\n}\n'
    header = (directory / "net.h").read_text()
    entry = re.search(r"int32_t (\w+)\(", header).group(1)
    (directory / "main.c").write_text(text.replace("ENTRY", entry))


def main():
    model, directory, machine = sys.argv[1:]
    compiler, emulator = MACHINES[machine]
    directory = pathlib.Path(directory)
    run("xcc", model, "--emit=c", "-o", directory, "-n", "net")
    text = (directory / "main.c").read_text()
    rows = re.findall(r'{"(\w+)", "([^"]+)", "([^"]*)", (\d+)}', text)
    num_inputs = int(re.search(r"NUM_INPUTS = (\d+)", text).group(1))
    generator = random.Random(1)
    inputs, files = [], []
    for index, (_, _, _, size) in enumerate(rows[:num_inputs]):
        inputs.append(generator.randbytes(int(size)))
        files.append(directory / f"{index}.raw")
        files[-1].write_bytes(inputs[-1])
    wanted = [directory / f"{index}.npy" for index in range(num_inputs, len(rows))]
    run("xc-run", model, *(word for path in files for word in ("--input", path)),
        *(word for path in wanted for word in ("--output", path)))
    check_program(directory, rows, num_inputs, inputs, list(map(elements, wanted)))
    program = directory / "net.elf"
    run(*compiler, *FLAGS, "-T", HERE / f"{machine}.ld", "-o", program,
        *sorted(directory.glob("*.c")), HERE / f"{machine}.c", HERE / "memory.c",
        "-lgcc")
    print(run(*emulator, program, timeout=300) if emulator else "linked\n", end="")


main()
