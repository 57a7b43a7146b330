//===- TirShape.td - operators that move, join, cut and reduce ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

class Tir_ReductionOp<string mnemonic, string text, TypeConstraint type>
    : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = (ins type:$input, XcAxes:$axis, XcBoolOr<"false">:$keep_dims);
  let results = (outs type:$output);
  let shapeRule = "reduction";
  let sameElement = 1;
}
def Tir_ReductionSumOp
    : Tir_ReductionOp<"reduction_sum", "Sum over axes", Tir_NumberTensor>;
def Tir_ReductionMaxOp
    : Tir_ReductionOp<"reduction_max", "Largest over axes", Tir_NumberTensor>;
def Tir_ReductionMeanOp
    : Tir_ReductionOp<"reduction_mean", "Mean over axes", Tir_FloatTensor>;
def Tir_ArgmaxOp : Tir_ComputeOp<"argmax"> {
  let summary = "Index of the first largest element along an axis";
  let arguments = (ins Tir_NumberTensor:$input, XcAxis:$axis,
                       XcBoolOr<"false">:$keep_dims,
                       XcBoolOr<"false">:$select_last);
  let results = (outs Tir_IndexTensor:$output);
  let shapeRule = "argmax";
}

def Tir_PadOp : Tir_ComputeOp<"pad"> {
  let summary = "Adds a border";
  let description = [{
    `paddings` holds before and after for each dimension in turn. REFLECT leaves
    out the edge element, SYMMETRIC repeats it, EDGE repeats it only.
  }];
  let arguments = (ins Tir_AnyTensor:$input, XcInts<0, -65535, 65535>:$paddings,
    XcWordOr<XcWord<["CONSTANT", "REFLECT", "SYMMETRIC", "EDGE"]>,
             "CONSTANT">:$mode,
    XcFloatOr<"0.0f">:$constant_value);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "pad";
  let sameElement = 1;
}
def Tir_ResizeOp : Tir_ComputeOp<"resize"> {
  let summary = "Resamples H and W";
  let description = [{
    The result type gives the size; `scale` (width first) replaces the ratio of
    the sizes in the coordinate formula when given. `coordinate_mode` names the
    further formulas of ONNX and is left out for the field's own two flags.
    BICUBIC uses `cubic_coeff_a`; `exclude_outside` drops taps outside.
  }];
  let arguments = (ins Tir_NumberTensor:$input,
    XcInts<2, 1, 2147483647>:$size,
    OptionalAttr<F32ArrayAttr>:$scale,
    XcWordOr<XcWord<["NEAREST", "BILINEAR", "BICUBIC"]>, "NEAREST">:$mode,
    XcBoolOr<"false">:$align_corners,
    XcBoolOr<"false">:$half_pixel_centers,
    XcWordOr<XcWord<["DEFAULT", "PYTORCH_HALF_PIXEL", "HALF_PIXEL_SYMMETRIC",
                     "TF_CROP_AND_RESIZE"]>, "DEFAULT">:$coordinate_mode,
    XcWordOr<XcWord<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR",
                     "ROUND_PREFER_CEIL"]>, "FLOOR">:$nearest_mode,
    XcFloatOr<"-0.75f">:$cubic_coeff_a,
    XcBoolOr<"false">:$exclude_outside,
    XcBoolOr<"false">:$antialias,
    OptionalAttr<F32ArrayAttr>:$roi,
    XcFloatOr<"0.0f">:$extrapolation_value);
  let results = (outs Tir_NumberTensor:$output);
  let shapeRule = "resize";
  let sameElement = 1;
}

class Tir_MoveOp<string mnemonic, string text, dag attributes, string rule>
    : Tir_ComputeOp<mnemonic> {
  let summary = text;
  let arguments = !con((ins Tir_AnyTensor:$input), attributes);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = rule;
  let sameElement = 1;
}
let onlyMoves = 1 in {
def Tir_TransposeOp : Tir_MoveOp<"transpose",
    "Result dimension i is input dimension order[i]",
    (ins XcInts<0, 0, 7>:$order), "transpose">;
def Tir_ReshapeOp : Tir_MoveOp<"reshape", "The same elements in another shape",
    (ins XcInts<0, -1, 2147483647>:$shape), "reshape"> {
  let description = [{ One entry may be -1 and is computed. }];
}
def Tir_FlattenOp : Tir_MoveOp<"flatten",
    "Joins the dimensions from start_axis to end_axis",
    (ins XcIntOr<XcAxis, "1">:$start_axis, XcIntOr<XcAxis, "-1">:$end_axis),
    "flatten">;
def Tir_SqueezeOp : Tir_MoveOp<"squeeze", "Drops dimensions of size 1",
    (ins XcAxes:$axis), "squeeze">;
} // onlyMoves
def Tir_ExpandOp : Tir_MoveOp<"expand", "Broadcasts to a shape",
    (ins XcDims:$shape), "expand">;
let onlyMoves = 1 in {
def Tir_StridedSliceOp : Tir_MoveOp<"strided_slice",
    "Every stride-th element from begin to end",
    (ins XcAnyInts<0>:$begin, XcAnyInts<0>:$end, XcAnyInts<0>:$strides),
    "strided_slice"> {
  let description = [{
    One entry per dimension. Negative `begin` and `end` count from the end and
    are clamped; a negative stride walks backwards, where an `end` before the
    first element is the most negative integer.
  }];
}
def Tir_PixelShuffleOp : Tir_MoveOp<"pixel-shuffle",
    "Moves channels into space (upscale) or back",
    (ins XcInt<1, 65535>:$scale, XcBoolOr<"true">:$upscale,
         XcWordOr<XcWord<["CRD", "DCR"]>, "CRD">:$mode), "pixel_shuffle"> {
  let description = [{
    Upscaling, CRD reads channel `(c * scale + dy) * scale + dx`, DCR channel
    `(dy * scale + dx) * C + c`, where C is the number of result channels.
  }];
}
def Tir_ReorgOp : Tir_MoveOp<"reorg", "Moves space into channels or back",
    (ins XcInt<1, 65535>:$scale, XcBoolOr<"false">:$reverse), "reorg"> {
  let description = [{
    Channel `(dy * scale + dx) * C + c` of the small image holds channel c of
    the pixel (dy, dx) of each block; `reverse` goes from small to large.
  }];
}
def Tir_GstilingOp : Tir_MoveOp<"gstiling", "Moves space into channels or back",
    (ins XcInt<1, 65535>:$stride, XcBoolOr<"false">:$reverse), "gstiling"> {
  let description = [{
    As `reorg` in the order of the field's tiling layer: forward, channel
    `(dy * stride + dx) * C + c` holds pixel (dy, dx) of each block.
  }];
}
} // onlyMoves
def Tir_SpaceToBatchOp : Tir_MoveOp<"space-to-batch",
    "Pads, then moves blocks of H and W into the batch",
    (ins XcInts<2, 1, 65535>:$block_shape,
         XcIntOr<XcPad, "{0, 0, 0, 0}">:$paddings), "space_to_batch"> {
  let description = [{
    `block_shape` is width first, `paddings` left, right, top, bottom.
  }];
}
def Tir_BatchToSpaceOp : Tir_MoveOp<"batch-to-space",
    "Moves blocks of the batch into H and W, then crops",
    (ins XcInts<2, 1, 65535>:$block_shape,
         XcIntOr<XcPad, "{0, 0, 0, 0}">:$crops), "batch_to_space">;
def Tir_GatherOp : Tir_ComputeOp<"gather"> {
  let summary = "Picks entries along an axis by index";
  let description = [{ Negative indices count from the end. }];
  let arguments = (ins Tir_AnyTensor:$input, Tir_IndexTensor:$indices,
                       XcIntOr<XcAxis, "0">:$axis);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "gather";
  let sameElement = 1;
}

def Tir_ScatterOp : Tir_ComputeOp<"scatter"> {
  let summary = "Replaces rows by updates, or combines them";
  let description = [{
    A row is what `data` has at one index of dimension 0; `updates` has one for
    each of `indices`, which are a vector. The result is `data` after one update
    after the other: the row of that index becomes the update or, with
    `reduction`, their sum, product, minimum or maximum, rounded to the element
    type each time. Negative indices count from the end.
  }];
  let arguments = (ins Tir_AnyTensor:$data, Tir_IndexTensor:$indices,
                       Tir_AnyTensor:$updates,
                       XcWordOr<XcWord<["NONE", "ADD", "MUL", "MIN", "MAX"]>,
                                "NONE">:$reduction);
  let results = (outs Tir_AnyTensor:$output);
  let shapeRule = "scatter";
  let sameElement = 1;
}

def Tir_TopkOp : Tir_ComputeOp<"topk"> {
  let summary = "Indices of the k largest elements along an axis";
  let description = [{
    The largest first, or with `largest` false the smallest; of equal elements
    the first. NaNs come last.
  }];
  let arguments = (ins Tir_NumberTensor:$input, XcInt<0, 2147483647>:$k,
                       XcAxis:$axis, XcBoolOr<"true">:$largest);
  let results = (outs Tir_IndexTensor:$output);
  let shapeRule = "topk";
}
def Tir_NmsOp : Tir_ComputeOp<"nms"> {
  let summary = "Boxes that no better box of their class overlaps much";
  let description = [{
    Non-maximum suppression. `boxes` is `[batches, boxes, 4]`: two opposite
    corners (y, x, y, x), or with `center_point_box` centre and size (x, y,
    width, height); `scores` is `[batches, classes, boxes]`. For each batch and
    class, boxes are taken by falling score, of equal ones the first, as long as
    the score is above `score_threshold` and `max_boxes` are not reached; a box
    is left out if its intersection with one that was taken is more than
    `iou_threshold` of their union. A row of the result is batch, class and box;
    there are `batches * classes * min(max_boxes, boxes)` rows, and those that
    are not needed come last and hold -1.
  }];
  let arguments = (ins Tir_FloatTensor:$boxes, Tir_FloatTensor:$scores,
                       XcInt<0, 2147483647>:$max_boxes, F32Attr:$iou_threshold,
                       F32Attr:$score_threshold,
                       XcBoolOr<"false">:$center_point_box);
  let results = (outs Tir_IndexTensor:$output);
  let shapeRule = "nms";
}

def Tir_ConcatOp : Tir_NaryOp<"concat", Tir_AnyTensor, (ins XcAxis:$axis)> {
  let summary = "Joins tensors along an axis";
  let shapeRule = "concat";
}
def Tir_StackOp : Tir_NaryOp<"stack", Tir_AnyTensor, (ins XcAxis:$axis)> {
  let summary = "Joins tensors along a new axis";
  let shapeRule = "stack";
}

def Tir_PriorboxOp : Tir_ComputeOp<"priorbox"> {
  let summary = "Prior boxes of an SSD head";
  let description = [{
    Depends on the shapes of the feature map and the image only and is computed
    at compile time. Result `[1, 2, H * W * boxes * 4]`: boxes, then variances.
  }];
  let arguments = (ins Tir_AnyTensor:$feature, Tir_AnyTensor:$image,
    F32ArrayAttr:$min_sizes, OptionalAttr<F32ArrayAttr>:$max_sizes,
    OptionalAttr<F32ArrayAttr>:$aspect_ratio, XcBoolOr<"true">:$flip,
    XcBoolOr<"false">:$clip, OptionalAttr<F32ArrayAttr>:$variance,
    OptionalAttr<F32ArrayAttr>:$step, XcFloatOr<"0.5f">:$offset);
  let results = (outs Tir_FloatTensor:$output);
  let shapeRule = "priorbox";
}
