import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// The values of one account, or of the device itself. Logging an account out wipes its
/// compartment.
///
/// The calls for which a user interface waits also have an asynchronous form of the same name, which
/// `try await` selects. From a task, run other calls with `background(_:)`. A stored value survives power loss.
///
/// Safe to use from several threads.
public struct Compartment: BlockingCalls {
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
    service = vault.items.service(of: id)
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

  // MARK: Values

  func item(_ name: String) -> ValueItem { ValueItem(compartment: self, name: name) }

  func reader(_ name: String) -> ValueReader { ValueReader(item: item(name)) }

  /// Returns the writer of a value, as the policy decides.
  func writer<Value>(of record: VaultRecord<Value>, size: Int) throws -> ValueWriter {
    try Self.check(record.name, "A record's name")
    return ValueWriter(
      item: item(record.name),
      decision: try vault.decide(
        record.classification, size: size, retention: record.retention))
  }

  /// Returns the entry of a file that a new value gets.
  func newFile(_ head: StoredValue.Head) throws -> FolderEntry {
    try checkLoggedIn()
    return try vault.files.newFile(head.id, of: id)
  }

  /// Throws ``AtRestError/Code/loggedOut`` if the account has logged out since.
  func checkLoggedIn() throws {
    let registry = try vault.registry()
    guard registry.contains(id) else {
      if registry.unnamed.contains(id) { return }
      if let gap = registry.gap { throw gap }
      throw loggedOutError
    }
  }

  var loggedOutError: AtRestError {
    AtRestError(
      .loggedOut, "\(account.map { "The account \"\($0)\"" } ?? "This compartment") logged out.",
      remedy: "Ask the vault for the account again after the next login.")
  }

  // MARK: Removing

  /// Removes the value with the given name.
  ///
  /// - Returns: True if there was a value.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func remove(_ name: String) throws -> Bool {
    try item(name).remove()
  }
}

extension String {
  /// The text in Unicode normalization form C. Equal texts may differ in their bytes, but names are
  /// compared by bytes.
  var inOneForm: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }
}
