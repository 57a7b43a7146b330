"""taps.py FOLDER: how many times as long tir-quantize takes for a transposed
depthwise convolution of stride 8 as for one of stride 2, whose results are as
many and read as many pixels each. Kernels are twice as large as the stride.
"""

import os
import resource
import subprocess
import sys

SIZE, CHANNELS = 128, 8
MODEL = """func.func @main(%x: tensor<1x{n}x{n}x{c}xf32>) -> tensor<1x{s}x{s}x{c}xf32> {{
  %w = "tir.const"() {{value = dense<0.125> : tensor<1x{k}x{k}x{c}xf32>}} : () -> tensor<1x{k}x{k}x{c}xf32>
  %0 = "tir.transposed-depthwise-conv2d"(%x, %w) {{kernel = [{k} : i32, {k} : i32], stride = [{t} : i32, {t} : i32], pad = [{p} : i32, {p} : i32, {p} : i32, {p} : i32], op_name = "up"}} : (tensor<1x{n}x{n}x{c}xf32>, tensor<1x{k}x{k}x{c}xf32>) -> tensor<1x{s}x{s}x{c}xf32>
  return %0 : tensor<1x{s}x{s}x{c}xf32>
}}
"""


def processor_time():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def quantise(path, stride):
    kernel = 2 * stride
    # Padding as it keeps the size a multiple.
    with open(path, "w") as file:
        file.write(MODEL.format(n=SIZE // stride, c=CHANNELS, s=SIZE, k=kernel,
                                t=stride, p=stride // 2))
    times = []
    for _ in range(3):
        before = processor_time()
        subprocess.run(["xc-opt", path, "--tir-quantize=calibration=random",
                        "-o", os.devnull], check=True)
        times.append(processor_time() - before)
    return min(times)


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
small, large = (quantise(os.path.join(folder, "%d.mlir" % s), s) for s in (2, 8))
print("stride 8 takes %s" % ("as long as stride 2" if large < 3 * small
                             else "%.1f times as long" % (large / small)))
