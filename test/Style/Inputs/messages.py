"""messages.py ROOT LIST: diagnostics of lib, dialects and tools without a test.

A message counts as tested if four words in a row, or all of one that has fewer,
stand in a file of test/ or in a session of the documentation. What printf fills
in divides a message.

LIST has a line `file: message` for each that is not, and below it, indented, why
nothing can reach it. A line that is not needed is an error, so that the list
gets shorter; so is a number of lines without a reason other than that on the
first line, `untested N`: it only goes down.
"""

import pathlib
import re
import sys

WORD = re.compile(r"\w+")
STRINGS = re.compile(r'(?:"(?:[^"\\]|\\.)*"\s*(?:PRI\w+\s*|XC_[A-Z_]+\s*)?)+')
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Z]\w+)')
COMMENT = re.compile(r'//[^\n]*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'')
# Functions whose arguments are what users read.
CALL = re.compile(
    r"\b\w*(?:error|fail|report|refuse|complain|warn|note|reject|Report|Error)\w*\s*\(")
# With the rest of a word that it is part of: 0x%02x.
FILLED = re.compile(
    r"\w*%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]?|\\.")
LENGTH, LETTERS = 4, 10


def without_comments(text):
    return COMMENT.sub(lambda m: "" if m[0].startswith("//") else m[0], text)


def arguments(text, start):
    """What stands between the parentheses of a call."""
    depth, at = 1, start
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|[()]').finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        at = match.start()
        if depth == 0:
            break
    return text[start:at]


def messages(path):
    """Messages of a file, each as it is written and as words between what is
    filled in."""
    text = without_comments(path.read_text())
    for call in CALL.finditer(text):
        for strings in STRINGS.finditer(arguments(text, call.end())):
            pieces = PIECE.findall(strings[0])
            whole = "".join(string if not name else "d" * name.startswith("PRI")
                            for string, name in pieces)
            if len(whole) >= 12 and " " in whole:
                yield whole, [WORD.findall(part) for part in FILLED.split(whole)]


def windows(words):
    length = min(LENGTH, len(words))
    found = {tuple(words[i:i + length]) for i in range(len(words) - length + 1)}
    return {w for w in found if sum(map(len, w)) + len(w) > LETTERS}


def sessions(text):
    return "\n".join(re.findall(r"^```console\n(.*?)^```", text, re.M | re.S))


def tested_text(root):
    for path in sorted((root / "test").rglob("*")):
        if path.is_file() and path.name != "untested-messages.txt":
            yield path.read_bytes().decode(errors="replace")
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        yield sessions(path.read_text())


def find_tested(root, needed):
    found = set()
    for text in tested_text(root):
        # Strings that continue on the next line, of C and Python.
        text = re.sub(r'"\s*\n\s*(?://)?\s*f?"', "", text).replace("\\n", " ")
        words = WORD.findall(text)
        for length in range(1, LENGTH + 1):
            found |= needed & set(zip(*(words[i:] for i in range(length))))
    return found


def find_untested(root):
    rows = {}
    for folder in ("lib", "dialects", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".def"):
                for whole, parts in messages(path):
                    wanted = set().union(*map(windows, parts))
                    if wanted:
                        name = path.relative_to(root).as_posix()
                        rows[f"{name}: {whole}"] = wanted
    found = find_tested(root, set().union(*rows.values()))
    return [row for row, wanted in rows.items() if not wanted & found], len(rows)


def read_list(path):
    head, *lines = path.read_text().splitlines()
    reasons = {}
    for line in lines:
        if line.startswith("  "):
            reasons[row] = f"{reasons[row]} {line.strip()}".strip()
        elif line and not line.startswith("#"):
            row = line
            reasons[row] = ""
    return int(head.split()[1]), reasons


def main():
    root, path = map(pathlib.Path, sys.argv[1:3])
    untested, count = find_untested(root)
    most, reasons = read_list(path)
    problems = [f"{row}\n  has no test" for row in untested if row not in reasons]
    problems += [f"{row}\n  is tested or gone: take it off {path.name}"
                 for row in reasons if row not in untested]
    number = sum(not reason for reason in reasons.values())
    if number != most:
        problems.append(f"{path.name} has {number} messages without a reason, and "
                        f"says {most}: the number only goes down")
    for problem in problems:
        print(problem)
    print(f"{count} messages, {len(untested)} without a test")
    sys.exit(bool(problems))


main()
