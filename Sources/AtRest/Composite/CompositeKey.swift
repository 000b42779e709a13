import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The recipe of a key that is kept nowhere: it is made of several constituents, each time anew.
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
/// A salt in the keychain is always a constituent: 32 random bytes, and the password KDF, calibrated
/// once on this machine. The other constituents are combined by HKDF-SHA-256, in the order and number
/// that the recipe has, and stretched by that KDF. Key and constituents are erased after use.
///
/// ## What it protects from
///
/// - From who has the store's files or a backup of them, and not the program, the device, or what the
///   server gives: each constituent that they lack keeps the key from them.
/// - From a search of binary and store for a key: there is none.
///
/// ## What it does not protect from
///
/// - From who runs code as the program on the unlocked device (jailbreak, debugger, injected
///   library): they have the partial secret, the keychain and the identifier, as the program has.
///   Then the server's part alone can be withheld, and only as long as the server does.
/// - A partial secret is the same in every copy of the program, and a device identifier is no secret.
///   Without a server's part the salt is in effect the key, as safe as the keychain is.
/// - A lost salt loses what the key sealed. Only a passphrase that the user alone knows withstands
///   who has everything else.
///
/// Safe to use from several threads.
public struct CompositeKey: Sendable {
  /// One part of the key.
  public struct Constituent: Sendable {
    fileprivate let label: String
    fileprivate let value: @Sendable (Keychain) throws -> SecretBox

    /// A secret that is masked in the program's code.
    public static func partialSecret(_ bytes: ObfuscatedBytes) -> Constituent {
      Constituent(label: "partial-secret") { _ in SecretBox(bytes.secret()) }
    }

    /// What tells this device from others, derived from its device key: on another the key differs.
    public static let deviceIdentifier = Constituent(label: "device-identifier") { keychain in
      SecretBox(SecretBytes(try keychain.keybag.deviceFingerprint()))
    }

    /// What a server gives to who may use the key now. Called once for each key.
    ///
    /// What it throws comes out as it is. An empty answer is refused.
    public static func server(
      _ part: @escaping @Sendable () throws -> SecretBytes
    ) -> Constituent {
      Constituent(label: "server") { _ in SecretBox(try part()) }
    }
  }

  private let constituents: [Constituent]

  /// Makes a recipe. The order counts: another one gives another key.
  ///
  /// - Parameter constituents: At least one. The salt is added to them.
  public init(_ constituents: [Constituent]) {
    precondition(!constituents.isEmpty, "A composite key has a constituent beside its salt.")
    self.constituents = constituents
  }

  /// Makes the key, 32 bytes.
  ///
  /// Takes about 100 milliseconds, as long as the KDF was calibrated to; more where its minimum does.
  ///
  /// - Parameters:
  ///   - keychain: Where the salt is.
  ///   - item: The salt's item.
  ///   - protection: Of the salt, where it is made now.
  ///   - creatingSalt: Whether a salt is made where there is none: for the first use alone. With
  ///     false a lost salt is an error, instead of a key that opens nothing.
  ///   - kdf: Where the salt is made now; nil: scrypt, calibrated to 100 milliseconds. A salt that is
  ///     there has its own.
  /// - Throws: ``AtRestError/Code/notFound`` where there is no salt and none is to be made;
  ///   ``AtRestError/Code/damaged`` where the item is no salt; what `Keychain.secret(for:context:)`
  ///   and `add` throw; what a server's part throws; ``AtRestError/Code/invalidArgument`` where that
  ///   is empty.
  public func key(
    keychain: Keychain, salt item: PrimaryKey, protection: Protection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil
  ) throws -> SecretBytes {
    let salt = try CompositeSalt.get(
      keychain, item, protection: creatingSalt ? protection : nil, kdf: kdf)
    let parts = try constituents.map { ($0.label, try $0.value(keychain)) }
    for (label, part) in parts where part.bytes.count == 0 {
      throw AtRestError.invalid(
        "The constituent \(label) of a composite key is empty.",
        remedy: "Refuse the request there instead of answering nothing.")
    }
    let root = Self.combined(parts).derive(.compositeConstituents, salt: salt.bytes)
    return try salt.kdf.deriveKey(from: root, salt: salt.bytes).derive(.compositeKey)
  }

  /// Number, then label and value of each with their lengths: no two recipes give the same bytes.
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

  /// Calls a closure with the key, and erases it after.
  ///
  /// - Throws: As `key(keychain:salt:protection:creatingSalt:kdf:)`, and what the closure throws.
  public func withKey<Result>(
    keychain: Keychain, salt item: PrimaryKey, protection: Protection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil, _ body: (borrowing SecretBytes) throws -> Result
  ) throws -> Result {
    let key = try key(
      keychain: keychain, salt: item, protection: protection, creatingSalt: creatingSalt, kdf: kdf)
    return try body(key)
  }

  /// Makes the key, 32 bytes, off the caller's actor.
  public func key(
    keychain: Keychain, salt item: PrimaryKey, protection: Protection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil
  ) async throws -> SecretBytes {
    try await keychain.offActor {
      SecretBox(
        try self.key(
          keychain: keychain, salt: item, protection: protection, creatingSalt: creatingSalt,
          kdf: kdf))
    }.bytes.duplicate()
  }

  /// Calls a closure with the key off the caller's actor, and erases it after.
  public func withKey<Result: Sendable>(
    keychain: Keychain, salt item: PrimaryKey, protection: Protection, creatingSalt: Bool,
    kdf: PasswordKDF? = nil, _ body: @escaping @Sendable (borrowing SecretBytes) throws -> Result
  ) async throws -> Result {
    try await keychain.offActor {
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
