//===- Fixed.c - fix points of quantised nets -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quantised net has fix points in the caffemodel, for each layer: bottom,
// top, weight, bias; or each bottom and each top. Where the quantiser was asked
// to keep them, it also has layers of type FixedNeuron, each with its fix point
// as blob. They are what counts then; without them every layer that computes is
// followed by the fix that its FixedNeuron would have been. Activations and max
// pools have the fix point of the layer before them, which is fixed once,
// after the last of them.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static MlirValue emit_fix(xc_caffe_importer *im, const char *part,
                          MlirValue value, const xc_caffe_position *position,
                          const char *rounding) {
  const xc_attribute attributes[] = {xc_int("bit_width", position->bit_width),
                                     xc_int("fix_point", position->fix_point),
                                     xc_bool("if_signed", true),
                                     xc_string("round_mode", rounding)};
  return xc_graph_emit(&im->graph, part, XC_TIR_FIX, &value, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

//===----------------------------------------------------------------------===//
// Fix points of the caffemodel
//===----------------------------------------------------------------------===//

// How many pairs a layer has when none was left out, or 0: any number.
static size_t num_pairs(const xc_caffe_importer *im) {
  const xc_caffe_layer *layer = im->layer;
  if (layer->trained->num_blobs)
    return 0; // bottom, top, weight, and the bias if it is there
  return layer->num_bottoms + layer->num_tops;
}

bool xc_caffe_find_position(const xc_caffe_importer *im, size_t index,
                            xc_caffe_position *position) {
  const xc_caffe_trained *trained = im->layer->trained;
  if (!trained || 2 * index + 1 >= trained->num_info)
    return false;
  size_t expected = num_pairs(im);
  if (expected && trained->num_info != 2 * expected)
    return false;
  *position = (xc_caffe_position){trained->info[2 * index],
                                  trained->info[2 * index + 1]};
  return position->bit_width > 0;
}

MlirValue xc_caffe_fix_weight(xc_caffe_importer *im, const char *part,
                              MlirValue value, size_t index) {
  xc_caffe_position position;
  if (!xc_caffe_find_position(im, index, &position))
    return value;
  return emit_fix(im, part, value, &position, "STD_ROUND");
}

//===----------------------------------------------------------------------===//
// Layers of type FixedNeuron
//===----------------------------------------------------------------------===//

bool xc_caffe_fixed_neuron(xc_caffe_importer *im) {
  xc_caffe_position position = {.bit_width = xc_caffe_int(im, "bit_width", 8)};
  const xc_caffe_trained *trained = im->layer->trained;
  const Caffe__BlobProto *blob =
      trained && trained->num_blobs ? trained->blobs[0] : NULL;
  if (blob && blob->n_data == 1 && fabsf(blob->data[0]) < 1000)
    position.fix_point = (int64_t)floorf(blob->data[0]);
  else if (trained && trained->num_info >= 2)
    position.fix_point = trained->info[1];
  else
    return xc_caffe_error(im, "the caffemodel has no fix point for it");
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  if (!value || xc_graph_failed(&im->graph))
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  return xc_caffe_top_computed(im, 0,
                               emit_fix(im, NULL,
                                        xc_graph_get(&im->graph, value, &order),
                                        &position, "DPU_ROUND"),
                               &order);
}

//===----------------------------------------------------------------------===//
// Nets without FixedNeuron layers
//===----------------------------------------------------------------------===//

static bool is_max_pool(const xc_caffe_layer *layer) {
  if (!layer->row || strcmp(layer->row->type, "Pooling") != 0)
    return false;
  const xc_text_field *param =
      xc_text_find(layer->text, layer->row->param, NULL);
  const xc_text_field *pool = xc_text_find(param, "pool", NULL);
  return !pool || strcmp(pool->value ? pool->value : "", "MAX") == 0 ||
         strcmp(pool->value ? pool->value : "", "0") == 0;
}

static bool continues(const xc_caffe_layer *layer) {
  return layer->row &&
         (layer->row->fixing == CAFFE_CONTINUES || is_max_pool(layer));
}

// Whether all that reads a top is fixed behind, at the same fix point.
static bool is_fixed_behind(const xc_caffe_importer *im, const char *top) {
  size_t first;
  size_t end = xc_caffe_reads(im, top, &first);
  for (size_t i = first; i < end; ++i)
    if (!continues(&im->layers[im->uses[i].layer]))
      return false;
  return end > first;
}

static bool reads_only_fixed_neurons(const xc_caffe_importer *im,
                                     const char *top) {
  size_t first;
  size_t end = xc_caffe_reads(im, top, &first);
  for (size_t i = first; i < end; ++i) {
    const xc_caffe_layer *reader = &im->layers[im->uses[i].layer];
    if (!reader->row || strcmp(reader->row->type, "FixedNeuron") != 0)
      return false;
  }
  return end > first;
}

// The pair of a layer's top.
static bool top_position(const xc_caffe_importer *im, size_t index,
                         xc_caffe_position *position) {
  const xc_caffe_trained *trained = im->layer->trained;
  size_t before = trained && trained->num_blobs ? 1 : im->layer->num_bottoms;
  return xc_caffe_find_position(im, before + index, position);
}

bool xc_caffe_is_fixed(const xc_caffe_importer *im) {
  xc_caffe_position position;
  if (im->has_fixed_neurons)
    return im->layer->num_tops &&
           reads_only_fixed_neurons(im, im->layer->tops[0]);
  return top_position(im, 0, &position);
}

xc_graph_value *xc_caffe_fix_top(xc_caffe_importer *im, size_t index,
                                 xc_graph_value *value) {
  const xc_caffe_layer *layer = im->layer;
  xc_caffe_fixing fixing = layer->row ? layer->row->fixing : CAFFE_FLOAT;
  xc_caffe_position position;
  if (im->has_fixed_neurons || fixing == CAFFE_FLOAT || fixing == CAFFE_MOVES ||
      !top_position(im, index, &position) ||
      is_fixed_behind(im, layer->tops[index]))
    return value;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue fixed = emit_fix(im, "fix", xc_graph_get(&im->graph, value, &order),
                             &position, "DPU_ROUND");
  return xc_graph_computed(&im->graph, im->graph.node, fixed, &order);
}
