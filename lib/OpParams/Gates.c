//===- Gates.c - functions that a DPU can approximate ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gates.h"

#include "Support/Text.h"
#include "dialects/Emit.h"

#include <string.h>

typedef struct gate_row {
  const char *name;
  xc_op_kind kind, other_kind;
} gate_row;

static const gate_row rows[XC_NUM_GATES] = {
    [XC_GATE_SIGMOID] = {"sigmoid", XC_TIR_SIGMOID, XC_TIR_SIGMOID},
    [XC_GATE_SILU] = {"silu", XC_TIR_SIGMOID, XC_TIR_SIGMOID},
    [XC_GATE_TANH] = {"tanh", XC_TIR_TANH, XC_TIR_TANH},
    [XC_GATE_MISH] = {"mish", XC_TIR_TANH, XC_TIR_SOFTPLUS},
    [XC_GATE_GELU] = {"gelu", XC_TIR_ERF, XC_TIR_ERF},
};

const char *xc_gate_name(xc_gate gate) { return rows[gate].name; }

unsigned xc_gates_of(xc_op_kind kind) {
  unsigned gates = 0;
  for (unsigned i = 0; i < XC_NUM_GATES; ++i)
    if (rows[i].kind == kind || rows[i].other_kind == kind)
      gates |= 1u << i;
  return gates;
}

static bool refuse(MlirOperation root, const char *pass, const char *option,
                   const char *word, size_t length) {
  xc_text names = {0};
  for (size_t i = 0; i < XC_NUM_GATES; ++i)
    xc_text_printf(&names, "%s%s",
                   i == 0                  ? ""
                   : i == XC_NUM_GATES - 1 ? " and "
                                           : ", ",
                   rows[i].name);
  xc_option_error(root, pass, option, "names '%.*s', expected a list of %s",
                  (int)length, word, xc_text_str(&names));
  xc_text_free(&names);
  return false;
}

bool xc_gates_read(MlirOperation root, const char *pass, const char *option,
                   const char *list, unsigned *gates) {
  *gates = 0;
  while (*list) {
    size_t length = strcspn(list, ","), gate = 0;
    while (gate < XC_NUM_GATES && (strlen(rows[gate].name) != length ||
                                   memcmp(rows[gate].name, list, length) != 0))
      ++gate;
    if (gate == XC_NUM_GATES)
      return refuse(root, pass, option, list, length);
    *gates |= 1u << gate;
    list += length + (list[length] == ',');
  }
  return true;
}
