#!/usr/bin/env python3
"""Measures atrest-audit against mobsfscan and SwiftLint, if they are on the PATH, in one run.

    Scripts/bench-audit.py atrest-audit [FOLDER…]

Without folders it audits this repository's own Swift, and Objective-C that is made from the sample of the tests. Each tool
runs ROUNDS times (3) on each input, after one run that is not counted. The table shows medians, and the greatest memory of
any run.
"""
import os, re, resource, shutil, statistics, subprocess, sys, tempfile, time

ROUNDS = int(os.environ.get("ROUNDS", "3"))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def lines(folder):
    count = {"swift": 0, "objective-c": 0}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            kind = {"swift": "swift", "m": "objective-c", "mm": "objective-c", "h": "objective-c"}.get(
                name.rsplit(".", 1)[-1])
            if kind:
                with open(os.path.join(place, name), "rb") as file:
                    count[kind] += file.read().count(b"\n")
    return count


def swift(folder, least):
    """Makes copies of this repository's Swift until there are enough lines."""
    total = 0
    copy = 0
    while total < least:
        for part in ("Sources", "Audit/Sources"):
            target = os.path.join(folder, f"copy{copy}", part)
            shutil.copytree(os.path.join(ROOT, part), target, ignore=shutil.ignore_patterns("*.docc", "*.h"))
        total = lines(folder)["swift"]
        copy += 1


def objective_c(folder, least):
    """Writes the sample of the tests under other names until there are enough lines."""
    with open(os.path.join(ROOT, "Audit/Tests/AtRestAuditTests/Support/ObjectiveCSample.swift")) as file:
        sample = re.search(r'#*"""\n(.*?)\n *"""', file.read(), re.S).group(1)
    os.makedirs(folder)
    count = 0
    while count * sample.count("\n") < least:
        with open(os.path.join(folder, f"Login{count}.m"), "w") as file:
            file.write(re.sub(r"\bLogin\b", f"Login{count}", sample) + "\n")
        count += 1


def run(command):
    """Returns the seconds and the greatest MiB. The worker is a process of its own, because the system sums over all children."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        start = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        os.write(writer, f"{seconds} {memory}".encode())
        os._exit(0)
    os.close(writer)
    seconds, memory = os.read(reader, 100).split()
    os.close(reader)
    os.waitpid(child, 0)
    return float(seconds), int(memory)


def measure(command):
    run(command)
    runs = [run(command) for _ in range(ROUNDS)]
    return statistics.median(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def main():
    program = os.path.abspath(sys.argv[1])
    tools = {"atrest-audit": lambda folder: [program, "--quiet", "--fail-on", "never", "--format", "json", folder]}
    if shutil.which("mobsfscan"):
        tools["mobsfscan"] = lambda folder: ["mobsfscan", "--json", folder]
    if shutil.which("swiftlint"):
        tools["SwiftLint"] = lambda folder: ["swiftlint", "lint", "--quiet", folder]
    with tempfile.TemporaryDirectory() as place:
        inputs = {name: name for name in sys.argv[2:]}
        if not inputs:
            swift(os.path.join(place, "swift"), 100_000)
            objective_c(os.path.join(place, "objective-c"), 200_000)
            swift(os.path.join(place, "large"), 500_000)
            os.makedirs(os.path.join(place, "one"))
            with open(os.path.join(place, "one", "A.swift"), "w") as file:
                file.write('UserDefaults.standard.set(password, forKey: "password")\n')
            inputs = {name: os.path.join(place, name) for name in ("one", "swift", "objective-c", "large")}
        print("| input | lines | tool | s | lines/s | MiB | ratio |\n| --- | --- | --- | --- | --- | --- | --- |")
        for name, folder in inputs.items():
            count = sum(lines(folder).values())
            own = None
            for tool, command in tools.items():
                if tool != "atrest-audit" and name == "large":
                    continue
                seconds, memory = measure(command(folder))
                own = own or seconds
                print(f"| {name} | {count:,} | {tool} | {seconds:.2f} | {count / seconds:,.0f} | {memory} "
                      f"| {seconds / own:.1f} |", flush=True)


main()
