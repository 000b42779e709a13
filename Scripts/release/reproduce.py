#!/usr/bin/env python3
"""Makes the release of this commit once more, in another folder whose path has another length, and compares the files with
those that `make release` made in dist. It names the files that differ, and the sections of the programs that do. It takes
as long as `make release`.

Usage: reproduce.py [FOLDER], which compares with the clone in FOLDER, where `make release` has run already."""
import hashlib, os, pathlib, re, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]


def sums(folder):
    lines = (folder / "dist/SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def sections(path):
    """The digests of a program's sections. Without sections the file is one."""
    text = subprocess.run(["readelf", "-SW", str(path)], capture_output=True, text=True).stdout
    data, found = path.read_bytes(), {}
    for name, kind, place, size in re.findall(r"\] (\S+) +(\S+) +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+)", text):
        place, size = int(place, 16), 0 if kind == "NOBITS" else int(size, 16)
        found[name] = hashlib.sha256(data[place : place + size]).hexdigest()
    return found or {"contents": hashlib.sha256(data).hexdigest()}


def compare(other):
    first, second = sums(root), sums(other)
    different = sorted(name for name in first | second if first.get(name) != second.get(name))
    print(f"{len(first) - len(different)} of {len(first)} files have the same bytes.")
    for name in different:
        print(f"  {name} differs")
    stages = [folder / ".build-release/stage" for folder in (root, other)]
    files = sorted({path.relative_to(stage) for stage in stages for path in stage.rglob("*") if path.is_file()})
    for file in files:
        one, two = (stage / file for stage in stages)
        if not (one.exists() and two.exists()):
            print(f"  {file} is in one of them only")
        elif one.read_bytes() != two.read_bytes():
            one, two = sections(one), sections(two)
            print(f"  {file}:", *sorted(name for name in one | two if one.get(name) != two.get(name)))
    return 1 if different else 0


if not (root / "dist/SHA256SUMS").exists():
    sys.exit("There is nothing to compare with. Run make release first.")
if len(sys.argv) > 1:
    sys.exit(compare(pathlib.Path(sys.argv[1]).resolve()))
with tempfile.TemporaryDirectory(prefix="atrest-release-", dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
    other = pathlib.Path(folder) / "the-same-commit-elsewhere"
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(root), str(other)], check=True)
    head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["git", "-C", other, "checkout", "--quiet", "--detach", head], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "ATREST_RELEASE_KEY"}
    subprocess.run(["make", "-C", other, "release"], check=True, env=environment)
    sys.exit(compare(other))
