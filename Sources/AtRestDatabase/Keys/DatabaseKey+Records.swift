import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The records of an item or a key file.
extension DatabaseKey {
  /// True if the key is an item or a key file, which have a record for each database.
  var hasRecords: Bool {
    switch source {
    case .item, .keyFile: true
    case .raw, .passphrase: false
    }
  }

  /// Returns the records; nil if there is no such item or file, or the key is of another kind.
  func records() throws -> DatabaseKeyRecords? {
    switch source {
    case .raw, .passphrase: return nil
    case .keyFile(let file): return try file.records()
    case .item(let item, let keychain, _):
      do {
        return try Self.records(in: keychain.secret(for: item))
      } catch AtRestError.Code.notFound {
        return nil
      }
    }
  }

  /// Changes the records, as one step that other threads and processes see as a whole.
  ///
  /// - Parameter creating: True to make an item or file that does not exist, if the change adds a record. One that has
  ///   gone, with the disk that it was on, has keys that a new one would not have.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such item or file.
  func updateRecords(
    creating: Bool = false, _ change: (inout DatabaseKeyRecords) throws -> Void
  ) throws {
    switch source {
    case .raw, .passphrase: break
    case .keyFile(let file): try file.update(creating: creating, change)
    case .item(let item, let keychain, let protection):
      // An agent cannot run a transaction, but it can add an item.
      if creating, try records() == nil {
        var records = DatabaseKeyRecords()
        try change(&records)
        guard records.isChanged else { return }
        do {
          try keychain.add(item, secret: records.encoded, protection: protection)
          return
        } catch AtRestError.Code.duplicate {}
      }
      try keychain.transaction {
        var records = try Self.records(in: keychain.secret(for: item))
        try change(&records)
        if records.isChanged { try keychain.update(item, secret: records.encoded) }
      }
    }
  }

  /// True if the key is a key file that exists.
  var hasFile: Bool {
    if case .keyFile(let file) = source { SystemPath.status(file.url.path) != nil } else { false }
  }

  /// - Parameter suffixes: Those of the files that are made and removed beside a database or a key file.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key file is the database, or if one of the two has
  ///   the name of a file beside the other.
  func check(isNot url: URL, besides suffixes: [String]) throws {
    guard case .keyFile(let file) = source else { return }
    let database = DatabaseKeyRecord.path(of: url)
    // A link, and the file to which it leads.
    let real = SystemPath.real(file.url.path).map { URL(fileURLWithPath: $0) }
    let paths = [file.url, real].compactMap { $0.map(DatabaseKeyRecord.path) }
    guard !paths.contains(database) else {
      throw AtRestError.invalid(
        "\(url.path) is named as the database and as its key file.", remedy: "Name two files.")
    }
    let isBeside = suffixes.contains { suffix in
      paths.contains { $0 == database + suffix.utf8 || $0 + suffix.utf8 == database }
    }
    guard !isBeside else {
      throw AtRestError.invalid(
        "The name of the key file \(file.url.path) is that of a file beside the database, which would be "
          + "removed.", remedy: "Name the key file otherwise. Nothing was modified.")
    }
  }

  /// True if two keys are the same item or key file.
  func hasSameRecords(as other: DatabaseKey) -> Bool {
    switch (source, other.source) {
    case (.keyFile(let one), .keyFile(let two)):
      SystemPath.real(one.url.path) == SystemPath.real(two.url.path)
    case (.item(let one, let keychain, _), .item(let two, let others, _)):
      // Two objects may stand for one store.
      one == two
        && (keychain === others
          || keychain.keybag.identity == others.keybag.identity
            && keychain.identity.identifier == others.identity.identifier)
    default: false
    }
  }

  /// Ends the replacements of a file that was found authentic: see ``DatabaseKeyRecords/settle(_:at:)``.
  func settle(_ salt: Data, at url: URL) throws {
    guard hasRecords else { return }
    let place = DatabaseKeyRecord.place(of: url)
    guard try records()?.isUnsettled(salt, at: place) == true else { return }
    try updateRecords { $0.settle(salt, at: place) }
  }

  /// The words for the item or the key file in messages.
  var owner: String {
    switch source {
    case .item(let item, _, _):
      if case .text(let account)? = item.attributes[.account] {
        "The keychain's item \(account)"
      } else {
        "The keychain's item"
      }
    case .keyFile(let file): "The key file \(file.url.path)"
    case .raw, .passphrase: "The key"
    }
  }

  /// The error of an item or key file that does not exist, although the database does.
  var missing: AtRestError {
    if case .keyFile(let file) = source { return DatabaseKeyFile.missing(file.url) }
    return AtRestError(
      .notFound, "The keychain has no key for the database, which exists.",
      remedy: "Restore the keychain from a backup, or name the item that was used before.")
  }

  private static func records(in secret: borrowing SecretBytes) throws -> DatabaseKeyRecords {
    try DatabaseKeyRecords(decoding: secret, of: "The keychain's item for the database")
  }
}
