//===- FlatBufferTest.c - unit tests of the FlatBuffers reader ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are laid out by hand, so that each can be wrong in one place.
//
//===----------------------------------------------------------------------===//

#include "Frontend/TFLite/FlatBuffer.h"
#include "Support/Text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const xc_fb_field byte_field = {"T", "byte", 0, XC_FB_I8, false, 7};
static const xc_fb_field long_field = {"T", "long", 1, XC_FB_U64, false, 0};
static const xc_fb_field list_field = {"T", "list", 2, XC_FB_I32, true, 0};
static const xc_fb_field child_field = {"T", "child", 3, XC_FB_TABLE, false, 0};
static const xc_fb_field real_field = {"T", "real", 4, XC_FB_F32, false, 3};
static const xc_fb_field tables_field = {"T",         "tables", 5,
                                         XC_FB_TABLE, true,     0};

// offset 8: vtable of 16 bytes, 24: root table of 32 bytes, 56: its list of
// two, 68: a vector of two tables, both of them the child, 80: a child without
// fields (a table of 4 bytes, its vtable at 84).
enum { VTABLE = 8, ROOT = 24, LIST = 56, TABLES = 68, CHILD = 80, SIZE = 88 };

static void put(unsigned char *data, size_t at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i)
    data[at + i] = (unsigned char)(value >> (8 * i));
}

static void lay_out(unsigned char data[SIZE]) {
  memset(data, 0, SIZE);
  put(data, 0, ROOT, 4);
  memcpy(data + 4, "TEST", 4);
  static const uint16_t places[] = {16, 32, 4, 8, 16, 20, 24, 28};
  for (size_t i = 0; i < 8; ++i)
    put(data, VTABLE + 2 * i, places[i], 2);
  put(data, ROOT, ROOT - VTABLE, 4);
  data[ROOT + 4] = 0xfe;
  put(data, ROOT + 8, 0x1122334455, 8);
  put(data, ROOT + 16, LIST - (ROOT + 16), 4);
  put(data, ROOT + 20, CHILD - (ROOT + 20), 4);
  put(data, ROOT + 24, 0x3fc00000, 4);
  put(data, ROOT + 28, TABLES - (ROOT + 28), 4);
  put(data, LIST, 2, 4);
  put(data, LIST + 4, 11, 4);
  put(data, LIST + 8, UINT32_MAX, 4);
  put(data, CHILD, (uint32_t)-4, 4);
  put(data, CHILD + 4, 4, 2);
  put(data, CHILD + 6, 4, 2);
  put(data, TABLES, 2, 4);
  put(data, TABLES + 4, CHILD - (TABLES + 4), 4);
  put(data, TABLES + 8, CHILD - (TABLES + 8), 4);
}

static void keep_message(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  (void)severity;
  assert_string_equal(place.file, "file");
  xc_text_puts(user_data, message);
}

/// A file and what was reported about it.
typedef struct fixture {
  unsigned char data[SIZE];
  xc_text message;
  XcDiag diag;
  xc_flatbuffer buffer;
  xc_fb_table root;
} fixture;

static void begin(fixture *f) {
  *f = (fixture){.diag = {keep_message, &f->message, 0}};
  lay_out(f->data);
}

static bool open_sized(fixture *f, size_t size) {
  return xc_fb_open(&f->buffer, &f->diag, "file", f->data, size, "TEST",
                    &f->root);
}

static void expect(fixture *f, const char *message) {
  assert_string_equal(xc_text_str(&f->message), message);
  assert_int_equal(f->diag.numErrors, *message != '\0');
  assert_int_equal(f->buffer.failed, *message != '\0');
  xc_text_free(&f->message);
}

static void reads_fields(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  assert_true(open_sized(&f, SIZE));
  assert_int_equal(xc_fb_int(&f.buffer, &f.root, &byte_field), -2);
  assert_int_equal(xc_fb_int(&f.buffer, &f.root, &long_field), 0x1122334455);
  assert_true(xc_fb_float(&f.buffer, &f.root, &real_field) == 1.5);
  xc_fb_vector list = xc_fb_vector_of(&f.buffer, &f.root, &list_field);
  assert_int_equal(list.count, 2);
  assert_int_equal(xc_fb_vector_int(&f.buffer, &list, 0), 11);
  assert_int_equal(xc_fb_vector_int(&f.buffer, &list, 1), -1);
  xc_fb_table child = xc_fb_table_of(&f.buffer, &f.root, &child_field);
  assert_int_equal(child.at, CHILD);
  expect(&f, "");
}

static void absent_fields_have_defaults(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  assert_true(open_sized(&f, SIZE));
  xc_fb_table child = xc_fb_table_of(&f.buffer, &f.root, &child_field);
  xc_fb_table none = xc_fb_table_of(&f.buffer, &child, &child_field);
  const xc_fb_table *tables[] = {&child, &none};
  for (size_t i = 0; i < 2; ++i) {
    assert_false(xc_fb_has(&f.buffer, tables[i], &byte_field));
    assert_int_equal(xc_fb_int(&f.buffer, tables[i], &byte_field), 7);
    assert_true(xc_fb_float(&f.buffer, tables[i], &real_field) == 3.0);
    assert_int_equal(xc_fb_vector_of(&f.buffer, tables[i], &list_field).count,
                     0);
  }
  expect(&f, "");
}

// One change of the file, then a read of everything.
typedef struct broken {
  size_t at, size;
  uint64_t value;
  size_t file_size;
  const char *message;
} broken;

static void read_all(fixture *f) {
  xc_fb_int(&f->buffer, &f->root, &byte_field);
  xc_fb_int(&f->buffer, &f->root, &long_field);
  xc_fb_float(&f->buffer, &f->root, &real_field);
  xc_fb_vector list = xc_fb_vector_of(&f->buffer, &f->root, &list_field);
  for (size_t i = 0; i < list.count; ++i)
    xc_fb_vector_int(&f->buffer, &list, i);
  xc_fb_table child = xc_fb_table_of(&f->buffer, &f->root, &child_field);
  xc_fb_int(&f->buffer, &child, &byte_field);
  xc_fb_vector tables = xc_fb_vector_of(&f->buffer, &f->root, &tables_field);
  for (size_t i = 0; i < tables.count; ++i)
    xc_fb_vector_table(&f->buffer, &tables, i);
}

// clang-format off
static const broken brokens[] = {
    {0, 0, 0, 7, "file has 7 bytes, expected at least the 8 bytes of a "
                 "FlatBuffer's header"},
    {4, 1, 'X', SIZE, "file identifier 'TEST' not found at offset 4"},
    {0, 4, SIZE - 3, SIZE, "root: table at offset 85 lies outside the file of "
                           "88 bytes"},
    {0, 4, UINT32_MAX, SIZE, "root: table at offset 4294967295 lies outside "
                             "the file of 88 bytes"},
    {ROOT, 4, 25, SIZE, "root: vtable at offset -1 lies outside the file of "
                        "88 bytes"},
    {ROOT, 4, (uint32_t)-62, SIZE, "root: vtable at offset 86 lies outside the "
                                   "file of 88 bytes"},
    {ROOT, 4, 0x80000000, SIZE, "root: vtable at offset 2147483672 lies "
                                "outside the file of 88 bytes"},
    {VTABLE, 2, 3, SIZE, "root: vtable of 3 bytes at offset 8 does not fit "
                         "into the file of 88 bytes"},
    {VTABLE, 2, 81, SIZE, "root: vtable of 81 bytes at offset 8 does not fit "
                          "into the file of 88 bytes"},
    {VTABLE + 2, 2, 3, SIZE, "root: table of 3 bytes at offset 24 does not fit "
                             "into the file of 88 bytes"},
    {VTABLE + 2, 2, 65, SIZE, "root: table of 65 bytes at offset 24 does not "
                              "fit into the file of 88 bytes"},
    {VTABLE + 4, 2, 32, SIZE, "T.byte: field at 32 of a table of 32 bytes lies "
                              "outside it"},
    {VTABLE + 4, 2, 3, SIZE, "T.byte: field at 3 of a table of 32 bytes lies "
                             "outside it"},
    {VTABLE + 6, 2, 25, SIZE, "T.long: field at 25 of a table of 32 bytes lies "
                              "outside it"},
    {ROOT + 15, 1, 0x80, SIZE, "T.long: 9223372110443005013 is out of range"},
    {ROOT + 16, 4, UINT32_MAX, SIZE, "T.list: vector at offset 4294967335 lies "
                                     "outside the file of 88 bytes"},
    {LIST, 4, 8, SIZE, "T.list: vector of 8 entries at offset 56 does not fit "
                       "into the file of 88 bytes"},
    {LIST, 4, UINT32_MAX, SIZE, "T.list: vector of 4294967295 entries at "
                                "offset 56 does not fit into the file of 88 "
                                "bytes"},
    {ROOT + 20, 4, 100, SIZE, "T.child: table at offset 144 lies outside the "
                              "file of 88 bytes"},
    {TABLES + 8, 4, 12, SIZE, "T.tables: table at offset 88 lies outside the "
                             "file of 88 bytes"},
};
// clang-format on

static void reports_what_is_broken(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof(brokens) / sizeof(*brokens); ++i) {
    const broken *b = &brokens[i];
    fixture f;
    begin(&f);
    put(f.data, b->at, b->value, b->size);
    if (open_sized(&f, b->file_size))
      read_all(&f);
    expect(&f, b->message);
  }
}

static void every_truncation_is_safe(void **state) {
  (void)state;
  for (size_t size = 0; size <= SIZE; ++size) {
    fixture f;
    begin(&f);
    // A copy without a byte after it, for the sanitizer to watch.
    unsigned char *copy = malloc(size + (size == 0));
    memcpy(copy, f.data, size);
    if (xc_fb_open(&f.buffer, &f.diag, "file", copy, size, "TEST", &f.root))
      read_all(&f);
    assert_int_equal(f.diag.numErrors, f.buffer.failed);
    free(copy);
    xc_text_free(&f.message);
  }
}

static void overlapping_parts_run_out(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  assert_true(open_sized(&f, SIZE));
  size_t reads = 0;
  for (; !f.buffer.failed; ++reads)
    read_all(&f);
  assert_true(reads > 4 && reads < 40);
  assert_int_equal(f.diag.numErrors, 1);
  assert_non_null(strstr(xc_text_str(&f.message),
                         "the parts of the file overlap: together they have "
                         "more than 4 times its 88 bytes"));
  xc_text_free(&f.message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_fields),
      cmocka_unit_test(absent_fields_have_defaults),
      cmocka_unit_test(reports_what_is_broken),
      cmocka_unit_test(every_truncation_is_safe),
      cmocka_unit_test(overlapping_parts_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
