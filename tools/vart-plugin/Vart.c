//===- Vart.c - finds the board's runtime ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Vart.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// Structs go between the two by value, so that their layouts are the interface.
_Static_assert(sizeof(xc_vart_value) == 24 &&
                   offsetof(xc_vart_value, as) == 8 &&
                   sizeof(xc_vart_text) == 16 && sizeof(xc_vart_memory) == 16 &&
                   sizeof(xc_vart_input) == 24 &&
                   sizeof(xc_vart_implementation) == 24,
               "as of a 64-bit machine");

static void *find(const char *name) {
  static const char *const libraries[] = {
      "libxir.so.3",         "libxir.so.2",         "libxir.so",
      "libvart-runner.so.3", "libvart-runner.so.2", "libvart-runner.so",
  };
  void *found = dlsym(RTLD_DEFAULT, name);
  for (size_t i = 0; !found && i < sizeof(libraries) / sizeof(*libraries);
       ++i) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library)
      found = dlsym(library, name);
  }
  if (!found)
    fprintf(stderr, "xc-cpu: the runtime has no function '%s'\n", name);
  return found;
}

static xc_vart vart;
static bool is_complete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_all(void) {
  void *found;
  is_complete = true;
#define XC_VART(result, name, arguments)                                       \
  found = find(#name);                                                         \
  is_complete = is_complete && found;                                          \
  memcpy(&vart.name, &found, sizeof(found));
#include "Vart.def"
}

const xc_vart *xc_vart_find(void) {
  pthread_once(&once, find_all);
  return is_complete ? &vart : NULL;
}

static xc_vart_value get(const xc_vart *v, void *attrs, const char *name) {
  const xc_vart_text key = {name, strlen(name)};
  return v->xir2_attrs_get(attrs, key);
}

bool xc_vart_int(const xc_vart *v, void *attrs, const char *name,
                 uint64_t *result) {
  xc_vart_value value = get(v, attrs, name);
  if (value.kind == XC_VART_INT32 && value.as.int32 >= 0)
    *result = (uint64_t)value.as.int32;
  else if (value.kind == XC_VART_UINT64)
    *result = value.as.uint64;
  else
    return false;
  return true;
}

bool xc_vart_bytes(const xc_vart *v, void *attrs, const char *name,
                   xc_vart_text *result) {
  xc_vart_value value = get(v, attrs, name);
  if (value.kind != XC_VART_STRING && value.kind != XC_VART_BYTES)
    return false;
  *result = value.as.text;
  return true;
}
