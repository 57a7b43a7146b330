//===- Pattern.h - rewriting tensor-level IR ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators of tir have no folders or canonicalisation of MLIR's, so the
// tensor-level passes have a driver of their own. A pattern is a row: a name,
// the operators it starts from, one line that says what it matches, and a
// function. The driver offers every operator to the patterns of its kind until
// none applies, erases what nothing uses, folds what is constant and merges
// what is computed twice. Each operator is looked at again only when something
// next to it has changed, so chains take linear time.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_PATTERNS_PATTERN_H
#define XC_TRANSFORMS_PATTERNS_PATTERN_H

#include "Pass/Pass.h"
#include "dialects/Build.h"
#include "xc-c/DPUTarget.h"

typedef struct xc_rewriter xc_rewriter;

/// Rewrites the operator `root` if it matches. True when it has been replaced.
/// A pattern that returns false has not changed anything.
typedef bool (*xc_pattern_apply)(xc_rewriter *rewriter, const xc_adaptor *root);

/// Patterns look through so many reshapes and transposes in a row.
enum { XC_PATTERN_CHAIN = 4 };

typedef struct xc_pattern {
  const char *name;
  const char *statement; // what it matches and what comes out, one line
  const xc_op_kind *roots;
  size_t num_roots;
  xc_pattern_apply apply;
} xc_pattern;

/// Applies patterns to every tir operator within `run->root`. `only` restricts
/// them to one name, unless it is empty. Operators in floating point whose
/// names are in the list `kept`, with commas, are left as they are. Counts into
/// the statistics that XC_PATTERN_STATISTICS names. Returns false after a
/// diagnostic.
bool xc_apply_patterns(xc_pass_run *run, const xc_pattern *patterns,
                       size_t num_patterns, const char *only, const char *kept,
                       const XcDpuTarget *target);

// clang-format off
#define XC_PATTERN_STATISTICS                                                  \
  {"num-rewritten", "Operators that a pattern replaced"},                      \
  {"num-folded", "Operators replaced by constants"},                           \
  {"num-merged", "Operators computed before"},                                 \
  {"num-erased", "Operators that nothing used"}
// clang-format on
enum { XC_PATTERN_NUM_STATISTICS = 4 };

//===----------------------------------------------------------------------===//
// Matchers
//===----------------------------------------------------------------------===//

/// Returns the target of tir-legalize, null in tir-canonicalize.
const XcDpuTarget *xc_rewrite_target(const xc_rewriter *rewriter);

/// Views the tir operator that computes a value. Returns false for block
/// arguments and operators of other dialects.
bool xc_defining_adaptor(MlirValue value, xc_adaptor *adaptor);
/// Views the operator that computes a value if it is of that kind.
bool xc_defined_by(MlirValue value, xc_op_kind kind, xc_adaptor *adaptor);

MlirValue xc_result_of(const xc_adaptor *adaptor);
bool xc_is_one_of(xc_op_kind kind, const xc_op_kind *kinds, size_t count);
/// Whether an array has the kind.
#define XC_IS_ONE_OF(kind, kinds)                                              \
  xc_is_one_of(kind, kinds, sizeof(kinds) / sizeof(*(kinds)))
/// Whether the result of the operator has exactly one use.
bool xc_used_once(const xc_adaptor *adaptor);
/// Whether one operator has all of the uses.
bool xc_used_by_one(const xc_adaptor *adaptor);
/// The only user of the operator, when it is a tir operator.
bool xc_single_user(const xc_adaptor *adaptor, xc_adaptor *user);
bool xc_same_value(MlirValue a, MlirValue b);
bool xc_same_type(MlirValue a, MlirValue b);
/// Returns the operand of a slot, or a null value when it is absent.
MlirValue xc_operand_or_null(const xc_adaptor *adaptor, size_t slot);

/// Whether the integers (or floats) of the inputs reach the result unchanged
/// as far as element types and fix points are concerned.
bool xc_keeps_numbers(const xc_adaptor *adaptor);
/// Whether two of fix, float2fix and fix2float have one integer type and fix
/// point.
bool xc_is_same_fix(const xc_adaptor *a, const xc_adaptor *b);

/// Whether integers have a scale of any size, from the operator that computes
/// them or moved from there: they are no fixed point, and calibration gives
/// them their fix points.
bool xc_is_scaled(MlirValue value);

/// Whether groups of output channels have fix points of their own.
bool xc_has_fix_groups(const xc_adaptor *conv);

/// Whether a value is a tir.const.
bool xc_is_constant(MlirValue value);
/// Returns the bytes of a tir.const with content, valid while the pattern runs;
/// null for everything else.
const void *xc_constant_bytes(xc_rewriter *rewriter, MlirValue value);
/// Returns the numbers of a constant of f32, f64 or integers (null otherwise),
/// valid while the pattern runs.
const double *xc_constant_numbers(xc_rewriter *rewriter, MlirValue value,
                                  size_t *count);
/// Whether a constant holds one number throughout, and which.
bool xc_constant_splat(xc_rewriter *rewriter, MlirValue value, double *number);
/// Returns a constant that gives each of `channels` entries of the last
/// dimension one number when it is broadcast to `rank` dimensions (a scalar
/// counts): those numbers, valid while the pattern runs, or null.
const double *xc_constant_per_channel(xc_rewriter *rewriter, MlirValue value,
                                      size_t rank, int64_t channels);
/// Zeroed memory that is valid while the pattern runs.
void *xc_rewrite_alloc(xc_rewriter *rewriter, size_t count, size_t size);

//===----------------------------------------------------------------------===//
// Rewriter
//===----------------------------------------------------------------------===//
//
// New operators stand before the root, at its location unless `xc_rewrite_at`
// says otherwise. When one cannot be built there is a diagnostic, the pass
// fails, and everything below does nothing; a pattern need not check.

/// Gives the operators built from here on the location of another operator.
void xc_rewrite_at(xc_rewriter *rewriter, const xc_adaptor *adaptor);

/// Puts the operators built from here on before another operator, with its
/// location.
void xc_rewrite_before(xc_rewriter *rewriter, const xc_adaptor *adaptor);
/// Whether an operator stays as it is, in floating point, by its name.
bool xc_rewrite_keeps(const xc_rewriter *rewriter, const xc_adaptor *adaptor);

MlirValue xc_rewrite_build(xc_rewriter *rewriter, xc_op_kind kind,
                           const MlirValue *operands, size_t num_operands,
                           const xc_attribute *attributes,
                           size_t num_attributes, xc_element element);

/// Builds an operator with the attributes of `like` that its kind knows, where
/// `changes` go first. An attribute whose change is a null xc_given is left
/// out. The element type is that of the result of `like`.
MlirValue xc_rewrite_like(xc_rewriter *rewriter, const xc_adaptor *like,
                          xc_op_kind kind, const MlirValue *operands,
                          size_t num_operands, const xc_attribute *changes,
                          size_t num_changes);

MlirValue xc_rewrite_const(xc_rewriter *rewriter, const void *bytes,
                           const xc_shape *shape);
/// Returns a constant of f32 or f64 from numbers.
MlirValue xc_rewrite_floats(xc_rewriter *rewriter, const double *numbers,
                            const xc_shape *shape);

/// `input` in the shape `like` (whose element type does not matter): itself
/// when it has it already; else tir.reshape, or reshape-fix for int8 in fixed
/// point.
MlirValue xc_rewrite_reshape(xc_rewriter *rewriter, MlirValue input,
                             const xc_shape *like);

/// Replaces all uses of the root's result and erases the root. A new operator
/// that computes `with` takes over the root's name unless it has one. Returns
/// true unless the pass has failed, to be the last line of a pattern. A pattern
/// that matches several operators may replace others than the root.
bool xc_rewrite_replace(xc_rewriter *rewriter, const xc_adaptor *root,
                        MlirValue with);

#endif // XC_TRANSFORMS_PATTERNS_PATTERN_H
