//===- Lower.c - from tir and mtir to LLVM IR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "CPU.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Text.h"
#include "dialects/Adaptor.h"
#include "xc-c/Dialects.h"
#include "xc-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "llvm-c/Core.h"
#include "llvm-c/Transforms/PassBuilder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

typedef enum ir_level { LEVEL_LLVM, LEVEL_MTIR, LEVEL_TIR } ir_level;

// Returns the highest level that a module has anything of.
static MlirWalkResult look(MlirOperation operation, void *user_data) {
  ir_level *found = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if ((info && info->dialect == XC_DIALECT_TIR && info->kind != XC_TIR_CONST) ||
      xc_op_has_tensors(operation))
    *found = LEVEL_TIR;
  if (*found == LEVEL_LLVM && xc_op_is(operation, "func.func"))
    *found = LEVEL_MTIR;
  return *found == LEVEL_TIR ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Returns null when nothing is left to lower.
static const char *pipeline_of(ir_level level, const XcCpuOptions *options,
                               xc_text *text) {
  if (level == LEVEL_LLVM)
    return NULL;
  // Kernels are for the operators that xcc sees, too: batchnorm is folded.
  if (level == LEVEL_TIR && options->kernels)
    xc_text_puts(text, "tir-absorb-fix,tir-canonicalize,");
  // A table would take what the user has a kernel for.
  if (level == LEVEL_TIR && !options->kernels)
    xc_text_puts(text, "tir-tabulate,");
  if (level == LEVEL_TIR)
    xc_text_puts(text, "global-bufferize,convert-tir-to-mtir,"
                       "mtir-eliminate-copies,");
  xc_text_printf(text, "xc-cpu-pipeline{mcpu=%s threads=%u",
                 options->cpu ? options->cpu : "native",
                 options->threads ? options->threads : 1);
  if (options->kernels)
    xc_text_printf(text, " kernels=%s", options->kernels);
  xc_text_puts(text, "}");
  return xc_text_str(text);
}

static once_flag passes_registered = ONCE_FLAG_INIT;

static void prepare_context(MlirContext context) {
  call_once(&passes_registered, mlirRegisterAllPasses);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  xcRegisterDialects(context);
}

static void report(MlirStringRef message, void *diag) {
  xc_file_error(diag, NULL, "%.*s", (int)message.length, message.data);
}

static bool run_pipeline(XcDiag *diag, MlirOperation module, const char *text) {
  MlirStringRef anchor = xc_ref("builtin.module");
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(mlirOperationGetContext(module), anchor);
  // It took more than half of the time. The result is verified once, here and
  // by LLVM, and after each pass where xc-opt runs the pipeline.
  mlirPassManagerEnableVerifier(manager, false);
  bool ok =
      mlirLogicalResultIsSuccess(
          xcPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   anchor, xc_ref(text), report, diag)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, module)) &&
      mlirOperationVerify(module);
  mlirPassManagerDestroy(manager);
  return ok;
}

bool xc_cpu_lower(XcDiag *diag, MlirOperation module,
                  const XcCpuOptions *options) {
  prepare_context(mlirOperationGetContext(module));
  ir_level level = LEVEL_LLVM;
  mlirOperationWalk(module, look, &level, MlirWalkPreOrder);
  xc_text text = {0};
  const char *pipeline = pipeline_of(level, options, &text);
  bool ok = !pipeline || run_pipeline(diag, module, pipeline);
  xc_text_free(&text);
  return ok;
}

//===----------------------------------------------------------------------===//
// Descriptions of functions
//===----------------------------------------------------------------------===//

static const char *keep_string(XcCpuCode *code, MlirAttribute attribute) {
  MlirStringRef string = mlirStringAttrGetValue(attribute);
  return xc_arena_string(&code->arena, string.data, string.length);
}

static const int64_t *keep_sizes(XcCpuCode *code, MlirAttribute array,
                                 size_t *count) {
  *count = (size_t)mlirDenseArrayGetNumElements(array);
  int64_t *sizes = xc_arena_alloc(&code->arena, *count, sizeof(*sizes));
  for (size_t i = 0; i < *count; ++i)
    sizes[i] = mlirDenseI64ArrayGetElement(array, (intptr_t)i);
  return sizes;
}

static const char *const *keep_notes(XcCpuCode *code, MlirAttribute array,
                                     size_t count) {
  const char **notes = xc_arena_alloc(&code->arena, count, sizeof(*notes));
  for (size_t i = 0; i < count; ++i)
    notes[i] = keep_string(code, mlirArrayAttrGetElement(array, (intptr_t)i));
  return notes;
}

static void describe_function(XcCpuCode *code, MlirOperation function) {
  XcCpuFunction *f = &code->functions[code->num_functions++];
  f->name = keep_string(code, xc_op_attribute(function, XC_NAME_FUNCTION));
  f->symbol = keep_string(code, xc_op_attribute(function, "sym_name"));
  f->inputBytes = keep_sizes(
      code, xc_op_attribute(function, XC_NAME_INPUT_BYTES), &f->numInputs);
  f->outputBytes = keep_sizes(
      code, xc_op_attribute(function, XC_NAME_OUTPUT_BYTES), &f->numOutputs);
  f->inputNotes = keep_notes(
      code, xc_op_attribute(function, XC_NAME_INPUT_NOTES), f->numInputs);
  f->outputNotes = keep_notes(
      code, xc_op_attribute(function, XC_NAME_OUTPUT_NOTES), f->numOutputs);
  f->arenaBytes = mlirIntegerAttrGetValueInt(
      xc_op_attribute(function, XC_NAME_ARENA_BYTES));
  f->paramsBytes = mlirIntegerAttrGetValueInt(
      xc_op_attribute(function, XC_NAME_PARAMS_BYTES));
}

static void describe_functions(XcCpuCode *code, MlirOperation module) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  size_t count = 0;
  for (int round = 0; round < 2; ++round) {
    for (MlirOperation op = mlirBlockGetFirstOperation(body);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (!mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_FUNCTION))) {
        if (round == 0)
          ++count;
        else
          describe_function(code, op);
      }
    if (round == 0)
      code->functions =
          xc_arena_alloc(&code->arena, count, sizeof(*code->functions));
  }
  xc_text symbol = {0};
  xc_text_printf(&symbol, "%s_params",
                 count ? code->functions[0].symbol : "xc");
  code->params_symbol =
      xc_arena_string(&code->arena, symbol.data, symbol.length);
  xc_text_free(&symbol);
}

enum { HUGE_PAGE = 2 << 20 };

static bool keep_params(XcDiag *diag, XcCpuCode *code, MlirOperation module) {
  MlirAttribute params = xc_op_attribute(module, XC_NAME_PARAMS);
  if (mlirAttributeIsNull(params))
    return true;
  code->params_size =
      (size_t)mlirShapedTypeGetDimSize(mlirAttributeGetType(params), 0);
  size_t alignment =
      code->params_size < HUGE_PAGE ? XC_CPU_ALIGNMENT : HUGE_PAGE;
  size_t rounded = (code->params_size + alignment - 1) / alignment * alignment;
  code->params = aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
  // Weights that are read once a call miss the TLB at every small page.
  if (code->params && alignment == HUGE_PAGE)
    madvise(code->params, rounded, MADV_HUGEPAGE);
#endif
  if (!code->params)
    return xc_file_error(diag, NULL, "no memory for %zu bytes of parameters",
                         rounded);
  const char *bytes = mlirDenseElementsAttrGetRawData(params);
  if (mlirDenseElementsAttrIsSplat(params)) // which is kept as one element
    memset(code->params, *bytes, code->params_size);
  else
    memcpy(code->params, bytes, code->params_size);
  return true;
}

// FNV-1a, over numbers that decide how much memory the code uses.
static uint64_t hash_number(uint64_t hash, int64_t number) {
  const uint64_t prime = 0x100000001b3;
  for (int i = 0; i < 8; ++i)
    hash = (hash ^ ((uint64_t)number >> (8 * i) & 0xff)) * prime;
  return hash;
}

static uint64_t hash_sizes(uint64_t hash, const int64_t *sizes, size_t count) {
  hash = hash_number(hash, (int64_t)count);
  for (size_t i = 0; i < count; ++i)
    hash = hash_number(hash, sizes[i]);
  return hash;
}

static void name_build(XcCpuCode *code) {
  uint64_t hash = hash_number(0xcbf29ce484222325, (int64_t)code->params_size);
  for (size_t i = 0; i < code->num_functions; ++i) {
    const XcCpuFunction *f = &code->functions[i];
    hash = hash_sizes(hash, f->inputBytes, f->numInputs);
    hash = hash_sizes(hash, f->outputBytes, f->numOutputs);
    hash = hash_number(hash, f->arenaBytes);
  }
  xc_text symbol = {0};
  xc_text_printf(&symbol, "%s_build_%016" PRIx64, code->params_symbol, hash);
  code->build_symbol =
      xc_arena_string(&code->arena, symbol.data, symbol.length);
  xc_text_free(&symbol);
}

//===----------------------------------------------------------------------===//
// LLVM IR
//===----------------------------------------------------------------------===//

static bool optimise(XcDiag *diag, LLVMModuleRef module,
                     const xc_cpu_target *target) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, true);
  LLVMPassBuilderOptionsSetSLPVectorization(options, true);
  LLVMErrorRef error =
      LLVMRunPasses(module, "default<O2>", target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  xc_file_error(diag, NULL, "%s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

// One array of bytes, which LLVM writes as it stands.
static void embed_params(LLVMModuleRef module, XcCpuCode *code) {
  code->embeds_params = code->params_size > 0;
  if (!code->embeds_params)
    return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef byte = LLVMInt8TypeInContext(context);
  LLVMValueRef global = LLVMAddGlobal(
      module, LLVMArrayType2(byte, code->params_size), code->params_symbol);
  LLVMSetInitializer(global,
                     LLVMConstDataArray(byte, code->params, code->params_size));
  LLVMSetGlobalConstant(global, true);
  LLVMSetAlignment(global, XC_CPU_ALIGNMENT);
}

static void add_build_symbol(LLVMModuleRef module, const XcCpuCode *code) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef global = LLVMAddGlobal(module, byte, code->build_symbol);
  LLVMSetInitializer(global, LLVMConstNull(byte));
  LLVMSetGlobalConstant(global, true);
}

static bool translate(XcDiag *diag, MlirOperation module,
                      const xc_cpu_target *target, LLVMContextRef context,
                      LLVMModuleRef *result) {
  *result = mlirTranslateModuleToLLVMIR(module, context);
  if (!*result)
    return false; // reported by MLIR
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  LLVMSetModuleDataLayout(*result, layout);
  LLVMDisposeTargetData(layout);
  LLVMSetTarget(*result, target->triple);
  if (optimise(diag, *result, target)) {
    xc_cpu_repair(*result);
    return true;
  }
  LLVMDisposeModule(*result);
  return false;
}

bool xc_cpu_make_llvm(XcDiag *diag, MlirOperation module,
                      const XcCpuOptions *options, const xc_cpu_target *target,
                      LLVMContextRef context, XcCpuCode *code,
                      LLVMModuleRef *result) {
  MlirOperation copy = mlirOperationClone(module);
  bool ok = xc_cpu_lower(diag, copy, options) && keep_params(diag, code, copy);
  if (ok) {
    describe_functions(code, copy);
    mlirOperationRemoveAttributeByName(copy, xc_ref(XC_NAME_PARAMS));
    ok = translate(diag, copy, target, context, result);
    if (ok && options->embedParams) {
      name_build(code);
      add_build_symbol(*result, code);
      embed_params(*result, code);
    }
  }
  mlirOperationDestroy(copy);
  return ok;
}
