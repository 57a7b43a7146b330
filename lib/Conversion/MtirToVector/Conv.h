//===- Conv.h - convolutions as the vector code sees them -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions, matrix products and fully connected layers are one problem:
// outputs of `group` groups over windows of an image. The input is read where
// it lies, or from a padded copy in which every window is inside, integers are
// shifted so that the machine's dot product takes them, and runs of
// neighbouring elements stay together:
//
//   sum over runs (rows of the kernel, or taps when taps are apart)
//     sum over the elements of a run, `depth` at a time
//
// Outputs are computed in tiles of rows x columns pixels by `vectors` vectors
// of channels, which stay in registers.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_CONV_H
#define XC_CONVERSION_MTIRTOVECTOR_CONV_H

#include "Epilogue.h"
#include "Function.h"
#include "Machine.h"

#include "Support/Memory.h"

#include "xc-c/FixedPoint.h"

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

typedef enum xc_finish_kind {
  XC_FINISH_FLOAT,
  XC_FINISH_TFLITE, // 32-bit multipliers, rounded twice
  XC_FINISH_ONNX,   // float factors, half to even
  XC_FINISH_FIX,    // a power of two
} xc_finish_kind;

/// Everything that the code of the last step depends on. The tables have one
/// entry per channel; see xc_conv_tables.
typedef struct xc_finish {
  xc_finish_kind kind;
  xc_epilogue epilogue;    // FLOAT
  XcActivation activation; // FIX
  int32_t zero_point;      // TFLITE, ONNX
  int64_t low, high;       // integers
  bool shifts_left;        // TFLITE: of some channel
  bool some_unshifted;     // TFLITE: some channel has no shift to the right
  XcRoundMode round_mode;  // FIX
  int shift;               // FIX: to the right; negative: to the left
  bool shifts_differ;      // FIX: they stand in a table; `shift` is the least
} xc_finish;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

typedef struct xc_conv {
  int64_t batch, in_h, in_w, in_c, out_h, out_w, out_c;
  int64_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int64_t top, left, group;
  bool depthwise;    // weight [KH, KW, C]
  bool transposed;   // split into phases before it is planned
  int64_t in_offset; // of the first element
  // Of all outputs, the ones from row out_y and column out_x on in these steps.
  int64_t out_step_h, out_step_w, out_y, out_x;
  bool rows; // a matrix product: dense rows
  xc_element in_element, out_element;
  int32_t input_zero;
  // Strides of the buffers in elements: batch, row, pixel.
  int64_t in_strides[XC_MAX_RANK], out_strides[XC_MAX_RANK];
  // [O, KH, KW, I / group], integers without their zero points.
  float *real_weights;
  int32_t *int_weights;
  // [O], never null.
  float *real_bias;
  int32_t *int_bias;
  xc_finish finish;
  // Per channel, by finish.kind.
  int32_t *multipliers, *right_shifts, *left_shifts; // TFLITE; FIX: the second
  float *factors;                                    // ONNX
  xc_arena arena;                                    // of the arrays above
} xc_conv;

/// Reads an operator that shall write to `output`. Returns false when it is
/// none that vector code is written for: weights that are no constant, element
/// types, arithmetic that could leave 32 bits, buffers with dynamic layouts.
/// The caller frees conv->arena in both cases.
bool xc_conv_read(MlirOperation operation, MlirValue output, xc_conv *conv);

/// A transposed convolution is several others, each for the outputs of one
/// phase of the strides; any other has one phase, itself. False for a phase
/// without outputs. Weights are in the arena of `conv`.
int64_t xc_conv_num_phases(const xc_conv *conv);
bool xc_conv_make_phase(xc_conv *conv, int64_t number, xc_conv *phase);

/// Turns strides of all outputs into those of the phase; gives the offset of
/// its first output.
int64_t xc_conv_step_strides(const xc_conv *conv, int64_t strides[XC_MAX_RANK]);

/// Reads what follows the sum of a quantised operator (Finish.c).
bool xc_conv_read_finish(const xc_adaptor *op, xc_conv *conv);

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

typedef struct xc_conv_plan {
  xc_machine machine;
  bool real;
  int64_t depth; // elements per dot product
  int64_t lanes; // channels per vector
  // Where windows are read: the input, or the padded copy.
  bool copy;
  int64_t copy_h, copy_w;             // pixels of the copy, or of a band's
  int64_t copy_rows;                  // of all bands
  int64_t copy_step_h, copy_step_w;   // pixels of the input between two of it
  int64_t row, pixel;                 // strides in elements
  int64_t source_group, output_group; // from one group to the next
  int64_t step_h, step_w;             // pixels between windows
  int64_t bias_of_bytes;              // added to the elements of the copy
  // Outputs in the loops: all of them in one row when the kernel is 1 x 1.
  bool one_row;
  int64_t out_h, out_w;
  // The copy is made for a band of rows of outputs at a time, so that it stays
  // in the cache. `shares` threads take bands, each with a copy of its own;
  // with 1, tiles are shared.
  int64_t band_h, bands, shares;
  // Runs of a window.
  int64_t runs_h, runs_w, run; // elements of a run
  int64_t steps;               // dot products of a run
  // Tiles and panels. A panel is vectors * lanes channels; the last panel of a
  // group may be smaller.
  int64_t tile_h, tile_w, vectors;
  int64_t panels; // full ones per group
  int64_t tail;   // channels of the last one, or 0
  int64_t tail_vectors;
  int64_t panel_elements, tail_elements; // packed weights of a panel
  int64_t group_channels;                // channels of a group in the tables
  bool panels_inside;                    // loop order: tiles, then panels
  int threads;                           // 1: no parallel loops
} xc_conv_plan;

/// Chooses how to compute it.
xc_conv_plan xc_conv_make_plan(const xc_conv *conv, const xc_machine *machine,
                               int threads);
/// Whether the work is enough to be shared. Of the plan, lanes and depth count.
bool xc_conv_is_worth_threads(const xc_conv *conv, const xc_conv_plan *plan);
/// Returns the number of channels of a vector, and the rest of the plan, of
/// depthwise convolutions.
int64_t xc_depthwise_lanes(const xc_conv *conv, const xc_machine *machine);
void xc_depthwise_choose_tiles(const xc_conv *conv, xc_conv_plan *plan);

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// State that the functions which write code share.
typedef struct xc_conv_code {
  xc_ir *ir;
  const xc_conv *conv;
  const xc_conv_plan *plan;
  MlirType element;     // of what dot products read
  MlirType accumulator; // vector of one panel column
  MlirValue source;     // flat: what windows are read from
  MlirValue input, output, residual, weights, scratch; // flat
  int64_t output_strides[XC_MAX_RANK], residual_strides[XC_MAX_RANK];
  int64_t output_offset, residual_offset;
  MlirValue band;    // first row of outputs
  MlirValue copy_at; // where the copy begins in scratch
  MlirValue tables[6];
} xc_conv_code;

/// Fills the padded copy of the image at `input_at`, of the band at row
/// code->band of outputs.
void xc_conv_write_copy(xc_conv_code *code, MlirValue input_at);

/// acc + products of `depth` elements that `a` has in every lane.
MlirValue xc_conv_dot(const xc_conv_code *code, MlirValue acc, MlirValue a,
                      MlirValue b);
/// Returns the elements at `at` + `offset` in every lane.
MlirValue xc_conv_spread(const xc_conv_code *code, MlirValue at,
                         int64_t offset);
/// Type of a vector of weights.
MlirType xc_conv_weight_type(const xc_conv_code *code);

/// A tile's place: offsets into source, weights, tables, output, residual.
typedef struct xc_conv_place {
  MlirValue source, weights, channel, output, residual;
} xc_conv_place;

/// Computes and stores a tile of `vectors` vectors, the last with `last` lanes.
void xc_conv_write_tile(xc_conv_code *code, const xc_conv_place *place,
                        int64_t vectors, int64_t last);

/// Adds what a tile of a depthwise convolution sums to `sums`.
void xc_depthwise_write_sums(const xc_conv_code *code,
                             const xc_conv_place *place, MlirValue *sums);

/// Returns the number of elements of a padded copy.
int64_t xc_conv_copy_size(const xc_conv_plan *plan);

/// Writes the outputs of a band of rows from `code->band` on.
typedef void (*xc_band_writer)(xc_conv_code *code, MlirValue image,
                               MlirValue share, void *state);
/// Loops over the bands of an image, shared by threads.
void xc_conv_write_bands(xc_conv_code *code, MlirValue image,
                         xc_band_writer write, void *state);
/// Writes all outputs of a band from what is in `code->source`.
void xc_conv_write_products(xc_conv_code *code, MlirValue image);

/// Adds the tables of the last step to a call and remembers their numbers.
typedef struct xc_conv_tables {
  size_t count, first;
} xc_conv_tables;
xc_conv_tables xc_conv_add_tables(xc_vec_call *call, const xc_conv *conv,
                                  const xc_conv_plan *plan);
/// Returns the number that starts a sum.
MlirValue xc_conv_bias(const xc_conv_code *code, MlirValue channel,
                       int64_t offset);
/// Turns a sum into an output vector; `residual` may be null.
MlirValue xc_conv_finish(const xc_conv_code *code, MlirValue sum,
                         MlirValue channel, int64_t offset, MlirValue residual);

/// Packed weights for the dot product, [group][panel][run][step][vector][lane]
/// [depth]. The caller frees.
void *xc_conv_pack(const xc_conv *conv, const xc_conv_plan *plan,
                   xc_element *element, int64_t *count);

/// Appends all that the code depends on.
void xc_conv_key(const xc_conv *conv, const xc_conv_plan *plan, xc_text *key);

#endif // XC_CONVERSION_MTIRTOVECTOR_CONV_H
