// swift-tools-version: 6.3
import PackageDescription

// The package that docs/Porting.md makes. Only the place of AtRest differs.
let elsewhere = TargetDependencyCondition.when(platforms: [.linux, .android, .windows])

let package = Package(
  name: "SignIn",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "AtRest", path: "../..")],
  targets: [
    .target(
      name: "SignIn",
      dependencies: [
        .product(name: "CryptoKit", package: "AtRest", condition: elsewhere),
        .product(name: "Security", package: "AtRest", condition: elsewhere),
      ]),
    .testTarget(
      name: "SignInTests",
      dependencies: [
        "SignIn",
        .product(name: "KeychainTesting", package: "AtRest", condition: elsewhere),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
