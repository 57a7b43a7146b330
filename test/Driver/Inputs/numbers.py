"""numbers.py REPORT.json [NAME_org.xmodel NAME.xmodel]: whether a report's numbers
agree with each other, with the graph and with the compiled file.

The multiply-accumulates of the graph are counted here anew, from the shapes in
the operators' types.
"""

import json
import math
import re
import subprocess
import sys

SLACK = 1e-6


def fail_if(condition, message):
    if condition:
        sys.exit(f"report: {message}")


def at_most(low, high, what):
    fail_if(low > high * (1 + SLACK) + SLACK, f"{what}: {low} exceeds {high}")


def equal(one, other, what):
    fail_if(abs(one - other) > SLACK * max(1, abs(one)),
            f"{what}: {one} and {other} differ")


def dims(tensor):
    return [int(d) for d in re.findall(r"(\d+)x", tensor)]


def integers(attributes, name, default):
    found = re.search(rf"\b{name} = \[([^\]]*)\]", attributes)
    return [int(n) for n in re.findall(r"(-?\d+) : i32", found[1])] if found \
        else default


def conv(operands, result, _):
    return math.prod(result) * math.prod(operands[1][1:])


def depthwise(operands, result, _):
    return math.prod(result) * math.prod(operands[1][1:3])


def transposed(operands, result, attributes):
    """Of every input pixel and element of the kernel, whether it meets an output."""
    kernel, stride = (integers(attributes, k, [1, 1]) for k in ("kernel", "stride"))
    dilation, pad = (integers(attributes, k, [d] * n) for k, d, n in
                     (("dilation", 1, 2), ("pad", 0, 4)))
    taps = 1
    for axis, dim in ((0, 2), (1, 1)):
        span = (kernel[axis] - 1) * dilation[axis] + 1
        before = pad[2 * axis]
        if '"SAME"' in attributes:
            before = max(0, span - stride[axis]) // 2
        taps *= sum((out + before - k * dilation[axis]) % stride[axis] == 0
                    for out in range(result[dim]) for k in range(kernel[axis]))
    return result[0] * taps * operands[1][0] * operands[1][3]


COUNTS = {
    "conv2d-fix": conv,
    "depthwise-conv2d-fix": depthwise,
    "transposed-conv2d-fix": transposed,
    "transposed-depthwise-conv2d-fix": transposed,
}
OPERATOR = re.compile(
    r'"tir\.([\w-]+)"\((.*op_name = "((?:[^"\\]|\\.)*)".*) : \((.*)\) -> \(?(.*)\)?$')


def unescape(name):
    """As JSON has it: bytes that are no UTF-8 are question marks."""
    raw = re.sub(rb"\\([0-9A-F]{2}|.)", lambda m: bytes.fromhex(m[1].decode())
                 if len(m[1]) == 2 else m[1], name.encode("utf-8", "replace"))
    return raw.decode("utf-8", "replace").replace("\ufffd", "?")


def graph_macs(original):
    """By name, of the operators that a DPU may run."""
    text = subprocess.run(["xc-translate", "--import-xmodel", original],
                          stdout=subprocess.PIPE, check=True).stdout
    macs = {}
    for line in text.decode(errors="replace").splitlines():
        found = OPERATOR.search(line)
        if not found or found[1] not in COUNTS:
            continue
        operands = [dims(t) for t in re.findall(r"tensor<[^>]*>", found[4])]
        name = unescape(found[3])
        macs[name] = macs.get(name, 0) + COUNTS[found[1]](
            operands, dims(found[5]), found[2])
    return macs


def workload(compiled):
    """Of all DPU subgraphs, in multiply-accumulates."""
    text = subprocess.run(["xc-translate", "--xmodel-to-text", compiled],
                          stdout=subprocess.PIPE, check=True).stdout
    found = re.findall(rb"^  workload (\d+), on arch", text, re.MULTILINE)
    return sum(map(int, found)) / 2


def least_issued(layer):
    """Rows of windows in the padding take no time where all lanes are in them."""
    return sum(m["macs"] * max(0, 1 - (m["kernel"][1] - 1) / m["output"][0])
               if "kernel" in m else m["macs"] for m in layer["members"])


def check_layers(subgraph):
    layers, name = subgraph["layers"], subgraph["name"]
    equal(sum(l["cycles"] for l in layers), subgraph["cycles"], f"{name}: cycles")
    equal(sum(l["macs"] for l in layers), subgraph["macs"], f"{name}: MACs")
    for layer in layers:
        what = f"{name}: {layer['name']}"
        equal(sum(m["macs"] for m in layer["members"]), layer["macs"],
              f"{what}: MACs of members")
        at_most(least_issued(layer), layer["issued_macs"], f"{what}: MACs")
        at_most(layer["utilisation"], 1, f"{what}: utilisation")


def check_subgraph(subgraph):
    name = subgraph["name"]
    check_layers(subgraph)
    at_most(subgraph["utilisation"], 1, f"{name}: utilisation")
    for bound, cycles in subgraph["bounds"].items():
        at_most(cycles, subgraph["cycles"], f"{name}: bound '{bound}'")
    for queue, time in subgraph["queues"].items():
        at_most(time["busy"], subgraph["cycles"], f"{name}: {queue} is busy")
    equal(sum(subgraph["causes"].values()), subgraph["cycles"], f"{name}: causes")
    memory = subgraph["memory"]
    for bank in memory["banks"]:
        at_most(bank["peak"], bank["bytes"], f"{name}: bank '{bank['name']}'")
    at_most(memory["workspace"]["lower_bound"], memory["workspace"]["bytes"],
            f"{name}: workspace's bound")
    ddr = memory["ddr"]
    equal(sum(v for k, v in ddr.items() if k != "total"), ddr["total"],
          f"{name}: DDR memory")


def check_totals(report):
    totals, subgraphs = report["totals"], report["subgraphs"]
    for key in ("cycles", "macs", "instructions", "load_bytes", "save_bytes"):
        equal(sum(s[key] for s in subgraphs), totals[key], f"total {key}")
    at_most(totals["utilisation"], 1, "utilisation")
    if totals["cycles"]:
        clock = report["hardware"]["clock_hz"]
        equal(totals["frames_per_second"],
              totals["frames"] * clock / totals["cycles"], "frames/s")
    if report["placement"]:
        placed = report["placement"]["summary"]["DPU"]["macs"]
        equal(placed, totals["macs"], "placement: MACs on the DPU")


def check_graph(report, original):
    """A layer's members are parts of operators of the graph."""
    counted, reported = graph_macs(original), {}
    for subgraph in report["subgraphs"]:
        for layer in subgraph["layers"]:
            for member in layer["members"]:
                name = member["name"]
                reported[name] = reported.get(name, 0) + member["macs"]
    for name, macs in reported.items():
        if macs and macs != counted.get(name):
            # Operators of one name are NAME, NAME.1, NAME.2 in the container.
            same = sum(m for other, m in counted.items()
                       if re.fullmatch(re.escape(name) + r"(\.\d+)?", other))
            # Of output channels with several fix points they are NAME/0, ...;
            # depthwise ones have all channels in each part.
            parts = [m for other, m in counted.items()
                     if re.fullmatch(re.escape(name) + r"/\d+(\.\d+)?", other)]
            if macs != sum(parts) and set(parts) != {macs}:
                equal(macs, same, f"{name}: MACs beside the graph's")


def check_times(subgraphs, compiled):
    """The file alone tells the times of the same layers."""
    for i, subgraph in enumerate(subgraphs):
        text = subprocess.run(
            ["xc-run", compiled, f"--subgraph={i}", "--no-run", "--report=-"],
            stdout=subprocess.PIPE, check=True).stdout
        rows = json.loads(text)["layers"]
        equal(len(rows), len(subgraph["layers"]), "layers in the file")
        for row, layer in zip(rows, subgraph["layers"]):
            if row["name"] != layer["name"]:
                sys.exit(f"report: {row['name']!r} and {layer['name']!r} differ")
            for key in ("cycles", "macs", "load_bytes", "save_bytes"):
                equal(row[key], layer[key], f"{layer['name']}: {key} of the file")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    check_totals(report)
    for subgraph in report["subgraphs"]:
        check_subgraph(subgraph)
    if len(sys.argv) > 2:
        check_graph(report, sys.argv[2])
        equal(workload(sys.argv[3]), report["totals"]["macs"], "workload")
        check_times(report["subgraphs"], sys.argv[3])


if __name__ == "__main__":
    main()
