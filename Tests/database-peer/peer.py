"""Another implementation of SQLCipher's format, with which the tests of AtRestDatabase compare.

Usage: peer.py sqlcipher|sqlite3mc

Each line of standard input is a request in JSON, and each is answered by a line of JSON. The requests are
those of `atrest-database-program`:

  {"do": "open", "path": P, "key": K, "options": {...}}   opens a database
  {"do": "run", "sql": S}                                 answers {"rows": [[text or null, ...], ...]}
  {"do": "loop", "sql": [S, ...], "count": N}             runs the statements N times, with the number of the
                                                          round for {n}, and answers {"done": n} each time
  {"do": "copy", "from": P} or {"do": "copy", "to": P}    copies a plaintext database with SQLite's backup API
  {"do": "close"}                                         closes the database
  {"do": "end"}                                           ends this process at once, as a crash does

A failure is answered by {"error": "..."}. A key is a passphrase, or x'...' with 64, 96 or 160 digits.
Without a key the database is in plaintext.
"""
import json
import os
import signal
import sys


class SQLCipher:
    def __init__(self):
        from sqlcipher3 import dbapi2
        self.library = dbapi2

    def open(self, path, key, options):
        self.connection = self.library.connect(path, isolation_level=None, timeout=60)
        # It writes to standard error otherwise.
        self.run("PRAGMA cipher_log_level = NONE")
        # A raw key is a blob within a string, so a quotation mark stands before and after both forms.
        if key is not None:
            self.run('PRAGMA key = "%s"' % key.replace('"', '""'))
        for name, pragma in [
            ("compatibility", "cipher_compatibility"), ("pageSize", "cipher_page_size"),
            ("iterations", "kdf_iter"), ("plaintextHeader", "cipher_plaintext_header_size"),
        ]:
            if name in options:
                self.run("PRAGMA %s = %d" % (pragma, options[name]))
        if options.get("format") == "be":
            self.run("PRAGMA cipher_hmac_pgno = be")
        if options.get("format") == "beta":
            self.run("PRAGMA fast_kdf_iter = 4000")
            self.run("PRAGMA cipher_hmac_salt_mask = \"x'00'\"")
        if "salt" in options:
            self.run("PRAGMA cipher_salt = \"x'%s'\"" % options["salt"])

    def run(self, sql):
        return self.connection.execute(sql).fetchall()

    def copy(self, source, target):
        plain = self.library.connect(source or target)
        if source:
            plain.backup(self.connection)
        else:
            self.connection.backup(plain)
        plain.close()

    def close(self):
        self.connection.close()


class SQLite3MultipleCiphers:
    """Reads and writes the format of SQLCipher 4 with the cipher `sqlcipher`."""

    def __init__(self):
        import apsw
        self.library = apsw

    def open(self, path, key, options):
        self.connection = self.library.Connection(path)
        self.connection.setbusytimeout(60_000)
        self.run("PRAGMA cipher = 'sqlcipher'")
        self.run("PRAGMA legacy = %d" % options.get("compatibility", 4))
        for name, pragma in [
            ("pageSize", "legacy_page_size"), ("iterations", "kdf_iter"),
            ("plaintextHeader", "plaintext_header_size"),
        ]:
            if name in options:
                self.run("PRAGMA %s = %d" % (pragma, options[name]))
        if "salt" in options:
            self.run("PRAGMA cipher_salt = '%s'" % options["salt"])
        self.run('PRAGMA key = "%s"' % key.replace('"', '""'))

    def run(self, sql):
        return list(self.connection.execute(sql))

    def close(self):
        self.connection.close()


def text(value):
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if value is None else str(value)


def answer(message):
    print(json.dumps(message), flush=True)


def main():
    database = {"sqlcipher": SQLCipher, "sqlite3mc": SQLite3MultipleCiphers}[sys.argv[1]]()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "open":
                database.open(request["path"], request.get("key"), request.get("options", {}))
            elif request["do"] == "run":
                rows = database.run(request["sql"])
                answer({"rows": [[text(value) for value in row] for row in rows]})
                continue
            elif request["do"] == "loop":
                for number in range(1, request["count"] + 1):
                    for sql in request["sql"]:
                        database.run(sql.replace("{n}", str(number)))
                    answer({"done": number})
                continue
            elif request["do"] == "copy":
                database.copy(request.get("from"), request.get("to"))
            elif request["do"] == "close":
                database.close()
            elif request["do"] == "end":
                os.kill(os.getpid(), signal.SIGKILL)
            answer({"rows": []})
        except Exception as failure:
            answer({"error": str(failure)})


main()
