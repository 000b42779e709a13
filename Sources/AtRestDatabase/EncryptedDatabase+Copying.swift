import AtRestCrypto
import Foundation
import GRDB

/// Copies in another format, and new keys.
///
/// Each call takes a GRDB configuration for its connection. If the database uses collations, functions or
/// tokenizers of the application, add them in its `prepareDatabase`, as for
/// `open(at:key:format:creating:configuration:)`.
extension EncryptedDatabase {
  /// Copies a database in plaintext to a new encrypted database. The original stays as it is: remove
  /// it when the copy is in use.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if `url` exists; ``AtRestError/Code/notFound`` if the
  ///   original does not; the errors of `open(at:key:format:creating:configuration:)`.
  public static func importPlaintext(
    from original: URL, to url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws {
    let target = try DatabaseOpening(url, key, format)
    try DatabaseCopy(
      source: .plaintext(original), target: .encrypted(target), configuration: configuration
    ).run()
  }

  /// Copies an encrypted database to a new database in plaintext.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the copy exists; the errors of
  ///   `open(at:key:format:creating:configuration:)`.
  public static func exportPlaintext(
    from url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4, to copy: URL,
    configuration: Configuration = Configuration()
  ) throws {
    try exportPlaintext(
      from: url, key: key, format: format, to: copy, configuration: configuration,
      interruptible: nil)
  }

  /// Copies an encrypted database to a new one in plaintext, and lets the caller stop it.
  ///
  /// - Parameter interruptible: Gets the connection that makes the copy, again before and after it is flushed, and
  ///   nil then. If it throws, or the connection's statements are interrupted, what was written is removed.
  package static func exportPlaintext(
    from url: URL, key: DatabaseKey, format: DatabaseFormat, to copy: URL,
    configuration: Configuration = Configuration(),
    interruptible: ((DatabaseQueue?) throws -> Void)?
  ) throws {
    let source = try DatabaseOpening(url, key, format)
    try DatabaseCopy(
      source: .encrypted(source), target: .plaintext(copy), configuration: configuration,
      interruptible: interruptible
    ).run()
  }

  /// Copies an encrypted database to a new one with another key or in another format, for example
  /// from SQLCipher 3 to SQLCipher 4.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the copy exists; the errors of
  ///   `open(at:key:format:creating:configuration:)`.
  public static func copy(
    from url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    to copy: URL, key newKey: DatabaseKey, format newFormat: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws {
    let source = try DatabaseOpening(url, key, format)
    let target = try DatabaseOpening(copy, newKey, newFormat)
    try DatabaseCopy(
      source: .encrypted(source), target: .encrypted(target), configuration: configuration
    ).run()
  }

  /// Encrypts a database under another key, in the same format or in another one.
  ///
  /// The database is copied beside itself, into `<name>.atrest-rekey`, and the copy takes its name when it is durable
  /// and was found to open under the key that is stored. After a failure or a crash, the file is the old one
  /// or the new one, as a whole, and its key is where it was. The next opening removes what is left of a copy.
  ///
  /// No other connection may be open. One in WAL mode makes the call fail, and one in rollback mode gets
  /// errors afterwards. A connection that is opened meanwhile waits as its busy mode says.
  ///
  /// The former key is removed from its item or key file only if the file is at the path for which it was made or
  /// got its present key. Another file may be a copy, whose original needs the key: it stays, and the call returns it.
  ///
  /// - Parameter newFormat: The format of the new file, or nil for the present one.
  /// - Returns: The former key, if it stays: ``removeKey(of:from:)`` removes it when no other file needs it.
  /// - Throws: ``AtRestError/Code/busy`` if another connection is open; ``AtRestError/Code/invalidArgument`` if
  ///   the file has a second name (a hard link) or is a symbolic link; the errors of
  ///   `open(at:key:format:creating:configuration:)`.
  @discardableResult
  public static func rekey(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    to newKey: DatabaseKey, format newFormat: DatabaseFormat? = nil,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseKeyEntry? {
    let newFormat = newFormat ?? format
    try newFormat.check()
    try DatabaseReplacement.refuseLink(url)
    try newKey.check(isNot: url, besides: DatabaseDraft.besides)
    let kept = try DatabaseReplacement(
      source: DatabaseOpening(url, key, format), key: newKey, format: newFormat,
      configuration: configuration
    ).run()
    return kept.map(DatabaseKeyEntry.init)
  }

  /// Draws a new random key in the keychain's item or the key file of a database, and encrypts the
  /// database under it.
  ///
  /// Until the new file is in place, the item or key file has both keys. The keys of other databases stay as
  /// they are. Copies of the file from before, which have its salt, no longer open, unless the former key stays:
  /// see `rekey(at:key:format:to:format:configuration:)`.
  ///
  /// - Parameter newFormat: The format of the new file, or nil for the present one.
  /// - Returns: The former key, if it stays.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is neither an item of a keychain
  ///   nor in a key file; the errors of `rekey(at:key:format:to:format:configuration:)` and of the keychain.
  @discardableResult
  public static func rekey(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    newFormat: DatabaseFormat? = nil, configuration: Configuration = Configuration()
  ) throws -> DatabaseKeyEntry? {
    guard key.hasRecords else {
      throw AtRestError.invalid(
        "The key of the database is neither an item of a keychain nor in a key file.",
        remedy: "Name the new key, with `rekey(at:key:to:)`.")
    }
    return try rekey(
      at: url, key: key, format: format, to: key, format: newFormat, configuration: configuration)
  }
}
