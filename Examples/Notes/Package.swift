// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.executable(name: "notes", targets: ["NotesCommand"])],
  dependencies: [
    .package(name: "AtRest", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
  ],
  targets: [
    .target(
      name: "Notes",
      dependencies: [
        .product(name: "AtRestDatabase", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(
      name: "NotesCommand",
      dependencies: [
        "Notes", .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
      ]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes", "NotesCommand", .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestSimulation", package: "AtRest"),
      ]),
  ]
)
