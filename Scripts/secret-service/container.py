#!/usr/bin/env python3
"""Types the commands under "In a container" in docs/SecretService.md in a Debian 12 without a bus, and measures them.

Lines with # are typed as root, and lines with $ as a user of that system, on a terminal. Fails if a command fails, if the
secret does not come back, if a bus is there, or if it takes more than two minutes. Root has to run it, for chroot.

Usage: container.py PACKAGE [LIBRARIES]

PACKAGE is the atrest_VERSION_amd64.deb of `make release`, and LIBRARIES a folder that its programs need at the same path
in that system, if they were linked dynamically."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE = ROOT / ".build-release/debian-bookworm"
MOST_SECONDS = 120
SECRET = "s3cr3t of eva"
# What is typed at the end of a line that asks for something.
ANSWERS = [
    (re.compile(r"(Passcode|New passcode|The same passcode again): $"), "copper kettle 7 wrens"),
    (re.compile(r"Password for 'eva' in 'mail': $"), SECRET)]
PROMPT = "next> "


def commands():
    page = (ROOT / "docs/SecretService.md").read_text()
    block = re.search(r"^## In a container\n.*?^```console\n(.*?)^```", page, re.M | re.S)
    return [(line[0] == "#", line[2:]) for line in block.group(1).splitlines()]


def make_system(folder, package, libraries):
    if not BASE.exists():
        new = BASE.with_suffix(".new")
        subprocess.run(
            ["debootstrap", "--variant=minbase", "bookworm", new, "http://deb.debian.org/debian"],
            check=True, stdout=subprocess.DEVNULL)
        new.rename(BASE)
    subprocess.run(["cp", "-a", BASE, folder], check=True)
    name = next(word for _, line in commands() for word in line.split() if word.endswith(".deb"))
    shutil.copy(package, folder / "root" / name)
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    if libraries:
        shutil.copytree(libraries, folder / str(libraries).lstrip("/"), symlinks=True)
    subprocess.run(["mount", "-t", "proc", "proc", folder / "proc"], check=True)
    subprocess.run(["mount", "-t", "devpts", "devpts", folder / "dev/pts"], check=True)
    subprocess.run(["chroot", folder, "useradd", "--create-home", "eva"], check=True)


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, folder, is_root):
        name, home = ("root", "/root") if is_root else ("eva", "/home/eva")
        words = ["chroot", f"--userspec={name}", str(folder), "env", "-i", f"HOME={home}", f"USER={name}", "TERM=dumb"]
        words += ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", f"PS1={PROMPT}"]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvp("chroot", words + ["bash", "--norc", "--noprofile"])
        self.read("")
        self.run("cd; stty -echo; bind 'set enable-bracketed-paste off'")

    def read(self, command):
        """Answers questions until the next prompt, and returns what was shown."""
        text, answered, end = "", 0, time.monotonic() + 300
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                text += os.read(self.terminal, 4096).decode(errors="replace").replace("\r", "")
            if text.endswith(PROMPT):
                return text.removesuffix(PROMPT)
            for question, answer in ANSWERS:
                if question.search(text[answered:].split("\n")[-1]):
                    os.write(self.terminal, answer.encode() + b"\n")
                    answered = len(text)
        sys.exit(f"FAILED: no end of: {command}\n{text}")

    def run(self, command):
        """Types a command, and returns its exit code and what it showed."""
        os.write(self.terminal, command.encode() + b"\n")
        text = self.read(command)
        os.write(self.terminal, b"echo $?\n")
        return int(self.read(command)), text

    def end(self):
        os.write(self.terminal, b"exit\n")
        os.waitpid(self.process, 0)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if os.geteuid() != 0:
        sys.exit("chroot needs root.")
    if "ATREST_IN_CONTAINER" not in os.environ:
        # What is mounted here is gone when the script ends.
        os.environ["ATREST_IN_CONTAINER"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--pid", "--fork", "--kill-child", sys.executable, *sys.argv])
    package = pathlib.Path(sys.argv[1]).resolve()
    libraries = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as parent:
        folder = pathlib.Path(parent) / "debian"
        make_system(folder, package, libraries)
        shells = {True: Shell(folder, True), False: Shell(folder, False)}
        times, shown = {True: 0.0, False: 0.0}, []
        for is_root, command in commands():
            begin = time.monotonic()
            status, text = shells[is_root].run(command)
            seconds = time.monotonic() - begin
            times[is_root] += seconds
            print(f"{'#' if is_root else '$'} {command}   [{seconds:.1f} s]")
            if not is_root:
                print("".join(f"    {line}\n" for line in text.splitlines()), end="")
            if status != 0:
                sys.exit(f"FAILED with {status}:\n{text}")
            shown.append(text.strip())
        # A package of Python's client brings the programs of a bus, but nobody starts one.
        programs = [path.read_text().strip() for path in folder.glob("proc/[0-9]*/comm")]
        buses = [name for name in programs if name.startswith("dbus")]
        shells[False].run("atrest agent stop")
        for shell in shells.values():
            shell.end()
        subprocess.run(["umount", "-l", folder / "proc", folder / "dev/pts"], check=True)
        if shown[-2:] != [SECRET, SECRET]:
            sys.exit(f"FAILED: the secret did not come back: {shown[-2:]}")
        if buses or "atrest-agent" not in programs:
            sys.exit(f"FAILED: these programs ran: {programs}")
    total = sum(times.values())
    print(f"{total:.1f} s, of which packages {times[True]:.1f} s")
    if total > MOST_SECONDS:
        sys.exit(f"FAILED: more than {MOST_SECONDS} s.")


main()
