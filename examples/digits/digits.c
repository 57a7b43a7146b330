//===- digits.c - a network on its test images, three ways ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: digits MODEL FIXED COMPILED IMAGES LABELS
//
// MODEL is the network in floating point, FIXED what xcc made of it before it
// was divided, COMPILED the xmodel with machine code. Each gets every image of
// IMAGES (float32) and should say the digit in LABELS (int64): the first two on
// the reference interpreter, the third on the simulator. What the machine code
// computes must be what the reference does, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "xc-c/FixedPoint.h"
#include "xc-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One of the three.
typedef struct network {
  const char *title;
  XcModel *model;
  XcSession *session;
  const XcTensorInfo *input, *output;
  int8_t *fixed_input; // where the input is in fixed point
  size_t right;
} network;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// The content of a .npy file of version 1: 10 bytes, the last two of which are
/// the length of the header that follows.
typedef struct array {
  unsigned char *file;
  const unsigned char *data;
  size_t size;
} array;

static bool read_array(const char *path, array *result) {
  enum { PREFIX = 10 };
  FILE *file = fopen(path, "rb");
  long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  bool ok = end >= PREFIX && fseek(file, 0, SEEK_SET) == 0;
  size_t size = ok ? (size_t)end : 0;
  *result = (array){.file = malloc(size + 1)};
  ok = ok && result->file && fread(result->file, 1, size, file) == size &&
       memcmp(result->file, "\x93NUMPY\1", 7) == 0;
  if (file)
    fclose(file);
  size_t header =
      ok ? PREFIX + (size_t)(result->file[8] | result->file[9] << 8) : 0;
  if (!ok || header > size) {
    fprintf(stderr, "digits: '%s' is no array\n", path);
    return false;
  }
  result->data = result->file + header;
  result->size = size - header;
  return true;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

static bool load(network *n, const char *path, XcBackend backend) {
  XcDiag diag = {0};
  XcModelOptions options = {.backend = backend};
  n->model = xcModelLoad(&diag, path, &options);
  n->session = n->model ? xcSessionCreate(&diag, n->model) : NULL;
  if (!n->session)
    return false;
  n->input = xcModelGetInput(n->model, 0);
  n->output = xcModelGetOutput(n->model, 0);
  n->fixed_input = malloc(n->input->size);
  return n->fixed_input != NULL;
}

static void unload(network *n) {
  free(n->fixed_input);
  xcSessionDestroy(n->session);
  xcModelDestroy(n->model);
}

// The first class with the highest score.
static int64_t classify(const XcTensorInfo *info, const void *scores) {
  int64_t best = 0, count = info->dims[info->rank - 1];
  for (int64_t i = 1; i < count; ++i)
    if (info->element == XcElementTypeF32
            ? ((const float *)scores)[i] > ((const float *)scores)[best]
            : ((const int8_t *)scores)[i] > ((const int8_t *)scores)[best])
      best = i;
  return best;
}

static bool classify_image(network *n, const float *image, size_t pixels,
                           int64_t label) {
  const XcFixType byte = {8, true};
  XcDiag diag = {0};
  xcSessionBindInput(n->session, 0, image);
  if (n->input->hasFixPoint) {
    for (size_t i = 0; i < pixels; ++i)
      n->fixed_input[i] = (int8_t)xcFloatToFix(
          (double)image[i], n->input->fixPoint, byte, XcRoundModeDpu);
    xcSessionBindInput(n->session, 0, n->fixed_input);
  }
  if (!xcSessionRun(n->session, &diag))
    return false;
  n->right += classify(n->output, xcSessionGetOutput(n->session, 0)) == label;
  return true;
}

//===----------------------------------------------------------------------===//
// All images
//===----------------------------------------------------------------------===//

/// What the reference computed last of the kind that the machine code gives
/// back: the softmax behind it is not in the code.
typedef struct last_tensor {
  XcElementType element;
  size_t size;
  void *data;
} last_tensor;

static bool keep(void *user, const XcTensorInfo *tensor, const void *data) {
  last_tensor *last = user;
  if (tensor->element == last->element && tensor->size == last->size)
    memcpy(last->data, data, tensor->size);
  return true;
}

static bool run_all(network networks[3], const array *images,
                    const array *labels, size_t *differing) {
  const network *code = &networks[2];
  size_t size = networks[0].input->size, pixels = size / sizeof(float);
  size_t count = images->size / size;
  last_tensor last = {code->output->element, code->output->size,
                      malloc(code->output->size)};
  bool ok = last.data && labels->size == count * sizeof(int64_t);
  if (!ok)
    fprintf(stderr, "digits: %zu images of %zu bytes, but %zu labels\n", count,
            size, labels->size / sizeof(int64_t));
  float *image = malloc(size);
  xcSessionSetObserver(networks[1].session, keep, &last);
  for (size_t i = 0; ok && image && i < count; ++i) {
    int64_t label;
    memcpy(image, images->data + i * size, size);
    memcpy(&label, labels->data + i * sizeof(label), sizeof(label));
    for (size_t k = 0; ok && k < 3; ++k)
      ok = classify_image(&networks[k], image, pixels, label);
    *differing += ok && memcmp(last.data, xcSessionGetOutput(code->session, 0),
                               last.size) != 0;
  }
  free(image);
  free(last.data);
  return ok;
}

static void print(const network networks[3], size_t count, size_t differing) {
  for (size_t k = 0; k < 3; ++k)
    printf("%-36s %zu of %zu right, %.2f %%\n", networks[k].title,
           networks[k].right, count,
           100 * (double)networks[k].right / (double)count);
  if (differing)
    printf("the machine code differs from the reference on %zu images\n",
           differing);
  else
    printf("on every image the machine code computes the bits of the "
           "reference\n");
}

int main(int argc, char **argv) {
  network networks[3] = {{.title = "floating point, reference"},
                         {.title = "fixed point, reference"},
                         {.title = "machine code, simulator"}};
  array images = {0}, labels = {0};
  size_t differing = 0;
  if (argc != 6) {
    fputs("usage: digits MODEL FIXED COMPILED IMAGES LABELS\n", stderr);
    return EXIT_FAILURE;
  }
  bool ok = read_array(argv[4], &images) && read_array(argv[5], &labels);
  for (int k = 0; ok && k < 3; ++k)
    ok = load(&networks[k], argv[1 + k],
              k == 2 ? XcBackendSim : XcBackendReference);
  ok = ok && run_all(networks, &images, &labels, &differing);
  if (ok)
    print(networks, labels.size / sizeof(int64_t), differing);
  for (int k = 0; k < 3; ++k)
    unload(&networks[k]);
  free(images.file);
  free(labels.file);
  return ok && differing == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
