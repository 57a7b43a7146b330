//===- Builder.h - building operations ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like MLIR's ImplicitLocOpBuilder: where operations go and the location that
// they get.
//
//   xc_builder b = xc_builder_before(operation);
//   MlirValue buffer = xc_build_alloc(&b, type);
//   xc_build_call(&b, "layer", &buffer, 1, NULL, 0);
//
//===----------------------------------------------------------------------===//

#ifndef XC_IR_BUILDER_H
#define XC_IR_BUILDER_H

#include "mlir-c/IR.h"

#include <stddef.h>

/// Operations go before `before`, or at the end of `block` when it is null.
typedef struct xc_builder {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before;
} xc_builder;

/// At the end of a block, at the location of its parent or a given one.
xc_builder xc_builder_at_end(MlirBlock block);
xc_builder xc_builder_in(MlirBlock block, MlirLocation location);
/// Before an operation, at its location.
xc_builder xc_builder_before(MlirOperation operation);
/// The same place with another location.
xc_builder xc_builder_at(const xc_builder *builder, MlirLocation location);

/// Inserts an operation made elsewhere.
void xc_builder_insert(const xc_builder *builder, MlirOperation operation);

/// The parts of an operation without regions; those left out are empty.
typedef struct xc_parts {
  const MlirValue *operands;
  size_t num_operands;
  const MlirType *results;
  size_t num_results;
  const MlirNamedAttribute *attributes;
  size_t num_attributes;
} xc_parts;

MlirOperation xc_build_operation(const xc_builder *builder, const char *name,
                                 const xc_parts *parts);
/// The same for an operation with one result, which is returned.
MlirValue xc_build_value(const xc_builder *builder, const char *name,
                         MlirType type, const MlirValue *operands,
                         size_t num_operands,
                         const MlirNamedAttribute *attributes,
                         size_t num_attributes);

/// memref.alloc of a static type, with another attribute unless it is null.
MlirValue xc_build_alloc(const xc_builder *builder, MlirType memref,
                         const MlirNamedAttribute *attribute);
/// builtin.unrealized_conversion_cast, unless the value has the type.
MlirValue xc_build_cast(const xc_builder *builder, MlirValue value,
                        MlirType type);
/// arith.constant of type index.
MlirValue xc_build_index(const xc_builder *builder, int64_t value);
void xc_build_return(const xc_builder *builder, const MlirValue *values,
                     size_t count);
MlirOperation xc_build_call(const xc_builder *builder, const char *callee,
                            const MlirValue *operands, size_t num_operands,
                            const MlirType *results, size_t num_results);

#endif // XC_IR_BUILDER_H
