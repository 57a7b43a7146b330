#!/usr/bin/env python3
"""Writes a small network as DPU assembly, its data, and what it must compute.

usage: smallnet.py PP CP DIRECTORY

PP rows run in parallel, a word has CP channels. The network is a convolution,
a max pool, a depthwise convolution, an addition and a leaky ReLU, each from DDR
to DDR, in code as a compiler would emit it: rows in ring order over the banks,
padding by address, tokens where they are needed and no more.

Files: net.asm, layers.txt, reg0 (parameters), reg2 (input), expected3 (what
register 3 must hold), sizes (options for xc-run), memory (the sizes again).
"""

import os
import sys

PP, CP = int(sys.argv[1]), int(sys.argv[2])
GROUP0, GROUP1 = 0, PP
WEIGHTS, MISC_WEIGHTS, BIAS = 2 * PP, 2 * PP + CP, 2 * PP + CP + 1
DEPTH = 2048
LOAD, SAVE, CONV, MISC = 1, 2, 4, 8


class Random:
    def __init__(self, seed):
        self.x = seed

    def bytes(self, count, low, high):
        out = []
        for _ in range(count):
            self.x = (self.x * 1664525 + 1013904223) & 0xFFFFFFFF
            out.append(low + (self.x >> 16) % (high - low + 1))
        return out


# Arithmetic -----------------------------------------------------------------


def clamp(v):
    return max(-128, min(127, v))


def rnd(n, s):
    return clamp((n + (1 << (s - 1))) >> s if s > 0 else n << -s)


class Image:
    """Rows of pixels of channels, kept in DDR at register and address."""

    def __init__(self, h, w, c, reg, addr, data=None):
        self.h, self.w, self.c, self.reg, self.addr = h, w, c, reg, addr
        self.data = data or [0] * (h * w * c)

    def get(self, y, x, c, outside=0):
        if 0 <= y < self.h and 0 <= x < self.w:
            return self.data[(y * self.w + x) * self.c + c]
        return outside

    def fill(self, function):
        self.data = [
            function(y, x, c)
            for y in range(self.h)
            for x in range(self.w)
            for c in range(self.c)
        ]


# Code -----------------------------------------------------------------------


class Code:
    def __init__(self):
        self.lines, self.count, self.layers = [], 0, []
        self.params = bytearray()

    def emit(self, name, on, by, **fields):
        text = " ".join("%s %d" % item for item in fields.items())
        line = "%-8s %s %s %s" % (name, format(on, "04b"), format(by, "04b"), text)
        self.lines.append(line.rstrip())
        self.count += 1

    def layer(self, name, operations):
        self.layers.append("%d %d %s" % (self.count, operations, name))
        self.lines.append("# layer " + name)

    def param(self, data):
        while len(self.params) % 16:
            self.params.append(0)
        addr = len(self.params)
        self.params += bytes(b & 0xFF for b in data)
        return addr


code = Code()


def words(c):
    return -(-c // CP)


def load(on, by, bank, addr, reg, ddr, channel, length=1, step=None):
    code.emit(
        "LOAD", LOAD | on, LOAD | by,
        bank_id=bank, bank_addr=addr % DEPTH, jump_read=step or channel,
        jump_write=words(channel), pad_idx=1, channel=channel, length=length,
        pad_start=0, pad_end=0, mode_avg=0, broadcast=0, const_value=0,
        reg_id=reg, ddr_addr=ddr,
    )


class Stage:
    """Loads an image, runs one instruction per block of rows, saves."""

    def __init__(self, image, group, stride, kernel, pad):
        self.image, self.group, self.stride = image, group, stride
        self.kernel, self.pad = kernel, pad
        self.pitch = image.w * words(image.c)

    def load_rows(self, on, by):
        image, s = self.image, self.stride
        for r in range(image.h):
            block = r // (s * PP) * s * self.pitch + r % s * self.pitch
            load(
                on if r == 0 else 0, by if r == image.h - 1 else 0,
                self.group + r // s % PP, block, image.reg,
                image.addr + r * image.w * image.c, image.c, image.w,
            )

    def window(self, y0):
        """bank_id_in, stride_offset_in and the four addresses of a block."""
        s = self.stride
        r0 = y0 * s - self.pad
        first = r0 // (s * PP) * s * self.pitch
        left = self.pad * words(self.image.c)
        addresses = [
            (first + g * s * self.pitch - left) % DEPTH for g in range(4)
        ]
        return self.group + r0 // s % PP, r0 % s, addresses

    def save(self, out, group, on_first, by_last):
        """In pairs, one on each port; pairs keep the token of SAVE."""
        pitch = out.w * words(out.c)
        for y in range(out.h):
            lone = y == out.h - 1 and y % 2 == 0
            opens, closes = y % 2 == 0, y % 2 == 1 or lone
            code.emit(
                "SAVE",
                (SAVE if opens else 0) | (on_first if y == 0 else 0),
                (SAVE if closes else 0) | (by_last if y == out.h - 1 else 0),
                bank_id=group + y % PP, bank_addr=y // PP * pitch % DEPTH,
                hp_id=0 if opens else 1, argmax=0, jump_write=out.c,
                jump_read=words(out.c), channel=out.c, length=out.w,
                const_en=0, const_value=0, reg_id=out.reg,
                ddr_addr=out.addr + y * out.w * out.c,
            )


def blocks(h, rows):
    return [(y, min(rows, h - y)) for y in range(0, h, rows)]


def convolution(name, image, out, rng, shift_cut, shift_bias, on_load, by_save):
    """3x3, stride 1, pad 1, ReLU."""
    weights = rng.bytes(out.c * 9 * image.c, -20, 20)
    bias = rng.bytes(out.c, -60, 60)

    def value(y, x, o):
        acc = 0
        for i in range(3):
            for j in range(3):
                for c in range(image.c):
                    w = weights[((o * 3 + i) * 3 + j) * image.c + c]
                    acc += w * image.get(y + i - 1, x + j - 1, c)
        return rnd(max(2 * acc + (bias[o] << shift_bias), 0), shift_cut + 1)

    out.fill(value)
    code.layer(name, 2 * out.h * out.w * out.c * 9 * image.c)
    waddr, baddr = code.param(weights), code.param(bias)
    stage = Stage(image, GROUP0, 1, 3, 1)
    cg = words(image.c)
    load(on_load, 0, BIAS, 0, 0, baddr, out.c)
    for o in range(out.c):
        load(
            0, 0, WEIGHTS + o % CP, o // CP * 9 * cg, 0,
            waddr + o * 9 * image.c, image.c, 9,
        )
    stage.load_rows(0, CONV)
    pitch = out.w * words(out.c)
    for n, (y0, rows) in enumerate(blocks(out.h, PP)):
        bank, offset, a = stage.window(y0)
        code.emit(
            "CONVINIT", CONV, CONV, act_type=1, shift_cut=shift_cut,
            jump_read=cg, stride_out=1, shift_bias=shift_bias,
            jump_read_endl=stage.pitch, stride_h=1, kernel_h=3,
            valid_pixel_parallel=rows, stride_offset_in=offset,
            jump_write=words(out.c), stride_w=1, kernel_w=3,
            stride_offset_out=0, jump_write_endl=pitch,
        )
        for group in range(words(out.c)):
            first = n == 0 and group == 0
            last = y0 + rows == out.h and group == words(out.c) - 1
            code.emit(
                "CONV", CONV | (LOAD if first else 0), CONV | (SAVE if last else 0),
                pad_left=1, pad_top=1 if y0 == 0 else 0, bank_addr_in=a[0],
                channel_group=cg, pad_right=1,
                pad_bottom=min(15, image.h - 1 - (y0 + rows - 2)),
                bank_addr_out=(y0 // PP * pitch + group) % DEPTH, length=out.w,
                bank_id_in=bank, bank_addr_weights=group * 9 * cg,
                bank_addr_in_1=a[1], bank_id_out=GROUP1,
                bank_addr_bias=group, channel_offset=cg * CP - image.c,
                bank_addr_in_3=a[3], bank_addr_in_2=a[2],
            )
    stage.save(out, GROUP1, CONV, by_save)


def alu_layer(name, image, out, mode, kernel, stride, pad, on_load, by_save,
              operations=0, weights=None, bias=None, shift_cut=0, shift_bias=0,
              factor=0, shift_p=0, shift_n=0):
    code.layer(name, operations)
    stage = Stage(image, GROUP0, stride, kernel, pad)
    cg = words(image.c)
    if weights:
        load(on_load, 0, MISC_WEIGHTS, 0, 0, code.param(weights), image.c,
             kernel * kernel)
        load(0, 0, BIAS, 64, 0, code.param(bias), image.c)
        on_load = 0
    stage.load_rows(on_load, MISC)
    pitch = out.w * cg
    for n, (y0, rows) in enumerate(blocks(out.h, PP // 2)):
        bank, offset, a = stage.window(y0)
        code.emit(
            "ALUINIT", MISC, MISC, exec_mode=mode, kernel_h=kernel,
            kernel_w=kernel, stride_h=stride, stride_w=stride,
            stride_offset_in=offset, stride_offset_out=0, stride_out=1,
            channel_group=cg, channel_offset=cg * CP - image.c, length=out.w,
            shift_prelu_p=shift_p, act_type=0, shift_bias=shift_bias,
            shift_cut=shift_cut, shift_prelu_n=shift_n, multi_factor=factor,
            jump_read=cg, jump_read_endl=stage.pitch, jump_read_weights=cg,
            jump_write=cg, jump_write_endl=pitch,
        )
        code.emit(
            "ALU", MISC | (LOAD if n == 0 else 0),
            MISC | (SAVE if y0 + rows == out.h else 0),
            bank_id_out=GROUP1 + y0 % PP, bank_addr_out=y0 // PP * pitch,
            pad_bottom=max(0, min(kernel - 1,
                           image.h - 1 - ((y0 + rows - 1) * stride - pad))),
            valid_pixel_parallel=rows, bank_id_in=bank, bank_addr_in=a[0],
            pad_top=pad if y0 == 0 else 0, pad_left=pad,
            pad_right=max(0, min(kernel - 1,
                          image.w - 1 - ((out.w - 1) * stride - pad))),
            bank_addr_in_1=a[1], kernel_d=1, bank_addr_weights=0,
            bank_addr_in_2=a[2], bank_addr_bias=64, bank_addr_in_3=a[3],
        )
    stage.save(out, GROUP1, MISC, by_save)


def max_pool(name, image, out, on_load, by_save):
    out.fill(lambda y, x, c: max(
        image.get(2 * y + i, 2 * x + j, c, -128)
        for i in range(2) for j in range(2)))
    alu_layer(name, image, out, 3, 2, 2, 0, on_load, by_save)


def depthwise(name, image, out, rng, shift_cut, shift_bias, on_load, by_save):
    weights = rng.bytes(9 * image.c, -30, 30)
    bias = rng.bytes(image.c, -60, 60)

    def value(y, x, c):
        acc = sum(
            weights[(i * 3 + j) * image.c + c] * image.get(y + i - 1, x + j - 1, c)
            for i in range(3) for j in range(3))
        return rnd(2 * acc + (bias[c] << shift_bias), shift_cut + 1)

    out.fill(value)
    alu_layer(name, image, out, 0, 3, 1, 1, on_load, by_save,
              2 * 9 * len(out.data), weights, bias, shift_cut, shift_bias)


def leaky(name, image, out, on_load, by_save):
    def value(y, x, c):
        p = image.get(y, x, c)
        return rnd(p * 26, 8) if p < 0 else p

    out.fill(value)
    alu_layer(name, image, out, 4, 1, 1, 0, on_load, by_save,
              factor=26, shift_p=32, shift_n=32 + 8)


def addition(name, a, b, out, shift_b, on_load, by_save):
    """a + b / 2^shift_b; b lies behind a in the banks."""
    out.fill(lambda y, x, c: rnd(
        4 * a.get(y, x, c) + (4 * b.get(y, x, c) >> shift_b), 2))
    code.layer(name, 0)
    cg = words(a.c)
    pitch = a.w * cg
    second = -(-a.h // PP) * pitch
    for image, base, on, by in ((a, 0, on_load, 0), (b, second, 0, MISC)):
        for r in range(a.h):
            load(on if r == 0 else 0, by if r == a.h - 1 else 0,
                 GROUP0 + r % PP, base + r // PP * pitch, image.reg,
                 image.addr + r * a.w * a.c, a.c, a.w)
    for n, (y0, rows) in enumerate(blocks(a.h, PP // 2)):
        for k, base in enumerate((0, second)):
            code.emit(
                "ELEWINIT", MISC | (LOAD if n == 0 and k == 0 else 0), MISC,
                bank_id_in=GROUP0 + y0 % PP, share_pp=0, jump_bank=1, id=k,
                jump_read_endl=pitch, bank_addr_in=base + y0 // PP * pitch,
                shift_read=shift_b if k else 0, jump_read=cg,
            )
        code.emit(
            "ELEW", MISC, MISC | (SAVE if y0 + rows == a.h else 0),
            bank_id_out=GROUP1 + y0 % PP, elew_type=0, act_type=0, length=a.w,
            valid_pixel_parallel=rows, num=2, jump_write_endl=pitch,
            bank_addr_out=y0 // PP * pitch, channel_group=cg, shift_write=0,
            jump_write=cg,
        )
    Stage(a, GROUP0, 1, 1, 0).save(out, GROUP1, MISC, by_save)


def main():
    rng = Random(PP * 100 + CP)
    h, w, c_in, c = 22, 14, 5, CP + 4
    image = Image(h, w, c_in, 2, 0, rng.bytes(h * w * c_in, -100, 100))
    size = h * w * c
    conv = Image(h, w, c, 1, 0)
    pool = Image(h // 2, w // 2, c, 1, size)
    quarter = len(pool.data)
    deep = Image(h // 2, w // 2, c, 1, size + quarter)
    total = Image(h // 2, w // 2, c, 1, size + 2 * quarter)
    result = Image(h // 2, w // 2, c, 3, 0)
    convolution("conv", image, conv, rng, 7, 5, 0, LOAD)
    max_pool("pool", conv, pool, SAVE, LOAD)
    depthwise("depthwise", pool, deep, rng, 6, 4, SAVE, LOAD)
    addition("add", deep, pool, total, 1, SAVE, LOAD)
    leaky("leaky", total, result, SAVE, 0)
    code.emit("END", SAVE, SAVE)

    directory = sys.argv[3]
    os.makedirs(directory, exist_ok=True)

    def write(name, data):
        with open(os.path.join(directory, name), "wb") as stream:
            stream.write(data)

    write("net.asm", ("\n".join(code.lines) + "\n").encode())
    write("layers.txt", ("\n".join(code.layers) + "\n").encode())
    write("reg0", bytes(code.params))
    write("reg2", bytes(b & 0xFF for b in image.data))
    write("expected3", bytes(b & 0xFF for b in result.data))
    memory = "0 %d data\n1 %d empty\n2 %d data\n3 %d empty\n" % (
        len(code.params), size + 3 * quarter, len(image.data), len(result.data))
    write("memory", memory.encode())
    write("sizes", b"--reg-size 1=%d --reg-size 3=%d\n"
          % (size + 3 * quarter, len(result.data)))


if __name__ == "__main__":
    main()
