"""goldens.py MODELS WORK CPU: foreign.py for every TFLite model that has goldens,
on all of their inputs."""

import json
import pathlib
import subprocess
import sys

models, work = map(pathlib.Path, sys.argv[1:3])
cpu = sys.argv[3]
cases = failed = 0
for meta in sorted((models / "golden").glob("*/meta.json")):
    name = meta.parent.name
    found = [p for n in (name, name.removeprefix("tflm_"))
             if (p := models / "tflite" / f"{n}.tflite").exists()]
    if not found:
        continue
    for case in json.loads(meta.read_text())["cases"]:
        cases += 1
        done = subprocess.run(
            [sys.executable, pathlib.Path(__file__).with_name("foreign.py"),
             work / name, cpu, found[0], meta.parent / case["name"]],
            stdout=subprocess.DEVNULL)
        failed += done.returncode != 0
print(f"{cases} cases, {failed} failed")
