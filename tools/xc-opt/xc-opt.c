//===- xc-opt.c - runs passes on tir and mtir -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Opt.h"

int main(int argc, char **argv) { return xcOptMain(argc, argv); }
