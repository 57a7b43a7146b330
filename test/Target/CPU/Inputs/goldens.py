"""goldens.py MODELS WORK CPU: foreign.py for every TFLite model that has goldens,
on all of their inputs."""

import pathlib
import re
import subprocess
import sys

models, work = map(pathlib.Path, sys.argv[1:3])
cpu = sys.argv[3]
count = failed = cases = recorded = 0
for folder in sorted((models / "golden").iterdir()):
    name = folder.name
    found = [p for n in (name, name.removeprefix("tflm_"))
             if (p := models / "tflite" / f"{n}.tflite").exists()]
    if not found:
        continue
    inputs = [folder / path.stem.removeprefix("in0_")
              for path in sorted(folder.glob("in0_*.bin"))]
    done = subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name("foreign.py"),
         work / name, cpu, found[0], *inputs], stdout=subprocess.PIPE, text=True)
    count += 1
    cases += len(inputs)
    failed += done.returncode != 0
    said = re.search(r"(\d+) as TensorFlow", done.stdout)
    recorded += int(said[1]) if said else 0
    print(f"{name}: {done.stdout.strip()}", flush=True)
print(f"{count} models, {cases} cases, {failed} models failed, "
      f"{recorded} cases as TensorFlow Lite has them")
