//===- FactTables.c - what facts and classes are called -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"

#include "xc-c/FixedPoint.h"

#include <assert.h>

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static const char *yes_no(int64_t value) { return value ? "yes" : "no"; }
static const char *activation(int64_t value) {
  return xcActivationGetName((XcActivation)value);
}
static const char *pool_type(int64_t value) { return value ? "AVG" : "MAX"; }
static const char *eltwise_type(int64_t value) { return value ? "MUL" : "ADD"; }
static const char *round_mode(int64_t value) {
  return xcRoundModeGetName((XcRoundMode)value);
}

static const char *const pad_modes[] = {[XC_PAD_CONSTANT] = "CONSTANT",
                                        [XC_PAD_REFLECT] = "REFLECT",
                                        [XC_PAD_SYMMETRIC] = "SYMMETRIC",
                                        [XC_PAD_EDGE] = "EDGE"};
static const char *pad_mode(int64_t value) { return pad_modes[value]; }

static const char *interpolation(int64_t value) {
  static const char *const names[] = {[XC_NEAREST] = "NEAREST",
                                      [XC_BILINEAR] = "BILINEAR",
                                      [XC_BICUBIC] = "BICUBIC"};
  return names[value];
}

static const char *nearest_mode(int64_t value) {
  static const char *const names[] = {[XC_FLOOR] = "FLOOR",
                                      [XC_CEIL] = "CEIL",
                                      [XC_PREFER_FLOOR] = "ROUND_PREFER_FLOOR",
                                      [XC_PREFER_CEIL] = "ROUND_PREFER_CEIL"};
  return names[value];
}

static const char *resize_scale(int64_t value) {
  // clang-format off
  static const char *const names[] = {
      [XC_NO_INTEGER] = "no integer",
      "1", "2", "3", "4", "5", "6", "7", "8",
      "9", "10", "11", "12", "13", "14", "15", "16",
      [XC_LARGEST_SCALE] = "17 or more"};
  // clang-format on
  static_assert(XC_LARGEST_SCALE == 17, "each scale has its own name");
  return names[value];
}

const xc_fact_info *xc_fact_get_info(xc_fact fact) {
  static const xc_fact_info rows[] = {
#define XC_FACT_ROW(name, choice, text, where, low, high, names)               \
  [XC_FACT_##name] = {XC_FACT_CHOICE_##choice, text, where, low, high, names},
      XC_FACTS(XC_FACT_ROW)
#undef XC_FACT_ROW
  };
  return &rows[fact];
}

const char *xc_fit_class_text(xc_fit_class class_) {
  static const char *const texts[] = {[XC_FIT_UNKNOWN] =
                                          "operation of another dialect",
#define XC_CLASS_TEXT(name, text) [XC_FIT_##name] = text,
                                      XC_FIT_CLASSES(XC_CLASS_TEXT)
#undef XC_CLASS_TEXT
  };
  return texts[class_];
}

typedef struct kind_row {
  xc_op_kind kind;
  xc_fit_class class_;
  bool has_replacement;
  xc_op_kind replacement;
} kind_row;

static const kind_row *find_kind(xc_op_kind kind) {
  // The designators make the table direct; NONE is no operator of any row.
  enum { XC_TIR_NONE = -1 };
  static const kind_row rows[] = {
#define XC_FIT_KIND(kind, class_, replacement)                                 \
  [XC_TIR_##kind] = {XC_TIR_##kind, XC_FIT_##class_,                           \
                     (int)XC_TIR_##replacement != XC_TIR_NONE,                 \
                     (xc_op_kind)XC_TIR_##replacement},
#include "Kinds.def"
  };
  if ((size_t)kind >= sizeof(rows) / sizeof(*rows) ||
      rows[kind].class_ == XC_FIT_UNKNOWN)
    return NULL;
  return &rows[kind];
}

xc_fit_class xc_fit_class_of(xc_op_kind kind) {
  const kind_row *row = find_kind(kind);
  return row ? row->class_ : XC_FIT_UNKNOWN;
}

//===----------------------------------------------------------------------===//
// Defaults and replacement
//===----------------------------------------------------------------------===//

static void set_kind(xc_facts *facts, xc_op_kind kind) {
  const kind_row *row = find_kind(kind);
  assert(row && "every tir operator has a row in Kinds.def");
  facts->kind = kind;
  facts->class_ = row->class_;
  facts->has_replacement = row->has_replacement;
  facts->replacement = row->replacement;
}

void xc_facts_init(xc_facts *facts, xc_op_kind kind) {
  *facts = (xc_facts){0};
  set_kind(facts, kind);
  for (int i = 0; i < XC_NUM_FACTS; ++i) {
    int64_t low = xc_fact_get_info((xc_fact)i)->low;
    facts->value[i] = low > 0 ? low : 0;
  }
  facts->value[XC_FACT_RANK] = 4;
  facts->value[XC_FACT_SLICE_STRIDE] = 1;
  facts->value[XC_FACT_SCALE_W] = facts->value[XC_FACT_SCALE_H] = 2;
  facts->value[XC_FACT_CONSTANT] = 1;
  facts->value[XC_FACT_PER_CHANNEL] = 1;
  facts->value[XC_FACT_COUNTS_PAD] = 1;
  facts->value[XC_FACT_COUNTS_BEYOND] = 1;
  facts->value[XC_FACT_ON_CHANNELS] = 1;
}

void xc_facts_set_activation(xc_facts *facts, xc_fit_class class_) {
  static const struct {
    xc_fit_class class_;
    XcActivation activation;
  } rows[] = {
      {XC_FIT_RELU, XcActivationRelu},
      {XC_FIT_RELU6, XcActivationRelu6},
      {XC_FIT_LEAKY_RELU, XcActivationLeakyRelu},
      {XC_FIT_PRELU, XcActivationPrelu},
      {XC_FIT_HARD_SIGMOID, XcActivationHSigmoid},
      {XC_FIT_HARD_SWISH, XcActivationHSwish},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].class_ == class_)
      facts->value[XC_FACT_ACTIVATION] = rows[i].activation;
}

void xc_facts_replace(xc_facts *facts) {
  assert(facts->has_replacement && "asked for by rows that have one only");
  set_kind(facts, facts->replacement);
  xc_facts_set_activation(facts, facts->class_);
  if (facts->class_ == XC_FIT_CONV || facts->class_ == XC_FIT_TRANSPOSED)
    facts->value[XC_FACT_MULTIPLIER] = 1;
  // A quantiser chooses types and fix points as the DPU wants them.
  facts->value[XC_FACT_NUM_FOREIGN] = 0;
  facts->value[XC_FACT_BIAS_BITS] = 8;
  facts->value[XC_FACT_RESULT_BITS] = 8;
}
