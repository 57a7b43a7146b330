"""networks.py WORK MODEL... TARGET... [-- OPTION...]: networks beside the reference.

A network is imported and quantised once, with the options; what was not divided
yet is compiled for each target. Strict mode has no finding, the simulator
computes what the reference does, and the layers take the cycles that were planned.
"""

import json
import pathlib
import subprocess
import sys

import planned


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def compile_model(source, name, target, directory, *more):
    run("xcc", source, "-a", target, "-o", directory, "-n", name, *more)
    return directory / f"{name}.xmodel"


def check(work, name, quantised, target):
    report = work / "report.json"
    compiled = compile_model(quantised, name, target, work / target,
                             f"--report={report}")
    for part in range(len(json.loads(report.read_text())["subgraphs"])):
        run("xc-run", compiled, f"--subgraph={part}", "--no-run", "--strict")
    said = run("xc-run", compiled, "--random-inputs=5",
               "--compare=reference,sim")
    if "outputs equal" not in said:
        sys.exit(f"{name} on {target}:\n{said}")
    print(f"{name} on {target}: the simulator computes what the reference does")
    print(f"{name} on {target}: {planned.check(report)}", flush=True)
    compiled.unlink()


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    work = pathlib.Path(arguments[0])
    models = [a for a in arguments[1:] if a.endswith((".onnx", ".tflite"))]
    targets = [a for a in arguments[1:] if a not in models]
    for model in map(pathlib.Path, models):
        name = model.stem
        compile_model(model, name, targets[0], work / "first", *options)
        for target in targets:
            check(work, name, work / "first" / f"{name}_org.xmodel", target)
    print(f"{len(models)} networks on {len(targets)} targets")


main()
