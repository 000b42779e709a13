import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The recipe of a key that is stored nowhere. The key is derived from several constituents each
/// time.
///
/// ```swift
/// let recipe = CompositeKey([
///   .partialSecret(partialSecret), .deviceIdentifier, .server { try session.keyPart() },
/// ])
/// try recipe.withKey(
///   keychain: keychain, salt: .genericPassword(service: "com.example", account: "salt"),
///   protection: .accessible(.whenUnlockedThisDeviceOnly), creatingSalt: isFirstUse
/// ) { key in … }
/// ```
///
/// A salt in the keychain is always a constituent: 32 random bytes, and the parameters of the
/// password KDF, calibrated once on this machine. The other constituents are combined by
/// HKDF-SHA-256, in the order and number of the recipe, and stretched by that KDF. The key and its
/// constituents are erased after use.
///
/// ## What it protects from
///
/// - An attacker who has the store's files or a backup of them, but lacks the program, the device,
///   or the server's part: each missing constituent keeps the key from them.
/// - A search of the binary and the store for a key: neither contains it.
///
/// ## What it does not protect from
///
/// - An attacker who runs code as the program on the unlocked device (jailbreak, debugger, injected
///   library). They have the partial secret, the keychain and the identifier, as the program has.
///   Only the server's part can then be withheld, and only as long as the server does so.
/// - A partial secret is the same in every copy of the program, and a device identifier is not
///   secret. Without a server's part, the salt is in effect the key, and as safe as the keychain.
/// - If the salt is lost, the data that the key sealed is lost. Only a passphrase that the user
///   alone knows withstands an attacker who has everything else.
///
/// Safe to use from several threads.
public struct CompositeKey: Sendable {
  /// One constituent of the key.
  public struct Constituent: Sendable {
    fileprivate let label: String
    fileprivate let value: @Sendable (Keychain) throws -> SecretBox

    /// A secret that is masked in the program's code.
    public static func partialSecret(_ bytes: ObfuscatedBytes) -> Constituent {
      Constituent(label: "partial-secret") { _ in SecretBox(bytes.secret()) }
    }

    /// An identifier derived from the device key. On another device it differs, and so does the
    /// key.
    public static let deviceIdentifier = Constituent(label: "device-identifier") { keychain in
      SecretBox(SecretBytes(try keychain.keybag.deviceFingerprint()))
    }

    /// A part that a server gives to callers that may use the key now. It is fetched once for each
    /// key.
    ///
    /// Its errors are passed on unchanged. An empty answer is refused.
    public static func server(
      _ part: @escaping @Sendable () throws -> SecretBytes
    ) -> Constituent {
      Constituent(label: "server") { _ in SecretBox(try part()) }
    }
  }

  private let constituents: [Constituent]

  /// Creates a recipe. The order matters: another order gives another key.
  ///
  /// - Parameter constituents: At least one. The salt is added to them.
  public init(_ constituents: [Constituent]) {
    precondition(!constituents.isEmpty, "A composite key has a constituent beside its salt.")
    self.constituents = constituents
  }

  /// Derives the key, 32 bytes.
  ///
  /// This takes about 100 milliseconds, the time for which the KDF was calibrated, or longer if the
  /// KDF's minimum cost requires it.
  ///
  /// - Parameters:
  ///   - keychain: The keychain that holds the salt.
  ///   - item: The item of the salt.
  ///   - protection: The protection of the salt when it is created.
  ///   - creatingSalt: True to create the salt if it does not exist. Pass true only for the first
  ///     use. With false, a lost salt is an error, instead of a key that opens nothing.
  ///   - kdf: The KDF to use when the salt is created, or nil for scrypt calibrated to 100
  ///     milliseconds. An existing salt has its own.
  /// - Throws: ``AtRestError/Code/notFound`` if the salt does not exist and may not be created;
  ///   ``AtRestError/Code/damaged`` if the item is not a salt; the errors of
  ///   `Keychain.secret(for:context:)` and `add`; the error of a server's part;
  ///   ``AtRestError/Code/invalidArgument`` if that part is empty.
  public func key(
    keychain: Keychain, salt item: PrimaryKey, protection: ItemProtection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil
  ) throws -> SecretBytes {
    let salt = try CompositeSalt.get(
      keychain, item, protection: creatingSalt ? protection : nil, kdf: kdf)
    let parts = try constituents.map { ($0.label, try $0.value(keychain)) }
    for (label, part) in parts where part.bytes.count == 0 {
      throw AtRestError.invalid(
        "The constituent \(label) of a composite key is empty.",
        remedy: "Throw an error there instead of returning an empty value.")
    }
    let root = Self.combined(parts).derive(.compositeConstituents, salt: salt.bytes)
    return try salt.kdf.deriveKey(from: root, salt: salt.bytes).derive(.compositeKey)
  }

  /// Combines the number of parts, and the label and value of each with their lengths. No two
  /// recipes give the same bytes.
  private static func combined(_ parts: [(label: String, value: SecretBox)]) -> SecretBytes {
    var heads: [[UInt8]] = []
    for (index, part) in parts.enumerated() {
      var writer = ByteWriter(capacity: 32)
      if index == 0 { writer.integer(UInt32(parts.count)) }
      writer.counted(utf8: part.label)
      writer.integer(UInt32(part.value.bytes.count))
      heads.append(writer.bytes)
    }
    let count = zip(heads, parts).reduce(0) { $0 + $1.0.count + $1.1.value.bytes.count }
    return SecretBytes(count: count) { bytes in
      var offset = 0
      func append(_ source: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + source.count])
          .copyMemory(from: source)
        offset += source.count
      }
      for (head, part) in zip(heads, parts) {
        head.withUnsafeBytes { append($0) }
        part.value.bytes.withUnsafeBytes { append($0) }
      }
    }
  }

  /// Calls a closure with the key, and erases the key afterwards.
  ///
  /// - Throws: The errors of `key(keychain:salt:protection:creatingSalt:kdf:)` and of the closure.
  public func withKey<Result>(
    keychain: Keychain, salt item: PrimaryKey, protection: ItemProtection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil, _ body: (borrowing SecretBytes) throws -> Result
  ) throws -> Result {
    let key = try key(
      keychain: keychain, salt: item, protection: protection, creatingSalt: creatingSalt, kdf: kdf)
    return try body(key)
  }

  /// Derives the key, 32 bytes, off the caller's actor.
  public func key(
    keychain: Keychain, salt item: PrimaryKey, protection: ItemProtection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil
  ) async throws -> SecretBytes {
    try await offActor {
      SecretBox(
        try self.key(
          keychain: keychain, salt: item, protection: protection, creatingSalt: creatingSalt,
          kdf: kdf))
    }.bytes.duplicate()
  }

  /// Calls a closure with the key off the caller's actor, and erases the key afterwards.
  public func withKey<Result: Sendable>(
    keychain: Keychain, salt item: PrimaryKey, protection: ItemProtection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil, _ body: @escaping @Sendable (borrowing SecretBytes) throws -> Result
  ) async throws -> Result {
    try await offActor {
      try self.withKey(
        keychain: keychain, salt: item, protection: protection, creatingSalt: creatingSalt,
        kdf: kdf, body)
    }
  }
}

extension Purpose {
  fileprivate static let compositeConstituents = Purpose("atrest.composite.constituents.v1")
  fileprivate static let compositeKey = Purpose("atrest.composite.key.v1")
}
