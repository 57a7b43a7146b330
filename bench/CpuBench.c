//===- CpuBench.c - compiled networks beside other runtimes ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CpuBench MODELS [PEERS] [--rounds=N] [--only=WORD]
//
// Median latency of whole networks, compiled by xc and run by TensorFlow Lite
// with XNNPACK or by ONNX Runtime, with one thread and with two. The runtimes
// take turns within one run, so that a busy machine is busy for all. MODELS is
// the folder of the model files and PEERS that of the npm packages (see
// fetch-peers.sh); what is missing is left out with a message.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Peer.h"

#include "IRReader/IRReader.h"
#include "Support/File.h"
#include "xc-c/CPU.h"
#include "xc-c/Import.h"
#include "xc-c/Passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PORTS = 8, MAX_SAMPLES = 20000, ALIGNMENT = 64, MAX_PATH = 1024 };

// Seconds that a contender runs before the next one has its turn.
static const double turn = 0.1;

typedef struct row {
  const char *label, *file;
  bool onnx;
} row;

static const row rows[] = {
    {"ResNet-8 int8", "tflite/pretrainedResnet_quant.tflite", false},
    {"ResNet-8 float", "tflite/pretrainedResnet.tflite", false},
    {"VWW int8", "tflite/vww_96_int8.tflite", false},
    {"KWS int8", "tflite/kws_ref_model.tflite", false},
    {"ResNet-50 float", "onnx-light/light_resnet50.onnx", true},
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

//===----------------------------------------------------------------------===//
// Our own code
//===----------------------------------------------------------------------===//

typedef struct compiled {
  XcCpuEntry entry;
  const void *inputs[MAX_PORTS], *params;
  void *outputs[MAX_PORTS], *arena;
  double compile_seconds;
} compiled;

static void *allocate(int64_t size) {
  size_t rounded = ((size_t)size / ALIGNMENT + 1) * ALIGNMENT;
  void *data = aligned_alloc(ALIGNMENT, rounded);
  if (!data)
    abort();
  memset(data, 0, rounded);
  return data;
}

static void print_error(MlirStringRef message, void *user_data) {
  (void)user_data;
  fprintf(stderr, "%.*s\n", (int)message.length, message.data);
}

// Simplifies a module as the drivers do.
static bool simplify(MlirModule module) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      mlirModuleGetContext(module),
      mlirStringRefCreateFromCString("builtin.module"));
  bool ok = mlirLogicalResultIsSuccess(xcPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(manager),
                mlirStringRefCreateFromCString("builtin.module"),
                mlirStringRefCreateFromCString("tir-canonicalize"), print_error,
                NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  return ok;
}

// Binds buffers to the one function of a model. Code lives as long as the
// program.
static bool bind(XcDiag *diag, XcCpuCode *code, compiled *c) {
  const XcCpuFunction *function = xcCpuCodeGetFunction(code, 0);
  if (function->numInputs > MAX_PORTS || function->numOutputs > MAX_PORTS)
    return false;
  size_t size;
  const void *object = xcCpuCodeGetObject(code, &size);
  XcCpuProgram *program = xcCpuProgramCreate(diag, object, size);
  c->entry =
      program ? xcCpuProgramGetEntry(diag, program, function->symbol) : NULL;
  for (size_t i = 0; i < function->numInputs; ++i)
    c->inputs[i] = allocate(function->inputBytes[i]);
  for (size_t i = 0; i < function->numOutputs; ++i)
    c->outputs[i] = allocate(function->outputBytes[i]);
  c->arena = allocate(function->arenaBytes);
  c->params = xcCpuCodeGetParams(code, &size);
  return c->entry != NULL;
}

static bool compile(const row *r, const char *path, unsigned threads,
                    compiled *c) {
  XcDiag diag = {0};
  xc_buffer file;
  if (!xc_read_file(&diag, path, &file))
    return false;
  const XcImportOptions import = {.randomWeights = r->onnx, .seed = 1};
  const XcCpuOptions options = {.threads = threads};
  MlirContext context = xc_context_create(true);
  MlirModule module = (r->onnx ? xcImportOnnx : xcImportTflite)(
      &diag, context, path, file.data, file.size, &import);
  xc_buffer_free(&file);
  bool ok = !mlirModuleIsNull(module) && simplify(module);
  double start = seconds();
  XcCpuCode *code = ok ? xcCpuCompile(&diag, module, &options) : NULL;
  c->compile_seconds = seconds() - start;
  ok = code && bind(&diag, code, c);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

typedef struct samples {
  double times[MAX_SAMPLES];
  size_t count;
} samples;

static bool run_once(compiled *own, xc_peer *peer) {
  return own ? own->entry(own->inputs, own->outputs, own->arena, own->params) ==
                   XcCpuStatusOk
             : peer->run(peer);
}

static bool take_turn(samples *s, compiled *own, xc_peer *peer) {
  double begin = seconds();
  // What another one left in the caches is not measured.
  if (!run_once(own, peer))
    return false;
  for (int i = 0; i < 3 || seconds() - begin < turn; ++i) {
    double start = seconds();
    if (!run_once(own, peer))
      return false;
    if (s->count < MAX_SAMPLES)
      s->times[s->count++] = seconds() - start;
  }
  return true;
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(samples *s) {
  qsort(s->times, s->count, sizeof(*s->times), compare_times);
  return s->times[s->count / 2];
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

typedef struct settings {
  const char *models, *peers, *only;
  int rounds;
} settings;

static const char tflite_library[] =
    "node_modules/tfjs-tflite-node/cc_deps/linux_amd64/libtensorflowlite_c.so";
static const char onnxruntime_library[] =
    "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1";

static bool open_peer(const settings *s, const row *r, const char *model,
                      int threads, xc_peer *peer) {
  char library[MAX_PATH], reason[MAX_PATH] = "no folder of peers was given";
  snprintf(library, sizeof(library), "%s/%s", s->peers ? s->peers : "",
           r->onnx ? onnxruntime_library : tflite_library);
  if (s->peers && (r->onnx ? xc_peer_open_onnxruntime : xc_peer_open_tflite)(
                      peer, library, model, threads, reason, sizeof(reason)))
    return true;
  printf("%-16s %7d  skipped the other runtime: %s\n", r->label, threads,
         reason);
  return false;
}

static bool measure(const settings *s, const row *r, const char *model,
                    int threads) {
  static samples own_samples, peer_samples;
  own_samples.count = peer_samples.count = 0;
  compiled own = {0};
  xc_peer peer;
  bool has_peer = open_peer(s, r, model, threads, &peer);
  if (!compile(r, model, (unsigned)threads, &own))
    return false;
  for (int i = 0; i < s->rounds; ++i)
    if (!take_turn(&own_samples, &own, NULL) ||
        (has_peer && !take_turn(&peer_samples, NULL, &peer)))
      return false;
  double time = median(&own_samples);
  printf("%-16s %7d %11.1f us", r->label, threads, time * 1e6);
  if (has_peer) {
    double other = median(&peer_samples);
    printf("  %-22s %11.1f us  %6.2f",
           r->onnx ? "ONNX Runtime" : "TFLite, XNNPACK", other * 1e6,
           time / other);
  }
  printf("  (compiled in %.1f s)\n", own.compile_seconds);
  fflush(stdout);
  return true;
}

static settings read_settings(int argc, char **argv) {
  settings s = {.rounds = 7};
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--rounds=", 9) == 0)
      s.rounds = atoi(argv[i] + 9);
    else if (strncmp(argv[i], "--only=", 7) == 0)
      s.only = argv[i] + 7;
    else if (!s.models)
      s.models = argv[i];
    else
      s.peers = argv[i];
  }
  return s;
}

int main(int argc, char **argv) {
  settings s = read_settings(argc, argv);
  if (!s.models || s.rounds < 1) {
    fprintf(stderr, "usage: CpuBench MODELS [PEERS] [--rounds=N] "
                    "[--only=WORD]\n");
    return EXIT_FAILURE;
  }
  printf("%-16s %7s %14s  %-22s %14s  %6s\n", "network", "threads", "xc",
         "other runtime", "", "ratio");
  bool ok = true;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    char path[MAX_PATH];
    snprintf(path, sizeof(path), "%s/%s", s.models, rows[i].file);
    if (s.only && !strstr(rows[i].label, s.only))
      continue;
    FILE *file = fopen(path, "rb");
    if (!file) {
      printf("%-16s skipped: no %s\n", rows[i].label, path);
      continue;
    }
    fclose(file);
    for (int threads = 1; threads <= 2; ++threads)
      ok &= measure(&s, &rows[i], path, threads);
  }
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
