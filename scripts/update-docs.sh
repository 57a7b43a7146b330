#!/bin/sh
# Writes the generated references of docs/ anew. Usage: update-docs.sh BUILD
set -eu
build=$1
cd "$(dirname "$0")/.."
cp "$build/dialects/operators.md" docs/generated/operators.md
"$build/bin/xc-opt" --pass-reference > docs/generated/passes.md
