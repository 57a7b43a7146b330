//===- MtirCpu.c - translations of mtir to LLVM IR and object code --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Mlir.h"
#include "Translations.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Temporary.h"
#include "Support/Text.h"
#include "Target/CPU/CPU.h"

#include "llvm-c/Core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct cpu_job cpu_job;
struct cpu_job {
  XcDiag *diag;
  XcCpuOptions options;
  const char *params; // where the parameters go; null: into the code
  FILE *output;
  /// Writes compiled code; null where LLVM IR is wanted.
  bool (*write)(const cpu_job *job, const XcCpuCode *code);
};

// The parameters come last: nothing is left of code that could not be written.
static bool write_params(const cpu_job *job, const XcCpuCode *code) {
  size_t size;
  const void *params = xcCpuCodeGetParams(code, &size);
  return !job->params || xc_write_file(job->diag, job->params, params, size);
}

static bool write_llvm(const cpu_job *job, MlirModule module) {
  XcCpuCode *code = xc_alloc(sizeof(*code));
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef llvm;
  bool ok =
      xc_cpu_target_create(job->diag, job->options.cpu, &code->target) &&
      xc_cpu_make_llvm(job->diag, mlirModuleGetOperation(module), &job->options,
                       &code->target, context, code, &llvm);
  if (ok) {
    char *text = LLVMPrintModuleToString(llvm);
    fputs(text, job->output);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(llvm);
    ok = write_params(job, code);
  }
  LLVMContextDispose(context);
  xcCpuCodeDestroy(code);
  return ok;
}

static bool write_code(const cpu_job *job, MlirModule module) {
  XcCpuCode *code = xcCpuCompile(job->diag, module, &job->options);
  bool ok = code && job->write(job, code) && write_params(job, code);
  xcCpuCodeDestroy(code);
  return ok;
}

static bool compile(XcDiag *diag, MlirModule module, void *user_data) {
  (void)diag; // the job has it
  const cpu_job *job = user_data;
  return job->write ? write_code(job, module) : write_llvm(job, module);
}

static bool translate(XcDiag *diag, const xc_source *input,
                      const xc_translate_options *options, FILE *output,
                      bool (*write)(const cpu_job *job,
                                    const XcCpuCode *code)) {
  cpu_job job = {.diag = diag,
                 .options = {.cpu = options->mcpu,
                             .threads = (unsigned)options->threads,
                             .embedParams = !options->params},
                 .params = options->params,
                 .output = output,
                 .write = write};
  return xc_translate_export(diag, input, options, compile, &job);
}

static bool write_object(const cpu_job *job, const XcCpuCode *code) {
  size_t size;
  const void *object = xcCpuCodeGetObject(code, &size);
  fwrite(object, 1, size, job->output);
  return true;
}

// The linker writes a file of its own, which is copied.
static bool copy_library(XcDiag *diag, const XcCpuCode *code, const char *path,
                         FILE *output) {
  xc_buffer library;
  if (!xcCpuCodeWriteSharedLibrary(diag, code, path) ||
      !xc_read_file(diag, path, &library))
    return false;
  fwrite(library.data, 1, library.size, output);
  xc_buffer_free(&library);
  return true;
}

static bool write_library(const cpu_job *job, const XcCpuCode *code) {
  const char *directory = getenv("TMPDIR");
  xc_text path = {0};
  xc_text_printf(&path, "%s/xc-library",
                 directory && *directory ? directory : "/tmp");
  int file;
  xc_temporary *library = xc_temporary_create(xc_text_str(&path), &file);
  bool ok = library ? copy_library(job->diag, code, xc_temporary_path(library),
                                   job->output)
                    : xc_file_error(job->diag, xc_text_str(&path),
                                    "cannot create a temporary file: %s",
                                    strerror(errno));
  if (library)
    close(file);
  xc_temporary_remove(library);
  xc_text_free(&path);
  return ok;
}

static bool write_header(const cpu_job *job, const XcCpuCode *code) {
  char *header = xcCpuCodePrintHeader(code);
  fputs(header, job->output);
  free(header);
  return true;
}

bool xc_translate_mtir_to_llvmir(XcDiag *diag, const xc_source *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  return translate(diag, input, options, output, NULL);
}

bool xc_translate_mtir_to_object(XcDiag *diag, const xc_source *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  return translate(diag, input, options, output, write_object);
}

bool xc_translate_mtir_to_shared_library(XcDiag *diag, const xc_source *input,
                                         const xc_translate_options *options,
                                         FILE *output) {
  return translate(diag, input, options, output, write_library);
}

bool xc_translate_mtir_to_c_header(XcDiag *diag, const xc_source *input,
                                   const xc_translate_options *options,
                                   FILE *output) {
  return translate(diag, input, options, output, write_header);
}
