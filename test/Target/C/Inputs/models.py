"""models.py DIRECTORY MODELS...: check-c.py on each, plain and with sanitizers."""

import pathlib
import subprocess
import sys

COMPILERS = ["gcc -O2", "gcc -O1 -fsanitize=address,undefined "
             "-fno-sanitize-recover=all"]

check = pathlib.Path(__file__).with_name("check-c.py")
models = [path for name in sys.argv[2:]
          for path in sorted(pathlib.Path(name).glob("*"))
          if path.suffix in (".tflite", ".onnx")]
for model in models:
    for compiler in COMPILERS:
        done = subprocess.run([sys.executable, check, model, sys.argv[1],
                               f"--cc={compiler}"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.stdout != "equal\n":
            sys.exit(f"{model}, {compiler}: {done.stdout}")
print(f"{len(models)} models equal")
