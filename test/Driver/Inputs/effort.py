"""effort.py REPORT...: of what the searches of rising effort have found."""

import json
import sys

cycles, priced = [], []
for name in sys.argv[1:]:
    with open(name) as file:
        kernels = json.load(file)["subgraphs"]
    searches = [kernel["search"] for kernel in kernels]
    cycles.append(sum(kernel["cycles"] for kernel in kernels))
    priced.append(sum(search["priced"] for search in searches))
    kept = sum(search["kept"] for search in searches)
    within = all(search["priced"] <= search["budget"] for search in searches)
    print("effort %d: %d priced, %d kept, %s the budget" % (
        searches[0]["effort"], priced[-1], kept,
        "within" if within else "beyond"))
if priced == sorted(set(priced)):
    print("more are priced each time")
if cycles[0] > cycles[1] and cycles == sorted(cycles, reverse=True):
    print("a search is faster than none, more of it never slower")
else:
    print(cycles)
