"""console.py PAGE DIRECTORY: runs the sessions of a page of docs/.

A fenced block "```console" holds commands behind "$ " and what they print; a
block "```language name" is first written to the file of that name. Commands run
in DIRECTORY, which is emptied. The page is right when its text is the output.
"""

import pathlib
import re
import shutil
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text()
directory = pathlib.Path(sys.argv[2])
shutil.rmtree(directory, ignore_errors=True)
directory.mkdir(parents=True)

commands = 0
for kind, name, body in re.findall(r"^```(\w+) *(\S*)\n(.*?)^```$", page, re.M | re.S):
    if name:
        (directory / name).write_text(body)
    if kind != "console":
        continue
    for step in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, expected = step.partition("\n")
        done = subprocess.run(
            command,
            shell=True,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        commands += 1
        if done.stdout != expected:
            sys.exit(f"$ {command}\n{done.stdout}--- the page says:\n{expected}")
print(f"{commands} commands print what the page says")
