// swift-tools-version: 6.3
import PackageDescription

// A separate package, so neither users of AtRest nor its tests build the benchmarks. It uses only
// the public API, and for the agent what the packages share.
let package = Package(
  name: "AtRestBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AtRest", path: ".."),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "AtRestBenchmarks",
      dependencies: [
        .product(name: "AtRest", package: "AtRest"),
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestFiles", package: "AtRest"),
        .product(name: "AtRestKeybag", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
        .product(name: "AtRestSimulation", package: "AtRest"),
        .product(name: "AtRestTestSupport", package: "AtRest"),
        .product(name: "Security", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        // The same SQLite as the keychain's, for the bare side of each comparison.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ])
  ]
)
