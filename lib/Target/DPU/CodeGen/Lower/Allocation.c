//===- Allocation.c - where the buffers of a function lie -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each buffer is written by one operator. A buffer that is only an operand of a
// concat can therefore be the part of the result that it becomes, and the two
// sides of a reshape can be one buffer. The remaining buffers are placed by
// their live ranges.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "IR/Function.h"
#include "IR/IR.h"
#include "dialects/Build.h"

#include "Support/Text.h"

#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Shapes and images
//===----------------------------------------------------------------------===//

/// The last dimension is channels, the one before it width, the others height.
static XcDpuImage image_of_shape(const xc_shape *shape) {
  int64_t dims[3] = {1, 1, 1};
  for (size_t i = 0; i < shape->rank; ++i) {
    size_t back = shape->rank - 1 - i;
    dims[back < 2 ? 2 - back : 0] *= shape->dims[i];
  }
  return xcDpuImageDense(0, 0, (int32_t)dims[0], (int32_t)dims[1],
                         (int32_t)dims[2]);
}

bool xc_shape_image_axis(const xc_shape *shape, size_t axis,
                         xc_image_axis *result) {
  size_t back = shape->rank - 1 - axis;
  *result = back == 0 ? XC_AXIS_C : back == 1 ? XC_AXIS_W : XC_AXIS_H;
  for (size_t i = 0; back >= 2 && i < axis; ++i)
    if (shape->dims[i] != 1)
      return false;
  return true;
}

XcDpuImage xc_image_part(XcDpuImage image, xc_image_axis axis, int64_t first,
                         int64_t count) {
  switch (axis) {
  case XC_AXIS_H:
    image.address += (uint32_t)first * image.rowPitch;
    image.height = (int32_t)count;
    break;
  case XC_AXIS_W:
    image.address += (uint32_t)first * image.pixelPitch;
    image.width = (int32_t)count;
    break;
  case XC_AXIS_C:
    image.address += (uint32_t)first;
    image.channels = (int32_t)count;
    break;
  }
  return image;
}

uint64_t xc_allocation_size(const xc_allocation *allocation) {
  const XcDpuImage *image = &allocation->image;
  uint64_t all = (uint64_t)xc_shape_num_elements(&allocation->shape);
  if (allocation->layout)
    all = (uint64_t)image->height * (uint64_t)image->width *
          (uint64_t)image->channels;
  return allocation->frames > 1 ? all / (uint64_t)allocation->frames : all;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

xc_allocation *xc_allocation_root(xc_allocation *allocation) {
  while (allocation->parent)
    allocation = allocation->parent;
  return allocation;
}

xc_allocation *xc_allocation_of(const xc_lowering *lowering, MlirValue value) {
  return xc_pointer_map_get(&lowering->allocations, value.ptr);
}

xc_allocation *xc_operand_allocation(const xc_lowering *lowering,
                                     const xc_adaptor *adaptor, size_t slot) {
  return xc_allocation_of(lowering, xc_operand(adaptor, slot));
}

xc_allocation *xc_output_allocation(const xc_lowering *lowering,
                                    const xc_adaptor *adaptor) {
  return xc_operand_allocation(lowering, adaptor,
                               adaptor->info->num_operands - 1);
}

static void add_to_list(xc_lowering *lowering, xc_allocation *allocation) {
  void *list = lowering->list;
  xc_grow(&list, &lowering->allocations_capacity, lowering->num_allocations + 1,
          sizeof *lowering->list);
  lowering->list = list;
  lowering->list[lowering->num_allocations++] = allocation;
}

static bool add_allocation(xc_lowering *lowering, MlirOperation at,
                           MlirValue value, xc_allocation_kind kind) {
  xc_allocation *allocation =
      xc_arena_alloc(&lowering->arena, 1, sizeof *allocation);
  *allocation = (xc_allocation){.value = value, .kind = kind};
  if (!xc_shape_of_type(mlirValueGetType(value), &allocation->shape)) {
    mlirEmitError(mlirOperationGetLocation(at),
                  "cannot run on the DPU: a buffer has no static shape");
    return false;
  }
  if (xc_shape_num_elements(&allocation->shape) > INT32_MAX) {
    mlirEmitError(mlirOperationGetLocation(at),
                  "cannot run on the DPU: a buffer has 2 GiB or more");
    return false;
  }
  allocation->image = image_of_shape(&allocation->shape);
  xc_pointer_map_set(&lowering->allocations, value.ptr, allocation);
  add_to_list(lowering, allocation);
  return true;
}

static bool note_operand(xc_lowering *lowering, MlirOperation operation,
                         MlirValue value, bool is_write, size_t at) {
  xc_allocation *allocation = xc_allocation_of(lowering, value);
  if (!allocation) {
    mlirEmitError(mlirOperationGetLocation(operation),
                  "cannot run on the DPU: an operand is neither an argument "
                  "nor allocated here nor a constant");
    return false;
  }
  if (is_write &&
      (allocation->writers > 0 || allocation->kind == XC_ALLOCATION_CONST)) {
    mlirEmitError(mlirOperationGetLocation(operation),
                  "cannot run on the DPU: the output buffer is written a "
                  "second time");
    return false;
  }
  allocation->writers += is_write;
  if (is_write)
    allocation->writer = at;
  allocation->readers += !is_write;
  if (is_write && allocation->kind == XC_ALLOCATION_INPUT)
    allocation->kind = XC_ALLOCATION_OUTPUT;
  if (!allocation->first)
    allocation->first = at;
  allocation->last = at;
  return true;
}

/// The shape of an intermediate result of an operator; false if there is none.
static bool scratch_shape(const xc_lowering *lowering,
                          const xc_adaptor *adaptor, xc_shape *shape) {
  switch (adaptor->info->kind) {
  case XC_TIR_HARD_SWISH_FIX: // the gate
    *shape = xc_operand_shape(adaptor, 0);
    return true;
  case XC_TIR_POOL_FIX:
    return xc_pool_is_staged(lowering->target, adaptor, shape);
  default:
    return false;
  }
}

static xc_allocation *add_scratch(xc_lowering *lowering,
                                  const xc_adaptor *adaptor) {
  xc_shape shape;
  if (!scratch_shape(lowering, adaptor, &shape))
    return NULL;
  xc_allocation *allocation =
      xc_arena_alloc(&lowering->arena, 1, sizeof *allocation);
  *allocation = (xc_allocation){.kind = XC_ALLOCATION_ALLOC,
                                .shape = shape,
                                .writers = 1,
                                .readers = 1,
                                .first = lowering->num_ops,
                                .last = lowering->num_ops,
                                .writer = lowering->num_ops};
  allocation->image = image_of_shape(&allocation->shape);
  add_to_list(lowering, allocation);
  return allocation;
}

static bool add_op(xc_lowering *lowering, MlirOperation operation) {
  void *ops = lowering->ops;
  xc_grow(&ops, &lowering->ops_capacity, lowering->num_ops + 1,
          sizeof *lowering->ops);
  lowering->ops = ops;
  xc_function_op *op = &lowering->ops[lowering->num_ops++];
  *op = (xc_function_op){.operation = operation,
                         .is_copy = xc_op_is(operation, "memtx.copy")};
  if (!xc_adaptor_of(operation, &op->adaptor) ||
      (!op->is_copy && op->adaptor.info->dialect != XC_DIALECT_MTIR)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
    xc_text text = {0};
    xc_text_printf(&text,
                   "'%.*s' op cannot run on the DPU: it is not an operator "
                   "on buffers",
                   (int)name.length, name.data);
    mlirEmitError(mlirOperationGetLocation(operation), xc_text_str(&text));
    xc_text_free(&text);
    return false;
  }
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    if (!note_operand(lowering, operation,
                      mlirOperationGetOperand(operation, i), i + 1 == count,
                      lowering->num_ops))
      return false;
  if (!op->is_copy)
    op->scratch = add_scratch(lowering, &op->adaptor);
  return true;
}

/// Collects the buffer of an operation that makes one.
static bool collect_buffer(xc_lowering *lowering, MlirOperation operation) {
  bool is_alloc = xc_op_is(operation, "memref.alloc");
  return (!is_alloc && !xc_op_is(operation, "memtx.const")) ||
         add_allocation(lowering, operation,
                        mlirOperationGetResult(operation, 0),
                        is_alloc ? XC_ALLOCATION_ALLOC : XC_ALLOCATION_CONST);
}

static bool collect_op(xc_lowering *lowering, MlirOperation operation) {
  static const char *const no_operators[] = {"memref.alloc", "memtx.const",
                                             "func.return", "memref.dealloc"};
  for (size_t i = 0; i < sizeof no_operators / sizeof *no_operators; ++i)
    if (xc_op_is(operation, no_operators[i]))
      return true;
  return add_op(lowering, operation);
}

bool xc_allocations_collect(xc_lowering *lowering, MlirOperation func) {
  MlirBlock block = mlirRegionGetFirstBlock(xc_function_body(func));
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block))) {
    mlirEmitError(mlirOperationGetLocation(func),
                  "cannot run on the DPU: the function has several blocks");
    return false;
  }
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (!add_allocation(lowering, func, mlirBlockGetArgument(block, i),
                        XC_ALLOCATION_INPUT))
      return false;
  // An operator may be lowered before the buffer that it writes is made.
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!collect_buffer(lowering, op))
      return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!mlirOperationIsNull(xc_lowered_before(op)))
      continue;
    MlirOperation first = xc_lowered_first(op);
    if ((!mlirOperationIsNull(first) && !collect_op(lowering, first)) ||
        !collect_op(lowering, op))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

bool xc_image_is_dense(const XcDpuImage *image) {
  return (image->width == 1 ||
          image->pixelPitch == (uint32_t)image->channels) &&
         (image->height == 1 || image->rowPitch == (uint32_t)image->channels *
                                                       (uint32_t)image->width);
}

static bool is_free(const xc_allocation *allocation) {
  return allocation->kind == XC_ALLOCATION_ALLOC && !allocation->parent;
}

static bool has_root(const xc_allocation *allocation,
                     const xc_allocation *root) {
  while (allocation->parent)
    allocation = allocation->parent;
  return allocation == root;
}

static void share(xc_allocation *allocation, xc_allocation *parent,
                  const XcDpuImage *part) {
  allocation->parent = parent;
  allocation->offset = part->address - parent->image.address;
  allocation->image.rowPitch = part->rowPitch;
  allocation->image.pixelPitch = part->pixelPitch;
}

/// Lets two buffers share bytes. Both are without gaps, whatever their shapes.
static void share_bytes(xc_allocation *allocation, xc_allocation *parent) {
  XcDpuImage part = allocation->image;
  part.address = parent->image.address;
  share(allocation, parent, &part);
}

/// Gives a buffer an image of its own again, without gaps. Nothing may be a
/// part of it yet.
static void unshare(xc_allocation *allocation) {
  allocation->parent = NULL;
  allocation->offset = 0;
  allocation->image = image_of_shape(&allocation->shape);
}

static void share_concat(xc_lowering *lowering, const xc_adaptor *adaptor) {
  xc_allocation *out = xc_output_allocation(lowering, adaptor);
  size_t axis = xc_axis_of(adaptor);
  xc_image_axis image_axis;
  int fix_point = xc_fix_point(adaptor, XC_ATTR_OUTPUT_FIX_POINT);
  if (!xc_shape_image_axis(&out->shape, axis, &image_axis))
    return;
  int64_t first = 0;
  size_t inputs = xc_num_inputs(adaptor);
  for (size_t k = 0; k < inputs; ++k) {
    xc_allocation *in = xc_operand_allocation(lowering, adaptor, k);
    int64_t elements = image_axis == XC_AXIS_C   ? in->image.channels
                       : image_axis == XC_AXIS_W ? in->image.width
                                                 : in->image.height;
    if (is_free(in) && !has_root(out, in) &&
        xc_input_fix_point(adaptor, k) == fix_point) {
      XcDpuImage part = xc_image_part(out->image, image_axis, first, elements);
      share(in, out, &part);
    }
    first += elements;
  }
}

static bool keeps_bytes(const xc_function_op *op) {
  if (op->is_copy)
    return true;
  switch (op->adaptor.info->kind) {
  case XC_TIR_RESHAPE:
  case XC_TIR_FLATTEN:
  case XC_TIR_SQUEEZE:
    return true;
  case XC_TIR_RESHAPE_FIX:
    return xc_fix_rescale_shift(&op->adaptor) == 0;
  default:
    return false;
  }
}

/// Makes the input a part of the output, or the other way round.
static void share_reshape(xc_lowering *lowering, const xc_function_op *op) {
  xc_allocation *in = xc_operand_allocation(lowering, &op->adaptor, 0);
  xc_allocation *out = op->is_copy
                           ? xc_operand_allocation(lowering, &op->adaptor, 1)
                           : xc_output_allocation(lowering, &op->adaptor);
  if (!xc_image_is_dense(&in->image) || !xc_image_is_dense(&out->image))
    return;
  if (is_free(in) && !has_root(out, in))
    share_bytes(in, out);
}

static bool same_sizes(const XcDpuImage *a, const XcDpuImage *b) {
  return a->height == b->height && a->width == b->width &&
         a->channels == b->channels;
}

static void share_reshape_forward(xc_lowering *lowering,
                                  const xc_function_op *op) {
  xc_allocation *in = xc_operand_allocation(lowering, &op->adaptor, 0);
  xc_allocation *out = op->is_copy
                           ? xc_operand_allocation(lowering, &op->adaptor, 1)
                           : xc_output_allocation(lowering, &op->adaptor);
  // Images with gaps on both sides cannot be copied in another shape. A part of
  // a concatenation gets an image of its own then, and is copied into the
  // whole.
  if (out->parent && !xc_image_is_dense(&in->image) &&
      !xc_image_is_dense(&out->image) && !same_sizes(&in->image, &out->image))
    unshare(out);
  if (in->kind != XC_ALLOCATION_CONST && in->parent != out &&
      xc_image_is_dense(&in->image) && xc_image_is_dense(&out->image) &&
      is_free(out) && !has_root(in, out))
    share_bytes(out, in);
}

/// Lets a slice share the bytes of its input: a part of the rows, columns or
/// channels of an image needs no copy.
static void share_slice(xc_lowering *lowering, const xc_adaptor *adaptor) {
  xc_allocation *in = xc_operand_allocation(lowering, adaptor, 0);
  xc_allocation *out = xc_output_allocation(lowering, adaptor);
  XcDpuImage part;
  if (in->kind == XC_ALLOCATION_CONST || !is_free(out) || has_root(in, out) ||
      in->shape.dims[0] != 1 || xc_fix_rescale_shift(adaptor) != 0 ||
      !xc_slice_image(adaptor, in->image, &out->image, &part))
    return;
  share(out, in, &part);
}

void xc_allocations_share(xc_lowering *lowering) {
  // Backwards, so that what a buffer becomes a part of has its final pitches.
  for (size_t i = lowering->num_ops; i-- > 0;) {
    const xc_function_op *op = &lowering->ops[i];
    if (keeps_bytes(op))
      share_reshape(lowering, op);
    else if (op->adaptor.info->kind == XC_TIR_CONCAT_FIX)
      share_concat(lowering, &op->adaptor);
  }
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (keeps_bytes(op))
      share_reshape_forward(lowering, op);
    else if (op->adaptor.info->kind == XC_TIR_STRIDED_SLICE_FIX)
      share_slice(lowering, &op->adaptor);
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static unsigned register_of(const XcDpuTarget *target,
                            xc_allocation_kind kind) {
  switch (kind) {
  case XC_ALLOCATION_INPUT:
    return (unsigned)target->inputRegister;
  case XC_ALLOCATION_OUTPUT:
    return (unsigned)target->outputRegister;
  case XC_ALLOCATION_ALLOC:
    return (unsigned)target->workspaceRegister;
  case XC_ALLOCATION_CONST:
    return (unsigned)target->parametersRegister;
  }
  return 0;
}

/// Children follow their parents, which may come later in the list.
static void assign_child(xc_allocation *allocation) {
  uint64_t offset = 0;
  xc_allocation *root = allocation;
  for (; root->parent; root = root->parent)
    offset += root->offset;
  allocation->image.reg = root->image.reg;
  allocation->image.address = root->image.address + (uint32_t)offset;
}

void xc_assign_children(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    if (lowering->list[i]->parent)
      assign_child(lowering->list[i]);
}

/// Places with one root are parts of one buffer.
static void number_buffers(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    if (!lowering->list[i]->parent &&
        lowering->list[i]->kind != XC_ALLOCATION_CONST)
      lowering->list[i]->image.buffer = (uint32_t)i + 1;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *root = lowering->list[i];
    while (root->parent)
      root = root->parent;
    lowering->list[i]->image.buffer = root->image.buffer;
  }
}

/// Whether a convolution has a window that reaches beyond the left of the
/// input. Only with few channels its rows are loaded whole.
static bool reads_before(const xc_lowering *lowering, const xc_function_op *op,
                         const xc_allocation *input) {
  return !op->is_copy && op->adaptor.info->kind == XC_TIR_CONV2D_FIX &&
         input->image.channels < lowering->target->channelParallel &&
         xc_operand_allocation(lowering, &op->adaptor, 0) == input &&
         xc_window_of(&op->adaptor).w.before > 0;
}

/// Gives a single input a margin behind it, and one before it if an operator
/// reads there. Between several inputs, margins would be memory that nothing
/// uses. Without a margin before it, an input begins at its register, so that a
/// board's runtime can use the user's memory in place.
static void choose_margins(xc_lowering *lowering) {
  const xc_allocation *input = NULL;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    if (lowering->list[i]->kind != XC_ALLOCATION_INPUT)
      continue;
    if (input)
      return;
    input = lowering->list[i];
  }
  lowering->margin_after = input ? XC_INPUT_MARGIN : 0;
  for (size_t i = 0; input && i < lowering->num_ops; ++i)
    if (reads_before(lowering, &lowering->ops[i], input))
      lowering->margin_before = XC_INPUT_MARGIN;
}

/// A convolution and the depthwise layer after it may be interleaved, some
/// channels at a time. The input of the convolution is then still read when the
/// depthwise layer saves, so its live range is extended.
static void extend_interleaved(xc_lowering *lowering) {
  for (size_t i = 1; i < lowering->num_ops; ++i) {
    const xc_function_op *conv = &lowering->ops[i - 1];
    const xc_function_op *next = &lowering->ops[i];
    if (conv->is_copy || next->is_copy ||
        conv->adaptor.info->kind != XC_TIR_CONV2D_FIX ||
        next->adaptor.info->kind != XC_TIR_DEPTHWISE_CONV2D_FIX)
      continue;
    xc_allocation *input = xc_operand_allocation(lowering, &conv->adaptor, 0);
    if (input->last < i + 1)
      input->last = i + 1;
  }
}

/// Lets a root live as long as its parts.
static void extend_roots(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *allocation = lowering->list[i];
    xc_allocation *root = lowering->list[i];
    while (root->parent)
      root = root->parent;
    if (allocation->first && (!root->first || allocation->first < root->first))
      root->first = allocation->first;
    if (allocation->last > root->last)
      root->last = allocation->last;
  }
}

void xc_allocations_assign(xc_lowering *lowering) {
  choose_margins(lowering);
  extend_interleaved(lowering);
  extend_roots(lowering);
  xc_plan_frames(lowering);
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *allocation = lowering->list[i];
    allocation->image.reg = register_of(lowering->target, allocation->kind);
    if (allocation->kind == XC_ALLOCATION_INPUT ||
        allocation->kind == XC_ALLOCATION_OUTPUT) {
      uint64_t *size = &lowering->register_sizes[allocation->image.reg];
      uint64_t unit = (uint64_t)lowering->target->parameterAlignment;
      *size = (*size + unit - 1) / unit * unit;
      bool is_input = allocation->kind == XC_ALLOCATION_INPUT;
      *size += is_input ? lowering->margin_before : 0;
      allocation->image.address = (uint32_t)*size;
      *size += xc_allocation_size(allocation) +
               (is_input ? lowering->margin_after : 0);
    }
  }
  xc_workspace_assign(lowering);
  xc_assign_children(lowering);
  number_buffers(lowering);
}
