"""sizes.py MODELS DIGITS [PAGE]: how large networks are as C on a Cortex-M4.

MODELS has the folders tflite and onnx-pot, DIGITS is examples/digits.

Prints the page, or writes it to a file.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

COMPILER = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", "-std=c99",
            "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-c"]
HEADER = """# Sizes of networks as C

Bytes on a Cortex-M4, compiled by `arm-none-eabi-gcc -Os` of Debian 12. The arena
holds every tensor between operators and our scratch memory; the bytes
alive are the tensors of the operator that needs most, which no memory plan can
do without, that of TensorFlow Lite Micro (TFLM) included. TFLM adds its own
records of tensors and nodes to that. Files say how large TFLM's arena is where
they have the metadata `OfflineMemoryAllocation`.
`test/Target/C/Inputs/sizes.py` writes this page.

| network | code | constants | arena | bytes alive | TFLM's arena |
|---|---:|---:|---:|---:|---|
"""
IMPORTS = {".tflite": "--import-tflite", ".onnx": "--import-onnx",
           ".xmodel": "--import-xmodel"}


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[:2000]}")
    return done.stdout + done.stderr


def section_bytes(path):
    """Code, and constants."""
    code = constants = 0
    for line in run("arm-none-eabi-size", "-A", path).splitlines():
        words = line.split()
        if len(words) == 3 and words[1].isdigit():
            if words[0].startswith(".text"):
                code += int(words[1])
            elif words[0].startswith((".rodata", ".data")):
                constants += int(words[1])
    return code, constants


def bytes_alive(model, directory):
    mlir = directory / "net.mlir"
    run("xc-translate", IMPORTS[model.suffix], model, "-o", mlir)
    text = run("xc-opt", "--pass-pipeline=builtin.module(tir-absorb-fix,"
               "tir-canonicalize,global-bufferize,convert-tir-to-mtir,"
               "mtir-eliminate-copies,mtir-plan-memory)", mlir, "-o", "/dev/null")
    return int(re.search(r"lower bound (\d+) bytes", text).group(1))


def row(model):
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        run("xcc", model, "--emit=c", "-o", directory, "-n", "net")
        code = constants = 0
        for source in ("net.c", "net_params.c"):
            target = directory / f"{source}.o"
            run(*COMPILER, directory / source, "-o", target)
            sizes = section_bytes(target)
            code, constants = code + sizes[0], constants + sizes[1]
        header = (directory / "net.h").read_text()
        arena = int(re.search(r"NET_ARENA_BYTES\D+(\d+)", header).group(1))
        alive = bytes_alive(model, directory)
    told = b"OfflineMemoryAllocation" in model.read_bytes()
    return (f"| {model.stem} | {code} | {constants} | {arena} | {alive} | "
            f"{'in the file' if told else 'not told'} |\n")


def quantised_digits(folder, directory):
    run("xcc", folder / "digits.onnx", "-a", "DPUCZDX8G_ISA1_B4096", "-o",
        directory, "-n", "digits", f"--calibration={folder}/calibration.npy")
    return directory / "digits_org.xmodel"


def main():
    shared, digits, *page = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        models = sorted(shared.glob("tflite/*.tflite"))
        models += [shared / "onnx-pot" / "RetinaFace_int_320.onnx",
                   quantised_digits(digits, pathlib.Path(name))]
        text = HEADER + "".join(map(row, models))
    if page:
        page[0].write_text(text)
    else:
        print(text, end="")


main()
