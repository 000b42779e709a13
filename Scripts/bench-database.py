#!/usr/bin/env python3
"""Measures AtRestDatabase against plain SQLite and against SQLCipher, in one run.

    Scripts/bench-database.py FOLDER-OF-PROGRAMS [ROWS…]

The folder has `atrest-database-program`, and SQLCipher is the one of Scripts/setup-tests.sh. Each program executes
the same SQL, ROUNDS times (3) in turns, in a folder of its own below .build/bench. The table shows medians, and
the medians of the ratios to plain SQLite and to SQLCipher.
"""
import json, os, pathlib, re, shutil, statistics, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = int(os.environ.get("ROUNDS", "3"))
KEY = "x'" + "5a17" * 16 + "'"
LOOKUPS = 20_000
TRANSACTIONS = 20
OPENINGS = 100


class Program:
    def __init__(self, command, key, options={}):
        self.key, self.options = key, options
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = {}
        while "rows" not in answer and answer.get("done") != request.get("count", -1):
            answer = json.loads(self.process.stdout.readline())
            if "error" in answer:
                sys.exit(f"{request}: {answer['error']}")
        return answer

    def run(self, *statements):
        for statement in statements:
            answer = self.ask(do="run", sql=statement)
        return answer["rows"]

    def open(self, path):
        self.ask(do="open", path=str(path), key=self.key, options=self.options)


def measured(body):
    start = time.perf_counter()
    body()
    return time.perf_counter() - start


def measure(program, folder, rows):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / "app.db"
    program.open(path)
    program.run(
        "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    size = rows // TRANSACTIONS
    insertion = f"""WITH RECURSIVE counter(id) AS (
        SELECT ({{n}} - 1) * {size} + 1 UNION ALL SELECT id + 1 FROM counter WHERE id < {{n}} * {size})
        INSERT INTO note SELECT id, printf('%0100d', id) FROM counter"""

    def insert():
        program.ask(do="loop", sql=["BEGIN", insertion, "COMMIT"], count=TRANSACTIONS)
        program.run("PRAGMA wal_checkpoint(TRUNCATE)")

    result = {"insert and checkpoint, s": measured(insert)}
    program.ask(do="close")
    program.open(path)
    program.run("PRAGMA cache_size = 100")
    scan = lambda: program.run("SELECT sum(length(text)) FROM note")
    scan()
    result["scan, s"] = measured(scan)
    lookups = f"""WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < {LOOKUPS})
        SELECT count(*), sum(length(text)) FROM counter CROSS JOIN note ON note.id = n * 7919 % {rows} + 1"""

    def look_up():
        if program.run(lookups) != [[str(LOOKUPS), str(100 * LOOKUPS)]]:
            sys.exit("not every row was found")

    result["look-up, µs"] = measured(look_up) / LOOKUPS * 1e6
    program.ask(do="close")

    def openings():
        for _ in range(OPENINGS):
            program.open(path)
            program.run("SELECT count(*) FROM sqlite_schema")
            program.ask(do="close")

    result["open, ms"] = measured(openings) / OPENINGS * 1e3
    shutil.rmtree(folder)
    return result


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ours = str(pathlib.Path(sys.argv[1]).resolve() / "atrest-database-program")
    peer = [str(ROOT / ".build/python/bin/python3"), str(ROOT / "Tests/database-peer/peer.py"), "sqlcipher"]
    programs = {
        "plain SQLite": Program([ours], None),
        "AtRest": Program([ours], KEY),
        "SQLCipher": Program(peer, KEY),
    }
    folder = ROOT / ".build/bench/database"
    print("| rows | measured | plain SQLite | SQLCipher | AtRest | to SQLCipher | to plain |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for rows in [int(text) for text in sys.argv[2:]] or [200_000, 1_000_000]:
        rounds = [
            {name: measure(program, folder / re.sub(r"\W", "", name), rows) for name, program in programs.items()}
            for _ in range(ROUNDS)]
        for name in rounds[0]["SQLCipher"]:
            median = {who: statistics.median(r[who][name] for r in rounds) for who in programs}

            def ratio(who, peer):
                return statistics.median(r[who][name] / r[peer][name] for r in rounds)

            print(
                f"| {rows:,} | {name} | {median['plain SQLite']:.3g} | {median['SQLCipher']:.3g} | {median['AtRest']:.3g} "
                f"| {ratio('AtRest', 'SQLCipher'):.2f} | {ratio('AtRest', 'plain SQLite'):.2f} |", flush=True)


main()
