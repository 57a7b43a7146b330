//===- Loss.h - loss of quantisation in log and budgets -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_LOSS_H
#define XC_DRIVER_LOSS_H

#include "Driver.h"

//===----------------------------------------------------------------------===//
// The table (Loss.c)
//===----------------------------------------------------------------------===//

/// Prints the loss as a table.
void xc_driver_loss_table(const json_t *report, xc_text *text);
/// Whether any output has a key, be it null.
bool xc_driver_has_measure(const json_t *outputs, const char *key);
/// Returns the layer with most gain in floating point; null where none has
/// enough of it to be worth a word, or leaves enough for the DPU.
const json_t *xc_driver_best_offer(const json_t *layers);
/// Returns why no layer is advised to stay in floating point; null where none
/// was tried.
const char *xc_driver_offer_excuse(const json_t *layers);

//===----------------------------------------------------------------------===//
// Limits and warnings (LossLimits.c)
//===----------------------------------------------------------------------===//

/// Whether the options that limit the loss allow it.
bool xc_driver_check_loss(const xc_compilation *c, const json_t *report);
/// Warns of outputs that lost so much that they are hardly of use.
void xc_driver_warn_of_loss(const xc_compilation *c, const json_t *report);
/// Notes a calibration with few samples. After tir-quantize.
void xc_driver_note_samples(const xc_compilation *c);

//===----------------------------------------------------------------------===//
// Time of layers in floating point (KeepFloatCost.c)
//===----------------------------------------------------------------------===//

/// Adds the estimated times of layers that might stay in floating point.
void xc_driver_price_offers(const xc_compilation *c, json_t *report);
/// Whether the DPU has something to do without the layers of an offer.
bool xc_driver_leaves_dpu(const json_t *offer);

#endif // XC_DRIVER_LOSS_H
