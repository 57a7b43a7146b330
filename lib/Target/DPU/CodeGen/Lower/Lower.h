//===- Lower.h - what the lowerings of operators share ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_LOWER_H
#define XC_TARGET_DPU_CODEGEN_LOWER_LOWER_H

#include "Function.h"
#include "OpParams/Fix.h"
#include "OpParams/Window.h"

#include "Support/PointerMap.h"

typedef enum xc_allocation_kind {
  XC_ALLOCATION_INPUT,
  XC_ALLOCATION_OUTPUT,
  XC_ALLOCATION_ALLOC,
  XC_ALLOCATION_CONST,
} xc_allocation_kind;

/// AlignChannels.h
typedef struct xc_channel_layout xc_channel_layout;

/// Where a buffer lies. A buffer with a parent is a part of the parent, or all
/// of it.
typedef struct xc_allocation {
  MlirValue value;
  xc_shape shape;
  xc_allocation_kind kind;
  struct xc_allocation *parent;
  uint64_t offset;  // in the parent, bytes
  XcDpuImage image; // `address` is valid once all are placed
  size_t writers, readers;
  size_t first, last; // operators that use it, from 1
  size_t writer;      // from 1; 0: none
  size_t rank;        // Operators.c: operators that have run once it is written
  int32_t fix_point;
  int64_t frames;  // that use it one after the other, or 0
  int32_t columns; // that are one pixel of its layers (FoldColumns.h)
  /// The layout of its pixels, if they have padding between channels; and,
  /// while layouts are chosen, the class of buffers with the same one.
  const xc_channel_layout *layout;
  struct xc_channel_class *channel_class;
  bool is_placed;  // const: in the parameters
  bool is_touched; // in memory, by the code
  /// Workspace.c: its address while no two buffers share memory; its live
  /// range, in the units of time that are counted there; and the layers that
  /// use it.
  uint32_t address_apart;
  size_t first_use, last_use, first_layer, last_layer;
  /// The recipe of a constant, for the operator that used it first.
  const struct xc_function_op *recipe_owner;
  int32_t *recipe;
  size_t recipe_size, recipe_capacity;
} xc_allocation;

/// Bytes that may be read after the only input of a function, and before it if
/// its first operator can use them.
enum { XC_INPUT_MARGIN = 64 };

/// An operator of the function.
typedef struct xc_function_op {
  MlirOperation operation;
  xc_adaptor adaptor;
  bool is_copy; // memtx.copy
  /// The addition that this convolution computes as well, or null, and which of
  /// its operands the convolution is. The addition itself has `is_done` then.
  struct xc_function_op *addition;
  size_t addition_operand;
  bool is_done;
  /// Frames of a batch (Frames.c): how often the operator is lowered, how many
  /// operators from this one on a frame goes through before the next one, and
  /// whether the frames are rows of one image, each window one frame.
  int64_t num_frames;
  size_t run_size;
  bool folds_frames;
  size_t first_parameter; // of lowering->frame_parameters
  /// Memory for an intermediate result of the operator, or null.
  xc_allocation *scratch;
} xc_function_op;

/// The contents of a register that holds constants.
typedef struct xc_constants {
  int8_t *bytes;
  size_t size, capacity;
} xc_constants;

/// A kernel that is placed once the schedule is known: a depthwise one,
/// [KH][KW][C], or one of few input channels, [OC][KH][KW][IC].
typedef struct xc_channel_kernel {
  int8_t *bytes;
  int32_t channels, pixels;
  int32_t inputs; // for each channel
  /// The constant that it is read back into, or null, the channels of that, and
  /// what elements it has, as in a recipe. A kernel of several columns has the
  /// channels of the constant once for each of them.
  xc_allocation *constant;
  int32_t constant_channels;
  int32_t elements[6];
} xc_channel_kernel;

typedef struct xc_placed_channels {
  XcDpuLayerKind kind;
  uint32_t kernel;
  int32_t first, count, columns;
  size_t block; // as in XcDpuJointPlace
  XcDpuJointLayout layout;
  uint32_t weights, zeros;
  bool has_zeros;
} xc_placed_channels;

typedef struct xc_lowering {
  const XcDpuTarget *target;
  XcDpuCodeGen *gen;
  xc_arena arena;
  xc_pointer_map allocations; // value -> xc_allocation
  xc_allocation **list;       // of all allocations
  size_t num_allocations, allocations_capacity;
  xc_function_op *ops;
  size_t num_ops, ops_capacity;
  xc_constants parameters[XC_DPU_NUM_REGISTERS];
  uint64_t register_sizes[XC_DPU_NUM_REGISTERS];
  uint64_t workspace_bound;
  /// Buffers that have memory of their own until the schedule is known, sorted
  /// by address; none if buffers share memory from the beginning.
  xc_allocation **apart;
  size_t num_apart;
  uint64_t operations;
  XcDpuEngineChoice engines;
  /// Whether transposed convolutions that repeat pixels are moves instead of
  /// convolutions, and whether there are any.
  bool moves_repeats, has_repeats;
  const xc_function_op *current;
  uint32_t margin_before, margin_after; // or 0
  /// The frame (entry of the batch) that is lowered. All frames use the
  /// parameters of the first.
  int64_t num_frames, frame;
  size_t frame_rank;          // of what has frames; 0: of any
  uint32_t *frame_parameters; // addresses, in the order of their making
  size_t num_frame_parameters, next_frame_parameter, frame_parameters_capacity;
  /// Kernels by number, and what is placed of them.
  xc_channel_kernel *kernels;
  size_t num_kernels, kernels_capacity;
  xc_placed_channels *placed;
  size_t num_placed, placed_capacity;
  /// Where the blocks of parameters of several layers begin, from 1; 0: not
  /// there yet.
  uint32_t *blocks;
  size_t num_blocks, blocks_capacity;
} xc_lowering;

/// Finds the operators and buffers of a function (Allocation.c).
bool xc_allocations_collect(xc_lowering *lowering, MlirOperation func);
/// Makes buffers parts of others where that saves copies (SharedBuffers.c).
void xc_allocations_share(xc_lowering *lowering);
/// OpOrder.c: if an operator is moved, the operator directly before which it is
/// lowered, or null; and the operator that is moved directly before this one.
MlirOperation xc_lowered_before(MlirOperation op);
MlirOperation xc_lowered_first(MlirOperation op);
/// FuseAdd.c: fuses additions into the convolutions before them.
void xc_fuse_additions(xc_lowering *lowering);
/// Adds the fused addition to the layer of the convolution.
void xc_fuse_layer(xc_lowering *lowering, const xc_function_op *op,
                   XcDpuLayer *layer);
/// Gives buffers their registers and addresses (Addresses.c).
void xc_allocations_assign(xc_lowering *lowering);
/// Gives parts of buffers their addresses within these.
void xc_assign_children(xc_lowering *lowering);
/// Workspace.c: gives the buffers of the workspace their first addresses.
void xc_workspace_assign(xc_lowering *lowering);
/// The XcDpuMemoryPlacement of a lowering.
void xc_workspace_place(void *lowering, const XcDpuMemoryUse *uses,
                        size_t count);
uint32_t xc_workspace_address(void *lowering, uint32_t address);

/// Frames.c: decides in which order operators and frames are lowered. Lifetimes
/// are known by then, addresses are not.
void xc_plan_frames(xc_lowering *lowering);
/// How often an operator is lowered by itself, and in a run of operators.
typedef struct xc_frame_counts {
  int64_t alone, in_run;
} xc_frame_counts;
xc_frame_counts xc_count_frames(const xc_lowering *lowering,
                                const xc_function_op *op);

/// Returns the number of bytes of memory.
uint64_t xc_allocation_size(const xc_allocation *allocation);
xc_allocation *xc_allocation_of(const xc_lowering *lowering, MlirValue value);
/// Returns the allocation of an operand slot; the operand is there.
xc_allocation *xc_operand_allocation(const xc_lowering *lowering,
                                     const xc_adaptor *adaptor, size_t slot);
xc_allocation *xc_output_allocation(const xc_lowering *lowering,
                                    const xc_adaptor *adaptor);
/// Returns the allocation that holds this one, itself where it is no part of
/// another.
xc_allocation *xc_allocation_root(xc_allocation *allocation);
/// Returns the image of an allocation, or that of the current frame; constants
/// are put into the parameters.
XcDpuImage xc_allocation_image(xc_lowering *lowering,
                               xc_allocation *allocation);
/// Returns the image of the operator's result, or that of the current frame.
XcDpuImage xc_output_image(xc_lowering *lowering, const xc_adaptor *adaptor);
/// Whether the image has no gaps.
bool xc_image_is_dense(const XcDpuImage *image);

/// Returns the image of a shape, without gaps: the last dimension is channels,
/// the one before it width, the others height.
XcDpuImage xc_image_of_shape(const xc_shape *shape);

/// An axis of a shape as an axis of the image; false if it has none alone.
typedef enum xc_image_axis { XC_AXIS_H, XC_AXIS_W, XC_AXIS_C } xc_image_axis;
bool xc_shape_image_axis(const xc_shape *shape, size_t axis,
                         xc_image_axis *result);
/// Returns the part of an image that begins at an index along an axis.
XcDpuImage xc_image_part(XcDpuImage image, xc_image_axis axis, int64_t first,
                         int64_t count);

/// Parameters: returns the address of `size` new bytes, which `*bytes` points
/// at until the next call. For the frames after the first the bytes are those
/// of the first.
uint32_t xc_parameters_add(xc_lowering *lowering, size_t size, int8_t **bytes);
/// Returns the address of new bytes in all weight registers: one address, and
/// bytes of each.
uint32_t xc_weights_add(xc_lowering *lowering, size_t size, int8_t **bytes);
/// Returns the bytes of a constant operand; null after a diagnostic if it is
/// none. The caller frees.
int8_t *xc_constant_operand(const xc_adaptor *adaptor, size_t slot,
                            size_t *size);

/// Function.c: lowers all operators, with padding between the inputs of
/// concatenations if `aligns`. Returns false after a diagnostic, or after none
/// if it aligns and there is nothing to align.
bool xc_lower_function(xc_lowering *lowering, MlirOperation func, bool aligns);
/// Fills in the arguments.
void xc_list_tensors(const xc_lowering *lowering, MlirOperation func,
                     xc_dpu_function *result);

/// Returns the operator's name, or its kind.
const char *xc_operator_name(xc_lowering *lowering, const xc_adaptor *adaptor);
/// Where an operator comes from: "model.mlir:3:8", names of the model. Returns
/// null when that is not known, or no more than `name`.
const char *xc_location_text(xc_arena *arena, MlirLocation location,
                             const char *name);
/// Fills in the buffers; the program is finished.
void xc_list_buffers(xc_lowering *lowering, xc_dpu_function *result);

/// Fills in operators and values, marks what stays on the chip, and gives back
/// the unused end of the workspace; the program is finished.
void xc_list_operators(xc_lowering *lowering, xc_dpu_function *result);

/// Where a constant begins, and how it lies there.
uint32_t xc_recipe_address(const int32_t *recipe, XcDpuKernelLayout *layout);
/// Appends to the recipe of a constant operand of the current operator
/// (XcDpuRecipe).
void xc_add_recipe(xc_lowering *lowering, size_t slot, const int32_t *numbers,
                   size_t count);

/// Begins such a recipe, if there is none, with the groups of a convolution.
void xc_begin_group_recipe(xc_lowering *lowering, size_t slot,
                           const XcDpuChannelGroups *groups);
/// Whether there is more of a recipe than that.
bool xc_has_recipe(const xc_allocation *constant);

/// Returns a layer with the operator's name.
XcDpuLayer xc_layer_begin(xc_lowering *lowering, const xc_adaptor *adaptor,
                          XcDpuLayerKind kind);
/// Adds the layer, or reports why it cannot be.
bool xc_layer_add(xc_lowering *lowering, const xc_adaptor *adaptor,
                  const XcDpuLayer *layer);
/// `'mtir.x' op cannot run on the DPU: ...`; returns false.
bool xc_refuse(const xc_adaptor *adaptor, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Sets `result` to the activation of an engine that clamps ReLU6 at 96.
/// Returns false if none is the same at this fix point.
bool xc_lower_activation(const xc_adaptor *adaptor, XcActivation activation,
                         int64_t output_fix_point, XcActivation *result);

/// Returns the shift of a sum or product, whose guard bits the engine has for
/// itself.
int32_t xc_lower_sum_shift(const xc_fix_sum *sum);

/// Keeps a copy of the weights of a layer until it is known which engine
/// computes it and how, and returns their number.
uint32_t xc_lower_channel_weights(xc_lowering *lowering,
                                  const xc_channel_kernel *kernel);
/// Begins the recipe of such a kernel (XcDpuRecipeChannels), if there is none,
/// and lets what is placed of those weights continue it. `elements` are the
/// last numbers of its parts.
void xc_add_channel_recipe(xc_lowering *lowering, size_t slot,
                           const int32_t head[6], uint32_t weights,
                           const int32_t elements[6]);
/// The XcDpuPlaceWeights of a lowering.
void xc_place_parameters(void *lowering, const XcDpuPlacement *placement);
void xc_channel_kernels_free(xc_lowering *lowering);
/// Zeros for a depthwise layer without bias, where the engine always adds one.
void xc_lower_no_bias(xc_lowering *lowering, XcDpuLayer *layer);

/// By how many bits an operator that moves numbers shifts them.
int64_t xc_move_shift(const xc_adaptor *adaptor);
/// Copies, repeats or rescales an image.
bool xc_add_copy(xc_lowering *lowering, const xc_adaptor *adaptor,
                 XcDpuImage from, XcDpuImage to, int64_t shift,
                 XcActivation activation);

/// Whether a maximum over rows and columns is computed along one axis after the
/// other, and the shape of the intermediate result.
bool xc_pool_is_staged(const XcDpuTarget *target, const xc_adaptor *adaptor,
                       xc_shape *between);

/// The part of an image that a slice of one frame is, of the size of `out`.
/// False, without a diagnostic, if it has steps or cuts a dimension that is no
/// axis of the image.
bool xc_slice_image(const xc_adaptor *adaptor, XcDpuImage in,
                    const XcDpuImage *out, XcDpuImage *part);

bool xc_lower_conv(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_transposed(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_pool(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_reduction_max(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_eltwise(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_depthwise_fix(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_relu(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_relu6(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_leaky(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_prelu(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_hard_sigmoid(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_hard_swish(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_concat(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_reshape(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_pad(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_slice(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_upsample(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_downsample(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_tile(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_transpose(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_argmax(xc_lowering *lowering, const xc_adaptor *adaptor);
bool xc_lower_copy(xc_lowering *lowering, const xc_adaptor *adaptor);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_LOWER_H
