#!/usr/bin/env python3
"""Turns the dialects' ODS records into C tables and the operator reference.

Input: the output of `llvm-tblgen --dump-json XcDialects.td`.
Usage: ods-to-c.py c|markdown INPUT.json OUTPUT

The vocabulary is closed: a record that uses a class this script does not know
is an error, never silently dropped.
"""

import json
import re
import sys

DIALECTS = {"Tir_Dialect": "TIR", "Mtir_Dialect": "MTIR", "Memtx_Dialect": "MEMTX"}
KNOWN_TRAITS = {"Pure", "ConstantLike", "AttrSizedOperandSegments"}
EFFECTS = {"MemRead": "READ", "MemWrite": "WRITE", "MemAlloc": "ALLOCATE"}
ATTRIBUTE_TYPES = {
    "I32Attr": "INT",
    "I32ArrayAttr": "INTS",
    "BoolAttr": "BOOL",
    "F32Attr": "FLOAT",
    "F32ArrayAttr": "FLOATS",
    "StrAttr": "STRING",
    "ElementsAttr": "ELEMENTS",
    "DictionaryAttr": "DICTIONARY",
}
INT32 = (-(2**31), 2**31 - 1)


class Records:
    def __init__(self, path):
        with open(path, encoding="utf-8") as stream:
            self.all = json.load(stream)

    def of(self, reference):
        return self.all[reference["def"]]

    def instances(self, name):
        return [self.all[record] for record in self.all["!instanceof"][name]]


def fail(record, message):
    sys.exit("ods-to-c: %s: %s" % (record["!name"], message))


def is_a(record, name):
    return name in record["!superclasses"]


def elements_of(records, record):
    return records.of(record["elements"])["names"]


def effects_of(record, references):
    for reference in references:
        if reference["def"] not in EFFECTS:
            fail(record, "unknown effect " + reference["def"])
    return [EFFECTS[reference["def"]] for reference in references]


def read_operand(records, record, name):
    effects = []
    if is_a(record, "OpVariable"):
        effects = effects_of(record, record["decorators"])
        record = records.of(record["constraint"])
    optional = is_a(record, "Optional")
    if optional:
        record = records.of(record["baseType"])
    if not (is_a(record, "XcTensor") or is_a(record, "XcMemRef")):
        fail(record, "operand '%s' is neither tensor nor buffer" % name)
    return {
        "name": name,
        "optional": optional,
        "memref": is_a(record, "XcMemRef"),
        "elements": elements_of(records, record),
        "effects": effects,
    }


def parse_default(record, kind, text):
    if kind == "INT":
        return int(text)
    if kind == "INTS":
        if not re.fullmatch(r"\{[-0-9, ]*\}", text):
            fail(record, "default %r is no list of integers" % text)
        return [int(word) for word in text.strip("{}").split(",") if word.strip()]
    if kind == "BOOL":
        return {"true": True, "false": False}[text]
    if kind == "FLOAT":
        if not text.endswith("f"):
            fail(record, "default %r is no float literal" % text)
        return text
    if kind == "STRING":
        return text.strip('"')
    return fail(record, "no default is possible for " + kind)


def read_attribute(records, record, name):
    """Peels OptionalAttr, DefaultValued* and ConfinedAttr off the base type."""
    info = {"name": name, "required": True, "default": None, "cases": [],
            "count": 0, "minimum": INT32[0], "maximum": INT32[1]}
    default = None
    while record["!name"] not in ATTRIBUTE_TYPES:
        if is_a(record, "DefaultValuedOptionalAttr"):
            info["required"] = False
            default = record["defaultValue"]
        elif is_a(record, "OptionalAttr"):
            info["required"] = False
        elif is_a(record, "XcInt") or is_a(record, "XcInts"):
            info["minimum"], info["maximum"] = record["minimum"], record["maximum"]
            info["count"] = record.get("count", 0)
        elif is_a(record, "XcWord"):
            info["cases"] = record["cases"]
        else:
            fail(record, "unknown attribute class in '%s'" % name)
        record = records.of(record["baseAttr"])
    info["type"] = ATTRIBUTE_TYPES[record["!name"]]
    if default is not None:
        info["default"] = parse_default(record, info["type"], default)
        if info["cases"] and info["default"] not in info["cases"]:
            fail(record, "default of '%s' is none of its cases" % name)
    return info


def is_attribute(record):
    return is_a(record, "AttrConstraint")


def read_op(records, record):
    dialect = record["opDialect"]["def"]
    if dialect not in DIALECTS:
        fail(record, "unknown dialect")
    traits, effects = [], []
    for reference in record["traits"]:
        trait = records.of(reference)
        if is_a(trait, "MemoryEffects"):
            effects += effects_of(record, trait["effects"])
        elif trait["!name"] in KNOWN_TRAITS:
            traits.append(trait["!name"])
        else:
            fail(record, "unknown trait " + trait["!name"])
    for field in ("regions", "successors"):
        if record[field]["args"]:
            fail(record, field + " are not known here")
    operands, attributes = [], []
    for reference, name in record["arguments"]["args"]:
        argument = records.of(reference)
        if is_attribute(argument):
            attributes.append(read_attribute(records, argument, name))
        else:
            operands.append(read_operand(records, argument, name))
    results = [read_operand(records, records.of(reference), name)
               for reference, name in record["results"]["args"]]
    for operand in operands:
        effects += operand["effects"]
    if bool(effects) == ("Pure" in traits):
        fail(record, "is Pure and has effects, or neither")
    if len(results) > 1 or any(result["optional"] for result in results):
        fail(record, "more than one result or an optional one")
    if "AttrSizedOperandSegments" not in traits:
        if sum(operand["optional"] for operand in operands) > 1:
            fail(record, "several optional operands need AttrSizedOperandSegments")
    name = records.of(record["opDialect"])["name"] + "." + record["opName"]
    return {
        "name": name, "mnemonic": record["opName"], "dialect": DIALECTS[dialect],
        "operands": operands, "attributes": attributes, "results": results,
        "segmented": "AttrSizedOperandSegments" in traits,
        "effects": sorted(set(effects)), "rule": record["shapeRule"],
        "same_element": record["sameElement"], "summary": record["summary"],
        "description": record["description"] or "",
        "float_form": record["floatForm"], "only_moves": record["onlyMoves"],
        "file": record["!locs"][0].split(":")[0],
        "line": [int(number) for number in re.findall(r":(\d+)", record["!locs"][-1])],
        "locs": record["!locs"],
    }


def find_float_forms(ops):
    """Notes `float` of operators in fixed point and `fix` of their forms in
    floating point; each is its own otherwise."""
    rows = {(op["dialect"], op["mnemonic"]): op for op in ops}
    for op in ops:
        op["float"] = op["fix"] = op
    for op in ops:
        stem, fix = re.subn("-fix$", "", op["mnemonic"])
        form = rows.get((op["dialect"], op["float_form"] or stem))
        if fix and form:
            op["float"], form["fix"] = form, op
            op["only_moves"] = form["only_moves"]
        elif op["float_form"]:
            sys.exit("%s: no operator '%s'" % (op["name"], op["float_form"]))


def read_all(path):
    records = Records(path)
    ops = [read_op(records, record) for record in records.instances("XcOp")]
    ops.sort(key=lambda op: op["name"])
    find_float_forms(ops)
    common = [read_attribute(records, records.of(reference), name)
              for reference, name in records.all["XcCommonAttributes"]["arguments"]["args"]]
    elements = records.all["XcAnyElement"]["names"]
    return ops, common, elements


# --- C ----------------------------------------------------------------------


def identifier(text):
    return re.sub(r"[^a-z0-9]", "_", text.lower())


def kind_of(op):
    prefix = "MEMTX" if op["dialect"] == "MEMTX" else "TIR"
    return "XC_%s_%s" % (prefix, identifier(op["mnemonic"]).upper())


def c_string(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def element_bits(names):
    return " | ".join("XC_ELEMENT_BIT(%s)" % name.upper() for name in names)


def effect_bits(effects):
    return " | ".join("XC_EFFECT_" + effect for effect in effects) or "0"


class Pool:
    """Emits each distinct array once."""

    def __init__(self, out):
        self.out = out
        self.known = {}

    def get(self, ctype, prefix, rows):
        if not rows:
            return "NULL"
        key = (ctype, tuple(rows))
        if key not in self.known:
            name = "%s_%d" % (prefix, len(self.known))
            self.known[key] = name
            body = ",\n".join("    " + row for row in rows)
            self.out.append("static const %s%s[] = {\n%s,\n};" % (ctype, name, body))
        return self.known[key]


def attribute_row(pool, attribute):
    default = attribute["default"]
    fields = [".name = " + c_string(attribute["name"]),
              ".id = XC_ATTR_" + attribute["name"].upper(),
              ".type = XC_ATTRIBUTE_" + attribute["type"]]
    if attribute["required"]:
        fields.append(".required = true")
    if attribute["type"] in ("INT", "INTS"):
        fields.append(".minimum = %s" % c_int(attribute["minimum"]))
        fields.append(".maximum = %d" % attribute["maximum"])
    if attribute["count"]:
        fields.append(".count = %d" % attribute["count"])
    if attribute["cases"]:
        cases = pool.get("xc_enum ", "cases",
                         ["XC_ENUM_" + case for case in attribute["cases"]])
        fields.append(".cases = " + cases)
        fields.append(".num_cases = %d" % len(attribute["cases"]))
    if default is not None:
        fields.append(".has_default = true")
    if attribute["type"] == "INTS" and default:
        fields.append(".default_ints = " + pool.get(
            "int32_t ", "ints", [str(number) for number in default]))
        fields.append(".default_count = %d" % len(default))
    elif attribute["type"] == "STRING" and default is not None:
        fields.append(".default_case = XC_ENUM_" + default)
    elif attribute["type"] == "FLOAT" and default is not None:
        fields.append(".default_float = " + default)
    elif attribute["type"] in ("INT", "BOOL") and default is not None:
        fields.append(".default_int = %s" % c_int(int(default)))
    return "{" + ", ".join(fields) + "}"


def c_int(number):
    return "INT32_MIN" if number == INT32[0] else str(number)


def operand_row(operand):
    return "{%s, %s, %s, %s, %s}" % (
        c_string(operand["name"]), element_bits(operand["elements"]),
        "true" if operand["optional"] else "false",
        "true" if operand["memref"] else "false",
        effect_bits(operand["effects"]))


def op_row(pool, op):
    operands = pool.get("xc_operand_info ", "operands",
                        [operand_row(operand) for operand in op["operands"]])
    attributes = pool.get("xc_attribute_info ", "attributes",
                          [attribute_row(pool, each) for each in op["attributes"]])
    fields = [
        ".name = " + c_string(op["name"]),
        ".mnemonic = " + c_string(op["mnemonic"]),
        ".kind = " + kind_of(op),
        ".float_kind = " + kind_of(op["float"]),
        ".fix_kind = " + kind_of(op["fix"]),
        ".dialect = XC_DIALECT_" + op["dialect"],
        ".operands = " + operands, ".num_operands = %d" % len(op["operands"]),
        ".attributes = " + attributes,
        ".num_attributes = %d" % len(op["attributes"]),
        ".summary = " + c_string(op["summary"]),
        ".rule = XC_RULE_" + op["rule"].upper(),
    ]
    if op["results"]:
        fields.append(".has_result = true")
        fields.append(".result = " + operand_row(op["results"][0]))
    if op["effects"]:
        fields.append(".effects = " + effect_bits(op["effects"]))
    for flag in ("segmented", "same_element", "only_moves"):
        if op[flag]:
            fields.append(".%s = true" % flag)
    return "{" + ",\n     ".join(fields) + "}"


def c_enum(name, enumerators):
    return "typedef enum %s {\n%s\n} %s;" % (
        name, "\n".join("  %s," % each for each in enumerators), name)


def slot_enums(ops):
    """The positions of an operator's operands. A row of mtir is that of its
    tir twin with the output added, hence it stands for both."""
    rows = {}
    for op in sorted(ops, key=lambda op: op["dialect"] == "MTIR"):
        rows[kind_of(op)] = op["operands"]
    for kind, operands in sorted(rows.items()):
        prefix = kind.replace("XC_TIR_", "XC_")
        if operands:
            yield "enum { %s };" % ", ".join(
                "%s_%s" % (prefix, identifier(operand["name"]).upper())
                for operand in operands)


def write_c(ops, common, elements):
    out = ["// Generated by ods-to-c.py; do not edit.", "// clang-format off"]
    out.append("#ifdef XC_OPS_ENUMS")
    attributes = [each for op in ops for each in op["attributes"]] + common
    names = sorted({each["name"] for each in attributes})
    cases = sorted({case for each in attributes for case in each["cases"]})
    out.append(c_enum("xc_attr", ["XC_ATTR_NONE"] +
                      ["XC_ATTR_" + name.upper() for name in names]))
    out.append(c_enum("xc_enum", ["XC_ENUM_ABSENT"] +
                      ["XC_ENUM_" + case for case in cases]))
    out += slot_enums(ops)
    kinds = sorted({kind_of(op) for op in ops})
    out.append(c_enum("xc_op_kind", kinds))
    out.append("enum { XC_NUM_OP_KINDS = %d };" % len(kinds))
    out.append(c_enum("xc_element", ["XC_ELEMENT_" + name.upper()
                                     for name in elements + ["none"]]))
    rules = sorted({op["rule"] for op in ops})
    out.append("#define XC_SHAPE_RULES(X) \\\n%s" %
               " \\\n".join("  X(%s, %s)" % (rule.upper(), rule) for rule in rules))
    out.append("#endif // XC_OPS_ENUMS")
    out.append("#ifdef XC_OPS_TABLES")
    pool = Pool(out)
    rows = [op_row(pool, op) for op in ops]
    common_rows = pool.get("xc_attribute_info ", "attributes",
                           [attribute_row(pool, each) for each in common])
    out.append("static const xc_attribute_info *const common_attributes = %s;" %
               common_rows)
    out.append("enum { NUM_COMMON_ATTRIBUTES = %d };" % len(common))
    out += ["static const char *const %s[] = {%s};" %
            (table, ", ".join(c_string(name) for name in column))
            for table, column in (("element_names", elements),
                                  ("attr_names", [""] + names),
                                  ("enum_names", [""] + cases))]
    out.append("static const xc_op_info op_table[] = {\n%s,\n};" %
               ",\n".join("    " + row for row in rows))
    out.append("#endif // XC_OPS_TABLES")
    return "\n".join(out) + "\n"


# --- Markdown ---------------------------------------------------------------

GROUPS = [("TirStorage", "Storage and boundary"),
          ("TirConv", "Convolution, matrix product, pooling"),
          ("TirElementwise", "Elements and normalisation"),
          ("TirShape", "Moving, joining, cutting, reducing"),
          ("TirFix", "Fixed point"),
          ("TirQLinear", "Quantised with scales"),
          ("MemtxOps", "memtx")]


def group_of(op):
    for word, title in GROUPS:
        if any(word + ".td" in place for place in op["locs"]):
            return title
    return sys.exit("ods-to-c: %s is in no group" % op["name"])


def attribute_text(attribute):
    kind = {"INT": "i32", "INTS": "[i32]", "BOOL": "bool", "FLOAT": "f32",
            "FLOATS": "[f32]", "STRING": "string", "ELEMENTS": "elements",
            "DICTIONARY": "dictionary"}[attribute["type"]]
    limits = ""
    if attribute["cases"]:
        limits = " (" + ", ".join(attribute["cases"]) + ")"
    elif attribute["type"] in ("INT", "INTS"):
        if (attribute["minimum"], attribute["maximum"]) != INT32:
            limits = " (%d to %d)" % (attribute["minimum"], attribute["maximum"])
    if attribute["count"]:
        kind = "[%d x i32]" % attribute["count"]
    if attribute["required"]:
        default = "required"
    elif attribute["default"] is None:
        default = "optional"
    else:
        value = attribute["default"]
        if isinstance(value, bool):
            value = str(value).lower()
        default = "default `%s`" % (value,)
    return "| `%s` | %s%s | %s |" % (attribute["name"], kind, limits, default)


def clean(text):
    return "\n".join(line.strip() for line in text.strip().splitlines())


def op_markdown(op):
    lines = ["### `%s`" % op["name"], "", op["summary"] + "."]
    if op["description"].strip():
        lines += ["", clean(op["description"])]
    lines += ["", "| operand | elements |", "|---|---|"] if op["operands"] else []
    for operand in op["operands"]:
        note = ", optional" if operand["optional"] else ""
        note += ", buffer" if operand["memref"] else ""
        note += "".join({"READ": ", read", "WRITE": ", written"}[effect]
                        for effect in operand["effects"])
        lines.append("| `%s` | %s%s |" %
                     (operand["name"], ", ".join(operand["elements"]), note))
    if op["attributes"]:
        lines += ["", "| attribute | type | |", "|---|---|---|"]
        lines += [attribute_text(attribute) for attribute in op["attributes"]]
    if op["results"]:
        lines += ["", "Result: %s." % ", ".join(op["results"][0]["elements"])]
    return lines + [""]


def write_markdown(ops, common):
    shown = [op for op in ops if op["dialect"] != "MTIR"]
    lines = ["# Operators", "",
             "Generated from `dialects/*.td`; do not edit.", "",
             "Every `tir` operator that computes has an `mtir` twin of the same "
             "name: the inputs as buffers, then `output`, then the same "
             "attributes.", "", "Any operator may carry:", "",
             "| attribute | type | |", "|---|---|---|"]
    lines += [attribute_text(attribute) for attribute in common] + [""]
    for _, title in GROUPS:
        lines += ["## " + title, ""]
        for op in shown:
            if group_of(op) == title:
                lines += op_markdown(op)
    return "\n".join(lines).rstrip() + "\n"


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("c", "markdown"):
        sys.exit(__doc__)
    ops, common, elements = read_all(sys.argv[2])
    if sys.argv[1] == "c":
        text = write_c(ops, common, elements)
    else:
        text = write_markdown(ops, common)
    with open(sys.argv[3], "w", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
