"""operators.py operators.mlir DIRECTORY: check-c.py on each function."""

import pathlib
import re
import subprocess
import sys

LEFT_OUT = {"custom": "known to the host", "gather": "indices outside",
            "hard_sigmoid_fix": "its fix points are a valid type only"}

text = pathlib.Path(sys.argv[1]).read_text()
directory = pathlib.Path(sys.argv[2])
check = pathlib.Path(__file__).with_name("check-c.py")
count = 0
for function in re.findall(r"^func\.func .*?^\}\n", text, re.S | re.M):
    name = re.match(r"func\.func @(\w+)", function).group(1)
    if name in LEFT_OUT:
        continue
    model = directory / f"{name}.mlir"
    model.write_text(function.replace(f"@{name}(", "@main(", 1))
    done = subprocess.run([sys.executable, check, model, directory / name],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.stdout != "equal\n":
        sys.exit(f"{name}: {done.stdout}")
    count += 1
print(f"{count} operators equal")
