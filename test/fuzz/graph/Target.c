//===- Target.c - targets of a family that do not exist -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Random.h"

#include <inttypes.h>
#include <string.h>

typedef struct bank_row {
  const char *name;
  int64_t groups, count, depth;
} bank_row;

enum { MAX_BANK_ROWS = 6 };

typedef struct synthetic {
  int64_t pixel, channel;
  int64_t elementwise_rows, misc_rows; // of the engine that has windows
  const char *misc;                    // its section; null: there is none
  bank_row banks[MAX_BANK_ROWS];
  int num_banks;
} synthetic;

typedef struct fuzz_family {
  const char *name;
  const char *bases[8];
  int num_bases;
  void (*choose)(fuzz_random *random, const char *base, synthetic *result);
} fuzz_family;

static void add_bank(synthetic *s, const char *name, int64_t groups,
                     int64_t count, int64_t depth) {
  s->banks[s->num_banks++] = (bank_row){name, groups, count, depth};
}

static int64_t choose_rows(fuzz_random *r, int64_t pixel, int64_t usual) {
  if (fuzz_chance(r, 30))
    return fuzz_range(r, 1, pixel);
  return usual > 0 ? usual : 1;
}

// All banks have one depth.
static void choose_DPUCZDX8G(fuzz_random *r, const char *base, synthetic *s) {
  (void)base;
  s->pixel = FUZZ_PICK(r, 1, 2, 3, 4, 4, 5, 6, 8, 8);
  s->channel = FUZZ_PICK(r, 4, 6, 8, 8, 10, 12, 14, 16, 16);
  int64_t depth = FUZZ_PICK(r, 128, 200, 256, 500, 512, 1024, 2048);
  s->elementwise_rows = s->misc_rows = choose_rows(r, s->pixel, s->pixel / 2);
  s->misc = "alu";
  add_bank(s, "image", 2, s->pixel, depth);
  add_bank(s, "weights", 1, s->channel, depth);
  add_bank(s, "depthwise_weights", 1, 1, depth);
  add_bank(s, "bias", 1, 1, depth);
}

// Each kind of bank has a depth of its own; half of the weights comes through
// each port.
static void choose_DPUCAHX8H(fuzz_random *r, const char *base, synthetic *s) {
  s->pixel = FUZZ_PICK(r, 1, 2, 3, 4, 4, 5, 6, 8, 8);
  s->channel = FUZZ_PICK(r, 4, 6, 8, 8, 10, 12, 14, 16, 16);
  s->elementwise_rows = choose_rows(r, s->pixel, 1);
  add_bank(s, "image", 2, s->pixel,
           FUZZ_PICK(r, 128, 200, 500, 1024, 2048, 4096, 8192));
  add_bank(s, "weights", 1, s->channel,
           FUZZ_PICK(r, 128, 200, 256, 500, 1024, 2048));
  add_bank(s, "bias", 1, 1, FUZZ_PICK(r, 128, 200, 256, 2048));
  if (!strstr(base, "DWC"))
    return;
  s->misc = "depthwise";
  s->misc_rows = choose_rows(r, s->pixel, 2 < s->pixel ? 2 : s->pixel);
  add_bank(s, "depthwise_weights", 1, 1,
           FUZZ_PICK(r, 128, 200, 256, 1024, 2048));
  add_bank(s, "depthwise_bias", 1, 1, FUZZ_PICK(r, 64, 100, 256));
}

static const fuzz_family families[] = {
    {"DPUCZDX8G",
     {"ISA1_B512", "ISA1_B800", "ISA1_B1024", "ISA1_B1152", "ISA1_B1600",
      "ISA1_B2304", "ISA1_B3136", "ISA1_B4096"},
     8,
     choose_DPUCZDX8G},
    {"DPUCAHX8H", {"ISA2", "ISA2_DWC", "ISA2_ELP2"}, 3, choose_DPUCAHX8H},
};

const fuzz_family *fuzz_find_family(const char *name) {
  for (size_t i = 0; i < sizeof(families) / sizeof(*families); ++i)
    if (strcmp(families[i].name, name) == 0)
      return &families[i];
  return NULL;
}

// Banks lie one after the other.
static void write_banks(const synthetic *s, xc_text *text) {
  int64_t first = 0;
  for (int i = 0; i < s->num_banks; ++i) {
    const bank_row *row = &s->banks[i];
    xc_text_printf(text,
                   "%s\n    \"%s\": {\"first\": %" PRId64
                   ", \"groups\": %" PRId64 ", \"count\": %" PRId64
                   ", \"width\": %" PRId64 ", \"depth\": %" PRId64 "}",
                   i ? "," : "", row->name, first, row->groups, row->count,
                   s->channel, row->depth);
    first += row->groups * row->count;
  }
}

void fuzz_write_target(const fuzz_family *family, uint64_t seed,
                       xc_text *text) {
  fuzz_random random = {seed ^ UINT64_C(0x7461726765740000)};
  const char *base = family->bases[fuzz_range(&random, 0, //
                                              family->num_bases - 1)];
  xc_text_printf(text, "{\n  \"extends\": \"%s_%s\"", family->name, base);
  if (fuzz_chance(&random, 40)) { // as it is built
    xc_text_printf(text, "\n}\n");
    return;
  }
  synthetic s = {0};
  family->choose(&random, base, &s);
  xc_text_printf(text,
                 ",\n  \"name\": \"SYNTHETIC_%" PRIu64 "\",\n"
                 "  \"fingerprint\": \"0x0\",\n"
                 "  \"parallel\": {\"pixel\": %" PRId64
                 ", \"input_channel\": %" PRId64
                 ", \"output_channel\": %" PRId64 ", \"channel\": %" PRId64
                 "},\n  \"augmentation_max\": %" PRId64 ",\n  \"banks\": {",
                 seed, s.pixel, s.channel, s.channel, s.channel, 2 * s.channel);
  write_banks(&s, text);
  xc_text_printf(text, "\n  },\n  \"conv\": {\"rows\": %" PRId64 "},", s.pixel);
  if (s.misc)
    xc_text_printf(text, "\n  \"%s\": {\"rows\": %" PRId64 "},", s.misc,
                   s.misc_rows);
  xc_text_printf(text, "\n  \"elementwise\": {\"rows\": %" PRId64 "}\n}\n",
                 s.elementwise_rows);
}
