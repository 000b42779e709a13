#!/usr/bin/env python3
"""Writes what the programs were linked from, as CycloneDX 1.5: the modules and archives that the linker names in its maps,
and the libraries that the programs load.

Usage: sbom.py WORK VERSION FILE, where WORK is the folder in which `make release` built."""
import hashlib, json, pathlib, re, subprocess, sys

work, version, target = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
scripts = pathlib.Path(__file__).resolve().parent
# The licences were read in the sources. A dependency that is missing here stops the release.
licences = {
    "grdb.swift": "MIT", "yams": "MIT", "hummingbird": "Apache-2.0", "async-http-client": "Apache-2.0",
    "swift": "Apache-2.0 WITH Swift-exception", "boringssl": "OpenSSL AND ISC AND MIT",
    "glibc": "LGPL-2.1-or-later", "sqlite3": "blessing", "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "zlib": "Zlib", "lz4": "BSD-2-Clause", "bzip2": "bzip2-1.0.6", "xz-utils": "0BSD", "libzstd": "BSD-3-Clause",
    "brotli": "MIT", "libsodium": "ISC", "postgresql-15": "PostgreSQL",
}


def output(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def licence(name):
    if name.startswith(("swift-", "hummingbird")):
        return "Apache-2.0"
    return licences[name]


def component(name, number, purl):
    return {
        "type": "library", "bom-ref": purl, "name": name, "version": number, "purl": purl,
        "licenses": [{"expression": licence(name)}],
    }


def of_system(file):
    """The Debian source package of a library."""
    # The lists of packages have older files in /lib, which is a link to /usr/lib.
    path = str(pathlib.Path(file).resolve())
    found = subprocess.run(["dpkg", "-S", path, path.removeprefix("/usr")], text=True, capture_output=True).stdout
    owner = found.split(": ")[0]
    name, number = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", owner).split()
    return component(name, number, f"pkg:deb/debian/{name}@{number}?arch=source")


def of_package(scratch, folder, pins):
    identity = folder.lower()
    pin = pins[identity]
    address = pin["location"].removeprefix("https://").removesuffix(".git")
    yield component(identity, pin["state"]["version"], f"pkg:swift/{address}@{pin['state']['version']}")
    for file in (scratch / "checkouts").glob(f"{folder}/Sources/CCryptoBoringSSL/hash.txt"):
        revision = re.search(r"[0-9a-f]{40}", file.read_text()).group()
        yield component("boringssl", revision, f"pkg:github/google/boringssl@{revision}")


def origin(module, checkouts, program):
    """The folder of the dependency that has a module: it has a folder of this name, or a target in its manifest."""
    target = re.compile(rf'\.target\(\s*name: "{re.escape(module)}"')
    for path in checkouts.glob(f"*/**/{module}"):
        if path.is_dir():
            return path.relative_to(checkouts).parts[0]
    for path in checkouts.glob("*/Package*.swift"):
        if target.search(path.read_text()):
            return path.parent.name
    raise SystemExit(f"{program} has the module {module}, and no dependency has it")


def parts(program, scratch, pins, compiler):
    """What one program consists of, and what it loads."""
    names = set(re.findall(r"(/\S+?\.(?:a|o))(?=[(:\s]|$)", (work / f"maps/{program.name}.map").read_text(), re.M))
    own = {path.name.replace("-", "_") for folder in ["", "Agent/", "Audit/", "KeyServer/"]
           for kind in ["Sources", "Tests"] for path in (scripts.parents[1] / folder / kind).glob("*")}
    for module in sorted({match.group(1) for name in names if (match := re.search(r"/([^/]+)\.build/", name))} - own):
        yield from of_package(scratch, origin(module, scratch / "checkouts", program.name), pins)
    for name in sorted(names):
        if "/swift_static/" in name:
            yield component("swift", compiler, f"pkg:github/swiftlang/swift@swift-{compiler}-RELEASE")
        elif name.endswith(".a"):
            yield of_system(name)
    for line in output("ldd", str(program)).splitlines() if b"NEEDED" in dynamic(program) else []:
        if match := re.search(r"=> (/\S+)", line):
            if re.search(rf"NEEDED.*\[{re.escape(line.split()[0])}\]", dynamic(program).decode()):
                yield of_system(match.group(1))


def dynamic(program):
    return subprocess.run(["readelf", "-d", str(program)], capture_output=True).stdout


pins = {pin["identity"]: pin for pin in json.loads((scripts / "Package.resolved").read_text())["pins"]}
compiler = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
components, dependencies = {}, []
for line in (scripts / "programs").read_text().splitlines():
    if line.startswith("#"):
        continue
    package, _, scratch, *names = line.split()
    for name in names:
        program = work / "stage" / package / "usr/bin" / name
        found = {part["bom-ref"]: part for part in parts(program, work / scratch, pins, compiler)}
        components |= found
        reference = f"pkg:generic/{name}@{version}"
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        components[reference] = {
            "type": "application", "bom-ref": reference, "name": name, "version": version,
            "hashes": [{"alg": "SHA-256", "content": digest}], "licenses": [{"expression": "Apache-2.0"}],
        }
        dependencies.append({"ref": reference, "dependsOn": sorted(found)})
document = {
    "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
    "metadata": {"component": {"type": "application", "bom-ref": "atrest", "name": "atrest", "version": version}},
    "components": [components[key] for key in sorted(components)],
    "dependencies": dependencies + [{"ref": "atrest", "dependsOn": [entry["ref"] for entry in dependencies]}],
}
target.write_text(json.dumps(document, indent=2) + "\n")
