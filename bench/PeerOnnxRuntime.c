//===- PeerOnnxRuntime.c - ONNX Runtime -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime hands out a table of functions that only ever grows at its end,
// so that an entry is known by its position. The rows below are those we call.
//
//===----------------------------------------------------------------------===//

#include "Peer.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { API_VERSION = 1, MAX_PORTS = 64, MAX_RANK = 8 };
enum { LOG_ERROR = 3, TYPE_FLOAT = 1 };

// One row an entry: position, name, arguments. All but GetErrorMessage return
// a status, null for success.
// clang-format off
#define ORT_ENTRIES(X)                                                         \
  X(3, CreateEnv, (int level, const char *name, void **))                      \
  X(7, CreateSession, (void *env, const char *path, void *options, void **))   \
  X(9, Run, (void *session, void *options, const char *const *inputs,          \
             void *const *values, size_t, const char *const *outputs, size_t,  \
             void **results))                                                  \
  X(10, CreateSessionOptions, (void **))                                       \
  X(24, SetIntraOpNumThreads, (void *options, int))                            \
  X(30, SessionGetInputCount, (void *session, size_t *))                       \
  X(31, SessionGetOutputCount, (void *session, size_t *))                      \
  X(33, SessionGetInputTypeInfo, (void *session, size_t, void **))             \
  X(36, SessionGetInputName, (void *session, size_t, void *allocator, char **))\
  X(37, SessionGetOutputName, (void *session, size_t, void *allocator, char **))\
  X(48, CreateTensorAsOrtValue, (void *allocator, const int64_t *dims, size_t, \
                                 int type, void **))                           \
  X(51, GetTensorMutableData, (void *value, void **))                          \
  X(55, CastTypeInfoToTensorInfo, (const void *, const void **))               \
  X(60, GetTensorElementType, (const void *, int *))                           \
  X(61, GetDimensionsCount, (const void *, size_t *))                          \
  X(62, GetDimensions, (const void *, int64_t *, size_t))                      \
  X(78, GetAllocatorWithDefaultOptions, (void **))
// clang-format on
enum { POSITION_GetErrorMessage = 2, NUM_POSITIONS = 79 };

typedef struct api_base {
  const void *const *(*get_api)(uint32_t version);
  const char *(*get_version)(void);
} api_base;

typedef struct ort {
#define FIELD(position, name, arguments) void *(*name)arguments;
  ORT_ENTRIES(FIELD)
#undef FIELD
  const char *(*GetErrorMessage)(const void *status);
  void *session;
  size_t inputs, outputs;
  char *input_names[MAX_PORTS], *output_names[MAX_PORTS];
  void *values[MAX_PORTS], *results[MAX_PORTS];
  char *reason;
  size_t reason_size;
  xc_peer *peer;
} ort;

static bool load(ort *api, const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(api->reason, api->reason_size, "%s", dlerror());
    return false;
  }
  const api_base *(*get_base)(void);
  *(void **)&get_base = dlsym(handle, "OrtGetApiBase");
  const void *const *table = get_base ? get_base()->get_api(API_VERSION) : NULL;
  if (!table) {
    snprintf(api->reason, api->reason_size, "%s is no ONNX Runtime", library);
    return false;
  }
#define LOAD(position, name, arguments)                                        \
  *(const void **)&api->name = table[position];
  ORT_ENTRIES(LOAD)
#undef LOAD
  *(const void **)&api->GetErrorMessage = table[POSITION_GetErrorMessage];
  return true;
}

static bool ok(ort *api, const void *status) {
  if (status)
    snprintf(api->reason, api->reason_size, "%s", api->GetErrorMessage(status));
  return !status;
}

// Bytes of an element by its type's number; 0: strings and others.
static size_t element_size(int type) {
  static const unsigned char sizes[] = {0, 4, 1, 1, 2, 2, 4,  8, 0,
                                        1, 2, 8, 4, 8, 8, 16, 2};
  return type >= 0 && (size_t)type < sizeof(sizes) ? sizes[type] : 0;
}

static bool fill(ort *api, void *value, int type, const int64_t *dims,
                 size_t rank) {
  void *data;
  size_t size = element_size(type);
  for (size_t i = 0; i < rank; ++i)
    size *= (size_t)dims[i];
  if (!ok(api, api->GetTensorMutableData(value, &data)))
    return false;
  xc_peer_fill(data, size, type == TYPE_FLOAT);
  return true;
}

static void note_shape(xc_peer *peer, const char *name, const int64_t *dims,
                       size_t rank) {
  if (peer->num_shapes == XC_PEER_MAX_SHAPES)
    return;
  char *text = peer->shapes[peer->num_shapes++];
  size_t length = (size_t)snprintf(text, XC_PEER_SHAPE_SIZE, "%s", name);
  for (size_t i = 0; i < rank && length < XC_PEER_SHAPE_SIZE; ++i)
    length +=
        (size_t)snprintf(text + length, XC_PEER_SHAPE_SIZE - length, "%c%lld",
                         i == 0 ? '=' : 'x', (long long)dims[i]);
}

// A tensor of the input's type; open dimensions count 1.
static bool create_input(ort *api, void *allocator, size_t index) {
  void *info;
  const void *tensor;
  int type;
  size_t rank;
  int64_t dims[MAX_RANK];
  if (!ok(api, api->SessionGetInputTypeInfo(api->session, index, &info)) ||
      !ok(api, api->CastTypeInfoToTensorInfo(info, &tensor)) ||
      !ok(api, api->GetTensorElementType(tensor, &type)) ||
      !ok(api, api->GetDimensionsCount(tensor, &rank)) || rank > MAX_RANK ||
      !ok(api, api->GetDimensions(tensor, dims, rank)))
    return false;
  bool open = false;
  for (size_t i = 0; i < rank; ++i) {
    open |= dims[i] <= 0;
    dims[i] = dims[i] > 0 ? dims[i] : 1;
  }
  if (!ok(api, api->SessionGetInputName(api->session, index, allocator,
                                        &api->input_names[index])))
    return false;
  if (open)
    note_shape(api->peer, api->input_names[index], dims, rank);
  return ok(api, api->CreateTensorAsOrtValue(allocator, dims, rank, type,
                                             &api->values[index])) &&
         fill(api, api->values[index], type, dims, rank);
}

static bool open_model(ort *api, const char *path, int threads) {
  void *env, *options, *allocator;
  if (!ok(api, api->CreateEnv(LOG_ERROR, "bench", &env)) ||
      !ok(api, api->CreateSessionOptions(&options)) ||
      !ok(api, api->SetIntraOpNumThreads(options, threads)) ||
      !ok(api, api->CreateSession(env, path, options, &api->session)) ||
      !ok(api, api->GetAllocatorWithDefaultOptions(&allocator)) ||
      !ok(api, api->SessionGetInputCount(api->session, &api->inputs)) ||
      !ok(api, api->SessionGetOutputCount(api->session, &api->outputs)))
    return false;
  if (api->inputs > MAX_PORTS || api->outputs > MAX_PORTS) {
    snprintf(api->reason, api->reason_size, "too many inputs or outputs");
    return false;
  }
  for (size_t i = 0; i < api->inputs; ++i)
    if (!create_input(api, allocator, i))
      return false;
  for (size_t i = 0; i < api->outputs; ++i)
    if (!ok(api, api->SessionGetOutputName(api->session, i, allocator,
                                           &api->output_names[i])))
      return false;
  return true;
}

// The first run allocates the results, later ones write into them.
static bool run(xc_peer *peer) {
  ort *api = peer->state;
  return ok(api, api->Run(api->session, NULL,
                          (const char *const *)api->input_names, api->values,
                          api->inputs, (const char *const *)api->output_names,
                          api->outputs, api->results));
}

bool xc_peer_open_onnxruntime(xc_peer *peer, const char *library,
                              const char *model, int threads, char *reason,
                              size_t size) {
  ort *api = calloc(1, sizeof(*api));
  if (!api)
    abort();
  // The reason is only written before this function returns.
  char own[256] = "";
  api->reason = own;
  api->peer = peer;
  peer->num_shapes = 0;
  api->reason_size = sizeof(own);
  if (!load(api, library) || !open_model(api, model, threads)) {
    snprintf(reason, size, "%s", own);
    free(api);
    return false;
  }
  api->reason = NULL;
  api->reason_size = 0;
  peer->run = run;
  peer->state = api;
  return true;
}
