//===- Plugin.c - kernels of a shared library -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Runtime.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct XcKernelPlugin {
  void *library;
  const XcCustomKernel *kernels;
  size_t count;
};

// A name without a slash would be searched for among the system's libraries.
static void *open_library(const char *path) {
  xc_text text = {0};
  xc_text_printf(&text, "%s%s", strchr(path, '/') ? "" : "./", path);
  void *library = dlopen(xc_text_str(&text), RTLD_NOW | RTLD_LOCAL);
  xc_text_free(&text);
  return library;
}

static bool check_kernels(XcDiag *diag, const char *path,
                          const XcKernelPlugin *plugin) {
  if (!plugin->kernels || plugin->count == 0)
    return xc_file_error(diag, path, "the library has no kernels");
  for (size_t i = 0; i < plugin->count; ++i)
    if (!plugin->kernels[i].opType || !plugin->kernels[i].function)
      return xc_file_error(diag, path, "kernel %zu has no name or no function",
                           i);
  return true;
}

XcKernelPlugin *xcKernelPluginLoad(XcDiag *diag, const char *path) {
  void *library = open_library(path);
  if (!library) {
    xc_file_error(diag, path, "cannot load the library: %s", dlerror());
    return NULL;
  }
  XcKernelPlugin *plugin = xc_alloc(sizeof(*plugin));
  *plugin = (XcKernelPlugin){.library = library};
  XcKernelPluginEntry entry;
  void *symbol = dlsym(library, XC_KERNEL_PLUGIN_ENTRY);
  memcpy(&entry, &symbol, sizeof(entry));
  bool ok = symbol || xc_file_error(diag, path,
                                    "the library has no function "
                                    "'" XC_KERNEL_PLUGIN_ENTRY "'");
  if (ok) {
    plugin->kernels = entry(&plugin->count);
    ok = check_kernels(diag, path, plugin);
  }
  if (ok)
    return plugin;
  xcKernelPluginDestroy(plugin);
  return NULL;
}

const XcCustomKernel *xcKernelPluginGetKernels(const XcKernelPlugin *plugin,
                                               size_t *count) {
  *count = plugin->count;
  return plugin->kernels;
}

void xcKernelPluginDestroy(XcKernelPlugin *plugin) {
  if (!plugin)
    return;
  dlclose(plugin->library);
  free(plugin);
}
