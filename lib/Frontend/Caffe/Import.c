//===- Import.c - from a prototxt and a caffemodel to a module ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Caffe.h"
#include "Importer.h"

#include "Qdq/Fold.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/ProtoScan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Errors after which the rest is not looked at any more.
enum { MOST_ERRORS = 100 };

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static bool place_error(xc_caffe_importer *im, const xc_text_field *field,
                        const char *message) {
  im->graph.line = field->line;
  im->graph.column = field->column;
  return xc_caffe_error(im, "%s", message);
}

// Returns the text of the last field of that name, or "".
static const char *word_of(const xc_text_field *layer, const char *name) {
  const char *word = "";
  for (xc_text_field *f = xc_text_find(layer, name, NULL); f;
       f = xc_text_find(layer, name, f))
    word = f->value ? f->value : "";
  return word;
}

static size_t words_of(xc_caffe_importer *im, const xc_text_field *layer,
                       const char *name, const char ***words) {
  size_t count = 0;
  for (xc_text_field *f = xc_text_find(layer, name, NULL); f;
       f = xc_text_find(layer, name, f))
    ++count;
  *words = xc_arena_alloc(&im->graph.arena, count + 1, sizeof(**words));
  count = 0;
  for (xc_text_field *f = xc_text_find(layer, name, NULL); f;
       f = xc_text_find(layer, name, f))
    (*words)[count++] = f->value ? f->value : "";
  return count;
}

// A NetStateRule, for the phase TEST at level 0 without stages.
static bool matches(const xc_text_field *rule) {
  const char *phase = word_of(rule, "phase");
  int64_t level;
  const xc_text_field *low = xc_text_find(rule, "min_level", NULL);
  const xc_text_field *high = xc_text_find(rule, "max_level", NULL);
  if (*phase && strcmp(phase, "TEST") != 0 && strcmp(phase, "1") != 0)
    return false;
  if ((low && xc_text_to_int(low, &level) && level > 0) ||
      (high && xc_text_to_int(high, &level) && level < 0))
    return false;
  return !xc_text_find(rule, "stage", NULL);
}

static bool any_matches(const xc_text_field *layer, const char *name) {
  for (xc_text_field *rule = xc_text_find(layer, name, NULL); rule;
       rule = xc_text_find(layer, name, rule))
    if (matches(rule))
      return true;
  return false;
}

// `phase` in the layer itself is no filter: quantised nets have it everywhere.
static bool is_kept(const xc_text_field *layer) {
  return (!xc_text_find(layer, "include", NULL) ||
          any_matches(layer, "include")) &&
         !any_matches(layer, "exclude");
}

static bool is_layer(const xc_text_field *field, bool *is_v1) {
  *is_v1 = strcmp(field->name, "layers") == 0;
  return field->kind == XC_TEXT_MESSAGE &&
         (*is_v1 || strcmp(field->name, "layer") == 0);
}

static void fill_layer(xc_caffe_importer *im, xc_text_field *text, bool is_v1,
                       xc_caffe_layer *layer) {
  *layer = (xc_caffe_layer){.text = text,
                            .name = word_of(text, "name"),
                            .type = word_of(text, "type")};
  layer->row = xc_caffe_operator_find(layer->type, is_v1);
  layer->num_bottoms = words_of(im, text, "bottom", &layer->bottoms);
  layer->num_tops = words_of(im, text, "top", &layer->tops);
  layer->blobs = xc_arena_alloc(&im->graph.arena, layer->num_tops + 1,
                                sizeof(*layer->blobs));
  memcpy(layer->blobs, layer->tops, layer->num_tops * sizeof(*layer->blobs));
  layer->trained = xc_caffe_find_trained(im, layer->name);
  if (!layer->row)
    return;
  if (layer->row->handler == xc_caffe_detection_output &&
      !im->graph.options.allowCustom)
    layer->num_bottoms = layer->num_tops = 0;
  // Tops after the image, and bottoms after the scores, belong to training.
  bool is_data = layer->row->handler == xc_caffe_data;
  bool is_loss = strcmp(layer->row->type, "SoftmaxWithLoss") == 0;
  if (is_data && layer->num_tops > 1)
    layer->num_tops = 1;
  if (is_loss && layer->num_bottoms > 1)
    layer->num_bottoms = 1;
  if (is_loss && layer->num_tops == 0) {
    layer->tops[0] = layer->blobs[0] = layer->name;
    layer->num_tops = 1;
  }
  if (is_loss && layer->num_tops > 1)
    layer->num_tops = 1;
  im->has_fixed_neurons =
      im->has_fixed_neurons || layer->row->handler == xc_caffe_fixed_neuron;
}

// `input: "data"` at the head of older nets stands for a layer.
static void add_heads(xc_caffe_importer *im) {
  const char **names;
  size_t count = words_of(im, &im->root, "input", &names);
  for (size_t i = 0; i < count; ++i) {
    xc_caffe_layer *layer = &im->layers[im->num_layers++];
    *layer = (xc_caffe_layer){
        .text = &im->root,
        .name = names[i],
        .type = "Input",
        .row = xc_caffe_operator_find("Input", false),
        .tops = xc_arena_alloc(&im->graph.arena, 1, sizeof(*names)),
        .blobs = &names[i],
        .num_tops = 1,
        .trained = xc_caffe_find_trained(im, names[i])};
    layer->tops[0] = names[i];
  }
}

static bool collect_layers(xc_caffe_importer *im) {
  size_t count = 1;
  bool is_v1;
  for (xc_text_field *f = im->root.first; f; f = f->next)
    count += 1;
  im->layers = xc_arena_alloc(&im->graph.arena, count, sizeof(*im->layers));
  add_heads(im);
  size_t heads = im->num_layers;
  for (xc_text_field *f = im->root.first; f; f = f->next) {
    if (!is_layer(f, &is_v1))
      continue;
    if (is_v1 && xc_text_find(f, "layer", NULL))
      return place_error(im, f,
                         "the net has the format of before 2013; Caffe's "
                         "upgrade_net_proto_text brings it up to date");
    if (!is_kept(f))
      continue;
    xc_caffe_layer *layer = &im->layers[im->num_layers];
    fill_layer(im, f, is_v1, layer);
    im->num_layers += !layer->row || layer->row->handler != xc_caffe_drop;
  }
  return im->num_layers > heads ||
         xc_caffe_error(im, "the net has no layers: what describes a net is "
                            "a list of 'layer { ... }'");
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

// Returns an argument of the function, in the shape of the net unless the user
// gives another.
static xc_graph_value *make_argument(xc_caffe_importer *im, const char *name,
                                     const xc_shape *declared) {
  enum { IMAGE_RANK = 4 };
  bool given;
  xc_shape shape = *declared;
  if (!xc_graph_input_shape(&im->graph, name, &shape, &given))
    return NULL;
  if (!given && declared->rank == 0)
    xc_caffe_error(im,
                   "the shape of '%s' is not in the net: give it as "
                   "--input-shape=%s=1x3x224x224",
                   name, name);
  for (size_t i = 0; i < shape.rank; ++i)
    if (shape.dims[i] < 1)
      xc_caffe_error(im, "dimension %zu of '%s' is %" PRId64, i, name,
                     shape.dims[i]);
  if (xc_graph_failed(&im->graph) ||
      !xc_graph_check_dims(&im->graph, name, shape.dims, shape.rank,
                           XC_ELEMENT_F32, &shape))
    return NULL;
  xc_graph_value *value = xc_graph_new_value(&im->graph, name, &shape);
  value->wants_channels_last = shape.rank == IMAGE_RANK;
  xc_graph_order order = xc_graph_identity(shape.rank);
  xc_graph_add_form(&im->graph, value,
                    xc_graph_argument(&im->graph, name, &shape), &order);
  return value;
}

static bool add_input(xc_caffe_importer *im, size_t top, const int64_t *dims,
                      size_t rank) {
  xc_shape shape = {.rank = rank};
  for (size_t i = 0; i < rank; ++i)
    shape.dims[i] = dims[i];
  return xc_caffe_top(im, top,
                      make_argument(im, im->layer->blobs[top], &shape));
}

// The shape of input `index` of a head.
static bool head_shape(xc_caffe_importer *im, size_t index, int64_t *dims,
                       size_t *rank) {
  enum { OLD_RANK = 4 };
  size_t at = 0;
  *rank = 0;
  for (xc_text_field *f = xc_text_find(&im->root, "input_shape", NULL); f;
       f = xc_text_find(&im->root, "input_shape", f))
    if (at++ == index)
      return xc_caffe_read_shape(im, f, dims, rank);
  at = 0;
  for (xc_text_field *f = xc_text_find(&im->root, "input_dim", NULL); f;
       f = xc_text_find(&im->root, "input_dim", f), ++at)
    if (at / OLD_RANK == index && !xc_text_to_int(f, &dims[(*rank)++]))
      return place_error(im, f, "field 'input_dim' is not an integer");
  return *rank == 0 || *rank == OLD_RANK ||
         xc_caffe_error(im, "the head has %zu of 4 dimensions", *rank);
}

// One shape for each top, or one for all of them.
bool xc_caffe_input(xc_caffe_importer *im) {
  const xc_caffe_layer *layer = im->layer;
  int64_t dims[XC_MAX_RANK] = {0};
  size_t rank = 0;
  if (layer->text == &im->root)
    return head_shape(im, (size_t)(layer - im->layers), dims, &rank) &&
           add_input(im, 0, dims, rank);
  const xc_text_field *param =
      xc_text_find(layer->text, layer->row->param, NULL);
  xc_text_field *shape = xc_text_find(param, "shape", NULL);
  for (size_t i = 0; i < layer->num_tops; ++i) {
    if (!xc_caffe_read_shape(im, shape, dims, &rank) ||
        !add_input(im, i, dims, rank))
      return false;
    xc_text_field *next = xc_text_find(param, "shape", shape);
    shape = shape && next ? next : shape;
  }
  return true;
}

static int64_t int_of(const xc_text_field *layer, const char *message,
                      const char *name) {
  int64_t value = 0;
  const xc_text_field *field =
      xc_text_find(xc_text_find(layer, message, NULL), name, NULL);
  return field && xc_text_to_int(field, &value) ? value : 0;
}

// The image of a layer that reads it from files: what is known of its size.
bool xc_caffe_data(xc_caffe_importer *im) {
  const xc_text_field *text = im->layer->text;
  const xc_text_field *param = xc_text_find(text, im->layer->row->param, NULL);
  int64_t crop = int_of(text, "transform_param", "crop_size");
  int64_t channels = xc_caffe_int(im, "channels", 3);
  int64_t height =
      xc_caffe_int(im, "height", xc_caffe_int(im, "new_height", 0));
  int64_t width = xc_caffe_int(im, "width", xc_caffe_int(im, "new_width", 0));
  bool is_color = true;
  const xc_text_field *field = xc_text_find(param, "is_color", NULL);
  if (field && xc_text_to_bool(field, &is_color) && !is_color)
    channels = 1;
  if (crop)
    height = width = crop;
  int64_t dims[] = {1, channels, height, width};
  bool known = height > 0 && width > 0 && im->layer->num_tops > 0;
  return im->layer->num_tops == 0 || add_input(im, 0, dims, known ? 4 : 0);
}

bool xc_caffe_drop(xc_caffe_importer *im) {
  (void)im;
  return true;
}

// Imports a layer that the host computes; its shapes are the user's.
static bool import_custom(xc_caffe_importer *im) {
  xc_graph *g = &im->graph;
  const xc_caffe_layer *layer = im->layer;
  MlirValue *operands =
      xc_arena_alloc(&g->arena, layer->num_bottoms + 1, sizeof(*operands));
  MlirAttribute payload = xc_caffe_payload(im, layer->text);
  for (size_t i = 0; i < layer->num_bottoms; ++i) {
    xc_graph_value *value = xc_caffe_bottom(im, i);
    operands[i] = value ? xc_graph_get_plain(g, value) : (MlirValue){NULL};
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  for (size_t i = 0; i < layer->num_tops; ++i) {
    xc_shape shape = {.element = XC_ELEMENT_F32};
    bool given;
    if (!xc_graph_input_shape(g, layer->blobs[i], &shape, &given))
      return false;
    if (!given)
      return xc_caffe_error(
          im,
          "the shape of its top '%s' is not known: give it as "
          "--input-shape=%s=1x100x7",
          layer->blobs[i], layer->blobs[i]);
    xc_graph_order plain = xc_graph_identity(shape.rank);
    MlirValue x = xc_graph_emit_custom(g, layer->type, operands,
                                       layer->num_bottoms, payload, &shape);
    if (!xc_caffe_top_computed(im, i, x, &plain))
      return false;
  }
  return true;
}

bool xc_caffe_detection_output(xc_caffe_importer *im) {
  if (im->graph.options.allowCustom)
    return import_custom(im);
  xc_graph_report(&im->graph, XcSeverityNote,
                  "the net is cut here: it decodes boxes on the host, and what "
                  "it reads becomes outputs");
  return true;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static bool depends_on_failed(const xc_caffe_importer *im) {
  for (size_t i = 0; i < im->layer->num_bottoms; ++i)
    if (xc_graph_find(&im->graph, im->layer->bottoms[i]) == im->failed)
      return true;
  return false;
}

// Fields that say nothing about inference.
static bool is_ignored(const char *name) {
  static const char *const names[] = {"engine",
                                      "weight_filler",
                                      "bias_filler",
                                      "filler",
                                      "moving_average_fraction",
                                      "use_global_stats",
                                      "scale_filler",
                                      "force_nd_im2col",
                                      "fixed_method",
                                      "enable",
                                      "dropout_ratio",
                                      "follow_data_layer",
                                      "use_dpu",
                                      "coeff_filler",
                                      "visualize"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

static void warn_of_unknown(xc_caffe_importer *im) {
  const xc_caffe_layer *layer = im->layer;
  const char *param = layer->row->param;
  if (!param || layer->text == &im->root ||
      layer->row->handler == xc_caffe_data ||
      layer->row->handler == xc_caffe_detection_output)
    return; // how images are read and boxes decoded is no part of the net
  for (xc_text_field *m = xc_text_find(layer->text, param, NULL); m;
       m = xc_text_find(layer->text, param, m))
    for (xc_text_field *f = m->first; f; f = f->next) {
      if (f->asked || is_ignored(f->name))
        continue;
      im->graph.line = f->line;
      im->graph.column = f->column;
      xc_graph_report(&im->graph, XcSeverityWarning,
                      "field '%s' of '%s' is not known and not used", f->name,
                      param);
    }
}

static void enter_layer(xc_caffe_importer *im, const xc_caffe_layer *layer) {
  const char *name = *layer->name      ? layer->name
                     : layer->num_tops ? layer->tops[0]
                                       : layer->type;
  im->layer = layer;
  xc_graph_enter(&im->graph, name, "layer '%s' (%s)", name, layer->type);
  im->graph.line = layer->text->line;
  im->graph.column = layer->text->column;
}

static bool import_layer(xc_caffe_importer *im) {
  const xc_caffe_layer *layer = im->layer;
  if (!layer->row && im->graph.options.allowCustom && *layer->type)
    return import_custom(im);
  if (!layer->row)
    return *layer->type ? xc_caffe_error(im, "xc has no such layer")
                        : xc_caffe_error(im, "it has no type");
  if (!layer->row->handler(im) || xc_graph_failed(&im->graph))
    return false;
  warn_of_unknown(im);
  return true;
}

static bool import_layers(xc_caffe_importer *im) {
  unsigned before = im->graph.diag->numErrors;
  const xc_shape scalar = {.element = XC_ELEMENT_F32};
  im->failed = xc_graph_new_value(&im->graph, "", &scalar);
  im->graph.goes_on = true;
  for (size_t i = 0; i < im->num_layers; ++i) {
    if (im->nodes[i].is_skipped)
      continue;
    enter_layer(im, &im->layers[i]);
    if (!depends_on_failed(im) && import_layer(im))
      continue;
    for (size_t k = 0; k < im->layer->num_tops; ++k)
      if (!xc_graph_find(&im->graph, im->layer->tops[k]))
        xc_graph_define(&im->graph, im->layer->tops[k], im->failed);
    if (im->graph.diag->numErrors - before >= MOST_ERRORS)
      break;
  }
  im->layer = NULL;
  xc_graph_leave(&im->graph);
  return !xc_graph_failed(&im->graph);
}

//===----------------------------------------------------------------------===//
// Cutting (--inputs and --outputs)
//===----------------------------------------------------------------------===//

static bool is_input(const xc_caffe_layer *layer) {
  return layer->row && (layer->row->handler == xc_caffe_input ||
                        layer->row->handler == xc_caffe_data);
}

static bool is_needed_input(const xc_caffe_importer *im,
                            const xc_caffe_layer *layer) {
  for (size_t i = 0; i < layer->num_tops; ++i)
    if (xc_graph_is_needed(&im->graph, layer->tops[i]))
      return true;
  return false;
}

static bool cut_net(xc_caffe_importer *im) {
  size_t inputs = 0;
  for (size_t i = 0; i < im->num_layers; ++i)
    inputs += is_input(&im->layers[i]) ? im->layers[i].num_tops : 0;
  const char **names =
      xc_arena_alloc(&im->graph.arena, inputs + 1, sizeof(*names));
  const char **outputs;
  xc_graph_node ends = {.inputs = names,
                        .num_outputs = xc_caffe_find_outputs(im, &outputs)};
  ends.outputs = outputs;
  im->nodes =
      xc_arena_alloc(&im->graph.arena, im->num_layers + 1, sizeof(*im->nodes));
  for (size_t i = 0; i < im->num_layers; ++i) {
    const xc_caffe_layer *layer = &im->layers[i];
    im->nodes[i] = (xc_graph_node){.name = layer->name,
                                   .inputs = layer->bottoms,
                                   .num_inputs = layer->num_bottoms};
    for (size_t k = 0; is_input(layer) && k < layer->num_tops; ++k)
      names[ends.num_inputs++] = layer->tops[k];
    if (is_input(layer))
      continue;
    im->nodes[i].outputs = layer->tops;
    im->nodes[i].num_outputs = layer->num_tops;
  }
  if (!xc_graph_cut(&im->graph, im->nodes, im->num_layers, &ends))
    return false;
  for (size_t i = 0; i < im->num_layers; ++i)
    if (im->graph.is_cut && is_input(&im->layers[i]))
      im->nodes[i].is_skipped = !is_needed_input(im, &im->layers[i]);
  return true;
}

// Shapes of values are in no file.
static bool add_cut_inputs(xc_caffe_importer *im) {
  for (size_t i = 0; i < im->graph.num_cut_inputs; ++i) {
    const char *name = im->graph.cut_inputs[i];
    xc_graph_value *value =
        make_argument(im, name, &(const xc_shape){.rank = 0});
    if (!xc_graph_define(&im->graph, name, value))
      return false;
  }
  return true;
}

static bool add_outputs(xc_caffe_importer *im) {
  size_t count = im->graph.num_outputs;
  MlirValue *results =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*results));
  for (size_t i = 0; i < count; ++i) {
    xc_graph_value *value = xc_graph_find(&im->graph, im->graph.outputs[i]);
    if (!value)
      return xc_caffe_error(im, "output '%s' is computed by no layer",
                            im->graph.outputs[i]);
    results[i] = xc_graph_get_plain(&im->graph, value);
    if (mlirValueIsNull(results[i]))
      return false;
  }
  const char *name = word_of(&im->root, "name");
  return xc_graph_return(&im->graph, *name ? name : "main", results,
                         im->graph.outputs, count);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool needs_weights(const xc_caffe_importer *im) {
  for (size_t i = 0; i < im->num_layers; ++i)
    if (im->layers[i].row && im->layers[i].row->blobs)
      return true;
  return false;
}

static bool import_net(xc_caffe_importer *im, bool has_model) {
  if (!collect_layers(im))
    return false;
  if (!has_model && !im->graph.options.randomWeights && needs_weights(im))
    return xc_caffe_error(im, "the net has no weights: give its caffemodel by "
                              "--caffemodel=FILE, or --random-weights=SEED");
  xc_caffe_name_values(im);
  return cut_net(im) && add_cut_inputs(im) && import_layers(im) &&
         add_outputs(im);
}

static Caffe__NetParameter *unpack(xc_caffe_importer *im, const char *path,
                                   const void *data, size_t size) {
  if (!xc_proto_scan(im->graph.diag, path, "caffemodel",
                     &caffe__net_parameter__descriptor, data, size))
    return NULL;
  Caffe__NetParameter *model = caffe__net_parameter__unpack(NULL, size, data);
  if (!model)
    xc_caffe_error(im, "'%s' is not a valid caffemodel", path);
  return model;
}

MlirModule xc_caffe_import(XcDiag *diag, MlirContext context,
                           const xc_caffe_files *files,
                           const XcImportOptions *options) {
  xc_caffe_importer im = {0};
  Caffe__NetParameter *model = NULL;
  xc_graph_begin(&im.graph, diag, context, files->net_path, options);
  bool ok = xc_text_parse(diag, files->net_path, files->net, files->net_size,
                          &im.graph.arena, &im.root);
  if (ok && files->model) {
    model = unpack(&im, files->model_path, files->model, files->model_size);
    ok = model && xc_caffe_read_model(&im, files->model_path, model);
  }
  xc_graph_set_budget(&im.graph, files->net_size + files->model_size);
  ok = ok && import_net(&im, model != NULL);
  if (ok)
    xc_remove_dead(im.graph.block);
  if (model)
    caffe__net_parameter__free_unpacked(model, NULL);
  return xc_graph_end(&im.graph, ok);
}

MlirModule xcImportCaffe(XcDiag *diag, MlirContext context, const char *path,
                         const void *data, size_t size,
                         const XcImportOptions *options) {
  xc_buffer model = {0};
  xc_caffe_files files = {.net_path = path, .net = data, .net_size = size};
  if (options && options->caffemodel) {
    if (!xc_read_file(diag, options->caffemodel, &model))
      return (MlirModule){NULL};
    files.model_path = options->caffemodel;
    files.model = model.data;
    files.model_size = model.size;
  }
  MlirModule module = xc_caffe_import(diag, context, &files, options);
  xc_buffer_free(&model);
  return module;
}
