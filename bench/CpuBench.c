//===- CpuBench.c - compiled networks beside other runtimes ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CpuBench [--peers=FOLDER] [--rounds=N] [--threads=N] [--only=WORD]
//          [--mcpu=NAME] PATH...
//
// Latency of whole networks: every .onnx and .tflite file that is named or lies
// in a named folder, compiled by xc and run by ONNX Runtime or by TensorFlow
// Lite with XNNPACK, on the same random inputs. Without --threads, one thread
// and two. FOLDER has the npm packages (fetch-peers.sh); a model that either
// side does not take is listed with the reason.
//
// Each contender is a process that is stopped while the other has its turn:
// threads that wait for work by spinning would take the other's processor. A
// turn gives the median of its runs: processor time with one thread, so that a
// busy machine counts for neither, else elapsed time. The ratio is the median
// over all rounds of the quotient of two neighbouring turns. The exit code is 1
// when a ratio is above 1.
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "CpuBenchModel.h"
#include "Peer.h"
#include "Support/Math.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 20000, MAX_ROUNDS = 1000, MAX_PATH = 1024 };

// Seconds of a turn.
static const double turn = 0.1;

typedef struct settings {
  const char *peers, *only, *cpu;
  int rounds, threads; // 0 threads: one, then two
  size_t num_compared, num_slower;
  double ratios[MAX_ROUNDS];
} settings;

//===----------------------------------------------------------------------===//
// Contenders
//===----------------------------------------------------------------------===//

/// What a contender's process tells. Shared memory.
typedef struct report {
  bool ready;
  double median;
  char shapes[XC_PEER_MAX_SHAPES][XC_PEER_SHAPE_SIZE]; // of a peer
  size_t num_shapes;
  char reason[256];
} report;

typedef struct contender {
  pid_t process;
  report *report;
} contender;

/// A model and who runs it.
typedef struct entry {
  const char *path, *cpu, *library; // library: of a peer; null: compiled by xc
  bool onnx;
  int threads;
  const char *shapes[XC_PEER_MAX_SHAPES];
  size_t num_shapes;
} entry;

typedef struct running {
  xc_bench_model own;
  xc_peer peer;
  bool is_peer;
} running;

static bool open_contender(const entry *e, running *r, report *told) {
  r->is_peer = e->library != NULL;
  const xc_bench_source source = {
      e->path, e->cpu, e->onnx, (unsigned)e->threads, e->shapes, e->num_shapes};
  if (!r->is_peer)
    return xc_bench_compile(&source, &r->own) ||
           (snprintf(told->reason, sizeof(told->reason),
                     "xc does not compile it"),
            false);
  bool ok = (e->onnx ? xc_peer_open_onnxruntime : xc_peer_open_tflite)(
      &r->peer, e->library, e->path, e->threads, told->reason,
      sizeof(told->reason));
  told->num_shapes = ok ? r->peer.num_shapes : 0;
  memcpy(told->shapes, r->peer.shapes, sizeof(told->shapes));
  return ok;
}

static bool run_once(running *r) {
  return r->is_peer ? r->peer.run(&r->peer) : xc_bench_run(&r->own);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double median(double *values, size_t count) {
  qsort(values, count, sizeof(*values), xc_compare_doubles);
  return values[count / 2];
}

static bool take_turn(running *r, clockid_t clock, double *result) {
  static double times[MAX_RUNS];
  size_t count = 0;
  double begin = seconds(CLOCK_MONOTONIC);
  // What another one left in the caches is not measured.
  if (!run_once(r))
    return false;
  while (count < MAX_RUNS &&
         (count < 3 || seconds(CLOCK_MONOTONIC) - begin < turn)) {
    double start = seconds(clock);
    if (!run_once(r))
      return false;
    times[count++] = seconds(clock) - start;
  }
  *result = median(times, count);
  return true;
}

// Stops itself after every turn, until it is killed.
static void contend(const entry *e, report *told) {
  static running r;
  clockid_t clock =
      e->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  bool ok = open_contender(e, &r, told);
  while (ok) {
    told->ready = true;
    raise(SIGSTOP);
    ok = take_turn(&r, clock, &told->median);
    if (!ok)
      snprintf(told->reason, sizeof(told->reason), "it fails when it runs");
  }
  _exit(EXIT_FAILURE);
}

// Whether the process has stopped, which ends its turn.
static bool wait_for_stop(contender *c) {
  int status;
  if (waitpid(c->process, &status, WUNTRACED) != c->process)
    return false;
  if (WIFSTOPPED(status))
    return true;
  c->process = 0;
  if (WIFSIGNALED(status))
    snprintf(c->report->reason, sizeof(c->report->reason), "signal %d",
             WTERMSIG(status));
  return false;
}

static bool begin(contender *c, const entry *e) {
  c->report = mmap(NULL, sizeof(*c->report), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (c->report == MAP_FAILED)
    abort();
  fflush(NULL);
  c->process = fork();
  if (c->process == 0)
    contend(e, c->report);
  return c->process > 0 && wait_for_stop(c);
}

static bool next_turn(contender *c) {
  kill(c->process, SIGCONT);
  return wait_for_stop(c);
}

static void end(contender *c) {
  if (c->process > 0) {
    kill(c->process, SIGKILL);
    waitpid(c->process, NULL, 0);
  }
  munmap(c->report, sizeof(*c->report));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const char tflite_library[] =
    "node_modules/tfjs-tflite-node/cc_deps/linux_amd64/libtensorflowlite_c.so";
static const char onnxruntime_library[] =
    "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1";

// Both take turns; the times are medians over all of them.
static bool compete(settings *s, contender *own, contender *peer,
                    double *own_time, double *peer_time) {
  static double own_times[MAX_ROUNDS], peer_times[MAX_ROUNDS];
  size_t count = (size_t)s->rounds;
  for (size_t i = 0; i < count; ++i) {
    if (!next_turn(own) || (peer->report->ready && !next_turn(peer)))
      return false;
    own_times[i] = own->report->median;
    peer_times[i] = peer->report->median;
    s->ratios[i] = own_times[i] / peer_times[i];
  }
  *own_time = median(own_times, count);
  *peer_time = median(peer_times, count);
  return true;
}

static void print_row(settings *s, const entry *e, const report *own,
                      const report *peer, const double times[2]) {
  const char *name = strrchr(e->path, '/');
  printf("%-36s %7d ", name ? name + 1 : e->path, e->threads);
  if (times[0] == 0)
    printf("   skipped: %s\n", own->reason);
  else if (!peer->ready || times[1] == 0)
    printf("%11.1f us     alone: %s\n", times[0] * 1e6, peer->reason);
  else {
    double ratio = median(s->ratios, (size_t)s->rounds);
    ++s->num_compared;
    s->num_slower += ratio > 1;
    printf("%11.1f us %11.1f us  %6.2f%s\n", times[0] * 1e6, times[1] * 1e6,
           ratio, ratio > 1 ? "  slower" : "");
  }
  fflush(stdout);
}

static void measure(settings *s, const char *path, bool onnx, int threads) {
  char library[MAX_PATH];
  snprintf(library, sizeof(library), "%s/%s", s->peers ? s->peers : "",
           onnx ? onnxruntime_library : tflite_library);
  entry e = {.path = path, .cpu = s->cpu, .onnx = onnx, .threads = threads};
  entry other = e;
  other.library = library;
  contender own, peer;
  double times[2] = {0, 0};
  begin(&peer, &other);
  for (size_t i = 0; i < peer.report->num_shapes; ++i)
    e.shapes[e.num_shapes++] = peer.report->shapes[i];
  if (!begin(&own, &e) || !compete(s, &own, &peer, &times[0], &times[1]))
    times[1] = 0;
  print_row(s, &e, own.report, peer.report, times);
  end(&own);
  end(&peer);
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void visit_file(settings *s, const char *path) {
  bool onnx = ends_with(path, ".onnx");
  if ((!onnx && !ends_with(path, ".tflite")) ||
      (s->only && !strstr(path, s->only)))
    return;
  for (int threads = 1; threads <= 2; ++threads)
    if (s->threads == 0 || s->threads == threads)
      measure(s, path, onnx, threads);
}

static void visit(settings *s, const char *path) {
  struct stat status;
  struct dirent **names;
  if (stat(path, &status) != 0) {
    printf("%-36s    skipped: there is no such file\n", path);
    return;
  }
  if (!S_ISDIR(status.st_mode)) {
    visit_file(s, path);
    return;
  }
  int count = scandir(path, &names, NULL, alphasort);
  for (int i = 0; i < count; ++i) {
    char inner[MAX_PATH];
    snprintf(inner, sizeof(inner), "%s/%s", path, names[i]->d_name);
    if (names[i]->d_name[0] != '.')
      visit(s, inner);
    free(names[i]);
  }
  if (count >= 0)
    free(names);
}

// The value of an option, or null.
static const char *value_of(const char *argument, const char *option) {
  size_t length = strlen(option);
  return strncmp(argument, option, length) == 0 ? argument + length : NULL;
}

static bool read_settings(int argc, char **argv, settings *s) {
  int paths = 0;
  for (int i = 1; i < argc; ++i) {
    const char *value;
    if ((value = value_of(argv[i], "--peers=")))
      s->peers = value;
    else if ((value = value_of(argv[i], "--rounds=")))
      s->rounds = atoi(value);
    else if ((value = value_of(argv[i], "--threads=")))
      s->threads = atoi(value);
    else if ((value = value_of(argv[i], "--only=")))
      s->only = value;
    else if ((value = value_of(argv[i], "--mcpu=")))
      s->cpu = value;
    else
      argv[++paths] = argv[i];
  }
  argv[paths + 1] = NULL;
  return paths > 0 && s->rounds >= 1 && s->rounds <= MAX_ROUNDS &&
         s->threads >= 0 && s->threads <= 2;
}

int main(int argc, char **argv) {
  static settings s = {.rounds = 7};
  if (!read_settings(argc, argv, &s)) {
    fprintf(stderr,
            "usage: CpuBench [--peers=FOLDER] [--rounds=N] [--threads=N] "
            "[--only=WORD] [--mcpu=NAME] PATH...\n");
    return EXIT_FAILURE;
  }
  printf("%-36s %7s %14s %14s  %6s\n", "network", "threads", "xc",
         "other runtime", "ratio");
  for (char **path = argv + 1; *path; ++path)
    visit(&s, *path);
  printf("%zu compared, %zu slower\n", s.num_compared, s.num_slower);
  return s.num_slower == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
