"""Options that mean nothing for a compilation are errors: every option that
--help lists, but for those named here, with phases of which none is its own, and
with --emit=c.

usage: refused.py XCC MODEL KERNELS OUTPUT"""

import re
import subprocess
import sys

# Of no phase, or of all of them.
FREE = """target f o n emit params-file diff-reports force tolerance quiet progress
list-phases save-temps compile-to compile-from list-targets print-target
print-target-reference print-constraints max-memory help version""".split()
FOR_C = """input-shape inputs outputs bind random-weights caffemodel keep-qdq
dequantize-weights sign-bytes allow-custom resize crop pixels mean std scale channels
layout
calibration validation calibration-samples keep-float rounding min-sqnr
min-agreement kernels params-file""".split()
# Where not any text is a value.
VALUES = {
    "random-weights": "1",
    "calibration-samples": "2",
    "approximate": "silu",
    "approximate-bound": "20",
    "rounding": "dpu",
    "mcpu": "none",
    "effort": "1",
    "byte-price": "0.01",
    "require-offload": "5",
    "min-sqnr": "1",
    "min-agreement": "1",
    "max-cycles": "1",
    "max-instructions": "1",
    "max-ddr": "1",
    "report": "r.json",
    "input-shape": "x=1x3",
    "bind": "x=y.npy",
    "pixels": "0..1",
    "std": "2",
}
NEEDED = {"approximate-bound": ["--approximate=silu"]}


ALWAYS_XMODEL = ["target", "save-temps", "compile-to", "compile-from"]


def is_refused(xcc, arguments, names, text):
    """Whether an error is that text, with one of the names in place of {}."""
    said = subprocess.run([xcc] + arguments, capture_output=True, text=True).stderr
    if any(text.format(name) in said for name in names):
        return True
    print(f"{' '.join(arguments)} is not refused: {said}")
    return False


def main():
    xcc, model, kernels, output = sys.argv[1:]
    text = subprocess.run([xcc, "--help"], capture_output=True, text=True).stdout
    options = re.findall(r"^  --([a-z-]+)(=?)", text, re.M)
    assert len(options) > 50, options
    values = dict(VALUES, kernels=kernels)
    files = [model, "-o", output, "-n", "net"]
    xmodel = files + ["-a", "DPUCZDX8G_ISA1_B4096"]
    convert = xmodel + ["--compile-from=bufferize", "--compile-to=convert"]
    of_phase, not_for = "option '{}' belongs to phase '", "--{} has no effect with --emit="
    ok = is_refused(xcc, xmodel + ["--params-file"], ["params-file"], not_for + "xmodel")
    for name, takes in options:
        given = [f"--{name}={values.get(name, 'some')}" if takes else f"--{name}"]
        given += NEEDED.get(name, [])
        names = [option[2:].split("=")[0] for option in given]
        if name not in FREE:
            ok &= is_refused(xcc, convert + given, names, of_phase)
        if name not in FREE + FOR_C or name in ALWAYS_XMODEL:
            ok &= is_refused(xcc, files + ["--emit=c"] + given, names, not_for + "c")
    return not ok


sys.exit(main())
