import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The random key of one database file, as an item or a key file has it.
struct DatabaseKeyRecord: Sendable {
  static let placeSize = 16

  /// The salt of the file, which identifies the record.
  let salt: Data
  let key: SecretBox
  /// The name that the file had when the record was made, without its folder.
  let name: String
  /// The place for which the file was made: see ``place(of:)``. A file elsewhere may be a copy of it.
  let place: Data
  /// The salt of the file that this one replaces, or its own salt if it replaces none. Nil once the file was found at its
  /// place.
  var former: Data?

  /// A record of a new file, with a random key.
  static func random(
    for url: URL, salt: Data = RandomBytes.data(count: DatabaseFormat.saltSize)
  ) -> DatabaseKeyRecord {
    DatabaseKeyRecord(
      salt: salt, key: SecretBox(.random(count: DatabaseFormat.keySize)),
      name: SystemPath.name(of: url.path), place: place(of: url), former: salt)
  }

  /// True if the file is not known to have its name, and replaces another one.
  var isReplacement: Bool { former != nil && former != salt }

  /// Identifies the path of a file, so that a copy of it at another path is not mistaken for it.
  static func place(of url: URL) -> Data {
    Data(SHA256.hash(data: Data(path(of: url))).prefix(placeSize))
  }

  /// The bytes of a file's path, of which the folder has no links.
  static func path(of url: URL) -> [UInt8] {
    let folder = SystemPath.folder(of: url.path)
    let name = SystemPath.name(of: url.path)
    return SystemPath.bytes("\(SystemPath.real(folder) ?? folder)/\(name)")
  }
}
