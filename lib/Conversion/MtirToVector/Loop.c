//===- Loop.c - loops that may be parallel --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loop.h"

xc_counted xc_counted_begin(xc_ir *ir, int64_t size, bool parallel) {
  xc_counted counted = {.unrolled = size == 1, .parallel = parallel};
  if (size == 1) {
    counted.index = xc_ir_index(ir, 0);
    return counted;
  }
  counted.loop =
      parallel ? xc_ir_parallel(ir, size) : xc_ir_for_size(ir, size, NULL, 0);
  counted.index = counted.loop.index;
  return counted;
}

void xc_counted_end(xc_ir *ir, xc_counted *counted) {
  if (counted->unrolled)
    return;
  if (counted->parallel)
    xc_ir_end_parallel(ir, &counted->loop);
  else
    xc_ir_end_for(ir, &counted->loop, NULL);
}

xc_carrying xc_carrying_begin(xc_ir *ir, int64_t size, MlirValue *values,
                              size_t count) {
  xc_carrying carrying = {.unrolled = size == 1};
  if (size == 1) {
    carrying.index = xc_ir_index(ir, 0);
    return carrying;
  }
  carrying.loop = xc_ir_for_size(ir, size, values, count);
  carrying.index = carrying.loop.index;
  for (size_t i = 0; i < count; ++i)
    values[i] = carrying.loop.carried[i];
  return carrying;
}

void xc_carrying_end(xc_ir *ir, xc_carrying *carrying, MlirValue *values,
                     size_t count) {
  if (carrying->unrolled)
    return;
  xc_ir_end_for(ir, &carrying->loop, values);
  for (size_t i = 0; i < count; ++i)
    values[i] = carrying->loop.results[i];
}
