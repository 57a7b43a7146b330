//===- KeepFloatCost.c - cost of layers kept in floating point ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tir-quantize has tried what a layer brings in floating point. The time is an
// estimate by the cost model of the partition, which says what drop-islands
// leaves on the CPU, too. What leaves next to nothing for the DPU is no advice:
// the whole network in floating point is exact as well.
//
//===----------------------------------------------------------------------===//

#include "Loss.h"

#include "Support/Json.h"

#include <string.h>

/// Returns the cycles of a layer on the DPU; 0 where it is not there.
static double find_cycles(const json_t *report, const char *name) {
  size_t s, l, m;
  const json_t *subgraph, *layer, *member;
  json_array_foreach(json_object_get(report, "subgraphs"), s, subgraph) {
    json_array_foreach(json_object_get(subgraph, "layers"), l, layer) {
      json_array_foreach(json_object_get(layer, "members"), m, member) {
        const char *found = json_string_value(json_object_get(member, "name"));
        if (found && strcmp(found, name) == 0)
          return xc_json_number(member, "critical_cycles");
      }
    }
  }
  return 0;
}

/// Percent of the DPU's multiply-accumulates that are left.
static double share_left(const json_t *report, const json_t *offer) {
  const json_t *placement = json_object_get(report, "placement");
  const json_t *dpu =
      json_object_get(json_object_get(placement, "summary"), "DPU");
  double all = xc_json_number(dpu, "macs");
  double taken = xc_json_number(offer, "macs");
  return all > taken ? 100 * (1 - taken / all) : 0;
}

static void price_offer(const xc_compilation *c, const json_t *report,
                        json_t *offer, double cycles) {
  XcPlacementOptions model = xcPlacementOptionsDefault();
  double work =
      xc_json_number(offer, "macs") + xc_json_number(offer, "elements");
  double us = work / model.cpuMacsPerMicrosecond;
  if (json_is_true(json_object_get(offer, "divides")))
    us += model.launchMicroseconds;
  json_object_set_new(offer, "cpu_ms", json_real(us / 1e3));
  json_object_set_new(offer, "dpu_ms",
                      json_real(1e3 * cycles / (double)c->target->clockHz));
  json_object_set_new(offer, "dpu_share_left",
                      json_real(share_left(report, offer)));
}

static double cycles_of(const json_t *report, const json_t *name) {
  const char *text = json_string_value(name);
  return text ? find_cycles(report, text) : 0;
}

bool xc_driver_leaves_dpu(const json_t *offer) {
  const double least = 10; // percent, as docs/report.md#loss says
  return xc_json_number(offer, "dpu_share_left") >= least;
}

void xc_driver_price_offers(const xc_compilation *c, json_t *report) {
  size_t i;
  json_t *row;
  const json_t *name;
  json_t *loss = json_object_get(report, "loss");
  json_array_foreach(json_object_get(loss, "layers"), i, row) {
    json_t *offer = json_object_get(row, "keep_float");
    if (offer)
      price_offer(c, report, offer,
                  cycles_of(report, json_object_get(row, "name")));
  }
  json_t *together = json_object_get(loss, "keep_float");
  if (!together)
    return;
  double cycles = 0;
  json_array_foreach(json_object_get(together, "names"), i, name) {
    cycles += cycles_of(report, name);
  }
  price_offer(c, report, together, cycles);
  if (!xc_driver_leaves_dpu(together))
    json_object_del(loss, "keep_float");
}
