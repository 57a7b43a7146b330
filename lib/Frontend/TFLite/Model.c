//===- Model.c - a TensorFlow Lite model as read --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const xc_fb_field fields[] = {
#define XC_TFLITE_FIELD(table, name, index, type, value)                       \
  {#table, #name, index, XC_FB_##type, false, value},
#define XC_TFLITE_VECTOR(table, name, index, type)                             \
  {#table, #name, index, XC_FB_##type, true, 0},
#include "Schema.def"
};

const xc_fb_field *xc_tflite_field(xc_tflite_field_id id) {
  return &fields[id];
}

// clang-format off
static const struct {
  const char *name;
  xc_element element;
} types[] = {
    {"FLOAT32", XC_ELEMENT_F32},  {"FLOAT16", XC_ELEMENT_F16},
    {"INT32", XC_ELEMENT_I32},    {"UINT8", XC_ELEMENT_UI8},
    {"INT64", XC_ELEMENT_I64},    {"STRING", XC_ELEMENT_NONE},
    {"BOOL", XC_ELEMENT_I1},      {"INT16", XC_ELEMENT_I16},
    {"COMPLEX64", XC_ELEMENT_NONE}, {"INT8", XC_ELEMENT_I8},
    {"FLOAT64", XC_ELEMENT_F64},  {"COMPLEX128", XC_ELEMENT_NONE},
    {"UINT64", XC_ELEMENT_UI64},  {"RESOURCE", XC_ELEMENT_NONE},
    {"VARIANT", XC_ELEMENT_NONE}, {"UINT32", XC_ELEMENT_UI32},
    {"UINT16", XC_ELEMENT_UI16},  {"INT4", XC_ELEMENT_NONE},
};
// clang-format on
enum { NUM_TYPES = sizeof(types) / sizeof(*types) };

typedef struct reader {
  xc_flatbuffer *buffer;
  xc_arena *arena;
  xc_tflite_model *model;
  xc_fb_vector buffers;
} reader;

static int64_t get_int(const reader *r, const xc_fb_table *table,
                       xc_tflite_field_id id) {
  return xc_fb_int(r->buffer, table, &fields[id]);
}
static xc_fb_vector get_vector(const reader *r, const xc_fb_table *table,
                               xc_tflite_field_id id) {
  return xc_fb_vector_of(r->buffer, table, &fields[id]);
}

// Names go into messages of one line, so control characters become spaces.
static const char *get_string(const reader *r, const xc_fb_table *table,
                              xc_tflite_field_id id) {
  xc_fb_vector bytes = get_vector(r, table, id);
  char *string = xc_arena_string(
      r->arena, (const char *)xc_fb_vector_bytes(r->buffer, &bytes),
      bytes.count);
  for (char *at = string; *at; ++at)
    if (iscntrl((unsigned char)*at))
      *at = ' ';
  return string;
}

// Copies a vector of 32-bit integers whose values must lie in low..high.
static const int32_t *get_indices(const reader *r, const xc_fb_table *table,
                                  xc_tflite_field_id id, int64_t low,
                                  int64_t high, size_t *count) {
  xc_fb_vector vector = get_vector(r, table, id);
  int32_t *entries = xc_arena_alloc(r->arena, vector.count, sizeof(*entries));
  for (size_t i = 0; i < vector.count; ++i) {
    int64_t value = xc_fb_vector_int(r->buffer, &vector, i);
    if (value < low || value > high)
      xc_fb_error(r->buffer,
                  "%s.%s: entry %zu is %" PRId64 ", but there are %" PRId64
                  " tensors",
                  fields[id].table, fields[id].name, i, value, high + 1);
    entries[i] = (int32_t)value;
  }
  *count = vector.count;
  return entries;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static bool read_dims(const reader *r, const xc_fb_table *table,
                      xc_tflite_field_id id, const xc_tflite_tensor *tensor,
                      size_t *rank, int64_t dims[XC_MAX_RANK]) {
  xc_fb_vector vector = get_vector(r, table, id);
  if (vector.count > XC_MAX_RANK)
    return xc_fb_error(r->buffer,
                       "tensor '%s' has rank %zu, expected at most %d",
                       tensor->name, vector.count, XC_MAX_RANK);
  *rank = vector.count;
  for (size_t i = 0; i < vector.count; ++i) {
    dims[i] = xc_fb_vector_int(r->buffer, &vector, i);
    if (dims[i] < -1)
      return xc_fb_error(r->buffer,
                         "tensor '%s' has size %" PRId64
                         " in dimension %zu, expected -1 or more",
                         tensor->name, dims[i], i);
  }
  return true;
}

static bool read_quantization(const reader *r, const xc_fb_table *table,
                              xc_tflite_tensor *tensor) {
  xc_fb_table q =
      xc_fb_table_of(r->buffer, table, &fields[XC_TFL_Tensor_quantization]);
  if (get_int(r, &q, XC_TFL_Quantization_details_type) != 0)
    tensor->refused = "has a custom quantization";
  xc_fb_vector scales = get_vector(r, &q, XC_TFL_Quantization_scale);
  xc_fb_vector points = get_vector(r, &q, XC_TFL_Quantization_zero_point);
  if (scales.count == 0)
    return true;
  if (points.count != 0 && points.count != scales.count)
    return xc_fb_error(r->buffer,
                       "tensor '%s' has %zu zero points, expected %zu as it "
                       "has scales",
                       tensor->name, points.count, scales.count);
  float *scale = xc_arena_alloc(r->arena, scales.count, sizeof(*scale));
  int32_t *point = xc_arena_alloc(r->arena, scales.count, sizeof(*point));
  for (size_t i = 0; i < scales.count; ++i) {
    scale[i] = xc_fb_vector_float(r->buffer, &scales, i);
    int64_t value = points.count ? xc_fb_vector_int(r->buffer, &points, i) : 0;
    if (value < INT16_MIN || value > UINT16_MAX)
      return xc_fb_error(r->buffer,
                         "tensor '%s' has zero point %" PRId64
                         ", expected %d to %d",
                         tensor->name, value, INT16_MIN, UINT16_MAX);
    point[i] = (int32_t)value;
  }
  tensor->scales = scale;
  tensor->zero_points = point;
  tensor->num_scales = scales.count;
  tensor->axis = get_int(r, &q, XC_TFL_Quantization_quantized_dimension);
  return true;
}

// Reads the bytes of a constant: in the table, or after it in files above 2 GB.
static bool read_content(const reader *r, int64_t index,
                         xc_tflite_tensor *tensor) {
  if (index < 0 || (size_t)index >= r->buffers.count)
    return xc_fb_error(r->buffer,
                       "tensor '%s' names buffer %" PRId64
                       ", but there are %zu buffers",
                       tensor->name, index, r->buffers.count);
  xc_fb_table buffer =
      xc_fb_vector_table(r->buffer, &r->buffers, (size_t)index);
  int64_t offset = get_int(r, &buffer, XC_TFL_Buffer_offset);
  int64_t size = get_int(r, &buffer, XC_TFL_Buffer_size);
  if (offset > 1) {
    size_t all = r->buffer->size;
    if ((uint64_t)offset > all || (uint64_t)size > all - (size_t)offset)
      return xc_fb_error(r->buffer,
                         "buffer %" PRId64 " has %" PRId64
                         " bytes at offset %" PRId64
                         ", which the file of %zu bytes does not have",
                         index, size, offset, all);
    tensor->data = size > 0 ? r->buffer->data + offset : NULL;
    tensor->size = (size_t)size;
    return true;
  }
  // Several tensors may name one buffer, so it counts in no budget here.
  size_t budget = r->buffer->budget;
  xc_fb_vector data = get_vector(r, &buffer, XC_TFL_Buffer_data);
  r->buffer->budget = budget;
  if (data.count) {
    tensor->data = xc_fb_vector_bytes(r->buffer, &data);
    tensor->size = data.count;
  }
  return true;
}

static bool check_content(const reader *r, const xc_tflite_tensor *tensor) {
  if (!tensor->data || tensor->refused || tensor->element == XC_ELEMENT_NONE)
    return true;
  size_t expected = xc_element_size(tensor->element);
  for (size_t i = 0; i < tensor->rank; ++i) {
    size_t dim = tensor->dims[i] < 0 ? 0 : (size_t)tensor->dims[i];
    if (dim != 0 && expected > tensor->size / dim)
      expected = SIZE_MAX; // more than there is, and no overflow
    else
      expected *= dim;
    if (expected == SIZE_MAX)
      break;
  }
  if (expected == tensor->size)
    return true;
  xc_text shape = {0};
  for (size_t i = 0; i < tensor->rank; ++i)
    xc_text_printf(&shape, "%" PRId64 "x", tensor->dims[i]);
  xc_fb_error(
      r->buffer, "tensor '%s' of %s%s does not fit its buffer of %zu bytes",
      tensor->name, xc_text_str(&shape), tensor->type_name, tensor->size);
  xc_text_free(&shape);
  return false;
}

static bool read_sparse(const reader *r, const xc_fb_table *table,
                        xc_tflite_tensor *tensor) {
  const xc_fb_field *field = &fields[XC_TFL_Tensor_sparsity];
  if (!xc_fb_has(r->buffer, table, field) || tensor->refused ||
      tensor->element == XC_ELEMENT_NONE)
    return true;
  if (!tensor->data) {
    tensor->refused = "is stored sparse and has no content";
    return true;
  }
  xc_fb_table sparsity = xc_fb_table_of(r->buffer, table, field);
  return xc_tflite_read_sparse(r->buffer, &sparsity, r->arena, tensor);
}

static bool read_tensor(const reader *r, const xc_fb_table *table,
                        size_t index) {
  xc_tflite_tensor *tensor = &r->model->tensors[index];
  tensor->name = get_string(r, table, XC_TFL_Tensor_name);
  if (*tensor->name == '\0') {
    xc_text name = {0};
    xc_text_printf(&name, "tensor%zu", index);
    tensor->name = xc_arena_string(r->arena, name.data, name.length);
    xc_text_free(&name);
  }
  int64_t type = get_int(r, table, XC_TFL_Tensor_type);
  if (type < 0 || type >= NUM_TYPES)
    return xc_fb_error(
        r->buffer, "tensor '%s' has element type %" PRId64 ", expected 0 to %d",
        tensor->name, type, NUM_TYPES - 1);
  tensor->type_name = types[type].name;
  tensor->element = types[type].element;
  return read_dims(r, table, XC_TFL_Tensor_shape, tensor, &tensor->rank,
                   tensor->dims) &&
         read_dims(r, table, XC_TFL_Tensor_shape_signature, tensor,
                   &tensor->signature_rank, tensor->signature) &&
         read_quantization(r, table, tensor) &&
         read_content(r, get_int(r, table, XC_TFL_Tensor_buffer), tensor) &&
         read_sparse(r, table, tensor) && check_content(r, tensor);
}

static bool read_tensors(const reader *r, const xc_fb_table *subgraph) {
  xc_fb_vector tensors = get_vector(r, subgraph, XC_TFL_SubGraph_tensors);
  r->model->tensors =
      xc_arena_alloc(r->arena, tensors.count, sizeof(*r->model->tensors));
  r->model->num_tensors = tensors.count;
  for (size_t i = 0; i < tensors.count; ++i) {
    xc_fb_table table = xc_fb_vector_table(r->buffer, &tensors, i);
    if (r->buffer->failed || !read_tensor(r, &table, i))
      return false;
  }
  return !r->buffer->failed;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

typedef struct operator_code {
  int64_t code;
  const char *custom;
} operator_code;

static operator_code read_code(const reader *r, const xc_fb_table *table) {
  // The first field is a byte that had to be enough until 127.
  int64_t old = get_int(r, table, XC_TFL_OperatorCode_deprecated_builtin_code);
  int64_t code = get_int(r, table, XC_TFL_OperatorCode_builtin_code);
  return (operator_code){code > old ? code : old,
                         get_string(r, table, XC_TFL_OperatorCode_custom_code)};
}

static bool read_operator(const reader *r, const xc_fb_table *table,
                          const operator_code *codes, size_t num_codes,
                          xc_tflite_operator *operator) {
  int64_t index = get_int(r, table, XC_TFL_Operator_opcode_index);
  if (index < 0 || (size_t)index >= num_codes)
    return xc_fb_error(r->buffer,
                       "Operator.opcode_index: %" PRId64
                       ", but there are %zu operator codes",
                       index, num_codes);
  operator->code = codes[index].code;
  operator->custom = codes[index].custom;
  int64_t last = (int64_t)r->model->num_tensors - 1;
  operator->inputs = get_indices(r, table, XC_TFL_Operator_inputs, -1, last,
                                 &operator->num_inputs);
  operator->outputs = get_indices(r, table, XC_TFL_Operator_outputs, 0, last,
                                  &operator->num_outputs);
  operator->options_type =
      (unsigned)get_int(r, table, XC_TFL_Operator_builtin_options_type);
  operator->options = xc_fb_table_of(r->buffer, table,
                                     &fields[XC_TFL_Operator_builtin_options]);
  xc_fb_vector custom = get_vector(r, table, XC_TFL_Operator_custom_options);
  operator->custom_options = xc_fb_vector_bytes(r->buffer, &custom);
  operator->custom_size = custom.count;
  return !r->buffer->failed;
}

static bool read_operators(const reader *r, const xc_fb_table *root,
                           const xc_fb_table *subgraph) {
  xc_fb_vector table = get_vector(r, root, XC_TFL_Model_operator_codes);
  operator_code *codes = xc_arena_alloc(r->arena, table.count, sizeof(*codes));
  for (size_t i = 0; i < table.count && !r->buffer->failed; ++i) {
    xc_fb_table row = xc_fb_vector_table(r->buffer, &table, i);
    codes[i] = read_code(r, &row);
  }
  xc_fb_vector operators = get_vector(r, subgraph, XC_TFL_SubGraph_operators);
  r->model->operators =
      xc_arena_alloc(r->arena, operators.count, sizeof(*r->model->operators));
  r->model->num_operators = operators.count;
  for (size_t i = 0; i < operators.count; ++i) {
    xc_fb_table row = xc_fb_vector_table(r->buffer, &operators, i);
    if (r->buffer->failed ||
        !read_operator(r, &row, codes, table.count, &r->model->operators[i]))
      return false;
  }
  return !r->buffer->failed;
}

bool xc_tflite_read(xc_flatbuffer *buffer, const xc_fb_table *root,
                    xc_arena *arena, xc_tflite_model *model) {
  enum { SCHEMA_VERSION = 3 };
  reader r = {.buffer = buffer, .arena = arena, .model = model};
  *model = (xc_tflite_model){0};
  int64_t version = get_int(&r, root, XC_TFL_Model_version);
  if (version != SCHEMA_VERSION)
    return xc_fb_error(buffer, "schema version is %" PRId64 ", expected %d",
                       version, SCHEMA_VERSION);
  xc_fb_vector subgraphs = get_vector(&r, root, XC_TFL_Model_subgraphs);
  if (subgraphs.count == 0)
    return xc_fb_error(buffer, "the model has no subgraph");
  xc_fb_table subgraph = xc_fb_vector_table(buffer, &subgraphs, 0);
  r.buffers = get_vector(&r, root, XC_TFL_Model_buffers);
  model->name = get_string(&r, &subgraph, XC_TFL_SubGraph_name);
  if (buffer->failed || !read_tensors(&r, &subgraph))
    return false;
  int64_t last = (int64_t)model->num_tensors - 1;
  model->inputs = get_indices(&r, &subgraph, XC_TFL_SubGraph_inputs, 0, last,
                              &model->num_inputs);
  model->outputs = get_indices(&r, &subgraph, XC_TFL_SubGraph_outputs, 0, last,
                               &model->num_outputs);
  return !buffer->failed && read_operators(&r, root, &subgraph);
}
