import AtRestCrypto
import AtRestFiles
import CAtRestSystem
import Foundation

/// A file in the format of another library, read whole.
struct LegacyFile {
  /// The formats, as `inspect` names them.
  enum Format: String, Encodable {
    case rnCryptor = "rncryptor-3"
    case propertyList = "property-list"
    case parts = "parts"
  }

  private static let maximumSize: UInt64 = 1 << 30
  let format: Format
  private let place: FilePlace

  /// Looks at how a file begins; nil where it is not of another library.
  init?(_ place: FilePlace, _ parts: LegacyPartsOptions? = nil) throws {
    self.place = place
    if parts?.salt != nil {
      format = .parts
      return
    }
    // A pipe cannot be looked into without taking from it.
    guard let path = place.path, place.status?.isRegular == true else { return nil }
    let head = try ProtectedFiles.head(of: URL(fileURLWithPath: path), count: 64)
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
    let stored = try contents(of: place.name)
    let passphrase = try keyring.passphrase()
    var plaintext: Data
    do {
      switch format {
      case .rnCryptor:
        plaintext = try RNCryptorV3.decrypt(stored, password: passphrase.bytes)
      case .propertyList:
        plaintext = try PasswordEncryptedParts(propertyList: stored)
          .decrypt(password: passphrase.bytes, blockMode: parts.mode)
      case .parts:
        plaintext = try PasswordEncryptedParts(
          encryptedData: stored, initializationVector: contents(of: parts.iv ?? ""),
          salt: contents(of: parts.salt ?? "")
        ).decrypt(password: passphrase.bytes, blockMode: parts.mode)
      }
    } catch let error as AtRestError {
      throw AtRestError(
        error.code, "\(place.name): \(error.message)", remedy: error.remedy, cause: error.cause)
    }
    defer {
      plaintext.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
      }
    }
    try plaintext.withUnsafeBytes { try destination.write($0) }
    if format != .rnCryptor {
      Output.note(
        "\(place.name) is of a format without authentication: nothing shows whether it was changed."
      )
    }
    return TransferCount(read: UInt64(stored.count), written: UInt64(plaintext.count))
  }

  private func contents(of path: String) throws -> Data {
    if let size = FilePlace(path).status?.size, size > Self.maximumSize {
      throw AtRestError.invalid(
        "\(path) has more than 1 GiB, which is not read of other libraries' formats.",
        remedy: "Open it with the library that wrote it.")
    }
    return try MessageInput.contents(of: path)
  }
}
