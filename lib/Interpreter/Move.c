//===- Move.c - operators that move elements ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Move.h"

#include "Fix.h"
#include "OpParams/Fix.h"
#include "dialects/Shape.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

xc_move_map xc_move_map_create(xc_kernel_call *call, size_t rank,
                               const int64_t *dims, const int64_t *strides) {
  xc_move_map map = {.rank = rank};
  for (size_t i = 0; i < rank; ++i) {
    map.dims[i] = dims[i];
    map.offsets[i] = xc_call_alloc(call, dims[i], sizeof(int64_t));
    for (int64_t k = 0; k < dims[i]; ++k)
      map.offsets[i][k] = k * strides[i];
  }
  return map;
}

// Fills the part of the result below dimension `dim`; returns its end. A base
// of -1 means that an outer dimension lies outside the source.
static char *move_dim(const char *from, char *to, size_t size,
                      const xc_move_map *map, const void *fill, size_t dim,
                      int64_t base) {
  if (dim == map->rank) {
    memcpy(to, base < 0 ? fill : from + (size_t)base * size, size);
    return to + size;
  }
  for (int64_t k = 0; k < map->dims[dim]; ++k) {
    int64_t offset = map->offsets[dim][k];
    to = move_dim(from, to, size, map, fill, dim + 1,
                  base < 0 || offset < 0 ? -1 : base + offset);
  }
  return to;
}

void xc_move(const void *from, void *to, size_t element_size,
             const xc_move_map *map, const void *fill) {
  move_dim(from, to, element_size, map, fill, 0, 0);
}

void xc_move_into(xc_tensor *to, size_t axis, int64_t first,
                  const xc_tensor *from) {
  size_t size = xc_element_size(to->shape.element);
  int64_t inner = xc_shape_inner(&to->shape, axis);
  size_t row = (size_t)(to->shape.dims[axis] * inner) * size;
  size_t piece = (size_t)(from->shape.dims[axis] * inner) * size;
  char *target = (char *)to->data + (size_t)(first * inner) * size;
  int64_t outer = xc_shape_outer(&to->shape, axis);
  for (int64_t i = 0; i < outer && piece; ++i)
    memcpy(target + (size_t)i * row,
           (const char *)from->data + (size_t)i * piece, piece);
}

//===----------------------------------------------------------------------===//
// One input: `move` fills the output from a tensor of the output's type
//===----------------------------------------------------------------------===//

typedef void (*move_function)(xc_kernel_call *call, const xc_tensor *input,
                              const void *fill);

static void move_copy(xc_kernel_call *call, const xc_tensor *input,
                      const void *fill) {
  (void)fill;
  size_t bytes =
      (size_t)xc_tensor_count(input) * xc_element_size(input->shape.element);
  if (bytes)
    memcpy(call->output.data, input->data, bytes);
}

static void move_by(xc_kernel_call *call, const xc_tensor *input,
                    const xc_move_map *map, const void *fill) {
  xc_move(input->data, call->output.data, xc_element_size(input->shape.element),
          map, fill);
}

// Returns a map of the output's shape over the input's own strides.
static xc_move_map map_output(xc_kernel_call *call, const xc_tensor *input) {
  int64_t strides[XC_MAX_RANK];
  xc_shape_strides(&input->shape, strides);
  return xc_move_map_create(call, call->output.shape.rank,
                            call->output.shape.dims, strides);
}

static void move_transpose(xc_kernel_call *call, const xc_tensor *input,
                           const void *fill) {
  int64_t order[XC_MAX_INTS], own[XC_MAX_RANK], strides[XC_MAX_RANK];
  xc_attr_ints(call->op, XC_ATTR_ORDER, order);
  xc_shape_strides(&input->shape, own);
  for (size_t i = 0; i < input->shape.rank; ++i)
    strides[i] = own[order[i]];
  xc_move_map map = xc_move_map_create(call, input->shape.rank,
                                       call->output.shape.dims, strides);
  move_by(call, input, &map, fill);
}

static void move_expand(xc_kernel_call *call, const xc_tensor *input,
                        const void *fill) {
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &input->shape);
  xc_move_map map =
      xc_move_map_create(call, walk.rank, walk.dims, walk.strides[0]);
  move_by(call, input, &map, fill);
}

static void move_slice(xc_kernel_call *call, const xc_tensor *input,
                       const void *fill) {
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS], own[XC_MAX_RANK];
  xc_attr_ints(call->op, XC_ATTR_BEGIN, begin);
  xc_attr_ints(call->op, XC_ATTR_STRIDES, strides);
  xc_shape_strides(&input->shape, own);
  xc_move_map map = map_output(call, input);
  for (size_t i = 0; i < map.rank; ++i) {
    int64_t first = xc_slice_begin(begin[i], strides[i], input->shape.dims[i]);
    for (int64_t k = 0; k < map.dims[i]; ++k)
      map.offsets[i][k] = (first + k * strides[i]) * own[i];
  }
  move_by(call, input, &map, fill);
}

// Where position `at` outside 0..size-1 takes its element from, or -1.
static int64_t pad_source(xc_enum mode, int64_t at, int64_t size) {
  if (at >= 0 && at < size)
    return at;
  if (size == 0 || mode == XC_ENUM_CONSTANT)
    return -1;
  if (mode == XC_ENUM_EDGE)
    return at < 0 ? 0 : size - 1;
  int64_t repeat = mode == XC_ENUM_SYMMETRIC;
  return at < 0 ? -at - repeat : 2 * size - 2 - at + repeat;
}

static void move_pad(xc_kernel_call *call, const xc_tensor *input,
                     const void *fill) {
  int64_t paddings[XC_MAX_INTS], own[XC_MAX_RANK];
  xc_attr_ints(call->op, XC_ATTR_PADDINGS, paddings);
  xc_enum mode = xc_attr_enum(call->op, XC_ATTR_MODE);
  xc_shape_strides(&input->shape, own);
  xc_move_map map = map_output(call, input);
  for (size_t i = 0; i < map.rank; ++i)
    for (int64_t k = 0; k < map.dims[i]; ++k) {
      int64_t source =
          pad_source(mode, k - paddings[2 * i], input->shape.dims[i]);
      map.offsets[i][k] = source < 0 ? -1 : source * own[i];
    }
  move_by(call, input, &map, fill);
}

// Takes the input as six dimensions and permutes them into the output.
static void permute_six(xc_kernel_call *call, const void *data,
                        xc_element element, const int64_t from[6],
                        const int order[6], void *to) {
  xc_shape shape = {.element = element, .rank = 6};
  memcpy(shape.dims, from, 6 * sizeof(*from));
  int64_t own[XC_MAX_RANK], dims[6], strides[6];
  xc_shape_strides(&shape, own);
  for (size_t i = 0; i < 6; ++i) {
    dims[i] = from[order[i]];
    strides[i] = own[order[i]];
  }
  xc_move_map map = xc_move_map_create(call, 6, dims, strides);
  xc_move(data, to, xc_element_size(element), &map, NULL);
}

// Between [N, H * s, W * s, C] and [N, H, W, s * s * C]. The channels of the
// small image hold (dy, dx, c), or (c, dy, dx) for `channel_first`.
static void move_blocks(xc_kernel_call *call, const xc_tensor *input,
                        int64_t scale, bool to_space, bool channel_first) {
  const int64_t *large = to_space ? call->output.shape.dims : input->shape.dims;
  int64_t h = large[1] / scale, w = large[2] / scale, c = large[3];
  xc_element element = input->shape.element;
  void *to = call->output.data;
  if (to_space && channel_first) {
    const int64_t from[6] = {large[0], h, w, c, scale, scale};
    static const int order[6] = {0, 1, 4, 2, 5, 3};
    permute_six(call, input->data, element, from, order, to);
  } else if (to_space) {
    const int64_t from[6] = {large[0], h, w, scale, scale, c};
    static const int order[6] = {0, 1, 3, 2, 4, 5};
    permute_six(call, input->data, element, from, order, to);
  } else {
    const int64_t from[6] = {large[0], h, scale, w, scale, c};
    static const int blocks_first[6] = {0, 1, 3, 2, 4, 5};
    static const int channels_first[6] = {0, 1, 3, 5, 2, 4};
    permute_six(call, input->data, element, from,
                channel_first ? channels_first : blocks_first, to);
  }
}

static void move_pixel_shuffle(xc_kernel_call *call, const xc_tensor *input,
                               const void *fill) {
  (void)fill;
  move_blocks(call, input, xc_attr_int(call->op, XC_ATTR_SCALE),
              xc_attr_bool(call->op, XC_ATTR_UPSCALE),
              xc_attr_is(call->op, XC_ATTR_MODE, XC_ENUM_CRD));
}

static void move_reorg(xc_kernel_call *call, const xc_tensor *input,
                       const void *fill) {
  (void)fill;
  bool is_reorg = xc_has_attr(call->op, XC_ATTR_SCALE);
  move_blocks(call, input,
              xc_attr_int(call->op, is_reorg ? XC_ATTR_SCALE : XC_ATTR_STRIDE),
              xc_attr_bool(call->op, XC_ATTR_REVERSE), false);
}

static void move_enlarge(xc_kernel_call *call, const xc_tensor *input,
                         const void *fill) {
  bool up = call->op->info->rule == XC_RULE_UPSAMPLE;
  int64_t scale[XC_MAX_INTS], own[XC_MAX_RANK];
  xc_attr_ints(call->op, XC_ATTR_SCALE, scale);
  xc_shape_strides(&input->shape, own);
  xc_move_map map = map_output(call, input);
  for (size_t i = 1; i <= 2; ++i)
    for (int64_t k = 0; k < map.dims[i]; ++k)
      map.offsets[i][k] = (up ? k / scale[2 - i] : k * scale[2 - i]) * own[i];
  move_by(call, input, &map, fill);
}

typedef struct move_row {
  xc_rule rule;
  move_function move;
} move_row;

static const move_row move_rows[] = {
    {XC_RULE_RESHAPE, move_copy},
    {XC_RULE_FLATTEN, move_copy},
    {XC_RULE_SQUEEZE, move_copy},
    {XC_RULE_TRANSPOSE, move_transpose},
    {XC_RULE_EXPAND, move_expand},
    {XC_RULE_STRIDED_SLICE, move_slice},
    {XC_RULE_PAD, move_pad},
    {XC_RULE_PIXEL_SHUFFLE, move_pixel_shuffle},
    {XC_RULE_REORG, move_reorg},
    {XC_RULE_GSTILING, move_reorg},
    {XC_RULE_UPSAMPLE, move_enlarge},
    {XC_RULE_DOWNSAMPLE, move_enlarge},
};

static move_function find_move(xc_rule rule) {
  const move_row *row = move_rows;
  while (row->rule != rule)
    ++row;
  return row->move;
}

bool xc_interpret_move(xc_kernel_call *call) {
  find_move(call->op->info->rule)(call, &call->operands[XC_RESHAPE_INPUT],
                                  NULL);
  return true;
}

bool xc_interpret_move_fix(xc_kernel_call *call) {
  xc_tensor input =
      xc_fix_rescaled(call, XC_RESHAPE_FIX_INPUT,
                      xc_fix_point(call->op, XC_ATTR_INPUT_FIX_POINT));
  find_move(call->op->info->rule)(call, &input, NULL);
  return true;
}

bool xc_interpret_pad(xc_kernel_call *call) {
  xc_shape one = {.element = call->output.shape.element};
  xc_tensor fill = xc_call_tensor(call, &one);
  xc_set_real(&fill, 0, xc_attr_float(call->op, XC_ATTR_CONSTANT_VALUE));
  move_pad(call, &call->operands[XC_PAD_INPUT], fill.data);
  return true;
}

bool xc_interpret_pad_fix(xc_kernel_call *call) {
  xc_element element = call->output.shape.element;
  xc_shape one = {.element = element};
  xc_tensor fill = xc_call_tensor(call, &one);
  xc_set_int(&fill, 0,
             xcSaturate(xc_attr_int(call->op, XC_ATTR_CONSTANT_VALUE),
                        xc_fix_type(element)));
  xc_tensor input = xc_fix_rescaled(
      call, XC_PAD_FIX_INPUT, xc_fix_point(call->op, XC_ATTR_INPUT_FIX_POINT));
  move_pad(call, &input, fill.data);
  return true;
}

//===----------------------------------------------------------------------===//
// Batch and space
//===----------------------------------------------------------------------===//

bool xc_interpret_space_to_batch(xc_kernel_call *call) {
  int64_t block[XC_MAX_INTS], pad[XC_MAX_INTS], own[XC_MAX_RANK];
  xc_attr_ints(call->op, XC_ATTR_BLOCK_SHAPE, block);
  xc_attr_ints(call->op, XC_ATTR_PADDINGS, pad);
  const xc_tensor *input = &call->operands[XC_SPACE_TO_BATCH_INPUT];
  const int64_t *in = input->shape.dims, *out = call->output.shape.dims;
  xc_shape_strides(&input->shape, own);
  // Result batch (dy, dx, n), then rows, columns and channels.
  const int64_t dims[6] = {block[1], block[0], in[0], out[1], out[2], in[3]};
  xc_element element = input->shape.element;
  size_t size = xc_element_size(element);
  char *to = call->output.data;
  static const char zeros[8] = {0};
  for (int64_t dy = 0; dy < dims[0]; ++dy)
    for (int64_t dx = 0; dx < dims[1]; ++dx) {
      xc_move_map map = xc_move_map_create(call, 4, dims + 2, own);
      for (int64_t y = 0; y < out[1]; ++y) {
        int64_t at = y * block[1] + dy - pad[2];
        map.offsets[1][y] = at >= 0 && at < in[1] ? at * own[1] : -1;
      }
      for (int64_t x = 0; x < out[2]; ++x) {
        int64_t at = x * block[0] + dx - pad[0];
        map.offsets[2][x] = at >= 0 && at < in[2] ? at * own[2] : -1;
      }
      xc_move(input->data, to, size, &map, zeros);
      to += (size_t)(in[0] * out[1] * out[2] * in[3]) * size;
    }
  return true;
}

bool xc_interpret_batch_to_space(xc_kernel_call *call) {
  int64_t block[XC_MAX_INTS], crop[XC_MAX_INTS], own[XC_MAX_RANK];
  xc_attr_ints(call->op, XC_ATTR_BLOCK_SHAPE, block);
  xc_attr_ints(call->op, XC_ATTR_CROPS, crop);
  const xc_tensor *input = &call->operands[XC_BATCH_TO_SPACE_INPUT];
  const int64_t *out = call->output.shape.dims;
  xc_shape_strides(&input->shape, own);
  // Row y of the result lies in row y / block of batch part y % block.
  xc_move_map map = map_output(call, input);
  for (int64_t y = 0; y < out[1]; ++y) {
    int64_t at = y + crop[2];
    map.offsets[1][y] =
        at % block[1] * block[0] * out[0] * own[0] + at / block[1] * own[1];
  }
  for (int64_t x = 0; x < out[2]; ++x) {
    int64_t at = x + crop[0];
    map.offsets[2][x] =
        at % block[0] * out[0] * own[0] + at / block[0] * own[2];
  }
  move_by(call, input, &map, NULL);
  return true;
}

//===----------------------------------------------------------------------===//
// Several inputs
//===----------------------------------------------------------------------===//

bool xc_interpret_gather(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[XC_GATHER_INPUT],
                  *indices = &call->operands[XC_GATHER_INDICES];
  size_t axis = xc_axis_of(call->op);
  int64_t size = input->shape.dims[axis];
  int64_t count = xc_tensor_count(indices);
  const int64_t dims[3] = {xc_shape_outer(&input->shape, axis), count,
                           xc_shape_inner(&input->shape, axis)};
  const int64_t strides[3] = {size * dims[2], 0, 1};
  xc_move_map map = xc_move_map_create(call, 3, dims, strides);
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = xc_get_int(indices, i);
    if (index < -size || index >= size)
      return xc_adaptor_error(
          call->op, "index %lld is outside dimension %zu of size %lld",
          (long long)index, axis, (long long)size);
    map.offsets[1][i] = (index < 0 ? index + size : index) * dims[2];
  }
  move_by(call, input, &map, NULL);
  return true;
}

bool xc_interpret_scatter(xc_kernel_call *call) {
  const xc_tensor *data = &call->operands[XC_SCATTER_DATA],
                  *indices = &call->operands[XC_SCATTER_INDICES],
                  *updates = &call->operands[XC_SCATTER_UPDATES];
  xc_op_kind kind = XC_TIR_ADD;
  bool combines = xc_scatter_combines(call->op, &kind);
  int64_t size = data->shape.dims[0], count = indices->shape.dims[0];
  int64_t row = xc_shape_inner(&data->shape, 0);
  size_t each = xc_element_size(data->shape.element);
  size_t bytes = (size_t)row * each;
  char *to = call->output.data;
  if (size * row > 0)
    memcpy(to, data->data, (size_t)size * bytes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = xc_get_int(indices, i);
    if (index < -size || index >= size)
      return xc_adaptor_error(call->op,
                              "index %lld is outside dimension 0 of size %lld",
                              (long long)index, (long long)size);
    index += index < 0 ? size : 0;
    if (!combines && row > 0)
      memcpy(to + (size_t)index * bytes,
             (const char *)updates->data + (size_t)i * bytes, bytes);
    for (int64_t k = 0; combines && k < row; ++k)
      xc_combine_elements(&call->output, index * row + k, kind, updates,
                          i * row + k);
  }
  return true;
}

static bool join(xc_kernel_call *call, bool rescale) {
  size_t axis = xc_axis_of(call->op);
  int64_t first = 0;
  size_t inputs = xc_num_inputs(call->op);
  for (size_t slot = 0, i = 0; i < inputs; ++slot) {
    if (!call->operands[slot].data)
      continue;
    xc_tensor input =
        rescale ? xc_fix_rescaled(call, slot, xc_input_fix_point(call->op, i))
                : call->operands[slot];
    xc_move_into(&call->output, axis, first, &input);
    first += input.shape.dims[axis];
    ++i;
  }
  return true;
}

bool xc_interpret_concat(xc_kernel_call *call) { return join(call, false); }
bool xc_interpret_concat_fix(xc_kernel_call *call) { return join(call, true); }

bool xc_interpret_stack(xc_kernel_call *call) {
  // The new axis counts among the result's dimensions.
  int64_t given = xc_attr_int(call->op, XC_ATTR_AXIS);
  size_t rank = call->output.shape.rank;
  size_t axis = (size_t)(given < 0 ? given + (int64_t)rank : given);
  size_t inputs = xc_num_inputs(call->op);
  int64_t first = 0;
  for (size_t slot = 0; first < (int64_t)inputs; ++slot) {
    if (!call->operands[slot].data)
      continue;
    xc_tensor input = {call->output.shape, call->operands[slot].data};
    input.shape.dims[axis] = 1;
    xc_move_into(&call->output, axis, first++, &input);
  }
  return true;
}

bool xc_interpret_data(xc_kernel_call *call) {
  size_t bytes = (size_t)xc_tensor_count(&call->output) *
                 xc_element_size(call->output.shape.element);
  if (bytes)
    memset(call->output.data, 0, bytes);
  return true;
}

bool xc_interpret_custom(xc_kernel_call *call) {
  if (call->custom) {
    const void *inputs[XC_MAX_OPERANDS];
    size_t count = 0;
    for (size_t i = 0; i < XC_MAX_OPERANDS; ++i)
      if (call->operands[i].data)
        inputs[count++] = call->operands[i].data;
    return call->custom(call->custom_data, call->op->operation, inputs, count,
                        call->output.data);
  }
  MlirStringRef type =
      mlirStringAttrGetValue(xc_attr_get(call->op, XC_ATTR_OP_TYPE));
  return xc_adaptor_error(call->op,
                          "'%.*s' is known to the host only and has no meaning "
                          "in the reference interpreter",
                          (int)type.length, type.data);
}
