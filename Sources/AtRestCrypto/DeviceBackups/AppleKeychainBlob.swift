import Foundation

/// A sealed keychain item of a device backup, stored as `v_Data` in `keychain-backup.plist`.
///
/// It consists of a version and a class (32 bits each, little-endian), the item's wrapped key, and
/// the sealed contents: AES-256-GCM since iOS 5, AES-256-CBC before. The format is known from
/// public research (*iphone-dataprotection*).
///
/// A value type: safe to use from any thread.
public struct AppleKeychainBlob: Hashable, Sendable {
  /// The encoding of the contents.
  public enum Encoding: UInt32, Sendable {
    /// The secret only: iOS 4.
    case secret = 0
    /// All attributes as a binary property list: iOS 5 and 6.
    case propertyList = 2
    /// All attributes in DER: iOS 7 and later.
    case der = 3
  }

  /// The encoding of the contents.
  public let encoding: Encoding
  /// The number of the protection class. Classes 6 to 8 move to another device, 9 to 12 do not.
  public let keyClass: UInt32
  private let wrappedKey: Data
  private let sealed: Data

  /// Parses a blob without opening it.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is cut off;
  ///   ``AtRestError/Code/unsupportedVersion`` if its version is unknown.
  public init(_ blob: Data, name: String) throws {
    (encoding, keyClass, wrappedKey, sealed) = try blob.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: name)
      func number() throws -> UInt32 { try reader.integer(UInt32.self).byteSwapped }
      let version = try number()
      guard let encoding = Encoding(rawValue: version) else {
        throw AtRestError(
          .unsupportedVersion, "\(name) is sealed in version \(version), which is unknown.",
          remedy: "Use a later version of AtRest.")
      }
      let keyClass = try number() & 0xF
      let size = encoding == .secret ? 40 : Int(try number())
      let wrappedKey = Data(try reader.fixed(size))
      return (encoding, keyClass, wrappedKey, Data(try reader.fixed(reader.remaining)))
    }
  }

  /// Opens the blob and returns the contents, in the encoding that ``encoding-swift.property``
  /// gives.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the class is bound to the device;
  ///   ``AtRestError/Code/damaged`` if the item or its key was modified. Items of version 0 are
  ///   unauthenticated: only a modified key and wrong padding are detected.
  public func open(with keys: AppleBackupKeys, name: String) throws -> Data {
    let key = try keys.unwrap(wrappedKey, class: keyClass, name: name)
    let plaintext =
      switch encoding {
      case .secret:
        sealed.withUnsafeBytes {
          LegacyCipher.decrypt($0, key: key, iv: Data(count: LegacyCipher.blockSize))
        }
      case .propertyList, .der: try LegacyCipher.openWithoutNonce(sealed, key: key)
      }
    guard let plaintext else {
      throw AtRestError.damaged(
        "\(name) does not open under its key: it was modified.",
        remedy: "Make the backup again, or use another copy of it.")
    }
    return plaintext
  }
}
