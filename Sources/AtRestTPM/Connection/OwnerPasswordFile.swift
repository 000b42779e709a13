import AtRestCrypto
import Foundation

/// The file with the password of the owner hierarchy that the variable `ATREST_TPM_OWNER_PASSWORD_FILE`
/// names.
enum OwnerPasswordFile {
  private static let limit = 4096

  /// Returns the password, without one final newline, or nil if the variable is not set.
  static func read() throws -> SecretBox? {
    let path = ProcessInfo.processInfo.environment["ATREST_TPM_OWNER_PASSWORD_FILE"] ?? ""
    guard !path.isEmpty else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var count = 0
    let room = try SecretBytes(count: limit) { bytes throws(AtRestError) in
      while count < bytes.count {
        let got = Foundation.read(file, bytes.baseAddress! + count, bytes.count - count)
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw failure(path) }
        if got == 0 { break }
        count += got
      }
    }
    return room.withUnsafeBytes { bytes in
      let end = count > 0 && bytes[count - 1] == 0x0A ? count - 1 : count
      return SecretBox(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<end])))
    }
  }

  private static func failure(_ path: String) -> AtRestError {
    AtRestError(
      .notPermitted, "The file with the password of the TPM's owner, \(path), cannot be read.",
      remedy: "Name another file (ATREST_TPM_OWNER_PASSWORD_FILE).")
  }
}
