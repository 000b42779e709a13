import AtRestCrypto
import AtRestFiles
import AtRestLegacy
import CAtRestSystem
import Foundation

/// A file in the format of another library, read as a whole.
struct LegacyFile {
  /// The formats by their names in `inspect`.
  enum Format: String, Encodable {
    case rnCryptor = "rncryptor-3"
    case propertyList = "property-list"
    case parts = "parts"
  }

  private static let maximumSize: UInt64 = 1 << 30
  let format: Format
  private let place: FilePlace

  /// Recognises a file by its beginning. Returns nil if it is not in the format of another library.
  init?(_ place: FilePlace, _ parts: LegacyPartsOptions? = nil) throws {
    self.place = place
    if parts?.salt != nil {
      format = .parts
      return
    }
    // A pipe cannot be examined without consuming it.
    guard place.status?.isRegular == true else { return nil }
    let head = try place.head(64)
    if RNCryptorV3.isRNCryptor(head) {
      format = .rnCryptor
    } else if PasswordEncryptedParts.isPropertyList(head) {
      format = .propertyList
    } else {
      return nil
    }
  }

  /// Opens the file with a passphrase, and writes its contents.
  func unprotect(
    to destination: ByteDestination, _ keyring: FileKeyring, _ parts: LegacyPartsOptions
  ) throws -> TransferCount {
    let stored = try contents(of: place)
    let salt = try parts.salt.map { try contents(of: FilePlace($0)) }
    let iv = try parts.iv.map { try contents(of: FilePlace($0)) }
    var plaintext: Data
    do {
      plaintext = try decrypt(stored, iv: iv, salt: salt, parts.mode, keyring)
    } catch let error as AtRestError {
      throw AtRestError(
        error.code, "\(place.name): \(error.message)", remedy: remedy(error, parts),
        cause: error.cause)
    }
    defer {
      plaintext.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
      }
    }
    try plaintext.withUnsafeBytes { try destination.write($0) }
    if format != .rnCryptor {
      Output.note(
        "\(place.name) has a format without authentication; changes to it cannot be detected."
      )
    }
    return TransferCount(read: UInt64(stored.count), written: UInt64(plaintext.count))
  }

  /// Returns the remedy of an error, and the option for blocks that are not chained where it fits.
  private func remedy(_ error: AtRestError, _ parts: LegacyPartsOptions) -> String {
    guard format != .rnCryptor, error.code == .authenticationFailed else { return error.remedy }
    return parts.ecb
      ? "\(error.remedy) If the app chained the blocks, omit --ecb."
      : "\(error.remedy) If the passphrase is right, try --ecb: some apps did not chain the blocks."
  }

  /// Decrypts the file. A property list is parsed before the passphrase is requested.
  private func decrypt(
    _ stored: Data, iv: Data?, salt: Data?, _ mode: PasswordEncryptedParts.BlockMode,
    _ keyring: FileKeyring
  ) throws -> Data {
    let parts: PasswordEncryptedParts
    switch format {
    case .rnCryptor:
      return try RNCryptorV3.decrypt(stored, password: keyring.passphrase().bytes)
    case .propertyList:
      parts = try PasswordEncryptedParts(propertyList: stored)
    case .parts:
      parts = try PasswordEncryptedParts(
        encryptedData: stored, initializationVector: iv ?? Data(), salt: salt ?? Data())
    }
    return try parts.decrypt(password: keyring.passphrase().bytes, blockMode: mode)
  }

  private func contents(of place: FilePlace) throws -> Data {
    if let size = place.status?.size, size > Self.maximumSize {
      throw AtRestError.invalid(
        "\(place.name) has more than 1 GiB, the limit for formats of other libraries.",
        remedy: "Open it with the library that wrote it.")
    }
    // The walk found a regular file.
    if case .walked(let entry) = place { return try place.head(Int(entry.found?.size ?? 0)) }
    return try MessageInput.contents(of: place.name)
  }
}
