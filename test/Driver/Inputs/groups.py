"""Writes a Caffe net with a grouped convolution of stride 2 between others, as
ResNeXt has them. Usage: groups.py NET.prototxt"""

import pathlib
import sys


def convolution(name, bottom, channels, kernel, stride=1, group=1):
    return f"""layer {{ name: "{name}" type: "Convolution" bottom: "{bottom}" top: "{name}"
  convolution_param {{ num_output: {channels} kernel_size: {kernel} stride: {stride}
    pad: {kernel // 2} group: {group} }} }}
layer {{ name: "{name}/relu" type: "ReLU" bottom: "{name}" top: "{name}" }}
"""


pathlib.Path(sys.argv[1]).write_text("""layer { name: "data" type: "Input" top: "data"
  input_param { shape { dim: 1 dim: 3 dim: 28 dim: 28 } } }
""" + convolution("first", "data", 64, 3)
    + convolution("before", "first", 256, 1)
    + convolution("grouped", "before", 256, 3, stride=2, group=32)
    + convolution("after", "grouped", 64, 1))
