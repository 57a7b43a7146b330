"""board-models.py SHARED WORK PAGE | --compare=PAGE: real networks as compiled
files.

Each is compiled for a board. Then the file keeps the rules of the board's
runtime, has all operators of the original (structure.py), its layers run one by
one as they do together (xc-test-layer-code), and the times of its layers, as
xc-run finds them, are those of the report. Writes a page about what takes the
bytes, or fails if a file has grown by more than a tenth since.
"""

import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
HEAD = """# Sizes of compiled files

Bytes of a compiled file for one B4096 with code for one `cortex-a53`, and what of
them is: the parameters of the DPU, its machine code, the same code layer by layer
([xmodel.md](../xmodel.md)), code and constants of CPU parts, the portable form
(MLIR bytecode of all parts, without the DPU's weights); the rest are operators,
tensors and subgraphs by name. A file cannot be smaller than parameters and code of
the DPU, which the board's runtime wants as they are: the last column but one says
how much larger it is. Before: the file when a DPU subgraph was one operator and its
weights stood in it twice, for the processor that compiled it; its code was that of
an older schedule. `test/Driver/Inputs/board-models.py` writes this page.

| network | file | parameters | code | layers' code | CPU parts | portable | rest | file / (parameters + code) | before |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""
CALIBRATE = ["--calibration=random", "--calibration-samples=1"]
# Bytes of the files that 37bf3a3~1 wrote.
BEFORE = {
    "RetinaFace_int_320": 919456,
    "VoxelNet_int": 1931480,
    "ad01_int8": 548861,
    "hello_world_int8": 10429,
    "kws_ref_model": 72104,
    "kws_ref_model_float32": 69136,
    "micro_speech_quantized": 46927,
    "person_detect": 451402,
    "pretrainedResnet": 176188,
    "pretrainedResnet_quant": 180191,
    "str_ww_ref_model": 113606,
    "tfls_mobilenet_v1_0.25_224_quant": 976266,
    "tinymaix_cifar10_q": 197947,
    "tinymaix_mnist_dw_q": 29754,
    "tinymaix_mnist_resnet_q": 63590,
    "tinymaix_mnist_valid_q": 20616,
    "tinymaix_vww96_q": 456422,
    "vww_96_float": 459873,
    "vww_96_int8": 463395,
    "light_resnet50": 51311220,
}


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def networks(models):
    yield models / "onnx-pot" / "RetinaFace_int_320.onnx", []
    yield models / "xmodel" / "VoxelNet_int.xmodel", []
    for path in sorted((models / "tflite").glob("*.tflite")):
        yield path, CALIBRATE
    yield (models / "onnx-light" / "light_resnet50.onnx",
           ["--random-weights=1", *CALIBRATE])


def check_times(compiled, report):
    """Every number that both say of a layer is the same."""
    rows = 0
    for number, part in enumerate(json.loads(report.read_text())["subgraphs"]):
        own = report.with_name("run.json")
        run("xc-run", compiled, f"--subgraph={number}", "--no-run",
            f"--report={own}")
        layers = json.loads(own.read_text())["layers"]
        if len(layers) != len(part["layers"]):
            sys.exit(f"{compiled}: {len(layers)} layers in the file, "
                     f"{len(part['layers'])} in the report")
        for ours, said in zip(layers, part["layers"]):
            for key in ours.keys() & said.keys():
                if ours[key] != said[key]:
                    sys.exit(f"{compiled}: {said['name']}: {key}: "
                             f"{ours[key]} and {said[key]}")
            rows += 1
    return rows


def size_row(compiled):
    sizes = dict.fromkeys(("parameters", "code", "layers", "cpu", "portable"), 0)
    text = run("xc-translate", "--xmodel-to-text", compiled)
    for indent, name, value in re.findall(
            r"^( +)(\w+) : (?:bytes|map_string_2_bytes) = (.*)$",
            text.split("\ndpu 0 ", 1)[0], re.MULTILINE):
        kind = {"reg_id_to_parameter_value": "parameters",
                "mc_code": "code" if len(indent) == 4 else "layers",
                "xc_portable": "portable"}.get(name)
        if not kind and name.startswith("xc_object"):
            kind = "cpu"
        if kind:
            sizes[kind] += sum(map(int, re.findall(r"bytes\((\d+)", value)))
    whole = compiled.stat().st_size
    least = sizes["parameters"] + sizes["code"]
    return [whole, *sizes.values(), whole - sum(sizes.values()),
            f"{whole / least:.2f}" if least else ""]


def check(path, options, work):
    out = work / path.stem
    out.mkdir(parents=True, exist_ok=True)
    report = out / "report.json"
    run("xcc", path, "-a", "KV260", "-o", out, "-n", "net", "--quiet",
        "--cpu=cortex-a53", f"--report={report}", *options)
    compiled = out / "net.xmodel"
    run("xc-translate", "--check-xmodel", compiled)
    print(path.stem, run(sys.executable, HERE / "structure.py",
                         out / "net_org.xmodel", compiled).strip(), "|",
          " ".join(run("xc-test-layer-code", compiled).split("\n")), "|",
          check_times(compiled, report), "rows of times equal", flush=True)
    return size_row(compiled)


def check_growth(rows, page):
    said = dict(re.findall(r"^\| (\S+) \| (\d+) \|", page.read_text(),
                           re.MULTILINE))
    for name, row in rows.items():
        if name not in said or row[0] > 1.1 * int(said[name]):
            sys.exit(f"{name}: {row[0]} bytes, {said.get(name)} on the page")
    print(f"{len(rows)} networks, none grown")


def write_page(rows, page):
    lines = [" | ".join(map(str, (name, *row, BEFORE[name])))
             for name, row in rows.items()]
    page.write_text(HEAD + "".join(f"| {line} |\n" for line in lines))


def main():
    models, work = pathlib.Path(sys.argv[1]) / "models", pathlib.Path(sys.argv[2])
    rows = {path.stem: check(path, options, work)
            for path, options in networks(models)}
    compare = sys.argv[3].removeprefix("--compare=")
    if compare != sys.argv[3]:
        check_growth(rows, pathlib.Path(compare))
    else:
        write_page(rows, pathlib.Path(compare))


main()
