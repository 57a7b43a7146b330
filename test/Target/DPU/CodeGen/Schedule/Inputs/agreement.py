"""agreement.py SCHEDULE.json TIMES.json TEXT

The schedule and the times of one function: names, bytes and multiply-accumulates
of each layer are equal, its cycles are those of the static estimate, and the
text has the numbers of the JSON."""
import json
import re
import sys

schedule, times = (json.load(open(path)) for path in sys.argv[1:3])
text = open(sys.argv[3]).read()
planned, simulated = schedule["layers"], times["layers"]
if len(planned) != len(simulated):
    sys.exit(f"{len(planned)} layers are planned, {len(simulated)} simulated")

work = ("load_bytes", "save_bytes", "macs")
total = times.get("total", times)
for name, p, s in [("total", schedule, total)] + [
        (p["name"], p, s) for p, s in zip(planned, simulated)]:
    if p is not schedule and name != s["name"]:
        sys.exit(f"'{name}' is simulated as '{s['name']}'")
    for key in work:
        # Without a number of operations the simulator counts what is issued.
        if p[key] != s[key] and not (key == "macs" and p[key] == 0):
            sys.exit(f"{name}: {key} {p[key]}, simulated {s[key]}")
if abs(schedule["end"] - total["cycles"]) > 0.022 * total["cycles"]:
    sys.exit(f"planned {schedule['end']} cycles, simulated {total['cycles']}")
if sum(p["cycles"] for p in planned) != schedule["end"]:
    sys.exit("the cycles of the layers do not add up")

line = re.compile(r"^  (\d+) cycles until (\d+), (\d+) bytes loaded, (\d+) saved,"
                  r" (\d+) MACs$", re.M)
rows = [tuple(map(int, m.groups())) for m in line.finditer(text)]
if rows != [(p["cycles"], p["end"], *(p[key] for key in work))
            for p in planned]:
    sys.exit("the text has other numbers")
for layer in text.split("\nlayer ")[1:]:
    if len(layer.splitlines()) > 100:
        sys.exit("a layer is longer than a screen")
print("the schedule agrees with the times")
