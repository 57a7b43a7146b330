//===- SignalRows.c - pieces of a signal below each other -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines compute several rows at a time, and a signal has one. Strips of
// columns fill them layer by layer, but between layers the signal goes through
// DDR. A chain of layers may as well compute overlapping pieces of its input as
// rows of one image, which stays in the banks: each piece pads where it ends,
// and what that changes of the next columns, more with every layer, is part of
// its neighbour, too. The first and the last piece end where the signal does.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

#include <string.h>

enum {
  MOST_OPS = 48,
  MOST_ROWS = 16,
  SHORTEST = 32,
  COLUMNS = 2,
  CHANNELS = 3
};

/// Columns of a tensor of the chain. Those at the left and right end of a piece
/// that differ from the signal's, and pixels of the input from one to the next.
typedef struct columns {
  int64_t length, left, right, scale;
} columns;

typedef struct link {
  xc_adaptor op;
  xc_window_axis window; // of one column without
  columns result;
  MlirValue made; // as rows
} link;

/// A value that the chain reads from outside.
typedef struct source {
  MlirValue value, made;
  int64_t scale, point;
} source;

typedef struct chain {
  const XcDpuTarget *target;
  link links[MOST_OPS]; // in the order of the block
  size_t count;
  source sources[MOST_OPS];
  size_t num_sources;
  int64_t rows, unit; // where pieces may begin: at multiples of it
  int64_t starts[MOST_ROWS];
} chain;

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

static bool is_signal(MlirValue value) {
  xc_shape shape = xc_value_shape(value);
  return shape.rank == 4 && shape.element == XC_ELEMENT_I8 &&
         shape.dims[0] == 1 && shape.dims[1] == 1 && shape.dims[COLUMNS] > 1;
}

static bool has_window(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_CONV2D_FIX ||
         op->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX ||
         op->info->kind == XC_TIR_POOL_FIX;
}

static bool is_link_kind(const xc_adaptor *op) {
  xc_shape result = xc_result_shape(op);
  switch (op->info->kind) {
  case XC_TIR_CONV2D_FIX:
  case XC_TIR_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_POOL_FIX:
  case XC_TIR_ELTWISE_FIX:
  case XC_TIR_RELU_FIX:
  case XC_TIR_RELU6_FIX:
  case XC_TIR_LEAKY_RELU_FIX:
  case XC_TIR_HARD_SIGMOID_FIX:
  case XC_TIR_HARD_SWISH_FIX:
  case XC_TIR_PRELU_FIX:
    return true;
  case XC_TIR_CONCAT_FIX: {
    int64_t axis = xc_attr_int(op, XC_ATTR_AXIS);
    return axis == CHANNELS || axis == -1;
  }
  case XC_TIR_STRIDED_SLICE_FIX: // of channels
    return result.dims[COLUMNS] == xc_operand_shape(op, 0).dims[COLUMNS] &&
           xc_attr_int_at(op, XC_ATTR_STRIDES, COLUMNS) == 1;
  default:
    return false;
  }
}

// Whether an operand that is a parameter is one for all columns.
static bool is_parameter(const xc_adaptor *op, MlirValue operand) {
  xc_shape shape = xc_value_shape(operand);
  return xc_is_constant(operand) &&
         (op->info->kind != XC_TIR_PRELU_FIX ||
          xc_shape_num_elements(&shape) == xc_result_shape(op).dims[CHANNELS]);
}

// Whether an operand is data and no parameter.
static bool is_data(const xc_adaptor *op, intptr_t index) {
  return index == 0 || op->info->kind == XC_TIR_ELTWISE_FIX ||
         op->info->kind == XC_TIR_CONCAT_FIX;
}

static bool read_link(MlirOperation operation, link *l) {
  if (!xc_adaptor_of_tir(operation, &l->op) ||
      mlirOperationGetNumResults(operation) != 1 ||
      !is_signal(xc_result_of(&l->op)) || !is_link_kind(&l->op))
    return false;
  xc_shape result = xc_result_shape(&l->op);
  l->window = (xc_window_axis){.kernel = 1, .stride = 1, .dilation = 1};
  l->result.length = result.dims[COLUMNS];
  if (l->result.length < SHORTEST)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    if (is_data(&l->op, i) ? !is_signal(operand) || xc_is_constant(operand)
                           : !is_parameter(&l->op, operand))
      return false;
    if (is_data(&l->op, i) && !has_window(&l->op) &&
        xc_value_shape(operand).dims[COLUMNS] != l->result.length)
      return false;
  }
  if (!has_window(&l->op))
    return true;
  xc_window window = xc_window_of(&l->op);
  l->window = window.w;
  return window.h.kernel == 1 && window.h.before == 0 && window.h.after == 0;
}

static const link *find_link(const chain *c, MlirOperation operation) {
  for (size_t i = 0; i < c->count; ++i)
    if (mlirOperationEqual(c->links[i].op.operation, operation))
      return &c->links[i];
  return NULL;
}

static bool is_used_inside(const chain *c, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!find_link(c, mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

static void insert(chain *c, const link *l) {
  size_t at = c->count++;
  for (; at > 0 && mlirOperationIsBeforeInBlock(l->op.operation,
                                                c->links[at - 1].op.operation);
       --at)
    c->links[at] = c->links[at - 1];
  c->links[at] = *l;
}

// Adds what nothing else reads than links. Operands of one that was added come
// before it, so that the walk from the end meets them later.
static void collect(chain *c) {
  for (size_t done = 0; done < c->count; ++done) {
    MlirOperation op = c->links[c->count - 1 - done].op.operation;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      link l;
      if (c->count == MOST_OPS || !mlirValueIsAOpResult(operand) ||
          find_link(c, mlirOpResultGetOwner(operand)) ||
          !read_link(mlirOpResultGetOwner(operand), &l) ||
          !is_used_inside(c, operand))
        continue;
      insert(c, &l);
    }
  }
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

static source *find_source(chain *c, MlirValue value) {
  for (size_t i = 0; i < c->num_sources; ++i)
    if (xc_same_value(c->sources[i].value, value))
      return &c->sources[i];
  return NULL;
}

// Returns the scale of what a link reads, of those of its operands that are
// known; 0: they differ, or there are none.
static int64_t scale_of_operands(chain *c, const xc_adaptor *op) {
  int64_t scale = c->num_sources == 0 ? 1 : 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(op->operation, i);
    const link *writer = mlirValueIsAOpResult(operand)
                             ? find_link(c, mlirOpResultGetOwner(operand))
                             : NULL;
    const source *outside = writer ? NULL : find_source(c, operand);
    int64_t known = writer    ? writer->result.scale
                    : outside ? outside->scale
                              : 0;
    if (!is_data(op, i) || known == 0)
      continue;
    if (scale != 0 && c->num_sources > 0 && scale != known)
      return 0;
    scale = known;
  }
  return scale;
}

// Returns the fix point of what a link reads.
static int64_t point_of(const xc_adaptor *op, intptr_t operand) {
  bool has_list = op->info->kind == XC_TIR_ELTWISE_FIX ||
                  op->info->kind == XC_TIR_CONCAT_FIX;
  return has_list ? xc_attr_int_at(op, XC_ATTR_INPUT_FIX_POINT, (size_t)operand)
                  : xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT);
}

static bool find_scales(chain *c) {
  c->unit = 1;
  for (size_t i = 0; i < c->count; ++i) {
    link *l = &c->links[i];
    int64_t scale = scale_of_operands(c, &l->op);
    if (scale == 0)
      return false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(l->op.operation);
         ++k) {
      MlirValue operand = mlirOperationGetOperand(l->op.operation, k);
      if (!is_data(&l->op, k) || find_source(c, operand) ||
          (mlirValueIsAOpResult(operand) &&
           find_link(c, mlirOpResultGetOwner(operand))))
        continue;
      if (c->num_sources == MOST_OPS)
        return false;
      c->sources[c->num_sources++] = (source){
          .value = operand, .scale = scale, .point = point_of(&l->op, k)};
    }
    l->result.scale = scale * l->window.stride;
    c->unit *= l->result.scale / xc_gcd64(c->unit, l->result.scale);
    if (l->result.scale > INT32_MAX || c->unit > INT32_MAX)
      return false;
  }
  return true;
}

static columns columns_of(const chain *c, MlirValue value) {
  const link *writer = mlirValueIsAOpResult(value)
                           ? find_link(c, mlirOpResultGetOwner(value))
                           : NULL;
  if (writer)
    return writer->result;
  columns outside = {.length = xc_value_shape(value).dims[COLUMNS]};
  for (size_t i = 0; i < c->num_sources; ++i)
    if (xc_same_value(c->sources[i].value, value))
      outside.scale = c->sources[i].scale;
  return outside;
}

static int64_t width_of(const chain *c, const columns *of) {
  return of->length - c->starts[c->rows - 1] / of->scale;
}

// Which columns of pieces are those of the signal; false if a piece has none.
static bool find_columns(chain *c) {
  for (size_t i = 0; i < c->count; ++i) {
    link *l = &c->links[i];
    const xc_window_axis *w = &l->window;
    l->result.left = l->result.right = 0;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(l->op.operation);
         ++k) {
      if (!is_data(&l->op, k))
        continue;
      columns in = columns_of(c, mlirOperationGetOperand(l->op.operation, k));
      int64_t left = xc_ceil_div64(in.left + w->before, w->stride);
      int64_t room =
          width_of(c, &in) - in.right - xc_window_span(w) + w->before;
      int64_t right = width_of(c, &l->result) - 1 - room / w->stride;
      if (room < 0 || left + right >= width_of(c, &l->result))
        return false;
      l->result.left = left > l->result.left ? left : l->result.left;
      l->result.right = right > l->result.right ? right : l->result.right;
    }
  }
  return true;
}

static void set_starts(chain *c, int64_t last) {
  for (int64_t r = 0; r < c->rows; ++r)
    c->starts[r] = c->unit * (r * (last / c->unit) / (c->rows - 1));
}

static const columns *end_of(const chain *c) {
  return &c->links[c->count - 1].result;
}

// Whether each piece has all columns up to where the next one has them.
static bool covers(chain *c) {
  const columns *end = end_of(c);
  if (!find_columns(c))
    return false;
  for (int64_t r = 0; r + 1 < c->rows; ++r)
    if ((c->starts[r + 1] - c->starts[r]) / end->scale + end->left +
            end->right >
        width_of(c, end))
      return false;
  return true;
}

// Finds the shortest pieces. Those that begin sooner are longer.
static bool find_pieces(chain *c) {
  int64_t length = xc_value_shape(c->sources[0].value).dims[COLUMNS];
  int64_t least = length / 2 / c->unit + 1;
  int64_t most = length * (c->rows - 1) / c->rows / c->unit;
  while (least < most) {
    int64_t middle = (least + most + 1) / 2;
    set_starts(c, middle * c->unit);
    if (covers(c))
      least = middle;
    else
      most = middle - 1;
  }
  set_starts(c, least * c->unit);
  return least == most && covers(c);
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

static int64_t words_of(const chain *c, MlirValue value) {
  return xc_ceil_div64(xc_value_shape(value).dims[CHANNELS],
                       c->target->channelParallel);
}

static bool is_conv(const link *l) {
  return l->op.info->kind == XC_TIR_CONV2D_FIX;
}

// Of the engine, for each column.
static int64_t steps_of(const chain *c, const link *l) {
  int64_t outputs = words_of(c, xc_result_of(&l->op));
  if (is_conv(l))
    return l->window.kernel * outputs * words_of(c, xc_operand(&l->op, 0));
  return l->op.info->kind == XC_TIR_STRIDED_SLICE_FIX ||
                 l->op.info->kind == XC_TIR_CONCAT_FIX
             ? 0
             : l->window.kernel * outputs;
}

/// The cycles that a layer which goes through DDR waits. A word takes a cycle.
enum { LATENCY = 1000 };

static int64_t largest(int64_t a, int64_t b) { return a > b ? a : b; }

// Of the longest input of a link.
static int64_t words_read(const chain *c, const xc_adaptor *op) {
  int64_t most = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(op->operation, i);
    if (is_data(op, i))
      most = largest(most, xc_value_shape(operand).dims[COLUMNS] *
                               words_of(c, operand));
  }
  return most;
}

// As they are: the engine, which fills its lanes with strips or with pixels
// that it takes one by one or in blocks, or what is read or written. Pixels
// that are taken one by one are often in the banks.
static int64_t cycles_now(const chain *c) {
  int64_t sum = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const link *l = &c->links[i];
    int64_t steps = steps_of(c, l);
    bool has_blocks = l->window.stride >= l->window.kernel;
    bool has_pixels = l->window.stride == 1 && l->window.kernel == 1;
    int64_t lanes = is_conv(l) || has_blocks ? c->rows : 1;
    int64_t saved = l->result.length * words_of(c, xc_result_of(&l->op));
    int64_t words = largest(words_read(c, &l->op), saved);
    if (steps > 0)
      sum += (has_pixels ? LATENCY / 2 : LATENCY) +
             largest(l->result.length * steps / lanes, words);
  }
  return sum;
}

// As rows in the banks, and the copies at both ends. The misc engine has half
// of the lanes; dilated windows read columns in phases.
static int64_t cycles_then(const chain *c) {
  int64_t sum = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const link *l = &c->links[i];
    int64_t cycles = width_of(c, &l->result) * steps_of(c, l);
    sum += is_conv(l) ? cycles : 2 * cycles;
    sum += l->window.dilation > 1 ? cycles / 2 : 0;
  }
  for (size_t i = 0; i < c->num_sources; ++i) {
    columns in = columns_of(c, c->sources[i].value);
    sum +=
        LATENCY + c->rows * width_of(c, &in) * words_of(c, c->sources[i].value);
  }
  MlirValue result = xc_result_of(&c->links[c->count - 1].op);
  return sum + LATENCY + 2 * end_of(c)->length * words_of(c, result);
}

// Whether all tensors have room in the banks, beside another one.
static bool has_room(const chain *c) {
  for (size_t i = 0; i < c->count; ++i) {
    const link *l = &c->links[i];
    if (width_of(c, &l->result) * words_of(c, xc_result_of(&l->op)) >
        c->target->image.depth)
      return false;
  }
  return true;
}

static bool is_worth_it(const chain *c) {
  int64_t now = cycles_now(c);
  return c->count > 1 && has_room(c) && cycles_then(c) < now - now / 6;
}

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

static MlirValue build_source(xc_rewriter *rewriter, const chain *c,
                              const source *from) {
  MlirValue parts[MOST_ROWS];
  columns in = columns_of(c, from->value);
  int64_t size[] = {1, 1, width_of(c, &in),
                    xc_value_shape(from->value).dims[CHANNELS]};
  for (int64_t r = 0; r < c->rows; ++r) {
    int64_t begin[] = {0, 0, c->starts[r] / in.scale, 0};
    parts[r] = xc_rewrite_cut(rewriter, from->value, begin, size);
  }
  return xc_rewrite_join(rewriter, parts, (size_t)c->rows, 1, from->point);
}

static MlirValue rows_of(chain *c, MlirValue value) {
  const link *writer = mlirValueIsAOpResult(value)
                           ? find_link(c, mlirOpResultGetOwner(value))
                           : NULL;
  const source *outside = writer ? NULL : find_source(c, value);
  return writer ? writer->made : outside ? outside->made : value;
}

static MlirValue build_link(xc_rewriter *rewriter, chain *c, const link *l) {
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  for (size_t slot = 0; slot < l->op.info->num_operands; ++slot)
    if (xc_has_operand(&l->op, slot))
      operands[slot] = rows_of(c, xc_operand(&l->op, slot));
  const int64_t pad[] = {l->window.before, l->window.after, 0, 0};
  const int64_t stride[] = {l->window.stride, 1};
  int64_t begin[XC_MAX_INTS] = {0}, end[XC_MAX_INTS] = {0};
  xc_attribute changes[] = {xc_ints("pad", pad, 4),
                            xc_string("pad_mode", "FLOOR"),
                            xc_ints("stride", stride, 2)};
  size_t num_changes = has_window(&l->op) ? 3 : 0;
  if (l->op.info->kind == XC_TIR_STRIDED_SLICE_FIX) {
    xc_attr_ints(&l->op, XC_ATTR_BEGIN, begin);
    xc_attr_ints(&l->op, XC_ATTR_END, end);
    begin[1] = begin[COLUMNS] = 0;
    end[1] = c->rows;
    end[COLUMNS] = width_of(c, &l->result);
    changes[num_changes++] = xc_ints("begin", begin, 4);
    changes[num_changes++] = xc_ints("end", end, 4);
  }
  return xc_rewrite_like(rewriter, &l->op, l->op.info->kind, operands,
                         l->op.info->num_operands, changes, num_changes);
}

// Returns the columns of each piece up to where the next one has them.
static MlirValue build_result(xc_rewriter *rewriter, const chain *c) {
  const link *last = &c->links[c->count - 1];
  const columns *end = &last->result;
  int64_t channels = xc_result_shape(&last->op).dims[CHANNELS], from = 0;
  MlirValue parts[MOST_ROWS];
  for (int64_t r = 0; r < c->rows; ++r) {
    int64_t to = r + 1 < c->rows ? c->starts[r + 1] / end->scale + end->left
                                 : end->length;
    int64_t begin[] = {0, r, from - c->starts[r] / end->scale, 0};
    int64_t size[] = {1, 1, to - from, channels};
    parts[r] = xc_rewrite_cut(rewriter, last->made, begin, size);
    from = to;
  }
  return xc_rewrite_join(rewriter, parts, (size_t)c->rows, COLUMNS,
                         xc_attr_int(&last->op, XC_ATTR_OUTPUT_FIX_POINT));
}

// Whether an operator ends a chain. One that only links read belongs to the
// chain of one of them.
static bool ends_chain(const xc_adaptor *root) {
  link reader;
  for (MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(root));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!read_link(mlirOpOperandGetOwner(use), &reader))
      return true;
  return false;
}

bool xc_legalize_signal_rows(xc_rewriter *rewriter, const xc_adaptor *root) {
  link last;
  if (!read_link(root->operation, &last))
    return false;
  chain *c = xc_rewrite_alloc(rewriter, 1, sizeof *c);
  c->target = xc_rewrite_target(rewriter);
  c->rows = c->target->pixelParallel;
  if (c->rows < 2 || c->rows > MOST_ROWS)
    return false;
  if (!ends_chain(root))
    return false;
  insert(c, &last);
  collect(c);
  if (!find_scales(c) || !find_pieces(c) || !is_worth_it(c))
    return false;
  for (size_t i = 0; i < c->num_sources; ++i)
    c->sources[i].made = build_source(rewriter, c, &c->sources[i]);
  for (size_t i = 0; i < c->count; ++i)
    c->links[i].made = build_link(rewriter, c, &c->links[i]);
  return xc_rewrite_replace(rewriter, root, build_result(rewriter, c));
}
