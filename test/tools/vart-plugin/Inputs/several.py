"""several.py FILE.xmodel WORK: the operators of a part of several results share
its code: threads that run them on inputs in different orders get the same."""

import pathlib
import random
import sys

import op_imp
import xmodel

graph = xmodel.read(sys.argv[1])
[subgraph] = [c for c in graph.root.children if c.attrs["device"] == "CPU"]
driver = op_imp.Driver(pathlib.Path(sys.argv[2]))
inputs = [graph.ops[n].tensor for n in graph.ops[subgraph.ops[0]].args["input"]]
rng = random.Random(3)
# Small integers and floats, in which no bytes are a NaN.
sets = [[bytes(rng.randrange(64) for _ in range(op_imp.size_of(t)))
         for t in inputs] for _ in range(6)]
alone = [driver.run(graph, subgraph, [one])[0] for one in sets]
assert len(set(map(tuple, alone))) == len(sets)
for threads in (1, 2, 9):
    assert driver.run(graph, subgraph, sets, threads) == alone, threads
print(f"{len(subgraph.ops)} results, {len(sets)} inputs: the same bytes")
