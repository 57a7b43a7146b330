//===- Program.c - header, program and build files beside generated C -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Templates.h"

#include "dialects/Build.h"

#include "mlir-c/BuiltinTypes.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Filling in
//===----------------------------------------------------------------------===//

typedef struct field {
  const char *name; // "@name@"
  const char *value;
} field;

static void fill(xc_text *out, const char *text, const field *fields,
                 size_t count) {
  while (*text) {
    size_t i = 0;
    if (*text == '@')
      while (i < count &&
             strncmp(text, fields[i].name, strlen(fields[i].name)) != 0)
        ++i;
    if (*text == '@' && i < count) {
      xc_text_puts(out, fields[i].value);
      text += strlen(fields[i].name);
    } else {
      xc_text_append(out, text++, 1);
    }
  }
}

static void upper(xc_text *out, const char *name) {
  for (; *name; ++name) {
    char c = (char)toupper((unsigned char)*name);
    xc_text_append(out, &c, 1);
  }
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static void print_entry(const xc_c_module *m, const xc_c_entry *entry,
                        xc_text *out) {
  for (size_t i = 0; i < entry->num_arguments; ++i)
    xc_text_printf(out, "// %s: %s, %s\n", entry->arguments[i].name,
                   entry->arguments[i].note,
                   entry->arguments[i].is_output ? "output" : "input");
  xc_c_print_prototype(m, entry, out);
  xc_text_puts(out, ";\n\n");
}

void xc_c_print_header(const xc_c_module *m, xc_text *out) {
  xc_text name = {0};
  upper(&name, m->options->name);
  const char *stem = xc_text_str(&name);
  int64_t arena = 0;
  for (size_t i = 0; i < m->num_entries; ++i)
    if (m->entries[i].is_public && m->entries[i].arena_bytes > arena)
      arena = m->entries[i].arena_bytes;
  xc_text_printf(out,
                 "// Written by xc %s.\n//\n"
                 "// Buffers are dense and row-major. The arena holds what "
                 "lies between layers; it is\n// aligned to 8 bytes and "
                 "serves one call at a time. Functions return 0, or what\n"
                 "// was wrong with the data: 1 after a division of an "
                 "integer by zero, 2 after an\n// index outside of its "
                 "dimension.\n\n"
                 "#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n"
                 "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                 "#define %s_ARENA_BYTES %" PRId64 "\n",
                 xcVersion(), stem, stem, stem, arena);
  if (m->options->paramsFile)
    xc_text_printf(out,
                   "// Size of %s_params.bin, which 'params' holds, aligned to "
                   "8 bytes.\n#define %s_PARAMS_BYTES %" PRId64 "\n",
                   m->options->name, stem, m->params_bytes);
  xc_text_puts(out, "\n");
  for (size_t i = 0; i < m->num_entries; ++i)
    if (m->entries[i].is_public)
      print_entry(m, &m->entries[i], out);
  xc_text_printf(out, "#ifdef __cplusplus\n}\n#endif\n\n#endif // %s_H\n",
                 stem);
  xc_text_free(&name);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

// As .npy files spell it.
static const char *npy_type(MlirType element) {
  static const char *const types[][2] = {
      {"float", "<f4"},   {"double", "<f8"},   {"int8_t", "|i1"},
      {"uint8_t", "|u1"}, {"int16_t", "<i2"},  {"uint16_t", "<u2"},
      {"int32_t", "<i4"}, {"uint32_t", "<u4"}, {"int64_t", "<i8"},
      {"uint64_t", "<u8"}};
  if (mlirTypeIsAF16(element))
    return "<f2";
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1)
    return "|b1";
  const char *name = xc_c_element_type(element);
  for (size_t i = 0; i < sizeof(types) / sizeof(*types); ++i)
    if (strcmp(types[i][0], name) == 0)
      return types[i][1];
  return "";
}

static void print_tensor(const xc_c_argument *argument, xc_text *out) {
  xc_shape shape;
  xc_shape_of_type(argument->type, &shape);
  xc_text_printf(out, "    {\"%s\", \"%s\", \"", argument->name,
                 npy_type(mlirShapedTypeGetElementType(argument->type)));
  for (size_t i = 0; i < shape.rank; ++i)
    xc_text_printf(out, "%s%" PRId64, i ? ", " : "", shape.dims[i]);
  xc_text_printf(out, "%s\", %" PRId64 "},\n", shape.rank == 1 ? "," : "",
                 xc_shape_num_elements(&shape) *
                     (int64_t)xc_element_size(shape.element));
}

// Returns the one function that a program of its own calls.
static const xc_c_entry *main_entry(const xc_c_module *m) {
  for (size_t i = 0; i < m->num_entries; ++i)
    if (m->entries[i].is_public)
      return &m->entries[i];
  return NULL;
}

void xc_c_print_program(const xc_c_module *m, xc_text *out) {
  const xc_c_entry *entry = main_entry(m);
  xc_text tensors = {0}, usage = {0}, call = {0}, name = {0}, params = {0};
  upper(&name, m->options->name);
  size_t outputs = 0;
  xc_text_puts(&tensors, "static const tensor tensors[] = {\n");
  xc_text_printf(&call, "%s(", entry->symbol);
  for (size_t i = 0; i < entry->num_arguments; ++i) {
    const xc_c_argument *a = &entry->arguments[i];
    outputs += a->is_output;
    print_tensor(a, &tensors);
    xc_text_printf(&usage, " %s.npy", a->name);
    xc_text_printf(&call, "buffers[%zu], ", i);
  }
  xc_text_printf(&tensors,
                 "};\n\nenum { NUM_INPUTS = %zu, NUM_OUTPUTS = %zu };\n",
                 entry->num_arguments - outputs, outputs);
  xc_text_printf(&call, "arena.bytes%s)",
                 m->options->paramsFile ? ", params.bytes" : "");
  field fields[] = {
      {"@name@", m->options->name},           {"@NAME@", xc_text_str(&name)},
      {"@tensors@\n", xc_text_str(&tensors)}, {"@usage@", xc_text_str(&usage)},
      {"@call@", xc_text_str(&call)},         {"@params@", ""}};
  if (m->options->paramsFile)
    fill(&params, xc_c_template_params_c_in, fields, 2);
  fields[5].value = xc_text_str(&params);
  fill(out, xc_c_template_main_c_in, fields, 6);
  xc_text_free(&tensors);
  xc_text_free(&usage);
  xc_text_free(&call);
  xc_text_free(&name);
  xc_text_free(&params);
}

static void fill_build(const xc_c_module *m, const char *text, xc_text *out) {
  const char *name = m->options->name;
  xc_text sources = {0}, objects = {0};
  bool arrays = !m->options->paramsFile;
  xc_text_printf(&sources, arrays ? "%s.c %s_params.c" : "%s.c", name, name);
  xc_text_printf(&objects, arrays ? "%s.o %s_params.o" : "%s.o", name, name);
  const field fields[] = {{"@name@", name},
                          {"@sources@", xc_text_str(&sources)},
                          {"@objects@", xc_text_str(&objects)}};
  fill(out, text, fields, 3);
  xc_text_free(&sources);
  xc_text_free(&objects);
}

void xc_c_print_cmake(const xc_c_module *m, xc_text *out) {
  fill_build(m, xc_c_template_CMakeLists_txt_in, out);
}

void xc_c_print_makefile(const xc_c_module *m, xc_text *out) {
  fill_build(m, xc_c_template_Makefile_in, out);
}
