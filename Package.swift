// swift-tools-version: 6.3
import PackageDescription

// Products of other packages that targets use.
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
  name: "AtRest",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "AtRest", targets: ["AtRest"]),
    .library(name: "AtRestSecrets", targets: ["AtRestSecrets"]),
    .library(name: "AtRestCrypto", targets: ["AtRestCrypto"]),
    // D-Bus, for the agent and the command.
    .library(name: "AtRestBus", targets: ["AtRestBus"]),
    .library(name: "AtRestLegacy", targets: ["AtRestLegacy"]),
    .library(name: "AtRestKeybag", targets: ["AtRestKeybag"]),
    .library(name: "AtRestKeychain", targets: ["AtRestKeychain"]),
    .library(name: "AtRestDatabase", targets: ["AtRestDatabase"]),
    // The extension for SQLite's shell and other programs.
    .library(name: "atrest_vfs", type: .dynamic, targets: ["AtRestVFS"]),
    .library(name: "AtRestFiles", targets: ["AtRestFiles"]),
    .library(name: "AtRestRedaction", targets: ["AtRestRedaction"]),
    .library(name: "AtRestEnvelopes", targets: ["AtRestEnvelopes"]),
    .library(name: "AtRestRuntime", targets: ["AtRestRuntime"]),
    .library(name: "AtRestFoundation", targets: ["AtRestFoundation"]),
    .library(name: "AtRestSimulation", targets: ["AtRestSimulation"]),
    // Traits for Swift Testing, and a test case for XCTest.
    .library(name: "KeychainTesting", targets: ["KeychainTesting"]),
    .library(name: "Security", targets: ["Security"]),
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    .library(name: "CryptoKit", targets: ["CryptoKit"]),
    // The header, and what it declares.
    .library(name: "CommonCrypto", targets: ["CommonCrypto", "AtRestCommonCrypto"]),
    // Foundation's calls of a target protect files, with `import Foundation` unchanged.
    .plugin(name: "ProtectFoundation", targets: ["ProtectFoundation"]),
    .executable(name: "atrest", targets: ["AtRestCommand"]),
    // For the tests and benchmarks of the packages in this repository.
    .library(name: "AtRestTestSupport", targets: ["AtRestTestSupport"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.6.0"),
  ],
  targets: [
    .target(name: "AtRestSecrets"),
    .target(name: "CAtRestSystem"),
    .target(name: "CAtRestSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "AtRestCrypto",
      dependencies: ["CAtRestSystem", crypto, cryptoExtras]),
    .target(
      name: "AtRestLegacy",
      dependencies: ["AtRestCrypto", crypto, cryptoExtras]),
    .target(name: "AtRestBus", dependencies: ["AtRestCrypto"]),
    // The calls of tpm2-tss, which is loaded at run time.
    .target(name: "CAtRestTPM"),
    .target(
      name: "AtRestTPM",
      dependencies: ["AtRestCrypto", "CAtRestSystem", "CAtRestTPM", crypto, asn1]),
    .target(
      name: "AtRestKeybag",
      dependencies: ["AtRestCrypto", "AtRestTPM", "CAtRestSystem", crypto]),
    .target(
      name: "AtRestKeychain",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "CAtRestSQLite", "CAtRestSystem", crypto, cryptoExtras,
        logging,
      ]),
    .target(
      name: "AtRestFiles",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "CAtRestSystem", crypto]),
    .target(name: "AtRestVFS", dependencies: ["AtRestDatabase"]),
    .target(name: "CAtRestDatabase", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "AtRestDatabase",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "CAtRestDatabase", "CAtRestSQLite",
        crypto, cryptoExtras, grdb,
      ]),
    .target(
      name: "AtRestFoundation",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestFiles"]),
    .plugin(name: "ProtectFoundation", capability: .buildTool()),
    .target(
      name: "AtRestRedaction",
      dependencies: ["AtRestCrypto", "AtRestSecrets", logging]),
    .target(
      name: "AtRestEnvelopes",
      dependencies: ["AtRestCrypto", "AtRestKeychain", crypto]),
    .target(
      name: "AtRestRuntime",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "CAtRestSystem"]),
    .target(
      name: "AtRest",
      dependencies: [
        "AtRestCrypto", "AtRestDatabase", "AtRestEnvelopes", "AtRestFiles", "AtRestKeybag",
        "AtRestKeychain", "AtRestSecrets", "AtRestRedaction", "AtRestRuntime", "CAtRestSQLite",
        "CAtRestSystem", crypto, grdb,
      ]),
    .target(
      name: "AtRestSimulation",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestFiles"]),
    .target(
      name: "KeychainTesting", dependencies: ["AtRestKeychain", "AtRestSimulation"]),
    // The algorithms of `SecKey`, which `LAPrivateKey` of LocalAuthentication uses too. A module named
    // Security would be found by packages that ask for it.
    .target(name: "AtRestSecKey", dependencies: ["AtRestCrypto", "AtRestKeychain"]),
    .target(
      name: "Security",
      dependencies: [
        "AtRestCrypto", "AtRestKeychain", "AtRestSecKey", crypto, cryptoExtras, logging, asn1,
      ]),
    .target(
      name: "LocalAuthentication",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestSecKey", crypto]),
    .target(
      name: "CryptoKit",
      dependencies: ["AtRestCrypto", "AtRestKeychain", "LocalAuthentication", crypto]),
    // A module of C, because swift-crypto asks for a module of this name, and only the targets that
    // depend on a module of C can find it.
    .target(name: "CommonCrypto"),
    .target(
      name: "AtRestCommonCrypto",
      dependencies: ["AtRestCrypto", "CommonCrypto", crypto, cryptoExtras, logging]),
    // What git, docker, ssh and others ask the command, and how it answers.
    .target(name: "AtRestCredentials", dependencies: ["AtRestCrypto", "AtRestKeychain"]),
    // This target is not named `atrest`: on file systems that ignore case, its module would be the
    // same file as the library's module.
    .executableTarget(
      name: "AtRestCommand",
      dependencies: [
        "AtRestBus", "AtRestCredentials", "AtRestCrypto", "AtRestDatabase", "AtRestKeybag",
        "AtRestKeychain", "AtRestFiles", "AtRestLegacy", "AtRestRedaction", "AtRestRuntime",
        "CAtRestSystem", crypto, argumentParser, grdb, logging,
      ],
      // All calls are bound when the program starts, because lazy binding would save registers on
      // the stack. Packages can still depend on the libraries, because only the executable has
      // these flags.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux, .android]))
      ]),
    .testTarget(
      name: "AtRestSecretsTests", dependencies: ["AtRestSecrets"], resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AtRestCommandTests",
      dependencies: [
        "AtRestCommand", "AtRestCredentials", "AtRestCrypto", "AtRestLegacy", "AtRestRedaction",
        "AtRestSecrets", "atrest-vault-worker",
      ]),
    .testTarget(
      name: "AtRestTests",
      dependencies: [
        "AtRest", "AtRestCrypto", "AtRestFiles", "AtRestKeybag", "AtRestKeychain",
        "AtRestSimulation", "atrest-vault-worker", crypto, grdb,
      ],
      exclude: ["Fixtures/README.md"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AtRestRedactionTests",
      dependencies: ["AtRestCrypto", "AtRestRedaction", "AtRestSecrets", logging],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AtRestEnvelopesTests",
      dependencies: ["AtRestCrypto", "AtRestEnvelopes", "AtRestKeychain", "AtRestSimulation"]),
    // The child process that the Vault's tests trace, kill and search.
    .executableTarget(
      name: "atrest-vault-worker",
      dependencies: ["AtRest", "AtRestCrypto", "AtRestDatabase", "CAtRestTracer", crypto, grdb],
      path: "Tests/atrest-vault-worker"),
    .target(name: "CAtRestTracer", path: "Tests/CAtRestTracer"),
    // The search of a process's memory for known secrets, and requests to the agent.
    .target(
      name: "AtRestTestSupport",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "CAtRestTracer", crypto, grdb,
      ],
      path: "Tests/AtRestTestSupport"),
    .testTarget(name: "AtRestBusTests", dependencies: ["AtRestBus", "AtRestCrypto"]),
    .testTarget(
      name: "AtRestTPMTests",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestTPM", crypto]),
    .testTarget(
      name: "AtRestKeybagTests",
      dependencies: ["AtRestCrypto", "AtRestKeybag"]),
    .testTarget(
      name: "AtRestKeychainTests",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestSimulation", crypto, grdb,
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "SecurityTests",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestSimulation", "LocalAuthentication",
        "Security", grdb,
      ],
      exclude: ["Fixtures/README.md"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "LocalAuthenticationTests",
      dependencies: [
        "AtRestCrypto", "AtRestKeychain", "AtRestSimulation", "LocalAuthentication", "Security",
      ]),
    .testTarget(
      name: "CryptoKitTests",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestSimulation", "CryptoKit",
        "LocalAuthentication", "Security",
      ]),
    .testTarget(
      name: "CommonCryptoTests", dependencies: ["AtRestCommonCrypto", "CommonCrypto"]),
    .testTarget(
      name: "AtRestSimulationTests",
      dependencies: [
        "AtRestCrypto", "AtRestFiles", "AtRestKeybag", "AtRestKeychain", "AtRestSimulation",
        "LocalAuthentication", "Security",
      ]),
    .testTarget(
      name: "KeychainTestingTests",
      dependencies: [
        "AtRestCrypto", "AtRestKeychain", "AtRestSimulation", "KeychainTesting",
        "LocalAuthentication", "Security",
      ]),
    .testTarget(
      name: "AtRestFilesTests",
      dependencies: ["AtRestCrypto", "AtRestKeybag", "AtRestFiles"],
      exclude: ["Fixtures/README.md"],
      resources: [.copy("Fixtures")]),
    // The program that the database's tests kill, and run beside SQLCipher.
    .executableTarget(
      name: "atrest-database-worker",
      dependencies: ["AtRestCrypto", "AtRestDatabase", "CAtRestRecorder", grdb],
      path: "Tests/atrest-database-worker"),
    .target(
      name: "CAtRestRecorder", path: "Tests/CAtRestRecorder",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "AtRestDatabaseTests",
      dependencies: [
        "AtRestCrypto", "AtRestDatabase", "AtRestKeychain", "AtRestSimulation",
        "atrest-database-worker", grdb, crypto,
      ]),
    // The tests against other programs that read and write SQLCipher's format. They drive this program
    // and Tests/database-peer by the same requests.
    .executableTarget(
      name: "atrest-database-program",
      dependencies: ["AtRestCrypto", "AtRestDatabase", "AtRestKeybag", "AtRestKeychain", grdb],
      path: "Tests/atrest-database-program"),
    .testTarget(
      name: "AtRestDatabaseInteroperationTests", dependencies: ["atrest-database-program"],
      exclude: ["Behaviours.md"]),
    .testTarget(
      name: "AtRestFoundationTests",
      dependencies: [
        "AtRestCrypto", "AtRestFiles", "AtRestFoundation", "AtRestKeychain", "AtRestSimulation",
        "Security",
      ]),
    .testTarget(
      name: "ProtectFoundationTests",
      dependencies: ["AtRestFoundation", "AtRestSimulation", "Security"],
      plugins: ["ProtectFoundation"]),
    .testTarget(
      name: "AtRestCryptoTests",
      dependencies: ["AtRestCrypto", "AtRestLegacy", crypto],
      exclude: ["Fixtures/README.md", "Fixtures/legacy/README.md", "Vectors/README.md"],
      resources: [.copy("Fixtures"), .copy("Vectors")]),
    // The fuzzed parsers, and a replay of the inputs that fuzzing found. See *Fuzz a parser* in
    // CONTRIBUTING.md.
    .target(
      name: "AtRestFuzzTargets",
      dependencies: [
        "AtRest", "AtRestCredentials", "AtRestCrypto", "AtRestDatabase", "AtRestKeybag",
        "AtRestKeychain", "AtRestFiles", "AtRestLegacy", "AtRestSimulation", "Security", crypto,
        grdb,
      ],
      path: "Tests/AtRestFuzzTargets"),
    .testTarget(name: "AtRestFuzzTests", dependencies: ["AtRestFuzzTargets"]),
    // The child process that the torture tests kill, search, and run by the dozen on one store.
    .executableTarget(
      name: "atrest-torture-worker",
      dependencies: [
        "AtRestCrypto", "AtRestKeybag", "AtRestKeychain", "AtRestFiles", "CAtRestTracer",
        "Security", crypto,
      ],
      path: "Tests/atrest-torture-worker"),
    // The programs of a store's life, beside the command and the agent.
    .executableTarget(
      name: "atrest-life-worker",
      dependencies: [
        "AtRest", "AtRestCrypto", "AtRestDatabase", "AtRestEnvelopes", "AtRestFiles",
        "AtRestKeybag", "AtRestKeychain", crypto, grdb,
      ],
      path: "Tests/atrest-life-worker"),
    .testTarget(
      name: "AtRestTortureTests",
      dependencies: [
        "AtRest", "AtRestCommand", "AtRestCrypto", "AtRestDatabase", "AtRestKeybag",
        "AtRestKeychain", "AtRestFiles", "AtRestTestSupport", "CAtRestTracer", "atrest-life-worker",
        "atrest-torture-worker", "atrest-vault-worker", grdb, crypto,
      ]),
  ]
)

#if os(macOS)
  // macOS has these modules, and modules of the same names would hide them. Set ATREST_STAND_INS to
  // build for another platform on a Mac.
  if Context.environment["ATREST_STAND_INS"] == nil {
    let standIns = ["Security", "LocalAuthentication", "CryptoKit", "CommonCrypto"]
    func namesStandIn(_ dependency: Target.Dependency) -> Bool {
      if case .byNameItem(let name, _) = dependency { standIns.contains(name) } else { false }
    }
    let tests = [
      "SecurityTests", "LocalAuthenticationTests", "CryptoKitTests", "CommonCryptoTests",
      "AtRestSimulationTests", "KeychainTestingTests", "ProtectFoundationTests",
    ]
    package.targets.removeAll {
      (standIns + tests + ["AtRestCommonCrypto", "AtRestSecKey"]).contains($0.name)
    }
    for target in package.targets { target.dependencies.removeAll(where: namesStandIn) }
    package.targets.append(.target(name: "AtRestSystemSecurity"))
    package.products.removeAll { standIns.contains($0.name) }
    package.products += standIns.map { .library(name: $0, targets: ["AtRestSystemSecurity"]) }
  }
#endif

// `make release` names a folder with those libraries of the system that programs carry, SQLite and libstdc++, and with
// data of ICU that take the place of Foundation's.
if let libraries = Context.environment["ATREST_CARRIED_LIBRARIES"] {
  let carried = ["-L", libraries, "\(libraries)/icudata.o"]
  for target in package.targets where target.type == .executable {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(carried)]
  }
  // SwiftPM links programs with the static runtime if it is asked to, and libraries never.
  for target in package.targets where target.name == "AtRestVFS" {
    let exports = ["-static-stdlib", "-Xlinker", "--version-script=\(libraries)/exports"]
    target.linkerSettings = [.unsafeFlags(exports + ["\(libraries)/icudata.o"])]
  }
}

// In CI, warnings in these targets are errors. Warnings in dependencies are not.
if Context.environment["ATREST_STRICT"] != nil {
  for target in package.targets where target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}

// Optimising the tests takes a quarter of the build, and the modules that they test are optimised anyway.
// AtRestTests searches its own binary for what an optimised program contains.
for target in package.targets where target.type == .test && target.name != "AtRestTests" {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}

// Only `make fuzz` needs the fuzz driver, and parsers that record which code they reach.
if Context.environment["ATREST_FUZZ"] != nil {
  let sanitizers = ["-sanitize=fuzzer,address"]
  let parsers = [
    "AtRest", "AtRestBus", "AtRestCredentials", "AtRestCrypto", "AtRestDatabase", "AtRestEnvelopes",
    "AtRestFiles", "AtRestKeybag", "AtRestLegacy", "AtRestRedaction", "Security",
    "AtRestFuzzTargets",
  ]
  for target in package.targets where parsers.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(sanitizers)]
  }
  for target in package.targets where target.name == "CAtRestDatabase" {
    target.cSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
  }
  // The auditor's fuzzers use the driver too.
  package.products.append(.library(name: "FuzzDriver", targets: ["FuzzDriver"]))
  package.targets.append(.target(name: "FuzzDriver", path: "Tests/FuzzDriver"))
  package.targets.append(
    .executableTarget(
      name: "atrest-fuzz",
      dependencies: ["AtRestFuzzTargets", "FuzzDriver"],
      path: "Tests/atrest-fuzz",
      linkerSettings: [
        // Without the last flag the linker removes the counters as unused.
        .unsafeFlags(
          sanitizers + ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nostart-stop-gc"])
      ]))
}

// `make race` builds only the modules that its tests use, with locks that the thread sanitizer
// recognises.
if Context.environment["ATREST_RACE"] != nil {
  let raced = [
    "CAtRestSystem", "CAtRestSQLite", "CAtRestDatabase", "CAtRestTPM", "CAtRestTracer",
    "AtRestCrypto", "AtRestTPM", "AtRestKeybag", "AtRestKeychain", "AtRestDatabase",
    "AtRestFiles", "AtRestSecrets",
    "AtRestRedaction", "AtRestEnvelopes", "AtRestRuntime", "AtRest",
    "AtRestSimulation", "AtRestSecKey", "Security", "CAtRestRecorder", "atrest-database-worker",
    "LocalAuthentication", "atrest-vault-worker", "AtRestKeychainTests", "AtRestFilesTests",
    "AtRestDatabaseTests", "AtRestTests", "SecurityTests",
  ]
  package.products = []
  package.targets.removeAll { !raced.contains($0.name) }
  for target in package.targets where !target.name.hasPrefix("C") {
    target.dependencies.append("Synchronization")
  }
  package.targets.append(.target(name: "Synchronization", path: "Tests/RaceSynchronization"))
}
