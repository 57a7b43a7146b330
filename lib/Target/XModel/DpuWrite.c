//===- DpuWrite.c - writes a DPU subgraph of an xmodel --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Text.h"
#include "xc-c/XModelDpu.h"

#include <inttypes.h>

const char *xc_xmodel_context_word(XcXModelContext context) {
  switch (context) {
  case XcXModelContextUnknown:
    return "DATA";
  case XcXModelContextConst:
    return "CONST";
  case XcXModelContextWorkspace:
    return "WORKSPACE";
  case XcXModelContextInterface:
    return "INTERFACE";
  }
  return "DATA";
}

// One map attribute over the registers.
typedef struct register_map {
  XcXModelAttr attr;
  xc_text key;
} register_map;

static register_map begin_map(XcXModelAttrs attrs, const char *name,
                              XcXModelKind kind) {
  return (register_map){xcXModelAttrsSet(attrs, name, kind), {0}};
}

static void add_row(register_map *map, uint32_t id, XcXModelValue value) {
  map->key.length = 0;
  xc_text_printf(&map->key, "REG_%" PRIu32, id);
  xcXModelAttrAppend(map->attr, xc_text_str(&map->key), value);
}

static void end_map(register_map *map) { xc_text_free(&map->key); }

static void set_sizes(XcXModelAttrs attrs, const XcXModelDpu *dpu) {
  register_map map =
      begin_map(attrs, "reg_id_to_size", XcXModelKindMapStringToInt32);
  for (size_t i = 0; i < dpu->numRegisters; ++i)
    add_row(&map, dpu->registers[i].id,
            xcXModelValueInt((int64_t)dpu->registers[i].size));
  end_map(&map);
}

// The older attribute knows constants and the rest only.
static void set_contexts(XcXModelAttrs attrs, const XcXModelDpu *dpu) {
  register_map map =
      begin_map(attrs, "reg_id_to_context_type", XcXModelKindMapStringToString);
  register_map map_v2 = begin_map(attrs, "reg_id_to_context_type_v2",
                                  XcXModelKindMapStringToString);
  for (size_t i = 0; i < dpu->numRegisters; ++i) {
    XcXModelContext context = dpu->registers[i].context;
    XcXModelContext old = context == XcXModelContextConst
                              ? XcXModelContextConst
                              : XcXModelContextUnknown;
    add_row(&map, dpu->registers[i].id,
            xcXModelValueString(xc_xmodel_context_word(old)));
    add_row(&map_v2, dpu->registers[i].id,
            xcXModelValueString(xc_xmodel_context_word(context)));
  }
  end_map(&map);
  end_map(&map_v2);
}

static void set_contents(XcXModelAttrs attrs, const XcXModelDpu *dpu) {
  register_map map = begin_map(attrs, "reg_id_to_parameter_value",
                               XcXModelKindMapStringToBytes);
  register_map segments =
      begin_map(attrs, "reg_id_to_hw_segment", XcXModelKindMapStringToString);
  for (size_t i = 0; i < dpu->numRegisters; ++i) {
    const XcXModelRegister *reg = &dpu->registers[i];
    const char *segment = reg->context == XcXModelContextConst ? "W0" : "D0";
    if (reg->segment)
      segment = reg->segment;
    if (reg->initial)
      add_row(&map, reg->id,
              xcXModelValueBytes(reg->initial, reg->initialSize));
    add_row(&segments, reg->id, xcXModelValueString(segment));
  }
  end_map(&map);
  end_map(&segments);
}

void xcXModelSubgraphSetDpu(XcXModelSubgraph *subgraph,
                            const XcXModelDpu *dpu) {
  XcXModelAttrs attrs = xcXModelSubgraphGetAttrs(subgraph);
  xcXModelAttrsSetString(attrs, "device", "DPU");
  xcXModelAttrsSetString(attrs, "dpu_name", dpu->target);
  if (dpu->compiler)
    xcXModelAttrsSetString(attrs, "compiler", dpu->compiler);
  if (dpu->fingerprint)
    xcXModelAttrsSetUint64(attrs, "dpu_fingerprint", dpu->fingerprint);
  xcXModelAttrsSetUint64(attrs, "workload", dpu->workload);
  xcXModelAttrsSetUint64(attrs, "workload_on_arch", dpu->workloadOnArch);
  xcXModelAttrsSetBytes(attrs, "mc_code", dpu->code, dpu->codeSize);
  xcXModelAttrsSetBytes(attrs, "mc_code_preload", NULL, 0);
  set_sizes(attrs, dpu);
  set_contexts(attrs, dpu);
  set_contents(attrs, dpu);
  xc_xmodel_set_runner(subgraph, "DPU");
}

void xcXModelTensorSetPlace(XcXModelTensor *tensor,
                            const XcXModelDpuTensor *place) {
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  xcXModelAttrsSetInt32(attrs, "location", 1);
  xcXModelAttrsSetInt32(attrs, "reg_id", (int32_t)place->registerId);
  xcXModelAttrsSetInt32(attrs, "ddr_addr", (int32_t)place->address);
  int32_t strides[XC_XMODEL_MAX_RANK];
  for (size_t i = 0; i < place->rank; ++i)
    strides[i] = (int32_t)place->strides[i];
  xcXModelAttrsSetInt32Vec(attrs, "stride", strides, place->rank);
  xcXModelTensorSetFixPoint(tensor, place->fixPoint, place->isSigned);
}
