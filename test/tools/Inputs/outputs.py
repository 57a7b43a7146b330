"""Disturbs tools while they write files.

Usage: outputs.py locked DIRECTORY COMMAND...     a directory that is locked
       outputs.py together DIRECTORY SEP COMMAND... SEP COMMAND...
       outputs.py limit DIRECTORY COMMAND...      a limit on the size of files
       outputs.py SIGNAL DIRECTORY COMMAND...     while a temporary file is there

DIRECTORY is made anew. What is seen is printed.
"""

import fcntl
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time


def names(directory):
    return sorted(os.listdir(directory))


def digests(directory):
    return {name: hashlib.sha256(open(os.path.join(directory, name), "rb")
                                 .read()).hexdigest()
            for name in names(directory)}


def locked(directory, command):
    lock = os.open(directory, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    child = subprocess.Popen(command)
    deadline = time.time() + 60
    while not names(directory) and time.time() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    print("while locked:", all(".tmp-" in name for name in names(directory)))
    os.close(lock)
    print("exit code", child.wait())
    print("afterwards:", " ".join(names(directory)))


def split(words):
    separator, commands = words[0], []
    for word in words:
        if word == separator:
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


# However they overlap, what is there in the end comes from one of them.
def together(directory, words):
    commands = split(words)
    alone = []
    for command in commands:
        subprocess.run(command, check=True)
        alone.append(digests(directory))
    print("different alone:", alone[0] != alone[1])
    well = True
    for _ in range(5):
        children = [subprocess.Popen(command) for command in commands * 2]
        codes = [child.wait() for child in children]
        well = well and not any(codes) and digests(directory) in alone
    print("one of them:", well)


def limit(directory, command):
    done = subprocess.run(
        command, stderr=subprocess.PIPE, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (1000, 1000)))
    print("exit code", done.returncode, "files", names(directory))
    print(done.stderr.decode())


def interrupt(number, directory, command):
    # What started this may ignore the signal.
    child = subprocess.Popen(
        command, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    while child.poll() is None and not names(directory):
        time.sleep(0.001)
    print("there was", len(names(directory)), "file")
    child.send_signal(number)
    print("ended by", signal.Signals(-child.wait()).name)
    print("files", names(directory))


def main():
    how, directory, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    kinds = {"locked": locked, "together": together, "limit": limit}
    if how in kinds:
        kinds[how](directory, command)
    else:
        interrupt(getattr(signal, how), directory, command)


if __name__ == "__main__":
    main()
