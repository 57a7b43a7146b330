#!/usr/bin/env python3
"""The small network for DPUCAHX8H: see smallnet.py.

usage: smallnet_ahx8h.py DIRECTORY BUILD TOKENS

BUILD is ISA2, DWC (with a depthwise convolution) or ELP2 (two element-wise rows
at once); TOKENS is "self" for code in which every instruction takes and returns
the token of its queue, "plain" for code without.  The network is a convolution
with weights from two registers, a max pool, a depthwise convolution or none, an
addition and an average pool.  Files: as smallnet.py, with reg2, reg3 (weights),
reg4 (input) and expected5.
"""

import os
import sys

DIRECTORY, BUILD, TOKENS = sys.argv[1:4]
sys.argv[1:] = ["8", "16", DIRECTORY]
import smallnet as net  # noqa: E402

LOAD, SAVE, CONV, MISC = net.LOAD, net.SAVE, net.CONV, net.MISC
GROUP0, GROUP1, PP, CP = net.GROUP0, net.GROUP1, 8, 16
BIAS, MISC_WEIGHTS, MISC_BIAS, ALL_WEIGHTS = 32, 33, 34, 63
net.DEPTH = 8192
QUEUES = {"LOAD": LOAD, "SAVE": SAVE, "END": SAVE, "CONV": CONV, "CONVINIT": CONV}
words, rnd, blocks, code = net.words, net.rnd, net.blocks, net.code


def emit(name, on, by, **fields):
    own = QUEUES.get(name, MISC) if TOKENS == "self" else 0
    net.Code.emit(code, name, on | own, by | own, **fields)


def load(on, by, bank, addr, reg, ddr, channel, length=1, step=None,
         channels=1, endl=1, other=(0, 0)):
    emit(
        "LOAD", on, by, bank_id=bank, bank_addr=addr % net.DEPTH, pad_start=0,
        pad_end=0, pad_idx=1, jump_read=step or channel,
        jump_write=words(channel), length=length, mode_avg=0, channel=channel,
        reg_id=reg, ddr_addr=ddr, ddr_mode=0, output_channel_num=channels,
        jump_read_endl=endl, reg_id_1=other[0], ddr_addr_1=other[1],
    )


net.load = load


def save(image, group, on_first, by_last):
    pitch = image.w * words(image.c)
    for y in range(image.h):
        emit(
            "SAVE", on_first if y == 0 else 0, by_last if y == image.h - 1 else 0,
            bank_id=group + y % PP, bank_addr=y // PP * pitch,
            jump_write=image.c, jump_read=words(image.c), length=image.w,
            channel=image.c, reg_id=image.reg,
            ddr_addr=image.addr + y * image.w * image.c,
        )


def param(data):
    """Parameters lie back to back."""
    code.params += bytes(b & 0xFF for b in data)
    return len(code.params) - len(data)


weights0, weights1 = bytearray(), bytearray()


def load_weights(weights, channels, size):
    """Groups of 16 channels, one half in each register at the same offset."""
    for group in range(words(channels)):
        first = group * CP
        count = min(CP, channels - first)
        at = len(weights0)
        for o in range(CP):
            half = weights0 if o < CP // 2 else weights1
            begin = (first + o) * size
            rows = weights[begin : begin + size] if o < count else [0] * size
            half += bytes(b & 0xFF for b in rows)
        pixel = size // 9
        load(0, 0, ALL_WEIGHTS, group * 9 * words(pixel), 2, at, pixel, 9,
             channels=count, endl=size, other=(3, at))


def edge(size, out, kernel, stride, pad):
    """Distance from the start of the last window to the last valid row."""
    return max(0, min(kernel - 1, size - 1 - ((out - 1) * stride - pad)))


def convolution(name, image, out, rng, shift_cut, shift_bias, by_save):
    """3x3, stride 1, pad 1, ReLU."""
    weights = rng.bytes(out.c * 9 * image.c, -20, 20)
    bias = rng.bytes(out.c, -60, 60)

    def value(y, x, o):
        acc = sum(
            weights[((o * 3 + i) * 3 + j) * image.c + c]
            * image.get(y + i - 1, x + j - 1, c)
            for i in range(3) for j in range(3) for c in range(image.c))
        return rnd(max(2 * acc + 2 * (bias[o] << shift_bias), 0), shift_cut + 1)

    out.fill(value)
    code.layer(name, 2 * 9 * image.c * len(out.data))
    stage = net.Stage(image, GROUP0, 1, 3, 1)
    cg = words(image.c)
    load(0, 0, BIAS, 0, 0, param(bias), out.c)
    load_weights(weights, out.c, 9 * image.c)
    stage.load_rows(0, CONV)
    pitch = out.w * words(out.c)
    for n, (y0, rows) in enumerate(blocks(out.h, PP)):
        bank, offset, a = stage.window(y0)
        emit("CONVINIT", 0, 0, act_type=1, shift_cut=shift_cut, jump_read=cg,
             stride_out=1, shift_bias=shift_bias, jump_read_endl=stage.pitch,
             stride_h=1, kernel_h=3, valid_pixel_parallel=rows,
             stride_offset_in=offset, jump_write=words(out.c), stride_w=1,
             kernel_w=3, stride_offset_out=0, jump_write_endl=pitch)
        for group in range(words(out.c)):
            first = n == 0 and group == 0
            last = y0 + rows == out.h and group == words(out.c) - 1
            emit("CONV", LOAD if first else 0, SAVE if last else 0,
                 bank_id_in=bank, bank_addr_in=a[0], pad_top=int(y0 == 0),
                 channel_group=cg, bank_id_out=GROUP1,
                 bank_addr_out=y0 // PP * pitch + group,
                 pad_bottom=min(15, image.h - 1 - (y0 + rows - 2)),
                 channel_offset=cg * CP - image.c, length=out.w,
                 bank_addr_in_1=a[1], pad_left=1,
                 bank_addr_weights=group * 9 * cg, bank_addr_in_2=a[2],
                 pad_right=1, bank_addr_bias=group, bank_addr_in_3=a[3])
    save(out, GROUP1, CONV, by_save)


def pool(name, image, out, kind, kernel, stride, pad, shift_cut, by_save):
    """One row at a time."""
    code.layer(name, 0)
    stage = net.Stage(image, GROUP0, stride, kernel, pad)
    cg = words(image.c)
    stage.load_rows(SAVE, MISC)
    pitch = out.w * cg
    for y in range(out.h):
        bank, offset, a = stage.window(y)
        emit("POOLINIT", 0, 0, shift_cut=shift_cut, kernel_w=kernel,
             kernel_h=kernel, jump_read=cg, jump_write=cg, stride_out=1,
             stride_offset_out=0, valid_pixel_parallel=1,
             stride_offset_in=offset, stride_w=stride, stride_h=stride,
             pool_type=kind)
        emit("POOL", LOAD if y == 0 else 0, SAVE if y == out.h - 1 else 0,
             bank_id_in=bank, bank_addr_in=a[0], jump_read_endl=stage.pitch,
             bank_id_out=GROUP1 + y % PP, pad_top=max(0, pad - y * stride),
             pad_bottom=edge(image.h, y + 1, kernel, stride, pad),
             pad_left=pad, pad_right=edge(image.w, out.w, kernel, stride, pad),
             jump_write_endl=pitch, channel_group=cg, length=out.w,
             bank_addr_in_1=a[1], bank_addr_in_2=a[2], bank_addr_in_3=a[3],
             bank_addr_out=y // PP * pitch)
    save(out, GROUP1, MISC, by_save)


def max_pool(name, image, out, by_save):
    out.fill(lambda y, x, c: max(
        image.get(2 * y + i, 2 * x + j, c, -128)
        for i in range(2) for j in range(2)))
    pool(name, image, out, 0, 2, 2, 0, 0, by_save)


def average_pool(name, image, out, by_save):
    """3x3 with padding; 28/256 stands for 1/9, and one bit more is left."""
    out.fill(lambda y, x, c: rnd(28 * sum(
        image.get(y + i - 1, x + j - 1, c)
        for i in range(3) for j in range(3)), 7))
    pool(name, image, out, 1, 3, 1, 1, 1, by_save)


def depthwise(name, image, out, rng, shift_cut, shift_bias, by_save):
    """3x3, stride 1, pad 1; two rows at a time."""
    weights = rng.bytes(9 * image.c, -30, 30)
    bias = rng.bytes(image.c, -60, 60)

    def value(y, x, c):
        acc = sum(
            weights[(i * 3 + j) * image.c + c] * image.get(y + i - 1, x + j - 1, c)
            for i in range(3) for j in range(3))
        return rnd(2 * acc + 2 * (bias[c] << shift_bias), shift_cut + 1)

    out.fill(value)
    code.layer(name, 2 * 9 * len(out.data))
    stage = net.Stage(image, GROUP0, 1, 3, 1)
    cg = words(image.c)
    load(SAVE, 0, MISC_WEIGHTS, 100, 0, param(weights), image.c, 9)
    load(0, 0, MISC_BIAS, 3, 0, param(bias), image.c)
    stage.load_rows(0, MISC)
    pitch = out.w * cg
    for n, (y0, rows) in enumerate(blocks(out.h, 2)):
        bank, offset, a = stage.window(y0)
        emit("DWINIT", 0, 0, stride_out=1, act_type=0,
             jump_read_endl=stage.pitch, kernel_w=3, kernel_h=3, stride_w=1,
             stride_h=1, valid_pixel_parallel=rows, jump_write_endl=pitch,
             stride_offset_in=offset, stride_offset_out=0,
             shift_bias=shift_bias, shift_cut=shift_cut, jump_read=cg,
             jump_write=cg)
        emit("DPTWISE", LOAD if n == 0 else 0,
             SAVE if y0 + rows == out.h else 0,
             bank_id_in=bank, bank_addr_in=a[0], pad_top=int(y0 == 0),
             channel_group=cg, bank_id_out=GROUP1 + y0 % PP,
             bank_addr_out=y0 // PP * pitch,
             pad_bottom=edge(image.h, y0 + rows, 3, 1, 1),
             channel_offset=cg * CP - image.c, length=out.w,
             bank_addr_in_1=a[1], pad_left=1, bank_addr_weights=100,
             bank_addr_in_2=a[2], pad_right=1, bank_addr_bias=3,
             bank_addr_in_3=a[3])
    save(out, GROUP1, MISC, by_save)


def addition(name, a, b, out, shift_b, at_once, by_save):
    """a + b / 2^shift_b, ReLU; b lies behind a in the banks."""
    out.fill(lambda y, x, c: rnd(
        max(4 * a.get(y, x, c) + (4 * b.get(y, x, c) >> shift_b), 0), 2))
    code.layer(name, 0)
    cg = words(a.c)
    pitch = a.w * cg
    second = -(-a.h // PP) * pitch
    for image, base in ((a, 0), (b, second)):
        for r in range(a.h):
            load(SAVE if r == 0 and base == 0 else 0,
                 MISC if r == a.h - 1 and base else 0,
                 GROUP0 + r % PP, base + r // PP * pitch, image.reg,
                 image.addr + r * a.w * a.c, a.c, a.w)
    for n, (y0, rows) in enumerate(blocks(a.h, at_once)):
        for k, base in enumerate((0, second)):
            emit("ELEWINIT", LOAD if n == 0 and k == 0 else 0, 0,
                 bank_id_in=GROUP0 + y0 % PP, shift_read=shift_b if k else 0,
                 jump_read=cg, id=k, jump_read_endl=pitch,
                 bank_addr_in=base + y0 // PP * pitch)
        emit("ELEW", 0, SAVE if y0 + rows == a.h else 0,
             bank_id_out=GROUP1 + y0 % PP, shift_write=0, jump_write=cg,
             channel_group=cg, length=a.w, act_type=1,
             bank_addr_out=y0 // PP * pitch, num=2,
             valid_pixel_parallel=rows, jump_write_endl=pitch)
    save(out, GROUP1, MISC, by_save)


def main():
    rng = net.Random(31)
    h, w, c_in, c = 22, 14, 5, 20
    image = net.Image(h, w, c_in, 4, 0, rng.bytes(h * w * c_in, -100, 100))
    size = h * w * c
    conv = net.Image(h, w, c, 1, 0)
    small = net.Image(h // 2, w // 2, c, 1, size)
    quarter = len(small.data)
    deep = net.Image(h // 2, w // 2, c, 1, size + quarter)
    total = net.Image(h // 2, w // 2, c, 1, size + 2 * quarter)
    result = net.Image(h // 2, w // 2, c, 5, 0)
    convolution("conv", image, conv, rng, 7, 4, LOAD)
    max_pool("pool", conv, small, LOAD)
    if BUILD == "DWC":
        depthwise("depthwise", small, deep, rng, 6, 3, LOAD)
    else:
        deep = small
    addition("add", deep, small, total, 1, 2 if BUILD == "ELP2" else 1, LOAD)
    # END waits for the last SAVE.
    average_pool("average", total, result, SAVE)
    net.Code.emit(code, "END", SAVE, SAVE if TOKENS == "self" else 0)

    os.makedirs(DIRECTORY, exist_ok=True)
    files = {
        "net.asm": ("\n".join(code.lines) + "\n").encode(),
        "layers.txt": ("\n".join(code.layers) + "\n").encode(),
        "reg0": bytes(code.params),
        "reg2": bytes(weights0),
        "reg3": bytes(weights1),
        "reg4": bytes(b & 0xFF for b in image.data),
        "expected5": bytes(b & 0xFF for b in result.data),
    }
    workspace = size + 3 * quarter
    memory = [(r, len(files["reg%d" % r]), "data") for r in (0, 2, 3, 4)]
    memory += [(1, workspace, "empty"), (5, len(result.data), "empty")]
    files["memory"] = "".join("%d %d %s\n" % row for row in memory).encode()
    for name, data in files.items():
        with open(os.path.join(DIRECTORY, name), "wb") as stream:
            stream.write(data)


main()
