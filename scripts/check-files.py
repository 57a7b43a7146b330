"""check-files.py ROOT: files that are too large to be source, and C files whose
first line names another file.

What tools write beside the sources is added to a commit unseen, and stays in every
clone. Every file that git tracks has at most 128 KiB, or every one outside of build
folders where there is no repository. The first line of C files is
`//===- NAME - title ---===//` in 80 columns.
"""

import pathlib
import subprocess
import sys

MAX_BYTES = 128 * 1024
TITLED = ("lib", "dialects", "tools", "include", "bench")
COLUMNS = 80
LEFT_OUT = (".git", "build", "__pycache__")


def tracked(root):
    """Paths that git tracks, or None."""
    if not (root / ".git").exists():
        return None
    done = subprocess.run(["git", "-C", root, "ls-files", "-z"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode:
        return None
    return [root / path for path in done.stdout.decode().split("\0") if path]


def below(root):
    for path in sorted(root.iterdir()):
        if path.name.startswith(LEFT_OUT):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from below(path)
        else:
            yield path


def fault(path, name):
    """What is wrong with a file, or None."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        return f"{size} bytes"
    if path.suffix not in (".c", ".h") or name.parts[0] not in TITLED:
        return None
    with open(path, encoding="utf-8") as file:
        first = file.readline().rstrip("\n")
    fits = len(first) == COLUMNS and first.endswith("===//")
    if not fits or not first.startswith(f"//===- {path.name} - "):
        return "the first line is no title of this file in 80 columns"
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    paths = tracked(root)
    found = False
    for path in below(root) if paths is None else paths:
        name = path.relative_to(root)
        # What is deleted and not committed yet is still tracked.
        wrong = fault(path, name) if path.is_file() else None
        if wrong:
            print(f"{name}: {wrong}")
            found = True
    sys.exit(found)


main()
