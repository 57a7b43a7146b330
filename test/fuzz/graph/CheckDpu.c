//===- CheckDpu.c - partition, machine code, simulator --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of xcc: legalise, place, outline, generate code, write it into an
// xmodel and read it back. The calls of the outlined function are then made one
// by one, those of the DPU on the simulator and the others by the interpreter.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include "IR/IR.h"
#include "Support/Memory.h"
#include "Target/DPU/CodeGen/Lower/XModelOutput.h"
#include "Transforms/Partition/Constraints.h"
#include "dialects/Build.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"
#include "xc-c/Partition.h"
#include "xc-c/XModelCheck.h"
#include "xc-c/XModelDpu.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

// A tensor of the outlined function.
typedef struct binding {
  MlirValue value;
  void *data;
  bool is_owned;
} binding;

typedef struct dpu_run {
  const fuzz_setting *setting;
  MlirModule tensors; // outlined, on tensors
  MlirModule buffers; // the same after bufferisation
  XcDiag diag;
  xc_text *why;
  binding *bindings;
  size_t num_bindings, capacity;
  size_t choices; // layers that several engines can compute
} dpu_run;

static void note(void *user_data, XcSeverity severity, XcPlace place,
                 const char *message) {
  (void)severity;
  (void)place;
  dpu_run *run = user_data;
  if (run->why->length < 2000)
    xc_text_printf(run->why, "%s%s", run->why->length ? "; " : "", message);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static bool legalise(const dpu_run *run) {
  xc_text pipeline = {0};
  xc_text_printf(&pipeline,
                 "tir-absorb-fix,tir-canonicalize,tir-legalize{target=%s},"
                 "tir-canonicalize",
                 run->setting->target_name);
  bool ok = fuzz_run_passes(run->tensors, xc_text_str(&pipeline));
  xc_text_free(&pipeline);
  return ok;
}

static void count_reason(fuzz_counts *counts, const char *predicate) {
  size_t count;
  const xc_constraint *rows = xc_constraint_table(&count);
  for (size_t i = 0; i < count && i < FUZZ_MAX_CONSTRAINTS; ++i)
    counts->reasons[i] += strcmp(rows[i].id, predicate) == 0;
}

static fuzz_verdict count_placement(const dpu_run *run, XcPlacement placement) {
  fuzz_counts *counts = run->setting->counts;
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i) {
    XcPlacedOperator op = xcPlacementGetOperator(placement, i);
    bool on_dpu = op.device == XcDeviceDPU;
    xc_text name = {0};
    xc_text_printf(&name, "tir.%s", op.type);
    const xc_op_info *info = xc_op_info_find(xc_text_str(&name), name.length);
    xc_text_free(&name);
    ++*(on_dpu ? &counts->on_dpu : &counts->on_cpu);
    if (info && on_dpu)
      ++counts->by_dpu[info->kind];
    bool has_reason = op.predicate && op.reason && *op.reason;
    if (on_dpu == has_reason) {
      xc_text_printf(run->why, "'%s' (%s)", op.name, op.type);
      return FUZZ_REASON;
    }
    if (has_reason)
      count_reason(counts, op.predicate);
  }
  counts->subgraphs +=
      xcPlacementGetSummary(placement).numSubgraphs[XcDeviceDPU];
  return FUZZ_OK;
}

static fuzz_verdict place(dpu_run *run) {
  XcPlacement placement = xcPlacementCreate(
      mlirModuleGetOperation(run->tensors), run->setting->target, NULL);
  if (xcPlacementIsNull(placement))
    return FUZZ_PASS;
  fuzz_verdict verdict = count_placement(run, placement);
  xcPlacementOutline(placement);
  xcPlacementDestroy(placement);
  return verdict;
}

static bool is_for_dpu(MlirOperation function) {
  MlirAttribute device = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("device"));
  return !mlirAttributeIsNull(device) &&
         mlirStringRefEqual(mlirStringAttrGetValue(device),
                            mlirStringRefCreateFromCString("DPU"));
}

static MlirWalkResult count_list(MlirOperation operation, void *count) {
  if (xc_op_info_of(operation))
    *(uint64_t *)count +=
        !mlirAttributeIsNull(xc_op_attribute(operation, "weight_fix_points")) ||
        !mlirAttributeIsNull(xc_op_attribute(operation, "bias_fix_points"));
  return MlirWalkResultAdvance;
}

/// Operators on the DPU with lists of fix points that are not all the same.
static void count_lists(const dpu_run *run) {
  uint64_t count = 0;
  MlirBlock body = mlirModuleGetBody(run->tensors);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_for_dpu(op))
      mlirOperationWalk(op, count_list, &count, MlirWalkPreOrder);
  run->setting->counts->lists += count;
  run->setting->counts->graphs_of_lists += count > 0;
}

static bool bufferise(dpu_run *run) {
  run->buffers = fuzz_clone(run->tensors);
  return fuzz_run_passes(
      run->buffers,
      "global-bufferize,convert-tir-to-mtir,mtir-eliminate-copies");
}

//===----------------------------------------------------------------------===//
// Running machine code
//===----------------------------------------------------------------------===//

// Memory of the base registers.
typedef struct registers {
  unsigned char *data[XC_DPU_NUM_REGISTERS];
  size_t sizes[XC_DPU_NUM_REGISTERS];
} registers;

static bool make_registers(const XcXModelDpu *dpu, registers *regs) {
  for (size_t i = 0; i < dpu->numRegisters; ++i) {
    const XcXModelRegister *from = &dpu->registers[i];
    if (from->id >= XC_DPU_NUM_REGISTERS)
      return false;
    // What nothing wrote is not zero.
    regs->data[from->id] = xc_alloc(from->size);
    regs->sizes[from->id] = from->size;
    memset(regs->data[from->id], 0x5a, from->size);
    if (from->initialSize)
      memcpy(regs->data[from->id], from->initial, from->initialSize);
  }
  return true;
}

static bool verify(dpu_run *run, const XcDpuProgram *program,
                   const registers *regs) {
  const XcDpuTarget *target = run->setting->target;
  XcDpuVerifyOptions options;
  XcDpuByteRange written[XC_DPU_NUM_REGISTERS];
  xcDpuVerifyOptionsInit(&options, target);
  options.fullRegisters = 0;
  options.written = written;
  options.numWritten = XC_DPU_NUM_REGISTERS;
  options.maxReported = 3;
  for (int reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg) {
    bool is_filled =
        reg != target->workspaceRegister && reg != target->outputRegister;
    options.registerSizes[reg] = regs->sizes[reg];
    written[reg] =
        (XcDpuByteRange){(unsigned)reg, 0, is_filled ? regs->sizes[reg] : 0};
  }
  return xcDpuVerify(&run->diag, program, &options, NULL);
}

static XcDpuSim *make_sim(dpu_run *run, const registers *regs) {
  XcDpuSim *sim = xcDpuSimCreate(&run->diag, run->setting->target, NULL);
  for (unsigned reg = 0; sim && reg < XC_DPU_NUM_REGISTERS; ++reg)
    xcDpuSimSetRegister(sim, reg, regs->data[reg], regs->sizes[reg]);
  return sim;
}

static bool simulate(dpu_run *run, const XcDpuProgram *program,
                     const registers *regs) {
  XcDpuSim *sim = make_sim(run, regs);
  bool ok = sim && xcDpuSimRun(sim, program, &run->diag);
  xcDpuSimDestroy(sim);
  run->setting->counts->instructions += xcDpuProgramGetNumInstructions(program);
  return ok;
}

// Tensors of the container are called by their position.
static const XcXModelDpuTensor *find_tensor(const XcXModelDpuTensor *tensors,
                                            size_t count, const char *kind,
                                            size_t index) {
  xc_text name = {0};
  xc_text_printf(&name, "%s%zu", kind, index);
  const XcXModelDpuTensor *found = NULL;
  for (size_t i = 0; i < count && !found; ++i)
    if (strcmp(tensors[i].name, xc_text_str(&name)) == 0 ||
        strcmp(tensors[i].otherName, xc_text_str(&name)) == 0)
      found = &tensors[i];
  xc_text_free(&name);
  return found;
}

static bool store_inputs(const XcXModelDpu *dpu, const registers *regs,
                         void *const *inputs, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const XcXModelDpuTensor *tensor =
        find_tensor(dpu->inputs, dpu->numInputs, "input", i);
    if (!tensor)
      return false;
    xcXModelDpuTensorStore(tensor, inputs[i], regs->data[tensor->registerId]);
  }
  return true;
}

static bool load_outputs(const XcXModelDpu *dpu, const registers *regs,
                         void *const *outputs, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const XcXModelDpuTensor *tensor =
        find_tensor(dpu->outputs, dpu->numOutputs, "output", i);
    if (!tensor)
      return false;
    xcXModelDpuTensorLoad(tensor, outputs[i], regs->data[tensor->registerId]);
  }
  return true;
}

typedef struct arguments {
  void **inputs, **outputs;
  size_t num_inputs, num_outputs;
  size_t *sizes; // of the outputs
} arguments;

static void free_registers(registers *regs) {
  for (int reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(regs->data[reg]);
}

// What other layers left in banks and memory is not known here.
static bool run_layer(dpu_run *run, XcDpuSim *sim,
                      const XcXModelSubgraph *layer) {
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, run->setting->target);
  options.fullRegisters = UINT32_MAX;
  options.ignored = 1u << XcDpuFindingKindUnwritten |
                    1u << XcDpuFindingKindTorn | 1u << XcDpuFindingKindUnused;
  size_t size;
  const void *code =
      xcXModelAttrsGetBytes(xcXModelSubgraphGetAttrs(layer), "mc_code", &size);
  if (!code) // at the border
    return true;
  XcDpuProgram *program =
      xcDpuProgramCreate(&run->diag, run->setting->target,
                         xcXModelSubgraphGetName(layer), code, size);
  bool ok = program && xcDpuVerify(&run->diag, program, &options, NULL) &&
            xcDpuSimRun(sim, program, &run->diag);
  xcDpuProgramDestroy(program);
  return ok;
}

// Layer by layer everything must be as after the run of the whole program.
static fuzz_verdict run_layers(dpu_run *run, const XcXModelSubgraph *subgraph,
                               const XcXModelDpu *dpu, const arguments *args,
                               const registers *expected) {
  registers regs = {0};
  bool ok = make_registers(dpu, &regs) &&
            store_inputs(dpu, &regs, args->inputs, args->num_inputs);
  XcDpuSim *sim = make_sim(run, &regs);
  ok = ok && sim;
  for (size_t i = 0; ok && i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    ok = run_layer(run, sim, xcXModelSubgraphGetChild(subgraph, i));
  for (int reg = 0; ok && reg < XC_DPU_NUM_REGISTERS; ++reg)
    ok = !regs.sizes[reg] ||
         memcmp(regs.data[reg], expected->data[reg], regs.sizes[reg]) == 0;
  xcDpuSimDestroy(sim);
  free_registers(&regs);
  return ok ? FUZZ_OK : FUZZ_LAYERS;
}

static fuzz_verdict run_code(dpu_run *run, const XcXModelSubgraph *subgraph,
                             const XcXModelDpu *dpu, const arguments *args) {
  registers regs = {0};
  fuzz_verdict verdict = FUZZ_RUN;
  XcDpuProgram *program = xcDpuProgramCreate(&run->diag, run->setting->target,
                                             "code", dpu->code, dpu->codeSize);
  if (program && make_registers(dpu, &regs) &&
      store_inputs(dpu, &regs, args->inputs, args->num_inputs))
    verdict = !verify(run, program, &regs) ? FUZZ_STRICT
              : simulate(run, program, &regs) &&
                      load_outputs(dpu, &regs, args->outputs, args->num_outputs)
                  ? run_layers(run, subgraph, dpu, args, &regs)
                  : FUZZ_RUN;
  xcDpuProgramDestroy(program);
  free_registers(&regs);
  return verdict;
}

static fuzz_verdict run_container(dpu_run *run, XcXModel *model,
                                  const arguments *args) {
  const XcXModelSubgraph *subgraph =
      xcXModelSelectDpuSubgraph(&run->diag, model, NULL);
  const XcXModelDpu *dpu =
      subgraph ? xcXModelDpuCreate(&run->diag, model, subgraph) : NULL;
  fuzz_verdict verdict = dpu ? run_code(run, subgraph, dpu, args) : FUZZ_RUN;
  if (verdict == FUZZ_OK && !xcXModelCheck(&run->diag, model))
    verdict = FUZZ_BOARD;
  xcXModelDpuDestroy(dpu);
  return verdict;
}

/// Sets how many layers several engines can compute.
static fuzz_verdict call_engines(dpu_run *run, MlirOperation func,
                                 XcDpuEngineChoice engines,
                                 const arguments *args, size_t *choices) {
  xc_dpu_function function;
  fuzz_verdict verdict = FUZZ_REFUSED;
  *choices = 0;
  // Every third graph is scheduled for few bytes.
  const xc_dpu_schedule_options schedule = {
      .engines = engines,
      .effort = XcDpuEffortDefault,
      .has_byte_price = true,
      .byte_price = run->setting->seed % 3 == 0 ? 1.0 / 32 : 0};
  if (xc_dpu_compile_function(&run->diag, run->setting->target, func, &schedule,
                              &function)) {
    XcXModel *model = xcXModelCreate("graph");
    const xc_dpu_xmodel_options options = {0};
    *choices = xcDpuCodeGenGetNumChoices(function.gen);
    xc_dpu_add_to_xmodel(model, run->setting->target, &function, &options);
    xcXModelSetSource(model, "graph", NULL, 0);
    verdict = run_container(run, model, args);
    xcXModelDestroy(model);
  }
  xc_dpu_function_free(&function);
  return verdict;
}

static fuzz_verdict compare_engines(const dpu_run *run, const arguments *first,
                                    const arguments *other) {
  for (size_t i = 0; i < first->num_outputs; ++i)
    if (memcmp(first->outputs[i], other->outputs[i], first->sizes[i]) != 0) {
      xc_text_printf(run->why, "output %zu", i);
      return FUZZ_DIFFERS;
    }
  return FUZZ_OK;
}

/// The other forced choices give what the first one gave.
static fuzz_verdict call_others(dpu_run *run, MlirOperation func,
                                const arguments *args) {
  arguments other = *args;
  fuzz_verdict verdict = FUZZ_OK;
  size_t choices;
  other.outputs = xc_alloc_array(args->num_outputs, sizeof(void *));
  for (size_t i = 0; i < args->num_outputs; ++i)
    other.outputs[i] = xc_alloc(args->sizes[i]);
  for (int e = XcDpuEngineChoiceDepthwise + 1;
       e < XC_DPU_NUM_ENGINE_CHOICES && verdict == FUZZ_OK; ++e) {
    verdict = call_engines(run, func, (XcDpuEngineChoice)e, &other, &choices);
    if (verdict == FUZZ_OK)
      verdict = compare_engines(run, args, &other);
    if (verdict != FUZZ_OK)
      xc_text_printf(run->why, " (choice %d of engines)", e);
  }
  for (size_t i = 0; i < args->num_outputs; ++i)
    free(other.outputs[i]);
  free(other.outputs);
  return verdict;
}

static fuzz_verdict call_dpu(dpu_run *run, MlirStringRef name,
                             const arguments *args) {
  const fuzz_setting *setting = run->setting;
  MlirOperation func = fuzz_find_function(run->buffers, name);
  size_t choices;
  fuzz_verdict verdict = call_engines(
      run, func,
      setting->each_engines ? XcDpuEngineChoiceDepthwise : setting->engines,
      args, &choices);
  run->choices += choices;
  return verdict == FUZZ_OK && setting->each_engines
             ? call_others(run, func, args)
             : verdict;
}

//===----------------------------------------------------------------------===//
// The calls of the function
//===----------------------------------------------------------------------===//

static void *data_of(const dpu_run *run, MlirValue value) {
  for (size_t i = 0; i < run->num_bindings; ++i)
    if (mlirValueEqual(run->bindings[i].value, value))
      return run->bindings[i].data;
  return NULL;
}

static void bind(dpu_run *run, MlirValue value, void *data, bool is_owned) {
  void *items = run->bindings;
  xc_grow(&items, &run->capacity, run->num_bindings + 1, sizeof(binding));
  run->bindings = items;
  run->bindings[run->num_bindings++] = (binding){value, data, is_owned};
}

static void *bind_new(dpu_run *run, MlirValue value, size_t *size) {
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  *size = fuzz_tensor_size(&shape);
  void *data = xc_alloc(*size);
  bind(run, value, data, true);
  return data;
}

static fuzz_verdict call_cpu(MlirOperation function, const arguments *args) {
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  bool ok =
      interpreter && xcInterpreterRun(interpreter, args->inputs, args->outputs);
  xcInterpreterDestroy(interpreter);
  return ok ? FUZZ_OK : FUZZ_REFERENCE;
}

static fuzz_verdict call_function(dpu_run *run, MlirOperation call) {
  MlirStringRef name =
      mlirFlatSymbolRefAttrGetValue(mlirOperationGetAttributeByName(
          call, mlirStringRefCreateFromCString("callee")));
  MlirOperation function = fuzz_find_function(run->tensors, name);
  arguments args = {.num_inputs = (size_t)mlirOperationGetNumOperands(call),
                    .num_outputs = (size_t)mlirOperationGetNumResults(call)};
  args.inputs = xc_alloc_array(args.num_inputs, sizeof(void *));
  args.outputs = xc_alloc_array(args.num_outputs, sizeof(void *));
  args.sizes = xc_alloc_array(args.num_outputs, sizeof(size_t));
  for (size_t i = 0; i < args.num_inputs; ++i)
    args.inputs[i] = data_of(run, mlirOperationGetOperand(call, (intptr_t)i));
  for (size_t i = 0; i < args.num_outputs; ++i)
    args.outputs[i] = bind_new(run, mlirOperationGetResult(call, (intptr_t)i),
                               &args.sizes[i]);
  fuzz_verdict verdict = is_for_dpu(function) ? call_dpu(run, name, &args)
                                              : call_cpu(function, &args);
  free(args.inputs);
  free(args.outputs);
  free(args.sizes);
  return verdict;
}

static bool bind_constant(dpu_run *run, MlirOperation operation) {
  size_t size;
  void *data = xc_const_bytes(operation, &size);
  if (data)
    bind(run, mlirOperationGetResult(operation, 0), data, true);
  return data != NULL;
}

static fuzz_verdict compare_results(const dpu_run *run, MlirOperation last,
                                    const fuzz_tensors *expected) {
  for (size_t i = 0; i < expected->count; ++i) {
    const void *data = data_of(run, mlirOperationGetOperand(last, (intptr_t)i));
    if (!xc_element_is_float(expected->shapes[i].element) &&
        !fuzz_compare_bits("result", i, &expected->shapes[i], expected->data[i],
                           data, run->why))
      return FUZZ_DIFFERS;
  }
  return FUZZ_OK;
}

static fuzz_verdict run_calls(dpu_run *run, const fuzz_tensors *inputs,
                              const fuzz_tensors *expected) {
  MlirBlock body = fuzz_body(fuzz_main_function(run->tensors));
  for (size_t i = 0; i < inputs->count; ++i)
    bind(run, mlirBlockGetArgument(body, (intptr_t)i), inputs->data[i], false);
  MlirOperation op = mlirBlockGetFirstOperation(body), next;
  while (!mlirOperationIsNull(next = mlirOperationGetNextInBlock(op))) {
    bool is_constant = xc_op_info_of(op) != NULL;
    fuzz_verdict verdict = is_constant
                               ? (bind_constant(run, op) ? FUZZ_OK : FUZZ_PASS)
                               : call_function(run, op);
    if (verdict != FUZZ_OK)
      return verdict;
    op = next;
  }
  return compare_results(run, op, expected);
}

fuzz_verdict fuzz_check_dpu(MlirModule module, const fuzz_setting *setting,
                            const fuzz_tensors *inputs,
                            const fuzz_tensors *expected, xc_text *why) {
  dpu_run run = {.setting = setting,
                 .tensors = fuzz_clone(module),
                 .diag = {note, &run, 0},
                 .why = why};
  // As xcc does it, or without the passes that make operators simpler.
  bool raw = setting->seed % 4 == 0;
  fuzz_verdict verdict = raw || legalise(&run) ? place(&run) : FUZZ_PASS;
  if (verdict == FUZZ_OK)
    count_lists(&run);
  if (verdict == FUZZ_OK && !bufferise(&run))
    verdict = FUZZ_PASS;
  if (verdict == FUZZ_OK)
    verdict = run_calls(&run, inputs, expected);
  setting->counts->choices += run.choices;
  setting->counts->graphs_of_choices += run.choices > 0;
  for (size_t i = 0; i < run.num_bindings; ++i)
    if (run.bindings[i].is_owned)
      free(run.bindings[i].data);
  free(run.bindings);
  if (run.buffers.ptr)
    mlirModuleDestroy(run.buffers);
  mlirModuleDestroy(run.tensors);
  return verdict;
}
