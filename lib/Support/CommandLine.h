//===- CommandLine.h - options of the tools -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row per option serves parsing, --help and "Did you mean". Options are
// written -name or --name, values as --name=value or, where one is required,
// --name value. "--" ends the options; "-" alone is a positional argument.
// An option that does not repeat and is given twice, by whichever of its names,
// is an error: the second value would silently take the place of the first.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_COMMANDLINE_H
#define XC_SUPPORT_COMMANDLINE_H

#include "xc-c/Support.h"

typedef enum xc_option_kind {
  XC_OPTION_FLAG,     // bool *: --x, --x=true, --x=false
  XC_OPTION_STRING,   // const char **
  XC_OPTION_INT,      // int64_t *: checked against minimum and maximum
  XC_OPTION_LIST,     // xc_string_list *: repeats
  XC_OPTION_CALL,     // handler, a value is required
  XC_OPTION_CALL_OPT, // handler, the value may be absent (null)
} xc_option_kind;

typedef struct xc_string_list {
  const char **items;
  size_t count;
  size_t capacity;
} xc_string_list;

void xc_string_list_add(xc_string_list *list, const char *item);
void xc_string_list_free(xc_string_list *list);

/// Called for XC_OPTION_CALL*. `target` is the row's. On failure the handler
/// writes why into `why` and returns false.
typedef bool (*xc_option_handler)(void *target, const char *name,
                                  const char *value, const char **why);

typedef struct xc_option {
  const char *name;
  xc_option_kind kind;
  const char *value_name; // for --help; null for flags
  const char *help;       // null: hidden from --help
  void *target; // rows with the same target and handler name one option
  int64_t minimum, maximum; // XC_OPTION_INT
  xc_option_handler handler;
  bool repeats;        // XC_OPTION_CALL*: may be given several times
  const char *details; // lines of --help below the row, or null
} xc_option;

// Rows of tables of options. `where` points to what the kind says; it is the
// address of a static object where the table is static.
#define XC_FLAG_ROW(flag, where, text)                                         \
  {.name = flag, .kind = XC_OPTION_FLAG, .help = text, .target = where}
#define XC_VALUE_ROW(flag, type, value, where, text)                           \
  {.name = flag,                                                               \
   .kind = type,                                                               \
   .value_name = value,                                                        \
   .help = text,                                                               \
   .target = where}
#define XC_STRING_ROW(flag, value, where, text)                                \
  XC_VALUE_ROW(flag, XC_OPTION_STRING, value, where, text)
#define XC_LIST_ROW(flag, value, where, text)                                  \
  XC_VALUE_ROW(flag, XC_OPTION_LIST, value, where, text)
#define XC_INT_ROW(flag, value, where, low, high, text)                        \
  {.name = flag,                                                               \
   .kind = XC_OPTION_INT,                                                      \
   .value_name = value,                                                        \
   .help = text,                                                               \
   .target = where,                                                            \
   .minimum = low,                                                             \
   .maximum = high}
#define XC_CALL_ROW(flag, type, value, where, function, text)                  \
  {.name = flag,                                                               \
   .kind = type,                                                               \
   .value_name = value,                                                        \
   .help = text,                                                               \
   .target = where,                                                            \
   .handler = function}

/// Rows under one heading of --help.
typedef struct xc_option_group {
  const char *title;
  const xc_option *options;
  size_t count;
} xc_option_group;

/// The group of an array of rows.
#define XC_OPTION_GROUP(title, rows)                                           \
  {title, rows, sizeof(rows) / sizeof(*(rows))}

/// Called for an option that is in no row. Returns false with a null `*why`
/// when the name is unknown to it too.
typedef xc_option_handler xc_option_fallback;

typedef struct xc_command_line {
  const char *tool;     // "xc-opt"
  const char *overview; // one sentence
  const char *usage;    // "[options] <input file>"
  const xc_option_group *groups;
  size_t num_groups;
  /// Null, or where for each group the name of its first option that was given
  /// goes; others stay as they are.
  const char **given;
  xc_option_fallback fallback; // null: unknown options are errors
  void *fallback_target;
} xc_command_line;

typedef enum xc_command_line_result {
  XC_COMMAND_LINE_RUN,  // go on
  XC_COMMAND_LINE_DONE, // --help or --version was printed
  XC_COMMAND_LINE_ERROR // reported on stderr
} xc_command_line_result;

/// Handles --help (also -h) and --version besides the given rows. Positional
/// arguments are appended to `positional`; strings are borrowed from argv.
xc_command_line_result xc_command_line_parse(const xc_command_line *spec,
                                             int argc, char **argv,
                                             xc_string_list *positional);

/// Whether an option that prints what it knows itself stands without an input:
/// `input` is the first one, or null. Returns false after an error.
bool xc_takes_no_input(const char *tool, const char *option, const char *input);

/// A handler for a double: 0 or more, and finite.
bool xc_option_price(void *target, const char *name, const char *value,
                     const char **why);

/// A handler for an int64_t: a number with a unit of 1000 (k, M, G) or 1024
/// (Ki, Mi, Gi), 1 or more.
bool xc_option_amount(void *target, const char *name, const char *value,
                      const char **why);

/// For the first and the last line of a tool's main(). At the end what went to
/// standard output is flushed: that it could not be written is an error. Gives
/// the exit code.
void xc_tool_begin(void);
int xc_tool_end(const char *tool, bool ok);

/// Prints `tool: message` to stderr and returns false.
bool xc_tool_error(const char *tool, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

#endif // XC_SUPPORT_COMMANDLINE_H
