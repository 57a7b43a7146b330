"""Moves nodes of a random model into functions, which may not change a result.

Names within a function are those of the model in another order, so that a name
that leaks out of one, or into it, finds another value.
"""

import re

KINDS = ((r'"', "string"), (r"-?\d+$", "int"), (r"-?[\d.]+(e[-+]?\d+)?$", "float"),
         (r"\[(-?\d+,)*-?\d+\]$", "ints"), (r"\[[-\d.,]+\]$", "floats"),
         (r"tensor\(", "tensor"))


class Node:
    def __init__(self, line):
        head, tail = line[len("node "):].split(" -> ", 1)
        self.op, inputs = (head.split(None, 1) + [""])[:2]
        words = re.findall(r'\w+=tensor\([^)]*\)|\w+="[^"]*"|\S+', tail)
        self.inputs = inputs.strip().split(",") if inputs.strip() else []
        self.outputs = words[0].split(",")
        self.attributes = [word.split("=", 1) for word in words[1:]]

    def line(self, names=None):
        names = names or {}
        return "node %s %s -> %s %s" % (
            self.op, ",".join(names.get(n, n) for n in self.inputs),
            ",".join(names.get(n, n) for n in self.outputs),
            " ".join("=".join(pair) for pair in self.attributes))


def unique(names):
    return list(dict.fromkeys(n for n in names if n != "_"))


def take_attributes(r, nodes, number):
    """Makes references of attributes: what the call gives and the signature."""
    call, signature = [], []
    for node in nodes:
        for pair in node.attributes:
            if pair[1].startswith("ref("): # to the function around
                name = pair[1][4:-1].split(",")[1]
                call.append([name, pair[1]])
                signature.append(name)
                continue
            kind = next((k for form, k in KINDS if re.match(form, pair[1])), None)
            if not kind or r.random() < 0.5:
                continue
            name = "p%d_%d" % (number, len(signature) + 1)
            given = r.random() < 0.6
            if given:
                call.append([name, pair[1]])
            signature.append(name if given and r.random() < 0.7 else
                             "%s=%s" % (name, pair[1]))
            pair[1] = "ref(%s,%s)" % (kind, name)
    return call, signature


def outline(r, lines, results, sets, number=1):
    """The lines with a function for some of the nodes, and one in that, maybe;
    `results` are read after the last line."""
    at = [i for i, line in enumerate(lines) if line.startswith("node ")]
    begin = r.randrange(len(at))
    chosen = at[begin:r.randint(begin, len(at) - 1) + 1]
    nodes = [Node(lines[i]) for i in chosen]
    rest = [Node(lines[i]) for i in at if i not in chosen]
    made = unique(n for node in nodes for n in node.outputs)
    reads = [n for n in unique(n for node in nodes for n in node.inputs)
             if n not in made]
    wanted = set(results).union(*[n.inputs for n in rest])
    outputs = [n for n in made if n in wanted]
    if not outputs or any("graph(" in lines[i] for i in at):
        return lines
    call, signature = take_attributes(r, nodes, number)
    order = reads + made
    r.shuffle(order)
    names = dict(zip(reads + made, order))
    formal = [names[n] for n in outputs]
    body, before = [node.line(names) for node in nodes], []
    if number < 4 and r.random() < 0.5:
        body = outline(r, body, formal, sets, number + 1)
        end = len(body) - body[::-1].index("end") if "end" in body else 0
        before, body = body[:end], body[end:]
    op = "F%d@pkg" % number
    function = ["function %s %s -> %s %s" % (
        op, ",".join(names[n] for n in reads), ",".join(formal),
        " ".join(signature))] + sets + body + ["end"]
    words = " ".join("=".join(pair) for pair in call)
    # ONNX Runtime changes the statistics of BatchNormalization where they are.
    twice = r.random() < 0.5 and not any("BatchN" in line for line in lines)
    again = ["again%d_%s" % (number, n) for n in outputs]
    calls = ["node %s %s -> %s %s" % (op, ",".join(reads), ",".join(outs), words)
             for outs in [outputs] + [again] * twice]
    constants = [line for line in lines if not line.startswith("node ")]
    first = [lines[i] for i in at if i < chosen[0]]
    last = [lines[i] for i in at if i > chosen[-1]]
    return before + function + constants + first + calls + last
