"""models.py MODELS WORK: every TFLite model and the detector, compiled for a
board and this machine, and run by board.py on both; a line for each."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
models, work = map(pathlib.Path, sys.argv[1:3])
work.mkdir(parents=True, exist_ok=True)
failed = count = 0
for path in sorted((models / "tflite").glob("*.tflite")) + \
        sorted((models / "onnx-pot").glob("RetinaFace*.onnx")):
    out = work / path.stem
    calibration = ["--calibration=random"] if path.suffix == ".tflite" else []
    count += 1
    try:
        subprocess.run(["xcc", path, "-a", "KV260", "-o", out, "-n", "net",
                        "--quiet", "--cpu=cortex-a53,x86-64", *calibration],
                       check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["xc-translate", "--check-xmodel", out / "net.xmodel"],
                       check=True)
        for options in [], ["--emulated"]:
            subprocess.run([sys.executable, HERE / "board.py",
                            out / "net.xmodel", out / "board", *options],
                           check=True, stdout=subprocess.DEVNULL)
        print(path.stem, "the same bytes", flush=True)
    except subprocess.CalledProcessError as error:
        failed += 1
        print(path.stem, error, flush=True)
print(f"{count} models, {failed} failed")
