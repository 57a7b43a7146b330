//===- DilatedRows.c - rows that dilated convolutions read ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution whose dilation is too large for a kernel with zeros in it is
// one without dilation for each position modulo the dilation. On a map that is
// hardly larger than the dilation each of these has a row or two of results,
// while the engine computes eight at a time. If the rows that the elements of
// the kernel read are copied next to each other, the kernel steps over them by
// its own height and there is no dilation between rows any more. Copies side by
// side along the width are such rows: a reshape moves nothing. Between columns
// the dilation stays, where the engine computes one at a time anyhow; but each
// of its phases loads the rows in pieces.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3, MOST_ROWS = 16 };

/// The convolution.
typedef struct rows_plan {
  xc_window window;
  xc_shape input, result;
  bool is_of_dpu; // the input
} rows_plan;

/// Returns the number of rows from the first to the last one that is read, with
/// padding.
static int64_t padded_rows(const rows_plan *p) {
  const xc_window_axis *h = &p->window.h;
  return (h->kernel - 1) * h->dilation + h->outputs;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Returns the number of steps of the convolution engine for so many rows, with
/// those that stay empty: for each column, element of the kernel and word of
/// channels.
static int64_t engine_steps(const XcDpuTarget *target, const rows_plan *p,
                            int64_t rows) {
  const xc_window_axis *w = &p->window.w, *h = &p->window.h;
  int64_t inputs =
      xc_ceil_div64(p->input.dims[CHANNELS], target->inputChannelParallel);
  int64_t outputs =
      xc_ceil_div64(p->result.dims[CHANNELS], target->outputChannelParallel);
  return xc_ceil_div64(rows, target->conv.rows) * w->outputs * w->kernel *
         h->kernel * inputs * outputs;
}

/// Returns the cycles of a convolution that loads so many rows, in as many
/// pieces as there are phases of columns. Loads and the engine run at the same
/// time.
static int64_t cycles_with(const XcDpuTarget *target, const rows_plan *p,
                           int64_t steps, int64_t rows) {
  xc_conv_axis w = xc_conv_axis_of(&p->window.w);
  int64_t loads = rows * xc_dilation_phases(&w) * target->timing.loadStart;
  return steps > loads ? steps : loads;
}

/// Returns the cycles of the convolution as it is.
static int64_t cycles_now(const XcDpuTarget *target, const rows_plan *p) {
  const xc_conv_axis axes[XC_CONV_AXES] = {
      [XC_CONV_WIDTH] = xc_conv_axis_of(&p->window.w),
      [XC_CONV_HEIGHT] = xc_conv_axis_of(&p->window.h)};
  const xc_conv_axis *w = &axes[XC_CONV_WIDTH], *h = &axes[XC_CONV_HEIGHT];
  int64_t phases = xc_dilation_phases(h);
  int64_t each = xc_ceil_div64(h->outputs, phases);
  int64_t apart = cycles_with(target, p, engine_steps(target, p, each) * phases,
                              p->window.h.inputs);
  if (!xc_dilation_fits_expanded(target, false, p->input.dims[CHANNELS], axes))
    return apart;
  int64_t expanded = engine_steps(target, p, h->outputs) * xc_conv_span(w) *
                     xc_conv_span(h) / (w->kernel * h->kernel);
  return expanded < apart ? expanded : apart;
}

/// The same with copied rows. A word is copied in one step.
static int64_t cycles_with_copies(const XcDpuTarget *target,
                                  const rows_plan *p) {
  const xc_window_axis *w = &p->window.w, *h = &p->window.h;
  int64_t rows = h->kernel * h->outputs;
  int64_t copied =
      (rows + (p->is_of_dpu ? 0 : padded_rows(p))) * w->inputs *
      xc_ceil_div64(p->input.dims[CHANNELS], target->inputChannelParallel);
  int64_t steps = engine_steps(target, p, h->outputs);
  return cycles_with(target, p, steps, rows) + copied;
}

/// Whether a twentieth of the time, at least, is saved.
static bool is_faster(const XcDpuTarget *target, const rows_plan *p) {
  return 20 * cycles_with_copies(target, p) <= 19 * cycles_now(target, p);
}

static bool can_copy(const XcDpuTarget *target, const rows_plan *p) {
  const xc_window_axis *w = &p->window.w, *h = &p->window.h;
  bool has_rows = h->kernel > 1 && h->kernel <= MOST_ROWS && h->stride == 1 &&
                  h->before >= 0 && h->inputs > 0 && h->outputs > 0;
  // No element of the kernel reads padding alone.
  bool meets_image = h->before < h->outputs &&
                     (h->kernel - 1) * h->dilation - h->before < h->inputs;
  return has_rows && meets_image && h->dilation > 1 &&
         !(target->dilationNeedsUnitStride && w->dilation > 1) &&
         xc_target_takes_conv(target, w->kernel, h->kernel,
                              p->input.dims[CHANNELS],
                              p->result.dims[CHANNELS]) &&
         xc_engine_takes_window(&target->conv, w->kernel, h->kernel, w->stride,
                                h->kernel);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Returns all rows of a window below each other. The DPU joins what it has
/// itself: it pads what the CPU gives, and then takes the parts.
static MlirValue copy_rows(xc_rewriter *rewriter, const xc_adaptor *root,
                           const rows_plan *p) {
  MlirValue parts[MOST_ROWS], input = xc_operand(root, XC_CONV2D_INPUT);
  size_t count = (size_t)p->window.h.kernel;
  int64_t first = -p->window.h.before;
  if (!p->is_of_dpu) {
    input = xc_rewrite_span(rewriter, input, HEIGHT, first, padded_rows(p));
    first = 0;
  }
  for (size_t i = 0; i < count; ++i)
    parts[i] = xc_rewrite_span(rewriter, input, HEIGHT,
                               (int64_t)i * p->window.h.dilation + first,
                               p->window.h.outputs);
  MlirValue beside =
      xc_rewrite_join(rewriter, parts, count, WIDTH,
                      xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT));
  xc_shape shape = p->input;
  shape.dims[HEIGHT] = p->window.h.outputs * p->window.h.kernel;
  return xc_rewrite_reshape(rewriter, beside, &shape);
}

static rows_plan plan_of(const xc_adaptor *root) {
  return (rows_plan){.window = xc_window_of(root),
                     .input = xc_operand_shape(root, XC_CONV2D_INPUT),
                     .result = xc_value_shape(xc_result_of(root)),
                     .is_of_dpu =
                         xc_is_of_dpu(xc_operand(root, XC_CONV2D_INPUT))};
}

int64_t xc_dilated_rows_cycles(const XcDpuTarget *target,
                               const xc_adaptor *conv) {
  const rows_plan p = plan_of(conv);
  return can_copy(target, &p) && is_faster(target, &p)
             ? cycles_with_copies(target, &p)
             : cycles_now(target, &p);
}

bool xc_legalize_dilated_rows(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  const rows_plan p = plan_of(root);
  if (xc_attr_int(root, XC_ATTR_GROUP) != 1 ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !can_copy(target, &p) || !is_faster(target, &p))
    return false;
  const MlirValue operands[] = {copy_rows(rewriter, root, &p),
                                xc_operand(root, XC_CONV2D_WEIGHT),
                                xc_operand_or_null(root, XC_CONV2D_BIAS)};
  int64_t stride[XC_MAX_INTS], pad[XC_MAX_INTS], dilation[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_STRIDE, stride);
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  xc_attr_ints(root, XC_ATTR_DILATION, dilation);
  stride[1] = p.window.h.kernel;
  pad[2] = pad[3] = 0;
  dilation[1] = 1;
  const xc_attribute changes[] = {xc_ints("stride", stride, 2),
                                  xc_ints("pad", pad, 4),
                                  xc_ints("dilation", dilation, 2)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, changes, 3));
}
