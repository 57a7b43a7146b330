# head-commands.sh FILE.c: runs the commands in the comment at the head of a
# program: its lines "//   command".
set -eu
sed -n '/^#include/q; s,^//   ,,p' "$1" > "$1.sh"
[ -s "$1.sh" ]
. "./$1.sh"
