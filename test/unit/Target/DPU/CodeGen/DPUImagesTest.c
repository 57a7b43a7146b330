//===- DPUImagesTest.c - images in DDR ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/Plan/Images.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/// Some channels of an image of 4 x 5 pixels of 48 bytes.
static XcDpuImage channels_of(int32_t first, int32_t count) {
  XcDpuImage image = xcDpuImageDense(1, 64 + (uint32_t)first, 4, 5, 48);
  image.channels = count;
  return image;
}

/// Both ways, which must agree.
static bool overlap(const XcDpuImage *a, const XcDpuImage *b) {
  bool result = xc_images_overlap(a, b);
  assert_true(xc_images_overlap(b, a) == result);
  return result;
}

static void other_channels_are_apart(void **state) {
  (void)state;
  XcDpuImage low = channels_of(0, 24), high = channels_of(24, 24);
  assert_false(overlap(&low, &high));
  // Some rows and columns of it are.
  high.address += high.rowPitch + 2 * high.pixelPitch;
  high.height = 2;
  high.width = 3;
  assert_false(overlap(&low, &high));
  // Another distance of pixels, or of rows, meets any channel somewhere.
  XcDpuImage other = channels_of(24, 24);
  other.pixelPitch = 47;
  assert_true(overlap(&low, &other));
  other = channels_of(24, 24);
  other.rowPitch += 8;
  assert_true(overlap(&low, &other));
}

static void rows_that_begin_within_a_pixel_overlap(void **state) {
  (void)state;
  XcDpuImage low = channels_of(0, 24), high = channels_of(24, 24);
  low.rowPitch = high.rowPitch += 24;
  assert_true(overlap(&low, &high));
}

static void common_channels_overlap(void **state) {
  (void)state;
  XcDpuImage low = channels_of(0, 24), high = channels_of(23, 25);
  assert_true(overlap(&low, &high));
  // Those of the pixel after are not those of this one.
  high = channels_of(40, 16);
  assert_true(overlap(&low, &high));
  high = channels_of(0, 24);
  high.reg = 2;
  assert_false(overlap(&low, &high));
  high = channels_of(0, 24);
  high.address = (uint32_t)xc_image_end(&low);
  assert_false(overlap(&low, &high));
}

static void expect_text(XcDpuRefusal refusal, const char *expected) {
  char text[128];
  int length = xcDpuRefusalDescribe(refusal, text, sizeof text);
  assert_string_equal(text, expected);
  assert_int_equal(length, strlen(expected));
}

static void refusals_by_name_and_number(void **state) {
  (void)state;
  expect_text((XcDpuRefusal){XcDpuRefusalReasonActivation,
                             XcActivationLeakyRelu, 0, -1},
              "the engine lacks activation leaky-relu");
  expect_text((XcDpuRefusal){XcDpuRefusalReasonEngine,
                             XcDpuLayerKindHardSigmoid, 0, -1},
              "the target has no engine for hard-sigmoid layers");
  expect_text((XcDpuRefusal){XcDpuRefusalReasonPitch, INT32_MIN, 1, 8},
              "a distance in memory is -2147483648 bytes, expected 1 to 8");
  expect_text((XcDpuRefusal){XcDpuRefusalReasonStride, 3, 1, 1},
              "a stride is 3, expected 1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_channels_are_apart),
      cmocka_unit_test(rows_that_begin_within_a_pixel_overlap),
      cmocka_unit_test(common_channels_overlap),
      cmocka_unit_test(refusals_by_name_and_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
