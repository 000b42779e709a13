// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "KeyServer",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "AtRestKeyServerClient", targets: ["AtRestKeyServerClient"]),
    .executable(name: "atrest-keyserver", targets: ["AtRestKeyServerCommand"]),
    .executable(name: "atrest-keyserver-client", targets: ["AtRestKeyServerClientCommand"]),
  ],
  dependencies: [
    .package(name: "AtRest", path: ".."),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
    .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
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
    // The client, for applications. It needs neither Hummingbird nor a database.
    .target(
      name: "AtRestKeyServerClient",
      dependencies: [
        "AtRestKeyServerProtocol",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    // The calls of libpq, which is loaded at run time.
    .target(name: "CPostgreSQL"),
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
    .systemLibrary(name: "CProcess"),
    // Accounts, devices, keys and the audit log, in PostgreSQL or SQLite.
    .target(
      name: "AtRestKeyServerStore",
      dependencies: [
        "AtRestKeyServerProtocol", "CPostgreSQL", "CSQLite",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    // The server: routes, TLS, limits, metrics, configuration.
    .target(
      name: "AtRestKeyServer",
      dependencies: [
        "AtRestKeyServerProtocol", "AtRestKeyServerStore",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
      ]),
    .executableTarget(
      name: "AtRestKeyServerCommand",
      dependencies: [
        "AtRestKeyServer", "AtRestKeyServerProtocol", "AtRestKeyServerStore", "CProcess",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Yams", package: "Yams"),
      ]),
    // Tries a server out, and shows how an application uses the client.
    .executableTarget(
      name: "AtRestKeyServerClientCommand",
      dependencies: [
        "AtRestKeyServerClient", "AtRestKeyServerProtocol",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Measures the server under load, and whether times tell which accounts exist.
    .executableTarget(
      name: "AtRestKeyServerBenchmarks",
      dependencies: [
        "AtRestKeyServer", "AtRestKeyServerProtocol", "AtRestKeyServerStore",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    // The fuzzed decoders, and a replay of the inputs that fuzzing found.
    .target(
      name: "KeyServerFuzzTargets",
      dependencies: [
        "AtRestKeyServerProtocol", "AtRestKeyServerStore",
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Tests/KeyServerFuzzTargets"),
    .testTarget(
      name: "AtRestKeyServerTests",
      dependencies: [
        "AtRestKeyServer", "AtRestKeyServerClient", "AtRestKeyServerProtocol",
        "AtRestKeyServerStore", "AtRestKeyServerCommand", "AtRestKeyServerClientCommand",
        "KeyServerFuzzTargets",
        .product(name: "AtRest", package: "AtRest"),
        .product(name: "AtRestCrypto", package: "AtRest"),
        .product(name: "AtRestKeychain", package: "AtRest"),
        .product(name: "AtRestSimulation", package: "AtRest"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// All calls are bound when a program starts, because lazy binding would save registers on the stack.
for target in package.targets where target.type == .executable {
  target.linkerSettings = [
    .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux, .android]))
  ]
}

// `make release` names a folder with those libraries of the system that programs carry: SQLite and libstdc++.
if let libraries = Context.environment["ATREST_CARRIED_LIBRARIES"] {
  for target in package.targets where target.type == .executable {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-L", libraries])]
  }
}

// In CI, warnings in these targets are errors. Warnings in dependencies are not.
if Context.environment["ATREST_STRICT"] != nil {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}

// Only `make fuzz` needs the driver, and decoders that record which code they reach.
if Context.environment["ATREST_FUZZ"] != nil {
  let sanitizers = ["-sanitize=fuzzer,address"]
  let decoders = ["AtRestKeyServerProtocol", "AtRestKeyServerStore", "KeyServerFuzzTargets"]
  for target in package.targets where decoders.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(sanitizers)]
  }
  package.targets.append(
    .executableTarget(
      name: "keyserver-fuzz",
      dependencies: ["KeyServerFuzzTargets", .product(name: "FuzzDriver", package: "AtRest")],
      path: "Tests/keyserver-fuzz",
      linkerSettings: [
        // Without the last flag the linker removes the counters as unused.
        .unsafeFlags(
          sanitizers + ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nostart-stop-gc"])
      ]))
}
