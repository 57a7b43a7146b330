//===- FoldQdq.c - quantised operators from Q and DQ pairs ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldQdq.h"

#include "Support/Memory.h"

#include <stdlib.h>

void xc_remove_dead(MlirBlock block) {
  MlirOperation *all = NULL;
  size_t count = 0, capacity = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    xc_grow((void **)&all, &capacity, count + 1, sizeof(*all));
    all[count++] = op;
  }
  while (count-- > 0) {
    const xc_op_info *info = xc_op_info_of(all[count]);
    if (info && info->pure && info->has_result &&
        mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(all[count], 0))))
      mlirOperationDestroy(all[count]);
  }
  free(all);
}

bool xc_fold_qdq(MlirBlock block) {
  (void)block;
  return true;
}
