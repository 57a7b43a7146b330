/* An operator that only the host knows, as a library for xc-run --kernels:
 * PPScatterV2 of PointPillars puts the features of pillars into a canvas. */
#include "xc-c/Runtime.h"

#include <string.h>

/* Features are [channel][pillar], the canvas is [channel][y][x]; coordinates
 * are (batch, z, y, x). Unused pillars have cells outside of the canvas. */
static const char *scatter(void *user_data, const XcCustomCall *call) {
  (void)user_data;
  int64_t width, height, channels;
  if (!xcCustomCallGetInt(call, "nx", &width) ||
      !xcCustomCallGetInt(call, "ny", &height) ||
      !xcCustomCallGetInt(call, "nchannels", &channels))
    return "expected nx, ny and nchannels";
  if (call->numInputs != 2 || call->inputs[1].rank != 3 ||
      call->output.size != (size_t)(channels * height * width) * sizeof(float))
    return "expected features and coordinates";
  int64_t pillars = call->inputs[1].dims[1];
  const float *features = call->inputData[0], *places = call->inputData[1];
  float *canvas = call->outputData;
  memset(canvas, 0, call->output.size);
  for (int64_t p = 0; p < pillars; ++p) {
    float y = places[4 * p + 2], x = places[4 * p + 3];
    if (!(y >= 0 && y < (float)height && x >= 0 && x < (float)width))
      continue;
    for (int64_t c = 0; c < channels; ++c)
      canvas[(c * height + (int64_t)y) * width + (int64_t)x] =
          features[c * pillars + p];
  }
  return NULL;
}

const XcCustomKernel *xc_kernel_plugin(size_t *count);

const XcCustomKernel *xc_kernel_plugin(size_t *count) {
  static const XcCustomKernel kernels[] = {{"PPScatterV2", scatter, NULL}};
  *count = sizeof(kernels) / sizeof(*kernels);
  return kernels;
}
