//===- SupportTest.c - unit tests of lib/Support --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _XOPEN_SOURCE 700

#include "Support/CommandLine.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "Support/NameSearch.h"
#include "Support/Names.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"
#include "Support/Threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void arena_gives_zeroed_aligned_memory(void **state) {
  (void)state;
  xc_arena arena = {0};
  for (size_t i = 1; i < 2000; ++i) {
    unsigned char *memory = xc_arena_alloc(&arena, i, 3);
    assert_int_equal((uintptr_t)memory % sizeof(void *), 0);
    for (size_t j = 0; j < 3 * i; ++j)
      assert_int_equal(memory[j], 0);
    memset(memory, 0xff, 3 * i);
  }
  assert_string_equal(xc_arena_string(&arena, "abcdef", 3), "abc");
  xc_arena_free(&arena);
  assert_null(arena.blocks);
}

static void text_grows(void **state) {
  (void)state;
  xc_text text = {0};
  assert_string_equal(xc_text_str(&text), "");
  for (int i = 0; i < 1000; ++i)
    xc_text_printf(&text, "%d,", i);
  assert_int_equal(text.length, strlen(text.data));
  assert_memory_equal(text.data, "0,1,2,", 6);
  xc_text_free(&text);
}

static const char *file_name(xc_text *text, const char *name) {
  text->length = 0;
  xc_text_file_name(text, name, strlen(name));
  return xc_text_str(text);
}

static void names_become_parts_of_paths(void **state) {
  (void)state;
  xc_text text = {0}, other = {0};
  assert_string_equal(file_name(&text, "conv1_fix.2+a"), "conv1_fix.2+a");
  static const char *const names[] = {
      "torch/main_graph", "..", ".", "", "a\nb", "\x1b[2J",
      "../../etc/passwd", "a b"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i) {
    const char *path = file_name(&text, names[i]);
    assert_int_equal(strspn(path, "abcdefghijklmnopqrstuvwxyz_-.0123456789J"),
                     strlen(path));
    assert_int_not_equal(path[0], '.');
    assert_int_not_equal(path[0], '\0');
  }
  // Different names stay different.
  assert_string_not_equal(file_name(&text, "a/b"), file_name(&other, "a_b"));
  assert_string_not_equal(file_name(&text, "a/b"), file_name(&other, "a.b"));
  char large[10001];
  memset(large, 'x', sizeof(large) - 1);
  large[sizeof(large) - 1] = '\0';
  assert_true(strlen(file_name(&text, large)) <= 100);
  large[sizeof(large) - 2] = 'y';
  assert_string_not_equal(xc_text_str(&text), file_name(&other, large));
  xc_text_free(&text);
  xc_text_free(&other);
}

static void terminals_get_no_control_characters(void **state) {
  (void)state;
  static const char name[] = "a\x1b[31m\n\t\x7f\xc2\x9b\xc3\xa4";
  xc_text text = {0};
  xc_text_printable(&text, name, sizeof(name) - 1, false);
  assert_string_equal(xc_text_str(&text),
                      "a\\x1b[31m\\x0a\\x09\\x7f\\xc2\\x9b\xc3\xa4");
  text.length = 0;
  xc_text_printable(&text, name, sizeof(name) - 1, true);
  assert_string_equal(xc_text_str(&text),
                      "a\\x1b[31m\n\t\\x7f\\xc2\\x9b\xc3\xa4");
  xc_text_free(&text);
}

static void near_miss_finds_typing_errors_only(void **state) {
  (void)state;
  xc_near_miss miss = xc_near_miss_begin("kernal", 6);
  xc_near_miss_offer(&miss, "stride");
  xc_near_miss_offer(&miss, "kernel");
  assert_string_equal(xc_near_miss_get(&miss), "kernel");
  miss = xc_near_miss_begin("zzz", 3);
  xc_near_miss_offer(&miss, "kernel");
  assert_null(xc_near_miss_get(&miss));
  assert_int_equal(xc_edit_distance("kitten", 6, "sitting", 7), 3);
}

static void count_errors(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  (void)place;
  assert_int_equal(severity, XcSeverityError);
  assert_non_null(strstr(message, "cannot open"));
  ++*(int *)user_data;
}

static void output_appears_only_when_kept(void **state) {
  (void)state;
  int errors = 0;
  XcDiag diag = {count_errors, &errors, 0};
  char directory[] = "/tmp/xc-support-XXXXXX";
  assert_non_null(mkdtemp(directory));
  xc_text path = {0};
  xc_text_printf(&path, "%s/out", directory);

  xc_output output;
  assert_true(xc_output_open(&diag, path.data, &output));
  fputs("lost", output.stream);
  xc_output_discard(&output);
  xc_buffer buffer;
  assert_false(xc_read_file(&diag, path.data, &buffer));
  assert_int_equal(errors, 1);

  assert_true(xc_write_file(&diag, path.data, "kept", 4));
  assert_true(xc_read_file(&diag, path.data, &buffer));
  assert_int_equal(buffer.size, 4);
  assert_string_equal((const char *)buffer.data, "kept");
  xc_buffer_free(&buffer);

  assert_false(xc_output_open(&diag, "/nonexistent/x", &output));
  assert_int_equal(diag.numErrors, 2);
  remove(path.data);
  remove(directory);
  xc_text_free(&path);
}

static bool count_call(void *target, const char *name, const char *value,
                       const char **why) {
  (void)name;
  (void)value;
  (void)why;
  ++*(int *)target;
  return true;
}

static void command_line_sets_targets(void **state) {
  (void)state;
  bool flag = false;
  const char *string = NULL;
  int64_t number = 0;
  int calls = 0, repeated = 0;
  xc_string_list list = {0}, positional = {0};
  const xc_option options[] = {
      {.name = "flag", .kind = XC_OPTION_FLAG, .target = &flag},
      {.name = "o", .kind = XC_OPTION_STRING, .target = &string},
      {.name = "n",
       .kind = XC_OPTION_INT,
       .target = &number,
       .minimum = 1,
       .maximum = 9},
      {.name = "l", .kind = XC_OPTION_LIST, .target = &list},
      {.name = "output", .kind = XC_OPTION_STRING, .target = &string},
      {.name = "call",
       .kind = XC_OPTION_CALL,
       .target = &calls,
       .handler = count_call},
      {.name = "each",
       .kind = XC_OPTION_CALL_OPT,
       .target = &repeated,
       .handler = count_call,
       .repeats = true},
  };
  const xc_option_group group = {"Options", options, 7};
  const xc_command_line spec = {.tool = "tool",
                                .overview = "",
                                .usage = "",
                                .groups = &group,
                                .num_groups = 1};
  char *good[] = {"tool", "--flag", "-o", "x",  "--n=9",  "-l=a", "-l",
                  "b",    "in",     "-",  "--", "--flag", "last"};
  assert_int_equal(xc_command_line_parse(&spec, 13, good, &positional),
                   XC_COMMAND_LINE_RUN);
  assert_true(flag);
  assert_string_equal(string, "x");
  assert_int_equal(number, 9);
  assert_int_equal(list.count, 2);
  assert_int_equal(positional.count, 4);
  assert_string_equal(positional.items[2], "--flag");
  char *const bad[] = {"--n=10", "--n=1x", "--flga", "--flag=maybe", "--o"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    char *arguments[] = {"tool", bad[i]};
    assert_int_equal(xc_command_line_parse(&spec, 2, arguments, &positional),
                     XC_COMMAND_LINE_ERROR);
  }
  char *const twice[][2] = {{"--flag", "-flag=false"}, {"--o=x", "--o=x"},
                            {"--o=x", "--output=y"},   {"--n=1", "--n=2"},
                            {"--call=x", "--call=y"},  {"--l=a", "--l=b"},
                            {"--each", "--each=x"}};
  calls = repeated = 0;
  for (size_t i = 0; i < sizeof(twice) / sizeof(*twice); ++i) {
    char *arguments[] = {"tool", twice[i][0], twice[i][1]};
    assert_int_equal(xc_command_line_parse(&spec, 3, arguments, &positional),
                     i < 5 ? XC_COMMAND_LINE_ERROR : XC_COMMAND_LINE_RUN);
  }
  assert_string_equal(string, "x");
  assert_int_equal(calls, 1);
  assert_int_equal(repeated, 2);
  xc_string_list_free(&list);
  xc_string_list_free(&positional);
}

// Keys leave in another order than they came; clusters must stay reachable.
static void pointer_map_forgets(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  static char keys[COUNT];
  xc_pointer_map map = {0};
  for (size_t i = 0; i < COUNT; ++i)
    xc_pointer_map_set(&map, &keys[i], &keys[COUNT - 1 - i]);
  for (size_t i = 0; i < COUNT; i += 3)
    xc_pointer_map_remove(&map, &keys[i]);
  xc_pointer_map_remove(&map, &keys[0]);
  for (size_t i = 0; i < COUNT; ++i) {
    assert_int_equal(xc_pointer_map_has(&map, &keys[i]), i % 3 != 0);
    assert_ptr_equal(xc_pointer_map_get(&map, &keys[i]),
                     i % 3 ? &keys[COUNT - 1 - i] : NULL);
  }
  assert_int_equal(map.count, COUNT - (COUNT + 2) / 3);
  xc_pointer_map_free(&map);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static void mark(void *context, uint32_t index) {
  ++((unsigned char *)context)[index];
}

static void threads_share_a_loop(void **state) {
  (void)state;
  unsigned char marks[64];
  xc_threads *threads = xc_threads_create(3);
  assert_non_null(threads);
  for (uint32_t count = 0; count <= 64; ++count) {
    memset(marks, 0, sizeof marks);
    xc_threads_for(count % 2 ? threads : NULL, count, mark, marks);
    for (uint32_t i = 0; i < 64; ++i)
      assert_int_equal(marks[i], i < count);
  }
  xc_threads_destroy(threads);
  xc_threads_destroy(NULL);
  xc_threads_destroy(xc_threads_create(0));
}

//===----------------------------------------------------------------------===//
// Names in tables
//===----------------------------------------------------------------------===//

static void names_are_known_by_what_tables_show(void **state) {
  (void)state;
  static const struct {
    const char *name, *shown;
    xc_shown how;
  } rows[] = {
      {"conv", "conv", XC_SHOWN_WHOLE},
      {"a/norm;a/conv2d_5/Conv2D1", "conv2d_5/Conv2D1", XC_SHOWN_AS_END},
      {"a/norm;a/conv2d_5/Conv2D1", "conv2d_5", XC_SHOWN_AS_PARTS},
      {"a/norm;a/conv2d_5/Conv2D1", "a", XC_SHOWN_AS_PARTS},
      {"Net__Sequential_deconv3__input", "deconv3", XC_SHOWN_IN_PARTS},
      {"Net__Sequential_deconv3__input", "input", XC_SHOWN_AS_END},
      {"a/deconv3/b", "deconv3 [2/16]", XC_SHOWN_AS_PARTS},
      {"deconv3 [2/16]", "deconv3 [2/16]", XC_SHOWN_WHOLE},
      {"deconv", "deconv [2/", XC_SHOWN_NOT},
      {"MobileFaceNet/a/Conv2d/sub", "MobileFaceN...eConv2d/sub", XC_SHOWN_NOT},
      {"MobileFaceNet/SeConv2d/sub", "MobileFaceN...eConv2d/sub",
       XC_SHOWN_IN_PARTS},
      {"MobileFaceNet/SeConv2d/sub", "MobileFaceN...eConv2d/sub#0badcafe",
       XC_SHOWN_NOT},
      {"abcd", "abc...bcd", XC_SHOWN_NOT},
      {"a\nb", "a\\x0ab", XC_SHOWN_WHOLE},
      {"conv10", "conv1", XC_SHOWN_NOT},
      {"aconv1", "conv1", XC_SHOWN_NOT},
      {"a/b", "", XC_SHOWN_NOT},
      {"", "a", XC_SHOWN_NOT},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    assert_int_equal(xc_name_shown_as(rows[i].name, rows[i].shown),
                     rows[i].how);
  char sum[XC_NAME_SUM_SIZE];
  xc_text shown = {0};
  xc_name_sum("MobileFaceNet/SeConv2d/sub", 26, sum);
  xc_text_printf(&shown, "MobileFaceN...eConv2d/sub%s", sum);
  assert_int_equal(
      xc_name_shown_as("MobileFaceNet/SeConv2d/sub", xc_text_str(&shown)),
      XC_SHOWN_IN_PARTS);
  xc_text_free(&shown);
}

static void near_names_are_sorted(void **state) {
  (void)state;
  xc_text text = {0};
  xc_near_names near = {.given = "block2/conv"};
  static const char *const names[] = {
      "x",           "net/block1/conv",   "net/block2/cnov", "net/block1/conv",
      "block3/conv", "net/block3/conv/x", "net/block2/conv"};
  xc_near_names_print(&near, &text);
  assert_string_equal(xc_text_str(&text), "");
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    xc_near_names_offer(&near, names[i]);
  xc_near_names_print(&near, &text);
  assert_string_equal(
      xc_text_str(&text),
      "; near are 'net/block2/conv', 'block3/conv', 'net/block1/conv'");
  xc_text_free(&text);
  near = (xc_near_names){.given = "nope"};
  xc_near_names_offer(&near, "x/transpose");
  assert_int_equal(near.count, 0);
  xc_near_names_offer(&near, "x/nose");
  assert_int_equal(near.count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_zeroed_aligned_memory),
      cmocka_unit_test(text_grows),
      cmocka_unit_test(pointer_map_forgets),
      cmocka_unit_test(names_become_parts_of_paths),
      cmocka_unit_test(terminals_get_no_control_characters),
      cmocka_unit_test(near_miss_finds_typing_errors_only),
      cmocka_unit_test(names_are_known_by_what_tables_show),
      cmocka_unit_test(near_names_are_sorted),
      cmocka_unit_test(output_appears_only_when_kept),
      cmocka_unit_test(command_line_sets_targets),
      cmocka_unit_test(threads_share_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
