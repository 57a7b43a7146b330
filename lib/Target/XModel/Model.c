//===- Model.c - an xmodel as a tree of messages --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "Support/ProtoScan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

const char *xc_xmodel_text(const char *string) { return string ? string : ""; }

char *xc_xmodel_copy(const char *string) {
  size_t size = strlen(string) + 1;
  char *copy = xc_alloc(size);
  memcpy(copy, string, size);
  return copy;
}

void *xc_xmodel_message(const ProtobufCMessageDescriptor *type) {
  ProtobufCMessage *message = xc_alloc(type->sizeof_message);
  protobuf_c_message_init(type, message);
  return message;
}

/// Returns the descriptor of a field that the schema is known to have.
static const ProtobufCFieldDescriptor *
field_of(const ProtobufCMessageDescriptor *type, const char *name) {
  const ProtobufCFieldDescriptor *field =
      protobuf_c_message_descriptor_get_field_by_name(type, name);
  assert(field && "the schema has no such field");
  return field;
}

static size_t element_size(ProtobufCType type) {
  switch (type) {
  case PROTOBUF_C_TYPE_INT32:
  case PROTOBUF_C_TYPE_SINT32:
  case PROTOBUF_C_TYPE_SFIXED32:
  case PROTOBUF_C_TYPE_UINT32:
  case PROTOBUF_C_TYPE_FIXED32:
  case PROTOBUF_C_TYPE_FLOAT:
  case PROTOBUF_C_TYPE_ENUM:
    return 4;
  case PROTOBUF_C_TYPE_INT64:
  case PROTOBUF_C_TYPE_SINT64:
  case PROTOBUF_C_TYPE_SFIXED64:
  case PROTOBUF_C_TYPE_UINT64:
  case PROTOBUF_C_TYPE_FIXED64:
  case PROTOBUF_C_TYPE_DOUBLE:
    return 8;
  case PROTOBUF_C_TYPE_BOOL:
    return sizeof(protobuf_c_boolean);
  case PROTOBUF_C_TYPE_STRING:
  case PROTOBUF_C_TYPE_MESSAGE:
    return sizeof(void *);
  case PROTOBUF_C_TYPE_BYTES:
    return sizeof(ProtobufCBinaryData);
  }
  return 0;
}

// The next power of two that holds `count` elements. An array that protobuf-c
// unpacked has no spare room, but realloc to the same size costs nothing.
static size_t room_for(size_t count) {
  size_t room = 4;
  while (room < count)
    room *= 2;
  return room;
}

void *xc_xmodel_insert(void *message, const ProtobufCFieldDescriptor *field,
                       size_t position) {
  assert(field->label == PROTOBUF_C_LABEL_REPEATED && "the field is a list");
  size_t *count = (size_t *)((char *)message + field->quantifier_offset);
  void **array = (void **)((char *)message + field->offset);
  size_t size = element_size(field->type);
  *array = xc_realloc_array(*array, room_for(*count + 1), size);
  if (position > *count)
    position = *count;
  char *slot = (char *)*array + position * size;
  memmove(slot + size, slot, (*count - position) * size);
  memset(slot, 0, size);
  ++*count;
  return slot;
}

static void *append_message(void *message, const char *name) {
  const ProtobufCFieldDescriptor *field =
      field_of(((ProtobufCMessage *)message)->descriptor, name);
  void **slot = xc_xmodel_insert(message, field, SIZE_MAX);
  *slot = xc_xmodel_message(field->descriptor);
  return *slot;
}

static void append_string(void *message, const char *name, const char *text) {
  char **slot = xc_xmodel_insert(
      message, field_of(((ProtobufCMessage *)message)->descriptor, name),
      SIZE_MAX);
  *slot = xc_xmodel_copy(text);
}

static XcXModelAttrs attrs_of(void *message, const char *name) {
  return (XcXModelAttrs){
      message, field_of(((ProtobufCMessage *)message)->descriptor, name)};
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static XcXModel *model_create(SerialV2__Graph *graph, const char *file) {
  XcXModel *model = xc_alloc(sizeof(*model));
  *model = (XcXModel){graph, xc_xmodel_copy(xc_xmodel_text(file)),
                      xc_alloc(sizeof(xc_op_index))};
  return model;
}

XcXModel *xcXModelReadFromMemory(XcDiag *diag, const char *file,
                                 const void *data, size_t size) {
  // An empty message is valid by the rules of protocol buffers.
  if (size == 0) {
    xc_file_error(diag, file, "not a valid xmodel: the file is empty");
    return NULL;
  }
  if (!xc_proto_scan(diag, file, "xmodel", &serial_v2__graph__descriptor, data,
                     size))
    return NULL;
  SerialV2__Graph *graph = serial_v2__graph__unpack(NULL, size, data);
  if (!graph) {
    xc_file_error(diag, file, "not a valid xmodel");
    return NULL;
  }
  XcXModel *model = model_create(graph, file);
  xc_xmodel_op_index(model);
  return model;
}

XcXModel *xcXModelRead(XcDiag *diag, const char *path) {
  xc_buffer buffer;
  if (!xc_read_file(diag, path, &buffer))
    return NULL;
  XcXModel *model =
      xcXModelReadFromMemory(diag, path, buffer.data, buffer.size);
  xc_buffer_free(&buffer);
  return model;
}

void *xcXModelWriteToMemory(const XcXModel *model, size_t *size) {
  *size = serial_v2__graph__get_packed_size(model->graph);
  uint8_t *data = xc_alloc_uninitialized(*size, 1); // all is written
  serial_v2__graph__pack(model->graph, data);
  return data;
}

bool xcXModelWrite(XcDiag *diag, const XcXModel *model, const char *path) {
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  bool ok = xc_write_file(diag, path, data, size);
  free(data);
  return ok;
}

XcXModel *xcXModelCreate(const char *name) {
  SerialV2__Graph *graph = xc_xmodel_message(&serial_v2__graph__descriptor);
  graph->graph_name = xc_xmodel_copy(name);
  return model_create(graph, NULL);
}

void xcXModelDestroy(XcXModel *model) {
  if (!model)
    return;
  serial_v2__graph__free_unpacked(model->graph, NULL);
  free(model->file);
  free(model->index->ops);
  free(model->index);
  free(model);
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

const char *xcXModelGetName(const XcXModel *model) {
  return xc_xmodel_text(model->graph->graph_name);
}

const char *xcXModelGetFile(const XcXModel *model) { return model->file; }

XcXModelAttrs xcXModelGetAttrs(const XcXModel *model) {
  return attrs_of(model->graph, "graph_attr");
}

size_t xcXModelGetNumOps(const XcXModel *model) {
  return model->graph->n_op_node;
}

XcXModelOp *xcXModelGetOp(const XcXModel *model, size_t index) {
  assert(index < model->graph->n_op_node && "operator index out of range");
  return (XcXModelOp *)model->graph->op_node[index];
}

typedef struct index_entry {
  XcXModelOp *op;
  size_t position;
} index_entry;

static int compare_entries(const void *a, const void *b) {
  const index_entry *left = a, *right = b;
  int order = strcmp(xcXModelOpGetName(left->op), xcXModelOpGetName(right->op));
  if (order)
    return order;
  return (left->position > right->position) -
         (left->position < right->position);
}

const xc_op_index *xc_xmodel_op_index(const XcXModel *model) {
  xc_op_index *index = model->index;
  size_t count = xcXModelGetNumOps(model);
  if (index->count == count)
    return index;
  index_entry *entries = xc_alloc_array(count, sizeof(*entries));
  for (size_t i = 0; i < count; ++i)
    entries[i] = (index_entry){xcXModelGetOp(model, i), i};
  qsort(entries, count, sizeof(*entries), compare_entries);
  index->ops = xc_realloc_array(index->ops, count, sizeof(*index->ops));
  for (size_t i = 0; i < count; ++i)
    index->ops[i] = entries[i].op;
  index->count = count;
  free(entries);
  return index;
}

size_t xc_xmodel_rank(const XcXModel *model, const char *name) {
  const xc_op_index *index = xc_xmodel_op_index(model);
  size_t low = 0, high = index->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(xcXModelOpGetName(index->ops[middle]), name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

XcXModelOp *xcXModelFindOp(const XcXModel *model, const char *name) {
  const xc_op_index *index = xc_xmodel_op_index(model);
  size_t rank = xc_xmodel_rank(model, name);
  bool found =
      rank < index->count && !strcmp(xcXModelOpGetName(index->ops[rank]), name);
  return found ? index->ops[rank] : NULL;
}

XcXModelSubgraph *xcXModelGetRoot(const XcXModel *model) {
  return (XcXModelSubgraph *)model->graph->subg_root;
}

size_t xcXModelGetNumOpDefs(const XcXModel *model) {
  return model->graph->n_op_defs;
}

const char *xcXModelGetOpDefName(const XcXModel *model, size_t index) {
  assert(index < model->graph->n_op_defs && "definition index out of range");
  return xc_xmodel_text(model->graph->op_defs[index]->name);
}

//===----------------------------------------------------------------------===//
// Operators and tensors
//===----------------------------------------------------------------------===//

const char *xcXModelOpGetName(const XcXModelOp *op) {
  return xc_xmodel_text(xc_op_node(op)->op_name);
}

const char *xcXModelOpGetType(const XcXModelOp *op) {
  return xc_xmodel_text(xc_op_node(op)->op_type);
}

XcXModelAttrs xcXModelOpGetAttrs(const XcXModelOp *op) {
  return attrs_of(xc_op_node(op), "op_attr");
}

size_t xcXModelOpGetNumArgs(const XcXModelOp *op) {
  return xc_op_node(op)->n_args;
}

static const SerialV2__OpArg *arg_at(const XcXModelOp *op, size_t index) {
  assert(index < xc_op_node(op)->n_args && "argument index out of range");
  return xc_op_node(op)->args[index];
}

const char *xcXModelOpGetArgName(const XcXModelOp *op, size_t index) {
  return xc_xmodel_text(arg_at(op, index)->arg_name);
}

size_t xcXModelOpGetNumArgOps(const XcXModelOp *op, size_t index) {
  return arg_at(op, index)->n_arg_ops;
}

const char *xcXModelOpGetArgOp(const XcXModelOp *op, size_t index,
                               size_t position) {
  const SerialV2__OpArg *arg = arg_at(op, index);
  assert(position < arg->n_arg_ops && "position out of range");
  return xc_xmodel_text(arg->arg_ops[position]);
}

XcXModelTensor *xcXModelOpGetTensor(const XcXModelOp *op) {
  return (XcXModelTensor *)xc_op_node(op)->output_tensor;
}

const char *xcXModelTensorGetName(const XcXModelTensor *tensor) {
  return xc_xmodel_text(xc_tensor_node(tensor)->tensor_name);
}

size_t xcXModelTensorGetRank(const XcXModelTensor *tensor) {
  return xc_tensor_node(tensor)->n_tensor_dim;
}

const uint32_t *xcXModelTensorGetDims(const XcXModelTensor *tensor) {
  return xc_tensor_node(tensor)->tensor_dim;
}

int32_t xcXModelTensorGetDataType(const XcXModelTensor *tensor) {
  return xc_tensor_node(tensor)->data_type;
}

int32_t xcXModelTensorGetBitWidth(const XcXModelTensor *tensor) {
  return xc_tensor_node(tensor)->tensor_bit_width;
}

XcXModelAttrs xcXModelTensorGetAttrs(const XcXModelTensor *tensor) {
  return attrs_of(xc_tensor_node(tensor), "tensor_attr");
}

//===----------------------------------------------------------------------===//
// Subgraphs
//===----------------------------------------------------------------------===//

const char *xcXModelSubgraphGetName(const XcXModelSubgraph *subgraph) {
  return xc_xmodel_text(xc_subgraph_node(subgraph)->subgraph_name);
}

size_t xcXModelSubgraphGetNumOps(const XcXModelSubgraph *subgraph) {
  return xc_subgraph_node(subgraph)->n_op_name;
}

const char *xcXModelSubgraphGetOp(const XcXModelSubgraph *subgraph,
                                  size_t index) {
  assert(index < xcXModelSubgraphGetNumOps(subgraph) && "index out of range");
  return xc_xmodel_text(xc_subgraph_node(subgraph)->op_name[index]);
}

XcXModelAttrs xcXModelSubgraphGetAttrs(const XcXModelSubgraph *subgraph) {
  return attrs_of(xc_subgraph_node(subgraph), "subg_attr");
}

size_t xcXModelSubgraphGetNumChildren(const XcXModelSubgraph *subgraph) {
  return xc_subgraph_node(subgraph)->n_subg_child;
}

XcXModelSubgraph *xcXModelSubgraphGetChild(const XcXModelSubgraph *subgraph,
                                           size_t index) {
  assert(index < xcXModelSubgraphGetNumChildren(subgraph) &&
         "index out of range");
  return (XcXModelSubgraph *)xc_subgraph_node(subgraph)->subg_child[index];
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

XcXModelOp *xcXModelAddOp(XcXModel *model, const char *name, const char *type) {
  SerialV2__OPNode *node = append_message(model->graph, "op_node");
  node->op_name = xc_xmodel_copy(name);
  node->op_type = xc_xmodel_copy(type);
  return (XcXModelOp *)node;
}

void xcXModelOpAddArg(XcXModelOp *op, const char *name, const char *const *ops,
                      size_t count) {
  SerialV2__OpArg *arg = append_message(xc_op_node(op), "args");
  arg->arg_name = xc_xmodel_copy(name);
  for (size_t i = 0; i < count; ++i)
    append_string(arg, "arg_ops", ops[i]);
}

// A field with the value zero is not written in proto3, apart from maps.
static void set_int32(int32_t *member, protobuf_c_boolean *has, int32_t value) {
  *member = value;
  *has = value != 0;
}

XcXModelTensor *xcXModelOpSetTensor(XcXModelOp *op, const char *name,
                                    XcXModelDataType data_type,
                                    int32_t bit_width, const uint32_t *dims,
                                    size_t rank) {
  SerialV2__OPNode *node = xc_op_node(op);
  if (node->output_tensor)
    serial_v2__tensor__free_unpacked(node->output_tensor, NULL);
  SerialV2__Tensor *tensor = xc_xmodel_message(&serial_v2__tensor__descriptor);
  node->output_tensor = tensor;
  tensor->tensor_name = xc_xmodel_copy(name);
  set_int32(&tensor->data_type, &tensor->has_data_type, (int32_t)data_type);
  set_int32(&tensor->tensor_bit_width, &tensor->has_tensor_bit_width,
            bit_width);
  const ProtobufCFieldDescriptor *field =
      field_of(&serial_v2__tensor__descriptor, "tensor_dim");
  for (size_t i = 0; i < rank; ++i)
    *(uint32_t *)xc_xmodel_insert(tensor, field, SIZE_MAX) = dims[i];
  return (XcXModelTensor *)tensor;
}

void xc_xmodel_type_word(const XcXModelTensor *tensor, xc_text *text) {
  static const char *const words[] = {[XcXModelDataTypeInt] = "INT",
                                      [XcXModelDataTypeUint] = "UINT",
                                      [XcXModelDataTypeXint] = "XINT",
                                      [XcXModelDataTypeXuint] = "XUINT",
                                      [XcXModelDataTypeFloat] = "FLOAT"};
  int32_t type = xcXModelTensorGetDataType(tensor);
  bool is_known =
      type >= 0 && (size_t)type < sizeof(words) / sizeof(*words) && words[type];
  xc_text_printf(text, "%s%" PRId32, is_known ? words[type] : "UNKNOWN",
                 xcXModelTensorGetBitWidth(tensor));
}

void xcXModelOpSetShape(XcXModelOp *op) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  XcXModelAttr shape = xcXModelAttrsSet(attrs, "shape", XcXModelKindInt32Vec);
  for (size_t i = 0; i < xcXModelTensorGetRank(tensor); ++i)
    xcXModelAttrAppend(shape, NULL,
                       xcXModelValueInt(xcXModelTensorGetDims(tensor)[i]));
  xc_text word = {0};
  xc_xmodel_type_word(tensor, &word);
  xcXModelAttrsSetString(attrs, "data_type", xc_text_str(&word));
  xc_text_free(&word);
}

void xcXModelTensorSetName(XcXModelTensor *tensor, const char *name) {
  SerialV2__Tensor *node = xc_tensor_node(tensor);
  free(node->tensor_name);
  node->tensor_name = xc_xmodel_copy(name);
}

XcXModelSubgraph *xcXModelAddRoot(XcXModel *model, const char *name) {
  SerialV2__Graph *graph = model->graph;
  if (!graph->subg_root) {
    graph->subg_root = xc_xmodel_message(&serial_v2__sub_graph__descriptor);
    graph->subg_root->subgraph_name = xc_xmodel_copy(name);
  }
  return (XcXModelSubgraph *)graph->subg_root;
}

XcXModelSubgraph *xcXModelSubgraphAddChild(XcXModelSubgraph *parent,
                                           const char *name) {
  SerialV2__SubGraph *child =
      append_message(xc_subgraph_node(parent), "subg_child");
  child->subgraph_name = xc_xmodel_copy(name);
  return (XcXModelSubgraph *)child;
}

void xcXModelSubgraphAddOp(XcXModelSubgraph *subgraph, const char *op) {
  append_string(xc_subgraph_node(subgraph), "op_name", op);
}
