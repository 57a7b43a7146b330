"""check-functions.py ROOT: functions that are too long or take too much.

Every function has at most 80 lines, and at most 7 parameters unless it is of a test,
a benchmark or an example, whose interfaces may be those of others; heads in headers
count. Names of external functions in libraries begin with xc; upper case is a call of
a macro. The source is laid out by clang-format: what begins in the first column and
ends in a line `}` is a function.
"""

import pathlib
import re
import sys

MAX_LINES, MAX_PARAMETERS = 80, 7
FOLDERS = ("lib", "dialects", "tools")
PREFIXED = ("lib", "dialects")
LENGTH_ONLY = ("test", "bench", "examples")


def parameters(head):
    """Name and number of parameters of the list that ends a head, or None."""
    head = re.sub(r"\bXC_\w+_FORMAT\(.*?\)", "", head)
    end = head.rfind(")")
    if end < 0:
        return None
    depth, commas = 0, 0
    for at in range(end, -1, -1):
        depth += (head[at] in ")]}") - (head[at] in "([{")
        commas += head[at] == "," and depth == 1
        if depth == 0:
            break
    name = re.search(r"(\w+)\s*$", head[:at])
    if not name:
        return None
    inside = head[at + 1:end].strip()
    return name.group(1), 0 if inside in ("", "void") else commas + 1


def is_local(head):
    """Whether a head is of a function of its file, or of a type."""
    words = " ".join(head).split()
    return "static" in words or "typedef" in words


def functions(lines):
    """(name, line, number of lines, number of parameters, whether it is static) of
    each head."""
    head, start, is_open, is_macro = [], 0, False, False
    for number, line in enumerate(lines, 1):
        if is_macro or line.startswith("#"):
            is_macro = line.endswith("\\")
            continue
        if is_open:
            if line.startswith("}"):
                is_open = False
                found = parameters(" ".join(head))
                if line == "}" and found:
                    yield found[0], start, number - start + 1, found[1], \
                        is_local(head)
                head = []
            continue
        code = re.sub(r"//.*", "", line).rstrip()
        if not code or code == "}" or code.startswith('extern "C"'):
            continue
        if not head:
            start = number
        before, brace, after = code.partition("{")
        head.append(before)
        if brace and after.count("}") <= after.count("{"):
            is_open = True
        elif brace or code.endswith(";"):
            text = " ".join(head)
            # Types, variables and calls of macros are no heads.
            found = parameters(text) if re.match(r"[^=]*\w[ *]+\w+\(", text) else None
            if found:
                yield found[0], start, number - start + 1, found[1], \
                    is_local(head)
            head = []


def complaints(root):
    for folder in FOLDERS + LENGTH_ONLY:
        for path in sorted((root / folder).rglob("*.[ch]")):
            file = path.relative_to(root).as_posix()
            lines = path.read_text().splitlines()
            for name, line, length, count, is_static in functions(lines):
                why = []
                if length > MAX_LINES:
                    why.append(f"{length} lines")
                if count > MAX_PARAMETERS and folder in FOLDERS:
                    why.append(f"{count} parameters")
                is_ours = name.startswith("xc") or name.isupper() or is_static
                if folder in PREFIXED and not is_ours:
                    why.append("external, and does not begin with xc")
                if why:
                    yield f"{file}:{line}: {name}: {', '.join(why)}"


def main():
    found = list(complaints(pathlib.Path(sys.argv[1])))
    for complaint in found:
        print(complaint)
    return len(found) > 0


sys.exit(main())
