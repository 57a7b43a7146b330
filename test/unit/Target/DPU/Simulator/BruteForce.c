//===- BruteForce.c - an independent judge of token orders ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8192, MAX_BANKS = 64, NUM_QUEUES = 4 };

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// Accesses to one place since its last write, in program order.
typedef struct place {
  uint32_t writer; // + 1
  uint32_t *readers;
  uint32_t num_readers, capacity;
} place;

/// One byte of DDR. LOADs run one after the other, so that the last one speaks
/// for all.
typedef struct ddr_byte {
  uint32_t writer; // + 1
  uint32_t reader; // + 1
} ddr_byte;

typedef struct memory {
  brute_force *brute;
  uint32_t now;
  uint32_t *seen; // of each instruction: the last one it was paired with, + 1
  place *banks;
  ddr_byte *ddr[XC_DPU_NUM_REGISTERS];
} memory;

static void add_conflict(memory *m, uint32_t first) {
  if (first == m->now || m->seen[first] == m->now + 1)
    return;
  m->seen[first] = m->now + 1;
  void *conflicts = m->brute->conflicts;
  xc_grow(&conflicts, &m->brute->capacity, m->brute->num_conflicts + 1,
          sizeof(conflict));
  m->brute->conflicts = conflicts;
  m->brute->conflicts[m->brute->num_conflicts++] = (conflict){first, m->now};
}

static void read_place(memory *m, place *p) {
  if (p->writer)
    add_conflict(m, p->writer - 1);
  if (p->num_readers && p->readers[p->num_readers - 1] == m->now)
    return;
  if (p->num_readers == p->capacity) {
    p->capacity = p->capacity ? 2 * p->capacity : 4;
    p->readers = xc_realloc_array(p->readers, p->capacity, sizeof(uint32_t));
  }
  p->readers[p->num_readers++] = m->now;
}

static void write_place(memory *m, place *p) {
  if (p->writer)
    add_conflict(m, p->writer - 1);
  for (uint32_t i = 0; i < p->num_readers; ++i)
    add_conflict(m, p->readers[i]);
  p->num_readers = 0;
  p->writer = m->now + 1;
}

static void read_ddr(memory *m, uint32_t reg, size_t address) {
  ddr_byte *byte = &m->ddr[reg][address];
  if (byte->writer)
    add_conflict(m, byte->writer - 1);
  byte->reader = m->now + 1;
}

static void write_ddr(memory *m, uint32_t reg, size_t address) {
  ddr_byte *byte = &m->ddr[reg][address];
  if (byte->writer)
    add_conflict(m, byte->writer - 1);
  if (byte->reader)
    add_conflict(m, byte->reader - 1);
  *byte = (ddr_byte){.writer = m->now + 1};
}

/// Parameters lie in banks of 2048 words, or 256 of the second bias bank.
static place *bank_place(memory *m, uint32_t bank, uint32_t address) {
  const XcDpuTarget *t = m->brute->target;
  uint32_t depth = bank < 2 * (uint32_t)t->pixelParallel
                       ? (uint32_t)t->image.depth
                   : bank == 34 && t->depthwise.rows ? 256
                                                     : 2048;
  return &m->banks[bank * MAX_DEPTH + address % depth];
}

/// Output channel o of a group comes from the first register or the second.
static void walk_weights(memory *m, const XcDpuLoad *load, uint32_t pp,
                         uint32_t width) {
  for (uint32_t o = 0; o < load->output_channel_num; ++o)
    for (uint32_t x = 0; x < load->length; ++x)
      for (uint32_t c = 0; c < load->channel; ++c) {
        uint32_t at = o % 8 * load->jump_read_endl + x * load->jump_read + c;
        if (o < 8)
          read_ddr(m, load->reg_id, load->ddr_addr + at);
        else
          read_ddr(m, load->reg_id_1, load->ddr_addr_1 + at);
        if (c % width == 0)
          write_place(m, bank_place(m, 2 * pp + o,
                                    load->bank_addr + x * load->jump_write +
                                        c / width));
      }
}

static void walk_load(memory *m, const XcDpuLoad *load, uint32_t width) {
  for (uint32_t x = 0; x < load->length; ++x)
    for (uint32_t c = 0; c < load->channel; ++c) {
      if (load->broadcast != 7)
        read_ddr(m, load->reg_id, load->ddr_addr + x * load->jump_read + c);
      if (c % width == 0)
        write_place(
            m, bank_place(m, load->bank_id,
                          load->bank_addr + x * load->jump_write + c / width));
    }
}

static void walk_save(memory *m, const XcDpuSave *save, uint32_t width) {
  for (uint32_t x = 0; x < save->length; ++x)
    for (uint32_t c = 0; c < save->channel; ++c) {
      if (c % width == 0 && !save->const_en)
        read_place(
            m, bank_place(m, save->bank_id,
                          save->bank_addr + x * save->jump_read + c / width));
      if (c == 0 || save->const_en || !(save->argmax & 2))
        write_ddr(m, save->reg_id, save->ddr_addr + x * save->jump_write + c);
    }
}

/// What CONV and ALU have in common.
typedef struct sliding {
  uint32_t vpp, length, kh, kw, sh, sw, offset_in, jump, endl, words;
  uint32_t bank_in, addresses[4];
  uint32_t top, left, bottom, right;
  uint32_t bank_out, address_out, stride_out, offset_out, jump_out, endl_out,
      words_out;
} sliding;

static void read_window(memory *m, const sliding *s, uint32_t pp) {
  for (uint32_t i = 0; i < (s->vpp - 1) * s->sh + s->kh; ++i)
    for (uint32_t x = 0; x < (s->length - 1) * s->sw + s->kw; ++x) {
      if (i < s->top || i > (s->vpp - 1) * s->sh + s->bottom || x < s->left ||
          x > (s->length - 1) * s->sw + s->right || i % s->sh >= s->kh ||
          x % s->sw >= s->kw)
        continue;
      uint32_t t = s->offset_in + i, base = s->bank_in / pp * pp;
      uint32_t q = s->bank_in - base + t / s->sh;
      for (uint32_t w = 0; w < s->words; ++w)
        read_place(m, bank_place(m, base + q % pp,
                                 s->addresses[q / pp] + t % s->sh * s->endl +
                                     x * s->jump + w));
    }
}

static void write_block(memory *m, const sliding *s, uint32_t pp) {
  for (uint32_t y = 0; y < s->vpp; ++y)
    for (uint32_t x = 0; x < s->length; ++x) {
      uint32_t t = s->offset_out + y, base = s->bank_out / pp * pp;
      uint32_t q = s->bank_out - base + t / s->stride_out;
      uint32_t row = q / pp * s->stride_out + t % s->stride_out;
      for (uint32_t w = 0; w < s->words_out; ++w)
        write_place(m, bank_place(m, base + q % pp,
                                  s->address_out + row * s->endl_out +
                                      x * s->jump_out + w));
    }
}

static void walk_conv(memory *m, const XcDpuConvInit *init,
                      const XcDpuConv *conv, uint32_t pp, uint32_t cp) {
  sliding s = {.vpp = init->valid_pixel_parallel,
               .length = conv->length,
               .kh = init->kernel_h,
               .kw = init->kernel_w,
               .sh = init->stride_h,
               .sw = init->stride_w,
               .offset_in = init->stride_offset_in,
               .jump = init->jump_read,
               .endl = init->jump_read_endl,
               .words = conv->channel_group,
               .bank_in = conv->bank_id_in,
               .addresses = {conv->bank_addr_in, conv->bank_addr_in_1,
                             conv->bank_addr_in_2, conv->bank_addr_in_3},
               .top = conv->pad_top,
               .left = conv->pad_left,
               .bottom = conv->pad_bottom,
               .right = conv->pad_right,
               .bank_out = conv->bank_id_out,
               .address_out = conv->bank_addr_out,
               .stride_out = init->stride_out,
               .offset_out = init->stride_offset_out,
               .jump_out = init->jump_write,
               .endl_out = init->jump_write_endl,
               .words_out = 1};
  read_window(m, &s, pp);
  for (uint32_t o = 0; o < cp; ++o)
    for (uint32_t k = 0; k < s.kh * s.kw * s.words; ++k)
      read_place(m, bank_place(m, 2 * pp + o, conv->bank_addr_weights + k));
  // Where pools have an engine of their own, bias comes after the weights.
  uint32_t bias = 2 * pp + cp + (m->brute->target->pool.rows ? 0 : 1);
  read_place(m, bank_place(m, bias, conv->bank_addr_bias));
  write_block(m, &s, pp);
}

static void walk_alu(memory *m, const XcDpuAluInit *init, const XcDpuAlu *alu,
                     uint32_t pp, uint32_t cp) {
  uint32_t mode = init->exec_mode, groups = init->channel_group;
  bool masked = mode != XcDpuAluModeMaxReduce;
  sliding s = {.vpp = alu->valid_pixel_parallel,
               .length = init->length,
               .kh = init->kernel_h,
               .kw = init->kernel_w,
               .sh = init->stride_h,
               .sw = init->stride_w,
               .offset_in = init->stride_offset_in,
               .jump = init->jump_read,
               .endl = init->jump_read_endl,
               .words = groups * alu->kernel_d,
               .bank_in = alu->bank_id_in,
               .addresses = {alu->bank_addr_in, alu->bank_addr_in_1,
                             alu->bank_addr_in_2, alu->bank_addr_in_3},
               .top = masked ? alu->pad_top : 0,
               .left = masked ? alu->pad_left : 0,
               .bottom = masked ? alu->pad_bottom : 1000,
               .right = masked ? alu->pad_right : 1000,
               .bank_out = alu->bank_id_out,
               .address_out = alu->bank_addr_out,
               .stride_out = init->stride_out,
               .offset_out = init->stride_offset_out,
               .jump_out = init->jump_write,
               .endl_out = init->jump_write_endl,
               .words_out = groups};
  read_window(m, &s, pp);
  uint32_t size = mode == XcDpuAluModeDepthwise16 ? 2 : 1;
  bool has_weights = mode == XcDpuAluModeDepthwise ||
                     mode == XcDpuAluModeDepthwiseNoBias || size == 2;
  for (uint32_t k = 0; has_weights && k < s.kh * s.kw; ++k)
    for (uint32_t w = 0; w < s.words * size; ++w)
      read_place(m, bank_place(m, 2 * pp + cp,
                               alu->bank_addr_weights +
                                   k * init->jump_read_weights + w));
  for (uint32_t w = 0; w < groups; ++w) {
    if (mode == XcDpuAluModePrelu)
      read_place(m, bank_place(m, 2 * pp + cp, alu->bank_addr_weights + w));
    if (mode == XcDpuAluModeDepthwise)
      read_place(m, bank_place(m, 2 * pp + cp + 1, alu->bank_addr_bias + w));
  }
  write_block(m, &s, pp);
}

static void walk_pool(memory *m, const XcDpuPoolInit *init,
                      const XcDpuPool *pool, uint32_t pp) {
  sliding s = {.vpp = init->valid_pixel_parallel,
               .length = pool->length,
               .kh = init->kernel_h,
               .kw = init->kernel_w,
               .sh = init->stride_h,
               .sw = init->stride_w,
               .offset_in = init->stride_offset_in,
               .jump = init->jump_read,
               .endl = pool->jump_read_endl,
               .words = pool->channel_group,
               .bank_in = pool->bank_id_in,
               .addresses = {pool->bank_addr_in, pool->bank_addr_in_1,
                             pool->bank_addr_in_2, pool->bank_addr_in_3},
               .top = pool->pad_top,
               .left = pool->pad_left,
               .bottom = pool->pad_bottom,
               .right = pool->pad_right,
               .bank_out = pool->bank_id_out,
               .address_out = pool->bank_addr_out,
               .stride_out = init->stride_out,
               .offset_out = init->stride_offset_out,
               .jump_out = init->jump_write,
               .endl_out = pool->jump_write_endl,
               .words_out = pool->channel_group};
  read_window(m, &s, pp);
  write_block(m, &s, pp);
}

static void walk_dptwise(memory *m, const XcDpuDwInit *init,
                         const XcDpuDptwise *dw, uint32_t pp, uint32_t cp) {
  uint32_t groups = dw->channel_group;
  sliding s = {.vpp = init->valid_pixel_parallel,
               .length = dw->length,
               .kh = init->kernel_h,
               .kw = init->kernel_w,
               .sh = init->stride_h,
               .sw = init->stride_w,
               .offset_in = init->stride_offset_in,
               .jump = init->jump_read,
               .endl = init->jump_read_endl,
               .words = groups,
               .bank_in = dw->bank_id_in,
               .addresses = {dw->bank_addr_in, dw->bank_addr_in_1,
                             dw->bank_addr_in_2, dw->bank_addr_in_3},
               .top = dw->pad_top,
               .left = dw->pad_left,
               .bottom = dw->pad_bottom,
               .right = dw->pad_right,
               .bank_out = dw->bank_id_out,
               .address_out = dw->bank_addr_out,
               .stride_out = init->stride_out,
               .offset_out = init->stride_offset_out,
               .jump_out = init->jump_write,
               .endl_out = init->jump_write_endl,
               .words_out = groups};
  read_window(m, &s, pp);
  for (uint32_t k = 0; k < s.kh * s.kw * groups; ++k)
    read_place(m, bank_place(m, 2 * pp + cp + 1, dw->bank_addr_weights + k));
  for (uint32_t w = 0; w < groups; ++w)
    read_place(m, bank_place(m, 2 * pp + cp + 2, dw->bank_addr_bias + w));
  write_block(m, &s, pp);
}

static void walk_elew(memory *m, const XcDpuElewInit *const *inits,
                      const XcDpuElew *elew, uint32_t pp) {
  for (uint32_t k = 0; k < elew->num; ++k)
    for (uint32_t y = 0; y < elew->valid_pixel_parallel; ++y)
      for (uint32_t x = 0; x < elew->length; ++x) {
        const XcDpuElewInit *init = inits[k];
        uint32_t base = init->bank_id_in / pp * pp;
        uint32_t q = init->bank_id_in - base + y * init->jump_bank;
        uint32_t bank = init->share_pp ? init->bank_id_in : base + q % pp;
        uint32_t address = init->bank_addr_in + x * init->jump_read +
                           (init->share_pp ? 0 : q / pp * init->jump_read_endl);
        for (uint32_t w = 0; w < elew->channel_group; ++w)
          read_place(m, bank_place(m, bank, address + w));
      }
  sliding s = {.vpp = elew->valid_pixel_parallel,
               .length = elew->length,
               .bank_out = elew->bank_id_out,
               .address_out = elew->bank_addr_out,
               .stride_out = 1,
               .jump_out = elew->jump_write,
               .endl_out = elew->jump_write_endl,
               .words_out = elew->channel_group};
  write_block(m, &s, pp);
}

static void find_conflicts(brute_force *brute, memory *m) {
  uint32_t pp = (uint32_t)brute->target->pixelParallel;
  uint32_t cp = (uint32_t)brute->target->channelParallel;
  const XcDpuConvInit *conv_init = NULL;
  const XcDpuAluInit *alu_init = NULL;
  const XcDpuPoolInit *pool_init = NULL;
  const XcDpuDwInit *dw_init = NULL;
  const XcDpuElewInit **pending = xc_alloc_array(brute->count, sizeof *pending);
  size_t first = 0, last = 0;
  for (uint32_t i = 0; i < brute->count; ++i) {
    const XcDpuInstruction *insn = &brute->instructions[i];
    m->now = i;
    switch ((XcDpuOpcode)insn->opcode) {
    case XcDpuOpcodeLoad:
      if (insn->load.bank_id == 63 && brute->target->pool.rows)
        walk_weights(m, &insn->load, pp, cp);
      else
        walk_load(m, &insn->load, cp);
      break;
    case XcDpuOpcodeSave:
      walk_save(m, &insn->save, cp);
      break;
    case XcDpuOpcodeConvInit:
      conv_init = &insn->conv_init;
      break;
    case XcDpuOpcodeConv:
      walk_conv(m, conv_init, &insn->conv, pp, cp);
      break;
    case XcDpuOpcodeAluInit:
      alu_init = &insn->alu_init;
      break;
    case XcDpuOpcodeAlu:
      walk_alu(m, alu_init, &insn->alu, pp, cp);
      break;
    case XcDpuOpcodeElewInit:
      pending[last++] = &insn->elew_init;
      break;
    case XcDpuOpcodeElew:
      walk_elew(m, pending + first, &insn->elew, pp);
      first += insn->elew.num;
      break;
    case XcDpuOpcodePoolInit:
      pool_init = &insn->pool_init;
      break;
    case XcDpuOpcodePool:
      walk_pool(m, pool_init, &insn->pool, pp);
      break;
    case XcDpuOpcodeDwInit:
      dw_init = &insn->dw_init;
      break;
    case XcDpuOpcodeDptwise:
      walk_dptwise(m, dw_init, &insn->dptwise, pp, cp);
      break;
    case XcDpuOpcodeEnd:
      break;
    }
  }
  free(pending);
}

static size_t ddr_size(const brute_force *brute, uint32_t reg) {
  size_t size = 0;
  for (size_t i = 0; i < brute->count; ++i) {
    const XcDpuInstruction *insn = &brute->instructions[i];
    size_t end = 0;
    if (insn->opcode == XcDpuOpcodeLoad && insn->load.reg_id == reg)
      end = insn->load.ddr_addr + insn->load.length * insn->load.jump_read +
            insn->load.channel;
    // Of weights, more than enough.
    if (insn->opcode == XcDpuOpcodeLoad &&
        (insn->load.reg_id == reg || insn->load.reg_id_1 == reg))
      end += insn->load.ddr_addr_1 +
             insn->load.output_channel_num * insn->load.jump_read_endl +
             insn->load.length * insn->load.jump_read + insn->load.channel;
    if (insn->opcode == XcDpuOpcodeSave && insn->save.reg_id == reg)
      end = insn->save.ddr_addr + insn->save.length * insn->save.jump_write +
            insn->save.channel;
    size = end > size ? end : size;
  }
  return size;
}

static void free_places(place *places, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(places[i].readers);
  free(places);
}

void brute_force_init(brute_force *brute, const XcDpuTarget *target,
                      const XcDpuProgram *program) {
  *brute = (brute_force){.target = target,
                         .count = xcDpuProgramGetNumInstructions(program)};
  brute->instructions =
      xc_alloc_array(brute->count, sizeof *brute->instructions);
  for (size_t i = 0; i < brute->count; ++i)
    xcDpuProgramGetInstruction(program, i, &brute->instructions[i]);
  brute->row_words = brute->count / 64 + 1;
  brute->closure =
      xc_alloc_array(brute->count * brute->row_words, sizeof(uint64_t));
  memory m = {.brute = brute};
  m.seen = xc_alloc_array(brute->count, sizeof *m.seen);
  m.banks = xc_alloc_array((size_t)MAX_BANKS * MAX_DEPTH, sizeof *m.banks);
  for (uint32_t r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    m.ddr[r] = xc_alloc_array(ddr_size(brute, r), sizeof(ddr_byte));
  find_conflicts(brute, &m);
  for (uint32_t r = 0; r < XC_DPU_NUM_REGISTERS; ++r)
    free(m.ddr[r]);
  free_places(m.banks, (size_t)MAX_BANKS * MAX_DEPTH);
  free(m.seen);
}

void brute_force_free(brute_force *brute) {
  free(brute->instructions);
  free(brute->conflicts);
  free(brute->closure);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static unsigned queue_of(const brute_force *brute,
                         const XcDpuInstruction *insn) {
  const XcDpuIsa *isa = xcDpuIsaGet(brute->target->isa);
  return (unsigned)xcDpuIsaGetInfo(isa, insn->opcode)->queue;
}

enum { MAX_PORTS = 4 };

/// The last instruction of the SAVE queue on each port, + 1.
typedef struct save_state {
  uint32_t last[MAX_PORTS];
} save_state;

typedef struct token_queue {
  uint32_t *posters;
  size_t posted, taken;
} token_queue;

/// Closure rows hold what has ended when an instruction starts. When another
/// has ended, that and itself has.
static void add_end(const brute_force *brute, uint64_t *row, uint32_t index) {
  const uint64_t *from = brute->closure + index * brute->row_words;
  for (size_t w = 0; w <= index / 64; ++w)
    row[w] |= from[w];
  row[index / 64] |= UINT64_C(1) << index % 64;
}

/// Tokens leave a queue in order: all before the poster have ended as well.
static void add_post(const brute_force *brute, uint64_t *row, uint32_t poster,
                     const save_state *saves) {
  add_end(brute, row, poster);
  if (queue_of(brute, &brute->instructions[poster]) != XcDpuQueueSave)
    return;
  for (int port = 0; port < MAX_PORTS; ++port)
    if (saves[poster].last[port])
      add_end(brute, row, saves[poster].last[port] - 1);
}

/// All edges lead forward in the program, so that one pass closes the graph.
static void close_graph(brute_force *brute) {
  token_queue channels[NUM_QUEUES][NUM_QUEUES];
  for (unsigned a = 0; a < NUM_QUEUES; ++a)
    for (unsigned b = 0; b < NUM_QUEUES; ++b)
      channels[a][b] = (token_queue){
          .posters = xc_alloc_array(brute->count, sizeof(uint32_t))};
  uint32_t last_in_lane[NUM_QUEUES + MAX_PORTS] = {0}; // + 1
  uint32_t last_in_queue[NUM_QUEUES] = {0};            // + 1
  save_state *saves = xc_alloc_array(brute->count, sizeof *saves);
  memset(brute->closure, 0, brute->count * brute->row_words * sizeof(uint64_t));
  for (uint32_t i = 0; i < brute->count; ++i) {
    const XcDpuInstruction *insn = &brute->instructions[i];
    unsigned q = queue_of(brute, insn);
    unsigned port = insn->opcode == XcDpuOpcodeSave ? insn->save.hp_id : 0;
    unsigned lane = port ? NUM_QUEUES + port : q;
    if (i > 0)
      saves[i] = saves[i - 1];
    if (q == XcDpuQueueSave)
      saves[i].last[port] = i + 1;
    uint64_t *row = brute->closure + i * brute->row_words;
    if (last_in_lane[lane])
      add_end(brute, row, last_in_lane[lane] - 1);
    if (last_in_queue[q]) { // has started, perhaps not ended
      const uint64_t *before =
          brute->closure + (last_in_queue[q] - 1) * brute->row_words;
      for (size_t w = 0; w <= i / 64; ++w)
        row[w] |= before[w];
    }
    for (unsigned from = 0; from < NUM_QUEUES; ++from) {
      if (!(insn->dpdon >> from & 1))
        continue;
      token_queue *channel = &channels[from][q];
      size_t k = channel->taken++;
      size_t initial = from == q;
      if (k < initial || k - initial >= channel->posted)
        continue;
      add_post(brute, row, channel->posters[k - initial], saves);
    }
    for (unsigned to = 0; to < NUM_QUEUES; ++to)
      if (insn->dpdby >> to & 1)
        channels[q][to].posters[channels[q][to].posted++] = i;
    last_in_lane[lane] = i + 1;
    last_in_queue[q] = i + 1;
  }
  for (unsigned a = 0; a < NUM_QUEUES; ++a)
    for (unsigned b = 0; b < NUM_QUEUES; ++b)
      free(channels[a][b].posters);
  free(saves);
}

size_t brute_force_count_unordered(brute_force *brute) {
  close_graph(brute);
  size_t unordered = 0;
  for (size_t i = 0; i < brute->num_conflicts; ++i) {
    conflict pair = brute->conflicts[i];
    const uint64_t *row = brute->closure + pair.second * brute->row_words;
    unordered += !(row[pair.first / 64] >> pair.first % 64 & 1);
  }
  return unordered;
}
