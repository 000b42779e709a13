#!/usr/bin/env python3
"""Runs GRDB's own test suite twice: on plain SQLite, and with AtRestDatabase's encryption below it.

Usage: Scripts/test-grdb.py SOURCES [FILTER]

SOURCES is a working tree of GRDB. It is copied into .build/grdb-suite, together with the modules of this
repository that encrypt, so nothing of GRDB is stored here. The only change to the copy is the call that opens
a connection. Files of the suite that are databases in plaintext stay in plaintext.
"""
import os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build" / "grdb-suite"

OPENING = "let code = sqlite3_open_v2(path, &sqliteConnection, flags, nil)"
ENCRYPTED = """let encrypted = EncryptedOpening.name(of: path)
        var code = sqlite3_open_v2(encrypted ?? path, &sqliteConnection, flags, nil)
        if encrypted != nil, code == SQLITE_OK {
            code = sqlite3_exec(sqliteConnection, "PRAGMA temp_store = MEMORY", nil, nil, nil)
        }"""

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let flags: [SwiftSetting] = [
  .define("SQLITE_ENABLE_FTS5"), .define("SQLITE_DISABLE_SNAPSHOT"),
  .unsafeFlags(["-Onone", "-enable-testing"]),
]
let crypto: [Target.Dependency] = [
  .product(name: "Crypto", package: "swift-crypto"),
  .product(name: "CryptoExtras", package: "swift-crypto"),
]
let package = Package(
  name: "GRDBSuite", defaultLocalization: "en", platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "GRDBSQLite"),
    .target(name: "CAtRestSystem"),
    .target(name: "CAtRestDatabase", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "AtRestCrypto", dependencies: ["CAtRestSystem"] + crypto),
    .target(name: "CAtRestSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CAtRestTPM"),
    .target(
      name: "AtRestTPM",
      dependencies: [
        "AtRestCrypto", "CAtRestSystem", "CAtRestTPM", .product(name: "SwiftASN1", package: "swift-asn1"),
      ] + crypto),
    .target(name: "AtRestKeybag", dependencies: ["AtRestCrypto", "AtRestTPM", "CAtRestSystem"] + crypto),
    .target(
      name: "AtRestKeychain",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "CAtRestSQLite", "CAtRestSystem",
        .product(name: "Logging", package: "swift-log"),
      ] + crypto),
    .target(
      name: "AtRestEncryption",
      dependencies: ["AtRestCrypto", "AtRestKeychain", "CAtRestDatabase"] + crypto),
    .target(
      name: "GRDB", dependencies: ["GRDBSQLite", "AtRestEncryption"],
      exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: flags),
    .testTarget(
      name: "GRDBTests", dependencies: ["GRDB"], path: "Tests",
      exclude: ["GRDBTests/getThreadsCount.c"],
      resources: [
        .copy("GRDBTests/Betty.jpeg"), .copy("GRDBTests/InflectionsTests.json"),
        .copy("GRDBTests/Issue1383.sqlite"), .copy("GRDBTests/db.SQLCipher3"),
      ],
      swiftSettings: flags + [
        .swiftLanguageMode(.v5), .enableUpcomingFeature("InferSendableFromCaptures"),
        .enableUpcomingFeature("GlobalActorIsolatedTypesUsability"),
      ]),
  ]
)
"""


def write(path, data):
    """Leaves a file as it is that has these contents already, so it is not compiled again."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy(source, target, replace={}):
    for path in [source] if source.is_file() else sorted(source.rglob("*")):
        if path.is_file() and ".docc" not in str(path):
            data = path.read_bytes()
            for old, new in replace.get(path.name, []):
                if data.count(old.encode()) != 1:
                    sys.exit(f"{path}: the call that opens a connection was not found")
                data = data.replace(old.encode(), new.encode())
            write(target / path.relative_to(source) if source.is_dir() else target / path.name, data)


def prepare(sources):
    target = WORK / "Sources"
    copy(sources / "GRDB", target / "GRDB", {
        "Database.swift": [(OPENING, ENCRYPTED), ("// Import C SQLite", "import AtRestEncryption\n// Import C SQLite")]})
    copy(sources / "Sources" / "GRDBSQLite", target / "GRDBSQLite")
    for folder in ["GRDBTests", "GRDBCombineTests", "CombineExpectations"]:
        copy(sources / "Tests" / folder, WORK / "Tests" / folder)
    for module in ["CAtRestSystem", "CAtRestSQLite", "CAtRestDatabase", "CAtRestTPM", "AtRestCrypto", "AtRestTPM",
                   "AtRestKeybag", "AtRestKeychain"]:
        copy(ROOT / "Sources" / module, target / module)
    # The parts of the module that do not use GRDB, because GRDB uses them here.
    database = ROOT / "Sources" / "AtRestDatabase"
    for part in ["Format", "Cipher", "Files", "Keys", "Registration"]:
        copy(database / part, target / "AtRestEncryption")
    for name in ["DatabaseKey+Gate.swift", "ConnectionGate.swift"]:
        (target / "AtRestEncryption" / name).unlink()
    copy(ROOT / "Scripts" / "libraries" / "EncryptedOpening.swift", target / "AtRestEncryption")
    write(WORK / "Package.swift", MANIFEST.encode())


def run(arguments, log, **environment):
    # The suite makes thousands of databases.
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder, \
            open(WORK / log, "w") as output:
        subprocess.run(
            ["swift", *arguments, "-c", "release", "--package-path", str(WORK)],
            stdout=output, stderr=subprocess.STDOUT, env=dict(os.environ, TMPDIR=folder, **environment))
    return (WORK / log).read_text(errors="replace")


def results(text):
    found = {name: result == "passed"
             for name, result in re.findall(r"Test Case '([^']+)' (passed|failed)", text)}
    skipped = set(re.findall(r"Test Case '([^']+)' skipped", text))
    started = set(re.findall(r"Test Case '([^']+)' started", text))
    # A test at which the program crashed has no result.
    for name in started - skipped - set(found):
        found[name] = False
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    prepare(pathlib.Path(sys.argv[1]).resolve())
    built = run(["build", "--build-tests"], "build.log")
    if "Build complete" not in built and "complete!" not in built:
        sys.exit(f"The suite does not compile, see {WORK}/build.log")
    test = ["test", "--skip-build"]
    for name in sys.argv[2:]:
        test += ["--filter", name]
    plain = results(run(test, "plain.log", ATREST_PLAIN="1"))
    encrypted = results(run(test, "encrypted.log"))
    print(f"plain SQLite: {sum(plain.values())} of {len(plain)} tests pass")
    print(f"AtRestDatabase: {sum(encrypted.values())} of {len(encrypted)} tests pass")
    for name in sorted(set(plain) | set(encrypted)):
        if plain.get(name) != encrypted.get(name):
            print(f"  differs: {name}: {plain.get(name)} on plain SQLite, {encrypted.get(name)} encrypted")


main()
