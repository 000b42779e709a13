#!/usr/bin/python3
"""The Secret Service of atrest-agent beside gnome-keyring, with the same calls of the same client.

Each has a store of its own with COUNT items; the client is jeepney without libsecret, so its own time is small.
Prints the median time of each call in milliseconds, that of the slowest of a hundred, and the ratios of the medians. gnome-keyring gets its items as a file without
encryption, because adding them one by one would take hours; this makes its own writes cheaper.

Usage: secret_service.py ATREST ATREST_AGENT [COUNT]

Exits with 77 where a part is not installed.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

NOT_INSTALLED = 77
ROUNDS = 200
ADDS = 5
SECRET = b"0123456789abcdef01234567"
SERVICE = "/org/freedesktop/secrets"
COLLECTION = SERVICE + "/collection/bench"


def attributes(number):
    return {"service": f"service-{number // 10}", "account": f"account-{number}@example.com"}


def keyring_file(count):
    parts = ["[keyring]\ndisplay-name=bench\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"]
    for number in range(count):
        parts.append(
            f"[{number + 1}]\nitem-type=0\ndisplay-name=item {number}\n"
            f"secret={SECRET.decode()}\nmtime=0\nctime=0\n")
        for index, (name, value) in enumerate(attributes(number).items()):
            parts.append(
                f"[{number + 1}:attribute{index}]\nname={name}\ntype=string\nvalue={value}\n")
    return "\n".join(parts)


class Client:
    def __init__(self):
        from jeepney.io.blocking import open_dbus_connection
        self.connection = open_dbus_connection()
        self.session = self.call(SERVICE, "Service", "OpenSession", "sv", "plain", ("s", ""))[1]

    def call(self, path, interface, name, signature=None, *body):
        from jeepney import DBusAddress, new_method_call
        from jeepney.wrappers import unwrap_msg
        address = DBusAddress(path, "org.freedesktop.secrets", "org.freedesktop.Secret." + interface)
        message = new_method_call(address, name, signature, body)
        return unwrap_msg(self.connection.send_and_get_reply(message, timeout=600))

    def add(self, number, path=COLLECTION):
        properties = {
            "org.freedesktop.Secret.Item.Label": ("s", f"item {number}"),
            "org.freedesktop.Secret.Item.Attributes": ("a{ss}", attributes(number))}
        secret = (self.session, b"", SECRET, "text/plain")
        return self.call(
            path, "Collection", "CreateItem", "a{sv}(oayays)b", properties, secret, False)[0]

    def search(self, wanted):
        unlocked, locked = self.call(SERVICE, "Service", "SearchItems", "a{ss}", wanted)
        assert not locked
        return unlocked


def measure(count):
    client = Client()
    path = COLLECTION
    if "--fill" in sys.argv:
        path = client.call(
            SERVICE, "Service", "CreateCollection", "a{sv}s",
            {"org.freedesktop.Secret.Collection.Label": ("s", "bench")}, "")[0]
        for number in range(count):
            client.add(number, path)
    else:
        client.call(SERVICE, "Service", "Unlock", "ao", [path])
    times = {}

    def timed(name, call):
        start = time.perf_counter()
        result = call()
        times.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        return result

    for turn in range(ROUNDS):
        known = (turn * 7919) % count
        found = timed("search for one", lambda: client.search(attributes(known)))
        assert len(found) == 1, found
        ten = timed("search for ten", lambda: client.search({"service": f"service-{known // 10}"}))
        assert len(ten) == 10, len(ten)
        secret = timed(
            "get", lambda: client.call(found[0], "Item", "GetSecret", "o", client.session))
        assert bytes(secret[0][2]) == SECRET
    for turn in range(ADDS if "--fill" not in sys.argv else ROUNDS):
        timed("add", lambda: client.add(count + turn, path))
    for name, values in times.items():
        slowest = sorted(values)[-1 - len(values) // 100]
        print(f"{name}\t{statistics.median(values)}\t{slowest}", flush=True)


def result_of(arguments, environment):
    result = subprocess.run(
        arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.stderr.write(result.stderr)
        sys.exit(result.returncode)
    lines = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    return {name: (float(median), float(slowest)) for name, median, slowest in lines}


def keyring(count, home):
    folder = os.path.join(home, "keyrings")
    os.makedirs(folder)
    with open(os.path.join(folder, "bench.keyring"), "w") as file:
        file.write(keyring_file(count))
    environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_RUNTIME_DIR=home)
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    script = (
        "echo benchmark | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
        f"exec {sys.executable} {os.path.abspath(__file__)} --inside {count}")
    return result_of(["dbus-run-session", "--", "sh", "-c", script], environment)


def agent(count, home, atrest, program):
    os.makedirs(home)
    passcode = os.path.join(home, "passcode")
    with open(passcode, "w") as file:
        file.write("correct horse battery staple")
    socket = os.path.join(home, "agent")
    environment = dict(
        os.environ, HOME=home, XDG_DATA_HOME=home, XDG_STATE_HOME=home, ATREST_AGENT=socket,
        ATREST_STORE=os.path.join(home, "store"), ATREST_DEVICE=os.path.join(home, "device"))
    def run(*arguments):
        subprocess.run(
            [atrest, *arguments, "--passcode-file", passcode], env=environment, check=True,
            stdout=subprocess.DEVNULL)
    run("init")
    process = subprocess.Popen(
        [program, "--socket", socket], env=environment, stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists(socket):
            time.sleep(0.02)
        run("unlock")
        run("grant", "add", "--for", "secret-service")
        environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={socket}-bus"
        return result_of(
            [sys.executable, __file__, "--inside", str(count), "--fill"], environment)
    finally:
        process.terminate()
        process.wait()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if any(shutil.which(p) is None for p in ("dbus-run-session", "gnome-keyring-daemon")):
        return NOT_INSTALLED
    try:
        import jeepney  # noqa: F401
    except ImportError:
        return NOT_INSTALLED
    atrest, program = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    # On the disk, not in memory.
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        own = agent(count, os.path.join(folder, "a"), atrest, program)
        other = keyring(count, os.path.join(folder, "k"))
    print(f"{'call':16}{'atrest-agent':>14}{'p99':>8}{'gnome-keyring':>15}{'p99':>10}{'slower by':>12}")
    for name, (median, slowest) in own.items():
        theirs, their_slowest = other[name]
        print(
            f"{name:16}{median:14.2f}{slowest:8.2f}{theirs:15.2f}{their_slowest:10.2f}"
            f"{theirs / median:11.1f}x")
    return 0


if "--inside" in sys.argv:
    measure(int(sys.argv[sys.argv.index("--inside") + 1]))
else:
    sys.exit(main())
