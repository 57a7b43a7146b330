"""Fails unless the last report is better by some decibel: compare.py DB FIRST LAST."""

import json
import sys

first, last = (json.load(open(name))["outputs"][0] for name in sys.argv[2:])
print(f"{first['sqnr_db']:.1f} dB, {last['sqnr_db']:.1f} dB")
sys.exit(last["sqnr_db"] < first["sqnr_db"] + float(sys.argv[1]))
