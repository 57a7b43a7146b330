//===- DiagnosticBridge.c - from MLIR's diagnostics to ours ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRReader.h"

#include "Support/Text.h"
#include "dialects/Emit.h"
#include "dialects/Path.h"

#include "mlir-c/Diagnostics.h"

#include <string.h>

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static XcSeverity severity_of(MlirDiagnostic diagnostic) {
  switch (mlirDiagnosticGetSeverity(diagnostic)) {
  case MlirDiagnosticError:
    return XcSeverityError;
  case MlirDiagnosticWarning:
    return XcSeverityWarning;
  case MlirDiagnosticNote:
    return XcSeverityNote;
  case MlirDiagnosticRemark:
    return XcSeverityRemark;
  }
  return XcSeverityError;
}

// Locations that MLIR made while it parsed without a file name say "-"; their
// lines count from the start of the chunk.
static void fix_place(const xc_diagnostic_bridge *bridge, XcPlace *place) {
  if (!bridge->input || strcmp(place->file, "-") != 0)
    return;
  place->file = bridge->input->name;
  place->line += bridge->input->first_line - 1;
}

static void report(const xc_diagnostic_bridge *bridge, XcSeverity severity,
                   MlirLocation location, const char *message) {
  MlirStringRef file;
  unsigned line, column;
  if (xc_location_place(location, &file, &line, &column)) {
    xc_text name = {0};
    xc_text_append(&name, file.data, file.length);
    XcPlace place = {xc_text_str(&name), line, column};
    fix_place(bridge, &place);
    xcDiagReport(bridge->diag, severity, place, "%s", message);
    xc_text_free(&name);
    return;
  }
  XcPlace nowhere = {NULL, 0, 0};
  if (mlirLocationIsAName(location)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    xcDiagReport(bridge->diag, severity, nowhere, "\"%.*s\": %s",
                 (int)name.length, name.data, message);
    return;
  }
  xcDiagReport(bridge->diag, severity, nowhere, "%s", message);
}

static void report_operation(const xc_diagnostic_bridge *bridge,
                             MlirLocation location, const char *message) {
  xc_text text = {0};
  xc_text_puts(&text, "see current operation: ");
  if (bridge->show_operation && xc_emitted_operation(location, message, &text))
    report(bridge, XcSeverityNote, location, xc_text_str(&text));
  xc_text_free(&text);
}

// MLIR checks the segments before any verifier of xc can and does not say
// what to write.
static void explain_segments(const xc_diagnostic_bridge *bridge,
                             MlirLocation location, const char *message) {
  if (strstr(message, "operandSegmentSizes") == NULL ||
      strncmp(message, "'tir.", 5) == 0 || strncmp(message, "'mtir.", 6) == 0)
    return;
  report(bridge, XcSeverityNote, location,
         "write one entry for each operand slot, 1 where an operand is given "
         "and 0 where not, for example of tir.concat with two inputs: "
         "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
         "0, 0, 0, 0>; its mtir twin has one more entry, 1, for the output");
}

// The section of a reproducer is meant for this very tool.
static bool is_known_resource(const char *message) {
  return strstr(message, "unknown external resources for 'mlir_reproducer'") !=
         NULL;
}

// IRDL's checks of operands, results, attributes and regions do not name the
// operation; the note that MLIR puts below an error begins with it.
static void name_operation(MlirDiagnostic diagnostic, xc_text *message) {
  if (strncmp(xc_text_str(message), "op expects ", 11) != 0)
    return;
  xc_text note = {0}, named = {0};
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    mlirDiagnosticPrint(mlirDiagnosticGetNote(diagnostic, i), append_text,
                        &note);
  const char *open = strstr(xc_text_str(&note), "see current operation: ");
  const char *name = open ? strchr(open, '"') : NULL;
  if (name) {
    xc_text_printf(&named, "'%.*s' %s", (int)strcspn(name + 1, "\""), name + 1,
                   xc_text_str(message));
    xc_text_free(message);
    *message = named;
  }
  xc_text_free(&note);
}

static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *user_data) {
  const xc_diagnostic_bridge *bridge = user_data;
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  xc_text text = {0};
  mlirDiagnosticPrint(diagnostic, append_text, &text);
  name_operation(diagnostic, &text);
  XcSeverity severity = severity_of(diagnostic);
  if (severity == XcSeverityWarning && is_known_resource(xc_text_str(&text))) {
    xc_text_free(&text);
    return mlirLogicalResultSuccess();
  }
  report(bridge, severity, location, xc_text_str(&text));
  if (!bridge->hide_notes) {
    if (severity == XcSeverityError)
      explain_segments(bridge, location, xc_text_str(&text));
    if (severity == XcSeverityError)
      report_operation(bridge, location, xc_text_str(&text));
    intptr_t notes = mlirDiagnosticGetNumNotes(diagnostic);
    for (intptr_t i = 0; i < notes; ++i)
      handle(mlirDiagnosticGetNote(diagnostic, i), user_data);
  }
  xc_text_free(&text);
  return mlirLogicalResultSuccess();
}

static void release(void *user_data) { (void)user_data; }

void xc_bridge_attach(xc_diagnostic_bridge *bridge, MlirContext context,
                      XcDiag *diag) {
  bridge->context = context;
  bridge->diag = diag;
  bridge->id =
      mlirContextAttachDiagnosticHandler(context, handle, bridge, release);
}

void xc_bridge_detach(xc_diagnostic_bridge *bridge) {
  mlirContextDetachDiagnosticHandler(bridge->context, bridge->id);
}
