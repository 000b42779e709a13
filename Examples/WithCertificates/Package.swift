// swift-tools-version: 6.1
import PackageDescription

// An alias goes by the package's identity, which for a path is the folder's name: in an application
// that depends on a URL it is "AtRest".
let atRest = String(Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "AtRest")

// An application whose other dependency asks `#if canImport(Security)`, as swift-certificates does:
// it must not find AtRest's module of that name, so that module is built under another one.
let package = Package(
  name: "WithCertificates",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
  ],
  targets: [
    .target(
      name: "WithCertificates",
      dependencies: [
        .product(
          name: "Security", package: atRest, moduleAliases: ["Security": "AtRestSecurity"]),
        .product(name: "LocalAuthentication", package: atRest),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .testTarget(
      name: "WithCertificatesTests",
      dependencies: [
        "WithCertificates",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
  ]
)
