"""The suites that the authors of clients wrote, with atrest-agent and with gnome-keyring."""
import os
import re
import shutil

from place import Keyring, Place, run

STUBS = {"github.com/danieljoos/wincred": ("v1.2.3", "wincred"), "golang.org/x/sys": ("v0.27.0", "sys")}


def go_environment(folder):
    """No module is downloaded: those that matter are checkouts, and those of other systems are empty."""
    return dict(
        os.environ, GOFLAGS="-mod=mod", GOPROXY="off", GOSUMDB="off", GOTOOLCHAIN="local",
        GOCACHE=str(folder / "go-cache"), GOPATH=str(folder / "go-path"))


def go_module(sources, folder, name):
    """Writes go.mod of a module that uses the checkouts."""
    lines = [f"module {name}", "", "go 1.20", "", "require (", "\tgithub.com/godbus/dbus/v5 v5.2.2"]
    if name == "client":
        lines.append("\tgithub.com/zalando/go-keyring v0.2.8")
    lines += [f"\t{path} {version}" for path, (version, _) in STUBS.items()] + [")", ""]
    lines.append(f"replace github.com/godbus/dbus/v5 => {sources / 'dbus'}")
    if name == "client":
        lines.append(f"replace github.com/zalando/go-keyring => {sources / 'go-keyring'}")
    for path, (_, stub) in STUBS.items():
        place = folder / "stubs" / stub
        place.mkdir(parents=True, exist_ok=True)
        (place / "go.mod").write_text(f"module {path}\n\ngo 1.18\n")
        (place / f"{stub}.go").write_text(f"package {stub}\n")
        lines.append(f"replace {path} => {place}")
    (folder / "go.mod").write_text("\n".join(lines) + "\n")


class Suite:
    def __init__(self, name, words, folder, environment=None):
        self.name, self.words, self.folder, self.environment = name, words, folder, environment or {}

    def count(self, text):
        """Returns the numbers of tests that passed, failed and were skipped."""
        if match := re.search(r"^Ran (\d+) tests?", text, re.M):
            bad = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", text))
            skipped = sum(int(n) for n in re.findall(r"skipped=(\d+)", text))
            return int(match[1]) - bad - skipped, bad, skipped
        if "--- " in text:
            return tuple(len(re.findall(rf"^--- {word}:", text, re.M)) for word in ("PASS", "FAIL", "SKIP"))
        numbers = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|skipped|error)", text)}
        return numbers.get("passed", 0), numbers.get("failed", 0) + numbers.get("error", 0), numbers.get("skipped", 0)


def suites(options, folder):
    sources, python = options.sources, options.python or "/usr/bin/python3"
    if (sources / "secretstorage").exists():
        yield Suite("SecretStorage", [python, "-m", "unittest", "discover", "-s", "tests"], sources / "secretstorage")
    if (sources / "keyring").exists():
        files = ["tests/backends/test_SecretService.py", "tests/backends/test_libsecret.py"]
        # Its own options name plugins of pytest that this needs not.
        yield Suite(
            "keyring for Python", [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null",
                                   f"--rootdir={sources / 'keyring'}", *files], sources / "keyring",
            {"PYTHONPATH": f"{sources / 'keyring'}:{sources / 'secretstorage'}"})
    if options.go and (sources / "go-keyring").exists() and (sources / "dbus").exists():
        copy = folder / "go-suite"
        shutil.copytree(sources / "go-keyring", copy)
        go_module(sources, copy, "github.com/zalando/go-keyring")
        yield Suite("go-keyring", [options.go, "test", "-v", "-count=1", "."], copy, go_environment(folder))


def run_suites(options, folder):
    """Prints the numbers, and returns what failed: less passed than with gnome-keyring."""
    has_keyring = shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")
    failures = []
    print("\n| suite | atrest-agent: passed, failed, skipped | gnome-keyring |\n| --- | --- | --- |")
    for suite in suites(options, folder):
        place = Place(options.atrest, options.agent)
        place.unlock()
        place.grant()
        own = run(suite.words, place.environment | go_only(suite, place.environment), folder=suite.folder)
        place.end()
        counts = suite.count(own.output + own.errors)
        theirs = None
        if has_keyring:
            keyring = Keyring()
            result = run(
                keyring.words(suite.words), keyring.environment | go_only(suite, keyring.environment),
                folder=suite.folder)
            keyring.end()
            theirs = suite.count(result.output + result.errors)
        print(f"| {suite.name} | {counts} | {theirs} |", flush=True)
        if counts[1] or not counts[0] or (theirs and counts[0] < theirs[0]):
            failures.append(f"{suite.name}: {counts}, {own}\n{own.output[-3000:]}{own.errors[-3000:]}")
    return failures


def go_only(suite, environment):
    """The variables of the suite, without those that a place has set itself."""
    own = {"HOME", "PATH", "DBUS_SESSION_BUS_ADDRESS"}
    return {k: v for k, v in suite.environment.items() if not k.startswith("XDG_") and k not in own}
