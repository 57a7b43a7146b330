//===- Conv.c - convolutions as plain loops -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

typedef struct conv_state {
  const xc_products *products;
  bool depthwise;
  int64_t depth;
  MlirValue image, group, member, channel, first;
} conv_state;

static MlirValue add_product(xc_lowering *l, const conv_state *s,
                             const xc_tap *tap, MlirValue c, MlirValue sum) {
  const xc_products *p = s->products;
  MlirValue from = s->depthwise ? s->group : xc_ir_add(&l->ir, s->first, c);
  const MlirValue left[] = {s->image, tap->row, tap->column, from};
  const MlirValue right[] = {s->depthwise ? s->member : s->channel, tap->ky,
                             tap->kx, s->depthwise ? s->group : c};
  MlirValue a = p->left(l, left, p->state);
  MlirValue b = p->right(l, right, s->channel, p->state);
  return xc_ir_add(&l->ir, sum, xc_ir_mul(&l->ir, a, b));
}

static void add_tap(xc_lowering *l, const xc_tap *tap, MlirValue *sum,
                    void *state) {
  const conv_state *s = state;
  xc_ir_loop loop = xc_ir_for_size(&l->ir, s->depth, sum, 1);
  MlirValue next = add_product(l, s, tap, loop.index, loop.carried[0]);
  xc_ir_end_for(&l->ir, &loop, &next);
  *sum = loop.results[0];
}

void xc_linalg_convolution(xc_lowering *l, const xc_products *products) {
  if (l->outliner->kernel) {
    xc_user_kernel_conv(l, products);
    return;
  }
  conv_state s = {.products = products, .depthwise = xc_is_depthwise(l->op)};
  const int64_t *in = l->shapes[XC_CONV2D_INPUT].dims;
  const int64_t *out = l->result.dims;
  int64_t groups = s.depthwise ? in[3] : xc_group_of(l->op);
  s.depth = s.depthwise ? 1 : in[3] / groups;
  xc_taps tables = xc_taps_of(l->op, l->arena);
  xc_tap_window taps = xc_tap_window_create(l, &tables);
  // Output channel o is member o % members of group o / members.
  int64_t members = groups ? out[3] / groups : 0;
  const int64_t dims[] = {out[0], out[1], out[2], groups, members};
  xc_ir_nest nest;
  xc_ir *ir = &l->ir;
  xc_ir_nest_begin(ir, &nest, 5, dims);
  s.image = nest.at[0];
  s.group = nest.at[3];
  s.member = nest.at[4];
  s.channel = xc_ir_add(ir, xc_ir_muli(ir, s.group, members), s.member);
  s.first = xc_ir_muli(ir, s.group, s.depth);
  MlirValue sum = products->zero;
  xc_linalg_taps(l, &taps, &nest.at[1], &sum, 1, add_tap, &s);
  const MlirValue at[] = {nest.at[0], nest.at[1], nest.at[2], s.channel};
  products->finish(l, sum, s.channel, at, products->state);
  xc_ir_nest_end(ir, &nest);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

static MlirValue real_left(xc_lowering *l, const MlirValue *at, void *state) {
  (void)state;
  return xc_load_real(l, XC_CONV2D_INPUT, at);
}

static MlirValue real_right(xc_lowering *l, const MlirValue *at,
                            MlirValue channel, void *state) {
  (void)channel;
  (void)state;
  return xc_load_real(l, XC_CONV2D_WEIGHT, at);
}

static void finish_real(xc_lowering *l, MlirValue sum, MlirValue channel,
                        const MlirValue *at, void *state) {
  (void)state;
  if (xc_user_kernel_leaves_bias(l, XC_CONV2D_BIAS))
    sum = xc_ir_add(&l->ir, sum, xc_load_real(l, XC_CONV2D_BIAS, &channel));
  xc_store_real(l, sum, at);
}

xc_products xc_real_products(const xc_lowering *l) {
  return (xc_products){.zero = xc_real(l, 0),
                       .left = real_left,
                       .right = real_right,
                       .finish = finish_real};
}

bool xc_linalg_conv(xc_lowering *l) {
  const xc_products products = xc_real_products(l);
  xc_linalg_convolution(l, &products);
  return true;
}
