// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Bank",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.executable(name: "bank", targets: ["BankCommand"])],
  dependencies: [.package(name: "AtRest", path: "../..")],
  targets: [
    .target(name: "Bank", dependencies: [.product(name: "AtRest", package: "AtRest")]),
    .executableTarget(
      name: "BankCommand", dependencies: ["Bank", .product(name: "AtRest", package: "AtRest")]),
    .testTarget(
      name: "BankTests",
      dependencies: [
        "Bank", "BankCommand", .product(name: "AtRest", package: "AtRest"),
        .product(name: "AtRestSimulation", package: "AtRest"),
      ]),
  ]
)
