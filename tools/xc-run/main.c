//===- main.c - xc-run: run compiled code on data -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

#include <stdlib.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

int main(int argc, char **argv) {
  run_code_options code = {.threads = 1};
  const xc_option code_rows[] = {
      {.name = "target",
       .kind = XC_OPTION_STRING,
       .value_name = "name or file",
       .help = "The DPU that the code was made for",
       .target = &code.target},
      {.name = "reg",
       .kind = XC_OPTION_LIST,
       .value_name = "N=file",
       .help = "Fill the memory behind base register N from a file",
       .target = &code.registers},
      {.name = "reg-size",
       .kind = XC_OPTION_LIST,
       .value_name = "N=bytes",
       .help = "Give base register N this much memory (zeros, or the file of "
               "--reg and zeros behind it)",
       .target = &code.register_sizes},
      {.name = "dump-reg",
       .kind = XC_OPTION_LIST,
       .value_name = "N=file",
       .help = "Write the memory behind base register N after the run",
       .target = &code.dump_registers},
      {.name = "dump-banks",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write all banks after the run, in order",
       .target = &code.dump_banks},
      {.name = "threads",
       .kind = XC_OPTION_INT,
       .value_name = "count",
       .help = "Threads that share the work of one instruction (1)",
       .target = &code.threads,
       .minimum = 1,
       .maximum = 256},
      {.name = "kernel",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "Inner loops: plain, avx2 or avx512vnni (the fastest)",
       .target = &code.kernel},
      {.name = "no-run",
       .kind = XC_OPTION_FLAG,
       .help = "Do not execute: only time, report and verify",
       .target = &code.no_run},
  };
  const xc_option timing_rows[] = {
      {.name = "timing",
       .kind = XC_OPTION_FLAG,
       .help = "Print cycles, stalls and bounds as a table",
       .target = &code.timing},
      {.name = "report",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write the same as JSON",
       .target = &code.report},
      {.name = "trace",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write a trace for chrome://tracing and Perfetto",
       .target = &code.trace},
      {.name = "layers",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Names of layers, one per line: the index of the first "
               "instruction, the true number of operations or 0, the name",
       .target = &code.layers},
  };
  const xc_option_group groups[] = {
      {"Machine code", code_rows, COUNT(code_rows)},
      {"Time", timing_rows, COUNT(timing_rows)},
  };
  const xc_command_line spec = {
      .tool = "xc-run",
      .overview = "runs compiled code on data",
      .usage = "[options] <machine code>",
      .groups = groups,
      .num_groups = COUNT(groups),
  };
  xc_string_list positional = {0};
  xc_command_line_result result =
      xc_command_line_parse(&spec, argc, argv, &positional);
  bool ok = result == XC_COMMAND_LINE_DONE;
  if (result == XC_COMMAND_LINE_RUN) {
    if (positional.count == 1)
      ok = run_code(positional.items[0], &code);
    else
      xc_tool_error("xc-run", "expected one input file, got %zu",
                    positional.count);
  }
  xc_string_list_free(&code.registers);
  xc_string_list_free(&code.register_sizes);
  xc_string_list_free(&code.dump_registers);
  xc_string_list_free(&positional);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
