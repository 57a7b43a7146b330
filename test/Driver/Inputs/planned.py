"""planned.py REPORT.json...: the static estimate beside the simulated cycles.

Fails if a group of layers is more than 10 % off, or the report's summary is not
what its rows say.
"""

import itertools
import json
import sys

LIMIT = 10


def percent_off(rows):
    cycles = sum(row["cycles"] for row in rows)
    return 100 * (sum(row["estimate"] for row in rows) - cycles) / cycles


def check(path):
    with open(path) as file:
        report = json.load(file)
    for part in report["subgraphs"]:
        layers, said = part["layers"], part["planned"]
        groups = [list(rows) for _, rows in
                  itertools.groupby(layers, lambda row: row["group"])]
        for rows in groups:
            if abs(percent_off(rows)) > LIMIT:
                sys.exit(f"{path}: {part['name']}: {percent_off(rows):+.1f} %: "
                         + ", ".join(row["name"] for row in rows))
        worst = percent_off(groups[said["worst_group"]])
        assert len(groups) == said["groups"]
        assert all(abs(percent_off(rows)) <= abs(worst) + 1e-6
                   for rows in groups)
        assert abs(said["worst_percent_off"] - worst) < 1e-6
        assert abs(said["percent_off"] - percent_off(layers)) < 1e-6
    return "all layers take the planned cycles"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(check(name))
