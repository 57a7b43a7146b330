//===- Eval.h - what the files of xc-eval share -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A column is a model that runs in one way. Every sample goes through all of
// them and leaves a record: for each column the classes with the largest
// scores, a hash of its outputs, and how far they are from those of the first
// column. All numbers that are printed come from records, in the order of the
// samples, so that shards that are merged give what one run gives.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XC_EVAL_EVAL_H
#define XC_TOOLS_XC_EVAL_EVAL_H

#include "Runtime/TensorShape.h"
#include "Samples/Samples.h"
#include "Support/ImportOptions.h"

#include <jansson.h>
#include <stdio.h>

enum { EVAL_MAX_COLUMNS = 4, EVAL_TOP = 5, EVAL_FORMAT = 2 };

typedef struct eval_arguments {
  const char *dataset, *labels, *exact, *backends, *output;
  const char *shard, *results, *report, *target, *progress;
  int64_t samples, label_offset, threads;
  bool merge, partial, quiet, trusting, portable;
  xc_import_arguments import;
} eval_arguments;

//===----------------------------------------------------------------------===//
// Records.c
//===----------------------------------------------------------------------===//

/// One column of a record.
typedef struct eval_cell {
  int64_t top[EVAL_TOP]; // classes, the largest score first; -1: none
  uint64_t hash;         // of all outputs
  /// Of each output signal and noise; of one with indices how many there are,
  /// and how many are others than in the first column.
  double *errors;
} eval_cell;

/// Of one sample.
typedef struct eval_record {
  bool is_there, failed; // failed: the sample could not be read
  int64_t label;         // or -1
  char *name;            // of the sample, owned
  eval_cell *cells;      // by column
} eval_record;

/// The description of an evaluation: the first line of a results file. Files of
/// one evaluation have the same but for their records.
typedef struct eval_header {
  json_t *json; // owned
  size_t num_samples, num_columns, num_outputs;
} eval_header;

typedef struct eval_records {
  eval_header header;
  eval_record *rows; // by sample
} eval_records;

/// Takes the reference of `header`. Returns false after a diagnostic: it is
/// none.
bool eval_records_begin(XcDiag *diag, const char *path, json_t *header,
                        eval_records *records);
void eval_records_free(eval_records *records);
/// Whether an output has indices, as the class of each pixel: they are equal or
/// not, and have no ratio.
bool eval_has_indices(const eval_header *header, size_t output);
/// Room for a record.
eval_record eval_record_create(const eval_header *header);
void eval_record_free(const eval_header *header, eval_record *record);

/// One line without its end; free().
char *eval_record_print(const eval_header *header, size_t sample,
                        const eval_record *record);

/// Reads a results file. `records` is empty, and gets the file's header, or has
/// one that must agree. A last line that was not written to its end is left
/// out. `*end` (may be null) is where it begins. Returns false after a
/// diagnostic.
bool eval_records_read(XcDiag *diag, const char *path, eval_records *records,
                       size_t *end);

//===----------------------------------------------------------------------===//
// Columns.c
//===----------------------------------------------------------------------===//

typedef struct eval_column {
  const char *name;
  XcModel *model;
} eval_column;

typedef struct eval_columns {
  eval_column items[EVAL_MAX_COLUMNS];
  size_t count;
  size_t scores;        // the output with the classes, or SIZE_MAX
  uint64_t fingerprint; // of the files
  char *preprocess;     // how pictures become inputs, owned
} eval_columns;

/// Loads the models. Returns false after a diagnostic.
bool eval_columns_load(XcDiag *diag, const eval_arguments *arguments,
                       const char *path, eval_columns *columns);
void eval_columns_free(eval_columns *columns);

/// FNV-1a of bytes, going on from `hash`.
uint64_t eval_hash(uint64_t hash, const void *data, size_t size);
#define EVAL_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

//===----------------------------------------------------------------------===//
// Labels.c
//===----------------------------------------------------------------------===//

/// The class of each sample from a file (docs/eval.md); null without a file.
/// Returns false after a diagnostic.
bool eval_labels_read(XcDiag *diag, const eval_arguments *arguments,
                      const xc_samples *samples, int64_t **labels);

//===----------------------------------------------------------------------===//
// Run.c, Merge.c, Summary.c
//===----------------------------------------------------------------------===//

bool eval_run(XcDiag *diag, const eval_arguments *arguments, const char *model);
bool eval_merge(XcDiag *diag, const eval_arguments *arguments,
                const xc_string_list *files);
/// Prints the table and writes the report.
bool eval_summarize(XcDiag *diag, const eval_arguments *arguments,
                    const eval_records *records);

#endif // XC_TOOLS_XC_EVAL_EVAL_H
