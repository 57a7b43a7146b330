"""Compiles every installed header alone, as C11 and C++."""

import glob
import os
import subprocess
import sys

root = sys.argv[1]
llvm = "/usr/lib/llvm-22/include"
bad = 0
for header in sorted(glob.glob(os.path.join(root, "xc-c", "*.h"))):
    for language in (["-xc", "-std=c11"], ["-xc++", "-std=c++17"]):
        command = ["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
                   "-Werror", "-I" + root, "-isystem", llvm, *language, "-"]
        source = '#include "xc-c/%s"\nint xc_unused;\n' % os.path.basename(header)
        done = subprocess.run(command, input=source, capture_output=True,
                              text=True)
        if done.returncode:
            bad += 1
            print(" ".join(language), done.stderr[:400])
sys.exit(bad != 0)
