//===- Repair.c - what LLVM's back end gets wrong -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22.1 for AVX-512: a masked store of one lane, of integers that were
// truncated, writes the lane as wide as it was before:
//
//   %c = trunc <4 x i64> %x to <4 x i16>
//   call void @llvm.masked.store(<4 x i16> %c, ptr %p, <i1 1, i1 0, i1 0, i1
//   0>)
//
// writes eight bytes, over what lies after %p. The loop vectoriser makes such
// stores for the last element of short rows. Here they become plain stores of
// the one element.
//
//===----------------------------------------------------------------------===//

#include "CPU.h"

#include "llvm-c/Core.h"

#include <string.h>

// The operands of a masked store.
enum { VALUE, POINTER, MASK };

static bool is_masked_store(LLVMValueRef instruction, unsigned id) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) == id;
}

// Returns the one lane that is stored; -1 when there are others or it is not
// known.
static int only_lane(LLVMValueRef mask) {
  if (!LLVMIsConstant(mask))
    return -1;
  int lane = -1;
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(mask));
  for (unsigned i = 0; i < lanes; ++i) {
    LLVMValueRef bit = LLVMGetAggregateElement(mask, i);
    if (!bit || !LLVMIsAConstantInt(bit))
      return -1;
    if (!LLVMConstIntGetZExtValue(bit))
      continue;
    if (lane >= 0)
      return -1;
    lane = (int)i;
  }
  return lane;
}

static void store_lane(LLVMBuilderRef builder, LLVMValueRef call, int lane) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef value = LLVMGetOperand(call, VALUE);
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
  LLVMValueRef index = LLVMConstInt(i64, (unsigned)lane, false);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(
      builder, element, LLVMGetOperand(call, POINTER), &index, 1, "");
  LLVMValueRef one = LLVMBuildExtractElement(
      builder, value, LLVMConstInt(i32, (unsigned)lane, false), "");
  // The alignment is that of the whole vector, which lanes may lack.
  LLVMSetAlignment(LLVMBuildStore(builder, one, place), 1);
  LLVMInstructionEraseFromParent(call);
}

void xc_cpu_repair(LLVMModuleRef module) {
  static const char name[] = "llvm.masked.store";
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        int lane =
            is_masked_store(i, id) ? only_lane(LLVMGetOperand(i, MASK)) : -1;
        if (lane >= 0)
          store_lane(builder, i, lane);
      }
  LLVMDisposeBuilder(builder);
}
