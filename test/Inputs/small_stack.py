"""small_stack.py COMMAND...: runs it with a stack of a megabyte.

Recursion along a chain of some 20,000 operators does not fit.
"""

import os
import resource
import sys

_, hard = resource.getrlimit(resource.RLIMIT_STACK)
resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, hard))
os.execvp(sys.argv[1], sys.argv[1:])
