"""linear.py DIRECTORY: C source of four times as many functions takes about four
times as long; a quadratic search for names takes sixteen times."""

import pathlib
import resource
import subprocess
import sys

directory = pathlib.Path(sys.argv[1])
directory.mkdir(parents=True, exist_ok=True)


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime


def measure(count):
    path = directory / f"{count}.mlir"
    with open(path, "wb") as file:
        subprocess.run([sys.executable, "-m", "deep", "functions", str(count)],
                       check=True, stdout=file)
    before = seconds()
    subprocess.run(["xc-translate", "--mtir-to-c", path, "-o", directory / "out"],
                   check=True)
    return seconds() - before


few, many = measure(2000), measure(8000)
if many > 8 * few:
    sys.exit(f"2,000 functions take {few:.2f} s, 8,000 take {many:.2f} s")
