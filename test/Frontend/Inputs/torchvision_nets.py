"""torchvision's networks as PyTorch's exporter writes them.

usage: torchvision_nets.py DIRECTORY [NETWORK...]

Weights and batch-norm statistics are random. For each network the reference and
the CPU code agree with PyTorch; xcc compiles those with a number, into as few
DPU subgraphs, and the machine code computes what the reference does for
NAME_org.xmodel. Prints a line per network, of all or those named.
"""

import os
import subprocess
import sys
import warnings

import numpy
import torch
import torchvision

SIZE = 96
TOLERANCE = 2e-5  # of the largest value

# network, DPU subgraphs at most or None for no compilation, options of xcc
NETS = [
    ("alexnet", 1, []),
    ("convnext_tiny", None, []),
    ("deeplabv3_mobilenet_v3_large", None, []),
    ("densenet121", 1, []),
    ("efficientnet_b0", 3, ["--approximate=silu,sigmoid",
                            "--approximate-bound=10"]),
    ("efficientnet_v2_s", 1, ["--approximate=silu,sigmoid",
                              "--approximate-bound=10"]),
    ("fcn_resnet50", 1, []),
    ("googlenet", 1, []),
    ("inception_v3", 1, []),
    ("lraspp_mobilenet_v3_large", 2, []),
    ("maxvit_t", None, []),
    ("mnasnet0_5", 1, []),
    ("mobilenet_v2", 1, []),
    ("mobilenet_v3_large", 1, []),
    ("mobilenet_v3_small", 1, []),
    ("regnet_x_400mf", 1, []),
    ("regnet_y_400mf", 1, ["--approximate=sigmoid",
                           "--approximate-bound=10"]),
    ("resnet18", 1, []),
    ("resnext50_32x4d", 1, []),
    ("shufflenet_v2_x0_5", 1, []),
    ("squeezenet1_1", 1, []),
    ("swin_t", None, []),
    ("vit_b_32", None, []),
]

# Networks of one size only.
WHOLE, WHOLE_SIZE = ("alexnet", "maxvit_t", "swin_t", "vit_b_32"), 224
OPTIONS = {
    "deeplabv3_mobilenet_v3_large": {"weights_backbone": None},
    "fcn_resnet50": {"weights_backbone": None},
    "googlenet": {"init_weights": False},
    "inception_v3": {"init_weights": False},
    "lraspp_mobilenet_v3_large": {"weights_backbone": None},
}


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        text = (done.stderr or done.stdout).strip().split("\n")[0]
        raise Failure(f"{os.path.basename(command[0])}: {text[:200]}")
    return done.stdout


def network(name):
    torch.manual_seed(1)
    options = dict(OPTIONS.get(name, {}), weights=None)
    net = torchvision.models.get_model(name, **options).eval()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, .1)
            module.running_var.uniform_(.5, 1.5)
    if name == "vit_b_32":  # zeros without training
        torch.nn.init.normal_(net.heads.head.weight, 0, .02)
    size = SIZE if name not in WHOLE else WHOLE_SIZE
    return net, torch.rand(1, 3, size, size)


def export(name, stem):
    """Writes the model, its input and what PyTorch computes."""
    net, picture = network(name)
    with torch.no_grad():
        outputs = net(picture)
    if isinstance(outputs, dict):
        outputs = outputs["out"]
    torch.onnx.export(net, (picture,), f"{stem}.onnx", opset_version=13,
                      input_names=["x"], output_names=["y"])
    numpy.save(f"{stem}.x.npy", picture.numpy())
    return outputs.numpy()


def check_import(stem, expected):
    for backend in ("reference", "cpu"):
        run("xc-run", f"{stem}.onnx", f"--input=x={stem}.x.npy",
            f"--backend={backend}", f"--output=y={stem}.y.npy")
        error = numpy.abs(numpy.load(f"{stem}.y.npy") - expected).max()
        if not error <= TOLERANCE * numpy.abs(expected).max():
            raise Failure(f"{backend}: off by {error}")


def check_compiled(stem, most, options):
    """The number of DPU subgraphs."""
    report = run("xcc", f"{stem}.onnx", f"--calibration={stem}.x.npy", "-a",
                 "B4096", "-o", stem, "-n", "net", *options)
    count = next(int(line.split()[4]) for line in report.split("\n")
                 if line.startswith("DPU: "))
    if count > most:
        raise Failure(f"{count} DPU subgraphs, {most} at most expected")
    for file, backend, out in (("net_org", "reference", "a"),
                               ("net", "auto", "b")):
        choice = [f"--backend={backend}"] if backend == "reference" else []
        run("xc-run", f"{stem}/{file}.xmodel", f"--input=x={stem}.x.npy",
            *choice, f"--output=y={stem}.{out}.npy")
    with open(f"{stem}.a.npy", "rb") as a, open(f"{stem}.b.npy", "rb") as b:
        if a.read() != b.read():
            raise Failure("machine code and reference differ")
    return count


def main():
    warnings.filterwarnings("ignore")
    directory, chosen, bad = sys.argv[1], sys.argv[2:], 0
    os.makedirs(directory, exist_ok=True)
    for name, most, options in NETS:
        if chosen and name not in chosen:
            continue
        stem = os.path.join(directory, name)
        try:
            check_import(stem, export(name, stem))
            count = check_compiled(stem, most, options) if most else None
            print(name, "ok" if count is None else f"ok, {count} on the DPU",
                  flush=True)
        except Failure as failure:
            print(name, "FAILED:", failure, flush=True)
            bad += 1
    print("all is well" if not bad else f"{bad} networks failed")
    sys.exit(bad != 0)


main()
