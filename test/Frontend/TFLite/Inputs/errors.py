#!/usr/bin/env python3
"""Imports every model of FILE that has an ERROR line and compares.

usage: errors.py XC-TRANSLATE FILE OUTPUT

The importer must fail with exit code 1 and print exactly one line, `NAME:
error: ` and then what begins like the ERROR line.
"""

import subprocess
import sys

import tflite


def models(path):
    name, lines = None, []
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:1] == ["MODEL"]:
                name, lines, message = words[1], [], None
            elif words[:1] == ["ERROR"]:
                message = line.strip()[len("ERROR "):]
            elif words == ["END"]:
                if message:
                    yield name, message, lines
                name = None
            elif name and words:
                lines.append(words)


def main(tool, path, output):
    failures = count = 0
    for name, message, lines in models(path):
        count += 1
        model = tflite.Model()
        for words in lines:
            model.line(words)
        with open(output, "wb") as file:
            file.write(model.bytes())
        run = subprocess.run([tool, "--import-tflite", output],
                             capture_output=True, text=True)
        wanted = output + ": error: " + message
        if (run.returncode != 1 or run.stdout or
                not run.stderr.startswith(wanted) or
                run.stderr.count("\n") != 1):
            failures += 1
            print("%s: exit code %d\n  wanted %s\n  found  %s" %
                  (name, run.returncode, wanted, run.stderr))
    print("%d models, %d failures" % (count, failures))
    return failures != 0 or count == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
