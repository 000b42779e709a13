#!/usr/bin/python3
"""gnome-keyring through libsecret, in one process and a private D-Bus session.

Fills a keyring of its own to the count given, then prints the median time of each call in
milliseconds as JSON. Exits with 77 where a part is not installed.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

NOT_INSTALLED = 77
ROUNDS = 25


def outer(count):
    for program in ("dbus-run-session", "gnome-keyring-daemon"):
        if shutil.which(program) is None:
            return NOT_INSTALLED
    # On the disk that the keychain is measured on, not in memory.
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as home:
        environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_RUNTIME_DIR=home)
        environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        # D-Bus and the daemon talk on the error output: shown where something failed.
        result = subprocess.run(
            ["dbus-run-session", "--", sys.executable, __file__, "--inside", count],
            env=environment, stderr=subprocess.PIPE, text=True)
        if result.returncode not in (0, NOT_INSTALLED):
            sys.stderr.write(result.stderr)
        return result.returncode


def inside(count):
    try:
        import gi

        gi.require_version("Secret", "1")
        from gi.repository import Secret
    except (ImportError, ValueError):
        return NOT_INSTALLED
    subprocess.run(
        ["gnome-keyring-daemon", "--unlock", "--components=secrets"], input=b"benchmark",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    text = Secret.SchemaAttributeType.STRING
    schema = Secret.Schema.new(
        "atrest.benchmark", Secret.SchemaFlags.NONE, {"service": text, "account": text})
    service = Secret.Service.get_sync(
        Secret.ServiceFlags.OPEN_SESSION | Secret.ServiceFlags.LOAD_COLLECTIONS, None)

    def attributes(number):
        return {"service": f"service-{number // 10}", "account": f"account-{number}@example.com"}

    def store(number, secret):
        Secret.password_store_sync(
            schema, attributes(number), Secret.COLLECTION_DEFAULT, f"item {number}", secret, None)

    for number in range(count):
        store(number, "0123456789abcdef01234567")
    times = {}

    def timed(name, call):
        start = time.perf_counter()
        result = call()
        times.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        return result

    for turn in range(ROUNDS):
        new, known = count + turn, (turn * 7919) % count
        timed("add", lambda: store(new, "0123456789abcdef01234567"))
        assert timed("get", lambda: Secret.password_lookup_sync(schema, attributes(known), None))
        timed("update", lambda: store(new, "another secret of 24 byte"))
        hits = timed(
            "search",
            lambda: service.search_sync(
                schema, {"service": f"service-{known // 10}"}, Secret.SearchFlags.ALL, None))
        assert len(hits) == 10, len(hits)
        assert timed(
            "delete", lambda: Secret.password_clear_sync(schema, attributes(new), None))
    print(json.dumps({name: statistics.median(values) for name, values in times.items()}))
    return 0


if sys.argv[1] == "--inside":
    sys.exit(inside(int(sys.argv[2])))
sys.exit(outer(sys.argv[1]))
