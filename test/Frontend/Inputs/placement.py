"""Where the operators of a small net run that xcc compiles, as a table."""

import re
import subprocess

TARGET = "DPUCZDX8G_ISA1_B4096"
CONVERSIONS = ("float2fix", "fix2float", "transpose", "reshape",
               "transpose-fix")


def placed(source, folder):
    """What of the net runs on the CPU, with the reason; an error as text."""
    done = subprocess.run(
        ["xcc", *source, "-a", TARGET, "-o", folder, "-n", "net",
         "--mcpu=none"], capture_output=True, text=True)
    alone = re.search(r"'([^']*)' stays on the CPU: (.*)", done.stderr)
    if alone:  # nothing of the net runs on the DPU
        return [(alone[1], alone[2])]
    if done.returncode:
        return [("error", done.stderr.strip())]
    rows = []
    for line in done.stdout.splitlines():
        words = line.split(None, 5)
        if line.startswith("CPU ") and words[1] not in CONVERSIONS:
            reason = line.split("%", 1)[-1].strip()
            rows.append((words[1], reason.split(";")[0]))
    return rows


class Table:
    """Rows of the page; prints those that are not placed as they should be."""

    def __init__(self):
        self.lines, self.wrong = [], 0

    def add(self, words, beyond, rest):
        cells = [*words, "beyond" if beyond else "inside"]
        if bool(rest) != beyond or any(r[0] == "error" for r in rest):
            self.wrong += 1
            print("%s: %s" % (", ".join(cells), rest or "all on the DPU"))
        cells.append("; ".join("CPU, %s: %s" % r for r in rest) or "DPU")
        self.lines.append("| %s |\n" % " | ".join(cells))

    def write(self, page, head):
        """Prints how many are right; the exit code."""
        with open(page, "w") as file:
            file.write(head + "".join(self.lines))
        return self.finish()

    def finish(self):
        count = len(self.lines)
        print("%d of %d rows placed as expected" % (count - self.wrong, count))
        return self.wrong != 0
