"""models.py MODELS SCRATCH: imports, simplifies, rewrites and partitions every
model of a folder for two targets."""

import pathlib
import subprocess
import sys

IMPORTS = {".tflite": "tflite", ".onnx": "onnx", ".xmodel": "xmodel"}
TARGETS = ("DPUCZDX8G_ISA1_B4096", "DPUCAHX8H_ISA2")

models, scratch = map(pathlib.Path, sys.argv[1:3])
scratch.mkdir(parents=True, exist_ok=True)
done = 0
for model in sorted(models.glob("*/*")):
    # The compiled xmodel holds machine code, not operators.
    if model.suffix not in IMPORTS or "compiled" in model.name:
        continue
    ir = scratch / (model.name + ".mlir")
    subprocess.run(
        ["xc-translate", "--import-" + IMPORTS[model.suffix], model, "-o", ir],
        check=True,
    )
    for target in TARGETS:
        report = scratch / f"{model.name}.{target}.json"
        subprocess.run(
            [
                "xc-opt",
                ir,
                "--tir-canonicalize",
                f"--tir-legalize=target={target}",
                f"--tir-partition=target={target} report={report}",
                "--xc-verify",
                "-o",
                "/dev/null",
            ],
            check=True,
        )
        done += 1
    ir.unlink()
print(done, "placements")
