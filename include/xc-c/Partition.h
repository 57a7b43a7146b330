//===- Partition.h - what runs on the DPU and why not the rest ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides for every operator of a module whether a DPU can run it, groups the
// operators into as few subgraphs as the data flow allows, and says of each
// operator that stays on the CPU why it does and what would make it fit.
//
//   XcPlacement placement = xcPlacementCreate(module, target, &options);
//   if (placement) {
//     char *table = xcPlacementToTable(placement, XcPlacementTableKinds);
//     fputs(table, stderr);
//     free(table);
//     xcPlacementOutline(placement);
//     xcPlacementDestroy(placement);
//   }
//
// Errors are emitted as diagnostics of the module's context.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_PARTITION_H
#define XC_C_PARTITION_H

#include "xc-c/DPUTarget.h"
#include "xc-c/Support.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum XcDevice {
  XcDeviceCPU,
  XcDeviceDPU,
} XcDevice;

enum { XC_NUM_DEVICES = 2 };

/// "CPU", "DPU". XcDeviceDPU stands for any accelerator;
/// xcPlacementGetDeviceName returns its name.
XC_EXPORTED const char *xcDeviceGetName(XcDevice device);

/// Zero-initialise, or start from xcPlacementOptionsDefault.
typedef struct XcPlacementOptions {
  /// A placement file (docs/partition.md): rules, or a saved placement. Null:
  /// none.
  const char *placementFile;
  /// A kernel library (docs/own-kernels.md) in place of a target: its functions
  /// are the device. Null: none.
  const char *kernels;
  /// Leave DPU subgraphs on the CPU if they are not faster on the DPU, by the
  /// cost model below.
  bool dropIslands;
  /// The cost model: multiply-accumulates, or elements moved or converted, that
  /// the CPU does in a microsecond, and microseconds that starting a DPU
  /// subgraph takes. The defaults are for one core of the boards' processor
  /// (docs/partition.md).
  double cpuMacsPerMicrosecond;
  double launchMicroseconds;
  /// Whether the board's runtime computes a CPU operator by itself. Operators
  /// that it does not compute need code of xc, while operators of the host have
  /// libraries of their own. The two kinds are then put into different
  /// subgraphs. Null: they share subgraphs.
  bool (*isStandard)(MlirOperation operation);
} XcPlacementOptions;

XC_EXPORTED XcPlacementOptions xcPlacementOptionsDefault(void);

/// A placement of one module: a device for each operator, not addresses, which
/// XcDpuPlacement and XcDpuMemoryPlacement are about. It refers to the module's
/// operations, so until it is destroyed, the module may only be changed through
/// it. The target must live as long.
typedef struct XcPlacement {
  struct xc_placement *ptr;
} XcPlacement;

/// Places every function of a module that was not partitioned before. Returns a
/// null placement after an error. `options` may be null; `target` may be null
/// if `options` has kernels.
XC_EXPORTED XcPlacement xcPlacementCreate(MlirOperation module,
                                          const XcDpuTarget *target,
                                          const XcPlacementOptions *options);
/// "CPU", "DPU", or the name of the kernel library; as long as the placement.
XC_EXPORTED const char *xcPlacementGetDeviceName(XcPlacement placement,
                                                 XcDevice device);
/// A null placement is fine.
XC_EXPORTED void xcPlacementDestroy(XcPlacement placement);
static inline bool xcPlacementIsNull(XcPlacement placement) {
  return !placement.ptr;
}

/// An operator, in program order; constants are not counted. Strings are
/// borrowed from the placement.
typedef struct XcPlacedOperator {
  const char *name; // op_name, the location's name, or "softmax.7"
  const char *type; // "conv2d-fix"
  XcDevice device;
  size_t subgraph;       // index for xcPlacementGetSubgraph
  int64_t macs;          // multiply-accumulates
  bool isBorder;         // a conversion, or the layout of the model's own data:
                         // nothing a DPU would compute
  const char *predicate; // "kernel-width"; null on the DPU
  const char *reason;    // "kernel width is 17, expected 1 to 16"
  const char *change;    // "kernel width 17 -> 16"; null when none helps that
                         // whoever makes the model can choose
  const char *kernel;    // the function of a kernel library, or null
} XcPlacedOperator;

XC_EXPORTED size_t xcPlacementGetNumOperators(XcPlacement placement);
XC_EXPORTED XcPlacedOperator xcPlacementGetOperator(XcPlacement placement,
                                                    size_t index);

/// A rule of the placement file that matches no operator. Strings are borrowed
/// from the placement.
typedef struct XcUnusedRule {
  XcPlace place;
  const char *text; // what to say of it
} XcUnusedRule;

XC_EXPORTED size_t xcPlacementGetNumUnusedRules(XcPlacement placement);
XC_EXPORTED XcUnusedRule xcPlacementGetUnusedRule(XcPlacement placement,
                                                  size_t index);

/// A subgraph, in the order of execution.
typedef struct XcSubgraph {
  XcDevice device;
  size_t numOperators;
  int64_t macs;
  int64_t inputBytes, outputBytes;         // tensors that enter and leave
  double cpuMicroseconds, dpuMicroseconds; // by the model; DPU subgraphs only
} XcSubgraph;

XC_EXPORTED size_t xcPlacementGetNumSubgraphs(XcPlacement placement);
XC_EXPORTED XcSubgraph xcPlacementGetSubgraph(XcPlacement placement,
                                              size_t index);

/// Sums by device.
typedef struct XcPlacementSummary {
  size_t numOperators[XC_NUM_DEVICES];
  size_t numSubgraphs[XC_NUM_DEVICES];
  int64_t macs[XC_NUM_DEVICES];
  /// Of the CPU, by operators that changes would make fit the DPU.
  int64_t repairableMacs;
  int64_t boundaryBytes; // tensors that enter a subgraph from another one
} XcPlacementSummary;

XC_EXPORTED XcPlacementSummary xcPlacementGetSummary(XcPlacement placement);

/// How many subgraphs the DPU would have if it computed the operators for which
/// `isOnDpu` holds, too. The placement stays as it is. Not after outlining.
XC_EXPORTED size_t xcPlacementCountSubgraphsWith(
    XcPlacement placement,
    bool (*isOnDpu)(MlirOperation operation, const void *userData),
    const void *userData);

/// Fails with an explanation unless at least `percent` of the
/// multiply-accumulates run on the DPU. A model without any passes.
XC_EXPORTED MlirLogicalResult xcPlacementRequireOffload(XcPlacement placement,
                                                        double percent);

typedef enum XcPlacementTable {
  XcPlacementTableKinds,     // one line per operator type and reason
  XcPlacementTableOperators, // one line per operator
} XcPlacementTable;

/// Returns a table for people; the caller frees it with free().
XC_EXPORTED char *xcPlacementToTable(XcPlacement placement,
                                     XcPlacementTable table);
/// Returns the report (docs/partition.md has the format); the caller frees it
/// with free().
XC_EXPORTED char *xcPlacementToJson(XcPlacement placement);
/// Returns the decisions as a placement file; the caller frees it with free().
XC_EXPORTED char *xcPlacementToFile(XcPlacement placement);

/// Sets `device` on every operator and `xc.reason` on those of the CPU.
XC_EXPORTED void xcPlacementAnnotate(XcPlacement placement);

/// Moves every subgraph into a private function with the attribute `device`
/// and leaves calls, in the order of execution. Constants are copied to where
/// they are used. Annotates, too. At most once for a placement.
XC_EXPORTED void xcPlacementOutline(XcPlacement placement);

/// Returns the constraint table as Markdown, with the limits of the given
/// targets; the caller frees it with free().
XC_EXPORTED char *xcConstraintsToMarkdown(const XcDpuTarget *const *targets,
                                          size_t numTargets);

#ifdef __cplusplus
}
#endif

#endif // XC_C_PARTITION_H
