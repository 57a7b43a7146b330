//===- Memory.c - memory in a report: what is where, when, and why --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Support/Json.h"
#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

static const char *layer_name(const xc_dpu_function *function, size_t layer) {
  return xcDpuProgramGetLayerName(function->program, layer);
}

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

/// Of all registers that hold constants.
static uint64_t parameter_bytes(const xc_dpu_function *function) {
  uint64_t sum = 0;
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    if (function->parameters[reg])
      sum += function->register_sizes[reg];
  return sum;
}

static json_t *ddr_json(const xc_compilation *c,
                        const xc_dpu_function *function) {
  const struct {
    const char *name;
    int32_t reg;
  } parts[] = {{"parameters", c->target->parametersRegister},
               {"workspace", c->target->workspaceRegister},
               {"inputs", c->target->inputRegister},
               {"outputs", c->target->outputRegister}};
  json_t *ddr = json_object();
  size_t code_size;
  xcDpuCodeGenGetCode(function->gen, &code_size);
  uint64_t total = code_size;
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); ++i) {
    uint64_t size = i == 0 ? parameter_bytes(function)
                           : function->register_sizes[parts[i].reg];
    set(ddr, parts[i].name, xc_driver_json_count(size));
    total += size;
  }
  set(ddr, "code", xc_driver_json_count(code_size));
  set(ddr, "total", xc_driver_json_count(total));
  return ddr;
}

static json_t *buffers_json(const xc_dpu_function *function) {
  json_t *list = json_array();
  for (size_t i = 0; i < function->num_buffers; ++i) {
    const xc_dpu_buffer *buffer = &function->buffers[i];
    json_t *row = json_object();
    set(row, "name", xc_json_text(buffer->name));
    set(row, "address", xc_driver_json_count(buffer->address));
    set(row, "bytes", xc_driver_json_count(buffer->size));
    set(row, "first_layer", xc_driver_json_count(buffer->first_layer));
    set(row, "last_layer", xc_driver_json_count(buffer->last_layer));
    json_array_append_new(list, row);
  }
  return list;
}

/// Returns the layer in which most bytes are alive.
static size_t find_peak(const xc_dpu_function *function) {
  size_t count = xcDpuProgramGetNumLayers(function->program);
  int64_t *change = xc_alloc_array(count + 1, sizeof *change);
  for (size_t i = 0; i < function->num_buffers; ++i) {
    change[function->buffers[i].first_layer] +=
        (int64_t)function->buffers[i].size;
    change[function->buffers[i].last_layer + 1] -=
        (int64_t)function->buffers[i].size;
  }
  size_t peak = 0;
  int64_t alive = 0, most = -1;
  for (size_t l = 0; l < count; ++l) {
    alive += change[l];
    if (alive > most) {
      most = alive;
      peak = l;
    }
  }
  free(change);
  return peak;
}

static int compare_sizes(const void *a, const void *b) {
  const xc_dpu_buffer *x = *(const xc_dpu_buffer *const *)a;
  const xc_dpu_buffer *y = *(const xc_dpu_buffer *const *)b;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

/// Returns the tensors alive at the peak, largest first: each is needed until
/// the layer that reads it last.
static json_t *peak_json(const xc_dpu_function *function, size_t peak) {
  const xc_dpu_buffer **alive =
      xc_alloc_array(function->num_buffers, sizeof *alive);
  size_t count = 0;
  for (size_t i = 0; i < function->num_buffers; ++i)
    if (function->buffers[i].first_layer <= peak &&
        function->buffers[i].last_layer >= peak)
      alive[count++] = &function->buffers[i];
  if (count > 0)
    qsort(alive, count, sizeof *alive, compare_sizes);
  json_t *list = json_array();
  for (size_t i = 0; i < count; ++i)
    json_array_append_new(
        list,
        json_pack("{so sI so}", "name", xc_json_text(alive[i]->name), "bytes",
                  (json_int_t)alive[i]->size, "until",
                  xc_json_text(layer_name(function, alive[i]->last_layer))));
  free(alive);
  return list;
}

static json_t *workspace_json(const xc_compilation *c,
                              const xc_dpu_function *function) {
  json_t *workspace = json_object();
  set(workspace, "bytes",
      xc_driver_json_count(
          function->register_sizes[c->target->workspaceRegister]));
  set(workspace, "lower_bound",
      xc_driver_json_count(function->workspace_bound));
  if (function->num_buffers > 0) {
    size_t peak = find_peak(function);
    set(workspace, "peak_layer", xc_json_text(layer_name(function, peak)));
    set(workspace, "at_peak", peak_json(function, peak));
  }
  set(workspace, "buffers", buffers_json(function));
  return workspace;
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

/// A memory on the chip, and by how many words its living contents change with
/// each instruction.
typedef struct bank_group {
  const char *name;
  int32_t first, count, width, depth;
  int64_t *change;
} bank_group;

enum { MAX_GROUPS = 5 };

typedef struct bank_walk {
  bank_group groups[MAX_GROUPS];
  size_t num_groups;
  size_t count; // instructions
} bank_walk;

static void add_group(bank_walk *walk, const char *name,
                      const XcDpuBanks *banks, int32_t group) {
  if (banks->numBanks == 0 || banks->firstBank < 0)
    return;
  walk->groups[walk->num_groups++] =
      (bank_group){.name = name,
                   .first = banks->firstBank + group * banks->numBanks,
                   .count = banks->numBanks,
                   .width = banks->width,
                   .depth = banks->depth,
                   .change = xc_alloc_array(walk->count + 1, sizeof(int64_t))};
}

static void note_resident(void *user_data, const XcDpuResident *resident) {
  bank_walk *walk = user_data;
  for (size_t g = 0; g < walk->num_groups; ++g) {
    bank_group *group = &walk->groups[g];
    if ((int32_t)resident->bank < group->first ||
        (int32_t)resident->bank >= group->first + group->count)
      continue;
    ++group->change[resident->writer];
    --group->change[resident->last + 1];
  }
}

static bank_walk walk_banks(const xc_compilation *c,
                            const xc_dpu_function *function) {
  const XcDpuTarget *target = c->target;
  bank_walk walk = {.count = xcDpuProgramGetNumInstructions(function->program)};
  add_group(&walk, "image 0", &target->image, 0);
  if (target->image.numGroups > 1)
    add_group(&walk, "image 1", &target->image, 1);
  add_group(&walk, "weights", &target->weights, 0);
  add_group(&walk, "depthwise weights", &target->depthwiseWeights, 0);
  add_group(&walk, "bias", &target->bias, 0);
  xcDpuProgramForEachResident(function->program, note_resident, &walk);
  return walk;
}

static json_t *group_json(const xc_dpu_function *function,
                          const bank_group *group, int64_t peak,
                          size_t peak_at) {
  json_t *row = json_object();
  set(row, "name", json_string(group->name));
  set(row, "bytes",
      json_integer((json_int_t)group->count * group->depth * group->width));
  set(row, "peak", json_integer((json_int_t)peak * group->width));
  size_t layer = xcDpuProgramGetLayerOf(function->program, peak_at);
  if (peak > 0 && layer != SIZE_MAX)
    set(row, "peak_layer", xc_json_text(layer_name(function, layer)));
  return row;
}

/// Returns the most bytes that are alive at once, of each memory, of all
/// together and within each layer.
static json_t *banks_json(const xc_compilation *c,
                          const xc_dpu_function *function, json_t *layers) {
  bank_walk walk = walk_banks(c, function);
  int64_t alive[MAX_GROUPS] = {0}, peak[MAX_GROUPS] = {0};
  size_t peak_at[MAX_GROUPS] = {0};
  int64_t *layer_peak =
      xc_alloc_array(json_array_size(layers), sizeof *layer_peak);
  for (size_t i = 0; i < walk.count; ++i) {
    int64_t bytes = 0;
    for (size_t g = 0; g < walk.num_groups; ++g) {
      alive[g] += walk.groups[g].change[i];
      bytes += alive[g] * walk.groups[g].width;
      if (alive[g] > peak[g]) {
        peak[g] = alive[g];
        peak_at[g] = i;
      }
    }
    size_t layer = xcDpuProgramGetLayerOf(function->program, i);
    if (layer != SIZE_MAX && bytes > layer_peak[layer])
      layer_peak[layer] = bytes;
  }
  for (size_t l = 0; l < json_array_size(layers); ++l)
    set(json_array_get(layers, l), "chip_bytes", json_integer(layer_peak[l]));
  json_t *list = json_array();
  for (size_t g = 0; g < walk.num_groups; ++g) {
    json_array_append_new(
        list, group_json(function, &walk.groups[g], peak[g], peak_at[g]));
    free(walk.groups[g].change);
  }
  free(layer_peak);
  return list;
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// Of `engine_cycles` the part in which the last group is not full is lost.
static void add_loss(json_t *losses, const char *layer, const char *what,
                     int32_t uses, int32_t unit, double engine_cycles) {
  int32_t takes = (uses + unit - 1) / unit * unit;
  if (takes == uses)
    return;
  json_t *row = json_pack("{so ss si si sf}", "layer", xc_json_text(layer),
                          "what", what, "uses", uses, "takes", takes, "cycles",
                          engine_cycles * (takes - uses) / takes);
  if (takes > unit)
    set(row, "cheaper_at", json_integer(takes - unit));
  json_array_append_new(losses, row);
}

static void list_losses(const XcDpuTarget *target, const XcDpuLayer *layer,
                        double cycles, json_t *losses) {
  // Few input channels are computed together with kernel columns.
  if (layer->inputs[0].channels * layer->kernelW > target->augmentationMax)
    add_loss(losses, layer->name, "input channels", layer->inputs[0].channels,
             target->inputChannelParallel, cycles);
  add_loss(losses, layer->name, "output channels", layer->output.channels,
           target->outputChannelParallel, cycles);
  add_loss(losses, layer->name, "output rows", layer->output.height,
           target->pixelParallel, cycles);
}

/// Convolutions compute whole groups of channels and rows. What a layer loses
/// by that, and the next smaller size that takes a group less. Layers that take
/// turns share the engine by their work.
static json_t *losses_json(const xc_compilation *c,
                           const xc_dpu_function *function,
                           const XcDpuTimeline *timeline) {
  json_t *losses = json_array();
  for (size_t r = 0; r < xcDpuProgramGetNumLayers(function->program); ++r) {
    const XcDpuTime *time = xcDpuTimelineGetLayer(timeline, r);
    double cycles = time->queues[XcDpuQueueConv].busy;
    double work = 2 * (double)time->macs;
    size_t first, last;
    xcDpuCodeGenGetRow(function->gen, r, &first, &last);
    for (size_t l = first; l <= last; ++l) {
      const XcDpuLayer *layer = xcDpuCodeGenGetLayer(function->gen, l);
      if (layer->kind == XcDpuLayerKindConv && work > 0)
        list_losses(c->target, layer, cycles * (double)layer->operations / work,
                    losses);
    }
  }
  return losses;
}

json_t *xc_driver_report_memory(const xc_compilation *c,
                                const xc_dpu_function *function,
                                const XcDpuTimeline *timeline, json_t *layers) {
  json_t *memory = json_object();
  set(memory, "ddr", ddr_json(c, function));
  set(memory, "workspace", workspace_json(c, function));
  set(memory, "banks", banks_json(c, function, layers));
  set(memory, "losses", losses_json(c, function, timeline));
  return memory;
}
