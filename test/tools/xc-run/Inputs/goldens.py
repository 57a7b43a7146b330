"""goldens.py MODELS WORK [OPTION...]: runs every model that has goldens, with
options for xc-run such as --backend=cpu.

tflm_out* must be equal bit for bit; where there is only out*, quantised outputs
may differ by 1 and float outputs by 1e-5 of the largest expected value. The
tensors of layers_tflm_* must be equal as well.
"""

import json
import pathlib
import struct
import subprocess
import sys

models, work = map(pathlib.Path, sys.argv[1:3])
options = sys.argv[3:]
failed = exact = near = layers = 0


def run(*arguments):
    done = subprocess.run(
        ["xc-run", *options, *map(str, arguments)], capture_output=True, text=True
    )
    if done.returncode:
        print(done.stderr, end="")
    return done.returncode


def npy_bytes(path):
    data = path.read_bytes()
    length = struct.unpack_from("<H", data, 8)[0]
    return data[10 + length :]


def find_model(name):
    for candidate in (name, name.removeprefix("tflm_")):
        path = models / "tflite" / (candidate + ".tflite")
        if path.exists():
            return path
    return None


def check_case(model, folder, case):
    """One input file against its expected outputs."""
    global failed, exact, near
    inputs = sorted(folder.glob(f"in[0-9]_{case}.bin"))
    strict = sorted(folder.glob(f"tflm_out[0-9]_{case}.bin"))
    expected = strict or sorted(folder.glob(f"out[0-9]_{case}.bin"))
    arguments = [model, "--quiet"] + [f"--input={i}={p}" for i, p in enumerate(inputs)]
    arguments += [f"--expected={i}={p}" for i, p in enumerate(expected)]
    if not strict and "float" in folder.name or folder.name == "pretrainedResnet":
        values = b"".join(p.read_bytes() for p in expected)
        top = max(abs(v) for (v,) in struct.iter_unpack("<f", values))
        arguments.append(f"--tolerance={1e-5 * top}")
    elif not strict:
        arguments.append("--tolerance=1")
    if run(*arguments):
        print("FAILED", folder.name, case)
        failed += 1
    elif strict:
        exact += 1
    else:
        near += 1


def check_layers(model, folder):
    """The intermediate tensors of one case, in the order of execution."""
    global failed, layers
    case = folder.name.removeprefix("layers_tflm_")
    dump = work / folder.parent.name
    if run(
        model,
        "--quiet",
        f"--input={folder.parent}/in0_{case}.bin",
        f"--dump-tensors={dump}",
    ):
        failed += 1
        return
    index = json.loads((dump / "index.json").read_text())
    found = [(e["op_name"], npy_bytes(dump / e["file"])) for e in index]
    position = 0
    for layer in json.loads((folder / "layers.json").read_text()):
        want = (folder / layer["file"]).read_bytes()
        at = position
        while at < len(found) and found[at][1] != want:
            at += 1
        if at == len(found):
            print("FAILED", folder, layer["file"])
            failed += 1
        else:
            position = at
            layers += 1


for folder in sorted((models / "golden").iterdir()):
    model = find_model(folder.name)
    if not model:
        continue
    cases = sorted({p.name.split("_", 1)[1][:-4] for p in folder.glob("in0_*.bin")})
    for case in cases:
        check_case(model, folder, case)
    for layer_folder in sorted(folder.glob("layers_tflm_*")):
        check_layers(model, layer_folder)

print(f"{exact} cases equal, {near} within the bound, {layers} layers equal")
sys.exit(failed != 0)
