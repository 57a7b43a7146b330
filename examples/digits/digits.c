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
// the reference interpreter, the third on the simulator. The last two must
// agree bit for bit.
//
//===----------------------------------------------------------------------===//

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
    fprintf(stderr, "digits: '%s' is not an array\n", path);
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
  return true;
}

static void unload(network *n) {
  xcSessionDestroy(n->session);
  xcModelDestroy(n->model);
}

// All have one input and one output of floats, of the same sizes.
static bool have_same_tensors(const network networks[3]) {
  for (int k = 0; k < 3; ++k) {
    const network *n = &networks[k];
    if (xcModelGetNumInputs(n->model) == 1 &&
        xcModelGetNumOutputs(n->model) == 1 &&
        n->input->element == XcElementTypeF32 &&
        n->output->element == XcElementTypeF32 && n->output->rank > 0 &&
        n->input->size == networks[0].input->size &&
        n->output->size == networks[0].output->size)
      continue;
    fprintf(stderr, "digits: the networks take or give different tensors\n");
    return false;
  }
  return true;
}

static bool classify(network *n, const float *image, int64_t label) {
  XcDiag diag = {0};
  xcSessionBindInput(n->session, 0, image);
  if (!xcSessionRun(n->session, &diag))
    return false;
  const float *scores = xcSessionGetOutput(n->session, 0);
  int64_t best = 0, count = n->output->dims[n->output->rank - 1];
  for (int64_t i = 1; i < count; ++i)
    best = scores[i] > scores[best] ? i : best;
  n->right += best == label;
  return true;
}

//===----------------------------------------------------------------------===//
// All images
//===----------------------------------------------------------------------===//

static bool run_all(network networks[3], const array *images,
                    const array *labels, size_t *differing) {
  size_t size = networks[0].input->size, count = images->size / size;
  float *image = malloc(size);
  bool ok = image && labels->size == count * sizeof(int64_t);
  if (!ok)
    fprintf(stderr, "digits: %zu images of %zu bytes, but %zu labels\n", count,
            size, labels->size / sizeof(int64_t));
  for (size_t i = 0; ok && i < count; ++i) {
    int64_t label;
    memcpy(image, images->data + i * size, size);
    memcpy(&label, labels->data + i * sizeof(label), sizeof(label));
    for (size_t k = 0; ok && k < 3; ++k)
      ok = classify(&networks[k], image, label);
    *differing += ok && memcmp(xcSessionGetOutput(networks[1].session, 0),
                               xcSessionGetOutput(networks[2].session, 0),
                               networks[1].output->size) != 0;
  }
  free(image);
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
  ok = ok && have_same_tensors(networks);
  ok = ok && run_all(networks, &images, &labels, &differing);
  if (ok)
    print(networks, labels.size / sizeof(int64_t), differing);
  for (int k = 0; k < 3; ++k)
    unload(&networks[k]);
  free(images.file);
  free(labels.file);
  return ok && differing == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
