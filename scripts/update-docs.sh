#!/bin/sh
# Writes the generated references of docs/ anew. Usage: update-docs.sh BUILD
set -eu
build=$1
cd "$(dirname "$0")/.."
cp "$build/dialects/operators.md" docs/generated/operators.md
"$build/bin/xc-opt" --pass-reference > docs/generated/passes.md
"$build/bin/xcc" --print-constraints=DPUCZDX8G_ISA1_B4096 \
  --print-constraints=DPUCAHX8H_ISA2 --print-constraints=DPUCAHX8H_ISA2_DWC \
  --print-constraints=DPUCVDX8G_ISA3_C32B3 > docs/generated/constraints.md
"$build/bin/xcc" --print-target-reference > docs/generated/target-keys.md
for set in DPUCZDX8G DPUCAHX8H; do
  "$build/bin/xc-translate" --dpu-isa-to-markdown --target=$set \
    -o "docs/generated/$(echo $set | tr '[:upper:]' '[:lower:]')-isa.md"
done
"$build/bin/xc-translate" --board-rules-to-markdown \
  -o docs/generated/board-rules.md
ninja -C "$build" PatternTest > /dev/null
"$build/test/bin/PatternTest" describe > docs/generated/patterns.md
rows=$(mktemp -d)
PATH="$(cd "$build" && pwd)/bin:$PATH" PYTHONPATH=test/Inputs \
  python3 test/Frontend/Inputs/rows.py "$rows" docs/generated/front-ends.md
PATH="$(cd "$build" && pwd)/bin:$PATH" PYTHONPATH=test/Inputs \
  python3 test/Frontend/Inputs/pytorch.py "$rows" docs/generated/pytorch.md
rm -r "$rows"
