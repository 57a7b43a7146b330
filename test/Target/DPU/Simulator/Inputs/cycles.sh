#!/bin/sh
# Prints the cycles of golden programs.
# usage: cycles.sh PYTHON GOLDEN WORK TARGET PROGRAM...
set -e
python=$1 golden=$2 work=$3 target=$4
shift 4
for program; do
  rm -rf "$work/$program"
  "$python" "$(dirname "$0")/golden.py" --unpack="$work/$program" "$golden/$program"
  printf '%s ' "$program"
  xc-run "$work/$program/code.bin" --target="$target" --no-run --timing | grep ^cycles
done
