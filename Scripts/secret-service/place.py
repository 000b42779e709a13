"""A store with an agent, in a folder of its own, and gnome-keyring on a private bus."""
import os
import pathlib
import subprocess
import tempfile

PASSCODE = "copper kettle 7 wrens"
# The longest time that a client may take.
PATIENCE = 120


class Result:
    """What a program printed. `text` is its last line, which is what a person sees."""

    def __init__(self, status, output, errors=""):
        self.status, self.output, self.errors = status, output, errors
        lines = [line.strip() for line in (errors + "\n" + output).splitlines() if line.strip()]
        self.text = lines[-1] if lines else ""

    def __str__(self):
        return f"{self.status}: {self.text}"


def run(words, environment, text=None, folder=None):
    try:
        result = subprocess.run(
            [str(word) for word in words], env=environment, input=text, cwd=folder, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return Result(-1, "", f"no answer after {PATIENCE} seconds")
    return Result(result.returncode, result.stdout, result.stderr)


class Place:
    """A store that `atrest-agent` serves. Programs in its environment have the agent as their only bus."""

    def __init__(self, atrest, agent):
        self.parent = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.parent.name)
        self.atrest, self.agent = atrest, agent
        runtime = self.folder / "run"
        runtime.mkdir(mode=0o700)
        self.passcode = self.folder / "passcode"
        self.passcode.write_text(PASSCODE)
        unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
        self.environment = {k: v for k, v in os.environ.items() if k not in unwanted}
        self.environment |= {
            "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_STATE_HOME": str(self.folder / "state"), "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_RUNTIME_DIR": str(runtime), "PATH": f"{pathlib.Path(agent).parent}:{os.environ['PATH']}"}
        self.do("init", "--passcode-file", self.passcode)
        self.start()

    def do(self, *words):
        result = run([self.atrest, *words], self.environment)
        if result.status != 0:
            raise SystemExit(f"FAILED: atrest {' '.join(map(str, words))}: {result}")
        return result.output.strip()

    def start(self):
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.do('agent', 'start')}-bus"

    def restart(self):
        self.do("agent", "stop")
        self.start()

    def unlock(self):
        self.do("unlock", "--passcode-file", self.passcode)

    def lock(self):
        self.do("lock")

    def grant(self):
        self.number = self.do("grant", "add", "--for", "secret-service", "--passcode-file", self.passcode).split()[0]

    def revoke(self):
        self.do("grant", "remove", self.number, "--passcode-file", self.passcode)

    def wipe(self):
        self.do("wipe", "--yes")

    def end(self):
        run([self.atrest, "agent", "stop"], self.environment)
        self.parent.cleanup()


class Keyring:
    """gnome-keyring on a private bus. A command runs inside."""

    def __init__(self):
        self.parent = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.parent.name)
        self.environment = dict(os.environ, HOME=str(self.folder), XDG_DATA_HOME=str(self.folder / "data"),
                                XDG_RUNTIME_DIR=str(self.folder))
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)

    def words(self, words):
        start = "echo password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec \"$@\""
        return ["dbus-run-session", "--", "sh", "-c", start, "sh", *words]

    def end(self):
        self.parent.cleanup()
