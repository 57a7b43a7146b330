//===- Outlier.c - samples that are unlike the others ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample whose numbers are much larger than those of most counts for less
// when fix points are chosen and weights are fitted. Who gave it should know.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "Samples/Samples.h"
#include "Support/Math.h"
#include "Support/Text.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SAMPLES = 4 };
/// Of its numbers, beside those of the sample in the middle.
static const double many_times = 10;

void xc_quantize_note_power(xc_quantize_comparison *r, size_t value,
                            const double *reals, int64_t count) {
  double *power = &r->powers[value * r->num_samples + r->sample];
  for (int64_t i = 0; i < count; ++i)
    *power += reals[i] * reals[i];
}

/// The powers relative to the one in the middle, or nothing where that is 0.
static bool relate(const double *powers, size_t count, double *sorted,
                   double *ratios) {
  memcpy(sorted, powers, count * sizeof(*sorted));
  qsort(sorted, count, sizeof(*sorted), xc_compare_doubles);
  double middle = sorted[count / 2];
  for (size_t s = 0; s < count; ++s)
    ratios[s] = middle > 0 ? powers[s] / middle : 0;
  return middle > 0;
}

json_t *xc_quantize_outliers(const xc_quantize_comparison *r) {
  size_t count = r->num_samples;
  json_t *json = json_array();
  if (count < LEAST_SAMPLES)
    return json;
  double *sorted = xc_alloc_array(3 * count, sizeof(*sorted));
  double *ratios = sorted + count, *largest = ratios + count;
  for (size_t v = 0; v < r->q->num_values; ++v)
    if (relate(r->powers + v * count, count, sorted, ratios))
      for (size_t s = 0; s < count; ++s)
        largest[s] = fmax(largest[s], ratios[s]);
  for (size_t s = 0; s < count; ++s) {
    double times = sqrt(largest[s]);
    if (!(times >= many_times) || !isfinite(times))
      continue;
    xc_text name = {0};
    xc_samples_name(r->q->samples,
                    xc_quantize_place(r->q, s * r->q->num_samples / count),
                    &name);
    json_t *text = json_stringn(xc_text_str(&name), name.length);
    json_array_append_new(json,
                          json_pack("{so sf}", "sample",
                                    text ? text : json_string("(no UTF-8)"),
                                    "times", round(times * 10) / 10));
    xc_text_free(&name);
  }
  free(sorted);
  return json;
}
