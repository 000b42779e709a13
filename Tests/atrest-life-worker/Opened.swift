import AtRest
import AtRestCrypto
import AtRestDatabase
import AtRestEnvelopes
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB

/// A store that is open in this process, with what belongs to it.
final class Opened {
  let place: Place
  let keybag: Keybag
  let keychain: Keychain
  let files: ProtectedFiles
  /// The pair for files that have a second way in, or nil if they are not read with it.
  let secondWayIn: SecondWayIn?
  /// The passcode that opened the store; nil if it has none, or was not unlocked.
  private(set) var passcode: String?
  private let isKept: Bool
  private var databases: [String: DatabaseQueue] = [:]
  private var handles: [String: ProtectedFileHandle] = [:]
  private var openVault: Vault?

  /// Opens a store, and unlocks it with the first passcode that fits.
  ///
  /// - Parameters:
  ///   - unlocks: False to leave it locked.
  ///   - isKept: True to keep databases, vaults and files open, as a program does that runs for long.
  init(
    _ place: Place, _ passcodes: [String], secondWayIn: SecondWayIn? = nil, unlocks: Bool = true,
    isKept: Bool = false
  ) throws {
    self.place = place
    self.secondWayIn = secondWayIn
    self.isKept = isKept
    keybag = try place.location.openKeybag()
    if unlocks { passcode = try Self.unlock(keybag, passcodes) }
    keychain = try Keychain.open(keybag, identity: .owner(), usesAgent: false)
    files = ProtectedFiles(keybag, usesAgent: false).chunked(by: 1_024)
  }

  private static func unlock(_ keybag: Keybag, _ passcodes: [String]) throws -> String? {
    guard keybag.hasPasscode else {
      if keybag.lockState != .unlocked { try keybag.unlock() }
      return nil
    }
    for passcode in passcodes.dropLast() {
      do {
        try keybag.unlock(passcode: SecretBytes(utf8: passcode))
        return passcode
      } catch AtRestError.Code.authenticationFailed {}
    }
    guard let last = passcodes.last else {
      throw AtRestError(.locked, "The store has a passcode, and none is known.", remedy: "Fault.")
    }
    try keybag.unlock(passcode: SecretBytes(utf8: last))
    return last
  }

  func close() {
    for queue in databases.values { try? queue.close() }
    for handle in handles.values { handle.discard() }
    (databases, handles, openVault) = ([:], [:], nil)
    keychain.close()
    keybag.close()
  }

  // MARK: Databases

  func key(_ name: String) -> DatabaseKey { .item("life\(name)", in: keychain) }

  /// The database `b` has larger pages.
  static func format(_ name: String) -> DatabaseFormat {
    var format = DatabaseFormat.sqlcipher4
    if name == "b" { format.pageSize = 16_384 }
    return format
  }

  func database<Result>(_ name: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
    if let queue = databases[name] { return try body(queue) }
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    let queue = try EncryptedDatabase.openQueue(
      at: place.database(name), key: key(name), format: Self.format(name),
      creating: true, configuration: configuration)
    if isKept {
      databases[name] = queue
      return try body(queue)
    }
    let result = Swift.Result { try body(queue) }
    try queue.close()
    return try result.get()
  }

  /// Reads in a transaction that changes something until it is interrupted, for at most a minute.
  ///
  /// - Parameter mark: A file that is made when the transaction has begun.
  func stayInTransaction(of name: String, mark: String) throws {
    try database(name) { queue in
      try queue.write { db in
        try db.execute(sql: "DELETE FROM entry")
        try Data().write(to: URL(fileURLWithPath: mark))
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end { _ = try Row.fetchAll(db, sql: "SELECT * FROM entry") }
        // So that it is rolled back.
        throw AtRestError(.system, "The transaction was not interrupted.", remedy: "Fault.")
      }
    }
  }

  // MARK: Files, envelopes and vaults

  func handle(_ name: String) throws -> ProtectedFileHandle {
    if let handle = handles[name] { return handle }
    let handle = try files.open(place.file(name))
    if isKept { handles[name] = handle }
    return handle
  }

  var heldHandles: [String] { handles.keys.sorted() }

  var envelopeKeys: KeyEncryptionKeys {
    KeyEncryptionKeys(keychain, name: "life", protection: .accessible(.whenUnlocked))
  }

  var vault: Vault {
    get throws {
      if let openVault { return openVault }
      var options = Vault.Options()
      options.name = "life"
      options.policy[.consumerGrade].accessibility = .whenUnlocked
      let vault = try Vault.open(in: place.vault, keychain: keychain, options: options)
      if isKept { openVault = vault }
      return vault
    }
  }
}
