#!/usr/bin/env python3
"""Prints what users of the libraries see, and fails if it grows beyond the numbers below.

  - the public declarations of each library, without those that are @_spi, and of `import AtRest`
  - those that nothing names: no other module, no other package, no example, no test, no page of documentation.
    Names are compared, so a declaration with a common name counts as used
  - functions with four or more arguments without a label

    Scripts/check-interfaces.py               the numbers, and the declarations that nothing names
    Scripts/check-interfaces.py -v MODULE     all public declarations of a module, with the modules that name each
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["Sources", "Agent/Sources", "Audit/Sources", "KeyServer/Sources"]
# The names in these modules are Apple's.
APPLES = {"Security", "LocalAuthentication", "CryptoKit", "AtRestCommonCrypto", "AtRestSecKey", "AtRestFoundation"}
# Lower a number when a change allows it.
MOST_SHOWN, MOST_UNNAMED, MOST_UNLABELLED = 1099, 36, 95

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|#?"""(?:\\.|.)*?"""#?|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"', re.S)
DECLARATION = re.compile(
    r"( *)((?:@[\w().]+ +)*(?:[a-z]+(?:\(\w+\))? +)*)"
    r"(func|var|let|struct|class|enum|actor|protocol|typealias|init|subscript|extension)\b *([\w.]*|`\w+`)")
TYPES = ("struct", "class", "enum", "actor", "protocol", "extension")


def code(text):
    """Returns Swift without comments and without the contents of strings, in the same lines."""
    return NOISE.sub(lambda match: ("" if match[0].startswith("/") else '""') + "\n" * match[0].count("\n"), text)


def public(module):
    """Yields the qualified name, the name and the place of each declaration that is public and no SPI."""
    for path in sorted(module.rglob("*.swift")):
        scope, above = [], ""
        for number, line in enumerate(code(path.read_text()).split("\n"), 1):
            if not line.strip():
                continue
            if re.fullmatch(r" *@[\w()., ]+", line):
                above += line + " "
                continue
            found = DECLARATION.match(line)
            indent = len(line) - len(line.lstrip())
            if found or line.lstrip().startswith("}"):
                while scope and scope[-1][0] >= indent:
                    scope.pop()
            if found:
                modifiers, kind, name = above + found[2], found[3], found[4] or found[3]
                isSPI = "@_spi" in modifiers or any(outer[2] for outer in scope)
                if re.search(r"\b(public|open)\b", modifiers) and not isSPI:
                    yield ".".join([outer[1] for outer in scope] + [name]), name, f"{path.relative_to(ROOT)}:{number}"
                if kind in TYPES:
                    scope.append((indent, name, isSPI))
            above = ""


def words():
    """Returns who names each word: modules of Sources, and the other parts of the repository."""
    users = collections.defaultdict(set)
    for pattern in ["Sources", "Tests", "Agent", "Audit", "KeyServer", "Benchmarks", "Examples"]:
        for path in (ROOT / pattern).rglob("*.swift"):
            parts = path.relative_to(ROOT).parts
            if any(part.startswith(".build") for part in parts):
                continue
            user = parts[1] if parts[0] == "Sources" else "tests" if "Tests" in parts else parts[0]
            for word in set(re.findall(r"\w+", re.sub(r"//[^\n]*", "", path.read_text()))):
                users[word].add(user)
    for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", *ROOT.glob("Sources/*/*.docc/*.md")]:
        for word in set(re.findall(r"\w+", path.read_text())):
            users[word].add("documentation")
    return users


def unlabelled():
    """Yields the place and the name of each function with four or more arguments without a label."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.swift")):
            text = code(path.read_text())
            for match in re.finditer(r"\bfunc\s+(\w+)[^(\n]*\(", text):
                # A function of C has no labels.
                if "@_cdecl" in text[text.rfind("\n", 0, match.start()) + 1:match.start()]:
                    continue
                depth, end = 1, match.end()
                while depth and end < len(text):
                    depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[end], 0)
                    end += 1
                arguments, depth = [""], 0
                for letter in text[match.end():end - 1]:
                    depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}.get(letter, 0)
                    if letter == "," and depth <= 0:
                        arguments.append("")
                    else:
                        arguments[-1] += letter
                if sum(argument.split()[:1] == ["_"] for argument in arguments) >= 4:
                    yield f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}", match[1]


def main(arguments):
    modules = [path for path in sorted((ROOT / "Sources").iterdir()) if re.match(r"[A-Z][a-z]", path.name)]
    users = words()
    if arguments[:1] == ["-v"]:
        for qualified, name, place in public(ROOT / "Sources" / arguments[1]):
            print(f"{place}: {qualified}: {' '.join(sorted(users[name] - {arguments[1]})) or 'nothing'}")
        return 0
    exported = re.findall(r"@_exported import (\w+)", (ROOT / "Sources/AtRest/AtRest.swift").read_text())
    shown, unnamed = {}, []
    for module in modules:
        names = list(public(module))
        shown[module.name] = len(names)
        if module.name not in APPLES:
            unnamed += [f"{place}: nothing names {qualified}" for qualified, name, place in names
                        if not users[name] - {module.name}]
    total = sum(shown[name] for name in {"AtRest", *exported})
    wide = list(unlabelled())
    for line in unnamed:
        print(line)
    print("Public declarations: " + ", ".join(f"{name} {count}" for name, count in shown.items() if count))
    print(f"`import AtRest` shows {total}. Nothing names {len(unnamed)}. "
          f"{len(wide)} functions have four or more arguments without a label.")
    limits = [(total, MOST_SHOWN, "shown"), (len(unnamed), MOST_UNNAMED, "unnamed"),
              (len(wide), MOST_UNLABELLED, "unlabelled")]
    for count, most, what in limits:
        if count > most:
            print(f"More than {most} are {what}: see the numbers in {pathlib.Path(__file__).name}.")
    return 1 if any(count > most for count, most, _ in limits) else 0


sys.exit(main(sys.argv[1:]))
