"""board.py FILE.xmodel WORK [--seed=N] [--emulated] [--types]
[--edges]: runs a whole
compiled model as the board's runtime does - DPU subgraphs on the simulator,
xc-cpu operators by the plug-in, standard operators by what is known of the
runtime's - and compares the outputs with those of xc-run, bit for bit.

--emulated: the plug-in is one for AArch64. --types: prints the types of the
operators of each CPU subgraph. --edges: floats of the inputs are where rounding
turns.
"""

import argparse
import math
import pathlib
import random
import struct
import sys

import op_imp
import vendor_ops
import xmodel


def edges(n):
    """Floats where rounding turns: halves, their neighbours, and extremes."""
    numbers = [k / 2 for k in range(-640, 641)]
    near = []
    for x in numbers:
        bits = struct.unpack("<I", struct.pack("<f", x))[0]
        near += [struct.unpack("<f", struct.pack("<I", b))[0]
                 for b in (bits - 1, bits + 1) if x]
    far = [math.inf, 1e38, 8388607.5, 4194304.5, 2e-45, 1e-38, 0.0, -0.0]
    numbers += near + far + [-x for x in far]
    return (numbers * (n // len(numbers) + 1))[:n]


def made_up(tensor, rng, at_edges):
    n = vendor_ops.count(tensor.dims)
    if tensor.type == 4 and at_edges:
        return struct.pack(f"<{n}f", *edges(n))
    if tensor.type == 4:
        return struct.pack(f"<{n}f", *(rng.gauss(0, 3) for _ in range(n)))
    return rng.randbytes(n * tensor.width // 8)


class Board:
    def __init__(self, path, work, driver):
        self.path, self.work, self.driver = path, work, driver
        self.graph = xmodel.read(path)
        self.values = {}  # bytes, by operator

    def file(self, name, content):
        path = self.work / name
        path.write_bytes(content)
        return path

    def run_dpu(self, subgraph, number):
        ops = [self.graph.ops[name] for name in xmodel.names(subgraph)]
        inside = [op for op in ops if op.type == "upload"]
        command = ["xc-run", self.path, f"--subgraph={number}", "--quiet"]
        for i, op in enumerate(inside):
            [source] = op.args["input"]
            content = self.file(f"in{i}", self.values[source])
            command.append(f"--input={op.name}={content}")
        outside = [op for op in ops if op.type == "download"]
        for i, op in enumerate(outside):
            [source] = op.args["input"]
            command.append(f"--output={source}={self.work / f'out{i}'}")
        op_imp.run(*command)
        for i, op in enumerate(outside):
            self.values[op.name] = (self.work / f"out{i}").read_bytes()

    def run_cpu(self, subgraph):
        ops = [op for op in self.graph.ops.values() if op.name in subgraph.ops]
        if ops[0].type == "xc-cpu":
            inputs = [self.values[n] for n in ops[0].args.get("input", [])]
            [outputs] = self.driver.run(self.graph, subgraph, [inputs])
            self.values.update(zip(subgraph.ops, outputs))
            return
        known = {}
        for op in ops:
            inputs = [known[n] if n in known else vendor_ops.unpack(
                self.graph.ops[n].tensor, self.values[n])
                for n in op.args.get("input", [])]
            known[op.name] = vendor_ops.compute(op, inputs)
        for op in ops:
            self.values[op.name] = vendor_ops.pack(op.tensor, known[op.name])

    def run(self, inputs):
        self.values = dict(inputs)
        dpus = 0
        for child in self.graph.root.children:
            if child.attrs["device"] == "DPU":
                self.run_dpu(child, dpus)
                dpus += 1
            elif child.attrs["device"] == "CPU":
                self.run_cpu(child)
        return [self.values[name] for name in self.graph.attrs["xc_outputs"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--edges", action="store_true")
    parser.add_argument("--types", action="store_true")
    given = parser.parse_args()
    machine = ("aarch64-linux-gnu-gcc", ["qemu-aarch64-static", "-L",
                                         "/usr/aarch64-linux-gnu"]) \
        if given.emulated else ("cc", [])
    driver = op_imp.Driver(given.work, *machine)
    board = Board(given.file, given.work, driver)
    if given.types:
        for child in board.graph.root.children:
            if child.attrs["device"] == "CPU":
                print(child.name, *(board.graph.ops[n].type
                                    for n in child.ops))
    rng = random.Random(given.seed)
    names = board.graph.root.children[0].ops
    inputs = {n: made_up(board.graph.ops[n].tensor, rng, given.edges) for n in names}
    outputs = board.run(inputs)
    command = ["xc-run", given.file, "--quiet"]
    for i, name in enumerate(names):
        command.append(f"--input={name}={board.file(f'in{i}', inputs[name])}")
    labels = board.graph.attrs["xc_output_names"]
    for i, label in enumerate(labels):
        command.append(f"--output={label}={given.work / f'expected{i}'}")
    op_imp.run(*command)
    for i, label in enumerate(labels):
        if outputs[i] != (given.work / f"expected{i}").read_bytes():
            sys.exit(f"{given.file}: output '{label}' differs")
    print(f"{len(labels)} outputs: the same bytes")


main()
