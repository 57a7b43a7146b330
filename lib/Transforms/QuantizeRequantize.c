//===- QuantizeRequantize.c - from qlinear to float operators -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantize.h"

bool xc_quantize_to_float(xc_pass_run *run, MlirOperation function) {
  (void)run;
  (void)function;
  return true;
}
