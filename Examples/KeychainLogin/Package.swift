// swift-tools-version: 6.3
import PackageDescription

// On platforms without the Security framework, AtRest's modules with the same names replace it.
let elsewhere = TargetDependencyCondition.when(platforms: [.linux, .android, .windows])

let package = Package(
  name: "KeychainLogin",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "KeychainLogin", targets: ["KeychainLogin"])],
  dependencies: [.package(name: "AtRest", path: "../..")],
  targets: [
    .target(
      name: "KeychainLogin",
      dependencies: [
        .product(name: "Security", package: "AtRest", condition: elsewhere),
        .product(name: "LocalAuthentication", package: "AtRest", condition: elsewhere),
      ]),
    .testTarget(
      name: "KeychainLoginTests",
      dependencies: [
        "KeychainLogin",
        .product(name: "Security", package: "AtRest", condition: elsewhere),
        .product(name: "LocalAuthentication", package: "AtRest", condition: elsewhere),
        .product(name: "AtRestKeychain", package: "AtRest", condition: elsewhere),
        .product(name: "AtRestSimulation", package: "AtRest", condition: elsewhere),
        .product(name: "KeychainTesting", package: "AtRest", condition: elsewhere),
      ]),
  ]
)
