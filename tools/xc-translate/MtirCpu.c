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

/// Writes compiled code.
typedef bool (*writer)(const xc_translate_job *job, const XcCpuCode *code);

static XcCpuOptions options_of(const xc_translate_job *job) {
  return (XcCpuOptions){.cpu = job->options->mcpu,
                        .threads = (unsigned)job->options->threads,
                        .kernels = job->options->kernels,
                        .embedParams = !job->options->params};
}

// The parameters come last: nothing is left of code that could not be written.
static bool write_params(const xc_translate_job *job, const XcCpuCode *code) {
  const char *path = job->options->params;
  size_t size;
  const void *params = xcCpuCodeGetParams(code, &size);
  return !path || xc_write_file(job->diag, path, params, size);
}

static bool write_llvm(const xc_translate_job *job, MlirModule module,
                       void *data) {
  (void)data;
  XcCpuOptions options = options_of(job);
  XcCpuCode *code = xc_alloc(sizeof(*code));
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef llvm;
  bool ok = xc_cpu_target_create(job->diag, options.cpu, &code->target) &&
            xc_cpu_make_llvm(job->diag, mlirModuleGetOperation(module),
                             &options, &code->target, context, code, &llvm);
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

// `data` points to the writer.
static bool write_code(const xc_translate_job *job, MlirModule module,
                       void *data) {
  const writer *write = data;
  XcCpuOptions options = options_of(job);
  XcCpuCode *code = xcCpuCompile(job->diag, module, &options);
  bool ok = code && (*write)(job, code) && write_params(job, code);
  xcCpuCodeDestroy(code);
  return ok;
}

static bool translate(const xc_translate_job *job, writer write) {
  return xc_translate_export(job, write_code, &write);
}

static bool write_object(const xc_translate_job *job, const XcCpuCode *code) {
  size_t size;
  const void *object = xcCpuCodeGetObject(code, &size);
  fwrite(object, 1, size, job->output);
  return true;
}

// The linker writes a file of its own, which is copied.
static bool copy_library(const xc_translate_job *job, const XcCpuCode *code,
                         const char *path) {
  xc_buffer library;
  if (!xcCpuCodeWriteSharedLibrary(job->diag, code, path) ||
      !xc_read_file(job->diag, path, &library))
    return false;
  fwrite(library.data, 1, library.size, job->output);
  xc_buffer_free(&library);
  return true;
}

static bool write_library(const xc_translate_job *job, const XcCpuCode *code) {
  const char *directory = getenv("TMPDIR");
  xc_text path = {0};
  xc_text_printf(&path, "%s/xc-library",
                 directory && *directory ? directory : "/tmp");
  int file;
  xc_temporary *library = xc_temporary_create(xc_text_str(&path), &file);
  bool ok = library ? copy_library(job, code, xc_temporary_path(library))
                    : xc_file_error(job->diag, xc_text_str(&path),
                                    "cannot create a temporary file: %s",
                                    strerror(errno));
  if (library)
    close(file);
  xc_temporary_remove(library);
  xc_text_free(&path);
  return ok;
}

static bool write_header(const xc_translate_job *job, const XcCpuCode *code) {
  char *header = xcCpuCodePrintHeader(code);
  fputs(header, job->output);
  free(header);
  return true;
}

bool xc_translate_mtir_to_llvmir(const xc_translate_job *job) {
  return xc_translate_export(job, write_llvm, NULL);
}

bool xc_translate_mtir_to_object(const xc_translate_job *job) {
  return translate(job, write_object);
}

bool xc_translate_mtir_to_shared_library(const xc_translate_job *job) {
  return translate(job, write_library);
}

bool xc_translate_mtir_to_c_header(const xc_translate_job *job) {
  return translate(job, write_header);
}
