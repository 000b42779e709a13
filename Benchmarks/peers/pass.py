#!/usr/bin/python3
"""pass, one process a call, as its users call it.

Fills a store of its own to the count given, then prints the median time of each call in
milliseconds as JSON. Exits with 77 where it is not installed.
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
ROUNDS = 15


def main(count):
    if shutil.which("pass") is None or shutil.which("gpg") is None:
        return NOT_INSTALLED
    # The agent's socket needs a short path, so the keys are kept apart from the store.
    with tempfile.TemporaryDirectory() as keys, tempfile.TemporaryDirectory(
        dir=os.environ.get("BENCH_FOLDER")) as folder:
        environment = dict(os.environ, GNUPGHOME=keys, PASSWORD_STORE_DIR=folder)

        def run(*arguments, text=None):
            return subprocess.run(
                arguments, env=environment, input=text, check=True, capture_output=True,
                text=True).stdout

        try:
            run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "benchmark",
                "rsa2048", "encrypt,sign", "never")
            run("pass", "init", "benchmark")
            run("pass", "insert", "-e", "first", text="0123456789abcdef01234567\n")
            for number in range(count):
                service = os.path.join(folder, f"service-{number // 10}")
                os.makedirs(service, exist_ok=True)
                shutil.copy(
                    os.path.join(folder, "first.gpg"),
                    os.path.join(service, f"account-{number}.gpg"))
            times = {}

            def timed(name, *arguments, text=None):
                start = time.perf_counter()
                run(*arguments, text=text)
                times.setdefault(name, []).append((time.perf_counter() - start) * 1000)

            for turn in range(ROUNDS):
                service = turn % max(1, count // 10)
                new, known = f"new/{turn}", f"service-{service}/account-{service * 10}"
                timed("add", "pass", "insert", "-e", new, text="0123456789abcdef01234567\n")
                timed("get", "pass", "show", known)
                timed("update", "pass", "insert", "-f", "-e", new, text="another secret\n")
                timed("search", "pass", "ls", f"service-{service}")
                timed("delete", "pass", "rm", "-f", new)
        finally:
            subprocess.run(
                ["gpgconf", "--kill", "gpg-agent"], env=environment, capture_output=True)
    print(json.dumps({name: statistics.median(values) for name, values in times.items()}))
    return 0


sys.exit(main(int(sys.argv[1])))
