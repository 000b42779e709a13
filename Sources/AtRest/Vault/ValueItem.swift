import AtRestCrypto
import AtRestKeychain
import Foundation

/// The item of a value in the keychain, which decides whether the value exists.
struct ValueItem: Sendable {
  let compartment: Compartment
  let name: String

  var vault: Vault { compartment.vault }
  var keychain: Keychain { compartment.keychain }
  var place: ValuePlace { compartment.place(name) }
  private var key: PrimaryKey { compartment.itemKey(name) }

  /// The value was replaced or removed meanwhile.
  struct Replaced: Error {}

  // MARK: Finding

  /// Returns the stored form of the value, also if the value has expired.
  func stored() throws -> StoredValue {
    try keychain.secret(for: key).withUnsafeBytes { bytes in
      // The words are only for errors, and making them takes as long as decoding.
      try (try? StoredValue(decoding: bytes, name: ""))
        ?? StoredValue(decoding: bytes, name: place.words)
    }
  }

  /// Returns the stored form of the value if it has not expired.
  func find() throws -> StoredValue {
    let stored: StoredValue
    do {
      stored = try self.stored()
    } catch AtRestError.Code.notFound {
      try compartment.checkLoggedIn()
      throw AtRestError(
        .notFound, "The value \"\(name)\" does not exist.",
        remedy: "Store it first, or check whether it belongs to another account.")
    }
    guard !stored.isSpent else {
      throw AtRestError(
        .expired, "\(place.words) was read as often as allowed, and was removed.",
        remedy: "Fetch it again if it is still needed.")
    }
    guard try !stored.hasExpired(by: vault.clock) else {
      try removeExpired()
      throw AtRestError(
        .expired, "\(place.words) has expired and was removed.",
        remedy: "Fetch it again if it is still needed.")
    }
    return stored
  }

  /// Returns true if a stored form is still that of the value, which has not expired.
  func isCurrent(_ stored: StoredValue) throws -> Bool {
    do {
      let current = try self.stored()
      return try current.head.id == stored.head.id && !current.hasExpired(by: vault.clock)
    } catch AtRestError.Code.notFound {
      return false
    }
  }

  /// The error for a value that is a database where it must not be one.
  var isDatabaseError: AtRestError {
    .invalid(
      "\(place.words) is a database.",
      remedy: "Use database(in:), or remove the database first.")
  }

  // MARK: Changing

  /// Stores a value in place of the former one. Call this method in a transaction.
  func set(_ stored: StoredValue, protection: ItemProtection? = nil) throws {
    try keychain.set(key, secret: stored.encoded, protection: protection)
  }

  /// Counts one use of the value.
  ///
  /// - Returns: The file to remove after the last use, or nil if no file has to be removed.
  func spend(_ stored: StoredValue) throws -> Data? {
    let now = stored.goesByTheClock ? try vault.clock.now() : keychain.now
    let idle = Double(stored.head.idle)
    // The time of use is not recorded at each use: a limit of days does not justify one write per
    // second.
    let isStale = idle > 0 && now.timeIntervalSince(stored.lastUse) > min(idle / 16, 3600)
    guard stored.usesLeft != StoredValue.unlimited || isStale else { return nil }
    return try keychain.transaction { () throws -> Data? in
      // If the value was replaced or removed meanwhile, no use is counted: the caller read the
      // former value.
      guard try isCurrent(stored) else { return nil }
      var current = try self.stored()
      current.lastUse = now
      if current.usesLeft != StoredValue.unlimited { current.usesLeft -= 1 }
      if current.isSpent { current = current.spent(at: now) }
      try set(current)
      return current.isSpent ? stored.file : nil
    }
  }

  /// Removes the value if a closure agrees, which receives nil if the value cannot be read.
  ///
  /// - Returns: True if there was a value, and it was removed.
  func remove(where shallGo: (StoredValue?) throws -> Bool = { _ in true }) throws -> Bool {
    let (existed, file) = try keychain.transaction { () throws -> (Bool, Data?) in
      var stored: StoredValue?
      do {
        stored = try self.stored()
      } catch let error as AtRestError where error.refusal == .locked || error.refusal == .damaged {
        // Deletion needs no unlock; a purge removes the file after the next unlock.
      } catch AtRestError.Code.notFound {
        return (false, nil)
      }
      guard try shallGo(stored) else { return (false, nil) }
      try keychain.delete(key)
      return (stored?.isSpent != true, stored?.file)
    }
    removeFile(file)
    return existed
  }

  @discardableResult
  func removeExpired() throws -> Bool {
    var file: Data?
    let isRemoved = try remove { stored in
      file = stored?.file
      return try stored.map { try !$0.isSpent && $0.hasExpired(by: vault.clock) } ?? false
    }
    if isRemoved, let file { vault.discardHandles(of: file) }
    return isRemoved
  }

  /// Removes a file to which the item no longer refers.
  func removeFile(_ file: Data?) {
    // A caller's transaction may still be rolled back, which restores the item. The next purge
    // removes the file.
    guard let file, !keychain.isInTransaction else { return }
    vault.databases.close { $0.file == file }
    vault.files.remove(file, of: compartment.id)
  }
}

extension StoredValue {
  /// Returns true if the value has expired and must be removed.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the vault's clock is damaged.
  func hasExpired(by clock: VaultClock) throws -> Bool {
    goesByTheClock ? hasExpired(at: try clock.now()) : isSpent
  }
}
