//===- Diag.c - reporting helpers -----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diag.h"

#include "Names.h"

#include <stdio.h>
#include <string.h>

const char *xc_severity_name(XcSeverity severity) {
  switch (severity) {
  case XcSeverityError:
    return "error";
  case XcSeverityWarning:
    return "warning";
  case XcSeverityRemark:
    return "remark";
  case XcSeverityNote:
    return "note";
  }
  return "error";
}

static void print_to_stderr(XcSeverity severity, XcPlace place,
                            const char *message) {
  xc_text file = {0};
  if (place.file)
    xc_text_printable(&file, place.file, strlen(place.file), false);
  if (place.file && place.line)
    fprintf(stderr, "%s:%u:%u: ", xc_text_str(&file), place.line, place.column);
  else if (place.file)
    fprintf(stderr, "%s: ", xc_text_str(&file));
  xc_text_free(&file);
  fprintf(stderr, "%s: %s\n", xc_severity_name(severity), message);
}

static void report(XcDiag *diag, XcSeverity severity, XcPlace place,
                   const char *format, va_list arguments) {
  xc_text text = {0}, shown = {0};
  xc_text_vprintf(&text, format, arguments);
  // Some messages show text of several lines.
  xc_text_printable(&shown, xc_text_str(&text), text.length, true);
  if (severity == XcSeverityError)
    ++diag->numErrors;
  if (diag->handler)
    diag->handler(diag->userData, severity, place, xc_text_str(&shown));
  else
    print_to_stderr(severity, place, xc_text_str(&shown));
  xc_text_free(&text);
  xc_text_free(&shown);
}

void xcDiagReport(XcDiag *diag, XcSeverity severity, XcPlace place,
                  const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(diag, severity, place, format, arguments);
  va_end(arguments);
}

bool xc_file_error(XcDiag *diag, const char *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(diag, XcSeverityError, (XcPlace){file, 0, 0}, format, arguments);
  va_end(arguments);
  return false;
}

bool xc_place_error(XcDiag *diag, XcPlace place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(diag, XcSeverityError, place, format, arguments);
  va_end(arguments);
  return false;
}

void xc_ignore_error(void *user_data, XcSeverity severity, XcPlace place,
                     const char *message) {
  (void)user_data;
  (void)severity;
  (void)place;
  (void)message;
}
