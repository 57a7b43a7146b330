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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_channels_are_apart),
      cmocka_unit_test(rows_that_begin_within_a_pixel_overlap),
      cmocka_unit_test(common_channels_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
