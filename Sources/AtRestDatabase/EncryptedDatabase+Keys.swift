import AtRestCrypto
import Foundation

/// The keys in an item or a key file.
extension EncryptedDatabase {
  /// Returns the databases for which an item or a key file has a key, without the keys.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such item or file;
  ///   ``AtRestError/Code/invalidArgument`` if the key is a passphrase or a raw key; the errors of the
  ///   keychain or of the key file.
  public static func keys(of key: DatabaseKey) throws -> [DatabaseKeyEntry] {
    try records(of: key).all.map(DatabaseKeyEntry.init)
  }

  /// Removes the key of a database that is no longer needed from an item or a key file. Nothing opens the
  /// database afterwards, nor any copy of it.
  ///
  /// - Parameter salt: The salt that ``keys(of:)`` lists.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such key; the errors of ``keys(of:)``.
  public static func removeKey(of salt: Data, from key: DatabaseKey) throws {
    let missing = AtRestError(
      .notFound, "\(key.owner) has no key of a database with this salt.",
      remedy: "Choose one of those that are listed.")
    guard try records(of: key)[salt] != nil else { throw missing }
    try key.updateRecords { records in
      guard records[salt] != nil else { throw missing }
      records.remove(salt)
    }
  }

  private static func records(of key: DatabaseKey) throws -> DatabaseKeyRecords {
    guard key.hasRecords else {
      throw AtRestError.invalid(
        "A passphrase or a raw key has no list of databases.",
        remedy: "Use an item of the keychain or a key file.")
    }
    guard let records = try key.records() else {
      if case .keyFile = key.source { throw key.missing }
      throw AtRestError(
        .notFound, "\(key.owner) does not exist.",
        remedy: "Check its name, and the store (--store, ATREST_STORE).")
    }
    return records
  }

  /// Changes the passphrase of a key file. The pages of the databases stay as they are.
  ///
  /// After a crash the file has the old passphrase or the new one. A change and a `rekey` of another process
  /// wait for each other. Keep no copy of the old file: it opens the databases with the old passphrase.
  ///
  /// - Parameter kdf: The cost of each guess of the new passphrase.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the old passphrase is wrong or the file was
  ///   modified; ``AtRestError/Code/notFound`` if there is no file; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/busy``; ``AtRestError/Code/system``.
  public static func changePassphrase(
    ofKeyFile url: URL, from old: borrowing SecretBytes, to new: borrowing SecretBytes,
    kdf: PasswordKDF = .scrypt()
  ) throws {
    try DatabaseKeyFile(url, passphrase: SecretBox(old.duplicate()), kdf: kdf)
      .change(to: new, kdf: kdf)
  }
}
