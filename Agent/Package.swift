// swift-tools-version: 6.1
import PackageDescription

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
  ],
  targets: [
    .target(name: "CAtRestPeer"),
    .target(
      name: "AtRestAgent",
      dependencies: [
        "CAtRestPeer",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestKeybag", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "atrest-agent",
      dependencies: [
        "AtRestAgent", "CAtRestPeer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestKeybag", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
      ],
      // All calls are bound when the program starts, because lazy binding would save registers on
      // the stack.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux, .android]))
      ]),
    .testTarget(
      name: "AtRestAgentTests",
      dependencies: [
        "AtRestAgent", "atrest-agent",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestKeybag", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
      ]),
  ]
)

// In CI, warnings in these targets are errors. Warnings in dependencies are not.
if Context.environment["ATREST_STRICT"] != nil {
  for target in package.targets where target.name != "CAtRestPeer" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}
