"""check-files.py ROOT: files that are too large to be source.

What tools write beside the sources is added to a commit unseen, and stays in every
clone. Every file that git tracks has at most 128 KiB, or every one outside of build
folders where there is no repository.
"""

import pathlib
import subprocess
import sys

MAX_BYTES = 128 * 1024
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


def main():
    root = pathlib.Path(sys.argv[1])
    paths = tracked(root)
    found = False
    for path in below(root) if paths is None else paths:
        # What is deleted and not committed yet is still tracked.
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            print(f"{path.relative_to(root)}: {path.stat().st_size} bytes")
            found = True
    sys.exit(found)


main()
