#!/usr/bin/env python3
"""Runs the test suites of keychain libraries on AtRest's Security and LocalAuthentication.

Usage: Scripts/test-libraries.py SOURCES [LIBRARY ...]

SOURCES has a folder per library, with the name of its repository. Nothing is fetched, and no source of a
library is stored in this repository. Each library is copied into .build/libraries, together with a package
that builds it against the working tree. The only changes to a copy are in the table LIBRARIES below.
"""
import os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build" / "libraries"
SCRATCH = ROOT / ".build"

# Objective-C attributes do not compile on Linux.
OBJC = (r"@objc(Members|\([^)]*\))?\s*", "")
PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>%s</string></dict></plist>
"""

# sources and tests: folders of the library. replace: changes to a copy, as (pattern, replacement).
# identifier and groups: those of the library's test application. leave_out: files without a meaning here.
# stand_ins: files of Scripts/libraries with what Linux lacks, or with a package that the library uses.
LIBRARIES = {
    "KeychainAccess": dict(
        module="KeychainAccess", sources=["Lib/KeychainAccess"], tests=["Lib/KeychainAccessTests"],
        identifier="com.kishikawakatsumi.KeychainAccess.TestHost",
        groups="27AEDK3C9F.com.kishikawakatsumi.KeychainAccess.TestHost,27AEDK3C9F.shared",
        # The methods that it tests exist only on iOS.
        leave_out=["SharedCredentialTests.swift"]),
    "Valet": dict(
        module="Valet", sources=["Sources/Valet"],
        tests=["Tests/ValetTests", "Tests/ValetIntegrationTests"], stand_ins=["NSMapTable.swift"],
        # The tests know the groups of Apple's platforms alone.
        replace=[OBJC, (r"#if os\(iOS\)\n(\s*return SharedGroupIdentifier)", r"#if true\n\1")],
        identifier="com.squareup.Valet-iOS-Test-Host-App",
        groups="9XUJ7M53NG.com.squareup.Valet-iOS-Test-Host-App,"
               "9XUJ7M53NG.com.squareup.Valet-iOS-Test-Host-App2,group.valet.test"),
    "keychain-swift": dict(
        module="KeychainSwift", sources=["Sources"], tests=["Tests/KeychainSwiftTests"]),
    "SwiftKeychainWrapper": dict(
        module="SwiftKeychainWrapper", sources=["SwiftKeychainWrapper"],
        tests=["SwiftKeychainWrapperTests"]),
    "Locksmith": dict(module="Locksmith", sources=["Source"], tests=["Tests"], replace=[OBJC]),
    "SimpleKeychain": dict(
        module="SimpleKeychain", sources=["SimpleKeychain"], tests=["SimpleKeychainTests"],
        # Foundation on Linux has no such initializer.
        replace=[(r"NSError\(\)", 'NSError(domain: "", code: 0)')]),
    "swift-security": dict(
        module="SwiftSecurity", sources=["Sources/SwiftSecurity"],
        tests=["Tests/SwiftSecurityTests"], resources=["Resources"],
        identifier="dev.zharov.TestHost",
        groups="J59EP59PB8.dev.zharov.TestHost,group.dev.zharov.TestHost",
        # It imports SwiftUI.
        leave_out=["Credential.swift"]),
    "JOSESwift": dict(
        module="JOSESwift", sources=["JOSESwift"], tests=["Tests"],
        stand_ins=["Darwin.swift", "Deflate.swift"], leave_out=["DeflateWrapper.swift"],
        replace=[OBJC, (r"UIImage\.checkmark", "NSObject()"),
                 (r"Bundle\(for: type\(of: self\)\)", "Bundle.module")],
        resources=["TestKeys.plist"]),
    "webauthn-swift": dict(
        module="WebAuthn", sources=["Sources/WebAuthn"], tests=["Tests/WebAuthnTests"],
        # Its only dependency is a package for CBOR.
        stand_ins=["CBOR.swift"],
        replace=[(r"import SwiftCBOR\n", ""), (r"NSError\(\)", 'NSError(domain: "", code: 0)'),
                 # XCTest on Linux waits for no expectation without an end.
                 (r"wait\(for: ([^()\n]*)\)", r"wait(for: \1, timeout: 60)")]),
}

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let flags: [SwiftSetting] = [
  .swiftLanguageMode(.v5),
  .unsafeFlags(["-enable-testing", "-Xfrontend", "-import-module", "-Xfrontend", "Security"]),
]
let products: [Target.Dependency] = [
  .product(name: "Security", package: "AtRest"),
  .product(name: "LocalAuthentication", package: "AtRest"),
  .product(name: "CryptoKit", package: "AtRest"),
  .product(name: "CommonCrypto", package: "AtRest"),
  .product(name: "Crypto", package: "swift-crypto"),
  .product(name: "CryptoExtras", package: "swift-crypto"),
]
let package = Package(
  name: "%(name)s",
  dependencies: [
    .package(name: "AtRest", path: "%(root)s"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
  ],
  targets: [
    .systemLibrary(name: "CZlib"),
    .target(name: "%(module)s", dependencies: products + ["CZlib"], swiftSettings: flags),
    .testTarget(
      name: "%(module)sTests", dependencies: ["%(module)s"] + products,
      resources: [%(resources)s], swiftSettings: flags),
  ]
)
"""


def copy(source, target, library):
    for path in sorted(source.rglob("*")):
        keeps = path.suffix == ".swift" or any(
            name in path.relative_to(source).parts for name in library.get("resources", []))
        if not path.is_file() or not keeps or path.name in library.get("leave_out", []):
            continue
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".swift":
            text = path.read_text()
            for pattern, replacement in library.get("replace", []):
                text = re.sub(pattern, replacement, text)
            place.write_text(text)
        else:
            shutil.copy(path, place)


def prepare(name, sources):
    library = LIBRARIES[name]
    package = WORK / name
    shutil.rmtree(package, ignore_errors=True)
    module = library["module"]
    for folder in library["sources"]:
        copy(sources / folder, package / "Sources" / module, library)
    for folder in library["tests"]:
        copy(sources / folder, package / "Tests" / f"{module}Tests" / pathlib.Path(folder).name, library)
    for stand_in in library.get("stand_ins", []):
        shutil.copy(ROOT / "Scripts/libraries" / stand_in, package / "Sources" / module)
    zlib = package / "Sources/CZlib"
    zlib.mkdir()
    (zlib / "module.modulemap").write_text(
        'module CZlib [system] { header "/usr/include/zlib.h" link "z" export * }\n')
    resources = "".join(
        f'.copy("{folder.relative_to(package / "Tests" / f"{module}Tests")}"), '
        for resource in library.get("resources", [])
        for folder in sorted((package / "Tests").rglob(resource)))
    (package / "Package.swift").write_text(
        MANIFEST % dict(name=name, root=ROOT, module=module, resources=resources))
    return package


def swift(*arguments, **options):
    return subprocess.run(
        ["swift", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def run(name, sources):
    package = prepare(name, sources)
    place = ["-c", "release", "--package-path", str(package), "--scratch-path", str(SCRATCH)]
    built = swift("build", "--build-tests", *place)
    log = WORK / f"{name}.log"
    log.write_text(built.stdout)
    if built.returncode != 0:
        return None
    # Bundle.main.bundleIdentifier comes from the property list beside the executable.
    bundle = SCRATCH / "release" / "Info.plist"
    bundle.write_text(PLIST % LIBRARIES[name].get("identifier", "com.example.app"))
    environment = dict(
        os.environ, ATREST_KEYCHAIN_ACCESS_GROUPS=LIBRARIES[name].get("groups", ""))
    try:
        tested = swift("test", "--skip-build", *place, env=environment)
    finally:
        bundle.unlink()
    log.write_text(built.stdout + tested.stdout)
    results = {}
    if "unexpected signal" in tested.stdout:
        results["the test program, which crashed"] = False
    for test, result in re.findall(r"Test Case '([^']+)' (passed|failed)", tested.stdout):
        results[test] = result == "passed"
    for test, result in re.findall(r"[✔✘] Test (?!run|case)(.+?) (passed|failed) after", tested.stdout):
        results[test] = result == "passed"
    return results


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sources = pathlib.Path(sys.argv[1])
    passed = total = 0
    for name in sys.argv[2:] or LIBRARIES:
        if not (sources / name).is_dir():
            print(f"{name}: not in {sources}")
            continue
        results = run(name, sources / name)
        if results is None:
            print(f"{name}: does not compile, see {WORK / name}.log")
            continue
        good = sum(results.values())
        passed, total = passed + good, total + len(results)
        print(f"{name}: {good} of {len(results)}", flush=True)
        for test in sorted(test for test, isGood in results.items() if not isGood):
            print(f"  failed: {test}", flush=True)
    print(f"all: {passed} of {total}")


main()
