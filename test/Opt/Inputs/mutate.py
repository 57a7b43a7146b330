"""Feeds seeded mutants of a file to a tool and counts how it ends.

Usage: mutate.py text|bytes COUNT SEED FILE COMMAND...

A mutant must end the tool with exit code 0 or 1 within a minute. Text mutants
go to one run as chunks of --split-input-file, each mutant of bytes to a run of
its own, by standard input.
"""

import random
import subprocess
import sys

LIMIT = 60


def mutate(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(5)
        at = rng.randrange(len(data)) if data else 0
        end = min(len(data), at + rng.randint(1, 32))
        if kind == 0:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end]
        elif kind == 3:
            data[at:end] = bytes(rng.randrange(256) for _ in range(end - at))
        else:
            del data[at:]
        if not data:
            break
    return bytes(data)


def run(command, data):
    try:
        done = subprocess.run(command, input=data, capture_output=True,
                              timeout=LIMIT)
        return done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        return "hang", b""


def check(code, error, number):
    said = b"error: " in error
    if code == 0 or (code == 1 and said):
        return True
    print("mutant %s: exit code %s, %s" % (number, code, error[-200:]))
    return False


def main():
    kind, count, seed, path = sys.argv[1:5]
    command = sys.argv[5:]
    with open(path, "rb") as stream:
        data = stream.read()
    rng = random.Random(int(seed))
    mutants = [mutate(data, rng) for _ in range(int(count))]
    if kind == "text":
        code, error = run(command, b"\n// -----\n".join(mutants))
        ok = check(code, error, "all")
    else:
        ok = True
        for number, mutant in enumerate(mutants):
            code, error = run(command, mutant)
            ok = check(code, error, number) and ok
    print("%d mutants, %s" % (len(mutants), "all well" if ok else "trouble"))
    sys.exit(not ok)


if __name__ == "__main__":
    main()
