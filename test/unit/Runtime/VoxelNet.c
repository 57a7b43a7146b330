//===- VoxelNet.c - a network with an operator of the host ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-test-voxelnet MODEL BACKEND [OUTPUT...]
//
// Runs a PointPillars network on made-up pillars and writes its outputs. The
// operator between its halves is the host's: without OUTPUT it is not
// registered, and the run must fail.
//
//===----------------------------------------------------------------------===//

#include "xc-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of examples/custom/scatter.c.
const XcCustomKernel *xc_kernel_plugin(size_t *count);

static float *make_points(const XcTensorInfo *info) {
  float *data = malloc(info->size);
  uint32_t state = 7;
  for (size_t i = 0; i < info->size / sizeof(float); ++i) {
    state = state * 1664525 + 1013904223;
    data[i] = (float)(int32_t)state * 0x1p-30f;
  }
  return data;
}

// A cell of its own for every pillar; the last hundred are unused.
static float *make_places(const XcTensorInfo *info) {
  enum { WIDTH = 432, UNUSED = 100 };
  float *data = malloc(info->size);
  int64_t pillars = info->dims[1];
  for (int64_t p = 0; p < pillars; ++p) {
    int64_t cell = p * 17;
    bool used = p < pillars - UNUSED;
    data[4 * p] = data[4 * p + 1] = 0;
    data[4 * p + 2] = used ? (float)(cell / WIDTH) : -1;
    data[4 * p + 3] = used ? (float)(cell % WIDTH) : -1;
  }
  return data;
}

static bool write_outputs(const XcModel *model, const XcSession *session,
                          char **paths, size_t count) {
  for (size_t i = 0; i < count && i < xcModelGetNumOutputs(model); ++i) {
    FILE *file = fopen(paths[i], "wb");
    size_t size = xcModelGetOutput(model, i)->size;
    bool ok =
        file && fwrite(xcSessionGetOutput(session, i), 1, size, file) == size;
    if (file)
      ok &= fclose(file) == 0;
    if (!ok)
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  XcDiag diag = {0};
  XcModelOptions options = {0};
  if (argc > 3)
    options.kernels = xc_kernel_plugin(&options.numKernels);
  if (argc < 3 || !xcBackendFind(argv[2], &options.backend))
    return EXIT_FAILURE;
  XcModel *model = xcModelLoad(&diag, argv[1], &options);
  XcSession *session = model ? xcSessionCreate(&diag, model) : NULL;
  if (!session || xcModelGetNumInputs(model) != 2)
    return EXIT_FAILURE;
  float *points = make_points(xcModelGetInput(model, 0));
  float *places = make_places(xcModelGetInput(model, 1));
  xcSessionBindInput(session, 0, points);
  xcSessionBindInput(session, 1, places);
  bool ok = xcSessionRun(session, &diag) &&
            write_outputs(model, session, argv + 3, (size_t)(argc - 3));
  xcSessionDestroy(session);
  xcModelDestroy(model);
  free(points);
  free(places);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
