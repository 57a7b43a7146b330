//===- Approximate.h - the parts of tir-approximate ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_APPROXIMATE_APPROXIMATE_H
#define XC_TRANSFORMS_APPROXIMATE_APPROXIMATE_H

#include "OpParams/Gates.h"
#include "Transforms/Quantize/Function/Function.h"
#include "Transforms/Quantize/Observe/Observe.h"
#include "xc-c/DPUTarget.h"

/// Returns the function itself; those of silu, mish and gelu without the
/// product.
double xc_gate_evaluate(xc_gate gate, double x);
/// Whether the loss is that of the product with the input.
bool xc_gate_is_product(xc_gate gate);

enum { XC_FORM_TERMS = 4, XC_GATE_INPUTS = 256, XC_GATE_POINT = 7 };

/// weight * x + bias of a 1x1 depthwise convolution; no weight: none.
typedef struct xc_form_line {
  int8_t weight, bias;
  int weight_point, bias_point;
  int result_offset; // of the fix point, to that of the input
} xc_form_line;

/// One hard sigmoid of 2^scale * x, which counts 2^-weight times.
typedef struct xc_form_term {
  int scale, weight;
} xc_form_term;

/// The operators of the DPU in place of a gate: a line, the sum of hard
/// sigmoids, a line.
typedef struct xc_form {
  const char *name;
  unsigned gates; // of bits 1 << xc_gate
  xc_form_line before;
  size_t num_terms;
  xc_form_term terms[XC_FORM_TERMS];
  xc_form_line after;
} xc_form;

/// Returns all forms; for one gate those that cost less come first.
const xc_form *xc_form_table(size_t *count);

/// A gate of the function.
typedef struct xc_gate_site {
  xc_gate gate;
  MlirOperation quantise;        // float2fix of the gate
  MlirValue input;               // int8
  int in, out;                   // fix points, of the function itself
  int gain;                      // the gate is that times 2^gain
  bool is_image;                 // of rank 4
  bool only_products;            // who reads it are products in fixed point
  double counts[XC_GATE_INPUTS]; // how often the samples have -128 .. 127
  const xc_form *form;           // null: it stays
  double sqnr;                   // in decibel; of the best form when it stays
} xc_gate_site;

/// Reads what a float2fix quantises; false where that is no gate.
bool xc_gate_read_site(MlirOperation operation, xc_gate_site *site);

/// Whether the target computes the form with such fix points.
bool xc_form_fits(const xc_form *form, const xc_gate_site *site,
                  const XcDpuTarget *target);
/// Returns the fix point of what takes the gate's place.
int xc_form_point(const xc_form *form, const xc_gate_site *site);
/// Returns the integer that the form gives for an input.
int xc_form_evaluate(const xc_form *form, const xc_gate_site *site, int x);

/// Returns the fix point of what the sum of hard sigmoids reads, and its own.
int xc_form_input_point(const xc_form *form, const xc_gate_site *site);
int xc_form_sum_point(const xc_form *form, const xc_gate_site *site);
bool xc_form_has(const xc_form_line *line);

/// The function, its samples, and its gates.
typedef struct xc_approximation {
  xc_quantizer q;
  const XcDpuTarget *target;
  unsigned gates; // those that the user asks for
  double bound;   // in decibel
  xc_gate_site *sites;
  size_t num_sites;
  void ***results; // of each sample, before anything was replaced
} xc_approximation;

double xc_approximate_decibel(double signal, double noise);
/// Adds squares of what the results of a sample are, and of how far others are
/// from them, by result.
void xc_approximate_compare(const xc_approximation *a, size_t sample,
                            void *const *found, double *signal, double *noise);
size_t xc_approximate_num_results(const xc_approximation *a);
/// Whether a result is no number of a class, of which the next one is no nearer
/// than any other.
bool xc_approximate_has_noise(const xc_approximation *a, size_t result);

/// Sets the forms of all sites, whose inputs have been counted: each keeps the
/// bound at its place, and together they keep it at the outputs, as far as some
/// trials tell. Returns false after a diagnostic.
bool xc_approximate_choose(xc_approximation *a);

/// Puts the form of a site in its place. Returns false after a diagnostic.
bool xc_form_build(const xc_gate_site *site);

#endif // XC_TRANSFORMS_APPROXIMATE_APPROXIMATE_H
