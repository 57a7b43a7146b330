"""networks.py SHARED WORK NAME: a network on four targets, beside the reference.

It is quantised once; what was not divided yet is compiled for each target. What
was planned is compared with the simulator, too.
"""

import json
import pathlib
import subprocess
import sys

import planned

shared, work = map(pathlib.Path, sys.argv[1:3])
name = sys.argv[3]
model = shared / "models" / "onnx-light" / f"{name}.onnx"


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def compile_model(source, size, directory, *options):
    run("xcc", source, "-a", f"DPUCZDX8G_ISA1_{size}", "-o", directory, "-n",
        name, *options)
    return directory / f"{name}.xmodel"


quantised = compile_model(model, "B4096", work / "first", "--random-weights=1",
                          "--calibration=random", "--calibration-samples=1")
quantised = quantised.with_name(f"{name}_org.xmodel")
for size in ("B4096", "B2304", "B1152", "B512"):
    report = work / f"{size}.json"
    compiled = compile_model(quantised, size, work / size, f"--report={report}")
    for part in range(len(json.loads(report.read_text())["subgraphs"])):
        run("xc-run", compiled, f"--subgraph={part}", "--no-run", "--strict")
    said = run("xc-run", compiled, "--random-inputs=5",
               "--compare=reference,sim")
    if "outputs equal" not in said:
        sys.exit(said)
    print(f"{size}: the simulator computes what the reference does")
    print(f"{size}: {planned.check(report)}")
    compiled.unlink()
