//===- CommandLine.c - options of the tools -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Memory.h"
#include "Names.h"
#include "Temporary.h"
#include "Text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xc_string_list_add(xc_string_list *list, const char *item) {
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(*list->items));
  list->items = items;
  list->items[list->count++] = item;
}

void xc_string_list_free(xc_string_list *list) {
  free(list->items);
  *list = (xc_string_list){0};
}

void xc_tool_begin(void) { xc_temporary_catch_signals(); }

int xc_tool_end(const char *tool, bool ok) {
  if (fflush(stdout) != 0 || ferror(stdout))
    ok = xc_tool_error(tool, "cannot write to standard output: %s",
                       strerror(errno));
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool xc_tool_error(const char *tool, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xc_text text = {0};
  xc_text_vprintf(&text, format, arguments);
  xc_print(stderr, "%s: %s\n", tool, xc_text_str(&text));
  xc_text_free(&text);
  va_end(arguments);
  return false;
}

static const xc_option *find_option(const xc_command_line *spec,
                                    const char *name, size_t length) {
  for (size_t g = 0; g < spec->num_groups; ++g)
    for (size_t i = 0; i < spec->groups[g].count; ++i) {
      const xc_option *option = &spec->groups[g].options[i];
      if (strlen(option->name) != length ||
          memcmp(option->name, name, length) != 0)
        continue;
      if (spec->given && !spec->given[g])
        spec->given[g] = option->name;
      return option;
    }
  return NULL;
}

static bool unknown_option(const xc_command_line *spec, const char *argument,
                           const char *name, size_t length) {
  xc_tool_error(spec->tool,
                "Unknown command line argument '%s'.  Try: '%s --help'",
                argument, spec->tool);
  xc_near_miss miss = xc_near_miss_begin(name, length);
  for (size_t g = 0; g < spec->num_groups; ++g)
    for (size_t i = 0; i < spec->groups[g].count; ++i)
      xc_near_miss_offer(&miss, spec->groups[g].options[i].name);
  xc_near_miss_offer(&miss, "max-memory");
  xc_near_miss_offer(&miss, "help");
  xc_near_miss_offer(&miss, "version");
  if (xc_near_miss_get(&miss))
    xc_tool_error(spec->tool, "Did you mean '--%s'?", xc_near_miss_get(&miss));
  return false;
}

static bool option_error(const xc_command_line *spec, const xc_option *option,
                         const char *message) {
  return xc_tool_error(spec->tool, "for the --%s option: %s", option->name,
                       message);
}

static bool set_flag(const xc_command_line *spec, const xc_option *option,
                     const char *value) {
  bool *target = option->target;
  if (!value || !strcmp(value, "true") || !strcmp(value, "1"))
    *target = true;
  else if (!strcmp(value, "false") || !strcmp(value, "0"))
    *target = false;
  else
    return option_error(spec, option, "expected true or false");
  return true;
}

static bool set_int(const xc_command_line *spec, const xc_option *option,
                    const char *value) {
  char *end = NULL;
  errno = 0;
  intmax_t number = strtoimax(value, &end, 0);
  if (errno == 0 && end != value && *end == '\0' && number >= option->minimum &&
      number <= option->maximum) {
    *(int64_t *)option->target = number;
    return true;
  }
  xc_text text = {0};
  xc_text_printf(
      &text, "expected an integer from %" PRId64 " to %" PRId64 ", got '%s'",
      option->minimum, option->maximum, value);
  option_error(spec, option, xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static bool needs_value(xc_option_kind kind) {
  return kind != XC_OPTION_FLAG && kind != XC_OPTION_CALL_OPT;
}

static bool apply_option(const xc_command_line *spec, const xc_option *option,
                         const char *value) {
  const char *why = "not accepted";
  bool is_text =
      option->kind == XC_OPTION_STRING || option->kind == XC_OPTION_LIST;
  if (is_text && !*value)
    return option_error(spec, option, "requires a value!");
  switch (option->kind) {
  case XC_OPTION_FLAG:
    return set_flag(spec, option, value);
  case XC_OPTION_STRING:
    *(const char **)option->target = value;
    return true;
  case XC_OPTION_INT:
    return set_int(spec, option, value);
  case XC_OPTION_LIST:
    xc_string_list_add(option->target, value);
    return true;
  case XC_OPTION_CALL:
  case XC_OPTION_CALL_OPT:
    return option->handler(option->target, option->name, value, &why) ||
           option_error(spec, option, why);
  }
  return false;
}

/// Options that were given, of those that do not repeat.
typedef struct seen_options {
  const xc_option **rows;
  size_t count;
  size_t capacity;
} seen_options;

// Returns false where the option, under this name or another one, was there
// before.
static bool see_option(const xc_command_line *spec, seen_options *seen,
                       const xc_option *option) {
  if (option->kind == XC_OPTION_LIST || option->repeats)
    return true;
  for (size_t i = 0; i < seen->count; ++i) {
    const xc_option *other = seen->rows[i];
    if (other == option)
      return option_error(spec, option, "may only occur zero or one times!");
    if (other->target == option->target && other->handler == option->handler)
      return xc_tool_error(spec->tool,
                           "for the --%s option: may only occur zero or one "
                           "times, and --%s is the same option!",
                           option->name, other->name);
  }
  void *rows = seen->rows;
  xc_grow(&rows, &seen->capacity, seen->count + 1, sizeof(*seen->rows));
  seen->rows = rows;
  seen->rows[seen->count++] = option;
  return true;
}

static void print_option(const xc_option *option) {
  enum { COLUMN = 40 };
  bool optional = option->kind == XC_OPTION_CALL_OPT;
  int width = printf("  --%s", option->name);
  if (option->value_name)
    width += printf(optional ? "[=<%s>]" : "=<%s>", option->value_name);
  if (width >= COLUMN) {
    putchar('\n');
    width = 0;
  }
  printf("%*s- %s\n", COLUMN - width, "", option->help);
  if (option->details)
    fputs(option->details, stdout);
}

bool xc_takes_no_input(const char *tool, const char *option,
                       const char *input) {
  return !input ||
         xc_tool_error(tool, "--%s takes no input, got '%s'", option, input);
}

bool xc_option_amount(void *target, const char *name, const char *value,
                      const char **why) {
  static const struct {
    const char *unit;
    int64_t factor;
  } units[] = {{"", 1},           {"k", 1000},     {"M", 1000000},
               {"G", 1000000000}, {"Ki", 1 << 10}, {"Mi", 1 << 20},
               {"Gi", 1 << 30}};
  (void)name;
  char *end;
  double number = strtod(value, &end);
  for (size_t i = 0; end != value && i < sizeof(units) / sizeof(*units); ++i) {
    double amount = number * (double)units[i].factor;
    if (strcmp(end, units[i].unit) != 0 || !(amount >= 1) || amount > 1e15)
      continue;
    *(int64_t *)target = (int64_t)amount;
    return true;
  }
  *why = "expected a number such as 250000, 2.5M or 64Mi";
  return false;
}

bool xc_option_price(void *target, const char *name, const char *value,
                     const char **why) {
  (void)name;
  char *end;
  double number = strtod(value, &end);
  *why = "expected a number such as 0.01";
  if (end == value || *end || !(number >= 0) || isinf(number))
    return false;
  *(double *)target = number;
  return true;
}

static bool set_max_memory(void *target, const char *name, const char *value,
                           const char **why) {
  int64_t bytes;
  (void)target;
  if (!xc_option_amount(&bytes, name, value, why))
    return false;
  xcSetMaxMemory((uint64_t)bytes);
  return true;
}

/// Options of every tool.
static const xc_option generic[] = {
    {.name = "max-memory",
     .kind = XC_OPTION_CALL,
     .value_name = "bytes",
     .help = "Refuse inputs that need more memory (that of the machine)",
     .handler = set_max_memory},
    {.name = "help", .help = "Display this help (also -h)"},
    {.name = "version", .help = "Display the version of this program"},
};

static void print_help(const xc_command_line *spec) {
  printf("OVERVIEW: %s\n\nUSAGE: %s %s\n\nOPTIONS:\n", spec->overview,
         spec->tool, spec->usage);
  for (size_t g = 0; g < spec->num_groups; ++g) {
    printf("\n%s:\n\n", spec->groups[g].title);
    for (size_t i = 0; i < spec->groups[g].count; ++i)
      if (spec->groups[g].options[i].help)
        print_option(&spec->groups[g].options[i]);
  }
  printf("\nGeneric Options:\n\n");
  for (size_t i = 0; i < sizeof(generic) / sizeof(*generic); ++i)
    print_option(&generic[i]);
}

static bool apply_fallback(const xc_command_line *spec, const char *argument,
                           const char *name, size_t length, const char *value) {
  if (!spec->fallback)
    return unknown_option(spec, argument, name, length);
  xc_text text = {0};
  xc_text_append(&text, name, length);
  const char *why = NULL;
  bool ok = spec->fallback(spec->fallback_target, text.data, value, &why);
  if (!ok && why)
    xc_tool_error(spec->tool, "for the --%s option: %s", text.data, why);
  else if (!ok)
    unknown_option(spec, argument, name, length);
  xc_text_free(&text);
  return ok;
}

static bool is_word(const char *name, size_t length, const char *word) {
  return strlen(word) == length && memcmp(name, word, length) == 0;
}

static xc_command_line_result parse(const xc_command_line *spec, int argc,
                                    char **argv, xc_string_list *positional,
                                    seen_options *seen) {
  bool only_positional = false;
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (only_positional || argument[0] != '-' || argument[1] == '\0') {
      xc_string_list_add(positional, argument);
      continue;
    }
    if (!strcmp(argument, "--")) {
      only_positional = true;
      continue;
    }
    const char *name = argument + (argument[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const xc_option *option = find_option(spec, name, length);
    if (!option &&
        (is_word(name, length, "help") || is_word(name, length, "h"))) {
      print_help(spec);
      return XC_COMMAND_LINE_DONE;
    }
    if (!option && is_word(name, length, generic[0].name))
      option = &generic[0];
    if (!option && is_word(name, length, "version")) {
      printf("%s (xc) %s\n", spec->tool, xcVersion());
      return XC_COMMAND_LINE_DONE;
    }
    if (!option) {
      if (!apply_fallback(spec, argument, name, length, value))
        return XC_COMMAND_LINE_ERROR;
      continue;
    }
    if (!value && needs_value(option->kind)) {
      if (i + 1 == argc) {
        option_error(spec, option, "requires a value!");
        return XC_COMMAND_LINE_ERROR;
      }
      value = argv[++i];
    }
    if (!see_option(spec, seen, option) || !apply_option(spec, option, value))
      return XC_COMMAND_LINE_ERROR;
  }
  return XC_COMMAND_LINE_RUN;
}

xc_command_line_result xc_command_line_parse(const xc_command_line *spec,
                                             int argc, char **argv,
                                             xc_string_list *positional) {
  seen_options seen = {0};
  xc_command_line_result result = parse(spec, argc, argv, positional, &seen);
  free(seen.rows);
  return result;
}
