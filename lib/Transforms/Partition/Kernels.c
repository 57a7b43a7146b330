//===- Kernels.c - operators that a kernel library computes ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include <string.h>

static const char *keep(xc_placement *p, const xc_text *text) {
  return text->length ? xc_arena_string(&p->arena, text->data, text->length)
                      : NULL;
}

static const char *keep_name(xc_placement *p, const char *name) {
  return xc_arena_string(&p->arena, name, strlen(name));
}

// Returns the operator before a relu if the function that computes it computes
// the relu, too.
static const xc_node *absorber_of(const xc_placement *p, const xc_node *node) {
  if (!node->info || node->info->kind != XC_TIR_RELU || node->num_edges == 0)
    return NULL;
  uint32_t producer = p->edges[node->first_edge];
  const xc_node *before = producer == XC_NO_NODE ? NULL : &p->nodes[producer];
  if (!before || !before->has_relu)
    return NULL;
  return before->device == XcDeviceDPU ? before : NULL;
}

bool xc_placement_judge_kernel(xc_placement *p, xc_node *node) {
  const xc_node *before = absorber_of(p, node);
  node->kernel = before ? before->kernel : NULL;
  node->has_relu = false;
  if (before)
    return true;
  xc_kernel_reason reason;
  const xc_kernel_row *row =
      xc_kernel_find(p->library, node->operation, &reason);
  if (row) {
    node->kernel = keep_name(p, row->function);
    node->has_relu = row->is_float && row->relu;
  } else if (reason.predicate) {
    node->reason = (xc_reason){.predicate = keep_name(p, reason.predicate),
                               .text = keep(p, &reason.text),
                               .change = keep(p, &reason.change)};
  } else {
    xc_text text = {0};
    xc_text_printf(&text, "no function of '%s' computes %s", p->library->name,
                   node->type);
    node->reason =
        (xc_reason){.predicate = "no-kernel", .text = keep(p, &text)};
    xc_text_free(&text);
  }
  xc_kernel_reason_free(&reason);
  return row != NULL;
}
