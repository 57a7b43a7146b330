//===- Recurrent.c - recurrent layers -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gates' products with the layer's input are one product for all steps,
// like any other fully connected layer: a DPU may compute it.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"

static MlirValue emit_projection(xc_graph *graph,
                                 const xc_graph_recurrent *layer) {
  const xc_attribute attributes[] = {xc_bool("transpose_b", true)};
  const MlirValue operands[] = {layer->input, layer->weight, layer->bias};
  return xc_graph_emit(graph, layer->part, XC_TIR_MATMUL, operands, 3,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

static MlirValue emit_transposed(xc_graph *graph, MlirValue matrix) {
  const int64_t order[] = {1, 0};
  const xc_attribute attributes[] = {xc_ints("order", order, 2)};
  return xc_graph_emit(graph, "weights", XC_TIR_TRANSPOSE, &matrix, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_graph_emit_recurrent(xc_graph *graph,
                                  const xc_graph_recurrent *layer) {
  const MlirValue operands[] = {emit_projection(graph, layer),
                                emit_transposed(graph, layer->recurrent_weight),
                                layer->initial,
                                layer->candidate_bias,
                                layer->peephole,
                                layer->lengths};
  const size_t count = sizeof(operands) / sizeof(*operands);
  const xc_attribute attributes[] = {
      xc_string("cell", layer->cell),
      xc_string("activation", layer->activation),
      xc_string("gate_activation", layer->gate_activation),
      xc_string("output_activation", layer->output_activation),
      xc_float("alpha", layer->alpha),
      xc_float("beta", layer->beta),
      xc_bool("reverse", layer->reverse),
      xc_bool("reset_after", layer->reset_after)};
  xc_text part = {0};
  xc_text_printf(&part, "%s/steps", layer->part);
  MlirValue states =
      xc_graph_emit(graph, xc_text_str(&part), XC_TIR_RECURRENT, operands,
                    count, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  xc_text_free(&part);
  return states;
}
