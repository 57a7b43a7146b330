//===- PeerTFLite.c - TensorFlow Lite with XNNPACK ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the C API that we call, by name, and the head of the XNNPACK
// delegate's options; all fields behind it are zero by default.
//
//===----------------------------------------------------------------------===//

#include "Peer.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct delegate_options {
  int32_t threads;
  uint32_t flags;
  uint64_t rest[32];
} delegate_options;

// Convolutions on int8 and on uint8 are off by default.
enum { DELEGATE_QS8 = 1, DELEGATE_QU8 = 2 };
enum { TYPE_FLOAT32 = 1 };

// One row a function: result, name behind "TfLite", arguments.
// clang-format off
#define TFLITE_FUNCTIONS(X)                                                    \
  X(void *, ModelCreateFromFile, (const char *))                               \
  X(void *, InterpreterOptionsCreate, (void))                                  \
  X(void, InterpreterOptionsSetNumThreads, (void *, int32_t))                  \
  X(void, InterpreterOptionsAddDelegate, (void *, void *))                     \
  X(void *, InterpreterCreate, (const void *, const void *))                   \
  X(int, InterpreterAllocateTensors, (void *))                                 \
  X(int32_t, InterpreterGetInputTensorCount, (const void *))                   \
  X(void *, InterpreterGetInputTensor, (const void *, int32_t))                \
  X(void *, TensorData, (const void *))                                        \
  X(int, TensorType, (const void *))                                           \
  X(size_t, TensorByteSize, (const void *))                                    \
  X(int, InterpreterInvoke, (void *))                                          \
  X(void *, XNNPackDelegateCreate, (const delegate_options *))
// clang-format on

typedef struct tflite {
#define FIELD(result, name, arguments) result(*name) arguments;
  TFLITE_FUNCTIONS(FIELD)
#undef FIELD
  void *interpreter;
} tflite;

static bool load(tflite *api, const char *library, char *reason, size_t size) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(reason, size, "%s", dlerror());
    return false;
  }
  // POSIX gives functions as data pointers.
#define LOAD(result, name, arguments)                                          \
  *(void **)&api->name = dlsym(handle, "TfLite" #name);                        \
  if (!api->name) {                                                            \
    snprintf(reason, size, "%s has no TfLite" #name, library);                 \
    return false;                                                              \
  }
  TFLITE_FUNCTIONS(LOAD)
#undef LOAD
  return true;
}

static bool run(xc_peer *peer) {
  tflite *api = peer->state;
  return api->InterpreterInvoke(api->interpreter) == 0;
}

static bool create_interpreter(tflite *api, const char *path, int threads,
                               bool delegated) {
  void *model = api->ModelCreateFromFile(path);
  void *options = api->InterpreterOptionsCreate();
  if (!model || !options)
    return false;
  api->InterpreterOptionsSetNumThreads(options, threads);
  const delegate_options xnnpack = {.threads = threads,
                                    .flags = DELEGATE_QS8 | DELEGATE_QU8};
  void *delegate = delegated ? api->XNNPackDelegateCreate(&xnnpack) : NULL;
  if (delegate)
    api->InterpreterOptionsAddDelegate(options, delegate);
  api->interpreter = api->InterpreterCreate(model, options);
  return api->interpreter &&
         api->InterpreterAllocateTensors(api->interpreter) == 0;
}

// XNNPACK refuses some quantised models; TensorFlow Lite's own kernels do not.
static bool open_model(tflite *api, const char *path, int threads) {
  if (!create_interpreter(api, path, threads, true) &&
      !create_interpreter(api, path, threads, false))
    return false;
  int32_t inputs = api->InterpreterGetInputTensorCount(api->interpreter);
  for (int32_t i = 0; i < inputs; ++i) {
    void *tensor = api->InterpreterGetInputTensor(api->interpreter, i);
    xc_peer_fill(api->TensorData(tensor), api->TensorByteSize(tensor),
                 api->TensorType(tensor) == TYPE_FLOAT32);
  }
  return true;
}

bool xc_peer_open_tflite(xc_peer *peer, const char *library, const char *model,
                         int threads, char *reason, size_t size) {
  tflite *api = calloc(1, sizeof(*api));
  if (!api)
    abort();
  if (!load(api, library, reason, size)) {
    free(api);
    return false;
  }
  if (!open_model(api, model, threads)) {
    snprintf(reason, size, "TensorFlow Lite does not take %s", model);
    free(api);
    return false;
  }
  *peer = (xc_peer){.run = run, .state = api};
  return true;
}
