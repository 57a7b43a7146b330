//===- XModelCheck.h - rules of the board's runtime ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the vendor's runtime can load and run an xmodel on a board, as far as
// the file says: one table of rules, for files of any origin.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_XMODELCHECK_H
#define XC_C_XMODELCHECK_H

#include "xc-c/XModel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XcXModelRule {
  const char *name;      // "boundary-dense"
  const char *what;      // must be
  const char *otherwise; // what happens where it is not
} XcXModelRule;

XC_EXPORTED size_t xcXModelGetNumRules(void);
XC_EXPORTED XcXModelRule xcXModelGetRule(size_t index);

/// Reports every violation as an error; false when there is one. Of an
/// uncompiled model only the operators are checked.
XC_EXPORTED bool xcXModelCheck(XcDiag *diag, const XcXModel *model);

/// Returns the rules as a page of Markdown. The caller frees it with free().
XC_EXPORTED char *xcXModelRulesToMarkdown(void);

#ifdef __cplusplus
}
#endif

#endif // XC_C_XMODELCHECK_H
