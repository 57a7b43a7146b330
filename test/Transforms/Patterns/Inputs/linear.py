"""linear.py XC_OPT PASS[=OPTIONS] DIRECTORY KIND...: time per operator on chains.

The pass runs on chains of 1,000, 10,000 and 100,000 operators. Its time per
operator on the longest may be at most three times that of the middle one: a
quadratic pass would need ten times as much.
"""

import json
import pathlib
import subprocess
import sys

xc_opt, name, directory = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
directory.mkdir(parents=True, exist_ok=True)
chain = pathlib.Path(__file__).with_name("chain.py")


def measure(kind, count):
    text = subprocess.run(
        [sys.executable, chain, kind, str(count)], check=True, stdout=subprocess.PIPE
    ).stdout
    path = directory / f"{kind}.mlir"
    path.write_bytes(text)
    best = None
    for _ in range(3):
        done = subprocess.run(
            [xc_opt, f"--{name}", path, "-o", "/dev/null", "--mlir-timing",
             "--mlir-output-format=json"],
            check=True, stderr=subprocess.PIPE, text=True)
        report = {entry["name"]: entry["wall"] for entry in json.loads(done.stderr)}
        time = report[name.split("=")[0]]["duration"]
        best = time if best is None else min(best, time)
    return best / count * 1e6


for kind in sys.argv[4:]:
    times = [measure(kind, count) for count in (1000, 10000, 100000)]
    print(f"{kind:10} " + " ".join(f"{time:6.2f}" for time in times) + "  us per operator")
    if times[2] > 3 * times[1]:
        sys.exit(f"{kind}: the time per operator grows")
