@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The recipe for a key that is stored nowhere, but derived from several constituents each time it
/// is needed.
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
/// A salt in the keychain is always a constituent. The salt's item holds 32 random bytes and the
/// parameters of a password KDF, calibrated once on this machine. HKDF-SHA-256 combines the other
/// constituents, in the order and number of the recipe, and the password KDF stretches the result.
/// The key and its constituents are erased after use.
///
/// ## What it protects from
///
/// - An attacker who has the store's files or a backup of them, but lacks the program, the device
///   or the server's part: without every constituent, the key cannot be derived.
/// - A search of the binary and the store for a key: neither contains it.
///
/// ## What it does not protect from
///
/// - An attacker who runs code as the program on the unlocked device (jailbreak, debugger, injected
///   library). Such an attacker can use the partial secret, the keychain and the identifier, as the
///   program can. Only the server's part is out of reach, as long as the server withholds it.
/// - A partial secret is the same in every copy of the program, and a device identifier is not
///   secret. Without a server's part, the salt is in effect the key, and the key is only as safe as
///   the keychain.
/// - If the salt is lost, the data that the key sealed is lost.
///
/// Only a passphrase that the user alone knows withstands an attacker who has everything else.
///
/// Safe to use from several threads.
public struct CompositeKey: BlockingCalls {
  /// One constituent of the key.
  public struct Constituent: Sendable {
    fileprivate let label: String
    fileprivate let value: @Sendable (Keychain) throws -> SecretBox

    /// A secret that is masked in the program's code.
    public static func partialSecret(_ bytes: ObfuscatedBytes) -> Constituent {
      Constituent(label: "partial-secret") { _ in SecretBox(bytes.secret()) }
    }

    /// An identifier derived from the device key. On another device, both the identifier and the
    /// composite key are different.
    public static let deviceIdentifier = Constituent(label: "device-identifier") { keychain in
      SecretBox(SecretBytes(try keychain.keybag.deviceFingerprint()))
    }

    /// A part that a server gives only to callers that may use the key now. The part is fetched
    /// each time the key is derived.
    ///
    /// The closure's errors are passed on unchanged. An empty part is refused.
    public static func server(
      _ part: @escaping @Sendable () throws -> SecretBytes
    ) -> Constituent {
      Constituent(label: "server") { _ in SecretBox(try part()) }
    }
  }

  private let constituents: [Constituent]

  /// Returns the recipe with three constituents: a partial secret in the program's code, the salt in
  /// the keychain, and the device identifier.
  ///
  /// ```swift
  /// let key = try CompositeKey.ofThree(partialSecret).key(
  ///   keychain: keychain, salt: item, protection: protection, creatingSalt: isFirstUse,
  ///   kdf: CompositeKey.pbkdf2.kdf)
  /// ```
  public static func ofThree(_ partialSecret: ObfuscatedBytes) -> CompositeKey {
    CompositeKey([.partialSecret(partialSecret), .deviceIdentifier])
  }

  /// PBKDF2-HMAC-SHA-256 calibrated to 100 milliseconds on this machine, but at least OWASP's
  /// minimum. If the minimum takes longer, ``PasswordKDF/Calibration/note`` says so. The first use
  /// measures once per process.
  public static let pbkdf2 = PasswordKDF.calibration(.pbkdf2SHA256, to: .milliseconds(100))

  /// Creates a recipe. Different orders of the constituents give different keys.
  ///
  /// - Parameter constituents: One constituent or more. The salt is always added.
  public init(_ constituents: [Constituent]) {
    precondition(!constituents.isEmpty, "A composite key has a constituent besides its salt.")
    self.constituents = constituents
  }

  /// Derives the key, 32 bytes.
  ///
  /// The derivation takes about 100 milliseconds, the time for which the KDF was calibrated, or
  /// longer if the KDF's minimum cost requires more time.
  ///
  /// - Parameters:
  ///   - keychain: The keychain that holds the salt.
  ///   - item: The key of the item that holds the salt.
  ///   - protection: The protection of the salt when it is created.
  ///   - creatingSalt: True to create the salt if it does not exist. Pass true only for the first
  ///     use. If false, a missing salt is an error. If true, a lost salt is replaced, and the new
  ///     key opens nothing that the former key sealed.
  ///   - kdf: The KDF to use when the salt is created, or nil for scrypt calibrated to 100
  ///     milliseconds. An existing salt keeps its own KDF.
  /// - Throws: ``AtRestError/Code/notFound`` if the salt does not exist and must not be created;
  ///   ``AtRestError/Code/damaged`` if the item does not hold a salt; the errors of
  ///   `Keychain.secret(for:context:)` and `add`; the error of a server's part;
  ///   ``AtRestError/Code/invalidArgument`` if a constituent is empty.
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

  /// Combines the number of parts with the label and value of each part, and with the lengths of
  /// both, so no two different lists of parts give the same bytes.
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
}

extension Purpose {
  fileprivate static let compositeConstituents = Purpose("atrest.composite.constituents.v1")
  fileprivate static let compositeKey = Purpose("atrest.composite.key.v1")
}
