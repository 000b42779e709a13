#!/usr/bin/env python3
"""Writes the samples of compiled files into README.md and docs, after a change of such a file.

A fence of the language swift after `<!-- sample FILE: NAME -->` shows what stands in FILE between
`// sample: NAME` and `// sample: end`; with `<!-- sample with imports FILE: NAME -->` it shows the
imports too. DocumentSampleTests fails if a page shows anything else. With --check nothing is written,
and the exit code is 1 if a page would change.
"""
import glob, os, re, sys

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"<!-- sample (with imports )?(\S+): ([^\n]+) -->\n```swift\n(.*?)^```$", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def products():
    return re.findall(r'\.library\(name: "(\w+)"', read("Package.swift"))


def sample(path, name, with_imports):
    lines = read(path).split("\n")
    begin = next((i for i, line in enumerate(lines) if line.strip() == f"// sample: {name}"), None)
    if begin is None:
        sys.exit(f"{path} has no sample “{name}”.")
    indentation = lines[begin].index("/")
    end = next(i for i, line in enumerate(lines) if i > begin and line.strip() == "// sample: end")
    shown = [line[indentation:] for line in lines[begin + 1:end]]
    if with_imports:
        imports = [line.split()[1] for line in lines if line.startswith("import ") and line != "import Testing"]
        needed = ", ".join(module for module in imports if module in products())
        shown = [f"// products: {needed}"] + [f"import {module}" for module in imports] + [""] + shown
    return "\n".join(shown) + "\n"


changed = False
for page in ["README.md"] + sorted(glob.glob("docs/*.md")):
    text = read(page)
    new = FENCE.sub(
        lambda match: match.group(0)[:match.start(4) - match.start()]
        + sample(match.group(2), match.group(3), match.group(1)) + "```", text)
    if new != text:
        changed = True
        print(page)
        if "--check" not in sys.argv:
            with open(page, "w", encoding="utf-8") as file:
                file.write(new)
sys.exit(1 if changed and "--check" in sys.argv else 0)
