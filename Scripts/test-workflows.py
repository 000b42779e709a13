#!/usr/bin/env python3
"""Runs the steps of the GitHub action, of the workflows, and of the jobs and hook to copy in docs/Audit.md as scripts on this
machine. As on GitHub, they see a clone without history, without Package.resolved and with an empty home folder.

Usage: test-workflows.py [--program ATREST-AUDIT] [NAME…], where NAME is one of

  audit    .github/workflows/audit.yml, which builds the auditor by the action, twice: the second time from the cache
  copied   the workflow in docs/Audit.md, in an app's repository, from the cache
  release  the action with the archive of a release in dist, with its checksum and with another one
  gitlab   the job for GitLab in docs/Audit.md
  hook     .pre-commit-hooks.yaml, by pre-commit
  publish  .github/workflows/release.yml, with a `gh` that only notes what it is told

With --program nothing is built: the cache has this program. `ci.yml` has only commands of CONTRIBUTING.md. Root runs what a
container of GitHub runs as root, so apt-get installs what is missing."""
import argparse, hashlib, json, os, pathlib, re, shutil, subprocess, sys, tempfile, time

import yaml

root = pathlib.Path(__file__).resolve().parents[1]
work = pathlib.Path(tempfile.mkdtemp(prefix="workflows-", dir=os.environ.get("TMPDIR")))
finding = 'import Foundation\nfunc logIn(password: String) { UserDefaults.standard.set(password, forKey: "last") }\n'


class Failure(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failure(message)


def git(folder, *arguments):
    identity = ["-c", "user.name=Eva", "-c", "user.email=eva@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


class Job:
    """A job: a workspace, what its steps said, and the contexts of expressions."""

    def __init__(self, name, repository, inputs=None, cache=None, environment=None):
        self.folder = work / name
        self.workspace, self.temp, home = (self.folder / part for part in ["workspace", "temp", "home"])
        for path in [self.workspace, self.temp, home]:
            path.mkdir(parents=True)
        self.repository, self.cache = repository, cache or work / "cache"
        self.action = None
        self.values = {
            "github.repository": "owner/AtRest", "github.action_repository": "", "github.workspace": str(self.workspace),
            "github.server_url": "https://github.com", "github.ref_name": "v0.0.0", "github.token": "none",
            "github.ref": "refs/heads/main",
        } | {f"inputs.{name}": value for name, value in (inputs or {}).items()}
        # Only what a container of GitHub has too.
        kept = ["PATH", "LANG", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE"]
        self.environment = {name: os.environ[name] for name in kept if name in os.environ} | {
            "HOME": str(home), "GITHUB_WORKSPACE": str(self.workspace), "RUNNER_TEMP": str(self.temp),
            "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_ACTIONS": "true", "CI": "true",
        } | (environment or {})
        self.failed = False

    def evaluate(self, expression):
        """The value of an expression, of which these files use operators, format() and always()."""
        def token(match):
            text = match.group()
            if text.startswith("'"):
                return repr(text[1:-1])
            if text in ("&&", "||"):
                return {"&&": " and ", "||": " or "}[text]
            if text in ("format", "always", "true", "false"):
                return text
            return repr(self.values.get(text, ""))
        python = re.sub(r"'[^']*'|&&|\|\||[A-Za-z_][\w.-]*", token, expression)
        names = {"format": lambda text, *rest: text.format(*rest), "always": lambda: True, "true": True, "false": False}
        return eval(python, {"__builtins__": {}}, names)

    def fill(self, text):
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda match: str(self.evaluate(match.group(1))), str(text))

    def run(self, steps):
        """Runs steps; the steps of an action are in a job of their own."""
        for step in steps:
            condition = step.get("if")
            if self.failed and "always()" not in (condition or ""):
                continue
            if condition is not None and not self.evaluate(condition.removeprefix("${{").removesuffix("}}")):
                continue
            name, started = step.get("name") or step.get("uses") or step["run"].split("\n")[0], time.time()
            before, self.failed = self.failed, False
            outputs = self.script(step) if "run" in step else self.uses(step)
            for key, value in outputs.items():
                self.values[f"steps.{step.get('id')}.outputs.{key}"] = value
            print(f"   {'failed' if self.failed else 'ok'}: {name} ({time.time() - started:.0f} s)", flush=True)
            self.failed |= before
        return not self.failed

    def script(self, step):
        outputs = self.temp / "outputs"
        outputs.write_text("")
        # A step without a shell is run by sh in a container.
        shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"] if step.get("shell") == "bash" else ["sh", "-e"]
        file = self.temp / "step.sh"
        file.write_text(self.fill(step["run"]))
        environment = self.environment | {"GITHUB_OUTPUT": str(outputs)}
        environment |= {key: self.fill(value) for key, value in step.get("env", {}).items()}
        with open(self.folder / "log", "a") as log:
            done = subprocess.run([*shell, str(file)], cwd=self.workspace, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=subprocess.STDOUT)
        self.failed |= done.returncode != 0
        return dict(line.split("=", 1) for line in outputs.read_text().splitlines())

    def uses(self, step):
        what, values = step["uses"], {key: self.fill(value) for key, value in step.get("with", {}).items()}
        if what.startswith("actions/checkout@"):
            git(self.workspace, "clone", "--quiet", "--depth", "1", f"file://{self.repository}", ".")
            require(not list(self.workspace.glob("*/Package.resolved")), "the clone has Package.resolved")
            return {}
        if what.startswith("actions/cache/"):
            place = self.cache / values["key"]
            if "/save@" in what:
                shutil.copytree(values["path"], place)
                return {}
            if self.cache.joinpath("any").exists() and not place.exists():
                shutil.copytree(self.cache / "any", place)
            if place.exists():
                shutil.copytree(place, values["path"], dirs_exist_ok=True)
            return {"cache-hit": "true" if place.exists() else ""}
        if what.startswith("github/codeql-action/upload-sarif@"):
            report = json.loads((self.workspace / values["sarif_file"]).read_text())
            require(report["version"] == "2.1.0" and report["runs"], "the report is no SARIF")
            return {"findings": str(len(report["runs"][0]["results"]))}
        if what == "./Audit" or re.fullmatch(r"OWNER/AtRest/Audit@\S+", what):
            return self.composite(self.workspace / "Audit" if what == "./Audit" else exported() / "Audit", values)
        raise Failure(f"nothing is known of {what}")

    def composite(self, folder, values):
        """Runs the steps of the action in a folder."""
        action = yaml.safe_load((folder / "action.yml").read_text())
        unknown = set(values) - set(action["inputs"])
        require(not unknown, f"the action has no input {unknown}")
        inputs = {f"inputs.{name}": str(value.get("default", "")) for name, value in action["inputs"].items()}
        saved, self.values = self.values, self.values | inputs | {f"inputs.{key}": text for key, text in values.items()}
        self.environment["GITHUB_ACTION_PATH"] = str(folder)
        self.run(action["runs"]["steps"])
        outputs = {name: self.fill(output["value"]) for name, output in action["outputs"].items()}
        self.values = saved
        return outputs

    def log(self):
        return (self.folder / "log").read_text(errors="replace")


def exported():
    """The sources as GitHub delivers an action: an archive without .git."""
    folder = work / "action"
    if not folder.exists():
        folder.mkdir()
        archive = subprocess.run(["git", "-C", root, "archive", "HEAD"], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder


def app(name, files):
    """A repository with a commit."""
    folder = work / name
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    for path, text in files.items():
        (folder / path).write_text(text)
    if files:
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", "Begin")
    return folder


def steps(file):
    [job] = [job for job in yaml.safe_load(file.read_text())["jobs"].values()]
    return job["steps"]


def snippets():
    """The examples in docs/Audit.md."""
    return [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", (root / "docs/Audit.md").read_text(), re.S)]


def audit():
    for name in ["first", "again"]:
        job = Job(f"audit-{name}", root)
        require(job.run(steps(root / ".github/workflows/audit.yml")), job.log()[-2000:])
        require(job.values["steps.audit.outputs.sarif"] == "atrest-audit.sarif", "the action names no report")


def copied():
    job = Job("copied", app("app", {"Login.swift": finding}))
    [workflow] = [snippet for snippet in snippets() if "jobs" in snippet]
    require(not job.run(workflow["jobs"]["audit"]["steps"]), "a finding does not fail the job")
    require(job.values["steps.audit.outputs.status"] == "1", job.log()[-2000:])
    require("userdefaults-sensitive" in job.log(), "the finding is not shown")
    require("steps.None.outputs.findings" in job.values, "the report is not uploaded")


def release():
    archive = root / "dist/atrest-audit-Linux-X64.tar.gz"
    folder = work / "server/owner/AtRest/releases/download/v1"
    folder.mkdir(parents=True)
    shutil.copy(archive, folder)
    sources = app("released", {"Login.swift": finding})
    for sum, status in [(hashlib.sha256(archive.read_bytes()).hexdigest(), "1"), ("0" * 64, "")]:
        job = Job(f"release-{sum[:8]}", sources)
        job.values["github.server_url"] = f"file://{work}/server"
        job.run([{"uses": "actions/checkout@v4"},
                 {"id": "audit", "uses": "OWNER/AtRest/Audit@v1", "with": {"release": "v1", "sha256": sum}}])
        require(job.values["steps.audit.outputs.status"] == status, job.log()[-2000:])
        require(("has the SHA-256" in job.log()) == (status == ""), "the checksum is not checked")


def gitlab():
    sources, clone = app("gitlab", {"Login.swift": finding}), pathlib.Path("/tmp/AtRest")
    require(not clone.exists(), f"{clone} exists")
    [settings] = [snippet["atrest-audit"] for snippet in snippets() if "atrest-audit" in snippet]
    branch = subprocess.run(["git", "-C", root, "branch", "--show-current"], text=True, capture_output=True).stdout.strip()
    variables = {"ATREST_REPOSITORY": f"file://{root}", "ATREST": branch}
    if (work / "cache/any").exists():
        shutil.copytree(work / "cache/any", sources / ".atrest")
    job = Job("gitlab-job", sources, environment=variables)
    job.workspace = sources
    require(not job.run([{"run": line, "shell": "bash"} for line in settings["script"]]), "a finding does not fail the job")
    shutil.rmtree(clone, ignore_errors=True)
    report = json.loads((sources / "gl-sast-report.json").read_text())
    require(report["vulnerabilities"], "the report is empty")


def hook():
    """The hook by pre-commit itself, if it is there, and as a line in .git/hooks."""
    [entry] = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())
    program = next((work / "cache").glob("*/atrest-audit"), None)
    require(program, "no auditor was built: name audit before hook, or --program")
    path = f"{program.parent}:{os.environ['PATH']}"
    [settings] = [snippet for snippet in snippets() if "repos" in snippet]
    bare = work / "AtRest.git"
    git(work, "clone", "--quiet", "--bare", "--depth", "1", f"file://{root}", str(bare))
    head = subprocess.run(["git", "-C", bare, "rev-parse", "HEAD"], text=True, capture_output=True).stdout.strip()
    settings["repos"][0] |= {"repo": str(bare), "rev": head}
    kinds = ["script"] + (["pre-commit"] if shutil.which("pre-commit") else [])
    if len(kinds) == 1:
        print("   pre-commit is not installed: only its entry is run")
    for kind in kinds:
        folder = app(f"hooked-{kind}", {})
        environment = os.environ | {"PATH": path, "HOME": str(work), "GIT_CONFIG_GLOBAL": "/dev/null"}
        for who in ["AUTHOR", "COMMITTER"]:
            environment |= {f"GIT_{who}_NAME": "Eva", f"GIT_{who}_EMAIL": "eva@example.org"}
        if kind == "script":
            file = folder / ".git/hooks/pre-commit"
            file.write_text(f"#!/bin/sh\nexec {entry['entry']} {' '.join(entry['args'])}\n")
            file.chmod(0o755)
        else:
            (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(settings))
            subprocess.run(["pre-commit", "install"], cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL)
            git(folder, "add", ".pre-commit-config.yaml")

        def commit(files, **untracked):
            for name, text in files.items():
                (folder / name).write_text(text)
                subprocess.run(["git", "add", name], cwd=folder, check=True)
            done = subprocess.run(["git", "commit", "-m", "Next"], cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, done.stdout
        status, text = commit({"Login.swift": finding})
        require(status and "userdefaults-sensitive" in text, f"{kind}: the first commit passes: {text}")
        status, text = commit({"Login.swift": "let a = 1\n"})
        require(status == 0, f"{kind}: a clean first commit is refused: {text}")
        (folder / "Other.swift").write_text(finding)
        status, text = commit({"Login.swift": "let a = 2\n"})
        require(status == 0, f"{kind}: a file that is not part of the commit blocks it: {text}")
        print(f"   ok: {kind}")


def publish():
    """The release as the workflow makes it. It builds everything, and tries it."""
    folder = work / "bin"
    folder.mkdir()
    (folder / "gh").write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{work}/gh\n')
    (folder / "gh").chmod(0o755)
    job = Job("publish", root, environment={"PATH": f"{folder}:{os.environ['PATH']}"})
    require(job.run(steps(root / ".github/workflows/release.yml")), job.log()[-4000:])
    told = (work / "gh").read_text().splitlines()
    require(told[0].startswith("release create v0.0.0 --draft") and "dist/SHA256SUMS" in told[1], str(told))
    print(f"   files: {job.workspace}/dist")


tasks = {task.__name__: task for task in [audit, copied, release, gitlab, hook, publish]}
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program")
parser.add_argument("--keep", action="store_true")
parser.add_argument("names", nargs="*", metavar="NAME")
options = parser.parse_args()
if unknown := set(options.names) - set(tasks):
    parser.error(f"there is no {', '.join(unknown)}")
if options.program:
    (work / "cache/any").mkdir(parents=True)
    shutil.copy(options.program, work / "cache/any/atrest-audit")
failures = 0
for name in options.names or list(tasks)[:-1]:
    print(f"== {name}", flush=True)
    try:
        tasks[name]()
    except Failure as failure:
        failures += 1
        print(f"FAILED: {name}: {failure}", flush=True)
if options.keep or failures:
    print(f"What was made is in {work}")
else:
    shutil.rmtree(work)
sys.exit(failures > 0)
