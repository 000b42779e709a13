import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// The values of one account, or of the device itself. Logging an account out wipes its
/// compartment.
///
/// Most calls have a synchronous and an asynchronous form of the same name. `try await` selects the
/// asynchronous form, which never blocks the caller's actor. A stored value survives power loss.
///
/// Safe to use from several threads.
public struct Compartment: Sendable {
  /// The vault that contains this compartment.
  public let vault: Vault
  /// The name of the account, or nil for the device's own compartment.
  public let account: String?
  let id: Data
  /// The service of this compartment's items, computed once because each call needs it.
  private let service: String

  init(vault: Vault, id: Data, account: String?) {
    self.vault = vault
    self.id = id
    self.account = account
    service = vault.service(of: id)
  }

  var keychain: Keychain { vault.keychain }

  func place(_ name: String) -> ValuePlace {
    ValuePlace(compartment: id, name: name.inOneForm)
  }
  func itemKey(_ name: String) -> PrimaryKey { ownItemKey(Self.prefix + name.inOneForm) }
  func ownItemKey(_ account: String) -> PrimaryKey {
    .genericPassword(
      service: service, account: account, group: keychain.identity.defaultGroup)
  }
  /// The prefix that distinguishes the names of values from those of the vault's own items.
  static let prefix = "value."

  static func check(_ name: String, _ what: String) throws {
    guard (1...512).contains(name.utf8.count) else {
      throw AtRestError.invalid(
        "\(what) must have 1 to 512 bytes, not \(name.utf8.count).",
        remedy: "Choose a shorter one.")
    }
  }

  /// Logs the account out. Its items, which include preferences, tokens and the keys of files, are
  /// removed in one durable step. The files and the caches of responses are removed after that. If
  /// the process crashes in between, the logout is finished when the vault is next opened.
  ///
  /// A logout needs no unlock. Logging out twice is not an error.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` for the device's own compartment;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction of the keychain;
  ///   ``AtRestError/Code/system``; the error of ``Vault/Options/onLogout``, in which case the
  ///   items are gone, and the logout is finished when the vault is next opened.
  public func logOut() throws {
    guard account != nil else {
      throw AtRestError(
        .notPermitted, "The device's own compartment has no account to log out.",
        remedy: "Remove its values one by one, or wipe the vault.")
    }
    try vault.logOut(id)
  }

  // MARK: Storing

  /// Stores the payload of a value, as the policy decides.
  ///
  /// - Parameter expected: The identity of the value that the new one must replace, empty if there
  ///   must be no former value, or nil to replace any value.
  /// - Throws: ``Replaced`` if the current value is not the expected one.
  func store(
    _ payload: borrowing SecretBytes, _ name: String, _ classification: Classification,
    _ retention: Retention?, replacing expected: Data? = nil, needsPasscode: Bool = true
  ) throws {
    try Self.check(name, "A record's name")
    let decision = try vault.decide(classification, size: payload.count, retention: retention)
    guard decision.store == .file else {
      let (head, key) = try head(
        decision, size: UInt64(payload.count), needsPasscode: needsPasscode)
      return try commit(payload, head, key, name, decision, replacing: expected)
    }
    try payload.withUnsafeBytes { bytes in
      // No copy is made, because the bytes are only read.
      let data = bytes.baseAddress.map {
        Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: $0), count: bytes.count,
          deallocator: .none)
      }
      try storeFile(
        .data(data ?? Data()), name, decision, replacing: expected, needsPasscode: needsPasscode)
    }
  }

  func storeLarge(
    _ data: Data, _ name: String, _ classification: Classification, _ retention: Retention?
  ) throws {
    try Self.check(name, "A record's name")
    let decision = try vault.decide(classification, size: data.count, retention: retention)
    try storeFile(.data(data), name, decision)
  }

  @discardableResult
  func storeFile(
    _ source: ByteSource, _ name: String, _ decision: StorageDecision,
    replacing expected: Data? = nil, needsPasscode: Bool = true
  ) throws -> UInt64 {
    let (blank, key) = try head(decision, size: 0, needsPasscode: needsPasscode)
    let lock = try vault.files.lockForWriting()
    defer { withExtendedLifetime(lock) {} }
    let fileKey = SecretBox(SecretBytes.random(count: 32))
    let file = try newFile(blank)
    do {
      let count = try newFiles(fileKey, decision.accessibility)
        .protect(source, to: .entry(file, replacing: false)).read
      try commit(
        fileKey.bytes, blank.sized(count), key, name, decision, replacing: expected)
      return count
    } catch {
      removeFailed(blank.id, name: name)
      throw error
    }
  }

  /// Removes the file of a value that could not be stored. If storing failed after the item became
  /// durable, the file stays. If the item cannot be read, the next purge decides.
  func removeFailed(_ file: Data, name: String) {
    do {
      guard try read(name).head.id != file else { return }
    } catch AtRestError.Code.notFound {
      // No item refers to the file.
    } catch {
      return
    }
    vault.files.remove(file, of: id)
  }

  func newFile(_ head: StoredValue.Head) throws -> FolderEntry {
    try checkLoggedIn(vault.registry())
    return try vault.files.newFile(head.id, of: id)
  }

  /// Returns the protected files with the key of a stored value, which may come from the agent.
  func files(_ key: SecretBox, _ accessibility: Accessibility) throws -> ProtectedFiles {
    ProtectedFiles(
      keys: try HeldFileKeys(
        key, lockedWith: (keychain.keybag, accessibility.keyClass), usesAgent: keychain.usesAgent))
  }

  /// Returns the protected files with the key of a new value, which needs an unlocked store in this
  /// process.
  func newFiles(_ key: SecretBox, _ accessibility: Accessibility) throws -> ProtectedFiles {
    try keychain.explainingDirectUse {
      ProtectedFiles(
        keys: try HeldFileKeys(key, lockedWith: (keychain.keybag, accessibility.keyClass)))
    }
  }

  /// Returns the head of a new value, and the additional key that the value needs, or nil if it
  /// needs none.
  func head(
    _ decision: StorageDecision, size: UInt64, needsPasscode: Bool = true
  ) throws -> (head: StoredValue.Head, key: SecretBox?) {
    try vault.checkRuntimeIfDue()
    if needsPasscode { try vault.checkPasscode() }
    let now = decision.retention.isLimited ? try vault.clock.now() : keychain.now
    try check(decision.retention, at: now)
    let kind = decision.classification.kind.name
    guard kind.utf8.count <= StoredValue.kindLimit else {
      throw AtRestError.invalid(
        "A kind's name must have at most \(StoredValue.kindLimit) bytes, not \(kind.utf8.count).",
        remedy: "Choose a shorter one.")
    }
    let further = try furtherKey(decision.key, storing: true)
    return (
      StoredValue.Head(
        id: RandomBytes.data(count: 16), store: decision.store, key: decision.key,
        sensitivity: decision.sensitivity, accessibility: decision.accessibility,
        subject: decision.classification.subject,
        people: UInt32(clamping: decision.classification.people),
        kind: kind, stored: now,
        expires: decision.retention.expiry(from: now),
        idle: decision.retention.idleSeconds, size: size,
        keyID: further?.id ?? StoredValue.Head.noKeyID),
      further?.key
    )
  }

  private func check(_ retention: Retention, at now: Date) throws {
    do {
      try retention.check(at: now)
    } catch let error as AtRestError {
      guard now > keychain.now, (try? retention.check(at: keychain.now)) != nil else { throw error }
      throw AtRestError(
        error.code,
        "\(error.message) The vault has seen the time \(now.ISO8601Format()), which is "
          + "ahead of the system's clock.",
        remedy: "If the system's clock is right now, call trustSystemClock().")
    }
  }

  /// Stores the item that holds the value, in place of the former item.
  func commit(
    _ payload: borrowing SecretBytes, _ head: StoredValue.Head, _ key: SecretBox?, _ name: String,
    _ decision: StorageDecision, replacing expected: Data? = nil
  ) throws {
    let stored = StoredValue(
      head: head, lastUse: head.stored,
      usesLeft: decision.retention.uses.map { UInt32($0) } ?? StoredValue.unlimited,
      body: try StoredValue.seal(payload, head, in: place(name), under: key))
    let encoded = SecretBox(stored.encoded)
    let former: Data?
    do {
      former = try keychain.transaction { () throws -> Data? in
        try checkLoggedIn(vault.registry())
        if head.key == .passphrase { try checkPassphrase(head) }
        let former = try self.former(name)
        if let expected, expected != former?.id ?? Data() { throw Replaced() }
        if former?.store == .database { throw isDatabase(name) }
        try keychain.set(
          itemKey(name), secret: encoded.bytes, protection: .accessible(decision.accessibility))
        return former?.store == .file ? former?.id : nil
      }
    } catch AtRestError.Code.loggedOut where head.key == .composite {
      // The salt may have been created after the logout.
      try keychain.transaction { try vault.deleteItems(of: id) }
      throw loggedOut()
    }
    removeFile(former)
  }

  func isDatabase(_ name: String) -> AtRestError {
    .invalid(
      "\(place(name).words) is a database.",
      remedy: "Use database(in:), or remove the database first.")
  }

  struct Replaced: Error {}

  private func removeFile(_ file: Data?) {
    // A caller's transaction may still be rolled back, which restores the item. The next purge
    // removes the file.
    guard let file, !keychain.isInTransaction else { return }
    vault.databases.close { $0.file == file }
    vault.files.remove(file, of: id)
  }

  func checkLoggedIn(_ registry: Registry) throws {
    guard registry.contains(id) else {
      if registry.unnamed.contains(id) { return }
      if let gap = registry.gap { throw gap }
      throw loggedOut()
    }
  }

  private func loggedOut() -> AtRestError {
    AtRestError(
      .loggedOut, "\(account.map { "The account \"\($0)\"" } ?? "This compartment") logged out.",
      remedy: "Ask the vault for the account again after the next login.")
  }

  private func former(_ name: String) throws -> StoredValue.Head? {
    do {
      let former = try read(name)
      return former.isSpent ? nil : former.head
    } catch let error as AtRestError where error.refusal == .notFound || error.refusal == .damaged {
      // The next purge removes the file that a damaged value leaves.
      return nil
    }
  }

  // MARK: Reading

  func read(_ name: String) throws -> StoredValue {
    try keychain.secret(for: itemKey(name)).withUnsafeBytes { bytes in
      // The words are only for errors, and making them takes as long as decoding.
      try (try? StoredValue(decoding: bytes, name: ""))
        ?? StoredValue(decoding: bytes, name: place(name).words)
    }
  }

  /// Returns the value with the given name if it has not expired.
  func find(_ name: String) throws -> StoredValue {
    let stored: StoredValue
    do {
      stored = try read(name)
    } catch AtRestError.Code.notFound {
      try checkLoggedIn(vault.registry())
      throw AtRestError(
        .notFound, "The value \"\(name)\" does not exist.",
        remedy: "Store it first, or check whether it belongs to another account.")
    }
    guard !stored.isSpent else {
      throw AtRestError(
        .expired, "\(place(name).words) was read as often as allowed, and was removed.",
        remedy: "Fetch it again if it is still needed.")
    }
    guard try !hasExpired(stored) else {
      try removeExpired(name)
      throw AtRestError(
        .expired, "\(place(name).words) has expired and was removed.",
        remedy: "Fetch it again if it is still needed.")
    }
    return stored
  }

  /// Returns true if a value has expired and must be removed.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the vault's clock is damaged.
  func hasExpired(_ stored: StoredValue) throws -> Bool {
    stored.goesByTheClock ? stored.hasExpired(at: try vault.clock.now()) : stored.isSpent
  }

  /// Calls a closure with a value's stored form and payload (the value itself, or the key of its
  /// file), and counts one use.
  func use<Result: ~Copyable>(
    _ name: String, countingFirst: Bool = false,
    _ body: (StoredValue, borrowing SecretBytes) throws -> Result
  ) throws -> Result {
    try vault.checkRuntimeIfDue()
    while true {
      let stored = try find(name)
      // The payload of a database is its key, and must not be taken for its contents.
      guard stored.head.store != .database else { throw isDatabase(name) }
      let key = try furtherKey(stored.head.key, storing: false, expecting: stored.head.keyID)
      let payload = try stored.open(in: place(name), under: key?.key)
      do {
        if stored.usesLeft == StoredValue.unlimited {
          let result = try body(stored, payload.bytes)
          removeFile(try spend(stored, name))
          return result
        }
        guard !keychain.isInTransaction else {
          throw AtRestError.invalid(
            "\(place(name).words) can be read a limited number of times, but a transaction that "
              + "fails would not count this read.",
            remedy: "Read it before or after the transaction.")
        }
        guard !countingFirst else {
          // A purge must not remove the file before the output ends.
          let lock = try vault.files.lockForWriting()
          defer { withExtendedLifetime(lock) {} }
          let file = try keychain.transaction { () throws -> Data? in
            guard try isCurrent(stored, name) else { throw Replaced() }
            return try spend(stored, name)
          }
          defer { removeFile(file) }
          return try body(stored, payload.bytes)
        }
        // The read and the count are one transaction, so two concurrent readers cannot both spend
        // the last use.
        var result: Result?
        let file = try keychain.transaction { () throws -> Data? in
          guard try isCurrent(stored, name) else { throw Replaced() }
          result = try body(stored, payload.bytes)
          return try spend(stored, name)
        }
        removeFile(file)
        return result.take()!
      } catch is Replaced {
        // The value was used or replaced meanwhile; read it again.
      } catch let missing as MissingFile {
        guard try find(name).head.id == stored.head.id else { continue }
        throw missing.error
      }
    }
  }

  /// The file of a value does not exist: the value was replaced while it was read, or the file is
  /// lost.
  struct MissingFile: Error {
    let error: AtRestError
  }

  private func isCurrent(_ stored: StoredValue, _ name: String) throws -> Bool {
    do {
      let current = try read(name)
      return try current.head.id == stored.head.id && !hasExpired(current)
    } catch AtRestError.Code.notFound {
      return false
    }
  }

  /// - Returns: The file to remove after the last use, or nil if no file has to be removed.
  func spend(_ stored: StoredValue, _ name: String) throws -> Data? {
    let now = stored.goesByTheClock ? try vault.clock.now() : keychain.now
    let idle = Double(stored.head.idle)
    // The time of use is not recorded at each use: a limit of days does not justify one write per
    // second.
    let isStale = idle > 0 && now.timeIntervalSince(stored.lastUse) > min(idle / 16, 3600)
    guard stored.usesLeft != StoredValue.unlimited || isStale else { return nil }
    return try keychain.transaction { () throws -> Data? in
      // If the value was replaced or removed meanwhile, no use is counted: the caller read the
      // former value.
      guard try isCurrent(stored, name) else { return nil }
      var current = try read(name)
      current.lastUse = now
      if current.usesLeft != StoredValue.unlimited { current.usesLeft -= 1 }
      if current.isSpent { current = current.spent(at: now) }
      try keychain.set(itemKey(name), secret: current.encoded)
      return current.isSpent ? stored.file : nil
    }
  }

  // MARK: Removing

  /// Removes the value with the given name.
  ///
  /// - Returns: True if there was a value.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func remove(_ name: String) throws -> Bool {
    try remove(name) { _ in true }
  }

  @discardableResult
  func removeExpired(_ name: String) throws -> Bool {
    var file: Data?
    let isRemoved = try remove(name) { stored in
      file = stored?.file
      return try stored.map { try !$0.isSpent && hasExpired($0) } ?? false
    }
    if isRemoved, let file { vault.discardHandles(of: file) }
    return isRemoved
  }

  func remove(_ name: String, where shallGo: (StoredValue?) throws -> Bool) throws -> Bool {
    let (existed, file) = try keychain.transaction { () throws -> (Bool, Data?) in
      var stored: StoredValue?
      do {
        stored = try read(name)
      } catch let error as AtRestError where error.refusal == .locked || error.refusal == .damaged {
        // Deletion needs no unlock; a purge removes the file after the next unlock.
      } catch AtRestError.Code.notFound {
        return (false, nil)
      }
      guard try shallGo(stored) else { return (false, nil) }
      try keychain.delete(itemKey(name))
      return (stored?.isSpent != true, stored?.file)
    }
    removeFile(file)
    return existed
  }
}

extension String {
  /// The text in Unicode normalization form C. Equal texts may differ in their bytes, but names are
  /// compared by bytes.
  var inOneForm: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }
}
