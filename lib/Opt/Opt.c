//===- Opt.c - xc-opt as a library call -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Opt.h"

#include "IR/IR.h"

#include "IRReader/IRReader.h"
#include "Instrumentation.h"
#include "Options.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Source.h"
#include "Support/SourceReport.h"
#include "dialects/OpInfo.h"
#include "dialects/Verify.h"
#include "xc-c/Dialects.h"

#include "mlir-c/Dialect/IRDL.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct session {
  const xc_opt_options *options;
  MlirContext context;
  XcDiag diag;
  xc_source_reporter reporter;
  xc_diagnostic_bridge bridge;
  FILE *output;
} session;

static void print_piece(MlirStringRef piece, void *stream) {
  fwrite(piece.data, 1, piece.length, stream);
}

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static MlirOpPrintingFlags make_flags(const xc_opt_options *o) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (o->elide_elements >= 0)
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags,
                                               (intptr_t)o->elide_elements);
  if (o->elide_resources >= 0)
    mlirOpPrintingFlagsElideLargeResourceString(flags,
                                                (intptr_t)o->elide_resources);
  if (o->debug_info || o->pretty_debug_info)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, o->pretty_debug_info);
  if (o->print_generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (o->local_scope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  if (o->assume_verified)
    mlirOpPrintingFlagsAssumeVerified(flags);
  if (o->skip_regions)
    mlirOpPrintingFlagsSkipRegions(flags);
  if (o->name_loc_as_prefix)
    mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  return flags;
}

static bool write_bytecode(const session *s, MlirOperation operation,
                           void (*callback)(MlirStringRef, void *),
                           void *user_data) {
  if (s->options->bytecode_version < 0) {
    mlirOperationWriteBytecode(operation, callback, user_data);
    return true;
  }
  MlirBytecodeWriterConfig config = mlirBytecodeWriterConfigCreate();
  mlirBytecodeWriterConfigDesiredEmitVersion(config,
                                             s->options->bytecode_version);
  bool ok = mlirLogicalResultIsSuccess(mlirOperationWriteBytecodeWithConfig(
      operation, config, callback, user_data));
  mlirBytecodeWriterConfigDestroy(config);
  return ok;
}

static bool write_result(session *s, MlirOperation operation) {
  if (s->options->emit_bytecode)
    return write_bytecode(s, operation, print_piece, s->output) ||
           xc_file_error(&s->diag, NULL, "cannot write bytecode version %d",
                         (int)s->options->bytecode_version);
  MlirOpPrintingFlags flags = make_flags(s->options);
  mlirOperationPrintWithFlags(operation, flags, print_piece, s->output);
  fputc('\n', s->output);
  mlirOpPrintingFlagsDestroy(flags);
  return true;
}

static bool load_irdl(session *s, MlirContext context, const char *path) {
  xc_buffer buffer;
  if (!xc_read_file(&s->diag, path, &buffer))
    return false;
  xc_source input = {path, buffer.data, buffer.size, 1};
  s->bridge.input = &input;
  bool ok = xc_check_nesting(&s->diag, &input);
  if (ok) {
    MlirModule module = mlirModuleCreateParse(
        context, mlirStringRefCreate((const char *)buffer.data, buffer.size));
    ok = !mlirModuleIsNull(module);
    if (ok) {
      ok = mlirLogicalResultIsSuccess(mlirLoadIRDLDialects(module));
      mlirModuleDestroy(module);
    }
  }
  xc_buffer_free(&buffer);
  return ok;
}

static bool load_irdl_files(session *s, MlirContext context) {
  const xc_string_list *files = &s->options->irdl_files;
  for (size_t i = 0; i < files->count; ++i)
    if (!load_irdl(s, context, files->items[i]))
      return false;
  return true;
}

// Checks that the printed form parses back to the same print. A context of its
// own: resources that are read twice into one get new names.
static bool check_roundtrip_as(session *s, MlirOperation operation,
                               bool bytecode) {
  xc_text first = {0}, second = {0}, carrier = {0};
  MlirContext context = xc_context_create(false);
  mlirContextSetAllowUnregisteredDialects(context,
                                          s->options->allow_unregistered);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOperationPrintWithFlags(operation, flags, append_text, &first);
  if (bytecode)
    write_bytecode(s, operation, append_text, &carrier);
  else
    mlirOperationPrint(operation, append_text, &carrier);
  MlirOperation again = {NULL};
  if (load_irdl_files(s, context))
    again = mlirOperationCreateParse(
        context, mlirStringRefCreate(carrier.data, carrier.length),
        xc_ref("<roundtrip>"));
  bool ok = !mlirOperationIsNull(again);
  if (ok) {
    mlirOperationPrintWithFlags(again, flags, append_text, &second);
    ok = first.length == second.length &&
         memcmp(first.data, second.data, first.length) == 0;
    mlirOperationDestroy(again);
  }
  if (!ok)
    xc_file_error(&s->diag, NULL, "round trip through %s changes the module",
                  bytecode ? "bytecode" : "text");
  mlirOpPrintingFlagsDestroy(flags);
  mlirContextDestroy(context);
  xc_text_free(&first);
  xc_text_free(&second);
  xc_text_free(&carrier);
  return ok;
}

//===----------------------------------------------------------------------===//
// Running passes
//===----------------------------------------------------------------------===//

static const char *active_reproducer(const xc_opt_options *o) {
  return o->crash_reproducer && !o->local_reproducer ? o->crash_reproducer
                                                     : NULL;
}

static bool write_reproducers(session *s, const xc_pipeline *pipeline,
                              MlirOperation module) {
  const char *const files[] = {active_reproducer(s->options),
                               s->options->generate_reproducer};
  xc_text text = {0};
  xc_pipeline_print(pipeline, &text);
  bool ok = true;
  for (size_t i = 0; i < 2 && ok; ++i)
    if (files[i])
      ok = xc_write_reproducer(&s->diag, files[i], module, xc_text_str(&text),
                               s->options);
  xc_text_free(&text);
  return ok;
}

static void dump_pipeline(const xc_pipeline *pipeline) {
  xc_text text = {0};
  xc_pipeline_print(pipeline, &text);
  fprintf(stderr, "Pass Manager with %zu passes:\n%s\n",
          xc_pipeline_num_passes(pipeline), xc_text_str(&text));
  xc_text_free(&text);
}

static bool check_anchor(session *s, const xc_pipeline *pipeline,
                         MlirOperation module) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(module));
  const char *anchor = pipeline->root->name;
  if (mlirStringRefEqual(name, xc_ref(anchor)) || strcmp(anchor, "any") == 0)
    return true;
  return xc_file_error(&s->diag, NULL,
                       "can't run '%s' pass manager on '%.*s' op", anchor,
                       (int)name.length, name.data);
}

/// Redraws one line on a terminal.
static void show_progress(void *user_data, const char *work, size_t done,
                          size_t total) {
  (void)user_data;
  fprintf(stderr, "\r\033[K%s, %zu of %zu%s", work, done, total,
          done == total ? "\n" : "");
  fflush(stderr);
}

static bool run_pipeline(session *s, const xc_pipeline *pipeline,
                         MlirOperation module, xc_instrumentation *inst) {
  const xc_opt_options *o = s->options;
  xc_pipeline_hooks hooks = xc_instrumentation_hooks(inst);
  hooks.progress.handler = isatty(STDERR_FILENO) ? show_progress : NULL;
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      s->context, xc_ref(pipeline->root->name));
  mlirPassManagerEnableVerifier(manager, o->verify_each);
  bool ok = xc_pipeline_build(
      &s->diag, pipeline, mlirPassManagerGetAsOpPassManager(manager), &hooks);
  if (ok && o->dump_pipeline)
    dump_pipeline(pipeline);
  ok = ok && write_reproducers(s, pipeline, module);
  if (ok) {
    ok = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, module));
    if (!ok)
      xc_instrumentation_failure(inst);
    // The reproducer was written first, so that a crash leaves it behind.
    if (ok && o->crash_reproducer)
      remove(o->crash_reproducer);
  }
  mlirPassManagerDestroy(manager);
  return ok;
}

// The pipeline of the options, or of the reproducer in the input.
static bool get_pipeline(session *s, const xc_source *input,
                         xc_pipeline *parsed, const xc_pipeline **pipeline) {
  const xc_opt_options *o = s->options;
  *parsed = (xc_pipeline){0};
  *pipeline = NULL;
  if (o->has_flags) {
    *pipeline = &o->flags;
    return true;
  }
  char *found = NULL;
  const char *text = o->pipeline_text;
  if (o->run_reproducer) {
    found = xc_find_reproducer((const char *)input->data, input->size);
    if (!found)
      return xc_file_error(&s->diag, input->name,
                           "the input holds no reproducer");
    text = found;
  }
  bool ok = !text || xc_pipeline_parse(&s->diag, text, parsed);
  free(found);
  if (ok && text)
    *pipeline = parsed;
  return ok;
}

//===----------------------------------------------------------------------===//
// One chunk
//===----------------------------------------------------------------------===//

// Expected diagnostics are the result where they are asked for; IR would only
// disturb.
static bool output_result(session *s, MlirOperation module,
                          xc_instrumentation *inst) {
  if (s->options->verify_diagnostics != XC_VERIFY_NONE)
    return true;
  uint64_t started = xc_opt_now();
  bool ok = write_result(s, module);
  inst->output = xc_opt_now() - started;
  return ok;
}

static bool run_and_write(session *s, const xc_pipeline *pipeline,
                          MlirOperation module, uint64_t started,
                          uint64_t parsed) {
  MlirOpPrintingFlags flags = make_flags(s->options);
  xc_instrumentation inst;
  xc_instrumentation_begin(&inst, s->options, pipeline, flags);
  inst.started = started;
  inst.parser = parsed - started;
  bool ok = true;
  if (pipeline)
    ok = check_anchor(s, pipeline, module) &&
         run_pipeline(s, pipeline, module, &inst);
  else if (s->options->dump_pipeline)
    fputs("Pass Manager with 0 passes:\nbuiltin.module()\n", stderr);
  ok = ok && output_result(s, module, &inst);
  if (ok || inst.last_element)
    xc_instrumentation_report(&inst);
  xc_instrumentation_end(&inst);
  mlirOpPrintingFlagsDestroy(flags);
  return ok;
}

static bool process_module(session *s, const xc_source *input,
                           MlirOperation module, uint64_t started) {
  const xc_opt_options *o = s->options;
  uint64_t parsed_at = xc_opt_now();
  if (o->verify_roundtrip && !(check_roundtrip_as(s, module, false) &&
                               check_roundtrip_as(s, module, true)))
    return false;
  xc_pipeline parsed;
  const xc_pipeline *pipeline;
  bool ok = get_pipeline(s, input, &parsed, &pipeline) &&
            run_and_write(s, pipeline, module, started, parsed_at);
  xc_pipeline_free(&parsed);
  return ok;
}

static bool process_chunk(session *s, const xc_source *input) {
  const xc_opt_options *o = s->options;
  s->bridge.input = input;
  bool verify = o->verify_diagnostics != XC_VERIFY_NONE;
  xc_expectations expectations;
  XcDiag plain = {0};
  if (verify && !xc_expectations_create(&plain, input->name, input->first_line,
                                        (const char *)input->data, input->size,
                                        &expectations))
    return false;
  s->reporter.expectations = verify ? &expectations : NULL;
  s->reporter.only_expected = o->verify_diagnostics == XC_VERIFY_ONLY_EXPECTED;
  s->reporter.any_unexpected = false;
  const xc_read_options reading = {
      .allow_unregistered =
          o->allow_unregistered ||
          (o->run_reproducer &&
           strstr((const char *)input->data, "allow_unregistered_dialect: "
                                             "true") != NULL),
      .no_implicit_module = o->no_implicit_module,
      .irdl_files = &o->irdl_files};
  uint64_t started = xc_opt_now();
  MlirOperation module = xc_read_ir(s->context, &s->diag, input, &reading);
  bool ok = !mlirOperationIsNull(module);
  if (ok) {
    ok = process_module(s, input, module, started);
    mlirOperationDestroy(module);
  }
  if (!verify)
    return ok;
  s->reporter.expectations = NULL;
  bool finished = xc_expectations_finish(&expectations, &s->diag);
  xc_expectations_destroy(&expectations);
  return finished && !s->reporter.any_unexpected;
}

// Each chunk fills its place; a failing one leaves it empty.
static bool process_input(session *s, xc_source *input) {
  const xc_opt_options *o = s->options;
  if (!o->split_marker || xc_is_bytecode(input))
    return process_chunk(s, input);
  bool ok = true, first = true;
  xc_source chunk;
  while (xc_source_next_chunk(input, o->split_marker, &chunk)) {
    if (!first && o->verify_diagnostics == XC_VERIFY_NONE)
      fprintf(s->output, "%s\n", o->output_split_marker);
    first = false;
    ok = process_chunk(s, &chunk) && ok;
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

static bool run_session(session *s, const xc_buffer *buffer) {
  const xc_opt_options *o = s->options;
  xc_source input = {strcmp(o->input, "-") == 0 ? "<stdin>" : o->input,
                     buffer->data, buffer->size, 1};
  const xc_source whole = input;
  s->reporter.input = &whole;
  s->bridge.show_operation = o->op_on_diagnostic && !o->disable_notes;
  s->bridge.hide_notes = o->disable_notes;
  xc_bridge_attach(&s->bridge, s->context, &s->diag);
  bool ok = load_irdl_files(s, s->context) && process_input(s, &input);
  xc_bridge_detach(&s->bridge);
  return ok;
}

static bool run(const xc_opt_options *o) {
  session s = {.options = o};
  s.diag = (XcDiag){xc_source_report, &s.reporter, 0};
  XcDiag plain = {0};
  xc_buffer buffer;
  if (!xc_read_file(&plain, o->input, &buffer))
    return false;
  if (o->bytecode_to_text)
    xc_bytecode_limit_process(buffer.size);
  xc_output output;
  bool ok = xc_output_open(&plain, o->output, &output);
  if (ok) {
    s.output = output.stream;
    s.context = xc_context_create(!o->disable_threading);
    ok = run_session(&s, &buffer);
    mlirContextDestroy(s.context);
    // With several chunks what could be done is printed all the same.
    bool keep = ok || (o->split_marker && strcmp(o->output, "-") == 0);
    if (keep)
      ok = xc_output_keep(&plain, &output) && ok;
    else
      xc_output_discard(&output);
  }
  xc_buffer_free(&buffer);
  return ok;
}

static void list_passes(void) {
  size_t count;
  const xc_pass_info *const *table = xc_pass_table(&count);
  for (size_t i = 0; i < count; ++i) {
    printf("%-28s %s\n", table[i]->argument, table[i]->summary);
    for (size_t j = 0; j < table[i]->num_options; ++j)
      printf("    %-24s %s\n", table[i]->options[j].name,
             table[i]->options[j].help);
  }
}

static void print_pass(const xc_pass_info *pass) {
  printf("## `%s`\n\n%s.\n\n%s\n\nRuns on `%s`%s.\n", pass->argument,
         pass->summary, pass->description, pass->anchor,
         pass->on_function ? " or on a `func.func`"
         : strcmp(pass->anchor, "func.func") == 0
             ? ", on those of a module in parallel"
             : "");
  if (pass->num_options)
    puts("\n| option | default | |\n|---|---|---|");
  for (size_t i = 0; i < pass->num_options; ++i)
    printf("| `%s` | `%s` | %s |\n", pass->options[i].name,
           pass->options[i].default_value, pass->options[i].help);
  if (pass->num_statistics)
    puts("\n| statistic | |\n|---|---|");
  for (size_t i = 0; i < pass->num_statistics; ++i)
    printf("| `%s` | %s |\n", pass->statistics[i].name,
           pass->statistics[i].help);
}

static void print_pass_reference(void) {
  puts("# Passes\n\nGenerated by `xc-opt --pass-reference`; do not edit.");
  size_t count;
  const xc_pass_info *const *table = xc_pass_table(&count);
  for (size_t i = 0; i < count; ++i) {
    putchar('\n');
    print_pass(table[i]);
  }
}

// This process exists to crash instead of the one that asks.
static void become_converter(xc_opt_options *o) {
  o->print_generic = o->debug_info = o->disable_threading = true;
  xcSetTrustBytecode(true);
}

int xcOptMain(int argc, char **argv) {
  xc_tool_begin();
  xc_opt_options options;
  xc_command_line_result parsed = xc_opt_parse_options(argc, argv, &options);
  bool ok = parsed != XC_COMMAND_LINE_ERROR;
  if (parsed == XC_COMMAND_LINE_RUN) {
    if (options.bytecode_to_text)
      become_converter(&options);
    if (options.list_passes)
      list_passes();
    if (options.show_dialects)
      puts("Available Dialects:\nmemtx\nmtir\ntir\nand every dialect of MLIR");
    if (options.print_irdl)
      xcDialectsPrintIRDL(print_piece, stdout);
    if (options.pass_reference)
      print_pass_reference();
    if (!options.list_passes && !options.show_dialects && !options.print_irdl &&
        !options.pass_reference)
      ok = run(&options);
  }
  xc_opt_free_options(&options);
  return xc_tool_end("xc-opt", ok);
}
