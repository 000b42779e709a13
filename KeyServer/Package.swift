// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "KeyServer",
  platforms: [.macOS(.v15)],
  products: [.library(name: "AtRestKeyServerProtocol", targets: ["AtRestKeyServerProtocol"])],
  dependencies: [
    .package(name: "AtRest", path: ".."),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
  ],
  targets: [
    // What client and server say to each other: the OPRF, the messages, signed requests.
    .target(
      name: "AtRestKeyServerProtocol",
      dependencies: [
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ]),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
    // Accounts, devices, keys and the audit log, in PostgreSQL or SQLite.
    .target(
      name: "AtRestKeyServerStore",
      dependencies: [
        "AtRestKeyServerProtocol", "CPostgreSQL", "CSQLite",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .testTarget(
      name: "AtRestKeyServerTests",
      dependencies: [
        "AtRestKeyServerProtocol", "AtRestKeyServerStore",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if Context.environment["ATREST_STRICT"] != nil {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}
