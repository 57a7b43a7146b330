"""check-layers.py ROOT [LAYERS]: includes that go against the layers.

LAYERS (ROOT/lib/layers.txt) has a line `folder: folders it may include` for
each library; a folder that is not listed belongs to the closest one above it.
Where only one header of a folder is open, that stands in its place. Folders of
lines further down may not be included, so that there is no circle. Lines
`! folder folder` are exceptions; one that is not needed is an error, so that
they get fewer. Public headers (xc-c) are open to all; they include none of these
folders.

The table of layers in docs/architecture.md, if ROOT has it, must have every folder
in one row, above the rows that may include it; `no` in its last column is for
folders without includes of MLIR.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
ROW = re.compile(r"^\| [^|]+ \| ([^|]+) \| (yes|no|) *\|$", re.M)


def read_layers(path):
    layers, exceptions = {}, set()
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("!"):
            exceptions.add(tuple(line[1:].split()))
        elif line:
            folder, _, allowed = line.partition(":")
            for name in allowed.split():
                if folder_of(name) not in layers:
                    sys.exit(f"{path}: '{name}' of '{folder}' is not a layer above it")
            layers[folder] = set(allowed.split())
    return layers, exceptions


def folder_of(name):
    return name.rpartition("/")[0] if name.endswith(".h") else name


def layer_of(layers, folder):
    while folder and folder not in layers:
        folder = folder.rpartition("/")[0]
    return folder


def check_page(root, layers):
    """Errors of the table of layers."""
    page = root / "docs" / "architecture.md"
    if not page.is_file():
        return []
    section = page.read_text().partition("\n## Layers of libraries\n")[2].partition("\n## ")[0]
    rows = [(re.findall(r"`([^`]+)`", cell), mlir) for cell, mlir in ROW.findall(section)]
    row_of = {name.rstrip("/"): i for i, (names, _) in enumerate(rows) for name in names}
    errors = [f"the table has no `{folder}`" for folder in layers if folder not in row_of]
    for folder, allowed in layers.items():
        errors += [f"`{name}` stands below `{folder}`, which includes it"
                   for name in sorted(set(map(folder_of, allowed)))
                   if row_of.get(name, 0) > row_of.get(folder, 0)]
    for names, mlir in rows:
        for folder in names:
            if mlir == "no" and folder in layers and any(
                    layer_of(layers, file.parent.relative_to(root).as_posix()) == folder
                    and "mlir-c" in file.read_text() for file in (root / folder).rglob("*.[ch]")):
                errors.append(f"`{folder}` knows MLIR")
    return [f"{page.relative_to(root)}: {error}" for error in errors]


def resolve(root, folder, name):
    """The path of an included file, or None: a header of a library."""
    places = [folder]
    while "/" in places[-1]:
        places.append(places[-1].rpartition("/")[0])
    for place in places + ["lib", "", "include"]:
        path = root / place / name
        if path.is_file():
            return path.resolve().relative_to(root).as_posix()
    return None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "lib/layers.txt"
    layers, exceptions = read_layers(path)
    errors = check_page(root, layers)
    used, bad = set(), len(errors)
    print("\n".join(errors), end="\n" if errors else "")
    for file in sorted(file for top in ("include", "lib", "dialects", "tools")
                       for file in (root / top).rglob("*")
                       if file.suffix in (".c", ".h", ".def", ".inc")):
        folder = file.parent.relative_to(root).as_posix()
        layer = layer_of(layers, folder)
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            header = match and resolve(root, folder, match.group(1))
            if not header:
                continue
            target = layer_of(layers, header.rpartition("/")[0])
            if target in ("", layer) or {target, header} & layers.get(layer, set()):
                continue
            if (layer, target) in exceptions:
                used.add((layer, target))
                continue
            is_open = target in map(folder_of, layers.get(layer, ()))
            print(f"{file.relative_to(root)}:{number}: {layer or folder} may not "
                  f"include {header if is_open else target}")
            bad += 1
    for layer, target in sorted(exceptions - used):
        print(f"{path.name}: the exception '! {layer} {target}' is not needed")
        bad += 1
    return bad > 0


sys.exit(main())
