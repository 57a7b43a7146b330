"""float-ties.py FOLDER [bias]: 192 channels of every integer through SiLU, and the samples.

The second input is always 0: its weights make the order of the channels."""
import struct, sys

CHANNELS = 192
def const(name, numbers, shape):
    return '  %%%s = "tir.const"() {value = dense<"0x%s"> : tensor<%sxf32>} : () -> tensor<%sxf32>\n' % (
        name, struct.pack("<%df" % len(numbers), *numbers).hex().upper(), shape, shape)

wide = "tensor<1x16x16x%dxf32>" % CHANNELS
square = "kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]"
with_bias = sys.argv[2:] == ["bias"]

def conv(result, input, weights, bias, channels, name, types):
    """A convolution; `types`: of input, weights and result."""
    operands = "%%%s, %%%s" % (input, weights) + (", %%%s" % bias if with_bias else "")
    given = ", ".join(types[:2]) + (", tensor<%dxf32>" % channels if with_bias else "")
    return '  %%%s = "tir.conv2d"(%s) {%s, op_name = "%s"} : (%s) -> %s\n' % (
        result, operands, square, name, given, types[2])

with open(sys.argv[1] + "/ties.mlir", "w") as file:
    file.write("func.func @net(%x: tensor<1x16x16x2xf32>) -> tensor<1x16x16x1xf32> {\n")
    file.write(const("w", [w for c in range(CHANNELS) for w in (1 + c * c / 977, c * 37 % 101)], "%dx1x1x2" % CHANNELS))
    file.write(const("v", [1 / (1 + c * 7 % 31) for c in range(CHANNELS)], "1x1x1x%d" % CHANNELS))
    file.write(const("b", [c % 13 - 6 for c in range(CHANNELS)], "%d" % CHANNELS))
    file.write(const("d", [0.5], "1"))
    file.write(conv("0", "x", "w", "b", CHANNELS, "first",
                    ("tensor<1x16x16x2xf32>", "tensor<%dx1x1x2xf32>" % CHANNELS, wide)))
    file.write('  %%1 = "tir.sigmoid"(%%0) {op_name = "gate"} : (%s) -> %s\n' % (wide, wide))
    file.write('  %%2 = "tir.mul"(%%0, %%1) {op_name = "silu"} : (%s, %s) -> %s\n' % (wide, wide, wide))
    file.write(conv("3", "2", "v", "d", 1, "last",
                    (wide, "tensor<1x1x1x%dxf32>" % CHANNELS, "tensor<1x16x16x1xf32>")))
    file.write("  return %3 : tensor<1x16x16x1xf32>\n}\n")
with open(sys.argv[1] + "/ties.bin", "wb") as file:
    file.write(struct.pack("<512f", *[n for i in range(256) for n in ((i - 128) / 128, 0)]))
