//===- IRReaderTest.c - reading bytecode inside a host --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

typedef struct bytes {
  unsigned char *data;
  size_t size, capacity;
} bytes;

static void append(MlirStringRef piece, void *user_data) {
  bytes *b = user_data;
  xc_grow((void **)&b->data, &b->capacity, b->size + piece.length, 1);
  memcpy(b->data + b->size, piece.data, piece.length);
  b->size += piece.length;
}

static const char text[] =
    "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = \"tir.relu\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n";

static bytes make_bytecode_of(const char *source) {
  MlirContext context = xc_context_create(false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  bytes b = {0};
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  assert_false(mlirModuleIsNull(module));
  mlirOperationWriteBytecode(mlirModuleGetOperation(module), append, &b);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return b;
}

static bytes make_bytecode(void) { return make_bytecode_of(text); }

static bool reads(const void *data, size_t size) {
  MlirContext context = xc_context_create(false);
  XcDiag diag = {xc_ignore_error, NULL, 0};
  const xc_source input = {"input", data, size, 1};
  MlirOperation operation = xc_read_ir(
      context, &diag, &input, &(xc_read_options){.allow_unregistered = true});
  bool ok = !mlirOperationIsNull(operation);
  assert_int_equal(diag.numErrors, !ok);
  if (ok)
    mlirOperationDestroy(operation);
  mlirContextDestroy(context);
  return ok;
}

// A host may have mapped any amount of address space.
static void valid_bytecode_is_read_in_a_big_host(void **state) {
  (void)state;
  const size_t size = (size_t)8 << 30;
  void *space = mmap(NULL, size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_ptr_not_equal(space, MAP_FAILED);
  bytes b = make_bytecode();
  assert_true(reads(b.data, b.size));
  free(b.data);
  munmap(space, size);
}

static void *read_often(void *user_data) {
  const bytes *b = user_data;
  for (int i = 0; i < 10; ++i)
    if (!reads(b->data, b->size))
      return user_data;
  return NULL;
}

static void threads_read_at_once(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  bytes b = make_bytecode();
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, read_often, &b), 0);
  for (int i = 0; i < THREADS; ++i) {
    void *failed;
    assert_int_equal(pthread_join(threads[i], &failed), 0);
    assert_null(failed);
  }
  free(b.data);
}

// The buffer of a host may begin anywhere.
static void the_buffer_need_not_be_aligned(void **state) {
  (void)state;
  bytes b = make_bytecode();
  unsigned char *shifted = malloc(b.size + 8);
  for (size_t i = 0; i < 8; ++i) {
    memcpy(shifted + i, b.data, b.size);
    assert_true(reads(shifted + i, b.size));
  }
  free(shifted);
  free(b.data);
}

static void no_beginning_of_a_file_is_read(void **state) {
  (void)state;
  bytes b = make_bytecode();
  for (size_t size = 4; size < b.size; ++size)
    assert_false(reads(b.data, size));
  free(b.data);
}

// MLIR's reader manages a few more levels than xc lets pass.
static void a_host_may_trust_its_files(void **state) {
  (void)state;
  enum { LEVELS = 600 };
  xc_text source = {0};
  for (int i = 0; i < LEVELS; ++i)
    xc_text_puts(&source, "\"x.y\"() ({\n");
  for (int i = 0; i < LEVELS; ++i)
    xc_text_puts(&source, "}) : () -> ()\n");
  bytes b = make_bytecode_of(xc_text_str(&source));
  xc_text_free(&source);
  assert_false(reads(b.data, b.size));
  xcSetTrustBytecode(true);
  assert_true(xcGetTrustBytecode());
  assert_true(reads(b.data, b.size));
  xcSetTrustBytecode(false);
  assert_false(reads(b.data, b.size));
  free(b.data);
}

// There is no xc-opt beside this program that could read other dialects.
static void a_host_reads_models_only(void **state) {
  (void)state;
  bytes b = make_bytecode_of("\"x.y\"() : () -> ()");
  assert_false(reads(b.data, b.size));
  xcSetTrustBytecode(true);
  assert_true(reads(b.data, b.size));
  xcSetTrustBytecode(false);
  free(b.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(valid_bytecode_is_read_in_a_big_host),
      cmocka_unit_test(threads_read_at_once),
      cmocka_unit_test(the_buffer_need_not_be_aligned),
      cmocka_unit_test(no_beginning_of_a_file_is_read),
      cmocka_unit_test(a_host_may_trust_its_files),
      cmocka_unit_test(a_host_reads_models_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
