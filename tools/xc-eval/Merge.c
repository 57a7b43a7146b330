//===- Merge.c - the results of shards in one -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eval.h"

#include "Support/Diag.h"

#include <stdlib.h>

static bool check_complete(XcDiag *diag, const eval_records *records) {
  size_t missing = 0, first = 0;
  for (size_t i = records->header.num_samples; i-- > 0;)
    if (!records->rows[i].is_there) {
      ++missing;
      first = i;
    }
  return missing == 0 ||
         xc_file_error(diag, NULL,
                       "the results of %zu of %zu samples are missing, the "
                       "first one is number %zu; --partial does without",
                       missing, records->header.num_samples, first);
}

static bool write_records(XcDiag *diag, const char *path,
                          const eval_records *records) {
  xc_output output;
  if (!xc_output_open(diag, path, &output))
    return false;
  char *header = json_dumps(records->header.json, JSON_COMPACT);
  fprintf(output.stream, "%s\n", header);
  free(header);
  for (size_t i = 0; i < records->header.num_samples; ++i) {
    if (!records->rows[i].is_there)
      continue;
    char *line = eval_record_print(&records->header, i, &records->rows[i]);
    fprintf(output.stream, "%s\n", line);
    free(line);
  }
  return xc_output_keep(diag, &output);
}

bool eval_merge(XcDiag *diag, const eval_arguments *a,
                const xc_string_list *files) {
  eval_records records = {.rows = NULL};
  bool ok = files->count > 0 ||
            xc_file_error(diag, NULL, "--merge needs results files");
  for (size_t i = 0; ok && i < files->count; ++i)
    ok = eval_records_read(diag, files->items[i], &records, NULL);
  ok = ok && (a->partial || check_complete(diag, &records)) &&
       (!a->results || write_records(diag, a->results, &records)) &&
       eval_summarize(diag, a, &records);
  eval_records_free(&records);
  return ok;
}
