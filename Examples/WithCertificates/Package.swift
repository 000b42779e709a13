// swift-tools-version: 6.3
import PackageDescription

// A module alias names the package by its identity. For a dependency by path, the identity is the
// name of the folder. In an application that depends on AtRest by URL, the identity is "AtRest".
let atRest = String(Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "AtRest")

// This application has a dependency that asks `#if canImport(Security)`, as swift-certificates does.
// The dependency must not find AtRest's module of that name, so the module gets another name.
let package = Package(
  name: "WithCertificates",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
  ],
  targets: [
    .target(
      name: "WithCertificates",
      dependencies: [
        .product(
          name: "Security", package: atRest, moduleAliases: ["Security": "AtRestSecurity"]),
        .product(name: "LocalAuthentication", package: atRest),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .testTarget(
      name: "WithCertificatesTests",
      dependencies: [
        "WithCertificates",
        .product(
          name: "Security", package: atRest, moduleAliases: ["Security": "AtRestSecurity"]),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
  ]
)
