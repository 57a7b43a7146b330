//===- Target.c - targets of the family that do not exist -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Random.h"

#include <inttypes.h>

typedef struct sizes {
  int64_t pixel, channel;
  int64_t depth; // of every bank: the simulator asks for one shape
  int64_t misc_rows;
} sizes;

static sizes choose(fuzz_random *r) {
  sizes s = {.pixel = FUZZ_PICK(r, 1, 2, 3, 4, 4, 5, 6, 8, 8),
             .channel = FUZZ_PICK(r, 4, 6, 8, 8, 10, 12, 14, 16, 16),
             .depth = FUZZ_PICK(r, 128, 200, 256, 500, 512, 1024, 2048)};
  s.misc_rows = s.pixel / 2 > 0 ? s.pixel / 2 : 1;
  if (fuzz_chance(r, 30))
    s.misc_rows = fuzz_range(r, 1, s.pixel);
  return s;
}

// Banks lie one after the other.
static void write_banks(xc_text *text, const sizes *s) {
  const struct {
    const char *name;
    int64_t groups, count;
  } rows[] = {{"image", 2, s->pixel},
              {"weights", 1, s->channel},
              {"depthwise_weights", 1, 1},
              {"bias", 1, 1}};
  int64_t first = 0;
  for (int i = 0; i < 4; ++i) {
    xc_text_printf(text,
                   "%s\n    \"%s\": {\"first\": %" PRId64
                   ", \"groups\": %" PRId64 ", \"count\": %" PRId64
                   ", \"width\": %" PRId64 ", \"depth\": %" PRId64 "}",
                   i ? "," : "", rows[i].name, first, rows[i].groups,
                   rows[i].count, s->channel, s->depth);
    first += rows[i].groups * rows[i].count;
  }
}

void fuzz_write_target(uint64_t seed, xc_text *text) {
  static const char *const bases[] = {"B512",  "B800",  "B1024", "B1152",
                                      "B1600", "B2304", "B3136", "B4096"};
  fuzz_random random = {seed ^ UINT64_C(0x7461726765740000)};
  const char *base = bases[fuzz_range(&random, 0, 7)];
  xc_text_printf(text, "{\n  \"extends\": \"DPUCZDX8G_ISA1_%s\"", base);
  if (fuzz_chance(&random, 40)) { // as it is built
    xc_text_printf(text, "\n}\n");
    return;
  }
  sizes s = choose(&random);
  xc_text_printf(text,
                 ",\n  \"name\": \"SYNTHETIC_%" PRIu64 "\",\n"
                 "  \"fingerprint\": \"0x0\",\n"
                 "  \"parallel\": {\"pixel\": %" PRId64
                 ", \"input_channel\": %" PRId64
                 ", \"output_channel\": %" PRId64 ", \"channel\": %" PRId64
                 "},\n  \"augmentation_max\": %" PRId64 ",\n  \"banks\": {",
                 seed, s.pixel, s.channel, s.channel, s.channel, 2 * s.channel);
  write_banks(text, &s);
  xc_text_printf(text,
                 "\n  },\n  \"conv\": {\"rows\": %" PRId64
                 "},\n  \"alu\": {\"rows\": %" PRId64
                 "},\n  \"elementwise\": {\"rows\": %" PRId64 "}\n}\n",
                 s.pixel, s.misc_rows, s.misc_rows);
}
