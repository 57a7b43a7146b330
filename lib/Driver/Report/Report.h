//===- Report.h - reports of a compilation ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report is JSON (docs/report.md). The parts about one DPU subgraph are made
// while its program is at hand; the table, the page and the comparison of two
// reports read nothing but the JSON.
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_REPORT_REPORT_H
#define XC_DRIVER_REPORT_REPORT_H

#include "Driver/Driver.h"

json_t *xc_driver_json_count(uint64_t count);

/// Returns the contents of meta.json, but for reports.
json_t *xc_driver_describe_files(const xc_compilation *c);
/// Whether a report is a page.
bool xc_driver_wants_page(const xc_compilation *c);

/// Returns the report of one DPU subgraph; null after a diagnostic.
json_t *xc_driver_report_kernel(xc_compilation *c,
                                const xc_dpu_function *function);
/// Returns the cost of fix points of groups of channels in one DPU subgraph;
/// null where no layer has them.
json_t *xc_driver_report_groups(const xc_compilation *c,
                                const xc_dpu_function *function,
                                const XcDpuTimeline *timeline);
/// Returns the memory of one DPU subgraph; `layers` are the rows of its report,
/// which get their share of the banks.
json_t *xc_driver_report_memory(const xc_compilation *c,
                                const xc_dpu_function *function,
                                const XcDpuTimeline *timeline, json_t *layers);
/// For the page: the instructions, and what the banks hold, over time.
json_t *xc_driver_report_timeline(const xc_compilation *c,
                                  const xc_dpu_function *function,
                                  const XcDpuTimeline *timeline);
/// Returns the whole report.
json_t *xc_driver_report(const xc_compilation *c);
/// Prints the report as `xcc` does: layers, memory, totals.
void xc_driver_report_table(const json_t *report, xc_text *text);
/// Adds what a report shows in place of long names: `short_names`, from whole
/// names to short ones, and the `label` of every layer and its members.
void xc_driver_report_names(json_t *report);
/// Returns the short name that a report has for a name, or the name; borrowed.
const char *xc_driver_short_name(const json_t *report, const char *name);
/// Writes the page that shows a report.
void xc_driver_report_html(const json_t *report, xc_text *text);

#endif // XC_DRIVER_REPORT_REPORT_H
