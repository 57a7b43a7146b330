//===- PlacementFuzz.c - fuzzes the reader of placement files -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a placement file for the module below. It is refused with one error,
// or its rules have an answer for every operator.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Transforms/Partition/Placement.h"
#include "xc-c/Dialects.h"

#include "mlir-c/Dialect/Func.h"

#include <string.h>

static const char source[] =
    "func.func @f(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {\n"
    "  %0 = \"tir.relu-fix\"(%a) {op_name = \"first\"}"
    " : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>\n"
    "  %1 = \"tir.relu-fix\"(%0) {op_name = \"second\"}"
    " : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>\n"
    "  return %1 : tensor<1x4x4x16xi8>\n"
    "}\n";

static MlirModule get_module(void) {
  static MlirModule module;
  if (!mlirModuleIsNull(module))
    return module;
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  xc_fuzz_require(mlirLogicalResultIsSuccess(xcRegisterDialects(context)));
  module = mlirModuleCreateParse(context,
                                 mlirStringRefCreate(source, strlen(source)));
  return module;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  xc_placement placement = {.module = mlirModuleGetOperation(get_module())};
  xc_fuzz_require(xc_placement_collect(&placement) &&
                  placement.num_operators == 2);
  XcDiag diag = xc_fuzz_silent_diag();
  const xc_rules *rules =
      xc_rules_parse(&placement, &diag, "input", (const char *)data, size);
  xc_fuzz_require(diag.numErrors == !rules);
  for (size_t i = 0; rules && i < placement.num_operators; ++i) {
    const char *why = NULL;
    xc_ruling ruling = xc_rules_find(rules, &placement, i, &why);
    xc_fuzz_require((ruling == XC_RULING_NONE) == !why);
  }
  xc_arena_free(&placement.arena);
  free(placement.nodes);
  free(placement.edges);
  free(placement.functions);
  return 0;
}
