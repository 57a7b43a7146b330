//===- Page.h - the page that shows a report ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_REPORT_PAGE_H
#define XC_DRIVER_REPORT_PAGE_H

/// Report.html, terminated, before and after the place of the JSON. Made by
/// scripts/embed-page.py.
extern const unsigned char xc_report_page_begin[];
extern const unsigned char xc_report_page_end[];

#endif // XC_DRIVER_REPORT_PAGE_H
