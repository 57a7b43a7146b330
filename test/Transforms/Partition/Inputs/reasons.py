"""reasons.py REPORT...: every operator of the CPU has a reason, none of the DPU
has one, and the sums are those of the parts."""

import json
import sys

for name in sys.argv[1:]:
    report = json.load(open(name))
    counts, macs = {"CPU": 0, "DPU": 0}, {"CPU": 0, "DPU": 0}
    for operator in report["operators"]:
        device = operator["device"]
        counts[device] += 1
        macs[device] += operator["macs"]
        reason = operator.get("reason")
        assert (device == "CPU") == (reason is not None), operator
        if reason:
            assert reason["predicate"] and reason["text"], operator
        subgraph = report["subgraphs"][operator["subgraph"]]
        assert subgraph["device"] == device, operator
    for device in counts:
        summary = report["summary"][device]
        assert summary["operators"] == counts[device], device
        assert summary["macs"] == macs[device], device
        parts = [g for g in report["subgraphs"] if g["device"] == device]
        assert len(parts) == summary["subgraphs"], device
        assert sum(g["macs"] for g in parts) == macs[device], device
    print(f"{counts['CPU']} operators of the CPU with reasons, {counts['DPU']} of the DPU")
