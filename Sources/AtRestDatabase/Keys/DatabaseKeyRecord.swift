import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The random key of one database file, as an item or a key file has it.
struct DatabaseKeyRecord: Sendable {
  /// An earlier key of a file whose replacement has not been finished.
  struct Predecessor: Sendable, Equatable {
    /// The salt of the file that is replaced.
    let salt: Data
    /// Its place: see ``DatabaseKeyRecord/place(of:)``.
    let place: Data
  }

  static let placeSize = 16

  /// The salt of the file, which identifies the record.
  let salt: Data
  let key: SecretBox
  /// The name that the file had when the record was made, without its folder.
  let name: String
  /// The record that this one replaces, until that is finished.
  var predecessor: Predecessor?

  /// A record of a new file, with a random key.
  static func random(
    for url: URL, salt: Data = RandomBytes.data(count: DatabaseFormat.saltSize)
  ) -> DatabaseKeyRecord {
    DatabaseKeyRecord(
      salt: salt, key: SecretBox(.random(count: DatabaseFormat.keySize)),
      name: SystemPath.name(of: url.path), predecessor: nil)
  }

  /// A record that replaces that of a file.
  func replacing(_ salt: Data, at url: URL) -> DatabaseKeyRecord {
    var record = self
    record.predecessor = Predecessor(salt: salt, place: Self.place(of: url))
    return record
  }

  /// Identifies the path of a file, so that a copy of it at another path is not mistaken for it.
  static func place(of url: URL) -> Data {
    let folder = SystemPath.folder(of: url.path)
    let name = SystemPath.name(of: url.path)
    let path = "\(SystemPath.real(folder) ?? folder)/\(name)"
    return Data(SHA256.hash(data: Data(SystemPath.bytes(path))).prefix(placeSize))
  }
}
