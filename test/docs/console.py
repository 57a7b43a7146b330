"""console.py PAGE DIRECTORY: runs the sessions of a page of documentation.

The fenced blocks of the page, in order:

  ```console   commands behind "$ " and what they print; a line "..." with the
               ellipsis character stands for any lines, at the end of a line it
               stands for any text
  ```sh        commands that succeed; `make` only shows what it would do
  ```shell     commands that are too long for a test: their syntax is checked
  ```KIND name a file of that name

They run in DIRECTORY, which is emptied and looks like the project: the examples
and build/test/bin are there. The page is right when its text is the output.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ELLIPSIS = "\u2026"


def pattern_of(expected):
    """The output that a page shows, as a regular expression."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == ELLIPSIS:
            pattern += r"(?:.*\n)*?"
        elif line.endswith(ELLIPSIS):
            pattern += re.escape(line[: -len(ELLIPSIS)]) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return pattern


def run(command, directory):
    """The exit code and all that the command prints."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def run_console(body, directory):
    """Runs the commands of a block; how many they are."""
    steps = re.split(r"^\$ ", body, flags=re.M)[1:]
    for step in steps:
        command, _, expected = step.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command += "\n" + more
        output = run(command, directory)[1]
        if not re.fullmatch(pattern_of(expected), output):
            sys.exit(f"$ {command}\n{output}--- the page says:\n{expected}")
    return len(steps)


def run_script(body, directory, options, source):
    """Runs a block as a script; how many lines it has."""
    script = re.sub(r"^make\b", f"make -n -C '{source}'", body, flags=re.M)
    path = directory / ".script.sh"
    path.write_text(script)
    code, output = run(f"sh {options} {path.name}", directory)
    if code:
        sys.exit(f"{script}{output}--- exit code {code}")
    return len(body.splitlines())


def main():
    page, directory = map(pathlib.Path, sys.argv[1:3])
    source = pathlib.Path(__file__).resolve().parents[2]
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    shutil.copytree(source / "examples", directory / "examples")
    (directory / "build" / "test").mkdir(parents=True)
    tests = pathlib.Path(shutil.which("MakeXModel")).parent
    (directory / "build" / "test" / "bin").symlink_to(tests)
    commands = 0
    blocks = r"^```(\w+) *(\S*)\n(.*?)^```$"
    for kind, name, body in re.findall(blocks, page.read_text(), re.M | re.S):
        if name:
            (directory / name).write_text(body)
        elif kind == "console":
            commands += run_console(body, directory)
        elif kind in ("sh", "shell"):
            options = "-e" if kind == "sh" else "-n"
            commands += run_script(body, directory, options, source)
    print(f"{commands} commands print what the page says")


main()
