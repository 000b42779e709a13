import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// The values of one account, or of the device itself: what one logout wipes.
///
/// Every call has a synchronous and an asynchronous form of the same name; `try await` picks the
/// latter, which never blocks the caller's actor. A value that was stored survives power loss.
///
/// Safe to use from several threads.
public struct Compartment: Sendable {
  /// The vault that it is in.
  public let vault: Vault
  /// The account, or nil: the device's own.
  public let account: String?
  let id: Data
  /// Of its items; made once, since each call needs it.
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
  /// Keeps the names of values apart from those of the vault's own items.
  private static let prefix = "value."

  static func check(_ name: String, _ what: String) throws {
    guard (1...512).contains(name.utf8.count) else {
      throw AtRestError.invalid(
        "\(what) has 1 to 512 bytes, not \(name.utf8.count).", remedy: "Choose a shorter one.")
    }
  }

  static func checkRecord(_ name: String) throws {
    try check(name, "A record's name")
    // A kind can be mistaken, and a name seldom is.
    let last = name.lowercased().split { !$0.isLetter }.last ?? ""
    guard !["password", "passwd", "pwd"].contains(where: { last.hasSuffix($0) }) else {
      throw AtRestError(
        .neverStored, "A record named \"\(name)\" would hold a password, which is never stored.",
        remedy: (DataKind.password.alternative ?? "") + " If it is none, choose another name.")
    }
  }

  /// Logs the account out: its items, files, preferences and tokens are gone in one durable step,
  /// the caches of responses after it. A crash in between is made up for at the next opening.
  ///
  /// Needs no unlock. Logging out twice is no error.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` for the device's own compartment;
  ///   ``AtRestError/Code/system``; what ``Vault/Options/onLogout`` throws, and the logout is then
  ///   finished at the next opening, though the items are gone.
  public func logOut() throws {
    guard account != nil else {
      throw AtRestError(
        .notPermitted, "The device's own compartment has no account to log out.",
        remedy: "Remove its values one by one, or wipe the vault.")
    }
    try vault.logOut(id)
  }

  // MARK: Storing

  /// Stores a secret: the payload of a value, under what the policy decides.
  ///
  /// - Parameter expected: The value that it takes the place of: its identity, or empty for none. nil:
  ///   whichever it is.
  /// - Throws: ``Replaced`` where it is another by now.
  func store(
    _ payload: borrowing SecretBytes, _ name: String, _ classification: Classification,
    _ retention: Retention?, replacing expected: Data? = nil
  ) throws {
    try Self.checkRecord(name)
    let decision = try vault.decide(classification, size: payload.count, retention: retention)
    guard decision.store == .file else {
      let (head, key) = try head(decision, size: UInt64(payload.count))
      return try commit(payload, head, key, name, decision, replacing: expected)
    }
    try payload.withUnsafeBytes { bytes in
      // Without a copy; it is only read.
      let data = bytes.baseAddress.map {
        Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: $0), count: bytes.count,
          deallocator: .none)
      }
      try storeFile(.data(data ?? Data()), name, decision, replacing: expected)
    }
  }

  func storeLarge(
    _ data: Data, _ name: String, _ classification: Classification, _ retention: Retention?
  ) throws {
    try Self.checkRecord(name)
    let decision = try vault.decide(classification, size: data.count, retention: retention)
    try storeFile(.data(data), name, decision)
  }

  @discardableResult
  func storeFile(
    _ source: ByteSource, _ name: String, _ decision: Decision, replacing expected: Data? = nil
  ) throws -> UInt64 {
    let (blank, key) = try head(decision, size: 0)
    let lock = try vault.files.lockForWriting()
    defer { withExtendedLifetime(lock) {} }
    let fileKey = SecretBox(SecretBytes.random(count: 32))
    let file = try newFile(blank)
    do {
      let count = try files(fileKey, decision.accessibility)
        .protect(source, to: .entry(file, replacing: false)).read
      try commit(
        fileKey.bytes, blank.sized(count), key, name, decision, replacing: expected)
      return count
    } catch {
      removeFailed(blank.id, name: name)
      throw error
    }
  }

  /// Removes the file of a value that was not stored. A failure can also come once its item is durable:
  /// then it stays, and where that cannot be told the next purge decides.
  func removeFailed(_ file: Data, name: String) {
    do {
      guard try read(name).head.id != file else { return }
    } catch AtRestError.Code.notFound {
      // Nothing refers to it.
    } catch {
      return
    }
    vault.files.remove(file, of: id)
  }

  func newFile(_ head: StoredValue.Head) throws -> FolderEntry {
    try checkLoggedIn(vault.registry())
    return try vault.files.newFile(head.id, of: id)
  }

  func files(_ key: SecretBox, _ accessibility: Accessibility) throws -> ProtectedFiles {
    ProtectedFiles(
      keys: try HeldFileKeys(key, lockedWith: (keychain.keybag, accessibility.keyClass)))
  }

  /// The head of a new value, and the further key that it needs.
  func head(
    _ decision: Decision, size: UInt64
  ) throws -> (head: StoredValue.Head, key: SecretBox?) {
    try vault.checkRuntimeIfDue()
    let now = decision.retention.isLimited ? try vault.clock.now() : keychain.now
    try decision.retention.check(at: now)
    let kind = decision.classification.kind.name
    guard kind.utf8.count <= StoredValue.kindLimit else {
      throw AtRestError.invalid(
        "A kind's name has at most \(StoredValue.kindLimit) bytes, not \(kind.utf8.count).",
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

  /// Makes the item that is the value from now on, in place of the one before.
  func commit(
    _ payload: borrowing SecretBytes, _ head: StoredValue.Head, _ key: SecretBox?, _ name: String,
    _ decision: Decision, replacing expected: Data? = nil
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
        try keychain.set(
          itemKey(name), secret: encoded.bytes, protection: .accessible(decision.accessibility))
        return former?.store == .file ? former?.id : nil
      }
    } catch AtRestError.Code.loggedOut where head.key == .composite {
      // The salt may have been made after the logout.
      try keychain.delete(matching: vault.items(of: id))
      try checkLoggedIn(vault.registry())
      return
    }
    removeFile(former)
  }

  struct Replaced: Error {}

  private func removeFile(_ file: Data?) {
    // In a transaction of the caller's the item may come back; the file goes with the next purge.
    guard let file, !keychain.isInTransaction else { return }
    vault.files.remove(file, of: id)
  }

  func checkLoggedIn(_ registry: Registry) throws {
    guard registry.contains(id) else {
      if registry.unnamed.contains(id) { return }
      if let gap = registry.gap { throw gap }
      throw AtRestError(
        .loggedOut, "\(account.map { "The account \"\($0)\"" } ?? "This compartment") logged out.",
        remedy: "Ask the vault for the account anew after the next login.")
    }
  }

  private func former(_ name: String) throws -> StoredValue.Head? {
    do {
      return try read(name).head
    } catch let error as AtRestError where error.refusal == .notFound || error.refusal == .damaged {
      // What a damaged one leaves is collected at the next purge.
      return nil
    }
  }

  // MARK: Reading

  func read(_ name: String) throws -> StoredValue {
    try keychain.secret(for: itemKey(name)).withUnsafeBytes {
      try StoredValue(decoding: $0, name: place(name).words)
    }
  }

  /// The value under a name that has not expired.
  func find(_ name: String) throws -> StoredValue {
    let stored: StoredValue
    do {
      stored = try read(name)
    } catch AtRestError.Code.notFound {
      try checkLoggedIn(vault.registry())
      throw AtRestError(
        .notFound, "There is no value \"\(name)\".",
        remedy: "Store one; or look whether it is of another account.")
    }
    guard try !hasExpired(stored) else {
      try removeExpired(name)
      throw AtRestError(
        .expired, "\(place(name).words) was kept as long as was said, and is gone.",
        remedy: "Fetch it anew, if it is needed.")
    }
    return stored
  }

  /// Whether a value has to go.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where the vault's clock is.
  private func hasExpired(_ stored: StoredValue) throws -> Bool {
    stored.goesByTheClock ? stored.hasExpired(at: try vault.clock.now()) : stored.usesLeft == 0
  }

  /// Calls a closure with a value's stored form and payload (the value, or the key of its file), and
  /// counts that as a use.
  func use<Result: ~Copyable>(
    _ name: String, _ body: (StoredValue, borrowing SecretBytes) throws -> Result
  ) throws -> Result {
    try vault.checkRuntimeIfDue()
    while true {
      let stored = try find(name)
      let key = try furtherKey(stored.head.key, storing: false, expecting: stored.head.keyID)
      let payload = try stored.open(in: place(name), under: key?.key)
      do {
        if stored.usesLeft == StoredValue.unlimited {
          let result = try body(stored, payload.bytes)
          removeFile(try spend(stored, name))
          return result
        }
        // In one step, so that two who read at once do not both get the last use.
        var result: Result?
        let file = try keychain.transaction { () throws -> Data? in
          guard try isCurrent(stored, name) else { throw Replaced() }
          result = try body(stored, payload.bytes)
          return try spend(stored, name)
        }
        removeFile(file)
        return result.take()!
      } catch is Replaced {
        // Used or stored anew meanwhile: as it is now, then.
      } catch let missing as MissingFile {
        guard try find(name).head.id == stored.head.id else { continue }
        throw missing.error
      }
    }
  }

  /// The file of a value is not there: it was replaced while it was read, or it is lost.
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

  /// - Returns: The file that goes with the last use.
  private func spend(_ stored: StoredValue, _ name: String) throws -> Data? {
    let now = stored.goesByTheClock ? try vault.clock.now() : keychain.now
    let idle = Double(stored.head.idle)
    // Not at each use: a limit of days need not cost a write a second.
    let isStale = idle > 0 && now.timeIntervalSince(stored.lastUse) > min(idle / 16, 3600)
    guard stored.usesLeft != StoredValue.unlimited || isStale else { return nil }
    return try keychain.transaction { () throws -> Data? in
      // Replaced or removed meanwhile: what was read was the value at that time.
      guard try isCurrent(stored, name) else { return nil }
      var current = try read(name)
      current.lastUse = now
      if current.usesLeft != StoredValue.unlimited { current.usesLeft -= 1 }
      guard current.usesLeft > 0 else {
        try keychain.delete(itemKey(name))
        return current.file
      }
      try keychain.set(itemKey(name), secret: current.encoded)
      return nil
    }
  }

  // MARK: Removing

  /// Removes the value under a name.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func remove(_ name: String) throws -> Bool {
    try remove(name) { _ in true }
  }

  @discardableResult
  func removeExpired(_ name: String) throws -> Bool {
    try remove(name) { stored in try stored.map { try hasExpired($0) } ?? false }
  }

  func remove(_ name: String, where shallGo: (StoredValue?) throws -> Bool) throws -> Bool {
    let (existed, file) = try keychain.transaction { () throws -> (Bool, Data?) in
      var stored: StoredValue?
      do {
        stored = try read(name)
      } catch let error as AtRestError where error.refusal == .locked || error.refusal == .damaged {
        // Deleting needs no unlock; a file is collected once it is unlocked.
      } catch AtRestError.Code.notFound {
        return (false, nil)
      }
      guard try shallGo(stored) else { return (false, nil) }
      try keychain.delete(itemKey(name))
      return (true, stored?.head.store == .file ? stored?.head.id : nil)
    }
    removeFile(file)
    return existed
  }

  // MARK: Listing

  /// What there is, as the heads say.
  func survey() throws -> (
    expired: [(name: String, file: Data?)], files: Set<Data>, isWhole: Bool
  ) {
    var expired: [(name: String, file: Data?)] = []
    var files: Set<Data> = []
    let reason = try forEachValue { name, stored in
      if let file = stored.file { files.insert(file) }
      // With a damaged clock nothing is known to have expired.
      if (try? hasExpired(stored)) == true { expired.append((name, stored.file)) }
    }
    return (expired, files, reason == nil)
  }

  /// - Returns: nil, or why some could not be read.
  func forEachValue(_ body: (String, StoredValue) throws -> Void) throws -> AtRestError? {
    let items: Items
    do {
      items = try keychain.items(matching: vault.items(of: id), secrets: true)
    } catch let error as AtRestError where error.refusal == .locked || error.refusal == .damaged {
      return error
    }
    var reason = items.withheld.first?.reason
    for item in items {
      guard let account = item.attributes.account, account.hasPrefix(Self.prefix) else { continue }
      let name = String(account.dropFirst(Self.prefix.count))
      let stored: StoredValue?
      do {
        stored = try item.withSecret { try StoredValue(decoding: $0, name: place(name).words) }
      } catch let error as AtRestError {
        reason = error
        continue
      }
      if let stored { try body(name, stored) }
    }
    return reason
  }

  /// The values that there are, without their contents, by name.
  ///
  /// - Throws: Where one of them cannot be read, since a list without it would say that there is none:
  ///   ``AtRestError/Code/locked``, ``AtRestError/Code/damaged``; ``AtRestError/Code/loggedOut``;
  ///   ``AtRestError/Code/system``.
  public var contents: [ValueDescription] {
    get throws {
      try checkLoggedIn(vault.registry())
      var found: [ValueDescription] = []
      let reason = try forEachValue { name, stored in
        guard try !hasExpired(stored) else { return }
        found.append(ValueDescription(name, stored))
      }
      if let reason { throw reason }
      return found.sorted { $0.name < $1.name }
    }
  }
}

extension String {
  /// Texts that are equal, in one form: their bytes may differ, and a name is told by its bytes.
  var inOneForm: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }
}

/// What is known of a stored value without opening it.
public struct ValueDescription: Sendable, Hashable {
  /// The record's name.
  public let name: String
  /// The name of its kind.
  public let kind: String
  /// How sensitive it is.
  public let sensitivity: Sensitivity
  /// Where it lies.
  public let store: Decision.Store
  /// What has to be known beside the device's keys.
  public let key: Decision.Key
  /// Bytes of the value.
  public let size: UInt64
  /// When it was stored.
  public let stored: Date
  /// When it goes at the latest, or nil.
  public let expires: Date?
  /// How often it can still be read, or nil.
  public let usesLeft: Int?

  init(_ name: String, _ stored: StoredValue) {
    self.name = name
    kind = stored.head.kind
    sensitivity = stored.head.sensitivity
    store = stored.head.store
    key = stored.head.key
    size = stored.head.size
    self.stored = stored.head.stored
    expires = stored.head.expires
    usesLeft = stored.usesLeft == StoredValue.unlimited ? nil : Int(stored.usesLeft)
  }
}
