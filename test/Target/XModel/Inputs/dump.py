"""dump.py TEXT DUMP: compares the output of --xmodel-to-text with a dump.

The dump was made from the same file by another reader. It cuts names off, lists
attributes sorted, those of tensors behind an '@', and leaves out what const
operators have but for their tensors. Of subgraphs names, depths and numbers of
operators are compared.
"""

import ast
import re
import sys

TYPES = {"int": 0, "uint": 1, "xint": 2, "xuint": 3, "float": 4}


def literal(text):
    text = text.replace("true", "True").replace("false", "False")
    return ast.literal_eval(text)


def ours(path):
    lines = []
    in_tensor = is_const = False
    in_graph = True
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("subgraph"):
            in_graph = False
        if line.startswith("dpu "):
            break
        if not in_graph:
            subgraph = re.match(r'( *)subgraph "(.*)"$', line)
            if subgraph:
                lines.append([f"{subgraph.group(1)}SUBGRAPH {subgraph.group(2)[:60]}", 0])
            elif re.match(r' *op "', line):
                lines[-1][1] += 1
            continue
        head = re.match(r'op "(.*)" : (\S+) -> ([a-z]+)(\d+) (\[.*\])$', line)
        arg = re.match(r"  arg (\S+) \((.*)\)$", line)
        attribute = re.match(r" +(\S+) : (\S+) = (.*)$", line)
        if head:
            name, kind, element, width, dims = head.groups()
            lines.append(f"{name[:70]} : {kind} -> {dims} bw{width} dt{TYPES[element]}")
            in_tensor, is_const = False, kind.startswith("const")
        elif not lines:
            continue
        elif line.startswith("  tensor"):
            in_tensor = True
        elif arg:
            names = [name[:60] for name in literal(f"[{arg.group(2)}]")]
            lines.append(f"    arg {arg.group(1)} = {names}")
        elif attribute and (in_tensor or not is_const):
            name, _, value = attribute.groups()
            lines.append(f"    {'@' if in_tensor else ''}{name} = {literal(value)}")
    return [line if isinstance(line, str) else f"{line[0]} ops={line[1]}" for line in lines]


def theirs(path):
    lines = [line.rstrip("\n") for line in open(path, encoding="utf-8") if line.strip()]
    return [line.split(" {")[0] if "SUBGRAPH" in line else line for line in lines]


def main():
    left, right = ours(sys.argv[1]), theirs(sys.argv[2])
    for number, (a, b) in enumerate(zip(left, right)):
        if a != b:
            sys.exit(f"line {number + 1}:\n  {a}\n  {b}")
    if len(left) != len(right):
        sys.exit(f"{len(left)} lines, the dump has {len(right)}")
    print(f"{len(left)} lines agree")


main()
