//===- NpyTest.c - unit tests of the array files --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Npy.h"
#include "Support/File.h"
#include "Support/Text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *path;

static void keep_message(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  (void)severity;
  (void)place;
  xc_text_free(user_data);
  xc_text_puts(user_data, message);
}

static void what_is_written_is_read(void **state) {
  (void)state;
  static const size_t ranks[] = {0, 1, 2, 4};
  static const uint64_t shape[] = {2, 3, 1, 2};
  unsigned char data[12 * 4];
  for (size_t i = 0; i < sizeof(data); ++i)
    data[i] = (unsigned char)(i * 37);
  for (size_t r = 0; r < sizeof(ranks) / sizeof(*ranks); ++r) {
    xc_npy npy = {.type = {'f', 4}, .rank = ranks[r], .count = 1, .data = data};
    for (size_t i = 0; i < ranks[r]; ++i)
      npy.count *= npy.shape[i] = shape[i];
    XcDiag diag = {0};
    assert_true(xc_npy_write(&diag, path, &npy));
    xc_buffer file;
    assert_true(xc_read_file(&diag, path, &file));
    xc_npy again;
    assert_true(xc_npy_parse(&diag, path, file.data, file.size, &again));
    assert_int_equal(again.rank, npy.rank);
    assert_int_equal(again.count, npy.count);
    assert_int_equal(again.type.kind, 'f');
    assert_int_equal(again.type.size, 4);
    assert_memory_equal(again.data, data, npy.count * 4);
    assert_int_equal((size_t)(again.data - file.data) % 64, 0);
    xc_buffer_free(&file);
  }
}

static void expect(const char *header, size_t data_size, const char *message) {
  xc_text file = {0}, found = {0};
  const char head[] = {(char)0x93,           'N', 'U', 'M', 'P', 'Y', 1, 0,
                       (char)strlen(header), 0};
  xc_text_append(&file, head, sizeof(head));
  xc_text_puts(&file, header);
  for (size_t i = 0; i < data_size; ++i)
    xc_text_puts(&file, "x");
  XcDiag diag = {keep_message, &found, 0};
  xc_npy npy;
  bool ok = xc_npy_parse(&diag, "x.npy", (const unsigned char *)file.data,
                         file.length, &npy);
  assert_int_equal(ok, message == NULL);
  assert_int_equal(diag.numErrors, !ok);
  if (message)
    assert_non_null(strstr(xc_text_str(&found), message));
  xc_text_free(&file);
  xc_text_free(&found);
}

static void headers_are_checked(void **state) {
  (void)state;
#define TYPE "{'descr': '|i1', "
#define ORDER "'fortran_order': False, "
  expect(TYPE ORDER "'shape': (2, 3)}", 6, NULL);
  expect(TYPE ORDER "'shape': (2, 3,), }", 6, NULL);
  expect("{'shape': (), 'fortran_order': False, 'descr': '<f8'}", 8, NULL);
  expect(TYPE ORDER "'shape': (2, 3)}", 5, "the elements are cut off");
  expect(TYPE ORDER "'shape': (2, 3", 6, "the shape is not a list of numbers");
  expect(TYPE ORDER "'shape': (-1)}", 6, "the shape is not a list of numbers");
  expect(TYPE ORDER "'shape': (99999999999999999999)}", 6, "too large");
  expect(TYPE ORDER "'shape': (4294967296, 4294967296)}", 6, "too large");
  expect(TYPE ORDER "'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", 1,
         "too many dimensions");
  expect(TYPE ORDER "}", 6, "misses an entry");
  expect(TYPE "'fortran_order': True, 'shape': (1,)}", 1, NULL);
  expect(TYPE "'fortran_order': 1, 'shape': (1,)}", 1,
         "neither True nor False");
  expect("{'descr': '<f1', " ORDER "'shape': (1,)}", 1, "unknown type");
  expect("{'descr': '>f4', " ORDER "'shape': (1,)}", 4, "little-endian");
  expect("{'descr': '<c8', " ORDER "'shape': (1,)}", 8, "unknown type");
  expect("{'colour': 1}", 0, "unknown entry");
  expect("[]", 0, "not a dictionary");
#undef TYPE
#undef ORDER
}

static xc_npy read_buffer(xc_buffer *buffer, const char *shape,
                          const char *elements, size_t size) {
  xc_text file = {0};
  xc_text_append(&file, "\x93NUMPY\x01\x00\x40\x00", 10);
  xc_text_printf(&file, "%-64s", shape);
  xc_text_append(&file, elements, size);
  *buffer = (xc_buffer){malloc(file.length + 1), file.length};
  memcpy(buffer->data, file.data, file.length);
  xc_text_free(&file);
  XcDiag diag = {0};
  xc_npy npy;
  assert_true(xc_npy_parse_buffer(&diag, "x.npy", buffer, &npy));
  assert_false(npy.fortran_order);
  return npy;
}

static void fortran_order_becomes_c_order(void **state) {
  (void)state;
#define HEAD "{'descr': '|i1', 'fortran_order': True, 'shape': "
  xc_buffer buffer;
  // [[a b c] [d e f]] by columns.
  xc_npy npy = read_buffer(&buffer, HEAD "(2, 3)}", "adbecf", 6);
  assert_memory_equal(npy.data, "abcdef", 6);
  xc_buffer_free(&buffer);
  npy = read_buffer(&buffer, HEAD "(2, 1, 2, 2)}", "aecgbfdh", 8);
  assert_memory_equal(npy.data, "abcdefgh", 8);
  xc_buffer_free(&buffer);
  npy = read_buffer(&buffer, HEAD "(1, 4)}", "abcd", 4);
  assert_memory_equal(npy.data, "abcd", 4);
  xc_buffer_free(&buffer);
  npy = read_buffer(&buffer, HEAD "(2, 0, 3)}", "", 0);
  assert_int_equal(npy.count, 0);
  xc_buffer_free(&buffer);
  npy = read_buffer(&buffer, HEAD "()}", "a", 1);
  assert_memory_equal(npy.data, "a", 1);
  xc_buffer_free(&buffer);
#undef HEAD
}

static void reals_of_all_sizes(void **state) {
  (void)state;
  static const unsigned char half[] = {0x00, 0xc1};
  float single = 0.1f;
  double real = 0.1;
  assert_true(xc_npy_real((xc_npy_type){'f', 2}, half) == -2.5);
  assert_true(xc_npy_real((xc_npy_type){'f', 4},
                          (const unsigned char *)&single) == (double)0.1f);
  assert_true(
      xc_npy_real((xc_npy_type){'f', 8}, (const unsigned char *)&real) == 0.1);
}

static void frames_are_checked(void **state) {
  (void)state;
  static const struct {
    const char *data;
    size_t size;
    const char *message;
  } rows[] = {
      {"", 0, "magic"},
      {"\x93NUMPY\x01\x00\x40\x00{}", 12, "the header is cut off"},
      {"\x93NUMPY\x09\x00\x02\x00{}", 12, "the version is unknown"},
      {"\x93NUMPX\x01\x00\x02\x00{}", 12, "magic"},
      {"\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, "the header is cut off"},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    xc_text found = {0};
    XcDiag diag = {keep_message, &found, 0};
    xc_npy npy;
    assert_false(xc_npy_parse(&diag, "x.npy",
                              (const unsigned char *)rows[i].data, rows[i].size,
                              &npy));
    assert_int_equal(diag.numErrors, 1);
    assert_non_null(strstr(xc_text_str(&found), rows[i].message));
    xc_text_free(&found);
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return EXIT_FAILURE;
  path = argv[1];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(headers_are_checked),
      cmocka_unit_test(frames_are_checked),
      cmocka_unit_test(fortran_order_becomes_c_order),
      cmocka_unit_test(reals_of_all_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
