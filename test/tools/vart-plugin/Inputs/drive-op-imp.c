//===- drive-op-imp.c - runs operators as the board's runtime does --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   drive-op-imp LIBRARY PART THREADS
//
// Opens a library of the runtime's kind and runs the operators of one subgraph
// by its three functions, in each thread on all sets of inputs; has the
// functions that such a library calls. Writes what the first thread got to the
// standard output; the others must get the same. PART is what op_imp.py writes.
// Knows nothing of xc.
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
  const char *data;
  size_t size;
} text;

typedef struct value {
  uint32_t tag;
  union {
    int32_t i32;
    uint64_t u64;
    text bytes;
  } u;
} value;

typedef struct attrs {
  uint32_t count;
  struct {
    text key;
    value value;
  } list[64];
} attrs;

typedef struct tensor {
  uint32_t rank;
  uint64_t size;
} tensor;

typedef struct op {
  attrs attrs;
  tensor tensor;
} op;

enum { MAX = 64 };

static struct {
  attrs attrs; // of the subgraph
  uint32_t num_inputs, num_ops, num_sets;
  tensor inputs[MAX];
  op ops[MAX];
  unsigned char *sets[MAX][MAX]; // by set, by input
} part;

typedef struct buffer {
  const tensor *tensor;
  void *data;
} buffer;

static void fail(const char *message) {
  fprintf(stderr, "drive-op-imp: %s\n", message);
  exit(1);
}

//===----------------------------------------------------------------------===//
// The runtime's functions
//===----------------------------------------------------------------------===//

typedef struct address {
  uint64_t address;
  size_t size;
} address;

void *xir_op_get_graph(void *o);
void *xir_op_get_attrs(void *o);
void *xir_graph_get_leaf_subgraph(void *graph, void *o);
void *xir_subgraph_get_attrs(void *subgraph);
text xir_subgraph_get_name(void *subgraph);
void xir_subgraph_get_ops(void *subgraph, void *data,
                          void (*visit)(void *data, void *o));
value xir2_attrs_get(void *attributes, text key);
uint64_t xir_tensor_get_data_size(void *t);
int32_t xir_tensor_get_dim_num(void *t);
void *vart_tensor_buffer_get_tensor(void *b);
address vart_tensor_buffer_data(void *b, int32_t *index, size_t rank);

void *xir_op_get_graph(void *o) { return o ? &part : NULL; }
void *xir_op_get_attrs(void *o) { return &((op *)o)->attrs; }
void *xir_graph_get_leaf_subgraph(void *graph, void *o) {
  return o ? graph : NULL;
}
void *xir_subgraph_get_attrs(void *subgraph) {
  return subgraph == &part ? &part.attrs : NULL;
}
text xir_subgraph_get_name(void *subgraph) {
  return (text){subgraph == &part ? "part" : "", 4};
}
// In no order that says anything.
void xir_subgraph_get_ops(void *subgraph, void *data,
                          void (*visit)(void *data, void *o)) {
  for (uint32_t i = part.num_ops; subgraph == &part && i-- > 0;)
    visit(data, &part.ops[i]);
}
value xir2_attrs_get(void *attributes, text key) {
  const attrs *a = attributes;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->list[i].key.size == key.size &&
        memcmp(a->list[i].key.data, key.data, key.size) == 0)
      return a->list[i].value;
  return (value){0};
}
uint64_t xir_tensor_get_data_size(void *t) { return ((tensor *)t)->size; }
int32_t xir_tensor_get_dim_num(void *t) { return (int32_t)((tensor *)t)->rank; }
void *vart_tensor_buffer_get_tensor(void *b) {
  return (void *)(uintptr_t)((buffer *)b)->tensor;
}
address vart_tensor_buffer_data(void *b, int32_t *index, size_t rank) {
  const buffer *found = b;
  if (rank != found->tensor->rank)
    fail("an element is asked for by another number of dimensions");
  for (size_t i = 0; i < rank; ++i)
    if (index[i] != 0)
      fail("another element than the first is asked for");
  return (address){(uint64_t)(uintptr_t)found->data,
                   (size_t)found->tensor->size};
}

//===----------------------------------------------------------------------===//
// The part
//===----------------------------------------------------------------------===//

static void get(FILE *file, void *to, size_t size) {
  if (size && fread(to, size, 1, file) != 1)
    fail("the part ends early");
}

static uint32_t get32(FILE *file) {
  uint32_t number;
  get(file, &number, sizeof(number));
  return number;
}

static uint64_t get64(FILE *file) {
  uint64_t number;
  get(file, &number, sizeof(number));
  return number;
}

static uint32_t get_count(FILE *file) {
  uint32_t count = get32(file);
  if (count > MAX)
    fail("the part is too large");
  return count;
}

static void *get_bytes(FILE *file, size_t size) {
  void *bytes = malloc(size + 1);
  if (!bytes)
    fail("no memory");
  get(file, bytes, size);
  return bytes;
}

static void get_attrs(FILE *file, attrs *a) {
  a->count = get_count(file);
  for (uint32_t i = 0; i < a->count; ++i) {
    a->list[i].key.size = get32(file);
    a->list[i].key.data = get_bytes(file, a->list[i].key.size);
    value *v = &a->list[i].value;
    v->tag = get32(file);
    uint64_t number = get64(file);
    if (v->tag == 14) // XIR_ATTR_TYPE_TAG_i32
      v->u.i32 = (int32_t)number;
    else if (v->tag == 34) // ..._u64
      v->u.u64 = number;
    else // ..._string, ..._bytes
      v->u.bytes = (text){get_bytes(file, number), number};
  }
}

static void get_tensor(FILE *file, tensor *t) {
  t->rank = get32(file);
  t->size = get64(file);
}

static void get_part(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail("there is no part");
  get_attrs(file, &part.attrs);
  part.num_inputs = get_count(file);
  for (uint32_t i = 0; i < part.num_inputs; ++i)
    get_tensor(file, &part.inputs[i]);
  part.num_ops = get_count(file);
  for (uint32_t i = 0; i < part.num_ops; ++i) {
    get_attrs(file, &part.ops[i].attrs);
    get_tensor(file, &part.ops[i].tensor);
  }
  part.num_sets = get_count(file);
  for (uint32_t s = 0; s < part.num_sets; ++s)
    for (uint32_t i = 0; i < part.num_inputs; ++i)
      part.sets[s][i] = get_bytes(file, part.inputs[i].size);
  fclose(file);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

typedef struct input {
  const char *name;
  size_t count;
  void **args;
} input;

typedef struct implementation {
  void *(*init)(void *o, void *attributes);
  void (*cleanup)(void *self);
  int (*calculate)(void *self, input *inputs, size_t count, void *output);
} implementation;

static implementation (*find_implementation)(void *o);

typedef struct runner {
  size_t number;
  pthread_t thread;
  unsigned char *outputs[MAX][MAX]; // by set, by operator
} runner;

static void run_set(runner *r, implementation *found, void **selves,
                    uint32_t set) {
  buffer inputs[MAX];
  void *handles[MAX];
  for (uint32_t i = 0; i < part.num_inputs; ++i) {
    inputs[i] = (buffer){&part.inputs[i], part.sets[set][i]};
    handles[i] = &inputs[i];
  }
  for (uint32_t i = 0; i < part.num_ops; ++i) {
    input group = {"input", part.num_inputs, handles};
    buffer output = {&part.ops[i].tensor, malloc(part.ops[i].tensor.size + 1)};
    if (!output.data)
      fail("no memory");
    memset(output.data, 0x5a, part.ops[i].tensor.size);
    if (found[i].calculate(selves[i], &group, 1, &output) != 0)
      fail("an operator fails");
    r->outputs[set][i] = output.data;
  }
}

static void *run(void *data) {
  runner *r = data;
  implementation found[MAX];
  void *selves[MAX];
  for (uint32_t i = 0; i < part.num_ops; ++i) {
    found[i] = find_implementation(&part.ops[i]);
    selves[i] = found[i].init(&part.ops[i], NULL);
  }
  for (uint32_t s = 0; s < part.num_sets; ++s)
    run_set(r, found, selves, (uint32_t)(r->number + s) % part.num_sets);
  for (uint32_t i = 0; i < part.num_ops; ++i)
    found[i].cleanup(selves[i]);
  return NULL;
}

int main(int argc, char **argv) {
  static runner runners[MAX];
  if (argc != 4)
    fail("usage: drive-op-imp LIBRARY PART THREADS");
  get_part(argv[2]);
  size_t threads = strtoul(argv[3], NULL, 10);
  void *library = dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL);
  void *entry = library ? dlsym(library, "vart_init_op_imp") : NULL;
  if (!entry || threads == 0 || threads > MAX)
    fail(library ? "no function vart_init_op_imp" : dlerror());
  memcpy(&find_implementation, &entry, sizeof(entry));
  for (size_t t = 0; t < threads; ++t) {
    runners[t].number = t;
    if (pthread_create(&runners[t].thread, NULL, run, &runners[t]) != 0)
      fail("no thread");
  }
  for (size_t t = 0; t < threads; ++t)
    pthread_join(runners[t].thread, NULL);
  for (uint32_t s = 0; s < part.num_sets; ++s)
    for (uint32_t i = 0; i < part.num_ops; ++i) {
      for (size_t t = 1; t < threads; ++t)
        if (memcmp(runners[t].outputs[s][i], runners[0].outputs[s][i],
                   part.ops[i].tensor.size) != 0)
          fail("threads disagree");
      fwrite(runners[0].outputs[s][i], part.ops[i].tensor.size, 1, stdout);
    }
  return 0;
}
