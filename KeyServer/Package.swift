// swift-tools-version: 6.3
import PackageDescription

// Products of other packages that targets use.
let atRest: Target.Dependency = .product(name: "AtRest", package: "AtRest")
let atRestCrypto: Target.Dependency = .product(name: "AtRestCrypto", package: "AtRest")
let atRestKeychain: Target.Dependency = .product(name: "AtRestKeychain", package: "AtRest")
let atRestSimulation: Target.Dependency = .product(name: "AtRestSimulation", package: "AtRest")
let fuzzDriver: Target.Dependency = .product(name: "FuzzDriver", package: "AtRest")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let serviceLifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(
  name: "UnixSignals", package: "swift-service-lifecycle")

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
    .systemLibrary(
      name: "CSodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    // What client and server say to each other: the OPRF, the messages, signed requests.
    .target(
      name: "AtRestKeyServerProtocol",
      dependencies: ["CSodium", atRestCrypto, crypto, cryptoExtras],
      // Programs carry libsodium, so that they start without it.
      linkerSettings: [
        .linkedLibrary(":libsodium.a", .when(platforms: [.linux, .android])),
        .linkedLibrary("sodium", .when(platforms: [.macOS])),
      ]),
    // The client, for applications. It needs neither Hummingbird nor a database.
    .target(
      name: "AtRestKeyServerClient",
      dependencies: [
        "AtRestKeyServerProtocol", atRestCrypto, atRestKeychain, crypto, nioCore, nioPosix,
        nioHTTP1, nioSSL,
      ]),
    // The calls of libpq, which is loaded at run time.
    .target(name: "CPostgreSQL"),
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
    .systemLibrary(name: "CProcess"),
    // Accounts, devices, keys and the audit log, in PostgreSQL or SQLite.
    .target(
      name: "AtRestKeyServerStore",
      dependencies: ["AtRestKeyServerProtocol", "CPostgreSQL", "CSQLite", atRestCrypto, crypto]),
    // The server: routes, TLS, limits, metrics, configuration.
    .target(
      name: "AtRestKeyServer",
      dependencies: [
        "AtRestKeyServerProtocol", "AtRestKeyServerStore", atRestCrypto, crypto, logging, nioCore,
        nioPosix, nioSSL, nioHTTPTypes, httpTypes, serviceLifecycle, unixSignals, hummingbird,
        hummingbirdCore, hummingbirdTLS,
      ]),
    .executableTarget(
      name: "AtRestKeyServerCommand",
      dependencies: [
        "AtRestKeyServer", "AtRestKeyServerProtocol", "AtRestKeyServerStore", "CProcess",
        atRestCrypto, argumentParser, logging, yams,
      ]),
    // Tries a server out, and shows how an application uses the client.
    .executableTarget(
      name: "AtRestKeyServerClientCommand",
      dependencies: [
        "AtRestKeyServerClient", "AtRestKeyServerProtocol", atRestCrypto, argumentParser,
      ]),
    // Measures the server under load, and whether times tell which accounts exist.
    .executableTarget(
      name: "AtRestKeyServerBenchmarks",
      dependencies: [
        "AtRestKeyServer", "AtRestKeyServerProtocol", "AtRestKeyServerStore", atRestCrypto, crypto,
        argumentParser, logging, nioCore, nioHTTP1, nioPosix, nioSSL,
      ]),
    // The fuzzed decoders, and a replay of the inputs that fuzzing found.
    .target(
      name: "KeyServerFuzzTargets",
      dependencies: ["AtRestKeyServerProtocol", "AtRestKeyServerStore", atRestCrypto, crypto],
      path: "Tests/KeyServerFuzzTargets"),
    .testTarget(
      name: "AtRestKeyServerTests",
      dependencies: [
        "AtRestKeyServer", "AtRestKeyServerClient", "AtRestKeyServerProtocol",
        "AtRestKeyServerStore", "AtRestKeyServerCommand", "AtRestKeyServerClientCommand",
        "KeyServerFuzzTargets", atRest, atRestCrypto, atRestKeychain, atRestSimulation, crypto,
        cryptoExtras, logging, nioCore, nioPosix, nioSSL,
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

// `make release` names a folder with those libraries of the system that programs carry, SQLite and libstdc++, and with
// data of ICU that take the place of Foundation's.
if let libraries = Context.environment["ATREST_CARRIED_LIBRARIES"] {
  let carried = ["-L", libraries, "\(libraries)/icudata.o"]
  for target in package.targets where target.type == .executable {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(carried)]
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
      dependencies: ["KeyServerFuzzTargets", fuzzDriver],
      path: "Tests/keyserver-fuzz",
      linkerSettings: [
        // Without the last flag the linker removes the counters as unused.
        .unsafeFlags(
          sanitizers + ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nostart-stop-gc"])
      ]))
}
