//===- TargetKeys.h - every key of a target file ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row per key: the loader, the printer, the validation messages and the
// reference in docs/targets.md expand this table.
//
//   KEY(path, kind, member, minimum, maximum, need, "meaning")
//
// Kinds: String, Int (int32_t), Int64, Flag (bool), Hex64 (a string such as
// "0x12"), Range ([minimum, maximum]), Pad (a Range whose maximum may be
// "kernel-1"), a set of names (Activations, AluModes, ElementwiseKinds,
// PoolKinds), Sizes (a list of numbers from 1 to 31), Registers (a list of
// register numbers), Engines (a list of numbers), Fingerprints (a list of such
// strings).
// Needs: Always; Section: when any other key of its section is there;
// Optional: the value is 0, or the row's minimum when that is negative;
// Derived: computed, printed, not read.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_TARGETKEYS_H
#define XC_TARGET_DPU_TARGETKEYS_H

// clang-format off
#define XC_DPU_BANKS_KEYS(KEY, section, member, need, what)                     \
  KEY(section ".first", Int, member.firstBank, -1, 63, Optional,               \
      "bank id of the first bank of the " what "; -1: not published")          \
  KEY(section ".groups", Int, member.numGroups, 0, 2, Optional,                \
      "groups of banks; 0 counts as 1")                                        \
  KEY(section ".count", Int, member.numBanks, 1, 64, need,                     \
      "banks in each group")                                                   \
  KEY(section ".width", Int, member.width, 1, 1024, need, "bytes per word")    \
  KEY(section ".depth", Int, member.depth, 1, 1 << 20, need, "words per bank")

#define XC_DPU_WINDOW_KEYS(KEY, section, member)                                \
  KEY(section ".rows", Int, member.rows, 1, 64, Section,                       \
      "output rows of one instruction at most")                                \
  KEY(section ".kernel_w", Range, member.kernelW, 1, 1 << 16, Section,         \
      "kernel width")                                                          \
  KEY(section ".kernel_h", Range, member.kernelH, 1, 1 << 16, Section,         \
      "kernel height")                                                         \
  KEY(section ".stride_w", Range, member.strideW, 1, 1 << 16, Section,         \
      "horizontal stride")                                                     \
  KEY(section ".stride_h", Range, member.strideH, 1, 1 << 16, Section,         \
      "vertical stride")                                                       \
  KEY(section ".stride_out", Range, member.strideOut, 1, 1 << 16, Section,     \
      "vertical stride of the consumer for which output rows are arranged")    \
  KEY(section ".pad_left", Pad, member.padLeft, 0, 1 << 16, Section,           \
      "padding on the left")                                                   \
  KEY(section ".pad_top", Pad, member.padTop, 0, 1 << 16, Section,             \
      "padding at the top")                                                    \
  KEY(section ".pad_right", Pad, member.padRight, 0, 1 << 16, Section,         \
      "padding on the right")                                                  \
  KEY(section ".pad_bottom", Pad, member.padBottom, 0, 1 << 16, Section,       \
      "padding at the bottom")                                                 \
  KEY(section ".activations", Activations, member.activations, 0, 0, Section,  \
      "activations that the engine applies")                                   \
  KEY(section ".shift_cut", Range, member.shiftCut, -64, 63, Optional,         \
      "right shift of the result in bits")                                     \
  KEY(section ".shift_bias", Range, member.shiftBias, -64, 63, Optional,       \
      "left shift of the bias in bits")

#define XC_DPU_TARGET_KEYS(KEY)                                                 \
  KEY("name", String, name, 0, 0, Always, "name of the target")                \
  KEY("description", String, description, 0, 0, Optional, "one line")          \
  KEY("isa", String, isa, 0, 0, Always, "name of the instruction table")       \
  KEY("fingerprint", Hex64, fingerprint, 0, 0, Optional,                       \
      "dpu_fingerprint of compiled models; 0: not published")                  \
  KEY("dpu_name", String, dpuName, 0, 0, Optional,                             \
      "name of the DPU in compiled models, if the target is a card; absent: "  \
      "its own")                                                               \
  KEY("older_fingerprints", Fingerprints, olderFingerprints, 0, 0, Optional,   \
      "others that a DPU of these sizes has, as from earlier compilers")                                  \
  KEY("parallel.pixel", Int, pixelParallel, 1, 64, Always,                     \
      "rows that the convolution engine computes together (PP)")               \
  KEY("parallel.input_channel", Int, inputChannelParallel, 1, 256, Always,    \
      "input channels of a cycle (ICP)")                                       \
  KEY("parallel.output_channel", Int, outputChannelParallel, 1, 256, Always,  \
      "output channels of a cycle (OCP)")                                      \
  KEY("parallel.channel", Int, channelParallel, 1, 256, Always,               \
      "channels of a bank word (CP)")                                          \
  KEY("parallel.batch", Int, batch, 0, 16, Optional,                           \
      "images that a core computes together; 0 counts as 1")                   \
  KEY("augmentation_max", Int, augmentationMax, 0, 1024, Optional,             \
      "largest kernel_w * channels that a LOAD packs into a pixel of a first " \
      "layer; 0: not published")                                               \
  XC_DPU_BANKS_KEYS(KEY, "banks.image", image, Always, "images")               \
  XC_DPU_BANKS_KEYS(KEY, "banks.weights", weights, Always,                     \
                    "convolution weights")                                     \
  XC_DPU_BANKS_KEYS(KEY, "banks.depthwise_weights", depthwiseWeights, Section, \
                    "depthwise weights")                                       \
  XC_DPU_BANKS_KEYS(KEY, "banks.bias", bias, Section, "bias")                  \
  XC_DPU_BANKS_KEYS(KEY, "banks.depthwise_bias", depthwiseBias, Section,       \
                    "bias of a separate depthwise engine")                     \
  KEY("banks.weights_broadcast", Int, weightsBroadcastBank, -1, 63, Optional,  \
      "bank id that stands for all weight banks; -1: none")                    \
  XC_DPU_WINDOW_KEYS(KEY, "conv", conv)                                        \
  KEY("conv.max_input_groups", Int, conv.maxInputGroups, 1, 1 << 16, Section,  \
      "input channels, in units of ICP")                                       \
  KEY("conv.max_output_groups", Int, conv.maxOutputGroups, 1, 1 << 16,         \
      Section, "output channels, in units of OCP")                             \
  KEY("conv.max_dilated_groups", Int, maxDilatedGroups, 0, 1 << 16, Optional,  \
      "dilation * input channels, in units of CP; 0: no limit")                \
  KEY("conv.dilation_needs_unit_stride", Flag, dilationNeedsUnitStride, 0, 0,  \
      Optional, "dilation only with stride 1")                                 \
  KEY("conv.max_fully_connected_groups", Int, maxFullyConnectedGroups, 0,      \
      1 << 16, Optional,                                                       \
      "input channels of a fully connected layer, in units of CP; 0: as conv") \
  KEY("conv.diagonal", Flag, convDiagonal, 0, 0, Optional,                     \
      "the engine computes depthwise convolutions, too, word by word")         \
  KEY("conv.transposed_whole_kernel", Flag, transposedWholeKernel, 0, 0,       \
      Optional, "a transposed convolution has the limits of its whole kernel " \
      "and stride, not of its phases")                                         \
  XC_DPU_WINDOW_KEYS(KEY, "alu", alu)                                          \
  KEY("alu.max_groups", Int, alu.maxInputGroups, 1, 1 << 16, Section,          \
      "channels, in units of CP")                                              \
  KEY("alu.modes", AluModes, aluModes, 0, 0, Section, "operations")            \
  KEY("alu.shift_pool", Range, aluShiftPool, -64, 63, Optional,                \
      "right shift of a pool's result in bits")                                \
  KEY("alu.max_reduce_kernel_w", Range, maxReduceKernelW, 1, 1 << 16,          \
      Optional, "kernel width of max-reduce")                                  \
  KEY("alu.max_reduce_kernel_h", Range, maxReduceKernelH, 1, 1 << 16,          \
      Optional, "kernel height of max-reduce")                                 \
  XC_DPU_WINDOW_KEYS(KEY, "pool", pool)                                        \
  KEY("pool.max_groups", Int, pool.maxInputGroups, 1, 1 << 16, Section,        \
      "channels, in units of CP")                                              \
  KEY("pool.kinds", PoolKinds, poolKinds, 0, 0, Section, "operations")         \
  KEY("pool.square_average", Flag, averagePoolSquareOnly, 0, 0, Optional,      \
      "average pools need kernel_w = kernel_h")                                \
  XC_DPU_WINDOW_KEYS(KEY, "depthwise", depthwise)                              \
  KEY("depthwise.max_groups", Int, depthwise.maxInputGroups, 1, 1 << 16,       \
      Section, "channels, in units of CP")                                     \
  KEY("depthwise.kernel_sizes", Sizes, depthwiseKernelSizes, 1, 31, Optional,  \
      "kernel widths and heights; absent: all from minimum to maximum")        \
  KEY("elementwise.rows", Int, elementwiseRows, 1, 64, Section,                \
      "output rows of one instruction at most")                                \
  KEY("elementwise.kinds", ElementwiseKinds, elementwiseKinds, 0, 0, Section,  \
      "operations")                                                            \
  KEY("elementwise.activations", Activations, elementwiseActivations, 0, 0,    \
      Section, "activations that the engine applies")                          \
  KEY("elementwise.operands", Int, elementwiseOperands, 1, 16, Section,        \
      "inputs of one operation at most")                                       \
  KEY("elementwise.broadcast", Flag, elementwiseBroadcast, 0, 0, Optional,     \
      "an input of one row or pixel can stand for all")                        \
  KEY("elementwise.max_groups", Int, elementwiseMaxGroups, 1, 1 << 16,         \
      Section, "channels, in units of CP")                                     \
  KEY("elementwise.shift_read", Range, elementwiseShiftRead, -64, 63, Section, \
      "right shift of an input in bits")                                       \
  KEY("elementwise.shift_write", Range, elementwiseShiftWrite, -64, 63,        \
      Section, "right shift of the result in bits")                            \
  KEY("load.constant", Flag, constantLoad, 0, 0, Optional,                     \
      "LOAD can fill a bank with a constant")                                  \
  KEY("save.argmax", Flag, argmax, 0, 0, Optional,                             \
      "SAVE can store the index of the largest channel")                       \
  KEY("save.ports", Int, savePorts, 1, 4, Always,                              \
      "SAVE instructions that can run at the same time")                       \
  KEY("clock_hz", Int64, clockHz, 1, INT64_C(10000000000), Always,            \
      "DPU clock in Hz")                                                       \
  KEY("host_cpu", String, hostCpu, 0, 0, Optional,                             \
      "processor of its boards, for which CPU subgraphs that need the plug-in "\
      "are compiled, too")                                                     \
  KEY("ports.count", Int, dataPorts, 1, 64, Always, "data ports of a core")    \
  KEY("ports.bytes", Int, portBytes, 1, 1024, Always,                          \
      "bytes that a port moves in a cycle")                                    \
  KEY("ddr.bytes_per_second", Int64, ddrBytesPerSecond, 1, INT64_C(1) << 50,   \
      Always, "bandwidth of the memory")                                       \
  KEY("ddr.address_bits", Int, addressBits, 8, 48, Always,                     \
      "bits of a byte address from a base register on")                         \
  KEY("code.alignment", Int, codeAlignment, 1, 1 << 20, Always,                \
      "alignment of machine code in bytes")                                    \
  KEY("parameters.alignment", Int, parameterAlignment, 1, 1 << 20, Always,     \
      "alignment of a block of parameters in bytes")                           \
  KEY("registers.count", Int, numRegisters, 1, 64, Always,                     \
      "base-address registers")                                                \
  KEY("registers.parameters", Int, parametersRegister, 0, 63, Always,          \
      "register of the parameters (of the bias where weights are apart)")      \
  KEY("registers.workspace", Int, workspaceRegister, 0, 63, Always,            \
      "register of the intermediate tensors")                                  \
  KEY("registers.input", Int, inputRegister, 0, 63, Always,                    \
      "register of the inputs")                                                \
  KEY("registers.output", Int, outputRegister, 0, 63, Always,                  \
      "register of the outputs")                                               \
  KEY("registers.weights", Registers, weightsRegister, 0, 63, Always,          \
      "registers of the convolution weights; each group of OCP output "        \
      "channels is split over them in equal parts")                            \
  KEY("card.engines", Engines, coreEngines, 1, 16, Optional,                   \
      "engines of each core of a card or board; those of a core run one "      \
      "program in step, each on an image of its own, and share the "           \
      "parameters")                                                            \
  KEY("tokens.self", Int, selfTokens, 0, 15, Always,                           \
      "tokens of a queue to itself at the start")                              \
  KEY("timing.conv_start", Int, timing.convStart, 0, 1 << 20, Always,          \
      "cycles of a CONV besides its work")                                     \
  KEY("timing.alu_start", Int, timing.aluStart, 0, 1 << 20, Always,            \
      "cycles of an ALU, POOL or DPTWISE besides its work")                    \
  KEY("timing.elementwise_start", Int, timing.elementwiseStart, 0, 1 << 20,    \
      Always, "cycles of an ELEW besides its work")                            \
  KEY("timing.init", Int, timing.initCycles, 0, 1 << 20, Always,               \
      "cycles of a CONVINIT, ALUINIT, ELEWINIT, POOLINIT or DWINIT")           \
  KEY("timing.end", Int, timing.endCycles, 0, 1 << 20, Always,                 \
      "cycles of END")                                                         \
  KEY("timing.load_start", Int, timing.loadStart, 0, 1 << 20, Always,          \
      "cycles of a LOAD before its first byte moves")                          \
  KEY("timing.save_start", Int, timing.saveStart, 0, 1 << 20, Always,          \
      "cycles of a SAVE before its first byte moves")                          \
  KEY("timing.burst_bytes", Int, timing.burstBytes, 1, 1 << 16, Always,        \
      "a contiguous run is rounded up to this many bytes")                     \
  KEY("timing.load_bytes_per_cycle", Int, timing.loadBytesPerCycle, 1,         \
      1 << 16, Always, "bytes that one LOAD moves in a cycle at most")         \
  KEY("timing.save_bytes_per_cycle", Int, timing.saveBytesPerCycle, 1,         \
      1 << 16, Always, "bytes that one SAVE moves in a cycle at most")         \
  KEY("timing.weights_bytes_per_cycle", Int, timing.weightsBytesPerCycle, 0,   \
      1 << 16, Optional,                                                       \
      "bytes that one LOAD of all weight banks moves in a cycle from each "    \
      "register; 0: parameters have no ports of their own")                    \
  KEY("timing.depthwise_positions_per_cycle", Int,                             \
      timing.depthwisePositionsPerCycle, 0, 1 << 10, Optional,                 \
      "kernel positions that a DPTWISE computes in a cycle; 0 counts as 1")    \
  KEY("derived.peak_macs_per_cycle", Int64, derived.peakMacsPerCycle, 0, 0,    \
      Derived, "PP * ICP * OCP * batch")                                       \
  KEY("derived.peak_ops_per_cycle", Int64, derived.peakOpsPerCycle, 0, 0,      \
      Derived, "two per multiply-accumulate")                                  \
  KEY("derived.peak_ops_per_second", Int64, derived.peakOpsPerSecond, 0, 0,    \
      Derived, "at clock_hz")                                                  \
  KEY("derived.num_banks", Int, derived.numBanks, 0, 0, Derived,               \
      "one more than the largest bank id; 0: not published")                   \
  KEY("derived.image_bytes", Int64, derived.imageBytes, 0, 0, Derived,         \
      "image memory")                                                          \
  KEY("derived.image_group_bytes", Int64, derived.imageGroupBytes, 0, 0,       \
      Derived, "image memory of one group")                                    \
  KEY("derived.weights_bytes", Int64, derived.weightsBytes, 0, 0, Derived,     \
      "convolution weight memory")                                             \
  KEY("derived.depthwise_weights_bytes", Int64,                                \
      derived.depthwiseWeightsBytes, 0, 0, Derived, "depthwise weight memory") \
  KEY("derived.bias_bytes", Int64, derived.biasBytes, 0, 0, Derived,           \
      "bias memory, of a separate depthwise engine included")                  \
  KEY("derived.max_conv_input_channels", Int, derived.maxConvInputChannels,    \
      0, 0, Derived, "conv.max_input_groups * ICP")                            \
  KEY("derived.max_conv_output_channels", Int, derived.maxConvOutputChannels,  \
      0, 0, Derived, "conv.max_output_groups * OCP")                           \
  KEY("derived.max_alu_channels", Int, derived.maxAluChannels, 0, 0, Derived,  \
      "alu.max_groups * CP")                                                   \
  KEY("derived.max_pool_channels", Int, derived.maxPoolChannels, 0, 0,         \
      Derived, "of the engine that pools")                                     \
  KEY("derived.max_depthwise_channels", Int, derived.maxDepthwiseChannels, 0,  \
      0, Derived, "of the engine that does depthwise convolutions")            \
  KEY("derived.max_elementwise_channels", Int,                                 \
      derived.maxElementwiseChannels, 0, 0, Derived,                           \
      "elementwise.max_groups * CP")                                           \
  KEY("derived.port_bytes_per_cycle", Int, derived.portBytesPerCycle, 0, 0,    \
      Derived, "all data ports together")                                      \
  KEY("derived.ddr_bytes_per_cycle", Int, derived.ddrBytesPerCycle, 0, 0,      \
      Derived, "the lesser of ports and memory")                               \
  KEY("derived.engines", Int, derived.engines, 0, 0, Derived,                  \
      "of all cores; 1 if the target is not a card")                              \
  KEY("derived.addressable_bytes", Int64, derived.addressableBytes, 0, 0,      \
      Derived, "from one base register on")
// clang-format on

#endif // XC_TARGET_DPU_TARGETKEYS_H
