import AtRestCrypto
import AtRestDatabase
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB

/// Values that are databases.
extension Compartment {
  /// Opens the encrypted database of a record, or makes it if the record has no value.
  ///
  /// ```swift
  /// let database = try account.database(in: .messages)
  /// try database.write { try message.insert($0) }
  /// ```
  ///
  /// The policy decides on the class, the key and the retention, as for any value of the record's kind
  /// and whatever its size. The key of the database is an item of the keychain, made for this record,
  /// so a logout, a wipe, the expiry and `remove(_:)` make the database unreadable at once, and then
  /// remove its files. The item is durable before the first file exists: a crash in between leaves
  /// nothing that these do not remove.
  ///
  /// Two calls return the same object. It is held weakly: keep it for as long as you use it.
  ///
  /// - Parameters:
  ///   - record: A record of a kind that may be stored in files. `value(in:)` and `store(_:in:)`
  ///     refuse it while it is a database.
  ///   - configuration: GRDB's configuration, which only the call that opens the database uses.
  ///     Without a busy mode, connections wait for five seconds for other processes.
  /// - Throws: ``AtRestError/Code/locked`` if the class of the record is locked, also if there is no
  ///   database yet; ``AtRestError/Code/invalidArgument`` if the value is no database, if the
  ///   retention limits the number of uses, for kinds that only the keychain stores, and for a new
  ///   database inside a transaction of the keychain; ``AtRestError/Code/damaged``, also if the file
  ///   of the database is missing; the other errors of `store(_:in:)` and `value(in:)`.
  public func database(
    in record: VaultRecord<Data>, configuration: Configuration = Configuration()
  ) throws -> VaultDatabase {
    try Self.check(record.name, "A record's name")
    try PasswordNames.check(record)
    let stored = try registered(record)
    guard stored.head.store == .database else {
      throw AtRestError.invalid(
        "\(place(record.name).words) is not a database.",
        remedy: "Read it with value(in:), or remove it first.")
    }
    let database = vault.databases.database(stored.head.id) {
      VaultDatabase(self, record.name, stored.head, configuration)
    }
    _ = try database.pool
    return database
  }

  /// Opens the encrypted database of a record, off the caller's actor.
  public func database(
    in record: VaultRecord<Data>, configuration: Configuration = Configuration()
  ) async throws -> VaultDatabase {
    try await offActor { try database(in: record, configuration: configuration) }
  }

  /// Returns the item of a database, and makes it if the record has no value.
  private func registered(_ record: VaultRecord<Data>) throws -> StoredValue {
    while true {
      do {
        return try item(record.name).find()
      } catch let error as AtRestError where error.refusal == .notFound {
        try checkLoggedIn()
      }
      let decision = try vault.explain(database: record)
      guard !keychain.isInTransaction else {
        throw AtRestError.invalid(
          "A database cannot be created in a transaction, because its key would be lost if the transaction failed.",
          remedy: "Open it before the transaction.")
      }
      do {
        // An empty identity: nobody else may have stored a value meanwhile.
        try ValueWriter(item: item(record.name), decision: decision, replaced: Data())
          .writeItem(SecretBytes.random(count: 32), size: 0)
      } catch is ValueItem.Replaced {}
    }
  }

  /// Returns the size of a value. That of a database is the present size of its files.
  func size(of stored: StoredValue) throws -> UInt64 {
    guard stored.head.store == .database else { return stored.head.size }
    guard let file = try vault.files.file(stored.head.id, of: id) else { return 0 }
    return ["", "-wal"].reduce(0) { sum, end in
      sum + UInt64(file.folder.status(of: file.name + end)?.st_size ?? 0)
    }
  }
}

extension Vault {
  /// Returns the policy's decision for a record that is a database, with the reasons.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the kind is stored only in the keychain, or if
  ///   the retention limits the number of uses; the errors of
  ///   ``StoragePolicy/decide(_:size:retention:hasCompositeKey:)``.
  public func explain(database record: VaultRecord<Data>) throws -> StorageDecision {
    let decision = try policy.decide(
      record.classification, size: 0, retention: record.retention,
      hasCompositeKey: options.compositeKey != nil, isRetentionKnown: false, isDatabase: true)
    guard decision.store == .database else {
      throw AtRestError.invalid(
        "\(record.classification.kind.withArticle) is a keychain item and cannot be a database.",
        remedy: "Choose a kind that may be stored in files.")
    }
    guard decision.retention.uses == nil else {
      throw AtRestError.invalid(
        "A database cannot be kept for a number of uses.", remedy: "Limit the time instead.")
    }
    return decision
  }
}
