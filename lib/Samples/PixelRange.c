//===- PixelRange.c - what numbers an input gets of pictures --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PixelRange.h"

#include <math.h>
#include <stdlib.h>

/// The largest pixel.
static const double most = 255;

xc_pixel_range xc_pixel_range_of(const xc_preprocess *how) {
  xc_pixel_range range = {(double)INFINITY, -(double)INFINITY};
  for (size_t c = 0; c < XC_MAX_CHANNELS; ++c) {
    // Those of two channels are errors elsewhere.
    double mean = xc_channel_number(&how->mean, c, 0);
    double scale = xc_channel_number(&how->scale, c, 1);
    double black = (0 - mean) * scale, white = (most - mean) * scale;
    range.low = fmin(range.low, fmin(black, white));
    range.high = fmax(range.high, fmax(black, white));
  }
  return range;
}

bool xc_pixel_range_is_said(const xc_preprocess *how) {
  for (size_t i = 0; i < how->scale.count; ++i)
    if (how->scale.values[i] != 1)
      return false;
  return how->scale.count > 0;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// With fewer digits than the numbers have, which is for reading.
static void round_numbers(xc_channel_numbers *numbers) {
  for (size_t i = 0; i < numbers->count; ++i) {
    char written[40];
    snprintf(written, sizeof(written), "%.6g", numbers->values[i]);
    numbers->values[i] = strtod(written, NULL);
  }
}

static void print_options(const xc_preprocess *how, xc_text *text) {
  xc_channel_numbers mean = how->mean, scale = how->scale;
  round_numbers(&mean);
  round_numbers(&scale);
  xc_preprocess_print_option("mean", &mean, text);
  xc_preprocess_print_option("scale", &scale, text);
}

void xc_pixel_range_print(const xc_sample_input *input,
                          const xc_preprocess *how, xc_text *text) {
  xc_pixel_range range = xc_pixel_range_of(how);
  xc_text options = {0};
  print_options(how, &options);
  xc_text_printf(text, "input '%s': pictures of 0 to 255 as ", input->name);
  if (options.length)
    xc_text_printf(text, "%.3g to %.3g (%s)", range.low, range.high,
                   options.data + 1);
  else
    xc_text_puts(text, "they are (no --mean, --std or --scale)");
  xc_text_free(&options);
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

static double largest_of(const xc_channel_numbers *numbers) {
  double largest = 0;
  for (size_t i = 0; i < numbers->count; ++i)
    largest = fmax(largest, fabs(numbers->values[i]));
  return largest;
}

static void multiply(xc_channel_numbers *numbers, double factor) {
  for (size_t i = 0; i < numbers->count; ++i)
    numbers->values[i] *= factor;
}

static void invert(xc_channel_numbers *numbers) {
  for (size_t i = 0; i < numbers->count; ++i)
    numbers->values[i] = 1 / numbers->values[i];
}

static bool has_zero(const xc_channel_numbers *numbers) {
  for (size_t i = 0; i < numbers->count; ++i)
    if (numbers->values[i] == 0)
      return true;
  return false;
}

/// A mean of pixels from 0 to 1; that of pixels from 0 to 255 is 0 or much
/// larger.
static bool has_unit_mean(const xc_preprocess *how) {
  double largest = largest_of(&how->mean);
  return largest > 0 && largest <= 1;
}

/// Guesses what a user may have meant who gave a mean for pixels from 0 to 1,
/// or a factor above 1.
static xc_preprocess guess_meaning(const xc_preprocess *how) {
  const double least_std = 16, // of pixels from 0 to 255
      most_factor = 1.0 / 16;  // for these
  xc_preprocess meant = *how;
  bool is_unit = has_unit_mean(how);
  if (is_unit)
    multiply(&meant.mean, most);
  if (is_unit && how->scale.count == 0)
    meant.scale = (xc_channel_numbers){1, {1 / most}};
  double scale = largest_of(&how->scale);
  if (scale >= least_std) { // --scale=58.395
    invert(&meant.scale);
  } else if (scale > 1) { // --std=0.229
    multiply(&meant.scale, 1 / most);
  } else if (is_unit && scale > most_factor) { // --scale=0.229
    multiply(&meant.scale, most);
    invert(&meant.scale);
  }
  return meant;
}

static void print_meaning(const xc_preprocess *how, xc_text *text) {
  xc_preprocess meant = guess_meaning(how);
  xc_channel_numbers mean = meant.mean, std = meant.scale;
  if (has_zero(&std))
    return;
  multiply(&mean, 1 / most);
  multiply(&std, most);
  invert(&std);
  round_numbers(&mean);
  round_numbers(&std);
  xc_text_puts(text, "; did you mean");
  print_options(&meant, text);
  xc_text_puts(text, ", that is --pixels=0..1");
  xc_preprocess_print_option("mean", &mean, text);
  xc_preprocess_print_option("std", &std, text);
  xc_text_puts(text, "?");
}

/// Integers that are not in fixed point take no numbers beyond their own.
static bool is_cut_off(const xc_sample_input *input,
                       const xc_pixel_range *range) {
  xc_element element = input->shape.element;
  return !xc_element_is_float(element) && !input->has_fix_point &&
         (range->low < (double)xc_element_min(element) - 0.5 ||
          range->high > (double)xc_element_max(element) + 0.5);
}

/// Returns null where nothing is odd.
static const char *find_oddity(const xc_sample_input *input,
                               const xc_preprocess *how) {
  const double narrow = 0.1, slack = 1;
  xc_pixel_range range = xc_pixel_range_of(how);
  if (is_cut_off(input, &range))
    return "the input's integers do not reach that far";
  if (!xc_element_is_float(input->shape.element))
    return NULL;
  if (has_unit_mean(how))
    return "the mean is one of pixels from 0 to 1";
  if (largest_of(&how->scale) > 1)
    return "--scale multiplies, and makes pixels larger than they are";
  if (largest_of(&how->mean) > most + slack)
    return "the mean is larger than any pixel";
  if (range.high - range.low < narrow)
    return "all pictures are nearly one number";
  return NULL;
}

bool xc_pixel_range_judge(const xc_sample_input *input,
                          const xc_preprocess *how, xc_text *text) {
  const char *oddity = find_oddity(input, how);
  if (!oddity)
    return false;
  xc_pixel_range_print(input, how, text);
  xc_text_printf(text, ": %s", oddity);
  if (xc_element_is_float(input->shape.element) &&
      (has_unit_mean(how) || largest_of(&how->scale) > 1))
    print_meaning(how, text);
  return true;
}
