//===- Picture.c - pictures of an xmodel: Graphviz and SVG ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both pictures show the operators that carry data; parameters are left out.
// The SVG puts an operator one layer below the lowest of its producers, and
// orders a layer by the mean position of the producers.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "Print.h"

#include "Support/Diag.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NO_GROUP = -1 };

typedef struct node {
  const XcXModelOp *op; // null: a parameter, not shown
  int32_t group;        // child of the root, or NO_GROUP
  size_t layer;
  size_t column;
  size_t num_producers;
  double wish; // sum, then mean, of the producers' columns
} node;

typedef struct picture {
  const XcXModel *model;
  XcXModelOp **order; // topological
  size_t count;
  node *nodes; // by rank in the index of operators
  size_t num_layers;
} picture;

static node *node_of(const picture *p, const char *name) {
  if (!xcXModelFindOp(p->model, name))
    return NULL;
  return &p->nodes[xc_xmodel_rank(p->model, name)];
}

static bool has_producer(const picture *p, const XcXModelOp *op) {
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i) {
      const node *producer = node_of(p, xcXModelOpGetArgOp(op, a, i));
      if (producer && producer->op)
        return true;
    }
  return false;
}

static bool is_parameter(const picture *p, const XcXModelOp *op) {
  const char *type = xcXModelOpGetType(op);
  if (!strcmp(type, "const") || !strcmp(type, "const-fix"))
    return true;
  return !strcmp(type, "fix") && !has_producer(p, op);
}

static void assign_groups(picture *p, const XcXModelSubgraph *subgraph,
                          int32_t group) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i) {
    node *n = node_of(p, xcXModelSubgraphGetOp(subgraph, i));
    if (n)
      n->group = group;
  }
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    assign_groups(p, xcXModelSubgraphGetChild(subgraph, i), group);
}

// Calls `each` for every producer that is shown.
typedef void (*producer_handler)(picture *p, node *producer, node *consumer,
                                 FILE *output);

static void for_each_producer(picture *p, node *consumer, FILE *output,
                              producer_handler each) {
  const XcXModelOp *op = consumer->op;
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i) {
      node *producer = node_of(p, xcXModelOpGetArgOp(op, a, i));
      if (producer && producer->op)
        each(p, producer, consumer, output);
    }
}

static void sink_below(picture *p, node *producer, node *consumer,
                       FILE *output) {
  (void)p;
  (void)output;
  if (consumer->layer <= producer->layer)
    consumer->layer = producer->layer + 1;
}

static bool picture_begin(XcDiag *diag, const XcXModel *model, picture *p) {
  *p = (picture){.model = model};
  if (!xcXModelVerify(diag, model))
    return false;
  p->order = xc_xmodel_topological_order(model, &p->count);
  p->nodes = xc_alloc_array(p->count, sizeof(*p->nodes));
  for (size_t i = 0; i < p->count; ++i)
    p->nodes[i].group = NO_GROUP;
  const XcXModelSubgraph *root = xcXModelGetRoot(model);
  for (size_t i = 0; root && i < xcXModelSubgraphGetNumChildren(root); ++i)
    assign_groups(p, xcXModelSubgraphGetChild(root, i), (int32_t)i);
  for (size_t i = 0; i < p->count; ++i) {
    node *n = node_of(p, xcXModelOpGetName(p->order[i]));
    if (is_parameter(p, p->order[i]))
      continue;
    n->op = p->order[i];
    for_each_producer(p, n, NULL, sink_below);
    if (n->layer >= p->num_layers)
      p->num_layers = n->layer + 1;
  }
  return true;
}

static void picture_end(picture *p) {
  free(p->order);
  free(p->nodes);
}

typedef void (*text_printer)(FILE *output, const char *text);

// The end of a name tells operators of one network apart: what is left out
// before it ends with a whole word, where that leaves enough, and is an
// ellipsis.
static void print_short_name(FILE *output, const char *name, size_t longest,
                             text_printer print) {
  enum { FEWEST = 8 };
  static const char separators[] = "/.;:_";
  size_t length = strlen(name);
  if (length > longest) {
    name += length - longest + 1;
    while (((unsigned char)*name & 0xc0) == 0x80) // not within a UTF-8 sequence
      ++name;
    const char *word = name - 1; // a separator: the name begins with a word
    word += strcspn(word, separators);
    word += strspn(word, separators);
    if (strlen(word) >= FEWEST)
      name = word;
    print(output, "\xe2\x80\xa6");
  }
  print(output, name);
}

static void print_shape(FILE *output, const XcXModelOp *op) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  for (size_t i = 0; tensor && i < xcXModelTensorGetRank(tensor); ++i)
    fprintf(output, "%s%" PRIu32, i ? "x" : "",
            xcXModelTensorGetDims(tensor)[i]);
}

static const char *device_of(const picture *p, int32_t group) {
  if (group == NO_GROUP)
    return "";
  const char *device =
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(xcXModelSubgraphGetChild(
                                 xcXModelGetRoot(p->model), (size_t)group)),
                             "device");
  return device ? device : "";
}

static const char *colour_of(const picture *p, int32_t group) {
  const char *device = device_of(p, group);
  if (!strcmp(device, "DPU"))
    return "#cfe8cf";
  if (!strcmp(device, "CPU"))
    return "#f6d9c0";
  return "#e4e4ec";
}

//===----------------------------------------------------------------------===//
// Graphviz
//===----------------------------------------------------------------------===//

static void print_dot_text(FILE *output, const char *text) {
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\')
      fputc('\\', output);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, output);
  }
}

static void print_dot_node(const picture *p, const node *n, FILE *output) {
  fprintf(output, "  n%td [label=\"", n - p->nodes);
  print_dot_text(output, xcXModelOpGetType(n->op));
  fputs("\\n", output);
  print_short_name(output, xcXModelOpGetName(n->op), 32, print_dot_text);
  fputs("\\n", output);
  print_shape(output, n->op);
  fputs("\", tooltip=\"", output);
  print_dot_text(output, xcXModelOpGetName(n->op));
  fprintf(output, "\", fillcolor=\"%s\"];\n", colour_of(p, n->group));
}

static void print_dot_edge(picture *p, node *producer, node *consumer,
                           FILE *output) {
  fprintf(output, "  n%td -> n%td;\n", producer - p->nodes,
          consumer - p->nodes);
}

typedef struct member {
  int32_t group;
  size_t position; // in topological order
  const node *node;
} member;

static int compare_members(const void *a, const void *b) {
  const member *left = a, *right = b;
  if (left->group != right->group)
    return left->group < right->group ? -1 : 1;
  return (left->position > right->position) -
         (left->position < right->position);
}

static void begin_cluster(const picture *p, int32_t group, FILE *output) {
  if (group == NO_GROUP)
    return;
  const XcXModelSubgraph *subgraph =
      xcXModelSubgraphGetChild(xcXModelGetRoot(p->model), (size_t)group);
  fprintf(output, "  subgraph cluster_%" PRId32 " {\n  label=\"", group);
  print_dot_text(output, device_of(p, group));
  fputc(' ', output);
  print_short_name(output, xcXModelSubgraphGetName(subgraph), 40,
                   print_dot_text);
  fputs("\";\n", output);
}

bool xc_xmodel_print_dot(XcDiag *diag, const XcXModel *model, FILE *output) {
  picture p;
  if (!picture_begin(diag, model, &p))
    return false;
  fputs("digraph \"", output);
  print_dot_text(output, xcXModelGetName(model));
  fputs("\" {\n  node [shape=box, style=filled, fontsize=10];\n", output);
  member *members = xc_alloc_array(p.count, sizeof(*members));
  size_t count = 0;
  for (size_t i = 0; i < p.count; ++i) {
    const node *n = node_of(&p, xcXModelOpGetName(p.order[i]));
    if (n->op)
      members[count++] = (member){n->group, i, n};
  }
  qsort(members, count, sizeof(*members), compare_members);
  int32_t open = NO_GROUP;
  for (size_t i = 0; i < count; ++i) {
    if (members[i].group != open) {
      fputs(open == NO_GROUP ? "" : "  }\n", output);
      open = members[i].group;
      begin_cluster(&p, open, output);
    }
    print_dot_node(&p, members[i].node, output);
  }
  fputs(open == NO_GROUP ? "" : "  }\n", output);
  for (size_t i = 0; i < p.count; ++i) {
    node *n = node_of(&p, xcXModelOpGetName(p.order[i]));
    if (n->op)
      for_each_producer(&p, n, output, print_dot_edge);
  }
  fputs("}\n", output);
  free(members);
  picture_end(&p);
  return true;
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

enum { BOX_WIDTH = 190, BOX_HEIGHT = 46, STEP_X = 210, STEP_Y = 80, EDGE = 10 };

static void add_wish(picture *p, node *producer, node *consumer, FILE *output) {
  (void)p;
  (void)output;
  consumer->wish += (double)producer->column;
  ++consumer->num_producers;
}

static int compare_wishes(const void *a, const void *b) {
  const node *left = *(node *const *)a, *right = *(node *const *)b;
  if (left->wish < right->wish || left->wish > right->wish)
    return left->wish < right->wish ? -1 : 1;
  return (left > right) - (left < right);
}

// Gives every node of a layer its column: near its wish, no two the same.
static void place_layer(picture *p, node **layer, size_t count,
                        size_t *columns) {
  for (size_t i = 0; i < count; ++i) {
    for_each_producer(p, layer[i], NULL, add_wish);
    if (layer[i]->num_producers)
      layer[i]->wish /= (double)layer[i]->num_producers;
  }
  qsort(layer, count, sizeof(*layer), compare_wishes);
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t column = (size_t)(layer[i]->wish + 0.5);
    layer[i]->column = column > next ? column : next;
    next = layer[i]->column + 1;
  }
  if (next > *columns)
    *columns = next;
}

static size_t place(picture *p) {
  size_t *begin = xc_alloc_array(p->num_layers + 2, sizeof(*begin));
  node **sorted = xc_alloc_array(p->count, sizeof(*sorted));
  for (size_t i = 0; i < p->count; ++i)
    if (p->nodes[i].op)
      ++begin[p->nodes[i].layer + 2];
  for (size_t i = 2; i < p->num_layers + 2; ++i)
    begin[i] += begin[i - 1];
  for (size_t i = 0; i < p->count; ++i) {
    node *n = node_of(p, xcXModelOpGetName(p->order[i]));
    if (n->op)
      sorted[begin[n->layer + 1]++] = n;
  }
  size_t columns = 0;
  for (size_t i = 0; i < p->num_layers; ++i)
    place_layer(p, sorted + begin[i], begin[i + 1] - begin[i], &columns);
  free(begin);
  free(sorted);
  return columns;
}

static void print_svg_text(FILE *output, const char *text) {
  for (; *text; ++text) {
    unsigned char character = (unsigned char)*text;
    if (character == '<')
      fputs("&lt;", output);
    else if (character == '&')
      fputs("&amp;", output);
    else
      fputc(character < ' ' ? ' ' : character, output);
  }
}

static size_t left_of(const node *n) { return EDGE + n->column * STEP_X; }
static size_t top_of(const node *n) { return EDGE + n->layer * STEP_Y; }

static void print_svg_edge(picture *p, node *producer, node *consumer,
                           FILE *output) {
  (void)p;
  size_t x0 = left_of(producer) + BOX_WIDTH / 2;
  size_t y0 = top_of(producer) + BOX_HEIGHT;
  size_t x1 = left_of(consumer) + BOX_WIDTH / 2, y1 = top_of(consumer);
  fprintf(output, "<path d=\"M%zu %zuC%zu %zu %zu %zu %zu %zu\"/>\n", x0, y0,
          x0, y0 + STEP_Y / 2, x1, y1 - STEP_Y / 2, x1, y1);
}

static void print_svg_node(const picture *p, const node *n, FILE *output) {
  size_t x = left_of(n), y = top_of(n);
  fputs("<g><title>", output);
  print_svg_text(output, xcXModelOpGetName(n->op));
  fprintf(output,
          "</title><rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" "
          "rx=\"4\" fill=\"%s\"/>\n<text x=\"%zu\" y=\"%zu\">",
          x, y, BOX_WIDTH, BOX_HEIGHT, colour_of(p, n->group), x + 6, y + 14);
  print_svg_text(output, xcXModelOpGetType(n->op));
  fprintf(output, "</text>\n<text x=\"%zu\" y=\"%zu\">", x + 6, y + 27);
  print_short_name(output, xcXModelOpGetName(n->op), 28, print_svg_text);
  fprintf(output, "</text>\n<text x=\"%zu\" y=\"%zu\">", x + 6, y + 40);
  print_shape(output, n->op);
  fputs("</text></g>\n", output);
}

bool xc_xmodel_print_svg(XcDiag *diag, const XcXModel *model, FILE *output) {
  picture p;
  if (!picture_begin(diag, model, &p))
    return false;
  size_t columns = place(&p);
  fprintf(output,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" "
          "height=\"%zu\" font-family=\"sans-serif\" font-size=\"10\">\n"
          "<g fill=\"none\" stroke=\"#888\">\n",
          2 * EDGE + columns * STEP_X, 2 * EDGE + p.num_layers * STEP_Y);
  for (size_t i = 0; i < p.count; ++i)
    if (p.nodes[i].op)
      for_each_producer(&p, &p.nodes[i], output, print_svg_edge);
  fputs("</g>\n<g stroke=\"none\">\n", output);
  for (size_t i = 0; i < p.count; ++i)
    if (p.nodes[i].op)
      print_svg_node(&p, &p.nodes[i], output);
  fputs("</g>\n</svg>\n", output);
  picture_end(&p);
  return true;
}
