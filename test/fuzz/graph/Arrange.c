//===- Arrange.c - operands that fit together, by shape rule --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

// What jumps where its input changes a little, or divides by it.
static bool needs_exact(xc_op_kind kind) {
  switch (kind) {
  case XC_TIR_FLOOR:
  case XC_TIR_CEIL:
  case XC_TIR_ROUND:
  case XC_TIR_COMPARE:
  case XC_TIR_CAST:
  case XC_TIR_ARGMAX:
  case XC_TIR_TOPK:
  case XC_TIR_NMS:
  case XC_TIR_FIX:
  case XC_TIR_FLOAT2FIX:
  case XC_TIR_QUANTIZE_LINEAR:
  case XC_TIR_DIV:
  case XC_TIR_POW:
  case XC_TIR_EXP:
  case XC_TIR_LOG:
  case XC_TIR_RSQRT:
  case XC_TIR_SQRT:
  case XC_TIR_BATCHNORM:
    return true;
  default:
    return false;
  }
}

fuzz_request fuzz_request_of(const fuzz_draft *draft, size_t slot,
                             bool is_image) {
  uint32_t elements = draft->info->operands[slot].elements;
  fuzz_request request =
      is_image ? fuzz_image_request(elements) : fuzz_any_request(elements);
  request.needs_exact = needs_exact(draft->info->kind);
  return request;
}

bool fuzz_add_first(fuzz_draft *draft, bool is_image) {
  fuzz_gen *gen = draft->gen;
  fuzz_request request = fuzz_request_of(draft, 0, is_image);
  fuzz_value input;
  if (is_image) {
    request.dims[0] = fuzz_want(gen, XC_FACT_BATCH, -1);
    request.dims[3] = fuzz_want(gen, XC_FACT_INPUT_C, -1);
    if (request.dims[3] > 300)
      request.dims[1] = request.dims[2] = fuzz_range(&gen->random, 1, 4);
  }
  if (!fuzz_request_value(gen, &request, &input))
    return false;
  fuzz_add_input(draft, &input);
  return true;
}

static int64_t some_axis(fuzz_gen *gen, int64_t rank) {
  int64_t axis = fuzz_chance(&gen->random, 50)
                     ? rank - 1
                     : fuzz_range(&gen->random, 0, rank - 1);
  return fuzz_chance(&gen->random, 70) ? axis : axis - rank;
}

static size_t positive(int64_t axis, size_t rank) {
  return (size_t)(axis < 0 ? axis + (int64_t)rank : axis);
}

//===----------------------------------------------------------------------===//
// Results shaped like operands
//===----------------------------------------------------------------------===//

static bool arrange_same(fuzz_draft *draft) {
  bool is_image = draft->info->kind == XC_TIR_LRN ||
                  fuzz_want(draft->gen, XC_FACT_INPUT_C, -1) >= 0 ||
                  fuzz_want(draft->gen, XC_FACT_OUTPUT_C, -1) >= 0;
  if (!fuzz_add_first(draft, is_image))
    return false;
  if (fuzz_has(draft, "axis", XC_ATTRIBUTE_INT))
    fuzz_add_int(draft, "axis",
                 some_axis(draft->gen, (int64_t)draft->inputs[0].shape.rank));
  return true;
}

// One more operand of a broadcast: equal, with some dimensions of 1, or of
// lower rank.
static xc_shape broadcast_shape(fuzz_gen *gen, const xc_shape *first) {
  xc_shape shape = *first;
  if (fuzz_chance(&gen->random, 70))
    return shape;
  size_t drop = (size_t)fuzz_range(&gen->random, 0, (int64_t)first->rank - 1);
  shape.rank -= drop;
  memmove(shape.dims, shape.dims + drop, shape.rank * sizeof(*shape.dims));
  for (size_t i = 0; i < shape.rank; ++i)
    if (fuzz_chance(&gen->random, 35))
      shape.dims[i] = 1;
  return shape;
}

static bool add_broadcast(fuzz_draft *draft, size_t slot, xc_shape shape) {
  fuzz_gen *gen = draft->gen;
  uint32_t set = draft->info->operands[slot].elements;
  // Fixed and quantised operators may mix types, the others may not.
  bool mixes = strstr(draft->info->mnemonic, "-fix") ||
               strncmp(draft->info->mnemonic, "qlinear-", 8) == 0;
  if (mixes)
    shape.element = fuzz_element(gen, set);
  if (!(set >> shape.element & 1))
    return false;
  bool divides =
      (draft->info->kind == XC_TIR_DIV || draft->info->kind == XC_TIR_POW) &&
      !xc_element_is_float(shape.element);
  if (divides) { // no division by zero, no endless power
    fuzz_add_operand(draft, fuzz_constant(gen, &shape, 1, 5));
    return true;
  }
  if (fuzz_chance(&gen->random, 12)) {
    fuzz_add_operand(draft, fuzz_any_constant(gen, &shape));
    return true;
  }
  fuzz_request request = {XC_ELEMENT_BIT(I1),
                          shape.rank,
                          shape.rank,
                          {0},
                          needs_exact(draft->info->kind)};
  request.elements = 1u << shape.element;
  memcpy(request.dims, shape.dims, sizeof(request.dims));
  fuzz_value value;
  if (!fuzz_request_value(gen, &request, &value))
    return false;
  fuzz_add_input(draft, &value);
  return true;
}

static bool arrange_broadcast(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  bool wants = fuzz_want(gen, XC_FACT_OUTPUT_C, -1) >= 0;
  if (wants)
    gen->wanted[XC_FACT_INPUT_C] = gen->wanted[XC_FACT_OUTPUT_C];
  if (!fuzz_add_first(draft, wants || gen->setting->mode == FUZZ_DPU))
    return false;
  const xc_shape *first = &draft->inputs[0].shape;
  int64_t inputs = 2;
  if (draft->info->kind == XC_TIR_ELTWISE_FIX) {
    bool is_mul = fuzz_want(gen, XC_FACT_ELTWISE_TYPE,
                            fuzz_chance(&gen->random, 30)) != 0;
    fuzz_add_word(draft, "type", is_mul ? "MUL" : "ADD");
    if (!is_mul && fuzz_chance(&gen->random, 30))
      inputs = fuzz_range(&gen->random, 3, 5);
    inputs = fuzz_want(gen, XC_FACT_NUM_INPUTS, inputs);
  }
  for (int64_t i = 1; i < inputs; ++i) {
    bool same = gen->setting->mode == FUZZ_DPU && fuzz_chance(&gen->random, 85);
    xc_shape shape = same ? *first : broadcast_shape(gen, first);
    if (!add_broadcast(draft, (size_t)i, shape))
      return false;
  }
  return true;
}

static bool arrange_broadcast_to_first(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  int64_t channels = input->shape.dims[input->shape.rank - 1];
  bool per_channel =
      fuzz_want(gen, XC_FACT_PER_CHANNEL, fuzz_chance(&gen->random, 80)) != 0;
  xc_shape shape = per_channel ? fuzz_shape(XC_ELEMENT_NONE, 1, &channels)
                               : broadcast_shape(gen, &input->shape);
  uint32_t set = draft->info->operands[1].elements;
  shape.element = set >> input->shape.element & 1 ? input->shape.element
                                                  : fuzz_element(gen, set);
  bool constant =
      fuzz_want(gen, XC_FACT_CONSTANT, fuzz_chance(&gen->random, 96)) != 0;
  fuzz_add_operand(draft, constant ? fuzz_any_constant(gen, &shape)
                                   : fuzz_new_argument(gen, &shape).value);
  return true;
}

static bool arrange_logical(fuzz_draft *draft) {
  const fuzz_value *a = &draft->inputs[0];
  static const char *const types[] = {"AND", "OR", "XOR", "NOT"};
  const char *type = types[fuzz_range(&draft->gen->random, 0, 3)];
  fuzz_add_word(draft, "type", type);
  return strcmp(type, "NOT") == 0 ||
         add_broadcast(draft, 1, broadcast_shape(draft->gen, &a->shape));
}

static bool arrange_select(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *condition = &draft->inputs[0];
  xc_shape a = broadcast_shape(gen, &condition->shape);
  xc_shape b = broadcast_shape(gen, &condition->shape);
  a.element = fuzz_element(gen, draft->info->operands[1].elements);
  b.element = a.element;
  if (!add_broadcast(draft, 1, a) || !add_broadcast(draft, 2, b))
    return false;
  draft->element = a.element;
  return true;
}

// Vectors along an axis: batchnorm and scale. A variance is positive.
static bool arrange_per_channel(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  int64_t axis = some_axis(gen, (int64_t)input->shape.rank);
  int64_t size = input->shape.dims[positive(axis, input->shape.rank)];
  xc_shape shape = fuzz_shape(input->shape.element, 1, &size);
  fuzz_add_int(draft, "axis", axis);
  for (size_t slot = 1; slot < draft->info->num_operands; ++slot) {
    const xc_operand_info *operand = &draft->info->operands[slot];
    if (operand->optional && fuzz_chance(&gen->random, 30)) {
      fuzz_skip_operand(draft);
      continue;
    }
    bool is_variance = strcmp(operand->name, "var") == 0;
    fuzz_add_operand(draft, is_variance ? fuzz_constant(gen, &shape, 0, 0)
                                        : fuzz_any_constant(gen, &shape));
  }
  return true;
}

// One scale or one per entry of an axis; the zero points follow.
static bool arrange_quantize(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  int64_t axis = some_axis(gen, (int64_t)input->shape.rank);
  int64_t size = input->shape.dims[positive(axis, input->shape.rank)];
  draft->result_channels = size <= XC_MAX_INTS ? (size_t)size : 1;
  fuzz_add_int(draft, "axis", axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static bool arrange_join(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  bool stacks = draft->info->rule == XC_RULE_STACK;
  bool on_channels =
      fuzz_want(gen, XC_FACT_ON_CHANNELS, fuzz_chance(&gen->random, 75)) != 0;
  int64_t most = fuzz_chance(&gen->random, 15) ? 6 : 3;
  int64_t inputs = fuzz_range(&gen->random, 1, most);
  fuzz_request request =
      fuzz_request_of(draft, 0, gen->setting->mode == FUZZ_DPU);
  fuzz_value first;
  if (!fuzz_request_value(gen, &request, &first))
    return false;
  fuzz_add_input(draft, &first);
  int64_t rank = (int64_t)first.shape.rank;
  int64_t axis = on_channels ? rank - !stacks
                             : fuzz_range(&gen->random, 0, rank - !stacks);
  fuzz_add_int(draft, "axis",
               fuzz_chance(&gen->random, 70) ? axis : axis - rank - stacks);
  request.low_rank = request.high_rank = first.shape.rank;
  if (draft->info->same_element)
    request.elements = 1u << first.shape.element;
  memcpy(request.dims, first.shape.dims, sizeof(request.dims));
  if (!stacks)
    request.dims[axis] = -1;
  for (int64_t i = 1; i < inputs; ++i) {
    fuzz_value value;
    if (!fuzz_request_value(gen, &request, &value))
      return false;
    fuzz_add_input(draft, &value);
  }
  return true;
}

static bool arrange_table(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const xc_shape *input = &draft->inputs[0].shape;
  bool is_one = input->rank == 0 || fuzz_chance(&gen->random, 50);
  const int64_t dims[] = {is_one ? 0 : input->dims[input->rank - 1],
                          XC_TABLE_ENTRIES};
  xc_shape shape =
      fuzz_shape(fuzz_element(gen, draft->info->operands[1].elements),
                 is_one ? 1 : 2, is_one ? dims + 1 : dims);
  draft->element = shape.element;
  fuzz_add_operand(draft, fuzz_any_constant(gen, &shape));
  return true;
}

static bool arrange_priorbox(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_request request = fuzz_image_request(draft->info->operands[0].elements);
  fuzz_value values[2];
  for (int i = 0; i < 2; ++i) {
    if (!fuzz_request_value(gen, &request, &values[i]))
      return false;
    fuzz_add_input(draft, &values[i]);
  }
  const float sizes[] = {10, 21, 32.5F}, ratios[] = {2, 3};
  const float variance[] = {0.1F, 0.1F, 0.2F, 0.2F};
  size_t count = (size_t)fuzz_range(&gen->random, 1, 2);
  fuzz_add_floats(draft, "min_sizes", sizes, count);
  fuzz_add_floats(draft, "max_sizes", sizes + 1,
                  fuzz_chance(&gen->random, 50) ? count : 0);
  fuzz_add_floats(draft, "aspect_ratio", ratios,
                  (size_t)fuzz_range(&gen->random, 0, 2));
  fuzz_add_floats(draft, "variance", variance,
                  fuzz_chance(&gen->random, 50) ? 4 : 1);
  draft->element = fuzz_element(gen, draft->info->result.elements);
  return true;
}

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

// Numbers below `size`, which nothing knows before it runs: the places of the
// largest of as many.
static MlirValue computed_indices(fuzz_gen *gen, const xc_shape *shape,
                                  int64_t size) {
  xc_shape numbers = *shape;
  numbers.element = XC_ELEMENT_F32;
  numbers.dims[numbers.rank++] = size;
  const xc_attribute axis = xc_int("axis", (int64_t)shape->rank);
  MlirValue input = fuzz_new_argument(gen, &numbers).value;
  return xc_build(&gen->at, XC_TIR_ARGMAX, &input, 1, &axis, 1, shape->element);
}

// Indices of a dimension; negative ones count from its end.
static void add_indices(fuzz_draft *draft, size_t rank, const int64_t *dims,
                        int64_t size) {
  fuzz_gen *gen = draft->gen;
  xc_shape shape = fuzz_shape(
      fuzz_element(gen, draft->info->operands[draft->num_operands].elements),
      rank, dims);
  fuzz_add_operand(draft, fuzz_chance(&gen->random, 40)
                              ? computed_indices(gen, &shape, size)
                              : fuzz_constant(gen, &shape, -size, size - 1));
}

static bool arrange_gather(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  int64_t rank = (int64_t)input->shape.rank, axis = some_axis(gen, rank);
  int64_t size = input->shape.dims[positive(axis, input->shape.rank)];
  int64_t dims[] = {fuzz_range(&gen->random, 1, 4),
                    fuzz_range(&gen->random, 1, 4)};
  add_indices(draft, (size_t)fuzz_range(&gen->random, 0, 2), dims, size);
  fuzz_add_int(draft, "axis", axis);
  return true;
}

// More updates than rows, too.
static bool arrange_scatter(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *data = &draft->inputs[0];
  int64_t size = data->shape.dims[0], count = fuzz_range(&gen->random, 1, 6);
  add_indices(draft, 1, &count, size);
  fuzz_request request = {1u << data->shape.element,
                          data->shape.rank,
                          data->shape.rank,
                          {0},
                          needs_exact(draft->info->kind)};
  memcpy(request.dims, data->shape.dims, sizeof(request.dims));
  request.dims[0] = count;
  fuzz_value updates;
  if (!fuzz_request_value(gen, &request, &updates))
    return false;
  fuzz_add_input(draft, &updates);
  if (data->shape.element == XC_ELEMENT_I1) // combines numbers only
    fuzz_add_word(draft, "reduction", "NONE");
  return true;
}

static bool arrange_topk(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const xc_shape *input = &draft->inputs[0].shape;
  int64_t axis = some_axis(gen, (int64_t)input->rank);
  fuzz_add_int(draft, "axis", axis);
  fuzz_add_int(
      draft, "k",
      fuzz_range(&gen->random, 1, input->dims[positive(axis, input->rank)]));
  draft->element = fuzz_element(gen, draft->info->result.elements);
  return true;
}

static bool arrange_nms(fuzz_draft *draft) {
  enum { CORNERS = 4 };
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  int64_t batches = fuzz_range(r, 1, 2), boxes = fuzz_range(r, 1, 20);
  const int64_t dims[2][3] = {{batches, boxes, CORNERS},
                              {batches, fuzz_range(r, 1, 3), boxes}};
  for (size_t slot = 0; slot < 2; ++slot) {
    xc_shape shape = fuzz_shape(
        fuzz_element(gen, draft->info->operands[slot].elements), 3, dims[slot]);
    fuzz_value value = fuzz_new_argument(gen, &shape);
    fuzz_add_input(draft, &value);
  }
  fuzz_add_int(draft, "max_boxes", fuzz_range(r, 1, boxes + 2));
  draft->element = fuzz_element(gen, draft->info->result.elements);
  return true;
}

//===----------------------------------------------------------------------===//
// Reducing
//===----------------------------------------------------------------------===//

static bool arrange_reduction(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  fuzz_request request =
      fuzz_request_of(draft, 0, gen->setting->mode == FUZZ_DPU);
  request.dims[1] = fuzz_want(gen, XC_FACT_REDUCED_H, -1);
  request.dims[2] = fuzz_want(gen, XC_FACT_REDUCED_W, -1);
  if (request.dims[1] > 0 || request.dims[2] > 0)
    request.low_rank = request.high_rank = 4;
  fuzz_value input;
  if (!fuzz_request_value(gen, &request, &input))
    return false;
  fuzz_add_input(draft, &input);
  int64_t axes[XC_MAX_RANK], rank = (int64_t)input.shape.rank;
  size_t count = 0;
  bool spatial = rank == 4 && fuzz_chance(r, 60);
  for (int64_t i = 0; i < rank; ++i)
    if (spatial ? i == 1 || i == 2 : fuzz_chance(r, 50))
      axes[count++] = fuzz_chance(r, 70) ? i : i - rank;
  fuzz_add_ints(draft, "axis", axes, count);
  return true;
}

static bool arrange_argmax(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  const fuzz_value *input = &draft->inputs[0];
  fuzz_add_int(draft, "axis", some_axis(gen, (int64_t)input->shape.rank));
  bool is_fix = draft->info->kind == XC_TIR_ARGMAX_FIX;
  draft->element =
      is_fix && fuzz_chance(&gen->random, 60)
          ? XC_ELEMENT_I8
          : fuzz_element(gen, draft->info->result.elements &
                                  (XC_ELEMENT_BIT(I32) | XC_ELEMENT_BIT(I64)));
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// What is added before a row's function, which finds it as inputs[0].
typedef enum first_operand {
  FIRST_OWN, // the function adds it
  FIRST_ANY,
  FIRST_IMAGE_ON_DPU, // in CPU mode, anything
} first_operand;

static bool add_first_of_row(fuzz_draft *draft, first_operand first) {
  bool is_image =
      first == FIRST_IMAGE_ON_DPU && draft->gen->setting->mode == FUZZ_DPU;
  return first == FIRST_OWN || fuzz_add_first(draft, is_image);
}

typedef struct arrangement {
  xc_rule rule;
  first_operand first;
  bool (*arrange)(fuzz_draft *draft);
} arrangement;

static const arrangement arrangements[] = {
    {XC_RULE_CONV2D, FIRST_OWN, fuzz_arrange_conv},
    {XC_RULE_DEPTHWISE_CONV2D, FIRST_OWN, fuzz_arrange_conv},
    {XC_RULE_TRANSPOSED_CONV2D, FIRST_OWN, fuzz_arrange_conv},
    {XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D, FIRST_OWN, fuzz_arrange_conv},
    {XC_RULE_POOL2D, FIRST_OWN, fuzz_arrange_pool},
    {XC_RULE_MATMUL, FIRST_OWN, fuzz_arrange_matmul},
    {XC_RULE_INNER_PRODUCT, FIRST_OWN, fuzz_arrange_inner_product},
    {XC_RULE_RECURRENT, FIRST_OWN, fuzz_arrange_recurrent},
    {XC_RULE_SAME, FIRST_OWN, arrange_same},
    {XC_RULE_SAME_AXIS, FIRST_OWN, arrange_same},
    {XC_RULE_BROADCAST, FIRST_OWN, arrange_broadcast},
    {XC_RULE_BROADCAST_TO_FIRST, FIRST_IMAGE_ON_DPU,
     arrange_broadcast_to_first},
    {XC_RULE_LOGICAL, FIRST_ANY, arrange_logical},
    {XC_RULE_SELECT, FIRST_ANY, arrange_select},
    {XC_RULE_PER_CHANNEL, FIRST_ANY, arrange_per_channel},
    {XC_RULE_QUANTIZE, FIRST_ANY, arrange_quantize},
    {XC_RULE_CONCAT, FIRST_OWN, arrange_join},
    {XC_RULE_STACK, FIRST_OWN, arrange_join},
    {XC_RULE_GATHER, FIRST_ANY, arrange_gather},
    {XC_RULE_SCATTER, FIRST_ANY, arrange_scatter},
    {XC_RULE_TOPK, FIRST_ANY, arrange_topk},
    {XC_RULE_NMS, FIRST_OWN, arrange_nms},
    {XC_RULE_TABLE, FIRST_ANY, arrange_table},
    {XC_RULE_PRIORBOX, FIRST_OWN, arrange_priorbox},
    {XC_RULE_RESHAPE, FIRST_ANY, fuzz_arrange_reshape},
    {XC_RULE_FLATTEN, FIRST_ANY, fuzz_arrange_flatten},
    {XC_RULE_SQUEEZE, FIRST_ANY, fuzz_arrange_squeeze},
    {XC_RULE_TRANSPOSE, FIRST_ANY, fuzz_arrange_transpose},
    {XC_RULE_EXPAND, FIRST_ANY, fuzz_arrange_expand},
    {XC_RULE_STRIDED_SLICE, FIRST_IMAGE_ON_DPU, fuzz_arrange_slice},
    {XC_RULE_PAD, FIRST_IMAGE_ON_DPU, fuzz_arrange_pad},
    {XC_RULE_PIXEL_SHUFFLE, FIRST_OWN, fuzz_arrange_space},
    {XC_RULE_REORG, FIRST_OWN, fuzz_arrange_space},
    {XC_RULE_GSTILING, FIRST_OWN, fuzz_arrange_space},
    {XC_RULE_SPACE_TO_BATCH, FIRST_OWN, fuzz_arrange_blocks},
    {XC_RULE_BATCH_TO_SPACE, FIRST_OWN, fuzz_arrange_blocks},
    {XC_RULE_RESIZE, FIRST_OWN, fuzz_arrange_resample},
    {XC_RULE_UPSAMPLE, FIRST_OWN, fuzz_arrange_resample},
    {XC_RULE_DOWNSAMPLE, FIRST_OWN, fuzz_arrange_resample},
    {XC_RULE_REDUCTION, FIRST_OWN, arrange_reduction},
    {XC_RULE_ARGMAX, FIRST_IMAGE_ON_DPU, arrange_argmax},
};

static const arrangement *find_arrangement(xc_rule rule) {
  for (size_t i = 0; i < sizeof arrangements / sizeof *arrangements; ++i)
    if (arrangements[i].rule == rule)
      return &arrangements[i];
  return NULL;
}

bool fuzz_arrange(fuzz_draft *draft) {
  const arrangement *row = find_arrangement(draft->info->rule);
  if (!row) {
    fprintf(stderr, "GraphFuzz: no arrangement for operands of '%s'\n",
            draft->info->mnemonic);
    abort();
  }
  return add_first_of_row(draft, row->first) && row->arrange(draft);
}
