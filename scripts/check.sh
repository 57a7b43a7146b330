#!/bin/sh
# Runs the tests of a build and ends with the line `N passed, N failed`, which
# counts lit tests. Usage: check.sh BUILD
set -u
build=$1
lit=$(command -v lit || echo /usr/lib/llvm-22/bin/lit)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$lit" -sv ${LIT_OPTS:-} "$build/test" > "$log" 2>&1
code=$?
cat "$log"
number() {
  sed -n "s/^ *$1 *: *\([0-9]*\).*/\1/p" "$log" | awk '{ n += $1 } END { print n + 0 }'
}
passed=$(($(number Passed) + $(number "Expectedly Failed")))
failed=$(($(number Failed) + $(number Unresolved) + $(number "Timed Out") + \
  $(number "Unexpectedly Passed")))
skipped=$(($(number Unsupported) + $(number Skipped)))
[ "$code" = 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$skipped skipped (they need data or a build that is not here)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
