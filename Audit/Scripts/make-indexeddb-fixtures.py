#!/usr/bin/env python3
"""Writes the IndexedDB of a page to Tests/AtRestContainersTests/Fixtures/Stores with Chromium itself.

Needs Debian's package chromium. The store is written twice, with canaries (typed) and with harmless text instead (clean).
"""
import functools, http.server, shutil, subprocess, tempfile, threading, time
from pathlib import Path

from store_canaries import FIXTURES, canary

PAGE = """<!doctype html><meta charset="utf-8"><title>notes</title><script>
const opening = indexedDB.open("notes", 1);
opening.onupgradeneeded = () => {
  opening.result.createObjectStore("pages");
  opening.result.createObjectStore("people", {keyPath: "name"});
};
function change(make, then) {
  const transaction = opening.result.transaction(["pages", "people"], "readwrite", {durability: "strict"});
  make(transaction.objectStore("pages"), transaction.objectStore("people"));
  transaction.oncomplete = then;
}
opening.onsuccess = () => change((pages, people) => {
  pages.put({note: "TEXT1", list: [1, "TEXT2", null, true, 2.5, new Date(0)], wide: "✓ TEXT3",
             map: new Map([["key", "TEXT4"]]), data: new TextEncoder().encode("TEXT5")}, "draft");
  pages.put("A long text. ".repeat(6000) + "TEXT6", 7);
  people.put({name: "Jane", mail: new Set(["TEXT7"])});
  pages.put("TEXT8", "replaced");
  pages.put("TEXT9", ["removed", 1]);
}, () => change(pages => {
  pages.put("nothing of note", "replaced");
  pages.delete(["removed", 1]);
}, () => fetch("/done")));
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, page, done, *arguments):
        self.page, self.done = page, done
        super().__init__(*arguments)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page.encode())
        if self.path == "/done":
            self.done.set()

    def log_message(self, *arguments):
        pass


def make(folder, clean):
    page = PAGE
    for number in range(1, 10):
        page = page.replace(f"TEXT{number}", canary("indexeddb", number, clean))
    done = threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 8124), functools.partial(Handler, page, done))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", "http://127.0.0.1:8124/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not done.wait(60):
            raise SystemExit("The page did not come to its end.")
        time.sleep(2)
        browser.terminate()
        browser.wait()
        for file in Path(profile).glob("Default/IndexedDB/*.leveldb/*"):
            if file.suffix in (".log", ".ldb"):
                shutil.copyfile(file, folder / file.name)
    server.shutdown()
    server.server_close()


for name in ("typed", "clean"):
    folder = FIXTURES / name / "indexeddb"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make(folder, name == "clean")
