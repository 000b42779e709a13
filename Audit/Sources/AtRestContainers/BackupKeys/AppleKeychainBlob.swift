import AtRestCrypto
import Foundation

/// A sealed keychain item of a device backup, stored as `v_Data` in `keychain-backup.plist`.
///
/// It consists of a version and a class (32 bits each, little-endian), the item's wrapped key, and
/// the sealed contents: AES-256-GCM since iOS 5, AES-256-CBC before. The format is known from
/// public research (*iphone-dataprotection*).
///
/// A value type: safe to use from any thread.
package struct AppleKeychainBlob: Hashable, Sendable {
  /// The encoding of the contents.
  package enum Encoding: UInt32, Sendable {
    /// The secret only: iOS 4.
    case secret = 0
    /// All attributes as a binary property list: iOS 5 and 6.
    case propertyList = 2
    /// All attributes in DER: iOS 7 and later.
    case der = 3
  }

  /// The encoding of the contents.
  package let encoding: Encoding
  /// The number of the protection class. Classes 6 to 8 move to another device, 9 to 12 do not.
  package let keyClass: UInt32
  private let wrappedKey: Data
  private let sealed: Data

  /// Parses a blob without opening it.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is cut off;
  ///   ``AtRestError/Code/unsupportedVersion`` if its version is not known.
  package init(_ blob: Data, name: String) throws {
    var rest = blob
    func take(_ count: Int) throws -> Data {
      guard rest.count >= count else {
        throw AtRestError.damagedBackup(
          "\(name) ends at offset \(blob.count), in the middle of a value.")
      }
      defer { rest = rest.dropFirst(count) }
      return Data(rest.prefix(count))
    }
    func number() throws -> UInt32 { try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    let version = try number()
    guard let encoding = Encoding(rawValue: version) else {
      throw AtRestError(
        .unsupportedVersion, "\(name) is sealed in version \(version), which is not supported.",
        remedy: "Use a later version of AtRest.")
    }
    self.encoding = encoding
    keyClass = try number() & 0xF
    wrappedKey = try take(encoding == .secret ? BackupCryptography.wrappedKeySize : Int(number()))
    sealed = rest
  }

  /// Opens the blob and returns the contents, in the encoding that ``encoding-swift.property``
  /// gives.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the class is bound to the device;
  ///   ``AtRestError/Code/damaged`` if the item or its key was modified. Items of version 0 are
  ///   unauthenticated: only a modified key and wrong padding are detected.
  package func open(with keys: AppleBackupKeys, name: String) throws -> Data {
    let key = try keys.unwrap(wrappedKey, class: keyClass, name: name)
    let plaintext =
      switch encoding {
      case .secret: BackupCryptography.decrypt(sealed, key: key)
      case .propertyList, .der: try BackupCryptography.openWithoutNonce(sealed, key: key)
      }
    guard let plaintext else {
      throw AtRestError.damagedBackup(
        "\(name) does not open under its key: it was modified.")
    }
    return plaintext
  }
}
