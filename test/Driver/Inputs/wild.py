"""Compiles models as people have them and runs what comes out.

usage: wild.py MODELS OUT [NAME...]

For each model: it imports, the reference agrees with the recorded outputs (the
float ones), xcc compiles it with photographs or recorded inputs as samples,
strict mode has no finding, and the compiled model on the simulator gives what
the reference gives for NAME_org.xmodel. Prints a line per model.
"""

import ast
import os
import struct
import subprocess
import sys
import zipfile

# file, samples ("photos" or the recorded inputs), preprocessing, options, DPU
# subgraphs at most
MODELS = [
    ("o_fastestdet.onnx", "photos", ["--resize=352x352", "--mean=0", "--scale=0.00392157"], [], 3),
    ("o_micro_kws_fp32.onnx", "inputs", [], ["kws"], 1),
    ("o_micro_kws_qdq.onnx", "inputs", [], ["kws"], 2),
    ("o_micro_kws_qop.onnx", None, [], ["kws"], 2),
    ("o_micro_kws_qop_softmax.onnx", None, [], ["kws"], 2),
    ("o_mixed_dynbatch.onnx", "inputs", [], [], None),
    ("o_mnist8.onnx", "inputs", [], [], 1),
    ("o_mp_selfie_land.onnx", "photos", ["--resize=144x256", "--layout=nhwc", "--mean=0", "--scale=0.00392157"],
     ["--approximate=sigmoid", "--approximate-bound=15"], 3),
    ("o_superres.onnx", "inputs", [], ["--input-shape=input=1x1x224x224"], 1),
    ("o_ultraface_rfb320.onnx", "photos", ["--resize=240x320", "--mean=127", "--scale=0.0078125"],
     [], None),
    ("o_yolox_nano.onnx", "photos", ["--resize=416x416", "--mean=0", "--scale=1"],
     ["--approximate=silu"], 3),
    ("o_yunet_n_320.onnx", "photos", ["--resize=320x320", "--mean=0", "--scale=1"], [], None),
    ("t_mcunet_det.tflite", "inputs", [], [], None),
    ("t_mcunet_vww.tflite", "inputs", [], [], None),
    ("t_mnv1_025_224_f.tflite", "photos",
     ["--resize=224x224", "--mean=127.5", "--scale=0.00784314"], [], 1),
    ("t_mp_face_full_sparse.tflite", "photos",
     ["--resize=192x192", "--mean=127.5", "--scale=0.00784314"], [], 2),
    ("t_mp_face_short.tflite", "photos",
     ["--resize=128x128", "--mean=127.5", "--scale=0.00784314"], [], 2),
    ("t_mp_hand_lite.tflite", "photos", ["--resize=224x224", "--mean=0", "--scale=0.00392157"],
     [], None),
    ("t_mp_selfie.tflite", "photos", ["--resize=256x256", "--mean=0", "--scale=0.00392157"],
     [], None),
    ("t_nxp_cifar10.tflite", "inputs", [], [], 1),
    ("t_traffic.tflite", "random", [], [], None),
    ("tfls_mobilenet_v2_1.0_224_quant.tflite", "inputs", [], [], 1),
]
KWS = ["--input-shape=serving_default_input:0=1x1960"]


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        text = (done.stderr or done.stdout).strip().split("\n")[0]
        raise Failure(f"{os.path.basename(command[0])}: {text[:200]}")
    return done.stdout


def read_npy(path):
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode("latin1"))
    kinds = {"<f4": "f", "|i1": "b", "|u1": "B", "<i4": "i", "<i8": "q"}
    kind = kinds[header["descr"]]
    count = 1
    for dim in header["shape"]:
        count *= dim
    return struct.unpack(f"<{count}{kind}", data[10 + size:])


def unpack(models, name, out):
    """Inputs and outputs by sample."""
    path = os.path.join(models, name.rsplit(".", 1)[0] + ".npz")
    if not os.path.exists(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        archive.extractall(out)
        names = archive.namelist()
    samples = {}
    for entry in sorted(names):
        kind, rest = (entry[:2], entry[2:]) if entry[:2] == "in" else (
            entry[:3], entry[3:])
        sample, index = rest[:-4].split("_")
        samples.setdefault(int(sample), {}).setdefault(kind, []).append(
            (int(index), os.path.join(out, entry)))
    return {s: {k: [p for _, p in sorted(v)] for k, v in rows.items()}
            for s, rows in samples.items()}


def calibration(models, out, kind, prepare, samples):
    if kind == "photos":
        return [f"--calibration={os.path.join(models, 'photos')}"] + prepare
    if kind == "random" or not samples:
        return ["--calibration=random", "--calibration-samples=2"]
    folder = os.path.join(out, "samples")
    os.makedirs(folder, exist_ok=True)
    for s, rows in samples.items():
        os.link(rows["in"][0], os.path.join(folder, f"{s}.npy"))
    return [f"--calibration={folder}"]


def check_float(model, imports, samples):
    """The reference against what was recorded, of the first sample."""
    if not samples or not model.endswith(".onnx") and "_f." not in model:
        return
    first = samples[0]
    for output, expected in enumerate(first["out"]):
        numbers = read_npy(expected)
        if not isinstance(numbers[0], float):
            return
    # Outputs are in the order of the model.
    limit = max(abs(x) for p in first["out"] for x in read_npy(p)) * 2e-4
    if "qdq" in model:
        limit = 0.02
    run("xc-run", model, *imports, *[f"--input={p}" for p in first["in"]],
        *[f"--expected={p}" for p in first["out"]], f"--tolerance={limit}",
        "--quiet")


def outputs_of(model, out):
    """Names and a file for each."""
    lines = run("xc-run", model, "--list").split("\n")
    first = next(i for i, line in enumerate(lines)
                 if line.startswith("output")) + 1
    rows = []
    for line in lines[first:]:
        parts = line.split()
        if not parts or not parts[0].isdigit():
            break
        rows.append((parts[1], os.path.join(out, f"expected{parts[0]}.npy")))
    return rows


def check(models, out, row):
    name, kind, prepare, options, most = row
    model = os.path.join(models, name)
    os.makedirs(out)
    imports = KWS if "kws" in options else [
        o for o in options if o.startswith("--input-shape")]
    approximate = [o for o in options if o.startswith("--approximate")]
    samples = unpack(models, name, out)
    check_float(model, imports, samples)
    text = run("xcc", model, "-a", "DPUCZDX8G_ISA1_B4096", "-o", out, "-n",
               "net", "--mcpu=none", *imports, *approximate,
               *calibration(models, out, kind, prepare, samples))
    count = next(int(line.split(" in ")[1].split()[0])
                 for line in text.split("\n") if line.startswith("DPU: "))
    if most and count > most:
        raise Failure(f"{count} DPU subgraphs, at most {most} are expected")
    data = ([f"--input={p}" for p in samples[0]["in"]] if samples
            else ["--random-inputs=1"])
    # Strict mode runs first; then every tensor is compared.
    run("xc-run", os.path.join(out, "net.xmodel"), "--backend=sim",
        "--compare=reference,sim", *data)
    whole = os.path.join(out, "net.xmodel")
    original = os.path.join(out, "net_org.xmodel")
    expected = outputs_of(original, out)
    run("xc-run", original, "--backend=reference", "--quiet",
        *[f"--output={name}={path}" for name, path in expected], *data)
    run("xc-run", whole, "--backend=sim", "--quiet",
        *[f"--expected={name}={path}" for name, path in expected],
        "--tolerance=1e-6", "--relative-tolerance=1e-5", *data)
    return count


def main():
    models, out, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    failed = 0
    for row in MODELS:
        if wanted and row[0].split(".")[0] not in wanted:
            continue
        try:
            count = check(models, os.path.join(out, row[0]), row)
            print(f"{row[0]}: {count} DPU subgraphs, ok", flush=True)
        except Failure as why:
            failed += 1
            print(f"{row[0]}: {why}", flush=True)
    print("all is well" if not failed else f"{failed} fail")
    sys.exit(1 if failed else 0)


main()
