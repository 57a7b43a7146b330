#!/bin/sh
# Runs every libFuzzer target of a build for some seconds each, from its seeds.
# Usage: fuzz.sh BUILD SECONDS. New inputs and findings stay in BUILD/fuzz.
set -eu
build=$(cd "$1" && pwd)
seconds=$2
seeds=$(cd "$(dirname "$0")/../test/fuzz/corpus" && pwd)
for corpus in "$seeds"/*; do
  name=$(basename "$corpus")
  mkdir -p "$build/fuzz/$name"
  echo "== $name"
  (cd "$build/fuzz" && "$build/test/bin/$name" -max_total_time="$seconds" \
    -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 "$name" "$corpus" 2>&1 |
    grep -E "^stat::number_of_executed|ERROR|SUMMARY|Test unit written" || true)
  if ls "$build/fuzz/"crash-* "$build/fuzz/"timeout-* "$build/fuzz/"oom-* \
    > /dev/null 2>&1; then
    echo "findings are in $build/fuzz"
    exit 1
  fi
done
