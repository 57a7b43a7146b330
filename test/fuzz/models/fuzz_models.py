"""Compares random models with another runtime.

usage: fuzz_models.py onnx|tflite --build=BUILD --peers=FOLDER [--count=N]
                      [--seed=N] [--jobs=N] [--directory=FOLDER] [--one]

Model number N is made from its seed alone. A model that the other runtime
refuses does not count. Every difference must have a row in known.py, whose
counts are printed; any other one is a finding, stays in the folder and makes
the exit code 1. --one prints the model of --seed and both results.
"""

import collections
import os
import platform
import shutil
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "Inputs")]

import known  # noqa: E402

FORMS = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "ui8": "B", "i16": "h",
         "ui16": "H", "i32": "i", "ui32": "I", "i64": "q", "ui64": "Q",
         "i1": "B"}
# Types as the generators name them.
NAMES = {"u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64", "bool": "i1"}
DIGITS = {"f32": 2e-4, "f64": 2e-4, "f16": 8e-3}


def read(path):
    """The tensors of a file, or the text of an error."""
    with open(path, "rb") as file:
        data = file.read()
    tensors, at = [], 0
    while True:
        end = data.find(b"\n", at)
        if end < 0:
            return "crash"
        words = data[at:end].decode("utf8", "replace")
        at = end + 1
        if words == "end":
            return tensors
        if words.startswith("error "):
            return words[6:]
        name, kind, dims = words.split()
        end = data.find(b"\n", at)
        size = int(data[at:end])
        kind = NAMES.get(kind, kind)
        count = size // struct.calcsize(FORMS[kind])
        values = struct.unpack("<%d%s" % (count, FORMS[kind]),
                               data[end + 1:end + 1 + size])
        tensors.append((name, kind, dims, values))
        at = end + 1 + size


def difference(ours, theirs):
    """What differs, as text, or None. Integers: the largest difference."""
    if len(ours) != len(theirs):
        return "%d outputs, expected %d" % (len(ours), len(theirs))
    for (name, kind, dims, a), (_, kind2, dims2, b) in zip(ours, theirs):
        if kind != kind2 or dims != dims2:
            return "%s is %s of %s, expected %s of %s" % (
                name, kind, dims, kind2, dims2)
        if kind not in DIGITS:
            worst = max((abs(x - y) for x, y in zip(a, b)), default=0)
            if worst:
                return "%s: integers differ by %d" % (name, worst)
            continue
        finite = [abs(y) for y in b if y == y and abs(y) != float("inf")]
        allowed = DIGITS[kind] * max(finite, default=0) + 1e-6
        for i, (x, y) in enumerate(zip(a, b)):
            if x == y or x != x and y != y:
                continue
            if not abs(x - y) <= allowed:
                return "%s[%d] is %r, expected %r" % (name, i, x, y)
    return None


class Batch:
    def __init__(self, options, first, last):
        self.options, self.first, self.last = options, first, last
        self.folder = os.path.join(options["directory"], "batch-%d" % first)
        os.makedirs(self.folder, exist_ok=True)

    def write(self):
        maker = self.options["maker"]
        for number in range(self.first, self.last + 1):
            model, inputs, text = maker(number)
            base = os.path.join(self.folder, str(number))
            with open(base + "." + self.options["format"], "wb") as file:
                file.write(model)
            with open(base + ".txt", "w") as file:
                file.write(text)
            with open(base + ".in", "wb") as file:
                for name, kind, dims, data in inputs:
                    head = "%s %s %s\n%d\n" % (
                        name, kind, "x".join(map(str, dims)) or "-", len(data))
                    file.write(head.encode() + data)

    def all(self, command, suffix):
        """Runs a program on all models, again after the one it crashes on."""
        first = self.first
        while first <= self.last:
            subprocess.run(command(self.folder, first, self.last),
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            while first <= self.last and os.path.exists(os.path.join(
                    self.folder, "%d.%s" % (first, suffix))):
                first += 1
            if first <= self.last and suffix == "peer":
                with open(os.path.join(self.folder, "%d.peer" % first), "w") as f:
                    f.write("error crash\nend\n")
                first += 1

    def run(self):
        self.write()
        self.all(self.options["peer"], "peer")
        self.all(lambda folder, first, last: [
            self.options["batch"], folder, self.options["format"], str(first),
            str(last)], "xc")
        rows = []
        for number in range(self.first, self.last + 1):
            base = os.path.join(self.folder, str(number))
            rows.append((number, self.judge(base)))
            if rows[-1][1][0] == "finding":
                for suffix in (self.options["format"], "txt", "in", "xc", "peer"):
                    shutil.copy(base + "." + suffix, self.options["directory"])
        shutil.rmtree(self.folder)
        return rows

    def judge(self, base):
        theirs = read(base + ".peer")
        ours = read(base + ".xc")
        if ours == "crash":
            return "finding", "crash"
        if isinstance(theirs, str):
            return "refused", theirs[:60]
        what = ours if isinstance(ours, str) else difference(ours, theirs)
        if what is None:
            return "ok", ""
        with open(base + ".txt") as file:
            text = file.read()
        row = known.find(self.options["format"], text, what)
        return ("known", row) if row else ("finding", what)


def onnx_maker(seed):
    import onnx
    import onnx_models
    text, inputs = onnx_models.make(seed)
    return onnx.model(text), [(v.name, v.kind, v.dims, data)
                              for v, data in inputs], text


def tflite_maker(seed):
    import tflite
    import tflite_models
    lines, inputs = tflite_models.make(seed)
    model = tflite.Model()
    for line in lines:
        model.line(line.split())
    return bytes(model.bytes()), inputs, "\n".join(lines) + "\n"


def find_library(peers):
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), "")
    for folder, _, names in os.walk(peers):
        if folder.endswith(machine) and "libtensorflowlite_c.so" in names:
            return os.path.join(folder, "libtensorflowlite_c.so")
    sys.exit("fuzz_models.py: no libtensorflowlite_c.so in '%s'" % peers)


def parse(arguments):
    options = {"count": "1000", "seed": "1", "jobs": "2", "build": "build",
               "peers": "", "directory": "", "one": ""}
    for word in arguments:
        key, _, value = word[2:].partition("=")
        if not word.startswith("--") or key not in options:
            sys.exit("fuzz_models.py: unknown option '%s'" % word)
        options[key] = value or "1"
    return options


def main(form, *arguments):
    options = parse(arguments)
    build, peers = options["build"], options["peers"]
    options["format"] = form
    options["batch"] = os.path.join(build, "test", "bin", "ModelBatch")
    options["directory"] = options["directory"] or os.path.join(
        build, "fuzz", form)
    if form == "onnx":
        options["maker"] = onnx_maker
        peer = ["node", os.path.join(HERE, "onnxruntime.js"), peers]
    else:
        options["maker"] = tflite_maker
        peer = [os.path.join(build, "test", "bin", "TfliteBatch"),
                find_library(peers)]
    options["peer"] = lambda folder, first, last: peer + [folder, str(first),
                                                          str(last)]
    shutil.rmtree(options["directory"], ignore_errors=True)
    os.makedirs(options["directory"])
    first, count = int(options["seed"]), int(options["count"])
    if options["one"]:
        batch = Batch(options, first, first)
        rows = batch.run()
        print(options["maker"](first)[2])
        print(rows[0][1])
        base = os.path.join(options["directory"], str(first))
        for suffix in ("xc", "peer"):
            if os.path.exists(base + "." + suffix):
                print(suffix, read(base + "." + suffix))
        return
    size = max(1, min(250, count // int(options["jobs"]) or 1))
    batches = [Batch(options, at, min(at + size, first + count) - 1)
               for at in range(first, first + count, size)]
    states, reasons = collections.Counter(), collections.Counter()
    with ThreadPoolExecutor(int(options["jobs"])) as pool:
        for rows in pool.map(Batch.run, batches):
            for number, (state, why) in rows:
                states[state] += 1
                if state == "known":
                    reasons[why] += 1
                elif state == "finding":
                    print("model %d: %s" % (number, why), flush=True)
    for why, times in sorted(reasons.items()):
        print("%6d known: %s" % (times, why))
    print("%d equal, %d known differences, %d refused by the other runtime, "
          "%d findings" % (states["ok"], states["known"], states["refused"],
                           states["finding"]))
    sys.exit(states["finding"] != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
