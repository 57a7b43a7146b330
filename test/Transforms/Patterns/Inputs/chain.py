"""chain.py KIND COUNT: a function with a chain of about COUNT operators."""

import sys

kind, count = sys.argv[1], int(sys.argv[2])
element = "i8" if kind == "saturate" else "f32"
image, rows = f"tensor<1x4x4x8x{element}>", "tensor<1x16x8xf32>"

# One step of each kind of chain: {x} is the value so far, {i} a number.
STEPS = {
    "sigmoid": ['%y{i} = "tir.sigmoid"({x}) : (I) -> I'],
    "relu": ['%y{i} = "tir.relu"({x}) : (I) -> I'],
    "neg": ['%y{i} = "tir.neg"({x}) : (I) -> I'],
    "add": ['%y{i} = "tir.add"({x}, %k) : (I, tensor<8xf32>) -> I'],
    "dead": ['%y{i} = "tir.exp"({x}) : (I) -> I'],
    "reshape": [
        '%a{i} = "tir.reshape"({x}) {{shape = [1 : i32, 16 : i32, 8 : i32]}} : (I) -> R',
        '%y{i} = "tir.reshape"(%a{i}) {{shape = [1 : i32, 4 : i32, 4 : i32, 8 : i32]}} : (R) -> I',
    ],
    "equal": [
        '%a{i} = "tir.exp"({x}) : (I) -> I',
        '%b{i} = "tir.exp"({x}) : (I) -> I',
        '%y{i} = "tir.sub"(%a{i}, %b{i}) : (I, I) -> I',
    ],
    "conv": [
        '%a{i} = "tir.conv2d"({x}, %w) {{kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]}} : (I, tensor<8x1x1x8xf32>) -> I',
        '%y{i} = "tir.mul"(%a{i}, %k) : (I, tensor<8xf32>) -> I',
    ],
    "batchnorm": ['%y{i} = "tir.scale"({x}, %k) : (I, tensor<8xf32>) -> I'],
    "squeeze": [
        '%a{i} = "tir.flatten"({x}) {{start_axis = 1 : i32, end_axis = 2 : i32}} : (I) -> R',
        '%y{i} = "tir.reshape"(%a{i}) {{shape = [1 : i32, 4 : i32, 4 : i32, 8 : i32]}} : (R) -> I',
    ],
    # Each has a range that no number reaches.
    "saturate": [
        '%y{i} = "tir.qlinear-activation"({x}) {{type = "LEAKYRELU", alpha = 0.5 : f32, input_scale = 0.1 : f32, input_zero_point = 0 : i32, output_scale = 0.1 : f32, output_zero_point = 0 : i32}} : (I) -> I',
    ],
}

step = STEPS[kind]
print(f"func.func @f(%x: {image}) -> {image} {{")
print('  %k = "tir.const"() {value = dense<1.5> : tensor<8xf32>} : () -> tensor<8xf32>')
print('  %w = "tir.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> tensor<8x1x1x8xf32>')
value = "%x"
for i in range(count // len(step)):
    for line in step:
        print("  " + line.format(i=i, x=value).replace("I)", image + ")").replace("(I", "(" + image).replace("-> I", "-> " + image).replace(" I,", f" {image},").replace("R)", rows + ")").replace("-> R", "-> " + rows))
    value = f"%y{i}"
print(f"  return {'%x' if kind == 'dead' else value} : {image}\n}}")
