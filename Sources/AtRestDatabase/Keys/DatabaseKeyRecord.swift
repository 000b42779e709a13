import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The random key of one database file, as an item or a key file has it.
struct DatabaseKeyRecord: Sendable {
  /// The state of a new file until it is known to have its name.
  struct Draft: Sendable, Equatable {
    /// The salt of the file that it replaces. Nil if there was none.
    let former: Data?
    /// The place that it gets: see ``DatabaseKeyRecord/place(of:)``.
    let place: Data
  }

  static let placeSize = 16

  /// The salt of the file, which identifies the record.
  let salt: Data
  let key: SecretBox
  /// The name that the file had when the record was made, without its folder.
  let name: String
  /// Not nil until the file was found at its place.
  var draft: Draft?

  /// A record of a new file, with a random key.
  static func random(
    for url: URL, salt: Data = RandomBytes.data(count: DatabaseFormat.saltSize)
  ) -> DatabaseKeyRecord {
    DatabaseKeyRecord(
      salt: salt, key: SecretBox(.random(count: DatabaseFormat.keySize)),
      name: SystemPath.name(of: url.path), draft: Draft(former: nil, place: place(of: url)))
  }

  /// Identifies the path of a file, so that a copy of it at another path is not mistaken for it.
  static func place(of url: URL) -> Data {
    let folder = SystemPath.folder(of: url.path)
    let name = SystemPath.name(of: url.path)
    let path = "\(SystemPath.real(folder) ?? folder)/\(name)"
    return Data(SHA256.hash(data: Data(SystemPath.bytes(path))).prefix(placeSize))
  }
}
