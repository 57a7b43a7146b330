//===- MakeXModel.c - writes the small xmodels of the tests ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   MakeXModel NAME FILE
//
// "graph": an uncompiled graph; "dpu": a compiled one whose DPU subgraph
// copies its input of 2 x 3 x 20 elements to its output; "dpu-1.2": the same
// for another family, as an old compiler writes it, with all tensors in one
// register; the other names are broken in one way each.
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUIsa.h"
#include "xc-c/XModelDpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static XcXModelOp *add(XcXModel *model, const char *name, const char *type,
                       const char *input, XcXModelDataType data_type, int bits,
                       const uint32_t *dims, size_t rank) {
  XcXModelOp *op = xcXModelAddOp(model, name, type);
  if (input)
    xcXModelOpAddArg(op, "input", &input, 1);
  xcXModelOpSetTensor(op, name, data_type, bits, dims, rank);
  return op;
}

static XcXModel *make_graph(void) {
  static const uint32_t dims[] = {1, 4, 4, 2}, weight_dims[] = {3, 1, 1, 2};
  static const uint32_t out_dims[] = {1, 4, 4, 3};
  static const int32_t one[] = {1, 1}, zero[] = {0, 0, 0, 0};
  float weights[6] = {0.5f, -0.25f, 1, 0, -1, 2};
  XcXModel *model = xcXModelCreate("small \"net\"");
  xcXModelAttrsSetStringVec(xcXModelGetAttrs(model), "return_ops",
                            (const char *const[]){"sum"}, 1);
  add(model, "in", "data", NULL, XcXModelDataTypeFloat, 32, dims, 4);
  XcXModelOp *weight = add(model, "weight", "const", NULL,
                           XcXModelDataTypeFloat, 32, weight_dims, 4);
  xcXModelAttrsSetBytes(xcXModelOpGetAttrs(weight), "data", weights,
                        sizeof(weights));
  XcXModelOp *conv = add(model, "conv", "conv2d", "in", XcXModelDataTypeFloat,
                         32, out_dims, 4);
  xcXModelOpAddArg(conv, "weights", (const char *const[]){"weight"}, 1);
  XcXModelAttrs attrs = xcXModelOpGetAttrs(conv);
  xcXModelAttrsSetInt32Vec(attrs, "kernel", one, 2);
  xcXModelAttrsSetInt32Vec(attrs, "stride", one, 2);
  xcXModelAttrsSetInt32Vec(attrs, "pad", zero, 4);
  xcXModelAttrsSetString(attrs, "pad_mode", "FLOOR");
  add(model, "left<&>", "relu", "conv", XcXModelDataTypeFloat, 32, out_dims, 4);
  add(model, "right", "sigmoid", "conv", XcXModelDataTypeFloat, 32, out_dims,
      4);
  XcXModelOp *sum =
      add(model, "sum", "add", NULL, XcXModelDataTypeFloat, 32, out_dims, 4);
  xcXModelOpAddArg(sum, "input", (const char *const[]){"left<&>", "right"}, 2);
  return model;
}

/// Where the copy is from and to, and for which DPU.
typedef struct copy_kind {
  const char *target;
  uint64_t fingerprint;
  const XcDpuIsa *isa;
  uint32_t input, output; // registers
  uint64_t output_address;
} copy_kind;

// LOAD 6 pixels of 20 channels, SAVE them, END.
static size_t make_code(unsigned char *code, const copy_kind *kind) {
  XcDpuInstruction instructions[3] = {
      {.opcode = XcDpuOpcodeLoad, .dpdon = 1, .dpdby = 1 | 2},
      {.opcode = XcDpuOpcodeSave, .dpdon = 2 | 1, .dpdby = 2},
      {.opcode = XcDpuOpcodeEnd, .dpdon = 2, .dpdby = 2},
  };
  instructions[0].load = (XcDpuLoad){.jump_read = 20,
                                     .jump_write = 2,
                                     .pad_idx = 1,
                                     .channel = 20,
                                     .length = 6,
                                     .reg_id = kind->input};
  if (kind->isa == xcDpuIsaDPUCAHX8H()) {
    instructions[0].load.output_channel_num = 1;
    instructions[0].load.jump_read_endl = 120;
  }
  instructions[1].save =
      (XcDpuSave){.jump_write = 20,
                  .jump_read = 2,
                  .channel = 20,
                  .length = 6,
                  .reg_id = kind->output,
                  .ddr_addr = (uint32_t)kind->output_address};
  size_t size = 0;
  for (int i = 0; i < 3; ++i) {
    uint32_t words[XC_DPU_MAX_WORDS];
    XcDpuResult result = xcDpuEncode(kind->isa, &instructions[i], words);
    if (result.status != XcDpuStatusOk)
      exit(EXIT_FAILURE);
    for (int w = 0; w < result.numWords; ++w, size += 4)
      xcDpuWriteWord(code + size, words[w]);
  }
  return size;
}

static void set_location(XcXModelOp *op, uint32_t reg, uint64_t address,
                         int64_t row) {
  XcXModelDpuTensor place = {.registerId = reg,
                             .address = address,
                             .rank = 4,
                             .strides = {2 * row, row, 20, 1},
                             .fixPoint = 4,
                             .isSigned = true};
  xcXModelTensorSetPlace(xcXModelOpGetTensor(op), &place);
}

static void set_dpu(XcXModelSubgraph *subgraph, const copy_kind *kind,
                    uint64_t output_size) {
  static const unsigned char parameters[] = {1, 2, 3, 4};
  const XcXModelRegister registers[] = {
      {.id = 0,
       .context = XcXModelContextConst,
       .size = 16,
       .initial = parameters,
       .initialSize = sizeof(parameters)},
      {.id = kind->output,
       .context = XcXModelContextInterface,
       .size = output_size},
      {.id = kind->input, .context = XcXModelContextInterface, .size = 120},
  };
  unsigned char code[64];
  XcXModelDpu dpu = {.target = kind->target,
                     .fingerprint = kind->fingerprint,
                     .code = code,
                     .codeSize = make_code(code, kind),
                     .registers = registers,
                     .numRegisters = kind->input == kind->output ? 2 : 3};
  xcXModelSubgraphSetDpu(subgraph, &dpu);
}

static void add_user(XcXModelSubgraph *root, const char *name, const char *op,
                     const char *device) {
  XcXModelSubgraph *user = xcXModelSubgraphAddChild(root, name);
  xcXModelSubgraphAddOp(user, op);
  xcXModelAttrsSetString(xcXModelSubgraphGetAttrs(user), "device", device);
}

static XcXModel *make_copy(const copy_kind *kind, uint64_t output_size) {
  static const uint32_t dims[] = {1, 2, 3, 20};
  XcXModel *model = xcXModelCreate("copy");
  add(model, "in", "data-fix", NULL, XcXModelDataTypeXint, 8, dims, 4);
  set_location(
      add(model, "in_upload", "upload", "in", XcXModelDataTypeXint, 8, dims, 4),
      kind->input, 0, 60);
  set_location(add(model, "copy", "upsample-fix", "in_upload",
                   XcXModelDataTypeXint, 8, dims, 4),
               kind->output, kind->output_address, 60);
  add(model, "out", "download", "copy", XcXModelDataTypeXint, 8, dims, 4);
  add(model, "float", "fix2float", "out", XcXModelDataTypeFloat, 32, dims, 4);
  XcXModelSubgraph *root = xcXModelAddRoot(model, "root");
  add_user(root, "user", "in", "USER");
  XcXModelSubgraph *dpu = xcXModelSubgraphAddChild(root, "the dpu part");
  XcXModelSubgraph *layer = xcXModelSubgraphAddChild(dpu, "layer");
  xcXModelSubgraphAddOp(layer, "in_upload");
  xcXModelSubgraphAddOp(layer, "copy");
  xcXModelSubgraphAddOp(layer, "out");
  add_user(root, "cpu", "float", "CPU");
  set_dpu(dpu, kind, output_size);
  return model;
}

// The output is 8 bytes from its register on; `output_size` is the register's.
static XcXModel *make_dpu(uint64_t output_size) {
  const copy_kind kind = {"DPUCZDX8G_ISA1_B4096",
                          UINT64_C(0x101000056010407),
                          xcDpuIsaDPUCZDX8G(),
                          2,
                          3,
                          8};
  return make_copy(&kind, output_size);
}

static XcXModel *make_old(void) {
  const copy_kind kind = {"DPUCAHX8H_VAI1_2_U280_U50LV9E",
                          UINT64_C(0x20200000000002a),
                          xcDpuIsaDPUCAHX8H(),
                          1,
                          1,
                          120};
  return make_copy(&kind, 240);
}

static XcXModelAttrs dpu_attrs(const XcXModel *model) {
  return xcXModelSubgraphGetAttrs(
      xcXModelSubgraphGetChild(xcXModelGetRoot(model), 1));
}

static XcXModel *make_wide_tensor(void) {
  static const uint32_t dims[] = {1, 2, 3, 20};
  XcXModel *model = make_dpu(128);
  XcXModelOp *copy = xcXModelFindOp(model, "copy");
  xcXModelOpSetTensor(copy, "copy", XcXModelDataTypeXint, 16, dims, 4);
  set_location(copy, 3, 8, 60);
  return model;
}

static XcXModel *make_no_code(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrsSetBytes(dpu_attrs(model), "mc_code", "", 0);
  return model;
}

static XcXModel *make_bad_register(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrAppend(xcXModelAttrsFind(dpu_attrs(model), "reg_id_to_size"),
                     "REG_x", xcXModelValueInt(1));
  return model;
}

static XcXModel *make_negative_register(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrAppend(xcXModelAttrsFind(dpu_attrs(model), "reg_id_to_size"),
                     "REG_5", xcXModelValueInt(-1));
  return model;
}

static XcXModel *make_high_register(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrAppend(xcXModelAttrsFind(dpu_attrs(model), "reg_id_to_size"),
                     "REG_60", xcXModelValueInt(8));
  return model;
}

static XcXModel *make_no_target(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrsSetInt32(dpu_attrs(model), "dpu_name", 1);
  return model;
}

static XcXModel *make_bad_kind(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrsSetInt32(dpu_attrs(model), "reg_id_to_size", 1);
  return model;
}

static XcXModel *make_big_contents(void) {
  XcXModel *model = make_dpu(128);
  xcXModelAttrAppend(xcXModelAttrsFind(dpu_attrs(model), "reg_id_to_size"),
                     "REG_0", xcXModelValueInt(3));
  return model;
}

static XcXModel *make_circle(void) {
  XcXModel *model = make_graph();
  xcXModelOpAddArg(xcXModelFindOp(model, "conv"), "bias",
                   (const char *const[]){"sum"}, 1);
  return model;
}

// in -> fix -> mean -> host; in + fix + in; fix -> bigger. No list of results.
static XcXModel *make_quantised(void) {
  static const uint32_t dims[] = {1, 4, 4, 2}, one[] = {1, 1, 1, 2};
  static const uint32_t large[] = {1, 8, 8, 2};
  static const int32_t four[] = {4, 4};
  XcXModel *model = xcXModelCreate("quantised");
  add(model, "in", "data", NULL, XcXModelDataTypeFloat, 32, dims, 4);
  XcXModelAttrs fix = xcXModelOpGetAttrs(
      add(model, "in_fix", "fix", "in", XcXModelDataTypeFloat, 32, dims, 4));
  xcXModelAttrsSetInt32(fix, "fix_point", 6);
  xcXModelAttrsSetInt32(fix, "bit_width", 8);
  xcXModelAttrsSetBool(fix, "if_signed", true);
  xcXModelAttrsSetString(fix, "round_mode", "PY3_ROUND");
  XcXModelAttrs mean = xcXModelOpGetAttrs(add(
      model, "mean", "avgpool2d", "in_fix", XcXModelDataTypeFloat, 32, one, 4));
  xcXModelAttrsSetInt32Vec(mean, "kernel", four, 2);
  xcXModelAttrsSetInt32Vec(mean, "stride", four, 2);
  XcXModelAttrs host = xcXModelOpGetAttrs(add(
      model, "host", "HostOnly", "mean", XcXModelDataTypeFloat, 32, one, 4));
  xcXModelAttrsSetInt32(host, "gain", 2);
  xcXModelAttrsSetString(host, "device", "CPU");
  XcXModelOp *sum =
      add(model, "sum", "add", NULL, XcXModelDataTypeFloat, 32, dims, 4);
  xcXModelOpAddArg(sum, "input", (const char *const[]){"in", "in_fix", "in"},
                   3);
  add(model, "same", "identity", "in_fix", XcXModelDataTypeFloat, 32, dims, 4);
  XcXModelAttrs bigger = xcXModelOpGetAttrs(add(
      model, "bigger", "resize", "same", XcXModelDataTypeFloat, 32, large, 4));
  xcXModelAttrsSetString(bigger, "mode", "NEAREST");
  XcXModelAttr scale = xcXModelAttrsSet(bigger, "scale", XcXModelKindFloatVec);
  xcXModelAttrAppend(scale, NULL, xcXModelValueReal(2));
  xcXModelAttrAppend(scale, NULL, xcXModelValueReal(2));
  return model;
}

static void add_number(XcXModel *model, const char *name, int32_t number) {
  static const uint32_t one[] = {1};
  XcXModelOp *op =
      add(model, name, "const", NULL, XcXModelDataTypeInt, 32, one, 1);
  xcXModelAttrsSetBytes(xcXModelOpGetAttrs(op), "data", &number,
                        sizeof(number));
}

// x.view(n, -1) of PyTorch: the shape is a stack of numbers.
static XcXModel *make_view(void) {
  static const uint32_t dims[] = {1, 2, 2, 3}, flat[] = {1, 12}, two[] = {2, 1};
  static const int32_t info[] = {1, -1};
  XcXModel *model = xcXModelCreate("view");
  add(model, "in", "data", NULL, XcXModelDataTypeFloat, 32, dims, 4);
  add_number(model, "rows", 1);
  add_number(model, "rest", -1);
  XcXModelOp *stack =
      add(model, "sizes", "stack", NULL, XcXModelDataTypeInt, 32, two, 2);
  xcXModelOpAddArg(stack, "input", (const char *const[]){"rows", "rest"}, 2);
  xcXModelAttrsSetInt32(xcXModelOpGetAttrs(stack), "axis", 0);
  xcXModelAttrsSetInt32Vec(xcXModelOpGetAttrs(stack), "shape_info", info, 2);
  XcXModelOp *view =
      add(model, "view", "reshape", "in", XcXModelDataTypeFloat, 32, flat, 2);
  xcXModelOpAddArg(view, "shape", (const char *const[]){"sizes"}, 1);
  return model;
}

// A pixel-shuffle-fix that goes from large to small, as a reorg would say it.
static XcXModel *make_unshuffle(void) {
  static const uint32_t large[] = {1, 4, 4, 2}, small[] = {1, 2, 2, 8};
  XcXModel *model = xcXModelCreate("unshuffle");
  add(model, "in", "data-fix", NULL, XcXModelDataTypeXint, 8, large, 4);
  XcXModelAttrs attrs =
      xcXModelOpGetAttrs(add(model, "unshuffled", "pixel-shuffle-fix", "in",
                             XcXModelDataTypeXint, 8, small, 4));
  xcXModelAttrsSetInt32(attrs, "scale", 2);
  xcXModelAttrsSetBool(attrs, "reverse", false);
  return model;
}

static XcXModel *make_bad_operators(void) {
  static const uint32_t dims[] = {1, 4}, empty[] = {1, 0};
  XcXModel *model = xcXModelCreate("bad");
  add(model, "in", "data", NULL, XcXModelDataTypeFloat, 32, dims, 2);
  xcXModelOpAddArg(xcXModelAddOp(model, "no tensor", "relu"), "input",
                   (const char *const[]){"in"}, 1);
  add(model, "type", "relu", "in", XcXModelDataTypeFloat, 7, dims, 2);
  add(model, "empty", "relu", "in", XcXModelDataTypeFloat, 32, empty, 2);
  XcXModelOp *argument =
      add(model, "argument", "relu", "in", XcXModelDataTypeFloat, 32, dims, 2);
  xcXModelOpAddArg(argument, "side", (const char *const[]){"in"}, 1);
  XcXModelOp *inputs =
      add(model, "inputs", "relu", NULL, XcXModelDataTypeFloat, 32, dims, 2);
  xcXModelOpAddArg(inputs, "input", (const char *const[]){"in", "in"}, 2);
  add(model, "missing", "conv2d", "in", XcXModelDataTypeFloat, 32, dims, 2);
  XcXModelOp *attribute =
      add(model, "attribute", "relu", "in", XcXModelDataTypeFloat, 32, dims, 2);
  xcXModelAttrsSetInt32(xcXModelOpGetAttrs(attribute), "colour", 1);
  XcXModelOp *kind = add(model, "kind", "leaky-relu", "in",
                         XcXModelDataTypeFloat, 32, dims, 2);
  xcXModelAttrsSetString(xcXModelOpGetAttrs(kind), "alpha", "small");
  return model;
}

static XcXModel *make_bad_shape(void) {
  static const uint32_t dims[] = {1, 4, 5, 3};
  XcXModel *model = make_graph();
  xcXModelOpSetTensor(xcXModelFindOp(model, "conv"), "conv",
                      XcXModelDataTypeFloat, 32, dims, 4);
  return model;
}

static XcXModel *make_bad_kernel(void) {
  XcXModel *model = make_graph();
  xcXModelAttrsSetInt32Vec(xcXModelOpGetAttrs(xcXModelFindOp(model, "conv")),
                           "kernel", (const int32_t[]){1, 2}, 2);
  return model;
}

static XcXModel *make_bad_data(void) {
  XcXModel *model = make_graph();
  xcXModelAttrsSetBytes(xcXModelOpGetAttrs(xcXModelFindOp(model, "weight")),
                        "data", "abc", 3);
  return model;
}

static XcXModel *make_bad_result(void) {
  XcXModel *model = make_graph();
  xcXModelAttrsSetStringVec(xcXModelGetAttrs(model), "return_ops",
                            (const char *const[]){"nowhere"}, 1);
  return model;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    XcXModel *(*make)(void);
  } rows[] = {
      {"graph", make_graph},
      {"dpu-1.2", make_old},
      {"no-code", make_no_code},
      {"wide-tensor", make_wide_tensor},
      {"bad-register", make_bad_register},
      {"bad-kind", make_bad_kind},
      {"big-contents", make_big_contents},
      {"circle", make_circle},
      {"quantised", make_quantised},
      {"view", make_view},
      {"bad-operators", make_bad_operators},
      {"bad-shape", make_bad_shape},
      {"bad-kernel", make_bad_kernel},
      {"bad-data", make_bad_data},
      {"bad-result", make_bad_result},
      {"unshuffle", make_unshuffle},
      {"no-target", make_no_target},
      {"negative-register", make_negative_register},
      {"high-register", make_high_register},
  };
  if (argc != 3)
    return EXIT_FAILURE;
  XcXModel *model = NULL;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (!strcmp(argv[1], rows[i].name))
      model = rows[i].make();
  if (!strcmp(argv[1], "dpu"))
    model = make_dpu(128);
  if (!strcmp(argv[1], "outside"))
    model = make_dpu(127);
  XcDiag diag = {0};
  bool ok = model && xcXModelWrite(&diag, model, argv[2]);
  xcXModelDestroy(model);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
