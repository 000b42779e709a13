// swift-tools-version: 6.3
import PackageDescription

// Products of other packages that targets use.
let atRest: Target.Dependency = .product(name: "AtRest", package: "AtRest")
let atRestBus: Target.Dependency = .product(name: "AtRestBus", package: "AtRest")
let atRestCrypto: Target.Dependency = .product(name: "AtRestCrypto", package: "AtRest")
let atRestFiles: Target.Dependency = .product(name: "AtRestFiles", package: "AtRest")
let atRestKeybag: Target.Dependency = .product(name: "AtRestKeybag", package: "AtRest")
let atRestKeychain: Target.Dependency = .product(name: "AtRestKeychain", package: "AtRest")
let atRestTestSupport: Target.Dependency = .product(name: "AtRestTestSupport", package: "AtRest")
let fuzzDriver: Target.Dependency = .product(name: "FuzzDriver", package: "AtRest")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

// A package of its own, so users of the libraries do not clone its dependencies.
let package = Package(
  name: "AtRestAgent",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "atrest-agent", targets: ["atrest-agent"])
  ],
  dependencies: [
    .package(name: "AtRest", path: ".."),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.6.0"),
    // Only for tests.
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CAtRestPeer", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Powers modulo a prime in constant time, by the system's GMP, which is loaded at run time.
    .target(name: "CAtRestModularPower"),
    .target(
      name: "AtRestAgent",
      dependencies: [
        "CAtRestPeer", "CAtRestModularPower", atRestBus, atRestCrypto, atRestKeybag, atRestKeychain,
        crypto, cryptoExtras, nioCore, nioPosix,
      ]),
    .executableTarget(
      name: "atrest-agent",
      dependencies: [
        "AtRestAgent", "CAtRestPeer", argumentParser, atRestCrypto, atRestKeybag, atRestKeychain,
      ],
      // All calls are bound when the program starts, because lazy binding would save registers on
      // the stack.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux, .android]))
      ]),
    .target(
      name: "AgentFuzzTargets",
      dependencies: ["AtRestAgent", atRestBus, atRestKeychain, atRestCrypto, nioCore],
      path: "Tests/AgentFuzzTargets"),
    .testTarget(
      name: "AtRestAgentTests",
      dependencies: [
        "AgentFuzzTargets", "AtRestAgent", "CAtRestPeer", "atrest-agent", crypto, grdb, nioCore,
        atRest, atRestBus, atRestCrypto, atRestFiles, atRestKeybag, atRestKeychain,
        atRestTestSupport,
      ]),
  ]
)

// `make release` names a folder with those libraries of the system that programs carry, SQLite and libstdc++, and with
// data of ICU that take the place of Foundation's.
if let libraries = Context.environment["ATREST_CARRIED_LIBRARIES"] {
  let carried = ["-L", libraries, "\(libraries)/icudata.o"]
  for target in package.targets where target.type == .executable {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(carried)]
  }
}

// In CI, warnings in these targets are errors. Warnings in dependencies are not.
if Context.environment["ATREST_STRICT"] != nil {
  for target in package.targets where !target.name.hasPrefix("C") {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}

// Only `make fuzz` needs the driver, and a build in which the decoders count what they run through.
if Context.environment["ATREST_FUZZ"] != nil {
  let sanitizers = ["-sanitize=fuzzer,address"]
  for target in package.targets where ["AtRestAgent", "AgentFuzzTargets"].contains(target.name) {
    target.swiftSettings =
      (target.swiftSettings ?? []) + [.unsafeFlags(sanitizers + ["-enable-testing"])]
  }
  package.targets.removeAll { $0.type == .test || $0.name == "atrest-agent" }
  package.products = []
  package.targets.append(
    .executableTarget(
      name: "agent-fuzz",
      dependencies: ["AgentFuzzTargets", fuzzDriver],
      path: "Tests/agent-fuzz",
      linkerSettings: [
        // Without the last flag the linker removes the counters as unused.
        .unsafeFlags(
          sanitizers + ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nostart-stop-gc"])
      ]))
}
