//===- Draft.h - an operator that is being made up ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operator tables say which operands and attributes there are, and the
// ranges of attributes. What the tables cannot say, which shapes and attributes
// belong together, is arranged per shape rule; whether it came out right is
// decided by the shape rule and the verifier themselves.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_FUZZ_GRAPH_DRAFT_H
#define XC_TEST_FUZZ_GRAPH_DRAFT_H

#include "Graph.h"
#include "Random.h"

#include "Transforms/Partition/Facts.h"
#include "dialects/Build.h"

/// A tensor that operators can use.
typedef struct fuzz_value {
  MlirValue value;
  xc_shape shape;
  /// The compiled code gives these very bits: it is an integer, or a float
  /// that was only moved. Others differ in the last bits, so that nothing that
  /// jumps may look at them.
  bool is_exact;
  bool is_used;
  int32_t point; // fix point, when it is fixed-point
} fuzz_value;

enum {
  FUZZ_MAX_VALUES = 256,
  FUZZ_MAX_ATTRIBUTES = 32,
  /// Multiply-accumulates, or elements, of an operator: reference and simulator
  /// are slow.
  FUZZ_MAX_WORK = 4000000,
  FUZZ_MAX_ELEMENTS = 60000,
  /// As many times that of an operator on large images.
  FUZZ_LARGE_SCALE = 16,
};
#define FUZZ_FREE INT64_MIN

typedef struct fuzz_gen {
  fuzz_random random;
  const fuzz_setting *setting;
  xc_builder at;
  MlirLocation location;
  fuzz_value values[FUZZ_MAX_VALUES];
  size_t num_values;
  /// Facts that the next operator shall have; FUZZ_FREE where any will do.
  int64_t wanted[XC_NUM_FACTS];
} fuzz_gen;

static inline bool fuzz_is_large(const fuzz_gen *gen) {
  return gen->setting->subject == FUZZ_LARGE;
}

static inline bool fuzz_is_inner(const fuzz_gen *gen) {
  return gen->setting->subject == FUZZ_INNER;
}

static inline bool fuzz_is_signal(const fuzz_gen *gen) {
  return gen->setting->subject == FUZZ_SIGNALS;
}

static inline bool fuzz_is_shuffled(const fuzz_gen *gen) {
  return gen->setting->subject == FUZZ_SHUFFLES;
}

/// Whether operators keep the sizes of images, for concatenations.
static inline bool fuzz_joins(const fuzz_gen *gen) {
  return gen->setting->subject == FUZZ_CONCATS || fuzz_is_inner(gen) ||
         fuzz_is_large(gen) || fuzz_is_shuffled(gen);
}

static inline bool fuzz_can_have(const fuzz_gen *gen, int64_t elements) {
  bool many = fuzz_is_large(gen) || fuzz_is_signal(gen);
  return elements <= FUZZ_MAX_ELEMENTS * (many ? FUZZ_LARGE_SCALE : 1);
}

typedef struct fuzz_draft {
  fuzz_gen *gen;
  const xc_op_info *info;
  MlirValue operands[XC_MAX_OPERANDS];
  fuzz_value inputs[XC_MAX_OPERANDS];
  size_t num_operands;
  xc_attribute attributes[FUZZ_MAX_ATTRIBUTES];
  size_t num_attributes;
  int64_t ints[FUZZ_MAX_ATTRIBUTES][XC_MAX_INTS];
  float floats[FUZZ_MAX_ATTRIBUTES][XC_MAX_INTS];
  xc_element element;     // of the result; NONE: that of the first operand
  size_t result_channels; // of a list of scales, when one per channel is right
} fuzz_draft;

/// What an operand must be. Dimensions of -1 are free.
typedef struct fuzz_request {
  uint32_t elements; // XC_ELEMENT_BIT of each that will do
  size_t low_rank, high_rank;
  int64_t dims[XC_MAX_RANK]; // of the lowest rank
  bool needs_exact;
} fuzz_request;

/// Anything of these elements, of rank 4 or of any rank.
fuzz_request fuzz_image_request(uint32_t elements);
fuzz_request fuzz_any_request(uint32_t elements);

/// A tensor that was there, or a new argument. False when there is none.
bool fuzz_request_value(fuzz_gen *gen, const fuzz_request *request,
                        fuzz_value *result);
/// A new argument of the function.
fuzz_value fuzz_new_argument(fuzz_gen *gen, const xc_shape *shape);
/// A 1x1 convolution of an int8 image with as many channels, which replaces
/// it.
void fuzz_add_conv(fuzz_gen *gen, fuzz_value *image);
/// Shuffle.c: a channel shuffle of an image: a reshape, a transpose and a
/// reshape. False when there is no image.
bool fuzz_add_shuffle(fuzz_gen *gen);
/// A constant with random content; integers from `low` to `high`, floats
/// without a sign when `low` is not negative.
MlirValue fuzz_constant(fuzz_gen *gen, const xc_shape *shape, int64_t low,
                        int64_t high);
/// A constant with all values of its type.
MlirValue fuzz_any_constant(fuzz_gen *gen, const xc_shape *shape);
/// A size of an image, and a number of channels.
int64_t fuzz_size(fuzz_gen *gen);
int64_t fuzz_channels(fuzz_gen *gen);
/// One of the divisors of a number, a small one most of the time.
int64_t fuzz_divisor(fuzz_gen *gen, int64_t number);
xc_shape fuzz_shape(xc_element element, size_t rank, const int64_t *dims);
/// One of the elements of a set; those of the DPU more often in DPU mode.
xc_element fuzz_element(fuzz_gen *gen, uint32_t set);
/// The fact that is wanted, or else `otherwise`.
int64_t fuzz_want(const fuzz_gen *gen, xc_fact fact, int64_t otherwise);

/// Adds an operand of the next slot.
void fuzz_add_input(fuzz_draft *draft, const fuzz_value *value);
void fuzz_add_operand(fuzz_draft *draft, MlirValue value);
void fuzz_skip_operand(fuzz_draft *draft);
/// Adds an attribute if the operator has it, of that type.
bool fuzz_has(const fuzz_draft *draft, const char *name,
              xc_attribute_type type);
void fuzz_add_int(fuzz_draft *draft, const char *name, int64_t value);
void fuzz_add_ints(fuzz_draft *draft, const char *name, const int64_t *values,
                   size_t count);
void fuzz_add_bool(fuzz_draft *draft, const char *name, bool value);
void fuzz_add_word(fuzz_draft *draft, const char *name, const char *word);
void fuzz_add_floats(fuzz_draft *draft, const char *name, const float *values,
                     size_t count);
bool fuzz_is_set(const fuzz_draft *draft, const char *name);
const char *fuzz_word(const fuzz_draft *draft, const char *name);

/// What is asked of an operand of the operator: any value, or an image.
fuzz_request fuzz_request_of(const fuzz_draft *draft, size_t slot,
                             bool is_image);
/// Adds the first operand. False if there is none.
bool fuzz_add_first(fuzz_draft *draft, bool is_image);

/// Arrange.c, ArrangeMoves.c, ArrangeWindows.c: operands and the attributes
/// that belong to them, by the operator's shape rule. False: no such operator
/// this time.
bool fuzz_arrange(fuzz_draft *draft);
bool fuzz_arrange_conv(fuzz_draft *draft);
bool fuzz_arrange_pool(fuzz_draft *draft);
bool fuzz_arrange_matmul(fuzz_draft *draft);
bool fuzz_arrange_inner_product(fuzz_draft *draft);
bool fuzz_arrange_recurrent(fuzz_draft *draft);
bool fuzz_arrange_reshape(fuzz_draft *draft);
bool fuzz_arrange_flatten(fuzz_draft *draft);
bool fuzz_arrange_squeeze(fuzz_draft *draft);
bool fuzz_arrange_transpose(fuzz_draft *draft);
bool fuzz_arrange_expand(fuzz_draft *draft);
bool fuzz_arrange_slice(fuzz_draft *draft);
bool fuzz_arrange_pad(fuzz_draft *draft);
bool fuzz_arrange_space(fuzz_draft *draft);
bool fuzz_arrange_blocks(fuzz_draft *draft);
bool fuzz_arrange_resample(fuzz_draft *draft);
/// Attributes.c: every other attribute, within the ranges of the tables.
void fuzz_add_attributes(fuzz_draft *draft);

/// Limits.c: lets the next operator of the kind stand at a limit of the target:
/// sets one of `wanted`. `facts` are those that it had by chance.
void fuzz_want_limit(fuzz_gen *gen, const xc_facts *facts);

#endif // XC_TEST_FUZZ_GRAPH_DRAFT_H
