//===- Plugin.c - kernels of a shared library -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Runtime.h"

#include "Kernels/Library.h"
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
  xc_kernel_library *description; // names of the functions
  XcKernelFunction *functions;
  size_t num_functions;
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

static XcKernelPlugin *open_plugin(XcDiag *diag, const char *path) {
  void *library = open_library(path);
  if (!library) {
    xc_file_error(diag, path, "cannot load the library: %s", dlerror());
    return NULL;
  }
  XcKernelPlugin *plugin = xc_alloc(sizeof(*plugin));
  *plugin = (XcKernelPlugin){.library = library};
  return plugin;
}

static bool read_kernels(XcDiag *diag, const char *path, void *symbol,
                         XcKernelPlugin *plugin) {
  XcKernelPluginEntry entry;
  memcpy(&entry, &symbol, sizeof(entry));
  plugin->kernels = entry(&plugin->count);
  return check_kernels(diag, path, plugin);
}

// A function may be in the description twice, with other limits.
static bool add_function(XcDiag *diag, const char *path, const char *name,
                         XcKernelPlugin *plugin) {
  for (size_t i = 0; i < plugin->num_functions; ++i)
    if (strcmp(plugin->functions[i].name, name) == 0)
      return true;
  void *symbol = dlsym(plugin->library, name);
  if (!symbol)
    return xc_file_error(diag, path, "the library has no function '%s'", name);
  XcKernelFunction *function = &plugin->functions[plugin->num_functions++];
  function->name = name;
  memcpy(&function->function, &symbol, sizeof(symbol));
  return true;
}

static bool find_functions(XcDiag *diag, const char *path,
                           const char *description, XcKernelPlugin *plugin) {
  plugin->description = xc_kernel_library_create(diag, description);
  if (!plugin->description)
    return false;
  const xc_kernel_library *d = plugin->description;
  plugin->functions = xc_alloc_array(d->num_rows, sizeof(XcKernelFunction));
  for (size_t i = 0; i < d->num_rows; ++i)
    if (!add_function(diag, path, d->rows[i].function, plugin))
      return false;
  return true;
}

static XcKernelPlugin *keep_if(XcKernelPlugin *plugin, bool ok) {
  if (ok)
    return plugin;
  xcKernelPluginDestroy(plugin);
  return NULL;
}

XcKernelPlugin *xcKernelPluginLoad(XcDiag *diag, const char *path) {
  XcKernelPlugin *plugin = open_plugin(diag, path);
  if (!plugin)
    return NULL;
  void *symbol = dlsym(plugin->library, XC_KERNEL_PLUGIN_ENTRY);
  bool ok = symbol ? read_kernels(diag, path, symbol, plugin)
                   : xc_file_error(diag, path,
                                   "the library has no function "
                                   "'" XC_KERNEL_PLUGIN_ENTRY "'");
  return keep_if(plugin, ok);
}

XcKernelPlugin *xcKernelPluginLoadFunctions(XcDiag *diag, const char *path,
                                            const char *description) {
  XcKernelPlugin *plugin = open_plugin(diag, path);
  if (!plugin)
    return NULL;
  void *symbol = dlsym(plugin->library, XC_KERNEL_PLUGIN_ENTRY);
  return keep_if(plugin,
                 find_functions(diag, path, description, plugin) &&
                     (!symbol || read_kernels(diag, path, symbol, plugin)));
}

const XcCustomKernel *xcKernelPluginGetKernels(const XcKernelPlugin *plugin,
                                               size_t *count) {
  *count = plugin->count;
  return plugin->kernels;
}

const XcKernelFunction *xcKernelPluginGetFunctions(const XcKernelPlugin *plugin,
                                                   size_t *count) {
  *count = plugin->num_functions;
  return plugin->functions;
}

void xcKernelPluginDestroy(XcKernelPlugin *plugin) {
  if (!plugin)
    return;
  xc_kernel_library_destroy(plugin->description);
  dlclose(plugin->library);
  free(plugin->functions);
  free(plugin);
}
