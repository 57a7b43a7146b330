//===- Preprocess.c - how pictures become tensors -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preprocess.h"

#include "Diag.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static const char *const channel_words[] = {"", "rgb", "bgr"};
static const char *const layout_words[] = {"", "nhwc", "nchw"};

/// Parses a side, and whether `end` comes after it.
static bool parse_side(const char **text, char end, int64_t *side) {
  char *after;
  long number = strtol(*text, &after, 10);
  if (**text < '0' || **text > '9' || *after != end || number < 1 ||
      number > XC_MAX_SIDE)
    return false;
  *side = number;
  *text = after + (end != '\0');
  return true;
}

static bool parse_pair(const char *value, xc_size *size) {
  return parse_side(&value, 'x', &size->height) &&
         parse_side(&value, '\0', &size->width);
}

static const char *parse_resize(const char *value, xc_preprocess *p) {
  const char *at = value;
  if (strcmp(value, "letterbox") == 0) {
    p->resize = XC_RESIZE_LETTERBOX;
    p->resize_to = (xc_size){0, 0};
    return NULL;
  }
  if (parse_side(&at, '\0', &p->resize_to.height)) {
    p->resize = XC_RESIZE_SHORTER;
    p->resize_to.width = 0;
    return NULL;
  }
  p->resize = XC_RESIZE_EXACT;
  return parse_pair(value, &p->resize_to)
             ? NULL
             : "expected the shorter side (256), height and width (256x320), "
               "or letterbox";
}

static const char *parse_crop(const char *value, xc_preprocess *p) {
  const char *at = value;
  if (parse_side(&at, '\0', &p->crop.height)) {
    p->crop.width = p->crop.height;
    return NULL;
  }
  return parse_pair(value, &p->crop)
             ? NULL
             : "expected one side (224) or height and width (224x288)";
}

static const char *parse_numbers(const char *value,
                                 xc_channel_numbers *numbers) {
  static const char message[] =
      "expected a number, or one for each channel with commas";
  numbers->count = 0;
  for (const char *at = value; at;) {
    char *end;
    double number = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !isfinite(number) ||
        numbers->count == XC_MAX_CHANNELS)
      return message;
    numbers->values[numbers->count++] = number;
    at = *end ? end + 1 : NULL;
  }
  return numbers->count == 2 ? message : NULL;
}

/// Rounds a number that is computed of given ones: a model's floats have no
/// more digits, and files stay readable.
static double to_nine_digits(double number) {
  char written[40];
  snprintf(written, sizeof(written), "%.9g", number);
  return strtod(written, NULL);
}

static const char *parse_mean(const char *value, xc_preprocess *p) {
  return parse_numbers(value, &p->mean);
}

static const char *parse_scale(const char *value, xc_preprocess *p) {
  return parse_numbers(value, &p->scale);
}

/// A divisor is kept as the factor that it stands for.
static const char *parse_std(const char *value, xc_preprocess *p) {
  const char *why = parse_numbers(value, &p->scale);
  for (size_t i = 0; !why && i < p->scale.count; ++i) {
    if (!(p->scale.values[i] > 0))
      return "expected divisors larger than 0";
    p->scale.values[i] = to_nine_digits(1 / p->scale.values[i]);
  }
  return why;
}

static const char *parse_channels(const char *value, xc_preprocess *p) {
  if (strcmp(value, channel_words[XC_CHANNELS_RGB]) == 0)
    p->channels = XC_CHANNELS_RGB;
  else if (strcmp(value, channel_words[XC_CHANNELS_BGR]) == 0)
    p->channels = XC_CHANNELS_BGR;
  else
    return "expected rgb or bgr";
  return NULL;
}

static const char *parse_layout(const char *value, xc_preprocess *p) {
  if (strcmp(value, layout_words[XC_LAYOUT_NHWC]) == 0)
    p->layout = XC_LAYOUT_NHWC;
  else if (strcmp(value, layout_words[XC_LAYOUT_NCHW]) == 0)
    p->layout = XC_LAYOUT_NCHW;
  else
    return "expected nhwc or nchw";
  return NULL;
}

static void print_size(const xc_size *size, xc_text *text) {
  xc_text_printf(text, "%" PRId64 "x%" PRId64, size->height, size->width);
}

static void print_resize(const xc_preprocess *p, xc_text *text) {
  switch (p->resize) {
  case XC_RESIZE_NONE:
    break;
  case XC_RESIZE_SHORTER:
    xc_text_printf(text, "%" PRId64, p->resize_to.height);
    break;
  case XC_RESIZE_EXACT:
    print_size(&p->resize_to, text);
    break;
  case XC_RESIZE_LETTERBOX:
    xc_text_puts(text, "letterbox");
    break;
  }
}

static void print_crop(const xc_preprocess *p, xc_text *text) {
  if (p->crop.height)
    print_size(&p->crop, text);
}

/// As few digits as give the same number again.
static void print_number(double number, xc_text *text) {
  for (int digits = 6;; ++digits) {
    char written[40];
    snprintf(written, sizeof(written), "%.*g", digits, number);
    if (digits == 17 || strtod(written, NULL) == number) {
      xc_text_puts(text, written);
      return;
    }
  }
}

static void print_numbers(const xc_channel_numbers *numbers, xc_text *text) {
  for (size_t i = 0; i < numbers->count; ++i) {
    xc_text_puts(text, i ? "," : "");
    print_number(numbers->values[i], text);
  }
}

static void print_mean(const xc_preprocess *p, xc_text *text) {
  print_numbers(&p->mean, text);
}

static void print_scale(const xc_preprocess *p, xc_text *text) {
  print_numbers(&p->scale, text);
}

static void print_channels(const xc_preprocess *p, xc_text *text) {
  xc_text_puts(text, channel_words[p->channels]);
}

static void print_layout(const xc_preprocess *p, xc_text *text) {
  xc_text_puts(text, layout_words[p->layout]);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

typedef struct key_row {
  const char *key;
  const char *(*parse)(const char *value, xc_preprocess *p); // why not, or null
  void (*print)(const xc_preprocess *p, xc_text *text);
  size_t option; // in XcPictureOptions
} key_row;

// clang-format off
static const key_row keys[] = {
    {"resize", parse_resize, print_resize,
     offsetof(XcPictureOptions, resize)},
    {"crop", parse_crop, print_crop,
     offsetof(XcPictureOptions, crop)},
    {"mean", parse_mean, print_mean,
     offsetof(XcPictureOptions, mean)},
    {"scale", parse_scale, print_scale,
     offsetof(XcPictureOptions, scale)},
    {"channels", parse_channels, print_channels,
     offsetof(XcPictureOptions, channels)},
    {"layout", parse_layout, print_layout,
     offsetof(XcPictureOptions, layout)},
};
// clang-format on
enum { NUM_KEYS = sizeof(keys) / sizeof(*keys) };

static bool option_error(XcDiag *diag, const char *name, const char *value,
                         const char *why) {
  return !why || xc_file_error(diag, NULL, "--%s=%s: %s", name, value, why);
}

/// Converts a mean and a scale for pixels from 0 to `unit` to those for 0 to
/// 255. The scale tells that something was given.
static void from_unit(xc_preprocess *p, double unit) {
  const double most = 255 / unit;
  if (p->scale.count == 0)
    p->scale = (xc_channel_numbers){1, {1}};
  if (most == 1)
    return;
  for (size_t i = 0; i < p->mean.count; ++i)
    p->mean.values[i] = to_nine_digits(p->mean.values[i] * most);
  for (size_t i = 0; i < p->scale.count; ++i)
    p->scale.values[i] = to_nine_digits(p->scale.values[i] / most);
}

/// Other ways to say mean and scale.
static bool apply_pixels(XcDiag *diag, const XcPictureOptions *options,
                         xc_preprocess *p) {
  bool is_unit = options->pixels && strcmp(options->pixels, "0..1") == 0;
  if (options->std && options->scale)
    return xc_file_error(diag, NULL,
                         "--std=%s divides and --scale=%s multiplies, expected "
                         "one of them",
                         options->std, options->scale);
  if (options->std &&
      !option_error(diag, "std", options->std, parse_std(options->std, p)))
    return false;
  if (options->pixels && !is_unit && strcmp(options->pixels, "0..255") != 0)
    return option_error(diag, "pixels", options->pixels,
                        "expected 0..255 or 0..1");
  if (options->pixels)
    from_unit(p, is_unit ? 1 : 255);
  return true;
}

bool xc_preprocess_apply(XcDiag *diag, const XcPictureOptions *options,
                         xc_preprocess *preprocess) {
  if (options->pixels)
    preprocess->mean.count = preprocess->scale.count = 0;
  for (size_t i = 0; i < NUM_KEYS; ++i) {
    const char *value;
    memcpy(&value, (const char *)options + keys[i].option, sizeof(value));
    if (value && !option_error(diag, keys[i].key, value,
                               keys[i].parse(value, preprocess)))
      return false;
  }
  return apply_pixels(diag, options, preprocess);
}

/// One "key=value".
static const char *parse_pair_of(char *pair, xc_preprocess *preprocess,
                                 bool *seen) {
  char *equals = strchr(pair, '=');
  if (!equals)
    return "expected key=value";
  *equals = '\0';
  for (size_t i = 0; i < NUM_KEYS; ++i) {
    if (strcmp(keys[i].key, pair) != 0)
      continue;
    if (seen[i])
      return "the key is there twice";
    seen[i] = true;
    return keys[i].parse(equals + 1, preprocess);
  }
  return "the key is not known";
}

bool xc_preprocess_parse(XcDiag *diag, const char *file, const char *text,
                         size_t length, xc_preprocess *preprocess) {
  *preprocess = (xc_preprocess){0};
  bool seen[NUM_KEYS] = {false};
  xc_text copy = {0};
  const char *why = NULL, *at = text, *end = text + length;
  while (!why && at < end) {
    const char *space = memchr(at, ' ', (size_t)(end - at));
    const char *stop = space ? space : end;
    copy.length = 0;
    xc_text_append(&copy, at, (size_t)(stop - at));
    why = parse_pair_of(copy.data, preprocess, seen);
    at = space ? space + 1 : end;
  }
  xc_text_free(&copy);
  return !why || xc_file_error(diag, file,
                               "attribute '" XC_PREPROCESS "' is '%.*s': %s",
                               (int)(length < 200 ? length : 200), text, why);
}

void xc_preprocess_for_each(const xc_preprocess *preprocess,
                            void (*visit)(void *user, const char *key,
                                          const char *value),
                            void *user) {
  xc_text value = {0};
  for (size_t i = 0; i < NUM_KEYS; ++i) {
    value.length = 0;
    keys[i].print(preprocess, &value);
    if (value.length)
      visit(user, keys[i].key, xc_text_str(&value));
  }
  xc_text_free(&value);
}

static void print_pair(void *text, const char *key, const char *value) {
  xc_text *to = text;
  xc_text_printf(to, "%s%s=%s", to->length ? " " : "", key, value);
}

void xc_preprocess_print(const xc_preprocess *preprocess, xc_text *text) {
  xc_text own = {0};
  xc_preprocess_for_each(preprocess, print_pair, &own);
  xc_text_puts(text, xc_text_str(&own));
  xc_text_free(&own);
}

void xc_preprocess_print_option(const char *name,
                                const xc_channel_numbers *numbers,
                                xc_text *text) {
  if (numbers->count == 0)
    return;
  xc_text_printf(text, " --%s=", name);
  print_numbers(numbers, text);
}

bool xc_preprocess_is_empty(const xc_preprocess *preprocess) {
  xc_text text = {0};
  xc_preprocess_print(preprocess, &text);
  bool empty = text.length == 0;
  xc_text_free(&text);
  return empty;
}

double xc_channel_number(const xc_channel_numbers *numbers, size_t channel,
                         double otherwise) {
  if (numbers->count == 0)
    return otherwise;
  return numbers->values[numbers->count == 1 ? 0 : channel];
}
