// swift-tools-version: 6.3
import PackageDescription

// On Apple's platforms the Compression framework takes their place.
let compressionLibraries: [Target.Dependency] = ["CBZip2", "CLZMA", "CZstd", "CBrotli"].map {
  .target(name: $0, condition: .when(platforms: [.linux]))
}

// Products of other packages that targets use.
let atRestCrypto: Target.Dependency = .product(name: "AtRestCrypto", package: "AtRest")
let atRestSecrets: Target.Dependency = .product(name: "AtRestSecrets", package: "AtRest")
let fuzzDriver: Target.Dependency = .product(name: "FuzzDriver", package: "AtRest")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let swiftParser: Target.Dependency = .product(name: "SwiftParser", package: "swift-syntax")
let swiftSyntax: Target.Dependency = .product(name: "SwiftSyntax", package: "swift-syntax")

let package = Package(
  name: "Audit",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "AtRestAudit", targets: ["AtRestAudit"]),
    .executable(name: "atrest-audit", targets: ["AtRestAuditCommand"]),
  ],
  dependencies: [
    .package(name: "AtRest", path: ".."),
    .package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.6.0"),
  ],
  targets: [
    // What files hold, without an opinion of it.
    .target(name: "AtRestFormats", dependencies: ["CZlib", "CLZ4"] + compressionLibraries),
    // What an app left behind: the walk through containers, the detectors, backups.
    .target(
      name: "AtRestContainers",
      dependencies: [
        "AtRestFormats", "CExtendedAttributes", atRestCrypto, atRestSecrets, crypto, cryptoExtras,
      ]),
    // What the rules look at and what they find: code, names, findings, reports.
    .target(
      name: "AtRestAuditModel",
      dependencies: ["AtRestFormats", atRestSecrets, crypto]),
    // The languages, read into the model.
    .target(
      name: "AtRestAuditSwift",
      dependencies: ["AtRestFormats", "AtRestAuditModel", swiftSyntax, swiftParser]),
    .target(name: "AtRestAuditObjectiveC", dependencies: ["AtRestFormats", "AtRestAuditModel"]),
    // What a project has beside code: property lists, interfaces, projects, lock files.
    .target(name: "AtRestAuditResources", dependencies: ["AtRestFormats", "AtRestAuditModel"]),
    // What is known of a project: scopes, types, constants, how values come to where they are used.
    .target(name: "AtRestAuditAnalysis", dependencies: ["AtRestFormats", "AtRestAuditModel"]),
    // The rules, and what runs them.
    .target(
      name: "AtRestAuditRules",
      dependencies: [
        "AtRestFormats", "AtRestAuditModel", "AtRestAuditAnalysis", "AtRestAuditResources",
      ]),
    // The forms in which a report is written.
    .target(
      name: "AtRestAuditReports",
      dependencies: [
        "AtRestFormats", "AtRestContainers", "AtRestAuditModel", atRestCrypto, atRestSecrets,
        crypto,
      ]),
    // Audits of a project, a container, a keychain, and the settings.
    .target(
      name: "AtRestAudit",
      dependencies: [
        "AtRestFormats", "AtRestContainers", "AtRestAuditModel", "AtRestAuditSwift",
        "AtRestAuditObjectiveC", "AtRestAuditResources", "AtRestAuditAnalysis", "AtRestAuditRules",
        "AtRestAuditReports", yams,
      ]),
    .systemLibrary(name: "CExtendedAttributes"),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4",
      providers: [.apt(["liblz4-dev"]), .yum(["lz4-devel"]), .brew(["lz4"])]),
    .systemLibrary(
      name: "CBZip2", providers: [.apt(["libbz2-dev"]), .yum(["bzip2-devel"])]),
    .systemLibrary(
      name: "CLZMA", pkgConfig: "liblzma",
      providers: [.apt(["liblzma-dev"]), .yum(["xz-devel"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .yum(["libzstd-devel"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .yum(["brotli-devel"])]),
    .executableTarget(
      name: "AtRestAuditCommand",
      dependencies: [
        "AtRestAudit", "AtRestContainers", atRestCrypto, atRestSecrets, argumentParser,
      ]),
    // How well the rules find what people labelled; a tool of this repository.
    .executableTarget(name: "AuditScore", dependencies: ["AtRestAudit"]),
    .target(
      name: "ContainerFuzzTargets",
      dependencies: ["AtRestContainers", "AtRestFormats", atRestCrypto],
      path: "Tests/ContainerFuzzTargets"),
    .target(
      name: "AuditFuzzTargets",
      dependencies: ["AtRestAudit", "AtRestAuditResources"], path: "Tests/AuditFuzzTargets"),
    .testTarget(
      name: "AtRestFormatsTests", dependencies: ["AtRestFormats"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AtRestContainersTests",
      dependencies: [
        "AtRestFormats", "AtRestContainers", "CExtendedAttributes", atRestCrypto, atRestSecrets,
        crypto, cryptoExtras,
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AtRestAuditTests",
      dependencies: [
        "AtRestAudit", "AtRestAuditSwift", "AtRestAuditObjectiveC", "AtRestAuditResources",
        "AtRestContainers", "AuditFuzzTargets", "ContainerFuzzTargets", atRestSecrets, yams,
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "AtRestAuditCommandTests",
      dependencies: ["AtRestAuditCommand"],
      resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)

// `make release` sets it: the auditor loads nothing, so it carries all libraries and starts on any Linux. Its code is at a
// random address all the same, which the linker gold cannot do.
if let libraries = Context.environment["ATREST_CARRIED_LIBRARIES"] {
  for target in package.targets where target.name == "AtRestAuditCommand" {
    target.linkerSettings = [
      .linkedLibrary("brotlicommon"),
      .unsafeFlags([
        "-static-executable", "-Xclang-linker", "-static-pie", "-use-ld=lld",
        "\(libraries)/icudata.o",
      ]),
    ]
  }
}

if Context.environment["ATREST_STRICT"] != nil {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}

// Only `make fuzz` needs the driver, and a build in which the parsers count what they run through.
if Context.environment["ATREST_FUZZ"] != nil {
  let sanitizers = ["-sanitize=fuzzer,address"]
  let parsers = [
    "AtRestFormats", "AtRestContainers", "AtRestAuditModel", "AtRestAuditSwift",
    "AtRestAuditObjectiveC", "AtRestAuditResources", "AtRestAuditAnalysis", "AtRestAuditRules",
    "AtRestAuditReports", "AtRestAudit", "ContainerFuzzTargets", "AuditFuzzTargets",
  ]
  for target in package.targets where parsers.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(sanitizers)]
  }
  // Two programs, since what reads containers needs no swift-syntax.
  for (program, targets) in [
    ("container-fuzz", "ContainerFuzzTargets"), ("audit-fuzz", "AuditFuzzTargets"),
  ] {
    package.targets.append(
      .executableTarget(
        name: program,
        dependencies: [.init(stringLiteral: targets), fuzzDriver],
        path: "Tests/\(program)",
        linkerSettings: [
          // Without the last the linker takes the counters for dead.
          .unsafeFlags(
            sanitizers + ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nostart-stop-gc"])
        ]))
  }
}
