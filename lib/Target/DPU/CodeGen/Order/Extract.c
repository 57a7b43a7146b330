//===- Extract.c - a part of the code as a program ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extract.h"

#include "Tokens.h"

#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>

/// Adds the INIT instructions that were in force before the part and are used
/// in it before they are set again.
static void add_inits(const xc_code *code, const uint32_t *inits, size_t begin,
                      size_t end, xc_code *result) {
  bool is_set[XC_DPU_NUM_OPCODES] = {false};
  for (size_t i = begin; i < end; ++i) {
    unsigned opcode = xc_code_opcode(code, i);
    const xc_operation *kind = code->machine->operations[opcode];
    if (kind->class == XC_OP_INIT)
      is_set[opcode] = true;
    if (!kind->has_init || kind->takes_operands || is_set[kind->init])
      continue;
    is_set[kind->init] = true;
    assert(inits[kind->init] && "code sets registers before it uses them");
    xc_code_copy(result, code, inits[kind->init] - 1);
  }
}

/// Sets the needs of an instruction within the part. What it needs from before
/// the part has ended.
static void set_needs(const xc_dependence *from, size_t begin, size_t prefix,
                      xc_dependence *to) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    if (from->needs[q] > begin)
      to->needs[q] = (uint32_t)(from->needs[q] - begin + prefix);
}

/// Lets END wait for all queues. Unlike at the end of the whole program, the
/// last instruction of the part need not be a SAVE.
static void await_all(const xc_code *code, xc_dependence *end) {
  for (size_t i = 0; i + 1 < code->count; ++i)
    end->needs[xc_code_queue(code, i)] = (uint32_t)(i + 1);
}

void xc_extract_code(const xc_code *code, const xc_dependence *dependences,
                     const uint32_t inits[XC_DPU_NUM_OPCODES], size_t begin,
                     size_t end, xc_code *result) {
  result->target = code->target;
  result->machine = code->machine;
  add_inits(code, inits, begin, end, result);
  size_t prefix = result->count;
  for (size_t i = begin; i < end; ++i)
    xc_code_copy(result, code, i);
  xc_code_end(result);
  xc_dependence *own = xc_alloc_array(result->count, sizeof *own);
  for (size_t i = begin; i < end; ++i)
    set_needs(&dependences[i], begin, prefix, &own[prefix + i - begin]);
  await_all(result, &own[result->count - 1]);
  xc_assign_tokens(result, own);
  free(own);
}
