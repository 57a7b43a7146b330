//===- Missing.c - operators that a front end does not have ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// Kinds of operators that are missing for one reason.
typedef struct missing_kind {
  const char *reason;
  const char *names[14]; // in lower case, ended by null
} missing_kind;

static const missing_kind kinds[] = {
    {"recurrent layers are read as LSTM, GRU and RNN of ONNX and "
     "UNIDIRECTIONAL_SEQUENCE_LSTM and _RNN of TensorFlow Lite",
     {"lstm", "rnn", "bidirectional_sequence_lstm",
      "bidirectional_sequence_rnn", "svdf", "dynamicquantizelstm", "blocklstm",
      "blocklstmv2", "vitislstm", "extendedlstm"}},
    {"loops repeat a graph, which a function of tir does not have",
     {"loop", "scan", "while", "statelesswhile"}},
    {"block floating point has an exponent for a block of numbers, and neither "
     "tir nor a DPU has such elements",
     {"bfpfixneuron", "mxfixneuron", "bfpquantizedequantize",
      "mxquantizedequantize"}},
    {"spectra are complex numbers, which tir does not have",
     {"fft", "ifft", "rfft", "irfft", "rfft2d", "fft2d", "flexrfft",
      "flexrfft2d", "flexfft"}},
    {"the size of some results depends on the data, and shapes are static",
     {"nonzero", "compress", "unique", "uniquev2"}},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(*kinds) };

// Front ends write 'domain.Operator', CUSTOM 'Operator' or OPERATOR.
static bool is_named(const char *text, const char *name) {
  size_t end = strlen(text), length = strlen(name);
  end -= end && text[end - 1] == '\'';
  if (end < length || (end > length && !strchr("'. ", text[end - length - 1])))
    return false;
  for (size_t i = 0; i < length; ++i)
    if (tolower((unsigned char)text[end - length + i]) != name[i])
      return false;
  return true;
}

static bool is_of_kind(const missing_kind *kind, const char *text) {
  for (size_t i = 0; kind->names[i]; ++i)
    if (is_named(text, kind->names[i]))
      return true;
  return false;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_reasons(const char *const *names, size_t count,
                          const char *before, xc_text *list) {
  bool any = false;
  for (size_t k = 0; k < NUM_KINDS; ++k)
    for (size_t i = 0; i < count; ++i)
      if (is_of_kind(&kinds[k], names[i])) {
        xc_text_printf(list, "; %s", kinds[k].reason);
        any = true;
        break;
      }
  if (before)
    xc_text_printf(list, "; --outputs=%s ends the model before the first one",
                   before);
  else if (any)
    xc_text_puts(list, "; --outputs ends the model before them");
}

bool xc_graph_report_missing(xc_graph *graph, const char **names, size_t count,
                             const char *before) {
  if (count == 0)
    return true;
  qsort(names, count, sizeof(*names), compare_names);
  xc_text list = {0};
  for (size_t i = 0, run; i < count; i += run) {
    for (run = 1; i + run < count && strcmp(names[i], names[i + run]) == 0;)
      ++run;
    xc_text_printf(&list, "%s%s", i ? ", " : "", names[i]);
    if (run > 1)
      xc_text_printf(&list, " (%zu times)", run);
  }
  print_reasons((const char *const *)names, count, before, &list);
  xc_graph_error(graph, "the model has operators that xc cannot import: %s",
                 xc_text_str(&list));
  xc_text_free(&list);
  return false;
}
