"""Runs every model of a folder and compares it with its reference outputs.

usage: wild.py XC-RUN FOLDER DIRECTORY [SAMPLES]

A model has its inputs and outputs beside it in an .npz file, inK_I and outK_J
for sample K, or none: then it only has to run. Floats may differ by 2e-4 of the
largest value, integers by what README.txt in the folder says.
"""

import ast
import os
import struct
import subprocess
import sys
import zipfile

FORMS = {"f4": "f", "i1": "b", "u1": "B", "i4": "i", "i8": "q", "b1": "?"}
FLOAT_DIGITS = {"o_micro_kws_qdq": 4e-3, "t_mcunet_det": 5e-2}
UNITS = {"tfls_mobilenet_v2_1.0_224_quant": 4}
LEAST = 1e-6  # of floats


def read_npy(data):
    """Type and values."""
    length = struct.unpack_from("<H", data, 8)[0]
    head = ast.literal_eval(data[10:10 + length].decode())
    form = FORMS[head["descr"][1:]]
    count = 1
    for size in head["shape"]:
        count *= size
    return form, struct.unpack_from("<%d%s" % (count, form), data, 10 + length)


def difference(name, wanted, found):
    form, expected = read_npy(wanted)
    form2, values = read_npy(found)
    if form != form2 or len(expected) != len(values):
        return "another type or size"
    worst = max((abs(a - b) for a, b in zip(expected, values)), default=0)
    largest = max(map(abs, expected), default=0)
    allowed = UNITS.get(name, 0)
    if form == "f":
        allowed = max(FLOAT_DIGITS.get(name, 2e-4) * largest, LEAST)
    return None if worst <= allowed else "%g from %g at most, allowed %g" % (
        worst, largest, allowed)


def run(tool, model, options):
    result = subprocess.run([tool, model, "--backend=cpu", "--quiet"] + options,
                            capture_output=True, text=True)
    return result.stdout + result.stderr if result.returncode else None


def check(tool, folder, file, directory, samples):
    name = file.rsplit(".", 1)[0]
    model, archive = os.path.join(folder, file), os.path.join(
        folder, name + ".npz")
    if not os.path.exists(archive):
        return run(tool, model, ["--random-inputs=1"])
    with zipfile.ZipFile(archive) as data:
        content = {entry[:-4]: data.read(entry) for entry in data.namelist()}
    for sample in range(samples):
        inputs = sorted(k for k in content if k.startswith("in%d_" % sample))
        outputs = sorted((k for k in content if k.startswith("out%d_" % sample)),
                         key=lambda k: int(k.split("_")[1]))
        options = []
        for key in inputs:
            path = os.path.join(directory, key + ".npy")
            with open(path, "wb") as stream:
                stream.write(content[key])
            options.append("--input=%s=%s" % (key.split("_")[1], path))
        for key in outputs:
            options.append("--output=%s=%s" % (
                key.split("_")[1], os.path.join(directory, key + ".npy")))
        if not inputs:
            break
        why = run(tool, model, options)
        for key in outputs if not why else []:
            with open(os.path.join(directory, key + ".npy"), "rb") as stream:
                why = difference(name, content[key], stream.read())
            if why:
                return "sample %d, output %s: %s" % (sample, key, why)
        if why:
            return why
    return None


def main(tool, folder, directory, samples="1"):
    files = sorted(f for f in os.listdir(folder) if f.endswith(
        (".onnx", ".tflite")))
    failed = 0
    for file in files:
        why = check(tool, folder, file, directory, int(samples))
        failed += bool(why)
        if why:
            print("%s: %s" % (file, why.strip()))
    print("%d models, %d failed" % (len(files), failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
