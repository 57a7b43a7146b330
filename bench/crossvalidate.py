#!/usr/bin/env python3
"""Compares quantisers or their options without the pictures that judge them.

Usage: crossvalidate.py XC_OPT[,XC_OPT...] XCC SHARED NETWORK... [--options=TEXT]

Choices in the quantiser are made by this, and unseen.py judges them in the end.
Networks are those of unseen.py whose name holds NETWORK. Three times, four of the
six photographs calibrate and the other two judge; SQNR in decibel at each output.
A network's three numbers may lie 10 dB apart, and a change that helps in one of them
only is most likely no gain: look at all of them, not at their mean.
"""

import json
import pathlib
import sys
import tempfile

import unseen

FOLDS = 3
CROPS_SEEN, CROPS_JUDGED = 6, 10


def prepare(folder, xcc, shared, network, fold):
    """The float function of a network, and samples from two sets of photographs."""
    photographs = sorted((shared / "models/wild/photos").iterdir())
    judged = photographs[fold::FOLDS]
    seen = [path for path in photographs if path not in judged]
    unseen.write_samples(folder / "seen.npy", network, unseen.crops(seen, CROPS_SEEN, 1))
    unseen.write_samples(folder / "judged.npy", network, unseen.crops(judged, CROPS_JUDGED, 3))
    unseen.run(xcc, *unseen.model_arguments(shared, network), "-a", unseen.TARGET,
               "-o", folder, "-n", "net", "--compile-to=legalize")


def judge(folder, xc_opt, options):
    report = folder / "report.json"
    unseen.run(xc_opt, folder / "net.mlir", "-o", folder / "fixed.mlir",
               f"--tir-quantize=calibration={folder}/seen.npy validation={folder}/judged.npy "
               f"report={report} {unseen.DEFAULTS} {options}")
    return [unseen.decibel(row["sqnr_db"]) for row in json.loads(report.read_text())["outputs"]]


def main():
    arguments = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = "".join(word.split("=", 1)[1] for word in sys.argv[1:] if word.startswith("--options="))
    if len(arguments) < 4:
        sys.exit(__doc__)
    quantisers, xcc, shared = arguments[0].split(","), arguments[1], pathlib.Path(arguments[2])
    for network in unseen.NETWORKS:
        if not any(word in network[1] for word in arguments[3:]):
            continue
        for fold in range(FOLDS):
            with tempfile.TemporaryDirectory() as work:
                prepare(pathlib.Path(work), xcc, shared, network, fold)
                for xc_opt in quantisers:
                    values = " ".join(judge(pathlib.Path(work), xc_opt, options))
                    print(f"{network[1]}, {fold + 1} of {FOLDS}, {xc_opt}: {values}", flush=True)


if __name__ == "__main__":
    main()
