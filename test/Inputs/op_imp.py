"""Operators of an xmodel, run by a library of the board's runtime's kind:
Driver compiles the program that stands for the runtime and the library, for
this machine or an emulated one."""

import pathlib
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
LIBRARIES = ["-lm", "-lpthread", "-ldl"]
INT32, UINT64, STRING, BYTES = 14, 34, 46, 50


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True,
                          stdout=subprocess.PIPE, **options).stdout


def size_of(tensor):
    size = tensor.width // 8
    for dim in tensor.dims:
        size *= dim
    return size


def packed_tensor(tensor):
    return struct.pack("<IQ", len(tensor.dims), size_of(tensor))


def packed_attrs(attrs):
    rows = b""
    kept = {k: v for k, v in attrs.items() if k.startswith("xc_")
            and isinstance(v, (int, str, bytes))}
    for key, value in kept.items():
        rows += struct.pack("<I", len(key)) + key.encode()
        if isinstance(value, int):
            kind = INT32 if key == "xc_result" else UINT64
            rows += struct.pack("<IQ", kind, value)
        else:
            kind = BYTES if isinstance(value, bytes) else STRING
            value = value if isinstance(value, bytes) else value.encode()
            rows += struct.pack("<IQ", kind, len(value)) + value
    return struct.pack("<I", len(kept)) + rows


class Driver:
    def __init__(self, work, compiler="cc", emulator=()):
        self.work, self.emulator = pathlib.Path(work), list(emulator)
        self.work.mkdir(parents=True, exist_ok=True)
        self.library = self.work / "libvart_op_imp_xc-cpu.so"
        self.program = self.work / "drive-op-imp"
        sources = sorted((ROOT / "tools/vart-plugin").glob("*.c"))
        run(compiler, *FLAGS, "-shared", "-fPIC", "-fvisibility=hidden", "-o",
            self.library, *sources, *LIBRARIES)
        run(compiler, *FLAGS, "-rdynamic", "-o", self.program,
            ROOT / "test/tools/vart-plugin/Inputs/drive-op-imp.c", *LIBRARIES)

    def run(self, graph, subgraph, sets, threads=1, **options):
        """Outputs of all operators for each set of inputs, which are bytes."""
        ops = [graph.ops[name] for name in subgraph.ops]
        inputs = [graph.ops[name].tensor for name in ops[0].args["input"]] \
            if ops[0].args else []
        data = packed_attrs(subgraph.attrs)
        data += struct.pack("<I", len(inputs))
        data += b"".join(map(packed_tensor, inputs))
        data += struct.pack("<I", len(ops))
        for op in ops:
            data += packed_attrs(op.attrs) + packed_tensor(op.tensor)
        data += struct.pack("<I", len(sets)) + b"".join(sum(sets, []))
        part = self.work / "part"
        part.write_bytes(data)
        found = run(*self.emulator, self.program, self.library, part, threads,
                    **options)
        outputs, at = [], 0
        for _ in sets:
            outputs.append([])
            for op in ops:
                size = size_of(op.tensor)
                outputs[-1].append(found[at:at + size])
                at += size
        return outputs
