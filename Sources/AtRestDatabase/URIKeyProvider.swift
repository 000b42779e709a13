import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import CAtRestDatabase
import Foundation
import GRDB

/// Finds the key of a database by the parameters of its URI, for programs that do not use
/// `EncryptedDatabase`, such as SQLite's shell: see `docs/Database.md`, *Other programs*.
///
/// A parameter names an item or a file, never a secret.
package enum URIKeyProvider {
  /// Registers the VFS, and answers its questions for keys from now on.
  ///
  /// - Returns: A result code of SQLite.
  package static func install() -> Int32 {
    var provider = atrest_key_provider(
      provide: { file, key, size, owner in
        do {
          let found = try FoundKey(file)
          let name = found.key.name.utf8CString
          guard name.count <= size else { return 1 }
          key.update(from: Array(name), count: name.count)
          owner.pointee = Unmanaged.passRetained(found).toOpaque()
          return 0
        } catch {
          atrest_database_log("AtRest: \(error)")
          return 1
        }
      },
      is_replaced: {
        Unmanaged<FoundKey>.fromOpaque($0).takeUnretainedValue().file.isReplaced ? 1 : 0
      },
      release: { Unmanaged<FoundKey>.fromOpaque($0).release() })
    atrest_database_set_provider(&provider)
    return atrest_database_register(EncryptedDatabase.vfs, nil)
  }

  /// A key, and the file that it opens.
  private final class FoundKey {
    let key: KeyRegistration
    let file: DatabaseFile

    init(_ file: UnsafePointer<CChar>) throws {
      (key, self.file) = try URIKeyProvider.opening(file).registration()
    }
  }

  /// Returns the opening that the parameters of a URI describe.
  private static func opening(_ file: UnsafePointer<CChar>) throws -> DatabaseOpening {
    func parameter(_ name: String) -> String? {
      atrest_database_parameter(file, name).map { String(cString: $0) }
    }
    func secret(_ name: String) throws -> SecretBytes? {
      guard let path = parameter(name) else { return nil }
      guard let handle = FileHandle(forReadingAtPath: path), var data = try handle.readToEnd()
      else {
        throw AtRestError(
          .notFound, "The file \(path) could not be read, or is empty.",
          remedy: "Check the parameter \(name) of the URI.")
      }
      if data.last == 0x0a { data.removeLast() }
      return SecretBytes(erasing: &data)
    }
    func number(_ name: String) throws -> Int? {
      guard let text = parameter(name) else { return nil }
      guard let number = Int(text) else {
        throw AtRestError.invalid(
          "The parameter \(name) of the URI is not a number.", remedy: "Use digits only.")
      }
      return number
    }
    func isOn(_ name: String) throws -> Bool {
      guard let text = parameter(name) else { return false }
      guard text == "0" || text == "1" else {
        throw AtRestError.invalid(
          "The parameter \(name) of the URI is neither 0 nor 1.", remedy: "Use 0 or 1.")
      }
      return text == "1"
    }
    func salt(_ name: String) throws -> Data? {
      guard let digits = try secret(name) else { return nil }
      return try DatabaseKey.salt(hexadecimal: digits)
    }
    let key: DatabaseKey
    if let item = parameter("item") {
      let keychain = try DefaultKeychain.get()
      if let passcode = try secret("passcode-file") {
        try keychain.keybag.unlock(passcode: passcode)
      }
      key = .item(item, in: keychain)
    } else if let digits = try secret("raw-key-file") {
      key = try .raw(hexadecimal: digits)
    } else if let phrase = try secret("passphrase-file") {
      if let file = parameter("key-file") {
        key = .keyFile(SystemPath.url(file), passphrase: phrase)
      } else {
        key = .passphrase(phrase, salt: try salt("salt-file"))
      }
    } else {
      throw AtRestError.invalid(
        "The URI of \(String(cString: file)) names no key.",
        remedy: "Add item=, raw-key-file= or passphrase-file=.")
    }
    let name = parameter("format") ?? "sqlcipher4"
    guard var format = DatabaseFormat.named[name] else {
      throw AtRestError.invalid(
        "There is no format \(name).",
        remedy: "Use \(DatabaseFormat.named.keys.sorted().joined(separator: ", ")).")
    }
    if let size = try number("page-size") { format.pageSize = size }
    if let rounds = try number("rounds") { format.rounds = rounds }
    format.hasPlaintextHeader = try isOn("plaintext-header")
    let opening = try DatabaseOpening(
      URL(fileURLWithPath: SystemPath.text(file)), key, format)
    if try isOn("new") {
      guard parameter("mode") != "ro" else {
        throw AtRestError.invalid(
          "The URI of \(String(cString: file)) names a new database, and is for reading only.",
          remedy: "Remove new=1 or mode=ro.")
      }
      try NewDatabase(opening, Configuration()).makeUnlessPresent()
    }
    return opening
  }
}
