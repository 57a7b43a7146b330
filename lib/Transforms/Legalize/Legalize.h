//===- Legalize.h - the patterns of tir-legalize ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_LEGALIZE_LEGALIZE_H
#define XC_TRANSFORMS_LEGALIZE_LEGALIZE_H

#include "OpParams/Window.h"
#include "Target/DPU/Dilation.h"
#include "Transforms/Patterns/Pattern.h"

#define PATTERN(function, name, roots, statement)                              \
  bool xc_legalize_##function(xc_rewriter *rewriter, const xc_adaptor *root);
#include "Patterns.def"
#undef PATTERN

/// Applies the rows that are FLOAT_PATTERN to a function, for a pass that makes
/// operators in floating point and fixed point of them.
bool xc_legalize_floats(MlirOperation function, const char *target);

/// Whether the target's convolution engine takes a kernel of this size between
/// so many channels.
bool xc_target_takes_conv(const XcDpuTarget *target, int64_t kernel_w,
                          int64_t kernel_h, int64_t inputs, int64_t outputs);
/// Whether the target's depthwise engine multiplies the channels of an int8
/// image of this shape by numbers, and adds numbers to them.
bool xc_target_takes_channels(const XcDpuTarget *target, const xc_shape *shape);
/// Whether an engine (null: there is none) takes this kernel and stride.
bool xc_engine_takes_window(const XcDpuEngine *engine, int64_t kernel_w,
                            int64_t kernel_h, int64_t stride_w,
                            int64_t stride_h);
/// Whether its convolutions of so many channels can be dilated.
bool xc_target_takes_dilation(const XcDpuTarget *target, int64_t inputs,
                              int64_t largest, bool has_unit_stride);
/// Returns the engine of a conv2d-fix or depthwise-conv2d-fix; null where the
/// target has none.
const XcDpuEngine *xc_engine_of_conv(const XcDpuTarget *target,
                                     const xc_adaptor *conv);
bool xc_range_has(XcDpuRange range, int64_t value);
/// Returns an axis of a window as the rules for dilation take it.
xc_conv_axis xc_conv_axis_of(const xc_window_axis *axis);

/// Whether `nonlinear` is one that convolutions have in common with products
/// and sums.
bool xc_has_plain_activation(const xc_adaptor *adaptor);

/// Writes a constant whose element `i` is element `from[i]` of another, or
/// zero where that is negative.
MlirValue xc_rewrite_gather(xc_rewriter *rewriter, MlirValue constant,
                            const int64_t *from, const xc_shape *shape);

/// Puts the convolution in the place of `root`, as one of `kind` whose weights
/// are gathered; changes as in xc_rewrite_like. Returns false when the weights
/// are not known.
bool xc_replace_conv(xc_rewriter *rewriter, const xc_adaptor *root,
                     xc_op_kind kind, const int64_t *from,
                     const xc_shape *shape, const xc_attribute *changes,
                     size_t num_changes);

/// Some neighbouring elements of a kernel.
typedef struct xc_kernel_part {
  int64_t first_h, count_h, first_w, count_w;
} xc_kernel_part;

/// Returns where the weights [o, h, w, c] of such a part are among those of the
/// kernel, for xc_rewrite_gather. `shape` is that of the kernel and becomes
/// that of the part.
const int64_t *xc_kernel_part_elements(xc_rewriter *rewriter,
                                       const xc_kernel_part *part,
                                       xc_shape *shape);

/// Puts a convolution of these operands in the place of `root`, with another
/// kernel, stride and padding.
bool xc_replace_window(xc_rewriter *rewriter, const xc_adaptor *root,
                       const MlirValue operands[3], const int64_t kernel[2],
                       const int64_t stride[2], const int64_t pad[4]);

/// A movement between blocks of `scale` by `scale` pixels and channels.
typedef struct xc_blocks {
  int64_t scale;
  bool to_space;      // channels become pixels
  bool channel_first; // CRD: channel (c * scale + dy) * scale + dx
} xc_blocks;

/// Reads such a movement. Returns false for other operators.
bool xc_read_blocks(const xc_adaptor *adaptor, xc_blocks *blocks);
/// Returns the channel of the small image that holds pixel (y, x) of channel c
/// of the large image, which has `channels` of them.
int64_t xc_block_channel(const xc_blocks *blocks, int64_t channels, int64_t y,
                         int64_t x, int64_t c);

/// Reads [N, H, W, a * b] as [N, H, W, a, b], the last two exchanged, and back:
/// `parts` is a and b.
bool xc_read_channel_shuffle(const xc_adaptor *root, MlirValue *image,
                             int64_t parts[2]);

/// Returns the channel that such a shuffle moves to a channel of its result.
int64_t xc_channel_before_shuffle(const int64_t parts[2], int64_t channel);

/// Whether a layer computes a tensor, perhaps with activations, sums and moves
/// after it: what comes of it is for the DPU, that of boxes and scores is the
/// CPU's.
bool xc_is_of_layer(MlirValue value);

/// Whether an operator has computed a tensor, in fixed point, other than the
/// CPU's conversion from floats.
bool xc_is_of_dpu(MlirValue value);

/// Whether a tensor has integers of 8 bits.
bool xc_is_bytes(MlirValue value);

/// A convolution whose output channels may be others, as its weights are known,
/// and the activation that is all that reads it, if there is one.
typedef struct xc_activated_conv {
  xc_adaptor conv, activation;
  bool has_activation;
} xc_activated_conv;

/// Finds what computes a value. Returns false where it is something else.
bool xc_find_activated_conv(MlirValue value, xc_activated_conv *found);
/// Finds the convolution that computes a value with one use.
bool xc_find_only_used_conv(MlirValue value, xc_activated_conv *found);
/// Returns the convolution, with its activation, of which channel i is the old
/// from[i]; null when a constant has no content.
MlirValue xc_select_outputs(xc_rewriter *rewriter,
                            const xc_activated_conv *found, const int64_t *from,
                            int64_t count);
/// Reorders the channels of a value by those of the convolution that computes
/// it, perhaps before an activation: channel i of the result is channel
/// from[i]. Returns null where the value has other uses, or the convolution
/// cannot have its channels in another order.
MlirValue xc_reorder_channels(xc_rewriter *rewriter, MlirValue value,
                              const int64_t *from, int64_t count);

/// A 1x1 convolution with ones, in fixed point: channel o is channel from[o] of
/// the input, which has signed bytes, or `fill` where that is negative.
typedef struct xc_selection {
  const int64_t *from;
  int64_t count, point;
  int8_t fill;
} xc_selection;

MlirValue xc_rewrite_selection(xc_rewriter *rewriter, MlirValue input,
                               const xc_selection *s);
/// Builds such a convolution in floating point, of a channel for each output.
MlirValue xc_rewrite_float_selection(xc_rewriter *rewriter, MlirValue input,
                                     const int64_t *from, int64_t count);
/// Whether the target has one of so many outputs.
bool xc_takes_selection(const xc_rewriter *rewriter, MlirValue input,
                        int64_t outputs);

/// `size` elements of each dimension from `begin` on.
MlirValue xc_rewrite_cut(xc_rewriter *rewriter, MlirValue value,
                         const int64_t *begin, const int64_t *size);
/// Returns the entries first..first+count-1 of a tensor in fixed point along an
/// axis. Entries beyond the tensor are zero.
MlirValue xc_rewrite_span(xc_rewriter *rewriter, MlirValue input, size_t axis,
                          int64_t first, int64_t count);
/// Joins at most 16 tensors along an axis; the fix point is that of all when
/// they are int8.
MlirValue xc_rewrite_join(xc_rewriter *rewriter, const MlirValue *parts,
                          size_t count, int64_t axis, int64_t fix_point);

/// Like xc_target_takes_conv, of a convolution whose kernel may be cut into
/// pieces of its rows.
bool xc_target_takes_pieces(const XcDpuTarget *target, int64_t kernel_w,
                            int64_t kernel_h, int64_t inputs, int64_t outputs);
/// Returns the number of steps of the convolution engine for a row of the
/// result, and of moving words, where the kernel of a convolution is cut into
/// pieces of its columns; 0 where it is not.
int64_t xc_kernel_pieces_steps(const XcDpuTarget *target,
                               const xc_adaptor *conv);

/// Estimated cycles of a dilated convolution, with copied rows if that is what
/// dilated-rows makes of it.
int64_t xc_dilated_rows_cycles(const XcDpuTarget *target,
                               const xc_adaptor *conv);

#endif // XC_TRANSFORMS_LEGALIZE_LEGALIZE_H
