#!/usr/bin/env python3
"""Prints the circles of folders in each module: folders whose files name each other's types.

A folder is one below Sources/MODULE, or the files of the module itself ("."). An arrow leads from a file to the
file in which a type that it names is declared. Only types at the top level count, and no private ones. A circle is
a set of folders that reach each other. Fails if a circle has more folders than KNOWN allows.

    Scripts/check-circles.py              all modules of all packages
    Scripts/check-circles.py -v MODULE    with the arrows of each circle, and the names on them
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["Sources", "Agent/Sources", "Audit/Sources", "KeyServer/Sources"]
# The modules that have a circle, with the number of folders in it. Lower a number when a circle shrinks.
KNOWN = {
    "AtRestSecrets": 2,
    "AtRestRedaction": 2,
    "AtRestAgent": 7,
    "AtRestAuditAnalysis": 2,
    "AtRestAuditModel": 2,
    "AtRestAuditRules": 15,
    "AtRestContainers": 3,
    "AtRestFormats": 4,
}

DECLARATION = re.compile(
    r"^(?!.*\b(?:fileprivate|private)\b)(?:@\S+\s+)*(?:\w+(?:\(\w+\))?\s+)*"
    r"(?:class|struct|enum|actor|protocol|typealias)\s+(\w+)", re.M)
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|#?"""(?:\\.|.)*?"""#?|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"', re.S)


def code(path):
    """Returns the text of a file without comments and strings. Code inside of a string is dropped too."""
    return NOISE.sub(lambda match: " " if match[0].startswith("/") else '""', path.read_text())


def folder(path, module):
    parts = path.relative_to(module).parts
    return parts[0] if len(parts) > 1 else "."


def circles(arrows):
    """Returns the strongly connected sets of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            circle = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


def arrows_of(module):
    """Returns the arrows between the folders of a module, and the names on each."""
    files = {path: code(path) for path in sorted(module.rglob("*.swift"))}
    home = {}
    for path, text in files.items():
        for name in DECLARATION.findall(text):
            home.setdefault(name, set()).add(folder(path, module))
    arrows, names = {}, {}
    for path, text in files.items():
        own = folder(path, module)
        arrows.setdefault(own, set())
        for name in set(re.findall(r"(?<![.\w])[A-Z]\w*", text)) & home.keys():
            for other in home[name] - {own}:
                if own in home[name]:
                    continue
                arrows[own].add(other)
                names.setdefault((own, other), {}).setdefault(name, []).append(path.name)
    return arrows, names


def main(arguments):
    verbose = "-v" in arguments
    wanted = [argument for argument in arguments if argument != "-v"]
    modules = [
        path for package in PACKAGES for path in sorted((ROOT / package).glob("*")) if path.is_dir()]
    isRefused = False
    for module in modules:
        if wanted and module.name not in wanted:
            continue
        arrows, names = arrows_of(module)
        for circle in circles(arrows):
            isNew = len(circle) > KNOWN.get(module.name, 0)
            isRefused = isRefused or isNew
            print(f"{module.relative_to(ROOT)}: {'new ' if isNew else ''}circle of {len(circle)} folders: "
                  + " ".join(circle))
            if verbose:
                for (own, other), found in sorted(names.items()):
                    if own in circle and other in circle:
                        print(f"  {own} -> {other}: " + ", ".join(
                            f"{name} ({' '.join(sorted(set(where)))})" for name, where in sorted(found.items())))
    return 1 if isRefused else 0


sys.exit(main(sys.argv[1:]))
