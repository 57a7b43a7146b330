//===- Peer.h - other runtimes beside ours ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorFlow Lite with XNNPACK and ONNX Runtime are loaded as shared libraries
// when the benchmark runs (bench/fetch-peers.sh gets them); nothing of theirs
// is needed to build it. A model that a peer cannot run gives a null peer and
// a reason.
//
//===----------------------------------------------------------------------===//

#ifndef XC_BENCH_PEER_H
#define XC_BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>

enum { XC_PEER_MAX_SHAPES = 4, XC_PEER_SHAPE_SIZE = 256 };

/// A model in another runtime, with inputs bound.
typedef struct xc_peer {
  /// Runs the model once. Buffers belong to the peer.
  bool (*run)(struct xc_peer *peer);
  void *state;
  /// "NAME=1x3x224x224": inputs whose shape the model leaves open; open
  /// dimensions count 1.
  char shapes[XC_PEER_MAX_SHAPES][XC_PEER_SHAPE_SIZE];
  size_t num_shapes;
} xc_peer;

/// Opens `model` with so many threads. `library` is the shared library's path.
/// On failure returns false and says why in `reason` (of `size` bytes). Peers
/// live as long as the program.
bool xc_peer_open_tflite(xc_peer *peer, const char *library, const char *model,
                         int threads, char *reason, size_t size);
bool xc_peer_open_onnxruntime(xc_peer *peer, const char *library,
                              const char *model, int threads, char *reason,
                              size_t size);

/// Fills an input: floats with numbers from -1 to 1, others with bytes from 0
/// to 127. The same bytes each time.
void xc_peer_fill(void *data, size_t size, bool real);

#endif // XC_BENCH_PEER_H
