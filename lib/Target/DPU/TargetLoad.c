//===- TargetLoad.c - reads a target from JSON ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file may extend another one: the other is applied first, then the file's
// own keys replace what they name. Each value is checked where it is written;
// what is missing, or does not fit together, is checked at the end.
//
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "TargetValue.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The storage of a target; the public part comes first.
typedef struct target_storage {
  XcDpuTarget target;
  xc_arena arena;
  XcPlace *places; // of the values, by row of xc_target_keys
} target_storage;

enum { MAX_EXTENDS = 8 };

typedef struct loader {
  XcDiag *diag;
  target_storage *storage;
  bool *seen; // by row of xc_target_keys
  unsigned depth;
} loader;

// One file that is being applied.
typedef struct source {
  loader *loader;
  const char *file; // lives as long as the target
  xc_target_value value;
} source;

static void note_place(source *s, const xc_target_key *key) {
  XcPlace place = xc_json_value_place(&s->value.json, &s->value.path);
  place.file = s->file;
  s->loader->storage->places[key - xc_target_keys] = place;
}

// Joins the section and a key; empty sections add nothing.
static void join(xc_text *text, const char *section, const char *key) {
  if (*section)
    xc_text_printf(text, "%s.", section);
  xc_text_puts(text, key);
}

static bool is_section(const char *path) {
  size_t length = strlen(path);
  for (size_t i = 0; i < xc_num_target_keys; ++i)
    if (!strncmp(xc_target_keys[i].path, path, length) &&
        xc_target_keys[i].path[length] == '.')
      return true;
  return false;
}

static const xc_target_key *find_key(const char *path) {
  for (size_t i = 0; i < xc_num_target_keys; ++i)
    if (!strcmp(xc_target_keys[i].path, path))
      return &xc_target_keys[i];
  return NULL;
}

static bool unknown_key(source *s, const char *path) {
  xc_near_miss miss = xc_near_miss_begin(path, strlen(path));
  xc_near_miss_offer(&miss, "extends");
  for (size_t i = 0; i < xc_num_target_keys; ++i)
    if (xc_target_keys[i].need != XC_TARGET_Derived)
      xc_near_miss_offer(&miss, xc_target_keys[i].path);
  const char *near = xc_near_miss_get(&miss);
  XcPlace place = xc_json_key_place(&s->value.json, &s->value.path);
  if (near)
    return xc_place_error(s->loader->diag, place,
                          "unknown key '%s', did you mean '%s'?", path, near);
  return xc_place_error(s->loader->diag, place, "unknown key '%s'", path);
}

static bool apply_object(source *s, const char *section, json_t *object);

static bool apply_member(source *s, const char *path, json_t *value) {
  const xc_target_key *key = find_key(path);
  if (key) {
    s->loader->seen[key - xc_target_keys] = true;
    note_place(s, key);
    return xc_target_read_value(&s->value, key, value);
  }
  if (!is_section(path))
    return unknown_key(s, path);
  if (!json_is_object(value))
    return xc_target_value_error(&s->value, "'%s' is %s, expected an object",
                                 path, xc_json_type_name(value));
  return apply_object(s, path, value);
}

// Sections are as deep as the table's paths, so that recursion is bounded.
static bool apply_object(source *s, const char *section, json_t *object) {
  size_t index = 0;
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value) {
    bool is_root = *section == '\0';
    size_t position = index++;
    if (is_root && (!strcmp(name, "extends") || !strcmp(name, "target") ||
                    !strcmp(name, "derived")))
      continue;
    xc_text path = {0};
    join(&path, section, name);
    s->value.path.index[s->value.path.depth++] = position;
    bool ok = apply_member(s, xc_text_str(&path), value);
    xc_text_free(&path);
    if (!ok)
      return false;
    --s->value.path.depth;
  }
  return true;
}

static const xc_builtin_target *find_builtin(const char *name) {
  for (size_t i = 0; i < xc_num_builtin_targets; ++i)
    if (!strcmp(xc_builtin_targets[i].name, name))
      return &xc_builtin_targets[i];
  return NULL;
}

// Common names of DPUs: their sizes, and boards whose ready images have them.
static const struct {
  const char *name, *target;
} aliases[] = {
    {"B512", "DPUCZDX8G_ISA1_B512"},    {"B800", "DPUCZDX8G_ISA1_B800"},
    {"B1024", "DPUCZDX8G_ISA1_B1024"},  {"B1152", "DPUCZDX8G_ISA1_B1152"},
    {"B1600", "DPUCZDX8G_ISA1_B1600"},  {"B2304", "DPUCZDX8G_ISA1_B2304"},
    {"B3136", "DPUCZDX8G_ISA1_B3136"},  {"B4096", "DPUCZDX8G_ISA1_B4096"},
    {"KV260", "DPUCZDX8G_ISA1_B4096"},  {"ZCU102", "DPUCZDX8G_ISA1_B4096"},
    {"ZCU104", "DPUCZDX8G_ISA1_B4096"},
};

static const xc_builtin_target *find_alias(const char *name) {
  for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); ++i)
    if (!strcmp(aliases[i].name, name))
      return find_builtin(aliases[i].target);
  return NULL;
}

static bool is_path(const char *name) {
  size_t length = strlen(name);
  return strchr(name, '/') ||
         (length > 5 && !strcmp(name + length - 5, ".json"));
}

static bool apply_text(loader *l, const char *file, const char *text,
                       size_t size);

static bool apply_builtin(loader *l, const xc_builtin_target *builtin) {
  xc_text file = {0};
  xc_text_printf(&file, "%s.value.json", builtin->name);
  bool ok = apply_text(l, xc_text_str(&file), builtin->text, builtin->size);
  xc_text_free(&file);
  return ok;
}

// `name` is beside `file` unless it is absolute.
static bool apply_file_beside(loader *l, const char *file, const char *name) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  xc_text path = {0};
  if (slash && name[0] != '/')
    xc_text_append(&path, file, (size_t)(slash - file) + 1);
  xc_text_puts(&path, name);
  xc_buffer buffer;
  bool ok = xc_read_file(l->diag, xc_text_str(&path), &buffer);
  if (ok) {
    ok = apply_text(l, xc_text_str(&path), (const char *)buffer.data,
                    buffer.size);
    xc_buffer_free(&buffer);
  }
  xc_text_free(&path);
  return ok;
}

static bool unknown_target(XcDiag *diag, XcPlace place, const char *name,
                           bool with_families) {
  if (xcDpuTargetIsIsa0(name))
    return xc_place_error(diag, place,
                          "target '%s' has the instruction set ISA0 of older "
                          "DPUs, which xc does not know; a board with a newer "
                          "image has ISA1",
                          name);
  xc_near_miss miss = xc_near_miss_begin(name, strlen(name));
  for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); ++i)
    xc_near_miss_offer(&miss, aliases[i].name);
  for (size_t i = 0; i < xc_num_builtin_targets; ++i)
    if (with_families || !xc_builtin_targets[i].is_family)
      xc_near_miss_offer(&miss, xc_builtin_targets[i].name);
  const char *near = xc_near_miss_get(&miss);
  if (near)
    return xc_place_error(
        diag, place, "unknown target '%s', did you mean '%s'?", name, near);
  return xc_place_error(diag, place,
                        "unknown target '%s'; 'xcc --list-targets' lists the "
                        "known ones, the name of a file ends in '.json'",
                        name);
}

static const xc_builtin_target *find_by_fingerprint(XcDiag *diag,
                                                    const char *text);

// Returns the member that names what the file extends. Files of the field's own
// tools spell it "target", or hold nothing but a fingerprint.
static const char *find_extends(const source *s, size_t *index) {
  static const char *const spellings[] = {"extends", "target", "fingerprint"};
  size_t size = json_object_size(s->value.json.root);
  for (size_t i = 0; i < 3; ++i) {
    const char *name;
    json_t *value;
    *index = 0;
    json_object_foreach(s->value.json.root, name, value) {
      if (!strcmp(name, spellings[i]) && (i < 2 || size == 1))
        return spellings[i];
      ++*index;
    }
  }
  return NULL;
}

static bool apply_extends(source *s) {
  size_t index;
  const char *name = find_extends(s, &index);
  if (!name)
    return true;
  s->value.path = (xc_json_path){{index}, 1};
  const json_t *value = json_object_get(s->value.json.root, name);
  const char *base = json_string_value(value);
  if (!base || strlen(base) != json_string_length(value))
    return xc_target_value_error(
        &s->value, "'%s' is %s, expected the name of a target or of a file",
        name, xc_json_type_name(value));
  if (s->loader->depth > MAX_EXTENDS)
    return xc_target_value_error(&s->value, "'%s' is nested more than %d deep",
                                 name, MAX_EXTENDS);
  bool by_fingerprint = !strcmp(name, "fingerprint");
  const xc_builtin_target *builtin =
      by_fingerprint ? find_by_fingerprint(s->loader->diag, base)
                     : find_builtin(base);
  if (!builtin && by_fingerprint)
    return false;
  if (!builtin && !is_path(base))
    return unknown_target(s->loader->diag,
                          xc_json_value_place(&s->value.json, &s->value.path),
                          base, true);
  bool ok = builtin ? apply_builtin(s->loader, builtin)
                    : apply_file_beside(s->loader, s->value.json.file, base);
  s->value.path.depth = 0;
  return ok;
}

static bool apply_text(loader *l, const char *file, const char *text,
                       size_t size) {
  source s = {.loader = l,
              .value = {.diag = l->diag,
                        .target = &l->storage->target,
                        .arena = &l->storage->arena}};
  if (file)
    s.file = xc_arena_string(&l->storage->arena, file, strlen(file));
  if (!xc_json_parse(l->diag, file, text, size, &s.value.json))
    return false;
  ++l->depth;
  bool ok = apply_extends(&s) && apply_object(&s, "", s.value.json.root);
  --l->depth;
  xc_json_free(&s.value.json);
  return ok;
}

static bool section_is_seen(const loader *l, const xc_target_key *key) {
  size_t length = xc_target_section_length(key->path);
  for (size_t i = 0; i < xc_num_target_keys; ++i)
    if (l->seen[i] &&
        xc_target_section_length(xc_target_keys[i].path) == length &&
        !strncmp(xc_target_keys[i].path, key->path, length))
      return true;
  return false;
}

static bool check_missing(const loader *l, const char *file) {
  for (size_t i = 0; i < xc_num_target_keys; ++i) {
    const xc_target_key *key = &xc_target_keys[i];
    bool needed = key->need == XC_TARGET_Always ||
                  (key->need == XC_TARGET_Section && section_is_seen(l, key));
    if (needed && !l->seen[i])
      return xc_file_error(l->diag, file, "missing key '%s' (%s)", key->path,
                           key->meaning);
  }
  if (!l->storage->target.conv.rows)
    return xc_file_error(l->diag, file, "missing section 'conv'");
  return true;
}

static bool check_banks(const loader *l, const char *file) {
  const XcDpuTarget *target = &l->storage->target;
  const struct {
    const char *name;
    const XcDpuBanks *banks;
  } all[] = {{"image", &target->image},
             {"weights", &target->weights},
             {"depthwise_weights", &target->depthwiseWeights},
             {"bias", &target->bias},
             {"depthwise_bias", &target->depthwiseBias}};
  const char *owner[64] = {NULL};
  for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i) {
    const XcDpuBanks *banks = all[i].banks;
    if (banks->firstBank < 0 || banks->numBanks == 0)
      continue;
    int32_t end = banks->firstBank + banks->numGroups * banks->numBanks;
    if (end > 64)
      return xc_file_error(l->diag, file,
                           "'banks.%s' ends at bank %d, the last id is 63",
                           all[i].name, end - 1);
    for (int32_t bank = banks->firstBank; bank < end; ++bank) {
      if (owner[bank])
        return xc_file_error(l->diag, file,
                             "'banks.%s' and 'banks.%s' both have bank %d",
                             owner[bank], all[i].name, bank);
      owner[bank] = all[i].name;
    }
  }
  return true;
}

static bool check_equal(const loader *l, const char *file, const char *a,
                        int32_t a_value, const char *b, int32_t b_value) {
  if (a_value == b_value)
    return true;
  return xc_file_error(l->diag, file,
                       "'%s' is %d and '%s' is %d, expected the "
                       "same",
                       a, a_value, b, b_value);
}

static bool check_register(const loader *l, const char *file, const char *name,
                           int32_t number) {
  if (number < l->storage->target.numRegisters)
    return true;
  return xc_file_error(l->diag, file,
                       "'registers.%s' is %d, but 'registers.count' is %d",
                       name, number, l->storage->target.numRegisters);
}

static bool check_registers(const loader *l, const char *file) {
  const XcDpuTarget *target = &l->storage->target;
  if (!check_register(l, file, "parameters", target->parametersRegister) ||
      !check_register(l, file, "workspace", target->workspaceRegister) ||
      !check_register(l, file, "input", target->inputRegister) ||
      !check_register(l, file, "output", target->outputRegister))
    return false;
  for (int32_t i = 0; i < target->numWeightsRegisters; ++i)
    if (!check_register(l, file, "weights", target->weightsRegister[i]))
      return false;
  if (target->outputChannelParallel % target->numWeightsRegisters == 0)
    return true;
  return xc_file_error(l->diag, file,
                       "'parallel.output_channel' is %d, which the %d "
                       "'registers.weights' do not divide",
                       target->outputChannelParallel,
                       target->numWeightsRegisters);
}

static bool check(const loader *l, const char *file) {
  const XcDpuTarget *target = &l->storage->target;
  return check_banks(l, file) &&
         check_equal(l, file, "banks.image.count", target->image.numBanks,
                     "parallel.pixel", target->pixelParallel) &&
         check_equal(l, file, "banks.image.width", target->image.width,
                     "parallel.channel", target->channelParallel) &&
         check_equal(l, file, "banks.weights.width", target->weights.width,
                     "parallel.input_channel", target->inputChannelParallel) &&
         check_registers(l, file);
}

// Optional keys whose absent value is below zero.
static void set_absent_values(XcDpuTarget *target) {
  for (size_t i = 0; i < xc_num_target_keys; ++i) {
    const xc_target_key *key = &xc_target_keys[i];
    if (key->need == XC_TARGET_Optional && key->kind == XC_TARGET_Int &&
        key->minimum < 0)
      *(int32_t *)((char *)target + key->offset) = (int32_t)key->minimum;
  }
}

static loader loader_begin(XcDiag *diag) {
  loader l = {diag, xc_alloc(sizeof(target_storage)),
              xc_alloc_array(xc_num_target_keys, sizeof(bool)), 0};
  l.storage->places = xc_alloc_array(xc_num_target_keys, sizeof(XcPlace));
  set_absent_values(&l.storage->target);
  return l;
}

static const XcDpuTarget *loader_end(loader *l, const char *file, bool ok) {
  ok = ok && check_missing(l, file);
  if (ok) {
    xc_target_derive(&l->storage->target);
    ok = check(l, file);
  }
  free(l->seen);
  if (ok)
    return &l->storage->target;
  xcDpuTargetDestroy(&l->storage->target);
  return NULL;
}

const XcDpuTarget *xcDpuTargetCreateFromText(XcDiag *diag, const char *file,
                                             const char *text, size_t size) {
  loader l = loader_begin(diag);
  return loader_end(&l, file, apply_text(&l, file, text, size));
}

static const XcDpuTarget *create_builtin(XcDiag *diag,
                                         const xc_builtin_target *builtin) {
  loader l = loader_begin(diag);
  return loader_end(&l, builtin->name, apply_builtin(&l, builtin));
}

bool xcDpuTargetIsIsa0(const char *name) { return strstr(name, "_ISA0"); }

static const xc_builtin_target *find_by_fingerprint(XcDiag *diag,
                                                    const char *text) {
  char *end = NULL;
  uint64_t fingerprint = strtoull(text, &end, 16);
  bool is_number = end != text && *end == '\0' && fingerprint != 0;
  for (size_t i = 0; is_number && i < xcDpuTargetGetNumBuiltin(); ++i) {
    const XcDpuTarget *target = create_builtin(diag, &xc_builtin_targets[i]);
    if (!target)
      return NULL;
    bool found = xcDpuTargetHasFingerprint(target, fingerprint);
    xcDpuTargetDestroy(target);
    if (found)
      return &xc_builtin_targets[i];
  }
  xc_file_error(diag, NULL, "no built-in target has the fingerprint '%s'",
                text);
  return NULL;
}

const XcDpuTarget *xcDpuTargetCreate(XcDiag *diag, const char *name) {
  const xc_builtin_target *builtin = find_builtin(name);
  builtin = builtin ? builtin : find_alias(name);
  if (builtin && !builtin->is_family)
    return create_builtin(diag, builtin);
  if (is_path(name)) {
    loader l = loader_begin(diag);
    return loader_end(&l, name, apply_file_beside(&l, NULL, name));
  }
  if (!strncmp(name, "0x", 2)) {
    builtin = find_by_fingerprint(diag, name);
    loader l = loader_begin(diag);
    bool ok = builtin && apply_builtin(&l, builtin);
    // One of several that such a DPU is known by.
    l.storage->target.fingerprint = strtoull(name, NULL, 16);
    return loader_end(&l, name, ok);
  }
  unknown_target(diag, (XcPlace){0}, name, false);
  return NULL;
}

void xcDpuTargetDestroy(const XcDpuTarget *target) {
  if (!target)
    return;
  target_storage *storage = (target_storage *)(uintptr_t)target;
  xc_arena_free(&storage->arena);
  free(storage->places);
  free(storage);
}

const xc_target_key *xc_target_key_of(const char *path) {
  const xc_target_key *key = find_key(path);
  assert(key && "the path is one of the table");
  return key;
}

XcPlace xc_target_place(const XcDpuTarget *target, const xc_target_key *key) {
  const target_storage *storage = (const target_storage *)(const void *)target;
  XcPlace place = storage->places[key - xc_target_keys];
  if (!place.file)
    place.file = target->name;
  return place;
}

size_t xcDpuTargetGetNumBuiltin(void) {
  size_t count = 0;
  while (count < xc_num_builtin_targets && !xc_builtin_targets[count].is_family)
    ++count;
  return count;
}

const char *xcDpuTargetGetBuiltinName(size_t index) {
  return index < xcDpuTargetGetNumBuiltin() ? xc_builtin_targets[index].name
                                            : NULL;
}
