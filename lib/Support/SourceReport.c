//===- SourceReport.c - diagnostics with their source line ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceReport.h"

#include "Diag.h"

#include <stdio.h>
#include <string.h>

// Returns the line of that number, without its end. Returns null past the last
// one.
static const char *find_line(const xc_source *input, unsigned line,
                             size_t *length) {
  const char *at = (const char *)input->data;
  const char *end = at + input->size;
  for (unsigned n = input->first_line; at < end; ++n) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    if (n == line) {
      *length = (size_t)(stop - at);
      return at;
    }
    at = stop + 1;
  }
  return NULL;
}

static void print_source(const xc_source *input, XcPlace place) {
  enum { LONGEST = 400 };
  size_t length;
  const char *line = find_line(input, place.line, &length);
  if (!line || length > LONGEST)
    return;
  // One column for each byte, so that the mark stands below its place.
  for (size_t i = 0; i < length; ++i)
    fputc((unsigned char)line[i] < ' ' && line[i] != '\t' ? '?' : line[i],
          stderr);
  fputc('\n', stderr);
  for (unsigned i = 1; i < place.column; ++i)
    fputc(i <= length && line[i - 1] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

// Whether the diagnostic has nothing to say to the user: it was expected.
static bool is_expected(xc_source_reporter *reporter, XcSeverity severity,
                        XcPlace place, const char *message) {
  if (xc_expectations_take(reporter->expectations, severity, place, message))
    return true;
  if (!reporter->only_expected)
    reporter->any_unexpected = true;
  return reporter->only_expected;
}

void xc_source_report(void *user_data, XcSeverity severity, XcPlace place,
                      const char *message) {
  xc_source_reporter *reporter = user_data;
  if (reporter->errors_only && severity != XcSeverityError)
    return;
  bool verifies = reporter->expectations != NULL;
  if (verifies && is_expected(reporter, severity, place, message))
    return;
  XcDiag plain = {NULL, NULL, 0};
  if (verifies)
    xcDiagReport(&plain, XcSeverityError, place, "unexpected %s: %s",
                 xc_severity_name(severity), message);
  else
    xcDiagReport(&plain, severity, place, "%s", message);
  const xc_source *input = reporter->input;
  if (input && place.line && place.file && strcmp(place.file, input->name) == 0)
    print_source(input, place);
}
