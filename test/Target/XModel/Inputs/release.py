#!/usr/bin/env python3
"""Puts golden programs of DPUCAHX8H into xmodels as compilers of several
releases write them, runs these with xc-run and compares the outputs.

usage: release.py GOLDEN WORK RELEASE PROGRAM...

RELEASE says which attributes there are: 2.5; 2.0, whose code also has the
tokens of each queue to itself; 1.2, where all tensors lie in register 1 and
the target has another name.  Written by the field numbers of protobuf, with no
code of xc.
"""

import json
import os
import struct
import subprocess
import sys

sys.path.insert(
    0, os.path.join(os.path.dirname(__file__), "../../DPU/Simulator/Inputs")
)
import golden  # noqa: E402

NAMES = {
    "2.5": ("DPUCAHX8H_ISA2", 0x20200000010002A),
    "2.0": ("DPUCAHX8H_ISA2", 0x20200000000002A),
    "1.2": ("DPUCAHX8H_VAI1_2_U280_U50LV9E", 0x20200000000002A),
}


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def table(number, rows):
    """A map; values are fields already."""
    return b"".join(
        field(number, field(1, key) + value) for key, value in rows.items()
    )


# Values of attributes.
def integer(value):
    return field(2, field(5, value))


def natural(value):
    return field(2, field(8, value))


def string(value):
    return field(2, field(11, value))


def integers(values):
    return field(2, field(14, field(1, b"".join(varint(v) for v in values))))


def of_bytes(value):
    return field(2, field(12, field(1, value)))


def map_of(number, rows):
    return field(2, field(number, table(1, rows)))


def tensor(name, t, place):
    attrs = {"fix_point": integer(t["fix_point"])}
    if place:
        attrs["location"] = integer(1)
        attrs["reg_id"] = integer(t["reg"])
        attrs["ddr_addr"] = integer(t["addr"])
        attrs["stride"] = integers(t["stride"])
    dims = b"".join(varint(d) for d in t["dims"])
    return (
        field(1, name)
        + field(2, dims)
        + field(5, 2)
        + field(6, 8)
        + table(10, attrs)
    )


def operator(name, kind, inputs, t, place=False):
    out = field(1, name) + field(2, kind)
    if inputs:
        out += field(4, field(1, "input") + b"".join(field(2, i) for i in inputs))
    return field(5, out + field(5, tensor(name, t, place)))


def subgraph(name, ops, attrs, children):
    return (
        field(1, name)
        + b"".join(field(3, op) for op in ops)
        + table(5, attrs)
        + b"".join(field(10, child) for child in children)
    )


def register_attributes(meta, initial, release):
    parameters = ("0", "2", "3")
    names = {r: "REG_" + r for r in meta["registers"]}
    sizes = {names[r]: len(initial[r]) for r in names}
    values = {names[r]: initial[r] for r in names if r in parameters}
    if release == "1.2":
        values["REG_1"] = b""
    old = {n: "CONST" if r in parameters else "DATA" for r, n in names.items()}
    new = dict(old)
    for r, n in names.items():
        if r not in parameters:
            new[n] = "WORKSPACE" if r == "1" else "INTERFACE"
    segments = {"REG_0": "W0", "REG_2": "W0", "REG_3": "W1"}
    attrs = {
        "reg_id_to_size": map_of(22, {k: field(2, v) for k, v in sizes.items()}),
        "reg_id_to_context_type": map_of(
            26, {k: field(2, v) for k, v in old.items()}
        ),
        "reg_id_to_hw_segment": map_of(
            26, {n: field(2, segments.get(n, "D0")) for n in names.values()}
        ),
        "reg_id_to_parameter_value": map_of(
            27, {k: field(2, field(1, v)) for k, v in values.items()}
        ),
    }
    if release == "1.2":
        attrs["reg_id_to_shared"] = map_of(
            26, {n: field(2, "LOCAL") for n in names.values()}
        )
    else:
        attrs["reg_id_to_context_type_v2"] = map_of(
            26, {k: field(2, v) for k, v in new.items()}
        )
    return attrs


def add_self_tokens(code):
    """Every instruction waits for the token of its queue and returns it."""
    lengths = {0: 6, 4: 4, 9: 4, 8: 5, 6: 2, 12: 5, 11: 4, 10: 5, 13: 2, 14: 3, 7: 1}
    queues = {0: 1, 4: 2, 7: 2, 9: 4, 8: 4}
    words = list(struct.unpack("<%dI" % (len(code) // 4), code))
    at = 0
    while at < len(words):
        opcode = words[at] >> 28
        bit = queues.get(opcode, 8)
        words[at] |= bit << 24 | bit << 20
        at += lengths[opcode]
    return struct.pack("<%dI" % len(words), *words)


def build(meta, code, initial, release):
    name, fingerprint = NAMES[release]
    nodes, body, uploads, user, inputs, outputs = b"", [], [], [], [], []
    for t in meta["tensors"]:
        if t["dir"] != "in":
            continue
        n = "in%d" % len(inputs)
        inputs.append((n, t))
        user.append(n)
        uploads.append(n + "_upload")
        nodes += operator(n, "data-fix", [], t)
        nodes += operator(n + "_upload", "upload", [n], t, True)
    for t in meta["tensors"]:
        if t["dir"] != "out":
            continue
        n = "out%d" % len(outputs)
        outputs.append((n, t))
        body += [n, n + "_download"]
        nodes += operator(n, "conv2d-fix", uploads, t, True)
        nodes += operator(n + "_download", "download", [n], t)
    attrs = {
        "device": string("DPU"),
        "dpu_name": string(name),
        "dpu_fingerprint": natural(fingerprint),
        "workload": natural(meta.get("workload_ops", 0)),
        "mc_code": of_bytes(code),
        "mc_code_preload": of_bytes(b""),
    }
    attrs.update(register_attributes(meta, initial, release))
    if release == "1.2":
        attrs["ac_code_preload"] = string("")
    leaf = subgraph("subgraph_body", uploads + body, {"mc_code": of_bytes(code)}, [])
    dpu = subgraph("dpu", [], attrs, [leaf])
    user = subgraph("user", user, {"device": string("USER")}, [])
    root = subgraph("root", [], {}, [user, dpu])
    return field(1, meta["name"]) + nodes + field(10, root), inputs, outputs


def elements(t, register):
    """The bytes of a tensor without gaps."""
    dims, strides = t["dims"], t["stride"]
    parts = [t["addr"]]
    for size, stride in zip(dims[:-1], strides[:-1]):
        parts = [p + i * stride for p in parts for i in range(size)]
    return b"".join(register[p : p + dims[-1]] for p in parts)


def run(directory, work, release):
    meta = golden.read_meta(directory)
    os.makedirs(work, exist_ok=True)
    initial = golden.unpack(directory, meta, work)
    code = golden.read(os.path.join(work, "code.bin"))
    if release == "2.0":
        code = add_self_tokens(code)
    model, inputs, outputs = build(meta, code, initial, release)
    path = os.path.join(work, "model.xmodel")
    with open(path, "wb") as stream:
        stream.write(model)
    command = ["xc-run", path, "--subgraph=dpu", "--strict"]
    for name, t in inputs:
        data = elements(t, initial[str(t["reg"])])
        with open(os.path.join(work, name), "wb") as stream:
            stream.write(data)
        command += ["--input=%s=%s" % (name, os.path.join(work, name))]
    for name, t in outputs:
        command += ["--output=%s=%s" % (name, os.path.join(work, name))]
    process = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if process.returncode:
        return process.stderr
    for name, t in outputs:
        if golden.sha(golden.read(os.path.join(work, name))) != t["sha256_elements"]:
            return name + " differs"
    return "%d outputs equal" % len(outputs)


def main():
    directory, work, release = sys.argv[1:4]
    for program in sys.argv[4:]:
        result = run(
            os.path.join(directory, program), os.path.join(work, program), release
        )
        print("%s %s: %s" % (release, program, result))


if __name__ == "__main__":
    main()
