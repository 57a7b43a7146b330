//===- ShortNames.c - short names for tables ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks give an operator the path of its module, or join with ';' the
// names of all that was fused into it. What is shown is the shortest part that
// no other name has:
//
//   model/re_lu_2/Relu6;model/conv2d_21/Conv2D      conv2d_21
//   VoxelNet__RPN__SequentialModule_deconv3__in_56  deconv3
//
// xc_name_shown_as (NameSearch.h) knows them again.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "ShortNames.h"

#include "Memory.h"
#include "Names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  /// Names of at most so many bytes stay as they are.
  LONGEST_NAME = 28,
  /// So many parts of a path make a name at most.
  LONGEST_RUN = 3,
  /// An end of a name, of any number of parts, has so many bytes at most.
  LONGEST_END = 44,
  SHARED = -1
};

typedef struct part {
  const char *text;
  size_t length;
} part;

typedef struct name_parts {
  part *items;
  size_t count, capacity;
} name_parts;

/// Consecutive parts of a name.
typedef struct run {
  const char *text;
  size_t length, num_parts;
} run;

typedef void (*run_visitor)(void *user_data, const run *candidate);

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

//===----------------------------------------------------------------------===//
// Parts of names
//===----------------------------------------------------------------------===//

static void split(const char *name, name_parts *parts) {
  parts->count = 0;
  for (const char *at = name; *at;) {
    size_t length = 0;
    while (at[length] && !xc_name_separator(at + length))
      ++length;
    if (length) {
      void *items = parts->items;
      xc_grow(&items, &parts->capacity, parts->count + 1,
              sizeof(*parts->items));
      parts->items = items;
      parts->items[parts->count++] = (part){at, length};
    }
    at += length + xc_name_separator(at + length);
  }
}

static bool has_letter(const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (isalpha((unsigned char)text[i]))
      return true;
  return false;
}

/// Without the first words of its first part, until it is short enough:
/// SequentialModule_block1__Layer_4 becomes block1__Layer_4.
static run fit(run candidate, const char *first_end) {
  const char *end = candidate.text + candidate.length;
  while (candidate.length > LONGEST_NAME) {
    const char *bar =
        memchr(candidate.text, '_', (size_t)(first_end - candidate.text));
    if (!bar || !isalpha((unsigned char)bar[1]))
      return (run){0};
    candidate.text = bar + 1;
    candidate.length = (size_t)(end - candidate.text);
  }
  return candidate;
}

static void visit_runs(const name_parts *parts, run_visitor visit,
                       void *user_data) {
  for (size_t i = 0; i < parts->count; ++i)
    for (size_t n = 1; n <= LONGEST_RUN && i + n <= parts->count; ++n) {
      const part *first = &parts->items[i], *last = first + n - 1;
      run candidate = {first->text,
                       (size_t)(last->text - first->text) + last->length, n};
      // A ';' separates the names of different operators.
      if (memchr(candidate.text, ';', candidate.length))
        break;
      candidate = fit(candidate, first->text + first->length);
      if (has_letter(candidate.text, candidate.length))
        visit(user_data, &candidate);
    }
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

typedef struct chooser {
  json_t *names;  // distinct ones, each with its number
  json_t *owners; // of runs: the number of the only name that has it, or SHARED
  json_t *ends;   // the same of ends
  json_t *taken;  // short names
  json_int_t number; // of the name at hand
  run best;
  int best_score;
} chooser;

static void own(const chooser *c, json_t *owners, const char *text,
                size_t length) {
  json_t *owner = json_object_getn(owners, text, length);
  json_int_t number = !owner || json_integer_value(owner) == c->number
                          ? c->number
                          : (json_int_t)SHARED;
  json_object_setn_new(owners, text, length, json_integer(number));
}

/// Without its first words, too: `without_class` may leave them out.
static void own_run(void *user_data, const run *candidate) {
  const chooser *c = user_data;
  const char *end = candidate->text + candidate->length;
  for (const char *at = candidate->text; at < end; ++at)
    if (at == candidate->text || (at[-1] == '_' && isalpha((unsigned char)*at)))
      own(c, c->owners, at, (size_t)(end - at));
}

static bool is_free_in(const chooser *c, const json_t *owners, const char *text,
                       size_t length) {
  const json_t *owner = json_object_getn(owners, text, length);
  return (!owner || json_integer_value(owner) == c->number) &&
         !json_object_getn(c->taken, text, length);
}

static bool is_free(const chooser *c, const char *text, size_t length) {
  return is_free_in(c, c->owners, text, length);
}

static bool contains(const run *candidate, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= candidate->length; ++i)
    if (strncasecmp(candidate->text + i, word, length) == 0)
      return true;
  return false;
}

static bool contains_any(const run *candidate, const char *const *words) {
  for (; *words; ++words)
    if (contains(candidate, *words))
      return true;
  return false;
}

/// The name of the operator itself tells more than those fused into it.
static int score_of(const run *candidate) {
  static const char *const operators[] = {
      "conv",   "pool", "dense",  "linear",  "matmul",   "fc",
      "concat", "add",  "resize", "softmax", "upsample", NULL};
  static const char *const fused[] = {"norm",  "bias",   "relu",
                                      "input", "output", NULL};
  int score = contains_any(candidate, operators) ? 4
              : contains_any(candidate, fused)   ? 0
                                                 : 2;
  return score - (int)candidate->num_parts;
}

/// The last of the best.
static void consider(void *user_data, const run *candidate) {
  chooser *c = user_data;
  int score = score_of(candidate);
  if (!is_free(c, candidate->text, candidate->length) ||
      (c->best.text && score < c->best_score))
    return;
  c->best = *candidate;
  c->best_score = score;
}

/// SequentialModule_deconv3 without the name of the class.
static run without_class(const chooser *c, run chosen) {
  enum { LONG = 22 };
  int score = score_of(&chosen);
  const char *end = chosen.text + chosen.length;
  while (chosen.length > LONG) {
    const char *bar = memchr(chosen.text, '_', chosen.length);
    run rest = {bar ? bar + 1 : end, bar ? (size_t)(end - bar - 1) : 0,
                chosen.num_parts};
    if (!rest.length || !isalpha((unsigned char)*rest.text) ||
        score_of(&rest) != score || !is_free(c, rest.text, rest.length))
      return chosen;
    chosen = rest;
  }
  return chosen;
}

static bool is_inside_character(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

static void print_elided(const char *name, xc_text *text) {
  enum { BEGIN = 11, END = 11 };
  size_t length = strlen(name), head = BEGIN, tail = length - END;
  while (head && is_inside_character(name[head]))
    --head;
  while (tail < length && is_inside_character(name[tail]))
    ++tail;
  xc_text_printf(text, "%.*s...%s", (int)head, name, name + tail);
}

/// Marks the short forms that `print_end` may choose.
static void own_ends(const chooser *c, const char *name,
                     const name_parts *parts) {
  xc_text text = {0};
  print_elided(name, &text);
  own(c, c->ends, text.data, text.length);
  xc_text_free(&text);
  for (size_t i = parts->count; i-- > 0;) {
    const char *end = parts->items[i].text;
    size_t length = strlen(end);
    if (length > LONGEST_END)
      return;
    own(c, c->ends, end, length);
  }
}

/// A name that has no part of its own: beginning and end, or the shortest end,
/// or beginning and end with a checksum, whichever no other name has.
static void print_end(const chooser *c, const char *name,
                      const name_parts *parts, xc_text *text) {
  print_elided(name, text);
  if (is_free_in(c, c->ends, text->data, text->length))
    return;
  for (size_t i = parts->count; i-- > 0;) {
    const char *end = parts->items[i].text;
    size_t length = strlen(end);
    if (length > LONGEST_END)
      break;
    if (!memchr(end, ';', length) && is_free_in(c, c->ends, end, length)) {
      text->length = 0;
      xc_text_append(text, end, length);
      return;
    }
  }
  char sum[XC_NAME_SUM_SIZE];
  xc_name_sum(name, strlen(name), sum);
  xc_text_puts(text, sum);
}

/// Line ends and their like, which would break the lines of a table, are
/// written out; that may make two names one.
static void set_shown(chooser *c, const char *name, const xc_text *text,
                      json_t *short_names) {
  xc_text shown = {0};
  for (unsigned n = 1; n == 1 || json_object_get(c->taken, shown.data); ++n) {
    shown.length = 0;
    xc_text_printable(&shown, xc_text_str(text), text->length, false);
    if (n > 1)
      xc_text_printf(&shown, "#%u", n);
  }
  set(c->taken, xc_text_str(&shown), json_true());
  set(short_names, name, json_string(xc_text_str(&shown)));
  xc_text_free(&shown);
}

static bool is_printable(const char *name) {
  for (; *name; ++name)
    if (iscntrl((unsigned char)*name))
      return false;
  return true;
}

static void shorten(chooser *c, const char *name, name_parts *parts,
                    json_t *short_names) {
  c->best = (run){0};
  split(name, parts);
  visit_runs(parts, consider, c);
  xc_text text = {0};
  if (strlen(name) <= LONGEST_NAME) {
    xc_text_puts(&text, name);
  } else if (c->best.text) {
    run chosen = without_class(c, c->best);
    xc_text_append(&text, chosen.text, chosen.length);
  } else {
    print_end(c, name, parts, &text);
  }
  set_shown(c, name, &text, short_names);
  xc_text_free(&text);
}

//===----------------------------------------------------------------------===//
// All names
//===----------------------------------------------------------------------===//

void xc_short_names_add(json_t *names, const char *name) {
  if (*name && !json_object_get(names, name))
    set(names, name, json_integer((json_int_t)json_object_size(names)));
}

json_t *xc_short_names(const json_t *names) {
  json_t *short_names = json_object();
  chooser c = {.names = (json_t *)names,
               .owners = json_object(),
               .ends = json_object(),
               .taken = json_object()};
  name_parts parts = {0};
  const char *name;
  json_t *number;
  json_object_foreach((json_t *)names, name, number) {
    c.number = json_integer_value(number);
    split(name, &parts);
    visit_runs(&parts, own_run, &c);
    own(&c, c.owners, name, strlen(name));
    if (strlen(name) > LONGEST_NAME)
      own_ends(&c, name, &parts);
  }
  json_object_foreach((json_t *)names, name, number) {
    c.number = json_integer_value(number);
    if (strlen(name) > LONGEST_NAME || !is_printable(name))
      shorten(&c, name, &parts, short_names);
  }
  free(parts.items);
  json_decref(c.owners);
  json_decref(c.ends);
  json_decref(c.taken);
  return short_names;
}
