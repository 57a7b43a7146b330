//===- Html.c - a report as a page ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Page.h"
#include "Report.h"

#include <stdlib.h>
#include <string.h>

/// JSON inside a script element: "</script" in a name must not end it.
static void append_json(xc_text *text, const char *json) {
  for (const char *at = json; *at;) {
    size_t run = strcspn(at, "<");
    xc_text_append(text, at, run);
    at += run;
    if (*at == '<') {
      xc_text_puts(text, "\\u003c");
      ++at;
    }
  }
}

void xc_driver_report_html(const json_t *report, xc_text *text) {
  char *json = json_dumps(report, JSON_COMPACT | JSON_REAL_PRECISION(12));
  xc_text_puts(text, (const char *)xc_report_page_begin);
  append_json(text, json);
  xc_text_puts(text, (const char *)xc_report_page_end);
  free(json);
}
