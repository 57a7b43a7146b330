# lit configuration: paths, substitutions and features of every test.

import ctypes
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "xc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".asm", ".td"]
config.excludes = ["Inputs", "corpus", "CMakeLists.txt", "unit"]
config.test_source_root = os.path.join(config.xc_source_dir, "test")
config.test_exec_root = os.path.join(config.xc_build_dir, "test", "Output")

config.environment["PATH"] = os.path.pathsep.join(
    [
        os.path.join(config.xc_build_dir, "bin"),
        os.path.join(config.xc_build_dir, "test", "bin"),
        config.llvm_bin,
        os.environ["PATH"],
    ]
)
# Writers of models that tests in several folders share.
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "Inputs")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "CI"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.xc_sanitize:
    # MLIR keeps its own objects alive until exit; leaks of xc are found by
    # those unit tests that do not link it, when they are run by themselves.
    # A finding says where memory was freed and allocated by one frame, which for
    # a command by hand is all of them; of what was freed, the last 16 MB are
    # watched. Both cost LLVM's many small objects a third of the time.
    config.environment.setdefault(
        "ASAN_OPTIONS", "detect_leaks=0:malloc_context_size=1:quarantine_size_mb=16"
    )
    config.available_features.add("sanitizer")
# The page of a report is run where there is something to run it with.
if shutil.which("git"):
    config.available_features.add("git")
if shutil.which("node"):
    config.available_features.add("node")
# What it looks like, where there is a browser to look with.
if shutil.which("chromium"):
    config.available_features.add("chromium")
if config.xc_enable_mlir:
    config.available_features.add("mlir")

config.substitutions.append(("%xc_src", config.xc_source_dir))
config.substitutions.append(("%xc_build", config.xc_build_dir))
config.substitutions.append(
    ("%xc_mlir_tblgen", "mlir-tblgen -I " + config.mlir_include)
)
config.substitutions.append(("%python", sys.executable))
# Tests of many cases of one kind try fewer of them where sanitizers look at each:
# few or some random ones, every so many-th of a list.
for name, count, sanitized in (("%few", 12, 3), ("%some", 40, 10), ("%nth", 1, 6)):
    config.substitutions.append(
        (name, str(sanitized if config.xc_sanitize else count))
    )

# The sizes of a family that each operator is compiled for.
config.substitutions.append(
    ("%sizes", "B4096 B1152" if config.xc_sanitize else "B4096 B512 B1152 B2304")
)

# Real models and goldens lie beside the checkout where they exist at all;
# a test that needs them says REQUIRES: shared and is skipped elsewhere.
shared = os.environ.get(
    "XC_SHARED", os.path.join(os.path.dirname(config.xc_source_dir), "shared")
)
if os.path.isdir(shared):
    config.available_features.add("shared")
config.substitutions.append(("%shared", shared))
# Other runtimes, as `make fuzz-onnx` and the benchmarks fetch them.
peers = os.path.join(config.xc_build_dir, "bench", "peers")
if shutil.which("node") and os.path.isdir(os.path.join(peers, "node_modules")):
    config.available_features.add("peers")
config.substitutions.append(("%peers", peers))
# Test data of the ONNX project, as Debian packages it (libonnx-testdata).
onnx_testdata = "/usr/lib/python3/dist-packages/onnx/backend/test/data"
if os.path.isdir(onnx_testdata):
    config.available_features.add("onnx-testdata")
config.substitutions.append(("%onnx_testdata", onnx_testdata))
# Code for AArch64, run by an emulator of its instructions.
if shutil.which("aarch64-linux-gnu-gcc") and shutil.which("qemu-aarch64-static"):
    config.available_features.add("aarch64-emulator")
# Compiled code for several threads calls LLVM's OpenMP library.
try:
    ctypes.CDLL("libomp.so.5")
    config.available_features.add("openmp")
except OSError:
    pass
# A terminal of its own: some containers have none to give.
try:
    for end in os.openpty():
        os.close(end)
    config.available_features.add("pty")
except OSError:
    pass
# Long tests: `make check-all`.
if lit_config.params.get("all"):
    config.available_features.add("check-all")
    # PyTorch may belong to another Python than the one that runs lit.
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import torch"],
                          capture_output=True).returncode == 0:
            config.available_features.add("torch")
            config.substitutions.append(("%torch_python", python))
            if subprocess.run([python, "-c", "import torchvision"],
                              capture_output=True).returncode == 0:
                config.available_features.add("torchvision")
            break
# Every model that a test compiles is one that a board takes, and its reports
# agree with it. What files hold is the same with sanitizers, whose processes are
# slow to start.
if not config.xc_sanitize:
    config.substitutions.append(
        (
            r"(?<![\w./%=-])xcc (?!:)",
            sys.executable
            + " "
            + os.path.join(
                config.test_source_root, "Driver", "Inputs", "checked-xcc.py"
            )
            + " ",
        )
    )
