//===- Print.c - an xmodel as text ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Print.h"
#include "Model.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "xc-c/DPUAssembly.h"
#include "xc-c/XModelDpu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void indent(FILE *output, unsigned depth) {
  fprintf(output, "%*s", (int)(2 * depth), "");
}

static void print_quoted(FILE *output, const char *text, size_t size) {
  fputc('"', output);
  for (size_t i = 0; i < size; ++i) {
    unsigned char character = (unsigned char)text[i];
    if (character == '"' || character == '\\')
      fprintf(output, "\\%c", character);
    else if (character < ' ' || character == 0x7f)
      fprintf(output, "\\%02X", character);
    else
      fputc(character, output);
  }
  fputc('"', output);
}

static void print_string(FILE *output, const char *text) {
  print_quoted(output, text, strlen(text));
}

// FNV-1a tells two blobs apart; it is no protection against intent.
static uint64_t hash_bytes(const unsigned char *data, size_t size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static void print_bytes(FILE *output, const unsigned char *data, size_t size) {
  enum { LONGEST = 16 };
  fprintf(output, "bytes(%zu", size);
  if (size > LONGEST)
    fprintf(output, ", fnv1a 0x%016" PRIx64, hash_bytes(data, size));
  else
    for (size_t i = 0; i < size; ++i)
      fprintf(output, "%s%02x", i ? " " : ": ", data[i]);
  fputc(')', output);
}

static void print_value(FILE *output, XcXModelKind kind, XcXModelValue value) {
  switch (value.type) {
  case XcXModelValueTypeInt:
    if (kind == XcXModelKindBool || kind == XcXModelKindBoolVec)
      fputs(value.integer ? "true" : "false", output);
    else
      fprintf(output, "%" PRId64, value.integer);
    return;
  case XcXModelValueTypeUint:
    fprintf(output, "%" PRIu64, value.natural);
    return;
  case XcXModelValueTypeReal:
    fprintf(output, "%.9g", value.real);
    return;
  case XcXModelValueTypeString:
    print_quoted(output, value.data, value.size);
    return;
  case XcXModelValueTypeBytes:
    print_bytes(output, value.data, value.size);
    return;
  }
}

// How an attribute is written down.
typedef enum shape { SCALAR, VECTOR, MAP, MAP_OF_VECTORS } shape;

static shape shape_of(XcXModelKind kind) {
  if (kind >= XcXModelKindMapStringToInt32Vec)
    return MAP_OF_VECTORS;
  if (kind >= XcXModelKindMapStringToInt32)
    return MAP;
  return kind >= XcXModelKindBoolVec ? VECTOR : SCALAR;
}

static void print_row(FILE *output, XcXModelAttr attr, size_t row) {
  XcXModelKind kind = xcXModelAttrGetKind(attr);
  shape form = shape_of(kind);
  if (form >= MAP) {
    print_string(output, xcXModelAttrGetKey(attr, row));
    fputs(": ", output);
  }
  if (form == MAP_OF_VECTORS)
    fputc('[', output);
  for (size_t i = 0; i < xcXModelAttrGetWidth(attr, row); ++i) {
    if (i)
      fputs(", ", output);
    print_value(output, kind, xcXModelAttrGetValue(attr, row, i));
  }
  if (form == MAP_OF_VECTORS)
    fputc(']', output);
}

static void print_attr_value(FILE *output, XcXModelAttr attr) {
  shape form = shape_of(xcXModelAttrGetKind(attr));
  if (xcXModelAttrGetKind(attr) == XcXModelKindNone)
    fputs("none", output);
  if (form != SCALAR)
    fputs(form == VECTOR ? "[" : "{", output);
  for (size_t row = 0; row < xcXModelAttrGetNumRows(attr); ++row) {
    if (row)
      fputs(", ", output);
    print_row(output, attr, row);
  }
  if (form != SCALAR)
    fputs(form == VECTOR ? "]" : "}", output);
}

typedef struct sorted_attr {
  XcXModelAttr attr;
  size_t position;
} sorted_attr;

static int compare_attrs(const void *a, const void *b) {
  const sorted_attr *left = a, *right = b;
  int order = strcmp(left->attr.name, right->attr.name);
  if (order)
    return order;
  return (left->position > right->position) -
         (left->position < right->position);
}

// Sorted: the order in a file is that of some hash table.
static void print_attrs(FILE *output, XcXModelAttrs attrs, unsigned depth) {
  size_t count = xcXModelAttrsGetCount(attrs);
  sorted_attr *sorted = xc_alloc_array(count, sizeof(*sorted));
  for (size_t i = 0; i < count; ++i)
    sorted[i] = (sorted_attr){xcXModelAttrsGet(attrs, i), i};
  qsort(sorted, count, sizeof(*sorted), compare_attrs);
  for (size_t i = 0; i < count; ++i) {
    indent(output, depth);
    const char *kind = xcXModelKindGetName(xcXModelAttrGetKind(sorted[i].attr));
    fprintf(output, "%s : %s = ", sorted[i].attr.name, kind ? kind : "?");
    print_attr_value(output, sorted[i].attr);
    fputc('\n', output);
  }
  free(sorted);
}

static void print_tensor_type(FILE *output, const XcXModelTensor *tensor) {
  static const char *const words[] = {"int", "uint", "xint", "xuint", "float"};
  int32_t type = xcXModelTensorGetDataType(tensor);
  if (type >= 0 && type < (int32_t)(sizeof(words) / sizeof(*words)))
    fputs(words[type], output);
  else
    fprintf(output, "type%" PRId32 "_", type);
  fprintf(output, "%" PRId32 " [", xcXModelTensorGetBitWidth(tensor));
  for (size_t i = 0; i < xcXModelTensorGetRank(tensor); ++i)
    fprintf(output, "%s%" PRIu32, i ? ", " : "",
            xcXModelTensorGetDims(tensor)[i]);
  fputc(']', output);
}

static void print_op(FILE *output, const XcXModelOp *op) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  fputs("op ", output);
  print_string(output, xcXModelOpGetName(op));
  fprintf(output, " : %s", xcXModelOpGetType(op));
  if (tensor) {
    fputs(" -> ", output);
    print_tensor_type(output, tensor);
  }
  fputc('\n', output);
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a) {
    fprintf(output, "  arg %s (", xcXModelOpGetArgName(op, a));
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i) {
      if (i)
        fputs(", ", output);
      print_string(output, xcXModelOpGetArgOp(op, a, i));
    }
    fputs(")\n", output);
  }
  print_attrs(output, xcXModelOpGetAttrs(op), 1);
  if (!tensor)
    return;
  fputs("  tensor ", output);
  print_string(output, xcXModelTensorGetName(tensor));
  fputc('\n', output);
  print_attrs(output, xcXModelTensorGetAttrs(tensor), 2);
}

// Nesting is bounded by the reader.
static void print_subgraph(FILE *output, const XcXModelSubgraph *subgraph,
                           unsigned depth) {
  indent(output, depth);
  fputs("subgraph ", output);
  print_string(output, xcXModelSubgraphGetName(subgraph));
  fputc('\n', output);
  print_attrs(output, xcXModelSubgraphGetAttrs(subgraph), depth + 1);
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i) {
    indent(output, depth + 1);
    fputs("op ", output);
    print_string(output, xcXModelSubgraphGetOp(subgraph, i));
    fputc('\n', output);
  }
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    print_subgraph(output, xcXModelSubgraphGetChild(subgraph, i), depth + 1);
}

//===----------------------------------------------------------------------===//
// DPU subgraphs
//===----------------------------------------------------------------------===//

static const char *context_word(XcXModelContext context) {
  switch (context) {
  case XcXModelContextUnknown:
    return "?";
  case XcXModelContextConst:
    return "const";
  case XcXModelContextWorkspace:
    return "workspace";
  case XcXModelContextInterface:
    return "interface";
  }
  return "?";
}

static void print_dpu_tensor(FILE *output, const char *word,
                             const XcXModelDpuTensor *tensor) {
  fprintf(output, "  %s ", word);
  print_string(output, tensor->name);
  fputs(" = ", output);
  print_string(output, tensor->otherName);
  fprintf(output, " : %s8 [", tensor->isSigned ? "xint" : "xuint");
  for (size_t i = 0; i < tensor->rank; ++i)
    fprintf(output, "%s%" PRIu32, i ? ", " : "", tensor->dims[i]);
  fputs("], strides [", output);
  for (size_t i = 0; i < tensor->rank; ++i)
    fprintf(output, "%s%" PRId64, i ? ", " : "", tensor->strides[i]);
  fprintf(output,
          "], fix point %" PRId32 ", register %" PRIu32 " + %" PRIu64 "\n",
          tensor->fixPoint, tensor->registerId, tensor->address);
}

// How many instructions of each kind there are; words that are none count as
// raw words.
static void print_counts(FILE *output, const XcDpuIsa *isa,
                         const unsigned char *code, size_t size) {
  size_t num_words = size / 4, counts[XC_DPU_NUM_OPCODES] = {0}, raw = 0;
  size_t total = 0;
  for (size_t at = 0; at < num_words;) {
    XcDpuInstruction instruction;
    XcDpuResult result = xcDpuDecodeAt(isa, code, size, at, &instruction);
    if (result.status == XcDpuStatusOk)
      ++counts[instruction.opcode];
    else
      raw += result.numWords;
    total += result.status == XcDpuStatusOk;
    at += result.numWords;
  }
  fprintf(output, "  instructions %zu:", total);
  for (unsigned opcode = 0; opcode < XC_DPU_NUM_OPCODES; ++opcode)
    if (counts[opcode])
      fprintf(output, " %s %zu", xcDpuIsaGetInfo(isa, opcode)->name,
              counts[opcode]);
  if (raw)
    fprintf(output, " raw words %zu", raw);
  fputc('\n', output);
}

bool xcXModelDpuDisassemble(XcDiag *diag, const XcXModelDpu *dpu,
                            XcDpuTextCallback callback, void *userData) {
  const XcDpuIsa *isa = xcXModelDpuGetIsa(dpu);
  if (!isa)
    return xc_file_error(diag, NULL,
                         "DPU subgraph '%s' is for target '%s', of whose "
                         "instruction set there is no table",
                         dpu->name, dpu->target);
  XcDpuLabel *labels = xc_alloc_array(dpu->numLayers, sizeof(*labels));
  for (size_t i = 0; i < dpu->numLayers; ++i)
    labels[i] = (XcDpuLabel){dpu->layers[i].instruction, dpu->layers[i].name};
  bool ok =
      xcDpuDisassemble(diag, isa,
                       &(XcDpuListing){dpu->name, dpu->code, dpu->codeSize,
                                       labels, dpu->numLayers},
                       callback, userData);
  free(labels);
  return ok;
}

// Puts the indentation in front of every line.
typedef struct code_printer {
  FILE *output;
  bool in_line;
} code_printer;

static void print_code_text(void *user_data, const char *text, size_t length) {
  code_printer *printer = user_data;
  while (length) {
    const char *newline = memchr(text, '\n', length);
    size_t part = newline ? (size_t)(newline - text) + 1 : length;
    if (!printer->in_line)
      fputs("    ", printer->output);
    fwrite(text, 1, part, printer->output);
    printer->in_line = !newline;
    text += part;
    length -= part;
  }
}

static bool print_code(XcDiag *diag, const XcXModelDpu *dpu, FILE *output) {
  const XcDpuIsa *isa = xcXModelDpuGetIsa(dpu);
  if (!isa) {
    fprintf(output, "  code of %zu bytes: no instruction set is known for it\n",
            dpu->codeSize);
    return true;
  }
  print_counts(output, isa, dpu->code, dpu->codeSize);
  fputs("  code\n", output);
  code_printer printer = {output, false};
  return xcXModelDpuDisassemble(diag, dpu, print_code_text, &printer);
}

static bool print_dpu(XcDiag *diag, const XcXModel *model,
                      const XcXModelSubgraph *subgraph, size_t index,
                      FILE *output) {
  const XcXModelDpu *dpu = xcXModelDpuCreate(diag, model, subgraph);
  if (!dpu)
    return false;
  fprintf(output, "\ndpu %zu ", index);
  print_string(output, dpu->name);
  fputs("\n  target ", output);
  print_string(output, dpu->target);
  fprintf(output, ", fingerprint 0x%" PRIx64 "\n", dpu->fingerprint);
  fprintf(output, "  workload %" PRIu64 ", on arch %" PRIu64 "\n",
          dpu->workload, dpu->workloadOnArch);
  for (size_t i = 0; i < dpu->numRegisters; ++i)
    fprintf(output,
            "  register %" PRIu32 " : %s, %" PRIu64 " bytes, %zu given\n",
            dpu->registers[i].id, context_word(dpu->registers[i].context),
            dpu->registers[i].size, dpu->registers[i].initialSize);
  for (size_t i = 0; i < dpu->numInputs; ++i)
    print_dpu_tensor(output, "input", &dpu->inputs[i]);
  for (size_t i = 0; i < dpu->numOutputs; ++i)
    print_dpu_tensor(output, "output", &dpu->outputs[i]);
  bool ok = print_code(diag, dpu, output);
  xcXModelDpuDestroy(dpu);
  return ok;
}

bool xc_xmodel_print(XcDiag *diag, const XcXModel *model, FILE *output) {
  fputs("xmodel ", output);
  print_string(output, xcXModelGetName(model));
  fputc('\n', output);
  print_attrs(output, xcXModelGetAttrs(model), 1);
  fprintf(output, "  %zu operators, %zu operator definitions\n\n",
          xcXModelGetNumOps(model), xcXModelGetNumOpDefs(model));
  for (size_t i = 0; i < xcXModelGetNumOps(model); ++i)
    print_op(output, xcXModelGetOp(model, i));
  const XcXModelSubgraph *root = xcXModelGetRoot(model);
  if (!root)
    return true;
  fputc('\n', output);
  print_subgraph(output, root, 0);
  size_t index = 0;
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(root); ++i) {
    const XcXModelSubgraph *child = xcXModelSubgraphGetChild(root, i);
    if (xc_xmodel_is_dpu(child) &&
        !print_dpu(diag, model, child, index++, output))
      return false;
  }
  return true;
}

char *xcXModelToString(XcDiag *diag, const XcXModel *model,
                       XcXModelFormat format, size_t *length) {
  char *text = NULL;
  FILE *memory = open_memstream(&text, length);
  bool ok = memory != NULL;
  if (!ok)
    xc_file_error(diag, NULL, "cannot buffer the output: %s", strerror(errno));
  switch (format) {
  case XcXModelFormatText:
    ok = ok && xc_xmodel_print(diag, model, memory);
    break;
  case XcXModelFormatDot:
    ok = ok && xc_xmodel_print_dot(diag, model, memory);
    break;
  case XcXModelFormatSvg:
    ok = ok && xc_xmodel_print_svg(diag, model, memory);
    break;
  }
  if (memory && fclose(memory) != 0 && ok)
    ok = xc_file_error(diag, NULL, "cannot buffer the output: %s",
                       strerror(errno));
  if (ok)
    return text;
  free(text);
  return NULL;
}
