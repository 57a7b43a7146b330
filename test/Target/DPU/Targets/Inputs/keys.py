"""keys.py BASE MODEL DIRECTORY NTH: for each NTH key of a target file, and the least
and the largest number that it takes, compiles MODEL for BASE with that number.
Either the key is refused at its place in the file, or the model does not fit
the target, or the machine code passes strict mode and computes what the
reference does: nothing is ignored."""

import json
import re
import subprocess
import sys

base, model, directory, nth = sys.argv[1:]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def values(kind):
    if match := re.match(r"integer, (-?\d+)\.\.(\d+)", kind):
        return [int(match[1]), int(match[2])]
    if kind == "true or false":
        return [True, False]
    if kind.startswith("list of integers"):
        return [[4], [0, 1]]
    return []  # ranges and sets: test/unit/Transforms/Partition/LimitsTest.c


def outcome(key):
    name = f"{directory}/target.json"
    # Code of the parts on the CPU would be the same each time.
    status, text = run("xcc", model, "-a", name, "-o", f"{directory}/out", "-n", "net",
                       "--mcpu=none")
    place = rf"target\.json:\d+:\d+: error: '{key}' "
    if status == 1 and re.search(place, text):
        return "refused"
    # Missing parts of a section, and what contradicts another key.
    if status == 1 and re.search(r"\.json(:\d+:\d+)?: error: .*'\w+\.\w+", text):
        return "contradicts"
    if status == 1 and re.search("cannot run on the DPU|can run on target", text):
        return "does not fit"
    if status != 0:
        return f"FAILS: {status} {text}"
    status, text = run(
        "xc-run",
        f"{directory}/out/net.xmodel",
        f"--target={name}",
        "--compare=reference,sim",
        "--random-inputs=1",
    )
    if status == 1 and re.search(place, text):
        return "refused by the simulator"
    return "honoured" if status == 0 else f"FAILS: {status} {text}"


reference = run("xcc", "--print-target-reference")[1]
rows = re.findall(r"^\| `([\w.]+)` \| (.*?) \| ", reference, re.MULTILINE)
failures = 0
for key, kind in rows[:: int(nth)]:
    for value in values(kind):
        *sections, last = key.split(".")
        changed = {last: value}
        for section in reversed(sections):
            changed = {section: changed}
        with open(f"{directory}/target.json", "w") as file:
            json.dump({"extends": base, "name": "CHANGED", **changed}, file, indent=1)
        result = outcome(key)
        failures += result.startswith("FAILS")
        print(f"{key} {json.dumps(value)}: {result}")
print(f"{failures} values are neither honoured nor refused")
