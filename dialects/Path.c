//===- Path.c - files that IR refers to -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Path.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

static bool fused_place(MlirLocation location, MlirStringRef *file,
                        unsigned *line, unsigned *column) {
  unsigned count = mlirLocationFusedGetNumLocations(location);
  MlirLocation *parts = xc_alloc_array(count, sizeof(*parts));
  mlirLocationFusedGetLocations(location, parts);
  bool found = false;
  for (unsigned i = 0; i < count && !found; ++i)
    found = xc_location_place(parts[i], file, line, column);
  free(parts);
  return found;
}

bool xc_location_place(MlirLocation location, MlirStringRef *file,
                       unsigned *line, unsigned *column) {
  for (;;) {
    if (mlirLocationIsAFileLineColRange(location)) {
      *file =
          mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
      *line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
      *column = (unsigned)mlirLocationFileLineColRangeGetStartColumn(location);
      return true;
    }
    if (mlirLocationIsAName(location))
      location = mlirLocationNameGetChildLoc(location);
    else if (mlirLocationIsACallSite(location))
      location = mlirLocationCallSiteGetCallee(location);
    else if (mlirLocationIsAFused(location))
      return fused_place(location, file, line, column);
    else
      return false;
  }
}

void xc_resolve_path(MlirLocation location, MlirStringRef path, xc_text *file) {
  MlirStringRef origin;
  unsigned line, column;
  bool absolute = path.length > 0 && path.data[0] == '/';
  if (!absolute && xc_location_place(location, &origin, &line, &column)) {
    size_t length = origin.length;
    while (length > 0 && origin.data[length - 1] != '/')
      --length;
    xc_text_append(file, origin.data, length);
  }
  xc_text_append(file, path.data, path.length);
}
