//===- XModelFuzz.c - fuzzes the xmodel reader ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: an xmodel. It is refused with one error, or it is read; then writing
// and reading it again gives the same bytes, and printing, drawing and taking
// out its DPU subgraphs end well.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Fuzz.h"

#include "Target/XModel/Print.h"
#include "xc-c/XModelMixed.h"

#include <string.h>

// A field may be written differently from how it came (a list that was not
// packed, a number with idle bytes), but only once.
static void check_round_trip(const XcXModel *model) {
  XcDiag diag = xc_fuzz_silent_diag();
  size_t size, size_again;
  void *data = xcXModelWriteToMemory(model, &size);
  XcXModel *again = xcXModelReadFromMemory(&diag, "again", data, size);
  xc_fuzz_require(again);
  void *data_again = xcXModelWriteToMemory(again, &size_again);
  xc_fuzz_require(size == size_again && !memcmp(data, data_again, size));
  free(data);
  free(data_again);
  xcXModelDestroy(again);
}

typedef bool (*printer)(XcDiag *diag, const XcXModel *model, FILE *output);

static void check_print(const XcXModel *model, printer print) {
  XcDiag diag = xc_fuzz_silent_diag();
  FILE *output = fopen("/dev/null", "w");
  bool ok = print(&diag, model, output);
  fclose(output);
  xc_fuzz_require(diag.numErrors == !ok);
}

static void check_tensors(const XcXModelDpu *dpu,
                          const XcXModelDpuTensor *tensors, size_t count) {
  enum { LARGEST = 1 << 20 };
  for (size_t i = 0; i < count; ++i) {
    const XcXModelRegister *target =
        xcXModelDpuGetRegister(dpu, tensors[i].registerId);
    uint64_t size = xcXModelDpuTensorGetSize(&tensors[i]);
    xc_fuzz_require(target && size <= target->size);
    if (target->size > LARGEST)
      continue;
    unsigned char *memory = calloc(target->size, 1), *dense = calloc(size, 1);
    xcXModelDpuTensorStore(&tensors[i], dense, memory);
    xcXModelDpuTensorLoad(&tensors[i], dense, memory);
    free(memory);
    free(dense);
  }
}

static void check_dpu(const XcXModel *model) {
  enum { MOST = 4 };
  for (size_t i = 0; i < MOST && i < xcXModelGetNumDpuSubgraphs(model); ++i) {
    XcDiag diag = xc_fuzz_silent_diag();
    const XcXModelDpu *dpu =
        xcXModelDpuCreate(&diag, model, xcXModelGetDpuSubgraph(model, i));
    xc_fuzz_require(diag.numErrors == !dpu);
    if (!dpu)
      continue;
    check_tensors(dpu, dpu->inputs, dpu->numInputs);
    check_tensors(dpu, dpu->outputs, dpu->numOutputs);
    xcXModelDpuDestroy(dpu);
  }
}

// Numbers of ports lead to ports.
static void check_mixed(const XcXModel *model) {
  if (!xcXModelIsMixed(model))
    return;
  XcDiag diag = xc_fuzz_silent_diag();
  const XcXModelMixed *mixed = xcXModelMixedCreate(&diag, model);
  xc_fuzz_require(diag.numErrors == !mixed);
  for (size_t i = 0; mixed && i < mixed->numParts; ++i)
    for (size_t k = 0; k < mixed->parts[i].numInputs; ++k)
      xc_fuzz_require(mixed->parts[i].inputs[k] < mixed->numPorts);
  xcXModelMixedDestroy(mixed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  XcXModel *model = xcXModelReadFromMemory(&diag, "input", data, size);
  xc_fuzz_require(diag.numErrors == !model);
  if (!model)
    return 0;
  check_round_trip(model);
  check_print(model, xc_xmodel_print);
  check_print(model, xc_xmodel_print_dot);
  check_print(model, xc_xmodel_print_svg);
  check_dpu(model);
  check_mixed(model);
  xcXModelDestroy(model);
  return 0;
}
