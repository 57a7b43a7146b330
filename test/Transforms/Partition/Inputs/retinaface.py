"""retinaface.py DUMP REPORT: what the vendor's compiler put on its DPU is there
in our placement, too, operator type by operator type."""

import collections
import json
import re
import sys

TYPES = (
    "conv2d-fix",
    "depthwise-conv2d-fix",
    "upsample-fix",
    "concat-fix",
    "eltwise-fix",
    "reshape-fix",
)

vendor = collections.Counter()
for line in open(sys.argv[1]):
    match = re.match(r"\S+ : (\S+) ->", line)
    if match:
        vendor[match.group(1)] += 1
report = json.load(open(sys.argv[2]))
ours = collections.Counter()
cpu = collections.Counter()
for operator in report["operators"]:
    (ours if operator["device"] == "DPU" else cpu)[operator["type"]] += 1
for name in TYPES:
    print(f"{name}: vendor {vendor[name]}, DPU {ours[name]}, CPU {cpu[name]}")
print("DPU subgraphs:", report["summary"]["DPU"]["subgraphs"])
