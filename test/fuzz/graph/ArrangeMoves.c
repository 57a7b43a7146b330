//===- ArrangeMoves.c - reshapes, slices, pads, resizes -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

bool fuzz_arrange_reshape(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  // Neighbouring dimensions join, or one splits.
  int64_t shape[XC_MAX_RANK];
  size_t rank = 0;
  bool keeps_batch = gen->setting->mode == FUZZ_DPU;
  for (size_t i = 0; i < input->shape.rank; ++i) {
    bool joins =
        rank > (keeps_batch ? 1u : 0u) && fuzz_chance(&gen->random, 40);
    if (joins)
      shape[rank - 1] *= input->shape.dims[i];
    else
      shape[rank++] = input->shape.dims[i];
  }
  if (rank < 4 && fuzz_chance(&gen->random, 40) && shape[rank - 1] % 2 == 0) {
    shape[rank - 1] /= 2;
    shape[rank++] = 2;
  }
  size_t left_open = (size_t)fuzz_range(&gen->random, 0, 9);
  if (left_open < rank)
    shape[left_open] = -1;
  fuzz_add_ints(draft, "shape", shape, rank);
  return true;
}

bool fuzz_arrange_flatten(fuzz_draft *draft) {
  const fuzz_value *input = &draft->inputs[0];
  int64_t rank = (int64_t)input->shape.rank;
  int64_t start = fuzz_range(&draft->gen->random, 0, rank - 1);
  fuzz_add_int(draft, "start_axis", start);
  fuzz_add_int(draft, "end_axis",
               fuzz_range(&draft->gen->random, start, rank - 1));
  return true;
}

bool fuzz_arrange_squeeze(fuzz_draft *draft) {
  const fuzz_value *input = &draft->inputs[0];
  int64_t axes[XC_MAX_RANK];
  size_t count = 0;
  for (size_t i = 0; i < input->shape.rank; ++i)
    if (input->shape.dims[i] == 1 && fuzz_chance(&draft->gen->random, 70))
      axes[count++] = (int64_t)i;
  fuzz_add_ints(draft, "axis", axes, count);
  return true;
}

bool fuzz_arrange_transpose(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  int64_t order[XC_MAX_RANK];
  int64_t rank = (int64_t)input->shape.rank;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t at = fuzz_range(&gen->random, 0, i);
    order[i] = order[at];
    order[at] = i;
  }
  fuzz_add_ints(draft, "order", order, (size_t)rank);
  return true;
}

bool fuzz_arrange_expand(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  int64_t shape[XC_MAX_RANK];
  size_t lead = fuzz_chance(&gen->random, 30) ? 1 : 0, rank = 0;
  if (lead)
    shape[rank++] = fuzz_range(&gen->random, 1, 3);
  for (size_t i = 0; i < input->shape.rank; ++i) {
    int64_t size = input->shape.dims[i];
    shape[rank++] = size == 1 ? fuzz_range(&gen->random, 1, 5) : size;
  }
  fuzz_add_ints(draft, "shape", shape, rank);
  return true;
}

bool fuzz_arrange_slice(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  const fuzz_value *input = &draft->inputs[0];
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], strides[XC_MAX_RANK];
  size_t rank = input->shape.rank;
  bool strided = fuzz_chance(r, gen->setting->mode == FUZZ_DPU ? 10 : 50);
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = input->shape.dims[i];
    begin[i] = 0;
    end[i] = size;
    strides[i] = strided ? FUZZ_PICK(r, 1, 1, 2, 3, -1, -2) : 1;
    bool is_whole = fuzz_is_shuffled(gen) && i + 1 < rank;
    if (fuzz_chance(r, is_whole ? 10 : 50)) {
      begin[i] = fuzz_range(r, 0, size - 1);
      end[i] = fuzz_range(r, begin[i] + 1, size);
    }
    if (strides[i] < 0) {
      int64_t first = end[i] - 1;
      end[i] = begin[i] == 0 ? INT32_MIN : begin[i] - 1;
      begin[i] = first;
    } else if (fuzz_chance(r, 20)) {
      begin[i] -= size; // counts from the end
    }
  }
  if (fuzz_want(gen, XC_FACT_SLICE_STRIDE, 1) > 1)
    strides[1] = gen->wanted[XC_FACT_SLICE_STRIDE];
  fuzz_add_ints(draft, "begin", begin, rank);
  fuzz_add_ints(draft, "end", end, rank);
  fuzz_add_ints(draft, "strides", strides, rank);
  return true;
}

bool fuzz_arrange_pad(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  const fuzz_value *input = &draft->inputs[0];
  static const char *const modes[] = {"CONSTANT", "CONSTANT", "REFLECT",
                                      "SYMMETRIC", "EDGE"};
  const char *mode = modes[fuzz_range(r, 0, 4)];
  bool spatial = fuzz_chance(r, 80), crops = fuzz_chance(r, 10);
  int64_t paddings[2 * XC_MAX_RANK] = {0};
  size_t rank = input->shape.rank;
  for (size_t i = 0; i < rank; ++i)
    for (size_t side = 0; side < 2; ++side)
      if (!spatial || (rank == 4 && (i == 1 || i == 2)))
        paddings[2 * i + side] = fuzz_range(r, crops ? -1 : 0, 3);
  fuzz_add_word(draft, "mode", mode);
  fuzz_add_ints(draft, "paddings", paddings, 2 * rank);
  return true;
}

bool fuzz_arrange_space(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  static const char *const names[] = {"scale", "stride"};
  static const char *const directions[] = {"upscale", "reverse"};
  int64_t scale =
      fuzz_want(gen, XC_FACT_SCALE, FUZZ_PICK(&gen->random, 1, 2, 2, 3, 4));
  bool flag = fuzz_chance(&gen->random, 50);
  bool shuffles = fuzz_has(draft, directions[0], XC_ATTRIBUTE_BOOL);
  bool reads_channels = flag; // many channels become pixels
  fuzz_request request = fuzz_request_of(draft, 0, true);
  int64_t unit = fuzz_range(&gen->random, 1, 12);
  if (reads_channels)
    request.dims[3] = scale * scale * unit;
  else
    for (int i = 1; i <= 2; ++i)
      request.dims[i] = scale * fuzz_range(&gen->random, 1, 6);
  fuzz_value input;
  if (!fuzz_request_value(gen, &request, &input))
    return false;
  fuzz_add_input(draft, &input);
  for (int i = 0; i < 2; ++i)
    fuzz_add_int(draft, names[i], scale);
  fuzz_add_bool(draft, directions[!shuffles], flag);
  return true;
}

bool fuzz_arrange_blocks(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  bool gathers = draft->info->rule == XC_RULE_BATCH_TO_SPACE;
  int64_t block[] = {fuzz_range(r, 1, 3), fuzz_range(r, 1, 3)};
  int64_t border[4];
  fuzz_request request = fuzz_request_of(draft, 0, true);
  if (gathers)
    request.dims[0] = block[0] * block[1] * fuzz_range(r, 1, 2);
  fuzz_value input;
  if (!fuzz_request_value(gen, &request, &input))
    return false;
  for (int axis = 0; axis < 2; ++axis) {
    int64_t size = input.shape.dims[2 - axis];
    int64_t before = fuzz_range(r, 0, 1);
    int64_t after =
        gathers ? 0
                : (block[axis] - (size + before) % block[axis]) % block[axis];
    border[2 * axis] = before;
    border[2 * axis + 1] = after;
  }
  fuzz_add_input(draft, &input);
  fuzz_add_ints(draft, "block_shape", block, 2);
  fuzz_add_ints(draft, gathers ? "crops" : "paddings", border, 4);
  return true;
}

// Most sizes are multiples, as those of networks; with aligned corners the
// first and the last pixel lie a multiple of the distance apart.
static int64_t some_resized(fuzz_random *r, int64_t size, bool aligns) {
  int64_t factor = FUZZ_PICK(r, 1, 2, 2, 3, 4, 8);
  return !fuzz_chance(r, 60) ? fuzz_range(r, 1, 24)
         : aligns            ? (size - 1) * factor + 1
                             : size * factor;
}

// The size, and now and then what takes the place of the ratio in the formula.
static void add_resize(fuzz_draft *draft) {
  enum { ROI = 4 };
  fuzz_random *r = &draft->gen->random;
  const int64_t *dims = draft->inputs[0].shape.dims;
  bool aligns = fuzz_chance(r, 30); // the two exclude each other
  fuzz_add_bool(draft, "align_corners", aligns);
  fuzz_add_bool(draft, "half_pixel_centers", !aligns && fuzz_chance(r, 50));
  int64_t size[2];
  float scale[2], roi[ROI];
  for (int axis = 0; axis < 2; ++axis) {
    size[axis] = some_resized(r, dims[2 - axis], aligns);
    // A size is rounded down.
    scale[axis] = ((float)size[axis] + (fuzz_chance(r, 50) ? 0 : 0.5F)) /
                  (float)dims[2 - axis];
    roi[axis] = (float)fuzz_real(r, -0.2, 0.6);
    roi[2 + axis] = roi[axis] + (float)fuzz_real(r, 0.1, 0.7);
  }
  fuzz_add_ints(draft, "size", size, 2);
  if (fuzz_chance(r, 25))
    fuzz_add_floats(draft, "scale", scale, 2);
  if (fuzz_chance(r, 25))
    fuzz_add_floats(draft, "roi", roi, ROI);
}

bool fuzz_arrange_resample(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  bool wants = fuzz_want(gen, XC_FACT_OUTPUT_C, -1) >= 0;
  if (wants)
    gen->wanted[XC_FACT_INPUT_C] = gen->wanted[XC_FACT_OUTPUT_C];
  if (!fuzz_add_first(draft, true))
    return false;
  const int64_t scale[] = {
      fuzz_want(gen, XC_FACT_STRIDE_W, fuzz_range(r, 1, 4)),
      fuzz_want(gen, XC_FACT_STRIDE_H, fuzz_range(r, 1, 4))};
  fuzz_add_ints(draft, "scale", scale, 2);
  if (fuzz_has(draft, "size", XC_ATTRIBUTE_INTS))
    add_resize(draft);
  return true;
}
