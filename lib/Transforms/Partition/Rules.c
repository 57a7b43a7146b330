//===- Rules.c - placement files ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   file     = {"rules": [rule...]}            who decides by pattern
//            | {"target": text, "operators": [operator...]}   a saved placement
//   rule     = {"name": glob, "type": glob, "shape": glob, "device": device}
//   operator = the same four members, without patterns, in program order
//   device   = "CPU" | "DPU" (the name of a kernel library in its place)
//
// Members of a rule other than "device" may be left out; the first rule that
// fits an operator decides. A name that no operator has may be one that a table
// shows for it (NameSearch.h). A saved placement fits one model only.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/NameSearch.h"
#include "Target/DPU/TargetJson.h"
#include "dialects/Emit.h"

#include <string.h>

enum { NAME, TYPE, SHAPE, NUM_PATTERNS };
static const char *const pattern_keys[] = {"name", "type", "shape"};

typedef struct rule {
  const char *patterns[NUM_PATTERNS]; // null: anything
  XcDevice device;
  const char *why;
  unsigned line, column; // in the file
} rule;

struct xc_rules {
  rule *rules;
  size_t count;
  bool is_saved; // one rule per operator
};

typedef struct loader {
  xc_placement *placement;
  XcDiag *diag;
  xc_json json;
  xc_json_path path;
} loader;

static XcPlace here(const loader *l) {
  return xc_json_value_place(&l->json, &l->path);
}

static bool read_device(loader *l, const json_t *value, rule *r) {
  const char *word = json_string_value(value);
  for (int d = 0; word && d < XC_NUM_DEVICES; ++d)
    if (strcmp(word, xc_placement_device(l->placement, (XcDevice)d)) == 0) {
      r->device = (XcDevice)d;
      return true;
    }
  return xc_place_error(l->diag, here(l),
                        "'device' is neither \"CPU\" nor \"%s\"",
                        xc_placement_device(l->placement, XcDeviceDPU));
}

static bool read_member(loader *l, const char *key, const json_t *value,
                        rule *r) {
  if (strcmp(key, "device") == 0)
    return read_device(l, value, r);
  for (int i = 0; i < NUM_PATTERNS; ++i) {
    if (strcmp(key, pattern_keys[i]) != 0)
      continue;
    if (!json_is_string(value))
      return xc_place_error(l->diag, here(l), "'%s' is not a string", key);
    r->patterns[i] =
        xc_arena_string(&l->placement->arena, json_string_value(value),
                        json_string_length(value));
    return true;
  }
  return xc_place_error(l->diag, xc_json_key_place(&l->json, &l->path),
                        "unknown key '%s', expected 'name', 'type', 'shape' "
                        "or 'device'",
                        key);
}

static bool read_rule(loader *l, const json_t *value, rule *r) {
  if (!json_is_object(value))
    return xc_place_error(l->diag, here(l), "a rule is an object");
  size_t depth = l->path.depth++;
  l->path.index[depth] = 0;
  bool has_device = false;
  const char *key;
  json_t *member;
  json_object_foreach((json_t *)value, key, member) {
    if (!read_member(l, key, member, r))
      return false;
    has_device |= strcmp(key, "device") == 0;
    ++l->path.index[depth];
  }
  l->path.depth = depth;
  if (!has_device)
    return xc_place_error(l->diag, here(l), "a rule needs a 'device'");
  return true;
}

static const char *describe(loader *l, rule *r) {
  XcPlace place = here(l);
  r->line = place.line;
  r->column = place.column;
  xc_text text = {0};
  xc_text_printf(&text, "the rule at %s:%u:%u", place.file, place.line,
                 place.column);
  const char *why =
      xc_arena_string(&l->placement->arena, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return why;
}

static bool matches(const char *pattern, const char *text) {
  // After a mismatch after a '*' that '*' takes one more character.
  const char *star = NULL, *resume = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = pattern++;
      resume = text;
    } else if (*pattern == '?' || *pattern == *text) {
      ++pattern;
      ++text;
    } else if (star) {
      pattern = star + 1;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    ++pattern;
  return *pattern == '\0';
}

// Makes the texts of an operator that patterns look at; the caller frees
// `shape`.
static void describe_node(const xc_node *node, xc_text *shape,
                          const char *texts[NUM_PATTERNS]) {
  xc_node_shape(node, shape);
  texts[NAME] = node->name;
  texts[TYPE] = node->type;
  texts[SHAPE] = xc_text_str(shape);
}

static const xc_node *node_of(const xc_placement *p, size_t index) {
  return &p->nodes[p->operators[index]];
}

static bool check_saved(loader *l, const rule *r, size_t index) {
  const char *texts[NUM_PATTERNS];
  xc_text shape = {0};
  describe_node(node_of(l->placement, index), &shape, texts);
  bool ok = true;
  for (int i = 0; i < NUM_PATTERNS && ok; ++i)
    if (!r->patterns[i] || strcmp(r->patterns[i], texts[i]) != 0)
      ok = xc_place_error(l->diag, here(l),
                          "operator %zu of the model has the %s '%s', the "
                          "saved placement has '%s'",
                          index, pattern_keys[i], texts[i],
                          r->patterns[i] ? r->patterns[i] : "");
  xc_text_free(&shape);
  return ok;
}

static bool read_list(loader *l, const char *key, const json_t *list,
                      xc_rules *rules) {
  rules->is_saved = strcmp(key, "operators") == 0;
  if (!json_is_array(list))
    return xc_place_error(l->diag, here(l), "'%s' is not a list", key);
  rules->count = json_array_size(list);
  if (rules->is_saved && rules->count != l->placement->num_operators)
    return xc_place_error(l->diag, here(l),
                          "the saved placement has %zu operators, the model "
                          "has %zu",
                          rules->count, l->placement->num_operators);
  rules->rules =
      xc_arena_alloc(&l->placement->arena, rules->count, sizeof(rule));
  size_t depth = l->path.depth++;
  for (size_t i = 0; i < rules->count; ++i) {
    l->path.index[depth] = i;
    rule *r = &rules->rules[i];
    if (!read_rule(l, json_array_get(list, i), r) ||
        (rules->is_saved && !check_saved(l, r, i)))
      return false;
    // The list may be as long as the model; its places would be counted from
    // the start of the file again and again.
    r->why = rules->is_saved ? "the saved placement" : describe(l, r);
  }
  l->path.depth = depth;
  return true;
}

static bool read_root(loader *l, xc_rules *rules) {
  const char *key, *list = NULL;
  json_t *value;
  l->path = (xc_json_path){.depth = 1};
  json_object_foreach(l->json.root, key, value) {
    bool is_list = strcmp(key, "rules") == 0 || strcmp(key, "operators") == 0;
    XcPlace place = xc_json_key_place(&l->json, &l->path);
    if (is_list && list)
      return xc_place_error(l->diag, place, "'%s' and '%s' exclude each other",
                            list, key);
    if (!is_list && strcmp(key, "target") != 0)
      return xc_place_error(l->diag, place,
                            "unknown key '%s', expected 'rules' or "
                            "'operators'",
                            key);
    if (is_list) {
      list = key;
      if (!read_list(l, key, value, rules))
        return false;
    }
    ++l->path.index[0];
  }
  if (list)
    return true;
  return xc_file_error(l->diag, l->json.file,
                       "the file has neither 'rules' nor 'operators'");
}

static bool rule_fits(const rule *r, const char *texts[NUM_PATTERNS]) {
  for (int i = 0; i < NUM_PATTERNS; ++i)
    if (r->patterns[i] && !matches(r->patterns[i], texts[i]))
      return false;
  return true;
}

static bool fits_any(const xc_placement *p, const rule *r) {
  bool found = false;
  for (size_t i = 0; !found && i < p->num_operators; ++i) {
    const char *texts[NUM_PATTERNS];
    xc_text shape = {0};
    describe_node(node_of(p, i), &shape, texts);
    found = rule_fits(r, texts);
    xc_text_free(&shape);
  }
  return found;
}

static bool is_name(const xc_placement *p, const char *pattern) {
  for (size_t i = 0; i < p->num_operators; ++i)
    if (matches(pattern, node_of(p, i)->name))
      return true;
  return false;
}

/// Returns the name that is best shown as that; null where there are several,
/// or none.
static const char *find_shown(const xc_placement *p, const char *shown) {
  const char *found = NULL;
  bool is_one = true;
  xc_shown best = XC_SHOWN_NOT;
  for (size_t i = 0; i < p->num_operators; ++i) {
    const char *name = node_of(p, i)->name;
    xc_shown here = xc_name_shown_as(name, shown);
    if (here > best) {
      found = name;
      is_one = true;
      best = here;
    } else if (here == best && found) {
      is_one &= strcmp(found, name) == 0;
    }
  }
  return is_one ? found : NULL;
}

static void take_shown_names(const xc_placement *p, xc_rules *rules) {
  for (size_t i = 0; !rules->is_saved && i < rules->count; ++i) {
    const char **name = &rules->rules[i].patterns[NAME];
    const char *found =
        *name && !is_name(p, *name) ? find_shown(p, *name) : NULL;
    if (found)
      *name = found;
  }
}

static void print_near(const xc_placement *p, const char *name, xc_text *text) {
  xc_near_names near = {.given = name};
  for (size_t i = 0; i < p->num_operators; ++i)
    xc_near_names_offer(&near, node_of(p, i)->name);
  xc_near_names_print(&near, text);
}

/// A rule for no operator is a slip of the pen, or of an older model.
static void find_unused(xc_placement *p, const char *file,
                        const xc_rules *rules) {
  p->unused = xc_arena_alloc(&p->arena, rules->count + 1, sizeof(*p->unused));
  for (size_t i = 0; i < rules->count; ++i) {
    const rule *r = &rules->rules[i];
    if (rules->is_saved || fits_any(p, r))
      continue;
    xc_text text = {0};
    xc_text_puts(&text, "the rule matches no operator of the model");
    for (int k = 0, first = 1; k < NUM_PATTERNS; ++k)
      if (r->patterns[k]) {
        xc_text_printf(&text, "%s%s '%s'", first ? ": " : ", ", pattern_keys[k],
                       r->patterns[k]);
        first = 0;
      }
    if (r->patterns[NAME] && !is_name(p, r->patterns[NAME]))
      print_near(p, r->patterns[NAME], &text);
    p->unused[p->num_unused++] = (XcUnusedRule){
        .place = {xc_arena_string(&p->arena, file, strlen(file)), r->line,
                  r->column},
        .text = xc_arena_string(&p->arena, xc_text_str(&text), text.length)};
    xc_text_free(&text);
  }
}

const xc_rules *xc_rules_parse(xc_placement *placement, XcDiag *diag,
                               const char *file, const char *text,
                               size_t size) {
  loader l = {.placement = placement, .diag = diag};
  if (!xc_json_parse(diag, file, text, size, &l.json))
    return NULL;
  xc_rules *rules = xc_arena_alloc(&placement->arena, 1, sizeof(xc_rules));
  bool ok = read_root(&l, rules);
  if (ok) {
    take_shown_names(placement, rules);
    find_unused(placement, file, rules);
  }
  xc_json_free(&l.json);
  return ok ? rules : NULL;
}

const xc_rules *xc_rules_load(xc_placement *placement, const char *file) {
  XcDiag diag = xc_context_diag(&placement->module);
  xc_buffer buffer;
  if (!xc_read_file(&diag, file, &buffer))
    return NULL;
  const xc_rules *rules = xc_rules_parse(
      placement, &diag, file, (const char *)buffer.data, buffer.size);
  xc_buffer_free(&buffer);
  return rules;
}

xc_ruling xc_rules_find(const xc_rules *rules, const xc_placement *placement,
                        size_t index, const char **why) {
  const rule *found = NULL;
  if (rules->is_saved) {
    found = &rules->rules[index];
  } else {
    const char *texts[NUM_PATTERNS];
    xc_text shape = {0};
    describe_node(node_of(placement, index), &shape, texts);
    for (size_t i = 0; i < rules->count && !found; ++i)
      if (rule_fits(&rules->rules[i], texts))
        found = &rules->rules[i];
    xc_text_free(&shape);
  }
  if (!found)
    return XC_RULING_NONE;
  *why = found->why;
  return found->device == XcDeviceDPU ? XC_RULING_DPU : XC_RULING_CPU;
}
