import AtRest
import Foundation

/// Stores secrets in every possible way, reads them back and logs out, and lets the caller search
/// this process and its folder in between.
///
/// The command is `secrets FOLDER SEED`. It writes `stored`, `out` and `planted`, and waits for a
/// line after each. The secrets follow from the seed: secret `N` has 32 letters
/// (`VaultSecrets.letters`), so no file or pipe brings them into memory. The worker erases its own
/// copies.
struct VaultSecrets {
  /// The ways in which secrets are stored. The number of each is that of its secret.
  static let ways = [
    "data", "large-data", "string", "large-string", "secret", "large-secret", "struct",
    "large-struct", "data-passphrase", "large-data-passphrase", "secret-passphrase",
    "struct-passphrase", "token", "preference", "passphrase",
  ]

  struct Person: Codable, Sendable {
    var name: String
    var number = 7
  }

  private let place: FolderVault
  private let seed: String

  init(_ arguments: [String]) throws {
    guard arguments.count == 2 else {
      throw AtRestError(.invalidArgument, "secrets FOLDER SEED", remedy: "Name both.")
    }
    var options = Vault.Options()
    options.passphraseKDF = .forTesting
    place = try FolderVault(URL(fileURLWithPath: arguments[0]), options)
    seed = arguments[1]
  }

  /// Returns the secret of a way.
  static func letters(_ way: String, _ seed: String) -> SecretBytes {
    letters(ways.firstIndex(of: way)!, seed, times: times(way))
  }

  static func letters(_ number: Int, _ seed: String, times: Int = 1) -> SecretBytes {
    let key = SecretBytes(utf8: seed).derive(
      Purpose("atrest.torture.secret.v1"), salt: Data([UInt8(number)]))
    return SecretBytes(count: 32 * times) { bytes in
      key.withUnsafeBytes { key in
        for index in bytes.indices { bytes[index] = 97 + key[index % 32] % 26 }
      }
    }
  }

  func run() async throws {
    let eva = try await place.vault.logIn("eva")
    try await eva.setPassphrase(Self.letters(14, seed))
    try await store(in: eva)
    Self.say("stored")
    try await read(from: eva)
    try await TokenStore().logOut(eva)
    Self.say("out")
    let planted = Self.ways.indices.map { SecretBox(Self.letters($0, seed)) }
    Self.say("planted")
    withExtendedLifetime(planted) {}
  }

  static func say(_ phase: String) {
    _ = "\(phase)\n".withCString { write(1, $0, strlen($0)) }
    var byte: UInt8 = 0
    while Foundation.read(0, &byte, 1) == 1, byte != 10 {}
  }

  private func name(_ number: Int) -> String { "n\(number)" }
  private static func times(_ way: String) -> Int { way.hasPrefix("large") ? 1_280 : 1 }

  private func store(in eva: Compartment) async throws {
    for (number, way) in Self.ways.enumerated() {
      let letters = Self.letters(way, seed)
      let kind: DataKind = way.hasSuffix("-passphrase") ? .health : .document
      if way.contains("data") {
        var data = Data(copying: letters)
        try store(data, in: VaultRecord(name(number), kind), eva)
        data.overwrite()
      } else if way.contains("string") {
        var text = String(copying: letters)!
        try store(text, in: VaultRecord(name(number), kind), eva)
        text.overwrite()
      } else if way.contains("secret") {
        try store(secret: letters, in: VaultRecord(name(number), kind), eva)
      } else if way.contains("struct") {
        var person = Person(name: String(copying: letters)!)
        try store(person, in: VaultRecord(name(number), kind), eva)
        person.name.overwrite()
      } else if way == "token" {
        var token = AuthToken(access: String(copying: letters)!)
        try await TokenStore().store(token, for: eva)
        token.access.overwrite()
      } else if way == "preference" {
        var text = String(copying: letters)!
        try setPreference(text, eva)
        text.overwrite()
      }
    }
  }

  private func read(from eva: Compartment) async throws {
    for (number, way) in Self.ways.enumerated() {
      let kind: DataKind = way.hasSuffix("-passphrase") ? .health : .document
      if way.contains("data") {
        var data = try value(in: VaultRecord<Data>(name(number), kind), eva)
        data.overwrite()
      } else if way.contains("string") {
        var text = try value(in: VaultRecord<String>(name(number), kind), eva)
        text.overwrite()
      } else if way.contains("secret") {
        _ = try secret(in: VaultRecord(name(number), kind), eva)
      } else if way.contains("struct") {
        var person = try value(in: VaultRecord<Person>(name(number), kind), eva)
        person.name.overwrite()
      } else if way == "token" {
        var token = try await TokenStore().token(for: eva)
        token.access.overwrite()
      } else if way == "preference" {
        _ = try preference(eva)?.count
      }
    }
  }

  // The synchronous forms, even if the caller is asynchronous.
  private func setPreference(_ text: String, _ eva: Compartment) throws {
    try eva.preferences.set(text, forKey: "text")
  }

  private func preference(_ eva: Compartment) throws -> String? {
    try eva.preferences.string(forKey: "text")
  }

  private func store<Value>(_ value: Value, in record: VaultRecord<Value>, _ eva: Compartment)
    throws
  {
    try eva.store(value, in: record)
  }
  private func store(
    secret: borrowing SecretBytes, in record: VaultRecord<Data>, _ eva: Compartment
  ) throws { try eva.store(secret: secret, in: record) }
  private func value<Value>(in record: VaultRecord<Value>, _ eva: Compartment) throws -> Value {
    try eva.value(in: record)
  }
  private func secret(in record: VaultRecord<Data>, _ eva: Compartment) throws -> Int {
    try eva.secret(in: record).count
  }
}

extension Data {
  /// Erases the caller's copy if it is the only one.
  mutating func overwrite() {
    withUnsafeMutableBytes { _ = memset($0.baseAddress!, 0, $0.count) }
  }
}

extension String {
  mutating func overwrite() {
    withUTF8 { _ = memset(UnsafeMutableRawPointer(mutating: $0.baseAddress!), 0, $0.count) }
  }
}
