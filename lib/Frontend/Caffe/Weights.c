//===- Weights.c - what a caffemodel has ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two dialects gave fields 10 and 12 of BlobProto a meaning; the wire type
// tells them apart:
//
//   10 varint   the type of raw data: 0 double, 1 float, 2 half
//   12 bytes    the raw data
//
//   10 bytes    a mask, of no meaning here
//   12 varint   the format: with 1 the floats have been scrambled
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_10 = 10, FIELD_12 = 12 };

//===----------------------------------------------------------------------===//
// Fields that have two meanings
//===----------------------------------------------------------------------===//

// Reads a number of an unknown field. The bytes that protobuf-c keeps of such
// fields have been checked by xc_proto_scan.
static uint64_t read_varint(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
    if (byte < 0x80)
      return value;
  }
}

static bool find_varint(const Caffe__BlobProto *blob, unsigned tag,
                        uint64_t *value) {
  bool found = false;
  for (unsigned i = 0; i < blob->base.n_unknown_fields; ++i) {
    const ProtobufCMessageUnknownField *field = &blob->base.unknown_fields[i];
    const uint8_t *at = field->data;
    if (field->tag == tag && field->wire_type == PROTOBUF_C_WIRE_TYPE_VARINT) {
      *value = read_varint(&at);
      found = true;
    }
  }
  return found;
}

static const uint8_t *find_bytes(const Caffe__BlobProto *blob, unsigned tag,
                                 size_t *size) {
  const uint8_t *found = NULL;
  for (unsigned i = 0; i < blob->base.n_unknown_fields; ++i) {
    const ProtobufCMessageUnknownField *field = &blob->base.unknown_fields[i];
    if (field->tag != tag ||
        field->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
      continue;
    found = field->data;
    *size = (size_t)read_varint(&found);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The layers of the file
//===----------------------------------------------------------------------===//

static int compare_trained(const void *a, const void *b) {
  const xc_caffe_trained *left = a, *right = b;
  return strcmp(left->name, right->name);
}

const xc_caffe_trained *xc_caffe_find_trained(const xc_caffe_importer *im,
                                              const char *name) {
  xc_caffe_trained key = {.name = name};
  if (*name == '\0' || im->num_trained == 0)
    return NULL;
  return bsearch(&key, im->trained, im->num_trained, sizeof(key),
                 compare_trained);
}

// Several layers of one name share what the first with blobs has.
static void sort_trained(xc_caffe_importer *im) {
  qsort(im->trained, im->num_trained, sizeof(*im->trained), compare_trained);
  size_t count = 0;
  for (size_t i = 0; i < im->num_trained; ++i) {
    bool again =
        count && strcmp(im->trained[i].name, im->trained[count - 1].name) == 0;
    if (again && im->trained[count - 1].num_blobs == 0)
      im->trained[count - 1] = im->trained[i];
    else if (!again)
      im->trained[count++] = im->trained[i];
  }
  im->num_trained = count;
}

static bool check_formats(xc_caffe_importer *im, const char *path) {
  for (size_t i = 0; i < im->num_trained; ++i)
    for (size_t k = 0; k < im->trained[i].num_blobs; ++k) {
      uint64_t format = 0;
      if (find_varint(im->trained[i].blobs[k], FIELD_12, &format) &&
          format != 0)
        return xc_caffe_error(
            im,
            "'%s': the weights of layer '%s' have been "
            "scrambled by the quantiser (format %" PRIu64
            " of a blob); take the model that it was given and "
            "quantise it with --calibration=PATH",
            path, im->trained[i].name, format);
    }
  return true;
}

bool xc_caffe_read_model(xc_caffe_importer *im, const char *path,
                         const Caffe__NetParameter *model) {
  if (model->n_layer + model->n_layers == 0)
    return xc_caffe_error(im, "'%s' has no layers", path);
  im->trained = xc_arena_alloc(
      &im->graph.arena, model->n_layer + model->n_layers, sizeof(*im->trained));
  for (size_t i = 0; i < model->n_layer; ++i) {
    const Caffe__LayerParameter *layer = model->layer[i];
    xc_caffe_trained trained = {.name = layer->name ? layer->name : "",
                                .blobs = layer->blobs,
                                .num_blobs = layer->n_blobs};
    if (layer->fixed_param &&
        (!layer->fixed_param->has_enable || layer->fixed_param->enable)) {
      trained.info = layer->fixed_param->fix_info;
      trained.num_info = layer->fixed_param->n_fix_info;
    }
    im->trained[im->num_trained++] = trained;
  }
  for (size_t i = 0; i < model->n_layers; ++i) {
    const Caffe__V1LayerParameter *layer = model->layers[i];
    im->trained[im->num_trained++] =
        (xc_caffe_trained){.name = layer->name ? layer->name : "",
                           .blobs = layer->blobs,
                           .num_blobs = layer->n_blobs};
  }
  sort_trained(im);
  return check_formats(im, path);
}

//===----------------------------------------------------------------------===//
// Blobs
//===----------------------------------------------------------------------===//

typedef struct dim_list {
  int64_t dims[XC_MAX_RANK];
  size_t rank;
} dim_list;

static bool blob_dims(xc_caffe_importer *im, size_t index,
                      const Caffe__BlobProto *blob, dim_list *list) {
  const int64_t old[] = {blob->num, blob->channels, blob->height, blob->width};
  const int64_t *dims = blob->shape ? blob->shape->dim : old;
  size_t rank = blob->shape ? blob->shape->n_dim : 4;
  list->rank = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] == 1)
      continue; // leading ones are padding, and others tell nothing
    if (list->rank == XC_MAX_RANK)
      return xc_caffe_error(im, "blob %zu has more than %d dimensions", index,
                            XC_MAX_RANK);
    list->dims[list->rank++] = dims[i];
  }
  return true;
}

static void print_dims(xc_text *text, const int64_t *dims, size_t rank) {
  for (size_t i = 0; i < rank; ++i)
    xc_text_printf(text, "%s%" PRId64, i ? "x" : "", dims[i]);
  if (rank == 0)
    xc_text_puts(text, "1");
}

// Matrices in files of old have one long row where others have two dimensions.
static bool check_blob_dims(xc_caffe_importer *im, size_t index,
                            const Caffe__BlobProto *blob, const int64_t *dims,
                            size_t rank) {
  dim_list has, wants = {.rank = 0};
  if (!blob_dims(im, index, blob, &has))
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != 1)
      wants.dims[wants.rank++] = dims[i];
  if (has.rank == wants.rank &&
      memcmp(has.dims, wants.dims, has.rank * sizeof(*dims)) == 0)
    return true;
  xc_text is = {0}, expected = {0};
  print_dims(&is, has.dims, has.rank);
  print_dims(&expected, wants.dims, wants.rank);
  xc_caffe_error(im, "blob %zu is %s, expected %s", index, xc_text_str(&is),
                 xc_text_str(&expected));
  xc_text_free(&is);
  xc_text_free(&expected);
  return false;
}

/// Where the elements of a blob lie.
typedef struct blob_bytes {
  const void *data;
  size_t count;
  xc_element element;
} blob_bytes;

static bool find_data(xc_caffe_importer *im, size_t index,
                      const Caffe__BlobProto *blob, blob_bytes *bytes) {
  static const xc_element elements[] = {XC_ELEMENT_F64, XC_ELEMENT_F32,
                                        XC_ELEMENT_F16};
  uint64_t type = 0;
  size_t size = 0;
  *bytes = (blob_bytes){blob->data, blob->n_data, XC_ELEMENT_F32};
  if (blob->n_double_data)
    *bytes =
        (blob_bytes){blob->double_data, blob->n_double_data, XC_ELEMENT_F64};
  const uint8_t *raw = find_bytes(blob, FIELD_12, &size);
  if (!raw || !find_varint(blob, FIELD_10, &type))
    return true;
  if (type > 2)
    return xc_caffe_error(
        im, "blob %zu has raw data of type %" PRIu64 ", expected 0 to 2", index,
        type);
  *bytes =
      (blob_bytes){raw, size / xc_element_size(elements[type]), elements[type]};
  return size % xc_element_size(elements[type]) == 0 ||
         xc_caffe_error(im, "blob %zu has no whole number of elements", index);
}

// As floats; those of the file are borrowed.
static xc_graph_value *read_blob(xc_caffe_importer *im, size_t index,
                                 const xc_shape *shape) {
  const Caffe__BlobProto *blob = im->layer->trained->blobs[index];
  blob_bytes bytes;
  if (!check_blob_dims(im, index, blob, shape->dims, shape->rank) ||
      !find_data(im, index, blob, &bytes))
    return NULL;
  int64_t total = xc_shape_num_elements(shape);
  if ((uint64_t)total != bytes.count) {
    xc_caffe_error(im, "blob %zu holds %zu elements, expected %" PRId64, index,
                   bytes.count, total);
    return NULL;
  }
  if (bytes.element == XC_ELEMENT_F32 && bytes.data == blob->data)
    return xc_graph_constant(&im->graph, im->graph.node, shape, bytes.data,
                             false);
  xc_shape from = *shape;
  from.element = bytes.element;
  xc_graph_value *raw =
      xc_graph_constant(&im->graph, im->graph.node, &from, bytes.data, false);
  float *floats =
      xc_arena_alloc(&im->graph.arena, (size_t)total + 1, sizeof(*floats));
  for (int64_t i = 0; i < total; ++i)
    floats[i] = (float)xc_graph_to_real(xc_graph_load(raw, i));
  return xc_graph_constant(&im->graph, im->graph.node, shape, floats, false);
}

static xc_graph_value *make_up(xc_caffe_importer *im, size_t index,
                               xc_caffe_role role, const xc_shape *shape,
                               int64_t fan_in) {
  double bound = sqrt(6.0 / (double)(fan_in > 0 ? fan_in : 1));
  const struct {
    double low, high;
  } ranges[] = {[CAFFE_WEIGHT] = {-bound, bound},
                [CAFFE_BIAS] = {-0.1, 0.1},
                [CAFFE_GAIN] = {0.5, 1},
                [CAFFE_VARIANCE] = {0.5, 1.5},
                [CAFFE_SLOPE] = {0, 0.25}};
  size_t length = strlen(im->graph.node) + 24;
  char *name = xc_arena_alloc(&im->graph.arena, length, 1);
  snprintf(name, length, "%s/%zu", im->graph.node, index);
  xc_graph_value *value =
      xc_graph_constant(&im->graph, name, shape, NULL, false);
  return xc_graph_fill_random(&im->graph, value, ranges[role].low,
                              ranges[role].high)
             ? value
             : NULL;
}

size_t xc_caffe_num_blobs(const xc_caffe_importer *im) {
  return im->layer->trained ? im->layer->trained->num_blobs : 0;
}

xc_graph_value *xc_caffe_blob(xc_caffe_importer *im, size_t index,
                              xc_caffe_role role, const int64_t *dims,
                              size_t rank, int64_t fan_in) {
  xc_shape shape;
  if (xc_graph_failed(&im->graph) ||
      !xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                           XC_ELEMENT_F32, &shape))
    return NULL;
  if (im->graph.options.randomWeights)
    return make_up(im, index, role, &shape, fan_in);
  if (index < xc_caffe_num_blobs(im))
    return read_blob(im, index, &shape);
  if (im->layer->trained)
    xc_caffe_error(im,
                   "it has %zu blob%s in the caffemodel, expected at least "
                   "%zu",
                   xc_caffe_num_blobs(im),
                   xc_caffe_num_blobs(im) == 1 ? "" : "s", index + 1);
  else
    xc_caffe_error(im, "the caffemodel has no layer of this name");
  return NULL;
}

const float *xc_caffe_floats(xc_caffe_importer *im,
                             const xc_graph_value *value) {
  (void)im;
  return (const float *)(const void *)value->data;
}

xc_graph_value *xc_caffe_new_constant(xc_caffe_importer *im, const char *part,
                                      const int64_t *dims, size_t rank,
                                      float **data) {
  xc_shape shape;
  if (!xc_graph_check_dims(&im->graph, im->graph.node, dims, rank,
                           XC_ELEMENT_F32, &shape))
    return NULL;
  int64_t total = xc_shape_num_elements(&shape);
  *data = xc_graph_alloc(&im->graph, total, sizeof(**data));
  if (!*data) {
    xc_caffe_error(im,
                   "needs a constant of %" PRId64 " elements, which is more "
                   "than the size of the model accounts for",
                   total);
    return NULL;
  }
  size_t length = strlen(im->graph.node) + strlen(part) + 2;
  char *name = xc_arena_alloc(&im->graph.arena, length, 1);
  snprintf(name, length, "%s/%s", im->graph.node, part);
  return xc_graph_constant(&im->graph, name, &shape, *data, false);
}
