//===- embed.c - xc inside another MLIR program ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host with an MlirContext of its own registers xc's dialects, builds a
// quantised convolution through the MLIR C API, runs passes of xc and MLIR in
// one pass manager, and prints the result. Then it does so with a module of
// TOSA, as another toolchain leaves it.
//
//===----------------------------------------------------------------------===//

#include "xc-c/Dialects.h"
#include "xc-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>

static MlirStringRef ref(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, ref(name)), value);
}

static MlirAttribute parse_attribute(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, ref(text));
}

static MlirType parse_type(MlirContext context, const char *text) {
  return mlirTypeParseGet(context, ref(text));
}

// Appends an operation with one result (none when `result` is null).
static MlirValue append(MlirBlock block, const char *name,
                        const MlirValue *operands, intptr_t num_operands,
                        const char *result,
                        const MlirNamedAttribute *attributes,
                        intptr_t num_attributes) {
  MlirContext context =
      mlirOperationGetContext(mlirBlockGetParentOperation(block));
  MlirOperationState state =
      mlirOperationStateGet(ref(name), mlirLocationUnknownGet(context));
  mlirOperationStateAddOperands(&state, num_operands, operands);
  if (result) {
    MlirType type = parse_type(context, result);
    mlirOperationStateAddResults(&state, 1, &type);
  }
  mlirOperationStateAddAttributes(&state, num_attributes, attributes);
  MlirOperation operation = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, operation);
  return result ? mlirOperationGetResult(operation, 0) : (MlirValue){NULL};
}

static MlirValue append_const(MlirBlock block, const char *value,
                              const char *type) {
  MlirContext context =
      mlirOperationGetContext(mlirBlockGetParentOperation(block));
  MlirNamedAttribute attribute =
      named(context, "value", parse_attribute(context, value));
  return append(block, "tir.const", NULL, 0, type, &attribute, 1);
}

static void fill_function(MlirContext context, MlirBlock entry) {
  MlirNamedAttribute fix[] = {
      named(context, "bit_width", parse_attribute(context, "8 : i32")),
      named(context, "fix_point", parse_attribute(context, "0 : i32")),
      named(context, "if_signed", mlirBoolAttrGet(context, true)),
      named(context, "round_mode",
            mlirStringAttrGet(context, ref("XPU_ROUND"))),
  };
  MlirNamedAttribute conv[] = {
      named(context, "kernel", parse_attribute(context, "[2 : i32, 2 : i32]")),
      named(context, "stride", parse_attribute(context, "[2 : i32, 2 : i32]")),
      named(context, "nonlinear", mlirStringAttrGet(context, ref("NONE"))),
      named(context, "op_name", mlirStringAttrGet(context, ref("conv0"))),
  };
  MlirValue weight = append_const(entry, "dense<1> : tensor<256x2x2x256xi8>",
                                  "tensor<256x2x2x256xi8>");
  MlirValue bias =
      append_const(entry, "dense<0> : tensor<256xi8>", "tensor<256xi8>");
  MlirValue input = mlirBlockGetArgument(entry, 0);
  MlirValue fixed =
      append(entry, "tir.float2fix", &input, 1, "tensor<1x8x8x256xi8>", fix, 4);
  const MlirValue operands[] = {fixed, weight, bias};
  MlirValue product = append(entry, "tir.conv2d-fix", operands, 3,
                             "tensor<1x4x4x256xi8>", conv, 4);
  MlirValue result = append(entry, "tir.fix2float", &product, 1,
                            "tensor<1x4x4x256xf32>", fix, 4);
  append(entry, "func.return", &result, 1, NULL, NULL, 0);
}

static MlirModule build_module(MlirContext context) {
  MlirLocation unknown = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(unknown);
  MlirType input = parse_type(context, "tensor<1x8x8x256xf32>");
  MlirType output = parse_type(context, "tensor<1x4x4x256xf32>");
  MlirOperationState state = mlirOperationStateGet(ref("func.func"), unknown);
  MlirNamedAttribute attributes[] = {
      named(context, "sym_name", mlirStringAttrGet(context, ref("XPUFunc"))),
      named(
          context, "function_type",
          mlirTypeAttrGet(mlirFunctionTypeGet(context, 1, &input, 1, &output))),
  };
  mlirOperationStateAddAttributes(&state, 2, attributes);
  MlirRegion body = mlirRegionCreate();
  MlirBlock entry = mlirBlockCreate(1, &input, &unknown);
  mlirRegionAppendOwnedBlock(body, entry);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&state));
  fill_function(context, entry);
  return module;
}

static void print_error(MlirStringRef message, void *user_data) {
  (void)user_data;
  fprintf(stderr, "%.*s\n", (int)message.length, message.data);
}

static void print(MlirStringRef piece, void *user_data) {
  fwrite(piece.data, 1, piece.length, user_data);
}

static int run(MlirContext context) {
  MlirModule module = build_module(context);
  MlirOperation operation = mlirModuleGetOperation(module);
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(context, ref("builtin.module"));
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  bool ok = mlirLogicalResultIsSuccess(xcVerify(operation)) &&
            mlirLogicalResultIsSuccess(xcPassManagerAddPipeline(
                passes, ref("builtin.module"),
                ref("func.func(canonicalize),global-bufferize,cse"),
                print_error, NULL));
  if (ok) {
    MlirPass convert =
        xcCreatePass(ref("convert-tir-to-mtir"), ref(""), print_error, NULL);
    mlirOpPassManagerAddOwnedPass(passes, convert);
    ok = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, operation));
  }
  if (ok)
    mlirOperationPrint(operation, print, stdout);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

static const char tosa[] =
    "func.func @tosa(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {\n"
    "  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>,\n"
    "    stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>}\n"
    "    : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>\n"
    "  return %0 : tensor<1x2x2x2xf32>\n"
    "}\n";

// Parses what another toolchain lowered to TOSA and compiles it to buffers, all
// of it in one pipeline.
static int run_tosa(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ref(tosa));
  if (mlirModuleIsNull(module))
    return EXIT_FAILURE;
  MlirOperation operation = mlirModuleGetOperation(module);
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(context, ref("builtin.module"));
  bool ok =
      mlirLogicalResultIsSuccess(xcPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(manager), ref("builtin.module"),
          ref("func.func(convert-tosa-to-tir,tir-canonicalize),"
              "global-bufferize,convert-tir-to-mtir"),
          print_error, NULL)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, operation));
  if (ok)
    mlirOperationPrint(operation, print, stdout);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  mlirRegisterAllPasses();
  int code = EXIT_FAILURE;
  if (mlirLogicalResultIsSuccess(xcRegisterDialects(context)))
    code = run(context);
  if (code == EXIT_SUCCESS)
    code = run_tosa(context);
  mlirContextDestroy(context);
  return code;
}
