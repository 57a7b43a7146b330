//===- EliminateCopies.c - mtir-eliminate-copies --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two rules, each in one sweep over the copies of a function:
//
//   forward        copy(%s, %a), %a an allocation that only this copy writes:
//                  readers of %a read %s instead, if nothing writes %s from the
//                  copy to the last of them
//   write through  copy(%a, %o), %a an allocation: writers of %a write %o
//                  instead, if this copy is the only access of %o up to there
//                  and nothing writes either afterwards
//
// Order is known within a block only. In a function with several blocks the
// first rule needs a source that nothing writes at all, the second is not used.
// Arguments of one function do not overlap unless a call in the module passes
// one buffer twice; such a callee keeps the copies of its arguments.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdint.h>
#include <stdlib.h>

// The accesses of a buffer and its views, by position in the block.
typedef struct summary {
  size_t writes, reads;
  size_t first_write, last_write, first_read, last_read; // positions
  bool escapes;
} summary;

typedef struct function_state {
  MlirBlock block;
  bool single_block;
  bool arguments_overlap;
  xc_pointer_map positions; // operation -> position, from 1
  xc_pointer_map summaries; // root value -> summary
  xc_arena arena;
  xc_op_list copies;
  int64_t removed_copies, removed_allocs;
} function_state;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static void add_read(summary *s, size_t at) {
  s->first_read = s->reads++ && s->first_read < at ? s->first_read : at;
  s->last_read = s->last_read > at ? s->last_read : at;
}

static void add_write(summary *s, size_t at) {
  s->first_write = s->writes++ && s->first_write < at ? s->first_write : at;
  s->last_write = s->last_write > at ? s->last_write : at;
}

typedef struct collector {
  const function_state *f;
  summary *summary;
} collector;

static void collect_use(void *user_data, MlirOperation user, unsigned access) {
  const collector *c = user_data;
  if (access & (XC_ACCESS_ESCAPE | XC_ACCESS_FREE))
    c->summary->escapes = true;
  if (access & XC_ACCESS_READ)
    add_read(c->summary, xc_position_in_block(&c->f->positions, user));
  if (access & XC_ACCESS_WRITE)
    add_write(c->summary, xc_position_in_block(&c->f->positions, user));
}

static summary *summary_of(function_state *f, MlirValue buffer) {
  MlirValue root = xc_buffer_root(buffer);
  summary *s = xc_pointer_map_get(&f->summaries, root.ptr);
  if (s)
    return s;
  s = xc_arena_alloc(&f->arena, 1, sizeof(*s));
  collector c = {f, s};
  xc_for_each_access(root, collect_use, &c);
  xc_pointer_map_set(&f->summaries, root.ptr, s);
  return s;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool is_local_alloc(const function_state *f, MlirValue buffer) {
  if (!mlirValueIsAOpResult(buffer))
    return false;
  MlirOperation owner = mlirOpResultGetOwner(buffer);
  return xc_op_is(owner, "memref.alloc") &&
         (!f->single_block ||
          mlirBlockEqual(mlirOperationGetBlock(owner), f->block));
}

static bool is_constant(MlirValue buffer) {
  if (!mlirValueIsAOpResult(buffer))
    return false;
  const xc_op_info *info = xc_op_info_of(mlirOpResultGetOwner(buffer));
  return info && info->kind == XC_MEMTX_CONST;
}

static bool is_overlapping_argument(const function_state *f, MlirValue buffer) {
  return f->arguments_overlap && mlirValueIsABlockArgument(buffer);
}

static bool same_type(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

static bool source_is_stable(function_state *f, const summary *source,
                             MlirValue root, const summary *target,
                             size_t copy) {
  if (is_constant(root))
    return true;
  if (source->escapes || is_overlapping_argument(f, root))
    return false;
  // Without order only a source that nothing writes will do; it must come from
  // outside, or it would hold nothing.
  if (!f->single_block)
    return source->writes == 0 && mlirValueIsABlockArgument(root);
  return source->writes == 0 || source->last_write < copy ||
         source->first_write > target->last_read;
}

static void remove_copy(function_state *f, MlirOperation copy,
                        MlirValue alloc) {
  mlirOperationDestroy(copy);
  mlirOperationDestroy(mlirOpResultGetOwner(alloc));
  ++f->removed_copies;
  ++f->removed_allocs;
}

static bool forward(function_state *f, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirValue target = mlirOperationGetOperand(copy, 1);
  if (!is_local_alloc(f, target) || !same_type(source, target))
    return false;
  summary *t = summary_of(f, target);
  MlirValue root = xc_buffer_root(source);
  if (t->escapes || t->writes != 1 || root.ptr == target.ptr)
    return false;
  size_t at = xc_position_in_block(&f->positions, copy);
  if (f->single_block && t->reads != 0 && t->first_read < at)
    return false;
  summary *s = summary_of(f, source);
  if (t->reads != 0 && !source_is_stable(f, s, root, t, at))
    return false;
  if (t->reads != 0) {
    add_read(s, t->first_read);
    add_read(s, t->last_read);
  }
  mlirValueReplaceAllUsesOfWith(target, source);
  remove_copy(f, copy, target);
  return true;
}

// The value must exist where the writers of the allocation are.
static bool is_defined_before(const function_state *f, MlirValue value,
                              size_t position) {
  if (mlirValueIsABlockArgument(value))
    return true;
  return xc_position_in_block(&f->positions, mlirOpResultGetOwner(value)) <
         position;
}

static bool write_through(function_state *f, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirValue target = mlirOperationGetOperand(copy, 1);
  if (!f->single_block || !is_local_alloc(f, source) ||
      !same_type(source, target) || is_constant(xc_buffer_root(target)))
    return false;
  MlirValue root = xc_buffer_root(target);
  if (root.ptr == source.ptr || is_overlapping_argument(f, root))
    return false;
  summary *s = summary_of(f, source), *t = summary_of(f, target);
  size_t at = xc_position_in_block(&f->positions, copy);
  // A call counts as a reader of what it fills: it reads nothing defined.
  bool source_done = !s->escapes && s->writes != 0 && s->last_write < at &&
                     (s->reads == 0 || s->first_read >= s->first_write);
  bool target_free =
      !t->escapes && t->writes == 1 && (t->reads == 0 || t->first_read > at);
  if (!source_done || !target_free ||
      !is_defined_before(f, target, s->first_write))
    return false;
  t->first_write = s->first_write;
  t->writes = s->writes;
  t->last_write = s->last_write;
  add_read(t, s->first_read ? s->first_read : at);
  add_read(t, s->last_read);
  mlirValueReplaceAllUsesOfWith(source, target);
  remove_copy(f, copy, source);
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirWalkResult collect_copy(MlirOperation operation, void *user_data) {
  function_state *f = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->kind != XC_MEMTX_COPY)
    return MlirWalkResultAdvance;
  xc_op_list_add(&f->copies, operation);
  return MlirWalkResultAdvance;
}

static void number_operations(function_state *f, MlirRegion body) {
  size_t position = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      xc_pointer_map_set(&f->positions, op.ptr, (void *)(uintptr_t)++position);
}

static void eliminate(function_state *f, MlirOperation func) {
  MlirRegion body = xc_function_body(func);
  f->block = mlirRegionGetFirstBlock(body);
  f->single_block = mlirBlockIsNull(mlirBlockGetNextInRegion(f->block));
  number_operations(f, body);
  mlirOperationWalk(func, collect_copy, f, MlirWalkPreOrder);
  size_t kept = 0;
  MlirOperation *copies = f->copies.items;
  for (size_t i = 0; i < f->copies.count; ++i)
    // A copy in a nested region runs any number of times.
    if (!mlirOperationEqual(mlirOperationGetParentOperation(copies[i]), func) ||
        !forward(f, copies[i]))
      copies[kept++] = copies[i];
  for (size_t i = kept; i-- > 0;)
    if (mlirOperationEqual(mlirOperationGetParentOperation(copies[i]), func))
      write_through(f, copies[i]);
  free(copies);
  xc_pointer_map_free(&f->positions);
  xc_pointer_map_free(&f->summaries);
  xc_arena_free(&f->arena);
}

typedef struct module_state {
  xc_pass_run *run;
  xc_pointer_map overlapping; // symbol name -> anything
} module_state;

static bool passes_buffer_twice(MlirOperation call) {
  intptr_t count = mlirOperationGetNumOperands(call);
  xc_pointer_map seen = {0};
  bool twice = false;
  for (intptr_t i = 0; i < count && !twice; ++i) {
    MlirValue value = mlirOperationGetOperand(call, i);
    if (!mlirTypeIsAMemRef(mlirValueGetType(value)))
      continue;
    const void *root = xc_buffer_root(value).ptr;
    twice = xc_pointer_map_has(&seen, root);
    xc_pointer_map_set(&seen, root, NULL);
  }
  xc_pointer_map_free(&seen);
  return twice;
}

// A symbol's name is unique in its context, so its address stands for it. One
// name in two nested modules only makes the pass more careful.
static const void *name_key(MlirStringRef name, MlirContext context) {
  return mlirIdentifierGet(context, name).ptr;
}

static MlirWalkResult look_at_call(MlirOperation operation, void *user_data) {
  module_state *m = user_data;
  if (!xc_op_is(operation, "func.call") || !passes_buffer_twice(operation))
    return MlirWalkResultAdvance;
  MlirAttribute callee =
      mlirOperationGetInherentAttributeByName(operation, xc_ref("callee"));
  xc_pointer_map_set(&m->overlapping,
                     name_key(mlirFlatSymbolRefAttrGetValue(callee),
                              mlirOperationGetContext(operation)),
                     m);
  return MlirWalkResultAdvance;
}

static bool eliminate_in(void *user_data, MlirOperation func) {
  module_state *m = user_data;
  if (mlirRegionIsNull(xc_function_body(func)))
    return true;
  function_state f = {
      .arguments_overlap = xc_pointer_map_has(
          &m->overlapping,
          name_key(xc_function_name(func), mlirOperationGetContext(func)))};
  eliminate(&f, func);
  xc_pass_count(m->run, "num-copies", f.removed_copies);
  xc_pass_count(m->run, "num-allocs", f.removed_allocs);
  return true;
}

static bool run(xc_pass_run *run) {
  module_state m = {.run = run};
  mlirOperationWalk(run->root, look_at_call, &m, MlirWalkPreOrder);
  bool ok = xc_for_each_function(run->root, eliminate_in, &m);
  xc_pointer_map_free(&m.overlapping);
  return ok;
}

static const xc_pass_statistic statistics[] = {
    {"num-copies", "Copies removed"},
    {"num-allocs", "Allocations removed"},
};

const xc_pass_info xc_pass_mtir_eliminate_copies = {
    .argument = "mtir-eliminate-copies",
    .name = "MtirEliminateCopies",
    .summary = "Remove redundant memtx.copy operations",
    .description =
        "Readers of a buffer that is only a copy read the original; writers of "
        "a buffer that is only copied out write the destination. A copy stays "
        "where either side is written while the other is needed, escapes, or "
        "may overlap: the arguments of a function do not overlap each other "
        "unless a call in the module passes one buffer twice.",
    .anchor = "builtin.module",
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
