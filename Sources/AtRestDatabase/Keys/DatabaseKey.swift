import AtRestCrypto
import AtRestKeychain
import Foundation

/// The key of an encrypted database.
///
/// ```swift
/// let key = DatabaseKey.item("app-database", in: keychain)
/// ```
public struct DatabaseKey: Sendable {
  enum Source: Sendable {
    case item(PrimaryKey, Keychain, ItemProtection)
    case raw(SecretBox)
    case passphrase(SecretBox, salt: Data?)
    case keyFile(DatabaseKeyFile)
  }

  let source: Source

  /// A random key in a generic password of the keychain. The first database makes the item.
  ///
  /// One item can serve several databases: it has a record with a key of its own for each file. The file is
  /// recognised by its salt, so it may be moved and renamed.
  ///
  /// The database can be opened while the item can be read, so it locks with the class of the item.
  /// A connection that is open stays open. After a wipe of the store, its statements end with
  /// `SQLITE_INTERRUPT`.
  ///
  /// - Parameters:
  ///   - account: The account of the item. Its service is `atrest.database`.
  ///   - protection: The protection of an item that is made.
  public static func item(
    _ account: String, in keychain: Keychain, protection: ItemProtection = .whenUnlocked
  ) -> DatabaseKey {
    let key = PrimaryKey.genericPassword(service: "atrest.database", account: account)
    return DatabaseKey(source: .item(key, keychain, protection))
  }

  /// A key that the caller keeps: 32 random bytes; or 48, of which the last 16 are the salt of the
  /// file; or 80, which are the key, the key of the HMAC and the salt.
  ///
  /// These are the raw keys that SQLCipher accepts as 64, 96 and 160 hexadecimal digits.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if `bytes` has another size.
  public static func raw(_ bytes: borrowing SecretBytes) throws -> DatabaseKey {
    guard [32, 48, 80].contains(bytes.count) else {
      throw AtRestError.invalid(
        "A raw key of a database cannot have \(bytes.count) bytes.",
        remedy: "Use 32 bytes, or 48 or 80 with the salt.")
    }
    return DatabaseKey(source: .raw(SecretBox(bytes.duplicate())))
  }

  /// A passphrase, from which the key is derived as SQLCipher does it. This takes about a quarter of
  /// a second.
  ///
  /// - Parameter salt: The salt of a file whose header is in plaintext, 16 bytes. Other files contain
  ///   their salt, so leave it out.
  public static func passphrase(
    _ passphrase: borrowing SecretBytes, salt: Data? = nil
  ) -> DatabaseKey {
    DatabaseKey(source: .passphrase(SecretBox(passphrase.duplicate()), salt: salt))
  }

  /// A random key in a small file of its own, sealed under a passphrase. The first database makes the file.
  ///
  /// One key file can serve several databases, as an item can: ``item(_:in:protection:)``.
  ///
  /// A change of the passphrase replaces this file and touches no page:
  /// `EncryptedDatabase.changePassphrase(ofKeyFile:from:to:kdf:)`. Anyone who has the database and an old copy
  /// of the key file can still guess the old passphrase;
  /// `EncryptedDatabase.rekey(at:key:format:newFormat:configuration:)` makes such a copy useless.
  ///
  /// - Parameters:
  ///   - url: The key file. Without it, nobody opens the database.
  ///   - kdf: The cost of each guess, for a file that is made.
  public static func keyFile(
    _ url: URL, passphrase: borrowing SecretBytes, kdf: PasswordKDF = .scrypt()
  ) -> DatabaseKey {
    DatabaseKey(
      source: .keyFile(
        DatabaseKeyFile(url, passphrase: SecretBox(passphrase.duplicate()), kdf: kdf)))
  }

  /// The salt that the key contains, or nil.
  var salt: Data? {
    switch source {
    case .item, .keyFile: nil
    case .passphrase(_, let salt): salt
    case .raw(let box) where box.bytes.count > 32:
      box.bytes.withUnsafeBytes { Data($0.suffix(DatabaseFormat.saltSize)) }
    case .raw: nil
    }
  }
}
