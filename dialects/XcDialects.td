//===- XcDialects.td - the root that ods-to-c.py's input is dumped from ---===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "mtir/MtirOps.td"
include "memtx/MemtxOps.td"
